"""What is kept from one question to the next is little, whatever was asked."""

from __future__ import annotations

import gc
import tracemalloc

from dpstudio.models.testing.binomial import every_number


def test_that_of_the_numbers_up_to_many_n_few_are_kept():
    def held(questions):
        for i in range(questions):
            every_number((2000.0,) * 100, (0.3,) * 100, (0.7 + i * 1e-9,) * 100)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        one = held(1)
        assert one > 2_000_000, "as much as a vector of many n takes"
        assert held(20) < 3 * one
    finally:
        tracemalloc.stop()
        every_number.cache_clear()
