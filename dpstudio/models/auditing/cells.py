"""What is done to a released number, its outcomes cut into cells, and what the exact law of a pair of neighbours says.

Processing is nothing, rounding, clamping or thresholding. Events are the two tails at every edge and every single cell
between two edges. For events S and both directions of the pair, with P(S) on the dataset that makes S the likelier one
and Q(S) on the other,

    ε(δ) = max ln((P(S) − δ)/Q(S))   and   δ(ε) = max P(S) − e^ε Q(S).

The likelihood ratio of outcomes never falls as they grow, and processing that keeps their order keeps that so. Then by
Neyman and Pearson’s lemma no event exceeds the tails at the crossing where the ratio passes e^ε. Both are taken from
ln P and the loss ℓ = ln P/Q, P − e^ε Q = P (1 − e^(ε − ℓ)), so that nothing is lost where P and Q are no doubles.
[Dwork & Roth 2014, Definition 2.4; Balle & Wang 2018, Theorem 5.]
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.models.auditing.subject import MOST, Subject, Tail
from dpstudio.records import cached_property, dataclass

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


FULL = float(np.finfo(np.float64).tiny)
"""The smallest double that has all its digits."""
_ALIKE = 1e-13
"""Losses that differ by less than this part of them are equal."""
_DIGITS = 1e-10
"""Where P − δ is a smaller part of P than this, rounding has eaten what it says."""
_PATIENCE = 200


@dataclass(frozen=True)
class PairLaw:
    """The processed outcome on both datasets."""

    subject: Subject
    process: Processing

    def epsilon(self, delta: float) -> float:
        """The largest ε that any event shows beside δ, 0 where none shows any.

        Without δ the ratio of tails grows with the distance of their cut. With it the ratio of P − δ and Q is made the
        largest by Dinkelbach’s steps: each takes the event with the largest P − δ − e^ε Q at the ε of the last one.
        """
        if not delta:
            return max(0.0, float(self._tails(math.inf).loss.max()))
        found = 0.0
        for _ in range(_PATIENCE):
            better = float(epsilon_beside(self._tails(found), delta).max())
            if not better > found * (1 + _ALIKE / 10):
                break
            found = better
        return found

    def log_delta(self, epsilon: float) -> float:
        """ln of the δ that the pair needs beside ε, −∞ where it needs none."""
        tails = self._tails(epsilon)
        more = tails.loss * (1 - _ALIKE) > epsilon
        excess = np.where(more, tails.loss, np.inf) - epsilon
        return float(np.where(more, tails.log + np.log(-np.expm1(-excess)), -np.inf).max())

    def delta(self, epsilon: float) -> float:
        """The δ that the pair needs beside ε, exactly 0.0 where it needs none; below `FULL` it is rounded up."""
        delta = math.exp(log := self.log_delta(epsilon))
        return math.nextafter(delta, 1.0) if delta < FULL and log > -math.inf else delta

    def _tails(self, epsilon: float) -> Tail:
        """The events among which the one with the largest P − e^ε Q is, in both directions."""
        subject, nearest = self.subject, self.process.nearest
        up, down = (nearest(subject.crossing(loss), subject.lattice) for loss in (epsilon, -epsilon))
        above, under = subject.tail(up, upper=True), subject.tail(down, upper=False)
        return Tail(np.concatenate([above.log, under.log]), np.concatenate([above.loss, under.loss]))


def epsilon_beside(tails: Tail, delta: float) -> Array:
    """ln((P − δ)/Q) of events, −∞ where P ≤ δ."""
    if not delta:
        return tails.loss
    gone = math.log(delta) - tails.log
    said = gone < -_DIGITS
    return np.where(said, tails.loss + np.log1p(-np.exp(np.where(said, gone, -1.0))), -np.inf)


CellCounts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OutcomeCells:
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
        under, over = (np.stack([subject.chance(raw, i, upper=upper) for i in (0, 1)]) for upper in (False, True))
        return under, over

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

    @staticmethod
    def gathered(counts: CellCounts) -> CellCounts:
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
        return np.stack([epsilon_beside(subject.tail(raw, upper=upper), delta) for upper in (True, False)])

    @cached_property
    def exactly(self) -> PairLaw:
        """What the law says of all events, wherever the edges are."""
        return PairLaw(self.subject, self.process)
