"""A session: every study's values, pins, hidden curves, views and what was noted; and the one in view.

    session = Session.of(Decision)
    edited = session.set("epsilon", 0.2)     raises InvalidParameter for a bad value
    edited.state().setting.explicit          {"epsilon": 0.2}

Every edit makes another. A study validates its values once, when the setting that holds it is made. Nothing here knows
a window or a file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import field, fields, replace
from typing import Any, Literal, TypeAlias

from dpstudio.core.attacker import NOBODY, NOBODY_FEARED, Attacker
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Span
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents.about import About
from dpstudio.documents.in_view import showing
from dpstudio.documents.noted import MOST_SOLVED, Cover, Solved, SweepAsked
from dpstudio.documents.setting import Setting, Values, setting, without
from dpstudio.documents.state import Snapshot, StudyState, as_it_is, one, own, tables_of, untouched
from dpstudio.records import dataclass
from dpstudio.studies import all_studies
from dpstudio.vocabulary import Record, Records, Value

PLAN, RELEASES = "plan", "releases"
"""The study that plans several releases, and its parameter that lists them."""

Known: TypeAlias = tuple[type[Study], str, Value]
"""A value of a parameter that is known to tell of data."""
Words: TypeAlias = Literal["blanked", "left out", "along"]
"""What becomes of texts that a person wrote where counts are left out: numbers that tell are blanked as far as they can
be recognised, or the texts are left out, or they go along as they are."""


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """What a person has; a study that is not among the states is as it comes, and equal to one that was left so."""

    study_class: type[Study]
    """The study in view."""
    states: Mapping[type[Study], StudyState] = field(default_factory=dict)
    """Each as it was made, whomever it faces, but that of the study in view: `state` gives one that faces the attacker.

    A hand that moves whom one fears makes a session at each move, which is kept to be undone: the others are shared.
    """
    attacker: Attacker = NOBODY_FEARED
    """Whom one fears: every setting of every study faces them."""

    def __post_init__(self) -> None:
        held = self.states.get(self.study_class)
        if held is not None and (state := held.facing(self.attacker)) is not held:
            object.__setattr__(self, "states", {**self.states, self.study_class: state})

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Session) and self.study_class is other.study_class
                and self.attacker == other.attacker and all(
                    self._held(each) is other._held(each) or self.state(each) == other.state(each)
                    for each in {**self.states, **other.states}))

    __hash__ = None  # type: ignore[assignment]  # its mappings have none

    @classmethod
    def of(cls, study_class: type[Study], explicit: Mapping[str, object] | None = None,
           data: Origin | None = None) -> Session:
        """A session of one study and whom it faces; `data` says where values were counted, and leaves them out unless
        it is exact.

        Values of the attacker are those of the session.

        Raises InvalidParameter for a bad value.
        """
        given = explicit or {}
        feared = {name: value for name, value in given.items() if name in Attacker.by_name()}
        return cls(study_class, {study_class: one(study_class, without(given, feared), data)}, NOBODY_FEARED.replace(
            **feared))

    def state(self, study_class: type[Study] | None = None) -> StudyState:
        """All of a study, of the one in view if none is given."""
        if study_class is None or study_class is self.study_class:
            return self._held(self.study_class)  # which faces them since it was made
        return self._held(study_class).facing(self.attacker)

    def _held(self, study_class: type[Study]) -> StudyState:
        """All of a study, whomever it faces."""
        return self.states.get(study_class) or untouched(study_class, self.attacker)  # type: ignore[arg-type]  # as in core.declare

    @property
    def study(self) -> Study:
        """The study in view with every parameter resolved."""
        return self.state().setting.study

    @property
    def explicit(self) -> Values:
        """The values of the study in view that were set."""
        return self.state().setting.explicit

    @property
    def data(self) -> Origin | None:
        """Where values of the study in view were counted, or are to be counted again."""
        return self.state().origin

    # Edits of the study in view: each gives the next session, or raises InvalidParameter

    def with_state(self, state: StudyState) -> Session:
        seen = self.state().tells or state.tells
        state = replace(state, seen_counts=True) if seen and not state.seen_counts else state
        return replace(self, states={**self.states, self.study_class: state})

    def having(self, **changes: object) -> Session:
        """Other parts of its state, such as `note` or `hidden`, each checked as the state declares it."""
        return self.with_state(self.state().having(**changes))

    def swap(self, name: str, before: object | None, after: object | None) -> Session:
        """Of what is listed under a name one in the place of another, at the end where that is not there, or none."""
        listed = getattr(self.state(), name)
        there = any(each is before for each in listed)
        changed = [after if each is before else each for each in listed] + [after] * (not there)
        return self.having(**{name: tuple(each for each in changed if each is not None)})

    def _with_setting(self, explicit: Mapping[str, object], counted: Mapping[str, Origin] | None = None,
                      moved: Collection[str] = ()) -> Session:
        state = self.state()
        return self.with_state(replace(state, setting=setting(self.study_class, explicit, counted, moved,
                                                              state.setting.own)))

    def set(self, name: str, value: object) -> Session:
        """One parameter set; an exact count of data that is moved or typed over stays as sensitive."""
        return self.put({name: value})

    def put(self, values: Mapping[str, object]) -> Session:
        """The same for several at once."""
        session, own = self._fearing(values)
        now = session.state().setting
        return session._with_setting({**now.explicit, **own}, now.counted, now.moved | own.keys()) if own else session

    def find(self, values: Mapping[str, object]) -> Session:
        """Values set that were found at the present ones: they follow from a count that stands there.

        Whom one fears is said, never found: a session without its counts says it all the same.
        """
        for name in values.keys() & Attacker.by_name().keys():
            raise InvalidParameter(name, "set by hand", values[name], "whom one fears is not solved for")
        state = self.state()
        return self.with_state(replace(state, setting=state.setting.found(values)))

    def solve(self, values: Mapping[str, object], wants: Collection[str] = ()) -> Session:
        """Values found by solving; the question is kept where there are wants, unless it is too long for that."""
        found = self.find(values)
        asked = Solved(tuple(wants), self.study_class.numbers(values), found.state().setting)
        with suppress(InvalidParameter):
            return found.keep_solved(*found.state().solved, asked) if wants else found
        return found

    def reset(self, name: str) -> Session:
        """One parameter that follows its default again."""
        if name in Attacker.by_name():
            return self.fear({name: Attacker.parameter(name).default})
        now = self.state().setting
        return self._with_setting(without(now.explicit, (name,)), without(now.counted, (name,)), now.moved)

    def apply(self, values: Mapping[str, object]) -> Session:
        """All values replaced at once, as a preset does."""
        return self._with_setting(values)

    def take(self, values: Mapping[str, object], origin: Origin) -> Session:
        """Values that were counted in data, in the place of those that were before; what followed from these stays."""
        now = self.state().setting
        counted = {name: origin for name, value in values.items() if value is not None and name in origin.counts}
        former = now.counted.keys() - now.follows
        kept = dict.fromkeys(without(now.counted, former), origin)
        return self._with_setting({**without(now.explicit, former), **values}, {**kept, **counted}, now.moved - former)

    def disown(self, name: str) -> Session:
        """A value said not to be from data: an ordinary one from now on."""
        state, now = self.state(), self.state().setting
        return self.with_state(replace(state, setting=replace(
            now, counted=without(now.counted, (name,)), moved=now.moved - {name}, own=now.own | {name})))

    def with_values(self, explicit: Mapping[str, object], data: Origin | None = None) -> Session:
        """These values and no others, as `Session.of` takes them; all else stays."""
        held = one(self.study_class, explicit, data)
        return self.with_state(replace(self.state(), setting=held.setting, left_out=held.left_out))

    def adopt(self, setting: Setting) -> Session:
        """All values of a setting, with what is known of where they come from."""
        own(self.study_class, setting)
        return self.with_state(replace(self.state(), setting=replace(setting, only=None)))

    def pin(self, *settings: Setting) -> Session:
        """These settings, or the present one, among the pins; the same values are pinned once."""
        state = self.state()
        wanted = (*state.pins, *own(self.study_class, *settings or (state.setting,)))
        pins = tuple({pin.pinned: pin for pin in reversed(wanted)}.values())[::-1]
        return self if len(pins) == len(state.pins) else self.having(pins=pins)

    def unpin(self, study: Study | None = None, only: str | None = None) -> Session:
        """Without the pin of these values, of all series or of one, or without any."""
        kept = (pin for pin in self.state().pins if study is not None and pin.pinned != (study, only))
        return self.having(pins=tuple(kept))

    def look(self, table: str, window: Span) -> Session:
        """A stretch of a table in view; it has to be a table of the study."""
        if table not in tables_of(self.study_class):
            raise InvalidParameter("table", f"one of {', '.join(tables_of(self.study_class))}", table)
        return self.having(views={**without(self.state().views, (table,)), table: window})

    def look_away(self, *tables: str) -> Session:
        """Tables of which what the study finds worth seeing is in view."""
        return self.having(views=without(self.state().views, tables))

    def choose(self, place: str, figure: str) -> Session:
        """A figure shown in its place; it has to be one of the study."""
        figures = [each.key for each in self.study_class.figures if each.place == place]
        if figure not in figures:
            raise InvalidParameter("figure", f"one of {', '.join(figures) or 'another place'}", figure)
        return self.having(figures={**self.state().figures, place: figure})

    def see(self, large: str, beside: str) -> Session:
        """These two pictures in view, by their keys."""
        return self.having(figures=showing(self.study_class, large, beside))

    def open_up(self, *what: str) -> Session:
        """All of these kinds in view, and of no other: see `in_view.MORE`."""
        return self.having(more=frozenset(what))

    def keep(self, name: str, note: str = "", when: str = "") -> Session:
        """A snapshot of the study in view; of the same name, it takes the place of the former one."""
        state = self.state()
        kept = replace(state, note="", picture_notes=(), snapshots=(), solved=(), sweeps=(), chosen=None,
                       cover=Cover(), about={}, more=None)
        return self.having(snapshots=(*(each for each in state.snapshots if each.name != name),
                                      Snapshot(name, note, when, kept)))

    def come_back(self, snapshot: Snapshot) -> Session:
        """Values, pins and how they were seen, as they were; what is noted stays."""
        then = snapshot.state
        return self.with_state(replace(self.state(), setting=then.setting, left_out=then.left_out, pins=then.pins,
                                       hidden=then.hidden, views=then.views, figures=then.figures))

    def keep_solved(self, *solved: Solved) -> Session:
        """These questions that were solved for, and no others, the newest; the same question stands there once."""
        asked: dict[object, Solved] = {}
        for each in solved:
            asked.pop((each.wants, each.names), None)
            asked[each.wants, each.names] = each
        return self.having(solved=tuple(asked.values())[-MOST_SOLVED:])

    def keep_sweep(self, asked: SweepAsked) -> Session:
        """This sweep among those that are kept, once."""
        return self if asked in self.state().sweeps else self.swap("sweeps", None, asked)

    def without(self, removed: Collection[Solved | SweepAsked]) -> Session:
        """Without these questions and sweeps, of whichever study they are."""
        return self._each(lambda _, state: replace(
            state, solved=tuple(each for each in state.solved if each not in removed),
            sweeps=tuple(each for each in state.sweeps if each not in removed))) if removed else self

    def prepare(self, cover: Cover, chosen: str | None, removed: Collection[Solved | SweepAsked] = (),
                about: About | None = None) -> Session:
        """What was chosen, the words of a report and what is said of the release, unless it stays as it was; questions
        and sweeps let go of.

        Raises InvalidParameter for another choice than before that there is not.
        """
        decided = self if chosen == self.state().chosen else self.decide(chosen)
        told = decided.having(cover=cover, about=self.state().about if about is None else about)
        return told.without(removed)

    def decide(self, series: str | None) -> Session:
        """This series decided for, or none; raises InvalidParameter, naming what there is at these settings."""
        return self.having(chosen=None if series is None else self.study.answer().choice(series).key)

    # The session as a whole

    @property
    def fears(self) -> bool:
        """Whether somebody is feared."""
        return self.attacker.attacker != NOBODY

    def facing(self, attacker: Attacker) -> Session:
        """The same where somebody else is feared."""
        return replace(self, attacker=attacker)

    def fear(self, values: Mapping[str, object]) -> Session:
        """Some values of the attacker; raises InvalidParameter for a bad one."""
        return self.facing(self.attacker.replace(**values))

    def _fearing(self, values: Mapping[str, object]) -> tuple[Session, Mapping[str, object]]:
        """With those of some values that are the attacker's, and the others."""
        feared = values.keys() & Attacker.by_name().keys()
        return (self.fear({name: values[name] for name in feared}), without(values, feared)) if feared else (
            self, values)

    def turn(self, study_class: type[Study]) -> Session:
        """Another study in view."""
        return replace(self, study_class=study_class, states={**self.states, study_class: self.state(study_class)})

    def on(self, study_class: type[Study], edit: Callable[..., Session], *given: Any, **named: Any) -> Session:
        """What an edit makes of a study, be it in view or not; the one in view stays."""
        return edit(self.turn(study_class), *given, **named).turn(self.study_class)

    def plan(self, record: Record) -> Session:
        """One release more in the plan of several; the study in view stays, and an example that nobody chose goes."""
        kind = all_studies()[PLAN]
        domain = kind.parameter(RELEASES).domain
        assert isinstance(domain, Records)
        now = self.state(kind).setting
        before = domain.records_of(str(getattr(now.study, RELEASES))) if RELEASES in now.explicit else ()
        return self.on(kind, Session.set, RELEASES, domain.text_of([*before, record]))

    def open(self, other: Session, *, whole: bool = True) -> Session:
        """The studies of another session in the place of these; the others stay.

        What is not `whole`, as a picture carries it, brings its values and what else it has: of pins, hidden curves,
        chosen figures and what is noted, that of which it has none stays.
        """
        opened = {study_class: state if whole else self.state(study_class).taking(state)
                  for study_class, state in other.states.items()}
        return Session(other.study_class, {**self.states, **opened}, other.attacker if other.fears else self.attacker)

    def carried(self, *, as_seen: bool = False) -> Session:
        """What a picture or numbers carry of a session: the study in view, without what neither of them shows.

        With `as_seen`, as of a picture of the screen, the stretches in view are shown.
        """
        state = replace(self.state(), figures={}, more=None, snapshots=(), solved=(), sweeps=())
        return replace(self, states={self.study_class: state if as_seen else replace(state, views={})})

    def whole(self, studies: Iterable[type[Study]]) -> Session:
        """The session with a state of each of these studies, the one in view first."""
        order = dict.fromkeys((self.study_class, *self.states, *studies))
        return replace(self, states={each: self.state(each) for each in order})

    def back(self, before: Session, after: Session) -> Session:
        """What a step from the first to the second changed, taken back; what was only looked at since stays."""
        states = dict(self.states)
        for study_class in {**before.states, **after.states}:
            if before._held(study_class) is not after._held(study_class):
                old, new = before.state(study_class), after.state(study_class)
                changes = {each.name: getattr(old, each.name) for each in fields(StudyState)
                           if each.compare and getattr(old, each.name) != getattr(new, each.name)}
                now = self.state(study_class)
                states[study_class] = replace(now, seen_counts=now.tells or old.tells, **changes)
        feared = self.attacker if before.attacker == after.attacker else before.attacker
        return Session(before.study_class, states, feared)

    def differing(self, other: Session) -> tuple[type[Study], ...]:
        """The studies of which something would be lost if the other session took the place of this one.

        Whom one fears is lost with the study in view.
        """
        feared = self.attacker != other.attacker
        return tuple(each for each in {**self.states, **other.states, self.study_class: None}
                     if self._held(each).differs(other._held(each)) or (feared and each is self.study_class))

    def leaving(self, exact: bool, known: Collection[Known] = (), words: Words = "blanked") -> Session:
        """The session as it may leave: exact counts of data marked to go along, or no trace of them.

        A default then stands in the place of each and of what follows from it, wherever a setting is kept, and what
        else would tell is left out, as `StudyState.leaving` says. `words` is what becomes of the texts of a session
        that holds counts. `known` are further values that tell of data, though they are not set at present.
        """
        counts = self.counts(known)

        def without_numbers(_: str, text: str) -> str:
            from dpstudio.documents.numbers_in_text import blanked  # whoever has no data does not wait for it

            return blanked(text, counts)

        change = {"blanked": without_numbers, "left out": lambda *_: ""}.get(words, as_it_is)
        if not self.tells and not known:
            change = as_it_is
        told = {study_class for study_class, *_ in known}
        return self._each(lambda kind, state: state.leaving(exact, kind in told, change))

    def counts(self, known: Collection[Known] = ()) -> frozenset[Value]:
        """Every value that is a count of data or follows from one, those that are `known` included."""
        held = (getattr(each.study, name) for each in settings_of(self) for name in each.counted)
        return frozenset(value for *_, value in known) | frozenset(held)

    @property
    def tells(self) -> bool:
        """Whether anything in it may tell of a count."""
        return any(state.tells for state in self.states.values())

    def without_words(self) -> Session:
        """The session without the texts that a person wrote."""
        return self._each(lambda _, state: state.reworded(lambda *_: ""))

    def _each(self, change: Callable[[type[Study], StudyState], StudyState]) -> Session:
        """The session with every study's state changed."""
        return replace(self, states={kind: change(kind, state) for kind, state in self.states.items()})

    def texts(self) -> tuple[tuple[str, str], ...]:
        """What a person wrote: the place, with the study, and the text."""
        told: list[tuple[str, str]] = []
        for study_class, state in self.states.items():
            def look(place: str, text: str, title: str = study_class.title) -> str:
                if text:
                    told.append((f"{place} ({title})", text))
                return text

            state.reworded(look)
        return tuple(told)


def settings_of(session: Session) -> Iterable[Setting]:
    """Every setting, the pinned and kept ones included."""
    return (each for state in session.states.values() for each in state.settings)
