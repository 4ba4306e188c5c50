"""Where a value lies along a slider, and the next value along it; plain arithmetic, no window.

Values are rounded in decimal, so that a slider yields 0.102 and never 0.10200000000000001.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Literal, TypeAlias

from dpstudio.core.declare import Parameter
from dpstudio.records import dataclass
from dpstudio.vocabulary import Interval

Number: TypeAlias = float | int
Step: TypeAlias = Literal["least", "digit", "leap"]
"""The least that is sensible, one of the second significant digit, or to the next of 1, 2, 5, 10."""

ZERO_NOTCH = 0.05
"""The part of a logarithmic slider that 0 takes, where 0 is a value at all."""
_DECADES_WITHOUT_RANGE = 9


@dataclass(frozen=True, slots=True)
class SliderScale:
    """The shown range of a number, linear or logarithmic, with 0 as a notch of its own left of a logarithm."""

    domain: Interval
    low: float
    high: float
    log: bool
    zero: bool

    @property
    def start(self) -> float:
        """The position of the low end: a zero notch may lie left of it."""
        return ZERO_NOTCH if self.zero else 0.0

    def position(self, value: float) -> float:
        """Where a value lies between 0 and 1; one beyond the shown range lies at the end."""
        if self.zero and value <= 0:
            return 0.0
        if not self.log:
            way = (value - self.low) / (self.high - self.low)
        elif value <= 0:
            way = 0.0
        else:
            way = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + (1 - self.start) * min(max(way, 0.0), 1.0)

    def value(self, position: float, resolution: float) -> Number:
        """The roundest value at a position, no coarser than the resolution, which is a length along the slider."""
        if self.zero and position < ZERO_NOTCH / 2:
            return self.domain.nearest(0)
        way = (position - self.start) / (1 - self.start)
        if way <= 0 or way >= 1:
            return self.domain.nearest(self.low if way <= 0 else self.high)
        if self.log:
            logarithm = math.log(self.high / self.low)
            raw = self.low * math.exp(way * logarithm)
            step = raw * math.expm1(resolution * logarithm)
        else:
            raw = self.low + way * (self.high - self.low)
            step = resolution * (self.high - self.low)
        rounded = _multiple(raw, self._at_least_one(_round_down(step)))
        return self.domain.nearest(min(max(rounded, self.low), self.high))

    def step(self, value: Number, direction: int, step: Step) -> Number:
        """The next value up or down, anywhere in the domain."""
        exact = Decimal(repr(value))
        if step == "leap" and self.log and value > 0:
            return self.domain.nearest(float(_next_round(exact, direction)))
        if self.domain.integer and step == "least":
            width = Decimal(1)
        elif self.log:
            width = _second_digit(exact, direction) if value > 0 else Decimal(repr(self.low))
        else:
            nearly_a_power = 1.1  # steps of 0.01 also in [0.001, 0.999]
            width = _round_down(nearly_a_power * (self.high - self.low) / (10 if step == "leap" else 100))
        moved = exact + direction * self._at_least_one(width)
        return self.domain.nearest(int(moved) if self.domain.integer else float(moved))

    def move(self, value: Number, direction: int, step: Step) -> Number:
        """The next value up or down within the shown range, with 0 below its low end where there is a notch for it."""
        if self.zero and direction < 0 and value <= self.low:
            return self.domain.nearest(0)
        if self.zero and direction > 0 and value <= 0:
            return self.domain.nearest(self.low)
        moved = self.step(value, direction, step)
        return min(moved, max(self.domain.nearest(self.high), value)) if direction > 0 else max(
            moved, min(self.domain.nearest(self.low), value))

    def _at_least_one(self, step: Decimal) -> Decimal:
        return max(step, Decimal(1)) if self.domain.integer else step


def scale_of(parameter: Parameter) -> SliderScale | None:
    """The scale of a number's slider, or None where nothing says how far it would reach."""
    domain = parameter.domain
    if not isinstance(domain, Interval):
        return None
    low, high = parameter.shown or (domain.low, domain.high)
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    log = parameter.quantity.scale == "log" and domain.low >= 0
    if log and low <= 0:
        low = 1 if domain.integer else high * 10.0**-_DECADES_WITHOUT_RANGE
    return SliderScale(domain, low, high, log, log and domain.accept(0) is not None)


def _round_down(width: float) -> Decimal:
    """The greatest of 1, 2, 5 times a power of ten that is no greater."""
    exponent = math.floor(math.log10(width))
    lead = width / 10.0**exponent
    return Decimal(5 if lead >= 5 else 2 if lead >= 2 else 1).scaleb(exponent)


def _multiple(value: float, step: Decimal) -> float:
    """The multiple of the step nearest to a value."""
    return float((Decimal(value) / step).to_integral_value() * step)


def _second_digit(value: Decimal, direction: int) -> Decimal:
    """One unit of the second significant digit; below a power of ten that digit is a finer one."""
    power = Decimal(1).scaleb(value.adjusted())
    return power.scaleb(-2 if direction < 0 and value == power else -1)


def _next_round(value: Decimal, direction: int) -> Decimal:
    """The next of 1, 2, 5, 10 times a power of ten above or below."""
    power = Decimal(1).scaleb(value.adjusted())
    if direction > 0:
        return next(power * lead for lead in (2, 5, 10) if power * lead > value)
    return next(power * lead for lead in (5, 2, 1, Decimal("0.5")) if power * lead < value)
