"""The answers of the response study: the exact one at once, then simulated surveys that converge on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Fact, Series, Table, Tables, Update, Window, joined
from dpstudio.core.sampling import binomial_interval, paced
from dpstudio.core.sources import CP34
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies.kit import attack as pictures
from dpstudio.studies.response import figures as f
from dpstudio.studies.response import tables
from dpstudio.studies.response.compare import Compared, compared
from dpstudio.studies.response.facts import facts_of
from dpstudio.studies.response.verdicts import verdicts_of

if TYPE_CHECKING:
    from dpstudio.studies.response import Response as Study

GROWTH = 1.1
"""An update for each growth of the surveys drawn by this factor …"""
CHUNKS_BETWEEN = 4
"""… and at most so many chunks from one to the next, so that cancelling takes milliseconds."""
CELLS = 40
WIDEST = 20.0
"""The largest ε that a profile reaches for: an answer that proves the truth has none."""
LARGEST = 700.0
"""Above this e^ε is no double, and what ε promises is nothing."""
Counts: TypeAlias = npt.NDArray[np.int64]


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, then one for every stretch of simulation."""
    responses = compared(study)
    estimates = tables.estimates_window(study, responses)
    windows: dict[str, Window] = {f.PRIOR_TABLE: (0.0, 1.0), f.COINS_TABLE: (0.0, 1.0), f.ESTIMATES_TABLE: estimates,
                                  f.SURVEYS_TABLE: estimates}
    epsilon = responses[f.CHOSEN].response.epsilon
    windows |= pictures.windows(min(epsilon, WIDEST) or 1.0)
    shown = windows | dict(views)
    both = {series: one.response for series, one in responses.items()}
    facts = facts_of(study, responses)
    exact = Update(
        tables=Tables({
            f.PRIOR_TABLE: lambda: tables.prior_table(shown[f.PRIOR_TABLE], responses),
            f.COINS_TABLE: lambda: tables.coins_table(shown[f.COINS_TABLE], responses),
            pictures.PROFILE_TABLE: lambda: pictures.profile_table(shown[pictures.PROFILE_TABLE], both, epsilon),
            pictures.ATTACK_TABLE: lambda: pictures.attack_table(both, min(epsilon, LARGEST), 0.0, *_bends(both)),
            f.ESTIMATES_TABLE: lambda: tables.estimates_table(shown[f.ESTIMATES_TABLE], study, responses),
        }),
        facts=facts,
        verdicts=verdicts_of(study, responses, facts),
        windows=windows,
        total=study.trials,
    )
    yield exact
    if simulate:
        yield from _simulate(study, responses[f.CHOSEN], exact)


def _bends(responses: Mapping[Series, RandomizedResponse]) -> Iterator[float]:
    """Type I errors of the tests that believe an answer."""
    for response in responses.values():
        yield from (response.yes_if_no, response.no_if_no)


@dataclass(frozen=True, slots=True)
class _Cells:
    """Stretches of the number of “yes”, of equal length."""

    first: float
    step: float
    number: int

    @classmethod
    def around(cls, one: Compared) -> _Cells:
        mean, half = one.people * one.yes, tables.SPREAD * one.count_sd + 1
        low, high = max(0.0, math.floor(mean - half)), min(one.people, math.ceil(mean + half))
        step = math.ceil((high - low + 1) / CELLS)
        return cls(low, step, math.ceil((high - low + 1) / step))

    @property
    def lows(self) -> Array:
        return self.first + self.step * np.arange(self.number, dtype=np.float64)

    def filled(self, counts: Counts) -> Counts:
        """How many of the counts fall into each cell."""
        cell = (counts - self.first) // self.step
        inside = cell[(cell >= 0) & (cell < self.number)]
        return np.bincount(inside.astype(np.intp), minlength=self.number).astype(np.int64)


def _simulate(study: Study, one: Compared, exact: Update) -> Iterator[Update]:
    """Draw the number of “yes” of each survey: a binomial, however many people answer."""
    cells = _Cells.around(one)
    readings = {f.CHOSEN: False, f.RAW: True} if one.informative else {f.RAW: True}
    within = {series: one.counts_within(study.prevalence, study.margin, raw=raw) for series, raw in readings.items()}
    filled, hits = np.zeros(cells.number, dtype=np.int64), dict.fromkeys(readings, 0)
    for rng, size, done, show in paced(study.seed, study.trials, GROWTH, CHUNKS_BETWEEN):
        counts = rng.binomial(study.people, min(one.yes, 1.0), size)
        filled += cells.filled(counts)
        for series, (low, high) in within.items():
            hits[series] += int(np.count_nonzero((counts >= low) & (counts <= high)))
        if not show:
            continue
        surveys = _surveys_table(one, cells, filled, done)
        yield replace(exact, tables=joined(exact.tables, {f.SURVEYS_TABLE: surveys}),
                      facts=exact.facts + tuple(_seen(series, hits[series], done) for series in readings), done=done)


def _seen(series: Series, hits: int, done: int) -> Fact:
    low, high = (float(end) for end in binomial_interval(hits, done))
    return Fact(v.SURVEYS_WITHIN, hits / done, series, "estimate", low, high,
                f"{hits} of {done} simulated surveys; 95 % Clopper–Pearson interval", CP34)


def _surveys_table(one: Compared, cells: _Cells, filled: Counts, done: int) -> Table:
    """Share of each cell, seen and exact; the same answers read in two ways."""
    lows = cells.lows
    highs = lows + cells.step - 1
    exact = one.between(lows, highs)
    low, high = binomial_interval(filled, done)
    columns: dict[Column, Array] = {}
    if one.informative:
        centre = (lows + highs) / 2 / one.people
        columns[Column(v.ESTIMATE, f.CHOSEN)] = (centre - one.response.yes_if_no) / one.response.difference
    columns[Column(v.ESTIMATE, f.RAW)] = (lows + highs) / 2 / one.people
    for series in (f.CHOSEN, f.RAW) if one.informative else (f.RAW,):
        columns |= {Column(v.SHARE, series): exact, Column(v.SURVEYS_SHARE, series): filled / done,
                    Column(v.SURVEYS_SHARE_LOW, series): low, Column(v.SURVEYS_SHARE_HIGH, series): high}
    return Table(columns)
