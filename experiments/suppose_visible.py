"""What does it matter in Suppose how much of a hand its holder sees?

The same deals are played with none, as many as in the rules, five, and all positions of a hand turned to its holder.
What changes in right bids, in points and in who wins is the price of hidden information.
"""

from collections.abc import Sequence

import numpy as np

from simlib.estimates import Estimate
from simlib.experiments import Plan, Request
from simlib.findings import Chart, Finding, Headline, tile
from simlib.games import game_named, make_variant
from simlib.games.suppose.rules import columns
from simlib.measures import columns_starting, numbered
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    Cell,
    Figure,
    Survey,
    across,
    by_label,
    changes,
    dots,
    headline,
    main_cell,
    sentence,
    tables,
    unit_of,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "suppose"
TITLE = "Suppose: what is hidden information worth?"
GAMES = 60_000
TRIED = (0, 3, 5)  # positions that the holder sees; and all of them
HIT = Figure("bids that come true", "hits", "bids", percent=True, matters=0.005)
POINTS = Figure("points a seat and game", "points", "seats", unit="points", matters=0.1)
GAP = Figure("first less last, points a game", "gap", "units", unit="points", matters=0.1)
FIGURES = (HIT, POINTS, GAP)
GLOSSARY = [
    ("visible", "positions of a hand that its holder sees while it plays them; the maker sees all of them"),
    ("bid", "what a seat writes down of the tricks that its left neighbour will win with the hand it was given"),
    ("first less last", "the highest final score of a game less its lowest"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


def arms(variant: Variant) -> dict[str, Variant]:
    """Return the variant as it is, and with other numbers of visible positions, spread evenly over the hand."""
    size, flat = variant.parameters.hand.size, variant.flat()
    tried = {count: spread_evenly(count, size) for count in (*TRIED, size) if count <= size}
    others = {
        f"{count} visible": make_variant(game_named(GAME), settings=flat | {"hand.visible": positions})
        for count, positions in tried.items()
        if positions != list(flat["hand.visible"])
    }
    return {PLAYED: variant} | others


def spread_evenly(count: int, size: int) -> list[int]:
    """Return positions from 1 to `size`, the ends among them, as far apart from each other as can be.

    Examples
    --------
    >>> spread_evenly(3, 11)
    [1, 6, 11]
    """
    return sorted({round(position) for position in np.linspace(1, size, count).tolist()})


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return bids and right ones, all scores and the gap between the first and the last of each game."""
    column = numbered(columns(variant.parameters))
    hits, guesses, scores = (rows[:, columns_starting(column, name)] for name in ("hit_", "guesses_", "score_"))
    ones = np.ones(len(rows), np.int64)
    return {
        "hits": hits.sum(axis=1),
        "bids": (guesses > 0).sum(axis=1),
        "points": scores.sum(axis=1),
        "gap": scores.max(axis=1) - scores.min(axis=1),
        "seats": ones * scores.shape[1] * unit_of(variant),
        "units": ones * unit_of(variant),
    }


SURVEY = Survey(lambda variant: ("hits", "bids", "points", "gap", "seats", "units"), count, arms)


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats, with each number of visible positions."""
    variants, left_out = variants_by_seats(request, GAME)
    return Plan(
        SURVEY.studies(variants, request.games),
        variants,
        SURVEY.players(variants),
        SURVEY.played(variants, request.games),
        {"left_out": left_out},
    )


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what seeing more changes in right bids, then in points and in how far apart the seats end."""
    cells = SURVEY.cells(run)
    return [answer(cells, tuple(run.facts["plan"]["left_out"])), *(effect(cells, figure) for figure in (POINTS, GAP))]


def headline_figure(run: Results) -> Headline:
    """Return what all cards turned to their holder change in right bids."""
    main = main_cell(SURVEY.cells(run))
    return headline(f"bids that come true, {most(main)} less as played ({main.name})", main, HIT, most(main))


def most(cell: Cell) -> str:
    """Return the arm with the most visible positions."""
    return list(cell.arms)[-1]


def answer(cells: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say what seeing all or nothing changes in right bids, and for whom."""
    main, others = main_cell(cells), [arm for arm in cells[0].arms if arm != PLAYED]
    changed = changes(cells, HIT, others)
    tiles = [tile("bids that come true, as played", main.figure(HIT), main.name, percent=True)]
    tiles += [tile(f"the same, {arm}", main.figure(HIT, arm), main.name, percent=True) for arm in others]
    return Finding(
        "answer",
        headline_words(main, most(main), changed[main, most(main)]),
        text=tuple(strength_words(own, HIT, changed) for own in by_label(cells).values()),
        tiles=tuple(tiles),
        charts=(effect_chart(cells, HIT, changed),),
        tables=tables(cells, FIGURES, list(cells[0].arms)),
        assumes=(*left_out, "All seats are taken by players of one kind, who don't learn from each other's habits."),
    )


def headline_words(main: Cell, arm: str, change: Estimate) -> str:
    """Return the answer as a sentence."""
    as_played = HIT.text(main.figure(HIT))
    told = {"higher": "more bids come true", "lower": "fewer bids come true"}.get(HIT.verdict(change))
    if told:
        return f"With {arm} {told}: {HIT.change_text(change)} on {as_played} as played ({main.name})."
    return (
        f"{sentence(HIT.verdict(change))} in bids that come true, which are {as_played} as played: with {arm} they "
        f"change by {HIT.change_text(change)} ({main.name})."
    )


def strength_words(own: Sequence[Cell], figure: Figure, changed: dict[tuple[Cell, str], Estimate]) -> str:
    """Return whether what the last arm changes in one variant holds for all kinds of player."""
    arm = most(own[0])
    return (
        f"{sentence(figure.label)}, {own[0].label}, {arm}: {across(own, [changed[cell, arm] for cell in own], figure)}"
    )


def effect(cells: Sequence[Cell], figure: Figure) -> Finding:
    """Say what seeing more changes in a figure."""
    main, others = main_cell(cells), [arm for arm in cells[0].arms if arm != PLAYED]
    changed = changes(cells, figure, others)
    arm = most(main)
    return Finding(
        figure.top,
        f"{sentence(figure.label)} with {arm}: {figure.verdict(changed[main, arm])}, by "
        f"{figure.change_text(changed[main, arm])} on {figure.text(main.figure(figure))} ({main.name}).",
        text=tuple(strength_words(own, figure, changed) for own in by_label(cells).values()),
        charts=(effect_chart(cells, figure, changed),),
    )


def effect_chart(cells: Sequence[Cell], figure: Figure, changed: dict[tuple[Cell, str], Estimate]) -> Chart:
    """Return what each number of visible positions changes, with intervals that hold together."""
    return dots(
        f"change_{figure.top}",
        f"What other numbers of visible positions change: {figure.label}",
        [cell for cell, _ in changed],
        list(changed.values()),
        "Differences from the game as played, on the same deals, paired by game; all intervals hold together.",
        labels=[f"{cell.label}, {arm}" for cell, arm in changed],
        percent=figure.percent,
        reference=0,
        reference_label="as played",
        x_label=f"change of {figure.label}",
    )
