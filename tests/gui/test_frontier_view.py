"""The frontier in the window: asked for where somebody looks, alive while ε is dragged, and said in words at rest."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import LEFT, answered

from dpstudio.core.figure import Dots, Line
from dpstudio.documents.session import Session
from dpstudio.studies.decision import LAPLACE, Decision


def chosen(bench, qtbot):
    """The large picture with the frontier in it, worked out."""
    answered(qtbot, bench)
    bench.document.show(Session.see, "frontier", "errors")
    view = bench.pictures.large
    qtbot.waitUntil(lambda: "Ahead" in view.caption.text())
    qtbot.waitUntil(lambda: view.canvas.geometry().bottom() <= view.height())
    return view


def lines(view):
    return [part.arrays for part in view.canvas.scene_.shown(Line)]


def dot(view, named):
    """Where the dot of Laplace stands, as a value of ε."""
    part = next(part for part in view.canvas.scene_.parts if isinstance(part.layer, Dots)
                and part.layer.y.series == LAPLACE and part.layer.x.quantity.key.endswith(named))
    return 10 ** part.arrays[0][0] if part.present else None


def test_that_a_frontier_is_worked_out_where_somebody_looks_and_says_what_it_shows(bench, qtbot):
    view = chosen(bench, qtbot)
    kept = bench.answers.latest[0].answer.kept
    assert Decision.outcomes[0] in kept
    assert Decision.outcomes[1] not in kept, "nobody looked"
    words = view.caption.toolTip()
    assert words.startswith(f"{Decision.outcomes[0].caption} For the same unrounded uncertain band (78.24 records) "
                            "Laplace needs ε = 0.1, ")
    assert view.accessibleDescription() == words
    assert view.header.title.toolTip() == f"{Decision.outcomes[0].title}\n{words}", "also where it has no caption"
    assert len(lines(view)[0][0]) > 30


def test_that_dragging_epsilon_on_the_frontier_moves_the_dots_along_curves_that_stay(bench, qtbot):
    view = chosen(bench, qtbot)
    before, height = lines(view), view.canvas.height()
    frame, viewport = view.canvas.marks.frame, view.canvas.viewport()

    def at(epsilon):
        across = frame.across(np.log10(epsilon))
        return view.canvas.mapFromScene(view.canvas.box.mapToScene(QPointF(across, frame.top + 3)))

    QTest.mouseMove(viewport, at(0.1))
    QTest.mousePress(viewport, LEFT, pos=at(0.1))
    for epsilon in (0.15, 0.2, 0.3):
        QTest.mouseMove(viewport, at(epsilon))
        QApplication.processEvents()
        qtbot.waitUntil(lambda: math.isclose(
            dot(view, "_now"), bench.document.study.epsilon, rel_tol=1e-3))  # the ε at δ is a little less
        assert all(np.array_equal(old, new) for one, other in zip(before, lines(view), strict=True)
                   for old, new in zip(one, other, strict=True))
        assert view.canvas.height() == height, "the words that are to come keep their room"
    QTest.mouseRelease(viewport, LEFT, pos=at(0.3))
    assert 0.28 < bench.document.study.epsilon < 0.32
    qtbot.waitUntil(lambda: "Ahead" in view.caption.text() and "Laplace needs ε\u00a0=\u00a00.1," not in
                    view.caption.text())


def test_that_a_caption_says_its_end_in_large_type_and_the_plot_keeps_its_height(bench, qtbot):
    bench.menus.actions["Presentation mode"].setChecked(True)
    bench.desk.frontier_wanted.emit()
    view = bench.pictures.picture()
    qtbot.waitUntil(lambda: view.current_figure().key == "frontier" and len(view.caption.text()) > 150)
    qtbot.waitUntil(lambda: "".join(view.caption.lines()).replace(" ", "") == view.caption.text().replace(" ", ""))
    high = view.caption.minimumSizeHint().height()
    view._say("Short.")
    assert view.caption.minimumSizeHint().height() == high
