"""The answers of the posterior study: the exact one at once, curves as they are known, then simulated releases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Fact, Table, Tables, Update, Window, joined, widened
from dpstudio.core.sampling import UNSEEN, binomial_interval, chunks
from dpstudio.core.sources import CP34
from dpstudio.models.beta_bernoulli.intervals import AwareIntervals, aware_intervals
from dpstudio.studies.posterior import figures as f
from dpstudio.studies.posterior import tables
from dpstudio.studies.posterior.compare import compared, coverage, unusable
from dpstudio.studies.posterior.facts import facts_of
from dpstudio.studies.posterior.simulate import CHUNK, Drawn, Tally, tallied
from dpstudio.studies.posterior.verdicts import verdicts_of

if TYPE_CHECKING:
    from dpstudio.studies.posterior import Posterior as Study

Z = 1.959963984540054
"""Φ⁻¹(0.975)."""
ENOUGH = 500
"""Squared errors that a central limit is asked of; a prior that lies at one end makes most of them next to nothing."""
SHOWN = 60
"""Releases of the latest chunk that the picture of intervals shows."""


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, the curves that take longer, then one for every chunk of releases."""
    counts = compared(study)
    windows = tables.windows(study, counts, (float(min(CHUNK, study.trials)), float(max(study.trials, 10))))
    shown = windows | dict(views)
    aware = aware_intervals(study.prior_a, study.prior_b, study.people, study.epsilon, study.level, study.noise)
    shares = tables.shares_in(shown[f.INTERVAL_TABLE])
    facts = facts_of(study, counts)
    exact = Update(
        tables=Tables({
            f.DENSITY_TABLE: lambda: tables.density_table(shown[f.DENSITY_TABLE], counts),
            f.INTERVAL_TABLE: lambda: tables.interval_table(shares, study, aware),
        }),
        facts=facts,
        verdicts=verdicts_of(study, facts),
        windows=windows,
        total=study.trials,
    )
    epsilon = tables.epsilons_in(shown[f.COVERAGE_TABLE], study)
    if not simulate:  # nobody watches: what takes longer is made when it is looked at
        yield replace(exact, tables=joined(exact.tables, Tables({
            f.INTERVAL_TABLE: lambda: _filled(shares, study, aware),
            f.COVERAGE_TABLE: lambda: tables.coverage_table(epsilon, study, counts.true),
        })))
        return
    yield exact
    for e in epsilon:
        for series in f.JUDGED:
            coverage(study, float(e), series)  # kept there for the table
            yield exact  # complete, if not new: here it can be left
        unusable(study, float(e))
    of_releases = tables.coverage_table(epsilon, study, counts.true)
    exact = replace(exact, tables=joined(exact.tables, {f.COVERAGE_TABLE: of_releases}))
    yield exact
    for _ in aware.fill():
        yield exact
    filled = tables.interval_table(shares, study, aware)
    exact = replace(exact, tables=joined(exact.tables, {f.INTERVAL_TABLE: filled}))
    yield exact
    yield from _simulate(study, exact, epsilon, aware)


def _filled(shares: Array, study: Study, aware: AwareIntervals) -> Table:
    for _ in aware.fill():
        pass
    return tables.interval_table(shares, study, aware)


def _simulate(study: Study, exact: Update, epsilon: Array, aware: AwareIntervals) -> Iterator[Update]:
    tally = Tally.empty(len(epsilon))
    today = int(np.searchsorted(epsilon, study.epsilon))
    rows: list[Array] = []
    latest = exact
    for rng, size in chunks(study.seed, study.trials, CHUNK):
        drawn = Drawn.by(rng, size, study)
        for _ in tallied(study, drawn, epsilon, aware, tally):
            yield latest  # complete, if not new: here it can be left
        held = np.array([tally.held[f.NAIVE][today], tally.held[f.CLAMPED][today], tally.aware])
        low, high = binomial_interval(held, tally.done)
        rows.append(np.concatenate([[tally.done], held / tally.done, low, high]))
        latest = replace(exact, tables=_tables(study, exact, tally, drawn, rows),
                         facts=exact.facts + tuple(_facts(tally, rows[-1], today)), done=tally.done)
        yield latest


def _tables(study: Study, exact: Update, tally: Tally, drawn: Drawn, rows: list[Array]) -> Tables:
    seen = np.array(rows[::-(-len(rows) // 200)] + rows[-1:])
    columns: dict[Column, Array] = {f.X_DONE: seen[:, 0]}
    for offset, quantity in enumerate((v.COVERAGE_FOUND, v.COVERAGE_LOW, v.COVERAGE_HIGH)):
        for i, series in enumerate(f.JUDGED):
            columns[Column(quantity, series)] = seen[:, 1 + offset * len(f.JUDGED) + i]
    dots: dict[Column, Array] = {}
    for series, held in tally.held.items():
        low, high = binomial_interval(held, tally.done)
        dots |= {Column(v.COVERAGE_FOUND, series): held / tally.done, Column(v.COVERAGE_LOW, series): low,
                 Column(v.COVERAGE_HIGH, series): high}
    low, high = binomial_interval(tally.missing, tally.done)
    dots |= {Column(v.INVALID_FOUND, f.NAIVE): tally.missing / tally.done, Column(v.INVALID_LOW, f.NAIVE): low,
             Column(v.INVALID_HIGH, f.NAIVE): high}
    intervals = exact.tables[f.INTERVAL_TABLE]
    places = _places(study, drawn, intervals)
    found = widened(widened(exact.tables, f.INTERVAL_TABLE, places), f.COVERAGE_TABLE, dots)
    return joined(found, {f.SIMULATION_TABLE: Table(columns)})


def _places(study: Study, drawn: Drawn, intervals: Table) -> dict[Column, Array]:
    """Some releases of a chunk that the picture’s window shows, over and over to fill the rows of its table."""
    share = drawn.released(study.epsilon, study.noise) / study.people
    shown = intervals[f.X_SHARE]
    inside = np.flatnonzero((share >= shown[0]) & (share <= shown[-1]))[:SHOWN]
    if not len(inside):
        return {}
    rows = intervals.rows
    return {f.DRAWN_X: np.resize(share[inside], rows), f.DRAWN_Y: np.resize(drawn.theta[inside], rows)}


def _facts(tally: Tally, row: Array, today: int) -> Iterator[Fact]:
    """Coverage, releases without a naive posterior, and errors of the means."""
    done, series_count = tally.done, len(f.JUDGED)
    for i, series in enumerate(f.JUDGED):
        found, low, high = (float(row[1 + i + offset * series_count]) for offset in range(3))
        yield Fact(v.COVERAGE_FOUND, found, series, "estimate", low, high,
                   f"{round(found * done)} of {done} simulated intervals held the rate; 95 % Clopper–Pearson interval",
                   CP34)
    missing = int(tally.missing[today])
    low, high = (float(end) for end in binomial_interval(missing, done))
    yield Fact(v.INVALID_FOUND, missing / done, f.NAIVE, "estimate", low, high,
               f"{missing} of {done} simulated releases; 95 % Clopper–Pearson interval", CP34)
    for series, (squares, fourths, most) in tally.squares.items():
        mean = squares / done
        how, low, high = f"root of the mean square of {done} errors", 0.0, 1.0
        if done >= ENOUGH:
            half = Z * math.sqrt(max(fourths - mean * squares, 0.0) / (done - 1) / done) + UNSEEN / done * most
            low, high = math.sqrt(max(mean - half, 0.0)), min(math.sqrt(mean + half), 1.0)
            how += "; 95 % interval by the central limit theorem, as wide as if 3 more had been as large as the largest"
        else:
            how += f"; an interval takes {ENOUGH} of them"
        yield Fact(v.MEAN_RMSE, math.sqrt(mean), series, "estimate", low, high, how)
