"""What somebody most likely wants of a fact: which way it shall lie to which value, by changing which parameter."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.results import Fact
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.solve.problem import solvable
from dpstudio.core.solve.want import REMAINING, Relation
from dpstudio.core.study import Study
from dpstudio.gui.facts.model import Place
from dpstudio.vocabulary import Interval, Quantity, Value, reals

WELCOME = frozenset({
    v.ACCEPTANCE, v.ACCEPTANCE_AT_MINIMUM, v.HALF_MET, v.SLACK, v.WITHIN_MARGIN, v.YES_IF_YES, v.COVERAGE, v.DESERVED,
    v.RECOMMENDED, v.TAKEN, v.SURE_NO, v.POLICY_UTILITY, v.UTILITY_ACTING, v.UTILITY_BEST, v.UTILITY_WAITING, v.GAP,
    v.RIGHT, v.BREAKEVEN_COST, *REMAINING})
"""Of which more is better; of all else, less is."""
DRAWN_AS = {v.BAND_STEPS: v.BAND_WIDTH, v.ERROR_AT_N: v.ERROR, v.GROUP_ERROR: v.ERROR_SD,
            v.POPULATION_ERROR: v.ERROR_SD, v.UTILITY_ACTING: v.UTILITY, v.UTILITY_WAITING: v.UTILITY,
            v.POLICY_UTILITY: v.UTILITY, v.WORST_SD: v.RUNNING_SD, v.GUARANTEE_EPSILON: v.EPSILON,
            v.GUARANTEE_DELTA: v.DELTA}
"""What pictures call a fact: where its values lie on an axis."""
DECADES = 2
"""Powers of ten on either side of the present value that a slider of wanted values covers."""
LOOKED = (0.2, 0.8)
"""Parts of a slider at which is looked whether a parameter changes a fact."""


def relation_for(quantity: Quantity) -> Relation:
    """At least for what is welcome, at most for errors, widths and what privacy costs."""
    return ">=" if quantity in WELCOME else "<="


def drawn_as(quantity: Quantity) -> frozenset[Quantity]:
    """What axes and curves may call a fact."""
    return frozenset({quantity, DRAWN_AS.get(quantity, quantity)})


def on_pictures(kind: type[Study], quantity: Quantity) -> bool:
    """Whether a picture that is seen first has its values on an axis, where its line can be dragged."""
    first, names = (kind.level_one.large, *kind.level_one.beside), drawn_as(quantity)
    return any(names & {figure.x.quantity, figure.y.quantity} for figure in map(kind.figure, first))


def wanted(name: str, quantity: Quantity, present: float | None) -> Parameter:
    """What is wanted of a quantity, as an entry and a slider around its present value take it."""
    domain = quantity.domain if isinstance(quantity.domain, Interval) else reals()
    domain = replace(domain, integer=False)
    now = present if present is not None and math.isfinite(present) else math.nan
    endless = math.isinf(domain.high) or quantity.scale == "log"
    log = domain.low >= 0 and now > 0 and (endless or now < 0.02)
    if log:
        power = math.floor(math.log10(now))
        shown = 10.0 ** max(power - DECADES, -300), 10.0 ** min(power + 1 + DECADES, 300)
    else:
        reach = 10.0 ** math.ceil(math.log10(abs(now))) if abs(now) > 0 else 1.0
        shown = -reach if domain.low < 0 else 0.0, reach
    shown = max(shown[0], domain.low), min(shown[1], domain.high)
    words = quantity.label.split()[0]  # so that a refusal calls it by its label alone
    role = v.variant(quantity, scale="log" if log else "linear", symbol=words)
    return Parameter(name, role, domain, shown=shown if shown[0] < shown[1] else None)


def goals(study: Study) -> tuple[list[Parameter], list[Parameter]]:
    """The same as they are offered: those of level one as they are read, what privacy hangs on before the others, then
    the rest."""
    every, first = solvable(study), study.level_one.parameters
    seen = [each for each in every if each.name in first]
    return sorted(seen, key=lambda each: ("more private" not in each.ends, first.index(each.name))), [
        each for each in every if each not in seen]


def moving(kind: type[Study], explicit: Mapping[str, Value], places: list[Place]) -> Iterator[str]:
    """The parameters that change any of these facts, the likeliest first."""
    study = kind(**explicit)

    def facts(values: Mapping[str, Value]) -> list[tuple[float, float | None] | None]:
        try:
            answer = kind(**{**explicit, **values}).answer()
            found = [answer.fact(*place) for place in places]
            return [None if fact is None else (fact.value, fact.high) for fact in found]
        except InvalidParameter:  # these values do not go together
            return []

    present = facts({})
    for parameter in solvable(study):
        brought = parameter.brings(study.values())
        others = (facts({**brought, parameter.name: value}) for value in _elsewhere(parameter))
        if any(other and repr(other) != repr(present) for other in others):
            yield parameter.name


def at_once(answer: Answer[Any, Any, Any], place: Place) -> Fact | None:
    """A fact; None where there is none, or it takes longer than anybody waits."""
    with hurried(), suppress(NotYet, InvalidParameter):
        return answer.fact(*place)
    return None


def _elsewhere(parameter: Parameter) -> Iterator[float]:
    """Some of its usual values."""
    assert isinstance(parameter.domain, Interval)
    low, high = parameter.range or (0.0, 1.0)
    for way in LOOKED:
        log = parameter.quantity.scale == "log" and low > 0
        yield parameter.domain.nearest(low * (high / low) ** way if log else low + way * (high - low))
