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
from simlib.figures import parts
from simlib.findings import Chart, Finding, Headline, Tile, tile
from simlib.games import game_named
from simlib.games.suppose.parameters import LETTERS
from simlib.hooks import seated
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, win_shares
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
    by_words,
    dots,
    headline,
    main_cell,
    pictured,
    row_columns,
    seats_of,
    sentence,
    unit_of,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "suppose"
TITLE = "Suppose: which cards to show?"
GAMES = 15_000
LOW = "low cards shown"
HIGH = "high cards shown"
ANY = "any order, by chance"
CHOSEN = (PLAYED, LOW, HIGH)
WAYS = {PLAYED: "own", LOW: "low", HIGH: "high", ANY: "any"}  # values of the players' option `shows`
SHOWING = {LOW: "showing low cards", HIGH: "showing high cards"}
ONE = {WEAK.text: "greedy"}  # who arranges, where it isn't one of the field: a random player sees no card to show
PAIRED = "Differences on the same deals, paired by deal; all intervals hold together."
SHARES = 12  # parts of a win, shared by up to four winners
POINTS = Figure("points a game", "points", "games", unit="points", matters=0.1)
WINS = Figure("win share", "wins", "shares", percent=True, matters=0.005)
HIT = Figure("own bids that come true", "hits", "bids", percent=True, matters=0.005)
TAKEN = Figure("tricks a round of the left neighbour", "taken", "rounds", unit="tricks", matters=0.05)
CHANGES = {  # what low cards shown rather than high ones change, where it has a direction
    (TAKEN, "higher"): "the left neighbour wins {size} more a round",
    (TAKEN, "lower"): "the left neighbour wins {size} fewer a round",
    (HIT, "higher"): "{size} more own bids come true",
    (HIT, "lower"): "{size} fewer own bids come true",
}
COUNTS = ("points", "games", "wins", "shares", "hits", "bids", "taken", "rounds")
Found = dict[tuple[Cell, str], Estimate]  # what ways change, by who uses them
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
                present=study.present,
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
    column = row_columns(variant)
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


SURVEY = OneSeat(lambda variant: COUNTS, count, lambda variant: dict.fromkeys(WAYS, variant), thin=0.7, shows=POINTS)
MEASURES = Measured(lambda rows, variant: {})  # it compares what one seat does, in one variant


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
    """Return what showing high cards is worth in points."""
    main = main_cell(SURVEY.cells(run))
    label = say("points a game, high cards shown less any order ({who})", who=main.name)
    return headline(label, main, POINTS, HIGH, ANY)


def answer(cells: Sequence[Cell], left_out: Sequence[str]) -> Finding:
    """Say what choosing the order is worth over leaving it to chance."""
    main, worth, wins = main_cell(cells), over_chance(cells, POINTS), over_chance(cells, WINS)
    return Finding(
        "answer",
        worth_words(main, {way: worth[main, way] for way in (LOW, HIGH)}),
        text=tuple(
            words
            for way in CHOSEN
            for words in by_words(
                {
                    label: across(own, [worth[cell, way] for cell in own], POINTS)
                    for label, own in by_label(cells).items()
                },
                say("Points a game, {way} rather than any, ", way=named(way)),
            )
        ),
        tiles=worth_tiles(main, worth, wins),
        charts=(
            ways_chart("worth", "What choosing the order is worth, points a game", worth, POINTS),
            ways_chart("worth_wins", "What choosing the order is worth in win share", wins, WINS),
        ),
        assumes=(
            *left_out,
            "One seat of a kind arranges in another way, at each place of the same deals; it bids and plays as before, "
            "but search bids on what it sees of its order. The others don't know its habit.",
            "Among random players the one seat is greedy: they don't look at cards, so that no order can matter.",
        ),
        picture=pictured("worth", [LOW, HIGH], [worth[main, way] for way in (LOW, HIGH)], reference=0),
    )


def worth_tiles(main: Cell, worth: Found, wins: Found) -> tuple[Tile, ...]:
    """Return what showing low or high cards is worth over an order by chance, and what that order earns."""
    return (
        *(tile(say("{shows}: points a game", shows=SHOWING[way]), worth[main, way], main.name) for way in (LOW, HIGH)),
        tile(say("{shows}: points of win share", shows=SHOWING[HIGH]), wins[main, HIGH].scaled(100), main.name),
        tile("points a game with an order by chance", main.figure(POINTS, ANY), main.name),
    )


def named(way: str) -> str:
    """Return a way as words call it."""
    return "its own order" if way == PLAYED else way


def over_chance(cells: Sequence[Cell], figure: Figure) -> Found:
    """Return what each way to choose earns more than an order by chance, with intervals that all hold together."""
    keys = [(cell, way) for cell in cells for way in CHOSEN]
    return dict(zip(keys, simultaneous([cell.change(figure, way, ANY) for cell, way in keys]), strict=True))


def compared(cells: Sequence[Cell], figure: Figure) -> dict[Cell, Estimate]:
    """Return what showing low cards earns more than showing high ones, with intervals that all hold together."""
    return dict(zip(cells, simultaneous([cell.change(figure, LOW, HIGH) for cell in cells]), strict=True))


def worth_words(main: Cell, worth: Mapping[str, Estimate]) -> str:
    """Return what showing low or high cards is worth as a sentence, the better way first."""
    better_first = sorted(worth.items(), key=lambda entry: -entry[1].value)
    parts = say("; ").join(way_words(SHOWING[way], change) for way, change in better_first)
    return say("Over an order by chance, {parts} ({who}).", parts=parts, who=main.name)


def way_words(shows: str, change: Estimate) -> str:
    """Return what one way is worth as a phrase."""
    said = POINTS.verdict(change)
    size = POINTS.change_text(change.negated() if said == "lower" else change)
    template = {
        "higher": "{shows} is worth {size} a game",
        "lower": "{shows} costs {size} a game",
        "undecided": "whether {shows} pays is undecided, {size} a game",
        "exactly the same": "{shows} changes nothing",
    }.get(said, "{shows} makes {said}, {size} a game")
    return say(template, shows=shows, said=said, size=size)


def which(cells: Sequence[Cell]) -> Finding:
    """Say whether low or high cards should be shown."""
    main, points, wins = main_cell(cells), *(compared(cells, figure) for figure in (POINTS, WINS))
    return Finding(
        "which",
        which_words(main, points[main]),
        text=(
            *by_words(
                {label: across(own, [points[cell] for cell in own], POINTS) for label, own in by_label(cells).items()},
                "Points a game, low cards shown rather than high ones, ",
            ),
            say(
                "Win share, low cards shown rather than high ones, {who}: {verdict}, {change}.",
                who=main.name, verdict=WINS.verdict(wins[main]), change=WINS.change_text(wins[main]),
            ),
        ),
        charts=(
            less_chart("which", "Low cards shown less high ones, points a game", points, POINTS),
            less_chart("which_wins", "Low cards shown less high ones, win share", wins, WINS),
        ),
        title="Low or high cards",
    )  # fmt: skip


def less_chart(key: str, title: str, found: Mapping[Cell, Estimate], figure: Figure) -> Chart:
    """Return what showing low cards earns more than showing high ones."""
    return dots(
        key,
        title,
        list(found),
        list(found.values()),
        PAIRED,
        percent=points_of(figure),
        reference=0,
        reference_label="no difference",
        x_label=figure.label,
    )


def points_of(figure: Figure) -> parts.Percent:
    """Return how differences of a figure are shown: those of shares in points of a per cent."""
    return parts.POINTS if figure.percent else False


def which_words(main: Cell, points: Estimate) -> str:
    """Return as a sentence which cards earn more when they are shown."""
    said = POINTS.verdict(points)
    template = {
        "higher": "Show low cards: they earn {change} a game more than high ones ({who}).",
        "lower": "Show high cards: they earn {change} a game more than low ones ({who}).",
    }.get(said, "Low or high cards shown: {said}, {change} a game ({who}).")
    change = POINTS.change_text(points.negated() if said == "lower" else points)
    return say(template, said=said, change=change, who=main.name)


def why(cells: Sequence[Cell]) -> Finding:
    """Say what showing low or high cards does to the own bid and to the neighbour's tricks."""
    main = main_cell(cells)
    own = by_label(cells)[main.label]
    low = {figure: compared(own, figure) for figure in (TAKEN, HIT)}
    told = say("; ").join(change_words(figure, each[main]) for figure, each in low.items())
    return Finding(
        "why",
        say("With low cards shown rather than high ones, {told} ({who}).", told=told, who=main.name),
        text=tuple(
            say(
                "{what}, {where}: {words}",
                what=sentence(figure.label), where=main.label, words=across(own, list(each.values()), figure),
            )
            for figure, each in low.items()
        ),
        charts=tuple(
            ways_chart(
                f"why_{figure.top}",
                say("{what}: what the order changes", what=sentence(figure.label)),
                over_chance(own, figure),
                figure,
            )
            for figure in low
        ),
        title="Tricks and own bids",
    )  # fmt: skip


def change_words(figure: Figure, change: Estimate) -> str:
    """Return what showing low cards rather than high ones changes in a figure as a phrase."""
    said = figure.verdict(change)
    return say(
        CHANGES.get((figure, said), "{label}: {said}, {size}"), label=figure.label, said=said,
        size=figure.change_text(change.negated() if said == "lower" else change),
    )  # fmt: skip


def ways_chart(key: str, title: str, found: Found, figure: Figure) -> Chart:
    """Return what each way to choose changes from an order by chance."""
    several = len({cell.label for cell, _ in found}) > 1
    keys = sorted(found, key=lambda key: CHOSEN.index(key[1]))
    return dots(
        key,
        title,
        [cell for cell, _ in keys],
        [found[key] for key in keys],
        PAIRED,
        labels=[f"{f'{cell.label}, ' * several}{named(way)}" for cell, way in keys],
        percent=points_of(figure),
        reference=0,
        reference_label="by chance",
        x_label=say("change of {what}", what=figure.label),
    )
