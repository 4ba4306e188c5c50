"""What an audit of somebody's own mechanism says: sentences for people, and plain objects for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpstudio import __version__
from dpstudio.models.auditing.own import OwnAudit
from dpstudio.text.numbers import plain, said
from dpstudio.text.sentences import at_least, begun, grouped, percent

_SIDES = ("A", "B")


def sentences(found: OwnAudit) -> Iterator[str]:
    """What was found first, then from what, and what it rests on."""
    epsilon, delta, sure = plain(found.epsilon), plain(found.delta), percent(found.confidence, 10)
    beside = f" at δ = {delta}" if found.delta else ""
    claim = f"({epsilon}, {delta})-DP" if found.delta else f"ε = {epsilon}"
    least = _above(found.least_epsilon, found.epsilon)
    if found.contradicted:
        yield f"{claim} is contradicted: with {sure} confidence ε is at least {least}{beside}."
    elif found.least_epsilon > 0:
        yield (f"{claim} is not contradicted: with {sure} confidence ε is at least {least}{beside}, and whether it is "
               "more these outcomes do not say.")
    else:
        yield f"{claim} is not contradicted: these outcomes show no ε above 0{beside}, which does not say that it is 0."
    if found.least_delta > 0:
        yield f"At ε = {epsilon} its δ is at least {_above(found.least_delta, found.delta)}."
    first, other = _SIDES[found.likelier], _SIDES[1 - found.likelier]
    counts = found.counts[found.likelier], found.counts[1 - found.likelier]
    yield (f"The first {grouped(found.draws - found.certifying)} outcomes of each chose an event: {found.event}. Of "
           f"the other {grouped(found.certifying)} it holds {grouped(counts[0])} on {first} and {grouped(counts[1])} "
           f"on {other}.")
    share = percent((1 - found.confidence) / 2, side="up")
    yield (f"So its probability is at least {percent(found.low, side='down')} on {first} and at most "
           f"{percent(found.high, side='up')} on {other}, by Clopper and Pearson, each but for {share}.")
    yield "This holds if outcomes are independent of each other, and if A and B are neighbours."


def _above(number: float, claimed: float) -> str:
    """A number rounded down, of the fewest digits from three on that leave it above what is claimed, if it is."""
    texts = (at_least(number, digits) for digits in range(3, 18))
    return next((text for text in texts if float(said(text)) > claimed), at_least(number))


def audit_object(found: OwnAudit) -> dict[str, Any]:
    """The same for programs."""
    sides = dict(zip(_SIDES, found.counts, strict=True))
    return {"version": __version__, "epsilon": found.epsilon, "delta": found.delta, "confidence": found.confidence,
            "draws": found.draws, "certifying": found.certifying, "event": begun(found.event),
            "likelier": _SIDES[found.likelier], "counts": sides, "low": found.low, "high": found.high,
            "least_epsilon": found.least_epsilon, "least_delta": found.least_delta,
            "contradicted": found.contradicted, "verdicts": list(sentences(found))}
