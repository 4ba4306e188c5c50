"""What a released count tells about a rate: a Beta distribution that takes it at its word, or the exact posterior."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv

from dpstudio import vocabulary as v
from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, accepted
from dpstudio.models.beta_bernoulli.aware import NoiseAware
from dpstudio.models.beta_bernoulli.likelihood import Rates, log_pmf
from dpstudio.models.beta_bernoulli.quantiles import quantile
from dpstudio.records import cached_property
from dpstudio.vocabulary import variant

_LEVEL = variant(v.PROBABILITY, domain=v.INSIDE_UNIT)


class InvalidPosterior(InvalidParameter):
    """A noisy count so far out that the naive posterior is no distribution."""


class Posterior(ABC):
    """A distribution of the rate θ in [0, 1]: its mean, sd, density, cdf and quantiles.

    Arrays keep their shape, scalars give floats, and what lies outside [0, 1] raises InvalidParameter.
    """

    mean: float
    sd: float

    @abstractmethod
    def _density(self, rates: Rates) -> Array:
        """The density inside (0, 1)."""

    @abstractmethod
    def _at_end(self, right: bool) -> float:
        """The density at 0 or at 1."""

    @abstractmethod
    def _masses(self, rates: Rates) -> tuple[Array, Array]:
        """Probabilities below and above rates inside (0, 1), the smaller of them to full relative accuracy."""

    @abstractmethod
    def _quantile(self, p: Array, q: Array) -> Rates:
        """The rates with probability p below and q above, both inside (0, 1)."""

    def density(self, theta: npt.ArrayLike) -> float | Array:
        """The probability density at each rate; it may be infinite at 0 and 1."""
        at = numbers_in(theta, v.RATE, "theta")
        inside = _inside(at)
        found = np.where(at <= 0, self._at_end(False), self._at_end(True))
        found[inside] = self._density(_rates(at[inside]))
        return shaped(found)

    def cdf(self, theta: npt.ArrayLike) -> float | Array:
        """Pr[rate ≤ θ], to full relative accuracy where it is small; its complement is `survival`."""
        return self._tail(theta, 0)

    def survival(self, theta: npt.ArrayLike) -> float | Array:
        """Pr[rate > θ], to full relative accuracy where it is small."""
        return self._tail(theta, 1)

    def _tail(self, theta: npt.ArrayLike, which: int) -> float | Array:
        at = numbers_in(theta, v.RATE, "theta")
        inside = _inside(at)
        found = np.where(at <= 0, float(which), float(1 - which))
        found[inside] = self._masses(_rates(at[inside]))[which]
        return shaped(found)

    def quantile(self, p: npt.ArrayLike) -> float | Array:
        """The rate θ with Pr[rate ≤ θ] = p, 0 at p = 0 and 1 at p = 1; p is in [0, 1], of any shape."""
        at = numbers_in(p, v.PROBABILITY, "p")
        inside = _inside(at)
        found = np.where(at <= 0, 0.0, 1.0)
        found[inside] = self._quantile(at[inside], 1 - at[inside]).theta
        return shaped(found)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The central interval that holds θ with probability `level`, in (0, 1)."""
        tail = (1 - parameter_value(_LEVEL, level, "level")) / 2
        theta = self._quantile(np.array([tail, 1 - tail]), np.array([1 - tail, tail])).theta
        return float(theta[0]), float(theta[1])


class BetaPosterior(Posterior):
    """Beta(a, b), a and b > 0."""

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b
        self.mean = a / (a + b)
        self.sd = math.sqrt(a / (a + b) * (b / (a + b)) / (a + b + 1))

    def _density(self, rates: Rates) -> Array:
        # 1/B(a, b) is a binomial probability's factor: ln Γ alone would lose nine digits at a + b = 10⁷.
        a, b = self.a, self.b
        logs = log_pmf(rates, a + b, np.full(rates.theta.shape, a))
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(logs + math.log(a) + math.log(b / (a + b)) - np.log(rates.theta)
                                     - np.log(rates.phi)))

    def _at_end(self, right: bool) -> float:
        own, other = (self.b, self.a) if right else (self.a, self.b)
        return math.inf if own < 1 else other if own == 1 else 0.0

    def _masses(self, rates: Rates) -> tuple[Array, Array]:
        below, above = betainc(self.a, self.b, rates.theta), betainc(self.b, self.a, rates.phi)
        return np.where(below <= above, below, 1 - above), np.where(below <= above, 1 - below, above)

    def _quantile(self, p: Array, q: Array) -> Rates:
        lower, upper = betaincinv(self.a, self.b, p), betaincinv(self.b, self.a, q)
        near = lower <= 0.5
        return Rates(np.where(near, lower, 1 - upper), np.where(near, 1 - lower, upper))


_SHARPEST = 1e6
"""ε above which noise is none: a millionth off the middle between two counts, one of them is all but certain."""


class NoiseAwarePosterior(Posterior):
    """The posterior of θ ~ Beta(a, b) given the noisy count c of n people: the noise is known, only not its value.

    A mixture Σ_k w_k Beta(a + k, b + n − k), w_k ∝ BetaBin(k; n, a, b) e^(−ε|c − k|), for Laplace noise as for the
    two-sided geometric one. Relative error about 1e-11 of mean, sd, density, of tails down to 1e-18 and their
    quantiles up to n = 10⁷, beyond which it grows: 1e-6 at 10⁹, 1e-4 at 10¹². A quantile below 1e-307 is returned as
    1e-307.
    """

    def __init__(self, prior_a: float, prior_b: float, n: float, noisy_count: float, epsilon: float) -> None:
        self.prior_a, self.prior_b, self.n = prior_a, prior_b, n
        self._found = NoiseAware(prior_a, prior_b, n, np.array([noisy_count]), min(epsilon, _SHARPEST))
        self.mean, self.sd = float(self._found.mean[0]), float(self._found.sd[0])

    def _density(self, rates: Rates) -> Array:
        return self._found.density(rates, _zeros(rates))

    def _at_end(self, right: bool) -> float:
        own = self.prior_b if right else self.prior_a
        if own != 1:
            return math.inf if own < 1 else 0.0
        return self._ends[right]

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The finite densities at 0 and 1 of a prior with a = 1 or b = 1."""
        least = np.array([1e-300, 1.0]), np.array([1.0, 1e-300])
        found = self._density(Rates(*least))
        return float(found[0]), float(found[1])

    def _masses(self, rates: Rates) -> tuple[Array, Array]:
        return self._found.masses(rates, _zeros(rates))

    def _quantile(self, p: Array, q: Array) -> Rates:
        return quantile(self._found, p, q, np.zeros(len(p), dtype=np.intp))


def _zeros(rates: Rates) -> npt.NDArray[np.intp]:
    return np.zeros(len(rates.theta), dtype=np.intp)


def _inside(values: Array) -> npt.NDArray[np.bool_]:
    return np.asarray((values > 0) & (values < 1))


def _rates(theta: Array) -> Rates:
    return Rates(theta, 1 - theta)


def noisy_count_posterior(prior_a: float, prior_b: float, n: float, noisy_count: float, epsilon: float, method: str,
                          noise: str = "laplace") -> Posterior:
    """The posterior of θ ~ Beta(a, b) after a noisy count c of Bin(n, θ), by one of three methods.

    "naive": Beta(a + c, b + n − c), as if c were exact; InvalidPosterior where a + c ≤ 0 or b + n − c ≤ 0.
    "clamped": the same with c moved into [0, n]. "noise-aware": exact, see `NoiseAwarePosterior`.
    a, b > 0; n whole; c any real, whole for "geometric" noise; InvalidParameter says what lies outside its domain.
    [Differential Privacy, notes, the Beta–Bernoulli model.]
    """
    a, b = parameter_value(v.PRIOR_A, prior_a, "prior_a"), parameter_value(v.PRIOR_B, prior_b, "prior_b")
    people, epsilon = parameter_value(v.MODEL_PEOPLE, n, "n"), parameter_value(v.EPSILON, epsilon)
    count = parameter_value(v.NOISY_COUNT, noisy_count, "noisy_count")
    chosen, law = accepted("method", v.POSTERIOR_METHOD.domain, method), accepted("noise", v.NOISE_KIND.domain, noise)
    if law == "geometric" and count != math.floor(count):
        raise InvalidParameter("noisy_count", "whole where the noise is geometric", noisy_count)
    if chosen == "noise-aware":
        return NoiseAwarePosterior(a, b, people, count, epsilon)
    if chosen == "clamped":
        count = min(max(count, 0.0), people)
    for name, value in (("a′ = prior_a + noisy_count", a + count),
                        ("b′ = prior_b + n − noisy_count", b + (people - count))):
        if value <= 0:
            raise InvalidPosterior(name, "in (0, ∞) for a Beta distribution", value)
    return BetaPosterior(a + count, b + (people - count))
