"""``python -m simlib``."""

import sys

from simlib.cli import main

sys.exit(main())
