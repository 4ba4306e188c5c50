"""Thresholding with Gaussian noise: the steepest decision that is Gaussian differentially private."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property, lru_cache
from typing import Self

import numpy as np
from scipy.special import ndtr, ndtri

from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.sources import BW18, DRS22, Source
from dpstudio.core.special import ROOT_TWO_PI
from dpstudio.mechanisms.decision.base import Particular
from dpstudio.mechanisms.decision.noisy import NoisyDecision, needed
from dpstudio.mechanisms.decision.pairs import Excess, TailPairs, both_tails
from dpstudio.mechanisms.decision.precise import (
    INFINITY,
    mills,
    normal_below,
    normal_density,
    normal_quantile,
    precisely,
    remembered,
)
from dpstudio.mechanisms.noise import GaussianNoise
from dpstudio.mechanisms.noise.profile import largest_mu_of_one, smallest_epsilon_of_one
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import COMPLEMENT, DELTA, EPSILON_OR_ZERO, INSIDE_UNIT, MINIMUM, MU, TARGET, reals

_COUNTED = 2.0**40
"""Up to so many records the rounding of a position is far less than one of them."""

_ROOT_DIGITS = 36
_NEAR = Decimal("1e-10")
"""A step so small leaves an error of its square, far below the spacing of doubles."""

_FEWER_DIGITS, _LARGE = 1e-290, 1e100
"""A δ below and an ε above these leave too few digits to the solver in doubles."""

_ROOMY = 40.0
"""Positions beyond this have no tail left."""


@dataclass(frozen=True)
class GaussianDecision(NoisyDecision):
    """The steepest μ-GDP decision with f(m) = p: f(N) = Φ(Φ⁻¹(p) + μ (N − m)), thresholding with noise of sd 1/μ.

    `minimum` is whole, `target` in (0, 1); a target near 1 is given by its complement.
    [Dong, Roth & Su 2022, arXiv 1905.02383, Definition 2.6; the recursion f(N+1) = 1 − T(f(N)) for their trade-off
    function T = G_μ.]
    """

    name = "Gaussian"
    source = DRS22
    needs_delta = True
    noise = GaussianNoise(1.0)

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

    def _pairs(self, epsilon: Array) -> Iterable[Excess]:
        # "Yes" at n, n+1 is worth h(y) = Φ(y + μ) − e^ε Φ(y) with y the position of n, and "no" the same with
        # y = −(position of n + 1). h′ = φ(y + μ) − e^ε φ(y) is positive before y* = −ε/μ − μ/2 and negative after it:
        # over n ≥ 0 the worst lies at one of the integers beside y*, or at 0.
        peak = -np.minimum(epsilon / self.mu, 1e300) - self.mu / 2
        yes = np.floor(self.minimum + (peak - self._shift) / self.mu)
        no = np.floor(self.minimum - 1 + (-peak - self._shift) / self.mu)
        # Far out, one more on either side allows for the rounding of where that is.
        far = max(np.abs(yes).max(initial=0.0), np.abs(no).max(initial=0.0)) > _COUNTED
        beside = np.array((-1.0, 0.0, 1.0, 2.0) if far else (0.0, 1.0)).reshape(-1, *(1,) * epsilon.ndim)
        yes, no = np.maximum(yes + beside, 0.0), np.maximum(no + beside, 0.0)
        # All at once: for few ε it is the calls that cost, not the numbers.
        excess = needed(*self._told_beyond(np.stack([-self._position(yes), self._position(no, 1)])), epsilon)
        yield from (Excess(each, n, True) for each, n in zip(excess[0], yes, strict=True))
        yield from (Excess(each, n, False) for each, n in zip(excess[1], no, strict=True))

    def _neighbours(self, alpha: Array) -> TailPairs:
        # With y the position of n, (f(n), g(n+1)) = (Φ(y), Φ(−y − μ)) lies on the curve of Gaussian noise. Φ is
        # log-concave, so of the lines broken there the best at α are those with Φ(y) next to α, on either side; in the
        # other direction those with Φ(−y − μ) next to α.
        w = np.clip(ndtri(alpha), -_ROOMY, _ROOMY)
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
