"""Which doubles textbook Laplace noise can release, against trying every one of its uniform numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.mechanisms.noise import doubles as floating
from dpstudio.mechanisms.noise.doubles import around, laplace_in_doubles, reachable

answers = st.one_of(st.sampled_from([0.0, 1.0, -3.0, 1000.0, 2.0**53, 1e16]), st.floats(-1e3, 1e3))
scales = st.one_of(st.sampled_from([0.5, 1.0, 10.0]), st.floats(-6, 6).map(math.exp))


@settings(max_examples=25, deadline=None)
@given(answer=answers, scale=scales, bits=st.integers(6, 12))
def test_that_of_a_coarse_generator_just_what_it_can_release_is_reachable(answer, scale, bits):
    """All u are tried, and the doubles next to every one released; the same from the neighbour’s answer."""
    before, floating._GRID = floating._GRID, 2.0**-bits
    try:
        k = np.arange(1.0, 2**bits)
        released = {at: np.unique([at + sign * (scale * np.log(k * 2.0**-bits)) for sign in (1, -1)])
                    for at in (answer, answer + 1)}
        asked = np.concatenate([*released.values(), *(np.nextafter(each, side) for each in released.values()
                                                      for side in (-np.inf, np.inf))])
        np.testing.assert_array_equal(reachable(asked, answer, scale), np.isin(asked, released[answer]))
    finally:
        floating._GRID = before


@settings(max_examples=25, deadline=None)
@given(answer=st.sampled_from([0.0, 1.0, 2.0, 100.0, 12345.0]), scale=scales, seed=st.integers(0, 2**32))
def test_that_no_u_farther_off_leads_to_a_double_that_is_called_unreachable(answer, scale, seed):
    rng = np.random.default_rng(seed)
    asked = np.concatenate([around(one, 5) for one in laplace_in_doubles(answer + 1, scale, 4, rng)])
    middle = np.exp(-np.abs(asked - answer) / scale) * 2.0**53
    k = np.clip(np.rint(middle)[:, None] + np.arange(-3000.0, 3001.0), 1, 2.0**53 - 1)
    sign = np.where(asked < answer, 1.0, -1.0)[:, None]
    found = (answer + sign * (scale * np.log(k * 2.0**-53)) == asked[:, None]).any(axis=1)
    np.testing.assert_array_equal(reachable(asked, answer, scale), found)


@settings(max_examples=25, deadline=None)
@given(answer=answers, scale=scales, seed=st.integers(0, 2**32))
def test_that_whatever_is_released_is_reachable(answer, scale, seed):
    released = laplace_in_doubles(answer, scale, 20_000, np.random.default_rng(seed))
    assert reachable(released, answer, scale).all()


def test_that_the_answer_itself_is_released_by_noise_above_it_where_below_a_power_of_two_doubles_are_too_dense():
    assert 1 + 0.75 * 2.0**-53 == 1.0 > 1 - 0.75 * 2.0**-53
    assert reachable(1.0, 1.0, 0.75)
    assert not reachable(0.0, 0.0, 0.75)


def test_that_most_releases_of_one_cannot_come_from_none_and_few_of_a_thousand_from_one_less():
    rng, size = np.random.default_rng(3), 40_000
    share = {n: 1 - reachable(laplace_in_doubles(n + 1.0, 1.0, size, rng), n, 1.0).mean() for n in (0, 1000)}
    assert share[0] == pytest.approx(0.602, abs=0.012)
    assert 0 < share[1000] < 0.003


def test_that_the_noise_in_doubles_is_laplace_noise_as_far_as_large_samples_tell():
    drawn = laplace_in_doubles(5.0, 2.0, 100_000, np.random.default_rng(1)) - 5
    assert np.mean(drawn > 0) == pytest.approx(0.5, abs=0.006)
    assert np.abs(drawn).mean() == pytest.approx(2.0, rel=0.012)


@pytest.mark.parametrize("released", [1.0, -1.0, 0.1, 1e300, 5e-324, -1e-323, 0.0, -0.0])
def test_that_the_doubles_around_one_are_its_next_ones_both_ways(released):
    near = around(released, 4)
    assert near[4] == released
    np.testing.assert_array_equal(near[1:], np.nextafter(near[:-1], np.inf))
