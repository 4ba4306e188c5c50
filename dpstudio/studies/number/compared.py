"""What the number study compares: noise on a clipped sum or quantile, a rank that is drawn, a bound that is."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.sampling import generator
from dpstudio.core.sources import DMNS06
from dpstudio.mechanisms.laws import Claim
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise, Noise
from dpstudio.models.numbers import (
    RatioMean,
    Released,
    inverse_count,
    ratio_mean,
    sum_sensitivity,
)
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import number as f
from dpstudio.studies.kit.compared import promised_by
from dpstudio.studies.number.data import Data, Moments, data_of, moments
from dpstudio.studies.number.errors import Far, Off

NODES = 400
"""Equally likely parts of what is drawn first, where a law of both is a mixture."""
GRID, CLOSER, ROUNDS = 121, 13, 12
"""Bounds that are tried for the best one, then some about it, so often and ever closer."""
RELEASE = 7, 0
"""The place of the release that is shown among the streams of a seed."""
NEARER, FARTHER, LEAST = 1e-20, 100.0, 1e-9
"""Parts of the largest value that is likely, from the least bound that is tried to the largest, and the least of all.
"""
ADDED_UP = 100.0
"""Noise in the number of values of so large a standard deviation is added up, one by one."""
_RARE = 1e-6


@dataclass(frozen=True)
class Compared:
    """One way to release the number."""

    study: f.Number

    @property
    @abstractmethod
    def guarantee(self) -> Guarantee:
        """What it promises one person."""

    @abstractmethod
    def rmse_at(self, upper: Array) -> Array:
        """The error under each upper bound."""

    @abstractmethod
    def noise_at(self, upper: Array) -> Array:
        """The standard deviation of the release for given data under each upper bound."""

    @property
    @abstractmethod
    def bias(self) -> float:
        """How far it is off on average."""

    @abstractmethod
    def beyond(self, t: float) -> Far | None:
        """Pr[|error| > t], of releases of these data; None where that is not known."""

    @abstractmethod
    def within(self, level: float) -> Far | None:
        """The least t with Pr[|error| ≤ t] ≥ level."""

    @abstractmethod
    def density(self, x: Array) -> Array:
        """The density of the released number; of a law where the data are as expected."""

    @abstractmethod
    def errors(self, clipped: tuple[Array, Array], rng: np.random.Generator) -> Array:
        """Errors of releases: of each how far its clipped mean is from the truth, and that mean."""

    @abstractmethod
    def released(self, rng: np.random.Generator) -> float:
        """One release."""

    def jumps(self, low: float, high: float, most: int) -> Array:  # noqa: ARG002 - of most there is one
        """Where the density has a corner, or both sides of each jump, if these are not too many."""
        at = self.true + self.bias
        return np.array([at] if low < at < high else [])

    @property
    def loose(self) -> str:
        """Why what is said of an attack is a bound."""
        return "; its law is that of any ε-DP release" if self.guarantee.kind == "bound" else ""

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ at each ε, or a bound on it."""
        return self.guarantee.delta_at(epsilon)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The smallest type II error at each type I error, or a bound from below."""
        return self.guarantee.trade_off(alpha)

    @cached_property
    def data(self) -> Data:
        """The values."""
        return data_of(self.study)

    @cached_property
    def true(self) -> float:
        """The true number."""
        return self.data.true(self.study.statistic, self.study.share)

    @cached_property
    def rmse(self) -> float:
        """The error under the study's bound."""
        return float(self.rmse_at(np.array([self.study.upper]))[0])

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the release for given data."""
        return float(self.noise_at(np.array([self.study.upper]))[0])

    @cached_property
    def shown(self) -> float:
        """The release that is shown, the first of this seed."""
        return self.released(generator(self.study.seed, *RELEASE))


def clipped_bias(data: Data, study: f.Number, upper: Array) -> Array:
    """What the bounds alone move the number by."""
    if study.is_summed:
        part = moments(data, study.lower, upper, study.about).bias
        return np.asarray(part * data.n if study.statistic == "sum" else part)
    true = data.true(study.statistic, study.share)
    return np.asarray(np.clip(true, study.lower, upper) - true)


@dataclass(frozen=True)
class NoisyNumber(Compared):
    """Laplace or Gaussian noise on the clipped sum, over n or a noisy n, or on the quantile itself."""

    made: Callable[[float, float], Noise]
    """The least noise by ε and sensitivity."""

    @property
    def sum_epsilon(self) -> float:
        """What is spent on the sum."""
        s = self.study
        return s.epsilon * (1 - s.count_share) if s.is_private_ratio else s.epsilon

    @cached_property
    def count_noise(self) -> GeometricNoise:
        """That of the number of values, where it is private."""
        s = self.study
        return GeometricNoise(s.epsilon * s.count_share, s.rows)

    @cached_property
    def unit_sd(self) -> float:
        """The standard deviation of the noise where one person moves the sum by 1."""
        return self.made(self.sum_epsilon, 1.0).sd

    @cached_property
    def sensitivity(self) -> float:
        """The most by which one person moves the sum, rounded up, or the quantile."""
        s = self.study
        if not s.is_summed:
            return float(sum_sensitivity(s.lower, s.upper, 1, "replace", exactly=True))
        if s.is_private_ratio:  # about the middle a row moves it by half of U − L
            moved = float(sum_sensitivity(s.lower, s.upper, s.rows, "replace", exactly=True))
            return moved if s.change == "replace" else moved / 2
        change = "replace" if s.change == "replace" else "add or remove"
        return float(sum_sensitivity(s.lower, s.upper, s.rows, change, exactly=s.rows == 1))

    def sensitivities(self, upper: Array) -> Array:
        """That at each upper bound, of hundreds at once and so not rounded up: errors need not be."""
        s = self.study
        if not s.is_summed:
            return upper - s.lower
        if s.is_private_ratio:
            return s.rows * (upper - s.lower) / (1 if s.change == "replace" else 2)
        if s.change == "add_or_remove":
            return s.rows * np.maximum(np.abs(upper), abs(s.lower))
        return s.rows * (upper - (s.lower if s.rows == 1 else min(s.lower, 0.0)))

    @cached_property
    def noise(self) -> Noise:
        """On the sum, or on the quantile."""
        return self.made(self.sum_epsilon, self.sensitivity)

    @property
    def guarantee(self) -> Guarantee:
        """That of the noise; with a noisy number of values both ε together, as a bound."""
        s = self.study
        if s.is_private_ratio:
            return Guarantee(s.relation, s.epsilon, 0.0, Claim(s.epsilon, 0.0), DMNS06, "bound")
        delta = s.delta if isinstance(self.noise, GaussianNoise) else 0.0
        return promised_by(self.noise, self.sensitivity, s.relation, s.epsilon, delta)

    @property
    def divisor(self) -> float:
        """What the sum is divided by."""
        return float(self.data.n) if self.study.statistic == "mean" else 1.0

    def _moments(self, upper: Array) -> Moments:
        return moments(self.data, self.study.lower, upper, self.study.about)

    @cached_property
    def _inverse(self) -> tuple[float, float, float]:
        """E W, E W² and n² E 1/M², W = n/M − 1, of the noisy number of values M."""
        n = self.data.n
        first, spread = ratio_mean(n, 1.0, 0.0, self.count_noise, 0.0)
        return first, first * first + spread * spread, inverse_count(self.count_noise, n)[1] * n * n

    def rmse_at(self, upper: Array) -> Array:
        """√(bias² + variance of the noise + what the draw of the data adds)."""
        if not self.study.is_summed:
            return np.hypot(clipped_bias(self.data, self.study, upper), self.noise_at(upper))
        at, n = self._moments(upper), self.data.n
        noise = self.unit_sd * self.sensitivities(upper) / self.divisor
        times = n / self.divisor
        square = (times * at.bias) ** 2 + times * times * at.spread / n
        if self.study.is_private_ratio:
            first, second, scaled = self._inverse
            away = at.mean - (self.study.lower + upper) / 2
            square = (square + 2 * first * (at.bias * away + at.spread / n) + second * (away**2 + at.spread / n)
                      + noise * noise * scaled)
            return np.sqrt(np.maximum(square, 0.0))
        return np.hypot(np.sqrt(square), noise)

    def noise_at(self, upper: Array) -> Array:
        """For data as expected."""
        noise = self.unit_sd * self.sensitivities(upper) / self.divisor
        if self.study.is_private_ratio:
            first, second, scaled = self._inverse
            away = self._moments(upper).mean - (self.study.lower + upper) / 2
            return np.asarray(np.sqrt(np.maximum(second - first * first, 0.0) * away * away + noise * noise * scaled))
        return noise

    @cached_property
    def bias(self) -> float:
        """What the bounds cut away and, of a noisy number of values, what dividing by it adds."""
        upper = np.array([self.study.upper])
        found = float(clipped_bias(self.data, self.study, upper)[0])
        if self.study.is_private_ratio:
            found += self._inverse[0] * (float(self._moments(upper).mean[0]) - self._centre)
        return found

    @property
    def _centre(self) -> float:
        return (self.study.lower + self.study.upper) / 2

    @cached_property
    def ratio(self) -> RatioMean:
        """The released mean over a noisy number of values, for data as expected."""
        mean = float(self._moments(np.array([self.study.upper])).mean[0])
        return RatioMean(self.data.n, mean, self._centre, self.noise, self.count_noise)

    @cached_property
    def _off(self) -> Off:
        s, sampling = self.study, 0.0
        if s.is_summed and s.about == "population":
            spread = float(self._moments(np.array([s.upper])).spread[0])
            sampling = math.sqrt(self.data.n * spread) / self.divisor
        return Off(self.bias, self.noise, 1 / self.divisor, sampling)

    def noise_within(self, level: float) -> float:
        """How far the noise alone is off at most, so often."""
        return float(self.noise.error_quantile(level)) / self.divisor

    def beyond(self, t: float) -> Far:
        """Pr[|error| > t]; of a noisy number of values over all of its noise or, where that is much, a bound."""
        if not self.study.is_private_ratio:
            return self._off.beyond(t)
        if not self._is_added_up:
            return Far(min((self.rmse / t) ** 2, 1.0) if t else 1.0, False)
        return Far(min(float(self.ratio.tail(self.true + t)) + float(self.ratio.cdf(self.true - t)), 1.0))

    def within(self, level: float) -> Far:
        """The least t with Pr[|error| ≤ t] ≥ level."""
        if not self.study.is_private_ratio:
            return self._off.within(level)
        if not self._is_added_up:
            return Far(self.rmse / math.sqrt(1 - level), False)
        return Far(float(self.ratio.half_width(level, self.true)))

    @property
    def _is_added_up(self) -> bool:
        return self.count_noise.sd <= ADDED_UP and self.study.about == "data"

    @cached_property
    def law(self) -> Released:
        """Of the released number, for data as expected."""
        return Released(self.noise, self.true, self.bias, 1 / self.divisor)

    def density(self, x: Array) -> Array:
        """Of a noisy number of values a mixture over parts of its noise."""
        if not self.study.is_private_ratio:
            return np.asarray(self.law.density(x))
        ratio, n = self.ratio, self.data.n
        count = np.maximum(n + np.asarray(self.count_noise.quantile((np.arange(NODES) + 0.5) / NODES)), 1.0)
        at = (x[:, None] - ratio.centre) * count - n * (ratio.mean - ratio.centre)
        return np.asarray((np.asarray(self.noise.density(at)) * count).mean(axis=1))

    def errors(self, clipped: tuple[Array, Array], rng: np.random.Generator) -> Array:
        """Of noise, and of the data where they are drawn anew."""
        (off, mean), n = clipped, self.data.n
        noise = np.asarray(self.noise.sample(off.shape, rng))
        if not self.study.is_summed:
            return noise + self.bias
        if self.study.is_private_ratio:
            many = np.maximum(n + np.asarray(self.count_noise.sample(off.shape, rng)), 1.0)
            return np.asarray(off + (mean - self._centre) * (n / many - 1) + noise / many)
        return np.asarray(off * (n / self.divisor) + noise / self.divisor)

    def released(self, rng: np.random.Generator) -> float:
        """One release for data as expected."""
        noise = float(self.noise.sample(None, rng))
        if not self.study.is_private_ratio:
            return self.true + self.bias + noise / self.divisor
        n, ratio = self.data.n, self.ratio
        many = max(n + float(self.count_noise.sample(None, rng)), 1.0)
        return ratio.centre + (n * (ratio.mean - ratio.centre) + noise) / many

    @cached_property
    def best(self) -> tuple[float, float] | None:
        """The upper bound with the least error, and that error; None where no value lies above the lower bound."""
        base = max(self.study.lower, 0.0)
        span = float(self.data.values.quantile(1 - max(_RARE / self.data.n, 2.0**-53))) - base
        if not self.study.is_summed or span <= 0:
            return None
        tried = np.linspace(math.log(max(span * NEARER, LEAST)), math.log(max(span, LEAST) * FARTHER), GRID)
        for points in (*[CLOSER] * ROUNDS, 0):
            found = self.rmse_at(base + np.exp(tried))
            i = int(np.argmin(found))
            if points:
                tried = np.linspace(tried[max(i - 1, 0)], tried[min(i + 1, len(tried) - 1)], points)
        # Where raised and cut values weigh up, it is in a valley so narrow that a plainer number may lie deeper in it.
        upper = base + math.exp(tried[i])
        plainer = np.array([upper, *(each for digits in (12, 9, 6, 3) if (each := float(f"{upper:.{digits}g}")) > (
            self.study.lower))])
        errors = self.rmse_at(plainer)
        least = int(np.argmin(errors))
        return float(plainer[least]), float(errors[least])


def laplace(study: f.Number) -> NoisyNumber:
    """Laplace noise."""
    return NoisyNumber(study, LaplaceNoise.calibrate)


def gaussian(study: f.Number) -> NoisyNumber | None:
    """The least Gaussian noise; None without δ, and where the number of values is noisy, too."""
    if study.delta == 0 or study.is_private_ratio:
        return None
    return NoisyNumber(study, lambda epsilon, sensitivity: GaussianNoise.analytic(epsilon, study.delta, sensitivity))
