"""Releases that are ε-private whatever the noise of the plan: a choice of the best, and a share by randomized response.

In a plan of "gaussian" noise each has the μ that hides as much, −2Φ⁻¹(1/(1 + e^ε)), the least whose trade-off lies
below that of ε everywhere: erf(μ/√8) = tanh(ε/2), which loses no digit where ε is small.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import lru_cache

import numpy as np
from scipy.special import erf, erfinv, log_ndtr, ndtri_exp

from dpstudio.core.arrays import parameter_value
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.core.search import falling_root, lowest
from dpstudio.mechanisms.mixed import Mixed
from dpstudio.models.plan.releases import PlannedRelease
from dpstudio.models.plan.shares import CONFIDENCE, HALF_WIDTH, NoiseName, normal_quantile
from dpstudio.records import dataclass
from dpstudio.vocabulary import SENSITIVITY, WHOLE_SENSITIVITY, integers, variant

_CANDIDATES = variant(WHOLE_SENSITIVITY, key="candidates", domain=integers(2, 10**9))
_PEOPLE = variant(WHOLE_SENSITIVITY, key="n", domain=integers(1, 2**53))
_LARGEST_EPSILON = 700.0
_SMALL = 1.0
"""An ε, and a μ, up to which they are known by tanh and erf; above by the tail beyond, as a logarithm."""
_FAR = 50.0
"""So far behind that all are wrong but rarely, which logarithms know: z − ln K."""
_NODES, _WEIGHTS = gauss_legendre(24)


def mu_of_epsilon(epsilon: float) -> float:
    """The least μ with which nothing that is ε-private tells more: −2Φ⁻¹(1/(1 + e^ε))."""
    if epsilon <= _SMALL:
        return 2 * math.sqrt(2) * float(erfinv(math.tanh(epsilon / 2)))
    return -2 * float(ndtri_exp(-epsilon - math.log1p(math.exp(-epsilon))))


def epsilon_of_strength(noise: NoiseName, strength: float) -> float:
    """The ε whose μ that is, ln Φ(μ/2)/Φ(−μ/2); or the ε itself."""
    if noise != "gaussian":
        return strength
    if strength <= _SMALL:
        return 2 * math.atanh(float(erf(strength / math.sqrt(8))))
    return float(log_ndtr(strength / 2) - log_ndtr(-strength / 2))


def _strength(noise: NoiseName, epsilon: float) -> float:
    return mu_of_epsilon(epsilon) if noise == "gaussian" else epsilon


@dataclass(frozen=True)
class _Pure(PlannedRelease):
    """What is ε-private whatever the noise of the plan."""

    @abstractmethod
    def _epsilon(self, factor: float) -> float:
        """The least ε with so many times the wanted error at most."""

    @abstractmethod
    def _error(self, epsilon: float) -> float:
        """The error at an ε."""

    def cost(self, noise: NoiseName, factor: float = 1.0) -> float:
        return _strength(noise, self._epsilon(factor))

    def error(self, noise: NoiseName, strength: float) -> float:
        return self._error(epsilon_of_strength(noise, strength))

    def law(self, noise: NoiseName, strength: float) -> Mixed:
        return Mixed((), responses=(epsilon_of_strength(noise, strength),))

    def is_exact(self, noise: NoiseName) -> bool:  # noqa: ARG002 - the worst of its ε
        return False


@dataclass(frozen=True)
class PlannedSelection(_Pure):
    """The best of K candidates by permute-and-flip, wrong with α at most where all others lie a gap behind.

    Wrong is w(z) = 1 − (1 − (1 − p)^K)/(Kp), p = e^−z, z = η gap with η = ε/2Δ, or ε/Δ where one neighbour moves all
    scores the same way. [McKenna & Sheldon 2020.]
    """

    candidates: int
    gap: float
    confidence: float = 0.95
    sensitivity: float = 1.0
    monotone: bool = False

    def _check(self) -> None:
        parameter_value(_CANDIDATES, self.candidates, "candidates")
        parameter_value(HALF_WIDTH, self.gap, "gap")
        parameter_value(CONFIDENCE, self.confidence, "confidence")
        parameter_value(SENSITIVITY, self.sensitivity)

    @property
    def wanted(self) -> float:
        """The chance of a wrong one."""
        return 1 - self.confidence

    @property
    def _unit(self) -> float:
        """ε/η."""
        return self.sensitivity * (1 if self.monotone else 2)

    def _epsilon(self, factor: float) -> float:
        if self.wanted * factor >= 1 - 1 / self.candidates:
            return 0.0
        log = math.log(self.wanted) + math.log(factor)
        start = max(math.log(self.candidates / 2) - log, 0.1)
        z = falling_root(lambda z: _log_wrong(max(z, 0.0), self.candidates) - log - min(z, 0.0), start, 1.0)
        return max(z, 0.0) * self._unit / self.gap

    @property
    def error_of_nothing(self) -> float:
        """That of any of them, drawn at random."""
        return 1 - 1 / self.candidates

    def _error(self, epsilon: float) -> float:
        """The chance of a wrong one."""
        return wrong(epsilon * self.gap / self._unit, self.candidates)


@dataclass(frozen=True)
class PlannedRegret(_Pure):
    """The best of K candidates by permute-and-flip, on average no further behind than is wanted, whatever the scores.

    The regret is gap · w(η gap) where all others lie a gap behind, at worst C/η with C = max z w(z). [McKenna & Sheldon
    2020, who prove that such scores are the worst.]
    """

    candidates: int
    regret: float
    sensitivity: float = 1.0
    monotone: bool = False

    def _check(self) -> None:
        parameter_value(_CANDIDATES, self.candidates, "candidates")
        parameter_value(HALF_WIDTH, self.regret, "regret")
        parameter_value(SENSITIVITY, self.sensitivity)

    @property
    def wanted(self) -> float:
        return self.regret

    def _epsilon(self, factor: float) -> float:
        return self._error(1.0) / (self.regret * factor)

    def _error(self, epsilon: float) -> float:
        """The greatest expected regret."""
        return worst_regret(self.candidates) * self.sensitivity * (1 if self.monotone else 2) / epsilon


def wrong(z: float, candidates: int) -> float:
    """1 − (1 − (1 − p)^K)/(Kp), p = e^−z: how likely permute-and-flip names one of those that lie z/η behind."""
    if z == 0:
        return 1 - 1 / candidates
    p = math.exp(-z)
    if candidates * p > 1:
        return 1 + math.expm1(candidates * math.log(-math.expm1(-z))) / (candidates * p)
    # ∫ 1 − (1 − pt)^(K − 1) dt, t from 0 to 1, without subtraction.
    return float(-np.expm1((candidates - 1) * np.log1p(-p * _NODES)) @ _WEIGHTS)


def _log_wrong(z: float, candidates: int) -> float:
    """ln of that, also where it is below the smallest numbers: far out it is (K − 1)p/2."""
    if z - math.log(candidates) > _FAR:
        return math.log((candidates - 1) / 2) - z
    return math.log(wrong(z, candidates))


@lru_cache(maxsize=256)
def worst_regret(candidates: int) -> float:
    """max z w(z)."""
    at = lowest(lambda z: -z * wrong(z, candidates), 0.0, math.log(candidates) + 3)
    return at * wrong(at, candidates)


@dataclass(frozen=True)
class PlannedResponse(_Pure):
    """A share of n people by randomized response, within a half width t of their true share with a confidence.

    By the normal law of so many answers, t = Φ⁻¹((1 + c)/2)/(2 √n sinh(ε/2)); the people are not drawn. [Warner 1965.]
    """

    how = "estimate"

    n: int
    half_width: float
    confidence: float = 0.95

    def _check(self) -> None:
        parameter_value(_PEOPLE, self.n, "n")
        parameter_value(HALF_WIDTH, self.half_width, "half_width")
        parameter_value(CONFIDENCE, self.confidence, "confidence")

    @property
    def wanted(self) -> float:
        return self.half_width

    @property
    def _scale(self) -> float:
        return float(normal_quantile(np.array(self.confidence))) / (2 * math.sqrt(self.n))

    def _epsilon(self, factor: float) -> float:
        return 2 * math.asinh(self._scale / (self.half_width * factor))

    def _error(self, epsilon: float) -> float:
        return self._scale / math.sinh(min(epsilon, _LARGEST_EPSILON) / 2)

    def error_ends(self, noise: NoiseName, strength: float) -> tuple[float, float]:
        """The chance of less is the normal law's but for 1.12 (p² + q²)/√(npq), p/q = e^ε, and one of α and less is
        1/√α standard deviations out. [Shevtsova 2010, who has 0.56 for either side; Chebyshev.]"""
        epsilon = epsilon_of_strength(noise, strength)
        sd = 1 / (2 * math.sqrt(self.n) * math.sinh(min(epsilon, _LARGEST_EPSILON) / 2))
        both = 0.5 / (1 + math.cosh(min(epsilon, _LARGEST_EPSILON)))  # pq
        off = 1.12 * (1 - 2 * both) / math.sqrt(self.n * both)
        low, high = normal_quantile(np.clip([self.confidence - off, self.confidence + off], 0.0, 1.0)).tolist()
        return sd * low, sd * min(high, 1 / math.sqrt(1 - self.confidence))

    def is_exact(self, noise: NoiseName) -> bool:
        return noise != "gaussian"
