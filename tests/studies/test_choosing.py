"""Who is recommended of what is allowed, at numbers that are made up."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dpstudio.core.results import Series
from dpstudio.core.sentence import first_said
from dpstudio.studies.kit.choosing import NO_LONGER_ALLOWED, USE, ranked, spoken_of
from dpstudio.vocabulary import ERROR_95

A, B, C = (Series(key, key) for key in "abc")


def made_up(outcomes: dict[Series, tuple[float, float]], refused: tuple[Series, ...] = (), *,
            other_unit: tuple[Series, ...] = (), bounds: tuple[Series, ...] = (), decided: Series | None = None
            ) -> SimpleNamespace:
    """What stands for an answer: an outcome and a δ of each series."""
    return SimpleNamespace(
        one=outcomes.get, allowed=lambda series: series not in refused,
        same_unit=lambda series: series not in other_unit, decided=decided, spends=lambda series: "spends δ = 0.1",
        guarantee=lambda series: SimpleNamespace(delta=outcomes[series][1]),
        fact=lambda _, series: SimpleNamespace(value=outcomes[series][0], kind=("exact", "bound")[series in bounds]))


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


def test_that_what_protects_another_unit_or_is_not_there_is_nowhere_in_the_order():
    outcomes = {A: (3.0, 0.0), B: (1.0, 0.0)}
    assert ranked(made_up(outcomes, other_unit=(B,)), ERROR_95, (A, B, C)) == (A,)


def test_that_outcomes_below_what_makes_a_difference_are_alike():
    outcomes = {A: (0.9, 0.0), B: (0.1, 1e-6), C: (1.1, 0.0)}
    assert ranked(made_up(outcomes), ERROR_95, (A, B, C), least=1.0) == (A, B, C)
    assert ranked(made_up(outcomes), ERROR_95, (A, B, C)) == (B, A, C)


@pytest.mark.parametrize(("outcomes", "bounds", "order"), [
    ({A: (1.0, 0.0), B: (2.0, 0.0)}, (B,), (A,)),  # it may be better than it says
    ({A: (1.0, 0.0), B: (1.01, 0.0)}, (B,), (A, B)),  # as good even so
    ({A: (2.0, 0.0), B: (1.0, 0.0)}, (B,), (B, A)),  # better even so
    ({A: (1.0, 0.0), B: (2.0, 0.0)}, (A, B), (A, B)),  # of bounds alone there is no other order
])
def test_that_what_is_known_by_a_bound_alone_is_never_ranked_behind_an_exact_value(outcomes, bounds, order):
    assert ranked(made_up(outcomes, bounds=bounds), ERROR_95, (A, B)) == order


def test_that_the_sentences_speak_of_what_was_decided_for_and_say_first_where_that_is_no_longer_allowed():
    outcomes = {A: (1.0, 0.0), B: (2.0, 0.1)}
    for decided, refused, spoken, use, says in (
            (None, (), A, "Use", None), (B, (), B, "You chose", None), (None, (B,), A, "Use", None),
            (B, (B,), B, "You chose", {"name": "b", "spends": "spends δ = 0.1"})):
        a = made_up(outcomes, refused, decided=decided)
        assert spoken_of(a, A) == spoken
        said = NO_LONGER_ALLOWED.said(a)
        assert (said and said.places) == says
        assert first_said(USE["use"], a) == use
