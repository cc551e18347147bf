"""Gara-tori's twin checked against scripted tricks, worked games and what must hold in any game."""

import copy
import itertools
from collections import Counter
from math import sqrt

import pytest
from reference import gara_tori as twin
from reference import streams

RANDOM = ["random"] * 6


def parameters(players=4, **changes):
    """Return the classic parameters; a change is spelled `hand_size=3`, or `copies=` a row for every colour."""
    values = {
        "players": players,
        "deck": {"preset": "64", "colours": 4, "ranks": 15, "copies": [[1] * 15] * 4, "specials": 1},
        "hand": {"size": 10},
        "lead": {"void_match_turns": True},
        "follow": {"special_counts": True},
    }
    row = changes.pop("copies", None)
    for name, value in changes.items():
        table, _, key = name.partition("_")
        values[table][key] = value
    if row:
        values["deck"] |= {"ranks": len(row), "copies": [list(row) for _ in range(values["deck"]["colours"])]}
    return values


VARIANTS = {
    "classic": parameters(),
    "five players": parameters(5),
    "six players": parameters(6),
    "sixty": parameters(6, copies=[1] * 14),
    "void seats don't turn": parameters(lead_void_match_turns=False),
    "specials don't oblige": parameters(follow_special_counts=False, deck_specials=3, copies=[1] * 8),
    "both readings": parameters(follow_special_counts=False, lead_void_match_turns=False),
    "one card each": parameters(6, hand_size=1),
    "specials alone": parameters(copies=[0], deck_specials=10),
    "copies": parameters(5, copies=[3, 0, 2, 1, 4], hand_size=8),
    "sixteen colours": parameters(5, deck_colours=16, copies=[1, 2], hand_size=12),
}
each_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


def random_game(variant, seed, game=0):
    return twin.play_game(variant, seed, game, RANDOM[: variant["players"]])


# Cards


def test_the_deck_rises_specials_before_ranks():
    deck = twin.new_deck(parameters())
    assert len(deck) == 64
    assert deck[:4] == ["R*", "R1", "R2", "R3"]
    assert deck[15:18] == ["R15", "B*", "B1"]
    assert deck[-1] == "Y15"
    assert deck == twin.sort_cards(deck[::-1])
    assert len(twin.new_deck(VARIANTS["sixty"])) == 60


def test_copies_lie_side_by_side():
    values = parameters(deck_colours=2, deck_specials=2, copies=[2, 0, 1])
    assert twin.new_deck(values) == ["R*", "R*", "R1", "R1", "R3", "B*", "B*", "B1", "B1", "B3"]


def test_seats_are_dealt_slices_of_the_shuffled_deck():
    deck = twin.new_deck(parameters())
    streams.shuffle(deck, 40, streams.deal_words(streams.game_stream(9, 2), 0))
    dealt = twin.play_game(parameters(), 9, 2, RANDOM[:4])["rounds"][0]["dealt"]
    assert dealt == [twin.sort_cards(deck[seat * 10 : seat * 10 + 10]) for seat in range(4)]


# Tricks: each card, with x where its seat was void, and the lead colour after it


def played(text, values):
    """Return the trick of cards such as ``"B4 Y4x"``, played from seat 0 on."""
    trick = twin.Trick(0)
    for seat, card in enumerate(text.split()):
        may_turn = values["lead"]["void_match_turns"] or not card.endswith("x")
        twin.add_card(trick, seat, card.removesuffix("x"), may_turn=may_turn)
    return trick


@pytest.mark.parametrize(
    ("text", "leads", "locked_by", "winner"),
    [
        ("B4 Y4 Y10 R10", "BYYR", None, 3),  # the sheet's examples
        ("G6 B6 B3 G3", "GBBG", None, 0),
        ("B4 B13 B* G13", "BBBB", 2, 2),
        ("B4 Y9x Y9x R4x", "BBYR", None, 3),  # a pattern needn't have led
        ("B1 B15 Y15 Y1", "BBYY", None, 2),
        ("B* Y*x B15 R15", "BBBB", 0, 0),
        ("B4 Y4 Y* B*x", "BYYY", 2, 2),
        ("B4 Y*x Y4 R9x", "BBYY", None, 2),
        ("B1 Y*x Y1 Y*", "BBYY", 3, 3),
        ("B4 B* B* Y4", "BBBB", 1, 1),
        ("B4 B4 B3 B2", "BBBB", None, 0),
        ("B4 Y4 B4 B2", "BYBB", None, 0),
        ("B9 Y*x R*x B10", "BBBB", None, 3),
        ("B4 Y4 B*x R9x B9", "BYYYB", None, 4),
        ("B2 Y2 G2 R2 B2 B1", "BYGRBB", None, 0),
    ],
)
def test_scripted_tricks(text, leads, locked_by, winner):
    trick = played(text, parameters())
    assert ("".join(trick.leads), trick.locked_by, twin.trick_winner(trick)) == (leads, locked_by, winner)


def test_void_seats_turn_only_where_the_variant_says_so():
    for turns, leads, winner in [(True, "BYYG", 3), (False, "BBBB", 2)]:
        trick = played("B4 Y4x B5 G4x", parameters(lead_void_match_turns=turns))
        assert ("".join(trick.leads), twin.trick_winner(trick)) == (leads, winner)
    trick = played("B4 Y9x R9 R2", parameters(lead_void_match_turns=False))
    assert trick.leads == ["B", "B", "R", "R"]  # the pattern of a void seat's card counts as played


@pytest.mark.parametrize(
    ("hand", "trick", "special_counts", "legal"),
    [
        ("R* R1 B2", "", True, "R* R1 B2"),
        ("R1 B2 B3 G9", "B4", True, "B2 B3"),
        ("R4 B2 G4 G5", "B4", True, "R4 B2 G4"),
        ("R4 B2 G4 G9", "B4 B9", True, "R4 B2 G4 G9"),
        ("R4 B2 G4 Y9", "B4 Y4", True, "R4 G4 Y9"),
        ("R4 G5 G*", "B4", True, "R4 G5 G*"),
        ("B* R4 G5", "B4", True, "B* R4"),
        ("B* R4 G5", "B4", False, "B* R4 G5"),
        ("B* B2 R4 G5", "B4", False, "B* B2 R4"),
        ("B2 R* G5", "B4 Y*x", True, "B2"),  # specials never match
        ("B2 R4 G5", "B* B4", True, "B2 R4"),  # locked, and followed all the same
        ("B2 B2 R4 R4 R5", "B4", True, "B2 B2 R4 R4"),  # each copy for itself
    ],
)
def test_legal_cards(hand, trick, special_counts, legal):
    values = parameters(follow_special_counts=special_counts)
    assert twin.legal_cards(values, hand.split(), played(trick, values)) == legal.split()


def test_a_special_without_power_is_the_lowest_of_its_colour():
    trick = twin.Trick(0, [[0, "R*"], [1, "R1"]], ["R", "R"])  # as if it had not locked
    assert twin.trick_winner(trick) == 1
    trick = twin.Trick(0, [[0, "B9"], [1, "R*"]], ["B", "R"])
    assert twin.trick_winner(trick) == 1


def test_the_score_is_the_largest_count():
    assert twin.score({"R": 3, "B": 5, "G": 5, "Y": 1}) == 5


# Whole games


def scripted_game(hands, plays, dealer=0, **changes):
    """Return the game in which each seat plays its cards of `plays` in turn."""
    hands = [hand.split() for hand in hands]
    values = parameters(len(hands), hand_size=len(hands[0]), **changes)
    cards = iter(plays.split())
    table = twin.Table(values, ["mine"] * len(hands), lambda kind, seat, view: next(cards), None)
    return values, twin.play_hands(table, hands, dealer)


HANDS = ["B1 B7 R1 G*", "R2 R5 Y* Y1", "B3 Y9 G2 G3", "B9 G9 R3 Y2"]
PLAYS = "G* R2 G2 Y2  B1 Y* B3 R3  B9 B7 R5 G3  G9 R1 Y1 Y9"


def test_a_game_worked_by_hand():
    _, record = scripted_game(HANDS, PLAYS)
    (one,) = record["rounds"]
    outcomes = [(t["leader"], "".join(t["leads"]), t["locked"], t["winner"]) for t in one["tricks"]]
    assert outcomes == [(0, "GGGG", True, 0), (0, "BBBR", False, 3), (3, "BBBB", False, 3), (3, "GGYY", False, 2)]
    assert one["taken"] == [
        {"R": 1, "B": 0, "G": 2, "Y": 1},
        {"R": 0, "B": 0, "G": 0, "Y": 0},
        {"R": 1, "B": 0, "G": 1, "Y": 2},
        {"R": 2, "B": 4, "G": 1, "Y": 1},
    ]
    assert one["dealt"] == [twin.sort_cards(hand.split()) for hand in HANDS]
    assert (one["dealer"], one["points"], record["scores"], record["winners"]) == (0, [2, 0, 2, 4], [2, 0, 2, 4], [3])


def test_row_of_a_game_worked_by_hand():
    """Choices by trick: 4 and 4, 2, 2; 3 and 3, 1, 2; 2 and 1, 2, 2; 1 and 1, 1, 1."""
    values, record = scripted_game(HANDS, PLAYS)
    expected = {"leader_plays": 4, "leader_choices": 10, "follower_plays": 12, "follower_choices": 22}
    expected |= {"score_0": 2, "score_1": 0, "score_2": 2, "score_3": 4, "win_0": 0, "win_1": 0, "win_2": 0, "win_3": 1}
    expected |= {"won_from_place_0": 2, "won_from_place_1": 0, "won_from_place_2": 0, "won_from_place_3": 2}
    expected |= {"turns_at_place_0": 0, "turns_at_place_1": 0, "turns_at_place_2": 1, "turns_at_place_3": 1}
    expected |= {"won_by_turn_at_place_0": 0, "won_by_turn_at_place_1": 0, "won_by_turn_at_place_2": 0}
    expected |= {"won_by_turn_at_place_3": 1, "specials_dealt_0": 1, "specials_dealt_1": 1, "specials_dealt_2": 0}
    expected |= {"locks_at_place_0": 1, "locks_at_place_1": 0, "locks_at_place_2": 0, "locks_at_place_3": 0}
    expected |= {"specials_dealt_3": 0}
    expected |= {"turns": 2, "locks": 1, "specials_with_power": 1, "specials_without_power": 1, "void_plays": 6}
    assert twin.row(record, values) == expected


def test_row_counts_specials_and_voids_as_the_variant_does():
    hands, plays = ["B4", "B*", "B*", "Y4"], "B4 B* B* Y4"
    values, record = scripted_game(hands, plays, deck_specials=2)
    row = twin.row(record, values)
    assert (row["locks"], row["specials_with_power"], row["specials_without_power"]) == (1, 2, 0)
    assert (row["void_plays"], row["turns"]) == (1, 0)
    values, record = scripted_game(hands, plays, deck_specials=2, follow_special_counts=False)
    assert twin.row(record, values)["void_plays"] == 3


def test_row_counts_a_turn_only_where_the_colour_changes():
    values, record = scripted_game(["B4", "B4", "Y4", "Y4"], "B4 B4 Y4 Y4", copies=[2] * 5)
    row = twin.row(record, values)
    assert [row[f"turns_at_place_{place}"] for place in range(4)] == [0, 0, 1, 0]


def test_another_dealer_leads():
    _, record = scripted_game(["B1", "B2", "B4", "B3"], "B4 B3 B1 B2", dealer=2)
    (one,) = record["rounds"]
    assert (one["dealer"], one["tricks"][0]["leader"], one["tricks"][0]["winner"]) == (2, 2, 2)


@each_variant
def test_a_game_holds_together(variant):
    """Deck, turn order, duty to follow, leads, winners and sums, told from the record alone."""
    seats, size = variant["players"], variant["hand"]["size"]
    obliging = (lambda card: True) if variant["follow"]["special_counts"] else (lambda card: card[1] != "*")
    for game in range(20):
        record = random_game(variant, 6, game)
        (one,) = record["rounds"]
        hands = [list(hand) for hand in one["dealt"]]
        cards = Counter(card for hand in hands for card in hand)
        assert cards <= Counter(twin.new_deck(variant))
        assert cards.total() == seats * size and {len(hand) for hand in hands} == {size}
        assert one["dealer"] == one["tricks"][0]["leader"] == 0
        assert len(one["tricks"]) == size
        taken = [Counter() for _ in range(seats)]
        for trick, following in itertools.zip_longest(one["tricks"], one["tricks"][1:]):
            assert following is None or following["leader"] == trick["winner"]
            assert [seat for seat, _ in trick["plays"]] == [(trick["leader"] + i) % seats for i in range(seats)]
            texts = [card for _, card in trick["plays"]]
            assert trick["leads"][0] == texts[0][0]
            for place, (seat, card) in enumerate(trick["plays"]):
                lead, matched = trick["leads"][place - 1], card[1] != "*" and card[1:] in [t[1:] for t in texts[:place]]
                holds = any(other[0] == lead and obliging(other) for other in hands[seat])
                assert place == 0 or not holds or card[0] == lead or matched
                if place and trick["leads"][place] != lead:
                    assert matched and trick["leads"][place] == card[0]
                    assert holds or variant["lead"]["void_match_turns"]
                hands[seat].remove(card)
            turns = zip(trick["plays"], trick["leads"], strict=True)
            locking = [seat for (seat, card), lead in turns if card == lead + "*"]
            assert trick["locked"] == bool(locking)
            best = [int(card[1:]) for card in texts if card[0] == trick["leads"][-1] and card[1] != "*"]
            winning = texts[[seat for seat, _ in trick["plays"]].index(trick["winner"])]
            assert trick["winner"] == locking[0] if locking else winning == f"{trick['leads'][-1]}{max(best)}"
            taken[trick["winner"]].update(card[0] for card in texts)
        assert not any(hands)
        letters = "RBGYPOWKNCMLTVSA"[: variant["deck"]["colours"]]
        assert one["taken"] == [{letter: counts[letter] for letter in letters} for counts in taken]
        assert record["scores"] == one["points"] == [max([0, *counts.values()]) for counts in taken]
        assert record["winners"] == [s for s, score in enumerate(record["scores"]) if score == max(record["scores"])]


def test_games_depend_on_seed_and_number_alone():
    game = random_game(parameters(), 8, 3)
    assert game == random_game(parameters(), 8, 3)
    assert game != random_game(parameters(), 8, 4)
    assert game != random_game(parameters(), 9, 3)


def test_the_random_player_takes_each_legal_card_equally_often():
    """Each copy counts: seat 1 has two equal cards and another one."""
    values = parameters(hand_size=3, copies=[2] * 9)
    hands = [["B4", "B4", "B4"], ["R4", "R4", "B1"], ["Y1", "Y2", "Y3"], ["G1", "G2", "G3"]]
    counts = Counter()
    for game in range(6000):
        table = twin.Table(values, RANDOM[:4], None, streams.game_stream(3, game))
        counts[twin.play_hands(table, hands)["rounds"][0]["tricks"][0]["plays"][1][1]] += 1
    assert counts.total() == counts["R4"] + counts["B1"] == 6000
    assert abs(counts["R4"] - 4000) < 4 * sqrt(6000 * 2 / 9)


def test_the_random_player_reads_one_word_a_play():
    """The word's number is that of the trick and the seat; the card is that place among the legal ones, rising."""
    record = random_game(parameters(), 4, 1)["rounds"][0]
    stream, hands = streams.game_stream(4, 1), [list(hand) for hand in record["dealt"]]
    for number, trick in enumerate(record["tricks"]):
        for place, (seat, card) in enumerate(trick["plays"]):
            before = twin.Trick(trick["leader"], trick["plays"][:place], trick["leads"][:place])
            legal = twin.legal_cards(parameters(), twin.sort_cards(hands[seat]), before)
            assert card == legal[streams.below(streams.word(stream, number * 8 + seat), len(legal))]
            hands[seat].remove(card)


@each_variant
def test_a_group_of_games_holds_one_hand(variant):
    seats = variant["players"]
    for seat in range(seats):
        records = [twin.play_game(variant, 2, g, RANDOM[:seats], held=(seat, 4)) for g in range(8)]
        hands = [record["rounds"][0]["dealt"] for record in records]
        assert all(dealt[seat] == hands[0][seat] for dealt in hands[:4])
        assert all(dealt[seat] == hands[4][seat] for dealt in hands[4:])
        assert any(dealt != hands[0] for dealt in hands[1:4]) or variant["deck"]["copies"][0] == [0]


# Views


def random_by_hand(variant, stream):
    """Return a `choose` that makes the random player's choices from its view and the stream."""

    def choose(kind, seat, view):
        assert kind == "play"
        trick = twin.Trick(-1, view["trick"], view["leads"])
        legal = twin.legal_cards(variant, view["hand"], trick)
        return legal[streams.below(streams.decision_word(stream, 0, len(view["tricks"]), seat), len(legal))]

    return choose


@each_variant
def test_a_chooser_that_draws_the_same_words_plays_the_same_game(variant):
    seats = variant["players"]
    choose = random_by_hand(variant, streams.game_stream(3, 7))
    mixed = ["mine", "random", "mine", "random", "random", "mine"][:seats]
    expected = random_game(variant, 3, 7)
    assert twin.play_game(variant, 3, 7, ["mine"] * seats, choose) == expected
    assert twin.play_game(variant, 3, 7, mixed, choose) == expected


@each_variant
def test_a_view_holds_what_the_seat_may_know_and_nothing_else(variant):
    seats = variant["players"]
    chooser, seen = random_by_hand(variant, streams.game_stream(3, 0)), []

    def choose(kind, seat, view):
        seen.append((seat, copy.deepcopy(view)))
        answer = chooser(kind, seat, view)
        spoil(view)
        return answer

    record = twin.play_game(variant, 3, 0, ["mine"] * seats, choose)
    assert record == random_game(variant, 3, 0)
    (one,) = record["rounds"]
    assert len(seen) == seats * variant["hand"]["size"]
    for number, (seat, view) in enumerate(seen):
        begun, place = divmod(number, seats)
        trick = one["tricks"][begun]
        assert set(view) == {"hand", "trick", "leads", "locked", "tricks", "taken", "scores", "voids"}
        assert (view["trick"], view["leads"]) == (trick["plays"][:place], trick["leads"][:place])
        assert view["tricks"] == one["tricks"][:begun]
        powers = [card == lead + "*" for (_, card), lead in zip(view["trick"], view["leads"], strict=True)]
        assert view["locked"] == any(powers)
        gone = Counter(card for past in one["tricks"][:begun] for player, card in past["plays"] if player == seat)
        assert Counter(view["hand"]) == Counter(one["dealt"][seat]) - gone
        assert view["hand"] == twin.sort_cards(view["hand"])
        for other in range(seats):
            won = [card for past in view["tricks"] if past["winner"] == other for _, card in past["plays"]]
            assert view["taken"][other] == {
                letter: sum(card[0] == letter for card in won) for letter in view["taken"][other]
            }
            assert view["scores"][other] == max(view["taken"][other].values())
            for letter in view["voids"][other]:  # what it showed is so from then on
                plays = [play for past in view["tricks"] for play in past["plays"]] + view["trick"]
                left = Counter(one["dealt"][other]) - Counter(card for player, card in plays if player == other)
                assert not any(twin.obliges(variant, card, letter) for card in left)


def spoil(value):
    """Empty lists and dictionaries: what a player does to its view stays with the player."""
    if isinstance(value, list | dict):
        for item in list(value.values() if isinstance(value, dict) else value):
            spoil(item)
        value.clear()


def test_voids_are_what_the_plays_show():
    """A card of the lead colour or of a played pattern shows nothing: seat 3 shows nothing in this game."""
    cards, shown = iter(PLAYS.split()), []

    def choose(kind, seat, view):
        shown.append(view["voids"])
        return next(cards)

    table = twin.Table(parameters(hand_size=4), ["mine"] * 4, choose, None)
    twin.play_hands(table, [hand.split() for hand in HANDS])
    assert shown[1] == [[], [], [], []]
    assert shown[4] == [[], ["G"], [], []]
    assert shown[8] == [[], ["B", "G"], [], []]
    assert shown[12] == [[], ["B", "G"], ["B"], []]
    assert shown[15] == [["G"], ["B", "G"], ["B"], []]


@pytest.mark.parametrize("answer", ["R4", "Z9", None, "", "B4 "])
def test_an_answer_against_the_rules_is_refused(answer):
    with pytest.raises(ValueError, match=r"play: .* isn't allowed"):
        scripted_game(["B4 B5", "R9 B1", "R2 R3", "R5 R6"], "B4 R9")
    table = twin.Table(parameters(hand_size=1), ["mine"] * 4, lambda *_: answer, None)
    with pytest.raises(ValueError, match=r"play: .* isn't allowed"):
        twin.play_hands(table, [["B4"], ["B5"], ["B6"], ["B7"]])
