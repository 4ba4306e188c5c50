"""A loss from its transform: tails and δ by the trapezoidal rule on a line through the saddle point.

With dM = √(dP dQ) = e^(−l/2) dP(l), m(z) = ∫ e^(zl) dM(l) is even in z and a product over releases:

    Laplace noise of loss e      e^(−e/2) (cosh ez + sinh(ez)/(2z))
    a response of loss e         cosh(ez)/cosh(e/2)
    Gaussian noise of μ          e^(μ² (z² − ¼)/2)

    P(L > x) = 1/2πi ∫ m(s + ½) e^(−sx)/s ds,    Q(L > x) = 1/2πi ∫ m(s − ½) e^(−sx)/s ds,
    δ(x)     = 1/2πi ∫ m(s + ½) e^(−sx)/(s (s + 1)) ds,    each along Re s = v > 0.

Steps of 2π/p come to the sum of e^(vpj) f(x + pj) over all whole j, positive terms all, of which that of j = 0 is
asked: nothing is under-reported, and p is taken so large that the others are a part of 1e-13. Through the saddle point
no digits cancel, however small the value is. [Daniels 1954; Zhu, Dong & Wang 2022.]
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.slow import still_awaited
from dpstudio.records import cached_property, dataclass

Complex = npt.NDArray[np.complex128]
What: TypeAlias = Literal["delta", "with", "without"]
"""δ(x); P(L > x), with the person; Q(L > x), without."""

_PLACES = 160
_ALIASES = 31.0
"""−ln of the part that other terms of the sum may come to."""
_LOST = -780.0
"""ln of what is lost among the smallest numbers."""
_CERTAIN = -40.0
"""ln of what is lost beside 1."""
_ROUNDED = 2.0**-52
"""The part of each term of an exponent that its rounding may be off by."""
_AT_ONCE = 2**18
"""Nodes computed at once: between two such parts it can be left."""
_NOTHING = 1e-10
"""A μ in terms of all limited losses of which the nodes are not counted: they are about its inverse."""
_FEW = 4
"""A factor that comes so often is multiplied, not taken to a power."""


@dataclass(frozen=True, eq=False)
class Transform:
    """m(z) of releases with Laplace noise, of responses and of releases with Gaussian noise, μ > 0 in all."""

    laplace: Array
    """Losses > 0, each once."""
    laplace_times: Array
    responses: Array
    responses_times: Array
    mu: float = field(default=0.0)

    @cached_property
    def reach(self) -> float:
        """The sum of all limited losses."""
        return float(self.laplace @ self.laplace_times + self.responses @ self.responses_times)

    @cached_property
    def _squares(self) -> float:
        """The sum of the squares of all losses, and of μ: no smaller than the variance."""
        return float(np.square(self.laplace) @ self.laplace_times + np.square(self.responses) @ self.responses_times
                     + self.mu**2)

    @cached_property
    def _mean(self) -> float:
        """The average loss with the person."""
        return float((self.laplace + np.expm1(-self.laplace)) @ self.laplace_times
                     + (self.responses * np.tanh(self.responses / 2)) @ self.responses_times + self.mu**2 / 2)

    @cached_property
    def _is_small(self) -> bool:
        """Whether what is left of all factors is a double as it stands."""
        return bool(np.log1p(self.laplace / 2) @ self.laplace_times < 600)

    def _parts(self, z: Any) -> tuple[Any, Any]:
        """m(z) as ln of e^(ez) and the like and a factor; real or complex z of any shape with Re z ≥ 0 and z ≠ 0."""
        shift = self.mu * self.mu / 2 * (z - 0.5) * (z + 0.5) + self.reach * (z - 0.5)
        left = np.ones_like(z)
        for loss, times in zip(self.laplace.tolist(), self.laplace_times.tolist(), strict=True):
            fall = np.exp(-2 * loss * z)
            factor = (1 + fall + _rise(loss, z, fall)) / 2
            if times <= _FEW and self._is_small:
                for _ in range(int(times)):
                    left *= factor
            else:
                shift = shift + times * np.log(factor)
        for loss, times in zip(self.responses.tolist(), self.responses_times.tolist(), strict=True):
            factor = (1 + np.exp(-2 * loss * z)) / (1 + math.exp(-loss))
            if times <= _FEW:
                for _ in range(int(times)):
                    left *= factor
            else:
                shift = shift + times * np.log(factor)
        return shift, left

    def log(self, z: Array) -> Array:
        """ln m(z) of real z."""
        size = np.maximum(np.abs(z), 1e-150)
        shift, left = self._parts(size)
        return np.asarray(shift + np.log(left))

    def at(self, what: What, x: Array) -> Array:
        """What is asked at each real x, a vector."""
        side = -0.5 if what == "without" else 0.5
        v, exponents, kernel, value = self._lines(what, side, x)
        some = np.flatnonzero(np.isnan(value))
        for start in range(0, some.size, 256):
            asked = some[start:start + 256]
            value[asked] = self._near(what, side, x[asked], v, exponents[asked], kernel)
        return np.clip(value, 0.0, 1.0)

    def missed(self, x: Array) -> Array:
        """P(L ≤ x) = Q(L > −x) at each real x, to full relative accuracy."""
        return self.at("without", -x)

    def nodes(self, what: What = "delta") -> float:
        """So many nodes a value takes, at most, at places spread over all losses: more than are ever taken, ∞, beside a
        μ that is next to nothing."""
        if self.mu < _NOTHING * self.reach:
            return math.inf
        about = self._mean + math.sqrt(self._squares) * np.linspace(-8.0, 8.0, 9)
        x = np.maximum(np.append(about, np.linspace(0.0, self.reach + 8 * self.mu + self.mu**2, 9)), 0.0)
        v, exponents, kernel, value = self._lines(what, 0.5, x)
        some = np.isnan(value)
        _, _, number = self._steps(what, 0.5, x[some], v, exponents[some], kernel)
        return float(number.max(initial=1.0))

    def _lines(self, what: What, side: float, x: Array) -> tuple[Array, Array, Array, Array]:
        """Places v among which saddle points lie, exponents there for each x, the kernel, and 1, 0 or NaN for each x.

        What is 1 or 0 as doubles go needs no sum, and its saddle point may lie beyond these places. 1 less the value is
        at most E[e^(v (x − L))], v > 0, and v ≤ 1 for δ: min(1, y) ≤ y^v.
        """
        wide = self.reach + self.mu + self.mu**2
        v = np.geomspace(min(0.02 / (wide + float(np.abs(x).max(initial=0.0))), 1e-3 / self.mu), 120 / self.mu + 4,
                         _PLACES)
        near = np.minimum(v, 1.0) if what == "delta" else v
        with np.errstate(over="ignore"):
            exponents = self.log(v + side) - np.multiply.outer(x, v)
            kernel = np.log(v) + (np.log1p(v) if what == "delta" else 0.0)
            certain = (self.log(near - side) + np.multiply.outer(x, near)).min(axis=1) < _CERTAIN
        known = np.where(certain, 1.0, np.where(exponents.min(axis=1) > _LOST, math.nan, 0.0))
        return v, exponents, kernel, known

    def _steps(self, what: What, side: float, x: Array, v: Array, exponents: Array, kernel: Array
               ) -> tuple[Array, Array, Array]:
        """The saddle point of each x, the step there and how many of them are taken."""
        rows = np.arange(x.size)
        height = exponents - kernel
        i = np.clip(height.argmin(axis=1), 1, v.size - 2)
        low, at, high = (height[rows, i + d] for d in (-1, 0, 1))
        bend = low - 2 * at + high
        shift = np.clip(np.where(bend > 0, (low - high) / np.where(bend > 0, 2 * bend, 1.0), 0.0), -1.0, 1.0)
        saddle = v[i] * (v[1] / v[0]) ** shift
        here = self.log(saddle + side) - saddle * x
        # The value is about e^here/(v (v + 1) √(2π w)), w at most what follows.
        widest = self._squares + 2 / saddle**2
        less = np.log(saddle) + (np.log1p(saddle) if what == "delta" else 0.0) + 0.5 * np.log(2 * math.pi * widest)
        need = _ALIASES + less - here
        away = v - saddle[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            far = (need[:, None] + exponents) / np.abs(away)
        below = np.minimum(np.where(away < 0, far, math.inf).min(axis=1), need / saddle)  # at v = 0 it is at most 1
        above = np.where(away > 0, far, math.inf).min(axis=1)
        period = np.maximum(np.maximum(below, above), 1e-300)
        step = 2 * math.pi / period
        longest = np.sqrt(2 * (_ALIASES + 3 + 0.5 * np.log1p(widest / self.mu**2))) / self.mu
        return saddle, step, np.ceil(longest / step) + 1

    def _near(self, what: What, side: float, x: Array, v: Array, exponents: Array, kernel: Array) -> Array:
        saddle, step, number = self._steps(what, side, x, v, exponents, kernel)
        value = np.empty(x.shape)
        order = np.argsort(number)
        start = 0
        while start < order.size:
            # As many with about as many nodes as fit.
            fits = np.flatnonzero(number[order[start:]] * np.arange(1, order.size - start + 1) <= _AT_ONCE)
            rows = order[start:start + max(int(fits[-1]) + 1 if fits.size else 1, 1)]
            start += rows.size
            value[rows] = self._summed(what, side, x[rows, None], saddle[rows, None], step[rows, None],
                                       int(number[rows].max()))
        return value

    def _summed(self, what: What, side: float, x: Array, saddle: Array, step: Array, number: int) -> Array:
        top = self.log(saddle + side) - saddle * x
        total = np.zeros(x.shape[0])
        most = max(_AT_ONCE // x.shape[0], 1)
        for first in range(0, number, most):
            still_awaited()
            s = saddle + 1j * step * np.arange(first, min(first + most, number))
            z = s + side
            shift, left = self._parts(np.where(z.real < 0, -z, np.where(z == 0, 1e-150, z)) if side < 0 else z)
            terms = (np.exp(shift - s * x - top) * left / (s * (s + 1) if what == "delta" else s)).real
            if first == 0:  # both halves of the line have this one
                terms[:, 0] /= 2
            total += terms.sum(axis=1)
        if what == "delta":  # what rounding may take away is added
            beyond = 1 + saddle  # of s + ½ the rounding is that of 1
            top = top + _ROUNDED * (32 + beyond * self.reach + saddle * np.abs(x) + np.square(self.mu * beyond))
        return np.asarray(np.exp(top[:, 0]) * total * step[:, 0] / math.pi)


def _rise(loss: float, z: Any, fall: Any) -> Any:
    """(1 − e^(−2ez))/(2z), where z may be next to 0."""
    if (np.abs(z) * loss).min(initial=1.0) > 1e-3:
        return (1 - fall) / (2 * z)
    return -np.expm1(-2 * loss * z) / (2 * z)
