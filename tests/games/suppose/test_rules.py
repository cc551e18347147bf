"""Suppose's rules, clause by clause, on records set by hand: the kernel's functions called as plain Python."""

import numpy as np
import pytest
from by_hand import blank

from simlib import cards
from simlib.games import game_named, make_variant
from simlib.games.suppose import rules as kernel
from simlib.games.suppose.parameters import LETTERS
from simlib.streams import U64

GAME = game_named("suppose")
NONE = kernel.NO_GUESS


def card(text):
    return cards.card(LETTERS.index(text[0]), int(text[1:]))


def text(code):
    return cards.token(int(code), LETTERS)


class Scene:
    """A table of a variant, without streams or players: what seats decide is set by the tests."""

    def __init__(self, **settings):
        variant = make_variant(GAME, settings={name.replace("__", "."): value for name, value in settings.items()})
        self.rules = blank(kernel.RULES, kernel.rules_array(variant.parameters)[0])
        self.table, self.secret, self.seats = (blank(kind) for kind in (kernel.TABLE, kernel.SECRET, kernel.SEATED))
        self.players = variant.parameters.players
        self.row = np.zeros(len(kernel.columns(variant.parameters)), np.int32)

    def play(self, *texts, leader=0):
        """Play a trick, the leader's card first, all from the first position."""
        self.table.leader = leader
        self.table.unplayed[:] = np.arange(kernel.POSITIONS)
        trick = kernel.open_trick(self.rules, self.table)
        for place, played in enumerate(texts):
            seat = (leader + place) % self.players
            self.secret.layouts[seat, 0] = card(played)
            trick = kernel.take_turn(self.rules, self.table, self.secret, self.seats, trick, seat, place, None)
        kernel.close_trick(self.rules, self.table, self.secret, self.seats, trick, None)
        return self

    def score(self, won, bids):
        """Score a round: tricks won, and each seat's guesses."""
        self.table.tricks_won[: len(won)] = won
        self.secret.guesses[: len(bids)] = bids
        kernel.score_round(self.rules, self.table, self.secret)
        kernel.write_round(self.rules, self.table, self.secret, self.row)
        return self.table.scores[: self.players].tolist()


@pytest.fixture
def scene(monkeypatch):
    monkeypatch.setattr(kernel, "play", lambda *_: 0)
    return Scene


# ---- tricks (round, step 4) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("played", "winner"),
    [
        (["R2", "R3", "R5", "R4"], 2),  # the highest of the lead colour
        (["R2", "B6", "G6", "Y6"], 0),  # other colours don't win
        (["Y2", "R6", "B6", "Y3"], 3),
        (["R5", "R6", "R6", "R1"], 1),  # the earliest of equals
        (["R6", "R6", "B1", "R6"], 0),
    ],
)
def test_winner_of_a_trick(scene, played, winner):
    table = scene().play(*played).table
    assert (table.leader, table.winners[0]) == (winner, winner)
    assert table.tricks_won[:4].tolist() == [seat == winner for seat in range(4)]


def test_the_leader_may_sit_anywhere_and_the_winner_leads_next(scene):
    table = scene().play("R2", "B6", "R3", "Y6", leader=3).table
    assert (table.leader, table.winners[0]) == (1, 1)
    assert table.won_from_place[:4].tolist() == [0, 0, 1, 0]


def test_a_position_is_played_once(scene):
    table = scene().table
    table.unplayed[2] = np.arange(kernel.POSITIONS)
    taken = [int(kernel.strike_off(table, U64(2), 0, unplayed)) for unplayed in range(11, 0, -1)]
    assert sorted(taken) == list(range(11))


# ---- hands (round, steps 2 and 3) ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("maker", "holder"), [(0, 1), (2, 3), (3, 0)])
def test_a_hand_stands_in_groups_of_falling_ranks_before_the_makers_left_neighbour(scene, maker, holder):
    laid = scene(hand__size=5)
    deck = [text(code) for code in laid.rules.cards[: laid.rules.deck_size]]
    for number, dealt in enumerate(["Y1", "B3", "R4", "B6", "R5"]):
        laid.secret.deck[5 * maker + number] = deck.index(dealt)
    view = laid.seats.views[maker]
    kernel.take_up(laid.rules, laid.secret, view, U64(maker))
    view.order[:3] = [LETTERS.index(letter) for letter in "BYR"]
    kernel.lay_out(laid.rules, laid.secret, view, U64(maker))
    assert [text(code) for code in laid.secret.layouts[holder, :5]] == ["B6", "B3", "Y1", "R5", "R4"]


# ---- scoring (round, step 5; reading S3) ---------------------------------------------------------------------------


def test_a_bid_is_on_the_left_neighbours_tricks_and_pays_the_bidder(scene):
    assert scene().score([4, 3, 2, 2], [(3, NONE), (1, NONE), (9, NONE), (0, NONE)]) == [9, 3, 2, 2]
    assert scene().score([4, 3, 2, 2], [(9, NONE), (9, NONE), (9, NONE), (4, NONE)]) == [4, 3, 2, 7]


def test_two_guesses_pay_the_double_bonus_if_either_is_right(scene):
    assert scene().score([4, 3, 2, 2], [(0, 3), (2, 5), (0, 1), (5, 6)]) == [6, 5, 2, 2]


def test_no_guess_pays_nothing(scene):
    assert scene(bid__min_guesses=0).score([11, 0, 0, 0], [(NONE, NONE)] * 4) == [11, 0, 0, 0]


def test_payments_are_the_variants(scene):
    paid = scene(bid__single=7, bid__double=3, score__trick=2).score(
        [4, 3, 2, 2], [(3, NONE), (0, 2), (9, NONE), (9, 10)]
    )
    assert paid == [15, 9, 4, 4]


def test_scores_add_up_until_the_last_round_is_played(scene):
    played = scene(rounds=2)
    bids = [(0, NONE)] * 4
    assert (played.score([4, 3, 2, 2], bids), played.table.over) == ([4, 3, 2, 2], 0)
    assert (played.score([0, 0, 11, 0], bids), played.table.over) == ([9, 3, 18, 7], 1)


# ---- the start marker (round, step 6; reading S4) ------------------------------------------------------------------


@pytest.mark.parametrize(("round_", "before", "start"), [(0, 3, 0), (1, 0, 1), (2, 1, 2), (3, 3, 0)])
def test_the_start_marker_goes_to_the_left_neighbour_and_begins_at_seat_0(scene, monkeypatch, round_, before, start):
    for name in ("deal", "draw_words", "take_up", "arrange", "lay_out", "bid"):
        monkeypatch.setattr(kernel, name, lambda *_: None)
    table = (opened := scene()).table
    table.round, table.start = round_, before
    kernel.open_round(opened.rules, table, opened.secret, opened.seats, None)
    assert (table.start, table.leader) == (start, start)
