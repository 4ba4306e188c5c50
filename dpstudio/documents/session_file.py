"""Sessions as small JSON files, read strictly, and as what a picture carries.

Formats from 3 on hold any number of studies, from 4 on pins of one series, from 5 on what is noted: texts on pictures,
snapshots, questions that were solved for, sweeps, the cover of a report; from 6 on the series that was chosen, which
the cover of the fifth had in words alone; and from 7 on what was said of the release, and whom one fears. Formats 1 and
2 held the values of one study.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dpstudio import __version__
from dpstudio.core.attacker import NOBODY_FEARED, Attacker
from dpstudio.core.declare import Follow, InvalidParameter
from dpstudio.core.study import Study
from dpstudio.data.origin import is_table
from dpstudio.documents import embedded
from dpstudio.documents.codec import DATA, SessionError, need_keys, read_object, read_setting, written
from dpstudio.documents.files import read_file, write_file
from dpstudio.documents.session import Session
from dpstudio.documents.state import StudyState, tables_of
from dpstudio.documents.strict_json import LARGEST_SESSION, NotJson, parse
from dpstudio.studies import all_studies
from dpstudio.text.given import shown
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

APPLICATION = "DP Studio"
FORMAT = 7
"""The first stated the plain digest of a table in which values were counted; these are read for ever."""
KEYS = ("application", "version", "format", "study", "studies")
ATTACKER = "attacker"
"""The key of the attacker that is feared, which need not be there: nobody is."""
ONE_KEYS = ("application", "version", "format", "study", "values")
"""Keys of the formats that held one study."""
FEARED_FROM = 7
"""The first format that says whom one fears."""
MOST_TOLD = 3
"""Names of tables that a sentence lists."""


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
    studies = {study_class.key: written(state, again) for study_class, state in session.states.items()}
    feared = {ATTACKER: written_attacker(session.attacker)} if session.attacker != NOBODY_FEARED else {}
    return dict(zip(KEYS, (APPLICATION, __version__, FORMAT, session.study_class.key, studies), strict=True)) | feared


def written_attacker(attacker: Attacker) -> dict[str, Value]:
    """The attacker as plain objects; empty where nobody is feared, as it comes."""
    return attacker.values() if attacker != NOBODY_FEARED else {}


def save(path: str | Path, session: Session) -> None:
    """Write a session, which says how to count again what is left out.

    Raises OSError, and SessionError for one that is too large to be read again, leaving an older file.
    """
    content = (text(session, indent=1, again=True) + "\n").encode("utf-8")
    if len(content) > LARGEST_SESSION:
        states = session.states.values()
        advice = ("remove snapshots" if any(state.snapshots for state in states) else
                  "remove pins" if any(state.pins for state in states) else "shorten lists and texts")
        raise SessionError(f"the session has {len(content)} bytes, and no file may have more than {LARGEST_SESSION}: "
                           f"{advice}")
    write_file(path, content)


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
        carrier = embedded.carrier_of(data)
        if carrier is None:
            if is_table(name):
                raise NoSession("this table carries none")
            return _of_json(data)
        if len(data) > carrier.most and not carrier.endless:
            raise SessionError("it is far too large")
        carried = embedded.extract(data)
        if carried is None:
            raise NoSession(f"this {carrier.called} carries none")
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
    need_keys(document, keys, ((ATTACKER,) if version >= FEARED_FROM else ()) if several else (DATA,))
    if not isinstance(document["version"], str) or not isinstance(document["study"], str):
        raise SessionError("version and study must be text")
    study_class = find_study(document["study"])
    if not several:
        state = StudyState(*read_setting(study_class, document, first=version == 1))
        return Session(study_class, {study_class: state.check(study_class)})
    if not isinstance(document["studies"], dict):
        raise SessionError("studies must be an object of studies")
    states = {find_study(key): read_state(find_study(key), given) for key, given in document["studies"].items()}
    if study_class not in states:
        raise SessionError(f"it shows {study_class.key}, and does not hold it")
    return Session(study_class, states, read_attacker(document.get(ATTACKER, {})))


def read_attacker(given: object) -> Attacker:
    """The attacker of a session, as it comes where nothing is said; raises SessionError, and InvalidParameter."""
    if not isinstance(given, dict):
        raise SessionError(f"{ATTACKER} must be an object of {', '.join(Attacker.by_name())}")
    need_keys(given, (), Attacker.by_name())
    return Attacker(**given)


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
    state: StudyState = read_object(study_class, StudyState, study_class.key, given)
    return state.check(study_class)
