"""Players see only what their seat may know.

Positions are taken from the middle of real games. Everything that the deciding seat cannot see is then shuffled, in
keeping with what it can see: cards hidden from it (its own ones, too), undealt cards, other seats' bids. The seat's
View, built again from that secret by the kernel's own steps, must be the same byte for byte, and so must the decision.
`SHUFFLES` in the environment sets how many shuffles are made (2,000).
"""

import inspect
import os
import random
from itertools import pairwise

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from simlib import hooks
from simlib import play as kernel
from simlib.batch import Arm, Seating
from simlib.cards import RANKS
from simlib.games import game_named, make_variant
from simlib.games.suppose import players as suppose_players
from simlib.games.suppose import rules as suppose
from simlib.games.suppose.rules import (
    arrange,
    bid,
    draw_words,
    lay_out,
    look,
    open_trick,
    show,
    take_turn,
    take_up,
)
from simlib.hooks import seated
from simlib.streams import U64, decision_word, game_stream

pytestmark = pytest.mark.kernel
SHUFFLES = int(os.environ.get("SHUFFLES", "2000"))
GAME = game_named("suppose")
PLAYERS = suppose_players.PLAYERS
BEFORE_PLAY, PLAY = 0, 1  # kinds of decisions: arranging and bidding, playing a card
SEED, GAMES = 7, 12
VARIANTS = {
    "classic": {},
    "three": {"players": 3},
    "open": {"hand.visible": list(range(1, 12)), "bid.double": 4},
    "blind": {"players": 3, "hand.visible": []},
    "wide": {"deck.colours": 16, "deck.ranks": 4, "deck.copies": 3, "hand.size": 40, "hand.visible": [2, 17, 18, 40]},
}
kernel.adopt(suppose, suppose_players)


@njit(cache=True)
def decide(rules_, table_, secret_, seats_, seed, game, kind, seat, plays, seen):
    """Build all Views from the secret, keep the seat's own in `seen`, and let it decide.

    `plays` holds the (seat, position) of all cards of the round so far.
    """
    rules, table, secret, seats = rules_[0], table_[0], secret_[0], seats_[0]
    stream = game_stream(seed, game)
    draw_words(rules, table, secret, stream)
    for maker in range(rules.players):
        take_up(rules, secret, seats.views[U64(maker)], U64(maker))
    view = seats.views[U64(seat)]
    if kind == BEFORE_PLAY:
        seen[0] = view
        arrange(rules, table, view, decision_word(stream, table.round, 0, seat))
        lay_out(rules, secret, view, U64(seat))
        bid(rules, table, view, decision_word(stream, table.round, 1, seat))
        return 0
    for number in range(rules.players):
        if seats.views[U64(number)].looks:
            look(rules, secret, seats.views[U64(number)])
    return see_and_play(rules, table, secret, seats, stream, seat, plays, seen)


@njit
def see_and_play(rules, table, secret, seats, stream, seat, plays, seen):
    trick = open_trick(rules, table)
    place = 0
    for number in range(plays.shape[0]):
        owner, position = plays[number, 0], plays[number, 1]
        card = np.int64(secret.layouts[owner, position])
        show(rules, seats, owner, U64(position), card)
        place = number % rules.players
        best = trick[0]
        if place == 0 or ((best ^ card) < RANKS and card > best):
            trick = (card, owner, trick[2], trick[3])
    place = plays.shape[0] % rules.players
    seen[0] = seats.views[U64(seat)]
    take_turn(rules, table, secret, seats, trick, seat, place, stream)
    return np.int64(table.positions[table.trick, place])


class Moment:
    """A seat's decision in a real game: what the table shows, what is secret, and what the seat did."""

    def __init__(self, seating, kept, rules, game, number, kind, seat, count):
        tables, secrets = kept
        self.rules, self.game, self.kind, self.seat = rules, game, kind, seat
        self.players, self.tricks = int(rules["players"][0]), int(rules["tricks"][0])
        after, self.secret = tables[game, number], secrets[game, number : number + 1].copy()
        self.plays = self._plays(after)[: count if kind == PLAY else 0]
        self.did = self._plays(after)[count][1] if kind == PLAY else None
        before = tables[game, number - 1 : number] if number else np.zeros(1, tables.dtype)
        self.table = self._table(before, after, number)
        self.seats = seating.seats.copy()
        for owner, view in enumerate(self.seats["views"][0]):  # what stays in a View is overwritten by the next round
            for name in view.dtype.names:
                if name not in ("player", "options", "looks", "seat"):
                    view[name] = 0
            if kind == PLAY:
                view["guesses"] = self.secret["guesses"][0, owner]

    def _plays(self, after):
        plays, leader = [], int(after["start"])
        for trick in range(self.tricks):
            plays += [
                ((leader + place) % self.players, int(after["positions"][trick, place]))
                for place in range(self.players)
            ]
            leader = int(after["winners"][trick])
        return plays

    def _table(self, before, after, number):
        table = np.zeros(1, before.dtype)
        done = len(self.plays) // self.players
        table["round"], table["start"], table["trick"], table["looking"] = number, after["start"], done, 1
        table["leader"] = after["winners"][done - 1] if done else after["start"]
        table["scores"], table["won_from_place"] = before["scores"], before["won_from_place"]
        for trick in range(done):
            table["tricks_won"][0, after["winners"][trick]] += 1
        rows = [list(range(self.tricks)) for _ in range(self.players)]
        for owner, position in self.plays:
            rows[owner][rows[owner].index(position)] = rows[owner][-1]
            rows[owner].pop()
        for owner, row in enumerate(rows):
            table["unplayed"][0, owner, : len(row)] = row
        return table

    def hidden(self):
        """Return the (owner, position) of all cards that the seat doesn't know."""
        left, played, hidden = (self.seat + 1) % self.players, set(self.plays), []
        for owner in range(self.players):
            for position in range(self.tricks):
                faces_owner = self.rules["visible"][0, position] == 1
                known = owner == left or faces_owner == (owner == self.seat) or (owner, position) in played
                known = owner == left if self.kind == BEFORE_PLAY else known  # the cards that it arranges
                if not known:
                    hidden.append((owner, position))
        return hidden

    def with_secret(self, layouts, guesses):
        """Return the secret with other hands and bids."""
        secret = self.secret.copy()
        secret["layouts"][0, : self.players, : self.tricks] = layouts
        secret["guesses"] = guesses
        places = {}
        for place in range(int(self.rules["deck_size"][0]) - 1, -1, -1):
            places.setdefault(int(self.rules["cards"][0, place]), []).append(place)
        for maker in range(self.players):
            hand = layouts[(maker + 1) % self.players]
            secret["deck"][0, maker * self.tricks : (maker + 1) * self.tricks] = [places[card].pop() for card in hand]
        undealt = [place for rest in places.values() for place in rest]
        secret["deck"][0, self.players * self.tricks : int(self.rules["deck_size"][0])] = undealt
        return secret

    def decide(self, secret, decider):
        """Return (the seat's View as bytes, its decision) if this is the secret."""
        table, seats, secret = self.table.copy(), self.seats.copy(), secret.copy()
        if self.kind == PLAY:
            seats["views"]["guesses"][0, self.seat] = self.secret["guesses"][0, self.seat]
        seen = np.zeros(1, suppose.VIEW)
        plays = np.array(self.plays, np.int64).reshape(-1, 2)
        answer = decider(self.rules, table, secret, seats, U64(SEED), U64(self.game), self.kind, self.seat, plays, seen)
        view = seats["views"][0, self.seat]
        if self.kind == PLAY:
            return seen.tobytes(), answer
        groups = int(view["colours"]).bit_count()
        return seen.tobytes(), (*view["order"][:groups].tolist(), *view["guesses"].tolist())


def is_laid_out(hand) -> bool:
    """Tell whether a hand stands in groups of falling ranks."""
    colours = [card // RANKS for card in hand]
    groups = 1 + sum(one != other for one, other in pairwise(colours))
    falling = all(one >= other or one // RANKS != other // RANKS for one, other in pairwise(hand))
    return falling and groups == len(set(colours))


def shuffled(moment: Moment, source: random.Random):
    """Return hands and bids that the seat cannot tell from the real ones: hidden cards change places, step by step."""
    size, hidden = moment.tricks, moment.hidden()
    layouts = moment.secret["layouts"][0, : moment.players, :size].tolist()
    deck = moment.rules["cards"][0, : int(moment.rules["deck_size"][0])].tolist()
    undealt = list(deck)
    for hand in layouts:
        for card in hand:
            undealt.remove(card)
    slots = hidden + [(-1, number) for number in range(len(undealt))]
    hands = {owner: hand for owner, hand in enumerate(layouts)} | {-1: undealt}
    for _ in range(100 if slots else 0):
        (one, i), (other, j) = source.choice(slots), source.choice(slots)
        hands[one][i], hands[other][j] = hands[other][j], hands[one][i]
        if not all(owner < 0 or is_laid_out(hands[owner]) for owner in (one, other)):
            hands[one][i], hands[other][j] = hands[other][j], hands[one][i]
    guesses = moment.secret["guesses"][0].copy()
    for maker in range(moment.players):
        if maker != moment.seat or moment.kind == BEFORE_PLAY:
            guesses[maker] = sorted(source.sample(range(size + 1), 2))
    return layouts, guesses


def moments(name: str, settings: dict, source: random.Random, count: int):
    """Yield decisions of one player in real games, against all players."""
    variant = make_variant(GAME, settings=settings)
    names = (sorted(PLAYERS) * 2)[: variant.parameters.players]
    names[0] = name
    seating = Seating(Arm(variant, tuple(seated(player, PLAYERS, "test") for player in names)))
    kept = seating.play(SEED, 0, GAMES, keep=True)[1:]
    players, size = variant.parameters.players, variant.parameters.hand.size
    made = 0
    while made < count:
        game, number = source.randrange(GAMES), source.randrange(variant.parameters.rounds)
        place = source.randrange(players * size)
        kind = BEFORE_PLAY if source.random() < 0.25 else PLAY
        probe = Moment(seating, kept, seating.rules, game, number, kind, 0, place)
        if kind == PLAY:
            probe.seat = probe._plays(kept[0][game, number])[place][0]
            if names[probe.seat] != name:
                continue
        made += 1
        yield probe


def check(moment: Moment, source: random.Random, decider=decide) -> bool:
    """Assert that a decision doesn't depend on what its seat can't see; return whether anything was shuffled."""
    real = moment.with_secret(moment.secret["layouts"][0, : moment.players, : moment.tricks].tolist(),
                              moment.secret["guesses"][0])  # fmt: skip
    layouts, guesses = shuffled(moment, source)
    seen, answer = moment.decide(real, decider)
    if moment.did is not None and decider is decide:
        assert answer == moment.did  # so that positions, streams and words are those of the game
    seen_again, same = moment.decide(moment.with_secret(layouts, guesses), decider)
    assert seen == seen_again, "the View holds what its seat can't see"
    assert answer == same, "the decision depends on what its seat can't see"
    return layouts != real["layouts"][0, : moment.players, : moment.tricks].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PLAYERS))
@pytest.mark.parametrize("variant", VARIANTS)
def test_decisions_depend_on_nothing_hidden(name: str, variant: str) -> None:
    source = random.Random(f"{name} {variant}")
    count = -(-SHUFFLES // (len(PLAYERS) * len(VARIANTS)))
    changed = sum(check(moment, source) for moment in moments(name, VARIANTS[variant], source, count))
    assert changed > 0.6 * count  # with few cards left there may be nothing to shuffle


@njit
def decide_by_peeking(rules_, table_, secret_, seats_, seed, game, kind, seat, plays, seen):
    """As `decide`, by a player that was handed the secret: it plays the highest card that it holds."""
    decide(rules_, table_, secret_, seats_, seed, game, kind, seat, plays, seen)
    best = -1
    for position in range(rules_[0].tricks):
        best = max(best, np.int64(secret_[0].layouts[seat, position]) % RANKS)
    return best


@njit
def decide_with_a_leak(rules_, table_, secret_, seats_, seed, game, kind, seat, plays, seen):
    """As `decide`, by a kernel that shows a seat one of its hidden cards."""
    answer = decide(rules_, table_, secret_, seats_, seed, game, kind, seat, plays, seen)
    seen[0].known[seat, 1] = secret_[0].layouts[seat, 1]
    return answer


@pytest.mark.parametrize(
    ("decider", "message"), [(decide_by_peeking, "decision depends"), (decide_with_a_leak, "View holds")]
)
def test_a_leak_would_be_noticed(decider, message: str) -> None:
    source = random.Random(1)
    with pytest.raises(AssertionError, match=message):
        for moment in moments("greedy", {}, source, 100):
            if moment.kind == PLAY:
                check(moment, source, decider)


def test_players_are_handed_no_secret() -> None:
    for stub, functions in hooks.CHOICES.items():
        if stub in (arrange, bid, suppose.play):
            for function in functions.values():
                assert set(inspect.signature(function).parameters) <= {"rules", "table", "view", "trick", "word"}


def test_a_view_has_no_layouts_to_read() -> None:
    @njit
    def cheat(seats_):
        return seats_[0].views[0].layouts[0, 0]

    with pytest.raises((TypingError, KeyError), match="layouts"):
        cheat(np.zeros(1, suppose.SEATED))
