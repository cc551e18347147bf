"""The twin checked against published vectors, worked examples and what symmetry says must come out."""

import copy
import itertools
from collections import Counter
from decimal import Decimal
from math import prod, sqrt

import pytest
from reference import streams, suppose

RANDOM = ["random"] * 4
GAMES = 1000


def parameters(players=4, **changes):
    """Return the classic parameters; a change is spelled `bid_double=3`."""
    row = [2, 2, 1, 1, 2, 2] if players == 3 else [2] * 6
    values = {
        "players": players,
        "deck": {"colours": 4, "ranks": 6, "copies": [list(row) for _ in range(4)]},
        "hand": {"size": 11, "visible": [1, 6, 11]},
        "bid": {"single": Decimal(5), "double": Decimal(2), "min_guesses": 1},
        "score": {"trick": Decimal(1)},
        "rounds": players,
    }
    for name, value in changes.items():
        table, _, key = name.partition("_")
        if key:
            values[table][key] = value
        else:
            values[table] = value
    return values


VARIANTS = {
    "classic": parameters(),
    "three players": parameters(3),
    "nothing shown, no bid needed": parameters(hand_visible=[], bid_min_guesses=0),
    "two guesses needed, all shown": parameters(hand_visible=list(range(1, 12)), bid_min_guesses=2),
    "one card each": parameters(3, hand_size=1, hand_visible=[1], rounds=7),
    "sixteen colours, uneven": parameters(
        deck_colours=16,
        deck_ranks=5,
        deck_copies=[[colour % 2, 1, 3, 0, 1] for colour in range(16)],
        hand_size=22,
        hand_visible=[2, 3],
        bid_single=Decimal("2.5"),
        bid_double=Decimal("0.35"),
        score_trick=Decimal("1.01"),
        rounds=3,
    ),
}
each_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


@pytest.fixture(scope="module")
def classic_games():
    return [suppose.play_game(parameters(), 1, game, RANDOM) for game in range(GAMES)]


def assert_even(counts, outcomes):
    """Every outcome came up, and about equally often: chi-squared within five deviations of its mean."""
    assert set(counts) == set(outcomes)
    expected = sum(counts.values()) / len(outcomes)
    chi_squared = sum((counts[outcome] - expected) ** 2 / expected for outcome in outcomes)
    freedom = len(outcomes) - 1
    assert abs(chi_squared - freedom) < 5 * sqrt(2 * freedom)


# Streams


def test_mix64_gives_the_published_splitmix64_vectors():
    outputs = [streams.mix64(1234567 + streams.GOLDEN * (i + 1)) for i in range(5)]
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_words_of_a_seeded_generator_are_javas():
    """Expected: `new SplittableRandom(42)`, its first results of `nextLong()`, unsigned."""
    generator = streams.Stream(key=42, gamma=streams.GOLDEN)
    assert [streams.word(generator, number) for number in range(5)] == [
        13679457532755275413,
        2949826092126892291,
        5139283748462763858,
        6349198060258255764,
        701532786141963250,
    ]


@pytest.mark.parametrize(
    ("index", "words"),
    [
        (0, [10935710480581630005, 5410762927873577580, 1172002037136309321, 11491879662333683734]),
        (1, [3560513699464660653, 11175718582628761012, 10894745456756060486, 3698307485615401173]),
        (2, [10740246198314165639, 13242479359923272039, 7342218267636925894, 2593931550450272134]),
        # steps whose bits change too seldom, so that every second one is flipped
        (9, [7684364287154217377, 9044732110776406050, 9286700251003146944, 1520196561132887234]),
        (120, [13261529191868544375, 16481754605439767748, 2314953124314870484, 3423656586305601365]),
        (123, [14892077782723204598, 11218583562864987264, 12037422676202382446, 2333102020864987337]),
    ],
)
def test_splits_are_javas(index, words):
    """Expected: `nextLong()` of the results of `split()` on `new SplittableRandom(42)`, numbered from 0."""
    stream = streams.split(42, index)
    assert [streams.word(stream, number) for number in range(4)] == words


@pytest.mark.parametrize(
    ("seed", "game", "words"),
    [
        (0, 0, [14480195893461266090, 5245973309325354536, 799132880948246345]),
        (0, 1, [15374456873508047791, 18125877906777308492, 7026148405290507768]),
        (1, 0, [711707610700221950, 13445022547319494478, 13873176787707119998]),
        (1, 1, [15126716317532825536, 15820693098226035401, 18264085764118349072]),
        (2**64 - 1, 1, [16853509191372934777, 10763270419205921039, 11574537441627936571]),
    ],
)
def test_game_streams_are_javas(seed, game, words):
    """Expected: splits of `new SplittableRandom(new SplittableRandom(seed).nextLong())`."""
    stream = streams.game_stream(seed, game)
    assert [streams.word(stream, number) for number in range(3)] == words


def test_decisions_and_deals_never_share_a_word():
    stream = streams.game_stream(1, 0)
    decisions = {
        streams.decision_word(stream, r, step, seat) for r in range(3) for step in range(20) for seat in range(8)
    }
    deals = {w for r in range(3) for w in itertools.islice(streams.deal_words(stream, r), 50)}
    held = {w for r in range(3) for w in itertools.islice(streams.held_deal_words(stream, r), 50)}
    assert len(decisions | deals | held) == 3 * 20 * 8 + 3 * 50 + 3 * 50


def test_accept_refuses_words_of_an_incomplete_last_share():
    """With n = 3 * 2**62, the quarter of the words that 4 divides is refused."""
    n = 3 * 2**62
    assert streams.accept(5, n) == 5
    later = streams.mix64(8 + streams.GOLDEN)
    while later % 4 == 0:
        later = streams.mix64(later + streams.GOLDEN)
    assert streams.accept(8, n) == later


def test_draws_are_the_digits_of_one_number():
    """Draws with bounds b1, b2, .. are the mixed-radix digits of one draw below their product."""
    bounds = [48, 47, 5, 1, 12]
    for number in range(200):
        random_word = streams.word(streams.Stream(7, streams.GOLDEN), number)
        value = 0
        for digit, bound in zip(streams.draws(random_word, bounds), bounds, strict=True):
            assert 0 <= digit < bound
            value = value * bound + digit
        assert value == streams.below(random_word, prod(bounds))


@pytest.mark.parametrize(
    ("largest", "most", "bounds"),
    [
        (48, 44, [48, 47, 46, 45, 44, 43, 42, 41]),
        (40, 4, [40, 39, 38, 37]),
        (4, 4, [4, 3, 2, 1]),
        (2**20, 9, [2**20, 2**20 - 1]),
        (2**24 + 1, 9, [2**24 + 1]),
        (2**50, 9, [2**50]),
    ],
)
def test_a_word_serves_the_longest_run_of_bounds(largest, most, bounds):
    assert streams.shared_bounds(largest, most) == bounds


def test_a_product_at_the_limit_still_shares_a_word(monkeypatch):
    monkeypatch.setattr(streams, "LARGEST_PRODUCT", 12)
    assert streams.shared_bounds(4, 4) == [4, 3]
    assert streams.shared_bounds(5, 4) == [5]


def test_shuffle_reaches_each_order_equally_often():
    counts = Counter()
    for game in range(4800):
        cards = list("abcd")
        streams.shuffle(cards, 3, streams.deal_words(streams.game_stream(3, game), 0))
        counts["".join(cards)] += 1
    assert_even(counts, ["".join(order) for order in itertools.permutations("abcd")])


# The random player


def words(number):
    stream = streams.game_stream(4, 0)
    return (streams.word(stream, i) for i in range(number))


def test_random_order_is_even():
    counts = Counter("".join(suppose.random_order(list("RBGY"), word)) for word in words(4800))
    assert_even(counts, ["".join(order) for order in itertools.permutations("RBGY")])
    assert suppose.random_order(["B"], 2**63) == ["B"]


@pytest.mark.parametrize("min_guesses", [0, 1, 2])
def test_random_bid_is_even(min_guesses):
    legal = [bid for guesses in range(min_guesses, 3) for bid in itertools.combinations(range(12), guesses)]
    counts = Counter(tuple(suppose.random_bid(11, min_guesses, word)) for word in words(50 * len(legal)))
    assert_even(counts, legal)


def test_random_bid_takes_the_bids_in_order():
    """The order is none, singles, pairs; a word is read as a share of 2**64."""
    assert suppose.random_bid(11, 0, 2**60) == [3]  # 79 / 16 = 4.9: none, then 0, 1, 2, 3
    assert suppose.random_bid(11, 0, 2**57) == []
    assert suppose.random_bid(11, 1, 2**57) == [0]
    assert suppose.random_bid(11, 2, 2**63 + 2**40) == [0, 1]  # then 0 of 12, and 0 of 11 steps over it


def test_taking_a_position_moves_the_last_one_into_its_place():
    positions = [1, 2, 3, 4]
    assert suppose.take(positions, 1) == 2
    assert positions == [1, 4, 3]
    assert suppose.take(positions, 2) == 3
    assert positions == [1, 4]


# Rules


def test_layout_groups_colours_and_lets_ranks_fall():
    cards = ["R2", "B10", "R6", "B9", "R2", "Y1"]
    assert suppose.layout(cards, ["B", "Y", "R"]) == ["B10", "B9", "Y1", "R6", "R2", "R2"]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (["R4", "R6", "B6", "R5"], 3),
        (["R4", "R6", "R6", "R6"], 3),  # of equal cards, the earliest
        (["R1", "B6", "G6", "Y6"], 2),  # other colours never win
        (["R9", "R10", "B1", "R2"], 3),  # ranks are numbers, not text
    ],
)
def test_trick_winner(cards, winner):
    plays = [[seat, 1, card] for seat, card in zip([2, 3, 0, 1], cards, strict=True)]
    assert suppose.trick_winner(plays) == winner


def test_scoring_of_a_round_worked_by_hand():
    """Seat 0 guesses seat 1's tricks, and so on; seat 3 guesses seat 0's."""
    scored = suppose.score_round(parameters(), [[4], [1, 2], [0], [2, 3]], [3, 4, 2, 2], [10, 0, 1, 2])
    assert scored == {"bonus": [5, 2, 0, 2], "points": [8, 6, 2, 4], "totals": [18, 6, 3, 6]}


def test_scoring_with_broken_points_is_exact():
    values = parameters(bid_single=Decimal("0.1"), bid_double=0.2, score_trick=Decimal("0.25"))
    scored = suppose.score_round(values, [[1], [0, 1], [], [5]], [1, 1, 1, 0], [0.7, 0.05, 0, 2.75])
    assert scored == {"bonus": [0.1, 0.2, 0, 0], "points": [0.35, 0.45, 0.25, 0], "totals": [1.05, 0.5, 0.25, 2.75]}
    assert [type(amount) for amount in scored["points"]] == [float, float, float, int]


def test_equal_totals_share_the_win():
    values = parameters(3, score_trick=0, bid_single=0, bid_double=0)
    assert suppose.play_game(values, 1, 0, RANDOM[:3])["winners"] == [0, 1, 2]


@pytest.mark.parametrize(("players", "cards", "in_play"), [(4, 48, 44), (3, 40, 33)])
def test_deck_facts(players, cards, in_play):
    values = parameters(players)
    deck = suppose.new_deck(values)
    assert len(deck) == cards
    assert deck[:4] == ["R1", "R1", "R2", "R2"]
    assert deck.count("Y3") == deck.count("B4") == (1 if players == 3 else 2)
    record = suppose.play_game(values, 5, 0, ["random"] * players)
    assert sum(len(trick["plays"]) for trick in record["rounds"][0]["tricks"]) == in_play
    assert all(sum(played["tricks_won"]) == 11 for played in record["rounds"])


@each_variant
def test_a_game_holds_together(variant):
    """Deck, layout, turn order, gaps and sums, told from the record alone."""
    seats, size = variant["players"], variant["hand"]["size"]
    record = suppose.play_game(variant, 6, 0, ["random"] * seats)
    assert len(record["rounds"]) == variant["rounds"]
    for number, played in enumerate(record["rounds"]):
        assert played["start"] == played["tricks"][0]["leader"] == number % seats
        cards = Counter(card for hand in played["hands"] for card in hand["layout"])
        assert cards <= Counter(suppose.new_deck(variant))
        assert cards.total() == seats * size
        for hand in played["hands"]:
            groups = [letter for letter, _ in itertools.groupby(card[0] for card in hand["layout"])]
            assert hand["layout"] == suppose.layout(hand["layout"], groups)
            assert hand["holder"] == (hand["maker"] + 1) % seats
            assert hand["bid"] == sorted(set(hand["bid"]))
            assert variant["bid"]["min_guesses"] <= len(hand["bid"]) <= 2
        made = {hand["holder"]: hand["layout"] for hand in played["hands"]}
        seen = [play for trick in played["tricks"] for play in trick["plays"]]
        assert sorted(play[:2] for play in seen) == [[s, p] for s in range(seats) for p in range(1, size + 1)]
        assert all(card == made[seat][position - 1] for seat, position, card in seen)
        for trick, following in itertools.pairwise(played["tricks"]):
            assert following["leader"] == trick["winner"]
        for trick in played["tricks"]:
            assert [play[0] for play in trick["plays"]] == [(trick["leader"] + i) % seats for i in range(seats)]
        assert Counter(trick["winner"] for trick in played["tricks"]) == {
            seat: won for seat, won in enumerate(played["tricks_won"]) if won
        }
    assert record["scores"] == record["rounds"][-1]["totals"]
    assert record["scores"] == pytest.approx([sum(r["points"][s] for r in record["rounds"]) for s in range(seats)])


def test_games_depend_on_seed_and_number_alone():
    game = suppose.play_game(parameters(), 8, 3, RANDOM)
    assert game == suppose.play_game(parameters(), 8, 3, RANDOM)
    assert game != suppose.play_game(parameters(), 8, 4, RANDOM)
    assert game != suppose.play_game(parameters(), 9, 3, RANDOM)


def test_random_seats_score_what_symmetry_says(classic_games):
    """Each seat wins 11 tricks a game on average and earns 27/78 a round with a bid that knows nothing.

    Of the 78 bids, equally likely whatever is played, one single and 11 pairs name any given count:
    (5 + 11 * 2) / 78 points. Each seat starts one round, so no seat is better off.
    """
    expected = 11 + 4 * 27 / 78
    for seat in range(4):
        scores = [record["scores"][seat] for record in classic_games]
        mean = sum(scores) / GAMES
        deviation = sqrt(sum((score - mean) ** 2 for score in scores) / (GAMES - 1))
        assert abs(mean - expected) < 4 * deviation / sqrt(GAMES)
    assert sum(sum(record["scores"]) for record in classic_games) / GAMES == pytest.approx(4 * expected, abs=0.5)


# Held hands


@each_variant
def test_a_group_of_games_holds_one_hand(variant):
    seats = variant["players"]
    for seat in range(seats):
        records = [suppose.play_game(variant, 2, g, ["random"] * seats, held=(seat, 4)) for g in range(8)]
        hands = [sorted(record["rounds"][0]["hands"][seat]["layout"]) for record in records]
        assert all(hand == hands[0] for hand in hands[:4])
        assert all(hand == hands[4] for hand in hands[4:])
        others = [str(record["rounds"][0]["hands"][(seat + 1) % seats]["layout"]) for record in records]
        assert len(set(others)) > 1
        for record in records:
            cards = Counter(card for hand in record["rounds"][0]["hands"] for card in hand["layout"])
            assert cards <= Counter(suppose.new_deck(variant))


def test_holding_a_hand_is_as_fair_as_dealing_it():
    """Over all groups every split of six different cards is equally likely, the held hand's included."""
    values = parameters(3, deck_colours=1, deck_copies=[[1] * 6], hand_size=2, hand_visible=[1], rounds=1)
    splits = set()
    for order in itertools.permutations(range(1, 7)):
        splits.add(tuple(tuple(sorted(order[i : i + 2])) for i in (0, 2, 4)))
    for completions in (1, 3):
        counts = Counter()
        for game in range(3600):
            table = suppose.Table(values, 5, game, RANDOM, None, (1, completions), streams.game_stream(5, game))
            counts[tuple(tuple(sorted(int(card[1:]) for card in hand)) for hand in suppose.deal(table, 0))] += 1
        assert set(counts) == splits
        if completions == 1:
            assert_even(counts, splits)


# Views


def random_by_hand(variant, stream):
    """Return a `choose` that makes the random player's choices from its view and the stream."""

    def choose(kind, seat, view):
        step = {"arrange": 0, "bid": 1, "play": 2 + len(view.get("plays", [])) // variant["players"]}[kind]
        word = streams.decision_word(stream, view["round"], step, seat)
        if kind == "arrange":
            return suppose.random_order(sorted({card[0] for card in view["dealt"]}, key=suppose.LETTERS.index), word)
        if kind == "bid":
            return suppose.random_bid(len(view["dealt"]), variant["bid"]["min_guesses"], word)
        positions = list(range(1, len(view["made"]) + 1))
        for player, position, _ in view["plays"]:
            if player == seat:
                suppose.take(positions, positions.index(position))
        return positions[streams.below(word, len(positions))]

    return choose


@each_variant
def test_a_chooser_that_draws_the_same_words_plays_the_same_game(variant):
    seats = variant["players"]
    choose = random_by_hand(variant, streams.game_stream(3, 7))
    mixed = ["mine", "random", "mine", "random"][:seats]
    expected = suppose.play_game(variant, 3, 7, ["random"] * seats)
    assert suppose.play_game(variant, 3, 7, ["mine"] * seats, choose) == expected
    assert suppose.play_game(variant, 3, 7, mixed, choose) == expected


@each_variant
def test_a_view_holds_what_the_seat_may_know_and_nothing_else(variant):
    seats, visible = variant["players"], variant["hand"]["visible"]
    chooser, seen = random_by_hand(variant, streams.game_stream(3, 0)), []

    def choose(kind, seat, view):
        seen.append((kind, seat, copy.deepcopy(view)))
        answer = chooser(kind, seat, view)
        for value in view.values():  # what a player does to its view stays with the player
            if isinstance(value, list):
                value.clear()
        return answer

    record = suppose.play_game(variant, 3, 0, ["mine"] * seats, choose)
    assert record == suppose.play_game(variant, 3, 0, ["random"] * seats)
    always = {"round", "start", "scores"}
    playing = {"made", "bid", "hands", "unplayed", "plays", "trick", "tricks_won"}
    keys = {"arrange": {"dealt"}, "bid": {"dealt", "layout"}, "play": playing}
    for kind, seat, view in seen:
        played = record["rounds"][view["round"]]
        before = record["rounds"][view["round"] - 1]["totals"] if view["round"] else [0] * seats
        assert set(view) == always | keys[kind]
        assert (view["start"], view["scores"]) == (played["start"], before)
        own = played["hands"][seat]
        if kind != "play":
            assert sorted(view["dealt"]) == sorted(own["layout"])
            assert view.get("layout", own["layout"]) == own["layout"]
            continue
        assert (view["made"], view["bid"]) == (own["layout"], own["bid"])
        begun, rest = divmod(len(view["plays"]), seats)
        history = [play for trick in played["tricks"] for play in trick["plays"]]
        assert view["plays"] == history[: len(view["plays"])]
        assert view["trick"] == played["tricks"][begun]["plays"][:rest]
        assert view["tricks_won"] == [sum(t["winner"] == s for t in played["tricks"][:begun]) for s in range(seats)]
        gone = {(player, position) for player, position, _ in view["plays"]}
        assert view["unplayed"] == [p for p in range(1, len(own["layout"]) + 1) if (seat, p) not in gone]
        for hand in played["hands"]:
            holder = hand["holder"]
            for position, card in enumerate(hand["layout"], start=1):
                faces_holder = position in visible
                known = seat == hand["maker"] or faces_holder == (seat == holder) or (holder, position) in gone
                assert view["hands"][holder][position - 1] == (card if known else None)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("arrange", ["R", "B"]),
        ("arrange", ["R", "B", "G", "Y", "Y"]),
        ("bid", []),
        ("bid", [3, 2]),
        ("bid", [2, 2]),
        ("bid", [1, 2, 3]),
        ("bid", [12]),
        ("play", 0),
        ("play", 12),
    ],
)
def test_an_answer_against_the_rules_is_refused(kind, answer):
    chooser = random_by_hand(parameters(), streams.game_stream(1, 0))

    def choose(asked, seat, view):
        return answer if asked == kind else chooser(asked, seat, view)

    with pytest.raises(ValueError, match=f"{kind}.*isn't allowed"):
        suppose.play_game(parameters(), 1, 0, ["mine", *RANDOM[1:]], choose)


# Measures


def test_row_counts_what_any_classic_game_has(classic_games):
    for record in classic_games[:50]:
        row = suppose.row(record)
        assert (row["leader_plays"], row["follower_plays"]) == (44, 132)
        assert (row["leader_choices"], row["follower_choices"]) == (4 * 66, 3 * 4 * 66)
        assert sum(row[f"won_from_place_{place}"] for place in range(4)) == 44
        assert [row[f"start_{r}"] for r in range(4)] == [0, 1, 2, 3]
        for seat in range(4):
            assert row[f"win_{seat}"] == (row[f"score_{seat}"] == max(record["scores"]))
            earned = sum(
                row[f"tricks_{r}_{seat}"] + row[f"hit_{r}_{seat}"] * [0, 5, 2][row[f"guesses_{r}_{seat}"]]
                for r in range(4)
            )
            assert row[f"score_{seat}"] == earned


def test_row_of_a_game_worked_by_hand():
    """Three players, two cards each, one round; a hit counts even where it pays nothing."""
    record = {
        "rounds": [
            {
                "start": 0,
                "hands": [
                    {"maker": 0, "holder": 1, "layout": ["R3", "B1"], "bid": [1]},
                    {"maker": 1, "holder": 2, "layout": ["R3", "B2"], "bid": [0, 2]},
                    {"maker": 2, "holder": 0, "layout": ["R1", "R2"], "bid": []},
                ],
                "tricks": [
                    {"leader": 0, "plays": [[0, 2, "R2"], [1, 1, "R3"], [2, 1, "R3"]], "winner": 1},
                    {"leader": 1, "plays": [[1, 2, "B1"], [2, 2, "B2"], [0, 1, "R1"]], "winner": 2},
                ],
                "tricks_won": [0, 1, 1],
                "bonus": [0, 0, 0],
                "points": [0, 1, 1],
                "totals": [0, 1, 1],
            }
        ],
        "scores": [0, 1, 1],
        "winners": [1, 2],
    }
    expected = {"leader_plays": 2, "leader_choices": 3, "follower_plays": 4, "follower_choices": 6, "start_0": 0}
    expected |= {"score_0": 0, "score_1": 1, "score_2": 1, "win_0": 0, "win_1": 1, "win_2": 1}
    expected |= {"won_from_place_0": 0, "won_from_place_1": 2, "won_from_place_2": 0}
    expected |= {"tricks_0_0": 0, "tricks_0_1": 1, "tricks_0_2": 1}
    expected |= {"guesses_0_0": 1, "guesses_0_1": 2, "guesses_0_2": 0}
    expected |= {"low_0_0": 1, "low_0_1": 0, "low_0_2": -1, "high_0_0": -1, "high_0_1": 2, "high_0_2": -1}
    expected |= {"hit_0_0": 1, "hit_0_1": 0, "hit_0_2": 0, "ranks_0_0": 4, "ranks_0_1": 5, "ranks_0_2": 3}
    assert suppose.row(record) == expected
