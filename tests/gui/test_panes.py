"""Panes stand beside the pictures, in their place where that is narrow, or torn off, and come back where they stood."""

from __future__ import annotations

import json

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget
from window_kit import LEFT, answered, type_entry

from dpstudio.gui.shell.docking import PICTURES
from dpstudio.gui.shell.pane import Pane

OPENS = {"compare": "Compare…", "sweep": "Sweep…", "history": "Snapshots…", "handover": "Copy as code…",
         "deployments": "List of deployments…"}
NARROW, WIDE = (1280, 720), (1920, 1080)


def opened(bench, key: str) -> Pane:
    bench.menus.actions[OPENS[key]].trigger()
    return bench.tools.made(key)


def sized(bench, qtbot, size) -> None:
    bench.window_.resize(*size)
    qtbot.waitUntil(lambda: bench.window_.width() == size[0])
    QApplication.processEvents()


def tabs(bench) -> list[str]:
    host = bench.desk.panes
    return [host.tabs.tabText(i) for i in range(host.tabs.count())] if host.strip.isVisible() else []


def close_all(bench) -> None:
    for key in OPENS:
        if (pane := bench.tools.made(key)) is not None:
            pane.close()


def test_that_in_a_narrow_window_a_pane_has_the_place_of_the_pictures_and_tabs_lead_back_and_forth(bench, qtbot):
    sized(bench, qtbot, NARROW)
    before = bench.desk.panes.geometry()
    assert tabs(bench) == []
    compare = opened(bench, "compare")
    assert isinstance(compare, QDockWidget)
    assert tabs(bench) == [PICTURES, "Compare – Decision"]
    assert compare.isVisible()
    assert not bench.pictures.isVisible()
    assert bench.page.parameters.isVisible(), "what is compared can still be moved"
    assert compare.width() > 0.9 * before.width()
    sweep = opened(bench, "sweep")
    assert tabs(bench) == [PICTURES, "Compare – Decision", "Sweep – Decision"]
    assert (compare.isVisible(), sweep.isVisible()) == (False, True)
    host = bench.desk.panes
    QTest.mouseClick(host.tabs, LEFT, pos=host.tabs.tabRect(0).center())
    assert bench.pictures.isVisible()
    assert not sweep.isVisible()
    host.tabs.setFocus()
    QTest.keyClick(host.tabs, Qt.Key.Key_Right)
    assert compare.isVisible()
    assert not bench.pictures.isVisible()
    history = opened(bench, "history")
    history.close()
    assert sweep.isVisible(), "the one that was opened before it"
    opened(bench, "compare")
    bench.desk.open_study("noise")
    qtbot.waitUntil(lambda: tabs(bench)[1] == "Compare – Noise")
    assert not bench.pictures.isVisible()
    close_all(bench)
    assert tabs(bench) == []
    assert bench.pictures.isVisible()
    assert (host.width(), bench.window_.size().toTuple()) == (before.width(), NARROW)


def test_that_in_a_wide_window_pictures_and_panes_are_beside_each_other_and_both_can_be_read(bench, qtbot):
    sized(bench, qtbot, WIDE)
    sweep, compare = opened(bench, "sweep"), opened(bench, "compare")
    qtbot.waitUntil(lambda: bench.pictures.isVisible() and compare.isVisible())
    assert tabs(bench) == []
    assert bench.pictures.width() >= 600
    assert compare.width() >= 500
    assert bench.desk.panes.tabifiedDockWidgets(compare) == [sweep]
    sized(bench, qtbot, NARROW)
    assert tabs(bench) == [PICTURES, "Sweep – Decision", "Compare – Decision"]
    assert not bench.pictures.isVisible()
    sized(bench, qtbot, WIDE)
    assert bench.pictures.isVisible()
    assert bench.pictures.width() >= 600
    bench.appearance.set_presentation(True)
    assert tabs(bench), "large type needs the room"
    bench.appearance.set_presentation(False)
    close_all(bench)


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_that_a_pane_is_torn_off_put_back_and_comes_again_where_it_stood(bench, qtbot, size):
    sized(bench, qtbot, size)
    sweep, host = opened(bench, "sweep"), bench.desk.panes
    QTest.mouseClick(host.tear if size == NARROW else sweep.tear, LEFT)
    assert sweep.isFloating()
    assert sweep.isVisible()
    assert bench.pictures.isVisible()
    assert tabs(bench) == []
    assert sweep.titleBarWidget().isVisible()
    assert sweep.tear.text() == "Put back"
    sweep.setGeometry(QRect(60, 70, 900, 500))
    sweep.close()
    assert opened(bench, "sweep").isFloating()
    assert sweep.geometry() == QRect(60, 70, 900, 500)
    kept = json.loads(bench.settings.text("panes", "{}"))
    kept["sweep"]["at"] = [90_000, 70, 900, 500]
    sweep.close()
    bench.settings.set_text("panes", json.dumps(kept))
    opened(bench, "sweep")
    screen = bench.window_.screen().availableGeometry()
    assert screen.contains(sweep.geometry()), "its screen is gone"
    QTest.mouseClick(sweep.tear, LEFT)
    assert not sweep.isFloating()
    assert sweep.isVisible()
    assert bool(tabs(bench)) is (size == NARROW)
    sweep.close()
    assert not opened(bench, "sweep").isFloating()
    sweep.close()


def test_that_a_hand_that_drags_a_pane_out_or_in_has_the_pictures_make_room(bench, qtbot):
    sized(bench, qtbot, NARROW)
    opened(bench, "compare")
    sweep = opened(bench, "sweep")
    sweep.setFloating(True)  # as Qt does once it is dragged off
    assert bench.pictures.isVisible()
    assert tabs(bench) == [PICTURES, "Compare – Decision"]
    sweep.setFloating(False)
    assert sweep.isVisible()
    assert not bench.pictures.isVisible()
    assert tabs(bench) == [PICTURES, "Compare – Decision", "Sweep – Decision"]
    close_all(bench)


@pytest.mark.parametrize("kept", ["nonsense", "[]", '{"sweep": 3}', '{"sweep": {"torn": 1, "side": [], "size": "x"}}',
                                  '{"sweep": {"torn": true, "at": [1, 2]}}', '{"sweep": {"size": [0, -5]}}'])
def test_that_what_is_remembered_of_a_place_is_never_a_reason_to_fail(bench, qtbot, kept):
    bench.settings.set_text("panes", kept)
    sweep = opened(bench, "sweep")
    assert sweep.isVisible()
    sweep.close()


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_that_a_pane_has_the_keyboard_f6_reaches_it_and_escape_closes_it_alone(bench, qtbot, size):
    sized(bench, qtbot, size)
    answered(qtbot, bench)
    for key in OPENS:
        pane = opened(bench, key)
        assert pane.isAncestorOf(bench.window_.focusWidget()), key
        bench.headline.setFocus()
        reached = set()
        for _ in range(16):
            QTest.keyClick(bench.window_.focusWidget(), Qt.Key.Key_F6)
            reached.add(pane.isAncestorOf(bench.window_.focusWidget()))
        assert reached == {True, False}, key
        pane.setFocus()
        QTest.keyClick(bench.window_.focusWidget(), Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda key=key: not (made := bench.tools.made(key)) or not made.isVisible())
        assert bench.pictures.isAncestorOf(bench.window_.focusWidget()), "the pictures have the keyboard again"
    bench.appearance.set_presentation(True)
    pane, reached = opened(bench, "sweep"), set()
    for _ in range(16):
        QTest.keyClick(bench.window_.focusWidget(), Qt.Key.Key_F6)
        reached |= {pane.isAncestorOf(bench.window_.focusWidget()), bench.window_.focusWidget()}
    assert reached >= {True, False, bench.desk.panes.tabs}, "whose arrows lead to the pictures"
    pane.setFocus()
    QTest.keyClick(bench.window_.focusWidget(), Qt.Key.Key_Escape)
    assert not pane.isVisible()
    assert bench.appearance.presentation, "Escape closed the pane, and no more"
    bench.appearance.set_presentation(False)


def test_that_a_pane_opened_over_help_is_seen(bench, qtbot):
    sized(bench, qtbot, (960, 720))
    bench.menus.actions["Help on this study"].setChecked(True)
    qtbot.waitUntil(lambda: not bench.pictures.isVisible())
    sweep = opened(bench, "sweep")
    assert sweep.isVisible()
    sweep.close()


def test_that_a_closed_pane_gives_back_its_picture_and_opening_and_closing_fast_leaves_nothing(bench, qtbot):
    sweep = opened(bench, "sweep")
    type_entry(bench, "epsilon", "0.2")
    QTest.mouseClick(sweep.start, LEFT)
    qtbot.waitUntil(lambda: sweep.view is not None)
    view = sweep.view
    sweep.close()
    assert (sweep.made, sweep.view) == (None, None)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(view)
    for _ in range(5):
        for key in OPENS:
            opened(bench, key)
        close_all(bench)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [pane.key for pane in bench.window_.findChildren(Pane)] == ["sweep", "history"]
    assert bench.pictures.isVisible()


def test_that_in_large_type_a_sweep_is_the_form_or_the_picture_and_both_can_be_read(bench, qtbot):
    sized(bench, qtbot, NARROW)
    bench.appearance.set_presentation(True)
    sweep = opened(bench, "sweep")
    assert sweep.form.isVisible()
    assert not sweep.change.isVisible()
    QTest.mouseClick(sweep.start, LEFT)
    qtbot.waitUntil(lambda: sweep.view is not None and not sweep.worker.busy)
    qtbot.waitUntil(lambda: sweep.view.isVisible() and sweep.view.height() >= 200)
    assert not sweep.form.isVisible()
    QTest.mouseClick(sweep.change, LEFT)
    assert sweep.form.isVisible()
    assert not sweep.view.isVisible()
    QTest.mouseClick(sweep.change, LEFT)
    assert sweep.view.isVisible()
    sweep.close()
    bench.appearance.set_presentation(False)


def test_that_what_is_asked_for_of_the_pictures_comes_before_a_pane_which_stays_open(bench, qtbot):
    sized(bench, qtbot, NARROW)
    for act, seen in ((bench.step_beside, lambda: bench.pictures.beside),
                      (bench.take_chips, lambda: bench.pictures.chips), (bench.show_facts, lambda: bench.facts)):
        sweep = opened(bench, "sweep")
        assert not seen().isVisible()
        act()
        assert seen().isVisible()
        assert not sweep.isVisible()
        assert tabs(bench) == [PICTURES, "Sweep – Decision"]
    sweep.close()


@pytest.mark.parametrize("key", list(OPENS))
def test_that_a_pane_that_is_opened_as_soon_as_it_was_closed_is_there(bench, key):
    """What was clicked while it closed comes before Qt deletes it."""
    opened(bench, key).close()
    again = opened(bench, key)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert shiboken6.isValid(again)
    assert again.isVisible()
    assert bench.desk.panes.opened == [key]
    assert bench.tools.made(key) is again
    again.close()
