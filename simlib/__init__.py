"""Monte-Carlo strategy analysis for trick-taking card games."""

import hashlib
import importlib.metadata
import os
import tempfile
from pathlib import Path

__version__ = "0.1.0"
BEYOND_KERNELS = {  # parts that no kernel reaches (a test looks): an edit of them costs no compile time
    "__init__", "__main__", "arguments", "axes", "backends", "batch", "checkpoints", "cli", "compare", "designs",
    "estimates", "experiments", "figures", "files", "findings", "frames", "history", "how_sure", "identity",
    "interrupts", "judging", "landscape", "languages", "made", "measured", "pages", "playtest", "precision",
    "progress", "records", "results", "review", "rows", "samples", "sealed", "survey", "sweep", "targets", "telling",
    "tour", "tune", "verbs", "whatif",
}  # fmt: skip
BESIDE_RULES = {"clauses", "measures", "plays", "records", "referee", "telling"}  # such files of a game's folder


def _point_numba_at_cache() -> None:
    """Name numba's cache by a digest of the sources: numba notices no edit outside the cached function's own file."""
    package = Path(__file__).parent
    digest = hashlib.sha256(importlib.metadata.version("numba").encode())
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())  # numba would mix checked and unchecked code
    for source in sorted(package.rglob("*.py")):
        name = source.relative_to(package)
        beyond = name.parts[0].removesuffix(".py") in BEYOND_KERNELS
        if not beyond and not (name.parts[0] == "games" and source.stem in BESIDE_RULES):
            digest.update(name.as_posix().encode() + b"\0" + source.read_bytes())
    folder = package.parent / ".cache" / f"kernels-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:  # an unwritable place costs compile time, not the run
        folder = Path(tempfile.mkdtemp(prefix="simlib-kernels-"))
    os.environ["NUMBA_CACHE_DIR"] = str(folder)


if "NUMBA_CACHE_DIR" not in os.environ:
    _point_numba_at_cache()
