"""Tunes: a space of variants is searched for one that meets a designer's goals, and that one is measured afresh."""
