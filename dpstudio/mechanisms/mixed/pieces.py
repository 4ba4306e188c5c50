"""The sum of the losses of several Laplace releases, exactly: polynomials between the places where losses meet.

With the operator J that integrates from the right, and T_e that moves by e, √(dP dQ) of one loss e is

    e^(−e/2) ((½ + ¼J) T_e + (½ − ¼J) T_(−e)),

so that of k losses each choice of signs adds, where its sum of losses lies above x by y > 0, a function whose Laplace
transform is (p + ½)^a (p − ½)^b/p^k: a polynomial in y/2, and a gamma function where all signs are plus. Far out few
terms are left, and these are positive; nearer, the last outweighs what cancels. [Derived here; of two losses it agrees
with the difference of gamma variables in Kotz et al. 2001, section 2.3.]
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammainc

from dpstudio.core.declare import Array
from dpstudio.mechanisms.mixed.transform import What
from dpstudio.records import cached_property, dataclass

MOST = 1024
"""So many different sums of signed losses are added up at most."""
LONGEST = 120
"""So many losses there are at most."""
WIDEST = 500.0
"""Together they are this at most."""
_AT_ONCE = 2**17


@dataclass(frozen=True, eq=False)
class Pieces:
    """The law of a sum of losses, of each of some e > 0 so many."""

    laplace: Array
    times: Array

    @property
    def few(self) -> bool:
        """Whether they are few enough to be added up."""
        return bool(self.times.sum() <= LONGEST and np.log1p(self.times).sum() <= math.log(MOST) + 1e-9
                    and self.reach <= WIDEST)

    @cached_property
    def reach(self) -> float:
        """The largest loss of all together."""
        return float(self.laplace @ self.times)

    @property
    def size(self) -> int:
        """How many sums of signed losses there are."""
        return int(self._signs[0].size)

    @property
    def knots(self) -> Array:
        """The places where losses meet, from the largest down."""
        return np.asarray(self.reach - self._signs[1])

    def at(self, what: What, x: Array) -> Array:
        """δ(x), P(L > x) or Q(L > x) at each x ≥ 0, a vector; exactly 0 from the largest loss on."""
        value = np.empty(x.shape)
        block = max(_AT_ONCE // self.size, 1)
        for start in range(0, x.size, block):
            value[start:start + block] = self._of_block(what, x[start:start + block])
        return np.clip(value, 0.0, 1.0)

    @cached_property
    def _count(self) -> int:
        return int(self.times.sum())

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
        order = np.argsort(short, kind="stable")
        return ways[order], short[order], plus[order]

    def _of_block(self, what: What, x: Array) -> Array:
        ways, short, plus = self._signs
        k, room = self._count, np.maximum(self.reach - x, 0.0)
        used = int(np.searchsorted(short, room.max(initial=0.0)))  # no others lie above any x
        ways, short, rows = ways[:used], short[:used], plus[:used].astype(int)
        w = np.maximum((room[:, None] - short) / 2, 0.0)
        coefficients = self._polynomials[what]
        total = np.zeros(w.shape)
        for j in range(k - 1, -1, -1):
            total *= w
            total += coefficients[rows, j]
        if what == "delta":
            total *= 2 * w
        total = np.where(w > 0, total, 0.0) @ ways
        value = 0.5**k * np.exp(-room / 2 - (x if what == "without" else 0.0)) * total
        if what == "without":
            return np.asarray(value)
        # Where all signs are plus the rest of an exponential series is left.
        beyond = gammainc(k, room / 2)
        return np.asarray(value + np.where(room > 0, beyond, 0.0))

    @cached_property
    def _polynomials(self) -> dict[What, Array]:
        """Coefficients of (y/2)^j, by the number of plus signs; of δ those of (y/2)^(j + 1), halved."""
        k = self._count
        found: dict[What, Array] = {what: np.zeros((k + 1, k)) for what in ("delta", "with", "without")}
        factorials = [math.factorial(j) for j in range(k + 1)]
        # (1 + v)^(k − 1), of which a factor after the other is turned to 1 − v; one fewer for δ.
        longer, shorter = [math.comb(k - 1, j) for j in range(k)], [math.comb(k - 2, j) for j in range(k - 1)]
        for plus in range(k, 0, -1):
            for j, number in enumerate(longer):
                found["without"][plus, j] = number / factorials[j]
                if plus > 1:
                    found["with"][plus - 1, j] = number / factorials[j]
            if plus - 1 >= 1:
                for j, number in enumerate(shorter):
                    found["delta"][plus - 1, j] = number / factorials[j + 1]
            longer = _turned(longer)
            if plus > 2:
                shorter = _turned(shorter)
        # All plus: (1 + v)^a/(1 − v) up to v^a, from where on all coefficients are 2^a.
        of_delta = of_with = 0
        for j in range(k):
            if j < k - 1:
                of_delta += math.comb(k - 1, j)
                found["delta"][k, j] = of_delta / factorials[j + 1]
            of_with += math.comb(k, j)
            found["with"][k, j] = of_with / factorials[j]
        return found


def _turned(row: list[int]) -> list[int]:
    """The coefficients of a polynomial in v that has a factor 1 + v, with 1 − v in its place."""
    quotient, rest = [], 0
    for number in row[:-1]:
        rest = number - rest
        quotient.append(rest)
    return [one - other for one, other in zip([*quotient, 0], [0, *quotient], strict=True)]
