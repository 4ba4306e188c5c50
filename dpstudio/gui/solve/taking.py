"""Taking an answer: what was found is set to the last digit, and who does it is decided for, in one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Series
from dpstudio.gui.session.document import Document
from dpstudio.text.language import tr

if TYPE_CHECKING:
    from dpstudio.core.solve.every import Offer


def take(document: Document, offer: Offer) -> InvalidParameter | None:
    """Set what an offer takes, and keep what was asked; returns why the study refuses it, where it does."""
    chosen = decided(offer)
    wants = [str(want) for want in offer.problem.wants] if offer.solution.met else ()  # a hand may point beside it
    try:
        document.solve(offer.values, wants=wants, chosen=chosen.key if chosen else None)
    except InvalidParameter as refused:
        return refused
    return None


def decided(offer: Offer) -> Series | None:
    """Whom taking it decides for; None where nobody can."""
    return offer.series if offer.series in offer.problem.kind.answers().choosable() else None


def taken(offer: Offer) -> str:
    """“Taken: ε = 0.0157, Laplace chosen”."""
    chosen = decided(offer)
    parts = (tr("Taken: {words}", words=offer.words), offer.problem.beside,
             tr("{label} chosen", label=tr(chosen.label)) if chosen else "")
    return ", ".join(filter(None, parts))


class Awaiting:
    """What is to be done once the answer that is under way is there, and what waits until that is done or let be."""

    def __init__(self) -> None:
        self._then: Callable[[], None] | None = None
        self._after: list[Callable[[], object]] = []
        self._doing = False

    def expect(self, then: Callable[[], None]) -> None:
        """Do this once the answer is there, in place of what was to be done before."""
        self._then = then

    def arrive(self) -> None:
        """The answer is there."""
        then, self._then = self._then, None
        if then is not None:
            self._doing = True
            then()
            self._doing = False
        self._go_on()

    def let_be(self) -> None:
        """Nothing is to be done any more."""
        self._then = None
        self._go_on()

    def after(self, act: Callable[[], object]) -> None:
        """Do this when nothing is to be done before."""
        self._after.append(act)
        self._go_on()

    def _go_on(self) -> None:
        if self._then is None and not self._doing:
            after, self._after = self._after, []
            for act in after:
                act()
