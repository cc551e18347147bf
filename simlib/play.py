"""The loop that plays tricks, rounds and games: written once for all games, the only compiled entry.

Importing this module imports numba. `adopt` makes a game's rules and players known to the compiler; the
entry itself is cached on disk and takes data alone, so changed numbers or seat mixes never recompile.
"""

from contextlib import suppress
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import njit
from numba.core.caching import FunctionCache
from numba.core.errors import NumbaError, TypingError
from numba.core.runtime import rtsys
from numba.extending import overload, register_jitable

from simlib import hooks, machine  # noqa: F401  (machine teaches numba the word operations)
from simlib.given import given
from simlib.hooks import (
    BLIND,
    LOOKING,
    SEARCHING,
    SEEING,
    close_game,
    open_game,
    open_round,
    score_round,
    witness,
    write_round,
)
from simlib.machine import ask_python
from simlib.own import BASE, choices_of, returns
from simlib.state import copy_record
from simlib.streams import I64, U64, game_stream
from simlib.tricks import play_tricks, play_tricks_abreast
from simlib.turns import Turns
from simlib.whole import compiled_whole

ABREAST = 2  # tables of `play_abreast`
MARKS = {SEEING: "sees", SEARCHING: "mind", BLIND: "blind"}  # a field that Views of this depth have, and no lesser ones
CALLED = {"no_cfunc_wrapper": True}  # what kernels alone call needs no door for C: it is a tenth of the compile time
INLINED = CALLED | {"forceinline": True}
PYTHON = "python"  # a field with the address of a function that decides, in Views of tables with such a player
_owned: dict[str, tuple[Any, ...]] = {}  # players of a designer's own file by the field that marks their tables
_modules_of: dict[Any, tuple[ModuleType, ...]] = {}  # a game's rules and players by the numba type of its RULES
_known: set[Any] = set()


def _jitable(function: Any, **options: bool) -> Any:
    return register_jitable(**CALLED, **options)(function)


def adopt(rules: ModuleType, players: ModuleType) -> None:
    """Make a game's modules known to the compiler."""
    for functions, inline in ((hooks.COMPILED, True), (hooks.CALLED, False)):
        for function in functions:
            if function not in _known:
                _jitable(function, forceinline=inline)
                _known.add(function)
    if rules in _known:
        return
    _modules_of[numba.from_dtype(rules.RULES)] = rules, players
    for stub in hooks.CHOICES:
        if stub not in _known:
            _resolve_choice(stub)
            _known.add(stub)
    _known.add(rules)


def granted(rules: np.ndarray, module: ModuleType, players: ModuleType) -> np.ndarray:
    """Return a variant's rules of a type that grants the compiler what the game's GIVEN names; see `simlib.given`."""
    told = given(rules, module.GIVEN)
    _modules_of[numba.from_dtype(told.dtype)] = module, players
    return told


def _resolve_hook(stub: Any) -> None:
    @overload(stub, strict=False, jit_options=INLINED)
    def resolve(rules, *arguments):
        for module in _modules_of[rules]:
            if hasattr(module, stub.__name__):
                return getattr(module, stub.__name__)
        raise TypingError(f"{_modules_of[rules][0].__name__} has no {stub.__name__}")


def player_numbers(players: ModuleType, owned: tuple[Any, ...] = ()) -> dict[str, int]:
    """Return what stands in ``view.player`` for each of a game's players, and for those of a designer's own file."""
    numbers = {name: number for number, name in enumerate(sorted(players.PLAYERS))}
    return numbers | {own.text: len(numbers) + (0 if own.plain else at) for at, own in enumerate(owned)}


def seated_dtype(rules: ModuleType, players: ModuleType, depth: int, owned: tuple[Any, ...] = ()) -> np.dtype:
    """Return the type of a table's seats, for which only players up to a depth are compiled.

    A kernel without the large players is half again as fast, and compiles in a fraction of the time; the Views of a
    table where a seat searches hold room for it, and at a table where one sees all they tell which. Players of a
    designer's own file have kernels of their own, too.
    """
    more: list[tuple[str, Any]] = [(MARKS[BLIND], "u8")] if depth == BLIND else []
    if depth >= SEARCHING:
        more = [(MARKS[SEARCHING], players.MIND), (MARKS[SEEING], "i8")][: 1 + depth - SEARCHING]
    if owned:
        more.append((_mark(owned), "u8"))
    if not more:
        return rules.SEATED
    views, shape = rules.SEATED["views"].subdtype or (rules.SEATED, ())
    return np.dtype([("views", [*((name, views[name]) for name in views.names or ()), *more], shape)])


def _mark(owned: tuple[Any, ...]) -> str:
    """Return the field that marks a table: with it compiled code is told apart, in memory and in the cache on disk."""
    if owned[0].plain:
        return PYTHON
    mark = "own_" + "_".join(own.digest for own in owned)
    _owned[mark] = owned
    return mark


def _depth_of(view: Any) -> int:
    return next((depth for depth, mark in MARKS.items() if mark in view.fields), LOOKING)


def _resolve_choice(stub: Any) -> None:
    """Let kernels call a choice as an if-chain over ``view.player``."""

    @overload(stub, strict=False, jit_options=INLINED)
    def resolve(rules, table, view, *rest):
        numbers: dict[Any, list[int]] = {}
        players = _modules_of[rules][1]
        for name, player in players.PLAYERS.items():
            if player.depth <= _depth_of(view):
                function = hooks.CHOICES[stub][name]
                numbers.setdefault(function, []).append(player_numbers(players)[name])
        known = [(_jitable(function), tuple(ids)) for function, ids in numbers.items()]
        return _chain([*known, *_own_functions(stub, _modules_of[rules], view)])


def _own_functions(stub: Any, modules: tuple[ModuleType, ...], view: Any) -> list[tuple[Any, tuple[int, ...]]]:
    """Return how the players of a designer's own file decide, where the Views say that there are any."""
    base, first = _jitable(hooks.CHOICES[stub][BASE]), len(player_numbers(modules[1]))
    if PYTHON in view.fields:
        return [(_asking(list(choices_of(modules[0])).index(stub), base, returns(stub)), (first,))]
    owned = [own for mark in view.fields for own in _owned.get(mark, ())]
    return [
        (_answering(_jitable(own.functions.get(stub, base)), returns(stub)), (first + at,))
        for at, own in enumerate(owned)
    ]


def _answering(function: Any, returns: bool) -> Any:
    """Return a function whose result has the type of the game's own players', whatever it makes of it."""

    def answer(rules, table, view, *rest):
        return U64(function(rules, table, view, *rest))

    def write(rules, table, view, *rest):
        function(rules, table, view, *rest)

    return _jitable(answer if returns else write)


def _asking(number: int, base: Any, returns: bool) -> Any:
    """Return a function that asks Python to decide, and takes what `base` decides where Python can't."""

    def answer(rules, table, view, *rest):
        made = ask_python(view.python, number, rules, table, view, rest)
        return U64(base(rules, table, view, *rest)) if made < 0 else U64(made)

    def write(rules, table, view, *rest):
        if ask_python(view.python, number, rules, table, view, rest) < 0:
            base(rules, table, view, *rest)

    return _jitable(answer if returns else write)


def _chain(functions: list[tuple[Any, tuple[int, ...]]]) -> Any:
    (first, numbers), *others = functions
    if not others:
        return first
    otherwise = _jitable(_chain(others))

    def pick(rules, table, view, *rest):
        if view.player in numbers:
            return first(rules, table, view, *rest)
        return otherwise(rules, table, view, *rest)

    return pick


def is_compilers(fault: BaseException) -> bool:
    """Tell whether the compiler refuses a function, as opposed to a function's own exception."""
    return isinstance(fault, NumbaError)


def reason(fault: BaseException) -> str:
    """Return the line that says most of why something can't be compiled."""
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    told = [
        line for line in lines if line.startswith(("Use of unsupported", "Unknown attribute", "Untyped global", "No "))
    ]
    return (told or lines or [""])[0]


for _stub in hooks.HOOKS:
    _resolve_hook(_stub)


@overload(hooks.sees, jit_options=INLINED)
def _sees(view):
    if MARKS[SEEING] in view.fields:
        return lambda view: view.sees
    return lambda view: I64(0)


@overload(hooks.reveal, strict=False, jit_options=INLINED)
def _reveal(rules, secret, seats, view):
    """Let kernels know the truth only where a seat sees all: in all others there is no code that could tell it."""

    def show_truth(rules, secret, seats, view):
        if view.sees:
            witness(rules, secret, seats, view.mind)

    def keep_hidden(rules, secret, seats, view):
        pass

    return show_truth if MARKS[SEEING] in view.fields else keep_hidden


class Cache(FunctionCache):
    """numba's cache on disk, whose broken files or full disk cost time to compile and not the run.

    Processes that need the same kernel at the same time don't all compile it: one does, the others wait for its file.
    """

    def load_overload(self, sig, target_context):
        """Return the compiled function from disk, or none: then this process is the one to compile it."""
        found = self._load(sig, target_context)
        if found is None and _turns.wait(self.cache_path, sig):
            found = self._load(sig, target_context)
            if found is not None:
                _turns.leave(sig)
        return found

    def _load(self, sig, target_context):
        """Return the compiled function from disk; none where its files are broken, which are then given up.

        What has been compiled needs numba's runtime alone, not all that numba can compile: its own `load_overload`
        imports that, which takes several times as long as all else here.
        """
        rtsys.initialize(target_context)
        try:
            return self._load_overload(sig, target_context)
        except Exception:  # what a broken pickle raises may be anything
            with suppress(OSError):
                self.flush()

    def save_overload(self, sig, data):
        """Keep a compiled function on disk, if that can be done."""
        with suppress(OSError):
            super().save_overload(sig, data)
        _turns.leave(sig)


_turns = Turns()


@register_jitable(**INLINED)
def begin(rules, table, secret, seats, seed, game):
    """Open game number `game` (uint64) at a table, and return its stream."""
    if rules.held >= 0:
        secret.held_stream[0], secret.held_stream[1] = game_stream(seed, game // U64(rules.completions))
    open_game(rules, table, secret, seats)
    return game_stream(seed, game)


@njit(cache=True, nogil=True)
def play_games(rules_, table_, secret_, seats_, seed, first, rows, tables, secrets):
    """Play games number `first` and on, one for each row.

    Parameters
    ----------
    rules_, table_, secret_, seats_ : (1,) arrays of the game's RULES, TABLE, SECRET, SEATED
    seed, first : uint64
        The run's seed, and the number of its game to begin with.
    rows : (games, columns) int32, filled
    tables, secrets : (games, rounds) arrays of the game's records, filled as each round closes; or (0, 0)
    """
    rules, table, secret, seats = rules_[0], table_[0], secret_[0], seats_[0]
    keeps = tables.shape[0] > 0
    for game in range(rows.shape[0]):
        number = first + U64(game)
        stream = begin(rules, table, secret, seats, seed, number)
        row = rows[game]
        while not table.over:
            round_ = table.round
            open_round(rules, table, secret, seats, stream)
            play_tricks(rules, table, secret, seats, 0, stream)
            score_round(rules, table, secret)
            write_round(rules, table, secret, row)
            if keeps:
                copy_record(tables[game, round_], table)
                copy_record(secrets[game, round_], secret)
        close_game(rules, table, row)


@njit(cache=True, nogil=True)
def play_abreast(rules_, tables, secrets, seats, seed, first, rows):
    """Play the games that `play_games` plays, at two tables at once, where no seat looks and none is to be kept.

    Parameters
    ----------
    rules_ : (1,) array of the game's RULES
    tables, secrets, seats : (2,) arrays of the game's TABLE, SECRET, SEATED
    seed, first : uint64
        The run's seed, and the number of its game to begin with.
    rows : (games + 1, columns) int32, filled
        The last one is of no game: a table that is left without one plays on for nobody.
    """
    rules, games, following = rules_[0], rows.shape[0] - 1, len(tables)
    playing, streams = np.arange(len(tables)), np.zeros((len(tables), 2), np.uint64)
    for at in range(len(tables)):
        streams[at] = begin(rules, tables[at], secrets[at], seats[at], seed, first + U64(at))
    while min(playing[0], playing[1]) < games:
        for at in range(len(tables)):  # one after the other: twice the code would not stay in a processor's cache
            open_round(rules, tables[at], secrets[at], seats[at], (streams[at, 0], streams[at, 1]))
        one = tables[0], secrets[0], seats[0], (streams[0, 0], streams[0, 1])
        other = tables[1], secrets[1], seats[1], (streams[1, 0], streams[1, 1])
        play_tricks_abreast(rules, one, other)
        for at in range(len(tables)):
            table, row = tables[at], rows[min(playing[at], games)]
            score_round(rules, table, secrets[at])
            write_round(rules, table, secrets[at], row)
            if table.over:
                close_game(rules, table, row)
                playing[at], following = following, following + 1
                streams[at] = begin(rules, table, secrets[at], seats[at], seed, first + U64(playing[at]))


def _is_large(arguments: Any) -> bool:
    """Tell whether a kernel holds more than the players that don't look."""
    return MARKS[BLIND] not in arguments[3].dtype.typeof("views").dtype.fields


compiled_whole(play_games, _is_large)
play_games._cache = Cache(play_games.py_func)
play_abreast._cache = Cache(play_abreast.py_func)
