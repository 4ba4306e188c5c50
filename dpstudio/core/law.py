"""What a release lets an attacker tell: its law, the smallest ε at a δ, and what every law has from these alone.

A law is the mechanism on its worst pair of neighbours, both ways: `delta_at` and `trade_off`. What else it knows
in closed form it says by methods of its own: `power`, `epsilon_at`, `largest_loss`, `both_ways`, `after` and `grouped`;
and by `is_more_than_enough` what is told without a search.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import shaped
from dpstudio.core.declare import Array
from dpstudio.core.slow import still_awaited

ROOM = 1e-12
"""Part by which a δ may lie above another and still is that one: its own rounding."""
MOVED_UP = 1e-12
"""Part that an ε in closed form is moved up by, more than its own rounding."""
LARGEST = 1e9
"""An ε beyond which nobody looks for a smaller δ."""
_NEAR = 1e-12
"""Part of itself to which an ε is found."""
_ROUNDS = 100
_BEFORE = (1e-3, 1e-9)
"""Parts of an ε by which is looked before it how δ comes to 0: where losses are limited, as a line does."""
_LOST = -660.0
"""ln of what is lost among the smallest numbers where it is not multiplied by e^ε."""


class PrivacyProfile(Protocol):
    """What knows its privacy profile alone; a closed `epsilon_at(delta)` may stand beside."""

    def delta_at(self, epsilon: npt.ArrayLike, /) -> float | Array:
        """The smallest δ at each ε ≥ 0, or a bound on it."""


class Law(PrivacyProfile, Protocol):
    """A release on its worst pair of neighbours, both ways."""

    def trade_off(self, alpha: npt.ArrayLike, /) -> float | Array:
        """The smallest type II error at each type I error α, or a bound from below."""


def power(law: Law, alpha: npt.ArrayLike) -> float | Array:
    """1 − T(α), the largest chance of being found at each type I error: the law's own, which loses no digit."""
    own = getattr(law, "power", None)
    found: float | Array = own(alpha) if own else shaped(1 - np.asarray(law.trade_off(alpha)))
    return found


def largest_loss(law: Law) -> float:
    """The largest privacy loss of any outcome: what the law says of its own, or ε(0); ∞ where every ε needs a δ.

    ∞ also where none is known to be limited, for δ does not come to 0 as a line does, and is lost among the smallest
    numbers.
    """
    own = getattr(law, "largest_loss", None)
    if own is not None:
        return float(own)
    closed = getattr(law, "epsilon_at", None)
    found = float(closed(0.0)) if closed else smallest_epsilon(law, 0.0)
    if not 0 < found < math.inf:
        return found
    before = [float(law.delta_at(found * (1 - part))) for part in _BEFORE]
    return math.inf if any(delta > 0 and math.log(delta) < _LOST + found for delta in before) else found


def same_both_ways(law: Law) -> bool:
    """Whether the worst pair is the same both ways, so that δ of either is that of both."""
    return bool(getattr(law, "both_ways", False))


def is_more_than_enough(law: Law, epsilon: float, delta: float) -> bool | None:
    """Whether ε is more than the smallest at which δ is enough; None where the law does not tell without a search."""
    own = getattr(law, "is_more_than_enough", None)
    found: bool | None = own(epsilon, delta) if own else None
    return found


def after(law: Law, k: int) -> Law | None:
    """The law of k such releases about the same person, exactly, where it is known."""
    own = getattr(law, "after", None)
    found: Law | None = law if k == 1 else own(k) if own else None
    return found


def grouped(law: Law, size: int) -> Law | None:
    """The law for so many records of one person, exactly, where it is known."""
    own = getattr(law, "grouped", None)
    found: Law | None = law if size == 1 else own(size) if own else None
    return found


def smallest_epsilon(law: PrivacyProfile, delta: float, near: float = 1.0) -> float:
    """The smallest ε ≥ 0 at which a law's δ(ε) is at most δ, to 1e-12 and not below; ∞ where there is none.

    δ(ε) falls and is convex in e^ε, so that a chord in e^ε ends at or beyond the root and the line through two places
    before it at or before it. Several places are asked at once; `near` is a first guess.
    """
    guess = near if 0 < near < LARGEST else 1.0
    asked = np.array([0.0, guess, guess * (1 - _NEAR), guess / 2, LARGEST])
    found = np.asarray(law.delta_at(asked), dtype=np.float64)
    if found[0] <= delta:
        return 0.0
    if found.min() > delta:  # where one place holds, what is left at the largest is rounding
        return math.inf
    places, found = asked[:-1], found[:-1]
    while not (found <= delta).any():
        places = np.append(places, np.minimum(places.max() * 2.0 ** np.arange(1, 7), LARGEST))
        found = np.append(found, np.asarray(law.delta_at(places[len(found):])))
    for _ in range(_ROUNDS):
        still_awaited()
        order = np.argsort(places, kind="stable")
        places, found = places[order], found[order]
        # What rises by rounding is passed over: the last place that needs more decides.
        i = int(np.flatnonzero(found > delta)[-1])
        if i + 1 == len(places):
            return math.inf
        low, high = float(places[i]), float(places[i + 1])
        if high - low <= 2 * _NEAR * high:
            return high
        asked = np.array(_between(places[max(i - 1, 0):i + 2], found[max(i - 1, 0):i + 2], delta))
        asked = np.unique(asked[(asked > low) & (asked < high)])
        places, found = places[max(i - 1, 0):i + 2], found[max(i - 1, 0):i + 2]
        places = np.concatenate([places, asked])
        found = np.concatenate([found, np.asarray(law.delta_at(asked)).reshape(-1)])
    return high


def _between(places: Array, found: Array, delta: float) -> list[float]:
    """Where the root may lie between the last two places, the one before them showing how the curve bends."""
    low, high = float(places[-2]), float(places[-1])
    above, below = float(found[-2]), float(found[-1])
    share = (above - delta) / (above - below)
    width = high - low
    chord = low + (math.log1p(share * math.expm1(width)) if width < 700 else width + math.log(share))
    shown = [chord, (low + high) / 2]
    if below > 0 and delta > 0:
        shown.append(low + width * math.log(above / delta) / math.log(above / below))
    if len(places) == 3 and found[0] > above:
        slope = (above - delta) / (float(found[0]) - above)
        shown.append(low + math.log1p(slope * -math.expm1(float(places[0]) - low)))
    if low > 0 and high > 4 * low:
        shown.append(math.sqrt(low * high))
    return [at * (1 + side * _NEAR) for at in shown for side in (-1, 0, 1)]
