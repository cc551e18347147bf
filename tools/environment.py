"""Makes `.venv` from a lock file, and the lock files from `pyproject.toml`; used by the Makefile.

Needs nothing but Python's standard library, and no new Python to say that this one is too old.
"""

import contextlib
import fcntl
import hashlib
import pathlib
import shutil
import subprocess
import sys

OLDEST = (3, 11)
VENV = pathlib.Path(".venv")
CACHE = pathlib.Path(".cache")
LOCKS = {"runtime": "requirements.lock", "dev": "requirements-dev.lock"}
LOCKER = "uv==0.13.9"


def main(verb):
    """Carry out `runtime` or `dev` (make `.venv` so), or `lock` (write the lock files anew)."""
    check_python()
    with one_at_a_time():
        if verb == "lock":
            write_locks()
        else:
            set_up(verb)


def check_python():
    """Leave with one line if this Python can't do it."""
    version = ".".join(map(str, sys.version_info[:2]))
    advice = "install it, or name another Python: make setup PYTHON=python3.12"
    if sys.version_info < OLDEST:
        sys.exit(f"Python 3.11 or newer is needed and {sys.executable} is {version}: {advice}")
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        sys.exit(f"{sys.executable} ({version}) lacks its module {error.name!r} (Debian: python3-venv): {advice}")


@contextlib.contextmanager
def one_at_a_time():
    """Wait until no other process of this checkout is in here."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "environment").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def ready(kind):
    """Return the file whose content says from which files `.venv` was made; it is there only if that ended well."""
    return VENV / f"ready-{kind}"


def digest(kind):
    """Return what `ready(kind)` must hold."""
    files = ["pyproject.toml", LOCKS[kind]]
    return hashlib.sha256(b"\0".join(pathlib.Path(file).read_bytes() for file in files)).hexdigest()


def set_up(kind):
    """Bring `.venv` to the lock of that kind; what an earlier set-up left unfinished is made from nothing."""
    mark, wanted = ready(kind), digest(kind)
    if mark.exists() and mark.read_text() == wanted:
        mark.touch()
        return
    whole = ready("runtime").exists()
    for other in LOCKS:
        ready(other).unlink(missing_ok=True)
    print(f"setting up .venv from {LOCKS[kind]} (the first time takes a minute or two) ...", file=sys.stderr)
    if not whole:
        run(sys.executable, "-m", "venv", "--clear", VENV)
    pip(VENV, "--require-hashes", "--only-binary=:all:", f"--requirement={LOCKS[kind]}")
    pip(VENV, "--no-index", "--no-deps", "--no-build-isolation", "--editable=.")
    if kind == "dev":
        ready("runtime").write_text(digest("runtime"))
    mark.write_text(wanted)


def write_locks():
    """Write both locks: pins that still fit stay, and both hold the same versions; delete a lock for the newest."""
    import tomllib

    venv = CACHE / "lock"
    shutil.rmtree(venv, ignore_errors=True)
    run(sys.executable, "-m", "venv", venv)
    pip(venv, LOCKER)
    backend = "\n".join(tomllib.loads(pathlib.Path("pyproject.toml").read_text())["build-system"]["requires"])
    shape = ["--universal", "--python-version=3.11", "--fork-strategy=fewest", "--only-binary=:all:"]
    shape += ["--generate-hashes", "--no-annotate", "--no-header", "--quiet"]
    asked = {"runtime": [], "dev": ["--extra=dev", f"--constraint={LOCKS['runtime']}"]}
    for kind, lock in LOCKS.items():
        command = ["pip", "compile", *shape, *asked[kind], f"--output-file={lock}", "pyproject.toml", "-"]
        run(venv / "bin/uv", *command, given=backend)


def pip(venv, *arguments):
    """Run that environment's `pip install`, quietly."""
    run(venv / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments)


def run(*command, given=None):
    """Run a command; leave with one line, below what the command itself said, if it fails."""
    words = list(map(str, command))
    status = subprocess.run(words, input=given, text=True, check=False).returncode
    if status:
        sys.exit(f"failed with status {status}: {' '.join(words)}")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        sys.exit("interrupted: the next make does it again")
