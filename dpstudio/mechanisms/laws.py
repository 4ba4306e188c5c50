"""Laws of a guarantee beside a mechanism's own: what was done with one, and what numbers alone leave open.

Each has `delta_at` and `trade_off` of its worst pair of neighbours, both ways: exact, or bounds on the safe side. A
mechanism that has them, such as a decision or a response, is a law itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from dpstudio.core import law as core
from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.attack import Grouped as Grouped
from dpstudio.core.declare import Array
from dpstudio.core.law import MOVED_UP, ROOM, Law, PrivacyProfile, smallest_epsilon
from dpstudio.mechanisms.claims import BoundedRange as BoundedRange
from dpstudio.mechanisms.claims import Claim as Claim
from dpstudio.mechanisms.claims import ClaimOfGroup as ClaimOfGroup
from dpstudio.mechanisms.claims import least_missed, most_found
from dpstudio.mechanisms.claims import trade_off as trade_off
from dpstudio.mechanisms.decision import Decision
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, Noise
from dpstudio.mechanisms.noise.profile import delta_of_mu, smallest_epsilon_of_one
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import DELTA, EPSILON_OR_ZERO, EPSILON_PRIME, GROUP_SIZE, MU, RELEASES, TYPE_I

_GRID = 65
"""Places at which a profile is asked where its trade-off is bounded."""


@dataclass(frozen=True)
class Shifted:
    """μ-Gaussian differential privacy: a standard normal and one moved by μ. [Dong, Roth & Su 2022, Definition 3.]"""

    mu: float

    both_ways = True
    largest_loss = math.inf

    def __post_init__(self) -> None:
        numbers_in(self.mu, MU)

    def after(self, k: int) -> Shifted:
        """Of √k μ. [Dong, Roth & Su 2022, Corollary 2.]"""
        return Shifted(self.mu * math.sqrt(parameter_value(RELEASES, k, "k")))

    def grouped(self, size: int) -> Shifted:
        """Of kμ. [Dong, Roth & Su 2022, Theorem 4.]"""
        return Shifted(self.mu * parameter_value(GROUP_SIZE, size, "size"))

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ); ε is in [0, ∞), of any shape."""
        return shaped(delta_of_mu(numbers_in(epsilon, EPSILON_PRIME, "epsilon"), np.array(self.mu)))

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which δ is enough; ∞ at δ = 0."""
        if not 0 < delta < 1:
            return math.inf if delta <= 0 else 0.0
        return smallest_epsilon_of_one(self.mu, delta) * (1 + MOVED_UP)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """Φ(−Φ⁻¹(α) − μ); α is in [0, 1], of any shape."""
        return shaped(np.asarray(ndtr(-ndtri(numbers_in(alpha, TYPE_I, "alpha")) - self.mu)))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """Φ(Φ⁻¹(α) + μ)."""
        return shaped(np.asarray(ndtr(ndtri(numbers_in(alpha, TYPE_I, "alpha")) + self.mu)))


def moved(noise: Noise, sensitivity: float) -> Law:
    """The law of a number with noise that one unit moves so far: of Gaussian noise that of its μ, in closed form."""
    if isinstance(noise, GaussianNoise):
        return Shifted(sensitivity / noise.sigma)
    return MovedBell(noise, sensitivity) if isinstance(noise, DiscreteGaussianNoise) else Moved(noise, sensitivity)


@dataclass(frozen=True)
class Moved:
    """A number with noise, which one unit moves by so much."""

    noise: Noise
    sensitivity: float

    both_ways = True

    @property
    def largest_loss(self) -> float:
        """The largest loss of any outcome."""
        return self.noise.largest_loss(self.sensitivity)

    def after(self, k: int) -> Law | None:
        """Of Gaussian noise √k times as far; of no other noise is it noise again."""
        times = int(parameter_value(RELEASES, k, "k"))
        if isinstance(self.noise, GaussianNoise):
            return Shifted(self.sensitivity / self.noise.sigma).after(times)
        return self if times == 1 else None

    def grouped(self, size: int) -> Law | None:
        """Moved k times as far, where no shorter move can tell more: where the noise has a concave logarithm."""
        records = int(parameter_value(GROUP_SIZE, size, "size"))
        return moved(self.noise, self.sensitivity * records) if self.noise.is_log_concave or records == 1 else None

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε) of the noise at that distance."""
        return self.noise.delta_at(epsilon, self.sensitivity)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α) of the noise at that distance."""
        return self.noise.trade_off(alpha, self.sensitivity)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 − T(α) of the noise at that distance."""
        return self.noise.power(alpha, self.sensitivity)


@dataclass(frozen=True)
class MovedBell(Moved):
    """A number with discrete Gaussian noise, which knows how to come near the smallest ε at a δ."""

    noise: DiscreteGaussianNoise

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which δ is enough, to 1e-12 and not below; ∞ at δ = 0."""
        if not 0 < delta < 1:
            return math.inf if delta <= 0 else 0.0
        found = self.noise.epsilon_at(delta, self.sensitivity)
        return smallest_epsilon(self, delta * (1 + ROOM)) if found is None else found


@dataclass(frozen=True)
class RefusingZero:
    """A decision that never accepts where there are no records: the pair 0, 1 needs δ = f(1) at every ε."""

    decision: Decision

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The larger of δ(ε) and f(1)."""
        return self.decision.delta_at(epsilon, zero_refused=True)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The smaller of T(α) and that of the pair 0, 1."""
        return self.decision.trade_off(alpha, zero_refused=True)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """The larger of 1 − T(α) and that of the pair 0, 1."""
        return self.decision.power(alpha, zero_refused=True)


@dataclass(frozen=True)
class Telling:
    """A release that with a probability t tells all beside a law: t + (1 − t) δ(ε) and (1 − t) T(α/(1 − t)).

    Also a bound where only one of the neighbours can be told, as a group that is shown by itself.
    """

    probability: float
    law: Law

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """t + (1 − t) δ(ε); ε is in [0, ∞), of any shape."""
        return shaped(self.probability + (1 - self.probability) * np.asarray(self.law.delta_at(epsilon)))

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """(1 − t) T(α/(1 − t)), and 0 beyond; α is in [0, 1], of any shape."""
        return unless_told(1 - self.probability, self.law.trade_off, alpha)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """t + (1 − t) g(α/(1 − t)), and 1 beyond; α is in [0, 1], of any shape."""
        return or_told(self.probability, 1 - self.probability, lambda part: core.power(self.law, part), alpha)

    @property
    def both_ways(self) -> bool:
        """Whether the law is the same both ways."""
        return core.same_both_ways(self.law)


def unless_told(silent: float, trade_off: Callable[[Array], float | Array], alpha: npt.ArrayLike) -> float | Array:
    """s T(α/s), and 0 beyond: what is left of a trade-off where all is told but with probability s; α is in [0, 1]."""
    return shaped(silent * np.asarray(trade_off(_of_silent(silent, alpha))))


def or_told(tells: float, silent: float, power: Callable[[Array], float | Array], alpha: npt.ArrayLike
            ) -> float | Array:
    """t + s g(α/s), and 1 beyond: the same as the chance of being found; t = 1 − s."""
    return shaped(np.minimum(tells + silent * np.asarray(power(_of_silent(silent, alpha))), 1.0))


def _of_silent(silent: float, alpha: npt.ArrayLike) -> Array:
    """α/s, or 1."""
    a = numbers_in(alpha, TYPE_I, "alpha")
    with np.errstate(over="ignore"):  # where hardly ever none tells all
        return np.minimum(a / silent, 1.0) if silent else np.ones(a.shape)


@dataclass(frozen=True)
class ByProfile:
    """What a profile δ(ε) leaves of a trade-off: T(α) ≥ max(1 − δ(ε) − e^ε α, e^−ε (1 − δ(ε) − α)) at every ε.

    Taken at places of a grid up to `reach`, which is safe whatever the grid. [Dong, Roth & Su 2022, Proposition 6.]
    """

    of: PrivacyProfile
    reach: float
    """An ε beyond which δ falls no further, or hardly."""

    both_ways = True

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε) of the profile."""
        return self.of.delta_at(epsilon)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """A bound on the smallest type II error; α is in [0, 1], of any shape."""
        return self._bounded(least_missed, np.max, alpha)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 less that."""
        return self._bounded(most_found, np.min, alpha)

    @cached_property
    def _places(self) -> tuple[Array, Array]:
        """The places and δ there, whatever the errors."""
        at = np.linspace(0.0, min(self.reach, 700.0), _GRID)
        return at, np.asarray(self.of.delta_at(at))

    def _bounded(self, bound: Callable[[Array, Array, Array], Array], nearest: Callable[..., Array],
                 alpha: npt.ArrayLike) -> float | Array:
        a = numbers_in(alpha, TYPE_I, "alpha")
        found = bound(*self._places, a.reshape(-1, 1))
        return shaped(np.asarray(nearest(found, axis=1)).reshape(a.shape))


# What a watch gives away of one record, from the largest losses of a move as small as one likes


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
            parameter_value(EPSILON_OR_ZERO, rate)

    @property
    def both_ways(self) -> bool:
        """Whether both rates are one."""
        return self.fewer == self.more

    def grouped(self, size: int) -> AsymmetricLaplace:
        """The noise moved by as many units."""
        records = parameter_value(GROUP_SIZE, size, "size")
        return AsymmetricLaplace(self.fewer * records, self.more * records)

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
        return max(self.epsilon - less, 0.0) * (1 + MOVED_UP * (less > 0))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 − T(α), the larger of both ways; α is in [0, 1], of any shape."""
        a = numbers_in(alpha, TYPE_I, "alpha")
        return shaped(np.maximum(_carried(a, self.fewer, self.more)[0], _carried(a, self.more, self.fewer)[0]))

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α): the smallest type II error of any test of one against the other, the smaller of both ways."""
        a = numbers_in(alpha, TYPE_I, "alpha")
        return shaped(np.minimum(_carried(a, self.fewer, self.more)[1], _carried(a, self.more, self.fewer)[1]))


def _carried(at: Array, rising: float, ending: float) -> tuple[Array, Array]:
    """Where p comes to over a stretch of 1, its slope being min(rising · p, ending · (1 − p)); and 1 − p there."""
    if rising == 0 or ending == 0:
        return at, 1 - at
    turn, rest = ending / (rising + ending), rising / (rising + ending)
    with np.errstate(divide="ignore"):
        log = np.log(at)
    left = np.clip(1 - (math.log(turn) - log) / rising, 0.0, 1.0)  # of the stretch, beyond the turn
    missed = np.where(at > turn, 1 - at, rest) * np.exp(-ending * left)
    low = np.exp(np.minimum(log + rising, 0.0))
    return np.where(left > 0, 1 - missed, low), np.where(left > 0, missed, 1 - low)


@dataclass(frozen=True, slots=True)
class Tightest:
    """What several laws bound at once: at each place the one that says least holds."""

    laws: tuple[Law, ...]

    @property
    def both_ways(self) -> bool:
        """Whether all are the same both ways."""
        return all(core.same_both_ways(law) for law in self.laws)

    @property
    def largest_loss(self) -> float:
        """The least of all."""
        return min(core.largest_loss(law) for law in self.laws)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε), by whichever needs least; ε is in [0, ∞), of any shape."""
        return shaped(np.minimum.reduce([np.asarray(law.delta_at(epsilon)) for law in self.laws]))

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which δ in [0, 1] is enough; ∞ where there is none."""
        found = math.inf
        for law in self.laws:
            if core.is_more_than_enough(law, found, delta) is not False:
                found = min(found, epsilon_at(law, delta))
        return found

    def is_more_than_enough(self, epsilon: float, delta: float) -> bool | None:
        """Whether that is less than ε, where it is told without looking for it."""
        told = [core.is_more_than_enough(law, epsilon, delta) for law in self.laws]
        return True if True in told else None if None in told else False

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α), by whichever leaves most errors; α is in [0, 1], of any shape."""
        return shaped(np.maximum.reduce([np.asarray(law.trade_off(alpha)) for law in self.laws]))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 less that."""
        return shaped(np.minimum.reduce([np.asarray(core.power(law, alpha)) for law in self.laws]))


def epsilon_at(law: Law, delta: float) -> float:
    """The smallest ε at which δ in [0, 1] is enough, in closed form where the law has one."""
    closed = getattr(law, "epsilon_at", None)
    return float(closed(delta)) if closed else smallest_epsilon(law, delta)
