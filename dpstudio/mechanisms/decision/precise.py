"""Real arithmetic to ninety digits, for the few numbers of a decision that must not carry a rounding error.

A decision rounds once, where it stores the numbers its curve is drawn from, and decides at a boundary (is this count
the smallest that qualifies?) as real arithmetic would. Where e^ε enters, two numbers that agree to seventy digits are
equal: e^ε is transcendental for every double ε ≠ 0 (Lindemann), so an equality between expressions in it holds
identically or not at all, and none that fails comes so near by chance.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    getcontext,
    localcontext,
)
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

DIGITS = 90
ZERO, HALF, ONE = Decimal(0), Decimal("0.5"), Decimal(1)
INFINITY = Decimal("Infinity")


def precisely(function: Callable[P, R]) -> Callable[P, R]:
    """Run a function with ninety digits and unbounded exponents; overflow is infinite, underflow zero."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        context = Context(prec=DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[InvalidOperation, DivisionByZero])
        with localcontext(context):
            return function(*args, **kwargs)

    return run


def remembered(function: Callable[[Decimal], Decimal]) -> Callable[[Decimal], Decimal]:
    """Keep the last values of a function: tails and targets stay while a hand moves ε, and the
    decisions at one ε, each drawn and each judged, ask for the same exponentials."""

    @functools.lru_cache(maxsize=256)
    def kept(_digits: int, x: Decimal) -> Decimal:
        return function(x)

    return lambda x: kept(getcontext().prec, x)


@remembered
def expm1(x: Decimal) -> Decimal:
    """e^x − 1 without cancellation."""
    if abs(x) > HALF:
        return x.exp() - 1
    total, term, k = x, x, 1
    while total + term != total:
        k += 1
        term = term * x / k
        total += term
    return total


@remembered
def log1p(x: Decimal) -> Decimal:
    """ln(1 + x) without cancellation, by ln((1 + y)/(1 − y)) = 2 artanh y with y = x/(2 + x)."""
    if abs(x) > Decimal("0.1"):
        return (1 + x).ln()
    y = x / (2 + x)
    square, power, total, k = y * y, y, y, 1
    while True:
        power *= square
        k += 2
        if total + power / k == total:
            return 2 * total
        total += power / k


@remembered
def ln(x: Decimal) -> Decimal:
    """ln x."""
    return x.ln()


def first_integer(x: Decimal) -> float | int:
    """The smallest integer ≥ x, where x is an integer itself if all but the last digits say so; ∞ for ∞."""
    if not x.is_finite():
        return math.inf if x > 0 else -math.inf
    nearest = int(x.to_integral_value())
    return nearest + (x - nearest > tie() * max(ONE, abs(x)))


def tie() -> Decimal:
    """Relative difference below which numbers are equal: twenty digits above the rounding of the context."""
    return ONE.scaleb(20 - getcontext().prec)


def as_float(n: float | int) -> float:
    """The nearest double, infinite beyond the doubles."""
    return n if isinstance(n, float) else float(Decimal(n))


def pi(digits: int) -> Decimal:
    """π by Machin's formula, 16 arctan(1/5) − 4 arctan(1/239), in integers."""
    scale: int = 10 ** (digits + 10)

    def arctan_inverse(x: int) -> int:
        term = total = scale // x
        k, sign = 1, 1
        while term:
            term //= x * x
            k, sign = k + 2, -sign
            total += sign * (term // k)
        return total

    return Decimal(16 * arctan_inverse(5) - 4 * arctan_inverse(239)).scaleb(-(digits + 10))


_pi = functools.cache(pi)


@functools.cache
def _root_two_pi(digits: int) -> Decimal:
    return (2 * _pi(digits)).sqrt()


def normal_density(x: Decimal) -> Decimal:
    """φ(x), the standard normal density, in the precision of the context."""
    return (-x * x / 2).exp() / _root_two_pi(getcontext().prec)


def normal_below(x: Decimal) -> Decimal:
    """Φ(x), the standard normal distribution, in the precision of the context, relative for x ≤ 0."""
    return 1 - normal_density(x) * mills(x) if x > 0 else normal_density(x) * mills(-x)


def mills(u: Decimal) -> Decimal:
    """Φ(−u)/φ(u), Mills' ratio, for u ≥ 0, in the precision of the context."""
    digits = getcontext().prec
    total, term, k, square = ONE, ONE, 1, u * u
    if square > Decimal("4.7") * (digits + 10):
        # (1 − 1/u² + 3/u⁴ − …)/u, whose smallest term, about e^(−u²/2), lies below the precision.
        while total + term != total:
            term = -term * k / square
            total += term
            k += 2
        return total / u
    with localcontext() as context:
        # ½/φ(u) − (u + u³/3 + u⁵/15 + …) loses the digits by which φ(u) lies below 1.
        context.prec = digits + int(square / Decimal("4.6")) + 20
        total, term, square = u, u, u * u
        while total + term != total:
            k += 2
            term = term * square / k
            total += term
        ratio = HALF / normal_density(u) - total
    return +ratio


def normal_quantile(p: Decimal, start: float) -> Decimal:
    """x ≤ 0 with Φ(x) = p ≤ ½, by Newton's steps in ln Φ from a double near it."""
    if p == HALF:
        return ZERO
    x = Decimal(start)
    for _ in range(60):
        below = normal_below(x)
        step = below / normal_density(x) * (below / p).ln()
        x -= step
        # Newton doubles the digits: a step this small leaves an error below the precision.
        if abs(step) <= abs(x) * Decimal("1e-48"):
            break
    return x
