"""The pane of deployments: ordered, filtered, copied and read, for whatever study is in view."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_kit import LEFT, answered

from dpstudio.core.deployments import deployments
from dpstudio.documents.deployments import COLUMNS, EPSILON, HERE, NAME, UNIT, YEAR
from dpstudio.gui.deployments.pane import NONE, DeploymentsPane
from dpstudio.gui.shell.theme import DARK
from dpstudio.studies import all_studies


@pytest.fixture
def pane(bench, qtbot) -> DeploymentsPane:
    bench.desk.open_study("noise")
    answered(qtbot, bench)
    bench.menus.actions["List of deployments…"].trigger()
    made = bench.tools.made("deployments")
    assert made.isVisible()
    yield made
    made.close()


def column(pane, number: int) -> list[str]:
    return [pane.shown.index(row, number).data() for row in range(pane.shown.rowCount())]


def head(pane, number: int) -> None:
    """Click on the title of a column."""
    heads = pane.table.horizontalHeader()
    at = heads.viewport().rect().center()
    at.setX(heads.sectionViewportPosition(number) + heads.sectionSize(number) // 2)
    QTest.mouseClick(heads.viewport(), LEFT, pos=at)


def test_that_it_lists_every_deployment_the_smallest_epsilon_first(pane):
    assert column(pane, NAME) == [one.title for one in deployments()]
    assert pane.windowTitle() == "Deployments – Noise"
    assert str(len(deployments())) in pane.origin.text()
    assert pane.table.accessibleName()
    assert pane.details.accessibleName()
    assert [pane.shown.headerData(i, Qt.Orientation.Horizontal) for i in range(len(COLUMNS))] == list(COLUMNS)


def test_that_a_click_on_a_title_orders_by_numbers_as_numbers(pane):
    head(pane, EPSILON)
    backwards = column(pane, EPSILON)
    assert backwards.index("34.9") < backwards.index("9.98") < backwards.index("0.66")
    head(pane, EPSILON)
    forwards = column(pane, EPSILON)
    assert forwards.index("0.66") < forwards.index("9.98") < forwards.index("34.9") < forwards.index("ρ = 2.515")
    pane.table.sortByColumn(HERE, Qt.SortOrder.AscendingOrder)
    assert [text.startswith("Yes") for text in column(pane, HERE)][:3] == [True, True, False]


def test_that_the_menu_of_the_table_orders_without_a_mouse(pane):
    by_year, = (each for each in pane.table.actions() if each.text() == "Order by “Year”")
    for backwards in (False, True):
        by_year.trigger()
        years = column(pane, YEAR)
        assert years == sorted(years, reverse=backwards)


def test_that_typed_words_leave_the_rows_that_have_them_all(pane):
    QTest.keyClicks(pane.filter, "google local")
    assert column(pane, NAME) == []
    assert pane.details.toPlainText() == NONE
    pane.filter.setText("apple LOCAL")
    assert len(column(pane, NAME)) == 6
    assert pane.chosen is not None, "one of those that are left"
    assert pane.chosen.one.title == column(pane, NAME)[0]
    QTest.keyClick(pane.filter, Qt.Key.Key_Escape)
    assert pane.filter.text() == ""
    assert len(column(pane, NAME)) == len(deployments())
    assert pane.isVisible(), "Escape empties the filter first"


def test_that_all_is_said_of_the_chosen_one(pane):
    pane.filter.setText("Births")
    said = pane.details.toPlainText()
    for words in ("ε = 9.98, without δ", "one birth: mother and child", "Yes: on “Noise needed”", "Hod", "One release",
                  "https://birth.dataset.pub"):
        assert words in said
    pane.filter.setText("Uber")
    assert "Its δ is a formula: n^(-ε ln(n))." in pane.details.toPlainText()


def test_that_it_follows_the_study_in_view(pane, bench, qtbot):
    pane.filter.setText("emoji")
    assert "one report of a device" in column(pane, UNIT)[0]
    assert column(pane, HERE)[0].startswith("Its unit of privacy is")
    bench.document.turn(all_studies()["response"])
    qtbot.waitUntil(lambda: column(pane, HERE)[0].startswith("Yes: on"))
    assert pane.windowTitle() == "Deployments – Response"
    assert pane.filter.text() == "emoji", "what was looked for stays"
    bench.document.turn(all_studies()["audit"])
    qtbot.waitUntil(lambda: column(pane, HERE)[0].startswith("Its unit"))
    bench.document.set("mechanism", "response")
    qtbot.waitUntil(lambda: column(pane, HERE)[0].startswith("Yes: on"))


def test_that_all_that_are_shown_are_copied_or_the_selected_rows(pane):
    pane.filter.setText("apple local")
    copy_all, = (each for each in pane.findChildren(QPushButton) if each.text() == "Copy all")
    QTest.mouseClick(copy_all, LEFT)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert len(lines) == 1 + 6
    assert lines[0].startswith("Deployment\tYear\tε")
    pane.table.selectRow(1)
    action, = (each for each in pane.table.actions() if each.text() == "Copy")
    action.trigger()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert len(lines) == 2
    assert lines[1].startswith(column(pane, NAME)[1])


def test_that_a_screen_reader_hears_the_row_with_each_cell(pane):
    pane.filter.setText("Births")
    index = pane.shown.index(0, EPSILON)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == (
        "Israel's National Registry of Live Births of 2014: ε 9.98")


def test_that_it_takes_on_the_theme(pane):
    before = pane.table.verticalHeader().defaultSectionSize()
    pane.set_theme(replace(DARK, scale=1.5))
    assert pane.table.verticalHeader().defaultSectionSize() > before
    assert pane.table.font().pixelSize() > 13
