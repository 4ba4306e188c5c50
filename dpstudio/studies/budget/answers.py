"""The answers of the budget study: what is quick at once, then how far the total and a library reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table, Tables, Update, Window, joined
from dpstudio.studies.budget import figures as f
from dpstudio.studies.budget import plan
from dpstudio.studies.budget.compare import LARGEST, attackables, groups, methods, totals
from dpstudio.studies.budget.facts import accounted_facts, facts_of, reach_facts
from dpstudio.studies.budget.verdicts import missing_library, verdicts_of
from dpstudio.studies.kit import attack as pictures

if TYPE_CHECKING:
    from dpstudio.studies.budget import Budget as Study

POINTS = 12
"""Numbers of releases at which a curve is computed: each is a law of its own."""


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, then one that adds what takes longer."""
    found = totals(study)
    windows = {
        f.TOTAL_TABLE: (1.0, float(max(10, 3 * study.releases))),
        f.GROUP_TABLE: (1.0, float(max(10, 3 * study.group_size))),
        f.PLAN_TABLE: (1.0, float(max(2, study.plan_counts + study.plan_answers + study.plan_sums))),
    }
    windows |= pictures.windows(found[f.OPTIMAL].epsilon or study.epsilon)
    shown = windows | dict(views)
    worst = attackables(study, found)
    at = plan.steps(study)
    facts = facts_of(study, found, plan.spent(study, at[-1:]), worst)
    library = plan.has_library() and study.slack > 0 and at.size > 0
    tables = Tables({
        f.TOTAL_TABLE: lambda: _total_table(shown[f.TOTAL_TABLE], study),
        f.GROUP_TABLE: lambda: _group_table(shown[f.GROUP_TABLE], study),
        f.PLAN_TABLE: lambda: _plan_table(at, plan.spent(study, at)),
        pictures.PROFILE_TABLE: lambda: pictures.profile_table(shown[pictures.PROFILE_TABLE], worst,
                                                               *(total.epsilon for total in found.values())),
        pictures.ATTACK_TABLE: lambda: pictures.attack_table(worst, study.budget, study.budget_delta),
    })
    planned = () if library else (missing_library(study, at.size),)
    exact = Update(tables, facts, verdicts_of(study, found, facts, planned), windows)
    yield exact

    more = facts + reach_facts(study, found)
    sentences = verdicts_of(study, found, more, planned)
    if library:
        for _ in plan.read_library():
            yield exact
        found_by_it = []
        # The table is for the window, which sees the first answer meanwhile; facts take the last step alone.
        for so_far in plan.accounted(study, at if simulate else at[-1:]):
            found_by_it.append(so_far)
            yield exact  # complete, if not new: here it can be left
        more += accounted_facts(study, found_by_it[-1])
        tables = joined(tables, Tables({f.PLAN_TABLE: lambda: _accounted_table(
            at, plan.spent(study, at), found_by_it if simulate else list(plan.accounted(study, at)))}))
    yield replace(exact, tables=tables, facts=more, verdicts=sentences)


def _whole(window: Window, *also: float) -> Array:
    """Whole numbers over a window of a log axis."""
    low, high = max(1.0, np.floor(window[0])), max(2.0, min(np.ceil(window[1]), 1e5))
    spread = np.rint(np.geomspace(low, max(low, high), POINTS))
    return np.unique(np.concatenate([spread, also]))


def _total_table(window: Window, study: Study) -> Table:
    k = _whole(window, float(study.releases))
    columns: dict[Column, Array] = {f.X_RELEASES: k}
    for series, method in methods(study).items():
        epsilon, delta = method(k)
        columns[Column(v.TOTAL_EPSILON, series)] = epsilon
        columns[Column(v.TOTAL_DELTA, series)] = delta
    return Table(columns)


def _group_table(window: Window, study: Study) -> Table:
    few = np.arange(1.0, 21.0)
    sizes = np.unique(np.concatenate([_whole(window, float(study.group_size)), few[few <= max(2.0, window[1])]]))
    deltas = groups(study, sizes)
    columns: dict[Column, Array] = {f.X_SIZE: sizes}
    columns[Column(v.GROUP_EPSILON)] = sizes * study.epsilon
    for series, delta in deltas.items():
        columns[Column(v.GROUP_DELTA, series)] = delta
        if study.delta > 0:
            with np.errstate(over="ignore"):
                cost = np.minimum(delta / np.maximum(deltas[f.TIGHT], 1e-323), LARGEST)
            columns[Column(v.GROUP_COST, series)] = cost
    return Table(columns)


def _accounted_table(at: Array, spent: Mapping[Series, Array], found: Sequence[float]) -> Table:
    return Table({**_plan_table(at, spent).columns, Column(v.PLAN_EPSILON, f.ACCOUNTING): np.array(found)})


def _plan_table(at: Array, spent: Mapping[Series, Array]) -> Table:
    return Table({f.X_STEP: at} | {Column(v.PLAN_EPSILON, series): epsilon for series, epsilon in spent.items()})
