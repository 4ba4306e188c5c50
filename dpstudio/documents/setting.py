"""Settings: a study with what was set of it and where its values come from; and the words that name one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field, replace
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from dpstudio.core.attacker import Attacker, alone, faces, set_of
from dpstudio.core.declare import Follow, InvalidParameter, Parameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents import words
from dpstudio.records import dataclass
from dpstudio.vocabulary import Value

Values: TypeAlias = Mapping[str, Value]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting:
    """A study with the names of the parameters that were set, and what is known of where their values come from."""

    study: Study
    names: frozenset[str] = frozenset()
    counted: Mapping[str, Origin] = field(default_factory=dict)
    """Values that are exact counts of data, were moved from one, or follow from one, with where that was counted."""
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

    def varied(self, values: Mapping[str, object], only: str | None = None) -> Setting:
        """The same with other values of some parameters, as a hand sets them: what was counted stays as sensitive."""
        moved = self.moved | values.keys()
        return replace(setting(type(self.study), {**self.explicit, **values}, self.counted, moved, self.own), only=only)

    def found(self, values: Mapping[str, object], only: str | None = None) -> Setting:
        """The same with values that were found at this setting: solved for, matched, read off a picture.

        A count that stands here took part in that, so what was found follows from it.
        """
        varied = self.varied(values, only)
        if not self.counted:
            return varied
        counted = {**self.counted, **dict.fromkeys(values.keys() - self.counted.keys(), self._first)}
        moved = varied.moved - self._following(values)
        return replace(varied, counted=counted, moved=moved, own=self.own - counted.keys())

    @property
    def follows(self) -> frozenset[str]:
        """Of what was counted, that which was found where a count took part."""
        return frozenset(self._following(self.counted))

    def _following(self, names: Iterable[str]) -> set[str]:
        """Those of the names that are no counts of the table: what they hold can only have been found."""
        return {name for name in names if name not in self.counted.get(name, self._first).counts}

    @property
    def _first(self) -> Origin:
        return next(iter(self.counted.values()))

    @property
    def explicit(self) -> Values:
        """The values that were set, by name, and those of the attacker whom the study faces."""
        return MappingProxyType({**self.set_here, **set_of(self.study)})

    @property
    def set_here(self) -> Values:
        """The values that were set of the study alone, by name."""
        return MappingProxyType({name: getattr(self.study, name) for name in self.study.values() if name in self.names})

    @property
    def as_it_comes(self) -> Setting:
        """The study with nothing set, facing the same."""
        return Setting(type(self.study)()).facing(alone(self.study))

    def facing(self, attacker: Attacker) -> Setting:
        """The same where somebody else is feared; itself where it is the same."""
        return self if faces(self.study, attacker) else replace(self, study=self.study.replace(**attacker.values()))

    @property
    def bare(self) -> tuple[object, ...]:
        """The study and its values, without whom it faces."""
        return type(self.study), _bare(type(self.study))(self.study)  # type: ignore[arg-type]  # as in core.declare

    @property
    def origin(self) -> Origin | None:
        """Where values were counted, all of them in one table, which of them were moved since, and what follows."""
        if not self.counted:
            return None
        order = [name for name in self.study.values() if name in self.counted]
        return replace(self._first, counts=tuple(name for name in order if name not in self.follows),
                       moved=tuple(name for name in order if name in self.moved),
                       follows=tuple(name for name in order if name in self.follows))

    def leaving(self, exact: bool) -> Setting:
        """The same as it may leave: what was counted marked to go along, or defaults in the place of all of it."""
        if not self.counted:
            return self
        if exact:
            return replace(self, counted={name: replace(origin, exact=True) for name, origin in self.counted.items()})
        return replace(_with_defaults(type(self.study), without(self.explicit, self.counted)), only=self.only)


@cache
def _bare(study_class: type[Study]) -> attrgetter[tuple[Value, ...]]:
    return attrgetter(*(name for name in study_class.by_name() if name not in Attacker.by_name()))


def _with_defaults(study_class: type[Study], explicit: Mapping[str, Value]) -> Setting:
    """The study with these values; where a default does not go together with them, without the last of them."""
    kept = dict(explicit)
    while True:
        try:
            return setting(study_class, kept)
        except InvalidParameter:
            if not kept:
                raise
            kept.popitem()


def setting(study_class: type[Study], explicit: Mapping[str, object], counted: Mapping[str, Origin] | None = None,
            moved: Collection[str] = (), own: Collection[str] = ()) -> Setting:
    """The study with these values set; raises InvalidParameter for a bad one, or a name that it does not have."""
    known = [each.name for each in study_class.parameters()]
    for name, value in explicit.items():
        if name not in known:
            raise InvalidParameter(name, f"one of the parameters {', '.join(known)}", value)
    study = study_class(**explicit)
    names = frozenset(name for name, value in explicit.items() if value is not None) - Attacker.by_name().keys()
    counted = counted or {}
    return Setting(study, names, counted, frozenset(moved) & counted.keys(), frozenset(own) - counted.keys())


def of_data(study_class: type[Study], explicit: Mapping[str, object], data: Origin | None
            ) -> tuple[Setting, Origin | None]:
    """The setting of these values; `data` says where some were counted, and they are left out unless it is exact."""
    if data is None:
        return setting(study_class, explicit), None
    if data.exact:
        return setting(study_class, explicit, dict.fromkeys(data.names, data), data.moved), None
    return setting(study_class, without(explicit, data.names)), data


def without(kept: Mapping[str, T], names: Collection[str]) -> dict[str, T]:
    """What is left of a mapping."""
    return {name: value for name, value in kept.items() if name not in names}


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
