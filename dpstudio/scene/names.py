"""Where names stand: on a line of equal value, or in a row, clear of each other and within the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from dpstudio.core.declare import Array

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom, or with the y axis upwards left, bottom, right and top."""

TRIED = (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9)
"""Parts of the visible line at which a name is tried, in this order."""


def name_box(x: Array, y: Array, size: tuple[float, float], room: Box, taken: Sequence[Box]) -> Box | None:
    """The box of a name of that width and height around a point of the line, or None where none is free.

    x and y are in pixels or points; what is not finite breaks the line.
    """
    wide, high = size[0] / 2, size[1] / 2
    inside = ((x - wide >= room[0]) & (x + wide <= room[2]) & (y - high >= room[1]) & (y + high <= room[3]))
    found = np.flatnonzero(inside & np.isfinite(x) & np.isfinite(y))
    if not found.size:
        return None
    # By the length of the line rather than by its points, which may crowd where it bends.
    steps = np.hypot(np.diff(x[found]), np.diff(y[found]))
    length = np.concatenate([[0.0], np.cumsum(steps)])
    for part in TRIED:
        i = found[int(np.argmin(np.abs(length - part * length[-1])))]
        box = (float(x[i] - wide), float(y[i] - high), float(x[i] + wide), float(y[i] + high))
        if not any(overlap(box, other) for other in taken):
            return box
    return None


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes have more than an edge in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def spread(centres: Sequence[float], widths: Sequence[float], low: float, high: float, gap: float) -> list[float]:
    """Left edges, as near to their sorted centres as the others and the ends allow."""
    lefts = [centre - width / 2 for centre, width in zip(centres, widths, strict=True)]
    for _ in range(2 * len(lefts)):
        for i in range(1, len(lefts)):
            overlap = lefts[i - 1] + widths[i - 1] + gap - lefts[i]
            if overlap > 0:  # each gives way by half
                lefts[i - 1] -= overlap / 2
                lefts[i] += overlap / 2
    for i in reversed(range(len(lefts))):  # then strictly: from the right end, and from the left one
        end = lefts[i + 1] - gap if i + 1 < len(lefts) else high
        lefts[i] = min(lefts[i], end - widths[i])
    for i in range(len(lefts)):
        start = lefts[i - 1] + widths[i - 1] + gap if i else low
        lefts[i] = max(lefts[i], start)
    return lefts
