"""The place of the help beside the pictures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.gui.controls.style import in_column
from dpstudio.gui.shell.theme import Theme

if TYPE_CHECKING:
    from dpstudio.gui.help.page import HelpColumn


class HelpCard(QFrame):
    """Holds what the help has to show; the help itself is read and made when somebody first looks."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._theme = theme
        self._latest: tuple[Update, Study] | None = None
        self._column = in_column(within=self, edges=(1, 4, 1, 4))

    @cached_property
    def inside(self) -> HelpColumn:
        from dpstudio.gui.help.page import HelpColumn

        inside = HelpColumn(self._theme)
        inside.closed.connect(self.closed)
        self._column.addWidget(inside)
        self.setFocusProxy(inside.pane)
        if self._latest is not None:
            inside.pane.show_update(*self._latest)
        return inside

    def show_update(self, update: Update, study: Study) -> None:
        self._latest = update, study
        if "inside" in self.__dict__:
            self.inside.pane.show_update(update, study)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if "inside" in self.__dict__:
            self.inside.set_theme(theme)

    def setVisible(self, visible: bool) -> None:
        if visible:
            self.inside.show()
        super().setVisible(visible)
