"""What an attacker gains from a release, whatever else they know: all from its law (`core/law.py`), or a guarantee.

    success(law, 0.01)         how likely an attack succeeds, at most, that does with 1 % by chance
    membership(law, 0.5)       the share of right guesses at whether the person is in
    one_of(law, 10)            the share of right guesses at which of ten the person is, all neighbours of each other
    exceeds(law, 1.0)          how often the privacy loss may be above 1
    Grouped(law, 3)            the law for three records of one person

T(α) is the smallest chance of a miss at false alarms α, g = 1 − T, and every (ε, δ) of the profile is a line above g:
g(α) ≤ e^ε α + δ. Where a gain is where g meets a line, the least over all those lines is the answer, never below it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio.core import law as laws
from dpstudio.core.arrays import numbers_in, of_each, parameter_value, shaped
from dpstudio.core.declare import Array
from dpstudio.core.law import Law, PrivacyProfile
from dpstudio.core.odds import updated
from dpstudio.core.results import Kind
from dpstudio.core.slow import still_awaited
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import (
    EPSILON_PRIME,
    GROUP_SIZE,
    INSIDE_UNIT,
    TYPE_I,
    integers,
    variant,
)

_INSIDE = variant(TYPE_I, key="inside", domain=INSIDE_UNIT)
_CANDIDATES = variant(GROUP_SIZE, key="candidates", domain=integers(2))
_LOSSES = 2.0 ** np.arange(-30, 10)
_FIRST = np.concatenate([-_LOSSES[::-1], [0.0], _LOSSES])
"""Losses at which a profile is asked first."""
_GAPS = np.concatenate([2.0 ** np.arange(9, -24, -1), 10.0 ** np.arange(-9, -16, -2)])
"""How far below a loss it is asked first besides."""
_TABLE = np.concatenate([[0.0], np.geomspace(1e-15, 0.5, 6000), np.linspace(0.5, 1.0, 401)[1:]])
"""Type I errors at which a chain of trade-offs is known."""
_LONGEST = 4096
"""The longest chain that is followed."""
_ENOUGH = 1e-13
"""Part of itself to which a gain is found, above it."""
_ROUNDS = 60
_BESIDE = (-1e-2, -1e-4, -1e-6, -1e-8, 0.0, 1e-8, 1e-6, 1e-4, 1e-2)
"""Places beside the expected one, in parts of the room about it."""
_TOWARDS = (-0.5, -0.25, -0.1, -0.03, 0.03, 0.1, 0.25, 0.5)
"""Places beside the best so far, in parts of the room to the next one."""


def success(law: Law, baseline: npt.ArrayLike) -> float | Array:
    """g(b) = 1 − T(b): the most that an attack comes to that succeeds by chance with b in (0, 1); of any shape.

    Also the chance of being found at false alarms b, which is attained. [Dong, Roth & Su 2022, Definition 2.1.]
    """
    return laws.power(law, numbers_in(baseline, _INSIDE, "baseline"))


def failure(law: Law, baseline: npt.ArrayLike) -> float | Array:
    """T(b): how likely such an attack fails at least; b is in (0, 1), of any shape."""
    return law.trade_off(numbers_in(baseline, _INSIDE, "baseline"))


def membership(law: PrivacyProfile, prior: npt.ArrayLike) -> float | Array:
    """The best share of right guesses at which of two neighbours it is, one of which has the prior in (0, 1).

    max(p, 1 − p) + min(p, 1 − p) δ(|ln p/(1 − p)|), attained by the best test where the law is the same both ways; at ½
    it is (1 + δ(0))/2. Of any shape.
    """
    p = numbers_in(prior, _INSIDE, "prior")
    likely, rare = np.maximum(p, 1 - p), np.minimum(p, 1 - p)
    return shaped(likely + rare * np.asarray(law.delta_at(np.abs(np.log(p) - np.log1p(-p)))))


def advantage(law: PrivacyProfile) -> float:
    """δ(0): the largest 1 − α − β of any test."""
    return float(law.delta_at(0.0))


def one_of(law: PrivacyProfile, candidates: npt.ArrayLike) -> float | Array:
    """The largest s = g((1 − s)/(M − 1)): right guesses at which of M equally likely neighbours of each other it is.

    It is the least (e^ε + (M − 1) δ(ε))/(e^ε + M − 1): what (ε, δ) alone allows is attained, and so is that of every
    law for M = 2; else it is a bound. M is whole, at least 2, of any shape.
    """
    def best(m: float) -> float:
        def allowed(x: Array, delta: Array) -> Array:
            one, others = np.exp(np.minimum(x, 0.0)), (m - 1) * np.exp(-np.maximum(x, 0.0))
            return np.asarray((one + others * delta) / (one + others))

        return min(_least(law, allowed), 1.0)

    return _of_each(best, numbers_in(candidates, _CANDIDATES, "candidates"))


def exceeds(law: PrivacyProfile, loss: npt.ArrayLike) -> float | Array:
    """The greatest root of x = g(e^−ℓ x): how often, with the person, a loss ℓ ≥ 0 or more may be seen; of any shape.

    No mechanism with this trade-off has Pr[loss ≥ ℓ] above it, and one that announces but one event attains it. It is
    the least δ(ε)/(1 − e^(ε − ℓ)) over all ε < ℓ, below 0 too.
    """
    def most(at: float) -> float:
        return min(_least(law, lambda x, delta: delta / -np.expm1(x - at), at), 1.0)

    return _of_each(most, numbers_in(loss, EPSILON_PRIME, "loss"))


def posterior_reaches(law: PrivacyProfile, prior: npt.ArrayLike, level: npt.ArrayLike) -> float | Array:
    """How often, in the attacker's own eyes, the belief rises from the prior to a level or more: π x/t at most.

    x is what `exceeds` says of the loss logit t − logit π. Prior and level are in (0, 1), of any shapes; 1 where the
    level is no higher than the prior.
    """
    def often(p: float, t: float) -> float:
        if t <= p:
            return 1.0
        more = math.log1p((t - p) / p) if t < 2 * p else math.log(t) - math.log(p)
        return p / t * float(exceeds(law, more + (math.log1p(-p) - math.log1p(-t))))

    return _of_each(often, *np.broadcast_arrays(numbers_in(prior, _INSIDE, "prior"),
                                                numbers_in(level, _INSIDE, "level")))


def precision(law: Law, false_alarms: npt.ArrayLike, prior: npt.ArrayLike) -> float | Array:
    """π g(α)/(π g(α) + (1 − π) α): of those whom a test finds, how many are in, at most.

    α and π are in (0, 1), of any shapes.
    """
    p, alpha = np.broadcast_arrays(numbers_in(prior, _INSIDE, "prior"),
                                   numbers_in(false_alarms, _INSIDE, "false_alarms"))
    found = p * np.asarray(laws.power(law, alpha))
    return shaped(np.asarray(found / (found + (1 - p) * alpha)))


def greatest_posterior(law: Law, prior: npt.ArrayLike) -> float | Array:
    """The highest belief that any answer can bring, 1/(1 + e^−ε (1 − π)/π) with ε the largest loss; 1 where that is ∞.

    The prior is in (0, 1), of any shape.
    """
    return updated(numbers_in(prior, _INSIDE, "prior"), laws.largest_loss(law))


# The least of all lines

def _of_each(function: Callable[..., float], *of: Array) -> float | Array:
    """`of_each` of what divides by next to nothing on its way."""
    with np.errstate(all="ignore"):
        return of_each(function, *of)


def _least(law: PrivacyProfile, bound: Callable[[Array, Array], Array], below: float = math.inf) -> float:
    """The least bound(x, δ(x)) over real x < `below`, to 1e-13 and none too small; δ(−x) = 1 − e^−x (1 − δ(x)).

    `bound` is a ratio of what is affine in e^x and δ to what is affine in e^x. δ is convex in e^x, so that what lies
    between two places is no less than where the chords beside them meet; they meet at the least one where δ is broken
    there, and a parabola finds it where δ is smooth.
    """
    def asked(x: Array) -> Array:
        size = np.abs(x)
        delta = np.asarray(law.delta_at(size))
        return delta if x[0] >= 0 else np.where(x < 0, -np.expm1(-size) + np.exp(-size) * delta, delta)

    first = _FIRST
    if below < math.inf:
        first = np.sort(np.concatenate([first[first < below], below - _GAPS * max(below, 1.0)]))
        first = first[np.append(first[1:] > first[:-1], first[-1] < below)]
    delta = asked(first)
    found = bound(first, delta)
    i = int(found.argmin())
    x, d, y = (each[max(i - 2, 0):i + 3].tolist() for each in (first, delta, found))
    for _ in range(_ROUNDS):
        least = min(y)
        i = y.index(least)
        if least <= 0 or i in (0, len(x) - 1):
            break
        meetings, places = _between(x, d, y, i)
        if meetings and min(bound(*np.array(meetings).T).tolist()) >= least * (1 - _ENOUGH):
            break
        inside = sorted({place for place in places if x[i - 1] < place < x[i + 1]}.difference(x))
        if not inside:
            break
        new = np.array(inside)
        of_new = asked(new)
        known = sorted([*zip(x, d, y, strict=True),
                        *zip(inside, of_new.tolist(), bound(new, of_new).tolist(), strict=True)])
        i = min(range(len(known)), key=lambda j: known[j][2])
        x, d, y = (list(each) for each in zip(*known[max(i - 2, 0):i + 3], strict=True))
    return max(0.0, float(min(y)))


def _between(x: list[float], delta: list[float], found: list[float], i: int
             ) -> tuple[list[tuple[float, float]], list[float]]:
    """Where chords on either side of the i-th place meet, if all are there, and places at which the least may lie."""
    meetings: list[tuple[float, float]] = []
    places: list[float] = []
    for left in (i - 1, i):
        if 1 <= left < len(x) - 2:
            # In e^(x − the best place): δ is convex in that too.
            a, b, c, d = (math.expm1(each - x[i]) for each in x[left - 1:left + 3])
            p, q, r, s = delta[left - 1:left + 3]
            rise, fall = (q - p) / (b - a), (s - r) / (d - c)
            cross = min(max((r - q + rise * b - fall * c) / (rise - fall), b), c) if rise < fall else b
            meetings.append((x[i] + math.log1p(cross), q + rise * (cross - b)))
    before, after = x[i] - x[i - 1], x[i + 1] - x[i]
    drop, climb = (found[i - 1] - found[i]) / before, (found[i + 1] - found[i]) / after
    if drop + climb > 0:
        vertex = x[i] + (drop * after - climb * before) / (drop + climb) / 2
        places.extend(vertex + part * max(before, after) for part in _BESIDE)
    places.extend(x[i] + part * (before if part < 0 else after) for part in _TOWARDS)
    places.extend(place for place, _ in meetings)
    return meetings if len(meetings) == 2 else [], places


@dataclass(frozen=True)
class Grouped:
    """The law for several records of one person: g after g, so often, which holds of every chain of neighbours.

    What a law says of so many records in closed form is taken as it is, and attained; else δ is a bound: where g is
    concave by the chords of a table, extended until they meet, and where it is not by its steps. [Dong, Roth & Su 2022,
    Theorem 4.]
    """

    law: Law
    size: int

    def __post_init__(self) -> None:
        parameter_value(GROUP_SIZE, self.size, "size")

    @cached_property
    def closed(self) -> Law | None:
        """The law in closed form, where it is known."""
        return laws.grouped(self.law, self.size)

    @property
    def kind(self) -> Kind:
        """Whether so much is given away by some chain of neighbours, or at most."""
        return "exact" if self.closed is not None else "bound"

    @property
    def both_ways(self) -> bool:
        """Whether the law of one record is the same both ways."""
        return laws.same_both_ways(self.law)

    @property
    def largest_loss(self) -> float:
        """So many times that of one record."""
        return self.size * laws.largest_loss(self.law)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """g(g(… g(α))); α is in [0, 1], of any shape."""
        if self.closed is not None:
            return laws.power(self.closed, alpha)
        return shaped(self._chained(numbers_in(alpha, TYPE_I, "alpha"), self.size))

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(g(… g(α))); α is in [0, 1], of any shape."""
        if self.closed is not None:
            return self.closed.trade_off(alpha)
        a = numbers_in(alpha, TYPE_I, "alpha")
        if self.size > _LONGEST:
            return shaped(np.zeros(a.shape))
        return self.law.trade_off(self._chained(a, self.size - 1))

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The largest g(α) − e^ε α, or more; ε is in [0, ∞), of any shape."""
        if self.closed is not None:
            return self.closed.delta_at(epsilon)
        e = numbers_in(epsilon, EPSILON_PRIME, "epsilon")
        alpha, most = self._above
        with np.errstate(over="ignore", invalid="ignore"):
            cost = np.where(alpha > 0, np.multiply.outer(np.exp(e), alpha), 0.0)
        return shaped(np.clip((most - cost).max(axis=-1), 0.0, 1.0))

    def _chained(self, alpha: Array, times: int) -> Array:
        if times > _LONGEST:
            return np.ones(alpha.shape)  # which is above all
        for _ in range(times):
            if (alpha >= 1).all():
                break
            still_awaited()
            alpha = np.minimum(np.asarray(laws.power(self.law, alpha)), 1.0)
        return alpha

    @cached_property
    def _above(self) -> tuple[Array, Array]:
        """Points under whose hull g lies."""
        at = _TABLE
        g = self._chained(at, self.size)
        if not self.both_ways:
            return at[:-1], g[1:]
        # Of a concave g each chord, extended, is above it: where those before and after meet no more is possible.
        slopes = np.diff(g) / np.diff(at)
        before, after = np.append(math.inf, slopes[:-2]), slopes[1:]
        start, end, low, high = at[:-2], at[1:-1], g[:-2], g[1:-1]
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(before > after, (high - low - after * (end - start)) / (before - after), 0.0)
            part = np.clip(np.nan_to_num(part), 0.0, end - start)
            most = np.where(part > 0, low + np.where(part > 0, before, 0.0) * part, high - after * (end - start))
        return np.append(start + part, at[-1]), np.append(np.maximum(most, low), g[-1])
