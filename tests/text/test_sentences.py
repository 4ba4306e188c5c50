"""Numbers in sentences: few digits, none that promises too much, one of a thing in the singular."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.text import sentences
from dpstudio.text.numbers import said
from dpstudio.text.sentences import (
    apart,
    at_least,
    begun,
    beside,
    chance,
    even_odds,
    odds_after,
    or_same,
    people,
    percent,
    recommended,
    records,
    safely,
    significant,
    with_prefix,
)


def test_that_one_is_singular_and_many_are_grouped():
    assert (records(1), records(0), records(1020)) == ("1 record", "0 records", "1\u202f020 records")
    assert (people(1), people(2)) == ("1 person", "2 people")


def test_that_what_may_only_be_next_to_certain_is_not_called_so():
    # A double of 1.0 may stand for 1 − 1e-20.
    assert chance(1.0) == chance(0.9996) == "more than 0.999"
    assert (chance(0.9994), chance(0.0)) == ("0.999", "0")
    assert percent(0.99999).startswith("more than 99.9")


@pytest.mark.parametrize(("value", "text"), [
    (0.0, "0"), (-0.0, "0"), (math.inf, "∞"), (-math.inf, "−∞"), (0.01234, "0.0123"), (-12.34, "−12.3"), (12.0, "12"),
    (999.5, "1\u202f000"), (24_680, "24\u202f700"), (9_999_999, "10\u202f000\u202f000"), (1e7, "1e7"),
    (0.000099996, "0.0001"), (0.0000999, "9.99e−5"), (3.2e-7, "3.2e−7"), (5e-324, "4.94e−324")])
def test_that_a_sentence_says_three_digits(value, text):
    assert significant(value) == text


@pytest.mark.parametrize(("value", "up", "down"), [
    (0.12301, "0.124", "0.123"), (24_680, "24\u202f700", "24\u202f600"), (0.123 * (1 + 1e-14), "0.123", "0.123"),
    (0.123 * (1 - 1e-14), "0.123", "0.123"), (0.123 * (1 + 1e-9), "0.124", "0.123"),
    (5e-324, "4.95e−324", "4.94e−324")])
def test_that_what_is_promised_is_rounded_to_its_safe_side_but_for_a_rounding_error(value, up, down):
    assert (safely(value), at_least(value)) == (up, down)


def test_that_thousands_and_millions_are_said_by_their_prefix():
    assert [with_prefix(n) for n in (0, 850, 1000, 12_345, 3.2e6, 7e9)] == [
        "0", "850", "1\u202fk", "12.3\u202fk", "3.2\u202fM", "7\u202fG"]


@given(st.floats(1e-319, 1e300))
def test_that_what_must_not_be_understated_is_not(number):
    said = float(safely(number).replace("\u202f", "").replace("−", "-"))
    assert number * (1 - 2e-9) <= said <= number * 1.0101


@given(st.floats(1e-6, 20))
def test_that_even_odds_never_fall_short_of_what_epsilon_allows(epsilon):
    won, lost = (float(part.replace("\u202f", "")) for part in even_odds(epsilon).split(" : "))
    assert won / lost == pytest.approx(math.exp(epsilon), rel=1e-6) or won / lost > math.exp(epsilon)


def number(text):
    return float(text.replace("\u202f", "").replace("−", "-"))


POSITIVE = st.floats(-30, 25).map(math.exp)


@given(value=POSITIVE, factor=st.one_of(st.floats(0.9, 1.1), st.floats(1 - 1e-7, 1 + 1e-7), st.just(1.0)))
def test_that_a_number_and_its_limit_are_said_in_the_order_that_they_have(value, factor):
    limit = value * factor
    most, allowed = (number(text) for text in beside(value, limit))
    assert (most <= allowed) == (value <= limit * (1 + 1e-12))
    assert most >= value * (1 - 1e-11)
    assert allowed == pytest.approx(limit, rel=5.1e-3)


@given(value=POSITIVE, factor=st.one_of(st.floats(0.9, 1.1), st.floats(1 - 1e-7, 1 + 1e-7)))
def test_that_two_numbers_are_said_apart(value, factor):
    other = value * factor
    if abs(factor - 1) > 1e-12:
        first, second = (number(text) for text in apart(value, other))
        assert (first < second) == (value < other)
        assert first != second
        assert first >= value * (1 - 1e-11)


@given(belief=st.floats(1e-9, 1 - 1e-9), loss=st.floats(0, 900))
def test_that_odds_after_an_answer_never_fall_short(belief, loss):
    won, lost = (float(part[2:].replace("\u202f", "")) if part.startswith("e^") else math.log(number(part))
                 for part in odds_after(belief, loss).split(" : "))
    true = math.log(belief) - math.log1p(-belief) + loss
    assert won - lost >= true - 1e-7 * (1 + abs(true))
    if true > 5:
        assert won - lost <= true * (1 + 0.011) + 0.011


@given(st.floats(700, 1e6))
def test_that_odds_beyond_all_doubles_do_not_fall_short_either(epsilon):
    assert float(even_odds(epsilon).split(" : ")[0][2:].replace("\u202f", "")) >= epsilon * (1 - 1e-9)


@pytest.mark.parametrize(("words", "begins"), [("error at N", "Error at N"), ("ε of the pair", "ε of the pair"),
                                               ("δ", "δ"), ("", ""), ("a′ = a + c", "a′ = a + c")])
def test_that_a_sentence_begins_with_a_large_letter_but_a_symbol_stays(words, begins):
    assert begun(words) == begins


@given(st.floats(1e-12, 1e12), st.floats(1e-14, 1e-2))
def test_that_a_recommended_value_has_as_few_digits_as_keep_what_is_said_of_it(value, room):
    """Whoever types it is within the room, on the safe side; with a digit less they would not be."""
    def keeps(typed):
        return typed >= value * (1 - room)

    texts = [significant(value, digits, "down") for digits in range(3, 18)]
    typed = [float(said(text)) for text in texts]
    found = recommended(value, keeps, "down")
    assert float(said(found)) <= value * (1 + 1e-8)
    assert found == next((text for text, one in zip(texts, typed, strict=True) if keeps(one)), texts[-1])


def test_that_two_numbers_said_in_the_same_digits_are_said_to_be_the_same():
    assert or_same(safely(14.1411), safely(14.1409)) == "the same"
    assert or_same(safely(14.3), safely(14.1)) == "14.3"


def test_whatever_a_sentence_counts_has_a_word_for_one_of_it():
    code = "\n".join(path.read_text("utf-8") for path in (Path(sentences.__file__).parents[1]).rglob("*.py"))
    found = set(re.findall(r"""numbered[(,]\s*["'](\w+)["']""", code))
    assert {"records", "rows", "groups"} <= found <= set(sentences.COUNTED)
