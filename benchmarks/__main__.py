"""Measure and print the ratios that speed is judged by; write them to ``benchmarks/latest.json``.

``python -m benchmarks kernels memory`` measures these parts alone; `PARTS` has their names.

Machines are noisy: what is compared is measured in turn, several times, and the median of the ratios counts.
The yardstick is a program of its own (``YARDSTICK=path``); without it, games/s are printed alone.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.coverage import AT_LEAST, CASES, SIZES, covered
from benchmarks.coverage import RUNS as COVERAGE_RUNS
from simlib.batch import Arm, Seating, columns_of, games_at_once
from simlib.experiments import ROOT
from simlib.games import games, make_variant
from simlib.hooks import SEARCHING, seated

RUNS = 5
SECONDS = 1.0
CHUNK = 8192
SHUFFLES = 100_000
IMPORTS = "import numba, pandas, matplotlib.pyplot, scipy.stats"
YARDSTICK = Path(os.environ.get("YARDSTICK", ROOT.parent / "shared" / "yardstick" / "yardstick"))


def main(parts: list[str]) -> int:
    """Run some benchmarks, all by default."""
    unknown = set(parts) - PARTS.keys()
    if unknown:
        print(f"unknown part {' '.join(sorted(unknown))} (allowed: {', '.join(PARTS)})", file=sys.stderr)
        return 2
    found: dict[str, Any] = {}
    for part in parts or PARTS:
        for name, value in PARTS[part]().items():
            print(f"{name}: {value}", flush=True)
            found[name] = value
    (Path(__file__).parent / "latest.json").write_text(json.dumps(found, indent=1) + "\n")
    return 0


def seats_of(game: Any) -> list[int]:
    """Return the numbers of players that a game allows."""
    field = game.model.model_fields["players"]
    least, most = (next(getattr(part, end) for part in field.metadata if hasattr(part, end)) for end in ("ge", "le"))
    return list(range(least, most + 1))


def kernels() -> dict[str, Any]:
    """Measure the kernels of all games and numbers of players."""
    found: dict[str, Any] = {}
    for game in games().values():
        for players in seats_of(game):
            found |= kernel(game, players)
    return found


def kernel(game: Any, players: int) -> dict[str, Any]:
    """Measure the kernel with every column filled, one core, each player at all seats, against the yardstick."""
    known = game.module("players").PLAYERS
    variant, label = make_variant(game, settings={"players": players}), f"{game.name} {players}"
    found: dict[str, Any] = {}
    for name in known:
        arm = Arm(variant, (seated(name, known, "bench"),) * players)
        runs = 1 if arm.depth >= SEARCHING else RUNS
        pairs = [(speed(arm), yardstick(game.name, players)) for _ in range(runs)]
        found[f"{label} {name}, games/s"] = round(statistics.median(ours for ours, _ in pairs))
        if name == "random" and pairs[0][1]:
            ratio = statistics.median(ours / yard for ours, yard in pairs)
            found[f"{label} random / yardstick (wanted: 0.4)"] = round(ratio, 3)
    return found


def speed(arm: Arm) -> float:
    """Return games/s over at least SECONDS."""
    seating, chunk = Seating(arm), min(CHUNK, games_at_once([arm]))
    seating.play(1, 0, 1)
    start, played = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        seating.play(1, played, chunk)
        played += chunk
    return played / (time.perf_counter() - start)


def playouts() -> dict[str, Any]:
    """Compare the playouts inside `search:200` with plain games of the player that plays them, one core, four seats.

    Both are counted in tricks: a playout from the middle of a round plays what is left of it. All the rest that a
    searching seat does (drawing deals, copying the game, choosing) is in its time.
    """
    found: dict[str, Any] = {}
    for game in games().values():
        known, variant = game.module("players").PLAYERS, make_variant(game)
        arms = [Arm(variant, (seated(name, known, "bench"),) * 4) for name in ("greedy", "search:200")]
        pairs = [(tricks_per_second(arms[0]), imagined_tricks_per_second(arms[1])) for _ in range(RUNS)]
        label, tricks = f"{game.name} 4 search:200", int(Seating(arms[0]).rules["tricks"][0])
        imagined = statistics.median(imagined for _, imagined in pairs) / tricks
        ratio = statistics.median(imagined / plain for plain, imagined in pairs)
        found[f"{label}, whole rounds of playouts/s"] = round(imagined)
        found[f"{label}, playouts / plain greedy (wanted: 0.5)"] = round(ratio, 2)
    return found


def tricks_per_second(arm: Arm) -> float:
    """Return the tricks/s of plain games over at least SECONDS."""
    seating, columns = Seating(arm), columns_of(arm.variant)
    won = [number for number, name in enumerate(columns) if name.startswith("won_from_place_")]
    tricks, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        rows, _, _ = seating.play(1, tricks, CHUNK)
        tricks += int(rows[:, won].sum())
    return tricks / (time.process_time() - start)


def imagined_tricks_per_second(arm: Arm) -> float:
    """Return the tricks/s of all playouts of searching seats over at least SECONDS."""
    seating, games = Seating(arm), 0
    minds, start = seating.seats["views"][0]["mind"], time.process_time()
    while time.process_time() - start < SECONDS:
        seating.play(1, games, 1)
        games += 1
    return minds["half_tricks"].sum() / 2 / (time.process_time() - start)


def yardstick(game: str, players: int) -> float:
    """Return the yardstick's games/s; 0 where there is no yardstick."""
    if not YARDSTICK.exists():
        return 0.0
    done = subprocess.run([YARDSTICK, game, str(players), str(SECONDS)], capture_output=True, check=True)
    return float(json.loads(done.stdout)["games_per_second_median"])


def seconds(command: list[str]) -> float:
    """Return the wall time of a command."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    return time.perf_counter() - start


def warm_experiment() -> dict[str, Any]:
    """Compare a warm, small experiment with importing the libraries that it stands on."""
    with tempfile.TemporaryDirectory() as folder:
        run = [
            sys.executable,
            "-m",
            "simlib",
            "experiment",
            "suppose_bids",
            "--games=1000",
            "--quiet",
            f"--out={folder}",
        ]
        seconds(run)
        pairs = [(seconds(run), seconds([sys.executable, "-c", IMPORTS])) for _ in range(RUNS)]
    return {
        "suppose_bids GAMES=1000, warm, seconds": round(statistics.median(ours for ours, _ in pairs), 2),
        "the same / importing numba, pandas, matplotlib, scipy (wanted: 3 at most)": round(
            statistics.median(ours / base for ours, base in pairs), 2
        ),
    }


def peak_megabytes(games: int) -> float:
    """Return the peak memory of a simulate run in a process of its own."""
    code = (
        "import resource, sys; from simlib.cli import main; "
        f"main(['simulate', 'suppose', '--games={games}', '--json', '--quiet', '--jobs=2']); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)
    return int(done.stderr.split()[-1]) / 1024


def memory() -> dict[str, Any]:
    """Compare the peak memory of a long run with that of one a tenth as long."""
    short, long = peak_megabytes(300_000), peak_megabytes(3_000_000)
    return {"peak memory, 3,000,000 games, MB": round(long), "the same / 300,000 games": round(long / short, 3)}


def jobs() -> dict[str, Any]:
    """Compare two threads with one."""
    run = [sys.executable, "-m", "simlib", "simulate", "suppose", "--games=1000000", "--json", "--quiet"]
    ratios = [seconds([*run, "--jobs=1"]) / seconds([*run, "--jobs=2"]) for _ in range(3)]
    return {"1,000,000 games, one job / two jobs, whole commands": round(statistics.median(ratios), 2)}


def honesty() -> dict[str, Any]:
    """Shuffle what seats can't see under decisions of each game's players, far more often than the tests do."""
    run = [sys.executable, "-m", "pytest", "-q", "-k", "nothing_hidden", "tests/honesty"]
    start = time.perf_counter()
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"SHUFFLES": str(SHUFFLES)})
    return {
        f"decisions changed by {SHUFFLES:,} shuffles a game (wanted: none)": (
            "none" if done.returncode == 0 else done.stdout.splitlines()[-1]
        ),
        "the same, seconds": round(time.perf_counter() - start),
    }


def coverage() -> dict[str, Any]:
    """Try each kind of 95 % interval many times on data whose truth is known."""
    wanted = {name: "0.94 to 0.96" for name in CASES} | dict.fromkeys(AT_LEAST, "0.95 at least")
    return {
        f"{name}, n = {n}: intervals that held (wanted: {wanted[name]})": round(covered(case, n, COVERAGE_RUNS)[0], 4)
        for name, case in (CASES | AT_LEAST).items()
        for n in SIZES
    }


PARTS = {
    "kernels": kernels,
    "playouts": playouts,
    "warm": warm_experiment,
    "memory": memory,
    "jobs": jobs,
    "honesty": honesty,
    "coverage": coverage,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
