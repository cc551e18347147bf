"""Goals: what a designer wishes a measure to be, in words as they are typed, and whether an estimate meets it.

``double_bid_share=0.3..0.5``, ``start_seat_edge<0.01``. Numbers are in the measure's own units: a share is a fraction,
or is written in per cent. A variant file has them in its table ``[targets]``; every experiment about it judges them.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.words import MINUS, with_unit
from simlib.experiments import BESIDE, Beside, Plan, Request
from simlib.games import TARGETS, game_named
from simlib.hooks import seated
from simlib.languages import say
from simlib.results import FILE, Results
from simlib.variants import Variant, brief

if TYPE_CHECKING:
    import pandas as pd

    from simlib.checkpoints import Summary
    from simlib.findings import Chart, Finding, Table
    from simlib.landscape import Landscape
    from simlib.measured import Measure

MET, MISSED, UNDECIDED = "met", "missed", "undecided"
MARKS = {MET: "\u2713", MISSED: "\u2717", UNDECIDED: "?"}  # told apart by their shape, not by a colour
ALLOWED = "allowed: a..b, <x, <=x, >x, >=x, such as right_bids=0.3..0.5 or start_seat_edge<0.01"
MOST_GAMES = 20_000  # played for a file's targets beside an experiment
BLOCK = f"{BESIDE}targets"
PLAYER = "greedy"
_NUMBER = r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{1,15})?|\.[0-9]{1,15})"
_LIMIT = re.compile(rf"(<=|>=|<|>)({_NUMBER})(%?)")
_RANGE = re.compile(rf"({_NUMBER})(%?)\.\.({_NUMBER})(%?)")
_LOOSE = re.compile(r"\s*(<=|>=|<|>|=|\.\.)\s*|\s+(?=%)")  # where blanks don't part goals


@dataclass(frozen=True)
class Goal:
    """What a measure is wished to be.

    Attributes
    ----------
    measure : Measure
    low, high : float
        Ends of the wished band, in the measure's unit; infinite where there is none.
    strict : bool
        Whether the ends themselves are outside.
    text : str
        The band as typed, such as ``0.3..0.5`` or ``<0.01``.
    """

    measure: "Measure"
    low: float
    high: float
    strict: bool
    text: str

    @property
    def name(self) -> str:
        """The measure's name."""
        return self.measure.name

    @property
    def typed(self) -> str:
        """The goal as it is typed."""
        return f"{self.name}{'' if self.text[0] in '<>' else '='}{self.text}"

    @property
    def by_size(self) -> bool:
        """Whether it is about how far the measure is from 0, whichever the side."""
        return self.measure.figure.size and not (self.low < 0 and math.isfinite(self.low)) and not self.high < 0

    @property
    def unit(self) -> float:
        """How much one unit of `miss` is: the band's width, or the one limit's size."""
        if math.isfinite(self.low) and math.isfinite(self.high):
            return self.high - self.low
        limit = self.low if math.isfinite(self.low) else self.high
        return abs(limit) or self.measure.figure.matters or 1.0

    @property
    def band(self) -> str:
        """The band in words."""
        figure = self.measure.figure
        scale = 100 if figure.percent else 1
        low, high = (f"{end * scale:.6g}".replace("-", MINUS) for end in (self.low, self.high))
        unit = figure.unit or ("%" if figure.percent else "")
        if math.isinf(self.low):
            most = with_unit(high, unit)
            told = say("below {most}" if self.strict else "at most {most}", most=most)
        elif math.isinf(self.high):
            least = with_unit(low, unit)
            told = say("above {least}" if self.strict else "at least {least}", least=least)
        else:
            told = say("{low} to {high}", low=low, high=with_unit(high, unit))
        return say("{band} to either side of 0", band=told) if self.by_size else told

    @property
    def shaded(self) -> tuple[float, float]:
        """The band's ends on the measure's own axis: to both sides of 0 where the side doesn't count."""
        return (-self.high, self.high) if self.by_size and math.isinf(self.low) else (self.low, self.high)

    def seen(self, estimate: Estimate) -> Estimate:
        """Return an estimate of the measure as the goal looks at it: its size where the side doesn't count."""
        return sized(estimate) if self.by_size else estimate

    def miss(self, value: float) -> float:
        """Return how far a value, as `seen`, is outside the band, in `unit`; below 0 how deep it is inside."""
        return max(self.low - value, value - self.high) / self.unit

    def misses(self, estimate: Estimate) -> tuple[float, float, float]:
        """Return `miss` of an estimate's value, and the least and the most that its interval allows."""
        seen = self.seen(estimate)
        value = self.miss(seen.value) if math.isfinite(seen.value) else math.inf
        if not seen.known:
            return value, -math.inf, math.inf
        ends = self.miss(seen.low), self.miss(seen.high)
        inside = seen.low < self._deepest < seen.high
        return value, self.miss(self._deepest) if inside else min(ends), max(ends)

    @property
    def _deepest(self) -> float:
        """Where a value is deepest inside: the band's middle; infinite where one end is open."""
        return (self.low + self.high) / 2

    def beyond(self, estimate: Estimate) -> Estimate:
        """Return by how much an estimate is past the end of the band that is nearer to it, in the measure's unit."""
        seen = self.seen(estimate)
        over = seen.value - self.high >= self.low - seen.value
        return seen.shifted(-self.high) if over else seen.negated().shifted(self.low)


def sized(estimate: Estimate) -> Estimate:
    """Return how far a figure is from 0, with an interval that holds wherever the figure's own does.

    Examples
    --------
    >>> sized(Estimate(-0.1, -0.3, 0.1, 9, "")).high
    0.3
    """
    far = sorted((abs(estimate.low), abs(estimate.high)))
    low = 0.0 if estimate.low <= 0 <= estimate.high else far[0]
    return replace(estimate, value=abs(estimate.value), low=low, high=far[1])


def judge(goal: Goal, estimate: Estimate) -> str:
    """Return whether an estimate meets a goal.

    Returns
    -------
    str
        MET where the whole interval lies inside the band, MISSED where it lies wholly outside, else UNDECIDED.
    """
    seen = goal.seen(estimate)
    if not seen.known:
        return UNDECIDED
    if _is_inside(goal, seen.low) and _is_inside(goal, seen.high):
        return MET
    below = seen.high < goal.low or (goal.strict and seen.high == goal.low)
    above = seen.low > goal.high or (goal.strict and seen.low == goal.high)
    return MISSED if below or above else UNDECIDED


def _is_inside(goal: Goal, value: float) -> bool:
    return goal.low < value < goal.high if goal.strict else goal.low <= value <= goal.high


def reason(goal: Goal, estimate: Estimate) -> str:
    """Return why a goal is undecided; empty where it isn't."""
    if judge(goal, estimate) != UNDECIDED:
        return ""
    return estimate.reason if not estimate.known else "the interval reaches over the band's end"


def marked(verdict: str) -> str:
    """Return a verdict behind its mark.

    Examples
    --------
    >>> print(marked(MET), marked(UNDECIDED), sep=", ")
    ✓ met, ? undecided
    """
    return f"{MARKS[verdict]} {say(verdict)}"


# ---- what is typed -------------------------------------------------------------------------------------------------


def parse_goals(text: str, game: str, where: str) -> list[Goal]:
    """Return the goals in a text, parted by blanks.

    Parameters
    ----------
    game : str
        The game whose measures they name.
    where : str
        What to call the text in an error.

    Raises
    ------
    BadInput
        If there is none, one can't be read, its band is empty, or its measure is unknown or comes twice.
    """
    bands: dict[str, str] = {}
    for part in _LOOSE.sub(r"\1", text).split():
        found = re.fullmatch(r"([A-Za-z_]\w*)(?:=|(?=[<>]))(.*)", part)
        if not found:
            raise BadInput(f"{where}: {brief(part)} is no goal ({ALLOWED})")
        if found[1] in bands:
            raise BadInput(f"{where}: {found[1]} is given twice; both ends are one goal, {found[1]}=a..b")
        bands[found[1]] = found[2]
    if not bands:
        raise BadInput(f"{where}: it names no goal ({ALLOWED})")
    return goals_of(bands, game, where)


def goals_of(table: Any, game: str, where: str) -> list[Goal]:
    """Return the goals in a table such as ``[targets]`` of a variant file: texts, or ``[a, b]``, by measure.

    Raises
    ------
    BadInput
        As `parse_goals`.
    """
    if not isinstance(table, Mapping):
        raise BadInput(f"{where} = {brief(table)}: it must be a table of measures and bands ({ALLOWED})")
    bands = {name: _band(given, f"{where}: {name}") for name, given in table.items()}
    if not bands:
        return []

    from simlib.measured import measure_named  # it imports every experiment: after what is cheap to check

    return [_goal(measure_named(name, game, where), band, where) for name, band in bands.items()]


class _Band(NamedTuple):
    """A band as it was read; numbers in per cent are fractions already."""

    low: float
    high: float
    strict: bool
    per_cent: bool
    text: str


def _band(given: Any, where: str) -> _Band:
    if isinstance(given, list) and len(given) == 2 and all(_is_number(end) for end in given):
        given = f"{given[0]}..{given[1]}"
    text = re.sub(r"\s", "", given) if isinstance(given, str) else ""
    if limit := _LIMIT.fullmatch(text):
        end, sign = _number(limit[2], limit[3]), limit[1]
        low, high = (end, math.inf) if sign[0] == ">" else (-math.inf, end)
        return _Band(low, high, "=" not in sign, bool(limit[3]), text)
    band = _RANGE.fullmatch(text)
    if not band:
        raise BadInput(f"{where} = {brief(given)} is no band ({ALLOWED})")
    per_cent = band[4] or band[2]
    if per_cent and not (band[2] and band[4]) and (not band[4] or 0 < abs(float(band[1])) < 1):
        raise BadInput(f"{where} = {brief(text)}: is the other end in per cent, too? Such as 30%..50%")
    low, high = _number(band[1], per_cent), _number(band[3], per_cent)
    if not low < high:
        raise BadInput(f"{where} = {brief(text)}: an empty band: its lower end must be below its upper end")
    return _Band(low, high, strict=False, per_cent=bool(per_cent), text=text)


def _number(text: str, per_cent: str) -> float:
    return float(text) / (100 if per_cent else 1)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _goal(measure: "Measure", band: _Band, where: str) -> Goal:
    what = f"{where}: {measure.name} = {brief(band.text)}"
    if band.per_cent and not measure.figure.percent:
        raise BadInput(f"{what}: {measure.figure.label} is no share, so not in per cent")
    if measure.figure.percent and max(abs(end) for end in (band.low, band.high) if math.isfinite(end)) > 1:
        raise BadInput(f"{what}: {measure.figure.label} is a share, so from 0 to 1, such as 0.3 or 30%")
    return Goal(measure, band.low, band.high, band.strict, band.text)


# ---- beside an experiment ------------------------------------------------------------------------------------------


def planned(plan: Plan, request: Request) -> Plan:
    """Return a plan that measures the targets of the request's variant file, too; as it is where there are none.

    Raises
    ------
    BadInput
        If a target can't be read.
    """
    table = request.written.get(TARGETS)
    if table is None:
        return plan
    variant = request.variant(next(iter(plan.variants.values())).game)
    goals = goals_of(table, variant.game, f"{request.file}: {TARGETS}")
    return _with_targets(plan, goals, variant, min(request.games, MOST_GAMES)) if goals else plan


def _with_targets(plan: Plan, goals: Sequence[Goal], variant: Variant, games: int) -> Plan:
    from simlib.landscape import Spot, studies

    known = game_named(variant.game).module("players").PLAYERS
    seats = (seated(PLAYER, known, "players"),) * variant.parameters.players
    own = studies(BLOCK, [Spot(variant.name, variant, seats)], [goal.measure for goal in goals], games)
    those = {each.text: each.sentence for study in own for arm in study.arms.values() for each in arm.players}
    played = {study.key.replace(BLOCK, "games for the targets", 1).replace(" | ", ", "): games * len(study.arms)
              for study in own}  # fmt: skip
    facts = {"goals": [[goal.name, goal.text] for goal in goals], "game": variant.game, "label": variant.name}
    return replace(
        plan,
        studies=[*plan.studies, *own],
        players=those | plan.players,
        played=plan.played | played,
        facts=plan.facts | {TARGETS: facts},
        further=partial(_further, plan, goals, variant, games) if plan.further else None,
    )


def _further(
    plan: Plan, goals: Sequence[Goal], variant: Variant, games: int, summaries: "dict[str, Summary]"
) -> Plan | None:
    more = plan.further(summaries) if plan.further else None
    return _with_targets(more, goals, variant, games) if more else None


def findings(run: Results) -> "list[Finding]":
    """Return what came of a run's targets; nothing where it has none."""
    kept = run.facts["plan"].get(TARGETS)
    if not kept:
        return []
    goals = goals_of(dict(kept["goals"]), kept["game"], FILE)

    from simlib.landscape import Landscape

    landscape = Landscape({BLOCK: [kept["label"]]}, [goal.measure for goal in goals], run.summaries)
    return [target_finding(goals, landscape, [kept["label"]])]


JUDGED = Beside(planned, findings)


def with_goals(measures: "Sequence[Measure]", goals: Sequence[Goal]) -> "list[Measure]":
    """Return measures and those that goals speak of, each once."""
    return list({measure.name: measure for measure in (*measures, *(goal.measure for goal in goals))}.values())


# ---- what came of them ---------------------------------------------------------------------------------------------


class Judged(NamedTuple):
    """A goal, a variant by its label, the measure there, and the verdict; the estimates of a family hold together."""

    goal: Goal
    label: str
    estimate: Estimate

    @property
    def verdict(self) -> str:
        """MET, MISSED or UNDECIDED."""
        return judge(self.goal, self.estimate)

    @property
    def misses(self) -> tuple[float, float, float]:
        """How far the goal is missed, and the least and the most that the interval allows (`Goal.misses`)."""
        return self.goal.misses(self.estimate)

    @property
    def told(self) -> str:
        """All of it as a sentence."""
        told = say(
            "{verdict}: {label} ({name}), wished {band}, is {figure}",
            verdict=marked(self.verdict), label=self.goal.measure.figure.label, name=self.goal.name,
            band=self.goal.band, figure=self.goal.measure.figure.text(self.estimate),
        )  # fmt: skip
        why = reason(self.goal, self.estimate)
        return say("{told}; {why}.", told=told, why=why) if why else say("{told}.", told=told)


def judged(goals: Sequence[Goal], landscape: "Landscape", labels: Sequence[str], family: int = 0) -> list[Judged]:
    """Return what came of goals in variants, label after label, with intervals that all hold together.

    Parameters
    ----------
    family : int
        How many intervals hold together, where there are more than these: with other variants, and at other looks.
    """
    from simlib.estimates.families import widened

    pairs = [(goal, label, landscape.estimate(goal.name, label)) for label in labels for goal in goals]
    return [Judged(goal, label, widened(estimate, family or len(pairs))) for goal, label, estimate in pairs]


def target_finding(
    goals: Sequence[Goal], landscape: "Landscape", labels: Sequence[str], players: str = PLAYER, *, chart: bool = True
) -> "Finding":
    """Return a section of a page that judges goals in some variants of a landscape.

    Parameters
    ----------
    labels : sequence of str
        The variants' labels.
    players : str
        Who takes all seats.
    chart : bool
        Whether they are drawn.
    """
    from simlib.findings import Finding

    found = judged(goals, landscape, labels)
    counts = {verdict: sum(each.verdict == verdict for each in found) for verdict in MARKS}
    return Finding(
        TARGETS,
        say("Targets: {met} of {all} met, {missed} missed, {undecided} undecided", all=len(found), **counts),
        text=tuple(each.told for each in found) if len(labels) == 1 else (),
        charts=(targets_chart(found),) if chart else (),
        tables=(targets_table(found, players),),
        assumes=(
            say("The seats are taken by {players}, except where a measure names its own players.", players=players),
            say("A target is met where the whole interval lies in the wished band, missed where it lies wholly "
                "outside, else undecided. The intervals of all {count} hold together.", count=len(found)),
        ),
        title="Targets",
    )  # fmt: skip


def played_by(goal: Goal, players: str) -> str:
    """Return who plays for a goal's measure: `players`, unless it names its own."""
    guest = goal.measure.measured.guest
    return say("{one} among {others}", one=guest[0], others=guest[1]) if guest else players


def targets_table(found: Sequence[Judged], players: str, key: str = TARGETS) -> "Table":
    """Return all verdicts as a table: in words on the page, as numbers in the download."""
    import pandas as pd

    from simlib.findings import Table

    frame = banded(found)
    own = {"players": [played_by(each.goal, players) for each in found]}
    shown = pd.DataFrame(
        {
            **{name: frame[name] for name in ("measure", "name", "variant")},
            "wished": [each.goal.band for each in found],
            "measured": [each.goal.measure.figure.text(each.estimate) for each in found],
            "verdict": frame["verdict"],
            **own,
        }
    )
    return Table(key, "Targets", frame.assign(**own), "The download has shares as fractions.", shown)


def targets_chart(found: Sequence[Judged], key: str = "target_bands") -> "Chart":
    """Return all verdicts as dots in their bands."""
    from simlib.figures.goals import bands
    from simlib.findings import Chart, Table

    frame = banded(found)
    title = "What is wished, and what was measured"
    alt = say("Dots with intervals in wished bands. {figures}", figures=" ".join(each.told for each in found))
    caption = "Shaded is what is wished; the bars are intervals that hold together."
    return Chart(key, title, bands(frame), alt, caption, Table(key, title, frame, "Shares as fractions."))


def banded(found: Sequence[Judged]) -> "pd.DataFrame":
    """Return verdicts as `figures.goals.bands` draws them."""
    from simlib.frames import frame_of
    from simlib.survey import sentence

    return frame_of(
        [each.estimate for each in found],
        measure=[sentence(each.goal.measure.figure.label) for each in found],
        name=[each.goal.name for each in found],
        variant=[each.label for each in found],
        verdict=[marked(each.verdict) for each in found],
        percent=[each.goal.measure.figure.percent for each in found],
        **{name: [each.goal.shaded[place] for each in found] for place, name in enumerate(("from", "to"))},
    )
