"""The window by keyboard alone: after Enter every key is a command, and few stops lie before the first parameter."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import answered, value

from dpstudio.gui.controls.text_box import NoteEditor
from dpstudio.studies import doors

ROOT = Path(__file__).resolve().parents[2]
KEY, CTRL = Qt.Key, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def active(bench, qtbot):
    """The workbench of a window that has the keyboard."""
    bench.window_.activateWindow()
    qtbot.waitUntil(bench.window_.isActiveWindow)
    return bench


def focused(bench):
    return bench.window_.focusWidget()


def press(bench, key, modifier=Qt.KeyboardModifier.NoModifier):
    """A key as the window gets it from the desktop: shortcuts are tried before the widget with the keyboard."""
    QTest.keyClick(bench.window_.windowHandle(), key, modifier)


def test_that_after_enter_keys_are_commands_and_a_letter_beside_an_entry_is_none(active):
    entry = active.page.parameters.control("minimum").entry
    entry.setFocus()
    entry.selectAll()
    for key in (KEY.Key_5, KEY.Key_0, KEY.Key_0, KEY.Key_Return):
        press(active, key)
    assert value(active, "minimum") == 500
    assert focused(active) is active.pictures.large.canvas
    press(active, KEY.Key_P)
    assert active.document.state.pins
    assert entry.text() == "500"
    for _ in ("pin", "value"):
        press(active, KEY.Key_Z, CTRL)
    assert value(active, "minimum") == 1000
    control = active.page.parameters.control("minimum")
    active.show_everything()
    chip = active.pictures.chips.choices[0]
    for part in (control.slider, chip, active.page.bar.question, active.facts.filter,
                 active.page.parameters.control("prior").editor()):
        part.setFocus()
        for key in (KEY.Key_P, KEY.Key_F, KEY.Key_N):
            press(active, key)
        assert not active.document.state.pins
        assert not active.findChildren(NoteEditor)
    active.pictures.large.canvas.setFocus()
    press(active, KEY.Key_P)
    assert active.document.state.pins


def test_that_return_presses_the_button_that_has_the_keyboard(active, qtbot):
    page, pictures = active.page, active.pictures
    answered(qtbot, active)
    button = pictures.large.header.enlarge
    for facts_seen in (False, True):
        button.setFocus()
        press(active, KEY.Key_Return)
        assert active.facts.isVisible() is facts_seen
    page.bar.code.setFocus()
    press(active, KEY.Key_Return)
    code = active.desk.tools.get("handover")
    assert code.isVisible()
    with patch.object(active.desk.files, "ask_where", return_value=None) as asked:
        code.save_button.setFocus()
        press(active, KEY.Key_Return)
    assert asked.called


def test_that_every_key_that_is_written_about_is_one(active):
    """Of the commands, of the first page, or of the questions there."""
    texts = [path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"),
                                                  *(ROOT / "resources" / "help").glob("*.md"))]
    texts += [action.toolTip() for action in active.menus.actions.values()]
    named = {key for text in texts for key in re.findall(r"\b(?:(?:Ctrl|Alt|Shift)\+)+\w+|\bF\d+\b", text)}
    actions = [*active.menus.actions.values(), *active.window_.actions(), *active.pages.start.actions()]
    there = {key.toString() for action in actions for key in action.shortcuts()}
    assert {"Alt+W", "Ctrl+Shift+K", "Ctrl+Shift+R", "F8"} <= named
    assert named - there == set()
    assert f"Alt+{len(doors())}" in there & named


def test_that_commands_win_over_an_entry_that_has_the_keyboard(active):
    met, names = [], ["Export picture…", "Export numbers…", "Reset all", "Find a fact", "Numbers of this picture"]
    for name in names:
        action = active.menus.actions[name]
        action.triggered.disconnect()
        action.triggered.connect(lambda *_, name=name: met.append(name))
        entry = active.page.parameters.control("epsilon").entry
        entry.setFocus()
        key = action.shortcut()[0]
        press(active, key.key(), key.keyboardModifiers())
        assert entry.text() == "0.1", name
    assert met == names


def test_that_an_entry_undoes_restores_and_pastes_what_is_typed_before_keys_go_further(active, qtbot):
    active.document.edit("epsilon", 0.5)
    entry = active.page.parameters.control("epsilon").entry
    entry.setFocus()
    entry.selectAll()
    press(active, KEY.Key_7)
    assert entry.text() == "7"
    press(active, KEY.Key_Z, CTRL)
    assert entry.text() == "0.5"
    assert value(active, "epsilon") == 0.5
    press(active, KEY.Key_Escape)
    press(active, KEY.Key_Z, CTRL)
    assert value(active, "epsilon") == 0.1
    assert entry.text() == "0.1"
    active.pictures.large.enlarge_requested.emit()
    entry.setFocus()
    entry.selectAll()
    press(active, KEY.Key_7)
    press(active, KEY.Key_Escape)
    assert entry.text() == "0.1"
    assert not active.facts.isVisible()
    press(active, KEY.Key_Escape)
    assert active.facts.isVisible()
    QApplication.clipboard().setText("0.25")
    entry.setFocus()
    press(active, KEY.Key_A, CTRL)
    press(active, KEY.Key_V, CTRL)
    press(active, KEY.Key_Return)
    assert value(active, "epsilon") == 0.25
    answered(qtbot, active)


def met_by_tab(bench, key=KEY.Key_Tab, most=200):
    """Everything that the key stops at, once around."""
    bench.page.bar.question.setFocus()
    met = [focused(bench)]
    while len(met) < most:
        press(bench, key)
        if focused(bench) is met[0]:
            return met
        met.append(focused(bench))
    pytest.fail("Tab never comes back")


def test_that_tab_walks_through_the_parts_of_the_window_in_order_and_back_and_brings_what_it_reaches_into_view(active):
    first_entry = active.page.parameters.control(active.document.study_class.level_one.parameters[0]).editor()
    met = met_by_tab(active)
    assert len(met) == len(set(met))
    active.document.edit("epsilon", 0.5)  # with something to reset
    met = met_by_tab(active)

    def first(part):
        return next(i for i, each in enumerate(met) if part is each or part.isAncestorOf(each))

    parts = [active.page.bar.question, active.page.bar.report, active.pictures.chips, first_entry,
             active.page.parameters.fold, active.facts, active.pictures.beside.header.titles]
    assert [first(part) for part in parts] == sorted(first(part) for part in parts)
    assert all(each.accessibleName() or each.text() for each in met)
    assert met_by_tab(active, KEY.Key_Backtab) == [met[0], *reversed(met[1:])]
    active.menus.actions["Everything"].trigger()
    for section in active.page.parameters.sections:
        section.set_open(True)
    QApplication.processEvents()
    for stop in met_by_tab(active):
        if active.page.parameters._scroll.isAncestorOf(stop):
            stop.setFocus()
            break
    heights = []
    for _ in range(200):
        press(active, KEY.Key_Tab)
        if not active.page.parameters._scroll.isAncestorOf(focused(active)):
            break
        assert not focused(active).visibleRegion().isEmpty(), focused(active).accessibleName()
        heights.append(focused(active).mapTo(active.page.parameters._scroll.widget(), QPoint(0, 0)).y())
    assert len(heights) > 20
    assert all(low <= high + 10 for low, high in itertools.pairwise(heights)), "from above to below"
    active.page.parameters._scroll.verticalScrollBar().setValue(0)
    active.page.parameters.fold.setFocus()
    press(active, KEY.Key_Backtab)
    assert active.page.parameters._scroll.isAncestorOf(focused(active)), "from outside"
    assert not focused(active).visibleRegion().isEmpty()


def test_that_tab_follows_the_study_to_its_new_controls(active, qtbot):
    active.desk.open_study("noise")
    answered(qtbot, active)
    met = met_by_tab(active)
    entries = [active.page.parameters.control(name).entry for name in ("epsilon", "delta", "sensitivity")]
    at = [met.index(entry) for entry in entries]
    assert at == sorted(at)


def test_that_typing_on_the_facts_filters_them_enter_keeps_that_and_escape_ends_it_first(active, qtbot):
    answered(qtbot, active)
    facts = active.facts
    active.menus.actions["Find a fact"].trigger()
    every = len(facts.facts.entries)
    facts.setFocus()
    for key in (KEY.Key_A, KEY.Key_C, KEY.Key_C, KEY.Key_E, KEY.Key_P):
        press(active, key)
    assert focused(active) is facts.filter
    assert facts.filter.text() == "accep"
    assert not active.document.state.pins  # in the field a letter is a letter
    assert 0 < len(facts.facts.quantities) < every
    assert all("accep" in f"{each.label} {each.symbol} {each.key}" for each in facts.facts.quantities)
    press(active, KEY.Key_Return)
    assert focused(active) is facts
    press(active, KEY.Key_Q)
    press(active, KEY.Key_Q)
    assert facts.filter.text() == "qq"  # begun anew
    assert not facts.facts.entries
    active.document.edit("epsilon", 0.2)
    answered(qtbot, active)  # and nothing is amiss where no fact is shown
    press(active, KEY.Key_Escape)
    assert focused(active) is facts
    assert facts.filter.text() == ""
    # Not the count of before: some that stand as “…” at first turn out not to apply.
    qtbot.waitUntil(lambda: set(facts.facts.quantities)
                    == {fact.quantity for fact in active.answers.latest[0].facts})
    active.menus.actions["Presentation mode"].setChecked(True)
    active.page.show_panel("facts")
    facts.filter.setFocus()
    press(active, KEY.Key_S)
    press(active, KEY.Key_Escape)
    assert facts.filter.text() == ""
    assert active.appearance.presentation
    press(active, KEY.Key_Escape)
    assert not active.appearance.presentation
