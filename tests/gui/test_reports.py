"""Reports from the window: what is kept for them, how they are written beside it, left, opened, and dropped back."""

from __future__ import annotations

import threading

import pypdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import LEFT, answered, drop, type_entry, value

from dpstudio.cli import main
from dpstudio.core.declare import InvalidParameter
from dpstudio.data.origin import Origin
from dpstudio.documents.files import FileProgress
from dpstudio.documents.noted import MOST_SOLVED, MOST_SWEEPS, Cover, Solved, SweepAsked
from dpstudio.documents.report import ReportChoice
from dpstudio.documents.session import Session
from dpstudio.gui.report import writing
from dpstudio.gui.report.dialog import ReportDialog, ReportRequest
from dpstudio.gui.session import recovery
from dpstudio.gui.session.document import Document
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise

CONTROL = Qt.KeyboardModifier.ControlModifier
WANT = "band_width@laplace <= 500"
SMALL = ReportChoice(studies=(Noise,), figures={"noise": ("densities",)})


@pytest.fixture
def document(qapp):
    return Document(Session(Decision))


def test_that_a_question_that_is_answered_is_kept_in_the_step_that_takes_the_answer(document):
    document.solve({"epsilon": 0.0158}, wants=[WANT])
    assert document.state.solved == (Solved((WANT,), ("epsilon",), document.state.setting),)
    assert document.study.epsilon == 0.0158
    document.solve({"epsilon": 0.0158}, wants=[WANT])
    assert document.steps == 1
    document.solve({"epsilon": 0.02}, wants=["band_width@laplace at minimum=10" + "0" * 400 + " <= 500"])
    assert (document.study.epsilon, len(document.state.solved)) == (0.02, 1)
    document.undo()
    document.undo()
    assert (document.set_here, document.state.solved) == ({}, ())


def test_that_a_question_answered_anew_is_the_newest_and_the_oldest_of_too_many_goes(document):
    for i in range(MOST_SOLVED + 1):
        document.solve({"epsilon": 0.1 + i / 2}, wants=[f"band_width@laplace <= {500 + i}"])
    document.solve({"epsilon": 0.5}, wants=["band_width@laplace <= 502"])
    kept = document.state.solved
    assert [each.wants[0].split()[-1] for each in kept] == [str(500 + i) for i in (1, *range(3, MOST_SOLVED + 1), 2)]
    assert kept[-1].setting.study.epsilon == 0.5


def test_that_a_sweep_is_kept_once_with_its_own_study_and_too_many_are_refused(document):
    asked = [SweepAsked((f"sensitivity=1:10:{count}",), (("noise_scale", "laplace"),), Session(Noise).state().setting)
             for count in range(2, MOST_SWEEPS + 3)]
    for each in (*asked[:MOST_SWEEPS], asked[0]):
        document.do("Keep sweep", Session.on, Noise, Session.keep_sweep, each)
    assert document.study_class is Decision
    assert document.session.state(Noise).sweeps == tuple(asked[:MOST_SWEEPS])
    assert (document.steps, document.undo_text) == (MOST_SWEEPS, "Keep sweep")
    with pytest.raises(InvalidParameter, match="sweeps must be at most 10 of one study"):
        document.do("Keep sweep", Session.on, Noise, Session.keep_sweep, asked[-1])
    assert document.steps == MOST_SWEEPS
    document.do("Prepare report", Session.prepare, Cover(who="Privacy office"), None, asked[:3])
    assert document.session.state(Noise).sweeps == tuple(asked[3:MOST_SWEEPS])
    assert document.state.cover.who == "Privacy office"


def wanted(bench, qtbot, text):
    solver = bench.solver
    solver.want(("band_width", "laplace"))
    QTest.keyClicks(solver.bar.rows[0].entry, text)
    qtbot.waitUntil(lambda: not solver.asking.late)
    return solver


def test_that_what_was_taken_is_kept_and_asked_again(bench, qtbot):
    solver = wanted(bench, qtbot, "500")
    entry = solver.bar.rows[0].entry
    QTest.keyClick(entry, Qt.Key.Key_Return)
    kept, = bench.document.state.solved
    assert (kept.wants, kept.names) == ((WANT,), ("epsilon",))
    assert kept.setting.study == bench.document.study
    assert bench.document.steps == 1
    two = Solved(("acceptance@gaussian at records=900, minimum=800 >= 0.9", "band_width@gaussian >= 70"),
                 ("epsilon", "target"), kept.setting)
    mixed = Solved((WANT, "band_width@gaussian <= 700"), ("epsilon", "target"), kept.setting)
    bench.document._show(bench.document.session.keep_solved(kept, two))
    bench.desk.open_study("noise")
    bench.desk.ask_again(two)
    assert bench.document.study_class is Decision
    qtbot.waitUntil(lambda: not solver.asking.late)
    offer, = solver.reply.offers
    assert [str(want) for want in offer.problem.wants] == list(two.wants)
    assert solver.bar.names == two.names
    assert bench.window_.focusWidget() is entry
    with qtbot.waitSignal(solver.said, check_params_cb=bool) as said:
        bench.desk.ask_again(mixed)
    assert said.args == ["It was asked of several at once, and is now asked of Laplace"]
    bench.desk.ask_again(kept)
    qtbot.waitUntil(lambda: not solver.asking.late)
    offer, = solver.reply.offers
    assert [str(want) for want in offer.problem.wants] == [WANT]
    assert solver.bar.answers.choices[0].there
    solver.close()


def test_that_values_pointed_at_that_are_no_answer_are_no_question_answered(bench, qtbot):
    solver = bench.solver
    for epsilon, kept in ((1e-3, 0), (1.0, 1)):
        wanted(bench, qtbot, "300")
        solver.propose({"epsilon": epsilon})
        qtbot.waitUntil(lambda: not solver.asking.late and solver.reply.question.proposed is not None)
        assert solver.reply.first.solution.met is bool(kept)
        solver.take()
        assert value(bench, "epsilon") == epsilon
        assert len(bench.document.state.solved) == kept


# Writing


def exported(bench, qtbot, path, chosen):
    """Write a report without the dialog, and wait until it is there."""
    reports = bench.tools.get("reports")
    with qtbot.waitSignal(reports.moved, check_params_cb=lambda progress: progress is None):
        reports.write(ReportRequest(path, chosen))
    assert path.exists(), bench.window_.notice.label.text()


def test_that_the_dialog_writes_what_the_command_line_does_and_a_notice_opens_it(bench, qtbot, tmp_path, monkeypatch):
    bench.desk.open_study("noise")
    answered(qtbot, bench)
    type_entry(bench, "epsilon", "0.5")
    bench.desk.pin()
    bench.menus.actions["Report…"].trigger()
    dialog = bench.window_.findChild(ReportDialog)
    assert dialog.exact_counts.isHidden()
    QTest.keyClicks(dialog.reason, "Because <b>it</b> is.")
    dialog.format.setCurrentIndex(dialog.format.findData("html"))
    dialog.path.setText(str(tmp_path / "a.html"))
    QTest.mouseClick(dialog.export_button, LEFT)
    notice = bench.window_.notice
    qtbot.waitUntil(notice.isVisible)
    assert notice.label.text() == "Exported a.html"
    assert bench.status.leave.isHidden()
    bench.files.path = tmp_path / "a.dpstudio"
    assert bench.files.save()
    assert main(["report", str(tmp_path / "a.dpstudio"), "--output", str(tmp_path / "b.html")]) == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert b"Because &lt;b&gt;it&lt;/b&gt; is." in (tmp_path / "a.html").read_bytes()
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    assert [notice.button.text(), notice.second.text()] == ["Open", "Show folder"]
    QTest.mouseClick(notice.button, LEFT)
    QTest.mouseClick(notice.second, LEFT)
    assert opened == [str(tmp_path / "a.html"), str(tmp_path)]


def test_that_the_keyboard_alone_leads_from_a_study_to_a_report_that_is_signed(bench, qtbot, tmp_path):
    bench.document.do("Choose", Session.decide, "laplace")
    bench.desk.settings.set_folder("export", tmp_path)
    QTest.keyClick(bench.window_, Qt.Key.Key_R, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), ReportDialog))
    dialog = QApplication.activeModalWidget()
    qtbot.waitUntil(dialog.reason.hasFocus)
    QTest.keyClicks(dialog.focusWidget(), "No delta is spent")
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClicks(dialog.focusWidget(), "Privacy office")
    dialog.appendix.setCurrentIndex(dialog.appendix.findData("none"))
    with qtbot.waitSignal(bench.tools.get("reports").moved, check_params_cb=lambda progress: progress is None):
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    pages = [each.extract_text() for each in pypdf.PdfReader(tmp_path / "decision-report.pdf").pages]
    assert len(pages) == 2
    assert "No delta is spent" in pages[0]
    assert "Privacy office" in pages[0]


class Gate:
    """Steps of a report that go on only when they are let."""

    def __init__(self, monkeypatch):
        self.begun, self.go, self.sessions = threading.Event(), threading.Event(), []
        monkeypatch.setattr(writing, "steps", self._steps)

    def _steps(self, form, session, chosen):
        self.sessions.append(session)
        yield FileProgress(0, 2, "Noise: computing")
        self.begun.set()
        self.go.wait(10)
        yield FileProgress(2, 2, "", b"new")


def test_that_a_report_under_way_is_shown_and_left_with_no_file_and_the_next_is_written(
        bench, qtbot, tmp_path, monkeypatch):
    gate, target = Gate(monkeypatch), tmp_path / "a.html"
    target.write_bytes(b"old")
    bench.tools.get("reports").write(ReportRequest(target, SMALL))
    qtbot.waitUntil(lambda: gate.begun.is_set() and bench.status.leave.isVisible())
    assert bench.status._written.text() == "Report: Noise: computing"
    assert (bench.status.written_bar.value(), bench.status.written_bar.maximum()) == (0, 2)
    QTest.mouseClick(bench.status.leave, LEFT)
    assert bench.status.leave.isHidden()
    assert bench.status.message == "Cancelled: no report was written"
    gate.go.set()
    qtbot.waitUntil(lambda: not bench.files.exporting)
    assert target.read_bytes() == b"old"
    gate.begun.clear()
    gate.go.clear()
    bench.tools.get("reports").write(ReportRequest(target, SMALL))
    assert gate.begun.wait(20)  # and what it told is on its way
    bench.tools.get("reports").leave()
    gate.go.set()
    qtbot.waitUntil(lambda: not bench.files.exporting)
    assert bench.status.leave.isHidden()
    assert not bench.window_.notice.isVisible()
    exported(bench, qtbot, target, SMALL)
    assert target.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["a.html"]


def test_that_the_window_that_is_closed_without_a_report_leaves_it_at_its_next_step(
        bench, qtbot, tmp_path, monkeypatch):
    gate, target = Gate(monkeypatch), tmp_path / "a.html"
    bench.tools.get("reports").write(ReportRequest(target, SMALL))
    qtbot.waitUntil(gate.begun.is_set)
    assert not bench.window_.close()
    notice = bench.window_.notice
    assert (notice.button.text(), notice.second.isVisible()) == ("Close without", False)
    bench.files.abandoned.connect(gate.go.set)  # only then it goes on, to its next step, which would write it
    QTest.mouseClick(notice.button, LEFT)
    assert not bench.window_.isVisible()
    assert gate.go.is_set()
    assert not target.exists()


def test_that_what_cannot_be_written_is_said_and_counts_of_data_stay_here(bench, qtbot, tmp_path, monkeypatch):
    bench.document.do("Count", Session.take, {"records": 1234},
                      Origin("people.csv", "0" * 64, "age >= 65", None, 1, (), ("records",)))
    bench.desk.write_report()
    dialog = bench.window_.findChild(ReportDialog)
    assert dialog.exact_counts.isVisible()
    assert not dialog.request().exact_counts
    dialog.exact_counts.setChecked(True)
    assert dialog.request().exact_counts
    dialog.reject()
    gate = Gate(monkeypatch)
    gate.go.set()
    for exact in (False, True):
        bench.tools.get("reports").write(ReportRequest(tmp_path / "missing" / "a.html", SMALL, exact))
        qtbot.waitUntil(lambda: not bench.files.exporting)
    assert [session.state(Decision).setting.set_here for session in gate.sessions] == [{}, {"records": 1234}]
    assert "a.html: no such file or directory" in bench.window_.notice.label.text()
    assert bench.window_.notice.second.isHidden()
    assert bench.status.leave.isHidden()
    monkeypatch.setattr(writing, "format_of", lambda _: {}["pdf"])
    bench.tools.get("reports").write(ReportRequest(tmp_path / "a.html", SMALL))
    qtbot.waitUntil(lambda: not bench.files.exporting)
    assert bench.window_.notice.label.text() == "The report could not be made (KeyError: 'pdf')."


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_that_a_report_dropped_on_the_window_brings_everything_back(bench, qtbot, tmp_path, ending):
    document, target = bench.document, tmp_path / f"a.{ending}"
    document.set("epsilon", 0.25)
    document.turn(Noise)
    document.set("epsilon", 0.5)
    document.do("Pin", Session.pin)
    document.solve({"epsilon": 0.75}, wants=["noise_sd@laplace <= 2"])
    document.do("Keep sweep", Session.keep_sweep,
                SweepAsked(("sensitivity=1:10:3",), (("noise_scale", "laplace"),), document.state.setting))
    document.do("Prepare report", Session.prepare,
                Cover("Which <b>noise</b>?", who="Privacy office", when="2026-11-22"), None)
    before = document.session
    exported(bench, qtbot, target, SMALL)
    while document.undo_text:
        document.undo()
    document.turn(Decision)
    assert len(document.session.differing(before)) == 2
    with qtbot.waitSignal(bench.files.opened):
        drop(bench.window_, target)
    assert document.session.differing(before) == ()
    assert document.study_class is Noise
    assert bench.files.path is None
    bench.desk.write_report()
    dialog = bench.window_.findChild(ReportDialog)
    listed = dialog.contents.topLevelItem(0)
    assert [listed.child(i).text(0) for i in range(1, listed.childCount())] == [
        "Pinned: ε = 0.5", "Solved: Standard deviation (Laplace) at most 2: ε = 0.75",
        "Sweep: scale of the noise over Δ₁ from 1 to 10 (3)"]
    assert (dialog.question.words, dialog.when.text()) == ("Which <b>noise</b>?", "2026-11-22")
    dialog.reject()


def test_that_words_typed_into_the_dialog_outlive_a_window_that_is_told_to_go(bench):
    bench.desk.write_report()
    dialog = bench.window_.findChild(ReportDialog)
    QTest.keyClicks(dialog.choice, "Laplace")
    bench.window_.leave()
    assert recovery.kept().session.state(Decision).cover.choice == "Laplace"
