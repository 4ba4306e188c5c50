"""Several records of one person, and several releases about one: against direct neighbours and products of tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from attackers import found, hockey_stick, product, responses
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.core import attack
from dpstudio.core.guarantee import RECORD, Guarantee
from dpstudio.core.sources import DR14
from dpstudio.mechanisms import laws
from dpstudio.mechanisms.composition import Together, WorstReleases, group, repeated
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.laws import ClaimOfGroup, Grouped, Moved
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, StaircaseNoise
from dpstudio.mechanisms.response import RandomizedResponse

ALPHAS = np.array([0.0, 1e-9, 1e-3, 0.05, 0.2, 0.5, 0.8, 0.999])
EPSILONS = np.array([0.0, 0.1, 0.5, 1.0, 1.7, 2.5, 4.0])
FINE = np.concatenate([[0.0], np.geomspace(1e-12, 0.5, 20_001), np.linspace(0.5, 1.0, 5_001)])


def chained(law, alpha, times):
    for _ in range(times):
        alpha = law.power(alpha)
    return alpha


class Bare:
    """A law of which no closed form is known."""

    def __init__(self, law):
        self.delta_at, self.trade_off, self.power = law.delta_at, law.trade_off, law.power
        self.both_ways = law.both_ways


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("noise", [LaplaceNoise(2.0), GeometricNoise(0.7), GaussianNoise(3.0)], ids=str)
def test_so_many_records_move_noise_so_many_times_as_far(noise, size):
    law = Moved(noise, 1)
    together = Grouped(law, size)
    assert together.kind == "exact"
    assert together.power(ALPHAS) == pytest.approx(chained(law, ALPHAS, size), rel=1e-12, abs=1e-15)
    assert together.power(ALPHAS) == pytest.approx(noise.power(ALPHAS, size), rel=1e-14, abs=0)
    assert together.trade_off(ALPHAS) == pytest.approx(noise.trade_off(ALPHAS, size), rel=1e-14, abs=0)
    assert together.delta_at(EPSILONS) == pytest.approx(noise.delta_at(EPSILONS, size), rel=1e-14, abs=0)
    of_bare = Grouped(Bare(law), size)
    assert of_bare.kind == "bound"
    assert of_bare.power(ALPHAS) == pytest.approx(together.power(ALPHAS), rel=1e-12, abs=1e-15)
    assert of_bare.trade_off(ALPHAS) == pytest.approx(together.trade_off(ALPHAS), abs=1e-14)


def test_of_noise_that_is_not_log_concave_a_chain_tells_more_than_a_move():
    law = Moved(StaircaseNoise(2.0, 1.0), 1.0)
    together = Grouped(law, 2)
    assert together.kind == "bound"
    for shift in (0.5, 1.0, 1.5, 2.0):
        assert (together.power(ALPHAS) >= Moved(law.noise, shift).power(ALPHAS) - 1e-14).all()
        assert (together.delta_at(EPSILONS) >= np.asarray(law.noise.delta_at(EPSILONS, shift)) - 1e-14).all()


@pytest.mark.parametrize("law", [
    Moved(LaplaceNoise(2.0), 1.0), Moved(GeometricNoise(0.7), 1), laws.AsymmetricLaplace(0.6, 0.6),
    laws.Shifted(0.8), laws.Claim(0.3, 1e-3), WorstReleases(0.2, 1e-4, 5), Together((0.2, 0.5), 1e-3),
], ids=str)
@pytest.mark.parametrize("size", [2, 3])
def test_the_delta_of_a_chain_is_safe_and_near(law, size):
    together = Grouped(Bare(law), size)
    exact = np.array([np.max(chained(law, FINE, size) - math.exp(e) * FINE) for e in EPSILONS])
    given = np.asarray(together.delta_at(EPSILONS))
    assert (given >= exact - 1e-14).all()
    assert given == pytest.approx(exact, rel=1e-3, abs=2e-6)


@pytest.mark.parametrize("decision", [
    LaplaceDecision(0.5, 7.3), GeneralizedDecision(0.3, 1e-3, 20, 0.3), GaussianDecision(0.4, 20, 0.5),
    CutoffExponentialDecision(0.3, 20)], ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("size", [2, 3])
def test_a_chain_of_decisions_tells_no_less_than_any_two_numbers_so_far_apart(decision, size):
    def outcomes(n):
        return np.array([decision.accept_probability(n), decision.reject_probability(n)], dtype=float)

    pairs = [(outcomes(n), outcomes(n + size)) for n in range(80)]
    pairs += [(q, p) for p, q in pairs]
    together = Grouped(decision, size)
    for alpha in ALPHAS:
        direct = max(found(p, q, alpha) for p, q in pairs)
        assert together.power(alpha) >= direct - 1e-13
        assert together.trade_off(alpha) <= 1 - direct + 1e-13
    for epsilon in EPSILONS:
        direct = max(hockey_stick(p, q, epsilon) for p, q in pairs)
        assert direct - 1e-13 <= together.delta_at(epsilon) <= 1.3 * direct + 0.01


@given(epsilon=st.one_of(st.just(0.0), st.floats(0.01, 3)), log_delta=st.floats(-25, -0.2), size=st.integers(1, 9),
       pure=st.booleans(), alpha=st.floats(0, 1))
def test_what_epsilon_and_delta_leave_of_a_group_is_a_chain_of_steps(epsilon, log_delta, size, pure, alpha):
    delta = 0.0 if pure else math.exp(log_delta)
    law, together = laws.Claim(epsilon, delta), ClaimOfGroup(epsilon, delta, size)
    for at in (alpha, alpha * 1e-12):
        assert together.power(at) == pytest.approx(float(chained(law, at, size)), rel=1e-11, abs=1e-300)
        assert together.trade_off(at) == pytest.approx(1 - float(chained(law, at, size)), abs=1e-13)
    # Its own δ at every ε′: every place at which the chain bends is one where some step begins at the meeting point.
    meets = (1 - delta) / (1 + math.exp(epsilon))
    bends = [0.0]
    for _ in range(size):
        if meets > 0:
            bends.append(meets)
        meets = (meets - delta) * math.exp(-epsilon)
    reached = np.asarray(chained(law, np.array(bends), size))
    for x in np.linspace(0.0, 1.2 * size * epsilon + 0.1, 23):
        exact = max(0.0, *(reached - math.exp(x) * np.array(bends)))
        assert together.delta_at(x) == pytest.approx(exact, rel=1e-9, abs=1e-13)
    whole = group(epsilon, delta, size)
    assert together.delta_at(float(whole[0]) * (1 + 1e-12)) == pytest.approx(float(whole[1]), rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_the_geometric_attains_what_pure_privacy_leaves_of_a_group(size):
    together, noise = Grouped(laws.Claim(0.3, 0.0), size), GeometricNoise(0.3)
    assert together.power(ALPHAS) == pytest.approx(noise.power(ALPHAS, size), rel=1e-12, abs=0)
    assert together.trade_off(ALPHAS) == pytest.approx(noise.trade_off(ALPHAS, size), rel=1e-12, abs=1e-15)
    assert together.delta_at(EPSILONS) == pytest.approx(noise.delta_at(EPSILONS, size), rel=1e-12, abs=1e-16)


def test_two_records_are_told_less_often_than_twice_the_epsilon_says():
    together = Grouped(laws.Claim(1.0, 0.0), 2)
    assert attack.advantage(together) == pytest.approx(-math.expm1(-1.0), rel=1e-14, abs=0)
    assert attack.advantage(together) < math.tanh(1.0) - 0.1
    assert attack.greatest_posterior(together, 0.5) == pytest.approx(1 / (1 + math.exp(-2)), rel=1e-14, abs=0)
    odd = Grouped(laws.Claim(1.0, 0.0), 3)
    assert attack.advantage(odd) == pytest.approx(1 - 2 * math.exp(-2) / (1 + math.exp(-1)), rel=1e-14, abs=0)


@pytest.mark.parametrize(("law", "size", "expected"), [
    (laws.Shifted(0.3), 4, laws.Shifted(1.2)), (Moved(LaplaceNoise(2.0), 0.5), 3, Moved(LaplaceNoise(2.0), 1.5)),
    (laws.AsymmetricLaplace(0.2, 0.5), 2, laws.AsymmetricLaplace(0.4, 1.0)),
    (WorstReleases(0.2, 0.1, 1), 3, ClaimOfGroup(0.2, 0.1, 3)),
    (laws.Claim(math.inf, 0.0), 3, laws.Claim(math.inf, 0.0)),
    (WorstReleases(0.2, 0.1, 4), 1, WorstReleases(0.2, 0.1, 4)),
], ids=str)
def test_what_is_known_of_a_group_is_taken_as_it_is(law, size, expected):
    together = Grouped(law, size)
    assert together.closed == expected
    assert together.kind == "exact"
    promised = Guarantee(RECORD, 1.0, 0.1, law, DR14)
    assert Grouped(promised, size).closed == (expected if size > 1 else promised)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("response", [
    RandomizedResponse.symmetric(0.9), RandomizedResponse.two_coin(0.4, 0.8), RandomizedResponse(0.9, 0.4)], ids=str)
def test_that_several_answers_of_one_person_tell_no_more_than_is_said_whichever_way_each_changes(response, size):
    together = Grouped(response, size)
    one = (np.array([response.yes_if_yes, response.no_if_yes]), np.array([response.yes_if_no, response.no_if_no]))
    pairs = []
    for turned in range(2**size):
        laws_of = [np.ones(1), np.ones(1)]
        for place in range(size):
            step = one[::-1] if turned >> place & 1 else one
            laws_of = [np.outer(law, each).ravel() for law, each in zip(laws_of, step, strict=True)]
        pairs.append(tuple(laws_of))
    attained = {"rel": 1e-11, "abs": 1e-14}
    for alpha in ALPHAS:
        direct = max(found(p, q, alpha) for p, q in pairs)
        assert together.power(alpha) >= direct - 1e-13
        assert response.both_ways is (together.kind == "exact")
        if response.both_ways:
            assert together.power(alpha) == pytest.approx(direct, **attained)
    for epsilon in EPSILONS:
        direct = max(hockey_stick(p, q, epsilon) for p, q in pairs)
        assert together.delta_at(epsilon) >= direct - 1e-13
        if response.both_ways:
            assert together.delta_at(epsilon) == pytest.approx(direct, **attained)


def test_a_chain_too_long_to_follow_promises_nothing():
    together = Grouped(Bare(laws.Shifted(1e-9)), 5_000)
    assert together.power(0.3) == 1.0
    assert together.trade_off(0.3) == 0.0
    assert together.delta_at(1.0) == 1.0
    assert Grouped(laws.Shifted(1e-9), 5_000).power(0.3) < 0.301


# Releases about the same person


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("response", [
    RandomizedResponse.two_coin(0.4, 0.8), RandomizedResponse.symmetric(0.9), RandomizedResponse(0.9, 0.4),
    RandomizedResponse(1.0, 0.4)], ids=str)
def test_answers_together_are_the_product_of_their_tables(response, k):
    law, kind = repeated(response, k)
    one = (np.array([response.yes_if_yes, response.no_if_yes]), np.array([response.yes_if_no, response.no_if_no]))
    pair = product(one, k)
    pairs = (pair, pair[::-1])
    assert kind == "exact"
    for epsilon in EPSILONS:
        assert law.delta_at(epsilon) == pytest.approx(max(hockey_stick(p, q, epsilon) for p, q in pairs), abs=1e-13)
    for alpha in ALPHAS:
        expected = max(found(p, q, alpha) for p, q in pairs)
        assert law.power(alpha) == pytest.approx(expected, rel=1e-11, abs=1e-15)
        assert law.trade_off(alpha) == pytest.approx(1 - expected, abs=1e-13)
    greatest = 1 / (1 + math.exp(-k * response.epsilon))
    assert attack.greatest_posterior(law, 0.5) == pytest.approx(greatest, rel=1e-12, abs=0)


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize(("law", "pair"), [
    (laws.Claim(0.5, 0.02), responses([0.5], 0.02)), (laws.Claim(1.2, 0.0), responses([1.2])),
    (WorstReleases(0.3, 0.02, 2), responses([0.3] * 2, 1 - 0.98**2)),
    (Together((0.2, 0.5), 0.01), responses([0.2, 0.5], 0.01)),
], ids=str)
def test_the_worst_releases_together_are_the_product_of_their_tables(law, pair, k):
    together, kind = repeated(law, k)
    p, q = product(pair, k)
    assert kind == "exact"
    for epsilon in EPSILONS:
        assert together.delta_at(epsilon) == pytest.approx(hockey_stick(p, q, epsilon), abs=1e-12)
    for alpha in ALPHAS:
        assert together.power(alpha) == pytest.approx(found(p, q, alpha), rel=1e-10, abs=1e-14)


def test_gaussian_releases_together_are_one_of_root_k():
    for law in (laws.Shifted(0.5), Moved(GaussianNoise(4.0), 2.0)):
        assert repeated(law, 9) == (laws.Shifted(1.5), "exact")
        assert repeated(law, 1)[1] == "exact"


def of_noise(noise, shift):
    x = np.arange(-60.0, 61.0)
    return np.asarray(noise.density(x - shift)), np.asarray(noise.density(x))


def of_decision(decision):
    """Both answers to each of two numbers next to each other."""
    return [tuple(np.array([decision.accept_probability(n), decision.reject_probability(n)], dtype=float)
                  for n in (m, m + 1)) for m in range(40)]


@pytest.mark.parametrize(("law", "tables"), [
    (Moved(GeometricNoise(0.8), 2), [of_noise(GeometricNoise(0.8), 2)]),
    (Moved(DiscreteGaussianNoise(2.0), 1), [of_noise(DiscreteGaussianNoise(2.0), 1)]),
    (LaplaceDecision(0.5, 7.3), of_decision(LaplaceDecision(0.5, 7.3))),
    (GeneralizedDecision(0.5, 0.01, 9, 0.4), of_decision(GeneralizedDecision(0.5, 0.01, 9, 0.4))),
    (laws.RefusingZero(LaplaceDecision(0.5, 4.0)), of_decision(LaplaceDecision(0.5, 4.0))),
    (laws.Tightest((laws.Claim(0.5, 0.0), laws.AsymmetricLaplace(0.5, 0.5))), [responses([0.2])]),
    (laws.Telling(0.01, Moved(GeometricNoise(0.8), 1)), [of_noise(GeometricNoise(0.8), 1)]),
], ids=lambda one: str(one)[:60] if not isinstance(one, list) else "")
def test_what_is_no_closed_form_is_a_bound_on_the_product(law, tables):
    together, kind = repeated(law, 2)
    assert kind == "bound"
    for table in tables:
        for p, q in (product(table, 2), product(table[::-1], 2)):
            assert (np.asarray(together.delta_at(EPSILONS)) >= [hockey_stick(p, q, e) - 1e-12 for e in EPSILONS]).all()
            assert (together.power(ALPHAS) >= [found(p, q, a) - 1e-12 for a in ALPHAS]).all()
    assert together.delta_at(0.0) <= 2 * float(law.delta_at(0.0))
    loss = attack.greatest_posterior(law, 0.5)
    if loss < 1:
        twice = loss**2 / (loss**2 + (1 - loss) ** 2)
        assert attack.greatest_posterior(together, 0.5) == pytest.approx(twice, rel=1e-9, abs=0)


def test_fifty_small_releases_are_far_less_than_their_sum():
    law, kind = repeated(laws.Claim(0.1, 0.0), 50)
    assert kind == "exact"
    assert attack.success(law, 0.001) == pytest.approx(0.00841, abs=5e-6)
    assert attack.success(law, 0.001) < math.exp(5) * 0.001 / 10
    assert attack.advantage(law) == pytest.approx(0.2749, abs=5e-5)
    assert math.tanh(2.5) > 0.98


@given(k=st.integers(1, 30), epsilon=st.floats(0.01, 2))
@example(k=7, epsilon=0.1)
def test_a_guarantee_is_repeated_as_its_law(k, epsilon):
    law = laws.Claim(epsilon, 1e-6)
    promised = Guarantee(RECORD, epsilon, 1e-6, law, DR14)
    assert repeated(promised, k) == repeated(law, k)
    of_both = repeated(laws.Tightest((law, law)), k)[0].power(0.01)
    assert of_both == pytest.approx(float(repeated(law, k)[0].power(0.01)), rel=1e-12, abs=0)
    assert isinstance(repeated(laws.Tightest((WorstReleases(epsilon, 0.0, 2),)), k)[0], laws.Tightest)


@pytest.mark.parametrize("bad", [0, -1, 1.5, math.nan])
def test_no_release_and_parts_of_one_are_refused(bad):
    for law in (laws.Claim(1.0, 0.0), laws.Shifted(1.0), LaplaceDecision(0.5, 7.3)):
        with pytest.raises(ValueError, match=r"^k must be"):
            repeated(law, bad)
