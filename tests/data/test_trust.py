"""Whatever reaches the connection can read the chosen file and nothing else; and no text of anybody's reaches it."""

from __future__ import annotations

import csv
import gzip
import os
import re
import tracemalloc

import duckdb
import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import written
from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.database import connected
from dpstudio.data.file import DataFile
from dpstudio.data.meaning import sentences

REFUSALS = "Permission|locked|disabled|does not exist|Cannot|not allowed|IO Error|Invalid|syntax|Parser|Catalog|already"


@pytest.fixture
def connection(people):
    """The connection of an open file, spoken to as no part of the application does."""
    assert people._connection is not None
    return people._connection


@pytest.fixture
def other(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("secret\n1\n")
    return path


def test_that_the_chosen_file_is_readable(connection, people):
    assert connection.execute("SELECT count(*) FROM read_csv(?)", [str(people.path)]).fetchall() == [(8,)]


@pytest.mark.parametrize("query", [
    "SELECT * FROM read_csv('{other}')", "SELECT * FROM '{other}'", "SELECT * FROM read_text('{other}')",
    "SELECT * FROM read_blob('{other}')", "SELECT * FROM read_csv('{folder}/*.csv')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM sniff_csv('{other}')", "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_json('{other}')",
    "SELECT * FROM read_parquet('{other}')", "SELECT * FROM parquet_schema('{other}')",
    "SELECT (SELECT count(*) FROM '{other}')", "SELECT 1; SELECT * FROM '{other}'",
    "SELECT 1 /* x */ FROM '{other}' -- y",
    "COPY data TO '{folder}/out.csv'", "COPY (SELECT 1) TO '{people}'", "COPY (SELECT 1) TO '/dev/stdout'",
    "EXPORT DATABASE '{folder}/out'", "IMPORT DATABASE '{folder}'", "ATTACH '{folder}/new.db'", "ATTACH '{other}' AS x",
    "INSTALL httpfs", "LOAD httpfs", "LOAD '{other}'", "INSTALL spatial FROM community",
    "SELECT * FROM 'https://example.com/a.csv'", "SELECT * FROM read_csv('s3://bucket/a.csv')",
    "SELECT getenv('HOME')", "SELECT * FROM getenv('HOME')", "SELECT * FROM frame", "CREATE SECRET s (TYPE S3)",
    "SET enable_external_access = true", "PRAGMA enable_external_access = true", "RESET enable_external_access",
    "SET allowed_paths = ['{other}']", "SET allowed_directories = ['/']", "SET lock_configuration = false",
    "RESET lock_configuration", "SET temp_directory = '{folder}'", "SET memory_limit = '100GB'",
    "SET python_enable_replacements = true", "SET log_query_path = '{folder}/log'", "SET home_directory = '{folder}'",
    "PRAGMA profiling_output = '{folder}/profile'", "SET autoinstall_known_extensions = true",
    "SET extension_directory = '{folder}'", "SET secret_directory = '{folder}'"])
def test_that_nothing_else_is_read_written_loaded_or_set(connection, people, other, tmp_path, query):
    frame = {"secret": [1]}  # a variable that the database must not find
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(Exception, match=REFUSALS):
        connection.execute(query.format(other=other, folder=tmp_path, people=people.path)).fetchall()
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert frame


def test_that_settings_hold_from_the_start(connection):
    settings = dict(connection.execute("SELECT name, value FROM duckdb_settings()").fetchall())
    for name in ("enable_external_access", "autoinstall_known_extensions", "autoload_known_extensions",
                 "allow_community_extensions", "allow_unsigned_extensions", "python_enable_replacements"):
        assert settings[name] == "false", name
    assert settings["lock_configuration"] == "true"
    assert settings["temp_directory"] == ""


SECRET, HIDDEN = "zq7secret7qz", "hidden7in7the7environment"
FORMS = ('SELECT * FROM "{name}"({given})', 'SELECT "{name}"({given})', 'CALL "{name}"({given})',
         'PRAGMA {name}({given})')


def test_that_no_function_of_the_database_tells_of_another_file_a_folder_or_the_environment(
        connection, tmp_path, monkeypatch):
    (tmp_path / "unseen.csv").write_text(f"{SECRET}\n1\n")
    monkeypatch.setenv("DPSTUDIO_HIDDEN", HIDDEN)
    names = {row[0] for row in connection.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()}
    assert {"read_csv", "read_text", "glob", "getvariable"} <= names
    before = sorted(path.name for path in tmp_path.iterdir())
    path, folder = f"'{tmp_path / 'unseen.csv'}'", f"'{tmp_path}/*'"
    for name in sorted(name for name in names if not name.startswith("icu_collate")):
        for form in FORMS:
            for given in (path, f"[{path}]", f"{path}, 'x'", folder, "'DPSTUDIO_HIDDEN'", ""):
                try:
                    told = repr(connection.execute(form.format(name=name, given=given)).fetchmany(1000))
                except duckdb.CatalogException as refusal:
                    if re.match(r"Catalog Error: \w+ Function with name ", str(refusal)):  # none, whatever is given
                        break
                    continue
                except Exception:
                    continue
                assert SECRET not in told, (name, given)
                assert SECRET.encode().hex() not in told.lower(), (name, given)
                assert HIDDEN not in told, (name, given)
                assert given != folder or "unseen.csv" not in told, name
    assert sorted(each.name for each in tmp_path.iterdir()) == before


def test_that_a_packed_file_of_one_endless_line_is_refused_in_little_memory(tmp_path):
    path = tmp_path / "bomb.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b'a,"b\n')  # the name goes on
        for _ in range(64):
            file.write(b"x" * 2**20)
    tracemalloc.start()
    try:
        with DataFile(path) as file, pytest.raises(InvalidParameter, match="file must be a table"):
            file.open()
        assert tracemalloc.get_traced_memory()[1] < 40 * 2**20
    finally:
        tracemalloc.stop()


def test_that_a_link_turned_to_another_file_is_not_followed_there(tmp_path):
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "b.csv").write_text("x\n2\n")
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "a.csv")
    with DataFile(link) as file:
        condition = parse("x = 2", file.open().columns)
        assert count(file, condition).qualifying == 0
        link.unlink()
        link.symlink_to(tmp_path / "b.csv")
        with pytest.raises(InvalidParameter, match="it has changed since it was opened"):
            count(file, condition)
        assert file.query("SELECT x FROM data") == [(1,)], "the connection knows the one file alone"


@pytest.mark.skipif(os.name == "nt", reason="a time of change that nobody sets is kept elsewhere")
def test_that_a_file_written_over_with_its_time_set_back_has_changed(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n")
    with DataFile(path) as file:
        condition, before = parse("x = 1", file.open().columns), path.stat()
        time_of_change = before.st_ctime_ns
        while path.stat().st_ctime_ns == time_of_change:  # clocks of file systems are coarse
            path.write_text("x\n7\n")
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert path.stat().st_mtime_ns == before.st_mtime_ns
        with pytest.raises(InvalidParameter, match="it has changed"):
            count(file, condition)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ['a"b', "a''b", "a\nb", "<img src=x>", "=cmd()", "x); DROP TABLE data; --", "select",
                                  "\u202egnp", "a\\", "{0}", "%s", "?", "$1", ":x", "data", "*"])
def test_that_any_name_of_a_column_is_a_name_and_no_more(tmp_path, name, end):
    path = tmp_path / "a.csv"
    with path.open("w", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator=end).writerows([[name, "id"], [1, 1], [2, 1]])
    with DataFile(path) as file:
        if (name, end) == ("a\nb", "\r\n"):
            with pytest.raises(InvalidParameter, match="are of several kinds: save it with one"):
                file.open()
            return
        columns = file.open().columns
        assert columns[0].name == name
        found = count(file, parse(f"{written(name)} = 2", columns), name)
        assert (found.qualifying, found.people.column, found.people.rows.total) == (1, name, 2)
        assert file.preview() == (("1", "1"), ("2", "1"))
        told = " ".join(sentences(found))
        assert "\n" not in told


def test_that_a_path_with_quotes_opens_no_other(tmp_path):
    odd = tmp_path / "a', '" / "etc"
    odd.mkdir(parents=True)
    (odd / "b.csv").write_text("x\n1\n")
    connection = connected(odd / "b.csv")
    assert connection.execute("SELECT * FROM read_csv(?)", [str(odd / "b.csv")]).fetchall() == [(1,)]
    with pytest.raises(Exception, match="Permission"):
        connection.execute("SELECT * FROM read_text('/etc/passwd')")
    connection.close()


def test_that_a_query_of_the_application_refuses_without_the_databases_words(people):
    with pytest.raises(InvalidParameter, match="the database cannot read it"):
        people.query("SELECT read_text('/etc/passwd')")
