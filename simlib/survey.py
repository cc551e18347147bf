"""Surveys: the same figures of whole games for every variant, arm and kind of player, on common deals.

Most questions are of this kind. A survey says what is compared and what is counted of each game; here are the
studies that play it, the sums as estimates, and the words, charts and tables that such experiments share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.joint import Joint
from simlib.estimates.words import DASH, listed, short, text, verdict
from simlib.experiments import ALL, Plan, Request, variants_of
from simlib.figures import charts, parts, small
from simlib.findings import Chart, Headline, Picture, Saving, Table, Tile, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.heavy import pd
from simlib.hooks import seated
from simlib.languages import say
from simlib.measures import columns_starting, joint_sums, numbered, win_shares
from simlib.progress import Present
from simlib.results import Results
from simlib.variants import Variant

PLAYED = "played"  # the arm of a variant as it was asked for
COUNTS = range(2, 9)  # of seats, where a game allows them
MAIN = 4  # seats that headlines speak of, where they are played
WHOLE = 60  # parts of a win, shared by up to six winners


class Kind(NamedTuple):
    """A player that takes all seats, and how well it plays."""

    text: str
    strength: str


WEAK, DECENT, TRAINED = Kind("random", "weak"), Kind("greedy", "decent"), Kind("trained", "decent")
STRONG = Kind("search:25", "strong")
KINDS = (WEAK, DECENT, TRAINED, STRONG)


POINTS_APART = "points of a per cent"  # what differences of shares are counted in


@dataclass(frozen=True)
class Figure:
    """One figure: a count over another; a mean a game where there is no other.

    Attributes
    ----------
    label : str
        What it is, for people.
    top, bottom : str
        Names of counts.
    scale : float
        What the figure is multiplied with to be in its unit.
    percent : bool
        Whether it is a share, shown in per cent; with POINTS_APART for its unit, a difference of shares.
    chance : bool
        Whether `top` is 0 or 1 in each game and there is no `bottom`: then its interval is Wilson's.
    unit : str
        Put after its value, such as ``points``.
    matters : float
        A difference up to this size is as good as none, on the figure's scale; 0 where every difference counts.
    size : bool
        Whether it leans to one side or the other of 0, which is fair: a goal speaks of how far, whichever the side.
    """

    label: str
    top: str
    bottom: str = ""
    scale: float = 1
    percent: bool = False
    chance: bool = False
    unit: str = ""
    matters: float = 0
    size: bool = False

    def verdict(self, change: Estimate) -> str:
        """Return what an estimate of a difference says, as `words.verdict` does; that nothing changed at all, too."""
        if change.known and change.low == change.high == 0:
            return "exactly the same"
        return verdict(change, self.matters or None, unit=self.change_unit, percent=self.percent)

    @property
    def change_unit(self) -> str:
        """What a difference of it is counted in."""
        return self.unit or (POINTS_APART if self.percent else "")

    def text(self, estimate: Estimate) -> str:
        """Return an estimate of it as a phrase with its interval."""
        return text(estimate, self.unit, percent=self.percent)

    def change_text(self, estimate: Estimate) -> str:
        """Return an estimate of a difference of it as a phrase."""
        return text(estimate, self.change_unit, percent=self.percent)


def only_played(variant: Variant) -> dict[str, Variant]:
    """Return a variant as its one arm."""
    return {PLAYED: variant}


@dataclass(frozen=True)
class Survey:
    """What is played and counted.

    Attributes
    ----------
    names : callable
        Takes a variant and returns the names of its counts.
    count : callable
        Takes the games of an arm and its variant, and returns {count's name: (games,) integers}. What it takes are
        rows, (games, columns) int32, or `batch.Played` if the survey is `whole`.
    arms : callable
        Takes a variant and returns what is compared with it on the same deals, {PLAYED: variant, name: other, ...}.
    whole : bool
        Whether counts need deals and plays besides the rows.
    kinds : tuple of Kind
        Who takes all seats.
    thin : float
        Strong players play one game for so many times the game's SEARCH_COST games of the others.
    main_alone : bool
        Whether strong players play the variants of `main_labels` alone, and so more games of them.
    key : str
        Its name, where an experiment makes several surveys.
    shows : Figure or None
        The figure of each arm that is shown while it plays.
    """

    names: Callable[[Variant], Sequence[str]]
    count: Callable[[Any, Variant], Mapping[str, np.ndarray]]
    arms: Callable[[Variant], dict[str, Variant]] = only_played
    whole: bool = False
    kinds: tuple[Kind, ...] = KINDS
    thin: float = 1
    main_alone: bool = False
    key: str = ""
    shows: Figure | None = None

    def studies(self, variants: Mapping[str, Variant], games: int) -> list[Any]:
        """Return a study for each variant and kind of player; strong players play fewer games."""
        from simlib.batch import Study

        return [
            Study(
                self._key(label, kind),
                {name: _arm(arm, kind) for name, arm in self.arms(variant).items()},
                self.games(variant, kind, games),
                partial(self.sums, variant=variant),
                whole=self.whole,
                present=self._present(label, variant, kind),
            )
            for label, variant in variants.items()
            for kind in self._kinds_of(label, variants)
        ]

    def _present(self, label: str, variant: Variant, kind: Kind) -> Present | None:
        """Return what is shown of a study while it plays."""
        words = partial(self.so_far, label=label, variant=variant, kind=kind)
        return Present(self.shows.label, words) if self.shows else None

    def so_far(self, summary: Mapping[str, Any], label: str, variant: Variant, kind: Kind) -> dict[str, str]:
        """Return the figure that is shown while it plays, of each arm that was played, in words."""
        cell = Cell(self, summary, label, variant, kind)
        figures = {arm: cell.figure(self.shows, arm) for arm in cell.arms} if self.shows else {}
        return {arm: short(each, percent=bool(self.shows and self.shows.percent)) for arm, each in figures.items()}

    def _kinds_of(self, label: str, variants: Mapping[str, Variant]) -> list[Kind]:
        among = not self.main_alone or label in main_labels(variants)
        return [kind for kind in self.kinds if among or kind.strength != STRONG.strength]

    def plan(self, variants: Mapping[str, Variant], games: int, left_out: Sequence[str] = ()) -> Plan:
        """Return the plan of an experiment that is this survey alone; `left_out` says what isn't played."""
        return plan_of([self], variants, games, left_out)

    def games(self, variant: Variant, kind: Kind, games: int) -> int:
        """Return how many games of each arm a kind of player plays."""
        if kind.strength != STRONG.strength:
            return games
        cost = game_named(variant.game).module("players").SEARCH_COST
        return max(2, min(games, round(games / (cost * self.thin))))

    def sums(self, played: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
        """Return `joint_sums` of all counts of all arms, arm after arm."""
        arms, names = self.arms(variant), self.names(variant)
        counted = [self.count(games, arms[name]) for name, games in played.items()]
        columns = [np.asarray(count[name], np.int64) for count in counted for name in names]
        return joint_sums(np.stack(columns, axis=1))

    def cells(self, run: Results) -> list[Cell]:
        """Return the sums of a run, a cell for each variant and kind of player that was played."""
        return [
            Cell(self, run.summaries[self._key(label, kind)], label, variant, kind)
            for label, variant in variants_of(run).items()
            for kind in self.kinds
            if self._key(label, kind) in run.summaries
        ]

    def _key(self, label: str, kind: Kind) -> str:
        return " | ".join(filter(None, (self.key, label, kind.text)))

    def players(self, variants: Mapping[str, Variant]) -> dict[str, str]:
        """Return each player's sentence, by its name; by game where there are several."""
        games = list(dict.fromkeys(variant.game for variant in variants.values()))
        found = {}
        for name in games:
            game = game_named(name)
            known = game.module("players").PLAYERS
            for kind in self.kinds:
                where = f" ({game.title})" if len(games) > 1 else ""
                found[f"{kind.text}{where}"] = f"{kind.strength}; {seated(kind.text, known, 'players').sentence}"
        return found

    def played(self, variants: Mapping[str, Variant], games: int) -> dict[str, int]:
        """Return how many games of each arm were played, for the page's foot."""
        what = f"{self.key}: games" if self.key else "games"
        return {
            f"{what}, {label}, {' and '.join(kind.text for kind in kinds)}": count
            for label, variant in variants.items()
            for count, kinds in self._by_games(variant, games, self._kinds_of(label, variants)).items()
        }

    def _by_games(self, variant: Variant, games: int, kinds: Iterable[Kind]) -> dict[int, list[Kind]]:
        found: dict[int, list[Kind]] = {}
        for kind in kinds:
            found.setdefault(self.games(variant, kind, games), []).append(kind)
        return found


def plan_of(
    surveys: Sequence[Survey], variants: Mapping[str, Variant], games: int, left_out: Sequence[str] = (),
    more: Sequence[Any] = (),
) -> Plan:  # fmt: skip
    """Return the plan of some surveys and `more` studies; `left_out` says what isn't played."""
    players: dict[str, str] = {}
    played: dict[str, int] = {}
    for survey in surveys:
        players |= survey.players(variants)
        played |= survey.played(variants, games)
    played |= {f"games, {study.key.replace(' | ', ', ')}": study.games * len(study.arms) for study in more}
    studies = [study for survey in surveys for study in survey.studies(variants, games)]
    return Plan([*studies, *more], dict(variants), players, played, {"left_out": list(left_out)})


def _arm(variant: Variant, kind: Kind) -> Any:
    from simlib.batch import Arm

    known = game_named(variant.game).module("players").PLAYERS
    return Arm(variant, (seated(kind.text, known, "players"),) * seats_of(variant))


# ---- variants ------------------------------------------------------------------------------------------------------


def seats_of(variant: Variant) -> int:
    """Return the number of seats."""
    return int(variant.parameters.players)


def unit_of(variant: Variant) -> int:
    """Return in how many parts of a point the row counts."""
    return int(getattr(variant.parameters, "unit", 1))


def row_columns(variant: Variant) -> dict[str, int]:
    """Return the number of each column of a variant's row by its name."""
    return numbered(game_named(variant.game).module("rules").columns(variant.parameters))


def scores_in(rows: np.ndarray, variant: Variant) -> np.ndarray:
    """Return every seat's final score, (games, seats) int64, in 1/`unit_of` points."""
    return rows[:, columns_starting(row_columns(variant), "score_")].astype(np.int64)


def wins_in(rows: np.ndarray, variant: Variant) -> np.ndarray:
    """Return every seat's share of the win, (games, seats) int64, in 1/WHOLE."""
    return win_shares(rows[:, columns_starting(row_columns(variant), "win_")].astype(np.int64), WHOLE)


def variants_by_seats(request: Request, game: str, counts: Sequence[int] = ()) -> tuple[dict[str, Variant], list[str]]:
    """Return what is played by label, and a sentence for each variant that the request rules out.

    Parameters
    ----------
    game : str
        A game's name, or ALL.
    counts : sequence of int, optional
        Numbers of seats; by default all for which a game's classic form is made.

    Raises
    ------
    BadInput
        If none can be played.
    """
    found: dict[str, Variant] = {}
    left_out, faults = [], []
    for name in request.games_of(game):
        title = game_named(name).title
        for count in [None] if request.fixes("players") else counts or seat_counts(name):
            try:
                variant = request.variant(name, players=count)
            except BadInput as fault:
                faults.append(fault)
                what = f"{title}, {count} players" if count else title
                left_out.append(f"Not played: {what}: {fault}.")
                continue
            seats = f"{seats_of(variant)} players"
            found[f"{title}, {seats}" if game == ALL else seats] = variant
    if not found:
        raise faults[0]
    return found, left_out


def seat_counts(game: str) -> list[int]:
    """Return the numbers of seats for which a game's classic form is made."""
    fitting = []
    for count in COUNTS:
        try:
            fitting.append(seats_of(make_variant(game_named(game), settings={"players": count})))
        except BadInput:
            continue
    return fitting


def main_labels(variants: Mapping[str, Variant]) -> list[str]:
    """Return one label for each game: the first with MAIN players where they are played, else the first."""
    mains: dict[str, str] = {}
    for label, variant in variants.items():
        first = variants.get(mains.get(variant.game, ""))
        if first is None or (seats_of(variant) == MAIN and seats_of(first) != MAIN):
            mains[variant.game] = label
    return list(mains.values())


# ---- estimates -----------------------------------------------------------------------------------------------------


class Cell:
    """The sums of one variant with one kind of player at all seats, as estimates.

    Attributes
    ----------
    label : str
        The variant's.
    kind : Kind
    variant : Variant
    arms : dict of str to Variant
        What was compared on the same deals.
    joint : Joint
        Its integers are named (arm, count).
    """

    def __init__(self, survey: Survey, summary: Mapping[str, Any], label: str, variant: Variant, kind: Kind) -> None:
        self.label, self.kind, self.variant, self.arms = label, kind, variant, survey.arms(variant)
        names = [(arm, name) for arm in self.arms for name in survey.names(variant)]
        self.joint = Joint(names, summary["sums"], summary["products"], int(summary["n"]))

    @property
    def name(self) -> str:
        """How the cell is called on the page."""
        return say("{players}, {label}", players=self.kind.text, label=self.label)

    @property
    def title(self) -> str:
        """The title of its game."""
        return say(game_named(self.variant.game).title)

    @property
    def games(self) -> int:
        """Games of each arm."""
        return self.joint.n

    def figure(self, figure: Figure, arm: str = PLAYED) -> Estimate:
        """Return a figure of an arm."""
        return figure_of(self.joint, figure, arm)

    def change(self, figure: Figure, arm: str, base: str = PLAYED) -> Estimate:
        """Return what a figure is more in one arm than in another, paired by game."""
        return change_of(self.joint, figure, arm, base)

    def saving(self, figure: Figure, arm: str, base: str = PLAYED) -> Saving:
        """Return how many games, played apart, one pair of games on a common deal is worth for a change."""
        return Saving("common deals", self.joint.worth_of_pairing(*_both(figure, arm, base)), self.games)


def figure_of(joint: Joint, figure: Figure, arm: str) -> Estimate:
    """Return a figure of an arm from sums of integers, named (arm, count); a share's interval ends at 0 and 1."""
    top = (arm, figure.top)
    if figure.bottom:
        made = joint.ratio(top, (arm, figure.bottom)).scaled(figure.scale)
    else:
        made = joint.share(top) if figure.chance else joint.mean(top).scaled(figure.scale)
    return made.within(0, 1) if figure.percent and not figure.unit else made


def change_of(joint: Joint, figure: Figure, arm: str, base: str) -> Estimate:
    """Return what a figure is more in one arm than in another, paired by game, from sums named as in `figure_of`."""
    if figure.bottom:
        made = joint.difference_of_ratios(*_both(figure, arm, base))
    else:
        made = joint.difference((arm, figure.top), (base, figure.top))
    return made.scaled(figure.scale)


def _both(figure: Figure, arm: str, base: str) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    one, other = (((name, figure.top), (name, figure.bottom) if figure.bottom else "") for name in (arm, base))
    return one, other


def main_cell(cells: Sequence[Cell], kind: Kind = DECENT) -> Cell:
    """Return the cell that headlines speak of: decent players, MAIN seats where they were played."""
    own = [cell for cell in cells if cell.kind == kind] or list(cells)
    return next((cell for cell in own if seats_of(cell.variant) == MAIN), own[0])


def main_cells(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of each game's main variant (`main_labels`), all kinds of player."""
    labels = main_labels({cell.label: cell.variant for cell in cells})
    return [cell for cell in cells if cell.label in labels]


def decent(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of decent players that headlines speak of."""
    return [cell for cell in cells if cell.kind == DECENT]


def by_label(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """Return the cells of each variant, weak players first."""
    return {label: [cell for cell in cells if cell.label == label] for label in dict.fromkeys(c.label for c in cells)}


# ---- words, charts and tables --------------------------------------------------------------------------------------


def across(
    cells: Sequence[Cell], estimates: Sequence[Estimate], figure: Figure, words: Mapping[str, str] | None = None
) -> str:
    """Return what `across_kinds` says of the kinds of player of some cells."""
    return across_kinds([cell.kind for cell in cells], estimates, figure, words)


def across_kinds(
    kinds: Sequence[Kind], estimates: Sequence[Estimate], figure: Figure, words: Mapping[str, str] | None = None
) -> str:
    """Return whether a finding holds for weak, decent and strong players, and say so when it flips.

    Parameters
    ----------
    estimates : sequence of Estimate
        A difference of the figure for each kind.
    words : mapping, optional
        What to say in place of the figure's verdicts ``higher`` and ``lower``.

    Examples
    --------
    >>> up, down = Estimate(1, 0.5, 1.5, 9, ""), Estimate(-1, -1.5, -0.5, 9, "")
    >>> across_kinds([WEAK, DECENT], [up, up], Figure("points", "points"))
    'Higher for all kinds of player: weak (random) and decent (greedy).'
    >>> across_kinds([WEAK, DECENT], [up, down], Figure("points", "points"))
    'It flips: higher for weak (random); lower for decent (greedy).'
    """
    verdicts = [figure.verdict(estimate) for estimate in estimates]
    told = said_of(kinds, [(words or {}).get(verdict, verdict) for verdict in verdicts])
    if {"higher", "lower"} <= set(verdicts):
        return say("It flips: {told}.", told=told)
    return say("{told}.", told=sentence(told))


def said_of(kinds: Sequence[Kind], said: Sequence[str]) -> str:
    """Return what is said of each kind of player, once for all of which the same is said.

    Examples
    --------
    >>> said_of([WEAK, DECENT, TRAINED], ["pays", "costs", "costs"])
    'pays for weak (random); costs for decent (greedy, trained)'
    """
    groups: dict[str, list[Kind]] = {}
    for kind, words in zip(kinds, said, strict=True):
        groups.setdefault(words, []).append(kind)
    if len(groups) == 1:
        return say("{what} for all kinds of player: {kinds}", what=said[0], kinds=kinds_named(kinds))
    return say("; ").join(
        say("{what} for {kinds}", what=words, kinds=kinds_named(those)) for words, those in groups.items()
    )


def by_words(said: Mapping[str, str], start: str = "") -> tuple[str, ...]:
    """Return what is said of each label, once for all of which the same is said; each sentence begins with `start`.

    Examples
    --------
    >>> by_words({"3 players": "Higher.", "4 players": "Lower.", "5 players": "Higher."})
    ('3 players and 5 players: Higher.', '4 players: Lower.')
    """
    labels: dict[str, list[str]] = {}
    for label, words in said.items():
        labels.setdefault(words, []).append(label)
    return tuple(
        say("{labels}: {words}", labels=say(start) + joined(same), words=words) for words, same in labels.items()
    )


def kinds_named(kinds: Iterable[Kind]) -> str:
    """Return kinds of player as a phrase.

    Examples
    --------
    >>> kinds_named(KINDS)
    'weak (random), decent (greedy, trained) and strong (search:25)'
    """
    texts: dict[str, list[str]] = {}
    for kind in kinds:
        texts.setdefault(kind.strength, []).append(kind.text)
    return joined(
        [
            say("{strength} ({players})", strength=strength, players=say(", ").join(names))
            for strength, names in texts.items()
        ]
    )


def told(cells: Sequence[Cell], figure: Figure) -> str:
    """Return a figure of several games as a phrase that says who played."""
    parts = [say("{figure} in {game}", figure=figure.text(cell.figure(figure)), game=cell.title) for cell in cells]
    return say("{figures} ({players})", figures=joined(parts), players=seated_as(cells))


def seated_as(cells: Sequence[Cell]) -> str:
    """Return how many players of what kind sit at the tables of some cells."""
    counts = joined([str(count) for count in sorted({seats_of(cell.variant) for cell in cells})])
    return say("{counts} players, all {kind}", counts=counts, kind=cells[0].kind.text)


def sentence(words: str) -> str:
    """Return words with a capital at their start, said in the language that is spoken."""
    told = say(words)
    return told[:1].upper() + told[1:]


def joined(parts: Sequence[str]) -> str:
    """Return parts as one phrase.

    Examples
    --------
    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    told = [say(part) for part in parts]
    if len(told) < 2:
        return "".join(told)
    return say("{parts} and {last}", parts=say(", ").join(told[:-1]), last=told[-1])


def dots(
    key: str, title: str, cells: Sequence[Cell], estimates: Sequence[Estimate], caption: str, *,
    labels: Sequence[str] | None = None, percent: parts.Percent = False, group: bool = True, **options: Any,
) -> Chart:  # fmt: skip
    """Return a chart of one figure in all cells: a line a label, by default the variant's, a dot a kind of player.

    With ``percent="points"`` estimates are differences of shares, around a zero line.
    """
    labels = [cell.label for cell in cells] if labels is None else list(labels)
    frame = frame_of(estimates, label=labels, players=[cell.kind.text for cell in cells])
    figure = charts.interval_dots(frame, group="players" if group else None, percent=percent, **options)
    names = [
        say("{players}, {label}", players=cell.kind.text, label=label)
        for cell, label in zip(cells, labels, strict=True)
    ]
    alt = say("Dots with intervals: {figures}.", figures=_listed(names, estimates, percent))
    return Chart(key, title, figure, alt, caption, Table(key, title, frame, _note(percent=bool(percent))))


def pictured(
    of: str, labels: Sequence[str], estimates: Sequence[Estimate], *, percent: parts.Percent = False,
    reference: float | None = None,
) -> Picture:  # fmt: skip
    """Return the small picture of an answer: a dot with its interval for each label, of the chart with this key."""
    figure = small.dots(frame_of(estimates, label=list(labels)), percent=percent, reference=reference)
    alt = say("Dots with intervals: {figures}.", figures=_listed(labels, estimates, percent))
    return Picture(figure, alt, of)


def game_tiles(cells: Sequence[Cell], figure: Figure) -> tuple[Tile, ...]:
    """Return a figure of several games, each game's as a tile under its name."""
    return tuple(tile(cell.title, cell.figure(figure), cell.kind.text, percent=figure.percent) for cell in cells)


def curves(
    key: str, title: str, lines: Sequence[str], along: Sequence[float], estimates: Sequence[Estimate], caption: str, *,
    parameter: str, percent: parts.Percent = False, **options: Any,
) -> Chart:  # fmt: skip
    """Return a chart of estimates against a parameter: for each its line, such as a kind of player, and its place."""
    frame = frame_of(estimates, line=lines, **{parameter: along})
    figure = charts.curve(frame, x=parameter, line="line", x_label=parameter, percent=percent, **options)
    names = [
        say("{line}, {parameter} {at}", line=line, parameter=parameter, at=at)
        for line, at in zip(lines, along, strict=True)
    ]
    alt = say("Lines with bands: {figures}.", figures=_listed(names, estimates, percent))
    return Chart(key, title, figure, alt, caption, Table(key, title, frame, _note(percent=bool(percent))))


def _listed(names: Iterable[str], estimates: Iterable[Estimate], percent: parts.Percent) -> str:
    """Return the estimates of a chart as a phrase."""
    return listed(names, estimates, parts.unit(percent), percent=bool(percent))


def along(
    key: str, title: str, cells: Sequence[Cell], figure: Figure, at: Callable[[Cell], Mapping[str, float]],
    caption: str, *, x_label: str, **options: Any,
) -> Chart:  # fmt: skip
    """Return a chart of one figure against a number that arms change: a line a kind of player.

    Parameters
    ----------
    cells : sequence of Cell
        The table holds all of them; drawn is the variant that headlines speak of.
    at : callable
        Takes a cell and returns the number that stands for each of its arms that are shown.
    """
    points = [(cell, arm, x) for cell in cells for arm, x in at(cell).items()]
    frame = frame_of(
        [cell.figure(figure, arm) for cell, arm, _ in points],
        variant=[cell.label for cell, _, _ in points],
        players=[cell.kind.text for cell, _, _ in points],
        **{x_label: [x for _, _, x in points]},
    )
    drawn = [point for point in points if point[0].label == main_cell(cells).label]
    chart = curves(
        key,
        title,
        [cell.kind.text for cell, _, _ in drawn],
        [x for _, _, x in drawn],
        [cell.figure(figure, arm) for cell, arm, _ in drawn],
        caption,
        parameter=x_label,
        percent=figure.percent,
        **options,
    )
    return replace(chart, table=Table(key, title, frame, _note(percent=figure.percent)))


def tables(cells: Sequence[Cell], figures: Sequence[Figure], arms: Sequence[str] = (PLAYED,)) -> tuple[Table, ...]:
    """Return each figure of all cells and arms as a table of its own."""
    return tuple(_table(cells, figure, arms) for figure in figures)


def _table(cells: Sequence[Cell], figure: Figure, arms: Sequence[str]) -> Table:
    pairs = [(cell, arm) for arm in arms for cell in cells]
    frame = frame_of(
        [cell.figure(figure, arm) for cell, arm in pairs],
        players=[cell.kind.text for cell, _ in pairs],
        variant=[cell.label for cell, _ in pairs],
        arm=[arm for _, arm in pairs],
    )
    key = f"{figure.top}_{figure.bottom}" if figure.bottom else figure.top
    kept = frame if len(arms) > 1 else frame.drop(columns="arm")
    return Table(f"all_{key}", sentence(figure.label), kept, _note(percent=figure.percent))


def tables_abreast(cells: Sequence[Cell], figures: Sequence[Figure]) -> tuple[Table, ...]:
    """Return each figure of all cells as a table that shows a row a variant and a column a kind of player."""
    return tuple(
        _abreast(table, percent=figure.percent) for table, figure in zip(tables(cells, figures), figures, strict=True)
    )


def _abreast(table: Table, *, percent: bool) -> Table:
    """Return a table of one figure that shows a column for each kind of player; its download stays as it is."""
    frame = table.frame
    ends = [parts.column(frame, name) for name in ("value", "low", "high")]
    told = parts.interval_cells(ends, percent=percent)
    rows = list(dict.fromkeys(frame["variant"]))
    shown = pd.DataFrame({"variant": rows})
    for players, own in frame.groupby("players", sort=False):
        texts = dict(zip(own["variant"], (told[place] for place in own.index), strict=True))
        low, high = (f"{int(end):,}" for end in (own["n"].min(), own["n"].max()))
        games = low if low == high else say("{low} to {high}", low=low, high=high)
        head = say("{players} (n = {games})", players=players, games=games).replace("n = ", "n\u00a0=\u00a0")
        shown[head] = [texts.get(name, DASH) for name in rows]
    note = "The download has low and high ends."
    return replace(table, shown=shown, note=" ".join(map(say, filter(None, [note, _note(percent=percent)]))))


def of_decent(table: Table) -> Table:
    """Return a table that shows the players alone that headlines speak of; its download has all."""
    shown = table.frame[table.frame["players"] == DECENT.text].drop(columns="players")
    note = say("Players: {players}; the download has all kinds of player.", players=DECENT.text)
    return replace(table, shown=shown, note=" ".join(filter(None, [say(table.note), note])))


def _note(*, percent: bool) -> str:
    return "Shares as fractions." if percent else ""


def changes(cells: Sequence[Cell], figure: Figure, arms: Sequence[str]) -> dict[tuple[Cell, str], Estimate]:
    """Return what each arm changes in each cell, with intervals that all hold together."""
    keys = [(cell, arm) for cell in cells for arm in arms]
    made = simultaneous([cell.change(figure, arm) for cell, arm in keys])
    return dict(zip(keys, made, strict=True))


def headline(label: str, cell: Cell, figure: Figure, arm: str = "", base: str = PLAYED) -> Headline:
    """Return the figure that `PRECISION=` speaks of: a figure as played, or what an arm changes in it."""
    if not arm:
        return Headline(label, cell.figure(figure), percent=figure.percent, unit=figure.unit)
    return Headline(
        label,
        cell.change(figure, arm, base),
        percent=figure.percent,
        unit=figure.change_unit,
        difference=True,
        savings=(cell.saving(figure, arm, base),),
    )
