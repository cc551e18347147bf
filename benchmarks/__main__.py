"""Measure what speed is judged by, print each figure with its bar, and write ``benchmarks/latest.json`` and a page.

``python -m benchmarks kernels memory`` measures these parts alone; `PARTS` has their names. What was measured of the
others before stays.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import growth, install, kernels, page, pipeline, starts, truth
from benchmarks.measuring import Cost, Found, Measure

LATEST = Path(__file__).parent / "latest.json"
PARTS: dict[str, Callable[[], Found]] = {
    "kernels": kernels.kernels,
    "jobs": pipeline.jobs,
    "experiment": pipeline.experiment,
    "warm": starts.warm,
    "cold": starts.cold,
    "playouts": kernels.playouts,
    "memory": pipeline.memory,
    "growth": growth.growth,
    "install": install.install,
    "honesty": truth.honesty,
    "coverage": truth.coverage,
}


def main(parts: list[str]) -> int:
    """Run some benchmarks, all by default."""
    unknown = set(parts) - PARTS.keys()
    if unknown:
        print(f"unknown part {' '.join(sorted(unknown))} (allowed: {', '.join(PARTS)})", file=sys.stderr)
        return 2
    for part in parts or PARTS:
        found = PARTS[part]()
        for measure in found.measures:
            print(measure, flush=True)
        keep(part, found)
    print(page.write(kept()))
    return 0


def keep(part: str, found: Found) -> None:
    """Write what was measured of a part beside what was measured of the others."""
    known = kept() | {part: found}
    tree = {name: _plain(known[name]) for name in PARTS if name in known}
    LATEST.write_text(json.dumps(tree, indent=1) + "\n")


def _plain(found: Found) -> dict[str, object]:
    judged = [measure._asdict() | {"verdict": measure.verdict} for measure in found.measures]
    return {"measures": judged, "costs": [cost._asdict() for cost in found.costs]}


def kept() -> dict[str, Found]:
    """Return what was measured last of each part; nothing where an earlier version, or none, wrote the file."""
    try:
        return {
            part: Found(
                [Measure(*(each[name] for name in Measure._fields)) for each in own["measures"]],
                tuple(Cost(**each) for each in own["costs"]),
            )
            for part, own in json.loads(LATEST.read_text()).items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
