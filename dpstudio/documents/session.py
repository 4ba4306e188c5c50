"""Sessions: a study and the values that were set, as a small JSON file that is read strictly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpstudio import __version__
from dpstudio.core.declare import Follow, InvalidParameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin, read_origin
from dpstudio.documents import embedded
from dpstudio.documents.files import atomic, read_file
from dpstudio.documents.strict_json import LARGEST, NotJson, parse
from dpstudio.studies import all_studies
from dpstudio.text.given import shown
from dpstudio.vocabulary import Value

APPLICATION = "DP Studio"
FORMAT = 2
"""The first stated the plain digest of a table in which values were counted; it is read for ever."""
KEYS = ("application", "version", "format", "study", "values")
DATA = "data"
"""The one key that need not be there: where some of the values were counted."""


class SessionError(ValueError):
    """A file that is no session: one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a session holds."""

    study_class: type[Study]
    explicit: dict[str, Value]
    data: Origin | None = None
    """Where some of the values were counted; these are missing among them unless it says that they go along."""


def explicit_of(study: Study) -> dict[str, Value]:
    """The values of a study without those that merely follow another."""
    return {declared.name: value for declared in study.parameters()
            if (value := getattr(study, declared.name)) is not None
            and not (isinstance(declared.default, Follow) and value == study.default(declared.name))}


def text(study_class: type[Study], explicit: Mapping[str, object], *, indent: int | None = None,
         data: Origin | None = None, again: bool = False) -> str:
    """The session as JSON.

    Every parameter is written, because defaults may change in later versions; one that follows another, as null. Only
    an exact count that was taken from data is not, unless its origin says that it goes along. The table's name and the
    condition then stay behind with it, but for `again`: so that it can be counted again.
    """
    resolved = study_class(**explicit).values()
    values = {declared.name: resolved[declared.name]
              if declared.name in explicit or not isinstance(declared.default, Follow) else None
              for declared in study_class.parameters()
              if data is None or data.exact or declared.name not in data.counts}
    document = dict(zip(KEYS, (APPLICATION, __version__, FORMAT, study_class.key, values), strict=True))
    if data is not None:
        document[DATA] = (data if again else data.leaving).as_json()
    return json.dumps(document, indent=indent, allow_nan=False)


def save(path: str | Path, study_class: type[Study], explicit: Mapping[str, object],
         data: Origin | None = None) -> None:
    """Write a session, which says how to count again what is left out; raises OSError, leaving an older file."""
    content = text(study_class, explicit, indent=2, data=data, again=True) + "\n"
    with atomic(path) as file:
        file.write(content.encode("utf-8"))


def load(path: str | Path) -> tuple[type[Study], dict[str, Value]]:
    """The study and the values set, from a session or from a picture that carries one; raises as `load_all` does."""
    kept = load_all(path)
    return kept.study_class, kept.explicit


def load_all(path: str | Path) -> Kept:
    """What a session holds, or a picture that carries one.

    Raises SessionError in one sentence where the file is neither, and OSError where it cannot be read or is no ordinary
    file. A value that equals its parameter's default is not told apart from one that was never set.
    """
    data = read_file(path, embedded.LARGEST_PICTURE)
    name = Path(path).name
    try:
        if not embedded.is_picture(data):
            return read_all(data)
        if len(data) > embedded.most(data):
            raise SessionError("it is far too large")
        content = embedded.extract(data)
        if content is None or len(content) > LARGEST:
            raise SessionError("this picture carries none")
        return read_all(content)
    except SessionError as error:
        raise SessionError(f"{shown(name)} is not a session: {error}") from None


def read_from_picture(path: str | Path) -> tuple[type[Study], dict[str, Value]]:
    """The session that a picture of ours carries."""
    return load(path)


def read(content: bytes | str) -> tuple[type[Study], dict[str, Value]]:
    """The study and the values of a session's text; raises SessionError."""
    kept = read_all(content)
    return kept.study_class, kept.explicit


def read_all(content: bytes | str) -> Kept:
    """What a session's text holds; raises SessionError."""
    try:
        document = parse(content)
    except NotJson as error:
        raise SessionError(str(error)) from None
    if not isinstance(document, dict):
        raise SessionError("it holds no JSON object")
    version = document.get("format")
    if document.get("application") != APPLICATION or not isinstance(version, int) or isinstance(version, bool):
        raise SessionError(f"it does not say that {APPLICATION} wrote it, and in which format")
    if not 1 <= version <= FORMAT:
        reason = f"a newer {APPLICATION} wrote it" if version > FORMAT else "there is no such format"
        raise SessionError(f"format {shown(version)}, and this version reads formats 1 to {FORMAT}: {reason}")
    for key in document:
        if key not in (*KEYS, DATA):
            raise SessionError(f"unknown key {shown(key)}")
    for key in KEYS:
        if key not in document:
            raise SessionError(f"{key} is missing")
    if not isinstance(document["version"], str) or not isinstance(document["study"], str):
        raise SessionError("version and study must be text")
    if not isinstance(document["values"], dict):
        raise SessionError("values must be an object of parameters")
    study_class = all_studies().get(document["study"])
    if study_class is None:
        known = ", ".join(all_studies())
        raise SessionError(f"unknown study {shown(document['study'])}: the studies are {known}")
    explicit = _values(study_class, document["values"])
    return Kept(study_class, explicit, _data(study_class, document) if DATA in document else None)


def _data(study_class: type[Study], document: Mapping[str, Any]) -> Origin:
    """Where values were counted; an exact count that is said to be left out must be."""
    try:
        data = read_origin(document[DATA], {declared.name: declared for declared in study_class.parameters()},
                           first=document["format"] == 1)
    except InvalidParameter as error:
        raise SessionError(str(error)) from None
    for name in data.counts:
        if not data.exact and name in document["values"]:
            raise SessionError(f"it says that {name} is left out, and holds it")
    return data


def _values(study_class: type[Study], given: Mapping[str, object]) -> dict[str, Value]:
    """The values that differ from their defaults, as the declarations accept them."""
    declarations = {declared.name: declared for declared in study_class.parameters()}
    explicit: dict[str, Value] = {}
    try:
        for name, value in given.items():
            if name not in declarations:
                raise SessionError(f"unknown parameter {shown(name)}")
            declared = declarations[name]
            if value is None and isinstance(declared.default, Follow):
                continue
            accepted = declared.accept(value)
            if accepted is not None and accepted != declared.default:
                explicit[name] = accepted
        study_class(**explicit)
    except InvalidParameter as error:
        raise SessionError(str(error)) from None
    return explicit
