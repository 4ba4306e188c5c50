"""The pictures of a report: drawn as print draws them, without the words that the page says around them."""

from __future__ import annotations

import io
from collections.abc import Sequence

from dpstudio.core.figure import Figure, Line
from dpstudio.core.results import Column, Table
from dpstudio.core.study import Study
from dpstudio.documents import pictures
from dpstudio.documents.noted import PictureNote
from dpstudio.documents.report.blocks import Picture, Values, line_of
from dpstudio.documents.tables import columns_of
from dpstudio.scene.described import described
from dpstudio.scene.scene import Pictured, Pinned, resolve
from dpstudio.text.numbers import exact, powered
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import amount

SMALL_MM = 170.0, 66.0
FOREMOST_MM = {True: ((170.0, 66.0), (170.0, 46.0)), False: ((170.0, 54.0), (170.0, 40.0))}
"""The pictures on which a choice rests: where it is signed for on another page, and where it stands on theirs."""
LONGEST_NOTE = 300
MOST_VALUES = 3_000
"""Rows behind one picture: a sweep may have more."""


def picture(study: Study, update: Pictured, figure: Figure, size_mm: tuple[float, float], *,
            hidden: frozenset[str] = frozenset(), folded: frozenset[str] = frozenset(), pins: Sequence[Pinned] = (),
            notes: Sequence[PictureNote] = (), values: bool = True) -> Picture | None:
    """The picture with its caption; None where there is nothing to be seen at these settings.

    Of the curves that are not drawn `hidden` are named, which somebody hid, and not `folded`, which nobody showed.
    """
    table = update.tables.get(figure.table)
    if table is None:
        return None
    scene = resolve(figure, update, study.values(), {each.name: each for each in study.parameters()},
                    hidden=hidden | folded, pins=pins)
    noted = [note for note in notes if note.figure == figure.key and note.text.strip()]
    with_place = [note for note in noted if note.at is not None]
    if scene.blank:
        return None
    columns = columns_of(figure, table) if values else []
    unseen = [label for key, label in _labels(figure).items() if key in hidden]
    text = powered(scene.told) + (f" Not shown: {listed(unseen)}." if unseen else "")
    return Picture(figure.title, text, described(figure, scene),
                   _svg(study, update, figure, size_mm, hidden | folded, pins, with_place),
                   tuple(placed(figure, note) for note in noted),
                   values_of(columns, table) if columns else None)


def _svg(study: Study, update: Pictured, figure: Figure, size_mm: tuple[float, float], hidden: frozenset[str],
         pins: Sequence[Pinned], notes: Sequence[PictureNote]) -> bytes:
    out = io.BytesIO()
    with pictures.print_settings():
        from dpstudio.documents.print.drawing import draw

        canvas = draw(study, update, figure, size_mm, hidden, pins=pins, notes=notes, alone=False)
        canvas.savefig(out, format="svg", metadata={"Creator": None, "Date": None, "Format": None, "Type": None})
    return out.getvalue()


def _labels(figure: Figure) -> dict[str, str]:
    """The names of the series of a picture by their keys."""
    drawn = (layer.y.series for layer in figure.layers if isinstance(layer, Line))
    return {series.key: series.label for series in drawn if series}


def placed(figure: Figure, note: PictureNote) -> str:
    """A text on a picture with its place, in words."""
    words = line_of(note.text, LONGEST_NOTE)
    if note.at is None:
        return f"Without a place: {words}"
    x, y = (f"{axis.quantity.symbol} = {powered(amount(value, axis.quantity))}"
            for axis, value in zip((figure.x, figure.y), note.at, strict=True))
    return f"At {x}, {y}: {words}"


def headed(column: Column) -> str:
    """What stands over a column of numbers."""
    return column.quantity.axis_label + (f", {column.series.label}" if column.series else "")


def values_of(columns: Sequence[Column], table: Table) -> Values:
    """Columns of a table with every digit, as many rows as a page can hold."""
    heads = tuple(map(headed, columns))
    rows = zip(*(table[one][:MOST_VALUES].tolist() for one in columns), strict=True)
    return Values(heads, tuple(tuple(map(exact, row)) for row in rows), table.rows)
