"""What one seat gains by searching against a fixed field of players: a sign of how far the field can be exploited.

The searching seat (`search:N`) knows the policies of the field: the seats that it imagines are played by the field's
own players. It doesn't know their cards. Each deal is played by the field alone, and once for each seat with `search:N`
in that seat's place, so all differences are of equal deals. A search finds only part of a best response: what it gains
is a lower bound on what could be gained.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.means import mean
from simlib.estimates.paired import difference
from simlib.estimates.words import text
from simlib.games import game_named
from simlib.hooks import SEES_ALL, Seated, seated
from simlib.players.search import rollout_of
from simlib.rows import described
from simlib.variants import Variant

if TYPE_CHECKING:  # heavy to import: it waits until what was asked for is known to be right
    from simlib.batch import Study

FIELD = "field"  # the arm of the field alone
KINDS = {"win_share": "win share", "points": "points a game"}
VERDICTS = {
    1: "The field can be exploited: a best response gains about so much or more, as a search finds only part of it.",
    0: "Undecided: this search shows no gain; a best response, or a search of more playouts, may still have one.",
    -1: "This search loses, which says nothing of the field: a best response never does.",
}
GAIN, BEFORE, AFTER = range(3)  # what searching gains, what the field has without it, what the search has


@dataclass(frozen=True)
class Response:
    """A seat that searches, measured against a field.

    Attributes
    ----------
    searcher : Seated
        ``search:N``; its models are the field, but for players that search themselves.
    sums : dict of str to (seats + 1, 3, 2) int64
        For each of `KINDS`, by seat and for all seats together: sum and sum of squares over deals of GAIN, BEFORE and
        AFTER.
    """

    variant: Variant
    field: tuple[Seated, ...]
    searcher: Seated
    sums: Mapping[str, np.ndarray]
    deals: int
    seed: int

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.field)

    def gain(self, kind: str, seat: int | None = None) -> Estimate:
        """Return what searching gains at a seat, or at one seat on average over all."""
        total, squares = self.sums[kind][self.seats if seat is None else seat, GAIN]
        return difference(total, squares, self.deals, unit="deal").scaled(1 / self._unit(kind, seat))

    def level(self, kind: str, column: int) -> Estimate:
        """Return what the field (BEFORE) or the search (AFTER) has at a seat, on average over all."""
        total, squares = self.sums[kind][self.seats, column].tolist()
        return mean(total, squares, self.deals).scaled(1 / self._unit(kind, None))

    def _unit(self, kind: str, seat: int | None) -> int:
        unit = shares_of(self.seats) if kind == "win_share" else getattr(self.variant.parameters, "unit", 1)
        return unit * (self.seats if seat is None else 1)


def respond(
    variant: Variant, field: tuple[Seated, ...], playouts: int, seed: int, deals: int, jobs: int, *, quiet: bool = False
) -> Response:
    """Play a field with and without a searching seat, on the same deals.

    Parameters
    ----------
    field : tuple of Seated
        One player a seat.
    playouts : int
        Playouts of the searching seat's decisions.
    jobs : int
        Threads; the result doesn't depend on it.
    """
    players = game_named(variant.game).module("players").PLAYERS
    models = tuple(rollout_of(player, players) if player.player.searches else player for player in field)
    searcher = replace(seated(f"search:{playouts}", players, "--playouts"), models=models)

    from simlib import batch

    study = _study(variant, field, searcher, deals)
    sums = batch.run([study], seed, jobs, quiet=quiet)[study.key]
    return Response(variant, field, searcher, sums, deals, seed)


def _study(variant: Variant, field: tuple[Seated, ...], searcher: Seated, deals: int) -> "Study":
    from simlib.batch import Arm, Study

    arms = {FIELD: Arm(variant, field)}
    for seat in range(len(field)):
        arms[str(seat)] = Arm(variant, (*field[:seat], searcher, *field[seat + 1 :]))
    return Study("respond", arms, deals, partial(_measure, seats=len(field)))


def shares_of(seats: int) -> int:
    """Return the units that a win counts, so that any number of seats can share it evenly."""
    return math.lcm(*range(1, seats + 1))


def _measure(rows: dict[str, np.ndarray], seats: int) -> dict[str, np.ndarray]:
    """Return the sums of `Response`."""
    sums = {}
    for kind, measure in (("win_share", _win_shares), ("points", _scores)):
        before = measure(rows[FIELD], seats)
        after = np.stack([measure(rows[str(seat)], seats)[:, seat] for seat in range(seats)], axis=1)
        before, after = (np.column_stack([part, part.sum(axis=1)]) for part in (before, after))
        gain = after - before
        each = np.stack([gain, before, after], axis=2)
        sums[kind] = np.stack([each.sum(axis=0), (each * each).sum(axis=0)], axis=2)
    return sums


def _scores(rows: np.ndarray, seats: int) -> np.ndarray:
    return rows[:, :seats].astype(np.int64)


def _win_shares(rows: np.ndarray, seats: int) -> np.ndarray:
    wins = rows[:, seats : 2 * seats].astype(np.int64)
    return wins * shares_of(seats) // wins.sum(axis=1, keepdims=True)


# ---- telling -------------------------------------------------------------------------------------------------------


def as_json(response: Response) -> dict[str, Any]:
    """Return a response as plain values."""
    return {
        **described(response.variant, response.field),
        "search": response.searcher.text,
        "imagines": [player.text for player in response.searcher.models],
        "seed": response.seed,
        "deals": response.deals,
        "level": 0.95,
        "gain": {kind: _plain(response.gain(kind)) for kind in KINDS},
        "gain_by_seat": [{kind: _plain(response.gain(kind, seat)) for kind in KINDS} for seat in range(response.seats)],
        "of_field": {kind: _plain(response.level(kind, BEFORE)) for kind in KINDS},
        "of_search": {kind: _plain(response.level(kind, AFTER)) for kind in KINDS},
        "method": response.gain("points").method,
        "meaning": meaning(response),
    }


def _plain(estimate: Estimate) -> dict[str, Any]:
    known = {"low": estimate.low, "high": estimate.high} if estimate.known else {"low": None, "high": None}
    return {"mean": estimate.value, **known, "n": estimate.n}


def as_text(response: Response) -> str:
    """Return a response in words."""
    variant, names = response.variant, ", ".join(dict.fromkeys(player.text for player in response.field))
    lines = [
        f"{variant.game} {variant.name}, {response.seats} players, seed {response.seed}: "
        f"{response.searcher.text} in one seat against a field of {names}"
    ]
    for kind, label in KINDS.items():
        field, search = (text(response.level(kind, column)) for column in (BEFORE, AFTER))
        lines.append(f"gain in {label}: {text(response.gain(kind))}; from {field} to {search}")
    return "\n".join([*lines, *meaning(response)])


def meaning(response: Response) -> list[str]:
    """Return what the gain says of the field, and what it rests on, a sentence each."""
    return [
        VERDICTS[response.gain("win_share").sign],
        "The searching seat knows the policies of the field, not its cards. n counts deals, each played at every seat.",
        *_notes(response),
    ]


def _notes(response: Response) -> list[str]:
    """Return what is to be known of players of the field, each once."""
    notes = []
    for player, model in zip(response.field, response.searcher.models, strict=True):
        if player.player.sees_all:
            notes.append(f"{player.text} {SEES_ALL}.")
        if player is not model:
            notes.append(f"{player.text} can't be imagined in a search: its rollout player {model.text} stands for it.")
    return list(dict.fromkeys(notes))
