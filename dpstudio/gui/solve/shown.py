"""What is shown of an answer: the words of its buttons, and lines on the pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from dpstudio.core.results import Series
from dpstudio.core.solve.among import place_of
from dpstudio.core.study import Study
from dpstudio.gui.plot.labels import DragTarget
from dpstudio.gui.solve.answers import ShownAnswer
from dpstudio.gui.solve.guess import drawn_as
from dpstudio.gui.solve.row import WantedRow
from dpstudio.text.language import tr

if TYPE_CHECKING:
    from dpstudio.core.solve.every import Offer
    from dpstudio.gui.solve.question import Reply

RELATIONS = {"<=": "≤", ">=": "≥", "=": "="}
"""Relations as a picture writes them."""


def under_way(kind: type[Study], among: Iterable[Series | None]) -> list[ShownAnswer]:
    """Who has not answered yet, as declared."""
    return [ShownAnswer(each, "…", tr("It is being solved for"), ready=False)
            for each in sorted(among, key=partial(place_of, kind.answers()))]


def shown_answers(reply: Reply, study: Study, *, named: bool) -> list[ShownAnswer]:
    """A button for whoever does it, then for who has not answered, then for who cannot.

    Who is not allowed has none, unless it is the one that was `named`.
    """
    told = [_shown(reply, each, study) for each in reply.offers if not each.refused or named]
    return [*(each for each in told if each.ready), *under_way(reply.question.kind, reply.waiting),
            *(each for each in told if not each.ready)]


def _shown(reply: Reply, offer: Offer, study: Study) -> ShownAnswer:
    if reply.question.proposed is not None:
        does = (tr("{values} does it", values=offer.words) if offer.does else
                tr("{values} does not do it", values=offer.words))
        return ShownAnswer(offer.series, does, offer.says, ready=True)
    if offer.does:
        text = offer.texts[0] if len(offer.texts) == 1 else offer.words
        return ShownAnswer(offer.series, text, offer.says, ready=True, there=offer.study == study)
    if offer.refused and offer.solution.met:
        why = (tr("too weak: {refused}", refused=offer.refused) if reply.question.kind.several else
               tr("not allowed: {refused}", refused=offer.refused))
        return ShownAnswer(offer.series, why, offer.says, ready=False)
    return ShownAnswer(offer.series, tr("at no {symbols}", symbols=reply.symbols), offer.says, ready=False)


def aims(rows: Sequence[WantedRow], previewed: Offer | None) -> list[DragTarget]:
    """What is wanted, or where the fact is now, as lines to be dragged; and beside them what would be set."""
    found = []
    for row in rows:
        number = row.present if row.number is None and not row.refusal else row.number
        if number is not None and row.facts.settled:
            words = tr("wanted {relation}", relation=RELATIONS[row.chosen_relation])
            found.append(DragTarget(row.parameter, drawn_as(row.parameter.quantity), words, float(number)))
    for axis in previewed.problem.axes if previewed else ():
        declared, value = axis.parameter, previewed.values[axis.name]  # type: ignore[union-attr]
        found.append(DragTarget(replace(declared, name=f"previewed {declared.name}"), frozenset({declared.quantity}),
                                tr("preview: {symbol} =", symbol=declared.quantity.symbol), float(value),
                                draggable=False))
    return found
