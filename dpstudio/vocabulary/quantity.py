"""What a word of the vocabulary is: its key, symbol and sentence, and the domain of its values."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeAlias

from dpstudio.records import dataclass
from dpstudio.text.language import tr
from dpstudio.text.numbers import Side, plain
from dpstudio.vocabulary.written import Written

Value: TypeAlias = float | int | bool | str
Scale: TypeAlias = Literal["linear", "log"]

EXACT_INTEGERS = 2**53
"""Above this a float can no longer count one by one."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of reals or integers, the domain of a number."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False
    integer: bool = False

    def __str__(self) -> str:
        left = "(" if self.low_open or math.isinf(self.low) else "["
        right = ")" if self.high_open or math.isinf(self.high) else "]"
        return f"{left}{plain(self.low)}, {plain(self.high)}{right}"

    @property
    def phrase(self) -> str:
        return f"an integer in {self}" if self.integer else f"in {self}"

    def accept(self, value: object) -> Value | None:
        """The value as a plain float or int, or None where it lies outside."""
        if type(value) is not float and (isinstance(value, bool) or not isinstance(value, numbers.Real)):
            return None  # most are floats, and to ask an abstract class takes long
        try:
            number: float | int = float(value)
        except OverflowError:
            return None
        if self.integer:
            if not math.isfinite(number) or (whole := math.floor(value)) != value:
                return None
            number = int(whole)  # through int, not through float: 2⁶³ − 1 must survive
        above = number > self.low if self.low_open else number >= self.low
        below = number < self.high if self.high_open else number <= self.high
        # An infinite end is a limit, never a value.
        return number if above and below and not math.isinf(number) else None

    def nearest(self, number: float) -> float | int:
        """The value of the domain that lies nearest to a finite number."""
        low = math.nextafter(self.low, math.inf) if self.low_open else self.low
        high = math.nextafter(self.high, -math.inf) if self.high_open else self.high
        clamped = min(max(number, low), high)
        if not self.integer:
            return float(clamped)
        whole = round(clamped)
        return whole + (whole < low) - (whole > high)

    def within(self, other: Interval) -> bool:
        """Whether every value of this interval is one of the other."""
        # An end that is infinite is open, whether or not it was declared so.
        low = self.low > other.low or (
            self.low == other.low and (self.low_open or not other.low_open or math.isinf(self.low)))
        high = self.high < other.high or (
            self.high == other.high and (self.high_open or not other.high_open or math.isinf(self.high)))
        return low and high and (self.integer or not other.integer)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words, by which files and flags know it."""

    options: tuple[str, ...]
    words: tuple[str, ...] = ()
    """How each is called on a screen, where the word itself is not enough."""

    def said(self, option: str) -> str:
        """An option as a person reads it: “two fair coins”."""
        if self.words and option in self.options:
            return self.words[self.options.index(option)]
        return option.replace("_", " ")

    def __str__(self) -> str:
        return "{" + ", ".join(self.options) + "}"

    @property
    def phrase(self) -> str:
        return self.one_of()

    def one_of(self, option: Callable[[str], str] = str) -> str:
        """The options, as somebody writes each of them."""
        return f"one of {', '.join(map(option, self.options))}"

    def accept(self, value: object) -> Value | None:
        return value if isinstance(value, str) and value in self.options else None

    def within(self, other: Domain) -> bool:
        return isinstance(other, Choice) and set(self.options) <= set(other.options)


@dataclass(frozen=True, slots=True)
class Switch:
    """Yes or no."""

    def __str__(self) -> str:
        return "{no, yes}"

    @property
    def phrase(self) -> str:
        return "yes or no"

    def accept(self, value: object) -> Value | None:
        return value if isinstance(value, bool) else None

    def within(self, other: Domain) -> bool:
        return isinstance(other, Switch)


Domain: TypeAlias = Interval | Choice | Switch | Written


def reals(low: float = -math.inf, high: float = math.inf, *, open: str = "") -> Interval:  # noqa: A002 - reads well
    """Reals from low to high; `open` is "", "low", "high" or "both"."""
    return Interval(low, high, open in ("low", "both"), open in ("high", "both"))


def integers(low: float = 0, high: float = math.inf) -> Interval:
    return Interval(low, high, integer=True)


POSITIVE = reals(0, open="low")
NONNEGATIVE = reals(0)
REAL = reals()
UNIT = reals(0, 1)
INSIDE_UNIT = reals(0, 1, open="both")


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """One word of the field: how it is written, what it means, which values it can have and how it is shown."""

    key: str
    symbol: str
    label: str
    sentence: str
    domain: Domain = REAL
    scale: Scale = "linear"
    unit: str = ""
    enough: bool = False
    """Whether it is a number that is enough, of which a fraction is shown as one more."""
    safe: Side = "nearest"
    """To which side an exact value is rounded: privacy that is spent is never shown smaller, nor what is allowed or
    left larger."""
    at: str = ""
    """The parameter, by name, at whose value it is asked for: its symbol stands in the label."""

    @property
    def axis_label(self) -> str:
        """The label with its unit, as an axis and a column of a table show it, in the language that is spoken."""
        label, unit = tr(self.label), tr(self.unit)
        return f"{label} ({unit})" if self.unit and self.unit not in self.label else label

    def __eq__(self, other: object) -> bool:
        """Equal by key, so that one that has crossed a process is the same; two roles of a word may share theirs."""
        return isinstance(other, Quantity) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def yes_or_no(quantity: Quantity) -> bool:
    """Whether it is 1 for yes and 0 for no."""
    return isinstance(quantity.domain, Interval) and quantity.domain == _YES_NO


_YES_NO = integers(0, 1)


def variant(quantity: Quantity, **changes: object) -> Quantity:
    """The same quantity in another role, with its own key."""
    return replace(quantity, **changes)  # type: ignore[arg-type]
