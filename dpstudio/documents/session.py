"""A session: every study's values, pins, hidden curves, views and what was noted; and the one in view.

    session = Session.of(Decision)
    edited = session.set("epsilon", 0.2)     raises InvalidParameter for a bad value
    edited.state().setting.explicit          {"epsilon": 0.2}

Every edit makes another. A study validates its values once, when the setting that holds it is made. Nothing here knows
a window or a file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, fields, replace
from functools import cache
from operator import is_
from typing import Literal, TypeAlias

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Span
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents.noted import (
    MOST_ON_PICTURES,
    MOST_SOLVED,
    MOST_SWEEPS,
    Cover,
    PictureNote,
    Solved,
    SweepAsked,
    fits,
)
from dpstudio.documents.numbers_in_text import blanked
from dpstudio.documents.setting import Setting, Values, setting, without
from dpstudio.vocabulary import Value

Known: TypeAlias = tuple[type[Study], str, Value]
"""A value of a parameter that is known to tell of data."""
Words: TypeAlias = Literal["blanked", "left out", "along"]
"""What becomes of texts that a person wrote where counts are left out: numbers that tell are blanked as far as they can
be recognised, or the texts are left out, or they go along as they are."""
MOST_PINS = 9
"""Pins of one study."""
MOST_SNAPSHOTS = 20
"""Of one study."""
LONGEST_NOTE, LONGEST_NAME, LONGEST_OF_SNAPSHOT = 10_000, 100, 600
"""Signs of a study's note, of a snapshot's name and of its note."""


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
    picture_notes: tuple[PictureNote, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    """The newest last."""
    solved: tuple[Solved, ...] = ()
    """Questions that were solved for, the newest last."""
    sweeps: tuple[SweepAsked, ...] = ()
    chosen: str | None = None
    """The key of the series that a person decided for; the cover says why."""
    cover: Cover = field(default_factory=Cover)
    """Of a report on this study."""
    seen_counts: bool = field(default=False, compare=False)
    """Whether a count stood here at some time: what was looked at since may tell of it, though it is set no more."""

    @property
    def awaited(self) -> Origin | None:
        """What the session left out, and how to count again, as far as no other numbers took its place."""
        origin, names = self.left_out, self.setting.names
        return origin and origin.besides(names | set(origin.counts) if names & set(origin.counts) else names)

    @property
    def origin(self) -> Origin | None:
        """Where present values were counted or, where a session left them out, are to be counted again."""
        return self.setting.origin or self.awaited

    @property
    def settings(self) -> Iterator[Setting]:
        """Every setting that it holds, the present one first."""
        yield self.setting
        yield from self.pins
        yield from (each.setting for each in self.solved)
        yield from (each.setting for each in self.sweeps)
        for snapshot in self.snapshots:
            yield from snapshot.state.settings

    def each(self, change: Callable[[Setting], Setting]) -> StudyState:
        """The same with every setting changed; itself where none is."""
        changed = replace(
            self, setting=change(self.setting), pins=tuple(map(change, self.pins)),
            solved=tuple(replace(one, setting=change(one.setting)) for one in self.solved),
            sweeps=tuple(replace(one, setting=change(one.setting)) for one in self.sweeps),
            snapshots=tuple(replace(one, state=one.state.each(change)) for one in self.snapshots))
        return self if all(map(is_, self.settings, changed.settings)) else changed

    @property
    def holds_counts(self) -> bool:
        """Whether a value, a pinned or kept one included, is an exact count of data or was moved from one."""
        return any(each.counted for each in self.settings)

    @property
    def tells(self) -> bool:
        """Whether what is looked at may tell of a count, one that is set no more included."""
        return self.seen_counts or self.holds_counts

    def reworded(self, change: Callable[[str, str], str]) -> StudyState:
        """The same with every text that a person wrote changed: given the place and the text, what stands there then.

        A text on a picture that is empty then is gone; a snapshot without a name has a number.
        """
        words = change("the note", self.note) if self.note else ""
        notes = [(note, change("a text on a picture", note.text)) for note in self.picture_notes]
        snapshots = tuple(replace(
            one, name=change("the name of a snapshot", one.name) or f"Snapshot {i}",
            note=change("the note of a snapshot", one.note) if one.note else "", state=one.state.reworded(change))
            for i, one in enumerate(self.snapshots, 1))
        cover = {each.name: change(f"the {each.name} on the cover", text) for each in fields(Cover)
                 if (text := getattr(self.cover, each.name))}
        return replace(self, note=words, snapshots=snapshots, cover=Cover(**cover),
                       picture_notes=tuple(replace(note, text=text) for note, text in notes if text))

    def leaving(self, exact: bool, tells: bool, change: Callable[[str, str], str]) -> StudyState:
        """The state as it may leave; `tells` says that it may tell of data, and `change` what becomes of its texts.

        Where counts are left out, so is whatever was made while one took part: values that follow from it, as the
        settings know them; pins that were found, of which there are as many as match; views and the points of texts,
        for a person looks at what is counted; questions and sweeps, whose numbers begin as the present ones.
        """
        origin = self.origin
        origin = None if origin is None else replace(origin, exact=exact and self.setting.origin is not None)
        if exact:
            whole = self.each(lambda one: one.leaving(exact))
            return replace(whole, left_out=None if origin and origin.exact else origin)
        tells = tells or self.tells
        kept = replace(
            self, seen_counts=False, left_out=None if origin is None else replace(origin, moved=()),
            views={} if tells else self.views,
            picture_notes=tuple(replace(one, at=None) if tells else one for one in self.picture_notes),
            pins=tuple(pin for pin in self.pins if not pin.follows),
            snapshots=tuple(replace(one, state=one.state.leaving(exact, tells, _as_it_is)) for one in self.snapshots),
            solved=tuple(one for one in self.solved if not one.setting.counted),
            sweeps=tuple(one for one in self.sweeps if not one.setting.counted))
        left = kept.each(lambda one: one.leaving(exact)).reworded(change)
        return replace(left, pins=tuple({pin.pinned: pin for pin in left.pins}.values()))

    def taking(self, other: StudyState) -> StudyState:
        """The values of the other and what else it has: what it has none of stays, but for the stretch in view."""
        bare = StudyState(other.setting)
        has = {each.name: found for each in fields(other) if (found := getattr(other, each.name)) != getattr(
            bare, each.name)}
        return replace(self, **has | {"setting": other.setting, "left_out": other.left_out, "views": other.views,
                                      "figures": {**self.figures, **other.figures},
                                      "seen_counts": self.tells or other.tells})

    def differs(self, other: StudyState) -> bool:
        """Whether something would be lost if the other took its place: not how it is seen."""
        return self._own != other._own

    @property
    def _own(self) -> tuple[object, ...]:
        """What a person made of it."""
        return (self.setting.study, [pin.pinned for pin in self.pins], self.note, self.picture_notes, self.chosen,
                self.cover,
                [(each.wants, each.names, each.between, each.setting.study) for each in self.solved],
                [(each.over, each.facts, each.simulate, each.setting.study) for each in self.sweeps],
                [(each.name, each.note, each.state._own) for each in self.snapshots])


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of a study under a name, to come back to."""

    name: str
    state: StudyState
    """Values, pins and how they were seen, without what is noted."""
    note: str = ""
    when: str = ""
    """The time at which it was taken, as ISO 8601 writes it."""


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
        seen = self.state().tells or state.tells
        state = replace(state, seen_counts=True) if seen and not state.seen_counts else state
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

    def find(self, values: Mapping[str, object]) -> Session:
        """Values set that were found at the present ones: they follow from a count that stands there."""
        state = self.state()
        return self.with_state(replace(state, setting=state.setting.found(values)))

    def reset(self, name: str) -> Session:
        """One parameter that follows its default again."""
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

    def pin(self, *settings: Setting) -> Session:
        """These settings, or the present one, among the pins; the same values are pinned once."""
        state = self.state()
        for each in settings:
            self._check_own(each)
        wanted = (*state.pins, *(settings or (state.setting,)))
        pins = tuple({pin.pinned: pin for pin in reversed(wanted)}.values())[::-1]
        few("pins", pins, MOST_PINS)
        return self if len(pins) == len(state.pins) else self.with_state(replace(state, pins=pins))

    def unpin(self, study: Study | None = None, only: str | None = None) -> Session:
        """Without the pin of these values, of all series or of one, or without any."""
        state = self.state()
        kept = (pin for pin in state.pins if study is not None and pin.pinned != (study, only))
        return self.with_state(replace(state, pins=tuple(kept)))

    def with_values(self, explicit: Mapping[str, object], data: Origin | None = None) -> Session:
        """These values and no others, as `Session.of` takes them; all else stays."""
        held = one(self.study_class, explicit, data)
        return self.with_state(replace(self.state(), setting=held.setting, left_out=held.left_out))

    def adopt(self, setting: Setting) -> Session:
        """All values of a setting, with what is known of where they come from."""
        self._check_own(setting)
        return self.with_state(replace(self.state(), setting=replace(setting, only=None)))

    def hide(self, keys: Collection[str]) -> Session:
        """These curves hidden, and no others."""
        return self.with_state(replace(self.state(), hidden=frozenset(keys)))

    def look(self, table: str, window: Span | None) -> Session:
        """A stretch of a table in view, or what the study finds worth seeing; it has to be a table of the study."""
        state = self.state()
        if window is not None and table not in tables_of(self.study_class):
            raise InvalidParameter("table", f"one of {', '.join(tables_of(self.study_class))}", table)
        views = without(state.views, (table,)) | ({} if window is None else {table: window})
        return self.with_state(replace(state, views=views))

    def choose(self, place: str, figure: str) -> Session:
        """A figure shown in its place; it has to be one of the study."""
        state = self.state()
        figures = [each.key for each in self.study_class.figures if each.place == place]
        if figure not in figures:
            raise InvalidParameter("figure", f"one of {', '.join(figures) or 'another place'}", figure)
        return self.with_state(replace(state, figures={**state.figures, place: figure}))

    def write(self, note: str) -> Session:
        """Another note on the study."""
        return self.with_state(replace(self.state(), note=fits("note", note, LONGEST_NOTE)))

    def note_on_pictures(self, notes: Sequence[PictureNote]) -> Session:
        """These texts on the study's pictures, and no others; raises InvalidParameter for too many or a bad one."""
        few("texts on pictures", notes, MOST_ON_PICTURES)
        return self.with_state(replace(self.state(),
                                       picture_notes=tuple(note.check(self.study_class) for note in notes)))

    def keep(self, name: str, note: str = "", when: str = "") -> Session:
        """A snapshot of the study in view; of the same name, it takes the place of the former one."""
        state = self.state()
        kept = replace(state, note="", picture_notes=(), snapshots=(), solved=(), sweeps=(), chosen=None,
                       cover=Cover())
        return self.keep_snapshots((*(each for each in state.snapshots if each.name != name),
                                    Snapshot(name, kept, note, when)))

    def keep_snapshots(self, snapshots: Sequence[Snapshot]) -> Session:
        """These snapshots, and no others; raises InvalidParameter for too many or a text that is too long."""
        few("snapshots", snapshots, MOST_SNAPSHOTS)
        for each in snapshots:
            fits("the name of a snapshot", each.name, LONGEST_NAME)
            fits("the note of a snapshot", each.note, LONGEST_OF_SNAPSHOT)
        return self.with_state(replace(self.state(), snapshots=tuple(snapshots)))

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
            asked[each.wants, each.names] = each.check()
        return self.with_state(replace(self.state(), solved=tuple(asked.values())[-MOST_SOLVED:]))

    def keep_sweeps(self, *sweeps: SweepAsked) -> Session:
        """These sweeps, and no others; raises InvalidParameter for too many or a bad one."""
        few("sweeps", sweeps, MOST_SWEEPS)
        return self.with_state(replace(self.state(), sweeps=tuple(each.check() for each in sweeps)))

    def without(self, removed: Collection[Solved | SweepAsked]) -> Session:
        """Without these questions and sweeps, of whichever study they are."""
        return Session(self.study_class, {study_class: replace(
            state, solved=tuple(each for each in state.solved if each not in removed),
            sweeps=tuple(each for each in state.sweeps if each not in removed))
            for study_class, state in self.states.items()}) if removed else self

    def decide(self, series: str | None) -> Session:
        """This series decided for, or none; raises InvalidParameter, naming what there is at these settings."""
        chosen = None if series is None else self.study.answer().choice(series).key
        return self.with_state(replace(self.state(), chosen=chosen))

    def cover(self, cover: Cover) -> Session:
        """The words of a report's first page."""
        return self.with_state(replace(self.state(), cover=cover.check()))

    def _check_own(self, setting: Setting) -> None:
        """Raises InvalidParameter for a setting of another study."""
        if type(setting.study) is not self.study_class:
            raise InvalidParameter("setting", f"one of {self.study_class.key}", setting.study.key)

    # The session as a whole

    def turn(self, study_class: type[Study]) -> Session:
        """Another study in view."""
        return Session(study_class, {**self.states, study_class: self.state(study_class)})

    def open(self, other: Session, *, whole: bool = True) -> Session:
        """The studies of another session in the place of these; the others stay.

        What is not `whole`, as a picture carries it, brings its values and what else it has: of pins, hidden curves,
        chosen figures and what is noted, that of which it has none stays.
        """
        opened = {study_class: state if whole else self.state(study_class).taking(state)
                  for study_class, state in other.states.items()}
        return Session(other.study_class, {**self.states, **opened})

    def carried(self, *, as_seen: bool = False) -> Session:
        """What a picture or numbers carry of a session: the study in view, without what neither of them shows.

        With `as_seen`, as of a picture of the screen, the stretches in view are shown.
        """
        state = replace(self.state(), figures={}, snapshots=(), solved=(), sweeps=())
        return Session(self.study_class, {self.study_class: state if as_seen else replace(state, views={})})

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
                           if each.compare and getattr(old, each.name) != getattr(new, each.name)}
                now = self.state(study_class)
                states[study_class] = replace(now, seen_counts=now.tells or old.tells, **changes)
        return Session(before.study_class, states)

    def differing(self, other: Session) -> tuple[type[Study], ...]:
        """The studies of which something would be lost if the other session took the place of this one."""
        return tuple(each for each in {**self.states, **other.states} if self.state(each).differs(other.state(each)))

    def leaving(self, exact: bool, known: Collection[Known] = (), words: Words = "blanked") -> Session:
        """The session as it may leave: exact counts of data marked to go along, or no trace of them.

        A default then stands in the place of each and of what follows from it, wherever a setting is kept, and what
        else would tell is left out, as `StudyState.leaving` says. `words` is what becomes of the texts of a session
        that holds counts. `known` are further values that tell of data, though they are not set at present.
        """
        counts = self.counts(known)
        change = {"blanked": lambda _, text: blanked(text, counts), "left out": lambda *_: ""}.get(words, _as_it_is)
        if not self.tells and not known:
            change = _as_it_is
        told = {study_class for study_class, *_ in known}
        return Session(self.study_class, {study_class: state.leaving(exact, study_class in told, change)
                                          for study_class, state in self.states.items()})

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
        return Session(self.study_class, {study_class: state.reworded(lambda *_: "")
                                          for study_class, state in self.states.items()})

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


def _as_it_is(_: str, text: str) -> str:
    return text


def one(study_class: type[Study], explicit: Mapping[str, object], data: Origin | None = None) -> StudyState:
    """The state of a study with these values; `data` says where some were counted, and leaves them out unless exact."""
    if data is None:
        return StudyState(setting(study_class, explicit))
    if data.exact:
        return StudyState(setting(study_class, explicit, dict.fromkeys(data.names, data), data.moved), seen_counts=True)
    return StudyState(setting(study_class, without(explicit, data.names)), data)


def tables_of(study_class: type[Study]) -> tuple[str, ...]:
    """The tables of which a study has pictures, and so those that a person can zoom."""
    return tuple(dict.fromkeys(figure.table for figure in study_class.figures))


def few(name: str, kept: Sized, most: int) -> None:
    """Raises InvalidParameter where a study would have too many of something."""
    if len(kept) > most:
        raise InvalidParameter(name, f"at most {most} of one study", len(kept))


def settings_of(session: Session) -> Iterable[Setting]:
    """Every setting, the pinned and kept ones included."""
    return (each for state in session.states.values() for each in state.settings)
