"""Rényi divergences, their conversion to ε, and sampling: mpmath, enumeration, and peers."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms import accounting, composition
from dpstudio.mechanisms.noise import GaussianNoise, LaplaceNoise
from dpstudio.mechanisms.response import RandomizedResponse


@given(rho=st.floats(-20, 20).map(math.exp), delta=st.floats(-60, -1e-3).map(math.exp), order=st.floats(-8, 8))
def test_that_no_order_promises_less_than_zcdp_says_and_that_it_is_never_too_small(rho, delta, order):
    found = composition.zcdp(rho, delta)
    with mpmath.workdps(40):
        r, d, a = mpmath.mpf(rho), mpmath.mpf(delta), 1 + mpmath.exp(mpmath.mpf(order))
        here = a * r + mpmath.log(1 - 1 / a) - (mpmath.log(d) + mpmath.log(a)) / (a - 1)
        assert found <= max(here, 0) * (1 + 1e-13) + 1e-14
        # δ at the ε that was found, as Canonne, Kamath & Steinke print it; the best order is where its slope is none.
        e = mpmath.mpf(found)
        if found > 1e-6:
            best = mpmath.findroot(lambda t: r * t * t + mpmath.log1p(t) + mpmath.log(d),
                                   mpmath.mpf(min(math.sqrt(-math.log(delta) / rho), math.expm1(-math.log(delta)))))
            a = 1 + best
            needed = mpmath.exp((a - 1) * (a * r - e)) / (a - 1) * (1 - 1 / a) ** a
            assert needed <= d
            assert needed == pytest.approx(d, rel=1e-7)


def test_that_the_ends_of_zcdp_are_told():
    assert composition.zcdp(0, 1e-6) == 0.0
    assert composition.zcdp(5e-324, 0.5) == 0.0
    assert 0 < composition.zcdp(5e-324, 5e-324) < 1e-160
    assert composition.zcdp(1.7e308, 0.5) > 1e308
    np.testing.assert_array_equal(composition.zcdp([[0.5], [1.0]], [1e-6, 1e-9]).shape, (2, 2))
    assert isinstance(composition.zcdp(np.float64(0.5), 1e-6), float)
    for rho, delta, words in ((-1, 0.5, r"rho must be in \[0, ∞\), got -1"),
                              (1, 0, r"delta must be in \(0, 1\), got 0"),
                              (1, 1.0, r"delta must be in \(0, 1\), got 1"),
                              (math.nan, 0.5, "rho must be")):
        with pytest.raises(InvalidParameter, match=words):
            composition.zcdp(rho, delta)


@given(epsilon=st.floats(-9, 4).map(math.exp), excess=st.floats(-20, 6).map(math.exp))
@example(epsilon=1.0, excess=0.0)
@example(epsilon=1e-5, excess=0.0)
def test_that_the_divergence_of_a_response_is_the_sum_that_defines_it(epsilon, excess):
    with mpmath.workdps(40):
        a, e = mpmath.mpf(1 + excess), mpmath.mpf(epsilon)
        p = 1 / (1 + mpmath.exp(-e))
        response = e * (2 * p - 1) if a == 1 else mpmath.log(
            p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)) / (a - 1)
    assert accounting.response_divergence(epsilon, 1)(1 + excess) == pytest.approx(float(response), rel=1e-14)
    assert float(response) <= (1 + excess) * epsilon**2 / 2 * (1 + 1e-13)


@settings(max_examples=25)
@given(epsilon=st.floats(-5, 1.5).map(math.exp), k=st.integers(1, 300), delta=st.floats(-40, -0.1).map(math.exp))
def test_that_the_accounts_of_responses_come_in_order(epsilon, k, delta):
    exact = composition.optimal(epsilon, 0.0, k, delta)[0]
    renyi = accounting.renyi_to_epsilon(accounting.response_divergence(epsilon, k), delta)
    assert exact <= renyi <= composition.zcdp(k * epsilon**2 / 2, delta) * (1 + 1e-12)
    assert renyi <= k * epsilon * (1 + 1e-12)
    # No order on a fine grid promises less: the best one was found.
    for order in 1 + np.exp(np.linspace(-6, 12, 300)):
        here = accounting.response_divergence(epsilon, k)(order) + math.log1p(-1 / order)
        assert renyi <= max(here - (math.log(delta) + math.log(order)) / (order - 1), 0.0) + 1e-12


def test_that_renyi_of_gaussian_noise_is_zcdp_and_above_the_exact_account():
    for sigma, delta in ((0.3, 1e-9), (2.0, 1e-6), (70.0, 0.1)):
        renyi = accounting.renyi_to_epsilon(lambda order, s=sigma: 4.5 * order / s**2, delta)
        assert renyi == pytest.approx(composition.zcdp(4.5 / sigma**2, delta), rel=1e-12)
        assert renyi >= composition.gaussian(sigma, 3.0, 1, delta)


@given(epsilon=st.one_of(st.floats(0, 5), st.floats(600, 1500)), rate=st.floats(0, 1), delta=st.floats(0, 1))
@example(epsilon=710.0, rate=1.0, delta=0.25)
@example(epsilon=1e-12, rate=1e-12, delta=0.0)
@example(epsilon=800.0, rate=0.0, delta=1.0)
@example(epsilon=1500.0, rate=5e-324, delta=1.0)
def test_that_a_sample_of_the_people_gives_away_what_mpmath_says(epsilon, rate, delta):
    found, spent = composition.subsampled(epsilon, delta, rate)
    with mpmath.workdps(700):
        exact = mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(mpmath.mpf(epsilon)))
    assert found == pytest.approx(float(exact), rel=1e-14, abs=1e-300)
    assert spent == rate * delta
    if rate == 1:
        assert (found, spent) == (epsilon, delta)


@settings(max_examples=30)
@given(epsilon=st.floats(0.01, 4), rate=st.floats(0.01, 0.99))
def test_that_a_response_of_who_was_drawn_needs_exactly_that_epsilon(epsilon, rate):
    """A record of “yes” is drawn or not, and who sees none answers as for “no”."""
    one = RandomizedResponse.symmetric(epsilon)
    with_it = (1 - rate) * one.yes_if_no + rate * one.yes_if_yes
    losses = [math.log(with_it / one.yes_if_no), -math.log((1 - with_it) / one.no_if_no)]
    assert max(losses) == pytest.approx(composition.subsampled(epsilon, 0.0, rate)[0], rel=1e-12)


@settings(max_examples=12)
@given(epsilon=st.floats(0.05, 4), rate=st.floats(0.01, 0.99), delta=st.sampled_from((1e-6, 1e-3, 0.1)))
def test_that_noise_on_a_sample_needs_exactly_that_guarantee_either_way(epsilon, rate, delta):
    """The count of a sample has its record with probability `rate`: mixtures, integrated beside those without it."""
    for noise, spent in ((LaplaceNoise(1 / epsilon), 0.0), (GaussianNoise.analytic(epsilon, delta, 1.0), delta)):
        reach = float(noise.quantile(1 - 1e-13)) + 1
        x = np.linspace(-reach, reach + 1, 400_001)
        without, moved = noise.density(x), noise.density(x - 1)
        mixed = (1 - rate) * without + rate * moved
        of_sample, delta_of_sample = composition.subsampled(epsilon, spent, rate)
        for p, q in ((mixed, without), (without, mixed)):
            needed = [float(np.maximum(p - math.exp(e) * q, 0).sum() * (x[1] - x[0]))
                      for e in (of_sample, of_sample * 0.99)]
            assert needed[0] <= delta_of_sample + 1e-8
            if p is mixed:
                assert needed[0] == pytest.approx(delta_of_sample, rel=1e-3, abs=1e-8)
                assert needed[1] > needed[0] * 1.001 + (0 if spent else 1e-6 * rate)


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan])
def test_that_a_share_outside_the_unit_interval_is_refused(bad):
    with pytest.raises(InvalidParameter, match=r"rate must be in \[0, 1\]"):
        composition.subsampled(1.0, 0.0, bad)
