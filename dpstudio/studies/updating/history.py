"""One simulated history, and the posteriors that one would have believed along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator
from scipy.special import betaincinv

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table
from dpstudio.studies.updating import figures as f
from dpstudio.studies.updating.compare import Compared, answers_after

if TYPE_CHECKING:
    from dpstudio.studies.updating import Updating as Study

POINTS = 160
SMOOTH = 1e4
"""From so many of either answer on a Beta posterior is a pixel from its normal limit with a skewness at most."""
Z = 1.959963984540054


def true_counts(study: Study, at: Array, size: int, rate: Array, rng: Generator) -> Array:
    """Numbers of yes (rows of histories) in the running counts after ascending batches t (columns), rates in a column.

    Where a yes may come and go it is drawn anew for every batch.
    """
    if study.who == "status":
        asked = answers_after(study, at)
        return rng.binomial(asked.astype(np.int64), rate, (size, at.size)).astype(np.float64)
    more = np.diff(answers_after(study, at), prepend=0.0)
    return np.cumsum(rng.binomial(more.astype(np.int64), rate, (size, at.size)), axis=1).astype(np.float64)


def history(study: Study, counts: Compared) -> Table:
    """The whole history; it depends on the seed and not on how many others are drawn."""
    at = np.unique(np.rint(np.linspace(0, study.batches, min(study.batches, POINTS) + 1)))
    truth, *others = (np.random.default_rng(np.random.SeedSequence(study.seed, spawn_key=(0, 1 + i)))
                      for i in range(1 + len(counts)))
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
    found = mean + sd * (side * Z + skewness * (Z * Z - 1) / 6)
    found[few] = betaincinv(a[few], b[few], 0.5 + side * 0.475)
    return np.clip(found, 0.0, 1.0)
