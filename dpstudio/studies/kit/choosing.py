"""Which of the things that a study compares is recommended, and how a headline says so.

Only what keeps the study's ε and δ competes, and only what protects the same unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from dpstudio.core.answer import Answer
from dpstudio.core.results import ALIKE, Series
from dpstudio.core.sentence import Fillings, Sentence, part, sentence
from dpstudio.text.language import tr
from dpstudio.vocabulary import Quantity

AnyAnswer: TypeAlias = Answer[Any, Any, Any]


SAME = 1e-6
"""Part of a δ by which others are the same: what all of them were made to spend differs by rounding."""


def competing(a: AnyAnswer, among: Iterable[Series]) -> tuple[Series, ...]:
    """Those of some series that are there, keep the study's ε and δ, and protect its unit, in their order."""
    return tuple(each for each in among if a.one(each) is not None and a.allowed(each) and a.same_unit(each))


def ranked(a: AnyAnswer, quantity: Quantity, among: Iterable[Series], least: float = 0.0, step: float = 0.0
           ) -> tuple[Series, ...]:
    """What competes, best first: the least of an outcome that is to be small, all below `least` being alike.

    Of what is within ALIKE of the best, or within a step where outcomes go by such, first what spends less δ, then what
    is declared first. Those come behind that have no number. What is known by a bound alone is never ranked behind an
    exact value, for it may be better than it says: there it is left out.
    """
    left = list(competing(a, among))
    places = {series: i for i, series in enumerate(left)}
    found: list[Series] = []
    while left:
        best = max(min(_outcome(a, quantity, each) for each in left), least)
        near = [each for each in left if _outcome(a, quantity, each) <= max(best * (1 + ALIKE), best + step)]
        enough = min(_spent(a, each) for each in near) * (1 + SAME)
        found.append(min((each for each in near if _spent(a, each) <= enough), key=lambda each: places[each]))
        left.remove(found[-1])
    exact = next((_outcome(a, quantity, each) for each in found if not _bounded(a, quantity, each)), math.inf)
    return tuple(each for each in found if not _bounded(a, quantity, each)
                 or _outcome(a, quantity, each) <= max(exact, least) * (1 + ALIKE))


def spoken_of(a: AnyAnswer, recommended: Series) -> Series:
    """What the sentences speak of: what a person decided for, else what is recommended."""
    return a.decided or recommended


def _outcome(a: AnyAnswer, quantity: Quantity, series: Series) -> float:
    fact = a.fact(quantity, series)
    return math.inf if fact is None or math.isnan(fact.value) else fact.value


def _bounded(a: AnyAnswer, quantity: Quantity, series: Series) -> bool:
    fact = a.fact(quantity, series)
    return fact is not None and fact.kind == "bound"


def _spent(a: AnyAnswer, series: Series) -> float:
    promised = a.guarantee(series)
    return 0.0 if promised is None else promised.delta


def _refused(a: AnyAnswer) -> bool:
    return a.decided is not None and not a.allowed(a.decided)


def _name(a: AnyAnswer) -> str:
    assert a.decided is not None
    return tr(a.decided.label)


def _spends(a: AnyAnswer) -> str:
    assert a.decided is not None
    return a.spends(a.decided)


NO_LONGER_ALLOWED: Sentence[Any, Any] = sentence(
    "no_longer_allowed", "No longer allowed: {name} {spends}. Choose another, or allow more.", when=_refused,
    name=_name, spends=_spends)
"""The headline where what was decided for does not keep the study's ε and δ: the first of a headline's alternatives."""
def role(suggested: Callable[[Any], bool]) -> tuple[Sentence[Any, Any], ...]:
    """What comes second is called so, or, where something else was chosen, what is suggested."""
    return part("Suggested", when=suggested), part("Runner-up")


USE: Fillings = {"use": (part("You chose", when=lambda a: a.decided is not None), part("Use"))}
"""How a headline begins: “{use} {best}: …”, where {best} is what the sentences speak of."""
