"""A session: every study's values, pins, hidden curves, views and notes, and the one in view. Every edit makes another.

    session = Session.of(Decision)
    edited = session.set("epsilon", 0.2)     raises InvalidParameter for a bad value
    edited.state().setting.explicit          {"epsilon": 0.2}

A study validates its values once, when the setting that holds it is made. Nothing here knows a window or a file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from dpstudio.core.declare import Follow, InvalidParameter, Parameter
from dpstudio.core.results import Span
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents import words
from dpstudio.vocabulary import Value

Values: TypeAlias = Mapping[str, Value]
Known: TypeAlias = tuple[type[Study], str, Value]
"""A value of a parameter that is known to tell of data."""
MOST_PINS = 9
"""Pins of one study."""
LONGEST_NOTE = 10_000
"""Signs of a note."""
NEAR = 0.02
"""Relative distance at which a number in a note tells of a count."""
_NUMBER = re.compile(r"\d(?:[\d.,'’_ \u00a0\u202f\u2009]*\d)?(?:[eE][+-]?\d+)?")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting:
    """A study with the names of the parameters that were set, and what is known of where their values come from."""

    study: Study
    names: frozenset[str] = frozenset()
    counted: Mapping[str, Origin] = field(default_factory=dict)
    """Values that are exact counts of data, or were moved from one."""
    moved: frozenset[str] = frozenset()
    """Of these, those that a hand has moved since."""
    own: frozenset[str] = frozenset()
    """What a person said is not from data."""
    only: str | None = None
    """Of a pin: the key of the one series whose curves it keeps; of all, where there is none."""

    @property
    def pinned(self) -> tuple[Study, str | None]:
        """What tells a pin from the others."""
        return self.study, self.only

    def varied(self, values: Values, only: str | None = None) -> Setting:
        """The same with other values of some parameters; an exact count of data that is moved stays as sensitive."""
        moved = self.moved | values.keys()
        return replace(setting(type(self.study), {**self.explicit, **values}, self.counted, moved, self.own), only=only)

    @property
    def explicit(self) -> Values:
        """The values that were set, by name."""
        return MappingProxyType({name: getattr(self.study, name) for name in self.study.values() if name in self.names})

    @property
    def origin(self) -> Origin | None:
        """Where values were counted, all of them in one table, and which of them were moved since."""
        if not self.counted:
            return None
        first = next(iter(self.counted.values()))
        return replace(first, counts=tuple(self.counted),
                       moved=tuple(name for name in self.counted if name in self.moved))

    def leaving(self, exact: bool) -> Setting:
        """The same as it may leave: exact counts marked to go along, or a default in their place."""
        if not self.counted:
            return self
        if exact:
            return replace(self, counted={name: replace(origin, exact=True) for name, origin in self.counted.items()})
        return replace(setting(type(self.study), without(self.explicit, self.counted)), only=self.only)


def setting(study_class: type[Study], explicit: Mapping[str, object], counted: Mapping[str, Origin] | None = None,
            moved: Collection[str] = (), own: Collection[str] = ()) -> Setting:
    """The study with these values set; raises InvalidParameter for a bad one, or a name that it does not have."""
    known = [each.name for each in study_class.parameters()]
    for name, value in explicit.items():
        if name not in known:
            raise InvalidParameter(name, f"one of the parameters {', '.join(known)}", value)
    study = study_class(**explicit)
    names = frozenset(name for name, value in explicit.items() if value is not None)
    counted = counted or {}
    return Setting(study, names, counted, frozenset(moved) & counted.keys(), frozenset(own) - counted.keys())


def without(kept: Mapping[str, T], names: Collection[str]) -> dict[str, T]:
    """What is left of a mapping."""
    return {name: value for name, value in kept.items() if name not in names}


@dataclass(frozen=True, slots=True)
class StudyState:
    """All that a person has of one study."""

    setting: Setting
    left_out: Origin | None = None
    """Of a session that left its counts out: how to count again."""
    pins: tuple[Setting, ...] = ()
    """Settings whose curves stay as a faint reference, the newest last."""
    hidden: frozenset[str] = frozenset()
    """Keys of curves that are not shown."""
    views: Mapping[str, Span] = field(default_factory=dict)
    """The stretch of x of each table that a person zoomed."""
    figures: Mapping[str, str] = field(default_factory=dict)
    """The figure chosen in each place that has several."""
    note: str = ""

    @property
    def awaited(self) -> Origin | None:
        """How values that the session left out are to be counted again, until other numbers took their place."""
        origin = self.left_out
        return None if origin is None or self.setting.names & set(origin.counts) else origin

    @property
    def origin(self) -> Origin | None:
        """Where present values were counted or, where a session left them out, are to be counted again."""
        return self.setting.origin or self.awaited

    @property
    def holds_counts(self) -> bool:
        """Whether a value, a pinned one included, is an exact count of data or was moved from one."""
        return any(each.counted for each in (self.setting, *self.pins))

    def leaving(self, exact: bool, known: Mapping[str, Collection[Value]]) -> StudyState:
        """The state as it may leave; `known` are values by parameter that are known to tell of data.

        Where counts are left out, views stay behind with them, for a person looks at what is counted.
        """
        origin = self.origin
        origin = None if origin is None else replace(origin, exact=exact and self.setting.origin is not None)
        tells = not exact and bool(self.holds_counts or known)
        return replace(self, setting=self.setting.leaving(exact), left_out=None if origin and origin.exact else origin,
                       pins=tuple(pin.leaving(exact) for pin in self.pins), views={} if tells else self.views)

    def differs(self, other: StudyState) -> bool:
        """Whether something would be lost if the other took its place: values, pins or the note, not how it is seen."""
        return (self.setting.study, [pin.pinned for pin in self.pins], self.note) != (
            other.setting.study, [pin.pinned for pin in other.pins], other.note)


@cache
def untouched(study_class: type[Study]) -> StudyState:
    """A study as it comes."""
    return StudyState(Setting(study_class()))


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """What a person has; a study that is not among the states is as it comes, and equal to one that was left so."""

    study_class: type[Study]
    """The study in view."""
    states: Mapping[type[Study], StudyState] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Session) and self.study_class is other.study_class and all(
            self.state(each) == other.state(each) for each in {**self.states, **other.states})

    __hash__ = None  # type: ignore[assignment]  # its mappings have none

    @classmethod
    def of(cls, study_class: type[Study], explicit: Mapping[str, object] | None = None,
           data: Origin | None = None) -> Session:
        """A session of one study; `data` says where values were counted, and leaves them out unless it is exact.

        Raises InvalidParameter for a bad value.
        """
        return cls(study_class, {study_class: one(study_class, explicit or {}, data)})

    def state(self, study_class: type[Study] | None = None) -> StudyState:
        """All of a study, of the one in view if none is given."""
        study_class = study_class or self.study_class
        return self.states.get(study_class) or untouched(study_class)  # type: ignore[arg-type]  # as in core.declare

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
        return Session(self.study_class, {**self.states, self.study_class: state})

    def _with_setting(self, explicit: Mapping[str, object], counted: Mapping[str, Origin] | None = None,
                      moved: Collection[str] = ()) -> Session:
        state = self.state()
        own = state.setting.own
        return self.with_state(replace(state, setting=setting(self.study_class, explicit, counted, moved, own)))

    def set(self, name: str, value: object) -> Session:
        """One parameter set; an exact count of data that is moved or typed over stays as sensitive."""
        return self.put({name: value})

    def put(self, values: Mapping[str, object]) -> Session:
        """The same for several at once."""
        now = self.state().setting
        return self._with_setting({**now.explicit, **values}, now.counted, now.moved | values.keys())

    def reset(self, name: str) -> Session:
        """One parameter that follows its default again."""
        now = self.state().setting
        return self._with_setting(without(now.explicit, (name,)), without(now.counted, (name,)), now.moved)

    def apply(self, values: Mapping[str, object]) -> Session:
        """All values replaced at once, as a preset does."""
        return self._with_setting(values)

    def take(self, values: Mapping[str, object], origin: Origin) -> Session:
        """Values that were counted in data, in the place of those that were before."""
        now = self.state().setting
        counted = {name: origin for name, value in values.items() if value is not None and name in origin.counts}
        return self._with_setting({**without(now.explicit, now.counted), **values}, counted)

    def disown(self, name: str) -> Session:
        """A value said not to be from data: an ordinary one from now on."""
        state, now = self.state(), self.state().setting
        return self.with_state(replace(state, setting=replace(
            now, counted=without(now.counted, (name,)), moved=now.moved - {name}, own=now.own | {name})))

    def pin(self, *settings: Setting) -> Session:
        """These settings, or the present one, among the pins; the same values are pinned once."""
        state = self.state()
        wanted = (*state.pins, *(settings or (state.setting,)))
        pins = tuple({pin.pinned: pin for pin in reversed(wanted)}.values())[::-1]
        if len(pins) > MOST_PINS:
            raise InvalidParameter("pins", f"at most {MOST_PINS} of one study", len(pins))
        return self if len(pins) == len(state.pins) else self.with_state(replace(state, pins=pins))

    def unpin(self, study: Study | None = None, only: str | None = None) -> Session:
        """Without the pin of these values, of all series or of one, or without any."""
        state = self.state()
        kept = (pin for pin in state.pins if study is not None and pin.pinned != (study, only))
        return self.with_state(replace(state, pins=tuple(kept)))

    def adopt(self, setting: Setting) -> Session:
        """All values of a setting, with what is known of where they come from."""
        return self.with_state(replace(self.state(), setting=replace(setting, only=None)))

    def hide(self, keys: Collection[str]) -> Session:
        """These curves hidden, and no others."""
        return self.with_state(replace(self.state(), hidden=frozenset(keys)))

    def look(self, table: str, window: Span | None) -> Session:
        """A stretch of a table in view, or what the study finds worth seeing."""
        state = self.state()
        views = without(state.views, (table,)) | ({} if window is None else {table: window})
        return self.with_state(replace(state, views=views))

    def choose(self, place: str, figure: str) -> Session:
        """A figure shown in its place."""
        state = self.state()
        return self.with_state(replace(state, figures={**state.figures, place: figure}))

    def write(self, note: str) -> Session:
        """Another note on the study."""
        if len(note) > LONGEST_NOTE:
            raise InvalidParameter("note", f"a text of at most {LONGEST_NOTE} signs", note)
        return self.with_state(replace(self.state(), note=note))

    # The session as a whole

    def turn(self, study_class: type[Study]) -> Session:
        """Another study in view."""
        return Session(study_class, {**self.states, study_class: self.state(study_class)})

    def open(self, other: Session, *, values_alone: bool = False) -> Session:
        """The studies of another session in the place of these; the others stay.

        With `values_alone`, as of a picture, pins, hidden curves, chosen figures and notes stay too.
        """
        opened = {study_class: replace(self.state(study_class), setting=state.setting, left_out=state.left_out,
                                       views=state.views) if values_alone else state
                  for study_class, state in other.states.items()}
        return Session(other.study_class, {**self.states, **opened})

    def whole(self, studies: Iterable[type[Study]]) -> Session:
        """The session with a state of each of these studies, the one in view first."""
        order = dict.fromkeys((self.study_class, *self.states, *studies))
        return Session(self.study_class, {each: self.state(each) for each in order})

    def back(self, before: Session, after: Session) -> Session:
        """What a step from the first to the second changed, taken back; what was only looked at since stays."""
        states = dict(self.states)
        for study_class in {**before.states, **after.states}:
            old, new = before.state(study_class), after.state(study_class)
            if old is not new:
                changes = {each.name: getattr(old, each.name) for each in fields(StudyState)
                           if getattr(old, each.name) != getattr(new, each.name)}
                states[study_class] = replace(self.state(study_class), **changes)
        return Session(before.study_class, states)

    def differing(self, other: Session) -> tuple[type[Study], ...]:
        """The studies of which something would be lost if the other session took the place of this one."""
        return tuple(each for each in {**self.states, **other.states} if self.state(each).differs(other.state(each)))

    def leaving(self, exact: bool, known: Collection[Known] = ()) -> Session:
        """The session as it may leave: exact counts of data marked to go along, or no trace of them.

        A default then stands in the place of each, pinned ones too; views of such a study are left out, and in notes
        every number near one. `known` are further values that tell of data, though they are not set at present.
        """
        by_study: dict[type[Study], dict[str, list[Value]]] = {}
        for study_class, name, value in known:
            by_study.setdefault(study_class, {}).setdefault(name, []).append(value)
        counts = {value for *_, value in known} | {
            getattr(each.study, name) for state in self.states.values() for each in (state.setting, *state.pins)
            for name in each.counted}
        found = {study_class: state.leaving(exact, by_study.get(study_class, {}))
                 for study_class, state in self.states.items()}
        if not exact and counts:
            found = {study_class: replace(state, note=blanked(state.note, counts))
                     for study_class, state in found.items()}
        return Session(self.study_class, found)


def one(study_class: type[Study], explicit: Mapping[str, object], data: Origin | None = None) -> StudyState:
    """The state of a study with these values; `data` says where some were counted, and leaves them out unless exact."""
    if data is None:
        return StudyState(setting(study_class, explicit))
    if data.exact:
        return StudyState(setting(study_class, explicit, dict.fromkeys(data.counts, data), data.moved))
    return StudyState(setting(study_class, without(explicit, data.counts)), data)


def settings_of(session: Session) -> Iterable[Setting]:
    """Every setting, the pinned ones included."""
    return (each for state in session.states.values() for each in (state.setting, *state.pins))


def blanked(note: str, counts: Collection[Value]) -> str:
    """A note with “…” in the place of every number that is, or is near, one of these, as a number or in percent."""
    numbers = [float(value) for value in counts if isinstance(value, int | float) and not isinstance(value, bool)]

    def tells(text: str) -> bool:
        for form in (re.sub(r"[^\deE.+-]", "", text.replace(",", "")), re.sub(r"[^\deE+-]", "", text),
                     re.sub(r"[^\deE.+-]", "", text.replace(".", "").replace(",", "."))):
            try:
                number = float(form)
            except ValueError:
                continue
            if any(math.isclose(each, value, rel_tol=NEAR) for each in (number, number / 100) for value in numbers):
                return True
        return False

    return _NUMBER.sub(lambda found: "…" if tells(found[0]) else found[0], note)


def title(pin: Setting, *others: Setting, write: Callable[[Parameter, Value], str] = words.parameter) -> str:
    """What differs in a setting from some of the others: “ε = 0.1, m = 500”. What merely follows is not named."""
    every = [each.study.values() for each in (pin, *others)]
    values, names = every[0], pin.names.union(*(each.names for each in others))
    differing = [each for each in pin.study.parameters() if any(own[each.name] != values[each.name] for own in every)]
    named = [each for each in differing if any(map(each.matters, every))
             and (not isinstance(each.default, Follow) or each.name in names)]
    told = ", ".join(write(each, values[each.name]) for each in named or differing) or "the present values"
    return f"{label_of(pin)}: {told}" if pin.only else told


def label_of(pin: Setting) -> str:
    """The name of the one series that a pin keeps; empty where it keeps all."""
    return next((one.label for one in pin.study.answers().series() if one.key == pin.only), "")
