"""Tables that are made when somebody looks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Table, Tables, joined, widened
from dpstudio.studies.decision import RECORDS_TABLE, THEOREM_TABLE, Decision
from dpstudio.studies.decision.answer import DecisionAnswer


def counting(made, name):
    def make():
        made.append(name)
        return Table({Column(v.N): np.arange(3.0)})

    return make


def test_that_a_table_is_made_once_and_only_if_it_is_looked_at():
    made: list[str] = []
    tables = Tables({name: counting(made, name) for name in ("a", "b")})
    assert list(tables) == ["a", "b"]
    assert "b" in tables
    assert not made
    assert tables["b"] is tables["b"]
    assert made == ["b"]


def test_that_joining_makes_none_and_shares_what_is_made():
    made: list[str] = []
    tables = Tables({name: counting(made, name) for name in ("a", "b")})
    other = Table({Column(v.N): np.arange(2.0)})
    both = joined(tables, {"b": other, "c": other})
    assert not made
    assert both["a"] is tables["a"]
    assert both["b"] is other
    assert made == ["a"]


def test_that_widening_makes_none_and_leaves_the_others():
    made: list[str] = []
    tables = Tables({name: counting(made, name) for name in ("a", "b")})
    wide = widened(tables, "a", {Column(v.EPSILON): np.ones(3)})
    assert not made
    assert list(wide["a"]) == [Column(v.N), Column(v.EPSILON)]
    assert list(tables["a"]) == [Column(v.N)]
    assert made == ["a"]


def test_that_the_decision_computes_no_table_that_is_not_looked_at(monkeypatch):
    theorem = replace(DecisionAnswer.tabled[THEOREM_TABLE], make=lambda *_: 1 / 0)
    monkeypatch.setattr(DecisionAnswer, "tabled", DecisionAnswer.tabled | {THEOREM_TABLE: theorem})
    update = next(Decision().run())
    assert update.tables[RECORDS_TABLE].rows
