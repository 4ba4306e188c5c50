"""From positions on the axes to places in a plot, in pixels of the window or in points of print, and boxes there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.results import Span
from dpstudio.records import dataclass

Points: TypeAlias = tuple[Array, Array]
"""Positions of a curve on the axes, or its places in a plot."""
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom, or with the y axis upwards left, bottom, right and top."""

LOOKS = np.linspace(0.0, 1.0, 12)
"""Places across a box where a curve may pass under it, as parts of its width."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The plot's rectangle in pixels or points, and the ranges of positions it shows.

    `top` and `bottom` are strips inside it that curves leave free: for the marks' labels and the regions' bars.
    """

    x: Span = (0.0, 1.0)
    y: Span = (0.0, 1.0)
    width: float = 1.0
    height: float = 1.0
    top: float = 0.0
    bottom: float = 0.0
    row: float = 7.0
    """Height of one region's bar with its distance from the next."""

    def across(self, x: Any) -> Any:
        """Pixels from the left edge, for positions one or many."""
        return (x - self.x[0]) * (self.width / (self.x[1] - self.x[0]))

    def down(self, y: Any) -> Any:
        """Pixels from the top edge, for positions one or many."""
        return self.floor - self.up(y)

    def up(self, y: Any) -> Any:
        """Pixels or points above the lowest y, for positions one or many."""
        return (y - self.y[0]) * ((self.floor - self.top) / (self.y[1] - self.y[0]))

    def places(self, points: Points) -> Points:
        """Where positions lie in the plot, from its upper left corner."""
        return self.across(points[0]), self.down(points[1])

    def raised(self, points: Points) -> Points:
        """Where positions lie in the plot, from its lower left corner."""
        return self.across(points[0]), self.up(points[1])

    @property
    def room(self) -> Box:
        """Where curves are, from the upper left corner."""
        return 0.0, self.top, self.width, self.floor

    @property
    def floor(self) -> float:
        """The pixel row of the lowest y."""
        return max(self.height - self.bottom, self.top + 1.0)

    def x_at(self, pixel: Any) -> Any:
        """Positions of pixels from the left edge, one or many."""
        return self.x[0] + pixel * (self.x[1] - self.x[0]) / self.width

    def y_at(self, pixel: Any) -> Any:
        """Positions of pixels from the top edge, one or many."""
        return self.y[0] + (self.floor - pixel) * (self.y[1] - self.y[0]) / (self.floor - self.top)


def covered(boxes: Sequence[Box], curves: Sequence[Points]) -> npt.NDArray[np.intp]:
    """How many curves pass under each box; they are looked at between their points, too."""
    left, low, right, high = np.array(boxes).T
    found = np.zeros(len(boxes), dtype=np.intp)
    looks = left[:, None] + (right - left)[:, None] * LOOKS
    for x, y in curves:
        if len(x) > 1 and x[0] < x[-1] and (x[1:] >= x[:-1]).all():
            up = np.interp(looks, x, y, left=np.nan, right=np.nan)
            found += (np.fmin.reduce(up, axis=1) <= high) & (np.fmax.reduce(up, axis=1) >= low)
        else:
            beside = (x < left[:, None]) | (x > right[:, None]) | ~((y >= low[:, None]) & (y <= high[:, None]))
            found += ~beside.all(axis=1)
    return found


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes have more than an edge in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
