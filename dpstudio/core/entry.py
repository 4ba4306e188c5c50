"""Numbers as people write them: 1e-3, 100k, 0.1%, a decimal comma, a pasted minus sign."""

from __future__ import annotations

import re

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.vocabulary import Choice, Interval, Switch, Value

_SUFFIXES = {"": 0, "%": -2, "‰": -3, "k": 3, "K": 3, "M": 6, "G": 9}
_SPACES = dict.fromkeys(map(ord, " \t\u00a0\u2009\u202f'_"), None)
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "x"})
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:(?:[eE]|x?10\^)([+-]?\d{1,4}))?([%‰kKMG]?)")
_POWER = re.compile(r"10\^([+-]?\d{1,4})")
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3}){2,}(\.\d*)?")
_AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_YES, _NO = {"yes", "true", "on", "1"}, {"no", "false", "off", "0"}


def read_number(text: str) -> float | int | None:
    """The number a person wrote, an int where it is whole and written so, or None where it is not one."""
    cleaned = text.strip().translate(_SPACES).translate(_SIGNS)
    if _AMBIGUOUS.fullmatch(cleaned):
        return None  # 1,000 is a thousand to some and one to others
    if _GROUPED.fullmatch(cleaned):
        cleaned = cleaned.replace(",", "")
    elif cleaned.count(",") == 1 and "." not in cleaned:
        cleaned = cleaned.replace(",", ".")
    if power := _POWER.fullmatch(cleaned):
        cleaned = f"1e{power[1]}"
    if not (match := _NUMBER.fullmatch(cleaned)):
        return None
    mantissa, exponent, suffix = match.groups()
    shift = int(exponent or 0) + _SUFFIXES[suffix]
    # The decimal text is shifted, not the double multiplied, so that 0.1% is the double nearest to 0.001.
    number = float(f"{mantissa}e{shift}")
    if "." not in mantissa and shift >= 0 and shift <= 400:
        return int(mantissa) * 10**shift
    return number


def read_entry(parameter: Parameter, text: str) -> Value:
    """The value of a parameter from text; raises InvalidParameter with the text as it was given."""
    entry = text.strip()
    value: object = None
    match parameter.domain:
        case Interval():
            value = read_number(entry)
        case Switch():
            value = True if entry.lower() in _YES else False if entry.lower() in _NO else None
        case Choice():
            value = entry
    if entry in parameter.named:
        value = parameter.named[entry]
    if value is None or parameter.domain.accept(value) is None:
        ambiguous = _AMBIGUOUS.fullmatch(entry) is not None
        raise InvalidParameter(parameter.name, parameter.domain, _as_given(entry),
                               "a comma before three digits has two meanings" if ambiguous else "")
    return parameter.accept(value)  # type: ignore[return-value] - text is never None


def _as_given(text: str) -> object:
    """A number prints as a number; anything else in quotes, as it stood."""
    try:
        return float(text) if "e" not in text.lower() else _Verbatim(text)
    except ValueError:
        return text


class _Verbatim(str):
    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
