"""An answer: all that a study knows at one setting, declared member by member and computed when asked.

    class DecisionAnswer(Answer[Decision, Compared, Drawn]):
        compared = (Entry(LAPLACE, lambda a: Compared(a.study, LaplaceDecision(…)), DMNS06), …)
        declared = {
            "the answer": (
                each(v.ACCEPTANCE, lambda one: one.accepting, "f({records})"),
                simulated(v.FRACTION, lambda key, drawn: share(drawn.hits.get(key), drawn.done), source=CP34),
            ),
            …
        }
        tabled = {"records": table(records_table, natural_view), …}

Nothing is computed until it is asked for, and everything at most once. Equal settings give equal answers in any
process: what crosses one is the study's class and its values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, Self, TypeVar

from dpstudio.core.attacker import NOBODY, Attacker, alone
from dpstudio.core.caps import facts as profile_facts
from dpstudio.core.declare import Declared, InvalidParameter
from dpstudio.core.facts import GROUPS, Declaration, Declares, Said, Steps, Tabled
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Fact, FactPlace, Series, Span, Table, fact_place
from dpstudio.core.risk import GROUP as RISK
from dpstudio.core.risk import Risk, said_of
from dpstudio.core.risk import facts as risk_facts
from dpstudio.core.sentence import Spoken, sayings
from dpstudio.core.slow import EVERY, NotYet, Wanted, in_a_hurry, still_awaited
from dpstudio.text.language import phrase, speaking
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import DELTA, EPSILON, NONE, Choice, Quantity, Record, amount

S = TypeVar("S", bound=Attacker)
One = TypeVar("One")
Seen = TypeVar("Seen")
PLANNED = 0.95
"""The confidence at which a release is near enough that is added to a plan."""
DIGITS = 3
"""Of what is spent: as many as sentences say."""


class Answer(Declares, Generic[S, One, Seen]):
    """The answer of a study: facts, tables and sentences, each computed when it is asked for.

    A study's own class declares `compared`, `declared`, `tabled` and, where something is drawn, gives `simulate`.
    Threads may ask at once: at worst both compute the same, and one is kept.
    """

    def __init__(self, study: S) -> None:
        self.study = study
        self.decided: Series | None = None
        """What a person decided for, of which the sentences speak then."""
        self._plain = _Plain(study)
        self._ones: dict[str, One | None] = {}
        self._facts: dict[FactPlace, Fact | None] = {}
        self._tables: dict[str, tuple[Span, Table, Table | None]] = {}
        """Of each the last view, the table over it, and the same with the columns that come later."""
        self._views: dict[str, Span] = {}
        self._worked: set[tuple[object, ...]] = set()
        self._allowed: dict[str, bool] = {}
        self.kept: dict[object, Any] = {}
        """What is made of it elsewhere and lives as long as it does."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), type(self.study), self.study.values())

    @classmethod
    def promises(cls) -> bool:
        """Whether it speaks of anything that is released, of which a guarantee can be told."""
        return bool(cls.compared) or cls.one_release()

    @classmethod
    def one_release(cls) -> bool:
        """Whether it says its guarantees itself: it has one release, and what it compares is learnt from that."""
        return cls.guarantees is not Answer.guarantees

    @classmethod
    def grouped(cls) -> Mapping[str, tuple[Declaration[Any, Any, Any], ...]]:
        """The facts that it declares and, before those of any attack, what the attacker gains whom one fears."""
        if not cls.promises():
            return cls.declared
        compares = not cls.one_release()
        found = {**cls.declared, RISK: (*risk_facts(compares), *profile_facts(compares))}
        return {group: found[group] for group in sorted(found, key=_place)}

    # What is compared

    def one(self, series: Series | str) -> One | None:
        """What is compared under a name, built once; None where there is no such thing at these settings."""
        key = _key(series)
        if key not in self._ones:
            entry = self.entry_of(key)
            # The one that stands there first is everybody's, for work is kept in it.
            self._ones.setdefault(key, entry.build(self) if entry.asked(self.study) else None)
        return self._ones[key]

    def get(self, series: Series) -> One:
        """What is compared under a name that is known to be there."""
        found = self.one(series)
        assert found is not None, f"there is no {series.key} at these settings"
        return found

    @property
    def chosen(self) -> tuple[Series, ...]:
        """Everything that the settings choose to compare, also what there is not at their numbers."""
        return tuple(entry.series for entry in self.compared if entry.asked(self.study))

    @property
    def choices(self) -> tuple[Series, ...]:
        """What somebody may decide for at these settings."""
        return tuple(each for each in self.choosable() if self.one(each) is not None)

    def choice(self, key: str) -> Series:
        """The one of these with that key; raises InvalidParameter, naming what there is, for any other."""
        there = {each.key: each for each in self.choices}
        if key in there:
            return there[key]
        entry = next((each for each in self.compared if each.series.key == key), None)
        why = ("" if entry is None else "it is no release of its own" if not entry.release else
               "there is none at these settings" if entry.asked(self.study) else
               f"it is compared with {entry.when[0]}={' or '.join(entry.when[1:])}")
        raise InvalidParameter("choose", Choice(tuple(there)) if there else "left out, for nothing is compared", key,
                               why)

    @property
    def ones(self) -> dict[Series, One]:
        """All that is compared at these settings, in order."""
        return {entry.series: one for entry in self.compared if (one := self.one(entry.series)) is not None}

    @property
    def guarantees(self) -> Mapping[Series | None, Guarantee]:
        """What each thing that is compared promises, by series; under None what a study's one release does.

        Every study has them: what it compares has a `guarantee`, None where nothing is promised at these settings, or
        its answer says them here.
        """
        found: dict[Series | None, Guarantee] = {}
        for series in self.ones:
            if (promised := self.guarantee(series)) is not None:
                found[series] = promised
        return found

    def guarantee(self, series: Series | str | None = None) -> Guarantee | None:
        """What one thing that is compared promises, or the study's one release; None where nothing is promised."""
        if series is None or self.one_release():
            return self.guarantees.get(series if series is None else self.entry_of(_key(series)).series)
        if (one := self.one(series)) is None:
            return None
        try:
            return one.guarantee  # type: ignore[attr-defined, no-any-return]  # a test holds every study to it
        except AttributeError as missing:
            if missing.name != "guarantee":
                raise
            raise TypeError(f"{type(one).__name__}, which {type(self).__name__} compares, declares no guarantee"
                            ) from missing

    # What may be decided for

    def deciding(self, series: Series | str | None) -> Self:
        """The same answer, spoken of as whoever decided for a series reads it; all that was computed is shared.

        What is not compared at these settings, or is no release of its own, is decided by nobody.
        """
        decided = None if series is None else next((each for each in self.choices if each.key == _key(series)), None)
        if decided == self.decided:
            return self
        found = object.__new__(type(self))  # a copy would be rebuilt from the settings, as in another process
        vars(found).update(vars(self), decided=decided)
        return found

    def allowed(self, series: Series | str) -> bool:
        """Whether a series keeps the ε and δ that the study asks for; True where it asks for none.

        What promises nothing keeps nothing. Of an account of many releases: whether it shows that they are kept.
        """
        key = _key(series)
        if key not in self._allowed:
            asked = getattr(self.study, "allowed", None)
            promised = self._promised(key) if asked else None
            self._allowed[key] = asked is None or (promised is not None and promised.keeps(*asked))
        return self._allowed[key]

    @property
    def refused(self) -> Mapping[str, str]:
        """What of the things that may be decided for is not allowed, by key: what it spends."""
        place = "refused", speaking()
        if place not in self.kept:
            self.kept[place] = {each.key: self.spends(each) for each in self.choices if not self.allowed(each)}
        found: Mapping[str, str] = self.kept[place]
        return found

    @property
    def suggested(self) -> Series | None:
        """What the headline recommends: `suggested` of the module `words` beside the answer's class, if it has one.

        None where nothing is compared, or nothing keeps what the study asks for.
        """
        find: Callable[[Any], Series | None] = getattr(self._words, "suggested", lambda _: None)
        return find(self)

    def spends(self, series: Series | str) -> str:
        """What a series spends that is not allowed: “spends δ = 0.0952”, rounded up; empty where it is allowed."""
        if self.allowed(series):
            return ""
        promised, (epsilon, delta) = self._promised(_key(series)), self.study.allowed  # type: ignore[attr-defined]
        if promised is None or promised.nothing:
            return phrase("guarantees nothing here")
        if promised.epsilon <= epsilon:
            return self._spending(f"δ = {amount(float(promised.delta_at(epsilon)), DELTA, DIGITS, 'up')}")
        at_delta = promised.epsilon_at(delta)  # what it comes to at the δ that is asked for
        parts = [f"ε = {amount(at_delta if math.isfinite(at_delta) else promised.epsilon, EPSILON, DIGITS, 'up')}"]
        parts += [] if math.isfinite(at_delta) else [f"δ = {amount(promised.delta, DELTA, DIGITS, 'up')}"]
        return self._spending(", ".join(parts))

    def _spending(self, what: str) -> str:
        several = self.study.several  # type: ignore[attr-defined]
        return phrase("shows {what}", what=what) if several else phrase("spends {what}", what=what)

    def same_unit(self, series: Series | str) -> bool:
        """Whether a series protects what the study does: a record, or a person with all records."""
        promised, own = self.guarantee(series), getattr(self.study, "relation", None)
        return promised is None or own is None or promised.relation.unit == own.unit

    def _promised(self, key: str) -> Guarantee | None:
        """The guarantee of a series; of what is only learnt from the study's one release, that of this."""
        own = self.guarantee(key)
        return self.guarantees.get(None) if own is None and self.one_release() else own

    def risk(self, series: Series | str | None = None) -> Spoken:
        """What one thing that is compared, or the study's one release, means for one person, and while what."""
        return said_of(self.guarantee(series), self.study)

    def planned(self, series: Series | None = None) -> Record | None:
        """What a series, or the study’s one release, would be in a plan of several; None of nothing.

        Where a study says no more: something that spends its ε and δ. Errors are at the confidence PLANNED, that of a
        plan unless somebody changes it.
        """
        promised = self.guarantee(series)
        if promised is None or promised.nothing:
            return None
        return Record(self.study.title, "spent", {  # type: ignore[attr-defined]
            "epsilon": promised.epsilon, "delta": promised.delta})

    @property
    def feared(self) -> bool:
        """Whether there is a risk to be told of: somebody is feared, or a belief is capped."""
        return self.study.attacker != NOBODY or self.study.profile != NONE

    def faced(self, series: Series | str | None = None) -> Risk | None:
        """What the attacker whom the study faces gains from one thing that is compared, or from its one release.

        None where nobody is feared, or nothing is promised.
        """
        promised = self.guarantee(series) if self.study.attacker != NOBODY else None
        return None if promised is None else Risk(alone(self.study), promised)

    # Facts

    def fact(self, quantity: Quantity | str, series: Series | str | None = None, seen: Seen | None = None
             ) -> Fact | None:
        """One fact, computed alone; None where it does not apply, or waits for draws.

        Raises InvalidParameter, naming what there is, for a quantity or series that no answer of the study has.
        """
        key, of = fact_place(quantity, series)
        declared = self.declaration(key, of)
        if declared.simulated:
            return None if seen is None else self._made(declared, of, seen)
        if (key, of) not in self._facts:
            still_awaited()
            if declared.slow and not self._through((declared.slow,)):
                raise NotYet
            self._facts[key, of] = self._made(declared, of)
        return self._facts[key, of]

    def value(self, quantity: Quantity, series: Series | None = None) -> float:
        """The value of a fact that is known to apply."""
        found = self.fact(quantity, series)
        assert found is not None, f"{quantity.key} has no value at these settings"
        return found.value

    def facts(self, seen: Seen | None = None) -> tuple[Fact, ...]:
        """Every fact, in the order of declaration."""
        found = (self.fact(key, of, seen) for key, of in self.keys_asked())
        return tuple(each for each in found if each is not None)

    def keys_asked(self, *, aside: bool = True) -> Iterator[FactPlace]:
        """The keys of all facts but those of what a choice leaves out, or that stand aside, in order of declaration."""
        left_out = {entry.series.key for entry in self.compared if not entry.asked(self.study)}
        return (key for key, each in self.index().items() if key[1] not in left_out and (aside or not each.aside))

    def _made(self, declared: Declaration[Any, Any, Any], of: str | None, *seen: Seen) -> Fact | None:
        given: tuple[Any, ...] = (self, *seen)
        series, source = declared.series, declared.source
        if declared.each:
            entry = self.entry_of(of)
            series = entry.series
            if source is None and not seen:
                source = entry.source(self) if callable(entry.source) else entry.source
            given = (of, *seen) if seen else (self.one(entry.series),)
            if given[0] is None:
                return None
        if declared.by_key:
            given = (self, of)
        said = declared.make(*given) if declared.when is None or declared.when(*given) else None
        if said is None:
            return None
        how = declared.how if isinstance(declared.how, str) else declared.how(*given)
        if isinstance(said, Said):
            kind = said.kind or declared.kind
            return Fact(declared.quantity, float(said.value), series, kind, said.low, said.high,
                        self._quoted(said.how or how), said.source or source,
                        declared.at_least and kind == "bound", declared.group)
        return Fact(declared.quantity, float(said), series, declared.kind, None, None, self._quoted(how), source,
                    declared.at_least, declared.group)

    def _quoted(self, how: str) -> str:
        return how.format_map(self._plain) if "{" in how else how

    # Tables

    def view(self, name: str) -> Span:
        """The stretch of a table's first column that shows what matters."""
        if name not in self._views:
            self._views[name] = self.table_declared(name).view(self)
        return self._views[name]

    def table(self, name: str, view: Span | None = None, seen: Seen | None = None) -> Table | None:
        """A table over a view, by default its own; of each the last view is kept. None where it waits for draws."""
        declared = self.table_declared(name)
        if declared.make is None:
            assert declared.drawn is not None
            return None if seen is None else declared.drawn(self, seen)  # type: ignore[return-value]
        exact = self._table(name, declared, view or self.view(name))
        if seen is None or declared.drawn is None:
            return exact
        more = declared.drawn(self, exact, seen)
        # Draws that were made for another view have another number of rows.
        return Table({**exact, **{column: values for column, values in more.items() if len(values) == exact.rows}})

    def _table(self, name: str, declared: Tabled[Any, Any], view: Span) -> Table:
        assert declared.make is not None
        slow, kept = self.slow(name, view), self._tables.get(name)
        done = self._through(slow) or bool(declared.later and not any(True for _ in self.work(*slow)))
        if not (done or declared.later):
            raise NotYet
        if kept is None or kept[0] != view:
            kept = self._tables[name] = view, declared.make(self, view), None
        if done and declared.later and kept[2] is None:
            kept = self._tables[name] = *kept[:2], Table({**kept[1], **declared.later(self, kept[1])})
        return kept[1] if kept[2] is None else kept[2]

    # Sentences and draws

    def sentences(self, seen: Seen | None = None) -> Iterator[Spoken]:
        """What a person should take away; the first answers the study's question.

        They come from `SENTENCES` in the module `words` beside the answer's class, no more than its `MOST_SENTENCES`.
        """
        return sayings(self._words.SENTENCES, self, seen, getattr(self._words, "MOST_SENTENCES", None))

    @property
    def _words(self) -> ModuleType:
        """The module with the study's sentences, which is read when they are first wanted."""
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.words")

    def filling(self, name: str, seen: Seen | None = None) -> Fact | str | float | None:
        """What stands in a place of that name: a parameter, or a fact, `count_error_95`, `error_95:laplace`.

        Or an end of its interval, `delay_seen:tree:low`. None of a fact that there is not at these settings.
        """
        key, _, of = name.partition(":")
        if (declared := self.study.by_name().get(name)) is not None:
            value = getattr(self.study, name)
            return Fact(declared.quantity, value) if declared.is_number else declared.said(value)
        of, _, end = of.partition(":")
        fact = self.fact(key, of or None, seen)
        return getattr(fact, end) if end else fact

    @property
    def total(self) -> int:
        """How many draws the simulation makes; 0 without one."""
        return int(getattr(self.study, "trials", 0))

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Seen | None, int]]:  # noqa: ARG002
        """What has been drawn so far and how much that is, again and again: at each it can be left.

        With None nothing is new but that number. Draws along a table's first column follow its view.
        """
        yield from ()

    # What takes longer

    def everything(self, wanted: Wanted) -> Wanted:
        """All facts and sentences, and beside the tables that are looked at those that take longer."""
        slow = {name for name, each in self.tabled.items() if each.slow and not each.aside}
        return Wanted(wanted.tables | slow, frozenset(self.index()), EVERY)

    def known(self, key: str, of: str | None) -> bool:
        """Whether an exact fact was computed already."""
        return (key, of) in self._facts

    def work(self, slow: Callable[..., Steps], *view: Span) -> Steps:
        """Do this piece of work, over a view where it is of one, unless it was done."""
        if (slow, *view) not in self._worked:
            yield from slow(self, *view)
            self._worked.add((slow, *view))

    def slow(self, name: str, view: Span | None = None) -> tuple[Any, ...]:
        """What of a table takes longer and was not worked off yet, as `work` takes it; empty where nothing is."""
        declared = self.table_declared(name)
        found = (declared.slow, view or self.view(name)) if declared.follows else (declared.slow,)
        return () if declared.slow is None or found in self._worked else found

    def _through(self, slow: tuple[Any, ...]) -> bool:
        """Work it through unless in a hurry; whether it is done."""
        if not in_a_hurry():
            for _ in self.work(*slow) if slow else ():
                pass
            return True
        return not slow or slow in self._worked


def _place(group: str) -> int:
    """Where a group stands; what is none comes last, and is refused."""
    return GROUPS.index(group) if group in GROUPS else len(GROUPS)


class _Plain(dict[str, str]):
    """The values of a study's parameters as sentences have them, each made once."""

    def __init__(self, study: Declared) -> None:
        self._study = study

    def __missing__(self, name: str) -> str:
        value = getattr(self._study, name)
        self[name] = found = value if isinstance(value, str) else plain(value)
        return found


def _rebuilt(kind: type[Answer[Any, Any, Any]], study: type[Declared], values: Mapping[str, Any]
             ) -> Answer[Any, Any, Any]:
    return kind(study(**values))


def _key(series: Series | str) -> str:
    return series if isinstance(series, str) else series.key
