"""The table of facts: every number of the answer, readable in a narrow column and copied in full."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFontMetrics, QGuiApplication, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dpstudio.core import palette
from dpstudio.core.results import Fact, Series, Update
from dpstudio.core.study import Study
from dpstudio.gui.facts_model import FactsModel, Index, Role, pieces, shortest
from dpstudio.gui.theme import Theme

LABELS = 0.3
"""Share of the width for the words."""


class FactsView(QTableView):
    """Facts of the newest update; select and copy, or double-click to copy one."""

    copied = Signal(str)
    """What to tell about a copy that was made."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.facts = FactsModel(self)
        self.setModel(self.facts)
        self._heads = _Heads(self.facts, theme, self)
        self.setHorizontalHeader(self._heads)
        self.verticalHeader().hide()
        self._cells = _Cells(theme, self)
        self.setItemDelegate(self._cells)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Facts, one column a mechanism")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        copy = QAction("Copy", self, shortcut=QKeySequence(QKeySequence.StandardKey.Copy),
                       shortcutContext=Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_selected)
        whole = QAction("Copy all facts", self)
        whole.triggered.connect(self.copy_all)
        self.addActions([copy, whole])
        self.doubleClicked.connect(lambda index: self._copy(self.facts.copied([index])))
        self.facts.modelReset.connect(self._respan)
        self.set_theme(theme)

    def show_update(self, update: Update, study: Study) -> None:
        self.facts.show_update(update, study)

    def set_theme(self, theme: Theme) -> None:
        self._cells.theme = self._heads.theme = theme
        self.setFont(theme.font("label"))
        self.verticalHeader().setDefaultSectionSize(theme.px(24))
        self.setStyleSheet("QTableView { border: none; background: transparent; }")
        self._fit()
        self.viewport().update()

    def copy_selected(self) -> None:
        self._copy(self.facts.copied(self.selectedIndexes()))

    def copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self.facts.copied_whole())
        self.copied.emit("All facts copied at full precision")

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _copy(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(f"Copied {text}" if "\n" not in text and "\t" not in text else "Copied at full precision")

    def _respan(self) -> None:
        self.clearSpans()
        for row in self.facts.spanning():
            if self.facts.columnCount() > 2:
                self.setSpan(row, 1, 1, self.facts.columnCount() - 1)
        self._fit()

    def _fit(self) -> None:
        """Share the width out: the words first, then the mechanisms alike."""
        columns = self.facts.columnCount()
        width = self.viewport().width()
        if columns < 2:
            return
        number = round(width * (1 - LABELS) / (columns - 1))
        self.setColumnWidth(0, width - number * (columns - 1))
        for column in range(1, columns):
            self.setColumnWidth(column, number)
        self._heads.fit()


class _Heads(QHeaderView):
    """Headings with the colour and dash that the mechanism has in every picture."""

    def __init__(self, facts: FactsModel, theme: Theme, parent: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._facts = facts
        self.theme, self._lines = theme, 2
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(16)

    def fit(self) -> None:
        """As many lines as the longest heading needs, three at most."""
        metrics = QFontMetrics(self.theme.font("small"))
        self._lines = max((_lines(metrics, series.label, self.sectionSize(i + 1) - 6)
                           for i, series in enumerate(self._facts.series)), default=1)
        self.updateGeometries()

    def sizeHint(self) -> QSize:
        line = QFontMetrics(self.theme.font("small")).lineSpacing()
        return QSize(super().sizeHint().width(), self.theme.px(18) + self._lines * line)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        painter.fillRect(rect, QColor(self.theme.surface))
        painter.setPen(QColor(self.theme.line))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        series = self._facts.headerData(section, Qt.Orientation.Horizontal, Role.SERIES)
        if not isinstance(series, Series):
            return
        look = palette.style(series.key)
        pen = QPen(QColor(look.colour(dark=self.theme.dark)), look.width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if look.dash:
            pen.setDashPattern(look.dash)
        painter.setPen(pen)
        right = rect.right() - 4
        painter.drawLine(right - self.theme.px(30), rect.top() + 6, right, rect.top() + 6)
        font = self.theme.font("small")
        painter.setFont(font)
        painter.setPen(QColor(self.theme.text))
        box = rect.adjusted(2, self.theme.px(12), -4, 0)
        lines = _wrapped(QFontMetrics(font), series.label, box.width())
        for i, line in enumerate(lines):
            painter.drawText(box.adjusted(0, i * QFontMetrics(font).lineSpacing(), 0, 0),
                             Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, line)


class _Cells(QStyledItemDelegate):
    """Numbers to the right, their sign and their ± quieter, and a hair line under each row."""

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self.theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(self.theme.selection))
        painter.setPen(QColor(self.theme.line))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setFont(option.font)
        metrics = option.fontMetrics
        if index.column() == 0:
            painter.setFont(self.theme.font("small"))
            painter.setPen(QColor(self.theme.muted))
            words = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, rect.width() - 10)
            painter.drawText(rect.adjusted(8, 0, -2, 0), Qt.AlignmentFlag.AlignVCenter, words)
            return
        fact = index.data(Role.FACT)
        quiet, text = QColor(self.theme.muted), QColor(self.theme.text)
        if not isinstance(fact, Fact):
            self._write(painter, rect, [(str(index.data()), quiet)])
            return
        sign, number, spread = pieces(fact)
        whole = [(f"{sign} " if sign else "", quiet), (number, text), (f" {spread}" if spread else "", quiet)]
        for choice in (whole, whole[:2], [whole[0], (shortest(fact), text)]):
            if sum(metrics.horizontalAdvance(piece) for piece, _ in choice) <= rect.width() - 6:
                break
        self._write(painter, rect, choice, spans=fact.series is None)

    def _write(self, painter: QPainter, rect: QRect, parts: list[tuple[str, QColor]], *, spans: bool = False) -> None:
        """Pieces of text side by side, the last of them at the right edge; in the middle if it is for all."""
        advance = painter.fontMetrics().horizontalAdvance
        right = rect.right() - 4
        if spans:
            right -= (rect.width() - sum(advance(piece) for piece, _ in parts)) // 2
        for piece, colour in reversed(parts):
            width = advance(piece)
            painter.setPen(colour)
            painter.drawText(QRect(right - width, rect.top(), width + 2, rect.height()), Qt.AlignmentFlag.AlignVCenter,
                             piece)
            right -= width


def _wrapped(metrics: QFontMetrics, text: str, width: int) -> list[str]:
    """The words on at most three lines; the last one is cut short where they do not fit."""
    lines: list[str] = []
    for word in text.split():
        if lines and metrics.horizontalAdvance(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > 3:
        lines = [*lines[:2], " ".join(lines[2:])]
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines]


def _lines(metrics: QFontMetrics, text: str, width: int) -> int:
    return len(_wrapped(metrics, text, width))
