"""The exact tables of the neighbours study: counts and their errors, sensitivities, and what no attack exceeds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Table, Window
from dpstudio.models.clamping import count_error
from dpstudio.models.linkage import MOST_KNOWN, PEOPLE, most_identified
from dpstudio.models.sensitivity import QUERIES, enumerated_sensitivity
from dpstudio.studies.neighbours import figures as f
from dpstudio.studies.neighbours.compare import KINDS, Compared, draw, error, released

if TYPE_CHECKING:
    from dpstudio.studies.neighbours import Neighbours as Study

TRIED = 6
"""All databases of up to so many records are tried."""
POINTS = 121
SEEN = 8.0
"""In scales of the wider noise: beyond such a count clamping does nothing that could be seen."""


def windows(study: Study, both: Compared) -> dict[str, Window]:
    widest = both.step / study.epsilon
    return {f.CELLS_TABLE: (0.5, KINDS + 0.5), f.COUNTS_TABLE: (0.0, max(SEEN * widest, 4.0)),
            f.SIZES_TABLE: (1.0, float(TRIED)), f.LINKAGE_TABLE: (0.0, float(MOST_KNOWN))}


def cells_table(study: Study, both: Compared) -> Table:
    columns: dict[Column, Array] = {f.X_STARS: np.arange(1.0, KINDS + 1)}
    columns[Column(v.IN_KIND, f.X)] = both.x.astype(np.float64)
    columns[Column(v.IN_KIND, f.Y)] = both.y.astype(np.float64)
    for series, noise in both.noises.items():
        columns[Column(v.IN_KIND, series)] = released(study, both.x, draw(study.seed, noise))
    for series, noise in both.noises.items():
        found, raw = error(study, noise, both.x), count_error(noise, both.x, clamped=False)
        columns[Column(v.COUNT_ERROR, series)] = found.mean
        columns[Column(v.COUNT_ERROR_RAW, series)] = raw.mean
        columns[Column(v.COUNT_BIAS, series)] = found.bias
    return Table(columns)


def counts_table(window: Window, study: Study, both: Compared) -> Table:
    """Errors at whole counts over a window."""
    low, high = max(0.0, math.floor(window[0])), max(1.0, math.ceil(min(window[1], 1e9)))
    count = np.unique(np.rint(np.linspace(min(low, high - 1), high, POINTS)))
    columns: dict[Column, Array] = {f.X_COUNT: count}
    for series, noise in both.noises.items():
        found, raw = error(study, noise, count), count_error(noise, count, clamped=False)
        columns[Column(v.COUNT_ERROR, series)] = found.mean
        columns[Column(v.COUNT_ERROR_RAW, series)] = raw.mean
        columns[Column(v.COUNT_BIAS, series)] = found.bias
    return Table(columns)


def sizes_table(both: Compared) -> Table:
    """The worst of all databases of n records, by proof and by trying; with replacement n is public."""
    sizes = range(1, TRIED + 1)
    columns: dict[Column, Array] = {f.X_N: np.array(sizes, dtype=np.float64)}
    for series, key in f.ASKED.items():
        worst = QUERIES[key].worst
        columns[Column(v.MOVE, series)] = np.array([worst(both.relation, KINDS, n) for n in sizes])
        columns[Column(v.MOVE_TRIED, series)] = np.array(
            [enumerated_sensitivity(key, KINDS, both.relation, n) for n in sizes])
    columns[Column(v.NOTE_MOVE, f.OF_MEAN)] = 1 / columns[f.X_N]
    return Table(columns)


def linkage_table(study: Study) -> Table:
    """What is known before any attack: what no attack on the release exceeds, and chance."""
    k = np.arange(MOST_KNOWN + 1.0)
    return Table({
        f.X_KNOWN: k,
        Column(v.IDENTIFIED, f.MOST): np.full(k.shape, most_identified(study.epsilon)),
        Column(v.GUESSED): np.full(k.shape, 1 / PEOPLE),
        Column(v.NOTICED, f.MOST): np.full(k.shape, 1 / (1 + math.exp(-study.epsilon))),
        Column(v.COIN_TOSS): np.full(k.shape, 0.5),
    })
