"""Per-game rows as files, a chunk at a time: memory doesn't grow with the number of games."""

import importlib.util
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from simlib.errors import BadInput, SimlibError
from simlib.files import check_folder
from simlib.hooks import Seated
from simlib.players.weights import notices
from simlib.variants import Variant

if TYPE_CHECKING:  # heavy to import: each waits until what was asked for is known to be right
    from simlib.batch import Arm

CHUNK_BYTES = 1 << 22


def check_place(path: Path) -> None:
    """Check that rows may be written there, before anything is played.

    Raises
    ------
    BadInput
        If the ending isn't one of the formats, its library is missing, or the folder isn't there.
    """
    if path.suffix not in WRITERS:
        raise BadInput(f"--out {str(path)!r}: the name must end in {', '.join(sorted(WRITERS))}")
    if path.suffix == ".parquet" and not importlib.util.find_spec("pyarrow"):
        raise BadInput(f"--out {str(path)!r}: .parquet needs the extra: pip install 'simlib[parquet]'")
    check_folder(path.parent, f"--out {str(path)!r}")
    try:
        fits = path.parent.is_dir() and not path.is_dir()
    except OSError:  # such as a name that is too long
        fits = False
    if not fits:
        raise BadInput(f"--out {str(path)!r}: it must be a file in a folder that exists")


def write(path: Path, arm: "Arm", seed: int, games: int, jobs: int, *, quiet: bool = False) -> None:
    """Play games and write their rows, one a game, whole or not at all.

    Raises
    ------
    SimlibError
        If the file can't be written; what was there before is still there.
    """
    from simlib.batch import columns_of, stream_rows

    names = columns_of(arm.variant)
    try:
        with _whole_file(path) as file, closing(stream_rows(arm, seed, games, jobs, quiet=quiet)) as chunks:
            WRITERS[path.suffix](file, names, games, chunks)
    except OSError as fault:
        raise SimlibError(f"{path}: can't be written: {fault.strerror or fault}") from None


@contextmanager
def _whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file under a temporary name in the same folder; rename it once it is complete and on disk."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _write_csv(file: IO[bytes], names: list[str], games: int, chunks: Iterator[np.ndarray]) -> None:
    import pandas as pd

    file.write((",".join(["game", *names]) + "\n").encode())
    first = 0
    for rows in chunks:
        frame = pd.DataFrame(rows, index=range(first, first + len(rows)))
        frame.to_csv(file, header=False, lineterminator="\n")
        first += len(rows)


def _write_npz(file: IO[bytes], names: list[str], games: int, chunks: Iterator[np.ndarray]) -> None:
    """Write one array a column; columns wait in files beside the target, since a zip is written entry by entry."""
    with tempfile.TemporaryDirectory(dir=Path(file.name).parent if isinstance(file.name, str) else None) as folder:
        paths = [Path(folder) / str(number) for number in range(len(names))]
        for rows in chunks:
            for path, column in zip(paths, rows.T, strict=True):
                with path.open("ab") as part:
                    part.write(np.ascontiguousarray(column).tobytes())
        with zipfile.ZipFile(file, "w") as archive:
            for name, path in zip(names, paths, strict=True):
                _add_column(archive, name, path, games)


def _add_column(archive: zipfile.ZipFile, name: str, path: Path, games: int) -> None:
    entry = zipfile.ZipInfo(f"{name}.npy")  # dated 1980, so that the same rows are the same bytes
    with archive.open(entry, "w", force_zip64=True) as target, path.open("rb") as source:
        header = {"descr": "<i4", "fortran_order": False, "shape": (games,)}
        np.lib.format.write_array_header_1_0(target, header)
        while block := source.read(CHUNK_BYTES):
            target.write(block)


def _write_parquet(file: IO[bytes], names: list[str], games: int, chunks: Iterator[np.ndarray]) -> None:
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([("game", pyarrow.int64()), *((name, pyarrow.int32()) for name in names)])
    first = 0
    with ExitStack() as stack:
        writer = stack.enter_context(parquet.ParquetWriter(file, schema))
        for rows in chunks:
            numbers = np.arange(first, first + len(rows), dtype=np.int64)
            arrays = [pyarrow.array(part) for part in (numbers, *np.ascontiguousarray(rows.T))]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            first += len(rows)


WRITERS: dict[str, Callable[[IO[bytes], list[str], int, Iterator[np.ndarray]], None]] = {
    ".csv": _write_csv,
    ".npz": _write_npz,
    ".parquet": _write_parquet,
}


def described(variant: Variant, players: Sequence[Seated]) -> dict[str, Any]:
    """Return what was played by whom as plain values, with what is to be known of the players."""
    return {
        "game": variant.game,
        "variant": variant.name,
        "parameters": variant.flat(),
        "players": [player.text for player in players],
        "sees_all": [player.player.sees_all for player in players],
        "notices": notices(variant, players),
    }


def means(arm: "Arm", seed: int, games: int, jobs: int, *, quiet: bool = False) -> dict[str, Any]:
    """Return each column's mean with its interval, and what was played, as plain values for JSON."""
    from simlib.batch import columns_of, stream_rows
    from simlib.estimates.means import mean

    names = columns_of(arm.variant)
    totals, squares = np.zeros(len(names), object), np.zeros(len(names), object)
    with closing(stream_rows(arm, seed, games, jobs, quiet=quiet)) as chunks:
        for rows in chunks:
            wide = rows.astype(np.int64)
            totals += wide.sum(axis=0)
            squares += (wide * wide).sum(axis=0)
    estimates = [mean(int(total), int(square), games) for total, square in zip(totals, squares, strict=True)]
    return {
        **described(arm.variant, arm.players),
        "seed": seed,
        "games": games,
        "level": 0.95,
        "columns": {
            name: {
                "mean": each.value,
                "low": _known(each.low),
                "high": _known(each.high),
                "n": games,
                "sum": int(total),
            }
            for name, each, total in zip(names, estimates, totals, strict=True)
        },
    }


def _known(value: float) -> float | None:
    return value if np.isfinite(value) else None
