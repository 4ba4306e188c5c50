"""What the database says went wrong, as one sentence of ours; its own messages quote rows and give advice."""

from __future__ import annotations

import re
from pathlib import Path

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.dialect import refused

_LINE = re.compile(r"CSV Error on Line: (\d+)")
_RAGGED = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_CONVERT = re.compile(r'Error when converting column "(.*?)"', re.DOTALL)


class Stopped(Exception):
    """What was asked for is not wanted any more."""


def sentence_for(error: Exception, path: Path) -> Exception:
    """The refusal, or the end, that an error of the database stands for."""
    import duckdb

    message = str(error)
    line = _LINE.search(message)
    where = f"in line {line[1]}" if line else "somewhere"
    if isinstance(error, duckdb.InterruptException):
        return Stopped()
    if isinstance(error, duckdb.OutOfMemoryException):
        return InvalidParameter("memory", "large enough for this table", "too little",
                                "rows are never written to disk: count without a person, or by one with fewer values")
    if ragged := _RAGGED.search(message):
        return refused(path, f"{where} it has {_columns(ragged[2])}, and its first line has {ragged[1]}")
    if "Invalid unicode" in message or "not utf-8 encoded" in message:
        return refused(path, f"{where} it is no UTF-8 text: save it as UTF-8")
    if "unterminated quote" in message or "quotes should be escaped" in message:
        return refused(path, f"{where} it opens a quote and never closes it")
    if "Maximum line size" in message:
        return refused(path, f"{where} it has a line of more than two million bytes")
    if column := _CONVERT.search(message):
        return refused(path, f"{where} the column {column[1][:40]!r} holds something else than before: was it changed?")
    if isinstance(error, duckdb.IOException | duckdb.InvalidInputException):
        return refused(path, "it is damaged, or not what its name says")
    if isinstance(error, duckdb.Error):
        return refused(path, f"the database cannot read it: {type(error).__name__}")  # its words may quote a row
    return error


def _columns(number: str) -> str:
    return f"{number} column{'s' if number != '1' else ''}"
