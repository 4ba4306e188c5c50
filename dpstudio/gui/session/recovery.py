"""What the next start begins with: the session, and the file that it belongs to."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, unquote_to_bytes

from PySide6.QtCore import QLockFile

from dpstudio.core.attacker import MEMBERSHIP, Attacker
from dpstudio.core.study import Study
from dpstudio.documents import session_file
from dpstudio.documents.codec import DATA
from dpstudio.documents.files import read_file, write_file
from dpstudio.documents.noted import MOST_ON_PICTURES, MOST_SOLVED, MOST_SWEEPS
from dpstudio.documents.session import Session
from dpstudio.documents.state import MOST_SNAPSHOTS, StudyState
from dpstudio.documents.strict_json import LARGEST_SESSION, parse
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.opening import Stamp, stamp_of
from dpstudio.gui.shell.settings import data_folder
from dpstudio.records import dataclass
from dpstudio.studies import all_studies

LAST = "last-sessions.json"
OLD = "last-session.dpstudio"
"""What the first versions kept: the study on screen, as a session."""
FORMAT = 2
"""The first kept each study with a file of its own."""
LARGEST = 2 * LARGEST_SESSION
"""Bytes: a session, and as much of what is in its file."""
PATIENCE = 1000
"""Milliseconds for which a window waits until another has written."""
WITH_VALUES = {"values", DATA}
"""Parts of a study that belong together: where a value was counted goes with it."""
LISTED = {"picture_notes": MOST_ON_PICTURES, "snapshots": MOST_SNAPSHOTS, "solved": MOST_SOLVED, "sweeps": MOST_SWEEPS}
"""What each window adds to, and how many there may be: of more, the newest."""
SEEN = "seen_counts"
FEARED = "feared"
"""Of what is kept, whom the session that is in a file fears."""
AT_FIRST = Attacker(attacker=MEMBERSHIP)
"""Whom the window fears before anybody says otherwise: somebody is always feared, until a person fears nobody."""
KeptObject: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FilePlace:
    """The file of a session, as it was last read or written here."""

    path: Path
    stamp: Stamp | None = None
    held: frozenset[type[Study]] = frozenset()
    """The studies that it holds."""
    exact: bool = False
    """Whether it holds exact counts of data."""
    begun: Session | None = field(default=None, compare=False)
    """The session as the last window kept it, which may have been writing it to the file when it was killed."""


@dataclass(frozen=True, slots=True)
class LeftSession:
    """What a window leaves for the next start: its session, what of it is in a file, and which file that is."""

    session: Session
    saved: Session
    place: FilePlace | None = None

    @classmethod
    def of(cls, document: Document, exact: bool, place: FilePlace | None) -> LeftSession:
        """What a document leaves, with exact counts of data or without."""
        session = document.leaving(exact)
        # What is in the file stands there with its counts; where nothing has changed, the next start is told so.
        unsaved = document.unsaved
        states = {each: document.saved.state(each) if each in unsaved else state
                  for each, state in session.states.items()}
        saved = Session(session.study_class, states, document.saved.attacker)
        return cls(session, document.leaving(exact, of=saved), place)


class Keeper:
    """Keeps the session of one window; another may keep its own in the same place meanwhile.

    What this window has changed since it last wrote is carried over to what stands there now: no window takes back, or
    brings back, what another has done.
    """

    def __init__(self) -> None:
        self._own: KeptObject = {}
        """What this window wrote last, or began with."""
        self._kept: KeptObject = {}
        """What was written last, by whichever window."""
        self._stamp: Stamp | None = None
        """How the file of what was kept is marked."""

    def begin(self, begun: LeftSession) -> None:
        """Say how the session stood when the window was opened."""
        self._own = _document(begun)

    def keep(self, left: LeftSession) -> None:
        """Write the session; raises OSError, leaving what was kept before."""
        own, path = _document(left), data_folder() / LAST
        lock = QLockFile(str(path.with_suffix(".lock")))
        lock.tryLock(PATIENCE)  # a window that hangs with the lock in its hand does not keep the others from writing
        try:
            if stamp_of(path) != self._stamp:
                self._kept = _found()
            merged = _merged(self._own, own, self._kept)
            _write(merged)
            self._own, self._kept, self._stamp = own, merged, stamp_of(path)
        finally:
            lock.unlock()


def _merged(before: KeptObject, own: KeptObject, kept: KeptObject) -> KeptObject:
    """What is kept, with what a window has changed in its own since `before`."""
    if not kept:
        return own
    studies, saved = {}, {}
    for key in {**kept["session"]["studies"], **own["session"]["studies"], **kept["saved"], **own["saved"]}:
        then, now, there = (each["session"]["studies"].get(key) if each else None for each in (before, own, kept))
        if (state := there if now is None else now if there is None else _joined(key, then, now, there)):
            studies[key] = state
        same = bool(before) and before["saved"].get(key) == own["saved"].get(key)
        source = kept if now is None or (same and there is not None) else own
        if (in_file := source["saved"].get(key) or source["session"]["studies"].get(key)) and in_file != state:
            saved[key] = in_file
    place = kept["place"] if before and before["place"] == own["place"] else own["place"]
    attacker, feared = _whom(kept if before and _whom(before) == _whom(own) else own)
    return own | {"session": own["session"] | {"studies": studies, session_file.ATTACKER: attacker}, "saved": saved,
                  FEARED: feared, "place": place}


def _whom(document: Mapping[str, Any]) -> tuple[KeptObject, KeptObject]:
    """Whom the session fears, and the one that is in its file: the window’s first, where an older version kept it."""
    session = document["session"]
    if session["format"] < session_file.FEARED_FROM:
        return AT_FIRST.values(), AT_FIRST.values()
    return session.get(session_file.ATTACKER, {}), document.get(FEARED, {})


def _joined(key: str, then: KeptObject | None, now: KeptObject, there: KeptObject) -> KeptObject:
    """A study: of what holds one thing the last that was written, of what is listed all that was added."""
    if then is None:  # one that is not among the states is as it comes
        then = _document(LeftSession(first := Session(session_file.find_study(key)), first))["session"]["studies"][key]
    if there == then or now == then:
        return there if now == then else now
    mine = {name for name in {**then, **now} if then.get(name) != now.get(name)}
    if mine & WITH_VALUES:
        mine |= WITH_VALUES
    try:
        session_file.read_state(session_file.find_study(key), there)
    except (ValueError, LookupError, TypeError):  # another version or a broken file: of no use here
        return now
    joined = {}
    for name in {**there, **now}:
        part = (now if name in mine else there).get(name)
        if name in LISTED and name in mine:
            part = _listed(then.get(name, []), now.get(name, []), there.get(name, []))[-LISTED[name]:]
        if part:
            joined[name] = part
    if now.get(SEEN) or there.get(SEEN):
        joined[SEEN] = True  # what one window looked at may tell of the other's count
    return joined


def _listed(then: list[Any], now: list[Any], there: list[Any]) -> list[Any]:
    """What is there, with what was added since and without what was removed, in the order of their times."""
    gone = [each for each in then if each not in now]
    kept = [each for each in there if each not in gone]
    added = [each for each in now if each not in then and each not in kept]
    return sorted(kept + added, key=lambda each: str(each.get("when", "")))


def nothing() -> LeftSession:
    """What there is at the very first start."""
    first = Session(next(iter(all_studies().values())), attacker=AT_FIRST)
    return LeftSession(first, first)


def keep(left: LeftSession) -> None:
    """Write what the next start begins with; raises OSError, leaving what was kept before."""
    _write(_document(left))


def _document(left: LeftSession) -> KeptObject:
    """What a window leaves, as it is read again; how a study was saved only where it differs."""
    place = left.place
    changed = {each: left.saved.state(each) for each in left.session.differing(left.saved)}
    document: KeptObject = json.loads(json.dumps({
        "application": session_file.APPLICATION, "recovery": FORMAT,
        "session": session_file.as_json(left.session.turn(left.session.study_class), again=True),
        "saved": session_file.as_json(Session(left.saved.study_class, changed), again=True)["studies"],
        FEARED: session_file.written_attacker(left.saved.attacker),
        "place": None if place is None else {
            "file": quote(os.fsencode(place.path), safe="/ "),  # it need not be text
            "stamp": place.stamp, "held": sorted(each.key for each in place.held), "exact": place.exact}},
        allow_nan=False))
    return document


def _write(document: KeptObject) -> None:
    # It may hold exact counts of data.
    write_file(data_folder() / LAST, json.dumps(document, indent=1, allow_nan=False) + "\n", private=True)


def _found() -> KeptObject:
    """What was kept; nothing where it cannot be read, or the first format kept it."""
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        document: KeptObject = parse(read_file(data_folder() / LAST, LARGEST), LARGEST)
        if document["recovery"] == FORMAT:
            _place(document["place"])
            studies, saved = ({key: state for key, state in states.items() if isinstance(state, dict)}
                              for states in (document["session"]["studies"], document["saved"]))
            attacker, feared = map(Attacker.values, map(_attacker, _whom(document)))
            return {"session": {"format": session_file.FORMAT, "studies": studies, session_file.ATTACKER: attacker},
                    "saved": saved, FEARED: feared, "place": document["place"]}
    return {}


def kept() -> LeftSession:
    """What was kept, as far as it can still be read: a study that this version refuses does not cost the others."""
    try:
        document = parse(read_file(data_folder() / LAST, LARGEST), LARGEST)
        match document["recovery"]:
            case 1:
                return _of_each_study(document["studies"])
            case version if version == FORMAT:
                return _of_session(document)
    except FileNotFoundError:
        with suppress(OSError, ValueError):
            session = session_file.load(data_folder() / OLD)
            return LeftSession(session.facing(AT_FIRST), Session(session.study_class, attacker=AT_FIRST))
    except (OSError, ValueError, LookupError, AttributeError, TypeError):
        pass
    return nothing()


def _of_session(document: Mapping[str, Any]) -> LeftSession:
    states = _states(document["session"]["studies"])
    in_view = all_studies().get(document["session"]["study"])
    if in_view is None or in_view not in states:
        in_view = next(iter(states), next(iter(all_studies().values())))
    saved = states | _states(document["saved"])
    feared, before = map(_attacker, _whom(document))
    return LeftSession(Session(in_view, states, feared), Session(in_view, saved, before), _place(document["place"]))


def _attacker(given: object) -> Attacker:
    """An attacker that was kept; the window’s first, where this version refuses it: that does not cost the studies."""
    try:
        return session_file.read_attacker(given)
    except (ValueError, TypeError):
        return AT_FIRST


def _place(given: Mapping[str, Any] | None) -> FilePlace | None:
    return None if given is None else FilePlace(
        _path(given["file"]), _stamp(given["stamp"]),
        frozenset(all_studies()[key] for key in all_studies() if key in given["held"]), given["exact"] is True)


def _states(given: Mapping[str, Any]) -> dict[type[Study], StudyState]:
    states = {}
    for key, each in given.items():
        with suppress(ValueError, LookupError, TypeError):
            states[session_file.find_study(key)] = session_file.read_state(session_file.find_study(key), each)
    return states


def _of_each_study(given: list[Mapping[str, Any]]) -> LeftSession:
    """What the first recovery format kept: the file of the study in view is that of the session."""
    states: dict[type[Study], StudyState] = {}
    saved: dict[type[Study], StudyState] = {}
    place: FilePlace | None = None
    in_view: type[Study] | None = None
    for each in given:
        with suppress(ValueError, LookupError, TypeError):
            found = session_file.from_json(each["session"])
            study_class = found.study_class
            if study_class in states:
                continue
            in_view = in_view or study_class
            states[study_class] = found.state()
            if each["changed"] is False:
                saved[study_class] = found.state()
            if in_view is study_class and each["file"] is not None:
                place = FilePlace(_path(each["file"]), _stamp(each["stamp"]), frozenset({study_class}),
                                  each["exact"] is True)
    if in_view is None:
        return nothing()
    return LeftSession(Session(in_view, states, AT_FIRST), Session(in_view, saved, AT_FIRST), place)


def _path(given: str) -> Path:
    return Path(os.fsdecode(unquote_to_bytes(given)))


def _stamp(given: list[int] | None) -> Stamp | None:
    return None if given is None else (int(given[0]), int(given[1]), int(given[2]))
