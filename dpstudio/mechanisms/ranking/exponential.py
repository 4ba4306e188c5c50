"""Largest of numbers with Laplace or geometric noise, by quadrature between one number and the next.

With x = r (v − n), r the rate of the noise, the distribution function of a number n with its noise is λ e^x up to
n and 1 − κ e^−x beyond: λ = κ = ½ for Laplace noise, and for geometric noise with a = e^−r, where 1 − y of a step is
left, λ = (1 − (1 − a)(1 − y))/(1 + a) and κ = (a + (1 − a)(1 − y))/(1 + a). Of numbers far below v the logarithms are
power series of e^−x, of those above v they are straight lines, so that only few have to be taken one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.quadrature import gauss_legendre, gauss_sum
from dpstudio.mechanisms.ranking.places import where_it_counts, within_steps
from dpstudio.records import dataclass

_Sums: TypeAlias = Callable[[Array], tuple[Array, Array]]
"""ln of a product at each place, and its slope."""

_BLOCK, _NEAR, _TERMS = 1.0, 2.0, 19
"""Places are taken together so many 1/r wide, and numbers from so far below on by their power series, e^−x to a power
that is below the last digit."""
_NOTHING = 1e-25
_DISTANT = 60.0
"""Numbers so many 1/r below count for nothing, but for their own chance, of which the first power is all."""
_FAR = 50.0
"""So many 1/r, and ln K more, beyond the outermost numbers that count nothing is left."""
_LOST = 760.0
"""A number so many 1/r below another is never above it, as far as doubles tell."""
_VARIES = 2.0
"""A piece of quadrature ends where the logarithm of the integrand has changed by so much."""
_POINTS = ((0.03, 5), (0.4, 8), (math.inf, 16))
_GRID = 49
_FEW, _AT_ONCE = 2**15, 2**19
"""Numbers computed at once: without asking what is near, and at most."""


@dataclass(frozen=True, slots=True)
class ExponentialRanking:
    """Laplace noise of rate 1/b, or geometric noise of rate ε/Δ."""

    rate: float
    whole: bool

    def winning(self, values: Array, times: Array) -> Array:
        """The probability of each of one number or of several alike to be the largest: ∫ G f/F, G = Π F.

        `values` rise and end with 0, `times` says how many there are of each.
        """
        field = Field(self, values, times)
        second = 0.0 if times[-1] > 1 else max(float(values[-2]), -_LOST / self.rate)
        reach = (_FAR + math.log(float(times.sum()))) / self.rate
        # Of a number below all places it is G e^−rv, of others it falls away sooner.
        low, high = where_it_counts(lambda v: field.sums(v)[0] - self.rate * v, second - reach, reach)
        v, weights = self._places(field.sums, values, low, high)
        if not self.whole:
            return field.shares(v, np.zeros(v.size), weights)
        step, rest, part = within_steps(field.sums(v)[1])
        return field.shares(v[step], rest, weights[step] * part)

    def apart(self, above: Array, above_times: Array, below: Array, below_times: Array) -> float:
        """The probability that the numbers above, the least of which is 0, are all larger than those below: ∫ T dG."""
        count = math.log(float(above_times.sum() + below_times.sum()))
        if -float(below[-1]) * self.rate > 2 * (_FAR + count):
            return 1.0
        rest = Field(self, below, below_times)
        front = Field(self, -above[::-1], above_times[::-1])  # Pr[n + X > v] = F(−v − (−n)), and of whole ones F(… − 1)

        def parts(v: Array) -> tuple[Array, Array]:
            (logs, falls), (mirrored, rises) = rest.sums(v, steps=True), front.sums(-v - self.whole, steps=True)
            return logs + mirrored, falls + rises

        def log_integrand(v: Array) -> Array:
            logs, falls = rest.sums(v, steps=True)
            return np.asarray(logs + self._log_rise(falls) + front.sums(-v - self.whole)[0])

        reach = (_FAR + count) / self.rate
        low, high = where_it_counts(log_integrand, float(below[-1]) - reach - 2, reach + 2)
        v, weights = self._places(parts, np.append(below, above), low, high)
        return float(weights @ np.exp(log_integrand(v)))

    def _log_rise(self, slope: Array) -> Array:
        """ln of the slope, or of 1 − e^slope, the part by which G rises in a step."""
        return np.asarray(np.log(-np.expm1(-slope) if self.whole else slope))

    def _places(self, sums: _Sums, values: Array, low: float, high: float) -> tuple[Array, Array]:
        """Places and weights between two ends, cut at the numbers and wherever the logarithm has changed by much."""
        if self.whole:
            low, high = math.floor(low), math.ceil(high) + 1.0
        grid = np.linspace(low, high, _GRID)
        changes = np.abs(np.diff(np.nan_to_num(sums(grid)[0], neginf=-1e300))) + self.rate * np.diff(grid)
        # Where nothing is left it may change as it likes.
        varied = np.append(0.0, np.cumsum(np.minimum(changes, 4 * _FAR)))
        ends = np.interp(np.arange(0.0, varied[-1], _VARIES), varied, grid)
        inside = values[(values > low) & (values < high)]
        ends = np.unique(np.concatenate([np.rint(ends) if self.whole else ends, inside, [low, high]]))
        return _between(ends, np.diff(np.interp(ends, grid, varied)), self.whole)


def _between(ends: Array, varies: Array, whole: bool) -> tuple[Array, Array]:
    """Places and weights of pieces, more of them where a piece varies more; of whole numbers all, or Gauss's."""
    places, weights, least = [], [], 0.0
    starts, widths = ends[:-1], np.diff(ends)
    if whole:
        for width in np.unique(widths):
            of = starts[widths == width]
            nodes, node_weights = gauss_sum(int(width), _POINTS[-1][1])
            places.append((of[:, None] + nodes).reshape(-1))
            weights.append(np.tile(node_weights, of.size))
    else:
        for most, points in _POINTS:
            some = (varies >= least) & (varies < most)
            least = most
            nodes, node_weights = gauss_legendre(points)
            places.append((starts[some, None] + widths[some, None] * nodes).reshape(-1))
            weights.append((widths[some, None] * node_weights).reshape(-1))
    return np.concatenate(places), np.concatenate(weights)


@dataclass(frozen=True, slots=True)
class Field:
    """Numbers with such noise, in rising order, and how many there are of each."""

    noise: ExponentialRanking
    values: Array
    times: Array

    def sums(self, v: Array, rest: Array | None = None, steps: bool = False) -> tuple[Array, Array]:
        """ln G at each place, and its slope Σ f/F; with `steps` of whole noise ln G(v)/G(v − 1) in its place.

        Whole noise is taken at the end of its step where nothing is said of the rest of it, 1 − y.
        """
        logs, slopes = np.empty(v.size), np.empty(v.size)
        rest, rate = np.zeros(v.size) if rest is None else rest, self.noise.rate
        steps = steps and self.noise.whole
        for block in self._blocks(v):
            at, start = block.at, block.start
            lows, low_slopes, kappa, high_slopes = self._parts(rest[at])
            many, above = self.times[block.above], self.values[block.above]
            count = float(many.sum())
            x = rate * (v[at] - start)
            logs[at] = count * (lows + x) - rate * float(many @ (above - start))
            slopes[at] = count * (rate if steps else low_slopes)
            left = np.exp(-x)
            some = np.flatnonzero(left > _NOTHING)  # where more than the first power counts, which may be next to 0
            power = before = np.ones(at.size)
            for k, weight in enumerate(block.powers, start=1):
                if k == 2:
                    at, left, kappa, high_slopes = at[some], left[some], kappa[some], high_slopes[some]
                    power, before = power[some], before[some]
                power, before = power * (kappa * left), before * (left / (1 + math.exp(-rate)))
                logs[at] -= weight / k * power
                slopes[at] += weight * (before * (-math.expm1(-rate * k) / k) if steps else power * high_slopes)
            near, of = self.times[block.near], self.values[block.near]
            if not of.size:
                continue
            at = block.at
            lows, low_slopes, kappa, high_slopes = self._parts(rest[at])
            apart = rate * (v[at, None] - of)
            under = apart <= 0
            missed = kappa[:, None] * np.exp(-np.abs(apart))
            logs[at] += np.where(under, lows[:, None] + apart, np.log1p(-missed)) @ near
            hazard = high_slopes[:, None] * missed / (1 - missed)
            if steps:
                slopes[at] += np.where(under, rate, -np.log1p(-np.minimum(hazard, 1.0))) @ near
            else:
                slopes[at] += np.where(under, low_slopes[:, None], hazard) @ near
        return logs, slopes

    def shares(self, v: Array, rest: Array, weights: Array) -> Array:
        """Σ weight · G f/F of each number, over places that are given."""
        found = np.zeros(self.values.size)
        mass, rate = weights * np.exp(self.sums(v, rest)[0]), self.noise.rate
        for block in self._blocks(v):
            at, start = block.at, block.start
            _, low_slopes, kappa, high_slopes = self._parts(rest[at])
            found[block.above] += float(mass[at] @ low_slopes)
            moments = []
            if block.below.stop:
                ratio, weight = kappa * np.exp(-rate * (v[at] - start)), mass[at] * high_slopes
                moments.append(float(weight @ ratio))
                some = ratio > _NOTHING
                ratio, weight = ratio[some], weight[some]
                for _ in range(_TERMS - 1):
                    weight = weight * ratio
                    moments.append(float(weight @ ratio))
            if moments:
                each = np.exp(rate * (self.values[:block.below.stop] - start))
                found[:block.first] += moments[0] * each[:block.first]
                close, share = each[block.first:], np.zeros(each.size - block.first)
                for moment in reversed(moments):
                    share = (share + moment) * close
                found[block.below] += share
            of = self.values[block.near]
            if of.size:
                apart = rate * (v[at, None] - of)
                missed = kappa[:, None] * np.exp(-np.abs(apart))
                found[block.near] += mass[at] @ np.where(apart <= 0, low_slopes[:, None],
                                                         high_slopes[:, None] * missed / (1 - missed))
        return found

    def _parts(self, rest: Array) -> tuple[Array, Array, Array, Array]:
        """ln λ, the slope f/F where that holds, κ, and the slope over κ e^−x/(1 − κ e^−x) where this holds."""
        rate = self.noise.rate
        if not self.noise.whole:
            half, slope = np.full(rest.shape, 0.5), np.full(rest.shape, rate)
            return np.log(half), slope, half, slope
        a, fall = math.exp(-rate), -math.expm1(-rate)
        low, high = 1 - fall * rest, a + fall * rest
        log = np.log1p(-fall * rest) - math.log1p(a)
        return log, fall / low, high / (1 + a), fall / np.maximum(high, 1e-300)

    def _blocks(self, v: Array) -> Iterator[_Block]:
        """Places by blocks: those without a number nearby as far as the next one, the others by their width.

        Of few places and numbers each is taken with each.
        """
        rate = self.noise.rate
        if v.size * self.values.size <= _FEW:
            yield _Block(np.arange(v.size), float(v.min()), 0, slice(0, 0), slice(0, self.values.size),
                         slice(self.values.size, None), [])
            return
        below, above = np.searchsorted(self.values, v - _NEAR / rate), np.searchsorted(self.values, v)
        alone = below == above
        numbers = np.where(alone, below + 0.5, np.floor((v - self.values[-1]) * (rate / _BLOCK)))
        for number in np.unique(numbers):
            at = np.flatnonzero(numbers == number)
            low, high = int(below[at].min()), int(above[at].max())
            start = float(v[at].min())
            first = min(int(np.searchsorted(self.values, start - _DISTANT / rate)), low)
            left, powers = np.exp(rate * (self.values[first:low] - start)), []
            power = self.times[first:low]
            for _ in range(_TERMS if low > first else 0):
                power = power * left
                powers.append(float(power.sum()))
            for part in np.array_split(at, 1 + at.size * (high - low) // _AT_ONCE):
                yield _Block(part, start, first, slice(first, low), slice(low, high), slice(high, self.values.size),
                             powers)


@dataclass(frozen=True, slots=True)
class _Block:
    """Places close to each other, and the numbers far below, near and above all of them."""

    at: npt.NDArray[np.intp]
    start: float
    first: int
    """How many are so far below that the first power is all of them."""
    below: slice
    near: slice
    above: slice
    powers: list[float]
    """Σ times e^−kr(start − number) of those far below, k = 1, 2 …"""

