"""When a report was made and how long that took: the one thing about it that two runs of a command don't share."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

from simlib.files import write_whole
from simlib.languages import say

FILE = "made.json"
EPOCH = "SOURCE_DATE_EPOCH"  # the date to name in place of today's, in seconds since 1970: reproducible-builds.org
_begun = time.monotonic()


def begin() -> None:
    """Note that a run begins now; without that, it began with the program."""
    global _begun
    _begun = time.monotonic()


def note_made(folder: Path) -> None:
    """Keep, beside a result, when it was there and how many seconds it took; EPOCH gives a date alone."""
    fixed = os.environ.get(EPOCH, "")
    day = datetime.fromtimestamp(int(fixed), UTC) if fixed.isdecimal() else datetime.now(UTC)
    noted: dict[str, str | int] = {"date": day.isoformat(timespec="minutes")}
    if not fixed:
        noted["seconds"] = round(time.monotonic() - _begun)
    write_whole(folder / FILE, json.dumps(noted) + "\n")


def made_in(folder: Path) -> str:
    """Return in words when a folder's result was made; nothing where that isn't known."""
    try:
        noted = json.loads((folder / FILE).read_text(encoding="utf-8"))
        day, seconds = datetime.fromisoformat(noted["date"]), int(noted.get("seconds", -1))
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    if seconds < 0:
        return say("Made on {day:%Y-%m-%d} at {day:%H:%M} UTC.", day=day)
    return say("Made on {day:%Y-%m-%d} at {day:%H:%M} UTC, in {seconds:,} s.", day=day, seconds=seconds)
