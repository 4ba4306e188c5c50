"""The first page of a report: what was asked, chosen and why, what is guaranteed and what is not, and who signs."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sources import DR14, MIRONOV12
from dpstudio.core.update import Update
from dpstudio.documents import words
from dpstudio.documents.noted import LONGEST_ON_COVER
from dpstudio.documents.report.blocks import (
    Block,
    Bullets,
    Cells,
    Head,
    References,
    Section,
    Signature,
    Terms,
    Text,
    line_of,
    lines_of,
)
from dpstudio.documents.report.numbers import NONE
from dpstudio.documents.session import StudyState
from dpstudio.documents.setting import Setting
from dpstudio.documents.tables import of_a_person
from dpstudio.mechanisms.mechanism import Mechanism
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import amount

FOR_ONE_PERSON = "For one person:"
"""How the sentence of a verdict begins that says what an answer tells about one person."""
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b", re.ASCII)


def front(state: StudyState, update: Update, refs: References) -> tuple[Section, ...]:
    """The sections of the page to be signed; the first has no heading."""
    cover, study = state.cover, state.setting.study
    verdicts = tuple(map(powered, update.verdicts))
    chosen = lines_of(cover.choice, LONGEST_ON_COVER)
    asked = lines_of(cover.question, LONGEST_ON_COVER) or (study.question,)
    terms = [("Question", asked), ("Chosen", chosen), ("Why", lines_of(cover.reason, LONGEST_ON_COVER)),
             ("Result", verdicts[:1]), ("Setting", (_setting(state.setting),))]
    person = line_of(cover.who, LONGEST_ON_COVER), line_of(cover.when, LONGEST_ON_COVER)
    return (Section("", (Terms(tuple(terms)),)),
            Section("What is guaranteed, and to whom", tuple(_guaranteed(state, update, refs))),
            Section("What is not guaranteed", (Bullets(tuple(_not_guaranteed(state, refs))),)),
            Section("", (Signature((("Prepared by", *person), ("Approved by", "", ""))),)))


def _setting(setting: Setting) -> str:
    """The values that were set, and those of the parameters that every picture depends on."""
    study = setting.study
    values = study.values()
    shown = (each for each in study.parameters() if values[each.name] is not None and each.matters(values)
             and (not each.group or each.name in setting.names))
    return "\u00a0· ".join(words.parameter(each, values[each.name]).replace(" ", "\u00a0") for each in shown)


def _guaranteed(state: StudyState, update: Update, refs: References) -> Iterator[Block]:
    study = state.setting.study
    yield Text(f"{words.relation(study)}. That is the unit of privacy: the guarantee limits what an answer tells about "
               "one such difference, whatever else is known.")
    yield from (Text(powered(sentence), "lead") for sentence in update.verdicts
                if sentence.startswith(FOR_ONE_PERSON))
    yield from (Text(powered(sentence), "lead") for sentence in of_a_person(study, state.origin))
    if table := promises(update, refs):
        yield table


def promises(update: Update, refs: References) -> Cells | None:
    """The guarantee of each thing that is compared, as numbers and in words; None where none of them has one."""
    found: list[tuple[str, str, str, str]] = []
    for series in (*update.answer.series(), None):
        epsilon, delta = (_fact(update, quantity, series) for quantity in (v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA))
        made = mechanism_of(update.answer.one(series)) if series else None
        if epsilon or made:
            promise = f"{made.promise.removesuffix('.')}. {refs.cite(made.source)}" if made else (
                "" if epsilon is None else f"{begun(_how(update, series))}.")
            found.append((series.label if series else "The release", epsilon, delta, powered(promise)))
    if not found:
        return None
    heads, rows = [Head("Mechanism"), Head("ε", right=True), Head("δ", right=True), Head("In words", share=1)], found
    for column in (2, 1):
        if not any(row[column] for row in rows):
            heads.pop(column)
            rows = [(*row[:column], *row[column + 1:]) for row in rows]  # type: ignore[misc]
    return Cells("The guarantee of each mechanism. “Its former value” is the probability with the neighbouring data.",
                 tuple(heads), tuple(tuple(cell or NONE for cell in row) for row in rows))


def _fact(update: Update, quantity: v.Quantity, series: Series | None) -> str:
    if (quantity.key, series.key if series else None) not in update.answer.index():
        return ""
    found = update.fact(quantity, series)
    return powered(amount(found.value, quantity, side="up")) if found else ""  # a guarantee must not be overstated


def _how(update: Update, series: Series | None) -> str:
    found = update.fact(v.GUARANTEE_EPSILON, series)
    return found.how if found else ""


def mechanism_of(one: object) -> Mechanism | None:
    """What is released by one of the things that a study compares: itself, or a part of it."""
    if isinstance(one, Mechanism):
        return one
    parts = [each.name for each in dataclasses.fields(one)] if dataclasses.is_dataclass(one) else [*vars(one)] \
        if hasattr(one, "__dict__") else []
    found = (getattr(one, name, None) for name in parts)
    return next((each for each in found if isinstance(each, Mechanism)), None)


def _not_guaranteed(state: StudyState, refs: References) -> Iterator[tuple[str, str]]:
    yield ("No data were released.", "DP Studio explores; it does not release. A release needs a vetted library: the "
           f"floating-point numbers of a computer can break what is proved of real numbers {refs.cite(MIRONOV12)}.")
    yield ("Being asked again.", "Each further answer about the same people spends anew: k answers cost up to kε and "
           f"kδ {refs.cite(DR14)}. A parameter that was chosen by looking at the data is such an answer.")
    yield ("What the group shows.", "What an answer tells about everybody it tells about each, whether their record is "
           "in the data or not; and whoever knows something already keeps knowing it.")
    yield ("Several records.", "Whoever contributes more than the unit of privacy is protected less: with g times as "
           "much, gε, and a δ that grows faster than g.")
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
