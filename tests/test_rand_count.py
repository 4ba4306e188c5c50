"""The shipped count of the RAND experiment, and the script that says it made it."""

import inspect
import json
import runpy
from pathlib import Path

DATA = Path(__file__).parents[1] / "resources" / "data"
SCRIPT = runpy.run_path(str(DATA / "make_rand_hie_count.py"))
SHIPPED = json.loads((DATA / "rand_hie_count.json").read_text(encoding="utf-8"))
COUNTS = ("records", "rows", "all_records", "all_rows")


def test_the_file_is_what_the_script_writes_for_these_counts():
    assert SCRIPT["describe"]({name: SHIPPED[name] for name in COUNTS}) == SHIPPED


def test_the_lines_shown_are_the_lines_that_counted():
    assert SHIPPED["made_by"] == inspect.getsource(SCRIPT["count"]).splitlines()


def test_counts_are_possible():
    assert 0 < SHIPPED["records"] < SHIPPED["all_records"]
    assert SHIPPED["records"] <= SHIPPED["rows"] <= 5 * SHIPPED["records"]
    assert SHIPPED["all_records"] <= SHIPPED["all_rows"] <= 5 * SHIPPED["all_records"]


def test_the_readme_tells_the_same_totals():
    told = (DATA / "README.md").read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
    for name in ("all_records", "all_rows"):
        assert f"{SHIPPED[name]:,}".replace(",", " ") in told


def test_a_person_counts_once_however_many_years_and_an_imputed_value_does_not_count():
    table = [{"zper": person, "physlm": value} for person, value in (("1", "1"), ("1", "1"), ("2", "0"), ("3", ".14"))]
    assert SCRIPT["count"](table) == {"records": 1, "rows": 2, "all_records": 3, "all_rows": 4}


def test_one_person_more_changes_the_count_by_at_most_its_sensitivity():
    table = [{"zper": "1", "physlm": "1"}] * 3
    more = table + [{"zper": "2", "physlm": "1"}] * 5
    assert SCRIPT["count"](more)["records"] - SCRIPT["count"](table)["records"] == SHIPPED["sensitivity"]
