"""What holds for every decision and every noise, built in or new, found by walking the package: against definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from goodness import kolmogorov_smirnov
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mechanisms import CLASSES, NEW, some

from dpstudio.mechanisms.composition import trade_off
from dpstudio.mechanisms.decision import Decision, LaplaceDecision, worst_slack
from dpstudio.mechanisms.noise import CanonicalNoise, LaplaceNoise, Noise, StaircaseNoise

RECORDS = 400
N = np.arange(RECORDS)
ALPHA = np.unique(np.concatenate([np.linspace(0, 1, 41), np.geomspace(1e-9, 0.02, 13)]))
EPSILON = [0.0, 1e-3, 0.2, 1.0, 5.0]

decisions = pytest.mark.parametrize("cls", [cls for cls in (*CLASSES, *NEW) if issubclass(cls, Decision)],
                                    ids=lambda cls: cls.__name__)
noises = pytest.mark.parametrize("cls", [cls for cls in (*CLASSES, *NEW) if issubclass(cls, Noise)],
                                 ids=lambda cls: cls.__name__)


def holds(check, *strategies, examples=25):
    settings(max_examples=examples, derandomize=True)(given(*strategies)(check))()


def test_that_both_kinds_are_found_with_the_new_ones_among_them():
    for mark, least in ((decisions, 6), (noises, 4)):
        assert len(mark.args[1]) >= least
        assert any(cls in NEW for cls in mark.args[1])


@decisions
def test_that_the_tails_are_complements_and_logarithms_and_losses_are_theirs(cls):
    def check(one):
        f, g = one.accept_probability(N), one.reject_probability(N)
        np.testing.assert_allclose(f + g, 1, rtol=0, atol=4.5e-16)
        assert (np.diff(f) >= -3e-16).all()
        yes, no = one.log_accept(N), one.log_reject(N)
        for log, tail, other in ((yes, f, g), (no, g, f)):
            seen = tail > 1e-300
            expected = np.where(tail[seen] < 0.5, np.log(tail[seen]), np.log1p(-np.minimum(other[seen], 0.5)))
            np.testing.assert_allclose(log[seen], expected, rtol=2e-13, atol=1e-300)
        for loss, low, high in ((one.loss_accept(N[:-1]), yes[:-1], yes[1:]),
                                (one.loss_reject(N[:-1]), no[1:], no[:-1])):
            seen = low > -690
            np.testing.assert_allclose(loss[seen], np.maximum(high[seen] - low[seen], 0), rtol=1e-6, atol=2e-13)
            assert (loss >= 0).all()

    holds(check, some(cls))


@decisions
def test_that_delta_and_the_worst_slack_are_those_of_the_worst_pair(cls):
    def check(one, epsilon, zero_refused):
        f, g = one.accept_probability(N), one.reject_probability(N)
        if zero_refused:
            f[0], g[0] = 0.0, 1.0
        yes, no = f[1:] - math.exp(epsilon) * f[:-1], g[:-1] - math.exp(epsilon) * g[1:]
        expected = max(0.0, yes.max(), no.max())
        rounding = 4e-16 * math.exp(epsilon)
        found = one.delta_at(epsilon, zero_refused)
        (needed,), (where,), _ = one._worst(np.array([epsilon]), zero_refused)
        assert needed == found
        assert found >= expected * (1 - 1e-9) - rounding
        assume(where < RECORDS - 1 or math.isinf(where))
        assert found <= expected * (1 + 1e-9) + rounding
        if not zero_refused:
            slack = worst_slack(one, epsilon, 0.3)
            assert slack.slack == 0.3 - found
            if math.isfinite(slack.n):
                own = (yes if slack.accepting else no)[int(slack.n)]
                assert own == pytest.approx(found, rel=1e-9, abs=rounding)

    holds(check, some(cls), st.sampled_from(EPSILON), st.booleans(), examples=60)


@decisions
def test_that_the_trade_off_is_the_least_over_every_pair_and_both_directions(cls):
    def check(one):
        f, g = one.accept_probability(N)[:, None], one.reject_probability(N)[:, None]
        assume(g[-1, 0] < 1e-12)  # else pairs beyond may tell more
        found = 1 - ALPHA
        with np.errstate(all="ignore"):
            for wrong, right, power, missed in ((f[:-1], g[:-1], f[1:], g[1:]), (g[1:], f[1:], g[:-1], f[:-1])):
                few = missed + power * (1 - ALPHA / wrong)
                many = missed * np.where(right > 0, (1 - ALPHA) / right, 1.0)
                found = np.minimum(found, np.where((wrong >= ALPHA) & (wrong > 0), few, many).min(axis=0))
        np.testing.assert_allclose(one.trade_off(ALPHA), found, rtol=1e-9, atol=1e-13)

    holds(check, some(cls))


@decisions
def test_that_the_smallest_n_is_the_first_that_reaches_a_probability_and_the_band_ends_at_its_tails(cls):
    def check(one, p):
        f, g = one.accept_probability(N), one.reject_probability(N)
        for found, reached in ((one.smallest_n(p), f >= p), (one.smallest_n_refusing(p), g <= p)):
            expected = int(np.argmax(reached)) if reached.any() else RECORDS
            # A probability next to the one that is asked for may lie on either side of it.
            beside = np.isclose(f, p, rtol=1e-13) | np.isclose(g, p, rtol=1e-13)
            assert found >= RECORDS if expected == RECORDS else found == expected or beside[int(min(found, expected))]
        band = one.band(0.01)
        assert band.width >= 0
        for end, tail in ((band.low, f), (band.high, g)):
            if 1 <= end < RECORDS - 2 and end != round(end):
                below, above = sorted((tail[math.floor(end)], tail[math.ceil(end)]))
                assert below * (1 - 1e-12) <= 0.01 <= above * (1 + 1e-12)

    holds(check, some(cls), st.sampled_from([0.0, 1e-9, 0.03, 0.2, 0.5, 0.8, 0.999, 1.0]))


@decisions
def test_that_answers_after_answers_are_no_worse_than_basic_composition(cls):
    def check(one, k):
        found = one.epsilon_after(k, 0.01)
        assert found >= one.epsilon_after(1, 0.01) or found == math.inf
        if math.isfinite(found):
            # What k answers come to may not be less than what k Gaussian ones of that μ need.
            assert one.after_how(k)[0]

    holds(check, some(cls), st.integers(1, 50), examples=15)


@noises
def test_that_the_law_of_noise_is_one_law(cls):
    def check(one, z):
        x = np.sort(np.array(z)) * one.sd
        below, above = one.cdf(x), one.tail(x)
        atom = one.density(x) if one.is_whole else 0.0
        np.testing.assert_allclose(below + above - atom, 1, atol=1e-14)
        assert ((below >= 0) & (below <= 1) & (above >= 0) & (above <= 1)).all()
        assert (np.diff(below) >= -4e-16).all()
        np.testing.assert_array_equal(one.density(x), one.density(-x))
        seen = above > 1e-300
        np.testing.assert_allclose(np.exp(one.log_tail(x))[seen], above[seen], rtol=3e-13)
        p = np.array([1e-30, 1e-9, 0.2, 0.7])
        if not one.is_whole:
            np.testing.assert_allclose(one.cdf(one.quantile(p)), p, rtol=1e-8)

    holds(check, some(cls), st.lists(st.floats(-25, 25), min_size=2, max_size=9))


@noises
def test_that_moments_are_those_of_the_tails(cls):
    def check(one):
        assume(one.sd > 0.3)  # else the sums below are too coarse
        if one.is_whole:
            assume(one.sd < 300)
            x = np.arange(1.0, 20_000)
            tails = one.tail(x)
            moments = [2 * (tails * (x**k - (x - 1) ** k)).sum() for k in (1, 2)]
        else:
            t = np.linspace(0, 60, 600_001)
            tails = np.asarray(one.tail(t * one.sd))
            moments = [2 * one.sd**k * np.trapezoid(k * t ** (k - 1) * tails, t) for k in (1, 2)]
        assert one.mean_error == pytest.approx(moments[0], rel=1e-4)
        assert one.sd**2 == pytest.approx(moments[1], rel=1e-4)
        first, second = one.excess(np.zeros(()))
        assert 2 * float(first) == pytest.approx(one.mean_error, rel=1e-9)
        assert 2 * float(second) == pytest.approx(one.sd**2, rel=1e-9)

    holds(check, some(cls), examples=15)


@noises
def test_that_what_is_derived_is_what_the_closed_forms_say(cls):
    """The base's own methods, called past what a class puts in their place."""
    @np.errstate(all="ignore")  # as the public methods ask them
    def check(one, sensitivity):
        assume(1 < one.sd < 1000)  # else the places below have no densities, or none that differ
        x = np.array([-7.3, -1.0, -0.5, 0.0, 0.25, 1.0, 1.5, 2.0, 9.0])
        x = np.round(x) if one.is_whole else x
        alpha = np.array([0.0, 1e-9, 0.01, 0.3, 0.5, 0.77, 1.0])
        for own, derived, rel in (
            (one._loss(x, sensitivity), Noise._loss(one, x, sensitivity), 1e-9),
            (one._tail_loss(x, sensitivity), Noise._tail_loss(one, x, sensitivity), 1e-7),
            (one._log_tail(x), Noise._log_tail(one, x), 1e-11),
            (one._trade_off(alpha, sensitivity), Noise._trade_off(one, alpha, sensitivity), 1e-9),
            (one._delta(np.array(EPSILON), sensitivity), Noise._delta(one, np.array(EPSILON), sensitivity), 1e-6),
            # The tails of both of these bend at every step.
            (np.stack(one.excess(np.abs(x))), np.stack(Noise.excess(one, np.abs(x))),
             1e-6 if cls in (StaircaseNoise, CanonicalNoise) else 1e-9),
        ):
            np.testing.assert_allclose(derived, own, rtol=rel, atol=2e-11 if rel < 1e-8 else 1e-13)
        assert Noise.largest_loss(one, sensitivity) == pytest.approx(one.largest_loss(sensitivity), rel=1e-9)
        assert Noise.loss_exceeds(one, 0.3, sensitivity) == pytest.approx(one.loss_exceeds(0.3, sensitivity), rel=1e-9)
        loss = 0.4 * float(one.loss(np.array(3.0 * one.sd + sensitivity), sensitivity))
        assert Noise._crossing(one, loss, sensitivity) == pytest.approx(one.crossing(loss, sensitivity), rel=1e-6)

    holds(check, some(cls), st.integers(1, 3), examples=15)


@noises
def test_that_delta_is_the_hockey_stick_of_the_density_and_the_trade_off_its_mirror(cls):
    def check(one, epsilon, sensitivity):
        assume(0.1 < one.sd < 60)
        if one.is_whole:
            x, width = np.arange(-4000.0, 4001), 1.0
        else:
            x, width = np.linspace(-40 * one.sd, 40 * one.sd + sensitivity, 400_001, retstep=True)
        there, absent = one.density(x - sensitivity), one.density(x)
        expected = np.maximum(there - math.exp(epsilon) * absent, 0).sum() * width
        found = one.delta_at(epsilon, sensitivity)
        assert found == pytest.approx(expected, rel=1e-3, abs=2e-4)
        falls = one.delta_at(np.linspace(0, 30, 200), sensitivity)
        assert ((falls >= 0) & (falls <= 1)).all()
        assert (np.diff(falls) <= 1e-15).all()
        assert (np.asarray(one.trade_off(ALPHA, sensitivity)) >= trade_off(epsilon, found, ALPHA) - 1e-12).all()
        fine = np.linspace(0, 1, 4001)
        touched = (1 - np.asarray(one.trade_off(fine, sensitivity)) - math.exp(epsilon) * fine).max()
        assert touched == pytest.approx(found, abs=2e-3)
        beyond = there[np.asarray(one.loss(x, sensitivity)) > epsilon].sum() * width
        assert one.loss_exceeds(epsilon, sensitivity) == pytest.approx(beyond, rel=1e-2, abs=2e-3)

    holds(check, some(cls), st.sampled_from([0.0, 0.13, 0.9]), st.integers(1, 3), examples=15)


@noises
def test_that_common_and_largest_losses_are_those_of_answers(cls):
    def check(one):
        common, largest = one.common_loss(), one.largest_loss()
        assert common <= largest * (1 + 1e-9)
        assert one.loss_exceeds(common * (1 + 1e-9)) <= 0.05 + 1e-9
        assert one.loss_exceeds(common * (1 - 1e-6)) >= 0.05 - 1e-4
        assert one.delta_at(min(largest * (1 + 1e-9), 1e300)) <= 1e-14

    holds(check, some(cls), examples=15)


@noises
def test_that_noise_drawn_has_its_law_and_one_a_tenth_wider_would_be_noticed(cls):
    def check(one):
        assume(0.3 < one.sd < 1e6)
        drawn = np.asarray(one.sample(100_000, np.random.default_rng(5)), dtype=np.float64)
        if one.is_whole:
            at = np.unique(np.round(np.array([-1.0, -0.3, 0.0, 0.6]) * one.sd))
            p = np.asarray(one.cdf(at))
            assert (np.abs((drawn[:, None] <= at).mean(axis=0) - p) <= 5 * np.sqrt(p * (1 - p) / drawn.size)).all()
        else:
            assert kolmogorov_smirnov(drawn, one.cdf) > 1e-4
            assert kolmogorov_smirnov(drawn * 1.1, one.cdf) < 1e-4

    holds(check, some(cls), examples=8)


def test_that_a_new_decision_agrees_with_the_closed_forms_of_one_that_has_them():
    """Laplace noise compared with a threshold, by nothing but its two tails."""
    one = LaplaceDecision(0.3, 12.0)
    for epsilon in (0.0, 0.1, 0.29):
        derived = max(float(pair.excess[0]) for pair in Decision._pairs(one, np.array([epsilon])))
        assert derived == pytest.approx(one.delta_at(epsilon), rel=1e-12)
    n = N.astype(np.float64)
    for own, derived in ((one.loss_accept(N), Decision._loss(one, n, True)),
                         (one.loss_reject(N), Decision._loss(one, n, False))):
        np.testing.assert_allclose(derived, own, rtol=1e-12, atol=1e-300)


def test_that_deriving_costs_no_more_digits_than_it_says():
    class Bare(LaplaceNoise):
        name = "bare"
        _delta = Noise._delta
        _trade_off = Noise._trade_off
        sd = Noise.sd
        mean_error = Noise.mean_error

    bare, own = Bare(1.7), LaplaceNoise(1.7)
    np.testing.assert_allclose(bare.delta_at(EPSILON), own.delta_at(EPSILON), rtol=0, atol=1e-14)
    np.testing.assert_allclose(bare.trade_off(ALPHA), own.trade_off(ALPHA), rtol=0, atol=1e-14)
    assert bare.sd == pytest.approx(own.sd, rel=1e-12)
    assert bare.mean_error == pytest.approx(own.mean_error, rel=1e-12)
