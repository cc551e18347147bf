"""Games played by processes and by dask's workers: the same sums as from threads, whatever dies meanwhile."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from simlib import backends, batch, experiments
from simlib.arguments import player_named
from simlib.backends import backend_named, cluster, played_by, work
from simlib.backends.cluster import Cluster
from simlib.backends.processes import Processes
from simlib.backends.work import REPLAYS, Chunk, WorkerLost
from simlib.batch import Arm, Study
from simlib.checkpoints import add
from simlib.errors import BadInput
from simlib.games import game_named, make_variant
from simlib.hooks import seated

ROOT = Path(__file__).parent.parent
PATIENCE = 30  # seconds for what takes a tenth of them on a machine that has nothing else to do


def study_of(played: Callable[[int], int], key: str = "numbers") -> Any:
    """Return what stands for a study where nothing needs to be played: a chunk's sums are what a function makes of it.

    It travels by value, as what stands in experiments does.
    """

    class Numbers:
        def __init__(self) -> None:
            self.key = key

        def compile(self) -> None:
            pass

        def play(self, seed: int, first: int, games: int) -> int:
            return played(first)

    return Numbers()


def sums(backend: backends.Backend, study: Any, numbers: Any) -> list[int]:
    """Return the sums of chunks in order; each must have come once."""
    came = [(chunk.first, sums) for chunk, sums in backend.each(Chunk(study, 1, first, 1) for first in numbers)]
    assert sorted(first for first, _ in came) == list(numbers)
    return [sums for _, sums in sorted(came)]


def killing(flag: Path, first: int) -> Callable[[int], int]:
    """Return a function that ends its process at a number as long as a file is missing, which it makes before."""

    def played(number: int) -> int:
        import os
        import signal

        if number == first and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    return played


def deadly(number: int) -> Callable[[int], int]:
    """Return a function that always ends its process at a number."""

    def played(first: int) -> int:
        import os
        import signal

        return os.kill(os.getpid(), signal.SIGKILL) or 0 if first == number else first

    return played


def small_study(key: str = "small") -> Study:
    """Return games of Suppose that add up to what every column does."""
    variant = make_variant(game_named("suppose"))
    player = seated("random", game_named("suppose").module("players").PLAYERS, "players")

    def measure(rows: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {name: each.sum(axis=0, dtype=np.int64) for name, each in rows.items()}

    return Study(key, {"played": Arm(variant, (player,) * variant.parameters.players)}, 3000, measure)


def bytes_of(summaries: dict[str, dict[str, np.ndarray]]) -> bytes:
    return b"".join(array.tobytes() for summary in summaries.values() for array in summary.values())


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNK_CELLS", 1 << 13)


class Loopback(NamedTuple):
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def loopback(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    """Start a scheduler and two workers, each a process that nobody starts again."""
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"

    def started(verb: str, *more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", verb, "--host=127.0.0.1", f"--scheduler-file={file}", *more]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)

    scheduler = started("scheduler", "--port=0", "--no-dashboard")
    workers = [started("worker", "--no-nanny", "--nthreads=1", "--no-dashboard") for _ in range(2)]
    wait_for(file.exists)
    yield Loopback(json.loads(file.read_text())["address"], scheduler, workers)
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def wait_for(condition: Callable[[], Any]) -> None:
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.05)


# ---- the same sums -------------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.usefixtures("small_chunks")
def test_processes_and_dasks_workers_give_the_sums_that_threads_give(loopback: Loopback, told: list[str]) -> None:
    studies = [small_study("one"), small_study("other")]
    wanted = bytes_of(batch.run(studies, 5, 1, quiet=True))
    assert all(bytes_of(batch.run(studies, 5, jobs, quiet=True)) == wanted for jobs in (2, 3, 8))
    for backend in (Processes(2, told.extend), Cluster(loopback.address, 1, told.extend)):
        with played_by(backend):
            assert bytes_of(batch.run(studies, 5, 1, quiet=True)) == wanted
            arm = studies[0].arms["played"]
            rows = np.concatenate(list(batch.stream_rows(arm, 5, 500, 2, quiet=True)))
        assert np.array_equal(rows, batch.play_arm(arm, 5, 0, 500))
    assert not told
    assert backends.playing() is None


def test_studies_of_all_experiments_travel() -> None:
    sent = {}
    for name in experiments.questions():
        studies = experiments.experiment_named(name).plan(experiments.Request(50, 1)).studies
        sent[name] = [pickle.loads(work.packed(study))[2] for study in (studies[0], studies[-1])]
    code = (
        "import pickle, sys\n"
        "for name, studies in pickle.load(sys.stdin.buffer).items():\n"
        "    for study in map(pickle.loads, studies):\n"
        "        print(name, callable(study.measure), *(arm.variant.fingerprint for arm in study.arms.values()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(sent), capture_output=True, check=True, cwd=ROOT
    )
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    assert {name for name, *_ in lines} == set(sent)
    assert all(measured == "True" and arms for _, measured, *arms in lines)


def test_few_chunks_wait_at_a_time(told: list[str]) -> None:
    taken = count()
    with closing(Processes(2, told.extend)) as backend:
        chunks = (Chunk(study_of(abs), 1, next(taken), 1) for _ in range(10_000))
        came = backend.each(chunks)
        firsts = [next(came)[0].first for _ in range(20)]
        came.close()  # type: ignore[attr-defined]
    assert next(taken) <= 20 + 2
    assert len(set(firsts)) == 20


# ---- what dies -----------------------------------------------------------------------------------------------------


def test_games_of_a_process_that_died_are_played_again(tmp_path: Path, told: list[str]) -> None:
    with closing(Processes(2, told.extend)) as backend:
        study = study_of(killing(tmp_path / "died", 3))
        assert sums(backend, study, range(9)) == [number * number for number in range(9)]
        assert sums(backend, study, range(3)) == [0, 1, 4]  # and the next run has workers, too
    assert told == ["a worker ended by SIGKILL: games 3 to 3 of numbers are played again (1 of 3)"]


@pytest.mark.parametrize("kind", ["processes", "dask"])
def test_games_that_keep_killing_workers_are_given_up(kind: str, told: list[str]) -> None:
    begun = time.monotonic()
    backend = backend_named(kind, "", 2, told.extend)
    assert backend
    with (
        closing(backend),
        pytest.raises(WorkerLost, match=r"^4 workers ended one after another at games \d+ to") as lost,
    ):
        sums(backend, study_of(deadly(2)), range(40))
    assert len(told) >= REPLAYS
    assert all("2 to 2 of numbers" in line for line in told)
    assert lost.value.status == 1
    assert time.monotonic() - begun < 60


@pytest.mark.kernel
@pytest.mark.usefixtures("small_chunks")
def test_a_dask_worker_that_is_killed_in_mid_run_changes_nothing(loopback: Loopback, told: list[str]) -> None:
    study = small_study()
    wanted = bytes_of(batch.run([study], 5, 1, quiet=True))
    chunks = [Chunk(study, 5, *part) for part in batch.chunks(study.games, study.chunk)]
    total: dict[str, np.ndarray] = {}
    firsts = []
    with closing(Cluster(loopback.address, 1, told.extend)) as backend:
        for number, (chunk, sums) in enumerate(backend.each(chunks)):
            add(total, sums.summary)
            firsts.append(chunk.first)
            if number == 2:
                loopback.workers[0].kill()
                loopback.workers[0].wait()
    assert sorted(firsts) == [chunk.first for chunk in chunks]
    assert bytes_of({study.key: total}) == wanted
    assert len(told) <= 1 and all("ended: games" in line for line in told)  # it may have had nothing to play just then


def test_a_scheduler_without_workers_is_given_up(
    loopback: Loopback, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "ALONE", 2.0)
    for worker in loopback.workers:
        worker.kill()
    with (
        closing(Cluster(loopback.address, 1, told.extend)) as backend,
        pytest.raises(WorkerLost, match=r"^the dask scheduler at tcp://[0-9.:]+ has had no workers for 2 seconds$"),
    ):
        sums(backend, study_of(abs), range(9))


def test_a_scheduler_that_goes_away_is_told_in_a_line(loopback: Loopback, told: list[str]) -> None:
    def chunks() -> Iterator[Chunk]:
        yield Chunk(study_of(abs), 1, 0, 1)
        loopback.scheduler.kill()
        yield Chunk(study_of(abs), 1, 1, 1)

    with (
        closing(Cluster(loopback.address, 1, told.extend)) as backend,
        pytest.raises(WorkerLost, match=f"^the dask scheduler at {loopback.address} has gone"),
    ):
        list(backend.each(chunks()))


def test_processes_end_with_the_run(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from simlib.backends.processes import Processes\n"
        "from simlib.backends.work import Chunk\n"
        "from simlib.checkpoints import kept_in\n"
        "from test_backends import study_of\n"
        "def played(first):\n"
        "    import os, time\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(60)\n"
        "with kept_in(Path(sys.argv[1]), 'OUT'):\n"
        "    list(Processes(1, print).each([Chunk(study_of(played), 1, 0, 1)]))\n"
    )
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    runs = {
        by: subprocess.Popen([sys.executable, "-c", code, tmp_path / str(by)], stdout=subprocess.PIPE, env=environment)
        for by in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
    }
    workers = {by: Path("/proc", run.stdout.readline().decode().strip()) for by, run in runs.items() if run.stdout}
    for by, run in runs.items():
        assert workers[by].exists()
        run.send_signal(by)
        assert run.wait(PATIENCE) == (-by if by == signal.SIGKILL else 130)
    wait_for(lambda: not any(worker.exists() for worker in workers.values()))
    for run in runs.values():
        if run.stdout:
            run.stdout.close()


# ---- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "address", "words"),
    [
        ("proceses", "", "BACKEND=proceses: unknown; did you mean 'processes'?"),
        ("processes", "tcp://10.0.0.1:8786", "ADDRESS=tcp://10.0.0.1:8786: it is for BACKEND=dask"),
        *(
            ("dask", address, "it must be a dask scheduler's, such as tcp://10.0.0.1:8786")
            for address in ("x", "tcp://", "tcp://a", "http://a:1", "tcp://a:1/b", "tcp://a:99999", "tcp://b@a:1")
        ),
    ],
)
def test_backends_that_are_none_are_refused(name: str, address: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        backend_named(name, address, 1, print)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_package_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"needs the extra: .venv/bin/pip install -e '.\[distributed\]'"):
        backend_named("dask", "", 1, print)


def test_an_address_where_nobody_answers_is_refused(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWER", 1)
    with pytest.raises(BadInput, match=r"^ADDRESS=tcp://127.0.0.1:1: no dask scheduler answers"):
        sums(Cluster("tcp://127.0.0.1:1", 1, told.extend), study_of(abs), range(1))


@pytest.mark.parametrize(
    ("part", "words"),
    [("code_digest", "other code of simlib"), ("versions_digest", "Python or packages of other versions")],
)
def test_a_worker_with_another_simlib_refuses_to_play(part: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = study_of(abs, part)
    sent = work.packed(study)
    assert work.play(sent, 1, 7, 1) == 7
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(work, part, lambda: "another")
        work._opened.cache_clear()
        with pytest.raises(BadInput, match=words):
            work.play(sent, 1, 7, 1)


def test_what_a_worker_refuses_ends_the_run(told: list[str]) -> None:
    def refuse(first: int) -> int:
        from simlib.errors import BadInput

        raise BadInput("no")

    def stumble(first: int) -> int:
        return [0][first]

    with closing(Processes(1, told.extend)) as backend:
        with pytest.raises(BadInput, match=r"^no$"):
            sums(backend, study_of(refuse), range(2))
        with pytest.raises(IndexError) as fault:
            sums(backend, study_of(stumble), range(2))
    assert "in stumble" in fault.value.__notes__[0]


def test_players_of_ones_own_are_read_again_where_the_worker_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def low(rules, table, view, trick, word):\n    return 0\n")
    player = player_named(f"{file}:low", "suppose", "POLICY")
    again = pickle.loads(pickle.dumps(player))
    assert again.own is not player.own
    assert (again.own.text, again.own.digest, again.own.plain) == (player.text, player.own.digest, False)
    player.own.plain = True
    assert pickle.loads(pickle.dumps(player)).own.plain
    sent = pickle.dumps(player)
    file.write_text(file.read_text().replace("0", "1"))
    with pytest.raises(BadInput, match=r"mine.py is another file there"):
        pickle.loads(sent)
    file.unlink()
    with pytest.raises(BadInput, match="can't be read"):
        pickle.loads(sent)
