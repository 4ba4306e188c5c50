"""What every noise has in common: a symmetric law, and what shifting it by one record's influence gives away.

All that can be derived from the density, the two tails and the quantile is derived here, so that a new noise is one
class of four methods; Laplace, geometric and Gaussian noise replace what they have in closed form.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array
from dpstudio.core.quadrature import integral
from dpstudio.core.search import first_double
from dpstudio.core.sources import Source
from dpstudio.mechanisms.concave import require_concave_noise
from dpstudio.mechanisms.mechanism import SHARE, Mechanism
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import Quantity

_RARE = 1e-300
"""The probability of the tail in which a largest loss is read off."""
_FAR, _FARTHEST = 2.0**53, 1e300
"""Outcomes beyond these, of whole and of other noise, have no probability left."""
_SPREAD = 0.5 ** np.array([1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256])
"""Tails at whose places an integral is cut."""
_MOST_WHOLE = 2**22
"""So many whole numbers are added up at most for a moment."""

Size: TypeAlias = int | tuple[int, ...] | None


@dataclass(frozen=True)
class Noise(Mechanism, ABC):
    """Noise X, symmetric about 0, added to the answer of a query that one record moves by at most the sensitivity.

    A new noise declares its parameters, `name` and `source`, and gives `_density`, `_cdf`, `_quantile` and `sample`;
    `is_whole = True` where X is a whole number. The first three take and give float64 arrays of one shape. It is
    assumed that the loss ln f(x − Δ)/f(x) never falls as x grows, whatever Δ is: that ln f is concave. Where that is
    seen to fail, the noise is refused when it is made (`mechanisms/concave.py` says what is seen and what not), unless
    it overrides `_delta`, `_trade_off` and `_crossing`, which need it, or is known for it; a Δ that it cannot hide is
    refused by `reach`. What is derived is good to 1e-14 absolute for δ and errors, to 1e-11 relative for moments, and
    for losses to 1e-13 of the logarithms they are differences of; exact zeros and full relative accuracy need closed
    forms, each by overriding its method. Arrays keep their shape, scalars give floats, and what
    lies outside its domain raises InvalidParameter.
    """

    norm: ClassVar[int] = 1
    """The norm in which it takes a sensitivity: ℓ₁ or ℓ₂."""
    is_whole: ClassVar[bool] = False
    """Whether the noise is a whole number."""
    reach: ClassVar[Quantity] = v.SENSITIVITY
    """The sensitivities that it takes."""
    is_concave: ClassVar[bool] = False
    """Whether ln f is known to be concave, and is not looked at."""
    is_log_concave: ClassVar[bool] = True
    """Whether ln f is concave at all, so that a longer move tells more; who brings closed forms may lack it."""
    is_spread: ClassVar[bool] = True
    """Whether noise of its own in each coordinate hides a move in its norm, however that is spread over them."""
    scale_how: ClassVar[str] = "the standard deviation"
    sd_how: ClassVar[str] = "√E X²"
    mean_how: ClassVar[str] = "E|X|"
    rounded_how: ClassVar[str] = ""
    exceeds_how: ClassVar[str] = ""
    """Formulas of `noise_scale`, `sd`, `mean_error`, `rounded_sd` and `loss_exceeds` in words, for a fact."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.is_concave and any(
                getattr(type(self), name) is getattr(Noise, name) for name in ("_delta", "_trade_off", "_crossing")):
            _check(self)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, sensitivity: float) -> Self:  # noqa: ARG003 - where known
        """The least noise that is (ε, δ)-DP at that sensitivity; noise that is pure leaves δ unspent."""
        raise TypeError(f"{cls.__name__} is not made for a guarantee")

    @classmethod
    def sds(cls, epsilon: npt.ArrayLike, delta: float, sensitivity: float) -> Array:
        """The sd of `for_guarantee` at each ε > 0, of any shape."""
        made = np.vectorize(lambda each: cls.for_guarantee(float(each), delta, sensitivity).sd, otypes=[np.float64])
        return np.asarray(made(epsilon))

    @abstractmethod
    def _density(self, x: Array) -> Array:
        """The density at x, or the mass."""

    @abstractmethod
    def _cdf(self, x: Array) -> Array:
        """Pr[X ≤ x], to full relative accuracy where it is small."""

    @abstractmethod
    def _quantile(self, p: Array) -> Array:
        """The smallest x with Pr[X ≤ x] ≥ p, −∞ at 0 and ∞ at 1."""

    @property
    def sd(self) -> float:
        """The standard deviation of the noise."""
        return math.sqrt(self._moments[1])

    @property
    def mean_error(self) -> float:
        """E|X|, the mean distance of the noisy answer from the true one."""
        return self._moments[0]

    @property
    def noise_scale(self) -> float:
        """The number by which the noise is set, in units of the answer; the sd where it has no other."""
        return self.sd

    @property
    def rounded_sd(self) -> float | None:
        """The sd of the noise rounded to whole numbers, its own where it is whole; None where no formula is known."""
        return self.sd if self.is_whole else None

    def jumps(self, low: float, high: float, most: int) -> Array:  # noqa: ARG002 - a smooth density has none
        """The places between two numbers at which a density jumps; none where there are more than `most`."""
        return np.empty(0)

    @property
    def loss_source(self) -> Source:
        """Who gave the law of the privacy loss."""
        return self.source

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """E|X| and E X², each a sum or an integral of tails."""
        first, second = self.excess(np.zeros(()))
        return 2 * float(first), 2 * float(second)

    def _beyond(self, x: float, power: int) -> float:
        """E ((X − x)⁺)^power for x ≥ 0, the integral of power (t − x)^(power − 1) Pr[X ≥ t] from there on."""
        far = -self._quantile(_SPREAD)
        return integral(lambda t: power * (t - x) ** (power - 1) * self._cdf(-t), np.append(x, far[far > x]))

    def excess(self, x: Array, rounded: bool = False) -> tuple[Array, Array]:
        """E (X − x)⁺ and E ((X − x)⁺)² at each x ≥ 0, of any shape; of the rounded noise where asked, at whole x."""
        if rounded or self.is_whole:
            j = np.arange(1.0, min(float(-self._quantile(np.array([1e-20]))[0]), _MOST_WHOLE) + 2)
            tails = (self._cdf(0.5 * (not self.is_whole) - each - j) for each in x.flat)
            sums = np.array([(tail.sum(), tail @ (2 * j - 1)) for tail in tails]).reshape(*x.shape, 2)
            return sums[..., 0], sums[..., 1]
        found = np.array([[self._beyond(float(each), k) for k in (1, 2)] for each in x.flat]).reshape(*x.shape, 2)
        return found[..., 0], found[..., 1]

    def _log_density(self, x: Array) -> Array:
        """ln of the density; −∞ where it is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._density(x)))

    def _loss(self, x: Array, sensitivity: float) -> Array:
        """ln f(x − Δ)/f(x); beyond the doubles it stays as it was at the last place that has both densities."""
        x = self._within(np.ceil(x) if self.is_whole else x, sensitivity)
        return self._log_density(x - sensitivity) - self._log_density(x)

    def _within(self, x: Array, sensitivity: float) -> Array:
        """x moved to where x and x − Δ have densities that are no less than 1e-300."""
        far = max(self._farthest - sensitivity, 0.0)
        return np.clip(x, -far, far + sensitivity)

    @cached_property
    def _farthest(self) -> float:
        """The x beyond which next to nothing lies; who looks for a crossing asks for it at every step."""
        return float(-self._quantile(np.array([_RARE]))[0])

    def _below(self, x: Array) -> Array:
        """Pr[X < x]."""
        return self._cdf(np.ceil(x) - 1 if self.is_whole else x)

    def _log_tail(self, x: Array) -> Array:
        """ln Pr[X ≥ x]."""
        with np.errstate(divide="ignore"):
            return np.where(x > 0, np.log(self._cdf(-x)), np.log1p(-self._below(np.minimum(x, 0.0))))

    def _tail_loss(self, x: Array, sensitivity: float) -> Array:
        """ln Pr[X ≥ x − Δ]/Pr[X ≥ x]; beyond the doubles the loss of single outcomes there."""
        tail, moved = self._cdf(-x), self._cdf(sensitivity - x)
        gained = np.where(x - sensitivity <= 0, self._below(x) - self._below(x - sensitivity), moved - tail)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.where(gained < tail, np.log1p(gained / tail), np.log(moved) - np.log(tail))
        return np.where(tail > 0, found, self._loss(x, sensitivity))

    def _crossing(self, loss: float, sensitivity: float) -> float:
        """Where the loss of single outcomes passes a number, if it does."""
        return float(self._crossings(np.array([loss]), sensitivity)[0])

    def _crossings(self, losses: Array, sensitivity: float) -> Array:
        with np.errstate(over="ignore"):
            x = first_double(lambda x: self._loss(self._within(x, sensitivity), sensitivity) > losses, losses.shape)
        return np.ceil(x) if self.is_whole else x

    def _delta(self, epsilon: Array, sensitivity: float) -> Array:
        """The smallest δ at each ε ≥ 0: Pr[Δ + X ≥ x] − e^ε Pr[X ≥ x] from the crossing x of ε on."""
        x = self._crossings(epsilon, sensitivity)
        met = x < math.inf
        at = np.where(met, x, 0.0)
        # Of x ≤ Δ the complement of the first is the smaller, Pr[X < x − Δ].
        found = np.asarray(self._cdf(sensitivity - at)) - np.exp(np.minimum(epsilon, 700.0)) * self._cdf(-at)
        return np.where(met, np.maximum(found, 0.0), 0.0)

    def _trade_off(self, alpha: Array, sensitivity: float) -> Array:
        """The smallest type II error at each type I error, of the test that finds the record where X ≥ t."""
        far = _FAR if self.is_whole else _FARTHEST
        t = np.clip(-self._quantile(alpha), -far, far)
        if not self.is_whole:
            return np.asarray(self._cdf(t - sensitivity))
        # Below t never, and t itself with what α lacks to all from t on: of t ≤ 0 what lies below t lacks to 1 − α.
        lacks = np.where(t > 0, self._cdf(-t) - alpha, (1 - alpha) - self._cdf(t - 1))
        return self._cdf(t - sensitivity - 1) + self._part(lacks, t) * self._density(t - sensitivity)

    def _power(self, alpha: Array, sensitivity: float) -> Array:
        """1 less that, by the other tail."""
        far = _FAR if self.is_whole else _FARTHEST
        t = np.clip(-self._quantile(alpha), -far, far)
        if not self.is_whole:
            return np.asarray(self._cdf(sensitivity - t))
        # Between whole numbers a coin chooses: from t + 1 on surely, and t itself with what is left of α.
        part = self._part(alpha - self._cdf(-t - 1), t)
        return self._cdf(sensitivity - t - 1) + part * self._density(t - sensitivity)

    def _part(self, of: Array, t: Array) -> Array:
        """Which part of the mass at t that is."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.clip(np.nan_to_num(of / self._density(t)), 0.0, 1.0))

    def density(self, x: npt.ArrayLike) -> float | Array:
        """The probability density at x; for whole-numbered noise the probability of x, 0 between whole numbers."""
        with np.errstate(over="ignore"):
            return shaped(self._density(numbers_in(x, v.NOISE, "x")))

    def cdf(self, x: npt.ArrayLike) -> float | Array:
        """Pr[X ≤ x], to 1e-12 relative also where it is tiny; its complement is `tail`."""
        with np.errstate(over="ignore"):
            return shaped(self._cdf(numbers_in(x, v.NOISE, "x")))

    def tail(self, x: npt.ArrayLike) -> float | Array:
        """Pr[X ≥ x], to 1e-12 relative also where it is tiny: by symmetry Pr[X ≤ −x]."""
        with np.errstate(over="ignore"):
            return shaped(self._cdf(-numbers_in(x, v.NOISE, "x")))

    def log_tail(self, x: npt.ArrayLike) -> float | Array:
        """ln Pr[X ≥ x], also where the tail itself is too small for a double."""
        with np.errstate(over="ignore"):
            return shaped(self._log_tail(numbers_in(x, v.NOISE, "x")))

    def loss(self, x: npt.ArrayLike, sensitivity: float = 1) -> float | Array:
        """ln f(x − Δ)/f(x), the privacy loss of the outcome x, with f the density or the mass; x of any shape."""
        distance = self._sensitivity(sensitivity)
        with np.errstate(over="ignore"):
            return shaped(self._loss(numbers_in(x, v.NOISE, "x"), distance))

    def largest_loss(self, sensitivity: float = 1) -> float:
        """The largest loss of any outcome, ∞ where the losses have no bound.

        Read off in the tail of 1e-300, and taken for unbounded where it still grows there.
        """
        distance = self._sensitivity(sensitivity)
        near, far = (float(self._loss(-self._quantile(np.array([p])) + distance, distance)[0])
                     for p in (math.sqrt(_RARE), _RARE * 10))
        return far if far <= near * (1 + 1e-9) else math.inf

    def common_loss(self, sensitivity: float = 1, share: float = 0.95) -> float:
        """The loss that this share of all answers stays within, where the record is there; `share` is in (0, 1)."""
        distance = self._sensitivity(sensitivity)
        x = self._quantile(np.array([parameter_value(SHARE, share, "share")])) + distance
        return float(self._loss(x, distance)[0])

    def loss_exceeds(self, epsilon: float, sensitivity: float = 1) -> float:
        """The probability that the loss exceeds an ε in [0, ∞), where the record is there: more than δ(ε)."""
        at, distance = parameter_value(v.EPSILON_PRIME, epsilon, "epsilon"), self._sensitivity(sensitivity)
        x = self._crossing(at, distance)
        return float(self._cdf(np.array([distance - x]))[0]) if x < math.inf else 0.0

    def tail_loss(self, x: npt.ArrayLike, sensitivity: float = 1) -> float | Array:
        """ln Pr[X ≥ x − Δ]/Pr[X ≥ x] ≥ 0, the privacy loss of “at least x”, however small both are."""
        distance = self._sensitivity(sensitivity)
        with np.errstate(over="ignore"):
            return shaped(self._tail_loss(numbers_in(x, v.NOISE, "x"), distance))

    def crossing(self, loss: float, sensitivity: float = 1) -> float:
        """The x from which on the shifted noise Δ + X makes each outcome more than e^loss times as likely as X does.

        The loss of an outcome never falls as x grows, so events of the outcomes from x on are the best to tell the two
        apart by; ∞ where no outcome has such a loss, −∞ where all have. `loss` may be negative.
        """
        return self._crossing(parameter_value(v.PRIVACY_LOSS, loss, "loss"), self._sensitivity(sensitivity))

    def quantile(self, p: npt.ArrayLike) -> float | Array:
        """The smallest x with Pr[X ≤ x] ≥ p, −∞ at 0 and ∞ at 1; p is in [0, 1], of any shape.

        −quantile(q) is the x with Pr[X ≥ x] = q, for tails so small that only q is a double.
        """
        return shaped(self._quantile(numbers_in(p, v.PROBABILITY, "p")))

    def error_quantile(self, p: npt.ArrayLike) -> float | Array:
        """The e with Pr[|X| ≤ e] = p (for whole numbers the smallest with ≥ p): how far the answer is off at most.

        By symmetry it is the quantile of either tail, (1 − p)/2; p is in [0, 1], of any shape.
        """
        return shaped(0.0 - self._quantile((1 - numbers_in(p, v.PROBABILITY, "p")) / 2))

    def error_exceeds(self, x: npt.ArrayLike) -> float | Array:
        """Pr[|X| > x], to 1e-12 relative also where it is tiny; x ≥ 0, of any shape."""
        at = numbers_in(x, v.ERROR_BEYOND, "x")
        with np.errstate(over="ignore"):
            return shaped(2 * self._cdf(-np.floor(at) - 1 if self.is_whole else -at))

    def delta_at(self, epsilon: npt.ArrayLike, sensitivity: float = 1) -> float | Array:
        """The smallest δ with which adding the noise is (ε, δ)-DP, exactly 0.0 where it is 0.

        The query moves by at most `sensitivity` from one dataset to its neighbour; ε is in [0, ∞), of any shape.
        [Balle & Wang 2018, Theorem 5.]
        """
        at, distance = numbers_in(epsilon, v.EPSILON_PRIME, "epsilon"), self._sensitivity(sensitivity)
        with np.errstate(over="ignore"):
            return shaped(self._delta(at, distance))

    def trade_off(self, alpha: npt.ArrayLike, sensitivity: float = 1) -> float | Array:
        """The smallest type II error of a test, at type I error α, of one dataset against its neighbour.

        α is in [0, 1], of any shape. [Wasserman & Zhou 2010; Dong, Roth & Su 2022, Definition 2.]
        """
        at, distance = numbers_in(alpha, v.TYPE_I, "alpha"), self._sensitivity(sensitivity)
        with np.errstate(over="ignore", divide="ignore"):
            return shaped(np.clip(self._trade_off(at, distance), 0.0, 1.0))  # not 1 + 2e-16

    def power(self, alpha: npt.ArrayLike, sensitivity: float = 1) -> float | Array:
        """1 less that, the largest chance of finding the record at type I error α, to full relative accuracy.

        α is in [0, 1], of any shape.
        """
        at, distance = numbers_in(alpha, v.TYPE_I, "alpha"), self._sensitivity(sensitivity)
        with np.errstate(over="ignore", divide="ignore"):
            return shaped(np.clip(self._power(at, distance), 0.0, 1.0))

    @abstractmethod
    def sample(self, size: Size, rng: np.random.Generator) -> npt.NDArray[np.float64 | np.int64] | float | int:
        """Noise of the shape `size`, one number for None.

        Of real numbers the generator's doubles serve for exploring; a release of real data needs a sampler without
        their gaps.
        """

    def _sensitivity(self, given: object) -> float:
        return parameter_value(self.reach, given, "sensitivity")


class WholeNoise(Noise):
    """Noise on whole numbers by its upper tail: its other tails, and the quantile that they decide."""

    is_whole = True
    reach = v.WHOLE_SENSITIVITY
    rounded_how = "whole already"

    @abstractmethod
    def _upper(self, x: Array) -> Array:
        """Pr[X ≥ x] at whole x ≥ 1."""

    @abstractmethod
    def _log_upper(self, x: Array) -> Array:
        """ln of it, also where that is no double."""

    @abstractmethod
    def _far(self, tail: Array) -> Array:
        """How far from 0 a tail in [0, ½] begins, off by 1 at most."""

    def _cdf(self, x: Array) -> Array:
        # The lower tail from −1 down, else the complement of the upper one from x + 1 on.
        x = np.floor(x)
        below = x < 0
        tail = self._upper(np.where(below, -x, x + 1))
        return np.asarray(np.where(below, tail, 1 - tail))

    def _log_tail(self, x: Array) -> Array:
        x = np.ceil(x)
        over = x > 0
        tail = self._upper(np.where(over, 1.0, 1 - x))
        return np.where(over, self._log_upper(np.where(over, x, 1.0)), np.log1p(0.0 - tail))

    def _quantile(self, p: Array) -> Array:
        low, far = p < 0.5, np.round(self._far(np.minimum(p, 1 - p)))
        about = np.where(low, -far, far)
        candidates = [about + step for step in (1, 0, -1, -2)]
        # Above the middle what is left (by symmetry a cdf) is compared: 1 − p is exact.
        below = self._cdf(np.stack([np.where(low, each, -each - 1) for each in candidates]))
        x = about + 2
        for candidate, found in zip(candidates, below, strict=True):
            x = np.where(np.where(low, found >= p, found <= 1 - p), candidate, x)
        return np.asarray(x + 0.0)


@lru_cache(maxsize=256)
def _check(one: Noise) -> None:
    with np.errstate(all="ignore"):
        quartile = 1.0 if one.is_whole else float(-one._quantile(np.array([0.25]))[0])
    require_concave_noise(type(one).__name__, one._density, one._cdf, quartile, one.is_whole)
