"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sources import LECTURE
from dpstudio.models.histograms import listed
from dpstudio.models.linkage import PEOPLE, least_missed, most_identified
from dpstudio.studies.neighbours import figures as f
from dpstudio.studies.neighbours.compare import Compared
from dpstudio.text.numbers import THIN
from dpstudio.text.sentences import at_least, even_odds, grouped, percent, records, safely, significant

if TYPE_CHECKING:
    from dpstudio.studies.neighbours import Neighbours as Study

Found = Mapping[tuple[str, Series | None], Fact]
_HARDLY = 0.002
"""A bias below such a part of the error is not worth a sentence."""
_FEW = 0.01
"""A share missed that is smaller than this is said instead of the share found."""


def verdicts_of(study: Study, both: Compared, facts: Sequence[Fact]) -> tuple[str, ...]:
    """What one record moves and what hides it, risk and error, the pair; and last what an attack may come to."""
    found = _by_name(facts)
    return (_headline(study, both, found), _risk(study, both), _error(study, found), _pair(study, both, found),
            *_average(study, both, found), _before_attacks(study))


def _by_name(facts: Sequence[Fact]) -> Found:
    return {(fact.key, fact.series): fact for fact in facts}


def _stars(number: int) -> str:
    return "1 star" if number == 1 else f"{number} stars"


def _headline(study: Study, both: Compared, found: Found) -> str:
    best = _better(found)
    what = "replaced" if both.relation == "replace" else "added or removed"
    return (f"One record {what} moves the histogram by at most {both.step}: with {_name(best)} noise for "
            f"ε = {safely(study.epsilon)} the five counts are off by "
            f"{safely(found[v.HISTOGRAM_ERROR.key, best].value)} records together on average.")


def _better(found: Found) -> Series:
    """The noise with the smaller error."""
    return min(f.NOISES, key=lambda series: found[v.HISTOGRAM_ERROR.key, series].value)


def _pair(study: Study, both: Compared, found: Found) -> str:
    apart = found[v.DISTANCE.key, None].value
    if not apart:
        if study.change == "swap" and both.x[study.kind - 1]:
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


def _average(study: Study, both: Compared, found: Found) -> Iterator[str]:
    """Why noise is scaled to all databases, and what 1/n leaves out."""
    if both.empty:
        yield (f"x = {listed(both.x)} has no records, so its mean, median and shares are refused; its counts are 0, "
               "and can be released like any others.")
        return
    n = found[v.N.key, None].value
    local, anywhere = (found[v.MOVE_MEAN.key, series].value for series in (f.LOCAL, f.GLOBAL))
    note = f"“{LECTURE.key}” has 1/n = {significant(1 / n)}, for values in [0, 1]"
    if study.change == "swap":
        yield (f"A swapped record moves the mean of x by up to {safely(local)}, and that of some database of "
               f"{records(n)} by {safely(anywhere)}, which the noise must hide. {note}; stars span 4, so it is 4/n.")
    elif local >= anywhere:
        yield (f"One record more or fewer moves the mean of x by up to {safely(local)}, as far as that of any "
               f"database. {note}, a public n and swapped records.")
    else:
        yield (f"One record more or fewer moves the mean of x by up to {safely(local)}, that of some database by "
               f"{safely(anywhere)}, which the noise must hide: a scale that follows x tells about x. {note}, a public "
               "n and swapped records.")


def _error(study: Study, found: Found) -> str:
    best = _better(found)
    other = next(series for series in f.NOISES if series != best)
    errors = {series: found[v.HISTOGRAM_ERROR.key, series].value for series in f.NOISES}
    raw, bias = found[v.HISTOGRAM_ERROR_RAW.key, best].value, found[v.TOTAL_BIAS.key, best].value
    sentence = (f"For the analyst: with {_name(best)} noise the five counts are off by {safely(errors[best])} records "
                f"together on average, with {_name(other)} noise by {safely(errors[other])}")
    if study.clamped and bias < _HARDLY * raw:
        sentence += "; raising negative counts to 0 changes next to nothing"
    elif study.clamped:
        sentence += (f"; raising negative counts to 0 took that down from {safely(raw)} and costs no privacy, but "
                     f"makes the total {safely(bias)} too large on average")
    return f"{sentence}."


def _name(series: Series) -> str:
    return series.label if series == f.LAPLACE else series.label.lower()


def _risk(study: Study, both: Compared) -> str:
    whom = "and any database with one record replaced" if both.relation == "replace" else (
        "and any database with one record more or fewer")
    return (f"For one person: someone who was 50 : 50 between x {whom} is at most {even_odds(study.epsilon)} after "
            "seeing the noisy histogram, whatever else they know.")


def _limits(study: Study) -> str:
    """What no attack exceeds; near 1 by what every attack misses."""
    at, missed = f"at ε = {safely(study.epsilon)}", least_missed(study.epsilon)
    if missed < _FEW:
        return f"{at} any attack misses at least {at_least(100 * missed)}{THIN}% of them"
    return (f"{at} no attack names more than {safely(100 * most_identified(study.epsilon))}{THIN}% rightly on average; "
            f"guessing names {percent(1 / PEOPLE)}")


def _before_attacks(study: Study) -> str:
    counted = "1 rating" if study.contributed == 1 else f"up to {_ratings(study.contributed)}"
    return (f"An attacker may try to name one of {grouped(PEOPLE)} people from noisy counts of {counted} of each: "
            f"{_limits(study)}.")


def linked(study: Study, facts: Sequence[Fact]) -> str:
    """What the simulated attacks came to; takes the place of the last sentence."""
    found = _by_name(facts)
    table, release = (found[quantity.key, None] for quantity in (v.IDENTIFIED_TABLE, v.IDENTIFIED_RELEASE))
    assert release.high is not None
    return (f"Whoever knows {_ratings(study.known)} of a person found their record in a table without names in "
            f"{percent(table.value)} of simulated attacks, and from noisy counts, even knowing everybody else, in "
            f"{percent(release.value)} (95{THIN}% interval up to {percent(release.high)}): {_limits(study)}.")


def _ratings(known: int) -> str:
    return {0: "no rating", 1: "1 rating"}.get(known, f"{known} ratings")
