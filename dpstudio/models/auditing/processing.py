"""What is done to a released number afterwards: nothing, rounding, clamping or thresholding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.models.auditing.subject import MOST, Subject

_TINY = float(np.finfo(np.float64).tiny)
"""The least outcome above 0."""
FAR = 1e300
"""Where outcomes are as good as infinite."""


@dataclass(frozen=True)
class Edges:
    """Where outcomes are told apart after processing: {processed ≥ edges} is {released ≥ raw}, one by one."""

    edges: Array
    raw: Array
    width: float
    """Of most cells."""
    lattice: float
    """The distance between outcomes, 0 where they are continuous."""


class Processing:
    """Nothing is done."""

    def __call__(self, x: Array) -> Array:
        return x

    def edges(self, subject: Subject) -> Edges:
        """The cells of the processed outcome, from the values that tell the released one apart."""
        cuts = subject.cuts()
        return Edges(cuts, cuts, _width(cuts, subject.lattice), subject.lattice)


    def nearest(self, x: float, lattice: float) -> Array:  # noqa: ARG002 - every cut is kept
        """The cuts of the released outcome that still tell processed ones apart, next to x on either side.

        Of an event that is the better the nearer its cut lies to x these are the best. `lattice` is the released one’s.
        """
        return np.array([min(max(x, -FAR), FAR)])


@dataclass(frozen=True)
class Rounding(Processing):
    """To the nearest multiple of the step, halves up."""

    step: float

    def __call__(self, x: Array) -> Array:
        return np.floor(x / self.step + 0.5) * self.step

    def edges(self, subject: Subject) -> Edges:
        cuts = subject.cuts()
        low, high = (float(np.floor(cut / self.step + 0.5)) for cut in (cuts[0], cuts[-1]))
        stride = max(1.0, np.ceil((high - low) / MOST))
        k = np.unique(np.append(np.arange(low, high, stride), high))
        return Edges(k * self.step, (k - 0.5) * self.step, stride * self.step, self.step)

    def nearest(self, x: float, lattice: float) -> Array:
        if abs(x) >= FAR:
            return super().nearest(x, lattice)
        k = np.floor(x / self.step + 0.5)
        return np.array([(k - 0.5) * self.step, (k + 0.5) * self.step])


@dataclass(frozen=True)
class Clamping(Processing):
    """Into [0, limit]."""

    limit: float

    def __call__(self, x: Array) -> Array:
        return np.clip(x, 0.0, self.limit)

    def edges(self, subject: Subject) -> Edges:
        cuts = subject.cuts()
        least = self._least(subject.lattice)
        edges = np.unique(np.concatenate([[least], cuts[(cuts > least) & (cuts < self.limit)], [self.limit]]))
        return Edges(edges, edges, min(_width(cuts, subject.lattice), self.limit), subject.lattice)


    def nearest(self, x: float, lattice: float) -> Array:
        return np.array([min(max(x, self._least(lattice)), self.limit)])

    def _least(self, lattice: float) -> float:
        """The least outcome above 0."""
        return min(1.0 if lattice == 1 else _TINY, self.limit)


@dataclass(frozen=True)
class Thresholding(Processing):
    """To 1 from the threshold on, else to 0."""

    threshold: float

    def __call__(self, x: Array) -> Array:
        return np.asarray(x >= self.threshold, dtype=np.float64)

    def edges(self, subject: Subject) -> Edges:  # noqa: ARG002 - yes and no, whatever it was
        return Edges(np.ones(1), np.array([self.threshold]), 1.0, 1.0)

    def nearest(self, x: float, lattice: float) -> Array:  # noqa: ARG002 - there is one cut
        return np.array([self.threshold])


def processing(kind: str, at: float) -> Processing:
    """The processing of that name, with its step, limit or threshold."""
    match kind:
        case "rounding":
            return Rounding(at)
        case "clamping":
            return Clamping(at)
        case "thresholding":
            return Thresholding(at)
    return Processing()


def _width(cuts: Array, lattice: float) -> float:
    return float(np.min(np.diff(cuts))) if len(cuts) > 1 else lattice
