"""What the next start begins with: the session, and the file that it belongs to."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from dpstudio.core.study import Study
from dpstudio.documents import session_file
from dpstudio.documents.files import atomic, read_file
from dpstudio.documents.session import Session, StudyState
from dpstudio.documents.strict_json import LARGEST_SESSION, parse
from dpstudio.gui.session.opening import Stamp, stamp_of
from dpstudio.gui.shell.settings import data_folder
from dpstudio.studies import all_studies

LAST = "last-sessions.json"
OLD = "last-session.dpstudio"
"""What the first versions kept: the study on screen, as a session."""
FORMAT = 2
"""The first kept each study with a file of its own."""
LARGEST = 2 * LARGEST_SESSION
"""Bytes: a session, and as much of what is in its file."""


@dataclass(frozen=True, slots=True)
class Place:
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
class Left:
    """What a window leaves for the next start: its session, what of it is in a file, and which file that is."""

    session: Session
    saved: Session
    place: Place | None = None

    def of(self, study_class: type[Study]) -> tuple[StudyState, StudyState]:
        """A study as it stands and as it was saved."""
        return self.session.state(study_class), self.saved.state(study_class)


class Keeper:
    """Keeps the session of one window; another may keep its own in the same place meanwhile."""

    def __init__(self) -> None:
        self._found = self._begun = self._kept = nothing()
        """What the last window left, how this one began, and what was kept last, by whichever window."""
        self._touched: set[type[Study]] = set()
        """The studies that this window has changed."""
        self._stamp: Stamp | None = None
        """How the file of what was kept is marked."""

    def begin(self, found: Left, begun: Left) -> None:
        """Say what was found when the window was opened, and how its session stood then."""
        self._found, self._begun = found, begun

    def keep(self, left: Left) -> None:
        """Write the session; what another window alone has changed stays as that one kept it.

        Raises OSError, leaving what was kept before.
        """
        self._touched |= {each for each in left.session.states if left.of(each) != self._begun.of(each)}
        path = data_folder() / LAST
        if stamp_of(path) != self._stamp:
            self._kept = kept()
        foreign = [each for each in self._kept.session.states
                   if each not in self._touched and self._kept.of(each) != self._found.of(each)]
        place = left.place
        if place == self._begun.place and self._kept.place != self._found.place:
            place = self._kept.place
        self._kept = Left(_with(left.session, self._kept.session, foreign),
                          _with(left.saved, self._kept.saved, foreign), place)
        keep(self._kept)
        self._stamp = stamp_of(path)


def _with(own: Session, other: Session, foreign: list[type[Study]]) -> Session:
    return replace(own, states={**own.states, **{each: other.state(each) for each in foreign}})


def nothing() -> Left:
    """What there is at the very first start."""
    first = Session(next(iter(all_studies().values())))
    return Left(first, first)


def keep(left: Left) -> None:
    """Write what the next start begins with; raises OSError, leaving what was kept before."""
    place = left.place
    changed = {each: left.saved.state(each) for each in left.session.differing(left.saved)}
    document = {
        "application": session_file.APPLICATION, "recovery": FORMAT,
        "session": session_file.as_json(left.session.turn(left.session.study_class), again=True),
        "saved": session_file.as_json(Session(left.saved.study_class, changed), again=True)["studies"],
        "place": None if place is None else {
            "file": quote(os.fsencode(place.path), safe="/ "),  # it need not be text
            "stamp": place.stamp, "held": sorted(each.key for each in place.held), "exact": place.exact}}
    with atomic(data_folder() / LAST) as file:
        file.write((json.dumps(document, indent=1, allow_nan=False) + "\n").encode("ascii"))


def kept() -> Left:
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
            return _unsaved(session_file.load(data_folder() / OLD))
    except (OSError, ValueError, LookupError, AttributeError, TypeError):
        pass
    return nothing()


def _unsaved(session: Session) -> Left:
    return Left(session, Session(session.study_class))


def _of_session(document: Mapping[str, Any]) -> Left:
    states = _states(document["session"]["studies"])
    in_view = all_studies().get(document["session"]["study"])
    if in_view is None or in_view not in states:
        in_view = next(iter(states), next(iter(all_studies().values())))
    saved = states | _states(document["saved"])
    given = document["place"]
    place = None if given is None else Place(
        _path(given["file"]), _stamp(given["stamp"]),
        frozenset(each for key, each in all_studies().items() if key in given["held"]), given["exact"] is True)
    return Left(Session(in_view, states), Session(in_view, saved), place)


def _states(given: Mapping[str, Any]) -> dict[type[Study], StudyState]:
    states = {}
    for key, each in given.items():
        with suppress(ValueError, LookupError, TypeError):
            states[session_file.find_study(key)] = session_file.read_state(session_file.find_study(key), each)
    return states


def _of_each_study(given: list[Mapping[str, Any]]) -> Left:
    """What the first recovery format kept: the file of the study in view is that of the session."""
    states: dict[type[Study], StudyState] = {}
    saved: dict[type[Study], StudyState] = {}
    place: Place | None = None
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
                place = Place(_path(each["file"]), _stamp(each["stamp"]), frozenset({study_class}),
                              each["exact"] is True)
    if in_view is None:
        return nothing()
    return Left(Session(in_view, states), Session(in_view, saved), place)


def _path(given: str) -> Path:
    return Path(os.fsdecode(unquote_to_bytes(given)))


def _stamp(given: list[int] | None) -> Stamp | None:
    return None if given is None else (int(given[0]), int(given[1]), int(given[2]))
