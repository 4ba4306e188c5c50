"""Numbers as files: facts and tables as JSON and CSV, at full precision and with what they depend on."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from dpstudio import __version__
from dpstudio.core.declare import Array
from dpstudio.core.figure import Band, Dots, Figure, Guesses, Line, Map
from dpstudio.core.results import Column, Fact, FactPlace, Table
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file, words
from dpstudio.documents.embedded import SESSION
from dpstudio.documents.files import write_file
from dpstudio.documents.rows import tabbed
from dpstudio.documents.session import Session
from dpstudio.text.entry import read_double
from dpstudio.text.numbers import exact
from dpstudio.vocabulary import Value

FACT_FIELDS = ("key", "label", "mechanism", "value", "kind", "low", "high", "unit")
"""What a table has of a fact; an object has its heading, formula and source besides."""
BLOCK = 100_000
"""Rows that are turned into text at once."""


def write_json(path: str | Path, session: Session, update: Update) -> None:
    """Everything an update of the study in view says, as one JSON object; raises OSError."""
    write_file(path, json_text(session, update))


def write_csv(path: str | Path, session: Session, update: Update, table: str | None = None) -> None:
    """The facts or, by name, one table as CSV; raises OSError, and KeyError where there is no such table."""
    write_file(path, csv_text(session, update, table))


def write_all_csv(folder: str | Path, session: Session, update: Update) -> None:
    """The facts and every table, a file each, in a folder that is made where it is missing; raises OSError."""
    folder, key = Path(folder), session.study_class.key
    folder.mkdir(parents=True, exist_ok=True)
    write_csv(folder / f"{key}-facts.csv", session, update)
    for name in update.tables:
        write_csv(folder / f"{key}-{name}.csv", session, update, name)


def json_text(session: Session, update: Update) -> str:
    """As `document`, with what `Session.carried` says."""
    return object_text(document(session.study, update, data=session.data), session.carried())


# What files of numbers have in common: of a study, of settings beside each other, of a sweep

def object_text(made: dict[str, Any], session: Session) -> str:
    """An object of numbers as JSON, with the session that they are of."""
    return json_lines(made | {SESSION: session_file.as_json(session)})


def json_lines(made: object) -> str:
    """Plain objects as JSON that people can read, too."""
    return json.dumps(made, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def csv_blocks(about: Iterable[str], heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table as CSV, so many rows at a time: what its numbers depend on, each line after a #, a header, the rows."""
    out = io.StringIO()
    out.writelines(f"# {line}\n" for line in about)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    left = iter(rows)
    while True:
        writer.writerows(islice(left, BLOCK))
        if not out.tell():
            return
        yield out.getvalue()
        out.seek(out.truncate(0))


def session_line(session: Session) -> str:
    """What is said of the session that numbers are of, among what they depend on."""
    return f"{SESSION}: {session_file.text(session)}"


def data_object(data: Origin | None) -> dict[str, Any]:
    """What an object of numbers says of where a value was counted; nothing where none was."""
    return {} if data is None else {"data": data.leaving.as_json() | {"note": data.leaving.note}}


def document(study: Study, update: Update, *, tables: bool = True, data: Origin | None = None,
             asked: Iterable[FactPlace] | None = None) -> dict[str, Any]:
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
    return made | data_object(data) | {"verdicts": [*of_a_person(study, data), *update.verdicts]}


def of_a_person(study: Study, data: Origin | None) -> Iterator[str]:
    """What must be said before “one person” is, where that need not be one record."""
    if data is not None and not words.is_one_record(study, data):
        from dpstudio.data.meaning import person_guarantee  # whoever has no data does not wait for it

        yield person_guarantee(replace(data, most=None), study)  # which is read from the data, and stays here


def fact_object(fact: Fact) -> dict[str, Any]:
    """A fact as programs outside read it."""
    ends = (None if end is None else json_number(end) for end in (fact.low, fact.high))
    numbers = zip(FACT_FIELDS, (fact.key, fact.quantity.label, fact.place[1],
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
    about = *preamble(study, table or "facts", session.data, study.values()), session_line(session.carried())
    if table is None:
        told = ([cell(said[field]) for field in FACT_FIELDS] for said in map(fact_object, update.facts))
        return "".join(csv_blocks(about, FACT_FIELDS, told))
    columns = update.tables[table]
    numbers = (np.asarray(values, dtype=np.float64).tolist() for values in columns.values())
    rows = (map(repr, row) for row in zip(*numbers, strict=True))
    return "".join(csv_blocks(about, (column.key for column in columns), rows))


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
        yield f"{name}: {value_text(value)}"


def value_text(value: Value) -> str:
    """A value of a parameter in a table: a word as it is, all else as JSON has it."""
    return value if isinstance(value, str) else json.dumps(value)


def cell(value: object) -> str:
    """Text that no spreadsheet takes for a formula; a number with every digit it has."""
    if value is None:
        return ""
    text = repr(value) if isinstance(value, float) else str(value)
    formula = text.startswith(("=", "+", "-", "@", "\t", "\r")) and read_double(text) is None
    return f"'{text}" if formula else text


def columns_of(figure: Figure, table: Table) -> list[Column]:
    """The columns that a picture draws, in order, as far as the table has them."""
    drawn: list[Column] = []
    for layer in figure.layers:
        if isinstance(layer, Line):
            drawn += [layer.x, layer.y]
        elif isinstance(layer, Band):
            drawn += [layer.x, layer.low, layer.high]
        elif isinstance(layer, Dots):
            drawn += [column for column in (layer.x, layer.y, layer.low, layer.high) if column]
        elif isinstance(layer, Map):
            drawn += [layer.x, layer.y, layer.value]
        elif isinstance(layer, Guesses):
            drawn += [layer.guesses, layer.without, layer.right]
    return [column for column in dict.fromkeys(drawn) if column in table]


def values_text(columns: Mapping[Column, Array]) -> str:
    """Columns of equal length as tab-separated text at full precision, under the headers that files have."""
    return tabbed([(column.key for column in columns),
                   *(map(exact, row) for row in zip(*columns.values(), strict=True))])
