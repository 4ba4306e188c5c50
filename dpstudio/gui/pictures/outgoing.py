"""What leaves the window: to the clipboard, to a table, to files."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.pictures.arrangement import Arrangement
from dpstudio.gui.pictures.export_dialog import ExportDialog, ExportRequest
from dpstudio.gui.pictures.exports import Exports
from dpstudio.gui.pictures.values import ValuesDialog
from dpstudio.gui.plot import FigureView
from dpstudio.gui.session.answers import Answers
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.status import Status
from dpstudio.gui.shell.window import Window


class Showing(Protocol):
    """What a window shows, and where it says what became of it."""

    document: Document
    answers: Answers
    facts: FactsView
    status: Status
    settings: Settings
    window_: Window

    @property
    def files(self) -> Exports: ...

    @property
    def pictures(self) -> Arrangement: ...


class Outgoing:
    """Copies and exports of what the window shows."""

    def __init__(self, bench: Showing) -> None:
        self._bench = bench

    def copy(self, kind: str, view: FigureView) -> None:
        """What a picture's own menu asks for: “picture” or “values”."""
        if kind == "picture":
            self.copy_picture(view)
        elif dialog := self._values(view.current_figure().key):
            dialog.copy()
            dialog.deleteLater()
            self._say_copied("Values copied")

    def copy_picture(self, view: FigureView | None = None) -> None:
        # Mime data made here would be the clipboard's to delete when no interpreter is left to do it, which is a crash.
        QGuiApplication.clipboard().setImage((view or self._bench.pictures.picture()).image())
        self._say_copied("Picture copied")

    def _say_copied(self, told: str) -> None:
        held = "; an exact count of data, which is sensitive, went along" if self._bench.document.holds_counts else ""
        self._bench.status.say(told + held)

    def copy_facts(self) -> None:
        self._bench.facts.copy_all()
        if self._bench.document.holds_counts:
            self._say_copied("Facts copied")

    def copy_diagnostics(self) -> None:
        self._bench.window_.copy_diagnostics()
        self._bench.status.say("Diagnostics copied")

    def show_values(self, key: str = "") -> None:
        if dialog := self._values(key or self._bench.pictures.figure().key):
            dialog.show()

    def export_picture(self, key: str = "", *, everything: bool = False) -> None:
        """Ask how, and write one picture or all."""
        bench = self._bench
        chosen = None if everything else key or bench.pictures.figure().key
        study = bench.document.study_class
        counts = bench.files.exact_counts if bench.document.state.tells else None
        dialog = ExportDialog(study.key, study.figures, chosen, bench.settings, bench.window_, exact_counts=counts)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.export(dialog.request(bench.document.state.hidden)))
        dialog.open()

    def export(self, request: ExportRequest) -> None:
        bench = self._bench
        if request.as_on_screen and request.figure is not None:
            if bench.document.state.tells and not request.exact_counts:
                bench.window_.report("The screen may tell of an exact count of data: export it as a drawing, which "
                                     "leaves it out, or choose to include exact counts.")
                return
            place = bench.document.study_class.figure(request.figure).place
            view = bench.pictures.view(place)
            view.choose(request.figure)
            shown = bench.document.leaving(request.exact_counts).carried(as_seen=True)
            bench.files.export_image(request.path, view.image(), shown.choose(place, request.figure))
        else:
            bench.files.export(request)

    def export_all(self) -> None:
        self.export_picture(everything=True)

    def export_data(self) -> None:
        if self._bench.answers.latest is not None:
            update, study = self._bench.answers.latest
            self._bench.files.export_data(study, update)

    def _values(self, key: str) -> ValuesDialog | None:
        bench = self._bench
        if bench.answers.latest is None:
            return None
        update, study = bench.answers.latest
        figure = study.figure(key)
        if figure.table not in update.tables:
            bench.status.say("There are no values yet")
            return None
        return ValuesDialog(figure, update.tables[figure.table], study.relation.sentence,
                            lambda: bench.files.export_table(study, update, figure.table), bench.window_)
