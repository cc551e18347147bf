"""What `make setup` adds: megabytes and seconds by package, and whether anything heavy is there that nothing uses."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Found, Measure
from simlib.experiments import ROOT

HEAVY = 5.0  # MB
IMPORTED_AS = {"pillow": "PIL"}  # packages that aren't imported by their own name
Entry = tuple[str, str]


def install() -> Found:
    """Make an environment as `make setup` does, but package by package."""
    measures, heavy = [], set()
    with tempfile.TemporaryDirectory() as folder:
        seconds = _timed([sys.executable, "-m", "venv", folder])
        total, before = seconds, _megabytes(Path(folder))
        for name, entry in locked():
            wish = Path(folder) / "wish.txt"
            wish.write_text(entry)
            pip = [f"{folder}/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            seconds = _timed([*pip, "--no-deps", "--require-hashes", "--only-binary=:all:", f"--requirement={wish}"])
            after = _megabytes(Path(folder))
            measures += [Measure(f"{name}, MB", after - before), Measure(f"{name}, seconds", seconds)]
            if after - before >= HEAVY:
                heavy.add(name)
            total, before = total + seconds, after
    unused = sorted(heavy - used())
    return Found(
        [
            *measures,
            Measure("make setup, all packages, MB", before),
            Measure("make setup, all packages, seconds", total),
            Measure(f"packages of {HEAVY:g} MB and more that nothing uses{': ' * bool(unused)}{', '.join(unused)}",
                    len(unused), most=0),
        ]
    )  # fmt: skip


def locked() -> Iterator[Entry]:
    """Yield each package's name and its lines in the lock file of what experiments need."""
    text = (ROOT / "requirements.lock").read_text()
    for entry in re.split(r"\n(?=\S)", text.strip()):
        yield re.split(r"[=\s;]", entry, maxsplit=1)[0], entry + "\n"


def used() -> set[str]:
    """Return the packages that the toolkit imports, with all that these require themselves."""
    imported = {name for path in (ROOT / "simlib").rglob("*.py") for name in _imported(path)}
    asked, found = [package for package, _ in locked() if IMPORTED_AS.get(package, package) in imported], set()
    while asked:
        package = asked.pop()
        if package not in found:
            found.add(package)
            asked += _required(package)
    return found


def _required(package: str) -> list[str]:
    try:
        lines = importlib.metadata.requires(package) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    always = [line for line in lines if "extra" not in line]
    return [re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-") for line in always]


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def _timed(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start
