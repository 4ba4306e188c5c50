"""The risk profile as a picture: what was held likely before against what it may come to, below the caps.

Every study has it, beside its first picture; the caps are typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.facts import Tabled, table
from dpstudio.core.figure import Axis, Dots, Figure, Line
from dpstudio.core.profile.kept import caps_of, kept_of, summary
from dpstudio.core.results import Column, Series, Span, Table

KEY = "risk_profile"
_POINTS = 121
_LEAST, _MOST = 1e-3, 0.9
"""The priors that are shown, where no cap lies beyond."""
_X = Column(v.HELD_BEFORE)
_CAP = Series("cap", "Caps")
_CAPPED = Column(v.variant(v.HELD_BEFORE, key="capped_before")), Column(v.CAPPED_BELIEF, _CAP)


def figures(kind: type[Any]) -> tuple[Figure, ...]:
    """The picture, with a curve for each series that may be decided for, or of the study's one release."""
    curves = tuple(Line(_X, Column(v.CAPPED_BELIEF, one)) for one in _whose(kind.answers()))
    return (Figure(KEY, "Belief against the caps", KEY, Axis(v.HELD_BEFORE, "log"),
                   Axis(v.CAPPED_BELIEF, "log"), (*curves, Dots(*_CAPPED)), panel=kind.pictures[0].place,
                   caption="The most that an answer makes of what was held likely. Dots: the caps.",
                   empty="No caps are set: type some, such as 0.01:0.05, 0.1:0.3",
                   told=summary),)


def tables(answers: type[Answer[Any, Any, Any]]) -> dict[str, Tabled[Any, Any]]:
    """The table behind it."""
    whose = _whose(answers)
    return {KEY: table(lambda a, view: _beliefs(a, view, whose), _view, aside=True)}


def _whose(answers: type[Answer[Any, Any, Any]]) -> tuple[Series | None, ...]:
    return answers.choosable() if answers.guarantees is Answer.guarantees else (None,)


def _view(a: Answer[Any, Any, Any]) -> Span:
    priors = [cap.prior for cap in caps_of(a.study)]
    return min((_LEAST, *(prior / 2 for prior in priors))), max((_MOST, *((1 + prior) / 2 for prior in priors)))


def _beliefs(a: Answer[Any, Any, Any], view: Span, whose: tuple[Series | None, ...]) -> Table:
    """The belief that answers lead to, but for the exception, from each prior; the caps in the first rows and on."""
    caps = caps_of(a.study)
    if not caps:
        return Table({})
    low, high = max(view[0], 1e-300), min(view[1], 1 - 1e-16)
    priors = np.geomspace(low, high, _POINTS)
    found = {_X: priors}
    for one in whose:
        if (kept := kept_of(a, one)) is not None:
            found[Column(v.CAPPED_BELIEF, one)] = np.array([kept.belief(float(prior)) for prior in priors])
    before, after = _CAPPED
    dots: Mapping[Column, list[float]] = {before: [cap.prior for cap in caps], after: [cap.most for cap in caps]}
    return Table({**found, **{column: np.array([*values, *[values[-1]] * (_POINTS - len(values))])
                              for column, values in dots.items()}})
