"""Estimates -> labelled DataFrames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simlib.estimates import Estimate
from simlib.heavy import pd


def frame_of(estimates: Sequence[Estimate], **columns: Any) -> pd.DataFrame:
    """Return one row an estimate: the given columns, then value, low, high and n."""
    return pd.DataFrame(
        {
            **columns,
            "value": [each.value for each in estimates],
            "low": [each.low for each in estimates],
            "high": [each.high for each in estimates],
            "n": [each.n for each in estimates],
        }
    )
