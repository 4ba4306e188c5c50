"""What a session's file holds, read and written as the fields of its classes declare it.

    note: str = file_field("", longest=LONGEST_NOTE)

A field says its name in the file where that is another, the words of its domain, how many or how much it may hold, and
what else is refused; its type says the rest. Reading checks types strictly: an integer is no text, and yes is no
number. What is read and what an edit gives are checked alike. A field of a setting stands for the keys of that setting.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sized
from dataclasses import MISSING, field, fields, is_dataclass, replace
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import Follow, InvalidParameter
from dpstudio.core.results import Series
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin, read_origin
from dpstudio.documents.setting import Setting, of_data
from dpstudio.records import dataclass
from dpstudio.text.given import shown
from dpstudio.vocabulary import Value

DATA = "data"
"""Where some of the values were counted; the one key of a setting that need not be there."""
ONLY = "only"
"""Of a pin: the key of the one series that it keeps."""
LARGEST_NUMBER = 1e300
"""Of a view; an integer may be too large for a float."""
PHRASES = {str: "a text", bool: "true or false", tuple[str, ...]: "a list of texts", tuple[float, float]: "two numbers"}


class SessionError(ValueError):
    """A file that is no session: one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an object of the file, and the field that holds what stands there."""

    name: str
    """Of the field."""
    hint: Any
    """The type of the field."""
    needed: bool
    """Whether it is always written, and must be there."""
    key: str
    means: str = ""
    """The words of its domain, where its type does not say them."""
    most: int | None = None
    """How many it may hold."""
    longest: int | None = None
    """Signs of its text."""
    called: str = ""
    """What it is called where an edit is refused, if not by its name."""
    only: tuple[str, ...] = ()
    """Of an object: the fields that it has, where these are not all."""
    raw: bool = False
    """Whether what else is refused says more than its type."""
    check: Callable[[type[Study], Any], Any] | None = None

    def checked(self, kind: type[Study], held: Any) -> Any:
        """What the field is to hold, as it has to be; raises InvalidParameter."""
        if isinstance(held, str) and self.longest is not None:
            fits(self.called or self.name, held, self.longest)
        if isinstance(held, tuple):
            if self.most is not None:
                few(self.called or self.name, held, self.most)
            held = tuple(_checked(kind, each) for each in held)
        held = _checked(kind, held)
        return held if self.check is None else self.check(kind, held)


def _checked(kind: type[Study], held: Any) -> Any:
    """Something held, with what each of its fields is to hold; what has a `check` knows whether it goes together."""
    if is_dataclass(held) and not isinstance(held, Setting | type):
        for key in keys_of(type(held)).values():
            key.checked(kind, getattr(held, key.name))
    return held.check(kind) if hasattr(held, "check") else held


def file_field(default: Any, *, compare: bool = True, **said: Any) -> Any:
    """A field of a dataclass that says of itself what `Key` has; with `always` it is written though it is empty."""
    if isinstance(default, type):
        return field(default_factory=default, compare=compare, metadata=said)
    return field(default=default, compare=compare, metadata=said)


@cache
def keys_of(held: Any) -> Mapping[str, Key]:
    """The keys that objects of a class have in the file, by the names of their fields; a setting has its own."""
    hints, made = get_type_hints(held), {}
    for each in fields(held):
        said = {"key": each.name, **each.metadata}
        needed = said.pop("always", each.default is MISSING and each.default_factory is MISSING)
        if each.name not in ("setting", "left_out"):
            made[each.name] = Key(each.name, hints[each.name], needed, **said)
    return made


def fits(name: str, text: str, longest: int) -> str:
    """The text; raises InvalidParameter for one that is too long."""
    if len(text) > longest:
        raise InvalidParameter(name, f"a text of at most {longest} signs", text)
    return text


def few(name: str, kept: Sized, most: int) -> None:
    """Raises InvalidParameter where a study would have too many of something."""
    if len(kept) > most:
        raise InvalidParameter(name, f"at most {most} of one study", len(kept))


# Writing


def written(held: Any, again: bool) -> Any:
    """What the file states of something held, with `again` also where to count again what is left out."""
    if isinstance(held, Setting):
        return _written_setting(held, held.origin, again) | ({ONLY: held.only} if held.only else {})
    if is_dataclass(held) and not isinstance(held, type):
        made: dict[str, Any] = {}
        if hasattr(held, "setting"):
            made = _written_setting(held.setting, getattr(held, "origin", held.setting.origin), again)
        return made | {each.key: inner for each in keys_of(type(held)).values()
                       if (inner := written(getattr(held, each.name), again)) or each.needed}
    if isinstance(held, Mapping):
        return {name: written(each, again) for name, each in held.items()}
    if isinstance(held, tuple | frozenset):
        return [written(each, again) for each in (sorted(held) if isinstance(held, frozenset) else held)]
    return held


def _written_setting(setting: Setting, data: Origin | None, again: bool) -> dict[str, Any]:
    """Values, and where they were counted; what its origin does not let go along is never written.

    The attacker is the session’s, and written once.
    """
    resolved = setting.study.values()
    values = {declared.name: resolved[declared.name]
              if declared.name in setting.names or not isinstance(declared.default, Follow) else None
              for declared in setting.study.parameters() if declared.name not in Attacker.by_name()
              and (data is None or data.exact or declared.name not in data.names)}
    return {"values": values} | ({} if data is None else {DATA: (data if again else data.leaving).as_json()})


# Reading


class _Place(NamedTuple):
    """What is being read: of which study, under which name, and the words of the domain that it has to be in."""

    kind: type[Study]
    name: str
    means: str = ""
    most: int | None = None

    def need(self, good: bool, phrase: str) -> None:
        if not good:
            raise SessionError(f"{self.name} must be {self.means or phrase}")


def read_object(kind: type[Study], made: Any, name: str, given: object, means: str = "",
                only: Collection[str] = ()) -> Any:
    """An object of a class from what the file states of it; raises SessionError, and InvalidParameter."""
    keys = [each for each in keys_of(made).values() if not only or each.name in only]
    has_setting = "setting" in made.__dataclass_fields__
    needed = ["values"] * has_setting + [each.key for each in keys if each.needed]
    further = [DATA] * has_setting + [each.key for each in keys if not each.needed]
    if not isinstance(given, dict):
        raise SessionError(f"{name} must be {means or 'an object of ' + ', '.join((*needed, *further))}")
    need_keys(given, needed, further)
    held: dict[str, Any] = {}
    if has_setting:
        held["setting"], left_out = read_setting(kind, given)
        if "left_out" in made.__dataclass_fields__:
            held["left_out"] = left_out
    for each in keys:
        if each.key in given:
            place = _Place(kind, each.key, each.means, each.most)
            read = given[each.key] if each.raw else _read(place, each.hint, given[each.key], each.only)
            held[each.name] = each.checked(kind, read)
    return made(**held)


def need_keys(given: Mapping[str, object], needed: Iterable[str], further: Iterable[str]) -> None:
    """Raises SessionError for a key that is unknown, or missing."""
    for key in given:
        if key not in (*needed, *further):
            raise SessionError(f"unknown key {shown(key)}")
    for key in needed:
        if key not in given:
            raise SessionError(f"{key} is missing")


def _read(place: _Place, hint: Any, given: Any, only: tuple[str, ...] = ()) -> Any:
    """What is given as a value of a type."""
    parts = get_args(hint)
    if NoneType in parts:
        return None if given is None else _read(place, parts[0], given)
    if hint is float:
        place.need(isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < LARGEST_NUMBER,
                   "a number")
        return float(given)
    if hint in (str, bool):
        place.need(isinstance(given, hint), PHRASES[hint])
        return given
    if is_dataclass(hint):
        return read_object(place.kind, hint, place.name, given, place.means, only)
    if get_origin(hint) is tuple and parts[-1] is not Ellipsis:
        inner = place._replace(means=place.means or PHRASES[hint])
        inner.need(isinstance(given, list) and len(given) == len(parts), "")
        return tuple(_read(inner, part, each) for part, each in zip(parts, given, strict=True))
    if get_origin(hint) in (tuple, frozenset):
        return get_origin(hint)(_read_list(place, hint, parts[0], given))
    place.need(isinstance(given, dict) and (place.most is None or len(given) <= place.most), "an object")
    return {name: _read(_Place(place.kind, f"{place.name} {shown(name)}"), parts[1], each)
            for name, each in given.items()}


def _read_list(place: _Place, hint: Any, each: Any, given: Any) -> list[Any]:
    """No more are looked at than there may be, and none is passed over."""
    if not is_dataclass(each):
        inner = place._replace(means=place.means or PHRASES[hint], most=None)
        inner.need(isinstance(given, list) and (place.most is None or len(given) <= place.most), "")
        return [_read(inner, each, one) for one in given]
    place.need(isinstance(given, list) and all(isinstance(one, dict) for one in given), "a list of objects")
    if place.most is not None:
        few(place.name, given, place.most)
    if each is Setting:
        return [_read_pin(place.kind, one) for one in given]
    return [read_object(place.kind, each, place.name, one) for one in given]


def read_setting(kind: type[Study], given: Mapping[str, Any], *, first: bool = False) -> tuple[Setting, Origin | None]:
    """Values that differ from their defaults, and what was left out and how to count it again.

    What is said to be left out must be. `first` is for the first format.
    """
    values = given["values"]
    if not isinstance(values, dict):
        raise SessionError("values must be an object of parameters")
    declarations = {declared.name: declared for declared in kind.parameters()}
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
    return of_data(kind, explicit, data)


def _read_pin(kind: type[Study], given: Mapping[str, Any]) -> Setting:
    need_keys(given, ("values",), (DATA, ONLY))
    return replace(read_setting(kind, given)[0],
                   only=of_series(given.get(ONLY), kind.answers().series(), f"of {kind.key}"))


def of_series(given: object, series: Iterable[Series], those: str) -> str | None:
    """The key of one of the series, or None where none is given; raises SessionError for any other."""
    if given is None:
        return None
    keys = [one.key for one in series]
    if given not in keys:
        raise SessionError(f"unknown series {shown(given)}: those {those} are {', '.join(keys) or 'none'}")
    return str(given)
