"""A count with discrete Gaussian noise, compared with a whole threshold: a decision that a computer makes exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Self

import numpy as np

from dpstudio.core.declare import Array, parameter
from dpstudio.core.sources import CKS20
from dpstudio.mechanisms.decision.base import Decision, Particular
from dpstudio.mechanisms.decision.pairs import BOUND, Excess, TailPairs, both_tails
from dpstudio.mechanisms.decision.precise import INFINITY
from dpstudio.mechanisms.noise import DiscreteGaussianNoise
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import COIN, COMPLEMENT, EXACT_INTEGERS, INSIDE_UNIT, MINIMUM, SIGMA, TARGET, THRESHOLD

_DUST = 2.0**-50
"""A difference of less than this part of its terms is their rounding."""

_FAR = float(EXACT_INTEGERS - 2)


@dataclass(frozen=True)
class DiscreteGaussianDecision(Decision):
    """Accept where N + X > k, and with probability w where N + X = k, X discrete Gaussian noise of parameter σ.

    The coin makes f(m) the target exactly: f(N) = w Pr[X ≥ k − N] + (1 − w) Pr[X ≥ k + 1 − N]. Between whole N the
    curve is straight. `minimum` is whole, `target` in (0, 1); a target near 1 is given by its complement.
    [Canonne, Kamath & Steinke 2020.]
    """

    name = "discrete Gaussian"
    source = CKS20
    needs_delta = True

    sigma: float = parameter(SIGMA)
    minimum: int = parameter(MINIMUM)
    target: float = parameter(TARGET)
    complement: float | None = parameter(COMPLEMENT, optional=True)

    def __post_init__(self) -> None:
        both_tails(self.target, self.complement, INSIDE_UNIT)
        super().__post_init__()

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, minimum: int, target: float) -> Self:
        """The decision of the least σ from which on the noisy count itself is (ε, δ)-DP; δ is in (0, 1).

        Comparing it tells no more. [Canonne, Kamath & Steinke 2020, Theorem 7.]
        """
        return cls(DiscreteGaussianNoise.for_guarantee(epsilon, delta, 1).sigma, minimum, target)

    @cached_property
    def _noise(self) -> DiscreteGaussianNoise:
        return DiscreteGaussianNoise(self.sigma)

    @cached_property
    def _at(self) -> tuple[float, float, float]:
        """k − m, w and 1 − w."""
        p, q = both_tails(self.target, self.complement, INSIDE_UNIT)
        tail = min(p, q)
        # The first z ≤ 0 that so much of the noise lies at or below: what lies below z is certain, z takes the coin.
        z = float(self._noise.quantile(tail))
        under, upto = self._noise.cdf([z - 1, z])  # type: ignore[misc]  # an array of two
        taken, left = (min(max(float(part / self._noise.density(z)), 0.0), 1.0) for part in (tail - under, upto - tail))
        return (-z, taken, left) if p <= q else (z, left, taken)

    def particulars(self, tail: float, delta: float) -> Iterable[Particular]:  # noqa: ARG002 - it has a σ
        offset, coin, _ = self._at
        yield Particular(THRESHOLD, self.minimum + offset, "k: above it always, at it by the coin", CKS20)
        yield Particular(COIN, coin, f"w, so that f(m) = {plain(self.target)}", CKS20)
        yield Particular(SIGMA, self.sigma, f"least σ from which on Pr[X > εσ² − ½] − e^ε Pr[X > εσ² + ½] ≤ δ = "
                         f"{plain(delta)}", CKS20)

    @property
    def _rate(self) -> float:
        return 1 / self.sigma

    def _distance(self, n: Array) -> Array:
        """k − n."""
        return self._at[0] - (n - self.minimum)

    def _accept(self, n: Array) -> Array:
        return self._drawn(n, 0)

    def _reject(self, n: Array) -> Array:
        return self._drawn(n, 1)

    def _drawn(self, n: Array, which: int) -> Array:
        """One of the tails, straight between whole n."""
        whole = np.floor(n)
        part, low, high = n - whole, float(whole.min(initial=math.inf)), float(whole.max(initial=-math.inf))
        if 0 < high - low + 2 < n.size:  # fewer than are asked for: each is worked out once
            every, at = self._tails(low + np.arange(high - low + 2))[which], (whole - low).astype(np.intp)
            found, after = every[at], every[at + 1]
        else:
            found = self._tails(whole)[which]
            after = self._tails(whole + 1)[which] if part.any() else found
        return found + part * (after - found) if part.any() else found

    def _tails(self, n: Array) -> tuple[Array, Array]:
        """f and g at whole n: sums of what is positive, the larger as what the smaller lacks."""
        d = self._distance(n)
        _, coin, rest = self._at
        mass = self._noise._density(d)
        accept = self._noise._cdf(-d - 1) + coin * mass
        reject = self._noise._cdf(d - 1) + rest * mass
        return np.where(accept <= 0.5, accept, 1 - reject), np.where(accept <= 0.5, 1 - accept, reject)

    def _log(self, n: Array, accept: bool) -> Array:
        """ln (Pr[X ≥ d + 1] + w Pr[X = d]), through the complement where it is the larger."""
        d, coin = (self._distance(n), self._at[1]) if accept else (-self._distance(n), self._at[2])
        other = self._tail(n.copy(), not accept)
        with np.errstate(divide="ignore"):
            mass = -0.5 * (d / self.sigma) ** 2 - math.log(self._noise._whole) + np.log(coin)
        small = np.logaddexp(self._noise._log_tail(d + 1), mass)
        return np.where(other > 0.5, small, np.log1p(-np.minimum(other, 0.5)))

    def _rise(self, n: Array) -> Array:
        # f(n+1) − f(n) = w Pr[X = k − n − 1] + (1 − w) Pr[X = k − n].
        d = self._distance(n)
        _, coin, rest = self._at
        return np.asarray(coin * self._noise._density(d - 1) + rest * self._noise._density(d))

    def _pairs(self, epsilon: Array) -> Iterable[Excess]:
        # The excess of "yes" rises with n while the rise of f grows by more than e^ε from n to n + 1. The mass of X
        # grows from d to d − 1 by e^((2d − 1)/2σ²), which is e^ε at d = εσ² + ½; the coin moves that by one at most,
        # and "no" mirrors it.
        growth = np.expm1(np.minimum(epsilon, BOUND))
        peak = np.minimum(epsilon * self.sigma * self.sigma, 2.0 * _FAR)
        k = self.minimum + self._at[0]
        steps = np.arange(-2.0, 3.0).reshape(-1, *(1,) * epsilon.ndim)
        for n, accept in ((np.floor(k - peak) + steps, True), (np.floor(k + peak) + steps - 1, False)):
            n = np.clip(n, 0.0, _FAR)
            rise = self._rise(n)
            excess = rise - growth * self._tail(n + (not accept), accept)
            excess = np.where(np.abs(excess) > _DUST * rise, excess, 0.0)
            for each, at in zip(excess, n, strict=True):
                yield Excess(each, at, accept)

    def _neighbours(self, alpha: Array) -> TailPairs:
        # The masses of X are log-concave, and so with the coin: of all pairs the best at α have f(n), or g(n + 1), next
        # to it on either side.
        z = np.clip(self._noise._quantile(alpha), -_FAR, _FAR)
        k, steps = self.minimum + self._at[0], np.arange(-2.0, 2.0)[:, None]
        return self._told(np.clip(np.concatenate([k + z + steps, k - z + steps]), 0.0, _FAR))

    def _where(self, accept: Decimal, reject: Decimal) -> Decimal:
        tail = float(min(accept, reject))
        if not tail:
            return INFINITY.copy_sign(accept - reject)
        z, k = float(self._noise.quantile(tail)), self.minimum + self._at[0]
        # f lies between Pr[X ≤ n − k − 1] and Pr[X ≤ n − k]: it passes the tail here or one further.
        lower, n = accept <= reject, (k + z if accept <= reject else k - z) + np.arange(-2.0, 3.0)
        levels = self._tails(n)[0 if lower else 1]
        i = int(np.argmax(levels >= tail) if lower else np.argmax(levels <= tail))
        rise = float(levels[i] - levels[i - 1])
        part = (tail - float(levels[i - 1])) / rise if rise else 0.0  # the last doubles tell no more apart
        return Decimal(float(n[i - 1])) + Decimal(part)
