"""What is finished of a run goes to disk, whole and sealed, and a later run goes on from it."""

import json
import shutil
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib import checkpoints
from simlib.checkpoints import Checkpoints, joined, kept_in, meet, missing
from simlib.errors import BadInput, SimlibError
from simlib.sealed import Broken, sealed, unsealed

SEED = 7


@dataclass(frozen=True)
class Study:
    """What checkpoints look at of a study."""

    games: int
    key: str = "a study"
    unit: int = 1
    whole: bool = False
    sums: str = ""
    arms: dict = field(default_factory=dict)


def sums(first: int, games: int) -> dict[str, np.ndarray]:
    numbers = np.arange(first, first + games)
    return {"n": np.int64(games), "sum": numbers.sum(), "parts": np.array([games, numbers.max()])}


def whole(games: int) -> int:
    return games * (games - 1) // 2


def play(kept: Checkpoints, study: Study, *ranges: tuple[int, int]) -> None:
    kept.begin(study, SEED)
    for first, games in ranges:
        kept.keep(study, first, games, sums(first, games))
    kept.flush()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "report"


def test_what_was_finished_is_there_in_the_next_run(folder):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4), (6, 2))
    with kept_in(folder, "OUT=x") as kept:
        found = kept.begin(Study(10), SEED)
        assert found.ranges == [(0, 4), (6, 2)]
        assert missing(found.ranges, 0, 10) == [(4, 2), (8, 2)]
        for first, games in missing(found.ranges, 0, 10):
            kept.keep(Study(10), first, games, sums(first, games))
        assert kept.sums("a study")["sum"] == whole(10)
        kept.clear()
    assert not (folder / checkpoints.FOLDER).exists()


def test_looks_of_a_run_find_their_games_again(folder):
    """A run that was cut off in its second look finds all of the first one, then what it had of the second."""
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(4), (0, 4))
        play(kept, Study(10), (4, 3))
    with kept_in(folder, "OUT=x") as kept:
        assert kept.begin(Study(4), SEED).ranges == [(0, 4)]
        assert kept.sums("a study")["sum"] == whole(4)
        assert kept.begin(Study(10), SEED).ranges == [(0, 7)]
        assert kept.sums("a study")["sum"] == whole(7)


def test_a_look_that_ends_leaves_the_parts_of_earlier_looks(folder):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(4), (0, 4))
        play(kept, Study(10), (4, 6))
    with kept_in(folder, "OUT=x") as kept:
        assert kept.begin(Study(4), SEED).ranges == [(0, 4)]
        assert kept.begin(Study(10), SEED).ranges == [(0, 10)]
        assert kept.sums("a study")["sum"] == whole(10)


def test_nothing_counts_as_finished_once_a_run_leaves(folder):
    told: list[str] = []
    with kept_in(folder, "OUT=x", tell=told.extend) as kept:
        kept.begin(Study(10), SEED)
        kept.keep(Study(10), 0, 4, sums(0, 4))
        left, over = threading.Event(), threading.Event()

        def leave() -> None:
            kept.leave()
            left.set()
            over.wait()  # in a run this thread lives as long as the process

        threading.Thread(target=leave, daemon=True).start()
        left.wait()
        late = threading.Thread(target=kept.keep, args=(Study(10), 4, 6, sums(4, 6)), daemon=True)
        late.start()
        late.join(0.1)
        assert late.is_alive()
        over.set()
    assert told == ["interrupted; what was finished is kept. Run the same command again to go on from there."]
    assert json.loads(part_of(folder).read_text())["body"]["parts"][0]["ranges"] == [[0, 4]]


def test_more_games_go_on_from_fewer_and_fewer_begin_anew(folder):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(6), (0, 3))
    with kept_in(folder, "OUT=x") as kept:
        assert kept.begin(Study(12), SEED).ranges == [(0, 3)]
    with kept_in(folder, "OUT=x") as kept:
        assert kept.begin(Study(5), SEED).ranges == []


def test_games_that_belong_together_are_not_cut_apart(folder):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(6, unit=4), (0, 6))
    with kept_in(folder, "OUT=x") as kept:
        assert kept.begin(Study(6, unit=4), SEED).ranges == [(0, 6)]
        assert kept.begin(Study(12, unit=4), SEED).ranges == []


@pytest.mark.parametrize(
    ("seed", "study", "why"),
    [
        (8, Study(10), "the seed is another one"),
        (SEED, Study(10, whole=True), "the settings are others"),
        (SEED, Study(10, sums="x"), "the settings are others"),
    ],
)
def test_another_seed_or_setting_starts_afresh_and_says_why(folder, seed, study, why):
    told: list[str] = []
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4))
    with kept_in(folder, "OUT=x", tell=told.extend) as kept:
        assert kept.begin(study, seed).ranges == []
    assert told == [f"starting afresh, as {why}"]


def test_other_code_starts_afresh(folder, monkeypatch):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4))
    monkeypatch.setattr("simlib.identity.code_digest", lambda: "other")
    told: list[str] = []
    with kept_in(folder, "OUT=x", tell=told.extend) as kept:
        assert kept.begin(Study(10), SEED).ranges == []
    assert told == ["starting afresh, as the code has changed"]


def test_fresh_leaves_out_what_was_finished(folder):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4))
    with kept_in(folder, "OUT=x", fresh=True) as kept:
        assert kept.begin(Study(10), SEED).ranges == []


def part_of(folder: Path) -> Path:
    (part,) = (folder / checkpoints.FOLDER).glob("part-*.json")
    return part


@pytest.mark.parametrize("damage", ["flip", "cut", "zeros", "empty", "no text"])
def test_a_broken_part_is_found_set_aside_and_told(folder, damage):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4))
    part = part_of(folder)
    content = part.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 4
    broken = {
        "flip": bytes(flipped),
        "cut": content[:-9],
        "zeros": bytes(len(content)),
        "empty": b"",
        "no text": b"\xff",
    }
    part.write_bytes(broken[damage])
    told: list[str] = []
    with kept_in(folder, "OUT=x", tell=told.extend) as kept:
        assert kept.begin(Study(10), SEED).ranges == []
        play(kept, Study(10), (0, 10))
    assert len(told) == 1
    assert "set aside" in told[0]
    assert (part.parent / f"broken-{part.name}").is_file()
    assert json.loads(part_of(folder).read_text())["body"]["parts"][0]["ranges"] == [[0, 10]]


def test_studies_that_end_together_share_a_file_and_are_told_once(folder):
    studies = [Study(4, key=f"study {number}") for number in range(9)]
    with kept_in(folder, "OUT=x") as kept:
        play(kept, studies[0], (0, 3))
        assert part_of(folder).name.endswith("-4.json")
        for study in studies:
            kept.begin(study, SEED)
            for first, games in missing(kept.begin(study, SEED).ranges, 0, 4):
                kept.keep(study, first, games, sums(first, games))
        kept.flush()
        assert not part_of(folder).name.endswith("-4.json")
    with kept_in(folder, "OUT=x") as kept:
        assert [kept.begin(study, SEED).ranges for study in studies] == [[(0, 4)]] * 9
        assert [int(kept.sums(study.key)["sum"]) for study in studies] == [whole(4)] * 9
    told: list[str] = []
    with kept_in(folder, "OUT=x", tell=told.extend) as kept:
        assert [kept.begin(study, SEED + 1).ranges for study in studies] == [[]] * 9
    assert told == ["starting afresh, as the seed is another one"]


def test_what_is_finished_soon_after_other_games_doesnt_wait_for_the_next(folder, monkeypatch):
    monkeypatch.setattr(checkpoints, "EVERY", 0.05)
    with kept_in(folder, "OUT=x") as kept:
        kept.begin(Study(10), SEED)
        kept.keep(Study(10), 0, 4, sums(0, 4))
        until = time.monotonic() + 5
        while not list((folder / checkpoints.FOLDER).glob("part-*.json")) and time.monotonic() < until:
            time.sleep(0.01)
        assert json.loads(part_of(folder).read_text())["body"]["parts"][0]["ranges"] == [[0, 4]]


def test_of_two_files_with_the_same_games_the_fuller_counts(folder):
    """A kill may leave a study's own file beside the one that it ended in."""
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4))
        own, content = part_of(folder), part_of(folder).read_bytes()
        kept.keep(Study(10), 4, 6, sums(4, 6))
        kept.flush()
    own.write_bytes(content)
    with kept_in(folder, "OUT=x") as kept:
        assert kept.begin(Study(10), SEED).ranges == [(0, 10)]
        assert kept.sums("a study")["sum"] == whole(10)


def test_what_a_killed_process_left_half_written_goes(folder):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4))
    halves = [folder / ".run.json.x1y2.half", folder / "unfinished" / ".part-1.json.zz.half", folder / ".own"]
    for half in halves:
        half.write_text("{")
    with kept_in(folder, "OUT=x") as kept:
        assert kept.begin(Study(10), SEED).ranges == [(0, 4)]
        assert [half.exists() for half in halves] == [False, False, True]


def test_a_folder_that_is_removed_while_a_run_plays_stays_so(folder):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4))
        shutil.rmtree(folder)
        kept.keep(Study(10), 4, 1, sums(4, 1))
        with pytest.raises(SimlibError, match="OUT=x: the folder was removed while the run was playing"):
            kept.flush()
    assert not folder.exists()


def test_a_lock_that_another_run_took_meanwhile_is_no_longer_ones_own(folder):
    with kept_in(folder, "OUT=x") as kept:
        play(kept, Study(10), (0, 4))
        shutil.rmtree(folder)
        with kept_in(folder, "OUT=x") as other:
            play(other, Study(10), (0, 9))
            kept.keep(Study(10), 4, 1, sums(4, 1))
            with pytest.raises(SimlibError, match="removed"):
                kept.flush()
            assert json.loads(part_of(folder).read_text())["body"]["parts"][0]["ranges"] == [[0, 9]]


def test_every_flipped_bit_is_found():
    text = sealed({"n": 12, "sums": [1, 2, 3]})
    assert unsealed(text) == {"n": 12, "sums": [1, 2, 3]}
    for at in range(len(text)):
        for bit in range(7):
            flipped = text[:at] + chr(ord(text[at]) ^ 1 << bit) + text[at + 1 :]
            with pytest.raises(Broken):
                unsealed(flipped)


def test_two_runs_in_one_folder_are_kept_apart(folder):
    with (
        kept_in(folder, "OUT=x"),
        pytest.raises(BadInput, match="OUT=x: another run is writing there"),
        kept_in(folder, "OUT=x"),
    ):
        pass
    with kept_in(folder, "OUT=x"):
        pass


def test_a_folder_that_is_none_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="OUT=x: can't be written"), kept_in(tmp_path / "file", "OUT=x"):
        pass


def test_without_a_folder_all_is_kept_in_memory():
    kept = Checkpoints()
    play(kept, Study(4), (0, 4))
    play(kept, Study(6), (4, 2))
    assert kept.sums("a study")["sum"] == whole(6)


@given(st.sets(st.integers(0, 40)), st.integers(0, 20), st.integers(0, 60))
def test_missing_is_what_ranges_leave_out(games, first, last):
    ranges = joined([(game, 1) for game in sorted(games)])
    left = missing(ranges, first, last)
    assert {game for begin, count in left for game in range(begin, begin + count)} == set(range(first, last)) - games
    assert not meet(ranges, left)
    assert all(count > 0 for _, count in left)


def test_a_study_of_the_real_kind_has_an_identity():
    """Its digests are of what the sums depend on: the same study has the same, another player another."""
    from simlib.games import game_named, make_variant
    from simlib.hooks import seated
    from simlib.identity import identity, why_other

    known = game_named("suppose").module("players").PLAYERS
    variant = make_variant(game_named("suppose"))
    one, other = (
        Study(
            4,
            arms={
                "a": SimpleNamespace(variant=variant, players=(seated(name, known, ""),) * 4, held=-1, completions=1)
            },
        )
        for name in ("random", "greedy")
    )
    assert identity(one, 1) == identity(one, 1)
    assert why_other(identity(one, 1), identity(other, 1)) == "the settings are others"
    assert why_other(identity(one, 1), identity(one, 2)) == "the seed is another one"
