"""Records: the standard library's dataclasses, made in half of the time, and values of theirs that are computed once.

A hundred classes and more are made as the window starts. The standard library writes and compiles `__repr__`,
`__eq__` and `__hash__` for each class, which takes half of the time that a class takes. Here they are closures over
the names of its fields, and say the same. This imports nothing of the package.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from functools import cached_property as cached_property
else:
    class cached_property:  # noqa: N801
        """`functools.cached_property` as of Python 3.12 on, as which type checkers read it.

        Before, all records of a class wait for the one whose value is computed: a window for what a thread works on.
        """

        def __init__(self, compute):
            self.func, self.__doc__ = compute, compute.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, record, owner=None):
            if record is None:
                return self
            # Where two threads compute it, both have the value of the one that was ready first.
            return vars(record).setdefault(self._name, self.func(record))

    def dataclass(cls=None, /, *, frozen=False, eq=True, slots=False):
        """`dataclasses.dataclass`, as which type checkers read it."""
        def made(plain):
            own = vars(plain)
            record = dataclasses.dataclass(frozen=frozen, slots=slots, repr=False, eq=False)(plain)
            fields = dataclasses.fields(record)
            if "__repr__" not in own:
                record.__repr__ = _written([field.name for field in fields if field.repr])
            if eq and "__eq__" not in own:
                record.__eq__ = _alike([field.name for field in fields if field.compare])
            if eq and own.get("__hash__") is None:  # an `__eq__` of its own leaves a class without
                hashed = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
                record.__hash__ = _hashed(hashed) if frozen else None
            return record

        return made if cls is None else made(cls)


def _written(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _alike(names: list[str]) -> Callable[[Any, object], bool]:
    values = _values(names)

    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    return __eq__


def _hashed(names: list[str]) -> Callable[[Any], int]:
    values = _values(names)

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What a record has under these names; attrgetter gives no tuple for fewer than two."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)
