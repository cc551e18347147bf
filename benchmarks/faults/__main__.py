"""Make faults on purpose and print what came of them: ``python -m benchmarks.faults``, or ``make faults``.

Words behind the command name the parts to do; all by default. Exit status: 0 all figures are as wanted, 1 one misses,
2 bad input, 130 interrupted.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.faults import disk, flips, fuzz, kills, memory, same
from benchmarks.faults.rows import FULL, SHORT, Row, Run, cores, imported, say, table, warm
from simlib.arguments import MOST_JOBS, Parser, whole_number
from simlib.errors import BadInput, SimlibError, did_you_mean, one_line

PARTS = {  # the first kills runs whose kernel isn't there yet: it comes before any is loaded
    "kills": kills, "disk": disk, "jobs": same, "flips": flips, "memory": memory, "input": fuzz,
}  # fmt: skip
LONGEST = 600  # seconds of all parts


def main(arguments: list[str] | None = None) -> int:
    """Do all parts, or some, and return the exit status."""
    try:
        options = _parser().parse_args(arguments)
        return _run(options)
    except SimlibError as fault:
        print(f"faults: {one_line(str(fault))}", file=sys.stderr)
        return fault.status
    except KeyboardInterrupt:
        print("faults: interrupted", file=sys.stderr)
        return 130


def _parser() -> Parser:
    given = {name: os.environ.get(name) or None for name in ("SEED", "JOBS")}
    parser = Parser(prog="faults", description=(__doc__ or "").partition(":")[0], allow_abbrev=False)
    parser.add_argument("parts", nargs="*", help=f"{', '.join(PARTS)} (all)")
    parser.add_argument("--short", action="store_true", help="a little of it all, in half a minute")
    parser.add_argument("--seed", default=given["SEED"] or "1", help="of moments, bits and inputs (SEED, 1)")
    parser.add_argument("--jobs", default=given["JOBS"] or str(cores()), help="runs at a time (JOBS, all cores)")
    return parser


def _run(options: argparse.Namespace) -> int:
    for name in options.parts:
        if name not in PARTS:
            raise BadInput(f"unknown part {name!r}{did_you_mean(name, PARTS)}")
    seed, jobs = whole_number("SEED", options.seed, 0, 2**64 - 1), whole_number("JOBS", options.jobs, 1, MOST_JOBS)
    os.environ["SOURCE_DATE_EPOCH"] = "0"  # reports name a fixed date, so that whole ones can be compared
    begun = time.monotonic()
    imported()
    with tempfile.TemporaryDirectory(prefix="simlib-faults-") as folder:
        run = Run(Path(folder), SHORT if options.short else FULL, jobs, seed)
        found = [row for name in PARTS if name in options.parts or not options.parts for row in _part(name, run)]
    seconds = time.monotonic() - begun
    spent = sum(os.times()[:4])
    found.append(
        Row(
            "seconds in all, and of processors", f"{seconds:.0f}, {spent:.0f}", f"{LONGEST} at most", seconds <= LONGEST
        )
    )
    print("\n".join(table(found)))
    for fault in (fault for row in found for fault in row.faults[:5]):
        say(f"- {fault}")
    return int(not all(row.met for row in found))


def _part(name: str, run: Run) -> list[Row]:
    """Do a part, and tell how long it took."""
    own, begun = run.of(name), time.monotonic()
    if name != next(iter(PARTS)):
        warm()
    try:
        found = list(PARTS[name].rows(own))
    except RuntimeError as fault:  # the other parts have figures all the same
        found = [Row(name, "broken off", "figures", False, (str(fault),))]
    say(f"{name}: {time.monotonic() - begun:.0f} s")
    return found


if __name__ == "__main__":
    sys.exit(main())
