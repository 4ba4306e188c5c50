"""The noise-aware posterior's mean and interval for every count that can be released, by interpolation.

For Laplace noise and c = m + t, 0 ≤ t ≤ 1, the true counts up to m weigh e^(−εt) times, those from m + 1 on
e^(−ε(1 − t)) times what they do without t: the posterior is a mixture of the same two, and s = 1/(1 + e^(ε(1 − 2t)))
says in which parts. In m and s it is smooth, where in c it is not, and is kept as polynomials in m, on blocks that
widen from both ends of [0, n], times polynomials in s. Where few counts are possible each m has its own.

Ends are met to about 1e-4 of probability, and mostly far better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy.special import expit, logit

from dpstudio.core.declare import Array
from dpstudio.models.beta_bernoulli.aware import NoiseAware
from dpstudio.models.beta_bernoulli.panels import Rows
from dpstudio.models.beta_bernoulli.quantiles import quantile
from dpstudio.records import dataclass

_NODES = 10
_BATCH = 8
"""Posteriors built at once: some milliseconds' work."""
_PARTS, _PARTS_OF_FEW, _PARTS_IF_WIDE = 5, 12, 3
"""Nodes of s: more where neighbouring counts may weigh very differently, fewer where s hardly moves."""
_FEW, _WIDE = 60, 0.3


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of one variable with the polynomial through values at its nodes."""

    low: float
    high: float
    nodes: Array

    def matrix(self, x: Array) -> Array:
        """Turns values at the nodes into values at x."""
        centre, half = (self.low + self.high) / 2, (self.high - self.low) / 2 or 1.0
        size = len(self.nodes) - 1
        vander = np.polynomial.chebyshev.chebvander
        at_nodes = vander((self.nodes - centre) / half, size)
        return np.asarray(np.linalg.solve(at_nodes.T, vander((x - centre) / half, size).T).T)


def _chebyshev(low: float, high: float, size: int) -> _Piece:
    angles = (2 * np.arange(size) + 1) * np.pi / (2 * size)
    return _Piece(low, high, (low + high) / 2 - (high - low) / 2 * np.cos(angles))


def _pieces_of_m(a: float, b: float, n: int, last: int) -> list[_Piece]:
    """Blocks of the whole numbers 0 … last."""
    spread = n * math.sqrt(a * b / (a + b + 1)) / (a + b)
    edges = {0, last + 1} | {min(max(round(n * a / (a + b) + spread * step), 0), last + 1)
                             for step in (-8, -4, -2, 0, 2, 4, 8) if spread < n / 8}
    distance = 1
    while distance <= last / 2:
        edges |= {distance, last + 1 - distance}
        distance *= 2 if distance < 16 else 4
    pieces = []
    ordered = sorted(edges)
    for first, after in pairwise(ordered):
        if after - first <= _NODES:
            pieces.append(_Piece(first, after - 1, np.arange(first, after, dtype=np.float64)))
        else:
            pieces.append(_chebyshev(first, after - 1, _NODES))
    return pieces


@dataclass(slots=True)
class AwareIntervals:
    """Means and central intervals of the noise-aware posterior, as functions of the released count.

    It is filled batch by batch (`fill`), so that whoever waits for it need not wait long for anything else.
    """

    a: float
    b: float
    n: int
    epsilon: float
    level: float
    noise: str
    _m: list[_Piece] = field(init=False)
    _s: _Piece = field(init=False)
    _todo: Array = field(init=False)
    _values: Array = field(init=False)
    _done: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        last = self.n if self.noise == "geometric" else self.n - 1
        self._m = _pieces_of_m(self.a, self.b, self.n, last)
        geometric = self.noise == "geometric"
        ends = [float(expit(self.epsilon * way)) for way in (-1, 1)]
        parts = _PARTS_OF_FEW if self.n <= _FEW else _PARTS if self.epsilon > _WIDE else _PARTS_IF_WIDE
        self._s = _Piece(0.5, 0.5, np.full(1, 0.5)) if geometric else _chebyshev(ends[0], ends[1], parts)
        m, s = np.concatenate([piece.nodes for piece in self._m]), self._s.nodes
        t = np.zeros(1) if geometric else np.clip(0.5 + logit(s) / (2 * self.epsilon), 0.0, 1.0)
        self._todo = np.stack([np.repeat(m, len(t)), np.tile(t, len(m))])
        self._values = np.empty((3, len(m), len(t)))

    @property
    def complete(self) -> bool:
        return bool(self._done == self._todo.shape[1])

    def fill(self) -> Iterator[None]:
        """Build what is missing; between two batches it may be left, and taken up again by another."""
        tail = (1 - self.level) / 2
        flat = self._values.reshape(3, -1)
        while not self.complete:
            low, high = self._done, min(self._done + _BATCH, self._todo.shape[1])
            m, t = self._todo[:, low:high]
            found = NoiseAware(self.a, self.b, self.n, m, self.epsilon, t)
            rows = np.arange(high - low, dtype=np.intp)
            flat[0, low:high] = np.log(found.mean / found.co_mean)
            for i, p in ((1, tail), (2, 1 - tail)):
                ends = quantile(found, np.full(len(rows), p), np.full(len(rows), 1 - p), rows)
                flat[i, low:high] = np.log(ends.theta) - np.log(ends.phi)
            self._done = high
            yield

    def logits_at(self, counts: Array) -> Array:
        """ln θ/(1 − θ) of the mean and of both ends of the interval at released counts, three rows."""
        c = np.clip(counts, 0.0, self.n)
        m = np.floor(c) if self.noise == "geometric" else np.minimum(np.floor(c), self.n - 1)
        by_s = self._s.matrix(np.full(len(c), 0.5) if self.noise == "geometric" else
                              expit(self.epsilon * (2 * (c - m) - 1)))
        found = np.empty((3, len(c)))
        first = 0
        for piece, at in _shared(self._m, m):
            values = self._values[:, first:first + len(piece.nodes)]
            first += len(piece.nodes)
            if len(at):
                found[:, at] = np.einsum("qi,vij,qj->vq", piece.matrix(m[at]), values, by_s[at])
        return found

    def rates_at(self, counts: Array) -> Array:
        """The mean and both ends of the interval at released counts, three rows of θ."""
        with np.errstate(over="ignore"):
            return np.asarray(1 / (1 + np.exp(-self.logits_at(counts))))


def _shared(pieces: list[_Piece], x: Array) -> Iterator[tuple[_Piece, Rows]]:
    """Which of the x belong to each piece."""
    lows = np.array([piece.low for piece in pieces])
    of = np.searchsorted(lows, x, "right") - 1
    for i, piece in enumerate(pieces):
        yield piece, np.flatnonzero(of == i)


@lru_cache(maxsize=6)
def aware_intervals(a: float, b: float, n: int, epsilon: float, level: float, noise: str) -> AwareIntervals:
    """The table for these parameters; one that was begun goes on where it was left."""
    return AwareIntervals(a, b, n, epsilon, level, noise)
