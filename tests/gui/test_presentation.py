"""Presentation mode: large type, one picture at a time where there is no room for two, and Escape leaves it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import closed, in_view, opened, rested

from dpstudio.gui.controls.panel import GAP
from dpstudio.gui.facts.sentences import Headline
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.help.page import HelpColumn
from dpstudio.gui.page.bar import Bar
from dpstudio.gui.page.pictures import PANELS, Pictures
from dpstudio.gui.shell.notice import Notice
from dpstudio.gui.shell.status import Status
from dpstudio.gui.shell.theme import PRESENTATION
from dpstudio.gui.shell.workbench import Workbench


@pytest.fixture
def presented(bench):
    bench.menus.actions["Presentation mode"].trigger()
    QApplication.processEvents()
    return bench


def escape(bench):
    bench.window_.activateWindow()
    QTest.keyClick(bench.window_.windowHandle(), Qt.Key.Key_Escape)


def test_that_escape_brings_the_pictures_back_before_it_leaves_presentation_mode_and_the_widths_as_they_were(
        bench, qtbot):
    before = bench.page._row.sizes()
    bench.menus.actions["Presentation mode"].trigger()
    QApplication.processEvents()
    assert bench.appearance.theme.scale == PRESENTATION
    assert bench.page._row.sizes() != before
    bench.pictures.large.enlarge_requested.emit()
    escape(bench)
    assert not bench.pictures.is_enlarged()
    assert bench.appearance.presentation
    escape(bench)
    assert not bench.appearance.presentation
    qtbot.waitUntil(lambda: bench.appearance.theme.scale == 1)
    assert not bench.menus.actions["Presentation mode"].isChecked()
    assert not bench.menus.actions["Back to all pictures"].isEnabled()
    QApplication.processEvents()
    assert bench.page._row.sizes() == before


def test_that_the_bar_names_every_panel_f6_walks_through_them_and_they_go_with_large_type(presented):
    bar = presented.page.bar
    assert bar.panels.isVisible()
    assert not bar.wide.isVisible()
    assert all(button.accessibleName() for button in bar.panel.values())
    for panel in (*PANELS[1:], PANELS[0]):
        presented.menus.actions["Next pane"].trigger()
        assert in_view(presented) == {panel}
        assert bar.panel[panel].isChecked()
    presented.menus.actions["Find a fact"].trigger()
    assert in_view(presented) == {"facts"}
    presented.headline._set("Seven words that the last row reads.")
    assert presented.headline.font().pixelSize() >= 28
    top = presented.headline.mapTo(presented, QPoint(0, 0)).y()
    assert top + presented.headline.height() <= presented.pictures.mapTo(presented, QPoint(0, 0)).y()
    presented.menus.actions["Everything"].trigger()
    presented.menus.actions["Everything"].trigger()
    escape(presented)
    QApplication.processEvents()
    assert not bar.panels.isVisible()
    assert in_view(presented) == {*PANELS}


def test_that_the_sentences_are_as_large_as_all_else_and_as_small_again(bench, qtbot):
    rested(qtbot, bench)

    def sizes():
        return {label.font().pixelSize() for label in bench.page.sentences.verdict._labels}

    usual = sizes()
    assert len(usual) == 1
    for presentation, scale in ((True, PRESENTATION), (False, 1), (True, PRESENTATION)):
        bench.appearance.set_presentation(presentation)
        bench.page.show_panel("person")
        rested(qtbot, bench)
        QApplication.processEvents()
        assert sizes() == {round(scale * usual.copy().pop())}


def test_that_a_large_window_shows_all_panels_in_large_type(qtbot):
    window = opened(qtbot, (1920, 1080))
    bench = window.findChild(Workbench)
    bench.appearance.set_presentation(True)
    QApplication.processEvents()
    assert in_view(bench) == {*PANELS}
    assert not bench.page.bar.panels.isVisible()
    for view in bench.pictures.views:
        assert view.canvas.height() >= 150
    closed(window)


def test_that_every_part_is_dressed_once_while_the_window_is_filled(qtbot, monkeypatch):
    dressed = []

    def counted(part, name):
        dress = getattr(part, name)

        def dress_and_tell(self, *theme):
            dressed.append(part)
            dress(self, *theme)

        monkeypatch.setattr(part, name, dress_and_tell)

    parts = [Bar, FactsView, Headline, HelpColumn, Notice, Pictures, Status]
    for part in parts:
        counted(part, "set_theme")
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert HelpColumn not in dressed, "nobody looks at the help"
    bench.show_help(True)
    assert sorted(part.__name__ for part in dressed) == [part.__name__ for part in parts]
    bench.set_theme(bench.appearance.theme)
    assert len(dressed) == 2 * len(parts)
    closed(window)


def test_that_under_the_title_of_a_window_parameters_stand_closer_rather_than_scroll(presented, qtbot):
    panel, gaps = presented.page.parameters, []
    for high in (900, 720, 700, 680):
        presented.window_.resize(1280, high)
        qtbot.waitUntil(lambda high=high: presented.window_.height() == high)
        rested(qtbot, presented)
        qtbot.waitUntil(lambda: panel.area.verticalScrollBar().maximum() == 0)
        gaps.append(panel._rows.spacing())
    assert gaps[0] == presented.appearance.theme.px(GAP) > gaps[-1] >= 0
    assert gaps == sorted(gaps, reverse=True)
