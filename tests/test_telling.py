"""Tales of recorded games say what the records hold, in every language.

Two short games of each game are kept in words in ``tests/told``. Where a change of words is meant, write them again by

    python tests/test_telling.py
"""

import json
import random
import re
from pathlib import Path

import pytest

from benchmarks.soak.chunks import draw_arm
from simlib import records
from simlib.batch import Arm, columns_of, play_whole
from simlib.cli import main
from simlib.games import games, make_variant
from simlib.hooks import seated
from simlib.languages import languages, speaking
from simlib.telling import as_text, side_by_side_as_text, told_side_by_side

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.jsonl"))
TOLD = Path(__file__).parent / "told"
WINS = {"en": "Seat {} wins", "ja": "席{}の勝ち"}
NAMES = {"TAKE"}  # of a game
SHORT = {
    "suppose": {"players": 3, "rounds": 1, "hand.size": 3, "hand.visible": [2]},
    "gara_tori": {"hand.size": 4},
    "take_trick": {"players": 3, "rounds.max": 1, "hand.size": 4},
}
SEED, GAMES = 3, 2
DRAWN, EACH = 40, 5  # random variants, and games of each
COUNTED = {  # columns of the row, and how a tale tells of what they count
    "suppose": {},
    "gara_tori": {
        "turns": r"turns the lead from",
        "locks": r" locked the trick\.",
        "void_plays": r"Seat \d, (?:void in|not obliged)",
        "specials_without_power": r"has no power",
    },
    "take_trick": {
        "trump_wins": r"wins: \S+ is the (?:only trump|earliest of \d+ trumps)",
        "extras_taken": r"as one more|as its extra card",
        "gifts_offered": r"may not have \S+ besides",
        "gifts_accepted": r"accepts:",
        "gifts_forced": r"must refuse",
        "gifts_refused": r"though it may accept",
    },
}


def told(record, language="en"):
    with speaking(language):
        return records.told(record)


def read(path):
    with path.open("rb") as lines:
        return list(records.accepted(lines))


def tricks_of(record):
    return [trick for played in record["rounds"] for trick in played["tricks"]]


def tricks_in(tale):
    return [part for part in tale.parts if part.is_trick]


def latin(text, record):
    """Return what is left of another language's text in Latin letters, but names and cards."""
    for name in sorted({*record["players"], record["variant"]}, key=len, reverse=True):
        text = text.replace(name, "")
    return set(re.findall(r"[A-Za-z]{2,}", text)) - NAMES


def check(record):
    """Check what holds of every tale: each trick and its winner, and no word of another language."""
    for language in languages():
        tale = told(record, language)
        tricks, parts = tricks_of(record), tricks_in(tale)
        assert len(parts) == len(tricks)
        for trick, part in zip(tricks, parts, strict=True):
            assert part.outcome[0].startswith(WINS[language].format(trick["winner"]))
            assert all(play[-1] in line for play, line in zip(trick["plays"], part.lines, strict=True))
        text = as_text(tale)
        assert not re.search(r"[{}]|\bNone\b|\bnan\b", text)
        assert language == "en" or not latin(text, record)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_all_recorded_games_are_told(path):
    for record in read(path):
        check(record)


@pytest.mark.kernel
@pytest.mark.parametrize("name", games())
def test_games_of_random_variants_are_told_and_what_is_told_adds_up_to_their_rows(name):
    source = random.Random(11)
    seen = dict.fromkeys(COUNTED[name], 0)
    for _ in range(DRAWN):
        arm = draw_arm(games()[name], source, mixed=False)
        played = play_whole(arm, SEED, 0, EACH)
        for number, row in enumerate(played.rows.tolist()):
            record = records.parse(records.line_of(arm, SEED, number, played.tables[number], played.secrets[number]))
            check(record)
            row, text = dict(zip(columns_of(arm.variant), row, strict=True)), as_text(told(record))
            for column, phrase in COUNTED[name].items():
                assert len(re.findall(phrase, text)) == row[column], column
                seen[column] += row[column]
    assert all(seen.values())  # else nothing was compared


# ---- each game's own -----------------------------------------------------------------------------------------------


def test_suppose_tells_what_the_holder_of_a_hand_sees_and_whose_tricks_are_guessed():
    record = read(TOLD.parent / "recorded/suppose_classic_3.jsonl")[0]
    tale, (first, *_) = told(record), record["rounds"]
    hand = first["hands"][2]
    shown = [f"[{card}]" if place in (0, 5, 10) else card for place, card in enumerate(hand["layout"])]
    one, other = hand["bid"]
    assert f"Seat 0 gets {' '.join(shown)} from seat 2, which guesses that seat 0 wins {one} or {other} tricks." in (
        tale.parts[1].lines
    )
    for trick, part in zip(tricks_of(record), tricks_in(tale), strict=True):
        for (seat, position, card), line in zip(trick["plays"], part.lines, strict=True):
            seen = "seen" if position in (1, 6, 11) else "unseen"
            assert line.startswith(f"Seat {seat}: {card} ({seen} by it) ")


def test_suppose_tells_scores_that_are_no_whole_numbers():
    arm = arm_of("suppose", {"bid.single": 2.75, "bid.double": 1.5, "score.trick": 0.5, "rounds": 1, "hand.size": 2})
    texts = [as_text(records.told(records.parse(line))) for line in records.written(arm, 1, 20)]
    assert all(
        "A trick pays 0.5 points; a right bid with one guess 2.75 points, with two 1.5 points." in t for t in texts
    )
    assert any("0.5 points for 1 trick" in text and ": right, 1.5 points" in text for text in texts)


def trick_lines(cards, hands, **settings):
    """Return a trick of Gara-tori in words, and why it was won; seat 0 leads, and each seat holds a hand."""
    variant = make_variant(games()["gara_tori"], settings={"players": 4, **settings})
    module = games()["gara_tori"].module("telling")
    judged = games()["gara_tori"].module("referee").Trick(variant.parameters)
    leads = []
    for card, hand in zip(cards, hands, strict=True):
        judged.add(parsed(card), is_void=bool(judged.cards) and judged.is_void([parsed(text) for text in hand.split()]))
        leads.append(judged.lead)
    trick = {"leader": 0, "plays": [[seat, card] for seat, card in enumerate(cards)], "leads": leads}
    trick |= {"locked": judged.lock is not None, "winner": judged.winner()}
    played = {"dealer": 0, "dealt": [hand.split() for hand in hands], "tricks": [trick]}
    played |= {"taken": [dict.fromkeys("RBGY", 0)] * 4, "points": [0] * 4}
    part = next(part for part in module.rounds({"rounds": [played]}, variant.parameters) if part.is_trick)
    return [line.partition(": ")[2] for line in part.lines], part.outcome[0]


def parsed(text):
    return games()["gara_tori"].module("telling").card_of(text)


@pytest.mark.parametrize(
    ("cards", "does", "why"),
    [
        (
            ["B4", "Y4", "Y10", "R10"],
            ["B4 leads blue", "Y4 turns the lead from blue to yellow: pattern 4 lies there", "Y10 follows",
             "R10 turns the lead from yellow to red: pattern 10 lies there"],
            "Seat 3 wins: R10 is the only red card.",
        ),
        (
            ["G6", "B6", "B3", "G3"],
            ["G6 leads green", "B6 turns the lead from green to blue: pattern 6 lies there", "B3 follows",
             "G3 turns the lead from blue to green: pattern 3 lies there"],
            "Seat 0 wins: G6 is the highest green card, counted though the lead turned to its colour later.",
        ),
        (
            ["B4", "B13", "B*", "G13"],
            ["B4 leads blue", "B13 follows", "B* locks the trick: it is a special of the lead colour",
             "G13 has a pattern that lies there, but the trick is locked"],
            "Seat 2 wins: B* locked the trick.",
        ),
    ],
)  # fmt: skip
def test_gara_tori_tells_the_sheets_examples(cards, does, why):
    hands = [f"{card} {other}" for card, other in zip(cards, ["B4", "B5", "Y1", "B9"], strict=True)]
    assert trick_lines(cards, hands) == (does, why)


def test_gara_tori_tells_why_a_seat_need_not_follow_and_when_it_turns_nothing():
    cards, hands = ["B4", "Y4", "R7", "B5"], ["B4", "Y4 B*", "R7 Y1", "B5"]
    lines, why = trick_lines(cards, hands, **{"lead.void_match_turns": False, "follow.special_counts": False})
    assert lines[1] == "Y4 has a pattern that lies there, but a seat that can't follow doesn't turn the lead"
    assert lines[2] == "R7 is thrown away"
    assert why == "Seat 3 wins: B5 is the highest blue card."


def test_gara_tori_tells_a_special_without_power_and_a_lead_that_stays():
    lines, _ = trick_lines(["B4", "Y9", "B9", "R*"], ["B4", "Y9", "B9", "R*"], **{"lead.void_match_turns": False})
    assert lines[1:] == ["Y9 is thrown away", "B9 follows; pattern 9 lies there, so blue stays the lead",
                         "R* has no power: blue leads"]  # fmt: skip


@pytest.mark.parametrize("path", [path for path in RECORDED if "take_trick" in path.stem], ids=lambda path: path.stem)
def test_take_trick_tells_the_scores_after_each_trick(path):
    for record in read(path):
        for trick, part in zip(tricks_of(record), tricks_in(told(record)), strict=True):
            for line in part.outcome:
                if line.startswith("Scores: "):
                    assert [int(score) for score in re.findall(r"(\d+) \(seat", line)] == trick["scores"]


def test_take_trick_tells_each_colours_scoring_as_it_adds_up():
    for record in read(TOLD.parent / "recorded/take_trick_classic_4.jsonl"):
        scored = [part for part in told(record).parts if part.title.endswith("is scored")]
        for played, part in zip(record["rounds"], scored, strict=True):
            points = [0] * len(record["players"])
            for line in part.lines:
                for who, earned in re.findall(r"((?:seat \d(?:, | and )?)+) ha(?:s|ve) [^;]*?(\d+) points?", line):
                    for seat in re.findall(r"\d", who):
                        points[int(seat)] += int(earned)
            assert points == played["points"]


@pytest.mark.parametrize(
    ("scores", "winners", "words"),
    [
        ([26, 27, 28], [0], "Seat 0 wins: of those that have reached 25 it is the nearest to it, with 26 points."),
        ([26, 1, 2], [0], "Seat 0 wins: it alone has reached 25, with 26 points."),
        ([26, 26, 2], [0, 1], "Seat 0 and seat 1 share the win: of those that have reached 25 they are the nearest"),
        ([7, 9, 9], [1, 2], "Seat 1 and seat 2 share the win: nobody has reached 25, and 9 points is the highest"),
        ([7, 9, 8], [1], "Seat 1 wins: nobody has reached 25, and 9 points is the highest score."),
    ],
)
def test_take_trick_tells_why_a_game_is_won(scores, winners, words):
    rules = make_variant(games()["take_trick"], settings={"players": 3}).parameters
    ending = games()["take_trick"].module("telling").ending({"scores": scores, "winners": winners}, rules)
    assert ending.startswith(words)


# ---- kept tales ----------------------------------------------------------------------------------------------------


def arm_of(name, settings):
    game = games()[name]
    variant = make_variant(game, settings=settings)
    return Arm(variant, (seated("greedy", game.module("players").PLAYERS, "test"),) * variant.parameters.players)


def short(name, language):
    found = records.written(arm_of(name, SHORT[name]), SEED, GAMES)
    return "\n".join(as_text(told(records.parse(line), language)) for line in found)


@pytest.mark.kernel
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", games())
def test_short_games_are_told_as_they_were(name, language):
    assert short(name, language) == (TOLD / f"{name}.{language}.txt").read_text(encoding="utf-8")


# ---- side by side --------------------------------------------------------------------------------------------------


def test_a_game_beside_itself_is_the_same_and_told_once():
    tale = told(read(RECORDED[0])[0])
    beside = told_side_by_side(tale, tale, ("A", "B"))
    assert all(row.same for row in beside.rows)
    assert [row.one for row in beside.rows] == list(tale.parts)
    assert side_by_side_as_text(beside) == as_text(tale).partition("\n\n")[2]


def test_a_longer_game_has_moments_that_the_shorter_one_lacks():
    one, other = (told(read(path)[0]) for path in RECORDED if path.stem in ("suppose_classic_3", "suppose_classic_4"))
    beside = told_side_by_side(one, other, ("three", "four"))
    assert [row.other.key for row in beside.rows] == [part.key for part in other.parts]
    alone = [row for row in beside.rows if row.one is None]
    assert {row.other.key[0] for row in alone} == {4}
    text = side_by_side_as_text(beside)
    assert text.count("[three] ") == len(one.parts)
    assert text.count("[four] ") == len(other.parts)


# ---- verbs ---------------------------------------------------------------------------------------------------------


def test_tell_tells_a_file_of_records(capsys):
    assert main(["tell", str(RECORDED[0])]) == 0
    assert capsys.readouterr().out == "".join(f"{as_text(told(record))}\n" for record in read(RECORDED[0]))
    assert main(["tell", str(RECORDED[0]), "--language", "ja"]) == 0
    assert capsys.readouterr().out == "".join(f"{as_text(told(record, 'ja'))}\n" for record in read(RECORDED[0]))


def test_tell_tells_a_game_from_the_table_with_its_players_names(tmp_path, capsys):
    record = json.loads(RECORDED[0].read_text(encoding="utf-8").splitlines()[0])
    record |= {"seed": None, "index": None, "players": ["はぎぞう", "red", "nothing", "{seat}"]}
    (tmp_path / "own.jsonl").write_text(json.dumps(record), encoding="utf-8")
    assert main(["tell", str(tmp_path / "own.jsonl"), "--language=ja"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("== 柄取り（classic）：卓上でプレイされたゲーム ==\n")  # noqa: RUF001
    assert "席0（はぎぞう）、席1（red）、席2（nothing）、席3（{seat}）" in out  # noqa: RUF001


def test_tell_stops_at_the_first_fault_as_verify_words_it(tmp_path, capsys):
    first, second, _ = RECORDED[0].read_text(encoding="utf-8").splitlines()
    file = tmp_path / "faulty.jsonl"
    file.write_text("\n".join([first, second.replace('"locked": true', '"locked": false', 1), first]), encoding="utf-8")
    assert main(["verify", str(file)]) == 1
    fault = capsys.readouterr().out.splitlines()[1]
    assert main(["tell", str(file)]) == 1
    out, err = capsys.readouterr()
    assert out == as_text(told(json.loads(first))) + "\n"
    assert err == f"simlib: {fault}\n"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["tell", "nowhere.jsonl"], "nowhere.jsonl: can't be read: No such file or directory"),
        (["tell", str(RECORDED[0]), "--language=jp"], "--language: unknown language 'jp' (allowed: en, ja)"),
        (["record", "suppose", "--language=ja"], "--language ja: it is for --text, which is missing"),
        (["record", "suppose", "--text", "--language=de"], "--language: unknown language 'de' (allowed: en, ja)"),
        (["record", "suppose", "--index=-1"], "--index = '-1': it must be a whole number from 0 to 1_000_000_000_000"),
    ],
)
def test_bad_input_is_one_line(arguments, fault, capsys):
    assert main(arguments) == 2
    assert capsys.readouterr() == ("", f"simlib: {fault}\n")


@pytest.mark.kernel
def test_record_tells_games_and_begins_at_any_number(capsys):
    typed = ["record", "gara_tori", "--seed=4", "--policy=greedy"]
    assert main([*typed, "--games=3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main([*typed, "--games=2", "--index=1"]) == 0
    assert capsys.readouterr().out.splitlines() == lines[1:]
    assert main([*typed, "--games=1", "--index=2", "--text", "--language=ja"]) == 0
    assert capsys.readouterr().out == as_text(told(json.loads(lines[2]), "ja")) + "\n"


if __name__ == "__main__":
    TOLD.mkdir(exist_ok=True)
    for name in games():
        for language in languages():
            (TOLD / f"{name}.{language}.txt").write_text(short(name, language), encoding="utf-8")
