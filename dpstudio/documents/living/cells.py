"""What each setting of the sliders has: the numbers that `compute` writes, the sentence, and the scene."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Band, Dots, Figure, Line
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Column, Fact, FactPlace, Series, Span, Table
from dpstudio.core.study import Study, answer
from dpstudio.core.sweep import Over, Plan, read_over, size_of
from dpstudio.core.update import Update
from dpstudio.documents import words
from dpstudio.documents.session import Session
from dpstudio.documents.tables import columns_of
from dpstudio.records import cached_property, dataclass
from dpstudio.scene.scene import Pinned, Scene, resolve
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, grouped
from dpstudio.vocabulary import Quantity, Value

MOST_CELLS = 2_500
"""Settings of one page: as many as two sliders of fifty values have."""


@dataclass(frozen=True)
class Living:
    """A picture of the study in view, and the values through which its sliders go."""

    session: Session
    figure: Figure
    over: tuple[Over, ...]

    @property
    def study(self) -> Study:
        """At the settings of the session."""
        return self.session.study

    @cached_property
    def simulated(self) -> bool:
        """Whether the picture shows draws: then everything is as `compute` has it with them, and else without."""
        return self.study.answers().tabled[self.figure.table].drawn is not None

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """Whose facts are told: what is seen first and what was decided for, unless it has none or somebody hid it."""
        kind, state = type(self.study), self.session.state()
        told = {series for (_, series), each in kind.answers().index().items() if each.quantity in kind.level_one.facts}
        chosen = [each for each in kind.answers().series() if each.key == state.chosen]
        return tuple(each for each in dict.fromkeys((*kind.level_one.series, *chosen))
                     if each.key in told - state.hidden)

    @cached_property
    def plan(self) -> Plan:
        """The sweep whose cells these are, of the facts that are seen first."""
        kind = type(self.study)
        first, whose = kind.level_one.facts, {None, *(each.key for each in self.series)}
        facts = [place for place, each in kind.answers().index().items() if each.quantity in first
                 and place[1] in whose and (self.simulated or not each.simulated)]
        rank = {quantity.key: i for i, quantity in enumerate(first)}
        facts.sort(key=lambda place: rank[place[0]])
        return Plan(self.study, self.over, tuple(facts), self.simulated, tuple(self.session.explicit))

    def check(self) -> None:
        """Raises InvalidParameter for what no page can have, and ValueError for a count that is said to be left out."""
        words.check_left_out(self.study, self.session.data)
        for pin in self.session.state().pins:
            words.check_left_out(pin.study, pin.origin)
        if not self.figure.has_axes:
            raise InvalidParameter("figure", "a picture with axes, for a living page", self.figure.key)
        self.plan.check()
        check_cells(self.plan.total)

    @property
    def nearest(self) -> tuple[int, ...]:
        """Where the sliders stand to begin with: the values that are nearest to those of the session."""
        return tuple(_nearest(over.values, getattr(self.study, over.name)) for over in self.over)


def swept(kind: type[Study], texts: Sequence[str]) -> tuple[Over, ...]:
    """The values of each slider, as the command line has them; raises InvalidParameter."""
    check_cells(math.prod(map(size_of, texts)))
    return tuple(read_over(kind, text) for text in texts)


def check_cells(number: int) -> None:
    """Raises InvalidParameter where there are too many of them."""
    if number > MOST_CELLS:
        raise InvalidParameter("over", f"so few values that a living page has at most {grouped(MOST_CELLS)} settings",
                               number)


def _nearest(values: Sequence[Value], value: Value) -> int:
    if value in values:
        return values.index(value)
    if isinstance(value, str) or isinstance(values[0], str) or value is None:
        return 0
    return min(range(len(values)), key=lambda i: abs(values[i] - value))  # type: ignore[operator]  # all are numbers


@dataclass(frozen=True, slots=True, eq=False)
class LivingCell:
    """One setting of the sliders; where the study refuses it, why, and nothing else."""

    study: Study | None
    headline: str = ""
    facts: tuple[Fact, ...] = ()
    columns: Mapping[Column, Any] | None = None
    """The columns that the picture draws, as `compute` writes them."""
    scene: Scene | None = None


class _Gone:
    """In the place of an answer that was drawn: a page of many cells holds none of them."""

    tables: Mapping[str, Table] = {}
    windows: Mapping[str, Span] = {}
    promises: tuple[Guarantee, ...] = ()

    def fact(self, quantity: Quantity, series: Series | None = None, /) -> Fact | None:  # noqa: ARG002
        return None


def stretch(living: Living) -> Iterator[Span | None]:
    """The stretch of the x axis that holds what is worth seeing in every cell, as far as they were looked at."""
    found: Span | None = None
    for i in range(living.plan.total):
        try:
            low, high = _study(living, i).answer().view(living.figure.table)
        except InvalidParameter:
            pass
        else:
            found = (float(low), float(high)) if found is None else (min(found[0], low), max(found[1], high))
        yield found


def cell(living: Living, i: int, seen: Span, pins: Sequence[Pinned]) -> LivingCell:
    """What there is in cell i, drawn over that stretch of the x axis."""
    figure, state = living.figure, living.session.state()
    try:
        study = _study(living, i)
        update = answer(study, simulate=living.simulated).deciding(state.chosen)
        table = update.tables[figure.table]
        facts = facts_of(update, living.plan.facts)
        headline = powered(next(iter(update.verdicts), ""))
        scene = _scene(figure, update, study, seen, state.unseen(figure), pins)
    except InvalidParameter as refusal:
        return LivingCell(None, f"{begun(str(refusal))}.")
    return LivingCell(study, headline, facts, {each: table[each] for each in columns_of(figure, table)}, scene)


def facts_of(update: Update, places: Sequence[FactPlace]) -> tuple[Fact, ...]:
    """These facts, as far as they apply."""
    return tuple(filter(None, (update.fact(*place) for place in places)))


def _study(living: Living, i: int) -> Study:
    return type(living.study)(**{**living.plan.base, **living.plan.cell(i)})


def _scene(figure: Figure, update: Update, study: Study, seen: Span, hidden: frozenset[str],
           pins: Sequence[Pinned]) -> Scene:
    """The picture over a stretch of x; what is drawn at random stays where `compute` has it."""
    parameters = {each.name: each for each in study.parameters()}
    scene = resolve(figure, update, study.values(), parameters, view=seen, hidden=hidden, pins=pins)
    declared = update.answer.table_declared(figure.table)
    if declared.make is not None and tuple(update.windows[figure.table]) != seen:
        wide = resolve(figure, Update(update.answer, {figure.table: seen}), study.values(), parameters, view=seen,
                       hidden=hidden)
        parts = tuple(other if other.present and isinstance(other.layer, Line | Band | Dots) else own
                      for own, other in zip(scene.parts, wide.parts, strict=True))
        y = min(scene.y[0], wide.y[0]), max(scene.y[1], wide.y[1])
        scene = replace(scene, parts=parts, y=y, blank=scene.blank and wide.blank)
    return replace(scene, update=_Gone())

