"""What is a special worth in Gara-tori, each one and each further one, and what do specials do to the game?

What being dealt specials adds is seen within each game: seats that got more of them against the rest of their table.
Other games are played without specials, with twice as many, and with an ordinary rank in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from simlib.cards import COLOUR_SHIFT, LETTERS, RANK_MASK, SPECIAL, deck_with_specials
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import extremes, listed
from simlib.experiments import Plan, Request
from simlib.figures import cardgrid
from simlib.findings import Chart, Finding, Headline, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.games.gara_tori.telling import COLOURS
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, win_shares
from simlib.results import Results
from simlib.survey import (
    DECENT,
    PLAYED,
    POINTS_APART,
    WHOLE,
    Cell,
    Figure,
    Survey,
    across,
    by_label,
    by_words,
    changes,
    dots,
    headline,
    joined,
    main_cell,
    pictured,
    plan_of,
    row_columns,
    seats_of,
    sentence,
    tables,
    variants_by_seats,
)
from simlib.telling import colour_name
from simlib.variants import Variant

if TYPE_CHECKING:
    from simlib.batch import Played

GAME = "gara_tori"
TITLE = "Gara-tori: what are the specials worth?"
GAMES = 50_000
MOST = 3  # specials of a hand that are told apart: 0, 1, 2, and 3 or more
ANY = "any"  # stands for the colour where all specials count
BARE = "no specials"
RANK = "an ordinary rank in their place"

WORTH = Figure("points that a special dealt adds", "points_any", "spread_any", unit="points", matters=0.1)
WIN = Figure(
    "win share that a special dealt adds",
    "share_any",
    "spread_any",
    1 / WHOLE,
    percent=True,
    unit=POINTS_APART,
    matters=0.01,
)
POINTS = Figure("points a seat and game", "points", "seats", unit="points", matters=0.1)
GAP = Figure("points between first and last", "gap", unit="points", matters=0.1)
TIES = Figure("games with a shared win", "tied", percent=True, chance=True, matters=0.01)
TURNS = Figure("turns of the lead a trick", "turns", "tricks", unit="turns", matters=0.01)
LOCKS = Figure("tricks locked by a special", "locks", "tricks", percent=True, matters=0.01)
POWER = Figure("specials played with power", "powered", "specials_played", percent=True, matters=0.01)
ENDS = (TURNS, GAP, TIES, POINTS, LOCKS, POWER)
GAME_COUNTS = ("points", "seats", "gap", "tied", "turns", "locks", "tricks", "powered", "specials_played")
ADDS = {"higher": "worth more than an average card", "lower": "worth less than an average card"}
GLOSSARY = [
    ("special", "one of the cards i, ro, ha, ni, one in each colour; it has no rank"),
    ("power", "a special played while its own colour leads locks the trick and wins it; else it is the lowest card"),
    ("adds", "what a seat dealt one special more gets more than the other seats of its table, who have other cards"),
    ("win share", "1 for the sole winner of a game, 1 / k for each of k tied winners"),
    ("turn", "a card of a pattern already played in the trick that changes the lead colour to its own"),
    ("points between first and last", "the highest score of a game less its lowest"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- what is played ------------------------------------------------------------------------------------------------


def doubled(variant: Variant) -> dict[str, Variant]:
    """Return the variant, and the same with twice as many specials, where such a deck is allowed."""
    twice = 2 * variant.parameters.deck.specials
    return {PLAYED: variant} | possible({f"{twice} specials in each colour": {"deck.specials": twice}}, variant)


def decks(variant: Variant) -> dict[str, Variant]:
    """Return those of `doubled`, the deck without specials, and one with a rank of as many copies in their place."""
    deck = variant.parameters.deck
    copies = {letter: [*row, deck.specials] for letter, row in zip(LETTERS, deck.copies, strict=False)}
    others = {
        BARE: {"deck.specials": 0},
        RANK: {"deck.specials": 0, "deck.ranks": deck.ranks + 1, "deck.copies": copies},
    }
    return doubled(variant) | possible(others, variant)


def possible(changed: Mapping[str, Mapping[str, object]], variant: Variant) -> dict[str, Variant]:
    """Return the variant with each of several changes, without those that can't be dealt."""
    made = {}
    for name, settings in changed.items():
        try:
            made[name] = make_variant(game_named(GAME), settings=variant.flat() | dict(settings))
        except BadInput:
            continue
    return made


# ---- what is counted -----------------------------------------------------------------------------------------------


def letters_of(variant: Variant) -> str:
    """Return the letters of the deck's colours."""
    return LETTERS[: variant.parameters.deck.colours]


def specials_held(games: Played, variant: Variant) -> np.ndarray:
    """Return how many specials of each colour each seat was dealt, (games, seats, colours) int."""
    parameters, seats = variant.parameters, seats_of(variant)
    deck = np.array(deck_with_specials(parameters.deck.copies, parameters.deck.specials))
    size = parameters.hand.size
    hands = games.secrets["deck"][:, 0, : seats * size].reshape(len(games.rows), seats, size)
    of_colour = np.where(deck & RANK_MASK == SPECIAL, deck >> COLOUR_SHIFT, -1)
    return np.stack([(of_colour == colour)[hands].sum(axis=2) for colour in range(parameters.deck.colours)], axis=2)


def held_names(variant: Variant) -> list[str]:
    """Return the names of what `count_held` counts."""
    worths = [f"{what}_{of}" for of in (ANY, *letters_of(variant)) for what in ("points", "share", "spread")]
    return worths + [f"{what}_with_{held}" for held in range(MOST + 1) for what in ("points", "share", "seats")]


def count_held(games: Played, variant: Variant) -> dict[str, np.ndarray]:
    """Return what specials do for the seats they were dealt to, within each game.

    Returns
    -------
    dict of (games,) int
        For specials of ANY colour and of each: ``spread``, players times the seats' sum of squares of the number
        dealt, less the game's mean, and ``points`` and ``share``, the same of its products with the seat's result.
        Their ratio is the slope of least squares within games. For each number of specials ``seats_with``, and the
        sum of ``points_with`` and ``share_with`` of these seats, players times above the game's mean.
    """
    held, seats = specials_held(games, variant), seats_of(variant)
    column = row_columns(variant)
    wins = games.rows[:, columns_starting(column, "win_")].astype(np.int64)
    results = {"points": games.rows[:, columns_starting(column, "score_")], "share": win_shares(wins, WHOLE)}
    ahead = {name: seats * result - result.sum(axis=1, keepdims=True) for name, result in results.items()}
    dealt = {ANY: held.sum(axis=2)} | {letter: held[:, :, at] for at, letter in enumerate(letters_of(variant))}
    found = {}
    for of, number in dealt.items():
        found[f"spread_{of}"] = seats * (number * number).sum(axis=1) - number.sum(axis=1) ** 2
        found |= {f"{name}_{of}": (number * result).sum(axis=1) for name, result in ahead.items()}
    for level in range(MOST + 1):
        those = np.minimum(dealt[ANY], MOST) == level
        found[f"seats_with_{level}"] = those.sum(axis=1)
        found |= {f"{name}_with_{level}": (those * result).sum(axis=1) for name, result in ahead.items()}
    return found


def count_ends(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return what is counted of each game as a whole, by GAME_COUNTS."""
    column, ones = row_columns(variant), np.ones(len(rows), np.int64)
    scores, wins = (rows[:, columns_starting(column, name)] for name in ("score_", "win_"))
    powered = rows[:, column["specials_with_power"]]
    return {
        "points": scores.sum(axis=1),
        "seats": ones * scores.shape[1],
        "gap": scores.max(axis=1) - scores.min(axis=1),
        "tied": wins.sum(axis=1) > 1,
        "turns": rows[:, column["turns"]],
        "locks": rows[:, column["locks"]],
        "tricks": ones * variant.parameters.hand.size,
        "powered": powered,
        "specials_played": powered + rows[:, column["specials_without_power"]],
    }


HELD = Survey(held_names, count_held, doubled, whole=True, thin=3, key="held", shows=WORTH)
DECKS = Survey(lambda variant: GAME_COUNTS, count_ends, decks, thin=4, key="decks", shows=POINTS)
MEASURES = Measured(count_ends, {"powerful_specials": POWER})


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats, with their deals, and others with each deck.

    Raises
    ------
    BadInput
        If the deck has no specials, or no other deck can be dealt.
    """
    variants, left_out = variants_by_seats(request, GAME)
    for variant in variants.values():
        if not variant.parameters.deck.specials:
            raise BadInput("deck.specials = 0: gara_specials asks what specials are worth (allowed: 1 or more)")
        if len(decks(variant)) == 1:
            raise BadInput("deck.specials: gara_specials finds no other number of specials that can be dealt")
    return plan_of((HELD, DECKS), variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what a special is worth, then each and each further one, then what specials do to the game."""
    held, ends = HELD.cells(run), DECKS.cells(run)
    return [
        answer(held, main_cell(ends), tuple(run.facts["plan"]["left_out"])),
        further(held),
        each(held),
        twice(held),
        without(ends),
    ]


def headline_figure(run: Results) -> Headline:
    """Return what being dealt a special adds in points."""
    main = main_cell(HELD.cells(run))
    return headline(say("{figure} ({name})", figure=WORTH.label, name=main.name), main, WORTH)


def answer(cells: Sequence[Cell], ends: Cell, left_out: tuple[str, ...]) -> Finding:
    """Say what being dealt a special adds in points and in wins; `ends` has what specials do in play."""
    main = main_cell(cells)
    shown = [cell for cell in cells if cell.kind == DECENT] or [main]
    worths = {figure: together(cells, figure) for figure in (WORTH, WIN)}
    return Finding(
        "answer",
        worth_words(main.name, worths[WORTH][main], worths[WIN][main]),
        text=tuple(words for figure, found in worths.items() for words in strength_words(cells, figure, found, ADDS)),
        tiles=(
            *(tile(f.label, found[main], main.name, f.unit, percent=f.percent) for f, found in worths.items()),
            *(tile(f.label, ends.figure(f), ends.name, percent=True) for f in (POWER, LOCKS)),
        ),
        charts=tuple(worth_chart(cells, figure, found) for figure, found in worths.items()),
        assumes=(
            *left_out,
            "Specials are dealt by chance, so seats with more of them differ from their table by the luck of the deal "
            "alone (least squares within each game).",
            "A special takes the room of another card: its worth is over that of an average other card.",
        ),
        picture=pictured(
            f"worth_{WORTH.top}", [cell.label for cell in shown], [worths[WORTH][cell] for cell in shown], reference=0
        ),
    )


def strength_words(
    cells: Sequence[Cell], figure: Figure, found: Mapping[Cell, Estimate], words: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Return, for each number of seats, whether a finding holds for all kinds of player."""
    told = {label: across(own, [found[cell] for cell in own], figure, words) for label, own in by_label(cells).items()}
    return tuple(say("{figure}, {words}", figure=sentence(figure.label), words=words) for words in by_words(told))


def together(cells: Sequence[Cell], figure: Figure) -> dict[Cell, Estimate]:
    """Return a figure of all cells with intervals that hold together."""
    return dict(zip(cells, simultaneous([cell.figure(figure) for cell in cells]), strict=True))


def worth_words(name: str, points: Estimate, share: Estimate) -> str:
    """Return what a special adds, as a sentence."""
    told, won = WORTH.verdict(points), WIN.verdict(share)
    return say(
        "{points}; {wins} ({name}).",
        points=say(
            POINTS_SAID.get(told, "Points that a special dealt adds: {verdict}: {points}"),
            verdict=told,
            points=WORTH.text(points),
        ),
        wins=say(
            WINS_SAID.get(won, "win share that it adds: {verdict}: {wins}"), verdict=won, wins=WIN.change_text(share)
        ),
        name=name,
    )


POINTS_SAID = {"higher": "A special dealt adds points: {points}", "lower": "A special dealt costs points: {points}"}
WINS_SAID = {"higher": "it wins more games: {wins}", "lower": "it wins fewer games: {wins}"}


def worth_chart(cells: Sequence[Cell], figure: Figure, found: Mapping[Cell, Estimate]) -> Chart:
    """Return what a special adds in all cells."""
    return dots(
        f"worth_{figure.top}",
        sentence(figure.label),
        cells,
        list(found.values()),
        "Seats dealt more specials against the rest of their table; intervals hold together.",
        percent="points" if figure.percent else False,
        reference=0,
        reference_label="an average card",
        x_label="win share" if figure.percent else "points a game",
    )


# ---- further ones, and each by its colour --------------------------------------------------------------------------


def step(cell: Cell, held: int, result: str) -> Estimate:
    """Return how much better seats with so many specials do than those with one less, as ``points`` or ``share``."""
    seats = seats_of(cell.variant)
    pairs = [((PLAYED, f"{result}_with_{k}"), (PLAYED, f"seats_with_{k}")) for k in (held, held - 1)]
    found = cell.joint.difference_of_ratios(*pairs)
    return found.scaled(1 / (seats * (WHOLE if result == "share" else 1)))


def further(cells: Sequence[Cell]) -> Finding:
    """Say what the first, the second and the third special of a hand add."""
    main, levels = main_cell(cells), range(1, MOST + 1)
    keys = [(cell, held) for cell in cells for held in levels]
    found = dict(zip(keys, simultaneous([step(cell, held, "points") for cell, held in keys]), strict=True))
    own = [cell for cell in cells if cell.label == main.label]
    return Finding(
        "further",
        further_words(main.name, [found[main, held] for held in levels]),
        text=by_words(
            {NTH[held]: across(own, [found[cell, held] for cell in own], WORTH, ADDS) for held in levels},
            "Of a hand's specials, ",
        ),
        charts=(
            dots(
                "further",
                say("Points that each further special of a hand adds, {label}", label=main.label),
                [cell for held in levels for cell in own],
                [found[cell, held] for held in levels for cell in own],
                "Seats with so many specials against seats with one less, each above its game's mean; all intervals "
                "hold together.",
                labels=[NTH[held] for held in levels for _ in own],
                reference=0,
                reference_label="nothing",
                x_label="points a game",
            ),
        ),
        title="One more special",
    )


NTH = {1: "the first", 2: "the second", 3: "the third (or more)"}


def further_words(name: str, steps: Sequence[Estimate]) -> str:
    """Return what each further special adds, as a sentence."""
    told = [
        say("{nth} adds {points}", nth=NTH[held], points=WORTH.text(found))
        for held, found in enumerate(steps, start=1)
        if found.known
    ]
    if not told:
        return say("What a further special adds is undecided: too few hands hold several ({name}).", name=name)
    return say("{told} ({name}).", told=sentence(say("; ").join(told)), name=name)


def of_colour(figure: Figure, letter: str) -> Figure:
    """Return a figure of specials of one colour."""
    return replace(figure, top=figure.top.replace(ANY, letter), bottom=figure.bottom.replace(ANY, letter))


def each(cells: Sequence[Cell]) -> Finding:
    """Say whether the special of any colour is worth more than the others."""
    main = main_cell(cells)
    own, letters = [cell for cell in cells if cell.label == main.label], letters_of(main.variant)
    keys = [(cell, letter) for letter in letters for cell in own]
    widened = simultaneous([cell.figure(of_colour(WORTH, letter)) for cell, letter in keys])
    found = dict(zip(keys, widened, strict=True))
    return Finding(
        "each",
        each_words(main.name, {colour(letter): found[main, letter] for letter in letters}),
        charts=(each_chart(main.label, {(cell, letter): found[cell, letter] for cell in own for letter in letters}),),
        title="Each special",
    )


def colour(letter: str) -> str:
    """Return what a colour is called."""
    return colour_name(letter, COLOURS)


def each_chart(label: str, found: Mapping[tuple[Cell, str], Estimate]) -> Chart:
    """Return what the special of each colour adds, as cards in a row for each kind of player."""
    title = say("Points that the special of each colour adds, {label}", label=label)
    frame = frame_of(
        list(found.values()),
        players=[cell.kind.text for cell, _ in found],
        colour=[colour(letter) for _, letter in found],
    )
    names = [say("{players}, {rank}", players=cell.kind.text, rank=colour(letter)) for cell, letter in found]
    drawn = frame.assign(rank="\u2605")
    return Chart(
        "each",
        title,
        cardgrid.card_grid(drawn, row="players", colour="colour"),
        say("Cards in a row for each kind of player: {figures}.", figures=listed(names, found.values(), "points")),
        "Seats dealt it against the rest of their table, over an average card, other specials among them; "
        "intervals hold together.",
        Table("each", title, frame),
    )


def each_words(name: str, found: Mapping[str, Estimate]) -> str:
    """Return whether the worths of some cards are told apart, as a sentence."""
    known = {card: estimate for card, estimate in found.items() if estimate.known}
    below = {one: [other for other, low in known.items() if high.low > low.high] for one, high in known.items()}
    apart = [
        say("{one} is worth more than {other}", one=one, other=joined(less)) for one, less in below.items() if less
    ]
    return say(
        "{told}. {figures} ({name}).",
        told=sentence(say("; ").join(apart)) or "No colour's special is told apart from another's",
        figures=sentence(extremes(known, known.values(), "points")),
        name=name,
    )


# ---- other decks ---------------------------------------------------------------------------------------------------


def twice(cells: Sequence[Cell]) -> Finding:
    """Say what a special is worth when there are twice as many."""
    main = main_cell(cells)
    arms = [arm for arm in main.arms if arm != PLAYED]
    if not arms:
        return Finding("twice", "Twice as many specials can't be dealt in this deck.")
    found = {figure: changes(cells, figure, arms) for figure in (WORTH, WIN)}
    return Finding(
        "twice",
        twice_words(main, arms[0], found[WORTH][main, arms[0]]),
        text=tuple(
            words
            for figure, changed in found.items()
            for words in strength_words(cells, figure, {cell: changed[cell, arms[0]] for cell in cells})
        ),
        charts=(change_chart("twice", WORTH, found[WORTH]),),
        title="Twice as many",
    )


def twice_words(main: Cell, arm: str, change: Estimate) -> str:
    """Return what more specials change in the worth of one, as a sentence."""
    told = WORTH.verdict(change)
    return say(
        TWICE_SAID.get(told, "With {deck} each is worth about as much, {verdict}: {change} on {worth} ({name})."),
        deck=deck_named(main, arm),
        verdict=told,
        change=WORTH.change_text(change),
        worth=WORTH.text(main.figure(WORTH)),
        name=main.name,
    )


TWICE_SAID = {
    "higher": "With {deck} each is worth more: {change} on {worth} ({name}).",
    "lower": "With {deck} each is worth less: {change} on {worth} ({name}).",
    "undecided": "With {deck} it is undecided whether each is worth more or less: {change} on {worth} ({name}).",
}


def deck_named(cell: Cell, arm: str) -> str:
    """Return how one of a cell's decks is called on the page."""
    if arm in (PLAYED, BARE):
        return say(arm)
    if arm == RANK:
        return say("an ordinary rank in place of specials")
    return say("{count} specials in each colour", count=cell.arms[arm].parameters.deck.specials)


def without(cells: Sequence[Cell]) -> Finding:
    """Say what the game is like without specials, with twice as many, and with a rank in their place."""
    main = main_cell(cells)
    arms = [arm for arm in main.arms if arm != PLAYED]
    found = {figure: changes(cells, figure, arms) for figure in ENDS[:4]}
    own = [cell for cell in cells if cell.label == main.label]
    return Finding(
        "decks",
        deck_words(main, arms[-1], {figure: found[figure][main, arms[-1]] for figure in (TURNS, GAP)}),
        text=(power_words(main),),
        charts=tuple(
            change_chart(f"decks_{figure.top}", figure, found[figure], main.label) for figure in (TURNS, GAP, TIES)
        ),
        tables=(
            changes_table(
                main.label,
                {(figure, cell, arm): found[figure][cell, arm] for figure in found for arm in arms for cell in own},
            ),
            *(with_decks_named(main, table) for table in tables(cells, ENDS, list(main.arms))),
        ),
        assumes=(
            say(
                "No parameter takes their power from specials: {deck} shows the game in which such cards have none.",
                deck=say("an ordinary rank in place of specials"),
            ),
            "Other decks deal other cards, so their games are no closer to each other than chance makes them.",
        ),
        title="Other decks",
    )


def changes_table(label: str, changed: Mapping[tuple[Figure, Cell, str], Estimate]) -> Table:
    """Return what each deck changes: a line for each figure and deck, with what is said of each kind of player."""
    frame = frame_of(
        list(changed.values()),
        figure=[sentence(figure.label) for figure, *_ in changed],
        deck=[deck_named(cell, arm) for _, cell, arm in changed],
        players=[cell.kind.text for _, cell, _ in changed],
        verdict=[figure.verdict(estimate) for (figure, *_), estimate in changed.items()],
    )
    said: dict[tuple[str, str], dict[str, str]] = {}
    for row in frame.itertuples():
        said.setdefault((row.figure, row.deck), {})[row.players] = row.verdict
    shown = pd.DataFrame([{"figure": figure, "deck": deck, **each} for (figure, deck), each in said.items()])
    title = say("What other decks change for each kind of player, {label}", label=label)
    return Table("decks_changes", title, frame, "Against the deck as played; the download has the numbers.", shown)


def with_decks_named(main: Cell, table: Table) -> Table:
    """Return a table that shows its decks as they are called on the page, of the main variant and players alone."""
    own = table.frame[(table.frame["variant"] == main.label) & (table.frame["players"] == main.kind.text)]
    note = say("{name}; the download has all variants and kinds of player.", name=main.name)
    shown = own.drop(columns=["players", "variant"]).assign(arm=[deck_named(main, arm) for arm in own["arm"]])
    return replace(table, shown=shown, note=" ".join(filter(None, [say(table.note), note])))


def deck_words(main: Cell, arm: str, changed: Mapping[Figure, Estimate]) -> str:
    """Return what another deck changes in some figures, as a sentence."""
    told = [
        say(
            CHANGED.get(figure.verdict(estimate), "hardly changes {figure}: {change}"),
            figure=figure.label,
            change=figure.change_text(estimate),
        )
        for figure, estimate in changed.items()
    ]
    return say("A deck with {deck} {told} ({name}).", deck=deck_named(main, arm), told=joined(told), name=main.name)


CHANGED = {  # by verdict; any other is that there is no difference that matters
    "higher": "raises {figure}: {change}",
    "lower": "lowers {figure}: {change}",
    "undecided": "leaves it undecided whether it changes {figure}: {change}",
    "exactly the same": "doesn't change {figure} at all: {change}",
}


def power_words(main: Cell) -> str:
    """Return how often specials have power and lock a trick."""
    return say(
        "As played, {power} of the specials that are played have power, and they lock {locks} of tricks ({name}).",
        power=POWER.text(main.figure(POWER)),
        locks=LOCKS.text(main.figure(LOCKS)),
        name=main.name,
    )


def change_chart(key: str, figure: Figure, changed: Mapping[tuple[Cell, str], Estimate], label: str = "") -> Chart:
    """Return what each deck changes in a figure, drawn for the variant of this label; without one, for all of one deck.

    The download has all variants.
    """
    shown = {(cell, arm): made for (cell, arm), made in changed.items() if label in ("", cell.label)}
    kinds = [cell.kind.text for cell, _ in shown]
    named = [deck_named(cell, arm) for cell, arm in shown]
    chart = dots(
        key,
        say("What other decks change: {figure}", figure=figure.label),
        [cell for cell, _ in shown],
        list(shown.values()),
        "Differences from the deck as played; all intervals hold together.",
        labels=named if label else [cell.label for cell, _ in shown],
        percent="points" if figure.percent else False,
        reference=0,
        reference_label="as played",
        x_label=say("change of {figure}", figure=figure.label),
    )
    frame = frame_of(
        list(changed.values()),
        deck=[deck_named(cell, arm) for cell, arm in changed],
        variant=[cell.label for cell, _ in changed],
        players=[cell.kind.text for cell, _ in changed],
    )
    drawn = frame_of(list(shown.values()), deck=named, players=kinds) if label else None
    title = say("{title}, {label}", title=chart.title, label=label or named[0])
    return replace(chart, title=title, table=replace(chart.table, frame=frame, shown=drawn))
