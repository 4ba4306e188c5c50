"""Staircase and discrete Gaussian noise against fifty digits, against brute force over steps, and against what proves
them: Theorem 7 of Canonne, Kamath & Steinke and the least mean error of Geng & Viswanath."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, StaircaseNoise

ROWS = json.loads((Path(__file__).parents[1] / "oracles" / "optimal_noise.json").read_text("utf-8"))
few = settings(derandomize=True)
stairs = st.builds(StaircaseNoise, st.floats(-2, 3).map(math.exp), st.sampled_from([1.0, 0.5, 3.0]),
                   st.none() | st.floats(0, 1))
moves = st.sampled_from([1.0, 2.0, 3.0]) | st.floats(0.01, 4)


def test_that_both_noises_are_those_of_fifty_digits():
    for row in ROWS:
        given_ = {key: None if value is None else float(value) for key, value in row["params"].items()}
        if row["noise"] == "discrete":
            noise, moved, at = DiscreteGaussianNoise(given_["sigma"]), given_["sensitivity"], given_["epsilon"]
        else:
            noise = StaircaseNoise(given_["epsilon"], given_["sensitivity"], given_["gamma"])
            moved, at = given_["moved"], given_["prime"]
        found = noise.delta_at(at, moved), noise.tail(given_["x"]), noise.mean_error, noise.sd
        for key, value in zip(("delta", "tail", "mean_error", "sd"), found, strict=True):
            assert value == pytest.approx(float(row[key]), rel=1e-12, abs=1e-40), (row, key)


def pieces(noise: StaircaseNoise, moved: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Between any two jumps: the loss in steps, and the probabilities moved and not."""
    far = (45 / noise.epsilon + 3 + moved / noise.sensitivity) * noise.sensitivity
    jumps = noise.jumps(-far, far, 10**9)
    cuts = np.unique(np.concatenate([jumps, jumps + moved]))
    middle, width = (cuts[1:] + cuts[:-1]) / 2, np.diff(cuts)
    keep = width > 1e-9
    there, absent = ((noise.density(middle - move) * width)[keep] for move in (moved, 0.0))
    return np.rint(np.log(there / absent) / noise.epsilon), there, absent


@few
@given(noise=stairs, moved=moves, part=st.sampled_from([0.0, 0.3, 1.0, 1.7]), share=st.floats(0.01, 0.99))
def test_that_what_a_staircase_gives_away_is_added_up_step_by_step_at_every_sensitivity(noise, moved, part, share):
    moved *= noise.sensitivity
    steps, there, absent = pieces(noise, moved)
    at = part * noise.epsilon
    kept = np.maximum(there - math.exp(at) * absent, 0)[steps > part].sum()
    assert noise.delta_at(at, moved) == pytest.approx(kept, rel=1e-6, abs=1e-7)
    assert noise.loss_exceeds(at, moved) == pytest.approx(there[steps > part].sum(), abs=1e-6)
    assert noise.largest_loss(moved) == pytest.approx(noise.epsilon * steps.max(), rel=1e-12)
    order = np.argsort(-steps)
    alpha, power = np.cumsum(absent[order]), np.cumsum(there[order])
    best = 1 - np.interp(share, np.append(0, alpha), np.append(0, power))
    assert noise.trade_off(share, moved) == pytest.approx(best, abs=1e-6)
    common = noise.common_loss(moved, share) / noise.epsilon
    assert there[steps <= common + 0.5].sum() >= share - 1e-6
    assert there[steps < common - 0.5].sum() <= share + 1e-6


@few
@given(epsilon=st.floats(-3, 3).map(math.exp), moved=st.sampled_from([1.0, 0.2, 7.0]), gamma=st.floats(0, 1))
def test_that_no_gamma_and_no_laplace_noise_is_off_by_less_on_average(epsilon, moved, gamma):
    best = StaircaseNoise(epsilon, moved)
    assert best.mean_error == pytest.approx(moved / (2 * math.sinh(epsilon / 2)), rel=1e-12)
    assert best.mean_error <= StaircaseNoise(epsilon, moved, gamma).mean_error * (1 + 1e-12)
    assert best.mean_error < LaplaceNoise.calibrate(epsilon, moved).mean_error
    assert best.delta_at(epsilon, moved) == 0.0
    assert best.delta_at(epsilon * 0.999, moved) > 0
    assert StaircaseNoise.sds(epsilon, 0.0, moved) == pytest.approx(best.sd, rel=1e-12)


def test_that_where_a_loss_begins_is_known_at_whole_multiples_alone_and_both_ends_of_gamma_are_one_law():
    for gamma in (None, 0.2, 0.5, 0.9):
        noise = StaircaseNoise(1.3, 2.0, gamma)
        for steps in (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5):
            x = noise.crossing(steps * 1.3, 6.0)
            assert noise.loss(x + 1e-9, 6.0) > steps * 1.3 >= noise.loss(x - 1e-9, 6.0)
        assert noise.crossing(3 * 1.3, 6.0) == math.inf
        with pytest.raises(InvalidParameter, match="whole multiple of 2"):
            noise.crossing(0.1, 3.0)
    x = np.linspace(-9, 9, 101)
    np.testing.assert_array_equal(StaircaseNoise(0.7, 1.0, 0.0).cdf(x), StaircaseNoise(0.7, 1.0, 1.0).cdf(x))
    with pytest.raises(InvalidParameter, match="1380"):
        StaircaseNoise(1500.0)


@few
@given(sigma=st.floats(-1.5, 3).map(lambda log: 10**log), moved=st.integers(1, 6), w=st.floats(0, 12))
def test_that_the_delta_of_discrete_gaussian_noise_is_that_of_theorem_7(sigma, moved, w):
    epsilon = w * moved / sigma
    noise, reach = DiscreteGaussianNoise(sigma), math.ceil(14 * sigma) + 2 * moved
    k = np.arange(-reach, reach + 1)
    at = epsilon * sigma**2 / moved
    # Term by term, each positive: e^−u²/2 less of what the loss has too much.
    over = np.arange(math.floor(at - moved / 2) + 1, math.floor(at - moved / 2) + 2 + 14 * math.ceil(sigma))
    law = np.exp(-0.5 * (k / sigma) ** 2).sum()
    terms = -np.exp(-0.5 * (over / sigma) ** 2) * np.expm1(-moved / sigma**2 * (over + moved / 2 - at))
    assert noise.delta_at(epsilon, moved) == pytest.approx(terms.sum() / law, rel=2e-10, abs=1e-300)
    two = noise.tail(math.floor(at - moved / 2) + 1.0) - math.exp(min(epsilon, 700)) * noise.tail(
        math.floor(at + moved / 2) + 1.0)
    assert noise.delta_at(epsilon, moved) == pytest.approx(max(two, 0), rel=1e-6, abs=1e-12)


@few
@given(epsilon=st.floats(-3, 3).map(math.exp), delta=st.floats(-12, -0.5).map(lambda log: 10**log),
       moved=st.integers(1, 5))
def test_that_the_least_sigma_keeps_the_guarantee_from_there_on_and_less_does_not(epsilon, delta, moved):
    noise = DiscreteGaussianNoise.for_guarantee(epsilon, delta, moved)
    assert noise.delta_at(epsilon, moved) <= delta
    assert DiscreteGaussianNoise(noise.sigma * (1 - 1e-9)).delta_at(epsilon, moved) > delta
    for times in (1.003, 1.02, 1.1, 1.5, 4):
        assert DiscreteGaussianNoise(noise.sigma * times).delta_at(epsilon, moved) <= delta * 1.3
    assert DiscreteGaussianNoise.sds(epsilon, delta, moved) == pytest.approx(noise.sd, rel=1e-11)


def test_that_at_a_huge_epsilon_sigma_is_rounded_up_until_the_guarantee_holds_and_no_further():
    for epsilon in (*np.geomspace(1e17, 1e18, 20), *np.geomspace(1e3, 9e299, 20)):
        sigma = DiscreteGaussianNoise.for_guarantee(float(epsilon), 1e-6, 1).sigma
        assert DiscreteGaussianNoise(sigma).delta_at(epsilon) <= 1e-6, epsilon
        assert DiscreteGaussianNoise(sigma * (1 - 2e-9)).delta_at(epsilon) > 1e-6, epsilon


@pytest.mark.parametrize(("epsilon", "delta"), [
    (6.369293822808987, 1e-9), (6.620458031319242, 1e-3), (8.182800687663642, 4.325301178954154e-08)])
def test_that_where_delta_is_that_of_a_place_looked_at_from_which_it_rises_the_fall_beyond_is_found(epsilon, delta):
    sigma = DiscreteGaussianNoise.for_guarantee(epsilon, delta, 1).sigma
    assert DiscreteGaussianNoise(sigma).delta_at(epsilon) <= delta
    assert DiscreteGaussianNoise(sigma * (1 - 1e-9)).delta_at(epsilon) > delta
    beside = DiscreteGaussianNoise.for_guarantee(math.nextafter(epsilon, 0), delta, 1).sigma
    assert sigma == pytest.approx(beside, rel=1e-11)


def test_that_delta_is_not_monotone_in_sigma_and_the_continuous_sigma_is_too_small():
    grid = [float(DiscreteGaussianNoise(sigma).delta_at(3.0)) for sigma in np.linspace(0.38, 0.7, 100)]
    assert min(np.diff(grid)) < 0 < max(np.diff(grid))
    sigma = GaussianNoise.analytic(3.0, 1e-3, 1.0).sigma
    assert DiscreteGaussianNoise(sigma).delta_at(3.0) > 1.05e-3


@pytest.mark.parametrize("sigma", [1e-3, 0.3, 2.9, 3.1, 40.0, 1e9])
def test_that_discrete_gaussian_tails_and_quantiles_hold_at_every_width(sigma):
    noise = DiscreteGaussianNoise(sigma)
    x = np.unique(np.ceil(np.array([1e-9, 0.3, 1, 5, 20, 36]) * sigma))
    with mpmath.workdps(40):
        # Euler and Maclaurin's formula to many more terms, or every term.
        s = mpmath.mpf(sigma)
        if sigma < 100:
            law = [mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * s * s)) for k in range(int(60 * sigma) + 60)]
            whole = 2 * sum(law) - 1
            tails = [float(sum(law[int(each):]) / whole) for each in x]
        else:
            tails = [float(mpmath.erfc((each - mpmath.mpf(1) / 2) / s / mpmath.sqrt(2)) / 2) for each in x.tolist()]
    np.testing.assert_allclose(noise.tail(x), tails, rtol=1e-12, atol=1e-305)
    assert noise.sd <= sigma
    for p in (1e-200, 1e-9, 0.1, 0.5, 0.8, 1 - 1e-9):
        q = noise.quantile(p)
        assert noise.cdf(q) >= p * (1 - 1e-12)
        assert noise.cdf(q - 1) < p * (1 + 1e-12)
    assert noise.loss_exceeds(0.7) == pytest.approx(noise.tail(math.floor(0.7 * sigma * sigma - 0.5) + 1.0), rel=1e-9)


def test_that_on_a_count_geometric_noise_is_nearer_than_the_staircase():
    for epsilon, after in pairwise((0.1, 0.5, 1.0, 3.0, 8.0)):
        assert GeometricNoise(epsilon).mean_error < StaircaseNoise(epsilon).mean_error
        assert StaircaseNoise(after).mean_error < StaircaseNoise(epsilon).mean_error
