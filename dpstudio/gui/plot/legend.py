"""The legend: a row of swatches with names, each of which hides and shows its curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from dpstudio.core.figure import Figure
from dpstudio.gui.plot.items import THIN
from dpstudio.gui.plot.reading import line_key, line_label, lines_of
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.coincidence import same_here
from dpstudio.scene.palette import NEUTRAL, Style, begun, style

SWATCH = 26.0
NARROWEST = 116.0
"""An entry is cut to no less than this; before that the legend takes another row."""
TIGHTEST = 62.0
"""The same where there is room for one row only."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: the key that it hides, its words and its look."""

    key: str
    label: str
    style: Style
    thin: bool = False


def entries_of(figure: Figure, present: frozenset[str], coincident: Mapping[str, str]) -> tuple[Entry, ...]:
    """An entry for every series, or line without one, that has data now; one that lies on another says so."""
    entries: dict[str, Entry] = {}
    for line in lines_of(figure):
        key = line_key(line)
        if key in present and key not in entries:
            look = style(line.y.series.key) if line.y.series else NEUTRAL
            label = line_label(line)
            if under := entries.get(coincident.get(key, "")):
                label = same_here(label, under.label)
            entries[key] = Entry(key, label, look, thin=line.role == "other")
    return tuple(entries.values())


class LegendButton(QAbstractButton):
    """A swatch and a name; checked while its curves are shown."""

    def __init__(self, entry: Entry, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_entry(entry)

    def set_entry(self, entry: Entry) -> None:
        """Stand for this entry from now on."""
        self.entry = entry
        self.setText(entry.label)
        self.setToolTip(f"{entry.label}: click to hide or show")
        self.setAccessibleName(f"Show {entry.label}")
        self.update()

    def metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.theme.font("label"))

    def sizeHint(self) -> QSize:
        width = (SWATCH + 14) * self.theme.scale + self.metrics().horizontalAdvance(self.entry.label) + 2
        return QSize(int(width + 1), int(self.metrics().height() + 4))

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale, middle = self.theme.scale, self.height() / 2
        if self.hasFocus():
            painter.setPen(QPen(QColor(self.theme.accent), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        shown = self.isChecked()
        width = THIN if self.entry.thin else self.entry.style.width
        pen = QPen(QColor(self.entry.style.colour(dark=self.theme.dark) if shown else self.theme.outline),
                   width * scale, c=Qt.PenCapStyle.FlatCap)
        if self.entry.style.dash:
            pen.setDashPattern(list(self.entry.style.dash))
            pen.setDashOffset(begun(self.entry.style.dash, SWATCH / width))
        painter.setPen(pen)
        painter.drawLine(QLineF(4 * scale, middle, (4 + SWATCH) * scale, middle))
        font = self.theme.font("label")
        font.setStrikeOut(not shown)
        painter.setFont(font)
        painter.setPen(QColor(self.theme.text if shown and (self.underMouse() or not self.entry.thin)
                              else self.theme.muted))
        box = QRectF((10 + SWATCH) * scale, 0, self.width() - (12 + SWATCH) * scale, self.height())
        text = self.metrics().elidedText(self.entry.label, Qt.TextElideMode.ElideRight, box.width() + 1)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)


class Legend(QWidget):
    """All entries, in as few rows as stay readable."""

    hidden_changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.hidden: frozenset[str] = frozenset()
        self.most_rows = 2
        self._entries: tuple[Entry, ...] = ()
        self.buttons: list[LegendButton] = []

    def set_entries(self, entries: tuple[Entry, ...]) -> None:
        if entries == self._entries:
            return
        renamed = [entry.key for entry in entries] == [entry.key for entry in self._entries]
        self._entries = entries
        if renamed:
            for button, entry in zip(self.buttons, entries, strict=True):
                button.set_entry(entry)
            self._arrange()
            return
        for button in self.buttons:
            button.setParent(None)
            button.deleteLater()
        self.buttons = [LegendButton(entry, self.theme, self) for entry in entries]
        for button in self.buttons:
            button.setChecked(button.entry.key not in self.hidden)
            button.clicked.connect(self._clicked)
            button.show()
        self._arrange()

    def set_hidden(self, keys: frozenset[str]) -> None:
        self.hidden = keys
        for button in self.buttons:
            button.setChecked(button.entry.key not in keys)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        for button in self.buttons:
            button.theme = theme
            button.update()
        self._arrange()

    def set_most_rows(self, rows: int) -> None:
        if rows != self.most_rows:
            self.most_rows = rows
            self._arrange()

    def _clicked(self) -> None:
        shown = {button.entry.key: button.isChecked() for button in self.buttons}
        elsewhere = {key for key in self.hidden if key not in shown}
        self.hidden = frozenset(elsewhere | {key for key, checked in shown.items() if not checked})
        self.hidden_changed.emit(self.hidden)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def _arrange(self) -> None:
        gap, scale = 4, self.theme.scale
        natural = [button.sizeHint().width() for button in self.buttons]
        rows = fitted(natural, self.width(), gap, self.most_rows,
                      (TIGHTEST if self.most_rows == 1 else NARROWEST) * scale)
        height = max((button.sizeHint().height() for button in self.buttons), default=0)
        buttons = iter(self.buttons)
        for y, row in enumerate(rows):
            x = 0
            for width in row:
                next(buttons).setGeometry(x, y * (height + 1), width, height)
                x += width + gap
        self.setFixedHeight(max(1, len(rows)) * (height + 1) if self.buttons else 0)


def fitted(widths: Sequence[int], room: int, gap: int, most_rows: int, narrowest: float) -> list[list[int]]:
    """Widths row by row: whole where that fits, else the widest cut down, else more rows."""

    def wrapped(cap: float) -> list[list[int]]:
        rows: list[list[int]] = [[]]
        for width in (int(min(width, cap, room)) for width in widths):
            if rows[-1] and sum(rows[-1]) + gap * len(rows[-1]) + width > room:
                rows.append([])
            rows[-1].append(width)
        return rows

    cap = float(max(widths, default=0))
    while len(wrapped(cap)) > most_rows and cap > narrowest:
        cap = max(narrowest, cap - 4)
    return wrapped(cap)
