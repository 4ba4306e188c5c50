"""What is kept from one question to the next is little, whatever was asked."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from dpstudio.models.testing import binomial
from dpstudio.models.testing.binomial import every_number


@pytest.fixture
def held():
    """Bytes held after so many questions of so many n each."""

    def ask(questions: int, numbers: int, of: float = 2000.0) -> int:
        for i in range(questions):
            every_number((of,) * numbers, (0.3,) * numbers, (0.7 + i * 1e-9,) * numbers)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    kept = binomial._kept, binomial._kept_few
    for each in kept:
        each.cache_clear()
    tracemalloc.start()
    yield ask
    tracemalloc.stop()
    for each in kept:
        each.cache_clear()


def test_that_of_the_numbers_up_to_many_n_few_are_kept(held):
    one = held(1, 100)
    assert one > 2_000_000, "as much as a vector of many n takes"
    assert held(20, 100) < 3 * one


def test_that_of_millions_of_numbers_none_is_kept(held):
    assert held(2, 500) < 1_000_000


def test_that_of_few_numbers_many_questions_are_kept_but_not_all(held):
    some = held(64, 2)
    assert some > 5_000_000
    assert held(300, 2) < 1.1 * some


def test_that_few_numbers_are_kept_while_as_many_others_are_asked_for_as_steps_towards_a_place_do():
    asked = (300.0, 310.0, 320.0), (0.3,) * 3, (0.7,) * 3
    first = every_number(*asked)
    for i in range(40):
        every_number((300.0 + i,), (0.3,), (0.7,))
    assert every_number(*asked) is first


def test_that_what_is_kept_is_what_is_made():
    asked = (7.0, 0.0, 30.0), (0.3, 0.1, 1e-9), (0.7, 0.9, 1 - 1e-9)
    assert every_number(*asked) is every_number(*asked)
    for kept, made in zip(every_number(*asked), binomial._every_number(*asked), strict=True):
        assert kept.tolist() == made.tolist()
