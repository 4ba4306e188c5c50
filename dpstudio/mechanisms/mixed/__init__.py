"""Unlike releases about the same person together: Laplace and Gaussian noise, responses and what may tell all."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.law import LARGEST, ROOM, Law, smallest_epsilon
from dpstudio.core.results import Kind
from dpstudio.core.slow import still_awaited
from dpstudio.mechanisms.laws import Shifted, or_told, unless_told
from dpstudio.mechanisms.mixed.sums import Cut, Sum, sum_of
from dpstudio.mechanisms.mixed.transform import Transform
from dpstudio.mechanisms.releases import Together
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import DELTA, EPSILON_OR_ZERO, EPSILON_PRIME, MU, NONNEGATIVE, RELEASES, variant

MU_OR_ZERO = variant(MU, domain=NONNEGATIVE)
MOST = 10**6
"""So many releases are told apart at most."""
MOST_UNLIKE = 400
"""Of so many responses of unlike ε at most is the law of many times known."""
_PLACES = 192
_ROUNDS = 80
_FEW = 1e-2
_SURELY = 1e-8
"""A part by which ε and δ differ from others beyond all rounding."""
_CLOSE = 1e-8
"""ln of an error is found so near: T has twice as many digits, for its lines touch it."""


@dataclass(frozen=True)
class Mixed:
    """Releases with Laplace noise of these losses, beside Gaussian ones of μ, responses, and a chance that all is told.

    A release with geometric noise of ε, at the sensitivity it was made for 1, is a response of ε: its loss has two
    values. One that is (ε, δ)-DP and no more is known of is at most a response of ε and δ of telling all. The root of
    the sum of all Gaussian μ² is μ. δ(ε) is the average of what is left of each by the others, exact where `kind` says
    so, else from above. [Derived here from Dong, Roth & Su 2022, and Murtagh & Vadhan 2016.]
    """

    laplace: tuple[float, ...]
    mu: float = 0.0
    responses: tuple[float, ...] = ()
    told: float = 0.0

    both_ways = True

    def __post_init__(self) -> None:
        for name in ("laplace", "responses"):
            losses = numbers_in(getattr(self, name), EPSILON_OR_ZERO, name)
            if losses.ndim != 1 or losses.size > MOST:
                raise InvalidParameter(name, f"a list of {MOST} losses at most", getattr(self, name))
            object.__setattr__(self, name, tuple(losses.tolist()))
        object.__setattr__(self, "mu", parameter_value(MU_OR_ZERO, self.mu, "mu"))
        object.__setattr__(self, "told", parameter_value(DELTA, self.told, "told"))

    @property
    def largest_loss(self) -> float:
        """The sum of all losses; ∞ beside Gaussian noise, or where all may be told."""
        return math.inf if self.mu or self.told else math.fsum(self.laplace) + math.fsum(self.responses)

    @property
    def kind(self) -> Kind:
        """Whether δ is exact or a bound from above."""
        return "exact" if self._known is not None else self._summed[1]

    def after(self, k: int) -> Mixed | None:
        """All of them so often; None where that is too many to be told apart."""
        times = int(parameter_value(RELEASES, k, "k"))
        unlike = len(set(self.responses)) > 1
        if times * max(len(self.laplace), len(self.responses)) > MOST:
            return None
        if unlike and times > 1 and times * len(self.responses) > MOST_UNLIKE:
            return None
        told = -math.expm1(times * math.log1p(-self.told)) if self.told < 1 else 1.0
        return Mixed(self.laplace * times, math.sqrt(times) * self.mu, self.responses * times, told)

    def beside(self, other: Mixed) -> Mixed:
        """Both together."""
        return Mixed(self.laplace + other.laplace, math.hypot(self.mu, other.mu), self.responses + other.responses,
                     self.told + other.told - self.told * other.told)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε); ε is in [0, ∞), of any shape."""
        at = numbers_in(epsilon, EPSILON_PRIME, "epsilon")
        if self._known is not None:
            found = np.asarray(self._known.delta_at(at))
        else:
            found = self._sum.at("delta", at.reshape(-1)).reshape(at.shape)
        return shaped(self.told + (1 - self.told) * found)

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which δ in [0, 1] is enough, to 1e-12 and not below; ∞ where there is none."""
        allowed = parameter_value(DELTA, delta, "delta")
        if allowed == 0 and not self.told and not self.mu:
            return self.largest_loss
        if allowed * (1 + ROOM) < self.told or (allowed == 0 and self.mu):
            return math.inf
        return smallest_epsilon(self, allowed * (1 + ROOM), self._guess(allowed))

    def is_more_than_enough(self, epsilon: float, delta: float) -> bool | None:
        """Whether `epsilon_at` is less than ε, by δ at ε and a little before it; None where neither is far from δ.

        Of sums through their transform alone, whose δ is good to a part far smaller than that by which it is far.
        """
        if self._known is not None or not isinstance(self._sum, Transform | Cut) or not (
                0 < epsilon < LARGEST and 0 < delta <= 1):
            return None
        before, there = np.asarray(self.delta_at([epsilon * (1 - _SURELY), epsilon])).tolist()
        return True if before < delta * (1 - _SURELY) else False if there > delta * (1 + _SURELY) else None

    def _guess(self, delta: float) -> float:
        """About the ε there: the mean loss of all, and what of a normal law is beyond."""
        limited = np.array(self.laplace + self.responses)
        mean = float(limited @ np.tanh(limited / 2)) + self.mu**2 / 2
        spread = math.sqrt(2 * mean)
        beyond = math.sqrt(-2 * math.log(max(delta, 1e-300)))
        most = limited.sum() if not self.mu else math.inf
        return float(min(mean + spread * beyond, most if most > 0 else 1.0))

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α), by the line that touches it; α is in [0, 1], of any shape."""
        return unless_told(1 - self.told, self._of("trade_off"), alpha)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 − T(α), from positive terms where it is small."""
        return or_told(self.told, 1 - self.told, self._of("power"), alpha)

    def _of(self, what: Literal["trade_off", "power"]) -> Callable[[Array], float | Array]:
        if self._known is not None:
            return getattr(self._known, what)  # type: ignore[no-any-return]
        return partial(self._touched, what)

    @cached_property
    def _known(self) -> Law | None:
        """The law of what is of one kind alone."""
        if not any(self.laplace):
            if not self.mu:
                return Together(tuple(e for e in self.responses if e > 0))
            if not any(self.responses):
                return Shifted(self.mu)
        return None

    @cached_property
    def _summed(self) -> tuple[Sum, Kind]:
        return sum_of(self.laplace, self.mu, self.responses)

    @property
    def _sum(self) -> Sum:
        return self._summed[0]

    @cached_property
    def _table(self) -> tuple[Array, Array, Array]:
        """Losses from 0 on, and the chance of more of it without the person and with."""
        reach, mu = self._sum.reach, self.mu
        x = np.append(np.linspace(0.0, reach, _PLACES // 2, endpoint=False),
                      reach + (mu * np.linspace(0, 38, _PLACES // 2) + mu * mu / 2 if mu else np.zeros(1)))
        return x, self._sum.at("without", x), self._sum.at("with", x)

    def _touched(self, what: Literal["trade_off", "power"], alpha: Array) -> Array:
        """The line through the error α of the best test, of slope −e^t: 1 − δ(t) − e^t α, and beyond t = 0 its mirror.

        That holds of every t, and is T itself where Q(L > t) is α.
        """
        flat = np.asarray(alpha, dtype=np.float64).reshape(-1)
        x, without, with_ = self._table
        total, rare = self._sum, flat <= without[0]
        tiny = ~rare & (flat < _FEW)  # known by themselves, not by what they lack to 1
        t = np.empty(flat.shape)
        with np.errstate(divide="ignore"):
            t[rare] = _threshold(x, np.log(without), lambda at: np.log(total.at("without", at)), np.log(flat[rare]))
            rest = ~rare & ~tiny
            t[rest] = _threshold(x, np.log(with_), lambda at: np.log(total.at("with", at)), np.log1p(-flat[rest]))
            if tiny.any():
                t[tiny] = _threshold(x, -np.log(total.missed(x)), lambda at: -np.log(total.missed(at)),
                                     -np.log(flat[tiny]))
        delta = total.at("delta", t)
        with np.errstate(over="ignore", invalid="ignore"):
            steep = np.where(flat > 0, np.exp(np.minimum(t, 709.0)) * flat, 0.0)
            missed = np.where(rare, 1 - delta - steep, np.exp(-t) * ((1 - flat) - delta))
            # Where both errors are tiny, by the tails and what α lies beside the one.
            few, ends = np.flatnonzero(rare & (missed < _FEW)), np.flatnonzero(tiny)
            if few.size:
                beside = np.exp(np.minimum(t[few], 709.0)) * (total.at("without", t[few]) - flat[few])
                missed[few] = total.missed(t[few]) + np.where(flat[few] > 0, beside, 0.0)
            if ends.size:
                missed[ends] = (total.at("without", t[ends])
                                + np.exp(-t[ends]) * (total.missed(t[ends]) - flat[ends]))
            missed = np.where(rare, missed, np.minimum(missed, total.missed(np.zeros(1))))  # T(Q(L > 0))
        missed = np.where(flat > 0, missed, 1.0)  # no outcome tells all
        found = missed if what == "trade_off" else np.where(rare & (missed > 0.5) & (flat > 0), delta + steep,
                                                                  1 - missed)
        return np.clip(found, 0.0, 1.0).reshape(np.shape(alpha)) + 0.0


def _threshold(x: Array, table: Array, falling: Callable[[Array], Array], to: Array) -> Array:
    """Where a logarithm that falls along a table comes to each of some others, by lines, and halving where it jumps."""
    i = np.clip(np.searchsorted(-table, -to), 1, x.size - 1)
    low, high = x[i - 1].copy(), x[i].copy()
    with np.errstate(divide="ignore", invalid="ignore"):
        above, below = table[i - 1] - to, table[i] - to
        going = np.flatnonzero((table[-1] < to) & (to < table[0]))
        found = np.where(to >= table[0], 0.0, high)
        side_kept = np.zeros(to.shape)
        for turn in range(_ROUNDS):
            if not going.size:
                break
            still_awaited()
            share = above[going] / (above[going] - below[going])
            # A jump, or an end without logarithm, is halved; and so is whatever lines do not narrow.
            straight = np.isfinite(above[going]) & np.isfinite(below[going]) & np.isfinite(share) & (turn % 4 != 3)
            share = np.where(straight, np.clip(share, 1e-3, 1 - 1e-3), 0.5)
            at = low[going] + share * (high[going] - low[going])
            value = falling(at) - to[going]
            up = value > 0
            low[going], high[going] = np.where(up, at, low[going]), np.where(up, high[going], at)
            # What stays twice is given half its weight. [Dowell & Jarratt 1971.]
            again = side_kept[going] == np.where(up, 1.0, -1.0)
            above[going] = np.where(up, value, np.where(again, above[going] / 2, above[going]))
            below[going] = np.where(up, np.where(again, below[going] / 2, below[going]), value)
            side_kept[going] = np.where(up, 1.0, -1.0)
            found[going] = at
            narrow = high[going] - low[going] <= 1e-15 * high[going]
            found[going[narrow]] = high[going[narrow]]
            going = going[(np.abs(value) > _CLOSE) & ~narrow]
    return found
