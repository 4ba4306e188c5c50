"""Scenarios in the window: opened in one step, read, dismissed, and shown again when asked for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from window_kit import LEFT, answered, value

from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.documents.session import Session


def escape(widget):
    QTest.keyClick(widget, Qt.Key.Key_Escape)


def test_that_a_scenario_opens_in_one_step_that_undo_takes_back(bench, qtbot):
    bench.document.show(Session.having, note="mine")
    before, steps = bench.document.session, bench.document.steps
    bench.practice.open("dashboard")
    answered(qtbot, bench)
    assert bench.document.study_class.key == "budget"
    assert value(bench, "releases") == SCENARIOS["dashboard"].values["releases"]
    assert len(bench.document.state.pins) == 1
    assert bench.document.steps == steps + 1
    assert bench.document.undo_text == "Scenario “A dashboard that is asked every day”"
    assert bench.practice.card.isVisible()
    bench.document.undo()
    assert bench.document.session == before
    assert not bench.practice.card.isVisible(), "it is about another study"


def test_that_its_story_is_read_and_its_answer_only_when_asked_for(bench, qtbot):
    bench.practice.open("region")
    card, told = bench.practice.card, SCENARIOS["region"].told()
    assert told.story in card.accessibleDescription()
    assert card.question.text() == SCENARIOS["region"].question
    assert card.words.accessibleName() == told.story
    assert bench.window_.focusWidget() is card.look
    QTest.mouseClick(card.look, LEFT)
    assert card.words.accessibleName() == told.answer
    QTest.mouseClick(card.look, LEFT)
    assert card.words.accessibleName() == told.story
    bench.document.edit("epsilon", 0.2)
    assert card.words.accessibleName() == told.story, "it tells of its own settings"


def test_that_the_card_is_dismissed_and_comes_back(bench, qtbot):
    bench.practice.open("region")
    card = bench.practice.card
    bench.desk.open_study("noise")
    assert not card.isVisible()
    bench.desk.open_study("decision")
    assert card.isVisible()
    escape(card.look)
    assert not card.isVisible()
    bench.document.edit("epsilon", 0.2)
    assert not card.isVisible()
    bench.desk.open_study("noise")
    bench.menus.actions["About this case"].trigger()
    assert card.isVisible()
    assert bench.document.study_class.key == "decision"
    assert value(bench, "epsilon") == 0.2, "it is read again, not opened again"


def test_that_the_menu_offers_them_all(bench):
    menu = QMenu()
    bench.practice.list_in(menu)
    assert [action.text() for action in menu.actions()] == [one.title for one in SCENARIOS.values()]
    menu.actions()[2].trigger()
    assert bench.document.study_class.key == "response"
