"""Scenarios and the tour in the window: opened in one step, read, dismissed, and shown again when asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from window_kit import LEFT, answered, closed, opened, value

from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.documents.session import Session
from dpstudio.gui.practice.tour import GAP, beside
from dpstudio.gui.shell import app
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.workbench import Workbench


def escape(widget):
    QTest.keyClick(widget, Qt.Key.Key_Escape)


# Scenarios


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
    bench.menus.actions["About this scenario"].trigger()
    assert card.isVisible()
    assert bench.document.study_class.key == "decision"
    assert value(bench, "epsilon") == 0.2, "it is read again, not opened again"


def test_that_the_menu_offers_them_all(bench):
    menu = QMenu()
    bench.practice.list_in(menu)
    assert [action.text() for action in menu.actions()] == [one.title for one in SCENARIOS.values()]
    menu.actions()[2].trigger()
    assert bench.document.study_class.key == "response"


# The tour


@pytest.fixture
def tour(bench, qtbot):
    answered(qtbot, bench)
    bench.menus.actions["Tour"].trigger()
    return bench.practice.tour


def test_that_the_tour_follows_what_is_done(bench, tour, qtbot):
    bench.document.show(Session.having, hidden=frozenset({"laplace"}))
    assert tour.at == 0
    bench.document.edit("epsilon", 0.3, False)
    assert tour.at == 0, "the hand still holds it"
    bench.document.edit("epsilon", 0.3)
    assert tour.at == 1
    bench.document.edit("epsilon", 0.4)
    bench.menus.actions["Export picture…"].trigger()
    QApplication.activeModalWidget().reject()
    assert tour.at == 1
    bench.desk.pin()
    assert tour.at == 2
    bench.menus.actions["Export picture…"].trigger()
    assert bench.practice.tour is None
    QApplication.activeModalWidget().reject()


def test_that_its_buttons_lead_on_and_back_and_end_it_as_escape_does(bench, tour):
    assert bench.window_.focusWidget() is tour.card.next
    QTest.keyClick(tour.card.next, Qt.Key.Key_Space)
    assert tour.at == 1
    QTest.mouseClick(tour.card.back, LEFT)
    assert tour.at == 0
    for _ in tour.steps:
        QTest.mouseClick(tour.card.next, LEFT)
    assert bench.practice.tour is None
    bench.menus.actions["Tour"].trigger()
    bench.facts.setFocus()
    escape(bench.facts)
    assert bench.practice.tour is None, "wherever the keyboard is"
    bench.menus.actions["Tour"].trigger()
    QTest.mouseClick(bench.practice.tour.card.leave, LEFT)
    assert bench.practice.tour is None


def test_that_the_keyboard_is_given_back_also_where_what_had_it_is_gone(bench, qtbot):
    answered(qtbot, bench)
    for at_work in (False, True):
        if at_work:
            bench.facts.setFocus()
        bench.menus.actions["Tour"].trigger()
        bench.practice.tour.end()
        assert bench.window_.focusWidget() is (bench.facts if at_work else bench.pictures.picture().canvas)
    bench.pictures.picture().canvas.setFocus()
    bench.menus.actions["Tour"].trigger()
    bench.desk.open_study("noise")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    bench.practice.tour.card.next.setFocus()
    bench.practice.tour.end()
    assert bench.window_.focusWidget() is bench.pictures.picture().canvas


def test_that_every_step_points_at_what_is_there_covers_none_of_it_and_follows_window_and_theme(bench, tour, qtbot):
    for size in ((1280, 720), (1000, 640), (1920, 1080)):
        bench.window_.resize(*size)
        bench.menus.actions["Presentation mode"].setChecked(size[0] == 1920)
        for at, step in enumerate(tour.steps):
            tour.turn(at)
            assert tour.outline.geometry() == bench.window_.rect()
            rects = tour.outline.rects
            assert rects, step.title
            assert all(bench.window_.rect().contains(each) for each in (*rects, tour.card.geometry()))
            if size != (1000, 640):
                assert not any(tour.card.geometry().intersects(each) for each in rects)
            assert tour.card.accessibleName() == f"Tour, step {at + 1} of 3: {step.title}"
    tour.turn(1)
    before = tour.outline.rects
    bench.window_.resize(1500, 900)
    qtbot.waitUntil(lambda: tour.outline.rects != before)
    bench.appearance.choose("dark")
    assert bench.appearance.theme.raised in tour.card.styleSheet()


def test_that_it_is_never_laid_over_a_dialog(bench, qtbot):
    dialog = QDialog(bench.window_)
    dialog.open()
    bench.practice.show_tour()
    assert bench.practice.tour is None
    dialog.reject()
    bench.practice.show_tour()
    assert bench.practice.tour is not None


def test_that_a_first_start_has_the_tour_and_no_later_one(qtbot, monkeypatch):
    monkeypatch.setattr(app.QApplication, "platformName", staticmethod(lambda: "xcb"))
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    qtbot.waitUntil(lambda: bool(bench.tools.made("practice") and bench.practice.tour))
    assert not Settings().first_start, "not even after a crash"
    Settings().set_text("toured", "")
    closed(window)
    assert not Settings().first_start
    asked = []
    monkeypatch.setattr(app, "_greet", asked.append)
    closed(opened(qtbot))
    assert not asked


def test_that_nobody_is_greeted_where_nobody_looks(qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(app, "_greet", asked.append)
    assert Settings().first_start
    closed(opened(qtbot))
    assert not asked


@given(st.lists(st.tuples(*[st.integers(0, 900)] * 2, *[st.integers(5, 300)] * 2), max_size=4), st.integers(60, 300))
def test_that_the_card_stands_within_the_window(rects, height):
    room, card = QRect(0, 0, 1000, 800), QRect(0, 0, 340, height)
    found = [QRect(*each) & room for each in rects]
    card.moveTo(beside(found, QRect(card), room))
    assert room.adjusted(GAP, GAP, -GAP, -GAP).contains(card) or not found
    if len(found) == 1 and found[0].width() < 200 and found[0].height() < 100:
        assert not card.intersects(found[0])


def test_that_a_card_stands_beside_a_column_and_below_a_word():
    room, card = QRect(0, 0, 1000, 800), QRect(0, 0, 300, 120)
    assert beside([QRect(700, 100, 250, 300)], card, room) == QPoint(700 - GAP - 300, 399 - 120)
    assert beside([QRect(10, 0, 40, 20)], card, room) == QPoint(GAP, 19 + GAP)
