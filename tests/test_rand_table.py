"""The example table, and the script that made it."""

import gzip
import hashlib
import json
import runpy
from pathlib import Path

import pytest

from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile

DATA = Path(__file__).parents[1] / "resources" / "data"
TABLE = DATA / "rand_hie.csv.gz"
SCRIPT = runpy.run_path(str(DATA / "make_rand_hie_table.py"))
SHIPPED = json.loads((DATA / "rand_hie_count.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def counted():
    with DataFile(TABLE) as file:
        table = file.open()
        return table, count(file, parse("physlm = 1", table.columns), "zper")


def test_the_table_gives_the_count_that_is_shipped_beside_it(counted):
    table, found = counted
    assert (found.records(1), found.qualifying) == (SHIPPED["records"], SHIPPED["rows"])
    assert (found.people.rows.total, table.rows) == (SHIPPED["all_records"], SHIPPED["all_rows"])


def test_a_person_has_several_rows_and_some_values_are_missing(counted):
    table, found = counted
    assert dict(found.people.rows.persons) == {1: 269, 2: 246, 3: 3743, 4: 70, 5: 1584}
    assert dict(zip((column.name for column in table.columns), table.missing, strict=True))["ghindx"] == 5223


def test_it_has_the_columns_that_the_script_keeps(counted):
    assert tuple(column.name for column in counted[0].columns) == SCRIPT["COLUMNS"]


def test_the_same_table_is_packed_to_the_same_text():
    header, first = gzip.decompress(TABLE.read_bytes()).decode().splitlines()[:2]
    row = dict(zip(header.split(","), first.split(","), strict=True)) | {"plan": "left out"}
    assert gzip.decompress(SCRIPT["packed"]([row])).decode() == f"{header}\n{first}\n"
    assert SCRIPT["packed"]([row]) == SCRIPT["packed"]([row])


def test_the_readme_names_it_and_its_digest():
    told = (DATA / "README.md").read_text(encoding="utf-8")
    assert "rand_hie.csv.gz" in told
    assert hashlib.sha256(gzip.decompress(TABLE.read_bytes())).hexdigest() in told
    assert TABLE.stat().st_size < 300_000
