"""Whole noise, a whole threshold and a coin: against sums at fifty digits, and beside the decisions that they are."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.decision import DiscreteGaussianDecision, GeneralizedDecision
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GeometricNoise
from dpstudio.vocabulary import COIN, THRESHOLD

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "selection.json").read_text("utf-8"))["decisions"]
few = settings(max_examples=25, derandomize=True)
targets = st.floats(1e-6, 1 - 1e-6)


def made(row):
    parameter = float(row["parameter"])
    return (DiscreteGaussianDecision(parameter, row["minimum"], row["target"]) if row["kind"] == "discrete_gaussian"
            else GeneralizedDecision(parameter, 0.0, row["minimum"], row["target"]))


@pytest.mark.parametrize("row", ORACLE, ids=lambda row: f"{row['kind']}-{row['parameter']}")
def test_that_both_tails_and_delta_are_those_of_the_sums(row):
    decision = made(row)
    for ask, told in ((decision.accept_probability, row["accept"]), (decision.reject_probability, row["reject"])):
        np.testing.assert_allclose(ask(row["n"]), list(map(float, told)), rtol=2e-12, atol=1e-300)
    np.testing.assert_allclose(decision.delta_at(list(map(float, row["epsilon"]))), list(map(float, row["delta"])),
                               rtol=1e-10, atol=1e-18)


def by_coin(noise, decision, n):
    """w Pr[n + X ≥ k] + (1 − w) Pr[n + X ≥ k + 1], and the same for less."""
    told = {each.quantity: each.value for each in decision.particulars(0.01, 1e-6)}
    k, w = told[THRESHOLD], told[COIN]
    assert k == round(k)
    accept = w * noise.tail(k - n) + (1 - w) * noise.tail(k + 1 - n)
    return accept, w * noise.cdf(k - 1 - n) + (1 - w) * noise.cdf(k - n)


@few
@given(st.floats(-1.5, 4).map(math.exp), st.integers(0, 60), targets)
def test_that_a_coin_between_two_thresholds_accepts_the_minimum_as_often_as_asked(sigma, minimum, target):
    decision, n = DiscreteGaussianDecision(sigma, minimum, target), np.arange(121.0)
    assert decision.accept_probability(minimum) == pytest.approx(target, rel=1e-12)
    assert decision.reject_probability(minimum) == pytest.approx(1 - target, rel=1e-10)
    accept, reject = by_coin(DiscreteGaussianNoise(sigma), decision, n)
    np.testing.assert_allclose(decision.accept_probability(n), accept, rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(decision.reject_probability(n), reject, rtol=1e-9, atol=1e-300)


@few
@given(st.floats(-4, 1.5).map(math.exp), st.integers(0, 60), targets)
def test_that_discrete_laplace_noise_and_a_coin_are_the_generalized_decision_without_delta(epsilon, minimum, target):
    decision, noise, n = GeneralizedDecision(epsilon, 0.0, minimum, target), GeometricNoise(epsilon), np.arange(121.0)
    # Pr[X ≥ k + 1 − m] < p ≤ Pr[X ≥ k − m], and the coin is what is left.
    k = next(k for k in range(minimum - 2000, minimum + 2000) if noise.tail(k + 1 - minimum) < target)
    w = (target - noise.tail(k + 1 - minimum)) / noise.density(k - minimum)
    assert 0 < w <= 1 + 1e-9
    mixed = w * noise.tail(k - n) + (1 - w) * noise.tail(k + 1 - n)
    np.testing.assert_allclose(decision.accept_probability(n), mixed, rtol=1e-7, atol=1e-300)


@few
@given(st.floats(-3, 1).map(math.exp), st.floats(-25, -1).map(math.exp), targets)
def test_that_the_decision_made_for_a_guarantee_keeps_it_and_hardly_more_narrow_noise_would_not(epsilon, delta, target):
    decision = DiscreteGaussianDecision.for_guarantee(epsilon, delta, 200, target)
    assert decision.delta_at(epsilon) <= delta * (1 + 1e-10)
    # The noise itself spends all of it: some threshold and no coin would, too.
    assert DiscreteGaussianNoise(decision.sigma).delta_at(epsilon, 1) == pytest.approx(delta, rel=1e-6)
    assert DiscreteGaussianNoise(decision.sigma * (1 - 1e-6)).delta_at(epsilon, 1) > delta
    sure = DiscreteGaussianDecision(decision.sigma, 200, float(DiscreteGaussianNoise(decision.sigma).tail(1.0)))
    assert sure.delta_at(epsilon) == pytest.approx(delta, rel=1e-6)


@few
@given(st.floats(-1.5, 4).map(math.exp), st.integers(0, 60), targets, st.sampled_from([0.0, 0.25]), st.integers(1, 90))
def test_that_many_numbers_of_which_few_differ_have_to_the_last_bit_what_each_has_alone(
        sigma, minimum, target, part, different):
    decision = DiscreteGaussianDecision(sigma, minimum, target)
    near = np.random.default_rng(0).integers(0, different, (2, 40)) + part
    for n in (near, np.full((2, 40), 2.0**53 - 1)):
        for ask in (decision._accept, decision._reject):
            alone = [[float(ask(np.array([each]))[0]) for each in row] for row in n.tolist()]
            assert ask(n.copy()).tolist() == alone


def test_that_a_target_near_one_is_known_by_its_complement_and_tails_beyond_the_doubles_by_their_logarithms():
    decision = DiscreteGaussianDecision(3.0, 40, 1.0, 1e-25)
    assert decision.reject_probability(40) == pytest.approx(1e-25, rel=1e-12)
    mirror = DiscreteGaussianDecision(3.0, 40, 1e-25)
    np.testing.assert_allclose(decision.reject_probability(np.arange(20, 61)),
                               mirror.accept_probability(np.arange(60, 19, -1)), rtol=1e-11)
    far = DiscreteGaussianDecision(1.0, 1000, 0.5)
    assert far.accept_probability(900) == 0
    assert far.log_accept(900) == pytest.approx(-0.5 * 100**2, rel=2e-2)
    assert far.loss_accept(900) == pytest.approx(99.5, abs=1.0)
    with pytest.raises(InvalidParameter, match=r"target must be in \(0, 1\)"):
        DiscreteGaussianDecision(1.0, 5, 1.0)
    with pytest.raises(InvalidParameter, match=r"delta must be in \(0, 1\)"):
        DiscreteGaussianDecision.for_guarantee(1.0, 0.0, 5, 0.5)
