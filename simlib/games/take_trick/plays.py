"""Take-Trick trick by trick (see `simlib.plays`): hands after the pass, bamboo and points as they stood."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simlib import cards as coding
from simlib.games.take_trick.measures import majority_points
from simlib.games.take_trick.parameters import TakeTrickParameters
from simlib.games.take_trick.rules import COLOUR_SHIFT, LEFT, NO_CARD, RANK_MASK, RIGHT, SHINING, TRUMPED
from simlib.plays import Options, Plays, hands_at, hands_of, places_of, seats_of

FAR = 1 << 40  # above every score


def plays_of(parameters: TakeTrickParameters, games: Any) -> Plays:
    """Return games, `batch.Played`, trick by trick; a gift may end a game before its last trick."""
    tables, (players, tricks) = games.tables, (parameters.players, parameters.tricks)
    played = was_played(tables, tricks)
    winners = np.where(played, tables["winners"][:, :, :tricks], 0)
    seats = seats_of(tables["start"], winners, players)
    cards = np.where(played[..., None], tables["cards"][:, :, :tricks, :players], 0).astype(np.int64)
    hands = hands_of(cards, seats)
    unplayed = np.broadcast_to(~played[:, :, None], hands.shape)
    kept = unplayed & (tables["round"] > 0)[..., None, None]
    hands[kept] = _unplayed(parameters, games, hands, ~unplayed)
    return Plays(cards, seats, hands, places_of(seats, winners), played)


def was_played(tables: np.ndarray, tricks: int) -> np.ndarray:
    """Return which tricks were played, (games, rounds, tricks) bool."""
    return (tables["round"] > 0)[..., None] & (np.arange(tricks) <= tables["trick"][..., None])


def _unplayed(parameters: TakeTrickParameters, games: Any, hands: np.ndarray, played: np.ndarray) -> np.ndarray:
    """Return the cards left in all hands as one list, by game, round and seat."""
    left = held_after_pass(parameters, games) - _counted(hands, played, parameters)
    left[games.tables["round"] == 0] = 0
    codes = np.broadcast_to(np.arange(left.shape[3]), left.shape)
    return np.repeat(codes.ravel(), left.ravel())


def held_after_pass(parameters: TakeTrickParameters, games: Any) -> np.ndarray:
    """Return how many of each card every seat holds before the first trick, (games, rounds, seats, cards)."""
    players, tricks = parameters.players, parameters.tricks
    deck = np.array(coding.deck(parameters.deck.copies))
    places = games.secrets["deck"][:, :, : players * tricks].astype(np.int64)
    dealt = deck[places].reshape(*places.shape[:2], players, tricks)
    if tricks > 1:  # the seats' neighbours get what they pass
        gives = games.secrets["gives"][:, :, :players].astype(np.int64)
        for side, step in ((LEFT, 1), (RIGHT, -1)):
            given = np.take_along_axis(dealt, gives[..., side, None], axis=3)
            dealt = np.concatenate([dealt, np.roll(given, step, axis=2)], axis=3)
        passed = np.zeros(dealt.shape, bool)
        np.put_along_axis(passed, gives, True, axis=3)
        return _counted(dealt, ~passed, parameters)
    return _counted(dealt, np.ones(dealt.shape, bool), parameters)


def _counted(cards: np.ndarray, among: np.ndarray, parameters: TakeTrickParameters) -> np.ndarray:
    """Return how many of each card there are `among` some, along the last axis."""
    codes = parameters.deck.colours * coding.RANKS
    rows = np.arange(cards[..., 0].size).reshape(*cards.shape[:-1], 1) * codes
    counts = np.bincount((rows + cards)[among], minlength=cards[..., 0].size * codes)
    return counts.reshape(*cards.shape[:-1], codes)


def strength(cards: np.ndarray, led: np.ndarray, trump: np.ndarray) -> np.ndarray:
    """Return what decides a trick, -1 for a card that can't win it (round, step 5); `led` is the first card."""
    rank = cards & RANK_MASK
    return np.where(rank == trump, TRUMPED, np.where(cards >> COLOUR_SHIFT == led >> COLOUR_SHIFT, rank, -1))


def trump_of(games: Any) -> np.ndarray:
    """Return each game's trump rank, counted from 0, (games, 1, 1)."""
    return games.tables["trump"][:, :1, None]


def options_of(parameters: TakeTrickParameters, games: Any, plays: Plays) -> Iterator[Options]:
    """Yield what the seats could do, place by place: any card may be played."""
    led, trump = plays.cards[..., 0], trump_of(games)
    best = strength(led, led, trump)
    for place, (cards, held) in enumerate(hands_at(plays)):
        if not place:
            yield Options(cards, held, held, np.zeros_like(held))
            continue
        follows = cards >> COLOUR_SHIFT == led[..., None] >> COLOUR_SHIFT
        better = strength(cards, led[..., None], trump[..., None]) > best[..., None]
        yield Options(cards, held, held & better, held & follows)
        best = np.maximum(best, strength(plays.cards[..., place], led, trump))


def captured(parameters: TakeTrickParameters, games: Any, plays: Plays) -> np.ndarray:
    """Return which cards were captured, kept or given away, (games, rounds, tricks, places) bool (round, step 6)."""
    ones = plays.cards == (plays.cards[..., :1] & ~RANK_MASK)
    wins = np.arange(parameters.players) == plays.winners[..., None]
    return (ones | wins) & plays.played[..., None]


def bamboo(parameters: TakeTrickParameters, games: Any, plays: Plays) -> np.ndarray:
    """Return the cards before every seat after each trick, (games, rounds, tricks, seats, colours)."""
    tables, (players, tricks) = games.tables, (parameters.players, parameters.tricks)
    seats, colours = np.arange(players), np.arange(parameters.deck.colours)
    extra = games.secrets["extra"][:, :, :tricks] != NO_CARD
    wins = np.arange(players) == plays.winners[..., None]
    count = captured(parameters, games, plays) * (1 + (wins & extra[..., None]))
    to, kept = _receivers(games, plays)
    colour = plays.cards[..., None] >> COLOUR_SHIFT == colours
    laid = np.einsum("grtp,grtps,grtpc->grtsc", count * kept, (to[..., None] == seats).astype(np.int64), colour)
    first = tables["first"][:, :, :players].astype(np.int64)
    trumped = (first != SHINING) & (first & RANK_MASK == trump_of(games)[..., 0, None])
    start = (first != SHINING)[..., None] * (1 + trumped)[..., None] * (first[..., None] >> COLOUR_SHIFT == colours)
    return start[:, :, None] + laid.cumsum(axis=2)


def _receivers(games: Any, plays: Plays) -> tuple[np.ndarray, np.ndarray]:
    """Return to whom each captured card came, and whether it stayed there: neither refused nor cut off by the end."""
    gifts, tables = games.tables["gifts"], games.tables
    to, kept = plays.seats.copy(), np.ones(plays.seats.shape, bool)
    made = np.arange(gifts.shape[2]) < tables["gift_count"][..., None]
    game, round_, number = np.nonzero(made)
    gift = gifts[game, round_, number]
    place = (gift["giver"] - plays.seats[game, round_, gift["trick"], 0]) % plays.seats.shape[3]
    to[game, round_, gift["trick"], place] = gift["receiver"]
    kept[game, round_, gift["trick"], place] = gift["accepted"] == 1
    _cut_off(tables, plays, kept, (game, round_, number, gift, place))
    return to, kept


def _cut_off(tables: np.ndarray, plays: Plays, kept: np.ndarray, made: tuple[Any, ...]) -> None:
    """Take out the captures behind a gift that ended the game: the winner's comes first, the others in order."""
    game, round_, number, gift, place = made
    last = (number == tables["gift_count"][game, round_] - 1) & (tables["ended_by_gift"][game, round_] == 1)
    game, round_, trick, place = game[last], round_[last], gift["trick"][last], place[last]
    winner = plays.winners[game, round_, trick]
    places = np.arange(plays.seats.shape[3])
    settled = (places == winner[:, None]) | ((places <= place[:, None]) & (place != winner)[:, None])
    kept[game, round_, trick] &= settled


def standings(parameters: TakeTrickParameters, games: Any, plays: Plays) -> np.ndarray:
    """Return how every seat stands after each trick, (games, rounds, tricks, seats): the higher, the nearer to a win.

    It is the score as if the round ended there; of scores at or above the target the nearest to it stands highest.
    """
    counts = bamboo(parameters, games, plays)
    shape = counts.shape[:-1]
    majority = majority_points(counts.reshape(-1, *counts.shape[-2:])).reshape(shape)
    points = _gift_scores(parameters, games, shape) + majority
    finals = games.tables["scores"][:, :, : parameters.players]
    last = plays.played & (np.arange(shape[2]) == games.tables["trick"][..., None])
    points = np.where(last[..., None], finals[:, :, None], points)
    target = parameters.score.target
    return np.where(points >= target, FAR - points, points)


def _gift_scores(parameters: TakeTrickParameters, games: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return scores after each trick without what the present round will pay, (games, rounds, tricks, seats)."""
    tables, players = games.tables, parameters.players
    finals = tables["scores"][:, :, :players]
    scores = np.zeros(shape, np.int64)
    scores[:, 1:] = finals[:, :-1, None]
    gifts = tables["gifts"]
    for number in range(int(tables["gift_count"].max(initial=0))):
        gift = gifts[:, :, number]
        later = (number < tables["gift_count"])[..., None] & (np.arange(shape[2]) >= gift["trick"][..., None])
        scores = np.where(later[..., None], gift["scores"][:, :, None, :players], scores)
    return scores


def contenders(parameters: TakeTrickParameters, games: Any, plays: Plays) -> np.ndarray:
    """Return how many cards of each trick were trumps or of the leader's colour, (games, rounds, tricks)."""
    counts = strength(plays.cards, plays.cards[..., :1], trump_of(games)[..., None]) >= 0
    return (counts & plays.played[..., None]).sum(axis=3)
