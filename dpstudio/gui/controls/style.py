"""What forms and controls are laid out and said with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import TypeAlias, TypeVar

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, SignalInstance
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from dpstudio.core.declare import Follow, InvalidParameter, Parameter
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.entry import write_number
from dpstudio.text.language import tr
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import Choice, Interval, Quantity, Value, Written

Laid: TypeAlias = QWidget | QLayout | int | tuple[QWidget | QLayout | None, int] | None
"""What stands in a row: a widget or a layout, with its share of what is left, so many free pixels, or all that are."""
W = TypeVar("W", bound=QWidget)
L = TypeVar("L", bound=QBoxLayout)
A = TypeVar("A", bound=QScrollArea)
Edges: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom."""


RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Push(QPushButton):
    """A button that Return presses, too, while it has the keyboard; Qt leaves that to dialogs and desktops."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in RETURNS:
            self.click()
        else:
            super().keyPressEvent(event)


class Tool(QToolButton):
    """The same of a small one."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in RETURNS:
            self.click()
        else:
            super().keyPressEvent(event)


class Combo(QComboBox):
    """A list that drops down as wide as its longest words; of those that stand in the box what has no room is cut."""

    def words(self) -> str:
        """What stands in the box while the list is closed."""
        return self.currentText() or self.placeholderText()

    def _drawn(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option,
                                           QStyle.SubControl.SC_ComboBoxEditField, self).width()
        option.currentText = self.fontMetrics().elidedText(self.words(), Qt.TextElideMode.ElideRight, room)
        return option

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.isEditable():
            super().paintEvent(event)
            return
        painter, option = QStylePainter(self), self._drawn()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and not self.toolTip() and self._drawn().currentText != self.words():
            QToolTip.showText(event.globalPos(), self.words(), self)
            return True
        return super().event(event)

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)
        super().showPopup()


def in_row(*items: Laid, within: QWidget | None = None, gap: int = -1, edges: Edges | None = (0, 0, 0, 0)
           ) -> QHBoxLayout:
    """Items side by side, within a widget if one is given; with Qt's own edges where they are None."""
    return _filled(QHBoxLayout(within) if within else QHBoxLayout(), items, gap, edges)


def in_column(*items: Laid, within: QWidget | None = None, gap: int = -1, edges: Edges | None = (0, 0, 0, 0)
              ) -> QVBoxLayout:
    """Items one below the other, within a widget if one is given; with Qt's own edges where they are None."""
    return _filled(QVBoxLayout(within) if within else QVBoxLayout(), items, gap, edges)


def _filled(layout: L, items: Iterable[Laid], gap: int, edges: Edges | None) -> L:
    if edges is not None:
        layout.setContentsMargins(*edges)
    if gap >= 0:
        layout.setSpacing(gap)
    for each in items:
        item, share = each if isinstance(each, tuple) else (each, 0)
        if item is None:
            layout.addStretch(share)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QWidget):
            layout.addWidget(item, share)
        else:
            layout.addLayout(item, share)
    return layout


def spaced(layout: QLayout, theme: Theme, gap: int | None = None, edges: Edges | None = None) -> None:
    """Lengths of a layout that grow with the type."""
    if gap is not None:
        layout.setSpacing(theme.px(gap))
    if edges is not None:
        layout.setContentsMargins(*map(theme.px, edges))


def said_as(widget: W, name: str = "", tip: str = "", role: str = "") -> W:
    """A widget with what a screen reader calls it, its tooltip, and its role in the stylesheet.

    Words are called by themselves, and on Linux a choice by what is chosen: the name is then what describes them.
    """
    if name and not isinstance(widget, QLabel):
        widget.setAccessibleName(name)
    if name and isinstance(widget, QLabel | QComboBox):
        widget.setAccessibleDescription(name)
    if tip:
        widget.setToolTip(tip)
    if role:
        widget.setProperty("role", role)
    return widget


def prose(words: str = "", name: str = "", role: str = "", *, selectable: bool = False) -> QLabel:
    """Words that break into lines, whatever signs are in them."""
    label = said_as(QLabel(words, wordWrap=True, textFormat=Qt.TextFormat.PlainText), name, role=role)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def labelled(words: str, entry: QWidget) -> QLabel:
    """Words whose key leads to an entry."""
    label = QLabel(words)
    label.setBuddy(entry)
    return label


def push(words: str, act: Callable[..., object] | SignalInstance | None = None, name: str = "", tip: str = "",
         role: str = "") -> QPushButton:
    """A button that does something, and does it by Return only while it has the keyboard itself."""
    button = said_as(Push(words, autoDefault=False), name, tip, role)
    if act is not None:
        button.clicked.connect(act)
    return button


def only_scrolls(area: A, inside: QWidget | None = None) -> A:
    """An area without a frame that scrolls up and down, and has nothing inside but what is given."""
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if inside is not None:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
    return area


def no_narrower(box: QComboBox, characters: int) -> QComboBox:
    """A choice that has room for so many characters, however long its words are."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(characters)
    return box


def is_escape(event: QEvent, act: Callable[[], object]) -> bool:
    """Whether an event is the Escape key, which then does this, though it is a command of the window too."""
    if not (isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape):
        return False
    event.accept()  # as a key to come, before the window takes it for its command
    if event.type() is QEvent.Type.KeyPress:
        act()
    return True


def refill(box: QComboBox, entries: Iterable[tuple[str, object]], otherwise: object = None) -> None:
    """Offer these words, each with what it stands for, and tell nobody; what was chosen stays, if it is among them.

    If it is not, what stands `otherwise` is chosen, else the first.
    """
    offered = list(entries)
    if [words for words, _ in offered] != [box.itemText(i) for i in range(box.count())]:
        kept = box.currentText()
        with QSignalBlocker(box):
            box.clear()
            for words, data in offered:
                box.addItem(words, data)
            at = box.findText(kept)
            box.setCurrentIndex(at if at >= 0 else max(0, box.findData(otherwise)))


def restyle(widget: QWidget) -> None:
    """Let the stylesheet see a property that has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def mark_refused(widget: QWidget, refused: bool) -> None:
    """Turn red, or be red no more."""
    if bool(widget.property("refused")) != refused:
        widget.setProperty("refused", refused)
        restyle(widget)


def heading(quantity: Quantity) -> tuple[str, str]:
    """The symbol and the words beside it, neither said twice: “ε”, “privacy loss”."""
    label = tr(quantity.label)
    if isinstance(quantity.domain, Choice) or label.split()[0] == quantity.symbol:
        return "", label
    return quantity.symbol, label.removesuffix(quantity.symbol).rstrip()


def called(quantity: Quantity) -> str:
    """A parameter in a sentence, by the words beside its control: “privacy loss ε”, “p (acceptance at m)”."""
    symbol, label = quantity.symbol, tr(quantity.label)
    return label if isinstance(quantity.domain, Choice) or symbol in label.split() else f"{symbol} ({label})"


def refusal_in_words(refusal: InvalidParameter, parameters: Iterable[Parameter]) -> str:
    """A refusal in the words of the window, where `str(refusal)` has the names of flags and files."""
    names = {parameter.name: called(parameter.quantity) for parameter in parameters}

    def given(value: object) -> str:  # as it was typed or as the window writes it
        if isinstance(value, float | int) and not isinstance(value, bool) and abs(value) < 1e18:
            return write_number(value)
        return repr(value)

    choice = refusal.domain if isinstance(refusal.domain, Choice) else Choice(())
    return refusal.worded(lambda name: names.get(name, name), lambda option: titled(choice.said(option)), given)


def described(parameter: Parameter) -> str:
    """What a screen reader says of a parameter behind its name: its sentence, and the domain of a number."""
    said = parameter.quantity.sentence
    return f"{said} {begun(parameter.domain.phrase)}." if isinstance(parameter.domain, Interval) else said


def tooltip(parameter: Parameter, *, used: bool = True) -> str:
    """The sentence, the domain and the default, as rich text so that Qt breaks the lines; first why it is not used."""
    default = parameter.default
    shown = (str(default) if default is None or isinstance(default, Follow) else write_number(default)
             if parameter.is_number and not isinstance(default, str) else parameter.said(default))
    about = tr("{domain} · default {shown}", domain=parameter.domain.phrase, shown=shown)
    sentence = parameter.quantity.sentence
    lines = (sentence, about) if used else (condition(parameter), sentence, about)
    return "<qt>" + "".join(f"<p>{escape(line)}</p>" for line in lines) + "</qt>"


def condition(parameter: Parameter) -> str:
    """Where a parameter matters, in the words of the screen: “Used only where prior on N is Normal.”"""
    by = parameter.chosen_by
    if by is None:
        return ""
    if isinstance(by.domain, Written):
        return tr("Used only without {label}.", label=tr(by.label))
    options = f" {tr('or')} ".join(titled(by.domain.said(str(each))) if isinstance(by.domain, Choice) else str(each)
                          for each in parameter.when[1:])
    return tr("Moving it makes the {label} {options}." if parameter.instead else
              "Used only where {label} is {options}.", label=tr(by.label), options=options)


def titled(value: Value) -> str:
    """A word of a declaration as the text of a button."""
    return begun(tr(str(value).replace("_", " ")))


def wanted_height(layout: QLayout, width: int) -> int:
    """Pixels that a column takes at a width, where nothing of it is scrolled."""
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


def sign_button(sign: str, name: str, tip: str = "") -> QToolButton:
    """A button of one sign, in the muted colour of what is beside the matter."""
    button = said_as(Tool(), name, tip, "quiet")
    button.setText(sign)
    return button


def dress_sign(button: QToolButton, theme: Theme) -> None:
    """As large as its sign."""
    button.setFixedSize(theme.px(24), theme.px(24))
    button.setStyleSheet(f"padding: 0; min-height: 0; color: {theme.muted}")
