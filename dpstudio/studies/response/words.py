"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from functools import partial

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Sentence, Sentences, Spoken, part, sentence
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies import response as f
from dpstudio.studies.response.answer import ResponseAnswer
from dpstudio.studies.response.compared import FAINTEST, Compared
from dpstudio.text.numbers import THIN, Side, decade, short
from dpstudio.text.sentences import begun, recommended

SHARE = 0.1
"""A bias of less than this part of the margin is not worth a sentence."""
ROUNDING = 1e-12
"""Part of a number of people that is its rounding."""
NEXT_TO_1 = 0.99
"""A coin beyond this is said by its complement."""


# When

def says_nothing(a: ResponseAnswer) -> bool:
    return not a.get(f.CHOSEN).informative


def proves(a: ResponseAnswer) -> bool:
    """Whether an answer may prove a truth."""
    return math.isinf(a.get(f.CHOSEN).response.epsilon)


def is_bettered(a: ResponseAnswer) -> bool:
    """Whether coins with a fair second one need fewer people at the same ε."""
    best = a.one(f.BEST)
    return not says_nothing(a) and best is not None and not proves(a) and _whole(best) < _whole(a.get(f.CHOSEN))


def moves_beliefs(a: ResponseAnswer) -> bool:
    """Whether an answer moves the prior, to beliefs that have digits."""
    yes, no = (a.fact(quantity, recommended_coins(a)) for quantity in (v.POSTERIOR_YES, v.POSTERIOR_NO))
    p = a.study.prevalence
    return bool(yes and no and p != 0.5 and p < 1 and min(p, yes.value, no.value) > FAINTEST)


def has_two_errors(a: ResponseAnswer) -> bool:
    """Whether a fair second coin of the same finite ε is another response."""
    return not says_nothing(a) and a.one(f.BEST) is not None and not proves(a)


# What

def recommended_coins(a: ResponseAnswer) -> Series:
    return f.BEST if is_bettered(a) else f.CHOSEN


def _whole(one: Compared) -> int:
    return max(1, math.ceil(one.people_needed * (1 - ROUNDING)))


def _fewest(a: ResponseAnswer) -> int:
    return _whole(a.get(recommended_coins(a)))


def _coin(a: ResponseAnswer) -> str:
    """tanh(ε/2), rounded down, for a smaller θ₁ spends less; with the digits that as few people need who type it."""
    def enough(theta1: float) -> bool:
        return _whole(Compared(a.study, RandomizedResponse.two_coin(theta1, 0.5), theta1, 0.5)) <= _fewest(a)

    epsilon = a.get(f.CHOSEN).response.epsilon
    theta1 = math.tanh(epsilon / 2)
    if theta1 <= NEXT_TO_1:
        return recommended(theta1, enough, "down")
    odds = math.exp(-epsilon)
    rest = 2 * odds / (1 + odds)
    if rest <= FAINTEST:
        return f"1 − {decade(math.ceil(math.log10(2) - epsilon / math.log(10)))}"
    return f"1 − {recommended(rest, lambda lack: enough(1 - lack), 'up')}"


def _proof(a: ResponseAnswer) -> str:
    """Which answer proves which truth."""
    one = a.get(f.CHOSEN)
    if one.theta1 == 1:
        return "with θ₁ = 1 everybody tells the truth"
    if one.theta2 == 0:
        return "with θ₂ = 0 nobody says “yes” by chance, and a “yes” proves the truth"
    return "with θ₂ = 1 nobody says “no” by chance, and a “no” proves the truth"


def _belief(quantity: v.Quantity, a: ResponseAnswer) -> str:
    """A belief rounded away from where it was; it is not certain, and so not called 100 %."""
    belief = a.value(quantity, recommended_coins(a))
    side: Side = "up" if belief > a.study.prevalence else "down"
    share = short(100 * belief, 3, side).replace("-", "−")
    return f"{'more than 99.9' if share == '100' else share}{THIN}%"


def _risk(a: ResponseAnswer) -> Spoken:
    return a.risk(recommended_coins(a))


def _advantage(series: Series, a: ResponseAnswer) -> float:
    return a.get(series).guarantee.advantage


_MARGIN = "±{margin|near} (1.96 standard deviations)"
_AT_FACE_VALUE: Sentence[ResponseAnswer, None] = part(
    " Taken at face value, the share of “yes” is {bias|near} too {side} on average, however many answer.",
    when=lambda a: abs(a.value(v.ESTIMATE_BIAS, f.RAW)) > SHARE * a.study.margin,
    bias=lambda a: abs(a.value(v.ESTIMATE_BIAS, f.RAW)),
    side=lambda a: "high" if a.value(v.ESTIMATE_BIAS, f.RAW) > 0 else "low")

SENTENCES: Sentences[ResponseAnswer, object] = (
    (sentence("worthless", "Choose a larger {control}: here answers are {chance}, and no survey, however large, "
              "estimates anything; estimates are left out.", when=says_nothing,
              control=lambda a: "ε" if a.study.design == "symmetric" else "θ₁",
              chance=(part("pure chance (θ₁ = 0)", when=lambda a: a.get(f.CHOSEN).theta1 == 0),
                      part("all but pure chance (θ₁ = {coin|near})", coin=lambda a: a.get(f.CHOSEN).theta1))),
     sentence("certain", "Choose {advice}: {proof}, so that ε = ∞.", when=proves, proof=_proof,
              advice=lambda a: "a smaller θ₁" if a.get(f.CHOSEN).theta1 == 1 else "a fair second coin"),
     sentence("change", "Use a fair second coin and θ₁ = {coin}: at no more than ε = {guarantee_epsilon:response|up}, "
              "{fewest|people} instead of {here|whole} {give} " + _MARGIN + ".", when=is_bettered,
              coin=_coin, fewest=_fewest, here=lambda a: _whole(a.get(f.CHOSEN)),
              give=lambda a: "give" if _fewest(a) > 1 else "gives"),
     sentence("keep", "Keep this design: at ε = {guarantee_epsilon:response|up} no other needs fewer than its "
              "{fewest|people} for " + _MARGIN + ".", fewest=_fewest)),
    (sentence("risk_of_proof", "{risk} {proof}.", when=proves, risk=_risk, proof=lambda a: begun(_proof(a))),
     sentence("risk_of_nothing", "{risk} The answer gives nothing away.", risk=_risk,
              when=lambda a: a.get(f.CHOSEN).response.epsilon == 0),
     sentence("risk_of_beliefs", "{risk} Who thought a yes {prevalence|percent} likely thinks {yes} after “yes” and "
              "{no} after “no”.", when=moves_beliefs, risk=_risk,
              yes=partial(_belief, v.POSTERIOR_YES), no=partial(_belief, v.POSTERIOR_NO)),
     sentence("risk", "{risk}", risk=_risk)),
    (sentence("alike", "For the analyst: everybody is alike and answers alike, so the estimate is exact.",
              when=lambda a: not says_nothing(a) and a.value(v.ESTIMATOR_SD, f.CHOSEN) == 0),
     sentence("error", "For the analyst: the fraction estimated from {people|people} has standard deviation "
              "{estimator_sd:response|near} and is within ±{margin|near} with probability "
              "{within_margin:response|chance}.{raw}", when=lambda a: not says_nothing(a), raw=_AT_FACE_VALUE)),
    sentence("fair_coin", "A fair second coin spends the same ε on both answers alike: a test of one answer then has "
             "advantage {best|up}, here {own|up}.", when=has_two_errors,
             best=partial(_advantage, f.BEST), own=partial(_advantage, f.CHOSEN)),
    sentence("goal", "Only θ₁ = 0 gives answers that change no belief, as the notes “Differential Privacy” ask, and "
             "those are worthless; what ε promises is that odds change by a factor of e^ε at most.",
             when=lambda a: not says_nothing(a) and a.study.design == "coins"),
)
