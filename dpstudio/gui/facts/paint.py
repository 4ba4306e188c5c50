"""How the table of facts is painted: with everything that does not change from frame to frame at hand."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from dpstudio.core.results import Fact
from dpstudio.documents.rows import pieces, shortened
from dpstudio.gui.facts.model import FactsModel
from dpstudio.gui.facts.table import Heads, Index
from dpstudio.gui.plot.legend import sample_pen
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene import palette
from dpstudio.text.language import tr
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import Quantity

NUMBER = "≤ 0.0000"
"""Every column has room for so much."""
LABEL_ROOM = 12
"""Pixels beside the words of a row."""
SWATCH = 30
"""Length of the line over a heading, at normal size of type."""
BESIDE = 6
"""Pixels of a cell that its number leaves free."""


class CellPart(NamedTuple):
    """Some of the text of a cell, and how many pixels it takes."""

    words: str
    colour: QColor
    width: int


class _Ink:
    """A theme's fonts and colours, made once."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.small, self.label = theme.font("small"), theme.font("label")
        self.heading = theme.font("small")
        self.heading.setWeight(QFont.Weight.DemiBold)
        self.heading_metrics = QFontMetrics(self.heading)
        self.small_metrics, self.label_metrics = QFontMetrics(self.small), QFontMetrics(self.label)
        self.surface, self.line, self.text = QColor(theme.surface), QColor(theme.line), QColor(theme.text)
        self.muted, self.selection = QColor(theme.muted), QColor(theme.selection)

    def piece(self, words: str, colour: QColor) -> CellPart:
        """Words in the type of numbers."""
        return CellPart(words, colour, self.label_metrics.horizontalAdvance(words))


class HeaderRow(Heads):
    """Headings with the colour and dash that the mechanism has in every picture."""

    beside, role = 6, "small"

    def __init__(self, facts: FactsModel, theme: Theme, parent: QTableView) -> None:
        super().__init__(theme, parent)
        self._facts, self._lines = facts, 2
        self.setMinimumSectionSize(16)

    def set_theme(self, theme: Theme) -> None:
        self._ink = _Ink(theme)
        super().set_theme(theme)

    def narrowest(self, section: int) -> int:
        """Width of the longest word of a heading, or of a number if that is more."""
        longest = max(map(self._metrics.horizontalAdvance, self.title(section).split()), default=0)
        return max(longest, self._ink.label_metrics.horizontalAdvance(NUMBER)) + 8

    def on_two_lines(self, section: int) -> int:
        """Width at which a heading takes no more than two lines."""
        words = self.title(section).split()
        halves = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(len(words))] or [("", "")]
        return min(max(map(self._metrics.horizontalAdvance, half)) for half in halves) + self.beside + 3

    @property
    def besides(self) -> int:
        return self._ink.theme.px(18)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        ink = self._ink
        self.clear(painter, rect, ink.surface)
        if not (title := self.title(section)):
            return
        series, right = self._facts.series[section - 1], rect.right() - 4
        if series == self._facts.decided:
            painter.fillRect(rect.adjusted(0, 0, 0, -1), ink.selection)
        pen = sample_pen(palette.style(series, self._facts.compared), ink.theme, ink.theme.px(SWATCH))
        if self._facts.refused(series):
            colour = pen.color()
            colour.setAlphaF(palette.REFUSED)
            pen.setColor(colour)
        painter.setPen(pen)
        top = rect.top() + ink.theme.px(6)
        painter.drawLine(right - ink.theme.px(SWATCH), top, right, top)
        self.write(painter, rect.adjusted(2, ink.theme.px(12), -4, 0), title)


class CellPainter(QStyledItemDelegate):
    """Numbers to the right, their sign and their ± quieter, and a hair line under each row."""

    def __init__(self, facts: FactsModel, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._facts = facts
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._ink = _Ink(theme)
        self._laid: dict[tuple[int, int], tuple[Fact, int, int, list[CellPart]]] = {}
        """What stands in a cell, with what it was made of: a table gives it room, and then paints it."""

    def widest_label(self) -> int:
        """Width at which no row's words are cut."""
        metrics = self._ink.small_metrics
        labels = map(self._facts.words, self._facts.quantities)
        return max(map(metrics.horizontalAdvance, labels), default=0) + LABEL_ROOM

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, ink = option.rect, self._ink
        column = index.column()
        series = self._facts.series[column - 1] if 0 < column <= len(self._facts.series) else None
        entry = self._facts.entries[index.row()]
        chosen = series is not None and series == self._facts.decided and isinstance(entry, Quantity)
        if option.state & QStyle.StateFlag.State_Selected or (chosen and not self._spans(index.row())):
            painter.fillRect(rect, ink.selection)
        painter.setPen(ink.line)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        row = index.row()
        if isinstance(entry, str):
            heading = [CellPart(begun(tr(entry)), ink.text, rect.width())]
            self._write(painter, rect, ink.heading, ink.heading_metrics, rect.left() + 8, heading)
            return
        if column == 0:
            words = self._facts.words(entry)
            words = ink.small_metrics.elidedText(words, Qt.TextElideMode.ElideRight, rect.width() - LABEL_ROOM + 2)
            label = [CellPart(words, ink.muted, rect.width())]
            self._write(painter, rect, ink.small, ink.small_metrics, rect.left() + 8, label)
            return
        fact = self._facts.fact(row, column)
        if fact is None:
            parts = [ink.piece(self._facts.absent(entry, column), ink.muted)]
        else:
            parts = self._shown(row, column, fact, rect.width() - BESIDE)
        if series is not None and self._facts.refused(series):
            parts = [part._replace(colour=ink.muted) for part in parts]
        free = rect.width() - 4 - sum(part.width for part in parts)
        left = rect.left() + (free // 2 if fact is not None and fact.series is None else free)
        self._write(painter, rect, ink.label, ink.label_metrics, left, parts)

    def _spans(self, row: int) -> bool:
        """Whether the number of a row is nobody's."""
        fact = self._facts.fact(row, 1)
        return fact is not None and fact.series is None

    def _shown(self, row: int, column: int, fact: Fact, room: int) -> list[CellPart]:
        """The parts of a cell, made once for the same fact in the same room."""
        laid, turn = self._laid.get((row, column)), self._facts.turn
        if laid is None or laid[0] is not fact or laid[1:3] != (turn, room):
            parts = self._parts(fact, room, lacking=self._facts.lacking(row))
            laid = self._laid[row, column] = fact, turn, room, parts
        return laid[3]

    def _parts(self, fact: Fact, room: int, *, lacking: bool = False) -> list[CellPart]:
        """Sign, number and spread, as much of them as there is room for: a number is never cut, and where there is
        less room than `needed` it is as short as it can be."""
        ink, lack = self._ink, self._facts.lack(fact)
        sign, number, spread = pieces(fact, lack, lacking=lacking)
        before = [ink.piece(f"{sign} ", ink.muted)] if sign else []
        after = [ink.piece(f" {spread}", ink.muted)] if spread else []
        whole = ink.piece(number, ink.text)
        room -= sum(part.width for part in before)
        if whole.width + sum(part.width for part in after) <= room:
            return [*before, whole, *after]
        if whole.width > room:
            shorter = [ink.piece(each, ink.text) for each in shortened(fact, lack, lacking=lacking)]
            whole = next((each for each in shorter if each.width <= room),
                         min((whole, *shorter), key=lambda each: each.width))
        return [*before, whole]

    def needed(self, row: int, column: int, given: int) -> int:
        """Width in which a number of one mechanism can be read: what is given, or more where its shortest form needs
        it."""
        fact = self._facts.fact(row, column)
        if fact is None or (fact.series is None and self._facts.series):
            return given
        return max(given, BESIDE + sum(part.width for part in self._shown(row, column, fact, given - BESIDE)))

    def _write(self, painter: QPainter, rect: QRect, font: QFont, metrics: QFontMetrics, left: int,
               parts: list[CellPart]) -> None:
        """Pieces of text side by side on the middle of the row."""
        painter.setFont(font)
        base = rect.top() + (rect.height() + metrics.ascent() - metrics.descent()) // 2
        for words, colour, width in parts:
            painter.setPen(colour)
            painter.drawText(left, base, words)
            left += width
