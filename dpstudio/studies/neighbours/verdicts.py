"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import even_odds, grouped, percent, safely, significant
from dpstudio.models.histograms import listed
from dpstudio.models.linkage import PEOPLE
from dpstudio.studies.neighbours import figures as f
from dpstudio.studies.neighbours.compare import Compared

if TYPE_CHECKING:
    from dpstudio.studies.neighbours import Neighbours as Study

Found = Mapping[tuple[str, Series | None], Fact]
_HARDLY = 0.002
"""A bias below such a part of the error is not worth a sentence."""


def verdicts_of(study: Study, both: Compared, facts: Sequence[Fact]) -> tuple[str, ...]:
    """What one record changes, what that asks of the noise, error and risk; and last what an attack may come to."""
    found = _by_name(facts)
    return (_pair(study, both, found), *_average(study, both, found), _error(study, found), _risk(study, both),
            _before_attacks(study, found))


def _by_name(facts: Sequence[Fact]) -> Found:
    return {(fact.key, fact.series): fact for fact in facts}


def _records(number: float) -> str:
    return "1 record" if number == 1 else f"{grouped(number)} records"


def _stars(number: int) -> str:
    return "1 star" if number == 1 else f"{number} stars"


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
    """Why noise is scaled to all databases, and what the note's 1/n leaves out."""
    if both.empty:
        yield (f"x = {listed(both.x)} has no records, so its mean, median and shares are refused; its counts are 0, "
               "and can be released like any others.")
        return
    n = found[v.N.key, None].value
    local, anywhere = (found[v.MOVE_MEAN.key, series].value for series in (f.LOCAL, f.GLOBAL))
    note = f"Seed 001’s 1/n = {significant(1 / n)} is for values in [0, 1]"
    if study.change == "swap":
        yield (f"A swapped record moves the mean of x by up to {significant(local)}, and that of some database of "
               f"{_records(n)} by {safely(anywhere)}, which the noise must hide. {note}; stars span 4, so it is 4/n.")
    elif local >= anywhere:
        yield (f"One record more or fewer moves the mean of x by up to {significant(local)}, as far as that of any "
               f"database. {note}, for a public n and swapped records.")
    else:
        yield (f"One record more or fewer moves the mean of x by up to {significant(local)}, but that of some database "
               f"by {significant(anywhere)}: noise must hide the latter, for n is private, and a scale that follows x "
               f"tells about x. {note}, for a public n and swapped records.")


def _error(study: Study, found: Found) -> str:
    errors = {series: found[v.HISTOGRAM_ERROR.key, series].value for series in f.NOISES}
    best = min(errors, key=lambda series: errors[series])
    other = next(series for series in f.NOISES if series is not best)
    raw, bias = found[v.HISTOGRAM_ERROR_RAW.key, best].value, found[v.TOTAL_BIAS.key, best].value
    sentence = (f"At ε = {significant(study.epsilon)} {_name(best)} noise serves the analyst best: its five counts are "
                f"off by {significant(errors[best])} records together on average ({_name(other)}: "
                f"{significant(errors[other])})")
    if study.clamped and bias < _HARDLY * raw:
        sentence += "; no count is near 0, so raising negative ones to 0 changes next to nothing"
    elif study.clamped:
        sentence += (f"; raising negative counts to 0 took that down from {significant(raw)} and costs no privacy, but "
                     f"makes the total {significant(bias)} too large on average")
    return f"{sentence}."


def _name(series: Series) -> str:
    return series.label if series is f.LAPLACE else series.label.lower()


def _risk(study: Study, both: Compared) -> str:
    whom = "and any database with one record replaced" if both.relation == "replace" else (
        "and any database with one record more or fewer")
    return (f"For one person: someone who was 50 : 50 between x {whom} is at most {even_odds(study.epsilon)} after "
            "seeing the noisy histogram, whatever else they know.")


def _limits(study: Study, found: Found) -> str:
    most = found[v.IDENTIFIED_MOST.key, None].value
    if most >= 1:
        return f"at ε = {significant(study.epsilon)} nothing is promised, an attack might find everybody"
    return (f"at ε = {significant(study.epsilon)} no attack at all finds more than {safely(100 * most)}\u202f%, where "
            f"guessing finds {percent(1 / PEOPLE)}")


def _before_attacks(study: Study, found: Found) -> str:
    counted = "1 rating" if study.contributed == 1 else f"up to {_ratings(study.contributed)}"
    return (f"From noisy counts of {counted} of each person an attacker may try to name one of {grouped(PEOPLE)} people"
            f": {_limits(study, found)}.")


def linked(study: Study, facts: Sequence[Fact]) -> str:
    """What the simulated attacks came to; takes the place of the last sentence."""
    found = _by_name(facts)
    table, release = (found[quantity.key, None] for quantity in (v.IDENTIFIED_TABLE, v.IDENTIFIED_RELEASE))
    assert release.high is not None
    return (f"Somebody who knows {_ratings(study.known)} of a person finds their record in a table without names in "
            f"{percent(table.value)} of the cases; from noisy counts of the same ratings, and knowing everything of "
            f"everybody else, they name the right person in {percent(release.value)} (simulated; its interval ends at "
            f"{percent(release.high)}): {_limits(study, found)}.")


def _ratings(known: int) -> str:
    return {0: "no rating", 1: "1 rating"}.get(known, f"{known} ratings")
