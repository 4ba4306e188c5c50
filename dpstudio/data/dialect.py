"""What a file is, told from its name and its first bytes: which format, and what separates its columns."""

from __future__ import annotations

import csv
import gzip
import itertools
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.origin import ENDINGS
from dpstudio.records import dataclass
from dpstudio.text.entry import read_double

Format: TypeAlias = Literal["text", "parquet"]

FORMATS: dict[str, Format] = {ending: "parquet" if ending in (".parquet", ".pq") else "text" for ending in ENDINGS}
NAME_FILTER = "Tables (*.csv *.tsv *.tab *.txt *.csv.gz *.tsv.gz *.parquet *.pq)"
EXPECTED = "a table as CSV, TSV or Parquet"
MOST_COLUMNS = 10_000
"""With more the database takes minutes and gigabytes for what may be one line of commas."""
_HEAD, _LONGEST_LINE = 2**16, 2**22
_PARQUET, _GZIP, _MARK = b"PAR1", b"\x1f\x8b", b"\xef\xbb\xbf"
_OTHERS = {
    b"\x89PNG": "a PNG picture", b"%PDF": "a PDF", b"PK\x03\x04": "an archive or a workbook: export it as CSV",
    b"\xd0\xcf\x11\xe0": "an old workbook: export it as CSV", b"SQLite": "a database", b"ARROW1": "an Arrow file",
    b"\xff\xfe": "UTF-16 text: save it as UTF-8", b"\xfe\xff": "UTF-16 text: save it as UTF-8",
    b"<!doctype": "a page of HTML", b"<html": "a page of HTML", b"<?xml": "XML", b"{": "JSON"}
_FOOTER = re.compile(rb"\x15[\x80-\xff]{0,4}[\x00-\x7f]\x19([\x0c-\xfc])([\x80-\xff]{0,4}[\x00-\x7f])", re.DOTALL)
_SEPARATORS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The format and, of text, the separator, whether it is packed, and whether its lines end in several ways."""

    format: Format
    separator: str = ","
    packed: bool = False
    mixed: bool = False


def refused(path: Path, why: str) -> InvalidParameter:
    return InvalidParameter("file", EXPECTED, path.name, why)


def dialect_of(path: Path) -> Dialect:
    """What the file is; raises InvalidParameter where it is none of what can be read, or not what its name says."""
    head = _head(path)
    name = path.name.lower()
    packed = name.endswith(".gz")
    ending = Path(name.removesuffix(".gz")).suffix
    if ending not in FORMATS:
        raise refused(path, f"its name must end in {', '.join(FORMATS)}, or .gz after one of the first four")
    if not head:
        raise refused(path, "it is empty")
    if FORMATS[ending] == "parquet" and not packed:
        if not head.startswith(_PARQUET) or not _ends_as_parquet(path):
            raise refused(path, "it is not what its name says: no Parquet file begins or ends like it")
        _check_width(path, _parquet_width(path))
        return Dialect("parquet")
    if head.startswith(_PARQUET):
        raise refused(path, "it is not what its name says but Parquet: its name should end in .parquet")
    if packed != head.startswith(_GZIP):
        raise refused(path, "it is packed by gzip and its name does not say so" if not packed
                      else "it is not what its name says: no gzip file begins like it")
    if packed:
        with unpacked(path) as file:
            head = file.read(_HEAD)
    for start, kind in _OTHERS.items():
        if head.startswith(start) or head[:20].lower().startswith(start):
            raise refused(path, f"it is not what its name says but {kind}")
    begin = head.removeprefix(_MARK).lstrip(b" ")
    if not begin.strip(b" \r\n"):
        raise refused(path, "it is empty")
    if begin[:1] in b"\r\n":  # the database would pass over it, and take the next line for names or for data
        raise refused(path, "its first line is empty, and should have the names of the columns: take it out")
    if b"\0" in head:
        raise refused(path, "it is not what its name says: it holds bytes that no text has")
    separator = "\t" if ending in (".tsv", ".tab") else _separator(head)
    ends = sum(end in head.replace(b"\r\n", b"\0") for end in (b"\r", b"\n", b"\0"))
    dialect = Dialect("text", separator, packed, mixed=ends > 1)
    _check_width(path, width_of(path, dialect))
    return dialect


def _check_width(path: Path, columns: int) -> None:
    if columns > MOST_COLUMNS:
        raise refused(path, f"it has more than {MOST_COLUMNS} columns")


def width_of(path: Path, dialect: Dialect) -> int:
    """How many columns the first line has; raises InvalidParameter where a name in it has no end."""
    with (gzip.open(path, "rt", encoding="utf-8-sig", errors="replace", newline="") if dialect.packed
          else path.open(encoding="utf-8-sig", errors="replace", newline="")) as file:
        # Names may hold line breaks; no line is read whole that may be all of a large file.
        lines = itertools.islice(iter(lambda: file.readline(_LONGEST_LINE), ""), 100)
        try:
            return len(next(csv.reader(lines, delimiter=dialect.separator), [""])) or 1
        except csv.Error:
            raise refused(path, f"its first line has a name of more than {csv.field_size_limit()} signs") from None


def header_looks_like_data(names: list[str]) -> bool:
    """Whether what should be names are all numbers."""
    return bool(names) and all(read_double(name) is not None for name in names)


def _head(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise refused(path, "it is a folder" if path.is_dir() else "it is no ordinary file")
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        raise refused(path, (error.strerror or os.strerror(error.errno or 5)).lower()) from None


def _ends_as_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        if file.tell() < 12:
            return False
        file.seek(-4, os.SEEK_END)
        return file.read(4) == _PARQUET


def _parquet_width(path: Path) -> int:
    """Columns and groups of them, as the footer begins: a version, then the list of them, in Thrift's compact form."""
    with path.open("rb") as file:
        file.seek(-8, os.SEEK_END)
        length = int.from_bytes(file.read(4), "little")
        file.seek(-min(length + 8, file.seek(0, os.SEEK_END)), os.SEEK_END)
        begin = file.read(16)
    found = _FOOTER.match(begin)
    if found is None:
        return 0  # whatever it is, the database will say
    few, many = found[1][0] >> 4, found[2]
    listed = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(many)) if few == 15 else few
    return listed - 1  # the first is the group of them all


@contextmanager
def unpacked(path: Path) -> Iterator[gzip.GzipFile]:
    """A file that gzip packed; reading raises InvalidParameter where it is damaged."""
    try:
        with gzip.open(path) as file:
            yield file
    except (OSError, EOFError, zlib.error):
        raise refused(path, "it is damaged: what gzip packed breaks off or is not what was packed") from None


def _separator(head: bytes) -> str:
    """The sign, of those in use, that the first line has most of outside its quotes."""
    line, quoted = head.decode("utf-8", "replace").removeprefix("\ufeff"), False
    found = dict.fromkeys(_SEPARATORS, 0)
    for sign in line:
        if sign == '"':
            quoted = not quoted
        elif sign in "\r\n" and not quoted:
            break
        elif sign in found and not quoted:
            found[sign] += 1
    return max(found, key=lambda sign: found[sign])
