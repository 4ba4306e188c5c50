"""Tails of noise by their logarithms: what “at least x” tells, however far out x lies."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise

NOISES = [*(LaplaceNoise(scale) for scale in (0.05, 0.3, 1.0, 1000.0)),
          *(GaussianNoise(sigma) for sigma in (0.2, 1.0, 5.0, 1000.0)),
          *(GeometricNoise(epsilon, made_for) for epsilon in (0.001, 1.0, 20.0) for made_for in (1, 3))]
PLACES = (-40.0, -7.3, -1.0, -0.5, -0.01, 0.0, 0.01, 0.5, 0.9, 1.0, 1.5, 2.0, 3.0, 4.5, 40.0, 3000.0)
every = pytest.mark.parametrize("noise", NOISES, ids=str)


def tail(noise, x):
    """Pr[X ≥ x] by its definition, in four hundred digits."""
    if isinstance(noise, LaplaceNoise):
        half = mpmath.exp(-abs(x) / mpmath.mpf(noise.scale)) / 2
        return half if x > 0 else 1 - half
    if isinstance(noise, GaussianNoise):
        return mpmath.erfc(x / mpmath.mpf(noise.sigma) / mpmath.sqrt(2)) / 2
    a, x = mpmath.exp(-mpmath.mpf(noise.epsilon) / noise.sensitivity), mpmath.ceil(x)
    return a**x / (1 + a) if x > 0 else 1 - a ** (1 - x) / (1 + a)


@every
def test_that_tails_and_their_ratio_keep_all_digits_where_they_are_no_doubles(noise):
    with mpmath.workdps(400):
        for x in PLACES:
            at = tail(noise, mpmath.mpf(x))
            if 1 - at < 1e-300:
                continue
            assert noise.log_tail(x) == pytest.approx(float(mpmath.log(at)), rel=1e-12)
            for sensitivity in (1, 2, 5):
                loss = mpmath.log(tail(noise, mpmath.mpf(x) - sensitivity) / at)
                assert noise.tail_loss(x, sensitivity) == pytest.approx(float(loss), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("epsilon", [0.001, 0.5, 1.0, 20.0])
def test_that_the_loss_of_a_far_tail_is_the_whole_epsilon(epsilon):
    assert LaplaceNoise(1 / epsilon).tail_loss([1.0, 1e6, 1e300]) == pytest.approx(epsilon, rel=1e-15)
    np.testing.assert_array_equal(GeometricNoise(epsilon).tail_loss([1.0, 1e6, 1e300]), epsilon)
    for noise in (LaplaceNoise(1 / epsilon), GeometricNoise(epsilon), GaussianNoise(1 / epsilon)):
        assert 0 <= noise.tail_loss(-1e6) < 1e-300


@every
@pytest.mark.parametrize("sensitivity", [1, 2])
@pytest.mark.parametrize("part", [-0.99, -0.4, 0.0, 0.3, 0.99])
def test_that_from_the_crossing_on_every_outcome_has_more_than_that_loss(noise, sensitivity, part):
    most = noise.tail_loss(6 * noise.sd + 9 * sensitivity, sensitivity)
    loss = part * most
    x = noise.crossing(loss, sensitivity)
    step = 1.0 if isinstance(noise, GeometricNoise) else 1e-6 * noise.sd
    with mpmath.workdps(400):
        def single(at):
            if isinstance(noise, GeometricNoise):
                rate = mpmath.mpf(noise.epsilon) / noise.sensitivity
                return rate * (abs(at) - abs(at - sensitivity))
            if isinstance(noise, LaplaceNoise):
                return (abs(at) - abs(at - sensitivity)) / mpmath.mpf(noise.scale)
            return (at**2 - (at - sensitivity) ** 2) / (2 * mpmath.mpf(noise.sigma) ** 2)

        at = mpmath.mpf(x)
        assert single(at - step) <= loss < single(at if step == 1 else at + step)


@pytest.mark.parametrize("noise", [LaplaceNoise(0.5), GeometricNoise(2.0)])
def test_that_an_outcome_never_has_more_than_the_largest_loss(noise):
    assert noise.crossing(2.0) == math.inf
    assert noise.crossing(1.999) in (pytest.approx(1.0, abs=1e-3), 1.0)
    assert noise.crossing(-2.0) < math.inf
    assert noise.crossing(-2.001) == -math.inf
