"""Samples of every mechanism fit the law of their parameter, and would not pass for one a tenth off either way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from goodness import chi_square, kolmogorov_smirnov
from scipy.special import chdtrc

from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.mechanisms.response import RandomizedResponse

FITS = 1e-4
"""p-values of the right parameter lie above, all others far below."""
SEED = 11
MINIMUM = 20
AT = np.arange(5, 36)
TRIALS = 40_000

DECISIONS = {
    "laplace, ε": lambda times: LaplaceDecision(0.3 * times, MINIMUM),
    "laplace, threshold": lambda times: LaplaceDecision(0.3, MINIMUM * times),
    "cutoff, ε": lambda times: CutoffExponentialDecision(0.3 * times, MINIMUM),
    "generalized, ε": lambda times: GeneralizedDecision(0.3 * times, 1e-3, MINIMUM, 0.4),
    "generalized, δ": lambda times: GeneralizedDecision(0.05, 0.02 * times, MINIMUM, 0.4),
    "generalized, target": lambda times: GeneralizedDecision(0.3, 1e-3, MINIMUM, 0.4 * times),
    "gaussian, μ": lambda times: GaussianDecision(0.2 * times, MINIMUM, 0.4),
}
RESPONSES = {
    "symmetric, ε": lambda times: RandomizedResponse.symmetric(1.0 * times),
    "two coins, θ₁": lambda times: RandomizedResponse.two_coin(0.4 * times, 0.3),
    "two coins, θ₂": lambda times: RandomizedResponse.two_coin(0.4, 0.3 * times),
}
CONTINUOUS = {"laplace": lambda times: LaplaceNoise(2.5 * times), "gaussian": lambda times: GaussianNoise(0.4 * times)}
WHOLE = {"ε": lambda times: GeometricNoise(0.5 * times), "many steps": lambda times: GeometricNoise(1.0 * times, 3),
         "hardly any noise": lambda times: GeometricNoise(4.0 * times)}

a_tenth_off = pytest.mark.parametrize("times", [1.0, 1.1, 0.9])


def of(makers):
    return pytest.mark.parametrize("make", makers.values(), ids=makers.keys())


@a_tenth_off
@of(DECISIONS)
def test_that_decisions_drawn_have_their_parameters_and_no_others(make, times):
    rng, drawn = np.random.default_rng(SEED), make(times)
    accepted = np.array([drawn.sample(int(n), TRIALS, rng).sum() for n in AT])
    p, q = make(1.0).accept_probability(AT), make(1.0).reject_probability(AT)
    seen = TRIALS * np.minimum(p, q) > 5
    assert seen.sum() >= 10
    distance = (accepted - TRIALS * p)[seen] ** 2 / (TRIALS * p * q)[seen]
    assert (chdtrc(seen.sum(), distance.sum()) > FITS) == (times == 1)
    sure = (p == 0) | (q == 0)
    assert times != 1 or (accepted[sure] == TRIALS * p[sure]).all()


@a_tenth_off
@of(RESPONSES)
def test_that_answers_drawn_have_their_probabilities_and_no_others(make, times):
    rng, drawn, right = np.random.default_rng(SEED), make(times), make(1.0)
    size = 200_000
    truth = np.repeat([True, False], size)
    said = drawn.sample(truth, None, rng)
    wrongs = []
    for half, yes in ((said[:size], right.yes_if_yes), (said[size:], right.yes_if_no)):
        wrongs.append(chi_square([half.sum(), size - half.sum()], [yes, 1 - yes]))
    assert (min(wrongs) > FITS) == (times == 1)


@a_tenth_off
@of(RESPONSES)
def test_that_counts_of_yes_have_the_law_of_their_response_and_no_other(make, times):
    drawn = make(times).sample_yes(12, 30, 100_000, np.random.default_rng(SEED))
    right = make(1.0)
    law = np.convolve(binomial(12, right.yes_if_yes), binomial(18, right.yes_if_no))
    seen = np.flatnonzero(law * 100_000 > 10)
    first, last = seen[0], seen[-1]
    counted = np.bincount(drawn, minlength=31)
    assert (chi_square(*(gathered(numbers, first, last) for numbers in (counted, law))) > FITS) == (times == 1)


@a_tenth_off
@of(CONTINUOUS)
def test_that_noise_drawn_has_its_scale_and_no_other(make, times):
    sample = make(times).sample(100_000, np.random.default_rng(SEED))
    assert (kolmogorov_smirnov(sample, make(1.0).cdf) > FITS) == (times == 1)


@a_tenth_off
@of(WHOLE)
def test_that_whole_noise_drawn_has_its_rate_and_no_other(make, times):
    size = 200_000
    noise, sample = make(1.0), make(times).sample(size, np.random.default_rng(SEED))
    reach = int(-noise.quantile(20 / size))
    x = np.arange(-reach, reach + 1)
    observed = [(sample < -reach).sum(), *((sample == one).sum() for one in x), (sample > reach).sum()]
    law = [noise.cdf(-reach - 1), *noise.density(x), noise.tail(reach + 1)]
    assert sum(law) == pytest.approx(1, abs=1e-13)
    observed, law = (numbers if law[0] * size > 5 else numbers[1:-1] for numbers in (observed, law))
    assert (chi_square(observed, np.array(law) / sum(law)) > FITS) == (times == 1)


def binomial(n, p):
    return np.array([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])


def gathered(numbers, first, last):
    """What lies beyond the ends, put to the ends."""
    return [numbers[: first + 1].sum(), *numbers[first + 1 : last], numbers[last:].sum()]
