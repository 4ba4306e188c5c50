"""The part of the dialog that opens a table: which file, its first rows, and whether it is the expected one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from dpstudio.core.resources import resource
from dpstudio.data.dialect import NAME_FILTER
from dpstudio.data.file import DataFile, FileSummary
from dpstudio.data.origin import MISSING, Origin
from dpstudio.data.secret import keyed
from dpstudio.gui.data.form import Form
from dpstudio.gui.data.worker import FileWorker
from dpstudio.gui.shell.settings import Asked, Settings
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.sentences import grouped

NOBODY = "no column"
EXAMPLE = "data/rand_hie.csv.gz"


class ReadingForm(Form):
    """Reads a file in another thread; what is to be counted in it is the business of who derives from this."""

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._settings = settings
        self._table: FileSummary | None = None
        self._path = Path()
        self._asked_before: Asked | None = None
        """What was last asked of this file in this run."""
        self._awaited: Origin | None = None
        """How an earlier count was made, to be made again once the file is read."""
        self.worker = FileWorker(self.worded, self)
        self.choose.clicked.connect(self._choose)
        self.example.clicked.connect(lambda: self.open_path(resource(EXAMPLE)))
        self.missing.editingFinished.connect(self._read_again)
        self.worker.begun.connect(lambda: self._show_busy(True))
        self.worker.idle.connect(lambda: self._show_busy(False))

    def begin(self, path: str = "", origin: Origin | None = None) -> None:
        """Open a file at once, or look for the one that an earlier count was made in; else one is to be chosen."""
        self._awaited = origin
        if origin is not None:
            self.missing.setText(", ".join(text for text in origin.missing if text))
            path = path or self._settings.data_file(origin.digest)
            if not path or not Path(path).is_file():
                self._say(f"{origin.file} is not where it was, or was opened elsewhere: choose it.")
                path = ""
        elif not path and self._settings.asked:
            path = str(list(self._settings.asked)[-1])  # the table of last time, with what was asked of it
        if path:
            self.open_path(path)
        else:
            self.choose.setFocus()

    def open_path(self, path: str | Path) -> None:
        """Read a file; what is wrong with it is said here, and the one before it is let go."""
        self._show_table(None)
        self._path = Path(path).absolute()
        self.file_name.setText(self._path.name)
        asked = self._settings.asked.get(self._path)
        self._asked_before = asked if self._awaited is None else None
        if self._asked_before is not None:
            self.missing.setText(", ".join(text for text in self._asked_before.origin.missing if text))
        self._say(f"Reading {self._path.name}…")
        self.worker.open(DataFile(self._path, missing=self._texts()), lambda found: self._opened(*found))

    def _texts(self) -> tuple[str, ...]:
        """What stands for no value."""
        return (*MISSING, *(text.strip() for text in self.missing.text().split(",") if text.strip()))

    def _show_table(self, table: FileSummary | None, rows: tuple[tuple[str | None, ...], ...] = ()) -> None:
        self._table = table
        self.preview.rows.show_table(table, rows)
        columns = table.columns if table is not None else ()
        self.names.setStringList([NOBODY, *(" ".join(column.name.split()) for column in columns)])
        self.person.setCurrentIndex(0)
        self.bounded.setChecked(True)
        self.at_most.setValue(1)
        for widget in (self.builder, self.person):
            widget.setEnabled(table is not None)
        self.builder.show_columns(columns)
        self._changed()

    def _say(self, sentence: str, danger: bool = False) -> None:
        self.status.setText(sentence)
        self.status.setProperty("role", "danger" if danger else "muted")
        self.status.style().polish(self.status)

    def _show_busy(self, busy: bool) -> None:
        self.progress.setVisible(busy)
        self.stop.setVisible(busy)

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Open data", str(self._settings.folder("data")),
                                              f"{NAME_FILTER};;All files (*)")
        if path:
            self._settings.set_folder("data", Path(path).parent)
            self.open_path(path)

    def _read_again(self) -> None:
        if self.missing.isModified() and self._table is not None:
            self.missing.setModified(False)
            self._awaited = self._asked()
            self.open_path(self._path)

    def _opened(self, table: FileSummary, rows: tuple[tuple[str | None, ...], ...]) -> None:
        self._show_table(table, rows)
        self._settings.add_data_file(keyed(table.sha256), self._path)
        lacking = sum(map(bool, table.missing))
        told = [f"{grouped(table.rows)} rows, {grouped(len(table.columns))} columns, of which "
                f"{grouped(lacking) if lacking else 'none'} with missing values. Nothing but this file is read.",
                *table.notes]
        earlier, self._awaited = self._awaited, None
        if earlier is not None:
            if not earlier.is_of(table.sha256):
                told.append("It may not be the file that was counted in before, or it has changed, or the session was "
                            "saved on another machine: N may be another.")
            self._restore(earlier)
        elif self._asked_before is not None:
            self._restore(self._asked_before.origin, self._asked_before.study)
        self._say(" ".join(told))

    def _changed(self) -> None:
        """Something that is asked for is another."""
        raise NotImplementedError

    def _restore(self, earlier: Origin, study: str = "") -> None:
        """Ask for what was asked for earlier, for that study."""
        raise NotImplementedError

    def _asked(self) -> Origin | None:
        """What is asked for now, to be asked for again."""
        raise NotImplementedError
