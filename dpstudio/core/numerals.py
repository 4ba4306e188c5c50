"""Numbers as text for pictures: grouped digits, a real minus, decades as powers of ten, bounds on their safe side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Literal, TypeAlias

from dpstudio.core.results import Fact, Kind
from dpstudio.vocabulary import Interval, Quantity

THIN = "\u202f"
"""Between groups of three digits: narrow, and never broken across lines."""
Side: TypeAlias = Literal["nearest", "up", "down"]
"""Where a number is rounded to: the nearest, never below the value, or never above it."""
OPPOSITE: Mapping[Side, Side] = {"nearest": "nearest", "up": "down", "down": "up"}
SIGNS: Mapping[Kind, str] = {"exact": "", "bound": "≤", "estimate": "≈"}
"""What stands before a number that is not exact."""
SLACK = Decimal("1e-12")
"""Part of a value that is a rounding error: 0.1 + 1e-16 is 0.1, whichever way it is rounded."""
NEAR = 5e-4
"""Probabilities that lack no more than this are written as 1 less something."""
WRITTEN_OUT = 1e15
"""Whole numbers below this are written out."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def decade(exponent: int) -> str:
    """10⁻³, 10⁰, 10¹²."""
    return "10" + str(exponent).translate(_SUPERSCRIPTS)


def fixed(value: float, decimals: int) -> str:
    """So many decimals, digits in groups of three, a real minus; zero has no sign."""
    text = f"{value:,.{decimals}f}".replace(",", THIN)
    if value < 0 and not text.strip(f"-0.{THIN}"):
        return text[1:]
    return text.replace("-", "−")


def short(value: float, digits: int = 4, side: Side = "nearest") -> str:
    """A few significant digits: 0.0123, 1 020, 3.2e-7, ∞; thousands and millions are written out.

    `up` is never less than the value and `down` never more, but for a rounding error (`SLACK`).
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    exponent = Decimal(float(value)).adjusted()
    if not -4 <= exponent < 7:
        return scientific(value, digits, side)
    number = _at(value, min(exponent - digits + 1, 0), side)
    text = f"{number:,f}".replace(",", THIN).replace("-", "−")
    return text.rstrip("0").rstrip(".") if "." in text else text


def scientific(value: float, digits: int, side: Side = "nearest") -> str:
    """A finite value other than 0 as 3.2e-7, rounded as `short` does."""
    mantissa, _, power = f"{_at(value, Decimal(float(value)).adjusted() - digits + 1, side):e}".partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa.replace('-', '−')}e{int(power)}"


def _at(value: float, place: int, side: Side) -> Decimal:
    """A value rounded to a decimal place, on that side of it unless the nearest differs by a rounding error only."""
    exact, unit = Decimal(float(value)), Decimal(1).scaleb(place)
    nearest = exact.quantize(unit, ROUND_HALF_EVEN)
    if side == "nearest" or abs(nearest - exact) <= SLACK * abs(exact):
        return nearest
    return exact.quantize(unit, ROUND_CEILING if side == "up" else ROUND_FLOOR)


def amount(value: float, quantity: Quantity, digits: int = 0, side: Side = "nearest", lack: float | None = None) -> str:
    """A value as a picture shows it: whole numbers in full, probabilities near 1 by what they lack.

    `digits` 0 are as many as are usual; `lack` is 1 − value where that is known better than the value tells. What is
    neither 0 nor 1 is never written as such, unless it is a bound that is rounded to 1.
    """
    domain = quantity.domain
    if quantity.enough and math.isfinite(value) and abs(value) < WRITTEN_OUT:
        return f"{_at(value, 0, 'up'):,f}".replace(",", THIN).replace("-", "−")
    whole = isinstance(domain, Interval) and domain.integer
    if whole and math.isfinite(value) and float(value).is_integer() and abs(value) < WRITTEN_OUT:
        return fixed(value, 0)
    # Thousands of records keep a fraction of one: 7 824.05 is not 7 824.
    text = short(value, digits or (6 if quantity.unit and abs(value) >= 1000 else 4), side)
    if isinstance(domain, Interval) and domain.high == 1 and 0.5 < value <= 1 and not whole:
        lack = 1 - value if lack is None else lack
        if 0 < lack <= NEAR or (lack > 0 and text == "1" and side == "nearest"):
            return f"1 − {short(lack, min(digits or 2, 2), OPPOSITE[side])}"
    return text


def shorter(value: float, quantity: Quantity, side: Side = "nearest", lack: float | None = None) -> Iterator[str]:
    """The same value in fewer and fewer characters, for where there is no room: each as true as the first."""
    for digits in (3, 2, 1):
        yield amount(value, quantity, digits, side, lack)
    if math.isfinite(value) and abs(value) >= 1000:
        for digits in (3, 2, 1):
            yield scientific(value, digits, "up" if quantity.enough else side)
    if side != "nearest" and 0.5 < value < 1 - 1e-11:  # nearer to 1 a lower bound would pass for it
        for digits in (3, 2, 1):
            yield short(value, digits, side)


def side_of(fact: Fact | None) -> Side:
    """The side to which a fact is rounded: a bound to the one on which it stays true."""
    if fact is None or fact.kind != "bound":
        return "nearest"
    return "down" if fact.at_least else "up"


def sign_of(fact: Fact) -> str:
    """What stands before the value of a fact: ≤ or ≥ of a bound, ≈ of an estimate, nothing of an exact one."""
    return "≥" if fact.at_least else SIGNS[fact.kind]


def stated(fact: Fact, lack: float | None = None) -> str:
    """The value of a fact as a picture shows it; a bound is rounded to its safe side."""
    return amount(fact.value, fact.quantity, side=side_of(fact), lack=lack)


def told(fact: Fact) -> str:
    """“U* = −0.25”, “ε ≤ 0.5”: the symbol of a fact with its value."""
    return f"{fact.quantity.symbol} {sign_of(fact) or '='} {stated(fact)}"


def half_width(text: str, low: float, high: float) -> str:
    """How far an interval reaches from the number that a text says, at most: in two digits, rounded up."""
    middle = said(text)
    if not (middle.is_finite() and math.isfinite(low) and math.isfinite(high)):
        return "∞"
    return short(float(max(Decimal(float(high)) - middle, middle - Decimal(float(low)))), 2, "up")


def said(text: str) -> Decimal:
    """The number that one of these texts says; raises `decimal.InvalidOperation` where it says none."""
    first, _, lack = text.replace(THIN, "").partition(" − ")
    numbers = [Decimal(each.replace("−", "-").replace("∞", "Infinity")) for each in (first, lack or "0")]
    return numbers[0] - numbers[1]


def named(value: float, quantity: Quantity, sign: str = "") -> str:
    """“m = 1 000”: the symbol of a quantity with its value."""
    return f"{sign}{quantity.symbol} = {amount(value, quantity)}"
