"""Numbers of twice the digits, against fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core import twofold

NUMBERS = st.floats(-1e9, 1e9).filter(lambda x: x == 0 or abs(x) > 1e-9)
PAIRS = st.tuples(NUMBERS, NUMBERS)


def pair(a, b):
    """a + b as a pair."""
    return twofold.total(np.array([a]), np.array([b * 2.0**-55]))


def exact(found) -> Fraction:
    return Fraction(float(found[0][0])) + Fraction(float(found[1][0]))


@given(a=NUMBERS, b=NUMBERS)
def test_that_sums_and_products_of_doubles_lose_nothing(a, b):
    one, other = np.array([a]), np.array([b])
    assert exact(twofold.total(one, other)) == Fraction(a) + Fraction(b)
    assert exact(twofold.product(one, other)) == Fraction(a) * Fraction(b)
    assert sum(float(half[0]) for half in twofold.halves(one)) == a


@given(a=PAIRS, b=PAIRS, n=st.integers(1, 2**53))
def test_that_what_is_made_of_pairs_keeps_thirty_digits(a, b, n):
    x, y = pair(*a), pair(*b)
    p, q = exact(x), exact(y)
    size = Fraction(1, 10**30)
    assert abs(exact(twofold.add(x, y)) - (p + q)) <= size * (abs(p) + abs(q))
    assert abs(exact(twofold.less(x, y)) - (p - q)) <= size * (abs(p) + abs(q))
    assert abs(exact(twofold.times(x, y)) - p * q) <= size * abs(p * q)
    assert abs(exact(twofold.over(x, float(n))) - p / n) <= size * abs(p / n)


@given(terms=st.lists(PAIRS, max_size=30))
def test_that_running_sums_keep_the_digits_that_their_differences_need(terms):
    pairs = [pair(*term) for term in terms]
    given_ = tuple(np.array([float(one[part][0]) for one in pairs]) for part in (0, 1))
    found, sums, size = twofold.running(given_), [Fraction(0)], Fraction(1)
    for one in pairs:
        sums.append(sums[-1] + exact(one))
        size += abs(exact(one))
    assert found[0].shape == (len(terms) + 1,)
    for place, expected in enumerate(sums):
        high, low = twofold.at(found, np.array([place]))
        assert abs(Fraction(float(high[0])) + Fraction(float(low[0])) - expected) <= Fraction(1, 10**28) * size


def test_that_a_small_number_outlives_a_large_one():
    sums = twofold.running((np.array([1e16, 1.0, -1e16]), np.zeros(3)))
    assert sum(float(part) for part in twofold.at(sums, -1)) == 1.0
    assert np.cumsum([1e16, 1.0, -1e16])[-1] == pytest.approx(0.0)
