"""The discrete Gaussian: whole numbers that fall off like a normal law.

With g(k) = e^(−k²/2σ²) all is sums of g over the whole numbers from some x on. Where g falls fast (σ < 3, or 63 numbers
on by e^−37) they are added up, 64 terms at most. Elsewhere Euler and Maclaurin's formula turns them into integrals,
which Mills' ratio has, and derivatives at x, which are Hermite polynomials He_n(x/σ) g(x)/(−σ)ⁿ: by |B_n|/n! < 4/(2π)ⁿ
what is left out after 20 derivatives is less than 1e-15 of the sum. The sum over all whole numbers has by Poisson's
formula two series, one quick for each size of σ: Σ g(k) = σ√(2π) Σ e^(−2π²σ²k²).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from dpstudio.core.arrays import numbers_in, parameter_value
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.law import MOVED_UP
from dpstudio.core.sources import CKS20, Source
from dpstudio.core.special import ROOT_TWO_PI, mills, mills_slope
from dpstudio.mechanisms.mechanism import INSIDE_DELTA
from dpstudio.mechanisms.noise.base import Size, WholeNoise
from dpstudio.mechanisms.noise.exact import discrete_gaussian
from dpstudio.mechanisms.noise.gaussian import BellNoise
from dpstudio.mechanisms.noise.profile import delta_of_mu, largest_mu, smallest_epsilon_of_one
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import EPSILON, EPSILON_PRIME, WHOLE_SENSITIVITY

_SMOOTH = 3.0
"""From this σ on derivatives of g fall off fast enough for Euler and Maclaurin's formula."""
_TERMS = np.arange(64.0)
_STEEP = 37.0
"""Where ln g falls by this over so many terms, they are enough."""
_WIDE = 0.75
"""Up to this x/σ² derivatives of g fall off fast enough."""
_ORDER = 20
_HALF_WAY = 0.6
"""The σ at which both of Poisson's series are quick."""
_WIDEST = 1e17
"""Discrete Gaussian noise that is wider would leave the 64-bit integers."""
_SAFE = 1 + 2.0**-40
"""σ is rounded up by this factor, which is more than the rounding errors of a δ make of it."""
_UNEVEN = 0.7
"""From this ε/Δ on δ rises and falls as σ grows, a wave for each whole number that the crossing passes."""
_EVEN = 4.0
"""From this σ on the waves are too low to lift a δ of 1e-12 or more."""
_LOOKED_AT = np.linspace(0.45, 1.35, 97)
"""There the last fall below a δ is looked for, at so many times the σ of the continuous law."""
_A_FEW = 12
"""So many terms tell whether a δ is kept."""
_NEAR = 0.003
"""So near the σ of the continuous law that of the discrete one mostly is."""
_CLOSE = 1e-13
_STRAIGHT, _SHORT, _SOON = 1e-3, 1e-13, 6
"""Steps of Newton's to an ε are the last if they are this short, along a straight line and where it bends, for there
they end before it; and so many of them are soon."""
_PATIENCE = 60
_AT_ONCE = 64
"""So often at most σ is rounded up before it is asked again."""
_ROUNDS = 64
"""So often it is asked before it is looked for between what fails and what holds."""


def _bernoulli(order: int) -> Array:
    """Row n: the coefficients of B_n(θ)/n! by powers of θ, from the derivative B_n′ = n B_(n−1) and a mean of 0."""
    rows = np.zeros((order + 1, order + 1))
    rows[0, 0] = 1
    for n in range(1, order + 1):
        powers = np.arange(1, n + 1)
        rows[n, 1 : n + 1] = rows[n - 1, :n] / powers
        rows[n, 0] = -(rows[n, 1 : n + 1] / (powers + 1)).sum()
    return rows


_BERNOULLI = _bernoulli(_ORDER)


def _all(sigma: Array) -> Array:
    """Σ g(k) over all whole numbers."""
    few, many = np.arange(1.0, 8)[:, None], np.arange(1.0, 4)[:, None]
    flat = sigma.reshape(-1)
    with np.errstate(over="ignore", divide="ignore"):
        narrow = 1 + 2 * np.exp(-0.5 * (few / flat) ** 2).sum(axis=0)
        wide = ROOT_TWO_PI * flat * (1 + 2 * np.exp(-2 * (np.pi * flat * many) ** 2).sum(axis=0))
    return np.asarray(np.where(flat < _HALF_WAY, narrow, wide)).reshape(sigma.shape)


def _hermite(z: Array, order: int) -> list[Array]:
    """He_0(z) … He_order(z): He_(n+1) = z He_n − n He_(n−1)."""
    found = [np.ones_like(z), z]
    for n in range(1, order):
        found.append(z * found[n] - n * found[n - 1])
    return found


def _steep(x: Array, sigma: Array) -> npt.NDArray[np.bool_]:
    """Where sums of g from x on are of few terms: ln g falls by n (x + n/2)/σ² over n of them."""
    last = _TERMS[-1]
    with np.errstate(over="ignore"):
        return np.asarray((sigma < _SMOOTH) | ((x + last / 2) / sigma * last >= _STEEP * sigma))


def _sums(x: Array, sigma: Array, power: int = 0) -> Array:
    """Σ ((k − x)/σ)^power g(k)/g(x) over the whole k ≥ x, at whole x ≥ 0; power is 0, 1 or 2."""
    x, sigma = np.broadcast_arrays(x, sigma)
    found = np.empty(x.shape)
    with np.errstate(over="ignore"):
        added = _steep(x, sigma)
        at, s = x[added, None], sigma[added, None]
        far = np.minimum(_TERMS[1:] / s, 1e100)
        terms = np.exp(-(at + _TERMS[1:] / 2) / s * far)
        found[added] = (terms * far**power if power else terms).sum(axis=-1) + (power == 0)
    at, s = x[~added], sigma[~added]
    if at.size:
        # ∫ ((t − x)/σ)^p g − Σ B_n/n! (d/dt)^(n−1) ((t − x)/σ)^p g: at x the derivative is that of g of the order
        # n − 1 − p, (n − 1) … (n − p) times.
        z = at / s
        slope = mills_slope(z)
        total = s * (mills(z), slope, mills(z) - z * slope)[power] + (0.5 if power == 0 else 0.0)
        polynomials, scale = _hermite(z, _ORDER), np.ones_like(s)
        for n in range(2, _ORDER + 1):
            scale = scale / s
            if n % 2 == 0 and n > power:
                order = n - 1 - power
                factor = math.perm(n - 1, power) * _BERNOULLI[n, 0] * (-1.0) ** (order + 1)
                total = total + factor * polynomials[order] * scale
        found[~added] = total
    return found


def _tails(x: Array, sigma: Array, whole: Array | float) -> Array:
    """Pr[X ≥ x] at whole x ≥ 1, of g that sums to `whole`."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(-0.5 * (x / sigma) ** 2) * _sums(x, sigma) / whole)


def _deltas(epsilon: Array, sigma: Array, sensitivity: Array, terms: int = _TERMS.size) -> Array:
    """The smallest δ, Σ (p(k − Δ) − e^ε p(k))⁺. [Canonne, Kamath & Steinke 2020, Theorem 7.]

    Its terms are positive beyond y = εσ²/Δ + Δ/2. They are added up where they fall fast; else it is the integral, δ of
    the continuous law, less Σ B_n(θ)/n! F^(n−1)(y), θ the distance from y to the next whole number and F(t) =
    g(t − Δ) − e^ε g(t), which is 0 at y; where only e^ε g(t) falls fast, the difference of two tails.
    """
    epsilon, sigma, sensitivity = (part.reshape(-1) for part in np.broadcast_arrays(epsilon, sigma, sensitivity))
    with np.errstate(over="ignore"):
        middle = epsilon * sigma * (sigma / sensitivity)
    low = np.clip(middle - sensitivity / 2, -1e300, 1e300)  # y − Δ
    first = np.floor(low) + 1
    theta = first - low
    found = np.empty(low.shape)
    added = _steep(low, sigma)
    smooth = ~added & (low + sensitivity < _WIDE * sigma * sigma)
    split = ~added & ~smooth
    if added.any():
        found[added] = _added(first[added], theta[added], sigma[added], sensitivity[added], terms)
    if smooth.any():
        found[smooth] = _integrated(epsilon[smooth], low[smooth], theta[smooth], sigma[smooth], sensitivity[smooth])
    if split.any():
        x, s, d = first[split], sigma[split], sensitivity[split]
        with np.errstate(over="ignore"):
            upper = _tails(np.where(x > 0, x, 1 - x), s, _all(s))
            lower = np.exp(-0.5 * (x / s) ** 2 - d / s * (theta[split] / s)) * _sums(x + d, s) / _all(s)
        found[split] = np.where(x > 0, upper, 1 - upper) - lower
    return np.asarray(np.clip(found, 0.0, 1.0) + 0.0)


def _added(first: Array, theta: Array, sigma: Array, sensitivity: Array, terms: int) -> Array:
    """Σ p(k) (1 − e^(ε − loss)) from k + Δ = y + θ on; below −32 nothing is left at σ < 3."""
    start, j = np.maximum(first, -terms / 2), _TERMS[:terms]
    k, s = start[:, None] + j, sigma[:, None]
    with np.errstate(over="ignore"):
        lost = np.expm1(-sensitivity[:, None] / s * (((start - first) + theta)[:, None] + j) / s)
        return np.asarray(-(np.exp(-0.5 * (k / s) ** 2) * lost).sum(axis=1) / _all(sigma))


def _integrated(epsilon: Array, low: Array, theta: Array, sigma: Array, sensitivity: Array) -> Array:
    mu, u = sensitivity / sigma, low / sigma
    w = u + mu
    # D_n = He_n(u) − He_n(w) keeps its digits: D_(n+1) = u D_n − μ He_n(w) − n D_(n−1).
    polynomials = _hermite(w, _ORDER)
    before, now = np.zeros_like(u), -mu
    total, scale = np.zeros_like(u), np.ones_like(u)
    bernoulli = _BERNOULLI @ np.vander(theta, _ORDER + 1, increasing=True).T
    for n in range(2, _ORDER + 1):
        scale = scale / -sigma
        total = total - bernoulli[n] * scale * now
        before, now = now, u * now - mu * polynomials[n - 1] - (n - 1) * before
    with np.errstate(over="ignore", invalid="ignore"):
        correction = np.exp(-0.5 * u * u) * total / (ROOT_TWO_PI * sigma)
    return delta_of_mu(epsilon, mu) + np.nan_to_num(correction)


def _least_sigma(epsilon: Array, delta: float, sensitivity: float) -> Array:
    """At each ε, of one dimension, a σ from which on δ_σ(ε) ≤ δ: the least one, but for 1e-12.

    Where δ_σ(ε) rises and falls, it is the last fall below δ between any two of the places looked at. At the σ found
    the guarantee holds in any case.
    """
    scale = sensitivity / largest_mu(epsilon, np.full(epsilon.shape, delta))

    def excess(sigma: Array, which: npt.NDArray[Any] | slice = slice(None)) -> Array:
        found = _deltas(epsilon[which], sigma, np.array(sensitivity))
        with np.errstate(divide="ignore"):
            return np.asarray(np.maximum(np.log(found), -800.0) - math.log(delta))

    uneven = (epsilon >= _UNEVEN * sensitivity) & (scale < _EVEN)
    low, high = (1 - _NEAR) * scale, (1 + _NEAR) * scale
    if uneven.any():
        sigma = _LOOKED_AT * scale[uneven, None]
        kept = _deltas(epsilon[uneven, None], sigma, np.array(sensitivity), _A_FEW).reshape(sigma.shape) <= delta
        last = np.clip(_LOOKED_AT.size - np.argmin(kept[:, ::-1], axis=1), 1, _LOOKED_AT.size - 1)
        low[uneven], high[uneven] = (_LOOKED_AT[at] * scale[uneven] for at in (last - 1, last))
    while ((above := excess(low)) <= 0).any():
        low = np.where(above <= 0, low / 1.1, low)
    while ((below := excess(high)) > 0).any():
        high = np.where(below > 0, high * 1.1, high)
    # The rule of false position in ln σ, the value at an end that stays being halved. [The Illinois method.]
    a, b = np.log(low), np.log(high)
    side, best = np.zeros(epsilon.shape), b.copy()
    going = np.ones(epsilon.shape, dtype=np.bool_)
    for _ in range(_PATIENCE):
        c, d, up, down = a[going], b[going], above[going], below[going]
        at = d + np.clip(down * (d - c) / (up - down), c - d, 0.0)
        found = excess(np.exp(at), going)
        fails = found > 0
        again = side[going] == np.where(fails, 1.0, -1.0)
        above[going] = np.where(fails, found, np.where(again, up / 2, up))
        below[going] = np.where(fails, np.where(again, down / 2, down), found)
        a[going], b[going] = np.where(fails, at, c), np.where(fails, d, at)
        side[going] = np.where(fails, 1.0, -1.0)
        moved, best[going] = np.abs(at - best[going]), at
        # A step of this length and the next one's is shorter than rounding errors: its error is of the second order.
        going[going] = (moved > _CLOSE) & (found != 0)
        if not going.any():
            break
    sigma = np.exp(best) * _SAFE
    wrong, number = np.flatnonzero(excess(sigma) > 0), 1
    for _ in range(_ROUNDS):  # at a huge ε it takes thousands of steps: ever more of them are asked at once
        if not wrong.size:
            return sigma
        steps = np.full((wrong.size, number + 1), _SAFE)
        steps[:, 0] = sigma[wrong]
        tried = np.multiply.accumulate(steps, axis=1)[:, 1:]
        kept = excess(tried.reshape(-1), wrong.repeat(number)).reshape(tried.shape) <= 0
        done = np.asarray(kept.any(axis=1))
        sigma[wrong] = tried[np.arange(wrong.size), np.where(done, kept.argmax(axis=1), -1)]
        wrong, number = wrong[~done], min(2 * number, _AT_ONCE)
    # A place looked at has this δ, but for rounding errors, and δ rises there: it falls beyond the wave.
    short, enough = sigma[wrong], high[wrong]
    while (enough > _SAFE * short).any():
        middle = np.sqrt(short * enough)
        holds = excess(middle, wrong) <= 0
        short, enough = np.where(holds, short, middle), np.where(holds, middle, enough)
    sigma[wrong] = enough
    return sigma


@lru_cache(maxsize=4)
def _least_sigmas(epsilons: tuple[float, ...], delta: float, sensitivity: float) -> tuple[float, ...]:
    """The same, kept: a picture over all ε asks for them again whenever its own ε moves."""
    return tuple(_least_sigma(np.array(epsilons), delta, sensitivity).tolist())


@dataclass(frozen=True)
class DiscreteGaussianNoise(BellNoise, WholeNoise):
    """Whole numbers x with probability e^(−x²/2σ²)/Σ e^(−k²/2σ²): whole answers, released exactly by a computer.

    σ is its parameter, and its standard deviation a little less.
    [Canonne, Kamath & Steinke 2020, Definition 1.]
    """

    name = "discrete Gaussian"
    source = CKS20
    is_concave = True
    is_spread = False
    scale_how = "a σ from which on Pr[X > εσ²/Δ − Δ/2] − e^ε Pr[X > εσ²/Δ + Δ/2] ≤ δ"
    sd_how = "√(Σ k² e^(−k²/2σ²)/Σ e^(−k²/2σ²))"
    mean_how = "Σ |k| e^(−k²/2σ²)/Σ e^(−k²/2σ²)"
    exceeds_how = "Pr[X > εσ²/Δ − Δ/2]"

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, sensitivity: float) -> Self:
        """The least σ from which on it is (ε, δ)-DP; δ is in (0, 1), the sensitivity whole.

        At large ε it is not the least of all: the δ of a σ below ½ or so may fall and rise again as σ grows.
        """
        at, whole = parameter_value(EPSILON, epsilon), parameter_value(WHOLE_SENSITIVITY, sensitivity, "sensitivity")
        return cls(float(_least_sigma(np.array([at]), parameter_value(INSIDE_DELTA, delta), whole)[0]))

    @classmethod
    def sds(cls, epsilon: npt.ArrayLike, delta: float, sensitivity: float) -> Array:
        at = numbers_in(epsilon, EPSILON)
        sigma = np.array(_least_sigmas(tuple(at.reshape(-1).tolist()), delta, sensitivity))
        roots = np.sqrt(2 * _sums(np.zeros_like(sigma), sigma, 2) / _all(sigma))
        return np.asarray(sigma * roots).reshape(at.shape)

    @cached_property
    def _whole(self) -> float:
        """Σ g(k)."""
        return float(_all(np.array(self.sigma)))

    @property
    def sd(self) -> float:
        """√E X², a little less than σ."""
        return min(self.sigma * math.sqrt(2 * self._from_0(2)), self.sigma)

    @property
    def mean_error(self) -> float:
        """E|X|."""
        return self.sigma * 2 * self._from_0(1)

    def _from_0(self, power: int) -> float:
        """E (X⁺/σ)^power."""
        return float(_sums(np.zeros(1), np.array([self.sigma]), power)[0]) / self._whole

    @property
    def loss_source(self) -> Source:
        return CKS20

    def loss_exceeds(self, epsilon: float, sensitivity: float = 1) -> float:
        """Pr[X > εσ²/Δ − Δ/2]."""
        distance = self._sensitivity(sensitivity)
        middle = parameter_value(EPSILON_PRIME, epsilon, "epsilon") * self.sigma * (self.sigma / distance)
        return float(self._cdf(np.array(-(math.floor(min(middle, 1e300) - distance / 2) + 1.0))))

    def excess(self, x: Array, rounded: bool = False) -> tuple[Array, Array]:  # noqa: ARG002 - whole already
        flat, sigma = x.reshape(-1).astype(np.float64), np.array(self.sigma)
        mass = np.exp(-0.5 * (flat / self.sigma) ** 2) / self._whole
        first, second = (np.asarray(mass * _sums(flat, sigma, power) * self.sigma**power).reshape(x.shape)
                         for power in (1, 2))
        return first, second

    def _density(self, x: Array) -> Array:
        z = x / self.sigma
        return np.where(np.floor(x) == x, np.exp(-0.5 * z * z) / self._whole, 0.0)

    def _upper(self, x: Array) -> Array:
        return _tails(x, np.array(self.sigma), self._whole)

    def _log_upper(self, x: Array) -> Array:
        return -0.5 * (x / self.sigma) ** 2 + np.log(_sums(x, np.array(self.sigma)) / self._whole)

    def _far(self, tail: Array) -> Array:
        # The continuous law is off by a whole number at most.
        return -self.sigma * np.asarray(ndtri(np.minimum(tail * (self._whole / (ROOT_TWO_PI * self.sigma)), 0.5)))

    def _delta(self, epsilon: Array, sensitivity: float) -> Array:
        return _deltas(epsilon, np.array(self.sigma), np.array(sensitivity)).reshape(epsilon.shape)

    def epsilon_at(self, delta: float, sensitivity: float = 1) -> float | None:
        """The smallest ε at which a δ in (0, 1) is enough, to 1e-12 and not below; None where it is not soon found.

        By Newton's steps in e^ε from the ε of the continuous law: δ(ε) = Pr[X ≥ x − Δ] − e^ε Pr[X ≥ x] is straight in
        it as long as x is the same, so that a step ends at the root as soon as it stays there.
        """
        allowed, distance = parameter_value(INSIDE_DELTA, delta), self._sensitivity(sensitivity)
        mu, x, step = distance / self.sigma, -1.0, math.inf
        if self.sigma < _SMOOTH or mu > 1:
            return None
        found = smallest_epsilon_of_one(mu, allowed)
        for _ in range(_SOON):
            last, x = x, self._crossing(found, distance)
            if x == last and abs(step) <= _STRAIGHT * min(found, 1.0):
                return found * (1 + MOVED_UP)
            at = np.array([found])
            share = math.exp(found + float(self._log_upper(np.array([x]))[0]))
            lacking = float(self._delta(at, distance)[0]) - allowed
            if lacking < -share / 2:
                return None
            step = max(math.log1p(lacking / share), -found)
            found += step
            if abs(step) <= _SHORT * min(found, mu):
                return found * (1 + MOVED_UP)
        return None

    def _tail_loss(self, x: Array, sensitivity: float) -> Array:
        # From x − Δ ≥ 1 on the loss of the outcome x and what the sums of both tails differ by. Where the loss is small
        # it is what a move by Δ adds to Pr[X ≥ x]: the Δ masses below x.
        x, sigma = np.ceil(x), np.array(self.sigma)
        high, moved = np.maximum(x, 1.0), x - sensitivity
        out = self._loss(high, sensitivity) + np.log(_sums(np.maximum(moved, 1.0), sigma) / _sums(high, sigma))
        near = self._log_tail(np.minimum(moved, 0.0)) - self._log_tail(np.minimum(x, sensitivity))
        wide = np.where(moved >= 1, out, near)
        if sensitivity > _TERMS.size:
            return np.asarray(wide)
        k, low = np.arange(1.0, sensitivity + 1), np.clip(x, -1e300, 0.0)
        above = np.exp(k / self.sigma * ((high[..., None] - k / 2) / self.sigma)).sum(axis=-1) / _sums(high, sigma)
        below = self._density(low[..., None] - k).sum(axis=-1) / np.exp(self._log_tail(low))
        added = np.where(x >= 1, above, below)
        return np.asarray(np.where(added < 1, np.log1p(np.minimum(added, 1.0)), wide))

    def _crossing(self, loss: float, sensitivity: float) -> float:
        return math.floor(sensitivity / 2 + loss * self.sigma * (self.sigma / sensitivity)) + 1.0

    def sample(self, size: Size, rng: np.random.Generator) -> npt.NDArray[np.float64 | np.int64] | float | int:
        if self.sigma > _WIDEST:
            raise InvalidParameter("sigma", "at most 1e17 to draw whole numbers", self.sigma)
        return discrete_gaussian(self.sigma, size, rng)[()]
