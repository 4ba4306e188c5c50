"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import grouped, odds, percent, safely, significant, updated
from dpstudio.studies.updating import figures as f

if TYPE_CHECKING:
    from dpstudio.studies.updating import Updating as Study

_FLAT = 12**-0.5
"""The sd of a rate that may be anything from 0 to 1."""
Found = Mapping[tuple[v.Quantity, Series | None], float]


def verdicts_of(study: Study, facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(_sentences(study, {(fact.quantity, fact.series): fact.value for fact in facts}))


def _sentences(study: Study, found: Found) -> Iterator[str]:
    yield _claim(study, found)
    yield _skewed(study, found)
    yield _tree(study, found)
    yield _risk(study, found)
    yield _rate(study, found)
    if study.delta > 0 and study.batches > 1:
        yield _gaussian(study, found)


def _claim(study: Study, found: Found) -> str:
    """The seed’s expectation, in each world."""
    adding, again = (significant(found[v.END_VARIANCE, one], 4) for one in (f.SEQUENTIAL, f.RETRAIN))
    q = grouped(study.batches)
    if study.batches == 1:
        return ("With one batch there is nothing to add up and nothing to count again: the variance of the noise is "
                f"{adding} either way.")
    match study.who:
        case "once":
            return (f"Counting again with ε/Q does not decrease the noise at the end, as Seed 000 hopes, it raises it: "
                    f"the variance is 2Q²/ε² = {again} after every batch, against 2Q/ε² = {adding} at the end of "
                    f"adding up, so {q} times as much. Nobody is in two batches, so adding up costs ε in all, not Qε.")
        case "status":
            return (f"Where the same people come each time and a yes may come and go, adding up must use ε/Q for every "
                    f"batch too: its variance at the end is 2Q³/ε² = {adding}, and counting again, 2Q²/ε² = {again}, "
                    f"has {q} times less.")
    more = significant(found[v.END_TIMES, f.RETRAIN])
    return (f"Where the same people come each time and every yes counts, adding up ends with 2Q³/ε² = {adding}; "
            f"counting again ends with {again}, {more} times that, for one person moves the counts by 1, 2 … Q.")


def _skewed(study: Study, found: Found) -> str:
    share, end = percent(study.share), significant(found[v.END_VARIANCE, f.SKEWED], 4)
    if study.batches == 1:
        return (f"Keeping {share} of ε for the only release leaves the rest unspent: its variance is {end}, and ε is "
                f"only {safely(found[v.ONCE_EPSILON, f.SKEWED])}.")
    said = f"Keeping {share} of ε for the last release ends with a variance of {end}"
    from_q = f"from Q = {grouped(found[v.BETTER_FROM, f.SKEWED])} on"
    if found[v.END_TIMES, f.SKEWED] >= 1:
        return f"{said}, no less than adding up does; it would end with less {from_q}."
    rescued = "" if study.who == "status" else "which rescues the claim: "
    worst = math.sqrt(found[v.WORST_VARIANCE, f.SKEWED] / found[v.WORST_VARIANCE, f.SEQUENTIAL])
    price = f", at the price of {significant(worst)} times the noise (sd) before" if worst > 1 else ""
    return f"{said}, {rescued}less than adding up does, as {from_q}{price}."


def _tree(study: Study, found: Found) -> str:
    ratio = found[v.WORST_VARIANCE, f.TREE] / found[v.WORST_VARIANCE, f.SEQUENTIAL]
    first, after = (found[each, f.TREE] for each in (v.WORST_BETTER_FROM, v.WORST_BETTER_AFTER))
    always = "always" if after < first else f"always above Q = {grouped(after)}"
    here = (f"here, with {_batches(study.batches)}, " +
            (f"it has {significant(ratio)} times the variance" if ratio > 1.0005 else
             "the two are equal" if ratio > 0.9995 else f"it has {significant(1 / ratio)} times less variance"))
    return (f"A binary tree over the batches beats adding up in its worst batch first at Q = {grouped(first)} and "
            f"{always}; {here}.")


def _batches(q: int) -> str:
    return "one batch" if q == 1 else f"{grouped(q)} batches"


def _risk(study: Study, found: Found) -> str:
    said = (f"For one person: someone who was 50 : 50 about you is at most {odds(updated(0.5, study.epsilon))} after "
            f"all releases together, at ε = {safely(study.epsilon)}")
    if study.who != "once" or study.batches == 1:
        return said + (" and by any strategy." if study.batches == 1 else
                       ", though you are in every batch: the noise is made for that.")
    every = [(one, found[v.VISITS_EPSILON, one]) for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE)]
    costs = ", ".join(f"{_NAMES[one]} {odds(updated(0.5, epsilon))} (ε = {safely(epsilon)})" for one, epsilon in every)
    return f"{said}, if you are in one batch only. If you are in every batch after all, it is {costs}."


_NAMES = {f.SEQUENTIAL: "with adding up", f.RETRAIN: "with counting again", f.SKEWED: "with skewed shares",
          f.TREE: "with the tree"}


def _rate(study: Study, found: Found) -> str:
    sds = {one: found[v.RUNNING_RATE_SD, one] for one in f.ALL}
    best = min(sds, key=lambda one: sds[one])
    if sds[best] > _FLAT:
        return (f"After the last batch nothing is known of the rate: even {_NAMES[best]} the noise alone makes its "
                f"estimate stray by ± {significant(sds[best])} (sd), and a posterior that takes the noisy count for "
                "the true one is sure of what is chance.")
    n = study.batch_people * (1 if study.who == "status" else study.batches)
    own = study.rate * (1 - study.rate) / n
    noise = 1 - own / sds[best] ** 2
    extra = ("; a posterior that takes the noisy count for the true one does not know of that and is too sure"
             if noise > 0.05 else ", so a posterior that ignores the noise errs little")
    return (f"After the last batch the rate is known to ± {significant(sds[best])} (sd) at best, "
            f"{_NAMES[best]}, and {percent(max(noise, 0.0))} of that variance is noise{extra}.")


def _gaussian(study: Study, found: Found) -> str:
    adding, again, tree = (significant(found[v.GAUSSIAN_VARIANCE, one]) for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE))
    said = f"With Gaussian noise and δ = {safely(study.delta)}"
    if study.who == "once":
        return (f"{said}, adding up and counting again end alike, with a variance of {adding}: the factor Q is what "
                f"pure ε costs when one person is in Q releases. The tree ends with {tree}.")
    return (f"{said}, the variance at the end is {adding} for adding up, {again} for counting again and {tree} for the "
            "tree.")


def optimal_verdict(study: Study, facts: Sequence[Fact]) -> str:
    """What is gained where Q releases compose optimally instead of by their sum."""
    each = facts[0].value
    gain = (each * study.batches / study.epsilon) ** 2
    if gain < 1.05:
        return (f"With δ = {safely(study.delta)} optimal composition buys next to nothing for so few releases at so "
                f"small a δ: {significant(gain, 4)} times less variance with Laplace noise.")
    return (f"With δ = {safely(study.delta)} each of {grouped(study.batches)} releases that count a person once may "
            f"have ε = {significant(each)} instead of ε/Q = {significant(study.epsilon / study.batches)}, and "
            f"{significant(gain)} times less variance with Laplace noise.")


def coverage_verdict(study: Study, facts: Sequence[Fact]) -> str:
    """What the simulated posteriors did."""
    shares = {fact.series: fact.value for fact in facts if fact.quantity is v.RATE_COVERED}
    said = ", ".join(f"{percent(shares[one])} {_NAMES[one]}" for one in (f.SEQUENTIAL, f.RETRAIN, f.TREE))
    return (f"In simulation the naive posterior’s 95 % after {_batches(study.batches)} held the rate in {said}; "
            "without noise it would be 95 %.")
