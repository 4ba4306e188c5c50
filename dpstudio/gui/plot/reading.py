"""What a picture's curves say at one x: the numbers a crosshair shows, without any painting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dpstudio.core.answer import Update, at_hand
from dpstudio.core.figure import Figure, Line
from dpstudio.core.results import Column, side_of
from dpstudio.text.numbers import Side
from dpstudio.vocabulary import COMPLEMENTS, Quantity


def line_key(line: Line) -> str:
    """What hides and shows a line: its series, or its own column where it has none."""
    return line.y.series.key if line.y.series else line.y.key


def line_label(line: Line) -> str:
    """What the legend says."""
    return line.label or (line.y.series.label if line.y.series else line.y.quantity.label)


def lines_of(figure: Figure) -> Iterable[Line]:
    return (layer for layer in figure.layers if isinstance(layer, Line))


@dataclass(frozen=True, slots=True)
class Reading:
    """One curve's value at the sample nearest to where was asked."""

    line: Line
    x: float
    value: float
    side: Side = "nearest"
    """To which side the value is rounded: a curve of bounds is read as bounds."""
    lack: float | None = None
    """What a probability lacks to 1, where the table has it."""

    @property
    def row(self) -> tuple[str, Quantity, float]:
        return line_label(self.line), self.line.y.quantity, self.value


def readings(figure: Figure, update: Update, hidden: frozenset[str], x: float) -> list[Reading]:
    """Every shown curve at the sample nearest to x: computed numbers, never ones made up between them."""
    table = at_hand(update, figure.table)
    if table is None:
        return []
    result = []
    sides = {Column(fact.quantity, fact.series): side_of(fact) for fact in update.facts}
    for line in lines_of(figure):
        if line.x in table and line.y in table and line_key(line) not in hidden and table.rows:
            samples = table[line.x]
            with np.errstate(divide="ignore", invalid="ignore"):
                apart = np.abs(np.log(samples / x)) if figure.x.scale == "log" and x > 0 else np.abs(samples - x)
            i = int(np.nanargmin(apart))
            quantity = COMPLEMENTS.get(line.y.quantity)
            other = Column(quantity, line.y.series) if quantity else None
            result.append(Reading(line, float(samples[i]), float(table[line.y][i]), sides.get(line.y, "nearest"),
                                  float(table[other][i]) if other and other in table else None))
    return result
