"""Numbers in sentences: few digits, none that promises too much, one of a thing in the singular."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.sentences import chance, even_odds, odds, people, percent, records, safely


def test_that_one_is_singular_and_many_are_grouped():
    assert (records(1), records(0), records(1020)) == ("1 record", "0 records", "1\u202f020 records")
    assert (people(1), people(2)) == ("1 person", "2 people")


def test_that_what_may_only_be_next_to_certain_is_not_called_so():
    # A double of 1.0 may stand for 1 − 1e-20.
    assert chance(1.0) == chance(0.9996) == "more than 0.999"
    assert (chance(0.9994), chance(0.0)) == ("0.999", "0")
    assert percent(0.99999).startswith("more than 99.9")


@given(st.floats(1e-290, 1e300))
def test_that_what_must_not_be_understated_is_not(number):
    said = float(safely(number).replace("\u202f", "").replace("−", "-"))
    assert number * (1 - 2e-9) <= said <= number * 1.0101


@given(st.floats(1e-6, 20))  # beyond, a belief as one double no longer tells its odds
def test_that_odds_never_fall_short_of_what_epsilon_allows(epsilon):
    for said in (even_odds(epsilon), odds(1 / (1 + math.exp(-epsilon)))):
        won, lost = (float(part.replace("\u202f", "")) for part in said.split(" : "))
        assert won / lost == pytest.approx(math.exp(epsilon), rel=1e-6) or won / lost > math.exp(epsilon)
