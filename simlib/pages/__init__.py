"""Findings as one self-contained HTML page, with a CSV file for every table."""

from simlib.pages.page import RunFacts, VariantFacts, render, write

__all__ = ["RunFacts", "VariantFacts", "render", "write"]
