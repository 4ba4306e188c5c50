"""What all windows beside the main one share."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.status import copied
from dpstudio.gui.shell.theme import Theme

EDGES = 40, 80
"""Pixels of a screen that a window leaves free, for its own frame."""


class ToolWindow(QDialog):
    """Stays beside the main window, in its theme and for its document, and goes with it."""

    size_wanted = 980, 640
    """Pixels at normal size of type."""
    on_its_own = False
    """Whether the main window may lie over it."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window if self.on_its_own else Qt.WindowType(0))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._desk, self._document, self._theme = desk, desk.document, desk.appearance.theme
        desk.appearance.changed.connect(self.set_theme)
        desk.window.closing.connect(self.close_down)

    def begin(self) -> None:
        """Come to the front; where it comes anew, in a size that the screen has room for."""
        if not self.isVisible():
            room = self.screen().availableGeometry()
            width, height = (self._theme.px(length) for length in self.size_wanted)
            self.resize(min(width, room.width() - EDGES[0]), min(height, room.height() - EDGES[1]))
        self.show()
        self.raise_()
        self.activateWindow()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme

    def copy_text(self, text: str, told: str, held: bool) -> None:
        """Copy what may hold exact counts of data, and say so where it does."""
        QGuiApplication.clipboard().setText(text)
        self._desk.status.say(copied(told, held))

    def close_down(self) -> None:
        """Leave nothing running."""
        self.close()


def buttons_of(window: QDialog, *acts: tuple[str, Callable[[], object]]) -> tuple[QDialogButtonBox, list[QPushButton]]:
    """A row of buttons that do something, with one that closes the window; Return in a field presses none."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    box.rejected.connect(window.close)
    made = [box.addButton(words, QDialogButtonBox.ButtonRole.ActionRole) for words, _ in acts]
    for button, (_, act) in zip(made, acts, strict=True):
        button.clicked.connect(lambda _, act=act: act())
    for button in (*made, box.button(QDialogButtonBox.StandardButton.Close)):
        button.setAutoDefault(False)
    return box, made
