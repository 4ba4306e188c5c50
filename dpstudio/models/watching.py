"""What watching a count comes to beside a mechanism that stops: a tree of counts, and what wrong variants give away."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Law
from dpstudio.core.quadrature import log_integrals
from dpstudio.core.search import falling_root
from dpstudio.mechanisms.composition import WorstReleases
from dpstudio.mechanisms.laws import Shifted
from dpstudio.mechanisms.noise import analytic_sigma
from dpstudio.mechanisms.watch import AboveThreshold
from dpstudio.models.continual import parts
from dpstudio.models.continual.law import tail
from dpstudio.records import cached_property, dataclass


@dataclass(frozen=True)
class TreeWatch:
    """A binary tree of counts over k times, (ε, δ)-private for a record that stays; “yes” where its count reaches k.

    What is released are all running counts, so “yes” is an afterthought and more than the first may be said. Each node
    has Laplace noise of scale L/ε or, where a δ buys a smaller variance, Gaussian noise for a move of √L; L the levels.
    The noises of two times have nodes in common: of single times the law is exact, of the first “yes” only drawn.
    [Dwork, Naor, Pitassi & Rothblum 2010; Chan, Shi & Song 2011.]
    """

    epsilon: float
    delta: float
    times: int

    @property
    def _laplace(self) -> float:
        """The scale of a node's Laplace noise."""
        return float(parts.levels(self.times)) / self.epsilon

    @cached_property
    def gaussian(self) -> float | None:
        """σ of a node, where Gaussian noise has the smaller variance."""
        if self.delta == 0:
            return None
        sigma = math.sqrt(float(parts.levels(self.times))) * float(analytic_sigma(self.epsilon, self.delta))
        return sigma if sigma < math.sqrt(2) * self._laplace else None

    @property
    def mu(self) -> float | None:
        """√L/σ, how far a record moves all nodes together, where their noise is Gaussian."""
        return math.sqrt(float(parts.levels(self.times))) / self.gaussian if self.gaussian else None

    @property
    def law(self) -> Law:
        """What all running counts show of a record that stays."""
        levels = int(parts.levels(self.times))
        return Shifted(self.mu) if self.mu else WorstReleases(self.epsilon / levels, 0.0, levels)

    def pure(self, *, stays: bool) -> float:
        """The smallest ε of all running counts with δ = 0: ε of a record that stays, which is in a node of each level.

        One that comes and goes moves every node where it is counted at the times with an odd number of 1s among their
        binary digits, for a node that ends at t stands for what came since t & (t − 1): kε/L.
        """
        if self.gaussian:
            return math.inf
        return self.epsilon if stays else self.epsilon / float(parts.levels(self.times)) * self.times

    @property
    def node_sd(self) -> float:
        """Standard deviation of a node's noise."""
        return self.gaussian or math.sqrt(2) * self._laplace

    @property
    def worst_sd(self) -> float:
        """The largest standard deviation of the noise in a running count."""
        return math.sqrt(float(parts.largest_terms(self.times))) * self.node_sd

    def noise(self, size: int, rng: np.random.Generator) -> Array:
        """The noise of the running counts, a row a time and a column a history."""
        shape = (self.times + 1, size)
        found = rng.normal(0.0, self.gaussian, shape) if self.gaussian else rng.laplace(0.0, self._laplace, shape)
        found[0] = 0.0
        for t in range(1, self.times + 1):  # the node that ends at t, and what stands for all before it
            found[t] += found[t & (t - 1)]
        return np.asarray(found[1:])

    def first_yes(self, counts: Array, threshold: float, size: int, rng: np.random.Generator
                  ) -> npt.NDArray[np.int64]:
        """The place of the first noisy count at the threshold or above in so many histories; k where there is none."""
        reached = self.noise(size, rng) >= (threshold - counts)[:, None]
        return np.asarray(np.where(reached.any(axis=0), reached.argmax(axis=0), counts.size))

    def most_ever(self, counts: Array, threshold: float) -> float:
        """A bound on the probability that some of the first counts gets a “yes”: the sum of each one's, at most 1."""
        terms = parts.terms(np.arange(1, counts.size + 1))
        total = 0.0
        for one in np.unique(terms):
            away = threshold - counts[terms == one]
            away = away[away < away.min() + 60 * self.node_sd]
            if self.gaussian:
                above = ndtr(-away / (self.gaussian * math.sqrt(one)))
            else:
                far = tail(int(one), np.abs(away) / self._laplace)
                above = np.where(away >= 0, far, 1 - far)
            total += float(np.sum(above))
        return min(total, 1.0)

    def threshold_for(self, counts: Array, probability: float) -> float:
        """The threshold at which that bound is a probability in (0, 1)."""
        wanted = math.log(probability)
        return falling_root(lambda threshold: math.log(max(self.most_ever(counts, threshold), 1e-300)) - wanted,
                            float(counts.max()), self.node_sd)


# What variants give away that were published, or that people make, when they claim ε [Lyu, Su & Li 2017, figure 1].

def going_on(watch: AboveThreshold, times: npt.ArrayLike) -> Array:
    """The ε that k answers about equal counts show which do not end at the first “yes”, at least.

    Half of the counts get “yes”, then the others “no”; a record more is in the others alone. That it cannot be made up
    for by the threshold is what grows: by ε₂/2 a time and more, whatever k. [Their algorithm 6.]
    """
    k = np.asarray(times, dtype=np.int64)
    return np.array([_going_on(watch.threshold_rate, watch.count_rate, int(one)) for one in k.ravel()]).reshape(k.shape)


@lru_cache(maxsize=512)
def _going_on(threshold_rate: float, count_rate: float, times: int) -> float:
    watch = AboveThreshold(threshold_rate + count_rate, 0.0, threshold_rate / (threshold_rate + count_rate))
    yes, no = times // 2, times - times // 2

    def logs(z: Array) -> Array:
        both_no, some_yes = watch._log_sides(np.stack([z, z - 1]) * count_rate)
        return np.ascontiguousarray((yes * some_yes[0] + no * both_no + watch._log_density(z)).T)

    fewer, more = log_integrals(logs, watch._ends(np.array([1.0])))
    return float(fewer - more)


def released(watch: AboveThreshold, times: npt.ArrayLike) -> Array:
    """The ε of k times after which the noisy count that got the “yes” is told: kε₂, exactly.

    Told a noisy count far below the true ones, one knows that the noisy threshold lies below it too, and every “no”
    before is e^ε₂ times as likely without the record, as is that number. [Their algorithm 3.]
    """
    return np.asarray(times, dtype=np.float64) * watch.count_rate


def drawn_anew(watch: AboveThreshold, times: npt.ArrayLike) -> Array:
    """The ε of k times with a threshold drawn anew for each: k min(ε₁, ε₂), exactly.

    Each is a decision of its own. Far above the threshold a “no” is a matter of the noise with the longer tail.
    """
    return np.asarray(times, dtype=np.float64) * min(watch.threshold_rate, watch.count_rate)


def bare(watch: AboveThreshold, times: npt.ArrayLike) -> Array:
    """The ε of k times without noise on the counts: ε₁ of one, and ∞ of more. [Their algorithm 5.]

    A “yes” at a time at which nobody else came proves that somebody did.
    """
    return np.where(np.asarray(times) > 1, math.inf, watch.threshold_rate)


def falling(watch: AboveThreshold) -> float:
    """The ε with noise made for counts that only grow where some fall: ε₁ + 2ε₂. [As their algorithm 4.]

    Many “no” to counts that rise by the record, then “yes” to one that falls: the threshold that makes up for the first
    is one higher, and the last then two further away.
    """
    return watch.threshold_rate + 2 * watch.count_rate
