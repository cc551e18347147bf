"""How many copies and ranks should Suppose's deck have?

The game is played with decks of as many cards in fewer or more copies, and with more ranks, so that more cards are left
over. What changes in tricks that equal cards contest, in right bids and in how well a hand foretells its tricks tells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.means import DELTA, smooth, unknown
from simlib.estimates.words import listed, number
from simlib.experiments import Plan, Request
from simlib.figures import charts, parts
from simlib.findings import Chart, Finding, Headline, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.heavy import pd
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting
from simlib.results import Results
from simlib.survey import (
    DECENT,
    PLAYED,
    STRONG,
    TRAINED,
    WEAK,
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
    pictured,
    plan_of,
    row_columns,
    seats_of,
    sentence,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "suppose"
TITLE = "Suppose: copies and ranks"
GAMES = 20_000
COPIES = range(1, 5)  # of each card, in decks of as many cards
MORE_RANKS = (0, 1, 2, 4)  # than the variant has, in decks with more cards
TIES = Figure("tricks that equal cards contest", "ties", "tricks", percent=True, matters=0.005)
HIT = Figure("bids that come true", "hits", "bids", percent=True, matters=0.01)
FORESEEN = Figure("how well ranks foretell tricks", "foreseen", percent=True, matters=0.01)
FIGURES = (TIES, HIT, FORESEEN)
COUNTS = ("ties", "tricks", "hits", "bids", "hands", "x", "y", "xx", "yy", "xy")
TITLES = {
    ("copies", HIT): "Copies and right bids",
    ("copies", FORESEEN): "Copies and foresight",
    ("left_over", HIT): "Cards left over and right bids",
    ("left_over", FORESEEN): "Cards left over and foresight",
}
CHANGED = {  # what a deck changes in a figure, in a phrase
    "higher": "{size} more with {arm}",
    "lower": "{size} less with {arm}",
    "undecided": "undecided with {arm}, {size}",
}
ENDS = ("value", "low", "high")
BY = {"copies": "copies of each card, in as many cards", "left_over": "cards left over, by more ranks"}
GLOSSARY = [
    ("contested by equal cards", "another copy of the card that won was played in the same trick: the earlier one won"),
    ("left over", "cards that are not dealt in a round"),
    (
        "how well ranks foretell tricks",
        "the share of the variance of the tricks won with a hand that a line through the sum of its ranks takes up",
    ),
    ("as many cards", "decks of the same size, in which each rank has fewer or more copies"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- decks ---------------------------------------------------------------------------------------------------------


def deck_size(variant: Variant) -> int:
    """Return the number of cards."""
    return sum(map(sum, variant.parameters.deck.copies))


def left_over(variant: Variant) -> int:
    """Return how many cards are not dealt in a round."""
    return deck_size(variant) - seats_of(variant) * int(variant.parameters.hand.size)


def copies_each(variant: Variant) -> float:
    """Return the mean number of copies of a card."""
    return deck_size(variant) / (variant.parameters.deck.colours * variant.parameters.deck.ranks)


def highest_left_over(variant: Variant) -> float:
    """Return the chance that a card of the highest rank is left over in a round, exactly."""
    highest, cards, out = sum(row[-1] for row in variant.parameters.deck.copies), deck_size(variant), left_over(variant)
    return 1 - math.comb(cards - highest, out) / math.comb(cards, out)


def as_many_cards(variant: Variant) -> dict[str, Variant]:
    """Return decks of the same size with other numbers of copies."""
    each, rest = divmod(deck_size(variant), variant.parameters.deck.colours)
    fitting = [copies for copies in COPIES if each % copies == 0 and not rest]
    return decks(variant, [(each // copies, copies) for copies in fitting])


def more_cards(variant: Variant) -> dict[str, Variant]:
    """Return larger decks, with as many copies of each card as the variant's commonest, and more ranks."""
    most = max(map(max, variant.parameters.deck.copies))
    found = decks(variant, [(variant.parameters.deck.ranks + more, most) for more in MORE_RANKS])
    return {name: deck for name, deck in found.items() if left_over(deck) > left_over(variant)}


def decks(variant: Variant, shapes: Iterable[tuple[int, int]]) -> dict[str, Variant]:
    """Return the variant with other decks, each (ranks, copies), where they can be made and are not its own."""
    found, own = {}, variant.parameters.deck.copies
    kept = {key: value for key, value in variant.flat().items() if not key.startswith("deck.copies")}
    for ranks, copies in shapes:
        try:
            made = make_variant(game_named(GAME), settings=kept | {"deck.ranks": ranks, "deck.copies": copies})
        except BadInput:
            continue
        if made.parameters.deck.copies != own:
            found[f"{ranks} ranks, {copies} cop{'y' if copies == 1 else 'ies'}"] = made
    return found


def arms(variant: Variant) -> dict[str, Variant]:
    """Return the variant and all other decks."""
    return {PLAYED: variant} | as_many_cards(variant) | more_cards(variant)


def few_arms(variant: Variant) -> dict[str, Variant]:
    """Return the variant and the decks that words speak of."""
    return {PLAYED: variant} | {name: arms(variant)[name] for name in told_of(variant)}


def told_of(variant: Variant) -> list[str]:
    """Return the arms that words speak of: the fewest and the most copies, and the most cards."""
    same, more = list(as_many_cards(variant)), list(more_cards(variant))
    return list(dict.fromkeys([*same[:1], *same[-1:], *more[-1:]]))


# ---- counts --------------------------------------------------------------------------------------------------------


def count(played: Any, variant: Variant) -> dict[str, np.ndarray]:
    """Return contested tricks, right bids, and sums of ranks and tricks of all hands of each game."""
    rows, rounds = played.rows.astype(np.int64), range(variant.parameters.rounds)
    column, seats, ones = row_columns(variant), seats_of(variant), np.ones(len(rows), np.int64)
    hits, guesses = (rows[:, columns_starting(column, name)] for name in ("hit_", "guesses_"))
    pairs = [(number, seat) for number in rounds for seat in range(seats)]
    x = rows[:, [column[f"ranks_{number}_{seat}"] for number, seat in pairs]]
    y = rows[:, [column[f"tricks_{number}_{(seat + 1) % seats}"] for number, seat in pairs]]
    return {
        "ties": contested(played.tables, played.secrets, variant).sum(axis=(1, 2)),
        "tricks": ones * len(rounds) * variant.parameters.hand.size,
        "hits": hits.sum(axis=1),
        "bids": (guesses > 0).sum(axis=1),
        "hands": ones * len(pairs),
        "x": x.sum(axis=1),
        "y": y.sum(axis=1),
        "xx": (x * x).sum(axis=1),
        "yy": (y * y).sum(axis=1),
        "xy": (x * y).sum(axis=1),
    }


def contested(tables: np.ndarray, secrets: np.ndarray, variant: Variant) -> np.ndarray:
    """Tell of each trick whether another copy of the card that won was played in it.

    Parameters
    ----------
    tables, secrets : (games, rounds) TABLE and SECRET

    Returns
    -------
    (games, rounds, tricks) bool
    """
    seats, tricks = seats_of(variant), variant.parameters.hand.size
    winners = tables["winners"][:, :, :tricks].astype(np.int64)
    leaders = np.concatenate([tables["start"][:, :, None], winners[:, :, :-1]], axis=2)
    holders = (leaders[..., None] + np.arange(seats)) % seats
    game, round_ = np.ogrid[: len(tables), : tables.shape[1]]
    at = game[..., None, None], round_[..., None, None], holders, tables["positions"][:, :, :tricks, :seats]
    cards = secrets["layouts"][at]
    won = np.take_along_axis(cards, ((winners - leaders) % seats)[..., None], axis=3)
    return np.asarray((cards == won).sum(axis=3) > 1)


# ---- estimates -----------------------------------------------------------------------------------------------------


class Told(Cell):
    """A cell that knows how well hands foretell their tricks."""

    def __init__(self, cell: Cell) -> None:
        vars(self).update(vars(cell))

    def figure(self, figure: Figure, arm: str = PLAYED) -> Estimate:
        """Return a figure of an arm."""
        return self._weighted({arm: 1}) if figure == FORESEEN else super().figure(figure, arm)

    def change(self, figure: Figure, arm: str, base: str = PLAYED) -> Estimate:
        """Return what a figure is more in one arm than in another."""
        return self._weighted({arm: 1, base: -1}) if figure == FORESEEN else super().change(figure, arm, base)

    def _weighted(self, weights: Mapping[str, int]) -> Estimate:
        """Return a weighted sum over arms of the share of variance explained."""
        names = [(arm, name) for arm in weights for name in ("x", "y", "xx", "yy", "xy")]
        totals = np.array([self.joint.total(name) for name in names], float)
        products = np.array([[self.joint.product(row, column) for column in names] for row in names], float)
        made = [
            explained(totals[5 * place : 5 * place + 5], self.joint.total((arm, "hands")))
            for place, arm in enumerate(weights)
        ]
        if not all(math.isfinite(value) for value, _ in made):
            return unknown(math.nan, self.games, DELTA, 0.95, "all hands, or all numbers of tricks, are alike")
        value = sum(weight * share for weight, (share, _) in zip(weights.values(), made, strict=True))
        gradient = np.concatenate(
            [weight * slope for weight, (_, slope) in zip(weights.values(), made, strict=True)]
        )  # fmt: skip
        return smooth(value, gradient, totals, products, self.games, self.games)


def explained(sums: Sequence[float] | np.ndarray, hands: int) -> tuple[float, np.ndarray]:
    """Return the squared correlation of x and y over hands, and its derivatives by the sums; nan if one doesn't vary.

    Parameters
    ----------
    sums : (5,) float
        Of x, y, x * x, y * y and x * y.

    Examples
    --------
    >>> explained([6, 12, 14, 56, 28], 3)[0]
    1.0
    """
    x, y, xx, yy, xy = sums
    both = xy / hands - x * y / hands**2
    vx, vy = xx / hands - (x / hands) ** 2, yy / hands - (y / hands) ** 2
    if min(vx, vy) <= 1e-12 * max(xx, yy, 1) / hands:
        return math.nan, np.zeros(5)
    share, slope = both**2 / (vx * vy), 2 * both / (vx * vy)
    by_x = (-slope * y + 2 * share / vx * x) / hands
    by_y = (-slope * x + 2 * share / vy * y) / hands
    return share, np.array([by_x, by_y, -share / vx, -share / vy, slope]) / hands


@dataclass(frozen=True)
class Decks(Survey):
    """A survey whose cells know how well hands foretell their tricks."""

    def cells(self, run: Results) -> list[Cell]:
        """Return the sums of a run."""
        return [Told(cell) for cell in super().cells(run)]


FAST = Decks(lambda variant: COUNTS, count, arms, whole=True, kinds=(WEAK, DECENT, TRAINED), shows=HIT)
SLOW = replace(FAST, arms=few_arms, kinds=(STRONG,), thin=0.8)
MEASURES = Measured(count, {"contested_tricks": TIES}, whole=True)


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats with each deck."""
    variants, left_out = variants_by_seats(request, GAME)
    if not any(told_of(variant) for variant in variants.values()):
        raise BadInput("deck: no other number of copies or ranks can be compared with it; fewer cards are needed")
    return plan_of((FAST, SLOW), variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what copies change, how well hands foretell tricks, and what cards left over change."""
    cells = cells_of(run)
    copies, left = copies_in, left_in
    parts = [
        answer(cells, run.facts["plan"]["left_out"]),
        effect(cells, HIT, "copies", copies),
        effect(cells, FORESEEN, "copies", copies),
        effect(cells, HIT, "left_over", left),
        effect(cells, FORESEEN, "left_over", left),
    ]
    return [part for part in parts if part]


def cells_of(run: Results) -> list[Cell]:
    """Return all cells, strong players last, by variant."""
    cells = [*FAST.cells(run), *SLOW.cells(run)]
    return [cell for own in by_label(cells).values() for cell in own if len(cell.arms) > 1]


def headline_figure(run: Results) -> Headline:
    """Return what the first of the decks that words speak of changes in right bids."""
    main = main_cell(cells_of(run))
    arm = told_of(main.variant)[0]
    label = say("bids that come true, {arm} less as played ({who})", arm=words_of(main, arm), who=main.name)
    return headline(label, main, HIT, arm)


def words_of(cell: Cell, arm: str) -> str:
    """Return what an arm is called on the page."""
    if arm == PLAYED:
        return say("as played")
    deck = cell.arms[arm].parameters.deck
    copies = max(map(max, deck.copies))
    template = "{ranks} ranks in 1 copy" if copies == 1 else "{ranks} ranks in {copies} copies"
    return say(template, ranks=deck.ranks, copies=copies)


def copies_in(cell: Cell) -> dict[str, float]:
    """Return the copies of each card in decks of as many cards, rising."""
    return numbered_arms(cell, as_many_cards(cell.variant), copies_each)


def left_in(cell: Cell) -> dict[str, float]:
    """Return the cards left over with more ranks, rising."""
    return numbered_arms(cell, more_cards(cell.variant), left_over)


def numbered_arms(cell: Cell, own: Mapping[str, Variant], of: Callable[[Variant], float]) -> dict[str, float]:
    """Return a number for each of some arms that were played, and for the variant itself, rising."""
    found = {arm: of(variant) for arm, variant in cell.arms.items() if arm == PLAYED or arm in own}
    return dict(sorted(found.items(), key=lambda entry: entry[1]))


def answer(cells: Sequence[Cell], left_out: Sequence[str]) -> Finding:
    """Say what other decks change."""
    main = main_cell(cells)
    told = told_of(main.variant)
    changed = {figure: dict(zip(told, compared([main] * len(told), figure, told), strict=True)) for figure in FIGURES}
    return Finding(
        "answer",
        headline_words(main, told[0], changed),
        text=tuple(deck_words(main, arm, changed) for arm in told),
        tiles=tuple(tile(figure.label, main.figure(figure), as_played(main), percent=True) for figure in FIGURES),
        charts=(
            changes_chart(main, changed),
            *((curve_of(cells, TIES, "copies", copies_in),) if len(copies_in(main)) > 1 else ()),
        ),
        tables=(deck_table(main),),
        assumes=(
            *left_out,
            "Decks of other sizes can't share deals: their games are compared as if they were independent.",
            "Players may see more in a hand than the sum of its ranks. Greedy and trained were made for decks like the "
            "classic one: search bids as well on any.",
            "All intervals of a comparison hold together. All seats are taken by players of one kind.",
        ),
        picture=pictured(
            "changes", [words_of(main, arm) for arm in told], list(changed[HIT].values()), percent="points"
        ),
    )


def as_played(main: Cell) -> str:
    """Return whom the figures of the deck as played are of."""
    return say("as played; {who}", who=main.name)


def changes_chart(main: Cell, changed: Mapping[Figure, Mapping[str, Estimate]]) -> Chart:
    """Return what the decks that words speak of change in all figures."""
    keys = [(arm, figure) for arm in changed[HIT] for figure in FIGURES]
    estimates = [changed[figure][arm] for arm, figure in keys]
    frame = frame_of(
        estimates,
        label=[words_of(main, arm) for arm, _ in keys],
        figure=[figure.label for _, figure in keys],
    )
    title = say("What other decks change ({who})", who=main.name)
    names = [say("{arm}, {what}", arm=words_of(main, arm), what=figure.label) for arm, figure in keys]
    return Chart(
        "changes",
        title,
        charts.interval_dots(
            frame, group="figure", percent="points", reference=0, reference_label="as played", x_label="change"
        ),
        say("Dots with intervals: {figures}.", figures=listed(names, estimates, HIT.change_unit, percent=True)),
        "Less the deck as played; the intervals of each figure hold together.",
        Table("changes", title, frame, "Shares as fractions."),
    )


def compared(cells: Sequence[Cell], figure: Figure, told: Sequence[str]) -> list[Estimate]:
    """Return what an arm changes in each cell, with intervals that all hold together."""
    return simultaneous([cell.change(figure, arm) for cell, arm in zip(cells, told, strict=True)])


def headline_words(main: Cell, arm: str, changed: Mapping[Figure, Mapping[str, Estimate]]) -> str:
    """Return the answer as a sentence."""
    said, change = HIT.verdict(changed[HIT][arm]), changed[HIT][arm]
    bids = {
        "higher": "{size} more bids come true",
        "lower": "{size} fewer bids come true",
        "undecided": "whether more bids come true is undecided, {size}",
    }.get(said, "{said} in bids that come true, {size}")
    return say(
        "With {arm}, {bids}, and equal cards contest {ties} of the tricks ({who}).",
        arm=words_of(main, arm), who=main.name,
        bids=say(bids, said=said, size=HIT.change_text(change.negated() if said == "lower" else change)),
        ties=TIES.text(main.figure(TIES, arm)),
    )  # fmt: skip


def deck_words(main: Cell, arm: str, changed: Mapping[Figure, Mapping[str, Estimate]]) -> str:
    """Return what a deck changes in all figures."""
    parts = [
        say("{label}: {words}", label=figure.label, words=figure.verdict(changed[figure][arm])) for figure in FIGURES
    ]
    return say(
        "With {arm} ({left} cards left over, {who}): {figures}.",
        arm=words_of(main, arm), left=left_over(main.arms[arm]), who=main.name, figures=say("; ").join(parts),
    )  # fmt: skip


def deck_table(main: Cell) -> Table:
    """Return all decks with their figures; the page shows each with how far its interval reaches."""
    decks = pd.DataFrame(
        {
            "deck": words_of(main, arm),
            "cards": deck_size(deck),
            "copies": round(copies_each(deck), 2),
            "left over": left_over(deck),
            "a highest card left over": round(highest_left_over(deck), 3),
        }
        for arm, deck in main.arms.items()
    )
    found = {figure: frame_of([main.figure(figure, arm) for arm in main.arms]) for figure in FIGURES}
    ends = {
        name: frame[end]
        for figure, frame in found.items()
        for end, name in (("value", figure.label), ("low", f"{figure.label}, low"), ("high", f"{figure.label}, high"))
    }
    shown = {
        "a highest card left over": [f"{number(100 * share, 1)} %" for share in decks["a highest card left over"]],
        **{
            figure.label: parts.interval_cells([frame[end].to_numpy() for end in ENDS], percent=True)
            for figure, frame in found.items()
        },
    }
    return Table(
        "decks",
        say("All decks ({who})", who=main.name),
        decks.assign(**ends, n=main.games),
        "With 95 % intervals; that a card of the highest rank is left over in a round is exact. Fractions in the CSV.",
        decks.assign(**shown, n=main.games),
    )


def effect(
    cells: Sequence[Cell], figure: Figure, key: str, at: Callable[[Cell], Mapping[str, float]]
) -> Finding | None:
    """Say what copies or cards left over change in a figure; None where there are no other decks of that kind."""
    able = [cell for cell in cells if ends(at(cell))]
    if not able:
        return None
    main, pairs = main_cell(able), [(cell, arm) for cell in able for arm in ends(at(cell))]
    found = compared([cell for cell, _ in pairs], figure, [arm for _, arm in pairs])
    changed = dict(zip(pairs, found, strict=True))
    told = [changed_words(main, arm, figure, changed[main, arm]) for arm in ends(at(main))]
    said: dict[str, dict[str, str]] = {}
    for label, own in by_label(able).items():
        for arm in ends(at(own[0])):
            words = across(own, [changed[cell, arm] for cell in own], figure)
            said.setdefault(words_of(own[0], arm), {})[label] = words
    return Finding(
        f"{key}_{figure.top}",
        say(
            "{what}, {as_played} as played: {told} ({who}).",
            what=sentence(figure.label), as_played=figure.text(main.figure(figure)), who=main.name,
            told=say("; ").join(told),
        ),
        text=tuple(words for deck, each in said.items() for words in by_words(each, say("{arm}, ", arm=deck))),
        charts=(curve_of(able, figure, key, at), change_chart(figure, key, changed)),
        title=TITLES[key, figure],
    )  # fmt: skip


def changed_words(main: Cell, arm: str, figure: Figure, change: Estimate) -> str:
    """Return what a deck changes in a figure as a phrase."""
    said = figure.verdict(change)
    size = figure.change_text(change.negated() if said == "lower" else change)
    return say(CHANGED.get(said, "{said} with {arm}, {size}"), said=said, arm=words_of(main, arm), size=size)


def change_chart(figure: Figure, key: str, changed: Mapping[tuple[Cell, str], Estimate]) -> Chart:
    """Return what decks change in a figure for everyone."""
    return dots(
        f"change_{key}_{figure.top}",
        say("{what}, changed by {by}", what=sentence(figure.label), by=brief_by(key)),
        [cell for cell, _ in changed],
        list(changed.values()),
        "Less the deck as played; all intervals hold together.",
        labels=[say("{label}, {arm}", label=cell.label, arm=words_of(cell, arm)) for cell, arm in changed],
        percent="points",
        reference=0,
        reference_label="as played",
        x_label="change",
    )


def brief_by(key: str) -> str:
    """Return in short what decks differ in."""
    return BY[key].partition(",")[0]


def ends(numbers: Mapping[str, float]) -> list[str]:
    """Return the arms with the lowest and the highest number, but for what is played.

    Examples
    --------
    >>> ends({"one": 1, "played": 2, "three": 3, "four": 4})
    ['one', 'four']
    """
    arms = list(numbers)
    return [arm for arm in dict.fromkeys((arms[0], arms[-1])) if arm != PLAYED]


def curve_of(
    cells: Sequence[Cell], figure: Figure, key: str, at: Callable[[Cell], Mapping[str, float]]
) -> Chart:  # fmt: skip
    """Return a figure against copies or cards left over."""
    main = main_cell(cells)
    return along(
        f"{key}_{figure.top}",
        say("{what}, by {by} ({where})", what=sentence(figure.label), by=brief_by(key), where=main.label),
        cells,
        figure,
        at,
        "Each line is a table of one kind of player. Bands are 95 % intervals of each point.",
        x_label=BY[key],
        y_label=figure.label,
        present=at(main)[PLAYED],
        present_label="as played",
    )
