"""What a picture, a report or numbers bring into the window, what stays there, and what is asked before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QMessageBox
from window_kit import answered, closed, drop, open_file, opened, value

from dpstudio.core.study import answer
from dpstudio.documents import session_file, tables
from dpstudio.documents.noted import Cover, PictureNote
from dpstudio.documents.session import Session
from dpstudio.gui.data.dialog import DataDialog
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise

OLD = Path(__file__).parent.parent / "documents" / "sessions"
MARKUP = "#panic() <b>bold</b><img src='/etc/passwd'>&amp;\u202e"


def state(bench):
    return bench.document.state


@pytest.mark.parametrize("name", ["format-5.svg", "format-5.json"])
def test_that_a_dropped_file_brings_all_that_it_shows_and_one_undo_takes_it_back(bench, qtbot, name):
    with qtbot.waitSignal(bench.files.opened):
        drop(bench.window(), OLD / name)
    answered(qtbot, bench)
    kept = session_file.load(OLD / "format-5.dpstudio").state()
    found = state(bench)
    assert found.setting.bare == kept.setting.bare
    assert [pin.bare for pin in found.pins] == [pin.bare for pin in kept.pins]
    assert (found.hidden, found.note, found.picture_notes, found.cover) == (
        kept.hidden, kept.note, kept.picture_notes, kept.cover)
    assert (found.views, found.snapshots, found.solved, found.sweeps) == ({}, (), (), ())
    if name != "format-5.json":
        assert bench.pictures.large.current_figure().key == "tails"
    assert bench.files.path is None, "it is no session that could be saved to"
    bench.document.undo()
    assert (bench.document.set_here, state(bench).pins, state(bench).note) == ({}, (), "")


def test_that_what_a_picture_has_none_of_stays_and_is_unsaved_as_before(bench, qtbot, questions, tmp_path):
    session_file.save(tmp_path / "plain.dpstudio", Session.of(Decision, {"epsilon": 0.5}))
    session = session_file.load(tmp_path / "plain.dpstudio")
    tables.write_csv(tmp_path / "plain.csv", session, answer(session.study, simulate=False))
    bench.document.do("Pin", Session.pin)
    bench.document.show(Session.having, note="mine")
    bench.document.show(Session.having, hidden=frozenset({"laplace"}))
    session = bench.document.session.keep("then").having(picture_notes=(PictureNote("tails", "here"),))
    bench.document.open(session.having(cover=Cover(who="me")), in_file=False)
    before = state(bench)
    questions.expect("Discard")
    open_file(qtbot, bench, tmp_path / "plain.csv")
    assert value(bench, "epsilon") == 0.5
    assert state(bench) == replace(before, setting=session_file.load(tmp_path / "plain.csv").facing(
        bench.document.session.attacker).state().setting)
    assert bench.document.unsaved == (Decision,), "pins and notes are in no file yet"
    open_file(qtbot, bench, tmp_path / "plain.csv")  # nothing is lost by it, and nothing is asked
    bench.document.set("epsilon", 0.7)
    questions.expect("Cancel")
    bench.files.open_path(str(tmp_path / "plain.csv"))
    qtbot.waitUntil(lambda: len(questions.asked) == 2)
    assert value(bench, "epsilon") == 0.7


def test_that_a_report_restores_the_whole_session_and_does_not_become_its_file(bench, qtbot, tmp_path):
    bench.files.path = tmp_path / "mine.dpstudio"
    bench.desk.pin()
    assert bench.files.save()
    open_file(qtbot, bench, OLD / "format-5.html")
    kept = session_file.load(OLD / "format-5.dpstudio")
    assert state(bench).snapshots[0].name == "before"
    assert session_file.text(bench.document.session.turn(Decision)) == session_file.text(
        bench.document.session.open(kept)), "every study, whole"
    assert bench.files.path.name == "mine.dpstudio"
    assert bench.window().isWindowModified(), "it is not in that file"
    assert value(bench, "minimum") == 700
    assert bench.document.session.state(Noise).setting.set_here == {"epsilon": 3}


def test_that_a_report_is_asked_about_where_something_in_no_file_would_be_lost(bench, qtbot, questions):
    bench.document.show(Session.having, note="mine")
    questions.expect("Cancel")
    bench.files.open_path(str(OLD / "format-5.html"))
    qtbot.waitUntil(lambda: bool(questions.asked))
    assert "“Decision”" in questions.asked[0]
    assert state(bench).note == "mine"


def test_that_snapshots_of_a_preset_are_not_given_up_without_a_question(bench, qtbot, questions, tmp_path):
    session_file.save(tmp_path / "a.dpstudio", Session.of(Decision, {"epsilon": 0.5}))
    preset = Decision.presets[0]
    bench.document.open(Session.of(Decision, preset.values).keep("then"), in_file=False)
    questions.expect("Cancel")
    bench.files.open_path(str(tmp_path / "a.dpstudio"))
    qtbot.waitUntil(lambda: bool(questions.asked))
    assert state(bench).snapshots


def test_that_a_table_of_ours_that_is_damaged_is_refused_and_one_without_a_session_is_data(bench, qtbot, tmp_path):
    ours = (OLD / "format-5.csv").read_text("utf-8")
    (tmp_path / "newer.csv").write_text(ours.replace('"format": 5', '"format": 99'), "utf-8")
    (tmp_path / "old.csv").write_text("".join(line for line in ours.splitlines(True) if "session" not in line), "utf-8")
    drop(bench.window(), tmp_path / "newer.csv")
    qtbot.waitUntil(bench.window_.notice.isVisible)
    assert "a newer DP Studio wrote it" in bench.window_.notice.label.text()
    assert not bench.document.set_here
    drop(bench.window(), tmp_path / "old.csv")
    qtbot.waitUntil(lambda: bench.window().findChild(DataDialog) is not None)
    bench.window().findChild(DataDialog).close()


def test_that_words_of_a_session_are_shown_as_they_stand(qtbot, tmp_path, questions):
    path = tmp_path / "<b>a&.html"
    session = Session.of(Decision, {"epsilon": 0.5}).having(
        note=MARKUP, cover=Cover(MARKUP, who=MARKUP),
        picture_notes=(PictureNote("acceptance", MARKUP, (1000.0, 0.5)),)).pin()
    session = session.having(snapshots=session.keep(MARKUP, MARKUP).state().snapshots)
    session_file.save(tmp_path / "a.dpstudio", session)
    path.write_text((OLD / "format-5.html").read_text("utf-8"), "utf-8")
    window = opened(qtbot, session=str(tmp_path / "a.dpstudio"))
    bench = window.findChild(Workbench)
    qtbot.waitUntil(lambda: state(bench).note == MARKUP)
    answered(qtbot, bench)
    bench.document.show(Session.having, note=MARKUP + "x")
    questions.expect("Cancel")
    bench.files.open_path(str(path))
    qtbot.waitUntil(lambda: bool(questions.asked))
    assert "<b>a&.html" in questions.asked[0]
    formats = {label.textFormat().name for box in window.findChildren(QMessageBox)
               for label in box.findChildren(QLabel) if "<b>" in label.text()}
    assert formats <= {"PlainText"}
    rich = [label.text() for label in window.findChildren(QLabel)
            if "panic" in label.text() and label.textFormat().name != "PlainText"]
    assert not rich
    closed(window)
