"""What tables of facts share: how many cells there are, titles that break into lines, and nothing around the rows."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyledItemDelegate, QTableView

from dpstudio.gui.shell.theme import FontRole, Theme

Index: TypeAlias = QModelIndex | QPersistentModelIndex


class CellsModel(QAbstractTableModel):
    """Cells in rows and columns, with nothing below any of them."""

    @property
    def size(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        raise NotImplementedError

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self.size[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self.size[1]


class Heads(QHeaderView):
    """The titles of columns, each on as many lines as it needs, three at most."""

    beside = 0
    """Pixels of a column that its title leaves free."""
    role: ClassVar[FontRole] = "label"
    bold = False

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._lines = 1
        self.set_theme(theme)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._font = theme, theme.font(self.role, bold=self.bold)
        self._metrics = QFontMetrics(self._font)
        self.viewport().update()

    def title(self, section: int) -> str:
        """What a column is called, or nothing."""
        return str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")

    @property
    def besides(self) -> int:
        """Height of all that stands there besides the titles."""
        raise NotImplementedError

    def fit(self) -> None:
        """Be as high as the longest title needs."""
        self._lines = max((len(wrapped(self._metrics, title, self.sectionSize(i) - self.beside))
                           for i in range(self.count()) if (title := self.title(i))), default=1)
        self.updateGeometries()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._lines * self._metrics.lineSpacing() + self.besides)

    def clear(self, painter: QPainter, rect: QRect, ground: QColor) -> None:
        """An empty head, parted from the rows by a line."""
        painter.fillRect(rect, ground)
        painter.setPen(QColor(self._theme.line))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def write(self, painter: QPainter, box: QRect, title: str, colour: QColor | None = None) -> None:
        """A title from the top of a box, to the right."""
        painter.setFont(self._font)
        painter.setPen(colour or QColor(self._theme.text))
        for i, line in enumerate(wrapped(self._metrics, title, box.width())):
            painter.drawText(box.adjusted(0, i * self._metrics.lineSpacing(), 0, 0),
                             Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, line)


class CellsView(QTableView):
    """Nothing but rows under their titles: no grid, no frame, scrolled by pixels."""

    high = 24
    """Pixels of a row, at normal size of type."""

    def furnish(self, model: CellsModel, heads: Heads, cells: QStyledItemDelegate, name: str) -> None:
        """Show this, with these titles and what paints its cells; `name` is what a screen reader calls it."""
        self.setModel(model)
        self.setHorizontalHeader(heads)
        self.setItemDelegate(cells)
        self.setAccessibleName(name)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)

    def set_theme(self, theme: Theme) -> None:
        self.setFont(theme.font("label"))
        self.verticalHeader().setDefaultSectionSize(theme.px(self.high))
        self._fit()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Share the width out."""
        raise NotImplementedError


def has_words(text: str, typed: str) -> bool:
    """Whether a text has all the words that somebody typed, whatever their case."""
    text = text.casefold()
    return all(word in text for word in typed.casefold().split())


def wrapped(metrics: QFontMetrics, text: str, width: int) -> list[str]:
    """The words on at most three lines of much the same length, or parted at a comma; each cut short where it does
    not fit."""
    words = text.split()
    lines = _filled(metrics, words, width)
    parts = text.split(", ")
    if 1 < len(lines) == len(parts) and all(metrics.horizontalAdvance(part) <= width for part in parts):
        return parts
    for narrower in sorted({metrics.horizontalAdvance(" ".join(words[i:j])) for j in range(len(words) + 1)
                            for i in range(j)}):
        if narrower < width and len(even := _filled(metrics, words, narrower)) == len(lines) and all(
                metrics.horizontalAdvance(line) <= narrower for line in even):
            lines = even
            break
    if len(lines) > 3:
        lines = [*lines[:2], " ".join(lines[2:])]
    cut = (line.removesuffix(",") for line in lines)
    return [line if metrics.horizontalAdvance(line) <= width  # of which eliding would need a little more
            else metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in cut]


def _filled(metrics: QFontMetrics, words: list[str], width: int) -> list[str]:
    """The words line by line, as many on each as fit."""
    lines: list[str] = []
    for word in words:
        if lines and metrics.horizontalAdvance(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
