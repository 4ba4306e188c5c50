"""Canonical noise: the one of (ε, δ)-DP, whose cdf from one whole move to the next rises as steeply as it may.

Its density is constant between any two neighbours of …, −½, ½, 3/2, …: on the k-th stretch from the middle it is
d e^(−εk), d = (e^ε − 1 + 2δ)/(e^ε + 1), up to an edge beyond which nothing lies where δ > 0. Below −½ lies
V = (1 − δ)/(e^ε + 1), and below the part t of the k-th stretch below the middle, if it is not negative,
(V + d t) e^(−εk) − δ (1 − e^(−εk))/(e^ε − 1): from one stretch to the next these are steps of the steepest decision.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Self

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.sources import AWAN18
from dpstudio.core.whole_sums import stretches
from dpstudio.mechanisms.noise.base import Noise, Size
from dpstudio.mechanisms.noise.exponential import GeometricNoise
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import DELTA, EPSILON, EPSILON_OR_ZERO, SENSITIVITY, WHOLE_SENSITIVITY

_LEFT = 46.0
"""What falls by e to so much has 1e-20 left."""
_STRETCHES = 8
_SLOWEST = 1e-300
_LARGE = 700.0


@dataclass(frozen=True, slots=True)
class _Edge:
    """Where the noise ends below the middle: stretch `last`, from its part `part` on."""

    last: float
    part: float
    within: float
    """F at the inner end of that stretch."""
    height: float
    """The density on it."""


@dataclass(frozen=True)
class CanonicalNoise(Noise):
    """The noise that makes a count (ε, δ)-DP exactly, and of which tests of a share are made that are most powerful.

    F(x) = min(e^ε F(x − 1) + δ, 1 − e^−ε (1 − δ − F(x − 1)), 1), uniform on (−½, ½): “Tulap” noise, two-sided geometric
    noise plus a uniform number in (−½, ½), cut off in both tails where δ > 0. At ε = 0, which needs a δ, it is uniform.
    Sensitivities are whole numbers; the quantiles of 0 and 1 are its edges, next to which F is as good as the place of
    the edge. [Awan & Slavković 2018, Definition 3.2; Awan & Vadhan 2023, Definition 3.7.]
    """

    name = "canonical"
    source = AWAN18
    reach = WHOLE_SENSITIVITY
    is_log_concave = False
    is_spread = False
    scale_how = "the standard deviation"
    sd_how = "√(1/(2 sinh²(ε/2)) + 1/12), less what is cut off"
    mean_how = "E|X|, a sum over stretches"
    rounded_how = "that of the two-sided geometric noise, less what is cut off"

    epsilon: float = parameter(EPSILON_OR_ZERO)
    delta: float = parameter(DELTA, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.epsilon and not self.delta:
            raise InvalidParameter("epsilon", EPSILON.domain, self.epsilon, "without δ no noise is 0-DP")

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, sensitivity: float) -> Self:
        if parameter_value(SENSITIVITY, sensitivity, "sensitivity") != 1:
            raise InvalidParameter("sensitivity", "1, by which a person moves a count", sensitivity)
        return cls(epsilon, delta)

    @cached_property
    def _rest(self) -> float:
        """1 − e^−ε."""
        return -math.expm1(-self.epsilon)

    @cached_property
    def _middle(self) -> tuple[float, float]:
        """V = Pr[X < −½] and d = Pr[|X| < ½]."""
        a, rest = math.exp(-self.epsilon), self._rest
        return a * (1 - self.delta) / (1 + a), (rest + 2 * self.delta * a) / (1 + a)

    @cached_property
    def _spread(self) -> float:
        """s = δ/(e^ε − 1), ∞ at ε = 0."""
        return self.delta * math.exp(-self.epsilon) / self._rest if self._rest > self.delta * 1e-300 else math.inf

    @cached_property
    def _edge(self) -> _Edge:
        """The edge, in ninety digits: V and δ (e^(εk) − 1)/(e^ε − 1) agree there."""
        from dpstudio.mechanisms.decision.curve import law_of  # decisions are made of noise
        from dpstudio.mechanisms.decision.precise import ZERO, as_float, first_integer, precisely

        @precisely
        def found() -> _Edge:
            law = law_of(self.epsilon, self.delta, 1.0 - self.delta)
            last = first_integer(law.steps(ZERO, law.turn))
            if not last:
                return _Edge(0.0, 0.0, 1.0, 1.0)
            within = law.before(law.turn, int(last) - 1)
            height = (within * law.growth + law.delta) / (1 + law.growth)
            part = max(1 - within / height, Decimal(0))
            return _Edge(as_float(last), float(part), float(within), float(height))

        return found() if self.delta else _Edge(math.inf, 0.0, 0.0, 0.0)

    @cached_property
    def edge(self) -> float:
        """The largest |x| that the noise may have; ∞ where δ = 0."""
        return self._edge.last + 0.5 - self._edge.part

    def last(self, t: npt.ArrayLike) -> Array:
        """The last k for which F at the part t of the k-th stretch below the middle is above 0; −1 where none is."""
        return np.asarray(self._edge.last - (np.asarray(t) <= self._edge.part))

    def below(self, k: Array, t: npt.ArrayLike) -> Array:
        """F(t − ½ − k): at whole k in [0, `last`] the cdf, and between them the smooth curve through these.

        t in [0, 1] is the part of the k-th stretch below the middle. To full relative accuracy given the edge.
        """
        part = np.asarray(t, dtype=np.float64)
        v, d = self._middle
        found = (v + d * part) * np.exp(-self.epsilon * k)
        if not self.delta:
            return np.asarray(found)
        gone = k if not self.epsilon else -np.expm1(-self.epsilon * k) * math.exp(-self.epsilon) / self._rest
        found = found - self.delta * gone
        far = ~(found > self._spread / 4)
        if far.any():
            # From the edge all is added: with w there, w e^(εj) + δ (e^(εj) − 1)/(e^ε − 1) is j stretches further in.
            edge = self._edge
            beyond = part > edge.part
            start = np.where(beyond, edge.height * (part - edge.part),
                             edge.within + edge.height * math.exp(min(self.epsilon, _LARGE)) * part)
            j = edge.last - ~beyond - k
            risen = np.minimum(self.epsilon * j, _LARGE)
            added = j if not self.epsilon else np.expm1(risen) * math.exp(-self.epsilon) / self._rest
            found = np.where(far, start * np.exp(risen) + self.delta * added, found)
        return np.asarray(found)

    def height(self, k: Array) -> Array:
        """The density on the k-th stretch from the middle, at real k the smooth curve through it."""
        return np.asarray(self._middle[1] * np.exp(-self.epsilon * k))

    def jumps(self, low: float, high: float, most: int) -> Array:
        low, high = max(low, -self.edge), min(high, self.edge)
        if high - low > most:
            return np.empty(0)
        halves = np.arange(math.floor(low + 0.5), math.ceil(high - 0.5) + 1) + 0.5
        places = np.append(halves, (-self.edge, self.edge))
        return np.unique(places[(places >= low) & (places <= high)])

    def _places(self, x: Array) -> tuple[Array, Array]:
        """The number k of the stretch of each |x|, and which part of it lies further out."""
        y = np.minimum(np.abs(x), 1e300)
        k = np.floor(y + 0.5)
        return k, np.clip(k - y + 0.5, 0.0, 1.0)

    def _density(self, x: Array) -> Array:
        return np.where(np.abs(x) < self.edge, self.height(self._places(x)[0]), 0.0)

    def _lower(self, x: Array) -> Array:
        """Pr[X ≥ |x|]."""
        k, t = self._places(x)
        middle = np.maximum(0.5 - self._middle[1] * np.abs(x), 0.0)
        return np.where(k > self.last(t), 0.0, np.where(k == 0, middle, self.below(np.minimum(k, self._edge.last), t)))

    def _cdf(self, x: Array) -> Array:
        tail = self._lower(x)
        return np.where(x < 0, tail, 1 - tail)

    def _quantile(self, p: Array) -> Array:
        # Real steps down from V: ln((V + s)/(p + s))/ε. The next whole one has V_k ≤ p.
        tail = np.minimum(p, 1 - p)
        (v, d), a, rest = self._middle, math.exp(-self.epsilon), self._rest
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            start = tail * rest + self.delta * a
            if self.epsilon:
                rise = (v - tail) * rest / start
                direct = np.log1p(np.maximum(rise, -0.5)) / self.epsilon
                steps = np.where(tail > 0, direct, np.inf) if not self.delta else direct
            else:
                steps = (v - tail) / self.delta
            k = np.clip(np.ceil(steps), 1.0, np.maximum(self._edge.last, 1.0))
            inner = np.where(np.isfinite(k), k, 1.0)
            lowest = np.where(inner <= self.last(0.0), self.below(inner, 0.0), 0.0)
            least = np.where(inner == self._edge.last, self._edge.part, 0.0)
            part = np.clip(least + (tail - lowest) / self.height(inner), least, 1.0)
            out = np.where(tail >= v, (0.5 - tail) / d, k + 0.5 - np.where(np.isnan(part), 1.0, part))
        out = np.minimum(np.where(tail == 0, self.edge, out), self.edge)
        return np.asarray(np.where(p < 0.5, 0.0 - out, out))

    def _log_tail(self, x: Array) -> Array:
        tail = self._lower(x)
        with np.errstate(divide="ignore"):
            log = np.log(tail)
            if not self.delta:
                (v, d), (k, t) = self._middle, self._places(x)
                log = np.where(k > 0, np.log(v + d * t) - self.epsilon * k, log)
            return np.where(x > 0, log, np.log1p(-tail))

    def _loss(self, x: Array, sensitivity: float) -> Array:
        found = self.epsilon * (self._places(x)[0] - self._places(x - sensitivity)[0])
        found = np.clip(found, -self.epsilon * sensitivity, self.epsilon * sensitivity)  # 2⁵³ and beyond
        return np.where(x >= self.edge, math.inf, np.where(x - sensitivity <= -self.edge, -math.inf, found))

    def largest_loss(self, sensitivity: float = 1) -> float:
        """ε times the sensitivity; ∞ where δ > 0."""
        return math.inf if self.delta else self.epsilon * self._sensitivity(sensitivity)

    def _crossings(self, losses: Array, sensitivity: float) -> Array:
        # On stretch i from 0 to the sensitivity the loss is ε (2i − sensitivity), and beyond it that of the last.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            steps = losses / self.epsilon if self.epsilon else np.where(losses < 0, -math.inf, math.inf)
        i = np.floor((np.clip(steps, -2 * sensitivity, 2 * sensitivity) + sensitivity) / 2) + 1
        x = np.where(i <= 0, -math.inf, np.where(i > sensitivity, math.inf, i - 0.5))
        return np.minimum(np.maximum(x, sensitivity - self.edge), self.edge)

    def _crossing(self, loss: float, sensitivity: float) -> float:
        return float(self._crossings(np.array([loss]), sensitivity)[0])

    def _trade_off(self, alpha: Array, sensitivity: float) -> Array:
        # Moved by whole numbers the loss never falls, and is one on a stretch, which a threshold may cut anywhere.
        return self._cdf(-self._quantile(alpha) - sensitivity)

    def _power(self, alpha: Array, sensitivity: float) -> Array:
        return self._cdf(sensitivity + self._quantile(alpha))

    def _delta(self, epsilon: Array, sensitivity: float) -> Array:
        # Events are best that begin at the crossing. Where neither tail is cut off there, they have (1 + 2s) times the
        # δ of the geometric noise and s (e^ε′ − 1) more.
        if not self.delta:
            return GeometricNoise(self.epsilon)._delta(epsilon, sensitivity)
        x = self._crossings(epsilon, sensitivity)
        found = self._cdf(sensitivity - x) - np.exp(np.minimum(epsilon, _LARGE)) * self._cdf(-x)
        if sensitivity <= self._edge.last:  # moved from the edge on: δ (e^(εΔ) − 1)/(e^ε − 1)
            e, j = self.epsilon, sensitivity - 1  # exactly δ where that is 0
            times = math.expm1(-e * (j + 1)) / math.expm1(-e) * math.exp(min(e * j, _LARGE)) if e else j + 1
            found = np.where(x == self.edge, self.delta * times, found)
        if math.isfinite(self._spread):
            whole = (x < self.edge) & (sensitivity - x < self.edge)
            plain = GeometricNoise(self.epsilon)._delta(epsilon, sensitivity) if self.epsilon else 0.0
            more = np.where(whole, np.minimum(epsilon, _LARGE), 0.0)
            found = np.where(whole, (1 + 2 * self._spread) * plain + self._spread * np.expm1(more), found)
        return np.asarray(np.clip(found, 0.0, 1.0))

    @property
    def sd(self) -> float:
        if self.delta:
            return math.sqrt(self._moments[1])
        return math.hypot(GeometricNoise(self.epsilon).sd, math.sqrt(1 / 12))

    @property
    def rounded_sd(self) -> float:
        """The sd of the noise rounded to whole numbers."""
        if not self.delta:
            return GeometricNoise(self.epsilon).sd
        return math.sqrt(2 * float(self.excess(np.zeros(()), rounded=True)[1]))

    @np.errstate(over="ignore", invalid="ignore")
    def excess(self, x: Array, rounded: bool = False) -> tuple[Array, Array]:
        # What is left of its own stretch, then whole ones, then the part of the last. On one that begins A away the
        # moments are A + ½ and A² + A + ⅓ times its mass; rounded, A and A² with A whole.
        flat = np.asarray(x, dtype=np.float64).reshape(-1)
        k, t = (flat, np.ones(flat.shape)) if rounded else self._places(flat)
        last = self._edge.last
        left = np.clip(np.where(k == last, t - self._edge.part, t), 0.0, 1.0) * (k <= last)
        own = self.height(k)
        first, second = (np.zeros(flat.shape),) * 2 if rounded else (own * left * left / 2, own * left**3 / 3)
        reach = math.ceil(_LEFT / max(self.epsilon, _SLOWEST))
        item, i, weight = stretches(np.ones(flat.shape), np.minimum(last - 1 - k, reach), _STRETCHES)
        mass = weight * self.height(k[item][:, None] + i)
        away = i if rounded else t[item][:, None] + i - 1
        of_1, of_2 = (away, away * away) if rounded else (away + 0.5, away * away + away + 1 / 3)
        sums = [0.0 + np.bincount(item, (mass * each).sum(axis=1), flat.size) for each in (of_1, of_2)]
        if self.delta:
            width, i = 1 - self._edge.part, last - k
            mass = np.where(i > 0, self._edge.height * width, 0.0)
            away = i if rounded else t + i - 1
            sums[0] += mass * (away if rounded else away + width / 2)
            sums[1] += mass * (away * away if rounded else away * away + away * width + width * width / 3)
        return (first + sums[0]).reshape(np.shape(x)), (second + sums[1]).reshape(np.shape(x))

    def sample(self, size: Size, rng: np.random.Generator) -> npt.NDArray[np.float64 | np.int64] | float | int:
        tail = 0.5 * (1.0 - np.asarray(rng.random(size)))
        return np.asarray(np.where(rng.random(size) < 0.5, 1.0, -1.0) * self._quantile(tail))[()]
