"""What is it worth in Suppose to choose the order of colours, and which cards should the maker show?

One seat arranges its hands in its own way, by chance, or so that its left neighbour sees low cards or high ones. It
sits at each place of the same deals in turn; all else, and all other seats, stay as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.experiments import Plan, Request
from simlib.findings import Chart, Finding, Headline, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named
from simlib.games.suppose.parameters import LETTERS
from simlib.games.suppose.rules import columns
from simlib.hooks import seated
from simlib.measures import columns_starting, numbered, win_shares
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    WEAK,
    Cell,
    Figure,
    Kind,
    Survey,
    across,
    by_label,
    dots,
    headline,
    main_cell,
    seats_of,
    sentence,
    unit_of,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "suppose"
TITLE = "Suppose: which cards to show?"
GAMES = 8_000
LOW, HIGH, ANY = "low cards shown", "high cards shown", "any order, by chance"
WAYS = {PLAYED: "own", LOW: "low", HIGH: "high", ANY: "any"}  # values of the players' option `shows`
ONE = {WEAK.text: "greedy"}  # who arranges, where it isn't one of the field: a random player sees no card to show
SHARES = 12  # parts of a win, shared by up to four winners
POINTS = Figure("points a game", "points", "games", unit="points", matters=0.1)
WINS = Figure("win share", "wins", "shares", percent=True, matters=0.005)
HIT = Figure("own bids that come true", "hits", "bids", percent=True, matters=0.005)
TAKEN = Figure("tricks a round of the left neighbour", "taken", "rounds", unit="tricks", matters=0.05)
COUNTS = ("points", "games", "wins", "shares", "hits", "bids", "taken", "rounds")
GLOSSARY = [
    ("order", "how a maker puts the colours of the hand that it gives to its left neighbour, from left to right"),
    ("own order", "greedy shows low cards, trained goes by what it learned, search weighs all orders by playouts"),
    ("low cards shown", "the visible ends: the lowest of the colours' highest cards, and the lowest card"),
    ("high cards shown", "the visible ends: the highest of the colours' highest cards, and a high lowest one"),
    ("field", "the players of all other seats, all of one kind"),
    ("deal", "one shuffle, played with the one seat at each place in turn"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "deals behind a figure"),
]


# ---- plan ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OneSeat(Survey):
    """A survey whose arms differ in what one seat does, summed over its turn at each place."""

    def studies(self, variants: Mapping[str, Variant], games: int) -> list[Any]:
        """Return a study for each variant and kind of field."""
        from simlib.batch import Study

        return [
            Study(
                study.key,
                {f"{way} | {at}": arm_of(variant, kind, way, at) for way in WAYS for at in range(seats_of(variant))},
                study.games,
                study.measure,
            )
            for study, (variant, kind) in zip(
                super().studies(variants, games),
                [(variant, kind) for variant in variants.values() for kind in self.kinds],
                strict=True,
            )
        ]

    def sums(self, played: Mapping[str, np.ndarray], variant: Variant) -> dict[str, Any]:
        """Return `joint_sums` of all counts of all ways."""
        seats = range(seats_of(variant))
        return super().sums({way: [played[f"{way} | {at}"] for at in seats] for way in WAYS}, variant)


def arm_of(variant: Variant, kind: Kind, way: str, at: int) -> Any:
    """Return a table of one kind of player, one of which arranges in its own way."""
    from simlib.batch import Arm

    known = game_named(GAME).module("players").PLAYERS
    one = f"{ONE.get(kind.text, kind.text)}:shows={WAYS[way]}"
    names = [one if seat == at else kind.text for seat in range(seats_of(variant))]
    return Arm(variant, tuple(seated(name, known, "players") for name in names))


def count(turns: Sequence[np.ndarray], variant: Variant) -> dict[str, np.ndarray]:
    """Return what the one seat makes of each deal, summed over its places.

    Parameters
    ----------
    turns : sequence of (deals, columns) int
        By the place that it had.
    """
    column = numbered(columns(variant.parameters))
    found = dict.fromkeys(COUNTS, np.zeros(len(turns[0]), np.int64))
    for at, rows in enumerate(turns):
        counted = of_seat(rows.astype(np.int64), column, at, variant)
        found = {name: found[name] + counted[name] for name in COUNTS}
    return found


def of_seat(rows: np.ndarray, column: dict[str, int], at: int, variant: Variant) -> dict[str, Any]:
    """Return COUNTS of one seat."""
    rounds, left = range(variant.parameters.rounds), (at + 1) % seats_of(variant)
    hits, guesses, tricks = (
        rows[:, [column[f"{name}_{number}_{seat}"] for number in rounds]]
        for name, seat in (("hit", at), ("guesses", at), ("tricks", left))
    )
    return {
        "points": rows[:, column[f"score_{at}"]],
        "games": unit_of(variant),
        "wins": win_shares(rows[:, columns_starting(column, "win_")], SHARES)[:, at],
        "shares": SHARES,
        "hits": hits.sum(axis=1),
        "bids": (guesses > 0).sum(axis=1),
        "taken": tricks.sum(axis=1),
        "rounds": len(rounds),
    }


SURVEY = OneSeat(lambda variant: COUNTS, count, lambda variant: dict.fromkeys(WAYS, variant), thin=0.7)


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats, with one seat that arranges in each way."""
    variants, left_out = variants_by_seats(request, GAME)
    if any(variant.parameters.deck.colours == 1 for variant in variants.values()):
        raise BadInput(f"deck.colours = 1 leaves no order to choose (allowed here: 2 to {len(LETTERS)})")
    played = {f"deals, each with the one seat at each place and in each way; {name.removeprefix('games, ')}": deals
              for name, deals in SURVEY.played(variants, request.games).items()}  # fmt: skip
    return Plan(
        SURVEY.studies(variants, request.games), variants, SURVEY.players(variants), played, {"left_out": left_out}
    )


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what the choice is worth, which cards to show, and what showing them does."""
    cells = SURVEY.cells(run)
    return [answer(cells, run.facts["plan"]["left_out"]), which(cells), why(cells)]


def headline_figure(run: Results) -> Headline:
    """Return what choosing the order is worth in points."""
    main = main_cell(SURVEY.cells(run))
    return headline(f"points a game that choosing the order is worth ({main.name})", main, POINTS, PLAYED, ANY)


def answer(cells: Sequence[Cell], left_out: Sequence[str]) -> Finding:
    """Say what choosing the order is worth over leaving it to chance."""
    main = main_cell(cells)
    worth, wins = (compared(cells, figure, PLAYED, ANY) for figure in (POINTS, WINS))
    return Finding(
        "answer",
        worth_words(main, worth[main]),
        text=(*strengths(cells, POINTS, worth, "its own order rather than any"), win_words(main, wins[main])),
        tiles=(
            tile("points a game that the choice is worth", worth[main], main.name),
            tile("win share that it is worth", wins[main], main.name, percent=True),
            tile("points a game, order by chance", main.figure(POINTS, ANY), main.name),
        ),
        charts=(chart_of("worth", "What choosing the order is worth, points a game", worth, POINTS, "by chance"),),
        tables=(table_of("worth_wins", "What choosing the order is worth in win share", wins, WINS),),
        assumes=(
            *left_out,
            "One seat of a kind arranges in another way, at each place of the same deals; it bids and plays as before, "
            "but search bids on what it sees of its order. The others don't know its habit.",
            "Among random players the one seat is greedy: they don't look at cards, so that no order can matter.",
        ),
    )


def compared(cells: Sequence[Cell], figure: Figure, way: str, base: str) -> dict[Cell, Estimate]:
    """Return what one way earns more than another in each cell, with intervals that all hold together."""
    return dict(zip(cells, simultaneous([cell.change(figure, way, base) for cell in cells]), strict=True))


def worth_words(main: Cell, worth: Estimate) -> str:
    """Return what the choice is worth as a sentence."""
    said, value = POINTS.verdict(worth), POINTS.change_text(worth)
    if said == "higher":
        return f"Choosing the order of colours is worth {value} a game over leaving it to chance ({main.name})."
    if said == "lower":
        lost = POINTS.change_text(worth.negated())
        return f"Choosing the order of colours costs {lost} a game: chance would do better ({main.name})."
    return f"Choosing the order of colours or leaving it to chance: {said}, {value} a game ({main.name})."


def win_words(main: Cell, wins: Estimate) -> str:
    """Return what the choice does to wins as a sentence."""
    said = WINS.verdict(wins)
    return f"Win share with its own order rather than any, {main.name}: {said}, {WINS.change_text(wins)}."


def strengths(cells: Sequence[Cell], figure: Figure, found: dict[Cell, Estimate], what: str) -> tuple[str, ...]:
    """Return, for each variant, whether a comparison holds for all kinds of player."""
    return tuple(
        f"{sentence(figure.label)} with {what}, {label}: {across(own, [found[cell] for cell in own], figure)}"
        for label, own in by_label(cells).items()
    )


def which(cells: Sequence[Cell]) -> Finding:
    """Say whether low or high cards should be shown."""
    main, points, wins = main_cell(cells), *(compared(cells, figure, LOW, HIGH) for figure in (POINTS, WINS))
    return Finding(
        "which",
        which_words(main, points[main]),
        text=strengths(cells, POINTS, points, "low cards shown rather than high ones"),
        charts=(
            chart_of("which", "Low cards shown less high ones, points a game", points, POINTS, "high cards shown"),
        ),
        tables=(table_of("which_wins", "Low cards shown less high ones, win share", wins, WINS),),
    )


def which_words(main: Cell, points: Estimate) -> str:
    """Return as a sentence which cards earn more when they are shown."""
    said = POINTS.verdict(points)
    if said in ("higher", "lower"):
        shown, others = ("low", "high") if said == "higher" else ("high", "low")
        more = POINTS.change_text(points if said == "higher" else points.negated())
        return f"Show {shown} cards: they earn {more} a game more than {others} ones ({main.name})."
    return f"Low or high cards shown: {said}, {POINTS.change_text(points)} a game ({main.name})."


def why(cells: Sequence[Cell]) -> Finding:
    """Say what showing low or high cards does to the own bid and to the neighbour's tricks."""
    main, own = main_cell(cells), by_label(cells)[main_cell(cells).label]
    shown = {figure: effects(own, figure) for figure in (TAKEN, HIT)}
    parts = [
        f"with {way} its left neighbour wins {TAKEN.text(main.figure(TAKEN, way))} a round, and its own bid is right "
        f"{HIT.text(main.figure(HIT, way))} of the time"
        for way in (LOW, HIGH)
    ]
    return Finding(
        "why",
        f"{sentence('; '.join(parts))} ({main.name}).",
        text=tuple(
            f"{sentence(figure.label)}, {way} rather than any order, {main.label}: "
            f"{across(own, [found[cell, way] for cell in own], figure)}"
            for figure, found in shown.items()
            for way in (LOW, HIGH)
        ),
        charts=tuple(effect_chart(figure, found) for figure, found in shown.items()),
    )


def effects(cells: Sequence[Cell], figure: Figure) -> dict[tuple[Cell, str], Estimate]:
    """Return what each way changes from an order by chance, with intervals that all hold together."""
    keys = [(cell, way) for way in (PLAYED, LOW, HIGH) for cell in cells]
    return dict(zip(keys, simultaneous([cell.change(figure, way, ANY) for cell, way in keys]), strict=True))


def effect_chart(figure: Figure, found: dict[tuple[Cell, str], Estimate]) -> Chart:
    """Return what each way does to a figure."""
    return dots(
        f"why_{figure.top}",
        f"{sentence(figure.label)}: what the order changes",
        [cell for cell, _ in found],
        list(found.values()),
        "Less the same seat with an order by chance, paired by deal; all intervals hold together.",
        labels=["its own order" if way == PLAYED else way for _, way in found],
        percent=figure.percent,
        reference=0,
        reference_label="by chance",
        x_label=f"change of {figure.label}",
    )


def chart_of(key: str, title: str, found: dict[Cell, Estimate], figure: Figure, against: str) -> Chart:
    """Return a comparison for all kinds of player."""
    return dots(
        key,
        title,
        list(found),
        list(found.values()),
        "Differences on the same deals, paired by deal; all intervals hold together.",
        percent=figure.percent,
        reference=0,
        reference_label=against,
        x_label=figure.label,
    )


def table_of(key: str, title: str, found: dict[Cell, Estimate], figure: Figure) -> Table:
    """Return a comparison for all kinds of player as a table."""
    frame = frame_of(
        list(found.values()), players=[cell.kind.text for cell in found], variant=[cell.label for cell in found]
    )
    return Table(key, title, frame, "Shares as fractions; intervals hold together." if figure.percent else "")
