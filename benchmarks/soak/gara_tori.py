"""Gara-tori for the soak: random variants, and what must hold in a game of any (rule file: gara_tori)."""

import random
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from benchmarks.soak.invariants import BEFORE_PLAY, Broken, count_choices, deal_out, shared_columns, take_from_hand
from simlib.cards import COLOUR_SHIFT, RANK_MASK, SPECIAL, deck_with_specials
from simlib.cards import LETTERS as LETTERS
from simlib.games.gara_tori.parameters import GaraToriParameters

SEATS, ROUNDS, COLOURS, RANKS = 6, 1, len(LETTERS), 33  # the most of each; rank 0 is a special's


def random_copies(source: random.Random, colours: int, ranks: int) -> Any:
    """Return copies spelled in any of the three ways."""
    most = max(1, min(4, 256 // (colours * ranks)))
    rows = [[source.randint(0, most) for _ in range(ranks)] for _ in range(colours)]
    return source.choice([source.randint(1, most), rows[0], dict(zip(LETTERS, rows, strict=False))])


def random_settings(source: random.Random) -> dict[str, Any]:
    """Return settings of a random legal variant: any deck, hand and readings."""
    players = source.choice([4, 5, 6])
    while True:
        colours, ranks = source.choice([(4, 15), (4, 15), (1, 5), (3, 9), (7, 7), (16, 4), (5, 32), (2, 32), (16, 15)])
        settings = {
            "players": players,
            "deck.colours": colours,
            "deck.ranks": ranks,
            "deck.copies": random_copies(source, colours, ranks),
            "deck.specials": source.choice([1, 1, 0, 2, 5]),
            "hand.size": 1,
            "lead.void_match_turns": source.random() < 0.5,
            "follow.special_counts": source.random() < 0.5,
        }
        cards = size_of_deck(settings)
        if players <= cards <= 256:
            break
    most = cards // players
    return settings | {"hand.size": source.randint(1, most) if source.random() < 0.7 else min(10, most)}


def size_of_deck(settings: dict[str, Any]) -> int:
    """Return the number of cards that settings ask for."""
    colours, ranks, copies = (settings[f"deck.{name}"] for name in ("colours", "ranks", "copies"))
    rows = [copies[letter] if isinstance(copies, dict) else copies for letter in LETTERS[:colours]]
    rows = [row if isinstance(row, list) else [row] * ranks for row in rows]
    return sum(map(sum, rows)) + int(colours * settings["deck.specials"])


class Rules(NamedTuple):
    """What a variant says."""

    players: int
    tricks: int
    colours: int
    void_match_turns: bool
    special_counts: bool
    deck: np.ndarray


TALLY = np.dtype(
    [
        *shared_columns(SEATS, ROUNDS),
        ("locks", "i8"),
        ("specials_with_power", "i8"),
        ("specials_without_power", "i8"),
        ("void_plays", "i8"),
        ("turns", "i8"),
        ("turns_at_place", "i8", (SEATS,)),
        ("tricks_with_turns", "i8", (SEATS,)),
        ("won_by_turn_at_place", "i8", (SEATS,)),
        ("locks_at_place", "i8", (SEATS,)),
        ("specials_dealt", "i8", (SEATS,)),
        ("taken", "i8", (SEATS, COLOURS)),
    ]
)
TRICK = np.dtype(
    [
        ("number", "i8"),
        ("lead", "i8"),  # the lead colour
        ("locker", "i8"),  # the place of the special that locked, or -1
        ("turned", "i8", (SEATS,)),  # 1 at each place that turned the lead
        ("cards", "i8", (SEATS,)),
    ]
)


def rules_of(parameters: GaraToriParameters) -> Rules:
    """Return a variant's rules for the checker."""
    return Rules(
        parameters.players,
        parameters.hand.size,
        parameters.deck.colours,
        parameters.lead.void_match_turns,
        parameters.follow.special_counts,
        np.array(deck_with_specials(parameters.deck.copies, parameters.deck.specials)),
    )


@njit(nogil=True)
def check_games(rules, tables, secrets, tallies, at):
    """Check games, (games, 1), and add up their TALLYs; `at` says in which game, round and trick it is."""
    hands = np.zeros((rules.players, rules.deck.max() + 1), np.int64)
    trick = np.zeros(1, TRICK)
    for game in range(len(tables)):
        at[0], at[1], at[2] = game, 0, BEFORE_PLAY
        check_game(rules, tables[game, 0], secrets[game, 0], hands, trick[0], tallies[game], at)


@njit(nogil=True)
def check_game(rules, table, secret, hands, trick, tally, at):
    """Check a game and add it up."""
    if table.start != 0:
        raise Broken("another seat than the dealer leads")
    deal_out(rules, secret.deck, hands)
    for seat in range(rules.players):
        for colour in range(rules.colours):
            tally.specials_dealt[seat] += held(hands, seat, colour, SPECIAL)
    leader = 0
    for number in range(rules.tricks):
        at[2] = trick.number = number
        leader = check_trick(rules, table, hands, trick, leader, tally)
    at[2] = BEFORE_PLAY
    score(rules, table, tally)


@njit(nogil=True)
def held(hands, seat, colour, rank):
    """Return how many cards of a colour and rank a seat holds."""
    card = (colour << COLOUR_SHIFT) + rank
    return hands[seat, card] if card < hands.shape[1] else 0


@njit(nogil=True)
def check_trick(rules, table, hands, trick, leader, tally):
    """Check a trick and return its winner."""
    trick.locker, trick.turned[:] = -1, 0
    for place in range(rules.players):
        card = np.int64(table.cards[trick.number, place])
        trick.cards[place] = card
        seat = (leader + place) % rules.players
        check_play(rules, hands, trick, seat, place, card, tally)
        if table.leads[trick.number, place] != trick.lead:
            raise Broken("the lead colour isn't what the cards played make it")
    place = trick.locker if trick.locker >= 0 else highest(rules, trick)
    winner = (leader + place) % rules.players
    if table.locked[trick.number] != (trick.locker >= 0):
        raise Broken("a trick is locked without its special, or not locked by it")
    if table.winners[trick.number] != winner:
        raise Broken("a trick isn't won by its lock, or the highest of the final lead colour")
    count_trick(rules, trick, place, winner, tally)
    return winner


@njit(nogil=True)
def check_play(rules, hands, trick, seat, place, card, tally):
    """Check that a seat may play a card, and let it turn or lock the lead."""
    colour, rank = card >> COLOUR_SHIFT, card & RANK_MASK
    void = place > 0 and obliging(rules, hands, seat, trick.lead) == 0
    matches = rank != SPECIAL and is_played(trick, place, rank)
    choices = rules.tricks - trick.number if place == 0 or void else legal(rules, hands, trick, seat, place)
    take_from_hand(hands, seat, card)
    if place and not (void or matches or colour == trick.lead):
        raise Broken("a card is played that neither follows nor matches, and its seat isn't void")
    count_choices(tally, place, choices)
    tally.void_plays += void
    if place == 0:
        trick.lead = colour
    elif matches and trick.locker < 0 and colour != trick.lead and (rules.void_match_turns or not void):
        trick.lead, trick.turned[place] = colour, 1
    if rank == SPECIAL:
        check_special(trick, place, colour, tally)


@njit(nogil=True)
def check_special(trick, place, colour, tally):
    """Let a special of the lead colour lock a trick that isn't locked."""
    if colour != trick.lead:
        tally.specials_without_power += 1
        return
    tally.specials_with_power += 1
    if trick.locker < 0:
        trick.locker = place


@njit(nogil=True)
def obliging(rules, hands, seat, lead):
    """Return how many cards a seat holds that oblige it to follow."""
    count = 0
    for rank in range(SPECIAL if rules.special_counts else SPECIAL + 1, RANKS):
        count += held(hands, seat, lead, rank)
    return count


@njit(nogil=True)
def is_played(trick, cards, rank):
    """Tell whether a pattern is among a trick's first cards."""
    found = False
    for place in range(cards):
        found |= trick.cards[place] & RANK_MASK == rank
    return found


@njit(nogil=True)
def legal(rules, hands, trick, seat, cards):
    """Return how many of its cards a seat may play that isn't void: those that follow, and others that match."""
    count = 0
    for rank in range(RANKS):
        count += held(hands, seat, trick.lead, rank)
    for place in range(cards):
        rank = trick.cards[place] & RANK_MASK
        if rank != SPECIAL and not is_played(trick, place, rank):
            for colour in range(rules.colours):
                if colour != trick.lead:
                    count += held(hands, seat, colour, rank)
    return count


@njit(nogil=True)
def highest(rules, trick):
    """Return the place of the highest card of the final lead colour, the first of equals."""
    best, best_place = -1, 0
    for place in range(rules.players):
        card = trick.cards[place]
        if card >> COLOUR_SHIFT == trick.lead and card > best:
            best, best_place = card, place
    return best_place


@njit(nogil=True)
def count_trick(rules, trick, place, winner, tally):
    """Give the winner the cards, and count what the trick was."""
    tally.won_from_place[place] += 1
    turns = trick.turned.sum()
    tally.turns += turns
    tally.tricks_with_turns[turns] += 1
    tally.won_by_turn_at_place[place] += trick.turned[place]
    for number in range(rules.players):
        tally.taken[winner, trick.cards[number] >> COLOUR_SHIFT] += 1
        tally.turns_at_place[number] += trick.turned[number]
    if trick.locker >= 0:
        tally.locks += 1
        tally.locks_at_place[place] += 1


@njit(nogil=True)
def score(rules, table, tally):
    """Give each seat its largest count of one colour, and the win to the highest."""
    for seat in range(rules.players):
        tally.score[seat] = tally.taken[seat].max()
        if table.scores[seat] != tally.score[seat]:
            raise Broken("a score isn't the most cards of one colour that its seat took")
    best = tally.score[: rules.players].max()
    for seat in range(rules.players):
        tally.win[seat] = tally.score[seat] == best
    if not table.over:
        raise Broken("the game goes on after its only round")
