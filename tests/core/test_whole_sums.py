"""Sums over whole numbers by few places: against sums one by one, and polynomials."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.core.whole_sums import PLACES, stretches


@given(first=st.integers(-50, 50), count=st.integers(0, 5000), most=st.integers(1, 9))
@example(first=0, count=12, most=1)
@example(first=0, count=13, most=1)
@example(first=3, count=0, most=4)
def test_that_places_lie_within_and_weigh_as_many_as_they_stand_for(first, count, most):
    item, place, weight = stretches(np.array([float(first)]), np.array([first + count - 1.0]), most)
    assert len(item) == min(math.ceil(count / PLACES), most)
    assert weight.sum() == pytest.approx(count, rel=1e-13)
    if count:
        assert place.min() >= first - 1e-9
        assert place.max() <= first + count - 1 + 1e-9
        assert (weight >= 0).all()


@pytest.mark.parametrize("count", [1, 7, 12, 13, 14, 20, 97, 1000, 10**6])
def test_that_one_stretch_is_exact_for_polynomials_of_degree_23(count):
    _, place, weight = stretches(np.zeros(1), np.array([count - 1.0]), 1)
    for degree in range(24):
        if count <= 1000:
            exact = sum(Fraction(2 * i - count + 1, 2 * count) ** degree for i in range(count))
        elif degree % 2:
            exact = 0
        else:  # the midpoint rule is exact to 1e-12
            exact = count * 0.5**degree / (degree + 1)
        found = (weight * ((2 * place - count + 1) / (2 * count)) ** degree).sum()
        assert found == pytest.approx(float(exact), rel=1e-9, abs=1e-14 * count)


def test_that_elements_are_kept_apart_and_a_smooth_sum_needs_few_places():
    first, last = np.array([0.0, 5.0, 9.0, -1e5]), np.array([4.0, 4.0, 400.0, 1e5])
    item, place, weight = stretches(first, last, 8)
    found = np.bincount(item, (weight * np.exp(-place * place / 2e8)).sum(axis=1), 4)
    for i in range(4):
        each = np.arange(first[i], last[i] + 1)
        assert found[i] == pytest.approx(np.exp(-each * each / 2e8).sum(), rel=1e-13)
    assert set(item) == {0, 2, 3}
    assert place.size <= 17 * PLACES
