"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import policy as f
from dpstudio.studies.policy.answer import Drawn, PolicyAnswer
from dpstudio.text.sentences import chance, percent, significant
from dpstudio.vocabulary import Quantity

NOTABLE = 0.01
"""In parts of what the choice is worth: a rise of the price by less is no discovery."""


def _fact(a: PolicyAnswer, quantity: Quantity, series: Series, seen: Drawn | None = None) -> Fact:
    found = a.fact(quantity, series, seen)
    assert found is not None, f"{quantity.key} is there at all settings"
    return found


def _acting(a: PolicyAnswer) -> bool:
    """Whether acting is truly better."""
    return bool(a.value(v.BEST_ACTION))


def _misled(a: PolicyAnswer) -> bool:
    """Whether the exact counts recommend the other action."""
    return bool(a.value(v.RECOMMENDED, f.NONE)) != _acting(a)


def _tie(a: PolicyAnswer) -> bool:
    """Whether the two expected utilities are equal but for rounding."""
    size = max(abs(a.value(quantity)) for quantity in (v.UTILITY_WAITING, v.UTILITY_ACTING))
    return a.value(v.GAP) <= 1e-14 * size


def _done(a: PolicyAnswer, seen: Drawn) -> bool:
    """Whether all is simulated: a sentence that changes cannot be read."""
    return bool(seen.done == a.total)


# Values of which a lattice may leave an interval

def _price(a: PolicyAnswer, series: Series, sign: int = 1) -> str:
    """In three digits, or the ends between which a lattice leaves it."""
    fact = _fact(a, v.PRICE, series)
    ends = [sign * end for end in (fact.low, fact.high) if end is not None] or [sign * fact.value]
    low, high = significant(min(ends)), significant(max(ends))
    return low if low == high else f"{low} to {high}"


def _chance(a: PolicyAnswer) -> str:
    """The probability that the right action is recommended, or on a tie acting, in the same way."""
    fact, right = _fact(a, v.RECOMMENDED, f.COUNTS), _tie(a) or _acting(a)
    ends = [end for end in (fact.low, fact.high) if end is not None] or [fact.value]
    low, high = (chance(end(each if right else 1 - each for each in ends)) for end in (min, max))
    return low if low == high else f"{low} to {high}"


def _lost(a: PolicyAnswer, seen: Drawn, series: Series) -> str:
    fact = _fact(a, v.REGRET_PERSON, series, seen)
    return f"{significant(fact.value)} ({significant(fact.low or 0.0)} to {significant(fact.high or 0.0)})"


def _right(a: PolicyAnswer, seen: Drawn, series: Series) -> str:
    """In how many programmes the right action is recommended in the end."""
    acted = _fact(a, v.LAST_RECOMMENDED, series, seen).value
    return percent(acted if _acting(a) else 1 - acted)


def _explored(a: PolicyAnswer, seen: Drawn) -> bool:
    """Whether with randomized decisions the counts got better, and better than with truthful ones, beyond chance."""
    truthful, randomized = (_fact(a, v.LAST_RECOMMENDED, series, seen) for series in (f.COUNTS, f.BOTH))
    better = [(randomized, other) if _acting(a) else (other, randomized)
              for other in (truthful, _fact(a, v.FIRST_RECOMMENDED, f.BOTH, seen))]
    return all((more.low or 0.0) > (less.high or 0.0) for more, less in better)


@found_once
def _rise(a: PolicyAnswer) -> tuple[int, int]:
    """The largest rise of the price as ε grows: where on its curve it begins and ends."""
    wrong = a.curve.wrong
    worst = int(np.argmax(wrong - np.minimum.accumulate(wrong)))
    return int(np.argmin(wrong[:worst + 1])), worst


def _recommended_at(a: PolicyAnswer, end: int) -> str:
    return significant(1 - float(a.curve.wrong[_rise(a)[end]]), 2)


def _epsilon_at(a: PolicyAnswer, end: int) -> float:
    return float(a.curve.epsilon[_rise(a)[end]])


_ARMS = part("counts of {arms}", arms=(
    part("{people|people} an arm", when=lambda a: a.study.people == a.study.people_treated),
    part("{people|people} without action and {people_treated|whole} with it")))
_COUNTS: Fillings = {"counts": _ARMS, "chance": _chance}
_WORTH: Fillings = {"act": (part("Act: it is worth", when=_acting), part("Do not act: that is worth"))}
_RISK: Fillings = {"risk": lambda a: a.risk(f.BOTH)}

SENTENCES: Sentences[PolicyAnswer, Drawn] = (
    (sentence("tie", "Do not act: both actions have the same expected utility, and on a tie nobody acts; privacy costs "
              "nothing.", when=_tie),
     sentence("gains", "{act} {gap|near} of utility a person; exact counts mislead, and keeping counts and decisions "
              "private gains {gain} of it.", _WORTH, when=lambda a: a.value(v.PRICE, f.BOTH) < 0,
              gain=lambda a: _price(a, f.BOTH, -1)),
     sentence("costs", "{act} {gap|near} of utility a person; keeping counts and decisions private costs {price} of "
              "it.", _WORTH, price=lambda a: _price(a, f.BOTH))),
    (sentence("risk_of_proof", "{risk} A decision can prove what was recommended, so ε = ∞; the counts alone spend ε = "
              "{counts_epsilon|up}.", _RISK, when=lambda a: math.isinf(a.value(v.PERSON_EPSILON, f.BOTH))),
     sentence("risk", "{risk} That is {symptoms|symptoms} at ε = {epsilon|up}{each}{twice} and the decision: ε = "
              "{person_epsilon:both|up}.", _RISK,
              each=part(" each", when=lambda a: a.study.symptoms != 1),
              twice=part(", twice because the arm may change,", when=lambda a: a.study.arm_may_change))),
    (sentence("no_difference", "With {counts}, each private at ε = {epsilon|up}, acting is recommended with "
              "probability {chance}; it makes no difference.", _COUNTS, when=_tie),
     sentence("mislead", "Exact {counts} mislead: they do not recommend the right action. With noise at ε = "
              "{epsilon|up} a count it is recommended with probability {chance}.", _COUNTS, when=_misled),
     sentence("recommended", "With {counts}, each private at ε = {epsilon|up}, the right action is recommended with "
              "probability {chance}; exact counts recommend it.", _COUNTS)),
    sentence("utilities", "The expected utility of a person is {utility_action|near} with action and "
             "{utility_no_action|near} without; acting {even}.", even=(
                 part("is better where it costs less than {breakeven_cost|down}", when=lambda a: (
                     a.value(v.BREAKEVEN_COST) > 1e-14 * max(abs(a.value(v.UTILITY_WAITING)),
                                                             abs(a.value(v.UTILITY_ACTING))))),
                 part("would not be better even if it were free"))),
    sentence("prices", "Private counts alone would cost {counts} of utility a person, private decisions alone "
             "{decision}{gain}.", when=lambda a: not _tie(a), counts=lambda a: _price(a, f.COUNTS),
             decision=lambda a: _price(a, f.DECISION), gain=part("; what is below 0 is a gain", when=lambda a: (
                 min(a.value(v.PRICE, series) for series in (f.COUNTS, f.DECISION)) < 0))),
    # Where more ε costs more.
    sentence("not_monotone", "Less noise is not always better: the right action is recommended with probability "
             "{worst} at ε = {more|near} a count, and {best} at ε = {less|near}, as {why}.",
             when=lambda a: not _tie(a) and a.curve.wrong[_rise(a)[1]] - a.curve.wrong[_rise(a)[0]] >= NOTABLE,
             worst=lambda a: _recommended_at(a, 1), more=lambda a: _epsilon_at(a, 1),
             best=lambda a: _recommended_at(a, 0), less=lambda a: _epsilon_at(a, 0),
             why=(part("the exact counts mislead", when=_misled),
                  part("noise on counts put back to [0, n] happens to favour it"))),
    (drawn_sentence("loses_nothing", "Simulated programmes lose nothing, whatever is done.",
                    when=lambda a, seen: _done(a, seen) and _tie(a)),
     drawn_sentence("lost", "Over {batches|batches} of {arrivals|people} the simulated programmes lost per person "
                    "{both} with both private, {counts} with private counts alone, and {none} without privacy.",
                    when=_done, both=lambda a, seen: _lost(a, seen, f.BOTH),
                    counts=lambda a, seen: _lost(a, seen, f.COUNTS), none=lambda a, seen: _lost(a, seen, f.NONE))),
    drawn_sentence("explored", "In the end the right action is recommended in {randomized} of simulated programmes "
                   "with private counts and randomized decisions, and in {truthful} with truthful ones, which do not "
                   "try what looks worse.", when=lambda a, seen: _done(a, seen) and not _tie(a) and _explored(a, seen),
                   randomized=lambda a, seen: _right(a, seen, f.BOTH),
                   truthful=lambda a, seen: _right(a, seen, f.COUNTS)),
)
