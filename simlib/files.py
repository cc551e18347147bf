"""Files that are there whole or not at all."""

import os
import tempfile
from pathlib import Path

from simlib.errors import BadInput, SimlibError


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


def write_whole(path: Path, text: str) -> None:
    """Write a UTF-8 file under a temporary name in its folder, flush it to disk and rename it.

    Raises
    ------
    SimlibError
        If that fails; whatever was there before is still there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as fault:
        raise SimlibError(f"{path}: can't be written: {fault.strerror or fault}") from None
    try:
        with open(handle, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as fault:
        raise SimlibError(f"{path}: can't be written: {fault.strerror or fault}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
