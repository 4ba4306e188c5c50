"""Doors of people's tables: CSV and its kin, packed, and Parquet."""

from __future__ import annotations

import gzip
import random
import re
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dpstudio.data.amounts import amounts
from dpstudio.data.columns import written
from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile, FileSummary
from dpstudio.data.groups import groups
from dpstudio.studies import all_studies
from fuzzed.kit import Door, in_pieces, need, printable, refusing

ENDINGS = (".csv", ".tsv", ".csv.gz", ".parquet", ".txt")
_PLAIN = re.compile(rb"[ -!#-~\n]+")
"""Without quotes, and with lines that end in one way."""


@cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="dpstudio-fuzz-"))


def tables(data: bytes) -> None:
    """A table is refused in a sentence, or every row of it counts once: in a condition, in groups, among numbers."""
    ending, content = ENDINGS[data[0] % len(ENDINGS)] if data else ".csv", data[1:]
    path = folder() / f"a{ending}"
    path.write_bytes(gzip.compress(content, 1, mtime=0) if ending == ".csv.gz" else content)
    with refusing(), DataFile(path, memory="256 MiB") as file:
        table = file.open()
        file.preview()
        need(len(table.missing) == len(table.columns), "of a column nothing is said")
        need(all(printable(note) for note in table.notes), "a note has a control")
        for column, missing in zip(table.columns[:3], table.missing, strict=False):
            there = count(file, parse(f"{written(column.name)} is missing", table.columns))
            need((there.qualifying, there.undecided, there.rows) == (missing, 0, table.rows), f"{there} of {missing}")
        _in_groups(file, table)
        _among_numbers(file, table)
        if ending in (".csv", ".tsv", ".txt") and _PLAIN.fullmatch(content) and len(table.columns) > 1:
            lines = [line for line in content.split(b"\n") if line]
            need(table.rows == len(lines) - 1, f"{table.rows} rows of {len(lines) - 1} lines")


def _in_groups(file: DataFile, table: FileSummary) -> None:
    domain = all_studies()["table"].parameter("cells").domain
    names = [column.name for column in table.columns if column.kind != "other"]
    for by in (names[:1], names[:2]):
        if not by:
            continue
        with refusing():
            found = groups(file, by, person=names[0])
            need(found.qualifying + found.valueless == table.rows == found.rows, f"{found.qualifying} of {table.rows}")
            need(len(set(found.names)) == len(found.names), "two groups are called the same")
            need(all(printable(name) for name in found.names), "the name of a group has a control")
            if len(found.counts) <= 1000:
                need(domain.accept(found.text) == found.text, f"the study reads another list than {found.text[:200]!r}")


def _among_numbers(file: DataFile, table: FileSummary) -> None:
    domain = all_studies()["number"].parameter("amounts").domain
    for column in [each for each in table.columns if each.kind == "number"][:2]:
        with refusing():
            found = amounts(file, column.name)
            need(found.size + found.valueless + found.infinite + found.beyond == table.rows, "rows are lost")
            if found.size <= 100_000:
                need(domain.accept(found.text) == found.text, f"the study reads another list than {found.text[:200]!r}")


def _table_seeds() -> Sequence[bytes]:
    texts = ("a,b\n1,2\n3,4\n", "person,age,sex\n1,30,f\n1,31,f\n,,\n", "a;b\n1,5;x\n", "a|b\n1|2\n",
             "\ufeffa,b\r\n1,2",
             'a,"b ""c"\n"x\ny",1\n', "a\n1\n2\n", "d,t,y\n2020-01-01,2020-01-01 10:00:00,true\n,,\n",
             "n\n1e999\n-0\nnan\n1e-320\n", "id\n10000000000000000001\n10000000000000000002\n", "a,a b,=c()\n1,2,3\n",
             "x,y\n1,a\n2,b\n2,c\n", "a,b\n\n1,2\n\n", ",b\n1,2\n", "a,b\n'1','2'\n")
    made = [bytes([i]) + text.encode() for text in texts for i in (0, 2)]
    return [*made, b"\1a\tb\n1\t2\n", *(b"\3" + each for each in _parquets())]


@cache
def _parquets() -> tuple[bytes, ...]:
    import duckdb

    made = []
    for query in ("SELECT 1 AS a, 'x' AS b", "SELECT range AS a, range % 3 AS b, NULL::DOUBLE AS c, 'nan'::FLOAT AS f, "
                  "now() AS t, DATE '2020-01-01' AS d, [1] AS l, true AS y, 1.5::DECIMAL(9, 2) AS m, uuid() AS u "
                  "FROM range(9)"):
        path = folder() / "made.parquet"
        duckdb.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION uncompressed)")
        made.append(path.read_bytes())
    return tuple(made)


def damaged(data: bytes, chance: random.Random, tokens: Sequence[bytes]) -> bytes:
    """Pieces changed, and now and then another ending or a line doubled."""
    made = in_pieces(data[1:], chance, tokens)
    if chance.random() < 0.2:
        lines = made.split(b"\n")
        lines[chance.randrange(len(lines)):0] = [chance.choice(lines)] * chance.choice((1, 3, 40))
        made = b"\n".join(lines)
    return (bytes([chance.randrange(5)]) if chance.random() < 0.1 else data[:1]) + made


_TOKENS = (b",", b";", b"\t", b"|", b"\n", b"\r\n", b"\r", b'"', b'""', b"NA", b"NULL", b"nan", b"inf", b"1e999",
           b"-0", b"true", b"2020-01-01",
           b"2020-01-01 10:00:00", b"24:00:00", b"9" * 25, b"0x10", b"1_000", b"\xef\xbb\xbf", b"\xff\xfe", b"\0",
           b"PAR1", b"\x1f\x8b", b"=", b"+",
           b"@", b"-", b"a", b"A", b" a", b"column0", b"column00", b"a_1", b"\xcc\x81", b"\xe2\x80\xae", b"," * 500)

DOORS = (Door("tables", "CSV, TSV, gzip and Parquet, through the database", tables, _table_seeds, damaged, 6_000, 2.0,
              tokens=_TOKENS),)
