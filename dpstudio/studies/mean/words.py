"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.mechanisms.shuffle import most_local
from dpstudio.studies import mean as f
from dpstudio.studies.mean.answer import MeanAnswer
from dpstudio.studies.mean.rows import most, several
from dpstudio.text.sentences import at_least, or_same, people, safely, significant

NAMES = {f.GEOMETRIC: "geometric", f.LAPLACE: "Laplace", f.GAUSSIAN: "Gaussian"}
"""What a curator may add."""
SAME = 1e-9
"""Errors that are the same but for rounding."""
ALIKE = 1.005
"""An ε₀ of less than so many times that of a person alone, at the same ε and δ, is no gain."""


def sentences_of(a: MeanAnswer, _: object = None) -> Iterator[str]:
    """The headline, what it means for one person and for the analyst, and what is surprising at these settings."""
    yield _headline(a)
    yield _risk(a, _chosen(a))
    yield _error(a)
    if a.study.fraction in (0.0, 1.0):
        yield ("Everybody in the population is alike, so a sample of it is not off, and both readings of “fraction of "
               "whom” agree.")
    else:
        yield _otherwise(a)
    if a.value(v.TIMES_PEOPLE, f.RESPONSE) < 1:
        yield _few(a)
    if several(a.study):
        yield _rows(a)
    else:
        yield from _shuffled(a)
    yield _note(a)


def _errors(a: MeanAnswer, *, population: bool) -> tuple[Series, float, float]:
    """Of a curator’s noises that with the least typical error, its error, and that of randomized response.

    What a sample is off comes on top of every one alike, so that their order is the same about both. Geometric noise
    comes first where two are the same.
    """
    quantity = v.POPULATION_ERROR if population else v.GROUP_ERROR
    best = min(NAMES, key=lambda series: a.value(v.GROUP_ERROR, series) * (1 + SAME * (series != f.GEOMETRIC)))
    return best, a.value(quantity, best), a.value(quantity, f.RESPONSE)


def _chosen(a: MeanAnswer) -> Series:
    """What is recommended: randomized response where its error is no larger than that of the best of a curator."""
    best, central, local = _errors(a, population=a.study.about == "population")
    return f.RESPONSE if local <= central * (1 + SAME) else best


def _headline(a: MeanAnswer) -> str:
    """What to use with a curator, and what it takes to do without: that many people give the same error exactly."""
    population = a.study.about == "population"
    best, central, local = _errors(a, population=population)
    error = (f"with {people(a.study.people)} its error about "
             f"{'the population' if population else 'these people'} is")
    noise = f"{NAMES[best]} noise"
    if _chosen(a) == f.RESPONSE:
        return (f"Use randomized response, which trusts nobody: {error} {safely(local)}, with a curator’s {noise} "
                f"{or_same(safely(central), safely(local))}.")
    return (f"Use {noise} if a curator is trusted: {error} {safely(central)}; randomized response has "
            f"{or_same(safely(local), safely(central))} and needs {_times(central, local)} the people to match it.")


def _risk(a: MeanAnswer, series: Series) -> str:
    """Of what is recommended, and who need not be trusted, or how often the loss of Gaussian noise exceeds ε."""
    risk = a.risk(series)
    if series == f.RESPONSE:
        return f"{risk} That holds against whoever collects the answers, too."
    return (f"{risk} With Gaussian noise the loss exceeds ε with probability "
            f"{safely(a.value(v.LOSS_EXCEEDS, f.GAUSSIAN))}.")


def _error(a: MeanAnswer) -> str:
    within = {series: safely(a.value(v.FRACTION_ERROR_95, series)) for series in a.ones}
    return (f"For the analyst: 95 % of the estimates are off from the fraction among these people by at most "
            f"{within[f.RESPONSE]} where everybody randomizes, {within[f.LAPLACE]} with Laplace noise on the count, "
            f"{within[f.GEOMETRIC]} with geometric and {within[f.GAUSSIAN]} with Gaussian noise.")


def _otherwise(a: MeanAnswer) -> str:
    """The price by the other reading of “fraction of whom”."""
    population = a.study.about != "population"
    _, central, local = _errors(a, population=population)
    needs = "no more people" if local <= central * (1 + SAME) else f"{_times(central, local)} the people"
    if population:
        return f"About the population randomized response needs {needs}: a sample is off from its population anyway."
    return (f"About these people themselves randomized response needs {needs}: there a sample’s own error, which no "
            "mechanism can undo, does not count.")


def _times(central: float, local: float) -> str:
    """“4 610 times”, (local/central)²; what is all but once is not said by a number."""
    times = safely((local / central) ** 2)
    return "hardly more than" if times == "1" else f"{times} times"


def _few(a: MeanAnswer) -> str:
    last = math.ceil(a.value(v.BREAK_EVEN, f.RESPONSE)) - 1
    return (f"At ε = {significant(a.study.epsilon)} randomized responses of up to {people(last)} have a smaller error "
            "about them than Laplace noise on their count; than geometric noise, of 1 person only.")


def _rows(a: MeanAnswer) -> str:
    """What the bound on the rows costs and saves, with Laplace noise."""
    best, own = (int(a.value(v.BEST_BOUND, f.LAPLACE)), a.study.at_most)
    said = {quantity: safely(a.value(quantity, None if quantity is v.BOUND_BIAS else f.LAPLACE)) for quantity in (
        v.BOUND_ERROR, v.BOUND_BIAS, v.BEST_BOUND_ERROR, v.UNBOUNDED_ERROR)}
    better = "No other bound is better" if best == own else f"At most {best} would be best, {said[v.BEST_BOUND_ERROR]}"
    return (f"With up to {most(a.study)} rows a person and {own} of each kept, the mean number of yes rows a person is "
            f"typically off by {said[v.BOUND_ERROR]} with Laplace noise; the rows lost alone make "
            f"{said[v.BOUND_BIAS]}. {better}; with all rows it is {said[v.UNBOUNDED_ERROR]}. Which bound is best is "
            "read from the data.")


def _shuffled(a: MeanAnswer) -> Iterator[str]:
    """What a shuffler is worth, and for whom it holds."""
    local, epsilon = a.value(v.LOCAL_EPSILON, f.SHUFFLED), a.study.epsilon
    if local < ALIKE * float(most_local(1, epsilon, a.study.delta)):
        yield (f"A shuffler that hides whose answer is whose is no help to {people(a.study.people)} at "
               f"ε = {significant(epsilon)} and δ = {significant(a.study.delta)}: each still has to answer with "
               f"ε₀ = {at_least(local)}.")
        return
    error = a.value(v.GROUP_ERROR, f.SHUFFLED)
    best, central, _ = _errors(a, population=False)
    yield (f"With a shuffler that hides whose answer is whose each may answer with ε₀ = {at_least(local)}: all answers "
           f"together keep ε = {safely(epsilon)} with δ = {safely(a.study.delta)}, and the typical error about these "
           f"people is {safely(error)}, {safely(error / central)} times that of a curator’s {NAMES[best]} noise.")
    yield ("That holds while the shuffler is honest and all answer as they should: whoever tells an attacker what they "
           "said hides nobody, so that n counts the others only.")


def _note(a: MeanAnswer) -> str:
    said, true = a.value(v.NOTE_ERROR, f.RESPONSE), a.value(v.GROUP_ERROR, f.RESPONSE)
    times = said / true
    size = (f"= {significant(said)} is {significant(times)} times the error of randomized response about these people"
            if times >= 1.005 else "is at so small an ε the error of randomized response about these people, to 0.5 %")
    return (f"The lecture notes’ 1/(ε√n) {size}; the curator’s is “quadratically better” in the number of people, not "
            "in ε.")
