"""A tune's page: the winner as it was measured afresh, the whole space, the trade-off, and what each parameter does."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from simlib.axes import Axis
from simlib.estimates.words import value_and_bracket
from simlib.figures import charts, parts
from simlib.figures.goals import along, bands, trade_off
from simlib.findings import Chart, Finding, Listing, Table, Tile
from simlib.frames import frame_of
from simlib.heavy import pd
from simlib.languages import say
from simlib.survey import joined
from simlib.sweep.plan import label_of, spelled
from simlib.targets import MARKS, MET, MISSED, Goal, Judged, banded, marked, targets_chart, targets_table
from simlib.tune.effects import Effects
from simlib.tune.run import FILE
from simlib.tune.search import FINALISTS, TIMES
from simlib.tune.space import FOLDS
from simlib.tune.tuned import Tuned

ROWS, COLUMNS = 40, 10  # of a landscape that can be read
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # as many cells of the trade-off are named
NAMED = 6  # cells that a sentence names
SHARES = "Shares as fractions."
MARKED = "\u2713 is met, \u2717 missed, ? undecided, by intervals that hold together."
SHADED = "Shaded is what is wished; the bars are intervals that hold together."
GLOSSARY = [
    ("goal", "a measure and the band that is wished for it"),
    ("cell", "one variant of the space: a value for each parameter that is searched"),
    (
        "distance",
        "how far a cell is outside the band of the goal that it misses most, in widths of that band, or in the limit "
        "where there is one alone; 0 or below where it meets all goals",
    ),
    ("dropped", "its intervals show that it misses a goal, and by more than another cell misses any at its worst"),
    ("set aside", "others looked nearer to the goals; nothing is shown of it"),
    (
        "played afresh",
        "measured once more, on games that had no part in the search: what looks best of many looks better than it is",
    ),
    ("not beaten", "no other cell is nearer to one goal without being farther from another"),
    ("effect", "what a measure is more at one value of a parameter than in the mean of its values, all else alike"),
    ("common deals", "cells play the same games by number: the same cards where decks and hands are alike"),
    ("hold together", "intervals made so wide that, with 95 %, all of those named hold the true figure at once"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure, of each cell"),
]


def question(tuned: Tuned) -> str:
    """Return what the tune asks."""
    return say(
        "Which values of {keys} meet {goals}?",
        keys=joined([axis.key for axis in tuned.axes]), goals=joined([goal.typed for goal in tuned.goals]),
    )  # fmt: skip


def findings(tuned: Tuned) -> list[Finding]:
    """Return the answer, then the whole space, the trade-off of several goals, and what each parameter does."""
    trade = [trade_offs(tuned)] if len(tuned.goals) > 1 else []
    return [answer(tuned), space(tuned), *trade, does(tuned), course(tuned)]


# ---- the answer ----------------------------------------------------------------------------------------------------


def answer(tuned: Tuned) -> Finding:
    """Say whether the winner meets the goals, by games that had no part in the search."""
    return Finding(
        "answer",
        headline(tuned),
        text=(*searched(tuned), apart(tuned)),
        tiles=tuple(tile_of(each) for each in tuned.fresh),
        charts=(targets_chart(tuned.fresh),),
        tables=(targets_table(tuned.fresh, tuned.facts["policy"]),),
        listings=(Listing("The winner as a variant file", tuned.toml),),
        assumes=(
            say("All seats are taken by {players}, except where a measure names its own players.",
                players=tuned.facts["policy"]),
            say("A goal is met where the whole interval lies in its band, missed where it lies wholly outside, else "
                "undecided. The winner's intervals hold together."),
            say("The file is kept beside this page as {file}.", file=FILE),
        ),
    )  # fmt: skip


def headline(tuned: Tuned) -> str:
    """Return the answer as a sentence."""
    told = joined([told_fresh(each) for each in tuned.fresh])
    holes = {"cell": tuned.label, "figures": told, "players": tuned.facts["policy"]}
    if tuned.verdict == MET:
        return say("With {cell} all goals are met: {figures} ({players}).", **holes)
    if tuned.verdict != MISSED:
        return say("Undecided whether {cell} meets all goals: {figures} ({players}).", **holes)
    if tuned.all_miss:
        return say("No cell meets all goals; nearest is {cell}: {figures} ({players}).", **holes)
    return say("No cell was found that meets all goals; nearest is {cell}: {figures} ({players}).", **holes)


def told_fresh(each: Judged) -> str:
    """Return a goal's measure, and by how much it is missed if it is."""
    figure = each.goal.measure.figure
    told = say("{name} is {figure}", name=each.goal.name, figure=figure.text(each.estimate))
    if each.verdict == MET:
        return told
    if each.verdict != MISSED:
        return say("{told}, undecided", told=told)
    return say("{told}, missed by {by}", told=told, by=figure.change_text(each.goal.beyond(each.estimate)))


def searched(tuned: Tuned) -> list[str]:
    """Return how the winner was found, as sentences."""
    cells, first, last = len(tuned.labels), tuned.rounds[0], tuned.rounds[-1]
    dropped = sum(len(each.dropped) for each in tuned.rounds)
    aside = sum(len(each.aside) for each in tuned.rounds)
    how = (
        say("All {cells:,} cells were played {games:,} games each.", cells=cells, games=first.games)
        if tuned.facts["small"]
        else say(
            "{cells:,} of {all:,} cells were played {games:,} games each: proposed one after another, by what came out "
            "of those before. What was not proposed may be better.",
            cells=cells, all=tuned.facts["size"], games=first.games,
        )
    )  # fmt: skip
    return [
        how,
        say(
            "In the rounds {dropped:,} were dropped and {aside:,} set aside; what was left at the end had played "
            "{games:,} games. The one of these that looked best was played afresh, and only that is told above.",
            dropped=dropped, aside=aside, games=last.games,
        ),
    ]  # fmt: skip


def apart(tuned: Tuned) -> str:
    """Return which cells can't be told from the winner, as a sentence."""
    labels = [tuned.labels[number] for number in tuned.rivals]
    if not labels:
        return say("By the search's games every other cell is farther from the goals than the winner.")
    return say(
        "Cells that by the search's games may be as near to the goals as the winner: {cells}.", cells=named(labels)
    )  # fmt: skip


def named(cells: Sequence[str]) -> str:
    """Return some cells as a phrase; of many the first."""
    if len(cells) <= NAMED:
        return joined(list(cells))
    return say("{cells} and {count} more", cells=say(", ").join(cells[:NAMED]), count=len(cells) - NAMED)


def tile_of(each: Judged) -> Tile:
    """Return a goal of the winner as a tile."""
    figure = each.goal.measure.figure
    value, how_sure = value_and_bracket(each.estimate, figure.unit, percent=figure.percent)
    detail = say("{verdict}: wished {band}; {how_sure}", verdict=marked(each.verdict), band=each.goal.band,
                 how_sure=how_sure)  # fmt: skip
    return Tile(figure.label, value, detail)


# ---- the whole space -----------------------------------------------------------------------------------------------


def space(tuned: Tuned) -> Finding:
    """Show every cell: each goal's measure, and what became of the cell."""
    met = sum(each.meets for each in tuned.standings)
    missed = sum(each.misses for each in tuned.standings)
    shown = [landscape(tuned, goal) for goal in tuned.goals]
    return Finding(
        "space",
        say("Of {all:,} cells that were played: shown to meet all goals {met:,}, shown to miss one {missed:,}",
            all=len(tuned.labels), met=met, missed=missed),
        text=(
            say("These are the search's own games: the longer a cell was in the running, the more of them. All cells' "
                "intervals for all goals hold together, at the end of each round."),
        ),
        charts=(replace(shown[0], table=cells_table(tuned)), *shown[1:], *nearest_by(tuned)),
        title="The whole space",
        tables=tuple(illegal_table(tuned)),
    )  # fmt: skip


def judged_by(tuned: Tuned, goal: Goal) -> list[Judged]:
    """Return what came of a goal in each cell, by the search's games."""
    place = tuned.goals.index(goal)
    return [each.judged[place]._replace(label=tuned.labels[each.number]) for each in tuned.standings]


def landscape(tuned: Tuned, goal: Goal) -> Chart:
    """Return a goal's measure in all cells: along one parameter or by several; of too many cells the nearest."""
    axes = tuned.varied
    if len(axes) == 1 and axes[0].numeric:
        return _along(tuned, goal, axes[0])
    columns = next((axis for axis in longest(axes) if len(axis.values) <= COLUMNS), None)
    if len(axes) > 1 and columns and tuned.facts["small"]:
        down = [axis for axis in axes if axis != columns]
        if len({_row(each, down) for each in tuned.settings}) <= ROWS:
            return _heat(tuned, goal, columns, down)
    return _nearest(tuned, goal)


def longest(axes: Sequence[Axis]) -> list[Axis]:
    """Return axes by their number of values, most first."""
    return sorted(axes, key=lambda axis: -len(axis.values))


def _along(tuned: Tuned, goal: Goal, axis: Axis) -> Chart:
    found, figure = judged_by(tuned, goal), goal.measure.figure
    frame = frame_of([each.estimate for each in found], x=[each[axis.key] for each in tuned.settings])
    drawn = along(frame, goal.shaded, x_label=axis.key, y_label=figure.label, percent=figure.percent)
    return _chart(tuned, goal, drawn, SHADED)


def _heat(tuned: Tuned, goal: Goal, across: Axis, down: Sequence[Axis]) -> Chart:
    rows = list(dict.fromkeys(_row(each, down) for each in tuned.settings))
    columns = [spelled(value) for value in across.values]
    values = pd.DataFrame(math.nan, index=rows, columns=columns)
    marks = pd.DataFrame("", index=rows, columns=columns, dtype=object)
    for settings, each in zip(tuned.settings, judged_by(tuned, goal), strict=True):
        place = _row(settings, down), spelled(settings[across.key])
        values.loc[place], marks.loc[place] = each.estimate.value, MARKS[each.verdict]
    drawn = charts.heats(
        {"": values}, x_label=across.key, y_label=down[0].key if len(down) == 1 else "",
        percent=goal.measure.figure.percent, marks={"": marks},
    )  # fmt: skip
    return _chart(tuned, goal, drawn, MARKED)


def _row(settings: dict[str, Any], down: Sequence[Axis]) -> str:
    if len(down) == 1:
        return spelled(settings[down[0].key])
    return label_of({axis.key: settings[axis.key] for axis in down})


def _nearest(tuned: Tuned, goal: Goal) -> Chart:
    """Return the cells nearest to the goals as dots in the goal's band."""
    everywhere = judged_by(tuned, goal)
    found = [everywhere[each.number] for each in tuned.ranked[: ROWS // 2]]
    return _chart(tuned, goal, bands(banded(found)), SHADED)


def _chart(tuned: Tuned, goal: Goal, drawn: Any, caption: str) -> Chart:
    key, found = f"{goal.name}_cells", judged_by(tuned, goal)
    title = say("{label}: wished {band}", label=goal.measure.figure.label, band=goal.band)
    told = [say("{label} {figure}", label=each.label, figure=goal.measure.figure.text(each.estimate)) for each in found]
    alt = say("{title}. {figures}.", title=title, figures=say("; ").join(told[:ROWS]))
    frame = frame_of([each.estimate for each in found], **_settings(tuned, range(len(found))))
    frame["verdict"] = [marked(each.verdict) for each in found]
    return Chart(key, title, drawn, alt, caption, Table(key, title, frame, SHARES))


def nearest_by(tuned: Tuned) -> list[Chart]:
    """Return how near cells come to the goals by two parameters, where there are more that are searched."""
    axes = tuned.varied[:2]
    if len(axes) < 2 or (tuned.facts["small"] and len(tuned.varied) == 2):
        return []
    columns, rows = ([level.text for level in tuned.levels_of(axis)] for axis in axes)
    frame = pd.DataFrame(math.nan, index=rows, columns=columns)
    for each in reversed(tuned.ranked):  # the nearest last
        if math.isfinite(each.score):
            column, row = (tuned.level_at(each.number, axis).text for axis in axes)
            frame.loc[row, column] = each.score
    drawn = charts.heat(frame, x_label=axes[0].key, y_label=axes[1].key, centre=0, places=2)
    title = say("How near the nearest cell comes, by {x} and {y}", x=axes[0].key, y=axes[1].key)
    lines = frame.rename_axis(axes[1].key)
    caption = "The least distance from the goals of all cells that were played there; 0 or below where all are met."
    return [Chart("nearest", title, drawn, say("{title}.", title=title), caption, Table("nearest", title, lines))]


def _settings(tuned: Tuned, numbers: Iterable[int]) -> dict[str, list[str]]:
    numbers = list(numbers)
    return {axis.key: [spelled(tuned.settings[number][axis.key]) for number in numbers] for axis in tuned.axes}


def cells_table(tuned: Tuned) -> Table:
    """Return all cells, the nearest first."""
    ranked = tuned.ranked
    numbers = [each.number for each in ranked]
    frame = pd.DataFrame(_settings(tuned, numbers))
    frame["games"] = [tuned.games(number) for number in numbers]
    for place, goal in enumerate(tuned.goals):
        own = [each.judged[place] for each in ranked]
        frame[goal.name] = [each.estimate.value for each in own]
        frame[say("{name}, low", name=goal.name)] = [each.estimate.low for each in own]
        frame[say("{name}, high", name=goal.name)] = [each.estimate.high for each in own]
        frame[say("{name}, verdict", name=goal.name)] = [marked(each.verdict) for each in own]
    frame["distance"] = [each.score if math.isfinite(each.score) else math.nan for each in ranked]
    frame["what became of it"] = [became(tuned, number) for number in numbers]
    note = say("The nearest first; the distance is in widths of the band of the goal that is missed most. {shares}",
               shares=SHARES)  # fmt: skip
    return Table("cells", "All cells that were played", frame, note)


def became(tuned: Tuned, number: int) -> str:
    """Return what became of a cell in the search."""
    at, how = tuned.ended(number)
    if number == tuned.winner:
        return say("played afresh")
    if how == "dropped":
        return say("dropped in round {number}", number=at)
    return say("set aside in round {number}", number=at) if how == "aside" else say("played to the end")


def illegal_table(tuned: Tuned) -> list[Table]:
    """Return the cells that can't be played, if there are any."""
    cells = tuned.facts["illegal"]
    if not cells:
        return []
    frame = pd.DataFrame({"cell": [each["label"] for each in cells], "why": [each["reason"] for each in cells]})
    if len(frame) > ROWS:
        alike = frame.groupby("why", sort=False)["cell"]
        frame = pd.DataFrame({"cells": alike.size(), "such as": alike.first()}).reset_index()
    return [Table("illegal", "Cells that can't be played", frame)]


# ---- several goals -------------------------------------------------------------------------------------------------


def trade_offs(tuned: Tuned) -> Finding:
    """Show the cells that no other beats in all goals."""
    front = sorted(tuned.front, key=lambda number: tuned.misses(number))
    all_met = sum(not any(tuned.misses(number)) for number in front)
    words = (
        say("{count:,} cells look as if they met all goals: there is nothing to trade off", count=all_met)
        if all_met
        else say("{count:,} of {all:,} cells are not beaten: nearer to one goal is farther from another",
                 count=len(front), all=len(tuned.labels))
    )  # fmt: skip
    return Finding(
        "trade_off",
        words,
        text=(
            say("Distances are by what came out, and each goal's own: 0 where it is met. Neighbours on this list may "
                "not be told apart."),
        ),
        charts=(_trade_off(tuned, front),) if front and not all_met else (),
        tables=(front_table(tuned, front),),
        title="Trade-offs",
    )  # fmt: skip


def front_table(tuned: Tuned, front: Sequence[int]) -> Table:
    """Return the cells that no other beats, with their letters and distances."""
    frame = pd.DataFrame({"letter": letters(len(front)), **_settings(tuned, front)})
    for place, goal in enumerate(tuned.goals):
        bounds = [ranged(tuned, number, place) for number in front]
        for part, name in enumerate(
            (goal.name, say("{name}, low", name=goal.name), say("{name}, high", name=goal.name))
        ):
            frame[name] = [each[part] for each in bounds]
    note = say("Distances from each goal, in widths of its band, with what their intervals allow.")
    return Table("front", "Cells that are not beaten", frame, note)


def letters(count: int) -> list[str]:
    """Return a letter for each of so many cells; none for those beyond the alphabet."""
    return [LETTERS[at] if at < len(LETTERS) else "" for at in range(count)]


def ranged(tuned: Tuned, number: int, place: int) -> tuple[float, float, float]:
    """Return a cell's distance from a goal, 0 where it is met, and the least and the most that its interval allows."""
    each = tuned.standings[number].judged[place]
    value, low, high = (max(0.0, part) for part in each.misses)
    return value, low, high if math.isfinite(high) else math.nan


def _trade_off(tuned: Tuned, front: Sequence[int]) -> Chart:
    if len(tuned.goals) > 2:
        return _distances(tuned, front)
    named = dict(zip(front, letters(len(front)), strict=True))
    rows = [(number, *ranged(tuned, number, 0), *ranged(tuned, number, 1)) for number in range(len(tuned.labels))]
    frame = pd.DataFrame(rows, columns=["number", "x", "x_low", "x_high", "y", "y_low", "y_high"])
    frame["letter"] = [named.get(number, "") for number in frame.pop("number")]
    one, other = (say("distance from {goal}", goal=goal.typed) for goal in tuned.goals)
    drawn = trade_off(frame[frame["x"].notna()], x_label=one, y_label=other)
    title = "How far cells are from both goals"
    told = [
        say("{letter}, {cell}: {one:.2f} and {other:.2f}", letter=letter, cell=tuned.labels[number],
            one=ranged(tuned, number, 0)[0], other=ranged(tuned, number, 1)[0])
        for number, letter in named.items()
    ]  # fmt: skip
    caption = "Letters are cells that are not beaten, with what their intervals allow; crosses are all others."
    alt = say("{title}. {figures}.", title=title, figures=say("; ").join(told))
    return Chart("trade_off", title, drawn, alt, caption, Table("trade_off", title, _named_axes(frame, one, other)))


def _named_axes(frame: pd.DataFrame, one: str, other: str) -> pd.DataFrame:
    names = {"x": one, "y": other}
    for axis, goal in (("x", one), ("y", other)):
        names |= {f"{axis}_{end}": f"{goal}, {say(end)}" for end in ("low", "high")}
    return frame.rename(columns=names)


def _distances(tuned: Tuned, front: Sequence[int]) -> Chart:
    shown = front[: ROWS // 4]
    pairs = [(number, place) for number in shown for place in range(len(tuned.goals))]
    bounds = [ranged(tuned, number, place) for number, place in pairs]
    frame = pd.DataFrame(bounds, columns=["value", "low", "high"])
    frame["label"] = [tuned.labels[number] for number, _ in pairs]
    frame["goal"] = [tuned.goals[place].typed for _, place in pairs]
    drawn = charts.interval_dots(frame, group="goal", reference=0, reference_label="met", x_label="distance")
    title = "How far the cells that are not beaten are from each goal"
    told = [
        say("{label} {figure}", label=row.label, figure=f"{row.goal} {row.value:.2f}") for row in frame.itertuples()
    ]
    alt = say("{title}. {figures}.", title=title, figures=say("; ").join(told))
    return Chart(
        "trade_off", title, drawn, alt, "Bars are what their intervals allow.", Table("trade_off", title, frame)
    )


# ---- what each parameter does --------------------------------------------------------------------------------------


def does(tuned: Tuned) -> Finding:
    """Say what each parameter does to each goal's measure, and whether their effects add up."""
    found = {goal.name: tuned.effects(goal) for goal in tuned.goals}
    known = [(goal, own) for goal in tuned.goals if (own := found[goal.name]) and own.levels]
    return Finding(
        "effects",
        say("What each parameter does"),
        text=tuple(line for goal in tuned.goals for line in effect_words(tuned, goal, found[goal.name])),
        charts=tuple(_effects(goal, own) for goal, own in known),
        tables=tuple(_changes(goal, own) for goal, own in known),
        assumes=(
            say("An effect is the mean over cells, each weighing the same. It is from the first round alone, which all "
                "cells played alike, on common deals: {games:,} games each.",
                games=tuned.rounds[0].games),
            say("The intervals come from leaving out each of {folds} parts of the deals in turn, in all cells at once; "
                "those of each chart or table hold together.", folds=FOLDS),
        ),
    )  # fmt: skip


def effect_words(tuned: Tuned, goal: Goal, found: Effects | None) -> list[str]:
    """Return what parameters do to a measure, and what their sum leaves over, as sentences."""
    figure = goal.measure.figure
    if found is None or not found.changes:
        return [say("{label}: too few cells are known to tell the parameters apart.", label=figure.label)]
    changes = [
        say("{first} to {last}: {verdict}, {change}", first=each.first.label, last=each.last.text,
            verdict=figure.verdict(each.change), change=figure.change_text(each.change))
        for each in found.changes
    ]  # fmt: skip
    told = say("{label} ({name}), from {changes}.", label=figure.label, name=goal.name, changes=say("; ").join(changes))
    several = len(found.changes) > 1  # the effects of one alone add up whatever they are
    return [told, left_over(tuned, goal, found)] if several else [told]


def left_over(tuned: Tuned, goal: Goal, found: Effects) -> str:
    """Return what the sum of effects leaves over, as a sentence."""
    figure = goal.measure.figure
    clear = {number: rest for number, rest in found.rests.items() if rest.sign}
    if not clear:
        return say("The effects add up, as far as these games tell: no cell of {count:,} is clearly off their sum.",
                   count=len(found.rests))  # fmt: skip
    number = max(clear, key=lambda each: abs(clear[each].value))
    return say(
        "The effects don't simply add up: {clear:,} of {count:,} cells are clearly off their sum, most of all {cell}, "
        "by {rest}.",
        clear=len(clear), count=len(found.rests), cell=tuned.labels[int(number)],
        rest=figure.change_text(clear[number]),
    )  # fmt: skip


def _effects(goal: Goal, found: Effects) -> Chart:
    figure = goal.measure.figure
    frame = frame_of(list(found.levels.values()), label=[level.label for level in found.levels])
    percent: parts.Percent = parts.POINTS if figure.percent else False
    drawn = charts.interval_dots(frame, reference=0, reference_label="the mean", percent=percent)
    title = say("What each value does to {label}", label=figure.label)
    told = [
        say("{label} {figure}", label=level.label, figure=figure.change_text(each))
        for level, each in found.levels.items()
    ]
    alt = say("{title}. {figures}.", title=title, figures=say("; ").join(told))
    caption = "More or less than in the mean of the parameter's values, all else alike; the intervals hold together."
    return Chart(
        f"{goal.name}_effects", title, drawn, alt, caption, Table(f"{goal.name}_effects", title, frame, SHARES)
    )


def _changes(goal: Goal, found: Effects) -> Table:
    figure = goal.measure.figure
    frame = frame_of(
        [each.change for each in found.changes],
        parameter=[each.first.key for each in found.changes],
        **{"from": [each.first.text for each in found.changes], "to": [each.last.text for each in found.changes]},
        verdict=[figure.verdict(each.change) for each in found.changes],
    )
    title = say("From the first value to the last: {label}", label=figure.label)
    return Table(f"{goal.name}_changes", title, frame, SHARES)


# ---- how it went ---------------------------------------------------------------------------------------------------


def course(tuned: Tuned) -> Finding:
    """Show how many cells were played in each round, and how many were dropped."""
    frame = pd.DataFrame(
        {
            "round": range(1, len(tuned.rounds) + 1),
            "games of a cell so far": [each.games for each in tuned.rounds],
            "cells": [len(each.cells) for each in tuned.rounds],
            "dropped": [len(each.dropped) for each in tuned.rounds],
            "set aside": [len(each.aside) for each in tuned.rounds],
        }
    )
    return Finding(
        "course",
        say("How the search went"),
        text=(
            say("A round plays on from the games of the one before, to {times} times as many. Cells that are not "
                "dropped go on: after the first round at most one in {times} of all, after the second one in {more}, "
                "and so on, but {few} in any case.", times=TIMES, more=TIMES**2, few=FINALISTS),
        ),
        tables=(Table("rounds", "Rounds", frame),),
    )  # fmt: skip
