"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.studies.updating import figures as f
from dpstudio.text.numbers import short
from dpstudio.text.sentences import even_odds, grouped, percent, safely, significant

if TYPE_CHECKING:
    from dpstudio.studies.updating import Updating as Study

_FLAT = 12**-0.5
"""The sd of a rate that may be anything from 0 to 1."""
_SAME = 1e-9
"""Variances that are the same but for rounding."""
_GAIN = 1.05
"""Times less variance that is worth a sentence."""
Found = Mapping[tuple[v.Quantity, Series | None], float]


def verdicts_of(study: Study, facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(_sentences(study, {(fact.quantity, fact.series): fact.value for fact in facts}))


def _sentences(study: Study, found: Found) -> Iterator[str]:
    yield _advice(study, found)
    yield _risk(study, found)
    yield _rate(study, found)
    yield _last(study, found)
    yield _tree(study, found)
    if study.delta > 0 and study.batches > 1:
        yield _gaussian(study, found)


_ADVICE = {f.SEQUENTIAL: "Add up the batches", f.RETRAIN: "Count again", f.TREE: "Use the binary tree"}
_NAMES = {f.SEQUENTIAL: "adding up", f.RETRAIN: "counting again", f.SKEWED: "skewed shares", f.TREE: "the tree"}


def _advice(study: Study, found: Found) -> str:
    """The strategy with the least noise in its worst batch, the first of those that have it."""
    worst = {one: found[v.WORST_VARIANCE, one] for one in _ADVICE}
    least = min(worst.values())
    best = next(one for one in _ADVICE if worst[one] <= least * (1 + _SAME))
    if study.batches == 1:
        return (f"One batch leaves nothing to choose: the noise has an sd of {_up(math.sqrt(least))} by adding up, "
                "counting again or the tree.")
    others = ", ".join(f"{_up(math.sqrt(worst[one]))} with {_NAMES[one]}" for one in _ADVICE if one != best)
    return (f"{_ADVICE[best]}: the noise has an sd of at most {_up(math.sqrt(least))} after any of "
            f"{grouped(study.batches)} batches, against {others}.")


def _up(value: float) -> str:
    """Three significant digits of what is at most so much, rounded up."""
    return short(value, 3, "up")


def _last(study: Study, found: Found) -> str:
    """The end of every way of counting again, against that of adding up."""
    adding, again, skewed = (short(found[v.END_VARIANCE, one], 6) for one in (f.SEQUENTIAL, f.RETRAIN, f.SKEWED))
    share = percent(study.share)
    if study.batches == 1:
        return (f"Keeping {share} of ε for the only release leaves the rest unspent: its variance is {skewed} instead "
                f"of {adding}, and ε only {safely(found[v.ONCE_EPSILON, f.SKEWED])}.")
    said = {
        "once": f"Counting again with ε/Q ends with a variance of 2Q²/ε² = {again}, not less than the 2Q/ε² = {adding} "
                "of adding up",
        "status": f"As the same people come each time, adding up shares ε too and ends with a variance of 2Q³/ε² = "
                  f"{adding}; counting again ends with 2Q²/ε² = {again}",
        "visits": f"As every yes of the same people counts, adding up ends with a variance of 2Q³/ε² = {adding}, and "
                  f"counting again with Q²(Q + 1)²/(2ε²) = {again}",
    }[study.who]
    worst = math.sqrt(found[v.WORST_VARIANCE, f.SKEWED] / found[v.WORST_VARIANCE, f.SEQUENTIAL])
    return (f"{said}. With {share} of ε kept for the last release it is {skewed}, and the sd at worst "
            f"{significant(worst)} times that of adding up.")


def _tree(study: Study, found: Found) -> str:
    ratio = found[v.WORST_VARIANCE, f.TREE] / found[v.WORST_VARIANCE, f.SEQUENTIAL]
    first, after = (found[each, f.TREE] for each in (v.WORST_BETTER_FROM, v.WORST_BETTER_AFTER))
    since = f"first with {grouped(first)} batches and always with more than {grouped(after)}" if after > first else (
        f"with {grouped(first)} batches or more")
    return (f"The binary tree’s worst batch has less noise than the worst of adding up {since}; with {_batches(study)} "
            f"it has {'the same' if study.batches == 1 else f'{significant(ratio)} times the'} variance.")


def _batches(study: Study) -> str:
    return "1 batch" if study.batches == 1 else f"{grouped(study.batches)} batches"


def _risk(study: Study, found: Found) -> str:
    said = ("For one person: whoever knows all other records and was 50 : 50 about yours is at most "
            f"{even_odds(study.epsilon)} after all releases (ε = {safely(study.epsilon)})")
    if study.batches == 1:
        return f"{said}, by any strategy."
    if study.who != "once":
        return f"{said}, though you are in every batch: the noise is made for that."
    every = ((one, found[v.VISITS_EPSILON, one]) for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE))
    costs = ", ".join(f"{even_odds(epsilon)} by {_NAMES[one]} (ε = {safely(epsilon)})" for one, epsilon in every)
    return f"{said}, if you are in one batch. If in every batch: {costs}."


def _rate(study: Study, found: Found) -> str:
    sds = {one: found[v.RUNNING_RATE_SD, one] for one in f.ALL}
    best = min(sds, key=lambda one: sds[one])
    after = "the only batch" if study.batches == 1 else "the last batch"
    n = study.batch_people * (1 if study.who == "status" else study.batches)
    own = study.rate * (1 - study.rate) / n
    noise = max(1 - own / sds[best] ** 2, 0.0)
    guess = ", more than of a guess anywhere from 0 to 1" if sds[best] > _FLAT else ""
    return (f"For the analyst: after {after} the released share is within ± {significant(sds[best])} (sd) of the rate "
            f"at best, by {_NAMES[best]}{guess}; {percent(noise)} of that variance is noise, for which a naive "
            "posterior does not allow.")


def _gaussian(study: Study, found: Found) -> str:
    adding, again, tree = (short(found[v.GAUSSIAN_VARIANCE, one], 3) for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE))
    return (f"With Gaussian noise and δ = {safely(study.delta)} the variance at the end is {adding} by adding up, "
            f"{again} by counting again and {tree} by the tree.")


def with_optimal(study: Study, said: Sequence[str], facts: Sequence[Fact]) -> tuple[str, ...]:
    """The same with what Q releases that compose optimally gain over ε/Q each, where it is anything to speak of."""
    each = facts[0].value
    gain = (each * study.batches / study.epsilon) ** 2
    if gain < _GAIN:
        return tuple(said)
    *others, gaussian = said
    return (*others, f"{gaussian[:-1]}; with Laplace noise, {grouped(study.batches)} releases composed optimally have "
            f"ε = {short(each, 3, 'down')} each instead of ε/Q, and {significant(gain)} times less "
            "variance.")


def coverage_verdict(study: Study, facts: Sequence[Fact]) -> str:
    """What the simulated posteriors did."""
    found = {fact.series: fact for fact in facts if fact.quantity == v.RATE_COVERED}
    said = ", ".join(f"{percent(found[one].value)} ({_NAMES[one]}, {percent(found[one].low or 0.0)} to "
                     f"{percent(found[one].high or 0.0)})" for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE))
    return f"In simulation the naive 95 % interval after {_batches(study)} held a rate drawn from [0, 1] in {said}."
