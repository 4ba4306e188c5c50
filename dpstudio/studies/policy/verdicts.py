"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.studies.policy import figures as f
from dpstudio.studies.policy.tables import Curve
from dpstudio.text.sentences import chance, even_odds, grouped, people, percent, safely, significant

if TYPE_CHECKING:
    from dpstudio.studies.policy import Policy as Study

NOTABLE = 0.01
"""In parts of what the choice is worth: a rise of the price by less is no discovery."""
Facts = Mapping[tuple[v.Quantity, Series | None], Fact]


def verdicts_of(study: Study, facts: Sequence[Fact], curve: Curve) -> tuple[str, ...]:
    return tuple(_sentences(study, {(fact.quantity, fact.series): fact for fact in facts}, curve))


def simulated(study: Study, facts: Sequence[Fact]) -> Iterator[str]:
    """What came of it over all batches."""
    found = {(fact.quantity, fact.series): fact for fact in facts}
    if _tie(found):
        yield "Simulated programmes lose nothing, whatever is done."
        return
    none, counts, both = (_estimate(found[v.REGRET_PERSON, series]) for series in (f.NONE, f.COUNTS, f.BOTH))
    batches = "1 batch" if study.batches == 1 else f"{study.batches} batches"
    yield (f"Over {batches} of {people(study.arrivals)} the simulated programmes lost per person {both} with both "
           f"private, {counts} with private counts alone, and {none} without privacy.")
    yield from _explored(found)


def _estimate(fact: Fact) -> str:
    return f"{significant(fact.value)} ({significant(fact.low or 0.0)} to {significant(fact.high or 0.0)})"


def _explored(found: Facts) -> Iterator[str]:
    """Whether with randomized decisions the counts got better, and better than with truthful ones, beyond chance."""
    acting = bool(found[v.BEST_ACTION, None].value)
    truthful, randomized = (found[v.LAST_RECOMMENDED, series] for series in (f.COUNTS, f.BOTH))
    for other in (truthful, found[v.FIRST_RECOMMENDED, f.BOTH]):
        more, less = (randomized, other) if acting else (other, randomized)
        if (more.low or 0.0) <= (less.high or 0.0):
            return
    right, wrong = (fact.value if acting else 1 - fact.value for fact in (randomized, truthful))
    yield (f"In the end the right action is recommended in {percent(right)} of simulated programmes with private "
           f"counts and randomized decisions, and in {percent(wrong)} with truthful ones, which do not try what looks "
           "worse.")


def _sentences(study: Study, found: Facts, curve: Curve) -> Iterator[str]:
    yield _advice(found)
    yield _risk(study, found)
    yield _counts(study, found)
    yield _action(found)
    if not _tie(found):
        yield _price(found)
        yield from _not_monotone(found, curve)


def _advice(found: Facts) -> str:
    """The better action, what it is worth, and what is left of that."""
    if _tie(found):
        return ("Do not act: both actions have the same expected utility, and on a tie nobody acts; privacy costs "
                "nothing.")
    act = "Act: it is worth" if found[v.BEST_ACTION, None].value else "Do not act: that is worth"
    gap, price = found[v.GAP, None].value, found[v.PRICE, f.BOTH]
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


def _action(found: Facts) -> str:
    waiting, acting = (found[quantity, None].value for quantity in (v.UTILITY_WAITING, v.UTILITY_ACTING))
    even = found[v.BREAKEVEN_COST, None].value
    both = f"The expected utility of a person is {significant(acting)} with action and {significant(waiting)} without"
    if even > 1e-14 * max(abs(waiting), abs(acting)):
        return f"{both}; acting is better where it costs less than {significant(even)}."
    return f"{both}; acting would not be better even if it were free."


def _tie(found: Facts) -> bool:
    """Whether the two expected utilities are equal but for rounding."""
    size = max(abs(found[quantity, None].value) for quantity in (v.UTILITY_WAITING, v.UTILITY_ACTING))
    return found[v.GAP, None].value <= 1e-14 * size


def _counts(study: Study, found: Facts) -> str:
    private, exact = found[v.RECOMMENDED, f.COUNTS], found[v.RECOMMENDED, f.NONE].value
    best = bool(found[v.BEST_ACTION, None].value)
    e = safely(study.epsilon)
    arms = f"counts of {people(study.people)} an arm" if study.people == study.people_treated else (
        f"counts of {people(study.people)} without action and {grouped(study.people_treated)} with it")
    if _tie(found):
        return (f"With {arms}, each private at ε = {e}, acting is recommended with probability "
                f"{_chance(private, True)}; it makes no difference.")
    if bool(exact) != best:
        return (f"Exact {arms} mislead: they do not recommend the right action. With noise at ε = "
                f"{e} a count it is recommended with probability {_chance(private, best)}.")
    return (f"With {arms}, each private at ε = {e}, the right action is recommended with probability "
            f"{_chance(private, best)}; exact counts recommend it.")


def _chance(acting: Fact, best: bool) -> str:
    """The probability of acting, or of not, in three digits, or the ends between which a lattice leaves it."""
    ends = [end if best else 1 - end for end in (acting.low, acting.high) if end is not None]
    low, high = (chance(end(ends or [acting.value if best else 1 - acting.value])) for end in (min, max))
    return low if low == high else f"{low} to {high}"


def _price(found: Facts) -> str:
    counts, decision = (found[v.PRICE, series] for series in (f.COUNTS, f.DECISION))
    gains = "; what is below 0 is a gain" if min(counts.value, decision.value) < 0 else ""
    return (f"Private counts alone would cost {_between(counts)} of utility a person, private decisions alone "
            f"{_between(decision)}{gains}.")


def _not_monotone(found: Facts, curve: Curve) -> Iterator[str]:
    """Where more ε costs more: the largest rise of the price as ε grows."""
    wrong = curve.wrong
    least = np.minimum.accumulate(wrong)
    worst = int(np.argmax(wrong - least))
    if wrong[worst] - least[worst] < NOTABLE:
        return
    from_ = int(np.argmin(wrong[:worst + 1]))
    misled = bool(found[v.RECOMMENDED, f.NONE].value) != bool(found[v.BEST_ACTION, None].value)
    why = "the exact counts mislead" if misled else "noise on counts put back to [0, n] happens to favour it"
    more, less = (significant(float(curve.epsilon[i])) for i in (worst, from_))
    yield (f"Less noise is not always better: the right action is recommended with probability "
           f"{significant(1 - float(wrong[worst]), 2)} at ε = {more} a count, and "
           f"{significant(1 - float(wrong[from_]), 2)} at ε = {less}, as {why}.")


def _risk(study: Study, found: Facts) -> str:
    total, counts = found[v.PERSON_EPSILON, f.BOTH].value, found[v.COUNTS_EPSILON, None].value
    if math.isinf(total):
        return ("For one person: their decision can prove what was recommended for them, so ε = ∞ and no odds are "
                f"promised; the counts alone spend ε = {safely(counts)}.")
    each = f"at ε = {safely(study.epsilon)}"
    symptoms = f"1 symptom {each}" if study.symptoms == 1 else f"{study.symptoms} symptoms {each} each"
    arm = ", twice because the arm may change," if study.arm_may_change else ""
    return ("For one person: whoever knows all other records and was 50 : 50 about yours is at most "
            f"{even_odds(total)} after seeing all of it: {symptoms}{arm} and your own decision, together ε = "
            f"{safely(total)}.")
