"""Numbers as people write them: 1e-3, 100k, 0.1%, a decimal comma, a pasted minus sign; and written back for them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from dpstudio.text.language import POINT, decimal_sign
from dpstudio.text.numbers import THIN, exact, shown

MOST_DIGITS = 17
"""Digits that say which double is meant."""

_SUFFIXES = {"": 0, "%": -2, "‰": -3, "k": 3, "K": 3, "M": 6, "G": 9}
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "x", "·": "x", "*": "x"}
                       | dict.fromkeys("\t\u00a0\u2009\u202f'’_", " ") | dict.fromkeys("\u200b\ufeff"))
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_EXPONENT = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:(?:[eE]|x10\^)([+-]?\d{1,4}))?([%‰kKMG]?)", re.ASCII)
_POWER = re.compile(r"10\^([+-]?\d{1,4})", re.ASCII)
_BETWEEN_THREES = re.compile(r"(?<=\d) (?=\d{3}(?!\d))", re.ASCII)
_AROUND = re.compile(r"(?<=^[+-]) | ?(x) ?| (?=[%‰kKMG]$)")
_ENGLISH = re.compile(r"([+-]?\d{1,3}(?:,\d{3})+)(\.\d*.*)", re.ASCII | re.DOTALL)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3}){2,}(?!\d)", re.ASCII)
_AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}(?![\d,.])", re.ASCII)
_SWAPPED = str.maketrans(",.", ".,")
_LONGEST = 400
"""No number that a person means has more characters than this."""
_WHOLE = 19
"""Digits up to which an entry without a point is an integer: 2⁶³ − 1 has as many. Longer ones are doubles."""


def read_number(text: str) -> float | int | None:
    """The number a person wrote, an int where it is whole and written so, or None where it is not one."""
    cleaned = _clean(text)
    if _AMBIGUOUS.match(cleaned):
        return None  # 1,000 is a thousand to some and one to others
    if _THOUSANDS.match(cleaned) or _ENGLISH.fullmatch(cleaned):
        cleaned = cleaned.replace(",", "")
    elif "." not in cleaned:
        cleaned = cleaned.replace(",", ".", 1)
    if power := _POWER.fullmatch(cleaned):
        cleaned = f"1e{power[1]}"
    if len(cleaned) > _LONGEST or not (match := _NUMBER.fullmatch(cleaned)):
        return None
    mantissa, exponent, suffix = match.groups()
    shift = int(exponent or 0) + _SUFFIXES[suffix]
    if "." not in mantissa and shift >= 0 and len(mantissa.lstrip("+-")) + shift <= _WHOLE:
        return int(mantissa) * int(10**shift)
    # The decimal text is shifted, not the double multiplied, so that 0.1% is the double nearest to 0.001.
    return float(f"{mantissa}e{shift}")


def read_typed(text: str) -> float | int | None:
    """The number that a person typed into the window, whose language says whether 1,5 or 1.5 is three halves."""
    return read_number(_in_english_signs(text))


def read_double(text: str) -> float | None:
    """The number that Python reads, inf and nan among them; None where it reads none."""
    try:
        return float(text)
    except ValueError:
        return None


def write_number(number: float) -> str:
    """A number for a person to read and to edit: as short as it can be, whole thousands apart, no digit lost."""
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞" if number < 0 else "—"
    text = exact(number)
    mantissa, e, exponent = text.removeprefix("-").partition("e")
    whole, point, fraction = mantissa.partition(".")
    grouped = f"{int(whole):,}".replace(",", THIN)
    return shown(f"{'−' if text.startswith('-') else ''}{grouped}{point}{fraction}{e and f'e{int(exponent)}'}")


def shortened(number: float, fits: Callable[[str], bool]) -> str:
    """A number as it is written, or rounded to as many digits as fit, one at least; “…” would say that it is computed.
    """
    if fits(text := write_number(number)) or not math.isfinite(number):
        return text
    texts = (text for digits in range(MOST_DIGITS, 0, -1) for text in _rounded(number, digits))
    return next(filter(fits, texts), _rounded(number, 1)[-1])


def _rounded(number: float, digits: int) -> tuple[str, ...]:
    """A number in so many digits, as it is written and by its power of ten."""
    mantissa, _, exponent = (text := f"{number:.{digits - 1}e}").partition("e")
    short = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    power = shown(f"{short.replace('-', '−')}e{int(exponent)}")
    return (write_number(float(text)), power) if math.isfinite(float(text)) else (power,)


def is_ambiguous(text: str) -> bool:
    """Whether a comma stands where it may set thousands apart or a fraction: 1,000."""
    return bool(_AMBIGUOUS.match(_clean(text)))


def two_meanings(text: str, *, typed: bool = False) -> str:
    """Why a number is refused in which such a sign stands, which in some languages is a point: 1.000; else empty."""
    if not is_ambiguous(_in_english_signs(text) if typed else text):
        return ""
    return f"a {'comma' if not typed or decimal_sign() == POINT else 'point'} before three digits has two meanings"


def _in_english_signs(text: str) -> str:
    return text if decimal_sign() == POINT else text.translate(_SWAPPED)


def _clean(text: str) -> str:
    """The text in plain signs, without the spaces that group digits or stand beside a sign or a unit."""
    plain = text.translate(_SIGNS).strip()
    raised = _EXPONENT.sub(lambda found: "^" + found[0].translate(_RAISED), plain)
    return _AROUND.sub(r"\1", _BETWEEN_THREES.sub("", raised))


