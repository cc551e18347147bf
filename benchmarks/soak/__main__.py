"""Play random games of random legal variants and check each: ``python -m benchmarks.soak``, or ``make soak``.

Exit status: 0 all was as it must be, 1 an invariant was broken, 2 bad input, 130 interrupted.
"""

import argparse
import os
import sys
import time

from benchmarks.soak.chunks import soak
from simlib.arguments import MOST_GAMES, Parser, jobs_in, whole_number
from simlib.errors import SimlibError, one_line
from simlib.games import Game, game_named, games

SHOWN = 10  # faults of a game; the others are only counted


def main(arguments: list[str] | None = None) -> int:
    """Soak all games, or one, and return the exit status."""
    try:
        return _run(_parser().parse_args(arguments))
    except SimlibError as fault:
        print(f"soak: {one_line(str(fault))}", file=sys.stderr)
        return fault.status
    except KeyboardInterrupt:
        print("soak: interrupted", file=sys.stderr)
        return 130


def _parser() -> Parser:
    given = {name: os.environ.get(name) or None for name in ("GAMES", "SEED", "JOBS")}
    parser = Parser(prog="soak", description=__doc__.partition(":")[0], allow_abbrev=False)
    parser.add_argument("--game", help="one game alone (all)")
    parser.add_argument("--games", default=given["GAMES"] or "1000000", help="games to play of each (GAMES, 1,000,000)")
    parser.add_argument("--seed", default=given["SEED"] or "1", help="root of all random numbers (SEED, 1)")
    parser.add_argument("--jobs", default=given["JOBS"], help="threads (JOBS, all cores); nothing found depends on it")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    return parser


def _run(options: argparse.Namespace) -> int:
    count = whole_number("GAMES", options.games, 1, MOST_GAMES)
    seed, jobs = whole_number("SEED", options.seed, 0, 2**64 - 1), jobs_in(options.jobs)
    chosen = [game_named(options.game)] if options.game else list(games().values())
    return int(any([_report(game, count, seed, jobs, quiet=options.quiet) for game in chosen]))


def _report(game: Game, count: int, seed: int, jobs: int, *, quiet: bool) -> int:
    """Soak a game, print what was found, and return how many chunks found a fault."""
    begun, faults, judged, variants = time.perf_counter(), 0, 0, set()
    for found in soak(game, count, seed, jobs, quiet=quiet):
        variants.add(found.variant)
        judged += found.judged
        faults += bool(found.fault)
        if found.fault and faults <= SHOWN:
            print(found.fault, flush=True)
    seconds = time.perf_counter() - begun
    broken = f"{faults:,} of the variants broken" if faults else "none broken"
    print(
        f"{game.name}: {count:,} random games of {len(variants):,} variants, {judged:,} of them judged by the referee "
        f"too: {broken} (seed {seed}; {seconds:.0f} s, {count / seconds:,.0f} games/s, {jobs} jobs)",
        flush=True,
    )
    return faults


if __name__ == "__main__":
    sys.exit(main())
