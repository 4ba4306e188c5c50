"""How many people a test of a share needs, and its power against how many there are."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.models.testing.naive import NOISE_OF_TEST, critical_values, rise_of
from dpstudio.models.testing.rises import Rise
from dpstudio.models.testing.shares import (
    LEVEL_OF_TEST,
    PEOPLE,
    SHARE_TESTED,
    TRUE_SHARE,
    GaussianShareTest,
    PlainTest,
    ShareTest,
)
from dpstudio.vocabulary import EPSILON, INSIDE_UNIT, PROBABILITY, variant

POWER_WANTED = variant(PROBABILITY, key="power", symbol="power", label="power", sentence="How likely the test is to "
                       "notice the alternative.", domain=INSIDE_UNIT)
MOST = 10**9
"""More people are not asked for."""
_AT_ONCE = 16
_LARGEST_BLOCK = 1024


def smallest_n(share: float, alternative: float, epsilon: float, delta: float = 0.0, level: float = 0.05,
               power: float = 0.8) -> float:
    """The fewest people with which the most powerful (ε, δ)-DP test of a share notices another one so often.

    One-sided, on the side of the alternative. Its power never falls as people join, who may be ignored. ∞ where 10⁹
    people are not enough.
    """
    return _fewest(ShareTest(1, share, epsilon, delta, level).rise, share, alternative, level, power)


def smallest_n_gaussian(share: float, alternative: float, mu: float, level: float = 0.05, power: float = 0.8) -> float:
    """The same of the most powerful μ-GDP test."""
    return _fewest(GaussianShareTest(1, share, mu, level).rise, share, alternative, level, power)


def smallest_n_plain(share: float, alternative: float, level: float = 0.05, power: float = 0.8) -> float:
    """The same without privacy, of the most powerful test with its coin."""
    return _fewest(PlainTest(1, share, level).rise, share, alternative, level, power)


def smallest_n_naive(share: float, alternative: float, epsilon: float, level: float = 0.05, power: float = 0.8,
                     noise: str = "geometric") -> float:
    """The fewest people with which a corrected `NaiveTest` notices so often; more may again notice less often.

    No less than `smallest_n`, from where all numbers are looked at.
    """
    if NOISE_OF_TEST.domain.accept(noise) is None:
        raise InvalidParameter("noise", NOISE_OF_TEST.domain, noise)
    rise = rise_of(noise, parameter_value(EPSILON, epsilon, "epsilon"))
    start, block = smallest_n(share, alternative, epsilon, 0.0, level, power), 2 * _AT_ONCE
    (p, q), (p_other, q_other) = _turned(share, alternative)
    while start <= MOST:
        n = np.arange(start, min(start + block, MOST + 1))
        one = np.ones(n.shape)
        c = critical_values(rise, n, p * one, q * one, level)
        enough = np.flatnonzero(rise.mean(n, p_other * one, q_other * one, c, one) >= power)
        if enough.size:
            return float(n[enough[0]])
        start, block = start + block, min(2 * block, _LARGEST_BLOCK)
    return math.inf


def powers(n: npt.ArrayLike, share: float, alternative: float, epsilon: float, delta: float = 0.0, level: float = 0.05
           ) -> float | Array:
    """The power of `ShareTest` on the side of the alternative at each number of people n, of any shape."""
    return _powers(ShareTest(1, share, epsilon, delta, level).rise, n, share, alternative, level)


def powers_gaussian(n: npt.ArrayLike, share: float, alternative: float, mu: float, level: float = 0.05
                    ) -> float | Array:
    """That of `GaussianShareTest`."""
    return _powers(GaussianShareTest(1, share, mu, level).rise, n, share, alternative, level)


def powers_plain(n: npt.ArrayLike, share: float, alternative: float, level: float = 0.05) -> float | Array:
    """That of `PlainTest`."""
    return _powers(PlainTest(1, share, level).rise, n, share, alternative, level)


def _turned(share: float, alternative: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both shares with their complements, of those who have not where the alternative is less."""
    p, other = parameter_value(SHARE_TESTED, share, "share"), parameter_value(TRUE_SHARE, alternative, "alternative")
    if p == other:
        raise InvalidParameter("alternative", "another share than the one that is tested", alternative)
    return ((1 - p, p), (1 - other, other)) if other < p else ((p, 1 - p), (other, 1 - other))


def _powers(rise: Rise, n: npt.ArrayLike, share: float, alternative: float, level: float) -> float | Array:
    given = numbers_in(n, PEOPLE, "n")
    level = parameter_value(LEVEL_OF_TEST, level, "level")
    (p, q), (p_other, q_other) = _turned(share, alternative)
    people = given.reshape(-1)
    one = np.ones(people.shape)
    found = rise.mean(people, p_other * one, q_other * one, *rise.place(people, p * one, q * one, level * one))
    return shaped(np.minimum(found, 1.0).reshape(given.shape))


def _fewest(rise: Rise, share: float, alternative: float, level: float, power: float) -> float:
    wanted = parameter_value(POWER_WANTED, power, "power")
    return _first(lambda n: np.asarray(_powers(rise, n, share, alternative, level)) >= wanted)


def _first(holds: Callable[[Array], npt.NDArray[np.bool_]]) -> float:
    """The smallest n up to 10⁹ from which on something holds, sixteen at a time; ∞ where it never does."""
    low, high = 0.0, math.inf
    n = np.unique(np.rint(np.geomspace(1, MOST, 2 * _AT_ONCE)))
    while True:
        found = holds(n)
        low, high = max(low, n[~found].max(initial=0.0)), min(high, n[found].min(initial=math.inf))
        if high - low <= 1 or math.isinf(high):
            return float(high)
        n = np.unique(np.floor(np.linspace(low, high, _AT_ONCE + 2)[1:-1]))
        n = n[(n > low) & (n < high)]
