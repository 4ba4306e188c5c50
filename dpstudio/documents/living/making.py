"""A living page in steps, between which it can be left; how large it will be and how long it takes."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import replace

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Span
from dpstudio.core.study import answer
from dpstudio.core.sweep import Over
from dpstudio.core.update import Update
from dpstudio.documents.files import FileProgress
from dpstudio.documents.living.cells import Living, LivingCell, cell, stretch
from dpstudio.documents.living.data import CellsText, Classes
from dpstudio.documents.living.drawing import DrawnCell, axes_of, drawn
from dpstudio.documents.living.page import page
from dpstudio.documents.print.fonts import register
from dpstudio.documents.report.drawn import picture
from dpstudio.documents.setting import title
from dpstudio.records import dataclass
from dpstudio.scene.scene import Pinned
from dpstudio.text.language import steps_in_english
from dpstudio.text.sentences import grouped

LARGEST = 8_000_000
"""Bytes of a page: a telephone reads as many."""
STILL_MM = 170.0, 100.0
FRAME_BYTES = 120_000
"""About what a page has besides its cells: fonts, the still picture, the script."""
TRIED = 3
"""Cells by which size and time are estimated."""


@dataclass(frozen=True)
class PageEstimate:
    """About how many bytes a page will have, and how many seconds it takes."""

    size: float
    seconds: float


def made(living: Living) -> bytes:
    """The bytes of the page, the same for the same request; raises as `steps` does."""
    content = b""
    for progress in steps(living):
        content = progress.made or content
    return content


@steps_in_english
def steps(living: Living) -> Iterator[FileProgress]:
    """Make the page cell by cell; raises InvalidParameter where it would be too large, or every cell is refused.

    Before anything is computed it raises as `Living.check` does.
    """
    living.check()
    total, figure = living.plan.total, living.figure
    register()
    yield FileProgress(0, total, "looking what is worth seeing")
    seen: Span | None = None
    for seen in stretch(living):  # noqa: B007 - the last one is the answer
        yield FileProgress(0, total, "looking what is worth seeing")
    pins = _pinned(living, seen)
    kept, scenes = CellsText(living), []
    refused = ""
    for i in range(total):
        found = cell(living, i, seen or (0.0, 1.0), pins)
        kept.add(found)
        scenes.append(found.scene)
        refused = refused or ("" if found.scene else found.headline)
        if kept.size > LARGEST:
            raise _too_large(total, i)
        yield FileProgress(i + 1, total, "computing")
    there = [each for each in scenes if each is not None]
    if not there:
        raise InvalidParameter("over", "a setting at least that the study takes", living.over[0].name,
                               refused[:1].lower() + refused[1:].rstrip("."))
    axes = axes_of(figure, there)
    pictures: list[DrawnCell | None] = []
    for i, scene in enumerate(scenes):
        pictures.append(None if scene is None else drawn(axes, scene))
        yield FileProgress(i + 1, total, "drawing")
    slots = sorted({slot for each in pictures if each for slot in each.paths},
                   key=lambda slot: (slot.rank, slot.place, slot.kind, slot.more))
    classes, state = Classes(), living.session.state()
    data = kept.json(pictures, slots, classes)
    if len(data) > LARGEST:
        raise _too_large(total, total * LARGEST // len(data))
    update = answer(living.study, simulate=living.simulated).deciding(state.chosen)
    still = picture(living.study, update, figure, STILL_MM, hidden=state.hidden,
                    folded=state.unseen(figure) - state.hidden, pins=_pins(living, update),
                    notes=state.picture_notes, values=False)
    yield FileProgress(total, total, made=page(living, update, still, kept, data, axes, slots, classes))


def _too_large(total: int, most: int) -> InvalidParameter:
    return InvalidParameter("over", f"so few settings that the page has at most {LARGEST // 10**6} MB, about "
                            f"{grouped(max(most, 1))} of these", total)


def estimate(living: Living) -> Generator[None, None, PageEstimate]:
    """How large the page will be and how long it takes, by some of its cells; raises as `steps` does at its beginning.

    A step is a moment at which it can be left.
    """
    living.check()
    register()
    yield None
    total = living.plan.total
    some = _some(living)
    began = time.perf_counter()
    seen: Span | None = None
    for seen in stretch(some):  # noqa: B007 - as above
        yield None
    kept, scenes = CellsText(some), list[LivingCell]()
    for i in range(some.plan.total):
        found = cell(some, i, seen or (0.0, 1.0), ())
        kept.add(found)
        scenes.append(found)
        yield None
    there = [each.scene for each in scenes if each.scene is not None]
    drawing = 0
    if there:
        axes = axes_of(living.figure, there)
        pictures = [None if each.scene is None else drawn(axes, each.scene) for each in scenes]
        slots = list({slot: None for each in pictures if each for slot in each.paths})
        drawing = len(kept.json(pictures, slots, Classes()))
    each = 1 / some.plan.total
    return PageEstimate(FRAME_BYTES + drawing * each * total, 1.0 + (time.perf_counter() - began) * each * total)


def _some(living: Living) -> Living:
    """The same with a few of its cells: the ends of the first slider and its middle, beside the least of the second."""
    few = [TRIED, 1] if len(living.over) > 1 else [TRIED]
    over = tuple(Over(each.name, tuple(dict.fromkeys(
        each.values[round(i * (len(each.values) - 1) / max(most - 1, 1))] for i in range(most))))
        for each, most in zip(living.over, few, strict=True))
    return replace(living, over=over)


def _pinned(living: Living, seen: Span | None) -> tuple[Pinned, ...]:
    """The pins of the session over the stretch that is shown."""
    return tuple(Pinned(title(pin, living.session.state().setting), answer(
        pin.study, simulate=living.simulated, views={living.figure.table: seen} if seen else None), pin.only)
        for pin in living.session.state().pins)


def _pins(living: Living, update: Update) -> tuple[Pinned, ...]:
    """The same over the stretch of the still picture."""
    from dpstudio.documents.pictures import pinned

    return pinned(living.session.state(), update)
