"""The answers of the updating study: the exact one at once, then a history that unfolds and many that are counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Fact, Table, Tables, Update, Window, joined, widened
from dpstudio.core.sampling import chunks
from dpstudio.core.sources import CP34
from dpstudio.studies.updating import figures as f
from dpstudio.studies.updating import tables
from dpstudio.studies.updating.compare import Compared, compared, search_each_optimal
from dpstudio.studies.updating.facts import facts_of, has_optimal, optimal_facts
from dpstudio.studies.updating.history import history
from dpstudio.studies.updating.simulate import BLOCK, Tally
from dpstudio.studies.updating.verdicts import coverage_verdict, verdicts_of, with_optimal

if TYPE_CHECKING:
    from dpstudio.studies.updating import Updating as Study

FRAMES = 60
"""At most so many new answers from the first history to the last."""
SEEN = (v.RUNNING_SEEN, v.RUNNING_SEEN_LOW, v.RUNNING_SEEN_HIGH)
COVERED = (v.RATE_COVERED, v.RATE_COVERED_LOW, v.RATE_COVERED_HIGH)


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, what takes a search, then one for every stretch of simulation."""
    counts = compared(study)
    windows = tables.windows(study)
    at = tables.steps(study.batches)
    facts = facts_of(study, counts)
    exact = Update(
        tables=Tables({
            f.STEPS_TABLE: lambda: tables.steps_table(study, counts, at),
            f.END_TABLE: lambda: tables.end_table(study, views.get(f.END_TABLE, windows[f.END_TABLE])),
        }),
        facts=facts,
        verdicts=verdicts_of(study, facts),
        windows=windows,
        total=study.trials,
    )
    yield exact
    if has_optimal(study):
        for _ in search_each_optimal(study.epsilon, study.delta, study.batches):  # kept there for the facts
            yield exact  # complete, if not new: here it can be left
    if more := optimal_facts(study):
        exact = replace(exact, facts=facts + more, verdicts=with_optimal(study, exact.verdicts, more))
        yield exact
    if simulate:
        yield from _simulate(study, counts, at, exact)


def _simulate(study: Study, counts: Compared, at: npt.NDArray[np.int64], exact: Update) -> Iterator[Update]:
    tally = Tally(study, counts, at)
    whole = cache(partial(history, study, counts))
    latest, due = exact, 0.0
    for rng, size in chunks(study.seed, study.trials):
        for start in range(0, size, BLOCK):
            tally.draw(min(BLOCK, size - start), rng)
            if tally.done >= due or tally.done == study.trials:
                due = tally.done + study.trials / FRAMES
                latest = _seen(study, counts, exact, tally, whole)
            yield latest  # complete, if not new: here it can be left


def _seen(study: Study, counts: Compared, exact: Update, tally: Tally,
          whole: Callable[[], Table]) -> Update:
    variance, coverage = tally.variance(), tally.coverage()
    sds = tuple(np.sqrt(numbers) for numbers in variance)
    judged: dict[Column, Array] = {f.X_BATCH: tally.judged.astype(np.float64),
                                   Column(v.RATE_COVERED, f.TRUTH): np.full(tally.judged.size, 0.95)}
    part = tally.done / study.trials
    found = joined(widened(exact.tables, f.STEPS_TABLE, _columns(counts, SEEN, sds)), Tables({
        f.COVERAGE_TABLE: lambda: Table(judged | _columns(counts, COVERED, coverage)),
        f.HISTORY_TABLE: lambda: _begun(whole(), part),
    }))
    facts = tuple(_end_facts(counts, variance, coverage, tally.done))
    return replace(exact, tables=found, facts=exact.facts + facts, done=tally.done,
                   verdicts=(*exact.verdicts, coverage_verdict(study, facts)))


def _begun(history: Table, part: float) -> Table:
    """The first part of a history."""
    shown = max(2, math.ceil(history.rows * part))
    return Table({column: numbers[:shown] for column, numbers in history.items()})


def _columns(counts: Compared, quantities: tuple[v.Quantity, ...], numbers: tuple[Array, ...]) -> dict[Column, Array]:
    return {Column(quantity, series): found[i] for quantity, found in zip(quantities, numbers, strict=True)
            for i, series in enumerate(counts)}


def _histories(done: int) -> str:
    return "1 simulated history" if done == 1 else f"{done} simulated histories"


def _end_facts(counts: Compared, variance: tuple[Array, Array, Array], coverage: tuple[Array, Array, Array],
               done: int) -> Iterator[Fact]:
    """What the histories had at the end."""
    how = (f"mean squared noise of {_histories(done)}; 95 % interval by the central limit theorem and the exact spread "
           "of squared noise")
    for i, series in enumerate(counts):
        mean, low, high = (float(numbers[i, -1]) for numbers in variance)
        yield Fact(v.END_SEEN, mean, series, "estimate", low, high, how)
    how = f"of {_histories(done)}, rates drawn evenly from 0 to 1; 95 % Clopper–Pearson interval"
    for i, series in enumerate(counts):
        share, low, high = (float(numbers[i, -1]) for numbers in coverage)
        yield Fact(v.RATE_COVERED, share, series, "estimate", low, high, how, CP34)
