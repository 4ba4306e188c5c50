"""Less-used controls under a quiet heading that folds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dpstudio.gui.controls.control import Control
from dpstudio.gui.shell.theme import Theme


class Fold(QPushButton):
    """A heading that opens and closes what stands below it, by a click, Space or Enter."""

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None, *, opened: bool = False) -> None:
        super().__init__(parent)
        self.title, self._more = title, ""
        self.setCheckable(True)
        self.setChecked(opened)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(title)
        self.toggled.connect(lambda _: self.say(self._more))
        self.set_theme(theme)
        self.say("")

    def say(self, more: str) -> None:
        """Stand with something more after the title."""
        self._more = more
        self.setText(f"{'▾' if self.isChecked() else '▸'}  {self.title}{more and f'  ·  {more}'}")
        self.setAccessibleDescription("open" if self.isChecked() else "closed")

    def keyPressEvent(self, event) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme, colour: str = "", indent: int = 0) -> None:
        self.setStyleSheet(
            f"QPushButton {{ background: transparent; border: none; border-radius: {theme.px(4)}px; padding: "
            f"{theme.px(4)}px {indent}px; color: {colour or theme.muted}; font-weight: bold; text-align: left; "
            f"font-size: {theme.font_size('title' if colour else 'body')}px; }}"
            f"QPushButton:hover {{ color: {theme.text}; }}"
            f"QPushButton:focus {{ background: {theme.selection}; color: {theme.text}; }}")


class Section(QWidget):
    """A heading that folds its controls away, and says how many of them were changed."""

    folded = Signal()
    """Opened or closed: its height is another."""

    def __init__(self, title: str, controls: Sequence[Control], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls = tuple(controls)
        self._heading = Fold(title, theme)
        self._heading.toggled.connect(self.set_open)
        self._line = QFrame()
        self._line.setFixedHeight(1)
        self._body = QWidget()
        self._body.hide()
        self._rows = QVBoxLayout(self._body)
        for control in controls:
            self._rows.addWidget(control)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self._line, self._heading, self._body):
            column.addWidget(widget)
        self.set_theme(theme)
        self.show_changes()

    def title(self) -> str:
        """The heading as it stands."""
        return self._heading.text()

    def parts(self) -> list[QWidget]:
        """The heading, and what it folds away."""
        return [self._heading, *self.controls]

    def set_open(self, opened: bool) -> None:
        self._heading.setChecked(opened)
        self._body.setVisible(opened)
        self.show_changes()
        self.folded.emit()

    def show_changes(self) -> None:
        changed = sum(control.is_changed() for control in self.controls)
        self._heading.say(f"{changed} changed" if changed else "")

    def set_theme(self, theme: Theme) -> None:
        self._rows.setSpacing(theme.px(12))
        self._rows.setContentsMargins(0, theme.px(4), 0, theme.px(8))
        self._line.setStyleSheet(f"background: {theme.line}")
        self._heading.set_theme(theme)
