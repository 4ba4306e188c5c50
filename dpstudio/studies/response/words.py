"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies import response as f
from dpstudio.studies.response import Response as Study
from dpstudio.studies.response.answer import ResponseAnswer
from dpstudio.studies.response.compared import FAINTEST, Compared
from dpstudio.text.numbers import THIN, Side, decade, short
from dpstudio.text.sentences import begun, chance, grouped, people, percent, recommended, safely, significant

SHARE = 0.1
"""A bias of less than this part of the margin is not worth a sentence."""
ROUNDING = 1e-12
"""Part of a number of people that is its rounding."""
NEXT_TO_1 = 0.99
"""A coin beyond this is said by its complement."""


def sentences_of(a: ResponseAnswer, _: object = None) -> Iterator[str]:
    """The headline, what it means for one person and for the analyst, and what is surprising at these settings."""
    chosen = a.get(f.CHOSEN)
    yield _choice(a, chosen)
    yield _risk(a, f.BEST if _better(a, chosen) else f.CHOSEN)
    if not chosen.informative:
        return
    yield _error(a)
    best = a.one(f.BEST)
    if best and math.isfinite(chosen.response.epsilon):
        yield ("A fair second coin spends the same ε on both answers alike: a test of one answer then has advantage "
               f"{safely(best.guarantee.advantage)}, here {safely(chosen.guarantee.advantage)}.")
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
    here, best = _whole(one.people_needed), _better(a, one)
    margin = f"±{significant(a.study.margin)} (1.96 standard deviations)"
    if best is None:
        return f"Keep this design: at ε = {safely(epsilon)} no other needs fewer than its {people(here)} for {margin}."
    fewest = _whole(best.people_needed)
    coin = _coin(epsilon, lambda theta1: _whole(_with_fair_coin(a.study, theta1).people_needed) <= fewest)
    return (f"Use a fair second coin and θ₁ = {coin}: at no more than ε = {safely(epsilon)}, {people(fewest)} instead "
            f"of {grouped(here)} {'give' if fewest > 1 else 'gives'} {margin}.")


def _better(a: ResponseAnswer, one: Compared) -> Compared | None:
    """The coins that are recommended instead, which need fewer people at the same ε; None where none do."""
    best = a.one(f.BEST)
    if not one.informative or best is None or math.isinf(one.response.epsilon):
        return None
    return best if _whole(best.people_needed) < _whole(one.people_needed) else None


def _with_fair_coin(study: Study, theta1: float) -> Compared:
    return Compared(study, RandomizedResponse.two_coin(theta1, 0.5), theta1, 0.5)


def _coin(epsilon: float, enough: Callable[[float], bool]) -> str:
    """tanh(ε/2), rounded down, for a smaller θ₁ spends less; with the digits that as few people need who type it."""
    theta1 = math.tanh(epsilon / 2)
    if theta1 <= NEXT_TO_1:
        return recommended(theta1, enough, "down")
    odds = math.exp(-epsilon)
    rest = 2 * odds / (1 + odds)
    if rest <= FAINTEST:
        return f"1 − {decade(math.ceil(math.log10(2) - epsilon / math.log(10)))}"
    return f"1 − {recommended(rest, lambda lack: enough(1 - lack), 'up')}"


def _whole(needed: float) -> int:
    return max(1, math.ceil(needed * (1 - ROUNDING)))


def _risk(a: ResponseAnswer, series: Series) -> str:
    """Of the coins that are recommended, and what an answer makes of a belief in the prior."""
    risk, one = a.risk(series), a.get(series)
    if math.isinf(one.response.epsilon):
        return f"{risk} {begun(_proof(one))}."
    if one.response.epsilon == 0:
        return f"{risk} The answer gives nothing away."
    yes, no = (a.fact(quantity, series) for quantity in (v.POSTERIOR_YES, v.POSTERIOR_NO))
    p = a.study.prevalence
    if yes and no and p != 0.5 and p < 1 and min(p, yes.value, no.value) > FAINTEST:
        after_yes, after_no = (_belief(fact.value, "up" if fact.value > p else "down") for fact in (yes, no))
        risk += f" Who thought a yes {percent(p)} likely thinks {after_yes} after “yes” and {after_no} after “no”."
    return risk


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
