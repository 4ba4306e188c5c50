"""How often a released number is off by more than a distance: bias and noise and, of a population, a bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from dpstudio.core.declare import Array
from dpstudio.mechanisms.noise import GaussianNoise, Noise
from dpstudio.records import dataclass

SPLITS = np.linspace(0.01, 0.99, 99)
"""Parts that a bound leaves to the draw of the data; the noise has the rest."""
_HUGE, _HALVINGS = 300.0, 60
"""An exponent that is no more taken, and how often a stretch is halved."""


class Far(NamedTuple):
    """A distance or a probability, and whether it is exact; else it is a bound from above."""

    value: float
    exact: bool = True


@dataclass(frozen=True)
class Off:
    """bias + step · Laplace or Gaussian noise, and what the draw of the data adds.

    Of that the standard deviation alone is known.
    """

    bias: float
    noise: Noise
    step: float = 1.0
    sampling: float = 0.0

    def beyond(self, t: float) -> Far:
        """Pr[|error| > t]; with a sample Pr[|bias + noise| > t − x] + s²/x² at the best x [Chebyshev]."""
        if self.sampling == 0:
            return Far(min(float(self._beyond(np.asarray(t))), 1.0))
        x = t * SPLITS
        with np.errstate(divide="ignore", over="ignore"):
            found = self._beyond(t - x) + (self.sampling / x) ** 2 if t > 0 else np.ones(1)
        return Far(min(float(found.min()), 1.0), False)

    def within(self, level: float) -> Far:
        """The least t with Pr[|error| ≤ t] ≥ level; with a sample that of the noise and of the sample at the best x."""
        missed = 1 - level
        if self.sampling == 0:
            return Far(float(self._within(np.asarray(missed))))
        noise = self._within(missed * (1 - SPLITS))
        rmse = math.hypot(math.hypot(self.bias, self.step * self.noise.sd), self.sampling)
        return Far(min(float((noise + self.sampling / np.sqrt(missed * SPLITS)).min()), rmse / math.sqrt(missed)),
                   False)

    def _within(self, missed: Array) -> Array:
        scale = self.step * self.noise.noise_scale
        of = _within_gaussian if isinstance(self.noise, GaussianNoise) else _within_laplace
        return scale * of(abs(self.bias) / scale, missed)

    def _beyond(self, t: Array) -> Array:
        """Pr[|bias + step · noise| > t]."""
        b = abs(self.bias)
        ends = [np.clip(each / self.step, -1e300, 1e300) for each in (t - b, t + b)]
        return np.asarray(np.where(t < 0, 1.0, np.asarray(self.noise.tail(ends[0])) + self.noise.tail(ends[1])))


def _within_laplace(r: float, missed: Array) -> Array:
    """The least t with Pr[|r + Lap(1)| > t] ≤ m: ln(cosh r/m), where that is r or more, else asinh((1 − m) e^r)."""
    far = r + np.log1p(math.exp(-2 * r)) - math.log(2) - np.log(missed)
    kept = -np.expm1(np.log(missed))
    near = np.arcsinh(kept * math.exp(r)) if r < _HUGE else r + np.log(2 * kept)
    return np.asarray(np.where(far >= r, far, near))


def _within_gaussian(r: float, missed: Array) -> Array:
    """The least t with Φ(r − t) + Φ(−r − t) ≤ m, between those at which one tail, and twice that, are as much."""
    low, high = (np.maximum(r - ndtri(each), 0.0) for each in (missed, missed / 2))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        enough = ndtr(r - middle) + ndtr(-r - middle) <= missed
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.asarray(high)


def within_pieces(edges: Array, beyond: Callable[[Array], Array], true: float, level: float) -> float:
    """The least t with Pr[|x − f| > t] ≤ 1 − level, of a density that is constant between edges."""
    at = np.unique(np.append(np.abs(edges - true), 0.0))
    chance, missed = beyond(at), 1 - level
    i = int(np.argmax(chance <= missed))
    if i == 0:
        return float(at[i])
    part = (chance[i - 1] - missed) / (chance[i - 1] - chance[i])
    return float(at[i - 1] + part * (at[i] - at[i - 1]))
