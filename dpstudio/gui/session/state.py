"""What a study was set to, and which of its values are sensitive: held by the document, before and after each step."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from dpstudio.data.origin import Origin
from dpstudio.vocabulary import Value

Values = Mapping[str, Value]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class State:
    """The values of a study that were set, and where those among them that are sensitive were counted."""

    explicit: Values = field(default_factory=dict)
    counted: Mapping[str, Origin] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    """What a person said is not from data."""


def without(kept: Mapping[str, T], names: Collection[str]) -> dict[str, T]:
    """What is left of a mapping."""
    return {name: value for name, value in kept.items() if name not in names}


def together(counted: Mapping[str, Origin], moved: Collection[str]) -> Origin | None:
    """One origin of the values that were counted, all in one table, and which of them were moved since."""
    if not counted:
        return None
    first = next(iter(counted.values()))
    return replace(first, counts=tuple(counted), moved=tuple(name for name in counted if name in moved))
