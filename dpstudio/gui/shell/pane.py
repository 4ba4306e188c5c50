"""What panes have in common: a tool that stands beside the pictures, in the theme and for the document of a desk."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.docking import Dock
from dpstudio.gui.shell.status import copied
from dpstudio.gui.shell.theme import Theme


class Pane(Dock):
    """One tool; goes with the main window."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk.panes, desk.appearance.theme, parent)
        self._desk, self._document, self._theme = desk, desk.document, desk.appearance.theme
        desk.appearance.changed.connect(self.set_theme)
        desk.window.closing.connect(self.close_down)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.dress(theme)

    def copy_text(self, text: str, told: str, held: bool) -> None:
        """Copy what may hold exact counts of data, and say so where it does."""
        QGuiApplication.clipboard().setText(text)
        self._desk.status.say(copied(told, held))

    def close_down(self) -> None:
        """Leave nothing running."""
        self.close()
