"""Tables that are made when somebody looks, and columns by which they are asked."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Series, Table
from dpstudio.studies.decision import RECORDS_TABLE, THEOREM_TABLE, Decision
from dpstudio.studies.decision.answer import DecisionAnswer


def test_that_the_decision_computes_no_table_that_is_not_looked_at(monkeypatch):
    theorem = replace(DecisionAnswer.tabled[THEOREM_TABLE], make=lambda *_: 1 / 0)
    monkeypatch.setattr(DecisionAnswer, "tabled", DecisionAnswer.tabled | {THEOREM_TABLE: theorem})
    update = next(Decision().run())
    assert update.tables[RECORDS_TABLE].rows


def test_that_a_column_of_another_process_finds_its_values():
    program = ("import pickle, sys; from dpstudio import vocabulary as v; from dpstudio.core.results import Column, "
               "Series; sys.stdout.buffer.write(pickle.dumps(Column(v.ACCEPTANCE, Series('laplace', 'Laplace'))))")
    table = Table({Column(v.ACCEPTANCE, Series("laplace", "Laplace")): np.ones(1)})
    for seed in ("1", "2"):  # strings have other hashes there
        sent = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed},
                              capture_output=True, check=True).stdout
        assert pickle.loads(sent) in table
