"""Privacy profiles by independent routes, and round trips: from privacy to noise and back to the privacy."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dpstudio.mechanisms import composition
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise, analytic_sigma
from dpstudio.mechanisms.response import RandomizedResponse, coin_epsilon, coin_theta1

epsilons = st.floats(math.log(1e-9), math.log(50)).map(math.exp)
deltas = st.floats(math.log(1e-300), -0.01).map(math.exp)
noises = st.one_of(st.builds(LaplaceNoise, st.floats(0.05, 20)), st.builds(GaussianNoise, st.floats(0.05, 20)),
                   st.builds(GeometricNoise, st.floats(0.05, 20), st.integers(1, 3)))
coins = st.builds(RandomizedResponse.two_coin, st.floats(0, 1), st.floats(0, 1))
responses = st.one_of(coins, st.builds(RandomizedResponse, st.floats(0, 1), st.floats(0, 1)),
                      st.builds(RandomizedResponse.symmetric, epsilons))


def integrated(epsilon, mu):
    """δ of Gaussian noise: the density less e^ε times the moved one, integrated over all x where that is positive."""
    with mpmath.workdps(30):
        e, step = mpmath.mpf(epsilon), mpmath.mpf(mu)
        cross = e / step - step / 2  # where both are equal; beyond it the difference is positive
        peak = mpmath.npdf(max(cross, 0))  # mpmath's rule stops at an absolute error, so it is given a height of 1

        def excess(x):
            return mpmath.npdf(x) / peak * -mpmath.expm1(e - step * x - step * step / 2)

        width = 1 / (1 + abs(cross))
        ends = [cross + width * t for t in (0, 0.5, 1, 2, 4, 8, 16, 32, 60)] if cross > 0 else (
            [cross, 0, 1, 3, 6, 10, 20])
        return peak * mpmath.quad(excess, ends)


@settings(max_examples=40, deadline=None)
@given(log_mu=st.floats(math.log(1e-4), math.log(20)), u=st.floats(-6, 36))
def test_that_the_gaussian_delta_is_the_integrated_hockey_stick(log_mu, u):
    mu = math.exp(log_mu)
    epsilon = mu * (u + mu / 2)
    assume(0 <= epsilon <= 700)
    sigma = 1 / mu
    exact = integrated(epsilon, 1 / mpmath.mpf(sigma))
    assert GaussianNoise(sigma).delta_at(epsilon) == pytest.approx(float(exact), rel=1e-11, abs=1e-300)


@settings(max_examples=30, deadline=None)
@given(log_mu=st.floats(math.log(1e-6), math.log(5)), log_k=st.floats(0, math.log(10**6)), u=st.floats(-3, 36))
def test_that_a_million_gaussian_releases_need_the_epsilon_of_their_summed_losses(log_mu, log_k, u):
    sigma, k = math.exp(-log_mu), int(math.exp(log_k))
    with mpmath.workdps(40):
        together = mpmath.sqrt(k) / mpmath.mpf(sigma)  # losses add up: each is normal, of mean μ²/2 and variance μ²
        epsilon = float(together * (mpmath.mpf(u) + together / 2))
        assume(0 < epsilon < 1e300)
        delta = float(integrated(epsilon, together))
    assume(1e-300 < delta < 0.9)
    # ε is as sensitive to δ as its distance from the mean loss is long, in units of the losses' spread.
    assert composition.gaussian(sigma, 1.0, k, delta) == pytest.approx(
        epsilon, rel=1e-9, abs=1e-10 * float(together))


@settings(max_examples=30, deadline=None)
@given(theta1=st.floats(1e-6, 1 - 1e-6), theta2=st.floats(1e-6, 1 - 1e-6), k=st.integers(1, 300),
       part=st.floats(0, 0.999))
def test_that_lopsided_answers_together_are_the_sum_over_how_many_were_yes(theta1, theta2, k, part):
    response = RandomizedResponse.two_coin(theta1, theta2)
    epsilon = part * k * response.epsilon
    with mpmath.workdps(60):
        one, two = mpmath.mpf(theta1), mpmath.mpf(theta2)
        yes, no = one + (1 - one) * two, (1 - one) * two
        factor, worst = mpmath.exp(mpmath.mpf(epsilon)), mpmath.mpf(0)
        for a, b in ((yes, no), (1 - yes, 1 - no), (no, yes), (1 - no, 1 - yes)):
            worst = max(worst, mpmath.fsum(
                mpmath.binomial(k, j) * max(a**j * (1 - a) ** (k - j) - factor * b**j * (1 - b) ** (k - j), 0)
                for j in range(k + 1)))
    delta = response.delta_after(k, epsilon)
    # Where only the largest losses pass ε, the δ is as rounded as their distance to it.
    assert delta == pytest.approx(float(worst), rel=1e-9, abs=1e-15)
    if 1e-9 < delta < 0.9:
        assert response.epsilon_after(k, delta) == pytest.approx(epsilon, rel=1e-6, abs=1e-9)


@given(response=responses, epsilon=st.lists(st.floats(0, 60), min_size=2, max_size=20), k=st.integers(1, 200))
def test_that_delta_of_any_response_falls_to_exactly_zero(response, epsilon, k):
    epsilon = np.sort(epsilon)
    for delta in (response.delta_at(epsilon), response.delta_after(k, epsilon)):
        assert ((delta >= 0) & (delta <= 1)).all()
        assert (np.diff(delta) <= 3e-15).all()
    if math.isfinite(response.epsilon):
        assert response.delta_at(response.epsilon) == 0.0
    np.testing.assert_allclose(response.delta_after(1, epsilon), response.delta_at(epsilon), rtol=1e-9, atol=1e-15)


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.floats(0.01, 3), min_size=1, max_size=9), more=st.floats(0.01, 3))
def test_that_unlike_responses_give_away_less_at_larger_epsilon_and_more_with_every_step(steps, more):
    epsilon = np.linspace(0, math.fsum(steps) * 1.05, 40)
    delta = composition.responses(steps, epsilon)
    assert (np.diff(delta) <= 1e-15).all()
    assert delta[-1] == 0.0
    assert (composition.responses([*steps, more], epsilon) >= delta - 1e-15).all()


@given(epsilon=epsilons, delta=st.floats(0, 0.5), k=st.integers(1, 2000), log_slack=st.floats(-690, -1))
def test_that_the_optimal_total_rises_with_releases_and_falls_with_slack(epsilon, delta, k, log_slack):
    slack = math.exp(log_slack)
    total, spent = composition.optimal(epsilon, delta, [k, k + 1], slack)
    assert 0 <= total[0] <= total[1] * (1 + 1e-12)
    assert 0 <= spent[0] <= spent[1] + 1e-15
    freer, _ = composition.optimal(epsilon, delta, k, min(2 * slack, 1.0))
    assert freer <= total[0] * (1 + 1e-12)


@given(response=responses, prior=st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_that_probabilities_of_a_response_stay_in_range_and_keep_their_order(response, prior):
    prior = np.sort(prior)
    yes = response.answer_probability(prior)
    rising = np.diff(yes) * math.copysign(1, response.difference)
    assert (rising >= -3e-16).all()
    assert (yes >= min(response.yes_if_yes, response.yes_if_no) * (1 - 1e-15)).all()
    assert (yes <= max(response.yes_if_yes, response.yes_if_no) * (1 + 1e-15)).all()
    for answer in (True, False):
        both = np.append(response.answer_probability(prior), 0.5)
        if (both == 0).any() or (both == 1).any():
            continue  # an answer that cannot happen is refused
        after = response.posterior(prior, answer)
        assert ((after >= 0) & (after <= 1)).all()
        assert (np.diff(after) >= -3e-16).all()


@given(mechanism=st.one_of(responses, noises), alpha=st.lists(st.floats(0, 1), min_size=3, max_size=20))
def test_that_an_attackers_second_error_falls_and_bends_upwards_as_the_first_is_allowed(mechanism, alpha):
    alpha = np.unique(np.concatenate([[0, 1], alpha]))
    beta = mechanism.trade_off(alpha)
    assert ((beta >= 0) & (beta <= 1)).all()
    assert (np.diff(beta) <= 1e-14).all()
    left, middle, right = alpha[:-2], alpha[1:-1], alpha[2:]
    chord = (beta[:-2] * (right - middle) + beta[2:] * (middle - left)) / (right - left)
    # Of a response that treats the truths unlike, the better of two tests is scalloped where they change places.
    if not isinstance(mechanism, RandomizedResponse) or mechanism.yes_if_yes == mechanism.no_if_no:
        assert (beta[1:-1] <= chord + 1e-12).all()
    # Of all first errors the advantage is the largest, and is what δ(0) says.
    fine = np.unique(np.concatenate([np.linspace(0, 1, 2001), alpha]))
    assert (1 - fine - mechanism.trade_off(fine)).max() <= mechanism.delta_at(0) + 1e-12


@settings(deadline=None)
@given(epsilon=epsilons, delta=deltas)
def test_that_noise_calibrated_accounts_for_the_epsilon_it_was_made_for(epsilon, delta):
    noise = GaussianNoise.analytic(epsilon, delta, 3.0)
    mu = 3.0 / noise.sigma
    # σ is rounded up by 1e-14: ε falls by as many times that as it has a slope against ln σ, μ w of it at most.
    assert composition.gaussian(noise.sigma, 3.0, 1, delta) == pytest.approx(epsilon, rel=1e-11,
                                                                            abs=1e-13 * (mu + mu * mu))
    laplace = LaplaceNoise.calibrate(epsilon, 3.0)
    assert laplace.delta_at(epsilon, 3.0) == 0.0 < laplace.delta_at(epsilon * (1 - 1e-12), 3.0)
    assert GeometricNoise(epsilon, 3).delta_at(epsilon, 3) == 0.0 < GeometricNoise(epsilon, 3).delta_at(
        epsilon * (1 - 1e-12), 3)


@settings(deadline=None)
@given(epsilon=epsilons, log_sigma=st.floats(math.log(1e-3), math.log(1e9)))
def test_that_sigma_comes_back_from_the_delta_it_keeps(epsilon, log_sigma):
    sigma = math.exp(log_sigma)
    delta = GaussianNoise(sigma).delta_at(epsilon)
    assume(1e-300 < delta < 0.999)
    assert analytic_sigma(epsilon, delta) == pytest.approx(sigma, rel=1e-11)


@example(epsilon=math.exp(2.875), theta2=0.5, k=32_537, log_delta=-3.0)
@given(epsilon=epsilons, theta2=st.floats(0.01, 0.99), k=st.integers(1, 10**6), log_delta=st.floats(-690, -0.1))
def test_that_responses_account_for_the_epsilon_they_were_made_for(epsilon, theta2, k, log_delta):
    response, delta = RandomizedResponse.symmetric(epsilon), math.exp(log_delta)
    assert response.epsilon == epsilon
    if epsilon < 15:
        assert coin_epsilon(coin_theta1(epsilon, theta2), theta2) == pytest.approx(epsilon, rel=1e-9)
    total = response.epsilon_after(k, delta)
    assert 0 <= total <= k * epsilon
    if 0 < total < k * epsilon * (1 - 1e-9):
        # A total far above 1 is known to its last digit only, and δ no better than 1 − e^−rounding beside it.
        rounding = np.spacing(k * epsilon) / min(1.0, k * epsilon - total)
        assert response.delta_after(k, total) == pytest.approx(delta, rel=1e-9 + 4 * rounding)


@settings(max_examples=60)
@given(epsilon=st.one_of(st.just(0.0), epsilons), delta=st.floats(0, 1), size=st.integers(1, 40))
def test_that_a_group_of_groups_is_a_group(epsilon, delta, size):
    epsilon_of_all, delta_of_all = composition.group(epsilon, delta, [size, size + 1])
    assert (np.diff(epsilon_of_all) >= 0).all()
    assert 0 <= delta_of_all[0] <= delta_of_all[1] <= 1
    assert composition.group(epsilon, delta, 1) == (epsilon, pytest.approx(delta, rel=1e-12))


def test_that_the_ends_of_the_ranges_that_are_promised_are_reached():
    for epsilon, delta in itertools.product((1e-9, 50.0), (1e-300, 1e-9, 0.5)):
        sigma = analytic_sigma(epsilon, delta)
        assert GaussianNoise(sigma).delta_at(epsilon) == pytest.approx(delta, rel=1e-10)
        for k in (1, 10**6):
            assert 0 <= composition.gaussian(sigma, 1.0, k, delta) < math.inf
            assert 0 <= RandomizedResponse.symmetric(epsilon).epsilon_after(k, delta) <= k * epsilon
