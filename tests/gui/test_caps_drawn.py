"""Caps on belief are drawn on the picture of beliefs: added, moved and taken away by mouse, menu and keys."""

from __future__ import annotations

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from window_kit import LEFT, answered, value

from dpstudio.core.risk_figures import BELIEF
from dpstudio.scene.axes import place
from dpstudio.vocabulary import numbers_of

KEY = Qt.Key
CAP, OTHER = (0.01, 0.05), (0.2, 0.6)
BOTH = "0.01:0.05,0.2:0.6"


@pytest.fixture
def drawn(qtbot, bench, monkeypatch):
    """The picture of beliefs at its largest, with two caps."""
    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)
    bench.document.edit("profile", BOTH)
    bench.document.show(type(bench.document.session).see, BELIEF, "frontier")
    answered(qtbot, bench)
    view = bench.pictures.large
    assert view.current_figure().key == BELIEF
    view.canvas.grab()
    return view


def at(view, x, y) -> QPoint:
    """Pixels of the widget for a belief before and after."""
    canvas, figure = view.canvas, view.current_figure()
    frame = canvas.marks.frame
    return canvas.mapFromScene(canvas.box.mapToScene(QPointF(
        float(frame.across(place(x, figure.x))), float(frame.down(place(y, figure.y))))))


def drag(view, start, end) -> None:
    viewport = view.canvas.viewport()
    QTest.mouseMove(viewport, start)
    QTest.mousePress(viewport, LEFT, pos=start)
    for step in range(1, 11):
        QTest.mouseMove(viewport, start + (end - start) * step / 10)
    QTest.mouseRelease(viewport, LEFT, pos=end)


def caps(bench):
    return numbers_of(value(bench, "profile")) or ()


def choose(view, point, words) -> None:
    menu = view.menu(point)
    next(action for action in menu.actions() if action.text() == words).trigger()


def offered(view, point) -> list[str]:
    return [action.text() for action in view.menu(point).actions()]


def test_that_a_cap_is_dragged_with_its_kept_epsilon_and_taken_back_in_one_step(qtbot, bench, drawn):
    before = bench.document.study.answer().value("profile_epsilon", "laplace")
    drag(drawn, at(drawn, *CAP), at(drawn, 0.02, 0.2))
    answered(qtbot, bench)
    moved, other = caps(bench)
    assert moved == pytest.approx((0.02, 0.2), rel=0.03)
    assert other == OTHER
    assert bench.document.study.answer().value("profile_epsilon", "laplace") > before
    assert drawn.canvas.caps.caps == (moved, other)
    bench.document.undo()
    answered(qtbot, bench)
    assert value(bench, "profile") == BOTH
    assert drawn.canvas.caps.caps == (CAP, OTHER)


def test_that_a_cap_is_never_dragged_to_its_prior_or_onto_another(qtbot, bench, drawn):
    drag(drawn, at(drawn, *CAP), at(drawn, 0.5, 0.002))
    answered(qtbot, bench)
    moved, other = caps(bench)
    assert moved[0] < moved[1]
    assert other == OTHER


def test_that_a_cap_dragged_past_another_stays_the_one_that_is_held(qtbot, bench, drawn):
    drag(drawn, at(drawn, *CAP), at(drawn, 0.5, 0.9))
    answered(qtbot, bench)
    assert caps(bench)[0] == OTHER
    assert caps(bench)[1] == pytest.approx((0.5, 0.9), rel=0.03)


def test_that_an_answer_from_before_moves_no_cap_that_a_hand_holds(drawn):
    caps, before = drawn.canvas.caps, drawn.canvas.scene_
    caps.take(QPointF(*caps._at(CAP)))
    caps.bring(QPointF(20, -10))
    moved = caps.caps
    assert moved != (CAP, OTHER)
    caps.show_scene(before)
    assert caps.caps == moved
    caps.drop()


def test_that_caps_are_in_the_order_of_their_priors_also_while_one_passes_another(drawn):
    caps = drawn.canvas.caps
    caps.take(QPointF(*caps._at(CAP)))
    caps.bring(QPointF(*caps._at((0.5, 0.9))) - QPointF(*caps._at(CAP)))
    assert caps.caps[0] == OTHER
    assert caps.caps[1] == pytest.approx((0.5, 0.9), rel=0.03)
    caps.drop()


def test_that_a_cap_is_added_where_one_may_stand_and_removed_by_the_menu(qtbot, bench, drawn):
    here = at(drawn, 0.05, 0.3)
    choose(drawn, here, "Cap here")
    answered(qtbot, bench)
    assert len(caps(bench)) == 3
    assert caps(bench)[1] == pytest.approx((0.05, 0.3), rel=0.03)
    assert "Cap here" not in offered(drawn, at(drawn, 0.3, 0.05)), "no release keeps a cap below the prior"
    choose(drawn, at(drawn, *CAP), "Remove cap 0.01 → 0.05")
    answered(qtbot, bench)
    assert CAP not in caps(bench)
    assert len(caps(bench)) == 2


def test_that_caps_are_reached_moved_and_taken_away_by_keys(qtbot, bench, drawn):
    canvas = drawn.canvas
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    while canvas.caps.active is None:
        QTest.keyClick(canvas, KEY.Key_Tab)
        assert canvas.hasFocus()
    QTest.keyPress(canvas, KEY.Key_Up)
    QTest.keyPress(canvas, KEY.Key_Up)
    QTest.keyRelease(canvas, KEY.Key_Up)
    answered(qtbot, bench)
    (prior, most), other = caps(bench)
    assert (prior, other) == (CAP[0], OTHER)
    assert most > CAP[1]
    assert canvas.caps.active == (prior, most)
    QTest.keyClick(canvas, KEY.Key_Delete)
    answered(qtbot, bench)
    assert caps(bench) == (OTHER,)


def test_that_the_last_cap_that_goes_leaves_none_and_a_first_one_can_be_drawn(qtbot, bench, drawn):
    for cap in (CAP, OTHER):
        choose(drawn, at(drawn, *cap), f"Remove cap {cap[0]} → {cap[1]}")
        answered(qtbot, bench)
    assert value(bench, "profile") == "none"
    choose(drawn, at(drawn, 0.01, 0.1), "Cap here")
    answered(qtbot, bench)
    assert caps(bench) == (pytest.approx((0.01, 0.1), rel=0.03),)


def test_that_no_other_picture_offers_caps(qtbot, bench, drawn):
    assert "Cap here" in offered(drawn, at(drawn, 0.05, 0.3))
    beside = bench.pictures.beside
    assert "Cap here" not in [action.text() for action in beside.menu(QPoint(60, 60)).actions()]
