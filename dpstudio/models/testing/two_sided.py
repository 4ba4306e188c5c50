"""Two-sided tests: a rise of those who have it and one of those who have not, each on its side."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.search import falling_root
from dpstudio.models.testing.rises import Rise, parted
from dpstudio.records import dataclass

_ROUNDS = 60
_CLOSE = 1e-13
_LEAST = 1e-290
"""A lesser share has the same test, whose moment would not be told from 0."""
_PARTS = 0.5 ** np.arange(12.0)
"""Of one of Newton's steps, as far as it leads nearer."""


@dataclass(frozen=True, slots=True)
class Tails:
    """φ(x) = F(x − m₊) and, of those without, F(n − x − m₋): added, or the one from `split` on and the other before."""

    rise: Rise
    n: float
    more: tuple[float, float]
    """c and t of m₊."""
    fewer: tuple[float, float]
    """Those of m₋."""
    split: float | None = None

    @property
    def thresholds(self) -> tuple[float, float]:
        """Up to where and from where on X + noise rejects."""
        (c, t), (d, u) = self.more, self.fewer
        return self.n - d - 0.5 + u, c + 0.5 - t

    def at(self, x: Array) -> Array:
        """φ at whole x."""
        more, fewer = self.rise.at(x, *self.more), self.rise.at(self.n - x, *self.fewer)
        return np.minimum(more + fewer, 1.0) if self.split is None else np.where(x >= self.split, more, fewer)

    def mean(self, n: Array, p: Array, q: Array) -> Array:
        """E φ(X) at each share p = 1 − q."""
        sums = _both(self, n, p, q)
        return np.asarray(np.minimum(sums[0][0] + sums[1][0], 1.0))


def _both(one: Tails, n: Array, p: Array, q: Array, moments: bool = False) -> tuple[Array, Array]:
    """The sums of either side."""
    more, fewer = (0.0, 0.0) if one.split is None else (max(one.split, 0.0), max(one.n - one.split + 1, 0.0))
    (c, t), (d, u) = (tuple(np.full(n.shape, each) for each in tail) for tail in (one.more, one.fewer))
    return (one.rise.sums(n, p, q, c, t, low=more, moments=moments),
            one.rise.sums(n, q, p, d, u, low=fewer, moments=moments))


def equal_tails(rise: Rise, n: int, share: float, level: float) -> Tails:
    """Both one-sided tests at half of the level."""
    p, half = np.array([share, 1 - share]), np.full(2, level / 2)
    c, t = rise.place(np.full(2, float(n)), p, p[::-1], half)
    return Tails(rise, float(n), (float(c[0]), float(t[0])), (float(c[1]), float(t[1])))


def unbiased_tails(rise: Rise, n: int, share: float, level: float) -> Tails:
    """Of size α where Σ (x − nθ₀) φ(x) Bin(x) is 0, φ falling to k and rising from there on, alike on either side.

    By Newton's steps from the one with equal tails, of size and moment in the m of both sides; where these do not lead
    there, k is sought and for each k the size.
    """
    share = max(share, _LEAST)
    start = equal_tails(rise, n, share, level)
    one = np.array([float(n)]), np.array([share]), np.array([1 - share])
    base = np.array([start.more[0], start.fewer[0]])
    m = np.array([0.5 - start.more[1], 0.5 - start.fewer[1]])
    k = ((base[0] - base[1]) + (m[0] - m[1]) + n) / 2
    within = min(max(k, 0.5), n - 0.5)  # with a count on either side
    m += within - k, k - within
    variance = n * share * (1 - share)
    scale, furthest = min(math.sqrt(variance), variance), 4 * (math.sqrt(variance) + rise.spread) + 1

    def tails(m: Array) -> Tails:
        (c, t), (d, u) = (parted(base[i], m[i]) for i in (0, 1))
        k = ((base[0] - base[1]) + (m[0] - m[1]) + n) / 2
        return Tails(rise, float(n), (float(c), float(t)), (float(d), float(u)), math.ceil(k))

    def off(m: Array) -> tuple[Array, Array]:
        """How far size and moment are off, in parts of the level, and their derivatives by either m."""
        right, left = _both(tails(m), *one, moments=True)
        found = np.array([right[0] + left[0] - level, (right[2] - left[2]) / scale])[:, 0]
        slopes = np.array([[-right[1], -left[1]], [-right[3] / scale, left[3] / scale]])[:, :, 0]
        return found / level, slopes / level

    found, slopes = off(m)
    error = float(np.abs(found).max())
    for _ in range(_ROUNDS):
        if error <= _CLOSE:
            return tails(m)
        if not np.isfinite(slopes).all() or abs(np.linalg.det(slopes)) < 1e-300:
            break
        step = np.clip(np.linalg.solve(slopes, found), -furthest, furthest)
        if (np.abs(step) <= 4 * np.spacing(np.maximum(np.abs(m), 1.0))).all():
            return tails(m)
        for part in _PARTS:
            found, slopes = off(m - part * step)
            if (there := float(np.abs(found).max())) < error:
                break
        else:
            break
        m, error = m - part * step, there
    if error < 1e-11:  # as near as the sums are good
        return tails(m)
    return _sought(off, tails, base, n, share, rise)


def _sought(off: Callable[[Array], tuple[Array, Array]], tails: Callable[[Array], Tails], base: Array, n: int,
            share: float, rise: Rise) -> Tails:
    """The same by two searches, one within the other."""
    spread = math.sqrt(n * share * (1 - share) + rise.spread**2)

    def at(k: float, s: float) -> Array:
        return np.array([k + s - base[0], n - k + s - base[1]])

    def reach(k: float) -> float:
        return falling_root(lambda s: math.log1p(max(float(off(at(k, s))[0][0]), -1 + 1e-16)), spread, spread)

    k = falling_root(lambda k: float(off(at(k, reach(k)))[0][1]), n * share, spread / 4)
    return tails(at(k, reach(k)))
