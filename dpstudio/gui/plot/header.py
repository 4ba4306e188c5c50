"""What stands above a plot: its title, the switch between pictures of one panel, and two small buttons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QButtonGroup, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from dpstudio.core.figure import Figure
from dpstudio.gui.controls.style import in_row, said_as
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme, icon

MORE = "More"
"""What the menu of pictures is called whose switches have no room."""
GAP, APART = 2, 4
"""Pixels between buttons, and before those that are no switches."""


def broken(text: str, font: QFont, width: float, most: int) -> list[str]:
    """The lines of a text as Qt breaks it, one more than `most` at most: between words, and inside one longer than a
    line."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while len(lines) <= most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        line.setPosition(QPointF(0, 0))
        lines.append(text[line.textStart():line.textStart() + line.textLength()])
    layout.endLayout()
    return lines


class ElidedLabel(QLabel):
    """A label that ends in “…” where there is no room, and says the rest in its tooltip."""

    def __init__(self, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most, self._least = 1, 1
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def set_most(self, lines: int, least: int = 1) -> None:
        """Take as many lines as the text needs, but no more than these, and room for no fewer than the least."""
        if (lines, least) != (self._most, self._least):
            self._most, self._least = lines, least
            self.updateGeometry()

    def wanted(self, most: int) -> int:
        """Lines that the whole text takes at this width, as far as there are so many."""
        return min(len(broken(self.text(), self.font(), self.contentsRect().width(), most)), most)

    def lines(self) -> list[str]:
        """What is written, line by line: the last has all that is left, as far as it fits."""
        width = self.contentsRect().width()
        first = broken(self.text(), self.font(), width, self._most)[:self._most - 1]
        rest = self.text()[sum(map(len, first)):]
        return [*(line.rstrip() for line in first),
                *([self.fontMetrics().elidedText(rest, Qt.TextElideMode.ElideRight, width)] if rest else [])]

    def minimumSizeHint(self) -> QSize:
        lines = max(len(self.lines()), self._least) if self._most > 1 else 1
        more = (lines - 1) * self.fontMetrics().lineSpacing()
        return QSize(0, super().minimumSizeHint().height() + more)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._most > 1 and event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        box, lines = self.contentsRect(), self.lines()
        spacing = self.fontMetrics().lineSpacing()
        left = box.height() - len(lines) * spacing
        top = box.top() + (left // 2 if self._least == 1 else 0)  # more lines may come
        for i, line in enumerate(lines):
            painter.drawText(QRect(box.left(), top + i * spacing, box.width(), spacing),
                             Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line)


class Header(QWidget):
    """Title on the left; switch, fit and enlarge on the right.

    Switches are never cut: those that have no room stand in a menu behind them, but for the one that is chosen.
    """

    chosen = Signal(str)
    fit_requested = Signal()
    enlarge_requested = Signal()
    notes_requested = Signal()

    def __init__(self, figures: Sequence[Figure], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidedLabel("title")
        self._words = ""
        self.group = QButtonGroup(self)
        self.switches: dict[str, QToolButton] = {}
        for figure in figures if len(figures) > 1 else ():
            button = self._button("segment", f"Show “{figure.title}”")
            button.setText(figure.switch or figure.title)
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, key=figure.key: self.chosen.emit(key))
            self.group.addButton(button)
            self.switches[figure.key] = button
        self.more = self._button("segment", "Show another picture")
        self.more.setText(MORE)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.more.menu().aboutToShow.connect(self._list_more)
        self.more.hide()
        self.notes = self._button("icon", "")
        self.notes.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.notes.hide()
        self.notes.clicked.connect(self.notes_requested)
        self.fit = self._button("icon", "Fit the view to the curves (double click on the plot)")
        self.fit.clicked.connect(self.fit_requested)
        self.enlarge = self._button("icon", "Enlarge this picture")
        self.enlarge.clicked.connect(self.enlarge_requested)
        in_row((self.title, 1), *self.switches.values(), self.more, APART, self.notes, self.fit, self.enlarge,
               within=self, gap=GAP)
        self.set_theme(theme)

    def _button(self, role: str, words: str) -> QToolButton:
        return said_as(QToolButton(self), words, words, role)

    def set_theme(self, theme: Theme) -> None:
        for button, name in ((self.notes, "note"), (self.fit, "fit"), (self.enlarge, "enlarge")):
            button.setIcon(icon(name, theme))
            button.setIconSize(QSize(theme.px(14), theme.px(14)))
        self._arrange()

    def show_notes(self, under: Sequence[str], away: str) -> None:
        """A sign for what is noted on the picture and stands nowhere on it: what has no point, and how many lie beyond
        the view."""
        self.notes.setVisible(bool(under or away))
        self._arrange()
        self.notes.setText(str(len(under)) if under else "")
        said = [f"Noted under this picture: {text}" for text in under] + [away] * bool(away)
        self.notes.setToolTip(foreign.tip(" · ".join(said)))
        self.notes.setAccessibleName(foreign.sentence("; ".join(said)))

    def show_figure(self, figure: Figure) -> None:
        self._words = figure.title
        self.title.setToolTip(f"{figure.title}\n{figure.caption}".strip())
        if figure.key in self.switches:
            self.switches[figure.key].setChecked(True)
        self._arrange()

    def _arrange(self) -> None:
        """Show as many switches as have room for all their words, in their order, the chosen one always."""
        widths = {key: button.sizeHint().width() + GAP for key, button in self.switches.items()}
        beside = sum(each.sizeHint().width() + GAP for each in (self.notes, self.fit, self.enlarge)
                     if not each.isHidden()) + APART + GAP
        room = self.width() - beside
        chosen = next((key for key, button in self.switches.items() if button.isChecked()), "")
        seen = set(self.switches)
        if sum(widths.values()) > room:
            room -= self.more.sizeHint().width() + GAP + widths.get(chosen, 0)
            seen = {chosen}
            for key in (each for each in widths if each != chosen):
                room -= widths[key]
                if room < 0:
                    break
                seen.add(key)
        for key, button in self.switches.items():
            button.setVisible(key in seen)
        self.more.setVisible(len(seen) < len(self.switches))
        taken = sum(button.sizeHint().width() + GAP for button in (*self.switches.values(), self.more)
                    if not button.isHidden())
        whole = self.title.fontMetrics().horizontalAdvance(self._words) + beside + taken <= self.width()
        self.title.setText(self._words if whole or not self.switches else "")  # else its switch says it

    def _list_more(self) -> None:
        """Offer the pictures whose switches have no room."""
        menu = self.more.menu()
        menu.clear()
        for key, button in self.switches.items():
            if button.isHidden():
                menu.addAction(button.text(), partial(self.chosen.emit, key)).setToolTip(button.toolTip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Words take another width with another size of type."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and hasattr(self, "enlarge"):
            self._arrange()
