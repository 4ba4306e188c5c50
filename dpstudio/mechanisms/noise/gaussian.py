"""Gaussian noise, and three formulas for its σ: exact, classical, and without its square root."""

from __future__ import annotations

import math
from typing import Self

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr, ndtri

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, parameter
from dpstudio.core.sources import BW18, DRS22, Source
from dpstudio.core.special import ROOT_TWO_PI, mills, mills_drop, mills_slope
from dpstudio.mechanisms.mechanism import INSIDE_DELTA
from dpstudio.mechanisms.noise.base import Noise, Size
from dpstudio.mechanisms.noise.profile import delta_of_mu, largest_mu, largest_mu_of_one
from dpstudio.records import dataclass
from dpstudio.vocabulary import DELTA, EPSILON, EPSILON_PRIME, SENSITIVITY, SIGMA, reals, variant

_POSITIVE_DELTA = variant(DELTA, domain=reals(0, 1, open="low"))

_SAFE = 1 + 2.0**-46
"""σ is rounded up by this factor, which is more than its own rounding errors."""


@dataclass(frozen=True)
class BellNoise(Noise):
    """Noise whose law falls as e^(−x²/2σ²) for its σ, over all numbers or over the whole ones."""

    needs_delta = True
    norm = 2

    sigma: float = parameter(SIGMA)

    @property
    def noise_scale(self) -> float:
        """σ."""
        return self.sigma

    def largest_loss(self, sensitivity: float = 1) -> float:
        """∞: a bound on σ bounds no loss."""
        self._sensitivity(sensitivity)
        return math.inf

    def _loss(self, x: Array, sensitivity: float) -> Array:
        return np.asarray(sensitivity / self.sigma * ((x - sensitivity / 2) / self.sigma))


@dataclass(frozen=True)
class GaussianNoise(BellNoise):
    """A normal law of mean 0 and standard deviation σ, added to each coordinate: Δ/σ-GDP for ℓ₂ sensitivity Δ.

    [Balle & Wang 2018, Theorem 8; Dong, Roth & Su 2022, Theorem 1; Theoretical background on Differential Privacy,
    "Gaussian Mechanism".]
    """

    name = "Gaussian"
    source = BW18
    scale_how = "the least σ with Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ) ≤ δ"
    sd_how = "σ"
    mean_how = "σ √(2/π)"
    exceeds_how = "Φ(μ/2 − ε/μ), μ = Δ₂/σ"

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, sensitivity: float) -> Self:
        return cls.analytic(epsilon, delta, sensitivity)

    @classmethod
    def sds(cls, epsilon: npt.ArrayLike, delta: float, sensitivity: float) -> Array:
        return np.asarray(analytic_sigma(epsilon, delta, sensitivity))

    @classmethod
    def analytic(cls, epsilon: float, delta: float, sensitivity: float) -> Self:
        """The least σ that is (ε, δ)-DP, δ in (0, 1), never below and 1e-13 above. [Balle & Wang 2018, Theorem 8.]"""
        distance, inside = parameter_value(SENSITIVITY, sensitivity), parameter_value(INSIDE_DELTA, delta)
        return cls(distance / largest_mu_of_one(parameter_value(EPSILON, epsilon), inside) * _SAFE)

    @classmethod
    def classical(cls, epsilon: float, delta: float, sensitivity: float) -> Self:
        """σ = Δ √(2 ln(1.25/δ))/ε, which is proved (ε, δ)-DP for ε < 1 and evaluated for all; δ in (0, 1].

        [Dwork & Roth 2014, Theorem A.1.]
        """
        return cls(float(classical_sigma(*_numbers(epsilon, delta, sensitivity))))

    @classmethod
    def without_root(cls, epsilon: float, delta: float, sensitivity: float) -> Self:
        """σ = (2Δ/ε) ln(1.25/δ), the classical formula with its square root lost; δ in (0, 1].

        [Theoretical background on Differential Privacy, "Gaussian Mechanism".]
        """
        return cls(float(without_root_sigma(*_numbers(epsilon, delta, sensitivity))))

    @property
    def sd(self) -> float:
        """σ."""
        return self.sigma

    @property
    def mean_error(self) -> float:
        """E|X| = σ √(2/π)."""
        return self.sigma * 2 / ROOT_TWO_PI

    @property
    def loss_source(self) -> Source:
        return DRS22

    def loss_exceeds(self, epsilon: float, sensitivity: float = 1) -> float:
        """Φ(μ/2 − ε/μ), μ = Δ/σ."""
        mu = self._sensitivity(sensitivity) / self.sigma
        return float(ndtr(mu / 2 - parameter_value(EPSILON_PRIME, epsilon, "epsilon") / mu))

    def _density(self, x: Array) -> Array:
        z = x / self.sigma
        return np.exp(-z * z / 2) / ROOT_TWO_PI / self.sigma

    def _cdf(self, x: Array) -> Array:
        return np.asarray(ndtr(x / self.sigma))

    def _quantile(self, p: Array) -> Array:
        return self.sigma * np.asarray(ndtri(p))

    def _delta(self, epsilon: Array, sensitivity: float) -> Array:
        return delta_of_mu(epsilon, np.asarray(sensitivity / self.sigma))

    def excess(self, x: Array, rounded: bool = False) -> tuple[Array, Array]:
        if rounded:
            return super().excess(x, rounded)
        # σ (φ(z) − z Φ(−z)) and σ² ((1 + z²) Φ(−z) − z φ(z)), z = x/σ, by Mills' ratio R: φ (1 − z R) and
        # φ (R − z (1 − z R)).
        z = (x / self.sigma).reshape(-1)
        density, slope = np.exp(-z * z / 2) / ROOT_TWO_PI, mills_slope(z)
        first, second = self.sigma * density * slope, self.sigma * self.sigma * density * (mills(z) - z * slope)
        return first.reshape(x.shape), second.reshape(x.shape)

    def _log_tail(self, x: Array) -> Array:
        return np.asarray(log_ndtr(-x / self.sigma))

    def _tail_loss(self, x: Array, sensitivity: float) -> Array:
        # With Mills' ratio R, z = x/σ and μ = Δ/σ: μz − μ²/2 + ln R(z − μ)/R(z). Where both tails are near 1 their
        # difference φ(z) (R(−z) − e^(μz − μ²/2) R(μ − z)) is taken from the smaller ones; between, the logarithms lie
        # far apart.
        mu = np.asarray(sensitivity / self.sigma)
        z = x / self.sigma
        high = np.maximum(z, mu - 1)
        out = mu * (high - mu / 2) + np.log1p(mills_drop(high - mu, np.broadcast_to(mu, z.shape)) / mills(high))
        if (z >= mu - 1).all():
            return np.asarray(out)
        w = np.maximum(-z, np.maximum(1 - mu, -1.0))
        moved = mills_drop(w, np.broadcast_to(mu, z.shape)) - np.expm1(-mu * (w + mu / 2)) * mills(w + mu)
        near = np.log1p(np.exp(-w * w / 2) / ROOT_TWO_PI * moved / ndtr(w))
        middle = np.clip(z, 1.0, np.maximum(mu - 1, 1.0))
        between = log_ndtr(mu - middle) - log_ndtr(-middle)
        return np.asarray(np.where(z >= mu - 1, out, np.where(z > 1, between, near)))

    def _crossing(self, loss: float, sensitivity: float) -> float:
        # (x² − (x − Δ)²)/(2σ²) = loss.
        return sensitivity / 2 + loss * self.sigma * (self.sigma / sensitivity)

    def _trade_off(self, alpha: Array, sensitivity: float) -> Array:
        # Φ(Φ⁻¹(1 − α) − Δ/σ). [Dong, Roth & Su 2022, Definition 3.]
        return np.asarray(ndtr(-ndtri(alpha) - sensitivity / self.sigma))

    def _power(self, alpha: Array, sensitivity: float) -> Array:
        return np.asarray(ndtr(ndtri(alpha) + sensitivity / self.sigma))

    def sample(self, size: Size, rng: np.random.Generator) -> npt.NDArray[np.float64 | np.int64] | float | int:
        return rng.normal(0.0, self.sigma, size)


def analytic_sigma(epsilon: npt.ArrayLike, delta: npt.ArrayLike, sensitivity: npt.ArrayLike = 1.0) -> float | Array:
    """The least σ for which Gaussian noise is (ε, δ)-DP, rounded up by 1e-14; ε > 0, δ in (0, 1), of any shapes.

    [Balle & Wang 2018, Theorem 8.]
    """
    e, s = numbers_in(epsilon, EPSILON), numbers_in(sensitivity, SENSITIVITY)
    d = numbers_in(delta, INSIDE_DELTA)
    alone = e.ndim == d.ndim == 0
    with np.errstate(over="ignore"):
        mu = largest_mu_of_one(float(e), float(d)) if alone else largest_mu(e, d)
        return shaped(np.asarray(s / mu * _SAFE))


def classical_sigma(epsilon: npt.ArrayLike, delta: npt.ArrayLike, sensitivity: npt.ArrayLike = 1.0) -> float | Array:
    """Δ √(2 ln(1.25/δ))/ε at every ε > 0 and δ in (0, 1], of any shapes. [Dwork & Roth 2014, Theorem A.1.]"""
    e, s = numbers_in(epsilon, EPSILON), numbers_in(sensitivity, SENSITIVITY)
    with np.errstate(over="ignore"):
        return shaped(np.asarray(np.sqrt(2 * _log_over(delta)) * (s / e)))


def without_root_sigma(epsilon: npt.ArrayLike, delta: npt.ArrayLike, sensitivity: npt.ArrayLike = 1.0) -> float | Array:
    """(2Δ/ε) ln(1.25/δ) at every ε > 0 and δ in (0, 1], of any shapes. [Theoretical background on Differential
    Privacy, "Gaussian Mechanism".]"""
    e, s = numbers_in(epsilon, EPSILON), numbers_in(sensitivity, SENSITIVITY)
    with np.errstate(over="ignore"):
        return shaped(np.asarray(2 * _log_over(delta) * (s / e)))


def _log_over(delta: npt.ArrayLike) -> Array:
    """ln(1.25/δ)."""
    return math.log(1.25) - np.log(numbers_in(delta, _POSITIVE_DELTA))


def _numbers(epsilon: object, delta: object, sensitivity: object) -> tuple[float, float, float]:
    """The three as plain numbers: one mechanism has one of each."""
    return parameter_value(EPSILON, epsilon), parameter_value(DELTA, delta), parameter_value(SENSITIVITY, sensitivity)
