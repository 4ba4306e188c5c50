"""Where names stand: on a line of equal value, or in a row, clear of each other and within the picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.figure import Dots, Line
from dpstudio.scene.frame import Box, Points, covered, overlap
from dpstudio.scene.legend import CurveName, single
from dpstudio.scene.straights import Straight

NEAR = 8.0
"""As near to its line as this a name is the line's."""
TRIES = 4
BESIDE = 6.0
"""From a dot to its name."""
TRIED = (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9)
"""Parts of the visible line at which the name of a line of equal value is tried, in this order."""
EDGE = 0.5
"""By so much a line that runs along the edge of a room may lie beyond it."""
ENDS = (0.93, 0.07, 0.8, 0.2, 0.65, 0.35, 0.5, 0.99, 0.01)
"""The same for the name of a curve, which stands best near an end."""
GRID = 9
"""Places across and down that are tried where none at the curve is free: a line leads from there."""
CORNERS = ((0.5, 1.1), (0.5, -0.1), (1.02, 1.1), (-0.02, 1.1), (1.02, -0.1), (-0.02, -0.1), (0.5, 0.5))
"""Which point of its box, in widths and heights, the name of a curve has on its line."""
STEP = 4.0
"""From one point to the next of a straight line."""
APART = 0.5
"""The name of a pinned curve stands where this is at least so large a part of the most that parts it from others."""


class PlacedName(NamedTuple):
    """A name with its box, in pixels or points, and the ends of the line that leads to what it names, if one does."""

    name: CurveName
    box: Box
    leader: Box | None


def place_names(names: Sequence[CurveName], to_paper: Callable[[Points], Points],
                size: Callable[[str], tuple[float, float]], room: Box, curves: Sequence[Points],
                taken: Sequence[Box] = (), kept: Mapping[str, Box] | None = None,
                straights: Sequence[Straight] = ()) -> list[PlacedName]:
    """Which names have a place in a room, and where: each clear of what is taken and of the names before it.

    `to_paper` makes pixels or points of positions, `size` says how wide and high words are; `curves`, in pixels or
    points, and straight lines are covered as little as can be. A box that is `kept` for some words serves on while it
    touches their line.
    """
    stretches = {name: told_apart(name, to_paper, room) for name in names}
    held = {name: box for name in names if (box := (kept or {}).get(name.words)) and _touches(box, stretches[name])}

    @cache
    def lines() -> list[Points]:
        found = [_straight(each, to_paper, room) for each in straights if math.isfinite(each.at)]
        return [*found, *found]  # which would strike words out: twice as bad as a curve under them

    order, found = list(names), list[tuple[CurveName, Box]]()
    for _ in range(TRIES):
        found = []
        for name in order:
            boxes, box = [*taken, *(box for _, box in found)], held.get(name)
            if box is None or any(overlap(box, other) for other in boxes):
                box = _box(name, stretches[name], size(name.words), room, boxes, curves, lines())
            if box is not None:
                found.append((name, box))
        placed = {name for name, _ in found}
        if len(placed) == len(order):
            break
        order.sort(key=placed.__contains__)  # what found no place chooses first
    return [PlacedName(name, box, None if box is held.get(name) else leader(box, stretches[name], room))
            for name, box in found]


def told_apart(name: CurveName, to_paper: Callable[[Points], Points], room: Box) -> Points:
    """The curve of a name in pixels or points; of a pinned one, the stretch that stands apart from the others."""
    x, y = to_paper(name.part.points)
    if not name.others:
        return x, y
    gap = np.full(len(x), np.inf)
    for other in name.others:
        across, up = to_paper(other.points)
        if len(across) and (across[1:] >= across[:-1]).all():
            with np.errstate(invalid="ignore"):
                gap = np.fmin(gap, np.abs(y - np.interp(x, across, up, left=np.nan, right=np.nan)))
    seen = np.isfinite(gap) & (x >= room[0]) & (x <= room[2]) & (y >= room[1]) & (y <= room[3])
    if not seen.any():
        return x, y
    return x, np.where(seen & (gap >= APART * gap[seen].max()), y, np.nan)


def _straight(line: Straight, to_paper: Callable[[Points], Points], room: Box) -> Points:
    """A straight line across the room, at points so near to each other that no box lies between them."""
    at = np.array([line.at])
    if line.layer.axis == "y":
        return np.array([room[0], room[2]]), np.repeat(to_paper((np.zeros(1), at))[1], 2)
    along = np.arange(room[1], room[3], STEP)
    return np.full(len(along), to_paper((at, np.zeros(1)))[0][0]), along


def _box(name: CurveName, points: Points, size: tuple[float, float], room: Box, taken: Sequence[Box],
         curves: Sequence[Points], straights: Sequence[Points]) -> Box | None:
    layer, (x, y) = name.part.layer, points
    if isinstance(layer, Dots):
        i = single(name.part)
        return None if i is None else beside(float(x[i]), float(y[i]), size, room, taken, [*curves, *straights])
    if isinstance(layer, Line) and layer.named:
        return name_box(x, y, size, room, taken, straights)
    return end_box(x, y, size, room, taken, [*curves, *straights])


def name_box(x: Array, y: Array, size: tuple[float, float], room: Box, taken: Sequence[Box],
             others: Sequence[Points] = ()) -> Box | None:
    """The box of a name of that width and height around a point of the line, or None where none is free.

    x and y are in pixels or points; what is not finite breaks the line. Of the boxes that are free the first that
    covers the fewest others.
    """
    wide, high = size[0] / 2, size[1] / 2
    inner = room[0] + wide, room[1] + high, room[2] - wide, room[3] - high
    return best([(a - wide, b - high, a + wide, b + high) for a, b in _along(x, y, inner, TRIED)], taken, others)


def end_box(x: Array, y: Array, size: tuple[float, float], room: Box, taken: Sequence[Box],
            others: Sequence[Points]) -> Box | None:
    """The same for a name that stands beside its curve, or on it, best near an end, else where there is room.

    Of the boxes that are free the first that covers the fewest curves, moved into the room where the curve runs along
    its edge.
    """
    wide, high = size
    if wide > room[2] - room[0] or high > room[3] - room[1]:
        return None
    right, bottom = room[2] - wide, room[3] - high
    points = _along(x, y, (room[0], room[1] - EDGE, room[2], room[3] + EDGE), ENDS)
    corners = [(min(max(a - across * wide, room[0]), right), min(max(b - down * high, room[1]), bottom))
               for across, down in CORNERS for a, b in points]
    if box := best([(a, b, a + wide, b + high) for a, b in corners], taken, others):
        return box
    grid = [(float(a), float(b)) for a in np.linspace(room[0], right, GRID) for b in np.linspace(room[1], bottom, GRID)]
    far = sorted(((a, b, a + wide, b + high) for a, b in grid if points), key=lambda box: _distance(box, points))
    return best(far, taken, others)


def leader(box: Box, points: Points, room: Box) -> Box | None:
    """A line from a box to the nearest of some points of its curve, or None where the box touches it."""
    if _touches(box, points):
        return None
    seen = _along(*points, (room[0], room[1] - EDGE, room[2], room[3] + EDGE), ENDS)
    if not seen:
        return None
    x, y = min(seen, key=lambda point: _distance(box, [point]))
    return min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3]), x, y


def _touches(box: Box, points: Points) -> bool:
    """Whether a line passes so near to a box that a name in it is the line's."""
    return bool(covered([(box[0] - NEAR, box[1] - NEAR, box[2] + NEAR, box[3] + NEAR)], [points])[0])


def _distance(box: Box, points: Sequence[tuple[float, float]]) -> float:
    return min(max(box[0] - x, x - box[2], 0.0) + max(box[1] - y, y - box[3], 0.0) for x, y in points)


def _along(x: Array, y: Array, room: Box, parts: Sequence[float]) -> list[tuple[float, float]]:
    """Points of a line at these parts of what of it is in a room."""
    inside = (x >= room[0]) & (x <= room[2]) & (y >= room[1]) & (y <= room[3])
    found = np.flatnonzero(inside)
    if not found.size:
        return []
    # By the length of the line rather than by its points, which may crowd where it bends.
    steps = np.hypot(np.diff(x[found]), np.diff(y[found]))
    length = np.concatenate([[0.0], np.cumsum(steps)])
    at = found[np.abs(length - np.asarray(parts)[:, None] * length[-1]).argmin(axis=1)]
    return [(float(x[i]), float(y[i])) for i in dict.fromkeys(at.tolist())]


def beside(x: float, y: float, size: tuple[float, float], room: Box, taken: Sequence[Box],
           others: Sequence[Points] = ()) -> Box | None:
    """The box of a name right or left of a point, above or below it, or None where none is free."""
    wide, high = size
    corners = ((x + BESIDE, y - high / 2), (x - BESIDE - wide, y - high / 2), (x - wide / 2, y - BESIDE - high),
               (x - wide / 2, y + BESIDE), (x + BESIDE, y + BESIDE), (x + BESIDE, y - BESIDE - high),
               (x - BESIDE - wide, y + BESIDE), (x - BESIDE - wide, y - BESIDE - high))
    inside = [(a, b, a + wide, b + high) for a, b in corners
              if a >= room[0] and b >= room[1] and a + wide <= room[2] and b + high <= room[3]]
    return best(inside, taken, others)


def best(boxes: Sequence[Box], taken: Sequence[Box], others: Sequence[Points]) -> Box | None:
    """Of the boxes that are free the first that covers the fewest curves."""
    free = [box for box in boxes if not any(overlap(box, other) for other in taken)]
    if not free:
        return None
    return free[int(covered(free, others).argmin())]
