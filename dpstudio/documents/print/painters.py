"""How each layer of a figure is put on matplotlib's axes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.transforms import ScaledTranslation, Transform

from dpstudio.core.declare import Array
from dpstudio.core.figure import Bars, Dots, Line
from dpstudio.core.results import Series, Window
from dpstudio.documents.print import style
from dpstudio.documents.print.content import Content
from dpstudio.documents.print.fonts import properties
from dpstudio.documents.print.fonts import width as text_width
from dpstudio.documents.print.sheet import POINTS_PER_INCH, Dash, linestyle
from dpstudio.documents.print.style import MIDDLE, Type
from dpstudio.scene.axes import place
from dpstudio.scene.names import Box, name_box
from dpstudio.scene.palette import NEUTRAL
from dpstudio.scene.palette import style as style_of

BEHIND, FILLED, STRAIGHT, THIN, THICK, ON_TOP = 0.5, 1.0, 1.5, 2.0, 2.2, 2.5
APART = 12.0
"""Points between the places where arrows stand for infinite values."""
Flags = npt.NDArray[np.bool_]
MARK_DASH: Dash = (4, 3)
BAR_OPACITY = 0.3


def colour_of(series: Series | None) -> str:
    return style_of(series.key if series else None).light


def look_of(line: Line, kind: Type) -> tuple[str, Dash, float]:
    """Colour, dash and width of a curve."""
    look = style_of(line.y.series.key) if line.y.series else NEUTRAL
    if line.role == "curve":
        return look.light, look.dash, kind.curve
    # Dashes are in widths: the thinner curve keeps the lengths of its thicker one.
    return look.light, tuple(length * kind.curve / kind.other for length in look.dash), kind.other


def room(content: Content, kind: Type) -> tuple[float, float]:
    """Points that stay free of curves at the bottom and at the top: for the regions' bars and for arrows."""
    heights = [content.up(line.y) for line in content.lines]
    falls, rises = (any((y == infinite).any() for y in heights) for infinite in (-np.inf, np.inf))
    return _strip(content, kind) + (2 * kind.arrow if falls else kind.curve), 2 * kind.arrow if rises else kind.curve


def _strip(content: Content, kind: Type) -> float:
    return kind.row * (len(content.regions) + 1) if content.regions else 0.0


def paint(axes: Axes, content: Content, kind: Type, width: float, height: float) -> None:
    """Everything between the axes, which are so many points wide and high."""
    for band in content.bands:
        axes.fill_between(content.across(band.x), content.up(band.low), content.up(band.high),
                          color=colour_of(band.low.series), alpha=0.16, linewidth=0, zorder=FILLED)
    for level, at in content.levels:
        draw = axes.axhline if level.axis == "y" else axes.axvline
        draw(at, color=colour_of(level.series), linewidth=style.LEVEL, zorder=STRAIGHT)
    for marked in content.marks:
        draw = axes.axhline if marked.mark.axis == "y" else axes.axvline
        draw(marked.at, color=NEUTRAL.light, linewidth=style.LEVEL, linestyle=linestyle(MARK_DASH), zorder=STRAIGHT)
    for line in content.lines:
        if isinstance(line, Bars):
            _bars(axes, content, line, kind)
        else:
            _line(axes, content, line, kind)
    _names(axes, content, kind, width, height)
    _arrows(axes, content, kind, width)
    for dots in content.dots:
        _dots(axes, content, dots)
    for row, (region, ends) in enumerate(content.regions, 1):
        up = _strip(content, kind) - row * kind.row
        _region(axes, ends, content.x, up, colour_of(region.series), kind)


def _line(axes: Axes, content: Content, line: Line, kind: Type) -> None:
    x, y = content.across(line.x), content.up(line.y)
    colour, dash, thickness = look_of(line, kind)
    finite = np.isfinite(y)
    axes.plot(x, np.where(finite, y, np.nan), label=line.y.key, color=colour, linewidth=thickness,
              linestyle=linestyle(dash), zorder=THICK if line.role == "curve" else THIN)
    lone = _lone(finite)
    axes.plot(x[lone], y[lone], "o", color=colour, markersize=2 * thickness, markeredgewidth=0, zorder=ON_TOP)


def _names(axes: Axes, content: Content, kind: Type, width: float, height: float) -> None:
    """The names of lines of equal value, on the lines."""
    taken: list[Box] = []
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    for line in content.lines:
        if not line.named:
            continue
        words = line.label or (line.y.series or line.y.quantity).label
        x = (content.across(line.x) - left) / (right - left) * width
        y = (content.up(line.y) - bottom) / (top - bottom) * height
        box = name_box(x, y, (text_width(words, kind.small) + 3, kind.line), (0.0, 0.0, width, height), taken)
        if box is None:
            continue
        taken.append(box)
        base = box[1] + kind.line / 2 - MIDDLE * kind.small
        axes.text((box[0] + box[2]) / 2 / width, base / height, words,
                  fontproperties=properties(kind.small), color=look_of(line, kind)[0], ha="center", va="baseline",
                  transform=axes.transAxes, zorder=ON_TOP,
                  bbox={"facecolor": style.PAPER, "alpha": 0.9, "edgecolor": "none", "pad": 0.5})


def _bars(axes: Axes, content: Content, bars: Bars, kind: Type) -> None:
    heights, base = content.up(bars.y), place(0.0, content.figure.y)
    left, right = content.figure.bar_edges(bars, content.across(bars.x))
    colour, dash, thickness = look_of(bars, kind)
    dash = tuple(length * thickness / style.LEVEL for length in dash)  # as long as a curve's, though thinner
    good = np.isfinite(heights)
    axes.bar(left[good], heights[good] - base, (right - left)[good], base, align="edge", zorder=THIN, label=bars.y.key,
             facecolor=to_rgba(colour, BAR_OPACITY), edgecolor=colour, linewidth=style.LEVEL, linestyle=linestyle(dash))


def _arrows(axes: Axes, content: Content, kind: Type, width: float) -> None:
    """Infinite values, at the edge that they lie beyond; those of one place stand side by side."""
    stretch = APART * (content.x[1] - content.x[0]) / width
    bottom = _strip(content, kind) + kind.arrow
    for infinite, marker, edge, up in ((np.inf, "^", 1.0, -kind.arrow), (-np.inf, "v", 0.0, bottom)):
        places: dict[float, dict[str, float]] = {}
        for line in content.lines:
            x = content.across(line.x)[content.up(line.y) == infinite]
            for at in _thinned(x[(x >= content.x[0]) & (x <= content.x[1])], stretch, content.x[0]):
                places.setdefault(np.floor((at - content.x[0]) / stretch), {}).setdefault(colour_of(line.y.series), at)
        for arrows in places.values():
            for i, (colour, at) in enumerate(arrows.items()):
                sideways = (i - (len(arrows) - 1) / 2) * kind.arrow
                axes.plot([at], [edge], marker, color=colour, markersize=kind.arrow, markeredgewidth=0, zorder=ON_TOP,
                          transform=_raised(axes, up, sideways))


def _dots(axes: Axes, content: Content, dots: Dots) -> None:
    x, y, colour = content.across(dots.x), content.up(dots.y), colour_of(dots.y.series)
    x = content.figure.dots_across(dots, x)
    if dots.low and dots.high and {dots.low, dots.high} <= content.table.keys():
        axes.vlines(x, content.up(dots.low), content.up(dots.high), colors=colour, linewidth=style.LEVEL, zorder=THIN)
    axes.plot(x, y, "o", color=colour, markersize=3, markeredgecolor=style.PAPER, markeredgewidth=0.5, zorder=ON_TOP)


def _region(axes: Axes, ends: Window, shown: Window, up: float, colour: str, kind: Type) -> None:
    """A slim bar in the strip, so many points above the axes' bottom, with a tick at each end that is in view."""
    low, high = np.clip(ends, *shown)
    if low == high and low != ends[0]:
        return
    moved = _raised(axes, up)
    axes.plot([low, high], [0, 0], color=colour, linewidth=kind.curve + 0.2, solid_capstyle="butt", transform=moved,
              zorder=ON_TOP)
    seen = [end for end, kept in zip(ends, (low, high), strict=True) if end == kept]
    axes.plot(seen, np.zeros(len(seen)), "|", color=colour, markersize=kind.row - 1, markeredgewidth=1, transform=moved,
              zorder=ON_TOP)


def _raised(axes: Axes, up: float, sideways: float = 0.0) -> Transform:
    """x in data, y in heights of the axes, and so many points up and sideways."""
    moved = ScaledTranslation(sideways / POINTS_PER_INCH, up / POINTS_PER_INCH, axes.figure.dpi_scale_trans)
    return axes.get_xaxis_transform() + moved


def _lone(finite: Flags) -> Flags:
    """Which points have a value and no neighbour with one, so that no line shows them."""
    padded = np.pad(finite, 1)
    return np.asarray(finite & ~padded[:-2] & ~padded[2:])


def _thinned(x: Array, apart: float, first: float) -> Array:
    """The first of every stretch of that length, so that a row of arrows can be told from a line."""
    stretches = np.floor((x - first) / apart)
    return x[np.unique(stretches, return_index=True)[1]]
