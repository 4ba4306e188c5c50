"""Texts on pictures are written, moved, edited and removed by mouse and keyboard, and read where they are not seen."""

from __future__ import annotations

import pyqtgraph as pg
import pytest
from plot_sample import LINEAR, PARAMETERS, VALUES, painted, sample_update
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from dpstudio.documents.noted import LONGEST_ON_PICTURE, PictureNote
from dpstudio.gui.controls.text_box import NoteEditor
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell import theme

LEFT = Qt.MouseButton.LeftButton
NOTE = PictureNote(LINEAR.key, "why it bends", (980.0, 0.7))


@pytest.fixture
def view(qtbot, monkeypatch) -> FigureView:
    """A picture whose notes are kept as a document would."""
    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)
    view = FigureView([LINEAR], theme.LIGHT, parameters=PARAMETERS)
    qtbot.addWidget(view)
    view.resize(640, 400)
    view.kept, view.told = [NOTE], []

    def change(before, after):
        view.told.append((before, after))
        view.kept = [after if each is before else each for each in view.kept] + ([after] if before is None else [])
        view.kept = [each for each in view.kept if each is not None]
        view.look(notes=view.kept)

    view.note_changed.connect(change)
    view.show()
    view.look(notes=view.kept)
    view.show_update(sample_update(), VALUES)
    view.grab()
    return view


def at(view, x: float, y: float) -> QPoint:
    """Pixels of the widget for values of the plot."""
    frame = view.canvas.marks.frame
    return view.canvas.mapFromScene(view.canvas.box.mapToScene(QPointF(frame.across(x), frame.down(y))))


def box(view, i: int = 0) -> QPoint:
    """The middle of a note's box on the widget."""
    left, top, right, bottom = view.canvas.notes.placed[i].box
    return view.canvas.mapFromScene(view.canvas.box.mapToScene(QPointF((left + right) / 2, (top + bottom) / 2)))


def drag(view, start: QPoint, by: QPoint) -> None:
    viewport = view.canvas.viewport()
    QTest.mouseMove(viewport, start)
    QTest.mousePress(viewport, LEFT, pos=start)
    for step in range(1, 11):
        QTest.mouseMove(viewport, start + QPoint(round(by.x() * step / 10), round(by.y() * step / 10)))
    QTest.mouseRelease(viewport, LEFT, pos=start + by)


def editor(view) -> NoteEditor:
    return next(each for each in view.canvas.findChildren(NoteEditor) if each.isVisible())


def chosen(menu: QMenu, words: str) -> None:
    next(action for action in menu.actions() if action.text() == words).trigger()


@pytest.mark.parametrize("grip", ["box", "dot"])
def test_that_a_note_is_moved_by_its_box_or_its_dot_in_one_step(view, grip) -> None:
    frame = view.canvas.marks.frame
    start = box(view) if grip == "box" else at(view, *NOTE.at)
    drag(view, start, QPoint(60, -30))
    (before, after), = view.told
    assert before is NOTE
    assert after.text == NOTE.text
    assert frame.across(after.at[0]) == pytest.approx(frame.across(980) + 60, abs=1)
    assert frame.down(after.at[1]) == pytest.approx(frame.down(0.7) - 30, abs=1)
    assert view.canvas.window() == pytest.approx((900, 1100), abs=1), "the view stays"


def test_that_a_right_click_writes_a_note_at_its_point_and_enter_takes_it(view) -> None:
    where = at(view, 1060, 0.2)
    chosen(view.menu(where), "Note here…")
    QTest.keyClicks(editor(view), "here <b>it</b> is")
    QTest.keyClick(editor(view), Qt.Key.Key_Return)
    (before, after), = view.told
    assert before is None
    assert (after.figure, after.text) == (LINEAR.key, "here <b>it</b> is")
    frame = view.canvas.marks.frame
    assert abs(frame.across(after.at[0]) - frame.across(1060)) < 1.5
    assert abs(frame.down(after.at[1]) - frame.down(0.2)) < 1.5
    assert view.canvas.hasFocus(), "the keyboard is the picture's again"
    assert [each.note.words for each in view.canvas.notes.placed] == [NOTE.text, after.text]


def test_that_escape_and_an_empty_text_leave_all_as_it_was(view) -> None:
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
        view.noting.write()
        if key == Qt.Key.Key_Escape:
            QTest.keyClicks(editor(view), "never mind")
        QTest.keyClick(editor(view), key)
    assert view.told == []


def test_that_leaving_the_editor_takes_what_was_written_once(view) -> None:
    view.noting.write()
    QTest.keyClicks(editor(view), "kept")
    view.canvas.setFocus()
    assert [after.text for _, after in view.told] == ["kept"]


def test_that_no_more_signs_are_taken_than_a_note_may_have(view) -> None:
    view.noting.write()
    pasted = QMimeData()
    pasted.setText("a\nb\x00\u202e" + "c" * 1000)
    editor(view).insertFromMimeData(pasted)
    QTest.keyClicks(editor(view), "more")
    QTest.keyClick(editor(view), Qt.Key.Key_Return)
    assert view.told[-1][1].text == "a b " + "c" * (LONGEST_ON_PICTURE - 4)


def test_that_a_double_click_edits_and_the_view_is_not_fitted(view) -> None:
    fitted = []
    view.view_reset.connect(fitted.append)
    QTest.mouseMove(view.canvas.viewport(), box(view))
    QTest.mouseDClick(view.canvas.viewport(), LEFT, pos=box(view))
    QTest.mouseRelease(view.canvas.viewport(), LEFT, pos=box(view))
    assert editor(view).toPlainText() == NOTE.text
    QTest.keyClicks(editor(view), "because")
    QTest.keyClick(editor(view), Qt.Key.Key_Return)
    assert view.told == [(NOTE, PictureNote(LINEAR.key, "because", NOTE.at))]
    assert not fitted


def test_that_the_keyboard_reaches_moves_edits_and_removes_a_note(view) -> None:
    canvas = view.canvas
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in canvas.marks.stops():
        assert canvas.notes.active is None
        QTest.keyClick(canvas, Qt.Key.Key_Tab)
    assert canvas.notes.active is NOTE
    frame = canvas.marks.frame
    QTest.keyPress(canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyPress(canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert view.told == [], "one step, when the key is let go"
    QTest.keyRelease(canvas, Qt.Key.Key_Up)
    (_, moved), = view.told
    assert frame.across(moved.at[0]) == pytest.approx(frame.across(980) + 50, abs=1)
    assert frame.down(moved.at[1]) == pytest.approx(frame.down(0.7) - 50, abs=1)
    assert canvas.notes.active is moved, "it stays the one that the keyboard moves"
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    QTest.keyClick(editor(view), Qt.Key.Key_Escape)
    canvas.notes.activate(moved)
    QTest.keyClick(canvas, Qt.Key.Key_Delete)
    assert view.told[-1] == (moved, None)
    assert canvas.notes.placed == []


def test_that_a_note_is_brought_no_further_than_the_picture(view) -> None:
    drag(view, box(view), QPoint(-3000, 2000))
    assert view.told[-1][1].at[0] == pytest.approx(900, abs=0.5)
    assert view.told[-1][1].at[1] == pytest.approx(0, abs=0.01)


def test_that_a_menu_on_a_note_edits_or_removes_it_and_writes_no_other_there(view) -> None:
    words = [action.text() for action in view.menu(box(view)).actions()]
    assert {"Edit note…", "Remove note", "Note under the picture…"} <= set(words)
    assert "Note here…" not in words
    chosen(view.menu(box(view)), "Remove note")
    assert view.told == [(NOTE, None)]


def test_that_what_stands_nowhere_on_the_picture_is_counted_in_a_sign_and_listed(view) -> None:
    assert view.header.notes.isHidden()
    view.kept = [NOTE, PictureNote(LINEAR.key, "on <i>all</i>"), PictureNote(LINEAR.key, "far", (5000.0, 0.5)),
                 PictureNote(LINEAR.key, "high", (980.0, 7.0)), PictureNote("tails", "another's")]
    view.look(notes=view.kept)
    assert view.header.notes.isVisible()
    assert view.header.notes.text() == "1"
    assert "2 notes outside the view" in view.header.notes.accessibleName()
    assert "Noted under this picture: on <i>all</i>" in view.header.notes.accessibleName()
    assert "on &lt;i&gt;all" in view.header.notes.toolTip()
    assert [each.note.words for each in view.canvas.notes.placed] == [NOTE.text]
    view.header.notes.click()
    menu = next(each for each in view.findChildren(QMenu) if each.isVisible())
    assert [action.text() for action in menu.actions()] == ["on <i>all</i>", "far", "high"]
    chosen(menu.actions()[1].menu(), "Bring into view")
    menu.close()
    assert "Put on the picture" in [action.text() for action in menu.actions()[0].menu().actions()]
    assert "1 note outside the view" in view.header.notes.accessibleName()
    assert [each.note.words for each in view.canvas.notes.placed] == [NOTE.text, "far"]


def test_that_a_screen_reader_and_the_crosshair_read_notes(view) -> None:
    assert "Note at N = 980, Pr[Q(N)=1] = 0.7: why it bends" in view.canvas.accessibleDescription()
    view.canvas.point_at(view.canvas.box.mapFromScene(view.canvas.mapToScene(at(view, *NOTE.at))))
    assert view.canvas.crosshair.isVisible()
    assert view.canvas.crosshair.noted == NOTE.text
    view.canvas.point_at(view.canvas.box.mapFromScene(view.canvas.mapToScene(at(view, 940, 0.5))))
    assert view.canvas.crosshair.noted == ""
    view.canvas.point_at(view.canvas.box.mapFromScene(view.canvas.mapToScene(box(view))))
    assert not view.canvas.crosshair.isVisible(), "it would cover what is read"


def test_that_a_picture_that_nobody_keeps_notes_of_offers_none(view, qtbot) -> None:
    other = painted(qtbot)
    other.noting.write()
    assert not other.canvas.findChildren(NoteEditor)
    assert not any("ote" in action.text() for action in other.menu().actions())


def test_that_where_there_are_no_notes_none_are_placed_or_painted(view, monkeypatch) -> None:
    from dpstudio.gui.plot import notes

    view.kept = []
    view.look(notes=[])
    assert not view.canvas.notes.isVisible()

    def placed(*_, **__):
        raise AssertionError

    monkeypatch.setattr(notes, "place_notes", placed)
    view.canvas.notes_told.connect(placed)
    view.show_update(sample_update(0.2), VALUES)


def test_that_boxes_stay_where_they_are_while_a_hand_moves_something(view) -> None:
    before = view.canvas.notes.placed[0].box
    view.look(interacting=True)
    for minimum in (980, 1000, 1040):
        view.show_update(sample_update(0.4, minimum), VALUES | {"minimum": minimum})
        view.show_update(sample_update(0.5, minimum), VALUES | {"minimum": minimum})
        assert view.canvas.notes.placed[0].box == before
    view.show_update(sample_update(0.05, 960), VALUES | {"minimum": 960})
    view.look(interacting=False)
    assert view.canvas.notes.placed[0].box != before


def test_that_of_several_notes_the_one_under_the_hand_moves_and_one_click_edits_none(view) -> None:
    other = PictureNote(LINEAR.key, "another", (1060.0, 0.2))
    view.kept = [NOTE, other]
    view.look(notes=view.kept)
    QTest.mouseMove(view.canvas.viewport(), box(view, 1))
    QTest.mouseClick(view.canvas.viewport(), LEFT, pos=box(view, 1))
    assert not view.canvas.findChildren(NoteEditor)
    drag(view, box(view, 1), QPoint(-30, 0))
    assert [before for before, _ in view.told] == [other]
    view.kept = [NOTE, PictureNote(LINEAR.key, "on top", NOTE.at)]
    view.look(notes=view.kept)
    assert view.canvas.notes.under(view.canvas.box.mapFromScene(view.canvas.mapToScene(at(view, *NOTE.at)))) is (
        view.kept[1]), "the last that was drawn"
    drag(view, at(view, 1080, 0.5), QPoint(-40, 0))
    assert len(view.told) == 1, "beside the notes the view is panned"
    assert view.canvas.window()[0] > 905
