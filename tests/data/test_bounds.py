"""Which bound suits a count: where there is a choice, which bounds are shown, and what is said of them."""

from __future__ import annotations

import math

import pytest

from dpstudio.data.bounds import Bounds, bounds_of, bounds_table, sentence
from dpstudio.data.counting import Count, People
from dpstudio.models.contributions import Spread
from dpstudio.text.sentences import grouped, safely

MANY = Spread({1: 900, 3: 60, 40: 5, 5_000: 1})


def counted(spread):
    rows = spread.kept(None)
    return Count(rows, rows, 0, People("id", spread, spread, 0, 0))


def test_that_there_is_a_choice_where_somebody_has_a_second_row():
    assert bounds_of(counted(Spread({0: 4, 1: 3})), 1.0) is None
    assert bounds_of(Count(5, 3, 0), 1.0) is None, "nobody is named"
    assert bounds_of(counted(Spread({1: 3, 2: 1})), 1.0) == Bounds(Spread({1: 3, 2: 1}), 1.0)


def test_that_few_bounds_are_shown_of_many_with_the_best_and_the_chosen_one_among_them():
    bounds = Bounds(MANY, 0.3)
    for chosen in (1, 17, 40, 9_999):
        shown = bounds.spaced(9, chosen)
        assert len(shown) <= 9
        assert {1, bounds.best, chosen} <= set(shown)
        assert list(shown) == sorted(set(shown))
    assert Bounds(Spread({1: 5, 4: 2}), 1.0).spaced(9) == (1, 2, 3, 4)
    table = bounds_table(bounds, 40)
    assert 500 < table.rows <= 1000


def test_that_the_chosen_bound_is_told_beside_the_best_with_what_it_loses():
    bounds = Bounds(Spread({1: 10, 2: 10, 3: 10}), 0.1)
    # Laplace noise at ε = 0.1: √2 b/0.1. Lost: 30 rows at 1, 10 at 2, none at 3.
    errors = {b: math.hypot(lost, math.sqrt(2) * b / 0.1) for b, lost in ((1, 30), (2, 10), (3, 0))}
    assert bounds.best == min(errors, key=errors.get) == 2
    assert "With at most 2 of each, which is best here, the count has an error (sd) of 30 rows" in sentence(bounds, 2)
    assert "; with" not in sentence(bounds, 2)
    larger = Bounds(Spread({1: 10, 2: 10, 3: 10, 9: 9}), 0.1)
    error = safely(math.hypot(73, 2 * math.sqrt(2) / 0.1))
    assert f"; with at most 2 it is {error}, as 73 are lost." in sentence(larger, 2)
    assert "; with all rows, 3 of one person at most, it is 42.5." in sentence(bounds, None)
    assert errors == pytest.approx({1: 33.17, 2: 30, 3: 42.43}, abs=0.01)


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 1.0, 7.0])
@pytest.mark.parametrize("rows", [{1: 400, 5: 301}, {2: 3, 700: 9}])
def test_that_with_one_row_of_each_persons_are_counted_and_none_is_said_to_be_lost(rows, epsilon):
    bounds = Bounds(Spread(rows), epsilon)
    told = sentence(bounds, 1)
    own, others = told.split(". As a count of rows ")
    assert own.endswith(f"an error (sd) of {safely(math.sqrt(2) / epsilon)} with Laplace noise")
    assert "none is lost" in own
    best = min(range(1, max(rows) + 1), key=lambda b: math.hypot(
        sum(max(each - b, 0) * persons for each, persons in rows.items()), math.sqrt(2) * b / epsilon))
    assert others.startswith(f"at most {grouped(best)} of each would be best, with an error of ")
