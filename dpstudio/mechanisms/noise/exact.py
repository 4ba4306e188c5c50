"""Whole-numbered noise drawn exactly: random bits are the only randomness, and no rounding changes the law.

All is drawn from one thing, ⌊−ln U/r⌋ with U uniform in (0, 1), which is at least k with probability e^(−rk). U is
known by its first bits, and doubles enclose what follows from them. Where the enclosure does not settle the whole
number, which happens less than once in 10⁹ times, it is narrowed in decimals, with as many digits and further bits as
it takes: −ln U = rk has no rational solution, so it ends. The parameters are the exact values of what is given, and the
samplers those of Canonne, Kamath & Steinke (2020, algorithms 1 to 3), with this in place of their chains of coins.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, InvalidParameter

Size: TypeAlias = int | tuple[int, ...] | None
Whole: TypeAlias = npt.NDArray[np.int64]

SLOWEST = 1e-17
"""A law that falls off more slowly with each step than this would leave the 64-bit integers."""
_BITS = 64
"""Of U that are drawn at first."""
_ERROR = 2.0**-48
"""Doubles are off by less: a logarithm by 4 units of its last place, 2⁻⁵¹ of it, and all else by 2⁻⁵³ a step."""
_EASY_BITS = 14
"""A rate of 2 to minus so many is drawn at once: what it widens the enclosure by still leaves it narrow."""
_FAR = 1e6
"""So many σ from 0 nothing is kept, unless U is so small that its first bits do not say."""


def discrete_laplace(rate: Fraction, size: Size, rng: np.random.Generator) -> Whole:
    """Whole numbers x with probability ∝ e^(−r|x|), r the rate: the difference of two geometric ones."""
    count = math.prod(np.atleast_1d(1 if size is None else size).tolist())
    return _shaped(_laplace(rate, count, rng), size)


def discrete_gaussian(sigma: float, size: Size, rng: np.random.Generator) -> Whole:
    """Whole numbers x with probability ∝ e^(−x²/(2σ²)).

    They are discrete Laplace of rate 1/t, t = ⌊σ⌋ + 1, and kept with probability e^(−(|x| − σ²/t)²/(2σ²)).
    [Canonne, Kamath & Steinke 2020, algorithm 3.]
    """
    s = Fraction(sigma)
    t = math.floor(s) + 1
    near = float(s / t)

    def proposed(count: int) -> tuple[Whole, npt.NDArray[np.bool_]]:
        x = _laplace(Fraction(1, t), count, rng)
        with np.errstate(over="ignore"):
            far = np.minimum(np.abs(x) / sigma, _FAR)
        z = np.abs(far - near)
        return x, _kept(z * z / 2, _ERROR * (far + near) * (z + 1),
                        lambda i: (abs(int(x[i])) - s * s / t) ** 2 / (2 * s * s), rng)

    count = math.prod(np.atleast_1d(1 if size is None else size).tolist())
    return _shaped(_until_kept(proposed, count), size)


def _laplace(rate: Fraction, size: int, rng: np.random.Generator) -> Whole:
    return _geometric(rate, size, rng) - _geometric(rate, size, rng)


def _geometric(rate: Fraction, size: int, rng: np.random.Generator) -> Whole:
    """Whole numbers k ≥ 0 with probability (1 − e^−r) e^(−rk).

    They are 2^j v + u: v the same with the larger rate 2^j r, and u < 2^j uniform, kept with probability e^(−ru).
    [Canonne, Kamath & Steinke 2020, algorithm 2.]
    """
    if rate < SLOWEST:
        raise InvalidParameter("rate", "at least 1e-17 to draw whole numbers", float(rate))
    j = max((rate.denominator // rate.numerator).bit_length() - _EASY_BITS, 0)
    steps = _floors(rate * 2**j, size, rng)
    if not j:
        return steps
    if steps.max(initial=0) >> (63 - j):
        raise OverflowError("a number that 64 bits do not hold, which comes once in e^92 times")

    def proposed(count: int) -> tuple[Whole, npt.NDArray[np.bool_]]:
        u = rng.integers(0, 2**j, count)
        return u, _kept(np.asarray(u * float(rate)), np.zeros(count), lambda i: rate * int(u[i]), rng)

    return (steps << j) + _until_kept(proposed, size)


def _until_kept(propose: Callable[[int], tuple[Whole, npt.NDArray[np.bool_]]], size: int) -> Whole:
    """Proposals, each made anew until it is kept."""
    found, left = np.empty(size, dtype=np.int64), np.arange(size)
    while left.size:
        found[left], kept = propose(left.size)
        left = left[~kept]
    return found


def _floors(rate: Fraction, size: int, rng: np.random.Generator) -> Whole:
    """⌊−ln U/r⌋."""
    word, low, high = _exponentials(size, rng)
    over = float(min(rate, Fraction(2**1000)))  # still more than any −ln U of a first word
    low, high = np.floor(low / over), np.floor(high / over)
    open_ = np.flatnonzero(low != high)
    high[open_] = 0
    found = high.astype(np.int64)
    for i in open_:
        found[i] = _floor(int(word[i]), rate, rng)
    return found


def _kept(x: Array, off: Array, exactly: Callable[[int], Fraction],
          rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Whether U < e^−x, for x known to ± off in doubles and exactly where that is not enough."""
    word, low, high = _exponentials(x.size, rng)
    kept = low > x + off
    for i in np.flatnonzero(~kept & ~(high < x - off)):
        rate = exactly(int(i))
        kept[i] = not rate or _floor(int(word[i]), rate, rng) >= 1
    return kept


def _exponentials(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint64], Array, Array]:
    """The first bits m of U, 2^−64 m ≤ U < 2^−64 (m + 1), and two ends between which −ln U lies: [L − 1/m, L]."""
    word = rng.integers(0, 2**_BITS, size, dtype=np.uint64)
    m = word.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = -np.log(m * 2.0**-_BITS)
        off = _ERROR * (1 + middle)
        return word, middle - off - 1 / m, middle + off  # not a number below and ∞ above, where m = 0


def _floor(word: int, rate: Fraction, rng: np.random.Generator) -> int:
    """⌊−ln U/r⌋ for U of these first bits: drawing on and reckoning with more digits until it is settled."""
    bits, digits = _BITS, 40
    while True:
        # Decimal logarithms are correctly rounded; of numbers below 10⁴ they are off by less than 10^(4 − digits).
        context, off = Context(prec=digits), Fraction(2, 10 ** (digits - 4))
        of_one = Fraction(context.ln(Decimal(2**bits)))
        low = math.floor(max(of_one - Fraction(context.ln(Decimal(word + 1))) - off, Fraction(0)) / rate)
        if word and low == math.floor((of_one - Fraction(context.ln(Decimal(word))) + off) / rate):
            return low
        word = word << 64 | int(rng.integers(0, 2**64, dtype=np.uint64))
        bits, digits = bits + 64, digits + 20


def _shaped(drawn: Whole, size: Size) -> Whole:
    """In the shape asked for, a single number for None."""
    return np.asarray(drawn[0] if size is None else drawn.reshape(size))[()]
