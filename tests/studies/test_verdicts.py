"""Verdicts are for people: risk to one person in right guesses, error to the analyst, and few short sentences."""

from __future__ import annotations

import re

import pytest

from dpstudio.core.study import answer
from dpstudio.studies.budget import Budget
from dpstudio.studies.mean import Mean
from dpstudio.studies.noise import Noise
from dpstudio.studies.response import Response

CASES = [(study, preset.values) for study in (Response, Mean, Noise, Budget) for preset in study.presets] + [
    (study, {}) for study in (Response, Mean, Noise, Budget)]
ODD = [
    (Response, {"theta1": 1.0}), (Response, {"theta2": 0.0}), (Response, {"theta2": 1.0}), (Response, {"theta1": 0.0}),
    (Response, {"theta1": 1e-120}), (Response, {"people": 1}), (Response, {"design": "symmetric", "epsilon": 20.0}),
    (Mean, {"people": 1}), (Mean, {"epsilon": 20.0}), (Mean, {"fraction": 0.0}), (Noise, {"delta": 0.0}),
    (Noise, {"belief": 1e-9}), (Noise, {"epsilon": 20.0, "delta": 0.5}), (Noise, {"sensitivity": 0.5}),
    (Noise, {"dimension": 10**9, "sensitivity": 1e6}), (Budget, {"delta": 0.0, "slack": 0.0}),
    (Budget, {"epsilon": 10.0, "releases": 10_000}), (Budget, {"delta": 0.5, "releases": 10_000}),
    (Budget, {"releases": 1}), (Budget, {"group_size": 10_000}), (Budget, {"epsilon": 1e-6}),
]


def verdicts(study, values):
    made = study(**values)
    return answer(made.replace(trials=100) if "trials" in made.values() else made).verdicts


@pytest.mark.parametrize(("study", "values"), CASES, ids=str)
def test_that_risk_is_said_in_right_guesses_and_error_to_the_analyst(study, values):
    said = verdicts(study, values)
    risk = [sentence for sentence in said if re.match(r"Of [\d\u202f]+ guesses at ", sentence)]
    assert len(risk) == 1
    error = [sentence for sentence in said if sentence.startswith("For the analyst: ")]
    assert len(error) == 1 or values.get("theta1") == 0
    # Both are read first: what follows is for whoever wants to know more.
    assert {risk[0], *error} <= set(said[:3])


@pytest.mark.parametrize(("study", "values"), CASES + ODD, ids=str)
def test_that_verdicts_are_few_and_short_and_speak_of_no_note(study, values):
    said = verdicts(study, values)
    assert len(said) <= 7
    for sentence in said:
        assert len(sentence) <= 325, sentence
        assert sentence.endswith(".")
        assert not re.search(r"\b(note|nan|inf|None)\b|\bsd\b|  |100 : 0|\(\)", sentence), sentence
        assert "1e−07 : " not in sentence


@pytest.mark.parametrize(("values", "words"), [
    ({"theta1": 1.0}, "everybody tells the truth"), ({"theta2": 0.0}, "a “yes” proves the truth"),
    ({"theta2": 1.0}, "a “no” proves the truth"), ({"theta1": 0.0}, "no survey, however large, estimates anything"),
    ({"theta1": 1.0, "prevalence": 0.0}, "the estimate is exact")])
def test_that_legal_ends_are_explained(values, words):
    assert any(words in sentence for sentence in verdicts(Response, values))
