"""The profile of several cells with noise: an oracle, enumeration, integrals, closed forms and draws."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.cells import deltas
from dpstudio.mechanisms.noise import (
    DiscreteGaussianNoise,
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    StaircaseNoise,
)

RELEASES = json.loads((Path(__file__).parents[1] / "oracles" / "laplace_releases.json").read_text("utf-8"))
NOISES = [LaplaceNoise(1.5), GeometricNoise(0.8), GaussianNoise(2.0), DiscreteGaussianNoise(0.7),
          DiscreteGaussianNoise(4.0)]


def of_cells(noise, cells, epsilon):
    """δ of so many cells, at one number."""
    return float(deltas(noise, np.full((cells + 1, 1), epsilon))[cells, 0])


@pytest.mark.parametrize("row", RELEASES, ids=lambda row: row["id"])
def test_laplace_cells_are_those_of_the_oracle(row):
    given_ = row["params"]
    found = of_cells(LaplaceNoise(1 / float(given_["eps"])), int(given_["k"]), float(given_["eps_prime"]))
    assert found == pytest.approx(float(row["value"]), rel=1e-13)


@pytest.mark.parametrize("epsilon", [-1.3, -0.2, 0.0, 0.4, 1.1, 3.0])
@pytest.mark.parametrize("noise", [GeometricNoise(0.8), DiscreteGaussianNoise(0.7), DiscreteGaussianNoise(2.6)],
                         ids=repr)
def test_whole_cells_are_the_sum_over_all_pairs_of_outcomes(noise, epsilon):
    reach = 60
    x = np.arange(-reach, reach + 1.0)
    p, q = noise.density(x - 1), noise.density(x)
    for cells, (one, other) in ((1, (p, q)), (2, (np.outer(p, p), np.outer(q, q)))):
        expected = np.maximum(one - math.exp(epsilon) * other, 0).sum()
        assert of_cells(noise, cells, epsilon) == pytest.approx(expected, rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("rate", [0.3, 1.0, 4.0, 17.0])
@pytest.mark.parametrize("part", [-0.6, 0.0, 0.2, 0.7, 0.97])
def test_two_laplace_cells_are_their_integral(rate, part):
    """Over the loss of one cell: ±e with ½ and e^−e/2, else density e^((l−e)/2)/4."""
    with mpmath.workdps(30):
        e, x = mpmath.mpf(rate), mpmath.mpf(rate) * 2 * mpmath.mpf(part)

        def one(at):
            if at >= e:
                return mpmath.mpf(0)
            return -mpmath.expm1((at - e) / 2) if at >= 0 else (
                -mpmath.expm1(at) + mpmath.exp(at) * -mpmath.expm1((-at - e) / 2) if at > -e else -mpmath.expm1(at))

        kinks = sorted({-e, e, *(k for k in (x, x - e, x + e) if -e < k < e)})
        expected = one(x - e) / 2 + mpmath.exp(-e) / 2 * one(x + e) + mpmath.quad(
            lambda loss: mpmath.exp((loss - e) / 2) / 4 * one(x - loss), kinks)
        assert of_cells(LaplaceNoise(1 / rate), 2, float(x)) == pytest.approx(float(expected), rel=1e-12)


@given(log_rate=st.floats(-6, 3), cells=st.integers(1, 12), part=st.floats(0, 1.2))
def test_laplace_cells_lie_between_one_cell_and_as_many_responses(log_rate, cells, part):
    rate = math.exp(log_rate)
    noise, at = LaplaceNoise(1 / rate), part * rate * cells
    found = deltas(noise, np.full((cells + 1, 1), at))[:, 0]
    assert (np.diff(found) >= -1e-14).all()
    assert found[1] == pytest.approx(noise.delta_at(at), rel=1e-12, abs=1e-16)
    assert found[-1] <= of_cells(GeometricNoise(rate), cells, at) * (1 + 1e-9) + 1e-15
    assert found[-1] == 0 or at < rate * cells


def test_many_laplace_cells_are_nearly_those_of_gaussian_noise_and_sums_of_draws():
    rate, cells = 0.05, 400
    noise = LaplaceNoise(1 / rate)
    # By the central limit theorem of losses.
    assert of_cells(noise, cells, 1.0) == pytest.approx(of_cells(GaussianNoise(1 / rate), cells, 1.0), rel=0.03)
    rng = np.random.default_rng(0)
    x = 1 + rng.laplace(0, 1.25, (400_000, 3))
    losses = (np.abs(x) - np.abs(x - 1)).sum(axis=1) / 1.25
    gains = np.maximum(-np.expm1(0.6 - losses), 0)
    assert of_cells(LaplaceNoise(1.25), 3, 0.6) == pytest.approx(gains.mean(), abs=5 * gains.std() / math.sqrt(400_000))


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_both_signs_and_no_cell_follow_the_definition(noise):
    for cells, at in itertools.product((1, 2, 5), (0.2, 0.9)):
        direct, turned = of_cells(noise, cells, at), of_cells(noise, cells, -at)
        assert turned == pytest.approx(-math.expm1(-at) + math.exp(-at) * direct, rel=1e-13)
    assert of_cells(noise, 0, -0.3) == pytest.approx(-math.expm1(-0.3), rel=1e-15)
    assert of_cells(noise, 0, 0.3) == 0
    assert of_cells(noise, 1, 0.4) == pytest.approx(noise.delta_at(0.4), rel=1e-13)


def test_sums_of_wider_discrete_gaussians_are_discrete_gaussian_and_of_narrow_ones_not():
    for sigma, near in ((2.6, True), (0.7, False)):
        one = DiscreteGaussianNoise(sigma).density(np.arange(-150, 151.0))
        summed = np.convolve(np.convolve(one, one), one)[450 - 20:450 + 21]
        alike = DiscreteGaussianNoise(sigma * math.sqrt(3)).density(np.arange(-20, 21.0))
        assert (np.abs(summed / alike - 1).max() < 1e-13) == near


def test_what_is_not_known_is_refused():
    with pytest.raises(InvalidParameter, match=r"^noise must be Laplace, geometric, Gaussian or discrete Gaussian"):
        of_cells(StaircaseNoise(1.0), 2, 0.1)
    with pytest.raises(InvalidParameter, match=r"^cells_per_person must be at most 2000 "):
        of_cells(LaplaceNoise(1e6), 2001, 1e-3)
    with pytest.raises(InvalidParameter, match=r"^cells_per_person must be at most 1400 times the scale, got 3$"):
        of_cells(LaplaceNoise(1e-3), 3, 1.0)
    assert 0 < of_cells(GaussianNoise(1e4), 100_000, 0.01) < 1
