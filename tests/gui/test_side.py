"""Parameters and verdict share their column: nothing is scrolled beside an empty half, and a hand has the last word."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from window_kit import answered, closed, drag_slider, opened, rested

from dpstudio.gui.facts.sentences import Paragraph
from dpstudio.gui.shell.foreign import breakable, together
from dpstudio.gui.shell.side import UNEVEN, fair, shared
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies import all_studies

heights = st.integers(1, 3000)


def test_that_both_are_seen_whole_where_there_is_room(qtbot):
    window = opened(qtbot, (1920, 1080))
    bench = window.findChild(Workbench)
    bench.desk.open_study("decision")
    answered(qtbot, bench)
    rested(qtbot, bench)
    assert sum(bench.side.needs()) <= sum(bench.side.splitter.sizes())
    assert not bench.side.parameters.area.verticalScrollBar().maximum()
    assert not bench.side.verdict.verticalScrollBar().maximum()
    closed(window)


def test_that_an_opened_section_gets_its_room_from_the_verdict(qtbot):
    window = opened(qtbot, (1920, 1080))
    bench = window.findChild(Workbench)
    rested(qtbot, bench)
    bench.answers.shown.disconnect()
    bench.answers.told.disconnect()
    before = bench.side.splitter.sizes()
    bench.side.parameters.sections[0].set_open(True)
    qtbot.waitUntil(lambda: bench.side.splitter.sizes()[0] > before[0])
    closed(window)


def test_that_what_a_hand_divided_stays_and_is_remembered_until_a_double_click(bench, qtbot):
    rested(qtbot, bench)
    handle = bench.side.splitter.handle(1)
    middle = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(handle, middle - QPoint(0, 120))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle - QPoint(0, 120))
    chosen = bench.side.splitter.sizes()
    assert bench.side.state()["sizes"] == chosen
    for key in ("noise", "audit"):
        bench.desk.open_study(key)
        answered(qtbot, bench)
        rested(qtbot, bench)
        assert bench.side.splitter.sizes() == chosen
    window = opened(qtbot)
    other = window.findChild(Workbench)
    other.side.restore(bench.side.state())
    rested(qtbot, other)
    assert abs(other.side.splitter.sizes()[0] - chosen[0]) <= 2
    closed(window)
    QTest.mouseDClick(handle, Qt.MouseButton.LeftButton, pos=handle.rect().center())
    qtbot.waitUntil(lambda: bench.side.splitter.sizes() != chosen)
    assert fair(bench.side.splitter.sizes(), bench.side.needs())
    assert bench.side.state()["sizes"] == []


def test_that_nothing_is_shared_anew_under_a_hand(bench, qtbot):
    bench.desk.open_study("audit")
    answered(qtbot, bench)
    rested(qtbot, bench)
    before = bench.side.splitter.sizes()
    slider = drag_slider(bench, "epsilon", 0.3, 0.9)
    bench.side.verdict._set(())
    assert not fair(before, bench.side.needs())
    qtbot.waitUntil(lambda: not bench.side._settling.isActive())
    assert bench.side.splitter.sizes() == before
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: fair(bench.side.splitter.sizes(), bench.side.needs()))


def test_that_other_sentences_get_their_room_and_a_hand_is_waited_for(bench, qtbot):
    bench.desk.open_study("audit")
    answered(qtbot, bench)
    rested(qtbot, bench)
    bench.answers.shown.disconnect()
    bench.answers.told.disconnect()
    side = bench.side
    side.verdict._set(())
    assert not fair(side.splitter.sizes(), side.needs())
    qtbot.waitUntil(lambda: fair(side.splitter.sizes(), side.needs()))
    before = side.splitter.sizes()
    side.set_interacting(True)
    side.verdict._set(("A long sentence that takes a number of lines. " * 9,))
    qtbot.waitUntil(lambda: not side._settling.isActive())
    assert side.splitter.sizes() == before
    side.parameters.sections[0].set_open(False)
    side.verdict._set(())
    side._share()
    qtbot.waitUntil(lambda: not side._settling.isActive())
    side.splitter.setSizes([before[0] - 60, before[1] + 60])
    assert not fair(side.splitter.sizes(), side.needs())
    side.set_interacting(False)
    qtbot.waitUntil(lambda: fair(side.splitter.sizes(), side.needs()))


def test_that_the_verdict_folds_by_keyboard_and_stays_folded(bench, qtbot):
    fold, verdict = bench.side.fold, bench.side.verdict
    assert verdict.isVisible()
    high = bench.side.splitter.sizes()[0]
    fold.setFocus()
    QTest.keyClick(fold, Qt.Key.Key_Space)
    assert not verdict.isVisible()
    assert fold.text().startswith("▸")
    assert fold.accessibleDescription() == "closed"
    qtbot.waitUntil(lambda: bench.side.splitter.sizes()[0] > high)
    assert bench.side.parameters.height() > high - 60
    window = opened(qtbot)
    other = window.findChild(Workbench)
    other.side.restore(bench.side.state())
    assert not other.side.verdict.isVisible()
    closed(window)
    QTest.keyClick(fold, Qt.Key.Key_Return)
    assert verdict.isVisible()
    rested(qtbot, bench)
    assert fair(bench.side.splitter.sizes(), bench.side.needs())


def test_that_how_the_column_stands_outlives_the_window(qtbot):
    window = opened(qtbot)
    window.findChild(Workbench).side.fold.click()
    closed(window)
    window = opened(qtbot)
    assert not window.findChild(Workbench).side.fold.isChecked()
    closed(window)


@given(heights, heights, heights)
def test_that_room_is_shared_by_need(room, upper, lower):
    sizes = shared(room, upper, lower, 100)
    assert sum(sizes) == room
    assert fair(sizes, (upper, lower))
    if upper + lower <= room:
        assert sizes[0] == upper
    elif room >= 300 and min(upper, lower) > 100:
        assert min(sizes) >= 100
        whole = round(room * upper / (upper + lower))
        assert sizes[0] == whole or 100 in sizes


@pytest.mark.parametrize(("sizes", "needs", "said"), [
    ((300, 300), (200, 200), True), ((300, 300), (400, 400), True), ((300, 300), (300, 400), True),
    ((300, 300), (299, 301), False), ((300, 300), (301, 299), False), ((300, 300), (300, 300), True)])
def test_that_a_share_is_unfair_where_one_scrolls_beside_spare_room(sizes, needs, said):
    assert fair(sizes, needs) is said


def test_that_long_sentences_are_not_left_with_what_short_ones_needed(bench, qtbot):
    side = bench.side
    bench.desk.open_study("policy")
    answered(qtbot, bench)
    rested(qtbot, bench)
    bench.answers.shown.disconnect()
    bench.answers.told.disconnect()
    wanted = side.splitter.sizes()
    said = [label.text() for label in side.verdict._labels if not label.isHidden()]
    side.verdict._set(("One short sentence.",))
    rested(qtbot, bench)
    assert side.splitter.sizes()[1] < wanted[1] * 0.8
    side.verdict._set(tuple(said))
    rested(qtbot, bench)
    assert abs(side.splitter.sizes()[1] - wanted[1]) <= UNEVEN * sum(wanted)


@pytest.mark.parametrize("key", ["decision", "policy", "watch"])
def test_that_a_paragraph_says_as_qt_does_how_high_its_words_are(qtbot, key):
    paragraph, label = Paragraph(wordWrap=True), QLabel(wordWrap=True)
    for each in (paragraph, label):
        qtbot.addWidget(each)
        each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    said = [breakable(together(sentence)) for sentence in all_studies()[key]().answer().sentences()]
    for role, width in product(("label", "heading"), (60, 282, 333)):
        for words in (*said, breakable("x" * 200), "One.\n\nAnother."):
            for each in (paragraph, label):
                each.setFont(LIGHT.font(role))
                each.setText(words)
            assert paragraph.heightForWidth(width) == label.heightForWidth(width)
