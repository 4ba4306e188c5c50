"""The list of studies, and how the parts of the window share its room."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QLayout, QListWidget, QListWidgetItem, QSplitter, QWidget

from dpstudio.gui.controls.style import in_column, in_row, spaced
from dpstudio.gui.help.card import HelpCard
from dpstudio.gui.pictures.arrangement import NARROWEST, Arrangement
from dpstudio.gui.shell.docking import PaneHost
from dpstudio.gui.shell.side import SidePanel
from dpstudio.gui.shell.theme import Theme
from dpstudio.studies import all_studies

WIDTHS = 850, 320, 360
"""Pixels of pictures, parameters and help, until a hand divides them otherwise."""


class StudyItem(QListWidgetItem):
    """Has a study's question as its tooltip, for which the study is read when somebody points here."""

    def data(self, role: int) -> object:
        if role == Qt.ItemDataRole.ToolTipRole:
            return all_studies()[super().data(Qt.ItemDataRole.UserRole)].question
        return super().data(role)


class StudiesList(QListWidget):
    """One line a study; its question is the tooltip."""

    chosen = Signal(str)

    def __init__(self, titles: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Studies")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for key, title in titles.items():
            item = StudyItem(title)
            item.setData(Qt.ItemDataRole.UserRole, key)
            self.addItem(item)
        self.currentItemChanged.connect(
            lambda item: None if item is None else self.chosen.emit(item.data(Qt.ItemDataRole.UserRole)))

    def show_chosen(self, key: str) -> None:
        """Mark a study without choosing it again."""
        for row in range(self.count()):
            if self.item(row).data(Qt.ItemDataRole.UserRole) == key:
                with QSignalBlocker(self):
                    self.setCurrentRow(row)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedWidth(theme.px(112))
        self.setStyleSheet("QListWidget { background: transparent; border: none; }")


class Dressed(Protocol):
    """A part that takes on a theme."""

    def set_theme(self, theme: Theme, /) -> None: ...


class Room:
    """Studies, pictures, parameters and help beside each other; where not all fit, help has the place of pictures."""

    def __init__(self, parent: QWidget, theme: Theme, panes: PaneHost) -> None:
        self._parent, self._theme, self._panes = parent, theme, panes
        self.row = QSplitter(Qt.Orientation.Horizontal, parent, childrenCollapsible=False)
        self.centre = QWidget(self.row)
        self._before: list[int] = []
        """Widths to return to after presentation mode."""

    def fill(self, studies: StudiesList, head: QLayout, pictures: Arrangement, side: SidePanel, help_card: HelpCard
             ) -> None:
        """Put the parts where they belong, a head over the pictures."""
        self._studies, self._side, self._help = studies, side, help_card
        self.column = in_column(head, (self._panes, 1), within=self.centre)
        self._panes.fill(pictures)
        for widget in (self.centre, side, help_card):
            self.row.addWidget(widget)
        self.row.setStretchFactor(0, 1)
        self.row.setSizes(WIDTHS)
        self._outer = in_row(studies, (self.row, 1), within=self._parent)

    @property
    def widths(self) -> list[int]:
        """As they are without presentation mode."""
        return self._before or self.row.sizes()

    def remembered(self, pictures: Arrangement, study: str) -> str:
        """How everything stands, with the pictures of a study."""
        return json.dumps({"row": self.widths, "side": self._side.state(), "pictures": {study: pictures.state()}})

    def restore(self, remembered: str, pictures: Arrangement, study: str) -> None:
        """Stand so again, as far as it makes sense: what is remembered is a convenience, never a reason to fail."""
        with suppress(ValueError, TypeError, AttributeError, LookupError):
            kept = json.loads(remembered)
            if len(widths := kept.get("row", ())) == self.row.count():
                self.row.setSizes([int(width) for width in widths])
            self._side.restore(kept["side"])
            pictures.restore(kept["pictures"][study])

    def fit(self) -> None:
        """Give help the place of the pictures where there is not enough room for both."""
        room = self.row.width() - 2 * self.row.handleWidth()
        rest = room - self._side.minimumSizeHint().width() - self._help.minimumSizeHint().width()
        self.centre.setVisible(self._help.isHidden() or rest >= self._theme.px(NARROWEST))

    def dress(self, theme: Theme, parts: Sequence[Dressed]) -> None:
        """Take on a theme, with these parts; large type has the room of the studies, which the menu has, too."""
        self._theme, gap = theme, theme.px(8)
        if theme.scale != 1:
            self._before = self.widths
        spaced(self._outer, theme, 8, (8, 0, 8, 0))
        self.row.setHandleWidth(gap)
        self.column.setSpacing(theme.px(4))
        for part in parts:
            part.set_theme(theme)
        self._studies.setVisible(theme.scale == 1)  # once the others have become narrower
        if theme.scale == 1 and self._before:
            self.row.setSizes(self._before)
            self._before = []
        self.fit()
