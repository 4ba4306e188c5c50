"""Tests of a share: the oracle, linear programmes over all private tests, sums one by one, exact coverage."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from oracle_kit import called, found, is_near, rows_of
from scipy.optimize import brentq, linprog
from scipy.special import ndtr
from scipy.stats import binom  # noqa: TID251 - another account of the binomial law

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.decision import GaussianDecision, GeneralizedDecision
from dpstudio.mechanisms.noise import CanonicalNoise, GeometricNoise, LaplaceNoise
from dpstudio.models import testing
from dpstudio.models.testing import (
    GaussianShareTest,
    NaiveTest,
    NoisyShare,
    PlainTest,
    ShareTest,
    interval,
    p_value,
    powers,
    powers_gaussian,
    powers_plain,
    smallest_n,
    smallest_n_gaussian,
    smallest_n_naive,
    smallest_n_plain,
    two_sided,
)
from dpstudio.models.testing.rises import CanonicalRise, LaplaceRise, NormalRise, parted

ROWS = [row for row in rows_of("testing") if ".testing." in row["call"]]
epsilons = st.floats(-6, 2.3).map(math.exp) | st.sampled_from([1e-6, 20.0, 700.0])
deltas = st.sampled_from([0.0, 0.0, 1e-9, 1e-3, 0.1])
levels = st.sampled_from([1e-6, 0.01, 0.05, 0.3, 0.9])
shares = st.floats(0.01, 0.99) | st.sampled_from([0.5, 1e-4])
SCALE = 1e6  # what is less than 1e-9 is left out by the solver
FINE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
few = settings(max_examples=40)


@pytest.mark.parametrize("row", ROWS, ids=called)
def test_that_tests_of_a_share_equal_the_oracle(row):
    assert is_near(row, found(row))


def test_that_all_that_is_named_of_tests_is_there():
    assert all(callable(getattr(testing, name)) for name in testing.__all__)


# Most powerful


def programme(n, alternative, epsilon, delta, size, sums=()):
    """The greatest power of all private tests: φ(x) and 1 − φ(x) of neighbours are (ε, δ)-close, both ways."""
    x = np.arange(n)
    near, far = np.zeros((n, n + 1)), np.zeros((n, n + 1))
    near[x, x + 1], near[x, x] = 1, -math.exp(epsilon)
    far[x, x], far[x, x + 1] = 1, -math.exp(epsilon)
    # Of “no”: (1 − φ(x + 1)) − e^ε (1 − φ(x)) ≤ δ.
    rows = np.concatenate([near, far, -near, -far])
    ends = np.concatenate([np.full(2 * n, delta), np.full(2 * n, delta - 1 + math.exp(epsilon))])
    share, level = size
    equal = SCALE * np.array([binom.pmf(np.arange(n + 1), n, share), *sums])
    solved = linprog(-binom.pmf(np.arange(n + 1), n, alternative), A_ub=rows, b_ub=ends, A_eq=equal,
                     b_eq=[SCALE * level] + [0.0] * len(sums), bounds=(0, 1), method="highs", options=FINE)
    return -solved.fun


@pytest.mark.parametrize(("n", "share", "alternative", "epsilon", "delta", "level"), [
    (10, 0.4, 0.6, 1.0, 0.01, 0.05), (30, 0.5, 0.7, 0.5, 0.0, 0.05), (25, 0.2, 0.4, 0.2, 1e-3, 0.1),
    (40, 0.5, 0.6, 2.0, 0.1, 0.01), (12, 0.7, 0.9, 1.0, 0.0, 0.3), (20, 0.5, 0.8, 0.0, 0.05, 0.05),
    (20, 0.5, 0.8, 1e-6, 0.02, 0.9), (15, 0.5, 0.3, 0.7, 1e-3, 0.05), (15, 0.5, 0.3, 0.7, 0.0, 0.6)])
def test_that_no_private_test_of_that_size_is_more_powerful(n, share, alternative, epsilon, delta, level):
    side = "greater" if alternative > share else "less"
    one = ShareTest(n, share, epsilon, delta, level, side)
    best = programme(n, alternative, epsilon, delta, (share, level))
    assert one.power(alternative) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize(("n", "share", "epsilon", "delta", "level"), [
    (30, 0.5, 0.5, 0.0, 0.05), (20, 0.3, 1.0, 0.0, 0.1), (25, 0.6, 0.7, 1e-3, 0.05), (16, 0.4, 2.0, 0.02, 0.3)])
@pytest.mark.parametrize("alternative", [0.15, 0.75])
def test_that_no_unbiased_private_test_is_more_powerful(n, share, epsilon, delta, level, alternative):
    x = np.arange(n + 1)
    moment = (x - n * share) * binom.pmf(x, n, share)
    best = programme(n, alternative, epsilon, delta, (share, level), [moment])
    one = ShareTest(n, share, epsilon, delta, level, "two")
    assert one.power(alternative) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize(("n", "mu", "alternative"), [(15, 0.5, 0.8), (20, 1.0, 0.7)])
def test_that_no_test_of_gaussian_privacy_is_more_powerful(n, mu, alternative):
    """By tangents of its trade-off curve, each an (ε, δ): the programme comes from above."""
    z, x = np.linspace(-6, 6, 121), np.arange(n)
    slopes, rows, ends = np.exp(mu * z - mu * mu / 2), [], []
    for slope, delta in zip(slopes, ndtr(mu - z) - slopes * ndtr(-z), strict=True):
        for up, down in ((1, 0), (0, 1)):
            near = np.zeros((n, n + 1))
            near[x, x + up], near[x, x + down] = 1, -slope
            rows += [near, -near]
            ends += [np.full(n, delta), np.full(n, delta - 1 + slope)]
    solved = linprog(-binom.pmf(np.arange(n + 1), n, alternative), A_ub=np.concatenate(rows),
                     b_ub=np.concatenate(ends), A_eq=[SCALE * binom.pmf(np.arange(n + 1), n, 0.5)],
                     b_eq=[SCALE * 0.05], bounds=(0, 1),
                     method="highs", options=FINE)
    found = ShareTest.gaussian(n, 0.5, mu).power(alternative)
    assert found <= -solved.fun + 1e-9
    assert found == pytest.approx(-solved.fun, abs=5e-4)


@few
@given(n=st.integers(1, 60), share=shares, epsilon=epsilons, delta=deltas, level=levels)
@example(n=10, share=0.4, epsilon=1.0, delta=0.01, level=0.05)
@example(n=3, share=0.4, epsilon=0.3, delta=0.0, level=1e-6)
def test_that_it_is_the_generalized_decision_of_its_anchor(n, share, epsilon, delta, level):
    for side in ("greater", "less"):
        one = ShareTest(n, share, epsilon, delta, level, side)
        x = np.arange(n + 1)
        found = np.asarray(one.rejects(x))
        if side == "less":
            found = found[::-1]
        minimum, target = one.anchor
        direct = GeneralizedDecision(epsilon, delta, minimum, target).accept_probability(x)
        # The target is rounded, and a step has e^ε times that.
        np.testing.assert_allclose(found, direct, rtol=0, atol=1e-13 + 2e-16 * math.exp(min(epsilon, 40)))
        np.testing.assert_allclose(found, one.decision.accept_probability(x), rtol=1e-9, atol=2e-16)
        assert target >= 0.5
        assert minimum == 0 or one.decision.accept_probability(minimum - 1) < 0.5
        assert one.decision.delta_at(epsilon) <= delta * (1 + 1e-9) + 1e-15
        (place,) = [one.threshold if side == "greater" else n - one.threshold]
        np.testing.assert_allclose(found, CanonicalNoise(epsilon, delta).cdf(x - place), rtol=1e-9, atol=1e-13)
        assert one.power(share) == pytest.approx(level, rel=1e-12)


def test_that_the_gaussian_test_is_the_gaussian_decision():
    x = np.arange(31)
    for side in ("greater", "less"):
        one = GaussianShareTest(30, 0.4, 0.7, 0.05, side)
        seen = np.asarray(one.rejects(x))[:: 1 if side == "greater" else -1]
        direct = GaussianDecision(0.7, *one.anchor).accept_probability(x)
        np.testing.assert_allclose(seen, direct, rtol=1e-11)
        np.testing.assert_allclose(one.decision.accept_probability(x), direct, rtol=1e-11)
        assert one.power(0.4) == pytest.approx(0.05, rel=1e-12)
    assert GaussianShareTest(30, 0.4, 0.7, 0.05, "equal").anchor is None


# Sums


@few
@given(n=st.integers(1, 20_000), share=shares, other=st.floats(1e-5, 1), epsilon=epsilons,
       delta=deltas, level=levels)
@example(n=500, share=0.5, other=0.5, epsilon=0.05, delta=0.0, level=1e-6)
@example(n=20_000, share=0.5, other=0.47, epsilon=3.0, delta=0.0, level=0.05)
def test_that_power_is_the_sum_over_all_counts(n, share, other, epsilon, delta, level):
    x = np.arange(n + 1)
    for side in ("greater", "less"):
        one = ShareTest(n, share, epsilon, delta, level, side)
        mass = binom.pmf(x, n, other)
        said = np.asarray(one.rejects(x))
        power, misses = math.fsum(mass * said), math.fsum(mass * (1 - said))
        assert one.power(other) == pytest.approx(power, rel=1e-11, abs=1e-290)
        assert one.misses(other) == pytest.approx(misses, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(("n", "share", "other", "epsilon"), [(200, 0.5, 0.02, 0.3), (400, 0.3, 0.9, 0.5),
                                                              (60, 0.1, 0.99, 5.0), (1000, 0.5, 0.1, 1.0)])
def test_that_small_chances_keep_their_digits(n, share, other, epsilon):
    one = ShareTest(n, share, epsilon)
    m = one.threshold
    with mpmath.workdps(60):
        e, p = mpmath.mpf(epsilon), mpmath.mpf(other)
        a = mpmath.exp(-e)

        def below(x):
            """Pr[N ≤ x]."""
            r = mpmath.floor(x + 0.5)
            low = a ** (1 - r) / (1 + a) if r < 1 else 1 - a**r / (1 + a)
            return low + (1 - a) / (1 + a) * a ** abs(r) * (x - r + 0.5)

        mass = [mpmath.binomial(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]
        yes = sum(each * below(mpmath.mpf(x) - m) for x, each in enumerate(mass))
        no = sum(each * below(m - mpmath.mpf(x)) for x, each in enumerate(mass))
    assert one.power(other) == pytest.approx(float(yes), rel=1e-11, abs=0)
    assert one.misses(other) == pytest.approx(float(no), rel=1e-11, abs=0)


def of_closed_form(n, p, epsilon, m):
    """E F(X − m) without δ: a mixture of two whole thresholds, each of three binomial tails of tilted shares."""
    a, c = math.exp(-epsilon), math.floor(m + 0.5)
    u = c + 0.5 - m

    def whole(c):
        up, down = (p * math.exp(s * epsilon) / (1 + p * math.expm1(s * epsilon)) for s in (1, -1))
        rise, fall = (n * math.log1p(p * math.expm1(s * epsilon)) for s in (1, -1))
        return (math.exp(rise - epsilon * c) * binom.cdf(c - 1, n, up) / (1 + a) + binom.sf(c - 1, n, p)
                - math.exp(fall + epsilon * (c - 1)) * binom.sf(c - 1, n, down) / (1 + a))

    return (1 - u) * whole(c + 1) + u * whole(c)


@pytest.mark.parametrize(("n", "share", "epsilon", "rel"), [
    (50, 0.3, 1.0, 1e-12), (10**5, 0.5, 0.01, 1e-10), (10**7, 0.5, 1e-3, 1e-9), (10**9, 0.5, 1e-5, 1e-8)])
def test_that_a_billion_people_are_added_up_as_the_closed_form_has_it(n, share, epsilon, rel):
    one = ShareTest(n, share, epsilon)
    other = share + 2 * math.sqrt(share * (1 - share) / n)
    assert one.power(share) == pytest.approx(0.05, rel=1e-12)
    assert one.power(other) == pytest.approx(of_closed_form(n, other, epsilon, one.threshold), rel=rel)
    sd = math.sqrt(n * share * (1 - share) + CanonicalNoise(epsilon).sd ** 2)
    if n == 10**9:
        away = (n * other - one.threshold) / sd
        assert one.power(other) == pytest.approx(ndtr(away), abs=0.03)


def test_that_a_curve_over_shares_is_as_its_points_are_and_rises():
    one = ShareTest(1000, 0.5, 0.5, 1e-6)
    at = np.linspace(0, 1, 41)
    curve = one.power(at)
    np.testing.assert_array_equal(curve, [one.power(each) for each in at])
    assert (np.diff(curve) >= -2e-15).all()
    assert one.power(at.reshape(1, -1)).shape == (1, 41)
    np.testing.assert_allclose(curve + one.misses(at), 1, rtol=1e-13)


@few
@given(n=st.integers(1, 3000), share=shares, epsilon=st.floats(-5, 2).map(math.exp), u=st.floats(-6, 6))
@example(n=1, share=0.5, epsilon=1.0, u=0.45)
@example(n=1, share=0.5, epsilon=1.0, u=-0.85)
def test_that_a_rise_of_laplace_noise_is_its_sum_wherever_it_stands(n, share, epsilon, u):
    rise, x = LaplaceRise(epsilon), np.arange(n + 1)
    m = n * share + u * math.sqrt(n * share * (1 - share) + 1 / epsilon**2)
    c, t = parted(np.array([math.floor(m)]), [m - math.floor(m)])
    law = LaplaceNoise(1 / epsilon)
    given_ = (np.array([float(each)]) for each in (n, share, 1 - share))
    total, _ = rise.sums(*given_, c, t)
    mass = binom.pmf(x, n, share)
    assert total[0] == pytest.approx(math.fsum(mass * law.cdf(x - m)), rel=1e-11)
    np.testing.assert_allclose(rise.at(x, c[0], t[0]), law.cdf(x - m), rtol=1e-11)


rises = st.one_of(
    st.builds(LaplaceRise, st.floats(-5, 2).map(math.exp)),
    st.builds(NormalRise, st.floats(-5, 2).map(math.exp)),
    st.builds(CanonicalRise, st.builds(CanonicalNoise, st.floats(-5, 2).map(math.exp), deltas)),
)


@few
@given(rise=rises, n=st.integers(1, 20_000), share=shares, u=st.floats(-6, 6), cut=st.floats(-3, 3) | st.none())
def test_that_few_places_add_up_to_what_all_whole_numbers_do(rise, n, share, u, cut):
    sd = math.sqrt(n * share * (1 - share) + rise.spread**2)
    m = n * share + u * sd
    c, t = parted(np.array([math.floor(m)]), [m - math.floor(m)])
    given_ = [np.array([float(each)]) for each in (n, share, 1 - share)]
    ends = [np.array([float(each)]) for each in (
        (0, math.inf) if cut is None else (max(math.floor(n * share + cut * sd), 0), math.ceil(m + sd)))]
    every = rise._one_by_one(*given_, c, t, *ends, moments=True)
    found = rise._by_places(*given_, c, t, *ends, moments=True)
    scale = np.maximum(np.abs(every), sd * every[[0, 1, 0, 1]] * [[0], [0], [1], [1]])
    np.testing.assert_array_less(np.abs(found - every), 1e-11 * scale + 1e-290)


@pytest.mark.parametrize("side", ["greater", "less", "equal"])
@pytest.mark.parametrize("mu", [0.05, 1.0, 8.0])
def test_that_the_power_of_the_gaussian_test_is_its_sum(side, mu):
    one, x = GaussianShareTest(300, 0.3, mu, 0.02, side), np.arange(301)
    for other in (0.05, 0.3, 0.35, 0.6):
        power = math.fsum(binom.pmf(x, 300, other) * one.rejects(x))
        assert one.power(other) == pytest.approx(power, rel=1e-11, abs=1e-300)
    assert one.power(0.3) == pytest.approx(0.02, rel=1e-11)


# Two sides


@pytest.mark.parametrize("share", [1e-6, 1e-12, 1e-20, 1e-100, 5e-324])
@pytest.mark.parametrize(("n", "epsilon", "delta"), [(1, 1.0, 0.0), (12, 1.0, 1e-7), (13_000, 0.3, 0.01)])
def test_that_next_to_a_share_of_0_none_and_one_are_rejected_alike(share, n, epsilon, delta):
    one = ShareTest(n, share, epsilon, delta, 1e-3, "two")
    # E (X − nθ) φ is nθ (φ(1) − φ(0)) but for what two have.
    assert one.rejects(0) == pytest.approx(1e-3, rel=3 * n * share + 1e-11)
    of_two = 3 * (math.exp(epsilon) + delta / 1e-3) * n * share
    assert one.rejects(1) == pytest.approx(one.rejects(0), rel=of_two + 1e-9)


@few
@given(n=st.integers(1, 2000), share=st.floats(0.02, 0.98), epsilon=st.floats(-4, 2.5).map(math.exp), delta=deltas,
       level=st.sampled_from([0.01, 0.05, 0.3, 0.9]))
@example(n=3, share=0.6956343384961259, epsilon=6.087126870219631, delta=0.0, level=0.9)
@example(n=1, share=0.5, epsilon=1.0, delta=0.0, level=0.05)
def test_that_the_two_sided_test_has_its_size_and_no_slope_at_the_share(n, share, epsilon, delta, level):
    one, x = ShareTest(n, share, epsilon, delta, level, "two"), np.arange(n + 1)
    mass, said = binom.pmf(x, n, share), np.asarray(one.rejects(x))
    assert math.fsum(mass * said) == pytest.approx(level, rel=1e-9)
    assert math.fsum(mass * said * (x - n * share)) == pytest.approx(0, abs=1e-9 * math.sqrt(n) * level)
    assert one.power(share) == pytest.approx(level, rel=1e-11)
    lowest = np.argmin(said)
    assert (np.diff(said)[lowest:] >= -1e-15).all()
    assert (np.diff(said)[:lowest] <= 1e-15).all()
    assert one.anchor is None is one.decision
    low, high = one.threshold
    noise, middle = CanonicalNoise(epsilon, delta), (low + high) / 2
    np.testing.assert_allclose(said, np.where(x >= middle, noise.cdf(x - high), noise.cdf(low - x)), rtol=1e-7,
                               atol=1e-12)


def test_that_newton_finds_both_sides_where_people_are_many(monkeypatch):
    monkeypatch.delattr(two_sided, "_sought")
    for n, share, epsilon in ((100, 0.5, 0.3), (1000, 0.2, 1.0), (10**6, 0.7, 0.01)):
        one = ShareTest(n, share, epsilon, side="two")
        assert one.power(share) == pytest.approx(0.05, rel=1e-11)
        assert one.power(share + 0.1) > 0.05


def test_that_half_is_tested_symmetrically_and_equal_tails_are_a_little_biased():
    two, equal, one = (ShareTest(50, 0.5, 0.2, side=side) for side in ("two", "equal", "greater"))
    assert sum(two.threshold) == pytest.approx(50, abs=1e-9)
    assert [round(each.power(0.7), 4) for each in (two, equal, one)] == [0.2289, 0.1788, 0.333]
    # At another share equal tails may win on one side, and reject less often than their level beside it.
    uneven = ShareTest(40, 0.25, 0.5, side="equal")
    assert uneven.power(0.25) == pytest.approx(0.05, rel=1e-12)
    assert np.asarray(uneven.power(np.linspace(0.2, 0.3, 101))).min() < 0.05 - 1e-5
    assert np.asarray(ShareTest(40, 0.25, 0.5, side="two").power(np.linspace(0.2, 0.3, 101))).min() > 0.05 - 1e-12


# Without privacy, and naive


@pytest.mark.parametrize(("n", "share", "level"), [(100, 0.5, 0.05), (7, 0.2, 0.1), (1000, 0.01, 0.01), (5, 0.5, 0.9)])
def test_that_without_privacy_it_rejects_from_a_count_on_and_there_by_a_coin(n, share, level):
    x = np.arange(n + 1)
    c = int(np.argmax(binom.sf(x, n, share) <= level))  # Pr[X > c] ≤ α
    coin = (level - binom.sf(c, n, share)) / binom.pmf(c, n, share)
    one = PlainTest(n, share, level)
    expected = np.where(x > c, 1.0, np.where(x == c, coin, 0.0))
    np.testing.assert_allclose(one.rejects(x), expected, rtol=1e-9, atol=1e-12)
    assert one.power(0.6) == pytest.approx((binom.pmf(x, n, 0.6) * expected).sum(), rel=1e-11)
    assert PlainTest(n, share, level, "two").power(0.6) >= PlainTest(n, share, level, "equal").power(0.6) - 0.05
    assert one.power(0.6) >= ShareTest(n, share, 1.0, 0.0, level).power(0.6)


@pytest.mark.parametrize("noise", ["geometric", "laplace"])
@pytest.mark.parametrize(("n", "share", "epsilon", "level"), [(100, 0.5, 0.1, 0.05), (30, 0.2, 1.0, 0.01),
                                                              (12, 0.9, 0.5, 0.2)])
def test_that_a_naive_test_errs_as_often_as_clipping_and_rounding_make_it(noise, n, share, epsilon, level):
    x, z = np.arange(n + 1), np.arange(-3000, 3000 + n)
    law = GeometricNoise(epsilon) if noise == "geometric" else LaplaceNoise(1 / epsilon)
    for side, turned in (("greater", binom.sf(x - 1, n, share)), ("less", binom.cdf(x, n, share))):
        one = NaiveTest(n, share, epsilon, level, side, noise)
        rejected = turned <= level  # of the count as if it were exact
        for other in (share, 0.35):
            total = 0.0
            for count, mass in zip(x, binom.pmf(x, n, other), strict=True):
                away = z - count
                at = law.density(away) if noise == "geometric" else law.cdf(away + 0.5) - law.cdf(away - 0.5)
                total += mass * at[rejected[np.clip(z, 0, n)]].sum()
            assert one.power(other) == pytest.approx(total, rel=1e-9, abs=1e-13)
        if rejected.any():
            assert one.critical == (x[rejected].min() if side == "greater" else x[rejected].max())
        assert one.size == one.power(share)


def test_that_a_naive_test_of_a_hundred_errs_five_times_as_often_as_it_says():
    assert NaiveTest(100, 0.5, 0.1).size == pytest.approx(0.240, abs=5e-4)
    assert NaiveTest(100, 0.5, 800.0).size == pytest.approx(binom.sf(58, 100, 0.5), rel=1e-12)
    never = NaiveTest(3, 0.5, 1.0, 0.01)
    assert (never.critical, never.power(0.9), NaiveTest(3, 0.5, 1.0, 0.01, "less").critical) == (4, 0.0, -1)


@few
@given(n=st.integers(1, 5000), share=st.floats(0.02, 0.98), epsilon=st.floats(-5, 2).map(math.exp),
       noise=st.sampled_from(["geometric", "laplace"]), side=st.sampled_from(["greater", "less"]),
       level=st.sampled_from([0.01, 0.05, 0.3]))
def test_that_a_corrected_critical_value_is_the_first_to_keep_the_level(n, share, epsilon, noise, side, level):
    one = NaiveTest(n, share, epsilon, level, side, noise, True)
    x, law = np.arange(n + 1), GeometricNoise(epsilon) if noise == "geometric" else LaplaceNoise(1 / epsilon)
    mass = binom.pmf(x, n, share)

    def size(critical):
        away = (critical - x) if side == "greater" else (x - critical)
        return math.fsum(mass * law.tail(away if noise == "geometric" else away - 0.5))

    step = 1 if side == "greater" else -1
    assert one.size == pytest.approx(size(one.critical), rel=1e-10)
    assert one.size <= level * (1 + 1e-12) < size(one.critical - step) * (1 + 1e-9)
    assert one.power(share) <= ShareTest(n, share, epsilon, 0.0, level, side).power(share) * (1 + 1e-12)


# From one noisy count


@few
@given(n=st.integers(1, 300), share=st.floats(1e-5, 1) | st.just(0.0), epsilon=st.floats(-4, 3).map(math.exp),
       delta=deltas, u=st.floats(-3, 4))
def test_that_the_law_of_the_noisy_count_is_that_of_the_sum(n, share, epsilon, delta, u):
    one, x = NoisyShare(n, epsilon, delta), np.arange(n + 1)
    noise, mass = CanonicalNoise(epsilon, delta), binom.pmf(x, n, share)
    z = n * share + u * one.sd(share)
    assume(abs(z - math.floor(z) - 0.5) > 1e-6)
    assert one.tail(z, share) == pytest.approx(math.fsum(mass * noise.tail(z - x)), rel=1e-10, abs=1e-15)
    assert one.cdf(z, share) == pytest.approx(math.fsum(mass * noise.cdf(z - x)), rel=1e-10, abs=1e-15)
    assume(not delta or abs(abs(z - x) - noise.edge).min() > 1e-6)
    assert one.density(z, share) == pytest.approx(math.fsum(mass * noise.density(z - x)), rel=1e-10, abs=1e-300)
    assert one.sd(share) ** 2 == pytest.approx(n * share * (1 - share) + noise.sd**2, rel=1e-13)
    greater, less, two = (one.p_value(z, share, side) for side in ("greater", "less", "two"))
    assert two == min(2 * min(greater, less), 1.0)
    assert p_value(z, n, share, epsilon, delta, "less") == less


@pytest.mark.parametrize(("n", "epsilon", "delta"), [(30, 1.0, 0.0), (8, 0.3, 0.01), (200, 0.05, 1e-6), (5, 4.0, 0.0)])
def test_that_p_values_are_uniform_under_what_is_tested_and_are_the_test_at_every_level(n, epsilon, delta):
    one, noise, x = NoisyShare(n, epsilon, delta), CanonicalNoise(epsilon, delta), np.arange(n + 1)
    far = 40 * noise.sd + 10
    for share in (0.07, 0.5, 0.83):
        mass = binom.pmf(x, n, share)
        for level in (1e-3, 0.05, 0.4, 0.95):
            z = brentq(lambda z, share=share, level=level: one.p_value(z, share) - level, -far, n + far, xtol=1e-13)
            assert math.fsum(mass * noise.tail(z - x)) == pytest.approx(level, rel=1e-9)  # Pr[p ≤ a] = Pr[Z ≥ z]
            assert ShareTest(n, share, epsilon, delta, level).threshold == pytest.approx(z, abs=1e-9)
            w = brentq(lambda w, share=share, level=level: one.p_value(w, share, "less") - level, -far, n + far,
                       xtol=1e-13)
            assert math.fsum(mass * noise.cdf(w - x)) == pytest.approx(level, rel=1e-9)
            assert ShareTest(n, share, epsilon, delta, level, "less").threshold == pytest.approx(w, abs=1e-9)
            low, high = ShareTest(n, share, epsilon, delta, level, "equal").threshold
            assert one.p_value(low, share, "two") == pytest.approx(level, rel=1e-9)
            both = math.fsum(mass * (noise.cdf(low - x) + noise.tail(high - x)))
            assert both == pytest.approx(level, rel=1e-9)


@few
@given(n=st.integers(1, 200), share=st.floats(0.001, 0.999), epsilon=st.floats(-3, 2).map(math.exp),
       delta=st.sampled_from([0.0, 1e-3]), confidence=st.sampled_from([0.5, 0.95, 0.999]))
def test_that_the_interval_covers_every_share_exactly_as_often_as_it_says(n, share, epsilon, delta, confidence):
    one, noise, x = NoisyShare(n, epsilon, delta), CanonicalNoise(epsilon, delta), np.arange(n + 1)
    off = 1e-8 * (noise.sd + n)
    # Both ends rise with z: covered from where the upper end reaches the share to where the lower one passes it.
    begins, ends = ShareTest(n, share, epsilon, delta, 1 - confidence, "equal").threshold
    for z, inside in ((begins - off, False), (begins + off, True), (ends - off, True), (ends + off, False)):
        low, high = one.interval(z, confidence)
        assert (low <= share <= high) == inside
    covered = math.fsum(binom.pmf(x, n, share) * (noise.cdf(ends - x) - noise.cdf(begins - x)))
    assert covered == pytest.approx(confidence, abs=1e-12)


def test_that_the_ends_of_an_interval_have_half_of_what_is_left_and_what_no_share_explains_is_said():
    one = NoisyShare(30, 1.0)
    low, high = one.interval(18.3, 0.9)
    assert one.p_value(18.3, low) == pytest.approx(0.05, rel=1e-10)
    assert one.p_value(18.3, high, "less") == pytest.approx(0.05, rel=1e-10)
    assert interval(18.3, 30, 1.0, 0.0, 0.9) == (low, high)
    assert interval(30 - 18.3, 30, 1.0, 0.0, 0.9) == pytest.approx((1 - high, 1 - low), rel=1e-12)
    assert (one.interval(-20.0), one.interval(60.0)) == ((0.0, 0.0), (1.0, 1.0))
    assert [one.explained(z, 0.95) for z in (-20.0, -1.0, 15.0, 31.0, 60.0)] == [False, True, True, True, False]
    assert one.interval(-1.0)[0] == 0.0 < one.interval(-1.0)[1]
    assert one.interval(31.0)[1] == 1.0 > one.interval(31.0)[0]
    low, high = NoisyShare(10**9, 0.5).interval(12.0)
    assert 0 < low < 1.2e-8 < high < 4e-8
    assert NoisyShare(10**9, 0.5).cdf(12.0, high) == pytest.approx(0.025, rel=1e-10)


@pytest.mark.parametrize(("n", "epsilon", "share"), [(6, 1.0, 0.3), (25, 0.5, 0.6), (40, 3.0, 0.05)])
def test_that_the_mean_width_is_that_of_the_intervals_of_all_counts(n, epsilon, share):
    one = NoisyShare(n, epsilon)
    # Between any two halves the density of Z is constant in each of its terms.
    node, weight = np.polynomial.legendre.leggauss(4)
    far = math.ceil(16 / epsilon) + 3
    z = (np.arange(-far, n + far + 1)[:, None] + node / 2).ravel()
    width = np.array([np.diff(one.interval(float(each)))[0] for each in z])
    expected = (one.density(z, share) * width * np.resize(weight / 2, z.size)).sum()
    assert one.expected_width(share) == pytest.approx(expected, rel=5e-4)
    assert one.expected_width(share, 0.5) < one.expected_width(share)


def test_that_the_mean_width_for_many_is_that_of_a_normal_number():
    one = NoisyShare(10**6, 0.01)
    assert one.expected_width(0.3) == pytest.approx(2 * 1.959964 * one.sd(0.3) / 10**6, rel=2e-3)


# How many


@pytest.mark.parametrize(("share", "alternative", "epsilon", "delta", "level", "power"), [
    (0.5, 0.6, 0.5, 1e-6, 0.05, 0.8), (0.5, 0.4, 0.5, 0.0, 0.05, 0.8), (0.1, 0.11, 0.01, 0.0, 0.01, 0.9),
    (0.3, 0.5, 3.0, 0.0, 0.2, 0.7), (0.5, 0.5003, 1.0, 0.0, 0.05, 0.8), (0.5, 0.9, 0.0, 0.02, 0.05, 0.9)])
def test_that_the_fewest_people_are_enough_and_one_less_is_not(share, alternative, epsilon, delta, level, power):
    n = smallest_n(share, alternative, epsilon, delta, level, power)
    assert type(n) is float
    side = "greater" if alternative > share else "less"
    at, before = (ShareTest(int(each), share, epsilon, delta, level, side).power(alternative) for each in (n, n - 1))
    assert before < power <= at
    assert powers(np.array([n - 1, n]), share, alternative, epsilon, delta, level) == pytest.approx([before, at],
                                                                                                    rel=1e-12)
    plain = smallest_n_plain(share, alternative, level, power)
    assert plain <= n
    assert powers_plain(plain, share, alternative, level) >= power > powers_plain(plain - 1, share, alternative, level)


def test_that_the_fewest_people_are_those_of_the_formulary():
    assert smallest_n(0.5, 0.6, 0.5) == smallest_n(0.5, 0.6, 0.5, 1e-6) == 179
    assert smallest_n(0.5, 0.51, 1e-8) == math.inf
    assert smallest_n(0.5, 0.99, 5.0, 0.0, 0.5, 0.51) == 1
    mu = smallest_n_gaussian(0.5, 0.6, 0.3)
    at, before = powers_gaussian([mu, mu - 1], 0.5, 0.6, 0.3)
    assert before < 0.8 <= at


@pytest.mark.parametrize("noise", ["geometric", "laplace"])
def test_that_a_corrected_test_needs_more_people_than_the_best(noise):
    n = smallest_n_naive(0.5, 0.6, 0.2, 0.05, 0.8, noise)
    best = smallest_n(0.5, 0.6, 0.2)
    assert best <= n < 1.1 * best
    seen = [NaiveTest(k, 0.5, 0.2, 0.05, "greater", noise, True).power(0.6) for k in range(int(best), int(n) + 1)]
    assert max(seen[:-1], default=0.0) < 0.8 <= seen[-1]
    assert smallest_n_naive(0.5, 0.4, 0.2, 0.05, 0.8, noise) == n


def test_that_power_never_falls_as_people_join():
    for power in (powers(np.arange(1, 120), 0.4, 0.6, 0.7, 1e-3), powers_plain(np.arange(1, 120), 0.4, 0.3)):
        assert (np.diff(power) >= -1e-14).all()


# Extremes, and what is refused


@settings(max_examples=60)
@given(n=st.sampled_from([1, 2, 37, 10**5, 10**9]), share=st.sampled_from([1e-9, 0.3, 0.5, 1 - 1e-9]),
       epsilon=st.sampled_from([1e-6, 1e-3, 1.0, 20.0, 700.0, 2000.0]), delta=deltas,
       level=st.sampled_from([1e-12, 0.05, 0.999]), side=st.sampled_from(["greater", "less", "equal"]))
def test_that_extreme_tests_raise_no_warning_and_keep_their_level(n, share, epsilon, delta, level, side):
    one = ShareTest(n, share, epsilon, delta, level, side)
    assert one.power(share) == pytest.approx(level, rel=1e-9)
    for value in (one.power(0.0), one.power(1.0), one.misses(0.4), one.rejects(0), one.rejects(n)):
        assert 0 <= value <= 1
    assert one.anchor is None or one.anchor[0] >= 0


REFUSED = [
    (lambda: ShareTest(0, 0.5, 1.0), r"n must be an integer in \[1, 1e9\], got 0"),
    (lambda: ShareTest(1.5, 0.5, 1.0), r"n must be an integer in .*, got 1.5"),
    (lambda: ShareTest(10, 0.0, 1.0), r"share must be in \(0, 1\), got 0.0"),
    (lambda: ShareTest(10, math.nan, 1.0), r"share must be in \(0, 1\), got nan"),
    (lambda: ShareTest(10, 0.5, -1.0), r"epsilon must be in \[0, ∞\), got -1.0"),
    (lambda: ShareTest(10, 0.5, 0.0), r"epsilon must be in \(0, ∞\), got 0.0"),
    (lambda: ShareTest(10, 0.5, 1.0, 1.1), r"delta must be in \[0, 1\], got 1.1"),
    (lambda: ShareTest(10, 0.5, 1.0, 0.0, 1.0), r"level must be in \(0, 1\), got 1.0"),
    (lambda: ShareTest(10, 0.5, 1.0, side="both"), r"side must be one of greater, less, two, equal, got 'both'"),
    (lambda: ShareTest(10, 0.5, 1.0).power(1.1), r"share must be in \[0, 1\], got 1.1"),
    (lambda: ShareTest(10, 0.5, 1.0).power([0.1, math.nan]), r"share must be in \[0, 1\], got nan"),
    (lambda: ShareTest(10, 0.5, 1.0).rejects(11), r"count must be an integer in \[0, 10\], got 11"),
    (lambda: ShareTest(10, 0.5, 1.0).rejects(2.5), r"count must be an integer in .*, got 2.5"),
    (lambda: ShareTest(10, 0.5, 1e-17).anchor, r"epsilon must be large enough .*, got 1e-17"),
    (lambda: GaussianShareTest(10, 0.5, 0.0), r"mu must be in \(0, ∞\), got 0.0"),
    (lambda: GaussianShareTest(10, 0.5, 1.0, side="two"), r"side must be one of greater, less, equal, got 'two'"),
    (lambda: NoisyShare(10, 0.0), r"epsilon must be in \(0, ∞\), got 0.0"),
    (lambda: NoisyShare(10, 1.0).interval(math.nan), r"z must be in \(−∞, ∞\), got nan"),
    (lambda: NoisyShare(10, 1.0).interval(3.0, 1.0), r"confidence must be in \(0, 1\), got 1.0"),
    (lambda: p_value(3.0, 10, 0.5, 1.0, 0.0, "both"), r"side must be one of greater, less, two, got 'both'"),
    (lambda: p_value(math.inf, 10, 0.5, 1.0), r"z must be in \(−∞, ∞\), got inf"),
    (lambda: smallest_n(0.5, 0.5, 1.0), r"alternative must be another share .*, got 0.5"),
    (lambda: smallest_n(0.5, 1.5, 1.0), r"alternative must be in \[0, 1\], got 1.5"),
    (lambda: smallest_n(0.5, 0.6, 1.0, power=1.0), r"power must be in \(0, 1\), got 1.0"),
    (lambda: smallest_n_naive(0.5, 0.6, 1.0, noise="normal"), r"noise must be one of geometric, laplace, got 'normal'"),
    (lambda: NaiveTest(10, 0.5, 0.0), r"epsilon must be in \(0, ∞\), got 0.0"),
    (lambda: NaiveTest(10, 0.5, 1.0, side="two"), r"side must be one of greater, less, got 'two'"),
    (lambda: powers([10, 0], 0.5, 0.6, 1.0), r"n must be an integer in .*, got 0"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_that_what_is_no_test_is_refused_in_one_sentence(call, message):
    with pytest.raises(InvalidParameter, match=f"^{message}"):
        call()


def test_that_noise_far_wider_than_the_people_leaves_a_test_that_hardly_looks():
    one = ShareTest(10, 0.5, 1e-9)
    np.testing.assert_allclose(one.rejects(np.arange(11)), 0.05, rtol=1e-7)
    assert one.power(0.9) == pytest.approx(0.05, rel=1e-7)
