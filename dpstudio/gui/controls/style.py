"""What forms and controls are laid out and said with."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias, TypeVar

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QBoxLayout, QComboBox, QHBoxLayout, QLayout, QToolButton, QVBoxLayout, QWidget

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.text.entry import write_number
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import Quantity, Value

Laid: TypeAlias = QWidget | QLayout | int | tuple[QWidget | QLayout | None, int] | None
"""What stands in a row: a widget or a layout, with its share of what is left, so many free pixels, or all that are."""
W = TypeVar("W", bound=QWidget)
L = TypeVar("L", bound=QBoxLayout)


def in_row(*items: Laid, within: QWidget | None = None, gap: int = -1,
           edges: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QHBoxLayout:
    """Items side by side, within a widget if one is given."""
    return _filled(QHBoxLayout(within) if within else QHBoxLayout(), items, gap, edges)


def in_column(*items: Laid, within: QWidget | None = None, gap: int = -1,
              edges: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QVBoxLayout:
    """Items one below the other, within a widget if one is given."""
    return _filled(QVBoxLayout(within) if within else QVBoxLayout(), items, gap, edges)


def _filled(layout: L, items: Iterable[Laid], gap: int, edges: tuple[int, int, int, int]) -> L:
    layout.setContentsMargins(*edges)
    if gap >= 0:
        layout.setSpacing(gap)
    return laid(layout, *items)


def laid(layout: L, *items: Laid) -> L:
    """A row or a column with items in it, its edges and its gap as they are."""
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


def said_as(widget: W, name: str = "", tip: str = "", role: str = "") -> W:
    """A widget with what a screen reader calls it, its tooltip, and its role in the stylesheet."""
    if name:
        widget.setAccessibleName(name)
    if tip:
        widget.setToolTip(tip)
    if role:
        widget.setProperty("role", role)
    return widget


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
    """The symbol and the words beside it, neither said twice: “ε”, “privacy parameter”."""
    if quantity.label.split()[0] == quantity.symbol:
        return "", quantity.label
    return quantity.symbol, quantity.label.removesuffix(quantity.symbol).rstrip()


def called(quantity: Quantity) -> str:
    """A parameter in a sentence, by the words beside its control: “privacy parameter ε”, “p (acceptance at m)”."""
    symbol, label = quantity.symbol, quantity.label
    return label if symbol in label.split() else f"{symbol} ({label})"


def refusal_in_words(refusal: InvalidParameter, parameters: Iterable[Parameter]) -> str:
    """A refusal in the words of the window, where `str(refusal)` has the names of flags and files."""
    names = {parameter.name: called(parameter.quantity) for parameter in parameters}

    def given(value: object) -> str:  # as it was typed or as the window writes it
        if isinstance(value, float | int) and not isinstance(value, bool) and abs(value) < 1e18:
            return write_number(value)
        return repr(value)

    return refusal.worded(lambda name: names.get(name, name), titled, given)


def accessible_name(parameter: Parameter) -> str:
    """What a screen reader says: “epsilon, privacy parameter ε, in [1e-6, 20]”."""
    return f"{parameter.name}, {parameter.quantity.label}, {parameter.domain.phrase}"


def tooltip(parameter: Parameter, *, used: bool = True) -> str:
    """The sentence, the domain and the default, as rich text so that Qt breaks the lines; first why it is not used."""
    default = parameter.default
    shown = write_number(default) if parameter.is_number and isinstance(default, float | int) else words(default)
    about = f"{parameter.domain.phrase} · default {shown}"
    lines = (parameter.quantity.sentence, about) if used else (condition(parameter), parameter.quantity.sentence, about)
    return "<qt>" + "".join(f"<p>{escape(line)}</p>" for line in lines) + "</qt>"


def condition(parameter: Parameter) -> str:
    """Where a parameter matters, with the words of a choice as they are shown: “Laplace decision”."""
    name, *options = parameter.when or ("",)
    return f"Used only where {name} is {' or '.join(titled(option) for option in options)}." if options else ""


def words(value: object) -> str:
    """A value that is no number, as it reads in a sentence."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def titled(value: Value) -> str:
    """A word of a declaration as the text of a button."""
    return begun(str(value).replace("_", " "))


def wanted_height(layout: QLayout, width: int) -> int:
    """Pixels that a column takes at a width, where nothing of it is scrolled."""
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


def sign_button(sign: str, name: str, tip: str = "") -> QToolButton:
    """A button of one sign, in the muted colour of what is beside the matter."""
    button = said_as(QToolButton(), name, tip, "quiet")
    button.setText(sign)
    return button
