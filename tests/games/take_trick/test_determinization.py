"""Take-Trick's determinization against plain enumeration of deals, and tricks resumed in the middle of settlement."""

import os
import random
from collections import Counter
from itertools import chain, combinations, permutations
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from numba import njit
from scipy.stats import chisquare

from simlib import play
from simlib.cards import card as code_of
from simlib.games import game_named, make_variant
from simlib.games.take_trick import rules
from simlib.games.take_trick.determinization import HANDS, imagine, prepare
from simlib.games.take_trick.parameters import LETTERS
from simlib.games.take_trick.rules import LEFT, OFFER, PASS, PLAY, RIGHT
from simlib.hooks import CHOICES
from simlib.streams import U64, game_stream

GAME = game_named("take_trick")
NUMBERS = play.player_numbers(GAME.module("players"))
STUBS = (rules.pass_cards, rules.play, rules.offer, rules.answer)
UNTOUCHED = 65535

play.adopt(rules, GAME.module("players"))


def card(text):
    return code_of(LETTERS.index(text[0]), int(text[1:]))


def stream_of(seed):
    with np.errstate(over="ignore"):
        return game_stream(U64(seed), U64(0))


@njit
def fill(rules_, table_, seats_, me, secret_, imagined_, stream, first, hands):
    """Put the hands of samples number `first` and on into `hands`, (samples, seats, cards) uint16."""
    scratch_ = np.zeros(1, HANDS)
    scratch, view, seats = scratch_[0], seats_[0].views[me], imagined_[0]
    prepare(rules_[0], table_[0], view, scratch)
    for sample in range(hands.shape[0]):
        for seat in range(hands.shape[1]):
            for place in range(hands.shape[2]):
                seats.views[seat].hand[place] = UNTOUCHED
        imagine(rules_[0], table_[0], view, scratch, secret_[0], seats, stream, U64(first + sample))
        for seat in range(hands.shape[1]):
            for place in range(hands.shape[2]):
                hands[sample, seat, place] = seats.views[seat].hand[place]


class Plain:
    """A record of the kernel as an object for plain Python; it writes into the record's array."""

    def __init__(self, record):
        nested = {name: record[name] for name in record.dtype.names if record.dtype[name].base.names}
        plain = {name: [Plain(each) for each in records] for name, records in nested.items()}
        self.__dict__.update(plain, _record=record)

    def __getattr__(self, name):
        return self._record[name]

    def __setattr__(self, name, value):
        self._record[name] = value


class Moment(SimpleNamespace):
    """A decision of the seat `me`: `rules`, `table`, `seats` are (1,) arrays."""

    def samples(self, count, stream=None, first=0):
        shape = (count, int(self.rules["players"][0]), int(self.rules["tricks"][0]) + 1)
        hands = np.zeros(shape, np.uint16)
        secret, imagined = np.zeros(1, rules.SECRET), np.zeros(1, rules.SEATED)
        stream = stream or stream_of(9)
        fill(self.rules, self.table, self.seats, self.me, secret, imagined, stream, first, hands)
        return hands


# ---- against enumeration of all deals ------------------------------------------------------------------------------

DECKS = {
    "few ranks": [[4, 3, 2], [2, 2, 1]],
    "many copies": [[6, 4], [3, 1]],
    "all different": [[1] * 7, [1] * 7],
    "one card": [[14]],
    "no stock": [[3, 2], [3, 1]],
}


class Observed:
    """What seat 0 sees of a round that was played at random, up to a moment, and what that says by enumeration."""

    def __init__(self, seed, deck, players, size, tricks, places, step):
        self.rng = random.Random(seed)
        self.players, self.size, self.step, self.tricks = players, size, step, tricks
        self.deck = [code for code, copies in _copies(DECKS[deck]).items() for _ in range(copies)]
        self.copies = DECKS[deck]
        self.rng.shuffle(self.deck)
        cuts = [self.deck[seat * size : (seat + 1) * size] for seat in range(players + 1)]
        self.hands, self.first = cuts[:players], self.deck[players * size : players * size + players]
        self.dealt, self.passed, self.received = list(self.hands[0]), None, None
        self.played, self.leaders = [], [self.rng.randrange(players)]
        if step != PASS:
            self._pass()
            for _ in range(tricks):
                self._trick(players)
            if step == PLAY:
                self.leaders[-1] = -places % players
                self._trick(places)

    def _pass(self):
        gives = [self.rng.sample(hand, 2) for hand in self.hands]  # labels don't matter to what is seen
        for hand, pair in zip(self.hands, gives, strict=True):
            for code in pair:
                hand.remove(code)
        for seat in range(self.players):
            self.hands[seat] += [gives[(seat + 1) % self.players][RIGHT], gives[seat - 1][LEFT]]
        self.passed, self.received = gives[0], (gives[1][RIGHT], gives[-1][LEFT])

    def _trick(self, places):
        trick = {}
        for place in range(places):
            seat = (self.leaders[-1] + place) % self.players
            self.rng.shuffle(self.hands[seat])
            trick[seat] = self.hands[seat].pop()
        self.played.append(trick)
        self.leaders.append(self.rng.randrange(self.players))  # whoever wins tells nothing of hands

    def times_played(self, side):
        seat = 1 if side == LEFT else self.players - 1
        return sum(trick.get(seat) == self.passed[side] for trick in self.played)

    def moment(self):
        """Return the same as records."""
        settings = {
            "players": self.players, "hand.size": self.size, "deck.colours": len(self.copies),
            "deck.ranks": len(self.copies[0]), "trump.ranks": [1],
            "deck.copies": dict(zip(LETTERS, self.copies, strict=False)),
        }  # fmt: skip
        array = rules.rules_array(make_variant(GAME, settings=settings).parameters)
        tables, seats = np.zeros(1, rules.TABLE), np.zeros(1, rules.SEATED)
        table, view = tables[0], seats["views"][0, 0]
        table["looking"], table["step"], table["start"] = 1, self.step, self.leaders[0]
        table["unseen"] = array["copies"][0]
        seen = [*self.first, *(code for trick in self.played for code in trick.values())]
        np.subtract.at(table["unseen"], seen, 1)
        table["unseen_cards"] = table["unseen"].sum()
        for number, trick in enumerate(self.played):
            for seat, code in trick.items():
                table["cards"][number, (seat - self.leaders[number]) % self.players] = code
        ended = len(self.played) - (self.step == PLAY)
        table["winners"][:ended] = self.leaders[1 : ended + 1]
        table["trick"] = ended - (self.step == OFFER)
        table["led"] = self.leaders[table["trick"]]
        table["leader"] = self.leaders[len(self.played) - (self.step == PLAY)]
        view["looks"], view["passed"] = 1, self.passed or rules.NO_CARD
        view["hand"][: len(self.hands[0])] = self.hands[0]
        return Moment(rules=array, table=tables, seats=seats, me=0)

    def posterior(self):
        """Return {hands of the other seats: chance}, from all deals of labelled cards and all choices."""
        unseen = list((Counter(self.deck) - Counter(self.dealt) - Counter(self.first)).elements())
        weights = Counter()
        for deal in _deals(tuple(range(len(unseen))), self.players - 1, self.size):
            hands = [[unseen[label] for label in hand] for hand in deal]
            for after in self._passes(hands):
                ways, left = self._plays(after)
                if ways:
                    weights[tuple(tuple(sorted(hand)) for hand in left)] += ways
        total = sum(weights.values())
        return {hands: ways / total for hands, ways in weights.items()}

    def _passes(self, hands):
        """Yield the other seats' hands after each way to pass that agrees with what seat 0 passed and was passed."""
        if self.passed is None:
            yield hands
            return
        pairs = [[(hand[a], hand[b]) for a, b in permutations(range(self.size), 2)] for hand in hands]
        for gives in _product(pairs, self.received):
            gives = [tuple(self.passed), *gives]
            yield [
                [*_without(hand, gives[seat]), gives[(seat + 1) % self.players][RIGHT], gives[seat - 1][LEFT]]
                for seat, hand in enumerate(hands, start=1)
            ]

    def _plays(self, hands):
        """Return in how many ways labelled cards can be played as seen, and what is left of the hands."""
        ways = 1
        for trick in self.played:
            for seat, code in trick.items():
                if seat:
                    hand = hands[seat - 1]
                    ways *= hand.count(code)
                    if not ways:
                        return 0, hands
                    hand.remove(code)
        return ways, hands


def _copies(rows):
    return {rules.cards.RANKS * c + r: copies for c, row in enumerate(rows) for r, copies in enumerate(row)}


def _deals(labels, seats, size):
    if not seats:
        yield []
        return
    for hand in combinations(labels, size):
        rest = tuple(label for label in labels if label not in hand)
        for others in _deals(rest, seats - 1, size):
            yield [hand, *others]


def _product(pairs, received):
    """Yield what the other seats pass, if the first of them passes received[0] right and the last received[1] left."""
    first = [pair for pair in pairs[0] if pair[RIGHT] == received[0]]
    last = [pair for pair in pairs[-1] if pair[LEFT] == received[1]]
    middle = pairs[1:-1] or [[None]]
    for one in first:
        for two in middle[0]:
            for three in last:
                yield [one, three] if two is None else [one, two, three]


def _without(hand, pair):
    left = list(hand)
    for code in pair:
        left.remove(code)
    return left


def found(observed, wanted):
    """Return the first round, by seed, that has what is wanted of it."""
    for seed in range(10_000):
        made = Observed(seed, *observed)
        if wanted is None or wanted(made):
            return made
    raise AssertionError("no such round")


def same(made):
    return made.passed[LEFT] == made.passed[RIGHT]


def plays(left, right):
    return lambda made: (made.times_played(LEFT), made.times_played(RIGHT)) == (left, right)


def same_and_plays(left, right):
    return lambda made: same(made) and plays(left, right)(made)


def differ_and_play(left, right):
    return lambda made: not same(made) and plays(left, right)(made)


def last_to_right(made):
    return (made.passed[LEFT], made.passed[RIGHT]) == (min(made.deck), max(made.deck))


MOMENTS = {  # (deck, seats, cards in a hand, whole tricks, cards in the next one, step), what is wanted
    "before passing": (("few ranks", 3, 3, 0, 0, PASS), None),
    "before passing, four seats": (("many copies", 4, 2, 0, 0, PASS), None),
    "leading the first trick": (("few ranks", 3, 3, 0, 0, PLAY), None),
    "the same card to both, nothing played": (("many copies", 3, 3, 0, 0, PLAY), same),
    "in the first trick": (("few ranks", 3, 3, 0, 2, PLAY), plays(0, 1)),
    "left has played one": (("many copies", 3, 4, 1, 1, PLAY), differ_and_play(1, 0)),
    "right has played one": (("many copies", 3, 3, 1, 0, PLAY), differ_and_play(0, 1)),
    "both have played one": (("many copies", 3, 4, 2, 0, PLAY), differ_and_play(1, 1)),
    "left has played two": (("many copies", 3, 4, 2, 1, PLAY), differ_and_play(2, 0)),
    "same, left has played one": (("many copies", 3, 4, 1, 0, PLAY), same_and_plays(1, 0)),
    "same, right has played two": (("many copies", 3, 4, 2, 0, PLAY), same_and_plays(0, 2)),
    "same, both have played one": (("many copies", 3, 3, 1, 0, PLAY), same_and_plays(1, 1)),
    "same, both have played, four seats": (("many copies", 4, 2, 1, 0, PLAY), same_and_plays(1, 1)),
    "same, played by one of four seats": (("many copies", 4, 2, 0, 3, PLAY), same_and_plays(0, 1)),
    "at an offer": (("few ranks", 3, 3, 1, 0, OFFER), plays(1, 0)),
    "at an offer, same": (("many copies", 3, 4, 2, 0, OFFER), same_and_plays(1, 1)),
    "at an offer, four seats": (("few ranks", 4, 2, 1, 0, OFFER), plays(0, 1)),
    "no copies": (("all different", 3, 3, 1, 1, PLAY), plays(0, 1)),
    "the last card of the deck to the right": (("few ranks", 3, 3, 0, 0, PLAY), last_to_right),
    "only stock is left": (("many copies", 3, 2, 2, 0, OFFER), None),
    "one card is left": (("no stock", 3, 2, 1, 1, PLAY), plays(1, 1)),
    "one card is left, the one passed": (("no stock", 3, 2, 1, 1, PLAY), plays(0, 1)),
    "nothing is left": (("no stock", 3, 2, 2, 0, OFFER), plays(1, 1)),
    "one card only": (("one card", 3, 3, 1, 2, PLAY), None),
}


@pytest.mark.kernel
@pytest.mark.slow
@pytest.mark.parametrize("name", MOMENTS)
def test_samples_are_as_likely_as_by_enumeration(name):
    observed = found(*MOMENTS[name])
    chances, hands = observed.posterior(), observed.moment().samples(200_000)
    assert (hands[:, 0] == hands[0, 0]).all()
    sizes = [len(hand) for hand in next(iter(chances))]
    ordered = [np.sort(hands[:, seat, :size], axis=1) for seat, size in enumerate(sizes, start=1)]
    assert_chances(np.hstack(ordered), {sum(key, ()): chance for key, chance in chances.items()})


@pytest.mark.kernel
@pytest.mark.slow
@pytest.mark.parametrize("name", ["same, left has played one", "right has played one", "at an offer, same"])
def test_a_passed_card_is_anywhere_in_the_hand(name):
    observed = found(*MOMENTS[name])
    hands, chances = observed.moment().samples(200_000), Counter()
    for (left, right), chance in observed.posterior().items():
        orders = [one + two for one in permutations(left) for two in permutations(right)]
        for order in orders:
            chances[order] += chance / len(orders)
    size = len(left)
    assert_chances(np.hstack([hands[:, 1, :size], hands[:, 2, :size]]), chances)


def assert_chances(rows, chances):
    """Assert by chi-square that rows of cards come as often as they should; rare ones are put together."""
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    counted = {tuple(map(int, kind)): count for kind, count in zip(kinds, counts, strict=True)}
    assert counted.keys() <= chances.keys()
    seen, wanted, rest = [], [], np.zeros(2)
    for key, chance in chances.items():
        pair = (counted.get(key, 0), chance * len(rows))
        if pair[1] < 10:
            rest += pair
        else:
            seen.append(pair[0])
            wanted.append(pair[1])
    if rest[1]:
        seen.append(rest[0])
        wanted.append(rest[1])
    assert sum(wanted) == pytest.approx(len(rows))
    assert len(seen) == 1 or chisquare(seen, wanted).pvalue >= 1e-4


# ---- real games ----------------------------------------------------------------------------------------------------


class Played:
    """A game played by the kernel's functions as plain Python, with all decisions and the tables after each trick."""

    def __init__(self, variant, kinds, seed=1):
        self.array = rules.rules_array(variant.parameters)
        self.tables, self.secrets = np.zeros(1, rules.TABLE), np.zeros(1, rules.SECRET)
        self.all_seats = np.zeros(1, rules.SEATED)
        self.rules, self.table, self.secret, self.seats = (
            Plain(array[0]) for array in (self.array, self.tables, self.secrets, self.all_seats)
        )
        self.kinds, self.stream, self.decisions = kinds, stream_of(seed), []
        self.table.looking = 1
        for seat, kind in enumerate(kinds):
            view = self.seats.views[seat]
            view.seat, view.looks, view.player = seat, 1, NUMBERS[kind]
        choices = {stub.__name__: self._chosen(stub) for stub in STUBS}
        with np.errstate(over="ignore"), mock.patch.multiple(rules, **choices):
            self._play()

    def _chosen(self, stub):
        def choose(rules_, table, view, *rest):
            made = Moment(kind=stub.__name__, me=int(view.seat), rest=rest[:-1], after=None, **self.copies())
            made.cards = [self.cards_of(seat) for seat in range(len(self.kinds))]
            self.decisions.append(made)
            made.choice = CHOICES[stub][self.kinds[view.seat]](rules_, table, view, *rest)
            return made.choice

        return choose

    def copies(self):
        names = ("rules", "table", "secret", "seats")
        arrays = (self.array, self.tables, self.secrets, self.all_seats)
        return {name: array.copy() for name, array in zip(names, arrays, strict=True)}

    def cards_of(self, seat):
        """Return a seat's hand, whose size is counted by what was played."""
        return [int(code) for code in self.seats.views[seat].hand[: self.rules.tricks - self.plays[seat]]]

    def _play(self):
        rules.open_game(self.rules, self.table, self.secret, self.seats)
        while not self.table.over:
            self.plays = [0] * len(self.kinds)
            rules.open_round(self.rules, self.table, self.secret, self.seats, self.stream)
            for number in range(self.rules.tricks):
                self.table.trick = number
                self._trick()
                if self.table.over:
                    break
            rules.score_round(self.rules, self.table, self.secret)

    def _trick(self):
        first, trick, seat = len(self.decisions), rules.open_trick(self.rules, self.table), self.table.leader
        for place in range(len(self.kinds)):
            trick = rules.take_turn(self.rules, self.table, self.secret, self.seats, trick, seat, place, self.stream)
            self.plays[seat] += 1
            seat = (seat + 1) % len(self.kinds)
        rules.close_trick(self.rules, self.table, self.secret, self.seats, trick, self.stream)
        after = self.copies()
        for decision in self.decisions[first:]:
            decision.after = after


ONE_ROUND = {"rounds.max": 1}
VARIANTS = {
    "classic 3": {"players": 3},
    "classic 4": {"players": 4},
    "classic 5": {"players": 5},
    "classic 6": {"players": 6},
    "nine 3": {"players": 3, "deck.preset": "nine"},
    "nine 4": {"players": 4, "deck.preset": "nine"},
    "nine 5": {"players": 5, "deck.preset": "nine"},
    "nine 6": {"players": 6, "deck.preset": "nine"},
    "one colour each": {"players": 4, "colours.max": 1, "gift.points": 3, "score.target": 9},
    "the giver pays": {"players": 5, "colours.max": 1, "gift.penalty_falls_on": "giver", "gift.penalty": 2},
    "forfeits": {"players": 3, "colours.max": 1, "gift.extra": "forfeit", "trump.ranks": [1, 2]},
    "one card each": {"players": 3, "hand.size": 1, "rounds.max": 9},
    "two cards each": {"players": 6, "hand.size": 2, "rounds.max": 4},
    "no stock": {"players": 3, "hand.size": 18} | ONE_ROUND,
    "equal cards": {"players": 4, "deck.ranks": 1, "deck.copies": 20} | ONE_ROUND,
    "all different": {"players": 4, "deck.copies": 1, "deck.ranks": 20} | ONE_ROUND,
    "256 cards": {"players": 3, "hand.size": 85, "deck.colours": 16, "deck.ranks": 2, "deck.copies": 8} | ONE_ROUND,
}


def played(name, seed=1):
    variant = make_variant(GAME, settings=VARIANTS[name])
    kinds = [("random", "greedy")[(seat + seed) % 2] for seat in range(variant.parameters.players)]
    return Played(variant, kinds, seed)


@njit
def inconsistent(hands, own, sizes, left, me, passed, must):
    """Return how many samples can't be: `left` are the copies that hands and stock have."""
    bad, players = 0, len(sizes)
    for sample in range(hands.shape[0]):
        fine, counts = True, left.copy()
        for seat in range(players):
            for place in range(hands.shape[2]):
                code = hands[sample, seat, place]
                if place >= sizes[seat]:
                    fine &= code == UNTOUCHED
                else:
                    fine &= code < len(counts) and (seat != me or code == own[place])
                    counts[code if code < len(counts) else 0] -= 1
        for side in range(2):
            if must[side]:
                seat = (me + (1 if side == 0 else players - 1)) % players
                fine &= (hands[sample, seat, : sizes[seat]] == passed[side]).any()
        bad += not (fine and counts.min() >= 0)
    return bad


def check(moment, count):
    """Return how many of `count` samples of a moment of a real game are inconsistent with it."""
    table, view = moment.table[0], moment.seats["views"][0, moment.me]
    sizes = np.array([len(hand) for hand in moment.cards])
    players, number = len(sizes), int(table["trick"])
    left, turns = moment.rules["copies"][0].astype(np.int64), {seat: [] for seat in range(players)}
    leaders = [table["start"], *table["winners"][:number]]
    for trick in range(number + 1):
        for place in range(players):
            seat = (int(leaders[trick]) + place) % players
            if len(turns[seat]) < moment.rules["tricks"][0] - sizes[seat]:
                turns[seat].append(int(table["cards"][trick, place]))
    for code in [*table["first"][:players], *chain(*turns.values())]:
        left[code] -= code != rules.SHINING
    passed = [int(code) for code in view["passed"]]
    neighbours = ((moment.me + 1) % players, (moment.me - 1) % players)
    must = [code >= 0 and code not in turns[seat] for code, seat in zip(passed, neighbours, strict=True)]
    own = np.array([*moment.cards[moment.me], 0], np.uint16)
    return inconsistent(moment.samples(count), own, sizes, left, moment.me, np.array(passed), np.array(must))


@pytest.mark.kernel
@pytest.mark.slow
def test_samples_are_consistent_with_real_games():
    wanted = int(os.environ.get("SAMPLES", "20000"))
    moments = [moment for name in VARIANTS for moment in played(name).decisions]
    assert {moment.kind for moment in moments} == {stub.__name__ for stub in STUBS}
    each = -(-wanted // len(moments))
    assert sum(check(moment, each) for moment in moments) == 0


@pytest.mark.kernel
def test_a_sample_depends_on_its_number_alone():
    moment = played("classic 4").decisions[30]
    hands = moment.samples(40)
    assert (moment.samples(40) == hands).all()
    assert (moment.samples(1, first=29)[0] == hands[29]).all()
    assert (moment.samples(40, stream_of(10)) != hands).any()
    assert len(np.unique(hands.reshape(40, -1), axis=0)) == 40


@pytest.mark.kernel
def test_samples_are_the_same_as_plain_python():
    for moment in played("one colour each").decisions[::7]:
        hands = moment.samples(3)
        record, table, secret, seats, imagined, scratch = (
            Plain(array[0])
            for array in (
                moment.rules, moment.table, moment.secret, moment.seats,
                np.zeros(1, rules.SEATED), np.zeros(1, HANDS),
            )
        )  # fmt: skip
        with np.errstate(over="ignore"):
            prepare(record, table, seats.views[moment.me], scratch)
            for number in range(3):
                imagine(record, table, seats.views[moment.me], scratch, secret, imagined, stream_of(9), U64(number))
                for seat, cards in enumerate(moment.cards):
                    plain = imagined.views[seat].hand[: len(cards)]
                    assert (plain == hands[number, seat, : len(cards)]).all()


def test_seats_know_what_they_passed():
    game = played("nine 5")
    for decision in game.decisions:
        gives, hands = decision.secret["gives"][0], decision.secret["deck"][0].reshape(1, -1)[0]
        size, me = int(decision.rules["tricks"][0]), decision.me
        dealt = decision.rules["cards"][0][hands[me * size : (me + 1) * size]]
        wanted = [rules.NO_CARD] * 2 if decision.kind == "pass_cards" else dealt[gives[me]].tolist()
        assert decision.seats["views"][0, me]["passed"].tolist() == wanted


# ---- settlement that is resumed ------------------------------------------------------------------------------------


@njit
def resume_pass(rules_, table_, secret_, seats_, chooser, left, right, stream):
    """Play on from a pass."""
    rules.resume_pass(rules_[0], table_[0], secret_[0], seats_[0], chooser, left, right, stream)


@pytest.mark.kernel
@pytest.mark.slow
def test_a_resumed_pass_ends_as_it_did():
    for game in map(played, ["classic 4", "nine 6", "two cards each"]):
        for first, decision in enumerate(game.decisions):
            if decision.kind == "pass_cards":
                after = next(each for each in game.decisions[first:] if each.kind == "play")
                state = [array.copy() for array in (decision.table, decision.secret, decision.seats)]
                resume_pass(
                    decision.rules, *state, decision.me, *after.secret["gives"][0, decision.me].tolist(), game.stream
                )
                assert state[0].tobytes() == after.table.tobytes()
                assert state[1].tobytes() == after.secret.tobytes()
                for field in ("hand", "passed", "gives"):
                    assert (state[2]["views"][field] == after.seats["views"][field]).all()


@njit
def resume(rules_, table_, secret_, seats_, giver, receiver, card, count, choice, stream):
    """Play on from an offer (`receiver` is -1) or an answer."""
    if receiver < 0:
        rules.resume_offer(rules_[0], table_[0], secret_[0], seats_[0], giver, card, count, choice, stream)
    else:
        rules.resume_answer(rules_[0], table_[0], secret_[0], seats_[0], giver, receiver, card, count, choice, stream)


def asked(decision):
    """Return giver, receiver or -1, card and count of an offer or an answer."""
    if decision.kind == "offer":
        return (decision.me, -1, *map(int, decision.rest))
    giver, card, count = map(int, decision.rest)
    return giver, decision.me, card, count


@pytest.mark.kernel
@pytest.mark.slow
def test_a_resumed_trick_ends_as_it_did():
    made = Counter()
    for game in (played(name, seed) for name in VARIANTS if name != "256 cards" for seed in (1, 2)):
        for decision in game.decisions:
            if decision.kind in {"offer", "answer"}:
                made[decision.kind, int(decision.choice)] += 1
                state = [array.copy() for array in (decision.table, decision.secret, decision.seats)]
                resume(decision.rules, *state, *asked(decision), int(decision.choice), game.stream)
                made["ended"] += int(state[0]["over"][0])
                assert state[0].tobytes() == decision.after["table"].tobytes()
                assert state[1].tobytes() == decision.after["secret"].tobytes()
                assert (state[2]["views"]["hand"] == decision.after["seats"]["views"]["hand"]).all()
    assert len(made) == 5 and min(made.values()) > 2, made
