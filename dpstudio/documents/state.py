"""What a person has of one study: its setting, pins and how it is seen, what is noted of it, and snapshots of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, replace
from functools import lru_cache
from operator import is_
from typing import Self

from dpstudio.core.attacker import NOBODY_FEARED, Attacker, faces
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Figure
from dpstudio.core.results import Span
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents.about import FIELDS, About, checked
from dpstudio.documents.codec import SessionError, file_field, keys_of, of_series
from dpstudio.documents.in_view import (
    BESIDE,
    CURVES,
    LARGE,
    MORE,
    folded,
    in_view,
    left_out,
    opened,
    seen_as_well,
)
from dpstudio.documents.noted import (
    MOST_KEYS,
    MOST_ON_PICTURES,
    MOST_SOLVED,
    MOST_SWEEPS,
    Cover,
    PictureNote,
    Solved,
    SweepAsked,
    is_date,
)
from dpstudio.documents.setting import Setting, of_data
from dpstudio.records import dataclass
from dpstudio.text.given import shown

MOST_PINS = 9
"""Pins of one study."""
MOST_SNAPSHOTS = 20
"""Of one study."""
LONGEST_NOTE, LONGEST_NAME, LONGEST_OF_SNAPSHOT, LONGEST_KEY = 10_000, 100, 600, 100
"""Signs of a study's note, of a snapshot's name and of its note, and of the key of a hidden curve."""
KEYS = "a list of keys of curves"
SEEN = ("pins", "hidden", "views", "figures", "more", "seen_counts")
"""What a snapshot holds besides values; what was open stands in some files, and is read for them alone."""
ON_COVER = {"question": "the question", "choice": "the choice", "reason": "the reason", "who": "who prepared it",
            "when": "the date"}
"""What each text on a cover is called."""


def tables_of(study_class: type[Study]) -> tuple[str, ...]:
    """The tables of which a study has pictures, and so those that a person can zoom."""
    return tuple(dict.fromkeys(figure.table for figure in study_class.figures))


def as_it_is(_: str, text: str) -> str:
    """What becomes of a text that goes along: nothing."""
    return text


def own(kind: type[Study], *settings: Setting) -> tuple[Setting, ...]:
    """The settings; raises InvalidParameter for one of another study."""
    for each in settings:
        if type(each.study) is not kind:
            raise InvalidParameter("setting", f"one of {kind.key}", each.study.key)
    return settings


def _short(_: type[Study], keys: frozenset[str]) -> frozenset[str]:
    if any(len(key) > LONGEST_KEY for key in keys):
        raise SessionError(f"hidden must be {KEYS}")
    return keys


def _in_view(kind: type[Study], views: Mapping[str, Span]) -> Mapping[str, Span]:
    """Without the stretches of tables that the study does not have: they show nothing."""
    for table, (low, high) in views.items():
        if low >= high:
            raise SessionError(f"views {shown(table)} must be two numbers, the lower first")
    return {table: window for table, window in views.items() if table in tables_of(kind)}


def _of_study(kind: type[Study], figures: Mapping[str, str]) -> Mapping[str, str]:
    if not isinstance(figures, dict):
        raise SessionError("figures must be an object of places")
    known = [(place, figure.key) for figure in kind.figures for place in (figure.place, LARGE, BESIDE)]
    figures = {place: key for place, key in figures.items() if not (isinstance(key, str) and key in kind.retired)}
    for place, key in figures.items():
        if (place, key) not in known:
            raise SessionError(f"unknown figure {shown(key)} in {shown(place)}")
    return figures


def _openable(_: type[Study], more: frozenset[str] | None) -> frozenset[str] | None:
    if more is not None and not more.issubset(MORE):
        raise SessionError(f"more must be a list of {', '.join(MORE)}")
    return more


def _choosable(kind: type[Study], chosen: str | None) -> str | None:
    return of_series(chosen, kind.answers().choosable(), f"that {kind.key} lets be chosen")


@dataclass(frozen=True, slots=True)
class StudyState:
    """All that a person has of one study."""

    setting: Setting
    left_out: Origin | None = None
    """Of a session that left its counts out: how to count again."""
    pins: tuple[Setting, ...] = file_field((), most=MOST_PINS, check=lambda kind, pins: own(kind, *pins))
    """Settings whose curves stay as a faint reference, the newest last; of one series from format 4 on."""
    hidden: frozenset[str] = file_field(frozenset(), means=KEYS, most=MOST_KEYS, check=_short)
    """Keys of curves that are not shown."""
    views: Mapping[str, Span] = file_field(dict, means=f"an object of at most {MOST_KEYS} tables", most=MOST_KEYS,
                                       check=_in_view)
    """The stretch of x of each table that a person zoomed."""
    figures: Mapping[str, str] = file_field(dict, raw=True, check=_of_study)
    """The figure chosen in each place that has several."""
    more: frozenset[str] | None = file_field(None, means="a list of what is open", most=len(MORE), compare=False,
                                             check=_openable)
    """Of what a hand brought everything into view, not only what is seen first; None where no hand did."""
    seen_counts: bool = file_field(False, compare=False)
    """Whether a count stood here at some time: what was looked at since may tell of it, though it is set no more."""
    note: str = file_field("", longest=LONGEST_NOTE)
    picture_notes: tuple[PictureNote, ...] = file_field((), most=MOST_ON_PICTURES, called="texts on pictures")
    """This and what follows, from format 5 on."""
    snapshots: tuple[Snapshot, ...] = file_field((), most=MOST_SNAPSHOTS)
    """The newest last."""
    solved: tuple[Solved, ...] = file_field((), most=MOST_SOLVED)
    """Questions that were solved for, the newest last."""
    sweeps: tuple[SweepAsked, ...] = file_field((), most=MOST_SWEEPS)
    chosen: str | None = file_field(None, raw=True, check=_choosable)
    """The key of the series that a person decided for; the cover says why. From format 6 on."""
    cover: Cover = file_field(Cover, means="an object of texts")
    """Of a report on this study."""
    about: About = file_field(dict, means="an object of texts", most=len(FIELDS), check=lambda _, about: checked(about))
    """What was said of the release. From format 7 on."""

    def having(self, **changes: object) -> StudyState:
        """The same with other parts, each checked as it is declared; raises InvalidParameter."""
        kind, keys = type(self.setting.study), keys_of(StudyState)
        return replace(self, **{name: keys[name].checked(kind, held) for name, held in changes.items()})

    def check(self, _: type[Study]) -> Self:
        """Itself, which knows whether a count stands in it."""
        return replace(self, seen_counts=self.tells)

    @property
    def opened(self) -> frozenset[str]:
        """Of what everything is in view: see `in_view.MORE`; unless a hand said so, of what use was made."""
        used = opened(type(self.setting.study), self.setting.set_here, self.hidden)
        return used if self.more is None else self.more

    @property
    def in_view(self) -> tuple[str, str]:
        """The keys of the large picture and of the one beside it."""
        return in_view(type(self.setting.study), self.figures)

    @property
    def folded(self) -> frozenset[str]:
        """The keys of the series that are drawn only where somebody shows them, and nobody did."""
        if CURVES in self.opened:
            return frozenset()
        return folded(type(self.setting.study))  # type: ignore[arg-type]  # mypy compares the hash of instances

    def unseen(self, figure: Figure) -> frozenset[str]:
        """The keys of the curves that a picture does not show: hidden ones, and those that were never shown."""
        unseen = left_out(figure, type(self.setting.study), self.folded)
        return self.hidden | unseen - {pin.only or "" for pin in self.pins}  # who pins a curve wants to see it

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

    def faces(self, attacker: Attacker) -> bool:
        """Whether every setting that it holds faces this attacker."""
        kept = self.pins or self.solved or self.sweeps or self.snapshots  # mostly there are none
        return faces(self.setting.study, attacker) and (
            not kept or all(faces(each.study, attacker) for each in self.settings))

    def facing(self, attacker: Attacker) -> StudyState:
        """The same where somebody else is feared; itself where it is the same."""
        return self if self.faces(attacker) else self.each(lambda setting: setting.facing(attacker))

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

        A text on a picture that is empty then is gone; a snapshot without a name has a number. The date of a cover
        stays if it is one, and so do choices and days about the release: they are no words that could tell anything.
        """
        words = change("the note", self.note) if self.note else ""
        notes = [(note, change("a text on a picture", note.text)) for note in self.picture_notes]
        snapshots = tuple(replace(
            one, name=change("the name of a snapshot", one.name) or f"Snapshot {i}",
            note=change("the note of a snapshot", one.note) if one.note else "", state=one.state.reworded(change))
            for i, one in enumerate(self.snapshots, 1))
        cover = {name: text if name == "when" and is_date(text) else change(f"{words} on the cover", text)
                 for name, words in ON_COVER.items() if (text := getattr(self.cover, name))}
        about = {key: change(f"“{FIELDS[key].label}” about the release", text) if FIELDS[key].is_words else text
                 for key, text in self.about.items()}
        return replace(self, note=words, snapshots=snapshots, cover=Cover(**cover), about=checked(about),
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
            snapshots=tuple(replace(one, state=one.state.leaving(exact, tells, as_it_is)) for one in self.snapshots),
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
                                      "figures": seen_as_well(self.figures, other.figures),
                                      "seen_counts": self.tells or other.tells})

    def differs(self, other: StudyState) -> bool:
        """Whether something would be lost if the other took its place: not how it is seen."""
        return self is not other and self._own != other._own

    @property
    def _own(self) -> tuple[object, ...]:
        """What a person made of it."""
        return (self.setting.bare, [(pin.bare, pin.only) for pin in self.pins], self.note, self.picture_notes,
                self.chosen, self.cover, self.about,
                [(each.wants, each.names, each.between, each.setting.bare) for each in self.solved],
                [(each.over, each.facts, each.simulate, each.setting.bare) for each in self.sweeps],
                [(each.name, each.note, each.state._own) for each in self.snapshots])


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of a study under a name, to come back to."""

    name: str = field(metadata={"longest": LONGEST_NAME, "called": "the name of a snapshot"})
    note: str = field(metadata={"longest": LONGEST_OF_SNAPSHOT, "called": "the note of a snapshot"})
    when: str = field(metadata={"longest": LONGEST_NAME, "called": "the time of a snapshot"})
    """The time at which it was taken, as ISO 8601 writes it."""
    state: StudyState = field(metadata={"only": SEEN})
    """Values, pins and how they were seen, without what is noted."""


@lru_cache(maxsize=64)  # all studies of a few attackers: one that a hand moves is another at each move
def untouched(study_class: type[Study], attacker: Attacker = NOBODY_FEARED) -> StudyState:
    """A study as it comes."""
    return StudyState(Setting(study_class()).facing(attacker))


def one(study_class: type[Study], explicit: Mapping[str, object], data: Origin | None = None) -> StudyState:
    """The state of a study with these values; `data` says where some were counted, and leaves them out unless exact."""
    return StudyState(*of_data(study_class, explicit, data)).check(study_class)
