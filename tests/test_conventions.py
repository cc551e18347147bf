"""What holds for all of the code: who may import whom, and what is kept out."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = [  # each imports from its own and earlier ones alone
    {"errors", "cards", "clauses", "heavy", "languages", "interrupts"},
    {"hooks", "variants", "files", "streams", "state", "dealing", "judging", "measures", "plays", "tricks", "turns"},
    {"games", "players", "telling"},
    {"own"},
    {"given", "machine", "whole", "play", "sealed"},
    {"identity", "made"},
    {"checkpoints"},
    {"progress"},
    {"batch", "backends", "results"},
    {"estimates"},
    {"frames", "precision"},
    {"findings", "how_sure", "figures", "pages", "whatif", "rows", "records", "respond", "training"},
    {"experiments"},
    {"axes", "survey", "history"},
    {"measured"},
    {"landscape", "samples", "targets", "designs"},
    {"review"},
    {"sweep", "compare", "tune", "playtest", "tour"},
    {"arguments"},
    {"verbs"},
    {"cli"},
    {"__main__"},
]
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names}
SOURCES = sorted((ROOT / "simlib").rglob("*.py"))
EXPERIMENTS = sorted((ROOT / "experiments").glob("*.py"))
WITH_FRAMES = {
    "heavy",
    "frames",
    "rows",
    "findings",
    "figures",
    "pages",
    "experiments",
    "how_sure",
    "survey",
    "tour",
} | {
    "sweep",
    "compare",
    "targets",
    "tune",
    "playtest",
    "review",
}


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def part_of(path: Path) -> str:
    """Return the part of simlib that a file belongs to: the first folder's name or its own."""
    return path.relative_to(ROOT / "simlib").parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Return the dotted names of all modules that a file imports, inside its functions too."""
    names: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names.add(node.module or "")
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_imports_go_one_way(path: Path) -> None:
    part = part_of(path)
    if part == "__init__":
        assert not any(name.startswith("simlib") for name in imported(path))
        return
    assert part in LAYER, "a new part of simlib needs its place among the layers"
    below = {name.split(".")[1] for name in imported(path) if name.startswith("simlib.")}
    late = {name for name in below & LAYER.keys() if LAYER[name] > LAYER[part]}
    assert not late


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_frames_and_figures_stay_on_the_right(path: Path) -> None:
    names = imported(path)
    roots = {name.partition(".")[0] for name in names}
    drawn = roots & {"pandas", "matplotlib"} or names & {"simlib.heavy.pd", "simlib.heavy.matplotlib"}
    assert part_of(path) in WITH_FRAMES or not drawn
    assert part_of(path) in {"given", "machine", "whole", "play"} or not roots & {"numba", "llvmlite"}
    assert part_of(path) == "batch" or "joblib" not in roots


def dotted(node: ast.AST) -> str:
    """Return a name with dots as it is written; nothing for other expressions."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return before and f"{before}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def test_what_is_imported_late_is_all_there_whatever_is_asked_for_first() -> None:
    paths = {path for path in SOURCES + EXPERIMENTS if "simlib.heavy" in imported(path)}
    asked = {dotted(node) for path in paths for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    names = sorted(name for name in asked if re.match(r"(matplotlib|pd|special|fft)\.\w+\.", name))
    assert "matplotlib.backends.backend_svg" in names
    for name in names:
        asking = f"from simlib.heavy import *; {name}"
        done = subprocess.run([sys.executable, "-c", asking], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_the_referee_and_the_twin_share_nothing_with_the_kernels() -> None:
    for path in (ROOT / "simlib/games").rglob("referee.py"):
        parts = {name.rpartition(".")[2] for name in imported(path)} | {
            part for name in imported(path) if name.startswith("simlib") for part in name.split(".")
        }
        assert not parts & {"play", "rules", "hooks", "streams", "dealing", "players", "batch", "state", "numba"}
    for path in (ROOT / "tests/reference").glob("*.py"):
        assert not any(name.startswith(("simlib", "numba")) for name in imported(path)), path


@pytest.mark.parametrize("path", [*SOURCES, *EXPERIMENTS], ids=shown)
def test_no_global_generator_no_print_and_no_exit(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Attribute):
            assert node.attr not in {"random", "default_rng"}, f"line {node.lineno}"
        if isinstance(node, ast.Call) and path.stem not in {"cli", "__main__"}:
            assert ast.unparse(node.func) not in {"print", "sys.exit", "exit", "quit"}, f"line {node.lineno}"
    assert not imported(path) & {"random", "numpy.random"}


@pytest.mark.parametrize("path", [*SOURCES, *EXPERIMENTS], ids=shown)
def test_every_public_function_says_what_it_does(path: Path) -> None:
    tree = tree_of(path)
    scopes = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for node in (node for scope in scopes for node in scope.body):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            decisions = [each for each in node.decorator_list if ast.unparse(each).startswith("decides(")]
            assert ast.get_docstring(node) or decisions, node.name  # what a decision is stands once, on its choice


@pytest.mark.parametrize("path", EXPERIMENTS, ids=shown)
def test_every_experiment_has_what_it_needs(path: Path) -> None:
    tree = tree_of(path)
    names = {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert re.fullmatch(r"[a-z][a-z0-9_]*", path.stem)
    assert (ast.get_docstring(tree) or "").partition("\n")[0].endswith("?")
    assert {"GAME", "TITLE", "GAMES", "GLOSSARY"} <= names
    assert {"plan", "findings", "headline_figure"} <= functions


@pytest.mark.parametrize("arguments", [["--help"], ["games"], ["experiment", "--list"], ["rules", "suppose"]])
def test_what_plays_nothing_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from contextlib import suppress; from simlib.cli import main\n"
        f"with suppress(SystemExit): main({arguments!r})\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'numba', 'pandas', 'matplotlib', 'scipy'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == ""


def test_kernels_reach_nothing_that_their_caches_name_leaves_out() -> None:
    code = (
        "import sys, simlib, simlib.own, simlib.play\n"
        "from simlib.games import games\n"
        "for game in games().values():\n"
        "    for part in ('rules', 'players', 'heuristics', 'search', 'determinization', 'weights'):\n"
        "        game.module(part)\n"
        "for name in sys.modules:\n"
        "    first, _, rest = name.removeprefix('simlib.').partition('.')\n"
        "    if name.startswith('simlib.') and (first in simlib.BEYOND_KERNELS\n"
        "            or first == 'games' and rest.rpartition('.')[2] in simlib.BESIDE_RULES):\n"
        "        print(name)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == ""
