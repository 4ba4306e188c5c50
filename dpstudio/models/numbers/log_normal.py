"""A log-normal law of a person’s value.

What is cut off beyond x is x φ(z) times a difference of Mills’ ratios, which loses no digit. Moments of what is clipped
are differences of partial moments where these are wide, and integrals of the tail where they would lose digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri

from dpstudio.core.declare import Array, Declared, parameter
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.core.special import ROOT_TWO_PI, mills_drop
from dpstudio.models.numbers.base import Continuous
from dpstudio.records import dataclass
from dpstudio.vocabulary import LOG_MEAN, LOG_SD

_NODES, _WEIGHTS = gauss_legendre(10)
_PANELS = 6
_DIGITS = 80.0
"""A normal tail falls by e^−40 where the squares of its place differ by so much."""
_SHORT = 2.0
"""Values whose logarithms differ by so much at most have the integral of the tail between them by a rule."""


@dataclass(frozen=True)
class LogNormal(Continuous, Declared):
    """A law whose logarithm is normal with mean m and standard deviation s."""

    log_mean: float = parameter(LOG_MEAN)
    log_sd: float = parameter(LOG_SD)

    @property
    def mean(self) -> float:
        """e^(m + s²/2)."""
        return math.exp(self.log_mean + self.log_sd**2 / 2)

    @property
    def variance(self) -> float:
        """e^(2m + s²) (e^(s²) − 1)."""
        return self.mean * self.mean * math.expm1(self.log_sd**2)

    @property
    def median(self) -> float:
        """e^m."""
        return math.exp(self.log_mean)

    def _z(self, x: Array) -> Array:
        """(ln x − m)/s; −∞ from 0 down."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(x, 0.0) / self.median) / self.log_sd)

    def _cdf(self, x: Array) -> Array:
        return np.asarray(ndtr(self._z(x)))

    def _tail(self, x: Array) -> Array:
        return np.asarray(ndtr(-self._z(x)))

    def _quantile(self, p: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.asarray(self.median * np.exp(self.log_sd * ndtri(p)))

    def _above(self, x: Array) -> Array:
        # Below the median the mean less x, and what is below x.
        return np.asarray(np.where(self._z(x) > 0, self._far_above(x), self.mean - x + self._near_below(x)))

    def _below(self, x: Array) -> Array:
        z = self._z(x)
        up = np.maximum(z, 0.0)
        rest = np.maximum(x, 0.0) * ndtr(up) - _lower_moment(self, 1, up)
        return np.asarray(np.where(z > 0, rest, self._near_below(x)))

    def _far_above(self, x: Array) -> Array:
        """E (X − x)⁺ = x φ(z) (R(z − s) − R(z)) with Mills’ ratio R, from the median on."""
        z = np.maximum(self._z(x), 0.0)
        return np.maximum(x, self.median) * np.exp(-z * z / 2) / ROOT_TWO_PI * _drop(z - self.log_sd, self.log_sd)

    def _near_below(self, x: Array) -> Array:
        """E (x − X)⁺ = x φ(z) (R(−z) − R(s − z)), up to the median."""
        z = np.clip(self._z(x), -1e100, 0.0)
        return np.clip(x, 0.0, self.median) * np.exp(-z * z / 2) / ROOT_TWO_PI * _drop(-z, self.log_sd)

    def _kept_above(self, start: Array, end: Array) -> tuple[Array, Array]:
        c, s = np.maximum(start, self.median), self.log_sd
        z, width = self._z(c), np.maximum(end - start, 0.0)
        span = np.log1p(width / c) / s
        reach = np.minimum(span, _reach(z))
        long = s * reach > _SHORT
        first, second = np.zeros(c.shape), np.zeros(c.shape)
        if not long.all():
            first, second = _by_panels(lambda t: (c * np.exp(s * t) * s * ndtr(-(z + t)), c * np.expm1(s * t)),
                                       np.where(long, 0.0, reach))
        if long.any():
            far = z + span
            of_none, of_one, of_two = (_between(self, k, z, far) for k in range(3))
            rest = width * ndtr(-far)
            first = np.where(long, of_one - c * of_none + rest, first)
            second = np.where(long, of_two - 2 * c * of_one + c * c * of_none + width * rest, second)
        return first, second

    def _kept_below(self, start: Array, end: Array) -> tuple[Array, Array]:
        there = start > 0
        c, s = np.where(there, np.minimum(start, self.median), self.median), self.log_sd
        low = np.where(there, np.clip(end, 0.0, c), c)
        z = np.minimum(self._z(c), 0.0)
        with np.errstate(divide="ignore"):
            span = -np.log1p(-(c - low) / c) / s
        reach = np.minimum(span, _reach(-z))
        long = s * reach > _SHORT
        first, second = np.zeros(c.shape), np.zeros(c.shape)
        if not long.all():
            first, second = _by_panels(lambda t: (c * np.exp(-s * t) * s * ndtr(z - t), -c * np.expm1(-s * t)),
                                       np.where(long, 0.0, reach))
        if long.any():
            far, width = z - span, c - low
            of_none, of_one, of_two = (_lower_moment(self, k, z) - _lower_moment(self, k, far) for k in range(3))
            rest = width * ndtr(far)
            first = np.where(long, c * of_none - of_one + rest, first)
            second = np.where(long, c * c * of_none - 2 * c * of_one + of_two + width * rest, second)
        return first, second


def _by_panels(function: Callable[[Array], tuple[Array, Array]], reach: Array) -> tuple[Array, Array]:
    """The integrals of f(t) and of 2 g(t) f(t) from 0 to a reach, in six panels; `function` gives f and g."""
    first, second = np.zeros(reach.shape), np.zeros(reach.shape)
    width = reach / _PANELS
    weights = _WEIGHTS.reshape(-1, *[1] * reach.ndim)
    for panel in range(_PANELS):
        f, g = function(width * (panel + _NODES.reshape(weights.shape)))
        weighted = f * weights * width
        first += weighted.sum(axis=0)
        second += 2 * (weighted * g).sum(axis=0)
    return first, second


def _reach(z: Array) -> Array:
    """How far beyond z ≥ 0 next to nothing is left of the normal tail there."""
    return np.asarray(_DIGITS / (np.sqrt(z * z + _DIGITS) + z))


def _drop(u: Array, step: float) -> Array:
    """R(u) − R(u + step), of any shape."""
    return mills_drop(u.reshape(-1), np.full(u.size, step)).reshape(u.shape)


def _lower_moment(law: LogNormal, k: int, z: Array) -> Array:
    """E X^k over the X with (ln X − m)/s below z: e^(km + k²s²/2) Φ(z − ks)."""
    return np.asarray(np.exp(k * law.log_mean + (k * law.log_sd) ** 2 / 2 + log_ndtr(z - k * law.log_sd)))


def _between(law: LogNormal, k: int, low: Array, high: Array) -> Array:
    """E X^k between two such places, from the tail in which it is small."""
    s = law.log_sd
    log_scale = k * law.log_mean + (k * s) ** 2 / 2
    upper = np.exp(log_scale + log_ndtr(k * s - low)) - np.exp(log_scale + log_ndtr(k * s - high))
    return np.asarray(np.where(high < k * s, _lower_moment(law, k, high) - _lower_moment(law, k, low), upper))
