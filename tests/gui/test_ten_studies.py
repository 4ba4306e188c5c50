"""All studies come back: after the window was closed, after a kill, from a file, and with one question at most."""

from __future__ import annotations

import signal

import pytest
from process_kit import ROOT
from window_kit import answered, closed, open_file, opened, type_entry, value

from dpstudio.documents import session_file
from dpstudio.documents.noted import Cover, PictureNote, Solved, SweepAsked
from dpstudio.documents.session import Session
from dpstudio.gui.session import recovery
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies import all_studies
from dpstudio.studies.decision import RECORDS_TABLE, Decision
from dpstudio.studies.noise import Noise

OLD = ROOT / "tests" / "documents" / "sessions"
STUDIES = tuple(all_studies().values())


def whole_number(study_class) -> str:
    """A parameter that takes the numbers below."""
    names = study_class.numbers(each.name for each in study_class.parameters())
    return next(name for name in ("seed", "releases", "precision") if name in names)


def edit_all(document) -> None:
    """Give every study values, two pins, a hidden curve, a view, a note and what else can be noted."""
    for i, study_class in enumerate(STUDIES):
        name = whole_number(study_class)
        document.turn(study_class)
        document.set(name, 100 + i)
        document.do("Pin", Session.pin)
        document.set(name, 200 + i)
        document.do("Pin", Session.pin)
        document.set(name, i + 1)
        document.show(Session.having, hidden=frozenset({f"curve {i}"}))
        document.show(Session.look, study_class.figures[0].table, (0.25, 1.5 + i))
        document.show(Session.having, note=f"note {i}")
        document.do("Note on picture", Session.swap, "picture_notes", None,
                    PictureNote(study_class.figures[0].key, f"on it {i}", (1.0 + i, 0.5)))
        document.do("Take snapshot", Session.keep, f"snapshot {i}", "why")
    session = document.session
    for i, study_class in enumerate(STUDIES):
        session = session.turn(study_class).having(cover=Cover(f"question {i}"))
    now = session.turn(Decision).state().setting
    session = session.turn(Decision).keep_solved(Solved(("band_width@laplace <= 500",), ("epsilon",), now))
    session = session.having(sweeps=(SweepAsked(("epsilon=0.1:1:4",), (("band_width", "laplace"),), now),))
    document.open(session.turn(STUDIES[-1]), in_file=False)


def all_edited() -> Session:
    """The same session, of a document without a window."""
    document = Document(Session(Decision))
    edit_all(document)
    return document.session


def assert_all(session: Session) -> None:
    assert session.study_class is STUDIES[-1]
    for i, study_class in enumerate(STUDIES):
        state, name = session.state(study_class), whole_number(study_class)
        assert state.setting.set_here == {name: i + 1}
        assert [pin.set_here for pin in state.pins] == [{name: 100 + i}, {name: 200 + i}]
        assert (state.hidden, state.note) == ({f"curve {i}"}, f"note {i}")
        assert state.views == {study_class.figures[0].table: (0.25, 1.5 + i)}
        assert state.picture_notes == (PictureNote(study_class.figures[0].key, f"on it {i}", (1.0 + i, 0.5)),)
        assert state.cover == Cover(f"question {i}")
        (kept,) = state.snapshots
        assert (kept.name, kept.note, len(kept.state.pins)) == (f"snapshot {i}", "why", 2)
        assert kept.state.setting.set_here == state.setting.set_here
    state = session.state(Decision)
    assert [each.wants for each in state.solved] == [("band_width@laplace <= 500",)]
    assert [each.over for each in state.sweeps] == [("epsilon=0.1:1:4",)]


def test_that_every_study_with_pins_and_views_returns_at_the_next_start_and_nothing_is_asked(qtbot):
    window = opened(qtbot)
    window.findChild(Workbench).document.open(all_edited(), in_file=False)
    assert window.close()
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert_all(bench.document.session)
    assert set(bench.document.unsaved) == set(STUDIES), "they are in no file"
    assert not bench.document.undo_text
    closed(window)


def test_that_one_save_keeps_every_study_in_one_file_that_brings_all_back(bench, qtbot, tmp_path):
    def bare(session):
        for study_class in STUDIES:
            session = session.turn(study_class)
            session = session.look_away(*session.state().views).having(hidden=frozenset())
        return session

    bench.document.open(all_edited(), in_file=False)
    bench.files.path = tmp_path / "all.dpstudio"
    assert bench.files.save()
    assert not bench.window().isWindowModified()
    bench.document.show(bare)
    open_file(qtbot, bench, tmp_path / "all.dpstudio")
    assert_all(bench.document.session)
    answered(qtbot, bench)
    assert bench.answers.windows[STUDIES[-1].figures[0].table] == (0.25, 1.5 + len(STUDIES) - 1)
    bench.document.undo()
    assert not bench.document.session.state(Noise).hidden


KILLED = """
import os, signal, sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests/gui"]
from PySide6.QtCore import QTimer
from dpstudio.gui.shell import app, workbench

made = workbench.Workbench.__init__

def made_and_edited(self, *args):
    made(self, *args)
    from test_ten_studies import edit_all
    def edit():
        edit_all(self.document)
        self.files._autosave.setInterval(1)
        self.files._autosave.start()
        self.files._autosave.timeout.connect(lambda: os.kill(os.getpid(), signal.SIGKILL))
    QTimer.singleShot(0, edit)

workbench.Workbench.__init__ = made_and_edited
app.main()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal here")
def test_that_every_study_with_pins_and_views_returns_after_a_kill(qtbot, well_read):
    ended = well_read.run(KILLED, ROOT)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert_all(recovery.kept().session)
    window = opened(qtbot)
    assert_all(window.findChild(Workbench).document.session)
    closed(window)


@pytest.mark.parametrize(("answer", "kept"), [("Save", 5), ("Discard", 1)])
def test_that_quitting_asks_once_naming_the_studies_and_does_the_same_to_all(qtbot, questions, tmp_path, answer, kept):
    window = opened(qtbot)
    bench, path = window.findChild(Workbench), tmp_path / "mine.dpstudio"
    for key in ("noise", "decision", "mean"):
        bench.desk.open_study(key)
        bench.document.set("seed", 1)
    bench.files.path = path
    bench.files.save()
    for key in ("mean", "noise", "decision"):
        bench.desk.open_study(key)
        bench.document.set("seed", 5)
    questions.expect(answer)
    assert window.close()
    closed(window)
    assert len(questions.asked) == 1
    assert "mine.dpstudio has changes that are not saved, in " in questions.asked[0]
    assert all(all_studies()[key].title in questions.asked[0] for key in ("noise", "decision", "mean"))
    for session in (session_file.load(path), recovery.kept().session):
        assert {session.state(all_studies()[key]).setting.study.seed for key in ("noise", "decision", "mean")} == {kept}
    assert not recovery.kept().session.differing(recovery.kept().saved)


def test_that_opening_asks_once_about_all_that_the_file_would_replace(bench, qtbot, questions, tmp_path):
    session_file.save(tmp_path / "all.dpstudio", Session.of(Noise, {"epsilon": 7}).whole(STUDIES))
    type_entry(bench, "epsilon", "0.5")
    bench.desk.open_study("mean")
    bench.document.set("seed", 5)
    questions.expect("Discard")
    open_file(qtbot, bench, tmp_path / "all.dpstudio")
    assert "“Decision” and “Mean” have changes that are in no file." in questions.asked[0]
    assert (bench.document.study_class, value(bench, "epsilon")) == (Noise, 7)
    assert not bench.document.unsaved


def test_that_opening_what_is_there_already_asks_nothing(bench, qtbot, tmp_path):
    type_entry(bench, "epsilon", "0.5")
    session_file.save(tmp_path / "same.dpstudio", Session.of(Decision, {"epsilon": 0.5}))
    open_file(qtbot, bench, tmp_path / "same.dpstudio")
    assert not bench.document.unsaved


def test_that_a_session_with_changes_is_not_left_for_another_unasked(bench, qtbot, questions, tmp_path):
    bench.files.path = tmp_path / "mine.dpstudio"
    bench.files.save()
    bench.desk.open_study("noise")
    bench.document.set("epsilon", 3)
    bench.desk.open_study("decision")
    session_file.save(tmp_path / "other.dpstudio", Session.of(Decision, {"epsilon": 7}))
    questions.expect("Save")
    open_file(qtbot, bench, tmp_path / "other.dpstudio")
    assert "mine.dpstudio has changes that are not saved, in Noise." in questions.asked[0]
    assert session_file.load(tmp_path / "mine.dpstudio").state(Noise).setting.set_here == {"epsilon": 3}
    assert bench.files.path.name == "other.dpstudio"


OLDER = {"epsilon": 0.2, "minimum": 700, "records": 1020}
"""What the older sessions say, to whom N did not follow m."""


@pytest.mark.parametrize("name", ["format-1.dpstudio", "format-2.dpstudio"])
def test_that_a_session_of_an_older_format_opens_and_is_saved_with_every_study(bench, qtbot, tmp_path, name):
    path = tmp_path / name
    path.write_bytes((OLD / name).read_bytes())
    bench.desk.open_study("noise")
    bench.document.set("epsilon", 3)
    open_file(qtbot, bench, path)
    assert (bench.document.study_class, bench.document.set_here) == (Decision, OLDER)
    assert not bench.window().isWindowModified(), "the file holds one study, and that as it stands"
    assert bench.files.save()
    found = session_file.load(path)
    assert (found.state().setting.set_here, found.state(Noise).setting.set_here) == (OLDER, {"epsilon": 3})


def test_that_a_picture_brings_its_values_and_leaves_pins_other_studies_and_the_file(bench, qtbot, tmp_path):
    bench.files.path = tmp_path / "mine.dpstudio"
    bench.desk.pin()
    bench.files.save()
    bench.desk.open_study("noise")
    open_file(qtbot, bench, OLD / "format-3.svg")
    assert (bench.document.study_class, bench.document.set_here) == (Decision, OLDER)
    assert len(bench.document.state.pins) == 1
    assert bench.files.path.name == "mine.dpstudio"
    assert bench.window().isWindowModified(), "its values are not in that file"


def test_that_what_a_session_shows_is_seen_at_once(bench, qtbot):
    open_file(qtbot, bench, OLD / "format-3.dpstudio")
    answered(qtbot, bench)
    view = bench.pictures.large
    assert (view.current_figure().key, view.hidden) == ("tails", {"cutoff", "generalized"})
    assert bench.answers.windows[RECORDS_TABLE] == (650.0, 750.5)
    qtbot.waitUntil(lambda: view.canvas.window() == (650.0, 750.5))
    qtbot.waitUntil(lambda: [each.title for each in bench.pins._told] == ["ε = 0.1", "ε = 0.5"])
    bench.desk.open_study("noise")
    assert value(bench, "epsilon") == 3
    assert not bench.pictures.hidden
    bench.desk.open_study("decision")
    answered(qtbot, bench)
    view = bench.pictures.large
    assert (view.current_figure().key, view.hidden) == ("tails", {"cutoff", "generalized"})
    assert bench.answers.windows[RECORDS_TABLE] == (650.0, 750.5)


def test_that_hiding_a_curve_asks_no_answer_anew(bench, qtbot, monkeypatch):
    qtbot.waitUntil(lambda: bench.answers.latest[0].done == bench.answers.latest[0].total)
    asked, start = [], bench.answers._worker.start
    monkeypatch.setattr(bench.answers._worker, "start",
                        lambda work, *more, **told: (asked.append(work), start(work, *more, **told)))
    bench.pictures.chips.hidden_changed.emit(frozenset({"cutoff"}))
    assert bench.document.state.hidden == {"cutoff"}
    assert all(view.hidden == {"cutoff"} for view in bench.pictures.views)
    bench.desk.pin()
    bench.document.show(Session.having, note="a note")
    assert not asked
    bench.document.set("epsilon", 0.5)
    assert len(asked) == 1


def test_that_the_first_answer_is_to_all_that_is_in_view(qtbot):
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    qtbot.waitUntil(lambda: sum(not label.isHidden() for label in bench.page.sentences.verdict._labels) > 1)
    closed(window)
