"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

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
    yield _people(found)
    yield _risk(study)
    yield _note(found)
    if study.fraction in (0.0, 1.0):
        yield ("Everybody in the population is alike, so the sample adds no error of its own, and both readings of "
               "“fraction of whom” agree.")


def _error(study: Study, found: Found) -> str:
    quantity = v.POPULATION_ERROR if study.about == "population" else v.GROUP_ERROR
    local, central = found[quantity, f.RESPONSE].value, found[quantity, f.LAPLACE].value
    whom = "the population" if study.about == "population" else "its group"
    return (f"For the analyst: with {people(study.people)} the fraction of {whom} is off by "
            f"{significant(local)} (sd) if everybody randomizes, and by {significant(central)} if a trusted curator "
            f"adds "
            "Laplace noise.")


def _people(found: Found) -> str:
    group, population = (found[quantity, f.RESPONSE].value
                         for quantity in (v.TIMES_PEOPLE, v.TIMES_PEOPLE_POPULATION))
    if group < 1:
        return (f"With so few people and so large an ε trusting nobody even has the smaller error about the group: up "
                f"to "
                f"{people(int(found[v.BREAK_EVEN, f.RESPONSE].value))}, the curator’s noise is worse.")
    return (f"Trusting nobody takes {significant(group)} times more people for the curator’s error about the group, "
            f"and "
            f"{significant(population)} times more about the population, where the sample’s own error counts too.")


def _risk(study: Study) -> str:
    return (f"For one person: someone who was 50 : 50 about you is at most {even_odds(study.epsilon)} after seeing "
            f"what "
            f"is released, at ε = {safely(study.epsilon)}; Gaussian noise may, with probability δ = "
            f"{safely(study.delta)}, "
            "tell more. With randomized response that holds against the curator too.")


def _note(found: Found) -> str:
    said, true = found[v.NOTE_ERROR, f.RESPONSE].value, found[v.GROUP_ERROR, f.RESPONSE].value
    return (f"The note’s 1/(ε√n) for randomized response is {significant(said)}, {significant(said / true)} times the "
            "exact 1/(2 sinh(ε/2)√n); its “quadratically better” is true of n alone: slope −1 against −½.")
