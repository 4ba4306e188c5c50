"""What is in no file is not given up unasked, and no file is overwritten unasked."""

from __future__ import annotations

import os

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from window_kit import closed, open_file, opened, type_entry, value

from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.gui.pictures.export_dialog import ExportDialog
from dpstudio.gui.session import recovery
from dpstudio.gui.shell.questions import shown
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise


@pytest.fixture
def mine(bench, tmp_path):
    """A session that is open, saved and changed since."""
    path = tmp_path / "mine.dpstudio"
    type_entry(bench, "epsilon", "0.25")
    bench.files.path = path
    assert bench.files.save()
    type_entry(bench, "epsilon", "0.5")
    return path


def epsilon_in(path):
    return session_file.load(path).explicit["epsilon"]


def choosing(monkeypatch, path, kind=""):
    """Let the dialog that asks for a file give this one; what it was asked not to do itself is kept."""
    options = []

    def chosen(*_, **given):
        options.append(given.get("options"))
        return str(path), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", chosen)
    return options


@pytest.mark.parametrize(("answer", "kept", "in_file"), [("Save", 0.5, 0.5), ("Discard", 0.25, 0.25)])
def test_that_quitting_asks_once_about_a_session_with_changes(qtbot, questions, tmp_path, answer, kept, in_file):
    window = opened(qtbot)
    bench, path = window.findChild(Workbench), tmp_path / "mine.dpstudio"
    type_entry(bench, "epsilon", "0.25")
    bench.files.path = path
    bench.files.save()
    type_entry(bench, "epsilon", "0.5")
    questions.expect(answer)
    assert window.close()
    closed(window)
    assert len(questions.asked) == 1
    assert "mine.dpstudio has changes that are not saved, in Decision." in questions.asked[0]
    assert epsilon_in(path) == in_file
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert value(bench, "epsilon") == kept
    assert bench.files.path == path
    assert not bench.document.unsaved
    closed(window)


def test_that_quitting_can_be_called_off(bench, questions, mine):
    questions.expect("Cancel")
    assert not bench.window_.close()
    assert bench.window_.isVisible()
    assert (value(bench, "epsilon"), epsilon_in(mine)) == (0.5, 0.25)


def test_that_quitting_asks_about_every_study_that_is_not_saved_in_one_question(bench, questions, mine):
    bench.desk.open_study("noise")
    bench.document.set("epsilon", 3)
    bench.desk.open_study("posterior")
    questions.expect("Save")
    assert bench.files.may_close()
    assert len(questions.asked) == 1
    assert "mine.dpstudio has changes that are not saved, in Decision and Noise." in questions.asked[0]
    found = session_file.load(mine)
    assert (found.study_class.key, found.state(Decision).setting.study.epsilon) == ("posterior", 0.5)
    assert found.state(Noise).setting.study.epsilon == 3
    assert bench.document.study_class.key == "posterior"


def test_that_quitting_asks_nothing_where_no_session_is_open_and_every_study_returns(qtbot):
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    bench.document.set("epsilon", 0.75)
    bench.desk.open_study("noise")
    bench.document.set("epsilon", 3)
    bench.desk.open_study("response")
    assert window.close()
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert bench.document.study_class.key == "response"
    assert not window.isWindowModified()
    bench.desk.open_study("noise")
    assert value(bench, "epsilon") == 3
    assert set(bench.document.unsaved) == {Decision, Noise}, "they are in no file"
    bench.desk.open_study("decision")
    assert value(bench, "epsilon") == 0.75
    closed(window)


def test_that_a_session_with_changes_is_still_one_after_a_crash(qtbot, questions, tmp_path):
    window = opened(qtbot)
    bench, path = window.findChild(Workbench), tmp_path / "mine.dpstudio"
    bench.files.path = path
    bench.files.save()
    bench.document.set("epsilon", 0.5)
    bench.files.keep()
    bench.files._autosave.stop()
    bench.files.keep = lambda: None  # nothing more is written, as after a crash
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert (bench.files.path, value(bench, "epsilon"), window.isWindowModified()) == (path, 0.5, True)
    assert bench.files.save(), "and the file was changed by nobody"
    closed(window)


def test_that_opening_another_session_asks_about_changes(bench, qtbot, questions, mine, tmp_path):
    session_file.save(tmp_path / "other.dpstudio", Session.of(Decision, {"epsilon": 7}))
    for asked, (answer, opens, in_file) in enumerate(
            (("Cancel", False, 0.25), ("Discard", True, 0.25), ("Save", True, 0.5)), 1):
        questions.expect(answer)
        if opens:
            open_file(qtbot, bench, tmp_path / "other.dpstudio")
        else:
            bench.files.open_path(str(tmp_path / "other.dpstudio"))
            qtbot.waitUntil(lambda: bool(questions.asked) and QApplication.activeModalWidget() is None)
        assert value(bench, "epsilon") == (7 if opens else 0.5)
        assert bench.files.path.name == ("other.dpstudio" if opens else "mine.dpstudio")
        assert epsilon_in(mine) == in_file
        assert len(questions.asked) == asked
        if answer == "Discard":
            open_file(qtbot, bench, mine)
            type_entry(bench, "epsilon", "0.5")


def test_that_opening_asks_where_values_are_in_no_file_and_not_about_other_studies(bench, qtbot, questions, tmp_path):
    session_file.save(tmp_path / "noise.dpstudio", Session.of(Noise, {"epsilon": 7}))
    session_file.save(tmp_path / "decision.dpstudio", Session.of(Decision, {"epsilon": 7}))
    type_entry(bench, "epsilon", "0.5")
    open_file(qtbot, bench, tmp_path / "noise.dpstudio")
    assert not questions.asked, "the decision is as it was"
    questions.expect("Discard")
    open_file(qtbot, bench, tmp_path / "decision.dpstudio")
    assert "“Decision” has changes that are in no file" in questions.asked[0]


def test_that_what_a_preset_brings_back_is_given_up_unasked_and_what_was_noted_beside_it_is_not(
        bench, qtbot, questions, tmp_path):
    session_file.save(tmp_path / "decision.dpstudio", Session.of(Decision, {"epsilon": 7}))
    bench.desk.apply_preset(Decision.presets[0])
    assert bench.document.unsaved
    bench.document.do("Take snapshot", Session.keep, "mine")
    questions.expect("Cancel")
    bench.files.open_path(str(tmp_path / "decision.dpstudio"))
    qtbot.waitUntil(lambda: bool(questions.asked) and QApplication.activeModalWidget() is None)
    assert "in no file" in questions.asked[0]
    bench.document.undo()
    open_file(qtbot, bench, tmp_path / "decision.dpstudio")
    assert value(bench, "epsilon") == 7
    assert len(questions.asked) == 1


def test_that_a_session_keeps_what_it_has_of_one_study_when_it_is_saved_from_another(bench, mine):
    bench.desk.open_study("noise")
    assert bench.files.path == mine
    bench.document.set("epsilon", 3)
    bench.menus.actions["Save session"].trigger()
    found = session_file.load(mine)
    assert found.study_class is Noise
    assert found.state().setting.set_here == {"epsilon": 3}
    assert found.state(Decision).setting.set_here == {"epsilon": 0.5}
    assert set(found.states) == set(all_studies().values())
    assert not bench.window().isWindowModified()
    assert bench.window().windowTitle().startswith("mine[*]")


def test_that_saving_as_a_file_that_exists_asks_once(bench, questions, monkeypatch, tmp_path):
    for typed in ("one.dpstudio", "two"):
        taken = (tmp_path / typed).with_suffix(".dpstudio")
        taken.write_text("something else")
        options = choosing(monkeypatch, tmp_path / typed)
        for answer in ("Cancel", "Replace"):
            questions.expect(answer)
            assert bench.files.save_as() == (answer == "Replace")
            assert (taken.read_text() == "something else") == (answer == "Cancel")
        assert options == [QFileDialog.Option.DontConfirmOverwrite] * 2, "else it is asked twice"
    assert len(questions.asked) == 4


def test_that_exported_data_never_replace_a_file_unasked(bench, questions, monkeypatch, tmp_path):
    facts, everything = "CSV, the facts (*.csv)", "JSON, everything (*.json)"
    for typed, kind, name in (("taken.csv", facts, "taken.csv"), ("taken", facts, "taken.csv"),
                              ("taken", everything, "taken.json")):
        taken = tmp_path / name
        taken.write_text("something else")
        options = choosing(monkeypatch, tmp_path / typed, kind)
        questions.expect("Cancel")
        bench.outgoing.export_data()
        assert not bench.files.exporting
        assert taken.read_text() == "something else"
        assert options == [QFileDialog.Option.DontConfirmOverwrite]


def test_that_the_offered_file_of_an_export_is_not_replaced_unasked_nor_what_is_in_a_folder(
        bench, qtbot, questions, tmp_path):
    taken = tmp_path / "taken.svg"
    taken.write_text("something else")
    bench.outgoing.export_picture("acceptance")
    dialog = bench.window().findChild(ExportDialog)
    dialog.path.setText(str(taken))
    for answer in ("Cancel", "Replace"):
        questions.expect(answer)
        dialog.accept()
        assert bench.files.exporting == (answer == "Replace")
        qtbot.waitUntil(lambda: not bench.files.exporting)
        assert (taken.read_text() == "something else") == (answer == "Cancel")
    bench.outgoing.export_picture(everything=True)
    dialog = bench.window().findChildren(ExportDialog)[-1]
    (tmp_path / "decision-acceptance.svg").write_text("something else")
    dialog.path.setText(str(tmp_path))
    questions.expect("Cancel")
    dialog.accept()
    assert f"1 of these {len(Decision.figures)} files exist already" in questions.asked[-1]
    assert "decision-acceptance.svg" in questions.asked[-1]
    assert dialog.isVisible()
    dialog.reject()


def test_that_a_file_changed_by_another_is_not_overwritten_unasked(bench, questions, monkeypatch, mine, tmp_path):
    beside = tmp_path / "beside.dpstudio"
    choosing(monkeypatch, beside)
    for answer, kept in (("Cancel", 9), ("Replace", 0.5), ("Save as another file…", 9)):
        bench.document.edit("epsilon", 0.5)
        session_file.save(mine, Session.of(Decision, {"epsilon": 9}))
        questions.expect(answer)
        bench.files.save()
        assert "has changed on the disk" in questions.asked[-1]
        assert epsilon_in(mine) == kept
        assert beside.exists() == (answer == "Save as another file…")
        assert bool(bench.document.unsaved) == (answer == "Cancel")
        bench.document.edit("epsilon", 0.75)
    assert len(questions.asked) == 3


def test_that_of_two_windows_on_one_session_the_second_to_save_is_asked(bench, qtbot, questions, tmp_path):
    path = tmp_path / "mine.dpstudio"
    session_file.save(path, Session.of(Decision, {"epsilon": 0.25}))
    other = opened(qtbot)
    second = other.findChild(Workbench)
    for each in (bench, second):
        open_file(qtbot, each, path)
    bench.document.set("epsilon", 0.5)
    second.document.set("epsilon", 0.75)
    assert bench.files.save()
    questions.expect("Cancel")
    assert not second.files.save()
    assert epsilon_in(path) == 0.5
    closed(other)


def test_that_a_session_that_was_saved_is_known_after_a_crash(qtbot, tmp_path):
    window = opened(qtbot)
    bench, path = window.findChild(Workbench), tmp_path / "mine.dpstudio"
    bench.document.set("epsilon", 0.5)
    bench.files.path = path
    bench.files.save()
    bench.files._autosave.stop()
    bench.files.keep = lambda: None  # nothing more is written, as after a crash
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert (bench.files.path, value(bench, "epsilon"), window.isWindowModified()) == (path, 0.5, False)
    closed(window)


def test_that_a_save_cut_short_by_a_kill_is_no_change_by_another(qtbot, questions, tmp_path, monkeypatch):
    window = opened(qtbot)
    bench, path = window.findChild(Workbench), tmp_path / "mine.dpstudio"
    bench.files.path = path
    bench.files.save()
    bench.document.set("epsilon", 0.5)

    def killed():
        bench.files._autosave.stop()
        bench.files.keep = lambda: None  # nothing more is written

    written = session_file.save
    monkeypatch.setattr(session_file, "save", lambda *what: (written(*what), killed()))
    bench.files.save()
    monkeypatch.setattr(session_file, "save", written)
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert (bench.files.path, value(bench, "epsilon"), epsilon_in(path)) == (path, 0.5, 0.5)
    bench.document.set("epsilon", 0.75)
    assert bench.files.save()
    assert (questions.asked, epsilon_in(path)) == ([], 0.75)
    closed(window)


def test_that_of_two_windows_each_keeps_the_studies_that_it_changed(qtbot):
    first = opened(qtbot)
    second = opened(qtbot)
    one, two = first.findChild(Workbench), second.findChild(Workbench)
    two.document.set("epsilon", 0.25)
    two.files.keep()
    one.desk.open_study("noise")
    one.document.set("epsilon", 3)
    one.files.keep()
    two.desk.open_study("response")
    two.desk.open_study("noise")  # as it was when the second began
    closed(second)
    closed(first)
    kept = recovery.kept().session
    assert (kept.state(Decision).setting.set_here, kept.state(Noise).setting.set_here) == (
        {"epsilon": 0.25}, {"epsilon": 3})
    assert kept.study_class is Noise


def test_that_a_value_that_one_of_two_windows_takes_back_is_taken_back(qtbot):
    first = opened(qtbot)
    second = opened(qtbot)
    one, two = first.findChild(Workbench), second.findChild(Workbench)
    one.document.set("epsilon", 0.25)
    one.files.keep()
    two.files.keep()
    one.document.undo()
    closed(first)
    closed(second)
    assert recovery.kept().session.explicit.get("epsilon") != 0.25


def test_that_a_file_that_was_removed_is_written_anew_and_one_that_another_wrote_the_same_into_saved_unasked(
        bench, mine, questions):
    mine.unlink()
    assert bench.files.save()
    assert "it had been removed" in bench.status.message
    assert epsilon_in(mine) == 0.5
    bench.document.set("epsilon", 9)
    session_file.save(mine, Session.of(Decision, {"epsilon": 9}))
    assert bench.files.save()
    assert (questions.asked, bench.document.unsaved) == ([], ())


def test_that_a_file_that_cannot_be_saved_stays_unsaved(bench, mine, monkeypatch):
    folder = mine.parent / "folder"
    bench.files.path = folder / "mine.dpstudio"
    assert not bench.files.save()
    assert "no such file" in bench.window_.notice.label.text()
    assert bench.document.unsaved


def test_that_odd_names_are_shown_as_plain_text_of_bounded_length(bench, qtbot, tmp_path):
    for name in ("a[*]b", "<b>x&", "line\nbreak", "ä" * 120, os.fsdecode(b"\xff\xfe-name")):
        path = tmp_path / f"{name}.dpstudio"
        session_file.save(path, Session.of(Decision, {"epsilon": 7}))
        open_file(qtbot, bench, path)
        title = bench.window().windowTitle()
        assert title.isprintable(), ascii(name)
        assert len(title) < 100, ascii(name)
        assert title.replace("[*][*]", "").count("[*]") == 1, ascii(name)
        type_entry(bench, "epsilon", "0.5")
        assert bench.files.save()
        assert bench.status.message.startswith(f"Saved {shown(path)}")
        bench.files.keep()
        assert recovery.kept().place.path == path
