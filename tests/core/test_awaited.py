"""What takes long by itself ends where nobody waits for it, and can be asked for again."""

from __future__ import annotations

from contextvars import copy_context
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.core.attack import Grouped
from dpstudio.core.law import smallest_epsilon
from dpstudio.core.slow import awaited_by, still_awaited
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Want
from dpstudio.core.study import answer
from dpstudio.mechanisms.mixed import Mixed
from dpstudio.mechanisms.releases import Together
from dpstudio.studies.decision import Decision


class Left(Exception):
    """Nobody waits any more."""


def mixed():
    return Mixed((0.3, 0.2, 0.1), 0.4, (0.5,), 0.0)


def grouped():
    return Grouped(mixed(), 4).delta_at(np.array([0.5, 1.0, 2.0]))


def found_epsilon():
    return smallest_epsilon(mixed(), 1e-6)


def solution():
    return solve(Decision, {"delta": 1e-9}, [Want("band_width", "<=", 500.0, "laplace")], ["epsilon"]).values["epsilon"]


def chained():
    return Grouped(Together((0.3, 0.2)), 6).delta_at(1.0)


def touched():
    return Mixed((0.3, 0.2, 0.1), 0.0, (0.2,)).trade_off(np.geomspace(1e-6, 1.0, 50))


def transformed():
    return mixed().delta_at(np.linspace(0.0, 2.0, 2000))


def found_by_chords():
    return smallest_epsilon(Together((0.3, 0.2, 0.1)), 1e-3)


LONG = [grouped, found_epsilon, solution, chained, touched, transformed, found_by_chords]


@cache
def expected_of(work):
    """What comes of it where nobody leaves; it is the same each time."""
    return work()


def within(ask, work):
    """The work where `ask` is asked whether somebody waits, as in a thread of its own."""
    def done():
        awaited_by(ask)
        return work()

    return copy_context().run(done)


@pytest.mark.parametrize("work", LONG)
def test_that_it_asks_again_and_again(work):
    times = []
    within(lambda: times.append(1), work)
    assert len(times) >= 3


@pytest.mark.parametrize("work", LONG)
@settings(max_examples=3)
@given(after=st.integers(0, 2))
def test_that_what_was_left_anywhere_comes_to_the_same_when_it_is_asked_for_again(work, after):
    left = []

    def ask():
        left.append(1)
        if len(left) > after:
            raise Left

    expected = expected_of(work)
    with pytest.raises(Left):
        within(ask, work)
    assert np.array_equal(work(), expected)


def test_that_a_law_left_in_the_middle_is_whole_when_it_is_asked_again():
    expected = expected_of(grouped)
    for after in (0, 7, 30):
        law, left = Grouped(mixed(), 4), []

        def ask(after=after, left=left):
            left.append(1)
            if len(left) > after:
                raise Left

        with pytest.raises(Left):
            within(ask, lambda law=law: law.delta_at(np.array([0.5, 1.0, 2.0])))
        assert np.array_equal(law.delta_at(np.array([0.5, 1.0, 2.0])), expected)


def test_that_where_nobody_was_named_all_is_waited_for():
    copy_context().run(still_awaited)


def test_that_draws_and_facts_of_a_study_are_left_between_one_and_the_next():
    study, asked = Decision(trials=300_000), []
    within(lambda: asked.append(1), lambda: answer(study))
    draws = len(asked)
    assert draws > 2
    within(lambda: asked.append(1), lambda: study.answer().facts())
    assert len(asked) - draws >= len(study.answer().facts())
