"""The ways in which a number becomes text; every other one is made of these.

Rounded, with digits in groups, a real minus, and the side to which a bound may be rounded:
    `short`        a picture or a table: a few digits, but whole numbers to the last one
    `significant`  a sentence: a few digits and zeros after them (in `sentences`, with `safely` and `at_least`)
    `scientific`   where there is no room: a mantissa and a power of ten
    `fixed`        the ticks of an axis, all to one decimal place
With every digit:
    `exact`        a spreadsheet or a program: as Python reads it
    `plain`        a formula: the same, shortest
    `write_number` (in `entry`) an entry, to be read and edited
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Literal, TypeAlias

from dpstudio.text.language import POINT, decimal_sign, is_english

THIN = "\u202f"
"""Between groups of three digits: narrow, and never broken across lines."""
Side: TypeAlias = Literal["nearest", "up", "down"]
"""Where a number is rounded to: the nearest, never below the value, or never above it."""
OPPOSITE: Mapping[Side, Side] = {"nearest": "nearest", "up": "down", "down": "up"}
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
    return shown(text.replace("-", "−"))


def short(value: float, digits: int = 4, side: Side = "nearest") -> str:
    """A few significant digits: 0.0123, 1 020, 3.2e-7, ∞; thousands and millions are written out.

    `up` is never less than the value and `down` never more, but for a rounding error (`SLACK`).
    """
    if value == 0 or not math.isfinite(value):
        return unrounded(value)
    exponent = Decimal(float(value)).adjusted()
    if not -4 <= exponent < 7:
        return scientific(value, digits, side)
    return written_out(at_place(value, min(exponent - digits + 1, 0), side))


def scientific(value: float, digits: int, side: Side = "nearest") -> str:
    """A finite value other than 0 as 3.2e-7, rounded as `short` does."""
    return as_power(at_place(value, Decimal(float(value)).adjusted() - digits + 1, side))


def exact(value: float) -> str:
    """Every digit there is, as Python and spreadsheets read it: 0.1, 1e-07, 20, inf."""
    return (repr(value) if isinstance(value, int) else repr(float(value))).removesuffix(".0")


def plain(value: float) -> str:
    """Every digit, shortest and without padding: 1e-6, 20, 1e9, ∞."""
    if math.isinf(value):
        return unrounded(value)
    if isinstance(value, int) and abs(value) >= WRITTEN_OUT:
        return exact(value)
    text = exact(float(value))
    if text.lstrip("-").isdigit() and len(text.rstrip("0")) <= 2 and abs(value) >= 10**5:
        mantissa = text.rstrip("0")
        return f"{mantissa}e{len(text) - len(mantissa)}"
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else mantissa


def in_full(value: float) -> str:
    """Every digit, as `plain` has it, with the decimal sign of the language that is spoken."""
    return shown(plain(value))


def unrounded(value: float) -> str:
    """0, an infinity, or what is no number."""
    return "–" if math.isnan(value) else "0" if value == 0 else "∞" if value > 0 else "−∞"


def written_out(number: Decimal) -> str:
    """A number that was rounded, without a power of ten."""
    text = f"{number:,f}".replace(",", THIN).replace("-", "−")
    return shown(text.rstrip("0").rstrip(".") if "." in text else text)


def as_power(number: Decimal) -> str:
    """A number that was rounded, other than 0, as 3.2e-7."""
    mantissa, _, power = f"{number:e}".partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return shown(f"{mantissa.replace('-', '−')}e{int(power)}")


def shown(number: str) -> str:
    """The text of one number with the decimal sign of the language that is spoken."""
    return number if is_english() else number.replace(POINT, decimal_sign())


def at_place(value: float, place: int, side: Side, slack: Decimal | None = None) -> Decimal:
    """A value rounded to a decimal place, on that side of it unless the nearest differs by a rounding error only."""
    exact, unit = Decimal(float(value)), Decimal(1).scaleb(place)
    nearest = exact.quantize(unit, ROUND_HALF_EVEN)
    if side == "nearest" or abs(nearest - exact) <= (SLACK * abs(exact) if slack is None else slack):
        return nearest
    return exact.quantize(unit, ROUND_CEILING if side == "up" else ROUND_FLOOR)


def half_width(text: str, low: float, high: float) -> str:
    """How far an interval reaches from the number that a text says, at most: in two digits, rounded up."""
    middle = said(text)
    if not (middle.is_finite() and math.isfinite(low) and math.isfinite(high)):
        return "∞"
    return short(float(max(Decimal(float(high)) - middle, middle - Decimal(float(low)))), 2, "up")


def said(text: str) -> Decimal:
    """The number that one of these texts says, with either decimal sign.

    Raises `decimal.InvalidOperation` where it says none.
    """
    first, _, lack = text.replace(THIN, "").partition(" − ")
    whole, less = (Decimal(each.replace("−", "-").replace("∞", "Infinity").replace(",", POINT))
                   for each in (first, lack or "0"))
    return whole - less


_EXPONENT = re.compile(r"(?<![\d.])(−?)(\d+(?:[.,]\d+)?)e([-−]?\d+)", re.ASCII)


def powered(text: str) -> str:
    """Numbers with an exponent as print has them: 1e-6 as 10⁻⁶, 2.5e-7 as 2.5 × 10⁻⁷."""
    return _EXPONENT.sub(_power, text)


def _power(found: re.Match[str]) -> str:
    sign, mantissa, exponent = found.groups()
    return sign + ("" if mantissa == "1" else f"{mantissa} × ") + decade(int(exponent.replace("−", "-")))
