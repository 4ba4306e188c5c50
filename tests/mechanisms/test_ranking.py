"""Which of several noisy numbers is largest: integrals and sums of 40 digits, enumerations, closed forms, draws."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import ndtr

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.noise import (
    DiscreteGaussianNoise,
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    StaircaseNoise,
)
from dpstudio.mechanisms.ranking import apart, bell, exponential, winning

TABLES = ([10, 8, 8, 3], [5, 5, 5], [0, 7], [30, 25, 20, 10, 5], [3, 2, 2, 2, 2, 1, 0], [100, 60, 59])


def laws(noise):
    """The density or mass of a noise and its lower tail, with 30 digits."""
    mpmath.mp.dps = 30
    match noise:
        case LaplaceNoise():
            b = mpmath.mpf(noise.scale)
            return (lambda x: mpmath.exp(-abs(x) / b) / (2 * b),
                    lambda x: mpmath.exp(x / b) / 2 if x < 0 else 1 - mpmath.exp(-x / b) / 2)
        case GaussianNoise():
            return (lambda x: mpmath.npdf(x, 0, noise.sigma), lambda x: mpmath.ncdf(x, 0, noise.sigma))
        case GeometricNoise():
            a = mpmath.exp(-mpmath.mpf(noise.epsilon) / noise.sensitivity)
            return (lambda k: (1 - a) / (1 + a) * a**abs(k),
                    lambda k: a**(-k) / (1 + a) if k < 0 else 1 - a**(k + 1) / (1 + a))
    s = mpmath.mpf(noise.sigma)
    reach = math.ceil(40 * noise.sigma) + 2
    total = sum(mpmath.exp(-mpmath.mpf(k * k) / (2 * s * s)) for k in range(-reach, reach + 1))
    mass = {k: mpmath.exp(-mpmath.mpf(k * k) / (2 * s * s)) / total for k in range(-4 * reach, reach + 1)}
    lower = dict(zip(mass, itertools.accumulate(mass.values()), strict=True))
    return lambda k: mass.get(k, mpmath.mpf(0)), lambda k: lower.get(k, mpmath.mpf(k > 0))


def by_definition(noise, numbers, i):
    """Pr[number i is largest], ties split evenly: an integral, or Σ_v Pr[= v] Σ_t Pr[t further ties]/(t + 1)."""
    density, lower = laws(noise)
    if not noise.is_whole:
        reach = 40 * noise.noise_scale
        ends = sorted({min(numbers) - reach, max(numbers) + reach, *map(float, numbers),
                       *np.arange(min(numbers), max(numbers), 2 * noise.noise_scale)})
        return mpmath.quad(lambda v: density(v - numbers[i]) * mpmath.fprod(
            lower(v - n) for j, n in enumerate(numbers) if j != i), ends)
    total, reach = mpmath.mpf(0), math.ceil(60 * noise.noise_scale) + 3
    for v in range(int(min(numbers)) - reach, int(max(numbers)) + reach + 1):
        ties = [density(v - numbers[i])]  # by how many tie
        for j, n in enumerate(numbers):
            if j != i:
                below, equal = lower(v - n - 1), density(v - n)
                ties = [below * x + equal * y for x, y in zip([*ties, 0], [0, *ties], strict=True)]
        total += sum(chance / (t + 1) for t, chance in enumerate(ties))
    return total


NOISES = [LaplaceNoise(2.0), GaussianNoise(3.0), GeometricNoise(0.5), GeometricNoise(2.0), GeometricNoise(9.0, 3),
          DiscreteGaussianNoise(0.6), DiscreteGaussianNoise(2.0)]


@pytest.mark.parametrize(("noise", "numbers"), [
    (noise, numbers) for noise in NOISES for numbers in (TABLES[:2] if noise == GaussianNoise(3.0) else TABLES)],
    ids=repr)
def test_the_largest_is_as_likely_as_by_its_definition_also_where_that_is_tiny(noise, numbers):
    found = winning(noise, np.array(numbers, dtype=float))
    for i in {0, len(numbers) // 2, len(numbers) - 1}:
        expected = float(by_definition(noise, numbers, i))
        assert found[i] == pytest.approx(expected, rel=2e-12, abs=1e-300)


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_the_largest_k_are_in_front_as_often_as_by_enumeration(noise):
    """Of three numbers every outcome of whole noise, of others the integral over the lowest of the front."""
    density, lower = laws(noise)
    high, low = [9.0, 7.0], [5.0, 5.0, 0.0]
    found = apart(noise, np.array(high), np.array(low))
    if noise.is_whole:
        def rest(v):
            return mpmath.fprod(lower(v - n) for n in low)

        reach = math.ceil(60 * noise.noise_scale) + 3
        expected = sum((rest(v) - rest(v - 1)) * mpmath.fprod(lower(n - v - 1) for n in high)
                       for v in range(-reach, 10 + reach))
    else:  # the lowest of those in front is at v
        ends = sorted({-60.0, -30.0, *high, *low, 20.0, 40.0, 70.0})
        expected = sum(mpmath.quad(lambda v, i=i: density(v - high[i]) * lower(high[1 - i] - v) * mpmath.fprod(
            lower(v - n) for n in low), ends) for i in (0, 1))
    assert found == pytest.approx(float(expected), rel=2e-12)


@pytest.mark.parametrize("gap", [1.0, 5.0, 40.0, 300.0, 690.0])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_of_two_the_lesser_one_has_its_closed_form_however_far_below(gap, scale):
    numbers = np.array([0.0, -gap]) * scale
    assert winning(LaplaceNoise(scale), numbers)[1] == pytest.approx((2 + gap) * math.exp(-gap) / 4, rel=5e-13, abs=0)
    normal = float(ndtr(-min(gap, 50.0) / math.sqrt(2)))
    assert winning(GaussianNoise(scale), np.array([0.0, -min(gap, 50.0) * scale]))[1] == pytest.approx(
        normal, rel=2e-12, abs=0)


@pytest.mark.parametrize("count", [1, 2, 10, 1000, 100_000])
@pytest.mark.parametrize("noise", [
    LaplaceNoise(1.0), GaussianNoise(1.0), *(GeometricNoise(e) for e in (1e-6, 1e-3, 1.0, 20.0, 700.0)),
    *(DiscreteGaussianNoise(s) for s in (0.05, 0.5, 1.0, 30.0, 1e4, 1e9))], ids=repr)
def test_equals_share_evenly_however_many(noise, count):
    found = winning(noise, np.full(count, 17.0))
    assert (found == found[0]).all()
    assert found[0] * count == pytest.approx(1, abs=1e-12)


KINDS = st.sampled_from(["laplace", "gaussian", "geometric", "discrete"])


def made(kind, log_scale):
    scale = math.exp(log_scale)
    match kind:
        case "laplace":
            return LaplaceNoise(scale)
        case "gaussian":
            return GaussianNoise(scale)
        case "geometric":
            return GeometricNoise(min(1 / scale, 700.0))
    return DiscreteGaussianNoise(scale)


@given(kind=KINDS, log_scale=st.floats(-5, 14),
       numbers=st.lists(st.one_of(st.integers(0, 40), st.integers(0, 10**9)), min_size=2, max_size=30))
@example(kind="laplace", log_scale=0.0, numbers=[0] * 20 + [10**9, 900])
@example(kind="geometric", log_scale=6.0, numbers=[0, 7, 7, 7000])
@example(kind="discrete", log_scale=6.5, numbers=[0, 900, 1000])
def test_chances_add_up_to_one_rise_with_the_number_and_are_those_of_two_groups(kind, log_scale, numbers):
    noise, given_ = made(kind, log_scale), np.array(numbers, dtype=float)
    found = winning(noise, given_)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    order = np.argsort(given_, kind="stable")
    assert (np.diff(found[order]) >= -1e-13 * found[order][1:]).all()
    values = np.unique(given_)
    if values.size > 1:
        first = given_ == values[-1]
        # Strictly in front is less than to win where ties go by lot, and for one in front the same without ties.
        front = apart(noise, given_[first], given_[~first])
        assert 0 <= front <= 1
        if first.sum() == 1:
            assert front <= found[first][0] * (1 + 1e-12)
            if not noise.is_whole:
                assert front == pytest.approx(found[first][0], rel=1e-12)


def test_ties_are_what_strictly_in_front_leaves_of_two():
    for noise in (GeometricNoise(0.7), GeometricNoise(1e-2), DiscreteGaussianNoise(1.3), DiscreteGaussianNoise(40.0)):
        for gap in (1, 2, 9):
            one, other = winning(noise, np.array([float(gap), 0.0]))
            front = apart(noise, np.array([float(gap)]), np.array([0.0]))
            x = np.arange(-4000, 4001)
            tie = float((noise.density(x) * noise.density(x + gap)).sum())
            assert one == pytest.approx(front + tie / 2, rel=1e-12)
            assert one + other == pytest.approx(1, abs=1e-14)


def test_wide_whole_noise_is_nearly_the_continuous_one_and_no_nearer():
    numbers = np.array([0.0, 900.0, 1000.0, 1500.0, 1500.0])
    for whole, real in ((GeometricNoise(1e-3), LaplaceNoise(1000.0)),
                        (DiscreteGaussianNoise(700.0), GaussianNoise(700.0)),
                        (DiscreteGaussianNoise(600.0), GaussianNoise(600.0))):
        apart_ = np.abs(winning(whole, numbers) / winning(real, numbers) - 1).max()
        assert 1e-9 < apart_ < 1e-5


@pytest.mark.parametrize("noise", [LaplaceNoise(3.0), GaussianNoise(4.0), GeometricNoise(0.4),
                                   DiscreteGaussianNoise(4.0)], ids=repr)
def test_draws_win_as_often_and_none_ten_per_cent_off(noise):
    numbers, draws = np.array([12.0, 11, 11, 4]), 200_000
    rng = np.random.default_rng(3)
    seen = numbers + np.asarray(noise.sample((draws, 4), rng))
    seen_first = (seen + rng.random(seen.shape) * 1e-6).argmax(axis=1)
    shares = np.bincount(seen_first, minlength=4) / draws
    expected = winning(noise, numbers)
    sd = np.sqrt(expected * (1 - expected) / draws)
    assert (np.abs(shares - expected) < 5 * sd).all()
    assert (5 * sd < 0.1 * expected).all()
    strictly = (seen[:, :3].min(axis=1) > seen[:, 3]).mean()
    front = apart(noise, numbers[:3], numbers[3:])
    assert abs(strictly - front) < 5 * math.sqrt(front * (1 - front) / draws)


def test_of_a_table_of_many_cells_all_are_answered():
    rng = np.random.default_rng(1)
    numbers = np.rint(np.exp(rng.normal(5, 2, 20_000)))
    crowded = rng.permutation(100_000) * 1.0
    for noise in (LaplaceNoise(1.0), LaplaceNoise(1e4), GeometricNoise(0.05), GaussianNoise(40.0),
                  DiscreteGaussianNoise(40.0)):
        assert winning(noise, numbers).sum() == pytest.approx(1, abs=1e-12)
        assert winning(noise, crowded).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("noise", [LaplaceNoise(30.0), LaplaceNoise(2.0), GeometricNoise(0.02), GeometricNoise(0.6)],
                         ids=repr)
def test_numbers_far_below_and_above_in_short_are_as_each_taken_with_each(noise, monkeypatch):
    numbers = np.unique(np.random.default_rng(6).integers(0, 400, 250)).astype(float)
    found = []
    for few in (0, 2**40):
        monkeypatch.setattr(exponential, "_FEW", few)
        found.append(np.append(winning(noise, numbers), apart(noise, numbers[-3:], numbers[:-3])))
    assert found[0] == pytest.approx(found[1], rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("sigma", [660.0, 3000.0])
def test_tails_of_wide_whole_noise_are_those_of_its_own_sums(sigma):
    noise = DiscreteGaussianNoise(sigma)
    x = np.floor(np.linspace(1, 37 * sigma, 300))
    assert bell.Bell(noise)._tails(x) == pytest.approx(np.asarray(noise.tail(x)), rel=3e-13, abs=0)


def test_noise_of_other_kinds_is_refused():
    with pytest.raises(InvalidParameter, match=r"^noise must be Laplace, geometric, Gaussian or discrete Gaussian"):
        winning(StaircaseNoise(1.0), np.array([1.0, 2.0]))
    assert winning(StaircaseNoise(1.0), np.array([1.0])).tolist() == [1.0]
    assert apart(LaplaceNoise(1.0), np.array([1.0]), np.array([])) == 1.0
