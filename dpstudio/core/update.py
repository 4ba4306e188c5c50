"""An answer on its way: what of it is there already, what somebody looks at, and how far its simulation has come."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Fact, FactPlace, Series, Span, Table, fact_place
from dpstudio.core.risk import GROUP as RISK
from dpstudio.core.slow import NotYet, Wanted, hurried, in_a_hurry
from dpstudio.vocabulary import Quantity


class Update:
    """An answer through certain views, with how far its simulation has come: complete in itself.

    It has what outside programs read: `facts`, `tables` by name, `verdicts`. Raises InvalidParameter for a view of no
    table, or one that is not two finite numbers, the lower first.
    """

    def __init__(self, answer: Answer[Any, Any, Any], views: Mapping[str, Span] | None = None, seen: object = None,
                 done: int = 0) -> None:
        self.answer, self.seen, self.done = answer, seen, done
        self.views = {name: _ordered(answer, name, view) for name, view in (views or {}).items()}
        self._drawn: dict[Any, Any] = {}
        self._said: tuple[str, ...] = ()

    def further(self, done: int) -> Update:
        """The same after more draws that changed nothing but their number."""
        found = copy(self)
        found.done = done
        return found

    def deciding(self, series: Series | str | None) -> Update:
        """The same, spoken of as whoever decided for a series reads it."""
        answer = self.answer.deciding(series)
        if answer is self.answer:
            return self
        found = copy(self)
        found.answer, found._said = answer, ()
        found._drawn = {place: each for place, each in self._drawn.items() if place != "sentences"}
        return found

    @property
    def study(self) -> Any:
        """The study answered."""
        return self.answer.study

    @property
    def promises(self) -> tuple[Guarantee, ...]:
        """What is promised at these settings, of each thing that is compared or of the one release."""
        if "promises" not in self.answer.kept:
            self.answer.kept["promises"] = tuple(self.answer.guarantees.values())
        found: tuple[Guarantee, ...] = self.answer.kept["promises"]
        return found

    @property
    def total(self) -> int:
        return self.answer.total

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Every fact, in the order in which people read them."""
        found = (self.fact(key, of) for key, of in self.answer.keys_asked())
        return tuple(each for each in found if each is not None)

    def fact(self, quantity: Quantity | str, series: Series | str | None = None) -> Fact | None:
        """One fact; None where it does not apply or waits for draws."""
        if self.seen is None:
            return self.answer.fact(quantity, series)
        key = fact_place(quantity, series)
        if key not in self._drawn:
            self._drawn[key] = self.answer.fact(quantity, series, self.seen)
        return self._drawn[key]  # type: ignore[no-any-return]

    def standing(self, keys: Collection[str] | None = None) -> tuple[tuple[Fact, ...], frozenset[FactPlace]]:
        """The facts that are known, and where those stand, by keys of quantity and series, that are still under way.

        Of quantities with these keys alone, where they are given.
        """
        facts: list[Fact] = []
        pending: set[FactPlace] = set()
        waiting = self.seen is None and self.total > 0
        for place, declared in self.answer.index().items():
            if keys is not None and place[0] not in keys:
                continue
            if declared.group == RISK and not self.answer.feared:
                continue  # there is none, now and later
            # What draws have come to is no more than a division.
            if not (declared.simulated or self.answer.known(*place)):
                pending.add(place)
            elif (fact := self.fact(*place)) is not None:
                facts.append(fact)
            elif declared.simulated and waiting:
                pending.add(place)
        return tuple(facts), frozenset(pending)

    def prepare(self, wanted: Wanted, *, hurry: bool = False) -> Iterator[None]:
        """Compute what somebody looks at, in steps between which it can be left.

        In a hurry what takes longer is left out: tables and facts that have it, and sentences from the first on that
        tells of it.
        """
        index = self.answer.index()
        for name in wanted.tables:
            self.answer.view(name)
        jobs: list[tuple[tuple[Any, ...], Callable[[], object]]] = [
            (self.answer.slow(name, self.views.get(name)), partial(self.tables.get, name)) for name in wanted.tables]
        jobs += [((each.slow,) if each.slow else (), partial(self.fact, *place)) for place, each in index.items()
                 if place in wanted.facts]
        for work, make in jobs:
            if work and not hurry:
                yield from (None for _ in self.answer.work(*work))
            with hurried(hurry), suppress(NotYet):
                make()
            yield None
        if not hurry:
            for slow in dict.fromkeys(each.slow for each in index.values() if each.slow and wanted.sentences):
                yield from (None for _ in self.answer.work(slow))
        yield from self._say(wanted.sentences, hurry=hurry)

    def _say(self, most: int, *, hurry: bool) -> Iterator[None]:
        """Sentence by sentence, as many as are wanted and can be had."""
        if "sentences" in self._drawn or not most:
            return
        said: list[str] = []
        sentences = self.answer.sentences(self.seen)
        while len(said) < most:
            with hurried(hurry):
                try:
                    said.append(next(sentences))
                except NotYet:
                    break
                except StopIteration:
                    self._drawn["sentences"] = tuple(said)
                    break
            yield None
        self._said = tuple(said)

    @property
    def said(self) -> tuple[str, ...]:
        """The sentences that were prepared."""
        said: tuple[str, ...] = self._drawn.get("sentences", self._said)
        return said

    @property
    def tables(self) -> Mapping[str, Table]:
        """Tables by name, each made when it is looked at."""
        return _Tables(self)

    @property
    def windows(self) -> Mapping[str, Span]:
        """Per table, the range of its first column that shows what matters, each found when it is looked at."""
        return _Windows(self.answer)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The sentences; the first answers the study's question."""
        if "sentences" not in self._drawn:
            self._drawn["sentences"] = tuple(self.answer.sentences(self.seen))
        return self._drawn["sentences"]  # type: ignore[no-any-return]


class _Windows(Mapping[str, Span]):
    def __init__(self, answer: Answer[Any, Any, Any]) -> None:
        self._answer = answer

    def __getitem__(self, name: str) -> Span:
        if name not in self._answer.tabled:
            raise KeyError(name)
        return self._answer.view(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._answer.tabled)

    def __len__(self) -> int:
        return len(self._answer.tabled)


class _Tables(Mapping[str, Table]):
    def __init__(self, update: Update) -> None:
        self._update = update

    def __getitem__(self, name: str) -> Table:
        update = self._update
        if name not in self:
            raise KeyError(name)
        if ("table", name) not in update._drawn:
            view = update.views.get(name)
            early = in_a_hurry() and bool(update.answer.slow(name, view))
            found = update.answer.table(name, view, update.seen)
            if early:  # further columns follow
                return found  # type: ignore[return-value]
            update._drawn["table", name] = found
        return update._drawn["table", name]  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        tabled = self._update.answer.tabled
        return (name for name, each in tabled.items() if each.make is not None or self._update.seen is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        declared = self._update.answer.tabled.get(name)  # type: ignore[call-overload]
        return declared is not None and (declared.make is not None or self._update.seen is not None)


def _ordered(answer: Answer[Any, Any, Any], name: str, view: Span) -> Span:
    """A view that can be sampled, of a table that there is."""
    answer.table_declared(name)
    if not -math.inf < view[0] <= view[1] < math.inf:
        raise InvalidParameter(f"the view of {name}", "two finite numbers, the lower first", tuple(view))
    return view
