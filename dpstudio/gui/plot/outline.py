"""A curve's pixels as a painter's path, broken where there is no value."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pyqtgraph import functions
from PySide6.QtGui import QPainterPath

from dpstudio.core.declare import Array

FAR = 4.0
"""Points are brought no nearer than so many heights above or below the view: dashes out there cost time."""


def curve_path(x: Array, y: Array, height: float) -> QPainterPath:
    """The path through points in pixels; NaN and infinite values break it."""
    finite = np.isfinite(y)
    if finite.all():
        return functions.arrayToQPath(x, np.clip(y, -FAR * height, (1 + FAR) * height), "all", finiteCheck=False)
    y = np.where(finite, np.clip(y, -FAR * height, (1 + FAR) * height), np.nan)
    return functions.arrayToQPath(x, y, "finite")


def lone(y: Array) -> npt.NDArray[np.intp]:
    """Which points have a value and no neighbour with one, so that no line shows them."""
    finite = np.isfinite(y)
    if finite.all():
        return np.zeros(0, dtype=np.intp)
    padded = np.concatenate([[False], finite, [False]])
    return np.flatnonzero(finite & ~padded[:-2] & ~padded[2:])
