"""The noise-aware posterior's mean and interval for every count that can be released, by interpolation.

For Laplace noise they are smooth functions of m and t for c = m + t, 0 ≤ t ≤ 1 (of c itself they are not: the noise's
peak passes each whole number). So they are kept as polynomials in m on blocks that widen from both ends of [0, n],
times polynomials in t. Where few counts are possible each m has its own. Ends are met to about 1e-4 of probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.models.beta_bernoulli.aware import NoiseAware
from dpstudio.models.beta_bernoulli.panels import Rows

_NODES, _PARTS = 10, 6
_MANY = 1_000.0
"""Where at least so many may be yeses and noes, a part of one count is nothing beside the posterior's width."""
_BATCH = 8
"""Posteriors built at once: some milliseconds' work."""

_FEW = 60
"""Up to so many people a part of a count is much, and there are not many counts."""


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
    _t: list[list[_Piece]] = field(init=False)
    """For each piece of m its own of t."""
    _todo: Array = field(init=False)
    _values: Array = field(init=False)
    _done: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        last = self.n if self.noise == "geometric" else self.n - 1
        self._m = _pieces_of_m(self.a, self.b, self.n, last)
        self._t = [self._pieces_of_t(min(piece.low, last - piece.high) >= _MANY) for piece in self._m]
        todo = []
        for piece, parts in zip(self._m, self._t, strict=True):
            t = np.concatenate([part.nodes for part in parts])
            todo.append(np.stack([np.repeat(piece.nodes, len(t)), np.tile(t, len(piece.nodes))]))
        self._todo = np.concatenate(todo, axis=1)
        self._values = np.empty((3, self._todo.shape[1]))

    def _pieces_of_t(self, many: bool) -> list[_Piece]:
        if self.noise == "geometric":
            return [_Piece(0.0, 0.0, np.zeros(1))]
        if many:
            return [_chebyshev(0.0, 1.0, 3)]
        parts = min(math.ceil(self.epsilon / 2), 3 if self.n > _FEW else 10)
        return [_chebyshev(i / parts, (i + 1) / parts, 4 if self.epsilon <= 0.3 else _PARTS) for i in range(parts)]

    @property
    def complete(self) -> bool:
        return bool(self._done == self._todo.shape[1])

    def fill(self) -> Iterator[None]:
        """Build what is missing; between two batches it may be left, and taken up again by another."""
        tail = (1 - self.level) / 2
        while not self.complete:
            low, high = self._done, min(self._done + _BATCH, self._todo.shape[1])
            m, t = self._todo[:, low:high]
            found = NoiseAware(self.a, self.b, self.n, m, self.epsilon, t)
            rows = np.arange(high - low, dtype=np.intp)
            self._values[0, low:high] = np.log(found.mean / found.co_mean)
            for i, p in ((1, tail), (2, 1 - tail)):
                ends = found.quantile(np.full(len(rows), p), np.full(len(rows), 1 - p), rows)
                self._values[i, low:high] = np.log(ends.theta) - np.log(ends.phi)
            self._done = high
            yield

    def logits_at(self, counts: Array) -> Array:
        """ln θ/(1 − θ) of the mean and of both ends of the interval at released counts, three rows."""
        c = np.clip(counts, 0.0, self.n)
        m = np.floor(c) if self.noise == "geometric" else np.minimum(np.floor(c), self.n - 1)
        t = c - m
        found = np.empty((3, len(c)))
        first = 0
        for (piece, of_m), parts in zip(_shared(self._m, m), self._t, strict=True):
            shape = 3, len(piece.nodes), sum(len(part.nodes) for part in parts)
            values = self._values[:, first:first + shape[1] * shape[2]].reshape(shape)
            first += shape[1] * shape[2]
            if not len(of_m):
                continue
            by_m, second = piece.matrix(m[of_m]), 0
            for part, of_t in _shared(parts, t[of_m]):
                there = values[:, :, second:second + len(part.nodes)]
                second += len(part.nodes)
                at = of_m[of_t]
                found[:, at] = np.einsum("qi,vij,qj->vq", by_m[of_t], there, part.matrix(t[at]))
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
