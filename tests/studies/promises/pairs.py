"""Pairs of neighbouring datasets by their outcomes, and what tests of one against the other come to: by sums alone.

Nothing here is taken from the project. A pair is two vectors, the probabilities of the same outcomes; outcomes may be
put together, which only hides: what a pair shows is never more than the release itself does, and a promise that says
less than it is false.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

SLACK = 1e-9
"""Part by which a probability may be off: an ε is asked for so much further."""
TINY = 1e-13
"""What sums of probabilities may be off by."""
GAUSS = np.polynomial.legendre.leggauss(16)


class Pairs:
    """Pairs of one number of outcomes, a row each, in both directions."""

    def __init__(self, p, q):
        p, q = (np.atleast_2d(np.asarray(one, dtype=np.float64)) for one in (p, q))
        assert np.allclose(p.sum(axis=1), 1, atol=1e-9), p.sum(axis=1)
        assert np.allclose(q.sum(axis=1), 1, atol=1e-9), q.sum(axis=1)
        self.p, self.q = np.vstack([p, q]), np.vstack([q, p])
        with np.errstate(divide="ignore", invalid="ignore"):
            self.loss = np.where(self.p > 0, np.log(self.p) - np.log(self.q), -np.inf)
        order = np.argsort(-self.loss, axis=1, kind="stable")
        self._alpha, self._power = (
            np.hstack([np.zeros((len(each), 1)), np.cumsum(np.take_along_axis(each, order, 1), axis=1)])
            for each in (self.q, self.p))

    def delta(self, epsilon):
        """The largest Pr[loss part] over all pairs: max Σ (P − e^ε Q)⁺."""
        with np.errstate(invalid="ignore"):
            part = -np.expm1(np.minimum(epsilon - self.loss, 0.0))
        return float((self.p * part).sum(axis=1).max())

    def power(self, alpha):
        """The largest power of any test at each type I error: outcomes of the largest P/Q, of the last a part."""
        return np.max([np.interp(alpha, a, b) for a, b in zip(self._alpha, self._power, strict=True)], axis=0)

    def guess(self, prior):
        """The best share of right guesses where one of two has the prior."""
        return float(np.maximum(prior * self.p, (1 - prior) * self.q).sum(axis=1).max())

    def renyi(self, order):
        """The largest Rényi divergence of an order."""
        with np.errstate(invalid="ignore", over="ignore"):
            mean = np.where(self.p > 0, self.p * np.exp((order - 1) * self.loss), 0.0).sum(axis=1)
        return float(np.log(mean.max()) / (order - 1))


def together(parts, most=1500):
    """Independent releases of one pair of datasets as one; alike outcomes are put together where there are many."""
    p, q = np.ones(1), np.ones(1)
    for one, other in parts:
        p, q = merged(np.outer(p, one).ravel(), np.outer(q, other).ravel(), most)
    return p, q


def repeated(part, times, most=1500):
    """So many independent releases of one kind."""
    found, power = (np.ones(1), np.ones(1)), merged(*part, most)
    while times:
        if times & 1:
            found = together([found, power], most)
        times >>= 1
        if times:
            power = together([power, power], most)
    return found


def merged(p, q, most):
    """At most so many outcomes, those of like ratios put together; those that only one dataset has stay apart."""
    there = (p > 0) | (q > 0)
    p, q = p[there], q[there]
    with np.errstate(divide="ignore"):
        loss = np.log(p) - np.log(q)
    if len(p) > most:
        least, far = (end(loss[np.isfinite(loss)], initial=0.0) for end in (np.min, np.max))
        width = (far - least) / (most - 3) or 1.0
        with np.errstate(invalid="ignore"):
            where = np.where(loss == np.inf, most - 1, np.where(loss == -np.inf, 0, 1 + (loss - least) // width))
        where = where.astype(int)
    else:
        _, where = np.unique(np.round(loss, 12), return_inverse=True)
    return np.bincount(where, p), np.bincount(where, q)


# Laws of noise, in formulas of our own; cells are intervals of the line.

def _tails_laplace(x, scale):
    return 0.5 * np.exp(-np.maximum(x, 0) / scale)


def moved_smooth(tail, reach, bends, distance, cells=1500):
    """Noise without and with a move: Pr[X ≥ x] for x ≥ 0 is `tail`, which is symmetric and hardly reaches `reach`."""
    inner = np.linspace(-0.25 * reach, 0.25 * reach + distance, cells)
    beyond = np.linspace(0, reach, cells // 4)
    edges = np.unique(np.concatenate([inner, -beyond, distance + beyond, bends]))
    edges = edges[np.append(True, np.diff(edges) > 1e-7 * (reach + distance))]

    def mass(x):
        upper, lower = tail(np.maximum(x, 0)), tail(np.maximum(-x, 0))
        right = -np.diff(np.append(upper, 0.0))
        left = np.diff(np.append(0.0, lower))[1:]
        middle = 1 - upper[1:] - lower[:-1]
        inside = np.where(x[:-1] >= 0, right[:-1], np.where(x[1:] <= 0, left, middle))
        first = lower[0] if x[0] <= 0 else 1 - upper[0]
        return np.concatenate([[first], inside, [upper[-1] if x[-1] >= 0 else 1 - lower[-1]]])

    return mass(edges - distance), mass(edges)


def moved_laplace(scale, distance, cells=1500):
    # Beyond both ends the ratio is constant: two outcomes are all that is there.
    inside = np.linspace(0.0, distance, cells) if distance < 200 * scale else np.unique(np.concatenate(
        [np.linspace(0, 100 * scale, cells // 2), np.linspace(distance - 100 * scale, distance, cells // 2)]))
    below, above = (lambda x: _tails_laplace(-x, scale)), (lambda x: _tails_laplace(x, scale))

    def mass(x):
        middle = x[:-1] + np.diff(x) / 2
        right, left = above(x[:-1]) * -np.expm1(-np.diff(x) / scale), below(x[1:]) * -np.expm1(-np.diff(x) / scale)
        found = np.where(middle > 0, right, left)
        return np.concatenate([[below(x[0]) if x[0] <= 0 else 1 - above(x[0])], found,
                               [above(x[-1]) if x[-1] >= 0 else 1 - below(x[-1])]])

    return mass(inside - distance), mass(inside)


def moved_gaussian(sigma, distance, cells=1500):
    return moved_smooth(lambda x: ndtr(-x / sigma), 30 * sigma, np.array([0.0, distance]), distance, cells)


def moved_staircase(epsilon, gamma, width, distance, cells=4000):
    """Density H e^(−εn), n = ⌊|x|/w + 1 − γ⌋, exactly, for its jumps are among the edges."""
    steps = min(math.ceil(45 / epsilon), cells // 8)
    jumps = (gamma + np.arange(steps)) * width
    edges = np.unique(np.concatenate([jumps, -jumps, jumps + distance, distance - jumps]))
    edges = edges[np.append(True, np.diff(edges) > 1e-9 * width)]
    b = math.exp(-epsilon)
    height = (1 - b) / (2 * width * (gamma + b * (1 - gamma)))

    def mass(shift):
        middle = edges[:-1] + np.diff(edges) / 2 - shift
        inside = height * np.exp(-epsilon * np.floor(np.abs(middle) / width + 1 - gamma)) * np.diff(edges)
        rest = (1 - inside.sum()) / 2
        rest = rest if rest > 1e-11 else 0.0  # its rounding
        return np.concatenate([[rest], inside, [rest]])

    return mass(distance), mass(0.0)


def moved_geometric(rate, distance, most=4000):
    """Mass ∝ e^(−rate |k|), beyond both ends put together, where the ratio is constant."""
    assert distance == int(distance)
    d = int(distance)
    return _geometric(rate, d, min(d, most))


def _geometric(rate, d, inner):
    a, minus = math.exp(-rate), -math.expm1(-rate)
    if inner < d:
        k = np.unique(np.concatenate([np.arange(inner // 2), d - np.arange(inner // 2)]))
        k = k[(k >= 0) & (k <= d)]
    else:
        k = np.arange(0, d + 1)

    def tail(x):  # Pr[X ≥ x], x whole
        far = np.exp(-rate * np.maximum(np.where(x > 0, x, 1 - x), 0)) / (1 + a)
        return np.where(x > 0, far, 1 - far)

    def mass(shift):
        at = k - shift
        ends = np.append(at[1:], at[-1] + 1)
        wide = ends - at
        # The cell is {at, …, ends − 1}; at its own end nearer to 0 it is likeliest.
        right = np.exp(-rate * np.maximum(at, 0)) * -np.expm1(-rate * wide) / (1 + a)
        left = np.exp(-rate * np.maximum(-(ends - 1), 0)) * -np.expm1(-rate * wide) / (1 + a)
        inside = np.where(at >= 0, right, np.where(ends - 1 <= 0, left, 1 - tail(ends) - tail(1 - at)))
        inside = np.where(wide == 1, minus / (1 + a) * np.exp(-rate * np.abs(at)), inside)
        return np.concatenate([[tail(1 - at[0])], inside, [tail(ends[-1])]])

    return mass(d), mass(0)


def moved_discrete_gaussian(sigma, distance):
    reach = math.ceil(38 * sigma) + int(distance) + 1
    k = np.arange(-reach, reach + int(distance) + 1)
    total = np.exp(-0.5 * (np.arange(-2 * reach, 2 * reach + 1) / sigma) ** 2).sum()
    return tuple(np.exp(-0.5 * ((k - shift) / sigma) ** 2) / total for shift in (distance, 0))


def binary(yes, no):
    """Pr[yes], Pr[no] as a row each."""
    return np.stack([np.atleast_1d(yes), np.atleast_1d(no)], axis=1)


# The first yes of a watch

def first_yes(counts, threshold, threshold_rate, count_rate, one_sided=False):
    """Pr[the first yes comes at t] and of never, the noise of the threshold integrated out by Gauss’s rule.

    Laplace noise, or exponential noise, which is never negative.
    """
    apart = np.asarray(counts, dtype=float) - threshold
    far = 45 / threshold_rate
    low, high = (0.0 if one_sided else -far), far
    # Every factor is smooth between the bends, and beyond a few scales of its noise from them all but constant.
    steps = np.concatenate([np.arange(0.0, 49, 3) / count_rate, np.arange(0.0, 49, 3) / threshold_rate])
    bends = np.append(np.unique(apart), 0.0)[:, None]
    marks = np.concatenate([[low, high], (bends + steps).ravel(), (bends - steps).ravel()])
    marks = np.unique(marks[(marks >= low) & (marks <= high)])
    x, w = GAUSS
    starts, ends = marks[:-1], marks[1:]
    half = (ends - starts) / 2
    z = ((starts + ends) / 2)[:, None] + half[:, None] * x
    weight = (half[:, None] * w).ravel()
    z = z.ravel()
    if one_sided:
        weight = weight * threshold_rate * np.exp(-threshold_rate * z)
    else:
        weight = weight * threshold_rate / 2 * np.exp(-threshold_rate * np.abs(z))
    still, found = weight, []
    for away in apart:
        u = (z - away) * count_rate
        if one_sided:
            yes = np.where(u > 0, np.exp(-np.maximum(u, 0)), 1.0)
            no = -np.expm1(-np.maximum(u, 0))
        else:
            small = 0.5 * np.exp(-np.abs(u))
            yes, no = np.where(u > 0, small, 1 - small), np.where(u > 0, 1 - small, small)
        found.append((still * yes).sum())
        still = still * no
    law = np.array([*found, still.sum()])
    assert abs(law.sum() - 1) < 1e-11, law.sum()
    return law
