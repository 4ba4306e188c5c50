"""Declared parameters: a field of a frozen dataclass says once what it is, and everything else follows.

    @dataclass(frozen=True)
    class LaplaceDecision(Declared):
        epsilon: float = parameter(EPSILON)
        threshold: float = parameter(THRESHOLD)

Validation, controls, flags, sessions, headers and help all read `parameters()`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import cache
from types import MappingProxyType
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.records import dataclass
from dpstudio.text.entry import read_double, read_number, read_typed, two_meanings
from dpstudio.text.given import cut, shown
from dpstudio.text.numbers import exact, plain
from dpstudio.vocabulary import EXACT_INTEGERS, Choice, Domain, Interval, Quantity, Switch, Value, Written

Array = npt.NDArray[np.float64]
LONGEST_SAID = 200
"""Signs of a text that is said whole."""


@dataclass(frozen=True, slots=True)
class AtMost:
    """A bound that another parameter sets: its name and its present value."""

    name: str
    value: float

    def phrase(self, called: Callable[[str], str] = str) -> str:
        return f"at most {called(self.name)}, {plain(self.value)}"


class InvalidParameter(ValueError):
    """A refused value: one sentence that names what, its domain and what was given."""

    def __init__(self, name: str, domain: Domain | AtMost | str, given: object, why: str = "") -> None:
        self.name, self.domain, self.given, self.why = name, domain, given, why
        super().__init__(self.worded())

    def worded(self, called: Callable[[str], str] = str, option: Callable[[str], str] = str,
               written: Callable[[object], str] = shown) -> str:
        """The sentence with parameters, the words of a choice and what was given as somebody else writes them."""
        match self.domain:
            case str():
                expected = self.domain
            case AtMost():
                expected = self.domain.phrase(called)
            case Choice():
                expected = self.domain.one_of(option)
            case _:
                expected = self.domain.phrase
        given = self.given
        if isinstance(self.domain, Interval):
            given = _as_whole(given) if self.domain.integer else _as_real(given)
        return f"{called(self.name)} must be {expected}, got {cut(written(given))}{self.why and f' ({self.why})'}"


def accepted(name: str, domain: Domain, given: object, why: str = "") -> Value:
    """What is given, normalised to float, int, bool or str; raises InvalidParameter for what is not in the domain."""
    found = domain.accept(given)
    if found is None:
        raise InvalidParameter(name, domain, given, why)
    return found


def _as_real(given: object) -> object:
    """A whole number as a float, so that a refusal reads the same from a flag, a file and a call."""
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and abs(int(given)) < EXACT_INTEGERS:
        return float(given)
    return given


def _as_whole(given: object) -> object:
    """A float without a fraction as an integer, for the same reason."""
    return int(given) if isinstance(given, float) and given.is_integer() and abs(given) < EXACT_INTEGERS else given


@dataclass(frozen=True, slots=True)
class Follow:
    """A default that is a multiple of another parameter's value or of the product of two, and more, until it is set."""

    name: str
    factor: float = 1.0
    times: str = ""
    """The other parameter of a product."""
    plus: float = 0.0
    """What is added to the multiple."""

    @property
    def names(self) -> tuple[str, ...]:
        """What is followed: parameters that are declared before the one that follows."""
        return (self.name, self.times) if self.times else (self.name,)

    def __str__(self) -> str:
        factor = "" if self.factor == 1 else f"{plain(self.factor)} × "
        return factor + " × ".join(self.names) + (f" + {plain(self.plus)}" if self.plus else "")


When: TypeAlias = tuple[()] | tuple[str, *tuple[Value, ...]]
"""The name of a parameter, and those of its values with which another one matters."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One declared parameter; `name` is filled in by the class that declares it."""

    name: str
    quantity: Quantity
    domain: Domain
    default: Value | Follow | None = None
    shown: tuple[float, float] | None = None
    """The range a slider covers; the whole domain stays open to typing."""
    named: Mapping[str, Value] = field(default_factory=dict)
    """Values that have a name of their own, such as strategies."""
    named_title: str = ""
    ends: tuple[str, str] = ("", "")
    """What lies at the low and at the high end of the slider: which way is more private."""
    optional: bool = False
    group: str = ""
    """The heading that a less-used parameter stands under; the main ones have none."""
    when: When = ()
    """Where it matters; always, where there is none."""
    instead: Quantity | None = None
    """The fact that says what is in force where this parameter does not matter."""
    beyond: str = ""
    """Why nothing outside of the domain is meant, said with a refusal."""
    brief: str = ""
    """What stands before its entry in a line that has no room for its label."""
    chosen_by: Quantity | None = None
    """What that choice is called; filled in by the class."""

    def matters(self, values: Mapping[str, Value]) -> bool:
        """Whether the parameter changes anything beside these others. It is accepted and kept where it does not."""
        return not self.when or values[self.when[0]] in self.when[1:]

    def brings(self, values: Mapping[str, Value]) -> Mapping[str, Value]:
        """The choice that whoever moves it makes with it, where what is in force stood in its place."""
        chosen = next(iter(self.when[1:]), None)
        moot = self.instead is not None and not self.matters(values)
        return {self.when[0]: chosen} if self.when and chosen is not None and moot else {}

    @property
    def condition(self) -> str:
        """Where it matters, as a sentence: “Used only where design is symmetric.”"""
        return f"Used only where {self.when[0]} is {' or '.join(map(str, self.when[1:]))}." if self.when else ""

    def accept(self, value: object) -> Value | None:
        """The value as `accepted` has it; what is optional may be None. NaN always lies outside the domain."""
        if value is None and self.optional:
            return None
        found = self.domain.accept(value)
        return accepted(self.name, self.domain, value, self.why(value)) if found is None else found

    def why(self, value: object) -> str:
        """Why what is given is not meant: of a text what is wrong in it."""
        return self.domain.why(value) if isinstance(self.domain, Written) else self.beyond

    @property
    def range(self) -> tuple[float, float] | None:
        """The numbers that a slider covers: `shown`, or the whole of a bounded domain; None where there is neither."""
        if self.shown or not isinstance(self.domain, Interval):
            return self.shown
        whole = self.domain.low, self.domain.high
        return whole if all(map(math.isfinite, whole)) else None

    @property
    def is_number(self) -> bool:
        return isinstance(self.domain, Interval)

    def said(self, value: Value) -> str:
        """A value that is no number, as a person reads it: “yes”, “two fair coins”."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(self.domain, Written):
            text = self.domain.said(str(value))
            return text if len(text) <= LONGEST_SAID else self.domain.brief(str(value))
        return self.domain.said(str(value)) if isinstance(self.domain, Choice) else str(value)


def parameter(
    quantity: Quantity,
    default: Value | Follow | None = None,
    *,
    domain: Domain | None = None,
    shown: tuple[float, float] | None = None,
    named: Mapping[str, Value] | None = None,
    named_title: str = "",
    ends: tuple[str, str] = ("", ""),
    optional: bool = False,
    group: str = "",
    when: When = (),
    instead: Quantity | None = None,
    beyond: str = "",
    brief: str = "",
    kw_only: bool = False,
) -> Any:
    """Declare a field; its domain narrows the quantity's, never widens it.

    What is `kw_only` is given by name alone: a class that inherits it has its own fields first.
    """
    declared = Parameter("", quantity, domain or quantity.domain, default, shown, dict(named or {}), named_title, ends,
                         optional, group, when, instead, beyond, brief)
    if default is None and not optional:
        return field(metadata={"parameter": declared}, kw_only=kw_only)
    return field(default=None if isinstance(default, Follow) else default, metadata={"parameter": declared},
                 kw_only=kw_only)


@dataclass(frozen=True)
class Declared:
    """A frozen dataclass whose fields are declared parameters, validated when it is made."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The declarations in order."""
        return _parameters(cls)  # type: ignore[arg-type]  # mypy compares the hash of instances

    @classmethod
    def by_name(cls) -> Mapping[str, Parameter]:
        """The declarations by their names, in order."""
        return _by_name(cls)  # type: ignore[arg-type]  # mypy compares the hash of instances

    @classmethod
    def parameter(cls, name: str) -> Parameter:
        """The declaration of that name; a KeyError says there is none."""
        return cls.by_name()[name]

    @classmethod
    def numbers(cls, names: Iterable[str]) -> tuple[str, ...]:
        """Those of some parameters that are numbers, in the order given."""
        return tuple(name for name in names if cls.parameter(name).is_number)

    def values(self) -> dict[str, Value]:
        """The parameters by name, every one resolved."""
        return {declared.name: getattr(self, declared.name) for declared in self.parameters()}

    def default(self, name: str) -> Value | None:
        """The value that a parameter would have, were it not set: a followed one beside the present others."""
        declared = self.parameter(name)
        return self._followed(declared) if isinstance(declared.default, Follow) else declared.default

    def replace(self, **changes: object) -> Self:
        """The same with other values of these parameters; the others are not checked again, for they were accepted."""
        if not changes.keys() <= self.by_name().keys():
            return dataclasses.replace(self, **changes)  # which says what it does not know
        made = object.__new__(type(self))
        vars(made).update(self.values() | changes, _changed=changes.keys())
        made.__post_init__()
        return made

    def __post_init__(self) -> None:
        own = vars(self)
        changed = own.pop("_changed", None)  # of a copy only these are new
        for declared, usual in _usual(type(self)):  # type: ignore[arg-type]  # mypy compares the hash of instances
            name = declared.name
            if changed is not None and name not in changed:
                continue
            given = own[name]
            if given is None and isinstance(declared.default, Follow):
                given = self._followed(declared)
            # Most are as they come: what they are then is accepted once for all.
            own[name] = usual if given is declared.default and usual is not None else declared.accept(given)

    def _followed(self, declared: Parameter) -> Value:
        assert isinstance(declared.default, Follow)
        assert isinstance(declared.domain, Interval)
        follow = declared.default
        multiple = math.prod((float(getattr(self, name)) for name in follow.names), start=follow.factor)
        return declared.domain.nearest(multiple + follow.plus)


@cache
def _parameters(cls: type[Declared]) -> tuple[Parameter, ...]:
    entries = [entry for entry in dataclasses.fields(cls) if "parameter" in entry.metadata]
    entries.sort(key=lambda entry: entry.kw_only is True)  # a class has its own before those that it inherits so
    found = {entry.name: entry.metadata["parameter"] for entry in entries}
    return tuple(dataclasses.replace(each, name=name, chosen_by=found[each.when[0]].quantity if each.when else None)
                 for name, each in found.items())


@cache
def _usual(cls: type[Declared]) -> tuple[tuple[Parameter, Value | None], ...]:
    """The declarations in order, each with its default as it is accepted; None where it has none of its own."""
    return tuple((each, None if isinstance(each.default, Follow) else each.domain.accept(each.default))
                 for each in cls.parameters())


@cache
def _by_name(cls: type[Declared]) -> Mapping[str, Parameter]:
    return MappingProxyType({declared.name: declared for declared in cls.parameters()})


def numeric(values: npt.ArrayLike, name: str, domain: Domain) -> npt.NDArray[Any]:
    """An array of whole or real numbers; raises InvalidParameter for all else, such as rows of unlike lengths."""
    try:
        given = np.asarray(values)
    except (ValueError, TypeError):
        raise InvalidParameter(name, domain, values) from None
    if given.dtype.kind not in "iuf":
        raise InvalidParameter(name, domain, values)
    return given


_YES, _NO = {"yes", "true", "on", "1"}, {"no", "false", "off", "0"}
COUNT = Interval(0, EXACT_INTEGERS, integer=True)


def counts(n: npt.ArrayLike, name: str = "n") -> Array:
    """Numbers of records as float64, shape kept; raises InvalidParameter unless all are whole, ≥ 0 and ≤ 2⁵³."""
    given = numeric(n, name, COUNT)
    # NaN fails every comparison. Integers are compared before they are rounded: 2⁵³ + 1 would become 2⁵³.
    inside = not given.size or (given.min() >= 0 and given.max() <= EXACT_INTEGERS)
    if not inside or (given.dtype.kind == "f" and not (np.floor(given) == given).all()):
        good = (given >= 0) & (given <= EXACT_INTEGERS) & (np.floor(given) == given)
        raise InvalidParameter(name, COUNT, given[~good].flat[0] if given.ndim else given[()])
    return given.astype(np.float64, copy=False)


def read_entry(parameter: Parameter, text: str, *, typed: bool = False) -> Value:
    """The value of a parameter from text; raises InvalidParameter with the text as it was given.

    What was typed into the window has the decimal sign of its language.
    """
    entry, read = text.strip(), read_typed if typed else read_number
    value: object = None
    match parameter.domain:
        case Interval():
            value = read(entry)
        case Switch():
            value = True if entry.lower() in _YES else False if entry.lower() in _NO else None
        case Choice() | Written():
            value = entry
    if entry in parameter.named:
        value = parameter.named[entry]
    if value is None or parameter.domain.accept(value) is None:
        ambiguous = two_meanings(entry, typed=typed) if parameter.is_number else ""
        raise InvalidParameter(parameter.name, parameter.domain, _as_given(entry), ambiguous or (
            parameter.why(entry) if not parameter.is_number or read(entry) is not None else ""))
    return parameter.accept(value)  # type: ignore[return-value]  # text is never None


def entry_text(value: Value) -> str:
    """A value as an entry or a flag states it, to the last digit: what `read_entry` reads."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else exact(value)


def _as_given(text: str) -> object:
    """A number prints as a number; anything else in quotes, as it stood."""
    number = read_double(text)
    return text if number is None else Verbatim(text) if "e" in text.lower() else number


class Verbatim(str):
    """Text that a refusal quotes as it stands, without marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
