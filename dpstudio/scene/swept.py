"""Sweeps as pictures: curves of a fact over one parameter, a map of it over two, and marks at the present values."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dpstudio.core.declare import Array, Parameter
from dpstudio.core.figure import Axis, Band, Dots, Figure, Layer, Line, Map, Mark
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Column, Fact, Kind, Series, Span, Table, fact_place
from dpstudio.core.sweep import KINDS, Swept
from dpstudio.records import cached_property
from dpstudio.scene.maps import shading
from dpstudio.text.language import tr
from dpstudio.text.sentences import begun, listed
from dpstudio.vocabulary import Quantity, Scale, amount

TABLE = "sweep"
FEW = 40
"""Values up to which estimates are dots with their intervals; more are a line in a band."""


class SweptSource:
    """What a scene needs of an update, of a sweep: its table, and how sure its facts are."""

    def __init__(self, swept: Swept) -> None:
        self.swept = swept
        self.tables: Mapping[str, Table] = {TABLE: swept.table}

    @cached_property
    def windows(self) -> Mapping[str, Span]:
        values = _values(self.swept)[0]
        return {TABLE: (float(values.min()), float(values.max()))}

    @cached_property
    def promises(self) -> tuple[Guarantee, ...]:
        """What is promised at the setting that was swept from."""
        return tuple(self.swept.plan.study.answer().guarantees.values())

    def fact(self, quantity: Quantity | str, series: Series | str | None = None) -> Fact | None:
        """The kind of a fact that was swept, as far as it is one; it has no value of its own."""
        wanted = fact_place(quantity, series)
        declared = type(self.swept.plan.study).answers().index().get(wanted)
        place = next((i for i, asked in enumerate(self.swept.plan.facts) if asked == wanted), None)
        if declared is None or place is None:
            return None
        column = self.swept.columns[place]
        there = [each for number, each in enumerate(KINDS, 1) if (self.swept.kinds[column] == number).any()]
        # Where some cells are exact and some bounds, all are read as bounds.
        kind: Kind = next((each for each in there if each != "exact"), "exact")
        return Fact(column.quantity, math.nan, column.series, kind, at_least=declared.at_least)


def choices(swept: Swept) -> tuple[Column, ...]:
    """The facts of which each has a picture: of two parameters all, of one the first of every quantity."""
    if len(swept.plan.over) == 2:
        return swept.columns
    first: dict[Quantity, Column] = {}
    for column in swept.columns:
        first.setdefault(column.quantity, column)
    return tuple(first.values())


def figure_of(swept: Swept, chosen: Column) -> Figure:
    """The picture of one of its choices, with words of the language that is spoken now."""
    study, declared = type(swept.plan.study), swept_parameters(swept)
    axes = [_axis(each, values) for each, values in zip(declared, _values(swept), strict=True)]
    marks = [Mark(each.name, "y" if i else "x", draggable=True) for i, each in enumerate(declared)]
    layers, y = _drawn(swept, chosen, axes)
    whose = f", {tr(chosen.series.label)}" if chosen.series and len(declared) == 2 else ""
    ranges = [tr("{name} from {low} to {high}", name=tr(each.quantity.label), low=amount(values.min(), each.quantity),
                 high=amount(values.max(), each.quantity))
              for each, values in zip(declared, _values(swept), strict=True)]
    label = tr(chosen.quantity.label) + whose
    return Figure(f"sweep-{chosen.quantity.key}", begun(label), TABLE, axes[0], y, (*layers, *marks),
                  caption=tr("Over {ranges}; the present setting is marked.", ranges=listed(ranges)),
                  empty=tr("This fact has no value anywhere on the grid"), compared=study.answers().series())


def swept_parameters(swept: Swept) -> tuple[Parameter, ...]:
    return tuple(swept.plan.study.parameter(over.name) for over in swept.plan.over)


def _drawn(swept: Swept, chosen: Column, axes: list[Axis]) -> tuple[list[Layer], Axis]:
    """What is drawn, and the y axis on which it is."""
    columns = [Column(each.quantity) for each in swept_parameters(swept)]
    if len(columns) == 2:
        return [Map(columns[0], columns[1], chosen)], axes[1]
    layers: list[Layer] = []
    found = [column for column in swept.columns if column.quantity == chosen.quantity]
    for column in found:
        low, high = (next((each for each in swept.table if each.quantity.key == f"{column.quantity.key}_{end}"
                           and each.series == column.series), None) for end in ("low", "high"))
        few = swept.plan.total <= FEW
        if low and high:
            layers.append(Dots(columns[0], column, low, high) if few else Band(columns[0], low, high))
        if not (low and high and few):
            layers.append(Line(columns[0], column))
    values = np.concatenate([swept.table[column] for column in found])
    known = shading(values, chosen.quantity)
    return layers, Axis(chosen.quantity, known.scale, floor=known.low if known.scale == "log" else 1e-12)


def _values(swept: Swept) -> list[Array]:
    return [np.array(over.values, dtype=np.float64) for over in swept.plan.over]


def _axis(declared: Parameter, values: Array) -> Axis:
    """An axis from the first value to the last, logarithmic where their steps are more nearly ratios."""
    low, high = float(values.min()), float(values.max())
    scale: Scale = "log" if low > 0 and _ratios(values, declared.quantity) else "linear"
    return Axis(declared.quantity, scale, low, high, floor=low if scale == "log" else 1e-12)


def _ratios(values: Array, quantity: Quantity) -> bool:
    if len(values) < 3:
        return quantity.scale == "log"
    uneven = [np.ptp(steps) / abs(steps).mean() for steps in (np.diff(values), np.diff(np.log(values)))]
    return bool(uneven[1] < uneven[0])
