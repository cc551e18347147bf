"""Speed and memory, as ratios measured in one run: ``make bench``; and planted faults that tests must notice."""
