"""Planted faults: each must still fit the code. ``python -m benchmarks.planted_faults`` plants them and runs tests."""

import pytest

from benchmarks.planted_faults import FAULTS, planted


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.file.split('/')[-2]}: {fault.sentence}" for fault in FAULTS])
def test_a_planted_fault_changes_one_place(fault) -> None:
    compile(planted(fault), fault.file, "exec")
