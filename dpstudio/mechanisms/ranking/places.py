"""Where an integrand counts, and nodes within steps of whole noise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.quadrature import gauss_legendre

_DROP = 46.0
"""What lies below the maximum by a factor of e^46 is left out: 1e-20."""
_GRID = 17
_RULES = ((1e-7, 1), (2e-3, 2), (0.05, 3), (0.5, 5), (2.0, 8), (4.0, 12))
"""Up to which slope of a logarithm so many nodes of Gauss and Legendre's rule are enough for a step of 1."""
_MOST_HALVINGS = 40


def where_it_counts(log: Callable[[Array], Array], low: float, high: float) -> tuple[float, float]:
    """Ends within the given ones outside which a function with a concave logarithm is below e^−46 of its maximum."""
    for _ in range(60):
        places = np.linspace(low, high, _GRID)
        found = log(places)
        least = found.max() - _DROP
        kept = np.flatnonzero(found >= least)
        first, last = max(int(kept[0]) - 1, 0), min(int(kept[-1]) + 1, _GRID - 1)
        low, high = float(places[first]), float(places[last])
        if last - first > _GRID // 2:
            break
    # Most of a step at either end lies outside.
    step = float(places[1] - places[0])
    for side in (1, -1):
        end = low if side > 0 else high
        places = end + side * step * np.arange(_GRID) / _GRID
        inside = max(int(np.argmax(np.append(log(places) >= least, True))) - 1, 0)
        low, high = (float(places[inside]), high) if side > 0 else (low, float(places[inside]))
    return low, high


def within_steps(slope: Array) -> tuple[Array, Array, Array]:
    """Of steps of 1 the number of each node's step, what is left of the step, 1 − y in (0, 1), and its weight.

    `slope` is that of the logarithm of the integrand at y = 1, which is a product of straight lines that rise: where it
    is steep, the step is halved towards its end.
    """
    steps, rests, weights = [], [], []
    least = 0.0
    halvings = np.clip(np.ceil(np.log2(np.maximum(slope / _RULES[-1][0], 1.0))), 0, _MOST_HALVINGS)
    for most, points in _RULES:
        some = np.flatnonzero((slope >= least) & (slope < most) if most < _RULES[-1][0] else slope >= least)
        least = most
        nodes, node_weights = gauss_legendre(points)
        for times in np.unique(halvings[some]):
            of = some[halvings[some] == times]
            left = 0.5 ** np.append(np.arange(times + 1), np.inf)  # what is left of the step at the ends of its parts
            width = (left[:-1] - left[1:])[:, None]
            rest = (left[:-1, None] - width * nodes).reshape(-1)
            steps.append(np.repeat(of, rest.size))
            rests.append(np.tile(rest, of.size))
            weights.append(np.tile((width * node_weights).reshape(-1), of.size))
    return np.concatenate(steps), np.concatenate(rests), np.concatenate(weights)
