"""Laws of a person’s value: normal, exponential and uniform.

The integrals of a tail, E (X − x)⁺ = ∫_x^∞ Pr[X > t] dt and the like, are closed forms where these lose no digit, and
Gauss and Legendre's rule where the way is so short that they would.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import gammainc, ndtr, ndtri

from dpstudio.core.declare import Array, AtMost, Declared, InvalidParameter, parameter
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.mechanisms.noise import GaussianNoise
from dpstudio.models.numbers.base import Continuous, ValueLaw
from dpstudio.records import dataclass
from dpstudio.vocabulary import GREATEST_VALUE, LEAST_VALUE, POSITIVE_MEAN, VALUE_MEAN, VALUE_SD

_NODES, _WEIGHTS = gauss_legendre(10)
_BELL, _FAR = GaussianNoise(1.0), 1e3
"""The standard normal law, and a place beyond which nothing of it is left."""


def clipped_moments(law: ValueLaw, lower: npt.ArrayLike, upper: npt.ArrayLike
                    ) -> tuple[float | Array, float | Array]:
    """Mean and variance of a value clipped to [L, U], to 1e-10 relative."""
    return law.clipped_moments(lower, upper)


@dataclass(frozen=True)
class Normal(Continuous, Declared):
    """A normal law of a mean and a standard deviation."""

    mean: float = parameter(VALUE_MEAN)
    sd: float = parameter(VALUE_SD)

    @property
    def variance(self) -> float:
        """s²."""
        return self.sd * self.sd

    @property
    def median(self) -> float:
        """The mean."""
        return self.mean

    def _cdf(self, x: Array) -> Array:
        return np.asarray(ndtr((x - self.mean) / self.sd))

    def _tail(self, x: Array) -> Array:
        return np.asarray(ndtr((self.mean - x) / self.sd))

    def _quantile(self, p: Array) -> Array:
        return self.mean + self.sd * np.asarray(ndtri(p))

    def _above(self, x: Array) -> Array:
        return self.sd * _excess((x - self.mean) / self.sd)

    def _below(self, x: Array) -> Array:
        return self.sd * _excess((self.mean - x) / self.sd)

    def _kept_above(self, start: Array, end: Array) -> tuple[Array, Array]:
        return self._kept((start - self.mean) / self.sd, (end - start) / self.sd)

    def _kept_below(self, start: Array, end: Array) -> tuple[Array, Array]:
        return self._kept((self.mean - start) / self.sd, (start - end) / self.sd)

    def _kept(self, z: Array, width: Array) -> tuple[Array, Array]:
        """s and s² times the integrals of Φ(−t) and 2(t − z)Φ(−t) from z to z + width, where that is not empty."""
        z = np.clip(z, 0.0, _FAR)
        far = z + width
        first = _excess(z) - _excess(far)
        second = _second_excess(z) - _second_excess(far) - 2 * width * _excess(far)
        short = np.minimum(width, 1 / (1 + z))
        of_tail, of_part = _by_rule(lambda t: ndtr(-(z + t)), short)
        narrow = width * (1 + z) <= 1
        return (np.asarray(self.sd * np.where(narrow, of_tail, first)),
                np.asarray(self.sd**2 * np.where(narrow, 2 * of_part, second)))


@dataclass(frozen=True)
class Exponential(Continuous, Declared):
    """An exponential law of a mean θ: Pr[X > x] = e^(−x/θ)."""

    mean: float = parameter(POSITIVE_MEAN)

    @property
    def variance(self) -> float:
        """θ²."""
        return self.mean * self.mean

    @property
    def median(self) -> float:
        """θ ln 2."""
        return self.mean * math.log(2)

    def _cdf(self, x: Array) -> Array:
        return np.asarray(-np.expm1(-np.maximum(x / self.mean, 0.0)))

    def _tail(self, x: Array) -> Array:
        return np.asarray(np.exp(-np.maximum(x / self.mean, 0.0)))

    def _quantile(self, p: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(-self.mean * np.log1p(-p))

    def _above(self, x: Array) -> Array:
        return np.asarray(self.mean * self._tail(x) + np.maximum(-x, 0.0))

    def _below(self, x: Array) -> Array:
        v = np.maximum(x / self.mean, 0.0)
        short = np.minimum(v, 1.0)
        near = _by_rule(lambda t: -np.expm1(t - short), short)[0]
        return np.asarray(self.mean * np.where(v <= 1, near, v + np.expm1(-v)))

    def _kept_above(self, start: Array, end: Array) -> tuple[Array, Array]:
        # θ e^(−c/θ) (1 − e^−v) and 2θ² e^(−c/θ) (1 − (1 + v)e^−v), v = (U − c)/θ.
        v = (end - start) / self.mean
        scale = self.mean * self._tail(start)
        return np.asarray(-scale * np.expm1(-v)), np.asarray(2 * self.mean * scale * gammainc(2, v))

    def _kept_below(self, start: Array, end: Array) -> tuple[Array, Array]:
        start = np.clip(start, 0.0, self.median)
        high, width = start / self.mean, np.maximum(start - np.maximum(end, 0.0), 0.0) / self.mean
        of_cdf, of_part = _by_rule(lambda t: -np.expm1(t - high), width)
        return np.asarray(self.mean * of_cdf), np.asarray(2 * self.mean**2 * of_part)


@dataclass(frozen=True)
class Uniform(Continuous, Declared):
    """A uniform law on an interval."""

    low: float = parameter(LEAST_VALUE)
    high: float = parameter(GREATEST_VALUE)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low >= self.high:
            raise InvalidParameter("low", AtMost("high", self.high), self.low, "" if self.low > self.high else
                                   "an interval has a length")

    @property
    def mean(self) -> float:
        """The middle."""
        return self.low + (self.high - self.low) / 2

    @property
    def variance(self) -> float:
        """(b − a)²/12."""
        return (self.high - self.low) ** 2 / 12

    @property
    def median(self) -> float:
        """The middle."""
        return self.mean

    def _cdf(self, x: Array) -> Array:
        return np.asarray((np.clip(x, self.low, self.high) - self.low) / (self.high - self.low))

    def _tail(self, x: Array) -> Array:
        return np.asarray((self.high - np.clip(x, self.low, self.high)) / (self.high - self.low))

    def _quantile(self, p: Array) -> Array:
        return np.asarray(np.where(p < 0.5, self.low + p * (self.high - self.low),
                                   self.high - (1 - p) * (self.high - self.low)))

    def _above(self, x: Array) -> Array:
        rest = self.high - np.clip(x, self.low, self.high)
        return np.asarray(rest / 2 * self._tail(x) + np.maximum(self.low - x, 0.0))

    def _below(self, x: Array) -> Array:
        rest = np.clip(x, self.low, self.high) - self.low
        return np.asarray(rest / 2 * self._cdf(x) + np.maximum(x - self.high, 0.0))

    def _kept_above(self, start: Array, end: Array) -> tuple[Array, Array]:
        return _under_line(np.maximum(np.minimum(end, self.high) - start, 0.0), self._tail(start), self._tail(end))

    def _kept_below(self, start: Array, end: Array) -> tuple[Array, Array]:
        return _under_line(np.maximum(start - np.maximum(end, self.low), 0.0), self._cdf(start), self._cdf(end))


def _under_line(width: Array, first: Array, last: Array) -> tuple[Array, Array]:
    """The integrals of a straight line from one height to another, and of twice the way times it."""
    return np.asarray(width * (first + last) / 2), np.asarray(width * width * (first + 2 * last) / 3)


def _excess(z: Array) -> Array:
    """E (Z − z)⁺ of the standard normal, −z more than at −z for z < 0."""
    return np.asarray(_BELL.excess(np.minimum(np.abs(z), _FAR))[0] + np.maximum(-z, 0.0))


def _second_excess(z: Array) -> Array:
    """E ((Z − z)⁺)² for z ≥ 0."""
    return _BELL.excess(np.minimum(z, _FAR))[1]


def _by_rule(function: Callable[[Array], Array], width: Array) -> tuple[Array, Array]:
    """The integrals of f(t) and of t f(t) from 0 to a width over which f is smooth."""
    places = width * _NODES.reshape(-1, *[1] * width.ndim)
    weighted = function(places) * _WEIGHTS.reshape(places.shape[:1] + (1,) * width.ndim) * width
    return np.asarray(weighted.sum(axis=0)), np.asarray((weighted * places).sum(axis=0))
