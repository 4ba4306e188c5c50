"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.numerals import THIN
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import even_odds, grouped, records, safely, significant
from dpstudio.studies.decision import figures as f
from dpstudio.studies.decision.compare import Compared

if TYPE_CHECKING:
    from dpstudio.studies.decision import Decision as Study

MANY = 10
"""Beyond so many expected leaks among m records, δ is no rare accident any more."""


def verdicts_of(study: Study, decisions: Mapping[Series, Compared], facts: Sequence[Fact]) -> tuple[str, ...]:
    found = {(fact.quantity, fact.series): fact for fact in facts}
    return tuple(_sentences(study, decisions, found))


def _sentences(study: Study, decisions: Mapping[Series, Compared],
               found: Mapping[tuple[v.Quantity, Series | None], Fact]) -> Iterator[str]:
    yield _answer(study, decisions, found)
    yield _cutoff(found)
    if study.delta == 0:
        yield _without_delta(study)
    if study.delta * study.minimum >= 1:
        yield _too_much_delta(study)
    yield _risk(study)


def _answer(study: Study, decisions: Mapping[Series, Compared],
            found: Mapping[tuple[v.Quantity, Series | None], Fact]) -> str:
    widths = {series: found[v.BAND_WIDTH, series].value for series in decisions if series not in (f.CUTOFF, f.MATCHED)}
    best = min(widths, key=lambda series: widths[series])
    accept = found[v.ACCEPTANCE, best]
    reject = found[v.REJECTION, best]
    decision = decisions[best].decision
    # Either reading of “99 % sure”: as doubles 0.99 and 1 − 0.01 differ in the last digit.
    sure = min(float(decision.smallest_n(1 - study.uncertain)), float(decision.smallest_n_refusing(study.uncertain)))
    if study.zero_refused:
        sure = max(sure, 1.0)
    needs = (f"to be {percent(1 - study.uncertain)} sure of “yes” a dataset needs {records(sure)}"
             if math.isfinite(sure) else f"no dataset is ever {percent(1 - study.uncertain)} sure of “yes”")
    name = best.label.lower() if best is f.GENERALIZED else best.label
    return (f"With {records(study.records)} the {name} decision, here the steepest of those with the chosen ε "
            "and δ, says “yes” with probability "
            f"{probability(accept.value, reject.value)}; {needs}.")


def _cutoff(found: Mapping[tuple[v.Quantity, Series | None], Fact]) -> str:
    delta = found[v.GUARANTEE_DELTA, f.CUTOFF].value
    return (f"The cutoff exponential never refuses a dataset that qualifies, but spends δ = {safely(delta)} at "
            "every ε, for a “no” proves N < m; at that same (ε, δ) the generalized decision is nowhere above it below "
            "m and equal to it from m on.")


def _without_delta(study: Study) -> str:
    if study.target == 0.5:
        return "Without δ, and accepting m half the time, the generalized decision is exactly the Laplace decision."
    return ("Without δ the generalized decision is two-sided geometric noise: never less steep than Laplace noise with "
            "the same ε through the same point.")


def _too_much_delta(study: Study) -> str:
    expected = study.delta * study.minimum
    words = "a warning, not a bargain" if expected >= MANY else "too large to be called negligible"
    return (f"δ = {safely(study.delta)} is {significant(expected)} times 1/m: publishing every record with that "
            f"probability, {significant(expected)} of {grouped(study.minimum)} on average, would satisfy it too, so "
            f"this is {words}.")


def _risk(study: Study) -> str:
    # Even at δ = 0 the cutoff spends its own.
    spender = "one that spends δ" if study.delta > 0 else "the cutoff exponential, which spends δ,"
    extra = f"; {spender} tells more now and then, with a probability that may exceed δ"
    return (f"For one person: someone who was 50 : 50 about a record is at most {even_odds(study.epsilon)} after "
            f"seeing one answer at ε = {significant(study.epsilon)}{extra}.")


def percent(share: float) -> str:
    """A chosen share in per cent, to its last digit."""
    return f"{100 * share:.10g}{THIN}%"


def probability(value: float, complement: float) -> str:
    """Three significant digits of whichever tail is the smaller one."""
    if value in (0.0, 1.0) and complement in (0.0, 1.0):
        return "exactly 1" if value else "exactly 0"
    return significant(value) if value <= 0.99 else f"1 − {significant(complement)}"
