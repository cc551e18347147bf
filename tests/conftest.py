"""What all tests stand on: simlib is imported before numba, which else keeps compiled code where it goes stale.

Reports name a fixed date, so that two of them can be compared byte by byte.
"""

import os

import browser
import pytest

import simlib  # noqa: F401  (names numba's cache by a digest of the sources)

os.environ["SOURCE_DATE_EPOCH"] = "0"


@pytest.fixture(scope="session")
def chromium():
    """Return what returns the browser, one of each process of tests."""
    with browser.lazily_opened() as asked:
        yield asked


@pytest.fixture
def looked_at(chromium):
    """Return what fails if a page has faults that a browser shows; without a browser, it skips the rest of its test."""

    def look(path, find=browser.faults):
        __tracebackhide__ = True
        found = find(chromium(), path)
        if found:
            pytest.fail("\n".join([path.name, *found]))

    return look
