"""Histograms, their neighbours, and sensitivities: trying every database agrees with the proofs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.models import histograms as h
from dpstudio.models import histograms as s

RELATIONS = ("add or remove", "replace")
cells = st.lists(st.integers(0, 6), min_size=2, max_size=5)
relations = st.sampled_from(RELATIONS)
queries = pytest.mark.parametrize("key", s.QUERIES)


def test_that_the_distance_counts_records_added_or_removed():
    x = [3, 1, 4]
    assert h.distance(x, x) == 0
    assert h.distance(x, h.added(x, 2)) == 1
    assert h.distance(x, h.removed(x, 3)) == 1
    assert h.distance(x, h.replaced(x, 1, 2)) == 2
    assert h.distance(x, h.replaced(x, 1, 1)) == 0


@given(st.lists(st.integers(0, 2), min_size=2, max_size=4), relations)
def test_that_neighbours_are_all_databases_at_their_distance(x, relation):
    found = {tuple(row) for row in h.neighbours(x, relation).tolist()}
    apart, sizes = (1, (sum(x) - 1, sum(x) + 1)) if relation == "add or remove" else (2, (sum(x),))
    every = {tuple(row) for n in sizes if n >= 0 for row in h.databases(len(x), n).tolist()
             if h.distance(x, row) == apart}
    assert found == every


@pytest.mark.parametrize(("kinds", "records"), [(1, 4), (3, 0), (3, 4), (5, 6)])
def test_that_databases_are_counted_by_a_binomial_coefficient(kinds, records):
    rows = h.databases(kinds, records)
    assert len({tuple(row) for row in rows.tolist()}) == len(rows) == math.comb(records + kinds - 1, kinds - 1)
    assert (rows.sum(axis=1) == records).all()


@queries
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("kinds", [2, 3, 5])
def test_that_trying_every_small_database_finds_what_is_proved(key, relation, kinds):
    for n in range(1, 7):
        tried = s.enumerated_sensitivity(key, kinds, relation, n)
        assert tried == pytest.approx(s.QUERIES[key].worst(relation, kinds, n), rel=1e-15), n


@queries
@given(x=cells.filter(any), relation=relations)
def test_that_no_database_moves_farther_than_is_proved_for_its_size(key, x, relation):
    query = s.QUERIES[key]
    local = s.local_sensitivity(query, x, relation)
    assert local <= s.global_sensitivity(query, len(x), relation, sum(x)) * (1 + 1e-15)
    assert s.global_sensitivity(query, len(x), relation, sum(x)) <= s.global_sensitivity(query, len(x), relation)


@given(x=cells.filter(any), relation=relations)
def test_that_moves_are_differences_of_the_answers_themselves(x, relation):
    beside = [y for y in h.neighbours(x, relation) if y.any()]
    asked = {"mean": lambda x: np.dot(x, np.arange(1, len(x) + 1)) / sum(x), "mode": lambda x: np.argmax(x) + 1,
             "median": lambda x: np.searchsorted(np.cumsum(x), (sum(x) + 1) // 2) + 1,  # the lower one
             "shares": lambda x: np.asarray(x) / sum(x)}
    for key, ask in asked.items():
        moves = [float(np.abs(np.asarray(ask(x)) - np.asarray(ask(y))).sum()) for y in beside]
        assert s.local_sensitivity(s.QUERIES[key], x, relation) == pytest.approx(max(moves, default=0), abs=1e-12)


def test_that_an_average_of_four_moves_as_the_formulary_says():
    # Values in [0, 1] there, 1 … 5 here: 4 times as far. Removing the only large value, or adding one.
    query = s.QUERIES["mean"]
    assert s.local_sensitivity(query, [3, 0, 0, 0, 1], "add or remove") == pytest.approx(4 * 0.25)
    assert s.local_sensitivity(query, [4, 0, 0, 0, 0], "add or remove") == pytest.approx(4 * 0.2)
    assert s.global_sensitivity(query, 5, "add or remove") == 4 * 0.5
    assert s.global_sensitivity(query, 5, "replace", 4) == 4 / 4


def test_that_a_replaced_record_moves_a_histogram_by_2_and_by_the_root_of_2():
    for relation, l1, l2 in (("add or remove", 1, 1), ("replace", 2, math.sqrt(2))):
        assert s.global_sensitivity(s.QUERIES["histogram"], 5, relation) == l1
        assert s.global_sensitivity(s.QUERIES["histogram_l2"], 5, relation) == l2


def test_that_averages_of_millions_lose_no_digits():
    x = [10**6] * 5
    move = s.local_sensitivity(s.QUERIES["mean"], x, "replace")
    assert move == pytest.approx(4 / (5 * 10**6), rel=1e-15)


def test_that_an_empty_histogram_is_refused_in_one_sentence():
    with pytest.raises(InvalidParameter) as refusal:
        h.not_empty([0, 0, 0])
    assert str(refusal.value) == "histogram must be one with at least one record, got [0, 0, 0]"


def test_that_sensitivities_of_averages_refuse_an_empty_histogram_and_counts_do_not():
    assert s.local_sensitivity(s.QUERIES["histogram"], [0, 0], "add or remove") == 1
    assert s.local_sensitivity(s.QUERIES["histogram"], [0, 0], "replace") == 0
    with pytest.raises(InvalidParameter, match="histogram must be one with at least one record"):
        s.local_sensitivity(s.QUERIES["median"], [0, 0], "add or remove")


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda: h.histogram([1, -1]), "histogram must be an integer in [0, 9007199254740992], got -1"),
    (lambda: h.histogram([1.5]), "histogram must be an integer in [0, 9007199254740992], got 1.5"),
    (lambda: h.histogram([math.nan]), "histogram must be an integer in [0, 9007199254740992], got nan"),
    (lambda: h.histogram([10**6 + 1]), "histogram must be an integer in [0, 1e6], got 1000001"),
    (lambda: h.histogram([]), "histogram must be a list of counts, got []"),
    (lambda: h.distance([1, 2], [1]), "y must be a histogram of 2 kinds, got [1]"),
    (lambda: h.removed([1, 0], 2), "kind must be one that has a record to take away, got 2 (its count is 0)"),
    (lambda: h.replaced([1, 0], 2, 1), "kind must be one that has a record to take away, got 2 (its count is 0)"),
    (lambda: h.added([1, 0], 3), "kind must be an integer in [1, 2], got 3"),
    (lambda: s.global_sensitivity(s.QUERIES["mean"], 5, "replace", 0), "records must be an integer in [1, ∞), got 0"),
])
def test_that_bad_input_is_refused_in_the_one_form(call, sentence):
    with pytest.raises(InvalidParameter) as refusal:
        call()
    assert str(refusal.value) == sentence
