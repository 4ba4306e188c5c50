"""The dialog that opens a table as a form: its widgets and where they stand, which file is read, and its first rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QSpinBox,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.resources import resource, whether
from dpstudio.data.dialect import NAME_FILTER
from dpstudio.data.file import DataFile, FileSummary
from dpstudio.data.origin import AT_MOST, MISSING, Origin
from dpstudio.data.secret import keyed
from dpstudio.gui.controls.style import Combo, in_column, in_row, prose, push, restyle, said_as
from dpstudio.gui.data.builder import ColumnBox, ConditionBuilder
from dpstudio.gui.data.columns_asked import NO_COLUMN, ColumnsAsked
from dpstudio.gui.data.preview import FilePreview
from dpstudio.gui.data.result import CountResult
from dpstudio.gui.shell.settings import AskedOfTable, Settings
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Worker, log
from dpstudio.text.language import tr
from dpstudio.text.sentences import grouped

EXAMPLE = "data/rand_hie.csv.gz"


class FileWorker(Worker):
    """Does one thing after the other with a file; the newest wins, and what it overtakes is interrupted."""

    refused = Signal(str)

    def __init__(self, worded: Callable[[ValueError], str], parent: QObject | None = None) -> None:
        """`worded` is how a refusal is said."""
        super().__init__("data", parent, interrupt=lambda: self.file.interrupt() if self.file is not None else None)
        self.file: DataFile | None = None
        self._worded = worded

    def open(self, file: DataFile, done: Callable[[Any], object]) -> None:
        """Open a file and read its first rows; `done` gets both."""
        old = self.file

        def work() -> Any:
            if old is not None:
                old.close()
            return file.open(), file.preview()

        self.stop()  # while that is of the file before
        self.file = file
        self.start(work, done, failed=self._refuse)

    def ask(self, ask: Callable[[DataFile], Any], done: Callable[[Any], object]) -> None:
        """Do something with the open file."""
        if (file := self.file) is not None:
            def work() -> Any:
                file.resume()  # what was let go has ended
                return ask(file)

            self.start(work, done, failed=self._refuse)

    def end(self) -> None:
        """Wait until nothing runs any more, and close the file."""
        self.close()
        if self.file is not None:
            self.file.close()
            self.file = None

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, ValueError | OSError):
            log.error("reading a table failed: %s", type(error).__name__)  # no more: it may quote a row
        self.refused.emit(self._worded(error) if isinstance(error, ValueError)
                          else tr("This cannot be read ({name}).", name=type(error).__name__))


class ReadingForm(QDialog):
    """Reads a file in another thread; what is to be counted in it is the business of who derives from this."""

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make(theme)
        self._arrange(theme)
        self.builder.worded = self.worded
        self._settings = settings
        self._table: FileSummary | None = None
        self._path = Path()
        self._asked_before: AskedOfTable | None = None
        """What was last asked of this file in this run."""
        self._awaited: Origin | None = None
        """How an earlier count was made, to be made again once the file is read."""
        self.worker = FileWorker(self.worded, self)
        self.missing.editingFinished.connect(self._read_again)
        self.worker.begun.connect(lambda: self._show_busy(True))
        self.worker.idle.connect(lambda: self._show_busy(False))
        self._show_busy(False)

    def worded(self, refusal: Exception) -> str:
        """A refusal by the heading that the refused entry stands under."""
        if not isinstance(refusal, InvalidParameter):
            return str(refusal)
        headings = {"where": self.asked, "symptom": self.also, "symptoms": self.also, "action": self.acted,
                    "by": self.grouped.title, "of": self.numbers.title}
        names = {name: f"“{heading.text()}”" for name, heading in headings.items()} | {
            "value": tr("The value"), "person": tr("The column of persons"), "at_most": tr("The rows of each person"),
            "file": tr("The file")}
        return refusal.worded(lambda name: names.get(name, name))

    def _make(self, theme: Theme) -> None:
        self.file_name = said_as(QLabel(tr("No file yet"), textFormat=Qt.TextFormat.PlainText), tr("Chosen file"),
                                 role="title")
        self.choose = push(tr("Choose file…"), self._choose)
        self.example = push(tr("Example: RAND health insurance"), lambda: self.open_path(resource(EXAMPLE)),
                            tip=tr("People of an experiment, several rows each; public domain"))
        self.missing = said_as(QLineEdit(placeholderText=tr("NA, unknown")),
                               tr("Texts that mean a missing value, separated by commas"),
                               tr("A cell with one of these texts counts as missing, as an empty cell does; separate "
                               "several by commas"))
        self.missing.setFixedWidth(theme.px(160))
        self.status = prose(name=tr("State of the file"), role="muted")
        self.preview = FilePreview()
        self.preview.set_theme(theme)
        self.builder = ConditionBuilder()
        self.grouped = ColumnsAsked(tr("Grouped by"), (tr("Column by whose values rows are grouped"),
                                                       tr("Second column by whose values rows are grouped")),
                                    lambda column: column.kind != "other")
        self.numbers = ColumnsAsked(tr("Numbers of"), (tr("Column whose numbers are taken"),),
                                    lambda column: column.kind == "number")
        self.names = QStringListModel(self)
        self.person = ColumnBox(self.names, tr("Column that identifies a person"))
        self.bounded = said_as(QCheckBox(tr("at most")), tr("Bound the rows of each person"))
        self.at_most = said_as(QSpinBox(minimum=int(AT_MOST.low), maximum=int(AT_MOST.high), value=1),
                               tr("Rows of each person that may count"))
        self.of_each = QLabel(tr("rows of each"))
        self.asked = said_as(QLabel(tr("Which records qualify")), role="title")
        self.action = said_as(QLineEdit(placeholderText=tr("a condition, or a column of 0 and 1")),
                              tr("Who was treated, as a condition or a column of 0 and 1"))
        self.acted = said_as(QLabel(tr("Who was treated")), role="title")
        self.milder = said_as(QLineEdit(placeholderText=tr("another condition, or nothing")),
                              tr("A milder symptom, as a condition or a column of 0 and 1"))
        self.also = said_as(QLabel(tr("A milder symptom, if there is one")), role="title")
        self.found = CountResult(theme)
        self.progress = said_as(QProgressBar(maximum=0, textVisible=False), tr("Reading"))
        self.progress.setFixedWidth(theme.px(120))
        self.stop = push(tr("Stop"), role="quiet")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.help = self.buttons.addButton(tr("How this counts"), QDialogButtonBox.ButtonRole.HelpRole)
        self.use = self.buttons.addButton(tr("&Use in Decision"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.target = said_as(Combo(), tr("Study that uses the count"))
        self.target_label = QLabel(tr("Study"))
        for button in self.buttons.buttons():
            button.setAutoDefault(False)  # type: ignore[attr-defined]

    def _arrange(self, theme: Theme) -> None:
        whose = prose(tr("The column that tells persons apart: one person may have several rows."),
                      tr("What the column of persons is for"), "muted")
        person = in_row(self.person, self.bounded, self.at_most, self.of_each, None, gap=theme.px(8))
        left = in_column(self.grouped, self.numbers, self.asked, self.builder, self.also, self.milder, self.acted,
                         self.action, theme.px(8), said_as(QLabel(tr("Who a row belongs to")), role="title"),
                         whose, person, self.found.bounds, None)
        right = in_column(said_as(QLabel(tr("What this counts")), role="title"), (self.found, 1))
        line = QFrame(frameShape=QFrame.Shape.VLine)
        line.setStyleSheet(f"color: {theme.line};")
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(16))
        grid.addLayout(left, 0, 0)
        grid.addWidget(line, 0, 1)
        grid.addLayout(right, 0, 2)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(2, 2)
        edge = theme.px(20)
        in_column(in_row((self.file_name, 1), QLabel(tr("Read as missing")), self.missing, self.example, self.choose),
               self.status, (self.preview, 3), (grid, 4),
               in_row(self.progress, self.stop, None, self.target_label, self.target, self.buttons),
               within=self, gap=theme.px(10), edges=(edge, edge, edge, theme.px(16)))
        room = self.screen().availableGeometry()
        self.resize(min(theme.px(1080), room.width() - 40), min(theme.px(680), room.height() - 60))

    def begin(self, path: str = "", origin: Origin | None = None) -> None:
        """Open a file at once, or look for the one that an earlier count was made in; else one is to be chosen."""
        self._awaited = origin
        if origin is not None:
            self.missing.setText(", ".join(text for text in origin.missing if text))
            path = path or self._settings.data_file(origin.digest)
            if not path or not whether(Path(path).is_file):
                self._say(tr("{file} is not where it was, or was opened elsewhere: choose it.", file=origin.file))
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
        self._say(tr("Reading {name}…", name=self._path.name))
        self.worker.open(DataFile(self._path, missing=self._texts()), lambda found: self._opened(*found))

    def _texts(self) -> tuple[str, ...]:
        """What stands for no value."""
        return (*MISSING, *(text.strip() for text in self.missing.text().split(",") if text.strip()))

    def _show_table(self, table: FileSummary | None, rows: tuple[tuple[str | None, ...], ...] = ()) -> None:
        self._table = table
        self.preview.rows.show_table(table, rows)
        columns = table.columns if table is not None else ()
        self.names.setStringList([tr(NO_COLUMN), *(" ".join(column.name.split()) for column in columns)])
        self.person.setCurrentIndex(0)
        self.bounded.setChecked(True)
        self.at_most.setValue(1)
        for widget in (self.builder, self.person):
            widget.setEnabled(table is not None)
        self.builder.show_columns(columns)
        self.grouped.show_columns(columns)
        self.numbers.show_columns(columns)
        self._changed()

    def _say(self, sentence: str, danger: bool = False) -> None:
        self.status.setText(sentence)
        restyle(said_as(self.status, role="danger" if danger else "muted"))

    def _show_busy(self, busy: bool) -> None:
        self.progress.setVisible(busy)
        self.stop.setVisible(busy)

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Count in your data"), str(self._settings.folder("data")),
                                              f"{NAME_FILTER};;{tr('All files (*)')}")
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
        told = [tr("{rows} rows, {columns} columns, of which {lacking} with missing values. Nothing but this file is "
                   "read.", rows=grouped(table.rows), columns=grouped(len(table.columns)),
                   lacking=grouped(lacking) if lacking else tr("none")),
                *table.notes]
        earlier, self._awaited = self._awaited, None
        if earlier is not None:
            if not earlier.is_of(table.sha256):
                told.append(tr("It may not be the file that was counted in before, or it has changed, or the session "
                               "was saved on another machine: N may be another."))
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
