"""Numbers of twice the digits: a double and what it misses of the number that is meant.

Sums, products and running sums of such pairs keep about 31 digits [Dekker 1971; Knuth 1969], so that the difference of
two long sums that are nearly equal still has those of a double. For numbers below 2⁹⁹⁰, and products above 2⁻⁹⁰⁰.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

Twofold: TypeAlias = tuple[Array, Array]
"""The nearest double, and the rest."""


def halves(x: Array | np.float64) -> tuple[Array | np.float64, Array | np.float64]:
    """x as the sum of two numbers of 26 bits each."""
    shifted = x * (2.0**27 + 1)
    high = shifted - (shifted - x)
    return high, x - high


def total(a: Array | float, b: Array | float) -> Twofold:
    """a + b exactly."""
    both = np.asarray(a + b)
    of_b = both - a
    return both, np.asarray((a - (both - of_b)) + (b - of_b))


def product(a: Array | float, b: Array | float) -> Twofold:
    """a b exactly."""
    both = np.asarray(np.multiply(a, b))
    a_high, a_low = halves(np.asarray(a, dtype=np.float64))
    b_high, b_low = halves(np.asarray(b, dtype=np.float64))
    return both, np.asarray(((a_high * b_high - both) + a_high * b_low + a_low * b_high) + a_low * b_low)


def add(a: Twofold, b: Twofold) -> Twofold:
    """a + b."""
    high, low = total(a[0], b[0])
    return total(high, low + (a[1] + b[1]))


def less(a: Twofold, b: Twofold) -> Twofold:
    """a − b."""
    return add(a, (-b[0], -b[1]))


def times(a: Twofold, b: Twofold) -> Twofold:
    """a b."""
    high, low = product(a[0], b[0])
    return total(high, low + (a[0] * b[1] + a[1] * b[0]))


def over(a: Twofold, number: float) -> Twofold:
    """a divided by a number."""
    quotient = a[0] / number
    high, low = product(quotient, number)
    return total(quotient, (((a[0] - high) - low) + a[1]) / number)


def running(terms: Twofold) -> Twofold:
    """The sums of none, the first, the first two, … of the terms, of one dimension."""
    high = np.concatenate([[0.0], np.cumsum(terms[0])])  # one after the other, so that each rounding is known
    before, after = high[:-1], high[1:]
    of_term = after - before
    missed = (before - (after - of_term)) + (terms[0] - of_term)
    return high, np.concatenate([[0.0], np.cumsum(missed + terms[1])])


def at(sums: Twofold, places: npt.NDArray[np.intp] | int) -> Twofold:
    """Those at some places."""
    return np.asarray(sums[0][places]), np.asarray(sums[1][places])
