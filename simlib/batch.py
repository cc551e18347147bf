"""From what to play to numbers that add up: chunks of games over joblib's threads, or over a backend's workers.

A chunk is a fixed range of game numbers; what is kept of it adds up exactly (integers), so any split, order
or number of workers gives the same result. This is the only user of joblib.
"""

import copy
import time
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import joblib
import numpy as np

from simlib import backends, play
from simlib.backends.work import Chunk
from simlib.checkpoints import Checkpoints, Summary, missing
from simlib.errors import BadInput, one_line
from simlib.games import game_named
from simlib.given import given
from simlib.hooks import BLIND, LOOKING, OPTIONS, SEARCHING, Seated
from simlib.own import Own
from simlib.players.search import PLAYOUTS, furnish, rollout_of
from simlib.players.weights import CHALLENGER, CHAMPION
from simlib.progress import Counting, Present, Progress, counted_of
from simlib.variants import Variant

CUT_OFF = r"\d+ tasks (have been successfully executed|which were still being processed)"  # joblib says so of a run
warnings.filterwarnings("ignore", CUT_OFF, UserWarning)
CHUNK_CELLS = 1 << 20  # integers in a chunk's rows: memory doesn't grow with the number of games
SEATED = 128  # tables that are kept ready: those of large decks take megabytes each
MANY = 1_000_000  # games of an arm for which a kernel of their own is worth its compile time
CHUNK_PLAYOUTS = 1 << 14  # playouts a decision of all seats, times games: a chunk of searching players takes seconds
Rows = Generator[np.ndarray, None, None]


@dataclass(frozen=True, eq=False)
class Arm:
    """Who plays what.

    Attributes
    ----------
    players : tuple of Seated
        One a seat.
    held, completions : int
        If `held` is a seat, it keeps the same dealt hand for `completions` games in a row, while the other
        cards are dealt anew: the games are completions of what that seat knows when it bids.
    shared : bool
        Whether a kernel of players that look plays it, even if none of its own does: see `sharing`.
    """

    variant: Variant
    players: tuple[Seated, ...]
    held: int = -1
    completions: int = 1
    shared: bool = False

    @property
    def depth(self) -> int:
        """What its players ask of a kernel."""
        return max(player.depth for player in self.players)

    @property
    def kernel(self) -> int:
        """The depth of the players that its kernel is compiled for."""
        return max(self.depth, LOOKING) if self.shared else self.depth

    @property
    def owned(self) -> tuple[Own, ...]:
        """The players in a designer's own file, each once."""
        return tuple(dict.fromkeys(player.own for player in self.players if player.own))

    @property
    def playouts(self) -> int:
        """Playouts a decision, summed over its seats that search."""
        return sum(player.options[PLAYOUTS] for player in self.players if player.depth >= SEARCHING)

    @property
    def table(self) -> str:
        """Who sits there, however seated, such as ``greedy x3, search:200``."""
        seats = Counter(player.text for player in self.players)
        return ", ".join(f"{text} x{count}" if count > 1 else text for text, count in sorted(seats.items()))


@dataclass(frozen=True, eq=False)
class Study:
    """Arms that play the same game numbers, so the same deals, and what to keep of their rows.

    Attributes
    ----------
    measure : callable
        Takes {arm's name: (games, columns) int32 rows} of some games, with the names of the columns in
        `columns_of`, and returns int64 arrays that add up over games. If the study is `whole`, it takes
        {arm's name: Played}.
    unit : int
        Games that belong together: chunks are multiples of it.
    whole : bool
        Whether `measure` needs deals and plays besides the rows.
    count : callable or None
        Takes an arm's name and what it played, and returns what `measure` takes in its place: so no more than one
        arm's whole games need memory at a time.
    sums : str
        What it sums up, where its key, its arms and the code don't say: sums of another kind are never added to it.
    present : Present or None
        What its sums say while it plays.
    label : str
        What it is called while it plays, its key by default; studies of one label and the same arms are shown as one.
    """

    key: str
    arms: dict[str, Arm]
    games: int
    measure: Callable[[dict[str, Any]], Summary]
    unit: int = 1
    whole: bool = False
    count: Callable[[str, Any], Any] | None = None
    sums: str = ""
    present: Present | None = None
    label: str = ""

    @property
    def chunk(self) -> int:
        """Games in a chunk."""
        games = games_at_once(self.arms.values(), whole=self.whole, apart=self.count is not None)
        return max(1, games // self.unit) * self.unit

    @property
    def many(self) -> bool:
        """Whether it plays so many games that kernels for them alone are worth their compile time."""
        return self.games >= MANY and not self.whole

    def compile(self) -> None:
        """Compile, or load, the kernels that its arms need."""
        compile_for([self])

    def play(self, seed: int, first: int, games: int) -> "Sums":
        """Return what it sums up of games number `first` and on."""
        rows: dict[str, Any] = {}
        seconds = {}
        for name, arm in self.arms.items():
            started = time.thread_time()
            if self.whole:
                played: Any = play_whole(arm, seed, first, games)
            else:
                played = play_arm(arm, seed, first, games, many=self.many)
            seconds[name] = time.thread_time() - started
            rows[name] = self.count(name, played) if self.count else played
        return Sums(self.measure(rows), seconds)

    def __getstate__(self) -> dict[str, Any]:
        """Return what travels to workers, which show nothing."""
        return self.__dict__ | {"present": None}


class Sums(NamedTuple):
    """What the rows of some games add up to, and how many seconds of a thread each arm took."""

    summary: Summary
    seconds: dict[str, float]


class Played(NamedTuple):
    """Some games of an arm, whole.

    Attributes
    ----------
    rows : (games, columns) int32
    tables, secrets : (games, rounds) records of the game (TABLE, SECRET) as each round closed; zeros for rounds that
        were not played
    """

    rows: np.ndarray
    tables: np.ndarray
    secrets: np.ndarray


def games_at_once(arms: Iterable[Arm], *, whole: bool = False, apart: bool = False) -> int:
    """Return how many games of each arm make a chunk: few where seats search, so that all threads end together.

    Parameters
    ----------
    apart : bool
        Whether one arm's whole games are gone before the next arm's are played.
    """
    cells, playouts, kept = 0, 1, [0]
    for arm in arms:
        cells += len(columns_of(arm.variant))
        kept.append(seating(arm, False).kept_bytes // 4 if whole else 0)
        playouts += arm.playouts
    cells += max(kept) if apart else sum(kept)
    return max(1, min(CHUNK_CELLS // cells, CHUNK_PLAYOUTS // playouts))


def columns_of(variant: Variant) -> list[str]:
    """Return the names of the per-game row's columns."""
    rules = game_named(variant.game).module("rules")
    return [column.name for column in rules.columns(variant.parameters)]


class Seating:
    """A game's rules and seats as arrays, ready for the kernel; each thread that plays has its own."""

    def __init__(self, arm: Arm) -> None:
        game = game_named(arm.variant.game)
        self.module = module = game.module("rules")
        players = game.module("players")
        parameters, depth, self.owned = arm.variant.parameters, arm.depth, arm.owned
        play.adopt(module, players)
        self.columns = len(module.columns(parameters))
        self.rules = module.rules_array(parameters, arm.held, arm.completions)
        self.rounds = int(self.rules["rounds"][0])
        self.table, self.secret = np.zeros(1, module.TABLE), np.zeros(1, module.SECRET)
        self.seats = np.zeros(1, play.seated_dtype(module, players, arm.kernel, arm.owned))
        self.table["looking"] = depth > BLIND
        numbers = play.player_numbers(players, arm.owned)
        for seat, player in enumerate(arm.players):
            view = self.seats["views"][0, seat]
            view["seat"], view["looks"] = seat, player.depth > BLIND
            view["player"] = numbers[player.name]
            view["options"][: len(player.options)] = player.options
            assert len(player.options) <= OPTIONS
            if player.own and player.own.plain:
                view[play.PYTHON] = player.own.address(module, view.dtype)
            if depth > SEARCHING:
                view["sees"] = player.player.sees_all
            if player.depth >= SEARCHING:
                rollout = rollout_of(player, players.PLAYERS)
                models = list(player.models or (rollout,) * len(arm.players))
                models[seat] = rollout
                furnish(view["mind"], models, numbers)

    def another(self) -> "Seating":
        """Return the same with a table of its own, for another thread."""
        other = copy.copy(self)
        other.table, other.secret, other.seats = self.table.copy(), self.secret.copy(), self.seats.copy()
        return other

    @property
    def kept_bytes(self) -> int:
        """Bytes of a game's tables and secrets."""
        return int(self.rounds * (self.table.itemsize + self.secret.itemsize))

    def playing_by(self, champion: np.ndarray, challenger: np.ndarray) -> "Seating":
        """Return the same, for another thread, with other weights for `trained`: (weights,) int64 each."""
        other = self.another()
        other.rules = self.rules.copy()
        for row, weights in ((CHAMPION, champion), (CHALLENGER, challenger)):
            self.module.weigh(other.rules[0], row, weights)
        return other

    def play(self, seed: int, first: int, games: int, *, keep: bool = False) -> Played:
        """Play games number `first` and on; tables and secrets are (0, 0) unless `keep`."""
        rows = np.empty((games, self.columns), np.int32)  # the kernel fills every column
        shape = (games, self.rounds) if keep else (0, 0)
        tables, secrets = np.zeros(shape, self.table.dtype), np.zeros(shape, self.secret.dtype)
        with own_faults(self.owned):
            play.play_games(
                self.rules,
                self.table,
                self.secret,
                self.seats,
                np.uint64(seed),
                np.uint64(first),
                rows,
                tables,
                secrets,
            )
        return Played(rows, tables, secrets)


class Abreast(Seating):
    """The same for many games of seats that don't look: two tables at once, in a kernel for their number of players."""

    def __init__(self, arm: Arm) -> None:
        super().__init__(arm)
        self.rules = play.granted(self.rules, self.module, game_named(arm.variant.game).module("players"))
        self.table = given(np.repeat(self.table, play.ABREAST), ("looking",))
        self.secret, self.seats = (np.repeat(each, play.ABREAST) for each in (self.secret, self.seats))

    def play(self, seed: int, first: int, games: int, *, keep: bool = False) -> Played:
        """Play games number `first` and on, as `Seating` does; none is to be kept."""
        assert not keep
        rows = np.empty((games + 1, self.columns), np.int32)
        play.play_abreast(self.rules, self.table, self.secret, self.seats, np.uint64(seed), np.uint64(first), rows)
        none = (0, 0)
        return Played(rows[:games], np.zeros(none, self.table.dtype), np.zeros(none, self.secret.dtype))


@contextmanager
def own_faults(owned: tuple[Own, ...]) -> Iterator[None]:
    """Tell in one line what goes wrong in functions of a designer's own file."""
    try:
        yield
    except Exception as fault:
        if not owned or play.is_compilers(fault):
            raise
        raise BadInput(owned[0].told(fault)) from None
    for own in owned:
        if own.fault:
            raise BadInput(own.fault)


def make_ready(arm: Arm) -> str:
    """Compile the players of a designer's own file, or have them play in plain Python; return which, in a line."""
    if not arm.owned:
        return ""
    names = ", ".join(own.text for own in arm.owned)
    if not any(own.plain for own in arm.owned):
        try:
            play_arm(arm, 0, 0, 0)
            return f"{names}: compiled"
        except Exception as fault:
            if not play.is_compilers(fault):
                raise
            why = f" (it can't be compiled: {one_line(play.reason(fault), 160)})"
    else:
        why = ""
    for own in arm.owned:
        own.plain = True
    seating.cache_clear()
    return f"{names}: plain Python, slowly{why}"


@lru_cache(maxsize=SEATED)
def seating(arm: Arm, many: bool) -> Seating:
    """Return who sits at an arm's table, for few games or for many."""
    return Abreast(arm) if many and arm.depth == BLIND and not arm.owned else Seating(arm)


def play_arm(arm: Arm, seed: int, first: int, games: int, *, many: bool = False) -> np.ndarray:
    """Return the rows, (games, columns) int32, of games number `first` and on.

    Parameters
    ----------
    many : bool
        Whether so many games are played in all that a kernel for these alone is worth compiling: the rows are the same.
    """
    return seating(arm, many).another().play(seed, first, games)[0]


def play_whole(arm: Arm, seed: int, first: int, games: int) -> Played:
    """Return games number `first` and on with their deals and plays."""
    return seating(arm, False).another().play(seed, first, games, keep=True)


def chunks(games: int, chunk: int, done: int = 0) -> Iterator[tuple[int, int]]:
    """Return (first game, games) of each chunk, from game number `done` on."""
    for first in range(done, games, chunk):
        yield first, min(chunk, games - first)


class Speeds:
    """Games and processor seconds by who plays: it grows while `run` plays, and no two runs have the same."""

    def __init__(self) -> None:
        self._played: dict[tuple[str, int, str], list[float]] = {}

    def add(self, arm: Arm, games: int, seconds: float) -> None:
        """Count games of an arm."""
        entry = self._played.setdefault((arm.variant.game, len(arm.players), arm.table), [0, 0.0])
        entry[0] += games
        entry[1] += seconds

    def table(self) -> list[tuple[str, int, str, int, float]]:
        """Return game, seats, who sits there, games, and games/s of one thread."""
        played = sorted(self._played.items())
        return [(*who, int(games), games / max(seconds, 1e-9)) for who, (games, seconds) in played]


def run(
    studies: Iterable[Study], seed: int, jobs: int, *, done: Mapping[str, int] | None = None, quiet: bool = False,
    speeds: Speeds | None = None, kept: Checkpoints | None = None, headline: Callable[[], str] | None = None,
) -> dict[str, Summary]:  # fmt: skip
    """Play all studies and add up their summaries.

    Parameters
    ----------
    seed : int
        0 .. 2**64 - 1.
    jobs : int
        Threads; the result doesn't depend on it.
    done : mapping, optional
        How many games of a study, by its key, were played before: they are left out.
    speeds : Speeds, optional
        Where to count how fast each arm was played.
    kept : Checkpoints, optional
        Where finished games are kept, and earlier ones taken from.
    headline : callable, optional
        Returns in words what the sums in `kept` say, to be shown while it plays.

    Returns
    -------
    dict
        {study's key: {name: int64 array}}
    """
    studies, done, kept = sharing(studies), done or {}, kept or Checkpoints()
    left: list[tuple[Study, int, int]] = []
    counted = []
    for study in studies:
        first = done.get(study.key, 0)
        parts = missing(kept.begin(study, seed).ranges, first, study.games)
        left += [(study, *part) for part in parts]
        if more := sum(games for _, games in parts):
            counted.append(counted_of(study, study.games - first, study.games - first - more))
    backend = backends.playing()
    if not backend or backend.here:
        compile_for(study for study, _, _ in left)  # before threads are about
    todo = (
        Chunk(study, seed, *part) for study, first, games in left for part in chunks(first + games, study.chunk, first)
    )
    try:
        with Progress(counted, quiet=quiet, sums=kept.sums, headline=headline) as bar:
            for chunk, sums in over_workers(todo, jobs):
                kept.keep(chunk.study, chunk.first, chunk.games, sums.summary)
                bar.add(chunk.study.key, chunk.games, sums.seconds)
                if speeds is not None:
                    for name, seconds in sums.seconds.items():
                        speeds.add(chunk.study.arms[name], chunk.games, seconds)
    finally:
        kept.flush()
    return {study.key: kept.sums(study.key) for study in studies}


def sharing(studies: Iterable[Study]) -> list[Study]:
    """Return studies with as few kernels as they need.

    Where seats look, their kernel plays those that don't, too, if these play few games: it is slower for them, but
    compiling their own takes as long as millions of games.
    """
    studies = list(studies)
    looking = {_kernel_of(arm) for study in studies for arm in study.arms.values() if arm.depth == LOOKING}

    def shared(arm: Arm) -> Arm:
        other = replace(arm, shared=True)
        return other if arm.depth == BLIND and _kernel_of(other) in looking else arm

    return [
        study if study.many else replace(study, arms={name: shared(arm) for name, arm in study.arms.items()})
        for study in studies
    ]


def _kernel_of(arm: Arm) -> tuple[Any, ...]:
    return arm.variant.game, arm.kernel, arm.owned


def compile_for(studies: Iterable[Study]) -> None:
    """Compile, or load, the kernels that studies need, each once."""
    kernels = {}
    for study in studies:
        for arm in study.arms.values():
            given_it = seating(arm, True).rules.dtype if study.many else None
            kernels[*_kernel_of(arm), given_it] = arm, study.many
    for arm, many in kernels.values():
        play_arm(arm, 0, 0, 0, many=many)


def stream_rows(arm: Arm, seed: int, games: int, jobs: int, *, quiet: bool = False) -> Rows:
    """Yield the rows of games 0 .. games - 1 in order, a chunk at a time."""
    study = Study("rows", {"": arm}, games, _as_they_are)
    todo = (Chunk(study, seed, *part) for part in chunks(games, study.chunk))
    study.compile()
    with progress(games, quiet=quiet, what=f"{arm.variant.game}, {arm.table}") as bar:
        while wave := list(islice(todo, 2 * jobs)):  # joblib would play on and keep all rows for a slow reader
            played = {chunk.first: sums.summary["rows"] for chunk, sums in over_workers(wave, jobs)}
            for first in sorted(played):
                rows = played.pop(first)
                bar.update(len(rows))
                yield rows


def _as_they_are(rows: dict[str, np.ndarray]) -> Summary:
    return {"rows": rows[""]}


def over_workers(todo: Iterable[Chunk], jobs: int) -> Iterator[tuple[Chunk, Sums]]:
    """Yield each chunk with its sums, as it comes, from the backend that plays, or else from threads."""
    backend = backends.playing()
    return backend.each(todo) if backend else over_threads(_with_sums, ((chunk,) for chunk in todo), jobs)


def _with_sums(chunk: Chunk) -> tuple[Chunk, Sums]:
    return chunk, chunk.play()


def over_threads(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[Any]:
    """Yield what a function returns for each task's arguments, as it comes."""
    work = (joblib.delayed(function)(*task) for task in tasks)
    return joblib.Parallel(jobs, prefer="threads", return_as="generator_unordered")(work)


def progress(games: int, *, quiet: bool, what: str = "games") -> Counting:
    """Return what shows how far one thing is that has a number of games."""
    return Counting(what, games, quiet=quiet)
