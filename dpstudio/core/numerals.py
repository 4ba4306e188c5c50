"""Numbers as text for pictures: grouped digits, a real minus, decades as powers of ten."""

from __future__ import annotations

import math

from dpstudio.core.results import Fact
from dpstudio.vocabulary import UNIT, Interval, Quantity

THIN = "\u202f"
"""Between groups of three digits: narrow, and never broken across lines."""
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


def short(value: float, digits: int = 4) -> str:
    """A few significant digits: 0.0123, 1 020, 3.2e-7, ∞."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if -4 <= exponent < 7:
        whole = exponent >= digits - 1
        text = fixed(value, 0 if whole else digits - 1 - exponent)
        return text if whole or "." not in text else text.rstrip("0").rstrip(".")
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa.replace('-', '−')}e{int(power)}"


def aside(value: float, digits: int, *, up: bool) -> float:
    """A number of so many digits that is not less (or, unless `up`, not more) than the value; rounding errors pass."""
    if value == 0 or not math.isfinite(value):
        return value
    nearest = float(f"{value:.{digits - 1}e}")
    if (nearest >= value) == up or abs(nearest - value) <= 1e-12 * abs(value):
        return nearest
    step = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
    return float(f"{nearest + (step if up else -step):.{digits - 1}e}")


def amount(value: float, quantity: Quantity) -> str:
    """A value as a picture shows it: whole numbers in full, probabilities near 1 by what they lack."""
    whole = isinstance(quantity.domain, Interval) and quantity.domain.integer
    if whole and math.isfinite(value) and float(value).is_integer() and abs(value) < 1e15:
        return fixed(value, 0)
    if quantity.domain == UNIT and 0.9995 <= value < 1:
        return f"1 − {short(1 - value, 2)}"
    # Thousands of records keep a fraction of one: 7 824.05 is not 7 824.
    return short(value, 6 if quantity.unit and abs(value) >= 1000 else 4)


def stated(fact: Fact) -> str:
    """The value of a fact as a picture shows it; a bound is rounded to its safe side."""
    value = aside(fact.value, 4, up=not fact.at_least) if fact.kind == "bound" else fact.value
    return amount(value, fact.quantity)


def named(value: float, quantity: Quantity, sign: str = "") -> str:
    """“m = 1 000”: the symbol of a quantity with its value."""
    return f"{sign}{quantity.symbol} = {amount(value, quantity)}"
