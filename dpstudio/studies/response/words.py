"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio import vocabulary as v
from dpstudio.studies import response as f
from dpstudio.studies.response.answer import ResponseAnswer
from dpstudio.studies.response.compared import FAINTEST, Compared
from dpstudio.text.numbers import THIN, Side, decade, short
from dpstudio.text.sentences import chance, even_odds, grouped, people, percent, safely, significant

SHARE = 0.1
"""A bias of less than this part of the margin is not worth a sentence."""
NEXT_TO_1 = 0.99
"""A coin beyond this is said by its complement."""


def sentences_of(a: ResponseAnswer, _: object = None) -> Iterator[str]:
    """The headline, what it means for one person and for the analyst, and what is surprising at these settings."""
    chosen = a.get(f.CHOSEN)
    yield _choice(a, chosen)
    yield _risk(a, chosen)
    if not chosen.informative:
        return
    yield _error(a)
    best = a.one(f.BEST)
    if best and math.isfinite(chosen.response.epsilon):
        yield ("A fair second coin spends the same ε on both answers alike: a test of one answer then has advantage "
               f"{safely(best.advantage)}, here {safely(chosen.advantage)}.")
    if a.study.design == "coins":
        yield ("Only θ₁ = 0 gives answers that change no belief, as the notes “Differential Privacy” ask, and those "
               "are worthless; what ε promises is that odds change by a factor of e^ε at most.")


def _choice(a: ResponseAnswer, one: Compared) -> str:
    """Which coins to choose at this ε, and how many people they save."""
    if not one.informative:
        pure = "pure chance (θ₁ = 0)" if one.theta1 == 0 else f"all but pure chance (θ₁ = {significant(one.theta1)})"
        more = "ε" if a.study.design == "symmetric" else "θ₁"
        return (f"Choose a larger {more}: here answers are {pure}, and no survey, however large, estimates anything; "
                "estimates are left out.")
    epsilon = one.response.epsilon
    if math.isinf(epsilon):
        return f"Choose {'a smaller θ₁' if one.theta1 == 1 else 'a fair second coin'}: {_proof(one)}, so that ε = ∞."
    here, best = a.value(v.PEOPLE_NEEDED, f.CHOSEN), a.fact(v.PEOPLE_NEEDED, f.BEST)
    margin = f"±{significant(a.study.margin)} (1.96 standard deviations) takes"
    if best is None:
        return (f"Choose a fair second coin and θ₁ = {_coin(epsilon)}, as here: at ε = {safely(epsilon)}, {margin} "
                f"{_enough(here)}, and no other response takes fewer.")
    return (f"Choose a fair second coin and θ₁ = {_coin(epsilon)}: at the same ε = {safely(epsilon)}, {margin} "
            f"{_enough(best.value)} instead of {grouped(_whole(here))}.")


def _coin(epsilon: float) -> str:
    """tanh(ε/2), rounded down: a smaller θ₁ spends less."""
    theta1 = math.tanh(epsilon / 2)
    if theta1 <= NEXT_TO_1:
        return _digits(theta1, "down")
    odds = math.exp(-epsilon)
    rest = 2 * odds / (1 + odds)
    return f"1 − {safely(rest) if rest > FAINTEST else decade(math.ceil(math.log10(2) - epsilon / math.log(10)))}"


def _whole(needed: float) -> float:
    return max(1, math.ceil(needed))


def _enough(needed: float) -> str:
    return people(_whole(needed))


def _risk(a: ResponseAnswer, one: Compared) -> str:
    epsilon = one.response.epsilon
    if math.isinf(epsilon):
        return f"For one person: {_proof(one)}, so that ε = ∞ and odds may turn into certainty."
    whoever = "For one person: whoever sees your answer alone and was 50 : 50 about you"
    if epsilon == 0:
        return f"{whoever} stays 50 : 50 (ε = 0): the answer gives nothing away."
    moved = ""
    yes, no = (a.fact(quantity, f.CHOSEN) for quantity in (v.POSTERIOR_YES, v.POSTERIOR_NO))
    p = a.study.prevalence
    if yes and no and p != 0.5 and p < 1 and min(p, yes.value, no.value) > FAINTEST:
        after_yes, after_no = (_belief(fact.value, "up" if fact.value > p else "down") for fact in (yes, no))
        moved = f"; who thought a yes {percent(p)} likely thinks {after_yes} after “yes” and {after_no} after “no”"
    return f"{whoever} is at most {even_odds(epsilon)} afterwards (ε = {safely(epsilon)}){moved}."


def _belief(belief: float, side: Side) -> str:
    """A belief rounded away from where it was; it is not certain, and so not called 100 %."""
    share = _digits(100 * belief, side)
    return f"{'more than 99.9' if share == '100' else share}{THIN}%"


def _digits(number: float, side: Side) -> str:
    return short(number, 3, side).replace("-", "−")


def _proof(one: Compared) -> str:
    """Which answer proves which truth."""
    if one.theta1 == 1:
        return "with θ₁ = 1 everybody tells the truth"
    if one.theta2 == 0:
        return "with θ₂ = 0 nobody says “yes” by chance, and a “yes” proves the truth"
    return "with θ₂ = 1 nobody says “no” by chance, and a “no” proves the truth"


def _error(a: ResponseAnswer) -> str:
    sd, bias = a.value(v.ESTIMATOR_SD, f.CHOSEN), a.value(v.ESTIMATE_BIAS, f.RAW)
    within = a.value(v.WITHIN_MARGIN, f.CHOSEN)
    if sd == 0:
        return "For the analyst: everybody is alike and answers alike, so the estimate is exact."
    raw = (f" Taken at face value, the share of “yes” is {significant(abs(bias))} too {'high' if bias > 0 else 'low'} "
           "on average, however many answer." if abs(bias) > SHARE * a.study.margin else "")
    return (f"For the analyst: the fraction estimated from {people(a.study.people)} has standard deviation "
            f"{significant(sd)} and is within ±{significant(a.study.margin)} with probability {chance(within)}.{raw}")
