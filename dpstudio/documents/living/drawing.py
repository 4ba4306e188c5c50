"""The scenes of all cells as elements of one picture: paths in whole units, labels, legends and the common axes.

The picture is a square of UNITS by UNITS, which the page stretches to the room that there is; lines keep their width.
Both axes are the same in every cell, so that nothing jumps: x shows the stretch that holds what is worth seeing in any
cell, y what the curves of all cells reach. Points are rounded to whole units, and those that lie on the line between
others are left out: here alone, never among the values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.figure import Band, Bars, Dots, Figure, Level, Line, Mark, Region
from dpstudio.core.results import Span
from dpstudio.documents.print.fonts import width
from dpstudio.records import dataclass
from dpstudio.scene.axes import Ticks, place, ticks_of
from dpstudio.scene.frame import Frame
from dpstudio.scene.legend import entries, names
from dpstudio.scene.names import place_names
from dpstudio.scene.palette import NEUTRAL, Style
from dpstudio.scene.scene import Part, Scene, lone
from dpstudio.scene.straights import Straight, pointed, row_of_labels, spread
from dpstudio.text.numbers import powered

UNITS = 10_000
EDGE = 200
"""Units above and below the ends of y that stay free, for lines and arrows that run along them."""
WITHIN = 1.0
"""Units by which a point may lie beside the line between others and is left out: a tenth of a pixel of 1 000."""
FAR = 9 * UNITS
"""Units beyond the picture at which what is further away is drawn."""
SIZE, LINE_HEIGHT = 13.0, 18.0
"""Of words on the picture, in pixels."""
WIDE, SLIM = "wide", "slim"
ROOMS: Mapping[str, float] = {WIDE: 540.0, SLIM: 250.0}
"""Pixels across, at least, of the picture on a screen and on a phone, for which labels and ticks are set apart."""
HIGH = 300.0
"""Pixels down."""
APART = 0.02
"""Parts of the width between places where arrows stand for infinite values."""
ROW = 100
"""Units of height that each region has in the strip below the curves."""


class Slot(NamedTuple):
    """One element of the picture, the same in every cell."""

    rank: int
    """The least stands furthest behind."""
    kind: str
    place: int
    """Of its part among those of a scene."""
    style: Style
    more: str = ""
    """What it is besides, in every cell."""


class Label(NamedTuple):
    """Words on the picture, and where they stand in hundredths of it from the left and from the top."""

    words: str
    kind: str
    style: Style
    left: float
    top: float


class LegendItem(NamedTuple):
    """One entry of the legend."""

    kind: str
    style: Style
    state: str
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class DrawnCell:
    """What the picture has in one cell."""

    paths: Mapping[Slot, tuple[str, str]]
    """By element its path and what it is here: “refused”, “decided” or nothing."""
    labels: tuple[Label, ...]
    legend: tuple[LegendItem, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Axes:
    """What all cells share: the ends of both axes as positions, and their ticks, of x for either room."""

    x: Span
    y: Span
    columns: Mapping[str, Ticks]
    rows: Ticks
    regions: int
    """How many rows the strip of regions has."""

    def across(self, x: Array) -> Array:
        """Units from the left edge."""
        return (x - self.x[0]) * (UNITS / (self.x[1] - self.x[0]))

    def down(self, y: Array) -> Array:
        """Units from the upper end of y, what is very far away less far."""
        with np.errstate(over="ignore"):
            return np.asarray(((self.y[1] - y) * (UNITS / (self.y[1] - self.y[0]))).clip(-FAR, FAR))

    def left(self, x: float) -> float:
        """Hundredths of the picture from its left edge."""
        return round(100 * (x - self.x[0]) / (self.x[1] - self.x[0]), 2)

    def top(self, y: float) -> float:
        """Hundredths of the picture from its top."""
        return round(100 * (EDGE + float(self.down(np.array(y)))) / (UNITS + 2 * EDGE), 2)

    @property
    def frame(self) -> Frame:
        """The picture on a screen, in pixels."""
        edge = HIGH * EDGE / (UNITS + 2 * EDGE)
        return Frame(self.x, self.y, ROOMS[WIDE], HIGH, edge, edge)


def axes_of(figure: Figure, scenes: Sequence[Scene]) -> Axes:
    """The axes of a picture that holds all of these scenes."""
    x = min(each.x[0] for each in scenes), max(each.x[1] for each in scenes)
    y = min(each.y[0] for each in scenes), max(each.y[1] for each in scenes)
    called = max((each.x_names for each in scenes), key=len)
    columns = {name: _ticks(room, lambda most: ticks_of(figure.x, *x, most, called), x) for name, room in ROOMS.items()}
    return Axes(x, y, columns, ticks_of(figure.y, *y, int(HIGH / (2.4 * SIZE))),
                max(len(each.shown(Region)) for each in scenes))


def _ticks(room: float, made: Callable[[int], Ticks], window: Span) -> Ticks:
    """As many as can be read apart in so many pixels."""
    most = max(2, int(room / (6 * SIZE)))
    while True:
        ticks = made(most)
        if most == 1 or len(ticks.major) <= 2:
            return ticks
        apart = (ticks.major[1] - ticks.major[0]) / (window[1] - window[0]) * room
        if max(width(label, SIZE) for label in ticks.labels) + SIZE <= apart:
            return ticks
        most -= 1


def drawn(axes: Axes, scene: Scene) -> DrawnCell:
    """The picture of one cell, with its names, marks and arrows."""
    scene = replace(scene, x=axes.x, y=axes.y)
    paths = {slot: (path, state) for slot, path, state in _paths(axes, scene) if path}
    labels = [*_across(axes, scene), *_upward(axes, scene), *_arrows(axes, scene)]
    wide, leaders = ROOMS[WIDE], list[str]()
    curves = [axes.frame.places(part.points) for part in scene.shown(Line)]
    for name, box, leader in place_names(names(scene, {}, curves=False), axes.frame.places, _size, axes.frame.room,
                                         curves, straights=scene.straights):
        labels.append(Label(name.words, "name", name.part.style, round(50 * (box[0] + box[2]) / wide, 2),
                            round(50 * (box[1] + box[3]) / HIGH, 2)))
        if leader is not None:
            ends = np.array(leader).reshape(2, 2) * (UNITS / wide, (UNITS + 2 * EDGE) / HIGH) - (0, EDGE)
            leaders.append(_path(ends[:, 0], ends[:, 1]))
    if leaders:
        paths[Slot(8, "leader", 0, NEUTRAL)] = "".join(leaders), ""
    legend = tuple(LegendItem(each.kind, each.style, "faint" if each.faint else "refused" if each.refused else "",
                         each.label) for each in entries(scene, scene.coincident(axes.x, axes.y, HIGH)))
    return DrawnCell(paths, tuple(labels), legend)


def _size(words: str) -> tuple[float, float]:
    return width(words, SIZE) + 4, LINE_HEIGHT


# Paths

def _paths(axes: Axes, scene: Scene) -> Iterator[tuple[Slot, str, str]]:
    """Each element with its path, from the furthest behind to the nearest."""
    for i, part in enumerate((*scene.parts, *scene.pinned)):
        if not part.shown:
            continue
        state = "decided" if part.decided else "refused" if part.refused else ""
        faint = " faint" if part.pin is not None else ""
        thin = " thin" if part.thin else ""
        match part.layer:
            case Band():
                yield Slot(1, "band", i, part.style), _area(axes, *part.arrays), state
            case Level():
                yield Slot(2, "level", i, part.style), _straight(axes, part.layer.axis, float(part.arrays[0][0])), state
            case Bars():
                base = float(axes.down(np.array(place(0.0, scene.figure.y))))
                yield Slot(3, "bars", i, part.style, faint), _bars(axes, part, base), state
            case Line():
                rank = 3 if faint else 4 if thin else 5
                x, y = axes.across(part.arrays[0]), axes.down(part.arrays[1])
                there = np.isfinite(part.arrays[0]) & np.isfinite(part.arrays[1])
                alone = lone(there)
                yield Slot(rank, "line", i, part.style, thin + faint), _path(x, y, there & ~alone), state
                yield Slot(6, "point", i, part.style, thin + faint), _points(x[alone], y[alone]), state
            case Dots():
                x, (y, low, high) = axes.across(part.arrays[0]), map(axes.down, part.arrays[1:])
                yield Slot(4, "reach", i, part.style), _reaches(x, low, high), state
                there = np.isfinite(x) & np.isfinite(y)
                yield Slot(7, "dot", i, part.style), _points(x[there], y[there]), state
    for i, each in enumerate(scene.straights):
        if isinstance(each.layer, Mark):
            yield Slot(2, "mark", i, NEUTRAL), _straight(axes, each.layer.axis, each.at), ""
    for row, part in enumerate(scene.shown(Region)):
        begin, end = axes.across(part.arrays[0]).clip(0, UNITS).tolist()
        path = f"M{round(begin)} {round((row + 0.5) * ROW)}H{round(end)}" if end > begin else ""
        yield Slot(9, "region", row, part.style), path, "refused" if part.refused else ""


def _straight(axes: Axes, axis: str, at: float) -> str:
    """A straight line across the picture, where it is in view."""
    low, high = axes.x if axis == "x" else axes.y
    if not low <= at <= high:
        return ""
    if axis == "x":
        return f"M{round(float(axes.across(np.array(at))))} {-EDGE}V{UNITS + EDGE}"
    return f"M0 {round(float(axes.down(np.array(at))))}H{UNITS}"


def _path(x: Array, y: Array, there: npt.NDArray[np.bool_] | None = None) -> str:
    """A line through points in units, broken where they are not there."""
    there = np.isfinite(x) & np.isfinite(y) if there is None else there
    return "".join(_run(x[begin:end], y[begin:end]) for begin, end in _stretches(there))


def _run(x: Array, y: Array) -> str:
    """One line without a gap: the first point, then the way from each to the next."""
    kept = simplified(x, y)
    points = np.rint(np.stack([x[kept], y[kept]], axis=1)).astype(np.int64)
    steps = np.diff(points, axis=0)
    steps = steps[steps.any(axis=1)]
    told = "".join(f"{' ' * (not first and dx >= 0)}{dx}{' ' * (dy >= 0)}{dy}"
                   for first, (dx, dy) in zip([True] + [False] * len(steps), steps.tolist(), strict=False))
    return f"M{points[0, 0]} {points[0, 1]}" + (f"l{told}" if told else "")


def simplified(x: Array, y: Array) -> npt.NDArray[np.intp]:
    """Which points of a line are kept, the ends among them, so that all others lie near to what is drawn.

    Each stretch is parted at the point furthest from the straight line between its ends (Douglas & Peucker 1973).
    """
    keep = np.zeros(len(x), dtype=np.bool_)
    keep[[0, -1]] = True
    left = [(0, len(x) - 1)]
    while left:
        a, b = left.pop()
        if b - a < 2:
            continue
        dx, dy = x[b] - x[a], y[b] - y[a]
        across, up = x[a + 1:b] - x[a], y[a + 1:b] - y[a]
        square = dx * dx + dy * dy
        along = ((across * dx + up * dy) / square).clip(0, 1) if square else np.zeros(len(across))
        beside = np.hypot(across - along * dx, up - along * dy)
        furthest = int(beside.argmax())
        if beside[furthest] > WITHIN:
            middle = a + 1 + furthest
            keep[middle] = True
            left += [(a, middle), (middle, b)]
    return np.flatnonzero(keep)


def _stretches(there: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], there.astype(np.int8), [0]))))
    return ((int(begin), int(end)) for begin, end in edges.reshape(-1, 2))


def _area(axes: Axes, x: Array, low: Array, high: Array) -> str:
    """Between two curves: along the lower one, and back along the upper one."""
    across, below, above = axes.across(x), axes.down(low), axes.down(high)
    there = np.isfinite(across) & np.isfinite(below) & np.isfinite(above)
    return "".join(_run(np.concatenate([across[begin:end], across[begin:end][::-1]]),
                        np.concatenate([below[begin:end], above[begin:end][::-1]])) + "z"
                   for begin, end in _stretches(there))


def _bars(axes: Axes, part: Part, base: float) -> str:
    left, top, right = axes.across(part.arrays[0]), axes.down(part.arrays[1]), axes.across(part.arrays[2])
    there = np.isfinite(part.arrays[1])
    return "".join(f"M{round(a)} {round(base)}V{round(b)}H{round(c)}V{round(base)}z" for a, b, c in zip(
        left[there].tolist(), top[there].tolist(), right[there].tolist(), strict=True))


def _points(x: Array, y: Array) -> str:
    """Lines of no length, which have round ends."""
    return "".join(f"M{round(a)} {round(b)}h0" for a, b in zip(x.tolist(), y.tolist(), strict=True))


def _reaches(x: Array, low: Array, high: Array) -> str:
    there = np.isfinite(x) & np.isfinite(low) & np.isfinite(high)
    return "".join(f"M{round(a)} {round(b)}V{round(c)}" for a, b, c in zip(
        x[there].tolist(), low[there].tolist(), high[there].tolist(), strict=True))


# Words

def _across(axes: Axes, scene: Scene) -> Iterator[Label]:
    """What lines at an x are, above the picture, apart from each other in either room."""
    there = [each for each in scene.straights if each.layer.axis == "x" and math.isfinite(each.at)]
    said = [(_told(each, axes.x),) if isinstance(each.layer, Mark)
            else (_told(each, axes.x), _told(replace(each, words=each.brief), axes.x)) for each in there]
    for name, room in ROOMS.items() if there else ():
        widths = [[width(words, SIZE) for words in each] for each in said]
        at = [axes.left(min(max(each.at, axes.x[0]), axes.x[1])) / 100 * room for each in there]
        for i, which, left in row_of_labels(at, widths, 0.0, room, SIZE / 2):
            middle = round(100 * (left + widths[i][which] / 2) / room, 2)
            yield Label(said[i][which], f"over {name}", _ink(there[i]), middle, 0.0)


def _upward(axes: Axes, scene: Scene) -> Iterator[Label]:
    """What lines at a y are, at the right edge of the picture, apart from each other."""
    there = sorted((each for each in scene.straights if each.layer.axis == "y" and math.isfinite(each.at)),
                   key=lambda each: -each.at)
    at = [axes.top(min(max(each.at, axes.y[0]), axes.y[1])) / 100 * HIGH - LINE_HEIGHT / 2 for each in there]
    for each, top in zip(there, spread(at, [LINE_HEIGHT] * len(there), 0.0, HIGH, 0.0), strict=True):
        yield Label(_told(each, axes.y), "side", _ink(each), 100.0, round(100 * (top + LINE_HEIGHT / 2) / HIGH, 2))


def _told(one: Straight, window: Span) -> str:
    """The words of a straight line, with an arrow where it lies beside the picture."""
    return pointed(powered(one.words), one.layer.axis, int(one.at > window[1]) - int(one.at < window[0]))


def _ink(one: Straight) -> Style:
    return one.style if one.series else NEUTRAL


def _arrows(axes: Axes, scene: Scene) -> Iterator[Label]:
    """Infinite values, at the edge that they lie beyond; of a stretch the first of each colour, side by side."""
    for infinite, kind, top in ((np.inf, "rises", 0.0), (-np.inf, "falls", 100.0)):
        places: dict[int, dict[Style, float]] = {}
        for part in scene.shown(Line):
            x = part.arrays[0][part.arrays[1] == infinite]
            for at in x[(x >= axes.x[0]) & (x <= axes.x[1])].tolist():
                where = (at - axes.x[0]) / (axes.x[1] - axes.x[0])
                places.setdefault(math.floor(where / APART), {}).setdefault(part.style, at)
        for arrows in places.values():
            for i, (style, at) in enumerate(arrows.items()):
                beside = 50 * APART * (i - (len(arrows) - 1) / 2)
                yield Label("", kind, style, round(axes.left(at) + beside, 2), top)
