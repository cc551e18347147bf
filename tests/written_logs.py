"""Records as the rows of a CSV log, as a careful person would write them down."""

import csv
import io
import json
from typing import Any

from simlib import records
from simlib.batch import Arm
from simlib.games import game_named, make_variant
from simlib.hooks import seated

Record = dict[str, Any]


def arm_of(game: str, policy: str, **settings: Any) -> Arm:
    variant = make_variant(game_named(game), settings=settings)
    players = game_named(game).module("players").PLAYERS
    return Arm(variant, (seated(policy, players, "policy"),) * variant.parameters.players)


def played(game: str, policy: str, seed: int, games: int, **settings: Any) -> list[Record]:
    return [json.loads(line) for line in records.written(arm_of(game, policy, **settings), seed, games)]


def cells_of(record: Record) -> dict[str, str]:
    """Return all that a log can tell of a game, by column."""
    scores = [f"{score:g}" for score in record["scores"]]
    cells = {
        "players": str(len(scores)),
        "scores": "/".join(scores),
        "winner": "/".join(map(str, record["winners"])),
        "start": "0",
    }
    return cells | OWN[record["game"]](record["rounds"])


def _suppose(rounds: list[Record]) -> dict[str, str]:
    cells = {}
    for seat in range(len(rounds[0]["tricks_won"])):
        bids = ["-".join(map(str, played["hands"][seat]["bid"])) or "-" for played in rounds]
        cells[f"tricks_{seat}"] = "/".join(str(played["tricks_won"][seat]) for played in rounds)
        cells[f"bids_{seat}"] = "/".join(bids)
    return cells


def _gara_tori(rounds: list[Record]) -> dict[str, str]:
    tricks = rounds[0]["tricks"]
    turns = sum(sum(a != b for a, b in zip(trick["leads"], trick["leads"][1:], strict=False)) for trick in tricks)
    return {"turns": str(turns), "locks": str(sum(trick["locked"] for trick in tricks))}


def _take_trick(rounds: list[Record]) -> dict[str, str]:
    captures = [capture for played in rounds for trick in played["tricks"] for capture in trick["captures"]]
    gifts = [capture["gift"] for capture in captures if capture["gift"]]
    return {
        "rounds": str(len(rounds)),
        "gifts_offered": str(len(gifts)),
        "gifts_accepted": str(sum(gift["accepted"] for gift in gifts)),
        "ended_by_gift": "yes" if rounds[-1]["ended_by_gift"] else "no",
    }


OWN = {"suppose": _suppose, "gara_tori": _gara_tori, "take_trick": _take_trick}


def csv_of(rows: list[dict[str, str]], delimiter: str = ",") -> str:
    text = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = csv.DictWriter(text, names, delimiter=delimiter, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()
