"""Decisions where doubles end: a δ next to 1, and probabilities less than any double."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import exp, mpf, workdps
from reference import logarithm, steepest

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.decision import ComplementedDecision, GeneralizedDecision


def next_to_certain(epsilon: float, minimum: int = 10) -> ComplementedDecision:
    return ComplementedDecision(epsilon, -math.expm1(-epsilon), minimum, 1.0, 0.0, math.exp(-epsilon))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 20.0, 40.0])
def test_that_a_delta_next_to_1_is_carried_by_its_complement(epsilon):
    decision = next_to_certain(epsilon)
    with workdps(60):
        delta = 1 - mpf(math.exp(-epsilon)) if epsilon > 0.7 else mpf(-math.expm1(-epsilon))
        curve = steepest(epsilon, delta, 10, mpf(1), mpf(0), 12)
        for n, (accept, reject) in enumerate(curve):
            assert float(decision.accept_probability(n)) == pytest.approx(float(accept), rel=1e-12, abs=1e-300)
            assert float(decision.reject_probability(n)) == pytest.approx(float(reject), rel=1e-12, abs=1e-300)
    assert float(decision.accept_probability(9)) == pytest.approx(math.exp(-epsilon), rel=1e-13, abs=0)
    assert decision.delta_at(epsilon) == pytest.approx(-math.expm1(-epsilon), rel=1e-15)


def test_that_a_delta_and_what_is_not_its_complement_are_refused():
    with pytest.raises(InvalidParameter, match=r"^delta_complement must be 1 − delta, got 0\.2$"):
        ComplementedDecision(1.0, 0.5, 10, 0.5, delta_complement=0.2)
    with pytest.raises(InvalidParameter, match=r"^delta_complement must be in \[0, 1\]"):
        ComplementedDecision(1.0, 0.5, 10, 0.5, delta_complement=-0.5)
    same = ComplementedDecision(1.0, 0.25, 10, 0.5, delta_complement=0.75)
    np.testing.assert_array_equal(same.accept_probability(range(20)),
                                  GeneralizedDecision(1.0, 0.25, 10, 0.5).accept_probability(range(20)))


@pytest.mark.parametrize("target", [0.5, 0.01, 0.99])
@pytest.mark.parametrize("delta", [0.0, 1e-310])
def test_that_logarithms_go_on_below_the_smallest_double(delta, target):
    decision = GeneralizedDecision(0.5, delta, 2000, target)
    n = np.array([0, 500, 580, 1990, 2000, 2005, 3300, 3400, 4000])
    with workdps(60):
        curve = steepest(0.5, mpf(delta), 2000, mpf(target), 1 - mpf(target), 4001)
        for found, tail in ((decision.log_accept(n), 0), (decision.log_reject(n), 1)):
            for one, at in zip(found, n, strict=True):
                true = curve[at][tail]
                expected = -math.inf if true <= exp(mpf(-5000)) else float(logarithm(true, curve[at][1 - tail]))
                assert one == pytest.approx(expected, rel=1e-12, abs=1e-300), (at, tail)
    np.testing.assert_array_equal(np.isneginf(decision.log_reject(n)), np.array([False] * 8 + [delta > 0]))


def test_that_a_decision_that_never_moves_has_no_logarithm_of_what_cannot_be():
    assert GeneralizedDecision(0.5, 0.0, 10, 1.0, 0.0).log_reject(10_000) == -math.inf
    assert GeneralizedDecision(0.5, 0.0, 10, 0.0).log_accept(0) == -math.inf
