"""The trade-off of decisions: every pair tried, the profile by another road, guarantees that nobody beats."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.mechanisms.composition import trade_off
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.noise import GaussianNoise

ALPHA = np.unique(np.concatenate([np.linspace(0, 1, 41), np.geomspace(1e-12, 0.02, 13)]))
RECORDS = 240
"""More than any of the decisions below takes from one clip to the other."""

epsilons = st.floats(-1.2, 2.5).map(math.exp)  # 0.3 … 12
deltas = st.sampled_from([0.0, 1e-12, 1e-6, 1e-3, 0.05, 0.3, 1.0])
targets = st.sampled_from([0.0, 1e-9, 0.01, 0.5, 0.9, 1 - 1e-9, 1.0])
inside = targets.filter(lambda p: 0 < p < 1)
minimums = st.integers(0, 12)
decisions = st.one_of(
    st.builds(LaplaceDecision, epsilons, st.floats(-2, 12)),
    st.builds(LaplaceDecision.for_target, epsilons, minimums, inside),
    st.builds(CutoffExponentialDecision, epsilons, st.floats(0.01, 12) | st.integers(1, 12).map(float)),
    st.builds(GeneralizedDecision, epsilons, deltas, minimums, targets),
    st.builds(GeneralizedDecision, st.just(0.0), st.sampled_from([0.0, 0.05, 0.3]), minimums, targets),
    st.builds(GaussianDecision, epsilons, minimums, inside))


def tried(tails: list[tuple[float, float]], alpha: np.ndarray) -> np.ndarray:
    """The smallest type II error over all pairs of neighbours and both directions, by the best randomized test."""
    found = 1 - alpha
    for (f0, g0), (f1, g1) in pairwise(tails):
        for wrong, right, power, missed in ((f0, g0, f1, g1), (g1, f1, g0, f0)):
            below = np.array([missed + power * (1 - a / wrong) if wrong > 0 and a <= wrong else
                              missed * ((1 - a) / right if right > 0 else 1.0) for a in alpha])
            found = np.minimum(found, below)
    return found


def tails_of(decision, absent: bool = False) -> list[tuple[float, float]]:
    n = np.arange(RECORDS)
    tails = list(zip(decision.accept_probability(n).tolist(), decision.reject_probability(n).tolist(), strict=True))
    return [(0.0, 1.0), *tails[1:]] if absent else tails


@given(decision=decisions, absent=st.booleans())
def test_that_the_trade_off_is_the_least_of_every_pair(decision, absent):
    expected = tried(tails_of(decision, absent), ALPHA)
    np.testing.assert_allclose(decision.trade_off(ALPHA, zero_refused=absent), expected, rtol=1e-12, atol=1e-15)


@given(decision=decisions, at=st.floats(0, 13))
def test_that_the_profile_is_what_the_trade_off_leaves_to_an_attacker(decision, at):
    # The lines of the trade-off are broken at the probabilities of the outcomes, so the maximum is at one of those.
    alpha = np.unique([0.0, *(p for pair in tails_of(decision) for p in pair)])
    beta = decision.trade_off(alpha)
    assert (1 - beta - math.exp(at) * alpha).max() == pytest.approx(decision.delta_at(at), abs=1e-12)


@given(decision=decisions)
def test_that_the_trade_off_falls_below_guessing_and_is_its_own_inverse(decision):
    beta = decision.trade_off(ALPHA)
    assert (beta >= 0).all()
    assert (beta <= 1 - ALPHA).all()
    assert (np.diff(beta) <= 1e-15).all()
    back = decision.trade_off(beta)
    inside = (beta > 0) & (decision.trade_off(0.0) > ALPHA)
    np.testing.assert_allclose(back[inside], ALPHA[inside], rtol=1e-7, atol=1e-12)


@given(epsilon=epsilons | st.just(0.0), delta=deltas, minimum=minimums, target=targets)
def test_that_no_generalized_decision_is_below_its_promise_and_one_with_a_crossing_touches_it(epsilon, delta, minimum,
                                                                                               target):
    decision = GeneralizedDecision(epsilon, delta, minimum, target)
    assert (decision.trade_off(ALPHA) >= trade_off(epsilon, delta, ALPHA) - 1e-13).all()
    centred = GeneralizedDecision.centred(epsilon, delta, 5)
    bend = (1 - delta) / (1 + math.exp(epsilon))
    assert centred.trade_off(bend) == pytest.approx(trade_off(epsilon, delta, bend), abs=1e-13)


@given(mu=st.floats(-3, 2).map(math.exp), minimum=minimums, target=inside)
def test_that_no_gaussian_decision_is_below_gaussian_noise(mu, minimum, target):
    found = GaussianDecision(mu, minimum, target).trade_off(ALPHA)
    assert (found >= np.asarray(GaussianNoise(1 / mu).trade_off(ALPHA)) - 1e-14).all()


def test_that_a_whole_threshold_leaves_two_lines_broken_beside_it():
    epsilon = 1.3
    small, alpha = math.exp(-epsilon) / 2, np.linspace(0, 1, 101)
    found = LaplaceDecision(epsilon, 40.0).trade_off(alpha)
    first = np.maximum(1 - math.exp(epsilon) * alpha, (1 - alpha) / 2 / (1 - small))
    second = np.maximum(1 - (2 - 2 * small) * alpha, math.exp(-epsilon) * (1 - alpha))
    np.testing.assert_allclose(found, np.minimum(first, second), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("decision", [
    GeneralizedDecision(1e-6, 1e-12, 10**9, 0.5), GeneralizedDecision(20.0, 0.5, 1, 1.0), LaplaceDecision(1e-6, 1e17),
    GaussianDecision(1e-7, 10**9, 0.01), GeneralizedDecision(1e-300, 0.0, 5, 0.5), GaussianDecision(1e6, 3, 0.5),
    GeneralizedDecision(5000.0, 1e-300, 4, 1e-9), GeneralizedDecision(0.0, 0.0, 4, 0.5)], ids=repr)
def test_that_the_extremes_have_a_trade_off(decision):
    beta = decision.trade_off(ALPHA)
    assert np.isfinite(beta).all()
    assert (np.diff(beta) <= 1e-15).all()
    assert 1 - (ALPHA + beta).min() <= decision.delta_at(0.0) + 1e-12


def test_that_both_losses_at_once_are_each_alone():
    n = np.arange(30)
    for decision in (GeneralizedDecision(0.5, 0.01, 9, 0.3), LaplaceDecision(0.5, 9.5), GaussianDecision(0.5, 9, 0.3)):
        accept, reject = decision.losses(n)
        np.testing.assert_array_equal(accept, decision.loss_accept(n))
        np.testing.assert_array_equal(reject, decision.loss_reject(n))
