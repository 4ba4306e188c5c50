"""A generalized decision in doubles: stretches of n, each with the formula that is accurate there."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.mechanisms.decision.curve import Branch, TwoBranches
from dpstudio.mechanisms.decision.precise import ONE, first_integer, ln, precisely
from dpstudio.records import dataclass
from dpstudio.vocabulary import EXACT_INTEGERS

_LEAST = Decimal("1e-305")
"""Probabilities below this are drawn as 0: nearer to the end of the doubles an exponential takes ten times as long."""

TWO = Decimal(2)

_PLACES = 40
"""Digits that tell where one formula takes over from another: any record nearby would do."""

_STRAIGHT = 1e-40
"""Below this ε a curve cannot be told from a straight line within 2⁵³ records, while δ/(e^ε − 1) may overflow."""

_FAR = 2**60
"""Stands for a crossing beyond every number of records."""


@dataclass(frozen=True, slots=True)
class CurvePiece:
    """A stretch first ≤ n < end on which one formula in doubles is accurate: f or g = offset + factor · e(rate · j)."""

    first: float
    end: float
    anchor: float
    rate: float
    """Of j = n − anchor."""
    function: np.ufunc | None
    """expm1 or exp2, or nothing on a straight line."""
    factor: float
    offset: float
    lower: bool
    """Whether this is f."""

    def fill(self, n: Array, accept: bool) -> Array:
        """f(n) (accept) or g(n), in place."""
        complement = accept != self.lower
        n -= self.anchor
        n *= self.rate
        if self.function:
            self.function(n, out=n)
        n *= -self.factor if complement else self.factor
        if complement or self.offset:
            n += 1.0 - self.offset if complement else self.offset
        return n


@dataclass(frozen=True, slots=True)
class Flat:
    """A stretch on which both tails stay as they are."""

    first: float
    end: float
    accept: float
    reject: float

    def fill(self, n: Array, accept: bool) -> Array:
        n.fill(self.accept if accept else self.reject)
        return n


def fill_in(pieces: list[CurvePiece | Flat], n: Array, accept: bool) -> Array:
    """f(n) (accept) or g(n), each by its own piece, in place."""
    least, most = n.min(), n.max()
    present = [piece for piece in pieces if piece.first <= most and least < piece.end]
    if len(present) == 1:
        return present[0].fill(n, accept)
    if (n[:-1] <= n[1:]).all():  # as the points of a picture are: each piece has a slice, and no copy is made
        ends = np.searchsorted(n, [piece.end for piece in present]).tolist()
        for piece, start, end in zip(present, [0, *ends], ends, strict=False):
            if start < end:
                piece.fill(n[start:end], accept)
        return n
    parts = [np.flatnonzero((piece.first <= n) & (n < piece.end)) for piece in present]
    found = [piece.fill(n[part], accept) for piece, part in zip(present, parts, strict=True) if part.size]
    for part, values in zip((part for part in parts if part.size), found, strict=True):
        n[part] = values
    return n


@precisely
def draw(curve: TwoBranches) -> list[CurvePiece | Flat]:
    """The pieces of a curve in order of n."""
    if isinstance(curve.crossing, float):
        return [Flat(0.0, math.inf, float(curve.accept), float(curve.reject))]
    crossing = float(min(max(curve.crossing, -1), _FAR))
    pieces: list[CurvePiece | Flat] = []
    if curve.crossing > 0:
        pieces += _draw_branch(curve.lower, 0, min(curve.crossing - 1, EXACT_INTEGERS))
    if 0 <= curve.crossing <= EXACT_INTEGERS:
        # Either tail may be so small here that only its own value is exact.
        end = crossing + 1 if crossing < EXACT_INTEGERS else math.inf
        pieces.append(Flat(crossing, end, float(curve.accept), float(curve.reject)))
    if curve.crossing < EXACT_INTEGERS:
        pieces += _draw_branch(curve.upper, max(curve.crossing + 1, 0), EXACT_INTEGERS)[::-1]
    return pieces


def _about(branch: Branch, level: Decimal) -> float | int:
    """About the first number of records, counted along the branch, with at least this probability."""
    with localcontext() as context:
        context.prec = _PLACES
        return first_integer(branch.sign * branch.where(level))


def _draw_branch(branch: Branch, first: int, last: int) -> list[CurvePiece | Flat]:
    """The pieces of a branch between two numbers of records, from its far end to the crossing.

    Each double is the nearest to its real number. From the far end, with a there, a + (a + s)(e^(εj) − 1) adds only
    what is positive, and is good to where the probability is s/4; from there on (b + s) e^(−εi) − s, counted from the
    crossing, is as good and faster. Only the latter is needed for δ = 0, and for tiny ε only a straight line,
    a + (δ + ε a) j.
    """
    law, sign = branch.law, branch.sign
    far, near = (first, last) if sign > 0 else (-last, -first)
    # Mirrored, so that the branch rises with the number: n stands for −n on the upper one.
    end = max(sign * branch.end, _about(branch, _LEAST))
    start = int(min(max(end, far), near + 1))
    pieces: list[CurvePiece | Flat] = []

    def ends(low: int, high: int) -> tuple[float, float]:
        low, high = (low, high) if sign > 0 else (1 - high, 1 - low)
        return float(low), float(high) if high <= EXACT_INTEGERS else math.inf

    def piece(low: int, high: int, anchor: int, rate: Decimal, function: np.ufunc | None, factor: Decimal,
              offset: Decimal) -> None:
        if low < high:
            pieces.append(CurvePiece(*ends(low, high), float(sign * anchor), float(sign * rate), function,
                                     float(factor), float(offset), sign > 0))

    if far < start:
        pieces.append(Flat(*ends(far, start), float(sign < 0), float(sign > 0)))
    if start > near:
        return pieces
    value = branch.value(sign * start)
    if law.epsilon < _STRAIGHT:
        piece(start, near + 1, start, ONE, None, law.delta + law.epsilon * value, value)
        return pieces
    spread = law.delta / law.growth
    split = int(min(max(_about(branch, spread / 4), start), near + 1))
    piece(start, split, start, law.epsilon, np.expm1, value + spread, value)
    piece(split, near + 1, near, law.epsilon / ln(TWO), np.exp2, branch.value(sign * near) + spread, -spread)
    return pieces
