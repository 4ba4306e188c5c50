"""Answers made of given numbers, for tests of what shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, lru_cache

import pytest

from dpstudio.core.answer import Answer
from dpstudio.core.facts import Said, once, table
from dpstudio.core.frontier import ahead, curves
from dpstudio.core.results import Fact, Span, Table
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.study import Study
from dpstudio.core.update import Update


@dataclass(frozen=True)
class Asked(Study):
    """A question without parameters."""

    key = "asked"
    title = "Asked"
    question = "What was given?"
    pictures = ()


def _fact(one: Fact):
    """A fact that says what was given."""
    said = Said(one.value, one.how, one.source, one.kind, one.low, one.high)
    return once(one.quantity, lambda _: said, at_least=one.at_least, series=one.series)


def given(tables: Mapping[str, Table], facts: Iterable[Fact] = (), verdicts: Iterable[str] = (),
          windows: Mapping[str, Span] | None = None, study: Study | None = None) -> Update:
    """An update of these tables, facts and sentences, as if a study had computed them."""
    sentences = tuple(verdicts)

    class Given(Answer):
        declared = {"the answer": tuple(map(_fact, facts))}
        tabled = {name: table(lambda _, __, made=made: made, (windows or {}).get(name) or _ends(made))
                  for name, made in tables.items()}

        def sentences(self, seen: object = None) -> Iterator[str]:
            return iter(sentences)

    return Update(Given(study or Asked()))


def _ends(made: Table) -> Span:
    x = next(iter(made.values()))
    return (float(x[0]), float(x[-1])) if len(x) else (0.0, 1.0)


def at_hand(update, name):
    """A table of an update as whoever must not wait for it finds it: None where there is none yet."""
    with hurried(), suppress(NotYet):
        return update.tables.get(name)


@cache
def _curves(fine, most):
    """Kept from one test to the next, apart from curves of more points."""
    return lru_cache(maxsize=curves.KEPT)(curves.Curves)


@contextmanager
def few_points(fine=8, most=12):
    """Frontiers have curves of few points."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "FINE", fine)
        patch.setattr(curves, "MOST", most)
        patch.setattr(curves, "_kept", _curves(fine, most))
        yield


@contextmanager
def few_attacks():
    """Attacks on the people of *Neighbours* are a hundred at most: they take as long as hundreds of its releases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpstudio.studies.neighbours.answer.MOST_ATTACKED", 100)
        yield


@contextmanager
def rough_frontiers():
    """Frontiers have curves of few points, and where someone is ahead is found to a tenth."""
    with few_points(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(ahead, "CLOSE", 0.1)
        patch.setattr(ahead, "SPENT", 1e-3)
        yield
