"""The place of the help beside the pictures."""

from __future__ import annotations

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
        self._inside: HelpColumn | None = None
        self._column = in_column(within=self, edges=(1, 4, 1, 4))

    @property
    def inside(self) -> HelpColumn:
        """The help, with what was told last."""
        if self._inside is None:
            from dpstudio.gui.help.page import HelpColumn

            self._inside = HelpColumn(self._theme)
            self._inside.closed.connect(self.closed)
            self._column.addWidget(self._inside)
            self.setFocusProxy(self._inside.pane)
            if self._latest is not None:
                self._inside.pane.show_update(*self._latest)
        return self._inside

    def show_update(self, update: Update, study: Study) -> None:
        self._latest = update, study
        if self._inside is not None:
            self._inside.pane.show_update(update, study)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._inside is not None:
            self._inside.set_theme(theme)

    def setVisible(self, visible: bool) -> None:
        if visible:
            self.inside.show()
        super().setVisible(visible)
