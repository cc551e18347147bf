"""How does Take-Trick's target work: how often is it reached, when, and does it pay to hold back?

The same deals are played to other targets. Counted are the rounds in which somebody reaches it, the seats that pass it
and lose to a nearer one, and whether the seat ahead before the last round wins more than the second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import LEVEL, Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.means import unknown
from simlib.estimates.words import extremes
from simlib.experiments import Plan, Request
from simlib.figures import charts
from simlib.findings import Chart, Finding, Headline, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.games.take_trick.measures import round_scores, winners
from simlib.heavy import pd
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, win_shares
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    POINTS_APART,
    STRONG,
    WHOLE,
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
    row_columns,
    sentence,
    tables_abreast,
    variants_by_seats,
)
from simlib.variants import Variant
from simlib.whatif import Line, Measure, Slider, WhatIf

GAME = "take_trick"
TITLE = "Take-Trick: does the target work?"
GAMES = 12_000
TRIED = (15, 20, 25, 30, 35)
ROUNDS = 4  # rounds told apart; the last of them stands for all later ones
BIN = 3  # points missing before the last round are counted in bins of so many
BINS = 9  # the last of them holds all above, too
LEAST = 20  # seats that a bin must hold to be drawn
REACHED = Figure("games in which the target is reached", "reached", percent=True, chance=True, matters=0.01)
OVERSHOT = Figure(
    "games in which a seat past the target loses to a nearer one", "overshot", percent=True, chance=True, matters=0.01
)
OF_REACHED = Figure("overshot games, of those that reach the target", "overshot", "reached", percent=True)
EXCESS = Figure("points of the winner past the target", "excess", "reached", unit="points", matters=0.1)
AHEAD = Figure("wins of the seat ahead before the last round", "ahead", "later", 1 / WHOLE**2, percent=True)
SECOND = Figure("wins of the second seat then", "second", "later", 1 / WHOLE**2, percent=True)
LEAD = Figure(
    "wins of the seat ahead before the last round, less the second's", "lead", "later", 1 / WHOLE**2,
    percent=True, unit=POINTS_APART, matters=0.01,
)  # fmt: skip
LESS_PAST = Figure(
    "wins that a point less brings a seat at or past the target",
    "less_past",
    "past",
    1 / WHOLE,
    percent=True,
    unit=POINTS_APART,
)
LESS = Figure("wins that a point less brings any seat", "less", "seats", 1 / WHOLE, percent=True, unit=POINTS_APART)
LENGTH = Figure("rounds a game", "rounds", unit="rounds", matters=0.05)
SHORT = 5  # a game to one target tells of targets up to so many points below it
GLOSSARY = [
    ("target", "the score that ends a game; of the seats at or above it the nearest one wins"),
    ("overshot", "at or past the target, but another seat is nearer to it and wins"),
    ("ahead, second", "with the most, or next most, points before the last round played; level seats share both"),
    ("a point less", "one point taken off a seat's final score, all else as it was played"),
    ("hold back", "score less on purpose, so as to end nearer to the target"),
    ("win", "a win that several seats share counts by the share"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


def wins_of(at: int) -> Figure:
    """Return the games won by seats in a bin of points missing before the last round."""
    label = say("wins of seats {points} short", points=bin_words(at))
    return Figure(label, f"missing_wins_{at}", f"missing_seats_{at}", 1 / WHOLE, percent=True)


def bin_words(at: int) -> str:
    """Return a bin of missing points as a phrase, such as ``1 to 3`` for the first."""
    return say("{low} to {high}", low=at * BIN + 1, high=(at + 1) * BIN)


def middle(at: int) -> int:
    """Return the middle of a bin of missing points, such as 2 for 1 to 3."""
    return at * BIN + (BIN + 1) // 2


# ---- what is played and counted ------------------------------------------------------------------------------------


def target_of(variant: Variant) -> int:
    """Return the score that ends a game."""
    return int(variant.parameters.score.target)


def arms(variant: Variant) -> dict[str, Variant]:
    """Return the variant as it is, and with other targets."""
    flat = variant.flat()
    others = {
        f"target {target}": make_variant(game_named(GAME), settings=flat | {"score.target": target})
        for target in TRIED
        if target != target_of(variant)
    }
    return {PLAYED: variant} | others


def told_rounds(variant: Variant) -> list[int]:
    """Return the numbers of the rounds that are told apart, from 1."""
    return list(range(1, min(variant.parameters.rounds.max, ROUNDS) + 1))


def names(variant: Variant) -> list[str]:
    """Return the names of the counts."""
    plain = [
        "reached", "overshot", "excess", "ahead", "second", "lead", "later", "less_past", "past", "less", "seats",
        "rounds",
    ]  # fmt: skip
    by_bin = [f"missing_{name}_{at}" for name in ("seats", "wins") for at in range(BINS)]
    by_path = [f"path_{name}_{short}" for name in ("reached", "rounds") for short in range(1, SHORT + 1)]
    return [*plain, *(f"reached_{number}" for number in told_rounds(variant)), *by_bin, *by_path]


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return what became of each game's target; wins in 1/WHOLE, those by rank in 1/WHOLE squared."""
    column, target = row_columns(variant), target_of(variant)
    wide = rows.astype(np.int64)
    scores, wins = (wide[:, columns_starting(column, name)] for name in ("score_", "win_"))
    rounds, past = wide[:, column["rounds"]], np.asarray(scores >= target)
    reached, shares = np.any(past, axis=1), win_shares(wins, WHOLE)
    less = shares_with_less(scores, target) - shares
    found = {
        "reached": reached,
        "overshot": (past & (wins == 0)).any(axis=1),
        "excess": np.where(reached, (scores * wins).max(axis=1) - target, 0),
        "less_past": (less * past).sum(axis=1),
        "past": past.sum(axis=1),
        "less": less.sum(axis=1),
        "seats": np.full(len(wide), scores.shape[1]),
        "rounds": rounds,
    }
    later = rounds > 1
    before = scores_before_last(wide, column, variant)
    ahead, second = (shares_by_rank(before, shares, rank) * later for rank in (0, 1))
    found |= {"ahead": ahead, "second": second, "lead": ahead - second, "later": later}
    found |= by_round(reached, rounds, variant) | by_missing(target - before, shares * later[:, None], later)
    return found | by_path(wide, column, variant)


def by_round(reached: np.ndarray, rounds: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return for each round whether the target was reached in it."""
    told = told_rounds(variant)
    return {f"reached_{number}": reached & (np.minimum(rounds, told[-1]) == number) for number in told}


def by_missing(missing: np.ndarray, shares: np.ndarray, later: np.ndarray) -> dict[str, np.ndarray]:
    """Return seats and their wins by points missing before the last round, in bins of BIN points."""
    at = np.clip((missing - 1) // BIN, 0, BINS - 1)
    return {f"missing_seats_{bin_}": (at == bin_).sum(axis=1) * later for bin_ in range(BINS)} | {
        f"missing_wins_{bin_}": (shares * (at == bin_)).sum(axis=1) for bin_ in range(BINS)
    }


def by_path(rows: np.ndarray, column: dict[str, int], variant: Variant) -> dict[str, np.ndarray]:
    """Return whether the scores at the rounds' ends reach a target 1 to SHORT points lower, and the rounds till then.

    A game to the lower target would have been the same until then, but where a gift would have ended it, or a seat
    would have refused one for that.
    """
    rounds, found = rows[:, column["rounds"]], {}
    ends = range(variant.parameters.rounds.max)
    best = np.stack([round_scores(rows, column, end, variant.parameters).max(axis=1) for end in ends], axis=1)
    for short in range(1, SHORT + 1):
        there = np.asarray(best >= target_of(variant) - short) & (np.arange(len(ends)) < rounds[:, None])
        found[f"path_reached_{short}"] = reached = np.any(there, axis=1)
        found[f"path_rounds_{short}"] = np.where(reached, there.argmax(axis=1) + 1, rounds)
    return found


def scores_before_last(rows: np.ndarray, column: dict[str, int], variant: Variant) -> np.ndarray:
    """Return the scores before the last round played, (games, seats); 0 where that was the first."""
    parameters = variant.parameters
    before = np.zeros((len(rows), parameters.players), np.int64)
    for played in range(2, parameters.rounds.max + 1):
        among = rows[:, column["rounds"]] == played
        before[among] = round_scores(rows[among], column, played - 2, parameters)
    return before


def shares_by_rank(before: np.ndarray, shares: np.ndarray, rank: int) -> np.ndarray:
    """Return the win share, in 1/WHOLE squared, of the seat with this rank by score; level seats share their ranks."""
    level = before[:, :, None] == before[:, None, :]
    evened = WHOLE * (level * shares[:, None, :]).sum(axis=2) // level.sum(axis=2)
    seat = np.argsort(-before, axis=1, kind="stable")[:, rank]
    return np.take_along_axis(evened, seat[:, None], axis=1)[:, 0]


def shares_with_less(scores: np.ndarray, target: int) -> np.ndarray:
    """Return each seat's share of the win, in 1/WHOLE, had it one point less and all else stayed as played."""
    shares = np.empty_like(scores)
    for seat in range(scores.shape[1]):
        fewer = scores.copy()
        fewer[:, seat] -= 1
        shares[:, seat] = win_shares(winners(fewer, target).astype(np.int64), WHOLE)[:, seat]
    return shares


SURVEY = Survey(names, count, arms, thin=0.5, main_alone=True, shows=REACHED)
MEASURES = Measured(
    count,
    {"target_reached": REACHED, "target_overshot": OVERSHOT, "points_past_target": EXCESS, "edge_of_who_leads": LEAD},
)


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats, to each target."""
    variants, left_out = variants_by_seats(request, GAME)
    if all(variant.parameters.rounds.max == 1 for variant in variants.values()):
        raise BadInput("rounds.max = 1: nobody stands ahead before a last round; at least 2 rounds are needed")
    return SURVEY.plan(variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return how often and when the target is reached, who passes it in vain, and whether holding back pays."""
    cells = SURVEY.cells(run)
    return [answer(cells, tuple(run.facts["plan"]["left_out"])), overshooting(cells), stalling(cells)]


def headline_figure(run: Results) -> Headline:
    """Return how often the target is reached."""
    main = main_cell(SURVEY.cells(run))
    return headline(say("{figure} ({name})", figure=REACHED.label, name=main.name), main, REACHED)


def answer(cells: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say how often the target is reached, and in which round."""
    main = main_cell(cells)
    figures = round_figures(main.variant)
    return Finding(
        "answer",
        say(
            "Somebody reaches {target} points in {reached} of the games; {holding} ({name}).",
            target=target_of(main.variant),
            reached=REACHED.text(main.figure(REACHED)),
            holding=HOLD_WORDS.get(holding(cells), "holding back changes nothing"),
            name=main.name,
        ),
        text=(
            rounds_words(main),
            *by_words({label: across(own, halves(own), REACHED, HALF_WORDS) for label, own in by_label(cells).items()}),
        ),
        tiles=(
            tile("games that reach the target", main.figure(REACHED), main.name, percent=True),
            tile("games that a seat overshoots", main.figure(OVERSHOT), main.name, percent=True),
            tile("won by the seat ahead", main.figure(AHEAD), main.name, percent=True),
            tile("won by the second", main.figure(SECOND), main.name, percent=True),
        ),
        charts=(
            target_curve(cells, REACHED),
            round_chart([cell for cell in cells if cell.label == main.label]),
            target_matrix(cells),
        ),
        whatif=target_whatif(cells),
        tables=tables_abreast(cells, (LENGTH,)),
        picture=pictured(
            "rounds", [figure.label for figure in figures], [main.figure(figure) for figure in figures], percent=True
        ),
        assumes=(
            *left_out,
            "All seats are taken by players of one kind. Of the fast ones, random knows no target, and greedy and "
            "trained look at it only where a gift may end the game: they don't hold back on purpose.",
        ),
    )


HALF_WORDS = {"higher": "most games reach the target", "lower": "most games end without it"}


def halves(cells: Sequence[Cell]) -> list[Estimate]:
    """Return by how much the share of games that reach the target is above one half."""
    return [cell.figure(REACHED).shifted(-0.5) for cell in cells]


def round_figures(variant: Variant) -> list[Figure]:
    """Return how often the target is reached in any round, and in each."""
    told = told_rounds(variant)
    later = told[-1] if told[-1] < variant.parameters.rounds.max else 0
    words = {number: "round {number} or later" if number == later else "round {number}" for number in told}
    each = [
        Figure(say(words[number], number=number), f"reached_{number}", percent=True, chance=True) for number in told
    ]
    return [replace(REACHED, label=say("any round")), *each]


def rounds_words(main: Cell) -> str:
    """Return in which round the target is reached as a sentence."""
    _, *each = round_figures(main.variant)
    return say(
        "Of all games somebody reaches it {rounds} ({name}).",
        rounds=joined([say("in {round} in {share}", share=of.text(main.figure(of)), round=of.label) for of in each]),
        name=main.name,
    )


def target_curve(cells: Sequence[Cell], figure: Figure) -> Chart:
    """Return a figure against the target for each kind of player, in the main variant."""
    main = main_cell(cells)
    own = [(cell, arm) for cell in cells if cell.label == main.label for arm in cell.arms]
    return curves(
        f"target_{figure.top}",
        say("{figure}, by target ({label})", figure=sentence(CURVE_TITLES.get(figure, figure.label)), label=main.label),
        [cell.kind.text for cell, _ in own],
        [target_of(cell.arms[arm]) for cell, arm in own],
        simultaneous([cell.figure(figure, arm) for cell, arm in own]),
        "The same deals, played to each target; the upright line is the target as played. All bands hold together.",
        parameter="target",
        percent="points" if figure is LEAD else True,
        present=target_of(main.variant),
        present_label="as played",
        crossings=figure is LEAD,
        y_label="change of games won" if figure is LEAD else "games",
    )


CURVE_TITLES = {LEAD: "games won by the seat ahead less those by the second"}


def paths(cell: Cell) -> dict[int, tuple[str, int]]:
    """Return, for each target that is told of, the games that tell: their arm, and how far they go beyond it."""
    found: dict[int, tuple[str, int]] = {}
    for arm, variant in sorted(cell.arms.items(), key=lambda each: target_of(each[1])):
        target = target_of(variant)
        found |= {target - short: (arm, short) for short in range(SHORT) if 0 < target - short not in found}
    return dict(sorted(found.items()))


def on_path(cell: Cell, figure: Figure, arm: str, short: int) -> Estimate:
    """Return a figure of games to a target that is so many points short of an arm's; none of who plays for a target."""
    if short and cell.kind.strength == STRONG.strength:
        return unknown(math.nan, cell.games, "", LEVEL, "not played to this target")
    return cell.figure(replace(figure, top=f"path_{figure.top}_{short}") if short else figure, arm)


def off(cells: Sequence[Cell]) -> dict[tuple[Cell, int], Estimate]:
    """Return what the paths say more than games to the target itself, for targets with a played one closely above."""
    found = {}
    for cell in (each for each in cells if each.kind.strength != STRONG.strength):
        arms = sorted((target_of(variant), arm) for arm, variant in cell.arms.items())
        for (target, arm), (above, beyond) in pairwise(arms):
            if above - target <= SHORT:
                path = (beyond, f"path_{REACHED.top}_{above - target}")
                found[cell, target] = cell.joint.difference(path, (arm, REACHED.top))
    return dict(zip(found, simultaneous(list(found.values())), strict=True))


def off_words(cells: Sequence[Cell]) -> str:
    """Return how far the paths are off where both were played, at their worst."""
    found = off(cells)
    if not found:
        return say("No two targets were played that are close enough to check this.")
    cell, target = max(found, key=lambda at: abs(found[at].value))
    return say(
        "Checked where games were played to a target and to one up to {short} points above, {count} pairs: the paths "
        "of the second are off by most at target {target}, where they say {off} more ({name}).",
        short=SHORT,
        count=len(found),
        target=target,
        off=REACHED.change_text(found[cell, target]),
        name=cell.name,
    )


def target_whatif(cells: Sequence[Cell]) -> WhatIf:
    """Return a slider for the target, from scores at the rounds' ends of games to the next target that was played."""
    main = main_cell(cells)
    told = paths(main)
    groups = {
        label: [
            Line(cell.kind.text, [[on_path(cell, figure, *at) for at in told.values()] for figure in (REACHED, LENGTH)])
            for cell in own
        ]
        for label, own in sorted(by_label(cells).items(), key=lambda each: each[0] != main.label)
    }
    return WhatIf(
        "Turn the target: how often it is reached, and how long games get, is read from the scores at the rounds' ends "
        "of games that were played.",
        (Slider("target", "target", list(told), target_of(main.variant)),),
        (
            Measure(
                REACHED.label, ("Somebody reaches {target} points in {figure} of the games ({line}, {group}).",),
                percent=True,
            ),
            Measure(LENGTH.label, ("A game takes {figure}.",), LENGTH.unit),
        ),
        groups,
        main.kind.text,
        (
            say(
                "Targets that were played ({played}) show those games. Any other shows the next higher one's games up "
                "to where a score at a round's end reaches it.",
                played=joined([str(target) for target, (_, short) in told.items() if not short]),
            ),
            "Random knows no target, and greedy and trained look at it only where a gift may end the game. A gift "
            "that would have ended it counts from the round's end. Search plays for the target it is given: only "
            "targets that it played are told.",
            off_words(cells),
            "Each interval holds for itself, at one target.",
        ),
    )  # fmt: skip


def round_chart(cells: Sequence[Cell]) -> Chart:
    """Return in which round the target is reached, for each kind of player."""
    pairs = [(cell, figure) for cell in cells for figure in round_figures(cell.variant)]
    return dots(
        "rounds",
        say("The round in which the target is reached ({label})", label=cells[0].label),
        [cell for cell, _ in pairs],
        [cell.figure(figure) for cell, figure in pairs],
        "Of all games; the rest end after the last round without it. A round that a gift ended counts.",
        labels=[figure.label for _, figure in pairs],
        percent=True,
        x_label="games",
    )


def target_matrix(cells: Sequence[Cell]) -> Chart:
    """Return how often each target is reached by number of seats, for decent players; the table has all kinds."""
    main = main_cell(cells)
    own = [cell for cell in cells if cell.kind == main.kind]
    rows = {
        cell.label: {target_of(cell.arms[arm]): cell.figure(REACHED, arm).value for arm in cell.arms} for cell in own
    }
    matrix = pd.DataFrame(rows).T.sort_index(axis=1)
    pairs = [(cell, arm) for cell in cells for arm in cell.arms]
    drawn = [(cell, arm) for cell, arm in pairs if cell in own]
    targets = [target_of(cell.arms[arm]) for cell, arm in drawn]
    labels = [
        say("{label}, target {target}", label=cell.label, target=target)
        for (cell, _), target in zip(drawn, targets, strict=True)
    ]
    ends = extremes(labels, [cell.figure(REACHED, arm) for cell, arm in drawn], percent=True)
    frame = frame_of(
        [cell.figure(REACHED, arm) for cell, arm in pairs],
        players=[cell.kind.text for cell, _ in pairs],
        variant=[cell.label for cell, _ in pairs],
        target=[target_of(cell.arms[arm]) for cell, arm in pairs],
    )
    return Chart(
        "matrix",
        say("Games that reach each target ({players})", players=main.kind.text),
        charts.heat(matrix, x_label="target", percent=True, present=(str(target_of(main.variant)), main.label)),
        say(
            "Matrix of {seats} numbers of seats by {targets} targets; {ends}.",
            seats=len(matrix),
            targets=len(matrix.columns),
            ends=ends,
        ),
        "Framed: what the headline speaks of. The table has all kinds of player, with intervals.",
        Table("matrix", "Games that reach each target", frame, "Shares as fractions."),
    )


def overshooting(cells: Sequence[Cell]) -> Finding:
    """Say how often a seat past the target loses to a nearer one, and what another target changes."""
    main = main_cell(cells)
    others = [arm for arm in main.arms if arm != PLAYED]
    own = [cell for cell in cells if cell.label == main.label]
    changed = changes(own, OVERSHOT, others)
    said = [
        say(
            "Target {target}: {words}",
            target=target_of(main.arms[arm]),
            words=across(own, [changed[cell, arm] for cell in own], OVERSHOT),
        )
        for arm in (others[0], others[-1])
    ]
    return Finding(
        "overshooting",
        say(
            "In {overshot} of the games a seat at or past the target loses to a nearer one: {of_reached} of those that "
            "reach it ({name}).",
            overshot=OVERSHOT.text(main.figure(OVERSHOT)),
            of_reached=OF_REACHED.text(main.figure(OF_REACHED)),
            name=main.name,
        ),
        text=(
            say(
                "{figure}, {label}, against the target as played. {told}",
                figure=sentence(OVERSHOT.label),
                label=main.label,
                told=say(" ").join(said),
            ),
            say(
                "The winner of a game that reaches the target ends {excess} past it ({name}).",
                excess=EXCESS.text(main.figure(EXCESS)),
                name=main.name,
            ),
        ),
        charts=(
            target_curve(cells, OVERSHOT),
            dots(
                "overshot",
                sentence(OVERSHOT.label),
                cells,
                [cell.figure(OVERSHOT) for cell in cells],
                "Such a seat would have won, or shared the win, with fewer points.",
                percent=True,
                x_label="games",
            ),
        ),
        tables=tables_abreast(cells, (OF_REACHED, EXCESS)),
        title="Overshooting",
    )


STALL_WORDS = {
    "higher": "the seat ahead wins more than the second",
    "lower": "holding back pays, as the second seat wins more than the one ahead",
}


def short_words() -> dict[str, str]:
    """Return what is said of the seats in the second bin of points missing against those in the first."""
    near, far = bin_words(0), bin_words(1)
    words = "{more} short of the target wins more than {less}"
    return {"higher": say(words, more=far, less=near), "lower": say(words, more=near, less=far)}


def stalling(cells: Sequence[Cell]) -> Finding:
    """Say whether "nearest to the target" rewards who holds back."""
    main, labels = main_cell(cells), by_label(cells)
    leads, shorts = leads_of(cells), furthers_of(cells)
    said, *rest = stall_words(main, holding(cells), LEAD.verdict(leads[main]))
    return Finding(
        "stalling",
        said,
        text=(
            *rest,
            point_words(main),
            say(
                "The seat ahead wins {lead} more than the second ({name}).",
                lead=LEAD.change_text(leads[main]),
                name=main.name,
            ),
            *by_words(
                {label: across(own, [leads[cell] for cell in own], LEAD, STALL_WORDS) for label, own in labels.items()}
            ),
            *by_words(
                {
                    label: across(own, [shorts[cell] for cell in own], LEAD, short_words())
                    for label, own in labels.items()
                },
                "Near the target, ",
            ),
        ),
        charts=(missing_chart(cells), target_curve(cells, LEAD), *less_charts(cells)),
        tables=tables_abreast(cells, (AHEAD, SECOND)),
        assumes=(
            "Who stands where before the last round is what it is: the comparison doesn't say what a seat would have "
            "made of fewer points. The point taken off at the end does, for the last point alone.",
        ),
        title="Holding back",
    )


def leads_of(cells: Sequence[Cell]) -> dict[Cell, Estimate]:
    """Return what the seat ahead wins more than the second, with intervals that hold together."""
    return dict(zip(cells, simultaneous([cell.figure(LEAD) for cell in cells]), strict=True))


def furthers_of(cells: Sequence[Cell]) -> dict[Cell, Estimate]:
    """Return `further` of all cells, with intervals that hold together."""
    return dict(zip(cells, simultaneous([further(cell) for cell in cells]), strict=True))


def holding(cells: Sequence[Cell]) -> str:
    """Return whether holding back is rewarded: a verdict on the lead, or that it is rewarded near the target alone."""
    main = main_cell(cells)
    ahead, near = LEAD.verdict(leads_of(cells)[main]), LEAD.verdict(furthers_of(cells)[main])
    return NEAR if ahead == near == "higher" else ahead


NEAR = "near"
HOLD_WORDS = {
    NEAR: "holding back pays close to it",
    "higher": "holding back doesn't pay",
    "lower": "holding back pays",
    "undecided": "whether holding back pays is undecided",
}


def further(cell: Cell) -> Estimate:
    """Return what seats in the second bin of points missing before the last round win more than those in the first."""
    second, first = (((PLAYED, wins_of(at).top), (PLAYED, wins_of(at).bottom)) for at in (1, 0))
    return cell.joint.difference_of_ratios(second, first).scaled(1 / WHOLE)


def stall_words(main: Cell, pays: str, verdict: str) -> list[str]:
    """Return whether holding back is rewarded as sentences."""
    if pays == NEAR:
        near = say(
            'Close to the target "nearest to it" rewards holding back: {further} short before the last round a seat '
            "wins {further_wins} of the games, {nearer} short {nearer_wins} ({name}).",
            further=bin_words(1),
            further_wins=LEAD.text(main.figure(wins_of(1))),
            nearer=bin_words(0),
            nearer_wins=LEAD.text(main.figure(wins_of(0))),
            name=main.name,
        )
        return [near, say("Yet {told}.", told=ahead_words(main))]
    told = {
        "higher": 'No: "nearest to the target" doesn\'t reward holding back',
        "lower": 'Yes: "nearest to the target" rewards holding back',
        "undecided": 'Undecided whether "nearest to the target" rewards holding back',
    }.get(verdict) or say(
        '"Nearest to the target" makes who is ahead and who is second alike: {verdict}', verdict=verdict
    )
    return [say("{told}: {lead}.", told=told, lead=ahead_words(main))]


def ahead_words(main: Cell) -> str:
    """Return what the seat ahead and the second win as a phrase."""
    return say(
        "who is ahead before the last round wins {ahead} of the games, the second {second} ({name})",
        ahead=AHEAD.text(main.figure(AHEAD)),
        second=SECOND.text(main.figure(SECOND)),
        name=main.name,
    )


def point_words(main: Cell) -> str:
    """Return what a point less at the end would do as a sentence."""
    past, all_ = main.figure(LESS_PAST), main.figure(LESS)
    told = {1: "would win more often", -1: "would win less often", 0: "might win more or less often: undecided"}
    return say(
        "With a point less at the end a seat at or past the target {told_past}: {past}; any seat {told_all}: {all} "
        "({name}).",
        told_past=told[past.sign],
        past=LESS_PAST.change_text(past),
        told_all=told[all_.sign],
        all=LESS.change_text(all_),
        name=main.name,
    )


def missing_chart(cells: Sequence[Cell]) -> Chart:
    """Return the win share by points missing before the last round, for each kind of player in the main variant."""
    main = main_cell(cells)
    own = [(cell, at) for cell in cells if cell.label == main.label for at in range(BINS)]
    own = [(cell, at) for cell, at in own if cell.joint.total((PLAYED, wins_of(at).bottom)) >= LEAST]
    return curves(
        "missing",
        say("Games won by points missing before the last round ({label})", label=main.label),
        [cell.kind.text for cell, _ in own],
        [middle(at) for _, at in own],
        simultaneous([cell.figure(wins_of(at)) for cell, at in own]),
        say(
            "Seats in bins of {points} points, drawn at their middle; bins of fewer than {least} seats are left out. "
            "The line across is a fair share. A curve that falls to the right says that points are worth having.",
            points=BIN,
            least=LEAST,
        ),
        parameter="points missing before the last round",
        percent=True,
        reference=1 / main.variant.parameters.players,
        y_label="games won",
    )


def less_charts(cells: Sequence[Cell]) -> tuple[Chart, ...]:
    """Return what a point less at the end would bring seats at or past the target, and any seat."""
    return tuple(
        dots(
            figure.top,
            title,
            cells,
            [cell.figure(figure) for cell in cells],
            "Wins more, or less, had a seat one point less and all else stayed as played.",
            percent="points",
            reference_label="no difference",
            x_label="change of games won",
        )
        for figure, title in (
            (LESS_PAST, "What a point less at the end brings a seat at or past the target"),
            (LESS, "What a point less at the end brings any seat"),
        )
    )
