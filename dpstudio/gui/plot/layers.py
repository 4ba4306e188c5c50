"""A figure's layers as items: made once for a figure, then fed with every update."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from dpstudio.core.answer import Update, at_hand
from dpstudio.core.declare import Array
from dpstudio.core.figure import Band, Bars, Dots, Figure, Level, Line, Region
from dpstudio.core.results import Column, Fact, Series, Table
from dpstudio.gui.plot.bars import BarsItem
from dpstudio.gui.plot.frame import Frame
from dpstudio.gui.plot.items import BandItem, CurveItem, DataLayer, DotsItem, LevelItem, RegionItem
from dpstudio.gui.plot.reading import line_key, lines_of
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.axes import lowest, on_axis, place
from dpstudio.scene.coincidence import Points, coincident
from dpstudio.scene.palette import Style, style

Drawn = Line | Band | Dots | Region | Level
EMPTY: Array = np.empty(0)


def series_of(layer: Drawn) -> Series | None:
    match layer:
        case Region() | Level():
            return layer.series
        case Band():
            return layer.low.series
        case _:
            return layer.y.series


def key_of(layer: Drawn) -> str:
    """What hides this layer: a key of the legend."""
    if isinstance(layer, Line):
        return line_key(layer)
    series = series_of(layer)
    return series.key if series else ""


class Layers:
    """The items of one figure, in its order, and what they show."""

    def __init__(self, figure: Figure, theme: Theme) -> None:
        self.figure = figure
        turns = {key: turn for turn, key in enumerate(dict.fromkeys(line_key(line) for line in lines_of(figure)))}
        regions = [layer for layer in figure.layers if isinstance(layer, Region)]
        self.items: list[tuple[Drawn, DataLayer]] = []
        self.pins: list[tuple[Line, CurveItem | BarsItem]] = []
        for layer in figure.layers:
            if not isinstance(layer, Drawn):
                continue
            series = series_of(layer)
            look = style(series.key if series else None)
            match layer:
                case Line():
                    turn = turns[line_key(layer)]
                    self.items.append((layer, self._made(layer, theme, look, turn)))
                    self.pins.append((layer, self._made(layer, theme, look, turn, faint=True)))
                case Band():
                    self.items.append((layer, BandItem(theme, look)))
                case Dots():
                    self.items.append((layer, DotsItem(theme, look)))
                case Level():
                    self.items.append((layer, LevelItem(theme, look, layer.axis)))
                case Region():
                    self.items.append((layer, RegionItem(theme, look, regions.index(layer))))
        self.present: frozenset[str] = frozenset()
        """Keys of the lines whose columns the last update had."""
        self.blank = False
        """Whether it had no curve that could be drawn, hidden or not."""

    def _made(self, line: Line, theme: Theme, look: Style, turn: int, *, faint: bool = False) -> CurveItem | BarsItem:
        if isinstance(line, Bars):
            return BarsItem(theme, look, place(0.0, self.figure.y), faint=faint)
        return CurveItem(theme, look, thin=line.role == "other", faint=faint, turn=turn)

    def __iter__(self) -> Iterator[DataLayer]:
        yield from (item for _, item in self.items)
        yield from (item for _, item in self.pins)

    @property
    def region_rows(self) -> int:
        return sum(isinstance(layer, Region) for layer, _ in self.items)

    def show(self, update: Update, hidden: frozenset[str]) -> None:
        """Give every item its arrays; what this update does not have is not shown."""
        table = at_hand(update, self.figure.table)
        facts = {(quantity.key, series): fact for quantity, series in self.figure.facts()
                 if (fact := update.fact(quantity, series))}
        present = set()
        for layer, item in self.items:
            arrays = self._arrays(layer, table, facts)
            if arrays is not None and isinstance(layer, Line):
                present.add(line_key(layer))
            item.set_arrays(*(arrays or (EMPTY,) * len(item.arrays)))
            item.setVisible(arrays is not None and key_of(layer) not in hidden)
        self.present = frozenset(present)
        heights = [item.arrays[1] for layer, item in self.items if isinstance(layer, Line | Band | Dots)]
        self.blank = not any((np.isfinite(up) & (up >= lowest(self.figure.y))).any() for up in heights)

    def pin(self, update: Update | None, hidden: frozenset[str]) -> None:
        """Show the curves of another update faintly, or none."""
        table = at_hand(update, self.figure.table) if update else None
        for line, item in self.pins:
            arrays = self._arrays(line, table, {})
            item.set_arrays(*(arrays or (EMPTY,) * len(item.arrays)))
            item.setVisible(arrays is not None and key_of(line) not in hidden)

    def _arrays(self, layer: Drawn, table: Table | None,
                facts: Mapping[tuple[str, Series | None], Fact]) -> tuple[Array, ...] | None:
        """A layer's positions on the axes, or None where the update lacks them."""
        figure = self.figure

        def columns(*wanted: Column) -> list[Array] | None:
            return [table[one] for one in wanted] if table is not None and all(one in table for one in wanted) else None

        match layer:
            case Region():
                ends = [facts.get((quantity.key, layer.series)) for quantity in (layer.low, layer.high)]
                return (np.array([place(end.value, figure.x) for end in ends if end]),) if all(ends) else None
            case Level():
                fact = facts.get((layer.quantity.key, layer.series))
                axis = figure.x if layer.axis == "x" else figure.y
                return (np.array([place(fact.value, axis)]),) if fact else None
            case Dots():
                found = columns(layer.x, layer.y, *(end for end in (layer.low, layer.high) if end))
                if found is None:
                    return None
                if len(found) < 4:
                    found = [*found[:2], *[np.full(len(found[0]), np.nan)] * 2]
                return (figure.dots_across(layer, on_axis(found[0], figure.x)),
                        *(on_axis(one, figure.y) for one in found[1:]))
            case Band():
                found = columns(layer.x, layer.low, layer.high)
            case Bars():
                found = columns(layer.x, layer.y)
                if found is None:
                    return None
                left, right = figure.bar_edges(layer, found[0])
                return left, on_axis(found[1], figure.y), right
            case _:
                found = columns(layer.x, layer.y)
        if found is None:
            return None
        return on_axis(found[0], figure.x), *(on_axis(one, figure.y) for one in found[1:])

    def coincident(self, frame: Frame) -> dict[str, str]:
        """Keys of shown curves that lie on those of an earlier key throughout the view."""
        curves: dict[str, list[Points]] = {}
        for layer, item in self.items:
            if isinstance(item, CurveItem) and isinstance(layer, Line) and item.isVisible():
                curves.setdefault(line_key(layer), []).append((item.arrays[0], item.arrays[1]))
        return coincident(curves, frame.x, frame.y, frame.floor - frame.top)

    def curves(self) -> Iterator[tuple[Array, Array]]:
        """The points of the curves that are shown."""
        for _, item in self.items:
            if isinstance(item, CurveItem) and item.isVisible():
                yield item.arrays[0], item.arrays[1]

    def heights(self) -> Iterator[Array]:
        """The y positions that the picture's range should hold."""
        for layer, item in self.items:
            upright = isinstance(layer, Region) or (isinstance(layer, Level) and layer.axis == "x")
            if isinstance(item, BarsItem):
                yield from self._bar_heights(item)
            elif item.isVisible() and not upright:
                yield from item.arrays[1:] if len(item.arrays) > 1 else item.arrays
        for _, item in self.pins:
            if isinstance(item, BarsItem):
                yield from self._bar_heights(item)
            elif item.isVisible():
                yield item.arrays[1]

    @staticmethod
    def _bar_heights(item: BarsItem) -> Iterator[Array]:
        if item.isVisible():
            yield from (item.arrays[1], np.array([item.base]))

    def extent(self) -> tuple[float, float] | None:
        """The x positions of the data, or None without any."""
        ends = [(float(item.arrays[0].min()), float(item.arrays[-1 if isinstance(layer, Bars) else 0].max()))
                for layer, item in self.items
                if isinstance(layer, Line | Band | Dots) and item.arrays[0].size]
        return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None
