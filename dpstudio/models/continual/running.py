"""A running count with noise, as one strategy releases it, and from how many batches on it has less than another."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import Array, Declared, accepted, parameter
from dpstudio.models.continual import parts
from dpstudio.models.continual.law import error_95
from dpstudio.records import dataclass
from dpstudio.vocabulary import BATCHES, EPSILON, LAST_SHARE, MEMBERSHIP, UPDATE_STRATEGY, Choice


def noise_variance(strategy: str, epsilon: float, releases: int) -> Array:
    """Variance of the noise in the running count after each release, an array of length Q = `releases`.

    sequential 2t/ε², retrain 2Q²/ε², tree popcount(t)·2L²/ε² with L = ⌊log₂ Q⌋ + 1: each person is in one batch.
    overlapping 2tQ²/ε²: batch counts added up, everybody in every batch. skewed 8(Q − 1)²/ε², and 8/ε² at the last
    release, for which half of ε is kept. [Differential Privacy, notes, "Additively updating our model", corrected;
    Dwork, Naor, Pitassi & Rothblum 2010; Chan, Shi & Song 2011.]
    """
    accepted("strategy", UPDATE_STRATEGY.domain, strategy)
    e, q = parameter_value(EPSILON, epsilon), int(parameter_value(BATCHES, releases, "releases"))
    if strategy == "overlapping":
        return RunningCount("sequential", e, q, "visits").variance()
    return RunningCount(strategy, e, q).variance()


@dataclass(frozen=True)
class RunningCount(Declared):
    """A running count released after each of Q batches, ε-private for whoever is in them as `who` says.

    Every part that gets noise has Laplace noise of one scale, Δ₁/ε; skewed retraining has two scales.
    """

    strategy: str = parameter(UPDATE_STRATEGY, domain=Choice(parts.STRATEGIES))
    epsilon: float = parameter(EPSILON)
    batches: int = parameter(BATCHES)
    who: str = parameter(MEMBERSHIP, "once")
    share: float = parameter(LAST_SHARE, 0.5)

    def scale(self, after: npt.ArrayLike) -> Array:
        """The scale of each Laplace term in the running count after t batches.

        Δ₁/ε; skewed: what one person moves the earlier counts by, over (1 − s)ε, and at the last release over sε.
        """
        t = np.asarray(after, dtype=np.float64)
        with np.errstate(over="ignore"):
            if self.strategy != "skewed":
                return np.full(t.shape, parts.sensitivity(self.strategy, self.who, self.batches) / self.epsilon)
            earlier, last = parts.skewed_sensitivities(self.who, self.batches)
            return np.where(t < self.batches, earlier / ((1 - self.share) * self.epsilon),
                            last / (self.share * self.epsilon))

    def terms(self, after: npt.ArrayLike) -> Array:
        """How many Laplace terms are in the running count after t batches: t, popcount(t) of the tree, or 1."""
        t = np.asarray(after, dtype=np.float64)
        match self.strategy:
            case "sequential":
                return t
            case "tree":
                return parts.terms(t)
        return np.minimum(t, 1.0)  # before the first batch nothing is released

    def variance(self, after: npt.ArrayLike | None = None) -> Array:
        """Variance of the noise after t batches, terms · 2 scale²; without t after each of the Q batches."""
        t = np.arange(1.0, self.batches + 1) if after is None else np.asarray(after, dtype=np.float64)
        with np.errstate(over="ignore"):
            return np.asarray(self.terms(t) * (2 * np.square(self.scale(t))))

    def spread_of_squares(self, after: npt.ArrayLike) -> Array:
        """Standard deviation of the squared noise after t batches, √(κ₄ + 2 Var²).

        κ₄, its fourth cumulant, is terms · 12 scale⁴ and the variance terms · 2 scale²: together √(12k + 8k²) scale².
        """
        t = np.asarray(after, dtype=np.float64)
        k = self.terms(t)
        with np.errstate(over="ignore"):
            return np.asarray(np.sqrt(12 * k + 8 * k * k) * np.square(self.scale(t)))

    def error_95(self, after: npt.ArrayLike) -> Array:
        """What the noise after t batches stays within, either way, with probability 95 %."""
        t = np.asarray(after, dtype=np.float64)
        return np.asarray(self.scale(t) * error_95(self.terms(t)))

    @property
    def worst_batch(self) -> int:
        """A batch after which the noise is largest; the first of them."""
        match self.strategy:
            case "sequential":
                return self.batches
            case "tree":
                return int(2 ** parts.largest_terms(self.batches)) - 1
            case "skewed":
                first, last = self.variance([1, self.batches])
                return 1 if first >= last else self.batches
        return 1

    @property
    def worst_variance(self) -> float:
        """The largest variance after any batch."""
        return float(self.variance(self.worst_batch))

    def epsilon_of(self, who: str) -> float:
        """The ε of one person, in the worst batches, if people are in the batches in that way: Σ moves over scales.

        It is tight: all moves can happen together, and the noise of all parts is independent.
        """
        accepted("who", MEMBERSHIP.domain, who)
        if self.strategy == "skewed":
            # As shares of the moves that the scales were made for, so that ε/Q times Q is ε again.
            earlier, last = parts.skewed_sensitivities(who, self.batches)
            for_earlier, for_last = parts.skewed_sensitivities(self.who, self.batches)
            first = float(earlier / for_earlier) * (1 - self.share) if for_earlier else 0.0
            return self.epsilon * (first + float(last / for_last) * self.share)
        moves, made_for = (parts.sensitivity(self.strategy, each, self.batches) for each in (who, self.who))
        return self.epsilon * float(moves / made_for)

    def sample(self, after: npt.ArrayLike, size: int, rng: Generator) -> Array:
        """Noise of so many histories (rows) after some ascending batches t (columns), as the strategy makes it.

        A sum of Laplace terms is drawn as the difference of two gamma variables; of the tree the nodes are drawn that
        these running counts are made of.
        """
        t = np.asarray(after, dtype=np.int64)
        scale = self.scale(t)
        match self.strategy:
            case "sequential":
                shape = np.diff(t, prepend=0).astype(np.float64)
                steps = rng.standard_gamma(shape, (size, t.size))
                steps -= rng.standard_gamma(shape, (size, t.size))
                return np.asarray(np.cumsum(steps, axis=1) * scale)
            case "tree":
                found, needed = parts.nodes(t)
                noise = rng.laplace(size=(len(found), size))
                return np.stack([noise[rows].sum(axis=0) for rows in needed], axis=1) * scale
        return rng.laplace(size=(size, t.size)) * scale * (t > 0)


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
        return np.asarray(2 * np.square(parts.skewed_sensitivities(who, q)[1] / share))
    terms = {"sequential": q, "tree": parts.terms(q)}.get(strategy, np.ones(q.shape))
    return np.asarray(terms * 2 * np.square(parts.sensitivity(strategy, who, q)))


def worst_variance(strategy: str, who: str, batches: npt.ArrayLike, share: float = 0.5) -> Array:
    """ε² times the largest variance after any of Q batches, of any shape."""
    q = np.asarray(batches, dtype=np.float64)
    if strategy == "tree":
        return np.asarray(parts.largest_terms(q) * 2 * np.square(parts.sensitivity(strategy, who, q)))
    end = end_variance(strategy, who, q, share)
    if strategy == "skewed":
        return np.asarray(np.maximum(end, 2 * np.square(parts.skewed_sensitivities(who, q)[0] / (1 - share))))
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
