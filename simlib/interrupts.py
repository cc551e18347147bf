"""Ending at once on Ctrl-C or SIGTERM: what is finished goes to disk first, whatever else the process is doing."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = {signal.SIGINT, signal.SIGTERM}
STATUS = 130
PAUSE = 0.1  # seconds between looks at whether watching is over


@contextmanager
def ended_by_signals(leave: Callable[[], None]) -> Iterator[None]:
    """End the process within this block when it is interrupted: `leave` is called, then all threads end with it.

    A thread waits for the signals: the main thread may be inside a compiled function for seconds. Outside the main
    thread, and where a system has no such signals, nothing is changed.

    Parameters
    ----------
    leave : callable
        Keeps what is to be kept and tells the user.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "sigtimedwait"):
        yield
        return
    over = threading.Event()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    watcher = threading.Thread(target=_watch, args=(leave, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _watch(leave: Callable[[], None], over: threading.Event) -> None:
    while not over.is_set():
        if signal.sigtimedwait(SIGNALS, PAUSE) is not None:
            try:
                leave()
            finally:
                os._exit(STATUS)
