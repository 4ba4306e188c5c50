"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import policy as f
from dpstudio.studies.kit.choosing import spoken_of
from dpstudio.studies.policy.answer import Drawn, PolicyAnswer
from dpstudio.text.language import phrase
from dpstudio.text.sentences import begun, chance, from_to, percent, significant
from dpstudio.vocabulary import Quantity

NOTABLE = 0.01
"""In parts of the gain of the right choice: a rise of the price by less is no discovery."""


def _fact(a: PolicyAnswer, quantity: Quantity, series: Series, seen: Drawn | None = None) -> Fact:
    found = a.fact(quantity, series, seen)
    assert found is not None, f"{quantity.key} is there at all settings"
    return found


def _acting(a: PolicyAnswer) -> bool:
    """Whether treating is truly better."""
    return bool(a.value(v.BEST_ACTION))


def _misled(a: PolicyAnswer) -> bool:
    """Whether the exact counts recommend the other choice."""
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
    return low if low == high else from_to(low, high)


def _chance(a: PolicyAnswer) -> str:
    """The probability that the right choice is recommended, or on a tie treating, in the same way."""
    fact, right = _fact(a, v.RECOMMENDED, f.COUNTS), _tie(a) or _acting(a)
    ends = [end for end in (fact.low, fact.high) if end is not None] or [fact.value]
    low, high = (chance(end(each if right else 1 - each for each in ends)) for end in (min, max))
    return low if low == high else from_to(low, high)


def _lost(a: PolicyAnswer, seen: Drawn, series: Series) -> str:
    fact = _fact(a, v.REGRET_PERSON, series, seen)
    return f"{significant(fact.value)} ({from_to(significant(fact.low or 0.0), significant(fact.high or 0.0))})"


def _right(a: PolicyAnswer, seen: Drawn, series: Series) -> str:
    """In how many programmes the right choice is recommended in the end."""
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


def suggested(_: PolicyAnswer) -> Series:
    """What protects all that a person has in it: their symptoms, and their own decision."""
    return f.BOTH


def _spoken(a: PolicyAnswer) -> Series:
    return spoken_of(a, f.BOTH)


def _loses_nothing(a: PolicyAnswer) -> bool:
    return _price(a, _spoken(a)) == "0"


def _others(a: PolicyAnswer) -> str:
    (one, lost), (other, its) = ((phrase(_ALONE[each]), _price(a, each)) for each in _ALONE if each != _spoken(a))
    return begun(phrase("{one} lose {lost}, {other} {its}", one=one, lost=lost, other=other, its=its))


_NAMES = {f.BOTH: "private counts and decisions", f.COUNTS: "private counts", f.DECISION: "private decisions"}
_ALONE = {f.COUNTS: "private counts alone", f.DECISION: "private decisions alone", f.BOTH: "both together"}
_ARMS: Fillings = {
    "arms": (part("{people|people} per arm", when=lambda a: a.study.people == a.study.people_treated),
             part("{people|people} untreated and {people_treated|whole} treated")), "chance": _chance}
_WORTH: Fillings = {
    "act": (part("You chose {chosen}: treating gains", when=lambda a: bool(a.decided) and _acting(a),
                 chosen=lambda a: phrase(_NAMES[_spoken(a)])),
            part("You chose {chosen}: not treating gains", when=lambda a: bool(a.decided),
                 chosen=lambda a: phrase(_NAMES[_spoken(a)])),
            part("Treat: it gains", when=_acting), part("Do not treat: that gains")),
    "who": (part("they", when=lambda a: bool(a.decided)), part("{whose}", whose=lambda a: phrase(_NAMES[_spoken(a)])))}

SENTENCES: Sentences[PolicyAnswer, Drawn] = (
    (sentence("tie", "Do not treat: both choices have the same expected utility, so privacy costs nothing.", when=_tie),
     sentence("costs_nothing", "{act} {gap|near} utility per person; {who} lose nothing of it{misled}.", _WORTH,
              when=_loses_nothing, misled=part("; exact and private counts both mislead here", when=lambda a: (
                  _misled(a) and _spoken(a) != f.DECISION))),
     sentence("gains", "{act} {gap|near} utility per person; {who} gain {gain} more than exact counts, which mislead "
              "here.", _WORTH, when=lambda a: a.value(v.PRICE, _spoken(a)) < 0,
              gain=lambda a: _price(a, _spoken(a), -1)),
     sentence("costs", "{act} {gap|near} utility per person; {who} lose {price} of it.", _WORTH,
              price=lambda a: _price(a, _spoken(a)))),
    sentence("runner_up", "{others}{gain}.", when=lambda a: not _tie(a), others=_others,
             gain=part("; a negative loss is a gain", when=lambda a: (
                 min(a.value(v.PRICE, each) for each in _ALONE if each != _spoken(a)) < 0))),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_spoken(a))),
    (sentence("no_difference", "With {arms} and ε = {epsilon|up} per count, treating is recommended with probability "
              "{chance}; it makes no difference.", _ARMS, when=_tie),
     sentence("mislead", "With {arms} and ε = {epsilon|up} per count the right choice is recommended with probability "
              "{chance}; exact counts mislead and recommend the other one.", _ARMS, when=_misled),
     sentence("recommended", "With {arms} and ε = {epsilon|up} per count the right choice is recommended with "
              "probability {chance}; exact counts recommend it, too.", _ARMS)),
    sentence("utilities", "Expected utility per person is {utility_action|near} if treated and "
             "{utility_no_action|near} if not; treating {even}.", even=(
                 part("is better where it costs less than {breakeven_cost|down}", when=lambda a: (
                     a.value(v.BREAKEVEN_COST) > 1e-14 * max(abs(a.value(v.UTILITY_WAITING)),
                                                             abs(a.value(v.UTILITY_ACTING))))),
                 part("would not be better even if it were free"))),
    (sentence("proof", "A decision can prove what was recommended, so that ε = ∞ per person; the counts alone have ε = "
              "{counts_epsilon|up}.", when=lambda a: math.isinf(a.value(v.PERSON_EPSILON, f.BOTH))),
     sentence("spent", "Counts and decision have ε = {person_epsilon:both|up} per person: {symptoms|symptoms} at ε = "
              "{epsilon|up}{each}{twice}, and the decision.",
              each=part(" each", when=lambda a: a.study.symptoms != 1),
              twice=part(", twice because treatment is secret", when=lambda a: a.study.arm_may_change))),
    # Where more ε costs more.
    sentence("not_monotone", "Less noise is not always better: the right choice is recommended with probability "
             "{worst} at ε = {more|near} per count, and {best} at ε = {less|near}, because {why}.",
             when=lambda a: not _tie(a) and a.curve.wrong[_rise(a)[1]] - a.curve.wrong[_rise(a)[0]] >= NOTABLE,
             worst=lambda a: _recommended_at(a, 1), more=lambda a: _epsilon_at(a, 1),
             best=lambda a: _recommended_at(a, 0), less=lambda a: _epsilon_at(a, 0),
             why=(part("the exact counts mislead", when=_misled),
                  part("noise on counts clamped to [0, n] favours it"))),
    (drawn_sentence("loses_nothing", "Simulated programmes lose nothing, whatever is chosen.",
                    when=lambda a, seen: _done(a, seen) and _tie(a)),
     drawn_sentence("lost", "Over {batches|batches} of {arrivals|people} the simulated programmes lose per person "
                    "{both} with both private, {counts} with private counts alone, and {none} without privacy.",
                    when=_done, both=lambda a, seen: _lost(a, seen, f.BOTH),
                    counts=lambda a, seen: _lost(a, seen, f.COUNTS), none=lambda a, seen: _lost(a, seen, f.NONE))),
    drawn_sentence("explored", "In the end the right choice is recommended in {randomized} of simulated programmes "
                   "with private counts and randomized decisions, and in {truthful} with truthful ones, which never "
                   "try the choice that looks worse.",
                   when=lambda a, seen: _done(a, seen) and not _tie(a) and _explored(a, seen),
                   randomized=lambda a, seen: _right(a, seen, f.BOTH),
                   truthful=lambda a, seen: _right(a, seen, f.COUNTS)),
)
