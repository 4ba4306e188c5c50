"""Whole numbers on an x axis wear the names of what they count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis
from dpstudio.scene.axes import LONGEST_NAME, ticks_of

RANKS = Axis(v.RECORDS)
NAMES = ("Oslo", "Bergen", "", "A name that is far too long to stand there")


def test_that_ticks_wear_names_and_what_has_none_its_number():
    ticks = ticks_of(RANKS, 0.5, 5.5, 10, NAMES)
    assert ticks.major == (1, 2, 3, 4, 5)
    assert ticks.labels == ("Oslo", "Bergen", "3", "A name that…", "5")
    assert ticks_of(RANKS, 0.5, 5.5, 10).labels == ("1", "2", "3", "4", "5")


@given(st.floats(0, 50), st.floats(1, 200), st.integers(1, 12))
def test_that_named_ticks_stand_at_whole_numbers_and_are_short(low, span, most):
    ticks = ticks_of(Axis(v.PROBABILITY), low, low + span, most, NAMES * 20)
    assert all(at == round(at) for at in ticks.major)
    assert all(len(label) <= LONGEST_NAME for label in ticks.labels)


def test_that_a_logarithmic_axis_keeps_its_numbers():
    assert ticks_of(Axis(v.RECORDS, "log"), 0.0, 2.0, 4, NAMES).labels == ticks_of(
        Axis(v.RECORDS, "log"), 0.0, 2.0, 4).labels


@pytest.mark.parametrize("names", [(), ("",)])
def test_that_nobody_without_a_name_is_called_anything(names):
    assert ticks_of(RANKS, 0.5, 3.5, 10, names).labels == ("1", "2", "3")
