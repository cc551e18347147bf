"""How many cards of a colour are best in Take-Trick, where a sole majority pays nothing?

Each round that is scored is scored again with every other number of cards of a colour before a seat, all else as it
was played: points and wins by number of cards, paired, and what the next card would bring.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import listed
from simlib.experiments import Plan, Request
from simlib.figures import small
from simlib.findings import Chart, Finding, Headline, Picture, tile
from simlib.frames import frame_of
from simlib.games.take_trick.measures import bamboo, majority_points, winners
from simlib.games.take_trick.rules import columns
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, numbered, win_shares
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    WHOLE,
    Cell,
    Figure,
    Kind,
    Survey,
    across,
    by_label,
    by_words,
    curves,
    dots,
    headline,
    joined,
    kinds_named,
    main_cell,
    sentence,
    tables_abreast,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "take_trick"
TITLE = "Take-Trick: how many cards of a colour are best?"
GAMES = 40_000
MOST = 9  # cards of a colour that are tried; seats that hold more are counted with those that hold so many
TRIED = range(MOST + 1)
LEAST = 50  # seats that a number of cards must be held by to be drawn
ALONE = Figure("colours in which one seat alone has the most, and scores nothing", "alone", "colours", percent=True)
FORGONE = Figure("cards a round that score nothing as a sole majority", "alone_cards", "scored", unit="cards")
TIED_POINTS = Figure("of the majority scoring's points, tied for the most", "tied_points", "points", percent=True)
BELOW_TIED = Figure("of these points, level below the most", "below_tied", "points", percent=True)
BELOW_ALONE = Figure("of these points, with a count of one's own below the most", "below_alone", "points", percent=True)
MORE = Figure("points that one card more of a colour held brings", "more", "holdings", unit="points", matters=0.05)
FEWER = Figure("points that one card fewer of a colour held brings", "fewer", "holdings", unit="points", matters=0.05)
HELD = Figure("cards of a colour held", "cards", "holdings", unit="cards")
TABLED = (FORGONE, TIED_POINTS, BELOW_TIED, BELOW_ALONE, FEWER, HELD)
GLOSSARY = [
    ("sole majority", "more cards of a colour than every other seat has; it scores nothing"),
    ("tied majority", "the most cards of a colour, and at least one other seat has as many: each scores them all"),
    ("holding", "a colour of which a seat has at least one card when a round is scored"),
    ("instead", "a seat's cards of one colour are set to another number and the round is scored again"),
    ("last round", "the last that the rules allow, if no gift ended it: whatever it scores, the game is over"),
    ("not told apart", "from the best: the interval of the difference to it reaches 0"),
    ("win", "a win that several seats share counts by the share"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


NumberedFigure = Callable[[int], Figure]  # a figure for each number of cards


def points_with(cards: int) -> Figure:
    """Return the points that a seat would score in a colour with a number of cards instead of its own."""
    return Figure(f"points with {cards} cards", f"with_{cards}", "holdings", unit="points", matters=0.1)


def wins_with(cards: int) -> Figure:
    """Return the games that a seat would win with a number of cards of a colour instead in the last round."""
    return Figure(f"wins with {cards} cards", f"wins_{cards}", "last_holdings", 1 / WHOLE, percent=True, matters=0.01)


def points_held(cards: int) -> Figure:
    """Return the points that seats score in a colour of which they hold a number of cards."""
    return Figure(f"points of {cards} cards", f"got_{cards}", f"held_{cards}", unit="points")


def next_card(cards: int) -> Figure:
    """Return the points that one card more would bring seats that hold a number of cards."""
    return Figure(f"points of one more than {cards}", f"more_{cards}", f"held_{cards}", unit="points", matters=0.05)


# ---- what is counted -----------------------------------------------------------------------------------------------


def names(variant: Variant) -> list[str]:
    """Return the names of the counts."""
    plain = [
        "scored", "colours", "alone", "alone_cards", "points", "tied_points", "below_tied", "below_alone",
        "holdings", "cards", "more", "fewer", "last_holdings",
    ]  # fmt: skip
    by_cards = [f"{name}_{cards}" for name in ("with", "wins") for cards in TRIED]
    return plain + by_cards + [f"{name}_{cards}" for name in ("held", "got", "more") for cards in TRIED[1:]]


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return what each game's colours score, and would score with other numbers of cards."""
    parameters = variant.parameters
    column, wide = numbered(columns(parameters)), rows.astype(np.int64)
    counts = np.stack([bamboo(wide, column, at, parameters) for at in range(parameters.rounds.max)], axis=1)
    scored = rounds_scored(wide, column, parameters.rounds.max)
    return (
        majorities(counts, scored)
        | holdings(counts, scored)
        | last_round(wide, column, counts[:, -1], scored[:, -1], parameters.score.target)
    )


def rounds_scored(rows: np.ndarray, column: Mapping[str, int], most: int) -> np.ndarray:
    """Return which rounds the majority scoring scored, (games, rounds) bool: those played that no gift ended."""
    rounds, by_gift = (rows[:, column[name]][:, None] for name in ("rounds", "ended_by_gift"))
    return np.arange(most) < rounds - by_gift


def majorities(counts: np.ndarray, scored: np.ndarray) -> dict[str, np.ndarray]:
    """Return how often a colour has a sole or a tied majority, and which seats its points go to.

    Parameters
    ----------
    counts : (games, rounds, seats, colours) int
    scored : (games, rounds) bool
    """
    kept = counts * scored[:, :, None, None]
    most, level = kept.max(axis=2, keepdims=True), seats_level(kept)
    top = (kept == most) & (most > 0)
    alone, points = top & (level == 1), np.where(top & (level == 1), 0, kept * level)
    return {
        "scored": scored.sum(axis=1),
        "colours": (most > 0).sum(axis=(1, 2, 3)),
        "alone": alone.sum(axis=(1, 2, 3)),
        "alone_cards": (kept * alone).sum(axis=(1, 2, 3)),
        "points": points.sum(axis=(1, 2, 3)),
        "tied_points": (points * top).sum(axis=(1, 2, 3)),
        "below_tied": (points * ~top * (level > 1)).sum(axis=(1, 2, 3)),
        "below_alone": (points * ~top * (level == 1)).sum(axis=(1, 2, 3)),
    }


def seats_level(counts: np.ndarray) -> np.ndarray:
    """Return for each seat how many have as many cards of a colour, itself included."""
    return (counts[:, :, :, None] == counts[:, :, None]).sum(axis=3)


def holdings(counts: np.ndarray, scored: np.ndarray) -> dict[str, np.ndarray]:
    """Return what holdings score by their size, and would score with every other size; as `majorities`."""
    held = (counts > 0) & scored[:, :, None, None]
    rivals = most_of_others(counts)

    def points(cards: np.ndarray | int) -> np.ndarray:
        """Return what each seat would score with so many cards against what the others have."""
        size = np.broadcast_to(cards, counts.shape)
        others = (size[:, :, :, None] == counts[:, :, None]).sum(axis=3) - (size == counts)
        return np.where(held & (size <= rivals), size * (1 + others), 0)

    def total(values: np.ndarray) -> np.ndarray:
        return np.asarray(values.sum(axis=(1, 2, 3)))

    now, size = points(counts), np.minimum(counts, MOST) * held
    more = points(counts + 1) - now
    found = {
        "holdings": total(held),
        "cards": total(counts * held),
        "more": total(more),
        "fewer": total(points(counts - 1) - now),
    }
    for cards in TRIED[1:]:
        among = size == cards
        found |= {
            f"{name}_{cards}": total(among * by)
            for name, by in (("held", np.ones_like(now)), ("got", now), ("more", more))
        }
    return found | {f"with_{cards}": total(points(cards)) for cards in TRIED}


def most_of_others(counts: np.ndarray) -> np.ndarray:
    """Return for each seat the most cards of a colour that another one has."""
    seats = range(counts.shape[2])
    return np.stack([np.delete(counts, seat, axis=2).max(axis=2) for seat in seats], axis=2)


def last_round(
    rows: np.ndarray, column: dict[str, int], counts: np.ndarray, scored: np.ndarray, target: int
) -> dict[str, np.ndarray]:
    """Return the wins, in 1/WHOLE, of seats that hold a colour, had they other numbers of it in the last round.

    Parameters
    ----------
    counts : (games, seats, colours) int
        Of the last round that the rules allow.
    scored : (games,) bool
        Whether it was scored.
    """
    scores = rows[scored][:, columns_starting(column, "score_")]
    counts = counts[scored]
    seats, colours = counts.shape[1:]
    found = {name: np.zeros(len(rows), np.int64) for name in ("last_holdings", *(f"wins_{cards}" for cards in TRIED))}
    found["last_holdings"][scored] = (counts > 0).sum(axis=(1, 2))
    for colour in range(colours):
        own = counts[:, :, colour]
        rest = scores - majority_points(own[:, :, None])
        for seat in range(seats):
            held = own[:, seat] > 0
            for cards in TRIED:
                instead = own.copy()
                instead[:, seat] = cards
                won = winners(rest + majority_points(instead[:, :, None]), target)
                found[f"wins_{cards}"][scored] += win_shares(won.astype(np.int64), WHOLE)[:, seat] * held
    return found


SURVEY = Survey(names, count, thin=0.5, main_alone=True, shows=ALONE)
MEASURES = Measured(
    count, {"sole_majorities": ALONE, "points_of_tied_majorities": TIED_POINTS, "cards_of_a_colour": HELD}
)


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats."""
    variants, left_out = variants_by_seats(request, GAME)
    cards = min(variant.parameters.tricks for variant in variants.values())
    if cards < 2:
        raise BadInput(f"hand.size = {cards}: one trick leaves no choice of cards to win; at least 2 are needed")
    return SURVEY.plan(variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return the best number of cards, what it is as played, and who gets a majority's points."""
    cells = SURVEY.cells(run)
    return [answer(cells, tuple(run.facts["plan"]["left_out"])), winning(cells), one_more(cells), shared(cells)]


def headline_figure(run: Results) -> Headline:
    """Return how often a sole majority scores nothing."""
    main = main_cell(SURVEY.cells(run))
    return headline(say("{figure} ({name})", figure=ALONE.label, name=main.name), main, ALONE)


def answer(cells: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say how many cards of a colour score most against what the others hold."""
    main = main_cell(cells)
    best = best_number(main, points_with)
    return Finding(
        "answer",
        say(
            "{best} cards of a colour score most, {points} against what the others hold; in {alone} of the colours a "
            "sole majority scores nothing ({name}).",
            best=sentence(best_words(best)),
            points=points_with(0).text(best.estimate),
            alone=ALONE.text(main.figure(ALONE)),
            name=main.name,
        ),
        text=numbers_by_label(cells, points_with),
        tiles=(
            tile(say("points with {cards} cards of a colour", cards=best.cards), best.estimate, main.name),
            tile("colours with a sole majority", main.figure(ALONE), main.name, percent=True),
            tile("cards of a colour held", main.figure(HELD), main.name),
            tile("points that one card more brings", main.figure(MORE), main.name),
        ),
        charts=(
            by_cards(
                "with",
                "Points in a colour with other numbers of cards instead",
                cells,
                points_with,
                TRIED,
                "Colours that a seat holds, scored again with each number of cards before it, those of the others as "
                "they were. All bands hold together.",
            ),
            by_cards(
                "held",
                "Points in a colour by cards held, as played",
                cells,
                points_held,
                TRIED[1:],
                say(
                    "Who holds more is more often alone with the most. {most} stands for more, too; numbers that fewer "
                    "than {least} seats held are left out.",
                    most=MOST,
                    least=LEAST,
                ),
            ),
        ),
        assumes=(
            *left_out,
            "All seats are taken by players of one kind.",
            say(
                "Cards instead come from, or go, nowhere: the other seats keep theirs. Numbers from 0 to {most} are "
                "tried. The best is picked and measured on the same games; the intervals of all numbers hold together, "
                "whichever is picked.",
                most=MOST,
            ),
        ),
        picture=best_picture(main),
    )


class Best(NamedTuple):
    """The number of cards with the highest figure.

    Attributes
    ----------
    cards : int
    alike : list of int
        All numbers that aren't told apart from it, itself included.
    estimate : Estimate
        Its figure, with an interval as wide as if all numbers were the best.
    """

    cards: int
    alike: list[int]
    estimate: Estimate


def best_number(cell: Cell, figure_of: NumberedFigure) -> Best:
    """Return the number of cards with the highest figure."""
    figures = [figure_of(cards) for cards in TRIED]
    estimates = simultaneous([cell.figure(figure) for figure in figures])
    best = max(TRIED, key=lambda cards: np.nan_to_num(estimates[cards].value, nan=-np.inf))
    others = [cards for cards in TRIED if cards != best]
    gaps = simultaneous([gap(cell, figures[best], figures[cards]) for cards in others])
    alike = [cards for cards, by in zip(others, gaps, strict=True) if by.sign <= 0]
    return Best(best, sorted([best, *alike]), estimates[best])


def gap(cell: Cell, one: Figure, other: Figure) -> Estimate:
    """Return what one figure is more than another, paired by game."""
    pairs = [((PLAYED, figure.top), (PLAYED, figure.bottom)) for figure in (one, other)]
    return cell.joint.difference_of_ratios(*pairs).scaled(one.scale)


def best_words(best: Best) -> str:
    """Return the best number of cards as a phrase, with those not told apart from it."""
    told = say("{cards} or more" if best.cards == MOST else "{cards}", cards=best.cards)
    rest = [str(cards) for cards in best.alike if cards != best.cards]
    if len(rest) > MOST // 2:
        return say("undecided how many, perhaps {cards},", cards=told)
    return say("{cards} (not told apart: {others})", cards=told, others=joined(rest)) if rest else told


def numbers_by_label(cells: Sequence[Cell], figure_of: NumberedFigure) -> tuple[str, ...]:
    """Return the best numbers of cards in each variant."""
    said = {label: numbers_words(own, figure_of) for label, own in by_label(cells).items()}
    return by_words(said, "Best numbers, ")


def numbers_words(own: Sequence[Cell], figure_of: NumberedFigure) -> str:
    """Return the best numbers of cards in one variant for each kind of player, and whether they flip."""
    bests = [best_number(cell, figure_of) for cell in own]
    groups: dict[str, list[Kind]] = {}
    for cell, best in zip(own, bests, strict=True):
        groups.setdefault(best_words(best), []).append(cell.kind)
    flips = not set.intersection(*(set(best.alike) for best in bests))
    told = say("; ").join(
        say("{what} for {kinds}", what=said, kinds=kinds_named(kinds)) for said, kinds in groups.items()
    )
    return say("It flips: {told}." if flips else "{told}.", told=told)


def best_picture(main: Cell) -> Picture:
    """Return what a seat scores with each number of cards of a colour as a small picture."""
    tried = [cards for cards in TRIED if held_by(main, points_with(cards)) >= LEAST]
    made = simultaneous([main.figure(points_with(cards)) for cards in tried])
    best = max(zip(tried, made, strict=True), key=lambda pair: pair[1].value, default=None)
    figure = small.line(
        frame_of(made, cards=tried), x="cards", reference=0, present=best and best[0], present_label="best"
    )
    names = [say("{count} cards", count=cards) for cards in tried]
    told = listed(names, made, "points") or say("nothing is known")
    return Picture(figure, say("A line with its band: {figures}.", figures=told), "with")


def by_cards(
    key: str, title: str, cells: Sequence[Cell], figure_of: NumberedFigure, tried: Sequence[int], caption: str,
    reference: float | None = None,
) -> Chart:  # fmt: skip
    """Return a figure against the number of cards for each kind of player, in the main variant."""
    main = main_cell(cells)
    pairs = [(cell, cards) for cell in cells if cell.label == main.label for cards in tried]
    pairs = [(cell, cards) for cell, cards in pairs if held_by(cell, figure_of(cards)) >= LEAST]
    percent = figure_of(1).percent
    return curves(
        key,
        say("{title} ({label})", title=title, label=main.label),
        [cell.kind.text for cell, _ in pairs],
        [cards for _, cards in pairs],
        simultaneous([cell.figure(figure_of(cards)) for cell, cards in pairs]),
        caption,
        parameter="cards of a colour",
        percent=percent,
        reference=reference,
        y_label="games won" if percent else "points",
    )


def held_by(cell: Cell, figure: Figure) -> int:
    """Return how many holdings a figure rests on."""
    return cell.joint.total((PLAYED, figure.bottom))


def winning(cells: Sequence[Cell]) -> Finding:
    """Say how many cards of a colour win most games in the last round."""
    main = main_cell(cells)
    best = best_number(main, wins_with)
    return Finding(
        "winning",
        say(
            "In the last round {best} cards of a colour win most: {wins} of the games ({name}).",
            best=best_words(best),
            wins=wins_with(0).text(best.estimate),
            name=main.name,
        ),
        text=numbers_by_label(cells, wins_with),
        charts=(
            by_cards(
                "wins",
                "Games won with other numbers of cards of a colour instead",
                cells,
                wins_with,
                TRIED,
                "Seats that hold the colour in the last round; with another number the colour is scored again for all "
                "seats. The line across is a fair share. All bands hold together.",
                1 / main.variant.parameters.players,
            ),
        ),
        assumes=(
            "Only games whose last round by the rules was scored: in an earlier one another score might have gone on.",
            "Wins are those by the target's rule: a card that passes it may lose the game.",
        ),
        title="Majorities and winning",
    )


MORE_WORDS = {"higher": "one card more pays", "lower": "one card more costs"}


def one_more(cells: Sequence[Cell]) -> Finding:
    """Say what one more card of a colour held is worth, and to whom."""
    main = main_cell(cells)
    mores = dict(zip(cells, simultaneous([cell.figure(MORE) for cell in cells]), strict=True))
    return Finding(
        "one_more",
        say("{told} ({name}).", told=more_words(mores[main]), name=main.name),
        text=(
            turn_words(main),
            *by_words(
                {
                    label: across(own, [mores[cell] for cell in own], MORE, MORE_WORDS)
                    for label, own in by_label(cells).items()
                }
            ),
        ),
        charts=(
            by_cards(
                "more",
                "Points that one card more of a colour brings, by cards held",
                cells,
                next_card,
                TRIED[1:],
                say(
                    "Below 0 the card costs more than it brings; numbers that fewer than {least} seats held are left "
                    "out. All bands hold together.",
                    least=LEAST,
                ),
                0,
            ),
            dots(
                "one_more",
                "Points that one card more of a colour held brings",
                cells,
                list(mores.values()),
                "A mean over all colours that seats hold when a round is scored; all intervals hold together.",
                reference=0,
                reference_label="nothing",
                x_label="points",
            ),
        ),
        title="One card more",
    )


def more_words(more: Estimate) -> str:
    """Return what one more card is worth as a sentence without its end."""
    verdict = MORE.verdict(more)
    told = {
        "higher": "One card more of a colour held pays",
        "lower": "One card more of a colour held costs",
        "undecided": "Undecided whether one card more of a colour held pays",
    }.get(verdict) or say("One card more of a colour held: {verdict}", verdict=verdict)
    shown = more.negated() if verdict == "lower" else more
    return say("{told}: {points}", told=told, points=MORE.text(shown))


def turn_words(cell: Cell) -> str:
    """Return from which number of cards on one more costs, as far as that is clear."""
    held = [cards for cards in TRIED[1:MOST] if held_by(cell, next_card(cards)) >= LEAST]
    mores = simultaneous([cell.figure(next_card(cards)) for cards in held])
    groups: dict[str, list[str]] = {}
    for cards, more in zip(held, mores, strict=True):
        told = NEXT_WORDS.get(next_card(cards).verdict(more), "changes next to nothing")
        groups.setdefault(told, []).append(str(cards))
    parts = [say("{told} for who holds {cards}", told=told, cards=joined(numbers)) for told, numbers in groups.items()]
    return say("The next card {told} ({name}).", told=joined(parts or ["is undecided"]), name=cell.name)


NEXT_WORDS = {"higher": "pays", "lower": "costs", "undecided": "is undecided"}


def shared(cells: Sequence[Cell]) -> Finding:
    """Say how often a majority is one seat's alone, how often it is tied and pays, and who gets the points."""
    main = main_cell(cells)
    alone = main.figure(ALONE)
    tied = alone.negated().shifted(1)
    return Finding(
        "shared",
        say(
            "{alone} of the colours have a sole majority, which scores nothing; in {tied} seats tie for the most and "
            "score ({name}).",
            alone=ALONE.text(alone),
            tied=ALONE.text(tied),
            name=main.name,
        ),
        text=(
            say(
                "Of the majority scoring's points {tied} go to seats tied for the most, {level} to seats level below "
                "it, and {own} to seats below it with a count of their own. A round leaves {forgone} with nothing as a "
                "sole majority ({name}).",
                tied=text_of(main, TIED_POINTS),
                level=text_of(main, BELOW_TIED),
                own=text_of(main, BELOW_ALONE),
                forgone=text_of(main, FORGONE),
                name=main.name,
            ),
            *by_words({label: across(own, halves(own), ALONE, ALONE_WORDS) for label, own in by_label(cells).items()}),
        ),
        charts=(
            dots(
                "alone",
                sentence(ALONE.label),
                cells,
                [cell.figure(ALONE) for cell in cells],
                "Of the colours that anybody holds when a round is scored; in all others seats tie for the most.",
                percent=True,
                x_label="colours",
            ),
        ),
        tables=tables_abreast(cells, TABLED),
        title="Shared majorities",
    )


ALONE_WORDS = {"higher": "most colours have a sole majority", "lower": "most colours have a tied majority"}


def halves(cells: Sequence[Cell]) -> list[Estimate]:
    """Return by how much the share of sole majorities is above one half."""
    return [cell.figure(ALONE).shifted(-0.5) for cell in cells]


def text_of(cell: Cell, figure: Figure) -> str:
    """Return a figure as a phrase."""
    return figure.text(cell.figure(figure))
