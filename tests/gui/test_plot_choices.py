"""Marks on both axes, and marks that stand only under a choice."""

from __future__ import annotations

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from dpstudio.core.study import answer
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell import theme
from dpstudio.studies.response import Response


@pytest.fixture
def view(qtbot, monkeypatch) -> FigureView:
    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)
    view = FigureView([Response.figure("map")], theme.LIGHT,
                      parameters={declared.name: declared for declared in Response.parameters()})
    qtbot.addWidget(view)
    view.resize(640, 400)
    with qtbot.waitExposed(view):
        view.show()
    return view


def show(view: FigureView, study: Response) -> None:
    update = answer(study, simulate=False)
    view.set_view(update.windows["coins"])
    view.show_update(update, study.values())
    QApplication.processEvents()  # the caption may take its lines only now
    view.grab()


def pixels(view: FigureView, x: float, y: float) -> QPoint:
    canvas = view.canvas
    frame = canvas.marks.frame
    return canvas.mapFromScene(canvas.box.mapToScene(QPointF(frame.across(x), frame.down(y))))


def test_that_either_coin_is_dragged_along_its_axis(view) -> None:
    show(view, Response(theta1=0.5, theta2=0.2))
    moved: dict[str, float] = {}
    view.parameter_dragged.connect(lambda name, value: moved.update({name: value}))
    for ends in (((0.8, 0.5), (0.8, 0.3)), ((0.2, 0.9), (0.6, 0.9))):
        start, end = (pixels(view, *each) for each in ends)
        viewport = view.canvas.viewport()
        QTest.mouseMove(viewport, start)
        QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
        for step in range(1, 11):
            at = start + (end - start) * step / 10
            QTest.mouseMove(viewport, QPoint(round(at.x()), round(at.y())))
        QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=end)
    assert moved["theta1"] == pytest.approx(0.3, abs=0.02)
    assert moved["theta2"] == pytest.approx(0.6, abs=0.02)


@pytest.mark.parametrize("design", ["symmetric", "warner"])
def test_that_coins_that_are_not_used_cannot_be_taken(view, design) -> None:
    show(view, Response())
    marks = view.canvas.marks
    there = QPointF(marks.frame.across(0.2), marks.frame.down(0.9))
    assert marks.under(there) is not None
    show(view, Response(design=design))
    assert marks.under(there) is None
    assert marks.shape().isEmpty()
    show(view, Response())
    assert marks.under(there) is not None
