"""Taking an answer: what was found is set to the last digit, and who does it is decided for, in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Series
from dpstudio.gui.session.document import Document

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
    parts = f"Taken: {offer.words}", offer.problem.beside, f"{chosen.label} chosen" if chosen else ""
    return ", ".join(filter(None, parts))
