"""The exact tables of the updating study: noise over the batches, and over their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Table, Window
from dpstudio.models.continual.crossing import end_variance, worst_variance
from dpstudio.studies.updating import figures as f
from dpstudio.studies.updating.compare import Compared, rate_sd

if TYPE_CHECKING:
    from dpstudio.studies.updating import Updating as Study

Whole = npt.NDArray[np.int64]
ALL_BATCHES = 40
"""Up to so many batches every one is shown; of more a selection, with the tree’s best and worst among them."""
SPREAD, END_POINTS = 12, 120
MOST = 10.0**7


def windows(study: Study) -> dict[str, Window]:
    whole = (1.0, float(max(study.batches, 2)))
    return {f.STEPS_TABLE: whole, f.COVERAGE_TABLE: whole, f.HISTORY_TABLE: (0.0, float(study.batches)),
            f.END_TABLE: (1.0, max(20_000.0, 1.0 * study.batches))}


def steps(batches: int) -> Whole:
    """The batches that are shown and simulated: all of few, else evenly on a log axis, 2^i and 2^i − 1 among them."""
    if batches <= ALL_BATCHES:
        return np.arange(1, batches + 1)
    powers = 2 ** np.arange(batches.bit_length())
    even = np.rint(np.geomspace(1, batches, SPREAD)).astype(np.int64)
    every = np.concatenate([even, powers, powers - 1, [batches - 1]])
    return np.unique(every[every >= 1])


def steps_table(study: Study, counts: Compared, at: Whole) -> Table:
    variances = {series: count.variance(at) for series, count in counts.items()}
    columns: dict[Column, Array] = {f.X_BATCH: at.astype(np.float64)}
    columns |= {Column(v.RUNNING_SD, series): np.sqrt(variance) for series, variance in variances.items()}
    columns[Column(v.RUNNING_RATE_SD, f.TRUTH)] = rate_sd(study, at, np.zeros(at.shape))
    columns |= {Column(v.RUNNING_RATE_SD, series): rate_sd(study, at, variance)
                for series, variance in variances.items()}
    return Table(columns)


def end_table(study: Study, window: Window) -> Table:
    low, high = (min(max(end, 1.0), MOST) for end in window)
    powers = 2.0 ** np.arange(25)
    special = np.concatenate([powers, powers - 1])
    even = np.rint(np.geomspace(low, high, END_POINTS))
    q = np.unique(np.concatenate([even, special[(special >= low) & (special <= high)], [study.batches]]))
    columns: dict[Column, Array] = {f.X_BATCHES: q}
    for quantity, variance in ((v.END_SD, end_variance), (v.WORST_SD, worst_variance)):
        columns |= {Column(quantity, one): np.sqrt(variance(one.key, study.who, q, study.share)) / study.epsilon
                    for one in f.ALL}
    return Table(columns)
