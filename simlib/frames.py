"""Estimates -> labelled DataFrames."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from simlib.estimates import Estimate


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
