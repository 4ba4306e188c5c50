"""The examples of the theorems' page break what they say they break."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.mechanisms.decision import GeneralizedDecision
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.theorems import counterexamples


def value(quantity, epsilon, delta):
    return next(fact.value for fact in counterexamples(epsilon, delta) if fact.quantity == quantity)


@given(st.floats(1e-6, 50), st.floats(1e-12, 0.5))
def test_that_every_number_lies_in_its_domain(epsilon, delta):
    for fact in counterexamples(epsilon, delta):
        assert fact.quantity.domain.low <= fact.value <= fact.quantity.domain.high, fact


@given(st.floats(0.01, 10), st.floats(1e-9, 0.4))
def test_that_a_rise_from_zero_to_one_takes_just_so_many_records(epsilon, delta):
    steps = value(v.STEPS_FROM_ZERO, epsilon, delta)
    decision = GeneralizedDecision(epsilon, delta, 0, 0.0)
    assert decision.reject_probability(steps) == 0.0 < decision.reject_probability(steps - 1)


@given(st.floats(0.01, 10))
def test_that_two_responses_need_that_delta_for_one_epsilon(epsilon):
    exact = RandomizedResponse.symmetric(epsilon).delta_after(2, epsilon)
    assert math.isclose(value(v.TWICE_DELTA, epsilon, 1e-6), exact, rel_tol=1e-12)
    assert exact > 0


@given(st.floats(0.01, 10), st.floats(1e-9, 0.01))
def test_that_two_records_of_some_decision_need_more_than_twice_delta(epsilon, delta):
    decision = GeneralizedDecision(epsilon, delta, 0, 0.0)
    measured = max(0.0, decision.accept_probability(2) - math.exp(2 * epsilon) * decision.accept_probability(0))
    assert value(v.PAIR_DELTA_ADDED, epsilon, delta) < measured
    assert measured <= value(v.PAIR_DELTA, epsilon, delta) * (1 + 1e-12)


@given(st.floats(0.01, 10))
def test_that_a_second_look_at_the_count_takes_that_delta(epsilon):
    """Pr[|X| < 1] for Laplace noise of scale 1/ε, by its distribution function."""
    inside = 1 - math.exp(-epsilon)
    assert math.isclose(value(v.PEEKING_DELTA, epsilon, 1e-6), inside, rel_tol=1e-9)
