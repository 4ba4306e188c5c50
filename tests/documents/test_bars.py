"""Bars in print: side by side from zero, whole at both ends of the picture, with dots in their middles."""

from __future__ import annotations

import numpy as np
import pytest
from answers_kit import given
from matplotlib.colors import to_hex

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Bars, Dots, Figure
from dpstudio.core.results import Column, Series, Table
from dpstudio.documents.print.drawing import draw
from dpstudio.scene.palette import STYLES
from dpstudio.scene.scene import resolve

ONE, TWO = Series("laplace", "Laplace"), Series("cutoff", "Cutoff")
X = Column(v.STARS)
FIRST = Bars(X, Column(v.IN_KIND, ONE))
FIGURE = Figure("bars", "Counts", "counts", Axis(v.STARS), Axis(v.IN_KIND),
                (FIRST, Bars(X, Column(v.IN_KIND, TWO)), Dots(X, Column(v.COUNT_SEEN, ONE), on=FIRST)))
UPDATE = given({"counts": Table({
    X: np.array([1.0, 2.0]), Column(v.IN_KIND, ONE): np.array([3.0, -2.0]),
    Column(v.IN_KIND, TWO): np.array([5.0, np.inf]), Column(v.COUNT_SEEN, ONE): np.array([3.0, 1.0])})},
    windows={"counts": (0.5, 2.5)})


@pytest.fixture
def axes(sample):
    return draw(sample, UPDATE, FIGURE, (160.0, 100.0)).axes[0]


def test_that_bars_are_the_tables_values_and_stand_on_zero(axes):
    boxes = [(patch.get_x(), patch.get_width(), patch.get_y(), patch.get_height()) for patch in axes.patches]
    np.testing.assert_allclose(boxes, [(0.6, 0.4, 0, 3), (1.6, 0.4, 0, -2), (1.0, 0.4, 0, 5)], atol=1e-12)
    assert to_hex(axes.patches[0].get_edgecolor()) == STYLES["laplace"].light


def test_that_the_picture_holds_whole_bars_and_zero(sample, axes):
    assert axes.get_xlim() == (0.5, 2.5)
    assert resolve(FIGURE, UPDATE, sample.values(), {}, hidden=frozenset({"laplace"})).y[0] == 0


def test_that_dots_stand_in_the_middle_of_their_bars(axes):
    dots = next(line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata()) == 2)
    np.testing.assert_allclose(dots.get_xdata(), [0.8, 1.8])
