"""An answer for people at a terminal: what follows, then the facts under their headings, within a width."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap

from dpstudio.core.results import Series
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.data.origin import Origin
from dpstudio.documents import words
from dpstudio.documents.rows import Row, by_quantity, series_of
from dpstudio.documents.tables import of_a_person
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, together

NARROWEST = 40
"""Characters that a line has at least, however narrow the terminal."""
_LABEL = 16
"""Characters that a label has at least where series stand in columns."""
_GAP = "  "
KINDS = "No sign: exact. ≤, ≥: a bound. ≈: an estimate, ± half of its interval."


def text(study: Study, update: Update, width: int, data: Origin | None = None) -> str:
    """Verdicts, parameters and facts in lines of at most so many characters; raises ValueError as `document` does."""
    words.check_left_out(study, data)
    width = max(width, NARROWEST)
    said = map(powered, (*of_a_person(study, data), *update.verdicts))
    paragraphs = [f"{study.title}: {study.question}", "", *said, ""]
    paragraphs += [", ".join(words.parameters(study)), f"{words.relation(study)}.", KINDS]
    if data is not None:
        paragraphs.append(data.leaving.note)
    lines = [line for each in paragraphs for line in _wrapped(each, width)]
    facts = update.facts
    rows, order = by_quantity(facts), (None, *series_of(facts))
    for group, several in groupby(rows.values(), lambda row: row.group):
        lines += ["", begun(group)]
        # Whatever is of no series stands before the names of series, so that none of them seems to have it.
        parts = groupby(sorted(several, key=_of_series), _of_series)
        lines += [line for _, part in parts for line in _listed(tuple(part), rows, order, width)]
    names = f"Tables, by --format json or csv: {', '.join(update.tables)}."
    return "\n".join([*lines, "", *_wrapped(names, width)]) + "\n"


def _of_series(row: Row) -> bool:
    return row.facts.keys() != {None}


def _listed(rows: Sequence[Row], by_key: dict[str, Row], order: Iterable[Series | None], width: int) -> Iterator[str]:
    """Facts with a column for each series where that fits, else with a line for each."""
    known = {fact.series for row in rows for fact in row.facts.values()}
    series = [one for one in order if one in known]
    cells = [[row.cell(one.key if one else None, by_key) for one in series] for row in rows]
    first = max(_long(_label(row)) for row in rows)
    widths, left = _columns(series, cells, width, whole=True)
    if left < first:
        widths, left = _columns(series, cells, width, whole=False)
    if left < min(_LABEL, first):
        yield from _in_lines(rows, cells, series, width)
        return
    first = min(left, first)
    heads = [wrap(_name(one), each) for one, each in zip(series, widths, strict=True)]
    high = max(map(len, heads))
    for i in range(high if any(heads) else 0):  # names end on the line above the numbers
        at = [head[i - high] if i - high >= -len(head) else "" for head in heads]
        yield _line("", at, first, widths)
    for row, of in zip(rows, cells, strict=True):
        label, *more = wrap(_label(row), first)
        yield _line(label, [cell or "–" for cell in of], first, widths)
        yield from more


def _columns(series: Sequence[Series | None], cells: Sequence[Sequence[str]], width: int, *, whole: bool
             ) -> tuple[list[int], int]:
    """How wide the columns are, with names on one line or word by word, and what they leave of a line."""
    widths = [max(_long(each) for each in [*([_name(one)] if whole else _name(one).split()), *column])
              for one, column in zip(series, zip(*cells, strict=True), strict=True)]
    return widths, width - sum(len(_GAP) + each for each in widths)


def _in_lines(rows: Sequence[Row], cells: Sequence[Sequence[str]], series: Sequence[Series | None], width: int
              ) -> Iterator[str]:
    """A line for each fact, below the label of its quantity."""
    for row, of in zip(rows, cells, strict=True):
        known = [(_name(one), cell) for one, cell in zip(series, of, strict=True) if cell]
        yield from wrap(_label(row), width)
        names = min(max(_long(name) for name, _ in known), width // 2)
        for name, cell in known:
            *before, end = wrap(name, names) or [""]
            yield from (_GAP + each for each in before)
            yield f"{_GAP}{_padded(end, names)}{_GAP}{cell}"


def _name(series: Series | None) -> str:
    return series.label if series else ""


def _label(row: Row) -> str:
    return row.quantity.axis_label


def _line(label: str, values: Sequence[str], first: int, widths: Sequence[int]) -> str:
    cells = (" " * (width - _long(value)) + value for value, width in zip(values, widths, strict=True))
    return _GAP.join([_padded(label, first), *cells]).rstrip()


def _padded(said: str, width: int) -> str:
    return said + " " * (width - _long(said))


def _long(said: str) -> int:
    """Places that it takes on a terminal."""
    return sum(not unicodedata.combining(sign) for sign in said)


def _wrapped(paragraph: str, width: int) -> list[str]:
    lines = wrap(together(paragraph), width, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in lines] or [""]
