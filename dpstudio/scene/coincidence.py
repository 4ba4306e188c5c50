"""Which curves of a picture lie on one another, so that only the uppermost of them can be seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dpstudio.core.results import Span
from dpstudio.scene.frame import Points

WITHIN = 1.0
"""Pixels or points by which curves may differ that nobody can tell apart."""


def coincident(curves: Mapping[str, Sequence[Points]], x: Span, y: Span, height: float) -> dict[str, str]:
    """Of every key whose curves lie on those of an earlier one throughout the view, the first such.

    The curves of a key are compared one by one, in their order; y spans `height` pixels. What is out of view on the
    same side is alike, but something of the curves must be in view.
    """
    found: dict[str, str] = {}
    for key, curve in curves.items():
        for earlier, other in curves.items():
            if earlier == key:
                break
            if _alike(curve, other, x, y, height):
                found[key] = earlier
                break
    return found


def same_here(label: str, other: str) -> str:
    """What a legend says of a curve that lies on another: “Generalized = Laplace here”."""
    return f"{label} = {other} here"


def _alike(one: Sequence[Points], other: Sequence[Points], x: Span, y: Span, height: float) -> bool:
    if len(one) != len(other):
        return False
    apart = (_apart(a, b, x, y, height) for a, b in zip(one, other, strict=True))  # the first that differs settles it
    return all(distance is not None and distance <= WITHIN for distance in apart)


def _apart(one: Points, other: Points, x: Span, y: Span, height: float) -> float | None:
    """The largest distance in pixels; None where they cannot be compared or where neither is in view."""
    across, others = one[0], other[0]
    if across is not others and not np.array_equal(across, others):
        return None
    seen = (across >= x[0]) & (across <= x[1])
    first, second = one[1][seen], other[1][seen]
    distances = np.abs(first.clip(*y) - second.clip(*y)) * height / (y[1] - y[0])
    apart = float(np.fmax.reduce(distances, initial=0.0))
    if apart > WITHIN:  # as most are: no need to ask whether they can be compared
        return apart
    if not np.array_equal(np.isnan(first), np.isnan(second)):
        return None
    inside = ((first >= y[0]) & (first <= y[1])) | ((second >= y[0]) & (second <= y[1]))
    return apart if inside.any() else None
