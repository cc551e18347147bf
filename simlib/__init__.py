"""Monte-Carlo strategy analysis for trick-taking card games."""

import hashlib
import importlib.metadata
import os
import tempfile
from pathlib import Path

__version__ = "0.1.0"
PACKAGE = Path(__file__).parent
CACHE = PACKAGE.parent / ".cache"
BEYOND_KERNELS = {  # parts that no kernel reaches (a test looks): an edit of them costs no compile time
    "__init__", "__main__", "arguments", "axes", "backends", "batch", "checkpoints", "cli", "compare", "designs",
    "estimates", "experiments", "figures", "files", "findings", "frames", "heavy", "history", "how_sure", "identity",
    "interrupts", "judging", "landscape", "languages", "made", "measured", "pages", "playtest", "precision",
    "progress", "records", "results", "review", "rows", "samples", "sealed", "survey", "sweep", "targets", "telling",
    "tour", "tune", "verbs", "whatif",
}  # fmt: skip
BESIDE_RULES = {"clauses", "measures", "plays", "records", "referee", "telling"}  # such files of a game's folder


def _point_numba_at_cache() -> None:
    """Name numba's cache by a digest of the sources: numba notices no edit outside the cached function's own file.

    It is inside the folder that NUMBA_CACHE_DIR names, if that can be written. Where no folder can be, that costs time
    to compile, and not the run.
    """
    name = f"kernels-{_kernels_digest()}"
    given = Path(os.environ.get("NUMBA_CACHE_DIR") or CACHE)
    for place in (given.parent if given.name == name else given, CACHE):  # a worker is given what its parent found
        if _can_be_written(place / name):
            os.environ["NUMBA_CACHE_DIR"] = str(place / name)
            return
    os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="simlib-kernels-")


def _kernels_digest() -> str:
    """Return a digest of all that kernels are compiled from."""
    digest = hashlib.sha256(importlib.metadata.version("numba").encode())
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())  # numba would mix checked and unchecked code
    for source in sorted(PACKAGE.rglob("*.py")):
        name = source.relative_to(PACKAGE)
        beyond = name.parts[0].removesuffix(".py") in BEYOND_KERNELS
        if not beyond and not (name.parts[0] == "games" and source.stem in BESIDE_RULES):
            digest.update(name.as_posix().encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _can_be_written(folder: Path) -> bool:
    """Tell whether files can be written into a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


_point_numba_at_cache()
