"""Risks in a person's terms: the oracle, another library, enumerations of what an attacker may have seen."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from oracle_kit import called, found, is_near, rows_of
from scipy.optimize import linprog

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms import laws
from dpstudio.mechanisms.composition import WorstReleases, repeated
from dpstudio.mechanisms.noise import GaussianNoise, LaplaceNoise
from dpstudio.models import risk

ROWS = rows_of("risk")
INSIDE = st.floats(1e-9, 1 - 1e-9)


@pytest.mark.parametrize("row", ROWS, ids=called)
def test_that_risks_equal_the_oracle(row):
    value = found(row)
    assert type(value) is float
    assert is_near(row, value)


def test_all_that_is_named_is_there():
    assert all(callable(getattr(risk, name)) for name in risk.__all__)
    assert {row["call"] for row in ROWS} <= {f"dpstudio.models.risk.{name}" for name in risk.__all__}


# A value of a person who may be in the data


def worst_belief(epsilon, held, included):
    """The highest Pr[in with the value | answer] over an answer's likelihoods: in with it, in without, and out.

    One person added or removed changes a likelihood by e^ε at most, so each of the first two is that near to the third.
    """
    e = math.exp(epsilon)
    # With the prior's average likelihood 1, what is in with the value is the belief itself: the best of all lines.
    weights = np.array([held * included, (1 - held) * included, 1 - included])
    near = [[1, 0, -e], [-e, 0, 1], [0, 1, -e], [0, -e, 1]]
    solved = linprog([-weights[0], 0, 0], A_ub=near, b_ub=[0] * 4, A_eq=[weights], b_eq=[1], bounds=(0, None))
    return -solved.fun


@given(epsilon=st.floats(0, 4), held=st.floats(0.01, 0.99), included=st.floats(0.01, 1))
def test_a_disclosure_is_the_worst_of_all_likelihoods(epsilon, held, included):
    worst = worst_belief(epsilon, held, included)
    assert risk.disclosure(epsilon, held, included) == pytest.approx(worst, rel=1e-7, abs=0)


def test_a_value_is_not_moved_by_e_to_epsilon_in_the_odds_where_the_person_may_be_out():
    prior = 0.05 * 0.5
    once = 1 / (1 + math.exp(-1) * (1 - prior) / prior)
    twice = 1 / (1 + math.exp(-2) * (1 - prior) / prior)
    assert once + 0.02 < risk.disclosure(1.0, 0.05, 0.5) < twice - 0.05


@given(log_epsilon=st.floats(-25, 3), held=INSIDE, included=st.one_of(st.just(1.0), INSIDE))
@example(log_epsilon=-20.0, held=0.3, included=1.0)
@example(log_epsilon=-1.0, held=0.99999, included=1.0)
@example(log_epsilon=-1.0, held=0.99999, included=0.99999)
def test_the_epsilon_of_a_cap_is_that_of_its_disclosure(log_epsilon, held, included):
    with mpmath.workdps(60):
        p, q = mpmath.mpf(held), mpmath.mpf(included)
        cap = float(p * q / (p * q + (1 - p) * q * mpmath.exp(-2 * mpmath.exp(log_epsilon))
                             + (1 - q) * mpmath.exp(-mpmath.exp(log_epsilon))))
        assume(cap < 1)
        # From the cap as a double, which lies where the prior is by far less than ε.
        c, a, b = mpmath.mpf(cap), (1 - p) * q, 1 - q
        rest = p * q * (1 - c) / c
        exact = -mpmath.log(2 * rest / (b + mpmath.sqrt(b * b + 4 * a * rest)))
        exact = max(float(exact), 0.0)
    found = risk.disclosure_epsilon(cap, held, included)
    assert found == pytest.approx(exact, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize(("cap", "expected"), [(0.015, 0.0), (0.0149, 0.0), (1e-300, 0.0), (1.0, math.inf),
                                               (7.0, math.inf)])
def test_a_cap_below_the_prior_allows_nothing_and_one_of_certainty_all(cap, expected):
    assert risk.disclosure_epsilon(cap, 0.05, 0.3) == expected


@given(ratio=st.floats(1.01, 50))
def test_a_ratio_to_the_prior_for_everybody_costs_half_its_logarithm(ratio):
    points = [(p, q, ratio * p * q) for p in (1e-9, 1e-4, 0.01) for q in (0.01, 0.5, 1.0)]
    assert risk.profile_epsilon(points) == pytest.approx(math.log(ratio) / 2, rel=1e-6, abs=0)
    assert risk.profile_epsilon(points) >= math.log(ratio) / 2


def test_a_profile_is_as_strict_as_its_strictest_point():
    points = [(0.1, 1.0, 0.3), (0.5, 0.5, 0.9), (0.01, 0.2, 0.02)]
    each = [risk.disclosure_epsilon(cap, held, included) for held, included, cap in points]
    assert risk.profile_epsilon(points) == min(each) < sorted(each)[1]
    with pytest.raises(InvalidParameter, match=r"^points must be"):
        risk.profile_epsilon([])


# Calibration


@given(baseline=INSIDE, log_part=st.floats(-20, 0))
@example(baseline=0.3, log_part=-19.0)
def test_the_epsilon_and_the_mu_of_a_cap_attain_it(baseline, log_part):
    cap = baseline + math.exp(log_part) * (1 - 1e-9 - baseline)
    assume(baseline < cap < 1)
    with mpmath.workdps(60):
        b, c = mpmath.mpf(baseline), mpmath.mpf(cap)
        exact = float(mpmath.log(c / b) if b + c <= 1 else mpmath.log((1 - b) / (1 - c)))
        normal = float(mpmath.sqrt(2) * (mpmath.erfinv(2 * c - 1) - mpmath.erfinv(2 * b - 1)))
    epsilon, mu = risk.epsilon_for(baseline, cap), risk.mu_for(baseline, cap)
    assert epsilon == pytest.approx(exact, rel=1e-13, abs=0)
    assert mu == pytest.approx(normal, rel=1e-11, abs=0)
    assert risk.success(laws.Claim(epsilon, 0.0), baseline) == pytest.approx(cap, rel=1e-13, abs=0)
    assert risk.success(laws.Shifted(mu), baseline) == pytest.approx(cap, rel=1e-11, abs=0)


def test_a_cap_no_higher_than_chance_leaves_nothing():
    for function in (risk.epsilon_for, risk.mu_for):
        assert [function(0.2, cap) for cap in (0.1, 0.2, 1.0, 2.0)] == [0.0, 0.0, math.inf, math.inf]
        assert function(np.array([0.1, 0.2]), 0.2).tolist() == [function(0.1, 0.2), 0.0]


@pytest.mark.parametrize(("law", "loss"), [(laws.Claim(1.5, 0.0), 1.5), (laws.Moved(LaplaceNoise(2.0), 3.0), 1.5)])
def test_a_law_allows_the_cap_that_its_largest_loss_reaches(law, loss):
    highest = 0.1 / (0.1 + 0.9 * math.exp(-loss))
    assert risk.law_allows(law, 0.1, highest)
    assert not risk.law_allows(law, 0.1, highest * (1 - 1e-9))
    assert not risk.law_allows(laws.Claim(1.5, 1e-9), 0.1, 0.999)
    assert risk.law_allows(laws.Shifted(1.0), 0.1, 1.0)


@given(bad=st.one_of(st.floats(-5, 0), st.just(math.nan)), good=INSIDE)
def test_what_is_no_probability_and_no_cap_is_refused(bad, good):
    for function, asked, what in (
            (risk.disclosure, (1.0, bad, good), "held"), (risk.disclosure, (1.0, good, bad), "included"),
            (risk.disclosure_epsilon, (bad, good, good), "cap"),
            (risk.disclosure_epsilon, (0.3, good, bad), "included"),
            (risk.epsilon_for, (bad, good), "baseline"), (risk.epsilon_for, (good, bad), "cap"),
            (risk.mu_for, (bad, good), "baseline"), (risk.mu_for, (good, bad), "cap"),
            (risk.law_allows, (laws.Claim(1.0, 0.0), good, bad), "cap"),
            (risk.law_allows, (laws.Claim(1.0, 0.0), bad, good), "prior")):
        with pytest.raises(InvalidParameter, match=rf"^{what} must be in \(0, .*, got"):
            function(*asked)
    for above in (1.0, 1.5):
        with pytest.raises(InvalidParameter, match=r"^held must be in \(0, 1\), got"):
            risk.disclosure(1.0, above, 0.5)
    with pytest.raises(InvalidParameter, match=r"^included must be in \(0, 1\], got 1.5"):
        risk.disclosure(1.0, 0.5, 1.5)
    with pytest.raises(InvalidParameter, match=r"^epsilon must be in \[0, ∞\), got -1"):
        risk.disclosure(-1.0, 0.5, 0.5)


# Another library


@pytest.fixture(scope="module")
def riskcal():
    return pytest.importorskip("riskcal").analysis


@given(mu=st.floats(0.05, 6), alpha=st.floats(1e-4, 1 - 1e-4), prior=st.floats(0.5, 0.99))
def test_gaussian_privacy_is_that_of_riskcal(riskcal, mu, alpha, prior):
    law = laws.Shifted(mu)
    assert risk.failure(law, alpha) == pytest.approx(float(riskcal.get_beta_from_gdp(mu, alpha)), rel=1e-9, abs=1e-14)
    assert risk.advantage(law) == pytest.approx(float(riskcal.get_advantage_from_gdp(mu)), abs=1e-14)
    error = float(riskcal.get_bayes_risk_from_gdp(mu, prior))
    assert 1 - risk.membership(law, prior) == pytest.approx(error, abs=1e-14)


@given(epsilon=st.floats(0.01, 6), delta=st.floats(0, 0.3), alpha=st.floats(0.001, 0.999))
def test_epsilon_and_delta_are_those_of_riskcal(riskcal, epsilon, delta, alpha):
    law = laws.Claim(epsilon, delta)
    expected = float(riskcal.get_beta_from_adp(epsilon, delta, alpha))
    assert risk.failure(law, alpha) == pytest.approx(expected, abs=1e-14)
    assert risk.advantage(law) == pytest.approx(float(riskcal.get_advantage_from_adp(epsilon, delta)), abs=1e-14)


def test_losses_on_a_grid_are_those_of_riskcal_but_for_its_rounding(riskcal):
    """Its losses are rounded to a grid, up where δ is asked, so that it is a little more than ours."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    alpha, priors = np.linspace(0.001, 0.999, 57), np.linspace(0.5, 0.95, 10)
    step, worst = 1e-4, 0.0
    for scale in (0.5, 2.0, 7.0):
        for theirs, law in (
                (pld.from_laplace_mechanism(scale, value_discretization_interval=step),
                 laws.Moved(LaplaceNoise(scale), 1.0)),
                (pld.from_gaussian_mechanism(scale, value_discretization_interval=step),
                 laws.Moved(GaussianNoise(scale), 1.0))):
            more = np.asarray(risk.failure(law, alpha)) - riskcal.get_beta_from_pld(theirs, alpha)
            bayes = 1 - np.asarray(risk.membership(law, priors)) - riskcal.get_bayes_risk_from_pld(theirs, priors)
            gain = riskcal.get_advantage_from_pld(theirs) - risk.advantage(law)
            assert min(bayes.min(), gain) > -1e-12
            worst = max(worst, np.abs(more).max(), bayes.max(), gain)
    assert worst < step / 5


def test_responses_together_are_those_of_riskcal(riskcal):
    from dp_accounting.pld import privacy_loss_distribution as pld

    alpha = np.linspace(0.001, 0.999, 57)
    for noise in (0.5, 0.8, 0.95):  # the grid's step is the loss itself, so that nothing is rounded
        loss = math.log(1 - noise / 2) - math.log(noise / 2)
        response = pld.from_randomized_response(noise, 2, value_discretization_interval=loss)
        for k in (1, 5, 50):
            law, _ = repeated(WorstReleases(loss, 0.0, 1), k)
            theirs = riskcal.get_beta_from_pld(response.self_compose(k), alpha)
            assert np.abs(np.asarray(risk.failure(law, alpha)) - theirs).max() < 1e-13
