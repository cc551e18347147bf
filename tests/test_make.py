import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
VARIABLES = ["NAME", "GAMES", "PRECISION", "TIME", "SEED", "JOBS", "SET", "VARIANT", "OUT"]
LOCKS = ["requirements.lock", "requirements-dev.lock"]
SETTING_UP = ["Makefile", "pyproject.toml", "tools/environment.py", *LOCKS]

HOSTILE = [
    "$(shell touch pwned)",
    "${shell touch pwned}",
    "$$(touch pwned)",
    "$(touch pwned)",
    "\\$(shell touch pwned)",
    "$(eval X := $(shell touch pwned))",
    "$(info pwned)$(error pwned)",
    "`touch pwned`",
    '"; touch pwned; "',
    "'; touch pwned; '",
    "; touch pwned #",
    "x'y",
    'deck.name="A|B&C;D"',
    "a\nb",
    "a\n\ttouch pwned",
    "a\\\ntouch pwned",
    "$",
    "$$",
    "a\\",
    "#not a remark",
    "=x",
    ":=x",
    "--version",
    "-n",
    "../../etc/passwd",
    "a/b",
    "trailing  ",
    "*",
    "~",
    "竹取 🎋",
    b"\xff\xfe".decode(errors="surrogateescape"),
    "",
]

TELL = f"""
import json, os, sys
given = {{name: os.environ[name] for name in {VARIABLES} if name in os.environ}}
print(json.dumps([sys.argv[1:], given, os.environ["MAKEFLAGS"]]))
sys.exit(int(os.environ.get("STUB_STATUS", 0)))
"""
STUB = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(TELL)} "$@"\n'


@pytest.fixture
def checkout(tmp_path):
    """The real Makefile beside a `.venv` that is up to date and whose programs say how they were called."""
    folder = tmp_path / "a check'out"
    for name in SETTING_UP:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    (folder / ".venv/bin").mkdir(parents=True)
    for program in ("simlib", "pytest", "python"):
        (folder / ".venv/bin" / program).write_text(STUB)
        (folder / ".venv/bin" / program).chmod(0o755)
    for stamp in ("ready-runtime", "ready-dev"):
        (folder / ".venv" / stamp).touch()
    return folder


def make(folder, *arguments, **environment):
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    kept = {name: value for name, value in outside.items() if name not in (*VARIABLES, "PYTHON")}
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def dumped(done):
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("value", HOSTILE)
def test_values_arrive_as_typed_and_run_nothing(checkout, value):
    before = files(checkout)
    everywhere = dict.fromkeys(VARIABLES, value)
    typed = [f"{name}={value}" for name in VARIABLES]
    for arguments, environment in [(typed, {}), ([], everywhere), (["-e", *typed], everywhere), (["-j2", *typed], {})]:
        called, given, flags = dumped(make(checkout, "experiment", *arguments, **environment))
        assert called == ["experiment", "--environment"]
        assert given == everywhere
        assert "pwned" not in flags
    assert files(checkout) == before


def test_the_one_exception_is_white_space_before_a_typed_value(checkout):
    assert dumped(make(checkout, "experiment", "NAME= \t a b "))[1] == {"NAME": "a b "}
    assert dumped(make(checkout, "experiment", NAME=" \t a b "))[1] == {"NAME": " \t a b "}


def test_what_is_typed_wins_over_the_environment(checkout):
    assert dumped(make(checkout, "experiment", "SEED=2", SEED="1", JOBS="3"))[1] == {"SEED": "2", "JOBS": "3"}


def test_what_is_not_given_is_not_in_the_environment(checkout):
    assert dumped(make(checkout, "experiment"))[1] == {}


@pytest.mark.parametrize("typed", ["GAMEZ=$(shell touch pwned)", "SHELL=touch pwned", "ALLOWED2=x"])
def test_a_variable_that_nothing_reads_is_refused(checkout, typed):
    before = files(checkout)
    done = make(checkout, "experiment", typed)
    assert done.returncode == 2
    assert f"unknown variable {typed.partition('=')[0]} (allowed: NAME GAMES" in done.stderr
    assert done.stdout == ""
    assert files(checkout) == before


@pytest.mark.parametrize("where", ["typed", "environment"])
def test_python_is_a_program_and_not_a_command_line(checkout, where):
    (checkout / ".venv/ready-runtime").unlink()
    value = "$(shell touch pwned); touch pwned"
    before = files(checkout)
    done = make(checkout, "setup", f"PYTHON={value}") if where == "typed" else make(checkout, "setup", PYTHON=value)
    assert done.returncode == 2
    assert files(checkout) == before


def test_a_failure_of_the_program_is_a_failure_of_make(checkout):
    assert make(checkout, "experiment", STUB_STATUS="1").returncode == 2


def test_the_other_verbs_are_constant_lines_too(checkout):
    for verb in ("list", "bench", "soak", "faults", "test"):
        called, given, _ = dumped(make(checkout, verb, "NAME=$(shell touch pwned)"))
        assert "pwned" not in str(called)
        assert given == {"NAME": "$(shell touch pwned)"}


def test_make_alone_lists_every_verb_with_a_sentence(checkout):
    done = make(checkout)
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split()
    shown = dict(line.removeprefix("  make ").split("\t") for line in done.stdout.splitlines())
    assert sorted(shown) == sorted(phony)
    assert all(sentence.endswith(".") for sentence in shown.values())


@pytest.mark.parametrize(
    ("changed", "verb", "kind"),
    [
        ("requirements.lock", "setup", "runtime"),
        ("pyproject.toml", "experiment", "runtime"),
        ("requirements-dev.lock", "test", "dev"),
        ("pyproject.toml", "check", "dev"),
        (".venv/ready-runtime", "setup", "runtime"),
        (".venv/ready-dev", "test", "dev"),
    ],
)
def test_a_changed_lock_or_an_unfinished_set_up_is_set_up_again(checkout, changed, verb, kind):
    path = checkout / changed
    if path.parent == checkout:
        later = path.stat().st_mtime + 10
        os.utime(path, (later, later))
    else:
        path.unlink()
    program = checkout / "stub-python"
    program.write_text('#!/bin/sh\necho "$@" >>calls\nexit 1\n')
    program.chmod(0o755)
    assert make(checkout, verb, "PYTHON=./stub-python").returncode == 2
    assert (checkout / "calls").read_text() == f"tools/environment.py {kind}\n"


PIP = """#!/bin/sh
echo "$@" >>calls
test -z "$FAILS" || exit 1
"""

VENV = f"""
import pathlib, shutil
if __name__ == "__main__":
    shutil.rmtree(".venv", ignore_errors=True)
    pathlib.Path(".venv/bin").mkdir(parents=True)
    pathlib.Path(".venv/bin/python").write_text({PIP!r})
    pathlib.Path(".venv/bin/python").chmod(0o755)
    pathlib.Path("calls").write_text("venv\\n")
"""


def set_up(folder, kind, **environment):
    """Run the real set-up with a `venv` module and a pip that only write down their calls."""
    (folder / "venv.py").write_text(VENV)
    (folder / "calls").write_text("")
    done = subprocess.run(
        [sys.executable, "tools/environment.py", kind],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    calls = (folder / "calls").read_text().splitlines()
    return done, [re.search(r"venv|requirements.*lock|editable", call)[0] for call in calls]


def stamps(folder):
    return sorted(path.name for path in (folder / ".venv").glob("ready-*"))


def test_set_up_believes_only_what_ended_well(checkout):
    shutil.rmtree(checkout / ".venv")
    done, calls = set_up(checkout, "runtime", FAILS="1")
    assert done.returncode == 1
    assert "failed with status 1" in done.stderr.splitlines()[-1]
    assert (calls, stamps(checkout)) == (["venv", "requirements.lock"], [])

    assert set_up(checkout, "runtime")[1] == ["venv", "requirements.lock", "editable"]
    assert stamps(checkout) == ["ready-runtime"]
    assert set_up(checkout, "runtime")[1] == []

    assert set_up(checkout, "dev")[1] == ["requirements-dev.lock", "editable"]
    assert stamps(checkout) == ["ready-dev", "ready-runtime"]
    assert set_up(checkout, "runtime")[1] == []

    with (checkout / "requirements.lock").open("a") as lock:
        lock.write("\n")
    assert set_up(checkout, "runtime", FAILS="1")[1] == ["requirements.lock"]
    assert stamps(checkout) == []
    assert set_up(checkout, "dev")[1] == ["venv", "requirements-dev.lock", "editable"]
    assert stamps(checkout) == ["ready-dev", "ready-runtime"]


def test_set_up_says_in_one_line_that_venv_is_missing(checkout):
    (checkout / "ensurepip.py").write_text("raise ImportError('no', name='ensurepip')")
    done, calls = set_up(checkout, "runtime")
    assert (done.returncode, calls) == (1, [])
    assert len(done.stderr.splitlines()) == 1
    assert "lacks its module 'ensurepip'" in done.stderr


def test_set_up_says_in_one_line_that_python_is_too_old(checkout):
    (checkout / "sitecustomize.py").write_text("import sys\nsys.version_info = (3, 10, 13)")
    done, calls = set_up(checkout, "runtime")
    assert (done.returncode, calls) == (1, [])
    assert len(done.stderr.splitlines()) == 1
    assert "Python 3.11 or newer is needed" in done.stderr


def locked(name):
    """Return a lock's requirements by canonical name, and the hashes of each."""
    found = {}
    for entry in (ROOT / name).read_text().replace("\\\n", "").splitlines():
        text, *hashes = entry.split(" --hash=")
        requirement = Requirement(text)
        found[canonicalize_name(requirement.name)] = (requirement, [given.strip() for given in hashes])
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_locks_hold_pins_with_hashes_and_nothing_else(name):
    text = (ROOT / name).read_text()
    line = r"(?:[a-z0-9_.-]+==[^\s;/:@]+(?: ; [^/:@#\\]+)?|    --hash=sha256:[0-9a-f]{64})(?: \\)?"
    assert [entry for entry in text.splitlines() if not re.fullmatch(line, entry)] == []
    assert [pin for pin, (_, hashes) in locked(name).items() if not hashes] == []
    assert len(locked(name)) == text.count("==") - text.count(" == ")


def test_locks_agree():
    runtime, dev = map(locked, LOCKS)
    assert {name: dev.get(name) for name in runtime} == runtime


def test_all_that_pyproject_names_is_locked():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = [text for extra in config["project"]["optional-dependencies"].values() for text in extra]
    needed = {
        LOCKS[0]: config["project"]["dependencies"] + config["build-system"]["requires"],
        LOCKS[1]: [text for text in extras if not text.startswith("simlib[")],
    }
    for lock, texts in needed.items():
        pins = locked(lock)
        for wanted in map(Requirement, texts):
            pinned, _ = pins[canonicalize_name(wanted.name)]
            (version,) = pinned.specifier
            assert wanted.specifier.contains(version.version), f"{lock}: {pinned} is not {wanted}"
