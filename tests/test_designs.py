"""A design is a preset, a variant file or a run, and what is changed of it."""

from dataclasses import replace

import numpy as np
import pytest

from simlib import results
from simlib.designs import designs_in
from simlib.errors import BadInput
from simlib.experiments import variant_facts
from simlib.games import game_named, make_variant


def kept_run(folder, experiment="take_trick_gifts", name="custom", **settings):
    """Keep a run's result file with one variant."""
    variant = replace(make_variant(game_named("take_trick"), settings=settings), name=name)
    facts = {"variants": variant_facts({"4 players": variant})}
    results.save(folder, results.Results(experiment, facts, {"a": {"n": np.int64(1)}}))
    return folder


def test_a_preset_with_settings():
    one, other = designs_in({"A": "classic", "B": "classic score.target=20 deck.copies.1=5"}, "take_trick")
    assert one.variant.name == "classic"
    assert other.variant.parameters.score.target == 20
    assert other.variant.parameters.deck.copies[0] == [5, 3, 3, 3, 3, 3]
    assert other.text == "classic score.target=20 deck.copies.1=5"


def test_a_file_says_its_game_and_is_called_by_its_name(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('game = "take_trick"\n[score]\ntarget = 30\n[targets]\ntarget_reached = "0.5..0.7"\n')
    (design,) = designs_in({"A": f"{file} players=3"}, "")
    assert (design.text, design.variant.parameters.score.target, design.variant.parameters.players) == (
        "mine players=3",
        30,
        3,
    )
    assert design.targets == {"target_reached": "0.5..0.7"}


def test_a_run_is_the_design_that_it_played(tmp_path):
    folder = kept_run(tmp_path / "run", name="mine", **{"score.target": 18})
    (design,) = designs_in({"A": str(folder)}, "")
    assert design.variant.parameters.score.target == 18
    assert (design.experiment, design.variant.name) == ("take_trick_gifts", "mine")
    (changed,) = designs_in({"A": f"{folder} score.target=19"}, "")
    assert (changed.variant.parameters.score.target, changed.variant.name) == (19, "custom")


def test_a_run_of_several_variants_is_its_main_one(tmp_path):
    variants = {
        f"{count} players": make_variant(game_named("suppose"), settings={"players": count}) for count in (3, 4)
    }
    facts = {"variants": variant_facts(variants)}
    results.save(tmp_path / "run", results.Results("suppose_bids", facts, {}))
    (design,) = designs_in({"A": str(tmp_path / "run")}, "")
    assert design.variant.parameters.players == 4


@pytest.mark.parametrize(
    ("texts", "game", "told"),
    [
        ({"A": ""}, "suppose", "A is missing"),
        ({"A": "classic"}, "", "GAME is missing"),
        ({"A": "classic"}, "supose", "unknown game 'supose'; did you mean 'suppose'"),
        ({"A": "sixty"}, "suppose", "A: unknown preset 'sixty' of suppose"),
        ({"A": "classic bid.dubble=3"}, "suppose", "A: unknown key 'bid.dubble'; did you mean 'bid.double'"),
        ({"A": "nowhere.toml"}, "suppose", "nowhere.toml: can't be read"),
        ({"A": "clasic"}, "suppose", "A: .*'clasic'.*did you mean 'classic'"),
    ],
)
def test_bad_texts_are_told_in_a_line(texts, game, told):
    with pytest.raises(BadInput, match=told) as fault:
        designs_in(texts, game)
    assert "\n" not in str(fault.value)


def test_designs_of_two_games_and_runs_of_two_experiments_are_refused(tmp_path):
    one = kept_run(tmp_path / "one")
    other = kept_run(tmp_path / "other", experiment="take_trick_target")
    with pytest.raises(BadInput, match="runs of different experiments can't be compared: A of take_trick_gifts and B"):
        designs_in({"A": str(one), "B": str(other)}, "")
    with pytest.raises(BadInput, match="designs of one game can be compared"):
        designs_in({"A": str(one), "B": "classic"}, "suppose")


def test_a_files_name_may_have_blanks_and_the_design_its_own(tmp_path):
    file = tmp_path / "my game.toml"
    file.write_text('game = "take_trick"\nname = "six ones"\n')
    (design,) = designs_in({"A": f'"{file}" players=3'}, "")
    assert design.text == "six ones players=3"


def test_what_is_no_experiments_run_is_no_design(tmp_path):
    folder = kept_run(tmp_path / "one", experiment="sweep")
    with pytest.raises(BadInput, match="a sweep is no design"):
        designs_in({"A": str(folder)}, "")
    with pytest.raises(BadInput, match="A: no preset, variant file or run"):
        designs_in({"A": "x" * 4000}, "take_trick")
