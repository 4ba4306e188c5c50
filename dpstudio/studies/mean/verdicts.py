"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import even_odds, people, safely, significant
from dpstudio.studies.mean import figures as f

if TYPE_CHECKING:
    from dpstudio.studies.mean import Mean as Study

Found = Mapping[tuple[v.Quantity, Series | None], Fact]


def verdicts_of(study: Study, facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(_sentences(study, {(fact.quantity, fact.series): fact for fact in facts}))


def _sentences(study: Study, found: Found) -> Iterator[str]:
    yield _error(study, found)
    yield _risk(study, found)
    yield _people(study, found)
    yield _note(found)
    if study.fraction in (0.0, 1.0):
        yield ("Everybody in the population is alike, so a sample of it is not off, and both readings of “fraction of "
               "whom” agree.")


def _error(study: Study, found: Found) -> str:
    quantity = v.POPULATION_ERROR if study.about == "population" else v.GROUP_ERROR
    local, central = found[quantity, f.RESPONSE].value, found[quantity, f.LAPLACE].value
    whom = "in the population" if study.about == "population" else "among them"
    return (f"For the analyst: with {people(study.people)} the fraction of yes {whom} is typically off by "
            f"{significant(local)} if everybody randomizes their own answer, and by {significant(central)} if a "
            "trusted curator adds Laplace noise to the count.")


def _risk(study: Study, found: Found) -> str:
    beyond = found[v.LOSS_EXCEEDS, f.GAUSSIAN].value
    return (f"For one person: someone who was 50 : 50 about you is at most {even_odds(study.epsilon)} after the "
            f"release (ε = {safely(study.epsilon)}); with randomized response not even the curator learns more. "
            f"Gaussian noise goes past that with probability {safely(beyond)}.")


def _people(study: Study, found: Found) -> str:
    group, population = (found[quantity, f.RESPONSE].value
                         for quantity in (v.TIMES_PEOPLE, v.TIMES_PEOPLE_POPULATION))
    if group < 1:
        return (f"Trusting nobody even has the smaller error about these people: at so large an ε the curator’s noise "
                f"is worse up to {people(math.floor(found[v.BREAK_EVEN, f.RESPONSE].value))}.")
    if study.fraction in (0.0, 1.0):
        return f"Trusting nobody takes {significant(group)} times as many people for the same error."
    first, second = (significant(group), "these people"), (significant(population), "the population")
    if study.about == "population":
        first, second = second, first
    return (f"Trusting nobody takes {first[0]} times as many people for the same error about {first[1]}, and "
            f"{second[0]} times as many about {second[1]}: a sample is off from its population anyway.")


def _note(found: Found) -> str:
    said, true = found[v.NOTE_ERROR, f.RESPONSE].value, found[v.GROUP_ERROR, f.RESPONSE].value
    times = said / true
    start = ("Seed 001’s 1/(ε√n) is right for randomized response at so small an ε" if times < 1.005 else
             f"Seed 001’s 1/(ε√n) = {significant(said)} is {significant(times)} times the true error of randomized "
             "response")
    return f"{start}; its “quadratically better” curator is so in the number of people, not in ε."
