"""Laws of guarantees: each by brute force over neighbours and events, and what is made from one agrees with it."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from attackers import hockey_stick, missed
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.guarantee import RECORD, Guarantee, smallest_epsilon
from dpstudio.core.sources import DR14
from dpstudio.mechanisms import laws
from dpstudio.mechanisms.composition import Together, WorstReleases
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.laws import AsymmetricLaplace, Tightest
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.shuffle import ShuffledResponse

EPSILONS = np.array([0.0, 0.01, 0.3, 1.0, 2.5])
ALPHAS = np.array([0.0, 1e-6, 0.01, 0.2, 0.5, 0.9, 1.0])


def decided(decision, n, zero_refused):
    if zero_refused and n == 0:
        return np.array([0.0, 1.0])
    return np.array([decision.accept_probability(n), decision.reject_probability(n)], dtype=float)


DECISIONS = [
    LaplaceDecision.for_target(0.3, 20, 0.5), LaplaceDecision(1.0, 7.3), CutoffExponentialDecision(0.3, 20),
    GeneralizedDecision(0.3, 1e-3, 20, 0.3), GeneralizedDecision(1.0, 0.0, 5, 0.9), GaussianDecision(0.4, 20, 0.5),
]


@pytest.mark.parametrize("zero_refused", [False, True])
@pytest.mark.parametrize("decision", DECISIONS, ids=lambda one: type(one).__name__)
def test_the_law_of_a_decision_is_the_worst_of_all_neighbours_and_both_directions(decision, zero_refused):
    law = laws.RefusingZero(decision) if zero_refused else decision
    pairs = [(decided(decision, n, zero_refused), decided(decision, n + 1, zero_refused)) for n in range(120)]
    pairs += [(q, p) for p, q in pairs]
    for epsilon in EPSILONS:
        assert float(law.delta_at(epsilon)) == pytest.approx(max(hockey_stick(p, q, epsilon) for p, q in pairs),
                                                             rel=1e-9, abs=1e-13)
    for alpha in ALPHAS:
        assert float(law.trade_off(alpha)) == pytest.approx(min(missed(p, q, alpha) for p, q in pairs), abs=1e-12)


def responses(epsilons, tells=0.0):
    """The laws of responses together, of which all together are told with some probability."""
    laws_of = [(math.exp(e) / (1 + math.exp(e)), 1 / (1 + math.exp(e))) for e in epsilons]
    one = np.array([math.prod(each) for each in product(*laws_of)])
    other = np.array([math.prod(each) for each in product(*[law[::-1] for law in laws_of])])
    return (np.array([tells, 0.0, *((1 - tells) * one)]), np.array([0.0, tells, *((1 - tells) * other)]))


@pytest.mark.parametrize(("law", "pair"), [
    (laws.Claim(0.7, 0.01), responses([0.7], 0.01)), (laws.Claim(0.0, 0.2), responses([0.0], 0.2)),
    (laws.Claim(2.0, 0.0), responses([2.0])),
    (laws.Telling(0.05, RandomizedResponse.symmetric(0.5)), responses([0.5], 0.05)),
    (WorstReleases(0.3, 0.02, 3), responses([0.3] * 3, 1 - 0.98**3)),
], ids=str)
def test_what_numbers_alone_leave_is_attained_by_responses_that_may_tell_all(law, pair):
    for epsilon in EPSILONS:
        assert float(law.delta_at(epsilon)) == pytest.approx(hockey_stick(*pair, epsilon), abs=1e-14)
    for alpha in ALPHAS:
        assert float(law.trade_off(alpha)) == pytest.approx(missed(*pair, alpha), abs=1e-13)
        if hasattr(law, "power"):
            assert float(law.power(alpha)) == pytest.approx(1 - missed(*pair, alpha), abs=1e-13)


def test_unlike_releases_together_are_never_under_reported():
    law, pair = Together((0.2, 0.5, 1.0), 0.03), responses([0.2, 0.5, 1.0], 0.03)
    for epsilon in EPSILONS:
        assert float(law.delta_at(epsilon)) == pytest.approx(hockey_stick(*pair, epsilon), rel=1e-12, abs=1e-15)
    for alpha in ALPHAS:
        exact = missed(*pair, alpha)
        assert exact - 0.02 <= float(law.trade_off(alpha)) <= exact + 1e-12


@pytest.mark.parametrize("law", [
    laws.Shifted(0.8), laws.moved(GaussianNoise(2.0), 3.0), laws.Moved(GeometricNoise(0.5), 2),
    laws.moved(LaplaceNoise(2.0), 1.5), laws.Moved(LaplaceNoise(1.0), 1.0),
], ids=str)
def test_the_two_forms_of_a_law_of_noise_are_each_other_s_duals(law):
    alpha = np.linspace(0, 1, 20_001)
    beta = np.asarray(law.trade_off(alpha))
    for epsilon in EPSILONS:
        of_errors = float(np.max(1 - math.exp(epsilon) * alpha - beta))
        assert of_errors == pytest.approx(float(law.delta_at(epsilon)), abs=2e-5)


LAWS = [
    *DECISIONS, laws.RefusingZero(DECISIONS[1]), laws.Claim(0.7, 0.01), laws.Claim(math.inf, 0.0), laws.Claim(0.0, 0.0),
    laws.Shifted(0.02), laws.Shifted(9.0), WorstReleases(0.3, 0.0, 12), WorstReleases(0.05, 1e-7, 200),
    laws.Moved(GeometricNoise(0.1), 3), laws.Moved(LaplaceNoise(0.01), 1.0), laws.Telling(1e-4, laws.Shifted(0.5)),
    RandomizedResponse.two_coin(0.3, 0.9), Together((0.1, 0.7), 0.0), GaussianDecision(30.0, 2, 1e-9),
    laws.moved(DiscreteGaussianNoise(8.4), 1), laws.moved(DiscreteGaussianNoise(50.0), 40),
    laws.moved(DiscreteGaussianNoise(0.3), 1),
]


@given(law=st.sampled_from(LAWS), exponent=st.floats(-15, 0), near=st.sampled_from([1e-6, 0.3, 1.0, 50.0]))
@example(law=LAWS[0], exponent=-300.0, near=1.0)
def test_the_epsilon_at_a_delta_is_safe_and_the_least(law, exponent, near):
    delta = 10.0**exponent
    found = {smallest_epsilon(law, delta, near)}
    if hasattr(law, "epsilon_at"):
        found.add(law.epsilon_at(delta))
    for epsilon in found:
        if epsilon < math.inf:
            assert float(law.delta_at(epsilon)) <= delta * (1 + 1e-11)
        if epsilon > 0:
            assert float(law.delta_at(min(epsilon * (1 - 1e-8), 1e8))) > delta * (1 - 1e-9)


@given(log_epsilon=st.floats(-3, 5), rounding=st.sampled_from([5e-324, 6e-309, 1e-17]))
def test_what_a_law_rounds_beyond_its_own_epsilon_takes_no_epsilon_away(log_epsilon, rounding):
    own = math.exp(log_epsilon)

    class Pure:
        """Pure ε-DP, of which rounding leaves something beyond ε, as it does where probabilities are subnormal."""

        def delta_at(self, epsilon):
            at = np.asarray(epsilon, dtype=np.float64)
            return np.where(at > own, rounding, -np.expm1(np.minimum(at - own, 0.0)))

    assert smallest_epsilon(Pure(), 0.0, own) == pytest.approx(own, rel=1e-11)


def test_the_best_guess_is_that_of_the_best_test_under_any_prior():
    pair = responses([0.4, 0.9], 0.02)
    promise = Guarantee(RECORD, 1.3, 0.02, Together((0.4, 0.9), 0.02), DR14)
    for prior in (1e-4, 0.1, 0.31, 0.5, 0.8, 0.999):
        best = math.fsum(np.maximum(prior * pair[0], (1 - prior) * pair[1]))
        assert promise.guess(prior) == pytest.approx(best, abs=1e-14)


def test_success_keeps_its_digits_where_chance_is_tiny():
    promise = Guarantee(RECORD, 0.5, 0.0, laws.Claim(0.5, 0.0), DR14)
    assert float(promise.success(1e-12)) == pytest.approx(math.exp(0.5) * 1e-12, rel=1e-12)
    with pytest.raises(InvalidParameter, match=r"baseline must be in \(0, 1\), got 0"):
        promise.success(0.0)


@given(delta=st.floats(1e-9, 1.0), epsilon=st.floats(1e-3, 20), told=st.sampled_from([0.0, 1e-6, 0.1]))
def test_a_closed_epsilon_is_on_the_safe_side_of_its_own_rounding(delta, epsilon, told):
    for law in (laws.Claim(epsilon, told), AsymmetricLaplace(epsilon, epsilon / 3)):
        at = law.epsilon_at(delta)
        assert at == math.inf or float(law.delta_at(at)) <= delta * (1 + 1e-15), law


def test_a_claim_needs_its_own_epsilon_at_its_own_delta():
    assert laws.Claim(0.7, 0.01).epsilon_at(0.01) == 0.7
    assert laws.Claim(0.7, 0.01).epsilon_at(0.01 * (1 - 1e-9)) == math.inf
    assert laws.Claim(math.inf, 0.0).epsilon_at(0.5) == math.inf


@pytest.mark.parametrize("law", [laws.Shifted(0.8), laws.Claim(0.7, 0.01), AsymmetricLaplace(0.4, 1.0)], ids=str)
def test_the_power_of_a_law_is_what_its_trade_off_leaves(law):
    assert law.power(ALPHAS) == pytest.approx(1 - np.asarray(law.trade_off(ALPHAS)), abs=1e-14)


def test_of_two_bounds_the_nearer_holds_for_each_delta_and_each_error():
    laws_of = (laws.Claim(1.0, 0.0), laws.Claim(0.3, 0.1))
    both, tests = Tightest(laws_of), np.array([0.01, 0.5, 0.95])
    assert both.delta_at(EPSILONS) == pytest.approx(np.min([each.delta_at(EPSILONS) for each in laws_of], axis=0))
    assert both.trade_off(tests) == pytest.approx(np.max([each.trade_off(tests) for each in laws_of], axis=0))
    assert [both.epsilon_at(delta) for delta in (0.0, 0.1)] == [1.0, min(0.3, laws_of[0].epsilon_at(0.1))]


def test_that_a_profile_is_asked_once_whatever_the_errors_and_says_of_each_what_one_not_asked_before_does(monkeypatch):
    asked, delta_at = [], ShuffledResponse.delta_at
    monkeypatch.setattr(ShuffledResponse, "delta_at", lambda law, at: asked.append(law) or delta_at(law, at))
    shuffled = [ShuffledResponse(local, 1000.0) for local in (1.0, 2.0)]
    one, other = (laws.ByProfile(law, law.local) for law in shuffled)
    for alpha in ALPHAS.tolist():
        for law in (one, other):
            anew = laws.ByProfile(law.of, law.reach)
            assert (law.power(alpha), law.trade_off(alpha)) == (anew.power(alpha), anew.trade_off(alpha))
    assert [asked.count(law) - len(ALPHAS) for law in shuffled] == [1, 1]
    assert one.power(0.2) < other.power(0.2)
