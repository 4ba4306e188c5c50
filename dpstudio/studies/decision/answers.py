"""The answers of the decision study: the exact one at once, then simulated decisions that converge on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Fact, Series, Table, Tables, Update, Window, joined
from dpstudio.core.sampling import CHUNK, binomial_interval, paced
from dpstudio.core.sources import CP34
from dpstudio.studies.decision import figures as f
from dpstudio.studies.decision import tables
from dpstudio.studies.decision.asking import TIMES, asking_table
from dpstudio.studies.decision.compare import Compared, compared
from dpstudio.studies.decision.facts import facts_of, in_order
from dpstudio.studies.decision.verdicts import verdicts_of
from dpstudio.studies.kit import attack as pictures

if TYPE_CHECKING:
    from dpstudio.studies.decision import Decision as Study

GROWTH = 1.04
"""A row of the simulation's table for each growth of the decisions drawn by this factor."""
CHUNKS_BETWEEN = 100
"""At most so many chunks from one update to the next, so that cancelling takes milliseconds."""


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, then one for every stretch of simulation."""
    decisions = compared(study)
    windows = _windows(study, decisions)
    losses = pictures.common_losses(decisions)
    facts = facts_of(study, decisions, losses)
    exact = Update(
        tables=_exact_tables(study, decisions, windows | dict(views), losses),
        facts=facts,
        verdicts=verdicts_of(study, decisions, facts),
        windows=windows,
        total=study.trials,
    )
    yield exact
    if simulate:
        yield from _simulate(study, decisions, exact)


def _windows(study: Study, decisions: Mapping[Series, Compared]) -> dict[str, Window]:
    natural = tables.natural_window(study, decisions)
    return {
        f.RECORDS_TABLE: natural,
        f.THEOREM_TABLE: natural,
        **pictures.windows(study.epsilon),
        f.SIMULATION_TABLE: (float(min(CHUNK, study.trials)), float(max(study.trials, 10))),
        f.LEMMA_TABLE: (0.0, 2.0),
        f.ASKING_TABLE: (TIMES[0], TIMES[-1]),
    }


def _exact_tables(study: Study, decisions: Mapping[Series, Compared], shown: Mapping[str, Window],
                  losses: Mapping[Series, float]) -> Tables:
    @cache
    def records() -> Table:
        return tables.records_table(tables.records_in(shown[f.RECORDS_TABLE], study, decisions), study, decisions)

    return Tables({
        f.RECORDS_TABLE: records,
        pictures.PROFILE_TABLE:
            lambda: pictures.profile_table(shown[pictures.PROFILE_TABLE], decisions, study.epsilon),
        f.THEOREM_TABLE: lambda: tables.theorem_table(records(), study, decisions),
        f.LEMMA_TABLE: tables.lemma_table,
        f.ASKING_TABLE: lambda: asking_table(study, decisions),
        pictures.ATTACK_TABLE: lambda: pictures.attack_table(decisions, study.epsilon, study.delta),
        pictures.BELIEF_TABLE: lambda: pictures.belief_table(losses, study.epsilon),
    })


def _simulate(study: Study, decisions: Mapping[Series, Compared], exact: Update) -> Iterator[Update]:
    """Draw the number of acceptances among each chunk of decisions: a binomial, whatever N is."""
    series = tuple(decisions)
    probabilities = np.array([float(one.accept_probability(study.records)) for one in decisions.values()])
    accepted = np.zeros(len(series), dtype=np.int64)
    rows: list[Array] = []
    for rng, size, done, show in paced(study.seed, study.trials, GROWTH, CHUNKS_BETWEEN):
        accepted += rng.binomial(size, probabilities)
        if not show:
            continue
        low, high = binomial_interval(accepted, done)
        rows.append(np.concatenate([[done], accepted / done, low, high]))
        yield replace(
            exact,
            tables=joined(exact.tables, {f.SIMULATION_TABLE: _simulation_table(series, np.array(rows))}),
            facts=in_order(exact.facts + tuple(
                Fact(v.FRACTION, float(accepted[i] / done), one, "estimate", float(low[i]), float(high[i]),
                     how=f"{accepted[i]} of {done} simulated decisions; 95 % Clopper–Pearson interval", source=CP34)
                for i, one in enumerate(series))),
            done=done,
        )


def _simulation_table(series: tuple[Series, ...], rows: Array) -> Table:
    columns: dict[Column, Array] = {f.X_TRIALS: rows[:, 0]}
    for offset, quantity in enumerate((v.FRACTION, v.FRACTION_LOW, v.FRACTION_HIGH)):
        for i, one in enumerate(series):
            columns[Column(quantity, one)] = rows[:, 1 + offset * len(series) + i]
    return Table(columns)
