"""Noise whose law falls off exponentially: Laplace, and its whole-numbered sister, the two-sided geometric."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Self

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.sources import DMNS06, GRS12
from dpstudio.core.special import ratio
from dpstudio.mechanisms.noise.base import Noise, Size, WholeNoise
from dpstudio.mechanisms.noise.exact import SLOWEST, discrete_laplace
from dpstudio.records import dataclass
from dpstudio.vocabulary import EPSILON, SCALE, SENSITIVITY, WHOLE_SENSITIVITY


@dataclass(frozen=True)
class LaplaceNoise(Noise):
    """Density e^(−|x|/b)/(2b) with scale b: Δ/b-DP for a query of ℓ₁ sensitivity Δ.

    [Dwork, McSherry, Nissim & Smith 2006, Proposition 1; Introduction to privacy in AI/ML, "the laplace mechanism".]
    """

    name = "Laplace"
    source = DMNS06
    scale_how = "b = Δ₁/ε"
    sd_how = "√2 b"
    mean_how = "b"
    rounded_how = "√(cosh(1/2b)/2)/sinh(1/2b); geometric noise is as private and less"

    scale: float = parameter(SCALE)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, sensitivity: float) -> Self:  # noqa: ARG003 - spends no δ
        return cls.calibrate(epsilon, sensitivity)

    @classmethod
    def sds(cls, epsilon: npt.ArrayLike, delta: float, sensitivity: float) -> Array:  # noqa: ARG003 - spends no δ
        return np.asarray(math.sqrt(2) * sensitivity / numbers_in(epsilon, EPSILON))

    @classmethod
    def calibrate(cls, epsilon: float, sensitivity: float) -> Self:
        """The least scale that is ε-DP, Δ/ε, rounded up where it is no double."""
        epsilon = parameter_value(EPSILON, epsilon)
        sensitivity = parameter_value(SENSITIVITY, sensitivity)
        scale = sensitivity / epsilon
        if math.isfinite(scale) and Fraction(scale) * Fraction(epsilon) < Fraction(sensitivity):
            scale = math.nextafter(scale, math.inf)
        return cls(scale)

    @property
    def sd(self) -> float:
        """√2 b."""
        return math.sqrt(2) * self.scale

    @property
    def mean_error(self) -> float:
        """E|X| = b."""
        return self.scale

    @property
    def noise_scale(self) -> float:
        """b."""
        return self.scale

    def largest_loss(self, sensitivity: float = 1) -> float:
        """Δ/b, with half of all answers."""
        return self._sensitivity(sensitivity) / self.scale

    @property
    def rounded_sd(self) -> float:
        """The sd of the noise rounded to whole numbers, √(cosh(r/2)/2)/sinh(r/2) with r = 1/b.

        √cosh(r/2) times that of geometric noise with the same ε: rounding is free for privacy, and not the best.
        """
        a = math.exp(-0.5 / self.scale)
        return math.sqrt((1 + a * a) * a) / -math.expm1(-1 / self.scale)

    def _density(self, x: Array) -> Array:
        return np.asarray(np.exp(-np.abs(x / self.scale)) / 2 / self.scale)

    def _cdf(self, x: Array) -> Array:
        tail = np.asarray(np.exp(-np.abs(x / self.scale)) / 2)
        return np.where(x < 0, tail, 1 - tail)

    def _quantile(self, p: Array) -> Array:
        # 2p is exact, and so is 1 − p for p ≥ ½.
        with np.errstate(divide="ignore"):
            distance = self.scale * np.log(2 * np.minimum(p, 1 - p))
        return np.asarray(np.where(p < 0.5, distance, 0.0 - distance), dtype=np.float64)

    def _delta(self, epsilon: Array, sensitivity: float) -> Array:
        # 1 − e^(−d/2) with d = Δ/b − ε > 0 what the loss at its largest exceeds ε by.
        return np.asarray(0.0 - np.expm1(-_left(ratio(sensitivity, over=self.scale), epsilon) / 2))

    def _loss(self, x: Array, sensitivity: float) -> Array:
        return np.asarray((np.abs(x) - np.abs(x - sensitivity)) / self.scale)

    def excess(self, x: Array, rounded: bool = False) -> tuple[Array, Array]:
        # b e^(−x/b)/2 and b² e^(−x/b). Rounded, Pr[X = j] = A q^j with q = e^(−1/b), and it is q^x times A Σ j q^j and
        # A Σ j² q^j.
        if not rounded:
            left = np.exp(-x / self.scale)
            return np.asarray(self.scale / 2 * left), np.asarray(self.scale * self.scale * left)
        rate = 1 / self.scale
        q, rest, left = math.exp(-rate), -math.expm1(-rate), np.exp(-x * rate)
        return (np.asarray(math.exp(-rate / 2) / (2 * rest) * left),
                np.asarray(math.exp(-rate / 2) * (1 + q) / (2 * rest * rest) * left))

    def _log_tail(self, x: Array) -> Array:
        z = x / self.scale
        return np.where(z > 0, -z - math.log(2), np.log1p(-0.5 * np.exp(-np.abs(z))))

    def _tail_loss(self, x: Array, sensitivity: float) -> Array:
        # Δ/b where both tails are exponential, however far out; else through the difference of the tails.
        d, z = sensitivity / self.scale, x / self.scale
        low = np.exp(np.minimum(z, 0.0))
        below = np.log1p(-0.5 * low * math.expm1(-d) / (1 - 0.5 * low))
        near = np.clip(z, 0.0, min(d, 1.0))
        between = np.log1p(-(np.expm1(near - d) + np.expm1(-near)) * np.exp(near))
        high = np.clip(z, 0.0, d)
        beyond = high + math.log(2) + np.log1p(-0.5 * np.exp(high - d))
        return np.where(x >= sensitivity, d, np.where(z <= 0, below, np.where(z <= 1, between, beyond)))

    def _crossing(self, loss: float, sensitivity: float) -> float:
        # (|x| − |x − Δ|)/b = loss between 0 and Δ.
        d = sensitivity / self.scale
        return math.copysign(math.inf, loss) if loss >= d or loss < -d else (sensitivity + loss * self.scale) / 2

    def _trade_off(self, alpha: Array, sensitivity: float) -> Array:
        # With ε = Δ/b: 1 − e^ε α up to e^−ε/2, then e^−ε/(4α) up to ½, then e^−ε (1 − α). [Dong, Roth & Su 2022, (6).]
        epsilon = min(sensitivity / self.scale, np.finfo(float).max)
        y = epsilon + np.log(alpha)
        few = np.where(y < -math.log(2), -np.expm1(y), np.exp(-y) / 4)
        return np.where(alpha < 0.5, few, math.exp(-epsilon) * (1 - alpha))

    def _power(self, alpha: Array, sensitivity: float) -> Array:
        # Up to e^−ε/2 it is e^ε α; from there on at least ½.
        y = min(sensitivity / self.scale, np.finfo(float).max) + np.log(alpha)
        return np.where(y < -math.log(2), np.exp(np.minimum(y, 0.0)), 1 - self._trade_off(alpha, sensitivity))

    def sample(self, size: Size, rng: np.random.Generator) -> npt.NDArray[np.float64 | np.int64] | float | int:
        return rng.laplace(0.0, self.scale, size)


@dataclass(frozen=True)
class GeometricNoise(WholeNoise):
    """Whole numbers x with probability (1 − a)/(1 + a) a^|x|, a = e^(−ε/Δ): ε-DP where one record moves a count by Δ.

    `delta_at` and `trade_off` take whole sensitivities, 1 unless said, whatever Δ the noise was made for.
    [Ghosh, Roughgarden & Sundararajan 2012, Definition 2.3.]
    """

    name = "geometric"
    source = GRS12
    scale_how = "Δ₁/ε: each step is e^(−ε/Δ₁) times as likely as the last"
    sd_how = "1/(√2 sinh(ε/(2Δ₁)))"
    mean_how = "1/sinh(ε/Δ₁)"

    epsilon: float = parameter(EPSILON)
    sensitivity: int = parameter(WHOLE_SENSITIVITY, 1)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, sensitivity: float) -> Self:  # noqa: ARG003 - spends no δ
        return cls(epsilon, parameter_value(WHOLE_SENSITIVITY, sensitivity))  # type: ignore[arg-type]  # made whole

    @classmethod
    def sds(cls, epsilon: npt.ArrayLike, delta: float, sensitivity: float) -> Array:  # noqa: ARG003 - spends no δ
        rate = numbers_in(epsilon, EPSILON) / sensitivity
        return np.asarray(math.sqrt(2) * np.exp(-rate / 2) / -np.expm1(-rate))

    @property
    def noise_scale(self) -> float:
        """Δ/ε."""
        return self.sensitivity / self.epsilon

    def largest_loss(self, sensitivity: float = 1) -> float:
        """ε times the sensitivity over the one it was made for, with half of all answers."""
        return ratio(self.epsilon, self._sensitivity(sensitivity), over=self.sensitivity)[0]

    @property
    def _rate(self) -> float:
        """r = −ln a, by which the law falls with each step."""
        return self.epsilon / self.sensitivity

    @property
    def sd(self) -> float:
        """√(2a)/(1 − a) = 1/(√2 sinh(r/2)), r = ε/Δ."""
        return math.sqrt(2) * math.exp(-self._rate / 2) / -math.expm1(-self._rate)

    @property
    def mean_error(self) -> float:
        """E|X| = 2a/(1 − a²) = 1/sinh(r)."""
        return 2 * math.exp(-self._rate) / -math.expm1(-2 * self._rate)

    def _density(self, x: Array) -> Array:
        mass = math.tanh(self._rate / 2) * np.exp(-np.abs(x) * self._rate)
        return np.where(np.floor(x) == x, mass, 0.0)

    def _upper(self, x: Array) -> Array:
        # a^x/(1 + a)
        return np.asarray(np.exp(-self._rate * x) / self._one_and_a)

    def _log_upper(self, x: Array) -> Array:
        return np.asarray(-self._rate * x - math.log(self._one_and_a))

    def _far(self, tail: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(tail * self._one_and_a) / self._rate)

    @property
    def _one_and_a(self) -> float:
        return 1 + math.exp(-self._rate)

    def _delta(self, epsilon: Array, sensitivity: float) -> Array:
        # The loss is r (s − 2x) at x = 0 … s, and that of its ends beyond. Of it the values x ≤ j exceed ε, and their
        # excess is 1 − e^(−d/2) cosh(h)/cosh(r/2), d = rs − ε > 0 and h = d/2 − r (j + ½): two positive terms.
        left = _left(ratio(self.epsilon, sensitivity, over=self.sensitivity), epsilon) / 2
        j = np.maximum(np.ceil(left / self._rate) - 1, 0)
        inner, outer = np.maximum(left - self._rate * j, 0), np.maximum(self._rate * (j + 1) - left, 0)
        between = np.exp(-left) * np.expm1(-inner) * np.expm1(-outer) / self._one_and_a
        return np.asarray(between - np.expm1(-left))

    def _loss(self, x: Array, sensitivity: float) -> Array:
        return np.asarray((np.abs(x) - np.abs(x - sensitivity)) * self._rate)

    def excess(self, x: Array, rounded: bool = False) -> tuple[Array, Array]:  # noqa: ARG002 - whole already
        # a^x times A Σ j a^j = a/(1 − a²) and A Σ j² a^j = a/(1 − a)², A = (1 − a)/(1 + a).
        a, rest, left = math.exp(-self._rate), -math.expm1(-self._rate), np.exp(-x * self._rate)
        return np.asarray(a / (rest * (1 + a)) * left), np.asarray(a / (rest * rest) * left)

    def _tail_loss(self, x: Array, sensitivity: float) -> Array:
        # rΔ where both tails are exponential, however far out; else through the difference of the tails.
        x, r, s = np.ceil(x), self._rate, sensitivity
        low = np.exp(-r * (1 - np.minimum(x, 0.0))) / self._one_and_a
        below = np.log1p(-low * math.expm1(-r * s) / (1 - low))
        inside = np.clip(x, 0.0, s)
        between = r * inside + np.log1p(-math.exp(-r) * np.expm1(-r * (s - inside)))
        return np.where(x >= s, r * s, np.where(x <= 0, below, between))

    def _crossing(self, loss: float, sensitivity: float) -> float:
        # r (2x − Δ) > loss at a whole x between 0 and Δ.
        most = self._rate * sensitivity
        if loss >= most or loss < -most:
            return math.copysign(math.inf, loss)
        return math.floor((sensitivity + loss / self._rate) / 2) + 1.0

    def _trade_off(self, alpha: Array, sensitivity: float) -> Array:
        # The most powerful tests find the record where X ≥ t, t = s … 1: type I error a^t/(1 + a), type II error
        # a^(s+1−t)/(1 + a); between them a straight line of slope −a^(s−2t), and of −a^∓s at the ends.
        r, s = self._rate, sensitivity
        log_alpha = np.log(alpha * self._one_and_a)
        t = np.clip(np.floor(-log_alpha / r), 1, s)
        above = np.exp(-r * (s - t)) * np.expm1(np.minimum(log_alpha + r * t, 0))
        many = (np.exp(-r * (s + 1 - t)) - above) / self._one_and_a
        return np.where(log_alpha < -r, many, math.exp(-r * s) * (1 - alpha))

    def _power(self, alpha: Array, sensitivity: float) -> Array:
        # Up to a^s/(1 + a) it is a^−s α; from there on at least ½.
        y = self._rate * sensitivity + np.log(alpha)
        few = y < -math.log(self._one_and_a)
        return np.where(few, np.exp(np.minimum(y, 0.0)), 1 - self._trade_off(alpha, sensitivity))

    def sample(self, size: Size, rng: np.random.Generator) -> npt.NDArray[np.float64 | np.int64] | float | int:
        """Noise of exactly this law, that of the rational number ε/Δ, from random bits alone; None gives one number."""
        if self._rate < SLOWEST:
            raise InvalidParameter("epsilon / sensitivity", "at least 1e-17 to draw whole numbers", self._rate)
        return discrete_laplace(Fraction(self.epsilon) / self.sensitivity, size, rng)


def _left(loss: tuple[float, float], epsilon: Array) -> Array:
    """What a loss, given in two parts, exceeds ε by; 0 where it does not."""
    return np.maximum((loss[0] - epsilon) + loss[1], 0.0)
