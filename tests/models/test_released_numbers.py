"""Released numbers and means: sums over all that noise can be, at fifty digits, and draws."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.models.numbers import RatioMean, Released, half_width, inverse_count, ratio, ratio_mean, ratio_split

SMOOTH = [LaplaceNoise(2.0), GaussianNoise(3.0)]
WHOLE = [GeometricNoise(0.5), GeometricNoise(2.0, 3), DiscreteGaussianNoise(1.5)]


def exact_tail(noise, x):
    """Pr[X > x] at fifty digits."""
    if isinstance(noise, LaplaceNoise):
        t = mpmath.exp(-abs(x) / mpmath.mpf(noise.scale)) / 2
        return t if x > 0 else 1 - t
    return mpmath.ncdf(-x / mpmath.mpf(noise.sigma))


@pytest.mark.parametrize("noise", SMOOTH, ids=repr)
@given(bias=st.floats(-40, 40), log_missed=st.floats(-25, -0.05), step=st.floats(0.01, 50))
@example(bias=0.0, log_missed=-3.0, step=1.0)
@example(bias=300.0, log_missed=-20.0, step=1.0)
def test_so_often_a_released_number_is_within_its_half_width(noise, bias, log_missed, step):
    level = 1 - math.exp(log_missed)
    t = half_width(noise, bias, level, step)
    with mpmath.workdps(50):
        up, down = (mpmath.mpf(t) - abs(mpmath.mpf(bias))) / step, (mpmath.mpf(t) + abs(mpmath.mpf(bias))) / step
        missed = exact_tail(noise, up) + exact_tail(noise, down)
    assert float(missed) == pytest.approx(1 - level, rel=1e-11 * (1 + abs(t) / step))
    assert half_width(noise, -bias, level, step) == t
    assert t >= step * float(noise.error_quantile(level)) * (1 - 1e-12)


@pytest.mark.parametrize("noise", WHOLE, ids=repr)
@given(bias=st.one_of(st.floats(-30, 30), st.integers(-60, 60).map(lambda k: k / 2)), level=st.floats(0.01, 0.9999),
       step=st.sampled_from([1.0, 0.1, 7.0]))
@example(bias=2.25, level=0.9, step=1.0)
@example(bias=2.75, level=0.9, step=1.0)
@example(bias=2.5, level=0.4, step=1.0)
@example(bias=0.0, level=0.05, step=1.0)
@example(bias=0.3, level=0.9, step=0.1)
def test_on_a_grid_the_half_width_is_the_first_place_that_is_enough(noise, bias, level, step):
    places = np.arange(-2000, 2001.0)
    distances = np.abs(abs(bias) + step * places)
    order = np.argsort(distances)
    masses = np.cumsum(np.asarray(noise.density(places))[order])
    t = half_width(noise, bias, level, step)
    room = 1e-9 * (1 + abs(bias))
    assert masses[distances[order] <= t + room][-1] >= level - 1e-12
    fewer = masses[distances[order] < t - room]
    assert not fewer.size or fewer[-1] < level + 1e-12
    assert np.abs(distances - t).min() < room


def test_half_widths_are_of_any_shape_and_fast_of_many():
    found = half_width(LaplaceNoise(1.0), [[0.0], [2.0]], [0.5, 0.9, 0.95], 3.0)
    assert found.shape == (2, 3)
    assert found[0] == pytest.approx(3 * np.log([2.0, 10.0, 20.0]), rel=1e-14, abs=0)
    assert type(half_width(GeometricNoise(1.0), 1.5)) is float
    assert half_width(GeometricNoise(1.0), np.linspace(0, 9, 200)).shape == (200,)


@pytest.mark.parametrize("noise", [*SMOOTH, *WHOLE], ids=repr)
def test_a_released_number_is_its_value_moved_by_bias_and_noise(noise):
    one = Released(noise, value=100.0, bias=-7.5, step=0.1)
    drawn = 92.5 + 0.1 * np.asarray(noise.sample(200_000, np.random.default_rng(2)))
    assert one.mean == 92.5
    assert (one.sd, one.rmse) == pytest.approx((0.1 * noise.sd, math.hypot(7.5, 0.1 * noise.sd)), rel=1e-15, abs=0)
    for x in (92.2, 92.5, 92.7, 93.0):
        assert one.cdf(x) == pytest.approx((drawn <= x + 1e-9).mean(), abs=0.006)
        assert one.tail(x) == pytest.approx((drawn >= x - 1e-9).mean(), abs=0.006)
    assert one.half_width(0.9) == pytest.approx(np.quantile(np.abs(drawn - 100), 0.9), abs=0.011)
    room = 0.11 if noise.is_whole else 0.02
    assert one.quantile([0.5, 0.9]) == pytest.approx(np.quantile(drawn, [0.5, 0.9]), abs=room)
    if noise.is_whole:
        masses = [noise.density(0), noise.density(2), 0.0]
        assert one.density([92.5, 92.7, 92.55]) == pytest.approx(masses, rel=1e-12, abs=0)
    else:
        assert one.density(92.7) == pytest.approx((one.cdf(92.701) - one.cdf(92.699)) / 0.002, rel=1e-3, abs=0)


# A mean of a number of people that is private


def by_pairs(noise, n, far):
    """E 1/M and E 1/M² at fifty digits, a term for each noise."""
    with mpmath.workdps(50):
        if isinstance(noise, GeometricNoise):
            a = mpmath.exp(-mpmath.mpf(noise.epsilon) / noise.sensitivity)
            masses = {y: (1 - a) / (1 + a) * a ** abs(y) for y in range(-far, far + 1)}
        else:
            sigma = mpmath.mpf(noise.sigma)
            masses = {y: mpmath.exp(-mpmath.mpf(y) ** 2 / 2 / sigma**2) for y in range(-far, far + 1)}
            total = mpmath.fsum(masses.values())
            masses = {y: p / total for y, p in masses.items()}
        first, second = (mpmath.fsum(p / mpmath.mpf(max(n + y, 1)) ** k for y, p in masses.items()) for k in (1, 2))
        return first, second, masses


@pytest.mark.parametrize(("noise", "n", "far"), [
    (GeometricNoise(0.5), 30, 260), (GeometricNoise(1.0, 4), 1, 500), (GeometricNoise(5.0), 3, 40),
    (GeometricNoise(0.5), 10**9, 260), (DiscreteGaussianNoise(4.0), 9, 80), (GeometricNoise(0.2), 100, 700)])
def test_inverse_counts_are_sums_over_every_noise_also_what_they_are_beyond_the_inverse(noise, n, far):
    first, second, _ = by_pairs(noise, n, far)
    assert inverse_count(noise, n) == pytest.approx((float(first), float(second)), rel=1e-13, abs=0)
    bias, sd = ratio_mean(n, 30.0, 50.0, noise, 200.0)
    with mpmath.workdps(50):
        total = -20 * mpmath.mpf(n)
        expected = float(total * first + 20), float(mpmath.sqrt((total**2 + 200) * second - (total * first) ** 2))
    assert (bias, sd) == pytest.approx(expected, rel=1e-11, abs=0)
    assert ratio_mean(n, 50.0, 50.0, noise, 0.0) == (0.0, 0.0)


@pytest.mark.parametrize(("noise", "n"), [(GeometricNoise(0.003), 2000), (GeometricNoise(0.003), 5), (GeometricNoise(
    0.002), 10**5), (DiscreteGaussianNoise(900.0), 1500), (GeometricNoise(0.003), 300)])
def test_long_sums_are_integrals_with_their_ends(noise, n, monkeypatch):
    monkeypatch.setattr(ratio, "_AT_ONCE", 10**9)
    expected = inverse_count(noise, n), ratio_mean(n, 3.0, 0.0, noise, 10.0)
    monkeypatch.setattr(ratio, "_AT_ONCE", 300)
    found = inverse_count(noise, n), ratio_mean(n, 3.0, 0.0, noise, 10.0)
    assert found != expected
    assert found[0] == pytest.approx(expected[0], rel=1e-12, abs=0)
    assert found[1] == pytest.approx(expected[1], rel=1e-11, abs=0)


@pytest.mark.parametrize("noise", [LaplaceNoise(4.0), GaussianNoise(12.0), LaplaceNoise(300.0)], ids=repr)
def test_with_noise_on_all_numbers_the_maximum_gives_an_inverse_a_mean_too(noise):
    rng = np.random.default_rng(6)
    inverse = 1 / np.maximum(20 + np.asarray(noise.sample(10**6, rng)), 1)
    first, second = inverse_count(noise, 20)
    assert first == pytest.approx(inverse.mean(), abs=5e-3 * inverse.std())
    assert second == pytest.approx((inverse**2).mean(), abs=5e-3 * (inverse**2).std())


def test_huge_counts_and_any_epsilon_are_answered():
    for epsilon in (1e-12, 1e-6, 1e-3, 1.0, 20.0, 700.0):
        for n in (1, 10, 10**5, 10**9, 2**53):
            first, second = inverse_count(GeometricNoise(epsilon), n)
            assert first * first <= second * (1 + 1e-12)
            assert 0 < first <= 1
    bias, sd = ratio_mean(10**9, 30.0, 0.0, GeometricNoise(1.0), 0.0)
    variance = 2 * math.exp(-1) / (1 - math.exp(-1)) ** 2
    assert bias == pytest.approx(30 * variance / 1e18, rel=1e-9, abs=0)
    assert sd == pytest.approx(30 * math.sqrt(variance) / 1e9, rel=1e-9, abs=0)


MEANS = [RatioMean(100, 30.0, 50.0, LaplaceNoise(20.0), GeometricNoise(0.5)),
         RatioMean(8, 5.0, 0.0, GaussianNoise(9.0), GeometricNoise(0.3)),
         RatioMean(10, 5.0, 0.0, GeometricNoise(0.1), GeometricNoise(0.2)),
         RatioMean(40, -2.0, 1.0, LaplaceNoise(3.0), DiscreteGaussianNoise(5.0))]


@pytest.mark.parametrize("one", MEANS, ids=repr)
def test_the_law_of_a_released_mean_is_that_of_many(one):
    rng = np.random.default_rng(8)
    x, y = (np.asarray(noise.sample(400_000, rng)) for noise in (one.sum_noise, one.count_noise))
    drawn = one.centre + (one.count * (one.mean - one.centre) + x) / np.maximum(one.count + y, 1)
    for at in np.quantile(drawn, [0.02, 0.3, 0.7, 0.98]) + 1e-6:
        assert one.cdf(at) == pytest.approx((drawn <= at).mean(), abs=0.004)
        assert one.cdf(at) + one.tail(at) == pytest.approx(1.0, abs=1e-13)
        assert one.cdf(one.quantile(one.cdf(at))) == pytest.approx(one.cdf(at), rel=1e-9, abs=0)
    for truth in (None, one.mean + 1.0):
        off = np.abs(drawn - (one.mean if truth is None else truth))
        assert (off <= one.half_width(0.9, truth) + 1e-9).mean() == pytest.approx(0.9, abs=0.006)
    assert one.bias == pytest.approx(drawn.mean() - one.mean, abs=5 * drawn.std() / math.sqrt(drawn.size))
    assert one.sd == pytest.approx(drawn.std(), rel=0.02, abs=0)


def test_far_tails_of_a_released_mean_keep_their_digits():
    many = RatioMean(400, 30.0, 50.0, LaplaceNoise(20.0), GeometricNoise(0.5))  # of which there is one person at 90
    _, _, masses = by_pairs(many.count_noise, many.count, 1300)
    for one, x in ((MEANS[0], 20.0), (MEANS[0], 26.0), (MEANS[0], 36.0), (MEANS[0], 60.0), (many, 90.0), (many, 30.2)):
        with mpmath.workdps(50):
            total = one.count * (mpmath.mpf(one.mean) - one.centre)
            slope = mpmath.mpf(x) - one.centre
            expected = mpmath.fsum(p * exact_tail(one.sum_noise, slope * max(one.count + y, 1) - total)
                                   for y, p in masses.items())
            below = 1 - expected
        assert one.tail(x) == pytest.approx(float(expected), rel=1e-12, abs=0)
        assert one.cdf(x) == pytest.approx(float(below), rel=1e-12, abs=0)
    assert one.cdf(one.quantile(1e-40)) == pytest.approx(1e-40, rel=1e-9, abs=0)


@pytest.mark.parametrize(("one", "x"), [
    (RatioMean(4000, 30.0, 50.0, LaplaceNoise(5000.0), GeometricNoise(0.002)), 31.0),
    (RatioMean(4000, 30.0, 50.0, LaplaceNoise(5000.0), GeometricNoise(0.002)), 50.0),
    (RatioMean(4000, 30.0, 50.0, GaussianNoise(5000.0), DiscreteGaussianNoise(900.0)), 28.0),
    (RatioMean(4000, 30.0, 50.0, LaplaceNoise(1.0), GeometricNoise(0.002)), 29.0),
    (RatioMean(4000, 30.0, 50.0, LaplaceNoise(1.0), GeometricNoise(0.002)), 31.0),
    (RatioMean(4000, 50.0, 30.0, LaplaceNoise(1.0), GeometricNoise(0.002)), 51.0),
    (RatioMean(4000, 50.0, 30.0, GeometricNoise(0.2), GeometricNoise(0.002)), 49.0)], ids=repr)
def test_many_counts_are_added_up_as_few_are(one, x, monkeypatch):
    monkeypatch.setattr(ratio, "_AT_ONCE", 10**9)
    expected = one.cdf(x), one.tail(x)
    monkeypatch.setattr(ratio, "_AT_ONCE", 2000)
    assert one.cdf(x) == pytest.approx(expected[0], rel=1e-11, abs=0)
    assert one.tail(x) == pytest.approx(expected[1], rel=1e-11, abs=0)
    assert sum(expected) == pytest.approx(1.0, abs=1e-13)


def test_a_mean_of_a_billion_is_known_as_well_as_its_noise_allows():
    one = RatioMean(10**9, 30.0, 50.0, LaplaceNoise(100.0), GeometricNoise(1.0))
    assert one.half_width() == pytest.approx(half_width(LaplaceNoise(1e-7), 0.0), rel=0.02, abs=0)
    assert one.cdf(30.0) == pytest.approx(0.5, abs=1e-8)
    private = RatioMean(10**9, 30.0, 50.0, LaplaceNoise(1e8), GeometricNoise(1e-6))
    drawn = np.asarray(private.sum_noise.sample(10**5, np.random.default_rng(0)))
    assert private.half_width(0.9) == pytest.approx(np.quantile(np.abs(drawn) / 1e9, 0.9), rel=0.05, abs=0)


def test_the_split_between_sum_and_count_is_nearly_the_best_there_is():
    count, mean, centre, width, epsilon = 10_000, 20.0, 50.0, 50.0, 1.0

    def sd(of_sum):
        noise = LaplaceNoise(width / of_sum)
        return ratio_mean(count, mean, centre, GeometricNoise(epsilon - of_sum), noise.sd**2)[1]

    shares = np.linspace(0.05, 0.95, 181)
    of_sum, of_count = ratio_split(epsilon, width, abs(mean - centre))
    assert of_sum + of_count == pytest.approx(epsilon, rel=1e-15, abs=0)
    assert sd(of_sum) <= min(map(sd, shares)) * 1.002
    assert shares[np.argmin([sd(share) for share in shares])] == pytest.approx(of_sum, abs=0.02)
    assert ratio_split(2.0, 50.0, 0.0) == (2.0, 0.0)


@pytest.mark.parametrize(("make", "said"), [
    (lambda: half_width(LaplaceNoise(1.0), 0.0, 1.0), r"^level must be in \(0, 1\), got 1.0"),
    (lambda: half_width(LaplaceNoise(1.0), math.nan), r"^bias must be in"),
    (lambda: half_width(LaplaceNoise(1.0), 0.0, 0.9, 0.0), r"^step must be in \[1e-140, 1e140\], got 0.0"),
    (lambda: Released(LaplaceNoise(1.0), math.nan), r"^value must be in"),
    (lambda: Released(LaplaceNoise(1.0), 0.0, 0.0, -1.0), r"^step must be in \[1e-140, 1e140\], got -1.0"),
    (lambda: Released(LaplaceNoise(1.0)).cdf(math.inf), r"^x must be in"),
    (lambda: Released(LaplaceNoise(1.0)).quantile(2.0), r"^p must be in \[0, 1\], got 2.0"),
    (lambda: inverse_count(GeometricNoise(1.0), 0), r"^count must be an integer in \[1, "),
    (lambda: inverse_count(GeometricNoise(1.0), 1.5), r"^count must be an integer in \[1, "),
    (lambda: ratio_mean(5, math.nan, 0.0, GeometricNoise(1.0), 1.0), r"^mean must be in"),
    (lambda: ratio_mean(5, 0.0, 0.0, GeometricNoise(1.0), -1.0), r"^sum_variance must be in \[0, ∞\), got -1.0"),
    (lambda: ratio_split(0.0, 1.0, 1.0), r"^epsilon must be in \(0, ∞\), got 0.0"),
    (lambda: ratio_split(1.0, 1.0, -1.0), r"^distance must be in \[0, "),
    (lambda: RatioMean(0, 1.0, 0.0, LaplaceNoise(1.0), GeometricNoise(1.0)), r"^count must be an integer in \[1, "),
    (lambda: RatioMean(5, 1.0, 0.0, LaplaceNoise(1.0), LaplaceNoise(1.0)), r"^count_noise must be noise on whole"),
    (lambda: MEANS[0].quantile(0.0), r"^p must be in \(0, 1\), got 0.0"),
    (lambda: RatioMean(10**7, 1.0, 0.0, GeometricNoise(1e-6), GeometricNoise(1e-6)).cdf(1.0), r"^noise must be of"),
])
def test_what_is_no_release_is_refused(make, said):
    with pytest.raises(InvalidParameter, match=said):
        make()
