"""The staircase: noise whose density falls in steps as wide as the sensitivity, each e^−ε times as high as the last.

In units of Δ the density at x is H e^(−εn), n = ⌊|x| + 1 − γ⌋, with 2H = (1 − e^−ε)/M and M = γ + e^−ε (1 − γ). Moved
by t, its privacy loss is ε times a whole number everywhere, so all that the loss decides is a sum over steps:

- beyond t, at v = x − t ≥ 0, the loss is T or T + 1 times ε, with T = ⌊t⌋ and T + 1 on τ = t − T of each stretch;
- before t, at v = t − x on the stretch j, j − 1 + γ ≤ v < j + γ, it is C − 2j or C − 2j − 1 times ε, C − 2j on κ of the
  stretch, with C + κ = t + 2(1 − γ): both sides count their own steps from it.

Sums of e^(−εj) over the stretches whose loss exceeds some ε′ are geometric. [Geng & Viswanath 2014.]
"""

from __future__ import annotations

import math
from typing import Self

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.search import first_whole
from dpstudio.core.sources import GV14
from dpstudio.core.special import ratio
from dpstudio.mechanisms.mechanism import SHARE
from dpstudio.mechanisms.noise.base import Noise, Size
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import EPSILON, EPSILON_PRIME, GAMMA, SENSITIVITY

_HIGHEST = 690.0
"""The logarithm of the highest density in units of Δ: at the best γ that of ε = 1 380."""
_MOST_STEPS = 2**60


@dataclass(frozen=True)
class _MovedSteps:
    """The stretches of the law moved by t, in units of its own sensitivity, on both sides of t.

    Each side has two losses, in steps of ε, each with its widths: in the first stretch, and in every later one. Before
    t they are those of the first stretch, and fall by two steps with each one.
    """

    before: tuple[tuple[float, float, float], ...]
    after: tuple[tuple[float, float, float], ...]
    most: int
    """The largest loss, ⌈t⌉ steps."""


@dataclass(frozen=True)
class StaircaseNoise(Noise):
    """Of all noise that hides a move by Δ at ε, that of the least mean distance, Δ e^(ε/2)/(e^ε − 1), at γ = None.

    The density is constant up to γΔ, falls to e^−ε of it there, and again after each Δ. γ is in [0, 1], whose two ends
    are one law; None is that of the least mean distance, 1/(1 + e^(ε/2)). At a sensitivity that is not a whole number
    of Δ the loss of an answer rises and falls as the answer grows: δ, the trade-off and the losses are exact all the
    same, and only `crossing` is refused. [Geng & Viswanath 2014, Theorems 3 and 4.]
    """

    name = "staircase"
    source = GV14
    is_log_concave = False
    is_spread = False  # two coordinates that move by Δ/2 each have a loss of ε each
    sd_how = "Δ₁ √(E X²) of the steps"
    mean_how = "Δ₁ e^(ε/2)/(e^ε − 1)"

    epsilon: float = parameter(EPSILON)
    sensitivity: float = parameter(SENSITIVITY, 1.0)
    gamma: float | None = parameter(GAMMA, None, optional=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self._log_mass < -_HIGHEST:
            raise InvalidParameter("epsilon", "such that the density at 0 is a double, at most 1380 at the best gamma",
                                   self.epsilon)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, sensitivity: float) -> Self:  # noqa: ARG003 - spends no δ
        return cls(epsilon, sensitivity)

    @classmethod
    def sds(cls, epsilon: npt.ArrayLike, delta: float, sensitivity: float) -> Array:  # noqa: ARG003 - spends no δ
        rate = numbers_in(epsilon, EPSILON)
        root = np.exp(-rate / 2)  # M at the best γ
        return np.asarray(sensitivity * np.sqrt(_beyond(root / (1 + root), 1 / root, root, rate)[1])
                          / -np.expm1(-rate))

    @property
    def sd(self) -> float:
        """Δ √(E X²)."""
        return self._unit * math.sqrt(self._from_0[1])

    @property
    def mean_error(self) -> float:
        """E|X|, Δ e^(ε/2)/(e^ε − 1) at the best γ."""
        return self._unit * self._from_0[0]

    @cached_property
    def _from_0(self) -> tuple[float, float]:
        """E|X| in units of Δ/(1 − e^−ε), and E X² in those of its square."""
        first, second = _beyond(np.array(self._gamma), self._level(0), self._level(1), np.array(self.epsilon))
        return float(first), float(second)

    def largest_loss(self, sensitivity: float = 1) -> float:
        """ε times the sensitivity over the one it was made for, rounded up."""
        return self.epsilon * self._moved(self._sensitivity(sensitivity)).most

    def common_loss(self, sensitivity: float = 1, share: float = 0.95) -> float:
        """The smallest loss that at least this share of all answers stays within, where the record is there."""
        moved, most = self._moved(self._sensitivity(sensitivity)), parameter_value(SHARE, share, "share")
        steps = first_whole(lambda i: self._above(i - moved.most - 1, moved)[0] <= 1 - most, (), 2 * moved.most + 2)
        return (float(steps) - moved.most - 1) * self.epsilon

    def loss_exceeds(self, epsilon: float, sensitivity: float = 1) -> float:
        at, moved = parameter_value(EPSILON_PRIME, epsilon, "epsilon"), self._moved(self._sensitivity(sensitivity))
        return float(self._above(np.floor(np.array(at) / self.epsilon), moved)[0])

    @cached_property
    def _gamma(self) -> float:
        """γ, that of the least mean distance where none is given; 1 for 0, which is the same law."""
        if self.gamma is None:
            root = math.exp(-self.epsilon / 2)
            return root / (1 + root)
        return self.gamma or 1.0

    @cached_property
    def _log_mass(self) -> float:
        """ln M, M = γ + e^−ε (1 − γ) and e^(−ε/2) at the best γ."""
        if self.gamma is None:
            return -self.epsilon / 2
        if self.epsilon < 1 or self._gamma == 1:
            return math.log1p((1 - self._gamma) * math.expm1(-self.epsilon))
        return float(np.logaddexp(math.log(self._gamma), math.log1p(-self._gamma) - self.epsilon))

    def _level(self, n: Array | float) -> Array:
        """e^(−εn)/M."""
        return np.asarray(np.exp(-self.epsilon * n - self._log_mass))

    @property
    def _unit(self) -> float:
        """Δ/(1 − e^−ε)."""
        return self.sensitivity / -math.expm1(-self.epsilon)

    def _places(self, x: Array) -> tuple[Array, Array]:
        """The number n of the step at each |x|, and how much of the step is left."""
        with np.errstate(over="ignore"):
            y = np.minimum(np.abs(x) / self.sensitivity, 1e300) - self._gamma
        n = np.floor(y)
        return np.maximum(n + 1, 0.0), np.where(y < 0, -y, 1 - (y - n))

    def jumps(self, low: float, high: float, most: int) -> Array:
        if (high - low) / self.sensitivity > most:
            return np.empty(0)
        def above(low: float, high: float) -> Array:
            first, last = max(math.ceil(low / self.sensitivity - self._gamma), 0), high / self.sensitivity - self._gamma
            steps = np.arange(max(math.floor(last) - first + 1, 0), dtype=np.float64)
            return np.asarray((first + steps + self._gamma) * self.sensitivity)

        return np.append(-above(-high, -low), above(low, high))

    def _density(self, x: Array) -> Array:
        return np.asarray(self._level(self._places(x)[0]) / 2 / self._unit)

    def _tail(self, x: Array) -> Array:
        """Pr[X ≥ x] at x ≥ 0: what is left of a step, and all later ones."""
        n, left = self._places(x)
        return np.asarray((left * self._level(n) + (1 - left) * self._level(n + 1)) / 2)

    def _cdf(self, x: Array) -> Array:
        tail = self._tail(x)
        return np.where(x < 0, tail, 1 - tail)

    def _quantile(self, p: Array) -> Array:
        # 2p is exact, and so is 1 − p for p ≥ ½. Of the step of a tail (B − e^−ε)/(1 − e^−ε) is left, with B = 2M times
        # the tail over e^(−εn); where e^−ε is nearly 1 by 1 − B.
        b, rest = math.exp(-self.epsilon), -math.expm1(-self.epsilon)
        with np.errstate(divide="ignore", invalid="ignore"):
            log = np.log(2 * np.minimum(p, 1 - p)) + self._log_mass
            n = np.maximum(np.floor(-log / self.epsilon), 0.0)
            log_b = log + self.epsilon * n
            left = (np.exp(log_b) - b) / rest if self.epsilon > 1 else 1 + np.expm1(log_b) / rest
            left = np.clip(left, 0.0, np.where(n > 0, 1.0, self._gamma))
            x = np.where(np.isfinite(log), np.maximum(n + self._gamma - left, 0.0), math.inf) * self.sensitivity
        return np.asarray(np.where(p < 0.5, -x, x))

    def _log_left(self, left: Array) -> Array:
        """ln (left + e^−ε (1 − left))."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.logaddexp(np.log(left), np.log1p(-left) - self.epsilon))

    def _log_tail(self, x: Array) -> Array:
        n, left = self._places(x)
        beyond = self._log_left(left) - self.epsilon * n - self._log_mass - math.log(2)
        return np.where(x > 0, beyond, np.log1p(-self._tail(np.minimum(x, 0.0))))

    def _tail_loss(self, x: Array, sensitivity: float) -> Array:
        n, left = self._places(x)
        m, more = self._places(x - sensitivity)
        # Beyond Δ the steps between, and the parts of steps.
        if self.epsilon < 1:
            rest = -math.expm1(-self.epsilon)
            parts = np.log1p((more - left) * rest / (left + (1 - rest) * (1 - left)))
        else:
            parts = self._log_left(more) - self._log_left(left)
        low, moved = self._tail(np.minimum(x, 0.0)), self._tail(np.minimum(x - sensitivity, 0.0))
        within = np.log1p(-moved) - self._log_tail(np.maximum(x, 0.0))
        below = np.log1p(np.maximum(low - moved, 0.0) / (1 - low))
        beyond = self.epsilon * (n - m) + parts
        return np.maximum(np.where(x >= sensitivity, beyond, np.where(x > 0, within, below)), 0.0)

    def excess(self, x: Array, rounded: bool = False) -> tuple[Array, Array]:
        if rounded:
            return super().excess(x, rounded)
        n, left = self._places(x)
        first, second = _beyond(left, self._level(n), self._level(n + 1), np.array(self.epsilon))
        return np.asarray(self._unit * first / 2), np.asarray(self._unit * self._unit * second / 2)

    def _loss(self, x: Array, sensitivity: float) -> Array:
        x = self._within(x, sensitivity)
        return np.asarray(self.epsilon * (self._places(x)[0] - self._places(x - sensitivity)[0]))

    def _moved(self, sensitivity: float) -> _MovedSteps:
        """The stretches of the law moved so far."""
        gamma, t = self._gamma, min(sensitivity / self.sensitivity, float(_MOST_STEPS))
        whole = math.floor(t)
        part = t - whole
        under = math.floor(part - 2 * gamma)  # C = T + 2 + under, κ = τ − 2γ − under
        first = min(max(part - gamma - (under + 1), 0.0), gamma)
        kappa, c = part - 2 * gamma - under, float(whole + 2 + under)
        return _MovedSteps(((c, first, kappa), (c - 1, gamma - first, 1 + under - (part - 2 * gamma))),
                      ((whole + 1.0, min(part, gamma), part), (float(whole), max(gamma - part, 0.0), 1 - part)),
                      whole + (part > 0))

    def _above(self, steps: Array, moved: _MovedSteps) -> tuple[Array, Array, Array]:
        """The probabilities of a loss above so many whole steps of ε, moved and not, and of no such loss, moved.

        A loss below 0 of one law is one above 0 of the other.
        """
        more, mirrored, less = self._above_some(np.maximum(steps, 0.0), moved)
        _, below, rest = self._above_some(np.maximum(-steps - 1, 0.0), moved)
        negative = steps < 0
        return (np.where(negative, 1 - below, more), np.where(negative, rest, mirrored),
                np.where(negative, below, less))

    def _above_some(self, steps: Array, moved: _MovedSteps) -> tuple[Array, Array, Array]:
        """The same for steps ≥ 0."""
        e, rest = self.epsilon, -math.expm1(-self.epsilon)
        there, absent, less = (np.zeros(steps.shape) for _ in range(3))
        parts = [(loss, rest * first, 0.0) for loss, first, _ in moved.before]
        for loss, _, later in moved.before:
            # Σ e^(−εj) over the later stretches 1 … count whose loss exceeds; unmoved they have e^(−ε(loss − 2j)) times
            # as much.
            count = np.maximum(np.ceil((loss - steps) / 2) - 1, 0.0)
            fall = -later * np.expm1(-e * count)
            there += self._level(1) * fall
            absent += self._level(np.maximum(loss - count, 0.0)) * fall
            less += later * self._level(count + 1)
        for loss, first, later in parts + [(loss, rest * first, later) for loss, first, later in moved.after]:
            exceeds, here = loss > steps, first * self._level(0) + later * self._level(1)
            there += np.where(exceeds, here, 0.0)
            absent += np.where(exceeds, here * math.exp(-e * max(loss, 0.0)), 0.0)
            less += np.where(exceeds, 0.0, here)
        return np.minimum(there / 2, 1.0), absent / 2, np.minimum(less / 2, 1.0)

    def _delta(self, epsilon: Array, sensitivity: float) -> Array:
        # Σ e^(−εj) (1 − e^(ε′ − loss)) over what exceeds ε′. Of the stretches 1 … n before t, whose first exceeds it by
        # a, that is e^−ε (1 − e^−εn) (1 − e^−(a − ε(n − 1)))/(1 − e^−ε): two falls, never a difference.
        e, rest, moved = self.epsilon, -math.expm1(-self.epsilon), self._moved(sensitivity)
        found = np.zeros(epsilon.shape)
        for loss, first, later in moved.before:
            found += rest * first * self._level(0) * -np.expm1(-self._left(loss, epsilon))
            left = self._left(loss - 2, epsilon)
            count = np.ceil(left / e / 2)
            last = np.maximum(left - e * (count - 1), 0.0)
            found += later * self._level(1) * np.expm1(-e * count) * np.expm1(-last)
        for loss, first, later in moved.after:
            here = rest * first * self._level(0) + later * self._level(1)
            found += here * -np.expm1(-self._left(loss, epsilon))
        return np.asarray(np.minimum(found / 2, 1.0))

    def _left(self, steps: float, epsilon: Array) -> Array:
        """What so many steps of ε exceed ε′ by; 0 where they do not."""
        if steps <= 0:
            return np.zeros(epsilon.shape)
        loss, missed = ratio(self.epsilon, steps, over=1.0)
        return np.maximum((loss - epsilon) + missed, 0.0)

    def _trade_off(self, alpha: Array, sensitivity: float) -> Array:
        # The most powerful tests find the record where the loss exceeds k steps, and with a coin where it is k: what α
        # lacks to all from k on is missed besides. Of k ≤ 0 that is 1 − α but for what lies below k.
        k, moved = self._steps_at(alpha, sensitivity)
        _, reached, less = self._above(k - 1, moved)
        with np.errstate(over="ignore", invalid="ignore"):
            lacks = np.where(k > 0, reached - alpha, (1 - alpha) - self._above(-k, moved)[0])
            coin = np.nan_to_num(np.exp(self.epsilon * k) * np.maximum(lacks, 0.0))
        return np.asarray(less + coin)

    def _power(self, alpha: Array, sensitivity: float) -> Array:
        k, moved = self._steps_at(alpha, sensitivity)
        there, above, _ = self._above(k, moved)
        with np.errstate(over="ignore", invalid="ignore"):
            coin = np.nan_to_num(np.exp(self.epsilon * k) * np.maximum(alpha - above, 0.0))
        return np.asarray(there + coin)

    def _steps_at(self, alpha: Array, sensitivity: float) -> tuple[Array, _MovedSteps]:
        """The first k for which a loss above k steps is no likelier than α without the record, and the moved law."""
        moved = self._moved(sensitivity)
        end = moved.most + 1
        found = first_whole(lambda i: self._above(i - end, moved)[1] <= alpha, alpha.shape, 2 * moved.most + 2)
        return found - end, moved

    def _crossing(self, loss: float, sensitivity: float) -> float:
        # Its losses are those of v = t − x before t. One of k = C − 2i or C − 2i − 1 steps begins at the end of κ or of
        # the whole of stretch i; one of k ≤ 0 where, seen from t, one of 1 − k ends.
        t = sensitivity / self.sensitivity
        if t != math.floor(t):
            raise InvalidParameter("sensitivity", f"a whole multiple of {plain(self.sensitivity)}, at which the loss "
                                   "never falls as the answer grows", sensitivity)
        steps = math.floor(loss / self.epsilon) + 1
        if steps > t or steps <= -t:
            return math.copysign(math.inf, steps)
        under = math.floor(-2 * self._gamma)
        i, odd = divmod(int(t) + 2 + under - (steps if steps > 0 else 1 - steps), 2)
        v = i + self._gamma if odd else i - 1 - self._gamma - under
        return (t - v if steps > 0 else v) * self.sensitivity

    def sample(self, size: Size, rng: np.random.Generator) -> npt.NDArray[np.float64 | np.int64] | float | int:
        # A geometric number of whole stretches, and a place in the high or the low part of one. [Algorithm 1.]
        gamma = self._gamma
        whole = np.floor(rng.exponential(1 / self.epsilon, size))
        high = rng.random(size) < gamma * float(self._level(0))
        part = np.where(high, gamma * rng.random(size), gamma + (1 - gamma) * rng.random(size))
        sign = np.where(rng.random(size) < 0.5, -self.sensitivity, self.sensitivity)
        return np.asarray(sign * (whole + part))[()]


def _beyond(left: Array, here: Array, after: Array, epsilon: Array) -> tuple[Array, Array]:
    """∫ w and ∫ w² beyond a place, w the distance from it in units of 1/r, r = 1 − e^−ε, over a density of r `here`.

    `left` is what is left of the step, r `after` the density on the next one; the number m of that of a place beyond is
    geometric, and it lies left + m + u away.
    """
    b, r = np.exp(-epsilon), -np.expm1(-epsilon)
    w = r * left
    first = here * w * w / 2 + after * (w + b + r / 2)
    return first, here * w * w * w / 3 + after * (w * (w + 2 * b + r) + b * (1 + b) + r * (b + r / 3))
