"""Gara-tori clause by clause (see `simlib.clauses`)."""

from typing import Any

import numpy as np

from simlib.cards import COLOUR_SHIFT, RANK_MASK, SPECIAL
from simlib.clauses import GAMES, PLAYS, ROUNDS, TRICKS, Clause
from simlib.games.gara_tori.parameters import GaraToriParameters
from simlib.games.gara_tori.plays import effects, is_void, tricks_of
from simlib.measures import columns_starting
from simlib.plays import Plays, hands_at


def has_copies(parameters: GaraToriParameters) -> bool:
    """Tell whether any card that isn't special is there twice."""
    return max(map(max, parameters.deck.copies)) > 1


def has_specials(parameters: GaraToriParameters) -> bool:
    """Tell whether there are special cards."""
    return parameters.deck.specials > 0


CLAUSES = (
    Clause(
        "match", "pattern in place of following", "a card of a played pattern may be played instead of following", PLAYS
    ),
    Clause("turn", "lead turns", "a card of a played pattern turns the lead", TRICKS),
    Clause("turn_again", "lead turns again", "the lead turns more than once in a trick", TRICKS),
    Clause(
        "void_turn",
        "void seat turns (G2)",
        "a seat void in the lead colour turns the lead, too (G2)",
        PLAYS,
        lambda p: p.lead.void_match_turns,
        lambda p: {"lead.void_match_turns": False},
    ),
    Clause(
        "before",
        "a card before the turn wins",
        "cards played before the lead turned to their colour count, and win",
        TRICKS,
    ),
    Clause(
        "lock",
        "special locks",
        "a special played while its colour leads locks the trick and wins",
        TRICKS,
        has_specials,
    ),
    Clause("lock_led", "special is led", "leading a special locks the trick", TRICKS, has_specials),
    Clause(
        "no_turn",
        "pattern in a locked trick",
        "in a locked trick a card of a played pattern doesn't turn the lead",
        PLAYS,
        has_specials,
    ),
    Clause(
        "powerless",
        "special without power",
        "a special played while another colour leads has no power",
        PLAYS,
        has_specials,
    ),
    Clause(
        "stays_powerless",
        "stays powerless (G4)",
        "it stays powerless when the lead turns to its colour (G4)",
        TRICKS,
        has_specials,
    ),
    Clause(
        "special_duty",
        "special alone obliges (G3)",
        "a special alone obliges to follow (G3)",
        PLAYS,
        lambda p: p.follow.special_counts and p.deck.specials > 0,
        lambda p: {"follow.special_counts": False},
    ),
    Clause("void", "can't follow", "a seat that can't follow plays anything", PLAYS),
    Clause(
        "second_lock",
        "second special locks (G5)",
        "of several specials of a colour the first one that locks wins (G5)",
        TRICKS,
        lambda p: p.deck.specials > 1,
    ),
    Clause("tie", "equal cards: the first", "of equal highest cards the one played first wins", TRICKS, has_copies),
    Clause("shared", "win shared", "level seats share the win", GAMES),
)
NOUNS = {TRICKS: "tricks", PLAYS: "plays", GAMES: "games"}


def units(parameters: GaraToriParameters, games: Any, plays: Plays) -> dict[str, np.ndarray]:
    """Return how many tricks, plays of followers and the like each game has."""
    tricks = plays.played.sum(axis=(1, 2))
    ones = np.ones_like(tricks)
    return {TRICKS: tricks, PLAYS: tricks * (parameters.players - 1), ROUNDS: ones, GAMES: ones}


def fired(
    parameters: GaraToriParameters, games: Any, plays: Plays, column: dict[str, int]
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return how often each clause came into play in each game; `column` numbers the row's columns."""
    shape = plays.winners.shape
    counts = {key: np.zeros(shape, np.int64) for key in ("match", "void_turn", "no_turn", "powerless", "special_duty")}
    counts |= {key: np.zeros(shape, np.int64) for key in ("turns", "void", "locks", "last_turn")}
    for place, (trick, (cards, held)) in enumerate(
        zip(tricks_of(parameters, games, plays), hands_at(plays), strict=True)
    ):
        card = plays.cards[..., place, None]
        void = is_void(parameters, trick, cards, held)
        done = effects(parameters, trick, card, void[..., None])
        matches, turns, leads = done.matches[..., 0], done.turns[..., 0], done.leads[..., 0]
        special = card[..., 0] & RANK_MASK == SPECIAL
        counts["locks"] += special & leads
        counts["powerless"] += special & ~leads
        if not place:
            continue
        other = matches & (card[..., 0] >> COLOUR_SHIFT != trick.lead)
        counts["match"] += other & ~void
        counts["turns"] += turns
        counts["void_turn"] += turns & void
        counts["last_turn"] = np.where(turns, place, counts["last_turn"])
        counts["no_turn"] += other & trick.locked
        counts["void"] += void
        counts["special_duty"] += held_by_special(trick.lead, cards, held) & ~void
    return in_games(parameters, games, plays, column, counts)


def held_by_special(lead: np.ndarray, cards: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Return whether specials are the only cards of the lead colour in a hand."""
    own = held & (cards >> COLOUR_SHIFT == lead[..., None])
    return own.any(axis=3) & ~(own & (cards & RANK_MASK != SPECIAL)).any(axis=3)


def in_games(
    parameters: GaraToriParameters, games: Any, plays: Plays, column: dict[str, int], counts: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Return the counts of whole games from those of tricks."""
    lead = games.tables["leads"][:, :, : parameters.hand.size, parameters.players - 1].astype(np.int64)
    locked = games.tables["locked"][:, :, : parameters.hand.size] == 1
    special = plays.cards & RANK_MASK == SPECIAL
    winning = np.take_along_axis(plays.cards, plays.winners[..., None], axis=3)
    found = {key: counts[key] for key in ("match", "void_turn", "no_turn", "powerless", "special_duty", "void")} | {
        "turn": counts["turns"] > 0,
        "turn_again": counts["turns"] > 1,
        "before": ~locked & (counts["turns"] > 0) & (plays.winners < counts["last_turn"]),
        "lock": locked,
        "lock_led": special[..., 0],
        "stays_powerless": ~locked & (special & (plays.cards >> COLOUR_SHIFT == lead[..., None])).any(axis=3),
        "second_lock": counts["locks"] > 1,
        "tie": ~locked & ((plays.cards == winning).sum(axis=3) > 1),
    }
    shared = games.rows[:, columns_starting(column, "win_")].sum(axis=1) > 1
    return {key: values.sum(axis=(1, 2)) for key, values in found.items()} | {"shared": shared}


def ranks(parameters: GaraToriParameters) -> dict[int, str]:
    """Return the name of each rank by what `rank_of` makes of a card."""
    special = {SPECIAL: "special"} if has_specials(parameters) else {}
    return special | {rank: str(rank) for rank in range(1, int(parameters.deck.ranks or 0) + 1)}


def rank_of(cards: np.ndarray) -> np.ndarray:
    """Return the ranks of cards, SPECIAL for specials."""
    return cards & RANK_MASK


def turning(parameters: GaraToriParameters, games: Any, plays: Plays) -> np.ndarray | None:
    """Return which cards turned the lead, (games, rounds, tricks, places) bool."""
    leads = games.tables["leads"][:, :, : parameters.hand.size, : parameters.players].astype(np.int64)
    return np.concatenate([np.zeros_like(leads[..., :1]), leads[..., 1:] != leads[..., :-1]], axis=3).astype(bool)
