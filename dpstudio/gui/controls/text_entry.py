"""A text of a parameter's domain, such as caps by priors."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.typed import TypedEntry
from dpstudio.vocabulary import Value

LONGEST = 400
"""Signs that a person types here at most."""


class TextEntry(TypedEntry):
    """A line of text that is a text of a parameter's domain."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self._value = ""
        self.setMaxLength(LONGEST)
        self.setPlaceholderText(str(parameter.domain))

    def show_text(self, value: Value) -> None:
        """Show a value, unless it is the present one: what is being typed stays."""
        if self._parameter.said(value) != self._value or not self.typing:
            self._keep(value)
            self._restore()

    def _written(self) -> str:
        return self._value

    def _keep(self, value: Value) -> None:
        self._value = self._parameter.said(value)
