"""Records, CSV logs and simulated rows count the same of the same games, and no real game is refused."""

import json

import numpy as np
import pytest
from written_logs import arm_of, cells_of, csv_of, played

from simlib.batch import columns_of, play_arm
from simlib.games import game_named, games, make_variant
from simlib.playtest import own_part
from simlib.playtest.figures import figures, played_counts, simulated_counts
from simlib.playtest.logs import read_log

pytestmark = pytest.mark.kernel

SEED, GAMES = 5, 40
VARIANTS = {
    "suppose": [
        {"players": 3},
        {"players": 4},
        {"bid.double": 2.5, "bid.single": 4},
        {"score.trick": 0, "rounds": 2},
        {"bid.min_guesses": 0, "rounds": 1},
    ],
    "gara_tori": [{"players": 4}, {"players": 6, "deck.preset": "sixty"}, {"deck.specials": 3, "hand.size": 4}],
    "take_trick": [{"players": 3}, {"players": 6}, {"score.target": 12, "gift.points": 3}, {"rounds.max": 1}],
}
CASES = [(game, settings) for game, own in VARIANTS.items() for settings in own]


def variant_for(game, settings):
    return lambda players: make_variant(game_named(game), settings=settings | {"players": players})


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize(("game", "settings"), CASES, ids=str)
def test_a_game_counts_the_same_however_it_is_told(game, settings, policy, tmp_path):
    table = played(game, policy, SEED, GAMES, **settings)
    (tmp_path / "g.jsonl").write_text("".join(json.dumps(record) + "\n" for record in table))
    (tmp_path / "g.csv").write_text(csv_of([cells_of(record) for record in table]))
    logs = [read_log(tmp_path / name, game, variant_for(game, settings), "LOG") for name in ("g.jsonl", "g.csv")]
    arm = arm_of(game, policy, **settings)
    rows = play_arm(arm, SEED, 0, GAMES)
    simulated = simulated_counts(game, dict(zip(columns_of(arm.variant), rows.T, strict=True)), arm.variant.parameters)
    for log in logs:
        assert len(log) == GAMES
        for number, one in enumerate(log):
            counts = one.counts | played_counts(one.scores, one.winners, one.start)
            assert counts == {name: values[number] for name, values in simulated.items()}


@pytest.mark.parametrize(("game", "settings"), CASES, ids=str)
def test_scores_alone_are_taken_of_real_games(game, settings, tmp_path):
    table = played(game, "random", SEED + 1, 2 * GAMES, **settings)
    (tmp_path / "g.csv").write_text(csv_of([{"scores": cells_of(record)["scores"]} for record in table]))
    log = read_log(tmp_path / "g.csv", game, variant_for(game, settings), "LOG")
    assert [list(one.winners) for one in log] == [record["winners"] for record in table]


@pytest.mark.parametrize("game", games())
def test_every_game_has_its_part(game):
    own, rules = own_part(game), make_variant(game_named(game)).parameters
    assert own.COLUMNS and own.WINS
    arm = arm_of(game, "random")
    rows = play_arm(arm, 1, 0, 50)
    counts = simulated_counts(game, dict(zip(columns_of(arm.variant), rows.T, strict=True)), rules)
    for figure in figures(game, rules).values():
        assert {figure.top, figure.bottom} - {""} <= counts.keys()
    scores = np.stack([rows.T[columns_of(arm.variant).index(f"score_{seat}")] for seat in range(rules.players)])
    assert scores.max() <= own.most(rules)
