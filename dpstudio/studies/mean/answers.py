"""The answers of the mean study: the exact one at once, then simulated surveys at several n."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Fact, Tables, Update, Window, widened
from dpstudio.core.sampling import chunks
from dpstudio.studies.mean import figures as f
from dpstudio.studies.mean import tables
from dpstudio.studies.mean.compare import Compared, compared, errors, half_width, spread_of_squares
from dpstudio.studies.mean.facts import facts_of
from dpstudio.studies.mean.verdicts import verdicts_of

if TYPE_CHECKING:
    from dpstudio.studies.mean import Mean as Study

def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:
    """The exact update, then one for every chunk of surveys."""
    mechanisms = compared(study)
    windows = tables.windows(study)
    shown = windows | dict(views)
    people = tables.people_in(shown[f.PEOPLE_TABLE], study)
    facts = facts_of(study, mechanisms)
    exact = Update(
        tables=Tables({
            f.PEOPLE_TABLE: lambda: tables.people_table(people, study),
            f.EPSILON_TABLE: lambda: tables.epsilon_table(shown[f.EPSILON_TABLE], study),
            f.ERRORS_TABLE: lambda: tables.errors_table(shown[f.ERRORS_TABLE], study, mechanisms),
        }),
        facts=facts,
        verdicts=verdicts_of(study, facts),
        windows=windows,
        total=study.trials,
    )
    yield exact
    if simulate:
        yield from _simulate(study, mechanisms, people, exact)


def _simulate(study: Study, mechanisms: Compared, people: Array, exact: Update) -> Iterator[Update]:
    """Sums of the squares of the errors at each n, for every mechanism.

    How far their means may lie from the truth is known exactly; seen errors do not tell it while the rare large ones,
    as a lie at a large ε, are still to come.
    """
    sums = np.zeros((len(f.ALL), len(people)))
    population = study.about == "population"
    spreads = spread_of_squares(study, people, population=population)
    sds = errors(study, people, study.epsilon, population=population)
    spread, square = np.stack([spreads[one] for one in f.ALL]), np.square(np.stack([sds[one] for one in f.ALL]))
    latest, done = exact, 0
    for rng, size in chunks(study.seed, study.trials):
        for i, n in enumerate(people):
            sums[:, i] += np.square(_errors(study, mechanisms, int(n), size, rng)).sum(axis=1)
            if i + 1 < len(people):
                yield latest  # complete, if not new: here it can be left
        done += size
        mean, half = sums / done, half_width(spread, square, done)
        seen = np.sqrt(mean), np.sqrt(np.maximum(mean - half, 0.0)), np.sqrt(mean + half)
        latest = replace(exact, tables=_with_dots(exact, seen), facts=exact.facts + _seen(study, people, seen, done),
                         done=done)
        yield latest


def _errors(study: Study, mechanisms: Compared, n: int, size: int, rng: Generator) -> Array:
    """Errors of so many surveys by every mechanism: binomials and noise, however many people there are."""
    response, fraction = mechanisms.response, study.fraction
    if study.about == "population":
        yes = fraction * response.yes_if_yes + (1 - fraction) * response.yes_if_no
        answers, truth = rng.binomial(n, min(yes, 1.0), size), fraction
        sample = rng.binomial(n, fraction, size) / n - fraction
    else:
        yeses = round(fraction * n)
        answers, truth = np.asarray(response.sample_yes(yeses, n, size, rng)), yeses / n
        sample = np.zeros(size)
    local = np.asarray(response.estimate(answers, n)) - truth
    central = (sample + np.asarray(noise.sample(size, rng)) / n for noise in mechanisms.noises.values())
    return np.stack([local, *central])


def _with_dots(exact: Update, seen: tuple[Array, Array, Array]) -> Tables:
    dots = {Column(quantity, series): numbers[i] for quantity, numbers in
            zip((v.SEEN_SD, v.SEEN_SD_LOW, v.SEEN_SD_HIGH), seen, strict=True) for i, series in enumerate(f.ALL)}
    return widened(exact.tables, f.PEOPLE_TABLE, dots)


def _seen(study: Study, people: Array, seen: tuple[Array, Array, Array], done: int) -> tuple[Fact, ...]:
    """The simulated error at today’s n."""
    at = int(np.searchsorted(people, study.people))
    how = f"root of the mean square of {done} simulated errors; 95 % interval by the exact spread of their squares"
    return tuple(Fact(v.SEEN_SD, float(seen[0][i, at]), series, "estimate", float(seen[1][i, at]),
                      float(seen[2][i, at]), how) for i, series in enumerate(f.ALL))
