"""Records are what the standard library makes of the same classes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, replace

import pytest

from dpstudio import records

NAN = float("nan")


def declared(dataclass):
    """The same classes, made by one or the other."""
    @dataclass(frozen=True)
    class Plain:
        a: int
        b: tuple = ()
        c: object = field(default=None, compare=False)
        d: object = field(default=None, repr=False)

    @dataclass(frozen=True, slots=True)
    class Slotted:
        a: int
        b: str = ""

    @dataclass(frozen=True)
    class Lone:
        a: float

    @dataclass(frozen=True)
    class Empty:
        pass

    @dataclass(slots=True)
    class Changed:
        a: int

    @dataclass(frozen=True, eq=False)
    class Itself:
        a: int

    @dataclass(frozen=True)
    class Own:
        a: int

        def __repr__(self):
            return "own"

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 7

    @dataclass(frozen=True)
    class Unhashed:
        a: int

        def __eq__(self, other):
            return True

    @dataclass(frozen=True)
    class Under(Plain):
        e: int = 3

    return [Plain(1), Plain(1, c=2), Plain(1, d=2), Plain(2, (3,)), Slotted(1), Slotted(1, "b"), Under(1),
            Under(1, e=4), Lone(1.0), Lone(NAN), Lone(NAN), Empty(), Changed(1), Changed(1), Itself(1), Itself(1),
            Own(1), Own(2), Unhashed(1), Unhashed(2)]


def hashed(record):
    try:
        return hash(record)
    except TypeError:
        return None


def test_that_a_record_is_written_compared_and_hashed_as_the_standard_library_does():
    ours, theirs = declared(records.dataclass), declared(dataclasses.dataclass)
    assert [*map(repr, ours)] == [*map(repr, theirs)]
    assert [[a == b for a in ours] for b in ours] == [[a == b for a in theirs] for b in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert type(mine).__name__ == "Itself" or hashed(mine) == hashed(other)


def test_that_a_frozen_record_stays_and_is_replaced():
    plain, *_, slotted = declared(records.dataclass)[:5]
    for record in (plain, slotted):
        with pytest.raises(FrozenInstanceError):
            record.a = 2
        with pytest.raises(FrozenInstanceError):
            del record.a
        assert replace(record, a=2).a == 2
        assert copy.copy(record) == record


@records.dataclass(frozen=True, slots=True)
class Sent:
    a: int
    inner: object = None


def test_that_a_record_goes_to_another_process_and_may_hold_itself():
    assert pickle.loads(pickle.dumps(Sent(1, Sent(2)))) == Sent(1, Sent(2))
    held = []
    held.append(Sent(1, held))
    assert repr(held[0]) == "Sent(a=1, inner=[...])"
