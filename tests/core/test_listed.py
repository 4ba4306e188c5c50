"""Lists of numbers as a text: how people write them, the one form in which they are kept, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from settings_kit import listings

from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.vocabulary import Listed, Quantity, listing_of, text_of_listing
from dpstudio.vocabulary.written import name_of

COUNTS = Listed("counts", 0, 1e12, whole=True, most=50, most_numbers=1000, named=True)
AMOUNTS = Listed("values", -1e9, 1e9, most_numbers=10**9)
CELLS = Parameter("cells", Quantity("cells", "n", "counts", "Counts.", COUNTS), COUNTS)


@pytest.mark.parametrize(("written", "kept"), [
    ("12, 5, 31", "12,5,31"), ("12 5 31", "12,5,31"), ("12;5;31", "12,5,31"), ("12\n5\n31\n", "12,5,31"),
    ("12 000, 5", "12000,5"),
    ("Oslo: 12, Bergen: 5", "Oslo:12,Bergen:5"), ("Oslo\t12\nBergen\t5", "Oslo:12,Bergen:5"),
    ("a = 1, 2", "a:1,2"), ("0×100, 7", "0×100,7"), ("0x100,7", "0×100,7"), ("0 * 100", "0×100"), ("5×1", "5"),
    ("1k, 1e3", "1000,1000"), ("none", "none"), ("", "none"), ("7", "7"), ("Zürich, 3", None), ("1:2:3", "1 2:3"),
    ("1000000000000", "1000000000000"), ("0.0", "0"), ("New York: 3, a,b: 2", None)])
def test_that_a_list_is_kept_in_one_form(written, kept):
    assert COUNTS.accept(written) == kept


@pytest.mark.parametrize(("written", "kept"), [
    ("0,5; 1,5", "0.5,1.5"), ("1,5\n2,5", "1.5,2.5"), ("1,5\t2,5", "1.5,2.5"), ("-0,5;+1,25×3\n7", "-0.5,1.25×3,7"),
    ("1,5;", "1.5"), ("12, 5\n31", "12,5,31"), ("1,\n2,;3,", "1,2,3"), ("1 000,5; 2", "1000.5,2"),
    ("1,234,567; 2", "1234567,2"), ("0,5%\n1,5%", "0.005,0.015")])
def test_that_a_comma_belongs_to_a_number_where_something_else_sets_entries_apart(written, kept):
    assert Listed("values", -1e9, 1e9).accept(written) == kept


@pytest.mark.parametrize(("written", "kept"), [
    ("Oslo\t12\nNew York\t1 000", "Oslo:12,New York:1000"), ("Oslo: 12, Bergen: 5\nBodø: 3", "Oslo:12,Bergen:5,Bodø:3"),
    ("Oslo: 12; Bergen: 5", "Oslo:12,Bergen:5"), ("Oslo\t12, Bergen\t5", "Oslo:12,Bergen:5")])
def test_that_names_stand_beside_numbers_in_lines_too(written, kept):
    assert COUNTS.accept(written) == kept


@pytest.mark.parametrize("kept", ["1,200", "12,345,678", "-3,400", "5.7×3,100", "a:10,b:200", "1,200,0.5", "Oslo:1,200",
                                  "0,5", "1×2,100×3"])
def test_that_a_list_as_the_program_keeps_it_is_read_as_ever(kept):
    domain = Listed("values", -1e9, 1e9, named=True)
    assert domain.accept(kept) == domain.accept(domain.said(kept)) == domain.accept(domain.in_lines(kept)) == kept


TWO = "a comma between two numbers needs a space behind it, and one number no comma"


@pytest.mark.parametrize(("written", "why"), [
    ("1,000", f"'1,000' has two meanings: {TWO}"), ("Oslo: 1,200", f"'1,200' has two meanings: {TWO}"),
    ("5, 12,000", f"'12,000' has two meanings: {TWO}"), ("1,05", f"'1,05' has two meanings: {TWO}"),
    ("Oslo: 1,200, Bergen: 5", f"'1,200' has two meanings: {TWO}"), ("-1,000×3", f"'-1,000' has two meanings: {TWO}"),
    ("1,000; 5", "a comma before three digits, as in '1,000', has two meanings"),
    ("Oslo\t1,200", "a comma before three digits, as in '1,200', has two meanings"),
    ("1,2,3\n4", "'1,2,3' is no number"), ("a:1,b:2\nc:3", "'a:1,b:2' is no number")])
def test_that_a_comma_of_two_meanings_is_refused_in_one_sentence(written, why):
    assert COUNTS.accept(written) is None
    assert COUNTS.why(written) == why


@given(listings(COUNTS) | listings(AMOUNTS))
def test_that_what_is_kept_is_read_as_it_is(written):
    for domain in (COUNTS, AMOUNTS):
        kept = domain.accept(written)
        if kept is not None:
            assert domain.accept(kept) == kept
            assert domain.accept(domain.said(kept)) == kept
            assert text_of_listing(listing_of(kept)) == kept
            assert np.array_equal(listing_of(written).numbers, listing_of(kept).numbers)
            assert np.array_equal(listing_of(written).expanded, listing_of(kept).expanded)


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30))
def test_that_no_digit_is_lost(numbers):
    kept = AMOUNTS.accept(",".join(map(repr, numbers)))
    assert listing_of(kept).expanded.tolist() == numbers


@pytest.mark.parametrize(("written", "why"), [
    ("-3, 4", "(-3 is none of these)"), ("3.5", "(3.5 is none of these)"), ("1e13", "(1e13 is none of these)"),
    ("a lot", "('a lot' is no number)"), ("0×2000", "(these are 2000 numbers, from 1 to 1000 are possible)"),
    ("0×0", "(these are 0 numbers, from 1 to 1000 are possible)"), ("nan", "('nan' is no number)"),
    (",".join(["1"] * 51), "(these are 51 entries, at most 50 are possible)"), ("inf, 1", "('inf' is no number)"),
    (";;", "(there is no number in it)"), ("x" * 300, "(an entry has more than 200 characters)"),
    (",".join(["1×9007199254740991"] * 40), f"(these are {40 * (2**53 - 1)} numbers, from 1 to 1000 are possible)"),
    ("1×99999999999999999999", "('1×99999999999999999999' is no number)"), ("\x00", "(' ' is no number)"),
    ("100 200", "(spaces may set numbers or thousands apart: write commas between numbers)")])
def test_that_what_is_no_such_list_is_refused_in_one_sentence(written, why):
    with pytest.raises(InvalidParameter) as refused:
        read_entry(CELLS, written)
    said = str(refused.value)
    assert said.startswith("cells must be counts, whole numbers in [0, 1e12] such as “12, 5, 31”, “Oslo: 12, Bergen")
    assert said.endswith(why)
    assert "\n" not in said
    assert len(said) < 330


@pytest.mark.parametrize("given", [3, None, 2.5, ["1"], b"1"])
def test_that_what_is_no_text_is_no_list(given):
    assert COUNTS.accept(given) is None


def test_that_every_example_is_a_list_as_it_is_kept():
    for domain in (COUNTS, AMOUNTS):
        assert all(domain.accept(example) == example for example in domain.examples)
        assert len(set(domain.examples)) == len(domain.examples)


def test_that_so_many_numbers_that_no_word_of_64_bits_holds_them_are_said_as_they_are():
    many = Listed("values", 0, 1, most_numbers=10**12)
    assert many.why(",".join(["1×9007199254740991"] * 1_100)) == \
        f"these are {1_100 * (2**53 - 1)} numbers, from 1 to {10**12} are possible"


def test_that_a_domain_is_within_one_that_has_all_its_lists():
    narrow = Listed("counts", 0, 10, whole=True, most=5, most_numbers=5)
    assert narrow.within(COUNTS)
    assert not COUNTS.within(narrow)
    assert not AMOUNTS.within(COUNTS)


@given(st.text(max_size=40))
def test_that_a_name_of_whatever_a_file_holds_stands_in_a_list(text):
    name = name_of(text)
    written = f"{name}:3,4"
    assert COUNTS.accept(written) is None or listing_of(written).numbers.tolist() == [3, 4]
    assert name_of(name) == name
