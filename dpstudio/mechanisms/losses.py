"""Privacy losses that take finitely many values: their law, its composition, and the exact δ(ε) of it.

Where P and Q are the laws of an outcome on two neighbouring datasets, the loss of outcome o is ln P(o)/Q(o), and
δ(ε) = E[(1 − e^(ε − loss))⁺] over o drawn from P. [Dwork & Rothblum 2016; Balle & Wang 2018, Theorem 5.]
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.special import less_product, log_binomial
from dpstudio.records import cached_property, dataclass

MOST_VALUES = 2**20
"""The most values that one law may have."""

_MOST_WORK = 2**29
"""The most multiplications spent on one law."""

_TINY = 5e-324
_SMALLEST_LOG = -750.0
"""ln of a probability below all doubles."""

_LARGEST = 1e290
"""Losses beyond this are as good as infinite: their products would leave the doubles."""

_FEW = 2**12
"""So many values are kept apart wherever they differ at all."""

_SCALED = 1e-250
"""What is multiplied by no more than one over this stays within the doubles, and loses nothing that they can tell."""

_EQUAL = 2.0**-90
"""Losses that agree to so much of the largest are one: they are sums and products known to twice a double's digits."""

_SUM = 1e-11
"""So far a sum of all probabilities may be from 1."""

_LITTLE = 1e-3
"""What a type I error lacks to 1 is more exact than itself from here on."""

_SAME = 2.0**-48
"""Of many, losses that agree to so much of the largest count as one: decimals that only their doubles tell apart."""


@dataclass(frozen=True, eq=False)
class Losses:
    """The law of a privacy loss: finite values in ascending order, the probability of each under P, and that of ∞."""

    values: Array
    masses: Array
    infinite: float = 0.0
    missed: Array | None = None
    """What the values' rounding to doubles left over, where it is known: large losses lie coarsely."""

    def delta(self, epsilon: Array, missed: Array | None = None) -> Array:
        """δ(ε) at any real ε, a sum of positive terms; `missed` is what rounding left over of ε.

        Where that is not known, the double nearest to the largest loss is taken for it: kε needs no δ.
        """
        above, rest = np.searchsorted(self.values, epsilon, side="right"), np.zeros(epsilon.shape)
        delta = np.full(epsilon.shape, self.infinite)
        # Values that round to what ε rounds to may still lie above it.
        met = above > 0
        if missed is None:
            met &= above < self.values.size
        else:
            rest = rest + missed
        while met.any():
            below = above[met] - 1
            met[met] = (epsilon[met] == self.values[below]) & (self._missed[below] > rest[met])
            above[met] -= 1
            met &= above > 0
        inside = above < self.values.size
        i = above[inside]
        gap = (epsilon[inside] - self.values[i]) + (rest[inside] - self._missed[i])
        delta[inside] = -np.expm1(gap) * self._reach[i] + np.exp(gap) * self._excess[i]
        return np.asarray(np.minimum(delta, 1.0))

    def epsilon(self, delta: Array) -> Array:
        """The smallest ε ≥ 0 with δ(ε) ≤ δ, ∞ where there is none."""
        # δ(ε) falls from value to value, and is reach − e^(ε − value) rest below each; near 1 its complement decides.
        many = delta > 0.5
        at = np.searchsorted(-self._excess, -delta)
        if many.any():
            at[many] = np.searchsorted(self._kept, 1 - delta[many])
        epsilon = np.where(delta < self.infinite, math.inf, 0.0)
        inside = (at < self.values.size) & (delta < 1)
        i = at[inside]
        beyond, of_many = delta[inside] - self._excess[i], many[inside]
        if of_many.any():
            beyond[of_many] = self._kept[i[of_many]] - (1 - delta[inside][of_many])
        with np.errstate(divide="ignore", over="ignore"):
            back = np.log1p(-np.clip(beyond / self._rest[i], 0.0, 1.0))
        epsilon[inside] = np.maximum(self.values[i] + (back + self._missed[i]), 0.0)
        return epsilon

    def most_beyond(self, epsilon: float) -> float:
        """The largest P(S) of all events S, randomized ones too, with P(S) ≥ e^ε Q(S), where δ(ε) > 0; else 0.

        No mechanism that is at most as easy to see through has a loss above ε with a greater probability. It may be
        far more than δ(ε), which is what the losses above ε leave to be spent on those below.
        """
        room = float(self.delta(np.array([epsilon]))[0])
        if room == 0:
            return 0.0
        above = int(np.searchsorted(self.values, epsilon, side="right"))
        most = self.infinite + float(self.masses[above:].sum())
        masses, values = (each[:above][self.masses[:above] > 0][::-1] for each in (self.masses, self.values))
        with np.errstate(over="ignore"):
            costs = np.cumsum(masses * np.expm1(epsilon - values))
        paid = int(np.searchsorted(costs, room, side="right"))
        most += float(masses[:paid].sum())
        if paid < masses.size:
            before = float(costs[paid - 1]) if paid else 0.0
            most += float(masses[paid] * ((room - before) / (costs[paid] - before)))
        return min(most, 1.0)

    def trade_off(self, alpha: Array) -> Array:
        """The smallest type II error at each type I error of a test of Q against P.

        The best tests find P where the loss is at least some value; between two of them lies a straight line.
        """
        if not self.values.size:
            return np.zeros(alpha.shape)  # all is told
        missed = np.minimum(np.cumsum(np.append(0.0, self.masses))[::-1], 1.0)
        at, _, left = self._stretches(alpha)
        # What is left of a stretch and of all that follow.
        return np.where(alpha > self._ends[-1], 0.0, missed[at] + left * (missed[at - 1] - missed[at]))

    def power(self, alpha: Array) -> Array:
        """1 less that, from positive terms too."""
        if not self.values.size:
            return np.ones(alpha.shape)
        found = np.append(self.infinite, self._reach[::-1])
        at, part, _ = self._stretches(alpha)
        return np.where(alpha > self._ends[-1], 1.0, found[at - 1] + part * (found[at] - found[at - 1]))

    @cached_property
    def _ends(self) -> Array:
        """The type I errors at which the best tests change, from 0 on: Pr_Q[loss ≥ value]."""
        with np.errstate(divide="ignore"):  # of a loss so large that nothing is left of Q
            wrong = np.minimum(np.exp(np.log(self._rest) - self.values - self._missed), 1.0)
        wrong[:1] = np.where(wrong[:1] > 1 - _SUM, 1.0, wrong[:1])  # all of Q, but for its rounding
        return np.append(0.0, wrong[::-1])

    @cached_property
    def _beyond(self) -> Array:
        """What each of them lacks to 1, Pr_Q[loss < value], by sums from the other end."""
        return np.append(1.0, np.cumsum(np.append(1 - self._ends[-1], self._unmoved[:-1]))[::-1])

    @cached_property
    def _unmoved(self) -> Array:
        """The probability of each value under Q."""
        with np.errstate(divide="ignore"):
            return np.exp(np.log(self.masses) - self.values - self._missed)

    def _stretches(self, alpha: Array) -> tuple[npt.NDArray[np.intp], Array, Array]:
        """The end of the stretch that each type I error lies on, which part of it lies before, and which behind.

        By parts of a stretch, not by its slope, which no double holds where a type I error is next to nothing; by what
        the error lacks to 1 where that is.
        """
        ends, beyond, rest = self._ends, self._beyond, 1 - alpha
        most = rest > _LITTLE
        at = np.where(most, np.searchsorted(ends, alpha, side="right"),
                      beyond.size - np.searchsorted(beyond[::-1], rest, side="left"))
        at = np.clip(at, 1, ends.size - 1)
        widths = np.where(most, ends[at] - ends[at - 1], self._unmoved[::-1][at - 1])
        before, behind = (np.clip(np.where(most, *each), 0.0, widths) for each in (
            (alpha - ends[at - 1], beyond[at - 1] - rest), (ends[at] - alpha, rest - beyond[at])))
        return (at, np.divide(before, widths, out=np.ones(alpha.shape), where=widths > 0),
                np.divide(behind, widths, out=np.zeros(alpha.shape), where=widths > 0))

    @cached_property
    def _reach(self) -> Array:
        """Pr[loss ≥ value]."""
        return np.asarray(np.minimum(np.cumsum(np.append(self.infinite, self.masses[::-1]))[:0:-1], 1.0))

    @cached_property
    def _missed(self) -> Array:
        return np.zeros(self.values.size) if self.missed is None else self.missed

    @cached_property
    def _parts(self) -> Array:
        """Two rows that are Pr[loss ≥ value] together: δ(value), and the rest, e^value Pr_Q[loss ≥ value]."""
        values, missed = self.values, self._missed
        falls = -((values[1:] - values[:-1]) + (missed[1:] - missed[:-1]))
        start, decay = np.empty((2, values.size)), np.zeros(values.size)
        start[0, :-1], start[0, -1:], start[1] = -np.expm1(falls) * self._reach[1:], self.infinite, self.masses
        np.exp(falls, out=decay[:-1])
        return _backward(start, decay)

    @property
    def _excess(self) -> Array:
        return np.asarray(self._parts[0])

    @property
    def _rest(self) -> Array:
        return np.asarray(self._parts[1])

    @cached_property
    def _kept(self) -> Array:
        """1 − δ(value)."""
        return np.cumsum(np.append(0.0, self.masses))[:-1] + self._rest

    def and_then(self, other: Losses) -> Losses:
        """The law of the sum, for outcomes that are independent."""
        values, missed = _sum(self.values[:, None], self._missed[:, None], other.values, other._missed)
        values, missed = values.reshape(-1), missed.reshape(-1)
        masses = np.multiply.outer(self.masses, other.masses).reshape(-1)
        few = values.size <= _FEW
        order = np.lexsort((missed, values)) if few else np.argsort(values, kind="stable")
        values, missed, masses = values[order], missed[order], masses[order]
        smallest = (_EQUAL if few else _SAME) * np.abs(values).max(initial=0.0)
        starts = np.flatnonzero(np.diff(values, prepend=-math.inf) + np.diff(missed, prepend=0.0) > smallest)
        # The largest of those that count as one stands for them, so that δ is none too small.
        last = np.append(starts[1:], values.size)[: starts.size] - 1
        infinite = self.infinite + other.infinite - self.infinite * other.infinite
        return Losses(values[last], np.add.reduceat(masses, starts) if starts.size else masses, infinite, missed[last])


def _sum(a: Array, a_missed: Array, b: Array, b_missed: Array) -> tuple[Array, Array]:
    """a + b as doubles and what their rounding leaves over, from the same of each; arrays that broadcast.

    Good to twice a double's digits. [Knuth 1997, The art of computer programming 2, section 4.2.2, theorem B.]
    """
    rounded = a + b
    of_b = rounded - a
    left = ((a - (rounded - of_b)) + (b - of_b)) + (a_missed + b_missed)
    total = rounded + left
    return total, left - (total - rounded)


def least_missed(alpha: Array, few: npt.NDArray[np.bool_], wrong: Array | float, right: Array | float,
                 found: Array | float, missed: Array | float) -> Array:
    """The smallest type II error at each type I error α of a test that looks for one outcome.

    The outcome has probability `wrong` under the hypothesis and `found` beside it, and 1 less those are `right` and
    `missed`: β lies on the line through (0, 1), (wrong, missed) and (1, 0), both stretches from positive terms. `few`
    says where α lies on the first of them; where they meet either does, but for the last digit.
    """
    part = np.where(few, wrong - alpha, 1 - alpha) / np.maximum(np.where(few, wrong, right), _TINY)
    return np.where(few, missed + found * part, missed * part)


def most_found(alpha: Array, few: npt.NDArray[np.bool_], wrong: Array | float, right: Array | float,
               found: Array | float, missed: Array | float) -> Array:
    """1 less that: on the line through (0, 0), (wrong, found) and (1, 1), from positive terms too."""
    part = np.where(few, alpha, alpha - wrong) / np.maximum(np.where(few, wrong, right), _TINY)
    # Where nothing is wrong all is found at once.
    return np.where(few, found * np.where(np.asarray(wrong) > 0, part, 1.0), found + missed * part)


def repeated(k: float, p: float, q: float, gain: float, drop: float) -> Losses:
    """The law of the loss of k independent outcomes, each `gain` with probability p, else −`drop` with q = 1 − p.

    k is whole and ≥ 1 (as a float up to 2⁵³), p and q in [0, 1] are each exact beside the other, `gain` and `drop` are
    the losses of one outcome, ≥ 0 and in nats, `gain` perhaps ∞. At most k + 1 values, of which those with a
    probability below e^−750 are left out; probabilities are good to 2e-12 relative. [Loader 2000 for the binomial.]
    """
    if k * gain > _LARGEST:
        gain = math.inf
    if gain == math.inf and p > 0:
        log_none = k * (math.log1p(-p) if p < 0.5 else math.log(q) if q > 0 else -math.inf)
        none = np.array([math.exp(log_none)] if log_none > _SMALLEST_LOG else [])
        return Losses(np.array([-k * drop] * none.size), none, -math.expm1(log_none))
    # Bernstein's inequality: no further than this from the mean is a probability above e^−750.
    spread = -_SMALLEST_LOG / 3
    spread += math.sqrt(spread * spread - 2 * _SMALLEST_LOG * k * p * q)
    j = np.arange(math.floor(max(k * p - spread, 0)), math.ceil(min(k * p + spread, k)) + 1, dtype=np.float64)
    masses = np.exp(log_binomial(j, k, p, q))
    j, masses = j[masses > 0], masses[masses > 0]
    if q == 0:
        return Losses(gain * j, masses)
    if gain == drop:
        values = (2 * j - k) * gain
        return Losses(values, masses, missed=-less_product(values, 2 * j - k, gain))
    return Losses(j * gain - (k - j) * drop, masses)


def alike(epsilon: float, k: float) -> Losses:
    """The law of the loss of k responses that tell the truth with probability e^ε/(1 + e^ε), whatever it is."""
    odds = math.exp(-epsilon)
    return repeated(k, 1 / (1 + odds), odds / (1 + odds), epsilon, epsilon)


def responses(epsilons: Array) -> tuple[Losses, Losses] | None:
    """Two laws whose sum is the loss of unlike responses, of these ε ≥ 0 (a vector); None where they are too many.

    At most `MOST_VALUES` values each; where all ε are multiples of one decimal, the first law is certain.
    """
    steps = {float(e): int(times) for e, times in zip(*np.unique(epsilons, return_counts=True), strict=True) if e > 0}
    laws = {e: alike(e, times) for e, times in steps.items()}
    certain = Losses(np.zeros(1), np.ones(1))
    if len(laws) > 1 and (law := _on_grid(steps, laws)):
        return certain, law
    first, second = certain, certain
    for law in sorted(laws.values(), key=_size, reverse=True):
        first, second = sorted((first, second), key=_size)
        if first.values.size * law.values.size > MOST_VALUES:
            return None
        first = first.and_then(law)
    return first, second


def _on_grid(steps: Mapping[float, int], laws: Mapping[float, Losses]) -> Losses | None:
    """The loss of all steps where every ε is a multiple of one decimal unit, as 0.1, 0.25 and 1 are of 0.05."""
    written = {e: Fraction(repr(e)) for e in steps}
    scale = math.lcm(*(fraction.denominator for fraction in written.values()))
    multiples = {e: int(fraction * scale) for e, fraction in written.items()}
    unit = math.gcd(*multiples.values())
    multiples = {e: multiple // unit for e, multiple in multiples.items()} if steps else {}
    total = sum(times * multiples[e] for e, times in steps.items())
    if total >= MOST_VALUES or total * sum(law.values.size for law in laws.values()) > _MOST_WORK:
        return None
    masses: Array = np.zeros(total + 1)
    reach = 0
    masses[0] = 1.0
    for e, law in laws.items():
        added: Array = np.zeros(total + 1)
        for ups, mass in zip(np.rint((law.values / e + steps[e]) / 2).astype(int).tolist(), law.masses, strict=True):
            start = ups * multiples[e]
            added[start : start + reach + 1] += mass * masses[: reach + 1]
        masses, reach = added, reach + steps[e] * multiples[e]
    met = np.flatnonzero(masses)
    step = Fraction(unit, scale)
    if max(total * step.numerator, step.denominator) < 2**53:  # the double nearest to each decimal, as it is written
        return Losses((2 * met - total) * step.numerator / step.denominator, masses[met])
    return Losses(np.asarray((2 * met - total) * float(step), dtype=np.float64), masses[met])


def delta_of_sum(first: Losses, second: Losses, epsilon: Array) -> Array:
    """δ(ε) of two independent laws: the average of the second's at ε less the first's loss."""
    first, second = sorted((first, second), key=_size)
    at, nothing = epsilon.reshape(-1, 1), np.zeros(1)
    if first.values.size == 1:
        deltas = first.masses * second.delta(*(each[:, 0] for each in _sum(at, nothing, -first.values, -first._missed)))
    else:
        deltas = np.array([float(first.masses @ second.delta(*_sum(e, nothing, -first.values, -first._missed)))
                           for e in at])
    return np.asarray(np.minimum(first.infinite + deltas.reshape(epsilon.shape), 1.0))  # of masses known to rounding


def _size(law: Losses) -> int:
    return law.values.size


def _backward(start: Array, decay: Array) -> Array:
    """x with x_i = start_i + decay_i x_(i+1), row by row, from the last to the first, for start ≥ 0, 0 ≤ decay ≤ 1.

    Of few values all at once, by x_i/s_i = Σ start_j/s_j, j ≥ i, with s_i the product of the decays from i on, where
    no s leaves the doubles; else sums of 2, 4, 8, … terms: twenty operations on arrays for a million values.
    """
    if 1 < decay.size <= _FEW:
        scale = np.append(np.multiply.accumulate(decay[-2::-1])[::-1], 1.0)
        if scale[0] >= _SCALED:
            return np.asarray(np.add.accumulate((start / scale)[:, ::-1], axis=1)[:, ::-1] * scale)
    x, product, stride = start.copy(), decay.copy(), 1
    while stride < decay.size:
        x[:, :-stride] += product[:-stride] * x[:, stride:]
        product[:-stride] *= product[stride:]
        stride *= 2
    return x
