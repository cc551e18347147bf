"""What all tests stand on: simlib is imported before numba, which else keeps compiled code where it goes stale.

Reports name a fixed date, so that two of them can be compared byte by byte.
"""

import os

import simlib  # noqa: F401  (names numba's cache by a digest of the sources)

os.environ["SOURCE_DATE_EPOCH"] = "0"
