"""The law of losses of bounded range: brute force over its two-outcome pairs, programmes over all pairs, mechanisms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from attackers import hockey_stick, missed
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.special import logit

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.guarantee import RECORD, Guarantee
from dpstudio.core.sources import DERIVED
from dpstudio.mechanisms.laws import BoundedRange, Claim
from dpstudio.mechanisms.selection import exponential


def pair(epsilon, t):
    """Two outcomes with losses t and t − ε."""
    q = (math.exp(-t) - math.exp(-epsilon)) / (1 - math.exp(-epsilon))
    p = (1 - math.exp(t - epsilon)) / (1 - math.exp(-epsilon))
    return np.array([p, 1 - p]), np.array([q, 1 - q])


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_law_is_the_worst_of_all_pairs_of_two_outcomes(epsilon):
    pairs = [pair(epsilon, t) for t in np.linspace(0, epsilon, 2001)[1:-1]]
    law = BoundedRange(epsilon)
    for part in (0.0, 0.2, 0.5, 0.9):
        worst = max(hockey_stick(p, q, part * epsilon) for p, q in pairs)
        assert worst * (1 - 1e-12) <= law.delta_at(part * epsilon) <= worst * (1 + 1e-4)
    for alpha in (1e-3, 0.1, 0.5, 0.9):
        least = min(missed(p, q, alpha) for p, q in pairs)
        assert least * (1 - 2e-2) <= law.trade_off(alpha) <= least * (1 + 1e-12)


@pytest.mark.parametrize("at", [0.0, 0.4, 1.1])
def test_no_pair_of_many_outcomes_needs_more_by_linear_programme(at):
    """For each t the most of Σ (p − e^x q)⁺ over all p, q with losses in [t − ε, t]; the set told is any of them."""
    epsilon, outcomes, worst = 1.5, 4, 0.0
    for t in np.linspace(0, epsilon, 61):
        for told in range(1, outcomes):
            goal = np.zeros(2 * outcomes)
            goal[:told], goal[outcomes:outcomes + told] = -1, math.exp(at)
            upper = np.hstack([np.eye(outcomes), -math.exp(t) * np.eye(outcomes)])
            lower = np.hstack([-np.eye(outcomes), math.exp(t - epsilon) * np.eye(outcomes)])
            sums = np.kron(np.eye(2), np.ones(outcomes))
            solved = linprog(goal, A_ub=np.vstack([upper, lower]), b_ub=np.zeros(2 * outcomes), A_eq=sums, b_eq=[1, 1])
            worst = max(worst, -solved.fun) if solved.success else worst
    assert BoundedRange(epsilon).delta_at(at) == pytest.approx(worst, rel=2e-4)
    assert BoundedRange(epsilon).delta_at(at) >= worst * (1 - 1e-9)


@given(epsilon=st.floats(0.05, 6), sensitivity=st.floats(0.1, 5), monotone=st.booleans(),
       scores=st.lists(st.floats(-5, 5), min_size=2, max_size=6), seed=st.integers(0, 10**6))
def test_no_exponential_mechanism_gives_away_more(epsilon, sensitivity, monotone, scores, seed):
    rng = np.random.default_rng(seed)
    low = 0 if monotone else -1
    moved = np.array(scores) + sensitivity * rng.choice([low, 1.0, rng.uniform(low, 1)], len(scores))
    p, q = (exponential(each, epsilon, sensitivity, monotone) for each in (scores, moved))
    law = BoundedRange(epsilon)
    for one, other in ((p, q), (q, p)):
        for x in (0.0, epsilon / 3, epsilon * 0.9):
            assert hockey_stick(one, other, x) <= law.delta_at(x) * (1 + 1e-9) + 1e-13
        for alpha in (1e-3, 0.2, 0.6):
            assert missed(one, other, alpha) >= law.trade_off(alpha) - 1e-12


@given(epsilon=st.floats(0.05, 6), alpha=st.floats(0.001, 0.999), monotone=st.booleans())
def test_two_candidates_attain_it(epsilon, alpha, monotone):
    rate = epsilon / 2 if not monotone else epsilon
    gap = float(logit(alpha)) / rate
    q = exponential([gap, 0.0], epsilon, 1, monotone)
    p = exponential([gap + 1, 0.0 if monotone else -1.0], epsilon, 1, monotone)
    law = BoundedRange(epsilon)
    assert q[0] == pytest.approx(alpha, rel=1e-12)
    assert law.power(alpha) == pytest.approx(p[0], rel=1e-11)
    assert law.trade_off(alpha) == pytest.approx(p[1], rel=1e-11)


@given(log_epsilon=st.floats(-13, 6.5), part=st.floats(0, 1), alpha=st.floats(0, 1))
@example(log_epsilon=6.5, part=0.5, alpha=0.0)
def test_its_numbers_agree_with_each_other_and_lie_within_what_epsilon_alone_leaves(log_epsilon, part, alpha):
    epsilon = math.exp(log_epsilon)
    law, claim = BoundedRange(epsilon), Claim(epsilon, 0.0)
    x = part * epsilon
    delta = law.delta_at(x)
    assert delta <= claim.delta_at(x) * (1 + 1e-12)
    assert law.delta_at([x, epsilon, epsilon + 1])[1:].tolist() == [0.0, 0.0]
    if epsilon - x < 30:  # else δ is next to 1
        assert law.epsilon_at(delta) == pytest.approx(x, rel=1e-6, abs=1e-7 * epsilon)
    assert law.power(alpha) + law.trade_off(alpha) == pytest.approx(1, abs=1e-15)
    assert law.trade_off(alpha) >= claim.trade_off(alpha) * (1 - 1e-12)
    assert law.trade_off(law.trade_off(alpha)) == pytest.approx(alpha, abs=1e-9)
    # No line of its profile lies above its trade-off, and one touches it.
    assert law.trade_off(alpha) >= 1 - delta - math.exp(min(x, 700)) * alpha - 1e-12
    e = min(epsilon, 30.0)
    at = (math.exp(-0.75 * e) - math.exp(-e)) / -math.expm1(-e)
    touched = BoundedRange(e).power(at) - math.exp(0.5 * e) * at
    assert touched == pytest.approx(BoundedRange(e).delta_at(0.5 * e), rel=1e-6, abs=1e-12)


def test_several_records_widen_the_range_and_a_guarantee_reads_it():
    law = BoundedRange(0.5)
    assert law.grouped(3) == BoundedRange(1.5)
    twice = law.power(law.power(0.2))
    assert law.grouped(2).power(0.2) == pytest.approx(twice, rel=1e-14)
    promised = Guarantee(RECORD, 0.5, 0.0, law, DERIVED, rho=0.5**2 / 8)
    assert promised.largest_loss == 0.5
    assert promised.advantage == pytest.approx(math.tanh(0.125), rel=1e-14)
    assert promised.epsilon_at(0.0) == 0.5
    assert promised.grouped(2) == BoundedRange(1.0)
    assert promised.both_ways
    assert [law.epsilon_at(d) for d in (0.5, 1.0)] == [0.0, 0.0]
    assert BoundedRange(0.0).delta_at([0.0, 1.0]).tolist() == [0.0, 0.0]
    assert BoundedRange(0.0).trade_off(0.3) == pytest.approx(0.7)


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_a_range_below_zero_or_without_end_is_refused(bad):
    with pytest.raises(InvalidParameter, match=r"^epsilon must be in \[0, ∞\), got"):
        BoundedRange(bad)
    with pytest.raises(InvalidParameter, match=r"^epsilon must be in \[0, ∞\), got"):
        BoundedRange(1.0).delta_at(bad)
    with pytest.raises(InvalidParameter, match=r"^alpha must be in \[0, 1\], got"):
        BoundedRange(1.0).trade_off(bad)
