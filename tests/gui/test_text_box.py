"""Boxes of a longest length: whatever a hand does, no text is longer, and what has one can always be left."""

from __future__ import annotations

import random
from functools import partial

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from window_kit import LEFT

from dpstudio.documents.noted import LONGEST_ON_COVER
from dpstudio.documents.session import Session
from dpstudio.documents.state import LONGEST_NOTE, LONGEST_OF_SNAPSHOT
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.history.form import NoteDialog
from dpstudio.gui.report.dialog import ReportDialog
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.studies.decision import Decision


def paste(box, text):
    data = QMimeData()
    data.setText(text)
    box.insertFromMimeData(data)


def select(box, start, end):
    cursor = box.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    box.setTextCursor(cursor)


@pytest.fixture
def box(qtbot):
    made = TextBox("Words", "", 40)
    qtbot.addWidget(made)
    made.show()
    return made


def test_that_undo_after_a_paste_that_was_too_long_gives_what_stood_before(box):
    QTest.keyClicks(box, "before")
    paste(box, "x" * 100)
    assert box.words == "before" + "x" * 34
    assert "At most 40 signs" in QToolTip.text()
    assert "66 found no room" in QToolTip.text()
    box.undo()
    assert box.words in ("before", "")
    box.redo()
    assert len(box.words) <= 40


@pytest.mark.parametrize("seed", range(6))
def test_that_no_series_of_edits_and_steps_back_makes_a_text_too_long(box, seed):
    chance = random.Random(seed)
    acts = (box.undo, box.redo, box.cut, box.selectAll, lambda: paste(box, "ab😀\r\ncd" * chance.randint(1, 30)),
            lambda: QTest.keyClicks(box, "typed"), lambda: QTest.keyClick(box, Qt.Key.Key_Return),
            lambda: QTest.keyClick(box, Qt.Key.Key_Backspace), lambda: compose(box, "字" * chance.randint(1, 60)),
            lambda: select(box, 0, chance.randint(0, box.document().characterCount() - 1)))
    for _ in range(120):
        chance.choice(acts)()
        assert len(box.toPlainText()) <= 40


def compose(box, text):
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(box, event)


def test_that_what_is_selected_makes_room_and_that_a_full_box_still_takes_commands(box):
    paste(box, "y" * 40)
    QTest.keyClicks(box, "z")
    assert box.words == "y" * 40
    select(box, 0, 10)
    paste(box, "z" * 30)
    assert box.words == "z" * 10 + "y" * 30
    QTest.keyClick(box, Qt.Key.Key_Backspace)
    QTest.keyClicks(box, "z")
    assert len(box.words) == 40


@pytest.mark.parametrize("way", ["close", "escape"])
def test_that_a_report_can_be_left_after_a_paste_that_was_too_long_was_undone(qtbot, way):
    document = Document(Session(Decision))
    dialog = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(dialog)
    dialog.show()
    QTest.keyClicks(dialog.reason, "a")
    paste(dialog.reason, "w" * 5_000)
    QTest.keyClick(dialog.reason, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(dialog.reason, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    if way == "close":
        QTest.mouseClick(dialog.close_button, LEFT)
    else:
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert len(document.state.cover.reason) <= LONGEST_ON_COVER


def test_that_a_note_on_a_study_is_never_lost_for_its_length(qtbot):
    document = Document(Session(Decision))
    dialog = NoteDialog(document, LIGHT, None)
    paste(dialog.text, "n" * (LONGEST_NOTE + 10))
    dialog.open()
    dialog.accept()
    assert document.state.note == "n" * LONGEST_NOTE


def test_that_a_snapshot_is_named_beside_a_note_of_the_length_that_it_keeps(bench):
    from dpstudio.gui.history.form import SnapshotForm

    take = partial(bench.document.do, "Take snapshot", Session.keep)
    form = SnapshotForm("Snapshot", "a", "", "", (), True, take, LIGHT, bench)
    paste(form.note, "n" * 5_000)
    form.accept()
    assert len(bench.document.state.snapshots[0].note) == LONGEST_OF_SNAPSHOT
