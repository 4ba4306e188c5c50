"""The first page of a report: what was asked, chosen and why, what it guarantees and what not, and who signs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date

from dpstudio.core.guarantee import NO_GUARANTEE, ROOM, Guarantee
from dpstudio.core.results import Series
from dpstudio.core.sources import DR14, MIRONOV12
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents import words
from dpstudio.documents.noted import LONGEST_ON_COVER
from dpstudio.documents.report import label, numbers, outcome, stated
from dpstudio.documents.report.blocks import (
    Block,
    Bullets,
    Cells,
    Head,
    References,
    ReportSection,
    Signature,
    Terms,
    Text,
    line_of,
    lines_of,
)
from dpstudio.documents.report.numbers import NONE
from dpstudio.documents.report.promised import Promised, pair, promised, up
from dpstudio.documents.state import StudyState
from dpstudio.documents.tables import of_a_person
from dpstudio.mechanisms.laws import RefusingZero
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, grouped, significant
from dpstudio.vocabulary import DELTA, EPSILON

NOTHING_CHOSEN = ("Nothing was chosen: what is guaranteed, and the risk of one person, depend on which of these is "
                  "released.")
WHATEVER = "This holds for every such unit, whatever the other data are and however fast the attacker computes."
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b", re.ASCII)


def front(state: StudyState, update: Update, refs: References) -> tuple[ReportSection, ...]:
    """The sections of the page to be signed; the first and the last have no heading."""
    cover, release = state.cover, promised(state, update.answer)
    person = line_of(cover.who, LONGEST_ON_COVER), line_of(cover.when, LONGEST_ON_COVER)
    found = [ReportSection("", (Terms(tuple(_terms(state, update, release))),)),
             ReportSection("What is guaranteed, and to whom", tuple(_guaranteed(state, release, refs)))]
    if table := beside(update, release):
        chosen = "What was not chosen" if release.chosen else "What there is to choose from"
        found.append(ReportSection(chosen, (table,)))
    return (*found, ReportSection("What is not guaranteed", (Bullets(tuple(_not_guaranteed(state, refs))),)),
            ReportSection("", (Signature((("Prepared by", *person), ("Approved by", "", ""))),)))


def decided(state: StudyState, update: Update, refs: References) -> Iterator[Block]:
    """What was chosen in a study that has no page of its own to be signed, why, and what that guarantees."""
    release, cover = promised(state, update.answer), state.cover
    chosen = release.chosen
    told, reason = (lines_of(text, LONGEST_ON_COVER) for text in (cover.choice, cover.reason))
    terms = [("Chosen", (chosen.label, *told))] if chosen else [("Chosen", told)] if told else []
    if terms or reason:
        yield Terms((*terms, *([("Reason", reason)] if reason else [])))
    yield from _guaranteed(state, release, refs)


# What was asked, chosen and found

def _terms(state: StudyState, update: Update, release: Promised) -> Iterator[tuple[str, tuple[str, ...]]]:
    cover, study, chosen = state.cover, state.setting.study, release.chosen
    yield "Question", lines_of(cover.question, LONGEST_ON_COVER) or (study.question,)
    compares = bool(update.answer.choices)
    told = lines_of(cover.choice, LONGEST_ON_COVER)
    if chosen:
        yield "Chosen", (chosen.label, *told)
    elif compares:
        yield "Chosen", _elsewhere(state)
    if told and not chosen:
        yield "In words", told
    yield "Reason", lines_of(cover.reason, LONGEST_ON_COVER)
    if chosen and (result := outcome.result(state.setting, update, chosen)):
        yield "Result", (result,)
    verdicts = tuple(map(powered, update.verdicts))[:1]
    own = update.answer.guarantee(chosen) if chosen else None
    whom = "" if own is None or own.relation == study.relation else f", for {study.relation.unit}"
    yield "Advice" if compares else "Result", tuple(
        f"DP Studio’s recommendation at these settings{whom}: {each}" if compares else each for each in verdicts)
    yield "Setting", (numbers.in_words(state.setting),)
    yield "Release", label.in_short(stated.about(state, release))


def _elsewhere(state: StudyState) -> tuple[str, ...]:
    """What was chosen at other settings and is not compared at these; nothing where nothing was."""
    return tuple(f"{each.label} was chosen at other settings; at these it is not compared, and nothing is chosen."
                 for each in state.setting.study.answers().choosable() if each.key == state.chosen)


# What is guaranteed

def _guaranteed(state: StudyState, release: Promised, refs: References) -> Iterator[Block]:
    study, guarantee = state.setting.study, release.guarantee
    if not release.settled:
        yield Text(f"The unit of privacy: {study.relation.sentence}.")
        yield Text(NOTHING_CHOSEN, "lead")
    elif guarantee is None:
        yield Text(f"{NO_GUARANTEE}: what was chosen does not keep what was asked for.", "lead")
    else:
        bound = " at most" if guarantee.kind == "bound" else ""
        yield Text(f"{pair(guarantee)}{bound}, for {guarantee.relation.unit}. {refs.cite(guarantee.source)}", "lead")
        promise = replace(guarantee, holds="").promise  # while what it holds is a warning below
        yield Text(f"{begun(guarantee.relation.sentence)}. {powered(promise)}")
        yield Text(release.risk, "lead")
        if not guarantee.nothing:
            yield Text(WHATEVER, "small")
        if total := together(study, guarantee, release.each):
            yield Text(total, "lead")
        yield from (Text(powered(each), "lead") for each in warnings(study, guarantee))
    yield from (Text(powered(sentence), "lead") for sentence in of_a_person(study, state.origin))


def together(study: Study, guarantee: Guarantee, promised: Mapping[Series | None, Guarantee | None]) -> str:
    """What all releases of a budget need at its δ, by the best account of them; empty where it is no budget."""
    if not study.several or study.allowed is None:
        return ""
    delta = study.allowed[1]
    accounts = [each for each in promised.values() if each and (each.mu is None) == (guarantee.mu is None)]
    least, allowed = min(each.epsilon_at(delta) for each in accounts), study.allowed[0]
    if least == math.inf:
        return f"At δ = {up(delta, DELTA)}, that of the budget, no ε holds for all of them together."
    kept = "within" if least <= allowed * (1 + ROOM) else "above"
    return (f"At δ = {up(delta, DELTA)}, that of the budget, all of them together need ε = {up(least, EPSILON)} by "
            f"the best account: {kept} its ε = {up(allowed, EPSILON)}.")


def warnings(study: Study, guarantee: Guarantee) -> Iterator[str]:
    """What whoever signs must know of this guarantee, a sentence each."""
    if (told := broken(study, guarantee)) and not study.several:
        yield f"It {told}, which was asked for."
    size = getattr(study, study.size) if study.size else 0
    if guarantee.delta * size >= 1:
        symbol = study.parameter(study.size).quantity.symbol
        yield (f"δ is {significant(guarantee.delta * size, side='up')} times 1/{symbol} ({symbol} = {grouped(size)}): "
               f"a δ of 1/{symbol} or more would also permit publishing whole records.")
    if isinstance(guarantee.law, RefusingZero):
        shown = float(guarantee.law.decision.accept_probability(1))
        yield ("With no record the answer is always “no”, so that a “yes” proves a record: δ is at least the "
               f"probability of “yes” at one record, {up(shown, DELTA)}.")
    if guarantee.holds:
        yield f"It holds {guarantee.holds}."


def broken(study: Study, guarantee: Guarantee) -> str:
    """“does not keep ε = 0.1, δ = 10⁻⁶”, where it does not; empty where it keeps what was asked for."""
    if (allowed := study.allowed) is None or guarantee.keeps(*allowed):
        return ""
    keep = "does not show" if study.several else "does not keep"  # another account of the same releases may
    return f"{keep} ε = {up(allowed[0], EPSILON)}, δ = {up(allowed[1], DELTA)}"


def beside(update: Update, release: Promised) -> Cells | None:
    """The guarantee and the outcome of each thing that can be chosen, the chosen one first; None where nothing can."""
    study, chosen = update.answer.study, release.chosen
    rows = []
    quantity = outcome.compared(update, chosen, release.each)
    own = release.guarantee if chosen else None
    unit = own.relation if own else study.relation
    for series in sorted((each for each in release.each if each), key=lambda each: each != chosen):
        guarantee = release.each[series]
        remarks = [] if guarantee is None else [told for told in (
            broken(study, guarantee), f"for {guarantee.relation.unit}" if guarantee.relation != unit else "",
            guarantee.holds) if told]
        empty = guarantee is None or guarantee.nothing
        rows.append((f"{series.label}{' (chosen)' if series == chosen else ''}",
                     NONE if guarantee is None else up(guarantee.epsilon, EPSILON),
                     NONE if guarantee is None else up(guarantee.delta, DELTA),
                     *(outcome.cells(update, quantity, series, chosen, alike=bool(
                         guarantee and guarantee.relation == unit and (study.several or all(
                             map(update.answer.allowed, (series, chosen or series)))))) if quantity else ()),
                     "; ".join(["no guarantee at these settings"] if empty else remarks) or NONE))
    if not rows:
        return None
    heads = [Head("Series"), Head("ε", right=True), Head("δ", right=True)]
    if quantity:
        heads.append(Head(begun(quantity.axis_label), right=True, share=0.7))
        heads += [Head("Difference", right=True)] if chosen else []
    heads.append(Head("Remark", share=1))
    if all(row[-1] == NONE for row in rows):
        heads, rows = [replace(heads[0], share=1), *heads[1:-1]], [row[:-1] for row in rows]
    outcomes = " and outcome" if quantity else ""
    return Cells(f"Guarantee{outcomes} of each, at these settings.", tuple(heads), tuple(rows))


def _not_guaranteed(state: StudyState, refs: References) -> Iterator[tuple[str, str]]:
    yield ("The next release.", "Each further answer about the same people spends again: k answers may spend up to kε "
           f"and kδ {refs.cite(DR14)}.")
    yield ("More than one unit.", "A person with g units has gε, and a δ of up to δ (e^gε − 1)/(e^ε − 1), which grows "
           "faster than g.")
    yield ("What is true of everybody.", "The answer may teach something about you that it would teach without your "
           "record, too.")
    yield ("Raw data.", "Whoever holds, stores or transmits the data before the noise sees all of it; ε does not limit "
           "that.")
    yield ("Choices made by looking.", "If a parameter, a bound or the question itself came from these data, that is a "
           "release of its own.")
    yield ("A faulty program.", f"Plain floating-point numbers {refs.cite(MIRONOV12)}, a known seed or running time "
           "can break the guarantee. These are calculations, and no data were released: release with a vetted library.")
    yield "Counts in this document.", _counts(state)


def _counts(state: StudyState) -> str:
    data = state.origin
    if data is None:
        return ("Values that were set by hand stand here as they were set. If one of them was counted in people’s "
                "data, this document tells it.")
    said = powered(begun(words.counted(state.setting.study, data)))
    return f"{said}. {'Whoever reads this document learns them.' if data.exact else ''}".strip()


def day_of(when: str) -> tuple[int, int, int] | None:
    """The day that a cover states as ISO 8601 writes it; None where it states none."""
    for found in _DAY.finditer(when):
        with suppress(ValueError):
            day = date.fromisoformat(found[0])
            return day.year, day.month, day.day
    return None
