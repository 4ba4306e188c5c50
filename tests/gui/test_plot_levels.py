"""Level and upright lines say what they are; one that is out of view says where, and comes when it is asked."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from answers_kit import given
from plot_sample import CUTOFF, LAPLACE, LINEAR, SIMULATION, VALUES, painted, sample_update
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Figure, Level, Line, Mark
from dpstudio.core.results import Fact
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.labels import Standing, place_labels, shown_text
from dpstudio.gui.shell import theme
from dpstudio.scene.frame import Frame
from dpstudio.scene.palette import NEUTRAL
from dpstudio.scene.straights import Straight

UPRIGHT = replace(LINEAR, key="upright", layers=(
    *LINEAR.layers, Level(v.THRESHOLD, LAPLACE, axis="x"), Level(v.THRESHOLD, CUTOFF, axis="x"),
    Level(v.BREAKEVEN_COST, axis="y")))


def facts(**thresholds: float) -> tuple[Fact, ...]:
    return (Fact(v.THRESHOLD, thresholds.get("laplace", 985.25), LAPLACE),
            Fact(v.THRESHOLD, thresholds.get("cutoff", 1062.0), CUTOFF, "bound"), Fact(v.BREAKEVEN_COST, 0.25))


@pytest.fixture
def made(qtbot):
    def make(figure: Figure = UPRIGHT, width: int = 640, **thresholds: float) -> FigureView:
        update = sample_update()
        return painted(qtbot, figure, size=(width, 400), update=given(
            update.tables, (*update.facts, *facts(**thresholds)), windows=update.windows))

    return make


def labels(view: FigureView) -> dict[str, tuple[float, float]]:
    """Every label that has a place, with the middle of it and the place of its line."""
    marks = view.canvas.marks
    return {shown_text(one, marks.frame): (one.label.center().x(), one.at)
            for one in [*marks.marks, *marks.levels] if not one.label.isNull()}


def click(view: FigureView, at: float) -> None:
    point = view.canvas.mapFromScene(view.canvas.box.mapToScene(QPointF(at, 10.0)))
    QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_that_upright_and_level_lines_carry_name_and_value(made):
    found = labels(made())
    assert {"k = 985.2", "k ≤ 1 062", "C* = 0.25"} <= {text.replace("\u202f", " ") for text in found}
    for text, (middle, at) in found.items():
        if text.startswith("k"):
            assert abs(middle - at) < 60


def test_that_a_level_of_a_series_on_its_own_axis_says_its_value_in_its_colour(made):
    view = made(SIMULATION)
    (level,) = view.canvas.marks.levels
    assert level.text == "0.9"
    assert view.canvas.marks._ink(level).name() == level.straight.style.light
    assert not level.label.isNull()


def test_that_a_hidden_or_infinite_level_has_no_label(made):
    view = made(laplace=math.inf)
    assert "k = ∞" not in labels(view)
    view.look(hidden=frozenset({"cutoff"}))
    assert not any(text.startswith("k") for text in labels(view))
    view.look(hidden=frozenset())
    assert any(text.startswith("k ≤") for text in labels(view))


def test_that_a_narrow_picture_says_the_value_of_every_upright_line_rather_than_the_name_of_one(qtbot):
    frame = Frame(width=200, height=100)
    levels = [Standing(Straight(Level(v.THRESHOLD, LAPLACE, axis="x"), value, value, f"a long name of {value}", NEUTRAL,
                                str(value))) for value in (20, 90, 160)]
    for one in levels:
        one.at = one.value
    place_labels([], levels, frame, theme.LIGHT)
    assert all(not one.label.isNull() for one in levels)
    assert [one.label.right() <= other.label.left() for one, other in pairwise(levels)] == [True, True]
    place_labels([], levels[:1], frame, theme.LIGHT)
    assert not levels[0].shortened  # alone it has room for its name


def test_that_levels_give_way_to_marks_where_there_is_no_room(made):
    narrow = labels(made(width=230))
    assert {text[0] for text in narrow} >= {"m", "N"}
    assert not any(text.startswith("k") for text in narrow)  # their values alone, if that
    counts, said, view = [], set(), made()
    for width in range(240, 640, 12):
        view.resize(width, 400)
        view.grab()
        boxes = [one.label for one in [*view.canvas.marks.marks, *view.canvas.marks.levels]
                 if one.axis == "x" and not one.label.isNull()]
        assert all(not a.intersects(b) for i, a in enumerate(boxes) for b in boxes[:i])
        assert all(box.left() >= 0 and box.right() <= view.canvas.marks.frame.width for box in boxes)
        counts.append(len(boxes))
        said |= {text.replace("\u202f", " ") for text in labels(view)}
    assert counts == sorted(counts)
    assert 2 <= counts[0] < counts[-1] == 4
    assert {"k = 985.2", "k ≤ 1 062", "1 062"} <= said  # the value alone is in the colour of its series


@pytest.mark.parametrize(("far", "arrow"), [(3000.0, "k ≤ 3 000 →"), (100.0, "← k ≤ 100")])
def test_that_a_click_on_the_label_of_a_line_out_of_view_brings_it_in(made, qtbot, far, arrow):
    view = made(cutoff=far)
    found = {text.replace("\u202f", " "): middle for text, (middle, _) in labels(view).items()}
    with qtbot.waitSignal(view.view_changed) as changed, qtbot.assertNotEmitted(view.parameter_dragged):
        click(view, found[arrow])
    table, low, high = changed.args
    assert table == "records"
    assert low == 900 if far > 900 else low < far
    assert high == 1100 if far < 1100 else high > far
    level = next(one for one in view.canvas.marks.levels if one.value == far)
    assert level.seen(view.canvas.marks.frame)
    with qtbot.assertNotEmitted(view.view_changed, wait=60):
        click(view, level.label.center().x())  # it is in view: nothing to bring


def test_that_a_mark_out_of_view_is_brought_in_by_a_click_and_moved_by_a_drag(made, qtbot):
    view = made(LINEAR)
    update = sample_update()
    view.show_update(update, VALUES | {"records": 5000})
    records = view.canvas.marks.marks[1]
    at = view.canvas.mapFromScene(view.canvas.box.mapToScene(records.label.center()))
    with qtbot.waitSignal(view.parameter_dragged) as moved:
        QTest.mousePress(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
        for step in range(1, 9):
            QTest.mouseMove(view.canvas.viewport(), at - QPoint(10 * step, 0))
        QTest.mouseRelease(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at - QPoint(80, 0))
    assert moved.args[0] == "records"
    assert 1000 < records.value < 1100
    view.show_update(update, VALUES | {"records": 5000})
    with qtbot.waitSignal(view.view_changed) as changed:
        click(view, records.label.center().x())
    assert changed.args[2] > 5000


def test_that_a_mark_beyond_a_log_axis_is_brought_in(made, qtbot):
    figure = Figure("log", "Log", "records", Axis(v.RECORDS, "log"), Axis(v.ACCEPTANCE, low=0, high=1),
                    (*LINEAR.layers[2:4], Mark("minimum"), Mark("records", draggable=True)))
    view = made(figure)
    view.show_update(sample_update(), VALUES | {"records": 50_000})
    with qtbot.waitSignal(view.view_changed) as changed:
        click(view, view.canvas.marks.marks[1].label.center().x())
    assert 50_000 < changed.args[2] < 200_000


@pytest.mark.parametrize(("value", "words", "edge"), [(7.5, "↑ ε = 7.5", "top"), (0.5, "ε = 0.5", "line")])
def test_that_a_level_mark_beyond_the_top_says_so_at_the_edge_and_can_be_pulled_back(made, qtbot, value, words, edge):
    figure = Figure("high", "High", "records", Axis(v.RECORDS), Axis(v.ACCEPTANCE, low=0, high=1),
                    (*LINEAR.layers[2:4], Mark("epsilon", axis="y", draggable=True)))
    view = made(figure)
    view.show_update(sample_update(), VALUES | {"epsilon": value})
    view.grab()
    (mark,) = view.canvas.marks.marks
    frame = view.canvas.marks.frame
    assert shown_text(mark, frame) == words
    assert (mark.label.top() < frame.top + 2) is (edge == "top")
    at = view.canvas.mapFromScene(view.canvas.box.mapToScene(mark.label.center()))
    with qtbot.waitSignal(view.parameter_dragged) as moved:
        QTest.mousePress(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
        for step in range(1, 9):
            QTest.mouseMove(view.canvas.viewport(), at + QPoint(0, 10 * step))
        QTest.mouseRelease(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at + QPoint(0, 80))
    assert moved.args[0] == "epsilon"
    assert 0 < mark.value < 1
    assert mark.seen(frame)


@pytest.mark.parametrize(("axis", "at", "seen"), [
    ("x", 0.0, True), ("x", -2.0, False), ("x", 400.0, True), ("x", 402.0, False), ("y", 20.0, True),
    ("y", 18.0, False), ("y", 180.0, True), ("y", 182.0, False), ("x", math.nan, False)])
def test_that_a_line_is_seen_up_to_the_edges_that_curves_are_seen_to(axis, at, seen):
    frame = Frame(width=400.0, height=200.0, top=20.0, bottom=20.0)
    standing = Standing(Straight(Level(v.THRESHOLD, axis=axis), 1.0, 1.0, "", NEUTRAL))
    standing.at = at
    assert standing.seen(frame) is seen


@pytest.mark.parametrize("end", ["right", "left"])
def test_that_the_label_of_a_level_line_keeps_off_the_curves(end):
    """A curve near one end of a line sends its label to the other end, and none sends it to the right."""
    frame = Frame(x=(0.0, 1.0), y=(0.0, 1.0), width=600.0, height=300.0)
    level = Standing(Straight(Level(v.BREAKEVEN_COST, axis="y"), 0.5, 0.5, "C* = 0.5", NEUTRAL))
    level.at = 150.0
    across = np.linspace(0.8, 1.0, 50) if end == "right" else np.linspace(0.0, 0.2, 50)
    for low, high in ((0.0, 1.0), (0.4, 0.6)):
        curves = [(np.repeat(across, 99), np.tile(np.linspace(low, high, 99), 50))]
        place_labels([], [level], frame, theme.LIGHT, curves)
        assert (level.label.center().x() < 300) is (end == "right")
        sparse = [(np.array([0.0, 0.001, 0.999, 1.0]), np.array([0.9, 0.9, 0.52, 0.52])[::1 if end == "right" else -1])]
        place_labels([], [level], frame, theme.LIGHT, [*sparse, (sparse[0][0], sparse[0][1] - 0.04)])
        assert (level.label.center().x() < 300) is (end == "right")
    place_labels([], [level], frame, theme.LIGHT)
    assert level.label.center().x() > 300


def test_that_a_curve_drawn_sends_the_label_away(made):
    view = made()
    one = next(each for each in view.canvas.marks.levels if each.axis == "y")
    points = [(one.label.center().x(), one.label.center().y())]
    frame = view.canvas.marks.frame
    x, y = frame.x[0] + points[0][0] / frame.width * (frame.x[1] - frame.x[0]), frame.y_at(points[0][1])
    before = one.label.center()
    marks = view.canvas.marks
    scene = marks._scene
    curve = next(part for part in scene.parts if isinstance(part.layer, Line))
    marks._scene = replace(scene, parts=(replace(curve, arrays=(np.array([x]), np.array([y]))),))
    marks.remake()
    assert one.label.center() != before
    marks._scene = replace(scene, parts=())
    marks.remake()
    assert one.label.center() == before
