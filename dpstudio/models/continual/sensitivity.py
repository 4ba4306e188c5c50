"""How far one person can move everything that gets noise: the ℓ₁ sensitivity of all counts together.

Neighbours differ by one person whose yes is counted or left out, in every batch that the person is in. Three worlds:

- once: the person is in one batch.
- status: the person is in every batch, is counted once at most in a running count, and may change at every batch.
- visits: the person is in every batch, and each yes of theirs counts.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.models.continual.tree import lengths, levels

STRATEGIES = ("sequential", "retrain", "skewed", "tree")
MEMBERSHIPS = ("once", "status", "visits")


def sensitivity(strategy: str, who: str, batches: npt.ArrayLike) -> Array:
    """Δ₁ of the counts that get noise, Q whole and ≥ 1, of any shape.

    Batch counts (sequential): 1 once, else Q. Running counts (retrain): Q, and visits 1 + 2 + … + Q. Nodes of the
    tree: L once, status Q (there are Q nodes), visits the batches of all nodes, Σ 2^l ⌈⌊Q/2^l⌋/2⌉.
    """
    assert strategy != "skewed", "its releases have two scales: see skewed_sensitivities"
    q = np.asarray(batches, dtype=np.float64)
    match strategy, who:
        case "sequential", "once":
            return np.ones(q.shape)
        case "retrain", "visits":
            return np.asarray(q * (q + 1) / 2)
        case "tree", "once":
            return levels(q)
        case "tree", "visits":
            return lengths(q, 1)
    return q


def squared_sensitivity(strategy: str, who: str, batches: npt.ArrayLike) -> Array:
    """Δ₂² of the same counts, which Gaussian noise is measured against; it is Δ₁ where every move is by 1."""
    q = np.asarray(batches, dtype=np.float64)
    match strategy, who:
        case "retrain", "visits":
            return np.asarray(q * (q + 1) * (2 * q + 1) / 6)
        case "tree", "visits":
            return lengths(q, 2)
    return sensitivity(strategy, who, q)


def skewed_sensitivities(who: str, batches: npt.ArrayLike) -> tuple[Array, Array]:
    """What one person moves all running counts but the last by, together, and the last by: Q − 1 and 1, visits more."""
    q = np.asarray(batches, dtype=np.float64)
    if who == "visits":
        return np.asarray(q * (q - 1) / 2), q
    return np.asarray(q - 1), np.ones(q.shape)
