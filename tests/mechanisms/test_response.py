"""Randomized response: brute force, mpmath, and samples."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.response import RandomizedResponse, coin_theta1

epsilons = st.floats(-20.7, 3.9).map(math.exp)  # 1e-9 … 50
probabilities = st.floats(0, 1)


def pairs(response: RandomizedResponse):
    """Both answers' probabilities where the truth is yes and where it is no, both ways round, in mpmath."""
    yes = [mpmath.mpf(p) for p in (response.yes_if_yes, response.no_if_yes)]
    no = [mpmath.mpf(p) for p in (response.yes_if_no, response.no_if_no)]
    return (yes, no), (no, yes)


def enumerated(response, k, epsilon) -> float:
    """δ after k answers, a sum over all 2^k of them."""
    with mpmath.workdps(40):
        factor = mpmath.exp(mpmath.mpf(epsilon))
        return float(max(sum(max(mpmath.fprod(p[i] for i in said) - factor * mpmath.fprod(q[i] for i in said), 0)
                             for said in itertools.product((0, 1), repeat=k)) for p, q in pairs(response)))


@given(yes=probabilities, no=probabilities, epsilon=st.floats(0, 50))
def test_that_delta_is_the_hockey_stick_of_both_answers(yes, no, epsilon):
    response = RandomizedResponse(yes, no)
    delta = response.delta_at(epsilon)
    assert delta == pytest.approx(enumerated(response, 1, epsilon), rel=1e-9, abs=1e-15)
    assert (delta == 0) == (epsilon >= response.epsilon) or delta < 1e-15
    assert response.delta_at(0) == pytest.approx(abs(yes - no), rel=1e-12)


@given(yes=probabilities, no=probabilities, k=st.integers(1, 6), epsilon=st.floats(0, 10))
def test_that_answers_together_are_what_enumeration_says(yes, no, k, epsilon):
    response = RandomizedResponse(yes, no)
    assert response.delta_after(k, epsilon) == pytest.approx(enumerated(response, k, epsilon), rel=1e-9, abs=1e-15)


@given(epsilon=epsilons, log_k=st.floats(0, 7.5), part=st.floats(0, 1))
def test_that_k_symmetric_answers_keep_ten_digits_against_mpmath(epsilon, log_k, part):
    k = int(math.exp(log_k))
    sd = epsilon * math.sqrt(k)
    at = min(part * 12 * sd + k * epsilon * math.tanh(epsilon / 2) * (part > 0.5), 0.999 * k * epsilon)
    check_sum(k, epsilon, at, 1e-10)


@pytest.mark.parametrize(("epsilon", "sds"), [
    (1e-9, 1.0), (1e-3, 0.1), (1e-2, 4.0), (1e-2, 30.0), (1.0, -2.0), (1.0, 8.0),
])
def test_that_a_million_answers_keep_ten_digits_against_mpmath(epsilon, sds):
    k = 10**6
    mean, sd = k * epsilon * math.tanh(epsilon / 2), epsilon * math.sqrt(k) / math.cosh(epsilon / 2)
    check_sum(k, epsilon, max(mean + sds * sd, 0.0), 1e-10)


def check_sum(k: int, epsilon: float, at: float, tolerance: float) -> None:
    """δ after k answers against the sum over the number of truths among them, and its inverse."""
    response = RandomizedResponse.symmetric(epsilon)
    with mpmath.workdps(50):
        e, target = mpmath.mpf(epsilon), mpmath.mpf(at)
        p, q = 1 / (1 + mpmath.exp(-e)), 1 / (1 + mpmath.exp(e))
        j = int(mpmath.floor((target / e + k) / 2)) + 1
        term = mpmath.binomial(k, j) * p**j * q ** (k - j) if j <= k else mpmath.mpf(0)
        total = mpmath.mpf(0)
        while j <= k:
            total += term * -mpmath.expm1(target - (2 * j - k) * e)
            if j > k * p and term < total * mpmath.mpf(10) ** -20:
                break
            term *= (k - j) * p / ((j + 1) * q)
            j += 1
    delta = response.delta_after(k, at)
    assert delta == pytest.approx(float(total), rel=tolerance, abs=1e-300)
    if 1e-300 < delta < 1 - 1e-6:
        assert response.epsilon_after(k, delta) == pytest.approx(at, rel=1e-9, abs=1e-9 * epsilon * math.sqrt(k))


@given(epsilon=epsilons, k=st.integers(1, 3000))
def test_that_delta_falls_as_epsilon_grows_and_is_zero_at_the_sum(epsilon, k):
    response = RandomizedResponse.symmetric(epsilon)
    delta = response.delta_after(k, np.linspace(0, k * epsilon, 60))
    assert (np.diff(delta) <= 1e-15).all()
    assert ((delta >= 0) & (delta <= 1)).all()
    assert response.delta_after(k, k * epsilon) == 0
    assert response.epsilon_after(k, 0.0) == k * epsilon
    assert response.epsilon_after(k, 1.0) == 0


@given(epsilon=st.one_of(epsilons, st.sampled_from([0.0, math.inf, 1e-300, 700.0])))
def test_that_symmetric_fills_everything_without_subtraction(epsilon):
    response = RandomizedResponse.symmetric(epsilon)
    with mpmath.workdps(60):
        odds = mpmath.exp(-mpmath.mpf(epsilon))
        truth, lie = 1 / (1 + odds), odds / (1 + odds)
        exact = [float(x) for x in (truth, lie, -mpmath.expm1(-mpmath.mpf(epsilon)) / (1 + odds))]
    found = [response.yes_if_yes, response.yes_if_no, response.difference]
    assert found == pytest.approx(exact, rel=1e-15)
    assert [response.no_if_no, response.no_if_yes] == found[:2]
    assert response.epsilon == epsilon


@given(theta1=probabilities, theta2=probabilities)
def test_that_two_coins_fill_everything_without_subtraction(theta1, theta2):
    assume(min(theta1, theta2) == 0 or min(theta1, theta2) > 1e-280)  # else products underflow
    response = RandomizedResponse.two_coin(theta1, theta2)
    with mpmath.workdps(400):
        a, b = mpmath.mpf(theta1), mpmath.mpf(theta2)
        exact = [a + (1 - a) * b, (1 - a) * b, (1 - a) * (1 - b), a + (1 - a) * (1 - b), a]
        least = (1 - a) * min(b, 1 - b)
        epsilon = mpmath.mpf(0) if a == 0 else mpmath.inf if least == 0 else mpmath.log1p(a / least)
    found = [response.yes_if_yes, response.yes_if_no, response.no_if_yes, response.no_if_no, response.difference]
    assert found == pytest.approx([float(x) for x in exact], rel=1e-14)
    assert response.epsilon == pytest.approx(float(epsilon), rel=1e-12)


@given(epsilon=epsilons, theta2=st.floats(1e-6, 1 - 1e-6))
def test_that_the_first_coin_calibrated_has_the_epsilon_asked_for(epsilon, theta2):
    theta1 = coin_theta1(epsilon, theta2)
    if theta1 < 1 - 1e-9:  # nearer to 1, θ₁ itself no longer knows
        assert RandomizedResponse.two_coin(theta1, theta2).epsilon == pytest.approx(epsilon, rel=1e-6)
    assert coin_theta1(epsilon) == pytest.approx(math.tanh(epsilon / 2), rel=1e-14)


@given(theta1=st.floats(1e-12, 1), theta2=probabilities, yes=st.integers(0, 2**53), n=st.integers(1, 2**53))
def test_that_the_estimate_keeps_its_digits_however_little_an_answer_says(theta1, theta2, yes, n):
    response, yes = RandomizedResponse.two_coin(theta1, theta2), min(yes, n)
    with mpmath.workdps(60):
        a, b = mpmath.mpf(theta1), mpmath.mpf(theta2)
        exact = float((mpmath.mpf(yes) / n - (1 - a) * b) / a)
    assert response.estimate(yes, n) == pytest.approx(exact, rel=1e-12, abs=1e-15)


@given(yes=probabilities, no=probabilities, alpha=probabilities)
def test_that_no_test_beats_the_guarantee_and_one_reaches_it(yes, no, alpha):
    response = RandomizedResponse(yes, no)
    beta = response.trade_off(alpha)
    assert 0 <= beta <= 1 - alpha + 1e-12
    # A test says "yes" with one probability for each answer; the best lies at a corner, either truth the hypothesis.
    best = 1 - alpha
    for right, wrong in ((yes, no), (1 - yes, 1 - no), (no, yes), (1 - no, 1 - yes)):
        if alpha <= wrong and wrong > 0:
            best = min(best, 1 - alpha / wrong * right)
        elif wrong < 1:
            best = min(best, (1 - alpha) / (1 - wrong) * (1 - right))
    assert beta == pytest.approx(best, abs=1e-12)


@given(theta1=st.floats(0.01, 0.99), theta2=st.floats(0.01, 0.99), k=st.integers(1, 30), epsilon=st.floats(0, 20))
def test_that_the_trade_off_of_unlike_answers_is_that_of_both_truths(theta1, theta2, k, epsilon):
    response, alpha = RandomizedResponse.two_coin(theta1, theta2), np.geomspace(1e-15, 1, 400)
    for curve, delta in ((response.trade_off, response.delta_at(epsilon)),
                         (lambda a: response.trade_off_after(k, a), response.delta_after(k, epsilon))):
        beta = curve(alpha)
        assert (1 - beta - np.exp(epsilon) * alpha).max() <= delta + 1e-12
        assert (curve(beta) <= alpha + 1e-12).all()  # its own inverse, where it has not yet reached 0
    # The corner of each truth lies on the curve, or above it where the other one's is lower.
    wrong, missed = response.yes_if_no, response.no_if_yes
    for alone, other in ((wrong, missed), (missed, wrong)):
        assert response.trade_off(alone) <= other * (1 + 1e-12)
    assert response.trade_off_after(1, alpha) == pytest.approx(response.trade_off(alpha), abs=1e-12)


def test_that_the_sd_is_that_of_the_estimates_of_simulated_surveys():
    rng, response = np.random.default_rng(1), RandomizedResponse.two_coin(0.4, 0.3)
    fixed = response.estimate(response.sample_yes(30, 100, 200_000, rng), 100)
    assert fixed.mean() == pytest.approx(0.3, abs=0.002)
    assert fixed.std() == pytest.approx(response.estimator_sd_given(30, 100), rel=0.01)
    answers = rng.binomial(100, response.answer_probability(0.3), 200_000)
    assert response.estimate(answers, 100).std() == pytest.approx(response.estimator_sd(0.3, 100), rel=0.01)


def test_that_shapes_are_kept_and_scalars_give_floats():
    response = RandomizedResponse.symmetric(1.0)
    square = np.full((2, 3), 0.25)
    for answer in (response.delta_at, response.answer_probability, response.trade_off,
                   lambda x: response.posterior(x, True), lambda x: response.delta_after(3, x),
                   lambda x: response.epsilon_after(3, x), lambda x: response.estimator_sd(x, 10)):
        assert answer(square).shape == (2, 3)
        assert type(answer(0.25)) is float
    assert response.epsilon_after([1, 2, 2], 1e-3).shape == (3,)
    assert response.epsilon_after([[1], [2]], [1e-3, 1e-6, 0]).shape == (2, 3)
    assert response.estimate([0, 5, 10], 10).shape == (3,)
    assert response.sample(True, None, np.random.default_rng(0)).shape == ()


@pytest.mark.parametrize(("call", "message"), [
    (lambda: RandomizedResponse(1.5, 0.5), r"yes_if_yes must be in \[0, 1\], got 1.5"),
    (lambda: RandomizedResponse(0.5, math.nan), r"yes_if_no must be in \[0, 1\], got nan"),
    (lambda: RandomizedResponse.symmetric(-1.0), r"epsilon must be in \[0, ∞\], got -1.0"),
    (lambda: RandomizedResponse.symmetric(math.nan), r"epsilon must be in \[0, ∞\], got nan"),
    (lambda: RandomizedResponse.two_coin(0.5, 2), r"theta2 must be in \[0, 1\], got 2"),
    (lambda: RandomizedResponse(1, 0).posterior(0.0, True), "answer must be possible under the prior, got True"),
    (lambda: RandomizedResponse(1, 0.5).posterior(1.0, False), "answer must be possible under the prior, got False"),
    (lambda: RandomizedResponse.warner().posterior(0.5, 1), "answer must be True or False, got 1"),
    (lambda: RandomizedResponse.warner().posterior(1.1, True), r"prior must be in \[0, 1\], got 1.1"),
    (lambda: RandomizedResponse.symmetric(0).estimate(1, 2), "yes_if_yes − yes_if_no must be other than 0, got 0.0"),
    (lambda: RandomizedResponse.symmetric(0).estimator_sd(0.5, 2), "the answers say nothing"),
    (lambda: RandomizedResponse.warner().estimate(3, 2), "yes_count must be at most n, got 3.0"),
    (lambda: RandomizedResponse.warner().estimate(1, 0), r"n must be an integer in \[1, 9007199254740992\], got 0"),
    (lambda: RandomizedResponse.warner().epsilon_after(0, 0.1), r"k must be an integer in \[1, 1e9\], got 0"),
    (lambda: RandomizedResponse.warner().epsilon_after(1, 1.1), r"delta must be in \[0, 1\], got 1.1"),
    (lambda: RandomizedResponse.warner().delta_at(-1), r"epsilon must be in \[0, ∞\), got -1"),
])
def test_that_what_lies_outside_is_refused_in_one_sentence(call, message):
    with pytest.raises(InvalidParameter, match=message):
        call()


def test_that_an_answer_that_proves_the_truth_has_no_epsilon():
    certain = RandomizedResponse.symmetric(math.inf)
    assert (certain.yes_if_yes, certain.yes_if_no, certain.epsilon) == (1.0, 0.0, math.inf)
    assert certain.delta_at(20.0) == certain.delta_after(5, 20.0) == 1.0
    assert certain.epsilon_after(5, 0.9) == math.inf
    half = RandomizedResponse(0.5, 0.0)
    assert half.delta_after(3, 100.0) == pytest.approx(0.875, rel=1e-15)
    assert half.epsilon_after(3, 0.8) == math.inf
    assert half.epsilon_after(3, 0.9) == 0.0


@pytest.mark.parametrize(("theta1", "theta2"), [(0.9999, 1e-320), (0.21875, 5e-324), (1 - 2**-53, 1e-310),
                                                (0.5, 1e-300)])
def test_that_a_coin_that_hardly_ever_says_yes_proves_nothing(theta1, theta2):
    with mpmath.workdps(40):
        rest = (1 - mpmath.mpf(theta1)) * mpmath.mpf(theta2)
        expected = float(mpmath.log(1 + mpmath.mpf(theta1) / rest))
    assert RandomizedResponse.two_coin(theta1, theta2).epsilon == pytest.approx(expected, rel=1e-13, abs=0)
