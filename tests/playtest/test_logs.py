"""Logs: what people and spreadsheets write is read; what can't have been is one line that says what could."""

import json
import os
import re
from pathlib import Path

import pytest

from simlib.errors import BadInput
from simlib.games import game_named, games, make_variant
from simlib.playtest import own_part
from simlib.playtest.logs import COLUMNS, MOST_BYTES, MOST_GAMES, played_from, read_log

RECORDED = Path(__file__).parent.parent / "recorded"


def log_of(tmp_path, content, game="take_trick", **settings):
    path = tmp_path / "g.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def variant_for(players):
        return make_variant(game_named(game), settings={"players": players} | settings, where="SET")

    return read_log(path, game, variant_for, "LOG=g.csv")


def fault_of(tmp_path, content, game="take_trick", **settings):
    with pytest.raises(BadInput) as fault:
        log_of(tmp_path, content, game, **settings)
    told = str(fault.value)
    assert "\n" not in told and len(told) < 400
    return told


# ---- what is read --------------------------------------------------------------------------------------------------


PLAIN = "players,scores,winner,start,note\n3,23/26/17,1,2,first\n4,9/9/3/8,0/1,,\n"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        "sep=;\n" + PLAIN.replace(",", ";"),
        '"sep=,"\r\n' + PLAIN,
        re.sub(r"([^,\n]+)", r'"\1"', PLAIN),
        PLAIN + ",,,,\n\n,,,,\n",
        "\n" + PLAIN,
        PLAIN.replace("note\n", "note,,\n"),
        PLAIN.replace("players,scores", " Players ,SCORES"),
        PLAIN.replace("23/26/17", " 23 / 26.0 / 17,0 ".replace(",0", ".00")),
        PLAIN.replace("23/26/17,1,2", "２３／２６／１７,１,２"),  # noqa: RUF001
        "score 0,Score-1,score_2,score_3,winner,start,note\n23,26,17,,1,2,first\n9,9,3,8,0/1,,\n",
    ],
)
def test_spreadsheets_habits_change_nothing(content, tmp_path):
    first, second = log_of(tmp_path, content)
    assert (first.scores, first.winners, first.start, first.note) == ((23, 26, 17), (1,), 2, "first")
    assert (second.scores, second.winners, second.start, second.note) == ((9, 9, 3, 8), (0, 1), None, "")
    assert played_from(json.loads(json.dumps(first.plain()))) == first


def test_lines_are_those_of_the_file(tmp_path):
    told = log_of(tmp_path, '\nscores,note\n23/26/17,"two\nlines"\n\n9/9/8,x\n')
    assert [game.line for game in told] == [3, 6]
    assert told[0].note == "two lines"
    assert "line 6, scores" in fault_of(tmp_path, '\nscores,note\n23/26/17,"two\nlines"\n\n9/9/x,y\n')


@pytest.mark.parametrize("text", ["NA", "null", "None", "nan", "0", "=SUM(A1)", "<b>$x$", "竹取"])
def test_text_stays_as_it_is(text, tmp_path):
    (told,) = log_of(tmp_path, f"scores,names,date,note\n23/26/17,{text}/Bob/NA,{text},{text}\n")
    assert (told.names, told.date, told.note) == ((text, "Bob", "NA"), text, text)


def test_a_winner_may_be_named(tmp_path):
    told = log_of(tmp_path, "names,scores,winner\nAnn/Bob/Cid,23/26/17,Bob\nAnn/Bob/Cid,9/9/8,Bob/Ann\nA/B/C,9/8/7,0\n")
    assert [game.winners for game in told] == [(1,), (0, 1), (0,)]


def test_a_decimal_comma_is_a_decimal_point(tmp_path):
    (told,) = log_of(tmp_path, "scores;note\n18,5/16/13,5;\n", "suppose", **{"bid.double": 2.5})
    assert told.scores == (37, 32, 27)


BIDS = {"tricks_0": "3/4/4", "tricks_1": "4/4/3", "tricks_2": "4/3/4", "bids_0": "4/4-5/9", "bids_1": "0/0/4",
        "bids_2": "3+5/0/1"}  # fmt: skip
RIGHT = {"scores": "18/16/13"} | BIDS  # tricks 11, 11, 11; right: 5 + 2, 5, 2


def line_of(cells):
    return ";".join(cells) + "\n" + ";".join(cells.values()) + "\n"


def test_bids_and_tricks_are_counted(tmp_path):
    (told,) = log_of(tmp_path, line_of(RIGHT), "suppose")
    assert told.counts == {"right bids": 4, "bids with two guesses": 2}
    without = {key: text for key, text in RIGHT.items() if not key.startswith("tricks")}
    assert log_of(tmp_path, line_of(without), "suppose")[0].counts == {"bids with two guesses": 2}


def test_gifts_are_counted_as_far_as_they_are_told(tmp_path):
    told = log_of(
        tmp_path,
        "scores,rounds,gifts_offered,gifts_accepted,ended_by_gift\n25/14/19,2,9,6,TRUE\n18/26/12,,,4,\n11/2/9,3,,,no\n",
    )
    assert [game.counts for game in told] == [
        {"rounds": 2, "gifts offered": 9, "gifts accepted": 6, "ended by a gift": 1, "target reached": 1},
        {"gifts accepted": 4, "target reached": 1},
        {"rounds": 3, "ended by a gift": 0, "target reached": 0},
    ]


@pytest.mark.parametrize("name", ["suppose_classic_3", "gara_tori_classic_5", "take_trick_classic_6"])
def test_records_are_read(name, tmp_path):
    game = name.rpartition("_classic")[0]
    content = (RECORDED / f"{name}.jsonl").read_bytes()
    told = log_of(tmp_path, content, game)
    wanted = [json.loads(line) for line in content.splitlines()]
    assert [list(one.winners) for one in told] == [record["winners"] for record in wanted]
    assert [list(one.scores) for one in told] == [record["scores"] for record in wanted]
    assert {one.start for one in told} == {0}


# ---- what is refused -----------------------------------------------------------------------------------------------

TAKE_TRICK = {  # lines below the heads, by what the fault says
    "scores,winner": {
        "23/26/17,0": "line 2, winner: '0': it must be 1 (of those at the target the nearest to it wins, else the "
        "highest score, and the scores are 23/26/17)",
        "27/26/17,0": "line 2, winner: '0': it must be 1",
        "9/9/3,0": "line 2, winner: '0': it must be 0/1",
        "9/9/3,Ann": "line 2, winner: 'Ann': it must be 0/1",
        "-3/26/17,1": "line 2, scores: '-3': it must be a whole number of points from 0 to 60",
        "23.5/26/17,1": "line 2, scores: '23.5': it must be a whole number of points from 0 to 60",
        "23/26/61,1": "line 2, scores: '61': it must be a whole number of points from 0 to 60",
        "23/26/1e9,1": "line 2, scores: '1e9': it must be",
        "23/26/_5,1": "line 2, scores: '_5': it must be",
        "23/26/NA,1": "line 2, scores: 'NA': it must be",
        "23/26/,1": "line 2, scores: '': it must be",
        "23/26,1": "line 2, players: 2: it must be a whole number from 3 to 6",
        "23,0": "line 2, players: 1: it must",
        "1/2/3/4/5/6/7,0": "line 2, players: 7: it must",
        "12/10/2026,2": "line 2, scores: '2026': it must be",
        ",1": "line 2, scores: empty: it must hold all final scores, or score_0, score_1, ... one each",
        "23/26/17,1,2": "line 2: '2' stands in column 3, which has no name",
        '23/26/17,"1': "line 2: not CSV: unexpected end of data",
    },
    "score_0,score_1,score_2,scores": {
        "23,26,17,23/26/17": "line 2, scores: '23/26/17': it must be empty where score_0 and the others aren't",
        "23,,17,": "line 2, score_1: '': it must be a whole number of points from 0 to 60",
        "23,26,99,": "line 2, score_2: '99': it must be a whole number of points from 0 to 60",
        '23,26,"1,000",': "line 2, score_2: '1,000': it must be a whole number of points",
    },
    "scores,players,start,names": {
        "23/26/17,4,,": "line 2, players: '4': it must be 3",
        "23/26/17,,3,": "line 2, start: '3': it must be a whole number from 0 to 2",
        "23/26/17,,,Ann/Bob": "line 2, names: 'Ann/Bob': it must be 3 names, as there are scores",
    },
    "scores,rounds,gifts_offered,gifts_accepted,ended_by_gift": {
        "23/24/17,2,,,": "line 2, rounds: 2: nobody reached the target of 25, so it must be 3",
        "23/26/17,4,,,": "line 2, rounds: '4': it must be a whole number from 1 to 3",
        "23/26/17,2,3,4,": "line 2, gifts_accepted: 4: it must be at most the 3 that were offered",
        "23/26/17,2,61,,": "line 2, gifts_offered: '61': it must be a whole number from 0 to 60",
        "23/26/17,2,3,,yes": "line 2, ended_by_gift: yes: the highest score must be 25 after such a gift, not 26",
        "23/24/17,3,3,,yes": "line 2, ended_by_gift: yes: the highest score must be 25 after such a gift, not 24",
        "23/25/17,2,3,0,yes": "line 2, ended_by_gift: yes: no accepted gift gave points, so it must be no",
        "23/25/17,2,3,1,perhaps": "line 2, ended_by_gift: 'perhaps': it must be yes or no",
    },
}


@pytest.mark.parametrize(
    ("head", "line", "wanted"), [(head, line, told) for head, own in TAKE_TRICK.items() for line, told in own.items()]
)
def test_a_faulty_line_is_told(head, line, wanted, tmp_path):
    assert fault_of(tmp_path, f"{head}\n{line}\n").startswith(f"LOG=g.csv: {wanted}")


def changed(**cells):
    return line_of(RIGHT | cells)


SUPPOSE = {
    changed(scores="17/16/13"): "score",
    changed(scores="19/16/13"): "scores: 19: it must be made of its 11 tricks and its bonuses: 18",
    changed(bids_2=""): "bids_2: empty, while bids_0 isn't: it must be given for all seats or for none",
    changed(bids_2="3/0"): "bids_2: '3/0': it must have 3 parts, one a round, set off by /",
    changed(bids_2="3-5"): "bids_2: '3-5': it must have 3 parts, one a round, set off by /",
    changed(
        bids_2="05-Mar"
    ): "bids_2: '05-Mar': it must have 3 parts, one a round, set off by / (if a spreadsheet made "
    "a date of it, format the column as text)",
    changed(bids_2="3-5-6/0/1"): "bids_2: '3-5-6': it must be one or two different counts",
    changed(bids_2="3-3/0/1"): "bids_2: '3-3': it must be one or two different counts",
    changed(bids_2="/0/1"): "bids_2: '': it must be one or two different counts",
    changed(bids_2="12/0/1"): "bids_2: '12': it must be a whole number from 0 to 11",
    changed(tricks_0="3/4/5"): "tricks_0: the tricks of all seats, 5/3/4 in round 3 add up to 12: it must be 11",
    changed(tricks_0="3/4/-4"): "tricks_0: '-4': it must be a whole number from 0 to 11",
    "scores\n30/20/100\n": "scores: '100': it must be a whole number of points from 0 to 48",
    "scores\n48/0/1\n": "scores: 48/0/1: they must be made of 33 tricks of all seats and bonuses of 5 or 2",
    "scores\n4/4/4\n": "scores: 4/4/4: they must be made of 33 tricks of all seats",
    "score_0,score_1,score_2\n4,4,4\n": "score_0 and the others: 4/4/4: they must be made of 33 tricks of all seats",
    "scores,tricks_0,tricks_1,tricks_2\n12/11/11,3/4/4,4/4/3,4/3/4\n": "scores: 12: it must be made of its 11 tricks "
    "and its bonuses: 11, 13, 15, 16, 17, 18, 20, 21, 23, 26",
}


@pytest.mark.parametrize(("content", "wanted"), SUPPOSE.items(), ids=range(len(SUPPOSE)))
def test_scores_that_bids_and_tricks_can_not_make_are_told(content, wanted, tmp_path):
    assert fault_of(tmp_path, content, "suppose").startswith(f"LOG=g.csv: line 2, {wanted}")


def test_scores_that_no_tricks_make_are_told(tmp_path):
    settings = {"bid.single": 7, "bid.double": 7, "score.trick": 5}
    told = fault_of(tmp_path, "scores\n55/58/77\n", "suppose", **settings)
    assert "scores: 58: it must be made of up to 33 tricks at 5 and up to 3 bonuses of 7 or 7" in told


GARA_TORI = {
    "scores\n17/4/4/4\n": "scores: '17': it must be a whole number of points from 0 to 16",
    "scores\n16/16/9/0\n": "scores: 16/16/9/0: they need 11 tricks at least, and there are 10",
    "scores\n2/2/2/1\n": "scores: 2/2/2/1: they need 7 tricks at most, and there are 10",
    "scores,turns\n6/6/6/5,31\n": "turns: '31': it must be a whole number from 0 to 30",
    "scores,locks\n6/6/6/5,5\n": "locks: '5': it must be a whole number from 0 to 4",
}


@pytest.mark.parametrize(("content", "wanted"), GARA_TORI.items(), ids=range(len(GARA_TORI)))
def test_cards_that_no_tricks_bring_are_told(content, wanted, tmp_path):
    assert fault_of(tmp_path, content, "gara_tori").startswith(f"LOG=g.csv: line 2, {wanted}")


def test_heads_are_told(tmp_path):
    assert "line 1: unknown column 'winer'; did you mean 'winner'? (allowed: date, ended_by_gift" in fault_of(
        tmp_path, "scores,winer\n23/26/17,1\n"
    )
    assert "line 1: unknown column '23/26/17' (allowed" in fault_of(tmp_path, "23/26/17,1\n")
    assert "line 1: unknown column 'bids_0'" in fault_of(tmp_path, "scores,bids_0\n23/26/17,1\n")
    assert "line 1: two columns are named winner" in fault_of(tmp_path, "scores,winner,Winner\n23/26/17,1,1\n")
    assert "line 1: column 'score_' lacks its seat, such as score_0" in fault_of(tmp_path, "score_\n23\n")


def test_files_that_are_none_are_told(tmp_path):
    assert fault_of(tmp_path, "") == "LOG=g.csv: it holds no games"
    assert fault_of(tmp_path, "scores\n") == "LOG=g.csv: it holds no games"
    assert "not UTF-8 text (byte 1); save it as CSV UTF-8" in fault_of(tmp_path, PLAIN.encode("utf-16"))
    assert "not UTF-8 text (byte 3)" in fault_of(tmp_path, b"sc\xe9\n")
    assert "not CSV: it holds a zero byte" in fault_of(tmp_path, b"scores\n1/2/\x003\n")
    with pytest.raises(BadInput, match="LOG: can't be read: No such file"):
        read_log(tmp_path / "none", "suppose", lambda players: None, "LOG")
    with pytest.raises(BadInput, match="LOG: can't be read: Is a directory"):
        read_log(tmp_path, "suppose", lambda players: None, "LOG")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="LOG: a pipe, not a file"):
        read_log(tmp_path / "pipe", "suppose", lambda players: None, "LOG")


def test_logs_are_bounded(tmp_path):
    line = "23/26/17\n"
    assert len(log_of(tmp_path, "scores\n" + line * MOST_GAMES)) == MOST_GAMES
    assert f"line {MOST_GAMES + 2}: more than the 10,000 games" in fault_of(
        tmp_path, "scores\n" + line * (MOST_GAMES + 1)
    )
    filled = "scores,note\n" + f"23/26/17,{'x' * 100_000}\n" * 10
    assert "larger than 1,000,000 bytes, the most a CSV log may have" in fault_of(tmp_path, filled)
    assert "the most a log of records may have" in fault_of(tmp_path, b"{" + b" " * MOST_BYTES["a log of records"])
    (told,) = log_of(tmp_path, f"scores,note\n23/26/17,{'x' * 50_000}\n")
    assert len(told.note) == 500


def record(**changes):
    line = (RECORDED / "take_trick_classic_3.jsonl").read_text().splitlines()[0]
    return json.dumps(json.loads(line) | changes) + "\n"


def test_a_faulty_record_is_told_by_its_line(tmp_path):
    first = json.loads(record())
    assert "line 2: record: winners is" in fault_of(tmp_path, record() + record(winners=[0, 1, 2]))
    assert "line 3: not JSON" in fault_of(tmp_path, record() + "\n{oops\n")
    assert "line 1, game: 'take_trick': it must be 'gara_tori'" in fault_of(tmp_path, record(), "gara_tori")
    other = fault_of(tmp_path, record(), **{"score.target": 30})
    assert "line 1, parameters: score.target is 25: it must be 30, as in the variant" in other
    assert "players:" not in other and len(first["players"]) == 3


@pytest.mark.parametrize("game", games())
def test_the_guide_explains_every_column(game):
    guide = (Path(__file__).parent.parent.parent / "docs/playtest-logs.md").read_text(encoding="utf-8")
    for name in [*COLUMNS, *own_part(game).COLUMNS]:
        assert f"`{name}0`" in guide if name.endswith("_") else f"`{name}`" in guide
