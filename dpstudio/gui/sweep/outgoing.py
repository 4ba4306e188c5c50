"""What leaves the window of sweeps: to the clipboard, to a table, to files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from dpstudio.core.study import Study
from dpstudio.core.sweep import Swept
from dpstudio.documents import sweeps
from dpstudio.documents.files import atomic
from dpstudio.documents.noted import SweepAsked
from dpstudio.documents.session import Session
from dpstudio.documents.tables import values_text
from dpstudio.gui.pictures.export_dialog import ExportDialog, ExportRequest
from dpstudio.gui.pictures.exports import Exports, values_of
from dpstudio.gui.pictures.outgoing import ValuesDialog
from dpstudio.gui.plot import FigureView
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.questions import shown
from dpstudio.gui.shell.settings import Settings
from dpstudio.scene.swept import SweptSource

COPIED = 1_000_000
"""Numbers that a clipboard takes without making the window wait."""
HELD = ("{} an exact count of data, which files leave out: choose “Include exact counts in files” first, or sweep "
        "with another value.")


@dataclass(frozen=True, slots=True)
class Result:
    """What is shown: a sweep, and the session that it was made in."""

    swept: Swept
    source: SweptSource
    made: Session
    asked: SweepAsked
    """As it is kept."""

    @property
    def study(self) -> type[Study]:
        return type(self.swept.plan.study)

    @property
    def counted(self) -> bool:
        """Whether it was computed with an exact count of data."""
        return self.made.state(self.study).tells


class Outgoing:
    """Copies and exports of one result and its picture, with exact counts of data only where that was chosen."""

    def __init__(self, document: Document, settings: Settings, files: Exports, window: QWidget,
                 say: Callable[[str], None]) -> None:
        self._document, self._settings, self._files = document, settings, files
        self._window, self._say = window, say

    def copy(self, kind: str, result: Result, view: FigureView) -> None:
        """What a picture's own menu asks for: “picture” or “values”."""
        table = result.swept.table
        if kind == "picture":
            QGuiApplication.clipboard().setImage(view.image())
        elif len(table) * table.rows > COPIED:
            self._say("These are too many values for a clipboard: export them.")
            return
        else:
            QGuiApplication.clipboard().setText(values_text(table))
        held = result.counted or (kind == "picture" and self._marked(result))
        self._say(f"{kind.capitalize()} copied" + "; an exact count of data, which is sensitive, went along" * held)

    def show_values(self, result: Result, view: FigureView) -> None:
        ValuesDialog(view.current_figure(), result.swept.table, result.swept.plan.study.relation.sentence,
                     lambda: self.export_data(result), self._window).show()

    def export_picture(self, result: Result, view: FigureView) -> None:
        """Ask how, and write the picture with the session of the sweep and the present marks."""
        if not self._may_leave(result.counted, "This sweep was computed with"):
            return
        figure = view.current_figure()
        dialog = ExportDialog(result.study.key, (figure,), figure.key, self._settings, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.write_picture(dialog.request(view.hidden), result, view))
        dialog.open()

    def write_picture(self, request: ExportRequest, result: Result, view: FigureView) -> None:
        """Write it as print draws it, or as it is on screen."""
        if request.as_on_screen:
            if self._may_leave(self._marked(result), "The marks show"):
                self._files.export_image(request.path, view.image(), values_of(self._leaving(result), request))
            return
        self._files.export_made(request, result.source, view.current_figure(), self._leaving(result))

    def export_data(self, result: Result) -> None:
        """Ask where to, and write all that the sweep came to, as the command line does."""
        swept = result.swept
        if not self._may_leave(result.counted, "This sweep was computed with"):
            return
        path = self._files.ask_where(f"{result.study.key}-sweep.csv", "CSV (*.csv);;JSON (*.json)")
        if path is None:
            return
        form: sweeps.SweepFormat = "json" if path.suffix.lower() == ".json" else "csv"
        data = self._leaving(result).data
        data = data and data.besides({over.name for over in swept.plan.over})  # a number of the grid was not counted

        def work() -> str:
            with atomic(path) as file:
                sweeps.write(file, swept, form, data)
            return f"Exported {shown(path)}"

        self._files.do(work, path)

    def _marked(self, result: Result) -> bool:
        """Whether the marks stand at an exact count of data."""
        return self._document.study_class is result.study and self._document.state.tells

    def _may_leave(self, held: bool, what: str) -> bool:
        """Whether nothing sensitive is in what is to leave, or it may go along; else that is said."""
        if held and not self._files.exact_counts:
            self._say(HELD.format(what))
            return False
        return True

    def _leaving(self, result: Result) -> Session:
        """The session as it was when the sweep began, with the swept parameters where the marks stand; but not at a
        count that was taken since."""
        document, study = self._document, result.study
        alone = Session(study, {study: result.made.state(study)})
        if document.study_class is study:
            present = document.study.values()
            taken = document.explicit.keys() - set(document.origin.names if document.origin else ())
            alone = alone.put({over.name: present[over.name] for over in result.swept.plan.over if over.name in taken})
        return alone.leaving(True)
