"""Where something begins to hold, at every double and every whole number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.search import first_double, first_whole


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
