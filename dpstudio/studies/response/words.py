"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentence, Sentences, part, sentence
from dpstudio.mechanisms.noise import GeometricNoise
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies import response as f
from dpstudio.studies.kit.choosing import USE, spoken_of
from dpstudio.studies.response.answer import ResponseAnswer
from dpstudio.studies.response.compared import FAINTEST, LEVEL, Compared
from dpstudio.text.language import phrase
from dpstudio.text.numbers import Side, decade, said, short, shown
from dpstudio.text.sentences import in_percent, more_than, points, recommended, safely

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


def is_silent(a: ResponseAnswer) -> bool:
    """Whether an answer changes no belief at all."""
    return a.get(f.CHOSEN).response.epsilon == 0


def moves_beliefs(a: ResponseAnswer) -> bool:
    """Whether an answer moves the prior, to beliefs that have digits."""
    yes, no = (a.fact(quantity, _spoken(a)) for quantity in (v.POSTERIOR_YES, v.POSTERIOR_NO))
    p = a.study.prevalence
    return bool(yes and no and p < 1 and min(p, yes.value, no.value) > FAINTEST and not proves(a) and not is_silent(a))


def is_fair(a: ResponseAnswer) -> bool:
    """Whether everybody tells the truth with one probability, else its opposite."""
    return a.get(f.CHOSEN).theta2 == 0.5


def has_two_errors(a: ResponseAnswer) -> bool:
    """Whether a fair second coin of the same finite ε is another response."""
    return not says_nothing(a) and a.one(f.BEST) is not None and not proves(a)


# What

def suggested(a: ResponseAnswer) -> Series | None:
    """The design that needs the fewest people at this ε; None where no answer can be used, or one proves a truth."""
    return None if says_nothing(a) or proves(a) else f.BEST if is_bettered(a) else f.CHOSEN


def _spoken(a: ResponseAnswer) -> Series:
    return spoken_of(a, suggested(a) or f.CHOSEN)


def _other(a: ResponseAnswer) -> Series | None:
    """The one of both designs that is not spoken of, if there are two."""
    return next((each for each in a.ones if each != _spoken(a)), None)


def _whole(one: Compared) -> int:
    return max(1, math.ceil(one.people_needed * (1 - ROUNDING)))


def _needed(series: Series, a: ResponseAnswer) -> int:
    return _whole(a.get(series))


def _coin(a: ResponseAnswer) -> str:
    """tanh(ε/2), rounded down, for a smaller θ₁ spends less; with the digits that as few people need who type it."""
    def enough(theta1: float) -> bool:
        return _whole(Compared(a.study, RandomizedResponse.two_coin(theta1, 0.5), theta1, 0.5)) <= _needed(f.BEST, a)

    epsilon = a.get(f.CHOSEN).response.epsilon
    theta1 = math.tanh(epsilon / 2)
    if theta1 <= NEXT_TO_1:
        return recommended(theta1, enough, "down")
    odds = math.exp(-epsilon)
    rest = 2 * odds / (1 + odds)
    if rest <= FAINTEST:
        return f"1 − {decade(math.ceil(math.log10(2) - epsilon / math.log(10)))}"
    return f"1 − {recommended(rest, lambda lack: enough(1 - lack), 'up')}"


def _truth(a: ResponseAnswer) -> str:
    """Pr[true answer], rounded down, with the digits that whoever uses it errs no more than is said."""
    truth, most = a.get(f.CHOSEN).response.yes_if_yes, float(said(safely(a.get(f.CHOSEN).error_95)))

    def enough(share: float) -> bool:
        theta1 = 2 * share - 1
        response = RandomizedResponse.two_coin(theta1, 0.5)
        return theta1 > FAINTEST and Compared(a.study, response, theta1, 0.5).error_95 <= most

    return recommended(truth, enough, "down")


def _proof(a: ResponseAnswer) -> str:
    """Which answer proves which truth."""
    one = a.get(f.CHOSEN)
    return phrase("every answer" if one.theta1 == 1 else "a “yes”" if one.theta2 == 0 else "a “no”")


def _error(series: Series, a: ResponseAnswer) -> str:
    return points(a.get(series).error_95)


def _trusted(a: ResponseAnswer) -> str:
    """By how much the noise of a curator moves the share in 95 % of releases, at most."""
    return points(float(GeometricNoise(a.get(f.CHOSEN).response.epsilon).error_quantile(LEVEL)) / a.study.people)


def _belief(quantity: v.Quantity, of: Callable[[ResponseAnswer], Series | None], a: ResponseAnswer) -> str:
    """A belief rounded away from where it was; it is not certain, and so not called 100 %."""
    series = of(a)
    assert series is not None
    belief = a.value(quantity, series)
    side: Side = "up" if belief > a.study.prevalence else "down"
    share = short(100 * belief, 3, side).replace("-", "−")
    return in_percent(share) if share != "100" else more_than(in_percent(shown("99.9")))


def _advantage(series: Series, a: ResponseAnswer) -> float:
    return a.get(series).guarantee.advantage


_PLACES: Fillings = {
    **USE, "needed": partial(_needed, f.BEST), "here": partial(_needed, f.CHOSEN),
    "points": lambda a: points(a.study.margin, "nearest"),
    "give": (part("give", when=lambda a: _needed(_spoken(a), a) > 1), part("gives")),
    "yes": partial(_belief, v.POSTERIOR_YES, _spoken), "no": partial(_belief, v.POSTERIOR_NO, _spoken)}
_THEIRS: Sentence[ResponseAnswer, None] = part(
    "; with {which} {their_yes} and {their_no}", when=lambda a: _other(a) is not None,
    which=(part("your design", when=lambda a: _other(a) == f.CHOSEN), part("the best design")),
    their_yes=partial(_belief, v.POSTERIOR_YES, _other), their_no=partial(_belief, v.POSTERIOR_NO, _other))
_UNCORRECTED: Sentence[ResponseAnswer, None] = part(
    " Uncorrected, the share of “yes” is {bias} too {side} on average, however many answer.",
    when=lambda a: abs(a.value(v.ESTIMATE_BIAS, f.RAW)) > SHARE * a.study.margin,
    bias=lambda a: points(abs(a.value(v.ESTIMATE_BIAS, f.RAW)), "nearest"),
    side=(part("high", when=lambda a: a.value(v.ESTIMATE_BIAS, f.RAW) > 0), part("low")))

SENTENCES: Sentences[ResponseAnswer, object] = (
    (sentence("worthless", "Choose a larger {control}: these answers are {chance}, and no number of people is enough.",
              when=says_nothing, control=lambda a: "ε" if a.study.design == "symmetric" else "θ₁",
              chance=(part("pure chance (θ₁ = 0)", when=lambda a: a.get(f.CHOSEN).theta1 == 0),
                      part("almost pure chance (θ₁ = {coin|near})", coin=lambda a: a.get(f.CHOSEN).theta1))),
     sentence("certain", "Choose {advice}: {proof} proves the truth (ε = ∞).", when=proves, proof=_proof,
              advice=(part("a smaller θ₁", when=lambda a: a.get(f.CHOSEN).theta1 == 1), part("a fair second coin"))),
     sentence("change", "{use} a fair second coin and θ₁ = {coin}: with no more ε, {needed|people}{instead} {give} the "
              "share to ±{points} (1.96 sd){same}.", _PLACES, when=lambda a: _spoken(a) == f.BEST, coin=_coin,
              instead=part(" instead of {fewer|whole}", when=is_bettered, fewer=partial(_needed, f.CHOSEN)),
              same=part(", as many as with your design", when=lambda a: not is_bettered(a))),
     sentence("yours", "{use} your design: {here|people} {give} the share to ±{points} (1.96 sd), where a fair second "
              "coin needs {needed|whole} with no more ε.", _PLACES, when=is_bettered),
     sentence("truth", "{let} everybody tell the truth with probability {truth}, else the opposite: 95 % of surveys "
              "are within ±{error} of the true share.", when=is_fair, truth=_truth,
              error=partial(_error, f.CHOSEN),
              let=(part("You chose to let", when=lambda a: a.decided is not None), part("Let"))),
     sentence("keep", "{use} these coins: at ε = {guarantee_epsilon:response|up} no design needs fewer than their "
              "{here|people} for ±{points} (1.96 sd).", _PLACES)),
    sentence("runner_up", "{first}; a trusted curator’s noise at the same ε is at most {trusted} in 95 % of releases.",
             _PLACES, when=lambda a: suggested(a) is not None, trusted=_trusted,
             first=(part("A survey needs {here|people} for ±{points} (1.96 sd)", points=_PLACES["points"],
                         here=_PLACES["here"], when=lambda a: _spoken(a) == f.CHOSEN and is_fair(a)),
                    part("With {people|people} it errs by at most {error} in 95 % of surveys",
                         error=lambda a: _error(_spoken(a), a)))),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_spoken(a))),
    (sentence("no_belief", "An answer changes no belief, because it does not depend on the truth.", when=is_silent),
     sentence("beliefs", "A belief of {prevalence|percent} in a true “yes” becomes {yes} after the answer “yes” and "
              "{no} after “no”{theirs}.", _PLACES, when=moves_beliefs, theirs=_THEIRS)),
    (sentence("alike", "Everybody is alike and answers alike, so that the estimate is exact.",
              when=lambda a: not says_nothing(a) and a.value(v.ESTIMATOR_SD, f.CHOSEN) == 0),
     sentence("error", "The share estimated from {people|people} has an sd of {sd} and is within ±{points} with "
              "probability {within|chance}.{uncorrected}", _PLACES, when=lambda a: not says_nothing(a),
              sd=lambda a: points(a.value(v.ESTIMATOR_SD, _spoken(a)), "nearest"),
              within=lambda a: a.value(v.WITHIN_MARGIN, _spoken(a)),
              uncorrected=_UNCORRECTED)),
    sentence("fair_coin", "A fair second coin spends the same ε on both answers: the attacker’s advantage is then "
             "{best|up}, with your design {own|up}.", when=has_two_errors,
             best=partial(_advantage, f.BEST), own=partial(_advantage, f.CHOSEN)),
    sentence("goal", "Only θ₁ = 0 gives answers that change no belief, which the notes “Differential Privacy” ask for, "
             "and no survey can use them; ε limits the change: an answer multiplies odds by at most e^ε.",
             when=lambda a: not says_nothing(a) and a.study.design == "coins"),
)
