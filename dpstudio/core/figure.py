"""A picture as data: which columns are lines, bands, dots and maps, which marks a hand may move.

A figure is declared once, by the study. The window paints it with one class and print with another; tests read it.
Figures over the same table share its first column as x, so zooming one zooms all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.records import dataclass
from dpstudio.vocabulary import Quantity, Scale, Value

BARS_FILL = 0.8
"""Share of the way from one whole number to the next that bars take up."""


@dataclass(frozen=True, slots=True, eq=False)
class Each(Series):
    """In a layer: everything that the study compares, one layer for each."""

    but: tuple[Series, ...] = ()
    """What is left out."""


EACH = Each("each", "each")


def each_but(*series: Series) -> Each:
    """Everything that the study compares but these."""
    return Each("each", "each", but=series)


Role: TypeAlias = Literal["curve", "other"]


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis; without ends it follows the data.

    On a log axis, values below `floor` (zero among them) lie under the picture's edge. With `per` the ends are
    multiples of that parameter's value, so that a picture of losses against ε stays one when ε changes.
    """

    quantity: Quantity
    scale: Scale = "linear"
    low: float | None = None
    high: float | None = None
    floor: float = 1e-12
    per: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A curve through the points of two columns; an infinite value is shown as an arrow at the edge."""

    x: Column
    y: Column
    role: Role = "curve"
    """`other` is the second curve of a series (its rejections beside its acceptances), drawn thinner."""
    label: str = ""
    """What the legend says, where the series' own label is not enough."""
    named: bool = field(default=False, kw_only=True)
    """Whether the label stands on the line too, as on a map's lines of equal value."""


def lines(x: Column, y: Quantity, series: Iterable[Series] = (EACH,), role: Role = "curve", *,
          thin: Quantity | None = None) -> tuple[Line, ...]:
    """A curve of one quantity for each of some series, and thinner ones of another, if there is one."""
    series = tuple(series)
    thick = tuple(Line(x, Column(y, one), role) for one in series)
    return thick if thin is None else thick + lines(x, thin, series, "other")


@dataclass(frozen=True, slots=True)
class Bars(Line):
    """A line's points as bars from zero, or on a log axis from its edge.

    x counts in whole numbers; the bars of several layers stand side by side around each, in the layers' order.
    """


@dataclass(frozen=True, slots=True)
class Band:
    """The area between two columns."""

    x: Column
    low: Column
    high: Column


@dataclass(frozen=True, slots=True)
class Dots:
    """Points with their intervals."""

    x: Column
    y: Column
    low: Column | None = None
    high: Column | None = None
    on: Bars | None = field(default=None, kw_only=True)
    """The bars that they stand on, each in the middle of its own."""
    says: Literal["series", "x", ""] = field(default="series", kw_only=True)
    """What stands beside a single dot: whose it is, its x, rounded up, or nothing."""
    moves: str = field(default="", kw_only=True)
    """The parameter of pairs that the dots are, which a hand moves."""


def band(x: Column, low: Quantity, high: Quantity, series: Series = EACH) -> Band:
    """The area between two quantities of a series."""
    return Band(x, Column(low, series), Column(high, series))


def dots(x: Column, found: Estimated, series: Series = EACH, on: Bars | None = None) -> Dots:
    """What is estimated of a series, with its interval."""
    return Dots(x, *(Column(each, series) for each in found), on=on)


@dataclass(frozen=True, slots=True)
class Map:
    """The values of a column over a full grid of two others, as colours with lines of equal value.

    The table goes through all values of y for the first of x, then for the next; NaN is a cell without a value.
    """

    x: Column
    y: Column
    value: Column


@dataclass(frozen=True, slots=True)
class Guesses:
    """So many guesses as small people: those that are right without a release, those that are with it, and the others.

    A figure of them has no axes.
    """

    guesses: Column
    without: Column
    right: Column


@dataclass(frozen=True, slots=True)
class Region:
    """The stretch of the x axis between two facts of a series."""

    low: Quantity
    high: Quantity
    series: Series


@dataclass(frozen=True, slots=True)
class Mark:
    """A straight line at the value of a parameter or, with `factor` −1, at its negative.

    `axis` is the axis the value lies on; a `draggable` one moves the parameter. With `when`, a parameter and
    values, the mark is there only while that parameter has one of them.
    """

    parameter: str
    axis: Literal["x", "y"] = "x"
    draggable: bool = False
    factor: float = 1.0
    when: tuple[str, *tuple[Value, ...]] | None = None

    def applies(self, values: Mapping[str, Value]) -> bool:
        """Whether the mark is there; also where nothing is known of the parameter it waits for."""
        if self.when is None:
            return True
        name, *words = self.when
        return values.get(str(name), words[0]) in words


@dataclass(frozen=True, slots=True)
class Level:
    """A straight line at the value of a fact."""

    quantity: Quantity
    series: Series | None = None
    axis: Literal["x", "y"] = "y"


Layer: TypeAlias = Line | Band | Dots | Map | Guesses | Region | Mark | Level


def settling(x: Column, found: Estimated, exact: Quantity, series: Iterable[Series] = (EACH,),
             known: Iterable[Series] | None = None) -> tuple[Layer, ...]:
    """What draws settle on as there are more of them, with its interval, and the exact value, where that is `known`."""
    series = tuple(series)
    return (*(band(x, found.low, found.high, one) for one in series), *lines(x, found.value, series),
            *(Level(exact, one) for one in (series if known is None else known)))


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture of one table of the study's updates."""

    key: str
    title: str
    table: str
    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    panel: str = ""
    """Figures of one panel share its place."""
    caption: str = ""
    """One sentence: what am I looking at."""
    told: Callable[[Any], str] | None = field(default=None, compare=False)
    """What an answer's picture shows, said after the caption; empty until that is known."""
    named: Callable[[Any], Sequence[str]] | None = field(default=None, compare=False)
    """What 1, 2, 3 … on the x axis are called at an answer: numbers, where nothing is said or a name is empty."""
    empty: str = "Nothing to draw at these settings"
    """What stands in place of curves where there are none, and why."""
    drawn_by: str = ""
    """The parameter that is the seed of the one draw which the picture shows: the next value draws another."""
    compared: tuple[Series, ...] = ()
    """All series of the study: what has no look of its own has one by its place among them, in every picture."""

    @property
    def place(self) -> str:
        return self.panel or self.key

    @property
    def has_axes(self) -> bool:
        """Whether places on it are values."""
        return not any(isinstance(layer, Guesses) for layer in self.layers)

    def drawn(self) -> Iterator[Series]:
        """All series of which it has a layer, as often as it has one."""
        return (one for layer in self.layers for one in _series_in(layer))

    def facts(self) -> tuple[tuple[Quantity, Series | None], ...]:
        """The facts at which its layers stand."""
        levels = [(layer.quantity, layer.series) for layer in self.layers if isinstance(layer, Level)]
        return *levels, *((end, layer.series) for layer in self.layers if isinstance(layer, Region)
                          for end in (layer.low, layer.high))

    def bar_edges(self, bars: Bars, x: Array) -> tuple[Array, Array]:
        """Where the bars of a layer begin and end, as positions on a linear axis."""
        beside = [layer for layer in self.layers if isinstance(layer, Bars)]
        width = BARS_FILL / len(beside)
        left = x - BARS_FILL / 2 + width * beside.index(bars)
        return left, left + width

    def dots_across(self, dots: Dots, x: Array) -> Array:
        """Where dots stand, as positions on the axis."""
        if dots.on is None:
            return x
        left, right = self.bar_edges(dots.on, x)
        return np.asarray((left + right) / 2)


def expanded(pictures: Iterable[Figure], compared: Sequence[Series]) -> tuple[Figure, ...]:
    """The figures of a study with a layer for everything that it compares, knowing all its series."""
    pictures = tuple(pictures)
    everything = tuple(dict.fromkeys([*compared, *(one for figure in pictures for one in figure.drawn())]))
    return tuple(replace(figure, layers=tuple(of_each(figure.layers, compared)), compared=everything)
                 for figure in pictures)


def of_each(layers: Iterable[Layer], series: Sequence[Series]) -> Iterator[Layer]:
    """Layers, with one for each of some series in the place of one of EACH."""
    for layer in layers:
        each = _each_in(layer)
        yield from [layer] if each is None else [_of(layer, one) for one in series if one not in each.but]


@cache
def _names(kind: type) -> tuple[str, ...]:
    """The fields of a layer, or of what it is made of, that may say of which series it is."""
    return tuple(part.name for part in fields(kind)
                 if any(each.__name__ in str(part.type) for each in (Series, Column, Bars)))


def _parts(layer: Any) -> dict[str, Any]:
    names = _names(type(layer))  # type: ignore[arg-type]  # mypy compares the hash of instances
    return {name: getattr(layer, name) for name in names}


def _each_in(layer: Any) -> Each | None:
    """EACH where a layer, its columns or its bars mention it."""
    for part in _parts(layer).values():
        found = part if isinstance(part, Each) else _each_in(part) if isinstance(part, Column | Bars) else None
        if found is not None:
            return found
    return None


def _series_in(layer: Any) -> Iterator[Series]:
    for part in _parts(layer).values():
        if isinstance(part, Series) and not isinstance(part, Each):
            yield part
        elif isinstance(part, Column | Bars):
            yield from _series_in(part)


def _of(layer: Any, one: Series) -> Any:
    """The layer with a series in the place of EACH, in its columns and in the bars that it stands on."""
    if isinstance(layer, Column):
        return Column(layer.quantity, one) if isinstance(layer.series, Each) else layer
    changes = {name: now for name, part in _parts(layer).items() if isinstance(part, Each | Column | Bars)
               and (now := one if isinstance(part, Each) else _of(part, one)) is not part}
    return replace(layer, **changes) if changes else layer
