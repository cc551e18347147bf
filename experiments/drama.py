"""How tense are the games: does skill rule, does the lead change, and when is the winner known?

Who leads is read from the standings after every trick. Order, spread, drama and security are borrowed measures; what
each is, and where it comes from, stands in docs/measures.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.joint import Joint
from simlib.estimates.words import extremes, listed
from simlib.experiments import Plan, Request
from simlib.figures import charts
from simlib.findings import Chart, Finding, Headline, Table
from simlib.frames import frame_of
from simlib.games import game_named
from simlib.hooks import seated
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, joint_sums, paired_sums, win_shares
from simlib.results import Results
from simlib.survey import (
    DECENT,
    PLAYED,
    STRONG,
    TRAINED,
    WEAK,
    WHOLE,
    Cell,
    Figure,
    Kind,
    Survey,
    by_label,
    decent,
    dots,
    game_tiles,
    headline,
    joined,
    kinds_named,
    main_cell,
    main_cells,
    main_labels,
    pictured,
    plan_of,
    row_columns,
    seats_of,
    sentence,
    tables,
    told,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "all"
TITLE = "Drama: order, spread, lead changes, and when the winner is known"
GAMES = 12_000
TENTHS = range(1, 10)  # of a game, at which it is asked who leads
MILLI = 1000
MICRO = 1_000_000
COMPLETIONS = 800  # games in which a seat opens from the same dealt cards
OFTEN = 8  # a card counts that in each half was led more than once for so many leads of the commonest one in both
HANDS_FOR = 40  # games of the survey there is a hand to open from
SKILLED = (DECENT, TRAINED, STRONG)  # who plays against random seats
DRAMA = Figure("drama", "severity", "behind", scale=1 / MILLI)
SECURITY = Figure("security", "secure", "moments", percent=True)
CHANGES = Figure("lead changes a game", "changes", unit="changes")
CHANGING = Figure("tricks after which another seat leads", "changes", "steps", percent=True)
SETTLED = Figure("part of a game after which the winner is known", "settled", scale=1 / MILLI, percent=True)
LAST = Figure("games that the last trick decides", "last", percent=True, chance=True)
HALF = Figure("win share of who leads at half of a game", "leader_5", scale=1 / WHOLE, percent=True)
ORDER = Figure("order", "order", percent=True)
SIDES = {1: "most of the game", 0: "about half of the game, or undecided,", -1: "less than half of the game"}
BLOG = 'M. Goadrich, "The Shape of Card Games" (2018, 2019)'
GLOSSARY = [
    (
        "standing",
        "points after a trick: in Suppose tricks so far and the bonuses of earlier rounds, as bids are secret; in "
        "Gara-tori the largest count of a colour; in Take-Trick the score as if the round ended there",
    ),
    ("leads", "no seat stands higher; level seats lead together"),
    (
        "order",
        "how far one skilled seat among random ones gets from a fair share of the wins (0 %) to all of them (100 %); "
        f"{BLOG}",
    ),
    (
        "spread",
        "how much it matters what is chosen: the standard deviation, between the cards that may be led to the first "
        f"trick, of the win share that random play makes of them. After {BLOG}, which takes best less worst at every "
        "decision",
    ),
    (
        "drama",
        "how far behind the later winner is, while it is behind: 0 hardly, 1 last of many; each time the root of the "
        f"distance in rank to a lead. {BLOG}, after C. Browne's thesis (2008), with standings in place of estimates",
    ),
    ("security", f"the share of the game in which the later winner leads, alone or level; {BLOG}, likewise"),
    (
        "lead change",
        "after a trick another seat leads alone than the last that led alone; after C. Browne, Automatic Generation "
        "and Evaluation of Recombination Games (PhD thesis, 2008)",
    ),
    ("winner is known", "from there on to the end nobody leads but who wins in the end; our own measure"),
    ("the last trick decides", "before it a seat leads, alone or level, that doesn't win; our own measure"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games, or hands for spread, behind a figure"),
]


# ---- counts --------------------------------------------------------------------------------------------------------


def names(variant: Variant) -> tuple[str, ...]:
    """Return the names of the counts of a game."""
    leaders = [f"leader_{tenth}" for tenth in TENTHS]
    return ("severity", "behind", "secure", "moments", "changes", "steps", "settled", "last", *leaders)


def count(games: Any, variant: Variant) -> dict[str, np.ndarray]:
    """Return what each game's standings tell of its tension; `games` is `batch.Played`."""
    module = game_named(variant.game).module("plays")
    plays = module.plays_of(variant.parameters, games)
    standings = module.standings(variant.parameters, games, plays)
    flat = standings.reshape(len(standings), -1, standings.shape[-1])
    return tension(flat, plays.played.sum(axis=(1, 2)), wins_of(games.rows, variant) == 1)


def wins_of(rows: np.ndarray, variant: Variant) -> np.ndarray:
    """Return who won each game, (games, seats) of 0 and 1."""
    column = row_columns(variant)
    return rows[:, columns_starting(column, "win_")].astype(np.int64)


def tension(standings: np.ndarray, tricks: np.ndarray, wins: np.ndarray) -> dict[str, np.ndarray]:
    """Return the counts of some games.

    Parameters
    ----------
    standings : (games, tricks, seats) int
        After each trick.
    tricks : (games,) int
        How many were played; standings behind them mean nothing.
    wins : (games, seats) bool
    """
    seats, number = wins.shape[1], np.arange(1, standings.shape[1] + 1)
    ahead = (standings[:, :, None] > standings[:, :, :, None]).sum(axis=3)
    leads, inner = ahead == 0, number < tricks[:, None]
    trails = inner[..., None] & wins[:, None] & ~leads
    severity = np.rint(MILLI * np.sqrt(np.maximum(2 * ahead - 1, 0) / (2 * (seats - 1)))).astype(np.int64)
    moments = inner.sum(axis=1) * wins.sum(axis=1)
    behind = trails.sum(axis=(1, 2))
    settled = np.where((leads & ~wins[:, None]).any(axis=2) & inner, number, 0).max(axis=1)
    steps = number[1:] <= tricks[:, None]
    return {
        "severity": (severity * trails).sum(axis=(1, 2)),
        "behind": behind,
        "secure": moments - behind,
        "moments": moments,
        "changes": (steps & passes(leads)).sum(axis=1),
        "steps": tricks - 1,
        "settled": MILLI * settled // tricks,
        "last": (settled == tricks - 1) & (tricks > 1),
    } | {f"leader_{tenth}": leaders_wins(leads, tricks * tenth // 10, wins) for tenth in TENTHS}


def passes(leads: np.ndarray) -> np.ndarray:
    """Return after which tricks, from the second on, another seat leads alone than the last that did.

    Parameters
    ----------
    leads : (games, tricks, seats) bool
        Who leads after each trick, alone or level.

    Returns
    -------
    (games, tricks - 1) bool
    """
    alone, number = leads.sum(axis=2) == 1, np.arange(leads.shape[1])
    last = np.maximum.accumulate(np.where(alone, number, -1), axis=1)
    seat = np.where(last < 0, -1, np.take_along_axis(leads.argmax(axis=2), np.maximum(last, 0), axis=1))
    return (seat[:, 1:] != seat[:, :-1]) & (seat[:, :-1] >= 0)


def leaders_wins(leads: np.ndarray, after: np.ndarray, wins: np.ndarray) -> np.ndarray:
    """Return the share of those that win among the leaders after some tricks, in 1/WHOLE; at first all seats lead."""
    led = leads[np.arange(len(leads)), np.maximum(after, 1) - 1] | (after == 0)[:, None]
    return WHOLE * (led & wins).sum(axis=1) // led.sum(axis=1)


SURVEY = Survey(names, count, whole=True, shows=SETTLED)


# ---- order and spread ----------------------------------------------------------------------------------------------


def order_studies(variants: Mapping[str, Variant], games: int) -> list[Any]:
    """Return a study for each main variant and skilled kind, which takes each seat in turn among random ones."""
    from simlib.batch import Study

    return [
        Study(
            f"order | {label} | {kind.text}",
            {f"seat {seat}": one_among(variants[label], kind, seat) for seat in range(seats_of(variants[label]))},
            SURVEY.games(variants[label], kind, max(1, games // 2)),
            partial(order_sums, variant=variants[label]),
        )
        for label in main_labels(variants)
        for kind in SKILLED
    ]


def one_among(variant: Variant, kind: Kind, seat: int) -> Any:
    """Return an arm in which one seat is of a kind and the others play randomly."""
    from simlib.batch import Arm

    known = game_named(variant.game).module("players").PLAYERS
    seats = [kind.text if each == seat else WEAK.text for each in range(seats_of(variant))]
    return Arm(variant, tuple(seated(text, known, "players") for text in seats))


def order_sums(rows: Mapping[str, np.ndarray], variant: Variant) -> dict[str, Any]:
    """Return the sums over deals of what the one seat won in all its places, in 1/WHOLE."""
    won = [win_shares(wins_of(games, variant), WHOLE)[:, seat] for seat, games in enumerate(rows.values())]
    return joint_sums(np.sum(won, axis=0)[:, None])


def order_of(run: Results, label: str, variant: Variant, kind: Kind) -> Estimate:
    """Return the order of a game: (p - 1/n) / (1 - 1/n), p being the win share of one skilled seat among n."""
    sums, seats = run.summaries[f"order | {label} | {kind.text}"], seats_of(variant)
    share = Joint(["won"], sums["sums"], sums["products"], int(sums["n"])).mean("won").scaled(1 / WHOLE)
    low, value, high = ((part - 1) / (seats - 1) for part in (share.low, share.value, share.high))
    return replace(share, value=value, low=low, high=high)


def spread_studies(variants: Mapping[str, Variant], games: int) -> list[Any]:
    """Return a study for each main variant: random games in which the first lead is made from the same dealt cards."""
    from simlib.batch import Arm, Study

    studies = []
    for label in main_labels(variants):
        variant, known = variants[label], game_named(variants[label].game).module("players").PLAYERS
        seats = (seated(WEAK.text, known, "players"),) * seats_of(variant)
        held = seats_of(variant) - 1 if variant.game == "suppose" else 0  # there the hands move on to the left
        arm = Arm(variant, seats, held, COMPLETIONS)
        measure = partial(spread_sums, variant=variant)
        hands = max(2, games // HANDS_FOR)
        studies.append(Study(f"spread | {label}", {PLAYED: arm}, hands * COMPLETIONS, measure, COMPLETIONS, whole=True))
    return studies


def spread_sums(played: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
    """Return the sums over hands of the variance between opening cards, in 1/MICRO of a squared win share."""
    games = played[PLAYED]
    plays = game_named(variant.game).module("plays").plays_of(variant.parameters, games)
    shares = win_shares(wins_of(games.rows, variant), WHOLE)[:, 0]
    between = variances(plays.cards[:, 0, 0, 0].reshape(-1, COMPLETIONS), shares.reshape(-1, COMPLETIONS))
    return paired_sums("spread", np.rint(MICRO * between / WHOLE**2)) | {"hands": np.int64(len(between))}


def variances(cards: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return how much the mean share differs between the cards of each hand: a variance, by chance even below 0.

    Each card's mean is taken over even and over odd games apart; what chance alone adds to one isn't in the other, so
    that the covariance of both is the variance of the true means.

    Parameters
    ----------
    cards, shares : (hands, games) int
        The card that was led, and what its seat won.
    """
    codes, hands = int(cards.max(initial=0)) + 1, len(cards)
    means, counts = [], []
    for half in (0, 1):
        cell = (np.arange(hands)[:, None] * codes + cards)[:, half::2].ravel()
        counts.append(np.bincount(cell, minlength=hands * codes).reshape(hands, codes))
        totals = np.bincount(cell, shares[:, half::2].ravel(), hands * codes).reshape(hands, codes)
        means.append(totals / np.maximum(counts[-1], 1))
    often = np.sum(counts, axis=0).max(axis=1, keepdims=True) / OFTEN
    known = (counts[0] > often) & (counts[1] > often)
    size = np.maximum(known.sum(axis=1), 1)
    off = [np.where(known, mean - ((mean * known).sum(axis=1) / size)[:, None], 0) for mean in means]
    return (off[0] * off[1]).sum(axis=1) / np.maximum(size - 1, 1)


def spread_of(run: Results, label: str) -> Estimate:
    """Return the standard deviation of the win share between opening cards."""
    from simlib.estimates.means import mean

    sums = run.summaries[f"spread | {label}"]
    found = mean(int(sums["spread"]), int(sums["spread_squares"]), int(sums["hands"])).scaled(1 / MICRO)
    value, low, high = (float(np.sqrt(max(part, 0.0))) if np.isfinite(part) else part
                        for part in (found.value, found.low, found.high))  # fmt: skip
    return replace(found, value=value, low=low, high=high)


MEASURES = Measured(
    count,
    {
        "winner_known": SETTLED,
        "lead_changes": CHANGES,
        "last_trick_decides": LAST,
        "drama": DRAMA,
        "security": SECURITY,
    },
    whole=True,
)


def plan(request: Request) -> Plan:
    """Return whole games of each game and number of seats, and besides what order and spread need."""
    variants, left_out = variants_by_seats(request, GAME)
    more = [*order_studies(variants, request.games), *spread_studies(variants, request.games)]
    return plan_of([SURVEY], variants, request.games, left_out, more)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return when the winner is known, how the lead changes, drama and security, then order and spread."""
    cells = SURVEY.cells(run)
    mains = main_cells(cells)
    left_out = tuple(run.facts["plan"]["left_out"])
    return [answer(cells, mains, left_out), lead(cells, mains), dramatic(cells, mains), ordered(run, mains)]


def headline_figure(run: Results) -> Headline:
    """Return in which part of a game the winner is known."""
    main = main_cell(SURVEY.cells(run))
    return headline(say("{figure} ({name})", figure=SETTLED.label, name=main.name), main, SETTLED)


def answer(cells: Sequence[Cell], mains: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say when the winner is known, and how often the last trick decides."""
    own = decent(mains)
    return Finding(
        "answer",
        say("Part of a game after which the winner is known: {told}.", told=told(own, SETTLED)),
        text=(
            say("Games that the last trick decides: {told}.", told=told(own, LAST)),
            *(late_words(of) for of in by_label(mains).values()),
        ),
        tiles=game_tiles(own, SETTLED),
        charts=(leader_chart(own), figure_chart(cells, SETTLED), figure_chart(cells, LAST)),
        assumes=(
            *left_out,
            "Standings are what lies on the table, not what seats expect: in Suppose bonuses come as a surprise at the "
            "end of a round, and in Take-Trick who leads may be about to lose a majority.",
        ),
        picture=pictured(
            SETTLED.top, [cell.title for cell in own], [cell.figure(SETTLED) for cell in own], percent=True
        ),
    )


def late_words(own: Sequence[Cell]) -> str:
    """Return whether the winner is known in the second half of a game or before, for each kind of player."""
    groups: dict[str, list[Kind]] = {}
    for cell in own:
        groups.setdefault(half_words(cell.figure(SETTLED)), []).append(cell.kind)
    return say(
        "{label}: It flips: on average the winner is known {told}."
        if {LATE, EARLY} <= set(groups)
        else "{label}: on average the winner is known {told}.",
        label=own[0].label,
        told=for_kinds(groups),
    )


def for_kinds(groups: Mapping[str, Sequence[Kind]]) -> str:
    """Return what is said for which kinds of player as a phrase."""
    return say("; ").join(
        say("{what} for {kinds}", what=words, kinds=kinds_named(kinds)) for words, kinds in groups.items()
    )


NEAR = 0.03  # so near to the middle of a game is about half way
LATE = "in the second half"
EARLY = "in the first half"


def half_words(part: Estimate) -> str:
    """Return in which half of a game something happens.

    Examples
    --------
    >>> half_words(Estimate(0.7, 0.6, 0.8, 9, ""))
    'in the second half'
    """
    if part.known and part.low > 0.5 - NEAR and part.high < 0.5 + NEAR:
        return "about half way"
    return {1: LATE, -1: EARLY}.get(int(part.low > 0.5) - int(part.high < 0.5), "in either half: undecided,")


def leader_chart(own: Sequence[Cell]) -> Chart:
    """Return how often who leads wins in the end, from tenth to tenth of a game."""
    points = [(cell, tenth) for cell in own for tenth in TENTHS]
    estimates = [cell.joint.mean((PLAYED, f"leader_{tenth}")).scaled(1 / WHOLE) for cell, tenth in points]
    frame = frame_of(estimates, part=[tenth / 10 for _, tenth in points], game=[cell.label for cell, _ in points])
    title = "How often who leads wins in the end"
    figure = charts.curve(
        frame, x="part", line="game", x_label="part of the game played", percent=True, x_percent=True
    )  # fmt: skip
    labels = [say("{label}, at {share} %", label=cell.label, share=10 * tenth) for cell, tenth in points]
    kept = [place for place, (_, tenth) in enumerate(points) if tenth in (1, 5, 9)]
    figures = listed([labels[place] for place in kept], [estimates[place] for place in kept], percent=True)
    ends = extremes(labels, estimates, percent=True)
    alt = say("A line a game. {figures}. Of all: {ends}.", figures=figures, ends=ends)
    caption = say(
        "Win share of the seat that leads after so much of a game's tricks; level seats count as an even mix of them "
        "(all seats {players}).",
        players=own[0].kind.text,
    )
    return Chart("leader", title, figure, alt, caption, Table("leader", title, frame, "Shares as fractions."))


def figure_chart(cells: Sequence[Cell], figure: Figure) -> Chart:
    """Return a figure for every game, number of seats and kind of player."""
    return dots(
        "_".join(filter(None, (figure.top, figure.bottom))),
        sentence(figure.label),
        cells,
        [cell.figure(figure) for cell in cells],
        say("{figure}, all seats taken by one kind of player.", figure=sentence(figure.label)),
        percent=figure.percent,
        x_label=figure.label,
    )


def lead(cells: Sequence[Cell], mains: Sequence[Cell]) -> Finding:
    """Say how often the lead changes."""
    own = decent(mains)
    return Finding(
        "lead",
        say("Lead changes a game: {told}.", told=told(own, CHANGES)),
        text=(
            say("{figure}: {words}.", figure=sentence(CHANGING.label), words=told(own, CHANGING)),
            say(
                "{figure}: {words}; an even share is {share:.3g} %.",
                figure=sentence(HALF.label),
                words=told(own, HALF),
                share=100 / seats_of(own[0].variant),
            ),
        ),
        charts=(figure_chart(cells, CHANGING),),
        tables=tables(cells, (CHANGES, HALF)),
        title="Lead changes",
    )


def dramatic(cells: Sequence[Cell], mains: Sequence[Cell]) -> Finding:
    """Say how secure the later winner's lead is, and how far behind it falls."""
    own = decent(mains)
    return Finding(
        "drama",
        say("Security, the part of a game in which the later winner leads: {told}.", told=told(own, SECURITY)),
        text=(
            say("While it is behind, drama is {told}, on a scale from 0 to 1.", told=told(own, DRAMA)),
            *(leading_words(of) for of in by_label(mains).values()),
        ),
        charts=(figure_chart(cells, SECURITY), figure_chart(cells, DRAMA)),
        title="Security and drama",
    )  # fmt: skip


def leading_words(own: Sequence[Cell]) -> str:
    """Return whether the later winner leads for more than half of a game, for each kind of player."""
    groups: dict[str, list[Kind]] = {}
    for cell in own:
        made = cell.figure(SECURITY)
        side = int(made.low > 0.5) - int(made.high < 0.5)
        groups.setdefault(SIDES[side], []).append(cell.kind)
    return say(
        "{label}: It flips: the later winner leads {told}."
        if {SIDES[1], SIDES[-1]} <= set(groups)
        else "{label}: the later winner leads {told}.",
        label=own[0].label,
        told=for_kinds(groups),
    )


def ordered(run: Results, mains: Sequence[Cell]) -> Finding:
    """Say what skill and what a single choice is worth."""
    cells = [cell for cell in mains if cell.kind in SKILLED]
    orders = [order_of(run, cell.label, cell.variant, cell.kind) for cell in cells]
    own = [(cell, made) for cell, made in zip(cells, orders, strict=True) if cell.kind == DECENT]
    spreads = [spread_of(run, cell.label) for cell, _ in own]
    return Finding(
        "order",
        say(
            "Order, one {player} seat among random ones: {told}.",
            player=own[0][0].kind.text,
            told=in_games([cell for cell, _ in own], [made for _, made in own]),
        ),
        text=(
            *(order_words(cell.label, [(c, e) for c, e in zip(cells, orders, strict=True) if c.label == cell.label])
              for cell, _ in own),
            say(
                "Spread of the first lead, in win share: {told}.", told=in_games([cell for cell, _ in own], spreads)
            ),
        ),
        charts=(order_chart(cells, orders), spread_chart([cell for cell, _ in own], spreads)),
        assumes=("Spread is that of random play after the first lead; in Suppose, too, its card counts as known.",),
        title="Order and spread",
    )  # fmt: skip


def in_games(cells: Sequence[Cell], estimates: Sequence[Estimate]) -> str:
    """Return shares of several games as a phrase."""
    return joined(
        [
            say("{figure} in {game}", figure=ORDER.text(made), game=cell.title)
            for cell, made in zip(cells, estimates, strict=True)
        ]
    )


def order_words(label: str, found: Sequence[tuple[Cell, Estimate]]) -> str:
    """Return for which kinds of player skill beats chance."""
    groups: dict[str, list[Kind]] = {}
    words = {1: "more than a fair share", -1: "less than a fair share", 0: "undecided whether more than a fair share"}
    for cell, made in found:
        groups.setdefault(words[made.sign], []).append(cell.kind)
    return say(
        "{label}, one seat against random ones: It flips: {told}."
        if {words[1], words[-1]} <= set(groups)
        else "{label}, one seat against random ones: {told}.",
        label=label,
        told=for_kinds(groups),
    )


def order_chart(cells: Sequence[Cell], orders: Sequence[Estimate]) -> Chart:
    """Return the order that each skilled kind of player finds."""
    caption = (
        "0 %: a fair share of the wins against random seats; 100 %: all of them. Each deal is played from all seats."
    )
    return dots("order", "Order", cells, orders, caption, percent=True, reference=0, x_label="order")


def spread_chart(cells: Sequence[Cell], spreads: Sequence[Estimate]) -> Chart:
    """Return the spread of the first lead."""
    caption = (
        "Standard deviation of the win share between the cards of a hand, as first lead; random play from then on."
    )
    return dots(
        "spread", "Spread of the first lead", cells, spreads, caption, percent=True, group=False, x_label="win share"
    )
