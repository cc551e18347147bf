"""Take-Trick's twin checked against worked examples and what symmetry says must come out."""

import copy
import itertools
from collections import Counter
from math import sqrt

import pytest
from reference import streams
from reference import take_trick as twin

RANDOM = ["random"] * 4
SIZES = {3: 10, 4: 10, 5: 9, 6: 8}


def parameters(players=4, **changes):
    """Return the classic parameters; a change is spelled `gift_points=3`."""
    values = {
        "players": players,
        "deck": {"preset": "six", "colours": 3, "ranks": 6, "copies": [[3] * 6 for _ in range(3)]},
        "hand": {"size": SIZES[players]},
        "trump": {"ranks": [2, 3, 4, 5, 6]},
        "colours": {"max": 2},
        "gift": {"points": 1, "penalty": 1, "penalty_falls_on": "trick_winner", "extra": "together"},
        "score": {"target": 25},
        "rounds": {"max": 3},
    }
    for name, value in changes.items():
        table, _, key = name.partition("_")
        values[table][key] = value
    return values


VARIANTS = {
    "classic": parameters(),
    "three players": parameters(3),
    "five players": parameters(5, gift_penalty_falls_on="giver"),
    "six players": parameters(6),
    "one colour each, gifts pay": parameters(colours_max=1, gift_points=3, score_target=7),
    "forfeits, rank 1 is trump": parameters(3, gift_extra="forfeit", trump_ranks=[1]),
    "one card each": parameters(3, hand_size=1, rounds_max=7),
    "no stock": parameters(3, hand_size=18, colours_max=1),
    "many colours": parameters(
        5, deck_colours=16, deck_copies=[[c % 2, 1, 3, 0] for c in range(16)], trump_ranks=[3, 2]
    ),
}
each_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


def assert_even(counts, outcomes):
    """Every outcome came up, and about equally often: chi-squared within five deviations of its mean."""
    assert set(counts) == set(outcomes)
    expected = sum(counts.values()) / len(outcomes)
    chi_squared = sum((counts[outcome] - expected) ** 2 / expected for outcome in outcomes)
    freedom = len(outcomes) - 1
    assert abs(chi_squared - freedom) < 5 * sqrt(2 * freedom)


def words(number):
    stream = streams.game_stream(4, 0)
    return (streams.word(stream, i) for i in range(number))


def table_of(variant, choose=None, *, trump=2, game=0, held=None, player="mine"):
    names = [player] * variant["players"]
    return twin.Table(variant, 5, game, names, choose, held, streams.game_stream(5, game), trump)


def round_of(first, *, hands=None, scores=(0, 0, 0), pile=(), plays=(), tricks=(), leader=0):
    """Return a round at some point, from each seat's bamboo (`"G2 P1"`) and the plays of the trick."""
    bamboo = [{letter: 0 for letter in "GPS"} | {part[0]: int(part[1:]) for part in text.split()} for text in first]
    laid = [{"card": "G3", "extra": None} for _ in first]
    return twin.Round(0, leader, list(scores), hands or [], laid, [], bamboo, list(pile), list(tricks), list(plays), [])


# Random choices


def test_the_trump_is_drawn_in_the_order_of_the_list():
    values = parameters(trump_ranks=[6, 2, 4])
    drawn = Counter(twin.draw_trump(values, streams.game_stream(1, game)) for game in range(3000))
    assert_even(drawn, [2, 4, 6])
    for game in range(20):
        stream = streams.game_stream(1, game)
        third = streams.word(stream, 2**41) * 3 >> 64
        assert twin.draw_trump(values, stream) == [6, 2, 4][third]


def test_random_passes_are_even():
    counts = Counter(twin.random_pass(4, word) for word in words(6000))
    assert_even(counts, list(itertools.permutations(range(4), 2)))


def test_a_random_pass_steps_over_the_first_card():
    assert twin.random_pass(2, 2**63) == (1, 0)
    assert twin.random_pass(2, 0) == (0, 1)
    assert twin.random_pass(4, 2**62 + 2**40) == (1, 0)
    assert twin.random_pass(4, 2**62 + 2**61) == (1, 2)  # the second of 3 other cards, and 1 is stepped over


def test_taking_a_card_moves_the_last_one_into_its_place():
    hand = ["G1", "G2", "G3", "G4"]
    assert twin.take(hand, 1) == "G2"
    assert hand == ["G1", "G4", "G3"]
    assert twin.take(hand, 2) == "G3"
    assert hand == ["G1", "G4"]


@pytest.mark.parametrize(("giver", "step"), [(0, 3 + 4 * 2), (2, 4 + 4 * 2)])
def test_each_decision_has_a_word_of_its_own(giver, step):
    """Seat 1 is asked in the third trick by its right neighbour, seat 0, or by its left one, seat 2."""
    table = table_of(parameters(3), player="random")
    state = round_of(["", "", ""], tricks=[{}, {}])
    asked = {"seat": giver, "card": "G4", "extra": None}
    word = streams.decision_word(table.stream, 0, step, 1)
    assert twin.choose_answer(table, state, asked, 1, 0) is (word >= 2**63)
    offer = streams.decision_word(table.stream, 0, 2 + 4 * 2, giver)
    assert twin.choose_receiver(table, state, asked, 0) == (giver + (1 if offer < 2**63 else -1)) % 3
    hand = ["G1", "G2", "G3"]
    word = streams.decision_word(table.stream, 0, 1 + 4 * 2, 1)
    assert twin.choose_card(table, state._replace(hands=[[], list(hand), []]), 1) == hand[word * 3 >> 64]


# Setting up


def test_the_deck_rises_by_colour_and_rank():
    deck = twin.new_deck(parameters())
    assert len(deck) == 54
    assert deck[:4] == ["G1", "G1", "G1", "G2"]
    assert deck[18] == "P1" and deck[-1] == "S6"
    assert deck.count("P3") == 3


def test_the_deck_is_shuffled_as_far_as_a_round_can_need():
    values = parameters(3, hand_size=2)
    deck = twin.shuffled(table_of(values), 0)
    assert Counter(deck) == Counter(twin.new_deck(values))
    plain = twin.new_deck(values)
    streams.shuffle(plain, 3 * 2 + 2 * 3, streams.deal_words(streams.game_stream(5, 0), 0))
    assert deck == plain
    assert twin.shuffled(table_of(values), 1) != deck


def test_first_bamboos_come_from_the_stock_in_seat_order_from_the_leader():
    table = table_of(parameters(3))
    assert twin.lay_first(table, ["G2", "P3", "P2", "S6", "S5", "S4"], 1) == [
        {"card": "P2", "extra": "S5"},
        {"card": "G2", "extra": "S6"},
        {"card": "P3", "extra": None},
    ]


def test_shining_bamboo_stands_in_once_the_stock_has_run_out():
    table = table_of(parameters(3))
    assert twin.lay_first(table, ["G2", "P3", "P2", "S6"], 2) == [
        {"card": "P3", "extra": None},
        {"card": "P2", "extra": "shining"},
        {"card": "G2", "extra": "S6"},
    ]
    assert twin.lay_first(table, ["G2"], 2) == [
        {"card": "shining", "extra": None},
        {"card": "shining", "extra": None},
        {"card": "G2", "extra": "shining"},
    ]


def test_six_players_have_shining_extra_cards_alone():
    """48 cards are dealt and six are first bamboos: no card is left."""
    seen = Counter()
    for game in range(30):
        for played in twin.play_game(VARIANTS["six players"], 1, game, ["random"] * 6)["rounds"]:
            seen.update(first["extra"] for first in played["first"])
    assert set(seen) == {None, "shining"}


def test_cards_are_passed_all_at_once_and_stand_where_the_given_ones_stood():
    places = {0: (0, 1), 1: (2, 0), 2: (1, 2)}
    table = table_of(parameters(3, hand_size=3), lambda kind, seat, view: places[seat])
    state = round_of(["G1", "G1", "G1"], hands=[["G1", "G2", "G3"], ["P1", "P2", "P3"], ["S1", "S2", "S3"]])
    twin.pass_cards(table, state)
    assert state.passes == [{"left": "G1", "right": "G2"}, {"left": "P3", "right": "P1"}, {"left": "S2", "right": "S3"}]
    assert state.hands == [["P1", "S2", "G3"], ["G1", "P2", "S3"], ["S1", "G2", "P3"]]


def test_a_single_card_is_not_passed():
    record = twin.play_game(VARIANTS["one card each"], 1, 0, RANDOM[:3])
    assert all(played["passes"] == [] for played in record["rounds"])


# Rules


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (["G4", "G6", "P6", "G5"], 3),
        (["G4", "G6", "G6", "G6"], 3),  # of equal cards, the earliest
        (["G1", "P6", "S6", "P6"], 2),  # other colours never win
        (["G6", "P6", "S2", "G2"], 0),  # but trumps do, the earliest of them
        (["G9", "G10", "P1", "G3"], 3),  # ranks are numbers, not text
    ],
)
def test_trick_winner(cards, winner):
    plays = [[seat, card] for seat, card in zip([2, 3, 0, 1], cards, strict=True)]
    assert twin.trick_winner(plays, 2) == winner


def settled(before, plays, answers=(), *, scores=(0, 0, 0), pile="", **changes):
    """Settle a trick and return its captures, the bamboo, the pile, the scores and whether the game ended.

    `plays` are in their order from seat 0; `answers` are what is chosen in turn: "left", "right", True, False.
    """
    answers = list(answers)
    table = table_of(parameters(3, **changes), lambda kind, seat, view: answers.pop(0), trump=2)
    state = round_of(before, hands=[[], [], []], scores=scores, pile=pile.split())
    state.plays.extend([seat, card] for seat, card in enumerate(plays.split()))
    ended = twin.settle(table, state, twin.trick_winner(state.plays, 2))
    assert not answers
    texts = [" ".join(f"{letter}{count}" for letter, count in counts.items() if count) for counts in state.bamboo]
    return [shortened(each) for each in state.captures], texts, " ".join(state.pile), state.scores, ended


def shortened(capture):
    text = f"{capture['seat']} {capture['card']}" + (f"+{capture['extra']}" if capture["extra"] else "")
    gift = capture["gift"]
    return text + (f" >{gift['to']} {'yes' if gift['accepted'] else 'no'}" if gift else "")


FULL = "G1 P1"
SETTLEMENTS = {
    "the winner captures its card": (
        [["G1", "P1", "S1"], "G3 G5 P4"],
        (["1 G5"], ["G1", "G1 P1", "S1"], "G3 P4", [0, 0, 0], False),
    ),
    "1s of the leader's colour are captured, whoever wins": (
        [["P1", "G1", "G1"], "G1 G5 G1"],
        (["1 G5", "0 G1", "2 G1"], ["G1 P1", "G2", "G2"], "", [0, 0, 0], False),
    ),
    "T5: an extra card from the top of the pile": (
        [["P1", "G1", "G1"], "G4 P2 S5", ()],
        (["1 P2+S6"], ["P1", "G1 P2", "G1"], "S3 G4 S5", [0, 0, 0], False),
        {"pile": "S3 S6"},
    ),
    "T5: while it is empty, from the trick, but no captured 1": (
        [["G1", "P1", "G1"], "G1 P2 S5"],
        (["1 P2+S5", "0 G1"], ["G2", "P3", "G1"], "", [0, 0, 0], False),
    ),
    "T5: none where all cards are captured": (
        [["P1", "G1", "G1"], "P2 P1 P1"],
        (["0 P2", "1 P1", "2 P1"], ["P2", "G1 P1", "G1 P1"], "", [0, 0, 0], False),
    ),
    "T7: a winning 1 is captured once": (
        [["G1", "P1", "S1"], "G1 P5 S5"],
        (["0 G1"], ["G2", "P1", "S1"], "P5 S5", [0, 0, 0], False),
    ),
    "an accepted gift pays both": (
        [[FULL, "G1", "G1"], "S6 P5 P4", ["left", True]],
        (["0 S6 >1 yes"], [FULL, "G1 S1", "G1"], "P5 P4", [1, 1, 0], False),
    ),
    "T3, T10: two cards move, a point each": (
        [[FULL, "G1", "G1"], "S2 P5 P4", ["right", True]],
        (["0 S2+P5 >2 yes"], [FULL, "G1", "G1 S2"], "P4", [1, 0, 1], False),
    ),
    "T3: a forfeited extra stays on the pile": (
        [[FULL, "G1", "G1"], "S2 P5 P4", ["right", True]],
        (["0 S2 >2 yes"], [FULL, "G1", "G1 S1"], "G4 P5 P4", [1, 0, 1], False),
        {"gift_extra": "forfeit", "pile": "G4"},
    ),
    "T5: refused cards are discarded at once, then the others": (
        [[FULL, "G1", "G1"], "S2 P5 P4", ["right", False]],
        (["0 S2+G4 >2 no"], [FULL, "G1", "G1"], "G3 S2 G4 P5 P4", [2, 5, 5], False),
        {"pile": "G3 G4", "scores": (3, 5, 5)},
    ),
    "T10: a forced refusal costs too, and nobody is asked": (
        [[FULL, FULL, "G1"], "S6 P5 P4", ["left"]],
        (["0 S6 >1 no"], [FULL, FULL, "G1"], "S6 P5 P4", [2, 5, 5], False),
        {"scores": (3, 5, 5)},
    ),
    "a score never falls below 0": (
        [[FULL, FULL, "G1"], "S6 P5 P4", ["left"]],
        (["0 S6 >1 no"], [FULL, FULL, "G1"], "S6 P5 P4", [0, 5, 5], False),
        {"scores": (3, 5, 5), "gift_penalty": 4},
    ),
    "T2: a loser's refused 1 costs the winner, here the refuser": (
        [[FULL, "S1", "G1"], "S1 S6 P4", ["left", False]],
        (["1 S6", "0 S1 >1 no"], [FULL, "S2", "G1"], "S1 P4", [5, 4, 5], False),
        {"scores": (5, 5, 5)},
    ),
    "T2: or the giver": (
        [[FULL, "S1", "G1"], "S1 S6 P4", ["left", False]],
        (["1 S6", "0 S1 >1 no"], [FULL, "S2", "G1"], "S1 P4", [4, 5, 5], False),
        {"scores": (5, 5, 5), "gift_penalty_falls_on": "giver"},
    ),
    "T4: the winner's gift leaves a loser no room": (
        [["P1", FULL, "G1"], "P5 S2 P1", ["left", True, "left", True]],
        (["1 S2+P5 >2 yes", "2 P1 >0 yes"], ["P2", FULL, "G1 S2"], "", [1, 1, 2], False),
    ),
    "T8: a gift that reaches the target ends the game before the next capture": (
        [[FULL, "P1", "S1"], "S6 S1 S5", ["right", True]],
        (["0 S6 >2 yes"], [FULL, "P1", "S2"], "", [25, 0, 1], True),
        {"scores": (24, 0, 0)},
    ),
    "T8: the receiver's score counts as well": (
        [[FULL, "P1", "S1"], "S6 S5 S5", ["right", True]],
        (["0 S6 >2 yes"], [FULL, "P1", "S2"], "", [7, 0, 31], True),
        {"scores": (0, 0, 24), "gift_points": 7},
    ),
    "T11: a 1 whose gift is refused was never uncaptured": (
        [[FULL, "P1", "S1"], "S1 P2 G5", ["right", False]],
        (["1 P2+G5", "0 S1 >2 no"], [FULL, "P3", "S1"], "S1", [0, 0, 0], False),
    ),
    "a seat may hold as many colours as the variant says": (
        [[FULL, "P1", "S1"], "S6 P5 P4"],
        (["0 S6"], ["G1 P1 S1", "P1", "S1"], "P5 P4", [0, 0, 0], False),
        {"colours_max": 3},
    ),
}


@pytest.mark.parametrize("name", SETTLEMENTS)
def test_settling(name):
    given, expected, *changes = SETTLEMENTS[name]
    assert settled(*given, **(changes[0] if changes else {})) == expected


def test_t11_a_losing_trump_that_is_a_captured_1_has_no_extra_card():
    table = table_of(parameters(3, trump_ranks=[1]), trump=1)
    state = round_of(["G1", "P1", "G1"], pile=["S3", "S4"], plays=[[0, "G5"], [1, "P1"], [2, "G1"]])
    assert twin.settle(table, state, 1) is False
    assert [shortened(each) for each in state.captures] == ["1 P1+S4", "2 G1"]
    assert state.pile == ["S3", "G5"]


def test_the_sheets_example():
    bamboo = [{"G": 4, "P": 3, "S": 0}, {"G": 2, "P": 0, "S": 2}, {"G": 0, "P": 3, "S": 2}]
    assert twin.round_points(bamboo) == [6, 6, 10]
    assert twin.winners([26, 27, 28], 25) == [0]


def test_majorities():
    counts = [5, 5, 2, 0]
    assert [twin.colour_points(counts, seat) for seat in range(4)] == [10, 10, 2, 0]
    assert [twin.colour_points([5, 2, 2, 1], seat) for seat in range(4)] == [0, 4, 4, 1]
    assert twin.colour_points([0, 0, 0], 0) == 0


@pytest.mark.parametrize(
    ("totals", "won"), [([24, 3, 24], [0, 2]), ([25, 3, 24], [0]), ([30, 28, 28], [1, 2]), ([0, 0, 0], [0, 1, 2])]
)
def test_winners(totals, won):
    assert twin.winners(totals, 25) == won


@each_variant
def test_a_game_holds_together(variant):
    """Deck, turn order, hands, bamboo and sums, told from the record alone."""
    seats, size = variant["players"], variant["hand"]["size"]
    for game in range(10):
        record = twin.play_game(variant, 6, game, ["random"] * seats)
        leader, totals = 0, [0] * seats
        for played in record["rounds"]:
            assert played["leader"] == leader
            dealt = Counter(card for hand in played["dealt"] for card in hand)
            first = Counter(card for each in played["first"] for card in each.values() if card not in (None, "shining"))
            assert dealt + first <= Counter(twin.new_deck(variant))
            assert [len(hand) for hand in played["dealt"]] == [size] * seats
            assert len(played["tricks"]) == size or played["ended_by_gift"]
            cards = [card for trick in played["tricks"] for _, card in trick["plays"]]
            assert Counter(cards) <= dealt
            for trick in played["tricks"]:
                assert trick["leader"] == leader
                assert [seat for seat, _ in trick["plays"]] == [(leader + place) % seats for place in range(seats)]
                assert trick["captures"][0]["seat"] == trick["winner"]
                leader = trick["winner"]
            kept = sum(2 if c["extra"] else 1 for t in played["tricks"] for c in t["captures"] if is_kept(c))
            firsts = sum(0 if f["card"] == "shining" else 2 if f["extra"] else 1 for f in played["first"])
            assert sum(sum(counts.values()) for counts in played["bamboo"]) == kept + firsts
            for counts in played["bamboo"]:
                assert sum(count > 0 for count in counts.values()) <= max(variant["colours"]["max"], 1)
            totals = [a + b for a, b in zip(played["tricks"][-1]["scores"], played["points"], strict=True)]
            assert played["totals"] == totals
        assert record["scores"] == totals
        reached = max(totals) >= variant["score"]["target"]
        assert reached or len(record["rounds"]) == variant["rounds"]["max"]
        assert all(max(played["totals"]) < variant["score"]["target"] for played in record["rounds"][:-1])


def is_kept(capture):
    return capture["gift"] is None or capture["gift"]["accepted"]


def test_games_depend_on_seed_and_number_alone():
    game = twin.play_game(parameters(), 8, 3, RANDOM)
    assert game == twin.play_game(parameters(), 8, 3, RANDOM)
    assert game != twin.play_game(parameters(), 8, 4, RANDOM)
    assert game != twin.play_game(parameters(), 9, 3, RANDOM)


# Held hands


@each_variant
def test_a_group_of_games_holds_one_hand(variant):
    seats = variant["players"]
    for seat in range(seats):
        records = [twin.play_game(variant, 2, g, ["random"] * seats, held=(seat, 4)) for g in range(8)]
        hands = [record["rounds"][0]["dealt"][seat] for record in records]
        assert all(sorted(hand) == sorted(hands[0]) for hand in hands[:4])
        assert all(sorted(hand) == sorted(hands[4]) for hand in hands[4:])
        assert len({str(record["rounds"][0]["dealt"][(seat + 1) % seats]) for record in records}) > 1


def test_holding_a_hand_is_as_fair_as_dealing_it():
    """Over all groups every order of a small deck, its stock included, is equally likely."""
    values = parameters(3, deck_colours=1, deck_ranks=5, deck_copies=[[1] * 5], hand_size=1)
    counts = Counter(tuple(twin.shuffled(table_of(values, game=game, held=(1, 1)), 0)) for game in range(6000))
    assert_even(counts, list(itertools.permutations(["G1", "G2", "G3", "G4", "G5"])))


# Views


def random_by_hand(variant, stream):
    """Return a `choose` that makes the random player's choices from its view and the stream."""

    def choose(kind, seat, view):
        trick = 4 * len(view.get("tricks", []))
        if kind == "pass":
            return twin.random_pass(len(view["hand"]), streams.decision_word(stream, view["round"], 0, seat))
        if kind == "answer":
            step = 3 if view["gift"]["from"] == (seat - 1) % variant["players"] else 4
        else:
            step = {"play": 1, "offer": 2}[kind]
        word = streams.decision_word(stream, view["round"], step + trick, seat)
        if kind == "play":
            return streams.below(word, len(view["hand"]))
        return streams.below(word, 2) == 1 if kind == "answer" else ["left", "right"][streams.below(word, 2)]

    return choose


@each_variant
def test_a_chooser_that_draws_the_same_words_plays_the_same_game(variant):
    seats = variant["players"]
    choose = random_by_hand(variant, streams.game_stream(3, 7))
    mixed = ["mine", "random", "mine", "random", "random", "mine"][:seats]
    expected = twin.play_game(variant, 3, 7, ["random"] * seats)
    assert twin.play_game(variant, 3, 7, ["mine"] * seats, choose) == expected
    assert twin.play_game(variant, 3, 7, mixed, choose) == expected


def overwrite(value):
    """Spoil what a player was shown, all through: it must not matter."""
    for inner in list(value.values() if isinstance(value, dict) else value):
        if isinstance(inner, dict | list):
            overwrite(inner)
    value.clear()


ALWAYS = {"round", "leader", "trump", "scores", "first", "bamboo", "hand"}
PLAYING = ALWAYS | {"passed", "received", "tricks", "trick"}
SETTLING = PLAYING | {"winner", "captures", "gift"}
KEYS = {"pass": ALWAYS, "play": PLAYING, "offer": SETTLING, "answer": SETTLING}


@each_variant
def test_a_view_holds_what_the_seat_may_know_and_nothing_else(variant):
    seats = variant["players"]
    chooser, seen = random_by_hand(variant, streams.game_stream(3, 0)), []

    def choose(kind, seat, view):
        seen.append((kind, seat, copy.deepcopy(view)))
        answer = chooser(kind, seat, view)
        overwrite(view)
        return answer

    record = twin.play_game(variant, 3, 0, ["mine"] * seats, choose)
    assert record == twin.play_game(variant, 3, 0, ["random"] * seats)
    for kind, seat, view in seen:
        played = record["rounds"][view["round"]]
        assert set(view) == KEYS[kind]
        assert (view["trump"], view["leader"]) == (record["trump"], played["leader"])
        assert view["first"] == [each | {"extra": each["extra"] is not None} for each in played["first"]]
        if kind == "pass":
            assert sorted(view["hand"]) == sorted(played["dealt"][seat])
            continue
        done, now = len(view["tricks"]), played["tricks"][len(view["tricks"])]
        assert view["tricks"] == [hidden_trick(trick) for trick in played["tricks"][:done]]
        assert view["trick"] == now["plays"][: len(view["trick"])]
        gone = [
            card for trick in [*view["tricks"], {"plays": view["trick"]}] for s, card in trick["plays"] if s == seat
        ]
        left = Counter(played["dealt"][seat]) - Counter(gone)
        if variant["hand"]["size"] > 1:
            assert view["passed"] == played["passes"][seat]
            received = {"left": played["passes"][(seat + 1) % seats]["right"]}
            assert view["received"] == received | {"right": played["passes"][(seat - 1) % seats]["left"]}
            left = Counter(played["dealt"][seat])
            left.subtract([*view["passed"].values(), *gone])
            left.update(view["received"].values())
            left = +left
        assert Counter(view["hand"]) == left
        if kind == "play":
            before = played["tricks"][done - 1]["scores"] if done else before_round(record, view["round"])
            assert view["scores"] == before
            continue
        number = len(view["captures"])
        assert view["captures"] == [hidden(capture) for capture in now["captures"][:number]]
        gift = now["captures"][number]
        assert view["winner"] == now["winner"]
        assert view["gift"] == {"from": gift["seat"], "card": gift["card"], "extra": gift["extra"] is not None}
        assert seat == (gift["seat"] if kind == "offer" else gift["gift"]["to"])


def before_round(record, number):
    return record["rounds"][number - 1]["totals"] if number else [0] * len(record["scores"])


def hidden(capture):
    return capture | {"extra": capture["extra"] is not None}


def hidden_trick(trick):
    return trick | {"captures": [hidden(capture) for capture in trick["captures"]]}


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("pass", (0, 0)),
        ("pass", (0, 10)),
        ("pass", (-1, 0)),
        ("play", 10),
        ("play", -1),
        ("play", None),
        ("offer", "across"),
        ("offer", 0),
        ("answer", None),
        ("answer", 1),
    ],
)
def test_an_answer_against_the_rules_is_refused(kind, answer):
    variant = parameters(colours_max=1)
    chooser = random_by_hand(variant, streams.game_stream(1, 0))

    def choose(asked, seat, view):
        return answer if asked == kind else chooser(asked, seat, view)

    with pytest.raises(ValueError, match=f"{kind}.*isn't allowed"):
        twin.play_game(variant, 1, 0, ["mine"] * 4, choose)


# Measures


@each_variant
def test_row_adds_up(variant):
    seats = range(variant["players"])
    for game in range(40):
        record = twin.play_game(variant, 1, game, ["random"] * len(seats))
        row = twin.row(record, variant)
        tricks = sum(len(played["tricks"]) for played in record["rounds"])
        assert row["leader_plays"] == tricks == sum(row[f"won_from_place_{place}"] for place in seats)
        assert row["follower_plays"] == tricks * (len(seats) - 1)
        assert row["gifts_offered"] == row["gifts_accepted"] + row["gifts_forced"] + row["gifts_refused"]
        assert sum(row[f"gift_points_{s}"] for s in seats) == 2 * variant["gift"]["points"] * row["gifts_accepted"]
        assert row["extras_taken"] + row["extras_missing"] <= row["trump_wins"] <= tricks
        assert row["rounds"] == len(record["rounds"])
        for seat in seats:
            points = sum(played["points"][seat] for played in record["rounds"])
            assert row[f"score_{seat}"] == points + row[f"gift_points_{seat}"] - row[f"penalties_{seat}"]
            assert row[f"round_score_{row['rounds'] - 1}_{seat}"] == row[f"score_{seat}"]
            unplayed = range(row["rounds"], variant["rounds"]["max"])
            assert all(row[f"round_score_{number}_{seat}"] == 0 for number in unplayed)


def test_row_of_a_game_worked_by_hand():
    """One round of three tricks; gifts pay 3 and a refusal costs 5, of which seat 0 has 3."""

    def capture(seat, card, extra=None, to=None, accepted=False):
        gift = None if to is None else {"to": to, "accepted": accepted}
        return {"seat": seat, "card": card, "extra": extra, "gift": gift}

    def trick(leader, cards, winner, *captures):
        plays = [[(leader + place) % 3, card] for place, card in enumerate(cards.split())]
        return {"leader": leader, "plays": plays, "winner": winner, "captures": list(captures)}

    played = {
        "leader": 0,
        "dealt": [["", "", ""]] * 3,
        "first": [{"card": card, "extra": None} for card in ("G3", "P3", "S3")],
        "tricks": [
            trick(0, "S2 P1 G5", 0, capture(0, "S2", "P1", 2, True)),  # 3, 0, 3
            trick(0, "P6 P1 P2", 2, capture(2, "P2", "G5", 1, True), capture(1, "P1")),  # 3, 3, 6
            trick(2, "S1 S6 G1", 0, capture(0, "S6", None, 1, False), capture(2, "S1")),  # 0, 3, 6
        ],
        "points": [0, 2, 0],
        "totals": [0, 5, 6],
        "ended_by_gift": False,
    }
    record = {"trump": 2, "rounds": [played], "scores": [0, 5, 6], "winners": [2]}
    variant = parameters(3, colours_max=1, gift_points=3, gift_penalty=5, rounds_max=2)
    expected = {"trump": 2, "rounds": 1, "ended_by_gift": 0, "start_0": 0, "start_1": 0}
    expected |= {"score_0": 0, "score_1": 5, "score_2": 6, "win_0": 0, "win_1": 0, "win_2": 1}
    expected |= {"leader_plays": 3, "leader_choices": 6, "follower_plays": 6, "follower_choices": 12}
    expected |= {"won_from_place_0": 1, "won_from_place_1": 1, "won_from_place_2": 1}
    expected |= {"gifts_offered": 3, "gifts_accepted": 2, "gifts_forced": 1, "gifts_refused": 0}
    expected |= {"gift_points_0": 3, "gift_points_1": 3, "gift_points_2": 6}
    expected |= {"penalties_0": 3, "penalties_1": 0, "penalties_2": 0}
    expected |= {"trump_wins": 2, "extras_taken": 2, "extras_missing": 0, "loser_ones": 2}
    expected |= {f"round_score_{number}_{seat}": 0 for number in range(2) for seat in range(3)}
    expected |= {"round_score_0_1": 5, "round_score_0_2": 6}
    assert twin.row(record, variant) == expected
