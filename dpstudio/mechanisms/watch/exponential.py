"""AboveThreshold with noise to one side alone."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.sources import DURFEE23
from dpstudio.mechanisms.laws import AsymmetricLaplace
from dpstudio.mechanisms.watch.above import AboveThreshold
from dpstudio.records import dataclass


@dataclass(frozen=True)
class ExponentialAboveThreshold(AboveThreshold):
    """The same with exponential noise, which is never negative and has half the variance: the same ε.

    A record more is made up for by a threshold one higher, where the density of its noise is e^−ε₁ times as high; so
    noise to one side is enough. [Durfee 2023.]
    """

    name = "above threshold, exponential noise"
    source = DURFEE23
    deviations = 1.0

    def given_away(self, times: int, *, stays: bool) -> AsymmetricLaplace:
        """As of Laplace noise, but that a “no” is impossible where the threshold’s noise is lower than a count.

        So a “no” shows ε₁, a “no” and then a “yes” without the record ε₁ + ε₂, from the first count on.
        """
        one, two = self.threshold_rate, self.count_rate
        return AsymmetricLaplace(one if stays or times == 1 else one + two, two)

    def attained(self, times: int, *, stays: bool) -> bool:
        away = self.given_away(times, stays=stays)
        return away.fewer >= away.more or times > 1 or self.threshold >= 1

    @property
    def _lowest(self) -> float:
        return 0.0

    def _density(self, z: Array) -> Array:
        return np.where(z < 0, 0.0, self.threshold_rate * np.exp(-np.maximum(z, 0.0) * self.threshold_rate))

    def _log_density(self, z: Array) -> Array:
        return math.log(self.threshold_rate) - z * self.threshold_rate

    def _sides(self, x: Array, above: Array | None) -> None:
        np.maximum(x, 0.0, out=x)
        np.negative(x, out=x)
        if above is not None:
            np.exp(x, out=above)
        np.expm1(x, out=x)
        np.negative(x, out=x)

    def _log_sides(self, x: Array) -> tuple[Array, Array]:
        over = np.maximum(x, 0.0)
        with np.errstate(divide="ignore"):
            return np.log(-np.expm1(-over)), -over

    def _noise(self, rng: np.random.Generator, rate: float, size: int) -> Array:
        return rng.exponential(1 / rate, size)
