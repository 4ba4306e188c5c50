"""The answers of the policy study: the exact one at once, then simulated programmes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Fact, Series, Table, Tables, Update, Window, joined
from dpstudio.core.sampling import UNSEEN, binomial_interval, chunks
from dpstudio.core.sources import CP34
from dpstudio.models.policy import Batch, largest_variance, simulate
from dpstudio.studies.policy import figures as f
from dpstudio.studies.policy import tables
from dpstudio.studies.policy.compare import Case, case_of, programme_of
from dpstudio.studies.policy.facts import PLACE, Found, facts_of
from dpstudio.studies.policy.verdicts import simulated, verdicts_of

if TYPE_CHECKING:
    from dpstudio.studies.policy import Policy as Study

REPLICATES = 200
"""Programmes of one chunk. It is part of what a seed means."""
GROWTH = 1.15
"""A new answer for each growth of the programmes done by this factor."""
PATIENCE = 15_000
"""Counts drawn from one yield to the next, at most, so that cancelling takes milliseconds."""


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, then one for every stretch of simulation."""
    case = case_of(study)
    found = Found(study, case)
    windows = tables.windows(study, case)
    facts = facts_of(study, found)
    curve = tables.Curve.over(windows[f.COUNTS_TABLE], case)
    exact = Update(
        tables=_exact_tables(case, found, curve, windows | dict(views)),
        facts=facts,
        verdicts=verdicts_of(study, facts, curve),
        windows=windows,
        total=study.trials,
    )
    yield exact
    if simulate:
        yield from _simulate(study, case, exact)


def _exact_tables(case: Case, found: Found, natural: tables.Curve,
                  shown: Mapping[str, Window]) -> Tables:
    def curve(table: str) -> tables.Curve:
        over = tables.Curve.over(shown[table], case)
        return natural if np.array_equal(over.epsilon, natural.epsilon) else over

    return Tables({
        f.COST_TABLE: lambda: tables.cost_table(shown[f.COST_TABLE], case),
        f.COUNTS_TABLE: lambda: tables.counts_table(curve(f.COUNTS_TABLE)),
        f.DECISION_TABLE: lambda: tables.decision_table(shown[f.DECISION_TABLE], case),
        f.MAP_TABLE: lambda: tables.map_table(curve(f.MAP_TABLE), case, found.taken[f.BOTH]),
    })


class _Sums:
    """Sums over programmes, for each regime and batch: the means, and how far they may be off."""

    def __init__(self, study: Study, case: Case) -> None:
        shape = len(f.REGIMES), study.batches
        self.people, self.gap = study.arrivals, case.truth.gap
        self.own = largest_variance(case.truth) / study.arrivals
        self.first, self.last = np.zeros((2, shape[0]), dtype=np.int64)
        self.utility, self.regret, self.done = np.zeros((2, *shape)), np.zeros((2, *shape)), 0
        self.all_utility, self.all_regret = np.zeros((2, shape[0])), np.zeros((2, shape[0]))

    def add(self, batches: list[Batch]) -> None:
        utility = np.stack([batch.utility for batch in batches], axis=-1)
        regret = np.cumsum(np.stack([batch.regret for batch in batches], axis=-1), axis=-1)
        self.first += np.count_nonzero(batches[0].acted_best, axis=1)
        self.last += np.count_nonzero(batches[-1].acted_best, axis=1)
        for sums, values in ((self.utility, utility), (self.regret, regret * self.people),
                             (self.all_utility, utility.mean(axis=-1)),
                             (self.all_regret, regret[..., -1] / len(batches))):
            sums[0] += values.sum(axis=1)
            sums[1] += (values * values).sum(axis=1)
        self.done += utility.shape[1]

    def interval(self, sums: Array, reach: float | Array, least: float = 0.0) -> tuple[Array, Array]:
        """Mean and half the length of its 95 % interval, by the central limit theorem and for what was not seen.

        Choices may take the mean anywhere within `reach`; apart from them each programme has a known variance, at
        `least`.
        """
        mean = sums[0] / self.done
        variance = np.maximum(sums[1] - mean * sums[0], 0.0) / max(self.done - 1, 1)
        half = tables.Z * np.sqrt(np.maximum(variance, least) / self.done) + UNSEEN / self.done * reach
        return mean, np.maximum(half, 1e-15 * np.abs(mean))  # at least what rounding may have eaten


def _simulate(study: Study, case: Case, exact: Update) -> Iterator[Update]:
    """Draw programmes, all regimes at once; between two answers the last one is given again."""
    programme, regimes = programme_of(study, case)
    sums, latest, due = _Sums(study, case), exact, 0.0
    drawn = 0
    for rng, size in chunks(study.seed, study.trials, REPLICATES):
        batches = []
        for batch in simulate(programme, regimes, size, rng):
            batches.append(batch)
            drawn += size * len(regimes) * 2 * case.symptoms
            if drawn > PATIENCE:
                drawn = 0
                yield latest
        sums.add(batches)
        if sums.done >= due or sums.done == study.trials:
            due = sums.done * GROWTH
            latest = _with_programmes(exact, case, sums, study)
            yield latest


def _with_programmes(exact: Update, case: Case, sums: _Sums, study: Study) -> Update:
    facts = sorted([*exact.facts, *_seen(case, sums, study.batches)], key=lambda fact: PLACE[fact.key])
    said = exact.verdicts
    if sums.done == study.trials:  # not before: a sentence that changes cannot be read
        said = (*said, *simulated(study, facts))
    return replace(exact, tables=joined(exact.tables, {f.TIME_TABLE: _time_table(sums, study.batches)}),
                   facts=tuple(facts), verdicts=said, done=sums.done)


def _seen(case: Case, sums: _Sums, batches: int) -> Iterator[Fact]:
    gap = case.truth.gap
    utility, utility_half = sums.interval(sums.all_utility, gap, sums.own / batches)
    regret, regret_half = sums.interval(sums.all_regret, gap)
    most = np.minimum(regret + regret_half, gap)
    words = (f"{_programmes(sums.done)} of {batches} {'batch' if batches == 1 else 'batches'}; 95 % interval by the "
             "central limit theorem, wider by 3/T of what the choice is worth for what was not seen")
    for i, series in enumerate(f.REGIMES):
        if series in (f.COUNTS, f.BOTH):
            yield _share(v.FIRST_RECOMMENDED, series, int(sums.first[i]), sums.done)
        yield _share(v.LAST_RECOMMENDED, series, int(sums.last[i]), sums.done)
        yield Fact(v.ALL_UTILITY, float(utility[i]), series, "estimate", float(utility[i] - utility_half[i]),
                   float(utility[i] + utility_half[i]), words)
        yield Fact(v.REGRET_PERSON, float(regret[i]), series, "estimate",
                   max(float(regret[i] - regret_half[i]), 0.0), max(float(most[i]), float(regret[i])), words)


def _programmes(number: int) -> str:
    return "1 simulated programme" if number == 1 else f"{number} simulated programmes"


def _share(quantity: v.Quantity, series: Series, number: int, done: int) -> Fact:
    low, high = (float(end) for end in binomial_interval(number, done))
    return Fact(quantity, number / done, series, "estimate", low, high,
                f"{number} of {_programmes(done)}; 95 % Clopper–Pearson interval", CP34)


def _time_table(sums: _Sums, batches: int) -> Table:
    batch = np.arange(1.0, batches + 1)
    largest = sums.gap * sums.people * batch
    utility, utility_half = sums.interval(sums.utility, sums.gap, sums.own)
    regret, regret_half = sums.interval(sums.regret, largest)
    most = np.minimum(regret + regret_half, largest)
    columns: dict[Column, Array] = {f.X_BATCH: batch}
    for i, series in enumerate(f.REGIMES):
        columns |= {
            Column(v.SEEN_UTILITY, series): utility[i],
            Column(v.SEEN_UTILITY_LOW, series): utility[i] - utility_half[i],
            Column(v.SEEN_UTILITY_HIGH, series): utility[i] + utility_half[i],
            Column(v.REGRET, series): regret[i],
            Column(v.REGRET_LOW, series): np.maximum(regret[i] - regret_half[i], 0.0),
            Column(v.REGRET_HIGH, series): np.maximum(most[i], regret[i]),
        }
    if batches == 1:  # a line needs two points
        columns = {column: np.repeat(values, 2) for column, values in columns.items()} | {
            f.X_BATCH: np.array([0.5, 1.5])}
    return Table(columns)


