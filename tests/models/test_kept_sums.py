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

    def ask(questions: int, numbers: int) -> int:
        for i in range(questions):
            every_number((2000.0,) * numbers, (0.3,) * numbers, (0.7 + i * 1e-9,) * numbers)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    binomial._kept.cache_clear()
    tracemalloc.start()
    yield ask
    tracemalloc.stop()
    binomial._kept.cache_clear()


def test_that_of_the_numbers_up_to_many_n_few_are_kept(held):
    one = held(1, 100)
    assert one > 2_000_000, "as much as a vector of many n takes"
    assert held(20, 100) < 3 * one


def test_that_of_millions_of_numbers_none_is_kept(held):
    assert held(2, 500) < 1_000_000


def test_that_what_is_kept_is_what_is_made():
    asked = (7.0, 0.0, 30.0), (0.3, 0.1, 1e-9), (0.7, 0.9, 1 - 1e-9)
    assert every_number(*asked) is every_number(*asked)
    for kept, made in zip(every_number(*asked), binomial._every_number(*asked), strict=True):
        assert kept.tolist() == made.tolist()
