"""What the exact law of a pair of neighbours says of it: ε beside a δ, and δ beside an ε.

For events S and both directions of the pair, with P(S) on the dataset that makes S the likelier one and Q(S) on the
other,

    ε(δ) = max ln((P(S) − δ)/Q(S))   and   δ(ε) = max P(S) − e^ε Q(S).

The likelihood ratio of outcomes never falls as they grow, and processing that keeps their order keeps that so. Then by
Neyman and Pearson’s lemma no event exceeds the tails at the crossing where the ratio passes e^ε. Both are taken from
ln P and the loss ℓ = ln P/Q, P − e^ε Q = P (1 − e^(ε − ℓ)), so that nothing is lost where P and Q are no doubles.
[Dwork & Roth 2014, Definition 2.4; Balle & Wang 2018, Theorem 5.]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.models.auditing.processing import Processing
from dpstudio.models.auditing.subject import Subject, Tail

FULL = float(np.finfo(np.float64).tiny)
"""The smallest double that has all its digits."""
_ALIKE = 1e-13
"""Losses that differ by less than this part of them are equal."""
_DIGITS = 1e-10
"""Where P − δ is a smaller part of P than this, rounding has eaten what it says."""
_PATIENCE = 200


@dataclass(frozen=True)
class Law:
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
        above, under = subject.above(up), subject.under(down)
        return Tail(np.concatenate([above.log, under.log]), np.concatenate([above.loss, under.loss]))


def epsilon_beside(tails: Tail, delta: float) -> Array:
    """ln((P − δ)/Q) of events, −∞ where P ≤ δ."""
    if not delta:
        return tails.loss
    gone = math.log(delta) - tails.log
    said = gone < -_DIGITS
    return np.where(said, tails.loss + np.log1p(-np.exp(np.where(said, gone, -1.0))), -np.inf)
