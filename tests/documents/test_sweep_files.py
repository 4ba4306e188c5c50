"""Files of sweeps: every block, word, kind and number that is none, in each format."""

from __future__ import annotations

import csv
import io
import json

import duckdb
import numpy as np
import pytest

from dpstudio.core.sweep import ABSENT, FAILED, REFUSED, Over, Plan, Swept
from dpstudio.core.sweep.cells import CellValues
from dpstudio.data.origin import Origin
from dpstudio.documents import sweeps, tables
from dpstudio.documents.sweeps import request_of, write
from dpstudio.studies import all_studies

RESPONSE, DECISION = all_studies()["response"], all_studies()["decision"]
VALUES = np.array([[0.1, -0.0], [np.inf, 1e-300], [-np.inf, np.nan], [1 / 3, 5e-324], [np.nan, 2.0], [1e22, 3.0]])
KINDS = np.array([[1, 1], [1, 2], [1, ABSENT], [1, 3], [FAILED, 1], [1, REFUSED]], dtype=np.uint8)


@pytest.fixture
def swept():
    plan = Plan(RESPONSE(), (Over("design", ("symmetric", "warner")), Over("people", (10, 2**53, 30))),
                (("estimator_sd", "response"), ("guarantee_epsilon", "response")))
    return Swept(plan, CellValues(VALUES, np.full((6, 2), np.nan), np.full((6, 2), np.nan), KINDS))


def written(swept, ending, data=None):
    file = io.BytesIO()
    write(file, swept, ending, data)
    return file.getvalue()


def rows(text):
    return list(csv.reader(line for line in text.decode().splitlines() if line[0] != "#"))


@pytest.mark.parametrize("block", [1, 4, 6, 100])
def test_that_csv_and_json_hold_every_cell_in_blocks_of_any_size(swept, block, monkeypatch):
    monkeypatch.setattr(sweeps, "BLOCK", block)
    monkeypatch.setattr(tables, "BLOCK", block)
    header, *found = rows(written(swept, "csv"))
    assert header == ["design", "people", "estimator_sd_response", "guarantee_epsilon_response",
                      "guarantee_epsilon_response_kind"]
    assert [row[:2] for row in found] == [[design, people] for design in ("symmetric", "warner")
                                          for people in ("10", "9007199254740992", "30")]
    np.testing.assert_array_equal([list(map(float, row[2:4])) for row in found], VALUES)
    assert [row[4] for row in found] == ["exact", "bound", "", "estimate", "exact", ""]
    table = json.loads(written(swept, "json"), parse_constant=pytest.fail)["table"]
    assert list(table) == header
    assert table["people"] == [10, 2**53, 30] * 2
    for name, column in table.items():
        assert [str(value) for value in column] == [row[header.index(name)] for row in found]


def test_that_parquet_holds_the_same_and_says_what_it_is(swept, tmp_path):
    (tmp_path / "a.parquet").write_bytes(written(swept, "parquet"))
    table = duckdb.sql(f"SELECT * FROM '{tmp_path}/a.parquet'")
    assert list(map(str, table.types)) == ["VARCHAR", "BIGINT", "DOUBLE", "DOUBLE", "VARCHAR"]
    header, *found = rows(written(swept, "csv"))
    assert [list(map(str, row)) for row in table.fetchall()] == found
    assert table.columns == header
    (_, key, value), = duckdb.sql(f"SELECT * FROM parquet_kv_metadata('{tmp_path}/a.parquet')").fetchall()
    assert key == b"dpstudio"
    for line in ("study: response", "kind of guarantee_epsilon_response: exact and bound and estimate", "kind of "
                 "estimator_sd_response: exact", f"request: {swept.plan.digest}", f"epsilon: {RESPONSE().epsilon}"):
        assert line in value.decode().splitlines()


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_that_a_file_says_which_request_it_answers_however_long_it_is(ending, tmp_path):
    plan = Plan(DECISION(), (Over("records", tuple(range(30_000))),), (("band_width", "laplace"),))
    cells = CellValues.empty(30_000, 1, 1)
    cells.value[:, 0] = np.random.default_rng(0).random(30_000)
    content = written(Swept(plan, cells), ending)
    assert len(content) > 2 * sweeps._SEARCHED
    assert content == written(Swept(plan, cells), ending)  # no dates, no order of chance
    (tmp_path / "a").write_bytes(content)
    assert request_of(tmp_path / "a") == plan.digest
    (tmp_path / "a").write_bytes(content.replace(plan.digest.encode(), b"0" * 63 + b"x"))
    assert request_of(tmp_path / "a") is None


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_that_what_was_counted_is_told_and_nothing_left_out_is_written(ending):
    plan = Plan(DECISION(records=5), (Over("epsilon", (0.1,)),), (("band_width", "laplace"),))
    data = Origin("people.csv", "0" * 64, "age >= 65", "id", 1, counts=("records",))
    swept = Swept(plan, CellValues.empty(1, 1, 1))
    with pytest.raises(ValueError, match="said to be left out"):
        written(swept, ending, data)
    told = written(Swept(Plan(DECISION(), *[plan.over, plan.facts]), swept.cells), ending, data).decode()
    assert json.dumps(data.leaving.note, ensure_ascii=False)[1:-1] in told
    assert "age >= 65" not in told
