"""The sum of the losses of several Laplace releases, exactly: polynomials between the places where losses meet.

With the operator J that integrates from the right, and T_e that moves by e, √(dP dQ) of one loss e is

    e^(−e/2) ((½ + ¼J) T_e + (½ − ¼J) T_(−e)),

so that of k losses each choice of signs adds, where its sum of losses lies above x by y > 0, a function whose Laplace
transform is (p + ½)^a (p − ½)^b/p^k: a polynomial in y/2, and a gamma function where all signs are plus. Far out few
terms are left, and these are positive. [Derived here; for two losses it is Kotz et al. 2001.]
"""

from __future__ import annotations

import math
from dataclasses import field
from functools import cached_property

import numpy as np
from scipy.special import gammainc

from dpstudio.core.declare import Array
from dpstudio.mechanisms.mixed.transform import What
from dpstudio.records import dataclass

MOST = 1024
"""So many different sums of signed losses are added up at most."""
LONGEST = 150
"""So many losses there are at most."""
WIDEST = 600.0
"""Together they are this at most."""
_AT_ONCE = 2**18
_PLACES = 48
_LOST = 1e-10
"""The part of δ that rounding may take, as the sum of all terms says."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """The law of a sum of losses, of each of some e > 0 so many."""

    laplace: Array
    times: Array = field(default_factory=lambda: np.ones(0))

    @property
    def few(self) -> bool:
        """Whether they are few enough to be added up at all."""
        return bool(self.laplace.size and self.times.sum() <= LONGEST and (self.times + 1).prod() <= MOST
                    and self.reach <= WIDEST)

    @cached_property
    def exact(self) -> bool:
        """Whether δ has ten digits everywhere: whether no terms cancel."""
        if not self.few:
            return False
        x = self.reach * (1 - np.geomspace(1e-3, 1, _PLACES))
        value, size = self._added("delta", x)
        return bool((size * 2.0**-50 <= _LOST * value).all())

    @cached_property
    def reach(self) -> float:
        """The largest loss of all together."""
        return float(self.laplace @ self.times)

    @cached_property
    def _signs(self) -> tuple[Array, Array, Array]:
        """Of each choice how many ways lead there, what it comes to less than all losses, and how many plus signs."""
        ways, short, plus = np.ones(1), np.zeros(1), np.zeros(1)
        for loss, times in zip(self.laplace.tolist(), self.times.astype(int).tolist(), strict=True):
            minus = np.arange(times + 1.0)
            choices = np.array([math.comb(times, j) for j in range(times + 1)], dtype=np.float64)
            ways = np.multiply.outer(ways, choices).reshape(-1)
            short = np.add.outer(short, 2 * loss * minus).reshape(-1)
            plus = np.add.outer(plus, times - minus).reshape(-1)
        order = np.argsort(short)
        return ways[order], short[order], plus[order]

    @cached_property
    def knots(self) -> Array:
        """The places where losses meet, from the largest down."""
        return np.asarray(self.reach - self._signs[1])

    def at(self, what: What, x: Array) -> Array:
        """δ(x), P(L > x) or Q(L > x) at each x ≥ 0, a vector; exactly 0 from the largest loss on."""
        return np.clip(self._added(what, x)[0], 0.0, 1.0)

    def _added(self, what: What, x: Array) -> tuple[Array, Array]:
        """What is asked, and the sum of the sizes of all terms."""
        value, size = np.zeros(x.shape), np.zeros(x.shape)
        block = max(_AT_ONCE // self._signs[0].size, 1)
        for start in range(0, x.size, block):
            part = slice(start, start + block)
            value[part], size[part] = self._of_block(what, x[part])
        return value, size

    def _of_block(self, what: What, x: Array) -> tuple[Array, Array]:
        ways, short, plus = self._signs
        k = int(self.times.sum())
        room = self.reach - x  # of all signs plus: what is left decides, and its logarithm is that of the factor
        w = np.maximum((room[:, None] - short) / 2, 0.0)
        w[:, (plus == 0)] = 0.0
        coefficients, sizes = self._polynomials(what)
        rows = plus.astype(int)
        total, most = (np.zeros(w.shape), np.zeros(w.shape))
        for j in range(coefficients.shape[1] - 1, -1, -1):
            total = total * w + coefficients[rows, j]
            most = most * w + sizes[rows, j]
        if what == "delta":
            total, most = 2 * w * total, 2 * w * most
        used = w > 0
        total, most = (np.where(used, each, 0.0) * ways for each in (total, most))
        scale = 0.5**k * np.exp(-np.maximum(room, 0.0) / 2 - (x if what == "without" else 0.0))
        value, size = scale * total.sum(axis=1), scale * most.sum(axis=1)
        if what != "without":  # of all signs plus the rest of an exponential series is left
            last = k if what == "with" else k - 1
            beyond = gammainc(last + (what == "delta"), w[:, 0]) if last + (what == "delta") else np.ones(x.shape)
            more = np.where(used[:, 0], 0.5**(k - last) * (2 if what == "delta" else 1) * beyond, 0.0)
            value, size = value + more, size + more
        return value, size

    def _polynomials(self, what: What) -> tuple[Array, Array]:
        """Coefficients of (y/2)^j, by the number of plus signs, and their sizes; of δ those of (y/2)^(j + 1), halved."""
        k = int(self.times.sum())
        found = np.zeros((k + 1, k + 1))
        for plus in range(1, k + 1):
            a = plus - (what != "with")
            b = k - plus - (what != "without")
            if b >= 0:
                row = _product(a, b)
            else:  # (1 + v)^a/(1 − v) up to v^a, from where on all are 2^a
                row = [sum(math.comb(a, i) for i in range(j + 1)) for j in range(a)]
            for j, number in enumerate(row):
                found[plus, j] = number / math.factorial(j + (what == "delta"))
        return found, np.abs(found)


def _product(a: int, b: int) -> list[int]:
    """The coefficients of (1 + v)^a (1 − v)^b."""
    row = [1]
    for sign in [1] * a + [-1] * b:
        row = [one + sign * other for one, other in zip([*row, 0], [0, *row], strict=True)]
    return row
