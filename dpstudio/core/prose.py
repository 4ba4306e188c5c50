"""Numbers and odds as sentences have them; those of a risk are rounded to the safe side."""

from __future__ import annotations

import math

from dpstudio.core.numerals import THIN


def grouped(number: float) -> str:
    """A whole number in groups of three, by thin spaces."""
    return f"{int(number):,}".replace(",", THIN)


def significant(number: float, digits: int = 3) -> str:
    """So many significant digits: 0.0123, 1 020, 3.2e-7, ∞."""
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    text = f"{number:.{digits}g}"
    mantissa, e, exponent = text.partition("e")
    if not e:
        return text
    return grouped(float(text)) if 0 <= int(exponent) < 6 else f"{mantissa}e{int(exponent)}"


def safely(number: float) -> str:
    """Three significant digits of a privacy parameter, rounded up where they are not exact."""
    if number == 0 or math.isinf(number):
        return significant(number)
    exponent = math.floor(math.log10(number)) - 2
    if exponent < -300:  # among the least of all doubles there are no steps to count
        return significant(number)
    steps = number / 10.0**exponent
    nearest = round(steps)
    return significant((nearest if abs(steps - nearest) < 1e-9 else math.ceil(steps)) * 10.0**exponent)


def percent(share: float) -> str:
    return f"{100 * share:.4g}{THIN}%"


def odds(belief: float) -> str:
    """A belief as odds of a hundred, never less than it: 74 : 26; near 0 and 1 in thousands and further."""
    for whole in (100, 1_000, 10_000, 100_000, 1_000_000):
        share = math.ceil(whole * belief - 1e-9)
        if 0 < share < whole:
            return f"{grouped(share)} : {grouped(whole - share)}"
    return "practically certain" if belief > 0.5 else f"1 : {grouped(999_999)}"


def odds_before(belief: float) -> str:
    """A belief that was chosen, as odds: 50 : 50, 10 : 90."""
    return f"{100 * belief:.6g} : {100 * (1 - belief):.6g}"


def updated(belief: float, loss: float) -> float:
    """The belief after an outcome of that privacy loss, by Bayes' rule: p/(p + (1 − p) e^−loss)."""
    if loss == math.inf:
        return 1.0
    against = (1 - belief) / belief
    return 1 / (1 + against * math.exp(-loss)) if loss > -700 else 0.0
