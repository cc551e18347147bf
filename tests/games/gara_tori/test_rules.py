"""Gara-tori's rules, clause by clause and by the sheet's examples, through the compiled hooks."""

from dataclasses import dataclass

import numpy as np
import pytest
from numba import njit

from simlib import play
from simlib.cards import deck_with_specials, token_or_special
from simlib.games import game_named, make_variant
from simlib.games.gara_tori import rules as kernel
from simlib.games.gara_tori.rules import clear_counts, count_choices, find_legal, lay_card
from simlib.hooks import close_trick, open_trick

pytestmark = pytest.mark.kernel
GAME = game_named("gara_tori")
LETTERS = "RBGYPO"
PLAYERS = GAME.module("players")
play.adopt(kernel, PLAYERS)


@njit
def play_script(rules_, table_, secret_, seats_, script, legal):
    rules, table, secret, seats = rules_[0], table_[0], secret_[0], seats_[0]
    clear_counts(rules, table, secret)
    for number in range(script.shape[0]):
        table.trick = number
        trick, seat = open_trick(rules, table), table.leader
        for place in range(rules.players):
            view = seats.views[seat]
            find_legal(rules, view, trick)
            legal[number, place, :] = view.legal
            if place:
                count_choices(secret, view)
            trick = lay_card(rules, table, view, trick, seat, place, script[number, place])
            seat = (seat + 1) % rules.players
        close_trick(rules, table, secret, seats, trick, (np.uint64(0), np.uint64(1)))


@dataclass
class Played:
    """What a script of tricks led to; `legal` holds each play's choices as text, copies as often as they are held."""

    leads: list[str]
    legal: list[list[list[str]]]
    winners: list[int]
    locked: list[bool]
    table: np.void
    secret: np.void


def played(tricks: list[str], hands: list[str] | None = None, **settings) -> Played:
    """Play tricks such as ``"B4 Y4 Y10 R10"``, the leader's card first; `hands` hold more than what is played."""
    variant = make_variant(GAME, settings={key.replace("__", "."): value for key, value in settings.items()})
    parameters = variant.parameters
    deck = [token_or_special(c, LETTERS) for c in deck_with_specials(parameters.deck.copies, parameters.deck.specials)]
    scripted: list[int] = []
    for trick in tricks:
        for card in trick.split():
            scripted.append(next(p for p, token in enumerate(deck) if token == card and p not in scripted))
    script = np.array(scripted, np.uint64).reshape(len(tricks), -1)
    rules = kernel.rules_array(parameters)
    table, secret, seats = (np.zeros(1, kind) for kind in (kernel.TABLE, kernel.SECRET, kernel.SEATED))
    if hands is None:
        assert len(tricks) == 1
        hands = tricks[0].split()
    free = scripted + [place for place in range(len(deck)) if place not in scripted]
    for seat, hand in enumerate(hands):
        for card in hand.split():
            place = next(place for place in free if deck[place] == card)
            free.remove(place)
            seats["views"]["hand"][0, seat, place // 64] |= np.uint64(1 << place % 64)
    legal = np.zeros((*script.shape, kernel.WORDS), np.uint64)
    play_script(rules, table, secret, seats, script, legal)
    result = table[0]
    return Played(
        leads=["".join(LETTERS[c] for c in row[: parameters.players]) for row in result["leads"][: len(tricks)]],
        legal=[[cards_in(words, deck) for words in row] for row in legal],
        winners=result["winners"][: len(tricks)].tolist(),
        locked=[bool(locked) for locked in result["locked"][: len(tricks)]],
        table=result,
        secret=secret[0],
    )


def cards_in(words: np.ndarray, deck: list[str]) -> list[str]:
    return [card for place, card in enumerate(deck) if int(words[place // 64]) >> place % 64 & 1]


def test_example_1_the_lead_turns_twice_and_red_10_wins() -> None:
    game = played(["B4 Y4 Y10 R10"])
    assert (game.leads, game.winners, game.locked) == (["BYYR"], [3], [False])
    assert game.table["turns_at_place"].tolist() == [0, 1, 0, 1, 0, 0]
    assert game.table["tricks_with_turns"].tolist() == [0, 0, 1, 0, 0, 0]


def test_example_2_the_lead_turns_back_and_green_6_wins() -> None:
    game = played(["G6 B6 B3 G3"])
    assert (game.leads, game.winners, game.locked) == (["GBBG"], [0], [False])


def test_example_3_the_special_ro_holds_the_lead_and_wins() -> None:
    game = played(["B4 B13 B* G13"])
    assert (game.leads, game.winners, game.locked) == (["BBBB"], [2], [True])
    assert game.table["locks"] == game.table["specials_with_power"] == 1


def test_a_follower_may_play_the_lead_colour_or_a_played_pattern() -> None:
    game = played(["B4 Y4 Y7 Y2"], ["B4", "B1 B2 Y4 R3", "R4 R5 Y7 G4 R*", "Y2 G7 R7 G3 Y*"])
    assert game.legal[0][1] == ["B1", "B2", "Y4"]
    assert game.legal[0][2] == ["R4", "G4", "Y7"]
    assert game.legal[0][3] == ["R7", "G7", "Y*", "Y2"]


def test_the_leader_may_play_anything() -> None:
    game = played(["B4 Y4 Y7 Y2"], ["B4 R* G3", "Y4", "Y7", "Y2"])
    assert game.legal[0][0] == ["R*", "B4", "G3"]


def test_a_void_seat_may_play_anything() -> None:
    game = played(["B4 Y5 B7 B2"], ["B4", "Y5 R4 G*", "B7", "B2"])
    assert game.legal[0][1] == ["R4", "G*", "Y5"]
    assert game.secret["void_plays"] == 1
    assert game.secret["follower_choices"] == 5


def test_a_pattern_thrown_off_the_lead_counts_as_played() -> None:
    game = played(["B4 Y5 G5 G9"])
    assert (game.leads, game.winners) == (["BBGG"], [3])


def test_cards_of_the_final_lead_that_were_played_before_it_turned_count() -> None:
    game = played(["B4 G12 R4 G4"])
    assert (game.leads, game.winners) == (["BBRG"], [1])


def test_a_card_of_a_played_pattern_may_be_played_in_a_locked_trick_but_turns_nothing() -> None:
    game = played(["B4 B* G4 R4"], ["B4", "B*", "G4 B7 Y3", "R4 B1"])
    assert game.legal[0][2] == ["B7", "G4"]
    assert game.legal[0][3] == ["R4", "B1"]
    assert (game.leads, game.winners, game.locked) == (["BBBB"], [1], [True])


def test_leading_a_special_locks() -> None:
    game = played(["B* B15 B14 B1"])
    assert (game.leads, game.winners, game.locked) == (["BBBB"], [0], [True])


def test_a_special_on_the_lead_after_it_turned_locks() -> None:
    game = played(["B4 G4 G* B5"], ["B4", "G4", "G*", "B5"])
    assert (game.leads, game.winners, game.locked) == (["BGGG"], [2], [True])


def test_a_special_off_the_lead_has_no_power() -> None:
    game = played(["B4 G* R5 B2"])
    assert (game.leads, game.winners, game.locked) == (["BBBB"], [0], [False])
    assert (game.table["specials_with_power"], game.table["specials_without_power"]) == (0, 1)


def test_a_special_stays_without_power_when_the_lead_turns_to_its_colour() -> None:
    game = played(["B4 G* G4 G1"])
    assert (game.leads, game.winners, game.locked) == (["BBGG"], [2], [False])
    game = played(["B1 G* R9 G1"])  # even rank 1 of its colour is higher
    assert (game.leads, game.winners) == (["BBBG"], [3])


def test_a_special_never_matches_a_special() -> None:
    game = played(["B4 G* R* B1"], ["B4", "G*", "R* Y3", "B1"])
    assert game.legal[0][2] == ["R*", "Y3"]
    assert (game.leads, game.winners, game.locked) == (["BBBB"], [0], [False])
    game = played(["B* B1 G3 G*"], ["B*", "B1", "G3", "G* B2"])
    assert game.legal[0][3] == ["B2"]


@pytest.mark.parametrize(("turns", "leads", "winner"), [(True, "BGG", 2), (False, "BBB", 0)])
def test_a_void_seat_turns_the_lead_unless_reading_g2_says_no(turns: bool, leads: str, winner: int) -> None:
    game = played(["B4 G4 G9 R1"], lead__void_match_turns=turns)
    assert (game.leads, game.winners) == ([leads + leads[-1]], [winner])


def test_a_seat_that_is_not_void_turns_the_lead_whatever_reading_g2_says() -> None:
    game = played(["B4 G4 G9 G1"], ["B4", "G4 B1", "G9", "G1"], lead__void_match_turns=False)
    assert (game.leads, game.winners) == (["BGGG"], [2])


def test_without_g2_the_pattern_of_a_void_seat_still_counts_as_played() -> None:
    game = played(["B4 G5 R5 R1"], ["B4", "G5", "R5 B1", "R1"], lead__void_match_turns=False)
    assert (game.leads, game.winners) == (["BBRR"], [2])


def test_a_special_obliges_unless_reading_g3_says_no() -> None:
    hands = ["B4", "B* R1 G4", "B2", "B3"]
    assert played(["B4 B* B2 B3"], hands).legal[0][1] == ["B*", "G4"]
    game = played(["B4 B* B2 B3"], hands, follow__special_counts=False)
    assert game.legal[0][1] == ["R1", "B*", "G4"]
    assert (game.winners, game.locked, game.secret["void_plays"]) == ([1], [True], 1)


def test_without_g3_a_special_may_follow_beside_cards_that_oblige() -> None:
    game = played(["B4 B* B2 B3"], ["B4", "B* B9 R1", "B2", "B3"], follow__special_counts=False)
    assert game.legal[0][1] == ["B*", "B9"]
    assert game.secret["void_plays"] == 0


def test_without_g3_a_seat_that_holds_only_the_special_is_void_for_g2() -> None:
    settings = {"follow__special_counts": False, "lead__void_match_turns": False}
    game = played(["B4 G4 B9 B1"], ["B4", "G4 B*", "B9", "B1"], **settings)
    assert (game.leads, game.winners) == (["BBBB"], [2])


def test_of_two_specials_the_first_that_locks_wins() -> None:
    game = played(["B4 B* B* B15"], deck__specials=2)
    assert (game.leads, game.winners, game.locked) == (["BBBB"], [1], [True])
    assert (game.table["locks"], game.table["specials_with_power"]) == (1, 2)
    game = played(["B4 G* G4 G*"], deck__specials=2)  # the first without power
    assert (game.leads, game.winners, game.locked) == (["BBGG"], [3], [True])


def test_of_equal_copies_the_first_wins() -> None:
    game = played(["B4 B9 B9 B3"], deck__copies=2)
    assert (game.leads, game.winners) == (["BBBB"], [1])


def test_a_copy_of_the_lead_turns_it_to_itself() -> None:
    game = played(["B4 B4 B3 B2"], deck__copies=2)
    assert (game.leads, game.winners, game.table["tricks_with_turns"][0]) == (["BBBB"], [0], 1)


def test_each_copy_is_a_choice() -> None:
    game = played(["B4 B9 B1 B3"], ["B4", "B9 B9 B4 R2", "B1", "B3"], deck__copies=3)
    assert game.legal[0][1] == ["B4", "B9", "B9"]


def test_the_winner_leads_and_takes_the_cards() -> None:
    game = played(["B4 Y4 Y10 R10", "R1 R9 G9 B2"], ["B4 R9", "Y4 G9", "Y10 B2", "R10 R1"])
    assert game.winners == [3, 1]  # seat 3 leads R1; seat 1's green 9 turns the lead and is the highest green
    assert game.table["taken"][3, :4].tolist() == [1, 1, 0, 2]
    assert game.table["taken"][1, :4].tolist() == [2, 1, 1, 0]


def test_six_seats_and_a_deck_of_four_words() -> None:
    settings = {"players": 6, "deck__colours": 6, "deck__ranks": 32, "deck__specials": 10}
    game = played(["O32 P32 P* R32 P31 R1"], ["O32", "P32", "P*", "R32 G32 G1 P30", "P31", "R1"], **settings)
    assert game.legal[0][3] == ["R32", "G32", "P30"]
    assert (game.leads, game.winners, game.locked) == (["OPPPPP"], [2], [True])
