"""The table of facts: every number of the answer, readable in a narrow column and copied in full."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QTableView, QWidget

from dpstudio.gui.controls.style import is_escape
from dpstudio.gui.facts.model import FactsModel, Place
from dpstudio.gui.facts.paint import CellPainter, HeaderRow
from dpstudio.gui.facts.table import CellsView
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace, Worker
from dpstudio.text.language import tr

READING = 50
"""Milliseconds from one set of numbers to the next."""
LEAST = 0.25
"""Share of the width that the words have before anything is scrolled to."""


class Filter(QLineEdit):
    """A field for the words that rows of a table must have; Escape empties it and leads back to the table."""

    def __init__(self, table: QTableView, sift: Callable[[str], object], name: str = "") -> None:
        name = name or tr("Filter facts")
        super().__init__(placeholderText=name, clearButtonEnabled=True)
        self.setAccessibleName(name)
        self.textChanged.connect(sift)
        self._table = table

    def event(self, event: QEvent) -> bool:
        return is_escape(event, self._leave) or super().event(event)

    def _leave(self) -> None:
        self.clear()
        self._table.setFocus(Qt.FocusReason.ShortcutFocusReason)


class FactsView(CellsView):
    """Facts of the newest update; select and copy, or double-click to copy one."""

    copied = Signal(str)
    """What to tell about a copy that was made."""
    whole_copied = Signal(str)
    """The same about all of them, also of what was counted."""
    fitted = Signal()
    """Rows or columns are others: its height may be another."""
    solve_requested = Signal(object)
    """Where the fact stands that is wanted."""
    value_requested = Signal(str)
    """The parameter at whose value the fact of a row is asked for, which somebody wants to set."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.facts = FactsModel(self)
        self._copying = Worker("copying", self)
        self.show_update = Pace(READING, self.facts.show_update, self)
        self._heads, self._cells = HeaderRow(self.facts, theme, self), CellPainter(self.facts, theme, self)
        self.furnish(self.facts, self._heads, self._cells, tr("Facts, one column per mechanism"))
        self.setStyleSheet("QTableView { border: none; background: transparent; }")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        copy = QAction(tr("Copy"), self, shortcut=QKeySequence(QKeySequence.StandardKey.Copy),
                       shortcutContext=Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_selected)
        whole = QAction(tr("Copy all facts"), self)
        whole.triggered.connect(self.copy_all)
        want = QAction(tr("Want this…"), self)
        want.triggered.connect(lambda: self.solve_requested.emit(self.current_place()))
        self.addActions([want, copy, whole])
        self.clicked.connect(lambda index: self._ask_value(index.row()) if index.column() == 0 else None)
        self.doubleClicked.connect(lambda index: self._copy(self.facts.copied([index])))
        self.facts.modelReset.connect(self._respan)
        self.facts.dataChanged.connect(self._widen)
        self.verticalScrollBar().valueChanged.connect(self._widen)
        self.filter = Filter(self, self.facts.set_filter)
        self.filter.returnPressed.connect(lambda: self.setFocus(Qt.FocusReason.ShortcutFocusReason))
        self.set_theme(theme)

    def in_view(self) -> frozenset[Place]:
        """Where the facts stand whose rows are seen."""
        return self.facts.places(self._rows_in_view()) if self.isVisible() else frozenset()

    def _rows_in_view(self) -> range:
        if not self.facts.entries:
            return range(0)
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        return range(max(first, 0), (last if last >= 0 else len(self.facts.entries) - 1) + 1)

    def current_place(self) -> Place | None:
        """Where the fact stands that was selected last; None without one."""
        index = self.currentIndex()
        return self.facts.place(index.row(), index.column()) if index.isValid() else None

    def _ask_value(self, row: int) -> bool:
        """Ask for the parameter at whose value a row is asked for; whether there is one."""
        entry = self.facts.entries[row] if 0 <= row < len(self.facts.entries) else ""
        if isinstance(entry, str) or not entry.at:
            return False
        self.value_requested.emit(entry.at)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Typing filters; F2 sets the value at which a row is asked for."""
        if event.key() == Qt.Key.Key_F2 and self._ask_value(self.currentIndex().row()):
            return
        typed = self.facts.first is None and event.text().isprintable() and event.text().strip()
        if typed and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.filter.insert(event.text())
            return
        super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        self._cells.set_theme(theme)
        self._heads.set_theme(theme)
        super().set_theme(theme)

    def copy_selected(self) -> None:
        self._copy(self.facts.copied(self.selectedIndexes()))

    def copy_all(self) -> None:
        """Every fact, once all are computed: some take long, and the window goes on meanwhile."""
        self.copied.emit(tr("Copying all facts…"))
        self._copying.start(self.facts.copied_whole, self._put, failed=self._raise)

    def close_down(self) -> None:
        self._copying.close()

    def _put(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.whole_copied.emit(tr("All facts copied at full precision"))

    def _raise(self, error: Exception) -> None:
        raise error

    def _copy(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(tr("Copied {text}", text=text) if "\n" not in text and "\t" not in text
                             else tr("Copied at full precision"))

    def _respan(self) -> None:
        self.clearSpans()
        columns = self.facts.columnCount()
        for row in self.facts.headings():
            self.setSpan(row, 0, 1, columns)
        for row in self.facts.spanning():
            if columns > 2:
                self.setSpan(row, 1, 1, columns - 1)
        self._fit()

    def _fit(self) -> None:
        """Share the width out: to the words what they need, once every mechanism has room for a number and no heading
        is cut inside a word; what is left is the mechanisms’ alike."""
        columns = self.facts.columnCount()
        width = self.viewport().width()
        if columns < 2:
            return
        numbers = [self._heads.narrowest(column) for column in range(1, columns)]
        if self.facts.first is not None:  # titles on two lines at most, where that leaves the words theirs
            short = [max(least, self._heads.on_two_lines(i)) for i, least in enumerate(numbers, start=1)]
            if self._cells.widest_label() + sum(short) <= width:
                numbers = short
        words = min(self._cells.widest_label(), max(width - sum(numbers), round(width * LEAST)))
        left = max(width - words - sum(numbers), 0)
        # What does not fit is scrolled to.
        self.setColumnWidth(0, words)
        for column, wanted in enumerate(numbers, start=1):
            more = left * column // len(numbers) - left * (column - 1) // len(numbers)
            self.setColumnWidth(column, wanted + more)
        self._heads.fit()
        self._widen()
        self.fitted.emit()

    def _widen(self, *_: object) -> None:
        """Give every column the room in which what is seen can be read; kept until the table is laid out anew."""
        for column in range(1, self.facts.columnCount()):
            given = self.columnWidth(column)
            needed = max((self._cells.needed(row, column, given) for row in self._rows_in_view()), default=given)
            if needed > given:
                self.setColumnWidth(column, needed)
