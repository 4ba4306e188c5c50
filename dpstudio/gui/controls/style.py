"""What the controls share in their looks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from PySide6.QtWidgets import QLayout, QToolButton, QWidget

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.text.entry import write_number
from dpstudio.vocabulary import Quantity, Value


def restyle(widget: QWidget) -> None:
    """Let the stylesheet see a property that has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


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
    return refusal.worded(lambda name: names.get(name, name), titled, _given)


def _given(value: object) -> str:
    """What was given, as it was typed or as the window writes it."""
    if isinstance(value, bool) or not isinstance(value, float | int) or not abs(value) < 1e18:
        return repr(value)
    return write_number(value)


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
    text = str(value).replace("_", " ")
    return text[:1].upper() + text[1:]


def wanted_height(layout: QLayout, width: int) -> int:
    """Pixels that a column takes at a width, where nothing of it is scrolled."""
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


def sign_button(sign: str, name: str, tip: str) -> QToolButton:
    """A button of one sign, in the muted colour of what is beside the matter."""
    button = QToolButton()
    button.setText(sign)
    button.setProperty("role", "quiet")
    button.setAccessibleName(name)
    button.setToolTip(tip)
    return button
