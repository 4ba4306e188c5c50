"""How each layer of a figure is put on matplotlib's axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.transforms import ScaledTranslation, Transform

from dpstudio.core.figure import Band, Bars, Dots, Level, Line, Map, Mark, Region
from dpstudio.core.results import Span
from dpstudio.documents.print import style
from dpstudio.documents.print.fonts import drawable, properties
from dpstudio.documents.print.fonts import width as text_width
from dpstudio.documents.print.sheet import PIXELS, POINTS_PER_INCH, Dash, linestyle
from dpstudio.documents.print.style import DESCENT, LEADING, MIDDLE, Type
from dpstudio.scene.axes import place
from dpstudio.scene.frame import Box, Frame
from dpstudio.scene.legend import names as names_of
from dpstudio.scene.maps import shaded
from dpstudio.scene.names import place_names
from dpstudio.scene.notes import place_notes
from dpstudio.scene.palette import DECIDED, NEUTRAL, REFUSED
from dpstudio.scene.people import BLOCK, BODY, HEAD, STATES, Panel, State, panels
from dpstudio.scene.published import Strip, strip
from dpstudio.scene.scene import Part, Scene, lone

BEHIND, FILLED, STRAIGHT, PINNED, THIN, THICK, ON_TOP = 0.5, 1.0, 1.5, 1.7, 2.0, 2.2, 2.5
Row: TypeAlias = tuple[float, float, float]
"""Left and top of the first of some persons, and how far from it the last of them is."""
CLEAR, SPECK = 0.01, 0.02
"""Parts of the room of a person: how far a row of them reaches beyond the last, and the length of what is a dot."""
APART = 12.0
"""Points between the places where arrows stand for infinite values."""
MARK_DASH: Dash = (4, 3)
BAR_OPACITY = 0.3
HALO, HALO_OPACITY = 2.0, 0.55
"""Width and opacity of what parts a line of equal value from every shade."""
FLAG_GAP = 2.5
"""Points between the name of a published ε and its tick."""
STUB = 3.0
"""Points that its tick is high under all names."""
WIDEST = 150.0
"""Points of a line of what a person wrote on the picture."""


def look_of(part: Part, kind: Type) -> tuple[str, Dash, float]:
    """Colour, dash and width of a curve."""
    wide = (kind.other if part.thin else kind.curve) * (DECIDED if part.decided else 1.0)
    if wide == kind.curve:
        return part.style.light, part.style.dash, wide
    # Dashes are in widths: the thinner curve keeps the lengths of its thicker one.
    return part.style.light, tuple(length * kind.curve / wide for length in part.style.dash), wide


def opacity_of(part: Part) -> float | None:
    """Of what is pinned, and of what is not allowed; None where nothing shines through."""
    return style.FAINT if part.pin is not None else REFUSED if part.refused else None


def strip_of(scene: Scene, kind: Type, width: float, height: float) -> Strip:
    """The names of published ε under curves that are so wide and high."""
    return strip(scene.published, Frame(x=scene.x, width=width, height=height),
                 partial(text_width, size=kind.foot), LEADING * kind.foot, FLAG_GAP, STUB)


def room(scene: Scene, kind: Type, names: Strip = Strip()) -> tuple[float, float]:  # noqa: B008 - frozen
    """Points that stay free of curves at the bottom and at the top: for the regions' bars and for arrows."""
    heights = [part.arrays[1] for part in scene.shown(Line)]
    falls, rises = (any((y == infinite).any() for y in heights) for infinite in (-np.inf, np.inf))
    below, above = (2 * kind.arrow if infinite else kind.curve for infinite in (falls, rises))
    return _bars_end(scene, kind, names) + below, above


def _bars_end(scene: Scene, kind: Type, names: Strip) -> float:
    """Height of the regions' bars, above that of the names of published ε."""
    regions = scene.shown(Region)
    return (kind.row * (len(regions) + 1) if regions else 0.0) + names.high


def paint(axes: Axes, scene: Scene, kind: Type, frame: Frame, names: Strip) -> None:
    """Everything between the axes, with the names of published ε."""
    bars_end = _bars_end(scene, kind, names)
    for part in scene.shown(Map):
        _map(axes, part, frame)
    for panel in panels(scene, frame.width, frame.height, kind.small, _bold_width):
        _people(axes, panel, frame)
    for line in scene.isolines:
        for colour, thickness, opacity in ((style.PAPER, HALO, HALO_OPACITY), (line.style.light, style.LEVEL, None)):
            axes.plot(*line.points, color=colour, linewidth=thickness, alpha=opacity, zorder=STRAIGHT)
    for band in scene.shown(Band):
        x, low, high = band.arrays
        axes.fill_between(x, low, high, color=band.style.light, alpha=0.16 * (opacity_of(band) or 1.0), linewidth=0,
                          zorder=FILLED)
    for level in scene.shown(Level):
        if np.isfinite(at := float(level.arrays[0][0])):
            (axes.axhline if level.layer.axis == "y" else axes.axvline)(  # type: ignore[union-attr]
                at, color=level.style.light, linewidth=style.LEVEL, zorder=STRAIGHT)
    for mark in scene.straights:
        shown = scene.y if mark.layer.axis == "y" else scene.x
        if isinstance(mark.layer, Mark) and shown[0] <= mark.at <= shown[1]:
            straight = axes.axhline if mark.layer.axis == "y" else axes.axvline
            if scene.shown(Map):
                straight(mark.at, color=style.PAPER, linewidth=HALO, alpha=HALO_OPACITY, zorder=STRAIGHT)
            straight(mark.at, color=NEUTRAL.light, linewidth=style.LEVEL, linestyle=linestyle(MARK_DASH),
                     zorder=STRAIGHT)
    for part in (*(each for each in scene.pinned if each.shown), *scene.shown(Line)):
        if isinstance(part.layer, Bars):
            _bars(axes, part, place(0.0, scene.figure.y), kind)
        else:
            _line(axes, part, kind)
    _arrows(axes, scene, kind, frame.width, bars_end)
    for dots in scene.shown(Dots):
        _dots(axes, dots)
    _write(axes, scene, kind, frame, bars_end)
    _published(axes, scene, kind, frame, names)
    for row, region in enumerate(scene.shown(Region), 1):
        _region(axes, region, scene.x, bars_end - row * kind.row, kind)


def _map(axes: Axes, part: Part, frame: Frame) -> None:
    """One picture of the cells: as many rectangles would part at their seams, and weigh a hundred times as much."""
    layer = part.layer
    assert isinstance(layer, Map)
    across, up = ((np.arange(round(PIXELS * points)) + 0.5) / round(PIXELS * points) * (last - first) + first
                  for points, first, last in ((frame.width, *frame.x), (frame.height, *reversed(frame.y))))
    axes.imshow(shaded(part.arrays, layer.value.quantity, across, up, dark=False, ratio=PIXELS),
                extent=(*frame.x, *frame.y), aspect="auto", interpolation="none", zorder=FILLED)


def _bold_width(words: str, size: float) -> float:
    return text_width(words, size, bold=True)


def _people(axes: Axes, panel: Panel, frame: Frame) -> None:
    """Rows of people as dashed lines with round ends, for the heads and for the bodies of each colour: ten thousand of
    anything else would weigh a hundred times as much."""
    rows: dict[tuple[State, int], list[Row]] = {}
    for state, row, begin, end in panel.crowd.runs():  # the dashes of a line begin with the first of a block
        rows.setdefault((state, begin % BLOCK), []).append(
            (*panel.corner(row, begin), panel.at(end - 1) - panel.at(begin)))
    blocks = [panel.cell] * (BLOCK - 1) + [panel.cell + panel.gap]
    for (state, passed), stretches in rows.items():
        _persons(axes, frame, stretches, panel.cell, state, panel.part, [*blocks[passed:], *blocks[:passed]])
    for words in panel.words:
        if words.state is not None:
            left, top, right, _ = words.person
            _persons(axes, frame, [(left, top, 0.0)], right - left, words.state, panel.part, [right - left])
        axes.text(words.x / frame.width, 1 - words.base / frame.height, drawable(words.words),
                  fontproperties=properties(words.size, bold=words.bold), va="baseline", transform=axes.transAxes,
                  color=style.MUTED if words.quiet else style.INK, zorder=ON_TOP)


def _persons(axes: Axes, frame: Frame, rows: Sequence[Row], cell: float, state: State, part: Part,
             ways: Sequence[float]) -> None:
    """Rows of persons, each from a corner to the last one, so far away; `ways` are those from one to the next."""
    for middle, thick, longer in ((*HEAD, 0.0), BODY):
        dash, points = max(longer, SPECK) * cell, list[tuple[float, float]]()
        for left, top, far in rows:
            y = 1 - (top + middle * cell) / frame.height
            begin = left + (1 - longer) / 2 * cell
            points += [(begin / frame.width, y), ((begin + far + longer * cell + CLEAR * cell) / frame.width, y)]
        pattern = tuple(length / (thick * cell) for way in ways for length in (dash, way - dash))
        axes.add_patch(PathPatch(
            Path(points, [Path.MOVETO, Path.LINETO] * len(rows)), fill=False, edgecolor=STATES[state][0].light,
            linewidth=thick * cell, linestyle=linestyle(pattern), capstyle="round", transform=axes.transAxes,
            clip_on=False, snap=False, alpha=opacity_of(part), zorder=FILLED))


def _line(axes: Axes, part: Part, kind: Type) -> None:
    (x, y), (colour, dash, thickness) = part.points, look_of(part, kind)
    faint = part.pin is not None
    finite, shines = np.isfinite(y), opacity_of(part)
    # What is pinned has no label: the label finds the present curve.
    axes.plot(x, np.where(finite, y, np.nan), label=None if faint else part.layer.y.key,  # type: ignore[union-attr]
              color=colour, linewidth=thickness, linestyle=linestyle(dash), alpha=shines,
              zorder=PINNED if faint else THIN if part.thin else THICK)
    alone = lone(finite)
    axes.plot(x[alone], y[alone], "o", color=colour, markersize=2 * thickness, markeredgewidth=0,
              alpha=shines, zorder=PINNED if faint else ON_TOP)


def _published(axes: Axes, scene: Scene, kind: Type, frame: Frame, names: Strip) -> None:
    """A tick for each published ε, from the axis to the row of its name."""
    high = LEADING * kind.foot
    for each, flag in zip(scene.published, names.flags, strict=True):  # ticks, then names, which lie above them
        foot, top = _raised(axes, 0.0), STUB + (flag.row + 0.9 if flag else 0.0) * high
        axes.annotate("", (each.at, 0), xytext=(0, top), xycoords=foot, textcoords="offset points",
                      arrowprops={"arrowstyle": "-", "color": style.MUTED, "linewidth": style.HAIR, "shrinkA": 0,
                                  "shrinkB": 0}, zorder=THICK)
        if flag is not None:
            moved = flag.left - frame.across(each.at), STUB + (flag.row + DESCENT / LEADING) * high
            axes.annotate(each.deployment.name, (each.at, 0), xytext=moved,
                          xycoords=foot, textcoords="offset points", fontproperties=properties(kind.foot),
                          color=style.MUTED, ha="left", va="baseline", zorder=ON_TOP, annotation_clip=False,
                          bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.5})


def _write(axes: Axes, scene: Scene, kind: Type, frame: Frame, bars_end: float) -> None:
    """The names of dots, of lines of equal value and of pins, where they are; then what a person wrote."""
    width, height = frame.width, frame.height

    def size(words: str) -> tuple[float, float]:
        return text_width(words, kind.small) + 3, kind.line

    def words(x: float, base: float, text: str, colour: str, **more: object) -> None:
        axes.text(x / width, base / height, text, fontproperties=properties(kind.small), color=colour, va="baseline",
                  transform=axes.transAxes, zorder=ON_TOP, **more)  # type: ignore[arg-type]  # of matplotlib's many

    def line(led: Box, colour: str) -> None:
        axes.plot([led[0] / width, led[2] / width], [led[1] / height, led[3] / height], transform=axes.transAxes,
                  color=colour, linewidth=style.LEVEL, zorder=ON_TOP)

    curves = [frame.raised(part.points) for part in scene.shown(Line)]
    inside = 0.0, bars_end, width, height
    named = place_names(names_of(scene, {}, curves=False), frame.raised, size, inside, curves,
                        straights=scene.straights)
    for name, box, led in named:
        ink = style.MUTED if name.part.refused else name.part.style.ink(dark=False)
        if led:
            line(led, ink)
        words((box[0] + box[2]) / 2, box[1] + kind.line / 2 - MIDDLE * kind.small, name.words, ink, ha="center",
              bbox={"facecolor": style.PAPER, "alpha": 0.9, "edgecolor": "none", "pad": 0.5})
    seen = [replace(note, words=drawable(note.words)) for note in scene.notes if note.seen(scene.x, scene.y)]
    for note in place_notes(seen, frame.raised, partial(text_width, size=kind.small), kind.line, kind.unit, WIDEST,
                            inside, curves, [each.box for each in named]) if seen else ():
        line(note.leader, style.INK)
        axes.plot([note.point[0] / width], [note.point[1] / height], "o", transform=axes.transAxes, color=style.INK,
                  markersize=3, markeredgecolor=style.PAPER, markeredgewidth=0.5, zorder=ON_TOP)
        low, down, high, up = note.box
        axes.add_patch(Rectangle((low / width, down / height), (high - low) / width, (up - down) / height,
                                 transform=axes.transAxes, facecolor=style.PAPER, edgecolor=style.AXIS,
                                 linewidth=style.HAIR, zorder=ON_TOP))
        for i, each in enumerate(note.lines):
            words(low + kind.unit, up - kind.unit - (i + 0.5) * kind.line - MIDDLE * kind.small, each, style.INK)


def _bars(axes: Axes, part: Part, base: float, kind: Type) -> None:
    left, heights, right = part.arrays
    colour, dash, thickness = look_of(part, kind)
    dash = tuple(length * thickness / style.LEVEL for length in dash)  # as long as a curve's, though thinner
    strength = opacity_of(part) or 1.0
    good = np.isfinite(heights)
    axes.bar(left[good], heights[good] - base, (right - left)[good], base, align="edge",
             zorder=THIN if part.pin is None else PINNED, label=part.layer.y.key,  # type: ignore[union-attr]
             facecolor=to_rgba(colour, strength * BAR_OPACITY), edgecolor=to_rgba(colour, strength),
             linewidth=style.LEVEL, linestyle=linestyle(dash))


def _arrows(axes: Axes, scene: Scene, kind: Type, width: float, strip: float) -> None:
    """Infinite values, at the edge that they lie beyond; those of one place stand side by side."""
    stretch = APART * (scene.x[1] - scene.x[0]) / width
    bottom = strip + kind.arrow
    for infinite, marker, edge, up in ((np.inf, "^", 1.0, -kind.arrow), (-np.inf, "v", 0.0, bottom)):
        places: dict[float, dict[str, float]] = {}
        for part in scene.shown(Line):
            x = part.arrays[0][part.arrays[1] == infinite]
            for at in x[(x >= scene.x[0]) & (x <= scene.x[1])]:  # the first of every stretch, or they are a line
                places.setdefault(np.floor((at - scene.x[0]) / stretch), {}).setdefault(part.style.light, at)
        for arrows in places.values():
            for i, (colour, at) in enumerate(arrows.items()):
                sideways = (i - (len(arrows) - 1) / 2) * kind.arrow
                axes.plot([at], [edge], marker, color=colour, markersize=kind.arrow, markeredgewidth=0, zorder=ON_TOP,
                          transform=_raised(axes, up, sideways))


def _dots(axes: Axes, part: Part) -> None:
    (x, y, low, high), shines = part.arrays, opacity_of(part)
    axes.vlines(x, low, high, colors=part.style.light, linewidth=style.LEVEL, alpha=shines, zorder=THIN)
    axes.plot(x, y, "o", color=part.style.light, alpha=shines, markersize=3, markeredgecolor=style.PAPER,
              markeredgewidth=0.5, zorder=ON_TOP)


def _region(axes: Axes, part: Part, shown: Span, up: float, kind: Type) -> None:
    """A slim bar in the strip, so many points above the axes' bottom, with a tick at each end that is in view."""
    ends, colour, shines = tuple(part.arrays[0]), part.style.light, opacity_of(part)
    low, high = np.clip(ends, *shown)
    if low == high and low != ends[0]:
        return
    moved = _raised(axes, up)
    axes.plot([low, high], [0, 0], color=colour, linewidth=kind.curve + 0.2, solid_capstyle="butt", transform=moved,
              alpha=shines, zorder=ON_TOP)
    seen = [end for end, kept in zip(ends, (low, high), strict=True) if end == kept]
    axes.plot(seen, np.zeros(len(seen)), "|", color=colour, markersize=kind.row - 1, markeredgewidth=1, transform=moved,
              alpha=shines, zorder=ON_TOP)


def _raised(axes: Axes, up: float, sideways: float = 0.0) -> Transform:
    """x in data, y in heights of the axes, and so many points up and sideways."""
    moved = ScaledTranslation(sideways / POINTS_PER_INCH, up / POINTS_PER_INCH, axes.figure.dpi_scale_trans)
    return axes.get_xaxis_transform() + moved
