"""A hand that leads: it drags what is wanted, and the parameters follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpstudio.documents.setting import Values
from dpstudio.gui.session.document import Document

if TYPE_CHECKING:
    from dpstudio.gui.solve.question import Reply


class LeadingHand:
    """One gesture: its moves are one step of the document, as a hand's on a slider are."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.values: Values | None = None
        """To which parameters were led, before the hand lets go."""

    def near(self, names: tuple[str, ...]) -> Values:
        """Where what is solved for is: a hand moves on from there."""
        return self.values or {name: getattr(self._document.study, name) for name in names}

    def follow(self, reply: Reply) -> None:
        """Let the parameters follow; where nothing does it they stay."""
        if reply.follows is not None:
            self._set(reply.follows)

    def end(self, reply: Reply) -> None:
        """Once the leading answer is there: of several solutions the one here, and the gesture ends."""
        leading = reply.leading
        if leading is not None and self.values is not None:
            if leading.does:
                self._set(reply.nearest(leading, self.values))
            self.let_go()

    def let_go(self) -> None:
        """End the gesture where it is."""
        if self.values is not None:
            led, self.values = self.values, None
            self._document.solve(led)

    def forget(self) -> None:
        """Another study is in view: what was led is another's."""
        self.values = None

    def _set(self, values: Values) -> None:
        self.values = values
        self._document.solve(values, final=False)
