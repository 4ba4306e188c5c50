"""The exact posterior of a rate given a noisy count: a mixture of Betas, integrated without summing it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import roots_jacobi

from dpstudio.core.declare import Array
from dpstudio.models.beta_bernoulli.likelihood import Rates, log_likelihood
from dpstudio.models.beta_bernoulli.panels import NODES, WEIGHTS, Rows, as_v, placed, rates_at

_NEAR_ZERO = 1e-10
_STEEPEST = 60.0
"""A prior parameter beyond which no mass reaches the end of the axis."""
_AROUND = np.array([-9.0, -5.0, -2.5, -1.0, 0.0, 1.0, 2.5, 5.0, 9.0])
_DECAY = np.array([-30.0, -8.0, -2.5, 2.5, 8.0, 30.0])
_BULK = np.array([-6.0, -3.0, -1.0, 1.0, 3.0, 6.0])


class NoiseAware:
    """Posteriors of θ ~ Beta(a, b) given counts c of Bin(n, θ) released with noise ∝ e^(−ε|x|), one for each c.

    p(θ | c) ∝ θ^(a−1) (1−θ)^(b−1) E[e^(−ε|c − K|)], K ~ Bin(n, θ). It is the same for all c ≤ 0 and for all c ≥ n.
    The panels of its quadrature follow the density, so its cost grows with neither n nor the width of the noise.
    """

    def __init__(self, a: float, b: float, n: float, counts: Array, epsilon: float, gaps: Array | None = None) -> None:
        """For counts c or, with gaps, for c = counts + gaps taken apart (see `log_likelihood`)."""
        self.a, self.b, self.n, self.epsilon = a, b, float(n), epsilon
        if gaps is None:
            counts = np.clip(counts, 0.0, n)
            self.m = np.floor(counts)
            self.gaps = counts - self.m
        else:
            self.m, self.gaps = counts, gaps
        self.rows = len(self.m)
        # Up to here from 0 and 1 all but the prior's own power of θ is a polynomial of low degree.
        self.least = 0.25 / ((n + 1) * math.exp(min(epsilon, 60.0)) + a + b)
        self.panels = placed(self._edges(), self._log_q)
        self._weigh()

    def _edges(self) -> Array:
        n, c, least = self.n, self.m + self.gaps, self.least
        ends = least * 4.0 ** np.arange(math.ceil(math.log(0.5 / least, 4)))
        graded = np.broadcast_to(np.concatenate([ends, -ends]), (self.rows, 2 * len(ends)))
        if n == 0:
            return np.concatenate([graded, self._bulk(np.zeros(1), np.zeros(1))], axis=1)
        x, y = c[:, None] / n, (n - c)[:, None] / n
        smooth = np.sqrt(np.maximum(x * y, 1 / n) / n)  # how a kink at c/n is rounded off
        decay = 1 / (self.epsilon * n)
        offsets = np.concatenate([smooth * _AROUND, np.broadcast_to(decay * _DECAY, (self.rows, len(_DECAY)))], axis=1)
        return np.concatenate([graded, as_v(x + offsets, y - offsets, np.array(least)), self._bulk(c, n - c),
                               np.broadcast_to(self._bulk(np.zeros(1), np.zeros(1)), (self.rows, len(_BULK)))], axis=1)

    def _bulk(self, yes: Array, no: Array) -> Array:
        a, b = self.a + yes[:, None], self.b + no[:, None]
        x, y = a / (a + b), b / (a + b)
        offsets = np.sqrt(x * y / (a + b + 1)) * _BULK
        return as_v(x + offsets, y - offsets, np.array(self.least))

    def _log_likelihood(self, rates: Rates, row: Rows) -> Array:
        return log_likelihood(rates, self.n, self.m[row], self.gaps[row], self.epsilon)

    def _log_q(self, rates: Rates, row: Rows) -> Array:
        return self.a * np.log(rates.theta) + self.b * np.log(rates.phi) + self._log_likelihood(rates, row)

    def log_density(self, rates: Rates, row: Rows) -> Array:
        return ((self.a - 1) * np.log(rates.theta) + (self.b - 1) * np.log(rates.phi)
                + self._log_likelihood(rates, row))

    def _weigh(self) -> None:
        """Masses of the panels and of both ends, all relative to e^reference, and the moments."""
        at = np.flatnonzero(self.panels.kept)
        row = self.panels.row[at]
        rates, logs, length = self.on(row, self.panels.start[at], self.panels.stop[at])
        self.reference = np.full(self.rows, -np.inf)
        np.maximum.at(self.reference, row, logs.max(axis=1))
        weights = np.exp(logs - self.reference[row][:, None]) * length[:, None] * WEIGHTS
        every = np.arange(self.rows, dtype=np.intp)
        last = np.append(self.panels.first[1:], len(self.panels.row)) - 1
        ends = [self.end(every, np.full(self.rows, self.least), right, bool(self.panels.kept[beside].any()))
                for right, beside in ((False, self.panels.first), (True, last))]
        self.mass = np.zeros(len(self.panels.row))
        self.mass[at] = weights.sum(axis=1)
        self.ends = [end_weights.sum(axis=1) for _, end_weights in ends]
        first = self.panels.first
        self.total = self.ends[0] + np.add.reduceat(self.mass, first) + self.ends[1]

        def average(inner: Array, outer: tuple[Array, Array]) -> Array:
            sums = np.bincount(row, (weights * inner).sum(axis=1), self.rows)
            for (_, end_weights), there in zip(ends, outer, strict=True):
                sums = sums + (end_weights * there).sum(axis=1)
            return np.asarray(sums / self.total)

        (left, _), (right, _) = ends
        self.mean = average(rates.theta, (left.theta, right.theta))
        self.co_mean = average(rates.phi, (left.phi, right.phi))
        near = (self.mean <= 0.5)[:, None]

        def off(there: Rates, of: Rows) -> Array:
            return np.where(near[of], there.theta - self.mean[of][:, None], self.co_mean[of][:, None] - there.phi)

        self.sd = np.sqrt(average(off(rates, row) ** 2, (off(left, every) ** 2, off(right, every) ** 2)))

    def on(self, row: Rows, start: Array, stop: Array) -> tuple[Rates, Array, Array]:
        """Nodes of each stretch, ln of the density there, and the lengths."""
        length = stop - start
        v = start[:, None] + length[:, None] * NODES
        rates = rates_at(v)
        return rates, self.log_density(rates, np.broadcast_to(row[:, None], v.shape)), length

    def integral(self, row: Rows, start: Array, stop: Array) -> Array:
        _, logs, length = self.on(row, start, stop)
        return np.asarray((np.exp(logs - self.reference[row][:, None]) * WEIGHTS).sum(axis=1) * length)

    def end(self, row: Rows, reach: Array, right: bool, counts: bool = True) -> tuple[Rates, Array]:
        """Nodes and masses from 0 to θ = reach, or from φ = reach to 1, the prior's own power in the weights.

        There is none where it does not count.
        """
        power, other = (self.b, self.a) if right else (self.a, self.b)
        if power > _STEEPEST or not counts:
            near = np.broadcast_to(reach[:, None], (len(row), 1))
            weights = np.zeros((len(row), 1))
        else:
            x, w = _jacobi(power)
            near = reach[:, None] * x
            there = Rates(1 - near, near) if right else Rates(near, 1 - near)
            logs = ((other - 1) * np.log1p(-near) + power * np.log(reach)[:, None]
                    + self._log_likelihood(there, np.broadcast_to(row[:, None], near.shape)))
            weights = np.exp(logs - self.reference[row][:, None]) * w
        return (Rates(1 - near, near) if right else Rates(near, 1 - near)), weights

    def density(self, rates: Rates, row: Rows) -> Array:
        """The density at rates inside (0, 1)."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.log_density(rates, row) - self.reference[row]) / self.total[row])

    def masses(self, rates: Rates, row: Rows) -> tuple[Array, Array]:
        """Probabilities below and above rates inside (0, 1), each added up from its own end."""
        below, above = np.empty(len(row)), np.empty(len(row))
        left, right = rates.theta < self.least, rates.phi < self.least
        for ends, at, near in ((left, 0, rates.theta), (right, 1, rates.phi)):
            if ends.any():
                of = row[ends]
                beyond = self.end(of, near[ends], bool(at))[1].sum(axis=1)
                rest = np.maximum(self.total[of] - beyond, 0.0)
                below[ends], above[ends] = (rest, beyond) if at else (beyond, rest)
        inside = ~(left | right)
        if inside.any():
            below[inside], above[inside] = self._inside(rates[inside], row[inside])
        below, above = below / self.total[row], above / self.total[row]
        return np.where(below <= above, below, 1 - above), np.where(below <= above, 1 - below, above)

    def _inside(self, rates: Rates, row: Rows) -> tuple[Array, Array]:
        v = np.where(rates.theta <= 0.5, rates.theta, -rates.phi)
        at = self._panel_of(v, row)
        before, after = self.sums
        start, stop = self.panels.start[at], self.panels.stop[at]
        below = before[at] + self.integral(row, start, v)
        above = after[at] + self.integral(row, v, stop)
        return np.maximum(below, 0.0), np.maximum(above, 0.0)

    def _panel_of(self, v: Array, row: Rows) -> Rows:
        """The panel that each v lies in, of its row."""
        panels = self.panels
        if self.rows == 1:
            lefts = int(np.count_nonzero(panels.start > 0))
            return np.where(v > 0, np.searchsorted(panels.start[:lefts], v, "right") - 1,
                            lefts + np.searchsorted(panels.start[lefts:], v, "right") - 1).astype(np.intp)
        at = np.empty(len(v), dtype=np.intp)
        stops = np.append(panels.first[1:], len(panels.row))
        for i, (one, of) in enumerate(zip(v, row, strict=True)):
            own = panels.start[panels.first[of]:stops[of]]
            passed = (own <= one) & (own > 0) if one > 0 else (own > 0) | (own <= one)
            at[i] = panels.first[of] + np.count_nonzero(passed) - 1
        return at

    @property
    def sums(self) -> tuple[Array, Array]:
        """What lies before and after each panel, each added up from its own end."""
        if not hasattr(self, "_added"):
            row, first, mass = self.panels.row, self.panels.first, self.mass
            up, down = np.cumsum(mass), np.cumsum(mass[::-1])[::-1]
            if self.rows == 1:
                self._added = up - mass + self.ends[0], down - mass + self.ends[1]
            else:
                before, after = np.empty_like(mass), np.empty_like(mass)
                for i, (low, high) in enumerate(zip(first, np.append(first[1:], len(row)), strict=True)):
                    own = mass[low:high]
                    before[low:high] = self.ends[0][i] + np.cumsum(own) - own
                    after[low:high] = self.ends[1][i] + np.cumsum(own[::-1])[::-1] - own
                self._added = before, after
        return self._added


@lru_cache(maxsize=64)
def _jacobi(power: float) -> tuple[Array, Array]:
    """Nodes and weights on (0, 1) for the weight x^(power − 1), whose integral is 1/power."""
    if power < _NEAR_ZERO:  # all the mass is at the end
        return np.full(1, 1e-30), np.full(1, 1 / power)
    x, w = roots_jacobi(len(NODES), 0.0, power - 1)
    return (x + 1) / 2, w / (w.sum() * power)  # power − 1 has lost digits
