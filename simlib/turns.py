"""Taking turns at what several processes would otherwise do at once: compiling the same kernel."""

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # not on this system: then each process compiles for itself
    fcntl = None

LONGEST = 300.0  # seconds; one that takes longer has come to a halt
PAUSE = 0.05


class Turns:
    """The turns that this process has taken, each a lock on a file that ends with the process at the latest."""

    def __init__(self) -> None:
        self._held: dict[Any, int] = {}

    def wait(self, folder: str, what: Any) -> bool:
        """Take a turn, once no other process has it; return whether one had, and has done what it is for.

        Parameters
        ----------
        folder : str
            Where the processes meet.
        what : hashable
            What the turn is for; its text is the same in all of them.
        """
        if fcntl is None or what in self._held:
            return False
        name = hashlib.sha256(str(what).encode()).hexdigest()[:16]
        begun, waited = time.monotonic(), False
        with suppress(OSError):  # a folder that can't be written to costs time, not the run
            Path(folder).mkdir(parents=True, exist_ok=True)
            file = os.open(Path(folder) / f"{name}.turn", os.O_RDWR | os.O_CREAT, 0o666)
            while not self._taken(file):
                if time.monotonic() - begun > LONGEST:
                    os.close(file)
                    return False
                waited = True
                time.sleep(PAUSE)
            self._held[what] = file
        return waited

    @staticmethod
    def _taken(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def leave(self, what: Any) -> None:
        """Give a turn back, if it was taken."""
        file = self._held.pop(what, None)
        if file is not None:
            os.close(file)
