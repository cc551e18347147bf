"""How strong are Take-Trick's trumps, and does it matter which rank is trump?

The same deals are played with each trump rank in turn, and with the other way to read the sheet's deck: ranks 1 to 6
in three copies, or 1 to 9 in two. Counted are tricks won by trumps, extra cards, points, gifts and the game's length.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import listed, text
from simlib.experiments import Plan, Request
from simlib.figures import small
from simlib.findings import Chart, Finding, Headline, Picture, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.games.take_trick.parameters import PRESETS
from simlib.games.take_trick.rules import columns
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, numbered
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    Cell,
    Figure,
    Survey,
    across,
    by_label,
    by_words,
    changes,
    curves,
    dots,
    headline,
    joined,
    main_cell,
    pictured,
    sentence,
    tables_abreast,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "take_trick"
TITLE = "Take-Trick: does the trump's rank matter?"
GAMES = 7_000
DECK_KEYS = ("deck.preset", "deck.ranks", "deck.copies", "trump.ranks")
WON = Figure("tricks won by a trump", "trump_wins", "tricks", percent=True, matters=0.01)
EXTRAS = Figure("extra cards a round", "extras", "rounds", unit="cards", matters=0.1)
MISSING = Figure("extra cards that there were none for, of all due", "missing", "due", percent=True, matters=0.005)
POINTS = Figure("points a seat and round", "points", "seat_rounds", unit="points", matters=0.15)
LENGTH = Figure("rounds a game", "rounds", unit="rounds", matters=0.03)
REACHED = Figure("games that reach the target", "reached", percent=True, chance=True, matters=0.02)
GIFTS = Figure("gifts offered a round", "gifts", "rounds", unit="gifts", matters=0.1)
LAST = Figure("tricks won by the last seat to play", "last", "tricks", percent=True, matters=0.01)
FIRST = Figure("tricks won by the leader", "first", "tricks", percent=True, matters=0.01)
FIGURES = (WON, EXTRAS, MISSING, POINTS, LENGTH, REACHED, GIFTS, FIRST, LAST)
BESIDES = (POINTS, EXTRAS, GIFTS, LENGTH)  # what the trump's rank might change besides tricks won by trumps
GLOSSARY = [
    ("trump", "a rank drawn for the whole game; its cards beat all others, whatever their colour, the earliest first"),
    ("extra card", "what a winning trump captures besides itself, from the pile or the trick"),
    ("six, nine", "two ways to read the sheet's 18 cards a colour: ranks 1 to 6 in three copies, or 1 to 9 in two"),
    ("strength", "the share of tricks won by trumps, over the share of cards that are trumps"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- what is played and counted ------------------------------------------------------------------------------------


def arms_of(variant: Variant) -> dict[str, Variant]:
    """Return the variant as it is, with each of its trump ranks alone, and with the other deck, if it has one."""
    found = {PLAYED: variant} | by_rank(variant, "trump")
    other = other_deck(variant)
    if other:
        found |= {deck_arm(other): other} | by_rank(other, f"{other.parameters.deck.preset}, trump")
    return found


def by_rank(variant: Variant, name: str) -> dict[str, Variant]:
    """Return a variant with each of its trump ranks alone, if there are several."""
    ranks, flat = variant.parameters.trump.ranks, variant.flat()
    if len(ranks) < 2:
        return {}
    return {f"{name} {rank}": make_variant(game_named(GAME), settings=flat | {"trump.ranks": [rank]}) for rank in ranks}


def other_deck(variant: Variant) -> Variant | None:
    """Return the variant with the other preset's deck and trumps; None where it has no preset's."""
    if preset_of(variant) is None:
        return None
    other = next(name for name in PRESETS if name != preset_of(variant))
    kept = {key: value for key, value in variant.flat().items() if key not in DECK_KEYS}
    return make_variant(game_named(GAME), settings=kept | {"deck.preset": other})


def preset_of(variant: Variant) -> str | None:
    """Return the name of the preset that has a variant's deck and trumps, if any."""
    deck, ranks = variant.parameters.deck, tuple(variant.parameters.trump.ranks)
    for name, preset in PRESETS.items():
        if deck.copies == [[preset.copies] * preset.ranks] * deck.colours and ranks == preset.trumps:
            return name
    return None


def deck_arm(other: Variant) -> str:
    """Return what the arm with another deck is called."""
    return f"deck {other.parameters.deck.preset}"


def deck_named(arm: str) -> str:
    """Return the arm with another deck as a phrase."""
    return say("deck {preset}", preset=arm.partition(" ")[2])


def rank_arms(cell: Cell, start: str = "trump") -> list[str]:
    """Return the arms of a cell with one trump rank each."""
    return [arm for arm in cell.arms if arm.startswith(start)]


def rank_named(cell: Cell, arm: str) -> str:
    """Return an arm with one trump rank as a phrase."""
    return say("trump {rank}", rank=cell.arms[arm].parameters.trump.ranks[0])


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return each game's tricks, those that trumps won, extra cards, points and length."""
    parameters = variant.parameters
    column, wide = numbered(columns(parameters)), rows.astype(np.int64)
    scores = wide[:, columns_starting(column, "score_")]
    taken, missing = wide[:, column["extras_taken"]], wide[:, column["extras_missing"]]
    return {
        "trump_wins": wide[:, column["trump_wins"]],
        "tricks": wide[:, column["leader_plays"]],
        "rounds": wide[:, column["rounds"]],
        "extras": taken,
        "missing": missing,
        "due": taken + missing,
        "points": scores.sum(axis=1),
        "seat_rounds": wide[:, column["rounds"]] * parameters.players,
        "reached": scores.max(axis=1) >= parameters.score.target,
        "gifts": wide[:, column["gifts_offered"]],
        "first": wide[:, column["won_from_place_0"]],
        "last": wide[:, column[f"won_from_place_{parameters.players - 1}"]],
    }


NAMES = (
    "trump_wins", "tricks", "rounds", "extras", "missing", "due", "points", "seat_rounds", "reached", "gifts", "first",
    "last",
)  # fmt: skip
SURVEY = Survey(lambda variant: NAMES, count, arms_of, thin=0.6, main_alone=True, shows=WON)
MEASURES = Measured(
    count,
    {"trump_wins": WON, "extra_cards_a_round": EXTRAS, "extra_cards_missing": MISSING, "tricks_of_last_seat": LAST},
)


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats, with each trump rank and deck.

    Raises
    ------
    BadInput
        If there is but one trump rank, and no other deck to compare it with.
    """
    variants, left_out = variants_by_seats(request, GAME)
    some = next(iter(variants.values()))
    ranks = some.parameters.trump.ranks
    if len(ranks) < 2:
        raise BadInput(f"trump.ranks = {ranks}: one trump rank leaves nothing to compare; at least 2 are needed")
    if preset_of(some) is None:
        left_out = [*left_out, f"Decks are not compared: deck and trumps are none of {joined(list(PRESETS))}."]
    return SURVEY.plan(variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return how strong trumps are, what their rank changes besides, and what the other deck changes."""
    cells = SURVEY.cells(run)
    found = [answer(cells, tuple(run.facts["plan"]["left_out"])), ranks_besides(cells)]
    return [*found, decks(cells)] if deck_of(cells[0]) else found


def headline_figure(run: Results) -> Headline:
    """Return how many tricks trumps win."""
    main = main_cell(SURVEY.cells(run))
    return headline(say("{figure} ({name})", figure=WON.label, name=main.name), main, WON)


def deck_of(cell: Cell) -> str:
    """Return the arm with the other deck; empty where there is none."""
    return next((arm for arm in cell.arms if arm.startswith("deck")), "")


def trump_share(variant: Variant) -> float:
    """Return the share of cards that are trumps, a mean over the trump ranks."""
    parameters = variant.parameters
    copies = np.sum(parameters.deck.copies, axis=0)
    return float(copies[np.array(parameters.trump.ranks) - 1].mean() / copies.sum())


def strength(cell: Cell, arm: str = PLAYED) -> Estimate:
    """Return how many times their share of the cards trumps win of the tricks."""
    return cell.figure(WON, arm).scaled(1 / trump_share(cell.arms[arm]))


class Spread(NamedTuple):
    """The two trump ranks that differ most in a figure, as arms, and by how much."""

    least: str
    most: str
    change: Estimate


def spread(cell: Cell, figure: Figure) -> Spread:
    """Return the trump ranks with the least and the most; as if each pair were picked, so the pick makes none wrong."""
    pairs = list(combinations(rank_arms(cell), 2))
    made = simultaneous([cell.change(figure, high, low) for low, high in pairs])
    both = [Spread(low, high, change) for (low, high), change in zip(pairs, made, strict=True)]
    both += [Spread(high, low, change.negated()) for low, high, change in both]
    return max(both, key=lambda pair: np.nan_to_num(pair.change.value, nan=-np.inf))


def spread_words(cell: Cell, figure: Figure) -> str:
    """Return whether the trump's rank changes a figure, as a phrase."""
    least, most, change = spread(cell, figure)
    verdict = figure.verdict(change)
    return say(
        SPREAD_WORDS.get(verdict, ALIKE),
        verdict=verdict,
        most=rank_named(cell, most),
        least=rank_named(cell, least),
        size=figure.change_text(change),
    )


SPREAD_WORDS = {
    "higher": "most with {most}, {size} more than with {least}",
    "undecided": "undecided whether the rank matters: {most} and {least} differ most, by {size}",
}
ALIKE = "{verdict} between trump ranks: {most} and {least} differ most, by {size}"


def answer(cells: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say how many tricks trumps win, and whether their rank changes it."""
    main = main_cell(cells)
    return Finding(
        "answer",
        say(
            "Trumps win {won} of the tricks with {share:.3g} % of the cards; {ranks} ({name}).",
            won=WON.text(main.figure(WON)),
            share=100 * trump_share(main.variant),
            ranks=spread_words(main, WON),
            name=main.name,
        ),
        text=(
            say(
                "That is {times} their share of the cards ({name}).",
                times=text(strength(main), "times"),
                name=main.name,
            ),
            *trend_words(cells, WON),
        ),
        tiles=(
            tile("tricks won by a trump", main.figure(WON), main.name, percent=True),
            tile("strength, times their share", strength(main), main.name),
            tile("extra cards a round", main.figure(EXTRAS), main.name),
            tile("points a seat and round", main.figure(POINTS), main.name),
        ),
        charts=(
            rank_curve(cells, WON),
            dots(
                "won",
                "Tricks won by a trump",
                cells,
                [cell.figure(WON) for cell in cells],
                "The trump drawn as the variant says.",
                percent=True,
                x_label="tricks",
            ),
        ),
        tables=tables_abreast(cells, (MISSING, REACHED, FIRST, LAST)),
        assumes=(
            *left_out,
            "All seats are taken by players of one kind.",
            "Each trump rank is fixed in turn and plays the same deals; a trick is a trump's if a card of that rank "
            "wins it.",
        ),
        picture=ranks_picture(cells),
    )


def ranks_picture(cells: Sequence[Cell]) -> Picture:
    """Return how many tricks each trump rank wins as a small picture; a line where there are many ranks."""
    main = main_cell(cells)
    pairs = rank_pairs(cells)
    made = zip(pairs, simultaneous([cell.figure(WON, arm) for cell, arm in pairs]), strict=True)
    own = {arm: estimate for (cell, arm), estimate in made if cell is main}
    names = [rank_named(main, arm) for arm in own]
    if len(own) <= small.MOST_ROWS:
        return pictured("rank_trump_wins", names, list(own.values()), percent=True)
    ranks = [main.arms[arm].parameters.trump.ranks[0] for arm in own]
    figure = small.line(frame_of(list(own.values()), rank=ranks), x="rank", percent=True)
    alt = say("A line with its band: {figures}.", figures=listed(names, own.values(), percent=True))
    return Picture(figure, alt, "rank_trump_wins")


def trend_words(cells: Sequence[Cell], figure: Figure) -> tuple[str, ...]:
    """Return how a figure differs between the highest and the lowest trump rank, for all kinds of player."""
    lowest, *_, highest = rank_arms(cells[0])
    ends = {"highest": rank_named(cells[0], highest), "lowest": rank_named(cells[0], lowest)}
    words = {
        "higher": say("more with {highest} than with {lowest}", **ends),
        "lower": say("fewer with {highest} than with {lowest}", **ends),
    }
    trends = dict(zip(cells, simultaneous([cell.change(figure, highest, lowest) for cell in cells]), strict=True))
    said = {label: across(own, [trends[cell] for cell in own], figure, words) for label, own in by_label(cells).items()}
    return by_words(said, say("{figure}, ", figure=sentence(figure.label)))


def ranks_besides(cells: Sequence[Cell]) -> Finding:
    """Say what the trump's rank changes in points, extra cards, gifts and the game's length."""
    main = main_cell(cells)
    told = [
        say("{figure}: {words}.", figure=sentence(figure.label), words=spread_words(main, figure))
        for figure in BESIDES[1:]
    ]
    return Finding(
        "ranks",
        say(
            "A seat scores {value} a round: {words} ({name}).",
            value=POINTS.text(main.figure(POINTS)),
            words=spread_words(main, POINTS),
            name=main.name,
        ),
        text=(say("{told} ({name})", told=say(" ").join(told), name=main.name), *trend_words(cells, POINTS)),
        charts=tuple(rank_curve(cells, figure) for figure in BESIDES),
        title="Each rank",
    )


def decks(cells: Sequence[Cell]) -> Finding:
    """Say what the other way to read the deck changes."""
    main, deck = main_cell(cells), deck_of(cells[0])
    changed = {figure: changes(cells, figure, [deck]) for figure in FIGURES}
    here, there = str(preset_of(main.variant)), deck_named(deck)
    return Finding(
        "decks",
        say(
            "With {deck} instead of {here} trumps win {won} of the tricks: {change} ({name}).",
            deck=there,
            here=here,
            won=WON.text(main.figure(WON, deck)),
            change=change_words(WON, changed[WON][main, deck]),
            name=main.name,
        ),
        text=(
            say(
                "Trumps are {share:.3g} % of the cards then, and win {times} their share of the tricks ({name}).",
                share=100 * trump_share(main.arms[deck]),
                times=text(strength(main, deck), "times"),
                name=main.name,
            ),
            deck_words(main, there, {figure: changed[figure][main, deck] for figure in FIGURES}),
            *by_words(
                {
                    label: across(own, [changed[WON][cell, deck] for cell in own], WON)
                    for label, own in by_label(cells).items()
                },
                say("{figure}, {deck}, ", figure=sentence(WON.label), deck=there),
            ),
        ),
        charts=(
            deck_curve(cells, deck),
            *(
                dots(
                    f"deck_{figure.top}",
                    say("What {deck} changes: {figure}", deck=there, figure=figure.label),
                    cells,
                    [changed[figure][cell, deck] for cell in cells],
                    say("Difference from {deck}, paired by game; all intervals of a figure hold together.", deck=here),
                    percent="points" if figure.percent else False,
                    reference=0,
                    reference_label=here,
                    x_label=say("change of {figure}", figure=figure.label),
                )
                for figure in (WON, POINTS)
            ),
        ),
        assumes=("The decks' games share their random numbers, not their cards: their deals are different ones.",),
        title="The other deck",
    )


def deck_words(cell: Cell, deck: str, changed: dict[Figure, Estimate]) -> str:
    """Return what the other deck changes in all figures as a sentence."""
    told = [
        say("{figure}, {change}", figure=figure.label, change=change_words(figure, changed[figure]))
        for figure in FIGURES[1:]
    ]
    return say("What {deck} changes besides: {told} ({name}).", deck=deck, told=say("; ").join(told), name=cell.name)


def change_words(figure: Figure, change: Estimate) -> str:
    """Return a difference of a figure as a phrase."""
    verdict = figure.verdict(change)
    if verdict == "higher":
        return say("{size} more", size=figure.change_text(change))
    if verdict == "lower":
        return say("{size} less", size=figure.change_text(change.negated()))
    return say("{verdict}: {change}", verdict=verdict, change=figure.change_text(change))


def rank_curve(cells: Sequence[Cell], figure: Figure) -> Chart:
    """Return a figure against the trump rank for each kind of player, in the main variant."""
    main = main_cell(cells)
    pairs = rank_pairs(cells)
    lines = [cell.kind.text for cell, _ in pairs]
    title = say("{figure}, by trump rank ({label})", figure=sentence(figure.label), label=main.label)
    return curve_of(f"rank_{figure.top}", title, pairs, lines, figure)


def rank_pairs(cells: Sequence[Cell]) -> list[tuple[Cell, str]]:
    """Return each kind of player in the main variant with each trump rank."""
    return [(cell, arm) for cell in cells if cell.label == main_cell(cells).label for arm in rank_arms(cell)]


def deck_curve(cells: Sequence[Cell], deck: str) -> Chart:
    """Return tricks won by trumps against the trump rank in both decks, for decent players."""
    main = main_cell(cells)
    other = deck.partition(" ")[2]
    own, others = rank_arms(main), rank_arms(main, f"{other}, trump")
    pairs = [(main, arm) for arm in own + others]
    lines = [str(preset_of(main.variant))] * len(own) + [other] * len(others)
    title = say("{figure}, by deck and trump rank ({name})", figure=sentence(WON.label), name=main.name)
    return curve_of("decks", title, pairs, lines, WON)


def curve_of(key: str, title: str, pairs: Sequence[tuple[Cell, str]], lines: Sequence[str], figure: Figure) -> Chart:
    """Return a figure of some cells and arms against the trump rank of each."""
    return curves(
        key,
        title,
        lines,
        [cell.arms[arm].parameters.trump.ranks[0] for cell, arm in pairs],
        simultaneous([cell.figure(figure, arm) for cell, arm in pairs]),
        "The same deals with each trump rank; all bands hold together.",
        parameter="trump rank",
        percent=figure.percent,
        y_label=figure.label,
    )
