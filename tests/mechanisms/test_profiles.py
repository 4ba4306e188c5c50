"""Privacy profiles by independent routes, and round trips: from privacy to noise and back to the privacy."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpstudio.mechanisms import composition
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise, analytic_sigma
from dpstudio.mechanisms.response import RandomizedResponse, coin_theta1

epsilons = st.floats(math.log(1e-9), math.log(50)).map(math.exp)
deltas = st.floats(math.log(1e-300), -0.01).map(math.exp)
noises = st.one_of(st.builds(LaplaceNoise, st.floats(0.05, 20)), st.builds(GaussianNoise, st.floats(0.05, 20)),
                   st.builds(GeometricNoise, st.floats(0.05, 20), st.integers(1, 3)))
coins = st.builds(RandomizedResponse.two_coin, st.floats(0, 1), st.floats(0, 1))
responses = st.one_of(coins, st.builds(RandomizedResponse, st.floats(0, 1), st.floats(0, 1)),
                      st.builds(RandomizedResponse.symmetric, epsilons))


@settings(max_examples=30)
@given(theta1=st.floats(1e-6, 1 - 1e-6), theta2=st.floats(1e-6, 1 - 1e-6), k=st.integers(1, 100),
       part=st.floats(0, 0.999))
def test_that_lopsided_answers_together_are_the_sum_over_how_many_were_yes(theta1, theta2, k, part):
    response = RandomizedResponse.two_coin(theta1, theta2)
    epsilon = part * k * response.epsilon
    with mpmath.workdps(60):
        one, two = mpmath.mpf(theta1), mpmath.mpf(theta2)
        yes, no = one + (1 - one) * two, (1 - one) * two
        factor, worst = mpmath.exp(mpmath.mpf(epsilon)), mpmath.mpf(0)
        for a, b in ((yes, no), (1 - yes, 1 - no), (no, yes), (1 - no, 1 - yes)):
            worst = max(worst, mpmath.fsum(
                mpmath.binomial(k, j) * max(a**j * (1 - a) ** (k - j) - factor * b**j * (1 - b) ** (k - j), 0)
                for j in range(k + 1)))
    delta = response.delta_after(k, epsilon)
    # Where only the largest losses pass ε, the δ is as rounded as their distance to it.
    assert delta == pytest.approx(float(worst), rel=1e-9, abs=1e-15)
    if 1e-9 < delta < 0.9:
        assert response.epsilon_after(k, delta) == pytest.approx(epsilon, rel=1e-6, abs=1e-9)


@given(mechanism=st.one_of(responses, noises), alpha=st.lists(st.floats(0, 1), min_size=3, max_size=20))
def test_that_an_attackers_second_error_falls_and_bends_upwards_as_the_first_is_allowed(mechanism, alpha):
    alpha = np.unique(np.concatenate([[0, 1], alpha]))
    beta = mechanism.trade_off(alpha)
    assert ((beta >= 0) & (beta <= 1)).all()
    assert (np.diff(beta) <= 1e-14).all()
    left, middle, right = alpha[:-2], alpha[1:-1], alpha[2:]
    chord = (beta[:-2] * (right - middle) + beta[2:] * (middle - left)) / (right - left)
    # Of a response that treats the truths unlike, the better of two tests is scalloped where they change places.
    if not isinstance(mechanism, RandomizedResponse) or mechanism.yes_if_yes == mechanism.no_if_no:
        assert (beta[1:-1] <= chord + 1e-12).all()
    # Of all first errors the advantage is the largest, and is what δ(0) says.
    fine = np.unique(np.concatenate([np.linspace(0, 1, 2001), alpha]))
    assert (1 - fine - mechanism.trade_off(fine)).max() <= mechanism.delta_at(0) + 1e-12


@example(epsilon=math.exp(2.875), theta2=0.5, k=32_537, log_delta=-3.0)
@given(epsilon=epsilons, theta2=st.floats(0.01, 0.99), k=st.integers(1, 10**6), log_delta=st.floats(-690, -0.1))
def test_that_responses_account_for_the_epsilon_they_were_made_for(epsilon, theta2, k, log_delta):
    response, delta = RandomizedResponse.symmetric(epsilon), math.exp(log_delta)
    assert response.epsilon == epsilon
    if epsilon < 15:
        coins = RandomizedResponse.two_coin(coin_theta1(epsilon, theta2), theta2)
        assert coins.epsilon == pytest.approx(epsilon, rel=1e-9)
    total = response.epsilon_after(k, delta)
    assert 0 <= total <= k * epsilon
    if 0 < total < k * epsilon * (1 - 1e-9):
        # A total far above 1 is known to its last digit only, and δ no better than 1 − e^−rounding beside it.
        rounding = np.spacing(k * epsilon) / min(1.0, k * epsilon - total)
        assert response.delta_after(k, total) == pytest.approx(delta, rel=1e-9 + 4 * rounding)


def test_that_the_ends_of_the_ranges_that_are_promised_are_reached():
    for epsilon, delta in itertools.product((1e-9, 50.0), (1e-300, 1e-9, 0.5)):
        sigma = analytic_sigma(epsilon, delta)
        assert GaussianNoise(sigma).delta_at(epsilon) == pytest.approx(delta, rel=1e-10)
        for k in (1, 10**6):
            assert 0 <= composition.gaussian(sigma, 1.0, k, delta) < math.inf
            assert 0 <= RandomizedResponse.symmetric(epsilon).epsilon_after(k, delta) <= k * epsilon
