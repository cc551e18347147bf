"""`trained` learns by self-play: an evolution strategy over a game's whole-number weights.

Each generation tries CANDIDATES sets of weights around the present ones, the champion, in mirrored pairs. Every one of
them takes each seat in turn on the same deals, once among greedy players and once among champions; its merit is its
share of the wins. The champion moves to the average of the better quarter, and the spread of what is tried shrinks
(Rechenberg, "Evolutionsstrategie", 1973; Beyer and Schwefel, "Evolution strategies", 2002). All of it is whole numbers:
a seed gives the same weights on every machine, whatever the number of threads.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from simlib.batch import Arm, Seating, over_threads, progress
from simlib.estimates import Estimate
from simlib.estimates.means import mean
from simlib.games import Game, game_named, make_variant
from simlib.hooks import OPTIONS, seated
from simlib.players.weights import CHALLENGER, Weight, hull
from simlib.streams import GOLDEN, U64, mix64
from simlib.variants import Variant

CANDIDATES, BETTER = 24, 6
FINE = 256  # the champion is kept in 1/FINE of a weight
SPREAD = 6  # the first spread of what is tried is one part in so many of what a weight may be,
LAST = 8  # and the last one is one part in so many of the first
SHARE = 60  # the worth of a win: two to six seats can share it
FIELDS = ("greedy", "trained")  # who sits at the other seats
PARTS = 16  # of the fresh deals, to be played by threads
FRESH = 1 << 40  # the number of the first game that has no part in training


@dataclass(frozen=True)
class Course:
    """What is trained, and for how long.

    Attributes
    ----------
    seed : int
    deals : int
        Deals of a generation, for each variant that is practised.
    fresh : int
        Deals for what is said of the result.
    players : int
        Seats; 0 for each number that the game's practice has.
    """

    game: Game
    seed: int
    generations: int
    deals: int
    fresh: int
    players: int = 0

    @cached_property
    def weights(self) -> tuple[Weight, ...]:
        """What is learned."""
        weights: tuple[Weight, ...] = self.game.module("weights").WEIGHTS
        return weights

    @cached_property
    def variants(self) -> list[Variant]:
        """What is practised: the classic game and its neighbours."""
        made = [make_variant(self.game, settings=settings) for settings in self.game.module("weights").PRACTICE]
        return [variant for variant in made if self.players in (0, variant.parameters.players)]

    @property
    def command(self) -> str:
        """What to type to get the same weights again."""
        players = f" --players {self.players}" if self.players else ""
        return (
            f"simlib train {self.game.name} --seed {self.seed} --games {self.deals} "
            f"--generations {self.generations} --fresh {self.fresh}{players}"
        )

    @property
    def games(self) -> int:
        """Games that training plays."""
        seats = sum(variant.parameters.players for variant in self.variants)
        return self.generations * CANDIDATES * self.deals * seats * len(FIELDS)


@dataclass(frozen=True, eq=False)
class Match:
    """A table with one seat that plays by the challenger's weights; the other seats are of the field."""

    variant: Variant
    seat: int
    seating: Seating

    def shares(self, champion: np.ndarray, challenger: np.ndarray, seed: int, first: int, deals: int) -> np.ndarray:
        """Return the challenger's share of each win, times SHARE: (deals,) int64."""
        table = self.seating.playing_by(champion, challenger)
        rows = table.play(seed, first, deals)[0]
        players = self.variant.parameters.players
        wins = rows[:, players : 2 * players].astype(np.int64)
        return SHARE * wins[:, self.seat] // wins.sum(axis=1)


def matches(variant: Variant, field: str, known: Any) -> Iterator[Match]:
    """Return a match for each seat that the challenger may take."""
    seats = range(variant.parameters.players)
    for seat in seats:
        names = ["trained" if other == seat else field for other in seats]
        seating = Seating(Arm(variant, tuple(seated(name, known, "train") for name in names)))
        seating.seats["views"]["options"][0, seat, OPTIONS - 1] = CHALLENGER
        yield Match(variant, seat, seating)


def learn(course: Course, jobs: int, *, quiet: bool = False) -> list[int]:
    """Return the weights that a course leads to.

    Parameters
    ----------
    jobs : int
        Threads; the result doesn't depend on it.
    """
    known = course.game.module("players").PLAYERS
    tables = [match for variant in course.variants for field in FIELDS for match in matches(variant, field, known)]
    tables[0].seating.another().play(0, 0, 0)  # compile, or load, before threads are about
    champion = np.array([weight.start * FINE for weight in course.weights], np.int64)
    with progress(course.games, quiet=quiet) as bar:
        for number in range(course.generations):
            tried = candidates(course, champion, number)
            merits = merits_of(course, tables, rounded(champion), tried, number, jobs, bar)
            better = np.argsort(-merits, kind="stable")[:BETTER]
            champion = tried[better].sum(axis=0) // BETTER
            bar.set_postfix(generation=number + 1)
    return [int(value) for value in rounded(champion)]


def candidates(course: Course, champion: np.ndarray, number: int) -> np.ndarray:
    """Return what a generation tries: (CANDIDATES, weights) int64, in 1/FINE of a weight."""
    least, most = (np.array([getattr(weight, end) for weight in course.weights]) * FINE for end in ("least", "most"))
    first = (most - least) // SPREAD
    spread = first - first * (LAST - 1) * number // (LAST * max(course.generations - 1, 1))
    steps = normal_numbers(course.seed, number, (CANDIDATES // 2, len(champion))) * spread // NORMAL
    return np.clip(champion + np.concatenate([steps, -steps]), least, most)


NORMAL = 8  # the standard deviation of `normal_numbers`


def normal_numbers(seed: int, number: int, shape: tuple[int, int]) -> np.ndarray:
    """Return about normal whole numbers (int64): set bits of four words, less their mean."""
    count = shape[0] * shape[1] * 4
    places = U64(number * count) + np.arange(count, dtype=U64)
    words = mix64(mix64(np.full(count, seed, U64) + GOLDEN) ^ mix64(places * GOLDEN))
    bits = np.bitwise_count(words).astype(np.int64).reshape(*shape, 4).sum(axis=2)
    return bits - 128


def rounded(fine: np.ndarray) -> np.ndarray:
    """Return whole weights from ones in 1/FINE."""
    return (fine + FINE // 2) // FINE


def merits_of(
    course: Course,
    tables: Sequence[Match],
    champion: np.ndarray,
    tried: np.ndarray,
    number: int,
    jobs: int,
    bar: Any,
) -> np.ndarray:
    """Return what each candidate won on a generation's deals: (CANDIDATES,) int64."""
    merits = np.zeros(len(tried), np.int64)
    tasks = ((place, match) for match in tables for place in range(len(tried)))

    def merit(place: int, match: Match) -> tuple[int, int]:
        shares = match.shares(champion, rounded(tried[place]), course.seed, number * course.deals, course.deals)
        return place, int(shares.sum()) * (SHARE // match.variant.parameters.players)

    for place, won in over_threads(merit, tasks, jobs):
        merits[place] += won
        bar.update(course.deals)
    return merits


def strength(
    course: Course, weights: Sequence[int], variant: Variant, deals: int, jobs: int, *, field: str = "greedy"
) -> Estimate:
    """Return the share of wins of one player with these weights, on deals that had no part in training."""
    known, found = course.game.module("players").PLAYERS, np.array(weights, np.int64)
    tables, part = list(matches(variant, field, known)), -(-deals // PARTS)
    tasks = ((match, first, min(part, deals - first)) for match in tables for first in range(0, deals, part))
    won = np.zeros(deals, np.int64)

    def shares(match: Match, first: int, count: int) -> tuple[int, np.ndarray]:
        return first, match.shares(found, found, course.seed, FRESH + first, count)

    for first, shared in over_threads(shares, tasks, jobs):
        won[first : first + len(shared)] += shared
    return mean(int(won.sum()), int((won * won).sum()), deals).scaled(1 / (SHARE * len(tables)))


def run(course: Course, jobs: int, *, quiet: bool = False) -> str:
    """Train, measure on fresh deals, and return what the weights file says: the same for any number of threads."""
    weights = learn(course, jobs, quiet=quiet)
    strengths = [(variant, strength(course, weights, variant, course.fresh, jobs)) for variant in course.variants]
    lines = [*_weights_lines(course, weights), *_learned_lines(course), *_made_lines(course, strengths)]
    return "\n".join(lines) + "\n"


def _weights_lines(course: Course, weights: Sequence[int]) -> list[str]:
    pairs = [
        (f"{weight.name} = {value}", f"{weight.sentence} ({weight.least} to {weight.most})")
        for weight, value in zip(course.weights, weights, strict=True)
    ]
    width = max(len(pair[0]) for pair in pairs)
    title = f"# What `trained` plays {course.game.title} by, learned by self-play: see [made] below for how."
    return [title, "", "[weights]", *(f"{setting:<{width}}  # {sentence}" for setting, sentence in pairs), ""]


def _learned_lines(course: Course) -> list[str]:
    values = hull(course.variants).items()
    head = "[learned]  # each parameter in the variants that were practised: from the least to the most, or each value"
    return [head, *(f"{json.dumps(key)} = {_toml(value)}" for key, value in values), ""]


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return "[" + ", ".join(map(_toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def _made_lines(course: Course, strengths: Sequence[tuple[Variant, Estimate]]) -> list[str]:
    lines = [
        "[made]",
        f"command = {json.dumps(course.command)}",
        f"games = {course.games}  # that it played to learn",
        f"fresh_deals = {course.fresh}  # that had no part in it: for the figures below",
    ]
    for variant, share in strengths:
        players = variant.parameters.players
        lines += [
            "",
            "[[made.strength]]  # wins of one such player among greedy ones, with the 95 % interval",
            f"variant = {json.dumps(_told(variant))}",
            f"fair = {1 / players:.4f}",
            f"share = {share.value:.4f}",
            f"interval = [{share.low:.4f}, {share.high:.4f}]",
        ]
    return lines


def _told(variant: Variant) -> str:
    settings = changes_of(variant)
    return f"{variant.parameters.players} players" + "".join(f", {key} = {value}" for key, value in settings.items())


def changes_of(variant: Variant) -> dict[str, Any]:
    """Return what a variant changes in the classic game for its number of players."""
    players = variant.parameters.players
    classic = make_variant(game_named(variant.game), settings={"players": players}).flat()
    return {key: value for key, value in variant.flat().items() if value != classic[key]}
