"""Who is named best is best: of what keeps the same ε and δ for the same unit, by what the sentence ranks by."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from claims.decision import NAMES as DECISIONS
from claims.kit import settings_of
from claims.updating import BEGIN as STRATEGIES
from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.study import answer
from dpstudio.studies import all_studies, mean, neighbours, noise, updating
from dpstudio.studies import decision as decide
from dpstudio.text.sentences import percent, safely

NOISES = {"Laplace": "laplace", "geometric": "geometric", "discrete Laplace": "geometric",
          "Gaussian": "gaussian", "staircase": "staircase",
          "discrete Gaussian": noise.DISCRETE.key}
ROUNDING = 1e-9


@dataclass(frozen=True)
class Named:
    """How a study’s headline names what it chooses, among which series, and how much worse each is than none."""

    pattern: str
    keys: Mapping[str, str]
    among: tuple[Series, ...]
    worth: Callable[[Any, Series, re.Match[str]], float]
    """What the sentence ranks by: the less, the better."""
    said: Callable[[float], str] = safely
    near: float = 1.0
    """Up to how many times the least what is plainer may be named."""
    spared: Callable[[float], float] = lambda least: least
    """Up to what a series that spends no more δ may be named beside a better one."""


def by(quantity: v.Quantity) -> Callable[[Any, Series, re.Match[str]], float]:
    return lambda a, series, _: a.value(quantity, series)


def off(a: Any, series: Series, _: re.Match[str]) -> float:
    """What the headline of noise ranks by: a distance, of noise on whole numbers where the answer moves by such."""
    fits = series not in noise.WHOLE or a.asked.is_whole
    return a.value(v.ERROR_AT_LEVEL, series) if fits else math.inf


NAMED = {
    "decision": Named(rf"Use (?P<best>{'|'.join(DECISIONS)}):", DECISIONS, decide.FIRST, by(v.BAND_STEPS),
                      spared=lambda least: least + max(1.0, 0.02 * least)),
    "mean": Named(r"Use (?P<best>discrete Laplace|Laplace|Gaussian) noise", NOISES,
                  (mean.GEOMETRIC, mean.LAPLACE, mean.GAUSSIAN), by(v.GROUP_ERROR),
                  spared=lambda least: 1.02 * least),
    "noise": Named(rf"Use (?P<best>{'|'.join(sorted(NOISES, key=len, reverse=True))}) noise", NOISES, noise.COMPETING,
                   off, spared=lambda least: least + max(1.0, 0.02 * least)),
    "updating": Named(rf"Use (?P<best>{'|'.join(STRATEGIES)}):", STRATEGIES,
                      (updating.SEQUENTIAL, updating.RETRAIN, updating.TREE), by(v.WORST_SD), near=1.02),
    "neighbours": Named(r".* with (?P<best>geometric|Laplace) noise for ε", NOISES,
                        (neighbours.LAPLACE, neighbours.GEOMETRIC), by(v.HISTOGRAM_ERROR)),
}
"""The studies whose headline names a series. What the others say is recomputed in `claims`, form by form."""


def alike(named: Named, one: float, other: float) -> bool:
    """Whether both are said in the same digits: of errors and of their roots, or of the shares they leave."""
    return any(said(one) == said(other) for said in (named.said, lambda x: safely(x**0.5), lambda x: percent(1 - x)))


@pytest.mark.parametrize("key", NAMED)
@given(data=st.data())
def test_that_who_is_named_is_the_best_of_what_keeps_the_same_guarantee_for_the_same_unit(key, data):
    study, named = data.draw(settings_of(all_studies()[key])), NAMED[key]
    headline = answer(study, simulate=False).verdicts[0]
    found = re.match(named.pattern, headline)
    if found is None:
        return
    a = study.answer()
    best = next(series for series in named.among if series.key == named.keys[found["best"]])
    delta = getattr(study, "delta", 0.0)
    kept = {series: held for series in named.among
            if a.one(series) and (held := a.guarantee(series)) and held.keeps(study.epsilon, delta)}
    assert best in kept, "what is chosen keeps the ε and δ that are asked for"
    assert {held.relation for held in kept.values()} == {kept[best].relation}
    worth = {series: named.worth(a, series, found) for series in kept}
    for series, other in worth.items():
        if worth[best] <= other * named.near * (1 + ROUNDING) or alike(named, worth[best], other):
            continue
        assert kept[best].delta <= kept[series].delta * (1 + 1e-7), (series.key, headline)
        assert worth[best] <= named.spared(other), (series.key, headline)


@pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.key)
def test_that_no_two_parameters_of_a_study_have_one_name(study):
    labels = [parameter.quantity.label for parameter in study.parameters()]
    assert len(labels) == len(set(labels))
