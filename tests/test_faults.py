"""Faults on purpose, a little of each kind: nothing is lost, and nothing is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_faults_on_purpose_cost_nothing():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.faults", "--short"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "MISSED" not in done.stdout
    assert len(done.stdout.splitlines()) > 20
