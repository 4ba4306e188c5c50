"""Published ε on the pictures: switched in the menu, remembered, said by the pointer and by the keyboard."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from window_kit import answered

from dpstudio.documents.help import published
from dpstudio.gui.pictures.export_dialog import ExportRequest
from dpstudio.gui.plot.published import STUB
from dpstudio.gui.shell.settings import Settings
from dpstudio.scene.frame import Frame


def sigma(bench, qtbot):
    """A picture over ε, with the marks."""
    bench.menus.actions["Published deployments"].trigger()
    bench.desk.open_study("noise")
    answered(qtbot, bench)
    view = bench.pictures.bring("sigma")
    bench.pictures.enlarge(view)
    qtbot.waitUntil(lambda: view.canvas.scene_ is not None and bool(view.canvas.scene_.published))
    return view


def test_that_the_toggle_marks_pictures_and_is_remembered(bench, qtbot):
    assert not Settings().published
    view = sigma(bench, qtbot)
    assert Settings().published
    assert [mark.deployment.name for mark in view.canvas.published.marks] == ["City trips", "Births"]
    bottom = view.canvas.marks.frame.bottom
    bench.menus.actions["Published deployments"].trigger()
    assert not Settings().published
    assert not view.canvas.published.marks
    assert view.canvas.marks.frame.bottom < bottom, "they had a strip of their own under the curves"


def test_that_the_windows_beside_follow(bench, monkeypatch):
    told = []
    beside = SimpleNamespace(view=SimpleNamespace(look=lambda published: told.append(published)))
    monkeypatch.setattr(bench.tools, "made", {"sweep": beside, "region": beside}.get)
    bench.menus.actions["Published deployments"].trigger()
    assert told == [True, True]


def test_that_pointer_and_keyboard_have_all_of_a_mark_said_and_a_low_plot_says_it_beside(bench, qtbot):
    canvas = sigma(bench, qtbot).canvas
    item = canvas.published
    mark = item.marks[-1]
    canvas.point_at(QPointF(40, (item.frame.top + item.frame.floor) / 2))
    assert canvas.crosshair.isVisible()
    assert item.zValue() < canvas.crosshair.zValue(), "names do not stand on what is read"
    canvas.point_at(QPointF(item._tick(mark), item.frame.height - 2))
    assert item.meant is mark
    assert mark.deployment.says in item.words
    assert mark.deployment.whose in canvas.accessibleDescription()
    assert not canvas.crosshair.isVisible()
    assert item.zValue() > canvas.crosshair.zValue()
    canvas.point_at(QPointF(40, (item.frame.top + item.frame.floor) / 2))
    assert item.meant is None
    assert canvas.crosshair.isVisible()
    marks = item.marks
    canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    for _ in range(2):
        QTest.keyClick(canvas, Qt.Key.Key_E)
    assert canvas.published.meant is marks[1]
    assert canvas.accessibleDescription().startswith(marks[1].deployment.says)
    for _ in range(2):
        QTest.keyClick(canvas, Qt.Key.Key_E, Qt.KeyboardModifier.ShiftModifier)
    assert canvas.published.meant is marks[-1]
    assert "or E on the keyboard" in published()
    # A low plot has ticks alone, and the words beside it.
    item.mean(item.marks[0])
    assert item.fits()
    assert item.toolTip() == ""
    item.mean(None)
    assert item.lay_out(Frame((-2.0, 1.0), width=300.0, height=90.0)) == STUB
    item.set_frame(replace(item.frame, width=300.0, height=90.0))
    item.mean(item.marks[0])
    assert item.marks[0].deployment.whose in item.toolTip()
    item.mean(None)
    assert item.toolTip() == ""


def test_that_an_export_has_the_marks_when_the_window_has_them(bench, qtbot, tmp_path):
    sigma(bench, qtbot)
    path = tmp_path / "noise.svg"
    bench.outgoing.export(ExportRequest(path, "sigma", "svg", (160, 100), 300))
    qtbot.waitUntil(path.exists)
    assert "City trips" in path.read_text("utf-8")
