"""The noise-aware posterior against the plain sum over all true counts, and its study."""

from __future__ import annotations

import statistics
import time

import numpy as np
import pytest
from scipy.special import betainc, gammaln

from dpstudio.core.study import answer
from dpstudio.models.beta_bernoulli import noisy_count_posterior
from dpstudio.studies.posterior import Posterior

PEOPLE = 100_000
THETA = np.linspace(0.29, 0.31, 512)


def ours(epsilon: float) -> tuple[np.ndarray, tuple[float, float]]:
    posterior = noisy_count_posterior(1, 1, PEOPLE, 30_000.25, epsilon, "noise-aware")
    return posterior.density(THETA), posterior.interval(0.95)


def summed(epsilon: float) -> tuple[np.ndarray, tuple[float, float]]:
    """Weights of all counts; then the density, and both ends by bisection, over those whose weight counts."""
    k = np.arange(PEOPLE + 1)
    w = np.exp(-epsilon * np.abs(30_000.25 - k))  # a flat prior: all counts are alike
    k, w = k[w > 1e-16], w[w > 1e-16]
    w /= w.sum()
    a, b = 1.0 + k, 1.0 + PEOPLE - k
    peak = gammaln(a + b) - gammaln(a) - gammaln(b)
    density = np.array([(w * np.exp(peak + (a - 1) * np.log(t) + (b - 1) * np.log1p(-t))).sum() for t in THETA])
    ends = []
    for p in (0.025, 0.975):
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if (w * betainc(a, b, middle)).sum() < p else (low, middle)
        ends.append(low)
    return density, (ends[0], ends[1])


@pytest.mark.parametrize("epsilon", [0.01, 1.0])
def test_the_noise_aware_posterior_of_a_hundred_thousand_people(ratio, epsilon):
    (density, ends), (wanted, wanted_ends) = ours(epsilon), summed(epsilon)
    np.testing.assert_allclose(density, wanted, rtol=1e-6)
    np.testing.assert_allclose(ends, wanted_ends, rtol=1e-9)
    ratio(f"density on 512 points and an interval, ε = {epsilon}, against the sum", lambda: ours(epsilon),
          lambda: summed(epsilon), "1 ×", rounds=5)


def test_the_milliseconds_of_the_noise_aware_posterior(report):
    taken = []
    for i in range(30):
        began = time.perf_counter()
        ours(0.01 * 1.0001**i)
        taken.append(time.perf_counter() - began)
    report("noise-aware posterior of 100 000 people, in ms", 1e3 * statistics.median(taken), "5 ms", ours=taken)


def test_the_noise_aware_posterior_in_units_of_numpy(ratio):
    x = np.linspace(0, 5, 512)
    ratio("the same against 1 000 numpy.exp of 512", lambda: ours(0.01), lambda: [np.exp(-x) for _ in range(1000)], "—")


def test_ten_million_people_take_no_longer_than_a_thousand(ratio):
    few = lambda: noisy_count_posterior(1, 1, 1_000, 300.5, 0.1, "noise-aware").interval(0.95)  # noqa: E731
    many = lambda: noisy_count_posterior(1, 1, 10**7, 3e6 + 0.5, 1e-3, "noise-aware").interval(0.95)  # noqa: E731
    ratio("n = 10 000 000 against n = 1 000, an interval", many, few, "about 2")


def test_the_exact_answer_of_the_posterior_study(ratio):
    shares = iter(np.linspace(0.2, 0.6, 1000))
    x = np.linspace(0, 5, 800)
    ratio("exact answer of the posterior study against 100 numpy.exp of 800",
          lambda: answer(Posterior(noisy_share=float(next(shares))), simulate=False),
          lambda: [np.exp(-x) for _ in range(100)], "—")
