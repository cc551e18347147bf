"""What is each card worth to hold, and what does one copy more or fewer of it do to the game?

Cards are dealt by chance, so a seat that was dealt one copy more of a card differs from its table by nothing else: what
it gets more than the others is the card's worth, over an average card. Other games are played with one copy more, or
fewer, of the lowest, the middle and the highest rank in each colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simlib.cards import LETTERS
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import listed
from simlib.experiments import Plan, Request, variants_of
from simlib.figures import cardgrid, charts
from simlib.findings import Chart, Finding, Headline, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, win_shares
from simlib.results import Results
from simlib.survey import (
    DECENT,
    MAIN,
    PLAYED,
    POINTS_APART,
    STRONG,
    WEAK,
    WHOLE,
    Cell,
    Figure,
    Survey,
    across,
    by_words,
    changes,
    dots,
    headline,
    joined,
    kinds_named,
    main_cell,
    of_decent,
    pictured,
    plan_of,
    row_columns,
    seats_of,
    sentence,
    tables,
    unit_of,
    variants_by_seats,
)
from simlib.variants import Variant

if TYPE_CHECKING:
    from simlib.batch import Played

GAME = "all"
TITLE = "What is each card worth?"
GAMES = 25_000
SPECIAL = 0  # stands for the rank of a special
MORE = "more"  # a copy, in an arm's name

POINTS = Figure("points a seat and game", "points", "seats", unit="points", matters=0.1)
GAP = Figure("first less last, points a game", "gap", "units", unit="points", matters=0.1)
TIES = Figure("games with a shared win", "tied", percent=True, chance=True, matters=0.01)
ENDS = (POINTS, GAP, TIES)
GAME_COUNTS = ("points", "seats", "gap", "units", "tied")
GLOSSARY = [
    ("worth", "what a seat dealt one copy more gets more than the rest of its table, over an average other card"),
    ("win share", "1 for the sole winner of a game, 1 / k for each of k tied winners"),
    ("trump", "in Take-Trick the cards of the rank that beats all others in that game; a rank stands for other games"),
    ("special", "in Gara-tori a card without a rank, one in each colour"),
    ("clear", "with an interval on one side of zero, where all intervals of the comparison hold together"),
    ("first less last", "the highest score of a game less its lowest"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


class Role(NamedTuple):
    """Whose result a dealt card is measured by."""

    name: str
    shift: int  # how many seats to the left of the one that the card is dealt to
    text: str


OWN = Role("own", 0, "the seat it is dealt to")
MAKER = Role("own", 0, "the seat it is dealt to, which bids and hands it on")
HOLDER = Role("next", 1, "the left neighbour, who plays it")


def roles_of(variant: Variant) -> tuple[Role, ...]:
    """Return whose results count: in Suppose the seat that a hand is dealt to doesn't play it."""
    return (MAKER, HOLDER) if variant.game == "suppose" else (OWN,)


# ---- cards ---------------------------------------------------------------------------------------------------------


def ranks_of(variant: Variant) -> int:
    """Return the highest rank of the deck."""
    return len(variant.parameters.deck.copies[0])


def specials_of(variant: Variant) -> int:
    """Return the number of specials in each colour."""
    return int(getattr(variant.parameters.deck, "specials", 0))


def has_trump(variant: Variant) -> bool:
    """Tell whether the game draws a rank that beats the others."""
    return hasattr(variant.parameters, "trump")


def kinds_of_card(variant: Variant) -> dict[int, str]:
    """Return the name of each kind of card in the deck by its number: its rank, SPECIAL, or one above for a trump."""
    present = [rank for rank in range(1, ranks_of(variant) + 1) if any(row[rank - 1] for row in _copies(variant))]
    named = {SPECIAL: "special"} if specials_of(variant) else {}
    named |= {rank: str(rank) for rank in present}
    return named | ({ranks_of(variant) + 1: "trump"} if has_trump(variant) else {})


def _copies(variant: Variant) -> list[list[int]]:
    copies: list[list[int]] = variant.parameters.deck.copies
    return copies


def sorted_ranks(variant: Variant) -> np.ndarray:
    """Return the rank of each card of the sorted deck, colour by colour."""
    ranks = np.arange(ranks_of(variant) + 1)
    return np.concatenate([np.repeat(ranks, [specials_of(variant), *row]) for row in _copies(variant)])


def dealt(games: Played, variant: Variant) -> np.ndarray:
    """Return how many cards of each kind each seat was dealt, (games, rounds, seats, kinds) int."""
    seats, size, kinds = seats_of(variant), int(variant.parameters.hand.size), ranks_of(variant) + 2
    places = games.secrets["deck"][:, :, : seats * size]
    cards = sorted_ranks(variant)[places].reshape(*places.shape[:2], seats, size)
    if has_trump(variant):
        trump = games.tables["trump"][:, :, None, None] + 1
        cards = np.where(cards == trump, kinds - 1, cards)
    hand = np.arange(cards[..., 0].size).reshape(*cards.shape[:3], 1)
    counted = np.bincount((hand * kinds + cards).ravel(), minlength=hand.size * kinds)
    return counted.reshape(*cards.shape[:3], kinds)


# ---- what is counted -----------------------------------------------------------------------------------------------


def held_names(variant: Variant) -> list[str]:
    """Return the names of what `count_held` counts."""
    kinds = kinds_of_card(variant)
    worths = [f"{result}_{role.name}" for role in roles_of(variant) for result in ("points", "share")]
    return [f"{name}_{kind}" for name in ("spread", *worths) for kind in kinds]


def count_held(games: Played, variant: Variant) -> dict[str, np.ndarray]:
    """Return what cards do for the seats they were dealt to, within each round.

    Returns
    -------
    dict of (games,) int
        For each kind of card, summed over rounds: ``spread``, players times the sum of squares of the number dealt
        to a seat, less the round's mean; for each role ``points`` and ``share``, the same of its products with the
        role's points of the round and win share of the game. Their ratio is the slope of least squares within rounds.
    """
    seats = seats_of(variant)
    closed = games.tables["round"] > np.arange(games.tables.shape[1])  # a game may end before its last round
    hands = dealt(games, variant) * closed[:, :, None, None]
    spread = seats * (hands * hands).sum(axis=(1, 2)) - (hands.sum(axis=2) ** 2).sum(axis=1)
    found = {f"spread_{kind}": spread[:, kind] for kind in kinds_of_card(variant)}
    for name, result in results(games, variant).items():
        ahead = seats * result - result.sum(axis=2, keepdims=True)
        for role in roles_of(variant):
            gains = np.einsum("grsk,grs->gk", hands, np.roll(ahead, -role.shift, axis=2))
            found |= {f"{name}_{role.name}_{kind}": gains[:, kind] for kind in kinds_of_card(variant)}
    return found


def results(games: Played, variant: Variant) -> dict[str, np.ndarray]:
    """Return each seat's points of each round, and its share of the win, (games, rounds, seats) int."""
    scores = games.tables["scores"][:, :, : seats_of(variant)]
    wins = games.rows[:, columns_starting(_column(variant), "win_")].astype(np.int64)
    shares = win_shares(wins, WHOLE)[:, None, :]
    return {"points": np.diff(scores, axis=1, prepend=0), "share": np.broadcast_to(shares, scores.shape)}


def _column(variant: Variant) -> dict[str, int]:
    return row_columns(variant)


def count_ends(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return what is counted of each game as a whole, by GAME_COUNTS."""
    column, ones = _column(variant), np.ones(len(rows), np.int64)
    scores, wins = (rows[:, columns_starting(column, name)] for name in ("score_", "win_"))
    return {
        "points": scores.sum(axis=1),
        "seats": ones * scores.shape[1] * unit_of(variant),
        "gap": scores.max(axis=1) - scores.min(axis=1),
        "units": ones * unit_of(variant),
        "tied": wins.sum(axis=1) > 1,
    }


def worth(variant: Variant, kind: int, role: Role, result: str = "points") -> Figure:
    """Return what a kind of card is worth to a role, as a figure."""
    names = (f"{result}_{role.name}_{kind}", f"spread_{kind}")
    card = kinds_of_card(variant)[kind]
    if result == "points":
        label = say("points that one {card} adds", card=card)
        return Figure(label, *names, 1 / unit_of(variant), unit="points", matters=0.02)
    label = say("win share that one {card} adds", card=card)
    return Figure(label, *names, 1 / WHOLE, percent=True, unit=POINTS_APART, matters=0.002)


# ---- plan ----------------------------------------------------------------------------------------------------------


def arms(variant: Variant) -> dict[str, Variant]:
    """Return the variant, and with one copy more or fewer, in each colour, of its lowest, middle and highest rank."""
    present = [rank for rank, name in kinds_of_card(variant).items() if name == str(rank)]
    chosen = dict.fromkeys((present[0], present[(len(present) - 1) // 2], present[-1]))
    made = {PLAYED: variant}
    for rank in chosen:
        for more, word in ((1, MORE), (-1, "fewer")):
            try:
                made[f"one {rank} {word}"] = with_copies(variant, rank, more)
            except BadInput:  # such as too few cards for the hands
                continue
    return made


def with_copies(variant: Variant, rank: int, more: int) -> Variant:
    """Return a variant with more copies, or fewer, of a rank in each colour that has it."""
    game, copies = game_named(variant.game), [list(row) for row in _copies(variant)]
    for row in copies:
        row[rank - 1] += more if row[rank - 1] else 0
    letters = getattr(game.module("parameters"), "LETTERS", LETTERS)
    table = dict(zip(letters, copies, strict=False))
    return make_variant(game, settings=variant.flat() | {"deck.copies": table})


HELD = Survey(held_names, count_held, whole=True, key="held")
DECKS = Survey(
    lambda variant: GAME_COUNTS, count_ends, arms, kinds=(WEAK, DECENT, STRONG), thin=2, key="decks", shows=POINTS
)
TOP_CARD = Figure("points that a card of the highest rank adds, for who plays it", "gains", "spread", unit="points")


def count_top(games: Played, variant: Variant) -> dict[str, np.ndarray]:
    """Return what `worth` of the highest rank is made of, for the seat that plays the card."""
    counts, role, rank = count_held(games, variant), roles_of(variant)[-1], ranks_of(variant)
    return {"gains": counts[f"points_{role.name}_{rank}"], "spread": counts[f"spread_{rank}"] * unit_of(variant)}


MEASURES = Measured(count_top, {"highest_card_worth": TOP_CARD}, whole=True)


def plan(request: Request) -> Plan:
    """Return whole games of each game with their deals, and others with other decks."""
    counts = () if request.fixes("players") else (MAIN,)
    variants, left_out = variants_by_seats(request, GAME, counts)
    for variant in variants.values():
        if not any(name == str(rank) for rank, name in kinds_of_card(variant).items()):
            raise BadInput("deck.copies: card_worth needs cards with ranks (allowed: a copy of some card at least)")
    return plan_of((HELD, DECKS), variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what the highest and the lowest rank are worth in each game, then each card, then each deck."""
    held, ends, labels = HELD.cells(run), DECKS.cells(run), list(variants_of(run))
    own = {label: [cell for cell in held if cell.label == label] for label in labels}
    return [
        answer(own, tuple(run.facts["plan"]["left_out"])),
        *(cards(own[label], role) for label in labels for role in roles_of(own[label][0].variant)),
        *(copies([cell for cell in ends if cell.label == label]) for label in labels),
    ]


def headline_figure(run: Results) -> Headline:
    """Return what the highest rank of the first game is worth."""
    main = main_cell(HELD.cells(run))
    kind, role = highest(main.variant), roles_of(main.variant)[-1]
    label = say("points that one {card} adds for {role} ({name})", card=kind, role=role.text, name=main.name)
    return headline(label, main, worth(main.variant, kind, role))


def highest(variant: Variant) -> int:
    """Return the highest rank in the deck."""
    return max(rank for rank, name in kinds_of_card(variant).items() if name == str(rank))


def answer(games: Mapping[str, Sequence[Cell]], left_out: tuple[str, ...]) -> Finding:
    """Say what the highest rank of each game is worth to the seat that plays it."""
    cells = [cell for own in games.values() for cell in own]
    estimates = simultaneous([cell.figure(top_worth(cell)) for cell in cells])
    found, mains = dict(zip(cells, estimates, strict=True)), [main_cell(own) for own in games.values()]
    return Finding(
        "answer",
        say(" ").join(top_words(main, found[main]) for main in mains),
        text=tuple(
            say(
                "{game}, one {card}: {words}",
                game=own[0].title,
                card=highest(own[0].variant),
                words=across(own, [found[cell] for cell in own], top_worth(own[0]), AVERAGE),
            )
            for own in games.values()
        ),
        tiles=tuple(
            tile(say("{game}: {title}", game=main.title, title=top_worth(main).label), found[main], who(main))
            for main in mains
        ),
        charts=(top_chart(cells, estimates),),
        assumes=(
            *left_out,
            "A card takes the room of another one in a hand: its worth is over that of an average other card.",
            "Points are those of the round for which it was dealt. All cards of one rank count together, whatever "
            "their colour.",
            *(OWN_WORDS[game] for game in dict.fromkeys(main.variant.game for main in mains) if game in OWN_WORDS),
        ),
        picture=pictured(
            "top",
            [say("{game}: {title}", game=main.title, title=highest(main.variant)) for main in mains],
            [found[main] for main in mains],
            reference=0,
        ),
    )


def top_name(cell: Cell) -> str:
    """Return a game with the highest rank of its deck."""
    return say("{game}, one {card}", game=cell.title, card=highest(cell.variant))


def top_chart(cells: Sequence[Cell], estimates: Sequence[Estimate]) -> Chart:
    """Return what the highest rank is worth in every game, for every kind of player."""
    return dots(
        "top",
        "What one card of the highest rank adds",
        cells,
        estimates,
        "Points a round for the seat that plays it, over an average card; all intervals hold together.",
        labels=[top_name(cell) for cell in cells],
        reference=0,
        reference_label="an average card",
        x_label="points a round",
    )


AVERAGE = {"higher": "worth more than an average card", "lower": "worth less than an average card"}
OWN_WORDS = {
    "suppose": "Suppose: the hand dealt to a seat is played by its left neighbour; each card's worth is told for both.",
    "take_trick": "Take-Trick: a seat gives two of the cards that it is dealt to its neighbours before it plays; ranks "
    "stand for cards that aren't trump in that game.",
}


def top_worth(cell: Cell) -> Figure:
    """Return what the highest rank is worth to the seat that plays it."""
    return worth(cell.variant, highest(cell.variant), roles_of(cell.variant)[-1])


def top_words(main: Cell, found: Estimate) -> str:
    """Return what the highest rank is worth in one game, as a sentence."""
    return say(
        "{game}: {adds}, for {role} ({who}).",
        game=main.title,
        adds=adds(one(highest(main.variant)), top_worth(main), found),
        role=roles_of(main.variant)[-1].text,
        who=who(main),
    )


def who(cell: Cell) -> str:
    """Return who plays in a cell; its game is told besides."""
    return say("{players}, {count} players", players=cell.kind.text, count=seats_of(cell.variant))


def one(card: str | int) -> str:
    """Return one card of a kind as a phrase."""
    return say("one {card}", card=card)


def adds(card: str, figure: Figure, estimate: Estimate) -> str:
    """Return what a card does to a result, in words."""
    verdict = figure.verdict(estimate)
    if verdict == "higher":
        return say("{card} adds {points}", card=card, points=figure.change_text(estimate))
    if verdict == "lower":
        return say("{card} costs {points}", card=card, points=figure.change_text(estimate.negated()))
    return say(
        "what {card} adds is {verdict}: {points}",
        card=card,
        verdict=verdict,
        points=figure.change_text(estimate),
    )


def cards(cells: Sequence[Cell], role: Role) -> Finding:
    """Say which cards are clearly worth more, or less, than an average one to a role, and for whom."""
    main = main_cell(cells)
    points, shares = worths(cells, role, "points"), worths(cells, role, "share")
    named = kinds_of_card(main.variant)
    return Finding(
        f"{main.variant.game}_{role.name}",
        say(
            "{game}, points for {role}: {words} ({who}).",
            game=main.title,
            role=role.text,
            words=clear_words(named, points[main]),
            who=who(main),
        ),
        text=(
            *odd_words(cells, role, points),
            say("Win share, {who}: {words}.", who=who(main), words=clear_words(named, shares[main])),
            *(
                say("Points, {who}: {words}.", who=who(cell), words=clear_words(named, points[cell]))
                for cell in cells
                if cell != main
            ),
            flips_words(named, points),
        ),
        charts=(
            cards_chart(main, role, points[main]),
            worth_chart(cells, role, points, say("points a round that one more adds, {role}", role=role.text)),
            worth_chart(cells, role, shares, say("win share that one more adds, {role}", role=role.text), percent=True),
        ),
        title=say(ROLE_TITLES[role.name], game=main.title),
    )


ROLE_TITLES = {"own": "{game}: each card dealt", "next": "{game}: each card played"}


def worths(cells: Sequence[Cell], role: Role, result: str) -> dict[Cell, dict[int, Estimate]]:
    """Return what each kind of card is worth in each cell, with intervals that all hold together."""
    kinds = list(kinds_of_card(cells[0].variant))
    keys = [(cell, kind) for cell in cells for kind in kinds]
    made = simultaneous([cell.figure(worth(cell.variant, kind, role, result)) for cell, kind in keys])
    found: dict[Cell, dict[int, Estimate]] = {cell: {} for cell in cells}
    for (cell, kind), estimate in zip(keys, made, strict=True):
        found[cell][kind] = estimate
    return found


def clear_words(named: Mapping[int, str], found: Mapping[int, Estimate]) -> str:
    """Return which cards are clearly worth more or less than an average one, and which aren't told apart from it.

    Examples
    --------
    >>> up, level = Estimate(1, 0.5, 1.5, 9, ""), Estimate(0, -0.5, 0.5, 9, "")
    >>> clear_words({0: "special", 1: "1", 2: "2", 3: "3"}, {0: up, 1: level, 2: up, 3: up})
    'worth more than an average card: special, 2 and 3; undecided: 1'
    """
    texts = {1: "worth more than an average card", -1: "worth less", 0: "undecided"}
    told = {sign: [kind for kind, estimate in found.items() if estimate.sign == sign] for sign in texts}
    return say("; ").join(
        say("{words}: {cards}", words=texts[sign], cards=runs(named, kinds)) for sign, kinds in told.items() if kinds
    )


def runs(named: Mapping[int, str], kinds: Sequence[int]) -> str:
    """Return kinds of card as a phrase, ranks that follow each other in short.

    Examples
    --------
    >>> runs({0: "special", 1: "1", 2: "2", 3: "3", 4: "4", 6: "6"}, [0, 1, 2, 3, 6])
    'special, 1 to 3 and 6'
    """
    parts = []
    ranks = [kind for kind in kinds if named[kind] == str(kind)]
    for _, run in groupby(enumerate(ranks), lambda pair: pair[1] - pair[0]):
        first, *rest = [rank for _, rank in run]
        run_of_ranks = [say("{low} to {high}", low=first, high=rest[-1])] if len(rest) > 1 else []
        parts += run_of_ranks or [str(rank) for rank in (first, *rest)]
    others = [named[kind] for kind in kinds if kind not in ranks]
    return joined([*others, *parts])


def odd_words(cells: Sequence[Cell], role: Role, found: Mapping[Cell, Mapping[int, Estimate]]) -> tuple[str, ...]:
    """Return what cards that aren't just a rank are worth, and for which kinds of player."""
    main, named = main_cell(cells), kinds_of_card(cells[0].variant)
    return tuple(
        say(
            "{adds} ({who}). {words}",
            adds=sentence(adds(one(name), figure, found[main][kind])),
            who=who(main),
            words=across(cells, [found[cell][kind] for cell in cells], figure, AVERAGE),
        )
        for kind, name in named.items()
        if not name.isdigit()
        for figure in [worth(main.variant, kind, role)]
    )


def flips_words(named: Mapping[int, str], found: Mapping[Cell, Mapping[int, Estimate]]) -> str:
    """Return which cards are clearly good for some kinds of player and clearly bad for others, as a sentence."""
    signs = {kind: {cell: each[kind].sign for cell, each in found.items()} for kind in named}
    flipped = [kind for kind, by_cell in signs.items() if {1, -1} <= set(by_cell.values())]
    if not flipped:
        return say(
            "No card is clearly good for one kind of player and bad for another: {kinds}.",
            kinds=kinds_named(cell.kind for cell in found),
        )
    told = say("; ").join(
        say(
            "{card} is worth more for {good}, less for {bad}",
            card=named[kind],
            good=kinds_named(cell.kind for cell, sign in signs[kind].items() if sign > 0),
            bad=kinds_named(cell.kind for cell, sign in signs[kind].items() if sign < 0),
        )
        for kind in flipped
    )
    return say("It flips: {told}.", told=told)


def cards_chart(main: Cell, role: Role, found: Mapping[int, Estimate]) -> Chart:
    """Return what each card is worth in points to a role, on the cards themselves."""
    key, named = f"cards_{main.variant.game}_{role.name}", kinds_of_card(main.variant)
    kinds = [kind for kind in named if found[kind].known]
    names, estimates = [named[kind] for kind in kinds], [found[kind] for kind in kinds]
    title = say("{game}: what each card adds, {role}", game=main.title, role=role.text)
    frame = frame_of(estimates, card=names)
    return Chart(
        key,
        title,
        cardgrid.card_grid(frame, column="card"),
        say("Cards with points and intervals: {told}.", told=listed(names, estimates)),
        say("Points a round that one more of a card adds, over an average card ({who}).", who=who(main)),
        Table(key, title, frame),
    )


def worth_chart(
    cells: Sequence[Cell],
    role: Role,
    found: Mapping[Cell, Mapping[int, Estimate]],
    title: str,
    *,
    percent: bool = False,
) -> Chart:
    """Return what each rank is worth for each kind of player; the table holds other cards, too."""
    variant = cells[0].variant
    named = kinds_of_card(variant)
    keys = [(cell, kind) for cell in cells for kind in named if found[cell][kind].known]
    estimates = [found[cell][kind] for cell, kind in keys]
    players, names = [cell.kind.text for cell, _ in keys], [named[kind] for _, kind in keys]
    frame = frame_of(estimates, players=players, card=names)
    ranks = frame.assign(rank=[kind for _, kind in keys])[np.array([name.isdigit() for name in names], bool)]
    title = say("{label}: {title}", label=cells[0].label, title=title)
    labels = [say("{players}, {card}", players=player, card=card) for player, card in zip(players, names, strict=True)]
    return Chart(
        f"{'wins' if percent else 'points'}_{variant.game}_{role.name}",
        title,
        charts.curve(
            ranks,
            x="rank",
            line="players",
            reference=0,
            x_label="rank",
            y_label="win share" if percent else "points a round",
            percent="points" if percent else False,
        ),
        say(
            "A line with a band for each kind of player, by rank: {told}.",
            told=listed(labels, estimates, percent=percent),
        ),
        "Seats dealt one more against the rest of their table, over an average card (0); all intervals hold together.",
        Table(f"{'wins' if percent else 'points'}_{variant.game}_{role.name}", title, frame),
    )


# ---- one copy more or fewer ----------------------------------------------------------------------------------------


def copies(cells: Sequence[Cell]) -> Finding:
    """Say what one copy more or fewer of some ranks changes in the game as a whole."""
    main = main_cell(cells)
    others = [arm for arm in main.arms if arm != PLAYED]
    if not others:
        return Finding(
            f"{main.variant.game}_copies", say("{label}: no other number of copies can be dealt.", label=main.label)
        )
    found = {figure: changes(cells, figure, others) for figure in ENDS}
    shown = next((arm for arm in others if arm == f"one {highest(main.variant)} more"), others[-1])
    return Finding(
        f"{main.variant.game}_copies",
        say(
            "{game}, {told}",
            game=main.title,
            told=copies_words(main, shown, {POINTS: found[POINTS][main, shown]}),
        ),
        text=tuple(
            say("{figure}, {words}", figure=sentence(figure.label), words=words)
            for figure, changed in found.items()
            for words in by_words(
                {arm_words(arm): across(cells, [changed[cell, arm] for cell in cells], figure) for arm in others}
            )
        ),
        charts=tuple(copies_chart(figure, found[figure]) for figure in (POINTS, GAP)),
        tables=tuple(ends_table(main, table) for table in tables(cells, ENDS, list(main.arms))),
        assumes=("A single copy, in one colour alone, changes about as much less as there are colours.",),
        title=say("{game}: one more copy", game=main.title),
    )


def arm_words(arm: str) -> str:
    """Return an arm as a phrase."""
    if arm == PLAYED:
        return arm
    _, rank, change = arm.split()
    return say("one {rank} more" if change == MORE else "one {rank} fewer", rank=rank)


def ends_table(main: Cell, table: Table) -> Table:
    """Return a table of all arms as one of its game, which shows the players that the headline speaks of."""
    frame = table.frame.assign(arm=table.frame["arm"].map(arm_words)).drop(columns="variant")  # it is one variant's
    own = replace(
        table,
        key=f"{table.key}_{main.variant.game}",
        title=say("{game}: {title}", game=main.title, title=table.title),
        frame=frame,
    )
    return of_decent(own)


def copies_words(main: Cell, arm: str, changed: Mapping[Figure, Estimate]) -> str:
    """Return what another number of copies changes in some figures, as the rest of a sentence."""
    told = [
        say(
            "{figure}, {verdict}: {change}",
            figure=figure.label,
            verdict=figure.verdict(change),
            change=figure.change_text(change),
        )
        for figure, change in changed.items()
    ]
    return say(
        "{arm} in each colour: {told} ({who}).",
        arm=arm_words(arm),
        told=say("; ").join(told),
        who=who(main),
    )


def copies_chart(figure: Figure, changed: Mapping[tuple[Cell, str], Estimate]) -> Chart:
    """Return what each deck changes in a figure."""
    cells = [cell for cell, _ in changed]
    return dots(
        f"copies_{figure.top}_{cells[0].variant.game}",
        say(
            "{label}, what one copy more or fewer in each colour changes: {figure}",
            label=cells[0].label,
            figure=figure.label,
        ),
        cells,
        list(changed.values()),
        "Differences from the deck as played; all intervals hold together.",
        labels=[arm_words(arm) for _, arm in changed],
        percent=figure.percent,
        reference=0,
        reference_label="as played",
        x_label=say("change of {figure}", figure=figure.label),
    )
