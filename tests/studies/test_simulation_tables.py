"""Tables of simulations: what is in which column."""

from __future__ import annotations

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Series
from dpstudio.core.sampling import binomial_interval
from dpstudio.studies.kit.tables import columns_of, share, stream_row, stream_table

X, ONE, TWO = Column(v.DONE), Series("laplace", "Laplace"), Series("cutoff", "Cutoff")
QUANTITIES = (v.FRACTION, v.FRACTION_LOW, v.FRACTION_HIGH)
HITS = {10: (3, 9), 20: (8, 20)}


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
