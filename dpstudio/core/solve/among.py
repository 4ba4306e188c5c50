"""Of whom something is wanted: which series have the facts, which of them are asked, and in which order they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.results import Series
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study


def having(answer: Answer[Any, Any, Any], keys: Sequence[str]) -> tuple[Series, ...]:
    """Everything at these settings that has all these facts, those of no series left aside."""
    index, compared, chosen = answer.index(), answer.series(), answer.chosen
    own = [key for key in keys if (key, None) not in index]
    named = _named(type(answer))  # type: ignore[arg-type]  # mypy compares the hash of instances
    there = (each for each in named if each in chosen or each not in compared)
    return tuple(each for each in there if own and all(
        (key, each.key) in index and not index[key, each.key].simulated for key in own))


def candidates(answer: Answer[Any, Any, Any], keys: Sequence[str], first: Sequence[Series]
               ) -> tuple[Series | None, ...]:
    """Whom the question is put to: all that have these facts at these settings and may be decided for.

    Of what is seen `first`, where any of that has them. What cannot be decided for is asked where nothing else can,
    and None, for the question as a whole, where no fact is of any series.
    """
    every = having(answer, keys)
    seen = [each for each in every if each in first] or every
    return tuple([each for each in seen if each in answer.choosable()] or seen) or (None,)


def of_series(kind: type[Study], want: Want, series: Series | None) -> Want:
    """The same want of a series, or as it is where it is of one already, or of the question as a whole."""
    return want if want.settled(kind) else replace(want, series=series.key if series else None)


def place_of(kind: type[Answer[Any, Any, Any]], series: Series | None) -> int:
    """Where a series stands among all that the facts of a study are of, the plainer first."""
    return _named(kind).index(series) if series else 0  # type: ignore[arg-type]  # as above


@cache
def _named(kind: type[Answer[Any, Any, Any]]) -> tuple[Series, ...]:
    """All that facts are of: what is compared, and what is not and has facts of its own."""
    own = (declared.series for declared in kind.index().values())
    return tuple(dict.fromkeys((*kind.series(), *(each for each in own if each is not None))))
