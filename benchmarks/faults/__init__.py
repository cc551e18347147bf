"""Faults on purpose: kills, full disks, flipped bits, bad input, any workers; and what must come of them."""
