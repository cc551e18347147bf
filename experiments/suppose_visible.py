"""What does it matter in Suppose how much of a hand its holder sees?

The same deals are played with none, some and all positions of a hand turned to its holder.
What changes in right bids, in points and in how far the seats part is the price of hidden information.
"""

from collections.abc import Sequence

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import listed
from simlib.experiments import Plan, Request
from simlib.figures import small
from simlib.findings import Chart, Finding, Headline, Picture, Tile, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    Cell,
    Figure,
    Survey,
    across,
    along,
    by_label,
    by_words,
    dots,
    headline,
    main_cell,
    row_columns,
    sentence,
    unit_of,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "suppose"
TITLE = "Suppose: what is hidden information worth?"
GAMES = 30_000
TRIED = (0, 1, 3, 5, 8)  # positions that the holder sees; and all of them
HIT = Figure("bids that come true", "hits", "bids", percent=True, matters=0.005)
POINTS = Figure("points a seat and game", "points", "seats", unit="points", matters=0.1)
GAP = Figure("first less last, points a game", "gap", "units", unit="points", matters=0.1)
SAYS = {  # what a change of a figure is told as, where it has a direction
    (HIT, "higher"): "With {arm}, {size} more bids come true than the {as_played} as played ({who}).",
    (HIT, "lower"): "With {arm}, {size} fewer bids come true than the {as_played} as played ({who}).",
    (POINTS, "higher"): "With {arm}, a seat earns {size} a game more than the {as_played} as played ({who}).",
    (POINTS, "lower"): "With {arm}, a seat earns {size} a game less than the {as_played} as played ({who}).",
    (GAP, "higher"): "With {arm}, first and last end {size} further apart than the {as_played} as played ({who}).",
    (GAP, "lower"): "With {arm}, first and last end {size} closer together than the {as_played} as played ({who}).",
}
TITLES = {POINTS: "Points a seat", GAP: "How close games end"}
Changed = dict[tuple[Cell, str], Estimate]  # what arms change, by who plays
GLOSSARY = [
    ("visible", "cards of a hand that its holder sees while it plays them; the maker sees all of them"),
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
    column = row_columns(variant)
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


SURVEY = Survey(lambda variant: ("hits", "bids", "points", "gap", "seats", "units"), count, arms, shows=HIT)
MEASURES = Measured(count, {"right_bids": HIT})


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats, with each number of visible positions."""
    variants, left_out = variants_by_seats(request, GAME)
    return SURVEY.plan(variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what seeing more changes in right bids, then in points and in how far apart the seats end."""
    cells = SURVEY.cells(run)
    return [answer(cells, tuple(run.facts["plan"]["left_out"])), *(effect(cells, figure) for figure in (POINTS, GAP))]


def headline_figure(run: Results) -> Headline:
    """Return what all cards turned to their holder change in right bids."""
    main = main_cell(SURVEY.cells(run))
    arm = most(main)
    label = say("bids that come true, {arm} less as played ({who})", arm=words_of(main, arm), who=main.name)
    return headline(label, main, HIT, arm)


def most(cell: Cell) -> str:
    """Return the arm with the most visible positions; the other end where that is what is played."""
    seen, own = seen_in(cell), len(cell.variant.parameters.hand.visible)
    return max((arm for arm in seen if arm != PLAYED), key=lambda arm: (seen[arm] > own, abs(seen[arm] - own)))


def seen_in(cell: Cell) -> dict[str, float]:
    """Return how many positions the holder sees in each arm, rising."""
    seen = {arm: len(variant.parameters.hand.visible) for arm, variant in cell.arms.items()}
    return dict(sorted(seen.items(), key=lambda entry: entry[1]))


def words_of(cell: Cell, arm: str) -> str:
    """Return what an arm is called on the page: how much the holder sees."""
    count, size = round(seen_in(cell)[arm]), cell.variant.parameters.hand.size
    templates = {size: "all {count} cards visible", 0: "no card visible", 1: "1 card visible"}
    return say(templates.get(count, "{count} cards visible"), count=count)


def answer(cells: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say what seeing all changes in right bids, and for whom."""
    main, changed = main_cell(cells), at_ends(cells, HIT)
    return Finding(
        "answer",
        change_words(main, most(main), HIT, changed[main, most(main)]),
        text=strengths(cells, HIT, changed),
        tiles=seen_tiles(main),
        charts=(curve_of(cells, HIT), change_chart(HIT, changed)),
        assumes=(
            *left_out,
            "Visible cards are spread evenly over the hand, its ends among them.",
            "All seats are taken by players of one kind, who don't learn from each other's habits. "
            "Random players don't look at cards: what they see changes nothing.",
        ),
        picture=seen_picture(main),
    )


def seen_tiles(main: Cell) -> tuple[Tile, ...]:
    """Return how many bids come true as played and at both `ends`, from the least seen to the most."""
    what = say("{what}; {who}", what=HIT.label, who=main.name)
    return tuple(
        tile(
            say("as played: {seen}", seen=words_of(main, arm)) if arm == PLAYED else words_of(main, arm),
            main.figure(HIT, arm),
            what,
            percent=True,
        )
        for arm in seen_in(main)
        if arm in (PLAYED, *ends(main))
    )


def seen_picture(main: Cell) -> Picture:
    """Return how many bids come true against the cards seen, as a small line."""
    seen = seen_in(main)
    rates = [main.figure(HIT, arm) for arm in seen]
    figure = small.line(
        frame_of(rates, x=list(seen.values())), percent=True, present=seen[PLAYED], present_label="as played"
    )
    told = listed([words_of(main, arm) for arm in seen], rates, percent=True)
    return Picture(figure, say("A line of bids that come true: {figures}.", figures=told), f"curve_{HIT.top}")


def ends(cell: Cell) -> list[str]:
    """Return the arms with the most and the fewest visible positions, but for what is played."""
    return [arm for arm in dict.fromkeys((most(cell), next(iter(seen_in(cell))))) if arm != PLAYED]


def at_ends(cells: Sequence[Cell], figure: Figure) -> Changed:
    """Return what both `ends` change in each cell, with intervals that all hold together."""
    keys = [(cell, arm) for cell in cells for arm in ends(cell)]
    return dict(zip(keys, simultaneous([cell.change(figure, arm) for cell, arm in keys]), strict=True))


def change_words(main: Cell, arm: str, figure: Figure, change: Estimate) -> str:
    """Return what an arm changes in a figure as a sentence."""
    said = figure.verdict(change)
    template = SAYS.get((figure, said), "{what} with {arm}: {said}, {size} on {as_played} as played ({who}).")
    return say(
        template,
        what=sentence(figure.label),
        arm=words_of(main, arm),
        said=said,
        size=figure.change_text(change.negated() if said == "lower" else change),
        as_played=figure.text(main.figure(figure)),
        who=main.name,
    )


def strengths(cells: Sequence[Cell], figure: Figure, changed: Changed) -> tuple[str, ...]:
    """Return, for what `ends` change, whether it holds for all kinds of player."""
    said: dict[str, dict[str, str]] = {}
    for label, own in by_label(cells).items():
        for arm in ends(own[0]):
            words = across(own, [changed[cell, arm] for cell in own], figure)
            said.setdefault(words_of(own[0], arm), {})[label] = words
    return tuple(
        words
        for seen, told in said.items()
        for words in by_words(told, say("{what} with {arm}, ", what=sentence(figure.label), arm=seen))
    )


def effect(cells: Sequence[Cell], figure: Figure) -> Finding:
    """Say what seeing more changes in a figure."""
    main, changed = main_cell(cells), at_ends(cells, figure)
    return Finding(
        figure.top,
        change_words(main, most(main), figure, changed[main, most(main)]),
        text=strengths(cells, figure, changed),
        charts=(curve_of(cells, figure), change_chart(figure, changed)),
        title=TITLES[figure],
    )


def curve_of(cells: Sequence[Cell], figure: Figure) -> Chart:
    """Return a figure against the number of visible cards."""
    main = main_cell(cells)
    return along(
        f"curve_{figure.top}",
        say("{what} by what the holder sees ({where})", what=sentence(figure.label), where=main.label),
        cells,
        figure,
        seen_in,
        "Each line is a table of one kind of player, on the same deals. Bands are 95 % intervals of each point.",
        x_label="visible cards of a hand",
        y_label=figure.label,
        present=len(main.variant.parameters.hand.visible),
        present_label="as played",
    )


def change_chart(figure: Figure, changed: Changed) -> Chart:
    """Return what `ends` change for everyone."""
    several = len({cell.label for cell, _ in changed}) > 1
    seen = [words_of(cell, arm) for cell, arm in changed]
    keys = sorted(zip(changed, seen, strict=True), key=lambda entry: seen.index(entry[1]))
    return dots(
        f"change_{figure.top}",
        say("What seeing more or less changes: {what}", what=figure.label),
        [cell for (cell, _), _ in keys],
        [changed[key] for key, _ in keys],
        "Less the game as played, paired by deal; all intervals hold together.",
        labels=[say("{label}, {arm}", label=cell.label, arm=words) if several else words for (cell, _), words in keys],
        percent="points" if figure.percent else False,
        reference=0,
        reference_label="as played",
        x_label=say("change of {what}", what=figure.label),
    )
