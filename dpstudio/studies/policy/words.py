"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.studies import policy as f
from dpstudio.studies.policy.answer import Drawn, PolicyAnswer
from dpstudio.text.sentences import at_least, chance, grouped, people, percent, safely, significant
from dpstudio.vocabulary import Quantity

NOTABLE = 0.01
"""In parts of what the choice is worth: a rise of the price by less is no discovery."""


def sentences_of(a: PolicyAnswer, seen: Drawn | None = None) -> Iterator[str]:
    """The advice, what it means for one person, what it rests on, and what came of it once all is simulated."""
    yield _advice(a)
    yield _risk(a)
    yield _counts(a)
    yield _action(a)
    if not _tie(a):
        yield _price(a)
        yield from _not_monotone(a)
    if seen and seen.done == a.total:  # not before: a sentence that changes cannot be read
        yield from _simulated(a, seen)


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


def _simulated(a: PolicyAnswer, seen: Drawn) -> Iterator[str]:
    """What came of it over all batches."""
    if _tie(a):
        yield "Simulated programmes lose nothing, whatever is done."
        return
    none, counts, both = (_estimate(_fact(a, v.REGRET_PERSON, series, seen)) for series in (f.NONE, f.COUNTS, f.BOTH))
    study = a.study
    batches = "1 batch" if study.batches == 1 else f"{study.batches} batches"
    yield (f"Over {batches} of {people(study.arrivals)} the simulated programmes lost per person {both} with both "
           f"private, {counts} with private counts alone, and {none} without privacy.")
    yield from _explored(a, seen)


def _estimate(fact: Fact) -> str:
    return f"{significant(fact.value)} ({significant(fact.low or 0.0)} to {significant(fact.high or 0.0)})"


def _explored(a: PolicyAnswer, seen: Drawn) -> Iterator[str]:
    """Whether with randomized decisions the counts got better, and better than with truthful ones, beyond chance."""
    acting = _acting(a)
    truthful, randomized = (_fact(a, v.LAST_RECOMMENDED, series, seen) for series in (f.COUNTS, f.BOTH))
    for other in (truthful, _fact(a, v.FIRST_RECOMMENDED, f.BOTH, seen)):
        more, less = (randomized, other) if acting else (other, randomized)
        if (more.low or 0.0) <= (less.high or 0.0):
            return
    right, wrong = (fact.value if acting else 1 - fact.value for fact in (randomized, truthful))
    yield (f"In the end the right action is recommended in {percent(right)} of simulated programmes with private "
           f"counts and randomized decisions, and in {percent(wrong)} with truthful ones, which do not try what looks "
           "worse.")


def _advice(a: PolicyAnswer) -> str:
    """The better action, what it is worth, and what is left of that."""
    if _tie(a):
        return ("Do not act: both actions have the same expected utility, and on a tie nobody acts; privacy costs "
                "nothing.")
    act = "Act: it is worth" if _acting(a) else "Do not act: that is worth"
    gap, price = a.value(v.GAP), _fact(a, v.PRICE, f.BOTH)
    said = f"{act} {significant(gap)} of utility a person"
    if price.value < 0:
        return (f"{said}; exact counts mislead, and keeping counts and decisions private gains {_between(price, -1)} "
                "of it.")
    return f"{said}; keeping counts and decisions private costs {_between(price)} of it."


def _between(fact: Fact, sign: int = 1) -> str:
    """A value in three digits, or the ends between which a lattice leaves it."""
    ends = [sign * end for end in (fact.low, fact.high) if end is not None] or [sign * fact.value]
    low, high = significant(min(ends)), significant(max(ends))
    return low if low == high else f"{low} to {high}"


def _action(a: PolicyAnswer) -> str:
    waiting, acting = (a.value(quantity) for quantity in (v.UTILITY_WAITING, v.UTILITY_ACTING))
    even = a.value(v.BREAKEVEN_COST)
    both = f"The expected utility of a person is {significant(acting)} with action and {significant(waiting)} without"
    if even > 1e-14 * max(abs(waiting), abs(acting)):
        return f"{both}; acting is better where it costs less than {at_least(even)}."
    return f"{both}; acting would not be better even if it were free."


def _tie(a: PolicyAnswer) -> bool:
    """Whether the two expected utilities are equal but for rounding."""
    size = max(abs(a.value(quantity)) for quantity in (v.UTILITY_WAITING, v.UTILITY_ACTING))
    return a.value(v.GAP) <= 1e-14 * size


def _counts(a: PolicyAnswer) -> str:
    study, private, best = a.study, _fact(a, v.RECOMMENDED, f.COUNTS), _acting(a)
    e = safely(study.epsilon)
    arms = f"counts of {people(study.people)} an arm" if study.people == study.people_treated else (
        f"counts of {people(study.people)} without action and {grouped(study.people_treated)} with it")
    if _tie(a):
        return (f"With {arms}, each private at ε = {e}, acting is recommended with probability "
                f"{_chance(private, True)}; it makes no difference.")
    if _misled(a):
        return (f"Exact {arms} mislead: they do not recommend the right action. With noise at ε = "
                f"{e} a count it is recommended with probability {_chance(private, best)}.")
    return (f"With {arms}, each private at ε = {e}, the right action is recommended with probability "
            f"{_chance(private, best)}; exact counts recommend it.")


def _chance(acting: Fact, best: bool) -> str:
    """The probability of acting, or of not, in three digits, or the ends between which a lattice leaves it."""
    ends = [end if best else 1 - end for end in (acting.low, acting.high) if end is not None]
    low, high = (chance(end(ends or [acting.value if best else 1 - acting.value])) for end in (min, max))
    return low if low == high else f"{low} to {high}"


def _price(a: PolicyAnswer) -> str:
    counts, decision = (_fact(a, v.PRICE, series) for series in (f.COUNTS, f.DECISION))
    gains = "; what is below 0 is a gain" if min(counts.value, decision.value) < 0 else ""
    return (f"Private counts alone would cost {_between(counts)} of utility a person, private decisions alone "
            f"{_between(decision)}{gains}.")


def _not_monotone(a: PolicyAnswer) -> Iterator[str]:
    """Where more ε costs more: the largest rise of the price as ε grows."""
    curve, wrong = a.curve, a.curve.wrong
    least = np.minimum.accumulate(wrong)
    worst = int(np.argmax(wrong - least))
    if wrong[worst] - least[worst] < NOTABLE:
        return
    from_ = int(np.argmin(wrong[:worst + 1]))
    why = "the exact counts mislead" if _misled(a) else "noise on counts put back to [0, n] happens to favour it"
    more, less = (significant(float(curve.epsilon[i])) for i in (worst, from_))
    yield (f"Less noise is not always better: the right action is recommended with probability "
           f"{significant(1 - float(wrong[worst]), 2)} at ε = {more} a count, and "
           f"{significant(1 - float(wrong[from_]), 2)} at ε = {less}, as {why}.")


def _risk(a: PolicyAnswer) -> str:
    study, total, counts = a.study, a.value(v.PERSON_EPSILON, f.BOTH), a.value(v.COUNTS_EPSILON)
    risk = a.risk(f.BOTH)
    if math.isinf(total):
        return (f"{risk} A decision can prove what was recommended, so ε = ∞; the counts alone spend "
                f"ε = {safely(counts)}.")
    each = f"at ε = {safely(study.epsilon)}"
    symptoms = f"1 symptom {each}" if study.symptoms == 1 else f"{study.symptoms} symptoms {each} each"
    arm = ", twice because the arm may change," if study.arm_may_change else ""
    return f"{risk} That is {symptoms}{arm} and the decision: ε = {safely(total)}."
