"""What a person should take away, in plain sentences made from the audit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.core.numerals import THIN
from dpstudio.core.sentences import even_odds, grouped, percent, safely, significant
from dpstudio.models.auditing.looks import Look
from dpstudio.studies.audit.compare import Audited
from dpstudio.studies.audit.facts import proved

if TYPE_CHECKING:
    from dpstudio.studies.audit import Audit as Study

_WAYS = {"rounding": "Rounding to multiples of", "clamping": "Clamping into [0, t] with t =",
         "thresholding": "Asking only whether the number is at least"}


def verdicts_of(study: Study, one: Audited, looks: Sequence[Look], best: Look | None) -> tuple[str, ...]:
    return tuple(_sentences(study, one, looks, best))


def _sentences(study: Study, one: Audited, looks: Sequence[Look], best: Look | None) -> Iterator[str]:
    epsilon, delta = proved(looks)
    if best is not None:
        yield _caught(study, one, epsilon, delta) if epsilon > one.claim[0] else _nothing_found(study, one, epsilon)
    else:
        yield _needed(study, one)
    if one.entry.wrong:
        yield one.entry.wrong
    yield _risk(one, epsilon)
    if best is not None:
        yield _needed(study, one)
    if best is not None and epsilon > 0:
        yield _event(one, best)
    if study.processing != "none":
        yield _processed(study, one)


def claim_words(one: Audited) -> str:
    epsilon, delta = one.claim
    return f"ε = {significant(epsilon)}" + (f", δ = {significant(delta)}" if delta else "")


def _confidence(study: Study) -> str:
    return f"{100 * study.confidence:.10g}{THIN}%"


def _caught(study: Study, one: Audited, epsilon: float, delta: float) -> str:
    if not one.claim[1]:
        return (f"The claim {claim_words(one)} is false: with {_confidence(study)} confidence ε is at least "
                f"{at_least(epsilon)}.")
    return (f"The claim {claim_words(one)} is false: with {_confidence(study)} confidence that ε needs a δ of at least "
            f"{at_least(delta)}, and that δ an ε of at least {at_least(epsilon)}.")


def _nothing_found(study: Study, one: Audited, epsilon: float) -> str:
    found = (f"it certifies ε ≥ {at_least(epsilon)} with {_confidence(study)} confidence" if epsilon > 0
             else "it certifies no ε at all")
    sentence = (f"This audit found nothing against the claim {claim_words(one)}, and that is no proof: {found}, and it "
                "saw one pair of datasets only")
    if one.false:
        return f"{sentence}. By its exact law the pair does break the claim: more draws would show it."
    if one.entry.wrong:
        return f"{sentence}. The claim is false, but not on this pair of datasets after this post-processing."
    return f"{sentence}."


def _needed(study: Study, one: Audited) -> str:
    if math.isinf(one.needed):
        return _nothing_to_find(one)
    enough = "enough" if study.trials >= one.needed else "too few"
    draws = (f"about {grouped(float(f'{one.needed:.2g}'))} draws on each dataset, half to choose an event and half to "
             f"certify it; {grouped(study.trials)} are {enough}")
    if one.false:
        return f"To break this claim takes {draws}."
    return f"To certify 90{THIN}% of the ε = {safely(one.epsilon)} that this pair really has takes {draws}."


def _nothing_to_find(one: Audited) -> str:
    if one.delta:
        return "Beside its δ this pair of datasets has no ε to certify: draws can only show how much of the δ it uses."
    if np.array_equal(*one.cells.law):
        return "On this pair of datasets the outcomes are the same: no number of draws certifies anything."
    return "This pair of datasets differs by less than the claimed δ: no number of draws certifies an ε beside it."


def _risk(one: Audited, epsilon: float) -> str:
    but = f", but for δ = {safely(one.claim[1])}" if one.claim[1] else ""
    sentence = (f"For one person: the claim promises that someone who was 50 : 50 about a record is at most "
                f"{even_odds(one.claim[0])} after the answer{but}")
    if epsilon > one.claim[0]:
        return f"{sentence}; there are answers that leave at least {odds_at_least(epsilon)}."
    return f"{sentence}."


def _event(one: Audited, best: Look) -> str:
    event, against = int(best.chosen.event), int(best.chosen.against)
    fewer, more = (percent(float(share)) for share in best.certified.share)
    whom = "against" if against else "for"
    return (f"The most telling event found is {one.words(event)}, which speaks {whom} the record: {more} of the draws "
            f"with the record, {fewer} of those without.")


def _processed(study: Study, one: Audited) -> str:
    what = f"{_WAYS[study.processing]} {significant(study.processing_at)}"
    if one.epsilon == 0:
        return f"{what} leaves nothing to see: the outcome is the same on both datasets, and ε is exactly 0."
    return (f"{what} never raises ε: beside the claimed δ the pair has {significant(one.raw_epsilon, 4)} before it and "
            f"{significant(one.epsilon, 4)} after it, exactly.")


def at_least(number: float) -> str:
    """Three significant digits of what must not be overstated, rounded down."""
    if number == 0:
        return "0"
    step = 10.0 ** (math.floor(math.log10(number)) - 2)
    return significant(math.floor(number / step * (1 + 1e-12)) * step)


def odds_at_least(epsilon: float) -> str:
    """What even odds become at least by an answer of that loss: “86 : 14”, rounded down."""
    share = math.floor(100 / (1 + math.exp(-epsilon)))
    return f"{share} : {100 - share}" if share < 99 else f"{at_least(math.exp(min(epsilon, 700)))} : 1"
