"""Players in a designer's own file: ``mine.py:cautious`` names functions there, and the package stays as it is.

The function `cautious` plays cards; ``cautious_bid``, ``cautious_offer`` and so on, where the file has them, take the
game's other decisions, and BASE takes those that it hasn't. Compiled, they become part of a kernel of their own, told
from others by a digest of the file. In plain Python the kernel calls back for each decision.
"""

import ctypes
import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from simlib import hooks
from simlib.errors import BadInput, did_you_mean, one_line
from simlib.games import game_named
from simlib.hooks import Player, Seated

BASE = "greedy"
PLAIN = "plain"  # behind the function's name: don't compile it
FAILED = -1  # what a plain function's callback returns when BASE is to decide
ASKED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * 4, ctypes.c_int64)
_known: dict[tuple[str, str, str, bool], "Own"] = {}


@dataclass(eq=False)
class Own:
    """A player of one game in a designer's file.

    Attributes
    ----------
    text : str
        As typed.
    path : Path
    functions : dict
        {choice: the function that decides it}.
    digest : str
        Of the file and the function's name: what is compiled is told apart by it.
    plain : bool
        Whether the kernel calls back to Python.
    fault : str
        What went wrong in a callback, or empty; from then on BASE decides.
    """

    text: str
    path: Path
    functions: dict[Any, Callable[..., Any]]
    digest: str
    plain: bool = False
    fault: str = ""
    callbacks: list[Any] = field(default_factory=list)  # the kernel has their addresses alone: they must stay

    def address(self, rules: ModuleType, view: np.dtype) -> int:
        """Return the address of a function that kernels call for its decisions, with Views of a type."""

        def answer(number: int, rules_at: int, table_at: int, view_at: int, values_at: int, count: int) -> int:
            if self.fault or choices[number] not in self.functions:
                return FAILED
            try:
                records = (_record(at, of) for at, of in zip((rules_at, table_at, view_at), types, strict=True))
                values = (ctypes.c_int64 * count).from_address(values_at)[:]
                return self.decide(choices[number], [*records], values)
            except Exception as fault:  # the designer's own, whatever it is
                self.fault = self.told(fault)
                return FAILED

        choices, types = list(choices_of(rules)), (rules.RULES, rules.TABLE, view)
        self.callbacks.append(ASKED(answer))
        return int(ctypes.cast(self.callbacks[-1], ctypes.c_void_p).value or 0)

    def decide(self, choice: Any, records: list[Any], values: list[int]) -> int:
        """Take a decision in plain Python; `values` are the choice's other arguments in a row, a trick's parts too."""
        names = list(inspect.signature(choice).parameters)[3:]
        values[-1] &= 2**64 - 1  # the random word
        rest: list[Any] = list(values)
        if "trick" in names:
            parts = len(values) - len(names) + 1
            rest = [tuple(values[:parts]), *values[parts:]]
        made = self.functions[choice](*records, *rest)
        if not returns(choice):
            return 0
        if isinstance(made, bool) or not isinstance(made, int | np.integer) or made < 0:
            raise TypeError(f"{self.functions[choice].__name__} must return a whole number from 0, not {made!r}")
        return int(made)

    def told(self, fault: BaseException) -> str:
        """Return an exception in the designer's code as one line: file, line and message."""
        lines = [
            frame.lineno for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == str(self.path)
        ]
        where = f"{self.path}, line {lines[-1]}" if lines else f"{self.path} ({self.text}:{PLAIN} tells the line)"
        return one_line(f"{where}: {type(fault).__name__}: {fault}")


def _record(address: int, dtype: np.dtype) -> Any:
    """Return the record at an address, its fields as attributes."""
    memory: Any = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.frombuffer(memory, dtype).view(np.recarray)[0]


def choices_of(rules: ModuleType) -> dict[Any, str]:
    """Return a game's choices, and what a function's name ends in that decides them: nothing for the card to play."""
    own = [choice for choice in hooks.CHOICES if choice.__module__ == rules.__name__]
    return {choice: "" if choice.__name__ == "play" else f"_{choice.__name__}" for choice in own}


def returns(choice: Any) -> bool:
    """Tell whether a choice is answered by a whole number, not by what is written into the View."""
    return str(choice.__doc__).startswith("Return")


def is_own(text: str) -> bool:
    """Tell whether a player's text names a file."""
    return text.partition(":")[0].endswith(".py")


def own_player(text: str, game: str, where: str) -> Seated:
    """Read ``mine.py:cautious`` or ``mine.py:cautious:plain``.

    Raises
    ------
    BadInput
        If there is no such file or function, the file can't be run, or a function takes other arguments than it is
        given.
    """
    name, _, rest = text.partition(":")
    function, _, option = rest.partition(":")
    if option not in ("", PLAIN):
        raise BadInput(f"{where}: {one_line(text, 60)}: only {PLAIN!r} may follow the function's name")
    path = Path(name).absolute()
    try:
        source = path.read_bytes()
    except OSError as fault:
        raise BadInput(f"{where}: {one_line(name, 60)}: can't be read: {fault.strerror or fault}") from None
    digest = hashlib.sha256(b"\0".join((source, function.encode(), str(path).encode()))).hexdigest()[:16]
    key = (game, digest, text, option == PLAIN)
    if key not in _known:
        _known[key] = _read(text, path, function, digest, game, where)
        _known[key].plain = option == PLAIN
    own = _known[key]
    return Seated(text, text, Player(f"{function} in {path.name}; what it doesn't decide is {BASE}'s"), (), own=own)


def _read(text: str, path: Path, function: str, digest: str, game: str, where: str) -> Own:
    module, rules = _module(path, digest, where), game_named(game).module("rules")
    names = [name for name, value in vars(module).items() if inspect.isfunction(value)]
    if function not in names:
        raise BadInput(
            f"{where}: {path.name} has no function {one_line(function, 60)!r}" + did_you_mean(function, names)
        )
    functions = {
        choice: getattr(module, function + ending)
        for choice, ending in choices_of(rules).items()
        if function + ending in names
    }
    for choice, own in functions.items():
        _check(choice, own, path, where)
    return Own(text, path, functions, digest)


def _module(path: Path, digest: str, where: str) -> ModuleType:
    """Return a designer's file, run as a module."""
    spec = util.spec_from_file_location(f"own_{digest}", path)
    assert spec and spec.loader
    module = util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    try:
        spec.loader.exec_module(module)
    except Exception as fault:  # whatever stands in it
        lines = [frame.lineno for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == str(path)]
        line = getattr(fault, "lineno", None) or (lines[-1] if lines else 0)
        raise BadInput(f"{where}: {path.name}, line {line}: {type(fault).__name__}: {fault}") from None
    return module


def _check(choice: Any, function: Callable[..., Any], path: Path, where: str) -> None:
    wanted = list(inspect.signature(choice).parameters)
    try:
        inspect.signature(function).bind(*wanted)
    except TypeError:
        raise BadInput(
            f"{where}: {path.name}: {function.__name__} must take ({', '.join(wanted)}), "
            f"not {inspect.signature(function)}"
        ) from None
