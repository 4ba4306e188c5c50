"""The words of the application."""

from __future__ import annotations

import math
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import Interval, integers, reals, words
from dpstudio.vocabulary.glossary import GLOSSARY, terms_in

HOMONYMS = {"count_error", "count_noise", "given_away", "staying_epsilon"}
"""Keys that two studies have, each for a word of its own: files and commands name them, so that they stay."""


def test_that_every_word_is_declared_once_and_says_what_it_means():
    meanings = {(word.key, word.symbol, word.label, word.sentence) for word in words()}
    twice = {key for key, many in Counter(key for key, *_ in meanings).items() if many > 1}
    assert twice == HOMONYMS, "one key, one meaning; only the domain may differ"
    for word in words():
        assert word.sentence.endswith("."), word.key
        assert word.symbol
        assert word.label
        assert not word.label.endswith("."), word.key


def test_that_no_name_is_given_twice():
    """What is named twice reaches a study as whichever module was read last: its label may then be another’s."""
    sources = [path.read_text("utf-8") for path in Path(vocabulary.__file__).parent.glob("*.py")]
    names = [name for source in sources for name in re.findall(r"^([A-Z][A-Z0-9_]*) = ", source, re.MULTILINE)]
    assert len(names) > 300
    assert sorted(names) == sorted(set(names))


def test_that_each_idea_has_one_word_and_no_word_two_ideas():
    forms = [form.casefold() for term in GLOSSARY for form in (term.word, *term.forms)]
    assert sorted(forms) == sorted(set(forms))
    refused = [word.casefold() for term in GLOSSARY for word in term.not_said]
    assert not set(forms) & set(refused)
    for term in GLOSSARY:
        assert term.says.endswith("."), term.word
        assert len(term.says) <= 240, term.word
        assert not any(word in term.says for other in GLOSSARY for word in other.not_said), term.word


def test_that_the_terms_of_a_text_are_found_as_whole_words():
    assert [term.word for term in terms_in("The uncertain band; many records.")] == ["record", "uncertain band"]
    assert [term.word for term in terms_in("A recorder, an audition")] == []


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
