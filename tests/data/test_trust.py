"""Whatever reaches the connection can read the chosen file and nothing else; and no text of anybody's reaches it."""

from __future__ import annotations

import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.connection import connected

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
