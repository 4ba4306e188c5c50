"""The answers of the noise study: the exact one at once, then released answers and attacks that converge on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Fact, Series, Table, Tables, Update, Window, joined
from dpstudio.core.sampling import CHUNK, binomial_interval, paced
from dpstudio.core.sources import CP34
from dpstudio.studies.kit import attack as pictures
from dpstudio.studies.noise import figures as f
from dpstudio.studies.noise import tables
from dpstudio.studies.noise.compare import Compared, Query, compared, query
from dpstudio.studies.noise.facts import facts_of
from dpstudio.studies.noise.verdicts import verdicts_of

if TYPE_CHECKING:
    from dpstudio.studies.noise import Noise as Study

GROWTH = 1.06
"""A row of the simulation's table for each growth of the answers drawn by this factor."""
CHUNKS_BETWEEN = 50
"""At most so many chunks from one update to the next, so that cancelling takes milliseconds."""


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, then one for every stretch of simulation."""
    asked = query(study)
    noises = compared(study, asked)
    windows = _windows(study, noises)
    facts = facts_of(study, asked, noises)
    exact = Update(
        tables=_exact_tables(study, asked, noises, windows | dict(views)),
        facts=facts,
        verdicts=verdicts_of(study, asked, noises, facts),
        windows=windows,
        total=study.trials,
    )
    yield exact
    if simulate:
        yield from _simulate(study, {series: one for series, one in noises.items() if series in f.LEAST}, exact)


def _windows(study: Study, noises: Mapping[Series, Compared]) -> dict[str, Window]:
    natural = tables.natural_window(noises)
    return {
        f.ANSWER_TABLE: natural,
        f.RELEASED_TABLE: natural,
        **pictures.windows(study.epsilon),
        f.SIGMA_TABLE: (min(0.01, study.epsilon / 3), max(20.0, study.epsilon)),
        f.SIMULATION_TABLE: (float(min(CHUNK, study.trials)), float(max(study.trials, 10))),
    }


def _exact_tables(study: Study, asked: Query, noises: Mapping[Series, Compared],
                  shown: Mapping[str, Window]) -> Tables:
    return Tables({
        f.ANSWER_TABLE: lambda: tables.answer_table(shown[f.ANSWER_TABLE], noises),
        pictures.PROFILE_TABLE:
            lambda: pictures.profile_table(shown[pictures.PROFILE_TABLE], noises, study.epsilon),
        pictures.ATTACK_TABLE: lambda: pictures.attack_table(noises, study.epsilon, study.delta),
        pictures.BELIEF_TABLE: lambda: pictures.belief_table(
            {series: one.common_loss for series, one in noises.items()}, study.epsilon),
        f.SIGMA_TABLE: lambda: tables.sigma_table(shown[f.SIGMA_TABLE], study, asked),
    })


def _simulate(study: Study, noises: Mapping[Series, Compared], exact: Update) -> Iterator[Update]:
    """Count answers in stretches of x, and attackers who were right: a multinomial and a binomial a chunk."""
    ends = tables.stretches(exact.windows[f.RELEASED_TABLE])
    chances = {series: tables.chances(one, ends) for series, one in noises.items()}
    right = np.array([_found(exact, series) for series in noises])
    counts = {series: np.zeros(len(ends), dtype=np.int64) for series in noises}
    hits = np.zeros(len(noises), dtype=np.int64)
    rows: list[Array] = []
    for rng, size, done, show in paced(study.seed, study.trials, GROWTH, CHUNKS_BETWEEN):
        hits += rng.binomial(size, right)
        for series, chance in chances.items():
            counts[series] += rng.multinomial(size, chance / chance.sum())
        if not show:
            continue
        low, high = binomial_interval(hits, done)
        rows.append(np.concatenate([[done], hits / done, low, high]))
        yield replace(
            exact,
            tables=joined(exact.tables, {
                f.SIMULATION_TABLE: _simulation_table(tuple(noises), np.array(rows)),
                f.RELEASED_TABLE: _released_table(ends, chances, counts, done)}),
            facts=exact.facts + tuple(
                Fact(v.SUCCESS_FOUND, float(hits[i] / done), series, "estimate", float(low[i]), float(high[i]),
                     how=f"{hits[i]} of {done} simulated attacks were right; 95 % Clopper–Pearson interval",
                     source=CP34)
                for i, series in enumerate(noises)),
            done=done,
        )


def _found(exact: Update, series: Series) -> float:
    fact = exact.fact(v.SUCCESS, series)
    assert fact is not None
    return fact.value


def _simulation_table(series: tuple[Series, ...], rows: Array) -> Table:
    columns: dict[Column, Array] = {f.X_DONE: rows[:, 0]}
    for offset, quantity in enumerate((v.SUCCESS_FOUND, v.SUCCESS_LOW, v.SUCCESS_HIGH)):
        for i, one in enumerate(series):
            columns[Column(quantity, one)] = rows[:, 1 + offset * len(series) + i]
    return Table(columns)


def _released_table(ends: Array, chances: Mapping[Series, Array],
                    counts: Mapping[Series, npt.NDArray[np.int64]], done: int) -> Table:
    """What each stretch should hold and what was counted in it, as densities."""
    width = float(ends[1] - ends[0])
    columns: dict[Column, Array] = {f.X_ANSWER: (ends[:-1] + ends[1:]) / 2}
    for series, chance in chances.items():
        inside = counts[series][:-1]
        low, high = binomial_interval(inside, done)
        for quantity, values in ((v.DENSITY, chance[:-1]), (v.DENSITY_FOUND, inside / done), (v.DENSITY_LOW, low),
                                 (v.DENSITY_HIGH, high)):
            columns[Column(quantity, series)] = values / width
    return Table(columns)
