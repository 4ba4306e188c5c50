"""A sweep as a file: CSV, JSON or Parquet, a row for each cell, with what its numbers depend on."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from dpstudio import __version__
from dpstudio.core.sweep import KINDS, Swept
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file, words
from dpstudio.documents.embedded import SESSION
from dpstudio.documents.session import Session
from dpstudio.documents.tables import BLOCK, csv_blocks, data_object, json_numbers, preamble, session_line, value_text

SweepFormat: TypeAlias = Literal["csv", "json", "parquet"]
FORMATS: tuple[SweepFormat, ...] = get_args(SweepFormat)
_REQUEST = re.compile(rb'request"?: "?([0-9a-f]{64})')
_SEARCHED = 2**16
"""Bytes at the beginning and at the end of a file among which its request is said."""


def request_of(path: str | Path) -> str | None:
    """The digest of the request that a file answers, where it is one of these; raises OSError."""
    with Path(path).open("rb") as file:
        head = file.read(_SEARCHED)
        file.seek(max(file.seek(0, io.SEEK_END) - _SEARCHED, 0))
        found = _REQUEST.search(head) or _REQUEST.search(file.read())
    return found[1].decode() if found else None


def write(file: BinaryIO, swept: Swept, format: SweepFormat, data: Origin | None = None) -> None:  # noqa: A002
    """All that a sweep came to; `data` is there where a value was counted. Raises OSError, and ValueError where that
    says that a count is left out which is not."""
    words.check_left_out(swept.plan.study, data)
    match format:
        case "csv":
            _write_csv(file, swept, data)
        case "json":
            _write_json(file, swept, data)
        case "parquet":
            from dpstudio.data.database import parquet  # the database is large

            about = {"dpstudio": "\n".join(_about(swept, data))}
            file.write(parquet({**dict(_grid(swept)), **_columns(swept)}, about))


def _about(swept: Swept, data: Origin | None) -> Iterator[str]:
    plan = swept.plan
    yield from preamble(plan.study, "sweep", data, plan.base)
    for over in plan.over:
        first, last = (value_text(over.values[end]) for end in (0, -1))
        yield f"over: {over.name}, {len(over.values)} from {first} to {last}"
    for column, kind in _kinds(swept).items():
        yield f"kind of {column}: {kind}"
    yield session_line(_session(swept, data))
    if swept.whole:
        yield f"request: {plan.digest}"
    else:  # nobody goes on from such a file, or takes it for the answer
        yield f"so far: {swept.done} of {plan.total} cells, which alone stand here"


def _session(swept: Swept, data: Origin | None) -> Session:
    """What every cell has."""
    return Session.of(type(swept.plan.study), swept.plan.base, data)


def _kinds(swept: Swept) -> dict[str, str]:
    """Of each fact by the header of its column how sure its values are: exact, or exact and bound, or none."""
    found = {}
    for column, kinds in swept.kinds.items():
        there = set(kinds.tolist())
        found[column.key] = " and ".join(kind for place, kind in enumerate(KINDS, 1) if place in there) or "none"
    return found


def _columns(swept: Swept) -> dict[str, npt.NDArray[Any]]:
    """The facts by their headers, with the ends of intervals, and how sure each value is where that differs."""
    made: dict[str, npt.NDArray[Any]] = {column.key: values for column, values in
                                         list(swept.rows.items())[len(swept.plan.over):]}
    named = np.array(["", *KINDS, "", ""])
    for column, kind in _kinds(swept).items():
        if " and " in kind:
            of = next(values for each, values in swept.kinds.items() if each.key == column)
            made[f"{column}_kind"] = named[of[swept.computed]]
    return made


def _grid(swept: Swept) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """The swept parameters by name, row by row, as what they are: words as words, whole numbers as such."""
    over = swept.plan.over
    values = (each[swept.computed] for each in swept.plan.row_by_row(each.values for each in over))
    return zip((each.name for each in over), values, strict=True)


def _write_csv(file: BinaryIO, swept: Swept, data: Origin | None) -> None:
    facts = _columns(swept)
    heads = [*(over.name for over in swept.plan.over), *facts]
    file.writelines(block.encode() for block in csv_blocks(_about(swept, data), heads, _rows(swept, facts)))


def _rows(swept: Swept, facts: Mapping[str, npt.NDArray[Any]]) -> Iterator[tuple[str, ...]]:
    cells = (map(value_text, swept.plan.cell(i).values()) for i in np.flatnonzero(swept.computed).tolist())
    for begin in range(0, swept.done, BLOCK):
        columns = (map(str, values[begin:begin + BLOCK].tolist()) for values in facts.values())
        yield from ((*next(cells), *row) for row in zip(*columns, strict=True))


def _write_json(file: BinaryIO, swept: Swept, data: Origin | None) -> None:
    plan, kinds = swept.plan, _kinds(swept)
    facts = [{"key": column.quantity.key, "label": column.quantity.label,
              "mechanism": column.series.key if column.series else None, "unit": column.quantity.unit,
              "kind": kinds[column.key], "column": column.key} for column in swept.columns]
    made: dict[str, Any] = {"study": plan.study.key, "version": __version__,
                            **({"request": plan.digest} if swept.whole else {"so_far": swept.done}),
                            "parameters": dict(plan.base), "over": {over.name: len(over.values) for over in plan.over},
                            "simulated": plan.simulate, "facts": facts, "relation": plan.study.relation.sentence,
                            SESSION: session_file.as_json(_session(swept, data))}
    made |= data_object(data)
    file.write(json.dumps(made, ensure_ascii=False, allow_nan=False)[:-1].encode() + b', "table": {')
    columns: Mapping[str, npt.NDArray[Any]] = {**dict(_grid(swept)), **_columns(swept)}
    for place, (name, values) in enumerate(columns.items()):
        file.write(b"," * (place > 0) + f"\n {json.dumps(name)}: [".encode())
        for begin in range(0, len(values), BLOCK):
            block = values[begin:begin + BLOCK]
            listed = json_numbers(block) if block.dtype.kind == "f" else block.tolist()
            file.write(b", " * (begin > 0) + json.dumps(listed, ensure_ascii=False, allow_nan=False)[1:-1].encode())
        file.write(b"]")
    file.write(b"}}\n")
