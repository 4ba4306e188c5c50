"""Composition of randomized responses and the σ of Gaussian noise, against dp-accounting and against themselves."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest

from dpstudio.core.study import answer
from dpstudio.mechanisms.noise import GaussianNoise, analytic_sigma
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies.mean import Mean
from dpstudio.studies.response import Response

RELEASES = 1_000
GRID = 1e-4  # dp-accounting's own, unless another is asked for
ROUNDING = 1e-12  # what its Fourier transforms leave in a δ
SPREAD = np.random.default_rng(0)
EPSILONS, DELTAS = np.exp(SPREAD.uniform(-7, 2, 10_000)), np.exp(SPREAD.uniform(-35, -1, 10_000))
PAIRS = [(1.0, 1e-6), (0.1, 1e-8), (0.01, 1e-5), (5.0, 1e-10), (0.5, 1e-3)]


@pytest.fixture
def losses():
    return pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")


def fresh_responses(epsilon):
    """The same response again and again, to all that counts, but never one whose law is still known."""
    return (RandomizedResponse.symmetric(epsilon * (1 + i * 1e-13)) for i in itertools.count())


def composed(losses, epsilon):
    lie = RandomizedResponse.symmetric(epsilon).no_if_yes
    return losses.from_randomized_response(2 * lie, 2).self_compose(RELEASES)


@pytest.mark.parametrize("epsilon", [0.01, 0.1])
def test_the_epsilon_of_a_thousand_responses(ratio, losses, epsilon):
    exact = RandomizedResponse.symmetric(epsilon).epsilon_after(RELEASES, 1e-6)
    rounded = composed(losses, epsilon).get_epsilon_for_delta(1e-6)
    assert exact <= rounded <= exact + RELEASES * GRID
    responses = fresh_responses(epsilon)
    # Several in a row, as a curve asks for them: one alone runs on caches that the other's transforms have emptied.
    ratio(f"ε of 1 000 responses of ε = {epsilon:g}, five times, against dp-accounting",
          lambda: [next(responses).epsilon_after(RELEASES, 1e-6) for _ in range(5)],
          lambda: [composed(losses, epsilon).get_epsilon_for_delta(1e-6) for _ in range(5)], "1/50", rounds=5)


@pytest.mark.parametrize("epsilon", [0.01, 0.1])
def test_the_privacy_profile_of_a_thousand_responses(ratio, losses, epsilon):
    response = RandomizedResponse.symmetric(epsilon)
    at = np.linspace(0, 2 * response.epsilon_after(RELEASES, 1e-6), 200)
    exact, rounded = response.delta_after(RELEASES, at), np.asarray(composed(losses, epsilon).get_delta_for_epsilon(at))
    assert (exact <= rounded + ROUNDING).all()
    far = at > RELEASES * GRID
    assert (rounded[far] <= response.delta_after(RELEASES, at[far] - RELEASES * GRID) + ROUNDING).all()
    responses = fresh_responses(epsilon)
    ratio(f"δ(ε) of 1 000 responses of ε = {epsilon:g} at 200 points",
          lambda: next(responses).delta_after(RELEASES, at),
          lambda: composed(losses, epsilon).get_delta_for_epsilon(at), "1/50", rounds=5)


def exact_sigma(epsilon, delta):
    with mpmath.workdps(60):
        e, d = mpmath.mpf(epsilon), mpmath.mpf(delta)

        def excess(sigma):
            near = 1 / (2 * sigma) - e * sigma
            return mpmath.log(mpmath.ncdf(near) - mpmath.exp(e) * mpmath.ncdf(near - 1 / sigma)) - mpmath.log(d)

        return mpmath.findroot(excess, float(analytic_sigma(epsilon, delta)))


def test_the_exact_sigma_of_gaussian_noise(ratio, report):
    library = pytest.importorskip("dp_accounting.gaussian_mechanism")
    wanted = [exact_sigma(*pair) for pair in PAIRS]
    ours, theirs = ([float(sigma(*pair) / exact - 1) for pair, exact in zip(PAIRS, wanted, strict=True)]
                    for sigma in (analytic_sigma, library.get_sigma_gaussian))
    assert min(ours) >= 0
    assert max(ours) <= max(map(abs, theirs)) + 3e-14
    report("σ off by at most, relative", max(ours), "1e-12", f"dp-accounting {max(map(abs, theirs)):.2g}, "
           f"{sum(one < 0 for one in theirs)} of {len(theirs)} times too small")
    ratio("exact σ against dp-accounting", lambda: [GaussianNoise.analytic(*pair, 1.0) for pair in PAIRS],
          lambda: [library.get_sigma_gaussian(*pair) for pair in PAIRS], "1/20")


def test_the_sigma_of_accounting_by_bisection(ratio):
    accountant = pytest.importorskip("dp_accounting.pld.accountant")
    common = pytest.importorskip("dp_accounting.pld.common")
    asked = [common.DifferentialPrivacyParameters(*pair) for pair in PAIRS]
    ratio("exact σ against dp-accounting’s get_smallest_gaussian_noise",
          lambda: [GaussianNoise.analytic(*pair, 1.0) for pair in PAIRS],
          lambda: [accountant.get_smallest_gaussian_noise(one) for one in asked], "1/20", rounds=5)


def test_ten_thousand_sigmas_at_once_and_one_by_one(ratio):
    pairs = list(zip(EPSILONS.tolist(), DELTAS.tolist(), strict=True))
    np.testing.assert_allclose(analytic_sigma(EPSILONS, DELTAS), [analytic_sigma(*pair) for pair in pairs], rtol=1e-13)
    ratio("10 000 σ at once against one by one", lambda: analytic_sigma(EPSILONS, DELTAS),
          lambda: [analytic_sigma(*pair) for pair in pairs], "1/10", rounds=5)


def test_ten_thousand_sigmas_at_once_and_as_many_exponentials(ratio):
    # Each σ takes about three steps, and each step fourteen tails of the normal law, of ten exponentials each.
    ratio("10 000 σ at once against one numpy.exp", lambda: analytic_sigma(EPSILONS, DELTAS),
          lambda: np.exp(-EPSILONS), "—")


@pytest.mark.parametrize("study", [Response, Mean], ids=lambda study: study.key)
def test_a_survey_of_a_billion_people(ratio, study):
    few, many = (study(people=people, trials=100_000) for people in (1_000, 10**9))
    ratio(f"a survey of 10⁹ people against one of 1 000, {study.key}", lambda: answer(many), lambda: answer(few), "1",
          rounds=7)


def test_the_answers_of_a_billion_people(ratio):
    response, rng = RandomizedResponse.warner(), np.random.default_rng(0)
    ratio("answers of 10⁹ people, 10 000 times, against those of 1 000",
          lambda: response.sample_yes(3 * 10**8, 10**9, 10_000, rng),
          lambda: response.sample_yes(300, 1_000, 10_000, rng), "1")
