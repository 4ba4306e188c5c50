"""The single numbers of the mean study, each with its formula and its source."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Kind, Series
from dpstudio.core.sources import BW18, DMNS06, GRS12, H63, LECTURE, Source
from dpstudio.studies.mean import figures as f
from dpstudio.studies.mean.compare import Compared, break_even, errors, noted
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import significant

if TYPE_CHECKING:
    from dpstudio.studies.mean import Mean as Study

_SOURCES: dict[Series, Source] = {f.RESPONSE: LECTURE, f.LAPLACE: DMNS06, f.GEOMETRIC: GRS12, f.GAUSSIAN: BW18}
_GROUP = {f.RESPONSE: "1/(2 sinh(ε/2)√n)", f.LAPLACE: "√2/(εn)", f.GEOMETRIC: "1/(√2 sinh(ε/2) n)",
          f.GAUSSIAN: "σ/n, the least σ with δ(ε) ≤ δ"}


def facts_of(study: Study, mechanisms: Compared) -> tuple[Fact, ...]:
    """Every exact fact, quantity by quantity."""
    return tuple(sorted(_facts(study, mechanisms), key=lambda fact: _PLACE[fact.quantity.key]))


def _facts(study: Study, mechanisms: Compared) -> Iterator[Fact]:
    n, epsilon = study.people, study.epsilon
    at = f"ε = {plain(epsilon)}, n = {plain(n)}"

    def fact(quantity: v.Quantity, value: float, series: Series, how: str, by: Source | None = None,
             kind: Kind = "exact") -> Fact:
        return Fact(quantity, float(value), series, kind, how=how, source=by or _SOURCES[series])

    group, population = (errors(study, n, epsilon, population=each) for each in (False, True))
    own = plain(study.fraction)
    for series in f.ALL:
        yield fact(v.GUARANTEE_EPSILON, epsilon, series, f"ε = {plain(epsilon)}, one person’s answer exchanged")
        delta = study.delta if series == f.GAUSSIAN else 0.0
        yield fact(v.GUARANTEE_DELTA, delta, series, f"δ = {plain(delta)}")
        yield fact(v.GROUP_ERROR, float(group[series]), series, f"{_GROUP[series]}, {at}")
        yield fact(v.POPULATION_ERROR, float(population[series]), series,
                   f"√(sd² about the group + π(1−π)/n), π = {own}, {at}")
        yield fact(v.TIMES_SD, float(group[series] / group[f.LAPLACE]), series, f"sd over √2/(εn), {at}")
        yield fact(v.TIMES_SD_POPULATION, float(population[series] / population[f.LAPLACE]), series,
                   f"sd over √(2/(εn)² + π(1−π)/n), π = {own}, {at}")
    for series, value in noted(n, epsilon).items():
        form = "1/(ε√n)" if series == f.RESPONSE else "1/(εn)"
        yield fact(v.NOTE_ERROR, float(value), series, f"{form}, {at}; the lecture notes only call it "
                   "proportional", LECTURE)
    for series, noise in mechanisms.noises.items():
        yield fact(v.FRACTION_ERROR_95, float(noise.error_quantile(0.95)) / n, series,
                   f"Pr[|noise| ≤ n·error] = 0.95, {at}")
    gaussian = mechanisms.noises[f.GAUSSIAN]
    yield fact(v.LOSS_EXCEEDS, float(ndtr(1 / gaussian.sd / 2 - epsilon * gaussian.sd)), f.GAUSSIAN,
               f"Φ(1/(2σ) − εσ), σ = {significant(gaussian.sd)}")
    sure = math.sqrt(math.log(40) / 2 / n) / mechanisms.response.difference
    yield fact(v.FRACTION_ERROR_95, sure, f.RESPONSE, f"√(ln(2/0.05)/(2n))/tanh(ε/2), {at}", H63, "bound")
    yield from _facts_of_the_price(study, {key: float(sd) for key, sd in group.items()},
                                   {key: float(sd) for key, sd in population.items()})


def _facts_of_the_price(study: Study, group: dict[Series, float], population: dict[Series, float]) -> Iterator[Fact]:
    """At the errors of Laplace noise: randomized response has variance V/n, so it needs V over that error’s square."""
    n = study.people
    for quantity, sds in ((v.TIMES_PEOPLE, group), (v.TIMES_PEOPLE_POPULATION, population)):
        times = np.float64(sds[f.RESPONSE]) / sds[f.LAPLACE]
        yield Fact(quantity, float(times * times), f.RESPONSE, source=LECTURE,
                   how=f"(sd of randomized response/sd of Laplace)², n = {plain(n)}: its variance is proportional to "
                       f"1/n")
    yield Fact(v.BREAK_EVEN, break_even(study.epsilon), f.RESPONSE, source=LECTURE,
               how=f"8 sinh²(ε/2)/ε², ε = {plain(study.epsilon)}")


ORDER = (v.GROUP_ERROR, v.POPULATION_ERROR, v.TIMES_PEOPLE, v.TIMES_PEOPLE_POPULATION, v.TIMES_SD,
         v.TIMES_SD_POPULATION, v.FRACTION_ERROR_95, v.NOTE_ERROR, v.BREAK_EVEN, v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA,
         v.LOSS_EXCEEDS)
_PLACE = {quantity.key: place for place, quantity in enumerate(ORDER)}
