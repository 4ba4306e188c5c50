"""The outcomes cut into cells, the events made of them, and the exact probability of each on both neighbours.

Events are the two tails at every edge and every single cell between two edges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.models.auditing.law import Law, epsilon_beside
from dpstudio.models.auditing.processing import Edges, Processing
from dpstudio.models.auditing.subject import Subject

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of a processed outcome: below the first edge, [edge, next edge), and from the last edge on."""

    subject: Subject
    process: Processing

    @cached_property
    def _edges(self) -> Edges:
        return self.process.edges(self.subject)

    @property
    def edges(self) -> Array:
        return self._edges.edges

    @property
    def lattice(self) -> float:
        """The distance between outcomes, 0 where they are continuous."""
        return self._edges.lattice

    @property
    def number(self) -> int:
        return len(self.edges) + 1

    @cached_property
    def bounds(self) -> Array:
        """Where each cell begins and the last ends, in a picture: whole numbers stand as bars around themselves."""
        edges, width = self.edges, self._edges.width
        shift = self._edges.lattice / 2
        return np.concatenate([[edges[0] - width], edges, [edges[-1] + width]]) - shift

    def drawn(self, neighbour: int, size: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
        """The cells of so many outcomes."""
        outcome = self.process(self.subject.sample(neighbour, size, rng))
        return np.searchsorted(self.edges, outcome, side="right")

    @cached_property
    def _tails(self) -> tuple[Array, Array]:
        """Pr[outcome < edge] and Pr[outcome ≥ edge], each of shape (2, edges): n records first."""
        raw, subject = self._edges.raw, self.subject
        return (np.stack([subject.below(raw, i) for i in (0, 1)]),
                np.stack([subject.at_least(raw, i) for i in (0, 1)]))

    @cached_property
    def masses(self) -> Array:
        """The exact probability of each cell, of shape (2, cells), from whichever tail is the smaller."""
        under, over = self._tails
        inside = np.where(under[:, 1:] <= over[:, :-1], np.diff(under), -np.diff(over))
        return np.concatenate([under[:, :1], np.maximum(inside, 0.0), over[:, -1:]], axis=1)

    @cached_property
    def law(self) -> Array:
        """The exact probability of each event, of shape (2, events)."""
        under, over = self._tails
        return np.concatenate([over, under, self.masses[:, 1:-1]], axis=1)

    def gathered(self, counts: Counts) -> Counts:
        """Counts of events from counts of cells, along the last axis."""
        up = np.cumsum(counts, axis=-1)
        under = up[..., :-1]
        return np.concatenate([up[..., -1:] - under, under, counts[..., 1:-1]], axis=-1)

    def stretch(self, event: int) -> tuple[float, float]:
        """The outcomes of an event: from, and up to but without."""
        edges, k = self.edges, len(self.edges)
        if event < k:
            return float(edges[event]), math.inf
        if event < 2 * k:
            return -math.inf, float(edges[event - k])
        return float(edges[event - 2 * k]), float(edges[event - 2 * k + 1])

    def epsilon(self, delta: float) -> Array:
        """ln((P − δ)/Q) of both tails at every edge, of shape (2, edges): from it on for a record, below it against.

        −∞ where P ≤ δ, ∞ where only Q is 0.
        """
        raw, subject = self._edges.raw, self.subject
        return np.stack([epsilon_beside(tails, delta) for tails in (subject.above(raw), subject.under(raw))])

    @cached_property
    def exactly(self) -> Law:
        """What the law says of all events, wherever the edges are."""
        return Law(self.subject, self.process)
