"""The real numbers behind a generalized decision: its law of steps, its branches and where they meet."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.mechanisms.decision.precise import (
    HALF,
    INFINITY,
    ZERO,
    as_float,
    expm1,
    first_integer,
    ln,
    log1p,
    precisely,
    tie,
)
from dpstudio.records import cached_property


class Steps:
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
        grown, added = level and level * risen, self.delta and self.delta * (risen / self.growth)  # risen may be ∞
        return level + grown + added

    def before(self, level: Decimal, steps: int) -> Decimal:
        """Probability so many steps below a level, 0 where it differs from that by no more than its rounding."""
        risen = expm1(self.epsilon * steps)
        left = level - (self.delta and self.delta * (risen / self.growth if self.epsilon else steps))  # risen may be ∞
        return left / (1 + risen) if abs(left) > tie() * level else ZERO

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
        return (log1p(rise) if abs(rise) < HALF else ln((b * self.growth + self.delta) / start)) / self.epsilon


class Branch:
    """The steps of one outcome, unclipped, through a level at an anchor; it rises with n (sign 1) or falls (−1)."""

    def __init__(self, law: Steps, anchor: int, level: Decimal, sign: int) -> None:
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

    @precisely
    def logs(self, n: Array) -> Array:
        """ln of the branch at each n, −∞ where it is clipped at 0."""
        if not self.law.delta:
            steps = self.sign * (n - as_float(self.anchor))
            return float(ln(self.level)) + float(self.law.epsilon) * steps
        values = [self.value(int(each)) for each in n]
        return np.array([float(ln(value)) if value > 0 else -math.inf for value in values])

    @cached_property
    def end(self) -> float | int:
        """The last n, going down the branch, with a positive probability; infinite where δ = 0."""
        if not self.law.delta:
            return -self.sign * math.inf
        steps = first_integer(self.law.steps(ZERO, self.level))
        return self.anchor - self.sign * (max(steps, 1) - 1 if self.level else -1)


class TwoBranches:
    """The real numbers behind a decision: its two branches, and the number of records where they meet.

    Up to the crossing f takes steps of the lower branch, from there on g takes steps of the upper one. The crossing is
    the first n above an anchor p ≤ 1 − p₀ at which f has passed 1 − p₀; the mirror image of that for 1 − p ≤ 1 − p₀;
    and the anchor itself in between.
    """

    def __init__(self, law: Steps, minimum: int, accept: Decimal, reject: Decimal) -> None:
        self.law = law
        self.crossing: float | int = minimum
        self.accept, self.reject = accept, reject
        self.lower, self.upper = Branch(law, minimum, accept, 1), Branch(law, minimum, reject, -1)
        if accept <= law.turn:
            steps = self._steps_to_turn(accept)
            self.crossing = minimum + steps
            if not isinstance(steps, float):
                self.accept = law.after(accept, steps)
                self.reject = 1 - self.accept
                self.upper = Branch(law, minimum + steps, self.reject, -1)
        elif reject <= law.turn:
            steps = self._steps_to_turn(reject)
            self.crossing = minimum - steps
            if not isinstance(steps, float):
                self.reject = law.after(reject, steps)
                self.accept = 1 - self.reject
                self.lower = Branch(law, minimum - steps, self.accept, 1)

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
    def clipped_pairs(self) -> list[tuple[float, float, bool]]:
        """What the pairs at a clip need, with their n: at every ε the probability that becomes possible there.

        With f(n) = 0, "yes" needs f(n+1), and "no" 1 − e^ε g(n+1), which is not more. The top mirrors that.
        """
        if isinstance(self.crossing, float):
            return []
        found: list[tuple[float, float, bool]] = []
        bottom, top = self.lower.end, self.upper.end
        if isinstance(bottom, int) and 1 <= bottom <= self.crossing:
            found.append((float(self.lower.value(bottom)), as_float(bottom - 1), True))
        if isinstance(top, int) and top >= max(self.crossing, 0):
            found.append((float(self.upper.value(top)), as_float(top), False))
        return found

    @cached_property
    @precisely
    def steps(self) -> list[tuple[float, float, bool]]:
        """e^ε times the smaller probability of the steps that can be the worst, with their n.

        On the lower branch "yes" needs f(n+1) − e^ε′ f(n) = δ − (e^(ε′−ε) − 1) e^ε f(n), which is monotone in f(n):
        the ends of the branch decide. "No" needs (e^ε′ − 1)(1 + e^ε)(1 − p₀ − f(n)) ≥ 0 less. The upper branch mirrors
        that.
        """
        if isinstance(self.crossing, float):
            return []
        factor = 1 + self.law.growth
        found: list[tuple[float, float, bool]] = []
        first, last = max(self.lower.end, 0), self.crossing - 1
        if isinstance(first, int) and first <= last:
            found += [(float(factor * self.lower.value(n)), as_float(n), True) for n in (first, last)]
        first, end = max(self.crossing, 0), self.upper.end
        if first < end:
            # Without δ the branch has no end, and needs less and less.
            ends = (first, end - 1) if isinstance(end, int) else (first,)
            found += [(float(factor * self.upper.value(n + 1)), as_float(n), False) for n in ends]
        return found

    def where(self, accept: Decimal, reject: Decimal) -> Decimal:
        """The real n at which the curve has these tails; −∞ or ∞ where a curve that never moves lies above or below."""
        low = reject >= self.reject * (1 - tie()) if self.reject <= HALF else accept <= self.accept * (1 + tie())
        if isinstance(self.crossing, float):
            return -INFINITY if low else INFINITY
        return self.lower.where(accept) if low else self.upper.where(reject)


@precisely
def law_of(epsilon: float, delta: float, complement: float) -> Steps:
    """The law of (ε, δ); of δ and its complement the smaller is exact."""
    # No double can tell e^−ε from 0 beyond this, and e^ε stays within the decimals' exponents.
    exact = Decimal(delta) if delta <= complement else 1 - Decimal(complement)
    return Steps(min(Decimal(epsilon), Decimal(10) ** 6), exact)
