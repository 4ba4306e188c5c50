"""Laplace noise in doubles: what its last bits tell, and snapping, whose last bits tell nothing."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from goodness import chi_square
from hypothesis import given, settings
from hypothesis import strategies as st
from test_exact_sampling import Bits

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.noise import SnappedLaplace, doubles
from dpstudio.mechanisms.noise import doubles as floating
from dpstudio.mechanisms.noise.doubles import around, laplace_in_doubles, reachable

answers = st.one_of(st.sampled_from([0.0, 1.0, -3.0, 1000.0, 2.0**53, 1e16]), st.floats(-1e3, 1e3))
scales = st.one_of(st.sampled_from([0.5, 1.0, 10.0]), st.floats(-6, 6).map(math.exp))


@settings(max_examples=25)
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


@settings(max_examples=25)
@given(answer=st.sampled_from([0.0, 1.0, 2.0, 100.0, 12345.0]), scale=scales, seed=st.integers(0, 2**32))
def test_that_no_u_farther_off_leads_to_a_double_that_is_called_unreachable(answer, scale, seed):
    rng = np.random.default_rng(seed)
    asked = np.concatenate([around(one, 5) for one in laplace_in_doubles(answer + 1, scale, 4, rng)])
    middle = np.exp(-np.abs(asked - answer) / scale) * 2.0**53
    k = np.clip(np.rint(middle)[:, None] + np.arange(-3000.0, 3001.0), 1, 2.0**53 - 1)
    sign = np.where(asked < answer, 1.0, -1.0)[:, None]
    found = (answer + sign * (scale * np.log(k * 2.0**-53)) == asked[:, None]).any(axis=1)
    np.testing.assert_array_equal(reachable(asked, answer, scale), found)


@settings(max_examples=25)
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


ROWS = json.loads((Path(__file__).parents[1] / "oracles" / "snapping.json").read_text("utf-8"))["rows"]
snapped = st.builds(lambda e, times, s: SnappedLaplace(e, times * max(s, s / e), s), st.floats(-4, 2).map(math.exp),
                    st.sampled_from([2.5, 10.0, 1e9]), st.sampled_from([0.5, 1.0, 3.0]))


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_that_a_reference_value_is_met(row):
    one, x = SnappedLaplace(row["epsilon"], row["bound"], row["sensitivity"]), row["answer"]
    found = {"scale": one.scale, "grid": one.grid, "mean_error": one.mean_error(x), "rms_error": one.rms_error(x),
             "probability": one.probability(row["outcome"], x)}
    for name, value in row["values"].items():
        assert found[name] == pytest.approx(float(value), rel=1e-12), name


@given(one=snapped)
def test_that_lambda_is_the_least_double_that_keeps_epsilon_and_the_step_the_power_of_two_from_it_on(one):
    def spent(multiplier):
        return (1 + Fraction(one.bound) / Fraction(one.sensitivity) / 2**49) / Fraction(multiplier)

    assert spent(one.multiplier) <= Fraction(one.epsilon) < spent(math.nextafter(one.multiplier, 0))
    assert one.steps / 2 < one.multiplier <= one.steps
    assert math.frexp(one.steps)[0] == 0.5


@pytest.mark.parametrize("epsilon", [0.5, 0.25, 2.0])
def test_that_a_lambda_that_is_a_power_of_two_is_its_own_step(epsilon):
    one = SnappedLaplace(epsilon * (1 + 2.0**-39), 1024.0)
    assert one.steps == one.multiplier == 1 / epsilon


@given(one=snapped, place=st.floats(-1.3, 1.3))
def test_that_tails_probabilities_and_outcomes_are_of_one_law(one, place):
    x = place * min(one.bound, 20 * one.scale)
    outcome, share = one.outcomes(x)
    assert share.sum() == pytest.approx(1, abs=1e-14)
    merged, where = np.unique(outcome, return_inverse=True)
    total = np.bincount(where, share)
    inside = slice(1, -1)  # at the ends lies what is beyond
    np.testing.assert_allclose(one.probability(merged, x)[inside], total[inside], rtol=1e-12)
    np.testing.assert_allclose(one.tail(merged, x), total[::-1].cumsum()[::-1], rtol=1e-9, atol=1e-19)
    np.testing.assert_allclose(one.below(merged, x), total.cumsum() - total, rtol=1e-9, atol=1e-15)
    for log, plain in ((one.log_tail, one.tail), (one.log_below, one.below)):
        np.testing.assert_allclose(np.exp(log(merged, x)), plain(merged, x), rtol=1e-12)
    assert not one.probability(merged[1:-1] + one.grid / 3, x).any()
    assert one.tail([-one.bound, np.nextafter(one.bound, np.inf)], x).tolist() == [1.0, 0.0]
    assert one.probability(one.bound, x) == one.tail(one.bound, x)
    error = one.error_quantile(0.9, x)
    off = np.abs(merged - x)
    assert total[off <= error].sum() >= 0.9 * (1 - 1e-12)
    assert total[off < error].sum() < 0.9


@given(one=snapped, place=st.floats(-1, 1), part=st.floats(0.05, 1), share=st.floats(0, 1.2))
def test_that_delta_is_that_of_the_worst_answers_and_no_outcome_tells_more_than_epsilon(one, place, part, share):
    epsilon = share * one.epsilon

    def needed(x, y):
        outcome = np.union1d(one.outcomes(x)[0], one.outcomes(y)[0])
        p, q = one.probability(outcome, x), one.probability(outcome, y)
        return np.maximum(p - math.exp(epsilon) * q, 0).sum(), np.abs(np.log(p / q)).max()

    delta, loss = needed(place * (one.bound - one.sensitivity), place * (one.bound - one.sensitivity)
                         + part * one.sensitivity)
    assert delta <= one.delta_at(epsilon) + 1e-12
    assert loss <= 1 / one.multiplier * (1 + 1e-6) <= one.epsilon * (1 + 1e-6)
    # The best event of Laplace noise is to lie beyond (Δ + εb)/2, and here half a step is an edge.
    worst = one.grid / 2 - (one.sensitivity + min(epsilon, 1 / one.multiplier) * one.scale) / 2
    delta, loss = needed(worst + one.sensitivity, worst)
    assert delta == pytest.approx(one.delta_at(epsilon), rel=1e-9, abs=1e-12)
    assert loss == pytest.approx(1 / one.multiplier, rel=1e-6)


@pytest.mark.parametrize("times", [1.0, 1.1, 0.9])
def test_that_snapped_answers_drawn_have_their_law_and_no_other(times):
    size, x = 60_000, 2.3
    right = SnappedLaplace(0.7, 1000.0)
    drawn = SnappedLaplace(0.7 * times, 1000.0).sample(x, size, np.random.default_rng(5))
    outcome = np.arange(-5, 8) * right.grid
    law = right.probability(outcome, x)
    counts = np.append([(drawn == one).sum() for one in outcome], 0)
    counts[-1] = size - counts.sum()
    keep = np.append(law, 1 - law.sum()) * size > 6
    fits = chi_square(counts[keep], np.append(law, 1 - law.sum())[keep] / np.append(law, 1 - law.sum())[keep].sum())
    assert (fits > 1e-4) == (times == 1)


@settings(max_examples=20)
@given(one=snapped, place=st.floats(-1.5, 1.5), seed=st.integers(0, 2**32))
def test_that_a_doubtful_logarithm_is_correctly_rounded_and_gives_the_same_multiple(one, place, seed):
    x = place * min(one.bound, 20 * one.scale)
    quick = one.sample(x, 60, np.random.default_rng(seed))
    before, doubles._LOG = doubles._LOG, 0.3
    try:
        np.testing.assert_array_equal(one.sample(x, 60, np.random.default_rng(seed)), quick)
    finally:
        doubles._LOG = before
    units = quick / one.sensitivity
    assert ((np.abs(quick) == one.bound) | (units / one.steps == np.rint(units / one.steps))).all()


def test_that_uniform_doubles_have_every_exponent_and_their_bits():
    u = doubles._uniform(100_000, np.random.default_rng(2))
    assert chi_square(np.bincount(np.minimum(-np.frexp(u)[1], 9), minlength=10),
                      [*(0.5 ** np.arange(1, 10)), 0.5**9]) > 1e-4
    assert 0 < u.min() < u.max() < 1
    assert np.mean(u) == pytest.approx(0.5, abs=0.005)
    deep = doubles._uniform(1, Bits(0, 0, 1, 2**51))
    assert deep[0] == 1.5 * 2.0 ** (-53 * 3)
    assert doubles._uniform(1, Bits(2**53 - 1, 2**52 - 1))[0] == 1 - 2.0**-53


def test_that_halves_are_rounded_up_and_what_is_just_less_is_not():
    one = SnappedLaplace(1.0, 1024.0)
    none = np.zeros(5)
    less = np.nextafter(1.0, 0)
    at = np.array([1.0, less, -1.0, np.nextafter(-1.0, -2), 3.0])
    assert [float(one._snapped(centre, 1.0, none[0])) for centre in at] == [2.0, 0.0, 0.0, -2.0, 4.0]


@pytest.mark.parametrize(("given", "words"), [
    ((1.0, 1.0), r"bound must be from twice the larger of scale and sensitivity, 2.* to 2\^46 scales, .* got 1.0"),
    ((1.0, 1e15), "got 1000000000000000.0"), ((1e-3, 1e3), "got 1000.0"), ((1.0, 30.0, 20.0), "got 30.0"),
    ((5e-324, 1e300), "bound"), ((0.0, 10.0), "epsilon must be"), ((1.0, math.nan), "bound must be")])
def test_that_a_bound_for_which_nothing_is_proved_is_refused(given, words):
    with pytest.raises(InvalidParameter, match=words):
        SnappedLaplace(*given)


@pytest.mark.parametrize("ask", [lambda one: one.mean_error(math.nan), lambda one: one.tail(math.nan, 0),
                                 lambda one: one.delta_at(-1), lambda one: one.error_quantile(1.0, 0),
                                 lambda one: one.sample(math.inf, 1, np.random.default_rng(1))])
def test_that_what_is_no_number_of_its_domain_is_refused(ask):
    with pytest.raises(InvalidParameter):
        ask(SnappedLaplace(1.0, 1024.0))
