"""Is Suppose's two-guess bid ever worth it, and what bonus would make it so?

Hands are dealt as in the game; each is completed many times by dealing the other cards anew and playing the round.
What the left neighbour wins in these completions says which bids pay. Whole games then ask whether points are what
wins: one seat always guesses once, always twice, or twice only while it leads. A searching bidder is told how many
guesses to make, and finds the best ones itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import LEVEL, Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.means import mean, ratio, unknown
from simlib.estimates.paired import difference, difference_of_sums
from simlib.estimates.proportions import wilson
from simlib.estimates.words import DASH, extremes, listed, number, text
from simlib.experiments import Plan, Request, variants_of
from simlib.figures import charts, parts, small
from simlib.findings import Chart, Finding, Headline, Picture, Table, Tile, tile
from simlib.frames import frame_of
from simlib.games.suppose import measures
from simlib.heavy import pd
from simlib.hooks import seated
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, numbered, paired_sums, win_shares
from simlib.results import Results
from simlib.survey import Figure, Kind, by_words, said_of, sentence
from simlib.variants import Variant
from simlib.whatif import Line, Measure, Slider, WhatIf, linear

GAME = "suppose"
TITLE = "Suppose: one guess or two?"
GAMES = 20_000
HANDS_IN = 20  # games asked for each hand that is studied
SEARCH = "search:25"
STEERERS = ("chaser", "trained")  # who play for their bid: each guess is tried
COMPLETIONS = {"random": 1000, "greedy": 1000, "chaser": 200, "trained": 100, SEARCH: 20}
SCARCE = {"trained": (2, 2), SEARCH: (12, 90)}  # for one of its hands, and of its deals, others play so many
SEARCHED = 2000  # GAMES from which on it pays to let players search
SHIFTS = (-2, -1, 0, 1, 2)  # guesses tried by a steerer, from its own estimate
PAIRS = ((-2, -1), (-1, 0), (-1, 1), (0, 1), (1, 2))
PLAYERS = {
    "random": "all seats take each legal choice with the same chance",
    "greedy": "all seats show low cards, bid on strength and play for their own tricks",
    "chaser": "the bidder steers its left neighbour towards its guess; the other seats are greedy",
    "trained": "all seats play by learned weights; the bidder steers its left neighbour towards its guess",
    SEARCH: "all seats weigh bids and plays by 25 playouts; in one round alone the bidder aims at points",
}
STRENGTHS = {"random": "weak", SEARCH: "strong"}  # of the players; the others are decent
FIELDS = {"chaser": "greedy"}  # who takes the other seats, if not the bidder's like
WAYS = {"single": "always one guess", "double": "always two guesses", "ahead": "two only while it leads alone"}
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of hands for which two guesses are right at some double bonus
SHOWN = 5  # one in so many bonuses stands in the page's table
FEW = 10  # guesses from which on a dot of predicted chances says something
AGAINST_ONE = {"double": "always two", "ahead": "two while leading"}  # what is compared with always one guess
GLOSSARY = [
    ("hand", "the cards dealt to one seat, which it arranges and hands to its left neighbour"),
    ("completion", "one way to deal the cards that the bidder can't see, and the round played to its end"),
    ("p(k)", "the chance that the left neighbour wins exactly k tricks with the hand"),
    ("cross-fitted", "chosen on one half of the completions and valued on the other, so that luck isn't counted"),
    ("break-even bonus", "the double bonus at which one guess and two earn the same: single bonus x p1 / (p1 + p2)"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "independent units behind a figure: hands, or deals"),
]


DOUBLE_BIDS = Figure("bids of two guesses", "doubles", "bids", percent=True, matters=0.01)
DOUBLE_HITS = Figure("bids of two guesses that come true", "double_hits", "doubles", percent=True, matters=0.01)
SINGLE_HITS = Figure("bids of one guess that come true", "single_hits", "singles", percent=True, matters=0.01)


def count_bids(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return how many bids of one guess and of two each game has, and how many of them come true."""
    column = _column_numbers(variant.parameters)
    guesses, hits = (rows[:, columns_starting(column, name)] for name in ("guesses_", "hit_"))
    found = {"bids": (guesses > 0).sum(axis=1)}
    for name, many in (("single", 1), ("double", 2)):
        found |= {f"{name}s": (guesses == many).sum(axis=1), f"{name}_hits": (hits * (guesses == many)).sum(axis=1)}
    return found


MEASURES = Measured(
    count_bids,
    {"double_bid_share": DOUBLE_BIDS, "double_bid_hits": DOUBLE_HITS, "single_bid_hits": SINGLE_HITS},
)


# ---- plan ----------------------------------------------------------------------------------------------------------


def plan(request: Request) -> Plan:
    """Return hands to complete and whole games, for each number of seats and each kind of player."""
    variants = {f"{v.parameters.players} players": v for v in request.variants(GAME, (4, 3))}
    if any(variant.parameters.bid.min_guesses > 1 for variant in variants.values()):
        raise BadInput("bid.min_guesses = 2: this experiment compares one guess with two: 0 or 1 are allowed")

    studies, played = [], {}
    for label, variant in variants.items():
        seats = variant.parameters.players
        for kind in kinds_for(request.games):
            scarce, rare = SCARCE.get(kind, (1, 1))
            hands = max(1, request.games // (HANDS_IN * seats * scarce))
            deals = max(1, request.games // (seats * rare))
            studies += [_hand_study(variant, kind, seat, hands) for seat in range(seats)]
            studies.append(_game_study(variant, kind, deals))
            who = kind if kind in SCARCE else "each other kind of player"
            played[f"hands studied, {label}, {who}"] = hands * seats
            played[f"deals in whole games, {label}, {who}, each way to bid"] = deals
    for kind in kinds_for(request.games):
        played[f"completions of each hand, {kind}"] = COMPLETIONS[kind]
    return Plan(studies, variants, {kind: PLAYERS[kind] for kind in kinds_for(request.games)}, played)


def kinds_for(games: int) -> list[str]:
    """Return the kinds of player of a run of so many games."""
    return [kind for kind in PLAYERS if kind != SEARCH or games >= SEARCHED]


def _seated(variant: Variant, kind: str, seat: int, bidder: str) -> tuple[Any, ...]:
    from simlib.games.suppose.players import PLAYERS as KNOWN

    names = [bidder if place == seat else FIELDS.get(kind, kind) for place in range(variant.parameters.players)]
    return tuple(seated(name, KNOWN, "players") for name in names)


def _hand_study(variant: Variant, kind: str, seat: int, hands: int) -> Any:
    from simlib.batch import Arm, Study

    one_round = replace(variant, parameters=variant.parameters.model_copy(update={"rounds": 1}))
    completions = COMPLETIONS[kind]
    arms = {
        name: Arm(one_round, _seated(variant, kind, seat, bidder), held=seat, completions=completions)
        for name, bidder in _bidders(kind).items()
    }
    measure = partial(_measure_hands, parameters=variant.parameters, kind=kind, seat=seat)
    return Study(f"hands {variant.parameters.players} {kind} {seat}", arms, hands * completions, measure, completions)


def _bidders(kind: str) -> dict[str, str]:
    if kind == SEARCH:
        return {name: f"{SEARCH}:aim=points:bids={way}" for name, way in (("one", "single"), ("two", "double"))}
    if kind not in STEERERS:
        return {"plain": kind}
    singles = {f"one {shift}": f"{kind}:first={shift:+d}" for shift in SHIFTS}
    pairs = {f"two {one} {two}": f"{kind}:first={one:+d}:second={two:+d}" for one, two in PAIRS}
    return {"plain": "greedy", "own": kind} | singles | pairs


def _measure_hands(rows: dict[str, np.ndarray], parameters: Any, kind: str, seat: int) -> dict[str, np.ndarray]:
    completions, column = COMPLETIONS[kind], _column_numbers(parameters)
    grid = measures.bonus_grid(parameters)
    hits = {
        name: measures.fold_counts(arm[:, column[f"hit_0_{seat}"]], completions, 2)[:, :, 1]
        for name, arm in rows.items()
    }
    more: dict[str, np.ndarray] = {}
    if kind == SEARCH:
        single, double = hits["one"], hits["two"]
    else:
        left = (seat + 1) % parameters.players
        won = rows["plain"][:, column[f"tricks_0_{left}"]]
        counts = measures.fold_counts(won, completions, parameters.hand.size + 1)
        single, double = measures.cross_fitted(counts), measures.best_pairs(counts)
        if kind in STEERERS:
            single, double, more = _steered(hits, single)
        else:
            ranks = rows["plain"][::completions, column[f"ranks_0_{seat}"]]
            more = _foreseen(counts, single, completions) | measures.by_strength(counts.sum(axis=1), ranks, parameters)
        more |= measures.own_bid_sums(hits["own"] if kind in STEERERS else hits["plain"])
    return more | measures.bid_sums(single, double, parameters, grid, completions)


def _steered(
    hits: dict[str, np.ndarray], unsteered: np.ndarray
) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Return what the best of the tried guesses hit, one and two, and what steering adds."""
    single, double = (
        measures.cross_fitted(np.stack([hits[name] for name in hits if name.startswith(many)], axis=2))
        for many in ("one", "two")
    )
    sums = paired_sums("steered", (single - unsteered).sum(axis=1)) | paired_sums("unsteered", unsteered.sum(axis=1))
    return single, double, sums | paired_sums("steered_own", (hits["own"] - hits["plain"]).sum(axis=1))


def _foreseen(counts: np.ndarray, single: np.ndarray, completions: int) -> dict[str, np.ndarray]:
    """Return how often the best guess of one half of the completions came true in the other, by its chance there."""
    flipped = counts[:, ::-1]
    guesses = flipped.argmax(axis=2)
    predicted = np.take_along_axis(flipped, guesses[:, :, None], axis=2).ravel()
    return measures.calibration_sums(predicted, single.ravel(), completions // measures.FOLDS)


def _column_numbers(parameters: Any) -> dict[str, int]:
    from simlib.games.suppose.rules import columns

    return numbered(columns(parameters))


def _game_study(variant: Variant, kind: str, deals: int) -> Any:
    from simlib.batch import Arm, Study

    seats = range(variant.parameters.players)
    arms = {
        f"{way} {seat}": Arm(variant, _seated(variant, kind, seat, f"{kind}:bids={way}"))
        for way in WAYS
        for seat in seats
    }
    measure = partial(_measure_games, parameters=variant.parameters)
    return Study(f"games {variant.parameters.players} {kind}", arms, deals, measure)


def _measure_games(rows: dict[str, np.ndarray], parameters: Any) -> dict[str, np.ndarray]:
    """Sum one seat's points and wins over its rotation through the seats of each deal, and their differences."""
    column, seats = _column_numbers(parameters), range(parameters.players)
    wins = [column[f"win_{seat}"] for seat in seats]
    sums: dict[str, Any] = {"deals": len(rows["single 0"])}
    points, shares = {}, {}
    for way in WAYS:
        turns = [rows[f"{way} {seat}"] for seat in seats]
        points[way] = np.sum([turn[:, column[f"score_{seat}"]] for seat, turn in enumerate(turns)], axis=0)
        shares[way] = np.sum(
            [win_shares(turn[:, wins], measures.SHARES)[:, seat] for seat, turn in enumerate(turns)], axis=0
        )
        sums |= paired_sums(f"points {way}", points[way]) | paired_sums(f"wins {way}", shares[way])
    for way in ("double", "ahead"):
        sums |= paired_sums(f"points {way} - single", points[way] - points["single"])
        sums |= paired_sums(f"wins {way} - single", shares[way] - shares["single"])
    return sums


# ---- findings ------------------------------------------------------------------------------------------------------


class Cell:
    """The sums of one kind of player at one number of seats, as estimates."""

    def __init__(self, run: Results, label: str, variant: Variant, kind: str) -> None:
        self.label, self.kind, self.parameters = label, kind, variant.parameters
        self.completions = COMPLETIONS[kind]
        seats = self.parameters.players
        parts = [run.summaries[f"hands {seats} {kind} {seat}"] for seat in range(seats)]
        self.sums: dict[str, Any] = {name: sum(part[name] for part in parts) for name in parts[0]}
        self.games = run.summaries[f"games {seats} {kind}"]
        self.hands = int(self.sums["hands"])
        self.single, self.double = float(self.parameters.bid.single), float(self.parameters.bid.double)

    @property
    def name(self) -> str:
        """How the cell is called on the page."""
        return say("{players}, {label}", players=self.kind, label=self.label)

    def chance(self, key: str) -> Estimate:
        """Return the mean chance, over hands, of what the sum `key` counted in a hand's completions."""
        return mean(self.sums[key], self.sums[f"{key}_squares"], self.hands).scaled(1 / self.completions).within(0, 1)

    def paired(self, key: str) -> Estimate:
        """Return a paired difference of chances over hands."""
        sums = self.sums
        return difference(sums[key], sums[f"{key}_squares"], self.hands, unit="hand").scaled(1 / self.completions)

    def gain(self, double: float, single: float | None = None) -> Estimate:
        """Return the mean gain of two guesses over one in points, if right bids paid so much; `single` as played."""
        single = self.single if single is None else single
        high, low = round(double * measures.MILLI), round(single * measures.MILLI)
        sums = self.sums
        milli = difference_of_sums(
            high * int(sums["double"]),
            low * int(sums["single"]),
            high * high * int(sums["double_squares"]),
            low * low * int(sums["single_squares"]),
            high * low * int(sums["products"]),
            self.hands,
            unit="hand",
        )
        return milli.scaled(1 / (measures.MILLI * self.completions))

    def break_even(self, single: float | None = None) -> Estimate:
        """Return the double bonus at which two guesses earn as much as one, over all hands; `single` as played."""
        sums = self.sums
        share = ratio(
            sums["single"],
            sums["double"],
            sums["single_squares"],
            sums["double_squares"],
            sums["products"],
            self.hands,
        )
        return share.scaled(self.single if single is None else single)

    @cached_property
    def curve(self) -> pd.DataFrame:
        """The share of hands that should bid double against the double bonus."""
        shares = [wilson(int(hands), self.hands) for hands in self.sums["double_pays"]]
        bonuses = measures.bonus_grid(self.parameters) / measures.MILLI
        return frame_of(shares, kind=self.kind, bonus=bonuses)

    def bonus_for(self, share: float) -> Estimate:
        """Return the smallest double bonus on the grid at which this share of hands should bid double.

        Its interval ends where the curve's own intervals reach that share. There is none where no bonus on the grid
        does, or where a hand's few completions say too little of that hand.
        """
        curve, method = self.curve, "where the Wilson intervals of the shares reach it"
        if self.kind == SEARCH:
            return unknown(math.nan, self.hands, method, LEVEL, "too few completions a hand")
        found = [curve["bonus"][curve[end] >= share].min() for end in ("value", "high", "low")]
        reason = "" if np.isfinite(found).all() else "beyond the largest bonus tried"
        value, low, high = found
        return Estimate(value, low, high, self.hands, method, LEVEL, reason)

    def blur(self) -> float:
        """Return how far, typically, noise moves one hand's break-even bonus."""
        sums = self.sums
        return math.sqrt(int(sums["blur_squares"]) / max(1, int(sums["blur_hands"]))) / 2 / measures.MILLI

    def rotation(self, key: str, unit: float) -> Estimate:
        """Return a mean over deals of what one seat's rotation through the seats summed up."""
        sums, deals = self.games, int(self.games["deals"])
        total, squares = int(sums[key]), int(sums[f"{key}_squares"])
        made = difference(total, squares, deals, unit="deal") if " - " in key else mean(total, squares, deals)
        return made.scaled(1 / (unit * self.parameters.players))

    def win_share(self, key: str) -> Estimate:
        """Return a win share, or a difference of two."""
        return self.rotation(f"wins {key}", measures.SHARES)

    def points(self, key: str) -> Estimate:
        """Return points a game, or a difference of two."""
        return self.rotation(f"points {key}", self.parameters.unit)


def findings(run: Results) -> list[Finding]:
    """Return the answer first, then what it would take, how predictable hands are, steering, and winning."""
    kinds = kinds_for(run.facts["asked"])
    cells = [Cell(run, label, variant, kind) for label, variant in variants_of(run).items() for kind in kinds]
    return [answer(cells), what_bonus(cells), predictability(cells), steering(cells), winning(cells)]


def headline_figure(run: Results) -> Headline:
    """Return what two guesses gain over one."""
    label, variant = next(iter(variants_of(run).items()))
    main = Cell(run, label, variant, "greedy")
    gain = say("what two guesses gain over one, a bid ({who})", who=main.name)
    return Headline(gain, main.gain(main.double), unit="points", difference=True)


def across_kinds(cells: list[Cell], estimates: list[Estimate], more: str, less: str) -> str:
    """Return whether differences go the same way for all kinds of player."""
    words, signs = {1: more, -1: less, 0: "undecided"}, [estimate.sign for estimate in estimates]
    kinds = [Kind(cell.kind, STRENGTHS.get(cell.kind, "decent")) for cell in cells]
    told = said_of(kinds, [words[sign] for sign in signs])
    return say("it flips: {told}", told=told) if {1, -1} <= set(signs) else told


def _main(cells: list[Cell]) -> Cell:
    """Return the cell that headlines speak of: greedy players, the first variant."""
    return next(cell for cell in cells if cell.kind == "greedy")


def answer(cells: list[Cell]) -> Finding:
    """Say whether two guesses win on average under the variant's bonuses."""
    gains = simultaneous([cell.gain(cell.double) for cell in cells])
    tried = _tried(cells)
    return Finding(
        "answer",
        headline(cells, gains),
        text=(*_least_words(cells, gains), _clear_words(_main(cells)), _bound_words(cells)),
        tiles=_answer_tiles(cells, gains),
        charts=(_gain_chart(cells, gains), _gain_curve(cells, tried)),
        whatif=_bonus_whatif(cells),
        tables=(_bid_table(cells, gains),),
        assumes=(
            "The bidder maximises points of one round; whole games are below.",
            *(
                say("{player}: {sentence}.", player=kind, sentence=PLAYERS[kind])
                for kind in dict.fromkeys(cell.kind for cell in cells)
            ),
            "Chaser and trained try guesses within two of their own estimate, and pairs next to or around it; "
            "their best bid may be a little better than shown.",
            _search_words(any(cell.kind == SEARCH for cell in cells)),
        ),
        picture=_gain_picture(_main(cells), cells, tried),
    )


def _gain_chart(cells: list[Cell], gains: list[Estimate]) -> Chart:
    frame = frame_of(gains, players=[cell.kind for cell in cells], seats=[cell.label for cell in cells])
    return Chart(
        "gain",
        "What two guesses gain over one, points a bid",
        charts.interval_dots(
            frame, label="players", group="seats", reference=0, reference_label="no difference", x_label="points a bid"
        ),
        say(
            "Dots with intervals, one for each kind of player and number of seats: {figures}.",
            figures=listed([cell.name for cell in cells], gains, "points"),
        ),
        "Best pair of guesses minus best single guess, cross-fitted and paired by hand. The intervals hold together.",
        Table("gain", "Gain of two guesses over one, points a bid", frame),
    )


def _search_words(searched: bool) -> str:
    if not searched:
        return say("{player} plays from GAMES={games} on.", player=SEARCH, games=SEARCHED)
    return say(
        "{player} is told to guess once or twice and finds the guesses by its playouts: a longer search may find "
        "better ones. It plays few hands, each with few completions.",
        player=SEARCH,
    )


def headline(cells: list[Cell], gains: list[Estimate]) -> str:
    """Return the answer as a sentence, from the gains of two guesses in each cell."""
    bonuses = say(
        "a double bonus of {double:g} and a single bonus of {single:g}",
        double=cells[0].double, single=cells[0].single,
    )  # fmt: skip
    better = [cell.name for cell, gain in zip(cells, gains, strict=True) if gain.sign > 0]
    worse = [cell.name for cell, gain in zip(cells, gains, strict=True) if gain.sign < 0]
    unknown = [gain for gain in gains if not gain.known]
    if unknown:
        return say(
            "Undecided: too few hands to say whether two guesses pay under {bonuses} ({reason}).",
            bonuses=bonuses, reason=unknown[0].reason,
        )  # fmt: skip
    main, nearest = gains[cells.index(_main(cells))], max(gains, key=lambda gain: gain.value)
    if len(worse) == len(cells):
        return say(
            "Two guesses never win on average: under {bonuses} they lose {loss} for {who}, and lose for every kind of "
            "player.",
            bonuses=bonuses, who=_main(cells).name, loss=text(main.negated(), "points a bid"),
        )  # fmt: skip
    if len(better) == len(cells):
        return say(
            "Two guesses win on average: under {bonuses} they gain {gain} for {who}, and gain for every kind of "
            "player.",
            bonuses=bonuses, who=_main(cells).name, gain=text(main, "points a bid"),
        )  # fmt: skip
    open_ = {cell.name: gain for cell, gain in zip(cells, gains, strict=True) if not gain.sign}
    if not better:
        name, most = max(open_.items(), key=lambda item: item[1].value)
        return say(
            "Two guesses win on average for no kind of player, but under {bonuses} it is undecided whether they lose "
            "for {who}: {gain}.",
            bonuses=bonuses, who=name, gain=text(most, "points a bid"),
        )  # fmt: skip
    parts = {
        "they win on average for {names}": better,
        "they lose for {names}": worse,
        "it is undecided for {names}": list(open_),
    }
    told = say("; ").join(say(words, names=say(", ").join(names)) for words, names in parts.items() if names)
    return say(
        "It depends on the players whether two guesses pay: under {bonuses} {told}. At most: {gain} ({who}).",
        bonuses=bonuses, told=told, gain=text(nearest, "points a bid"), who=cells[gains.index(nearest)].name,
    )  # fmt: skip


def _least_words(cells: list[Cell], gains: list[Estimate]) -> tuple[str, ...]:
    """Return for whom the loss, or the gain, is smallest where all lose or all gain."""
    signs = {gain.sign for gain in gains}
    if signs not in ({1}, {-1}):
        return ()
    least = min(gains, key=lambda gain: abs(gain.value))
    template = (
        "The gain is smallest for {who}: {size}." if least.sign > 0 else "The loss is smallest for {who}: {size}."
    )
    size = text(least if least.sign > 0 else least.negated(), "points a bid")
    return (say(template, who=cells[gains.index(least)].name, size=size),)


def _clear_words(main: Cell) -> str:
    """Return for how many hands two guesses, or one, are clearly better."""
    two, one = (text(wilson(int(main.sums[f"{bid}_better"]), main.hands), percent=True) for bid in ("double", "single"))
    return say(
        "Two guesses are clearly better for {two} of the hands, one guess for {one} ({who}); any others are too close "
        "to tell.",
        two=two, one=one, who=main.name,
    )  # fmt: skip


def _bound_words(cells: list[Cell]) -> str:
    cell = cells[0]
    if 2 * cell.double < cell.single:
        return say(
            "This had to come out for players that don't steer: the second guess is never likelier than the first, so "
            "that two come true at most twice as often as one, and earn at most {twice:g} where one earns {single:g}.",
            twice=2 * cell.double, single=cell.single,
        )  # fmt: skip
    return say(
        "Two guesses pay where the second is nearly as likely as the first: a right pair pays {double:g}, a right "
        "single guess {single:g}.",
        double=cell.double, single=cell.single,
    )  # fmt: skip


def _answer_tiles(cells: list[Cell], gains: list[Estimate]) -> tuple[Tile, ...]:
    cell = _main(cells)
    one, two = (cell.chance(key) for key in ("single", "double"))
    return (
        tile("two guesses less one, points a bid", gains[cells.index(cell)], cell.name),
        tile("right with the best single guess", one, cell.name, percent=True),
        tile("right with the best two guesses", two, cell.name, percent=True),
        tile("double bonus that breaks even", cell.break_even(), cell.name),
    )


def _bonuses(cell: Cell, most: int, present: float) -> list[float]:
    """Return bonuses to try: at most so many round ones, up to half as much again as a right bid pays, and today's."""
    top = 1.5 * max(cell.single, cell.double, 1)
    return sorted({present, *parts.ticks(0, top, most)})


def _tried(cells: list[Cell]) -> dict[float, list[Estimate]]:
    """Return what two guesses gain in each cell under some double bonuses; at each, the intervals hold together."""
    main = _main(cells)
    return {bonus: simultaneous([cell.gain(bonus) for cell in cells]) for bonus in _bonuses(main, 15, main.double)}


def _gain_picture(main: Cell, cells: list[Cell], tried: dict[float, list[Estimate]]) -> Picture:
    """Return the gain of two guesses against the double bonus, as a small line."""
    gains = {bonus: each[cells.index(main)] for bonus, each in tried.items()}
    figure = small.line(frame_of(list(gains.values()), x=list(gains)), present=main.double, reference=0)
    now = say(
        "{label}: {words}", label=say("now {value:g}", value=main.double), words=text(gains[main.double], "points")
    )
    labels = [say("{player} at {bonus:g}", player=main.kind, bonus=bonus) for bonus in gains]
    ends = extremes(labels, gains.values(), "points")
    alt = say("A line that rises with the double bonus ({who}). {now}; {ends}.", who=main.name, now=now, ends=ends)
    return Picture(figure, alt, "gain_curve")


def _gain_curve(cells: list[Cell], tried: dict[float, list[Estimate]]) -> Chart:
    """Return what two guesses gain against the double bonus; the table has every number of seats."""
    main = _main(cells)
    frame = frame_of(
        [gain for gains in tried.values() for gain in gains],
        players=[cell.kind for _ in tried for cell in cells],
        seats=[cell.label for _ in tried for cell in cells],
        bonus=[bonus for bonus in tried for _ in cells],
    )
    title = "What two guesses gain over one, by double bonus"
    even = listed([cell.name for cell in cells], [cell.break_even() for cell in cells])
    labels = [say("{player} at {bonus:g}", player=cell.name, bonus=bonus) for bonus in tried for cell in cells]
    drawn = [place for place, label in enumerate(frame["seats"]) if label == main.label]
    gains = [gain for each in tried.values() for gain in each]
    ends = extremes([labels[place] for place in drawn], [gains[place] for place in drawn], "points")
    return Chart(
        "gain_curve",
        say("{title} ({label})", title=title, label=main.label),
        charts.curve(
            frame[frame["seats"] == main.label],
            x="bonus",
            line="players",
            present=main.double,
            present_label=say("now {value:g}", value=main.double),
            reference=0,
            crossings=frame_of([main.break_even()], players=[main.kind]),
            x_label="double bonus, points",
            y_label="points a bid",
        ),
        say(
            "Lines that rise with the double bonus and cross zero where it breaks even: {even}; {ends}.",
            even=even,
            ends=ends,
        ),
        say(
            "Single bonus {single:g}; on the line across both earn the same: for {who} where the star stands. At "
            "any one bonus the intervals hold together; who tries many bonuses until one looks decided may be misled.",
            single=main.single,
            who=main.kind,
        ),
        Table(
            "gain_curve", title, frame, "The download has every number of seats.", _gain_shown(cells, main.label, tried)
        ),
    )


def _gain_shown(cells: list[Cell], label: str, tried: dict[float, list[Estimate]]) -> pd.DataFrame:
    """Return the gains at one number of seats for the page: a row a bonus, a column a kind of player."""
    columns = {
        _head(cell): _told([gains[place] for gains in tried.values()])
        for place, cell in enumerate(cells)
        if cell.label == label
    }
    return pd.DataFrame({"bonus": list(tried)} | columns)


def _head(cell: Cell) -> str:
    """Return a column's head: a kind of player and its hands."""
    return say("{players} (n = {n:,})", players=cell.kind, n=cell.hands)


def _bonus_whatif(cells: list[Cell]) -> WhatIf:
    """Return sliders for both bonuses: the gain of two guesses and where it breaks even are linear in them."""
    main = _main(cells)
    gains = linear(lambda double, single: simultaneous([cell.gain(double, single) for cell in cells]), 2)
    evens = linear(lambda double, single: [cell.break_even(single) for cell in cells], 2)
    lines = {cell: Line(cell.kind, sources) for cell, *sources in zip(cells, gains, evens, strict=True)}
    return WhatIf(
        "Turn the bonuses: what the hands studied here would earn is computed again in this page.",
        (
            Slider("double", "double bonus, points", _bonuses(main, 75, main.double), main.double),
            Slider("single", "single bonus, points", _bonuses(main, 15, main.single), main.single),
        ),
        (
            Measure(
                "two guesses gain over one, points a bid",
                (
                    "With {double} for two guesses and {single} for one, two guesses lose {loss} for {line}, {group}.",
                    "With {double} for two guesses and {single} for one it is undecided whether two guesses pay for "
                    "{line}, {group}: {figure}.",
                    "With {double} for two guesses and {single} for one, two guesses gain {figure} for {line}, "
                    "{group}.",
                ),
                "points a bid",
                verdicts=("two guesses lose", "undecided", "two guesses gain"),
            ),
            Measure("double bonus that breaks even", ("They break even at a double bonus of {figure}.",)),
        ),
        {label: [lines[cell] for cell in cells if cell.label == label] for label in _labels(cells)},
        main.kind,
        (
            "The deals, the guesses and the play are those of the bonuses as played. Which guess, and which pair, is "
            "likeliest to come true doesn't depend on bonuses; random and greedy play the same under any.",
            "Chaser, trained and search weigh the bonus while they play: under others they would play a little "
            "otherwise, and their lines say what today's play would earn.",
            "At any one setting the gains hold together for all kinds of player and numbers of seats. Who turns the "
            "sliders until something looks decided may be misled.",
        ),
    )


def _bid_table(cells: list[Cell], gains: list[Estimate]) -> Table:
    rows = []
    for cell, gain in zip(cells, gains, strict=True):
        one, two = cell.chance("single"), cell.chance("double")
        for way, estimate in (
            ("best single guess, points", one.scaled(cell.single)),
            ("best two guesses, points", two.scaled(cell.double)),
            ("two minus one, points", gain),
            ("hands where two are clearly better, share", wilson(int(cell.sums["double_better"]), cell.hands)),
            ("hands where one is clearly better, share", wilson(int(cell.sums["single_better"]), cell.hands)),
        ):
            rows.append(frame_of([estimate], players=cell.kind, seats=cell.label, figure=way))
    return Table(
        "bids",
        "Best single and best double bid",
        pd.concat(rows, ignore_index=True),
        say(
            "Clearly: by more than {count} standard errors of the hand's own completions; the other hands are too "
            "close to tell.",
            count=measures.CLEAR,
        ),
        _shown(
            cells,
            {
                "one guess, points": _told([cell.chance("single").scaled(cell.single) for cell in cells]),
                "two guesses, points": _told([cell.chance("double").scaled(cell.double) for cell in cells]),
                "two minus one, points": _told(gains),
                "hands where two are clearly better": _clearly(cells, "double"),
                "hands where one is clearly better": _clearly(cells, "single"),
            },
            [cell.hands for cell in cells],
        ),
    )


def _clearly(cells: list[Cell], bid: str) -> list[str]:
    return _told([wilson(int(cell.sums[f"{bid}_better"]), cell.hands) for cell in cells], percent=True)


def _shown(cells: list[Cell], columns: dict[str, list[str]], counts: Sequence[int]) -> pd.DataFrame:
    """Return a row a cell for the page: who plays, figures as texts, and how many units are behind them."""
    return pd.DataFrame({"players": [cell.name for cell in cells], **columns, "n": counts})


def _told(estimates: Sequence[Estimate], *, percent: bool = False) -> list[str]:
    """Return figures of a column as texts, each with how far its interval reaches."""
    ends = [np.array([getattr(each, end) for each in estimates]) for end in ("value", "low", "high")]
    return parts.interval_cells(ends, percent=percent)


def what_bonus(cells: list[Cell]) -> Finding:
    """Say at which double bonus two guesses become a choice."""
    main = _main(cells)
    drawn = [cell for cell in cells if cell.kind != SEARCH]
    made = [_curve_chart(label, [cell for cell in drawn if cell.label == label]) for label in _labels(cells)]
    return Finding(
        "bonus",
        _bonus_headline(main),
        text=(
            say(
                "A double bonus of {first} makes two guesses right for one hand in ten, {half} for half of them and "
                "{last} for nine in ten ({who}). Below the first the second guess is dead, above the last the single "
                "one is.",
                first=text(main.bonus_for(0.1), places=2), half=text(main.bonus_for(0.5), places=2),
                last=text(main.bonus_for(0.9), places=2), who=main.name,
            ),
        ),
        charts=(_even_chart(cells), *made),
        assumes=(
            say(
                "Each hand's own chances are measured with {completions:,} completions, which moves its break-even "
                "bonus by about {blur} points either way ({who}); the curves are a little too flat.",
                completions=main.completions, blur=number(main.blur(), 2), who=main.name,
            ),
        ),
        title="The bonus that breaks even",
    )  # fmt: skip


def _even_chart(cells: list[Cell]) -> Chart:
    """Return at which double bonus two guesses earn as much as one; the table has the bonuses for shares of hands."""
    main, even = _main(cells), [cell.break_even() for cell in cells]
    wanted = {f"{share:.0%} of hands": [cell.bonus_for(share) for cell in cells] for share in SHARES}
    frame = frame_of(even, players=[cell.kind for cell in cells], seats=[cell.label for cell in cells])
    for share, bonuses in wanted.items():
        for end, ending in (("value", ""), ("low", ", low"), ("high", ", high")):
            frame[f"bonus for {share}{ending}"] = [getattr(bonus, end) for bonus in bonuses]
    columns = {"both earn the same": _told(even)} | {share: _told(bonuses) for share, bonuses in wanted.items()}
    title = "Double bonus at which two guesses earn as much as one"
    return Chart(
        "break_even",
        title,
        charts.interval_dots(
            frame,
            label="players",
            group="seats",
            reference=main.double,
            reference_label=say("now {value:g}", value=main.double),
            x_label="double bonus, points",
        ),
        say("Dots with intervals: {figures}.", figures=listed([cell.name for cell in cells], even)),
        "The table has the double bonus at which two guesses are right for so many hands, too.",
        Table("break_even", title, frame, "", _shown(cells, columns, [cell.hands for cell in cells])),
    )


def _labels(cells: list[Cell]) -> list[str]:
    return list(dict.fromkeys(cell.label for cell in cells))


def _bonus_headline(main: Cell) -> str:
    even, now = main.break_even(), main.gain(main.double)
    if not even.known:
        return say("The break-even bonus is not known: {reason}.", reason=even.reason)
    bonus = main.single * 0.6  # 3 in the classic game
    nearest = int(np.abs(measures.bonus_grid(main.parameters) - bonus * measures.MILLI).argmin())
    share = wilson(int(main.sums["double_pays"][nearest]), main.hands)
    template = {
        -1: "Two guesses would earn as much as one at a double bonus of {even}, so today's bonus is too small; "
        "{shown:.3g} makes them right for {share} of hands ({who}).",
        0: "Two guesses would earn as much as one at a double bonus of {even}; {shown:.3g} makes them right for "
        "{share} of hands ({who}).",
        1: "Two guesses would earn as much as one at a double bonus of {even}, and today's is past it; {shown:.3g} "
        "makes them right for {share} of hands ({who}).",
    }[now.sign]
    shown = measures.bonus_grid(main.parameters)[nearest] / measures.MILLI
    return say(template, even=text(even), shown=shown, share=text(share, percent=True), who=main.name)


def _curve_chart(label: str, cells: list[Cell]) -> Chart:
    frame = pd.concat([cell.curve for cell in cells], ignore_index=True)
    key = f"curve_{cells[0].parameters.players}"
    figure = charts.curve(
        frame,
        x="bonus",
        line="kind",
        present=cells[0].double,
        present_label=say("now {value:g}", value=cells[0].double),
        x_label="double bonus, points",
        y_label="hands that should bid double",
        percent=True,
    )
    title = say("Hands that should bid double, {label}", label=label)
    medians = say("; ").join(
        say("{player}: half of the hands at {bonus}", player=cell.kind, bonus=text(cell.bonus_for(0.5), places=2))
        for cell in cells
    )
    return Chart(
        key,
        title,
        figure,
        say(
            "Lines rising from 0 to 100 % of hands as the double bonus grows from 1 to the single bonus. {medians}.",
            medians=medians,
        ),
        "Share of hands whose best two guesses earn more than their best single one.",
        Table(key, title, frame, "The download has all bonuses.", _curve_shown(cells)),
    )


def _curve_shown(cells: list[Cell]) -> pd.DataFrame:
    """Return some points of the curves for the page: a row a bonus, a column a kind of player."""
    grid = measures.bonus_grid(cells[0].parameters)[::SHOWN]
    told = {
        _head(cell): _told(
            [wilson(int(hands), cell.hands) for hands in cell.sums["double_pays"][::SHOWN]], percent=True
        )
        for cell in cells
    }
    return pd.DataFrame({"bonus": grid / measures.MILLI} | told)


def predictability(cells: list[Cell]) -> Finding:
    """Say how well the left neighbour's tricks can be foreseen."""
    plain = [cell for cell in cells if "cases" in cell.sums]
    first, *others = [_strength_chart(cell) for cell in plain if cell.kind == "greedy"]
    main = _main(cells)
    best, own = main.chance("single"), main.chance("own")
    return Finding(
        "predictability",
        say(
            "The best single guess is right {best} of the time, {player}'s own bid {own} ({label}).",
            best=text(best, percent=True), player=main.kind, own=text(own, percent=True), label=main.label,
        ),
        charts=(_hit_chart(cells), first, _calibration_chart(plain), *others),
        assumes=("A hand's strength is the sum of its ranks; the classes are half and one and a half spreads wide.",),
        title="How predictable hands are",
    )  # fmt: skip


def _hit_chart(cells: list[Cell]) -> Chart:
    """Return how often bids of each kind of player are right; the table has every number of seats."""
    ways = {"single": "best single guess", "double": "best two guesses", "own": "the player's own bid"}
    keys = [(cell, key) for cell in cells for key in ways if key in cell.sums]
    rates = [cell.chance(key) for cell, key in keys]
    frame = frame_of(
        rates,
        players=[cell.kind for cell, _ in keys],
        seats=[cell.label for cell, _ in keys],
        bid=[ways[key] for _, key in keys],
    )
    where = _main(cells).label
    own = [place for place, (cell, _) in enumerate(keys) if cell.label == where]
    names = [say("{player}, {bid}", player=keys[place][0].kind, bid=ways[keys[place][1]]) for place in own]
    title = "How often bids are right"
    return Chart(
        "hit_rates",
        say("{title} ({label})", title=title, label=where),
        charts.interval_dots(
            frame.iloc[own], label="players", group="bid", percent=True, x_label="completions in which the bid is right"
        ),
        say("Dots with intervals: {figures}.", figures=listed(names, [rates[place] for place in own], percent=True)),
        "A bid of two guesses is right if one of them is. The table has every number of seats.",
        Table(
            "hit_rates",
            title,
            frame,
            "The download has shares as fractions.",
            _shown(
                cells,
                {bid: _hits(cells, key) for key, bid in ways.items()},
                [cell.hands for cell in cells],
            ),
        ),
    )


def _hits(cells: list[Cell], key: str) -> list[str]:
    """Return how often a bid is right as a column; a dash for players who make none of their own."""
    return [_told([cell.chance(key)], percent=True)[0] if key in cell.sums else DASH for cell in cells]


def _calibration_chart(cells: list[Cell]) -> Chart:
    frame = pd.concat([_calibration(cell) for cell in cells], ignore_index=True)
    often = frame[frame["count"] >= FEW]
    drawn = frame if often.empty else often
    gap = (frame["realised"] - frame["predicted"]).mul(frame["count"]).sum() / max(1, frame["count"].sum())
    return Chart(
        "calibration",
        "Predicted against realised hit rate of the best single guess",
        charts.calibration(drawn, group="players", count="count"),
        say(
            "Dots near the diagonal: the chance predicted on one half of the completions against how often the guess "
            "was right in the other half. On average it came true {gap} points of a per cent more often. The guesses "
            "of a dot came true {low} % to {high} % of the time.",
            gap=number(100 * gap, 1),
            low=number(100 * drawn["realised"].min(), 1),
            high=number(100 * drawn["realised"].max(), 1),
        ),
        say(
            "Dots below the diagonal show what picking the best of many noisy options overstates; all other figures "
            "here are cross-fitted and free of it. Each hand counts twice, once for each half. Dots of fewer than "
            "{count} guesses are left to the table.",
            count=FEW,
        ),
        Table("calibration", "Predicted against realised hit rate", frame),
    )


def _calibration(cell: Cell) -> pd.DataFrame:
    sums, half = cell.sums, cell.completions // measures.FOLDS
    rows = []
    for place in np.flatnonzero(sums["cases"]):
        cases = int(sums["cases"][place])
        came = mean(sums["realised"][place], sums["realised_squares"][place], cases).scaled(1 / half)
        rows.append(
            {
                "players": cell.name,
                "predicted": int(sums["predicted"][place]) / cases / half,
                "realised": came.value,
                "low": np.maximum(came.low, 0),
                "high": np.minimum(came.high, 1),
                "count": cases,
            }
        )
    return pd.DataFrame(rows)


def _strength_chart(cell: Cell) -> Chart:
    sums, rows, shown = cell.sums, [], {}
    for group, name in enumerate(measures.STRENGTHS):
        hands = int(sums["strength_hands"][group])
        shares = [
            mean(total, squares, hands).scaled(1 / cell.completions)
            for total, squares in zip(sums["strength_counts"][group], sums["strength_squares"][group], strict=True)
        ]
        if hands:
            strength = say("{strength} ({hands:,} hands)", strength=name, hands=hands)
            rows.append(frame_of(shares, strength=strength, k=range(len(shares))))
            shown[strength] = _told(shares, percent=True)
    frame = pd.concat(rows, ignore_index=True)
    key = f"strength_{cell.parameters.players}"
    peaks = frame.loc[frame.groupby("strength", sort=False)["value"].idxmax()]
    told = say("; ").join(
        say("{strength}: most often {k} won", strength=row.strength, k=row.k) for row in peaks.itertuples()
    )
    most = say("; ").join(
        say(
            "{strength}: most often {k} won, in {share} % of rounds",
            strength=row.strength, k=row.k, share=number(100 * row.value, 1),
        )
        for row in peaks.itertuples()
    )  # fmt: skip
    return Chart(
        key,
        say("Tricks that the left neighbour wins, by strength of the hand ({who})", who=cell.name),
        charts.distribution(frame, share="value", group="strength", x_label="tricks won", y_label="share of rounds"),
        say("One histogram of tricks won for each strength of hand. {told}.", told=most),
        say("{told}.", told=told),
        Table(
            key,
            say("p(k) by strength of the hand, {who}", who=cell.name),
            frame,
            "The download has shares as fractions.",
            pd.DataFrame({"k": sorted(set(frame["k"]))} | shown),
        ),
    )


def steering(cells: list[Cell]) -> Finding:
    """Say what steering the neighbour adds to the hit rate."""
    steerers = [cell for cell in cells if cell.kind in STEERERS]
    added = simultaneous([cell.paired("steered") for cell in steerers])
    return Finding(
        "steering",
        _steering_headline(steerers[0], added[0]),
        text=tuple(
            say("{told}.", told=words)
            for words in by_words(
                {label: across_kinds(*_of_label(steerers, added, label), "adds", "costs") for label in _labels(cells)},
                "Steering, ",
            )
        ),
        charts=(_steering_chart(steerers, added),),
        assumes=("The other seats don't react to being steered.",),
        title="Steering the neighbour",
    )


def _steering_headline(cell: Cell, added: Estimate) -> str:
    template = {
        1: "A bidder that steers its left neighbour adds: the best single guess is right {more} more often than for "
        "one that plays for its own tricks ({who}).",
        0: "A bidder that steers its left neighbour may add nothing: the best single guess is right {more} more often "
        "than for one that plays for its own tricks ({who}).",
        -1: "A bidder that steers its left neighbour costs: the best single guess is right {more} less often than for "
        "one that plays for its own tricks ({who}).",
    }[added.sign]
    more = added.negated() if added.sign < 0 else added
    return say(template, more=text(more, "points of a per cent", percent=True), who=cell.name)


def _steering_chart(steerers: list[Cell], added: list[Estimate]) -> Chart:
    """Return what steering adds to the hit rate of the best single guess, and of the player's own bid."""
    estimates = [*added, *(cell.paired("steered_own") for cell in steerers)]
    frame = frame_of(
        estimates,
        players=[cell.name for cell in steerers] * 2,
        bid=["best single guess"] * len(steerers) + ["the player's own bid"] * len(steerers),
    )
    names = [say("{player}, {bid}", player=row.players, bid=row.bid) for row in frame.itertuples()]
    title = "What steering adds to the hit rate"
    return Chart(
        "steering",
        title,
        charts.interval_dots(
            frame, label="players", group="bid", reference=0, x_label="added hit rate", percent="points"
        ),
        say("Dots with intervals: {figures}.", figures=listed(names, estimates, "points of a per cent", percent=True)),
        "The bidder that steers less a greedy one on the same hands and completions. A chaser sits among greedy "
        "players, trained among its like.",
        Table("steering", title, frame),
    )


def winning(cells: list[Cell]) -> Finding:
    """Say whether what earns points also wins games."""
    main = _main(cells)
    names = {f"{way} - single": words for way, words in AGAINST_ONE.items()}
    return Finding(
        "winning",
        _winning_headline(main),
        text=tuple(
            say("{told}.", told=words)
            for key, way in names.items()
            for words in by_words(
                {
                    label: across_kinds(
                        *_of_label(cells, [cell.win_share(key) for cell in cells], label), "wins", "loses"
                    )
                    for label in _labels(cells)
                },
                say("{what}, ", what=sentence(way)),
            )
        ),
        charts=(
            _way_chart("winning", "Win share gained over always guessing once", cells, names, percent=True),
            _way_chart("winning_points", "Points a game gained over always guessing once", cells, names),
        ),
        tables=(_way_table(cells),),
        assumes=("An even share of wins is 1 / players; tied winners share.",),
        title="Winning whole games",
    )


def _way_chart(key: str, title: str, cells: list[Cell], names: dict[str, str], *, percent: bool = False) -> Chart:
    """Return what ways to bid gain over always guessing once, in win share (`percent`) or points."""
    keys = [(cell, way) for cell in cells for way in names]
    estimates = [cell.win_share(way) if percent else cell.points(way) for cell, way in keys]
    frame = frame_of(estimates, label=[cell.name for cell, _ in keys], way=[names[way] for _, way in keys])
    said = [say("{player}, {way}", player=cell.name, way=names[way]) for cell, way in keys]
    unit = "points of a per cent" if percent else "points"
    return Chart(
        key,
        title,
        charts.interval_dots(
            frame,
            group="way",
            reference=0,
            reference_label="always one guess",
            x_label="win share" if percent else "points a game",
            percent=parts.POINTS if percent else False,
        ),
        say("Dots with intervals: {figures}.", figures=listed(said, estimates, unit, percent=percent)),
        "One seat bids in its own way for whole games, rotated through all seats of the same deals; the other "
        "seats bid as they like. Paired by deal.",
        Table(key, title, frame),
    )


def _way_table(cells: list[Cell]) -> Table:
    """Return what one seat earns in whole games in each way to bid; the page shows a row a cell."""
    rows = [
        frame_of([of(way)], players=cell.kind, seats=cell.label, way=told, figure=figure)
        for cell in cells
        for way, told in WAYS.items()
        for figure, of in (("points a game", cell.points), ("win share", cell.win_share))
    ]
    columns = {f"points a game, {told}": _told([cell.points(way) for cell in cells]) for way, told in WAYS.items()}
    columns |= {
        f"win share, {told}": _told([cell.win_share(way) for cell in cells], percent=True) for way, told in WAYS.items()
    }
    shown = _shown(cells, columns, [int(cell.games["deals"]) for cell in cells])
    return Table("whole_games", "Whole games of one seat, rotated", pd.concat(rows, ignore_index=True), "", shown)


def _winning_headline(main: Cell) -> str:
    double, ahead = (main.win_share(f"{way} - single") for way in AGAINST_ONE)
    always = {
        1: "Guessing twice wins games, by {size}",
        0: "Guessing twice neither clearly wins nor loses games, {size}",
        -1: "Guessing twice loses games, by {size}",
    }[double.sign]
    leading = {
        1: "guessing twice only while ahead wins them, by {size}",
        0: "guessing twice only while ahead neither clearly wins nor loses them, {size}",
        -1: "guessing twice only while ahead loses them, by {size}",
    }[ahead.sign]
    told = say("; ").join(
        say(
            template,
            size=text(change.negated() if change.sign < 0 else change, "points of win share", percent=True),
        )
        for template, change in ((always, double), (leading, ahead))
    )
    return say("{told} ({who}).", told=told, who=main.name)


def _of_label(cells: list[Cell], estimates: list[Estimate], label: str) -> tuple[list[Cell], list[Estimate]]:
    """Return the cells of one number of seats, with their estimates."""
    pairs = [(cell, each) for cell, each in zip(cells, estimates, strict=True) if cell.label == label]
    return [cell for cell, _ in pairs], [each for _, each in pairs]
