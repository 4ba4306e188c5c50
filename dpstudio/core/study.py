"""A study: one question, its parameters, its pictures, and the answer that follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from dpstudio.core import risk_figures
from dpstudio.core.answer import Answer
from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Figure, expanded
from dpstudio.core.formula import Formula
from dpstudio.core.frontier import figure as frontier
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import RECORD, Guarantee, Relation
from dpstudio.core.level import MOST_FACTS, MOST_PARAMETERS, Door, LevelOne
from dpstudio.core.results import Fact, Series, Span, fact_name, fact_place
from dpstudio.core.slow import still_awaited
from dpstudio.core.update import Update
from dpstudio.records import dataclass
from dpstudio.vocabulary import Quantity, Value


@dataclass(frozen=True, slots=True)
class Preset:
    """Named values of some parameters; the others take their defaults."""

    key: str
    title: str
    sentence: str
    values: Mapping[str, Value] = field(default_factory=dict)


class _Figures:
    """The pictures of a study with a curve for each thing that it compares."""

    def __get__(self, study: Study | None, kind: type[Study]) -> tuple[Figure, ...]:
        return _drawn(kind)  # type: ignore[arg-type]  # mypy compares the hash of instances


class _First:
    """What is seen first of a study that does not say it: what it declares first."""

    def __get__(self, study: Study | None, kind: type[Study]) -> LevelOne:
        return _foremost(kind)  # type: ignore[arg-type]  # mypy compares the hash of instances


@dataclass(frozen=True)
class Study(Attacker):
    """A question about what privacy costs; a frozen dataclass whose fields are declared parameters.

    Behind its own stand those of the attacker whom it faces, by name alone.
    """

    if TYPE_CHECKING:  # which fields a study has is not known before it is
        def __init__(self, *given: Any, **named: Any) -> None: ...

    key: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    neighbours: ClassVar[Relation] = RECORD
    """The neighbouring relation and the unit of privacy at all settings; `relation` may depend on them."""
    asked: ClassVar[tuple[str, str] | None] = ("epsilon", "delta")
    """The parameters that say which ε and δ a release is to keep, without the second δ = 0; None where none do."""
    several: ClassVar[bool] = False
    """Whether these are of many releases together, which an account may find to need less."""
    size: ClassVar[str] = ""
    """The parameter of a number of people or records, to whose inverse δ is compared; empty where there is none."""
    pictures: ClassVar[tuple[Figure, ...]]
    """The figures as they are declared; a layer of EACH stands for one of everything that is compared."""
    retired: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Figures that it had once, by key: the one that is shown where a session names one of them."""
    outcomes: ClassVar[tuple[Outcome, ...]] = ()
    """What privacy makes worse: each has a picture of it against privacy beside the first one."""
    figures = _Figures()
    presets: ClassVar[tuple[Preset, ...]] = ()
    level_one = _First()
    """What is seen first: a `LevelOne`."""
    door: ClassVar[Door | None] = None
    """The question of people that leads here from the first page; None where another study leads here."""

    @property
    def relation(self) -> Relation:
        """The neighbouring relation and the unit of privacy, which every picture and export names."""
        return self.neighbours

    @property
    def allowed(self) -> tuple[float, float] | None:
        """The ε and δ that a release is to keep; None where no parameters say them."""
        if self.asked is None:
            return None
        values = self.values()
        epsilon, delta = (float(values.get(name) or 0.0) for name in self.asked)
        return epsilon, delta

    @classmethod
    def answers(cls) -> type[Answer[Any, Any, Any]]:
        """The class of its answers: `DecisionAnswer` of `Decision`, in the module `answer` beside it.

        It is read when it is first needed: a list of studies costs next to nothing.
        """
        return _answers(cls)  # type: ignore[arg-type]  # mypy compares the hash of instances

    @classmethod
    def formulas(cls) -> tuple[Formula, ...]:
        """The formulas that its reports show, in reading order: FORMULAS of the module `formulas` beside it, if any."""
        name = f"{cls.__module__}.formulas"
        found: tuple[Formula, ...] = import_module(name).FORMULAS if find_spec(name) else ()
        return found

    def answer(self) -> Answer[Any, Any, Any]:
        """All that the study knows at these settings, nothing of it computed yet."""
        return self.answers()(self)

    def run(self, views: Mapping[str, Span] | None = None, *, simulate: bool = True) -> Iterator[Update]:
        """The exact answer, then the same with ever more draws.

        `views` gives, for a table, the range of its first column to sample; without it the study chooses.
        The generator knows no thread, flag or callback: to cancel is not to ask for the next update.
        """
        found = self.answer()
        yield (update := Update(found, views))
        if simulate:
            for seen, done in found.simulate({**update.windows, **update.views}):
                if seen is not None:
                    update = Update(found, views, seen, done)
                elif done != update.done:
                    update = update.further(done)
                yield update  # complete, if not new: here it can be left

    @classmethod
    def figure(cls, key: str) -> Figure:
        """The figure of that key; a KeyError says there is none."""
        return {figure.key: figure for figure in cls.figures}[key]


@cache
def _answers(kind: type[Study]) -> type[Answer[Any, Any, Any]]:
    found: type[Answer[Any, Any, Any]] = getattr(import_module(f"{kind.__module__}.answer"), f"{kind.__name__}Answer")
    found.tabled = {**found.tabled, **frontier.tables(kind, found), **risk_figures.tables(kind, found)}
    return found


@cache
def _foremost(kind: type[Study]) -> LevelOne:
    figures = (*(figure.key for figure in kind.pictures),
               *(frontier.key_of(kind.outcomes, outcome) for outcome in kind.outcomes))
    plain = tuple(each.name for each in kind.parameters() if not each.group)
    index = kind.answers().index().values()
    quantities = tuple(dict.fromkeys(declared.quantity for declared in index))
    exact = dict.fromkeys(declared.quantity for declared in index if not declared.simulated)
    wanted = next((each.quantity for each in kind.outcomes if each.quantity in exact), next(iter(exact)))
    return LevelOne(plain[:MOST_PARAMETERS], quantities[:MOST_FACTS], tuple(kind.answers().series()), figures[0],
                    figures[1:], wanted=wanted)


@cache
def _drawn(kind: type[Study]) -> tuple[Figure, ...]:
    return expanded((*kind.pictures, *frontier.figures(kind), *risk_figures.figures(kind)), kind.answers().series())


def answer(study: Study, *, simulate: bool = True, views: Mapping[str, Span] | None = None) -> Update:
    """The last answer of a study: all that is exact, and what was simulated unless that is not asked for.

    `views` are those of `Study.run`.
    """
    for update in study.run(views, simulate=simulate):  # noqa: B007 - the last one is the answer
        still_awaited()
    return update


def guarantees(study: Study) -> dict[str | None, Guarantee]:
    """What each series of a study promises at these settings, by its key; None: the study's one release.

    A series that promises nothing is not among them.
    """
    return {series.key if series else None: each for series, each in study.answer().guarantees.items()}


def fact(study: Study, quantity: Quantity | str, series: Series | str | None = None) -> Fact:
    """One exact fact, computed alone; raises InvalidParameter where there is none, saying why."""
    found = study.answer().fact(quantity, series)
    if found is None:
        raise InvalidParameter("fact", "one that these settings have without a simulation",
                               fact_name(*fact_place(quantity, series)))
    return found
