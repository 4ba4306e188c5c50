"""What people type is read as they meant it or refused, and what is written is read back the same."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.text.entry import read_number, write_number

EPSILON = Parameter("epsilon", v.EPSILON, v.reals(1e-6, 20))
MINIMUM = Parameter("minimum", v.MINIMUM, v.integers(1, 10**9))
TARGET = Parameter("target", v.TARGET, v.INSIDE_UNIT, named={"neutral": 0.5})

MEANT = {
    "1e-3": 1e-3, "100k": 100_000, "0.1%": 1e-3, "0.1 %": 1e-3, "5‰": 5e-3, "2M": 2_000_000, "1.5k": 1500.0,
    "0,5": 0.5, "2,5e3": 2500.0, "0,001": 1e-3, "1 000": 1000, "1\u2009000\u2009000": 1_000_000, "1'000": 1000,
    "1_000": 1000, "1,000,000": 1_000_000, "1,234.5": 1234.5, "1 000,5": 1000.5, "−5": -5, "– 5": -5, "+5": 5,
    "10^-3": 1e-3, "10⁻³": 1e-3, "1.5·10⁻³": 1.5e-3, "3 × 10^4": 30_000, ".5": 0.5, "5.": 5.0,
    " 12\n": 12, "\ufeff12": 12, "9223372036854775807": 2**63 - 1, "0.123 456": 0.123456,
}
REFUSED = ["", " ", "+", "-", ".", ",", "e5", "1e", "1ee5", "--5", "1.2.3", "12 34", "1000 1020", "1,2,3", "1,00,000",
           "0x10", "inf", "nan", "∞", "1 e5 k", "210^3", "5 apples", "1/2", "٣", "5\n6", "1.234,5", "9" * 5000]
AMBIGUOUS = ["1,000", "−1,000", "12,345", "999,999", "1,000k", "1,000 %", "1,000e3"]


@pytest.mark.parametrize(("text", "number"), MEANT.items())
def test_that_a_number_is_read_as_it_was_meant(text, number):
    read = read_number(text)
    assert read == number
    assert type(read) is type(number)


@pytest.mark.parametrize("text", REFUSED + AMBIGUOUS)
def test_that_what_is_no_number_or_two_numbers_is_not_read(text):
    assert read_number(text) is None


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_that_a_refusal_says_why_a_comma_has_two_meanings(text):
    with pytest.raises(InvalidParameter, match="comma before three digits"):
        read_entry(MINIMUM, text)


@given(st.text() | st.text("0123456789.,eE+-−%kMG ^x10⁻³ \u2009", max_size=30))
@example("1" * 4400)
@example("1e99999")
@example("1e9999")
def test_that_reading_never_raises(text):
    read = read_number(text)
    assert read is None or isinstance(read, int | float)


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**63), 2**63))
@example(5e-324)
@example(1.7976931348623157e308)
@example(0.30000000000000004)
@example(1e22)
@example(2**63 - 1)
def test_that_a_number_written_is_read_back_to_the_last_digit(number):
    assert read_number(write_number(number)) == number


@pytest.mark.parametrize(("number", "text"), [
    (100_000, "100\u202f000"), (100_000.0, "100\u202f000"), (1e-6, "1e-6"), (1000, "1\u202f000"), (-5, "−5"),
    (123456.789, "123\u202f456.789"), (1.2345e-12, "1.2345e-12"), (1e16, "1e16"), (0.0, "0"), (math.inf, "∞"),
])
def test_that_a_number_is_written_short_with_its_thousands_apart(number, text):
    assert write_number(number) == text


@given(st.integers(1, 999), st.integers(0, 999))
def test_that_a_comma_before_three_digits_is_never_guessed(head, tail):
    assert read_number(f"{head},{tail:03}") is None


@given(st.text(max_size=80))
def test_that_an_entry_is_a_value_of_the_domain_or_one_line_of_refusal(text):
    try:
        said = str(read_entry(EPSILON, text))
    except InvalidParameter as refusal:
        said = str(refusal)
    assert said.startswith("epsilon must be in [1e-6, 20], got ") or 1e-6 <= float(said) <= 20
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(("text", "got"), [("-1", "-1.0"), ("1e-7", "1e-7"), ("nan", "nan"), ("hello", "'hello'"),
                                           ("1e\n2", r"'1e\n2'")])
def test_that_a_refusal_shows_what_was_given(text, got):
    with pytest.raises(InvalidParameter) as refusal:
        read_entry(EPSILON, text)
    assert str(refusal.value) == f"epsilon must be in [1e-6, 20], got {got}"


def test_that_a_value_can_be_given_by_its_name():
    assert read_entry(TARGET, "neutral") == 0.5


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("TRUE", True), ("1", True), ("no", False), ("Off", False)])
def test_that_a_switch_reads_yes_and_no(text, value):
    assert read_entry(Parameter("zero_refused", v.ZERO_REFUSED, v.Switch()), text) is value


def test_that_a_whole_number_stays_whole():
    assert type(read_entry(MINIMUM, "100k")) is int
    with pytest.raises(InvalidParameter, match="an integer in"):
        read_entry(MINIMUM, "0.5")
