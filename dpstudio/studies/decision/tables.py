"""The exact tables of the decision study: curves over N, Theorem 1 and its false lemma."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table, Window
from dpstudio.studies.decision import figures as f
from dpstudio.studies.decision.compare import Compared

if TYPE_CHECKING:
    from dpstudio.studies.decision import Decision as Study

POINTS = 480
"""Points spread evenly over a window; wider windows than this many records are not drawn one by one."""
DETAIL = 24
"""Further points across each mechanism's own uncertain stretch, which may be far narrower than the window."""


def natural_window(study: Study, decisions: Mapping[Series, Compared]) -> Window:
    """The range of N that shows every curve rise, and the dataset in hand where it is not far off."""
    low = min(study.minimum, *(one.band.low for one in decisions.values()))
    high = max(study.minimum, *(one.band.high for one in decisions.values()))
    width = max(high - low, 8.0)
    if low - width <= study.records <= high + width:
        low, high = min(low, study.records), max(high, study.records)
    # A wide tail leaves much of the rise outside the band.
    margin = width * (0.12 if study.uncertain <= 0.05 else 1.0)
    return max(0.0, float(np.floor(low - margin))), float(np.ceil(high + margin))


def records_in(window: Window, study: Study, decisions: Mapping[Series, Compared]) -> Array:
    """Integers at which to draw: all of a narrow window, else an even spread and more where a curve bends."""
    low, high = max(0.0, np.floor(window[0])), min(np.ceil(window[1]), float(v.EXACT_INTEGERS - 1))
    if high - low <= POINTS * 1.5:
        return np.arange(low, high + 1)
    bends = [np.linspace(one.band.low, one.band.high, DETAIL) for one in decisions.values()]
    kinks = study.minimum + np.arange(-2.0, 3.0)
    spread = np.concatenate([np.linspace(low, high, POINTS), *bends, kinks, [study.records]])
    return np.unique(np.rint(spread[(spread >= low) & (spread <= high)]))


def records_table(n: Array, study: Study, decisions: Mapping[Series, Compared]) -> Table:
    """Acceptance, rejection, privacy losses and error of every decision at each N."""
    columns: dict[Column, Array] = {f.X_RECORDS: n}
    below = n < study.minimum
    for series, one in decisions.items():
        accept, reject = np.asarray(one.accept_probability(n)), np.asarray(one.reject_probability(n))
        columns[Column(v.ACCEPTANCE, series)] = accept
        columns[Column(v.REJECTION, series)] = reject
        columns[Column(v.ERROR, series)] = np.where(below, accept, reject)
        for quantity, loss in zip((v.LOSS_ACCEPT, v.LOSS_REJECT), one.losses(n), strict=True):
            columns[Column(quantity, series)] = np.asarray(loss)
    return Table(columns)


def theorem_table(records: Table, study: Study, decisions: Mapping[Series, Compared]) -> Table:
    """e^ε Pr[Q(N+1)=0] + δ − Pr[Q(N)=0] of every decision at each N, δ being its claim."""
    ratio = np.exp(study.epsilon)
    columns: dict[Column, Array] = {f.X_RECORDS: records[f.X_RECORDS]}
    for series, one in decisions.items():
        reject, loss = records[Column(v.REJECTION, series)], records[Column(v.LOSS_REJECT, series)]
        # The loss says how many times smaller Pr[Q(N+1)=0] is.
        columns[Column(v.SLACK_HERE, series)] = ratio * (reject * np.exp(-loss)) + one.claim - reject
    return Table(columns)


@cache
def lemma_table() -> Table:
    """f(x) = 1 − 0.9 (3x² − 2x³) − 0.01 x on [0, 1], then 0.1 − 0.01 x: equal slopes at 0 and 1, and no lemma."""

    def value(x: Array) -> Array:
        inside = np.clip(x, 0, 1)
        return 1 - 0.9 * (3 * inside**2 - 2 * inside**3) - 0.01 * x

    x = np.linspace(0, 2, 161)
    return Table({f.X_POSITION: x, Column(v.VALUE): value(x), Column(v.LEMMA_BOUND): 1.2 * value(x + 1)})
