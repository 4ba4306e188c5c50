"""The steepest (ε, δ) decision through one point."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Self

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.arrays import parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, counts, parameter
from dpstudio.core.sources import DVGM22, STOCHASTIC
from dpstudio.mechanisms.decision.base import EpsilonDecision, Particular
from dpstudio.mechanisms.decision.curve import Steps, TwoBranches, law_of
from dpstudio.mechanisms.decision.pairs import BOUND, Excess, TailPairs, both_tails, require_complement
from dpstudio.mechanisms.decision.pieces import CurvePiece, Flat, draw, fill_in
from dpstudio.mechanisms.decision.precise import as_float, precisely
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain


@dataclass(frozen=True)
class GeneralizedDecision(EpsilonDecision):
    """The steepest (ε, δ)-DP decision with f(m) = p, the largest of all above m and the smallest below it.

    f(N+1) = min(e^ε f(N) + δ, 1 − e^−ε (1 − f(N) − δ), 1) upwards from m, and the mirror image downwards; a straight
    line of slope δ for ε = 0. With s = δ/(e^ε − 1) every step is a step on one of two exponentials,
    f = (a + s) e^(ε j) − s on the lower branch and g = (b + s) e^(−ε j) − s on the upper, clipped at 0, and they meet
    where f passes (1 − δ)/(1 + e^ε). `minimum` is whole, `target` in [0, 1]; with target 0 at minimum 0 this is optimal
    partition selection. A target near 1 is given by its complement; for a δ near 1 see `ComplementedDecision`.
    [Implementation of Stochastic Decision, (6.5), (6.10)–(6.26); Desfontaines, Voss, Gipson & Mandayam 2022, arXiv
    2006.03684.]
    """

    name = "generalized"
    source = DVGM22

    epsilon: float = parameter(v.EPSILON_OR_ZERO)
    delta: float = parameter(v.DELTA)
    minimum: int = parameter(v.MINIMUM)
    target: float = parameter(v.TARGET)
    complement: float | None = parameter(v.COMPLEMENT, optional=True)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, minimum: int, target: float) -> Self:
        return cls(epsilon, delta, minimum, target)

    @classmethod
    def corners(cls, epsilon: float, delta: float, minimum: int) -> tuple[GeneralizedDecision, ...]:
        # A step is a straight line on either branch and 0 or 1 where it is clipped: f bends in f(m) where some f(N)
        # is where the branches meet, or where a clip begins.
        clipped = [cls(epsilon, delta, minimum, target) for target in (0.0, 1.0)] if delta else []
        return cls.centred(epsilon, delta, minimum), *clipped

    @property
    def claimed_delta(self) -> float:
        return self.delta

    def __post_init__(self) -> None:
        super().__post_init__()
        both_tails(self.target, self.complement, v.UNIT)

    @classmethod
    def centred(cls, epsilon: float, delta: float, centre: int) -> CentredDecision:
        """The decision with f(centre) = p₀ = (e^ε + δ)/(e^ε + 1), hence g(centre) = f(centre − 1) = (1 − δ)/(e^ε + 1).

        `centre` is whole: a curve through p₀ at a fraction φ of a record would need
        δ + (1 − p₀ + s)(e^(εφ) − 1)(e^(ε(1−φ)) − 1) at its crossing, and so break its guarantee.
        [Implementation of Stochastic Decision, (6.10), (6.18), (6.26); for δ = 0 Ghosh, Roughgarden & Sundararajan
        2012.]
        """
        epsilon = parameter_value(v.EPSILON_OR_ZERO, epsilon)
        delta = parameter_value(v.DELTA, delta)
        if v.CENTRE.domain.accept(centre) is None:
            between = v.NONNEGATIVE.accept(centre) is not None
            why = "between whole numbers the curve would break its (ε, δ) guarantee where it crosses" if between else ""
            raise InvalidParameter("centre", v.CENTRE.domain, centre, why)
        return CentredDecision(epsilon, delta, centre, *_centre(epsilon, delta))

    def particulars(self, tail: float, delta: float) -> Iterable[Particular]:  # noqa: ARG002 - it has its own δ
        """p₀ = (e^ε + δ)/(e^ε + 1) and the distances from there to the tails, ln((1−p₀+s)/(τ+s))/ε, s = δ/(e^ε − 1).

        One step below p₀ lies exactly 1 − p₀, so the way down is one record longer.
        """
        law = self._law()
        above = _steps_above(law, tail)
        yield Particular(v.CENTRE_ACCEPTANCE, float(1 - law.turn), "p₀ = (e^ε + δ)/(e^ε + 1)", STOCHASTIC)
        yield Particular(v.ABOVE_CENTRE, above, f"from f = p₀ to 1 − f = {plain(tail)}", STOCHASTIC)
        yield Particular(v.BELOW_CENTRE, above + 1, f"from f = {plain(tail)} to f = p₀", STOCHASTIC)

    @property
    def _all_but_delta(self) -> float:
        """1 − δ."""
        return 1.0 - self.delta

    @cached_property
    @precisely
    def _curve(self) -> TwoBranches:
        law = self._law()
        return TwoBranches(law, self.minimum, *self._at_minimum(law))

    def _law(self) -> Steps:
        """How its steps go."""
        return law_of(self.epsilon, self.delta, self._all_but_delta)

    def _at_minimum(self, law: Steps) -> tuple[Decimal, Decimal]:  # noqa: ARG002 - the target says it
        """f(m) and g(m)."""
        p, q = both_tails(self.target, self.complement, v.UNIT)
        # The smaller of the two is exact.
        return (Decimal(p), 1 - Decimal(p)) if p <= q else (1 - Decimal(q), Decimal(q))

    @cached_property
    def _pieces(self) -> list[CurvePiece | Flat]:
        return draw(self._curve)

    def _accept(self, n: Array) -> Array:
        return fill_in(self._pieces, n, accept=True)

    def _reject(self, n: Array) -> Array:
        return fill_in(self._pieces, n, accept=False)

    def _log(self, n: Array, accept: bool) -> Array:
        logs, crossing = super()._log(n.copy(), accept), as_float(self._curve.crossing)
        branch, inside = (self._curve.lower, n < crossing) if accept else (self._curve.upper, n > crossing)
        lost = np.flatnonzero(np.isneginf(logs) & inside)
        if lost.size:  # the probability is less than any double
            logs[lost] = branch.logs(n[lost])
        return logs

    def _loss(self, n: Array, accept: bool) -> Array:
        return self._both_losses(n)[0 if accept else 1]

    def losses(self, n: npt.ArrayLike) -> tuple[float | Array, float | Array]:
        at = counts(n)
        with np.errstate(over="ignore", under="ignore"):
            accept, reject = self._both_losses(at.reshape(-1))
        return shaped(accept.reshape(at.shape)), shaped(reject.reshape(at.shape))

    def _both_losses(self, n: Array) -> tuple[Array, Array]:
        (f, g), (f_next, g_next) = self._both(n), self._both(n + 1)
        lower = n < as_float(self._curve.crossing)
        # "no" going down is "yes" going up.
        return (np.where(lower, self._loss_within(f, f_next), self._loss_beside(g, g_next, f)),
                np.where(lower, self._loss_beside(f_next, f, g_next), self._loss_within(g_next, g)))

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

    def _pairs(self, epsilon: Array) -> Iterable[Excess]:
        change = np.expm1(np.minimum(epsilon - self.epsilon, BOUND))
        for value, n, accepting in self._curve.clipped_pairs:
            yield Excess(np.full(epsilon.shape, value), n, accepting)
        for gain, n, accepting in self._curve.steps:
            yield Excess(self.delta - gain * change, n, accepting)

    def _neighbours(self, alpha: Array) -> TailPairs | None:
        # On the lower branch all (f(n), g(n+1)) lie on β = 1 − δ − e^ε α. Of the lines broken there,
        # where α ≤ f(n), 1 − α (e^ε + δ/f(n)) is lower the smaller f(n), and where α ≥ f(n), (1 − α) g(n+1)/g(n) the
        # larger f(n): the best have f(n) next to α, on either side, or are the last of the branch. The upper branch
        # mirrors that, and so does the other direction, where g(n+1) is next to α. Without δ the last ones do for all.
        # Two pairs each: three numbers of records from the first on.
        if not self._curve.moves:
            return None
        crossing = as_float(self._curve.crossing)
        first = np.full((3, alpha.size) if self.delta else (1, 1), crossing - 1)
        if self.delta:
            accept, reject = float(self._curve.accept), float(self._curve.reject)
            first[1] = np.floor(crossing + self._steps(accept, reject, alpha))
            first[2] = np.floor(crossing - self._steps(reject, accept, alpha)) - 1
        first = np.clip(first, 0.0, float(v.EXACT_INTEGERS - 2))
        n = np.stack([first, first + 1, first + 2])
        accepts, rejects = (tail.reshape(n.shape) for tail in self._both(n.reshape(-1)))
        return TailPairs(accepts[:2], rejects[:2], accepts[1:], rejects[1:])

    def _steps(self, at: float, other: float, alpha: Array) -> Array:
        """Real number of steps from the crossing to where an outcome has probability α, for δ > 0.

        ln((α + s)/(p + s))/ε up to the probability p = `at` that it has at the crossing; from there on the opposite
        outcome, whose probability at the crossing is `other`, takes as many down to 1 − α.
        """
        below = alpha <= at
        a, b = np.where(below, at, other), np.where(below, alpha, 1 - alpha)
        sign = np.where(below, 1.0, -1.0)
        if not self.epsilon:
            return np.asarray(sign * (b - a) / self.delta)
        growth = math.expm1(min(self.epsilon, BOUND))
        start = a * growth + self.delta
        rise = (b - a) * growth / start
        # Near −1 the rise has lost what the quotient keeps.
        logs = np.where(rise > -0.5, np.log1p(np.maximum(rise, -0.5)), np.log(b * growth + self.delta) - np.log(start))
        return np.asarray(sign * logs / self.epsilon)

    @precisely
    def _first(self, accept: Decimal, reject: Decimal) -> float:
        n = super()._first(accept, reject)
        if not accept or n >= v.EXACT_INTEGERS or not self._curve.moves:
            return n
        # Beside a large δ the positions of two tiny probabilities agree to all digits; the probabilities do not.
        return n if self._curve.reaches(int(n), accept, reject) else n + 1

    @precisely
    def _where(self, accept: Decimal, reject: Decimal) -> Decimal:
        return self._curve.where(accept, reject)


@dataclass(frozen=True)
class CentredDecision(GeneralizedDecision):
    """A generalized decision with f(m) = p₀ = (e^ε + δ)/(e^ε + 1), which is no double.

    `target` and `complement` must be the doubles nearest to p₀ and 1 − p₀, as `GeneralizedDecision.centred` makes them.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, nearest in zip(("target", "complement"), _centre(self.epsilon, self.delta), strict=True):
            self.require_nearest(name, nearest,
                                 f"that of a centre at epsilon = {self.epsilon!r}, delta = {self.delta!r}")

    def _at_minimum(self, law: Steps) -> tuple[Decimal, Decimal]:
        return 1 - law.turn, law.turn


@dataclass(frozen=True)
class ComplementedDecision(GeneralizedDecision):
    """A generalized decision whose δ is so near 1 that 1 − δ is given beside it: the smaller of the two is exact.

    With δ = 1 − e^−ε and f(m) = 1, f(m − 1) = e^−ε would otherwise keep but the digits that the rounding of δ leaves.
    """

    delta_complement: float | None = parameter(v.DELTA_COMPLEMENT, optional=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_complement("delta", self.delta, self._all_but_delta, "delta_complement")

    def particulars(self, tail: float, delta: float) -> Iterable[Particular]:  # noqa: ARG002 - none
        return ()

    @property
    def _all_but_delta(self) -> float:
        return super()._all_but_delta if self.delta_complement is None else self.delta_complement


@precisely
def _centre(epsilon: float, delta: float) -> tuple[float, float]:
    """p₀ and 1 − p₀, each the nearest double."""
    turn = law_of(epsilon, delta, 1.0 - delta).turn
    return float(1 - turn), float(turn)


@precisely
def _steps_above(law: Steps, tail: float) -> float:
    """Records from the centre to where g is `tail`."""
    return float(law.steps(Decimal(tail), law.turn))
