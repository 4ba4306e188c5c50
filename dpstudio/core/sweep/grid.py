"""The values that a parameter goes through, from what people write."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from dpstudio.core.declare import InvalidParameter, read_entry
from dpstudio.core.solve.want import named_parameter
from dpstudio.core.study import Study
from dpstudio.text.entry import read_number
from dpstudio.vocabulary import Interval, Value

_FORMS = "NAME=LOW:HIGH:COUNT, NAME=LOW:HIGH:COUNT:log or NAME=V1,V2"


@dataclass(frozen=True)
class Over:
    """A parameter with the values that it goes through."""

    name: str
    values: tuple[Value, ...]
    repeated: int = field(default=0, compare=False)
    """How many were left out as they stood there already, after whole numbers were rounded."""


def size_of(text: str) -> int:
    """How many values a text asks for; raises InvalidParameter where it is none of the forms."""
    _, ends = _parted(text)
    return ends[2] if isinstance(ends, tuple) else ends.count(",") + 1


def read_over(study_class: type[Study], text: str, most: int | None = None) -> Over:
    """The values that a text asks for, at most so many; raises InvalidParameter.

    Steps are equal, or equal ratios. They are rounded where that is what people mean: 0.1:1:10 has 0.3.
    """
    name, ends = _parted(text)
    declared = named_parameter(study_class, name)
    if isinstance(ends, str):
        listed = tuple(read_entry(declared, value) for value in ends.split(",")[:most])
        values = tuple(dict.fromkeys(listed))
        return Over(name, values, len(listed) - len(values))
    low_text, high_text, count, log = ends
    if not isinstance(declared.domain, Interval):
        raise InvalidParameter(name, f"{declared.domain.phrase}, listed as {name}=V1,V2", text.partition("=")[2])
    low, high = read_entry(declared, low_text), read_entry(declared, high_text)
    assert not isinstance(low, str)
    assert not isinstance(high, str)
    if low > high:
        raise InvalidParameter("over", "a grid whose LOW is at most its HIGH", text)
    if count < 2 and low != high:
        raise InvalidParameter("over", "a grid of a COUNT that is 2 at least", text)
    if log and low <= 0:
        raise InvalidParameter("over", "a grid whose LOW is above 0, where it is log", text)
    count = min(count, most or count)
    if low == high:
        return Over(name, (low,), count - 1)
    steps = _log_steps(low, high, count) if log else _steps(low, high, count)
    if declared.domain.integer:
        steps = [round(value) for value in steps]
    values = (low, *dict.fromkeys(value for value in steps[1:-1] if low < value < high), high)
    return Over(name, values, count - len(values))


def _parted(text: str) -> tuple[str, tuple[str, str, int, bool] | str]:
    """A name with the ends of a grid, its count and whether it is log; or with a list."""
    name, equals, rest = text.partition("=")
    parts = [part.strip() for part in rest.split(":")]
    if not (name.strip() and equals and rest.strip()):
        raise InvalidParameter("over", _FORMS, text)
    if len(parts) == 1:
        return name.strip(), rest
    count = read_number(parts[2]) if len(parts) > 2 else None
    if len(parts) not in (3, 4) or parts[3:] not in ([], ["log"]):
        raise InvalidParameter("over", _FORMS, text)
    if count is None or not 1 <= count < math.inf or count != int(count):
        raise InvalidParameter("over", f"{_FORMS}, with a COUNT that is a whole number", text)
    return name.strip(), (parts[0], parts[1], int(count), bool(parts[3:]))


def _steps(low: float, high: float, count: int) -> list[float]:
    """In whole numbers of decimal units, so that each is the double nearest to the decimal that is meant."""
    ends = Fraction(repr(low)), Fraction(repr(high))
    unit = math.lcm(*(end.denominator for end in ends))
    first, last = (int(end * unit) for end in ends)
    return [(first * (count - 1 - i) + last * i) / (unit * (count - 1)) for i in range(count)]


def _log_steps(low: float, high: float, count: int) -> list[float]:
    ratio, span = math.log(low), math.log(high) - math.log(low)
    return [float(f"{math.exp(ratio + span * i / (count - 1)):.13g}") for i in range(count)]
