"""One question of all that a study compares: what each series takes to do it, and whose answer is named first.

    wants = [Want("band_width", "<=", 500.0)]                        of no series yet
    found = ranked(offered(Decision, {"delta": 1e-9}, wants, ["epsilon"], (LAPLACE, GAUSSIAN)))
    found[0].series, found[0].values, found[0].texts                 Laplace, {"epsilon": 0.0156…}, ("0.01565",)

Whether a series is allowed is judged where it would be taken: a setting that is solved for may allow what the present
one does not, or forbid what it does. Of all that a series finds, the first that is allowed there is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.needs import as_number
from dpstudio.core.results import ALIKE, Series, Span
from dpstudio.core.solve.among import of_series, place_of
from dpstudio.core.solve.problem import PREFERRED, Problem
from dpstudio.core.solve.solution import Solution, in_digits
from dpstudio.core.solve.solver import solved, told
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.records import dataclass
from dpstudio.text.entry import write_number
from dpstudio.text.language import phrase
from dpstudio.text.numbers import short
from dpstudio.vocabulary import Value

FEW = range(4, 8)
"""Significant digits of what is shown, as few as leave it true."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What one series takes to do what is wanted, or what comes nearest."""

    series: Series | None
    """None for a fact of the question as a whole."""
    problem: Problem
    solution: Solution
    """What would be taken: of all that was found the first that is allowed."""
    few: Mapping[str, float | int]
    """The same in few digits, rounded to where it does it as well, in all where none of few does; of what is to be
    exactly so, the nearest."""
    refused: str = ""
    """Why it is not allowed there: “spends δ = 0.0952”."""
    spent: float = 0.0
    """Its δ there."""

    @classmethod
    def of(cls, series: Series | None, problem: Problem, solution: Solution) -> Offer:
        """Of all that solving found, the first that is allowed where it is; of what does not do it, the nearest."""
        found = (solution.values, *(solution.others if solution.met else ()))
        answers = {i: problem.kind(**{**problem.explicit, **values}).answer() for i, values in enumerate(found)}
        refusals = {i: _refusal(answer, series) for i, answer in answers.items()}
        at = next((i for i, why in refusals.items() if not why), 0)
        values = found[at]
        if at:
            others = tuple(other for i, other in enumerate(found) if i != at)
            solution = replace(solution, values=values, facts=problem.facts(values), others=others,
                               says=told(problem, values))
        compared = series in problem.kind.answers().series()
        promised = answers[at].guarantee(series) if solution.met and compared else None
        return cls(series, problem, solution, _few(problem, values, solution.met), refusals.get(at, ""),
                   promised.delta if promised else 0.0)

    @property
    def values(self) -> Mapping[str, Value]:
        """What would be taken, to the last digit."""
        return self.solution.values

    @property
    def does(self) -> bool:
        """Whether it does what is wanted, and may."""
        return self.solution.met and not self.refused

    @property
    def study(self) -> Study:
        """The study with what would be taken."""
        return self.problem.kind(**{**self.problem.explicit, **self.values})

    @property
    def says(self) -> str:
        """What it comes to, in sentences that are true of the values."""
        return self.solution.says

    @property
    def words(self) -> str:
        """“ε = 0.0157”: what would be set, as it is shown."""
        symbols = (axis.parameter.quantity.symbol for axis in self.problem.axes)
        return ", ".join(f"{symbol} = {text}" for symbol, text in zip(symbols, self.texts, strict=True))

    @property
    def texts(self) -> tuple[str, ...]:
        """The values as they are shown, in the order of what was solved for."""
        return tuple(write_number(self.few[axis.name]) for axis in self.problem.axes)


def offered(kind: type[Study], explicit: Mapping[str, Value], wants: Sequence[Want], names: Sequence[str],
          among: Iterable[Series | None], between: Mapping[str, Span] | None = None) -> Iterator[Offer]:
    """What each of some series takes, one after the other; raises InvalidParameter for what no study can be asked."""
    for series in among:
        own = [of_series(kind, want, series) for want in wants]
        problem = Problem.of(kind, explicit, own, names, between or {})
        yield Offer.of(series, problem, solved(problem))


def ranked(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Those that do it first, by the end of the parameter that is preferred; equal as they are shown, as declared.

    Privacy is ε and δ: of what takes at most a fiftieth more than the least ε, that comes first which spends less δ.
    Of ceilings on what is spent the one that lets most be spent comes first: it is asked how much may be.
    """
    def key(offer: Offer) -> tuple[float, int]:
        return offer.spent, place_of(offer.problem.kind.answers(), offer.series)

    every = sorted(offers, key=key)
    left, found = [each for each in every if each.does], list[Offer]()
    while left:
        least = min(map(_taken, left))
        found.append(next(each for each in left if _taken(each) == least or _alike(each, least)))
        left.remove(found[-1])
    return *found, *(each for each in every if not each.does)


def _taken(offer: Offer) -> tuple[float, ...]:
    """What it takes as it is shown, the less the better."""
    way = -1 if offer.problem.limits else 1
    return tuple(way * axis.way * offer.few[axis.name] for axis in offer.problem.axes)


def _alike(offer: Offer, least: tuple[float, ...]) -> bool:
    """Whether it takes hardly more of what privacy hangs on."""
    first, taken = offer.problem.axes[0], _taken(offer)
    return "more private" in first.parameter.ends and taken[1:] == least[1:] and taken[0] <= least[0] * (1 + ALIKE)


def order_told(problem: Problem) -> str:
    """“the most private first”: how answers are ranked."""
    axis = problem.axes[0]
    if not axis.way:
        return phrase("in the order of the study")
    return phrase("what may spend most first") if problem.limits else phrase(
        "{best} first", best=phrase(PREFERRED[axis.better]))


def _few(problem: Problem, values: Mapping[str, Value], met: bool) -> Mapping[str, float | int]:
    found: dict[str, float | int] = {}
    for axis in problem.axes:
        number, few = values[axis.name], in_digits(values, axis, problem.holds, FEW) if met else values
        if few is values and isinstance(number, float) and not (met and problem.sided):
            few = {**values, axis.name: as_number(short(number))}  # it does it there alone
        found[axis.name] = few[axis.name]  # type: ignore[assignment]
        values = few
    return found


def _refusal(answer: Answer[Any, Any, Any], series: Series | None) -> str:
    """Why a series may not be decided for there; empty where it may, or is none that can be decided for."""
    if series is None or series not in answer.choosable():
        return ""
    if not answer.same_unit(series):
        promised = answer.guarantee(series)
        return phrase("protects {unit}", unit=phrase(promised.relation.unit)) if promised else ""
    return answer.spends(series)
