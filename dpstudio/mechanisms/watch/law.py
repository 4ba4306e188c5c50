"""What a watch gives away of one record, from the largest losses of a move as small as one likes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, shaped
from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Law, smallest_epsilon
from dpstudio.vocabulary import DELTA, EPSILON_OR_ZERO, EPSILON_PRIME, TYPE_I

_ROOM = 1e-12
"""Part that a closed ε is moved up by, more than its own rounding."""


@dataclass(frozen=True)
class AsymmetricLaplace:
    """Noise whose density falls by e^−`fewer` per unit on one side and by e^−`more` on the other, moved by 1.

    The most that an answer shows of a record of which any part u in [0, 1] could be counted, where the loss of u is u ·
    `fewer` at most for what is likelier without it, and u · `more` for what is likelier with it. As that part grows by
    du, the probability p of an event falls by min(fewer · p, more · (1 − p)) du at most and rises by min(more · p,
    fewer · (1 − p)) du at most; what moves just so fast is the distribution of this noise.
    """

    fewer: float
    more: float

    def __post_init__(self) -> None:
        for rate in (self.fewer, self.more):
            numbers_in(rate, EPSILON_OR_ZERO)

    @property
    def epsilon(self) -> float:
        """The larger of both: the smallest ε with δ = 0."""
        return max(self.fewer, self.more)

    def at(self, epsilon: float) -> AsymmetricLaplace:
        """The same with noise so much wider or narrower that it keeps that ε."""
        return AsymmetricLaplace(self.fewer / self.epsilon * epsilon, self.more / self.epsilon * epsilon)

    @property
    def _least(self) -> tuple[float, float]:
        """min(a, b)/(a + b), and a + b: 0 and 0 where nothing is shown."""
        both = self.fewer + self.more
        return (min(self.fewer, self.more) / both if both else 0.0), both

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """1 − exp(−min(a, b) (max(a, b) − ε′)/(a + b)), and 0 from ε on; ε′ is in [0, ∞), of any shape."""
        at = numbers_in(epsilon, EPSILON_PRIME, "epsilon")
        return shaped(-np.expm1(-self._least[0] * np.maximum(self.epsilon - at, 0.0)))

    def epsilon_at(self, delta: float) -> float:
        """ε(δ) = max(a, b) + ln(1 − δ) (a + b)/min(a, b), and 0 where that is less."""
        allowed, part = float(numbers_in(delta, DELTA)), self._least[0]
        if part == 0:
            return self.epsilon
        less = -math.log1p(-allowed) / part if allowed < 1 else math.inf
        return max(self.epsilon - less, 0.0) * (1 + _ROOM * (less > 0))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 − T(α), the larger of both ways; α is in [0, 1], of any shape."""
        a = numbers_in(alpha, TYPE_I, "alpha")
        return shaped(np.maximum(_moved(a, self.fewer, self.more), _moved(a, self.more, self.fewer)))

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α): the smallest type II error of any test of one against the other, the smaller of both ways."""
        return shaped(1 - np.asarray(self.power(alpha)))


def _moved(at: Array, rising: float, ending: float) -> Array:
    """Where p comes to from a place whose slope is min(rising · p, ending · (1 − p)), over a stretch of 1."""
    if rising == 0 or ending == 0:
        return at
    turn = ending / (rising + ending)
    with np.errstate(divide="ignore"):
        log = np.log(at)
    left = np.clip(1 - (math.log(turn) - log) / rising, 0.0, 1.0)  # of the stretch, beyond the turn
    beyond = 1 - (1 - np.maximum(at, turn)) * np.exp(-ending * left)
    return np.where(left > 0, beyond, np.exp(np.minimum(log + rising, 0.0)))


@dataclass(frozen=True)
class Both:
    """Two bounds on one release: of each δ and of each error whichever is nearer."""

    first: Law
    second: Law

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smaller δ at each ε ≥ 0, of any shape."""
        return shaped(np.minimum(self.first.delta_at(epsilon), self.second.delta_at(epsilon)))

    def epsilon_at(self, delta: float) -> float:
        """The smaller ε at which δ is enough."""
        return min(_epsilon_at(law, delta) for law in (self.first, self.second))

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The larger type II error at each type I error in [0, 1], of any shape."""
        return shaped(np.maximum(self.first.trade_off(alpha), self.second.trade_off(alpha)))


def _epsilon_at(law: Law, delta: float) -> float:
    closed = getattr(law, "epsilon_at", None)
    return float(closed(delta)) if closed else smallest_epsilon(law, delta)
