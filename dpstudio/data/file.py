"""One file of people's data: opened, looked at, counted; its rows stay where they are."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import FileColumn, identifier, literal, not_apart, shown, unnamed
from dpstudio.data.condition.sql import value_of
from dpstudio.data.database import Stopped, connected, database_error, plainly_named
from dpstudio.data.dialect import Dialect, dialect_of, header_looks_like_data, refused, unpacked, width_of
from dpstudio.data.origin import MISSING
from dpstudio.records import dataclass

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PREVIEWED = 200
"""Rows of a preview; fewer of a very wide table."""
_CELLS, _LETTERS = 400_000, 80
_TYPES = "['BOOLEAN', 'BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR']"
_BLOCK = 2**20
_EXACT = 2**53
"""From here on doubles do not tell whole numbers apart."""


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What a file holds, without its values."""

    name: str
    sha256: str
    rows: int
    columns: tuple[FileColumn, ...]
    missing: tuple[int, ...]
    """Rows without a value, a number a column."""
    notes: tuple[str, ...] = ()
    """What somebody should know before counting, a sentence each."""


class DataFile:
    """A file and a connection that can read it and nothing else; every method may be interrupted from another thread.

    Methods raise InvalidParameter for what the file or a request has wrong, and Stopped after an interruption.
    """

    def __init__(self, path: str | Path, *, missing: Sequence[str] = MISSING, memory: str | None = None) -> None:
        self.path = Path(path).absolute()
        self.missing = tuple(missing)
        self.table: FileSummary | None = None
        self._memory = memory
        self._stopped = Event()
        self._connection: DuckDBPyConnection | None = None
        self._folders: list[TemporaryDirectory[str]] = []
        self._state: tuple[int, ...] = ()

    def open(self) -> FileSummary:
        """Read the whole file once: its digest, the types of its columns, its rows and what is missing."""
        try:
            return self._read()
        except OSError as error:  # it was there a moment ago
            raise refused(self.path, (error.strerror or "it cannot be read").lower()) from None

    def _read(self) -> FileSummary:
        dialect = dialect_of(self.path)
        self._state = self._look()
        digest = self._digest()
        if dialect.packed:
            self._check_packed()
        path = plainly_named(self.path.resolve(), self._folders)
        self._connection = connected(path, self._memory)
        columns = self._define(path, dialect)
        nameless = self._check_names(path, dialect, [column.name for column in columns])
        rows, missing, notes, large = self._survey(columns, dialect)
        if large:  # seldom: only then is the file read once more
            columns, kept = self._tell_apart(path, dialect, columns, large)
            if kept:
                rows, missing, notes, _ = self._survey(columns, dialect)
                notes = (*notes, *kept)
        if self._look() != self._state:
            raise refused(self.path, "it changed while it was read: open it again")
        name = os.fsencode(self.path.name).decode("utf-8", "replace")  # no text can hold half a sign
        self.table = FileSummary(name, digest, rows, columns, missing, (*nameless, *notes))
        return self.table

    def preview(self) -> tuple[tuple[str | None, ...], ...]:
        """The first rows as text, None where there is no value."""
        columns = self.opened().columns
        shown_ = ", ".join(f"left(CAST({identifier(column.name)} AS VARCHAR), {_LETTERS + 1})" for column in columns)
        rows = self.query(f"SELECT {shown_} FROM data LIMIT {max(1, min(PREVIEWED, _CELLS // len(columns)))}")
        return tuple(tuple(None if cell is None else _cut(cell) for cell in row) for row in rows)

    def opened(self) -> FileSummary:
        assert self.table is not None, "the file was not opened"
        return self.table

    def check_unchanged(self) -> None:
        """Refuse to count in another file than the one that was opened."""
        if self._look() != self._state:
            raise refused(self.path, "it has changed since it was opened: open it again")

    def query(self, text: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows that a query of ours gives; it is never made of anybody's text."""
        assert self._connection is not None, "the file was not opened"
        if self._stopped.is_set():
            raise Stopped
        try:
            rows: list[tuple[Any, ...]] = self._connection.execute(text, list(values)).fetchall()
        except Exception as error:
            if self._stopped.is_set():
                raise Stopped from None
            if isinstance(error, RuntimeError) and "interrupted" in str(error):
                raise KeyboardInterrupt from None  # how the database hands on the signal of a terminal
            raise database_error(error, self.path) from None
        return rows

    def interrupt(self) -> None:
        """Let whatever runs end soon with Stopped, and all that is asked before `resume`; from any thread."""
        self._stopped.set()
        if self._connection is not None:
            self._connection.interrupt()

    def resume(self) -> None:
        """Let what is asked for from now on run to its end."""
        self._stopped.clear()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        for folder in self._folders:
            folder.cleanup()
        self._folders.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def _look(self) -> tuple[int, ...]:
        try:
            found = self.path.stat()
        except OSError as error:
            raise refused(self.path, (error.strerror or "it is gone").lower()) from None
        # The last is the time of the last change, which a copying program cannot set back as it does the second.
        return found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns

    def _digest(self) -> str:
        digest = hashlib.sha256()
        with self.path.open("rb") as file:
            for block in self._blocks(file):
                digest.update(block)
        return digest.hexdigest()

    def _check_packed(self) -> None:
        """Unpack to the end: the database takes a packed file that breaks off for one that is complete."""
        with unpacked(self.path) as file:
            for _ in self._blocks(file):
                pass

    def _blocks(self, file: io.BufferedIOBase) -> Iterator[bytes]:
        """All of a file, until somebody interrupts."""
        while block := file.read(_BLOCK):
            if self._stopped.is_set():
                raise Stopped
            yield block

    def _define(self, path: Path, dialect: Dialect) -> tuple[FileColumn, ...]:
        """Make the view that everything else reads, and return its columns."""
        if dialect.format == "parquet":
            reading = f"read_parquet({literal(os.fspath(path))}, hive_partitioning = false)"
            columns = self._described(reading)
        else:
            options = self._options(path, dialect)
            try:
                columns = self._described(f"read_csv({options}, sample_size = -1, auto_type_candidates = {_TYPES})")
            except InvalidParameter:
                # It says no more than that this is no table: reading all as text says in which line.
                texts = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(width_of(self.path, dialect)))
                self.query(f"SELECT count(c0) FROM read_csv({options}, auto_detect = false, columns = {{{texts}}})")
                if dialect.mixed:
                    raise refused(self.path, "its line breaks, perhaps those within a name, are of several kinds: save "
                                  "it with one") from None
                raise
            reading = _typed(options, columns)
        self.query(f"CREATE VIEW data AS SELECT * FROM {reading}")
        return columns

    def _options(self, path: Path, dialect: Dialect) -> str:
        """How a table of text is to be read, whatever the types of its columns are."""
        return (f"{_as_text(path, dialect)}, header = true, dateformat = '%Y-%m-%d', "
                f"nullstr = [{', '.join(map(literal, self.missing))}]")

    def _tell_apart(self, path: Path, dialect: Dialect, columns: Sequence[FileColumn], large: Sequence[FileColumn]
                    ) -> tuple[tuple[FileColumn, ...], tuple[str, ...]]:
        """Read as text those of the large numbers that are whole and too long for a double, and note which they are.

        Such a column is one of names, as of persons: as doubles 10000000000000000001 and …2 would be one.
        """
        options = self._options(path, dialect)
        as_text = {column: FileColumn(column.name, "VARCHAR") for column in large}
        asked = ", ".join(f"bool_or(regexp_full_match(trim({name}), '[+-]?[0-9]{{16,}}') AND "
                          f"abs(TRY_CAST({name} AS DOUBLE)) >= {_EXACT})"
                          for name in (identifier(column.name) for column in large))
        reading = _typed(options, [as_text.get(column, column) for column in columns])
        whole = {column for column, holds in zip(large, self.query(f"SELECT {asked} FROM {reading}")[0], strict=True)
                 if holds}
        kept = tuple(as_text[column] if column in whole else column for column in columns)
        self.query(f"CREATE OR REPLACE VIEW data AS SELECT * FROM {_typed(options, kept)}")
        return kept, tuple(f"{shown(column.name)} is read as text: it holds whole numbers too long to be told apart as "
                           "numbers." for column in columns if column in whole)

    def _check_names(self, path: Path, dialect: Dialect, read: Sequence[str]) -> tuple[str, ...]:
        """Refuse names that do not tell the columns apart, and note those that the file does not have."""
        if dialect.format == "parquet":
            schema = f"parquet_schema({literal(os.fspath(path))})"
            written = _outermost(self.query(f"SELECT name, num_children FROM {schema}"))
        else:
            texts = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(read)))
            first = (f"{_as_text(path, dialect)}, header = false, nullstr = [''], auto_detect = false, "
                     f"columns = {{{texts}}}")
            written = list(self.query(f"SELECT * FROM read_csv({first}) LIMIT 1")[0])
        if why := not_apart(written, read):
            raise refused(self.path, why)
        note = unnamed(written, read)
        return () if note is None else (note,)

    def _described(self, reading: str) -> tuple[FileColumn, ...]:
        return tuple(FileColumn(str(row[0]), str(row[1])) for row in self.query(f"DESCRIBE SELECT * FROM {reading}"))

    def _survey(self, columns: Sequence[FileColumn], dialect: Dialect
                ) -> tuple[int, tuple[int, ...], tuple[str, ...], list[FileColumn]]:
        """Rows, missing values, notes on what may not be what it seems, and columns of text read as large doubles."""
        doubles = [column for column in columns if column.type == "DOUBLE"] if dialect.format == "text" else []
        texts = [column for column in columns if column.type == "VARCHAR"] if dialect.format == "text" else []
        # Each is worked out once, below: the database takes the square of their number to find that two are alike.
        made = [f"{value_of(column)} AS v{i}" for i, column in enumerate(columns)]
        asked = ["count(*)", *(f"count(v{i})" for i in range(len(columns)))]
        for i, column in enumerate(texts):
            made += [f"{identifier(column.name)} AS t{i}", f"TRY_CAST({identifier(column.name)} AS DOUBLE) AS n{i}"]
            asked += [f"count(n{i})", f"min(CASE WHEN n{i} IS NULL THEN t{i} END)"]
        asked += [f"max(abs(v{i}))" for i, column in enumerate(columns) if column in doubles]
        rows, *counts = self.query(f"SELECT {', '.join(asked)} FROM (SELECT {', '.join(made)} FROM data)")[0]
        largest, counts = counts[len(counts) - len(doubles):], counts[:len(counts) - len(doubles)]
        notes = []
        if dialect.format == "text" and header_looks_like_data([column.name for column in columns]):
            notes.append("The first line was taken for the names of the columns, though it looks like data.")
        present = dict(zip((column.name for column in columns), counts, strict=False))
        for column, numbers, other in zip(texts, counts[len(columns)::2], counts[len(columns) + 1::2], strict=True):
            if 0 < numbers < present[column.name] and numbers * 2 > present[column.name]:
                notes.append(f"{shown(column.name)} is read as text: it holds {numbers} numbers, and others such as "
                             f"{shown(other)}.")
        large = [column for column, most in zip(doubles, largest, strict=True) if most is not None and most >= _EXACT]
        return rows, tuple(rows - count for count in counts[:len(columns)]), tuple(notes), large


def _as_text(path: Path, dialect: Dialect) -> str:
    """How the database is to take a file for a table of text, whatever its columns and its first line are."""
    return ", ".join((
        literal(os.fspath(path)), f"delim = {literal(dialect.separator)}", "quote = '\"'", "escape = '\"'", "skip = 0",
        "comment = ''", "strict_mode = true", "hive_partitioning = false",  # a folder called year=2026 adds no column
        f"compression = '{'gzip' if dialect.packed else 'none'}'"))


def _typed(options: str, columns: Sequence[FileColumn]) -> str:
    """A table of text as one of columns of these types."""
    types = ", ".join(f"{literal(column.name)}: '{column.type}'" for column in columns)
    return f"read_csv({options}, auto_detect = false, columns = {{{types}}})"


def _outermost(schema: Sequence[tuple[str, int | None]]) -> list[str | None]:
    """Names of the columns in a list of all that they are made of: each is followed by its parts."""
    names: list[str | None] = []
    inside = 0
    for name, parts in schema[1:]:  # the first holds them all
        if not inside:
            names.append(name)
            inside = 1
        inside += (parts or 0) - 1
    return names


def _cut(text: str) -> str:
    return text if len(text) <= _LETTERS else text[:_LETTERS - 1] + "…"
