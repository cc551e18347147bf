"""Sweeps: the measures of many variants, what each parameter changes in them, and which variants differ."""
