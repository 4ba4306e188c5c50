"""What gets noise where a running count is released: nodes of a binary tree, and how far one person moves all.

A node of level l stands for 2^l batches in a row that end at an odd multiple of 2^l, and has noise of its own. The
running count after t batches is the sum of one node for each 1 in the binary digits of t. [Dwork, Naor, Pitassi &
Rothblum 2010; Chan, Shi & Song 2011.]

Moved is the ℓ₁ sensitivity of all counts together. Neighbours differ by one person whose yes is counted or left out, in
every batch that the person is in. Three worlds:

- once: the person is in one batch.
- status: the person is in every batch, is counted once at most in a running count, and may change at every batch.
- visits: the person is in every batch, and each yes of theirs counts.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

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


Whole = npt.NDArray[np.int64]


def levels(batches: npt.ArrayLike) -> Array:
    """L = ⌊log₂ Q⌋ + 1, the nodes that the first batch is in, one of each level; Q whole and ≥ 1, of any shape."""
    return np.frexp(np.asarray(batches, dtype=np.float64))[1].astype(np.float64)


def terms(batch: npt.ArrayLike) -> Array:
    """Nodes that make up the running count after t batches: the 1s among the binary digits of t."""
    return np.bitwise_count(np.asarray(batch, dtype=np.int64)).astype(np.float64)


def largest_terms(batches: npt.ArrayLike) -> Array:
    """The most nodes that any running count up to Q takes, ⌊log₂(Q + 1)⌋: at t = 2^i − 1 all digits are 1."""
    return levels(np.asarray(batches, dtype=np.float64) + 1) - 1


def lengths(batches: npt.ArrayLike, power: int) -> Array:
    """Σ over the nodes up to Q of their numbers of batches, to the power 1 or 2: Σ 2^(l·power) ⌈⌊Q/2^l⌋/2⌉ over levels.

    Each t ≤ Q has one node that ends there, of as many batches as the largest power of two that divides t; no other
    is ever part of a running count, so no other is drawn.
    """
    q = np.asarray(batches, dtype=np.int64)
    total = np.zeros(q.shape)
    for level in range(int(q.max(initial=1)).bit_length()):
        total += (((q >> level) + 1) >> 1) * float(2**level) ** power
    return total


def nodes(batches: npt.ArrayLike) -> tuple[Whole, list[list[int]]]:
    """The nodes that some running counts need, as (level, last batch) by row, and which rows each of them adds up."""
    found: dict[tuple[int, int], int] = {}
    needed = []
    for end in np.asarray(batches, dtype=np.int64).tolist():
        rows = []
        while end:
            level = (end & -end).bit_length() - 1
            rows.append(found.setdefault((level, end), len(found)))
            end &= end - 1
        needed.append(rows)
    return np.array(list(found), dtype=np.int64).reshape(-1, 2), needed
