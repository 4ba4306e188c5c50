"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import chance, grouped, odds, people, percent, safely, significant, updated
from dpstudio.studies.policy import figures as f
from dpstudio.studies.policy.tables import Curve

if TYPE_CHECKING:
    from dpstudio.studies.policy import Policy as Study

NOTABLE = 0.01
"""In parts of what the choice is worth: a rise of the price by less is no discovery."""
_UNUSED = {"symmetric": "The two coins are not used: decisions are randomized symmetrically, by their ε alone.",
           "coins": "The ε of the decision follows from the two coins: its own control is not used."}
Facts = Mapping[tuple[v.Quantity, Series | None], Fact]


def verdicts_of(study: Study, facts: Sequence[Fact], curve: Curve) -> tuple[str, ...]:
    return tuple(_sentences(study, {(fact.quantity, fact.series): fact for fact in facts}, curve))


def simulated(study: Study, facts: Sequence[Fact]) -> str:
    """What came of it over all batches."""
    found = {(fact.quantity, fact.series): fact for fact in facts}
    if _tie(found):
        return "Simulated programmes lose nothing, whatever is done."
    none, counts, both = (found[v.REGRET_PERSON, series] for series in (f.NONE, f.COUNTS, f.BOTH))
    batches = "one batch" if study.batches == 1 else f"{study.batches} batches"
    return (f"Over {batches} of {people(study.arrivals)} the simulated programmes lost {significant(both.value)} a "
            f"person with both private ({significant(both.low or 0.0)} to {significant(both.high or 0.0)}), "
            f"{significant(counts.value)} with private counts alone, {significant(none.value)} without "
            f"privacy{_explored(found)}.")


def _explored(found: Facts) -> str:
    """Whether with randomized decisions the counts got better, and better than with truthful ones, beyond chance."""
    acting = bool(found[v.BEST_ACTION, None].value)
    truthful, randomized = (found[v.LAST_RECOMMENDED, series] for series in (f.COUNTS, f.BOTH))
    for other in (truthful, found[v.FIRST_RECOMMENDED, f.BOTH]):
        more, less = (randomized, other) if acting else (other, randomized)
        if (more.low or 0.0) <= (less.high or 0.0):
            return ""
    right, wrong = (fact.value if acting else 1 - fact.value for fact in (randomized, truthful))
    return (f"; in the end the right action is recommended in {percent(right)} of them with randomized decisions, and "
            f"in {percent(wrong)} with truthful ones, which do not try what looks worse")


def _sentences(study: Study, found: Facts, curve: Curve) -> Iterator[str]:
    yield _action(found)
    yield _counts(study, found)
    if not _tie(found):
        yield _price(found)
    yield _risk(study, found)
    if not _tie(found):
        yield from _not_monotone(found, curve)
    if study.design == "coins":
        yield _UNUSED[study.design]


def _action(found: Facts) -> str:
    waiting, acting = (found[quantity, None].value for quantity in (v.UTILITY_WAITING, v.UTILITY_ACTING))
    even = found[v.BREAKEVEN_COST, None].value
    both = f"{significant(acting)} a person with action, {significant(waiting)} without"
    if found[v.BEST_ACTION, None].value:
        return f"Acting is better: {both}; it would be up to a cost of {significant(even)}."
    if _tie(found):
        return f"It is a tie ({both}), and on a tie nobody acts."
    until = f"only a cost below {significant(even)} would change that" if even > 0 else (
        "it would not be even if it were free")
    return f"Not acting is better: {both}; {until}."


def _tie(found: Facts) -> bool:
    """Whether the two expected utilities are equal but for rounding."""
    size = max(abs(found[quantity, None].value) for quantity in (v.UTILITY_WAITING, v.UTILITY_ACTING))
    return found[v.GAP, None].value <= 1e-14 * size


def _counts(study: Study, found: Facts) -> str:
    private, exact = found[v.RECOMMENDED, f.COUNTS].value, found[v.RECOMMENDED, f.NONE].value
    best = bool(found[v.BEST_ACTION, None].value)
    right = private if best else 1 - private
    arms = f"counts of {people(study.people)} an arm" if study.people == study.people_treated else (
        f"counts of {people(study.people)} without action and {grouped(study.people_treated)} with it")
    if _tie(found):
        return (f"With {arms}, each private at ε = {significant(study.epsilon)}, acting is recommended with "
                f"probability {chance(private)}; it makes no difference.")
    if bool(exact) != best and right < NOTABLE:
        return (f"Exact {arms} mislead: they do not recommend the right action, and nor do they with noise at ε = "
                f"{significant(study.epsilon)} a count.")
    if bool(exact) != best:
        return (f"Exact {arms} mislead: they do not recommend the right action. Noise at ε = "
                f"{significant(study.epsilon)} a count hides that, and the right one is recommended "
                f"with probability {chance(right)}.")
    return (f"With {arms}, each private at ε = {significant(study.epsilon)}, the right action is recommended with "
            f"probability {chance(right)}; exact counts would do so for sure.")


def _price(found: Facts) -> str:
    price, share = found[v.PRICE, f.BOTH].value, found[v.PRICE_SHARE, f.BOTH].value
    counts, decision = found[v.PRICE, f.COUNTS].value, found[v.PRICE, f.DECISION].value
    parts = f"(counts alone {significant(counts)}, decisions alone {significant(decision)})"
    if price < 0:
        return (f"Privacy here gains {significant(-price)} of utility a person {parts}: what it hides is an error of "
                "the exact counts.")
    return (f"Privacy of both costs {significant(price)} of utility a person {parts}: {percent(share)} of what "
            f"choosing well is worth, {significant(found[v.GAP, None].value)}.")


def _not_monotone(found: Facts, curve: Curve) -> Iterator[str]:
    """Where more ε costs more: the largest rise of the price as ε grows."""
    wrong = curve.wrong
    least = np.minimum.accumulate(wrong)
    worst = int(np.argmax(wrong - least))
    if wrong[worst] - least[worst] < NOTABLE:
        return
    from_ = int(np.argmin(wrong[:worst + 1]))
    gap = found[v.GAP, None].value
    base = found[v.POLICY_UTILITY, f.NONE].value
    best = found[v.UTILITY_BEST, None].value
    low, high = (gap * float(wrong[i]) - (best - base) for i in (from_, worst))
    misled = bool(found[v.RECOMMENDED, f.NONE].value) != bool(found[v.BEST_ACTION, None].value)
    why = ("the less noise there is, the more surely one follows counts that mislead" if misled else
           f"counts that are all noise, put back to [0, n], mostly speak {_lean(found)}, which happens to be right")
    more, less = (significant(float(curve.epsilon[i])) for i in (worst, from_))
    yield (f"Less noise is not always better: counts at ε = {more} cost {significant(high)}, at ε = {less} only "
           f"{significant(low)}, for {why}.")


def _lean(found: Facts) -> str:
    return "for acting" if found[v.BEST_ACTION, None].value else "against acting"


def _risk(study: Study, found: Facts) -> str:
    total, counts = found[v.PERSON_EPSILON, f.BOTH].value, found[v.COUNTS_EPSILON, None].value
    if math.isinf(total):
        return ("For one person: their decision can prove what was recommended for them, so ε = ∞ and no odds are "
                f"promised; the counts alone spend ε = {safely(counts)}.")
    each = f"at ε = {significant(study.epsilon)}"
    symptoms = f"1 symptom {each}" if study.symptoms == 1 else f"{study.symptoms} symptoms {each} each"
    arm = ", twice because the arm may change" if study.arm_may_change else ""
    belief = odds(updated(0.5, total))
    stands = f"is at most {belief}" if ":" in belief else "may be practically certain"
    return (f"For one person: {symptoms}{arm}, and their own decision, come to ε = {safely(total)}; someone who was "
            f"50 : 50 about them {stands} after seeing all of it.")
