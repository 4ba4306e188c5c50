"""The box in which the parameter is chosen that is solved for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.choices import Drop
from dpstudio.gui.controls.style import heading, no_narrower


class GoalBox(Drop):
    """The parameter that is solved for: its symbol, and in the list its words as well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__((), parent)
        no_narrower(self, 2)
        self._symbols: dict[str, str] = {}
        self.by_hand = False
        """Whether somebody chose it, or it was found: until then it is looked for."""
        self.chosen.connect(lambda _: setattr(self, "by_hand", True))

    def show_parameters(self, first: Sequence[Parameter], further: Sequence[Parameter]) -> None:
        """Offer these; the one that is chosen stays, if it is among them."""
        kept, names = self.currentData(), [each.name for each in (*first, *further)]
        if names == [self.itemData(i) for i in range(self.count()) if self.itemData(i)]:
            return
        self.clear()
        self._symbols = {}
        for each in (*first, *further):
            symbol, words = heading(each.quantity)
            if further and each is further[0] and first:
                self.insertSeparator(self.count())
            self._symbols[each.name] = symbol or words
            self.addItem("  ".join(filter(None, (symbol, words))), each.name)
            self.setItemData(self.count() - 1, each.quantity.sentence, Qt.ItemDataRole.ToolTipRole)
        self.show_option(kept if kept in names else next(iter(names), ""))

    def begin(self) -> None:
        """Let the parameter be looked for; what stands there is a guess."""
        self.by_hand = False

    def show_found(self, name: str) -> None:
        """Solve for this one from now on."""
        self.show_option(name)
        self.by_hand = True

    def words(self) -> str:
        return self._symbols.get(self.currentData(), "")
