"""Chunks and workers: whoever plays what, the same games come out, byte for byte."""

import collections
import errno
import importlib.util
import re
import subprocess
import sys
import time
from pathlib import Path

import joblib
import numba
import numpy as np
import pytest
from numba.core.caching import FunctionCache

from simlib import batch, experiments, play, rows
from simlib.batch import Arm, play_arm
from simlib.games import Game, game_named, make_variant
from simlib.games import games as all_games
from simlib.hooks import BLIND, LOOKING, seated

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.kernel
GAME = game_named("suppose")
PLAYERS = GAME.module("players").PLAYERS
WORKERS = [(1, 1 << 20), (2, 1 << 13), (3, 1 << 11), (8, 20_000)]  # jobs, CHUNK_CELLS


def arm(*names: str, held: int = -1, completions: int = 1, **settings) -> Arm:
    variant = make_variant(GAME, settings=settings | {"players": len(names)})
    return Arm(variant, tuple(seated(name, PLAYERS, "test") for name in names), held, completions)


ARMS = {
    "random": arm("random", "random", "random", "random"),
    "mixed": arm("greedy", "random:bids=double", "chaser"),
    "held": arm("chaser", "greedy", "greedy", "greedy", held=2, completions=7, rounds=1),
}


@pytest.fixture(params=ARMS)
def played(request) -> Arm:
    return ARMS[request.param]


def test_a_game_is_the_same_in_any_chunk(played: Arm) -> None:
    whole = play_arm(played, 5, 0, 60)
    for first, games in ((0, 60), (0, 1), (59, 1), (13, 20), (30, 30)):
        np.testing.assert_array_equal(play_arm(played, 5, first, games), whole[first : first + games])


def test_seats_that_do_not_look_share_the_kernel_of_those_that_do_where_they_play_few_games() -> None:
    def study(name: str, games: int) -> batch.Study:
        return batch.Study(name, {name: ARMS[name]}, games, lambda rows: rows)

    few, many = study("random", 60), study("random", batch.MANY)
    assert [each.arms["random"].kernel for each in batch.sharing([few, many])] == [BLIND, BLIND]
    with_others = batch.sharing([few, many, study("mixed", 60)])
    assert [arm.kernel for each in with_others for arm in each.arms.values()] == [LOOKING, BLIND, LOOKING]
    np.testing.assert_array_equal(
        play_arm(with_others[0].arms["random"], 5, 0, 60), play_arm(ARMS["random"], 5, 0, 60)
    )  # fmt: skip


def test_a_longer_run_begins_as_a_shorter_one(played: Arm) -> None:
    short, long = (np.concatenate(list(batch.stream_rows(played, 5, games, 2, quiet=True))) for games in (40, 90))
    np.testing.assert_array_equal(short, long[:40])
    assert len(np.unique(long, axis=0)) > 60


@pytest.mark.slow
@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_games_of_players_that_search_are_the_same_in_any_chunk_and_thread(game: Game) -> None:
    """What a mind keeps from game to game, or another thread's mind, changes nothing."""
    players, variant = game.module("players").PLAYERS, make_variant(game)
    names = ["search:12", "greedy", "search:7:aim=points", "search:12:rollout=random"]
    searching = Arm(variant, tuple(seated(name, players, "test") for name in names))
    whole = play_arm(searching, 5, 0, 12)
    for jobs, sizes in ((1, [12]), (1, [5, 4, 3]), (2, [1] * 12), (2, [6, 6])):
        firsts = np.cumsum([0, *sizes[:-1]]).tolist()
        parts = joblib.Parallel(jobs, prefer="threads")(
            joblib.delayed(play_arm)(searching, 5, first, size) for first, size in zip(firsts, sizes, strict=True)
        )
        np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_other_seeds_play_other_games(played: Arm) -> None:
    one, other = (play_arm(played, seed, 0, 50) for seed in (1, 2))
    assert (one != other).any(axis=1).mean() > 0.9


@pytest.mark.parametrize("ending", sorted(rows.WRITERS))
def test_rows_are_the_same_bytes_for_any_workers_and_chunks(tmp_path: Path, monkeypatch, ending: str) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    found = set()
    for jobs, cells in WORKERS:
        if ending == ".parquet" and cells != WORKERS[0][1]:
            cells = WORKERS[0][1]  # a chunk is a row group there: the same for all workers
        monkeypatch.setattr(batch, "CHUNK_CELLS", cells)
        rows.write(tmp_path / f"r{ending}", ARMS["mixed"], 3, 150, jobs, quiet=True)
        found.add((tmp_path / f"r{ending}").read_bytes())
    assert len(found) == 1


def test_a_report_is_the_same_bytes_for_any_workers_and_chunks(tmp_path: Path, monkeypatch) -> None:
    about = experiments.about("suppose_bids")
    found = []
    for jobs, cells in WORKERS:
        monkeypatch.setattr(batch, "CHUNK_CELLS", cells)
        folder = tmp_path / str(jobs)
        page = experiments.run(about, experiments.Request(100, 9, command="as typed"), folder, jobs, quiet=True)
        assert page == folder / "index.html"
        files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert {"run.json", "index.html"} < {path.name for path in files}
        assert sum(path.suffix == ".csv" for path in files) > 8
        found.append(files)
    for other in found[1:]:
        assert other.keys() == found[0].keys()
        assert [name for name, content in other.items() if content != found[0][name]] == []


def test_a_page_made_again_is_the_same_and_another_seed_gives_another(tmp_path: Path) -> None:
    about = experiments.about("suppose_bids")
    pages = [
        experiments.run(about, experiments.Request(80, seed, {"players": 3}), tmp_path / str(seed), 2, quiet=True)
        for seed in (1, 2)
    ]
    one, other = (page.read_bytes() for page in pages)
    assert one != other
    pages[0].unlink()
    assert experiments.write_page(tmp_path / "1").read_bytes() == one


def test_a_run_that_is_cut_off_says_nothing_of_its_threads() -> None:
    """What joblib warns of when nobody takes what its threads finished is no line for the user."""
    code = (
        "import gc, time\n"
        "from simlib.batch import over_threads\n"
        "came = over_threads(time.sleep, ((0.05,) for _ in range(40)), 2)\n"
        "next(came)\n"
        "time.sleep(0.3)\n"
        "came.close()\n"
        "came = over_threads(time.sleep, ((0.05 * each,) for each in range(40)), 2)\n"
        "next(came)\n"
        "came.close()\n"
        "gc.collect()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == ""


def test_a_slow_reader_holds_back_the_players(monkeypatch) -> None:
    """joblib's generator plays on and keeps what nobody reads: rows of a long run would fill memory."""
    started = []

    def slow(arm: Arm, seed: int, first: int, games: int, *, many: bool) -> np.ndarray:
        started.append(first)
        return np.zeros((games, 1), np.int32)

    monkeypatch.setattr(batch, "play_arm", slow)
    monkeypatch.setattr(batch, "CHUNK_CELLS", 1)
    reader = batch.stream_rows(ARMS["random"], 1, 500, 2, quiet=True)
    next(reader)
    for _ in range(50):
        if len(started) > 20:
            break
        time.sleep(0.01)
    reader.close()
    assert len(started) <= 10


def test_a_broken_cache_costs_time_and_not_the_run(tmp_path: Path, monkeypatch) -> None:
    assert isinstance(play.play_games._cache, play.Cache)
    (tmp_path / "toy.py").write_text("def double(number):\n    return 2 * number\n")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))

    def start() -> collections.Counter:
        """Call the function as a new process would, and return how often it came from disk."""
        name = f"toy_{len(list(sys.modules))}"
        spec = importlib.util.spec_from_file_location(name, tmp_path / "toy.py")
        toy = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(toy)
        double = numba.njit(cache=True)(toy.double)
        double._cache = play.Cache(toy.double)
        assert double(21) == 42
        return double.stats.cache_hits

    assert not start()
    assert start()
    for ending in ("nbi", "nbc"):
        (file,) = (tmp_path / "cache").rglob(f"*.{ending}")
        whole = file.read_bytes()
        for content in (b"", b"\x80\x05garbage", whole[: len(whole) // 2]):
            file.write_bytes(content)
            assert not start()
            assert start()  # mended


def test_a_kernel_from_the_cache_imports_nothing_that_only_compiles() -> None:
    """Importing that would take longer than all else that a small run does before it plays."""
    play_arm(ARMS["random"], 1, 0, 1)  # its kernel is in the cache from now on
    code = (
        "import sys; from simlib.cli import main\n"
        "main(['simulate', 'suppose', '--games=1', '--policy=random', '--json', '--quiet'])\n"
        "print('numba.np.arraymath' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.splitlines()[-1] == "False"


def test_a_cache_that_can_not_be_written_costs_time_and_not_the_run(monkeypatch) -> None:
    def full(*_) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(FunctionCache, "save_overload", full)
    play.play_games._cache.save_overload("signature", "data")


def cache_named(given: str | None) -> str:
    """Return where kernels are kept in a process that is given a folder for that."""
    code = "import os, simlib; print(os.environ['NUMBA_CACHE_DIR'])"
    environment = {"PATH": "/usr/bin:/bin"} | ({"NUMBA_CACHE_DIR": given} if given else {})
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment, cwd=Path.cwd()
    ).stdout.strip()


def test_a_cache_is_named_by_the_sources_wherever_it_is(tmp_path: Path) -> None:
    """Else numba would take kernels from the user's folder that other rules were compiled into."""
    own, users = cache_named(None), cache_named(str(tmp_path))
    assert Path(own).parent.name == ".cache"
    assert re.fullmatch(r"kernels-[0-9a-f]{16}", Path(own).name)
    assert users == str(tmp_path / Path(own).name)
    assert cache_named(users) == users
    (tmp_path / "file").write_text("")
    assert cache_named(str(tmp_path / "file")) == own


def test_tables_that_are_kept_ready_take_little_memory() -> None:
    """A sweep of thousands of cells has as many tables, and one's rules may take megabytes."""
    most = max(game.module("rules").RULES.itemsize for game in all_games().values())
    assert batch.seating.cache_info().maxsize * most < 300_000_000
