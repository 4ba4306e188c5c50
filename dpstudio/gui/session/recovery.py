"""What the next start begins with: every study's values, and the sessions that they belong to."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents import session
from dpstudio.documents.files import atomic, read_file
from dpstudio.documents.strict_json import parse
from dpstudio.gui.session.opening import Stamp, stamp_of
from dpstudio.gui.shell.settings import data_folder
from dpstudio.vocabulary import Value

LAST = "last-sessions.json"
OLD = "last-session.dpstudio"
"""What versions before kept: the study on screen, as a session."""
FORMAT = 1
LARGEST = 2**22


@dataclass(frozen=True, slots=True)
class Entry:
    """A study as the window left it."""

    study_class: type[Study]
    explicit: Mapping[str, Value]
    data: Origin | None = None
    file: Path | None = None
    """The session that it was opened from or saved to."""
    changed: bool = True
    """Whether it differs from that file or, without one, from what was opened."""
    exact: bool = False
    """Whether that file holds exact counts."""
    stamp: Stamp | None = None


class Keeper:
    """Keeps the studies of one window; another may keep its own in the same place meanwhile."""

    def __init__(self) -> None:
        self._found: Mapping[type[Study], Entry] = {}
        self._begun: Mapping[type[Study], Entry] = {}
        self._touched: set[type[Study]] = set()
        """The studies that this window has changed."""
        self._kept: dict[type[Study], Entry] = {}
        """The studies as they were last kept, by whichever window."""
        self._stamp: Stamp | None = None
        """How the file of these was marked."""

    def begin(self, found: Sequence[Entry], begun: Sequence[Entry]) -> None:
        """Say what was found when the window was opened, and how its studies stood then."""
        self._found, self._begun = _by_study(found), _by_study(begun)

    def keep(self, entries: Sequence[Entry]) -> None:
        """Write the studies, the one in view first; what another window alone has changed stays as that one kept it.

        Raises OSError, leaving what was kept before.
        """
        self._touched |= {entry.study_class for entry in entries if entry != self._begun.get(
            entry.study_class, Entry(entry.study_class, {}, changed=False))}
        path = data_folder() / LAST
        if stamp_of(path) != self._stamp:
            self._kept = _by_study(kept())
        foreign = {each: entry for each, entry in self._kept.items()
                   if each not in self._touched and entry != self._found.get(each)}
        # In this order: a study is where it stands in this window, those that were never looked at here are last.
        self._kept = _by_study(entries) | foreign
        keep(list(self._kept.values()))
        self._stamp = stamp_of(path)


def _by_study(entries: Sequence[Entry]) -> dict[type[Study], Entry]:
    return {entry.study_class: entry for entry in entries}


def keep(entries: Sequence[Entry]) -> None:
    """Write the studies, the one in view first; raises OSError, leaving what was kept before."""
    document = {"application": session.APPLICATION, "recovery": FORMAT, "studies": [_as_json(each) for each in entries]}
    with atomic(data_folder() / LAST) as file:
        file.write((json.dumps(document, indent=1, allow_nan=False) + "\n").encode("ascii"))


def kept() -> list[Entry]:
    """The studies that were kept, as far as they can still be read."""
    try:
        document = parse(read_file(data_folder() / LAST, LARGEST))
        given = document["studies"] if document.get("recovery") == FORMAT else []
    except FileNotFoundError:
        return _kept_before()
    except (OSError, ValueError, LookupError, AttributeError, TypeError):
        return []
    entries: dict[type[Study], Entry] = {}
    for each in given if isinstance(given, list) else []:
        try:
            entry = _from_json(each)
        except (ValueError, LookupError, TypeError):
            continue  # a study that this version refuses is no reason to lose the others
        entries.setdefault(entry.study_class, entry)
    return list(entries.values())


def _kept_before() -> list[Entry]:
    try:
        found = session.load_all(data_folder() / OLD)
    except (OSError, ValueError):
        return []
    return [Entry(found.study_class, found.explicit, found.data)]


def _as_json(entry: Entry) -> dict[str, Any]:
    return {"session": json.loads(session.text(entry.study_class, entry.explicit, data=entry.data, again=True)),
            "file": None if entry.file is None else quote(os.fsencode(entry.file), safe="/ "),  # it need not be text
            "changed": entry.changed, "exact": entry.exact, "stamp": entry.stamp}


def _from_json(given: Mapping[str, Any]) -> Entry:
    found = session.read_all(json.dumps(given["session"]))
    file, stamp = given["file"], given["stamp"]
    if file is not None and not isinstance(file, str):
        raise TypeError(file)
    path = None if file is None else Path(os.fsdecode(unquote_to_bytes(file)))
    return Entry(found.study_class, found.explicit, found.data, path,
                 given["changed"] is not False, given["exact"] is True,
                 None if stamp is None else (int(stamp[0]), int(stamp[1]), int(stamp[2])))
