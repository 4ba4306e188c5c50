"""The table of a comparison as it is painted: two lines a cell, the number and how it differs."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dpstudio.gui.compare.model import ComparisonModel
from dpstudio.gui.controls.style import Combo, labelled, no_narrower, said_as
from dpstudio.gui.facts.table import CellsView, Heads, Index
from dpstudio.gui.plot.legend import sample_pen
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace
from dpstudio.scene import palette
from dpstudio.text.language import tr

NARROWEST, WIDEST = 146, 260
"""Pixels of a setting's column, at normal size of type."""
LEAST, MOST = 170, 260
"""Pixels that the names of facts have before anything is scrolled to, and where there is room."""
SWATCH = 22
SHORTEST = 8
"""Characters that a choice has room for."""
_RIGHT, _LEFT = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft


class ComparisonTable(CellsView):
    """A row a fact, a column a setting."""

    high = 40

    def __init__(self, model: ComparisonModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._theme = model, theme
        self.heads, self._cells = _Heads(model, theme, self), _Cells(model, theme, self)
        self.furnish(model, self.heads, self._cells, tr("Facts, one column per setting"))
        model.modelReset.connect(self._fit)
        model.headerDataChanged.connect(self._fit)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._cells.set_theme(theme)
        self.heads.set_theme(theme)
        super().set_theme(theme)

    def _fit(self) -> None:
        """Share the width out; what does not fit is scrolled to."""
        settings = self._model.columnCount() - 1
        if settings < 1:
            return
        px, room = self._theme.px, self.viewport().width()
        words = min(max(room - px(NARROWEST) * settings, px(LEAST)), px(MOST))
        each = min(max((room - words) // settings, px(NARROWEST)), px(WIDEST))
        words = max(words, room - each * settings)
        self.setColumnWidth(0, words)
        for column in range(1, settings + 1):
            self.setColumnWidth(column, each)
        self.heads.fit()


class ComparedPage(QWidget):
    """Settings beside each other, which follow the document; a click on a title compares with that setting, a
    double-click takes its values."""

    filled = Signal()
    """There is something to show, or no longer."""
    reading = 100
    """Milliseconds from one look to the next."""

    def __init__(self, desk: Desk, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._moving = desk, False
        self.model = ComparisonModel(self)
        self.table = ComparisonTable(self.model, theme)
        self.reference = Combo()
        self.hint = said_as(QLabel(wordWrap=True), role="muted")
        self.refresh = Pace(self.reading, self._refresh, self)
        desk.document.changed.connect(self._follow)
        desk.document.study_changed.connect(self._show_study)
        desk.document.moving.connect(self._hold)

    def set_theme(self, theme: Theme) -> None:
        self.table.set_theme(theme)

    def _follow(self, *_: object) -> None:  # a method, which is forgotten with the window
        self.refresh()

    def _hold(self, moving: bool) -> None:
        self._moving = moving
        if not moving:
            self.refresh()

    def _refresh(self) -> None:
        raise NotImplementedError

    def _show_study(self) -> None:
        """Another study has other series."""
        raise NotImplementedError


class _Heads(Heads):
    """What each setting is called, and which one the others are compared with."""

    beside, bold = 12, True

    def __init__(self, model: ComparisonModel, theme: Theme, parent: QTableView) -> None:
        super().__init__(theme, parent)
        self._model = model
        self.setSectionsClickable(True)

    @property
    def besides(self) -> int:
        return QFontMetrics(self._theme.font("small")).lineSpacing() + self._theme.px(14)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        theme, model = self._theme, self._model
        chosen = section - 1 == model.reference and section > 0
        self.clear(painter, rect, QColor(theme.selection if chosen else theme.surface))
        if not 0 < section <= len(model.sides):
            return
        box, side = rect.adjusted(6, theme.px(4), -6, 0), model.sides[section - 1]
        if side.series is not None:
            painter.setPen(sample_pen(palette.style(side.series, model.compared), theme, theme.px(SWATCH)))
            painter.setOpacity(palette.REFUSED if side.refused else 1)
            painter.drawLine(rect.right() - 6 - theme.px(SWATCH), rect.top() + 3, rect.right() - 6, rect.top() + 3)
            painter.setOpacity(1)
            box.adjust(0, theme.px(4), 0, 0)
        self.write(painter, box, side.title, QColor(theme.muted) if side.refused else None)
        if below := model.below(section - 1):
            painter.setFont(theme.font("small"))
            painter.drawText(box.adjusted(0, 0, 0, -theme.px(4)), _RIGHT | Qt.AlignmentFlag.AlignBottom, below)


class _Cells(QStyledItemDelegate):
    """The number over what differs; the name of a fact over that of its series, with the colour it has in pictures."""

    def __init__(self, model: ComparisonModel, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._model = model
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._fonts = theme.font("label"), theme.font("small")
        self._metrics = tuple(map(QFontMetrics, self._fonts))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect, row, column = self._theme, option.rect, index.row(), index.column()
        line = self._model.lines[row]
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(theme.selection))
        painter.setPen(QColor(theme.line))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        box, text, muted = rect.adjusted(8, 0, -6, 0), QColor(theme.text), QColor(theme.muted)
        if column:
            value, changed = self._model.cell(row, column)
            apart = line.changes[column - 1]
            quiet = (apart is not None and not apart.differs) or bool(self._model.sides[column - 1].refused)
            self._two(painter, box, _RIGHT, (value, muted if quiet else text), (changed, muted))
            return
        if line.series is None:
            self._two(painter, box, _LEFT, (tr(line.quantity.label), text), ("", muted))
            return
        swatch = theme.px(SWATCH)
        painter.setPen(sample_pen(palette.style(line.series, self._model.compared), theme, swatch))
        middle = rect.center().y() + self._metrics[1].lineSpacing() // 2 + 1
        painter.drawLine(box.left(), middle, box.left() + swatch, middle)
        self._two(painter, box, _LEFT, (tr(line.quantity.label), text), (tr(line.series.label), muted),
                  swatch + theme.px(6))

    def _two(self, painter: QPainter, box: QRect, to: Qt.AlignmentFlag, above: tuple[str, QColor],
             below: tuple[str, QColor], indent: int = 0) -> None:
        """One text over the other, or one alone in the middle; what has no room is cut, and the tooltip says it."""
        height = self._metrics[0].lineSpacing() + (self._metrics[1].lineSpacing() if below[0] else 0)
        top = box.top() + (box.height() - height) // 2
        for (words, colour), metrics, font, left in zip((above, below), self._metrics, self._fonts, (0, indent),
                                                        strict=True):
            self._write(painter, QRect(box.left() + left, top, box.width() - left, metrics.lineSpacing()), to, words,
                        colour, metrics, font)
            top += metrics.lineSpacing()

    def _write(self, painter: QPainter, box: QRect, to: Qt.AlignmentFlag, words: str, colour: QColor,
               metrics: QFontMetrics, font: QFont) -> None:
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(box, to | Qt.AlignmentFlag.AlignVCenter,
                         metrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width()))


def chooser(words: str, box: QComboBox) -> tuple[QLabel, tuple[QComboBox, int]]:
    """A choice with words before it, in as much of a row as there is room for."""
    return labelled(words, box), (no_narrower(said_as(box, words), SHORTEST), 1)
