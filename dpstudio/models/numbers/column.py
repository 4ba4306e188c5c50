"""A column of numbers, each with how many persons have it: all that a law of values can be asked, exactly.

Sums of the values up to each of them are kept with twice the digits, so that what lies between two bounds, however
near or far out these are, is the difference of two of them: right to 1e-30 of the sum of all, whatever their signs.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core import twofold
from dpstudio.core.arrays import weighted
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.twofold import Twofold
from dpstudio.models.numbers.base import ValueLaw
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import AMOUNT

_ROUNDING = 2.0**-50
"""Part by which a rank may lie above a whole number and still is that one."""


@dataclass(frozen=True, eq=False)
class Weighted(ValueLaw):
    """Values, and how many persons have each: `sorted` ones, each once, `persons` none of them without.

    They are given in any order, for one person each unless said; at least one person, and at most 2⁵³ in all.
    """

    values: npt.ArrayLike
    times: npt.ArrayLike | None = None

    def __post_init__(self) -> None:
        if not self.sorted.size:
            raise InvalidParameter("values", "those of one person at least", [])

    @cached_property
    def _tallied(self) -> tuple[Array, Array]:
        given, persons = weighted(self.values, self.times, AMOUNT)
        there = persons > 0
        once, places = np.unique(given[there], return_inverse=True)
        return once, np.bincount(places, persons[there], once.size).astype(np.float64)

    @property
    def sorted(self) -> Array:
        """The values that somebody has, each once, rising."""
        return self._tallied[0]

    @property
    def persons(self) -> Array:
        """How many persons have each."""
        return self._tallied[1]

    @property
    def n(self) -> int:
        """How many persons there are."""
        return int(self._up_to[-1])

    @cached_property
    def mean(self) -> float:
        """The mean of all."""
        return float(self._moments[0])

    @property
    def variance(self) -> float:
        """The mean square of their distances from the mean."""
        return float(self._moments[1])

    @property
    def total(self) -> float:
        """Their sum."""
        return float(self._sums[0][-1] + self._sums[1][-1])

    @cached_property
    def _moments(self) -> tuple[Array, Array]:
        return self._clipped(self.sorted[0], self.sorted[-1])

    @cached_property
    def _up_to(self) -> Array:
        """The persons that have the first 0, 1, … values."""
        return np.concatenate([[0.0], np.cumsum(self.persons)])

    @cached_property
    def _sums(self) -> Twofold:
        """Of those their sums."""
        return twofold.running(twofold.product(self.persons, self.sorted))

    @cached_property
    def _squares(self) -> Twofold:
        """And those of their squares."""
        squares = twofold.product(self.sorted, self.sorted)
        return twofold.running(twofold.times(squares, (self.persons, np.zeros(self.persons.shape))))

    def _at_most(self, x: Array) -> npt.NDArray[np.intp]:
        """How many of the values are no larger."""
        return np.searchsorted(self.sorted, x, side="right")

    def _cdf(self, x: Array) -> Array:
        return np.asarray(self._up_to[self._at_most(x)] / self.n)

    def _tail(self, x: Array) -> Array:
        return np.asarray(self.more_than(x) / self.n)

    def _quantile(self, p: Array) -> Array:
        ranks = p * self.n * (1 - _ROUNDING)
        return np.asarray(self.sorted[np.searchsorted(self._up_to[1:-1], ranks, side="left")])

    def _above(self, x: Array) -> Array:
        return self.sum_above(x) / self.n

    def _below(self, x: Array) -> Array:
        return self.sum_below(x) / self.n

    def more_than(self, x: Array) -> Array:
        """How many persons have a larger value."""
        return np.asarray(self.n - self._up_to[self._at_most(x)])

    def sum_below(self, x: Array) -> Array:
        """Σ (x − value)⁺ over all persons."""
        fewer = np.searchsorted(self.sorted, x, side="left")
        found = twofold.less(twofold.product(self._up_to[fewer], x), twofold.at(self._sums, fewer))
        return np.maximum(found[0], 0.0)

    def sum_above(self, x: Array) -> Array:
        """Σ (value − x)⁺ over all persons."""
        place = self._at_most(x)
        rest = twofold.less(twofold.at(self._sums, -1), twofold.at(self._sums, place))
        found = twofold.less(rest, twofold.product(self.n - self._up_to[place], x))
        return np.maximum(found[0], 0.0)

    def _clipped(self, lower: Array, upper: Array) -> tuple[Array, Array]:
        # A bound that clips nobody is moved to the last value that there is, so that it adds no digits.
        low, high = np.clip(self.sorted[0], lower, upper), np.clip(self.sorted[-1], lower, upper)
        first, last = np.searchsorted(self.sorted, low, side="left"), self._at_most(high)
        below, above = self._up_to[first], self.n - self._up_to[last]
        total = twofold.less(twofold.at(self._sums, last), twofold.at(self._sums, first))
        square = twofold.less(twofold.at(self._squares, last), twofold.at(self._squares, first))
        for persons, bound in ((below, low), (above, high)):
            alone = twofold.product(persons, bound)
            total = twofold.add(total, alone)
            square = twofold.add(square, twofold.times(alone, (bound, np.zeros(bound.shape))))
        mean = twofold.over(total, float(self.n))
        left = twofold.less(square, twofold.times(total, mean))
        return mean[0], np.where(low < high, np.maximum(left[0], 0.0) / self.n, 0.0)
