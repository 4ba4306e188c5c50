"""Sessions and exports: from the document to files and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QObject, QTimer, Signal
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QFileDialog, QWidget

from dpstudio.core.results import Update
from dpstudio.core.study import Study, answer
from dpstudio.data.origin import Origin
from dpstudio.export import pictures, session, tables
from dpstudio.export.files import atomic
from dpstudio.gui.background import Background
from dpstudio.gui.document import Document, Values
from dpstudio.gui.export_dialog import ExportRequest
from dpstudio.gui.settings import Settings, data_folder
from dpstudio.studies import all_studies

SUFFIX = ".dpstudio"
LAST = "last-session" + SUFFIX
AUTOSAVED = 1500
"""Milliseconds after a change at which the session is written for the next start."""


class Files(QObject):
    """Opens and saves sessions of the document, keeps the last one for the next start, and writes exports."""

    said = Signal(str)
    refused = Signal(str)
    """A file that could not be read or written: one sentence; nothing was changed."""
    counts_missing = Signal(object)
    """A session left its exact counts out; its origin says how to count again."""
    named = Signal()
    """The document has another file now, or is saved."""

    def __init__(self, document: Document, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self.path: Path | None = None
        self.exact_counts = False
        """Whether exact counts of data go along with sessions and exports."""
        self._document, self._settings, self._window = document, settings, window
        self._background = Background(self)
        self._autosave = QTimer(self, singleShot=True, interval=AUTOSAVED)
        self._autosave.timeout.connect(self.keep)
        # Counted from the first change: a hand that never rests must not put it off for ever.
        document.changed.connect(lambda: self._autosave.isActive() or self._autosave.start())

    # Sessions

    def open(self) -> bool:
        """Ask for a session, or a picture that carries one."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open session", str(self._settings.folder("session")),
            f"Sessions and exported pictures (*{SUFFIX} *.json *.png *.svg *.pdf);;All files (*)")
        return bool(path) and self.open_path(path)

    def open_path(self, path: str | Path) -> bool:
        """Restore what a file holds; a bad one changes nothing."""
        path = Path(path).absolute()
        try:
            kept = session.load_all(path)
        except (OSError, ValueError) as error:
            self.refused.emit(_sentence(error))
            return False
        self._document.open_study(kept.study_class, kept.explicit)
        self._recall(kept.data)
        is_session = path.suffix.lower() in (SUFFIX, ".json")
        self.path = path if is_session else None
        if is_session:
            self._remember(path)
        self.said.emit(f"Opened {path.name}")
        self.named.emit()
        return True

    def save(self) -> bool:
        return self._write(self.path) if self.path else self.save_as()

    def save_as(self) -> bool:
        suggested = self.path or self._settings.folder("session") / f"{self._document.study_class.key}{SUFFIX}"
        path, _ = QFileDialog.getSaveFileName(self._window, "Save session", str(suggested),
                                              f"Sessions (*{SUFFIX});;All files (*)")
        if not path:
            return False
        return self._write(Path(path) if Path(path).suffix else Path(path).with_suffix(SUFFIX))

    def keep(self) -> None:
        """Write the session that the next start begins with."""
        try:
            self._save(data_folder() / LAST)
        except OSError as error:
            self.refused.emit(_sentence(error))

    def _write(self, path: Path) -> bool:
        try:
            self._save(path)
        except OSError as error:
            self.refused.emit(_sentence(error))
            return False
        self.path = path
        self._document.undo_stack.setClean()
        self._remember(path)
        origin = self._document.origin
        named = "; it names the table and the condition, so that it can count again" if origin and origin.told else ""
        self.said.emit(f"Saved {path.name}{named}")
        self.named.emit()
        return True

    def _save(self, path: Path) -> None:
        _, explicit, data = self.outgoing()
        session.save(path, self._document.study_class, explicit, data)

    def set_exact_counts(self, along: bool) -> None:
        """Whether exact counts of data go along with sessions and exports, until the window is closed."""
        self.exact_counts = along

    def recall_last(self, data: Origin | None) -> None:
        """Say where values of the session that the window began with were counted."""
        self._recall(data)

    def _recall(self, data: Origin | None) -> None:
        if data is not None:
            self._document.recall(data)
            if not data.exact:
                self.counts_missing.emit(data)

    def outgoing(self, exact: bool | None = None) -> tuple[Study, Values, Origin | None]:
        """The study, its values and their origin as they may leave: exact counts of data only where that was chosen."""
        document, origin = self._document, self._document.origin
        if origin is None:
            return document.study, document.explicit, None
        data = replace(origin, exact=(self.exact_counts if exact is None else exact) and document.holds_counts)
        return (document.study, document.explicit, data) if data.exact else (*document.without_counts(), data)

    def _remember(self, path: Path) -> None:
        self._settings.add_recent(str(path))
        self._settings.set_folder("session", path.parent)

    # Exports

    def export(self, request: ExportRequest) -> None:
        """Write pictures as the command line would; the window stays alive meanwhile."""
        study, explicit, data = self.outgoing(request.exact_counts)

        def work() -> str:
            update = answer(study)
            if request.figure is None:
                pictures.write_all(request.path, study, update, size_mm=request.size_mm, dpi=request.dpi,
                                   format=request.format, explicit=explicit, hidden=request.hidden, data=data)
            else:
                pictures.write(request.path, study, update, study.figure(request.figure), size_mm=request.size_mm,
                               dpi=request.dpi, explicit=explicit, hidden=request.hidden, data=data)
            return f"Exported {request.path.name}"

        self._do(work, request.path)

    def export_image(self, path: Path, image: QImage) -> None:
        """Write a picture as it is on screen."""
        def work() -> str:
            content = QBuffer()
            content.open(QBuffer.OpenModeFlag.WriteOnly)
            QImageWriter(content, b"png").write(image)
            with atomic(path) as file:
                file.write(content.data().data())
            return f"Exported {path.name}"

        self._do(work, path)

    def export_data(self, study: Study, update: Update) -> None:
        """Ask where to, and write everything as JSON, or the facts as CSV."""
        if path := self._ask_where(f"{study.key}.json", "JSON, everything (*.json);;CSV, the facts (*.csv)"):
            self.write_data(path, study, update)

    def export_table(self, study: Study, update: Update, table: str) -> None:
        """Ask where to, and write one table as CSV."""
        if path := self._ask_where(f"{study.key}-{table}.csv", "CSV (*.csv)"):
            self.write_data(path, study, update, table)

    def write_data(self, path: Path, study: Study, update: Update, table: str | None = None) -> None:
        """Facts and tables as JSON, or, by the ending of the name, the facts or one table as CSV."""
        shared, data = study, self._document.counted_in(study)
        if data is not None and not self.exact_counts:
            # With a default in the place of an exact count, and everything that follows from the default.
            left = {name: value for name, value in session.explicit_of(study).items() if name not in data.counts}
            shared = type(study)(**left)
        elif data is not None:
            data = replace(data, exact=True)

        def work() -> str:
            told = update if shared == study else answer(shared)
            if path.suffix.lower() == ".csv":
                tables.write_csv(path, shared, told, table, data)
            else:
                tables.write_json(path, shared, told, data)
            return f"Exported {path.name}"

        self._do(work, path)

    def _ask_where(self, name: str, kinds: str) -> Path | None:
        path, _ = QFileDialog.getSaveFileName(self._window, "Export data", str(self._settings.folder("export") / name),
                                              kinds)
        return Path(path) if path else None

    def _do(self, work, path: Path) -> None:
        self._settings.set_folder("export", path if path.is_dir() else path.parent)
        self.said.emit(f"Exporting {path.name}…")
        self._background.run(work, self.said.emit, lambda error: self.refused.emit(_sentence(error)))

    def close(self) -> None:
        self._autosave.stop()
        self.keep()
        self._background.close()


def last_session() -> session.Kept | None:
    """What the window showed when it was last closed, if it can still be read."""
    try:
        return session.load_all(data_folder() / LAST)
    except (OSError, ValueError):
        return None


def first_study() -> type[Study]:
    return next(iter(all_studies().values()))


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{Path(str(error.filename)).name}: {(error.strerror or str(error)).lower()}"
    return str(error)
