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

SHARE = 0.1
"""A bias of less than this part of the margin is not worth a sentence."""
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
        if study.design == "coins":
            yield ("Seed 000 asks for answers that change nobody’s belief: only θ₁ = 0 gives them, and they are "
                   "worthless. What ε promises is that odds change by at most e^ε.")
    else:
        yield _nothing(chosen)


def _risk(study: Study, one: Compared, found: Found) -> str:
    epsilon = one.response.epsilon
    if math.isinf(epsilon):
        return f"For one person: {_proof(one)}, so ε = ∞ and no odds are promised."
    if epsilon == 0:
        return ("For one person: the answer gives nothing away; someone who was 50 : 50 about you stays 50 : 50 "
                "(ε = 0).")
    moved = ""
    yes, no = (found.get((quantity, f.CHOSEN)) for quantity in (v.POSTERIOR_YES, v.POSTERIOR_NO))
    if yes and no and study.prevalence not in (0.0, 0.5, 1.0):
        moved = (f" Someone who thought a yes {percent(study.prevalence)} likely thinks {percent(yes.value)} after "
                 f"“yes” and {percent(no.value)} after “no”.")
    return (f"For one person: someone who was 50 : 50 about you is at most {even_odds(epsilon)} after your answer "
            f"(ε = {safely(epsilon)}).{moved}")


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
    margin = f"±{significant(study.margin)}"
    if sd == 0:
        return "For the analyst: everybody is alike and answers surely, so the estimate is exact."
    raw = (f" Taken at face value, the answers are {significant(abs(bias))} too {'high' if bias > 0 else 'low'}, "
           "however many they are." if abs(bias) > SHARE * study.margin else "")
    return (f"For the analyst: the fraction estimated from {people(study.people)} is typically off by "
            f"{significant(sd)}, and within {margin} with probability {chance(within)}; "
            f"{margin} in 95 % of surveys takes about {people(max(1, math.ceil(needed)))}.{raw}")


def _best(one: Compared, found: Found) -> Iterator[str]:
    best = found.get((v.ESTIMATOR_SD, f.BEST))
    own = found[v.ESTIMATOR_SD, f.CHOSEN].value
    if math.isinf(one.response.epsilon):
        if one.theta1 < 1:
            yield "Where nothing is protected anyway, everybody’s plain truth would serve the analyst best."
    elif best is None:
        yield "The second coin is fair: no other response with this ε needs fewer people."
    elif best.value > 0:
        coin = found[v.COIN1, f.BEST].value
        yield (f"A fair second coin (θ₂ = ½) with θ₁ = {significant(coin)} has the same ε and needs "
               f"{significant((own / best.value) ** 2)} times fewer people for the same error.")


def _nothing(one: Compared) -> str:
    first = "With θ₁ = 0 answers are" if one.theta1 == 0 else f"With θ₁ = {significant(one.theta1)} answers are all but"
    return (f"{first} pure chance. They change nobody’s belief, as Seed 000 asks, and so no survey, however large, "
            "estimates anything; estimates are left out.")
