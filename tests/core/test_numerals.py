"""Numbers as text."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.numerals import aside, stated
from dpstudio.core.results import Fact


@given(st.floats(1e-290, 1e290) | st.floats(-1e290, -1e-290), st.integers(2, 6))
def test_that_a_bound_is_never_rounded_to_its_unsafe_side(value, digits):
    up, down = aside(value, digits, up=True), aside(value, digits, up=False)
    slack = 2e-12 * abs(value)
    assert down - slack <= value <= up + slack
    assert up - down <= 1.01 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) + slack
    assert float(f"{up:.{digits - 1}e}") == up


def test_that_bounds_are_stated_safely_and_other_facts_to_the_nearest_digit():
    assert stated(Fact(v.EPSILON, 0.98468, kind="bound", at_least=True)) == "0.9846"
    assert stated(Fact(v.EPSILON, 0.98461, kind="bound")) == "0.9847"
    assert stated(Fact(v.EPSILON, 0.98468)) == "0.9847"
    assert stated(Fact(v.EPSILON, 0.1, kind="bound")) == "0.1"
    assert stated(Fact(v.EPSILON, math.inf, kind="bound")) == "∞"
