"""The legend: a row of swatches with names, each of which hides and shows its curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QLineF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from dpstudio.gui.plot.items import FAINT, THIN, BandItem
from dpstudio.gui.plot.layers import image
from dpstudio.gui.plot.people import draw_person
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.legend import LegendEntry
from dpstudio.scene.maps import sample
from dpstudio.scene.palette import REFUSED, Style, begun
from dpstudio.text.language import tr

SWATCH = 26.0
GAP = 4
NARROWEST = 116.0
"""An entry is cut to no less than this; before that the legend takes another row."""
TIGHTEST = 62.0
"""The same where there is room for one row only."""


def sample_pen(look: Style, theme: Theme, length: float, width: float = 0.0, colour: QColor | None = None) -> QPen:
    """What draws a sample of so many pixels of a series' line, in its own width and colour where none is given."""
    wide = width or look.width
    pen = QPen(colour or QColor(look.colour(dark=theme.dark)), wide, c=Qt.PenCapStyle.FlatCap)
    if look.dash:
        pen.setDashPattern(list(look.dash))
        pen.setDashOffset(begun(look.dash, length / wide))
    return pen


class LegendButton(QAbstractButton):
    """A swatch and a name; checked while its curves are shown."""

    def __init__(self, entry: LegendEntry, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setCheckable(True)
        self.setChecked(True)
        self.set_entry(entry)

    def set_entry(self, entry: LegendEntry) -> None:
        """Stand for this entry from now on; one without a key only explains."""
        self.entry = entry
        self.setText(entry.label)
        self.setToolTip(tr("{label}: click to hide or show", label=entry.label) if entry.key else entry.label)
        self.setAccessibleName(tr("Show {label}", label=entry.label) if entry.key else entry.label)
        self.setEnabled(bool(entry.key))
        self.setCursor(Qt.CursorShape.PointingHandCursor if entry.key else Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if entry.key else Qt.FocusPolicy.NoFocus)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(width_of(self.entry, self.theme), int(QFontMetricsF(self.theme.font("label")).height() + 4))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale, middle = self.theme.scale, self.height() / 2
        if self.hasFocus():
            painter.setPen(QPen(QColor(self.theme.accent), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        shown, entry = self.isChecked(), self.entry
        colour = QColor(entry.style.colour(dark=self.theme.dark) if shown else self.theme.outline)
        box = QRectF(4 * scale, middle - 4 * scale, SWATCH * scale, 8 * scale)
        if entry.kind == "area":
            colour.setAlphaF(2 * BandItem.OPACITY)
            painter.fillRect(box, colour)
        elif entry.kind == "dots":
            painter.setPen(QPen(colour, 1.2 * scale))
            painter.drawEllipse(box.center(), 3.0, 3.0)
        elif entry.kind == "person":
            side = 14 * scale
            draw_person(painter, QRectF(box.center().x() - side / 2, middle - side / 2, side, side), colour)
        elif entry.shade is not None:
            ratio = self.devicePixelRatioF()
            wide, high = (round(length * ratio) for length in (box.width(), box.height()))
            painter.drawImage(box.topLeft(), image(
                sample(entry.shade, wide, high, dark=self.theme.dark, ratio=ratio), ratio))
            painter.setPen(QPen(QColor(self.theme.outline), 1))
            painter.drawRect(box)
        else:
            colour.setAlphaF(FAINT if entry.faint else REFUSED if entry.refused else 1.0)
            width = THIN if entry.kind == "other" else entry.style.width
            painter.setPen(sample_pen(entry.style, self.theme, SWATCH * scale, width * scale, colour))
            painter.drawLine(QLineF(4 * scale, middle, (4 + SWATCH) * scale, middle))
        font = self.theme.font("label")
        font.setStrikeOut(not shown)
        painter.setFont(font)
        quiet = entry.kind == "other" or entry.refused
        painter.setPen(QColor(self.theme.text if shown and (self.underMouse() or not quiet)
                              else self.theme.muted))
        box = QRectF((10 + SWATCH) * scale, 0, self.width() - (12 + SWATCH) * scale, self.height())
        text = QFontMetricsF(font).elidedText(self.entry.label, Qt.TextElideMode.ElideRight, box.width() + 1)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)


class Legend(QWidget):
    """All entries, in as few rows as stay readable."""

    hidden_changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.hidden: frozenset[str] = frozenset()
        self.room, self.most_rows, self.brief = 0, 2, False
        self.whole = True
        """Whether it says all that nothing else does, uncut."""
        self._all: tuple[LegendEntry, ...] = ()
        self._entries: tuple[LegendEntry, ...] = ()
        self.buttons: list[LegendButton] = []

    def set_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        """Say these, as far as they fit."""
        if entries == self._all:
            return
        self._all = entries
        self._choose()

    def _choose(self) -> None:
        """Of all entries those that have room: what explains gives way first; in a low picture, what it says itself.

        Where that is not enough curves wear their names, which say what coincides.
        """
        said = tuple(entry for entry in self._all if not (self.brief and entry.worn))
        own = tuple(entry for entry in said if entry.key)

        def fits(entries: tuple[LegendEntry, ...]) -> bool:
            widths, rows = [width_of(entry, self.theme) for entry in entries], self.most_rows
            return rows > 0 and len(fitted(widths, self.room, GAP, rows, math.inf)) <= rows

        fitting = next(filter(fits, (said, own)), None)
        self.whole = fitting is not None
        self._list(tuple(replace(each, label=each.alone or each.label) for each in own) if fitting is None else fitting)

    def _list(self, entries: tuple[LegendEntry, ...]) -> None:
        if entries == self._entries:
            self._arrange()
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
        self._choose()

    def set_room(self, width: int, rows: int, *, brief: bool) -> None:
        """Have this room, whether it is seen or not."""
        if (width, rows, brief) != (self.room, self.most_rows, self.brief):
            self.room, self.most_rows, self.brief = width, rows, brief
            self._choose()

    def _clicked(self) -> None:
        sender = self.sender()
        for button in self.buttons:  # one key may have two entries
            if isinstance(sender, LegendButton) and button.entry.key == sender.entry.key:
                button.setChecked(sender.isChecked())
        shown = {button.entry.key: button.isChecked() for button in self.buttons if button.entry.key}
        elsewhere = {key for key in self.hidden if key not in shown}
        self.hidden = frozenset(elsewhere | {key for key, checked in shown.items() if not checked})
        self.hidden_changed.emit(self.hidden)

    def _arrange(self) -> None:
        scale = self.theme.scale
        natural = [width_of(button.entry, self.theme) for button in self.buttons]
        rows = fitted(natural, self.room, GAP, max(self.most_rows, 1),
                      (TIGHTEST if self.most_rows == 1 else NARROWEST) * scale)
        height = max((button.sizeHint().height() for button in self.buttons), default=0)
        buttons = iter(self.buttons)
        for y, row in enumerate(rows):
            x = 0
            for width in row:
                next(buttons).setGeometry(x, y * (height + 1), width, height)
                x += width + GAP
        self.setFixedHeight(max(1, len(rows)) * (height + 1) if self.buttons else 0)


def width_of(entry: LegendEntry, theme: Theme) -> int:
    """Pixels that an entry takes uncut."""
    words = QFontMetricsF(theme.font("label")).horizontalAdvance(entry.label)
    return int((SWATCH + 14) * theme.scale + words + 3)


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
