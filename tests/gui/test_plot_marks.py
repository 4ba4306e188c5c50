"""Marks are dragged by mouse and keyboard, and their labels stay readable."""

from __future__ import annotations

import math

import pyqtgraph as pg
import pytest
from plot_sample import LINEAR, LOSS, PARAMETERS, VALUES, painted, pictured, sample_update
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from dpstudio import vocabulary as v
from dpstudio.core.declare import Parameter
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.labels import Aimed, DragTarget, admitted, shown_text, snapped
from dpstudio.scene.frame import Frame
from dpstudio.studies.mean import Mean
from dpstudio.text.numbers import THIN
from dpstudio.vocabulary import reals


@pytest.fixture(autouse=True)
def every_move(monkeypatch) -> None:
    """Moves of a mouse in less than ten milliseconds are otherwise passed over."""
    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)


@pytest.fixture
def view(qtbot) -> FigureView:
    return painted(qtbot)


def on_viewport(view: FigureView, x: float, y: float) -> QPoint:
    """Pixels of the widget for pixels of the plot."""
    canvas = view.canvas
    return canvas.mapFromScene(canvas.box.mapToScene(QPointF(x, y)))


def drag(view: FigureView, start: QPoint, end: QPoint) -> None:
    viewport = view.canvas.viewport()
    QTest.mouseMove(viewport, start)
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 11):
        at = start + (end - start) * step / 10
        QTest.mouseMove(viewport, QPoint(round(at.x()), round(at.y())))
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=end)


def test_that_a_mark_follows_the_mouse_in_whole_records(view, qtbot) -> None:
    frame = view.canvas.marks.frame
    moved: list[tuple[str, float]] = []
    view.parameter_dragged.connect(lambda name, value: moved.append((name, value)))
    start = on_viewport(view, frame.across(1000), frame.height / 2)
    with qtbot.waitSignal(view.drag_finished) as finished:
        drag(view, start, start + QPoint(80, 0))
    assert finished.args == ["minimum"]
    assert {name for name, _ in moved} == {"minimum"}
    assert all(value == round(value) for _, value in moved)
    assert moved[-1][1] == pytest.approx(1000 + 80 / frame.width * 200, abs=1.01)


def test_that_the_bound_on_the_rows_of_a_person_is_dragged_where_there_are_several(qtbot) -> None:
    for law, there in (("one", False), ("rand", True)):
        view = pictured(qtbot, Mean(rows_law=law, at_most=3, epsilon=0.005), "bounds")
        assert any(math.isfinite(placed.at) for placed in view.canvas.marks.stops()) is there
    frame, moved = view.canvas.marks.frame, []
    view.parameter_dragged.connect(lambda name, value: moved.append((name, value)))
    start, end = (on_viewport(view, frame.across(b), frame.height / 2) for b in (3, 2))
    with qtbot.waitSignal(view.drag_finished):
        drag(view, start, end)
    assert moved[-1] == ("at_most", 2)


def test_that_a_mark_moves_at_once_and_not_only_with_the_answer(view) -> None:
    minimum = view.canvas.marks.marks[0]
    start = on_viewport(view, minimum.at, 150)
    drag(view, start, start + QPoint(50, 0))
    assert minimum.value > 1010
    assert minimum.text != f"m = 1{THIN}000"
    view.show_update(sample_update(), VALUES)  # whoever answers has the last word
    assert minimum.value == 1000


def test_that_a_mark_can_be_taken_by_its_label(view, qtbot) -> None:
    records = view.canvas.marks.marks[1]
    start = on_viewport(view, records.label.center().x(), records.label.center().y())
    with qtbot.waitSignal(view.parameter_dragged) as moved:
        drag(view, start, start - QPoint(40, 0))
    assert moved.args[0] == "records"


def test_that_dragging_elsewhere_pans_instead(view, qtbot) -> None:
    frame = view.canvas.marks.frame
    start = on_viewport(view, frame.across(950), frame.height / 2)
    with qtbot.waitSignal(view.view_changed) as moved, qtbot.assertNotEmitted(view.parameter_dragged):
        drag(view, start, start - QPoint(60, 0))
    assert moved.args[0] == "records"
    assert moved.args[1] > 900


def test_that_a_mark_that_is_held_still_says_nothing(view) -> None:
    marks, seen = view.canvas.marks, []
    marks.dragged.connect(lambda *moved: seen.append(moved))
    marks.take(QPointF(marks.stops()[0].at, 200.0))
    marks.bring(QPointF(0.0, 0.0))
    assert not seen
    marks.bring(QPointF(30.0, 0.0))
    assert len(seen) == 1


def test_that_a_mark_stops_at_the_ends_of_its_domain() -> None:
    assert admitted(PARAMETERS["minimum"], -50.0, 1.0) == 1
    assert admitted(PARAMETERS["epsilon"], 50.0, 0.1) == 20
    open_ended = Parameter("epsilon", v.EPSILON, reals(0, 1, open="both"))
    assert admitted(open_ended, -1.0, 0.01) == 0.01
    assert admitted(open_ended, 7.0, 0.01) == 0.99


@pytest.mark.parametrize(("low", "high", "step"), [(900, 1100, 1), (0, 1e9, 1e6), (1000, 1010, 1)])
def test_that_a_mark_rests_on_numbers_as_round_as_the_screen_is_coarse(low, high, step) -> None:
    frame = Frame(x=(low, high), width=600)
    value = snapped(frame, LINEAR.x, LINEAR.layers[-1], PARAMETERS["records"], 317.3)
    assert value % step == 0
    assert abs(value - frame.x_at(317.3)) <= step


def test_that_the_arrow_keys_move_the_mark_that_tab_has_reached(view, qtbot) -> None:
    view.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.canvas.hasFocus)
    with qtbot.waitSignal(view.parameter_dragged) as moved, qtbot.waitSignal(view.drag_finished) as finished:
        QTest.keyClick(view.canvas, Qt.Key.Key_Right)
    assert moved.args == ["minimum", 1001.0]
    assert finished.args == ["minimum"]
    QTest.keyClick(view.canvas, Qt.Key.Key_Tab)
    with qtbot.waitSignal(view.parameter_dragged) as moved:
        QTest.keyClick(view.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert moved.args == ["records", 1030.0]
    QTest.keyClick(view.canvas, Qt.Key.Key_Tab)
    assert view.canvas.marks.active is None


@pytest.mark.parametrize("records", [1000, 1001, 1005, 1098, 905, 5000, 0])
def test_that_labels_of_near_marks_keep_apart_and_on_the_plot(view, records: int) -> None:
    view.show_update(sample_update(), VALUES | {"records": records})
    first, second = (placed.label for placed in view.canvas.marks.marks)
    assert not first.intersects(second)
    plot = view.canvas.marks.boundingRect()
    assert plot.contains(first)
    assert plot.contains(second)


def test_that_a_mark_out_of_view_says_which_way_it_lies(view) -> None:
    view.show_update(sample_update(), VALUES | {"records": 5000})
    marks = view.canvas.marks
    assert shown_text(marks.marks[1], marks.frame) == f"N = 5{THIN}000 →"
    view.show_update(sample_update(), VALUES | {"records": 7})
    assert shown_text(marks.marks[1], marks.frame) == "← N = 7"


def test_that_a_level_and_its_negative_wear_their_signs(qtbot) -> None:
    view = painted(qtbot, LOSS, size=(360, 260))
    above, below, _ = view.canvas.marks.marks
    assert (above.text, below.text) == ("ε = 0.1", "−ε = −0.1")
    assert not above.label.isNull()
    assert not below.label.isNull()
    assert not above.label.intersects(below.label)


def test_that_only_draggable_marks_can_be_taken(qtbot) -> None:
    marks = painted(qtbot, LOSS).canvas.marks
    assert [placed.parameter.name for placed in marks.stops()] == ["records"]
    assert marks.under(QPointF(20.0, marks.marks[0].at)) is None


def test_that_a_target_is_taken_before_a_mark_where_both_stand_and_says_its_value(view, qtbot) -> None:
    target = DragTarget(Parameter("wanted", v.RECORDS, reals(0)), frozenset({v.RECORDS}), "wanted ≤", 1000.0)
    view.look(targets=[target])
    marks = view.canvas.marks
    assert [placed.text for placed in marks.marks if isinstance(placed, Aimed)] == [f"wanted ≤ 1{THIN}000"]
    start = on_viewport(view, marks.marks[0].at, 150)
    moved: list[str] = []
    view.parameter_dragged.connect(lambda name, _: moved.append(name))
    with qtbot.waitSignal(view.drag_finished) as finished:
        drag(view, start, start + QPoint(40, 0))
    assert finished.args == ["wanted"]
    assert set(moved) == {"wanted"}
    view.look(targets=[])
    with qtbot.waitSignal(view.drag_finished) as finished:
        drag(view, start, start + QPoint(40, 0))
    assert finished.args == ["minimum"]
