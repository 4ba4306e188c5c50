"""From how many batches on one strategy has less noise than adding up noisy batch counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.models.continual import sensitivity as moved
from dpstudio.models.continual import tree

LIMIT = 20_000
_SAME = 1e-12
"""Variances that agree to so much are the same."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """The smallest Q with less noise (∞ if none), and the largest Q without (0 if none), both up to the limit."""

    first: float
    last_not: float


def end_variance(strategy: str, who: str, batches: npt.ArrayLike, share: float = 0.5) -> Array:
    """ε² times the variance after the last of Q batches, of any shape."""
    q = np.asarray(batches, dtype=np.float64)
    if strategy == "skewed":
        return np.asarray(2 * np.square(moved.skewed_sensitivities(who, q)[1] / share))
    terms = {"sequential": q, "tree": tree.terms(q)}.get(strategy, np.ones(q.shape))
    return np.asarray(terms * 2 * np.square(moved.sensitivity(strategy, who, q)))


def worst_variance(strategy: str, who: str, batches: npt.ArrayLike, share: float = 0.5) -> Array:
    """ε² times the largest variance after any of Q batches, of any shape."""
    q = np.asarray(batches, dtype=np.float64)
    if strategy == "tree":
        return np.asarray(tree.largest_terms(q) * 2 * np.square(moved.sensitivity(strategy, who, q)))
    end = end_variance(strategy, who, q, share)
    if strategy == "skewed":
        return np.asarray(np.maximum(end, 2 * np.square(moved.skewed_sensitivities(who, q)[0] / (1 - share))))
    return end


@lru_cache(maxsize=256)
def crossing(strategy: str, who: str, share: float = 0.5, *, worst: bool = False, limit: int = LIMIT) -> Crossing:
    """Where the end, or the worst batch, has less noise than that of adding up: a search through every Q up to a limit.

    Of the tree's worst batch, each person in one: L² ⌊log₂(Q + 1)⌋ < Q, first at Q = 901 and always for Q > 1 210. The
    tree stays better beyond the limit: in every world its Δ₁ is at most L times that of adding up, it has at most L
    terms, and L³ ≤ (log₂ Q + 1)³ < Q from 2 048 on.
    """
    q = np.arange(1.0, limit + 1)
    variance = worst_variance if worst else end_variance
    less = variance(strategy, who, q, share) < variance("sequential", who, q) * (1 - _SAME)
    yes, no = np.flatnonzero(less), np.flatnonzero(~less)
    return Crossing(float(q[yes[0]]) if yes.size else math.inf, float(q[no[-1]]) if no.size else 0.0)
