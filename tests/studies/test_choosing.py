"""Who is recommended of what is allowed, at numbers that are made up."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dpstudio.core.results import Series
from dpstudio.studies.kit.choosing import ranked
from dpstudio.vocabulary import ERROR_95

A, B, C = (Series(key, key) for key in "abc")


def made_up(outcomes: dict[Series, tuple[float, float]], refused: tuple[Series, ...] = ()) -> SimpleNamespace:
    """What stands for an answer: an outcome and a δ of each series."""
    return SimpleNamespace(
        one=outcomes.get, allowed=lambda series: series not in refused, same_unit=lambda _: True,
        guarantee=lambda series: SimpleNamespace(delta=outcomes[series][1]),
        fact=lambda _, series: SimpleNamespace(value=outcomes[series][0], kind="exact"))


@pytest.mark.parametrize(("outcomes", "step", "order"), [
    ({A: (3.0, 0.0), B: (2.0, 0.0), C: (1.0, 0.0)}, 0.0, [C, B, A]),
    ({A: (1.019, 0.0), B: (1.0, 1e-6)}, 0.0, [A, B]),  # a fiftieth is not worth a δ
    ({A: (1.021, 0.0), B: (1.0, 1e-6)}, 0.0, [B, A]),
    ({A: (3.0, 0.0), B: (2.0, 1e-6)}, 1.0, [A, B]),  # nor is a step of what goes by steps
    ({A: (3.0, 0.0), B: (1.9, 1e-6)}, 1.0, [B, A]),
    ({A: (1.0, 1e-6), B: (1.0, 1e-6 * (1 - 1e-12))}, 0.0, [A, B]),  # δ differs by rounding alone: the plainer one
    ({A: (1.0, 1e-6), B: (1.0, 0.9e-6)}, 0.0, [B, A]),
])
def test_that_the_least_outcome_comes_first_and_of_what_is_alike_what_spends_less_then_what_is_plainer(
        outcomes, step, order):
    assert list(ranked(made_up(outcomes), ERROR_95, (A, B, C), step=step)) == order


def test_that_what_is_not_allowed_is_nowhere_in_the_order():
    outcomes = {A: (3.0, 0.0), B: (1.0, 0.1)}
    assert ranked(made_up(outcomes, (B,)), ERROR_95, (A, B, C)) == (A,)
