"""Snapshots are taken, listed, gone back to, pinned, edited and removed, each a step that can be undone."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_kit import LEFT, answered

from dpstudio.documents.noted import MOST_ON_PICTURES, PictureNote
from dpstudio.documents.session import Session
from dpstudio.documents.state import MOST_SNAPSHOTS
from dpstudio.gui.controls.text_box import NoteEditor
from dpstudio.gui.history import form as forms
from dpstudio.gui.history.form import SnapshotForm, now, proposed
from dpstudio.gui.history.pane import HistoryPane
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell import about
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """A clock that goes on by a minute."""
    times = iter(f"2026-11-22T15:{i:02}" for i in range(60))
    monkeypatch.setattr(forms, "now", lambda: next(times))


def form(bench) -> SnapshotForm:
    return next(each for each in bench.window_.findChildren(SnapshotForm) if each.isVisible())


def keep(bench, name: str = "", note: str = "") -> None:
    """Take a snapshot through the menu."""
    bench.menus.actions["Keep snapshot…"].trigger()
    asked = form(bench)
    if name:
        asked.name.selectAll()
        QTest.keyClicks(asked.name, name)
    asked.note.setPlainText(note)
    QTest.keyClick(asked.name, Qt.Key.Key_Return)


@pytest.fixture
def history(bench) -> HistoryPane:
    """The list, with two snapshots: “first” at ε = 0.2 with a pin, and “second” at ε = 0.4."""
    bench.document.set("epsilon", 0.2)
    bench.document.do("Pin", Session.pin)
    bench.document.show(Session.look, "records", (950.0, 1050.0))
    keep(bench, "first", "why <b>it</b>")
    bench.document.set("epsilon", 0.4)
    bench.document.do("Remove all pins", Session.unpin)
    bench.document.show(Session.look_away, "records")
    keep(bench, "second")
    bench.document.set("epsilon", 0.8)
    bench.menus.actions["Snapshots…"].trigger()
    yield bench.tools.made("history")
    bench.tools.made("history").close()


def rows(history) -> list[list[str]]:
    found = (history.list.topLevelItem(i) for i in range(history.list.topLevelItemCount()))
    return [[item.text(column) for column in range(3)] for item in found]


def choose(history, row: int) -> None:
    history.list.setCurrentItem(history.list.topLevelItem(row))


def push(button: QPushButton) -> None:
    QTest.mouseClick(button, LEFT)


def test_that_the_list_has_the_newest_first_with_time_and_what_differs(history, bench) -> None:
    assert rows(history) == [["second", "2026-11-22 15:01", "ε = 0.4"], ["first", "2026-11-22 15:00", "ε = 0.2"]]
    choose(history, 1)
    assert (history.note.isVisible(), history.note.text()) == (True, "why <b>it</b>")
    bench.document.set("epsilon", 0.2)
    history._refresh()
    assert rows(history)[1][2] == "nothing"
    assert history.chosen.name == "first", "what is chosen stays so"


def test_that_going_back_is_one_step_and_brings_values_pins_and_views(history, bench, qtbot) -> None:
    bench.document.do("Note on picture", Session.swap, "picture_notes", None,
                      PictureNote("acceptance", "stays", (1000.0, 0.5)))
    choose(history, 1)
    steps = bench.document.steps
    QTest.keyClick(history.list, Qt.Key.Key_Return)
    state = bench.document.state
    assert state.setting.set_here == {"epsilon": 0.2}
    assert [pin.set_here for pin in state.pins] == [{"epsilon": 0.2}]
    assert [note.text for note in state.picture_notes] == ["stays"]
    assert len(state.snapshots) == 2
    bench.desk.panes.tabs.setCurrentIndex(0)  # the pane has the place of the pictures
    answered(qtbot, bench)
    assert bench.document.state.views == {"records": (950.0, 1050.0)}
    qtbot.waitUntil(lambda: bench.pictures.picture().canvas.window() == pytest.approx((950, 1050)))
    assert (bench.document.steps, bench.document.undo_text) == (steps + 1, "Go back to “first”")
    bench.document.undo()
    assert (bench.document.set_here, bench.document.state.pins) == ({"epsilon": 0.8}, ())


def test_that_a_snapshot_is_pinned_and_compared(history, bench) -> None:
    push(history.pinned)
    assert [pin.set_here for pin in bench.document.state.pins] == [{"epsilon": 0.4}]
    choose(history, 1)
    push(history.compared)
    assert [pin.set_here for pin in bench.document.state.pins] == [{"epsilon": 0.4}, {"epsilon": 0.2}]
    assert bench.tools.made("compare").isVisible()
    bench.tools.made("compare").close()


def test_that_a_snapshot_is_renamed_never_to_the_name_of_another_removed_and_replaced_by_name(history, bench) -> None:
    push(history.edited)
    asked = form(bench)
    asked.name.setText("first")
    assert not asked.ok.isEnabled()
    assert asked.problem.text() == "Another snapshot has this name."
    asked.name.setText("  ")
    assert not asked.ok.isEnabled()
    assert [each.name for each in bench.document.state.snapshots] == ["first", "second"]
    asked.name.setText("third")
    asked.note.setPlainText("short")
    push(asked.ok)
    assert [(each.name, each.note, each.when) for each in bench.document.state.snapshots][1] == (
        "third", "short", "2026-11-22T15:01")
    bench.document.undo()
    assert [each.name for each in bench.document.state.snapshots] == ["first", "second"]
    push(history.removed)
    assert [each.name for each in bench.document.state.snapshots] == ["first"]
    assert bench.document.undo_text == "Remove snapshot “second”"
    bench.document.undo()
    assert [each.name for each in bench.document.state.snapshots] == ["first", "second"]
    bench.menus.actions["Keep snapshot…"].trigger()
    asked = form(bench)
    asked.name.setText("first")
    assert asked.problem.text() == "The snapshot of this name makes way for this one."
    push(asked.ok)
    found = [(each.name, each.state.setting.set_here["epsilon"]) for each in bench.document.state.snapshots]
    assert found == [("second", 0.4), ("first", 0.8)]


def test_that_the_empty_list_says_what_it_is_for_and_follows_the_study(bench, qtbot) -> None:
    bench.menus.actions["Snapshots…"].trigger()
    history = bench.tools.made("history")
    assert history.empty.isVisible()
    assert "come back" in history.empty.text()
    assert not any(each.isEnabled() for each in (history.back, history.pinned, history.compared, history.edited,
                                                 history.removed))
    push(history.taken)
    assert form(bench).name.text() == "As it comes"
    push(form(bench).ok)
    qtbot.waitUntil(history.list.isVisible)
    assert "Decision" in history.windowTitle()
    bench.desk.open_study("noise")
    qtbot.waitUntil(history.empty.isVisible)
    assert "Noise" in history.windowTitle()
    history.close()


def test_that_a_name_is_proposed_from_what_differs() -> None:
    session = Session.of(Noise, {"epsilon": 0.25})
    assert proposed(session.state()) == "ε = 0.25"
    session = session.keep("a")
    assert proposed(session.state()) == "Snapshot 2"
    assert proposed(session.set("seed", 7).state()) == "seed = 7"


def test_that_no_more_snapshots_are_taken_than_a_study_may_have(qapp) -> None:
    made = Document(Session.of(Decision))
    for i in range(MOST_SNAPSHOTS):
        made.do("Take snapshot", Session.keep, f"{i}")
    before = made.session
    with pytest.raises(ValueError, match="at most 20 of one study"):
        made.do("Take snapshot", Session.keep, "one more")
    assert made.session is before
    made.do("Take snapshot", Session.keep, "0")


def test_that_notes_on_pictures_are_steps_with_names(bench) -> None:
    made = bench.document
    first = PictureNote("acceptance", "one", (1.0, 0.5))
    moved, edited = PictureNote("acceptance", "one", (2.0, 0.5)), PictureNote("acceptance", "two", (2.0, 0.5))
    for before, after, label in ((None, first, "Note on picture"), (first, moved, "Move note"),
                                 (moved, edited, "Edit note"), (edited, None, "Remove note")):
        bench.hand._change_note(Decision, before, after)
        assert made.undo_text == label
        assert made.state.picture_notes == (() if after is None else (after,))
    for after in (edited, moved, first):
        made.undo()
        assert made.state.picture_notes == (after,)


def test_that_the_time_is_that_of_here_to_the_minute(monkeypatch) -> None:
    monkeypatch.undo()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", now())


def test_that_names_from_a_file_are_shown_as_plain_text_and_the_keys_are_on_the_keyboard_page(bench):
    bench.document.do("Take snapshot", Session.keep, "&<b>x</b>\n" + "y" * 80, "<i>note</i>" * 20)
    bench.menus.actions["Snapshots…"].trigger()
    history = bench.tools.made("history")
    assert rows(history)[0][0].startswith("&<b>x</b> y")
    assert "<i>" not in history.list.topLevelItem(0).toolTip(0)
    assert history.note.textFormat() is Qt.TextFormat.PlainText
    push(history.removed)
    assert "&&<b>x" in bench.menus.actions["Undo"].text()
    history.close()
    page = about.keyboard(bench.menus.actions.values(), bench.window_)
    text = page.findChildren(about.QTextBrowser)[0].toPlainText()
    for words in ("Note on picture", "Keep snapshot", "Snapshots", "Ctrl+Shift+H", "Right click on a picture"):
        assert words in text
    page.close()


def test_that_a_note_being_written_when_another_study_is_turned_to_is_kept_by_its_own(bench) -> None:
    bench.pictures.picture().noting.write()
    editor = next(each for each in bench.pictures.findChildren(NoteEditor) if each.isVisible())
    QTest.keyClicks(editor, "half")
    bench.desk.open_study("noise")
    assert [note.text for note in bench.document.session.state(Decision).picture_notes] == ["half"]
    assert bench.document.study_class is Noise
    assert not bench.document.state.picture_notes


def test_that_a_note_that_is_gone_when_its_edit_is_taken_comes_as_a_new_one(qapp) -> None:
    made, first, edited = Document(Session.of(Decision)), *(PictureNote("acceptance", each) for each in "ab")
    made.do("Note on picture", Session.swap, "picture_notes", None, first)
    made.undo()
    made.do("Edit note", Session.swap, "picture_notes", first, edited)
    assert made.state.picture_notes == (edited,)


def test_that_the_menu_writes_on_the_picture_that_is_meant_and_too_many_are_refused(bench) -> None:
    key = bench.pictures.picture().current_figure().key
    session = bench.document.session.having(
        picture_notes=tuple(PictureNote(key, f"{i}") for i in range(MOST_ON_PICTURES)))
    bench.document.open(session)
    bench.menus.actions["Note on picture…"].trigger()
    editor = next(each for each in bench.pictures.findChildren(NoteEditor) if each.isVisible())
    QTest.keyClicks(editor, "one more")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert "at most 30 of one study" in bench.status.message
    assert len(bench.document.state.picture_notes) == MOST_ON_PICTURES


def test_that_going_back_shows_what_was_natural_to_see_then(history, bench, qtbot) -> None:
    answered(qtbot, bench)
    before = bench.pictures.picture().canvas.window()
    history.go_back()
    bench.desk.panes.tabs.setCurrentIndex(0)
    answered(qtbot, bench)
    update, _ = bench.answers.latest
    natural = type(update)(update.answer).windows["records"]
    qtbot.waitUntil(lambda: bench.pictures.picture().canvas.window() == pytest.approx(natural))
    assert before != pytest.approx(natural)
