"""One of a few words: buttons side by side, or a list that drops down."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from dpstudio.gui.controls.style import Combo, Tool, in_row, said_as, titled

_LETTERS_THAT_FIT = 26


class Segments(QWidget):
    """Buttons side by side, of which one is down; the arrow keys move between them."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[str], parent: QWidget | None = None, *, words: Sequence[str] = ()) -> None:
        """`words` are those that stand on the buttons, where they are not the options themselves."""
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QToolButton] = {}
        for option, word in zip(options, words or options, strict=True):
            button = said_as(Tool(), role="segment")
            button.setText(titled(word))
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _checked=False, option=option: self.chosen.emit(option))
            self._group.addButton(button)
            self._buttons[option] = button
        in_row(*self._buttons.values(), None, within=self, gap=2)
        self.setFocusProxy(self._buttons[options[0]])

    def show_option(self, option: str) -> None:
        self._buttons[option].setChecked(True)
        self.setFocusProxy(self._buttons[option])

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        for button in self._buttons.values():
            button.setAccessibleName(f"{button.text()}, {name}")


class Drop(Combo):
    """A list that drops down; the wheel scrolls the panel and never the choice."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[str], parent: QWidget | None = None, *, none: str = "",
                 words: Sequence[str] = ()) -> None:
        """`none` is the word shown, and not to be chosen, where no option is in force; `words` as in `Segments`."""
        super().__init__(parent)
        self._none = none
        for option, word in zip(options, words or options, strict=True):
            self.addItem(titled(word), option)
        if none:
            self.setPlaceholderText(titled(none))
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def show_option(self, option: str) -> None:
        self.setCurrentIndex(self.findData(option))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def choice_box(options: Sequence[str], words: Sequence[str] = ()) -> Segments | Drop:
    """One of a few words: side by side as far as they fit, else in a list; `words` as in `Segments`."""
    return (Segments if sum(map(len, words or options)) <= _LETTERS_THAT_FIT else Drop)(options, words=words)
