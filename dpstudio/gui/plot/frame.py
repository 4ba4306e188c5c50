"""From values to pixels: what of each axis is in view, and where that lies in the plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpstudio.core.figure import Axis
from dpstudio.core.results import Span


def value_at(position: float, axis: Axis) -> float:
    """The value that lies at a position of the axis."""
    return position if axis.scale == "linear" else float(10.0 ** min(position, 300.0))


@dataclass(frozen=True, slots=True)
class Frame:
    """The plot's rectangle in pixels, and the ranges of positions it shows.

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
        return self.floor - (y - self.y[0]) * ((self.floor - self.top) / (self.y[1] - self.y[0]))

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
