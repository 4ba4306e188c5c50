"""Whoever hears the window instead of seeing it, or has no mouse, meets everything by a name and reaches it."""

from __future__ import annotations

import re

import pytest
from accessible_kit import WORD, faults, nodes
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QMenu, QWidget
from test_data_dialog import reading
from window_kit import answered, begin_at, closed, opened, rested

from dpstudio.gui.shell.workbench import Workbench
from dpstudio.scene.described import described
from dpstudio.studies import all_studies
from dpstudio.vocabulary import Written

OF_THEIR_OWN = (Qt.ContextMenuPolicy.CustomContextMenu, Qt.ContextMenuPolicy.ActionsContextMenu)
NOT_TRIED = ("Quit", "Full screen")
"""Commands that end everything, or that the desktop carries out."""


@pytest.mark.parametrize("key", all_studies())
def test_that_every_study_is_read_whole(bench, qtbot, key):
    if bench.document.study_class.key != key:
        bench.desk.open_study(key)
    answered(qtbot, bench)
    assert not faults(bench.window_)
    bench.show_everything()
    for section in bench.page.parameters.sections:
        section.set_open(True)
    answered(qtbot, bench)
    assert not faults(bench.window_)


def others(window):
    """What has been opened over the window and is in view."""
    return [each for each in QApplication.topLevelWidgets() if each.isVisible() and each is not window]


@pytest.fixture
def no_file_is_named(monkeypatch):
    """The desktop's own dialogs are its own matter."""
    for asked in ("getOpenFileName", "getSaveFileName", "getExistingDirectory"):
        nothing = "" if asked == "getExistingDirectory" else ("", "")
        monkeypatch.setattr(QFileDialog, asked, lambda *_, nothing=nothing, **__: nothing)


@pytest.mark.usefixtures("no_file_is_named")
def test_that_whatever_a_command_opens_is_read_whole(bench, qtbot):
    answered(qtbot, bench)
    window, found, met = bench.window_, {}, set()
    studies = {title for title, action in bench.menus.actions.items() if action.data() in all_studies()}
    for name, action in bench.menus.actions.items():
        if name in NOT_TRIED or name in studies or not action.isEnabled():
            continue
        action.trigger()
        QApplication.processEvents()
        for each in (window, *others(window)):
            if wrong := faults(each):
                found[f"{name}: {each.windowTitle()}"] = wrong
        for each in others(window):
            met.add(name)
            each.close()
        if action.isCheckable() and action.actionGroup() is bench.menus.of_study:
            action.trigger()
    assert not found, "\n".join(f"{where}\n   " + "\n   ".join(wrong) for where, wrong in found.items())
    assert len(met) > 5, met


def choices(menu):
    """The entries of a menu, with those of the menus in it."""
    for action in menu.actions():
        if not action.isSeparator():
            yield action
            if action.menu():
                yield from choices(action.menu())


def test_that_every_menu_of_a_part_is_opened_by_the_menu_key_and_says_its_entries_in_words(bench, qtbot):
    answered(qtbot, bench)
    bench.desk.pin()
    met = set()
    for tool in ("", "compare", "deployments"):
        if tool:
            bench.desk.tools.open(tool)
        QApplication.processEvents()
        for widget in bench.window_.findChildren(QWidget):
            policy = widget.contextMenuPolicy()
            if not widget.isVisible() or policy not in OF_THEIR_OWN:
                continue
            assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus or widget.parent() in met, widget
            here = widget.rect().center()
            widget.setFocus()
            menu = None
            if policy == Qt.ContextMenuPolicy.CustomContextMenu:  # the others are asked by Qt, which waits for an end
                QApplication.sendEvent(getattr(widget, "viewport", lambda widget=widget: widget)(), QContextMenuEvent(
                    QContextMenuEvent.Reason.Keyboard, here, widget.mapToGlobal(here)))
                menu = QApplication.activePopupWidget()
                if menu is None:
                    continue  # of a table that has no entry for what is chosen there
            entries = [*choices(menu or widget)]
            assert entries, widget
            assert all(WORD.search(each.text()) for each in entries), [each.text() for each in entries]
            met.add(type(widget).__name__)
            if menu is not None:
                menu.close()
    assert met >= {"Canvas", "Chip", "FactsView"}, met


def test_that_the_commands_mark_no_letter_twice_in_a_menu_and_none_is_by_accident(bench, qtbot):
    bench.menus._recent.aboutToShow.emit()
    bench.page.bar.question.menu().aboutToShow.emit()
    bench.pictures.chips.more.menu().aboutToShow.emit()
    menus = [menu for menu in bench.window_.findChildren(QMenu) if menu.actions()]
    assert len(menus) > 8
    for menu in menus:
        marked = [found[1].lower() for each in menu.actions()
                  if (found := re.search(r"&([^&])", each.text().replace("&&", "")))]
        assert len(marked) == len(set(marked)), (menu.title(), marked)
    buttons = [each for each in bench.window_.findChildren(QAbstractButton) if not each.shortcut().isEmpty()]
    assert not buttons, [(each.text(), each.shortcut().toString()) for each in buttons]


def test_that_the_first_page_is_read_whole_at_every_door(qtbot):
    begin_at("start")
    window = opened(qtbot)
    start = window.findChild(Workbench).pages.start
    try:
        for number in range(len(start.doors)):
            start.list.setCurrentRow(number)
            qtbot.waitUntil(lambda: bool(start.card.headline.sentence and start.cases.buttons[:1]
                                         and start.cases.buttons[0].isVisible()))
            assert not faults(window)
    finally:
        closed(window)


def test_that_a_table_of_ones_own_is_asked_about_and_counted_in_words(bench, qtbot, tmp_path):
    answered(qtbot, bench)
    (tmp_path / "people.csv").write_text("age,sex\n" + "".join(f"{i},{'fm'[i % 2]}\n" for i in range(90)))
    dialog = reading(bench, qtbot, tmp_path / "people.csv")
    assert not faults(dialog)
    dialog.close()


def test_that_forms_of_lists_and_of_records_are_read_whole(bench, qtbot):
    met = set()
    for key, study in all_studies().items():
        if not any(isinstance(each.domain, Written) and each.domain.has_lines for each in study.parameters()):
            continue
        bench.desk.open_study(key)
        answered(qtbot, bench)
        for each in study.parameters():
            if isinstance(each.domain, Written) and each.domain.has_lines:
                form = bench.page.parameters.reveal(each.name).open_lines()
                assert not faults(form), each.name
                met.add(type(form).__name__)
                form.close()
    assert met == {"ListForm", "RecordsForm"}


def test_that_a_large_or_narrow_window_is_read_whole_panel_by_panel(bench, qtbot):
    answered(qtbot, bench)
    bench.menus.actions["Presentation mode"].setChecked(True)
    for panel in bench.page.bar.panel:
        bench.page.show_panel(panel)
        assert not faults(bench.window_), panel
    bench.menus.actions["Presentation mode"].setChecked(False)


def test_that_what_takes_a_picture_and_a_sentence_says_all_of_it(bench, qtbot):
    answered(qtbot, bench)
    rested(qtbot, bench)
    qtbot.waitUntil(lambda: bool(bench.page.headline.sentence))
    met = {(each.name, each.description) for each in nodes(bench.window_)}
    assert (bench.page.headline.sentence, "Headline") in met
    assert (bench.page.runner_up.text(), "Runner-up") in met
    canvas = bench.pictures.large.canvas
    words = described(canvas.figure, canvas.scene_)
    qtbot.waitUntil(lambda: words in canvas.described)
    said = next(each for each in nodes(bench.window_) if each.widget is canvas)
    assert said.name == "Probability of “yes”, plot"
    assert said.description == f"{canvas.figure.caption} {words}"
    assert "against true count N" in words
    assert "Shown: Laplace" in words
    assert "Lines at m = 1" in words


def test_that_what_is_told_of_a_slider_follows_its_value(bench, qtbot):
    answered(qtbot, bench)
    bench.document.edit("epsilon", 0.25)
    told = next(each for each in nodes(bench.window_) if each.widget is bench.page.parameters.control("epsilon").slider)
    assert told.name == "privacy loss ε"
    assert told.description == "0.25; to the left: more private, to the right: more useful"
    answered(qtbot, bench)


def plain(words):
    return re.sub("[\u200b\u2060]", "", words).replace("\u00a0", " ")


def test_that_the_sentences_to_take_away_are_told_where_the_keyboard_stops(bench, qtbot):
    answered(qtbot, bench)
    verdict = bench.page.sentences.verdict
    qtbot.waitUntil(lambda: any(each.text() for each in verdict.findChildren(QLabel)))
    told = next(each for each in nodes(bench.window_) if each.widget is verdict)
    shown = [each.text() for each in verdict.findChildren(QLabel) if each.isVisible()]
    assert told.focusable
    assert shown
    assert all(plain(words) in plain(told.description) for words in shown)
