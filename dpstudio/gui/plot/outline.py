"""A curve's pixels as a painter's path: few points, broken where there is no value, cut outside the view."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pyqtgraph import functions
from PySide6.QtGui import QPainterPath

from dpstudio.core.declare import Array

TOLERANCE = 0.05
"""Pixels by which leaving one point out may move the curve."""
PASSES = 6
FAR = 4.0
"""Points are brought no nearer than so many heights above or below the view: dashes out there cost time."""


def curve_path(x: Array, y: Array, height: float) -> QPainterPath:
    """The path through points in pixels; NaN and infinite values break it."""
    y = np.clip(y, -FAR * height, (1 + FAR) * height, where=np.isfinite(y), out=y.copy())
    x, y = thinned(x, y)
    if np.isfinite(y).all():
        return functions.arrayToQPath(x, y, "all", finiteCheck=False)
    return functions.arrayToQPath(x, np.where(np.isfinite(y), y, np.nan), "finite")


def thinned(x: Array, y: Array) -> tuple[Array, Array]:
    """Fewer points on the same curve: every other one goes where its neighbours' chord passes through it."""
    for _ in range(PASSES):
        if len(x) < 16:
            break
        x0, x1, x2 = x[:-2:2], x[1:-1:2], x[2::2]
        y0, y1, y2 = y[:-2:2], y[1:-1:2], y[2::2]
        with np.errstate(invalid="ignore", divide="ignore"):
            off = np.abs(y0 + (y2 - y0) * (x1 - x0) / (x2 - x0) - y1)
        straight = off < TOLERANCE  # false for NaN: the edges of a gap stay
        if not straight.any():
            break
        keep = np.ones(len(x), dtype=bool)
        keep[1:-1:2] = ~straight
        x, y = x[keep], y[keep]
    return x, y


def lone(y: Array) -> npt.NDArray[np.intp]:
    """Which points have a value and no neighbour with one, so that no line shows them."""
    finite = np.isfinite(y)
    if finite.all():
        return np.zeros(0, dtype=np.intp)
    padded = np.concatenate([[False], finite, [False]])
    return np.flatnonzero(finite & ~padded[:-2] & ~padded[2:])
