"""What studies compare: kinds of mechanisms, named by their class or by where it stands."""

from __future__ import annotations

from importlib import import_module
from typing import TypeAlias, TypeVar

from dpstudio.mechanisms.mechanism import Mechanism

M = TypeVar("M", bound=Mechanism)
ClassOrPath: TypeAlias = type[M] | str
"""A class, or “module:Class”."""


def found(kind: ClassOrPath[M]) -> type[M]:
    """The class itself; raises ImportError or AttributeError where there is none."""
    if not isinstance(kind, str):
        return kind
    module, _, name = kind.partition(":")
    cls: type[M] = getattr(import_module(module), name)
    return cls
