"""An interrupted process ends at once, whatever it is doing, and keeps what is to be kept first."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simlib.interrupts import ended_by_signals, terminated_like_interrupted

ROOT = Path(__file__).parent.parent
BUSY = """
import ctypes
from simlib.interrupts import ended_by_signals
with ended_by_signals(lambda: print("kept", flush=True)):
    print("begun", flush=True)
    ctypes.CDLL(None).sleep(20)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_main_thread_inside_a_compiled_function_doesnt_matter(number):
    """What stands for a kernel is C's sleep without Python's lock, during which no handler of Python's runs."""
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True, cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stdout.readline() == "begun\n"
        begun = time.monotonic()
        process.send_signal(number)
        assert process.stdout.read() == "kept\n"
        assert process.wait() == 130
    assert time.monotonic() - begun < 2


def test_a_verb_that_keeps_nothing_ends_on_sigterm_as_on_ctrl_c():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), terminated_like_interrupted():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


def test_after_the_block_all_is_as_before():
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with ended_by_signals(lambda: None):
        assert signal.getsignal(signal.SIGTERM) != before[signal.SIGTERM]
    assert {number: signal.getsignal(number) for number in before} == before
