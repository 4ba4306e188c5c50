"""A map on screen: cells where they lie, in the shades of the theme, and a click that takes one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from answers_kit import given
from plot_sample import CUTOFF, VALUES, painted
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Figure, Map, Mark
from dpstudio.core.results import Column, Table
from dpstudio.gui.plot.layers import MapItem
from dpstudio.gui.shell import theme
from dpstudio.scene.palette import RAMP

X, Y, WIDTH = Column(v.EPSILON), Column(v.MINIMUM), Column(v.BAND_WIDTH, CUTOFF)
FIGURE = Figure("map", "Map", "t", Axis(v.EPSILON, "log"), Axis(v.MINIMUM, "log", low=100, high=10_000),
                (Map(X, Y, WIDTH), Mark("epsilon", draggable=True), Mark("minimum", "y", draggable=True)))
EPSILONS, MINIMA = np.geomspace(0.01, 1, 5), np.geomspace(100, 10_000, 5)


def update(values=None):
    values = np.arange(25.0) if values is None else values
    return given({"t": Table({X: np.repeat(EPSILONS, 5), Y: np.tile(MINIMA, 5), WIDTH: values})})


@pytest.fixture
def view(qtbot):
    return painted(qtbot, FIGURE, update=update(), size=(600, 420))


def item(view) -> MapItem:
    return next(each for _, each in view.canvas.layers.items if isinstance(each, MapItem))


def at(view, i: int, j: int, nudge: float = 1.0) -> QPointF:
    """Where the cell of the i-th ε and the j-th minimum is painted, in pixels of the plot."""
    frame = item(view).frame
    return QPointF(frame.across(math.log10(EPSILONS[i] * nudge)), frame.down(math.log10(MINIMA[j] * nudge)))


def pixel(view, point: QPointF) -> str:
    image = item(view)._image
    down = point.y() - item(view).frame.top
    x, y = (min(max(round(each * image.devicePixelRatio()), 0), most - 1)
            for each, most in ((point.x(), image.width()), (down, image.height())))
    return image.pixelColor(x, y).name()


def test_that_each_cell_is_painted_where_its_values_lie_on_light_and_dark(view):
    for chosen in (theme.LIGHT, theme.DARK):
        view.set_theme(chosen)
        view.grab()
        ends = RAMP[::-1] if chosen.dark else RAMP
        assert pixel(view, at(view, 0, 0)) == ends[0]
        assert pixel(view, at(view, 4, 4)) == ends[-1]
        assert pixel(view, at(view, 2, 2)) == RAMP[4]
    assert {name.words for name, *_ in view.canvas.names.placed()} >= {"5", "10", "15", "20"}


def test_that_a_click_takes_the_cell_and_on_curves_the_sample(view, qtbot):
    found = []
    view.picked.connect(lambda x, y: found.append((x, y)))
    spot = view.canvas.mapFromScene(view.canvas.box.mapToScene(at(view, 1, 3, 1.2)))
    QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert found == [(EPSILONS[1], MINIMA[3])]
    curves = painted(qtbot, size=(600, 420))
    curves.picked.connect(lambda x, y: found.append((x, y)))
    curves.canvas._pick(QPointF(curves.canvas.box.width() * 0.25, 80.0))
    assert found[1][0] == 950
    assert math.isnan(found[1][1])


def test_that_the_pointer_reads_a_cell_by_both_its_values(view):
    view.canvas.point_at(at(view, 3, 1, 1.1))
    crosshair = view.canvas.crosshair
    assert crosshair.isVisible()
    assert [reading.value for reading in crosshair.readings] == [16]
    assert crosshair.title == "ε = 0.3162, m = 316.2"
    view.grab()


def test_that_marks_stand_at_the_present_setting_and_move_without_painting_the_map_anew(view):
    before = item(view)._image.cacheKey()
    view.show_update(view._newest[0], {**VALUES, "epsilon": 0.5, "minimum": 200})
    view.grab()
    stand = {placed.mark.parameter: placed.value for placed in view.canvas.marks.marks}
    assert stand == {"epsilon": 0.5, "minimum": 200}
    assert item(view)._image.cacheKey() == before
    lines = item(view).lines
    view.show_update(update(np.arange(25.0)[::-1].copy()), VALUES)
    view.grab()
    assert item(view)._image.cacheKey() != before
    assert len(item(view).lines) == len(lines)
    assert all((one[0] != other[0]).any() for one, other in zip(item(view).lines, lines, strict=True))


def test_that_cells_are_sharp_on_a_fine_screen(view):
    fine = QImage(600, 420, QImage.Format.Format_ARGB32)
    fine.setDevicePixelRatio(2)
    painter = QPainter(fine)
    item(view).paint(painter)
    painter.end()
    made = item(view)._image
    assert made.devicePixelRatio() == 2
    assert made.width() == round(2 * item(view).frame.width)


def test_that_a_new_picture_of_other_cells_keeps_nothing_of_the_old(view):
    view.show_update(update(np.full(25, np.nan)), VALUES)
    view.grab()
    assert not item(view).lines
    assert view.canvas.scene_.blank
    assert view.canvas.names.placed() == []
