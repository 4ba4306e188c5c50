"""Curves that nobody can tell apart are found, and only those."""

from __future__ import annotations

import numpy as np
import pytest

from dpstudio.scene.coincidence import coincident

X = np.linspace(0.0, 10.0, 101)
VIEW = {"x": (0.0, 10.0), "y": (0.0, 1.0), "height": 200.0}
"""Half a hundredth is one pixel."""


def pair(one, other, **view):
    return coincident({"one": [(X, one)], "other": [(X, other)]}, **VIEW | view)


@pytest.mark.parametrize(("apart", "same"), [(0.0, True), (0.0049, True), (0.0051, False), (-0.0051, False)])
def test_that_curves_coincide_within_a_pixel_and_no_more(apart, same):
    one = X / 20
    assert pair(one, one + apart) == ({"other": "one"} if same else {})
    far = np.where(X == 5.0, apart, 0.0)
    assert bool(pair(one, one + far)) is same  # a single point tells them apart


def test_that_only_what_is_in_view_counts():
    one = X / 20
    other = np.where(X > 8, 1.0, one)
    assert not pair(one, other)
    assert pair(one, other, x=(0.0, 8.0))
    assert not pair(one, one + 0.004, y=(0.0, 0.1))  # zoomed in, it can be seen
    assert pair(one * 30, np.where(one * 30 > 1, 99.0, one * 30))  # both leave at the top


def test_that_curves_out_of_view_say_nothing():
    assert not pair(np.full(101, 7.0), np.full(101, 8.0))
    assert not pair(np.full(101, np.nan), np.full(101, np.nan))
    assert not pair(X / 20, np.where(X < 1, np.nan, X / 20))


def test_that_infinite_values_are_alike_on_one_side_only():
    one = np.where(X < 2, np.inf, 0.5)
    assert pair(one, one.copy())
    assert not pair(one, -one)


def test_that_samples_must_be_the_same_and_all_curves_of_a_key_must_coincide():
    y = X / 20
    assert not coincident({"one": [(X, y)], "other": [(X + 1e-9, y)]}, **VIEW)
    assert not coincident({"one": [(X, y)], "other": [(X, y), (X, y)]}, **VIEW)
    assert not coincident({"one": [(X, y), (X, y)], "other": [(X, y), (X, 1 - y)]}, **VIEW)
    assert coincident({"one": [(X, y), (X, 1 - y)], "other": [(X, y), (X, 1 - y)]}, **VIEW)


def test_that_several_all_refer_to_the_first():
    y = X / 20
    curves = {"a": [(X, y)], "b": [(X, 1 - y)], "c": [(X, y + 0.001)], "d": [(X, 1 - y)], "e": [(X, y)]}
    assert coincident(curves, **VIEW) == {"c": "a", "d": "b", "e": "a"}
    steps = {"a": [(X, y)], "b": [(X, y + 0.004)], "c": [(X, y + 0.008)]}
    assert coincident(steps, **VIEW) == {"b": "a", "c": "b"}  # what lies on the second need not lie on the first
