"""A number that is longer than its entry is shown by its leading digits, whole on focus and in the tooltip."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QStyle

from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.kinds import make_control
from dpstudio.gui.shell import theme
from dpstudio.text.entry import read_number, shortened, write_number
from dpstudio.vocabulary import PROBABILITY, REAL


@pytest.fixture(params=[1.0, theme.PRESENTATION])
def entry(qtbot, qapp, request):
    look = theme.resolve("light", presentation=request.param > 1)
    theme.apply(qapp, look)
    control = make_control(Parameter("sample", PROBABILITY, REAL, 0.5), look)
    qtbot.addWidget(control)
    control.resize(look.px(300), 80)
    with qtbot.waitExposed(control):
        control.show()
    control.reset_button.setFocus()
    yield control.entry
    theme.apply(qapp, theme.LIGHT)


@pytest.mark.parametrize("number", [0.1159202107, 0.30000000000000004, 1.2345678901234e-12, 9223372036854775807,
                                    -123456789012.25, 1e12, 0.1, 1000, 1.7976931348623157e308])
def test_that_what_does_not_fit_is_rounded_inside_its_entry(entry, number):
    entry.show_number(number)
    assert entry.text() == write_number(number)
    shown = entry.shown()
    assert entry.fontMetrics().horizontalAdvance(shown) <= entry.width() - 12
    assert "…" not in shown, "it would say that it is computed"
    assert read_number(shown) == pytest.approx(number, rel=1e-4)
    if shown != entry.text():
        assert entry.toolTip() == entry.text()


def test_that_the_digits_that_have_no_room_are_not_painted(entry):
    entry.show_number(0.11592021071234)
    cut = entry.grab().toImage()
    entry.show_number(0.11592021071298)  # differs only where nothing is seen
    assert entry.grab().toImage() == cut
    entry.show_number(0.21592021071234)
    assert entry.grab().toImage() != cut


def test_that_an_entry_with_the_keyboard_has_all_digits(entry, qtbot):
    entry.show_number(0.11592021071234)
    assert entry.shown() != entry.text()
    entry.window().activateWindow()
    entry.setFocus()
    qtbot.waitUntil(entry.hasFocus)
    assert entry.shown() == entry.text() == "0.11592021071234"


def test_that_a_short_number_has_no_tooltip_of_its_own(entry):
    entry.show_number(0.11592021071234)
    assert entry.toolTip()
    entry.show_number(0.5)
    assert entry.shown() == "0.5"
    assert not entry.toolTip()


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**63), 2**63), st.integers(8, 30))
@example(144_115_188_075_855_864, 22)
@example(-2.1289869468461775e-277, 8)
def test_that_a_number_is_rounded_to_as_many_digits_as_fit(number, room):
    text = shortened(number, lambda text: len(text) <= room)
    whole = write_number(number)
    if text == whole:
        return
    assert len(whole) > room
    read, digits = read_number(text), sum(map(str.isdigit, text.partition("e")[0].replace(".", "").lstrip("−0")))
    assert read is not None
    unit = 10.0 ** (math.floor(math.log10(abs(number))) + 1 - max(digits, 1))
    assert abs(read - number) <= unit * (0.5 + 1e-9) + math.ulp(read)


@pytest.mark.parametrize(("number", "room", "text"), [
    (0.015648092, 9, "0.0156481"), (0.015648092, 8, "0.015648"), (123456789012.25, 8, "1.235e11"), (1e12, 8, "1e12"),
    (-1.7976931348623157e308, 9, "−1.8e308"), (0.99999, 5, "1"),
    (math.inf, 0, "∞")])
def test_that_no_digit_is_lost_that_has_room(number, room, text):
    assert shortened(number, lambda text: len(text) <= room) == text


def test_that_every_drop_down_shows_all_its_items(qtbot, qapp):
    theme.apply(qapp, theme.LIGHT)
    box = QComboBox()
    qtbot.addWidget(box)
    box.addItems([f"Picture {i}" for i in range(13)])
    with qtbot.waitExposed(box):
        box.show()
    box.showPopup()
    qtbot.waitUntil(box.view().isVisible)
    last = box.view().visualRect(box.model().index(12, 0))
    assert box.view().verticalScrollBar().maximum() == 0
    assert box.view().viewport().rect().contains(last)
    box.hidePopup()


def test_that_buttons_of_dialogs_have_no_icons(qtbot, qapp):
    theme.apply(qapp, theme.LIGHT)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel | QDialogButtonBox.StandardButton.Close)
    qtbot.addWidget(buttons)
    buttons.show()
    assert not buttons.style().styleHint(QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons, None, buttons)
    assert all(button.icon().isNull() for button in buttons.buttons())
    assert buttons.orientation() is Qt.Orientation.Horizontal
