"""Numbers as files: facts and tables as JSON and CSV, at full precision and with what they depend on."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dpstudio import __version__
from dpstudio.core.declare import Array
from dpstudio.core.figure import Band, Dots, Figure, Line, Map
from dpstudio.core.results import Column, Fact, Table
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file, words
from dpstudio.documents.embedded import SESSION
from dpstudio.documents.files import atomic
from dpstudio.documents.session import Session
from dpstudio.text.numbers import exact
from dpstudio.vocabulary import Value

FACT_FIELDS = ("key", "label", "mechanism", "value", "kind", "low", "high", "unit")
"""What a table has of a fact; an object has its heading, formula and source besides."""


def write_json(path: str | Path, session: Session, update: Update) -> None:
    """Everything an update of the study in view says, as one JSON object; raises OSError."""
    with atomic(path) as file:
        file.write(json_text(session, update).encode("utf-8"))


def write_csv(path: str | Path, session: Session, update: Update, table: str | None = None) -> None:
    """The facts or, by name, one table as CSV; raises OSError, and KeyError where there is no such table."""
    content = csv_text(session, update, table)
    with atomic(path) as file:
        file.write(content.encode("utf-8"))


def write_all_csv(folder: str | Path, session: Session, update: Update) -> None:
    """The facts and every table, a file each, in a folder that is made where it is missing; raises OSError."""
    folder, key = Path(folder), session.study_class.key
    folder.mkdir(parents=True, exist_ok=True)
    write_csv(folder / f"{key}-facts.csv", session, update)
    for name in update.tables:
        write_csv(folder / f"{key}-{name}.csv", session, update, name)


def json_text(session: Session, update: Update) -> str:
    """As `document`, with what `Session.carried` says."""
    made = document(session.study, update, data=session.data) | {SESSION: session_file.as_json(session.carried())}
    return json.dumps(made, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def document(study: Study, update: Update, *, tables: bool = True, data: Origin | None = None,
             asked: Iterable[tuple[str, str | None]] | None = None) -> dict[str, Any]:
    """An update as plain objects: the form that programs outside read; `data` is there where a value was counted.

    It has every fact, or those that are `asked` by keys of quantity and series, as far as they apply. Raises ValueError
    where `data` says that a count is left out which is not.
    """
    words.check_left_out(study, data)
    facts = update.facts if asked is None else filter(None, (update.fact(*place) for place in asked))
    made: dict[str, Any] = {"study": study.key, "version": __version__, "parameters": study.values(),
                            "facts": [fact_object(fact) for fact in facts]}
    if tables:
        made["tables"] = {name: {column.key: json_numbers(values) for column, values in table.items()}
                          for name, table in update.tables.items()}
    if data is not None:
        made["data"] = data.leaving.as_json() | {"note": data.leaving.note}
    return made | {"verdicts": [*of_a_person(study, data), *update.verdicts]}


def of_a_person(study: Study, data: Origin | None) -> Iterator[str]:
    """What must be said before “one person” is, where that need not be one record."""
    if data is not None and data.at_most != 1:
        from dpstudio.data.meaning import person_guarantee  # whoever has no data does not wait for it

        yield person_guarantee(replace(data, most=None), study)  # which is read from the data, and stays here


def fact_object(fact: Fact) -> dict[str, Any]:
    """A fact as programs outside read it."""
    ends = (None if end is None else json_number(end) for end in (fact.low, fact.high))
    numbers = zip(FACT_FIELDS, (fact.key, fact.quantity.label, fact.series.key if fact.series else None,
                                json_number(fact.value), fact.kind, *ends, fact.quantity.unit), strict=True)
    return dict(numbers) | {"group": fact.group, "how": fact.how, "source": fact.source.key if fact.source else ""}


def json_number(value: float) -> float | str:
    """A number, or the text of one that JSON cannot write: inf, -inf, nan."""
    number = float(value)
    return number if math.isfinite(number) else repr(number)


def json_numbers(values: Array) -> list[float | str]:
    """As JSON can write them, with inf, -inf and nan as texts."""
    numbers: list[float | str] = np.asarray(values, dtype=np.float64).tolist()
    return numbers if np.isfinite(values).all() else [json_number(value) for value in values]


def csv_text(session: Session, update: Update, table: str | None = None) -> str:
    """Lines that say what the numbers depend on, each after a #, then a header and the rows; raises as `document`."""
    study = session.study
    words.check_left_out(study, session.data)
    out = io.StringIO()
    out.writelines(f"# {line}\n" for line in (*preamble(study, table or "facts", session.data, study.values()),
                                              f"{SESSION}: {session_file.text(session.carried())}"))
    rows = csv.writer(out, lineterminator="\n")
    rows.writerows(_fact_rows(update.facts) if table is None else _table_rows(update.tables[table]))
    return out.getvalue()


def preamble(study: Study, table: str, data: Origin | None, values: Mapping[str, Value]) -> Iterator[str]:
    """What the numbers of a file depend on, line by line; `values` are those that hold for all of them."""
    yield words.MADE_BY
    yield f"study: {study.key}"
    yield f"table: {table}"
    yield f"relation: {study.relation.sentence}"
    if data is not None:
        yield f"data: {data.leaving.note}"
        yield from (f"person: {sentence}" for sentence in of_a_person(study, data))
    for name, value in values.items():
        yield f"{name}: {value if isinstance(value, str) else json.dumps(value)}"


def _fact_rows(facts: Iterable[Fact]) -> Iterator[list[str]]:
    yield list(FACT_FIELDS)
    for fact in facts:
        said = fact_object(fact)
        yield [cell(said[field]) for field in FACT_FIELDS]


def _table_rows(table: Table) -> Iterator[Iterable[str]]:
    yield [column.key for column in table]
    columns = [np.asarray(values, dtype=np.float64).tolist() for values in table.values()]
    for row in zip(*columns, strict=True):
        yield map(repr, row)


def cell(value: object) -> str:
    """Text that no spreadsheet takes for a formula; a number with every digit it has."""
    if value is None:
        return ""
    text = repr(value) if isinstance(value, float) else str(value)
    formula = text.startswith(("=", "+", "-", "@", "\t", "\r")) and not _is_number(text)
    return f"'{text}" if formula else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def columns_of(figure: Figure, table: Table) -> list[Column]:
    """The columns that a picture draws, in order, as far as the table has them."""
    drawn: list[Column] = []
    for layer in figure.layers:
        if isinstance(layer, Line):
            drawn += [layer.x, layer.y]
        elif isinstance(layer, (Band, Dots)):
            drawn += [column for column in (layer.x, layer.low, layer.high) if column]
        elif isinstance(layer, Map):
            drawn += [layer.x, layer.y, layer.value]
    return [column for column in dict.fromkeys(drawn) if column in table]


def values_text(columns: Mapping[Column, Array]) -> str:
    """Columns of equal length as tab-separated text at full precision, under the headers that files have."""
    lines = ["\t".join(column.key for column in columns)]
    lines += ["\t".join(map(exact, row)) for row in zip(*columns.values(), strict=True)]
    return "\n".join(lines)
