"""What stands below the questions: where one was, files, cases from practice; each a few words that lead there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from dpstudio.gui.controls.style import Tool, in_column, in_row, push, said_as, spaced
from dpstudio.gui.plot.header import ElidedLabel
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.text.language import tr

HIGH = 100
"""Pixels of a card's height, whatever stands in it."""
LINES = 3
"""Entries of a card; what there is more stands in a menu behind the last."""


@dataclass(frozen=True, slots=True)
class Leading:
    """Words that lead somewhere, and what is said beside them."""

    words: str
    act: Callable[[], object]
    note: str = ""
    tip: str = ""


class Shelf(QFrame):
    """A card with a heading and a few entries; a button with a menu of them all where there is no room."""

    def __init__(self, title: str, empty: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        self._title, self._empty, self._theme = title, empty, theme
        self.entries: Sequence[Leading] = ()
        self.buttons: list[QPushButton] = []
        self._rows: list[QWidget] = []
        self.heading = said_as(QLabel(title), role="muted")
        self.nothing = said_as(QLabel(empty, wordWrap=True), role="muted")
        self._column = in_column(self.heading, self.nothing, None, within=self)
        self.menu = QMenu(title, self, toolTipsVisible=True)
        self.drop = said_as(Tool(), title, role="menu")
        self.drop.setText(title)
        self.drop.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.drop.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.drop.setMenu(self.menu)
        self.set_theme(theme)

    def offer(self, entries: Sequence[Leading]) -> None:
        """Lead to these."""
        self.entries = entries
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        seen = entries if len(entries) <= LINES else entries[:LINES - 1]
        self.buttons = [push(each.words, each.act, tip=foreign.tip(each.tip or each.words), role="link")
                        for each in seen]
        for button, each in zip(self.buttons, seen, strict=True):
            button.setAccessibleDescription(foreign.sentence(each.tip or each.note))
        self._rows = [self._row(button, each.note) for button, each in zip(self.buttons, seen, strict=True)]
        if len(entries) > len(seen):
            more = push(tr("All {n}…", n=len(entries)), role="link", name=tr("All of “{title}”", title=self._title))
            more.clicked.connect(lambda: self.menu.popup(more.mapToGlobal(more.rect().bottomLeft())))
            self.buttons.append(more)
            self._rows.append(self._row(more, ""))
        for place, row in enumerate(self._rows):
            self._column.insertWidget(1 + place, row)
        self.nothing.setVisible(not entries)
        self.menu.clear()
        for each in entries:
            self.menu.addAction(foreign.entry(each.words), each.act).setToolTip(foreign.tip(each.tip or each.note))
        if not entries:
            self.menu.addAction(self._empty).setEnabled(False)
        self._dress()

    def _row(self, button: QPushButton, note: str) -> QWidget:
        row, beside = QWidget(self), ElidedLabel("muted")
        beside.setText(foreign.bounded(note, foreign.LINE))
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        in_row(button, (beside, 1), within=row, gap=6)
        return row

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        spaced(self._column, theme, 0, (14, 8, 14, 8))
        self.setFixedHeight(theme.px(HIGH))
        self._dress()

    def _dress(self) -> None:
        for button in self.buttons:
            button.setStyleSheet(f"QPushButton {{ background: transparent; border: none; text-align: left; padding: 0; "
                                 f"min-height: {self._theme.px(20)}px; color: {self._theme.accent}; }}"
                                 f"QPushButton:hover, QPushButton:focus {{ text-decoration: underline; }}")
