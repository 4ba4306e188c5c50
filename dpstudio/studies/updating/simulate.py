"""Simulated histories: noise as each strategy makes it, and whether naive posteriors hold the rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import betainc

from dpstudio.core.declare import Array
from dpstudio.core.sampling import binomial_interval
from dpstudio.studies.updating.compare import Compared, answers_after
from dpstudio.studies.updating.history import Z, true_counts

if TYPE_CHECKING:
    from dpstudio.studies.updating import Updating as Study

BLOCK = 250
"""Histories drawn together, a few milliseconds’ worth; part of what a seed means."""
JUDGED = 10
"""About so many batches at which posteriors are judged."""
_PLAIN = 50.0
_UNSURE = (1.5, 2.5)


class Tally:
    """Sums over the histories so far: squares of the noise, and posteriors that held the rate."""

    def __init__(self, study: Study, counts: Compared, at: npt.NDArray[np.int64]) -> None:
        self._study, self._counts, self._at = study, counts, at
        chosen = np.unique(np.rint(np.geomspace(1, at.size, min(JUDGED, at.size))).astype(np.int64)) - 1
        ends = [max(at.size - 2, 0), at.size - 1]  # the last but one too: skewed shares change there
        self._judged = np.unique(np.append(chosen, ends))
        self.judged = at[self._judged]
        self._squares = np.zeros((len(counts), at.size))
        self._spread = np.stack([count.spread_of_squares(at) for count in counts.values()])
        self._held = np.zeros((len(counts), self.judged.size), dtype=np.int64)
        self.done = 0

    def draw(self, size: int, rng: Generator) -> None:
        """So many more histories."""
        rate = rng.random((size, 1))
        true = true_counts(self._study, self.judged.astype(np.float64), size, rate, rng)
        asked = answers_after(self._study, self.judged)
        for i, count in enumerate(self._counts.values()):
            noise = count.sample(self._at, size, rng)
            self._squares[i] += np.square(noise).sum(axis=0)
            released = np.clip(true + noise[:, self._judged], 0, asked)
            self._held[i] += holds(released, asked, rate).sum(axis=0)
        self.done += size

    def variance(self) -> tuple[Array, Array, Array]:
        """Mean squared noise, by strategy and batch, with the ends of a 95 % interval by the central limit theorem.

        How far squares spread is known exactly, so that few histories do. No χ², which is for normal noise: a Laplace
        variable has a kurtosis of 6.
        """
        mean, half = self._squares / self.done, Z * self._spread / np.sqrt(self.done)
        return mean, np.maximum(mean - half, 0.0), mean + half

    def coverage(self) -> tuple[Array, Array, Array]:
        """Share of posteriors that held the rate, by strategy and judged batch, with Clopper–Pearson intervals."""
        return self._held / self.done, *binomial_interval(self._held, self.done)


def holds(count: Array, asked: Array, rate: Array) -> npt.NDArray[np.bool_]:
    """Whether the rate is within the central 95 % of Beta(1 + c, 1 + N − c)."""
    a, b, theta = np.broadcast_arrays(1 + count, 1 + asked - count, rate)
    mean = a / (a + b)
    away = np.abs(theta - mean) / np.sqrt(mean * (1 - mean) / (a + b + 1))
    inside = away < Z
    # With 50 of either answer the ends lie at 1.96 ± 0.2 standard deviations; only rates near them need the law itself.
    unsure = (np.minimum(a, b) < _PLAIN) | ((away > _UNSURE[0]) & (away < _UNSURE[1]))
    below = betainc(a[unsure], b[unsure], theta[unsure])
    inside[unsure] = (below >= 0.025) & (below <= 0.975)
    return np.asarray(inside)
