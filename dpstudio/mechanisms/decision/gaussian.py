"""Thresholding with Gaussian noise: the steepest decision that is Gaussian differentially private."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Self

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtr, ndtri

from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.law import MOVED_UP
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.core.sources import BW18, DRS22, Source
from dpstudio.core.special import ROOT_TWO_PI
from dpstudio.mechanisms.decision.base import Decision, Particular
from dpstudio.mechanisms.decision.pairs import BOUND, Excess, TailPairs, both_tails
from dpstudio.mechanisms.decision.precise import (
    INFINITY,
    mills,
    normal_below,
    normal_density,
    normal_quantile,
    precisely,
    remembered,
)
from dpstudio.mechanisms.noise.profile import largest_mu_of_one, smallest_epsilon_of_one
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import COMPLEMENT, DELTA, EPSILON_OR_ZERO, INSIDE_UNIT, MINIMUM, MU, TARGET, reals

_SHORT = 1 / 16
_RULES = gauss_legendre(24), gauss_legendre(8)
"""Gauss–Legendre on [0, 1]: exact to rounding for what is integrated here over one step μ < 1, or a short one.

Over a step doubles fall by e^38μ at most; the error of n nodes for e^(−ct) is c²ⁿ (n!)⁴/((2n + 1) ((2n)!)³) at most.
"""

_ROOT_HALF = math.sqrt(0.5)
_COUNTED = 2.0**40
"""Up to so many records the rounding of a position is far less than one of them."""

_ROOT_DIGITS = 36
_NEAR = Decimal("1e-10")
"""A step so small leaves an error of its square, far below the spacing of doubles."""

_FEWER_DIGITS, _LARGE = 1e-290, 1e100
"""A δ below and an ε above these leave too few digits to the solver in doubles."""

_MOST = 1e300
"""An ε beyond which all pairs are looked at as at this one."""

_FARTHEST = 40.0
"""Positions beyond this have no tail left."""


@dataclass(frozen=True)
class GaussianDecision(Decision):
    """The steepest μ-GDP decision with f(m) = p: f(N) = Φ(Φ⁻¹(p) + μ (N − m)), thresholding with noise of sd 1/μ.

    `minimum` is whole, `target` in (0, 1); a target near 1 is given by its complement.
    [Dong, Roth & Su 2022, arXiv 1905.02383, Definition 2.6; the recursion f(N+1) = 1 − T(f(N)) for their trade-off
    function T = G_μ.]
    """

    name = "Gaussian"
    source = DRS22
    needs_delta = True
    largest_loss = math.inf
    """ln Φ(−z)/Φ(−z − μ), the loss of "no", grows without end with z."""

    mu: float = parameter(MU)
    minimum: int = parameter(MINIMUM)
    target: float = parameter(TARGET)
    complement: float | None = parameter(COMPLEMENT, optional=True)

    def __post_init__(self) -> None:
        both_tails(self.target, self.complement, INSIDE_UNIT)
        super().__post_init__()

    @classmethod
    def for_guarantee(
        cls, epsilon: float, delta: float, minimum: int, target: float, complement: float | None = None
    ) -> Self:
        """The decision with the largest double μ for which μ-GDP implies (ε, δ)-DP.

        δ_μ(ε) = Φ(−ε/μ + μ/2) − e^ε Φ(−ε/μ − μ/2) ≤ δ, and never above it. `epsilon` is in [0, ∞), `delta` in (0, 1]:
        no Gaussian decision has δ = 0, and at δ = 1 the largest double answers. [Dong, Roth & Su 2022,
        arXiv 1905.02383, Corollary 2.13; Balle & Wang 2018, Theorem 8.]
        """
        epsilon = parameter_value(EPSILON_OR_ZERO, epsilon)
        delta = parameter_value(DELTA, delta)
        if not delta:
            raise InvalidParameter("delta", reals(0, 1, open="low"), delta, "Gaussian noise is never (ε, 0)-DP")
        return cls(_largest_mu(epsilon, delta), minimum, target, complement)

    def particulars(self, tail: float, delta: float) -> Iterable[Particular]:  # noqa: ARG002 - it has a μ
        yield Particular(MU, self.mu, f"largest μ with Φ(−ε/μ+μ/2) − e^ε Φ(−ε/μ−μ/2) ≤ δ = {plain(delta)}", BW18)

    @property
    def delta_source(self) -> Source:
        return BW18

    def epsilon_after(self, k: int, delta: float) -> float:
        # Together k answers are √k·μ-GDP. [Dong, Roth & Su 2022, Corollary 2.]
        return smallest_epsilon_of_one(math.sqrt(k) * self.mu, delta)

    def after_how(self, k: int) -> tuple[str, Source]:
        return f"√{k}·μ-GDP at δ = 1 − (1 − δ)^{k}", DRS22

    @property
    def _rate(self) -> float:
        return self.mu

    @cached_property
    def _tails(self) -> tuple[float, float]:
        return both_tails(self.target, self.complement, INSIDE_UNIT)

    @cached_property
    def _shift(self) -> float:
        """Φ⁻¹(p)."""
        p, q = self._tails
        return float(ndtri(p) if p <= q else -ndtri(q))

    def _position(self, n: Array, step: int = 0) -> Array:
        """z = Φ⁻¹(p) + μ (n + step − m)."""
        z = np.subtract(n, float(self.minimum - step))
        z *= self.mu
        z += self._shift
        return z

    def _accept(self, n: Array) -> Array:
        return np.asarray(ndtr(self._position(n), out=n))

    def _reject(self, n: Array) -> Array:
        return np.asarray(ndtr(-self._position(n), out=n))

    def _log(self, n: Array, accept: bool) -> Array:
        z = self._position(n)
        return np.asarray(log_ndtr(z if accept else -z))

    def _loss(self, n: Array, accept: bool) -> Array:
        z = self._position(n)
        return _rise_of_log(z if accept else -z - self.mu, self.mu)  # "no" going down is "yes" going up

    def _pairs(self, epsilon: Array) -> Iterable[Excess]:
        n, y = self._beside_worst(epsilon)
        # All at once: for few ε it is the calls that cost, not the numbers.
        excess = _excess(y, epsilon, self.mu)
        yield from (Excess(of_one, at, accept) for accept, row, places in zip((True, False), excess, n, strict=True)
                    for of_one, at in zip(row, places, strict=True))

    def _beside_worst(self, epsilon: Array) -> tuple[Array, Array]:
        """The n of the pairs n and n + 1 among which the worst are at each ε, and the y by which each is told.

        Rows of “yes” and of “no”, which has the probability Φ(y) at one of the two and Φ(y + μ) at the other.
        """
        # Both are worth h(y) = Φ(y + μ) − e^ε Φ(y), "yes" with y the position of n, and "no" with
        # y = −(position of n + 1). h′ = φ(y + μ) − e^ε φ(y) is positive before y* = −ε/μ − μ/2 and negative after it:
        # over n ≥ 0 the worst lies at one of the integers beside y*, or at 0.
        peak = -np.minimum(epsilon / self.mu, 1e300) - self.mu / 2
        yes = np.floor(self.minimum + (peak - self._shift) / self.mu)
        no = np.floor(self.minimum - 1 + (-peak - self._shift) / self.mu)
        # Far out, one more on either side allows for the rounding of where that is.
        far = max(np.abs(yes).max(initial=0.0), np.abs(no).max(initial=0.0)) > _COUNTED
        beside = np.array((-1.0, 0.0, 1.0, 2.0) if far else (0.0, 1.0)).reshape(-1, *(1,) * epsilon.ndim)
        yes, no = np.maximum(yes + beside, 0.0), np.maximum(no + beside, 0.0)
        return np.stack([yes, no]), np.stack([self._position(yes), -self._position(no + 1)])

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which δ is enough, to 1e-12 and not below; ∞ at δ = 0.

        The largest ln (Φ(y + μ) − δ)/Φ(y) of all pairs. It rises with y to the ε of Gaussian noise and falls beyond:
        the worst pairs lie beside the y that is worst at that ε.
        """
        allowed = parameter_value(DELTA, delta)
        if not 0 < allowed < 1:
            return 0.0 if allowed else math.inf
        with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
            most = smallest_epsilon_of_one(self.mu, allowed)
            if most == 0:
                return 0.0
            at = np.array([min(most, _MOST)])
            _, y = self._beside_worst(at)
            log_of_one = log_ndtr(y)
            log_share = at + log_of_one
            # By what is lacking to δ at that ε, which keeps its digits; where more than half is lacking, by itself.
            lacking = (_excess(y, at, self.mu) - allowed) / np.exp(log_share)
            found = np.where((lacking > -0.5) & (log_share < 1) & (at < _MOST),
                             at + np.log1p(np.clip(lacking, -0.5, 0.0)),
                             np.log(np.maximum(ndtr(y + self.mu) - allowed, 0.0)) - log_of_one)
        return max(float(found.max()) * (1 + MOVED_UP), 0.0)

    def _neighbours(self, alpha: Array) -> TailPairs:
        # With y the position of n, (f(n), g(n+1)) = (Φ(y), Φ(−y − μ)) lies on the curve of Gaussian noise. Φ is
        # log-concave, so of the lines broken there the best at α are those with Φ(y) next to α, on either side; in the
        # other direction those with Φ(−y − μ) next to α.
        w = np.clip(ndtri(alpha), -_FARTHEST, _FARTHEST)
        forth, back = (np.floor(self.minimum + (y - self._shift) / self.mu) for y in (w, -w - self.mu))
        n = np.maximum(np.stack([forth, forth + 1, back, back + 1]), 0.0)
        y = self._position(n)
        after = y + self.mu
        return TailPairs(ndtr(y), ndtr(-y), ndtr(after), ndtr(-after))

    def _where(self, accept: Decimal, reject: Decimal) -> Decimal:
        tail = min(accept, reject)
        if not tail:
            return INFINITY.copy_sign(accept - reject)
        position = _quantile(tail) if accept <= reject else -_quantile(tail)
        return self.minimum + (position - self._real_shift) / Decimal(self.mu)

    @cached_property
    @precisely
    def _real_shift(self) -> Decimal:
        p, q = self._tails
        return _quantile(Decimal(p)) if p <= q else -_quantile(Decimal(q))


def _rule(mu: float) -> tuple[Array, Array]:
    """Nodes and weights for a step μ < 1."""
    return _RULES[mu <= _SHORT]


def _rise_of_log(z: Array, mu: float) -> Array:
    """ln Φ(z + μ)/Φ(z)."""
    if mu < 1:
        # The integral of φ/Φ, all of it positive; beyond the doubles erfcx is infinite and φ/Φ zero.
        return np.asarray(2 * mu / ROOT_TWO_PI * sum(
            weight / erfcx(-(z + mu * node) * _ROOT_HALF) for node, weight in zip(*_rule(mu), strict=True)))
    after = z + mu
    # Below 0 the exponents are subtracted by hand, and what is left of Φ is of the same order at both.
    far, near = (np.clip(-x * _ROOT_HALF, 0.0, 1e150) for x in (z, after))
    below = -mu * (np.minimum(z, 0.0) + mu / 2) + np.log(erfcx(near) / erfcx(far))
    across = log_ndtr(np.maximum(after, 0.0)) - log_ndtr(np.clip(z, -mu, 0.0))
    above = np.log1p((ndtr(-np.maximum(z, 0.0)) - ndtr(-np.maximum(after, 0.0))) / ndtr(np.maximum(z, 0.0)))
    return np.where(after < 0, below, np.where(z < 0, across, above))


def _excess(y: Array, epsilon: Array, mu: float) -> Array:
    """h(y) = Φ(y + μ) − e^ε Φ(y)."""
    small = epsilon < 0.5
    if mu >= 1 or not small.any():
        return _subtracted_excess(y, epsilon, mu)
    # Near the maximum both terms are about r = ε/μ times as large as their difference over μ: subtraction loses r/μ,
    # and the integral r² (1 + ε) by what cancels under it.
    integrated = _integrated_excess(y, np.minimum(epsilon, 0.5), mu)
    return integrated if small.all() else np.where(small, integrated, _subtracted_excess(y, epsilon, mu))


def _integrated_excess(y: Array, epsilon: Array, mu: float) -> Array:
    """The integral over 0 ≤ t ≤ μ of e^(r(μ−t)) (φ(x) − r Φ(x)), x = y + t and r = ε/μ: what subtraction would lose."""
    r = np.minimum(epsilon / mu, 1e300)
    node, weights = (each.reshape(-1, *(1,) * y.ndim) for each in _rule(mu))
    x, growth = y + mu * node, epsilon * (1 - node)
    # Below 0 both terms share the exponential, and erfcx keeps their difference.
    low = np.minimum(x, 0.0)
    below = np.exp(np.minimum(growth - low * low / 2, BOUND))
    below *= 1 / ROOT_TWO_PI - r / 2 * erfcx(-low * _ROOT_HALF)
    if (x >= 0).any():  # beside the maximum there is none
        high = np.maximum(x, 0.0)
        above = np.exp(np.minimum(growth, BOUND)) * (np.exp(-high * high / 2) / ROOT_TWO_PI - r * ndtr(high))
        below = np.where(x < 0, below, above)
    return np.asarray(mu * np.sum(weights * below, axis=0))


def _subtracted_excess(y: Array, epsilon: Array, mu: float) -> Array:
    """The difference itself, which loses little unless ε and the step are both small."""
    after = y + mu
    # With both below 0 the common factor is taken out: e^ε φ(y)/φ(y + μ) = e^κ.
    near, far = np.maximum(-after, 0.0), np.maximum(-y, 0.0)
    kappa = np.minimum(epsilon + mu * (mu / 2 - far), BOUND)
    below = np.exp(-near * near / 2) / 2 * (erfcx(near * _ROOT_HALF) - np.exp(kappa) * erfcx(far * _ROOT_HALF))
    across = ndtr(after) - np.exp(np.minimum(epsilon - far * far / 2, BOUND)) / 2 * erfcx(far * _ROOT_HALF)
    start = np.maximum(y, 0.0)
    above = ndtr(-start) - ndtr(-start - mu) - np.expm1(np.minimum(epsilon, BOUND)) * ndtr(start)
    return np.where(after < 0, below, np.where(y < 0, across, above))


@remembered
def _quantile(tail: Decimal) -> Decimal:
    return normal_quantile(tail, float(ndtri(float(tail))))


@lru_cache(maxsize=64)
@precisely
def _largest_mu(epsilon: float, delta: float) -> float:
    """The largest double μ with δ_μ(ε) ≤ δ."""
    if delta == 1:
        return sys.float_info.max
    target, e = Decimal(delta), Decimal(epsilon)
    with localcontext() as context:
        # Φ and e^ε Φ agree in about as many digits as δ has zeros, and μ/2 and ε/μ in about as many as ε has.
        context.prec = _ROOT_DIGITS - min(target.adjusted(), 0) + max(e.adjusted(), 0)
        # δ_μ(ε) is less than Φ(−ε/μ + μ/2) and than μ/√(2π), so the root lies above both of theirs. From there
        # Newton's steps in ln δ against ln μ rise to it.
        quantile = Decimal(float(ndtri(delta)))
        root = (quantile * quantile + 2 * e).sqrt()
        start = quantile + root if quantile >= 0 else 2 * e / (root - quantile)
        mu = max(start, target * Decimal(ROOT_TWO_PI))
        if 0 < epsilon < _LARGE and delta > _FEWER_DIGITS:
            mu = Decimal(largest_mu_of_one(epsilon, delta))  # a root to a dozen digits saves most of the steps
        for _ in range(200):
            x = mu / 2 - e / mu
            # ∂δ/∂μ = φ(x), and e^ε φ(x − μ) = φ(x).
            slope = normal_density(x)
            # φ is symmetric, and e^ε φ(x − μ) = φ(x): Φ(x) shares it too.
            below = slope * mills(-x) if x <= 0 else normal_below(x)
            reached = below - slope * mills(mu - x)
            step = (target / reached).ln() * reached / (slope * mu)
            mu *= step.exp()
            if abs(step) < _NEAR:  # the next would be its square
                break
    mu *= 1 - _NEAR * _NEAR  # on the safe side of what is left of the steps
    found = float(mu)
    return found if Decimal(found) <= mu else math.nextafter(found, 0.0)
