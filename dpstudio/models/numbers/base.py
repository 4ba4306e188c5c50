"""What is known of the number that a person has: what every law of it, and every column of data, can be asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, shaped
from dpstudio.core.declare import Array, AtMost, InvalidParameter
from dpstudio.vocabulary import AMOUNT, LOWER_CLIP, PROBABILITY, UPPER_CLIP


class ValueLaw(ABC):
    """The law of a person’s value X, or the values of everybody in a column.

    Whoever asks gives numbers or arrays and has floats or arrays of their shape; two bounds broadcast. Tails and
    excesses keep their digits where they are tiny.
    """

    if TYPE_CHECKING:  # of some laws it is a field
        @property
        def mean(self) -> float:
            """E X."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """Var X."""

    @abstractmethod
    def _cdf(self, x: Array) -> Array:
        """Pr[X ≤ x]."""

    @abstractmethod
    def _tail(self, x: Array) -> Array:
        """Pr[X > x]."""

    @abstractmethod
    def _quantile(self, p: Array) -> Array:
        """The smallest x with Pr[X ≤ x] ≥ p."""

    @abstractmethod
    def _above(self, x: Array) -> Array:
        """E (X − x)⁺."""

    @abstractmethod
    def _below(self, x: Array) -> Array:
        """E (x − X)⁺."""

    @abstractmethod
    def _clipped(self, lower: Array, upper: Array) -> tuple[Array, Array]:
        """Mean and variance of X clipped to [lower, upper], of one shape."""

    def cdf(self, x: npt.ArrayLike) -> float | Array:
        """Pr[X ≤ x]; its complement is `tail`."""
        return shaped(self._cdf(numbers_in(x, AMOUNT, "x")))

    def tail(self, x: npt.ArrayLike) -> float | Array:
        """Pr[X > x]."""
        return shaped(self._tail(numbers_in(x, AMOUNT, "x")))

    def quantile(self, p: npt.ArrayLike) -> float | Array:
        """The smallest x with Pr[X ≤ x] ≥ p, the end of the law at 0 and at 1; p is in [0, 1]."""
        return shaped(self._quantile(numbers_in(p, PROBABILITY, "p")))

    def above(self, upper: npt.ArrayLike) -> float | Array:
        """E (X − U)⁺, what clipping at U takes away on average."""
        return shaped(self._above(numbers_in(upper, UPPER_CLIP, "upper")))

    def below(self, lower: npt.ArrayLike) -> float | Array:
        """E (L − X)⁺, what raising to L adds on average."""
        return shaped(self._below(numbers_in(lower, LOWER_CLIP, "lower")))

    def bias(self, lower: npt.ArrayLike, upper: npt.ArrayLike) -> float | Array:
        """E clip(X) − E X = E (L − X)⁺ − E (X − U)⁺."""
        low, high = bounds(lower, upper)
        return shaped(np.asarray(self._below(low) - self._above(high)))

    def clipped_moments(self, lower: npt.ArrayLike, upper: npt.ArrayLike) -> tuple[float | Array, float | Array]:
        """Mean and variance of X clipped to [L, U]."""
        mean, variance = self._clipped(*bounds(lower, upper))
        return shaped(mean), shaped(variance)


class Continuous(ValueLaw):
    """A law with a density: moments of what is clipped, from what is kept on either side of its median.

    About c, the median clipped to [L, U], the clipped X is c + A − B with A = min((X − c)⁺, U − c) and
    B = min((c − X)⁺, c − L). Each is above 0 with probability ½ at most, so that E(A − B)² is twice the variance at
    most.
    """

    @property
    @abstractmethod
    def median(self) -> float:
        """The value that half of all lie above."""

    @abstractmethod
    def _kept_above(self, start: Array, end: Array) -> tuple[Array, Array]:
        """E A and E A² of A = min((X − start)⁺, end − start), where end > start no less than the median, else 0."""

    @abstractmethod
    def _kept_below(self, start: Array, end: Array) -> tuple[Array, Array]:
        """E B and E B² of B = min((start − X)⁺, start − end), where end < start no more than the median, else 0."""

    def _clipped(self, lower: Array, upper: Array) -> tuple[Array, Array]:
        start = np.clip(self.median, lower, upper)
        above, above_square = self._kept_above(start, upper)
        below, below_square = self._kept_below(start, lower)
        moved = above - below
        return np.asarray(start + moved), np.maximum(above_square + below_square - moved * moved, 0.0)


def bounds(lower: npt.ArrayLike, upper: npt.ArrayLike) -> tuple[Array, Array]:
    """Two bounds as arrays of one shape; raises InvalidParameter where L > U."""
    low, high = numbers_in(lower, LOWER_CLIP, "lower"), numbers_in(upper, UPPER_CLIP, "upper")
    try:
        low, high = np.broadcast_arrays(low, high)
    except ValueError:
        raise InvalidParameter("upper", f"of a shape that goes with {low.shape}", high.tolist()) from None
    if (wrong := low > high).any():
        raise InvalidParameter("lower", AtMost("upper", float(high[wrong][0])), float(low[wrong][0]))
    return low, high
