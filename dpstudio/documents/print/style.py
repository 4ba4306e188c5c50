"""How print looks: always light, sizes in points, one typeface that comes with the application."""

from __future__ import annotations

from typing import Any

from dpstudio.records import dataclass

FAMILIES = ("Source Sans 3", "DP Studio Symbols")


@dataclass(frozen=True, slots=True)
class Type:
    """Sizes in points that depend on how large the sheet is."""

    title: float
    label: float
    small: float
    foot: float
    unit: float
    """Distances between blocks are multiples of it."""
    curve: float
    other: float
    """Width of the thinner second curve of a series."""
    row: float
    """Height of a region's row in the strip below the curves."""
    arrow: float
    """Size of the arrow that stands for an infinite value."""

    @property
    def swatch(self) -> float:
        """Length of a line in the legend, long enough for every dash pattern."""
        return 8 * self.unit

    @property
    def line(self) -> float:
        """From one number to the next below it."""
        return self.small * LEADING


NORMAL = Type(title=10, label=8.5, small=8, foot=6.5, unit=4, curve=1.4, other=0.8, row=4.6, arrow=4.5)
COMPACT = Type(title=8, label=7, small=6.5, foot=5, unit=3, curve=1.2, other=0.7, row=3.4, arrow=3.6)
"""For the width of one column."""

LEADING, ASCENT, DESCENT, MIDDLE = 1.28, 0.74, 0.26, 0.33
"""In sizes of a line of type: to the next line; from its baseline up, down, and to the middle of a digit."""

INK, MUTED, AXIS, GRID, PAPER = "#1b2530", "#55616d", "#8b97a3", "#e6eaee", "#ffffff"

FAINT = 0.35
"""Opacity of what is pinned."""

LEVEL, HAIR = 0.7, 0.5
"""Widths of lines in points: a level or a mark, the axes and the grid."""

RC: dict[Any, Any] = {
    "font.family": list(FAMILIES),
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "dpstudio",
    "text.parse_math": False,
    "text.usetex": False,
    "axes.unicode_minus": True,
    "lines.scale_dashes": True,
    "lines.dash_capstyle": "butt",
    "lines.solid_capstyle": "round",
    "lines.solid_joinstyle": "round",
}
