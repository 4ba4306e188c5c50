"""What a picture draws is what the figure and the update say."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from answers_kit import given
from hypothesis import given as given_values
from hypothesis import strategies as st
from plot_sample import BOTH, LAPLACE, LINEAR, LOSS, SIMULATION, TAILS, VALUES, X, painted, sample_update
from PySide6.QtCore import QCoreApplication, QEvent

from dpstudio import vocabulary as v
from dpstudio.core.figure import Line
from dpstudio.core.results import Column, Table
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.items import ARROW, FAR, CurveItem, curve_path
from dpstudio.gui.shell import theme
from dpstudio.scene.frame import Frame
from dpstudio.scene.palette import STYLES
from dpstudio.scene.scene import Pinned, lone


@pytest.fixture
def shown(qtbot):
    return lambda figure, update=None: painted(qtbot, figure, update=update)


def curves(view: FigureView) -> dict[Column, CurveItem]:
    return {layer.y: item for layer, item in view.canvas.layers.items if isinstance(layer, Line)}


def test_that_curves_hold_the_columns_of_the_table(shown) -> None:
    update = sample_update()
    for column, item in curves(shown(LINEAR, update)).items():
        assert np.array_equal(item.arrays[0], update.tables["records"][X])
        assert np.array_equal(item.arrays[1], update.tables["records"][column])


def test_that_a_log_axis_has_logarithms_and_zero_leaves_through_the_bottom(shown) -> None:
    update = sample_update()
    column = Column(v.ACCEPTANCE, LAPLACE)
    y = update.tables["records"][column].copy()
    y[:3] = 0.0
    changed = Table({**update.tables["records"].columns, column: y})
    item = curves(shown(TAILS, given({**update.tables, "records": changed}, update.facts)))[column]
    assert np.allclose(item.arrays[1][3:], np.log10(y[3:]))
    assert (item.arrays[1][:3] < np.log10(TAILS.y.floor)).all()
    assert item.frame.down(item.arrays[1][0]) > item.frame.floor


def test_that_curves_meet_the_picture_where_their_values_lie(shown) -> None:
    item = curves(shown(LINEAR))[Column(v.ACCEPTANCE, LAPLACE)]
    frame = item.frame
    assert frame.x == (900.0, 1100.0)
    assert frame.y == (0.0, 1.0)
    assert frame.across(1000.0) == pytest.approx(frame.width / 2)
    assert frame.down(1.0) == pytest.approx(frame.top)
    assert frame.y_at(frame.down(0.25)) == pytest.approx(0.25)


def test_that_a_series_without_columns_is_skipped_and_has_no_legend_entry(shown) -> None:
    view = shown(LINEAR, sample_update(series=(LAPLACE,)))
    assert {column.series for column, item in curves(view).items() if item.isVisible()} == {LAPLACE}
    assert [button.text() for button in view.legend.buttons] == ["Laplace"]
    view.show_update(sample_update(), VALUES)
    assert [button.text() for button in view.legend.buttons] == [one.label for one in BOTH]


def test_that_an_infinite_value_is_an_arrow_at_the_edge(shown) -> None:
    view = shown(LOSS)
    laplace, cutoff = curves(view).values()
    assert laplace._arrows.isEmpty()
    assert not cutoff._arrows.isEmpty()
    arrows = cutoff._arrows.boundingRect()
    assert cutoff.frame.top <= arrows.top() < cutoff.frame.top + 4
    assert arrows.left() >= cutoff.frame.across(1000.0) - 12
    assert view.canvas._y is not None
    assert view.canvas._y[1] < 1  # infinity does not stretch the axis


def test_that_a_value_between_gaps_is_seen_as_a_dot(shown) -> None:
    update = sample_update()
    column = Column(v.LOSS_ACCEPT, LAPLACE)
    y = np.full_like(update.tables["records"][X], np.nan)
    y[100] = 0.05
    table = Table({**update.tables["records"].columns, column: y})
    item = curves(shown(LOSS, given({"records": table}, update.facts)))[column]
    assert [point.x() for point in item._lone] == [pytest.approx(item.frame.across(1000.0))]


def test_that_a_curve_of_one_point_is_seen_as_a_dot(qapp) -> None:
    for ends, dots in (([0.5], 1), ([0.5, 0.6], 0)):
        item = CurveItem(theme.LIGHT, next(iter(STYLES.values())))
        item.set_frame(Frame(width=200.0, height=100.0))
        item.set_arrays(np.array(ends), np.array(ends))
        item.make()
        assert len(item._lone) == dots


def test_that_bands_dots_and_levels_hold_their_columns(shown) -> None:
    update = sample_update()
    table = update.tables["simulation"]
    band, line, dots, level = (item for _, item in shown(SIMULATION, update).canvas.layers.items)
    for item, quantities in ((band, (v.FRACTION_LOW, v.FRACTION_HIGH)), (line, (v.FRACTION,)),
                             (dots, (v.FRACTION, v.FRACTION_LOW, v.FRACTION_HIGH))):
        assert np.allclose(item.arrays[0], np.log10(table[Column(v.DONE)]))
        for array, quantity in zip(item.arrays[1:], quantities, strict=True):
            assert np.array_equal(array, table[Column(quantity, LAPLACE)])
    assert level.arrays[0] == pytest.approx([0.9])


def test_that_regions_lie_under_the_curves_in_rows_of_their_own(shown) -> None:
    view = shown(LINEAR)
    regions = [item for _, item in view.canvas.layers.items[:2]]
    assert regions[0].arrays[0] == pytest.approx([960.0, 1040.0])
    assert regions[1].arrays[0] == pytest.approx([940.0, 1020.0])
    assert [item.row for item in regions] == [0, 1]
    frame = regions[0].frame
    assert frame.floor < frame.height - 2 * regions[0].ROW


def test_that_equal_data_are_not_painted_again(shown, monkeypatch) -> None:
    view = shown(LINEAR)
    made: list[CurveItem] = []
    monkeypatch.setattr(CurveItem, "make", lambda item: made.append(item))
    view.show_update(sample_update(), VALUES)
    view.grab()
    assert made == []
    view.show_update(sample_update(epsilon=0.2), VALUES)
    view.grab()
    assert len(made) == 2


def test_that_a_thousand_updates_leave_no_items_behind(shown) -> None:
    view = shown(LINEAR)
    before = len(view.canvas.scene().items()), len(view.children())
    for i in range(1000):
        view.show_update(sample_update(epsilon=0.05 + i * 1e-4), VALUES)
    view.grab()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert (len(view.canvas.scene().items()), len(view.children())) == before


def test_that_pinned_curves_stay_as_faint_copies(shown) -> None:
    view = shown(LINEAR)
    pinned = sample_update(epsilon=0.03)
    view.look(pins=[Pinned("ε = 0.03", pinned)])
    view.show_update(sample_update(epsilon=0.3), VALUES)
    for line, item in view.canvas.layers.pins:
        assert item.isVisible()
        assert item.strength < 0.5
        assert np.array_equal(item.arrays[1], pinned.tables["records"][line.y])
        assert item.zValue() < min(one.zValue() for one in curves(view).values())
    view.look(pins=())
    assert not any(item.isVisible() for _, item in view.canvas.layers.pins)


def test_that_hidden_series_hide_their_region_and_pin_too(shown) -> None:
    view = shown(LINEAR)
    view.look(pins=[Pinned("as now", sample_update())])
    view.look(hidden=frozenset({"laplace"}))
    layers = view.canvas.layers
    assert not any(item.isVisible() for layer, item in [*layers.items, *layers.pins]
                   if "laplace" in (getattr(layer, "series", None) or layer.y.series).key)
    assert sum(item.isVisible() for item in layers) == 3


def test_that_arrows_of_different_series_stand_side_by_side(shown) -> None:
    view = shown(LINEAR)
    frame, tips = view.canvas.grid.frame, []
    for turn in range(5):
        item = CurveItem(theme.LIGHT, STYLES["laplace"], turn=turn)
        item.set_frame(frame)
        item.set_arrays(np.linspace(900.0, 1100.0, 2001), np.full(2001, np.inf))
        item.refresh()
        assert item._arrows.elementCount() // 3 > 3
        path = item._arrows
        tips += [path.elementAt(i).x for i in range(path.elementCount()) if path.elementAt(i).y < frame.top + 3]
    tips = sorted(set(np.round(tips, 3)))
    assert min(np.diff(tips)) >= ARROW


HEIGHTS = st.one_of(st.sampled_from((0.0, 100.0, 100.004, 100.01, 100.03)), st.floats(-50, 350),
                    st.sampled_from((math.nan, math.inf, -math.inf)))


def points_of(path) -> list[tuple[bool, float, float]]:
    """The points of a path, each with whether a line leads to it."""
    return [(each.isLineTo(), each.x, each.y) for each in map(path.elementAt, range(path.elementCount()))]


@given_values(st.lists(HEIGHTS, min_size=1, max_size=30))
def test_that_a_curve_passes_its_points_to_a_sixty_fourth_of_a_pixel_and_is_broken_at_none(heights) -> None:
    x, y = np.arange(len(heights)) * 3.0, np.array(heights)
    points = points_of(curve_path(x, y, 300.0))
    strokes = [(a, b) for a, b in pairwise(points) if b[0] and a[1:] != b[1:]]
    finite = np.isfinite(y)
    alone = lone(finite)  # a dot, no path
    for i, (at, height) in enumerate(zip(x, np.clip(y, -FAR * 300, (1 + FAR) * 300), strict=True)):
        passed = [float(np.interp(at, (a[1], b[1]), (a[2], b[2]))) for a, b in strokes if a[1] <= at <= b[1]]
        assert bool(passed) is bool(finite[i] and not alone[i]), (at, points)
        assert all(abs(each - height) <= 1 / 64 for each in passed), (at, height, points)


def test_that_what_is_level_is_stroked_from_end_to_end_and_a_line_that_turns_back_keeps_its_tip() -> None:
    x = np.arange(100.0)
    assert [each[1:] for each in points_of(curve_path(x, np.full(100, 7.0), 300.0))] == [(0, 7), (99, 7)]
    there_and_back = np.concatenate([x, x[::-1]])
    assert max(each[1] for each in points_of(curve_path(there_and_back, np.full(200, 7.0), 300.0))) == 99
