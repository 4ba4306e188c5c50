"""What solving found, as values and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dpstudio.core.results import Fact, sign_of, stated
from dpstudio.core.solve.along import Along, is_flat
from dpstudio.core.solve.problem import Axis, Problem
from dpstudio.core.solve.want import Want
from dpstudio.text.numbers import plain, said, short
from dpstudio.text.sentences import begun, listed
from dpstudio.vocabulary import Value

DIGITS = range(3, 18)
"""Significant digits of a solution in a sentence: as few as leave it one."""
FEW = 5
"""Further solutions that a sentence names."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What was solved for: values that meet the wants or, where none do, those that come nearest."""

    values: Mapping[str, Value]
    facts: tuple[Fact | None, ...]
    """What was wanted, as it is there; None where there is no such fact."""
    met: bool
    others: tuple[Mapping[str, Value], ...] = ()
    """Further solutions, where a fact comes back to what is wanted."""
    says: str = ""


def as_number(text: str) -> float:
    """The double that a text of `short` says."""
    return float(said(text))


def _digits(axis: Axis, number: float | int, side: int, holds: Callable[[float | int], bool]) -> str:
    """The number in as few digits as leave it a solution; rounded up for a `side` of 1, down for −1."""
    for digits in () if isinstance(number, int) else DIGITS:
        text = short(number, digits, "up" if side > 0 else "down" if side < 0 else "nearest")
        rounded = as_number(text)
        if axis.over.low <= rounded <= axis.over.high and holds(rounded):
            return text
    return short(number) if isinstance(number, int) else plain(number)


def ranging(axis: Axis) -> str:
    return f"from {plain(axis.over.low)} to {plain(axis.over.high)}"


def named(problem: Problem, axis: Axis, values: Mapping[str, Value], side: int) -> str:
    """“ε = 0.0158”, in as few digits as leave it a solution."""
    number = values[axis.name]
    assert isinstance(number, int | float)
    text = _digits(axis, number, side, lambda rounded: problem.holds({**values, axis.name: rounded}))
    return f"{axis.parameter.quantity.symbol} = {text}"


def facts_told(problem: Problem, facts: Sequence[Fact | None]) -> str:
    """“The uncertain width (Laplace) is then 500; wanted: at most 500.”"""
    told = [_fact_told(problem, want, fact) for want, fact in zip(problem.wants, facts, strict=True)]
    return " ".join(f"{begun(each)}." for each in told)


def _fact_told(problem: Problem, want: Want, fact: Fact | None) -> str:
    name = want.label(problem.kind)
    if fact is None:
        return f"{name} has no value there"
    sign = sign_of(fact)
    return f"{name} is then {sign and f'{sign} '}{stated(fact)}; wanted: {want.phrase(problem.kind)}"


def met_told(problem: Problem, axis: Axis, ends: Sequence[tuple[int, int]], lines: Sequence[Along],
              facts: Sequence[Fact | None]) -> str:
    (place, side), *rest = ends
    symbol, told = axis.parameter.quantity.symbol, facts_told(problem, facts)
    if is_flat(lines):
        return f"{symbol} makes no difference to it. {told}"
    here = named(problem, axis, {axis.name: axis.over.number(place)}, side)
    found = [line.at(each) for line in lines for each in line.places]
    if all(each.met or each.side == "nowhere" for each in found):
        where = "" if all(each.met for each in found) else " where there is such a thing"
        return f"Every {symbol} {ranging(axis)}{where} does it; at {here} there is the least to spare. {told}"
    more = [named(problem, axis, {axis.name: axis.over.number(other)}, way) for other, way in rest]
    also = f" Other limits: {listed(more[:FEW])}{' and more' if len(more) > FEW else ''}." if more else ""
    return f"{lead(symbol, side, alone=not rest)}{here}. {told}{also}"


def lead(symbol: str, side: int, *, alone: bool) -> str:
    """“The least ε that does it: ”; of several limits none is the least of all."""
    if not side:
        return ""
    return f"The {'least' if side > 0 else 'greatest'} {symbol} that does it{'' if alone else ' around there'}: "


def unmet_told(problem: Problem, axes: Sequence[Axis], values: Mapping[str, Value],
           found: Sequence[tuple[Fact | None, float]], *, flat: bool) -> str:
    told = facts_told(problem, [fact for fact, _ in found])
    if flat:
        return f"{listed(axis.parameter.quantity.symbol for axis in axes)} makes no difference to it. {told}"
    where = listed(f"{axis.parameter.quantity.symbol} {ranging(axis)}" for axis in axes)
    nearest = ", ".join(f"{axis.parameter.quantity.symbol} = {short(float(values[axis.name]), 6)}" for axis in axes)
    off = [f"by {short(abs(miss), 3, 'up')}" for want, (fact, miss) in zip(problem.wants, found, strict=True)
           if fact is not None and not want.met(miss)]
    misses = f" That misses it {listed(off)}." if off else ""
    return f"No {where} does it. The nearest is {nearest}. {told}{misses}"
