"""The answer of the mean study: how far each estimate of a fraction is off, and what a curator is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import ndtr

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, each, in_one_step, once, simulated, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import chunks
from dpstudio.core.sources import BBGN19, BW18, CSUZZ19, DMNS06, FMT21, GRS12, LECTURE
from dpstudio.core.special import Z_95
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise, analytic_sigma
from dpstudio.mechanisms.shuffle import (
    ShuffledResponse,
    most_local_alike,
    most_local_by_cheu,
    most_local_by_clones,
    most_local_by_form,
)
from dpstudio.records import dataclass
from dpstudio.studies import mean as f
from dpstudio.studies.kit.attack import spent_fact
from dpstudio.studies.kit.tables import columns_of, curves, even_in_logarithms, places
from dpstudio.studies.mean import errors, rows
from dpstudio.studies.mean.compared import AT, CuratorNoise, Estimate, Randomized, Shuffled, break_even, laplace_sd
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import significant

PEOPLE_POINTS, EPSILON_POINTS, ERROR_POINTS = 13, 81, 361
DECADES = 3
"""Powers of ten of n on either side of today’s."""
MOST = 10.0**12
SPREAD = 3.5
"""Standard deviations to either side that a picture of errors shows."""


@dataclass(frozen=True)
class Drawn:
    """Errors drawn so far: by key of the series the root of their mean square at each n, and the interval's ends."""

    done: int
    people: Array
    today: int
    """Where among them the study's n is."""
    seen: Mapping[str, tuple[Array, Array, Array]]


class MeanAnswer(Answer[f.Mean, Estimate, Drawn]):
    """All that is known of the estimates at one setting."""

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:
        """Sums of the squares of the errors at each n, which has a stream of its own.

        How far their means may lie from the truth is known exactly; seen errors do not tell it while the rare large
        ones, as a lie at a large ε, are still to come.
        """
        study, ones = self.study, self.ones
        people, population = _people_in(self, views[f.PEOPLE_TABLE]), study.about == "population"
        squares = {series: np.square(one.sd(people, study.epsilon, population=population))
                   for series, one in ones.items()}
        spreads = {series: one.spread(people, population=population) for series, one in ones.items()}
        today = int(np.searchsorted(people, study.people))
        sums, done = np.zeros((len(ones), len(people))), 0
        streams = [chunks(study.seed, study.trials, stream=(int(n),)) for n in people]
        for drawn in zip(*streams, strict=True):
            for i, (rng, size) in enumerate(drawn):
                for which, missed in enumerate(draw(study, ones, int(people[i]), size, rng)):
                    sums[which, i] += np.square(missed).sum()
                    yield None, done
            done += size
            yield Drawn(done, people, today, {
                series.key: _rooted(total / done, half_width(spreads[series], squares[series], done))
                for series, total in zip(ones, sums, strict=True)}), done


def draw(study: f.Mean, ones: Mapping[Series, Estimate], n: int, size: int, rng: Generator) -> Iterator[Array]:
    """Errors of so many surveys of n people, estimate by estimate; who adds noise does so to the same groups."""
    sample = np.zeros(size)
    if study.about == "population":
        sample = rng.binomial(n, study.fraction, size) / n - study.fraction
    return (one.draw(n, size, sample, rng) for one in ones.values())


def half_width(spread: Array, square: Array, done: int) -> Array:
    """Half of the 95 % interval of a mean of so many squared errors, of a law of that spread and that mean.

    z s/√N is the normal limit. (s + s²/2m)/N holds it at few draws, too: half a step of a law of two values, and half
    of what one rare and large error weighs.
    """
    return np.asarray(Z_95 * spread / math.sqrt(done) + (spread + spread * spread / square / 2) / done)


def _rooted(mean: Array, half: Array) -> tuple[Array, Array, Array]:
    return np.sqrt(mean), np.sqrt(np.maximum(mean - half, 0.0)), np.sqrt(mean + half)


# What is compared. Fourth cumulants: Laplace noise 12 b⁴, geometric noise 2a (1 + 4a + a²)/(1 − a)⁴ with a = e^−ε

def _laplace(a: MeanAnswer) -> Estimate:
    epsilon = a.study.epsilon
    return CuratorNoise(a.study, "√2/(εn)", noise=LaplaceNoise.calibrate(epsilon, 1.0), count_sd=laplace_sd,
                 count_cumulant=12 / epsilon**4)


def _geometric(a: MeanAnswer) -> Estimate:
    epsilon = a.study.epsilon
    ratio = math.exp(-epsilon)
    return CuratorNoise(a.study, "1/(√2 sinh(ε/2) n)", noise=GeometricNoise(epsilon),
                 count_sd=lambda e: math.sqrt(2) * np.exp(-e / 2) / -np.expm1(-e),
                 count_cumulant=2 * ratio * (1 + 4 * ratio + ratio * ratio) / math.expm1(-epsilon) ** 4)


def _gaussian(a: MeanAnswer) -> Estimate:
    delta = a.study.delta
    return CuratorNoise(a.study, "σ/n, the least σ with δ(ε) ≤ δ", delta,
                 noise=GaussianNoise.analytic(a.study.epsilon, delta, 1.0),
                 count_sd=lambda e: np.asarray(analytic_sigma(e, delta)), count_cumulant=0.0)


COMPARED: tuple[Entry[MeanAnswer, Estimate], ...] = (
    Entry(f.RESPONSE, lambda a: Randomized(a.study, "1/(2 sinh(ε/2)√n)"), LECTURE),
    Entry(f.LAPLACE, _laplace, DMNS06),
    Entry(f.GEOMETRIC, _geometric, GRS12),
    Entry(f.GAUSSIAN, _gaussian, BW18),
    Entry(f.SHUFFLED, lambda a: Shuffled(a.study, "1/(2 sinh(ε₀/2)√n), the largest ε₀ with δ(ε) ≤ δ shuffled",
                                         a.study.delta), BBGN19),
)


# Facts

NEEDED = "(sd of randomized response/sd of Laplace)², n = {people}: its variance is proportional to 1/n"
SPENT = "ε = {epsilon}, δ = {delta}, n = {people}"
NOTE = "; the lecture notes only call it proportional"


def _times_people(a: MeanAnswer, *, population: bool) -> float:
    """Randomized response has variance V/n, so for the error of Laplace noise it needs V over that error's square."""
    times = a.get(f.RESPONSE).over_laplace(population=population)
    return times * times


def _seen_sd(key: str, drawn: Drawn) -> Said | None:
    if key not in drawn.seen:
        return None
    value, low, high = (float(each[drawn.today]) for each in drawn.seen[key])
    return Said(value, low=low, high=high)


def _loss_exceeds(a: MeanAnswer) -> Said:
    one = a.get(f.GAUSSIAN)
    assert isinstance(one, CuratorNoise)
    sigma = one.noise.sd
    return Said(float(ndtr(1 / sigma / 2 - a.study.epsilon * sigma)), f"Φ(1/(2σ) − εσ), σ = {significant(sigma)}")


def _shuffled(a: MeanAnswer) -> Shuffled:
    one = a.get(f.SHUFFLED)
    assert isinstance(one, Shuffled)
    return one


@lru_cache(maxsize=256)
def _allowed_by_clones(people: float, epsilon: float, delta: float) -> float:
    return float(most_local_by_clones(people, epsilon, delta))


def _by_clones(a: MeanAnswer) -> float:
    return _allowed_by_clones(a.study.people, a.study.epsilon, a.study.delta)


def _colluded(a: MeanAnswer) -> float:
    """Every second of the others tells what they said: who is left hides the person as so many people would."""
    study = a.study
    return ShuffledResponse(_shuffled(a).at_today, 1 + study.people // 2).epsilon_at(study.delta)


def _noted(people: npt.ArrayLike, epsilon: npt.ArrayLike) -> dict[Series, Array]:
    """The lecture notes’ 1/(ε√n) and 1/(εn)."""
    n, e = np.asarray(people, dtype=np.float64), np.asarray(epsilon, dtype=np.float64)
    return {f.RESPONSE: 1 / (e * np.sqrt(n)), f.LAPLACE: 1 / (e * n)}


FACTS: Mapping[str, tuple[Declaration[MeanAnswer, Estimate, Drawn], ...]] = {
    "the answer": (
        once(v.TIMES_PEOPLE, lambda a: _times_people(a, population=False), NEEDED, LECTURE, series=f.RESPONSE),
        once(v.TIMES_PEOPLE_POPULATION, lambda a: _times_people(a, population=True), NEEDED, LECTURE,
             series=f.RESPONSE),
        each(v.TIMES_SD, lambda one: one.over_laplace(population=False), f"sd over √2/(εn), {AT}"),
        each(v.TIMES_SD_POPULATION, lambda one: one.over_laplace(population=True),
             f"sd over √(2/(εn)² + π(1−π)/n), π = {{fraction}}, {AT}"),
        once(v.SHUFFLED_PEOPLE, lambda a: _shuffled(a).people_needed / a.study.people,
             "n′/n, the fewest n′ whose shuffled responses have the sd √2/(εn), n = {people}", CSUZZ19,
             series=f.SHUFFLED, slow=in_one_step(lambda a: _shuffled(a).people_needed)),
        once(v.BREAK_EVEN, lambda a: break_even(a.study.epsilon), "8 sinh²(ε/2)/ε², ε = {epsilon}", LECTURE,
             series=f.RESPONSE),
        *rows.BEST,
    ),
    "errors": (
        each(v.GROUP_ERROR, lambda one: one.group_error, lambda one: f"{one.form}, {AT}"),
        each(v.POPULATION_ERROR, lambda one: one.population_error,
             f"√(sd² about the group + π(1−π)/n), π = {{fraction}}, {AT}"),
        simulated(v.SEEN_SD, _seen_sd,
                  lambda _, drawn: f"root of the mean square of {drawn.done} simulated errors; 95 % interval by the "
                                   "exact spread of their squares"),
        each(v.ERROR_AT_LEVEL, errors.at_level),
        each(v.ERROR_EXCEEDS, errors.exceeds),
        each(v.FRACTION_ERROR_95, lambda one: one.error_95),
        *rows.ERRORS,
    ),
    "privacy": (
        each(v.GUARANTEE_EPSILON, lambda one: one.study.epsilon, "ε = {epsilon}, one person’s answer exchanged"),
        each(v.GUARANTEE_DELTA, lambda one: one.delta, lambda one: f"δ = {plain(one.delta)}"),
        spent_fact(lambda one: one.study.delta),
        once(v.LOSS_EXCEEDS, _loss_exceeds, source=BW18, series=f.GAUSSIAN),
        once(v.LOCAL_EPSILON, lambda a: _shuffled(a).at_today,
             f"the largest ε₀ with δ(ε) ≤ δ, C ~ Bin(n − 1, 2/(1 + e^ε₀)) coins, {SPENT}", BBGN19, kind="bound",
             at_least=True, series=f.SHUFFLED),
        once(v.COLLUDED_EPSILON, _colluded, f"the least ε with δ(ε) ≤ δ of half the people, {SPENT}", BBGN19,
             kind="bound", series=f.SHUFFLED, slow=in_one_step(_colluded)),
    ),
    "technical": (
        once(v.LOCAL_ALIKE, lambda a: most_local_alike(a.study.people, a.study.epsilon, a.study.delta),
             f"the largest ε₀ with which the group of n − 1 yes and one more keeps δ(ε) ≤ δ, {SPENT}", BBGN19,
             series=f.SHUFFLED),
        once(v.LOCAL_BY_CLONES, _by_clones,
             f"the largest ε₀ with δ(ε) ≤ δ, C ~ Bin(n − 1, e^−ε₀) clones, or ε, {SPENT}", FMT21, kind="bound",
             at_least=True, series=f.SHUFFLED, slow=in_one_step(_by_clones)),
        once(v.LOCAL_BY_FORM, lambda a: most_local_by_form(a.study.people, a.study.epsilon, a.study.delta),
             "ln(1 + tanh(ε₀/2)(8√(e^ε₀ ln(4/δ)/n) + 8e^ε₀/n)) = ε at most, ε₀ ≤ ln(n/(16 ln(2/δ))), or ε itself, "
             f"{SPENT}", FMT21, kind="bound", at_least=True, series=f.SHUFFLED),
        once(v.LOCAL_BY_CHEU, lambda a: most_local_by_cheu(a.study.people, a.study.epsilon, a.study.delta),
             "√(32 ln(4/δ)/s)(1 − s/n) = ε at most, s = λ − √(2λ ln(2/δ)), λ = 2n/(1 + e^ε₀) ≥ 14 ln(4/δ), or ε "
             f"itself, {SPENT}", CSUZZ19, kind="bound", at_least=True, series=f.SHUFFLED),
        once(v.NOTE_ERROR, lambda a: _noted(a.study.people, a.study.epsilon)[f.RESPONSE], f"1/(ε√n), {AT}{NOTE}",
             LECTURE, series=f.RESPONSE),
        once(v.NOTE_ERROR, lambda a: _noted(a.study.people, a.study.epsilon)[f.LAPLACE], f"1/(εn), {AT}{NOTE}",
             LECTURE, series=f.LAPLACE),
        rows.RULE,
    ),
}


# Tables

def _people_view(a: MeanAnswer) -> Span:
    low = max(1.0, 10.0 ** (math.floor(math.log10(a.study.people)) - DECADES + 1))
    return low, min(low * 10.0 ** (2 * DECADES), MOST)


def _people_in(a: MeanAnswer, view: Span) -> Array:
    """Whole numbers of people, evenly on a logarithmic axis, today’s among them."""
    return np.unique(np.rint(even_in_logarithms(view, (1.0, MOST), PEOPLE_POINTS, a.study.people)))


def _epsilons_in(a: MeanAnswer, view: Span) -> Array:
    return even_in_logarithms(view, (1e-4, 20.0), EPSILON_POINTS, a.study.epsilon)


def _where(a: MeanAnswer, x: Column, at: Array) -> tuple[npt.ArrayLike, npt.ArrayLike]:
    """n and ε along either of them, the other as it is today."""
    return (at, a.study.epsilon) if x == f.X_PEOPLE else (a.study.people, at)


def _errors_along(a: MeanAnswer, x: Column, at: Array) -> Table:
    """Standard deviations of all but shuffled responses, and what the lecture notes say of them."""
    where = _where(a, x, at)
    return Table({x: at} | {Column(v.ERROR_SD, series): _sds(a, series, *where)
                            for series in a.ones if series != f.SHUFFLED}
                 | curves(_noted(*where), np.asarray, v.NOTE_ERROR))


def _sds(a: MeanAnswer, series: Series, people: npt.ArrayLike, epsilon: npt.ArrayLike) -> Array:
    """About whom the study asks for."""
    return a.get(series).sd(people, epsilon, population=a.study.about == "population")


def _along_people(a: MeanAnswer, view: Span) -> Iterator[None]:
    return _shuffled(a).ahead(_people_in(a, view), a.study.epsilon)


def _of_shuffled(a: MeanAnswer, table: Table) -> dict[Column, Array]:
    """Their standard deviation, which takes longest."""
    x = next(iter(table))
    return {Column(v.ERROR_SD, f.SHUFFLED): _sds(a, f.SHUFFLED, *_where(a, x, table[x]))}


def _local_steps(a: MeanAnswer, view: Span) -> Iterator[None]:
    """The ε₀ by coins and by clones at each n, which are kept where the table looks them up."""
    yield from _along_people(a, view)
    for people in _people_in(a, view):
        yield
        _allowed_by_clones(float(people), a.study.epsilon, a.study.delta)


def _local_table(a: MeanAnswer, view: Span) -> Table:
    """The largest ε₀ that each account allows at each n."""
    people, epsilon, delta = _people_in(a, view), a.study.epsilon, a.study.delta
    by_clones = np.array([_allowed_by_clones(float(n), epsilon, delta) for n in people])
    allowed = (_shuffled(a).local(people, np.asarray(epsilon)), most_local_alike(people, epsilon, delta), by_clones,
               most_local_by_form(people, epsilon, delta), most_local_by_cheu(people, epsilon, delta))
    return Table({f.X_PEOPLE: people} | curves(dict(zip(f.ALLOWED, allowed, strict=True)), np.asarray, v.LOCAL_EPSILON))


def _dots(a: MeanAnswer, exact: Table, drawn: Drawn) -> dict[Column, Array]:
    """What was drawn, where it was drawn for the same n."""
    if not np.array_equal(exact[f.X_PEOPLE], drawn.people):
        return {}
    return columns_of(f.SEEN, tuple(a.ones), tuple(np.stack(rows) for rows in zip(*drawn.seen.values(), strict=True)))


def _errors_view(a: MeanAnswer) -> Span:
    half = max(SPREAD * a.get(f.RESPONSE).group_error, 2 / a.study.people)
    return -half, half


def _errors_table(a: MeanAnswer, view: Span) -> Table:
    """Densities of the error about the group, each as a part of its peak."""
    x = places(view, ERROR_POINTS, 0.0, *(
        np.linspace(-SPREAD * one.group_error, SPREAD * one.group_error, ERROR_POINTS // 3) for one in a.ones.values()))
    return Table({f.X_ERROR: x} | curves(a.ones, lambda one: one.relative(x), v.ERROR_RELATIVE))


TABLES: Mapping[str, Tabled[MeanAnswer, Drawn]] = {
    f.PEOPLE_TABLE: table(lambda a, view: _errors_along(a, f.X_PEOPLE, _people_in(a, view)), _people_view,
                          slow_in=_along_people, later=_of_shuffled, drawn=_dots),
    f.EPSILON_TABLE: table(lambda a, view: _errors_along(a, f.X_EPSILON, _epsilons_in(a, view)), (0.01, 10.0),
                           slow_in=lambda a, view: _shuffled(a).ahead(a.study.people, _epsilons_in(a, view)),
                           later=_of_shuffled),
    f.ERRORS_TABLE: table(_errors_table, _errors_view),
    **rows.TABLES,
    f.LOCAL_TABLE: table(_local_table, _people_view, slow_in=_local_steps, aside=True),
}

MeanAnswer.compared, MeanAnswer.declared, MeanAnswer.tabled = COMPARED, FACTS, TABLES
