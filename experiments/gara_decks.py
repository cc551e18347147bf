"""What do 64 or 60 cards change in Gara-tori, and the cards that nobody is dealt, with four to six players?

Whole games are played with the deck as asked for, with that of the other sheet, and with the smallest one that still
fills all hands. Counted are points, how far apart the seats end, turns and locks, shared wins and specials out of play.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.experiments import Plan, Request
from simlib.findings import Chart, Finding, Headline, Tile, tile
from simlib.games import game_named, make_variant
from simlib.games.gara_tori.parameters import RANKS_OF
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting
from simlib.results import Results
from simlib.survey import (
    DECENT,
    PLAYED,
    Cell,
    Figure,
    Survey,
    across,
    by_label,
    by_words,
    dots,
    headline,
    joined,
    main_cell,
    of_decent,
    pictured,
    row_columns,
    said_of,
    seats_of,
    sentence,
    tables,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "gara_tori"
TITLE = "Gara-tori: which deck for how many players?"
GAMES = 100_000
THIN = 4  # with all its arms a game of the strong costs more than a survey reckons with
POINTS = Figure("points a seat and game", "points", "seats", unit="points", matters=0.1)
GAP = Figure("points between first and last", "gap", unit="points", matters=0.1)
TIES = Figure("games with a shared win", "tied", percent=True, chance=True, matters=0.01)
TURNS = Figure("turns of the lead a trick", "turns", "tricks", unit="turns", matters=0.01)
LOCKS = Figure("tricks locked by a special", "locks", "tricks", percent=True, matters=0.005)
OUT = Figure("specials out of play", "specials_out", "specials", percent=True, matters=0.005)
MISSING = Figure("games with a special out of play", "missing", percent=True, chance=True, matters=0.005)
FIGURES = (POINTS, GAP, TIES, TURNS, LOCKS, OUT, MISSING)
COUNTS = ("points", "seats", "gap", "tied", "turns", "locks", "tricks", "specials_out", "specials", "missing")
GLOSSARY = [
    ("turn", "a card of a pattern already played in the trick that changes the lead colour to its own"),
    ("lock", "a special played while its own colour leads: the lead turns no more and that card wins the trick"),
    ("out of play", "among the cards that are left when all hands are dealt, which nobody sees"),
    ("shared win", "a game in which several seats have the highest score"),
    ("points between first and last", "the highest score of a game less its lowest"),
    ("told apart", "with intervals that don't overlap and hold together with all others of the comparison"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- plan ----------------------------------------------------------------------------------------------------------


def cards_of(variant: Variant) -> int:
    """Return the number of cards in the deck."""
    deck = variant.parameters.deck
    return sum(map(sum, deck.copies)) + deck.colours * deck.specials


def deck_words(variant: Variant) -> str:
    """Return how a variant's deck is called on the page."""
    return say("{count} cards", count=cards_of(variant))


def unused(variant: Variant) -> int:
    """Return the number of cards that nobody is dealt."""
    return cards_of(variant) - seats_of(variant) * int(variant.parameters.hand.size)


def arms(variant: Variant) -> dict[str, Variant]:
    """Return the variant as it is, with the ranks of each sheet, and with the fewest that fill all hands."""
    made = {PLAYED: variant}
    for ranks in (*RANKS_OF.values(), fewest_ranks(variant)):
        try:
            other = make_variant(game_named(GAME), settings=variant.flat() | {"deck.ranks": ranks})
        except BadInput:  # the deck is too small for these hands
            continue
        if cards_of(other) != cards_of(variant):
            made[f"{cards_of(other)} cards"] = other
    return made


def fewest_ranks(variant: Variant) -> int:
    """Return the smallest number of ranks with which all hands can be dealt."""
    deck, needed = variant.parameters.deck, seats_of(variant) * int(variant.parameters.hand.size)
    a_colour = -(-needed // deck.colours) - deck.specials
    return max(1, -(-a_colour // max(1, deck.copies[0][0])))


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return what is counted of each game, by COUNTS."""
    column = row_columns(variant)
    scores, wins, dealt = (rows[:, columns_starting(column, name)] for name in ("score_", "win_", "specials_dealt_"))
    deck, ones = variant.parameters.deck, np.ones(len(rows), np.int64)
    out = deck.colours * deck.specials - dealt.sum(axis=1)
    return {
        "points": scores.sum(axis=1),
        "seats": ones * scores.shape[1],
        "gap": scores.max(axis=1) - scores.min(axis=1),
        "tied": wins.sum(axis=1) > 1,
        "turns": rows[:, column["turns"]],
        "locks": rows[:, column["locks"]],
        "tricks": ones * variant.parameters.hand.size,
        "specials_out": out,
        "specials": ones * deck.colours * deck.specials,
        "missing": out > 0,
    }


SURVEY = Survey(lambda variant: COUNTS, count, arms, thin=THIN, shows=POINTS)
MEASURES = Measured(count, {"specials_out_of_play": OUT, "games_without_a_special": MISSING})


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats with each deck.

    Raises
    ------
    BadInput
        If cards have different numbers of copies, or no other deck can be dealt.
    """
    variants, left_out = variants_by_seats(request, GAME)
    for variant in variants.values():
        check(variant)
    return SURVEY.plan(variants, request.games, left_out)


def check(variant: Variant) -> None:
    """Raise BadInput where there are no decks to compare."""
    copies = variant.flat()["deck.copies"]
    if not isinstance(copies, int):
        raise BadInput("deck.copies: gara_decks changes the number of ranks (allowed: one number for all cards)")
    if len(arms(variant)) == 1:
        raise BadInput("deck: gara_decks finds no other number of ranks with which all hands can be dealt")


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what other decks change, in points, in how games end and in specials; then what more players change."""
    cells = SURVEY.cells(run)
    return [
        answer(cells, tuple(run.facts["plan"]["left_out"])),
        endings(cells),
        specials(cells),
        *players(cells),
    ]


def headline_figure(run: Results) -> Headline:
    """Return what the other sheet's deck changes in points."""
    main = main_cell(SURVEY.cells(run))
    other = others(main)[0]
    label = say(
        "points a seat, {deck} less {cards} ({name})",
        deck=deck_words(main.arms[other]),
        cards=cards_of(main.variant),
        name=main.name,
    )
    return headline(label, main, POINTS, other)


def others(cell: Cell) -> list[str]:
    """Return the names of the decks that a cell compares with its own."""
    return [arm for arm in cell.arms if arm != PLAYED]


def changed_by(cells: Sequence[Cell], figure: Figure) -> dict[tuple[Cell, str], Estimate]:
    """Return what each deck changes in a figure, with intervals that hold together; decks differ by cell."""
    keys = [(cell, arm) for cell in cells for arm in others(cell)]
    return dict(zip(keys, simultaneous([cell.change(figure, arm) for cell, arm in keys]), strict=True))


def answer(cells: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say what the other sheet's deck changes in points and in turns."""
    main = main_cell(cells)
    points, turns = changed_by(cells, POINTS), changed_by(cells, TURNS)
    arm = others(main)[0]
    other = main.arms[arm]
    shown = [cell for cell in by_kind(cells) or [main] if arm in cell.arms]
    return Finding(
        "answer",
        headline_words(main, {POINTS: points, TURNS: turns}),
        text=(*strength_words(cells, POINTS, points), *strength_words(cells, TURNS, turns)),
        tiles=(
            Tile(
                "cards out of play",
                say("{count} of {all}", count=unused(main.variant), all=cards_of(main.variant)),
                say("{count} of {all} instead; {label}", count=unused(other), all=cards_of(other), label=main.label),
            ),
            change_tile(main, arm, POINTS, points),
            change_tile(main, arm, TURNS, turns),
        ),
        charts=(change_chart(POINTS, points), change_chart(TURNS, turns)),
        tables=tuple(of_decent(table) for table in tables(cells, FIGURES)),
        assumes=(
            *left_out,
            "Other decks deal other cards, so their games are no closer to each other than chance makes them.",
            "All seats are taken by players of one kind; those that learned did so on decks around the published ones.",
        ),
        picture=pictured(
            f"change_{POINTS.top}", [cell.label for cell in shown], [points[cell, arm] for cell in shown], reference=0
        ),
    )


def change_tile(cell: Cell, arm: str, figure: Figure, changed: Mapping[tuple[Cell, str], Estimate]) -> Tile:
    """Return what a deck changes in a figure as a tile."""
    label = say(
        "{figure}, {deck} less {cards}",
        figure=figure.label,
        deck=deck_words(cell.arms[arm]),
        cards=cards_of(cell.variant),
    )
    return tile(label, changed[cell, arm], cell.name, percent=figure.percent)


def headline_words(main: Cell, changed: Mapping[Figure, Mapping[tuple[Cell, str], Estimate]]) -> str:
    """Return what the first of the other decks changes in some figures, as a sentence."""
    arm = others(main)[0]
    told = [
        say(
            CHANGED.get(figure.verdict(found[main, arm]), "hardly change {figure}: {change}"),
            figure=figure.label,
            change=figure.change_text(found[main, arm]),
        )
        for figure, found in changed.items()
    ]
    return say(
        "{deck} in place of {cards} {told} ({name}).",
        deck=deck_words(main.arms[arm]),
        cards=cards_of(main.variant),
        name=main.name,
        told=joined(told),
    )


CHANGED = {  # by verdict; any other is that there is no difference that matters
    "higher": "raise {figure}: {change}",
    "lower": "lower {figure}: {change}",
    "undecided": "leave it undecided whether they change {figure}: {change}",
    "exactly the same": "don't change {figure} at all: {change}",
}


def strength_words(
    cells: Sequence[Cell], figure: Figure, changed: Mapping[tuple[Cell, str], Estimate]
) -> tuple[str, ...]:
    """Return, for each number of seats and deck, whether a change holds for all kinds of player."""
    told = {
        say("{deck} ({label})", deck=deck_words(own[0].arms[arm]), label=label): across(
            own, [changed[cell, arm] for cell in own], figure
        )
        for label, own in by_label(cells).items()
        for arm in others(own[0])
    }
    return tuple(say("{figure}, {words}", figure=sentence(figure.label), words=words) for words in by_words(told))


def change_chart(figure: Figure, changed: Mapping[tuple[Cell, str], Estimate]) -> Chart:
    """Return what each deck changes."""
    return dots(
        f"change_{figure.top}",
        say("What other decks change: {figure}", figure=figure.label),
        [cell for cell, _ in changed],
        list(changed.values()),
        "Differences from the deck as played; all intervals hold together.",
        labels=[deck_label(cell, arm) for cell, arm in changed],
        percent="points" if figure.percent else False,
        reference=0,
        reference_label="as played",
        x_label=say("change of {figure}", figure=figure.label),
    )


def deck_label(cell: Cell, arm: str) -> str:
    """Return how a cell with one of its decks is called."""
    return say("{label}, {deck}", label=cell.label, deck=deck_words(cell.arms[arm]))


def endings(cells: Sequence[Cell]) -> Finding:
    """Say what other decks change in how far apart the seats end, and how often the win is shared."""
    gap, ties = changed_by(cells, GAP), changed_by(cells, TIES)
    return Finding(
        "endings",
        headline_words(main_cell(cells), {GAP: gap, TIES: ties}),
        text=(*strength_words(cells, GAP, gap), *strength_words(cells, TIES, ties)),
        charts=(change_chart(GAP, gap), change_chart(TIES, ties)),
        title="Endings",
    )


def specials(cells: Sequence[Cell]) -> Finding:
    """Say how often specials are out of play, and what other decks change in locks."""
    main, locks = main_cell(cells), changed_by(cells, LOCKS)
    shown = [(own[0], arm) for own in by_label(by_kind(cells)).values() for arm in own[0].arms]
    return Finding(
        "specials",
        specials_words(main),
        text=(*out_words(main), headline_words(main, {LOCKS: locks}), *strength_words(cells, LOCKS, locks)),
        charts=(
            dots(
                "specials_out",
                "Games in which nobody is dealt some special",
                [cell for cell, _ in shown],
                [cell.figure(MISSING, arm) for cell, arm in shown],
                "The deal alone decides it, whoever plays. Each interval stands alone.",
                labels=[deck_label(cell, arm) for cell, arm in shown],
                percent=True,
                group=False,
                x_label="share of games",
            ),
            change_chart(LOCKS, locks),
        ),
        title="Specials",
    )


def specials_words(main: Cell) -> str:
    """Return how often specials are out of play, with the deck as played and with the first of the others."""
    if not main.variant.parameters.deck.specials:
        return say("There are no specials in this deck ({label}).", label=main.label)
    arm = others(main)[0]
    told = [
        say(
            "{missing} with {cards} cards",
            cards=cards_of(main.arms[name]),
            missing=MISSING.text(main.figure(MISSING, name)),
        )
        for name in (PLAYED, arm)
    ]
    return say("Games in which nobody is dealt some special: {told} ({name}).", told=joined(told), name=main.name)


def out_words(main: Cell) -> tuple[str, ...]:
    """Return which share of the specials nobody is dealt, with each deck; nothing where there are none."""
    if not main.variant.parameters.deck.specials:
        return ()
    told = [
        say("{out} with {cards} cards", out=OUT.text(main.figure(OUT, arm)), cards=cards_of(variant))
        for arm, variant in main.arms.items()
    ]
    return (say("Of all specials nobody is dealt {told} ({name}).", told=joined(told), name=main.name),)


def by_kind(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of the players that headlines speak of."""
    return [cell for cell in cells if cell.kind == DECENT]


def players(cells: Sequence[Cell]) -> list[Finding]:
    """Say what each figure is with each number of seats, where several are played."""
    if len(by_label(cells)) == 1:
        return []
    shown = [(cell, figure) for figure in (POINTS, GAP, TIES, TURNS, LOCKS) for cell in cells]
    widened = simultaneous([cell.figure(figure) for cell, figure in shown])
    found = dict(zip(shown, widened, strict=True))
    return [
        Finding(
            "players",
            say(
                "{told} ({name}).",
                told=sentence(trend_words(by_kind(cells), POINTS, found)),
                name=main_cell(cells).kind.text,
            ),
            text=(
                say(
                    "{told} ({name}).",
                    told=sentence(trend_words(by_kind(cells), TIES, found)),
                    name=main_cell(cells).kind.text,
                ),
                *(kinds_words(cells, figure, found) for figure in (POINTS, GAP, TIES, TURNS, LOCKS)),
            ),
            charts=tuple(seats_chart(cells, figure, found) for figure in (POINTS, TIES, TURNS)),
            assumes=("Games of different numbers of seats are compared as a whole, not deal by deal.",),
            title="Numbers of players",
        )
    ]


def seats_chart(cells: Sequence[Cell], figure: Figure, found: Mapping[tuple[Cell, Figure], Estimate]) -> Chart:
    """Return a figure by number of seats."""
    return dots(
        f"seats_{figure.top}",
        say("{figure}, by number of players", figure=sentence(figure.label)),
        cells,
        [found[cell, figure] for cell in cells],
        "The deck as played; intervals hold together.",
        percent=figure.percent,
        x_label=figure.label,
    )


def trend_words(own: Sequence[Cell], figure: Figure, found: Mapping[tuple[Cell, Figure], Estimate]) -> str:
    """Return a figure of one kind of player from the fewest seats to the most, and how it changes on the way."""
    estimates = [found[cell, figure] for cell in own]
    return say(
        "{figure} {trend} with the number of players: {first} with {fewest}, {last} with {most}",
        figure=figure.label,
        trend=trend(estimates),
        first=figure.text(estimates[0]),
        fewest=own[0].label,
        last=figure.text(estimates[-1]),
        most=own[-1].label,
    )


def kinds_words(cells: Sequence[Cell], figure: Figure, found: Mapping[tuple[Cell, Figure], Estimate]) -> str:
    """Return how a figure changes with the number of seats for each kind of player."""
    kinds = list(dict.fromkeys(cell.kind for cell in cells))
    said = [trend([found[cell, figure] for cell in cells if cell.kind == kind]) for kind in kinds]
    return say("With more players, {figure}: {told}.", figure=figure.label, told=said_of(kinds, said))


def trend(estimates: Sequence[Estimate]) -> str:
    """Return whether figures rise or fall from each to the next, all told apart.

    Examples
    --------
    >>> trend([Estimate(1, 0.9, 1.1, 9, ""), Estimate(2, 1.9, 2.1, 9, "")])
    'rise'
    """
    pairs = list(pairwise(estimates))
    if pairs and all(one.high < other.low for one, other in pairs):
        return "rise"
    if pairs and all(one.low > other.high for one, other in pairs):
        return "fall"
    return "neither clearly rise nor fall"
