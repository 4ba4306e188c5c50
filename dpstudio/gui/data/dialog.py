"""The dialog that opens a table, lets a person say which records qualify, and hands their number to a study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.resources import resource
from dpstudio.core.sentences import grouped
from dpstudio.core.study import Study
from dpstudio.data.cohort import Cohort, cohort, symptom
from dpstudio.data.counting import Counted, count
from dpstudio.data.dialect import NAME_FILTER
from dpstudio.data.file import DataFile, Table
from dpstudio.data.origin import MISSING, Origin
from dpstudio.data.uses import Use, offered
from dpstudio.gui.about import own_data
from dpstudio.gui.data.form import Form
from dpstudio.gui.data.worker import Worker
from dpstudio.gui.document import Document
from dpstudio.gui.settings import Settings
from dpstudio.gui.theme import Theme
from dpstudio.studies import all_studies

NOBODY = "no column"
EXAMPLE = "data/rand_hie.csv.gz"
PAUSE = 250
"""Milliseconds without a change after which counting begins."""


class DataDialog(Form):
    """File, preview, condition, person, result; everything that reads the file does so in another thread."""

    used = Signal(str, object, object)
    """A study, values of its parameters, and where they were counted."""

    def __init__(self, document: Document, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open data")
        self._document, self._settings, self._theme = document, settings, theme
        self._awaited: Origin | None = None
        self._counted: tuple[Counted | Cohort, Origin] | None = None
        self.worker = Worker(self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._uses = tuple(offered(all_studies()))
        for use in self._uses:
            self.target.addItem(all_studies()[use.study].title)
            if use.study == document.study_class.key:
                self.target.setCurrentIndex(self.target.count() - 1)
        for widget in (self.target_label, self.target):
            widget.setVisible(len(self._uses) > 1)
        self._connect(theme)
        self._show_table(None)
        self._aim()

    def begin(self, path: str = "", origin: Origin | None = None) -> None:
        """Open a file at once, or look for the one that an earlier count was made in; else one is to be chosen."""
        self._awaited = origin
        if origin is not None:
            self.missing.setText(", ".join(text for text in origin.missing if text))
            path = path or self._settings.data_file(origin.sha256)
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

    def _connect(self, theme: Theme) -> None:
        self.choose.clicked.connect(self._choose)
        self.example.clicked.connect(lambda: self.open_path(resource(EXAMPLE)))
        self.missing.editingFinished.connect(self._read_again)
        self.builder.changed.connect(self._changed)
        self.person.currentIndexChanged.connect(self._changed)
        self.bounded.toggled.connect(self._bound)
        self.at_most.valueChanged.connect(self._bound)
        self.stop.clicked.connect(self._stop)
        self.target.currentIndexChanged.connect(self._aim)
        self.action.textChanged.connect(self._changed)
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
        self._settings.add_data_file(table.sha256, self._path)
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
        for i, use in enumerate(self._uses):
            if use.counts == earlier.counts:
                self.target.setCurrentIndex(i)
        self.action.setText(earlier.action or "")
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
        complete = condition is not None and (not self._use_chosen.arms or bool(self.action.text().strip()))
        if self._table is None or complete:
            self.found.show_nothing()
        elif self._use_chosen.arms:
            self.found.show_nothing("Say who has the symptom and who was acted upon: both arms are counted.")
        else:
            self.found.show_nothing("Say which records qualify: their number is N.")
        if complete:
            self._pause.start()
        else:
            self._pause.stop()
            self.worker.cancel()

    def _count(self) -> None:
        condition, person, where = self.builder.condition(), self._person, self.builder.where
        if condition is None or self._table is None:
            return
        use, at_most, action = self._use_chosen, self._at_most, self.action.text().strip()

        def counting(file: DataFile) -> Counted | Cohort:
            if use.arms:
                return cohort(file, {where: condition}, symptom(file, action, "action"), person, at_most)
            return count(file, condition, person)

        origin = Origin(self._table.name, self._table.sha256, where, person, None,
                        self.worker.file.missing if self.worker.file else MISSING)
        origin = replace(origin, counts=use.counts, action=action if use.arms else None)
        self.worker.ask(counting, lambda found: self._show_count(found, origin))

    def _show_count(self, counted: Counted | Cohort, origin: Origin) -> None:
        self._counted = counted, origin
        self._show_found()

    def _bound(self) -> None:
        """A bound changes what a count comes to, not what was read; of a cohort it changes which rows are kept."""
        if self._use_chosen.arms:
            self._changed()
        self._bounds_enabled()
        self._show_found()

    def _aim(self) -> None:
        """Another study may want something else counted."""
        arms = self._use_chosen.arms
        self.asked.setText("Who has the symptom" if arms else "Which records qualify")
        for widget in (self.acted, self.action):
            widget.setVisible(arms)
        if self._counted is not None and arms == isinstance(self._counted[0], Cohort):
            self._counted = self._counted[0], replace(self._counted[1], counts=self._use_chosen.counts)
            self._show_found()
        else:
            self._changed()
            self._show_found()

    def _show_found(self) -> None:
        if self._counted is not None:
            found = self._counted[0]
            if isinstance(found, Cohort):
                self.found.show_cohort(found)
            else:
                self.found.show_count(found, self._at_most, self._study())
            self.use.setEnabled(True)
            self.use.setDefault(True)
        self.use.setText(f"Use in {self.target.currentText()}")
        bold = QFontMetrics(self._theme.font(bold=True))  # as it is once it can be pressed
        self.use.setMinimumWidth(bold.horizontalAdvance(self.use.text()) + self._theme.px(32))

    def _bounds_enabled(self) -> None:
        self.bounded.setEnabled(self._person is not None)
        self.at_most.setEnabled(self._person is not None and self.bounded.isChecked())

    @property
    def _use_chosen(self) -> Use:
        return self._uses[max(0, self.target.currentIndex())]

    def _study(self) -> Study:
        """The study that the count is for: as it stands, or as it would begin."""
        key = self._use_chosen.study
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
        most = None
        if isinstance(counted, Counted) and counted.people is not None and at_most is None:
            most = counted.people.qualifying.most
        use = self._use_chosen
        try:
            values = use.values(counted, at_most)
        except InvalidParameter as refusal:
            self.found.show_nothing(str(refusal))
            return
        self.used.emit(use.study, values, replace(origin, at_most=at_most, most=most))
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
