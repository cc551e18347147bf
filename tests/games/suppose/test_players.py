"""Suppose's players: the same in plain Python as compiled, legal everywhere, and as strong as they are said to be.

In the first part whole games are played in the twin of tests/reference: greedy and chaser decide as plain functions, on
Views that are filled here from what the twin says that a seat knows. The games must be those of the kernel.
"""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from reference import suppose as twin

from simlib.batch import Arm, Seating, columns_of
from simlib.cards import RANKS
from simlib.games import game_named, make_variant
from simlib.games.suppose import records, rules
from simlib.hooks import BLIND, CHOICES, Seated, seated
from simlib.play import player_numbers
from simlib.streams import U64
from simlib.variants import Variant

pytestmark = pytest.mark.kernel
GAME = game_named("suppose")
PLAYERS = GAME.module("players").PLAYERS
BIDDERS = [f"{name}:2" if player.searches else name for name, player in PLAYERS.items() if "bids" in player.options]


def code(card: str) -> int:
    """Return the kernel's number of a card of the twin."""
    return RANKS * twin.LETTERS.index(twin.colour(card)) + twin.rank(card) - 1


@dataclass
class Chooser:
    """Decides for the twin by the players' plain functions."""

    variant: Variant
    players: tuple[Seated, ...]

    def __post_init__(self) -> None:
        self.rules = rules.rules_array(self.variant.parameters).view(np.recarray)[0]
        self.size, self.seats = int(self.rules.tricks), int(self.rules.players)

    def __call__(self, kind: str, seat: int, known: dict) -> Any:
        choice = {"arrange": rules.arrange, "bid": rules.bid, "play": rules.play}[kind]
        function = CHOICES[choice][self.players[seat].name]
        view, table = self.view(seat), self.table(known)
        if kind == "play":
            self.see(view, known)
            pick = function(self.rules, table, view, self.trick(known), U64(0))
            return int(table.unplayed[seat, pick]) + 1
        self.take_up(view, known["dealt"])
        function(self.rules, table, view, U64(0))
        if kind == "arrange":
            groups = len({twin.colour(card) for card in known["dealt"]})
            return [twin.LETTERS[colour] for colour in view.order[:groups]]
        return [int(guess) for guess in view.guesses if guess != rules.NO_GUESS]

    def view(self, seat: int) -> Any:
        """Return the View of a seat that knows nothing yet."""
        view = np.zeros(1, rules.VIEW).view(np.recarray)[0]
        view.player, view.seat = player_numbers(GAME.module("players"))[self.players[seat].name], seat
        view.looks = self.players[seat].depth > BLIND
        view.options[: len(self.players[seat].options)] = self.players[seat].options
        return view

    def table(self, known: dict) -> Any:
        """Return the table as a seat's knowledge describes it."""
        table = np.zeros(1, rules.TABLE).view(np.recarray)[0]
        table.round, table.start = known["round"], known["start"]
        table.scores[: self.seats] = [round(score * self.variant.parameters.unit) for score in known["scores"]]
        rows = [list(range(1, self.size + 1)) for _ in range(self.seats)]
        plays = known.get("plays", [])
        for seat, position, _ in plays:
            twin.take(rows[seat], rows[seat].index(position))
        for seat, row in enumerate(rows):
            table.unplayed[seat, : len(row)] = np.array(row, int) - 1
        table.trick, begun = len(plays) // self.seats, len(plays) - len(plays) % self.seats
        table.leader = known["start"] if begun == 0 else twin.trick_winner(plays[begun - self.seats : begun])
        table.tricks_won[: self.seats] = known.get("tricks_won", [0] * self.seats)
        return table

    def take_up(self, view: Any, dealt: list[str]) -> None:
        """Put the dealt cards into a View."""
        codes = sorted(code(card) for card in dealt)
        view.dealt[: self.size] = codes
        for colour in range(int(self.rules.colours)):
            view.ends[colour] = sum(card // RANKS <= colour for card in codes)
            view.colours |= U64(colour in {card // RANKS for card in codes}) << U64(colour)

    def see(self, view: Any, known: dict) -> None:
        """Put what a seat knows while it plays into its View."""
        view.guesses = ([*known["bid"], rules.NO_GUESS, rules.NO_GUESS])[:2]
        view.unseen = self.rules.copies
        for owner, hand in enumerate(known["hands"]):
            for position, card in enumerate(hand):
                view.known[owner, position] = rules.UNKNOWN if card is None else code(card)
                if card is not None:
                    view.unseen[code(card)] -= 1
        for colour in {code(card) // RANKS for card in known["hands"][view.seat] if card is not None}:
            view.shown |= U64(1) << U64(colour)
        shape, part = (-1, RANKS), np.s_[: int(self.rules.colours), : int(self.rules.ranks)]
        unseen, worth = view.unseen.reshape(shape)[part].astype(int), self.rules.worth.reshape(shape)[part]
        view.unseen_to.reshape(shape)[part] = unseen.cumsum(axis=1)
        view.worth_to.reshape(shape)[part] = (unseen * worth).cumsum(axis=1)

    def trick(self, known: dict) -> tuple[int, int]:
        """Return the best card of the trick so far, and the seat that played it."""
        if not known["trick"]:
            return 0, 0
        best = twin.trick_winner(known["trick"])
        return next(code(card) for seat, _, card in known["trick"] if seat == best), best


def settings_of(source: random.Random) -> dict:
    """Return settings of an odd variant."""
    colours, ranks, copies = source.choice([(4, 6, 2), (1, 24, 2), (16, 4, 1), (3, 1, 16), (6, 32, 1), (7, 5, 3)])
    players = source.choice([3, 4])
    size = source.choice([1, 2, 11, min(20, colours * ranks * copies // players)])
    visible = source.choice([[], range(1, size + 1), source.sample(range(1, size + 1), min(size, 3))])
    return {
        "players": players,
        "deck.colours": colours,
        "deck.ranks": ranks,
        "deck.copies": copies,
        "hand.size": min(size, colours * ranks * copies // players),
        "hand.visible": sorted(p for p in visible if p <= colours * ranks * copies // players),
        "bid.single": source.choice([5, 0, 2.5]),
        "bid.double": source.choice([2, 0, 4]),
        "bid.min_guesses": source.randint(0, 2),
        "score.trick": source.choice([1, 0, 0.25]),
        "rounds": 2,
    }


def arm(settings: dict, names: list[str]) -> Arm:
    """Return an arm of named players."""
    return Arm(make_variant(GAME, settings=settings), tuple(seated(name, PLAYERS, "test") for name in names))


def assert_plain_python_plays_the_same(settings: dict, names: list[str], seed: int, games: int) -> None:
    """Assert that the twin, with plain functions as players, plays the kernel's games."""
    table = arm(settings, names)
    chooser = Chooser(table.variant, table.players)
    _, tables, secrets = Seating(table).play(seed, 0, games, keep=True)
    for game in range(games):
        wanted = twin.play_game(table.variant.parameters.model_dump(), seed, game, names, chooser)
        assert records.result(table.variant, tables[game], secrets[game]) == wanted, (settings, names, game)


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        ["greedy"] * 4,
        ["chaser", "greedy", "random", "greedy"],
        ["chaser:bids=ahead", "chaser", "greedy:first=-1:second=+1"],
        ["greedy:shows=high", "chaser:shows=low", "greedy:shows=low"],
    ],
)
def test_plain_functions_play_the_kernels_classic_games(names: list[str]) -> None:
    assert_plain_python_plays_the_same({"players": len(names)}, names, 11, 25)


@pytest.mark.slow
def test_plain_functions_play_the_kernels_games_of_odd_variants() -> None:
    source = random.Random(2)
    for _ in range(60):
        settings = settings_of(source)
        names = [source.choice(["greedy", "chaser", "greedy:bids=double", "random"]) for _ in range(4)]
        assert_plain_python_plays_the_same(settings, names[: settings["players"]], source.getrandbits(64), 3)


# Options


def bids(settings: dict, names: list[str], games: int = 300) -> dict[str, np.ndarray]:
    """Return the columns of some games by name."""
    table = arm(settings, names)
    rows = Seating(table).play(5, 0, games)[0]
    return dict(zip(columns_of(table.variant), rows.T, strict=True))


def test_trained_weighs_a_hand_that_it_does_not_see_at_all() -> None:
    """What stands for many hidden cards is multiplied by their number: that must not wrap round."""
    assert_plain_python_plays_the_same({"hand.visible": []}, ["trained"] * 4, 11, 10)


@pytest.mark.parametrize("name", sorted(BIDDERS))
@pytest.mark.parametrize(("option", "guesses"), [("single", 1), ("double", 2)])
def test_bids_single_and_double_always_make_as_many_guesses(name: str, option: str, guesses: int) -> None:
    row = bids({"bid.min_guesses": 0, "bid.double": 4.9}, [f"{name}:bids={option}"] * 4)
    assert {int(value) for r in range(4) for s in range(4) for value in row[f"guesses_{r}_{s}"]} == {guesses}


@pytest.mark.parametrize("name", sorted(BIDDERS))
def test_bids_ahead_doubles_only_while_leading_alone(name: str) -> None:
    table = arm({}, [f"{name}:bids=ahead"] * 4)
    rows, tables, _ = Seating(table).play(5, 0, 200, keep=True)
    row = dict(zip(columns_of(table.variant), rows.T, strict=True))
    for number in range(4):
        before = tables["scores"][:, number - 1] if number else np.zeros((200, 4), int)
        for seat in range(4):
            others = np.delete(before, seat, axis=1).max(axis=1)
            assert np.array_equal(row[f"guesses_{number}_{seat}"] == 2, before[:, seat] > others)


@pytest.mark.parametrize("name", ["greedy", "chaser"])
def test_first_and_second_move_the_guesses_within_the_hand(name: str) -> None:
    near = bids({}, [f"{name}:first=+0", *["random"] * 3])
    moved = bids({}, [f"{name}:first=-2", *["random"] * 3])
    both = bids({}, [f"{name}:first=-1:second=+2", *["random"] * 3])
    middle = near["low_0_0"]
    assert np.array_equal(moved["low_0_0"], np.maximum(middle - 2, 0)) and np.all(moved["high_0_0"] == -1)
    assert np.array_equal(both["low_0_0"], np.maximum(middle - 1, 0))
    assert np.array_equal(both["high_0_0"], np.minimum(middle + 2, 11))


@pytest.mark.parametrize("name", ["greedy", "chaser", "trained", "search:2"])
@pytest.mark.parametrize(("wish", "same_as"), [("low", "greedy"), ("high", "chaser")])
def test_shows_arranges_as_greedy_or_chaser_does(name: str, wish: str, same_as: str) -> None:
    hands = {
        who: Seating(arm({"rounds": 1}, [who, *["random"] * 3])).play(5, 0, 50, keep=True)[2]["layouts"][:, 0, 1]
        for who in (f"{name}:shows={wish}", same_as)
    }
    assert np.array_equal(*hands.values())


@pytest.mark.parametrize("aim", ["wins", "points"])
def test_a_search_may_overrule_the_usual_move_whatever_it_aims_at(aim: str) -> None:
    leads = [
        Seating(arm({"rounds": 1}, [name, *["greedy"] * 3])).play(5, 0, 60, keep=True)[1]["positions"][:, 0, 0, 0]
        for name in ("greedy", f"search:40:shows=low:aim={aim}")
    ]
    assert 5 < np.count_nonzero(np.not_equal(*leads)) < 55


@pytest.mark.parametrize("name", ["greedy", "chaser"])
def test_shows_any_takes_each_order_as_often(name: str) -> None:
    table = arm({"rounds": 1}, [f"{name}:shows=any", *["random"] * 3])
    first = Seating(table).play(5, 0, 4000, keep=True)[2]["layouts"][:, 0, 1, 0] // RANKS
    assert np.bincount(first, minlength=4) == pytest.approx([1000] * 4, abs=130)


@pytest.mark.parametrize("name", ["greedy", "chaser"])
def test_two_guesses_are_made_where_they_pay(name: str) -> None:
    assert np.all(bids({}, [name] * 4)["guesses_0_0"] == 1)
    assert np.all(bids({"bid.double": 4.9}, [name] * 4)["guesses_0_0"] == 2)


# Strength


def win_shares(names: list[str], games: int) -> tuple[float, float]:
    """Return the first player's mean share of wins and its standard error, over all places at the table."""
    shares = []
    for seat in range(len(names)):
        row = bids({"players": len(names)}, names[-seat:] + names[:-seat] if seat else names, games)
        wins = np.column_stack([row[f"win_{other}"] for other in range(len(names))])
        shares.append(wins[:, seat] / wins.sum(axis=1))
    share = np.mean(shares, axis=0)  # one value for each deal
    return float(share.mean()), float(share.std() / np.sqrt(games))


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", ["greedy", "chaser"])
def test_a_thinking_player_beats_random_ones(players: int, name: str) -> None:
    share, error = win_shares([name, *["random"] * (players - 1)], 2000)
    assert share - 4 * error > 0.75


@pytest.mark.parametrize("players", [3, 4])
def test_a_chaser_hits_more_often_than_greedy_and_wins_a_fair_share(players: int) -> None:
    names = ["chaser", *["greedy"] * (players - 1)]
    share, error = win_shares(names, 5000)
    assert share > 1 / players - 2 * error
    row = bids({"players": players}, names, 5000)
    hits = [np.mean([row[f"hit_{number}_{seat}"] for number in range(players)]) for seat in range(players)]
    assert hits[0] > max(hits[1:]) + 0.02


def test_search_plays_as_greedy_where_it_has_too_many_colours_to_imagine() -> None:
    settings = {"deck.colours": 9, "deck.ranks": 4, "deck.copies": 2, "hand.size": 11}
    one, other = (Seating(arm(settings, [name, "greedy", "greedy", "greedy"])) for name in ("search:4", "greedy"))
    assert np.array_equal(one.play(5, 0, 20)[0], other.play(5, 0, 20)[0])
