"""How often do seats have a choice that matters, and how often do they follow, duck, or win by default?

Every play of whole games is looked at with the hand it was made from: how many cards might be played, and whether
some of them would take the lead of the trick and some not. Only then can a follower decide by its card whether to win
or to duck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.independent import apart
from simlib.estimates.words import listed
from simlib.experiments import Plan, Request
from simlib.figures import charts
from simlib.findings import Chart, Finding, Headline, Table
from simlib.frames import frame_of
from simlib.games import game_named
from simlib.heavy import pd
from simlib.languages import say
from simlib.measured import Measured
from simlib.plays import Options, different
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    Cell,
    Figure,
    Kind,
    Survey,
    by_label,
    decent,
    dots,
    game_tiles,
    headline,
    kinds_named,
    main_cell,
    main_cells,
    pictured,
    sentence,
    tables,
    told,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "all"
TITLE = "Choices: how much a seat can decide"
GAMES = 20_000
MEANINGFUL = Figure("follower's plays that are a meaningful choice", "meaningful", "follows", percent=True)
FORCED = Figure("follower's plays with one card to choose from", "forced", "follows", percent=True)
LOSING = Figure("follower's plays in which no card takes the lead", "losing", "follows", percent=True)
TAKING = Figure("follower's plays in which every card takes the lead", "must_take", "follows", percent=True)
FOLLOWING = Figure("follower's plays in the colour that leads", "following", "follows", percent=True)
DUCKS = Figure("meaningful choices in which the seat ducks", "ducks", "meaningful", percent=True)
UNCONTESTED = Figure("tricks won by default", "uncontested", "tricks", percent=True)
CAUGHT = Figure("tricks won by a follower that couldn't duck", "caught", "tricks", percent=True)
LEADS = Figure("cards a leader may play", "lead_legal", "tricks", unit="cards")
FOLLOWS = Figure("cards a follower may play", "follow_legal", "follows", unit="cards")
DIFFERENT = Figure("different cards a leader may play", "lead_kinds", "tricks", unit="different cards")
BY_TRICK = ("meaningful", "follows")
WORDS = {
    "forced": "one card to choose from",
    "losing": "no card takes the lead",
    "must_take": "every card takes the lead",
    "meaningful": "a meaningful choice",
}
PARTS = (FORCED, LOSING, TAKING, MEANINGFUL)
FIGURES = (*PARTS, FOLLOWING, DUCKS, UNCONTESTED, CAUGHT, LEADS, DIFFERENT, FOLLOWS)
CURVE = 30  # tricks of a round that the curve shows
GLOSSARY = [
    ("legal card", "a card that the rules let a seat play; copies of one card count each"),
    (
        "takes the lead",
        "would win the trick if no other card followed; a card that doesn't has lost the trick unless, in Gara-tori, "
        "the lead turns to its colour",
    ),
    (
        "meaningful choice",
        "a follower's play in which at least one legal card takes the lead of the trick and at least one doesn't: it "
        "can decide whether to win so far or to duck. Other uses of a card, such as to keep a high one, don't count",
    ),
    ("duck", "to play a card that doesn't take the lead while a legal card would"),
    (
        "won by default",
        "no other seat's card was of the colour that led in the end, or a trump: nobody contested it",
    ),
    (
        "couldn't duck",
        "all of the winner's legal cards took the lead; followers alone count, as a leader always takes it",
    ),
    ("follow", "to play a card of the colour that leads at that moment"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- counts --------------------------------------------------------------------------------------------------------


def names(variant: Variant) -> tuple[str, ...]:
    """Return the names of the counts of a game."""
    own = dict.fromkeys(figure.top for figure in FIGURES)
    by_trick = [f"{name}_{trick}" for name in BY_TRICK for trick in range(tricks_shown(variant))]
    return (*own, "tricks", "follows", *by_trick)


def tricks_shown(variant: Variant) -> int:
    """Return of how many tricks of a round the curve tells: no follower chooses in the last, so all before it."""
    return max(1, min(int(variant.parameters.hand.size) - 1, CURVE))


def count(games: Any, variant: Variant) -> dict[str, np.ndarray]:
    """Return each game's leads, followers' plays, and how many of these are what; `games` is `batch.Played`."""
    parameters, module = variant.parameters, game_named(variant.game).module("plays")
    plays = module.plays_of(parameters, games)
    counts = dict.fromkeys(names(variant), np.zeros(len(plays.cards), np.int64))
    counts["tricks"] = plays.played.sum(axis=(1, 2))
    counts["uncontested"] = (module.contenders(parameters, games, plays) == 1).sum(axis=(1, 2))
    for place, options in enumerate(module.options_of(parameters, games, plays)):
        if not place:
            counts["lead_legal"] = options.legal.sum(axis=(1, 2, 3))
            counts["lead_kinds"] = different(options.cards, options.legal).sum(axis=(1, 2))
            continue
        found = follower_counts(options, plays.played, plays.winners == place)
        for name, values in found.items():
            counts[name] = counts[name] + values.sum(axis=(1, 2))
        for name, trick in product(BY_TRICK, range(tricks_shown(variant))):
            counts[f"{name}_{trick}"] = counts[f"{name}_{trick}"] + found[name][:, :, trick].sum(axis=1)
    return counts


def follower_counts(options: Options, played: np.ndarray, won: np.ndarray) -> dict[str, np.ndarray]:
    """Return what each play at one place was, (games, rounds, tricks) int or bool."""
    legal, taking = options.legal.sum(axis=3), options.taking.sum(axis=3)
    several = played & (different(options.cards, options.legal) > 1)
    meaningful = played & (taking > 0) & (taking < legal)
    return {
        "follows": played,
        "follow_legal": legal,
        "forced": played & ~several,
        "losing": several & (taking == 0),
        "must_take": several & (taking == legal),
        "meaningful": meaningful,
        "ducks": meaningful & ~options.chosen(options.taking),
        "following": played & options.chosen(options.following),
        "caught": played & won & (taking == legal),
    }


SURVEY = Survey(names, count, whole=True, shows=MEANINGFUL)
MEASURES = Measured(
    count,
    {
        "meaningful_choices": MEANINGFUL,
        "forced_plays": FORCED,
        "ducked_choices": DUCKS,
        "uncontested_tricks": UNCONTESTED,
        "caught_tricks": CAUGHT,
    },
    whole=True,
)


def plan(request: Request) -> Plan:
    """Return whole games of each game and number of seats."""
    variants, left_out = variants_by_seats(request, GAME)
    for variant in variants.values():
        if variant.parameters.hand.size == 1:
            raise BadInput("SET: hand.size = 1: nobody has a choice with one card (allowed: 2 or more)")
    return SURVEY.plan(variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return how often followers have a meaningful choice, what they make of it, and what else their plays are."""
    cells = SURVEY.cells(run)
    mains = main_cells(cells)
    left_out = tuple(run.facts["plan"]["left_out"])
    return [answer(cells, mains, left_out), ducking(cells, mains), default(cells, mains), leading(cells, mains)]


def headline_figure(run: Results) -> Headline:
    """Return how often followers have a meaningful choice."""
    main = main_cell(SURVEY.cells(run))
    return headline(say("{figure} ({name})", figure=MEANINGFUL.label, name=main.name), main, MEANINGFUL)


def answer(cells: Sequence[Cell], mains: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say how often followers have a meaningful choice."""
    own = decent(mains)
    return Finding(
        "answer",
        say(
            "Plays in which a follower has a meaningful choice: {told}.{ranked}",
            told=told(own, MEANINGFUL),
            ranked=ranked(own, MEANINGFUL),
        ),
        text=tuple(parts_words(of) for of in by_label(mains).values()),
        tiles=game_tiles(own, MEANINGFUL),
        charts=(parts_chart(cells, own), by_trick_chart(own), shares_chart(cells, MEANINGFUL)),
        assumes=(
            *left_out,
            "A choice is judged by the cards alone, not by what a seat knows: in Suppose a seat may choose blindly "
            "among cards that it can't see.",
            "What a card is worth later, who gets the points and how cards are kept is left aside: a play without a "
            "meaningful choice may still matter.",
        ),
        picture=pictured(
            MEANINGFUL.top, [cell.title for cell in own], [cell.figure(MEANINGFUL) for cell in own], percent=True
        ),
    )


def ranked(cells: Sequence[Cell], figure: Figure) -> str:
    """Return which of several games has most of a figure, if that can be told; nothing of one game alone."""
    if len(cells) < 2:
        return ""
    first, second, *_ = sorted(cells, key=lambda cell: -cell.figure(figure).value)
    gap = apart(first.figure(figure), second.figure(figure))
    if not gap.sign:
        return say(
            " Whether it is more in {first} or in {second} is undecided.", first=first.title, second=second.title
        )
    return say(" It is most in {game}.", game=first.title)


def parts_words(own: Sequence[Cell]) -> str:
    """Return what the followers' plays in one variant most often are, for each kind of player."""
    groups: dict[str, list[Kind]] = {}
    for cell in own:
        groups.setdefault(largest(cell), []).append(cell.kind)
    if len(groups) == 1:
        ((said, kinds),) = groups.items()
        return say(
            "{label}: most often {said}, for all kinds of player: {kinds}.",
            label=own[0].label,
            said=said,
            kinds=kinds_named(kinds),
        )
    return say("{label}: it depends on who plays; most often {told}.", label=own[0].label, told=grouped(groups))


def grouped(groups: Mapping[str, Sequence[Kind]]) -> str:
    """Return what is said of some kinds of player each as a phrase."""
    return say("; ").join(
        say("{what} for {kinds}", what=said, kinds=kinds_named(kinds)) for said, kinds in groups.items()
    )


def largest(cell: Cell) -> str:
    """Return which part of the followers' plays is the largest, if that can be told."""
    first, second, *_ = sorted(PARTS, key=lambda part: -cell.figure(part).value)
    if cell.figure(first).low > cell.figure(second).high:
        return WORDS[first.top]
    return say("undecided whether {one} or {other}", one=WORDS[first.top], other=WORDS[second.top])


def parts_chart(cells: Sequence[Cell], own: Sequence[Cell]) -> Chart:
    """Return what followers' plays are, in each game; the table has all cells."""
    names = [WORDS[part.top] for part in PARTS]
    matrix = pd.DataFrame({cell.label: [cell.figure(part).value for part in PARTS] for cell in own}, index=names)
    frame = frame_of(
        [cell.figure(part) for cell in cells for part in PARTS],
        players=[cell.kind.text for cell in cells for _ in PARTS],
        variant=[cell.label for cell in cells for _ in PARTS],
        part=names * len(cells),
    )
    title = "What followers' plays are"
    said = [
        say(
            "{label}: {words}",
            label=cell.label,
            words=listed(names, [cell.figure(part) for part in PARTS], percent=True),
        )
        for cell in own
    ]
    return Chart(
        "parts",
        title,
        charts.heat(matrix, percent=True),
        say("A table of shares. {told}.", told=say("; ").join(said)),
        say(
            "Shares of all plays of followers; the four add up to 100 % (all seats {players}).",
            players=own[0].kind.text,
        ),
        Table("parts", title, frame, "Shares as fractions."),
    )


def by_trick_chart(own: Sequence[Cell]) -> Chart:
    """Return how often followers have a meaningful choice from the first trick of a round to the last."""
    points = [(cell, trick) for cell in own for trick in range(tricks_shown(cell.variant))]
    estimates = [cell.joint.ratio((PLAYED, f"meaningful_{t}"), (PLAYED, f"follows_{t}")) for cell, t in points]
    frame = frame_of(estimates, trick=[trick + 1 for _, trick in points], game=[cell.label for cell, _ in points])
    title = "Meaningful choices from trick to trick"
    figure = charts.curve(frame, x="trick", line="game", x_label="trick of the round", percent=True)
    ends = [(say("{label}, trick {trick}", label=cell.label, trick=t + 1), made)
            for (cell, t), made in zip(points, estimates, strict=True)
            if t in (0, tricks_shown(cell.variant) - 1)]  # fmt: skip
    labels, shares = [label for label, _ in ends], [made for _, made in ends]
    alt = say("A line a game. {told}.", told=listed(labels, shares, percent=True))
    caption = say(
        "Share of followers' plays that are a meaningful choice (all seats {players}).", players=own[0].kind.text
    )
    return Chart("by_trick", title, figure, alt, caption, Table("by_trick", title, frame, "Shares as fractions."))


def shares_chart(cells: Sequence[Cell], figure: Figure) -> Chart:
    """Return a share for every game, number of seats and kind of player."""
    return dots(
        figure.top,
        sentence(figure.label),
        cells,
        [cell.figure(figure) for cell in cells],
        say("{figure}, all seats taken by one kind of player.", figure=sentence(figure.label)),
        percent=True,
        x_label=figure.label,
    )


def ducking(cells: Sequence[Cell], mains: Sequence[Cell]) -> Finding:
    """Say how often a seat that could win or duck ducks."""
    return Finding(
        "ducking",
        say("Followers with the choice to take the lead or duck do duck: {told}.", told=told(decent(mains), DUCKS)),
        text=tuple(more_or_less(of, DUCKS, "duck") for of in by_label(mains).values()),
        charts=(shares_chart(cells, DUCKS),),
        title="Taking the lead or ducking",
    )


def more_or_less(own: Sequence[Cell], figure: Figure, verb: str) -> str:
    """Return whether each kind of player does something in more than half of the cases, in one variant."""
    groups: dict[str, list[Kind]] = {}
    for cell in own:
        groups.setdefault(half_words(cell.figure(figure)), []).append(cell.kind)
    flips = {"more often than not", "less often than not"} <= set(groups)
    return say(
        "{label}: It flips: they {verb} {told}." if flips else "{label}: they {verb} {told}.",
        label=own[0].label,
        verb=verb,
        told=grouped(groups),
    )


def half_words(share: Estimate) -> str:
    """Return whether a share is more or less than a half.

    Examples
    --------
    >>> half_words(Estimate(0.7, 0.6, 0.8, 9, "")), half_words(Estimate(0.5, 0.4, 0.6, 9, ""))
    ('more often than not', 'as good as half the time, or undecided,')
    """
    if not share.known or share.low <= 0.5 <= share.high:
        return "as good as half the time, or undecided,"
    return "more often than not" if share.low > 0.5 else "less often than not"


def default(cells: Sequence[Cell], mains: Sequence[Cell]) -> Finding:
    """Say how often a trick is won by default, by who couldn't duck, and how often seats follow."""
    own = decent(mains)
    return Finding(
        "default",
        say(
            "Tricks won by default, uncontested: {told}.{ranked}",
            told=told(own, UNCONTESTED),
            ranked=ranked(own, UNCONTESTED),
        ),
        text=(
            say("Plays of followers in the colour that leads: {told}.", told=told(own, FOLLOWING)),
            say("Tricks won by a follower that couldn't duck: {told}.", told=told(own, CAUGHT)),
            *(more_or_less(of, FOLLOWING, "follow") for of in by_label(mains).values()),
        ),
        charts=(shares_chart(cells, UNCONTESTED), shares_chart(cells, FOLLOWING)),
        title="Tricks won by default",
    )


def leading(cells: Sequence[Cell], mains: Sequence[Cell]) -> Finding:
    """Say how many cards leaders and followers may choose from."""
    own = decent(mains)
    return Finding(
        "leading",
        say("A follower may play {told}.", told=told(own, FOLLOWS)),
        text=(
            say("A leader may play {told}.", told=told(own, LEADS)),
            say("Copies counted once, these are {told}.", told=told(own, DIFFERENT)),
        ),
        charts=(
            dots(
                "follow_legal",
                "Cards that a follower may play",
                cells,
                [cell.figure(FOLLOWS) for cell in cells],
                "Mean number of legal cards at a play of a follower; copies count each.",
                x_label="legal cards",
            ),
        ),
        tables=tables(cells, (CAUGHT, DIFFERENT)),
        title="Legal cards",
    )
