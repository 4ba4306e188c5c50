"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sources import LECTURE
from dpstudio.models.histograms import listed
from dpstudio.models.linkage import PEOPLE, least_missed, most_identified
from dpstudio.studies import neighbours as f
from dpstudio.studies.neighbours import Neighbours as Study
from dpstudio.studies.neighbours.answer import Drawn, NeighboursAnswer
from dpstudio.text.numbers import THIN
from dpstudio.text.sentences import at_least, grouped, or_same, percent, records, safely, significant

_HARDLY = 0.002
"""A bias below such a part of the error is not worth a sentence."""
_FEW = 0.01
"""A share missed that is smaller than this is said instead of the share found."""


def sentences_of(a: NeighboursAnswer, seen: Drawn | None) -> Iterator[str]:
    """What one record moves and what hides it, risk and error, the pair; and last what an attack may come to."""
    yield _headline(a)
    yield a.risk(_better(a))
    yield _error(a)
    yield _pair(a)
    yield _average(a)
    yield _linked(a, seen) if seen else _before_attacks(a.study)


def _headline(a: NeighboursAnswer) -> str:
    best = _better(a)
    what = "replaced" if a.pair.relation == "replace" else "added or removed"
    return (f"One record {what} moves the histogram by at most {a.study.step}: with {a.get(best).noise.name} noise for "
            f"ε = {safely(a.study.epsilon)} the five counts are off by "
            f"{safely(a.value(v.HISTOGRAM_ERROR, best))} records together on average.")


def _better(a: NeighboursAnswer) -> Series:
    """The noise with the smaller error."""
    return min(a.ones, key=lambda series: a.value(v.HISTOGRAM_ERROR, series))


def _error(a: NeighboursAnswer) -> str:
    errors = {series: a.value(v.HISTOGRAM_ERROR, series) for series in a.ones}
    best, other, *_ = sorted(errors, key=lambda series: errors[series])
    raw, bias = a.value(v.HISTOGRAM_ERROR_RAW, best), a.value(v.TOTAL_BIAS, best)
    least = safely(errors[best])
    sentence = (f"For the analyst: with {a.get(best).noise.name} noise the five counts are off by {least} records "
                f"together on average, with {a.get(other).noise.name} noise by "
                f"{or_same(safely(errors[other]), least)}")
    if a.study.clamped and bias < _HARDLY * raw:
        sentence += "; raising negative counts to 0 changes next to nothing"
    elif a.study.clamped:
        sentence += (f"; raising negative counts to 0 took that down from {safely(raw)} and costs no privacy, but "
                     f"makes the total {safely(bias)} too large on average")
    return f"{sentence}."


def _pair(a: NeighboursAnswer) -> str:
    study = a.study
    if not a.value(v.DISTANCE):
        if study.change == "swap" and a.pair.x[study.kind - 1]:
            return "A record swapped for another of the same kind leaves the histogram as it is: y = x."
        return (f"x has no record of {_stars(study.kind)} that could be {_taken(study)}: there is no such neighbour, "
                "and y = x.")
    what = {"add": f"one record of {_stars(study.kind)} more than", "remove": f"one record of {_stars(study.kind)} "
            "fewer than", "swap": f"one record of {_stars(study.kind_by)} in the place of one of {_stars(study.kind)} "
            "in"}[study.change]
    if study.change == "swap":
        return (f"y has {what} x: one removed and one added, so ‖x − y‖₁ = 2, and noise on the histogram must hide "
                "twice as much as for a record added or removed.")
    return f"y has {what} x: ‖x − y‖₁ = 1, so they are neighbours, and noise on the histogram must hide a move of 1."


def _taken(study: Study) -> str:
    return "removed" if study.change == "remove" else "swapped"


def _stars(number: int) -> str:
    return "1 star" if number == 1 else f"{number} stars"


def _average(a: NeighboursAnswer) -> str:
    """Why noise is scaled to all databases, and what 1/n leaves out."""
    if a.pair.empty:
        return (f"x = {listed(a.pair.x)} has no records, so its mean, median and shares are refused; its counts are 0, "
                "and can be released like any others.")
    n = a.value(v.N)
    local, anywhere = (a.value(v.MOVE_MEAN, series) for series in (f.LOCAL, f.GLOBAL))
    note = f"“{LECTURE.key}” has 1/n = {significant(1 / n)}, for values in [0, 1]"
    if a.study.change == "swap":
        return (f"A swapped record moves the mean of x by up to {safely(local)}, and that of some database of "
                f"{records(n)} by {safely(anywhere)}, which the noise must hide. {note}; stars span 4, so it is 4/n.")
    if local >= anywhere:
        return (f"One record more or fewer moves the mean of x by up to {safely(local)}, as far as that of any "
                f"database. {note}, a public n and swapped records.")
    return (f"One record more or fewer moves the mean of x by up to {safely(local)}, that of some database by "
            f"{safely(anywhere)}, which the noise must hide: a scale that follows x tells about x. {note}, a public "
            "n and swapped records.")


def _before_attacks(study: Study) -> str:
    counted = "1 rating" if study.contributed == 1 else f"up to {_ratings(study.contributed)}"
    return (f"An attacker may try to name one of {grouped(PEOPLE)} people from noisy counts of {counted} of each: "
            f"{_limits(study)}.")


def _linked(a: NeighboursAnswer, seen: Drawn) -> str:
    """What the simulated attacks came to."""
    table, release = (a.fact(quantity, None, seen) for quantity in (v.IDENTIFIED_TABLE, v.IDENTIFIED_RELEASE))
    assert table is not None
    assert release is not None
    assert release.high is not None
    return (f"Whoever knows {_ratings(a.study.known)} of a person found their record in a table without names in "
            f"{percent(table.value)} of simulated attacks, and from noisy counts, even knowing everybody else, in "
            f"{percent(release.value)} (95{THIN}% interval up to {percent(release.high)}): {_limits(a.study)}.")


def _ratings(known: int) -> str:
    return {0: "no rating", 1: "1 rating"}.get(known, f"{known} ratings")


def _limits(study: Study) -> str:
    """What no attack exceeds; near 1 by what every attack misses."""
    at, missed = f"at ε = {safely(study.epsilon)}", least_missed(study.epsilon)
    if missed < _FEW:
        return f"{at} any attack misses at least {at_least(100 * missed)}{THIN}% of them"
    return (f"{at} no attack names more than {safely(100 * most_identified(study.epsilon))}{THIN}% rightly on average; "
            f"guessing names {percent(1 / PEOPLE)}")
