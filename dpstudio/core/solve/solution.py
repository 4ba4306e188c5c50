"""What solving found, as values and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from dpstudio.core.needs import ANY_SIDE, as_number, in_few_digits
from dpstudio.core.results import Fact, sign_of, stated
from dpstudio.core.solve.problem import PREFERRED, Problem, Unknown
from dpstudio.core.solve.want import Want
from dpstudio.records import dataclass
from dpstudio.text.entry import write_number
from dpstudio.text.language import phrase
from dpstudio.text.numbers import Side, in_full, short
from dpstudio.text.sentences import begun, listed
from dpstudio.vocabulary import Value

NEAREST = range(6, 18)
"""Significant digits of what comes nearest: as few as leave it as near."""
WITHIN = range(4, 18)
"""Significant digits of the ends of what does it: as few as lie within."""
NEARLY = 1e-3
"""Part of a miss by which what is rounded is as near."""
NEAT, ROUNDING = range(1, 16), 1e-13
"""Significant digits of a number without a rounding error, and the part of it that is one."""
FEW = 5
"""Further solutions that a sentence names."""
LEAST = {False: "The least {symbol} that does it around there: {what}", True: "The least {symbol} that does it: {what}"}
GREATEST = {False: "The greatest {symbol} that does it around there: {what}",
            True: "The greatest {symbol} that does it: {what}"}
"""What is said of a limit, of several and of one alone."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What was solved for: values that meet the wants or, where none do, those that come nearest.

    They are what is said and what is taken, to the last digit.
    """

    values: Mapping[str, Value]
    facts: tuple[Fact | None, ...]
    """What was wanted, as it is there; None where there is no such fact."""
    met: bool
    others: tuple[Mapping[str, Value], ...] = ()
    """Further solutions: where a fact comes back to what is wanted, or how far all that does it reaches."""
    says: str = ""
    limits: tuple[Mapping[str, Value], ...] = ()
    """Where the wants begin or cease to hold, to the last digit, the best first; none where they hold all over."""
    leans: bool = False
    """Whether it would be another one, were what is solved for something else now."""


def in_digits(values: Mapping[str, Value], axis: Unknown, does: Callable[[Mapping[str, Value]], bool],
              digits: Iterable[int], sides: Sequence[Side] = ANY_SIDE) -> Mapping[str, Value]:
    """Values with one of them in few digits, as few as still do it, rounded to one of these sides."""
    def good(rounded: float) -> bool:
        return axis.over.low <= rounded <= axis.over.high and does({**values, axis.name: rounded})

    number = values[axis.name]
    text = in_few_digits(number, good, sides, digits) if isinstance(number, float) else None
    return {**values, axis.name: as_number(text)} if text else values


def neat(problem: Problem, values: Mapping[str, Value]) -> Mapping[str, Value]:
    """A solution without the rounding errors of its last digits, where it is one without them: 0.01, not 0.0099…9.

    What stays as it is keeps its digits.
    """
    for axis in (each for each in problem.axes if values[each.name] != each.now):
        def same(there: Mapping[str, Value], name: str = axis.name, number: float = float(values[axis.name])) -> bool:
            return abs(float(there[name]) - number) <= ROUNDING * abs(number) and problem.holds(there)

        values = in_digits(values, axis, same, NEAT)
    return values


def shortened(problem: Problem, values: Mapping[str, Value], miss: float) -> Mapping[str, Value]:
    """What comes nearest, in as few digits as leave it as near, but for a thousandth."""
    for axis in problem.axes:
        values = in_digits(values, axis, lambda there: problem.missed(there) <= miss + NEARLY * abs(miss), NEAREST,
                           ("nearest",))
    return values


def ranging(axis: Unknown) -> str:
    return phrase("from {low} to {high}", low=in_full(axis.over.low), high=in_full(axis.over.high))


def no_difference(symbols: str) -> str:
    """“ε makes no difference to it”."""
    return phrase("{symbols} makes no difference to it", symbols=symbols)


def named(axis: Unknown, values: Mapping[str, Value]) -> str:
    """“ε = 0.0158”, to the last digit."""
    number = values[axis.name]
    assert isinstance(number, int | float)
    return f"{axis.parameter.quantity.symbol} = {write_number(number)}"


def facts_told(problem: Problem, facts: Sequence[Fact | None]) -> str:
    """“The uncertain band (Laplace) is then 500; wanted: at most 500.”"""
    told = [_fact_told(problem, want, fact) for want, fact in zip(problem.wants, facts, strict=True)]
    return " ".join(f"{begun(each)}." for each in told)


def _fact_told(problem: Problem, want: Want, fact: Fact | None) -> str:
    name = want.label(problem.kind)
    if fact is None:
        return phrase("{name} has no value there", name=name)
    sign = sign_of(fact)
    return phrase("{name} is then {value}; wanted: {wanted}", name=name,
                  value=f"{sign and f'{sign} '}{stated(fact)}", wanted=want.phrase(problem.kind))


def beside_told(problem: Problem) -> str:
    """“ Set with it: response design by ε.”; empty where nothing is."""
    return f" {phrase('Set with it: {what}.', what=problem.beside)}" if problem.brought else ""


def limit_told(axis: Unknown, values: Mapping[str, Value], side: int, *, alone: bool) -> str:
    """“The least ε that does it: ε = 0.0158”; of several limits none is the least of all."""
    what = named(axis, values)
    if not side:
        return what
    return phrase(LEAST[alone] if side > 0 else GREATEST[alone], symbol=axis.parameter.quantity.symbol, what=what)


def also_told(axis: Unknown, others: Sequence[Mapping[str, Value]]) -> str:
    """“ Other limits: ε = 3.”: what else there is."""
    more = [named(axis, other) for other in others]
    if not more:
        return ""
    limits = listed(more[:FEW])
    told = phrase("Other limits: {limits} and more." if len(more) > FEW else "Other limits: {limits}.", limits=limits)
    return f" {told}"


def every_told(problem: Problem, axis: Unknown, values: Mapping[str, Value], reach: tuple[float, float], *,
               usual: bool = False, all_through: bool = True, beside: Unknown | None = None) -> str:
    """“Every ε from 1e-6 to 20 does it; the most private is ε = 1e-6”, or that it stays, and why.

    `usual`: of what does it there is no most private value, but of what is usual. Of what goes up and down by steps
    “every” is said only where it is so `all_through`.
    """
    low, high = _inward(axis, *reach)
    symbol, what = axis.parameter.quantity.symbol, named(axis, values)
    every = (phrase("Every {symbol} from {low} to {high} does it with some {other}", symbol=symbol, low=low, high=high,
                    other=beside.parameter.quantity.symbol) if beside else
             phrase("Every {symbol} from {low} to {high} does it", symbol=symbol, low=low, high=high))
    if axis.way and not problem.limits:
        best = phrase(PREFERRED[axis.better])
        if usual:
            best = phrase("{best} of what is usual", best=best)
        return (phrase("{every}; {best} is {what}", every=every, best=best, what=what) if all_through else
                phrase("{best} that does it: {what}", best=begun(best), what=what))
    stays = (phrase("It stays at {what}", what=what) if values[axis.name] == axis.now else
             phrase("The nearest to what it is now is {what}", what=what))
    if not all_through:
        return stays
    return phrase("{every}; the ceiling sets no limit. {stays}" if axis.way else
                  "{every}; none is more private. {stays}", every=every, stays=stays)


def _inward(axis: Unknown, low: float, high: float) -> tuple[str, str]:
    """The ends of what does it, in few digits and rounded to where it does; whole numbers and ends of all as they are.
    """
    def few(end: float, side: Side) -> str:
        kept = axis.over.integer or end in (axis.over.low, axis.over.high)
        text = None if kept else in_few_digits(end, lambda number: low <= number <= high, (side,), WITHIN)
        return text or in_full(end)

    return few(low, "up"), few(high, "down")


def unmet(problem: Problem, values: Mapping[str, Value], *, flat: bool = False) -> Solution:
    """What comes nearest, where nothing does it; `flat`: nothing makes a difference to it."""
    found = problem.reached(values)
    facts = tuple(fact for fact, _ in found)
    told = facts_told(problem, facts)
    if flat:
        symbols = listed(axis.parameter.quantity.symbol for axis in problem.axes)
        return Solution(values, facts, False, says=f"{no_difference(symbols)}. {told}")
    where = listed(f"{axis.parameter.quantity.symbol} {ranging(axis)}" for axis in problem.axes)
    nearest = ", ".join(named(axis, values) for axis in problem.axes)
    off = [phrase("by {number}", number=short(abs(miss), 3, "up"))
           for want, (fact, miss) in zip(problem.wants, found, strict=True)
           if fact is not None and not want.met(miss)]
    misses = f" {phrase('That misses it {misses}.', misses=listed(off))}" if off else ""
    none = phrase("No {where} does it. The nearest is {nearest}.", where=where, nearest=nearest)
    return Solution(values, facts, False, says=f"{none} {told}{misses}")
