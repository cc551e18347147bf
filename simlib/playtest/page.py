"""The page of a playtest: whether one's own games fit the model, where they don't, and what so few can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib import results
from simlib.estimates import Estimate
from simlib.estimates.consistency import POWER, consistency, discernible
from simlib.estimates.families import holm
from simlib.estimates.proportions import wilson
from simlib.estimates.words import DASH, number, places_for, value_and_bracket, with_unit
from simlib.experiments import page_facts, variants_of
from simlib.figures import charts
from simlib.findings import Chart, Finding, Table, Tile
from simlib.frames import frame_of
from simlib.games import game_named
from simlib.heavy import pd
from simlib.languages import ENGLISH, AsTyped, say, speaking
from simlib.playtest import own_part, points_text, unit_of
from simlib.playtest.cells import BETWEEN
from simlib.playtest.drawn import binned, games_a_dot, marked_distribution, step_for
from simlib.playtest.figures import estimate, figures, played_tally
from simlib.playtest.logs import Played, played_from
from simlib.results import Results
from simlib.survey import Figure, joined, sentence

if TYPE_CHECKING:
    from simlib.pages.page import RunFacts

KIND = "playtest"
TITLE = "Your games beside simulated ones"
MOST_VALUES = 100  # that an alternative text lists
ALPHA = 0.05  # adjusted chances up to here are called too small
FIRST, SAID = 2, 4  # figures that the headline, and a sentence, list
OWN, SIMULATED = "your games", "simulated games"
SCORES = ("points", "gap")  # figures of scores that a sentence begins with
DRAWN = ("gap", "best")  # figures whose distribution is drawn
GLOSSARY = [
    ("your games", "the games of the log, as they were written down and checked against the rules"),
    ("simulated games", "games of the same variant and number of players, played by the players named on this page"),
    (
        "chance (p)",
        "how often as many simulated games as yours would be at least as far off as yours, on either side; computed "
        "from what simulated games came to, not by a curve",
    ),
    (
        "p, adjusted",
        "the same, made larger for the number of figures that are looked at (Holm): if all fit, one of them falls to "
        "0.05 or below on at most 5 % of such pages",
    ),
    ("fits", "the adjusted chance is above 0.05: chance explains how far off it is, which proves nothing more"),
    ("shows from", "a true difference of this size would come out as not fitting with a chance of 80 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


def label_of(players: int) -> str:
    """Return what games of so many players are called."""
    return f"{players} players"


@dataclass(frozen=True)
class Check:
    """One figure of one's own games beside simulated ones.

    Attributes
    ----------
    label : str
        Of the number of players.
    name : str
        The figure's.
    figure : Figure
    own, simulated : Estimate
    p, adjusted : float
        The chance of being so far off; the same allowing for all figures of the page. nan where it isn't known.
    shows : float
        The smallest difference that so many games would show, in the figure's unit.
    """

    label: str
    name: str
    figure: Figure
    own: Estimate
    simulated: Estimate
    p: float
    adjusted: float
    shows: float

    @property
    def fits(self) -> bool:
        """Whether chance explains how far off it is."""
        return not self.adjusted <= ALPHA

    @property
    def words(self) -> str:
        """Whether it fits, in words."""
        return "not known" if math.isnan(self.p) else "fits" if self.fits else "does not fit"


class Playtest:
    """A kept run: the log's games and the tallies of simulated ones."""

    def __init__(self, run: Results) -> None:
        self.run, self.variants = run, variants_of(run)
        self.log = [played_from(plain) for plain in run.facts["log"]]

    @property
    def rules(self) -> Any:
        """The parameters of the first variant: what is the same for all numbers of players."""
        return next(iter(self.variants.values())).parameters

    @property
    def game(self) -> str:
        """The game's name."""
        return next(iter(self.variants.values())).game

    def of(self, label: str) -> list[Played]:
        """Return the log's games of a number of players."""
        return [game for game in self.log if label_of(game.players) == label]

    def tallies(self, label: str, name: str, figure: Figure) -> tuple[np.ndarray, np.ndarray]:
        """Return the tallies of a figure over own and over simulated games."""
        simulated = np.asarray(self.run.summaries[label][name], np.int64).reshape(-1, 3)
        return played_tally([game.counts for game in self.of(label)], figure), simulated

    @cached_property
    def checks(self) -> list[Check]:
        """All figures that the log tells, by number of players; their adjusted chances allow for all of them."""
        told = [
            (label, name, figure, *self.tallies(label, name, figure))
            for label, variant in self.variants.items()
            for name, figure in figures(self.game, variant.parameters).items()
        ]
        told = [each for each in told if len(each[3])]
        chances = [consistency(own, simulated) for *_, own, simulated in told]
        return [
            Check(
                label, name, figure, estimate(own, figure), estimate(simulated, figure), p, adjusted,
                figure.scale * discernible(simulated, int(own[:, 2].sum()), family=len(told)),
            )
            for (label, name, figure, own, simulated), p, adjusted in zip(told, chances, holm(chances), strict=True)
        ]  # fmt: skip


# ---- words ---------------------------------------------------------------------------------------------------------


def chance_text(p: float) -> str:
    """Return a chance as text.

    Examples
    --------
    >>> chance_text(0.0321), chance_text(0.00002), chance_text(0.0012)
    ('= 0.032', '< 0.0001', '= 0.0012')
    """
    if math.isnan(p):
        return DASH
    if p < 0.0001:
        return "< 0.0001"
    return f"= {number(p, 2 if p >= 0.1 else 3 if p >= 0.01 else 4)}"


def answer(test: Playtest) -> Finding:
    """Say whether the games fit, where they don't, and what so few can show."""
    wrong = sorted((check for check in test.checks if not check.fits), key=lambda check: check.adjusted)
    return Finding(
        "answer",
        headline(test, wrong),
        text=tuple(filter(None, (all_wrong(test, wrong), power_words(test), people_words(test, wrong)))),
        tiles=tuple(tile_of(test, check) for check in [*wrong, *(each for each in test.checks if each.fits)][:4]),
        charts=charts_of(test),
        tables=(checks_table(test), games_table(test)),
        assumes=assumes(test),
    )


def headline(test: Playtest, wrong: Sequence[Check]) -> str:
    """Return the answer as a sentence."""
    count, checked = len(test.log), [check for check in test.checks if not math.isnan(check.p)]
    if wrong:
        return say(
            "Your one game doesn't fit this model in {wrong} of {all} figures: {figures}."
            if count == 1
            else "Your {count:,} games don't fit this model in {wrong} of {all} figures: {figures}.",
            count=count, wrong=len(wrong), all=len(checked),
            figures=say("; ").join(off_words(test, each) for each in wrong[:FIRST]),
        )  # fmt: skip
    least = chance_text(min(check.adjusted for check in checked))
    if count == 1:
        return say(
            "One game can't say much: none of its {all} figures is further off than chance explains (smallest adjusted "
            "p {least}).",
            all=len(checked), least=least,
        )  # fmt: skip
    return say(
        "Your {count:,} games fit this model: none of {all} figures is further off than chance explains (smallest "
        "adjusted p {least}).",
        count=count, all=len(checked), least=least,
    )  # fmt: skip


def name_of(test: Playtest, check: Check) -> str:
    """Return a figure's name, with the number of players where there are several."""
    label = say(check.figure.label)
    return say("{label}, {players}", label=label, players=check.label) if len(test.variants) > 1 else label


def off_words(test: Playtest, check: Check) -> str:
    """Return how far off a figure is."""
    return say(
        "{label} (yours {own}; the model {simulated}; adjusted p {chance})",
        label=name_of(test, check), own=check.figure.text(check.own), simulated=check.figure.text(check.simulated),
        chance=chance_text(check.adjusted),
    )  # fmt: skip


def all_wrong(test: Playtest, wrong: Sequence[Check]) -> str:
    """Return what doesn't fit and isn't in the headline."""
    rest = wrong[FIRST:]
    if not rest:
        return ""
    return say("Nor do these fit: {figures}.", figures=say("; ").join(off_words(test, check) for check in rest))


def power_words(test: Playtest) -> str:
    """Return what so few games would show."""
    told = telling_checks(test)
    count = max((check.own.n for check in told), default=0)
    listed = joined([say("{size} in {label}", size=size_text(check), label=name_of(test, check)) for check in told])
    if count == 1:
        return say(
            "One game can tell only differences larger than about {sizes}: it takes more to learn anything.",
            sizes=listed,
        )
    return say(
        "{count:,} games can tell only differences larger than about {sizes}: such a difference would come out with a "
        "chance of {power:.0f} %, a smaller one less often. That figures fit is no proof that the model is right.",
        count=count, sizes=listed, power=100 * POWER,
    )  # fmt: skip


def telling_checks(test: Playtest) -> list[Check]:
    """Return some checks of the number of players of which the log has the most games: scores first, then its own."""
    main = max(test.variants, key=lambda label: len(test.of(label)))
    wanted = [*SCORES, *own_part(test.game).figures(test.rules)]
    known = {check.name: check for check in test.checks if check.label == main and math.isfinite(check.shows)}
    return [known[name] for name in wanted if name in known][:SAID]


def size_text(check: Check) -> str:
    """Return the smallest difference that would show."""
    figure = check.figure
    shows = check.shows * (100 if figure.percent else 1)
    return with_unit(number(shows, places_for(2 * shows)), figure.change_unit)


def people_words(test: Playtest, wrong: Sequence[Check]) -> str:
    """Return what a figure that doesn't fit may come from."""
    if not wrong:
        return ""
    return say(
        "What doesn't fit may be owed to the people as well as to the rules: the model's players are {policy}. See "
        "what other players do (POLICY=), and whether the rules were played as they are read here.",
        policy=test.run.facts["policy"],
    )  # fmt: skip


def tile_of(test: Playtest, check: Check) -> Tile:
    """Return a figure of one's own games as a tile, with the model's beside it."""
    figure = check.figure
    value, how_sure = value_and_bracket(check.own, figure.unit, percent=figure.percent)
    model = value_and_bracket(check.simulated, figure.unit, percent=figure.percent)[0]
    return Tile(
        name_of(test, check),
        value,
        say("{how_sure}; simulated {model}; {verdict}", how_sure=how_sure, model=model, verdict=check.words),
    )


def assumes(test: Playtest) -> tuple[str, ...]:
    """Return what the answer rests on."""
    facts = test.run.facts
    return (
        say(
            "The model: {game}, {variant}, all seats taken by {policy}, {games:,} simulated games for each number of "
            "players in the log.",
            game=game_named(test.game).title, variant=next(iter(test.variants.values())).name, policy=facts["policy"],
            games=facts["asked"],
        ),
        say(
            "Your games are taken as independent of each other. Games of the same few people hang together, and then "
            "chance explains more than is told here."
        ),
        say("Each number of players is compared by itself; a figure rests on those games of the log that tell it."),
    )  # fmt: skip


# ---- tables and charts ---------------------------------------------------------------------------------------------


def checks_table(test: Playtest) -> Table:
    """Return every figure with its check."""
    checks = test.checks
    columns: dict[str, list[Any]] = {
        "figure": [sentence(check.figure.label) for check in checks],
        "players": [check.label for check in checks],
    }
    frame = pd.DataFrame(
        columns
        | _ends("yours", [check.own for check in checks])
        | _ends("simulated", [check.simulated for check in checks])
        | {
            "p": [check.p for check in checks],
            "p, adjusted": [check.adjusted for check in checks],
            "shows from": [check.shows for check in checks],
            "what it says": [check.words for check in checks],
        }
    )
    shown = pd.DataFrame(
        columns
        | {
            "yours": [check.figure.text(check.own) for check in checks],
            "simulated": [check.figure.text(check.simulated) for check in checks],
            "p, adjusted": [chance_text(check.adjusted).removeprefix("= ") for check in checks],
            "shows from": [size_text(check) for check in checks],
            "what it says": [check.words for check in checks],
        }
    )
    if len(test.variants) == 1:
        shown = shown.drop(columns="players")
    note = say("In the download, shares are fractions.")
    return Table("checks", "Every figure, yours and simulated", frame, note, shown)


def _ends(name: str, estimates: Iterable[Estimate]) -> dict[str, list[float]]:
    kept = list(estimates)
    return {f"{name}, {part}": [getattr(each, part) for each in kept] for part in ("value", "low", "high", "n")}


def games_table(test: Playtest) -> Table:
    """Return the games of the log as they were read."""
    own = {name: [game.counts.get(name) for game in test.log] for name in counted_names(test)}
    columns: dict[str, list[Any]] = {
        "line of the log": [str(game.line) for game in test.log],
        "date": [AsTyped(game.date) for game in test.log],
        "names": [AsTyped(BETWEEN.join(game.names)) for game in test.log],
        "scores": [BETWEEN.join(points_text(score, test.rules) for score in game.scores) for game in test.log],
        "seats that won": [BETWEEN.join(map(str, game.winners)) for game in test.log],
        "seat that started": ["" if game.start is None else str(game.start) for game in test.log],
        **{say(name): ["" if count is None else str(count) for count in counts] for name, counts in own.items()},
        "note": [AsTyped(game.note) for game in test.log],
    }
    kept = {name: cells for name, cells in columns.items() if any(cells)}
    return Table("games", "Your games, as they were read", pd.DataFrame(kept, dtype=object))


def counted_names(test: Playtest) -> list[str]:
    """Return the names of what the game's own part counted in any game of the log."""
    own = own_part(test.game).figures(test.rules)
    needed = dict.fromkeys(name for figure in own.values() for name in (figure.top, figure.bottom) if name)
    return [name for name in needed if any(name in game.counts for game in test.log)]


def charts_of(test: Playtest) -> tuple[Chart, ...]:
    """Return figures of one unit side by side, then the distributions of scores."""
    groups = {
        "shares": ("Shares, yours and simulated", [check for check in test.checks if check.figure.percent]),
        "points": ("Points, yours and simulated", [check for check in test.checks if check.figure.unit == "points"]),
        "counts": (
            "Counts a game, yours and simulated",
            [check for check in test.checks if not check.figure.percent and not check.figure.unit],
        ),
    }
    beside = [beside_chart(test, key, title, own) for key, (title, own) in groups.items() if own]
    drawn = [distribution_chart(test, check) for check in test.checks if check.name in DRAWN]
    return (*beside, *drawn)


def beside_chart(test: Playtest, key: str, title: str, checks: Sequence[Check]) -> Chart:
    """Return figures of one unit, one's own dot above the simulated one."""
    pairs = [(check, each, who) for check in checks for each, who in ((check.own, OWN), (check.simulated, SIMULATED))]
    names = [sentence(name_of(test, check)) for check, _, _ in pairs]
    percent = checks[0].figure.percent
    frame = frame_of([each for _, each, _ in pairs], label=names, games=[who for *_, who in pairs])
    figure = charts.interval_dots(frame, group="games", percent=percent)
    told = [
        say("{label}: yours {own}; simulated {simulated}", label=name_of(test, check),
            own=check.figure.text(check.own), simulated=check.figure.text(check.simulated))
        for check in checks
    ]  # fmt: skip
    caption = say(
        "Your games and {games:,} simulated ones for each number of players, all seats {policy}; bars are 95 % "
        "intervals.",
        games=test.run.facts["asked"], policy=test.run.facts["policy"],
    )  # fmt: skip
    note = say("Shares as fractions.") if percent else ""
    return Chart(key, title, figure, f"{say('; ').join(told)}.", caption, Table(key, title, frame, note))


def distribution_chart(test: Playtest, check: Check) -> Chart:
    """Return how often simulated games come to each value of a score, with one's own games below."""
    rules = test.variants[check.label].parameters
    tallies = test.tallies(check.label, check.name, check.figure)
    frame, step = distribution_frame(tallies, unit_of(rules))
    title = say("{label}, {players}", label=sentence(check.figure.label), players=check.label)
    unit = say("points") if step == 1 else say("points, {step} to a bar", step=step)
    drawn = marked_distribution(frame, step=step, x_label=unit, names=(OWN, SIMULATED))
    values = [number(float(start), 0) for start in np.repeat(frame["points from"], frame["your games"])]
    more = "\u2026" if len(values) > MOST_VALUES else ""
    alt = say(
        "Bars: how often {games:,} simulated games come to each value; they average {simulated}. Dots: your games, at "
        "{values}.",
        games=check.simulated.n, simulated=check.figure.text(check.simulated),
        values=say(", ").join(values[:MOST_VALUES]) + more,
    )  # fmt: skip
    caption = say(
        "Each dot is one of your games; each bar a share of the simulated ones, with its 95 % interval."
        if (dot := games_a_dot(frame["your games"])) == 1
        else "Each dot is up to {dot} of your games; each bar a share of the simulated ones, with its 95 % interval.",
        dot=dot,
    )
    key = f"{check.name}_{rules.players}"
    return Chart(key, title, drawn, alt, caption, Table(key, title, frame, say("Shares as fractions.")))


def distribution_frame(tallies: tuple[np.ndarray, np.ndarray], unit: int) -> tuple[pd.DataFrame, int]:
    """Return a row a bar, as `marked_distribution` takes it, and how wide bars are."""
    points = [tally[:, 0] / unit for tally in tallies]
    together = np.concatenate(points)
    low, high = math.floor(together.min()), math.floor(together.max())
    step = step_for(low, high + 1)
    start = low // step * step
    bars = (high - start) // step + 1
    own, simulated = (binned(part, tally[:, 2], start, step, bars) for part, tally in zip(points, tallies, strict=True))
    shares = [wilson(int(count), int(simulated.sum())) for count in simulated]
    return frame_of(shares, **{"points from": start + step * np.arange(bars), "your games": own}), step


# ---- page ----------------------------------------------------------------------------------------------------------


def answer_of(run: Results) -> Finding:
    """Return the answer of a run, with its evidence."""
    return answer(Playtest(run))


def write_page(folder: Path, language: str = ENGLISH) -> Path:
    """Make a playtest's page and downloads from its result file alone, in a language; return the page's path."""
    from simlib.pages.page import write

    run = results.load(folder, KIND)
    with speaking(language):
        return write(folder, *page_of(run), lambda: page_of(run)[0])


def page_of(run: Results) -> tuple[list[Finding], RunFacts]:
    """Return what a playtest's page says, as `experiments.page_of` does."""
    title = say("{game}: your games beside simulated ones", game=game_named(run.facts["variants"][0]["game"]).title)
    question = say("Do the games in {file} fit the model?", file=AsTyped(run.facts["file"]))
    return [answer_of(run)], page_facts(run, title, question, GLOSSARY)
