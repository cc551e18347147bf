"""Two designs of a game on common deals: what differs in them, what moves, and games that show why."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simlib import history, results
from simlib.checkpoints import kept_in
from simlib.designs import Design
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import listed, number, places_for, value_and_bracket, with_unit
from simlib.experiments import DESIGN, page_facts, variant_facts, variants_of, versions
from simlib.figures import charts, parts
from simlib.findings import Chart, Finding, Table, Tile
from simlib.frames import frame_of
from simlib.games import game_named
from simlib.heavy import pd
from simlib.hooks import Seated
from simlib.landscape import Landscape, Spot, studies
from simlib.languages import ENGLISH, AsTyped, say, speaking
from simlib.measured import Measure, measures_of
from simlib.precision import half_width
from simlib.records import told
from simlib.results import Results
from simlib.samples import record_of, values_of
from simlib.survey import Figure, sentence
from simlib.sweep.plan import spelled
from simlib.targets import Goal, goals_of, target_finding, with_goals
from simlib.telling import Beside, Tale, told_side_by_side

if TYPE_CHECKING:
    from simlib.pages.page import RunFacts

KIND = "compare"
TITLE = "Two designs compared"
BLOCK = "pair"
A, B = "A", "B"
FAR = 10  # half intervals that a measure is away from 0 where its change is told in parts of it
DEALING = ("players", "deck.", "hand.size", "trump.")  # parameters by which other cards are dealt or drawn
SHOWN_FROM = 400  # games among which those are looked for that show why
GLOSSARY = [
    ("measure", "a figure that an experiment takes of a variant by itself; `simlib measures GAME` lists them"),
    ("B less A", "the measure under B less the same under A, paired by deal"),
    ("clearly", "the interval lies on one side of 0, though all measures' intervals hold together with 95 %"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "deals behind a figure, each played under both designs"),
]


@dataclass(frozen=True)
class Asked:
    """What is to be compared.

    Attributes
    ----------
    name : str
        An experiment's name, or DESIGN.
    designs : (A, B)
    players : tuple of tuple of Seated
        For each design one a seat.
    policy : str
        As typed.
    goals : sequence of Goal
        The targets of the designs' files.
    """

    name: str
    designs: Sequence[Design]
    players: Sequence[tuple[Seated, ...]]
    policy: str
    games: int
    seed: int
    command: str
    goals: Sequence[Goal] = ()


class Move(NamedTuple):
    """What a measure is under both designs, and how far it moves; the moves' intervals hold together."""

    measure: Measure
    before: Estimate
    after: Estimate
    change: Estimate

    @property
    def figure(self) -> Figure:
        """How the measure is counted and shown."""
        return self.measure.figure

    @property
    def verdict(self) -> str:
        """What the difference says."""
        return self.figure.verdict(self.change)

    @property
    def surely(self) -> float:
        """How many half intervals the difference is away from 0; 0 where it isn't known, or nothing moved."""
        half = (self.change.high - self.change.low) / 2
        if not self.change.known or not half:
            return float("inf") if self.change.known and self.change.value else 0.0
        return abs(self.change.value) / half


# ---- what is played ------------------------------------------------------------------------------------------------


def measures_for(name: str, game: str) -> list[Measure]:
    """Return the measures that are compared: one experiment's, or all of a game."""
    known = measures_of(game).values()
    found = [measure for measure in known if name in (DESIGN, measure.experiment)]
    if not found:
        raise BadInput(f"NAME={name}: it measures nothing of a variant of {game} by itself")
    return found


def run(
    asked: Asked, folder: Path, jobs: int, *, quiet: bool = False, language: str = ENGLISH,
    fresh: bool = False, tell: Callable[[list[str]], None] = lambda lines: None,
) -> Path:  # fmt: skip
    """Play both designs on common deals, keep the result in the folder and return the page's path.

    Parameters
    ----------
    fresh : bool, optional
        Play all games, whatever an earlier run finished of them.
    tell : callable, optional
        Takes what is to be said before it is played.
    """
    from simlib import batch

    one, other = (design.variant for design in asked.designs)
    measures = with_goals(measures_for(asked.name, one.game), asked.goals)
    spots = [
        Spot(label, variant, players)
        for label, variant, players in zip((A, B), (one, other), asked.players, strict=True)
    ]
    with kept_in(folder, f"OUT={folder}", fresh=fresh, tell=tell) as kept:
        played = batch.run(studies(BLOCK, spots, measures, asked.games), asked.seed, jobs, quiet=quiet, kept=kept)
        run = Results(KIND, _facts(asked, measures), played)
        run.facts["games_shown"] = _shown(run, spots, asked)
        results.save(folder, run)
        page = write_page(folder, language)
        kept.clear()
    with speaking(language):
        history.add(folder, history.entry_of(run, TITLE, findings(run)[0].headline, KIND))
    return page


def _facts(asked: Asked, measures: Sequence[Measure]) -> dict[str, Any]:
    labelled = dict(zip((A, B), (design.variant for design in asked.designs), strict=True))
    seats = {player.text: player.sentence for players in asked.players for player in players}
    return {
        "name": asked.name,
        "texts": [design.text for design in asked.designs],
        "variants": variant_facts(labelled),
        "measures": [measure.name for measure in measures],
        "goals": [[goal.name, goal.text] for goal in asked.goals],
        "players": seats,
        "sees_all": list(dict.fromkeys(seat.text for seats in asked.players for seat in seats if seat.player.sees_all)),
        "policy": asked.policy,
        "played": {"deals, each under both designs": asked.games},
        "games": asked.games,
        "seed": asked.seed,
        "command": asked.command,
        "versions": versions(),
    }


# ---- games that show why -------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """One deal played under both designs.

    Attributes
    ----------
    number : int
        The game's, in the run.
    values : (A, B)
        What the measure is in these two games.
    why : str
        Why it is shown.
    """

    number: int
    values: tuple[float, float]
    why: str


WHYS = (
    "it differs by about as much as games do on average",
    "it differs more: of all games looked at a quarter differ at least so much this way",
    "it differs most",
)


def _shown(run: Results, spots: Sequence[Spot], asked: Asked) -> dict[str, Any]:
    """Return the measure that moves most surely, and games that show it, as records."""
    found = moves(run)
    if not found:
        return {}
    move, games = found[0], min(asked.games, SHOWN_FROM)
    measured = move.measure.measured
    before, after = (values_of(measured, move.figure, spot.variant, asked.seed, games, spot.players) for spot in spots)
    return {
        "measure": move.measure.name,
        "games": [
            each._asdict()
            | {
                "records": [
                    json.loads(record_of(measured, spot.variant, asked.seed, each.number, spot.players))
                    for spot in spots
                ]
            }
            for each in telling_games(before, after, up=move.change.value >= 0)
        ],
    }


def telling_games(before: np.ndarray, after: np.ndarray, *, up: bool) -> list[Shown]:
    """Return up to three games that show how a measure moves: an average one, a strong one, and the strongest.

    Parameters
    ----------
    before, after : (games,) float
        The measure of each game under both designs; nan where it has none.
    up : bool
        Which way it moves on average.

    Examples
    --------
    >>> [game.number for game in telling_games(np.zeros(4), np.array([0.0, 1.0, 2.0, 9.0]), up=True)]
    [2, 3]
    """
    moved = (after - before) * (1 if up else -1)
    known = np.flatnonzero(np.isfinite(moved))
    if not len(known):
        return []
    ranked = known[np.argsort(-moved[known], kind="stable")]
    average = known[np.argmin(np.abs(moved[known] - moved[known].mean()))]
    chosen = dict.fromkeys((int(average), int(ranked[len(ranked) // 4]), int(ranked[0])))
    found = {index: why for index, why in zip((average, ranked[len(ranked) // 4], ranked[0]), WHYS, strict=True)}
    return [Shown(index, (float(before[index]), float(after[index])), found[index]) for index in chosen]


# ---- findings ------------------------------------------------------------------------------------------------------


def landscape_of(run: Results) -> Landscape:
    """Return both designs as a landscape."""
    known = measures_of(next(iter(variants_of(run).values())).game)
    return Landscape({BLOCK: [A, B]}, [known[name] for name in run.facts["measures"]], run.summaries)


def moves(run: Results) -> list[Move]:
    """Return what every measure moves, the surest first; their intervals hold together."""
    land = landscape_of(run)
    changes = simultaneous([land.change(name, B, A) for name in land.measures])
    found = [
        Move(measure, land.estimate(name, A), land.estimate(name, B), change)
        for (name, measure), change in zip(land.measures.items(), changes, strict=True)
    ]
    return sorted(found, key=lambda move: -move.surely)


def findings(run: Results) -> list[Finding]:
    """Return what differs, then what every measure moves, then games that show it."""
    found = moves(run)
    return [answer(run, found), *targets_met(run), everything(found), *games_shown(run)]


def targets_met(run: Results) -> list[Finding]:
    """Return what comes of the designs' targets under both; nothing where there are none."""
    goals = goals_of(dict(run.facts["goals"]), run.facts["variants"][0]["game"], results.FILE)
    return [target_finding(goals, landscape_of(run), [A, B], run.facts["policy"])] if goals else []


def answer(run: Results, found: Sequence[Move]) -> Finding:
    """Say how many measures clearly move, and which most surely."""
    texts, policy = [AsTyped(text) for text in run.facts["texts"]], run.facts["policy"]
    clear = [move for move in found if move.verdict in ("higher", "lower")]
    return Finding(
        "answer",
        headline(found, clear, policy),
        text=(
            say("A is {a}; B is {b}.", a=texts[0], b=texts[1]),
            rest_words(found),
        ),
        tiles=tuple(tile_of(move) for move in clear[:4]),
        tables=(settings_table(run),),
        assumes=(say("All seats are taken by {players}.", players=policy), same_deals(run)),
    )


def headline(found: Sequence[Move], clear: Sequence[Move], policy: str) -> str:
    """Return the answer as a sentence."""
    if not clear:
        return say("No measure of {all} clearly moves from A to B ({players}).", all=len(found), players=policy)
    first = clear[0]
    return say(
        "{count} of {all} measures clearly move from A to B; most surely {label}: {verdict}, {change}, from "
        "{before} to {after} ({players}).",
        count=len(clear), all=len(found), label=first.figure.label, verdict=first.verdict,
        change=first.figure.change_text(first.change), before=first.figure.text(first.before),
        after=first.figure.text(first.after), players=policy,
    )  # fmt: skip


def rest_words(found: Sequence[Move]) -> str:
    """Return what becomes of the measures that don't clearly move as a sentence."""
    undecided = sum(move.verdict == "undecided" for move in found)
    clear = sum(move.verdict in ("higher", "lower") for move in found)
    return say(
        "{undecided} of the {all} measures are undecided, and {same} are the same or differ by no more than what is "
        "called small.",
        undecided=undecided, all=len(found), same=len(found) - clear - undecided,
    )  # fmt: skip


def tile_of(move: Move) -> Tile:
    """Return a measure's move as a tile."""
    figure = move.figure
    return Tile(figure.label, *value_and_bracket(move.change, figure.change_unit, percent=figure.percent))


def same_deals(run: Results) -> str:
    """Return whether both designs deal the same cards as a sentence."""
    one, other = variants_of(run).values()
    if not any(name.startswith(DEALING) for name in differing(one.flat(), other.flat())):
        return say("Every deal is played under both designs: the same cards in the same hands.")
    return say(
        "The decks or hands differ: game number i of both designs shares its random numbers, not its cards. "
        "Differences are right all the same, and less sharp."
    )


def settings_table(run: Results) -> Table:
    """Return the settings that differ."""
    one, other = (variant.flat() for variant in variants_of(run).values())
    names = differing(one, other)
    frame = pd.DataFrame(
        {
            "setting": names,
            A: [spelled(one[name]) if name in one else "" for name in names],
            B: [spelled(other[name]) if name in other else "" for name in names],
        }
    )
    return Table("settings", "The settings that differ", frame)


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the names of the parameters that differ."""
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


def moves_chart(found: Sequence[Move], *, percent: bool) -> Chart | None:
    """Return the differences of all shares, or of all other measures, in parts of what they are under A."""
    own = [move for move in found if move.figure.percent == percent and move.change.known]
    if not percent:
        own = [move for move in own if move.before.known and abs(move.before.value) > FAR * half_width(move.before)]
    if not own:
        return None
    changes = [move.change if percent else relative(move) for move in own]
    frame = frame_of(changes, label=[move.figure.label for move in own])
    key, title = ("shares", "How far shares move") if percent else ("others", "How far all other measures move")
    caption = (
        "B less A in points of a per cent, the surest first; all intervals hold together."
        if percent
        else "B less A in per cent of what the measure is under A, the surest first; all intervals hold together. What "
        "it is under A is taken as exact; measures that are near 0 under A are left out."
    )
    unit: parts.Percent = parts.POINTS if percent else True
    figure = charts.interval_dots(frame, reference=0, reference_label="no difference", percent=unit)
    return Chart(
        key,
        title,
        figure,
        alt_of(title, own, changes, percent=percent),
        caption,
        Table(key, title, frame, "Shares as fractions."),
    )


def relative(move: Move) -> Estimate:
    """Return a difference in parts of what the measure is under A."""
    made = move.change.scaled(1 / abs(move.before.value))
    return made


def alt_of(title: str, own: Sequence[Move], changes: Sequence[Estimate], *, percent: bool) -> str:
    """Return the alternative text of a chart of some moves: their changes as they are drawn."""
    unit = "points of a per cent" if percent else "%"
    told = listed([move.figure.label for move in own], changes, unit, percent=True)
    return say("{title}, dots with intervals: {figures}.", title=title, figures=told)


def everything(found: Sequence[Move]) -> Finding:
    """List every measure under both designs."""
    return Finding(
        "measures",
        say("Every measure under A and B, the surest moves first"),
        charts=tuple(filter(None, (moves_chart(found, percent=True), moves_chart(found, percent=False)))),
        tables=(Table("measures", "Every measure", measures_frame(found), measures_note(), measures_shown(found)),),
        title="Every measure",
    )


def measures_note() -> str:
    """Return what the table's columns are."""
    return say(
        "Differences are paired by deal; their intervals hold together, those under A and B each alone. In the "
        "download, shares are fractions."
    )


def measures_shown(found: Sequence[Move]) -> pd.DataFrame:
    """Return every measure in words, as they have unlike units."""
    return pd.DataFrame(
        {
            "measure": [sentence(move.figure.label) for move in found],
            "name": [move.measure.name for move in found],
            A: [move.figure.text(move.before) for move in found],
            B: [move.figure.text(move.after) for move in found],
            "B less A": [move.figure.change_text(move.change) for move in found],
            "verdict": [move.verdict for move in found],
        }
    )


def measures_frame(found: Sequence[Move]) -> pd.DataFrame:
    """Return every measure with its values, its difference and what that says."""
    columns: dict[str, list[Any]] = {
        "measure": [sentence(move.figure.label) for move in found],
        "name": [move.measure.name for move in found],
        "experiment": [move.measure.experiment for move in found],
        "verdict": [move.verdict for move in found],
    }
    for name, estimates in (
        ("A", [move.before for move in found]),
        ("B", [move.after for move in found]),
        ("B less A", [move.change for move in found]),
    ):
        for part in ("value", "low", "high"):
            columns[f"{name}, {part}"] = [getattr(each, part) for each in estimates]
    return pd.DataFrame(columns | {"n": [move.change.n for move in found]})


def games_shown(run: Results) -> list[Finding]:
    """Return the games that show why the surest measure moves, told side by side; nothing where there are none."""
    shown = run.facts["games_shown"]
    if not shown or not shown["games"]:
        return []
    figure = landscape_of(run).figure(shown["measure"])
    return [
        Finding(
            "games",
            say("The same deals under both designs: {label}", label=figure.label),
            text=(
                say("They are chosen among the first {count:,} games.", count=min(run.facts["games"], SHOWN_FROM)),
                *(game_words(game, figure) for game in shown["games"]),
            ),
            tables=tuple(game_table(game, folded=at > 0) for at, game in enumerate(shown["games"])),
            title="Games under both designs",
        )
    ]


def game_words(game: Mapping[str, Any], figure: Figure) -> str:
    """Return why a game is shown, with its own values; these are exact, as they are one game's."""
    before, after = (value_words(value, figure) for value in game["values"])
    return say(
        "Game {number:,}: {label} {before} under A and {after} under B; {why}.",
        number=game["number"], label=figure.label, before=before, after=after, why=game["why"],
    )  # fmt: skip


def value_words(value: float, figure: Figure) -> str:
    """Return a measure of one game as words."""
    scaled = value * (100 if figure.percent else 1)
    unit = "%" if figure.percent else figure.unit
    shown = number(scaled, 0 if scaled == round(scaled) else places_for(abs(scaled)))
    return with_unit(shown, unit)


def game_table(game: Mapping[str, Any], *, folded: bool) -> Table:
    """Return a game told under both designs, line by line where it differs."""
    one, other = (told(record) for record in game["records"])
    frame = pd.DataFrame(told_beside(one, other), columns=["moment", A, B])
    title = say("Game {number:,} under A and B", number=game["number"])
    return Table(f"game_{game['number']}", title, frame, folded=folded)


def told_beside(one: Tale, other: Tale) -> list[tuple[str, str, str]]:
    """Return two tales line by line; all moments in a row that are the same in both take one line."""
    rows: list[tuple[str, str, str]] = []
    for same, found in groupby(told_side_by_side(one, other, (A, B)).rows, lambda beside: beside.same):
        moments = list(found)
        rows += [alike(moments)] if same else [line for beside in moments for line in lines_of(beside)]
    return rows


def alike(moments: Sequence[Beside]) -> tuple[str, str, str]:
    """Return one line for all moments in a row that are the same in both games."""
    first, last = (title_of(moments[at]) for at in (0, -1))
    between = first if len(moments) == 1 else f"{first} \u2026 {last}"
    return between, say("the same as under {other}", other=B), say("the same as under {other}", other=A)


def lines_of(beside: Beside) -> list[tuple[str, str, str]]:
    """Return a moment of both games line by line, the first behind the moment's title."""
    one, other = ([say("not in this game")] if part is None else [*part.lines, *part.outcome] for part in beside)
    return [
        (title_of(beside) if not row else "", *both) for row, both in enumerate(zip_longest(one, other, fillvalue=""))
    ]


def title_of(beside: Beside) -> str:
    """Return the title of a moment."""
    return next(part.title for part in (beside.one, beside.other) if part)


def write_page(folder: Path, language: str = ENGLISH) -> Path:
    """Make a comparison's page and downloads from its result file alone, in a language; return the page's path."""
    from simlib.pages.page import write

    run = results.load(folder, KIND)
    with speaking(language):
        return write(folder, *page_of(run), lambda: page_of(run)[0])


def page_of(run: Results) -> tuple[list[Finding], RunFacts]:
    """Return what a comparison's page says, as `experiments.page_of` does."""
    title = say("{game}: two designs compared", game=game_named(run.facts["variants"][0]["game"]).title)
    one, other = (AsTyped(text) for text in run.facts["texts"])
    question = say("What changes from {a} to {b}?", a=one, b=other)
    return findings(run), page_facts(run, title, question, GLOSSARY)
