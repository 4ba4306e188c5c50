"""The answers of the neighbours study: the exact one at once, then simulated releases and attacks by turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Fact, Series, Tables, Update, Window, widened
from dpstudio.core.sampling import binomial_interval, chunks
from dpstudio.core.sources import CP34, NS08
from dpstudio.models import linkage
from dpstudio.studies.neighbours import figures as f
from dpstudio.studies.neighbours import tables
from dpstudio.studies.neighbours.compare import KINDS, Compared, compared, error, released
from dpstudio.studies.neighbours.facts import facts_of
from dpstudio.studies.neighbours.verdicts import linked, verdicts_of

if TYPE_CHECKING:
    from dpstudio.studies.neighbours import Neighbours as Study

CHUNK, BATCH = 5_000, 20
"""Releases and people of one chunk, a few milliseconds each. They are part of what a seed means."""
MOST_ATTACKED = 4_000
_ATTACKS = (1,)
"""The attacks' stream of a seed."""
Z = 1.959963984540054


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, then one for every chunk of releases and every batch of attacks."""
    both = compared(study)
    windows = tables.windows(study, both)
    shown = windows | dict(views)
    facts = facts_of(study, both)
    exact = Update(
        tables=Tables({
            f.CELLS_TABLE: lambda: tables.cells_table(study, both),
            f.COUNTS_TABLE: lambda: tables.counts_table(shown[f.COUNTS_TABLE], study, both),
            f.SIZES_TABLE: lambda: tables.sizes_table(both),
            f.LINKAGE_TABLE: lambda: tables.linkage_table(study),
        }),
        facts=facts,
        verdicts=verdicts_of(study, both, facts),
        windows=windows,
        total=study.trials,
    )
    yield exact
    if simulate:
        yield from _simulate(study, both, exact)


def attacked(trials: int) -> int:
    """How many people are attacked: each costs as much as hundreds of releases."""
    return min(trials, MOST_ATTACKED)


def _done(trials: int, releases: int, attacks: int) -> int:
    """Progress of both simulations together, as a part of the trials: the attacks are fewer, and take longer."""
    return (releases + trials * attacks // attacked(trials)) // 2


def _simulate(study: Study, both: Compared, exact: Update) -> Iterator[Update]:
    releases, attacks = _Releases(study, both), _Attacks(study)
    latest = exact
    people = chunks(study.seed, attacked(study.trials), BATCH, _ATTACKS)
    for release, attack in zip_longest(chunks(study.seed, study.trials, CHUNK), people):
        if release:
            for series in f.NOISES:
                releases.add(series, *release)
                yield latest  # complete, if not new: here it can be left
            releases.done += release[1]
        if attack:
            if not attacks.done:
                linkage.ratings(study.seed)
                yield latest
                linkage.known(study.seed, study.date_error, study.aux_wrong)
                yield latest
            for _ in attacks.add(*attack):
                yield latest
        latest = replace(
            exact,
            tables=widened(widened(exact.tables, f.CELLS_TABLE, releases.columns()),
                           f.LINKAGE_TABLE, attacks.columns()),
            facts=exact.facts + (found := (*releases.facts(), *attacks.facts())),
            verdicts=(*exact.verdicts[:-1], linked(study, exact.facts + found)),
            done=_done(study.trials, releases.done, attacks.done),
        )
        yield latest


class _Releases:
    """Sums of the absolute errors of every count, and of all counts together."""

    def __init__(self, study: Study, both: Compared) -> None:
        self.study, self.both, self.done = study, both, 0
        self.sums = {series: np.zeros(KINDS) for series in f.NOISES}
        exact = {series: error(study, noise, both.x) for series, noise in both.noises.items()}
        self.variance = {series: np.maximum(one.square - one.mean * one.mean, 0.0) for series, one in exact.items()}

    def add(self, series: Series, rng: Generator, size: int) -> None:
        noise = np.asarray(self.both.noises[series].sample((size, KINDS), rng), dtype=np.float64)
        self.sums[series] += np.abs(released(self.study, self.both.x, noise) - self.both.x).sum(axis=0)

    def columns(self) -> dict[Column, Array]:
        columns: dict[Column, Array] = {}
        for series in f.NOISES:
            seen, half = self._seen(series)
            columns[Column(v.COUNT_SEEN, series)] = seen
            columns[Column(v.COUNT_SEEN_LOW, series)] = np.maximum(seen - half, 0.0)
            columns[Column(v.COUNT_SEEN_HIGH, series)] = seen + half
        return columns

    def _seen(self, series: Series) -> tuple[Array, Array]:
        return self.sums[series] / self.done, Z * np.sqrt(self.variance[series] / self.done)

    def facts(self) -> Iterator[Fact]:
        how = (f"mean of {self.done} simulated releases; 95 % interval by the central limit theorem, with the exact "
               "variance")
        for series in f.NOISES:
            seen, half = self._seen(series)
            total, spread = float(seen.sum()), float(np.sqrt(np.square(half).sum()))
            yield Fact(v.HISTOGRAM_SEEN, total, series, "estimate", max(total - spread, 0.0), total + spread, how)


_Told = tuple[v.Quantity, v.Quantity, v.Quantity]
_WHO: _Told = (v.IDENTIFIED, v.IDENTIFIED_LOW, v.IDENTIFIED_HIGH)
_WHETHER: _Told = (v.NOTICED, v.NOTICED_LOW, v.NOTICED_HIGH)


class _Attacks:
    """How many attacks were right, for every number of known ratings."""

    def __init__(self, study: Study) -> None:
        self.study, self.done = study, 0
        self.right = {(told, series): np.zeros(linkage.MOST_KNOWN + 1, dtype=np.int64) for told in (_WHO, _WHETHER)
                      for series in (f.TABLE, f.RELEASE)}

    def add(self, rng: Generator, size: int) -> Iterator[None]:
        """Attack so many people, in two steps between which it can be left."""
        study = self.study
        table, aux = linkage.ratings(study.seed), linkage.known(study.seed, study.date_error, study.aux_wrong)
        people: npt.NDArray[np.int64] = rng.integers(0, linkage.PEOPLE, size)
        self._count(f.TABLE, linkage.attack_table(table, aux, people, rng))
        yield
        self._count(f.RELEASE, linkage.attack_release(table, aux, people, study.epsilon, study.contributed, rng))
        self.done += size

    def _count(self, series: Series, went: linkage.Attacks) -> None:
        self.right[_WHO, series] += went.identified.sum(axis=0)
        self.right[_WHETHER, series] += went.noticed.sum(axis=0)

    def columns(self) -> dict[Column, Array]:
        columns: dict[Column, Array] = {}
        if self.done:
            for (told, series), right in self.right.items():
                values = (right / self.done, *binomial_interval(right, self.done))
                columns |= {Column(quantity, series): each for quantity, each in zip(told, values, strict=True)}
        return columns

    def facts(self) -> Iterator[Fact]:
        known = self.study.known
        for told, series, quantity in ((_WHO, f.TABLE, v.IDENTIFIED_TABLE), (_WHO, f.RELEASE, v.IDENTIFIED_RELEASE),
                                       (_WHETHER, f.TABLE, v.NOTICED_TABLE), (_WHETHER, f.RELEASE, v.NOTICED_RELEASE)):
            right = int(self.right[told, series][known])
            low, high = binomial_interval(right, self.done)
            yield Fact(quantity, right / self.done, None, "estimate", float(low), float(high),
                       how=f"{right} of {self.done} attacks with k = {known} ratings known were right; 95 % "
                       f"Clopper–Pearson interval [{CP34.key}]", source=NS08)
