"""Files that are there whole or not at all."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from simlib.errors import BadInput, SimlibError

HALF = ".half"  # how names of files end that are being written


def check_folder(folder: Path, name: str) -> None:
    """Check that files may be written into a folder, which may not be there yet, and leave it as it is.

    Raises
    ------
    BadInput
        If they may not; `name` says what the user called it.
    """
    try:
        there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        tempfile.TemporaryFile(dir=there).close()
    except OSError as fault:
        raise BadInput(f"{name}: can't be written: {fault.strerror or fault}") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, texts as UTF-8, under a temporary name in its folder, flush it to disk and rename it.

    What a process that was killed leaves of it, `is_half` tells, and `clear_halves` removes.

    Raises
    ------
    SimlibError
        If that fails; whatever was there before is still there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=HALF)
    except OSError as fault:
        raise SimlibError(f"{path}: can't be written: {fault.strerror or fault}") from None
    try:
        with open(handle, "wb") as file:
            file.write(content.encode("utf-8", errors="replace") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as fault:
        raise SimlibError(f"{path}: can't be written: {fault.strerror or fault}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def is_half(path: Path) -> bool:
    """Tell whether a file has the name of one that is being written."""
    return path.name.startswith(".") and path.suffix == HALF


def clear_halves(folder: Path) -> None:
    """Remove what processes that were killed left of files in a folder, in which nobody else writes."""
    for path in [path for path in folder.rglob(f".*{HALF}") if is_half(path)]:
        with suppress(OSError):
            path.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
