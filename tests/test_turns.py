"""Processes take turns: the second waits for the first, and none waits for one that has ended."""

import subprocess
import sys
from pathlib import Path

from simlib import turns
from simlib.turns import Turns

ROOT = Path(__file__).parent.parent
HOLD = """
import sys, time
from simlib.turns import Turns
mine = Turns()
mine.wait(sys.argv[1], "kernel")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


def holder(folder, seconds):
    """Return a process that has taken the turn, and keeps it for so long."""
    command = [sys.executable, "-c", HOLD, str(folder), str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdout.readline() == b"held\n"
    return process


def waits(folder, what="kernel"):
    """Tell whether another process had the turn; give it back at once."""
    mine = Turns()
    waited = mine.wait(str(folder), what)
    mine.leave(what)
    return waited


def end(process):
    process.kill()
    process.communicate()


def test_a_turn_that_is_free_is_taken_at_once(tmp_path):
    assert not waits(tmp_path)
    assert not waits(tmp_path)


def test_the_second_waits_until_the_first_has_ended(tmp_path):
    first = holder(tmp_path, 0.6)
    assert waits(tmp_path)
    assert first.communicate() == (b"", None)
    assert first.returncode == 0


def test_a_killed_process_keeps_nobody_waiting(tmp_path):
    end(holder(tmp_path, 60))
    assert not waits(tmp_path)


def test_other_turns_are_not_waited_for(tmp_path):
    first = holder(tmp_path, 60)
    assert not waits(tmp_path, "another")
    end(first)


def test_nobody_waits_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "LONGEST", 0.2)
    first = holder(tmp_path, 60)
    assert not waits(tmp_path)
    end(first)


def test_a_turn_taken_twice_is_one(tmp_path):
    mine = Turns()
    mine.wait(str(tmp_path), "kernel")
    assert not mine.wait(str(tmp_path), "kernel")
    mine.leave("kernel")
    mine.leave("kernel")


def test_the_first_makes_the_folder(tmp_path):
    first = holder(tmp_path / "cache", 0.6)
    assert waits(tmp_path / "cache")
    first.communicate()


def test_a_folder_that_cannot_be_costs_nothing(tmp_path):
    (tmp_path / "file").touch()
    assert not waits(tmp_path / "file" / "cache")


def test_a_system_without_locks_compiles_for_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "fcntl", None)
    assert not waits(tmp_path)
