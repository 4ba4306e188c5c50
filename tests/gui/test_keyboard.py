"""The window by keyboard alone: after Enter every key is a command, and few stops lie before the first parameter."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import answered, type_entry, value

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


def test_that_after_enter_ctrl_z_undoes_the_parameter(active):
    entry = active.side.parameters.control("minimum").entry
    entry.setFocus()
    entry.selectAll()
    for key in (KEY.Key_5, KEY.Key_0, KEY.Key_0, KEY.Key_Return):
        press(active, key)
    assert value(active, "minimum") == 500
    press(active, KEY.Key_Z, CTRL)
    assert value(active, "minimum") == 1000


def test_that_after_enter_a_letter_is_a_command(active):
    type_entry(active, "minimum", "500")
    assert focused(active) is active.pictures.view("acceptance").canvas
    press(active, KEY.Key_P)
    assert active.pinned is not None
    assert active.side.parameters.control("minimum").entry.text() == "500"


@pytest.mark.parametrize("name", ["Export picture…", "Export data…", "Reset all", "Facts", "Values as table"])
def test_that_commands_win_over_an_entry_that_has_the_keyboard(active, name):
    action, met = active.menus.actions[name], []
    action.triggered.disconnect()
    action.triggered.connect(lambda: met.append(name))
    entry = active.side.parameters.control("epsilon").entry
    entry.setFocus()
    key = action.shortcut()[0]
    press(active, key.key(), key.keyboardModifiers())
    assert met == [name]
    assert entry.text() == "0.1"


def test_that_ctrl_z_in_an_entry_undoes_typing_while_there_is_some_and_else_the_parameter(active):
    active.edit("epsilon", 0.5)
    entry = active.side.parameters.control("epsilon").entry
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


def test_that_escape_in_an_entry_restores_it_and_only_then_brings_the_pictures_back(active):
    active.pictures.view("acceptance").enlarge_requested.emit()
    entry = active.side.parameters.control("epsilon").entry
    entry.setFocus()
    entry.selectAll()
    press(active, KEY.Key_7)
    press(active, KEY.Key_Escape)
    assert entry.text() == "0.1"
    assert not active.facts.isVisible()
    press(active, KEY.Key_Escape)
    assert active.facts.isVisible()


def test_that_copying_and_pasting_stay_with_the_entry(active, qtbot):
    QApplication.clipboard().setText("0.25")
    entry = active.side.parameters.control("epsilon").entry
    entry.setFocus()
    press(active, KEY.Key_A, CTRL)
    press(active, KEY.Key_V, CTRL)
    press(active, KEY.Key_Return)
    assert value(active, "epsilon") == 0.25
    answered(qtbot, active)
