"""Noise: mpmath, sums and samples, and what “at least x” tells, however far out x lies."""

from __future__ import annotations

import math
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mechanisms import CLASSES, NEW, example

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.noise import (
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    Noise,
    analytic_sigma,
    classical_sigma,
    without_root_sigma,
)

epsilons = st.floats(-20.7, 3.9).map(math.exp)  # 1e-9 … 50
deltas = st.one_of(st.floats(-690, -0.01).map(math.exp), st.floats(1e-12, 1 - 1e-12))
scales = st.floats(-7, 7).map(math.exp)
noises = st.one_of(st.builds(LaplaceNoise, scales), st.builds(GaussianNoise, scales),
                   st.builds(GeometricNoise, st.floats(1e-4, 20), st.integers(1, 5)))


@given(scale=scales)
def test_that_rounding_laplace_noise_costs_what_the_sum_over_whole_numbers_says(scale):
    noise, k = LaplaceNoise(scale), np.arange(1, 60_001)
    assume(scale < 1000)
    beyond = np.asarray(noise.tail(np.append(k - 0.5, k[-1] + 0.5)))
    assert noise.rounded_sd**2 == pytest.approx(-2 * (k * k * np.diff(beyond)).sum(), rel=1e-9, abs=1e-300)
    assert noise.rounded_sd >= GeometricNoise(1 / scale).sd * (1 - 1e-14)


def digits(epsilon: float, mu: float) -> int:
    """Digits that Φ(−u) − e^ε Φ(−w) needs in mpmath: what it cancels, and what it is small by."""
    u = epsilon / mu - mu / 2
    return 60 + int(max(0.0, -math.log10(mu))) * 2 + int(max(u, 0.0) ** 2 / 4)


def gaussian_delta(epsilon: mpmath.mpf, mu: mpmath.mpf) -> mpmath.mpf:
    return mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)


@given(epsilon=st.one_of(st.just(0.0), epsilons), log_mu=st.floats(-18, 6))
def test_that_the_gaussian_delta_keeps_twelve_digits(epsilon, log_mu):
    mu = math.exp(log_mu)
    assume(epsilon / mu - mu / 2 < 36)
    sigma = 1 / mu
    with mpmath.workdps(digits(epsilon, mu)):
        exact = float(gaussian_delta(mpmath.mpf(epsilon), 1 / mpmath.mpf(sigma)))
    assert GaussianNoise(sigma).delta_at(epsilon) == pytest.approx(exact, rel=1e-12, abs=1e-300)


@given(epsilon=epsilons, delta=deltas)
def test_that_sigma_is_exact_and_never_too_small(epsilon, delta):
    sigma = GaussianNoise.analytic(epsilon, delta, 1.0).sigma
    with mpmath.workdps(digits(epsilon, 1 / sigma)):
        e, mu = mpmath.mpf(epsilon), 1 / mpmath.mpf(sigma)
        # One step of Newton's from a σ so near doubles its digits.
        exact = mu - (gaussian_delta(e, mu) - mpmath.mpf(delta)) / mpmath.npdf(mu / 2 - e / mu)
        above = float(mpmath.mpf(sigma) * exact - 1)
    assert 0 <= above < 3e-14
    assert analytic_sigma(np.array([epsilon, 1.0]), delta)[0] == pytest.approx(sigma, rel=1e-14)


@given(epsilon=epsilons, delta=deltas, sensitivity=scales)
def test_that_sigma_calibrated_accounts_for_its_own_delta(epsilon, delta, sensitivity):
    found = GaussianNoise.analytic(epsilon, delta, sensitivity).delta_at(epsilon, sensitivity)
    # δ multiplies what σ is rounded by as many times as ln δ has a slope against ln σ.
    assert found == pytest.approx(delta, rel=1e-10)
    assert found <= delta * (1 + 1e-12)


@given(epsilon=st.floats(-690, 690).map(math.exp), delta=st.floats(-740, -1e-15).map(math.exp))
def test_that_sigma_is_found_over_the_whole_range_of_doubles(epsilon, delta):
    sigma = analytic_sigma(epsilon, delta)
    assert 0 < sigma < math.inf
    assert analytic_sigma(epsilon * 1.01, delta) <= sigma * (1 + 1e-12)
    assert analytic_sigma([epsilon], [delta])[0] == pytest.approx(sigma, rel=1e-13)


@given(epsilon=st.floats(0, 8), scale=st.floats(0.2, 5), sensitivity=st.floats(0.1, 3))
def test_that_the_laplace_delta_is_the_integrated_hockey_stick(epsilon, scale, sensitivity):
    noise = LaplaceNoise(scale)
    with mpmath.workdps(30):
        b, d, factor = mpmath.mpf(scale), mpmath.mpf(sensitivity), mpmath.exp(mpmath.mpf(epsilon))
        cross = (d - epsilon * b) / 2  # where e^(−|x|/b) and e^ε e^(−|x − d|/b) are equal
        exact = mpmath.quad(lambda x: mpmath.exp(-abs(x) / b) - factor * mpmath.exp(-abs(x - d) / b),
                            [-60 * b, -20 * b, 0, cross]) / (2 * b) if cross > 0 else mpmath.mpf(0)
    assert noise.delta_at(epsilon, sensitivity) == pytest.approx(float(exact), rel=1e-11, abs=1e-15)
    assert (noise.delta_at(epsilon, sensitivity) == 0.0) == (cross <= 0)


@given(epsilon=epsilons, sensitivity=scales)
def test_that_laplace_calibrated_needs_no_delta_at_its_epsilon_and_some_just_below(epsilon, sensitivity):
    noise = LaplaceNoise.calibrate(epsilon, sensitivity)
    assert noise.scale == pytest.approx(sensitivity / epsilon, rel=1e-15)
    assert noise.delta_at(epsilon, sensitivity) == 0.0
    assert noise.delta_at(epsilon * (1 - 1e-9), sensitivity) == pytest.approx(epsilon * 5e-10, rel=1e-5)


@given(epsilon=st.floats(0.1, 20), made_for=st.integers(1, 3), sensitivity=st.integers(1, 4), part=st.floats(0, 1.1))
def test_that_the_geometric_delta_is_the_summed_hockey_stick(epsilon, made_for, sensitivity, part):
    noise, at = GeometricNoise(epsilon, made_for), part * epsilon * sensitivity / made_for
    with mpmath.workdps(40):
        a = mpmath.exp(-mpmath.mpf(epsilon) / made_for)
        factor = mpmath.exp(mpmath.mpf(at))
        reach = int(50 * made_for / epsilon) + 2  # below, the tail is summed in closed form
        total = max(a**reach / (1 + a) * (1 - factor * a**sensitivity), 0)
        for x in range(-reach + 1, sensitivity + 1):
            total += max((1 - a) / (1 + a) * (a ** abs(x) - factor * a ** abs(x - sensitivity)), 0)
    assert noise.delta_at(at, sensitivity) == pytest.approx(float(total), rel=1e-11, abs=1e-15)


@given(epsilon=epsilons, made_for=st.integers(1, 10**6))
def test_that_geometric_noise_needs_no_delta_at_its_epsilon(epsilon, made_for):
    noise = GeometricNoise(epsilon, made_for)
    assert noise.delta_at(epsilon, made_for) == 0.0
    assert noise.delta_at(epsilon * (1 - 1e-9), made_for) > 0


@given(noise=noises, p=st.one_of(st.floats(-690, -0.7).map(math.exp), st.floats(0, 1, allow_subnormal=False)))
def test_that_the_quantile_is_the_smallest_x_that_reaches_p(noise, p):
    x = noise.quantile(p)
    if not 0 < p < 1:
        assert x == (math.inf if p else -math.inf)
    elif isinstance(noise, GeometricNoise):
        assert x == math.floor(x)
        if p < 0.5:
            assert noise.cdf(x - 1) < p <= noise.cdf(x)
        else:  # what is left is exact, where the cdf is rounded
            assert noise.tail(x + 1) <= 1 - p < noise.tail(x)
    else:
        assert noise.cdf(x) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("noise", [LaplaceNoise(1.7), GaussianNoise(0.3), GeometricNoise(0.4, 2)])
def test_that_the_law_adds_up_to_its_moments(noise):
    whole = isinstance(noise, GeometricNoise)
    with mpmath.workdps(25):
        def moment(power):
            if whole:
                return 2 * sum(mpmath.mpf(noise.density(x)) * x**power for x in range(400)) - (power == 0) * (
                    noise.density(0))
            return 2 * mpmath.quad(lambda x: mpmath.mpf(noise.density(float(x))) * x**power,
                                   [k * noise.sd for k in (0, 1, 2, 4, 8, 16, 30)])
        assert float(moment(0)) == pytest.approx(1, abs=1e-12)
        assert float(moment(1)) == pytest.approx(noise.mean_error, rel=1e-11)
        assert float(moment(2)) == pytest.approx(noise.sd**2, rel=1e-11)
    assert noise.cdf(noise.error_quantile(0.95)) - noise.cdf(-noise.error_quantile(0.95) - whole) >= 0.95 - 1e-12


@given(scale=scales, z=st.floats(-37, 37))
def test_that_gaussian_tails_keep_twelve_digits(scale, z):
    x = z * scale
    with mpmath.workdps(40):
        exact = float(mpmath.ncdf(mpmath.mpf(x) / mpmath.mpf(scale)))
    assert GaussianNoise(scale).cdf(x) == pytest.approx(exact, rel=1e-12)
    assert GaussianNoise(scale).tail(-x) == GaussianNoise(scale).cdf(x)


@given(epsilon=st.floats(0.05, 5), sensitivity=st.integers(1, 4), alpha=st.floats(0, 1))
def test_that_the_geometric_trade_off_is_that_of_the_most_powerful_test(epsilon, sensitivity, alpha):
    noise = GeometricNoise(epsilon)
    x = np.arange(-2000, 2001)
    p, q = noise.density(x), noise.density(x - sensitivity)
    ratio = np.round(np.minimum(np.abs(x), 1e9) - np.abs(x - sensitivity)).astype(int)
    spent, found = 0.0, 0.0
    for level in sorted(set(ratio.tolist()), reverse=True):  # the most telling outcomes first
        cost, gain = p[ratio == level].sum(), q[ratio == level].sum()
        take = min(1.0, (alpha - spent) / cost)
        spent, found = spent + take * cost, found + take * gain
        if take < 1:
            break
    assert noise.trade_off(alpha, sensitivity) == pytest.approx(max(1 - found, 0), rel=1e-9, abs=1e-12)


def test_that_geometric_noise_too_wide_for_integers_is_refused():
    with pytest.raises(InvalidParameter, match="epsilon / sensitivity must be at least 1e-17"):
        GeometricNoise(1e-18).sample(3, np.random.default_rng(0))


@pytest.mark.parametrize("noise", [example(cls) for cls in (*CLASSES, *NEW) if issubclass(cls, Noise)], ids=str)
def test_that_shapes_are_kept_and_scalars_give_floats(noise):
    for method in (noise.density, noise.cdf, noise.tail, noise.quantile, noise.error_quantile, noise.delta_at,
                   noise.trade_off):
        assert method(np.full((2, 3), 0.25)).shape == (2, 3)
        assert method([0, 1]).shape == (2,)
        assert type(method(0.25)) is float
    assert noise.sample((2, 3), np.random.default_rng(0)).shape == (2, 3)
    assert np.ndim(noise.sample(None, np.random.default_rng(0))) == 0


def test_that_sigmas_take_arrays_of_any_shapes():
    for sigma in (analytic_sigma, classical_sigma, without_root_sigma):
        assert sigma([[0.1], [1.0]], [1e-5, 1e-9, 0.3], 2).shape == (2, 3)
        assert type(sigma(1, 0.5)) is float
        assert sigma(0.5, 1e-5, 3) == pytest.approx(3 * sigma(0.5, 1e-5), rel=1e-14)


@given(noise=noises, epsilon=st.floats(0, 1e308), x=st.floats(allow_nan=False, allow_infinity=False))
def test_that_extreme_numbers_raise_no_warning(noise, epsilon, x):
    for found in (noise.delta_at(epsilon), noise.cdf(x), noise.tail(x), noise.density(x)):
        assert 0 <= found < math.inf


@pytest.mark.parametrize(("call", "message"), [
    (lambda: LaplaceNoise(0), r"scale must be in \(0, ∞\), got 0"),
    (lambda: LaplaceNoise(math.nan), r"scale must be in \(0, ∞\), got nan"),
    (lambda: LaplaceNoise.calibrate(-1.0, 1), r"epsilon must be in \(0, ∞\), got -1.0"),
    (lambda: LaplaceNoise.calibrate(1.0, 0), r"sensitivity must be in \(0, ∞\), got 0"),
    (lambda: LaplaceNoise(1).cdf([0, math.nan]), r"x must be in \(-?−?∞, ∞\), got nan"),
    (lambda: LaplaceNoise(1).quantile(1.1), r"p must be in \[0, 1\], got 1.1"),
    (lambda: LaplaceNoise(1).delta_at(-0.1), r"epsilon must be in \[0, ∞\), got -0.1"),
    (lambda: LaplaceNoise(1).delta_at(1, 0), r"sensitivity must be in \(0, ∞\), got 0"),
    (lambda: LaplaceNoise(1).trade_off(2), r"alpha must be in \[0, 1\], got 2"),
    (lambda: GeometricNoise(1.0, 1.5), r"sensitivity must be an integer in \[1, 9007199254740992\], got 1.5"),
    (lambda: GeometricNoise(1.0).delta_at(1, 0.5), r"sensitivity must be an integer in .*, got 0.5"),
    (lambda: GaussianNoise(-1), r"sigma must be in \(0, ∞\), got -1"),
    (lambda: GaussianNoise.analytic(1.0, 0.0, 1.0), r"delta must be in \(0, 1\), got 0.0"),
    (lambda: GaussianNoise.analytic(1.0, 1.0, 1.0), r"delta must be in \(0, 1\), got 1.0"),
    (lambda: GaussianNoise.analytic(0.0, 0.5, 1.0), r"epsilon must be in \(0, ∞\), got 0.0"),
    (lambda: GaussianNoise.classical(1.0, 0.0, 1.0), r"delta must be in \(0, 1\], got 0.0"),
    (lambda: analytic_sigma([1.0, -2.0], 0.5), r"epsilon must be in \(0, ∞\), got -2.0"),
])
def test_that_what_lies_outside_is_refused_in_one_sentence(call, message):
    with pytest.raises(InvalidParameter, match=message):
        call()


NOISES = [*(LaplaceNoise(scale) for scale in (0.05, 0.3, 1.0, 1000.0)),
          *(GaussianNoise(sigma) for sigma in (0.2, 1.0, 5.0, 1000.0)),
          *(GeometricNoise(epsilon, made_for) for epsilon in (0.001, 1.0, 20.0) for made_for in (1, 3))]
PLACES = (-40.0, -7.3, -1.0, -0.5, -0.01, 0.0, 0.01, 0.5, 0.9, 1.0, 1.5, 2.0, 3.0, 4.5, 40.0, 3000.0)
every = pytest.mark.parametrize("noise", NOISES, ids=str)


def tail(noise, x):
    """Pr[X ≥ x] by its definition, in four hundred digits."""
    if isinstance(noise, LaplaceNoise):
        half = mpmath.exp(-abs(x) / mpmath.mpf(noise.scale)) / 2
        return half if x > 0 else 1 - half
    if isinstance(noise, GaussianNoise):
        return mpmath.erfc(x / mpmath.mpf(noise.sigma) / mpmath.sqrt(2)) / 2
    a, x = mpmath.exp(-mpmath.mpf(noise.epsilon) / noise.sensitivity), mpmath.ceil(x)
    return a**x / (1 + a) if x > 0 else 1 - a ** (1 - x) / (1 + a)


@every
def test_that_tails_and_their_ratio_keep_all_digits_where_they_are_no_doubles(noise):
    with mpmath.workdps(400):
        for x in PLACES:
            at = tail(noise, mpmath.mpf(x))
            if 1 - at < 1e-300:
                continue
            assert noise.log_tail(x) == pytest.approx(float(mpmath.log(at)), rel=1e-12)
            for sensitivity in (1, 2, 5):
                loss = mpmath.log(tail(noise, mpmath.mpf(x) - sensitivity) / at)
                assert noise.tail_loss(x, sensitivity) == pytest.approx(float(loss), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("epsilon", [0.001, 0.5, 1.0, 20.0])
def test_that_the_loss_of_a_far_tail_is_the_whole_epsilon(epsilon):
    assert LaplaceNoise(1 / epsilon).tail_loss([1.0, 1e6, 1e300]) == pytest.approx(epsilon, rel=1e-15)
    np.testing.assert_array_equal(GeometricNoise(epsilon).tail_loss([1.0, 1e6, 1e300]), epsilon)
    for noise in (LaplaceNoise(1 / epsilon), GeometricNoise(epsilon), GaussianNoise(1 / epsilon)):
        assert 0 <= noise.tail_loss(-1e6) < 1e-300


@every
def test_that_from_the_crossing_on_every_outcome_has_more_than_that_loss(noise):
    for sensitivity, part in product((1, 2), (-0.99, -0.4, 0.0, 0.3, 0.99)):
        check_crossing(noise, sensitivity, part)


def check_crossing(noise, sensitivity, part):
    most = noise.tail_loss(6 * noise.sd + 9 * sensitivity, sensitivity)
    loss = part * most
    x = noise.crossing(loss, sensitivity)
    step = 1.0 if isinstance(noise, GeometricNoise) else 1e-6 * noise.sd
    with mpmath.workdps(400):
        def single(at):
            if isinstance(noise, GeometricNoise):
                rate = mpmath.mpf(noise.epsilon) / noise.sensitivity
                return rate * (abs(at) - abs(at - sensitivity))
            if isinstance(noise, LaplaceNoise):
                return (abs(at) - abs(at - sensitivity)) / mpmath.mpf(noise.scale)
            return (at**2 - (at - sensitivity) ** 2) / (2 * mpmath.mpf(noise.sigma) ** 2)

        at = mpmath.mpf(x)
        assert single(at - step) <= loss < single(at if step == 1 else at + step)


@pytest.mark.parametrize("noise", [LaplaceNoise(0.5), GeometricNoise(2.0)])
def test_that_an_outcome_never_has_more_than_the_largest_loss(noise):
    assert noise.crossing(2.0) == math.inf
    assert noise.crossing(1.999) in (pytest.approx(1.0, abs=1e-3), 1.0)
    assert noise.crossing(-2.0) < math.inf
    assert noise.crossing(-2.001) == -math.inf
