"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.studies.mean import figures as f
from dpstudio.text.sentences import even_odds, people, safely, significant

if TYPE_CHECKING:
    from dpstudio.studies.mean import Mean as Study

Found = Mapping[tuple[v.Quantity, Series | None], Fact]


def verdicts_of(study: Study, facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(_sentences(study, {(fact.quantity, fact.series): fact for fact in facts}))


def _sentences(study: Study, found: Found) -> Iterator[str]:
    yield _headline(study, found)
    yield _risk(study, found)
    yield _error(found)
    group = found[v.TIMES_PEOPLE, f.RESPONSE].value
    if study.fraction in (0.0, 1.0):
        yield ("Everybody in the population is alike, so a sample of it is not off, and both readings of “fraction of "
               "whom” agree.")
    else:
        yield _otherwise(study, found)
    if group < 1:
        yield _few(study, found)
    yield _note(found)


def _headline(study: Study, found: Found) -> str:
    population = study.about == "population"
    times = found[v.TIMES_PEOPLE_POPULATION if population else v.TIMES_PEOPLE, f.RESPONSE].value
    local, central = (found[v.POPULATION_ERROR if population else v.GROUP_ERROR, series].value
                      for series in (f.RESPONSE, f.LAPLACE))
    whom = "the population" if population else "these people"
    return (f"Trusting nobody takes {_times(times)} people for the same typical error about {whom}: with "
            f"{people(study.people)} it is {safely(local)}, with a curator’s Laplace noise {safely(central)}.")


def _risk(study: Study, found: Found) -> str:
    beyond = found[v.LOSS_EXCEEDS, f.GAUSSIAN].value
    return ("For one person: whoever knows all other answers and was 50 : 50 about yours is at most "
            f"{even_odds(study.epsilon)} afterwards (ε = {safely(study.epsilon)}). Randomized response keeps to that "
            "even for whoever sees your own answer; Gaussian noise goes past it with probability "
            f"{safely(beyond)}.")


def _error(found: Found) -> str:
    within = {series: safely(found[v.FRACTION_ERROR_95, series].value) for series in f.ALL}
    return (f"For the analyst: 95 % of the estimates are off from the fraction among these people by at most "
            f"{within[f.RESPONSE]} where everybody randomizes, {within[f.LAPLACE]} with Laplace noise on the count, "
            f"{within[f.GEOMETRIC]} with geometric and {within[f.GAUSSIAN]} with Gaussian noise.")


def _otherwise(study: Study, found: Found) -> str:
    """The price by the other reading of “fraction of whom”."""
    if study.about == "population":
        times = _times(found[v.TIMES_PEOPLE, f.RESPONSE].value)
        return (f"About these people themselves it takes {times}: there a sample’s own error, which no mechanism can "
                "undo, does not count.")
    times = _times(found[v.TIMES_PEOPLE_POPULATION, f.RESPONSE].value)
    return f"About the population it takes {times}: a sample is off from its population anyway."


def _times(times: float) -> str:
    """“4 610 times as many”; what is all but once as many is not said by a number."""
    return "as many" if safely(times) == "1" else f"{safely(times)} times as many"


def _few(study: Study, found: Found) -> str:
    last = math.ceil(found[v.BREAK_EVEN, f.RESPONSE].value) - 1
    return (f"At ε = {significant(study.epsilon)} randomized responses of up to {people(last)} have a smaller error "
            "about them than Laplace noise on their count; than geometric noise, of 1 person only.")


def _note(found: Found) -> str:
    said, true = found[v.NOTE_ERROR, f.RESPONSE].value, found[v.GROUP_ERROR, f.RESPONSE].value
    times = said / true
    size = (f"= {significant(said)} is {significant(times)} times the error of randomized response about these people"
            if times >= 1.005 else "is at so small an ε the error of randomized response about these people, to 0.5 %")
    return (f"The lecture notes’ 1/(ε√n) {size}; the curator’s is “quadratically better” in the number of people, not "
            "in ε.")
