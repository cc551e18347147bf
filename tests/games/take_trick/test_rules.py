"""Take-Trick's rules, clause by clause, on records set by hand: the kernel's functions called as plain Python."""

import random

import numpy as np
import pytest
from by_hand import blank

from simlib import records
from simlib.batch import Arm, Seating, columns_of
from simlib.cards import card as code_of
from simlib.cards import token
from simlib.errors import BadInput
from simlib.games import game_named, make_variant
from simlib.games.take_trick import rules as kernel
from simlib.games.take_trick.parameters import LETTERS
from simlib.hooks import seated
from simlib.streams import GAME_WORDS, U64

GAME = game_named("take_trick")
PLAYERS = GAME.module("players").PLAYERS
LEFT, RIGHT = kernel.LEFT, kernel.RIGHT


def card(text):
    return code_of(LETTERS.index(text[0]), int(text[1:]))


class Scene:
    """A table in the middle of a round; `offers` and `answers` by seat say what seats decide, `asked` lists it."""

    def __init__(self, monkeypatch, players=3, trump=4, **settings):
        named = {name.replace("__", "."): value for name, value in settings.items()}
        self.variant = make_variant(GAME, settings={"players": players} | named)
        self.rules = blank(kernel.RULES, kernel.rules_array(self.variant.parameters)[0])
        self.table, self.secret, self.seats = (blank(kind) for kind in (kernel.TABLE, kernel.SECRET, kernel.SEATED))
        for seat, view in enumerate(self.seats.views):
            view.seat = seat
        self.table.trump = trump - 1
        self.offers, self.answers, self.asked = {}, {}, []
        monkeypatch.setattr(kernel, "decision_word", lambda stream, round_, step, seat: (step, seat))
        monkeypatch.setattr(kernel, "offer", self.offer)
        monkeypatch.setattr(kernel, "answer", self.answer)
        monkeypatch.setattr(kernel, "play", lambda *_: 0)

    def offer(self, rules, table, view, offered, count, word):
        self.asked.append(("offer", view.seat, token(offered, LETTERS), count, *word))
        return self.offers.get(view.seat, LEFT)

    def answer(self, rules, table, view, giver, offered, count, word):
        self.asked.append(("answer", view.seat, giver, token(offered, LETTERS), count, *word))
        return self.answers.get(view.seat, 1)

    def lay(self, *rows):
        """Lay bamboo in front of the seats: one dict a seat, colour letter to count."""
        for seat, row in enumerate(rows):
            for letter, count in row.items():
                kernel.add_bamboo(self.table, seat, card(f"{letter}1"), count)
        return self

    def discard(self, *texts):
        for text in texts:
            kernel.discard(self.table, self.secret, card(text))
        return self

    def play(self, *texts, leader=0):
        """Play a trick, the leader's card first, and settle it."""
        self.table.leader = leader
        trick, players = kernel.open_trick(self.rules, self.table), self.rules.players
        for place, text in enumerate(texts):
            seat = (leader + place) % players
            self.seats.views[seat].hand[0] = card(text)
            trick = kernel.take_turn(self.rules, self.table, self.secret, self.seats, trick, seat, place, None)
        kernel.close_trick(self.rules, self.table, self.secret, self.seats, trick, None)
        return self

    @property
    def bamboo(self):
        """What lies in front of the seats, as `lay` takes it."""
        rows = self.table.bamboo[: self.rules.players]
        return [{LETTERS[colour]: int(count) for colour, count in enumerate(row) if count} for row in rows]

    @property
    def pile(self):
        return [token(int(code), LETTERS) for code in self.secret.pile[: self.table.discards]]

    @property
    def extra(self):
        code = int(self.secret.extra[self.table.trick])
        return None if code == kernel.NO_CARD else token(code, LETTERS)

    @property
    def scores(self):
        return self.table.scores[: self.rules.players].tolist()


@pytest.fixture
def scene(monkeypatch):
    return lambda *arguments, **settings: Scene(monkeypatch, *arguments, **settings)


# ---- who wins a trick (round, step 5) ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (["G2", "G3", "G5"], 2),  # the highest of the leader's colour
        (["G2", "P6", "S6"], 0),  # other colours don't win
        (["G5", "G6", "G6"], 1),  # the earliest of equals
        (["G6", "G6", "G5"], 0),
        (["G6", "P4", "G6"], 1),  # a trump of any colour
        (["G6", "P4", "G4"], 1),  # the earliest trump
        (["S4", "P4", "S4"], 0),
        (["G1", "P1", "S1"], 0),
    ],
)
def test_winner_of_a_trick(scene, cards, winner):
    played = scene().play(*cards)
    assert (played.table.leader, played.table.winners[0]) == (winner, winner)


def test_the_leader_may_sit_anywhere_and_the_winner_leads_next(scene):
    played = scene().play("G2", "G3", "P6", leader=2)
    assert played.table.leader == 0
    assert played.table.won_from_place[:3].tolist() == [0, 1, 0]


# ---- captures (round, step 6; readings T4, T5, T7, T11) ------------------------------------------------------------


def test_the_winner_keeps_only_the_card_it_won_with(scene):
    played = scene().play("G2", "G5", "P6")
    assert (played.bamboo, played.pile, played.extra) == ([{}, {"G": 1}, {}], ["G2", "P6"], None)


def test_every_1_of_the_leaders_colour_is_captured_whoever_won(scene):
    played = scene(4).play("G1", "P1", "G1", "G5")
    assert played.bamboo == [{"G": 1}, {}, {"G": 1}, {"G": 1}]
    assert (played.pile, played.table.loser_ones) == (["P1"], 2)


def test_t7_a_1_that_wins_is_captured_once(scene):
    played = scene().play("G1", "P6", "G1")
    assert (played.bamboo, played.pile, played.table.loser_ones) == ([{"G": 1}, {}, {"G": 1}], ["P6"], 1)


def test_t5_a_winning_trump_takes_the_top_of_the_pile_as_its_own_colour(scene):
    played = scene().discard("S2", "S3").play("G2", "P4", "G5")
    assert (played.bamboo, played.extra) == ([{}, {"P": 2}, {}], "S3")
    assert played.pile == ["S2", "G2", "G5"]


def test_t5_while_the_pile_is_empty_the_extra_is_the_earliest_uncaptured_card(scene):
    played = scene(4).play("G1", "G3", "P4", "G6")
    assert (played.bamboo, played.extra, played.pile) == ([{"G": 1}, {}, {"P": 2}, {}], "G3", ["G6"])


def test_t5_without_an_uncaptured_card_there_is_no_extra(scene):
    played = scene().play("G1", "P4", "G1")
    assert (played.bamboo, played.extra, played.pile) == ([{"G": 1}, {"P": 1}, {"G": 1}], None, [])
    assert (played.table.extras, played.table.extras_missing) == (0, 1)


def test_t11_a_losing_trump_that_is_a_1_of_the_leaders_colour_has_no_extra(scene):
    played = scene(trump=1, trump__ranks=[1, 2]).discard("S2", "S3").play("G5", "P1", "G1")
    assert (played.bamboo, played.extra, played.pile) == ([{}, {"P": 2}, {"G": 1}], "S3", ["S2", "G5"])


def test_t7_a_winning_trump_that_is_a_1_is_captured_once_with_its_extra(scene):
    played = scene(trump=1, trump__ranks=[1, 2]).discard("S2").play("G1", "P6", "G1")
    assert (played.bamboo, played.pile) == ([{"G": 2}, {}, {"G": 1}], ["P6"])


def test_discards_go_on_the_pile_in_the_order_of_play(scene):
    assert scene(6).play("G2", "P3", "S5", "G6", "S1", "P2", leader=3).pile == ["G2", "P3", "S5", "S1", "P2"]


# ---- gifts (round, step 7) -----------------------------------------------------------------------------------------

FULL = {"P": 1, "S": 1}


def test_a_third_colour_is_given_and_both_score(scene):
    played = scene().lay(FULL).play("G5", "P2", "P3")
    assert played.asked == [("offer", 0, "G5", 1, 2, 0), ("answer", 1, 0, "G5", 1, 3, 1)]
    assert (played.bamboo, played.scores, played.pile) == ([FULL, {"G": 1}, {}], [1, 1, 0], ["P2", "P3"])


def test_a_gift_to_the_right_is_answered_at_its_own_step(scene):
    played = scene().lay(FULL)
    played.offers[0] = RIGHT
    played.table.trick = 2
    played.play("G5", "P2", "P3")
    assert played.asked == [("offer", 0, "G5", 1, 10, 0), ("answer", 2, 0, "G5", 1, 12, 2)]
    assert (played.bamboo, played.scores) == ([FULL, {}, {"G": 1}], [1, 0, 1])


def test_a_second_colour_is_kept(scene):
    played = scene().lay({"P": 3}).play("G5", "P2", "P3")
    assert (played.bamboo[0], played.asked) == ({"P": 3, "G": 1}, [])


@pytest.mark.parametrize("most", [1, 2, 3])
def test_colours_max(scene, most):
    played = scene(colours__max=most).lay({"P": 1, "S": 1} if most > 1 else {"P": 1}).play("G5", "P2", "P3")
    assert bool(played.asked) == (most < 3)


def test_a_neighbour_without_room_must_refuse_and_the_penalty_is_paid(scene):
    played = scene().lay(FULL, {"P": 2, "S": 1})
    played.table.scores[:3] = 5
    played.play("G5", "P2", "P3")
    assert [what for what, *_ in played.asked] == ["offer"]
    assert (played.bamboo[:2], played.scores) == ([FULL, {"P": 2, "S": 1}], [4, 5, 5])
    assert (played.pile, played.table.forced, played.table.declined) == (["G5", "P2", "P3"], 1, 0)


def test_a_refused_gift_is_discarded_before_the_rest_of_the_trick(scene):
    played = scene().lay({}, FULL)
    played.answers[2] = 0
    played.table.scores[:3] = 5
    played.play("G2", "G5", "P3")
    assert (played.pile, played.scores) == (["G5", "G2", "P3"], [5, 4, 5])
    assert (played.table.forced, played.table.declined) == (0, 1)


@pytest.mark.parametrize(("score", "penalty", "after"), [(0, 1, 0), (2, 3, 0), (3, 3, 0), (4, 3, 1), (4, 0, 4)])
def test_no_score_falls_below_0(scene, score, penalty, after):
    played = scene(gift__penalty=penalty).lay(FULL)
    played.answers[1] = 0
    played.table.scores[0] = score
    played.play("G5", "P2", "P3")
    assert (played.scores[0], played.table.gift_losses[0]) == (after, score - after)


@pytest.mark.parametrize(("falls_on", "scores"), [("trick_winner", [5, 4, 5]), ("giver", [4, 5, 5])])
def test_t2_who_pays_for_a_losers_refused_1(scene, falls_on, scores):
    played = scene(gift__penalty_falls_on=falls_on).lay(FULL)
    played.table.scores[:3] = 5
    played.offers[0] = RIGHT
    played.answers[2] = 0
    assert played.play("G1", "G5", "P3").scores == scores


def test_t10_under_trick_winner_the_payer_can_be_the_refuser(scene):
    played = scene().lay(FULL)
    played.table.scores[:3] = 5
    played.answers[1] = 0
    assert played.play("G1", "G5", "P3").scores == [5, 4, 5]


def test_t10_a_forced_refusal_by_the_trick_winner_costs_it_the_penalty(scene):
    played = scene().lay(FULL, {"P": 1, "S": 2})
    played.table.scores[:3] = 5
    played.offers[1] = RIGHT  # the winner's own G5 can't be kept either, and seat 0 has no room
    assert played.play("G1", "G5", "P3").scores == [5, 3, 5]


def test_t3_together_a_trump_and_its_extra_are_one_gift(scene):
    played = scene().lay(FULL).discard("S2").play("G4", "P2", "P3")
    assert (played.asked[0], played.extra) == (("offer", 0, "G4", 2, 2, 0), "S2")
    assert (played.bamboo, played.scores) == ([FULL, {"G": 2}, {}], [1, 1, 0])  # T10: a point once to each


def test_t3_together_refused_the_card_is_discarded_and_then_its_extra(scene):
    played = scene().lay(FULL).discard("S2", "S3")
    played.answers[1] = 0
    assert played.play("G4", "P2", "P3").pile == ["S2", "G4", "S3", "P2", "P3"]


def test_t3_forfeit_takes_no_extra_card(scene):
    played = scene(gift__extra="forfeit").lay(FULL).discard("S2").play("G4", "P2", "P3")
    assert (played.asked[0], played.extra) == (("offer", 0, "G4", 1, 2, 0), None)
    assert (played.bamboo[1], played.pile, played.table.extras_forfeited) == ({"G": 1}, ["S2", "P2", "P3"], 1)


def test_t3_forfeit_doesnt_touch_a_trump_that_may_be_kept(scene):
    played = scene(gift__extra="forfeit").lay({"P": 1}).discard("S2").play("G4", "P2", "P3")
    assert (played.bamboo[0], played.extra) == ({"P": 1, "G": 2}, "S2")


def test_t11_a_1_whose_gift_is_refused_is_no_extra_card(scene):
    played = scene().lay(FULL)
    played.answers[1] = 0
    played.play("G1", "P4", "S2")
    assert (played.extra, played.pile) == ("S2", ["G1"])


def test_t4_the_winner_is_settled_before_the_others(scene):
    # the winner's gift fills its right neighbour, whose own 1, though played first, can't be kept then
    played = scene(4).lay({}, {"P": 1}, {"P": 1, "G": 1})
    played.offers[2] = RIGHT
    played.discard("G2").play("G1", "S4", "G5", "G6", leader=1)
    order = [(kind, seat) for kind, seat, *_ in played.asked]
    assert order == [("offer", 2), ("answer", 1), ("offer", 1), ("answer", 2)]
    assert played.bamboo == [{}, {"P": 1, "S": 2}, {"P": 1, "G": 2}, {}]
    assert (played.scores, played.pile) == ([0, 2, 2, 0], ["G5", "G6"])


def test_t4_captures_go_on_in_the_order_of_play(scene):
    full = {"P": 1, "S": 1}
    played = scene(6).lay(full, {}, full, {}, full, {}).play("G1", "G2", "G1", "P2", "G5", "G1", leader=4)
    # seat 2 wins with G5, then seat 4 (led), seat 0 and seat 3 (last) have 1s
    assert [(seat, what) for kind, seat, what, *_ in played.asked if kind == "offer"] == [
        (2, "G5"),
        (4, "G1"),
        (0, "G1"),
    ]
    assert played.bamboo == [full, {"G": 1}, full, {"G": 2}, full, {"G": 1}]


def test_a_gift_moves_the_room_of_a_later_capture(scene):
    played = scene().lay({"P": 1, "S": 1}, {"P": 2}, {"P": 1}).play("G5", "S1", "S2")
    assert played.bamboo[1] == {"P": 2, "G": 1}  # full now
    played.table.trick = 1
    played.play("S2", "S6", "P2")
    assert [what for what, *_ in played.asked] == ["offer", "answer", "offer", "answer"]


# ---- the end by a gift (round, step 7; readings T8, T10) -----------------------------------------------------------


def end_by_gift(scene, scores, **settings):
    played = scene(4, **settings).lay(FULL, {}, FULL)
    played.table.scores[:4] = scores
    played.play("G5", "P2", "G1", "P3")
    return played


def test_t8_a_gift_that_reaches_the_target_ends_the_game_on_the_spot(scene):
    played = end_by_gift(scene, [24, 3, 8, 8])
    assert (played.scores, played.table.over, played.table.ended_by_gift) == ([25, 4, 8, 8], 1, 1)
    assert [seat for _, seat, *_ in played.asked] == [0, 1]  # seat 2's 1 isn't settled any more
    assert kernel.winning_score(played.rules, played.table) == 25
    kernel.score_round(played.rules, played.table, played.secret)
    assert (played.scores, played.table.points[:4].tolist()) == ([25, 4, 8, 8], [0] * 4)


def test_t8_giver_and_receiver_can_share(scene):
    played = end_by_gift(scene, [24, 24, 8, 8])
    assert (played.scores, kernel.winning_score(played.rules, played.table)) == ([25, 25, 8, 8], 25)


def test_t10_past_the_target_the_nearest_wins(scene):
    played = end_by_gift(scene, [24, 21, 8, 8], gift__points=5)
    assert (played.scores, kernel.winning_score(played.rules, played.table)) == ([29, 26, 8, 8], 26)


def test_below_the_target_the_game_goes_on(scene):
    played = end_by_gift(scene, [23, 3, 8, 8])
    assert (played.table.over, [seat for _, seat, *_ in played.asked]) == (0, [0, 1, 2, 3])


# ---- scoring a round -----------------------------------------------------------------------------------------------


def points(scene, *rows, **settings):
    scored = scene(len(rows), **settings).lay(*rows)
    kernel.score_round(scored.rules, scored.table, scored.secret)
    return scored.table.points[: len(rows)].tolist()


def test_the_sheets_example(scene):
    assert points(scene, {"G": 4, "P": 3}, {"G": 2, "S": 2}, {"P": 3, "S": 2}) == [6, 6, 10]


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ([5, 0, 0], [0, 0, 0]),  # alone the most
        ([5, 4, 1], [0, 4, 1]),
        ([5, 5, 1], [10, 10, 1]),  # tied for the most
        ([5, 2, 2], [0, 4, 4]),
        ([3, 3, 3], [9, 9, 9]),
        ([0, 0, 0], [0, 0, 0]),
        ([1, 1, 2, 2, 3, 0], [2, 2, 4, 4, 0, 0]),
        ([4, 4, 4, 4, 4, 4], [24] * 6),
        ([15, 15, 1], [30, 30, 1]),
        ([20, 20, 4], [40, 40, 4]),
        ([17, 33, 17], [34, 0, 34]),
        ([16, 0, 32], [16, 0, 0]),
    ],
)
def test_points_of_a_colour(scene, counts, wanted):
    assert points(scene, *({"P": count} for count in counts)) == wanted


def test_scores_add_up_over_rounds(scene):
    scored = scene().lay({"G": 4}, {"G": 2})
    scored.table.scores[:3] = [1, 2, 3]
    kernel.score_round(scored.rules, scored.table, scored.secret)
    assert (scored.scores, scored.table.over) == ([1, 4, 3], 0)


def test_a_score_at_the_target_ends_the_game(scene):
    scored = scene().lay({"G": 4}, {"G": 2})
    scored.table.scores[:3] = [1, 23, 3]
    kernel.score_round(scored.rules, scored.table, scored.secret)
    assert (scored.scores, scored.table.over, scored.table.ended_by_gift) == ([1, 25, 3], 1, 0)


# ---- who wins the game ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "winning"),
    [
        ([26, 27, 28], 26),  # the sheet's example
        ([28, 27, 26], 26),
        ([28, 24, 27], 27),
        ([25, 26, 24], 25),
        ([24, 40, 3], 40),
        ([24, 24, 3], 24),  # nobody at the target: the highest
        ([0, 0, 0], 0),
    ],
)
def test_winning_score(scene, scores, winning):
    played = scene()
    played.table.scores[:3] = scores
    assert kernel.winning_score(played.rules, played.table) == winning
    row = np.zeros(len(columns_of(played.variant)), np.int32)
    kernel.close_game(played.rules, played.table, row)
    assert row[3:6].tolist() == [score == winning for score in scores]


def test_the_last_round_ends_the_game(scene):
    played = scene(rounds__max=2)
    for rounds, over in ((1, 0), (2, 1)):
        kernel.score_round(played.rules, played.table, played.secret)
        assert (played.table.round, played.table.over) == (rounds, over)


# ---- before the first trick (round, steps 1-3; readings T6, T9) ----------------------------------------------------


def lay_first(scene, stock, players=3, start=0, trump=4, **settings):
    """Lay first bamboos from a stock given from its top, behind hands that don't matter."""
    laid = scene(players, trump, **settings)
    deck = [token(int(code), LETTERS) for code in laid.rules.cards[: laid.rules.deck_size]]
    behind = laid.rules.players * laid.rules.tricks
    for place, text in enumerate(stock):
        laid.secret.deck[behind + place] = deck.index(text)
    laid.rules.deck_size = behind + len(stock)
    laid.table.start = start
    kernel.lay_first(laid.rules, laid.table, laid.secret)
    return laid


def named(code):
    stand_ins = {kernel.NO_CARD: None, kernel.SHINING: "shining"}
    return stand_ins[int(code)] if int(code) in stand_ins else token(int(code), LETTERS)


def test_first_bamboos_come_in_order_from_the_rounds_leader(scene):
    laid = lay_first(scene, ["G2", "P3", "S5", "G6"], start=1)
    assert [named(code) for code in laid.table.first[:3]] == ["S5", "G2", "P3"]
    assert laid.bamboo == [{"S": 1}, {"G": 1}, {"P": 1}]
    assert [named(code) for code in laid.secret.first_extra[:3]] == [None] * 3


def test_a_first_bamboo_of_the_trump_rank_gets_one_more_when_all_have_theirs(scene):
    laid = lay_first(scene, ["G4", "P3", "S4", "P4", "G6"], start=2)
    assert [named(code) for code in laid.table.first[:3]] == ["P3", "S4", "G4"]
    assert [named(code) for code in laid.secret.first_extra[:3]] == [None, "G6", "P4"]  # seat 2 draws before seat 1
    assert laid.bamboo == [{"P": 1}, {"S": 2}, {"G": 2}]


def test_t6_shining_cards_stand_in_for_extra_cards(scene):
    laid = lay_first(scene, ["G4", "P3", "S4", "P6"])
    assert [named(code) for code in laid.secret.first_extra[:3]] == ["P6", None, "shining"]
    assert laid.bamboo == [{"G": 2}, {"P": 1}, {"S": 2}]


def test_t6_a_shining_first_card_has_no_colour_and_no_rank(scene):
    laid = lay_first(scene, ["G4", "P3"], trump=4)
    assert [named(code) for code in laid.table.first[:3]] == ["G4", "P3", "shining"]
    assert [named(code) for code in laid.secret.first_extra[:3]] == ["shining", None, None]
    assert (laid.bamboo, int(laid.table.colours[2])) == ([{"G": 2}, {"P": 1}, {}], 0)


def test_bamboo_of_the_round_before_is_gone(scene):
    laid = scene().lay({"G": 4}, {"P": 2, "S": 1}, {"S": 3})
    laid.rules.deck_size = 0
    kernel.lay_first(laid.rules, laid.table, laid.secret)
    assert (laid.bamboo, laid.table.colours[:3].tolist()) == ([{}, {}, {}], [0, 0, 0])


def test_all_pass_at_once_to_both_neighbours(scene, monkeypatch):
    passing = scene(hand__size=3)
    gives = [(0, 1), (2, 0), (1, 2)]
    for view, hand in zip(passing.seats.views, ["G1 G2 G3", "P1 P2 P3", "S1 S2 S3"], strict=False):
        view.hand[:3] = [card(text) for text in hand.split()]

    def choose(rules, table, view, word):
        assert word == (0, view.seat)
        view.gives[:] = gives[view.seat]

    monkeypatch.setattr(kernel, "pass_cards", choose)
    kernel.pass_all(passing.rules, passing.table, passing.secret, passing.seats, None)
    hands = [[token(int(code), LETTERS) for code in view.hand[:3]] for view in passing.seats.views[:3]]
    # what comes from the left neighbour stands where the card for it was, and likewise on the right
    assert hands == [["P1", "S2", "G3"], ["G1", "P2", "S3"], ["S1", "G2", "P3"]]


def opened(scene, monkeypatch, round_, leader, tricks=10):
    opening = scene(hand__size=tricks)
    opening.table.round, opening.table.leader, opening.table.trump = round_, leader, 2
    passed = []
    monkeypatch.setattr(kernel, "deal", lambda *_: None)
    monkeypatch.setattr(kernel, "word_at", lambda stream, number: number)
    monkeypatch.setattr(kernel, "below", lambda word, bound: bound - U64(1) if word == GAME_WORDS else None)
    monkeypatch.setattr(kernel, "pass_cards", lambda rules, table, view, word: passed.append(view.seat))
    kernel.open_round(opening.rules, opening.table, opening.secret, opening.seats, None)
    return opening.table, passed


def test_t9_seat_0_leads_first_and_the_trump_is_drawn_for_the_game(scene, monkeypatch):
    table, passed = opened(scene, monkeypatch, 0, 2)
    assert (table.start, table.leader, table.trump, passed) == (0, 0, 5, [0, 1, 2])


def test_the_winner_of_the_last_trick_leads_the_next_round(scene, monkeypatch):
    table, _ = opened(scene, monkeypatch, 1, 2)
    assert (table.start, table.leader, table.trump) == (2, 2, 2)


def test_a_hand_of_one_card_isnt_passed(scene, monkeypatch):
    assert opened(scene, monkeypatch, 0, 0, tricks=1)[1] == []


# ---- variants ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "hand", "trumps", "copies"),
    [
        ({}, 10, [2, 3, 4, 5, 6], [3] * 6),
        ({"players": 5}, 9, [2, 3, 4, 5, 6], [3] * 6),
        ({"players": 6, "deck.preset": "nine"}, 8, [3, 4, 5, 6, 7], [2] * 9),
        ({"players": 3, "deck.ranks": 4}, 10, [2, 3, 4], [3] * 4),
        ({"deck.ranks": 1, "deck.copies": 20}, 10, [1], [20]),
    ],
)
def test_defaults_follow_players_and_preset(settings, hand, trumps, copies):
    parameters = make_variant(GAME, settings=settings).parameters
    assert (parameters.hand.size, parameters.trump.ranks, parameters.deck.copies) == (hand, trumps, [copies] * 3)


def test_two_spellings_of_nine_are_one_variant():
    spelled = {"deck.ranks": 9, "deck.copies": 2, "trump.ranks": [3, 4, 5, 6, 7]}
    fingerprints = {
        make_variant(GAME, base="nine").fingerprint,
        make_variant(GAME, settings={"deck.preset": "nine"}).fingerprint,
        make_variant(GAME, settings=spelled).fingerprint,
    }
    assert len(fingerprints) == 1
    assert make_variant(GAME).fingerprint not in fingerprints


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 7},
        {"deck.preset": "sixty"},
        {"deck.copies": {"B": 2}},
        {"deck.copies": [1, 2]},
        {"deck.copies": 100},
        {"hand.size": 14},
        {"hand.size": 0},
        {"trump.ranks": []},
        {"trump.ranks": [7]},
        {"trump.ranks": [2, 2]},
        {"trump.ranks": 3},
        {"trump.ranks": [3], "deck.copies": [3, 3, 0, 3, 9, 9]},
        {"colours.max": 0},
        {"gift.points": 1.5},
        {"gift.penalty": -1},
        {"gift.penalty_falls_on": "nobody"},
        {"gift.extra": True},
        {"score.target": 0},
        {"rounds.max": 0},
        {"gift.price": 1},
    ],
)
def test_faults_of_variants_are_one_sentence(settings):
    with pytest.raises(BadInput) as fault:
        make_variant(GAME, settings=settings)
    text = str(fault.value)
    assert "\n" not in text and len(text) < 300
    assert any(key.split(".")[-1] in text for key in settings)


def test_hands_may_take_the_whole_deck():
    assert make_variant(GAME, settings={"players": 3, "hand.size": 18}).parameters.hand.size == 18


# ---- players on odd variants ---------------------------------------------------------------------------------------

ODD = [
    {"players": 3, "hand.size": 18},
    {"players": 6, "hand.size": 1},
    {"players": 4, "hand.size": 2, "colours.max": 1},
    {"players": 5, "deck.colours": 16, "deck.ranks": 16, "deck.copies": 1, "hand.size": 51},
    {"players": 3, "deck.colours": 1, "deck.ranks": 1, "deck.copies": 256, "hand.size": 85, "colours.max": 16},
    {"players": 3, "deck.colours": 8, "deck.ranks": 32, "deck.copies": 1, "trump.ranks": [1, 32], "rounds.max": 9},
    {"players": 6, "gift.points": 0, "gift.penalty": 0, "score.target": 1},
    {"players": 4, "gift.points": 1000, "gift.penalty": 1000, "colours.max": 1, "score.target": 100_000},
    {"players": 4, "gift.penalty_falls_on": "giver", "gift.extra": "forfeit", "rounds.max": 100, "score.target": 400},
    {"players": 5, "deck.copies": {"G": [9, 0, 0, 0, 0, 9], "P": [0, 9, 9, 0, 0, 0], "S": 2}, "trump.ranks": [1, 2]},
]


@pytest.mark.kernel
@pytest.mark.parametrize("settings", ODD, ids=str)
def test_players_play_odd_variants_legally(settings):
    variant = make_variant(GAME, settings=settings)
    source = random.Random(7)
    names = [source.choice(sorted(PLAYERS)) for _ in range(settings["players"] - 1)] + ["greedy"]
    texts = [f"{name}:4" if PLAYERS[name].short else name for name in names]
    arm = Arm(variant, tuple(seated(text, PLAYERS, "test") for text in texts))
    for line in records.written(arm, 11, 5):
        records.judge(line.replace('"variant": "custom"', '"variant": "odd"'))


@pytest.mark.kernel
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_greedy_wins_clearly_more_than_a_fair_share_against_random(players):
    variant, games = make_variant(GAME, settings={"players": players}), 2000
    names = ["random"] * (players - 1) + ["greedy"]
    rows = Seating(Arm(variant, tuple(seated(name, PLAYERS, "test") for name in names))).play(5, 0, games)[0]
    wins = rows[:, players : 2 * players]
    share = (wins[:, -1] / wins.sum(axis=1)).mean()
    assert share > 1.2 / players
