"""What changes with the number of players?

One page for each game's whole range: scores, how far apart they end, shared wins, choices, who wins tricks, length,
and what starting is worth, all seats taken by players of one kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.independent import apart
from simlib.estimates.words import listed, number, places_for, text
from simlib.experiments import Plan, Request
from simlib.figures import charts
from simlib.findings import Chart, Finding, Headline, Picture, Table, Tile, tile
from simlib.frames import frame_of
from simlib.games import game_named
from simlib.heavy import pd
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting
from simlib.results import Results
from simlib.survey import (
    DECENT,
    KINDS,
    PLAYED,
    WHOLE,
    Cell,
    Figure,
    Survey,
    across,
    joined,
    main_labels,
    pictured,
    row_columns,
    scores_in,
    seats_of,
    sentence,
    tables,
    unit_of,
    variants_by_seats,
    wins_in,
)
from simlib.variants import Variant

GAME = "all"
TITLE = "What changes with the number of players?"
GAMES = 30_000
THIN = 2
FIGURES = (
    Figure("points a seat and game", "points", "seats", unit="points", matters=0.25),
    Figure("first less last", "gap", "units", unit="points", matters=0.25),
    Figure("first less second", "lead", "units", unit="points", matters=0.25),
    Figure("sole winners", "sole", percent=True, chance=True, matters=0.01),
    Figure("choices of a leader", "leader_choices", "leader_plays", unit="cards", matters=0.1),
    Figure("choices of a follower", "follower_choices", "follower_plays", unit="cards", matters=0.1),
    Figure("tricks won by the leader", "won_0", "tricks", percent=True, matters=0.01),
    Figure("the leader's tricks, in fair shares", "led", "tricks", matters=0.02),
    Figure("wins of the start seat, in fair shares", "start", scale=1 / WHOLE, matters=0.03),
    Figure("rounds a game", "rounds", matters=0.05),
    Figure("cards played a game", "cards", unit="cards", matters=1),
)
NAMED = {figure.top: figure for figure in FIGURES}
SHOWN = 3  # figures of each game among what changes most
GIVEN = ("rounds", "cards", "won_0")  # what mostly follows from the number of cards and seats: no headline
CURVES = ("points", "gap", "sole", "follower_choices", "led", "start")
GLOSSARY = [
    ("first less last", "the highest final score of a game less its lowest"),
    ("sole winners", "games that one seat alone wins; in the others two or more share the win"),
    ("choices", "cards that the rules let a seat play"),
    ("fair share", "1 / players; in fair shares, 1 is what each seat or place gets if all are equal"),
    ("start seat", "the seat that leads the first trick of the game"),
    ("place", "in a trick: 0 leads, 1 plays next, and so on"),
    ("clearly", "the interval of the difference lies on one side of 0, and not all of it within what is called small"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- what is counted -----------------------------------------------------------------------------------------------


def names(variant: Variant) -> list[str]:
    """Return the names of the counts; `won_p` are tricks won from place p."""
    plain = ("points", "gap", "lead", "sole", "start", "led", "tricks", "rounds", "cards", "seats", "units")
    choices = ("leader_plays", "leader_choices", "follower_plays", "follower_choices")
    return [*plain, *choices, *(f"won_{place}" for place in range(seats_of(variant)))]


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return the counts of each game; `start` is in 1/WHOLE fair shares, `led` in fair shares."""
    column, seats, ones = row_columns(variant), seats_of(variant), np.ones(len(rows), np.int64)
    scores = np.sort(scores_in(rows, variant), axis=1)
    wins = wins_in(rows, variant)
    won = rows[:, columns_starting(column, "won_from_place_")].astype(np.int64)
    choices = {name: rows[:, column[name]] for name in names(variant) if name in column and "_" in name}
    return choices | {f"won_{place}": won[:, place] for place in range(seats)} | {
        "points": scores.sum(axis=1),
        "gap": scores[:, -1] - scores[:, 0],
        "lead": scores[:, -1] - scores[:, -2],
        "sole": (wins > 0).sum(axis=1) == 1,
        "start": seats * np.take_along_axis(wins, rows[:, [column["start_0"]]], axis=1)[:, 0],
        "led": seats * won[:, 0],
        "tricks": won.sum(axis=1),
        "rounds": rows[:, column["rounds"]] if "rounds" in column else variant.parameters.rounds * ones,
        "cards": rows[:, [column["leader_plays"], column["follower_plays"]]].sum(axis=1),
        "seats": seats * unit_of(variant) * ones,
        "units": unit_of(variant) * ones,
    }  # fmt: skip


SURVEY = Survey(names, count, thin=THIN, shows=NAMED["sole"])
MEASURES = Measured(
    count,
    {
        "points_a_seat": NAMED["points"],
        "first_less_last": NAMED["gap"],
        "first_less_second": NAMED["lead"],
        "sole_winners": NAMED["sole"],
        "leader_choices": NAMED["leader_choices"],
        "follower_choices": NAMED["follower_choices"],
        "leader_tricks": NAMED["won_0"],
        "rounds_a_game": NAMED["rounds"],
        "cards_a_game": NAMED["cards"],
    },
    headline="sole_winners",
)


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats."""
    variants, left_out = variants_by_seats(request, GAME)
    return SURVEY.plan(variants, request.games, left_out)


# ---- estimates -----------------------------------------------------------------------------------------------------


class Change(NamedTuple):
    """What a figure is more with the most players of a game than with the fewest, for one kind of player."""

    fewest: Cell
    most: Cell
    figure: Figure
    estimate: Estimate

    @property
    def verdict(self) -> str:
        """What the difference says."""
        return self.figure.verdict(self.estimate)

    @property
    def part(self) -> Estimate | None:
        """The change in parts of what the figure is with the fewest players; None where that is 0."""
        before = self.fewest.figure(self.figure).value
        return self.estimate.scaled(1 / before) if before > 0 else None

    @property
    def size(self) -> float:
        """How large it is, in what is called small."""
        return abs(self.estimate.value) / self.figure.matters


def changed(cells: Sequence[Cell]) -> list[Change]:
    """Return what changes in every figure from the fewest to the most players, for every game and kind of player."""
    found = []
    for game in games_of(cells):
        for kind in KINDS:
            own = [cell for cell in cells if cell.variant.game == game and cell.kind == kind]
            if len(own) > 1:
                ends = (own[0], own[-1])
                found += [Change(*ends, each, apart(ends[1].figure(each), ends[0].figure(each))) for each in FIGURES]
    widened = simultaneous([each.estimate for each in found])
    return [each._replace(estimate=estimate) for each, estimate in zip(found, widened, strict=True)]


def games_of(cells: Sequence[Cell]) -> list[str]:
    """Return the games in order."""
    return list(dict.fromkeys(cell.variant.game for cell in cells))


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what changes most in each game, then an audit of each."""
    cells = SURVEY.cells(run)
    changes = changed(cells)
    return [
        answer(cells, changes, run.facts["plan"]["left_out"]),
        *(audit(game, cells, changes) for game in games_of(cells)),
        by_place(cells),
    ]


def headline_figure(run: Results) -> Headline:
    """Return the share of sole winners, of decent players with the fewest seats of the first game."""
    cell = next(cell for cell in SURVEY.cells(run) if cell.kind == DECENT)
    sole = NAMED["sole"]
    return Headline(say("{figure} ({name})", figure=sole.label, name=cell.name), cell.figure(sole), percent=True)


def answer(cells: Sequence[Cell], changes: Sequence[Change], left_out: Sequence[str]) -> Finding:
    """Say for each game what changes most with the number of players."""
    mains = [[each for each in own if each.fewest.kind == DECENT] for own in _by_game(changes)]
    told = [most_words(own) for own in mains]
    most, picture = shown_most(mains)
    alone = [game_named(game).title for game in games_of(cells) if game not in {c.fewest.variant.game for c in changes}]
    rest = say("{games}: one number of players alone, so nothing to compare.", games=joined(alone))
    return Finding(
        "answer",
        say(" ").join([*told, *[rest] * bool(alone)]),
        tiles=tuple(most_tile(own) for own in mains if clearest(own)),
        charts=(*most, *(curve_chart(NAMED[name], cells) for name in CURVES)) if changes else (),
        assumes=(
            *left_out,
            say(
                "All {count} intervals of differences are widened so that they hold together. What changes most is "
                "measured by what is called small for each figure.",
                count=len(changes),
            ),
            "All seats are taken by players of one kind. Decks and hands change with the number of players as the "
            "rules say.",
        ),
        picture=picture,
    )


def most_tile(own: Sequence[Change]) -> Tile:
    """Return what changes most in one game."""
    most = clearest(own)[0]
    label = say("{title}: {figure}", title=most.fewest.title, figure=most.figure.label)
    where = say("{most} players less {fewest}, {players}", most=seats_of(most.most.variant),
                fewest=seats_of(most.fewest.variant), players=most.fewest.kind.text)  # fmt: skip
    return tile(label, most.estimate, where, percent=most.figure.percent)


def _by_game(changes: Sequence[Change]) -> list[list[Change]]:
    games = dict.fromkeys(each.fewest.variant.game for each in changes)
    return [[each for each in changes if each.fewest.variant.game == game] for game in games]


def most_words(own: Sequence[Change]) -> str:
    """Return which figures change clearly in one game, and the one that does so most."""
    fewest, most = own[0].fewest, own[0].most
    head = {
        "title": fewest.title,
        "fewest": seats_of(fewest.variant),
        "most": seats_of(most.variant),
        "players": fewest.kind.text,
    }
    clear = clearest(own)
    if not clear:
        return say("{title}, {fewest} to {most} players: nothing changes clearly ({players}).", **head)
    figure, change = clear[0].figure, clear[0].estimate
    others = labels_of(clear[1:3])
    return say(
        MOST_AND_THEN if others else MOST,
        figure=figure.label,
        first=figure.text(fewest.figure(figure)),
        last=figure.text(most.figure(figure)),
        change=figure.change_text(change),
        others=others,
        **head,
    )


MOST = "{title}, {fewest} to {most} players: most changes {figure}, from {first} to {last}: {change} ({players})."
MOST_AND_THEN = (
    "{title}, {fewest} to {most} players: most changes {figure}, from {first} to {last}: {change}; then {others} "
    "({players})."
)


def clearest(own: Sequence[Change]) -> list[Change]:
    """Return what clearly changes, the most first."""
    clear = [each for each in own if each.verdict in {"higher", "lower"} and each.figure.top not in GIVEN]
    return sorted(clear, key=lambda each: -each.size)


def shown_most(mains: Sequence[Sequence[Change]]) -> tuple[tuple[Chart, ...], Picture | None]:
    """Return what changes most in each game as a chart, and the first of each game as a small picture."""
    kept = [each for own in mains for each in clearest(own)[:SHOWN] if each.part]
    if not kept:
        return (), None
    names = [say("{title}: {figure}", title=each.fewest.title, figure=each.figure.label) for each in kept]
    parts = [each.part for each in kept if each.part]
    title = "What changes most from the fewest to the most players"
    frame = frame_of(parts, label=names, fewest=[seats_of(each.fewest.variant) for each in kept],
                     most=[seats_of(each.most.variant) for each in kept])  # fmt: skip
    chart = Chart(
        "most",
        title,
        charts.interval_dots(frame, reference=0, reference_label="no change", percent=True, x_label="change"),
        say("Dots with intervals: {figures}.", figures=listed(names, parts, percent=True)),
        say("Changes in parts of what a figure is with the fewest players, taken as exact (all seats {players}).",
            players=kept[0].fewest.kind.text),
        Table("most", title, frame, "Shares as fractions."),
    )  # fmt: skip
    firsts = [at for at, each in enumerate(kept) if not at or kept[at - 1].fewest.title != each.fewest.title]
    return (chart,), pictured(
        "most", [names[at] for at in firsts], [parts[at] for at in firsts], percent=True, reference=0
    )


def labels_of(changes: Sequence[Change]) -> str:
    """Return the names of what changes as a phrase."""
    return say(", ").join(say(each.figure.label) for each in changes)


def audit(game: str, cells: Sequence[Cell], changes: Sequence[Change]) -> Finding:
    """Say all that changes in one game, and what doesn't."""
    own = [each for each in changes if each.fewest.variant.game == game]
    main = [each for each in own if each.fewest.kind == DECENT]
    return Finding(
        game,
        audit_words(game, main),
        text=tuple(all_kinds(figure, own) for figure in FIGURES if own),
        tables=(audit_table(game, [cell for cell in cells if cell.variant.game == game and cell.kind == DECENT]),),
        title=say(game_named(game).title),
    )


def audit_words(game: str, main: Sequence[Change]) -> str:
    """Return what rises, what falls, what stays and what is open from the fewest to the most players."""
    title = game_named(game).title
    if not main:
        return say("{title}: one number of players.", title=title)
    groups: dict[str, list[Change]] = {}
    for each in main:
        word = {"higher": "up", "lower": "down", "undecided": "undecided"}.get(each.verdict, "much the same")
        groups.setdefault(word, []).append(each)
    words = [word for word in ("up", "down", "much the same", "undecided") if word in groups]
    return say(
        "{title}, from {fewest} to {most} players ({players}): {told}.",
        title=title,
        fewest=seats_of(main[0].fewest.variant),
        most=seats_of(main[0].most.variant),
        players=main[0].fewest.kind.text,
        told=say("; ").join(say("{word}: {figures}", word=word, figures=labels_of(groups[word])) for word in words),
    )


def all_kinds(figure: Figure, own: Sequence[Change]) -> str:
    """Return what changes in a figure, and whether it does for all kinds of player."""
    some = [each for each in own if each.figure == figure]
    main = next(each for each in some if each.fewest.kind == DECENT)
    told = across([each.fewest for each in some], [each.estimate for each in some], figure)
    return say("{figure}: {change}. {told}", figure=figure.label, change=figure.change_text(main.estimate), told=told)


def audit_table(game: str, own: Sequence[Cell]) -> Table:
    """Return all figures of one game against the number of players, each with its interval."""
    columns = {
        f"{seats_of(cell.variant)} players": [_with_ends(figure, cell.figure(figure)) for figure in FIGURES]
        for cell in own
    }
    frame = pd.DataFrame({"figure": [figure.label for figure in FIGURES]} | columns)
    note = say(
        "Each with its 95 % interval, from {games:,} games of {players} players.",
        games=own[0].games,
        players=own[0].kind.text,
    )
    return Table(f"audit_{game}", say("{title} by number of players", title=game_named(game).title), frame, note)


def _value(figure: Figure, estimate: Estimate) -> str:
    scale = 100 if figure.percent else 1
    unit = " %" if figure.percent else ""
    return f"{number(scale * estimate.value, places_for(scale * (estimate.high - estimate.low)))}{unit}"


def _with_ends(figure: Figure, estimate: Estimate) -> str:
    if not estimate.known or estimate.low == estimate.high:
        return _value(figure, estimate)
    scale = 100 if figure.percent else 1
    decimals = places_for(scale * (estimate.high - estimate.low))
    low, high = (number(scale * end, decimals) for end in (estimate.low, estimate.high))
    return say("{value} ({low} to {high})", value=_value(figure, estimate), low=low, high=high)


def curve_chart(figure: Figure, cells: Sequence[Cell]) -> Chart:
    """Return a figure against the number of players, a line a game."""
    own = [cell for cell in cells if cell.kind == DECENT]
    made = [cell.figure(figure) for cell in own]
    frame = frame_of(made, players=[seats_of(cell.variant) for cell in own], game=[cell.title for cell in own])
    title = say("{figure} by number of players", figure=sentence(figure.label))
    drawn = charts.curve(
        frame, x="players", line="game", x_label="players", y_label=figure.unit or figure.label, percent=figure.percent,
        reference=1 if "fair shares" in figure.label else None, height=2.4,
    )  # fmt: skip
    alt = listed([cell.label for cell in own], made, figure.unit, percent=figure.percent)
    caption = say(
        "All seats {players}; bands are 95 % intervals, from {games:,} games each.",
        players=DECENT.text,
        games=own[0].games,
    )
    key = f"by_players_{figure.top}"
    return Chart(key, title, drawn, say("{told}.", told=alt), caption, Table(key, title, frame))


def by_place(cells: Sequence[Cell]) -> Finding:
    """Say from which place of a trick most tricks are won, for each number of players."""
    own = [cell for cell in cells if cell.kind == DECENT]
    pairs = [(cell, place) for cell in own for place in range(seats_of(cell.variant))]
    made = [place_share(cell, place) for cell, place in pairs]
    frame = frame_of(made, variant=[cell.label for cell, _ in pairs], place=[place for _, place in pairs])
    title = say("Tricks won from each place, in fair shares ({players})", players=DECENT.text)
    labels = [say("{label}, place {place}", label=cell.label, place=place) for cell, place in pairs]
    matrix = frame.pivot_table("value", "variant", "place", sort=False)
    chart = Chart(
        "places",
        title,
        charts.heat(matrix, x_label="place", centre=1, places=2),
        say("{told}.", told=listed(labels, made)),
        say(
            "1 is a fair share. From {games:,} games each; the table has intervals, each on its own.",
            games=own[0].games,
        ),
        Table("places", title, frame),
    )
    mains = main_labels({cell.label: cell.variant for cell in own})
    told = say("; ").join(
        say("{label}: {words}", label=cell.label, words=best_place(cell)) for cell in own if cell.label in mains
    )
    return Finding(
        "places",
        say("Where most tricks are won from: {told} ({players}).", told=told, players=DECENT.text),
        text=tuple(place_words(game, own) for game in games_of(own)),
        charts=(chart,),
        tables=tables(cells, FIGURES),
        title="Where tricks are won from",
    )


def place_share(cell: Cell, place: int) -> Estimate:
    """Return the tricks won from a place, in fair shares."""
    return cell.joint.ratio((PLAYED, f"won_{place}"), (PLAYED, "tricks")).scaled(seats_of(cell.variant))


def place_words(game: str, cells: Sequence[Cell]) -> str:
    """Return the best place of a trick for each number of players of a game, if it is clear."""
    told = say("; ").join(
        say("with {count} players {place}", count=seats_of(cell.variant), place=best_place(cell))
        for cell in cells
        if cell.variant.game == game
    )
    return say(
        "Most tricks in {title} are won from: {told} ({players}).",
        title=game_named(game).title,
        told=told,
        players=cells[0].kind.text,
    )


def best_place(cell: Cell) -> str:
    """Return from which place most tricks are won, and how many."""
    shares = simultaneous([place_share(cell, place) for place in range(seats_of(cell.variant))])
    ranked = sorted(enumerate(shares), key=lambda pair: -pair[1].value)
    (place, first), (_, second) = ranked[:2]
    clear = first.known and second.known and first.low > second.high
    return say("place {place}, {share}", place=place, share=text(first, "fair shares")) if clear else "not told apart"
