"""What the window has German for, it says in German."""

from __future__ import annotations

from io import BytesIO

import pytest
from babel.messages.pofile import read_po
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit
from window_kit import answered, rested

from dpstudio.core.resources import resource
from dpstudio.studies import all_studies
from dpstudio.text import language

STUDIES = ("decision", "noise", "plan", "test")


@pytest.fixture(scope="module")
def english():
    """Messages whose German is another text: none of them is to be seen."""
    found = read_po(BytesIO(resource("languages/de.po").read_bytes()), locale="de")
    german = {each.string.replace("&", "") for each in found if isinstance(each.string, str)}
    return {each.id.replace("&", "") for each in found if isinstance(each.id, str) and each.id} - german


@pytest.fixture
def spoken(request):
    """The language of the window: German, or what a test names."""
    chosen = getattr(request, "param", "de")
    language.speak(None if chosen == language.ENGLISH else resource(f"languages/{chosen}.mo"))
    yield
    language.speak(None)


def texts(bench):
    """All that stands in view, and on menus."""
    for kind in (QLabel, QAbstractButton):
        yield from (each.text() for each in bench.findChildren(kind) if each.isVisible())
    for box in bench.findChildren(QComboBox):
        if box.isVisible():
            yield from (box.itemText(i) for i in range(box.count()))
    yield from (entry.placeholderText() for entry in bench.findChildren(QLineEdit) if entry.isVisible())
    yield from (action.text() for action in bench.findChildren(QAction))
    facts = bench.facts.facts
    yield from (str(facts.data(facts.index(row, 0), Qt.ItemDataRole.DisplayRole)) for row in range(facts.rowCount()))
    for picture in (bench.pictures.large, bench.pictures.beside):
        yield picture.header.title.text()
        yield from (picture.canvas.bottom.label, picture.canvas.left.label)


def test_that_nothing_is_english_for_which_there_is_german(spoken, bench, qtbot, english):
    for key in STUDIES:
        bench.page.bar.study_wanted.emit(key)
        answered(qtbot, bench)
        rested(qtbot, bench)
        seen = {text.replace("&", "").strip() for text in texts(bench)}
        assert seen & english == set(), key
    assert "Privacy-Verlust ε" not in english, "what is German is no English"


def test_that_the_window_is_english_until_another_language_is_chosen(bench):
    assert "Copy picture" in {action.text().replace("&", "") for action in bench.findChildren(QAction)}


def test_that_no_control_is_wider_than_its_column_at_the_size_of_a_lecture(spoken, bench, qtbot):
    bench.window().resize(1280, 720)
    wide = {}
    for key in all_studies():
        bench.page.bar.study_wanted.emit(key)
        answered(qtbot, bench)
        area = bench.page.parameters.area
        if (over := area.widget().minimumSizeHint().width() - area.viewport().width()) > 0:
            wide[key] = over
    assert wide == {}


@pytest.mark.parametrize("spoken", language.LANGUAGES, indirect=True)
def test_that_every_button_shows_all_that_it_says(spoken, bench, qtbot):
    bench.window().resize(1280, 720)
    narrow = set()
    for key in all_studies():
        bench.page.bar.study_wanted.emit(key)
        answered(qtbot, bench)
        bench.page.parameters.fold.say(language.tr("{n} changed", n=11))
        qtbot.wait(50)
        narrow |= {(key, each.text()) for each in bench.findChildren(QAbstractButton)
                   if each.isVisible() and each.sizeHint().width() > each.width()}
    assert narrow == set()
