"""Writes pictures and numbers to files, beside the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QBuffer, QObject, Signal
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QFileDialog

from dpstudio.core.figure import Figure
from dpstudio.core.study import Study, answer
from dpstudio.core.update import Update
from dpstudio.data.origin import Origin
from dpstudio.documents import embedded, pictures, session_file, tables
from dpstudio.documents.files import atomic
from dpstudio.documents.session import Session
from dpstudio.documents.setting import Setting, title
from dpstudio.gui.pictures.export_dialog import ExportRequest
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.background import Background
from dpstudio.gui.shell.questions import may_replace, shown
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.window import Window
from dpstudio.scene.scene import Source

if TYPE_CHECKING:
    from dpstudio.core.match.choice import Match
    from dpstudio.documents.comparison import Line, Side

    Compared = tuple[Sequence[Side], Sequence[Line], int, Session, str]


class Beside(Protocol):
    """What a window is of that stays beside the main one and exports what it shows."""

    document: Document
    settings: Settings
    appearance: Appearance

    @property
    def files(self) -> Exports: ...


class Exports(QObject):
    """Exports one after the other, with exact counts of data only where that was chosen."""

    said = Signal(str)
    refused = Signal(str)
    """A file that could not be read or written: one sentence; nothing was changed."""
    counts_chosen = Signal()
    """Whether exact counts go along is another."""
    abandoned = Signal()
    """The window goes: whatever takes long is to be left unwritten, and what was typed to be kept."""

    def __init__(self, document: Document, settings: Settings, window: Window) -> None:
        super().__init__(window)
        self.exact_counts = False
        """Whether exact counts of data go along with sessions and exports."""
        self._document, self._settings, self._window = document, settings, window
        self._background = Background(self)

    def set_exact_counts(self, along: bool) -> None:
        """Whether exact counts of data go along with sessions and exports, until the window is closed."""
        self.exact_counts = along
        self.counts_chosen.emit()

    def export(self, request: ExportRequest) -> None:
        """Write pictures, with what is pinned, as the command line would; the window stays alive meanwhile."""
        leaving, published = self._document.leaving(request.exact_counts), self._settings.published

        def work() -> str:
            study = leaving.study
            update = answer(study)
            if request.figure is None:
                pictures.write_all(request.path, leaving, update, format=request.format, size_mm=request.size_mm,
                                   dpi=request.dpi, published=published)
            else:
                pictures.write(request.path, leaving, update, study.figure(request.figure), size_mm=request.size_mm,
                               dpi=request.dpi, published=published)
            return f"Exported {shown(request.path)}"

        self.do(work, request.path)

    def export_made(self, request: ExportRequest, source: Source, figure: Figure, leaving: Session) -> None:
        """Write a picture that is none of the study's own, with the values that it was made at."""
        made, published = values_of(leaving, request), self._settings.published

        def work() -> str:
            pictures.write(request.path, made, source, figure, size_mm=request.size_mm, dpi=request.dpi,
                           published=published)
            return f"Exported {shown(request.path)}"

        self.do(work, request.path)

    def export_image(self, path: Path, image: QImage, session: Session) -> None:
        """Write a picture as it is on screen, with a session as it may leave."""
        def work() -> str:
            content = QBuffer()
            content.open(QBuffer.OpenModeFlag.WriteOnly)
            QImageWriter(content, b"png").write(image)
            with atomic(path) as file:
                file.write(embedded.into_png(bytes(content.data().data()), session_file.text(session)))
            return f"Exported {shown(path)}"

        self.do(work, path)

    def export_data(self, study: Study, update: Update) -> None:
        """Ask where to, and write everything as JSON, or the facts as CSV."""
        if path := self.ask_where(f"{study.key}.json", "JSON, everything (*.json);;CSV, the facts (*.csv)"):
            self.write_data(path, study, update)

    def export_table(self, study: Study, update: Update, table: str) -> None:
        """Ask where to, and write one table as CSV."""
        if path := self.ask_where(f"{study.key}-{table}.csv", "CSV (*.csv)"):
            self.write_data(path, study, update, table)

    def export_comparison(self, settings: Sequence[Setting], reference: int, known: Mapping[Study, Update]) -> None:
        """Ask where to, and write settings beside each other; what is `known` is not answered again."""
        from dpstudio.documents.comparison import Side, compared  # rarely needed, and not at the start

        leaving = [setting.leaving(self.exact_counts) for setting in settings]
        origins = [self._origin(setting) for setting in settings]
        others = (*leaving[:reference], *leaving[reference + 1:])
        session = self._session_of(leaving[reference]).unpin().pin(*others)

        def made() -> Compared:
            updates = [known.get(each.study) or answer(each.study) for each in leaving]
            sides = [Side(title(each, *leaving), each.study, update.facts, origin)
                     for each, update, origin in zip(leaving, updates, origins, strict=True)]
            return sides, compared([side.facts for side in sides], reference), reference, session, ""

        self._export_compared(f"{settings[0].study.key}-compared", made)

    def export_matching(self, setting: Setting, reference: str, by: Match, name: str) -> None:
        """Ask where to, and write the series of a setting, matched to one of them along a parameter."""
        from dpstudio.core.match.matching import matching
        from dpstudio.documents.comparison import matched

        leaving, origin = setting.leaving(self.exact_counts), self._origin(setting)
        session = self._session_of(leaving)

        def made() -> Compared:
            found = matching(type(leaving.study), leaving.explicit, reference, by, name)
            return *matched(found, origin), 0, session, found.says

        self._export_compared(f"{setting.study.key}-matched", made)

    def _session_of(self, setting: Setting) -> Session:
        """The session as it may leave, with this setting in view."""
        return self._document.leaving(self.exact_counts).turn(type(setting.study)).adopt(setting)

    def _origin(self, setting: Setting) -> Origin | None:
        return setting.origin and replace(setting.origin, exact=self.exact_counts)

    def _export_compared(self, name: str, made: Callable[[], Compared]) -> None:
        from dpstudio.documents.comparison import csv_text, json_text

        path = self.ask_where(f"{name}.csv", "CSV (*.csv);;JSON (*.json)")
        if not path:
            return

        def work() -> str:
            content = (json_text if path.suffix.lower() == ".json" else csv_text)(*made())
            with atomic(path) as file:
                file.write(content.encode("utf-8"))
            return f"Exported {shown(path)}"

        self.do(work, path)

    def write_data(self, path: Path, study: Study, update: Update, table: str | None = None) -> None:
        """Facts and tables as JSON, or, by the ending of the name, the facts or one table as CSV."""
        # With a default in the place of an exact count, and everything that follows from the default.
        leaving = self._document.leaving(self.exact_counts)
        if study != self._document.study:  # the answer to what was asked before
            data = self._document.counted_in(study)
            leaving = leaving.turn(type(study)).with_values(
                session_file.explicit_of(study), data and replace(data, exact=self.exact_counts))

        def work() -> str:
            told = update if leaving.study == study else answer(leaving.study)
            if path.suffix.lower() == ".csv":
                tables.write_csv(path, leaving, told, table)
            else:
                tables.write_json(path, leaving, told)
            return f"Exported {shown(path)}"

        self.do(work, path)

    @property
    def exporting(self) -> int:
        """How many exports are not written yet."""
        return self._background.pending

    def ask_where(self, name: str, kinds: str, title: str = "Export data") -> Path | None:
        """Where to, with the ending of what was chosen; a file that is there only where it may be replaced."""
        path, kind = QFileDialog.getSaveFileName(
            self._window, title, str(self._settings.folder("export") / name), kinds,
            options=QFileDialog.Option.DontConfirmOverwrite)  # asked below, once the name is complete
        if not path:
            return None
        found = Path(path)
        if not found.suffix:
            found = found.with_name(f"{found.name}.{kind.rpartition('*.')[2].rstrip(')') or Path(name).suffix[1:]}")
        return found if may_replace(self._window, [found]) else None

    def do(self, work: Callable[[], str], path: Path, done: Callable[[str], None] | None = None,
           failed: Callable[[Exception], None] | None = None) -> None:
        """Do the work beside the window, which says what became of the file, unless others do."""
        self._settings.set_folder("export", path if path.is_dir() else path.parent)
        self.said.emit(f"Exporting {shown(path)}…")
        self._background.run(work, done or self.said.emit,
                             failed or (lambda error: self.refused.emit(sentence(error))))


def values_of(session: Session, request: ExportRequest) -> Session:
    """What a picture carries that is none of the study's own: values, and the curves that it hides."""
    return Session.of(session.study_class, session.explicit, session.data).hide(request.hidden)


def sentence(error: Exception, path: Path | None = None) -> str:
    """Why a file could not be read or written."""
    if isinstance(error, OSError) and (path or error.filename):
        return f"{shown(path or Path(str(error.filename)))}: {(error.strerror or str(error)).lower()}"
    return str(error)
