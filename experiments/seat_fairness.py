"""Is it fair who starts?

All seats are taken by players of one kind. Wins and points are counted by place from the seat that starts the game,
and by place from the seat that starts a round; a joint test says whether all places get the same. If the players move
on by one seat from game to game, all of them must.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.controlled import Controlled
from simlib.estimates.equality import Equality, equality
from simlib.estimates.families import holm, simultaneous
from simlib.estimates.words import listed, number, text
from simlib.experiments import Plan, Request
from simlib.figures import charts
from simlib.findings import Chart, Finding, Headline, Saving, Table, tile
from simlib.frames import frame_of
from simlib.heavy import pd
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting
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
    decent,
    dots,
    joined,
    main_cell,
    main_cells,
    of_decent,
    pictured,
    row_columns,
    scores_in,
    seated_as,
    seats_of,
    sentence,
    unit_of,
    variants_by_seats,
    wins_in,
)
from simlib.variants import Variant

GAME = "all"
TITLE = "Is it fair who starts?"
GAMES = 50_000
THIN = 2  # strong players play so many times fewer games than a survey's usual share
LUCK = {"suppose": ("ranks_", "ranks dealt"), "gara_tori": ("specials_dealt_", "specials dealt")}
CLEAR = 0.01  # p of a family, by Holm's rule, below which places clearly differ
SOUND = 1e-4  # p below which a rotated start would not be fair, so something be wrong with what deals and plays
EXCESS = Figure(
    "win share of the start seat above a fair share", "share_0", percent=True, unit=POINTS_APART, matters=0.0075
)
AHEAD = Figure("points of the start seat above the mean of the others", "ahead", unit="points", matters=0.1)
GLOSSARY = [
    ("start seat", "the seat that leads the first trick of the game"),
    ("place", "0 for the seat that starts, 1 for its left neighbour, and so on"),
    ("fair share", "1 / players: what each seat wins if all are equal"),
    ("win share", "1 for the sole winner of a game, 1 / k for each of k tied winners"),
    ("chi-square", "Hotelling's T squared: how far figures of all places are from equal, given how they vary together"),
    ("p", "how often places that are equal would look at least as unequal; adjusted by Holm's rule for many tests"),
    ("rotated", "all players move on by one seat from game to game, so that each starts as often as any other"),
    ("luck taken off", "less what a figure owes to dealt cards, which are known to be alike for all seats on average"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- what is counted -----------------------------------------------------------------------------------------------


def names(variant: Variant) -> list[str]:
    """Return the names of the counts: each by place from the start seat, but `rotated` by player."""
    places = range(seats_of(variant))
    kinds = ["share", "points", "round", "rotated", *(["luck"] if variant.game in LUCK else [])]
    return [*(f"{kind}_{place}" for kind in kinds for place in places), "ahead", "rounds", "units"]


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return wins, points and luck of each place, points of a round's places, and wins of players that move round.

    Shares count in 1/WHOLE wins; `ahead` is the start seat's points times the number of the others, less theirs.
    """
    seats, start = seats_of(variant), rows[:, row_columns(variant)["start_0"]]
    share, points = from_start(wins_in(rows, variant), start), from_start(scores_in(rows, variant), start)
    by_round, rounds = round_points(rows, variant)
    found = {
        "share": share,
        "points": points,
        "round": by_round,
        "rotated": from_start(share, np.arange(len(rows))),
        "luck": from_start(luck(rows, variant), start),
    }
    ones = np.ones(len(rows), np.int64)
    return {f"{kind}_{place}": values[:, place] for kind, values in found.items() for place in range(seats)} | {
        "ahead": seats * points[:, 0] - points.sum(axis=1),
        "rounds": rounds * unit_of(variant),
        "units": ones * unit_of(variant),
    }


def from_start(values: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return values by seat, (games, seats), by place from each game's start seat.

    Examples
    --------
    >>> from_start(np.array([[1, 2, 3]]), np.array([2]))
    array([[3, 1, 2]])
    """
    places = np.arange(values.shape[1])
    return np.take_along_axis(values, (np.asarray(start)[:, None] + places) % len(places), axis=1)


def luck(rows: np.ndarray, variant: Variant) -> np.ndarray:
    """Return each seat's dealt strength times the seats, less that of all: 0 on average; zeros where no column says."""
    seats = seats_of(variant)
    if variant.game not in LUCK:
        return np.zeros((len(rows), seats), np.int64)
    columns = columns_starting(row_columns(variant), LUCK[variant.game][0])
    dealt = rows[:, columns].astype(np.int64).reshape(len(rows), -1, seats).sum(axis=1)
    return seats * dealt - dealt.sum(axis=1, keepdims=True)


def round_points(rows: np.ndarray, variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """Return points by place from each round's own start, summed over a game's rounds, and how many were played."""
    column, seats = row_columns(variant), seats_of(variant)
    starts = rows[:, columns_starting(column, "start_")]
    points = POINTS_OF[variant.game](rows, variant).reshape(len(rows), -1, seats)
    last = rows[:, [column["rounds"]]] if "rounds" in column else np.full((len(rows), 1), starts.shape[1])
    played = np.arange(starts.shape[1]) < last
    placed = [from_start(points[:, each], starts[:, each]) * played[:, [each]] for each in range(starts.shape[1])]
    return np.sum(placed, axis=0), played.sum(axis=1)


def _bid_points(rows: np.ndarray, variant: Variant) -> np.ndarray:
    column, parameters = row_columns(variant), variant.parameters
    tricks, guesses, hits = (
        rows[:, columns_starting(column, name)].astype(np.int64) for name in ("tricks_", "guesses_", "hit_")
    )
    pays = [int(pay * parameters.unit) for pay in (0, parameters.bid.single, parameters.bid.double)]
    return tricks * int(parameters.score.trick * parameters.unit) + hits * np.array(pays)[guesses]


def _gained(rows: np.ndarray, variant: Variant) -> np.ndarray:
    scores = rows[:, columns_starting(row_columns(variant), "round_score_")].astype(np.int64)
    return np.diff(scores.reshape(len(rows), -1, seats_of(variant)), axis=1, prepend=0)


POINTS_OF = {"suppose": _bid_points, "gara_tori": scores_in, "take_trick": _gained}
SHARE = Figure("win share of the start seat", "share_0", scale=1 / WHOLE, percent=True)
SURVEY = Survey(names, count, thin=THIN, shows=SHARE)
START_EDGE = replace(EXCESS, top="edge", bottom="fair", size=True)
POINTS_EDGE = replace(AHEAD, bottom="others", size=True)


def count_edges(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return what the start seat wins above a fair share, and its points above the mean of the others."""
    counts, seats = count(rows, variant), seats_of(variant)
    return {
        "edge": seats * counts["share_0"] - WHOLE,
        "fair": np.full(len(rows), seats * WHOLE),
        "ahead": counts["ahead"],
        "others": counts["units"] * (seats - 1),
    }


MEASURES = Measured(count_edges, {"start_seat_edge": START_EDGE, "start_seat_points": POINTS_EDGE})


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats; chunks begin where the first player sits at the start seat."""
    variants, left_out = variants_by_seats(request, GAME)
    studies = SURVEY.studies(variants, request.games)
    return Plan(
        [replace(study, unit=len(study.arms[PLAYED].players)) for study in studies],
        variants,
        SURVEY.players(variants),
        SURVEY.played(variants, request.games),
        {"left_out": left_out},
    )


# ---- estimates -----------------------------------------------------------------------------------------------------


def above_fair(cell: Cell, share: Estimate) -> Estimate:
    """Return a win share less a fair share."""
    fair = 1 / seats_of(cell.variant)
    return replace(share, value=share.value - fair, low=share.low - fair, high=share.high - fair)


def start_share(cell: Cell) -> Controlled:
    """Return the win share of the start seat with luck taken off where the row says what was dealt."""
    controls = [(PLAYED, f"luck_{place}") for place in range(seats_of(cell.variant))]
    known = controls if cell.variant.game in LUCK else []
    if not known:
        return Controlled(cell.joint.mean((PLAYED, "share_0")).scaled(1 / WHOLE), 1.0)
    made = cell.joint.controlled((PLAYED, "share_0"), known)
    return Controlled(made.estimate.scaled(1 / WHOLE), made.factor)


def ahead(cell: Cell) -> Estimate:
    """Return the start seat's points, less the mean of the others."""
    return cell.joint.ratio((PLAYED, "ahead"), (PLAYED, "units")).scaled(1 / (seats_of(cell.variant) - 1))


def equal_places(cell: Cell, kind: str) -> Equality:
    """Return the joint test that all places have the same mean."""
    return equality(cell.joint, [(PLAYED, f"{kind}_{place}") for place in range(seats_of(cell.variant))])


class PlacesTest(NamedTuple):
    """A cell's joint test, and its p adjusted for all of its family."""

    cell: Cell
    test: Equality
    p: float

    @property
    def words(self) -> str:
        """What it says."""
        return {1: "differ", 0: "not told apart"}[self.p < CLEAR] if not math.isnan(self.p) else "too few games"


def judged(cells: Sequence[Cell], kind: str) -> list[PlacesTest]:
    """Return the joint tests of all cells."""
    tests = [equal_places(cell, kind) for cell in cells]
    adjusted = holm([each.p for each in tests])
    return [PlacesTest(*parts) for parts in zip(cells, tests, adjusted, strict=True)]


def p_text(p: float) -> str:
    """Return a p-value as people write it.

    Examples
    --------
    >>> p_text(0.0314), p_text(1e-9)
    ('p = 0.031', 'p < 0.0001')
    """
    if math.isnan(p):
        return say("no p: too few games")
    return "p < 0.0001" if p < 1e-4 else f"p = {number(p, 4 if p < 0.01 else 3 if p < 0.1 else 2)}"


def chi_text(test: Equality) -> str:
    """Return what a joint test rests on as people write it."""
    return say("chi-square {statistic} on {freedom}", statistic=number(test.statistic, 1), freedom=test.freedom)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what starting is worth in wins, how all places fare, points, rounds, and the rotated start."""
    cells = SURVEY.cells(run)
    mains = mains_of(cells)
    parts = [answer(cells, mains, run.facts["plan"]["left_out"]), places(cells, mains), in_points(cells, mains)]
    several = [cell for cell in cells if cell.variant.game != "gara_tori"]
    return [*parts, *([in_rounds(several)] if several else []), rotated(cells)]


def headline_figure(run: Results) -> Headline:
    """Return the win share of the start seat where luck can be taken off, of decent players."""
    main = main_cell(SURVEY.cells(run))
    share = start_share(main)
    return Headline(
        say("win share of the start seat ({name})", name=main.name),
        share.estimate,
        percent=True,
        savings=(Saving("luck taken off", share.factor),),
    )


def mains_of(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cell of each game that headlines speak of."""
    return decent(main_cells(cells))


def answer(cells: Sequence[Cell], mains: Sequence[Cell], left_out: Sequence[str]) -> Finding:
    """Say for each game what the start seat wins, and whether that is fair."""
    shares = {cell: start_share(cell) for cell in cells}
    wide = dict(zip(cells, simultaneous([shares[cell].estimate for cell in cells]), strict=True))
    above = {cell: above_fair(cell, share) for cell, share in wide.items()}
    return Finding(
        "answer",
        start_words(mains, wide, above),
        text=by_words(
            {label: across(own, [above[c] for c in own], EXCESS) for label, own in by_label(cells).items()},
            "The start seat's win share, against a fair one, ",
        ),
        tiles=tuple(
            tile(
                say("wins of the start seat, {game} (fair: {fair} %)", game=cell.title, fair=fair_text(cell)),
                wide[cell],
                cell.name,
                percent=True,
            )
            for cell in mains
        ),
        charts=(
            dots(
                "above_fair",
                "Win share of the start seat, above a fair share",
                cells,
                list(above.values()),
                say(
                    "All {count} intervals are widened so that they hold together. Seats are all of one kind.",
                    count=len(cells),
                ),
                percent="points",
                reference=0,
                reference_label="fair",
            ),
        ),
        tables=(share_table(cells, shares),),
        assumes=(*left_out, luck_words(mains, shares), "All seats are taken by players of one kind."),
        picture=pictured(
            "above_fair", [cell.title for cell in mains], [above[cell] for cell in mains], percent="points", reference=0
        ),
    )


def start_words(mains: Sequence[Cell], shares: Mapping[Cell, Estimate], above: Mapping[Cell, Estimate]) -> str:
    """Return what starting does in each game: with its wins where they are clear, or there is one game alone."""
    groups: dict[str, list[Cell]] = {}
    for cell in mains:
        groups.setdefault(EXCESS.verdict(above[cell]), []).append(cell)
    order = sorted(groups, key=lambda verdict: verdict not in ("higher", "lower"))
    told = [starting(verdict, groups[verdict], shares, numbers=len(groups) == 1) for verdict in order]
    return say("{told} ({players}).", told=sentence(say("; ").join(told)), players=seated_as(mains))


def starting(verdict: str, own: Sequence[Cell], shares: Mapping[Cell, Estimate], *, numbers: bool) -> str:
    """Return which games have a verdict, and how often the start seat wins in them."""
    games = joined([cell.title for cell in own])
    words = say(STARTING.get(verdict, "starting makes {verdict} in {games}"), verdict=verdict, games=games)
    if not numbers and verdict not in ("higher", "lower"):
        return words
    wins = [
        say("{share} where {fair} % is fair", share=text(shares[cell], percent=True), fair=fair_text(cell))
        for cell in own
    ]
    if len(own) > 1:
        wins = [say("{points} in {game}", points=win, game=cell.title) for win, cell in zip(wins, own, strict=True)]
    return say("{words}: the start seat wins {wins}", words=words, wins=joined(wins))


STARTING = {
    "higher": "starting helps in {games}",
    "lower": "starting hurts in {games}",
    "undecided": "whether starting helps or hurts is undecided in {games}",
}


def fair_text(cell: Cell) -> str:
    """Return the fair share of a seat, in per cent."""
    return f"{100 / seats_of(cell.variant):.4g}"


def luck_words(mains: Sequence[Cell], shares: Mapping[Cell, Controlled]) -> str:
    """Return which luck was taken off, and how much sharper that made the start seat's win share."""
    known = [cell for cell in mains if cell.variant.game in LUCK]
    told = [
        say("{luck} in {label}: {factor:.3g}", luck=LUCK[c.variant.game][1], label=c.label, factor=shares[c].factor)
        for c in known
    ]
    none = [cell.title for cell in mains if cell.variant.game not in LUCK]
    words = say("What was dealt to each seat is taken off; a game is then worth so many plain ones: {told}.",
                told=joined(told))  # fmt: skip
    rest = say("{games}: no column says what was dealt, so figures are plain means.", games=joined(none))
    return say(" ").join([words] * bool(known) + [rest] * bool(none))


def share_table(cells: Sequence[Cell], shares: Mapping[Cell, Controlled]) -> Table:
    """Return the start seat's win shares, luck taken off."""
    frame = frame_of(
        [shares[cell].estimate for cell in cells],
        players=[cell.kind.text for cell in cells],
        variant=[cell.label for cell in cells],
    )
    frame["fair"] = [1 / seats_of(cell.variant) for cell in cells]
    frame["a game is worth"] = [shares[cell].factor for cell in cells]
    return of_decent(Table("start_share", "Win share of the start seat, luck taken off", frame, "Shares as fractions."))


def places(cells: Sequence[Cell], mains: Sequence[Cell]) -> Finding:
    """Say in which games all places win alike."""
    found = judged(cells, "share")
    own = [each for each in found if each.cell.kind == mains[0].kind]
    return Finding(
        "places",
        equal_words(own, "win shares"),
        text=tuple(place_words(cell, each) for cell in mains for each in found if each.cell == cell),
        charts=(places_chart([cell for cell in cells if cell.kind == mains[0].kind]),),
        tables=(equality_table("wins_equal", "Joint tests that all places win alike", found),),
        assumes=(
            say(
                "p is adjusted for {count} tests by Holm's rule; below {limit} places clearly differ.",
                count=len(cells),
                limit=CLEAR,
            ),
        ),
        title="All places",
    )


def equal_words(own: Sequence[PlacesTest], what: str) -> str:
    """Return where places clearly differ, and where not."""
    found = {words: [each.cell for each in own if each.words == words] for words in WHERE}
    parts = [say(WHERE[words], what=what, games=games_named(some)) for words, some in found.items() if some]
    return say("{told} (joint tests, {players}).", told=sentence(say("; ").join(parts)), players=own[0].cell.kind.text)


WHERE = {  # by what a test says
    "differ": "{what} differ between places in {games}",
    "not told apart": "{what} aren't told apart between places in {games}",
    "too few games": "too few games in {games}",
}


def games_named(cells: Sequence[Cell]) -> str:
    """Return the games of cells as a phrase, each with its numbers of players."""
    counts: dict[str, list[str]] = {}
    for cell in cells:
        counts.setdefault(cell.title, []).append(str(seats_of(cell.variant)))
    return joined(
        [say("{title} with {counts} players", title=title, counts=joined(own)) for title, own in counts.items()]
    )


def place_words(cell: Cell, each: PlacesTest) -> str:
    """Return what all places of a cell win, and what its joint test says."""
    return say(
        "{name}, by place from the start seat: {shares}. Are all equal? {chi}, {p} adjusted.",
        name=cell.name,
        shares=listed(place_names(cell), shares_of(cell), percent=True),
        chi=chi_text(each.test),
        p=p_text(each.p),
    )


def place_names(cell: Cell) -> list[str]:
    """Return the places as texts."""
    return [say("place {place}", place=place) for place in range(seats_of(cell.variant))]


def shares_of(cell: Cell) -> list[Estimate]:
    """Return the win share of each place."""
    names = [(PLAYED, f"share_{place}") for place in range(seats_of(cell.variant))]
    return [cell.joint.mean(name).scaled(1 / WHOLE) for name in names]


def places_chart(cells: Sequence[Cell]) -> Chart:
    """Return the win shares of all places, above fair, by variant."""
    pairs = [(cell, place) for cell in cells for place in range(seats_of(cell.variant))]
    made = simultaneous([above_fair(cell, share) for cell in cells for share in shares_of(cell)])
    frame = frame_of(made, place=[place for _, place in pairs], variant=[cell.label for cell, _ in pairs])
    title = say("Win share by place from the start seat, above a fair share ({players})", players=cells[0].kind.text)
    matrix = frame.pivot_table("value", "variant", "place", sort=False)
    return Chart(
        "places",
        title,
        charts.heat(matrix, x_label="place from the start seat", centre=0, percent="points"),
        say("{told}.", told=listed(labels_of(pairs), made, EXCESS.change_unit, percent=True)),
        say(
            "From at least {games:,} games each, in points of a per cent; the table has intervals, which hold "
            "together.",
            games=min(cell.games for cell in cells),
        ),
        Table("places", title, frame, "Shares as fractions."),
    )


def labels_of(pairs: Sequence[tuple[Cell, int]]) -> list[str]:
    """Return how places of some cells are called."""
    return [say("{label}, place {place}", label=cell.label, place=place) for cell, place in pairs]


def equality_table(key: str, title: str, found: Sequence[PlacesTest]) -> Table:
    """Return joint tests as a table."""
    frame = pd.DataFrame(
        {
            "players": [each.cell.kind.text for each in found],
            "variant": [each.cell.label for each in found],
            "chi-square": [each.test.statistic for each in found],
            "freedom": [each.test.freedom for each in found],
            "p": [each.test.p for each in found],
            "p adjusted": [each.p for each in found],
            "n": [each.test.n for each in found],
        }
    )
    return of_decent(Table(key, title, frame))


def in_points(cells: Sequence[Cell], mains: Sequence[Cell]) -> Finding:
    """Say what starting is worth in points."""
    made = dict(zip(cells, simultaneous([ahead(cell) for cell in cells]), strict=True))
    return Finding(
        "points",
        points_words(mains, made),
        text=by_words(
            {label: across(own, [made[c] for c in own], AHEAD) for label, own in by_label(cells).items()},
            "The start seat's points, against the mean of the others, ",
        ),
        charts=(
            dots(
                "points_ahead",
                "Points of the start seat, above the mean of the others",
                cells,
                list(made.values()),
                say("Points a game. All {count} intervals are widened so that they hold together.", count=len(cells)),
                reference=0,
                reference_label="equal",
                x_label="points",
            ),
        ),
        tables=(equality_table("points_equal", "Joint tests that all places score alike", judged(cells, "points")),),
        title="Points",
    )


def points_words(mains: Sequence[Cell], made: Mapping[Cell, Estimate]) -> str:
    """Return by how much the start seat's points are above those of the others in each game, and whether clearly."""
    groups: dict[str, list[str]] = {}
    for cell in mains:
        words = say("{points} in {game}", points=AHEAD.text(made[cell]), game=cell.title)
        groups.setdefault(SCORING.get(AHEAD.verdict(made[cell]), "as good as the same"), []).append(words)
    told = [say("{words}, {games}", words=say(words), games=joined(games)) for words, games in groups.items()]
    return say(
        "Points of the start seat, against the mean of the others: {told} ({players}).",
        told=say("; ").join(told),
        players=seated_as(mains),
    )


SCORING = {
    "higher": "clearly more",
    "lower": "clearly fewer",
    "undecided": "undecided",
    "exactly the same": "exactly the same",
}


def in_rounds(cells: Sequence[Cell]) -> Finding:
    """Say whether places from the seat that starts a round score alike in it."""
    found = judged(cells, "round")
    own = [each for each in found if each.cell.kind == DECENT]
    pairs = [(each.cell, place) for each in own for place in range(seats_of(each.cell.variant))]
    made = [cell.joint.ratio((PLAYED, f"round_{place}"), (PLAYED, "rounds")) for cell, place in pairs]
    frame = frame_of(made, place=[str(place) for _, place in pairs], variant=[cell.label for cell, _ in pairs])
    title = say("Points a round by place from its start ({players})", players=DECENT.text)
    chart = Chart(
        "rounds",
        title,
        charts.interval_dots(frame, label="variant", group="place", x_label="points a round"),
        say("{told}.", told=listed(labels_of(pairs), made, "points")),
        "Each interval holds on its own.",
        Table("rounds", title, frame),
    )
    return Finding(
        "rounds",
        equal_words(own, "points within a round"),
        charts=(chart,),
        tables=(equality_table("rounds_equal", "Joint tests that all places score alike in a round", found),),
        assumes=(
            "Suppose's start goes round, so what a round's start is worth evens out over a game of as many rounds as "
            "seats. In Take-Trick the winner of a round's last trick starts the next.",
        ),
        title="Within a round",
    )


def rotated(cells: Sequence[Cell]) -> Finding:
    """Say whether players that move round win alike, as they must."""
    found = judged(cells, "rotated")
    known = [each for each in found if not math.isnan(each.test.p)]
    return Finding(
        "rotated",
        rotated_words(known),
        text=tuple(round_words(cell) for cell in cells if goes_round(cell.variant)),
        tables=(equality_table("rotated", "Joint tests that players win alike with a rotated start", found),),
        assumes=(
            say(
                "Player 0 starts the first game, player 1 the next, and so on. This checks what deals, plays and "
                "counts: p below {limit} would say that something is wrong with it.",
                limit=SOUND,
            ),
        ),
        title="Rotated start",
    )


def goes_round(variant: Variant) -> bool:
    """Tell whether the rules themselves let every seat start equally many rounds."""
    return variant.game == "suppose" and variant.parameters.rounds % seats_of(variant) == 0


def round_words(cell: Cell) -> str:
    """Return what the joint test says of seats that start equally many rounds."""
    own = equal_places(cell, "share")
    return say(ROUND[not own.p < SOUND], name=cell.name, chi=chi_text(own), p=p_text(own.p))


ROUND = {
    True: "{name}: each seat starts as many rounds, so the seats of one game should win alike: they do ({chi}, {p}).",
    False: "{name}: each seat starts as many rounds, so the seats of one game should win alike: they don't, as they "
    "must ({chi}, {p}).",
}


def rotated_words(known: Sequence[PlacesTest]) -> str:
    """Return what the check with a rotated start says."""
    if not known:
        return say("Rotated start: too few games to check.")
    worst = min(known, key=lambda each: each.test.p)
    return say(
        ROTATED[worst.test.p >= SOUND],
        count=len(known),
        p=p_text(worst.test.p)[4:],
        name=worst.cell.name,
        chi=chi_text(worst.test),
    )


ROTATED = {
    True: "Rotated start: all players win alike, as they must; the lowest of {count} p is {p} ({name}: {chi}).",
    False: "Rotated start: players don't win alike, as they must; the lowest of {count} p is {p} ({name}: {chi}).",
}
