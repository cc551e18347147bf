"""Ending at once on Ctrl-C or SIGTERM: what is finished goes to disk first, whatever else the process is doing."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM)
STATUS = 130
OVER = b"\0"


@contextmanager
def ended_by_signals(leave: Callable[[], None]) -> Iterator[None]:
    """End the process within this block when it is interrupted: `leave` is called, then all threads end with it.

    A thread waits for what the signals write into a pipe: the main thread, where Python would heed them, may be inside
    a compiled function for seconds. Outside the main thread nothing is changed.

    Parameters
    ----------
    leave : callable
        Keeps what is to be kept and tells the user.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told, written = os.pipe()
    os.set_blocking(written, False)
    handlers = {each: signal.signal(each, lambda number, frame: None) for each in SIGNALS}
    before = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(leave, told), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for each, handler in handlers.items():
            signal.signal(each, handler)
        os.write(written, OVER)
        watcher.join()
        os.close(told)
        os.close(written)


@contextmanager
def terminated_like_interrupted() -> Iterator[None]:
    """Raise KeyboardInterrupt in this block on SIGTERM, too; outside the main thread nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _watch(leave: Callable[[], None], told: int) -> None:
    """Wait for a signal's number in the pipe, or for the end of the block."""
    while (number := os.read(told, 1)) != OVER:
        if number[0] in SIGNALS:
            try:
                leave()
            finally:
                os._exit(STATUS)
