"""Means with luck taken off: as least squares says, and the plain mean where luck can't be told."""

import numpy as np
import pytest
from statsmodels.api import OLS, add_constant

from simlib.estimates.controlled import controlled
from simlib.estimates.joint import Joint
from simlib.estimates.means import mean


def games(n, seed=1):
    draw = np.random.default_rng(seed)
    luck = np.rint(draw.normal(0, 6, (2, n))).astype(int)
    return np.vstack([10 + luck[0] - 2 * luck[1] + np.rint(draw.normal(0, 5, n)).astype(int), luck])


def sums(rows):
    return rows.sum(axis=1).tolist(), (rows @ rows.T).tolist()


@pytest.mark.parametrize("n", [6, 30, 1000])
def test_it_is_the_intercept_of_least_squares(n):
    rows = games(n)
    fitted = OLS(rows[0], add_constant(rows[1:].T, has_constant="add")).fit()
    found = controlled(*sums(rows), n).estimate
    assert found.value == pytest.approx(fitted.params[0])
    assert (found.low, found.high) == pytest.approx(tuple(fitted.conf_int()[0]))


def test_the_factor_is_how_much_smaller_the_variance_is():
    rows = games(4000)
    found, factor = controlled(*sums(rows), 4000)
    plain = mean(int(rows[0].sum()), int((rows[0] ** 2).sum()), 4000)
    assert factor == pytest.approx(((plain.high - plain.low) / (found.high - found.low)) ** 2, rel=0.01)
    assert factor == pytest.approx(1 + 5 * 36 / 25, rel=0.1)


def test_useless_or_constant_controls_change_nothing():
    rows = games(50)
    rows[1:] = 0
    found, factor = controlled(*sums(rows), 50)
    assert found == mean(int(rows[0].sum()), int((rows[0] ** 2).sum()), 50)
    assert factor == 1


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_too_few_games_give_the_plain_mean(n):
    rows = games(5)[:, :n]
    found, factor = controlled(*sums(rows), n)
    assert factor == 1
    assert found.known == (n > 1)


def test_joint_sums_know_their_controls():
    rows = games(100)
    joint = Joint(["points", "mine", "theirs"], *sums(rows), 100)
    assert joint.controlled("points", ["mine", "theirs"]) == controlled(*sums(rows), 100)


def test_pairing_is_worth_what_the_variances_say():
    draw = np.random.default_rng(3)
    luck = np.rint(draw.normal(0, 10, 5000)).astype(int)
    one, two = (luck + np.rint(draw.normal(0, 3, 5000)).astype(int) for _ in range(2))
    rows = np.vstack([one, two])
    joint = Joint(["one", "two"], *sums(rows), 5000)
    apart = one.var(ddof=1) + two.var(ddof=1)
    assert joint.worth_of_pairing(("one", ""), ("two", "")) == pytest.approx(apart / (one - two).var(ddof=1))


def test_pairing_of_ratios_is_worth_what_their_linear_parts_say():
    draw = np.random.default_rng(4)
    tried = draw.poisson(6, 3000) + 1
    hit, other = draw.binomial(tried, 0.3), draw.binomial(tried, 0.5)
    rows = np.vstack([hit, other, tried])
    joint = Joint(["hit", "other", "tried"], *sums(rows), 3000)
    parts = [(each - each.sum() / tried.sum() * tried) / tried.mean() for each in (hit, other)]
    apart = sum(part.var(ddof=1) for part in parts)
    assert joint.worth_of_pairing(("hit", "tried"), ("other", "tried")) == pytest.approx(
        apart / (parts[0] - parts[1]).var(ddof=1)
    )
