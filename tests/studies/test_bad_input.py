"""Bad input by the constructors and on the command line, and legal ends that give answers without a NaN."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from dpstudio.cli import main
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import answer
from dpstudio.studies import all_studies
from dpstudio.studies.response import Response

REFUSED = [
    ("noise", "sensitivity", 0.0, "sensitivity must be in [1e-6, 1e6], got 0.0"),
    ("noise", "sensitivity_l2", 0.0, "sensitivity_l2 must be in [1e-6, 1e6], got 0.0"),
    ("noise", "epsilon", 0.0, "epsilon must be in [1e-6, 20], got 0.0"),
    ("noise", "epsilon", math.nan, "epsilon must be in [1e-6, 20], got nan"),
    ("noise", "epsilon", math.inf, "epsilon must be in [1e-6, 20], got inf"),
    ("noise", "delta", 1.0, "delta must be in [0, 0.5], got 1.0"),
    ("noise", "delta", math.nan, "delta must be in [0, 0.5], got nan"),
    ("mean", "delta", 0.0, "delta must be in [1e-15, 0.5], got 0.0"),
    ("mean", "fraction", 1.5, "fraction must be in [0, 1], got 1.5"),
    ("mean", "epsilon", -math.inf, "epsilon must be in [0.0001, 20], got -inf"),
    ("response", "theta1", 1.5, "theta1 must be in [0, 1], got 1.5"),
    ("response", "theta2", math.nan, "theta2 must be in [0, 1], got nan"),
    ("response", "margin", 0.0, "margin must be in [1e-9, 1], got 0.0"),
    ("response", "epsilon", math.inf, "epsilon must be in [0, 20], got inf"),
    ("budget", "slack", 1.0, "slack must be in [0, 0.5], got 1.0"),
    ("budget", "epsilon", math.nan, "epsilon must be in [1e-6, 10], got nan"),
    ("budget", "plan_multiplier", 0.0, "plan_multiplier must be in [0.1, 10000], got 0.0"),
]
WHOLE = [("budget", "releases", "[1, 10000]"), ("budget", "group_size", "[1, 10000]"), ("mean", "people", "[1, 1e12]"),
         ("response", "people", "[1, 1e12]"), ("noise", "dimension", "[1, 1e9]"), ("noise", "trials", "[1, 1e9]")]
LEGAL = [
    {"theta1": 1.0}, {"theta1": 1.0, "theta2": 0.0, "prevalence": 0.0}, {"theta1": 1.0, "prevalence": 1.0},
    {"theta2": 0.0}, {"theta2": 0.0, "prevalence": 0.0}, {"theta2": 1.0}, {"theta2": 1.0, "prevalence": 1.0},
    {"theta1": 0.0}, {"theta1": 0.0, "theta2": 0.0}, {"theta1": 0.0, "theta2": 1.0, "prevalence": 1.0},
    {"design": "symmetric", "epsilon": 0.0},
]


def refused(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err.removeprefix("dpstudio: ").removesuffix("\n")


@pytest.mark.parametrize(("key", "name", "value", "sentence"), REFUSED, ids=lambda value: str(value)[:30])
def test_that_numbers_outside_are_refused_in_the_same_words_everywhere(capsys, key, name, value, sentence):
    with pytest.raises(InvalidParameter) as refusal:
        all_studies()[key](**{name: value})
    assert str(refusal.value) == sentence
    assert refused(capsys, "compute", key, "--set", f"{name}={value!r}") == sentence
    assert refused(capsys, "render", key, "--set", f"{name}={value!r}", "--output", "never.svg") == sentence


@pytest.mark.parametrize(("key", "name", "domain"), WHOLE, ids=lambda value: value)
@pytest.mark.parametrize("value", [0, -1, 2.5, math.nan, math.inf])
def test_that_what_is_counted_is_counted_in_whole_numbers_from_one(capsys, key, name, domain, value):
    with pytest.raises(InvalidParameter) as refusal:
        all_studies()[key](**{name: value})
    assert str(refusal.value) == f"{name} must be an integer in {domain}, got {value}"
    assert refused(capsys, "compute", key, "--set", f"{name}={value}").startswith(f"{name} must be an integer in ")


@pytest.mark.parametrize("text", ["", "abc", "1e400", "0x10", "1,5,3", "∞"])
def test_that_what_is_no_number_is_refused_in_one_line(capsys, text):
    for key in ("response", "mean", "noise", "budget"):
        assert refused(capsys, "compute", key, "--set", f"epsilon={text}").startswith("epsilon must be in ")


@pytest.mark.parametrize("values", LEGAL, ids=str)
def test_that_legal_ends_give_answers_without_a_nan_and_infinity_as_a_word(capsys, values):
    update = answer(Response(**values, trials=500))
    assert not any(np.isnan(numbers).any() for table in update.tables.values() for _, numbers in table.items())
    numbers = [number for fact in update.facts for number in (fact.value, fact.low, fact.high) if number is not None]
    assert not np.isnan(numbers).any()
    settings = [word for name, value in (*values.items(), ("trials", 500)) for word in ("--set", f"{name}={value}")]
    assert main(["compute", "response", *settings]) == 0
    text, err = capsys.readouterr()
    assert err == ""
    assert "NaN" not in text
    assert "Infinity" not in text
    found = {(fact["key"], fact["mechanism"]): fact["value"] for fact in json.loads(text)["facts"]}
    proves = values.get("theta1") == 1 or (values.get("theta1") != 0 and values.get("theta2") in (0, 1))
    assert found["guarantee_epsilon", "response"] == ("inf" if proves else 0.0)
