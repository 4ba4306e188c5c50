"""What a figure shows of an update: which of its layers have numbers, and where its axes begin and end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from dpstudio.core.answer import Update
from dpstudio.core.declare import Array
from dpstudio.core.figure import Axis, Band, Bars, Dots, Figure, Layer, Level, Line, Mark, Region
from dpstudio.core.results import Column, Series, Window, stated, told
from dpstudio.core.study import Study
from dpstudio.scene.axes import lowest, on_axis, place, resolved, y_range
from dpstudio.scene.coincidence import Points, coincident
from dpstudio.text.numbers import powered
from dpstudio.vocabulary import Quantity, named

A = TypeVar("A", bound=Layer)


@dataclass(frozen=True, slots=True)
class Marked:
    """A mark or a level where it lies, with what it says."""

    mark: Mark | Level
    at: float
    label: str

    @property
    def series(self) -> Series | None:
        return self.mark.series if isinstance(self.mark, Level) else None


class Content:
    """One figure of one update, as positions on its axes; raises KeyError where its table is not computed yet."""

    def __init__(self, study: Study, update: Update, figure: Figure, hidden: frozenset[str] = frozenset()) -> None:
        self.study, self.update, self.figure, self.hidden = study, update, figure, hidden
        self.table = update.tables[figure.table]
        self.lines = [line for line in self._of(Line) if self._has(line.y, line.x)]
        self.bands = [band for band in self._of(Band) if self._has(band.low, band.high, band.x)]
        self.dots = [dots for dots in self._of(Dots) if self._has(dots.y, dots.x)]
        self.levels = [(level, at) for level in self._of(Level) if self._shown(level.series, level.quantity)
                       and math.isfinite(at := self._fact(level.quantity, level.series, self._axis(level.axis)))]
        self.regions = [(region, ends) for region in self._of(Region) if self._shown(region.series, region.low)
                        and not any(map(math.isnan, ends := self._stretch(region)))]
        marks = [self._marked(mark) for mark in self._of(Mark) if mark.applies(study.values())]
        self.x = self._x_range()
        marked = (np.array([each.at]) for each in marks if each.mark.axis == "y")
        self.y = y_range([*self._heights(), *marked], resolved(figure.y, study.values()))
        self.marks = [each for each in marks if inside(each.at, self.x if each.mark.axis == "x" else self.y)]
        named = [*marks, *(self._named(level, at) for level, at in self.levels)]
        self.labels = [each for each in named if math.isfinite(each.at)]
        """What says its value: a line that lies beyond an end of its axis says on which side."""

    @property
    def blank(self) -> bool:
        """Whether no curve, hidden or not, has a point that can be drawn."""
        least = lowest(self.figure.y)
        columns = [layer.y for layer in self.figure.layers if isinstance(layer, Line | Dots) and layer.y in self.table]
        return not any((np.isfinite(up := self.up(column)) & (up >= least)).any() for column in columns)

    def across(self, column: Column) -> Array:
        return on_axis(self.table[column], self.figure.x)

    def up(self, column: Column) -> Array:
        return on_axis(self.table[column], self.figure.y)

    def coincident(self, height: float) -> dict[str, str]:
        """Keys of curves that lie on those of an earlier key all along, where the y axis is so many points high."""
        curves: dict[str, list[Points]] = {}
        for line in self.lines:
            if not isinstance(line, Bars):
                points = self.across(line.x), self.up(line.y)
                curves.setdefault((line.y.series or line.y).key, []).append(points)
        return coincident(curves, self.x, self.y, height)

    def _of(self, kind: type[A]) -> Iterator[A]:
        return (layer for layer in self.figure.layers if isinstance(layer, kind))

    def _has(self, *columns: Column) -> bool:
        """Whether the table has the columns, and the series of the first is not hidden."""
        return self._shown(columns[0].series, columns[0]) and all(column in self.table for column in columns)

    def _shown(self, series: Series | None, otherwise: Column | Quantity) -> bool:
        return (series or otherwise).key not in self.hidden

    def _axis(self, name: str) -> Axis:
        return self.figure.x if name == "x" else self.figure.y

    def _fact(self, quantity: Quantity, series: Series | None, axis: Axis) -> float:
        fact = self.update.fact(quantity, series)
        return place(fact.value, axis) if fact else math.nan

    def _stretch(self, region: Region) -> Window:
        low, high = (self._fact(end, region.series, self.figure.x) for end in (region.low, region.high))
        return low, high

    def _marked(self, mark: Mark) -> Marked:
        value = float(self.study.values()[mark.parameter]) * mark.factor
        quantity = self.study.parameter(mark.parameter).quantity
        label = powered(named(value, quantity, "−" if mark.factor < 0 else ""))
        return Marked(mark, place(value, self._axis(mark.axis)), label)

    def _named(self, level: Level, at: float) -> Marked:
        """A level with its value; on the axis of its own quantity, and in the colour of its series, that says all."""
        fact = self.update.fact(level.quantity, level.series)
        if fact is None:
            raise KeyError(level.quantity.key)
        return Marked(level, at, powered(stated(fact) if level.series and level.axis == "y" else told(fact)))

    def _x_range(self) -> Window:
        """What the study says is worth seeing, as far as there are numbers for it."""
        axis = self.figure.x
        drawn = [self.table[x] for x, _ in self._drawn()]
        drawn += [self.table[bars.x] + side for bars in self._of(Bars) if bars in self.lines for side in (-0.5, 0.5)]
        finite = [values[np.isfinite(values)] for values in drawn]
        ends = [float(end(values)) for values in finite if values.size for end in (np.min, np.max)]
        first, last = min(ends, default=0.0), max(ends, default=1.0)
        natural = self.update.windows.get(self.figure.table, (first, last))
        low = place(max(first, natural[0]) if axis.low is None else axis.low, axis)
        high = place(min(last, natural[1]) if axis.high is None else axis.high, axis)
        return (low, high) if low < high else (low - 0.5, low + 0.5)

    def _heights(self) -> Iterator[Array]:
        """All that the y axis must hold within the stretch of x that is shown."""
        for x, columns in self._drawn():
            across = self.across(x)
            seen = (across >= self.x[0]) & (across <= self.x[1])
            yield from (self.up(column)[seen] for column in columns if column and column in self.table)
        yield from (np.array([at]) for level, at in self.levels if level.axis == "y")
        yield from (np.array([place(0.0, self.figure.y)]) for line in self.lines if isinstance(line, Bars))

    def _drawn(self) -> Iterator[tuple[Column, tuple[Column | None, ...]]]:
        """The column of x of every layer, and those of y."""
        yield from ((line.x, (line.y,)) for line in self.lines)
        yield from ((band.x, (band.low, band.high)) for band in self.bands)
        yield from ((dots.x, (dots.y, dots.low, dots.high)) for dots in self.dots)


def inside(at: float, window: Window) -> bool:
    return window[0] <= at <= window[1]
