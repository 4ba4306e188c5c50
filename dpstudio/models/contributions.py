"""Rows of a person: what keeping at most b of each person's rows costs, and what it saves.

A person with r rows adds min(b, r), so that one person moves the count by b at most, and noise must hide b. The rows
beyond are lost: B(b) = Σ (r − b)⁺ over the persons. Noise grows with b, the loss falls, and a bound between is best.
[Amin et al. 2019.]

Which one that is depends on the rows that people have: who publishes it, or anything chosen by it, releases something
about them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from dpstudio.core.declare import Array
from dpstudio.mechanisms.noise import analytic_sigma
from dpstudio.records import dataclass

MOST = 10**6
"""Larger bounds are not looked at."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How many persons have how many rows."""

    persons: Mapping[int, int]
    """Persons by their number of rows."""

    @property
    def total(self) -> int:
        return sum(self.persons.values())

    @property
    def most(self) -> int:
        return max((rows for rows, persons in self.persons.items() if persons), default=0)

    def between(self, low: int, high: int) -> int:
        """Persons with so many rows, both ends included."""
        return sum(persons for rows, persons in self.persons.items() if low <= rows <= high)

    def kept(self, at_most: int | None) -> int:
        """Σ min(b, rows) over the persons."""
        return sum(persons * (rows if at_most is None else min(at_most, rows))
                   for rows, persons in self.persons.items())

    def beyond(self, at_most: npt.ArrayLike) -> Array:
        """Persons with more rows than b, at each b."""
        return self._sums(at_most)[0]

    def lost(self, at_most: npt.ArrayLike) -> Array:
        """Σ (rows − b)⁺ over the persons, at each b; whole numbers, exact up to 2⁵³."""
        persons, rows = self._sums(at_most)
        return np.asarray(rows - np.asarray(at_most, dtype=np.float64) * persons)

    def _sums(self, at_most: npt.ArrayLike) -> tuple[Array, Array]:
        """The persons with more rows than b, and all their rows."""
        each = np.array(sorted(self.persons), dtype=np.float64)
        persons = np.array([self.persons[int(rows)] for rows in each], dtype=np.float64)
        after = np.searchsorted(each, np.asarray(at_most, dtype=np.float64), side="right")
        return tuple(np.append(np.cumsum(part[::-1])[::-1], 0.0)[after]  # type: ignore[return-value]
                     for part in (persons, persons * each))


@dataclass(frozen=True, slots=True)
class NoiseByBound:
    """Noise on a count that one person moves by b, as functions of (b, ε, δ)."""

    sd: Callable[[Array, float, float], Array]
    past: Callable[[Array, Array, float, float], Array]
    """2 E(X − B)⁺ of the noise X, from (B, b, ε, δ): E|X − B| = B + 2 E(X − B)⁺, for EX = 0."""
    needs_delta: bool = False


def _geometric_sd(bound: Array, epsilon: float, _: float = 0.0) -> Array:
    return np.asarray(math.sqrt(2) * np.exp(-epsilon / bound / 2) / -np.expm1(-epsilon / bound))


def _geometric_past(lost: Array, bound: Array, epsilon: float, _: float = 0.0) -> Array:
    """2 Σ_(j > B) Pr[X ≥ j] = 2a^(B + 1)/(1 − a²) with a = e^(−ε/b), for Pr[X ≥ j] = a^j/(1 + a)."""
    return np.asarray(2 * np.exp(-epsilon / bound * (lost + 1)) / -np.expm1(-2 * epsilon / bound))


def _gaussian_sd(bound: Array, epsilon: float, delta: float) -> Array:
    return np.asarray(bound * float(analytic_sigma(epsilon, delta)))


def _gaussian_past(lost: Array, bound: Array, epsilon: float, delta: float) -> Array:
    """2(σ φ(B/σ) − B Φ(−B/σ))."""
    sigma = _gaussian_sd(bound, epsilon, delta)
    z = lost / sigma
    return np.asarray(2 * sigma * (np.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * ndtr(-z)))


NOISES: Mapping[str, NoiseByBound] = MappingProxyType({
    "laplace": NoiseByBound(lambda b, epsilon, _: math.sqrt(2) * b / epsilon,
                     lambda lost, b, epsilon, _: b / epsilon * np.exp(-epsilon * lost / b)),
    "geometric": NoiseByBound(_geometric_sd, _geometric_past),
    "gaussian": NoiseByBound(_gaussian_sd, _gaussian_past, needs_delta=True),
})
"""By the key of a series."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """The count of rows under each bound: how far it is off."""

    bound: Array
    lost: Array
    """Rows that are left out: the bias."""
    noise: Array
    """The standard deviation of the noise."""
    typical: Array
    """√(lost² + noise²), the root of the mean square of its error."""
    mean: Array
    """E|error|."""

    @property
    def best(self) -> int:
        """Where the bound of least error (sd) stands; of equal ones the smallest."""
        return int(np.argmin(self.typical))


def bounded(spread: Spread, noise: str, epsilon: float, delta: float = 0.0,
            bounds: npt.ArrayLike | None = None) -> Bounded:
    """What each bound comes to under noise of that name, from 1 to the most rows that a person has."""
    bound = every_bound(spread) if bounds is None else np.asarray(bounds, dtype=np.float64)
    made, lost = NOISES[noise], spread.lost(bound)
    sd = np.asarray(made.sd(bound, epsilon, delta))
    return Bounded(bound, lost, sd, np.hypot(lost, sd), lost + made.past(lost, bound, epsilon, delta))


def every_bound(spread: Spread) -> Array:
    """1, 2, … up to the most rows that a person has."""
    return np.arange(1.0, min(max(spread.most, 1), MOST) + 1)


def rule(spread: Spread, epsilon: float) -> int:
    """The smallest bound that at most 1/ε persons are above: near the 1/ε-th largest number of rows.

    One step more keeps one row of everybody above b and adds 1/ε to the mean absolute Laplace noise b/ε, so B(b) + b/ε
    falls while more than 1/ε persons are above, and is least here. E|error| = B + s e^(−B/s), s = b/ε, lies below B + s
    by a factor of (1 + t)/(t + e^−t) at most, t = B/s: its largest value is 1 + t at (2 + t)e^−t = 1, which is
    `RULE_AT_MOST`. So no other bound has a mean error of less than 1/1.466 of this one's.
    """
    bounds = np.array([1.0, *sorted(rows for rows in spread.persons if rows > 1)])
    return int(bounds[np.argmax(spread.beyond(bounds) <= 1 / epsilon)])


RULE_AT_MOST = 1.46594127238499
"""How many times the least mean absolute error the rule's may be, with Laplace noise."""
