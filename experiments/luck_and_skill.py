"""How much of the result is luck, and how much skill?

Unlike players play each deal as often as there are seats, all moving on by one seat each time: every player plays
every hand once. What a player's results have in common is skill, what the results of one hand have in common is the
deal, what those of one seat have in common is the seat; the rest is how they meet, and chance in play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from simlib.estimates import LEVEL, Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.means import mean, unknown
from simlib.estimates.words import level, listed, number, text
from simlib.experiments import Plan, Request, variants_of
from simlib.figures import charts
from simlib.findings import Chart, Finding, Headline, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named
from simlib.heavy import pd, special
from simlib.hooks import seated
from simlib.languages import say
from simlib.measured import Measured
from simlib.results import Results
from simlib.survey import (
    MAIN,
    WHOLE,
    joined,
    pictured,
    scores_in,
    seats_of,
    sentence,
    unit_of,
    variants_by_seats,
    wins_in,
)
from simlib.variants import Variant

GAME = "all"
TITLE = "How much is luck, and how much skill?"
GAMES = 60_000
BATCHES = 20  # parts of all deals, of which the jackknife leaves out one at a time
PLAYOUTS = 100  # playouts a decision, over all seats and turns of a deal, that SEARCH_COST games of fast players cost
TABLES = {  # who sits there, as many as there are seats
    "weak to strong": ("search:25", "greedy", "random", "trained", "search:5", "search:10"),
    "decent to strong": ("search:25", "greedy", "search:5", "trained", "search:10", "search:15"),
    "strong": ("search:50", "search:10", "search:25", "search:15", "search:20", "search:35"),
}
WIDEST = "weak to strong"
RESULTS = {"wins": "win share", "points": "points"}
VARIANCES = {"wins": "the variance of wins", "points": "the variance of points"}
PARTS = ("skill", "deal", "seat", "rest")
SUMS = ("cells", "squares", "by_seat", "by_player", "by_deal")
GLOSSARY = [
    ("skill", "the variance between the players' mean results, over all hands and seats"),
    ("deal", "what the results of different players with the same hand, at the same seat of the same deal, share"),
    ("seat", "the variance between the seats' mean results; seat 0 starts"),
    ("rest", "all other variance: which hand suits whom, who sits where, what the others do, chance in play"),
    ("share", "a part of the variance of one seat's result in one game; parts add up to 1"),
    ("win share", "1 for the sole winner of a game, 1 / k for each of k tied winners"),
    ("half skill", "games after which the variance of players' mean results is as much skill as it is all else"),
    ("search:N", "a player that plays N determinized games for each decision"),
    ("jackknife", "an interval from how an estimate moves as each batch of deals is left out in turn"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "deals behind a figure"),
]


MEASURES = Measured(lambda rows, variant: {})  # a share of a variance is nothing that adds up over games


# ---- plan ----------------------------------------------------------------------------------------------------------


def plan(request: Request) -> Plan:
    """Return each game with every table of unlike players, each deal played once a turn."""
    variants, left_out = variants_by_seats(request, GAME, (MAIN,))
    studies = [
        table_study(label, variant, table, request.games) for label, variant in variants.items() for table in TABLES
    ]
    return Plan(
        studies,
        variants,
        {name: words for variant in variants.values() for name, words in _sentences(variant)},
        {f"deals, {study.key.replace(' | ', ', ')}": study.games for study in studies},
        {"left_out": left_out},
    )


def _sentences(variant: Variant) -> list[tuple[str, str]]:
    game = game_named(variant.game)
    known = game.module("players").PLAYERS
    texts = dict.fromkeys(text for table in TABLES for text in at_table(table, variant))
    return [(f"{text} ({game.title})", seated(text, known, "players").sentence) for text in texts]


def at_table(table: str, variant: Variant) -> tuple[str, ...]:
    """Return who sits at a table, in order of the seats of the first turn."""
    return TABLES[table][: seats_of(variant)]


def table_study(label: str, variant: Variant, table: str, games: int) -> Any:
    """Return a study of a table: the same deals in each turn."""
    from simlib.batch import Arm, Study

    known, seats = game_named(variant.game).module("players").PLAYERS, range(seats_of(variant))
    players = [seated(text, known, "players") for text in at_table(table, variant)]
    arms = {f"turn {turn}": Arm(variant, tuple(players[seat - turn] for seat in seats)) for turn in seats}
    cost = game_named(variant.game).module("players").SEARCH_COST * sum(arm.playouts for arm in arms.values())
    deals = max(2, min(games, games * PLAYOUTS // max(cost, 1)))
    return Study(_key(label, table), arms, deals, partial(table_sums, variant=variant), unit=BATCHES)


def _key(label: str, table: str) -> str:
    return f"{label} | {table}"


# ---- sums ----------------------------------------------------------------------------------------------------------


def table_sums(rows: Mapping[str, np.ndarray], variant: Variant) -> dict[str, np.ndarray]:
    """Sum up some deals by batch: `n` (BATCHES,), and `moments` of both results. Deal i is in batch i mod BATCHES."""
    wins, points = (square(rows, reading, variant) for reading in (wins_in, scores_in))
    batch = np.arange(len(wins)) % BATCHES
    found = {"n": np.bincount(batch, minlength=BATCHES)}
    for result, values in (("wins", wins), ("points", points)):
        for name, moment in moments(values).items():
            total = np.zeros((BATCHES, *moment.shape[1:]), np.int64)
            np.add.at(total, batch, moment)
            found[f"{result}_{name}"] = total
    return found


def square(
    rows: Mapping[str, np.ndarray], reading: Callable[[np.ndarray, Variant], np.ndarray], variant: Variant
) -> np.ndarray:
    """Return what each player got at each seat, (deals, seats, players) int64: player p sits at seat p + turn."""
    by_turn = [reading(each, variant) for each in rows.values()]
    seats = len(by_turn)
    values = np.zeros((len(by_turn[0]), seats, seats), np.int64)
    for turn, got in enumerate(by_turn):
        for seat in range(seats):
            values[:, seat, (seat - turn) % seats] = got[:, seat]
    return values


def moments(values: np.ndarray) -> dict[str, np.ndarray]:
    """Return what `components` needs of each deal: results by seat and player, and squares of them and their sums."""
    by_seat, by_player = values.sum(axis=2), values.sum(axis=1)
    return dict(
        zip(SUMS, (values, values**2, by_seat**2, by_player**2, by_seat.sum(axis=1) ** 2), strict=True)
    )  # fmt: skip


# ---- estimates -----------------------------------------------------------------------------------------------------


def components(sums: Mapping[str, np.ndarray], deals: int) -> dict[str, float]:
    """Return the variance of one seat's result in one game, and its parts, each unbiased.

    Parameters
    ----------
    sums : dict of arrays
        Sums over deals of `moments`: results by seat and player, their squares, squares of the seats', the players'
        and the whole deals' sums.
    deals : int
        At least 2.

    Returns
    -------
    dict of float
        `total`, and PARTS, which add up to it.

    Notes
    -----
    Deals are drawn at random; seats and players are fixed. Skill and seat are mean squares of the players' and the
    seats' effects: products of two different deals' effects, averaged over all pairs of deals, have that mean, and no
    noise adds to it. The deal is the covariance of two players' results with the same hand; these are from different
    games. It is the method of moments for a two-way layout, as in S. R. Searle, G. Casella and C. E. McCulloch,
    "Variance Components" (1992), chapter 4, without assuming anything of how results within a game hang together.
    """
    cells, squares = (np.asarray(sums[name], float) for name in ("cells", "squares"))
    seats, whole, deals_squares = len(cells), float(cells.sum()), float(sums["by_deal"])
    between = [
        _mean_square(cells.sum(axis=axis), np.asarray(sums[name], float), whole, deals_squares, seats, deals)
        for axis, name in ((0, "by_player"), (1, "by_seat"))
    ]
    apart = (squares - cells**2 / deals) / (deals - 1)
    together = (np.asarray(sums["by_seat"], float) - cells.sum(axis=1) ** 2 / deals) / (deals - 1)
    deal = float(together.sum() - apart.sum()) / (seats**2 * (seats - 1))
    size = seats**2
    pairs = (cells**2).sum() - whole**2 / size - (squares.sum() - deals_squares / size)
    total = float(apart.sum() + pairs / (deals * (deals - 1))) / size
    parts = {"skill": between[0], "deal": deal, "seat": between[1]}
    return {"total": total} | parts | {"rest": total - sum(parts.values())}


def _mean_square(
    totals: np.ndarray, squares: np.ndarray, whole: float, whole_squares: float, seats: int, deals: int
) -> float:
    """Return the mean square of effects, each a sum over `seats` results: unbiased, from pairs of different deals."""
    together = float((totals**2).sum()) / seats**2 - whole**2 / seats**3
    alone = float(squares.sum()) / seats**2 - whole_squares / seats**3
    return (together - alone) / (deals * (deals - 1)) / seats


class Split:
    """The sums of one table as estimates.

    Attributes
    ----------
    label, table : str
    variant : Variant
    deals : int
    """

    def __init__(self, summary: Mapping[str, Any], label: str, table: str, variant: Variant) -> None:
        self.label, self.table, self.variant, self._summary = label, table, variant, summary
        self._counts = np.asarray(summary["n"])
        self.deals = int(self._counts.sum())

    @property
    def name(self) -> str:
        """How the table is called on the page."""
        return f"{self.label}, {self.table}"

    @property
    def title(self) -> str:
        """Its game's title."""
        return say(game_named(self.variant.game).title)

    @property
    def short(self) -> str:
        """The same for charts, which have little room."""
        return f"{game_named(self.variant.game).title}, {self.table}"

    def parts(self, result: str, without: int = -1) -> dict[str, float]:
        """Return the parts as shares of all variance, of all batches or of all but one; none where nothing varies."""
        left = 0 if without < 0 else int(self._counts[without])
        sums = {}
        for name in SUMS:
            batches = np.asarray(self._summary[f"{result}_{name}"])
            sums[name] = batches.sum(axis=0) - (batches[without] if without >= 0 else 0)
        if self.deals - left < 2:
            return {}
        made = components(sums, self.deals - left)
        return {part: made[part] / made["total"] for part in PARTS} if made["total"] > 0 else {}

    def estimate(self, result: str, of: Callable[[dict[str, float]], float], family: int = 1) -> Estimate:
        """Return a function of the shares with a jackknife interval, as one of `family` that hold together."""
        level = 1 - (1 - LEVEL) / family
        method = f"jackknife over {BATCHES} batches of deals, Student t" + family_words(family)
        whole = self.parts(result)
        left = [self.parts(result, batch) for batch in range(BATCHES)]
        if not whole:
            return unknown(float("nan"), self.deals, method, level, "nothing varies")
        if self.deals < 2 * BATCHES or not all(left):
            return unknown(of(whole), self.deals, method, level, "too few deals")
        values = np.array([of(part) for part in left])
        error = ((BATCHES - 1) / BATCHES * ((values - values.mean()) ** 2).sum()) ** 0.5
        half = float(special.stdtrit(BATCHES - 1, (1 + level) / 2)) * error
        return Estimate(of(whole), of(whole) - half, of(whole) + half, self.deals, method, level)

    def part(self, result: str, name: str, family: int = 1) -> Estimate:
        """Return a part as a share of all variance."""
        return self.estimate(result, lambda shares: shares[name], family)

    def players(self, result: str) -> dict[str, Estimate]:
        """Return each player's mean result, paired with nobody's: each deal is one unit."""
        scale = 1 / (WHOLE if result == "wins" else unit_of(self.variant)) / seats_of(self.variant)
        cells = np.asarray(self._summary[f"{result}_cells"]).sum(axis=(0, 1))
        squares = np.asarray(self._summary[f"{result}_by_player"]).sum(axis=0)
        names = at_table(self.table, self.variant)
        return {
            name: mean(int(total), int(square), self.deals).scaled(scale)
            for name, total, square in zip(names, cells, squares, strict=True)
        }


def family_words(family: int) -> str:
    """Return how an interval of a family was made wider."""
    return f", widened for {family} comparisons" if family > 1 else ""


def splits(run: Results) -> list[Split]:
    """Return all tables of a run."""
    return [
        Split(run.summaries[_key(label, table)], label, table, variant)
        for label, variant in variants_of(run).items()
        for table in TABLES
    ]


def half_skill(share: Estimate) -> str:
    """Return after how many games players' mean results are half skill, from skill's share of the variance.

    Examples
    --------
    >>> half_skill(Estimate(0.1, 0.05, 0.2, 900, ""))
    'half skill after 9.0 games (95 % interval 4.0 to 19.0)'
    """
    if not share.known or share.low <= 0:
        return say("too little to say after how many games it shows")
    games = [1 / each - 1 for each in (share.value, min(share.high, 1.0), share.low)]
    value, low, high = (number(each, 0 if games[0] >= 10 else 1) for each in games)
    return say(
        "half skill after {value} games ({level} interval {low} to {high})",
        value=value, level=level(share), low=low, high=high,
    )  # fmt: skip


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return how wins split, how points split, and what each player got."""
    tables = splits(run)
    return [answer(tables, run.facts["plan"]["left_out"]), in_points(tables), players(tables)]


def headline_figure(run: Results) -> Headline:
    """Return skill's share of the variance of wins, at the widest table of the first game."""
    first = splits(run)[0]
    label = say("skill's share of {variance} ({who})", variance=VARIANCES["wins"], who=first.name)
    return Headline(label, first.part("wins", "skill"), percent=True)


def answer(tables: Sequence[Split], left_out: Sequence[str]) -> Finding:
    """Say for each game whether skill or the deal decides more of who wins."""
    wide = [split for split in tables if split.table == WIDEST]
    return Finding(
        "answer",
        balance("wins", wide),
        text=tuple(repeated("wins", label, tables) for label in dict.fromkeys(split.label for split in tables)),
        tiles=tuple(
            tile(
                say("{game}: skill's share of wins", game=split.title),
                split.part("wins", "skill", len(wide)),
                split.name,
                percent=True,
            )
            for split in wide
        ),
        charts=(parts_chart("wins", tables),),
        assumes=(
            *left_out,
            say(
                "What is called skill depends on who plays: {players}. Between players that are more alike there is "
                "less of it.",
                players=say("; ").join(seats_words(split) for split in wide[:1]),
            ),
            "Players keep their order round the table, so who sits to whose left is always the same.",
            "Shares are unbiased, so one of next to nothing may come out below 0.",
            say("Intervals: jackknife over {count} batches of deals.", count=BATCHES),
        ),
        picture=pictured(
            "parts_wins",
            [say("{game}: {part}", game=split.title, part=part) for split in wide for part in ("skill", "deal")],
            [split.part("wins", part, len(wide)) for split in wide for part in ("skill", "deal")],
            percent=True,
        ),
    )


def seats_words(split: Split) -> str:
    """Return who sits at a table."""
    return say("{table} is {players}", table=split.table, players=joined(at_table(split.table, split.variant)))


def balance(result: str, wide: Sequence[Split]) -> str:
    """Return for each game whether skill or the deal parts results more, as one sentence."""
    told = say("; ").join(balance_words(split, result, len(wide)) for split in wide)
    return say("Of {variance}: {told} ({table} players).", variance=VARIANCES[result], told=told, table=WIDEST)


def balance_words(split: Split, result: str, family: int) -> str:
    """Return whether skill or the deal parts a table's results more, and the shares."""
    more = split.estimate(result, lambda shares: shares["skill"] - shares["deal"], family)
    skill, deal = (text(split.part(result, part, family), percent=True) for part in ("skill", "deal"))
    template = {
        1: "{label}: skill decides more, {skill} against {deal} for the deal",
        -1: "{label}: the deal decides more, {deal} against {skill} for skill",
        0: "{label}: whether skill or the deal decides more is open, {skill} and {deal}",
    }[more.sign]
    return say(template, label=split.label, skill=skill, deal=deal)


def repeated(result: str, label: str, tables: Sequence[Split]) -> str:
    """Return skill's share at each table of one game, and how many games tell who is better."""
    own = [split for split in tables if split.label == label]
    shares = simultaneous([split.part(result, "skill") for split in own])
    told = [
        say(
            "{table} players: {share}, {half}",
            table=split.table, share=text(share, percent=True), half=half_skill(share),
        )
        for split, share in zip(own, shares, strict=True)
    ]  # fmt: skip
    return say(
        "{label}, skill's share of {variance}: {told}.",
        label=label, variance=VARIANCES[result], told=say("; ").join(told),
    )  # fmt: skip


def parts_chart(result: str, tables: Sequence[Split]) -> Chart:
    """Return all parts at all tables."""
    pairs = [(split, part) for split in tables for part in PARTS]
    made = [split.part(result, part, len(pairs)) for split, part in pairs]
    frame = frame_of(made, table=[split.short for split, _ in pairs], part=[part for _, part in pairs])
    title = say("What {variance} is made of", variance=VARIANCES[result])
    x_label = say("of {variance}", variance=VARIANCES[result])
    return Chart(
        f"parts_{result}",
        title,
        charts.interval_dots(frame, label="table", group="part", percent=True, x_label=x_label),
        say("{told}.", told=listed([f"{split.name}, {part}" for split, part in pairs], made, percent=True)),
        say(
            "Shares of the variance of one seat's {result} in one game. All {count} intervals are widened so that they "
            "hold together.",
            result=RESULTS[result], count=len(pairs),
        ),
        Table(f"parts_{result}", title, frame, "Shares as fractions."),
    )  # fmt: skip


def in_points(tables: Sequence[Split]) -> Finding:
    """Say the same of points."""
    wide = [split for split in tables if split.table == WIDEST]
    return Finding(
        "points",
        balance("points", wide),
        text=tuple(repeated("points", label, tables) for label in dict.fromkeys(split.label for split in tables)),
        charts=(parts_chart("points", tables),),
        title="Points",
    )


def players(tables: Sequence[Split]) -> Finding:
    """Say what each player wins at its table."""
    rows = [(split, name, each) for split in tables for name, each in split.players("wins").items()]
    made = [each for *_, each in rows]
    frame = frame_of(made, table=[split.short for split, *_ in rows], player=[name for _, name, _ in rows])
    points = [split.players("points")[name] for split, name, _ in rows]
    frame = pd.concat(
        [
            frame,
            pd.DataFrame(
                {
                    "points": [each.value for each in points],
                    "points low": [each.low for each in points],
                    "points high": [each.high for each in points],
                }
            ),
        ],
        axis=1,
    )
    title = "Win share of each player"
    wide = [split for split in tables if split.table == WIDEST]
    figure = charts.interval_dots(frame, label="table", group="player", percent=True, x_label="win share")
    return Finding(
        "players",
        say(" ").join(best_words(split) for split in wide),
        charts=(
            Chart(
                "players",
                title,
                figure,
                say("{told}.", told=listed([f"{split.name}, {name}" for split, name, _ in rows], made, percent=True)),
                "Each player plays every seat of every deal once. Each interval holds on its own.",
                Table("players", title, frame, "Shares as fractions."),
            ),
        ),
        title="What each player wins",
    )


def best_words(split: Split) -> str:
    """Return what the players of a table win, most first."""
    found = sorted(split.players("wins").items(), key=lambda pair: -pair[1].value)
    told = say(", ").join(
        say("{label} {figure}", label=name, figure=text(each, percent=True)) for name, each in found
    )  # fmt: skip
    return say("{label}, {table}: {told} of wins.", label=sentence(split.label), table=split.table, told=told)
