"""Bars stand side by side on zero, and dots in the middle of their own."""

from __future__ import annotations

import numpy as np
import pytest
from answers_kit import given
from plot_sample import BARS, CUTOFF, bars_update, painted
from PySide6.QtCore import QPointF

from dpstudio.core.figure import Axis, Bars, Figure
from dpstudio.core.results import Column, Table
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.items import DotsItem
from dpstudio.gui.plot.layers import BarsItem
from dpstudio.scene.scene import Pinned


@pytest.fixture
def shown(qtbot):
    return lambda figure=BARS, update=None: painted(qtbot, figure, update=update or bars_update())


def bars(view: FigureView) -> list[BarsItem]:
    return [item for _, item in view.canvas.layers.items if isinstance(item, BarsItem)]


def test_that_bars_stand_side_by_side_from_zero_to_their_values(shown) -> None:
    one, other = bars(shown())
    frame = one.frame
    assert one.bars[0].right() == pytest.approx(other.bars[0].left())
    assert (one.bars[0].left() + other.bars[0].right()) / 2 == pytest.approx(frame.across(1.0))
    assert other.bars[0].right() < one.bars[1].left()
    zero = frame.down(0.0)
    assert one.bars[0].bottom() == one.bars[1].top() == other.bars[0].bottom() == pytest.approx(zero)
    assert one.bars[0].top() == pytest.approx(frame.down(3.0))
    assert one.bars[1].bottom() == pytest.approx(frame.down(-2.0))


def test_that_a_bar_without_a_finite_value_is_left_out(shown) -> None:
    assert [len(item.bars) for item in bars(shown())] == [2, 1]


def test_that_the_picture_holds_zero_and_every_bar(shown) -> None:
    update = bars_update()
    high = Table({**update.tables["counts"].columns, Column(BARS.y.quantity, CUTOFF): np.array([5.0, 9.0])})
    update = given({"counts": high}, windows=update.windows)
    ends = bars(shown(BARS, update))[0].frame.y
    assert ends[0] <= -2
    assert ends[1] >= 9
    alone = Figure("bars", "Counts", "counts", BARS.x, BARS.y, BARS.layers[1:2])
    assert bars(shown(alone, update))[0].frame.y[0] == 0


def test_that_dots_stand_in_the_middle_of_their_bars(shown) -> None:
    view = shown()
    dots = next(item for _, item in view.canvas.layers.items if isinstance(item, DotsItem))
    bar = bars(view)[0].bars[0]
    assert dots.frame.across(dots.arrays[0][0]) == pytest.approx(bar.center().x())


def test_that_on_a_log_axis_bars_rise_from_the_edge(shown) -> None:
    log = Figure("bars", "Counts", "counts", BARS.x, Axis(BARS.y.quantity, "log", low=1, high=10), BARS.layers[:1])
    item = bars(shown(log))[0]
    assert item.bars[0].bottom() > item.frame.floor
    assert item.bars[0].top() == pytest.approx(item.frame.down(np.log10(3.0)))


def test_that_a_legend_entry_hides_its_bars_and_a_pin_keeps_them(shown) -> None:
    view = shown()
    assert [button.text() for button in view.legend.buttons] == ["Laplace", "Cutoff exponential"]
    view.legend.buttons[0].click()
    assert [item.isVisible() for item in bars(view)] == [False, True]
    view.legend.buttons[0].click()
    view.look(pins=[Pinned("as now", bars_update())])
    view.grab()
    assert all(isinstance(item, BarsItem) and item.isVisible() for _, item in view.canvas.layers.pins)


def test_that_the_crosshair_reads_bars(shown) -> None:
    view = shown()
    frame = bars(view)[0].frame
    view.canvas.point_at(QPointF(frame.across(1.1), frame.height / 2))
    assert [reading.value for reading in view.canvas.crosshair.readings] == [3.0, 5.0]
    view.grab()


def test_that_edges_leave_room_between_whole_numbers() -> None:
    layer = BARS.layers[0]
    assert isinstance(layer, Bars)
    left, right = BARS.bar_edges(layer, np.array([1.0]))
    assert (left[0], right[0]) == (pytest.approx(0.6), pytest.approx(1.0))
