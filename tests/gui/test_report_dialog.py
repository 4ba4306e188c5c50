"""The dialog of reports: what goes into one, the words of its first page, and what of it stays with the session."""

from __future__ import annotations

import sys
from datetime import date

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from window_kit import LEFT

from dpstudio.documents import report
from dpstudio.documents.noted import LONGEST_ON_COVER, Cover, Solved, SweepAsked
from dpstudio.documents.session import Session
from dpstudio.documents.setting import setting
from dpstudio.gui.report.contents import asked, swept
from dpstudio.gui.report.dialog import ReportDialog
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell import theme
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.studies.mean import Mean
from dpstudio.studies.noise import Noise

CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
WANT = "band_width@laplace <= 500"


@pytest.fixture
def document(qapp):
    made = Document(Session(Mean))
    made.set("people", 5_000)
    made.turn(Decision)
    made.set("epsilon", 0.2)
    made.do("Pin", Session.pin)
    made.solve({"epsilon": 0.0158}, wants=[WANT])
    made.turn(Noise)
    made.do("Choose", Session.decide, "laplace")
    made.turn(Decision)
    made.do("Keep sweep", Session.keep_sweep,
            SweepAsked(("epsilon=0.01:1:5:log",), (("band_width", "laplace"),), made.state.setting))
    return made


@pytest.fixture
def dialog(document, qtbot):
    made = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(made)
    made.show()
    return made


def entries(item):
    return [item.child(i) for i in range(item.childCount())]


def top(dialog):
    tree = dialog.contents
    return [tree.topLevelItem(i) for i in range(tree.topLevelItemCount())]


def selected(dialog, start):
    """Select what is listed under the study in view and begins with these words."""
    item = next(each for each in entries(top(dialog)[0]) if each.text(0).startswith(start))
    dialog.contents.setCurrentItem(item)
    return item


def test_that_it_offers_what_a_report_has_unless_something_else_is_said(document, dialog):
    assert [(item.text(0), item.checkState(0)) for item in top(dialog)] == [
        ("Decision", CHECKED), ("Noise", CHECKED), ("Mean", UNCHECKED)]
    request = dialog.request()
    assert request.chosen.studies == report.studies_in(document.session) == (Decision, Noise)
    assert request.chosen.figures == {each.key: tuple(figure.key for figure in report.figures_in(
        document.session.state(each))) for each in (Decision, Noise)}
    assert request.chosen.appendix == report.USUAL_APPENDIX
    assert all((request.chosen.pins, request.chosen.solved, request.chosen.sweeps, request.chosen.values))
    assert [each.text(0) for each in entries(top(dialog)[0])][1:] == [
        "Pinned: ε = 0.2", "Solved: Unrounded uncertain band (Laplace) at most 500: ε = 0.0158",
        "Sweep: unrounded uncertain band over ε from 0.01 to 1 (5)"]


def test_that_what_is_ticked_goes_in_and_nothing_else(dialog):
    dialog.appendix.setCurrentIndex(dialog.appendix.findData("all"))
    decision, noise, mean = top(dialog)
    noise.setCheckState(0, UNCHECKED)
    assert noise.child(0).isDisabled()
    assert noise.child(0).child(0).isDisabled()
    mean.setCheckState(0, CHECKED)
    assert not mean.child(0).child(0).isDisabled()
    first, second, *_ = entries(decision.child(0))
    first.setCheckState(0, UNCHECKED)
    dialog.parts["pins"].setChecked(False)
    chosen = dialog.request().chosen
    assert [each.key for each in chosen.studies] == ["decision", "mean"]
    assert set(chosen.figures) == {"decision", "mean"}
    assert chosen.figures["decision"][0] == Decision.figure(chosen.figures["decision"][0]).key
    assert first.text(0) not in {Decision.figure(key).title for key in chosen.figures["decision"]}
    assert second.text(0) in {Decision.figure(key).title for key in chosen.figures["decision"]}
    assert (chosen.pins, chosen.solved) == (False, True)
    assert decision.child(0).text(0) == f"Pictures: {len(chosen.figures['decision'])} of {len(Decision.figures)}"
    for item in top(dialog):
        item.setCheckState(0, UNCHECKED)
    assert not dialog.export_button.isEnabled()
    assert dialog.note.text().startswith("Tick at least one study.")


def test_that_other_pictures_are_offered_where_the_appendix_has_them_and_the_choice_is_proposed_again(
        document, dialog, qtbot, tmp_path):
    def offered_now():
        return [each.data(0, Qt.ItemDataRole.UserRole) for each in entries(top(dialog)[0].child(0))
                if not each.isHidden()]

    assert [dialog.appendix.itemData(i) for i in range(dialog.appendix.count())] == list(report.APPENDICES)
    assert offered_now() == list(report.foremost(Decision))
    assert dialog.parts["sweeps"].isEnabled()
    dialog.appendix.setCurrentIndex(dialog.appendix.findData("all"))
    assert set(offered_now()) == {figure.key for figure in Decision.figures}
    dialog.appendix.setCurrentIndex(dialog.appendix.findData("none"))
    assert offered_now() == list(report.foremost(Decision))
    assert not dialog.parts["sweeps"].isEnabled()
    assert dialog.request().chosen.appendix == "none"
    dialog.path.setText(str(tmp_path / "a.pdf"))
    dialog.accept()
    again = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(again)
    assert again.request().chosen.appendix == "none"
    Settings().set_text("appendix", "some")
    strange = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(strange)
    assert strange.request().chosen.appendix == report.USUAL_APPENDIX


def test_that_the_keyboard_alone_writes_it_from_reason_to_who_prepared_it_to_enter(document, qtbot, tmp_path):
    document.do("Choose", Session.decide, "laplace")
    Settings().set_folder("export", tmp_path)
    (tmp_path / "decision-report.pdf").write_text("another one")
    made = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.reason.hasFocus)
    QTest.keyClicks(QApplication.focusWidget(), "It needs no delta")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is made.who
    QTest.keyClicks(QApplication.focusWidget(), "Privacy office")
    with qtbot.waitSignal(made.accepted):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert made.request().path == tmp_path / "decision-report-2.pdf", "the name offered is one that no file has"
    assert (document.state.cover.reason, document.state.cover.who) == ("It needs no delta", "Privacy office")


def test_that_where_no_reason_is_written_return_alone_writes_it_and_else_begins_a_line(document, qtbot):
    document.do("Choose", Session.decide, "laplace")
    made = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.reason.hasFocus)
    QTest.keyClicks(made.reason, "It needs no delta")
    QTest.keyClick(made.reason, Qt.Key.Key_Return)
    assert made.isVisible()
    assert made.reason.toPlainText() == "It needs no delta\n"
    made.reason.clear()
    with qtbot.waitSignal(made.accepted):
        QTest.keyClick(made.reason, Qt.Key.Key_Return)


def test_that_what_is_still_to_be_chosen_is_asked_for_first(document, dialog, qtbot):
    qtbot.waitUntil(dialog.chosen.hasFocus)
    QTest.keyClick(dialog.chosen, Qt.Key.Key_Down)
    assert dialog.chosen.currentData() == "laplace"
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is dialog.reason
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert document.state.chosen == "laplace"
    document.turn(all_studies()["audit"])
    nothing = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(nothing)
    nothing.show()
    qtbot.waitUntil(nothing.reason.hasFocus)


def test_that_it_closes_where_what_was_typed_can_no_longer_be_kept(document, dialog):
    dialog.chosen.setCurrentIndex(dialog.chosen.findData("gaussian"))
    QTest.keyClicks(dialog.reason, "Others use it")
    document.set("delta", 0.0)
    dialog.reject()
    assert not dialog.isVisible()
    assert (document.state.chosen, document.state.cover.reason) == (None, "Others use it")


@pytest.mark.parametrize("go_ahead", [True, False])
def test_that_words_and_removals_stay_with_the_session_in_one_step_whether_it_is_written_or_not(
        document, dialog, tmp_path, go_ahead):
    before, steps = document.session, document.steps
    item = selected(dialog, "Solved")
    assert dialog.again.isEnabled()
    if go_ahead:
        QTest.mouseClick(dialog.remove, LEFT)
    else:
        QTest.keyClick(dialog.contents, Qt.Key.Key_Delete)
    assert item.treeWidget() is None
    selected(dialog, "Sweep")
    assert (dialog.remove.isEnabled(), dialog.again.isEnabled()) == (True, False)
    selected(dialog, "Pinned")
    assert not dialog.remove.isEnabled()
    dialog.chosen.setCurrentIndex(dialog.chosen.findText("Generalized"))
    QTest.keyClicks(dialog.choice, " The generalized one.")
    QTest.keyClicks(dialog.who, "Privacy office")
    dialog.path.setText(str(tmp_path / "a.pdf"))
    if go_ahead:
        QTest.keyClick(dialog.who, Qt.Key.Key_Return)
    else:
        QTest.keyClick(dialog.who, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    when = date.today().isoformat() if go_ahead else ""  # one that was only proposed is nobody's word
    assert document.state.cover == Cover(choice="The generalized one.", who="Privacy office", when=when)
    assert document.state.chosen == "generalized"
    assert not document.state.solved
    assert len(document.state.sweeps) == 1
    assert (document.steps, document.undo_text) == (steps + 1, "Prepare report")
    document.undo()
    assert document.session == before


def test_that_closing_without_a_word_is_no_step(document, dialog):
    steps = document.steps
    dialog.reject()
    assert document.steps == steps


def test_that_the_date_of_an_earlier_report_stays_until_somebody_says_today(document, qtbot):
    document.do("Prepare report", Session.prepare, Cover(when="2020-02-02"), None)
    made = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(made)
    assert made.when.text() == "2020-02-02"
    QTest.mouseClick(made.today, LEFT)
    made.reject()
    assert document.state.cover.when == date.today().isoformat()


def offered(dialog):
    return {dialog.chosen.itemData(i): dialog.chosen.itemText(i) for i in range(dialog.chosen.count())}


def test_that_what_is_compared_at_these_settings_can_be_chosen_and_nothing_else(document, qtbot):
    def shown(study=None, *edits):
        if study is not None:
            document.turn(all_studies()[study])
        for edit in edits:
            document.set(*edit)
        made = ReportDialog(document, Settings(), LIGHT)
        qtbot.addWidget(made)
        return offered(made)

    assert list(shown()) == [None, "laplace", "cutoff", "generalized", "gaussian", "matched"]
    assert list(shown(None, ("others", "discrete")))[-2:] == ["discrete_laplace", "discrete_gaussian"]
    without = shown(None, ("others", "none"), ("delta", 0.0))
    assert list(without) == [None, "laplace", "cutoff", "generalized", "matched"]
    assert "printed" not in shown("noise")
    assert list(shown("posterior")) == [None, "naive", "clamped", "aware"]
    assert list(shown("policy")) == [None, "laplace", "response", "both"]
    assert shown("audit") == {None: "This study compares nothing to choose from"}


def test_that_what_was_chosen_at_other_settings_is_said_to_be_none_of_these_and_stays(document, qtbot):
    document.set("others", "discrete")
    document.do("Prepare report", Session.prepare, Cover(), "discrete_laplace")
    document.set("others", "none")
    made = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(made)
    assert offered(made)["discrete_laplace"] == "Discrete Laplace: not at these settings"
    assert made.chosen.currentData() == "discrete_laplace"
    steps = document.steps
    made.reject()
    assert (document.state.chosen, document.steps) == ("discrete_laplace", steps)
    made.chosen.setCurrentIndex(0)
    made.reject()
    assert (document.state.chosen, document.undo_text) == (None, "Prepare report")
    document.undo()
    assert document.state.chosen == "discrete_laplace"


def test_that_what_stands_for_an_empty_word_is_shown_in_its_place(dialog):
    assert dialog.question.placeholderText() == Decision.question
    assert {each.placeholderText() for each in (dialog.reason, dialog.who)} == {"Left blank, to be written by hand"}
    assert dialog.choice.placeholderText() == "May be left out", "the series that was chosen stands without it"


def test_that_a_text_is_cut_where_a_cover_takes_no_more(document, dialog):
    dialog.reason.setPlainText("end")
    pasted = QMimeData()
    pasted.setText("😀a" * LONGEST_ON_COVER)
    dialog.reason.insertFromMimeData(pasted)
    kept = dialog.reason.words
    assert LONGEST_ON_COVER // 2 < len(kept) <= LONGEST_ON_COVER
    assert kept.startswith("😀a😀a")
    assert kept.endswith("end")
    dialog.reject()
    assert document.state.cover.reason == kept


def test_that_the_file_s_ending_follows_the_format_and_another_one_is_refused(dialog, tmp_path):
    assert dialog.path.text().endswith("decision-report.pdf")
    dialog.path.setText(str(tmp_path / "mine.v2.pdf"))
    assert not dialog.parts["values"].isEnabled()
    dialog.format.setCurrentIndex(dialog.format.findData("html"))
    assert dialog.parts["values"].isEnabled()
    assert dialog.path.text() == str(tmp_path / "mine.v2.html")
    assert dialog.export_button.isEnabled()
    for bad, why in (("mine.pdf", "must end in .html"), ("", "Say which file")):
        dialog.path.setText(bad and str(tmp_path / bad))
        assert why in dialog.note.text()
        assert not dialog.export_button.isEnabled()


def test_that_without_typst_one_sentence_says_so_and_html_remains(document, qtbot, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    made = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(made)
    assert [made.format.itemData(i) for i in range(made.format.count())] == ["html", "yaml"]
    assert made.note.text().endswith("PDF needs typst, which is not installed (pip install typst); HTML needs nothing.")
    assert made.path.text().endswith(".html")
    assert made.export_button.isEnabled()


def test_that_a_file_in_the_way_stays_unless_it_may_be_replaced(document, dialog, questions, tmp_path):
    (tmp_path / "a.pdf").write_text("old")
    dialog.path.setText(str(tmp_path / "a.pdf"))
    questions.expect("Cancel", "Replace")
    dialog.accept()
    assert dialog.isVisible()
    assert document.state.cover == Cover()
    dialog.accept()
    assert not dialog.isVisible()


def test_that_the_format_is_that_of_the_last_report(document, dialog, tmp_path, qtbot):
    dialog.format.setCurrentIndex(dialog.format.findData("html"))
    dialog.path.setText(str(tmp_path / "a.html"))
    dialog.accept()
    again = ReportDialog(document, Settings(), LIGHT)
    qtbot.addWidget(again)
    assert again.request().path.name == "decision-report.html"


def test_that_every_part_has_a_name_and_a_letter_of_its_own(dialog):
    for part in (dialog.contents, dialog.question, dialog.chosen, dialog.choice, dialog.reason, dialog.who,
                 dialog.when, dialog.path, dialog.format):
        assert part.accessibleName()
    named = [each for kind in (QLabel, QAbstractButton) for each in dialog.findChildren(kind) if "&" in each.text()]
    letters = [each.text().casefold().partition("&")[2][:1] for each in named]
    assert len(letters) == len(set(letters)) >= 12
    assert all(each.buddy() is not None for each in named if isinstance(each, QLabel))


def test_that_a_question_of_two_wants_says_both_and_a_map_both_parameters(document):
    now = document.state.setting
    assert asked(Solved((WANT, "acceptance@gaussian at records=900 >= 0.1"), ("epsilon", "target"), now)) == (
        "Unrounded uncertain band (Laplace) at most 500 and probability of “yes” (Gaussian) at N = 900 at least 0.1: "
        "ε = 0.0158 and p = 0.5")
    long = setting(Decision, {"epsilon": 0.0156480920216502})
    assert asked(Solved((WANT,), ("epsilon",), long)).endswith("at most 500: ε = 0.01565"), "rounded, never cut"
    facts = ("band_width", "laplace"), ("band_width", "gaussian"), ("acceptance", "laplace")
    assert swept(SweepAsked(("epsilon=0.01:1:5", "minimum=10,2000"), facts, now)) == (
        "unrounded uncertain band and probability of “yes” over ε from 0.01 to 1 (5) and m from 10 to 2\u202f000 (2)")


def test_that_solve_again_hands_over_the_question_and_keeps_the_words(document, dialog, qtbot):
    selected(dialog, "Solved")
    QTest.keyClicks(dialog.choice, "Laplace")
    with qtbot.waitSignal(dialog.asked_again) as asked_again:
        QTest.mouseClick(dialog.again, LEFT)
    assert asked_again.args == [document.state.solved[0]]
    assert not dialog.isVisible()
    assert document.state.cover.choice == "Laplace"


def test_that_it_fits_a_small_screen_in_large_type(document, qtbot):
    made = ReportDialog(document, Settings(), theme.resolve("light", presentation=True))
    qtbot.addWidget(made)
    theme.apply(QApplication.instance(), theme.resolve("light", presentation=True))
    made.show()
    least = made.minimumSizeHint()
    theme.apply(QApplication.instance(), theme.LIGHT)
    assert least.width() <= 1280
    assert least.height() <= 640  # and a title and a panel of the desktop
