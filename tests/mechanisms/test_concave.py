"""What is derived of a decision or a noise needs a logarithm without a bend upwards: without one it is not made."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanisms import CLASSES
from newcomers import LogisticDecision, SecantNoise
from scipy.special import expit, gammaln, ndtr, ndtri, stdtr, stdtrit

from dpstudio.core.declare import InvalidParameter, parameter
from dpstudio.core.sources import DMNS06
from dpstudio.mechanisms.concave import require_concave_noise as require_noise
from dpstudio.mechanisms.concave import require_concave_rise as require_decision
from dpstudio.mechanisms.decision import (
    Decision,
    DiscreteGaussianDecision,
    EpsilonDecision,
    GaussianDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, Noise
from dpstudio.vocabulary import SCALE, THRESHOLD

always = settings(derandomize=True)
epsilons = st.sampled_from([1e-6, 1e-3, 20.0]) | st.floats(math.log(1e-6), math.log(20)).map(math.exp)
minimums = st.sampled_from([0, 1, 10**9]) | st.integers(0, 10**9)
targets = st.sampled_from([0.5, 0.01, 0.99, 1e-9])


def decision(f, g):
    """A decision by the recipe of docs/building.md: f and g of ε (n − k)."""
    @dataclass(frozen=True)
    class Made(EpsilonDecision):
        name = "made"
        source = DMNS06

        threshold: float = parameter(THRESHOLD)

        def _accept(self, n):
            return f(self.epsilon * (n - self.threshold))

        def _reject(self, n):
            return g(self.epsilon * (n - self.threshold))

    return Made


def noise(density, cdf, quantile):
    """A noise by the same recipe, of x over its scale."""
    @dataclass(frozen=True)
    class Made(Noise):
        name = "made"
        source = DMNS06
        promise = ""

        scale: float = parameter(SCALE)

        def _density(self, x):
            return density(x / self.scale) / self.scale

        def _cdf(self, x):
            return cdf(x / self.scale)

        def _quantile(self, p):
            return quantile(p) * self.scale

        def sample(self, size, rng):
            return quantile(rng.random(size)) * self.scale

    return Made


def both(cdf):
    return cdf, lambda x: cdf(-x)


def cauchy(x):
    return np.where(x < 0, np.arctan2(1.0, -x), math.pi / 2 + np.arctan(x)) / math.pi


def student(freedom):
    return lambda x: stdtr(freedom, x)


def humps(apart, share):
    """Two logistic humps."""
    return (lambda x: (1 - share) * expit(x) + share * expit(x - apart),
            lambda x: (1 - share) * expit(-x) + share * expit(apart - x))


BENT = {"Cauchy": both(cauchy), "Student, 2": both(student(2)), "Student, 30": both(student(30)),
        "two humps": humps(20, 0.3), "a hump far away": humps(1e5, 0.01), "a rare hump": humps(40, 1e-6)}


@pytest.mark.parametrize("tails", BENT.values(), ids=BENT)
def test_that_a_decision_whose_rise_has_a_bent_logarithm_is_not_made(tails):
    made = decision(*tails)

    @always
    @given(st.floats(math.log(1e-4), math.log(3)).map(math.exp), st.floats(0, 1e9))
    def check(epsilon, threshold):
        with pytest.raises(InvalidParameter, match=r"^Made: the logarithm of its rise, .* concave in N, got a bend "
                                                   r"upwards at N = \S+$"):
            made(epsilon, threshold)

    check()


@pytest.mark.parametrize(("tails", "why"), [
    (both(lambda x: expit(-x)), r"f\(N\) must be such that it never falls as N grows, got a fall from N = \S+ to \S+"),
    ((lambda x: 1.2 * expit(x) - 0.1, lambda x: 1.2 * expit(-x) - 0.1), r"f\(N\) must be in \[0, 1\], got \S+ at N = "),
    ((expit, lambda x: 0.999 * expit(-x)), "the sum of both probabilities must be 1, got 0.999"),
    (both(lambda x: x * math.nan), r"f\(N\) must be in \[0, 1\], got nan at N = "),
])
def test_that_what_is_no_rising_probability_with_its_complement_is_not_made(tails, why):
    made = decision(*tails)

    @always
    @given(st.floats(math.log(1e-4), math.log(20)).map(math.exp), st.floats(0, 1e9))
    def check(epsilon, threshold):
        with pytest.raises(InvalidParameter, match=f"^Made: {why}"):
            made(epsilon, threshold)

    check()


def test_that_no_decision_with_a_concave_logarithm_is_refused_at_any_setting():
    @always
    @given(epsilons, minimums, st.floats(-3, 3), targets)
    def check(epsilon, minimum, off, target):
        LogisticDecision(epsilon, minimum + off / epsilon)
        decision(*both(ndtr))(epsilon, minimum + off / epsilon)
        decision(lambda x: 0.2 + 0.6 * expit(x), lambda x: 0.2 + 0.6 * expit(-x))(epsilon, minimum)
        for one in (LaplaceDecision(epsilon, minimum + off / epsilon), GaussianDecision(epsilon, minimum, target)):
            require_decision("", one._accept, one._reject)

    check()
    for mu in (1e-3, 0.3, 20.0):
        one = DiscreteGaussianDecision(mu, 1000, 0.01)
        require_decision("", one._accept, one._reject)


def test_that_what_is_refused_for_a_bend_has_one():
    """Against single records, of mixtures that nearly have none."""
    refused = []

    @always
    @given(st.floats(0.1, 1), st.floats(0, 6), st.floats(0.05, 0.95), st.floats(0, 60))
    def check(epsilon, apart, share, threshold):
        tails = humps(apart, share)
        n = np.arange(201.0)
        f, g = (tail(epsilon * (n - threshold)) for tail in tails)
        rise = np.log(np.where(f[1:] < 0.5, np.diff(f), -np.diff(g)))
        worst = (rise[2:] + rise[:-2] - 2 * rise[1:-1]).max()
        try:
            decision(*tails)(epsilon, threshold)
        except InvalidParameter:
            assert worst > 0
            refused.append(True)
        else:
            assert worst < 1e-6
            refused.append(False)

    check()
    assert 10 < sum(refused) < len(refused) - 10


def test_that_a_decision_with_closed_forms_of_its_own_is_its_own_affair_but_not_with_one_of_two():
    kind = decision(*both(cauchy))

    class Own(kind):
        def _pairs(self, epsilon):
            return ()

        def _neighbours(self, alpha):
            return None

    class Half(kind):
        def _pairs(self, epsilon):
            return ()

    Own(1.0, 10.0)
    with pytest.raises(InvalidParameter, match=r"^Half: the logarithm"):
        Half(1.0, 10.0)


def test_that_a_decision_is_looked_at_once():
    asked = []
    kind = decision(lambda x: asked.append(1) or expit(x), lambda x: expit(-x))
    kind(0.7, 11.0)
    before = len(asked)
    assert before
    kind(0.7, 11.0)
    assert len(asked) == before


def normal(x):
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def t_noise(v):
    top = math.exp(gammaln((v + 1) / 2) - gammaln(v / 2)) / math.sqrt(v * math.pi)
    return lambda x: top * (1 + x * x / v) ** (-(v + 1) / 2), lambda x: stdtr(v, x), lambda p: stdtrit(v, p)


def spread(apart, share):
    """Three normal humps."""
    return (lambda x: (1 - 2 * share) * normal(x) + share * (normal(x - apart) + normal(x + apart)),
            lambda x: (1 - 2 * share) * ndtr(x) + share * (ndtr(x - apart) + ndtr(x + apart)), ndtri)


@pytest.mark.parametrize("law", [t_noise(1), t_noise(5), spread(4, 0.5), spread(400, 0.01), spread(6, 1e-9)],
                         ids=["Cauchy", "Student", "two humps", "humps far away", "rare humps"])
def test_that_a_noise_whose_density_has_a_bent_logarithm_is_not_made(law):
    made = noise(*law)

    @always
    @given(st.floats(-14, 14).map(math.exp))
    def check(scale):
        with pytest.raises(InvalidParameter, match=r"^Made: the logarithm of its \w+ must be concave in x, got a bend "
                                                   r"upwards at x = \S+$"):
            made(scale)

    check()


@pytest.mark.parametrize(("law", "why"), [
    ((lambda x: normal(x - 0.1), ndtr, ndtri), "the density must be the same at x and −x"),
    ((normal, lambda x: ndtr(x - 0.1), ndtri), r"the sum of Pr\[X ≤ x\] and Pr\[X > x\] must be 1"),
    ((normal, lambda x: ndtr(-x), ndtri), r"Pr\[X ≤ x\] must be such that it never falls as x grows"),
    ((lambda x: -normal(x), ndtr, ndtri), "the density must be a number of at least 0"),
    ((normal, lambda x: 2 * ndtr(x) - 0.5, ndtri), r"Pr\[X ≤ x\] must be in \[0, 1\]"),
])
def test_that_what_is_no_symmetric_law_is_not_made(law, why):
    with pytest.raises(InvalidParameter, match=f"^Made: {why}"):
        noise(*law)(2.0)


def test_that_no_noise_with_a_concave_logarithm_is_refused_at_any_setting():
    @always
    @given(st.floats(-14, 21).map(math.exp))
    def check(scale):
        SecantNoise(scale)
        noise(normal, ndtr, ndtri)(scale)
        for one in (LaplaceNoise(scale), GaussianNoise(scale), DiscreteGaussianNoise(scale), GeometricNoise(1 / scale)):
            require_noise("", one._density, one._cdf, -float(one.quantile(0.25)), one.is_whole)

    check()


def test_that_every_noise_that_is_said_to_be_concave_was_looked_at_above():
    said = {cls for cls in CLASSES if issubclass(cls, Noise) and cls.is_concave}
    assert said == {DiscreteGaussianNoise}


def test_that_derived_laws_of_what_passes_are_those_of_every_pair():
    """A coin beside a count: f begins and ends inside (0, 1), where logarithms of f itself are not concave."""
    one = decision(lambda x: 0.2 + 0.6 * expit(x), lambda x: 0.2 + 0.6 * expit(-x))(0.7, 9.3)
    n = np.arange(200)
    f, g = one.accept_probability(n), one.reject_probability(n)
    for epsilon in (0.0, 0.1, 0.3):
        worst = max((f[1:] - math.exp(epsilon) * f[:-1]).max(), (g[:-1] - math.exp(epsilon) * g[1:]).max(), 0.0)
        assert Decision.delta_at(one, epsilon) == pytest.approx(worst, abs=1e-15)
