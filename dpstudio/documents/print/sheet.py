"""A sheet of paper, measured in points: words are put at its head and its foot, and the axes get what is left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.image import BboxImage
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox, TransformedBbox

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.print import style
from dpstudio.documents.print.fonts import fill, properties, width, wrap
from dpstudio.scene.legend import LegendEntry
from dpstudio.scene.maps import Shade, sample
from dpstudio.scene.notes import wrapped
from dpstudio.scene.palette import REFUSED, begun

POINTS_PER_INCH, POINTS_PER_MM = 72, 72 / 25.4
ONE_COLUMN_MM = (120.0, 75.0)
"""A sheet narrower or lower than this has smaller type."""
SEPARATOR = " \u00a0·\u00a0 "
"""Two spaces on either side, of which no reader of SVG makes one."""
PIXELS = 3.0
"""Pixels of what is painted by them to a point."""
WIDER = 1.03
"""How many times as wide a long line may be where few dots make a letter."""
REMARKS, KEPT, MOST_LINES = 0.2, 72.0, 100
"""Part of a sheet's height that what is noted under the picture may take, points that it leaves, and its lines."""
LEAST = 24.0
"""Points of height that axes must have to be read."""

DOT, PERSON = 3.0, 6.0
"""Widths in points of what stands for dots, and for people, in a legend."""

Dash = tuple[float, ...]


def linestyle(dash: Dash, begin: float = 0.0) -> tuple[float, Dash] | Literal["solid"]:
    """matplotlib's name of a dash, which begins so many pen widths on."""
    return (begin, dash) if dash else "solid"


class Sheet:
    """What is left of it lies between `left`, `right`, `bottom` and `top`, in points from the lower left corner."""

    def __init__(self, size_mm: tuple[float, float]) -> None:
        self.width, self.height = (side * POINTS_PER_MM for side in size_mm)
        small = size_mm[0] < ONE_COLUMN_MM[0] or size_mm[1] < ONE_COLUMN_MM[1]
        self.type = style.COMPACT if small else style.NORMAL
        self.canvas = Canvas(figsize=(self.width / POINTS_PER_INCH, self.height / POINTS_PER_INCH),
                             facecolor=style.PAPER)
        margin = 2 * self.type.unit
        self.left, self.right = margin, self.width - margin
        self.bottom, self.top = margin, self.height - margin

    def text(self, x: float, y: float, words: str, size: float, *, colour: str = style.INK, align: str = "left",
             bold: bool = False, upwards: bool = False, apart: bool = False) -> None:
        """One line of type whose baseline passes through a point; apart from what it lies over, on paper of its own."""
        self.canvas.text(x / self.width, y / self.height, words, fontproperties=properties(size, bold=bold),
                         color=colour, ha=align, va="baseline", rotation=90 if upwards else 0, rotation_mode="anchor",
                         bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.5} if apart else None)

    def line(self, xs: Sequence[float], ys: Sequence[float], colour: str, thickness: float, dash: Dash = (),
             strength: float = 1.0, *, dot: float = 0.0, begin: float = 0.0) -> None:
        """A line that belongs to no axes, or a dot so many points wide."""
        self.canvas.add_artist(Line2D([x / self.width for x in xs], [y / self.height for y in ys], color=colour,
                                      linewidth=thickness, linestyle="none" if dot else linestyle(dash, begin),
                                      clip_on=False,
                                      marker="o" if dot else None, markersize=dot, markeredgewidth=0,
                                      alpha=strength if strength < 1 else None))

    def _shade(self, shade: Shade, x: float, y: float, width: float, height: float) -> None:
        """A sample of a map's shades, framed."""
        wide, high = round(PIXELS * width), round(PIXELS * height)
        box = Bbox.from_bounds(x / self.width, y / self.height, width / self.width, height / self.height)
        made = BboxImage(TransformedBbox(box, self.canvas.transSubfigure), interpolation="nearest")
        made.set_data(sample(shade, wide, high, dark=False, ratio=PIXELS))
        self.canvas.add_artist(made)
        self.line([x, x + width, x + width, x, x], [y, y, y + height, y + height, y], style.AXIS, style.HAIR)

    def axes(self) -> Axes:
        """Axes on all that is left; raises InvalidParameter where that is too little."""
        if (missing := LEAST - (self.top - self.bottom)) > 0:
            least = math.ceil((self.height + missing) / POINTS_PER_MM)
            raise InvalidParameter("height", f"at least {least} mm for this picture", self.height / POINTS_PER_MM)
        made = self.canvas.add_axes((self.left / self.width, self.bottom / self.height,
                                     (self.right - self.left) / self.width, (self.top - self.bottom) / self.height))
        made.set_facecolor("none")
        for side in ("top", "right"):
            made.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            made.spines[side].set(color=style.AXIS, linewidth=style.HAIR)
        made.tick_params(which="both", color=style.AXIS, width=style.HAIR, labelcolor=style.MUTED)
        made.tick_params(length=3, pad=3)
        made.tick_params(which="minor", length=1.5)
        return made

    def head(self, title: str, caption: str) -> None:
        """The title and, below it, what is seen; they take from the top."""
        within = self.right - self.left
        for words in wrap(title, self.type.title, within, bold=True):
            self._downwards(words, self.type.title, colour=style.INK, bold=True)
        for words in wrap(caption, self.type.small, within / WIDER) if caption else ():
            self._downwards(words, self.type.small, colour=style.MUTED)
        self.top -= 1.5 * self.type.unit

    def foot(self, paragraphs: Sequence[Sequence[str]]) -> None:
        """Small print under a hair line; each paragraph is filled with its pieces. It takes from the bottom."""
        size, within = self.type.foot, self.right - self.left
        lines = [line for pieces in paragraphs for line in fill(list(pieces), SEPARATOR, size, within)]
        for words in reversed(lines):
            self.text(self.left, self.bottom + style.DESCENT * size, words, size, colour=style.MUTED)
            self.bottom += size * style.LEADING
        self.bottom += self.type.unit
        self.line([self.left, self.right], [self.bottom] * 2, style.GRID, style.HAIR)
        self.bottom += 1.5 * self.type.unit

    def remarks(self, texts: Sequence[str]) -> None:
        """What is noted on the picture as a whole, a paragraph each, under the picture; of more than there is room for,
        how many. It takes from the bottom."""
        size, within = self.type.small, self.right - self.left
        room = int(min(REMARKS * self.height, self.top - self.bottom - KEPT) / self.type.line)
        lines, said = list[str](), 0
        for text in texts:
            paragraph = wrapped(text, partial(width, size=size), within, MOST_LINES)
            if len(lines) + len(paragraph) + (said + 1 < len(texts)) > room:
                break
            lines += paragraph
            said += 1
        if left := len(texts) - said:
            lines.append(f"{left} {'more ' if said else ''}{'notes' if left > 1 else 'note'} in the session")
        for words in reversed(lines):
            self.text(self.left, self.bottom + style.DESCENT * size, words, size)
            self.bottom += self.type.line
        self.bottom += self.type.unit if lines else 0.0

    def legend(self, entries: Sequence[LegendEntry]) -> None:
        """The entries in rows, above the foot."""
        size, unit, swatch = self.type.small, self.type.unit, self.type.swatch
        thickness = {"curve": self.type.curve, "other": self.type.other, "dots": self.type.curve,
                     "person": self.type.curve, "area": 2.5 * self.type.curve}
        rows: list[list[tuple[float, LegendEntry]]] = []
        x = math.inf
        for entry in entries:
            extent = swatch + unit + width(entry.label, size)
            if x + extent > self.right:
                rows.append([])
                x = self.left
            rows[-1].append((x, entry))
            x += extent + 4 * unit
        for row in reversed(rows):
            baseline = self.bottom + style.DESCENT * size
            for x, entry in row:
                middle, thick = baseline + style.MIDDLE * size, thickness[entry.kind]
                dash = entry.style.dash if entry.kind in ("curve", "other") else ()
                dot = {"dots": DOT, "person": PERSON}.get(entry.kind, 0.0)
                ends = [x + swatch / 2] if dot else [x, x + swatch]
                if entry.shade is not None:
                    self._shade(entry.shade, x, middle - size / 3, swatch, size / 1.5)
                else:
                    self.line(ends, [middle] * len(ends), entry.style.light, thick, dash,
                              style.FAINT if entry.faint or entry.kind == "area" else
                              REFUSED if entry.refused else 1.0, dot=dot,
                              begin=begun(dash, swatch / thick) if dash else 0.0)
                self.text(x + swatch + unit, baseline, entry.label, size)
            self.bottom += 1.4 * size
        self.bottom += unit if rows else 0.0

    @property
    def room(self) -> tuple[float, float]:
        """Width and height of what is left."""
        return self.right - self.left, self.top - self.bottom

    def _downwards(self, words: str, size: float, *, colour: str, bold: bool = False) -> None:
        self.text(self.left, self.top - style.ASCENT * size, words, size, colour=colour, bold=bold)
        self.top -= size * style.LEADING
