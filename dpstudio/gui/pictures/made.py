"""A pane with a picture that is none of a study's own, but was made in a session: a sweep, a region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget

from dpstudio.core.figure import Figure
from dpstudio.core.results import Table
from dpstudio.core.study import Study
from dpstudio.documents.session import Session
from dpstudio.documents.tables import values_text
from dpstudio.gui.controls.style import prose, push, said_as
from dpstudio.gui.pictures.export_dialog import ExportDialog, ExportRequest
from dpstudio.gui.pictures.exports import values_of
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.pane import Pane
from dpstudio.gui.shell.status import copied
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Worker
from dpstudio.records import dataclass
from dpstudio.scene.scene import Pictured
from dpstudio.text.language import tr
from dpstudio.vocabulary import Value

COPIED = 1_000_000
"""Numbers that a clipboard takes without making the window wait."""


@dataclass(frozen=True, slots=True)
class Made:
    """What is shown, and the session that it was made in."""

    source: Pictured
    table: Table
    study: type[Study]
    names: tuple[str, ...]
    """The parameters on its axes, whose marks can be moved."""
    session: Session

    @property
    def counted(self) -> bool:
        """Whether it was computed with an exact count of data."""
        return self.session.state(self.study).tells


M = TypeVar("M", bound=Made)


class MadePane(Pane, Generic[M]):
    """Its marks stand where the document does, and move it; what leaves it holds counts only where that was chosen."""

    what = ""
    """What is made, in the log."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(desk, parent)
        self.worker = Worker(self.what, self)
        self.made: M | None = None
        self.view: FigureView | None = None
        self.note = prose()
        self.picture = push(tr("Export picture…"), self.export_picture)
        self._place: QWidget = self._blank()
        self._document.changed.connect(self._follow)
        self._document.moving.connect(self._hold)

    @property
    def waiting(self) -> str:
        """What stands in the place of its picture before."""
        raise NotImplementedError

    @property
    def computed(self) -> str:
        """What is said where a count would leave with what was computed."""
        raise NotImplementedError

    @property
    def marked(self) -> str:
        """The same of the marks."""
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.note.setFont(theme.font("small"))
        if self.view is not None:
            self.view.set_theme(theme)

    def close_down(self) -> None:
        self.worker.close()
        super().close_down()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing runs on, and what was made goes: numbers and pictures may be many."""
        self.worker.stop()
        if self.view is not None:
            self._put(self._blank())
            self.made = self.view = None
        super().closeEvent(event)

    def _blank(self) -> QWidget:
        return said_as(QLabel(self.waiting, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), role="card")

    def _put(self, widget: QWidget) -> None:
        """Have this in the place of the picture before."""
        around = self._place.parentWidget()
        assert around is not None
        layout = around.layout()
        assert layout is not None
        layout.replaceWidget(self._place, widget)
        self._place.hide()
        self._place.deleteLater()
        widget.show()
        self._place = widget

    def show_figure(self, made: M, figure: Figure) -> FigureView:
        """Show a picture in the place of the one before."""
        self.made, document = made, self._document
        view = FigureView([figure], self._theme, parameters={each.name: each for each in made.study.parameters()})
        view.look(published=self._desk.settings.published)
        view.parameter_dragged.connect(lambda name, value: document.edit(name, value, False, on_picture=True))
        view.drag_finished.connect(lambda name: document.edit(name, getattr(document.study, name), on_picture=True))
        view.copy_requested.connect(self.copy)
        view.export_requested.connect(lambda _: self.export_picture())
        self._put(view)
        self.view = view
        self._follow()
        return view

    def _shown(self) -> tuple[M, FigureView]:
        """What is shown and its picture, for what can be done only where there is one."""
        assert self.made is not None
        assert self.view is not None
        return self.made, self.view

    def _follow(self) -> None:
        """Put the marks where the document stands."""
        if self.made is not None and self.view is not None:
            self.view.show_update(self.made.source, self._present())

    def _hold(self, moving: bool) -> None:
        if self.view is not None:
            self.view.look(interacting=moving)

    def _present(self) -> Mapping[str, Value]:
        """The document's values, or those of before where the document is of another study."""
        made, _ = self._shown()
        same = self._document.study_class is made.study
        return (self._document.study if same else made.session.state(made.study).setting.study).values()

    # What leaves it

    def copy(self, kind: str) -> None:
        """What a picture's own menu asks for: “picture” or “values”."""
        made, view = self._shown()
        if kind == "picture":
            QGuiApplication.clipboard().setImage(view.image())
        elif len(made.table) * made.table.rows > COPIED:
            self.note.setText(tr("These are too many values for a clipboard: export them."))
            return
        else:
            QGuiApplication.clipboard().setText(values_text(made.table))
        held = made.counted or (kind == "picture" and self._marks_tell())
        self.note.setText(copied(tr("Picture copied") if kind == "picture" else tr("Values copied"), held))

    def export_picture(self) -> None:
        """Ask how, and write the picture with the session that it was made in and the present marks."""
        if self.made is None or self.view is None or not self._may_leave(self.made.counted, self.computed):
            return
        view, figure = self.view, self.view.current_figure()
        dialog = ExportDialog(self.made.study.key, (figure,), figure.key, self._desk.settings, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.write_picture(dialog.request(view.hidden)))
        dialog.open()

    def write_picture(self, request: ExportRequest) -> None:
        """Write it as print draws it, or as it is on screen."""
        made, view = self._shown()
        if not request.as_on_screen:
            self._desk.files.export_made(request, made.source, self.drawn(), self._leaving())
        elif self._may_leave(self._marks_tell(), self.marked):
            self._desk.files.export_image(request.path, view.image(), values_of(self._leaving(), request))

    def drawn(self) -> Figure:
        """The picture as print has it."""
        _, view = self._shown()
        return view.current_figure()

    def _marks_tell(self) -> bool:
        """Whether the marks stand at an exact count of data."""
        made, _ = self._shown()
        return self._document.study_class is made.study and self._document.state.tells

    def _may_leave(self, held: bool, words: str) -> bool:
        """Whether nothing sensitive is in what is to leave, or it may go along; else that is said."""
        if held and not self._desk.files.exact_counts:
            self.note.setText(words)
            return False
        return True

    def _leaving(self) -> Session:
        """The session that it was made in, with the parameters of its axes where the marks stand; but not at a count
        that was taken since."""
        document, (made, _) = self._document, self._shown()
        present = document.study.values()
        alone = Session(made.study, {made.study: made.session.state(made.study)}, made.session.attacker)
        if document.study_class is made.study:
            taken = document.explicit.keys() - set(document.origin.names if document.origin else ())
            alone = alone.put({name: present[name] for name in made.names if name in taken})
        return alone.leaving(True)
