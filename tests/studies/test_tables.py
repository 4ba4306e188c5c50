"""Tables that studies share: what is in which column."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Series, Table
from dpstudio.core.sampling import binomial_interval
from dpstudio.studies.kit.tables import (
    columns_of,
    curves,
    even_in_logarithms,
    places,
    share,
    so_far,
    stream_row,
    stream_table,
    streamed,
    within,
)

X, ONE, TWO = Column(v.DONE), Series("laplace", "Laplace"), Series("cutoff", "Cutoff")
QUANTITIES = (v.FRACTION, v.FRACTION_LOW, v.FRACTION_HIGH)
HITS = {10: (3, 9), 20: (8, 20)}


def test_that_curves_are_columns_of_all_that_is_compared_one_or_several_each():
    ones = {ONE: 2.0, TWO: 3.0}
    assert curves(ones, lambda one: one, v.FRACTION) == {Column(v.FRACTION, ONE): 2, Column(v.FRACTION, TWO): 3}
    found = curves(ones, lambda one: (one, [one, 1.0]), v.FRACTION, v.FRACTION_LOW)
    assert list(found) == [Column(quantity, one) for one in ones for quantity in QUANTITIES[:2]]
    assert found[Column(v.FRACTION_LOW, TWO)].tolist() == [3, 1]


def test_that_a_logarithmic_spread_lies_within_its_ends_and_has_what_it_must():
    np.testing.assert_allclose(even_in_logarithms((1e-9, 1e9), (0.01, 100.0), 5, 3.0), [0.01, 0.1, 1, 3, 10, 100])
    np.testing.assert_allclose(even_in_logarithms((0.1, 10.0), (0.01, 100.0), 3), [0.1, 1, 10])


def test_that_places_lie_within_a_view_evenly_and_where_more_is_to_be_seen():
    assert within((-3.0, 9.0), 0.0, 5.0) == (0.0, 5.0)
    assert within((7.0, 9.0), 0.0, 5.0) == (5.0, 5.0)
    assert places((0.0, 4.0), 3, [1.0, 4.0, 4.5], -0.5, 3.0).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("part", "rows"), [(0.0, 2), (0.2, 2), (0.51, 6), (1.0, 10)])
def test_that_a_history_is_shown_as_far_as_it_has_come(part, rows):
    shown = so_far(Table({X: np.arange(10.0), Column(v.FRACTION): np.arange(10.0) ** 2}), part)
    assert {column: numbers.tolist() for column, numbers in shown.items()} == {
        X: list(range(rows)), Column(v.FRACTION): [n * n for n in range(rows)]}


@pytest.mark.parametrize(("trials", "view"), [(4, (4, 10)), (900, (500, 900))])
def test_that_a_stream_is_shown_from_its_first_chunk_to_its_last(trials, view):
    asked = SimpleNamespace(study=SimpleNamespace(trials=trials), known=(ONE,))
    table = streamed(X, QUANTITIES, lambda a: a.known, 500)
    assert table.view(asked) == view
    drawn = SimpleNamespace(rows=np.array([stream_row(10, np.array([3]))]))
    assert list(table.drawn(asked, drawn)) == [X, *(Column(quantity, ONE) for quantity in QUANTITIES)]


def test_that_a_stream_has_the_shares_of_every_series_with_their_intervals_in_their_columns():
    rows = np.array([stream_row(done, np.array(hits)) for done, hits in HITS.items()])
    table = stream_table(X, QUANTITIES, (ONE, TWO), rows)
    assert list(table) == [X, *(Column(quantity, one) for quantity in QUANTITIES for one in (ONE, TWO))]
    assert table[X].tolist() == [10, 20]
    for row, (done, hits) in enumerate(HITS.items()):
        for one, hit in zip((ONE, TWO), hits, strict=True):
            low, high = binomial_interval(hit, done)
            assert [table[Column(quantity, one)][row] for quantity in QUANTITIES] == [hit / done, low, high]


def test_that_rows_of_an_array_a_quantity_are_columns_of_their_series():
    numbers = [np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]])]
    assert {column.key: values.tolist() for column, values in columns_of(QUANTITIES[:2], (ONE, TWO), numbers).items()} \
        == {"accepted_fraction_laplace": [1, 2], "accepted_fraction_cutoff": [3, 4],
            f"{v.FRACTION_LOW.key}_laplace": [5, 6], f"{v.FRACTION_LOW.key}_cutoff": [7, 8]}


def test_that_a_share_is_an_estimate_with_its_interval():
    said = share(12, 400, "decisions")
    assert said.how == "12 of 400 decisions; 95 % Clopper–Pearson interval"
    assert (said.value, (said.low, said.high)) == (0.03, tuple(map(float, binomial_interval(12, 400))))
    assert share(0, 400, "decisions").value == 0
    assert share(None, 400, "decisions") is None
