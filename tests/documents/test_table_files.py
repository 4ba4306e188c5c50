"""Tables and facts as JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

from dpstudio import __version__
from dpstudio.documents import tables
from dpstudio.documents.session import Session

FACT = {"key": str, "label": str, "mechanism": str | None, "value": float | str, "kind": str, "low": float | str | None,
        "high": float | str | None, "unit": str}
BESIDE = {"group": str, "how": str, "source": str}
"""What JSON has of a fact, and CSV has not."""


def rows_of(text):
    lines = text.splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def test_that_json_has_the_form_that_is_promised(decision, decision_session, decision_update):
    made = json.loads(tables.json_text(decision_session, decision_update), parse_constant=pytest.fail)
    assert list(made) == ["study", "version", "parameters", "facts", "tables", "verdicts", "session"]
    assert made["study"] == "decision"
    assert made["version"] == __version__
    assert made["parameters"] == decision.values()
    assert len(made["facts"]) == len(decision_update.facts)
    for fact in made["facts"]:
        assert list(fact) == [*FACT, *BESIDE]
        for key, kind in (FACT | BESIDE).items():
            assert isinstance(fact[key], kind), (key, fact)
    assert {"acceptance", "guarantee_delta", "band_from"} <= {fact["key"] for fact in made["facts"]}
    assert made["verdicts"] == list(decision_update.verdicts)
    for name, table in decision_update.tables.items():
        assert list(made["tables"][name]) == [column.key for column in table]


def test_that_json_loses_no_digit_and_names_what_it_cannot_write(decision_session, decision_update, sample_session,
                                                                 sample_update):
    for session, update in ((decision_session, decision_update), (sample_session, sample_update)):
        made = json.loads(tables.json_text(session, update))
        for fact, written in zip(update.facts, made["facts"], strict=True):
            assert written["value"] == (fact.value if math.isfinite(fact.value) else repr(fact.value))
        for name, table in update.tables.items():
            for column, values in table.items():
                np.testing.assert_array_equal(np.array(made["tables"][name][column.key], dtype=float), values)
    values = made["tables"]["numbers"]["privacy_loss_laplace"]
    assert (values[0], values[30], values[99]) == ("inf", "nan", "-inf")


def test_that_json_says_how_a_fact_is_found_by_whom_and_under_which_heading(decision, decision_update):
    made = json.loads(tables.json_text(Session.of(type(decision)), decision_update))
    for fact, written in zip(decision_update.facts, made["facts"], strict=True):
        assert written["how"] == fact.how
        assert written["source"] == (fact.source.key if fact.source else "")
        assert written["group"] == fact.group
    said = {(fact["key"], fact["mechanism"]): (fact["how"], fact["source"], fact["group"]) for fact in made["facts"]}
    assert said["centre_acceptance", "generalized"] == (
        "p₀ = (e^ε + δ)/(e^ε + 1)", "Implementation of Stochastic Decision", "technical")


def test_that_an_interval_is_null_only_where_there_is_none(sample_session, sample_update):
    facts = json.loads(tables.json_text(sample_session, sample_update))["facts"]
    assert [(fact["low"], fact["high"]) for fact in facts][-2:] == [(None, None), (0.25, 0.35)]


def test_that_csv_says_what_its_numbers_depend_on(decision, decision_session, decision_update):
    head = [line for line in tables.csv_text(decision_session, decision_update).splitlines() if line.startswith("#")]
    for wanted in (f"# DP Studio {__version__}", "# study: decision", "# epsilon: 0.2", "# seed: 0", "# prior: uniform",
                   f"# relation: {decision.neighbours.sentence}", "# zero_refused: false", "# table: facts"):
        assert wanted in head
    assert "# table: profile\n" in tables.csv_text(decision_session, decision_update, "profile")


def test_that_letters_of_json_are_letters(decision_session, decision_update):
    text = tables.json_text(decision_session, decision_update)
    assert "\\u" not in text
    assert not text.isascii()


def test_that_csv_of_facts_has_every_digit(decision_session, decision_update):
    rows = rows_of(tables.csv_text(decision_session, decision_update))
    assert list(rows[0]) == list(FACT)
    for fact, row in zip(decision_update.facts, rows, strict=True):
        assert row["key"] == fact.key
        assert float(row["value"]) == fact.value
        assert row["mechanism"] == (fact.series.key if fact.series else "")


@pytest.mark.parametrize("name", ["records", "profile", "simulation", "lemma"])
def test_that_csv_of_a_table_has_its_columns_and_every_digit(decision_session, decision_update, name):
    table = decision_update.tables[name]
    rows = rows_of(tables.csv_text(decision_session, decision_update, name))
    for column, values in table.items():
        np.testing.assert_array_equal([float(row[column.key]) for row in rows], values)


def test_that_infinite_values_stay_infinite_in_csv(sample_session, sample_update):
    rows = rows_of(tables.csv_text(sample_session, sample_update, "numbers"))
    column = [row["privacy_loss_laplace"] for row in rows]
    assert (column[0], column[30], column[99]) == ("inf", "nan", "-inf")


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-x", "@SUM(A1)", "\tx", "\rx"])
def test_that_no_text_is_a_formula(text):
    assert tables.cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [-1.5, -math.inf, 1e-300, 0.1 + 0.2])
def test_that_a_negative_number_is_no_formula(value):
    assert float(tables.cell(value)) == value


def test_that_files_have_what_was_asked_for(decision, decision_session, decision_update, tmp_path):
    tables.write_json(tmp_path / "a.json", decision_session, decision_update)
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["study"] == "decision"
    tables.write_csv(tmp_path / "a.csv", decision_session, decision_update, "profile")
    assert (tmp_path / "a.csv").read_text("utf-8") == tables.csv_text(decision_session, decision_update, "profile")
    for _ in range(2):  # into a folder that is missing, and into one that is there
        tables.write_all_csv(tmp_path / "not" / "yet", decision_session, decision_update)
    assert {file.name for file in (tmp_path / "not" / "yet").iterdir()} == {
        f"decision-{name}.csv" for name in ("facts", *decision_update.tables)}
    with pytest.raises(KeyError):
        tables.write_csv(tmp_path / "b.csv", decision_session, decision_update, "none")
    assert not (tmp_path / "b.csv").exists()


def test_that_lines_end_as_on_every_machine(decision_session, decision_update):
    assert "\r" not in io.StringIO(tables.csv_text(decision_session, decision_update), newline="").read()
