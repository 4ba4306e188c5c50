"""A database in memory that can read one file and nothing else, its errors as sentences of ours, and tables of ours.

What holds it: nothing outside is accessible but the one path, nothing is loaded or installed, Python's variables are
not looked at, nothing is ever spilled to disk, and the settings are locked. All that a query could still do is to write
over that one file; but no text of anybody's is a query: a condition is rebuilt from its tree, with quoted names and its
values apart.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import identifier, literal
from dpstudio.data.dialect import refused

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SETTINGS = {
    "allow_community_extensions": "false",
    "allow_unsigned_extensions": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "python_scan_all_frames": "false",
    "temp_directory": "",
}
_ODD = re.compile(r"[*?\[\]\ud800-\udfff]")
"""The database takes a name with one of the first for a pattern, and would read other files that fit it; the others
stand for bytes that are no UTF-8 text, by which it opens nothing."""
_LINE = re.compile(r"CSV Error on Line: (\d+)")
_RAGGED = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_CONVERT = re.compile(r'Error when converting column "(.*?)"', re.DOTALL)


class Stopped(Exception):
    """What was asked for is not wanted any more."""


def connected(path: Path, memory: str | None = None) -> DuckDBPyConnection:
    """A connection to which `path` alone is readable; `memory` is the most that it may use, half of what there is."""
    import duckdb

    connection = duckdb.connect(":memory:", config=dict(_SETTINGS))
    try:
        connection.execute(f"SET memory_limit = {literal(memory or _half_of_memory())}")
        connection.execute("SET enable_progress_bar = false")
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(f"SET allowed_paths = [{literal(os.fspath(path))}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except BaseException:
        connection.close()
        raise
    return connection


def plainly_named(path: Path, folders: list[TemporaryDirectory[str]]) -> Path:
    """The file by a name that is no pattern: its own, or that of a link to it in a folder added to `folders`."""
    if not _ODD.search(os.fspath(path)):
        return path
    folders.append(TemporaryDirectory(prefix="dpstudio-"))
    link = Path(folders[-1].name) / f"table{''.join(path.suffixes[-2:])}"
    if _ODD.search(os.fspath(link)):
        link = Path(folders[-1].name) / f"table{path.suffix}"
    try:
        link.symlink_to(path)
    except OSError:
        raise refused(path, "its path has one of the signs * ? [ ], or is no UTF-8 text: rename it") from None
    return link


def database_error(error: Exception, path: Path) -> Exception:
    """The refusal, or the end, that an error of the database stands for; its own words quote rows and give advice."""
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
        return refused(path, f"{where} it has {_so_many(ragged[2])}, and its first line has {ragged[1]}")
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


def _so_many(number: str) -> str:
    return f"{number} column{'s' if number != '1' else ''}"


def _half_of_memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on Windows
        size = 4 * 2**30
    return f"{max(size // 2, 2**28) // 2**20} MiB"


# A table of ours as a Parquet file


def parquet(columns: Mapping[str, npt.NDArray[Any]], about: Mapping[str, str]) -> bytes:
    """Columns of equal length, in order, and what the file says about itself, by names that are plain words."""
    with TemporaryDirectory(prefix="dpstudio-") as folder:
        path = Path(folder) / "table.parquet"
        connection = connected(path)
        try:
            connection.register("columns", dict(columns))
            said = ", ".join(f"{name}: {literal(text)}" for name, text in about.items())
            # The database takes nan in an array for nothing at all.
            listed = ", ".join(f"coalesce({identifier(name)}, 'nan'::DOUBLE) AS {identifier(name)}"
                               if values.dtype.kind == "f" else identifier(name) for name, values in columns.items())
            connection.execute(f"COPY (SELECT {listed} FROM columns) TO {literal(str(path))} "
                               f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{said}}})")
        finally:
            connection.close()
        return path.read_bytes()
