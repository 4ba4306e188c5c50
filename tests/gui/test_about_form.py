"""The page about the release in the dialog of reports: help of each question, keys, what is kept, and entries."""

from __future__ import annotations

import pytest
import yaml
from about_kit import answers
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFormLayout, QLabel

from dpstudio.documents.about import FIELDS, LONGEST_LINE, LONGEST_LINES, Day, FewLines
from dpstudio.documents.noted import Cover
from dpstudio.documents.session import Session
from dpstudio.gui.report.dialog import ABOUT, NO_DAY, ReportDialog
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell import theme
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.studies.mean import Mean
from dpstudio.studies.noise import Noise
from dpstudio.vocabulary import Choice


@pytest.fixture
def document(qapp):
    made = Document(Session(Noise))
    made.do("Choose", Session.decide, "laplace")
    return made


def opened(document, qtbot, *, about=True) -> ReportDialog:
    made = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(made)
    if about:
        made.pages.setCurrentWidget(made.about)
    made.show()
    return made


def shown_instead(entry) -> str:
    return entry.itemText(0) if isinstance(entry, QComboBox) else entry.placeholderText()


def test_that_every_question_has_its_words_its_help_and_a_length(document, qtbot):
    form = opened(document, qtbot).about
    labels = {each.buddy(): each.text() for each in form.findChildren(QLabel) if each.buddy()}
    assert list(form.entries) == list(FIELDS)
    for key, field in FIELDS.items():
        entry = form.entries[key]
        assert (entry.accessibleName(), entry.accessibleDescription()) == (field.label, field.help)
        assert field.help.split("’")[0] in entry.toolTip().replace("\u200b", "")
        assert labels[entry] == field.label
        if isinstance(field.kind, Choice):
            assert [entry.itemData(i) for i in range(entry.count())] == ["", *field.kind.options]
        elif isinstance(field.kind, FewLines):
            assert entry.longest == LONGEST_LINES
        else:
            assert entry.maxLength() == LONGEST_LINE
    layout = form.findChild(QFormLayout)
    headings = [layout.itemAt(i, QFormLayout.ItemRole.SpanningRole) for i in range(layout.rowCount())]
    assert [each.widget().text() for each in headings if each] == list(dict.fromkeys(
        each.group for each in FIELDS.values()))


def test_that_the_keyboard_goes_through_all_questions_in_order_and_each_comes_into_view(document, qtbot):
    made = opened(document, qtbot)
    made.about.setFocus()
    view = made.about._scrolled.viewport()
    for key in FIELDS:
        entry = made.about.entries[key]
        qtbot.waitUntil(entry.hasFocus)
        assert made.about.at == key
        qtbot.waitUntil(lambda entry=entry: all(view.rect().contains(view.mapFromGlobal(entry.mapToGlobal(each)))
                                                for each in (entry.rect().topLeft(), entry.rect().bottomRight())))
        QTest.keyClick(entry, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() not in made.about.entries.values()


def test_that_what_is_typed_is_kept_in_one_step_with_the_rest_whether_it_is_written_or_not(document, qtbot):
    steps, made = document.steps, opened(document, qtbot)
    QTest.keyClicks(made.about.entries["unit"], " a customer ")
    QTest.keyClicks(made.about.entries["spent"], "Nothing else.")
    QTest.keyClick(made.about.entries["model"], Qt.Key.Key_Down)
    assert made.about.told.text().startswith("3 of 34 stated, ")
    QTest.keyClick(made.about.entries["unit"], Qt.Key.Key_Escape)
    about = {"unit": "a customer", "model": "Central", "spent": "Nothing else."}
    assert (document.state.about, document.steps) == (about, steps + 1)
    again = opened(document, qtbot)
    assert again.about.about == about
    again.reject()
    assert document.steps == steps + 1, "without another word it is no step"
    document.undo()
    assert document.state.about == {}


def test_that_it_opens_on_the_page_and_at_the_question_where_it_was(document, qtbot):
    made = opened(document, qtbot, about=False)
    assert made.pages.currentWidget() is not made.about
    made.reject()
    second = opened(document, qtbot, about=False)
    assert second.pages.currentWidget() is not second.about
    second.reject()
    made = opened(document, qtbot)
    made.about.entries["channels"].setFocus()
    qtbot.waitUntil(made.about.entries["channels"].hasFocus)
    made.reject()
    again = opened(document, qtbot, about=False)
    assert again.pages.tabText(again.pages.currentIndex()) == ABOUT
    qtbot.waitUntil(again.about.entries["channels"].hasFocus)
    again.reject()
    Settings().set_text("about_at", "gone")
    assert opened(document, qtbot).about.at == "name"


def test_that_what_follows_from_the_choice_stands_in_the_place_of_an_answer_and_follows_the_choice(qtbot, qapp):
    document = Document(Session(Mean))
    made = opened(document, qtbot)
    entries = made.about.entries
    assert shown_instead(entries["model"]) == "Not stated"
    before = made.about.told.text()
    for series, model in (("response", "Local"), ("laplace", "Central"), ("shuffled", "Shuffle")):
        made.chosen.setCurrentIndex(made.chosen.findData(series))
        assert shown_instead(entries["model"]) == f"Computed: {model}"
    assert made.about.told.text() != before
    assert made.about.about == {}
    QTest.keyClicks(made.who, "A. B.")
    assert shown_instead(entries["authors"]) == "On page one: A. B."


def test_that_a_day_that_is_none_is_said_and_not_kept(document, qtbot):
    made = opened(document, qtbot)
    day = made.about.entries["published"]
    QTest.keyClicks(day, "22 November")
    assert day.property("refused")
    assert made.about.told.text() == made.note.text().split("; ")[0] == (
        "Published on must be a day such as 2026-11-22, got '22 November'.")
    assert not made.export_button.isEnabled()
    day.setText("2026-11-22")
    assert not day.property("refused")
    assert made.export_button.isEnabled()
    day.setText("2026-11-31")
    made.reject()
    assert document.state.about == {}
    assert isinstance(FIELDS["published"].kind, Day)


def test_that_the_wheel_over_a_choice_scrolls_and_chooses_nothing(document, qtbot):
    made = opened(document, qtbot)
    made.about.entries["name"].setFocus()
    choice = made.about.entries["product"]
    at = QPointF(choice.rect().center())
    QApplication.sendEvent(choice, QWheelEvent(
        at, choice.mapToGlobal(at), QPoint(0, -120), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))
    assert choice.currentIndex() == 0


def test_that_an_entry_is_offered_under_a_name_that_the_registry_takes_once_there_is_a_day(document, qtbot, tmp_path):
    Settings().set_folder("export", tmp_path)
    made = opened(document, qtbot)
    made.format.setCurrentIndex(made.format.findData("yaml"))
    assert made.path.text().endswith("noise_report.yaml")
    assert made.note.text() == NO_DAY
    assert not made.export_button.isEnabled()
    made.about.entries["published"].setText("2026-11-22")
    assert made.note.text().startswith("An entry of tier 1 of 3; for tier 2 state name, curators, intended use, ")
    assert made.export_button.isEnabled()
    made.path.setText(str(tmp_path / "My Entry.yaml"))
    assert "lowercase" in made.note.text()
    assert not made.export_button.isEnabled()
    made.path.setText(str(tmp_path / "mine.yaml"))
    assert made.export_button.isEnabled()


def test_that_an_entry_is_written_from_the_window_as_from_the_command_line(bench, qtbot, tmp_path):
    bench.document.do("Choose", Session.decide, "laplace")
    bench.document.do("Prepare report", Session.prepare, Cover(), "laplace", (), answers("Said."))
    made = ReportDialog(bench.document, Settings(), LIGHT, bench.window_)
    made.format.setCurrentIndex(made.format.findData("yaml"))
    made.path.setText(str(tmp_path / "entry.yaml"))
    bench.desk.tools.get("reports").write(made.request())
    qtbot.waitUntil((tmp_path / "entry.yaml").exists)
    entry = yaml.safe_load((tmp_path / "entry.yaml").read_text("utf-8"))
    assert (entry["tier"], entry["deployment"]["basic"]["name"]) == (3, "Said.")
    made.deleteLater()


@pytest.mark.parametrize("presentation", [False, True])
def test_that_no_question_is_wider_than_what_is_seen_of_it(document, qtbot, presentation):
    look = theme.resolve("light", presentation=presentation)
    theme.apply(QApplication.instance(), look)
    document.do("Prepare report", Session.prepare, Cover(), "laplace", (), answers("Said at length. " * 7))
    made = ReportDialog(document, Settings(), look)
    qtbot.addWidget(made)
    made.pages.setCurrentWidget(made.about)
    made.resize(made.minimumSizeHint())
    made.show()
    least, form = made.minimumSizeHint(), made.about
    inside = form._scrolled.widget()
    widths = inside.width(), form._scrolled.viewport().width()
    theme.apply(QApplication.instance(), theme.LIGHT)
    assert widths[0] <= widths[1]
    assert least.width() <= 1280
    assert least.height() <= 640
