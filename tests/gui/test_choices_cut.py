"""A choice with less room than its words says that there is more, and says them whole when it is pointed at."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QComboBox, QToolTip
from window_kit import answered

from dpstudio.gui.controls.style import Combo, no_narrower
from dpstudio.studies import all_studies

LONG = "AboveThreshold, exp."


def box_of(qtbot, words, width):
    box = no_narrower(Combo(), 3)
    qtbot.addWidget(box)
    box.addItem(words)
    box.resize(width, 28)
    box.show()
    return box


def picture(box):
    return box.grab().toImage()


def test_that_words_that_are_cut_end_in_an_ellipsis(qtbot):
    cut = picture(box_of(qtbot, LONG, 120))
    shown = [LONG[:kept].rstrip() + "…" for kept in range(3, len(LONG))]
    assert any(picture(box_of(qtbot, words, 120)) == cut for words in shown)


def test_that_words_that_have_room_stand_whole(qtbot):
    assert picture(box_of(qtbot, LONG, 300)) != picture(box_of(qtbot, LONG[:-1] + "…", 300))
    assert box_of(qtbot, LONG, 300).words() == LONG


@pytest.mark.parametrize(("width", "said"), [(120, LONG), (300, "")])
def test_that_what_is_cut_is_said_whole_when_it_is_pointed_at(qtbot, width, said):
    QToolTip.hideText()
    box, at = box_of(qtbot, LONG, width), QPoint(10, 10)
    QApplication.sendEvent(box, QHelpEvent(QEvent.Type.ToolTip, at, box.mapToGlobal(at)))
    assert (QToolTip.text() if QToolTip.isVisible() else "") == said
    QToolTip.hideText()


def test_that_a_list_is_as_wide_as_its_longest_words(qtbot):
    box = box_of(qtbot, LONG * 3, 120)
    box.showPopup()
    assert box.view().width() >= box.fontMetrics().horizontalAdvance(LONG * 3)
    box.hidePopup()


@pytest.mark.parametrize("key", all_studies())
def test_that_every_choice_of_the_window_is_cut_so(bench, qtbot, key):
    bench.page.bar.study_wanted.emit(key)
    answered(qtbot, bench)
    plain = [box for box in bench.window_.findChildren(QComboBox) if not isinstance(box, Combo)]
    assert [box for box in plain if not box.isEditable()] == []
