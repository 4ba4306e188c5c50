"""What a person writes on a picture: where a text is asked for, offered, listed and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QMenu

from dpstudio.core.figure import Figure
from dpstudio.core.results import Span
from dpstudio.documents.noted import PictureNote
from dpstudio.gui.controls.text_box import NoteEditor
from dpstudio.gui.plot.canvas import Canvas
from dpstudio.gui.plot.header import Header
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.notes import NoteText, beyond
from dpstudio.text.language import tr
from dpstudio.vocabulary import named


class Noted(Protocol):
    """What shows the picture, as far as its texts go."""

    canvas: Canvas
    header: Header
    theme: Theme

    @property
    def noted(self) -> Sequence[PictureNote] | None:
        """What a person wrote on the study's pictures; None where nobody keeps any."""

    @property
    def note_changed(self) -> Any:
        """The signal of what becomes of a text."""

    def current_figure(self) -> Figure:
        """What is shown."""


class Noting:
    """The texts on the picture that a view shows; what becomes of one is told by the view."""

    def __init__(self, view: Noted) -> None:
        self._view = view

    def write(self, note: PictureNote | None = None, *, at: QPointF | None = None, under: bool = False) -> None:
        """Let a text be written on the picture: another for a note, or one at a point of the plot, where one is meant,
        or under the picture."""
        view, canvas = self._view, self._view.canvas
        if view.noted is None or canvas.scene_ is None:
            return
        point = at or canvas.meant
        placed = next((each for each in canvas.notes.placed if each.note.text is note), None)
        below = under or note is not None
        corner = QPointF(*placed.box[:2]) if placed else canvas.box.rect().bottomLeft() if below else point
        values = note.at if note is not None else None if under else canvas.values_at(point)
        canvas.crosshair.setVisible(False)
        editor = NoteEditor(note.text if note else "", view.theme, canvas,
                            canvas.mapFromScene(canvas.box.mapToScene(corner)))
        editor.taken.connect(lambda text: self._take(note, text, values))

    def offer(self, menu: QMenu, point: QPoint | None) -> None:
        """What can be done with texts at a point of the picture, or where one is meant."""
        view, canvas = self._view, self._view.canvas
        if view.noted is None or canvas.scene_ is None:
            return
        at = canvas.at(point)
        if text := canvas.notes.under(at):
            menu.addAction(tr("Edit note…"), partial(self.write, self._own(text)))
            menu.addAction(tr("Remove note"), lambda: view.note_changed.emit(text, None))
        elif canvas.box.rect().contains(at):
            menu.addAction(tr("Note here…"), lambda: self.write(at=at))
        menu.addAction(tr("Note under the picture…"), lambda: self.write(under=True))

    def list_unseen(self) -> None:
        """A menu of what is noted and stands nowhere on the picture."""
        view, canvas = self._view, self._view.canvas
        menu = QMenu(canvas)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        seen = canvas.notes.seen
        for note in canvas.notes.notes:
            if note not in seen:
                text = self._own(note.text)
                each = menu.addMenu(foreign.entry(note.words))
                each.addAction(tr("Edit…"), partial(self.write, text))
                here = replace(text, at=canvas.values_at(canvas.meant))
                words = tr("Bring into view") if text.at else tr("Put on the picture")
                each.addAction(words, partial(view.note_changed.emit, text, here))
                each.addAction(tr("Remove"), partial(view.note_changed.emit, text, None))
        button = view.header.notes
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def tell(self) -> None:
        """Say what is noted where it is not seen, and to screen readers all of it."""
        view, canvas = self._view, self._view.canvas
        notes, figure, frame = canvas.notes.notes, view.current_figure(), canvas.marks.frame
        under = [note.words for note in notes if note.at is None]
        view.header.show_notes(under, beyond(notes, frame.x, frame.y))
        told = [tr("Note at {x}, {y}: {words}", x=named(note.text.at[0], figure.x.quantity),
                   y=named(note.text.at[1], figure.y.quantity), words=note.words)
                for note in notes if note.text.at is not None]
        if (noted := (*told, *(tr("Note under the picture: {words}", words=words) for words in under))) != canvas.noted:
            canvas.noted = noted
            canvas.describe()

    def _own(self, text: NoteText) -> PictureNote:
        """A text on the picture as the session has it."""
        return next(note for note in self._view.noted or () if note is text)

    def _take(self, note: PictureNote | None, text: str, at: Span | None) -> None:
        made = PictureNote(self._view.current_figure().key, text, at) if text else None
        if made != note:
            self._view.note_changed.emit(note, made)
