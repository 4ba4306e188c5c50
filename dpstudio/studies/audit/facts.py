"""The single numbers of the audit study, each with its formula and its source."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact
from dpstudio.core.sources import CP34, DR14, DWWZK18, JUO20
from dpstudio.models.auditing.certificate import MOST_DRAWS
from dpstudio.models.auditing.law import FULL
from dpstudio.models.auditing.looks import Look
from dpstudio.studies.audit import figures as f
from dpstudio.studies.audit.compare import Audited
from dpstudio.text.sentences import significant

if TYPE_CHECKING:
    from dpstudio.studies.audit import Audit as Study


def exact_facts(one: Audited) -> Iterator[Fact]:
    """What is claimed, what is so, and what it takes to find out."""
    epsilon, delta = one.claim
    beside = f"δ = {significant(delta)}"
    yield Fact(v.AUDIT_EPSILON, epsilon, f.CLAIMED, how=f"claimed, with {beside}")
    yield Fact(v.AUDIT_EPSILON, one.epsilon, f.EXACT, source=DR14,
               how=f"the largest ln((P − δ)/Q) of all events, by the exact law of both datasets, {beside}")
    yield Fact(v.RAW_EPSILON, one.raw_epsilon, f.EXACT, source=DR14,
               how=f"the same without post-processing, {beside}; post-processing never raises it")
    yield Fact(v.AUDIT_DELTA, delta, f.CLAIMED, how=f"claimed, with ε = {significant(epsilon)}")
    tiny = 0 < one.delta < FULL
    yield Fact(v.AUDIT_DELTA, one.delta, f.EXACT, "bound" if tiny else "exact", source=DR14,
               how=f"the largest P − e^ε Q of all events, by the exact law of both datasets, ε = {significant(epsilon)}"
               + ("; more than 0, and too small to be written with all its digits" if tiny else ""))
    yield _needed(one)


def _needed(one: Audited) -> Fact:
    goal = "the claim is broken" if one.false else "90 % of the exact ε is certified"
    needed = one.needed
    if not one.epsilon:
        return Fact(v.DRAWS_NEEDED, needed.draws, source=JUO20, how="no number: beside the claimed δ there is no ε")
    if math.isinf(needed.draws):
        return Fact(v.DRAWS_NEEDED, MOST_DRAWS, kind="bound", at_least=True, source=JUO20,
                    how=f"for no fewer it can be expected that {goal}")
    return Fact(v.DRAWS_NEEDED, needed.draws, None, "estimate", needed.low, needed.high, source=JUO20,
                how=f"so that {goal} in about nine audits of ten: by counts 1.28 standard deviations worse than "
                "expected; the interval is for 0.67 and for 3")


def found_facts(study: Study, one: Audited, looks: Sequence[Look], best: Look) -> Iterator[Fact]:
    """What the draws so far prove, and the event that proves it."""
    epsilon, delta = proved(looks)
    sure = f"{100 * study.confidence:.10g} % confidence in all looks together, {len(looks)} so far"
    yield Fact(v.AUDIT_EPSILON, epsilon, f.AUDITED, "bound", source=DWWZK18, at_least=True,
               how=f"the largest ln((p₋ − δ)/q₊) of any look, {sure}")
    yield Fact(v.AUDIT_DELTA, delta, f.AUDITED, "bound", source=DWWZK18, at_least=True,
               how=f"the largest p₋ − e^ε q₊ of any look, {sure}")
    yield Fact(v.CAUGHT, float(epsilon > one.claim[0]), f.AUDITED, source=DWWZK18,
               how="1 where the certified ε exceeds the claimed one")
    event = int(best.chosen.event)
    for i, quantity in enumerate((v.FEWER_PROBABILITY, v.MORE_PROBABILITY)):
        yield Fact(quantity, float(one.cells.law[i, event]), f.EXACT, how="by the exact law")
        seen = best.certified
        yield Fact(quantity, float(seen.share[i]), f.AUDITED, "estimate", float(seen.low[i]), float(seen.high[i]),
                   f"share of {best.half} certifying draws; Clopper–Pearson interval at the confidence of this look, "
                   f"1 − {significant(best.error)}", CP34)
    # Midway between outcomes that can happen, as cells stand in the picture: the event is the same.
    midway = "; midway between the outcomes that can happen" if one.cells.lattice else ""
    for quantity, end in zip((v.EVENT_FROM, v.EVENT_TO), one.cells.stretch(event), strict=True):
        yield Fact(quantity, end - one.cells.lattice / 2, f.AUDITED,
                   how=f"chosen on {best.draws - best.half} draws before{midway}")


def proved(looks: Sequence[Look]) -> tuple[float, float]:
    """The best certificates of ε and of δ so far: all looks hold together, so the best does."""
    return (max((float(look.certified.epsilon) for look in looks), default=0.0),
            max((float(look.certified.delta) for look in looks), default=0.0))




ORDER = (v.AUDIT_EPSILON, v.RAW_EPSILON, v.AUDIT_DELTA, v.CAUGHT, v.FEWER_PROBABILITY, v.MORE_PROBABILITY, v.EVENT_FROM,
         v.EVENT_TO, v.DRAWS_NEEDED)
_PLACE = {quantity.key: place for place, quantity in enumerate(ORDER)}


def in_order(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Quantity by quantity, so that a table of them has one row a quantity."""
    return tuple(sorted(facts, key=lambda fact: _PLACE[fact.key]))
