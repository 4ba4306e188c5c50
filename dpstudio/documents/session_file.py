"""Sessions as small JSON files, read strictly, and as what a picture carries.

Formats from 3 on hold any number of studies, from 4 on pins of one series, from 5 on what is noted: texts on pictures,
snapshots, questions that were solved for, sweeps, the cover of a report; and from 6 on the series that was chosen,
which the cover of the fifth had in words alone. Formats 1 and 2 held the values of one study.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from dpstudio import __version__
from dpstudio.core.declare import Follow, InvalidParameter
from dpstudio.core.results import Series
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin, is_table, read_origin
from dpstudio.documents import embedded
from dpstudio.documents.files import atomic, read_file
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
from dpstudio.documents.session import (
    LONGEST_NAME,
    LONGEST_OF_SNAPSHOT,
    MOST_PINS,
    MOST_SNAPSHOTS,
    Session,
    Snapshot,
    StudyState,
    few,
    one,
    tables_of,
)
from dpstudio.documents.setting import Setting
from dpstudio.documents.strict_json import LARGEST_SESSION, NotJson, parse
from dpstudio.studies import all_studies
from dpstudio.text.given import shown
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

APPLICATION = "DP Studio"
FORMAT = 6
"""The first stated the plain digest of a table in which values were counted; these are read for ever."""
KEYS = ("application", "version", "format", "study", "studies")
ONE_KEYS = ("application", "version", "format", "study", "values")
"""Keys of the formats that held one study."""
DATA = "data"
"""Where some of the values were counted; the one key of these that need not be there."""
ONLY = "only"
"""Of a pin: the key of the one series that it keeps."""
SEEN = "seen_counts"
"""Whether a count stood in a study, though it need be set no more; not there where none did."""
SNAPSHOT_KEYS = ("values", DATA, "pins", "hidden", "views", "figures", SEEN)
"""Keys of a state of a study; only the first must be there."""
STATE_KEYS = (*SNAPSHOT_KEYS, "note", "picture_notes", "snapshots", "solved", "sweeps", "chosen", "cover")
"""Keys of a study; only the first must be there."""
CALLED = {"html": "page", "csv": "table", "parquet": "table"}
"""Kinds of files that may carry a session, but for pictures."""
LARGEST_NUMBER = 1e300
"""Of a view; an integer may be too large for a float."""
LONGEST_KEY, MOST_KEYS = 100, 200
"""Signs of the key of a hidden curve, and how many keys of curves or of tables there may be."""
MOST_TOLD = 3
"""Names of tables that a sentence lists."""


class SessionError(ValueError):
    """A file that is no session: one sentence that says why."""


class NoSession(SessionError):
    """A picture, report or table that carries none."""


class Opened(NamedTuple):
    """A session, and what the file is that it was read from."""

    session: Session
    whole: bool = True
    """Whether it is all of a session; else what a picture or numbers show."""
    its_own: bool = False
    """Whether the file is that of the session, which can be saved to it."""
    told: str = ""
    """What was left out as meaningless, in one sentence."""


# Writing


def explicit_of(study: Study) -> dict[str, Value]:
    """The values of a study without those that merely follow another."""
    return {declared.name: value for declared in study.parameters()
            if (value := getattr(study, declared.name)) is not None
            and not (isinstance(declared.default, Follow) and value == study.default(declared.name))}


def text(session: Session, *, indent: int | None = None, again: bool = False) -> str:
    """The session as JSON; see `as_json`."""
    return json.dumps(as_json(session, again=again), indent=indent, allow_nan=False)


def as_json(session: Session, *, again: bool = False) -> dict[str, Any]:
    """The session as plain objects.

    Every parameter of its studies is written, because defaults may change in later versions; one that follows another,
    as null. Only an exact count that was taken from data is not, unless its origin says that it goes along. The table's
    name and the condition then stay behind with it, but for `again`: so that it can be counted again.
    """
    studies = {study_class.key: _state_as_json(state, again) for study_class, state in session.states.items()}
    return dict(zip(KEYS, (APPLICATION, __version__, FORMAT, session.study_class.key, studies), strict=True))


def save(path: str | Path, session: Session) -> None:
    """Write a session, which says how to count again what is left out.

    Raises OSError, and SessionError for one that is too large to be read again, leaving an older file.
    """
    content = (text(session, indent=1, again=True) + "\n").encode("utf-8")
    if len(content) > LARGEST_SESSION:
        raise SessionError(f"the session has {len(content)} bytes, and no file may have more than {LARGEST_SESSION}: "
                           "remove snapshots")
    with atomic(path) as file:
        file.write(content)


def _state_as_json(state: StudyState, again: bool) -> dict[str, Any]:
    """What there is of a study."""
    stated: dict[str, Any] = _setting_as_json(state.setting, state.origin, again)
    if state.pins:
        stated["pins"] = [_setting_as_json(pin, pin.origin, again) | ({ONLY: pin.only} if pin.only else {})
                          for pin in state.pins]
    noted = {
        "hidden": sorted(state.hidden), "views": {table: list(window) for table, window in state.views.items()},
        "figures": dict(state.figures), SEEN: state.seen_counts, "note": state.note,
        "picture_notes": [{"figure": note.figure, "text": note.text} | ({"at": list(note.at)} if note.at else {})
                          for note in state.picture_notes],
        "snapshots": [{"name": one.name, "note": one.note, "when": one.when, "state": _state_as_json(one.state, again)}
                      for one in state.snapshots],
        "solved": [_setting_as_json(one.setting, one.setting.origin, again) | {
            "wants": list(one.wants), "for": list(one.names),
            "between": {name: list(ends) for name, ends in one.between.items()}} for one in state.solved],
        "sweeps": [_setting_as_json(one.setting, one.setting.origin, again) | {
            "over": list(one.over), "facts": [list(fact) for fact in one.facts], "simulate": one.simulate}
            for one in state.sweeps],
        "chosen": state.chosen,
        "cover": {name: text for name, text in asdict(state.cover).items() if text}}
    return stated | {key: held for key, held in noted.items() if held}


def _setting_as_json(setting: Setting, data: Origin | None, again: bool) -> dict[str, Any]:
    """Values, and where they were counted; what its origin does not let go along is never written."""
    resolved = setting.study.values()
    values = {declared.name: resolved[declared.name]
              if declared.name in setting.names or not isinstance(declared.default, Follow) else None
              for declared in setting.study.parameters()
              if data is None or data.exact or declared.name not in data.names}
    return {"values": values} | ({} if data is None else {DATA: (data if again else data.leaving).as_json()})


# Reading


def load(path: str | Path) -> Session:
    """What a session holds, or a picture, report or numbers that carry one; raises as `open_file` does."""
    return open_file(path).session


def open_file(path: str | Path) -> Opened:
    """What a session holds, or a picture, report or numbers that carry one.

    Raises SessionError in one sentence where the file is none of these, and OSError where it cannot be read or is no
    ordinary file. A value that equals its parameter's default is not told apart from one that was never set.
    """
    data = read_file(path, embedded.LARGEST_FILE)
    name = Path(path).name
    try:
        kind = embedded.kind_of(data)
        if kind is None:
            if is_table(name):
                raise NoSession("this table carries none")
            return _of_json(data)
        if len(data) > embedded.most(kind) and kind not in embedded.TABLES:
            raise SessionError("it is far too large")
        carried = embedded.extract(data)
        if carried is None:
            raise NoSession(f"this {CALLED.get(kind, 'picture')} carries none")
        opened = _of_json(carried.content)
        return opened._replace(whole=carried.whole, its_own=False)
    except SessionError as error:
        raise type(error)(f"{shown(name)} is not a session: {error}") from None


def read(content: bytes | str) -> Session:
    """What a session's text holds; raises SessionError."""
    try:
        return from_json(parse(content, LARGEST_SESSION))
    except (NotJson, InvalidParameter) as error:
        raise SessionError(str(error)) from None


def _of_json(content: bytes) -> Opened:
    """What a session holds, or an object of numbers that carries one."""
    try:
        document = parse(content, LARGEST_SESSION)
        if isinstance(document, dict) and "application" not in document and embedded.SESSION in document:
            document = document[embedded.SESSION]
            return Opened(from_json(document), whole=False, told=_told(document))
        return Opened(from_json(document), its_own=True, told=_told(document))
    except (NotJson, InvalidParameter) as error:
        raise SessionError(str(error)) from None


def from_json(document: object) -> Session:
    """What parsed JSON holds; raises SessionError, and InvalidParameter for a value that its study refuses."""
    if not isinstance(document, dict):
        raise SessionError("it holds no JSON object")
    version = document.get("format")
    if document.get("application") != APPLICATION or not isinstance(version, int) or isinstance(version, bool):
        raise SessionError(f"it does not say that {APPLICATION} wrote it, and in which format")
    if not 1 <= version <= FORMAT:
        reason = f"a newer {APPLICATION} wrote it" if version > FORMAT else "there is no such format"
        raise SessionError(f"format {shown(version)}, and this version reads formats 1 to {FORMAT}: {reason}")
    several = version >= 3
    keys = KEYS if several else ONE_KEYS
    _need_keys(document, keys, () if several else (DATA,))
    if not isinstance(document["version"], str) or not isinstance(document["study"], str):
        raise SessionError("version and study must be text")
    study_class = find_study(document["study"])
    if not several:
        return Session(study_class, {study_class: _read_setting(study_class, document, first=version == 1)})
    if not isinstance(document["studies"], dict):
        raise SessionError("studies must be an object of studies")
    states = {find_study(key): read_state(find_study(key), given) for key, given in document["studies"].items()}
    if study_class not in states:
        raise SessionError(f"it shows {study_class.key}, and does not hold it")
    return Session(study_class, states)


def _told(document: Mapping[str, Any]) -> str:
    """What a session that was read has that means nothing: stretches of tables that its studies do not have."""
    found = {key: sorted({table for state in (given, *(each["state"] for each in given.get("snapshots", [])))
                          for table in state.get("views", {}) if table not in tables_of(find_study(key))})
             for key, given in document.get("studies", {}).items()}
    told = [f"{listed(map(shown, tables[:MOST_TOLD]))}{', …' * (len(tables) > MOST_TOLD)}, which {key} does not have"
            for key, tables in found.items() if tables]
    return f"Left out what was in view of {'; of '.join(told)}." if told else ""


def find_study(key: str) -> type[Study]:
    """The study of that key; raises SessionError where there is none any more, or not yet."""
    study_class = all_studies().get(key)
    if study_class is None:
        raise SessionError(f"unknown study {shown(key)}: the studies are {', '.join(all_studies())}")
    return study_class


def read_state(study_class: type[Study], given: object) -> StudyState:
    """All of a study; raises as `from_json` does."""
    held = _read_seen(study_class, given, STATE_KEYS)
    assert isinstance(given, dict)
    notes = _listed("picture_notes", given.get("picture_notes", []), MOST_ON_PICTURES, ("figure", "text"), ("at",))
    session = Session(study_class, {study_class: held})
    session = session.write(_text("note", given.get("note", "")))
    session = session.note_on_pictures([PictureNote(_text("figure", each["figure"]), _text("text", each["text"]),
                                                    _ends("at", each["at"]) if "at" in each else None)
                                        for each in notes])
    session = session.keep_snapshots(tuple(_read_snapshots(study_class, given.get("snapshots", []))))
    session = session.keep_solved(*_read_solved(study_class, given.get("solved", [])))
    session = session.keep_sweeps(*_read_sweeps(study_class, given.get("sweeps", [])))
    state = session.cover(_read_cover(given.get("cover", {}))).state()
    return replace(state, chosen=_read_series(given.get("chosen"), study_class.answers().choosable(),
                                              f"that {study_class.key} lets be chosen"))


def _read_seen(study_class: type[Study], given: object, keys: tuple[str, ...]) -> StudyState:
    """Values, pins, and how they are seen."""
    if not isinstance(given, dict):
        raise SessionError(f"{study_class.key} must be an object of {', '.join(keys)}")
    _need_keys(given, keys[:1], keys[1:])
    held = _read_setting(study_class, given)
    if not isinstance(given.get(SEEN, False), bool):
        raise SessionError(f"{SEEN} must be true or false")
    state = StudyState(held.setting, held.left_out, _read_pins(study_class, given.get("pins", [])),
                       _read_hidden(given.get("hidden", [])), _read_views(study_class, given.get("views", {})),
                       _read_figures(study_class, given.get("figures", {})))
    return replace(state, seen_counts=given.get(SEEN, False) or state.tells)


def _read_snapshots(study_class: type[Study], given: object) -> Iterator[Snapshot]:
    for each in _listed("snapshots", given, MOST_SNAPSHOTS, ("name", "note", "when", "state")):
        yield Snapshot(fits("the name of a snapshot", _text("name", each["name"]), LONGEST_NAME),
                       _read_seen(study_class, each["state"], SNAPSHOT_KEYS),
                       fits("the note of a snapshot", _text("note", each["note"]), LONGEST_OF_SNAPSHOT),
                       fits("the time of a snapshot", _text("when", each["when"]), LONGEST_NAME))


def _read_solved(study_class: type[Study], given: object) -> Iterator[Solved]:
    for each in _listed("solved", given, MOST_SOLVED, ("values", "wants", "for", "between"), (DATA,)):
        if not isinstance(each["between"], dict) or len(each["between"]) > MOST_KEYS:
            raise SessionError("between must be an object of parameters")
        yield Solved(_texts("wants", each["wants"]), _texts("for", each["for"]),
                     _read_setting(study_class, each).setting,
                     {name: _ends("between", ends) for name, ends in each["between"].items()})


def _read_sweeps(study_class: type[Study], given: object) -> Iterator[SweepAsked]:
    for each in _listed("sweeps", given, MOST_SWEEPS, ("values", "over", "facts", "simulate"), (DATA,)):
        facts = each["facts"]
        if not isinstance(facts, list) or not all(
                isinstance(fact, list) and len(fact) == 2 and isinstance(fact[0], str)
                and isinstance(fact[1], str | None) for fact in facts):
            raise SessionError("facts must be a list of keys of quantity and series")
        if not isinstance(each["simulate"], bool):
            raise SessionError("simulate must be true or false")
        yield SweepAsked(_texts("over", each["over"]), tuple((key, of) for key, of in facts),
                         _read_setting(study_class, each).setting, each["simulate"])


def _read_cover(given: object) -> Cover:
    if not isinstance(given, dict):
        raise SessionError("cover must be an object of texts")
    _need_keys(given, (), [each.name for each in fields(Cover)])
    return Cover(**{name: _text(name, text) for name, text in given.items()})


def _listed(name: str, given: object, most: int, needed: Iterable[str], further: Iterable[str] = ()
            ) -> list[dict[str, Any]]:
    """A list of so many objects at most with these keys: no more are looked at, and none is passed over."""
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise SessionError(f"{name} must be a list of objects")
    few(name, given, most)
    for each in given:
        _need_keys(each, needed, further)
    return given


def _text(name: str, given: object) -> str:
    if not isinstance(given, str):
        raise SessionError(f"{name} must be a text")
    return given


def _texts(name: str, given: object) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise SessionError(f"{name} must be a list of texts")
    return tuple(given)


def _ends(name: str, given: object) -> tuple[float, float]:
    if not isinstance(given, list) or len(given) != 2 or not all(map(_is_number, given)):
        raise SessionError(f"{name} must be two numbers")
    return float(given[0]), float(given[1])


def _need_keys(given: Mapping[str, object], needed: Iterable[str], further: Iterable[str]) -> None:
    for key in given:
        if key not in (*needed, *further):
            raise SessionError(f"unknown key {shown(key)}")
    for key in needed:
        if key not in given:
            raise SessionError(f"{key} is missing")


def _read_setting(study_class: type[Study], given: Mapping[str, Any], *, first: bool = False) -> StudyState:
    """Values that differ from their defaults, and where they were counted; what is said to be left out must be."""
    values = given["values"]
    if not isinstance(values, dict):
        raise SessionError("values must be an object of parameters")
    declarations = {declared.name: declared for declared in study_class.parameters()}
    explicit: dict[str, Value] = {}
    for name, value in values.items():
        if name not in declarations:
            raise SessionError(f"unknown parameter {shown(name)}")
        declared = declarations[name]
        accepted = None if value is None and isinstance(declared.default, Follow) else declared.accept(value)
        if accepted is not None and accepted != declared.default:
            explicit[name] = accepted
    data = read_origin(given[DATA], declarations, first=first) if DATA in given else None
    for name in data.names if data is not None and not data.exact else ():
        if name in values:
            raise SessionError(f"it says that {name} is left out, and holds it")
    return one(study_class, explicit, data)


def _read_pins(study_class: type[Study], given: object) -> tuple[Setting, ...]:
    if not isinstance(given, list) or len(given) > MOST_PINS:
        raise SessionError(f"pins must be a list of at most {MOST_PINS}")
    pins = []
    for each in given:
        if not isinstance(each, dict):
            raise SessionError("each of the pins must be an object of values")
        _need_keys(each, ("values",), (DATA, ONLY))
        pins.append(replace(_read_setting(study_class, each).setting, only=_read_series(
            each.get(ONLY), study_class.answers().series(), f"of {study_class.key}")))
    return tuple(pins)


def _read_series(given: object, series: Iterable[Series], those: str) -> str | None:
    if given is None:
        return None
    keys = [one.key for one in series]
    if given not in keys:
        raise SessionError(f"unknown series {shown(given)}: those {those} are {', '.join(keys) or 'none'}")
    return str(given)


def _read_hidden(given: object) -> frozenset[str]:
    if not isinstance(given, list) or len(given) > MOST_KEYS or not all(
            isinstance(each, str) and len(each) <= LONGEST_KEY for each in given):
        raise SessionError("hidden must be a list of keys of curves")
    return frozenset(given)


def _read_views(study_class: type[Study], given: object) -> dict[str, tuple[float, float]]:
    """The stretches in view; one of a table that the study does not have shows nothing, and is left out."""
    if not isinstance(given, dict) or len(given) > MOST_KEYS:
        raise SessionError(f"views must be an object of at most {MOST_KEYS} tables")
    views, tables = {}, tables_of(study_class)
    for table, window in given.items():
        low, high = _ends(f"views {shown(table)}", window)
        if low >= high:
            raise SessionError(f"views {shown(table)} must be two numbers, the lower first")
        if table in tables:
            views[table] = low, high
    return views


def _read_figures(study_class: type[Study], given: object) -> dict[str, str]:
    if not isinstance(given, dict):
        raise SessionError("figures must be an object of places")
    known = {(figure.place, figure.key) for figure in study_class.figures}
    for place, key in given.items():
        if not isinstance(key, str) or (place, key) not in known:
            raise SessionError(f"unknown figure {shown(key)} in {shown(place)}")
    return given


def _is_number(given: object) -> bool:
    """Whether it is a number that a float holds."""
    return isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < LARGEST_NUMBER
