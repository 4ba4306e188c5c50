"""Laplace noise in double-precision numbers: as textbooks have it, and snapped, whose last bits tell nothing.

Of the doubles around an answer only those can be released to which some u of the generator leads, and which these are
depends on the true answer. A released double that the other of two neighbours cannot release tells them apart for
certain, whatever the scale. [Mironov 2012, section 4.] Snapping rounds the telling bits away.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.sources import MIRONOV12
from dpstudio.mechanisms.mechanism import SHARE, Mechanism
from dpstudio.mechanisms.noise.exponential import LaplaceNoise
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain

_GRID = 2.0**-53
"""The distance between the uniform numbers that a generator gives."""
_SURE = 8.0
"""Where the doubles lie so many steps of u apart, each is released: by half of them on either side, less what rounding
moves them by."""
_NEAR = np.arange(-10.0, 11.0)
"""Which u are tried beside the estimate: half of `_SURE`, and 6 steps for what exp, ln and the roundings between are
off by, which is up to 2⁻⁵¹ of an |ln u| that is at most 2⁵³/e steps of its u."""
_SIGNS = np.array([-1.0, 1.0])
_LOWEST = np.iinfo(np.int64).min


def laplace_in_doubles(answer: float, scale: float, size: int, rng: np.random.Generator) -> Array:
    """answer ± b ln u in doubles, u a multiple of 2⁻⁵³ in (0, 1): how Laplace noise is often added, and guards nothing.

    It stands here to be attacked; `LaplaceNoise` explores the law that it is meant to have.
    """
    k = rng.integers(1, 2**53, size).astype(np.float64)
    return _released(answer, scale, k, rng.choice(_SIGNS, size))


def reachable(released: npt.ArrayLike, answer: float, scale: float) -> npt.NDArray[np.bool_]:
    """Whether that sampler can release each of these doubles, of any shape, from this answer.

    No u but those next to e^(−|released − answer|/b) can lead there, and each of them is tried.
    """
    y = np.asarray(released, dtype=np.float64)[..., None]
    x = y - answer
    k = np.rint(np.exp(-np.abs(x) / scale) / _GRID)
    tried = np.clip(k + _NEAR, 1, 1 / _GRID - 1)
    found = _released(answer, scale, tried, np.where(x < 0, 1.0, -1.0)) == y
    return np.asarray(found.any(axis=-1) | (np.spacing(np.abs(y)) / scale * k >= _SURE)[..., 0])


def around(released: float, reach: int) -> Array:
    """The doubles next to one, so many on either side, rising."""
    bits = int(np.float64(released).view(np.int64))
    near = (bits if bits >= 0 else int(_LOWEST) - bits) + np.arange(-reach, reach + 1)
    return np.where(near >= 0, near, _LOWEST - near).view(np.float64)


def _released(answer: float, scale: float, k: Array, sign: Array) -> Array:
    return np.asarray(answer + sign * (scale * np.log(k * _GRID)))


_EXTRA = Fraction(1, 2**49)
"""What B/λ is multiplied by for ε: 12 · 2⁻⁵³ by the last line of the proof, which adds 2 · 2⁻⁵³; of 16, what is left
covers that, as B ≥ 2λ, and two roundings of f/Δ. [Mironov 2012, Theorem 1.]"""
_WIDEST = 2.0**46
"""So many λ the bound is at most, for the theorem."""
_FAR = 46.0
"""So many scales from the answer outcomes have probability 1e-20 together."""
_LOG = 2.0**-50
"""Doubles’ logarithms are off by less than this part of them."""


@dataclass(frozen=True)
class SnappedLaplace(Mechanism):
    """clamp(⌊clamp(f/Δ) + S λ ln U*⌉), times Δ: clamped to ±B/Δ, rounded to multiples of Λ, the power of 2 from λ on.

    S is a sign, U* a double in (0, 1) as probable as it is wide. It is (1/λ + 2⁻⁴⁹ B/(Δλ))-DP in doubles, with a
    correctly rounded logarithm, where Δ is the sensitivity; λ is the least for ε. Probabilities are those of real
    numbers, of which doubles change the logarithms by no more than that second part of ε.
    [Mironov 2012, section 5.2.]
    """

    name = "snapped Laplace"
    source = MIRONOV12

    epsilon: float = parameter(v.EPSILON)
    bound: float = parameter(v.CLAMP)
    sensitivity: float = parameter(v.SENSITIVITY, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        least = 2 * max(self.scale, self.sensitivity)
        if not least <= self.bound <= _WIDEST * self.scale:
            raise InvalidParameter("bound", f"from twice the larger of scale and sensitivity, {plain(least)}, to 2^46 "
                                   f"scales, {plain(_WIDEST * self.scale)}", self.bound)

    @cached_property
    def multiplier(self) -> float:
        """λ = (1 + 2⁻⁴⁹ B/Δ)/ε, rounded up where it is no double."""
        exactly = (1 + _EXTRA * Fraction(self.bound) / Fraction(self.sensitivity)) / Fraction(self.epsilon)
        if exactly > np.finfo(float).max:
            return math.inf
        found = float(exactly)
        return found if Fraction(found) >= exactly else math.nextafter(found, math.inf)

    @property
    def scale(self) -> float:
        """b = Δλ, in units of the answer."""
        return self.sensitivity * self.multiplier

    @cached_property
    def steps(self) -> float:
        """Λ, the smallest power of 2 that is λ or more."""
        part, power = math.frexp(self.multiplier)
        return math.ldexp(1.0, power - (part == 0.5))

    @property
    def grid(self) -> float:
        """ΔΛ, the distance between outcomes, in units of the answer."""
        return self.sensitivity * self.steps

    @cached_property
    def _noise(self) -> LaplaceNoise:
        return LaplaceNoise(self.scale)

    def tail(self, x: npt.ArrayLike, answer: float) -> float | Array:
        """Pr[outcome ≥ x] where this is the true answer, to full relative accuracy; x of any shape."""
        return self._from(x, answer, 1, lambda far: self._noise._cdf(-far), 0.0, 1.0)

    def below(self, x: npt.ArrayLike, answer: float) -> float | Array:
        """Pr[outcome < x] where this is the true answer, to full relative accuracy; x of any shape."""
        return self._from(x, answer, -1, lambda far: self._noise._cdf(-far), 1.0, 0.0)

    def log_tail(self, x: npt.ArrayLike, answer: float) -> float | Array:
        """ln Pr[outcome ≥ x], also where that is no double; x of any shape."""
        return self._from(x, answer, 1, self._noise._log_tail, -np.inf, 0.0)

    def log_below(self, x: npt.ArrayLike, answer: float) -> float | Array:
        """ln Pr[outcome < x], also where that is no double; x of any shape."""
        return self._from(x, answer, -1, self._noise._log_tail, 0.0, -np.inf)

    def _from(self, x: npt.ArrayLike, answer: float, side: int, of: Callable[[Array], Array], above: float,
              under: float) -> float | Array:
        """What a tail of the noise on that side of the answer says of it; another number beyond either bound."""
        at = numbers_in(x, v.NOISY_ANSWER, "x")
        inside = of(side * (self.edge(at) - self._clamped(answer)))
        return shaped(np.where(at > self.bound, above, np.where(at <= -self.bound, under, inside)))

    def probability(self, x: npt.ArrayLike, answer: float) -> float | Array:
        """Pr[outcome = x] where this is the true answer, 0 between the multiples of the step; x of any shape."""
        at, centre = numbers_in(x, v.NOISY_ANSWER, "x"), self._clamped(answer)
        k = np.floor(self._steps_in(at))
        there = (np.abs(at) == self.bound) | ((k * self.grid == at) & (np.abs(at) < self.bound))
        low = np.where(at <= -self.bound, -np.inf, self.edge(at) - centre)
        high = np.where(at >= self.bound, np.inf, (k + 0.5) * self.grid - centre)
        return shaped(np.where(there, self._between(low, high), 0.0))

    def outcomes(self, answer: float) -> tuple[Array, Array]:
        """The outcomes that can happen, rising, and the probability of each; the rarest 1e-20 lie at the ends."""
        x, g = self._clamped(answer), self.grid
        last = math.ceil(self.bound / g)
        low = max(math.floor((x - _FAR * self.scale) / g), -last)
        high = min(math.ceil((x + _FAR * self.scale) / g), last)
        k = np.arange(low, high + 1.0)
        edges = np.concatenate([[-np.inf], (k[1:] - 0.5) * g - x, [np.inf]])
        return np.clip(k * g, -self.bound, self.bound), self._between(edges[:-1], edges[1:])

    def _between(self, low: Array, high: Array) -> Array:
        """Pr[low ≤ noise < high], from the smaller tails."""
        below, above = self._noise._cdf(np.stack([low, high])), self._noise._cdf(-np.stack([low, high]))
        inside = np.where(high < 0, below[1] - below[0], 1 - above[1] - below[0])
        return np.asarray(np.where(low > 0, above[0] - above[1], inside))

    def mean_error(self, answer: float) -> float:
        """E|outcome − answer|."""
        outcome, share = self.outcomes(answer)
        return float(np.abs(outcome - answer) @ share)

    def rms_error(self, answer: float) -> float:
        """√E(outcome − answer)²."""
        outcome, share = self.outcomes(answer)
        return math.sqrt(float((outcome - answer) ** 2 @ share))

    def error_quantile(self, p: float, answer: float) -> float:
        """The smallest e with Pr[|outcome − answer| ≤ e] ≥ p, p in (0, 1)."""
        p = parameter_value(SHARE, p, "p")
        outcome, share = self.outcomes(answer)
        off = np.abs(outcome - answer)
        order = np.argsort(off, kind="stable")
        at = int(np.searchsorted(np.cumsum(share[order]), p * (1 - 1e-14)))
        return float(off[order[min(at, len(off) - 1)]])

    def error_exceeds(self, x: float, answer: float) -> float:
        """Pr[|outcome − answer| > x], x ≥ 0."""
        outcome, share = self.outcomes(answer)
        return min(float(share[np.abs(outcome - answer) > parameter_value(v.ERROR_BEYOND, x, "x")].sum()), 1.0)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ at each ε ≥ 0 over all neighbouring answers, in real numbers: 1 − e^((ε − 1/λ)/2), at least 0.

        It is that of Laplace noise of scale λ: rounding can raise none, and where an edge of the grid lies at the best
        event’s own, as it does for some answers, it takes nothing away.
        """
        at = numbers_in(epsilon, v.EPSILON_PRIME, "epsilon")
        return shaped(np.maximum(0.0, -np.expm1((at - 1 / self.multiplier) / 2)))

    def sample(self, answer: float, size: int, rng: np.random.Generator) -> Array:
        """So many outcomes where this is the true answer, in doubles as the theorem has it.

        A logarithm within 4 units of its last place serves wherever a correctly rounded one gives the same multiple.
        """
        u = _uniform(size, rng)
        sign, log = rng.choice(_SIGNS, size), np.asarray(np.log(u))
        centre = self._clamped(answer) / self.sensitivity
        low = self._snapped(centre, sign, np.asarray(log * (1 - _LOG)))
        for i in np.flatnonzero(low != self._snapped(centre, sign, np.asarray(log * (1 + _LOG)))).tolist():
            correctly = float(Context(prec=60).ln(Decimal(float(u[i]))))
            low[i] = self._snapped(centre, sign[i], correctly)
        return np.asarray(np.clip(low * self.sensitivity, -self.bound, self.bound))

    def _snapped(self, centre: float, sign: Array | float, log: Array | float) -> Array:
        """The multiple of Λ next to the noisy answer, halves up; a division by Λ is exact."""
        k = np.asarray((centre + sign * (self.multiplier * log)) / self.steps)
        whole = np.floor(k)
        return np.asarray((whole + (k - whole >= 0.5)) * self.steps)

    def _clamped(self, answer: float) -> float:
        answer = parameter_value(v.TRUE_ANSWER, answer, "answer")
        return min(max(answer, -self.bound), self.bound)

    def edge(self, x: Array) -> Array:
        """Where noisy answers begin that are rounded to x or more."""
        return np.asarray((np.ceil(self._steps_in(x)) - 0.5) * self.grid)

    def _steps_in(self, x: Array) -> Array:
        """x in steps of the grid, whole at its multiples whatever their rounding."""
        steps = x / self.grid
        whole = np.rint(steps)
        return np.where(whole * self.grid == x, whole, steps)


def _uniform(size: int, rng: np.random.Generator) -> Array:
    """Doubles in (0, 1), each as probable as it is wide: a power of 2 by the bits until the first 1, and 52 bits."""
    part, power, left = np.empty(size), np.zeros(size, dtype=np.int64), np.arange(size)
    while left.size:
        part[left], more = np.frexp(rng.integers(0, 2**53, left.size).astype(np.float64))
        empty = part[left] == 0
        power[left] += np.where(empty, -53, more - 53)
        left = left[empty]
    return np.asarray(np.ldexp(1 + rng.integers(0, 2**52, size) * 2.0**-52, power - 1))
