"""A figure resolved: what is drawn of an answer, as positions on the axes, with its looks, words and ranges.

The window and print draw the same scene; what depends on pixels or points alone (ticks, places of words) stays with
who draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, InvalidParameter, Parameter
from dpstudio.core.figure import Axis, Band, Bars, Dots, Figure, Guesses, Level, Line, Map, Mark, Region
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Column, Fact, Series, Span, Table, side_of
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.update import Update
from dpstudio.records import dataclass
from dpstudio.scene.axes import lowest, on_axis, place, resolved, y_range
from dpstudio.scene.coincidence import coincident
from dpstudio.scene.frame import Points
from dpstudio.scene.maps import grid, isolines
from dpstudio.scene.notes import Note, NoteText, notes_of
from dpstudio.scene.palette import NEUTRAL, Style, style
from dpstudio.scene.published import PublishedMark, published
from dpstudio.scene.straights import Straight, axis_of, levelled, present
from dpstudio.text.language import tr
from dpstudio.text.numbers import Side
from dpstudio.vocabulary import COMPLEMENTS, Interval, Quantity, Value


class Pictured(Protocol):
    """What a scene needs of an update."""

    @property
    def tables(self) -> Mapping[str, Table]: ...
    @property
    def windows(self) -> Mapping[str, Span]: ...
    @property
    def promises(self) -> tuple[Guarantee, ...]: ...
    def fact(self, quantity: Quantity, series: Series | None = None, /) -> Fact | None: ...


DrawnLayer: TypeAlias = Line | Band | Dots | Map | Guesses | Region | Level
Hidden: TypeAlias = frozenset[str]
EMPTY: Array = np.empty(0)
NEAREST, NARROWEST = 1e-12, 1e-300
"""Parts of a position, and positions, that still can be told apart where they are drawn."""
ARRAYS: Mapping[type, int] = {Line: 2, Bars: 3, Band: 3, Dots: 4, Map: 3, Guesses: 1, Region: 1, Level: 1}
"""How many arrays a part of each kind of layer has."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """An answer kept as a faint reference, named by what differs from the present one: “ε = 0.1”."""

    title: str
    update: Update
    only: str | None = None
    """The key of the one series that is shown of it; all are, where there is none."""

    def keeps(self, part: Part) -> bool:
        """Whether a curve is shown."""
        series = series_of(part.layer)
        return self.only is None or (series is not None and series.key == self.only)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A layer of the figure with its positions on the axes.

    arrays: of a line x and y; of bars left edges, heights and right edges; of a band x, low and high; of dots x, y, low
    and high (NaN where there is no interval); of a map x, y and the values, a row for each y, in ascending order; of
    people how many guesses there are, are right without a release and are with it, in one array; of a region its two
    ends and of a level its value, in one array. They are empty where the answer lacks them.
    """

    layer: DrawnLayer
    style: Style
    arrays: tuple[Array, ...]
    present: bool
    shown: bool
    """Whether it is present and nobody hid it."""
    pin: int | None = None
    """Of a pinned answer, which: such a part is faint."""
    refused: bool = False
    """Whether it is of what does not keep the study's ε and δ: such a part is fainter than others."""
    decided: bool = False
    """Whether it is of what a person decided for: such a curve is stronger than others."""

    @property
    def key(self) -> str:
        return key_of(self.layer)

    @property
    def thin(self) -> bool:
        return isinstance(self.layer, Line) and self.layer.role == "other"

    @property
    def points(self) -> Points:
        return self.arrays[0], self.arrays[1]


@dataclass(frozen=True, slots=True)
class Reading:
    """The value of one curve at the sample nearest to where was asked, or of a map in the cell."""

    part: Part
    label: str
    quantity: Quantity
    x: float
    value: float
    side: Side = "nearest"
    """To which side the value is rounded: a curve of bounds is read as bounds."""
    lack: float | None = None
    """What a probability lacks to 1, where the table has it."""
    y: float | None = None
    """Of a map, where up its axis the cell lies."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One picture. `parts` follow the figure's layers without its marks; `pinned` are the lines of every pin, and
    `isolines` those of equal value of its maps."""

    figure: Figure
    update: Pictured
    x: Span
    """What of the x axis is shown, as positions."""
    y: Span
    parts: tuple[Part, ...]
    pinned: tuple[Part, ...]
    pins: tuple[Pinned, ...]
    isolines: tuple[Part, ...]
    straights: tuple[Straight, ...]
    """Marks, then levels: what words need."""
    told: str
    """The words of the picture: its caption and what it shows at these settings, where that is known."""
    blank: bool
    """Whether no curve, hidden or not, has a point that can be drawn, and none is under way: the figure's `empty` says
    why."""
    notes: tuple[Note, ...] = ()
    """What a person wrote on it, with and without a point."""
    published: tuple[PublishedMark, ...] = ()
    """The ε of deployments that lie in view, from left to right, where they are asked for."""
    x_names: tuple[str, ...] = ()
    """What 1, 2, 3 … on the x axis are called."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """By the key of each series that does not keep the study's ε and δ, what it spends: “spends δ = 0.0952”."""
    table: Table | None = None
    """What the parts are drawn from; None where it was not there."""

    def named(self, part: Part, label: str) -> str:
        """What names a part: its label, and what it spends where that is not allowed."""
        return f"{label} {self.refused[part.key]}" if part.refused else label

    def shown(self, kind: type) -> list[Part]:
        """The parts of one kind of layer that are seen; bars are lines, too."""
        return [part for part in self.parts if part.shown and isinstance(part.layer, kind)]

    def standing(self, dots: Dots) -> tuple[Span, ...]:
        """The values of x and y of some dots, each once."""
        table = self.table
        if table is None or not {dots.x, dots.y} <= table.keys():
            return ()
        return tuple(dict.fromkeys(zip(table[dots.x].tolist(), table[dots.y].tolist(), strict=True)))

    def coincident(self, x: Span, y: Span, height: float) -> dict[str, str]:
        """Keys of shown curves that lie on those of an earlier key throughout a view whose y spans so many pixels."""
        found: dict[str, str] = {}
        for refused in (False, True):  # what is allowed is never named by what is not
            curves: dict[str, list[Points]] = {}
            for part in self.shown(Line):
                if part.refused is refused and not isinstance(part.layer, Bars):
                    curves.setdefault(part.key, []).append(part.points)
            found |= coincident(curves, x, y, height)
        return found

    def readings(self, x: float, y: float = math.nan) -> list[Reading]:
        """Every shown curve at the sample nearest to x, and every map at the cell nearest to x and y: computed numbers,
        never ones made up between them."""
        table, found = self.table, []
        with hurried():  # whoever points at a curve does not wait
            bounds = {column: side_of(_fact(self.update, column.quantity, column.series))
                      for part in self.parts if part.shown and (column := _read(part.layer))}
        for part in self.shown(Map) if table is not None and table.rows and not math.isnan(y) else ():
            assert isinstance(part.layer, Map)
            assert table is not None
            value = part.layer.value
            across, up = grid(table[part.layer.x], table[part.layer.y])
            i, j = nearest(across, x, self.figure.x), nearest(up, y, self.figure.y)
            found.append(Reading(part, map_label(part.layer), value.quantity, float(across[i]),
                                 float(table[value][i * len(up) + j]), bounds[value], y=float(up[j])))
        for part in self.shown(Line) if table is not None and table.rows else ():
            line = part.layer
            assert isinstance(line, Line)
            assert table is not None
            samples = table[line.x]
            i = nearest(samples, x, self.figure.x)
            quantity, series = line.y.quantity, line.y.series
            other = Column(complement, series) if (complement := COMPLEMENTS.get(quantity)) else None
            found.append(Reading(part, label_of(line), quantity, float(samples[i]), float(table[line.y][i]),
                                 bounds[line.y],
                                 float(table[other][i]) if other and other in table else None))
        return found


def nearest(samples: Array, value: float, axis: Axis) -> int:
    """Which of some values lies nearest to another, as the axis shows them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log = axis.scale == "log" and value > 0
        return int(np.nanargmin(np.abs(np.log(samples / value)) if log else np.abs(samples - value)))


def _read(layer: DrawnLayer) -> Column | None:
    """The column of a layer that is read at the pointer."""
    return layer.y if isinstance(layer, Line) else layer.value if isinstance(layer, Map) else None


def series_of(layer: DrawnLayer) -> Series | None:
    """The series in whose look a layer is drawn."""
    match layer:
        case Region() | Level():
            return layer.series
        case Band():
            return layer.low.series
        case Map():
            return layer.value.series
        case Guesses():
            return layer.right.series
        case _:
            return layer.y.series


def key_of(layer: DrawnLayer) -> str:
    """What hides and shows a layer: its series, or its own column where it has none."""
    if series := series_of(layer):
        return series.key
    match layer:
        case Region() | Band():
            return layer.low.key
        case Level():
            return layer.quantity.key
        case Map():
            return layer.value.key
        case Guesses():
            return layer.right.key
        case _:
            return layer.y.key


def label_of(line: Line) -> str:
    """What the legend calls a line."""
    return tr(line.label or (line.y.series.label if line.y.series else line.y.quantity.label))


def map_label(layer: Map) -> str:
    """What the values of a map are called, and whose they are."""
    whose = f", {tr(layer.value.series.label)}" if layer.value.series else ""
    return tr(layer.value.quantity.label) + whose


def resolve(figure: Figure, update: Pictured, values: Mapping[str, Value], parameters: Mapping[str, Parameter], *,
            view: Span | None = None, hidden: Hidden = frozenset(), pins: Sequence[Pinned] = (),
            before: Scene | None = None, with_published: bool = False, notes: Sequence[NoteText] = ()) -> Scene:
    """The picture of an answer at the study's values, in a chosen view of x or in its natural one.

    Of the `notes` those of this figure are on it. `before` is what was drawn before: of the same answer its lines of
    equal value serve on. `with_published` marks the ε of deployments on an x axis that is one, where they are alike.
    """
    table, refused, decided = _table(update, figure.table), _refused(update), _decided(update)
    parts = tuple(replace(part, refused=True, shown=part.shown and not _stands(part.layer)) if part.key in refused else
                  replace(part, decided=True) if part.key == decided else part
                  for part in _parts(figure, figure.layers, table, hidden, lambda *of: _fact(update, *of)))
    lines = tuple(layer for layer in figure.layers if isinstance(layer, Line))
    pinned = tuple(replace(part, pin=i, shown=part.shown and pin.keeps(part)) for i, pin in enumerate(pins)
                   for part in _parts(figure, lines, _table(pin.update, figure.table), hidden, lambda *_: None))
    marks = [present(figure, layer, values, parameters[layer.parameter]) for layer in figure.layers
             if isinstance(layer, Mark) and layer.parameter in parameters and layer.parameter in values]
    levels = [levelled(layer, _fact(update, layer.quantity, layer.series) if part.shown else None, part.arrays[0],
                       part.style) for part in parts if isinstance(layer := part.layer, Level)]
    x = _x_range(figure.x, view or update.windows.get(figure.table))
    straight = [np.array([each.at]) for each in marks if each.layer.axis == "y"]
    y = y_range([*_heights(figure, (*parts, *pinned), x), *straight], resolved(figure.y, values))
    least = lowest(figure.y)
    heights = (part.arrays[1] for part in parts if isinstance(part.layer, Line | Band | Dots))
    under_way = isinstance(update, Update) and update.answer.slow(figure.table, update.views.get(figure.table))
    blank = not (under_way or any((np.isfinite(up) & (up >= least)).any() for up in heights)
                 or any(not np.isnan(part.arrays[2]).all() for part in parts if isinstance(part.layer, Map))
                 or any(part.present for part in parts if isinstance(part.layer, Guesses)))
    same = before is not None and before.update is update and before.figure is figure
    equal = before.isolines if before and same else tuple(_isolines(parts))
    equal = tuple(line for line in equal if line.key not in hidden)
    shown = figure.told(update.answer) if figure.told and isinstance(update, Update) else ""
    return Scene(figure, update, x, y, parts, pinned, tuple(pins), equal, (*marks, *levels),
                 " ".join(filter(None, (tr(figure.caption), shown))), blank, notes_of(figure, notes),
                 published(figure, x, update) if with_published else (), _x_names(figure, update), refused, table)


def _x_names(figure: Figure, update: Pictured) -> tuple[str, ...]:
    return tuple(figure.named(update.answer)) if figure.named and isinstance(update, Update) else ()


def _refused(update: Pictured) -> Mapping[str, str]:
    """What of the things that may be decided for does not keep the study's ε and δ, by key: what it spends."""
    return update.answer.refused if isinstance(update, Update) else {}


def _decided(update: Pictured) -> str:
    """The key of what a person decided for; empty where nobody did."""
    decided = update.answer.decided if isinstance(update, Update) else None
    return decided.key if decided else ""


def _stands(layer: DrawnLayer) -> bool:
    """Whether a layer says where something stands on a frontier: only what is allowed competes."""
    return isinstance(layer, Dots) and layer.says != "series"


def _table(update: Pictured, name: str) -> Table | None:
    """A table; None where it waits for draws, or takes longer than anybody waits."""
    with suppress(NotYet):
        return update.tables.get(name)
    return None


def _fact(update: Pictured, quantity: Quantity, series: Series | None) -> Fact | None:
    """A fact; None where it takes longer than anybody waits, or no answer of the study has it, as some columns'."""
    with suppress(NotYet, InvalidParameter):
        return update.fact(quantity, series)
    return None


def _parts(figure: Figure, layers: Sequence[object], table: Table | None, hidden: Hidden,
           fact: Callable[[Quantity, Series | None], Fact | None]) -> Iterator[Part]:
    """The layers with their positions; columns that several share are put on the axis once."""
    placed: dict[int, Array] = {}

    def across(column: Column) -> Array:
        values = table[column]  # type: ignore[index]  # who asks has looked
        return placed.setdefault(id(values), on_axis(values, figure.x))

    for layer in layers:
        if not isinstance(layer, DrawnLayer):
            continue
        arrays = _arrays(figure, layer, table, across, fact)
        series = series_of(layer)
        look = NEUTRAL if isinstance(layer, Map) else style(series, figure.compared)
        yield Part(layer, look, arrays or (EMPTY,) * ARRAYS[type(layer)], arrays is not None,
                   arrays is not None and key_of(layer) not in hidden)


def _isolines(parts: Sequence[Part]) -> Iterator[Part]:
    """The lines of equal value of every map, each with its value as its name."""
    for part in parts:
        if isinstance(layer := part.layer, Map):
            for words, *points in isolines(part.arrays, layer.value.quantity):
                line = Line(layer.x, layer.value, label=words, named=True)
                yield Part(line, NEUTRAL, tuple(points), part.present, part.present)


def _arrays(figure: Figure, layer: DrawnLayer, table: Table | None, across: Callable[[Column], Array],
            fact: Callable[[Quantity, Series | None], Fact | None]) -> tuple[Array, ...] | None:
    """A layer's positions on the axes, or None where the answer lacks them."""
    match layer:
        case Region():
            ends = [fact(quantity, layer.series) for quantity in (layer.low, layer.high)]
            found = np.array([place(end.value, figure.x) for end in ends if end])
            return (found,) if len(found) == 2 and not np.isnan(found).any() else None
        case Level():
            one = fact(layer.quantity, layer.series)
            return (np.array([place(one.value, axis_of(figure, layer))]),) if one else None
        case Guesses():
            counts = [table[column] for column in (layer.guesses, layer.without, layer.right)
                      if table is not None and column in table]
            return (np.concatenate([each[:1] for each in counts]),) if len(counts) == 3 else None
        case Band():
            wanted = [layer.low, layer.high]
        case Dots():
            wanted = [each for each in (layer.y, layer.low, layer.high) if each]
        case Map():
            wanted = [layer.y, layer.value]
        case _:
            wanted = [layer.y]
    if table is None or any(column not in table for column in (layer.x, *wanted)):
        return None
    if isinstance(layer, Map):
        centres = grid(table[layer.x], table[layer.y])
        x, y = on_axis(centres[0], figure.x), on_axis(centres[1], figure.y)
        i, j = np.argsort(x), np.argsort(y)
        return x[i], y[j], table[layer.value].reshape(len(x), len(y)).T[np.ix_(j, i)]
    up = [on_axis(table[column], figure.y) for column in wanted if column]
    if isinstance(layer, Bars):
        left, right = figure.bar_edges(layer, table[layer.x])
        return left, up[0], right
    if isinstance(layer, Dots):
        nothing = [np.full(len(up[0]), np.nan)] * (3 - len(up))
        return _once(figure.dots_across(layer, across(layer.x)), *up, *nothing)
    return across(layer.x), *up


def _once(*dots: Array) -> tuple[Array, ...]:
    """Points with their intervals; one that stands in every row of its table is one dot."""
    alike = len(dots[0]) > 1 and all((each == each[0]).all() or np.isnan(each).all() for each in dots)
    return tuple(each[:1] for each in dots) if alike else dots


def _x_range(axis: Axis, window: Span | None) -> Span:
    """The window as positions on its axis, as far as its quantity can be there."""
    low, high = window or (axis.low or 0.0, axis.high or 1.0)
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, 1.0
    if isinstance(domain := axis.quantity.domain, Interval):
        low, high = max(domain.low, min(low, domain.high)), max(domain.low, min(high, domain.high))
    low, high = place(low, axis), place(high, axis)
    large = max(abs(low), abs(high))
    if high - low > max(NARROWEST, NEAREST * large):
        return low, high
    return low - max(0.5, NEAREST * large), low + max(0.5, NEAREST * large)


def _heights(figure: Figure, parts: Sequence[Part], x: Span) -> Iterator[Array]:
    """All that the y axis must hold within the stretch of x that is shown; of what lies beside it alone, all."""
    inside: dict[int, npt.NDArray[np.bool_] | None] = {}

    def seen(across: Array, up: Array) -> Array:
        if id(across) not in inside:
            within = (across >= x[0]) & (across <= x[1])
            inside[id(across)] = None if within.all() or not within.any() else within
        kept = inside[id(across)]
        return up if kept is None else up[kept]

    for part in parts:
        layer = part.layer
        if not part.shown or isinstance(layer, Region | Guesses):
            continue
        if isinstance(layer, Level):
            if layer.axis == "y":
                yield part.arrays[0]
        elif isinstance(layer, Bars):
            yield from (seen(*part.points), np.array([place(0.0, figure.y)]))
        elif isinstance(layer, Map):
            yield part.arrays[1]
        else:
            yield from (seen(part.arrays[0], up) for up in part.arrays[1:])


def lone(finite: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which points have a value and no neighbour with one, so that no line shows them."""
    if finite.all() and len(finite) != 1:
        return np.zeros(len(finite), dtype=np.bool_)
    padded = np.pad(finite, 1)
    return np.asarray(finite & ~padded[:-2] & ~padded[2:])
