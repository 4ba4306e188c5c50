"""What the number study compares: noise on a clipped sum or quantile, a rank that is drawn, a bound that is."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.sampling import generator
from dpstudio.core.sources import DMNS06, SMITH11
from dpstudio.mechanisms.laws import Claim
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise, Noise
from dpstudio.mechanisms.quantile import PrivateBound, PrivateQuantile
from dpstudio.models.numbers import (
    RatioMean,
    Released,
    Weighted,
    inverse_count,
    private_bound,
    private_bound_rmse,
    ratio_mean,
    sum_sensitivity,
)
from dpstudio.records import dataclass
from dpstudio.studies import number as f
from dpstudio.studies.kit.compared import promised_by
from dpstudio.studies.number.data import Data, Moments, data_of, moments
from dpstudio.studies.number.errors import Far, Off, within_pieces

NODES = 400
"""Equally likely parts of what is drawn first, where a law of both is a mixture."""
GRID, CLOSER, ROUNDS = 121, 13, 7
"""Bounds that are tried for the best one, then some about it, so often and ever closer."""
RELEASE = 7, 0
"""The place of the release that is shown among the streams of a seed."""
FARTHER = 100.0
"""So many times the largest value that is likely is the largest bound that is tried."""
ADDED_UP = 100.0
"""Noise in the number of values of so large a standard deviation is added up, one by one."""
_RARE, _JUST = 1e-6, 1e-9


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

    def jumps(self, low: float, high: float, most: int) -> Array:
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

    def pure(self) -> Guarantee:
        """ε-DP, and no more is known of its law."""
        s = self.study
        return Guarantee(s.relation, s.epsilon, 0.0, Claim(s.epsilon, 0.0), SMITH11, "bound")


def clipped_bias(data: Data, study: f.Number, upper: Array) -> Array:
    """What the bounds alone move the number by."""
    if study.is_summed:
        part = moments(data, study.lower, upper, study.about).bias
        return np.asarray(part * data.n if study.statistic == "sum" else part)
    true = data.true(study.statistic, study.share)
    return np.asarray(np.clip(true, study.lower, upper) - true)


@dataclass(frozen=True)
class Noised(Compared):
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
        if s.is_private_ratio:
            return float(sum_sensitivity(s.lower, s.upper, s.rows, "replace", exactly=True)) / 2
        change = "replace" if s.change == "replace" else "add or remove"
        return float(sum_sensitivity(s.lower, s.upper, s.rows, change, exactly=s.rows == 1))

    def sensitivities(self, upper: Array) -> Array:
        """That at each upper bound."""
        s = self.study
        if not s.is_summed:
            return upper - s.lower
        if s.is_private_ratio:
            return s.rows * (upper - s.lower) / 2
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
        tried = np.linspace(math.log(span * 1e-8), math.log(span * FARTHER), GRID)
        for points in (*[CLOSER] * ROUNDS, 0):
            found = self.rmse_at(base + np.exp(tried))
            i = int(np.argmin(found))
            if points:
                tried = np.linspace(tried[max(i - 1, 0)], tried[min(i + 1, len(tried) - 1)], points)
        return base + math.exp(tried[i]), float(found[i])


@dataclass(frozen=True)
class Ranked(Compared):
    """A quantile by the exponential mechanism."""

    @property
    def guarantee(self) -> Guarantee:
        """ε-DP, for all rows of a person."""
        return self.pure()

    def quantile_at(self, upper: float) -> PrivateQuantile:
        """The law under an upper bound: of c rows per person each is protected with ε/c."""
        s = self.study
        return _quantile(self.data, s.lower, upper, s.share, s.epsilon / s.rows, s.change)

    @property
    def law(self) -> PrivateQuantile:
        """Under the study's bound."""
        return self.quantile_at(self.study.upper)

    def rmse_at(self, upper: Array) -> Array:
        """√((mean − true)² + sd²)."""
        laws = map(self.quantile_at, upper.tolist())
        return np.array([math.hypot(law.mean - self.true, law.sd) for law in laws])

    def noise_at(self, upper: Array) -> Array:
        """The standard deviation of the answer."""
        return np.array([self.quantile_at(each).sd for each in upper.tolist()])

    @property
    def bias(self) -> float:
        """Its mean less the true quantile."""
        return self.law.mean - self.true

    def beyond(self, t: float) -> Far:
        """Pr[|error| > t]."""
        return Far(min(float(self._beyond(np.asarray(t))), 1.0))

    def within(self, level: float) -> Far:
        """The least t with Pr[|error| ≤ t] ≥ level."""
        return Far(within_pieces(self.law.edges, self._beyond, self.true, level))

    def _beyond(self, t: Array) -> Array:
        return np.asarray(np.asarray(self.law.tail(self.true + t)) + np.asarray(self.law.cdf(self.true - t)))

    def ranks(self, level: float) -> float:
        """The least r with Pr[|i − qn| ≤ r] ≥ level."""
        distances = np.unique(self.law.distances)  # of which rounding leaves 4.999 999 999 999 98
        return float(distances[int(np.argmax(np.asarray(self.law.within(distances)) >= level))].round(9))

    def density(self, x: Array) -> Array:
        """Constant between two values."""
        return np.asarray(self.law.density(x))

    def jumps(self, low: float, high: float, most: int) -> Array:
        """At each value, and at the bounds."""
        edges = self.law.edges[(self.law.edges >= low) & (self.law.edges <= high)]
        room = _JUST * (high - low)
        return np.concatenate([edges - room, edges + room]) if edges.size <= most else edges[:0]

    def errors(self, clipped: tuple[Array, Array], rng: np.random.Generator) -> Array:
        """Of data as expected."""
        return np.asarray(self.law.sample(clipped[0].shape, rng)) - self.true

    def released(self, rng: np.random.Generator) -> float:
        """One release."""
        return float(self.law.sample(None, rng))


@dataclass(frozen=True)
class Bounded(Compared):
    """A bound among those up to U, drawn with a part of ε, and Laplace noise on what it leaves of the sum."""

    @property
    def guarantee(self) -> Guarantee:
        """Both ε together."""
        return self.pure()

    @property
    def unit_scale(self) -> float:
        """The scale of the noise under a bound of 1."""
        return self.study.rows / (self.study.epsilon * (1 - self.study.bound_share))

    @property
    def divisor(self) -> float:
        """What the sum is divided by."""
        return float(self.data.n) if self.study.statistic == "mean" else 1.0

    @property
    def _column(self) -> Weighted:
        return self.data.near_top(1 / self.unit_scale)

    def bound_at(self, upper: float) -> PrivateBound:
        """The bound that is drawn from [0, upper]."""
        s = self.study
        return _bound(self.data, upper, s.epsilon * s.bound_share / s.rows, 1 / self.unit_scale)

    def rmse_at(self, upper: Array) -> Array:
        """Over the draw of the bound, and the noise."""
        unit = 2 * self.unit_scale**2
        return np.array([private_bound_rmse(self.bound_at(each), unit) for each in upper.tolist()]) / self.divisor

    def noise_at(self, upper: Array) -> Array:
        """√(rmse² − bias²)."""
        bias = np.array([self._bias(each) for each in upper.tolist()])
        return np.asarray(np.sqrt(np.maximum(self.rmse_at(upper) ** 2 - bias * bias, 0.0)))

    def _bias(self, upper: float) -> float:
        """On each piece what is cut away is a straight line."""
        bound = self.bound_at(upper)
        lost = self._column.sum_above(bound.edges)
        return -float(np.sum(bound.probabilities * (lost[:-1] + lost[1:]) / 2)) / self.divisor

    @cached_property
    def bias(self) -> float:
        """What is cut away on average."""
        return self._bias(self.study.upper)

    def beyond(self, t: float) -> None:
        """Not known."""

    def within(self, level: float) -> None:
        """Not known."""

    @cached_property
    def parts(self) -> tuple[Array, Array]:
        """Equally likely bounds, and the sum that each leaves."""
        bound = self.bound_at(self.study.upper)
        upper = np.asarray(bound.quantile((np.arange(NODES) + 0.5) / NODES))
        return upper, self._column.total - self._column.sum_above(upper)

    @property
    def chosen(self) -> float:
        """The median of the bound."""
        return float(self.bound_at(self.study.upper).quantile(0.5))

    def errors(self, clipped: tuple[Array, Array], rng: np.random.Generator) -> Array:
        """Of data as expected."""
        upper = np.asarray(self.bound_at(self.study.upper).sample(clipped[0].shape, rng))
        noise = self.unit_scale * upper * rng.laplace(size=upper.shape)
        return np.asarray((noise - self._column.sum_above(upper)) / self.divisor)

    def density(self, x: Array) -> Array:
        """A mixture over parts of the bound."""
        upper, left = self.parts
        scale = np.maximum(self.unit_scale * upper, 1e-300)
        away = np.abs(x[:, None] * self.divisor - left) / scale
        return np.asarray((np.exp(-away) / (2 * scale)).mean(axis=1)) * self.divisor

    def released(self, rng: np.random.Generator) -> float:
        """One release."""
        upper = float(self.bound_at(self.study.upper).sample(None, rng))
        left = self._column.total - float(self._column.sum_above(np.asarray(upper)))
        return (left + self.unit_scale * upper * float(rng.laplace())) / self.divisor


@lru_cache(maxsize=8)
def _quantile(data: Data, lower: float, upper: float, share: float, epsilon: float, change: str) -> PrivateQuantile:
    column = data.near_rank(share, epsilon)
    who = "replace" if change == "replace" else "add or remove"
    return PrivateQuantile(column.sorted, lower, upper, share, epsilon, who, column.persons)


@lru_cache(maxsize=8)
def _bound(data: Data, upper: float, bound_epsilon: float, sum_epsilon: float) -> PrivateBound:
    return private_bound(data.near_top(sum_epsilon), 0.0, upper, bound_epsilon, sum_epsilon)


def laplace(study: f.Number) -> Noised:
    """Laplace noise."""
    return Noised(study, LaplaceNoise.calibrate)


def gaussian(study: f.Number) -> Noised | None:
    """The least Gaussian noise; None without δ, and where the number of values is noisy, too."""
    if study.delta == 0 or study.is_private_ratio:
        return None
    return Noised(study, lambda epsilon, sensitivity: GaussianNoise.analytic(epsilon, study.delta, sensitivity))


def exponential(study: f.Number) -> Ranked | None:
    """The exponential mechanism, of a quantile."""
    return None if study.is_summed else Ranked(study)


def bounded(study: f.Number) -> Bounded | None:
    """A private bound, of values that are 0 or more, against these data."""
    fits = study.is_summed and not study.is_private_ratio and study.about == "data" and study.lower == 0
    return Bounded(study) if fits and float(data_of(study).values.quantile(0.0)) >= 0 else None
