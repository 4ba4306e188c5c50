"""Several settings beside each other: every fact of each, and how far it lies from that of one of them.

    lines = compared([side.facts for side in sides], reference=0)
    lines[0].facts, lines[0].changes       the largest relative difference comes first
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from dpstudio import __version__
from dpstudio.core.match.choice import Matched, Matching
from dpstudio.core.results import Fact, FactPlace, Series
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents import words
from dpstudio.documents.rows import by_quantity, tabbed
from dpstudio.documents.session import Session
from dpstudio.documents.tables import (
    cell,
    csv_blocks,
    data_object,
    fact_object,
    json_number,
    object_text,
    of_a_person,
    session_line,
)
from dpstudio.records import dataclass
from dpstudio.text.language import phrase
from dpstudio.text.numbers import Side as Rounding
from dpstudio.text.numbers import exact, half_width, short
from dpstudio.vocabulary import Interval, Quantity, yes_or_no

SAME = 1e-12
"""Part of an exact number that is a rounding error."""
NOTHING = 1e-14
"""Of a quantity that may be negative, a difference that numbers which cancel have by themselves."""
MOST_DIGITS = 6
"""Of a ratio that is next to 1."""
UNCOUNTED, INFINITE = math.ulp(0.0), 2.0
"""Weights of a fact that one setting lacks, after all that are numbers, and of an infinite one, before them."""


@dataclass(frozen=True, slots=True)
class Change:
    """How a fact differs from the reference's: what is known of value − reference and of value / reference."""

    difference: float | None = None
    sign: str = ""
    """Of the difference and the ratio: nothing where they are exact, ≈ where an interval is known, ≤ or ≥."""
    low: float | None = None
    high: float | None = None
    """Between which the difference lies, where it is no more than estimated."""
    ratio: float | None = None
    words: str = ""
    """What no number says."""
    weight: float = 0.0
    """The relative difference; 0 where nothing differs or is told apart."""

    @property
    def differs(self) -> bool:
        return self.weight > 0


@dataclass(frozen=True, slots=True)
class FactLine:
    """One quantity, of one series or of none, at every setting; a fact is None where that setting has none."""

    group: str
    quantity: Quantity
    series: Series | None
    facts: tuple[Fact | None, ...]
    lacks: tuple[float | None, ...]
    """What each lacks to 1, where another fact says it exactly."""
    changes: tuple[Change | None, ...]
    """None at the reference, and where something is still under way."""
    pending: tuple[bool, ...]

    @property
    def weight(self) -> float:
        return max((change.weight for change in self.changes if change), default=0.0)


def compared(settings: Sequence[Iterable[Fact]], reference: int = 0,
             pending: Sequence[Collection[FactPlace]] = ()) -> tuple[FactLine, ...]:
    """A line for every fact that some setting has, the largest difference to the reference first.

    `pending` are, of each setting, the facts that are still under way; lines that differ alike keep their order.
    """
    sides = [tuple(facts) for facts in settings]
    rows = list(map(by_quantity, sides))
    known = [{fact.place: fact for fact in facts} for facts in sides]
    waiting = pending or [()] * len(sides)
    lines = []
    for place in dict.fromkeys(place for facts in known for place in facts):
        found = tuple(facts.get(place) for facts in known)
        first = next(fact for fact in found if fact)
        lacks = tuple(row[place[0]].lack(place[1], row) if fact else None
                      for fact, row in zip(found, rows, strict=True))
        missing = tuple(fact is None and place in under_way for fact, under_way in zip(found, waiting, strict=True))
        changes = tuple(None if i == reference or missing[i] or missing[reference] else
                        change(fact, found[reference], lacks[i], lacks[reference]) for i, fact in enumerate(found))
        lines.append(FactLine(first.group, first.quantity, first.series, found, lacks, changes, missing))
    return tuple(sorted(lines, key=lambda line: -line.weight))


# How two facts differ

def change(fact: Fact | None, reference: Fact | None, lack: float | None = None,
           reference_lack: float | None = None) -> Change | None:
    """How a fact differs from the reference's; None where neither is there.

    Estimates whose intervals overlap, or that of one and an exact number, are not told apart. Of a bound and an exact
    number the difference is a bound; of two bounds it is that of the bounds, which says nothing of what they bound.
    `lack` is what each lacks to 1, where that is known better than the value tells.
    """
    if fact is None and reference is None:
        return None
    there, other_there = (each is not None and not math.isnan(each.value) for each in (fact, reference))
    if fact is None or reference is None or not (there and other_there):
        return _same() if there == other_there else Change(words="only here" if there else "not here", weight=UNCOUNTED)
    value, other = fact.value, reference.value
    if math.isinf(value) or math.isinf(other):
        return _same() if value == other else Change(
            value - other, words="infinite" if math.isinf(value) else "finite", weight=INFINITE)
    certain = fact.kind == reference.kind == "exact"
    if certain and lack is not None and reference_lack is not None and max(lack, reference_lack) < 0.5:
        difference, scale = reference_lack - lack, max(lack, reference_lack)
    else:
        difference, scale = value - other, max(abs(value), abs(other))
    (low, high), (other_low, other_high) = _reach(fact), _reach(reference)
    if "estimate" in (fact.kind, reference.kind) and low <= other_high and other_low <= high:
        return Change(difference, "≈", *_ends(low - other_high, high - other_low), words="not told apart")
    alike = fact.kind == reference.kind and fact.at_least == reference.at_least
    if alike and abs(difference) <= max(SAME * scale, NOTHING if _signed(fact.quantity) else 0.0):
        return _same()
    weight = abs(difference) / max(abs(value), abs(other)) if difference else UNCOUNTED
    if yes_or_no(fact.quantity):
        return Change(words="differs", weight=weight)
    if certain or (alike and fact.kind == "bound"):
        return Change(difference, ratio=_ratio(value, other), words="" if certain else "of the bounds", weight=weight)
    least, most = low - other_high, high - other_low
    sign = "≈" if math.isfinite(least) and math.isfinite(most) else "≤" if math.isfinite(most) else "≥"
    # A bound below or above, divided by a number, is one where none of them can be negative.
    ratio = _ratio(value, other) if sign == "≈" or not _signed(fact.quantity) else None
    return Change(difference, sign, *_ends(least, most), ratio, weight=weight)


def _same() -> Change:
    return Change(0.0)


def _reach(fact: Fact) -> tuple[float, float]:
    """Between which numbers the true one is known to lie."""
    if fact.kind == "exact":
        return fact.value, fact.value
    if fact.kind == "bound":
        return (fact.value, math.inf) if fact.at_least else (-math.inf, fact.value)
    return -math.inf if fact.low is None else fact.low, math.inf if fact.high is None else fact.high


def _ends(low: float, high: float) -> tuple[float | None, float | None]:
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)


def _ratio(value: float, other: float) -> float | None:
    """How many times the other, of numbers with one sign; None where a double cannot hold it."""
    found = value / other if other and value * other >= 0 else math.nan
    return found if math.isfinite(found) else None


def _signed(quantity: Quantity) -> bool:
    return isinstance(quantity.domain, Interval) and quantity.domain.low < 0


def told(change: Change) -> str:
    """A change in a cell: “+0.012, × 1.25”, “≤ −3”, “not told apart”, “=”."""
    if change.difference is None or not change.differs or math.isinf(change.difference):
        return phrase(change.words) or "="
    side: Rounding = {"≤": "up", "≥": "down"}.get(change.sign, "nearest")  # type: ignore[assignment]
    number, spread = short(change.difference, 3, side), ""
    if change.low is not None and change.high is not None:
        spread = f" ± {half_width(number, change.low, change.high)}"
    signed = number if number.startswith("−") else f"+{number}"
    parts = (f"{change.sign} {signed}{spread}".strip(), _times(change.ratio, side), phrase(change.words))
    return ", ".join(part for part in parts if part)


def _times(ratio: float | None, side: Rounding) -> str:
    """A ratio in as few digits from three on as tell it from 1, if as many as are good to read do."""
    if ratio is None:
        return ""
    texts = (short(ratio, digits, side) for digits in range(3, MOST_DIGITS + 1))
    found = next((text for text in texts if text != "1"), "")
    return found and f"× {found}"


# As files

@dataclass(frozen=True, slots=True)
class ComparedSide:
    """A setting that is compared: what it is called, its study with its facts, and where values were counted."""

    title: str
    study: Study
    facts: tuple[Fact, ...]
    data: Origin | None = None
    series: Series | None = None
    """The one series that its facts are of, where every setting stands for another."""
    refused: str = ""
    """What that series spends which is not allowed there; empty where it is allowed."""


def matched(matching: Matching, data: Origin | None = None) -> tuple[tuple[ComparedSide, ...], tuple[FactLine, ...]]:
    """Every series at the setting at which it matches, and their facts beside the reference's; the matched one first.

    Without those that take longer, and without what is drawn.
    """
    sides = tuple(ComparedSide(one.title, one.study, _facts_of(one), _beside(one, data),
                               one.series, one.spends) for one in matching.all)
    lines = compared([side.facts for side in sides])
    first = matching.reference.fact.quantity if matching.reference.fact else None
    return sides, tuple(sorted(lines, key=lambda line: line.quantity != first))


def _beside(one: Matched, data: Origin | None) -> Origin | None:
    """What is said to be left out of a setting that matches: not the value that was found from the defaults there."""
    return data and (data if data.exact else data.besides(one.values))


def _facts_of(one: Matched) -> tuple[Fact, ...]:
    """The facts of a series as those of the whole question, so that they stand beside another's."""
    answer = one.study.answer()
    places = [place for place, declared in answer.index().items()
              if place[1] == one.series.key and not declared.simulated and not declared.slow]
    facts = [fact for place in places if (fact := answer.fact(*place))]
    if one.fact is not None and one.fact.quantity not in [fact.quantity for fact in facts]:
        facts.insert(0, one.fact)
    return tuple(replace(fact, series=None) for fact in facts)


def table_text(sides: Sequence[ComparedSide], lines: Iterable[FactLine], reference: int) -> str:
    """Lines as tab-separated text at full precision: of each setting the value, but for the reference what differs."""
    study = sides[reference].study
    head = ["", ""]
    for i, side in enumerate(sides):
        head += [side.title, *(() if i == reference else ("difference", "ratio"))]
    found = [[f"# {study.title}; {study.relation.sentence}"], head]
    for line in lines:
        cells = [line.quantity.label, line.series.label if line.series else ""]
        for i, (fact, changed) in enumerate(zip(line.facts, line.changes, strict=True)):
            numbers = (fact and fact.value, *(() if i == reference else (changed and changed.difference,
                                                                         changed and changed.ratio)))
            cells += ["" if number is None else exact(number) for number in numbers]
        found.append(cells)
    return tabbed(found)


def json_text(sides: Sequence[ComparedSide], lines: Iterable[FactLine], reference: int, session: Session,
              says: str = "") -> str:
    """A comparison as one JSON object, at full precision, with a sentence about it and the session that it is of.

    Raises ValueError for a count that is said to be left out.
    """
    first = sides[reference].study
    made: dict[str, Any] = {
        "study": first.key, "version": __version__, "relation": first.relation.sentence, "reference": reference,
        "settings": [_side_object(side) for side in sides], "facts": [_line_object(line) for line in lines]}
    if says:
        made["says"] = says
    return object_text(made, session.carried())


def _side_object(side: ComparedSide) -> dict[str, Any]:
    words.check_left_out(side.study, side.data)
    made: dict[str, Any] = {"title": side.title, "parameters": side.study.values()}
    if side.series is not None:
        made["mechanism"] = side.series.key
    return made | data_object(side.data)


_SAID = ("value", "kind", "low", "high")
_CHANGED = {"difference": "difference", "difference_low": "low", "difference_high": "high", "sign": "sign",
            "ratio": "ratio", "words": "words"}
"""Names in files, and the fields that they are."""


def _line_object(line: FactLine) -> dict[str, Any]:
    return {"key": line.quantity.key, "label": line.quantity.label, "unit": line.quantity.unit,
            "mechanism": line.series.key if line.series else None,
            "settings": [_cell_object(*pair) for pair in zip(line.facts, line.changes, strict=True)]}


def _cell_object(fact: Fact | None, changed: Change | None) -> dict[str, Any]:
    """A fact and how it differs from the reference's, as far as they are there."""
    said = fact_object(fact) if fact else {}
    numbers = {name: getattr(changed, field, None) for name, field in _CHANGED.items()}
    return {name: said.get(name) for name in _SAID} | {
        name: json_number(each) if isinstance(each, float) else each for name, each in numbers.items()}


def csv_text(sides: Sequence[ComparedSide], lines: Iterable[FactLine], reference: int, session: Session,
             says: str = "") -> str:
    """A comparison as CSV, a row a fact: what it depends on, each line after a #; raises as `json_text`."""
    study = sides[reference].study
    about = *_preamble(sides, study, reference), *([says] if says else ()), session_line(session.carried())
    first, names = ("key", "label", "mechanism", "unit"), (*_SAID, *_CHANGED)
    heads = (*first, *(f"{name}_{i}" for i in range(1, len(sides) + 1) for name in names))
    rows = (map(cell, [*(made[name] for name in first), *(each[name] for each in made["settings"] for name in names)])
            for made in map(_line_object, lines))
    return "".join(csv_blocks(about, heads, rows))


def _preamble(sides: Sequence[ComparedSide], study: Study, reference: int) -> Iterator[str]:
    yield words.MADE_BY
    yield f"study: {study.key}"
    yield f"relation: {study.relation.sentence}"
    yield f"reference: setting {reference + 1}"
    for i, side in enumerate(sides, start=1):
        words.check_left_out(side.study, side.data)
        of = f" ({side.series.key})" if side.series else ""
        yield f"setting {i}{of}: {json.dumps(side.study.values(), ensure_ascii=False)}"
        if side.data is not None:
            yield f"data {i}: {side.data.leaving.note}"
            yield from (f"person: {sentence}" for sentence in of_a_person(side.study, side.data))
