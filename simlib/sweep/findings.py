"""A sweep's page: where the first measure is highest and lowest, what each parameter changes, and every figure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from simlib import results
from simlib.axes import Axis
from simlib.estimates import Estimate
from simlib.estimates.words import listed, number, value_and_bracket
from simlib.figures import charts
from simlib.findings import Chart, Finding, Table, Tile
from simlib.frames import frame_of
from simlib.heavy import pd
from simlib.how_sure import how_sure
from simlib.languages import say
from simlib.results import Results
from simlib.survey import Figure, joined, sentence
from simlib.sweep.plan import BLOCK, TOGETHER, label_of, spelled
from simlib.sweep.swept import Step, Swept
from simlib.targets import goals_of

LINES = 6  # of a chart: as many as can be told apart
COLUMNS, PANELS, NUMBERS = 20, 12, 1000  # of a heat map
NAMED = 6  # cells that a sentence lists
PAIRS = 40  # of cells that a page lists
MOST_TARGETS = 40  # of all cells together that are drawn
DETAILED = 4  # measures with charts and pairs of cells, where all cells share deals; else the first alone
SHARES = "In the download, shares are fractions."
GLOSSARY = [
    ("axis", "a parameter that the sweep changes, with the values that it takes"),
    ("cell", "one variant of the sweep: a value for each axis, all else as in the variant that is changed"),
    ("step", "from one value of an axis to the next: cells that are alike in all else are compared, and averaged"),
    (
        "common deals",
        "cells play the same games by number: the same cards where decks and hands are alike, else the same random "
        "numbers",
    ),
    (
        "measured again",
        "played once more, on games that had no part in the choice: what looks best of many looks better than it is",
    ),
    ("hold together", "intervals made so wide that, with 95 %, all of those named hold the true figure at once"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure, of each cell"),
]


def question(run: Results) -> str:
    """Return what the sweep asks."""
    return say("What changes with {keys}?", keys=joined([axis["key"] for axis in run.facts["axes"]]))


def findings(run: Results) -> list[Finding]:
    """Return the answer about the first measure, then every other measure, then all cells."""
    swept = Swept(run)
    others = list(swept.measures)[1:]
    last = how_sure(swept.headline(), None)
    return [answer(swept), *targets_met(swept), *(about(swept, name) for name in others), everything(swept), last]


def targets_met(swept: Swept) -> list[Finding]:
    """Return what comes of the variant file's targets in each cell; nothing where there are none."""
    goals = goals_of(dict(swept.facts["goals"]), swept.facts["game"], results.FILE)
    drawn = len(swept.labels) * len(goals) <= MOST_TARGETS
    return [swept.targets(goals, chart=drawn)] if goals else []


# ---- the answer ----------------------------------------------------------------------------------------------------


def answer(swept: Swept) -> Finding:
    """Say where the first measure is highest and lowest, and what each axis changes in it."""
    name = swept.first
    axes = [axis for axis in swept.axes if len(axis.values) > 1]
    too_many = [] if len(axes) < 2 or readable(axes) else [say("They are more cells than a heat map can show.")]
    return Finding(
        "answer",
        headline(swept),
        text=(*told_apart(swept), *too_many, *axes_words(swept, name)),
        tiles=tuple(tiles(swept)),
        charts=tuple(charts_of(swept, name)),
        tables=tuple(tables_of(swept, name)),
        assumes=tuple(assumes(swept)),
    )


def headline(swept: Swept) -> str:
    """Return the answer as a sentence."""
    figure, players = swept.measures[swept.first], swept.facts["policy"]
    label = sentence(figure.label)
    if not swept.ends:
        known = {cell: each for cell, each in swept.values(swept.first).items() if math.isfinite(each.value)}
        if not known:
            return say("{label}: not known in any cell ({players}).", label=label, players=players)
        ((cell, each),) = known.items()
        return say("{label}: {figure} with {cell} ({players}).",
                   label=label, figure=figure.text(each), cell=cell, players=players)  # fmt: skip
    high, low = swept.ends
    holes = {
        "label": label, "high": high, "low": low, "players": players, "change": figure.change_text(swept.gap),
        "high_value": figure.text(swept.again(high)), "low_value": figure.text(swept.again(low)),
    }  # fmt: skip
    verdict = figure.verdict(swept.gap)
    if verdict == "higher":
        return say(
            "{label}: highest with {high}, {high_value}; lowest with {low}, {low_value}; the difference is {change} "
            "({players}).", **holes,
        )  # fmt: skip
    said = "undecided" if verdict == "lower" else verdict  # what looked highest came out lower: nothing is shown
    return say(
        "{label}: {verdict} between the cells that look highest and lowest, {high} and {low}: {change} ({players}).",
        verdict=said, **holes,
    )  # fmt: skip


def told_apart(swept: Swept) -> list[str]:
    """Return how the ends were measured, and which cells can't be told from them, as sentences."""
    if not swept.ends:
        return []
    said = [
        say(
            "The {count:,} cells were played first, {games:,} games each; then the highest and the lowest one were "
            "measured again on {games:,} other games, and only that is told above.",
            count=len(swept.labels), games=swept.facts["asked"],
        )
    ]  # fmt: skip
    if len(swept.labels) == 2:
        return said
    high, low = (named(swept.not_told_from(end), len(swept.labels) - 1) for end in swept.ends)
    return [
        *said,
        say("Cells that can't be told from the highest one: {cells}.", cells=high),
        say("Cells that can't be told from the lowest one: {cells}.", cells=low),
        *at_the_edge(swept),
    ]


def at_the_edge(swept: Swept) -> list[str]:
    """Return which parameters are at the end of what was tried where the measure is highest or lowest, as sentences."""
    said = []
    for end, word in zip(swept.ends, ("highest", "lowest"), strict=True):
        numbers = {axis.key: spelled(axis.values[0]) for axis in swept.axes if axis.numeric and len(axis.values) > 2}
        last = {axis.key: spelled(axis.values[-1]) for axis in swept.axes if axis.key in numbers}
        at = dict(zip((axis.key for axis in swept.axes), swept.at[end], strict=True))
        keys = [key for key in numbers if at[key] in (numbers[key], last[key])]
        if keys:
            template = (
                "Where it is {end}, {keys} is at the end of what was tried: it may go on beyond."
                if len(keys) == 1
                else "Where it is {end}, {keys} are at the end of what was tried: it may go on beyond."
            )
            said.append(say(template, end=word, keys=joined(keys)))
    return said


def named(cells: Sequence[str], most: int) -> str:
    """Return some of `most` cells as a phrase; of many the first."""
    if len(cells) in (0, most):
        return say("all others" if cells else "none")
    if len(cells) <= NAMED:
        return joined(list(cells))
    return say("{cells} and {count} more", cells=say(", ").join(cells[:NAMED]), count=len(cells) - NAMED)


def tiles(swept: Swept) -> list[Tile]:
    """Return the highest and the lowest cell, and their difference."""
    figure = swept.measures[swept.first]
    if not swept.ends:
        return []
    high, low = swept.ends
    return [
        Tile("highest", *value_and_bracket(swept.again(high), figure.unit, percent=figure.percent)),
        Tile("lowest", *value_and_bracket(swept.again(low), figure.unit, percent=figure.percent)),
        Tile("the difference", *value_and_bracket(swept.gap, figure.change_unit, percent=figure.percent)),
    ]


def assumes(swept: Swept) -> list[str]:
    """Return what all figures rest on."""
    said = [say("All seats are taken by {players}.", players=swept.facts["policy"])]
    if len(swept.labels) == 1:
        return said
    if swept.together:
        said.append(
            say(
                "All cells play the same games by number. Where decks, hands or seats differ, they share random "
                "numbers, not cards."
            )
        )
    else:
        said.append(
            say(
                "More than {most} cells: they are played in blocks of {block}, each on games of its own, the first "
                "cell in each of them. So only differences from the first cell are paired and listed.",
                most=TOGETHER, block=BLOCK,
            )
        )  # fmt: skip
    said.append(say("A step is the mean over cells that are alike in all else, each weighing the same."))
    return said


# ---- what each axis changes ----------------------------------------------------------------------------------------


def axes_words(swept: Swept, name: str) -> list[str]:
    """Return a sentence for each axis that takes several values."""
    steps = swept.steps(name)
    return [
        axis_words(axis, own, swept.measures[name])
        for axis in swept.axes
        if (own := [step for step in steps if step.axis == axis])
    ]


def axis_words(axis: Axis, steps: Sequence[Step], figure: Figure) -> str:
    """Return what an axis changes: from end to end, and step by step."""
    whole = next((step for step in steps if step.ends), steps[0] if len(steps) == 1 else None)
    single = [step for step in steps if not step.ends]
    if whole is None:
        return say("{key}: {steps}.", key=axis.key, steps=steps_words(single, figure))
    told = say(
        "{key}, from {low} to {high}: {verdict}, {change} (mean over {cells:,} pairs of cells)"
        if whole.cells > 1
        else "{key}, from {low} to {high}: {verdict}, {change}",
        key=axis.key, low=whole.low, high=whole.high, verdict=figure.verdict(whole.change),
        change=figure.change_text(whole.change), cells=whole.cells,
    )  # fmt: skip
    if len(single) < 2:
        return say("{told}.", told=told)
    return say("{told}. Step by step: {steps}.", told=told, steps=steps_words(single, figure))


def steps_words(steps: Sequence[Step], figure: Figure) -> str:
    """Return what single steps of an axis change, once for all of which the same is said."""
    groups: dict[str, list[str]] = {}
    for step in steps:
        groups.setdefault(figure.verdict(step.change), []).append(f"{step.low} \u2192 {step.high}")
    if len(groups) == 1 and len(steps) > 1:
        return say("{verdict} at each", verdict=next(iter(groups)))
    return say("; ").join(
        say("{verdict} ({steps})", verdict=verdict, steps=say(", ").join(each)) for verdict, each in groups.items()
    )


def about(swept: Swept, name: str) -> Finding:
    """Say what each axis changes in a measure."""
    figure = swept.measures[name]
    detailed = list(swept.measures).index(name) < shown_of(swept)
    return Finding(
        name,
        say("{label}: {told}", label=sentence(figure.label), told=changes_words(swept, name)),
        text=tuple(axes_words(swept, name)),
        charts=tuple(charts_of(swept, name)) if detailed else (),
        tables=tuple(tables_of(swept, name)) if detailed else (steps_table(swept, name),),
        title=sentence(figure.label),
    )


def shown_of(swept: Swept) -> int:
    """Return of how many measures charts and pairs of cells are shown."""
    return DETAILED if swept.together else 1


def changes_words(swept: Swept, name: str) -> str:
    """Return in a few words which axes change a measure."""
    figure, said = swept.measures[name], []
    for axis in swept.axes:
        own = [step for step in swept.steps(name) if step.axis == axis]
        if own:
            said.append(change_words(axis, own, figure))
    return say("; ").join(said) or say("no axis takes two values")


def change_words(axis: Axis, steps: Sequence[Step], figure: Figure) -> str:
    """Return in a few words whether an axis changes a measure, and which way if it is always the same."""
    moves = {figure.verdict(step.change) for step in steps} & {"higher", "lower"}
    if not moves:
        return say("no clear change with {key}", key=axis.key)
    if not axis.numeric or len(moves) > 1:
        return say("it changes with {key}", key=axis.key)
    return say("higher the higher {key}" if moves == {"higher"} else "lower the higher {key}", key=axis.key)


def tables_of(swept: Swept, name: str) -> list[Table]:
    """Return what each axis changes in a measure, and how cells differ in it, as tables."""
    found = [steps_table(swept, name)] if swept.steps(name) else []
    return [*found, pairs_table(swept, name)] if len(swept.labels) > 1 else found


def steps_table(swept: Swept, name: str) -> Table:
    """Return the table of what each axis changes in a measure."""
    figure, steps = swept.measures[name], swept.steps(name)
    frame = frame_of(
        [step.change for step in steps],
        axis=[step.axis.key for step in steps],
        **{"from": [step.low for step in steps], "to": [step.high for step in steps]},
        verdict=[figure.verdict(step.change) for step in steps],
        pairs=[step.cells for step in steps],
    )
    note = say(
        "The mean difference of pairs of cells that are alike in all else; all {count} intervals hold "
        "together.{shares}",
        count=len(steps), shares=_shares(figure),
    )  # fmt: skip
    return Table(f"{name}_steps", say("What each axis changes: {label}", label=figure.label), frame, note)


def pairs_table(swept: Swept, name: str) -> Table:
    """Return the table of how cells differ in a measure."""
    figure, pairs = swept.measures[name], swept.pairs(name)
    columns = {
        "cell": [pair.label for pair in pairs],
        "less": [pair.base for pair in pairs],
        "verdict": [figure.verdict(pair.change) for pair in pairs],
    }
    surest = sorted(range(len(pairs)), key=lambda place: -surely(pairs[place].change))[:PAIRS]
    told = columns | {"difference": [figure.change_text(pair.change) for pair in pairs]}
    note = say(
        "The first cell less the second, on common deals. All {count:,} intervals hold together; shown are the surest "
        "differences, {shown:,} of them, the download has all.{shares}",
        count=len(pairs), shown=len(surest), shares=_shares(figure),
    )  # fmt: skip
    return Table(
        f"{name}_pairs",
        say("How cells differ: {label}", label=figure.label),
        frame_of([pair.change for pair in pairs], **columns),
        note,
        pd.DataFrame(told).iloc[surest],
    )


def surely(change: Estimate) -> float:
    """Return how many half intervals a difference is away from 0; infinite where it is the same in every game."""
    if not change.known or not change.value:
        return 0.0
    half = (change.high - change.low) / 2
    return abs(change.value) / half if half else math.inf


def _shares(figure: Figure) -> str:
    return " " + say(SHARES) if figure.percent else ""


# ---- charts --------------------------------------------------------------------------------------------------------


def charts_of(swept: Swept, name: str) -> list[Chart]:
    """Return the charts of a measure: a heat map of two axes, lines along a number, dots for what is none."""
    axes = [axis for axis in swept.axes if len(axis.values) > 1]
    numeric = [axis for axis in axes if axis.numeric]
    made: list[Chart | None] = [heat_chart(swept, name, axes)] if len(axes) > 1 and readable(axes) else []
    made += [line_chart(swept, name, max(numeric, key=lambda axis: len(axis.values)))] if numeric else []
    made += [dots_chart(swept, name, axis) for axis in axes if not axis.numeric]
    return [chart for chart in made if chart]


def readable(axes: Sequence[Axis]) -> bool:
    """Tell whether a heat map of all cells can be read: two axes and a panel for each setting of the others."""
    columns, rows, *others = sorted((len(axis.values) for axis in axes), reverse=True)
    panels = math.prod(others)
    return columns <= COLUMNS and panels <= PANELS and panels * columns * rows <= NUMBERS


def heat_chart(swept: Swept, name: str, axes: Sequence[Axis]) -> Chart:
    """Return a measure by the two axes of most values, in a panel for each setting of the others."""
    ranked = sorted(axes, key=lambda axis: -len(axis.values))
    x, y, rest = ranked[0], ranked[1], [axis for axis in axes if axis not in ranked[:2]]
    figure, known = swept.measures[name], swept.values(name)
    frames = _panels(swept, known, (x, y), rest)
    present = _present(swept, x), _present(swept, y)
    drawn = charts.heats(frames, x_label=x.key, y_label=y.key, percent=figure.percent, present=present)
    title = say("{label} by {y} and {x}", label=sentence(figure.label), y=y.key, x=x.key)
    table = Table(f"{name}_heat", title, _cells_frame(swept, name), _shares(figure).strip())
    return Chart(f"{name}_heat", title, drawn, _alt(swept, name, title), _known_to(figure, known.values()), table)


def _present(swept: Swept, axis: Axis) -> str | None:
    """Return the name of an axis' value in the variant that cells change, if it is known and among those tried."""
    known = swept.facts["present"]
    name = spelled(known[axis.key]) if axis.key in known else None
    return name if name in [spelled(value) for value in axis.values] else None


def _panels(
    swept: Swept, known: Mapping[str, Estimate], shown: tuple[Axis, Axis], rest: Sequence[Axis]
) -> dict[str, pd.DataFrame]:
    """Return a matrix for each setting of the other axes; nan where a cell is illegal."""
    x, y = shown
    rows, columns = ([spelled(value) for value in axis.values] for axis in (y, x))
    found: dict[str, pd.DataFrame] = {}
    for cell in swept.facts["cells"]:
        settings = cell["settings"]
        panel = label_of({axis.key: settings[axis.key] for axis in rest})
        frame = found.setdefault(panel, pd.DataFrame(math.nan, index=rows, columns=columns))
        frame.loc[spelled(settings[y.key]), spelled(settings[x.key])] = known[cell["label"]].value
    return found


def _known_to(figure: Figure, estimates: Iterable[Estimate]) -> str:
    """Return how closely the numbers of a picture are known, as a caption."""
    known = [each for each in estimates if each.known]
    if not known:
        return say("No number has an interval: too few games.")
    widest = max(max(each.high - each.value, each.value - each.low) for each in known)
    scale, unit = (100, "%") if figure.percent else (1, figure.unit)
    places = max(0, 1 - math.floor(math.log10(scale * widest))) if widest else 0
    return say(
        "Each number is known to \u00b1 {reach} or closer (95 % intervals one by one, n = {n:,}). A dash: illegal, or "
        "not known.",
        reach=f"{number(scale * widest, places)} {unit}".strip(), n=known[0].n,
    )  # fmt: skip


def _alt(swept: Swept, name: str, title: str) -> str:
    """Return a picture's alternative text: what it shows, and its ends."""
    figure = swept.measures[name]
    known = {label: each for label, each in swept.values(name).items() if math.isfinite(each.value)}
    if not known:
        return say("{title}: no cell has a value.", title=title)
    low, high = (pick(known, key=lambda label: known[label].value) for pick in (min, max))
    return say(
        "{title}: from {low} with {low_cell} to {high} with {high_cell}.",
        title=title, low=figure.text(known[low]), low_cell=low, high=figure.text(known[high]), high_cell=high,
    )  # fmt: skip


def line_chart(swept: Swept, name: str, axis: Axis) -> Chart | None:
    """Return a measure along an axis of numbers."""
    lines, caption = _lines(swept, name, axis)
    if not lines:
        return None
    figure = swept.measures[name]
    points = [(line, float(at), each) for line, along in lines.items() for at, each in along.items()]
    frame = frame_of([each for *_, each in points], line=[p[0] for p in points], **{axis.key: [p[1] for p in points]})
    present = swept.facts["present"].get(axis.key)
    is_number = isinstance(present, int | float) and not isinstance(present, bool)
    drawn = charts.curve(
        frame, x=axis.key, line="line", x_label=axis.key, percent=figure.percent,
        present=float(present) if is_number else None, y_label=figure.unit,
    )  # fmt: skip
    title = say("{label} along {key}", label=sentence(figure.label), key=axis.key)
    table = Table(f"{name}_lines", title, frame, _shares(figure).strip())
    return Chart(f"{name}_lines", title, drawn, _alt(swept, name, title), caption, table)


def dots_chart(swept: Swept, name: str, axis: Axis) -> Chart | None:
    """Return a measure at each value of an axis that isn't one of numbers."""
    lines, caption = _lines(swept, name, axis)
    if not lines:
        return None
    figure = swept.measures[name]
    points = [(line, at, each) for line, along in lines.items() for at, each in along.items()]
    estimates = [each for *_, each in points]
    frame = frame_of(estimates, label=[p[1] for p in points], line=[p[0] for p in points])
    drawn = charts.interval_dots(
        frame, group="line" if len(lines) > 1 else None, percent=figure.percent, present=_present(swept, axis)
    )
    title = say("{label} by {key}", label=sentence(figure.label), key=axis.key)
    labels = [" ".join(point[:2]).strip() for point in points]
    alt = say("Dots with intervals: {figures}.", figures=listed(labels, estimates, figure.unit, percent=figure.percent))
    table = Table(f"{name}_by_{axis.key}", title, frame, _shares(figure).strip())
    return Chart(f"{name}_by_{axis.key}", title, drawn, alt, caption, table)


def _lines(swept: Swept, name: str, axis: Axis) -> tuple[dict[str, dict[str, Estimate]], str]:
    """Return estimates along an axis for each setting of the others, or their mean where these are many; a caption."""
    known, lines = swept.values(name), swept.lines(axis)
    order = [spelled(value) for value in axis.values]
    if len(lines) <= LINES:
        found = {line: {at: known[along[at]] for at in order if at in along} for line, along in lines.items()}
        return found, say("Bands and bars are 95 % intervals, one by one.")
    means = swept.means(name, axis)
    caption = say("The mean over the settings of all other axes; bands and bars are 95 % intervals, one by one.")
    return ({"": means} if means else {}), caption


# ---- all cells -----------------------------------------------------------------------------------------------------


def everything(swept: Swept) -> Finding:
    """List every measure of every cell, and the cells that can't be played."""
    legal, illegal = len(swept.labels), swept.facts["illegal"]
    frames = [_cells_frame(swept, name) for name in swept.measures]
    note = say("Intervals of 95 %, one by one. In the download, shares are fractions.")
    left_out = len(swept.measures) - shown_of(swept)
    said = say(
        "Charts and pairs of cells are of the first {count} of {all} measures; figures of all are in the table.",
        count=shown_of(swept), all=len(swept.measures),
    )  # fmt: skip
    told = pd.concat([_cells_told(swept, name) for name in swept.measures], ignore_index=True)
    long = Table("cells", "Every measure of every cell", pd.concat(frames, ignore_index=True), note, told)
    return Finding(
        "cells",
        say(
            "All {legal:,} cells; {illegal:,} more are illegal" if illegal else "All {legal:,} cells",
            legal=legal,
            illegal=len(illegal),
        ),
        text=(said,) if left_out > 0 else (),
        tables=(long, *([_illegal_table(swept)] if illegal else [])),
        title="All cells",
    )


def _cells_frame(swept: Swept, name: str) -> pd.DataFrame:
    """Return a measure of each cell, a row a cell."""
    known = swept.values(name)
    places = {axis.key: [swept.at[label][place] for label in known] for place, axis in enumerate(swept.axes)}
    return frame_of(
        list(known.values()),
        cell=list(known),
        **places,
        measure=swept.measures[name].label,
        fingerprint=[cell["fingerprint"] for cell in swept.facts["cells"]],
    )


def _cells_told(swept: Swept, name: str) -> pd.DataFrame:
    """Return a measure of each cell in words, as measures have unlike units."""
    figure, known = swept.measures[name], swept.values(name)
    return pd.DataFrame(
        {"cell": list(known), "measure": figure.label, "figure": [figure.text(each) for each in known.values()]}
    )


def _illegal_table(swept: Swept) -> Table:
    illegal = swept.facts["illegal"]
    frame = pd.DataFrame(
        {axis.key: [each["settings"][axis.key] for each in illegal] for axis in swept.axes}
        | {"reason": [each["reason"] for each in illegal]}
    )
    return Table("illegal", "Cells that can't be played", frame)
