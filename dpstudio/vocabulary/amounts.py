"""A value of a quantity as pictures and tables show it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio.text.numbers import NEAR, OPPOSITE, WRITTEN_OUT, Side, at_place, fixed, scientific, short
from dpstudio.vocabulary.quantity import Interval, Quantity


def amount(value: float, quantity: Quantity, digits: int = 0, side: Side = "nearest", lack: float | None = None, *,
           lacking: bool = False) -> str:
    """A value as a picture shows it: whole numbers in full, probabilities near 1 by what they lack; with `lacking`
    those above one half, beside others that are near.

    `digits` 0 are as many as are usual; `lack` is 1 − value where that is known better than the value tells. What is
    neither 0 nor 1 is never written as such, unless it is a bound that is rounded to 1.
    """
    domain = quantity.domain
    if quantity.enough and math.isfinite(value) and abs(value) < WRITTEN_OUT:
        return fixed(float(at_place(value, 0, "up")), 0)
    whole = isinstance(domain, Interval) and domain.integer
    if whole and math.isfinite(value) and float(value).is_integer() and abs(value) < WRITTEN_OUT:
        return fixed(value, 0)
    # Thousands of records keep a fraction of one: 7 824.05 is not 7 824.
    text = short(value, digits or (6 if quantity.unit and abs(value) >= 1000 else 4), side)
    if isinstance(domain, Interval) and domain.high == 1 and 0.5 < value <= 1 and not whole:
        lack = 1 - value if lack is None else lack
        if 0 < lack <= (0.5 if lacking else NEAR) or (lack > 0 and text == "1" and side == "nearest"):
            decimals = (digits or 4) + 1 + math.floor(math.log10(lack))  # as far as the value itself would be told
            return f"1 − {short(lack, max(min(digits or 2, 2), decimals), OPPOSITE[side])}"
    return text


def told_by_lack(value: float, quantity: Quantity, lack: float | None = None) -> bool:
    """Whether a value is a probability so near to 1 that it is told by what it lacks."""
    lack = 1 - value if lack is None else lack
    return isinstance(quantity.domain, Interval) and quantity.domain.high == 1 and 0 < lack <= NEAR


def shorter(value: float, quantity: Quantity, side: Side = "nearest", lack: float | None = None, *,
            lacking: bool = False) -> Iterator[str]:
    """The same value in fewer and fewer characters, for where there is no room: each as true as the first."""
    for digits in (3, 2, 1):
        yield amount(value, quantity, digits, side, lack, lacking=lacking)
    if math.isfinite(value) and abs(value) >= 1000:
        for digits in (3, 2, 1):
            yield scientific(value, digits, "up" if quantity.enough else side)
    if side != "nearest" and 0.5 < value < 1 - 1e-11:  # nearer to 1 a lower bound would pass for it
        for digits in (3, 2, 1):
            yield short(value, digits, side)


def named(value: float, quantity: Quantity, sign: str = "") -> str:
    """“m = 1 000”: the symbol of a quantity with its value."""
    return f"{sign}{quantity.symbol} = {amount(value, quantity)}"
