"""What all tests stand on: simlib is imported before numba, which else keeps compiled code where it goes stale."""

import simlib  # noqa: F401  (names numba's cache by a digest of the sources)
