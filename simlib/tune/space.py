"""What a tune searches: a space of variants, cell by cell."""

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from simlib.axes import Axis, cells, count_cells
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.hooks import Seated
from simlib.sweep.plan import Cell, Illegal, cell_of, label_of

FEW = 512  # cells up to which all are played; of more, some are proposed by what came out before
MOST = 10**9  # cells of a space
FOLDS = 10  # parts of the first round's games, by which the effects of parameters are known: as many games at least


@dataclass(frozen=True)
class Space:
    """Variants of a game, one of which is looked for.

    Attributes
    ----------
    game : str
    axes : sequence of Axis
    request : Request
        The variant that cells change, the games of a finalist, seed and command.
    policy : str
        Who plays, as typed.
    players : tuple of Seated
        One for all seats, or one for each.
    """

    game: str
    axes: Sequence[Axis]
    request: Request
    policy: str
    players: tuple[Seated, ...]

    @cached_property
    def size(self) -> int:
        """How many cells there are, the illegal ones among them."""
        return count_cells(self.axes)

    @property
    def small(self) -> bool:
        """Whether all cells are played."""
        return self.size <= FEW

    def check(self) -> None:
        """Check that there are cells to play.

        Raises
        ------
        BadInput
            If none of a small space can be played, or what proposes cells of a large one isn't installed.
        """
        if self.small:
            self.sorted_out  # noqa: B018
        elif importlib.util.find_spec("optuna") is None:
            raise BadInput(
                f"SPACE: {self.size:,} cells; of more than {FEW} some are proposed by optuna, which isn't installed: "
                ".venv/bin/pip install -e '.[tune]'"
            )

    def cell(self, settings: Mapping[str, Any]) -> Cell | Illegal:
        """Return a cell of the space, or why it can't be played."""
        return cell_of(self.request, self.game, settings, self.players)

    @cached_property
    def sorted_out(self) -> tuple[list[Cell], list[Illegal]]:
        """All cells of a small space: those that can be played, and those that can't.

        Raises
        ------
        BadInput
            If none can be played.
        """
        found = [self.cell(settings) for settings in cells(self.axes)]
        legal = [each for each in found if isinstance(each, Cell)]
        illegal = [each for each in found if isinstance(each, Illegal)]
        if not legal:
            raise none_legal(illegal)
        return legal, illegal


def none_legal(illegal: Sequence[Illegal]) -> BadInput:
    """Return the fault of a space without a cell that can be played."""
    first = illegal[0]
    return BadInput(
        f"SPACE: none of {len(illegal):,} cells can be played; {label_of(first.settings)}: {first.reason}"
    )  # fmt: skip
