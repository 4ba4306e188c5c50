"""The words of the application."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import Interval, integers, reals, words


def test_that_every_word_is_declared_once_and_says_what_it_means():
    meanings = {(word.key, word.symbol, word.label, word.sentence) for word in words()}
    assert len(meanings) == len({word.key for word in words()}), "one key, one meaning; only the domain may differ"
    for word in words():
        assert word.sentence.endswith("."), word.key
        assert word.symbol
        assert word.label
        assert not word.label.endswith("."), word.key


def test_that_no_name_is_given_twice():
    source = Path(vocabulary.__file__).read_text("utf-8")
    names = re.findall(r"^([A-Z][A-Z0-9_]*) = ", source, re.MULTILINE)
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(("domain", "text"), [
    (reals(0, open="low"), "in (0, ∞)"), (reals(0), "in [0, ∞)"), (reals(1e-6, 20), "in [1e-6, 20]"),
    (reals(0, 0.5, open="both"), "in (0, 0.5)"), (integers(1, 10**9), "an integer in [1, 1e9]"),
    (integers(0, 2**63 - 1), "an integer in [0, 9223372036854775807]"), (reals(), "in (−∞, ∞)"),
    (reals(1e-9, 1 - 1e-9), "in [1e-9, 0.999999999]")])
def test_that_a_domain_reads_as_mathematics(domain, text):
    assert domain.phrase == text


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**18), 10**18))
def test_that_a_number_in_a_sentence_is_the_number_itself(number):
    read = Decimal(plain(number))
    assert read == number if isinstance(number, int) else float(read) == number


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "1", None, True, 1j, [1]])
def test_that_only_finite_numbers_are_numbers(value):
    assert Interval(-math.inf, math.inf).accept(value) is None


def test_that_a_large_integer_keeps_every_digit():
    assert integers(0, 2**63 - 1).accept(2**63 - 1) == 2**63 - 1
    assert integers(0, 2**63 - 1).accept(2**63) is None
