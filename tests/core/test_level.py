"""What is seen first, and what is not."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.level import LevelOne
from dpstudio.core.results import Series

ONE = LevelOne(("epsilon",), (v.NOISE_SD,), (Series("laplace", "Laplace"),), "densities", ("profile",),
               wanted=v.NOISE_SD)


def test_that_what_is_not_named_is_of_level_two():
    assert [ONE.level_of(name) for name in ("epsilon", "delta")] == [1, 2]
    assert [ONE.level_of_fact(quantity) for quantity in (v.NOISE_SD, v.MEAN_ERROR)] == [1, 2]
    assert [ONE.level_of_figure(key) for key in ("densities", "profile", "loss")] == [1, 1, 2]
    assert [ONE.level_of_series(Series(key, key)) for key in ("laplace", "gaussian")] == [1, 2]
