"""The tables of the audit study: looks as draws stream in, outcomes in cells, and what each event shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Table, Window
from dpstudio.core.sampling import binomial_interval
from dpstudio.models.auditing.certificate import epsilon_of, exact_bounds
from dpstudio.models.auditing.looks import Look, look_times
from dpstudio.studies.audit import figures as f
from dpstudio.studies.audit.compare import Audited

_SEEN = 1e-4
"""Cells with less than this part of the fullest one’s probability lie outside the picture."""


def looks_window(trials: int) -> Window:
    times = look_times(trials)
    return float(times[0] if times else 1), float(max(trials, 10))


def outcomes_window(one: Audited) -> Window:
    """The outcomes that are likely on either dataset."""
    seen = np.flatnonzero(one.cells.masses.max(axis=0) >= _SEEN * one.cells.masses.max())
    bounds, last = one.cells.bounds, one.cells.number - 1
    # A little of the empty cells beside them shows that they are empty.
    return float(bounds[max(seen[0] - 1, 0)]), float(bounds[min(seen[-1] + 1, last) + 1])


def looks_table(one: Audited, looks: Sequence[Look], window: Window) -> Table:
    """What each look certified; before the first, the levels alone."""
    levels = {v.AUDIT_EPSILON: (one.claim[0], one.epsilon), v.AUDIT_DELTA: (one.claim[1], one.delta)}
    draws = np.array([look.draws for look in looks] if looks else window, dtype=np.float64)
    columns: dict[Column, Array] = {f.X_DRAWS: draws}
    for quantity, values in levels.items():
        for series, value in zip((f.CLAIMED, f.EXACT), values, strict=True):
            columns[Column(quantity, series)] = np.full(draws.shape, value)
    if not looks:
        return Table(columns)
    epsilon = np.array([float(look.certified.epsilon) for look in looks])
    delta = np.array([float(look.certified.delta) for look in looks])
    columns |= {Column(v.AUDIT_EPSILON, f.AUDITED): np.maximum.accumulate(epsilon),
                Column(v.AUDIT_DELTA, f.AUDITED): np.maximum.accumulate(delta),
                Column(v.LOOK_EPSILON, f.AUDITED): epsilon}
    for i, (series, exact) in enumerate(((f.FEWER, v.FEWER_PROBABILITY), (f.MORE, v.MORE_PROBABILITY))):
        certified = [look.certified for look in looks]
        columns |= {Column(v.EVENT_PROBABILITY, series): np.array([each.share[i] for each in certified]),
                    Column(v.EVENT_LOW, series): np.array([each.low[i] for each in certified]),
                    Column(v.EVENT_HIGH, series): np.array([each.high[i] for each in certified]),
                    Column(exact, f.EXACT): np.array([one.cells.law[i, int(look.chosen.event)] for look in looks])}
    return Table(columns)


def outcomes_table(one: Audited, look: Look | None) -> Table:
    """Each cell as a step, exactly and as the certifying draws fell; the outer cells hold all that lies beyond."""
    columns: dict[Column, Array] = {f.X_OUTCOME: np.repeat(one.cells.bounds, 2)[1:-1]}
    for i, series in enumerate(f.SIDES):
        columns[Column(v.CELL_SHARE, series)] = np.repeat(one.cells.masses[i], 2)
        if look is not None:
            low, high = binomial_interval(look.certifying[i], look.half)
            for quantity, values in ((v.CELL_FOUND, look.certifying[i] / look.half), (v.CELL_LOW, low),
                                     (v.CELL_HIGH, high)):
                columns[Column(quantity, series)] = np.repeat(values, 2)
    return Table(columns)


def events_table(one: Audited, look: Look | None) -> Table:
    """ε of all outcomes up to a cell, and from it on, exactly and as the certifying draws bound it."""
    cells, delta = one.cells, one.claim[1]
    number = cells.number - 1
    columns: dict[Column, Array] = {f.X_OUTCOME: np.repeat(cells.bounds, 2)[1:-1]}
    shown = {v.EDGE_EPSILON: np.concatenate(tuple(cells.epsilon(delta)))}
    if look is not None:
        low, high = exact_bounds(cells.gathered(look.certifying)[:, : 2 * number], look.half, look.error / 2)
        shown[v.EDGE_FOUND] = epsilon_of(low[::-1], high, delta).max(axis=0)
    for quantity, values in shown.items():
        # All outcomes together show nothing.
        columns[Column(quantity, f.FEWER)] = np.repeat(np.maximum(np.append(values[number:], 0.0), 0.0), 2)
        columns[Column(quantity, f.MORE)] = np.repeat(np.maximum(np.append(0.0, values[:number]), 0.0), 2)
    return Table(columns)
