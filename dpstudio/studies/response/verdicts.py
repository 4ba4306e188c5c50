"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import chance, even_odds, people, percent, safely, significant
from dpstudio.studies.response import figures as f
from dpstudio.studies.response.compare import Compared

if TYPE_CHECKING:
    from dpstudio.studies.response import Response as Study

Found = Mapping[tuple[v.Quantity, Series | None], Fact]


def verdicts_of(study: Study, responses: Mapping[Series, Compared], facts: Sequence[Fact]) -> tuple[str, ...]:
    found = {(fact.quantity, fact.series): fact for fact in facts}
    return tuple(_sentences(study, responses, found))


def _sentences(study: Study, responses: Mapping[Series, Compared], found: Found) -> Iterator[str]:
    chosen = responses[f.CHOSEN]
    yield _risk(study, chosen, found)
    if chosen.informative:
        yield _error(study, found)
        yield from _best(chosen, found)
        yield ("The note’s goal, p(y|y′) = p(y), is met only at θ₁ = 0, where answers are worthless; what ε can "
               "promise "
               "is that the odds move by at most e^ε.")
    else:
        yield _nothing(chosen)


def _risk(study: Study, one: Compared, found: Found) -> str:
    epsilon = one.response.epsilon
    if math.isinf(epsilon):
        return f"For one person: {_proof(one)}, so ε = ∞ and no odds are promised."
    moved = ""
    yes, no = (found.get((quantity, f.CHOSEN)) for quantity in (v.POSTERIOR_YES, v.POSTERIOR_NO))
    if yes and no and 0 < study.prevalence < 1:
        moved = (f"; a prior of {percent(study.prevalence)} becomes {percent(yes.value)} after “yes” and "
                 f"{percent(no.value)} after “no”")
    return (f"For one person: someone who was 50 : 50 about you is at most {even_odds(epsilon)} after seeing your "
            f"answer "
            f"at ε = {safely(epsilon)}{moved}.")


def _proof(one: Compared) -> str:
    """Which answer proves which truth."""
    if one.theta1 == 1:
        return "with θ₁ = 1 everybody tells the truth"
    if one.theta2 == 0:
        return "with θ₂ = 0 nobody says “yes” by chance, and a “yes” proves the truth"
    if one.theta2 == 1:
        return "with θ₂ = 1 nobody says “no” by chance, and a “no” proves the truth"
    return "an answer all but proves the truth"


def _error(study: Study, found: Found) -> str:
    sd, needed = found[v.ESTIMATOR_SD, f.CHOSEN].value, found[v.PEOPLE_NEEDED, f.CHOSEN].value
    within, bias = found[v.WITHIN_MARGIN, f.CHOSEN].value, found[v.ESTIMATE_BIAS, f.RAW].value
    raw = (f"; taken at face value their answers are off by {significant(bias)} on average, however many they are"
           if abs(bias) > 1e-12 else "")
    return (f"For the analyst: an estimate from {people(study.people)} has sd {significant(sd)}, within "
            f"±{significant(study.margin)} with probability {chance(within)}; about "
            f"{people(max(1, math.ceil(needed)) if math.isfinite(needed) else needed)} would make that margin 1.96 sd"
            f"{raw}.")


def _best(one: Compared, found: Found) -> Iterator[str]:
    best = found.get((v.ESTIMATOR_SD, f.BEST))
    own = found[v.ESTIMATOR_SD, f.CHOSEN].value
    if best is None:
        if one.theta1 < 1:
            yield "The second coin is fair: of all responses with this ε none has a smaller sd, whatever the fraction."
    elif best.value > 0 and math.isfinite(one.response.epsilon):
        coin = found[v.COIN1, f.BEST].value
        yield (f"A fair second coin with θ₁ = {significant(coin)} spends the same ε and needs "
               f"{significant((own / best.value) ** 2)} times fewer people for the same sd.")
    elif math.isinf(one.response.epsilon):
        yield "At ε = ∞ nothing is promised anyway, and everybody’s plain truth would have the smallest sd."


def _nothing(one: Compared) -> str:
    first = "With θ₁ = 0 answers are" if one.theta1 == 0 else f"With θ₁ = {significant(one.theta1)} answers are all but"
    return (f"{first} chance alone: p(y|y′) = p(y), the goal of the note, is met, ε = {safely(one.response.epsilon)}, "
            "and no survey, however large, estimates anything; estimates are left out.")
