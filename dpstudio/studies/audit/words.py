"""What a person should take away, in plain sentences made from the audit."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio.models.auditing.certificate import MOST_DRAWS, Look
from dpstudio.studies.audit import Audit as Study
from dpstudio.studies.audit.answer import AuditAnswer, Drawn
from dpstudio.text.numbers import THIN, short
from dpstudio.text.sentences import at_least, grouped, percent, safely, significant

_WAYS = {"rounding": "Rounding to multiples of", "clamping": "Clamping into [0, t] with t =",
         "thresholding": "Asking only whether the number is at least"}


def sentences_of(a: AuditAnswer, seen: Drawn | None) -> Iterator[str]:
    """What is found of the claim, what it means for one person, and what it takes to find more."""
    best, epsilon = (seen.best, seen.epsilon) if seen else (None, 0.0)
    yield _headline(a, epsilon, drawn=best is not None)
    if a.entry.wrong:
        yield a.entry.wrong
    else:
        yield ("This is no proof that the claim holds: an audit sees one pair of datasets, and nothing rarer than its "
               "draws.")
    yield _risk(a, epsilon)
    yield _needed(a)
    if best is not None and epsilon > 0:
        yield _event(a, best)
    if a.study.processing != "none":
        yield _processed(a)


def claim_words(a: AuditAnswer) -> str:
    epsilon, delta = a.claim
    return f"ε = {safely(epsilon)}" + (f", δ = {safely(delta)}" if delta else "")


def _confidence(study: Study) -> str:
    return f"{100 * study.confidence:.10g}{THIN}%"


def _headline(a: AuditAnswer, epsilon: float, *, drawn: bool) -> str:
    """The exact law decides how it begins, so that drawing only adds to it; what draws prove is said with it."""
    claim, beside = claim_words(a), " beside that δ" if a.claim[1] else ""
    exactly = safely(a.epsilon)
    if a.false:
        if epsilon > a.claim[0]:
            return (f"The claim {claim} is false: with {_confidence(a.study)} confidence ε{beside} is at least "
                    f"{beyond(epsilon, a.claim[0])}, by its exact law {exactly}.")
        shown = ", which these draws are too few to show" if drawn else ""
        return f"The claim {claim} is false: by its exact law this pair of datasets has ε = {exactly}{beside}{shown}."
    if a.entry.wrong:
        return (f"The claim {claim} is false, but this pair of datasets does not show it: by its exact law it has "
                f"ε = {exactly}{beside}.")
    if epsilon > a.claim[0]:
        return (f"By chance the draws speak against the claim {claim}: ε ≥ {beyond(epsilon, a.claim[0])} with "
                f"{_confidence(a.study)} confidence, but by its exact law this pair has {exactly}.")
    shown = ""
    if drawn and a.epsilon:
        shown = (f", of which the draws certify {at_least(epsilon)} with {_confidence(a.study)} confidence" if epsilon
                 else ", of which the draws certify nothing")
    return (f"Nothing found against the claim {claim}: by its exact law this pair of datasets has ε = {exactly}{beside}"
            f"{shown}.")


def _risk(a: AuditAnswer, epsilon: float) -> str:
    """Of what is claimed, where it is not known to be wrong; and what the draws prove of a claim that they break."""
    if a.false and epsilon > a.claim[0]:
        return (f"{a.risk()} With {_confidence(a.study)} confidence some answers turn even odds into "
                f"{odds_at_least(epsilon)} or more.")
    return a.risk()


def _needed(a: AuditAnswer) -> str:
    needed = a.needed
    if a.alike:
        return "Each outcome is as likely on one dataset as on the other: no number of draws certifies anything."
    if not a.epsilon:
        return ("No event is likelier on one dataset by more than the claimed δ: no number of draws certifies an ε "
                "beside it.")
    goal = "break this claim" if a.false else f"certify 90{THIN}% of that ε"
    if math.isinf(needed.draws):
        return (f"To {goal} takes more than {at_least(MOST_DRAWS, 1)} draws on each dataset: what shows it hardly "
                "ever happens.")
    enough = ("enough" if a.study.trials >= needed.high else "too few" if a.study.trials < needed.low else
              "enough more often than not")
    return (f"About {grouped(float(f'{needed.draws:.2g}'))} draws on each dataset {goal} in nine audits of ten; "
            f"{grouped(a.study.trials)} are {enough}.")


def _event(a: AuditAnswer, best: Look) -> str:
    event = int(best.chosen.event)
    fewer, more = (percent(float(share)) for share in best.certified.share)
    without, having = a.entry.sides
    return (f"What proves most so far is {_words(a, event)}: it came in {more} of the draws {having}, and in "
            f"{fewer} of those {without}.")


def _words(a: AuditAnswer, event: int) -> str:
    """The event as a sentence says it: “a noisy count of at least 1”, “the answer “yes””."""
    low, high = a.cells.stretch(event)
    if a.cells.number == 2 and a.cells.lattice == 1:
        return "the answer “yes”" if math.isinf(high) else "the answer “no”"
    if math.isinf(high):
        return f"{a.entry.outcome} of at least {short(low)}"
    if math.isinf(low):
        return f"{a.entry.outcome} below {short(high)}"
    return f"{a.entry.outcome} from {short(low)} to below {short(high)}"


def _processed(a: AuditAnswer) -> str:
    what = f"{_WAYS[a.study.processing]} {significant(a.study.processing_at)}"
    if a.alike:
        return f"{what} leaves nothing to see, so ε = 0 after it; before it this pair has {safely(a.raw_epsilon)}."
    return (f"{what} cannot raise ε: {'beside the claimed δ ' if a.claim[1] else ''}this pair has "
            f"{safely(a.raw_epsilon)} before it and {safely(a.epsilon)} after it.")


def beyond(number: float, limit: float) -> str:
    """What must not be overstated, in as many digits as it takes to say that it exceeds the limit."""
    for digits in range(3, 12):
        step = 10.0 ** (math.floor(math.log10(number)) - digits + 1)
        if math.floor(number / step * (1 + 1e-12)) * step > limit * (1 + 1e-9):
            return at_least(number, digits)
    return at_least(number, 12)


def odds_at_least(epsilon: float) -> str:
    """What even odds become at least by an answer of that loss: “86 : 14”, rounded down."""
    share = math.floor(100 / (1 + math.exp(-epsilon)))
    return f"{share} : {100 - share}" if share < 99 else f"{at_least(math.exp(min(epsilon, 700)))} : 1"
