"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.studies import updating as f
from dpstudio.studies.updating import Updating as Study
from dpstudio.studies.updating.answer import UpdatingAnswer
from dpstudio.studies.updating.histories import Drawn
from dpstudio.text.numbers import short
from dpstudio.text.sentences import grouped, listed, or_same, percent, safely, significant

_FLAT = 12**-0.5
"""The sd of a rate that may be anything from 0 to 1."""
_SAME = 1e-9
"""Variances that are the same but for rounding."""
_GAIN = 1.05
"""Times less variance that is worth a sentence."""


def sentences_of(a: UpdatingAnswer, seen: Drawn | None) -> Iterator[str]:
    """The headline, what it means for one person, how well the rate is known, and how the strategies compare."""
    best = _best(a)
    yield _advice(a, best)
    yield _risk(a, best)
    yield _rate(a)
    yield _last(a)
    yield _tree(a)
    if a.study.delta > 0 and a.study.batches > 1:
        yield _gaussian(a)
    if seen:
        yield _coverage(a, seen)


_ADVICE = {f.SEQUENTIAL: "Add up the batches", f.RETRAIN: "Count again", f.TREE: "Use the binary tree"}
_NAMES = {f.SKEWED: "skewed shares", f.TREE: "the tree"}


def _best(a: UpdatingAnswer) -> Series:
    """The strategy with the least noise in its worst batch, the first of those that have it."""
    worst = {one: a.value(v.WORST_VARIANCE, one) for one in _ADVICE}
    least = min(worst.values())
    return next(one for one in _ADVICE if worst[one] <= least * (1 + _SAME))


def _advice(a: UpdatingAnswer, best: Series) -> str:
    study = a.study
    worst = {one: a.value(v.WORST_VARIANCE, one) for one in _ADVICE}
    if study.batches == 1:
        return (f"One batch leaves nothing to choose: the noise has an sd of {_up(math.sqrt(min(worst.values())))} by "
                "adding up, counting again or the tree.")
    said = {one: _up(math.sqrt(variance)) for one, variance in worst.items()}
    others = ", ".join(f"{or_same(said[one], said[best])} with {_name(one)}" for one in _ADVICE if one != best)
    return (f"{_ADVICE[best]}: the noise has an sd of at most {said[best]} after any of "
            f"{grouped(study.batches)} batches, against {others}.")


def _risk(a: UpdatingAnswer, best: Series) -> str:
    """Of the strategy that is advised; whoever is in more batches than the noise is made for has another ε."""
    said = a.risk(best)
    if a.study.batches == 1 or a.study.who != "once":
        return said
    costs = listed(f"{safely(a.value(v.VISITS_EPSILON, one))} by {_name(one)}"
                   for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE))
    return f"{said} In every batch instead of one ε is {costs}."


def _rate(a: UpdatingAnswer) -> str:
    study = a.study
    sds = {one: a.value(v.RUNNING_RATE_SD, one) for one in a.ones}
    best = min(sds, key=lambda one: sds[one])
    after = "the only batch" if study.batches == 1 else "the last batch"
    n = study.batch_people * (1 if study.who == "status" else study.batches)
    own = study.rate * (1 - study.rate) / n
    noise = max(1 - own / sds[best] ** 2, 0.0)
    guess = ", more than of a guess anywhere from 0 to 1" if sds[best] > _FLAT else ""
    return (f"For the analyst: after {after} the released share is within ± {significant(sds[best])} (sd) of the rate "
            f"at best, by {_name(best)}{guess}; {percent(noise)} of that variance is noise, for which a naive "
            "posterior does not allow.")


def _last(a: UpdatingAnswer) -> str:
    """The end of every way of counting again, against that of adding up."""
    study = a.study
    adding, again, skewed = (short(a.value(v.END_VARIANCE, one), 6) for one in (f.SEQUENTIAL, f.RETRAIN, f.SKEWED))
    share = percent(study.share)
    if study.batches == 1:
        return (f"Keeping {share} of ε for the only release leaves the rest unspent: its variance is {skewed} instead "
                f"of {adding}, and ε only {safely(a.value(v.ONCE_EPSILON, f.SKEWED))}.")
    said = {
        "once": f"Counting again with ε/Q ends with a variance of 2Q²/ε² = {again}, not less than the 2Q/ε² = {adding} "
                "of adding up",
        "status": f"As the same people come each time, adding up shares ε too and ends with a variance of 2Q³/ε² = "
                  f"{adding}; counting again ends with 2Q²/ε² = {again}",
        "visits": f"As every yes of the same people counts, adding up ends with a variance of 2Q³/ε² = {adding}, and "
                  f"counting again with Q²(Q + 1)²/(2ε²) = {again}",
    }[study.who]
    worst = math.sqrt(a.value(v.WORST_VARIANCE, f.SKEWED) / a.value(v.WORST_VARIANCE, f.SEQUENTIAL))
    return (f"{said}. With {share} of ε kept for the last release it is {skewed}, and the sd at worst "
            f"{significant(worst)} times that of adding up.")


def _tree(a: UpdatingAnswer) -> str:
    ratio = a.value(v.WORST_VARIANCE, f.TREE) / a.value(v.WORST_VARIANCE, f.SEQUENTIAL)
    first, after = (a.value(each, f.TREE) for each in (v.WORST_BETTER_FROM, v.WORST_BETTER_AFTER))
    since = f"first with {grouped(first)} batches and always with more than {grouped(after)}" if after > first else (
        f"with {grouped(first)} batches or more")
    times = "the same" if a.study.batches == 1 else f"{significant(ratio)} times the"
    return (f"The binary tree’s worst batch has less noise than the worst of adding up {since}; with "
            f"{_batches(a.study)} it has {times} variance.")


def _gaussian(a: UpdatingAnswer) -> str:
    """What a δ buys; also of releases that compose optimally, where they gain anything to speak of over ε/Q each."""
    study = a.study
    adding, again, tree = (short(a.value(v.GAUSSIAN_VARIANCE, one), 3) for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE))
    said = (f"With Gaussian noise and δ = {safely(study.delta)} the variance at the end is {adding} by adding up, "
            f"{again} by counting again and {tree} by the tree")
    each = next(fact.value for one in a.ones if (fact := a.fact(v.EACH_OPTIMAL, one)))
    gain = (each * study.batches / study.epsilon) ** 2
    if gain >= _GAIN:
        said += (f"; with Laplace noise, {grouped(study.batches)} releases composed optimally have "
                 f"ε = {short(each, 3, 'down')} each instead of ε/Q, and {significant(gain)} times less variance")
    return f"{said}."


def _coverage(a: UpdatingAnswer, seen: Drawn) -> str:
    """What the simulated posteriors did."""
    found = {one: a.fact(v.RATE_COVERED, one, seen) for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE)}
    said = ", ".join(f"{percent(fact.value)} ({_name(one)}, {percent(fact.low or 0.0)} to {percent(fact.high or 0.0)})"
                     for one, fact in found.items() if fact)
    return f"In simulation the naive 95 % interval after {_batches(a.study)} held a rate drawn from [0, 1] in {said}."


def _name(series: Series) -> str:
    return _NAMES.get(series, series.label.lower())


def _batches(study: Study) -> str:
    return "1 batch" if study.batches == 1 else f"{grouped(study.batches)} batches"


def _up(value: float) -> str:
    """Three significant digits of what is at most so much, rounded up."""
    return short(value, 3, "up")
