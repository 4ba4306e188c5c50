"""What takes longer: what somebody looks at, and whether anybody waits for it, or still does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from dpstudio.records import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody looks at: tables by name, facts by keys of quantity and series, and how many sentences."""

    tables: frozenset[str] = frozenset()
    facts: frozenset[tuple[str, str | None]] = frozenset()
    sentences: int = 0


NOTHING, EVERY = Wanted(), 1_000_000
"""Nothing to look at, and more sentences than any answer has."""


class NotYet(Exception):
    """A fact or table that takes longer was asked for where nobody waits for it."""


_ask: ContextVar[Callable[[], object] | None] = ContextVar("ask", default=None)


def awaited_by(ask: Callable[[], object]) -> None:
    """In this thread `still_awaited` calls this from now on, which raises where nobody waits any more."""
    _ask.set(ask)


def still_awaited() -> None:
    """Called in what takes long by itself, some times a second: raises where nobody waits for it any more.

    What it ends leaves nothing half done: values that are computed once are kept when they are there.
    """
    if (ask := _ask.get()) is not None:
        ask()


_hurried: ContextVar[bool] = ContextVar("hurried", default=False)


def in_a_hurry() -> bool:
    """Whether nobody here waits for what takes longer."""
    return _hurried.get()


@contextmanager
def hurried(hurry: bool = True) -> Iterator[None]:
    """Within this nothing that takes longer is computed: who asks for it meets NotYet."""
    token = _hurried.set(hurry)
    try:
        yield
    finally:
        _hurried.reset(token)
