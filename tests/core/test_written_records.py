"""Records as a text: how people write them, the one form in which they are kept, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.vocabulary import POSITIVE, Quantity, Record, RecordField, RecordKind, Records, integers

WITHIN = RecordField("within", Quantity("within", "t", "within", "Half width.", POSITIVE))
TIMES = RecordField("times", Quantity("times", "k", "times", "How often.", integers(1, 1000)), 1)
CELLS = RecordField("groups", Quantity("groups", "K", "groups", "How many groups.", integers(1, 10**5)))
KINDS = (RecordKind("count", "Count", (WITHIN, TIMES)), RecordKind("table", "Table", (WITHIN, CELLS, TIMES)))
PLAN = Records("releases", KINDS, 5)
RELEASES = Parameter("releases", Quantity("releases", "", "releases", "What is released.", PLAN), PLAN)


@pytest.mark.parametrize(("written", "kept"), [
    ("count within=30", "count within=30"), ("visits: count within = 30", "visits: count within=30"),
    ("count within=30 times=1", "count within=30"), ("count times=12, within=3e1", "count within=30 times=12"),
    ("a: count within=1\nb: table groups=10 within=2\n", "a: count within=1;b: table within=2 groups=10"),
    ("a: b: count within=1", "a b: count within=1"), ("a:\tcount\twithin=1\ttimes=2", "a: count within=1 times=2"),
    ("count\u00a0within=1", "count within=1"), ("none", "none"), ("", "none")])
def test_that_records_are_kept_in_one_form(written, kept):
    assert PLAN.accept(written) == kept
    assert PLAN.accept(PLAN.said(kept)) == kept
    assert PLAN.accept(PLAN.in_lines(kept)) == kept


@pytest.mark.parametrize(("written", "why"), [
    ("sum within=3", "'sum' is none of count and table"), ("count", "the count needs within"),
    ("a: count within=0", "within of a must be in (0, ∞), got 0"), ("count within=x", "'x' is no number"),
    ("count within=3 groups=4", "the count has no groups, but within and times"),
    ("count 30", "'30' is no FIELD=NUMBER"), (";", "these are 0"), ("count within=1;" * 6, "these are 6"),
    ("count within=3 times=1.5", "times of the count must be an integer in [1, 1000], got 1.5"),
    ("count within=30 within=3", "the count has within twice"),
    ("a: count within=3 times=2 within=3", "a has within twice"),
    ("count within=nan", "'nan' is no number"), ("x" * 20_001, "it has more than 20000 characters")])
def test_that_what_is_no_such_text_is_refused_in_one_sentence(written, why):
    with pytest.raises(InvalidParameter) as refused:
        read_entry(RELEASES, written)
    assert str(refused.value).endswith(f"({why})")
    assert str(refused.value).startswith("releases must be releases, at most 5, such as “count within=10”, of the")
    assert "\n" not in str(refused.value)


@given(st.lists(st.builds(Record, st.sampled_from(("", "a", "b c")), st.just("table"), st.fixed_dictionaries(
    {"within": st.floats(1e-9, 1e9), "groups": st.integers(1, 10**5), "times": st.integers(1, 1000)})),
    min_size=1, max_size=5))
def test_that_no_digit_is_lost(records):
    text = PLAN.text_of(records)
    assert PLAN.accept(text) == text
    assert list(PLAN.records_of(text)) == records


@pytest.mark.parametrize(("name", "kept"), [
    ("x: count within=5; y", "x count within 5 y"), ("a;b\nc", "a b c"), ("a=b,c", "a b c"), (" : ", ""),
    ("ab " * 100, "ab ab ab ab ab ab ab ab ab ab ab ab ab a")])
def test_that_a_name_of_whatever_signs_is_written_as_one_name(name, kept):
    record = Record(name, "count", {"within": 5, "times": 1})
    assert PLAN.records_of(PLAN.text_of([record])) == (record._replace(name=kept),)


def test_that_every_example_is_as_it_is_kept():
    assert [PLAN.accept(example) for example in PLAN.examples] == list(PLAN.examples)
    assert PLAN.brief(PLAN.examples[2]) == "2 releases"


@pytest.mark.parametrize("given_", [3, None, b"count within=1"])
def test_that_what_is_no_text_is_refused(given_):
    assert PLAN.accept(given_) is None
