"""Tables that are made when somebody looks."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.studies.decision import RECORDS_TABLE, THEOREM_TABLE, Decision
from dpstudio.studies.decision.answer import DecisionAnswer


def test_that_the_decision_computes_no_table_that_is_not_looked_at(monkeypatch):
    theorem = replace(DecisionAnswer.tabled[THEOREM_TABLE], make=lambda *_: 1 / 0)
    monkeypatch.setattr(DecisionAnswer, "tabled", DecisionAnswer.tabled | {THEOREM_TABLE: theorem})
    update = next(Decision().run())
    assert update.tables[RECORDS_TABLE].rows
