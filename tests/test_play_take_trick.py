"""Take-Trick's kernel against its plain twin, game by game and play by play."""

import random

import pytest
from reference import take_trick as twin

from simlib.batch import Arm, Seating, columns_of
from simlib.games import game_named, make_variant
from simlib.games.take_trick import records, referee
from simlib.hooks import seated
from simlib.records import FORMAT

pytestmark = pytest.mark.kernel
GAME = game_named("take_trick")
PLAYERS = GAME.module("players").PLAYERS
DECKS = [(3, 6), (3, 6), (3, 9), (1, 12), (2, 7), (4, 6), (7, 5), (16, 4), (16, 16), (3, 32)]


def random_copies(source: random.Random, colours: int, ranks: int, least: int) -> list[int] | dict[str, list[int]]:
    """Return copies by rank, or by colour and rank, that make a deck of `least` to 256 cards."""
    letters = "GPSRBYWKNCMLTVAO"[:colours]
    most = min(max(1, 256 // (colours * ranks)), 6)
    while True:
        by_colour = {letter: [source.randint(0, most) for _ in range(ranks)] for letter in letters}
        if source.random() < 0.5:
            by_colour = dict.fromkeys(letters, by_colour["G"])
        if least <= sum(map(sum, by_colour.values())) <= 256:
            return (
                by_colour if source.random() < 0.5 or len(set(map(tuple, by_colour.values()))) > 1 else by_colour["G"]
            )


def random_settings(source: random.Random) -> dict:
    """Return settings of a random legal variant, with every reading and with short stocks."""
    players = source.randint(3, 6)
    colours, ranks = source.choice(DECKS)
    copies = random_copies(source, colours, ranks, players)
    by_colour = copies.values() if isinstance(copies, dict) else [copies] * colours
    cards = sum(map(sum, by_colour))
    most = cards // players
    present = [rank for rank, counts in enumerate(zip(*by_colour, strict=True), start=1) if any(counts)]
    size = source.choice([1, most, source.randint(1, most), min(most, 10), min(most, 10)])
    return {
        "players": players,
        "deck.colours": colours,
        "deck.ranks": ranks,
        "deck.copies": copies,
        "hand.size": size,
        "trump.ranks": source.sample(present, source.randint(1, len(present))),
        "colours.max": source.choice([1, 2, 2, 3, 5]),
        "gift.points": source.choice([0, 1, 1, 2, 5]),
        "gift.penalty": source.choice([0, 1, 1, 3]),
        "gift.penalty_falls_on": source.choice(["trick_winner", "giver"]),
        "gift.extra": source.choice(["together", "forfeit"]),
        "score.target": source.choice([1, 3, 8, 25, 60, 400]),
        "rounds.max": source.choice([1, 2, 3, 3, 7]),
    }


def play_both(variant, names: list[str], seed: int, first: int, games: int, held: tuple[int, int] | None = None):
    """Play games in the kernel and in the twin; return both as records, and the kernel's rows by column."""
    arm = Arm(variant, tuple(seated(name, PLAYERS, "test") for name in names), *(held or (-1, 1)))
    rows, tables, secrets = Seating(arm).play(seed, first, games, keep=True)
    parameters = variant.parameters.model_dump()
    ours = [records.result(variant, tables[game], secrets[game]) for game in range(games)]
    theirs = [twin.play_game(parameters, seed, first + game, names, held=held) for game in range(games)]
    return ours, theirs, rows


def assert_same(variant, ours, theirs, rows) -> None:
    """Assert that records and rows agree game by game."""
    names, parameters = columns_of(variant), variant.parameters.model_dump()
    for game, (mine, wanted) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == wanted, (variant.flat(), game)
        row = dict(zip(names, rows[game].tolist(), strict=True))
        for name, value in (twin.row(wanted, parameters) | bamboo_columns(wanted, names)).items():
            assert row[name] == value, (variant.flat(), game, name)


def bamboo_columns(record: dict, names: list[str]) -> dict[str, int]:
    """Return what the row says of bamboo, from a record."""
    columns = dict.fromkeys([name for name in names if name.startswith("bamboo")], 0)
    for number, played in enumerate(record["rounds"]):
        for seat, held in enumerate(played["bamboo"]):
            columns |= {f"bamboo_{number}_{seat}_{letter}": count for letter, count in held.items()}
    return columns


def assert_referee_agrees(variant, result: dict, names: list[str], seed: int, index: int) -> None:
    """Assert that the referee finds no fault with a game."""
    head = {"format": FORMAT, "game": GAME.name, "variant": variant.name, "parameters": variant.flat()}
    referee.check(head | {"seed": seed, "index": index, "players": names} | result, variant)


@pytest.mark.parametrize("preset", ["classic", "nine"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_published_games_agree(players: int, preset: str) -> None:
    variant = make_variant(GAME, base=preset, settings={"players": players})
    assert_same(variant, *play_both(variant, ["random"] * players, 1, 0, 200))


def test_no_trick_follows_a_gift_that_ends_the_game() -> None:
    variant = make_variant(GAME, settings={"score.target": 3})
    ours, theirs, rows = play_both(variant, ["random"] * 4, 1, 0, 200)
    assert sum(game["rounds"][-1]["ended_by_gift"] for game in ours) > 20
    assert_same(variant, ours, theirs, rows)


def test_20000_games_of_random_variants_agree_play_by_play() -> None:
    source, played = random.Random(5), 0
    while played < 20_000:
        variant = make_variant(GAME, settings=random_settings(source))
        games = min(50, 20_000 - played)
        names = ["random"] * variant.parameters.players
        seed, first = source.getrandbits(64), source.getrandbits(40)
        ours, theirs, rows = play_both(variant, names, seed, first, games)
        assert_same(variant, ours, theirs, rows)
        assert_referee_agrees(variant, ours[0], names, seed, first)
        played += games


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_held_hands_agree(seat: int) -> None:
    variant = make_variant(GAME)
    ours, theirs, rows = play_both(variant, ["random"] * 4, 3, 95, 60, held=(seat, 20))
    assert_same(variant, ours, theirs, rows)
    assert len({tuple(sorted(game["rounds"][0]["dealt"][seat])) for game in ours}) == 4  # groups 4 to 7
