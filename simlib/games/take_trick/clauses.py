"""Take-Trick clause by clause (see `simlib.clauses`)."""

from typing import Any

import numpy as np

from simlib.clauses import GAMES, GIFTS, PLAYS, ROUNDS, TRICKS, Clause
from simlib.games.take_trick.parameters import TakeTrickParameters
from simlib.games.take_trick.plays import captured, options_of, strength, trump_of
from simlib.games.take_trick.rules import COLOUR_SHIFT, NO_CARD, RANK_MASK, SHINING, TRUMPED
from simlib.measures import columns_starting
from simlib.plays import Plays

ENDLESS = 100_000  # a target that nobody reaches


def has_gifts(parameters: TakeTrickParameters) -> bool:
    """Tell whether a capture may be forbidden."""
    return parameters.colours.max < parameters.deck.colours


def has_copies(parameters: TakeTrickParameters) -> bool:
    """Tell whether any card is there twice."""
    return max(map(max, parameters.deck.copies)) > 1


CLAUSES = (
    Clause("discard", "not following though able", "a seat that could follow may play another colour", PLAYS),
    Clause(
        "trump",
        "trump of another colour wins",
        "a trump of another colour than was led wins",
        TRICKS,
        lambda p: p.deck.colours > 1,
    ),
    Clause("trump_tie", "several trumps: the first", "of several trumps the one played first wins", TRICKS),
    Clause("tie", "equal cards: the first", "of equal highest cards the one played first wins", TRICKS, has_copies),
    Clause("loser_one", "a loser captures its 1", "a 1 of the leader's colour is captured, whoever wins", TRICKS),
    Clause(
        "winner_one",
        "the winner's card is a 1 (T7)",
        "a winner's own 1 of the leader's colour is captured once (T7)",
        TRICKS,
    ),
    Clause(
        "trump_one",
        "a losing trump is a 1 (T11)",
        "a losing trump that is such a 1 is captured without an extra card (T11)",
        TRICKS,
        lambda p: 1 in p.trump.ranks,
    ),
    Clause("extra", "extra card for a trump", "a winning trump takes an extra card", TRICKS),
    Clause("missing", "no extra card left", "there is no card left to be the extra one", TRICKS),
    Clause(
        "forfeit",
        "extra card forfeited (T3)",
        "a trump of a forbidden colour takes no extra card (T3)",
        TRICKS,
        lambda p: has_gifts(p) and p.gift.extra == "forfeit",
        lambda p: {"gift.extra": "together"},
    ),
    Clause(
        "gift",
        "gift offered",
        "a card of a forbidden colour must be offered to a neighbour",
        TRICKS,
        has_gifts,
        lambda p: {"colours.max": p.deck.colours},
    ),
    Clause(
        "accepted", "gift accepted", "an accepted gift pays both seats", GIFTS, has_gifts, lambda p: {"gift.points": 0}
    ),
    Clause("refused", "gift refused by choice", "the neighbour may refuse a gift that it may hold", GIFTS, has_gifts),
    Clause(
        "forced", "gift refused by force", "the neighbour must refuse a gift that it may not hold", GIFTS, has_gifts
    ),
    Clause(
        "penalty",
        "penalty for a refusal",
        "a refused gift costs a penalty",
        GIFTS,
        lambda p: has_gifts(p) and p.gift.penalty > 0,
        lambda p: {"gift.penalty": 0},
    ),
    Clause(
        "spared",
        "penalty spared at 0",
        "a penalty takes no score below 0",
        GIFTS,
        lambda p: has_gifts(p) and p.gift.penalty > 0,
    ),
    Clause(
        "elsewhere",
        "winner pays for another (T2)",
        "the trick's winner pays for the refused gift of another seat (T2)",
        GIFTS,
        lambda p: has_gifts(p) and p.gift.penalty > 0 and p.gift.penalty_falls_on == "trick_winner",
        lambda p: {"gift.penalty_falls_on": "giver"},
    ),
    Clause(
        "double_gift",
        "gift of two cards (T3)",
        "a trump and its extra card are one gift (T3, T10)",
        GIFTS,
        lambda p: has_gifts(p) and p.gift.extra == "together",
        lambda p: {"gift.extra": "forfeit"},
    ),
    Clause(
        "gift_ends",
        "a gift ends the game",
        "an accepted gift that takes a seat to the target ends the game at once",
        GAMES,
        has_gifts,
    ),
    Clause(
        "target",
        "target reached after a round",
        "a score at the target ends the game after a round",
        GAMES,
        without=lambda p: {"score.target": ENDLESS},
    ),
    Clause("nearest", "nearest to the target wins", "of several seats at the target the nearest to it wins", GAMES),
    Clause("distance", "last round ends the game", "without a seat at the target the last round ends the game", GAMES),
    Clause("majority", "most of a colour alone", "the seat that alone has the most of a colour scores nothing", ROUNDS),
    Clause("level", "equal counts multiply", "seats with the same count of a colour multiply it", ROUNDS),
    Clause("first_trump", "first bamboo is a trump", "a first bamboo of the trump rank gets a second card", ROUNDS),
    Clause(
        "shining",
        "shining card (T6)",
        "shining cards stand in where the stock runs out (T6)",
        ROUNDS,
        lambda p: p.players * (p.tricks + 2) > sum(map(sum, p.deck.copies)),
    ),
    Clause("shared", "win shared", "level seats share the win", GAMES),
)
NOUNS = {TRICKS: "tricks", PLAYS: "plays", ROUNDS: "rounds", GIFTS: "gifts", GAMES: "games"}


def units(parameters: TakeTrickParameters, games: Any, plays: Plays) -> dict[str, np.ndarray]:
    """Return how many tricks, plays of followers and the like each game has."""
    tricks = plays.played.sum(axis=(1, 2))
    return {
        TRICKS: tricks,
        PLAYS: tricks * (parameters.players - 1),
        ROUNDS: (games.tables["round"] > 0).sum(axis=1),
        GIFTS: games.tables["gift_count"].sum(axis=1),
        GAMES: np.ones_like(tricks),
    }


def fired(
    parameters: TakeTrickParameters, games: Any, plays: Plays, column: dict[str, int]
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return how often each clause came into play in each game; `column` numbers the row's columns."""
    discards = np.zeros(len(plays.cards), np.int64)
    for options in options_of(parameters, games, plays):
        could = options.following.any(axis=3)
        discards += (could & ~options.chosen(options.following)).sum(axis=(1, 2))
    found = {"discard": discards}
    return (
        found
        | {key: values.sum(axis=(1, 2)) for key, values in in_tricks(parameters, games, plays).items()}
        | in_gifts(parameters, games, plays)
        | {key: values.sum(axis=1) for key, values in in_rounds(parameters, games, plays).items()}
        | in_games(parameters, games, column)
    )


def in_tricks(parameters: TakeTrickParameters, games: Any, plays: Plays) -> dict[str, np.ndarray]:
    """Return which tricks clauses about winning and capturing came into play in, (games, rounds, tricks) bool."""
    led, trump = plays.cards[..., :1], trump_of(games)
    values = strength(plays.cards, led, trump[..., None])
    best, played = values.max(axis=3), plays.played
    winning = np.take_along_axis(plays.cards, plays.winners[..., None], axis=3)[..., 0]
    ones = plays.cards == (led & ~RANK_MASK)
    won = np.arange(parameters.players) == plays.winners[..., None]
    equal = (values == best[..., None]).sum(axis=3) > 1
    by_trump = best == TRUMPED
    taken = captured(parameters, games, plays)
    return {
        "trump": played & by_trump & (winning >> COLOUR_SHIFT != led[..., 0] >> COLOUR_SHIFT),
        "trump_tie": played & by_trump & equal,
        "tie": played & ~by_trump & equal,
        "loser_one": (taken & ~won).any(axis=3),
        "winner_one": played & (ones & won).any(axis=3),
        "trump_one": played & (ones & ~won & (plays.cards & RANK_MASK == trump[..., None])).any(axis=3),
        "extra": played & (games.secrets["extra"][:, :, : parameters.tricks] != NO_CARD),
    }


def in_gifts(parameters: TakeTrickParameters, games: Any, plays: Plays) -> dict[str, np.ndarray]:
    """Return how many gifts each game's clauses about gifts came into play in, and in how many tricks one was made."""
    tables, (players, tricks) = games.tables, (parameters.players, parameters.tricks)
    finals = tables["scores"][:, :, :players].sum(axis=2)
    before = np.concatenate([np.zeros_like(finals[:, :1]), finals[:, :-1]], axis=1)
    counts = {key: np.zeros(len(tables), np.int64) for key in ("spared", "elsewhere", "double_gift")}
    offered = np.zeros(plays.winners.shape, bool)
    winners = np.take_along_axis(plays.seats, plays.winners[..., None], axis=3)[..., 0]
    extras = games.secrets["extra"][:, :, :tricks] != NO_CARD
    for number in range(int(tables["gift_count"].max(initial=0))):
        gift, made = tables["gifts"][:, :, number], number < tables["gift_count"]
        trick = np.where(made, gift["trick"], 0)[..., None]
        after = gift["scores"][:, :, :players].sum(axis=2)
        refused = made & (gift["accepted"] == 0)
        by_winner = np.take_along_axis(winners, trick, axis=2)[..., 0] == gift["giver"]
        counts["spared"] += (refused & (before - after < parameters.gift.penalty)).sum(axis=1)
        counts["elsewhere"] += (refused & ~by_winner).sum(axis=1)
        counts["double_gift"] += (made & by_winner & np.take_along_axis(extras, trick, axis=2)[..., 0]).sum(axis=1)
        offered |= made[..., None] & (np.arange(tricks) == trick)
        before = np.where(made, after, before)
    return counts | {"gift": offered.sum(axis=(1, 2))}


def in_rounds(parameters: TakeTrickParameters, games: Any, plays: Plays) -> dict[str, np.ndarray]:
    """Return which rounds clauses about bamboo came into play in, (games, rounds) bool."""
    tables, players = games.tables, parameters.players
    played = tables["round"] > 0
    counts = tables["bamboo"][:, :, :players, : parameters.deck.colours]
    scored = played & (tables["ended_by_gift"] == 0)
    most = counts.max(axis=2)
    alone = ((counts == most[:, :, None]).sum(axis=2) == 1) & (most > 0)
    same = (counts[:, :, :, None] == counts[:, :, None]).sum(axis=3)
    first = tables["first"][:, :, :players].astype(np.int64)
    trumped = (first != SHINING) & (first & RANK_MASK == trump_of(games)[..., 0, None])
    shining = (first == SHINING) | (games.secrets["first_extra"][:, :, :players] == SHINING)
    return {
        "majority": scored & alone.any(axis=2),
        "level": scored & ((same > 1) & (counts > 0)).any(axis=(2, 3)),
        "first_trump": played & trumped.any(axis=2),
        "shining": played & shining.any(axis=2),
    }


def in_games(parameters: TakeTrickParameters, games: Any, column: dict[str, int]) -> dict[str, np.ndarray]:
    """Return how often clauses that the row tells of came into play."""
    rows = games.rows.astype(np.int64)
    scores, wins = (rows[:, columns_starting(column, name)] for name in ("score_", "win_"))
    by_gift = rows[:, column["ended_by_gift"]] == 1
    reached = scores >= parameters.score.target
    known = {
        "missing": "extras_missing",
        "forfeit": "extras_forfeited",
        "accepted": "gifts_accepted",
        "refused": "gifts_refused",
        "forced": "gifts_forced",
    }
    counts = {key: rows[:, column[name]] for key, name in known.items()}
    return counts | {
        "penalty": counts["refused"] + counts["forced"],
        "gift_ends": by_gift,
        "target": reached.any(axis=1) & ~by_gift,
        "nearest": (reached & (wins == 0)).any(axis=1),
        "distance": ~reached.any(axis=1),
        "shared": wins.sum(axis=1) > 1,
    }


def ranks(parameters: TakeTrickParameters) -> dict[int, str]:
    """Return the name of each rank by what `rank_of` makes of a card."""
    return {rank: str(rank) for rank in range(1, int(parameters.deck.ranks or 0) + 1)}


def rank_of(cards: np.ndarray) -> np.ndarray:
    """Return the ranks of cards."""
    return (cards & RANK_MASK) + 1


def turning(parameters: TakeTrickParameters, games: Any, plays: Plays) -> np.ndarray | None:
    """Return which cards turned the lead; None in a game in which none can."""
    return None
