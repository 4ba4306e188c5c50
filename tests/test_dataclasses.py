"""Records are what the standard library makes of the same classes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading
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


class Asked:
    """Values that are computed once; the slow one waits to be let go."""

    def __init__(self):
        self.begun, self.go_on, self.times = threading.Event(), threading.Event(), 0

    @records.cached_property
    def slow(self):
        """What takes long."""
        self.times += 1
        self.begun.set()
        assert self.go_on.wait(10)
        return object()


def test_that_a_value_is_computed_once_and_kept_with_its_record():
    asked, other = Asked(), Asked()
    asked.go_on.set()
    other.go_on.set()
    assert asked.slow is asked.slow is vars(asked)["slow"]
    assert other.slow is not asked.slow
    assert (asked.times, other.times) == (1, 1)
    assert Asked.slow.__doc__ == "What takes long."


def test_that_nobody_waits_for_what_a_thread_computes_of_another_record():
    kept, free = Asked(), Asked()
    thread = threading.Thread(target=lambda: kept.slow, daemon=True)
    thread.start()
    try:
        assert kept.begun.wait(10)
        free.go_on.set()
        found = []
        reading = threading.Thread(target=lambda: found.append(free.slow), daemon=True)
        reading.start()
        reading.join(5)
        assert found
    finally:
        kept.go_on.set()
        thread.join(10)


def test_that_of_two_threads_that_compute_a_value_both_have_the_same():
    asked, found = Asked(), []
    threads = [threading.Thread(target=lambda: found.append(asked.slow), daemon=True) for _ in range(2)]
    for each in threads:
        each.start()
    assert asked.begun.wait(10)
    asked.go_on.set()
    for each in threads:
        each.join(10)
    assert found[0] is found[1]
