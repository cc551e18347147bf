"""Per-game rows as files: all formats tell the same, and what the kernel played."""

import errno
import importlib.util
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simlib import rows
from simlib.batch import Arm, columns_of, play_arm
from simlib.cli import main
from simlib.errors import BadInput, SimlibError
from simlib.estimates.means import mean
from simlib.games import game_named, make_variant
from simlib.hooks import seated

pytestmark = pytest.mark.kernel
GAME = game_named("suppose")
GAMES, SEED = 100, 11


@pytest.fixture(scope="module")
def arm() -> Arm:
    variant = make_variant(GAME, settings={"players": 3, "bid.double": 2.5})
    player = seated("random", GAME.module("players").PLAYERS, "test")
    return Arm(variant, (player,) * 3)


@pytest.fixture(scope="module")
def played(arm: Arm) -> pd.DataFrame:
    return pd.DataFrame(play_arm(arm, SEED, 0, GAMES), columns=columns_of(arm.variant))


@pytest.mark.parametrize("cells", [1, 3000, 1 << 20])
def test_all_formats_hold_what_the_kernel_played(arm, played, tmp_path: Path, monkeypatch, cells: int) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr("simlib.batch.CHUNK_CELLS", cells)
    for ending in rows.WRITERS:
        rows.write(tmp_path / f"r{ending}", arm, SEED, GAMES, 2, quiet=True)
    numbered = played.copy()
    numbered.insert(0, "game", np.arange(GAMES))
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "r.csv"), numbered, check_dtype=False)
    parquet = pd.read_parquet(tmp_path / "r.parquet")
    pd.testing.assert_frame_equal(parquet, numbered.astype({"game": "int64"}))
    with np.load(tmp_path / "r.npz") as archive:
        assert archive.files == list(played.columns)
        for name in archive.files:
            assert archive[name].dtype == np.int32
            np.testing.assert_array_equal(archive[name], played[name])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.csv", "r.npz", "r.parquet"]


def test_means_are_those_of_the_rows(arm, played, capsys) -> None:
    told = rows.means(arm, SEED, GAMES, 2, quiet=True)
    assert list(told["columns"]) == list(played.columns)
    for name, entry in told["columns"].items():
        column = played[name].astype(np.int64)
        wanted = mean(int(column.sum()), int((column**2).sum()), GAMES)
        assert entry["mean"] == pytest.approx(column.mean(), abs=1e-12)
        assert (entry["n"], entry["sum"]) == (GAMES, column.sum())
        assert [entry["low"], entry["high"]] == pytest.approx([wanted.low, wanted.high])
    command = ["simulate", "suppose", "--players=3", "--set=bid.double=2.5", f"--games={GAMES}", f"--seed={SEED}"]
    assert main([*command, "--json", "--quiet", "--jobs=1"]) == 0
    assert json.loads(capsys.readouterr().out) == told


def test_a_mean_of_one_game_has_no_interval(arm) -> None:
    entry = rows.means(arm, SEED, 1, 1, quiet=True)["columns"]["score_0"]
    assert (entry["low"], entry["high"]) == (None, None)


def test_parquet_without_its_library_says_what_to_install(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"\.parquet needs the extra: pip install 'simlib\[parquet\]'"):
        rows.check_place(tmp_path / "r.parquet")
    rows.check_place(tmp_path / "r.csv")


@pytest.mark.parametrize("ending", sorted(rows.WRITERS))
def test_a_full_disk_leaves_what_was_there(arm, tmp_path: Path, monkeypatch, ending: str) -> None:
    def full(*_) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / f"r{ending}"
    path.write_text("earlier")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SimlibError, match="can't be written: No space left on device"):
        rows.write(path, arm, SEED, 5, 1, quiet=True)
    assert path.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [path]
