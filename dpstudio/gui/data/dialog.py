"""The dialog that opens a table, lets a person say which records qualify, and hands their number to a study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.resources import resource
from dpstudio.core.sentences import grouped
from dpstudio.core.study import Study
from dpstudio.data.counting import Counted, count
from dpstudio.data.dialect import NAME_FILTER
from dpstudio.data.file import DataFile, Table
from dpstudio.data.origin import AT_MOST, MISSING, Origin
from dpstudio.data.uses import offered
from dpstudio.gui.about import own_data
from dpstudio.gui.data.builder import ColumnBox, ConditionBuilder
from dpstudio.gui.data.preview import Preview
from dpstudio.gui.data.result import Result
from dpstudio.gui.data.worker import Worker
from dpstudio.gui.document import Document
from dpstudio.gui.settings import Settings
from dpstudio.gui.theme import Theme
from dpstudio.studies import all_studies

NOBODY = "no column: rows count"
EXAMPLE = "data/rand_hie.csv.gz"
PAUSE = 250
"""Milliseconds without a change after which counting begins."""


class DataDialog(QDialog):
    """File, preview, condition, person, result; everything that reads the file does so in another thread."""

    used = Signal(str, object, object)
    """A study, values of its parameters, and where they were counted."""

    def __init__(self, document: Document, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open data")
        self._document, self._settings, self._theme = document, settings, theme
        self._awaited: Origin | None = None
        self._counted: tuple[Counted, Origin] | None = None
        self.worker = Worker(self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._make(theme)
        self._arrange(theme)
        self._connect(theme)
        self._show_table(None)

    def begin(self, path: str = "", origin: Origin | None = None) -> None:
        """Open a file at once, or look for the one that an earlier count was made in; else one is to be chosen."""
        self._awaited = origin
        if origin is not None:
            self.missing.setText(", ".join(text for text in origin.missing if text))
            path = path or self._settings.text(f"data/{origin.sha256}", "")
            if not path or not Path(path).is_file():
                self._say(f"{origin.file} is not where it was, or was opened elsewhere: choose it.")
                path = ""
        if path:
            self.open_path(path)
        else:
            self.choose.setFocus()

    def open_path(self, path: str | Path) -> None:
        """Read a file; what is wrong with it is said here, and the one before it is let go."""
        self._show_table(None)
        self._path = Path(path).absolute()
        self.file_name.setText(self._path.name)
        texts = tuple(text.strip() for text in self.missing.text().split(",") if text.strip())
        self._say(f"Reading {self._path.name}…")
        self.worker.open(DataFile(self._path, missing=(*MISSING, *texts)), lambda found: self._opened(*found))

    # What is seen

    def _make(self, theme: Theme) -> None:
        self.file_name = _plain("No file yet", "Chosen file")
        self.file_name.setProperty("role", "title")
        self.choose = QPushButton("Choose file…")
        self.example = QPushButton("Example: RAND health insurance")
        self.example.setToolTip("People of an experiment, several rows each; public domain")
        self.missing = QLineEdit(placeholderText="NA, unknown")
        self.missing.setAccessibleName("Texts that mean a missing value, separated by commas")
        self.missing.setToolTip("Texts that mean a missing value, separated by commas; an empty cell always does")
        self.missing.setFixedWidth(theme.px(160))
        self.status = _plain("", "State of the file")
        self.status.setWordWrap(True)
        self.status.setProperty("role", "muted")
        self.preview = Preview()
        self.preview.set_theme(theme)
        self.builder = ConditionBuilder()
        self._names = QStringListModel(self)
        self.person = ColumnBox(self._names, "Column that identifies a person")
        self.bounded = QCheckBox("at most")
        self.bounded.setAccessibleName("Bound the rows of each person")
        self.at_most = QSpinBox(minimum=int(AT_MOST.low), maximum=int(AT_MOST.high), value=1)
        self.at_most.setAccessibleName("Rows of each person that may count")
        self.found = Result(theme)
        self.progress = QProgressBar(maximum=0, textVisible=False)
        self.progress.setAccessibleName("Reading")
        self.progress.setFixedWidth(theme.px(120))
        self.stop = QPushButton("Stop")
        self.stop.setProperty("role", "quiet")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.help = self.buttons.addButton("How this counts", QDialogButtonBox.ButtonRole.HelpRole)
        self.use = self.buttons.addButton("Use in Decision", QDialogButtonBox.ButtonRole.AcceptRole)
        self.target = QComboBox()
        self.target.setAccessibleName("Study that uses the count")
        self._uses = tuple(offered(all_studies()))
        for use in self._uses:
            self.target.addItem(all_studies()[use.study].title)
            if use.study == self._document.study_class.key:
                self.target.setCurrentIndex(self.target.count() - 1)
        self.target.setVisible(len(self._uses) > 1)
        self._target = QLabel("Study")
        self._target.setVisible(len(self._uses) > 1)
        for button in (self.choose, self.example, self.stop, *self.buttons.buttons()):
            button.setAutoDefault(False)  # type: ignore[attr-defined]

    def _arrange(self, theme: Theme) -> None:
        top = QHBoxLayout()
        top.addWidget(self.file_name, 1)
        beside: tuple[QWidget, ...] = (QLabel("Also missing"), self.missing, self.example, self.choose)
        for widget in beside:
            top.addWidget(widget)
        person = QHBoxLayout()
        person.setSpacing(theme.px(8))
        beside = (self.person, self.bounded, self.at_most, QLabel("rows of each"))
        for widget in beside:
            person.addWidget(widget)
        person.addStretch()
        left = QVBoxLayout()
        left.addWidget(_heading("Which records qualify"))
        left.addWidget(self.builder)
        left.addSpacing(theme.px(8))
        left.addWidget(_heading("Whose they are"))
        left.addLayout(person)
        left.addStretch()
        right = QVBoxLayout()
        right.addWidget(_heading("What this counts"))
        right.addWidget(self.found, 1)
        line = QFrame(frameShape=QFrame.Shape.VLine)
        line.setStyleSheet(f"color: {theme.line};")
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(16))
        grid.addLayout(left, 0, 0)
        grid.addWidget(line, 0, 1)
        grid.addLayout(right, 0, 2)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(2, 2)
        bottom = QHBoxLayout()
        bottom.addWidget(self.progress)
        bottom.addWidget(self.stop)
        bottom.addStretch()
        bottom.addWidget(self._target)
        bottom.addWidget(self.target)
        bottom.addWidget(self.buttons)
        column = QVBoxLayout(self)
        edge = theme.px(20)
        column.setContentsMargins(edge, edge, edge, theme.px(16))
        column.setSpacing(theme.px(10))
        column.addLayout(top)
        column.addWidget(self.status)
        column.addWidget(self.preview, 3)
        column.addLayout(grid, 4)
        column.addLayout(bottom)
        room = self.screen().availableGeometry()
        self.resize(min(theme.px(1080), room.width() - 40), min(theme.px(680), room.height() - 60))

    def _connect(self, theme: Theme) -> None:
        self.choose.clicked.connect(self._choose)
        self.example.clicked.connect(lambda: self.open_path(resource(EXAMPLE)))
        self.missing.editingFinished.connect(self._read_again)
        self.builder.changed.connect(self._changed)
        self.person.currentIndexChanged.connect(self._changed)
        self.bounded.toggled.connect(self._bound)
        self.at_most.valueChanged.connect(self._bound)
        self.stop.clicked.connect(self._stop)
        self.target.currentIndexChanged.connect(self._bound)
        self._pause.timeout.connect(self._count)
        self.worker.failed.connect(self._refuse)
        self.worker.busy.connect(self._show_busy)
        self.buttons.accepted.connect(self._use)
        self.buttons.rejected.connect(self.reject)
        self.buttons.helpRequested.connect(lambda: own_data(theme, self).open())
        self.finished.connect(self._close_down)

    def _show_table(self, table: Table | None, rows: tuple[tuple[str | None, ...], ...] = ()) -> None:
        self._table = table
        self._counted = None
        self.preview.rows.show_table(table, rows)
        columns = table.columns if table is not None else ()
        self._names.setStringList([NOBODY, *(" ".join(column.name.split()) for column in columns)])
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

    # From the file to the count

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Open data", str(self._settings.folder("data")),
                                              f"{NAME_FILTER};;All files (*)")
        if path:
            self._settings.set_folder("data", Path(path).parent)
            self.open_path(path)

    def _read_again(self) -> None:
        if self.missing.isModified() and self._table is not None:
            self.missing.setModified(False)
            where, person, bound = self.builder.where, self.person.currentText(), self._at_most
            self._awaited = Origin(self._table.name, self._table.sha256, where,
                                   person if self.person.currentIndex() > 0 else None, bound)
            self.open_path(self._path)

    def _opened(self, table: Table, rows: tuple[tuple[str | None, ...], ...]) -> None:
        self._show_table(table, rows)
        self._settings.set_text(f"data/{table.sha256}", str(self._path))
        lacking = sum(map(bool, table.missing))
        told = [f"{grouped(table.rows)} rows, {grouped(len(table.columns))} columns, of which "
                f"{grouped(lacking) if lacking else 'none'} with missing values. Nothing but this file is read.",
                *table.notes]
        earlier, self._awaited = self._awaited, None
        if earlier is not None:
            if earlier.sha256 != table.sha256:
                told.append(f"It is not the file that was counted in before, or it has changed: {earlier.file} had "
                            "another digest, so N may be another.")
            self._restore(earlier)
        self._say(" ".join(told))

    def _restore(self, earlier: Origin) -> None:
        if earlier.where:
            assert self._table is not None
            self.builder.show_columns(self._table.columns, earlier.where)
        self.person.setCurrentIndex(max(0, self.person.findText(earlier.person or NOBODY)))
        self.bounded.setChecked(earlier.at_most is not None)
        self.at_most.setValue(earlier.at_most or 1)

    @property
    def _at_most(self) -> int | None:
        return self.at_most.value() if self._person is not None and self.bounded.isChecked() else None

    @property
    def _person(self) -> str | None:
        index = self.person.currentIndex()
        return self._table.columns[index - 1].name if self._table is not None and index > 0 else None

    def _changed(self) -> None:
        """Another condition or person: what was counted holds no more."""
        self._counted = None
        self.use.setEnabled(False)
        self._bounds_enabled()
        condition = self.builder.condition() if self._table is not None else None
        self.found.show_nothing("" if self._table is None or condition is not None else
                                 "Say which records qualify: their number is N.")
        if condition is not None:
            self._pause.start()
        else:
            self._pause.stop()
            self.worker.cancel()

    def _count(self) -> None:
        condition, person, where = self.builder.condition(), self._person, self.builder.where
        if condition is None or self._table is None:
            return
        origin = Origin(self._table.name, self._table.sha256, where, person, None,
                        self.worker.file.missing if self.worker.file else MISSING)
        self.worker.ask(lambda file: count(file, condition, person), lambda found: self._show_count(found, origin))

    def _show_count(self, counted: Counted, origin: Origin) -> None:
        self._counted = counted, origin
        self._bound()

    def _bound(self) -> None:
        """A bound changes what a count comes to, not what was read."""
        self._bounds_enabled()
        if self._counted is not None:
            self.found.show_count(self._counted[0], self._at_most, self._study())
            self.use.setEnabled(True)
            self.use.setDefault(True)
        self.use.setText(f"Use in {self.target.currentText()}")
        bold = QFontMetrics(self._theme.font(bold=True))  # as it is once it can be pressed
        self.use.setMinimumWidth(bold.horizontalAdvance(self.use.text()) + self._theme.px(32))

    def _bounds_enabled(self) -> None:
        self.bounded.setEnabled(self._person is not None)
        self.at_most.setEnabled(self._person is not None and self.bounded.isChecked())

    def _study(self) -> Study:
        """The study that the count is for: as it stands, or as it would begin."""
        key = self._uses[self.target.currentIndex()].study
        return self._document.study if self._document.study.key == key else all_studies()[key]()

    def _refuse(self, sentence: str) -> None:
        if self._table is None:
            self._say(sentence, danger=True)
        else:
            self.found.show_nothing(sentence)

    def _stop(self) -> None:
        self._pause.stop()
        self.worker.cancel()
        if self._table is None:
            self._say("Reading was stopped.")
        else:
            self.found.show_nothing("Counting was stopped; change something to count again.")

    # The end

    def _use(self) -> None:
        if self._counted is None:
            return
        counted, origin = self._counted
        at_most = self._at_most
        most = counted.people.qualifying.most if counted.people is not None and at_most is None else None
        use = self._uses[self.target.currentIndex()]
        try:
            values = use.values(counted, at_most)
        except InvalidParameter as refusal:
            self.found.show_nothing(str(refusal))
            return
        self.used.emit(use.study, values, replace(origin, at_most=at_most, most=most, counts=use.parameters))
        self.accept()

    def _close_down(self) -> None:
        self._pause.stop()
        self.worker.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return in an entry finishes the entry; it does not close the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), QLineEdit):
            event.accept()
            return
        super().keyPressEvent(event)


def _plain(text: str, name: str) -> QLabel:
    label = QLabel(text, textFormat=Qt.TextFormat.PlainText)
    label.setAccessibleName(name)
    return label


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "title")
    return label
