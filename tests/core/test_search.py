"""Where something begins to hold, at every double and every whole number."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.search import (
    falling_root,
    first_double,
    first_whole,
    lowest,
    narrowing,
)


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=5))
def test_that_the_first_double_is_found_wherever_it_lies(bounds):
    bound = np.array(bounds)
    found = first_double(lambda x: x >= bound, bound.shape)
    assert (found == np.where(bound == -np.finfo(float).max, -math.inf, bound)).all()
    with np.errstate(over="ignore", under="ignore"):  # of the largest double the next is ∞
        after = np.where(np.isinf(bound), bound, np.nextafter(bound, math.inf))
    assert (first_double(lambda x: x > bound, bound.shape) == after).all()


@given(st.lists(st.integers(0, 2**53), min_size=1, max_size=5), st.integers(1, 2**53))
def test_that_the_first_whole_number_is_found_and_the_end_where_there_is_none(bounds, end):
    bound = np.array(bounds, dtype=np.float64)
    assert (first_whole(lambda n: n >= bound, bound.shape, end) == np.minimum(bound, end)).all()


def test_that_a_search_asks_at_most_sixty_six_questions_and_none_below_zero():
    asked = []

    def holds(n):
        asked.append(n)
        return n > 1e-300

    assert first_double(holds, (1,)) == pytest.approx(1e-300, rel=1e-15)
    assert len(asked) <= 66
    asked.clear()
    first_whole(holds, (1,), 2**53)
    assert min(asked) >= 0


def test_that_no_question_gives_no_answer():
    assert first_double(lambda x: x > 0, (0,)).shape == (0,)
    assert first_whole(lambda n: n > 0, (0, 2), 9).shape == (0, 2)


@pytest.mark.parametrize(("valley", "low", "high"), [
    (lambda x: (x - 0.3) ** 2, -1.0, 1.0), (lambda x: abs(x - 0.3), 0.0, 10.0), (lambda x: (x - 0.3) ** 4, -5.0, 0.4),
    (lambda x: max(x - 0.3, 0.01 * (0.3 - x)), -40.0, 40.0), (lambda x: math.cosh(20 * (x - 0.3)), 0.29, 30.0)])
def test_that_the_lowest_point_of_a_valley_is_found(valley, low, high):
    asked = []
    found = lowest(lambda x: asked.append(x) or valley(x), low, high)
    assert valley(found) <= valley(0.3) + 1e-7 * (valley(low) + valley(high) - 2 * valley(0.3))
    assert found == pytest.approx(0.3, abs=1e-6 if valley(0.3 + 1e-6) - valley(0.3) > 1e-14 else 2e-3)
    assert all(low < x < high for x in asked)
    assert len(asked) < 90


@pytest.mark.parametrize(("slope", "end"), [(1.0, -2.0), (-1.0, 3.0)])
def test_that_a_slope_without_a_valley_leads_to_its_end(slope, end):
    assert lowest(lambda x: slope * x, -2.0, 3.0) == pytest.approx(end, abs=1e-6)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(-6, 6).map(math.exp), st.sampled_from([
    lambda x: -x, lambda x: -math.expm1(min(x, 50)), lambda x: math.exp(min(-x, 50)) - 1, lambda x: -math.copysign(
        abs(x) ** 3, x), lambda x: -math.copysign(1.0, x)]))
def test_that_a_falling_function_is_followed_to_its_root_from_wherever_it_is_sought(root, start, step, function):
    asked = []
    found = falling_root(lambda x: asked.append(x) or function((x - root) / step), start, step)
    assert abs(function((found - root) / step)) <= 1e-9 or abs(found - root) <= 1e-9 * max(abs(root), step)
    assert len(asked) < 220


@pytest.mark.parametrize(("behind", "most"), [
    (lambda x: 3 - x, 70), (lambda x: x**-12 - 3.0**-12, 90), (lambda x: math.inf if x < 3 else -1.0, 60),
    (lambda x: 1.0 if x < 3 else -1e-9 * (x - 3), 90), (lambda x: 1e-20 if x < 3 else -1.0, 90),
    (lambda x: 1.0 if x < 3 else math.nan, 60)])
def test_that_ever_narrower_ends_have_what_is_sought_between_them_also_where_straight_lines_are_slow(behind, most):
    ends = list(narrowing(behind, 0.01, 100.0))
    assert ends[0] == (0.01, 100.0)
    for (low, high), (left, right) in pairwise(ends):
        assert (left == low) != (right == high), "each has one end more"
        assert behind(left) > 0
        assert not behind(right) > 0
    assert ends[-1] == pytest.approx((3, 3), rel=1e-15)
    near = [high / low <= 1 + 1e-12 for low, high in ends]
    assert near.index(True) <= most
