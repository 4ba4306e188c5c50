"""Errors of counts after post-processing: closed forms against sums, integrals and draws."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise
from dpstudio.models.clamping import count_error, processed

EPSILONS = (0.03, 0.5, 1.0, 5.0, 20.0)


def by_quadrature(scale, x):
    """E|e|, E e² and E e of max(0, x + Lap(b)) by integrating its law."""
    mpmath.mp.dps = 30
    below = mpmath.exp(-mpmath.mpf(x) / scale) / 2
    ends = [-x, 0, mpmath.inf] if x else [0, mpmath.inf]

    def average(g):
        inside = mpmath.quad(lambda t: g(t) * mpmath.exp(-abs(t) / scale) / (2 * scale), ends)
        return inside + g(-mpmath.mpf(x)) * below

    return average(abs), average(lambda t: t * t), average(lambda t: t)


def by_sum(mass, x, reach):
    """The same of whole-numbered noise, whose masses at 0, ±1, … are given by a function."""
    total = [mpmath.mpf(0)] * 3
    for j in range(-reach, reach + 1):
        e = max(0, x + j) - x
        total = [t + g * mass(abs(j)) for t, g in zip(total, (abs(e), e * e, e), strict=True)]
    return total


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("x", [0, 1, 7, 40])
def test_that_clamped_laplace_errors_are_their_integrals(epsilon, x):
    noise = LaplaceNoise(1 / epsilon)
    found = count_error(noise, x, clamped=True)
    mean, square, bias = by_quadrature(mpmath.mpf(1) / mpmath.mpf(epsilon), x)
    assert [float(found.mean), float(found.square)] == pytest.approx([float(mean), float(square)], rel=1e-12)
    assert float(found.bias) == pytest.approx(float(bias), rel=1e-9, abs=1e-20)


@pytest.mark.parametrize("epsilon", EPSILONS[1:])
@pytest.mark.parametrize("x", [0, 1, 7])
@pytest.mark.parametrize("kind", ["geometric", "rounded Laplace"])
def test_that_clamped_errors_of_whole_numbers_are_their_sums(epsilon, x, kind):
    mpmath.mp.dps = 40
    r = mpmath.mpf(epsilon)
    if kind == "geometric":
        found = count_error(GeometricNoise(epsilon), x, clamped=True, rounded=True)
        mass = lambda j: mpmath.tanh(r / 2) * mpmath.exp(-r * j)  # noqa: E731
    else:
        found = count_error(LaplaceNoise(1 / epsilon), x, clamped=True, rounded=True)
        mass = lambda j: mpmath.sinh(r / 2) * mpmath.exp(-r * j) if j else 1 - mpmath.exp(-r / 2)  # noqa: E731
    wanted = by_sum(mass, x, math.ceil(60 / epsilon) + x)
    assert [float(found.mean), float(found.square), float(found.bias)] == pytest.approx(
        [float(each) for each in wanted], rel=1e-12)


def test_that_rounded_laplace_noise_is_worse_than_geometric_as_the_formulary_says():
    for epsilon, variance in ((1.0, 2.0764), (5.0, 0.083763)):
        assert float(count_error(LaplaceNoise(1 / epsilon), 3, clamped=False, rounded=True).square) == pytest.approx(
            variance, rel=1e-4)


@pytest.mark.parametrize("noise", [LaplaceNoise(2.0), GeometricNoise(0.5), GeometricNoise(1.0, 2)], ids=str)
def test_that_without_clamping_errors_are_those_of_the_noise(noise):
    found = count_error(noise, [0, 5], clamped=False)
    assert found.mean == pytest.approx([noise.mean_error] * 2, rel=1e-13)
    assert found.square == pytest.approx([noise.sd**2] * 2, rel=1e-13)
    assert not found.bias.any()


@given(st.floats(1e-6, 50), st.integers(0, 10**6), st.booleans(), st.sampled_from(["laplace", "geometric"]))
def test_that_clamping_never_adds_to_an_error_and_at_most_halves_it(epsilon, x, rounded, kind):
    noise = LaplaceNoise(1 / epsilon) if kind == "laplace" else GeometricNoise(epsilon)
    with_it, without = (count_error(noise, x, clamped=clamped, rounded=rounded) for clamped in (True, False))
    for after, before in ((with_it.mean, without.mean), (with_it.square, without.square)):
        assert float(before) / 2 * (1 - 1e-12) <= float(after) <= float(before)
    assert 0 <= float(with_it.bias) <= float(with_it.mean) * (1 + 1e-12)


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("noise", [LaplaceNoise(2.0), GeometricNoise(0.5)], ids=str)
def test_that_draws_have_the_exact_errors_and_none_ten_per_cent_off(noise, rounded):
    rng = np.random.default_rng(5)
    e = processed(3 + np.asarray(noise.sample(400_000, rng)), clamped=True, rounded=rounded) - 3
    found = count_error(noise, 3, clamped=True, rounded=rounded)
    sd = math.sqrt(float(found.square - found.mean**2) / e.size)
    assert abs(np.abs(e).mean() - float(found.mean)) < 5 * sd < 0.1 * float(found.mean)
    assert abs(e.mean() - float(found.bias)) < 5 * math.sqrt(float(found.square) / e.size) < 0.1 * float(found.bias)
