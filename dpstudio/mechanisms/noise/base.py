"""What every noise has in common: a symmetric law, and what shifting it by one record's influence gives away."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, Declared
from dpstudio.vocabulary import EPSILON_PRIME, NOISE, PRIVACY_LOSS, PROBABILITY, SENSITIVITY, TYPE_I, Quantity

Size: TypeAlias = int | tuple[int, ...] | None


@dataclass(frozen=True)
class Noise(Declared):
    """Noise X, symmetric about 0, added to the answer of a query that one record moves by at most the sensitivity.

    A new noise declares its parameters and gives what is abstract here. Arrays keep their shape, scalars give floats,
    and what lies outside its domain raises InvalidParameter.
    """

    @property
    @abstractmethod
    def sd(self) -> float:
        """The standard deviation of the noise."""

    @property
    @abstractmethod
    def mean_error(self) -> float:
        """E|X|, the mean distance of the noisy answer from the true one."""

    @abstractmethod
    def _density(self, x: Array) -> Array:
        """The density at x, or the mass."""

    @abstractmethod
    def _cdf(self, x: Array) -> Array:
        """Pr[X ≤ x], to full relative accuracy where it is small."""

    @abstractmethod
    def _quantile(self, p: Array) -> Array:
        """The smallest x with Pr[X ≤ x] ≥ p."""

    @abstractmethod
    def _delta(self, epsilon: Array, sensitivity: float) -> Array:
        """The smallest δ at each ε ≥ 0."""

    @abstractmethod
    def _log_tail(self, x: Array) -> Array:
        """ln Pr[X ≥ x]."""

    @abstractmethod
    def _tail_loss(self, x: Array, sensitivity: float) -> Array:
        """ln Pr[X ≥ x − Δ]/Pr[X ≥ x]."""

    @abstractmethod
    def _crossing(self, loss: float, sensitivity: float) -> float:
        """Where the loss of single outcomes passes a number, if it does."""

    @abstractmethod
    def _trade_off(self, alpha: Array, sensitivity: float) -> Array:
        """The smallest type II error at each type I error."""

    def density(self, x: npt.ArrayLike) -> float | Array:
        """The probability density at x; for whole-numbered noise the probability of x, 0 between whole numbers."""
        with np.errstate(over="ignore"):
            return shaped(self._density(numbers_in(x, NOISE, "x")))

    def cdf(self, x: npt.ArrayLike) -> float | Array:
        """Pr[X ≤ x], to 1e-12 relative also where it is tiny; its complement is `tail`."""
        with np.errstate(over="ignore"):
            return shaped(self._cdf(numbers_in(x, NOISE, "x")))

    def tail(self, x: npt.ArrayLike) -> float | Array:
        """Pr[X ≥ x], to 1e-12 relative also where it is tiny: by symmetry Pr[X ≤ −x]."""
        with np.errstate(over="ignore"):
            return shaped(self._cdf(-numbers_in(x, NOISE, "x")))

    def log_tail(self, x: npt.ArrayLike) -> float | Array:
        """ln Pr[X ≥ x], also where the tail itself is too small for a double."""
        with np.errstate(over="ignore"):
            return shaped(self._log_tail(numbers_in(x, NOISE, "x")))

    def tail_loss(self, x: npt.ArrayLike, sensitivity: float = 1) -> float | Array:
        """ln Pr[X ≥ x − Δ]/Pr[X ≥ x] ≥ 0, the privacy loss of “at least x”, however small both are."""
        distance = self._sensitivity(sensitivity)
        with np.errstate(over="ignore"):
            return shaped(self._tail_loss(numbers_in(x, NOISE, "x"), distance))

    def crossing(self, loss: float, sensitivity: float = 1) -> float:
        """The x from which on the shifted noise Δ + X makes each outcome more than e^loss times as likely as X does.

        The loss of an outcome never falls as x grows, so events of the outcomes from x on are the best to tell the two
        apart by; ∞ where no outcome has such a loss, −∞ where all have. `loss` may be negative.
        """
        return self._crossing(parameter_value(PRIVACY_LOSS, loss, "loss"), self._sensitivity(sensitivity))

    def quantile(self, p: npt.ArrayLike) -> float | Array:
        """The smallest x with Pr[X ≤ x] ≥ p, −∞ at 0 and ∞ at 1; p is in [0, 1], of any shape.

        −quantile(q) is the x with Pr[X ≥ x] = q, for tails so small that only q is a double.
        """
        return shaped(self._quantile(numbers_in(p, PROBABILITY, "p")))

    def error_quantile(self, p: npt.ArrayLike) -> float | Array:
        """The e with Pr[|X| ≤ e] = p (for whole numbers the smallest with ≥ p): how far the answer is off at most.

        By symmetry it is the quantile of either tail, (1 − p)/2; p is in [0, 1], of any shape.
        """
        return shaped(0.0 - self._quantile((1 - numbers_in(p, PROBABILITY, "p")) / 2))

    def delta_at(self, epsilon: npt.ArrayLike, sensitivity: float = 1) -> float | Array:
        """The smallest δ with which adding the noise is (ε, δ)-DP, exactly 0.0 where it is 0.

        The query moves by at most `sensitivity` from one dataset to its neighbour; ε is in [0, ∞), of any shape.
        [Balle & Wang 2018, Theorem 5.]
        """
        at, distance = numbers_in(epsilon, EPSILON_PRIME, "epsilon"), self._sensitivity(sensitivity)
        with np.errstate(over="ignore"):
            return shaped(self._delta(at, distance))

    def trade_off(self, alpha: npt.ArrayLike, sensitivity: float = 1) -> float | Array:
        """The smallest type II error of a test, at type I error α, of one dataset against its neighbour.

        α is in [0, 1], of any shape. [Wasserman & Zhou 2010; Dong, Roth & Su 2022, Definition 2.]
        """
        at, distance = numbers_in(alpha, TYPE_I, "alpha"), self._sensitivity(sensitivity)
        with np.errstate(over="ignore", divide="ignore"):
            return shaped(np.clip(self._trade_off(at, distance), 0.0, 1.0))  # not 1 + 2e-16

    @abstractmethod
    def sample(self, size: Size, rng: np.random.Generator) -> npt.NDArray[np.float64 | np.int64] | float | int:
        """Noise of the shape `size`, one number for None.

        The generator's doubles serve for exploring; a release of real data needs a sampler without their gaps.
        """

    def _sensitivity(self, given: object, quantity: Quantity = SENSITIVITY) -> float:
        return parameter_value(quantity, given, "sensitivity")
