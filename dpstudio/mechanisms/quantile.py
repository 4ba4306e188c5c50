"""A quantile of people's values, drawn by the exponential mechanism.

The values, clipped to [L, U], cut that interval into pieces. A piece with i values below it is drawn with a probability
that is proportional to its length times e^(−ε|i − t|/(2Δ)), where t is the rank that is asked for and Δ the most by
which one person moves i − t, and the answer is uniform on it [McSherry & Talwar 2007; Smith 2011]. Values that are
equal have a piece of no length between them, which is never drawn: where many share the very value that is asked for,
an answer is next to it at best.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped, weighted
from dpstudio.core.declare import Array, AtMost, InvalidParameter, accepted
from dpstudio.core.sources import MT07, SMITH11, Source
from dpstudio.core.special import less_product
from dpstudio.mechanisms.laws import BoundedRange
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import (
    AMOUNT,
    EPSILON,
    LOWER_CLIP,
    NONNEGATIVE,
    PROBABILITY,
    UPPER_CLIP,
    Choice,
    variant,
)

NEIGHBOURS = Choice(("add or remove", "replace"))
"""Whether one person more or less makes a neighbour, or another value of one person, where n is public."""
_RANKS = variant(PROBABILITY, key="ranks", domain=NONNEGATIVE)
_ROUNDING = 2.0**-50
"""Part of the number of persons by which a rank may be off: q n is rounded, and so is q."""

Size: TypeAlias = int | tuple[int, ...] | None


class RankAnswer(ABC):
    """An answer by the exponential mechanism: near a rank among values, pieces between which are drawn.

    `values` may be in any order and have ties; `times`, whole numbers, say how many persons have each, 1 unless said.
    Every number of its law is exact: `probabilities` and `edges` of the pieces, the density that is constant on each of
    them, and what follows. What is drawn is as private as ε says, whatever the values are.
    """

    source: ClassVar[Source] = SMITH11
    loss_source: ClassVar[Source] = MT07

    values: npt.ArrayLike
    lower: float
    upper: float
    epsilon: float
    times: npt.ArrayLike | None

    def __post_init__(self) -> None:
        keep = object.__setattr__
        keep(self, "lower", parameter_value(LOWER_CLIP, self.lower, "lower"))
        keep(self, "upper", parameter_value(UPPER_CLIP, self.upper, "upper"))
        keep(self, "epsilon", parameter_value(EPSILON, self.epsilon))
        if self.lower >= self.upper:
            raise InvalidParameter("lower", AtMost("upper", self.upper), self.lower, "" if self.lower > self.upper else
                                   "an interval has a length")
        self._sorted  # noqa: B018 - refuses what is no list of values

    @property
    @abstractmethod
    def target(self) -> float:
        """The rank t that is asked for: so many values should lie below the answer."""

    @abstractmethod
    def _beyond(self, ranks: Array) -> Array:
        """i − t, without the rounding of t."""

    @property
    @abstractmethod
    def sensitivity(self) -> float:
        """Δ, the most by which one person moves i − t of any piece."""

    @cached_property
    def _sorted(self) -> tuple[Array, Array]:
        """The values as given, rising, and how many persons have each."""
        given, persons = weighted(self.values, self.times, AMOUNT)
        if self.times is None:
            return np.sort(given), persons
        order = np.argsort(given, kind="stable")
        return given[order], persons[order]

    @property
    def n(self) -> int:
        """How many persons there are."""
        return int(self.ranks[-1])

    @property
    def law(self) -> BoundedRange:
        """What it tells of one person at most: its losses lie within one interval of the length ε."""
        return BoundedRange(self.epsilon)

    # Pieces

    @cached_property
    def edges(self) -> Array:
        """L, the clipped values, and U: where pieces begin and end, of which those between equal values have no length.

        One more than there are pieces.
        """
        return np.concatenate([[self.lower], np.clip(self._sorted[0], self.lower, self.upper), [self.upper]])

    @cached_property
    def ranks(self) -> Array:
        """How many persons' values lie below each piece."""
        return np.concatenate([[0.0], np.cumsum(self._sorted[1])])

    @cached_property
    def distances(self) -> Array:
        """|i − t| of each piece, how far its rank is from the one that is asked for."""
        return np.abs(self._beyond(self.ranks))

    @cached_property
    def log_probabilities(self) -> Array:
        """ln of the probability of each piece, −∞ of those without a length."""
        with np.errstate(divide="ignore"):
            logs = np.log(np.diff(self.edges)) - self.epsilon / (2 * self.sensitivity) * self.distances
        most = logs.max()
        return np.asarray(logs - (most + math.log(np.exp(logs - most).sum())))

    @cached_property
    def probabilities(self) -> Array:
        """The probability of each piece: one more than there are values."""
        return np.exp(self.log_probabilities)

    @cached_property
    def _up_to(self) -> Array:
        """Probability below each edge."""
        return np.concatenate([[0.0], np.cumsum(self.probabilities)])

    @cached_property
    def _from_on(self) -> Array:
        """And above."""
        return np.concatenate([np.cumsum(self.probabilities[::-1])[::-1], [0.0]])

    def _piece(self, x: Array) -> npt.NDArray[np.intp]:
        """The piece with a length in which x in [L, U] lies, the last one for U."""
        inside = np.searchsorted(self.edges, x, side="right") - 1
        last = np.searchsorted(self.edges, self.upper, side="left") - 1
        return np.clip(inside, 0, last)

    # The law of the answer

    def density(self, x: npt.ArrayLike) -> float | Array:
        """The density at x, constant on each piece and 0 beyond the bounds."""
        at = numbers_in(x, AMOUNT, "x")
        piece = self._piece(np.clip(at, self.lower, self.upper))
        inside = (at >= self.lower) & (at <= self.upper)
        return shaped(np.where(inside, self.probabilities[piece] / (self.edges[piece + 1] - self.edges[piece]), 0.0))

    def cdf(self, x: npt.ArrayLike) -> float | Array:
        """Pr[answer ≤ x], a straight line on each piece, to full relative accuracy where it is small."""
        at = np.clip(numbers_in(x, AMOUNT, "x"), self.lower, self.upper)
        piece = self._piece(at)
        part = (at - self.edges[piece]) / (self.edges[piece + 1] - self.edges[piece])
        return shaped(np.minimum(self._up_to[piece] + self.probabilities[piece] * part, 1.0))

    def tail(self, x: npt.ArrayLike) -> float | Array:
        """Pr[answer > x], the complement."""
        at = np.clip(numbers_in(x, AMOUNT, "x"), self.lower, self.upper)
        piece = self._piece(at)
        part = (self.edges[piece + 1] - at) / (self.edges[piece + 1] - self.edges[piece])
        return shaped(np.minimum(self._from_on[piece + 1] + self.probabilities[piece] * part, 1.0))

    def quantile(self, p: npt.ArrayLike) -> float | Array:
        """The smallest x with Pr[answer ≤ x] ≥ p; p is in [0, 1]."""
        return shaped(self._quantile(numbers_in(p, PROBABILITY, "p")))

    def _quantile(self, p: Array) -> Array:
        last = self.edges.size - 2
        # From the end that is nearer; 1 − p is exact from ½ on.
        low = np.clip(np.searchsorted(self._up_to, p, side="left") - 1, 0, last)
        high = np.clip(last + 1 - np.searchsorted(self._from_on[::-1], 1 - p, side="right"), 0, last)
        with np.errstate(invalid="ignore", divide="ignore"):
            from_low = (p - self._up_to[low]) / self.probabilities[low]
            from_high = ((1 - p) - self._from_on[high + 1]) / self.probabilities[high]
        width = np.diff(self.edges)
        below = self.edges[low] + np.nan_to_num(np.clip(from_low, 0.0, 1.0)) * width[low]
        above = self.edges[high + 1] - np.nan_to_num(np.clip(from_high, 0.0, 1.0)) * width[high]
        return np.asarray(np.where(p < 0.5, below, above))

    @cached_property
    def mean(self) -> float:
        """The mean of the answer."""
        return self.lower + float(np.sum(self.probabilities * self._middles))

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the answer: the spread of the pieces, and that within each."""
        away = self._middles - (self.mean - self.lower)
        return math.sqrt(float(np.sum(self.probabilities * (away * away + np.diff(self.edges) ** 2 / 12))))

    @property
    def _middles(self) -> Array:
        """The middle of each piece, from L on."""
        return (self.edges[:-1] - self.lower) + np.diff(self.edges) / 2

    # How near the rank is

    @cached_property
    def _by_distance(self) -> tuple[Array, Array]:
        """The distances |i − t| of the pieces, rising, and the probability of the pieces from none to all of them."""
        order = np.argsort(self.distances, kind="stable")
        return self.distances[order], np.concatenate([[0.0], np.cumsum(self.probabilities[order])])

    def within(self, ranks: npt.ArrayLike) -> float | Array:
        """Pr[|i − t| ≤ r], that so many ranks at most lie between the answer and the one that is asked for; r ≥ 0."""
        asked = numbers_in(ranks, _RANKS, "ranks")
        distances, up_to = self._by_distance
        room = _ROUNDING * (self.n + 1.0)
        return shaped(np.minimum(up_to[np.searchsorted(distances, asked + room, side="right")], 1.0))

    @cached_property
    def mean_rank_error(self) -> float:
        """E|i − t|."""
        return float(np.sum(self.probabilities * self.distances))

    def sample(self, size: Size, rng: np.random.Generator) -> Array | float:
        """Answers of the shape `size`, one number for None: a piece, and a place on it.

        The generator's doubles serve for exploring; a release of real data needs a sampler without their gaps.
        """
        piece = self._piece_of(rng.random(size))
        width = np.diff(self.edges)
        return shaped(np.asarray(self.edges[piece] + rng.random(size) * width[piece]))

    def _piece_of(self, uniform: npt.ArrayLike) -> npt.NDArray[np.intp]:
        found = np.searchsorted(self._up_to[1:], np.asarray(uniform) * self._up_to[-1], side="right")
        return np.asarray(np.minimum(found, np.flatnonzero(self.probabilities)[-1]), dtype=np.intp)


@dataclass(frozen=True, eq=False)
class PrivateQuantile(RankAnswer):
    """The quantile q of people's values in [L, U], of rank t = qn.

    `neighbours` says who is whose: “add or remove”, for which one person moves i − qn by max(q, 1 − q) at most, or
    “replace”, for which n is public and it is 1. q is public, and depends on no data; of a q that is made of n see
    `PrivateBound`. [Smith 2011.]
    """

    values: npt.ArrayLike
    lower: float
    upper: float
    probability: float
    epsilon: float
    neighbours: str = "add or remove"
    times: npt.ArrayLike | None = None

    @classmethod
    def of_counts(cls, values: npt.ArrayLike, times: npt.ArrayLike, lower: float, upper: float, probability: float,
                  epsilon: float, neighbours: str = "add or remove") -> Self:
        """That of values which so many persons have each."""
        return cls(values, lower, upper, probability, epsilon, neighbours, times)

    def __post_init__(self) -> None:
        object.__setattr__(self, "probability", parameter_value(PROBABILITY, self.probability))
        accepted("neighbours", NEIGHBOURS, self.neighbours)
        super().__post_init__()

    @property
    def target(self) -> float:
        """q n."""
        return self.probability * self.n

    def _beyond(self, ranks: Array) -> Array:
        return less_product(ranks, np.full(ranks.shape, float(self.n)), self.probability)

    @property
    def sensitivity(self) -> float:
        """max(q, 1 − q), or 1 where one value is replaced."""
        return max(self.probability, 1 - self.probability) if self.neighbours == "add or remove" else 1.0


@dataclass(frozen=True, eq=False)
class PrivateBound(RankAnswer):
    """A bound that about so many people's values lie above, of rank t = n − `above`.

    As it is the number above that is asked for, one person moves its distance by 1 at most, added, removed or replaced:
    ε-DP for any of them, also where n is private. The quantile q = 1 − k/n with its Δ = max(q, 1 − q) would not be, for
    that q is made of n. `above` is public, and 0 or more. [Smith 2011.]
    """

    values: npt.ArrayLike
    lower: float
    upper: float
    above: float
    epsilon: float
    times: npt.ArrayLike | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "above", parameter_value(_RANKS, self.above, "above"))
        super().__post_init__()

    @property
    def target(self) -> float:
        """n less the number above."""
        return self.n - self.above

    def _beyond(self, ranks: Array) -> Array:
        return np.asarray((ranks - self.n) + self.above)

    @property
    def sensitivity(self) -> float:
        """1."""
        return 1.0
