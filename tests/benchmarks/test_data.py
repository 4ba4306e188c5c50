"""A count over ten million rows of Parquet against DuckDB's own query; a script makes the rows."""

from __future__ import annotations

import duckdb
import pytest

from dpstudio.data.amounts import amounts
from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile
from dpstudio.data.groups import groups

ROWS = 10**7
OWN = "SELECT count(*) FROM read_parquet('{path}') WHERE age >= 65 AND smoker"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Ten million rows of people who have four each."""
    made = tmp_path_factory.mktemp("data") / "people.parquet"
    duckdb.execute(f"COPY (SELECT range // 4 AS person, hash(range) % 90 AS age, hash(range, 1) % 5 = 0 AS smoker, "
                   f"CASE WHEN range % 10 > 0 THEN hash(range, 2) % 200 END AS weight, "
                   "exp(9 + (hash(range, 3) % 1000003 + hash(range, 4) % 1000003 + hash(range, 5) % 1000003) / 5e5) "
                   f"AS income FROM range({ROWS})) TO '{made}'")
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


@pytest.mark.parametrize(("of", "rounded"), [("weight", False), ("income", True)])
def test_the_numbers_of_a_column(ratio, file, own, of, rounded):
    found = amounts(file, of)
    assert (found.step > 0) == rounded
    query = f"SELECT quantile_cont({of}, [0.5, 0.9]) FROM read_parquet('{{path}}')"
    assert [found.quantile(share) for share in (0.5, 0.9)] == pytest.approx(own(query)[0][0], abs=max(found.step, 0.5))
    ratio(f"numbers of 10 000 000 rows, {'rounded' if rounded else 'as they are'}, against two quantiles by DuckDB",
          lambda: amounts(file, of), lambda: own(query), "2 ×", rounds=5)


def test_counts_of_groups(ratio, file, own):
    query = "SELECT age, count(*) FROM read_parquet('{path}') GROUP BY age"
    assert groups(file, ["age"]).counts == tuple(count for _, count in sorted(own(query)))
    ratio("groups of 10 000 000 rows against DuckDB's own query", lambda: groups(file, ["age"]), lambda: own(query),
          "2 ×", rounds=10)


def test_opening(ratio, path, own):
    def opened():
        with DataFile(path) as file:
            file.open()

    ratio("opening: digest, types, missing values, against four counts of columns", opened,
          lambda: own("SELECT count(person), count(age), count(smoker), count(weight) FROM read_parquet('{path}')"),
          "—", rounds=5)
