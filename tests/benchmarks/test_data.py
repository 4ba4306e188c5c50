"""A count over ten million rows of Parquet against DuckDB's own query; a script makes the rows."""

from __future__ import annotations

import duckdb
import pytest

from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile

ROWS = 10**7
OWN = "SELECT count(*) FROM read_parquet('{path}') WHERE age >= 65 AND smoker"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Ten million rows of people who have four each."""
    made = tmp_path_factory.mktemp("data") / "people.parquet"
    duckdb.execute(f"COPY (SELECT range // 4 AS person, hash(range) % 90 AS age, hash(range, 1) % 5 = 0 AS smoker, "
                   f"CASE WHEN range % 10 > 0 THEN hash(range, 2) % 200 END AS weight FROM range({ROWS})) TO '{made}'")
    return made


@pytest.fixture(scope="module")
def file(path):
    with DataFile(path) as opened:
        opened.open()
        yield opened


@pytest.fixture
def own(path):
    with duckdb.connect() as connection:
        yield lambda query: connection.execute(query.format(path=path)).fetchall()


def test_a_count_of_rows(ratio, file, own):
    condition = parse("age >= 65 and smoker", file.opened().columns)
    assert count(file, condition).qualifying == own(OWN)[0][0]
    ratio("count of 10 000 000 rows against DuckDB's own query", lambda: count(file, condition), lambda: own(OWN),
          "2 ×", rounds=10)


def test_a_count_of_persons(ratio, file, own):
    condition = parse("age >= 65 and smoker", file.opened().columns)
    query = ("SELECT count(*) FROM (SELECT person FROM read_parquet('{path}') GROUP BY person "
             "HAVING count_if(age >= 65 AND smoker) > 0)")
    assert count(file, condition, "person").records(1) == own(query)[0][0]
    ratio("count of 2 500 000 persons of 4 rows against DuckDB's own query", lambda: count(file, condition, "person"),
          lambda: own(query), "2 ×", rounds=5)


def test_opening(ratio, path, own):
    def opened():
        with DataFile(path) as file:
            file.open()

    ratio("opening: digest, types, missing values, against four counts of columns", opened,
          lambda: own("SELECT count(person), count(age), count(smoker), count(weight) FROM read_parquet('{path}')"),
          "—", rounds=5)
