"""One of a few words: buttons side by side where they fit, a list where they do not; and yes or no."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QComboBox, QHBoxLayout, QToolButton, QWidget

from dpstudio.gui.controls.style import titled

_LETTERS_THAT_FIT = 26


class ChoiceBox(QWidget):
    """One of a few words."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        side_by_side = sum(map(len, options)) <= _LETTERS_THAT_FIT
        self._options: Segments | Drop = Segments(options, self) if side_by_side else Drop(options, self)
        self._options.chosen.connect(self.chosen)
        self.setFocusProxy(self._options)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._options)

    def show_option(self, option: str) -> None:
        self._options.show_option(option)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self._options.setAccessibleName(name)


class Segments(QWidget):
    """Buttons side by side, of which one is down; the arrow keys move between them."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for option in options:
            button = QToolButton()
            button.setText(titled(option))
            button.setCheckable(True)
            button.setProperty("role", "segment")
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _checked=False, option=option: self.chosen.emit(option))
            self._group.addButton(button)
            self._buttons[option] = button
            row.addWidget(button)
        row.addStretch()
        self.setFocusProxy(self._buttons[options[0]])

    def show_option(self, option: str) -> None:
        self._buttons[option].setChecked(True)
        self.setFocusProxy(self._buttons[option])

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        for option, button in self._buttons.items():
            button.setAccessibleName(f"{titled(option)}, {name}")


class Drop(QComboBox):
    """A list that drops down; the wheel scrolls the panel and never the choice."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[str], parent: QWidget | None = None, *, none: str = "") -> None:
        """`none` is the word shown, and not to be chosen, where no option is in force."""
        super().__init__(parent)
        self._none = none
        for option in options:
            self.addItem(titled(option), option)
        if none:
            self.setPlaceholderText(titled(none))
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def show_option(self, option: str) -> None:
        self.setCurrentIndex(self.findData(option))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class SwitchBox(QCheckBox):
    """Yes or no."""

    switched = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # flush with the entries of other rows
        self.clicked.connect(self.switched)

    def show_state(self, on: bool) -> None:
        self.setChecked(on)
