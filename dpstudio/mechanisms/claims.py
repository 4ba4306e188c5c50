"""What ε and δ alone leave, of one record and of several: the laws of whatever nothing else is known of."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array
from dpstudio.core.law import MOVED_UP, Law
from dpstudio.records import dataclass
from dpstudio.vocabulary import DELTA, EPSILON_OR_ZERO, EPSILON_PRIME, GROUP_SIZE, TYPE_I


def trade_off(epsilon: npt.ArrayLike, delta: npt.ArrayLike, alpha: npt.ArrayLike) -> float | Array:
    """The smallest type II error that any attacker can have at type I error α, whatever the (ε, δ)-DP mechanism.

    max(0, 1 − δ − e^ε α, e^−ε (1 − δ − α)), of any shapes. [Wasserman & Zhou 2010, Theorem 2.4; Kairouz, Oh &
    Viswanath 2015, (3).]
    """
    e, d, a = numbers_in(epsilon, EPSILON_OR_ZERO), numbers_in(delta, DELTA), numbers_in(alpha, TYPE_I, "alpha")
    return shaped(least_missed(e, d, a))


def least_missed(epsilon: Array | float, delta: Array | float, alpha: Array) -> Array:
    """`trade_off` of arrays, to full relative accuracy also where it is tiny."""
    # 1 − δ − α: of what is at least a half the complement is exact, and so is ½ less what is at least a quarter.
    large, small = np.maximum(alpha, delta), np.minimum(alpha, delta)
    rest = np.where(large >= 0.5, (1 - large) - small, (0.5 - large) + (0.5 - small))
    with np.errstate(over="ignore", invalid="ignore"):
        steep = rest - np.where(alpha > 0, np.expm1(epsilon) * alpha, 0.0)
        return np.asarray(np.maximum(np.maximum(steep, np.exp(-np.asarray(epsilon)) * rest), 0.0))


def most_found(epsilon: Array | float, delta: Array | float, alpha: Array) -> Array:
    """1 less that, min(1, e^ε α + δ, 1 − e^−ε (1 − δ − α)), without subtraction where it is small."""
    with np.errstate(over="ignore", invalid="ignore"):
        steep = np.where(alpha > 0, np.exp(epsilon) * alpha, 0.0) + delta
        flat = np.exp(-np.asarray(epsilon)) * (alpha + delta) - np.expm1(-np.asarray(epsilon))
        return np.asarray(np.minimum(np.minimum(steep, flat), 1.0))


@dataclass(frozen=True)
class Claim:
    """The most that (ε, δ) alone leaves: with probability δ all is told, else the answer of a response with ε.

    δ(x) = δ + (1 − δ)(e^ε − e^x)/(1 + e^ε) for x ≤ ε, and δ beyond. ε = ∞ tells all. [Kairouz, Oh & Viswanath
    2015, (3).]
    """

    epsilon: float
    delta: float

    both_ways = True

    def __post_init__(self) -> None:
        if self.epsilon != math.inf:
            numbers_in(self.epsilon, EPSILON_OR_ZERO)
        numbers_in(self.delta, DELTA)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε′), exactly; ε′ is in [0, ∞), of any shape."""
        x = np.minimum(numbers_in(epsilon, EPSILON_PRIME, "epsilon"), self.epsilon)
        with np.errstate(invalid="ignore"):
            between = np.where(x < self.epsilon, -np.expm1(x - self.epsilon), 0.0) / (1 + math.exp(-self.epsilon))
        return shaped(self.delta + (1 - self.delta) * between)

    def epsilon_at(self, delta: float) -> float:
        """ε(δ) = ln(e^ε (1 − s) − s), s = (δ′ − δ)/(1 − δ) of δ′ ≥ δ; ∞ where δ′ < δ."""
        if delta < self.delta or (self.epsilon == math.inf and delta < 1):
            return math.inf
        share = (delta - self.delta) / (1 - self.delta) if self.delta < 1 else 1.0
        # e^x = e^ε − share·(1 + e^ε)
        rest = 1 - share * (1 + math.exp(-self.epsilon))
        return 0.0 if rest <= 0 else max(self.epsilon + math.log(rest), 0.0) * (1 + MOVED_UP * (share > 0))

    def is_more_than_enough(self, epsilon: float, delta: float) -> bool:
        """Whether that is less than ε."""
        return self.epsilon_at(delta) < epsilon

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """max(0, 1 − δ − e^ε α, e^−ε (1 − δ − α)); α is in [0, 1], of any shape."""
        return shaped(least_missed(self.epsilon, self.delta, numbers_in(alpha, TYPE_I, "alpha")))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 − T(α) = min(1, e^ε α + δ, 1 − e^−ε (1 − δ − α)), without subtraction where it is small."""
        return shaped(most_found(self.epsilon, self.delta, numbers_in(alpha, TYPE_I, "alpha")))

    def grouped(self, size: int) -> Law:
        """The most that (ε, δ) leaves of so many records."""
        records = int(parameter_value(GROUP_SIZE, size, "size"))
        return self if records == 1 or self.epsilon == math.inf else ClaimOfGroup(self.epsilon, self.delta, records)


@dataclass(frozen=True)
class ClaimOfGroup:
    """The most that (ε, δ) leaves of k records: k steps g(p) = min(e^ε p + δ, 1 − e^−ε (1 − δ − p), 1) of the steepest
    decision.

    Below (1 − δ)/(1 + e^ε) a step adds to p, above it takes from 1 − p: each branch is one exponential about
    −s, s = δ/(e^ε − 1), as in the curve of that decision, which attains it for every k; so does the two-sided geometric
    for δ = 0. [Desfontaines, Voss, Gipson & Mandayam 2022; Ghosh, Roughgarden & Sundararajan 2012.]
    """

    epsilon: float
    delta: float
    size: int

    both_ways = True

    def __post_init__(self) -> None:
        numbers_in(self.epsilon, EPSILON_OR_ZERO)
        numbers_in(self.delta, DELTA)
        parameter_value(GROUP_SIZE, self.size, "size")

    @property
    def largest_loss(self) -> float:
        """kε; ∞ where δ > 0."""
        return self.size * self.epsilon if not self.delta else math.inf

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """g(g(… g(α))); α is in [0, 1], of any shape."""
        return shaped(self._steps(numbers_in(alpha, TYPE_I, "alpha"))[0])

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """What that leaves of 1; α is in [0, 1], of any shape."""
        return shaped(self._steps(numbers_in(alpha, TYPE_I, "alpha"))[1])

    def _steps(self, alpha: Array) -> tuple[Array, Array]:
        """The probability after all steps, and its complement."""
        if self.epsilon == 0:
            added = self.size * self.delta
            return np.minimum(alpha + added, 1.0), np.maximum(1 - alpha - added, 0.0)
        growth, turn = self._growth
        with np.errstate(all="ignore"):
            room = (turn - alpha) * growth / (alpha * growth + self.delta)
            up = np.where(alpha > turn, 0.0, np.floor(np.log1p(np.maximum(room, 0.0)) / self.epsilon) + 1)
            up = np.minimum(np.where(np.isnan(up), math.inf, up), self.size)  # 0/0: from 0 without δ nothing rises
            low = np.where(alpha > 0, np.exp(self.epsilon * up + np.log(alpha)), 0.0) + self._share(self.epsilon * up)
        low = np.minimum(low, 1.0)
        down = self.epsilon * (self.size - up)
        fall, paid = -np.expm1(-down), self._share(-down)  # 1 − e^−εm, and −s of it
        left = np.where(up > 0, 1 - low, 1 - alpha) * np.exp(-down) + paid
        high = fall + low * np.exp(-down) - paid
        return np.clip(high, 0.0, 1.0), np.clip(left, 0.0, 1.0)

    @property
    def _growth(self) -> tuple[float, float]:
        """e^ε − 1, and where the branches meet."""
        small = math.exp(-self.epsilon)
        return (math.expm1(self.epsilon) if self.epsilon < 700 else math.inf), (1 - self.delta) * small / (1 + small)

    def _share(self, x: Array) -> Array:
        """s (e^x − 1)."""
        if not self.delta:
            return np.zeros(x.shape)
        with np.errstate(over="ignore"):
            return np.asarray(self.delta * np.exp(-self.epsilon) / -math.expm1(-self.epsilon) * np.expm1(x))

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(x), exactly; x is in [0, ∞), of any shape.

        With i = ⌊(x/ε + k)/2⌋ steps up to where the branches meet, and k − 1 − i down from 1 less it, it is
        B (e^−ε (1 − e^(−ε(k−1−i))) + 1 − e^(x − ε(i+1))) + s (e^x − 1), B = (1 − δ)/(1 + e^−ε) + δ/(1 − e^−ε), positive
        terms all. Where fewer steps lead there from 0, and from x = kε on, it is g(g(… g(0))).
        """
        x = numbers_in(epsilon, EPSILON_PRIME, "epsilon")
        of_none = float(self._steps(np.zeros(1))[0][0])
        if self.epsilon == 0:
            return shaped(np.full(x.shape, of_none))
        e, k, small = self.epsilon, self.size, math.exp(-self.epsilon)
        up = np.minimum(np.floor((x / e + k) / 2), k - 1.0)
        scale = (1 - self.delta) / (1 + small) + self.delta / -math.expm1(-e)
        with np.errstate(over="ignore", invalid="ignore"):
            found = scale * (-small * np.expm1(-e * (k - 1 - up)) - np.expm1(x - e * (up + 1))) + self._share(x)
            # From 0 so many steps lead to s (e^εi − 1), which is not beyond where the branches meet.
            met = (x < k * e) & (self._share(e * up) < self._growth[1])
        return shaped(np.where(met, np.clip(found, of_none, 1.0), of_none))


@dataclass(frozen=True)
class BoundedRange:
    """The most that losses of range ε leave: all of them lie in [t − ε, t] for some t, as of an exponential mechanism.

    The worst of such a t has two outcomes, with losses t and t − ε; over all t it is T(α) = e^−ε (1 − α)/(α + e^−ε
    (1 − α)), the trade-off of logistic noise moved by ε, and δ(x) = (1 − e^{(x−ε)/2})²/(1 − e^−ε) for x ≤ ε, attained
    at t = (ε + x)/2. An exponential mechanism on two candidates with real scores attains both.
    [Dong, Durfee & Rogers 2020.]
    """

    epsilon: float

    both_ways = True

    def __post_init__(self) -> None:
        numbers_in(self.epsilon, EPSILON_OR_ZERO)

    @property
    def largest_loss(self) -> float:
        """ε."""
        return self.epsilon

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """(1 − e^{(x−ε)/2})²/(1 − e^−ε), and 0 from ε on; x is in [0, ∞), of any shape."""
        left = np.maximum(self.epsilon - numbers_in(epsilon, EPSILON_PRIME, "epsilon"), 0.0)
        if self.epsilon == 0:
            return shaped(left)
        return shaped(np.expm1(-left / 2) * (np.expm1(-left / 2) / -math.expm1(-self.epsilon)))

    def epsilon_at(self, delta: float) -> float:
        """ε(δ) = ε + 2 ln(1 − √(δ (1 − e^−ε))), and 0 where that is less."""
        share = math.sqrt(float(numbers_in(delta, DELTA))) * math.sqrt(-math.expm1(-self.epsilon))
        less = -2 * math.log1p(-share) if share < 1 else math.inf
        return max(self.epsilon - less, 0.0) * (1 + MOVED_UP * (less > 0))

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """e^−ε (1 − α)/(α + e^−ε (1 − α)); α is in [0, 1], of any shape."""
        a = numbers_in(alpha, TYPE_I, "alpha")
        rest = math.exp(-self.epsilon) * (1 - a)
        with np.errstate(invalid="ignore"):
            return shaped(np.where(a > 0, rest / (a + rest), 1.0))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """α/(α + e^−ε (1 − α)); α is in [0, 1], of any shape."""
        a = numbers_in(alpha, TYPE_I, "alpha")
        with np.errstate(invalid="ignore"):
            return shaped(np.where(a > 0, a / (a + math.exp(-self.epsilon) * (1 - a)), 0.0))

    def grouped(self, size: int) -> BoundedRange:
        """The range kε of k records, exactly: each moves the odds of logistic noise by e^ε."""
        return BoundedRange(self.epsilon * parameter_value(GROUP_SIZE, size, "size"))
