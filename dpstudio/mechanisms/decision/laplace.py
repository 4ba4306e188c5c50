"""Thresholding with Laplace noise, and the cutoff exponential decision."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Self

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import Array, parameter
from dpstudio.core.sources import DMNS06, STOCHASTIC
from dpstudio.mechanisms.decision.base import EpsilonDecision, Particular
from dpstudio.mechanisms.decision.pairs import BOUND, Excess, TailPairs, both_tails
from dpstudio.mechanisms.decision.precise import as_float, ln, log1p, precisely
from dpstudio.mechanisms.noise import LaplaceNoise
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain

_LEAST = -1020.0
"""log₂ of the least probability that is computed, 9e-308."""

_PER_BIT = 1 / math.log(2)

_UNIT = LaplaceNoise(1.0)
"""“Yes” at z is “at least −z” of it."""

_STEEP = 300.0
"""Exponents are bounded by this where the sign alone of what they multiply still matters."""


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A point of the curve that is known exactly: f(at) = accept, g(at) = reject, the smaller of them exact."""

    at: float
    accept: float
    reject: float


@dataclass(frozen=True)
class LaplaceDecision(EpsilonDecision):
    """Accept when N + Lap(1/ε) ≥ k: f(N) = ½ e^z for z < 0 and 1 − ½ e^(−z) for z ≥ 0, where z = ε (N − k).

    ε-DP, with a privacy profile of ½ (1 − e^(ε′−ε)) where k ≥ 0 is whole, and less where it is not.
    [Dwork, McSherry, Nissim & Smith 2006, Proposition 1; Implementation of Stochastic Decision, (4.2), (4.3).]
    """

    name = "Laplace"
    source = DMNS06

    threshold: float = parameter(v.THRESHOLD)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, minimum: int, target: float  # noqa: ARG003 - spends no δ
                      ) -> LaplaceDecision:
        return cls.for_target(epsilon, minimum, target)

    @classmethod
    def for_target(cls, epsilon: float, minimum: float, target: float, complement: float | None = None
                   ) -> LaplaceDecision:
        """The decision with f(minimum) = target: k = m − ln(2p)/ε for p ≤ ½, and m + ln(2(1−p))/ε for p ≥ ½.

        The curve runs through the target itself, which the threshold rounded to a double would miss. A target near 1
        is given by its complement. `minimum` is whole, `target` in (0, 1). [Implementation of Stochastic Decision,
        (4.5), (4.7).]
        """
        anchor = _Anchor(parameter_value(v.MINIMUM, minimum), *both_tails(target, complement, v.INSIDE_UNIT))
        epsilon = parameter_value(v.EPSILON, epsilon)
        return TargetedLaplaceDecision(epsilon, _threshold(epsilon, anchor), int(anchor.at), target, complement)

    @cached_property
    def _anchor(self) -> _Anchor:
        return _Anchor(self.threshold, 0.5, 0.5)

    def particulars(self, tail: float, delta: float) -> Iterable[Particular]:  # noqa: ARG002 - it has a threshold
        yield Particular(v.THRESHOLD, self.threshold, "k, as it was chosen", STOCHASTIC)

    def delta_how(self, epsilon: float, zero_refused: bool = False) -> str:
        if epsilon < self.epsilon:
            return super().delta_how(epsilon, zero_refused)
        return ("f(1): with f(0) := 0 a “yes” proves N ≥ 1" if zero_refused else
                "δ(ε) = 0: pure differential privacy")

    @cached_property
    def _shift(self) -> float:
        """z at the anchor."""
        return _position_at(self._anchor)

    def _position(self, n: Array, step: int = 0) -> Array:
        """z = ε (n + step − k)."""
        z = _records_past(self._anchor.at, n, step)
        z *= self.epsilon
        if self._shift:
            z += self._shift
        return z

    def _accept(self, n: Array) -> Array:
        return self._tail(n, True)

    def _reject(self, n: Array) -> Array:
        return self._tail(n, False)

    def _tail(self, n: Array, accept: bool) -> Array:
        """f (accept) or g: ½ e^−|z| is the smaller of them, and |0 − ½ e^−|z|| or |1 − ½ e^−|z|| the answer.

        In powers of two the ½ costs nothing, ½ e^−|z| = 2^(−|z|/ln 2 − 1).
        """
        x = np.subtract(n, self._anchor.at, out=n)
        x *= self.epsilon * _PER_BIT
        if self._shift:
            x += self._shift * _PER_BIT
        if x.max() < 0:
            x -= 1.0
            rare = accept
        elif x.min() >= 0:
            np.subtract(-1.0, x, out=x)
            rare = not accept
        else:
            # Choosing by arithmetic takes a third of the time of np.where.
            larger = x >= 0 if accept else x < 0
            np.abs(x, out=x)
            np.subtract(-1.0, x, out=x)
            np.subtract(larger, _power_of_two(x), out=x)
            return np.abs(x, out=x)
        tail = _power_of_two(x)
        return tail if rare else np.subtract(1.0, tail, out=tail)

    def _log(self, n: Array, accept: bool) -> Array:
        z = self._position(n)
        return _UNIT._log_tail(-z if accept else z)

    def _loss(self, n: Array, accept: bool) -> Array:
        """ln F(u)/F(z) with u = z + ε, for F of the class; "no" at position z is "yes" at −z."""
        z, u = (self._position(n), self._position(n, 1)) if accept else (-self._position(n, 1), -self._position(n))
        # On the lower branch the loss is ε, however far down. On the upper, F(u) − F(z) = (1 − F(z)) (1 − e^−ε).
        rest = 0.5 * np.exp(-np.abs(z))
        upper = np.log1p(-rest * np.expm1(-self.epsilon) / (1 - rest))
        # Between them it is ln(2 − e^−u) − z = ε + ln(1 − (1 − e^−u)²): the first form is for u so large that the
        # square rounds to 1, the second keeps its digits where ε is small beside the rounding of z.
        drop = -np.expm1(-np.clip(u, 0, None))
        with np.errstate(divide="ignore"):
            between = np.where(u > 1, np.log1p(drop) - z, self.epsilon + np.log1p(-drop * drop))
        return np.where(u <= 0, self.epsilon, np.where(z >= 0, upper, between))

    def _pairs(self, epsilon: Array) -> Iterable[Excess]:
        # The pair n, n+1 lies at z and u = z + ε. "No" there is "yes" at −u, −z, so both are one function h(w): "yes"
        # with w = u, "no" with w = −z. With d = ε − ε′ > 0
        #     w ≤ 0:      h = ½ e^w (1 − e^−d), which rises with w;
        #     0 ≤ w ≤ ε:  h = 1 − ½ e^−w − ½ e^(w−d), which has its maximum at w = d/2 ≤ ε/2;
        #     w ≥ ε:      h falls further.
        # Hence the smaller of u and −z decides a pair, for w and ε − w lie on either side of ε/2 (where u ≤ 0 or
        # z ≥ 0 this says that the outcome which is rare there decides). It rises with n up to the threshold and falls
        # after it, so only the pairs beside the threshold, or else the first, can be the worst.
        # Beyond ε all h are negative, and a bound keeps them finite.
        d = np.maximum(self.epsilon - epsilon, -_STEEP)
        return [Excess(_excess(float(min(u, -z)), d), as_float(n), u <= -z) for n, z, u in self._beside_threshold]

    @cached_property
    @precisely
    def _beside_threshold(self) -> list[tuple[int, Decimal, Decimal]]:
        """n and the positions of n and n + 1, for the pairs on either side of the threshold, or else the first."""
        exact, start = Decimal(self.epsilon), _exact_position(self._anchor)
        nearest = int((Decimal(self._anchor.at) - start / exact).to_integral_value())
        found = []
        for n in sorted({max(nearest + i, 0) for i in (-2, -1, 0, 1)}):
            z = exact * (n - Decimal(self._anchor.at)) + start
            found.append((n, z, z + exact))
        return found

    def _neighbours(self, alpha: Array) -> TailPairs:  # noqa: ARG002 - the same pairs at every α
        # Below the threshold all (f(n), g(n+1)) lie on β = 1 − e^ε α, and the last is on the lowest line; above it, and
        # in the other direction, the same is mirrored: what decides δ decides here.
        z = np.array([(float(z), float(u)) for _, z, u in self._beside_threshold]).T[:, :, None]
        tail, below = 0.5 * np.exp(-np.abs(z)), z < 0
        accept, reject = np.where(below, tail, 1 - tail), np.where(below, 1 - tail, tail)
        return TailPairs(accept[0], reject[0], accept[1], reject[1])

    def _where(self, accept: Decimal, reject: Decimal) -> Decimal:
        position = ln(2 * accept) if accept <= reject else -ln(2 * reject)
        return Decimal(self._anchor.at) + (position - _exact_position(self._anchor)) / Decimal(self.epsilon)


@dataclass(frozen=True)
class TargetedLaplaceDecision(LaplaceDecision):
    """A Laplace decision with f(minimum) = target, whose threshold need be no double: `threshold` is the nearest to it.

    Another threshold is refused. `minimum` is whole, `target` in (0, 1); one near 1 is given by its complement.
    """

    minimum: int = parameter(v.MINIMUM)
    target: float = parameter(v.TARGET)
    complement: float | None = parameter(v.COMPLEMENT, optional=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_nearest("threshold", _threshold(self.epsilon, self._anchor),
                             f"where f({self.minimum}) = {self.target!r} at epsilon = {self.epsilon!r}")

    @cached_property
    def _anchor(self) -> _Anchor:
        return _Anchor(self.minimum, *both_tails(self.target, self.complement, v.INSIDE_UNIT))

    def particulars(self, tail: float, delta: float) -> Iterable[Particular]:  # noqa: ARG002 - it has a threshold
        less = self.target <= 0.5
        log = -math.log(2 * self._anchor.accept) if less else math.log(2 * self._anchor.reject)
        shift = f"ln(2{'p' if less else '(1−p)'})/ε, p = {plain(self.target)}"
        yield Particular(v.THRESHOLD, self.threshold, f"k = m {'−' if less else '+'} {shift}", STOCHASTIC)
        yield Particular(v.THRESHOLD_OFFSET, log / self.epsilon + 0.0, f"k − m = {'− ' if less else ''}{shift}",
                         STOCHASTIC)


@dataclass(frozen=True)
class CutoffExponentialDecision(EpsilonDecision):
    """Always accept N ≥ m, and fewer with probability e^(−ε (m − N)): f(N) = exp(ε min(0, N − m)).

    The smallest δ is 1 − e^−ε at every ε′ for a whole m, for Q = 0 proves N < m; it depends on the fraction of m.
    [Implementation of Stochastic Decision, (5.3), (5.4), (5.6).]
    """

    name = "cutoff exponential"
    source = STOCHASTIC
    has_target = False

    minimum: float = parameter(v.REAL_MINIMUM)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, minimum: int, target: float) -> Self:  # noqa: ARG003
        """The decision at that minimum: neither its δ nor its target can be chosen."""
        return cls(epsilon, minimum)

    @property
    def claimed_delta(self) -> float:
        return self.guarantee[1]

    def delta_how(self, epsilon: float, zero_refused: bool = False) -> str:
        return f"δ = 1 − e^−ε at ε = {plain(epsilon)}{self._absent(zero_refused)}"

    def _exponent(self, n: Array, step: int = 0) -> Array:
        x = _records_past(self.minimum, n, step)
        np.minimum(x, 0.0, out=x)
        x *= self.epsilon
        return x

    def _accept(self, n: Array) -> Array:
        x = np.subtract(n, self.minimum, out=n)
        np.minimum(x, 0.0, out=x)
        x *= self.epsilon * _PER_BIT
        return _power_of_two(x)

    def _reject(self, n: Array) -> Array:
        x = np.subtract(n, self.minimum, out=n)
        np.minimum(x, 0.0, out=x)
        x *= self.epsilon
        np.expm1(x, out=x)
        return np.abs(x, out=x)

    def _log(self, n: Array, accept: bool) -> Array:
        return self._exponent(n) if accept else super()._log(n, accept)

    def _loss(self, n: Array, accept: bool) -> Array:
        if accept:  # ε while n + 1 ≤ m, and what is left of the way to f = 1 after that
            return self.epsilon * np.clip(-_records_past(self.minimum, n), 0.0, 1.0)
        # g(n) − g(n+1) = e^u (1 − e^−ε), with u the exponent at n + 1.
        u = self._exponent(n, 1)
        after = -np.expm1(u) + 0.0  # no negative zero
        with np.errstate(divide="ignore"):
            below = np.log1p(-np.exp(u) * np.expm1(-self.epsilon) / after)
        return np.where(after > 0, below, np.where(self._exponent(n) < 0, math.inf, 0.0))

    def _pairs(self, epsilon: Array) -> Iterable[Excess]:
        # Let u ≤ 0 be the exponent at n + 1 of the last pair n, n+1 ≤ m. On all such pairs both excesses,
        #     yes: e^u (1 − e^(ε′−ε)),   no: 1 − e^ε′ + e^u (e^ε′ − e^−ε) = e^u (1 − e^−ε) − (1 − e^u) (e^ε′ − 1),
        # rise with u, so the last is the worst. Where m has a fraction, one more pair has m inside it: there "no" says
        # N < m for certain, and needs 1 − f(n), more than "yes" does. From m on f = 1, and nothing is needed.
        whole = math.floor(self.minimum)
        fraction = self.minimum - whole
        if fraction:
            yield Excess(np.full(epsilon.shape, -math.expm1(-self.epsilon * fraction)), float(whole), False)
        if whole >= 1:
            u = -self.epsilon * fraction
            last = float(whole - 1)
            yield Excess(-math.exp(u) * np.expm1(np.minimum(epsilon - self.epsilon, 0.0)), last, True)
            # e^700 times the smallest 1 − e^u there is outweighs every gain, so the bound changes nothing.
            raised = np.expm1(np.minimum(epsilon, BOUND))
            yield Excess(-math.exp(u) * math.expm1(-self.epsilon) + raised * math.expm1(u), last, False)

    def _neighbours(self, alpha: Array) -> TailPairs:  # noqa: ARG002 - the same pairs at every α
        # Up to m all (f(n), g(n+1)) lie on β = 1 − e^ε α, and the last is on the lowest line; a pair with m inside is
        # told apart better still, and from m on all is alike.
        whole = math.floor(self.minimum)
        fraction = self.minimum - whole
        steps = [fraction + 1, fraction, 0.0] if whole >= 1 else [fraction, 0.0]
        exponent = -self.epsilon * np.array(steps)[:, None]
        accept, reject = np.exp(exponent), -np.expm1(exponent)
        return TailPairs(accept[:-1], reject[:-1], accept[1:], reject[1:])

    def _where(self, accept: Decimal, reject: Decimal) -> Decimal:
        return Decimal(self.minimum) + (ln(accept) if accept < reject else log1p(-reject)) / Decimal(self.epsilon)


def _records_past(anchor: float, n: Array, step: int = 0) -> Array:
    """n + step − anchor as a new array, rounded once: whole parts are subtracted exactly, then the fraction."""
    if not step:
        return np.subtract(n, anchor)
    whole = float(math.floor(anchor))
    return (n - whole) + step - (anchor - whole)


def _power_of_two(x: Array) -> Array:
    """2^x in place, for x ≤ 0, and 0 where it would be subnormal: those take ten times as long."""
    if x.min() >= _LEAST:
        return np.exp2(x, out=x)
    if x.max() < _LEAST:
        x.fill(0.0)
        return x
    below = x < _LEAST
    np.copyto(x, 0.0, where=below)
    np.exp2(x, out=x)
    np.copyto(x, 0.0, where=below)
    return x


@precisely
def _position_at(anchor: _Anchor) -> float:
    return float(_exact_position(anchor))


@lru_cache(maxsize=64)
@precisely
def _threshold(epsilon: float, anchor: _Anchor) -> float:
    """The double nearest to the threshold of the curve through the anchor."""
    return float(Decimal(anchor.at) - _exact_position(anchor) / Decimal(epsilon))


def _exact_position(anchor: _Anchor) -> Decimal:
    """z at the anchor: ln(2p) or −ln(2q)."""
    if anchor.accept <= anchor.reject:
        return ln(2 * Decimal(anchor.accept))
    return -ln(2 * Decimal(anchor.reject))


def _excess(w: float, d: Array) -> Array:
    """h(w) of `LaplaceDecision._pairs`, without subtraction of close numbers."""
    if w <= 0:
        return -0.5 * math.exp(w) * np.expm1(-d) + 0.0
    # With v = w − d/2 the middle piece is (1 − e^(−d/2)) − e^(−d/2) (cosh v − 1), for small d. Where v > 2 it is
    # negative, as it is where w − d > 1, so both can be bounded without changing any δ; and v ≥ −½ where d ≤ 1.
    half = d / 2
    near = -np.expm1(-half) - 2 * np.exp(-half) * np.sinh(np.clip(w - half, -1.0, 2.0) / 2) ** 2
    far = -0.5 * (math.expm1(-w) + np.expm1(np.minimum(w - d, 1.0)))
    return np.where(d <= 1, near, far)
