"""What is drawn first: a quantile by the exponential mechanism, and a bound that is chosen privately."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.sources import SMITH11
from dpstudio.mechanisms.laws import Claim
from dpstudio.mechanisms.quantile import PrivateBound, PrivateQuantile
from dpstudio.models.numbers import Weighted, private_bound, private_bound_rmse
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import number as f
from dpstudio.studies.number.compared import NODES, Compared
from dpstudio.studies.number.data import Data, data_of
from dpstudio.studies.number.errors import Far, within_pieces

_JUST = 1e-9
"""Part of a view that lies between both sides of a jump."""


def pure(study: f.Number) -> Guarantee:
    """ε-DP, and no more is known of its law."""
    return Guarantee(study.relation, study.epsilon, 0.0, Claim(study.epsilon, 0.0), SMITH11, "bound")


@dataclass(frozen=True)
class Ranked(Compared):
    """A quantile by the exponential mechanism."""

    @property
    def guarantee(self) -> Guarantee:
        """ε-DP, for all rows of a person."""
        return pure(self.study)

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
class ChosenBound(Compared):
    """A bound among those up to U, drawn with a part of ε, and Laplace noise on what it leaves of the sum."""

    @property
    def guarantee(self) -> Guarantee:
        """Both ε together."""
        return pure(self.study)

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


def exponential(study: f.Number) -> Ranked | None:
    """The exponential mechanism, of a quantile."""
    return None if study.is_summed else Ranked(study)


def bounded(study: f.Number) -> ChosenBound | None:
    """A private bound, of values that are 0 or more, against these data."""
    fits = study.is_summed and not study.is_private_ratio and study.about == "data" and study.lower == 0
    return ChosenBound(study) if fits and float(data_of(study).values.quantile(0.0)) >= 0 else None
