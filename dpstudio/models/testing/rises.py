"""Rises: how likely a test on n people says that a share is large, as it falls to noise, and what that comes to.

A rise at m is F(x − m), the probability that x + X reaches m with noise X of cdf F. Where it stands is told by a whole
number c and a part t in [0, 1], m = c + ½ − t: the middle of the noise and what lies on either side of it are summed
apart, as their logarithms are concave.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr, ndtri

from dpstudio.core.declare import Array
from dpstudio.core.search import first_whole
from dpstudio.core.special import ROOT_TWO_PI
from dpstudio.mechanisms.noise import CanonicalNoise
from dpstudio.models.testing.binomial import every_number, places, tilted
from dpstudio.records import cached_property, dataclass

_LEFT = 46.0
"""What falls by e to so much has 1e-20 left."""
_TINY = 1e-300
_ROUNDS = 200
_PATIENCE = 8
_CLOSE = 2e-14
"""Part of a level by which a test may be off it."""
_FEW = 2048.0
"""So many people are sooner added up one by one than at a few places."""
_BEND = 2 / math.pi
"""The least that ln Φ bends below 0."""

@dataclass(frozen=True, slots=True)
class Tops:
    """Where the rise times the probabilities is largest in each of the three parts: vectors, a row for each."""

    top: Array
    """Without the ends of the part."""
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

    @property
    def is_straight(self) -> bool:
        """Whether E F(X − m) goes straight wherever c stays."""
        return False

    @abstractmethod
    def at(self, x: Array, c: Array | float, t: Array | float) -> Array:
        """F(x − m) at whole x."""

    @abstractmethod
    def cuts(self, c: Array, t: Array) -> tuple[Array, Array, Array]:
        """From which whole x on the rise is above 0, past the middle, and 1 but for 1e-20, for vectors."""

    @abstractmethod
    def tops(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Tops:
        """Of the parts that begin at the cuts."""

    @abstractmethod
    def values(self, x: Array, part: npt.NDArray[np.intp], c: Array, t: Array) -> tuple[Array, Array]:
        """The rise and its slope at places x of a part."""

    def sums(self, n: Array, p: Array, q: Array, c: Array, t: Array, low: npt.ArrayLike = 0.0,
             high: npt.ArrayLike = math.inf, moments: bool = False) -> Array:
        """E F(X − m) and −d/dm of it for vectors, a row each, where X lies between `low` and `high`.

        With `moments` besides both with the factor X − np.
        """
        given = n, p, q, c, t, np.broadcast_to(low, n.shape), np.broadcast_to(high, n.shape)
        few, found = n <= _FEW, np.empty((4 if moments else 2, n.size))
        for which, add in ((few, self._one_by_one), (~few, self._by_places)):
            if which.any():
                found[:, which] = add(*(each[which] for each in given), moments=moments)
        return found

    def _one_by_one(self, n: Array, p: Array, q: Array, c: Array, t: Array, low: Array, high: Array, *,
                    moments: bool) -> Array:
        """The sums over all whole numbers."""
        item, starts, x, mass = every_number(*(tuple(each.tolist()) for each in (n, p, q)))
        first, middle, sure = self.cuts(c, t)
        first, last = np.maximum(first, low)[item], high[item]
        rise, slope = self.values(x, (x >= middle[item]).astype(np.intp) + (x >= sure[item]), c[item], t[item])
        mass = np.where((x >= first) & (x <= last), mass, 0.0)
        found = np.stack([mass * rise, mass * slope])
        if moments:
            found = np.concatenate([found, found * _away(x, n[item], p[item], q[item])])
        return np.asarray(np.add.reduceat(found, starts, axis=1), dtype=np.float64)

    def _by_places(self, n: Array, p: Array, q: Array, c: Array, t: Array, low: Array, high: Array, *,
                   moments: bool) -> Array:
        """The sums by few places on each side of the middle and where the rise is 1."""
        first, middle, sure = self.cuts(c, t)
        start, end = np.maximum(first, low), np.minimum(n, high)
        tops = self.tops(n, p, q, c, t)
        bend = np.zeros(tops.top.shape)
        bend[0] = tops.bend
        n_, p_, q_ = (np.tile(each, len(bend)) for each in (n, p, q))
        at = places(n_, p_, q_, np.stack([start, np.maximum(middle, start), np.maximum(sure, start)]).reshape(-1),
                    np.stack([np.minimum(middle - 1, end), np.minimum(sure - 1, end), end]).reshape(-1),
                    tops.top.reshape(-1), tops.before.reshape(-1), tops.after.reshape(-1), bend.reshape(-1))
        part, item = np.divmod(at.item, n.size)
        rise, slope = self.values(at.x, part[:, None], c[item][:, None], t[item][:, None])
        found = [at.weight * rise, at.weight * slope]
        if moments:
            away = _away(at.x, n[item][:, None], p[item][:, None], q[item][:, None])
            found = found + [each * away for each in found]
        return np.array([np.bincount(item, each.sum(axis=1), n.size) for each in found], dtype=np.float64)

    def mean(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Array:
        """E F(X − m), to full relative accuracy."""
        return np.asarray(self.sums(n, p, q, c, t)[0])

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
            if self.is_straight:
                with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                    straight = at + (found - want) / slope
                there = np.floor(straight + 0.5) == np.floor(at + 0.5)
                at, done = np.where(there, straight, at), done | there
            low[open_], high[open_], step[open_] = below, above, np.where(wide, 2 * step_, step_)
            m[open_] = np.where(done, at, near)
            open_ = open_[~done]
            if not open_.size:
                break
        return parted(base, m)


def _away(x: Array, n: Array, p: Array, q: Array) -> Array:
    """x − np, from the smaller of p and q."""
    return np.where(p <= q, x - n * p, n * q - (n - x))


def parted(base: Array, m: npt.ArrayLike) -> tuple[Array, Array]:
    """c and t of base + m, base whole."""
    m = np.asarray(m, dtype=np.float64)
    whole = np.floor(m + 0.5)
    return np.asarray(base + whole), np.asarray(np.minimum(np.maximum(whole - m + 0.5, 0.0), 1.0))


def _exponential(n: Array, p: Array, q: Array, epsilon: float) -> Tops:
    """Where that of a rise is that goes up by e^ε from one whole number to the next."""
    flat = np.zeros(n.shape)
    tilt, mean = flat + epsilon, np.floor(n * p)
    tilts = np.stack([tilt, flat, flat])
    return Tops(np.stack([tilted(n, p, q, tilt), mean, mean]), tilts, tilts)


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

    @property
    def is_straight(self) -> bool:
        return not self.noise.delta  # else not at the edges of the noise

    def cuts(self, c: Array, t: Array) -> tuple[Array, Array, Array]:
        return c - self.noise.last(t), c + 1, np.maximum(c + np.minimum(self.noise.last(1 - t), self._layer), c) + 1

    def tops(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Tops:  # noqa: ARG002
        return _exponential(n, p, q, self.noise.epsilon)

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

    def cuts(self, c: Array, t: Array) -> tuple[Array, Array, Array]:
        under = np.floor(c + 0.5 - t)
        return np.zeros(c.shape), under + 1, under + math.ceil(min(9 / self.mu, 2.0**60)) + 1

    def tops(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Tops:
        mu, m = self.mu, c + 0.5 - t

        def falls(x: Array) -> npt.NDArray[np.bool_]:
            """Whether probability times rise is no larger at x + 1."""
            with np.errstate(divide="ignore"):
                odds = np.log(np.maximum(n - x, 0.0) * p) - np.log((x + 1) * q)
            return odds + log_ndtr(mu * (x + 1 - m)) - log_ndtr(mu * (x - m)) <= 0

        mean, flat = np.floor(n * p), np.zeros(m.shape)
        top = np.minimum(first_whole(falls, m.shape, int(n.max(initial=0))), np.floor(m))
        before, at, after = (log_ndtr(mu * (top + step - m)) for step in (-1, 0, 1))
        return Tops(np.stack([top, mean, mean]), np.stack([at - before, flat, flat]),
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

    def cuts(self, c: Array, t: Array) -> tuple[Array, Array, Array]:
        middle = c + (t <= 0.5)
        return np.zeros(c.shape), middle, middle + math.ceil(min(_LEFT / self.epsilon, 2.0**60)) + 1

    def tops(self, n: Array, p: Array, q: Array, c: Array, t: Array) -> Tops:  # noqa: ARG002
        return _exponential(n, p, q, self.epsilon)

    def at(self, x: Array, c: Array | float, t: Array | float) -> Array:
        away = x - c - 0.5 + t
        far = 0.5 * np.exp(-self.epsilon * np.abs(away))
        return np.where(away < 0, far, 1 - far)

    def values(self, x: Array, part: npt.NDArray[np.intp], c: Array, t: Array) -> tuple[Array, Array]:
        far = 0.5 * np.exp(-self.epsilon * np.abs(x - c - 0.5 + t))
        return np.where(part == 0, far, np.where(part == 1, 1 - far, 1.0)), np.where(part == 2, 0.0, self.epsilon * far)
