"""Pages of the games that a report shows, a page a game, made from the records that it keeps."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from simlib.errors import BadInput, RuleViolation
from simlib.estimates.words import with_unit
from simlib.files import write_whole
from simlib.languages import say
from simlib.pages.page import environment
from simlib.pages.tables import decimals, figure
from simlib.records import accepted, told
from simlib.results import FILE
from simlib.telling import by_seat, capital, seats_named

SAMPLES = "samples"  # the key of a run's facts under which it says which games it shows
RECORDS = "data/games.jsonl"  # their records in the report's folder, in the same order


class Link(NamedTuple):
    """A game that is shown: where its page is, what it is called, and what is said of it."""

    href: str
    title: str
    line: str


class Shown(NamedTuple):
    """The games that show a variant: its label, how they were picked, each of them, and where their records are."""

    label: str
    how: str
    links: tuple[Link, ...]
    records: str = RECORDS


def write_games(folder: Path, facts: Mapping[str, Any], title: str) -> list[Shown]:
    """Write a page for each game that a run's report shows, and return what the report says of them.

    Parameters
    ----------
    facts : mapping
        The run's; without games to show, nothing is written.
    title : str
        The report's.

    Raises
    ------
    BadInput
        If the records can't be read, or aren't those of the run.
    """
    sets = facts.get(SAMPLES, [])
    records = iter(_records(folder / RECORDS, sets) if sets else [])
    return [
        Shown(
            own["label"],
            how_picked(own),
            tuple(_write_game(folder, own, game, next(records), title) for game in own["shown"]),
        )
        for own in sets
    ]


def how_picked(own: Mapping[str, Any]) -> str:
    """Return in words how the games that show a variant were picked."""
    facts = {
        "games": own["games"],
        "figure": capital(say(own["figure"])),
        "median": _value(own["median"], own),
        "players": say(", ").join(own["players"]),
    }
    if own["games"] == 1:
        return say("One game was played ({players}).", **facts)
    if not own["shown"][-1]["extreme"]:
        return say(
            "{figure}: {median} in all of the first {games:,} games that have it ({players}); some of them.", **facts
        )
    return say(
        "{figure}: of the first {games:,} games ({players}) those nearest to their median, {median}, and the one "
        "farthest from it.", **facts
    )  # fmt: skip


def _write_game(
    folder: Path, own: Mapping[str, Any], game: Mapping[str, Any], record: dict[str, Any], report: str
) -> Link:
    """Write a game's page and return the link to it."""
    href = f"games/{own['game']}-{game['number']}.html"
    facts = {"figure": own["figure"], "value": _value(game["value"], own), "scores": by_seat(record["scores"]),
             "winners": seats_named(record["winners"])}  # fmt: skip
    if game["extreme"]:
        line = say("the most extreme, {figure}: {value}; won by {winners}; scores: {scores}", **facts)
    else:
        line = say("typical, {figure}: {value}; won by {winners}; scores: {scores}", **facts)
    link = Link(href, say("Game {number}", number=game["number"]), line)
    page = environment().get_template("game.html").render(
        tale=told(record), why=capital(line), how=how_picked(own), report=report, records=RECORDS
    )  # fmt: skip
    write_whole(folder / href, page)
    return link


def _value(value: float, own: Mapping[str, Any]) -> str:
    """Return one game's figure as it is shown."""
    if own["chance"] and value in (0, 1):
        return say("yes") if value else say("no")
    scaled = 100 * value if own["percent"] else value
    return with_unit(figure(scaled, decimals([scaled])), "%" if own["percent"] else own["unit"])


def _records(path: Path, sets: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of the games that are shown, in order."""
    wanted = [(own["game"], game["number"]) for own in sets for game in own["shown"]]
    try:
        with path.open("rb") as lines:
            found = list(islice(accepted(lines), len(wanted) + 1))
    except OSError as fault:
        raise BadInput(f"{path}: can't be read: {fault.strerror or fault}") from None
    except RuleViolation as fault:
        raise BadInput(f"{path}: {fault}") from None
    if [(record["game"], record["index"]) for record in found] != wanted:
        raise BadInput(f"{path}: it doesn't hold the games that {FILE} names")
    return found
