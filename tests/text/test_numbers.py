"""Numbers as text: what is said of a bound, an interval or a probability stays true in however few digits."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, stated
from dpstudio.text.numbers import THIN, exact, half_width, plain, said, scientific, short
from dpstudio.vocabulary import amount, shorter

FINITE = st.floats(allow_nan=False, allow_infinity=False).filter(bool)
INSIDE = (st.floats(0, 1, exclude_min=True, exclude_max=True) | st.floats(1e-320, 1e-3)
          | st.floats(1e-16, 1e-2).map(lambda lack: 1 - lack).filter(lambda p: p < 1))
PROBABILITIES = (v.ACCEPTANCE, v.DELTA, v.POSTERIOR_MOST)
COUNTS = (v.BAND_FROM, v.RECORDS, v.PEOPLE_NEEDED, v.EPSILON, v.PRIVACY_LOSS)
SLACK = Decimal("2e-12")
"""Part of a value, or of what a probability lacks, that passes for a rounding error."""


def number(text: str) -> tuple[Decimal, Decimal]:
    """What a text says, and the number whose digits it shows: of “1 − 3e-7”, 3e-7."""
    plain = text.replace(THIN, "")
    if plain.startswith("1 − "):
        lack = Decimal(plain[4:])
        return 1 - lack, lack
    return (value := Decimal(plain.replace("−", "-"))), value


def texts(value: float, quantity: v.Quantity, side: str) -> list[str]:
    """All ways to write a value, from the usual one to the shortest."""
    return [amount(value, quantity, side=side), *(amount(value, quantity, n, side) for n in range(1, 9)),
            *shorter(value, quantity, side)]


@given(FINITE, st.integers(1, 9), st.sampled_from([short, scientific]))
@example(1.7976931348623157e308, 4, short)
@example(-9.99996, 4, short)
@example(5e-324, 2, scientific)
def test_that_up_is_never_less_and_down_never_more_and_both_are_near(value, digits, written):
    exact = Decimal(value)
    up, down, nearest = (number(written(value, digits, side))[1] for side in ("up", "down", "nearest"))
    slack = SLACK * abs(exact)
    assert down - slack <= exact <= up + slack
    assert down <= nearest <= up
    assert up - down <= Decimal(1).scaleb(exact.adjusted() - digits + 1)
    assert abs(nearest - exact) <= (up - down) / 2 + slack


@given(INSIDE, st.sampled_from(PROBABILITIES))
@example(0.9937, v.DELTA)
@example(0.996, v.DELTA)
@example(1 - 2.0**-53, v.DELTA)
@example(0.99949999, v.DELTA)
@example(5e-324, v.DELTA)
def test_that_a_bounded_probability_stays_bounded_in_any_number_of_digits(value, quantity):
    exact = Decimal(value)
    for side in ("up", "down", "nearest"):
        for text in texts(value, quantity, side):
            told, digits = number(text)
            slack = SLACK * (abs(digits) if text.startswith("1 − ") else exact)
            assert side == "nearest" or (told + slack >= exact if side == "up" else told - slack <= exact), text
            assert text != "0"
            assert text != "1" or side == "up"
            assert 0 < told <= 1


@given(FINITE.filter(lambda x: abs(x) < 1e300), st.sampled_from(COUNTS))
@example(18445.0, v.PEOPLE_NEEDED)
@example(123456.7, v.BAND_FROM)
def test_that_a_bound_of_any_quantity_is_on_its_safe_side_in_any_number_of_digits(value, quantity):
    exact = Decimal(value)
    for side in ("up", "down"):
        if side == "down" and quantity.enough:
            continue
        for text in texts(value, quantity, side):
            told, _ = number(text)
            slack = SLACK * abs(exact)
            assert told + slack >= exact if side == "up" else told - slack <= exact, text


NORMAL = partial(st.floats, allow_subnormal=False)  # of the smallest doubles no half width can be written


@given(NORMAL(-1e6, 1e6) | NORMAL(0, 1), NORMAL(0, 1e3) | NORMAL(0, 1e-6), NORMAL(0, 1e3))
def test_that_a_number_and_its_half_width_hold_the_whole_interval(value, below, above):
    low, high = value - below, value + above
    for quantity in (v.PRIVACY_LOSS, v.BAND_FROM):
        text = amount(value, quantity)
        middle, _ = number(text)
        half, _ = number(half_width(text, low, high))
        slack = SLACK * max(abs(half), abs(middle))
        assert middle - half <= Decimal(low) + slack
        assert middle + half >= Decimal(high) - slack
        assert half <= Decimal("1.1") * max(middle - Decimal(low), Decimal(high) - middle) + slack


@given(INSIDE)
def test_that_a_text_is_read_back_as_the_number_that_it_says(value):
    for text in texts(value, v.DELTA, "nearest"):
        assert said(text) == number(text)[0]
    assert said(short(-12345.6)) == Decimal(-12346)
    assert said("−∞") == Decimal("-Infinity")


def test_that_an_interval_without_end_has_no_half_width():
    assert half_width("3", 1.0, math.inf) == "∞"
    assert half_width("∞", 1.0, math.inf) == "∞"


def test_that_bounds_are_stated_safely_and_other_facts_to_the_nearest_digit():
    assert stated(Fact(v.EPSILON, 0.98468, kind="bound", at_least=True)) == "0.9846"
    assert stated(Fact(v.EPSILON, 0.98461, kind="bound")) == "0.9847"
    assert stated(Fact(v.EPSILON, 0.98468)) == "0.9847"
    assert stated(Fact(v.EPSILON, 0.1, kind="bound")) == "0.1"
    assert stated(Fact(v.EPSILON, 0.1 + 0.2, kind="bound")) == "0.3"  # not 0.3001 for a rounding error
    assert stated(Fact(v.EPSILON, math.inf, kind="bound")) == "∞"
    assert stated(Fact(v.PEOPLE_SURE, 18445.0, kind="bound")) == f"18{THIN}445"


@pytest.mark.parametrize(("value", "text"), [
    (4897.86, f"4{THIN}898"), (4897.0, f"4{THIN}897"), (4897.0000001, f"4{THIN}898"),
    (4897 * (1 + 4e-16), f"4{THIN}897"), (0.2, "1"), (0.0, "0"), (math.inf, "∞"), (3e16, "3e16"),
])
def test_that_people_who_are_enough_are_counted_in_whole_and_never_too_few(value, text):
    assert amount(value, v.PEOPLE_NEEDED) == text
    assert value == math.inf or number(text)[0] >= Decimal(value) * (1 - SLACK)


def test_that_less_room_takes_digits_off_and_never_adds_any():
    assert list(shorter(0.123456, v.EPSILON, "up")) == ["0.124", "0.13", "0.2"]
    assert list(shorter(1234567.0, v.BAND_FROM, "down"))[-3:] == ["1.23e6", "1.2e6", "1e6"]
    assert list(shorter(0.9937, v.DELTA, "up"))[:2] == ["0.994", "1"]
    assert list(shorter(0.996, v.DELTA))[1] == "1 − 0.004"


def test_that_what_a_probability_lacks_is_told_by_its_complement():
    assert amount(1.0, v.ACCEPTANCE, lack=3.2e-40) == "1 − 3.2e-40"
    assert amount(1 - 2.0**-53, v.ACCEPTANCE, lack=7.84e-17) == "1 − 7.8e-17"
    assert amount(1.0, v.ACCEPTANCE, lack=0.0) == "1"
    assert amount(0.7, v.ACCEPTANCE, lack=0.3) == "0.7"
    assert amount(1.0, v.EPSILON, lack=0.1) == "1"  # no probability


@pytest.mark.parametrize(("value", "text"), [(0.9994, "0.9994"), (0.9996, "1 − 0.0004"), (0.99999, "1 − 1e-5")])
def test_that_from_one_in_two_thousand_on_a_probability_is_written_by_what_it_lacks(value, text):
    assert amount(value, v.ACCEPTANCE) == text


@pytest.mark.parametrize(("value", "every_digit", "shortest"), [
    (20.0, "20", "20"), (1e-7, "1e-07", "1e-7"), (0.1, "0.1", "0.1"), (100_000, "100000", "1e5"),
    (1e9, "1000000000", "1e9"), (-120_000.0, "-120000", "-120000"),
    (2**63 - 1, "9223372036854775807", "9223372036854775807"),
    (1e22, "1e+22", "1e22"), (math.inf, "inf", "∞"), (-math.inf, "-inf", "−∞")])
def test_that_no_digit_is_lost_where_every_digit_is_written(value, every_digit, shortest):
    assert (exact(value), plain(value)) == (every_digit, shortest)
    assert type(value)(exact(value)) == value
