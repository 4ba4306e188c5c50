"""Code for what is in view: in a window that follows the document, to the clipboard and to files."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from window_kit import LEFT, place_of_panes

from dpstudio.data.origin import Origin
from dpstudio.documents.code import LIBRARIES, written
from dpstudio.documents.session import Session
from dpstudio.gui.pictures.handover import HandoverPane
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision

ORIGIN = Origin("quillwort.csv", "", "zygomatic >= 6")


@pytest.fixture
def window(bench):
    bench.document.set("trials", 1000)
    bench.menus.actions["Copy as code…"].trigger()
    window = bench.window_.findChild(HandoverPane)
    yield window
    window.close()


@pytest.fixture
def document(qapp):
    return Document(Session.of(Decision, {"trials": 1000}))


@pytest.fixture
def alone(document):
    """The same beside a document, without a workbench behind it."""
    panes = place_of_panes()
    window = HandoverPane(Mock(document=document, appearance=Mock(theme=LIGHT), files=Mock(exact_counts=False),
                               panes=panes))
    window.begin()
    yield window
    window.close()
    panes.deleteLater()


def choose(window, library, series=""):
    window.libraries.setCurrentIndex(list(LIBRARIES).index(library))
    if series:
        window.series.setCurrentIndex(window.series.findData(series))


def expected(document, series, library):
    return written(document.study, document.explicit, series, library).text


def test_that_the_text_in_view_is_the_one_of_the_command_line(bench, window):
    for library in LIBRARIES:
        choose(window, library)
        chosen = window.series.currentData()
        assert chosen == ("" if library == "command" else "laplace")
        assert window.text.toPlainText() == expected(bench.document, chosen, library)
    assert window.text.isReadOnly()


def test_that_a_series_is_kept_from_library_to_library(alone):
    choose(alone, "opendp", "generalized")
    choose(alone, "google")
    assert alone.series.currentData() == "generalized"
    assert "create_partition_strategy" in alone.text.toPlainText()
    assert "does not pass through" in alone.says.text()
    assert "Needs python-dp" in alone.says.text()


def test_that_no_text_is_of_other_values_than_the_document_has(document, alone):
    choose(alone, "opendp", "gaussian")
    document.set("epsilon", 0.3)
    assert alone.text.toPlainText() == expected(document, "gaussian", "opendp")
    document.set("delta", 0.0)
    assert alone.text.toPlainText() == ""
    assert "of laplace, cutoff, generalized, matched" in alone.says.text()
    assert not alone.copy_button.isEnabled()
    assert not alone.save_button.isEnabled()
    document.undo()
    assert alone.text.toPlainText() == expected(document, "gaussian", "opendp")
    assert alone.copy_button.isEnabled()


def test_that_the_window_turns_with_the_study_to_what_there_is(document, alone):
    document.turn(all_studies()["mean"])
    choose(alone, "google")
    document.turn(all_studies()["policy"])
    assert alone.library == "dpstudio"  # nothing else has something for the policy
    for key, study in all_studies().items():
        choose(alone, "dpstudio")
        document.turn(study)
        assert study.title in alone.windowTitle()
        assert alone.library == "dpstudio"
        assert alone.text.toPlainText() == expected(document, alone.series.currentData(), "dpstudio")
        has = [alone.libraries.isTabEnabled(place) for place in range(alone.libraries.count())]
        releases = key in ("decision", "response", "mean", "noise", "posterior", "neighbours", "number", "table",
                           "test", "plan")
        assert has == [releases, releases and key not in ("response", "plan"), True, True]
        choose(alone, "opendp" if releases else "command")
        assert alone.text.toPlainText() == expected(document, alone.series.currentData(), alone.library)


def test_that_the_text_is_copied_and_saved_by_the_keyboard(bench, window, qtbot, tmp_path, monkeypatch):
    choose(window, "google", "laplace")
    QTest.keyClick(window, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == window.text.toPlainText()
    asked = []

    def where(_, title, name, kinds, **__):
        asked.append((title, name.rpartition("/")[2], kinds))
        return str(tmp_path / "mine"), kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", where)
    with qtbot.waitSignal(bench.files.said, check_params_cb=lambda said: said.startswith("Saved")):
        QTest.mouseClick(window.save_button, LEFT)
    assert asked == [("Save code", "decision-laplace-google.py", "Python (*.py)")]
    assert (tmp_path / "mine.py").read_text("utf-8") == window.text.toPlainText()


def test_that_counts_of_data_are_in_the_text_only_while_they_may_go_along(bench, window):
    bench.document.do("Count", Session.take, {"records": 71_993}, ORIGIN)
    for library in LIBRARIES:
        choose(window, library)
        assert "71993" not in window.text.toPlainText()
        bench.files.set_exact_counts(True)
        assert "records=71993" in window.text.toPlainText()
        assert library == "command" or "sensitive" in window.text.toPlainText()
        window.copy()
        assert "sensitive" in bench.status.message
        bench.files.set_exact_counts(False)
        assert "71993" not in window.text.toPlainText()
        assert "quillwort" not in window.text.toPlainText()


def test_that_the_window_grows_with_the_type_is_one_and_names_its_parts(bench, window):
    before = window.text.font().pixelSize()
    bench.appearance.set_presentation(True)
    assert window.text.font().pixelSize() > before
    bench.menus.actions["Copy as code…"].trigger()
    assert bench.window_.findChildren(HandoverPane) == [window]
    named = (window.libraries, window.text, window.says)
    assert all(part.accessibleName() or part.accessibleDescription() for part in named)
