"""Which columns groups are counted by, or which column’s numbers are taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Signal
from PySide6.QtWidgets import QLabel, QWidget

from dpstudio.data.columns import FileColumn
from dpstudio.gui.controls.style import in_column, in_row, said_as
from dpstudio.gui.data.builder import ColumnBox
from dpstudio.text.language import tr

NO_COLUMN = "no column"


class ColumnsAsked(QWidget):
    """A title over one drop-down of columns or several, each of which may be left at none."""

    changed = Signal()

    def __init__(self, title: str, accessible: Sequence[str], fits: Callable[[FileColumn], bool],
                 parent: QWidget | None = None) -> None:
        """`accessible` is what each drop-down is called, and `fits` says which columns it offers."""
        super().__init__(parent)
        self.title = said_as(QLabel(title), role="title")
        self._fits = fits
        self._columns: tuple[FileColumn, ...] = ()
        self._names = QStringListModel(self)
        self.boxes = tuple(ColumnBox(self._names, name) for name in accessible)
        between = [part for box in self.boxes for part in (QLabel(tr("and")), (box, 1))][1:]
        in_column(self.title, in_row(*between, gap=8), within=self, gap=6, edges=(0, 0, 0, 10))
        self.show_columns(())
        for box in self.boxes:
            box.currentIndexChanged.connect(self.changed)

    def show_columns(self, columns: Sequence[FileColumn]) -> None:
        """Offer those of a file that fit, and have none chosen."""
        self._columns = tuple(column for column in columns if self._fits(column))
        self._names.setStringList([tr(NO_COLUMN), *(" ".join(column.name.split()) for column in self._columns)])
        for box in self.boxes:
            box.setCurrentIndex(0)
        self.setEnabled(bool(self._columns))

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of the chosen columns, each once."""
        places = (box.currentIndex() - 1 for box in self.boxes)
        return tuple(dict.fromkeys(self._columns[place].name for place in places if place >= 0))

    def choose(self, names: Sequence[str]) -> None:
        """Have these chosen, as far as they are offered."""
        known = [column.name for column in self._columns]
        for i, box in enumerate(self.boxes):
            box.setCurrentIndex(known.index(names[i]) + 1 if i < len(names) and names[i] in known else 0)
