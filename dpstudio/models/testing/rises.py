"""Rises: how likely a test on n people says that a share is large, as it falls to noise, and what that comes to.

A rise at m is F(x − m), the probability that x + X reaches m with noise X of cdf F. Where it stands is told by a whole
number c and a part t in [0, 1], m = c + ½ − t: the middle of the noise and what lies on either side of it are summed
apart, as their logarithms are concave.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr, ndtri

from dpstudio.core.declare import Array
from dpstudio.core.search import first_whole
from dpstudio.core.special import ROOT_TWO_PI
from dpstudio.mechanisms.noise import CanonicalNoise
from dpstudio.models.testing.binomial import places, tilted
from dpstudio.records import dataclass

_LEFT = 46.0
"""What falls by e to so much has 1e-20 left."""
_TINY = 1e-300
_ROUNDS = 200
_PATIENCE = 8
_CLOSE = 2e-14
"""Part of a level by which a test may be off it."""
_BEND = 2 / math.pi
"""The least that ln Φ bends below 0."""

@dataclass(frozen=True, slots=True)
class Parts:
    """What is summed apart: vectors, a row for each part."""

    first: Array
    last: Array
    top: Array
    """Where the rise is largest times the probabilities, without these ends."""
    before: Array
    after: Array
    """By how much the logarithm of the rise goes up in the step to there, and in the next."""
    bend: float = 0.0
    """How much at least it bends, in the first part."""


@dataclass(frozen=True)
class Rise(ABC):
    """A kind of noise, by how its rises are summed."""

    @property
    @abstractmethod
    def spread(self) -> float:
        """About the sd of the noise."""

    @abstractmethod
    def at(self, x: Array, c: Array | float, t: Array | float) -> Array:
        """F(x − m) at whole x."""

    @abstractmethod
    def parts(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Parts:
        """What is summed apart for vectors: below the middle, above it, and where the rise is 1."""

    @abstractmethod
    def values(self, x: Array, part: npt.NDArray[np.intp], c: Array, t: Array) -> tuple[Array, Array]:
        """The rise and its slope at places x of a part."""

    def sums(self, n: Array, p: Array, q: Array, c: Array, t: Array, low: Array | float = 0.0,
             high: Array | float = math.inf, moments: bool = False) -> tuple[Array, ...]:
        """E F(X − m) and −d/dm of it for vectors, where X lies between `low` and `high`.

        With `moments` besides both with the factor X − np.
        """
        size = n.size
        parts = self.parts(n, p, q, c, t)
        first, last = np.maximum(parts.first, low), np.minimum(np.minimum(parts.last, n), high)
        bend = np.zeros(first.shape)
        bend[0] = parts.bend
        shape = first.shape
        n_, p_, q_ = (np.broadcast_to(each, shape).reshape(-1) for each in (n, p, q))
        at = places(n_, p_, q_, first.reshape(-1), last.reshape(-1), parts.top.reshape(-1), parts.before.reshape(-1),
                    parts.after.reshape(-1), bend.reshape(-1))
        part, item = np.divmod(at.item, size)
        rise, slope = self.values(at.x, part[:, None], c[item][:, None], t[item][:, None])
        found: list[Array] = [at.weight * rise, at.weight * slope]
        if moments:
            away = at.x - (n * p)[item][:, None]
            found = found + [np.asarray(each * away) for each in found]
        return tuple(np.asarray(np.bincount(item, each.sum(axis=1), size), dtype=np.float64) for each in found)

    def mean(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Array:
        """E F(X − m), to full relative accuracy."""
        return self.sums(n, p, q, c, t)[0]

    def place(self, n: Array, p: Array, q: Array, level: Array) -> tuple[Array, Array]:
        """Where E F(X − m) is a level, for vectors: by Newton's steps in its logarithm, else by halving."""
        sd = np.sqrt(n * p * q + self.spread**2)
        base, m = np.floor(n * p - sd * ndtri(level)), np.zeros(n.shape)
        low, high, step = np.full(n.shape, -math.inf), np.full(n.shape, math.inf), sd.copy()
        open_ = np.arange(n.size)
        for rounds in range(_ROUNDS):
            at, want, below, above = m[open_], level[open_], low[open_], high[open_]
            found, slope = self.sums(n[open_], p[open_], q[open_], *parted(base[open_], at))
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                off = np.where(found < want, np.log(found) - np.log(want), np.log1p((found - want) / want))
                # Near 1 the logarithm is flat.
                newton = at + np.where(found > 0.5, np.minimum((found - want) / slope, sd[open_]), off * found / slope)
            below, above = np.where(found > want, np.maximum(below, at), below), np.where(found > want, above, at)
            wide, step_ = np.isinf(below) | np.isinf(above), step[open_]
            middle = np.where(np.isinf(below), above - step_, np.where(np.isinf(above), below + step_,
                                                                       (below + above) / 2))
            inside = (newton > below) & (newton < above) & np.isfinite(newton)
            # From far out its steps may be small: then every other one halves what is left.
            near = np.where(inside & (wide | (rounds < _PATIENCE) | (rounds % 2 > 0)), newton, middle)
            done = ((np.abs(found - want) <= _CLOSE * want) | (np.abs(newton - at) <= 2 * np.spacing(np.abs(at)))
                    | (near == at))
            low[open_], high[open_], step[open_] = below, above, np.where(wide, 2 * step_, step_)
            m[open_] = np.where(done, at, near)
            open_ = open_[~done]
            if not open_.size:
                break
        return parted(base, m)


def parted(base: Array, m: npt.ArrayLike) -> tuple[Array, Array]:
    """c and t of base + m, base whole."""
    m = np.asarray(m, dtype=np.float64)
    whole = np.floor(m + 0.5)
    return np.asarray(base + whole), np.asarray(np.minimum(np.maximum(whole - m + 0.5, 0.0), 1.0))


@dataclass(frozen=True)
class CanonicalRise(Rise):
    """That of canonical noise: most powerful of all that are (ε, δ)-DP."""

    noise: CanonicalNoise

    @cached_property
    def _layer(self) -> float:
        """So many whole numbers from the middle the rise is 0 or 1 but for 1e-20."""
        return math.ceil(min(_LEFT / max(self.noise.epsilon, _TINY), 2.0**60))

    @cached_property
    def spread(self) -> float:
        return math.hypot(0.3, min(math.sqrt(2) / max(self.noise.epsilon, _TINY), self.noise.edge / math.sqrt(3)))

    def parts(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Parts:
        noise = self.noise
        ends = c + np.minimum(noise.last(1 - t), self._layer)
        flat = np.zeros(c.shape)
        tilt, mean = flat + noise.epsilon, np.floor(n * p)
        tilts = np.stack([tilt, flat, flat])
        return Parts(np.stack([np.maximum(c - noise.last(t), 0.0), c + 1, np.maximum(ends, c) + 1]),
                     np.stack([c, ends, n]), np.stack([tilted(n, p, q, tilt), mean, mean]), tilts, tilts)

    def at(self, x: Array, c: Array | float, t: Array | float) -> Array:
        k, lower = np.abs(x - c), x <= c
        part = np.where(lower, t, 1 - np.asarray(t))
        last = self.noise.last(part)
        below = np.where(k > last, 0.0, self.noise.below(np.minimum(k, np.maximum(last, 0.0)), part))
        return np.where(lower, below, 1 - below)

    def values(self, x: Array, part: npt.NDArray[np.intp], c: Array, t: Array) -> tuple[Array, Array]:
        lower, k = part == 0, np.abs(x - c)
        sure = part == 2
        near = np.where(sure, 0.0, k)
        below, height = self.noise.below(near, np.where(lower, t, 1 - t)), self.noise.height(near)
        return np.where(lower, below, np.where(sure, 1.0, 1 - below)), np.where(sure, 0.0, height)


@dataclass(frozen=True)
class NormalRise(Rise):
    """That of normal noise of sd 1/μ: most powerful of all that are μ-GDP."""

    mu: float

    @property
    def spread(self) -> float:
        return 1 / self.mu

    def parts(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Parts:
        mu, m = self.mu, c + 0.5 - t

        def falls(x: Array) -> npt.NDArray[np.bool_]:
            """Whether probability times rise is no larger at x + 1."""
            with np.errstate(divide="ignore"):
                odds = np.log(np.maximum(n - x, 0.0) * p) - np.log((x + 1) * q)
            return odds + log_ndtr(mu * (x + 1 - m)) - log_ndtr(mu * (x - m)) <= 0

        under, mean, flat = np.floor(m), np.floor(n * p), np.zeros(m.shape)
        top = np.minimum(first_whole(falls, m.shape, int(n.max(initial=0))), under)
        ends = under + math.ceil(min(9 / mu, 2.0**60))
        before, at, after = (log_ndtr(mu * (top + step - m)) for step in (-1, 0, 1))
        return Parts(np.stack([flat, np.maximum(under + 1, 0.0), np.maximum(ends + 1, 0.0)]),
                     np.stack([under, ends, n]), np.stack([top, mean, mean]), np.stack([at - before, flat, flat]),
                     np.stack([after - at, flat, flat]), _BEND * mu * mu)

    def at(self, x: Array, c: Array | float, t: Array | float) -> Array:
        return np.asarray(ndtr(self.mu * (x - c - 0.5 + t)))

    def values(self, x: Array, part: npt.NDArray[np.intp], c: Array, t: Array) -> tuple[Array, Array]:
        z = self.mu * (x - c - 0.5 + t)
        return np.where(part == 2, 1.0, ndtr(z)), self.mu / ROOT_TWO_PI * np.exp(-z * z / 2)


@dataclass(frozen=True)
class LaplaceRise(Rise):
    """That of Laplace noise of scale 1/ε."""

    epsilon: float

    @property
    def spread(self) -> float:
        return math.sqrt(2) / self.epsilon

    def parts(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Parts:
        middle, flat = c + (t <= 0.5), np.zeros(c.shape)
        ends = middle + math.ceil(min(_LEFT / self.epsilon, 2.0**60))
        tilt, mean = flat + self.epsilon, np.floor(n * p)
        tilts = np.stack([tilt, flat, flat])
        return Parts(np.stack([flat, np.maximum(middle, 0.0), np.maximum(ends + 1, 0.0)]),
                     np.stack([middle - 1, ends, n]), np.stack([tilted(n, p, q, tilt), mean, mean]), tilts, tilts)

    def at(self, x: Array, c: Array | float, t: Array | float) -> Array:
        away = x - c - 0.5 + t
        far = 0.5 * np.exp(-self.epsilon * np.abs(away))
        return np.where(away < 0, far, 1 - far)

    def values(self, x: Array, part: npt.NDArray[np.intp], c: Array, t: Array) -> tuple[Array, Array]:
        far = 0.5 * np.exp(-self.epsilon * np.abs(x - c - 0.5 + t))
        return np.where(part == 0, far, np.where(part == 1, 1 - far, 1.0)), np.where(part == 2, 0.0, self.epsilon * far)
