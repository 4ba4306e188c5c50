"""Simulated histories: one that unfolds with the posteriors believed along it, and many that are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import betainc, betaincinv

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table
from dpstudio.core.sampling import generator
from dpstudio.core.special import Z_95
from dpstudio.models.continual import RunningCount
from dpstudio.records import dataclass
from dpstudio.studies import updating as f
from dpstudio.studies.kit.tables import shares

POINTS = 160
SMOOTH = 1e4
"""From so many of either answer on a Beta posterior is a pixel from its normal limit with a skewness at most."""
BLOCK = 250
"""Histories drawn together, a few milliseconds’ worth; part of what a seed means."""
JUDGED = 10
"""About so many batches at which posteriors are judged."""
_PLAIN = 50.0
_UNSURE = (1.5, 2.5)

Whole: TypeAlias = npt.NDArray[np.int64]
Counts: TypeAlias = Mapping[Series, RunningCount]
Interval: TypeAlias = tuple[Array, Array, Array]
"""Estimates, a row a strategy, with the ends of their 95 % intervals."""


def answers_after(study: f.Updating, batch: npt.ArrayLike) -> Array:
    """Number of answers that the running count after t batches is one of: nt, or n where each counts once at most."""
    t = np.asarray(batch, dtype=np.float64)
    return study.batch_people * (np.minimum(t, 1.0) if study.who == "status" else t)


def true_counts(study: f.Updating, at: Array, size: int, rate: Array, rng: Generator) -> Array:
    """Numbers of yes (rows of histories) in the running counts after ascending batches t (columns), rates in a column.

    Where a yes may come and go it is drawn anew for every batch.
    """
    if study.who == "status":
        asked = answers_after(study, at)
        return rng.binomial(asked.astype(np.int64), rate, (size, at.size)).astype(np.float64)
    more = np.diff(answers_after(study, at), prepend=0.0)
    return np.cumsum(rng.binomial(more.astype(np.int64), rate, (size, at.size)), axis=1).astype(np.float64)


def history_of(study: f.Updating, counts: Counts) -> Table:
    """The whole history; it depends on the seed and not on how many others are drawn."""
    at = np.unique(np.rint(np.linspace(0, study.batches, min(study.batches, POINTS) + 1)))
    truth, *others = (generator(study.seed, 0, 1 + i) for i in range(1 + len(counts)))
    true = true_counts(study, at, 1, np.full((1, 1), study.rate), truth)[0]
    asked = answers_after(study, at)
    columns: dict[Column, Array] = {f.X_BATCH: at, Column(v.TRUE_RUNNING_COUNT, f.TRUTH): true}
    columns |= _posterior(f.TRUTH, true, asked)
    for (series, count), rng in zip(counts.items(), others, strict=True):
        noise, most = count.sample(at, 1, rng)[0], count.error_95(at)
        columns |= {Column(v.BATCH_COUNT, series): true + noise, Column(v.RUNNING_NOISE, series): noise,
                    Column(v.COUNT_NOISE_LEAST, series): -most, Column(v.COUNT_NOISE_MOST, series): most}
        columns |= _posterior(series, np.clip(true + noise, 0, asked), asked)
    return Table(columns)


def _posterior(series: Series, count: Array, asked: Array) -> dict[Column, Array]:
    """Mean and central 95 % of Beta(1 + c, 1 + N − c): a flat prior, and the count taken as it is."""
    a, b = 1 + count, 1 + asked - count
    low, high = (_quantile(a, b, p) for p in (-1, 1))
    return {Column(v.RUNNING_RATE_MEAN, series): a / (a + b), Column(v.RATE_LOW, series): low,
            Column(v.RATE_HIGH, series): high}


def _quantile(a: Array, b: Array, side: int) -> Array:
    """The 2.5 % or the 97.5 % point of Beta(a, b)."""
    few = np.minimum(a, b) < SMOOTH
    mean, size = a / (a + b), a + b
    sd = np.sqrt(mean * (1 - mean) / (size + 1))
    skewness = 2 * (b - a) / (size + 2) * np.sqrt((size + 1) / (a * b))
    found = mean + sd * (side * Z_95 + skewness * (Z_95 * Z_95 - 1) / 6)
    found[few] = betaincinv(a[few], b[few], 0.5 + side * 0.475)
    return np.clip(found, 0.0, 1.0)


@dataclass(frozen=True)
class Drawn:
    """What the histories so far have come to."""

    done: int
    keys: tuple[str, ...]
    """Of the strategies, in the order of the rows."""
    variance: Interval
    """Mean squared noise after the batches that are shown."""
    judged: Whole
    """The batches after which posteriors were judged."""
    coverage: Interval
    """Share of the posteriors after them that held the rate."""


class Tally:
    """Sums over the histories so far: squares of the noise, and posteriors that held the rate."""

    def __init__(self, study: f.Updating, counts: Counts, at: Whole) -> None:
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

    def drawn(self) -> Drawn:
        """What they have come to, which further draws do not change."""
        return Drawn(self.done, tuple(series.key for series in self._counts), self.variance(), self.judged,
                     self.coverage())

    def variance(self) -> Interval:
        """Mean squared noise, by strategy and batch, with the ends of a 95 % interval by the central limit theorem.

        How far squares spread is known exactly, so that few histories do. No χ², which is for normal noise: a Laplace
        variable has a kurtosis of 6.
        """
        mean, half = self._squares / self.done, Z_95 * self._spread / np.sqrt(self.done)
        return mean, np.maximum(mean - half, 0.0), mean + half

    def coverage(self) -> Interval:
        """Share of posteriors that held the rate, by strategy and judged batch, with Clopper–Pearson intervals."""
        return shares(self._held, self.done)


def holds(count: Array, asked: Array, rate: Array) -> npt.NDArray[np.bool_]:
    """Whether the rate is within the central 95 % of Beta(1 + c, 1 + N − c)."""
    a, b, theta = np.broadcast_arrays(1 + count, 1 + asked - count, rate)
    mean = a / (a + b)
    away = np.abs(theta - mean) / np.sqrt(mean * (1 - mean) / (a + b + 1))
    inside = away < Z_95
    # With 50 of either answer the ends lie at 1.96 ± 0.2 standard deviations; only rates near them need the law itself.
    unsure = (np.minimum(a, b) < _PLAIN) | ((away > _UNSURE[0]) & (away < _UNSURE[1]))
    below = betainc(a[unsure], b[unsure], theta[unsure])
    inside[unsure] = (below >= 0.025) & (below <= 0.975)
    return np.asarray(inside)
