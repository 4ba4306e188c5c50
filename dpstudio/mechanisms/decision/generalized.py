"""The steepest (ε, δ) decision through one point."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Self

import numpy as np

from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.mechanisms.decision.base import EpsilonDecision, Outcome, Pair, both_tails, parameter_value
from dpstudio.mechanisms.decision.precise import (
    HALF,
    INFINITY,
    ONE,
    ZERO,
    as_float,
    expm1,
    first_integer,
    ln,
    log1p,
    precisely,
    tie,
)
from dpstudio.vocabulary import (
    CENTRE,
    COMPLEMENT,
    DELTA,
    EPSILON_OR_ZERO,
    EXACT_INTEGERS,
    MINIMUM,
    TARGET,
    UNIT,
)

_LEAST = Decimal("1e-305")
"""Probabilities below this are drawn as 0: nearer to the end of the doubles an exponential takes ten times as long."""

TWO = Decimal(2)

_STRAIGHT = 1e-40
"""Below this ε a curve cannot be told from a straight line within 2⁵³ records, while δ/(e^ε − 1) may overflow."""

_FAR = 2**60
"""Stands for a crossing beyond every number of records."""


@dataclass(frozen=True)
class GeneralizedDecision(EpsilonDecision):
    """The steepest (ε, δ)-DP decision with f(m) = p, the largest of all above m and the smallest below it.

    f(N+1) = min(e^ε f(N) + δ, 1 − e^−ε (1 − f(N) − δ), 1) upwards from m, and the mirror image downwards; a straight
    line of slope δ for ε = 0. With s = δ/(e^ε − 1) every step is a step on one of two exponentials,
    f = (a + s) e^(ε j) − s on the lower branch and g = (b + s) e^(−ε j) − s on the upper, clipped at 0, and they meet
    where f passes (1 − δ)/(1 + e^ε). `minimum` is whole, `target` in [0, 1]; with target 0 at minimum 0 this is optimal
    partition selection. A target near 1 is given by its complement.
    [Seed 003, (6.5), (6.10)–(6.26); Desfontaines, Voss, Gipson & Mandayam 2022, arXiv 2006.03684, Theorem 1.]
    """

    epsilon: float = parameter(EPSILON_OR_ZERO)
    delta: float = parameter(DELTA)
    minimum: int = parameter(MINIMUM)
    target: float = parameter(TARGET)
    complement: float | None = parameter(COMPLEMENT, optional=True)
    _at_centre: bool = field(default=False, init=False, repr=False)
    """Whether the target stands for the seed's p₀, which is no double."""

    def __post_init__(self) -> None:
        super().__post_init__()
        both_tails(self.target, self.complement, UNIT)

    @classmethod
    def centred(cls, epsilon: float, delta: float, centre: int) -> Self:
        """The decision with f(centre) = p₀ = (e^ε + δ)/(e^ε + 1), hence g(centre) = f(centre − 1) = (1 − δ)/(e^ε + 1).

        `centre` is whole: a curve through p₀ at a fraction φ of a record would need
        δ + (1 − p₀ + s)(e^(εφ) − 1)(e^(ε(1−φ)) − 1) at its crossing, and so break its guarantee.
        [Seed 003, (6.10), (6.18), (6.26); for δ = 0 Ghosh, Roughgarden & Sundararajan 2012.]
        """
        epsilon = parameter_value(EPSILON_OR_ZERO, epsilon)
        delta = parameter_value(DELTA, delta)
        if CENTRE.domain.accept(centre) is None:
            why = "between whole numbers the curve would break its (ε, δ) guarantee where it crosses"
            raise InvalidParameter("centre", CENTRE.domain, centre, why)
        decision = cls(epsilon, delta, centre, *_centre(epsilon, delta))
        object.__setattr__(decision, "_at_centre", True)
        return decision

    @cached_property
    @precisely
    def _curve(self) -> _Curve:
        law = _law(self.epsilon, self.delta)
        if self._at_centre:
            return _Curve(law, self.minimum, 1 - law.turn, law.turn)
        p, q = both_tails(self.target, self.complement, UNIT)
        # The smaller of the two is exact.
        if p <= q:
            return _Curve(law, self.minimum, Decimal(p), 1 - Decimal(p))
        return _Curve(law, self.minimum, 1 - Decimal(q), Decimal(q))

    @cached_property
    def _pieces(self) -> list[_Piece | _Level]:
        return _draw(self._curve)

    def _accept(self, n: Array) -> Array:
        return _fill(self._pieces, n, accept=True)

    def _reject(self, n: Array) -> Array:
        return _fill(self._pieces, n, accept=False)

    def _loss_accept(self, n: Array) -> Array:
        before, after = self._both(n), self._both(n + 1)
        within, beside = self._loss_within(before[0], after[0]), self._loss_beside(before[1], after[1], before[0])
        return np.where(n < as_float(self._curve.crossing), within, beside)

    def _loss_reject(self, n: Array) -> Array:
        # "no" going down is "yes" going up.
        before, after = self._both(n + 1), self._both(n)
        within, beside = self._loss_within(before[1], after[1]), self._loss_beside(before[0], after[0], before[1])
        return np.where(n < as_float(self._curve.crossing), beside, within)

    def _both(self, n: Array) -> tuple[Array, Array]:
        return self._accept(n.copy()), self._reject(n.copy())

    def _loss_within(self, low: Array, high: Array) -> Array:
        """ln high/low for a step high = e^ε low + δ of the outcome's own branch."""
        if not self.delta:
            # Also where both have underflowed; but a curve that is 0 everywhere loses nothing.
            return np.full(low.shape, self.epsilon if self._curve.moves else 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = self.epsilon + np.log1p(self.delta * math.exp(-self.epsilon) / low)
        return np.where(low > 0, loss, np.where(high > 0, math.inf, 0.0))

    def _loss_beside(self, high: Array, low: Array, other: Array) -> Array:
        """ln (other + high − low)/other for a step high = e^ε low + δ of the opposite outcome."""
        fall = np.where(low > 0, -math.expm1(-self.epsilon) * high + self.delta * math.exp(-self.epsilon), high)
        if not self.delta:
            fall = -math.expm1(-self.epsilon) * high
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(other > 0, np.log1p(fall / other), np.where(high > 0, math.inf, 0.0))

    def _pairs(self, epsilon: Array) -> Iterable[Pair]:
        change = np.expm1(np.minimum(epsilon - self.epsilon, 700.0))
        for value, n, outcome in self._curve.clipped_pairs:
            yield Pair(np.full(epsilon.shape, value), n, outcome)
        for gain, n, outcome in self._curve.steps:
            yield Pair(self.delta - gain * change, n, outcome)

    @precisely
    def _first(self, accept: Decimal, reject: Decimal) -> float:
        n = super()._first(accept, reject)
        if not accept or n >= EXACT_INTEGERS or not self._curve.moves:
            return n
        # Beside a large δ the positions of two tiny probabilities agree to all digits; the probabilities do not.
        return n if self._curve.reaches(int(n), accept, reject) else n + 1

    @precisely
    def _where(self, accept: Decimal, reject: Decimal) -> Decimal:
        return self._curve.where(accept, reject)


class _Law:
    """One step of a rare outcome: from probability a to e^ε a + δ."""

    def __init__(self, epsilon: Decimal, delta: Decimal) -> None:
        self.epsilon, self.delta = epsilon, delta
        self.growth = expm1(epsilon)
        self.turn = (1 - delta) / (2 + self.growth)
        """1 − p₀: from above this probability the opposite outcome sets the step."""

    def after(self, level: Decimal, steps: int) -> Decimal:
        """Probability so many steps above a level: a e^(εj) + δ (e^(εj) − 1)/(e^ε − 1)."""
        if not self.epsilon:
            return level + self.delta * steps
        risen = expm1(self.epsilon * steps)
        # The quotient is exactly 1 for one step, which δ = 1 takes from 0 to 1.
        return level + level * risen + self.delta * (risen / self.growth)

    def before(self, level: Decimal, steps: int) -> Decimal:
        """Probability so many steps below a level."""
        if not self.epsilon or not self.delta:
            return (level - self.delta * steps) * (-self.epsilon * steps).exp()
        risen = expm1(self.epsilon * steps)
        return (level - self.delta * (risen / self.growth)) / (1 + risen)

    def steps(self, a: Decimal, b: Decimal) -> Decimal:
        """Real number of steps from probability a to b: ln((b + s)/(a + s))/ε, infinite where steps lead nowhere."""
        if a == b:
            return ZERO
        if not self.epsilon:
            return (b - a) / self.delta if self.delta else INFINITY.copy_sign(b - a)
        start = a * self.growth + self.delta
        if not start:
            return INFINITY
        rise = (b - a) * self.growth / start
        # Near −1 the rise has lost what the quotient keeps.
        return (log1p(rise) if abs(rise) < HALF else ((b * self.growth + self.delta) / start).ln()) / self.epsilon


class _Branch:
    """The steps of one outcome, unclipped, through a level at an anchor; it rises with n (sign 1) or falls (−1)."""

    def __init__(self, law: _Law, anchor: int, level: Decimal, sign: int) -> None:
        self.law, self.anchor, self.level, self.sign = law, anchor, level, sign

    def value(self, n: int) -> Decimal:
        steps = self.sign * (n - self.anchor)
        if steps >= 0:
            return self.law.after(self.level, steps)
        # After 10⁹⁰ steps even these digits may not tell the last probability from 0.
        return max(self.law.before(self.level, -steps), ZERO)

    def where(self, level: Decimal) -> Decimal:
        """The real number of records at which the branch has this level."""
        return self.anchor + self.sign * self.law.steps(self.level, level)

    @cached_property
    def end(self) -> float | int:
        """The last n, going down the branch, with a positive probability; infinite where δ = 0."""
        if not self.law.delta:
            return -self.sign * math.inf
        steps = first_integer(self.law.steps(ZERO, self.level))
        return self.anchor - self.sign * (max(steps, 1) - 1 if self.level else -1)


class _Curve:
    """The real numbers behind a decision: its two branches, and the number of records where they meet.

    Up to the crossing f takes steps of the lower branch, from there on g takes steps of the upper one. The crossing is
    the first n above an anchor p ≤ 1 − p₀ at which f has passed 1 − p₀; the mirror image of that for 1 − p ≤ 1 − p₀;
    and the anchor itself in between.
    """

    def __init__(self, law: _Law, minimum: int, accept: Decimal, reject: Decimal) -> None:
        self.law = law
        self.crossing: float | int = minimum
        self.accept, self.reject = accept, reject
        self.lower, self.upper = _Branch(law, minimum, accept, 1), _Branch(law, minimum, reject, -1)
        if accept <= law.turn:
            steps = self._steps_to_turn(accept)
            self.crossing = minimum + steps
            if not isinstance(steps, float):
                self.accept = law.after(accept, steps)
                self.reject = 1 - self.accept
                self.upper = _Branch(law, minimum + steps, self.reject, -1)
        elif reject <= law.turn:
            steps = self._steps_to_turn(reject)
            self.crossing = minimum - steps
            if not isinstance(steps, float):
                self.reject = law.after(reject, steps)
                self.accept = 1 - self.reject
                self.lower = _Branch(law, minimum - steps, self.accept, 1)

    def _steps_to_turn(self, level: Decimal) -> float | int:
        """Steps until a level has passed the turn; infinite for a decision that is the same for every N."""
        steps = self.law.steps(level, self.law.turn)
        if not self.law.delta and (not level or not self.law.epsilon):
            return math.inf
        return 1 - first_integer(-steps)

    @property
    def moves(self) -> bool:
        """Whether the decision depends on N at all."""
        return not isinstance(self.crossing, float)

    def reaches(self, n: int, accept: Decimal, reject: Decimal) -> bool:
        """Whether f(n) ≥ accept, that is g(n) ≤ reject."""
        if n < self.crossing:
            return self.lower.value(n) >= accept * (1 - tie())
        if n > self.crossing:
            return self.upper.value(n) <= reject * (1 + tie())
        return self.accept >= accept * (1 - tie()) if self.accept <= HALF else self.reject <= reject * (1 + tie())

    @cached_property
    @precisely
    def clipped_pairs(self) -> list[tuple[float, float, Outcome]]:
        """What the pairs at a clip need, with their n: at every ε the probability that becomes possible there.

        With f(n) = 0, "yes" needs f(n+1), and "no" 1 − e^ε g(n+1), which is not more. The top mirrors that.
        """
        if isinstance(self.crossing, float):
            return []
        found: list[tuple[float, float, Outcome]] = []
        bottom, top = self.lower.end, self.upper.end
        if isinstance(bottom, int) and 1 <= bottom <= self.crossing:
            found.append((float(self.lower.value(bottom)), as_float(bottom - 1), "accept"))
        if isinstance(top, int) and top >= max(self.crossing, 0):
            found.append((float(self.upper.value(top)), as_float(top), "reject"))
        return found

    @cached_property
    @precisely
    def steps(self) -> list[tuple[float, float, Outcome]]:
        """e^ε times the smaller probability of the steps that can be the worst, with their n.

        On the lower branch "yes" needs f(n+1) − e^ε′ f(n) = δ − (e^(ε′−ε) − 1) e^ε f(n), which is monotone in f(n):
        the ends of the branch decide. "No" needs (e^ε′ − 1)(1 + e^ε)(1 − p₀ − f(n)) ≥ 0 less. The upper branch mirrors
        that.
        """
        if isinstance(self.crossing, float):
            return []
        factor = 1 + self.law.growth
        found: list[tuple[float, float, Outcome]] = []
        first, last = max(self.lower.end, 0), self.crossing - 1
        if isinstance(first, int) and first <= last:
            found += [(float(factor * self.lower.value(n)), as_float(n), "accept") for n in (first, last)]
        first, end = max(self.crossing, 0), self.upper.end
        if first < end:
            # Without δ the branch has no end, and needs less and less.
            ends = (first, end - 1) if isinstance(end, int) else (first,)
            found += [(float(factor * self.upper.value(n + 1)), as_float(n), "reject") for n in ends]
        return found

    def where(self, accept: Decimal, reject: Decimal) -> Decimal:
        """The real n at which the curve has these tails; −∞ or ∞ where a curve that never moves lies above or below."""
        low = reject >= self.reject * (1 - tie()) if self.reject <= HALF else accept <= self.accept * (1 + tie())
        if isinstance(self.crossing, float):
            return -INFINITY if low else INFINITY
        return self.lower.where(accept) if low else self.upper.where(reject)


@dataclass(frozen=True, slots=True)
class _Piece:
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
class _Level:
    """A stretch on which both tails stay as they are."""

    first: float
    end: float
    accept: float
    reject: float

    def fill(self, n: Array, accept: bool) -> Array:
        n.fill(self.accept if accept else self.reject)
        return n


def _fill(pieces: list[_Piece | _Level], n: Array, accept: bool) -> Array:
    """f(n) (accept) or g(n), each by its own piece, in place."""
    least, most = n.min(), n.max()
    present = [piece for piece in pieces if piece.first <= most and least < piece.end]
    if len(present) == 1:
        return present[0].fill(n, accept)
    parts = [np.flatnonzero((piece.first <= n) & (n < piece.end)) for piece in present]
    found = [piece.fill(n[part], accept) for piece, part in zip(present, parts, strict=True) if part.size]
    for part, values in zip((part for part in parts if part.size), found, strict=True):
        n[part] = values
    return n


@precisely
def _draw(curve: _Curve) -> list[_Piece | _Level]:
    """The pieces of a curve in order of n."""
    if isinstance(curve.crossing, float):
        return [_Level(0.0, math.inf, float(curve.accept), float(curve.reject))]
    crossing = float(min(max(curve.crossing, -1), _FAR))
    pieces: list[_Piece | _Level] = []
    if curve.crossing > 0:
        pieces += _draw_branch(curve.lower, 0, min(curve.crossing - 1, EXACT_INTEGERS))
    if 0 <= curve.crossing <= EXACT_INTEGERS:
        # Either tail may be so small here that only its own value is exact.
        end = crossing + 1 if crossing < EXACT_INTEGERS else math.inf
        pieces.append(_Level(crossing, end, float(curve.accept), float(curve.reject)))
    if curve.crossing < EXACT_INTEGERS:
        pieces += _draw_branch(curve.upper, max(curve.crossing + 1, 0), EXACT_INTEGERS)[::-1]
    return pieces


def _draw_branch(branch: _Branch, first: int, last: int) -> list[_Piece | _Level]:
    """The pieces of a branch between two numbers of records, from its far end to the crossing.

    Each double is the nearest to its real number. From the far end, with a there, a + (a + s)(e^(εj) − 1) adds only
    what is positive, and is good to where the probability is s/4; from there on (b + s) e^(−εi) − s, counted from the
    crossing, is as good and faster. Only the latter is needed for δ = 0, and for tiny ε only a straight line,
    a + (δ + ε a) j.
    """
    law, sign = branch.law, branch.sign
    far, near = (first, last) if sign > 0 else (-last, -first)
    # Mirrored, so that the branch rises with the number: n stands for −n on the upper one.
    end = max(sign * branch.end, first_integer(sign * branch.where(_LEAST)))
    start = int(min(max(end, far), near + 1))
    pieces: list[_Piece | _Level] = []

    def ends(low: int, high: int) -> tuple[float, float]:
        low, high = (low, high) if sign > 0 else (1 - high, 1 - low)
        return float(low), float(high) if high <= EXACT_INTEGERS else math.inf

    def piece(low: int, high: int, anchor: int, rate: Decimal, function: np.ufunc | None, factor: Decimal,
              offset: Decimal) -> None:
        if low < high:
            pieces.append(_Piece(*ends(low, high), float(sign * anchor), float(sign * rate), function, float(factor),
                                 float(offset), sign > 0))

    if far < start:
        pieces.append(_Level(*ends(far, start), float(sign < 0), float(sign > 0)))
    if start > near:
        return pieces
    value = branch.value(sign * start)
    if law.epsilon < _STRAIGHT:
        piece(start, near + 1, start, ONE, None, law.delta + law.epsilon * value, value)
        return pieces
    spread = law.delta / law.growth
    split = int(min(max(first_integer(sign * branch.where(spread / 4)), start), near + 1))
    piece(start, split, start, law.epsilon, np.expm1, value + spread, value)
    piece(split, near + 1, near, law.epsilon / ln(TWO), np.exp2, branch.value(sign * near) + spread, -spread)
    return pieces


@precisely
def _law(epsilon: float, delta: float) -> _Law:
    # No double can tell e^−ε from 0 beyond this, and e^ε stays within the decimals' exponents.
    return _Law(min(Decimal(epsilon), Decimal(10) ** 6), Decimal(delta))


@precisely
def _centre(epsilon: float, delta: float) -> tuple[float, float]:
    turn = _law(epsilon, delta).turn
    return float(1 - turn), float(turn)
