"""Files are what their names say or are refused in one sentence; what they hold is read in full and never guessed."""

from __future__ import annotations

import gzip
import hashlib
import os
import random
import re
import threading
from functools import partial

import duckdb
import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.data import dialect
from dpstudio.data.cohort import cohort, symptom
from dpstudio.data.columns import written
from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.database import Stopped
from dpstudio.data.dialect import MOST_COLUMNS, dialect_of, width_of
from dpstudio.data.file import DataFile
from dpstudio.data.groups import groups

packed = partial(gzip.compress, mtime=0)
"""The same bytes at any time: tests are called after them."""


def opened(path, **options):
    with DataFile(path, **options) as file:
        return file.open()


def kinds(table):
    return {column.name: column.kind for column in table.columns}


def test_that_a_table_says_its_columns_rows_and_what_is_missing(people):
    table = people.opened()
    assert kinds(table) == {"person": "number", "age": "number", "sex": "text", "smoker": "yes or no", "born": "date",
                            "note": "text"}
    assert (table.rows, table.missing) == (8, (1, 1, 0, 1, 3, 5))
    assert table.sha256 == hashlib.sha256(people.path.read_bytes()).hexdigest()
    assert people.preview()[1] == ("1", "31", "f", "false", "1990-01-01", "=cmd()")


@pytest.mark.parametrize(("name", "content"), [
    ("a.tsv", "a\tb\n1\t2\n"), ("a.csv", "a;b\n1;2\n"), ("a.txt", "a|b\n1|2\n"), ("a.csv", "\ufeffa,b\r\n1,2"),
    ("a.csv.gz", packed(b"a,b\n1,2\n")), ("we[1]rd *.csv", "a,b\n1,2\n"), ("it's.csv", "a,b\n1,2\n"),
    ("year=2026.csv", "a,b\n1,2\n")])
def test_that_tables_of_every_dialect_and_name_are_read(write, name, content):
    write("we1rd x.csv", "a,b\n7,7\n8,8\n")  # what the name above would match as a pattern
    table = opened(write(name, content))
    assert (kinds(table), table.rows) == ({"a": "number", "b": "number"}, 1)


def test_that_parquet_is_read_and_a_folder_that_looks_like_a_value_adds_no_column(tmp_path):
    folder = tmp_path / "year=2026"
    folder.mkdir()
    duckdb.execute(f"COPY (SELECT 1 AS a, [1] AS b, 'nan'::DOUBLE AS c, now() AS d) TO '{folder / 'a.parquet'}'")
    with DataFile(folder / "a.parquet") as file:
        table = file.open()
        assert kinds(table) == {"a": "number", "b": "other", "c": "number", "d": "time"}
        assert table.missing == (0, 0, 1, 0), "not a number is no number"
        assert file.preview()[0][1] == "[1]"
        assert count(file, parse("c > 1", table.columns)).undecided == 1, "nor is it larger than 1"
        assert count(file, parse("d > '2020-01-01'", table.columns)).qualifying == 1


RAGGED = "a,b\n" + "1,2\n" * 50_000


@pytest.mark.parametrize(("name", "content", "why"), [
    ("a.csv", b"", "it is empty"), ("a.docx", b"x", "its name must end in .csv"),
    ("a.csv", b"\x89PNG\r\n\x1a\n" + bytes(99), "not what its name says but a PNG"),
    ("a.csv", b"PAR1" + bytes(99) + b"PAR1", "but Parquet: its name should end in .parquet"),
    ("a.csv", b"PK\x03\x04" + bytes(99), "an archive or a workbook"), ("a.csv", b'{"a": 1}', "but JSON"),
    ("a.csv", b"<html><body>x", "a page of HTML"), ("a.csv", b"a,b\n1,\0\n", "bytes that no text has"),
    ("a.csv", "a,b\n1,2\n".encode("utf-16"), "UTF-16 text: save it as UTF-8"),
    ("a.csv", "a,b\né,2\n".encode("latin-1"), "no UTF-8 text"), ("a.csv", packed(b"a\n1\n"), "packed by gzip"),
    ("a.csv.gz", b"a,b\n1,2\n", "no gzip file begins"),
    ("a.csv.gz", packed(b"a,b\n1,2\n" * 99)[:-20], "it is damaged"),
    ("a.csv.gz", packed(b"a,b\n" + bytes(random.Random(1).choices(b"0123456789\n,", k=2**18)))[:-9], "damaged"),
    ("a.csv.gz", packed(b"a,b\n1,2\n")[:-1], "breaks off"),
    ("a.parquet", b"a,b\n1,2\n", "no Parquet file begins or ends like it"),
    ("a.parquet", b"PAR1" + bytes(99) + b"PAR1", "it is damaged"),
    ("a.csv", "a,b\n1,2\n3\n", "in line 3 it has 1 column, and its first line has 2"),
    ("a.csv", "a,b\n1,2\n3,4,5\n", "in line 3 it has 3 columns"), ("a.csv", RAGGED + "1,2,3\n", "in line 50002"),
    ("a.csv", 'a,b\n1,2\n"x,2\n', "opens a quote and never closes it")])
def test_that_another_file_is_refused_in_one_sentence_that_says_why(write, name, content, why):
    with pytest.raises(InvalidParameter, match=re.escape(why)) as refusal:
        opened(write(name, content))
    sentence = str(refusal.value)
    assert sentence.startswith(f"file must be a table as CSV, TSV or Parquet, got '{name}' (")
    assert sentence.isprintable()
    assert len(sentence) < 250


def test_that_no_refusal_quotes_a_row(write):
    with pytest.raises(InvalidParameter) as refusal:
        opened(write("a.csv", "name,age\nJane Doe,30\nJohn Roe\n"))
    assert "John" not in str(refusal.value)


@pytest.mark.parametrize("path", ["/dev/null", ".", "none.csv"])
def test_that_what_is_no_file_is_refused(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidParameter, match=r"folder|ordinary|no such file"):
        opened(path)


def test_that_a_header_alone_is_a_table_of_no_rows(write):
    assert opened(write("a.csv", "a,b\n")).rows == 0


def test_that_mixed_types_are_text_and_said_to_be(write):
    table = opened(write("a.csv", "a,b\n" + "1,2\n" * 30_000 + "n/a,3\n"))
    assert kinds(table) == {"a": "text", "b": "number"}
    assert table.notes == ("'a' is read as text: it holds 30000 numbers, and others such as 'n/a'.",)
    told = opened(write("a.csv", "a,b\n" + "1,2\n" * 30_000 + "n/a,3\n"), missing=("", "n/a"))
    assert (kinds(told)["a"], told.missing, told.notes) == ("number", (1, 0), ())


IDS = tuple(f"1000000000000000000{i}" for i in (1, 2, 3))


@pytest.mark.parametrize("ids", [IDS, tuple(f"-{text}" for text in IDS), tuple(f"{text}{'0' * 400}" for text in IDS),
                                 ("9007199254740993", "9007199254740992", "0.5")])
def test_that_whole_numbers_too_long_for_a_double_are_text_and_none_is_taken_for_another(write, ids):
    with DataFile(write("a.csv", "id,x\n" + "".join(f"{text},{i}\n" for i, text in enumerate(ids, 1)))) as file:
        table = file.open()
        assert kinds(table) == {"id": "text", "x": "number"}
        assert table.notes == ("'id' is read as text: it holds whole numbers too long to be told apart as numbers.",)
        assert count(file, parse("x > 0", table.columns), "id").records(1) == 3
        assert groups(file, ["id"]).counts == (1, 1, 1)
        assert count(file, parse(f"id = '{ids[0]}'", table.columns)).qualifying == 1
        with pytest.raises(InvalidParameter, match=r"text|too large"):
            parse(f"id = {ids[0]}", table.columns)


@pytest.mark.parametrize("texts", [("1e19", "2e19"), ("12345678901234567.5", "1"), ("inf", "2.5"), ("0.1", "3")])
def test_that_large_numbers_with_a_point_or_an_exponent_stay_numbers(write, texts):
    table = opened(write("a.csv", "x\n" + "\n".join(texts) + "\n"))
    assert (kinds(table), table.notes) == ({"x": "number"}, ())


def test_that_a_text_for_a_missing_value_makes_no_column_one_of_text(write):
    table = opened(write("a.csv", "x\n0.5\n99999999999999999999\n"), missing=("", "99999999999999999999"))
    assert (kinds(table), table.missing, table.notes) == ({"x": "number"}, (1,), ())


def test_that_a_first_line_of_numbers_is_remarked(write):
    assert "looks like data" in opened(write("a.csv", "1,2\n3,4\n")).notes[0]


def test_that_lines_that_look_like_comments_are_rows(write):
    assert opened(write("a.csv", "a,b\n#1,2\n#3,4\n5,6\n")).rows == 3


def test_that_ten_thousand_columns_are_read(write):
    names = [f"c{i}" for i in range(10_000)]
    with DataFile(write("a.csv", ",".join(names) + "\n" + ("1," * 9_999 + "\n") * 3)) as file:
        table = file.open()
        assert len(table.columns) == len(file.preview()[0]) == 10_000
        assert (table.missing[0], table.missing[-1]) == (0, 3)
        assert count(file, parse("c0 = 1 and c9999 is missing", table.columns)).qualifying == 3


@pytest.mark.parametrize(("name", "make"), [
    ("a.csv", lambda n: b"," * (n - 1) + b"\n1\n"), ("a.tsv", lambda n: b"\t" * (n - 1)),
    ("a.csv", lambda n: b"\xef\xbb\xbf" + b";".join(b"c%d" % i for i in range(n))),
    ("a.csv.gz", lambda n: packed(b"," * (n - 1) + b"\n"))])
def test_that_more_columns_than_anybody_has_are_refused_before_the_database_sees_them(write, monkeypatch, name, make):
    monkeypatch.setattr(DataFile, "query", lambda *_: pytest.fail("it was asked"))
    for columns in (MOST_COLUMNS + 1, 2_000_000):
        with pytest.raises(InvalidParameter, match="it has more than 10000 columns"):
            opened(write(name, make(columns)))
    assert width_of(write(name, make(MOST_COLUMNS)), dialect_of(write(name, make(MOST_COLUMNS)))) == MOST_COLUMNS


def test_that_columns_of_parquet_are_bounded_before_the_database_sees_them(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"

    def made(columns):
        duckdb.sql(f"COPY (SELECT {', '.join(f'1 AS c{i}' for i in range(columns))}) TO '{path}'")
        return path

    monkeypatch.setattr(dialect, "MOST_COLUMNS", 300)
    for columns in (1, 13, 14, 15, 127, 128, 300):
        assert dialect_of(made(columns)).format == "parquet"
    for columns in (301, 3000):
        with pytest.raises(InvalidParameter, match="more than 300 columns"):
            dialect_of(made(columns))


def test_that_what_is_asked_of_many_texts_is_worked_out_once_for_each(write, monkeypatch):
    asked, query = [], DataFile.query
    monkeypatch.setattr(DataFile, "query", lambda self, text, *rest: asked.append(text) or query(self, text, *rest))
    opened(write("a.csv", ",".join(f"c{i}" for i in range(50)) + "\n" + ",".join("x" * 50) + "\n"))
    assert sum(text.count("TRY_CAST") for text in asked) == 50, "the database compares each with every other"


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "=cmd()", 'a"b', "a'; DROP TABLE data; --", "select",
                                  "é ☃", "a\nb"])
def test_that_a_column_may_be_called_anything(write, name):
    quoted = '"' + name.replace('"', '""') + '"'
    with DataFile(write("a.csv", f"{quoted},x\n1,5\n2,5\n")) as file:
        table = file.open()
        assert table.columns[0].name == name
        assert count(file, parse(f"{quoted} = 1", table.columns), "x").qualifying == 1


def test_that_a_file_that_changes_or_vanishes_is_not_counted_in(people):
    condition = parse("age > 1", people.opened().columns)
    os.utime(people.path, (1, 1))
    with pytest.raises(InvalidParameter, match="changed since it was opened"):
        count(people, condition)
    people.path.unlink()
    with pytest.raises(InvalidParameter, match="no such file"):
        count(people, condition)


def test_that_what_runs_can_be_interrupted_and_the_file_stays_open(write):
    duckdb.execute(f"COPY (SELECT range AS a FROM range(3000000)) TO '{write('a.parquet', '')}'")
    with DataFile(write("b.csv", "x\n1\n").with_name("a.parquet")) as file:
        file.open()
        ended = threading.Event()

        def interrupt():
            while not ended.wait(0.005):
                file.interrupt()

        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            with pytest.raises(Stopped):
                file.query("SELECT count(*) FROM data AS x, data AS y WHERE x.a * y.a = 7")
        finally:
            ended.set()
            thread.join()
        file.resume()
        assert file.query("SELECT count(*) FROM data") == [(3_000_000,)]


def test_that_more_than_the_memory_streams_and_what_cannot_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    duckdb.execute(f"COPY (SELECT range AS a, hash(range)::VARCHAR AS t FROM range(4000000)) TO '{path}'")
    with DataFile(path, memory="64MB") as file:
        table = file.open()
        assert count(file, parse("a < 1000", table.columns)).qualifying == 1000
        with pytest.raises(InvalidParameter, match="memory must be large enough for this table"):
            count(file, parse("a < 1000", table.columns), "t")
    assert [each.name for each in tmp_path.iterdir()] == ["a.parquet"], "nothing is spilled to disk"


def renamed(path, old, new):
    """Another name for a column of Parquet, of as many bytes."""
    content = path.read_bytes()
    assert old.encode() in content
    assert len(old.encode()) == len(new.encode())
    path.write_bytes(content.replace(old.encode(), new.encode()))


@pytest.mark.parametrize(("header", "who"), [
    ("a,A", "columns 1 and 2 are called 'a' and 'A'"), ("a,a", "columns 1 and 2 are called 'a'"),
    ("x,a,y,A,a", "columns 2, 4 and 5 are called 'a' and 'A'"), ("a, a", "columns 1 and 2 are called 'a' and ' a'"),
    ("a,\"A\"", "'a' and 'A'"), ("ä,Ä", "'ä' and 'Ä'"), ("é,e\u0301", "columns 1 and 2"),
    ("K,\u212a", "columns 1 and 2"),
    ("\xa0a,a", "columns 1 and 2"), ("σ,ς", "columns 1 and 2"), ("a_1,a,A", "columns 2 and 3 are called 'a' and 'A'"),
    (",column0", "the name of column 2, 'column0', is what column 1 is called here, having none"),
    ("a,,b,Column1", "the name of column 4, 'Column1', is what column 2 is called here")])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
def test_that_a_table_whose_names_do_not_tell_its_columns_apart_is_refused(write, header, who, ending):
    row = ",".join(str(i) for i in range(header.count(",") + 1))
    content = f"{header}\n{row}\n".replace(",", "\t" if ending == ".tsv" else ",").encode()
    with pytest.raises(InvalidParameter) as refusal:
        opened(write(f"a{ending}", packed(content) if ending == ".csv.gz" else content))
    assert who in str(refusal.value)
    assert len(str(refusal.value)) < 250


@pytest.mark.parametrize(("other", "name"), [("colb", "colb"), ("colb", "COLB"), ("éf", "e\u0301f"), ("cb", " cb "),
                                             ("clb", "clb\xa0")])
def test_that_parquet_whose_names_do_not_tell_its_columns_apart_is_refused(tmp_path, other, name):
    path, made = tmp_path / "a.parquet", "x" * len(name.encode())
    duckdb.execute(f"""COPY (SELECT {{'{other}': [1], 'b': 2}} AS first, 3 AS "{other}", 4 AS {made}) TO '{path}'""")
    assert [column.name for column in opened(path).columns] == ["first", other, made], "a part of a column has its own"
    renamed(path, made, name)
    with pytest.raises(InvalidParameter, match="columns 2 and 3 are called"):
        opened(path)


def test_that_names_that_differ_are_each_of_their_own_column(write):
    names = ["a", "a_1", "A_2", "column7", "b ", "rows", "data", "s0", "v0", "holds", "person", "action", "NA",
             "filename"]
    table = write("a.csv", ",".join(names) + "\n" + "".join(
        ",".join(str(int(i == j)) for j in range(len(names))) + "\n" for i in range(len(names)) for _ in range(i + 1)))
    with DataFile(table) as file:
        columns = file.open().columns
        assert [column.name for column in columns] == [name.strip() for name in names]
        assert file.opened().notes == ()
        for i, name in enumerate(names):
            assert count(file, parse(f"{written(name)} = 1", columns)).qualifying == i + 1
            found = count(file, parse(f"{written(name)} = 1", columns), name.upper())
            assert found.people.qualifying.persons == {0: 1, i + 1: 1}
            by = cohort(file, {"s": symptom(file, name)}, parse(f"{written(names[i - 1])} = 1", columns), name, 10**6)
            assert (sum(by.people), by.counts) == (105, ((i + 1,), (0,)))


def test_that_columns_without_a_name_are_said_to_have_none(write):
    assert opened(write("a.csv", ",b\n1,2\n")).notes == ("Column 1 has no name and is called 'column0' here.",)
    assert opened(write("a.csv", "a,,\n1,2,3\n")).notes == (
        "Columns 2 and 3 have no name and are called 'column1' and 'column2' here.",)


def test_that_a_name_is_found_however_its_accents_and_its_case_are_written(write):
    with DataFile(write("a.csv", "Geschlecht,E\u0301tat\n1,2\n")) as file:
        columns = file.open().columns
        for name in ("état", "e\u0301tat", "ÉTAT"):
            assert count(file, parse(f'"{name}" = 2', columns)).qualifying == 1
