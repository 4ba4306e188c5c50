"""Laws and columns of values: closed forms at a hundred digits, integrals by definition, fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.models.numbers import Exponential, LogNormal, Normal, Uniform, Weighted, clipped_moments

LAWS = [Normal(50.0, 10.0), Exponential(300.0), LogNormal(3.0, 1.0), LogNormal(-1.0, 0.05), LogNormal(1.0, 3.0),
        Uniform(-1.0, 3.0)]


def partial(law, k, x):
    """E X^k over X ≤ x, in all digits that there are; x may be infinite."""
    x = mpmath.mpf(x)
    match law:
        case Normal():
            m, s = mpmath.mpf(law.mean), mpmath.mpf(law.sd)
            z = (x - m) / s
            phi = mpmath.npdf(z)
            last = phi * (x + m) * s if mpmath.isfinite(x) else 0
            return [mpmath.ncdf(z), m * mpmath.ncdf(z) - s * phi, (m * m + s * s) * mpmath.ncdf(z) - last][k]
        case Exponential():
            theta = mpmath.mpf(law.mean)
            return theta**k * mpmath.gammainc(k + 1, 0, x / theta) if x > 0 else mpmath.mpf(0)
        case LogNormal():
            m, s = mpmath.mpf(law.log_mean), mpmath.mpf(law.log_sd)
            scale = mpmath.exp(k * m + (k * s) ** 2 / 2)
            return scale * mpmath.ncdf((mpmath.log(x) - m) / s - k * s) if x > 0 else mpmath.mpf(0)
        case Uniform():
            low, high = mpmath.mpf(law.low), mpmath.mpf(law.high)
            x = min(max(x, low), high)
            return (x ** (k + 1) - low ** (k + 1)) / ((k + 1) * (high - low))


def whole(law, k):
    return partial(law, k, mpmath.inf)


def clipped(law, lower, upper):
    """Mean and variance of a clipped value, with digits enough for what cancels."""
    with mpmath.workdps(120):
        low, high = mpmath.mpf(lower), mpmath.mpf(upper)
        below, above = partial(law, 0, low), 1 - partial(law, 0, high)
        first, second = (low**k * below + partial(law, k, high) - partial(law, k, low) + high**k * above
                         for k in (1, 2))
        return float(first), float(second - first * first)


@st.composite
def laws(draw):
    size, log_sd = st.floats(-6, 6).map(lambda e: 10.0**e), st.floats(-3, 0.9).map(lambda e: 10.0**e)
    return draw(st.one_of(
        st.builds(Normal, st.floats(-100, 100), size), st.builds(Exponential, size),
        st.builds(LogNormal, st.floats(-20, 20), log_sd),
        st.tuples(st.floats(-100, 100), size).map(lambda both: Uniform(both[0], both[0] + both[1]))))


def place(law, z):
    """A value so many standard deviations out, of its logarithm or of the law itself."""
    if isinstance(law, LogNormal):
        return law.median * math.exp(law.log_sd * z)
    return law.mean + z * math.sqrt(law.variance)


@given(law=laws(), z=st.floats(-9, 12))
@example(law=Normal(0.0, 1.0), z=20.0)
@example(law=LogNormal(0.0, 0.001), z=9.0)
@example(law=LogNormal(0.0, 12.0), z=-20.0)
@example(law=LogNormal(0.0, 1.0), z=0.25)
@example(law=LogNormal(0.0, 1.5), z=0.5)
def test_tails_and_excesses_keep_their_digits_however_far_out(law, z):
    x = place(law, z)
    with mpmath.workdps(120):
        at = mpmath.mpf(x)
        cdf = partial(law, 0, at)
        below = at * cdf - partial(law, 1, at)
        expected = [cdf, 1 - cdf, below + whole(law, 1) - at, below]
        expected = [float(each) for each in expected]
    assert law.cdf(x) == pytest.approx(expected[0], rel=1e-11, abs=1e-300)
    assert law.tail(x) == pytest.approx(expected[1], rel=1e-11, abs=1e-300)
    assert law.above(x) == pytest.approx(expected[2], rel=2e-11, abs=1e-300)
    assert law.below(x) == pytest.approx(expected[3], rel=2e-11, abs=1e-300)


@pytest.mark.parametrize("z", [12.0, 12.1, 20.0, 36.0])
def test_a_far_normal_tail_that_is_clipped_varies_as_it_is_integrated(z):
    with mpmath.workdps(40):
        size = mpmath.ncdf(-z)  # of integrals it is the absolute error that is watched
        away = size * mpmath.quad(lambda t: mpmath.ncdf(-z - t) / size, [0, 0.1, 0.3, 1, 3])
        square = 2 * size * mpmath.quad(lambda t: t * mpmath.ncdf(-z - t) / size, [0, 0.1, 0.3, 1, 3])
        expected = float(square - away * away)
    assert Normal(0.0, 1.0).clipped_moments(z, z + 3)[1] == pytest.approx(expected, rel=1e-11, abs=0)
    assert Normal(0.0, 1.0).above(z) == pytest.approx(float(away), rel=1e-12, abs=0)


@given(law=laws(), z=st.floats(-6, 7), log_width=st.floats(-9, 1.3))
@example(law=LogNormal(0.0, 0.3), z=0.0, log_width=1.2)
@example(law=LogNormal(0.0, 8.0), z=0.0, log_width=0.5)
@example(law=LogNormal(0.0, 0.2), z=-9.0, log_width=1.0)
@example(law=Normal(0.0, 1.0), z=20.0, log_width=-0.5)
@example(law=Normal(0.0, 1.0), z=5.0, log_width=0.0)
@example(law=Normal(0.0, 1.0), z=0.3, log_width=-5.0)
@example(law=LogNormal(0.0, 6.0), z=0.0, log_width=1.2)
@example(law=LogNormal(0.0, 6.0), z=-14.0, log_width=1.14)
@example(law=Exponential(1.0), z=-0.999, log_width=-3.0)
def test_moments_of_clipped_values_are_those_of_their_law_also_between_near_bounds(law, z, log_width):
    lower, upper = sorted((place(law, z), place(law, z + 10.0**log_width)))
    mean, variance = clipped(law, lower, upper)
    found = clipped_moments(law, lower, upper)
    assert [type(each) for each in found] == [float, float]
    assert found[0] == pytest.approx(mean, rel=1e-14, abs=1e-14 * max(abs(lower), abs(upper)))
    # What the two bounds themselves lack of digits, their distance lacks.
    room = 1e-10 + 4e-16 * max(abs(lower), abs(upper)) / (upper - lower) if upper > lower else 1
    assert found[1] == pytest.approx(variance, rel=room, abs=1e-105 * max(abs(lower), abs(upper)) ** 2)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_clipped_moments_are_integrals_of_the_tail(law):
    """E clip = L + ∫ Pr[X > x] dx, E clip² = L² + 2 ∫ x Pr[X > x] dx, by the law's own tail."""
    lower, upper = (float(law.quantile(p)) for p in (0.02, 0.97))
    places = np.linspace(lower, upper, 400001)
    tails = np.asarray(law.tail(places))
    weights = np.full(places.size, 2.0)
    weights[1::2], weights[[0, -1]] = 4.0, 1.0
    weights *= (upper - lower) / (places.size - 1) / 3
    first, second = lower + weights @ tails, lower**2 + 2 * (weights @ (places * tails))
    mean, variance = law.clipped_moments(lower, upper)
    assert mean == pytest.approx(first, rel=1e-9, abs=0)
    assert variance == pytest.approx(second - first**2, rel=1e-7, abs=0)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_a_quantile_is_where_the_cdf_reaches_it(law):
    p = np.array([1e-12, 0.001, 0.3, 0.5, 0.9, 1 - 1e-9])
    x = np.asarray(law.quantile(p))
    assert np.asarray(law.cdf(x)) == pytest.approx(p, rel=1e-9, abs=1e-16)
    assert np.asarray(law.tail(x)) == pytest.approx(1 - p, rel=1e-6, abs=0)
    assert law.quantile(0.5) == pytest.approx(law.median, rel=1e-12, abs=0)


@pytest.mark.parametrize("law", [law for law in LAWS if law != LogNormal(1.0, 3.0)], ids=repr)  # no draws tell that one
def test_draws_have_the_mean_and_the_variance_of_the_law(law):
    with mpmath.workdps(60):
        mean, square = float(whole(law, 1)), float(whole(law, 2) - whole(law, 1) ** 2)
    assert (law.mean, law.variance) == pytest.approx((mean, square), rel=1e-12, abs=0)
    x = np.asarray(law.quantile(np.random.default_rng(3).random(10**6)))
    assert x.mean() == pytest.approx(law.mean, abs=5e-3 * math.sqrt(law.variance))
    upper = float(law.quantile(0.8))
    clipped_variance = law.clipped_moments(law.median, upper)[1]
    assert np.clip(x, law.median, upper).var() == pytest.approx(clipped_variance, rel=0.01, abs=0)


@pytest.mark.parametrize("law", [*LAWS, Weighted([1.0, 2.0, 2.0, 7.0])], ids=repr)
def test_bounds_may_be_arrays_of_any_shapes_that_go_together(law):
    upper = np.array([[0.5, 2.0, 3.0], [9.0, 40.0, 500.0]])
    for found in (law.above(upper), law.cdf(upper), *law.clipped_moments([-1.0, 0.0, 0.2], upper)):
        assert found.shape == (2, 3)
    for row, column in ((0, 1), (1, 2)):
        single = law.clipped_moments([-1.0, 0.0, 0.2][column], float(upper[row, column]))
        both = law.clipped_moments([-1.0, 0.0, 0.2], upper)
        assert single == pytest.approx((both[0][row, column], both[1][row, column]), rel=1e-12, abs=0)
    assert type(law.above(2.0)) is float
    assert np.asarray(law.above([])).shape == (0,)


def test_what_is_clipped_to_one_value_varies_by_nothing():
    for law in [*LAWS, Weighted([1.0, 2.0, 7.0])]:
        assert law.clipped_moments(2.5, 2.5) == (2.5, 0.0)
        mean, variance = law.clipped_moments(-1e6, 1e-3 - 1e6)
        assert -1e6 <= mean <= 1e-3 - 1e6
        assert 0 <= variance < 1e-6
    assert Weighted([1.0, 2.0]).clipped_moments(5.0, 9.0) == (5.0, 0.0)
    assert Weighted([1.0, 2.0]).clipped_moments(-9.0, -5.0) == (-5.0, 0.0)


@pytest.mark.parametrize("law", [
    Normal(0.0, 1e-140), Normal(1e140, 1e140), Exponential(1e-140), Exponential(1e140), LogNormal(200.0, 12.0),
    LogNormal(-200.0, 0.001), Uniform(-1e140, 1e140), Weighted([-1e140, 0.0, 1e140], [2**51, 1, 2**51])], ids=repr)
def test_no_law_and_no_bounds_overflow(law):
    x = np.array([-1e140, -1.0, 0.0, 1e-100, 1.0, 1e139, 1e140])
    lower, upper = np.minimum(x[:, None], x), np.maximum(x[:, None], x)
    mean, variance = law.clipped_moments(lower, upper)
    assert ((mean >= lower) & (mean <= upper) & (variance >= 0) & (variance <= 1.1e280)).all()
    assert np.isfinite(np.concatenate([law.cdf(x), law.tail(x), law.above(x), law.below(x)])).all()
    assert 0 <= law.variance < math.inf


# Columns

COLUMNS = st.lists(st.tuples(st.one_of(st.floats(-1e6, 1e6), st.integers(-5, 5).map(float)), st.integers(0, 2**40)),
                   min_size=1, max_size=12)


@given(column=COLUMNS, one=st.floats(-1e6, 1e6), two=st.floats(-1e6, 1e6), offset=st.sampled_from([0.0, 1e7]))
@example(column=[(0.0, 5), (1e-3, 7), (1.0, 1)], one=0.0, two=1e-3, offset=1e7)
@example(column=[(1.0, 5), (2.0, 7), (3.0, 1)], one=2.0, two=2.0, offset=0.0)
def test_a_column_is_summed_up_as_fractions_are(column, one, two, offset):
    assume(any(times for _, times in column))
    lower, upper = sorted((one + offset, two + offset))
    values = [value + offset for value, _ in column]
    persons = [times for _, times in column]
    law, n = Weighted(values, persons), sum(persons)
    exact = [(Fraction(value), times) for value, times in zip(values, persons, strict=True)]
    low, high = Fraction(lower), Fraction(upper)

    def mean_of(function):
        return sum(function(value) * times for value, times in exact) / n

    kept = mean_of(lambda x: min(max(x, low), high))
    variance = mean_of(lambda x: (min(max(x, low), high) - kept) ** 2)
    assert law.n == n
    found = law.clipped_moments(lower, upper)
    assert found[0] == pytest.approx(float(kept), rel=1e-15, abs=1e-22)
    # Of twice 53 bits so many are left where the square of the distance is but a part of that of the values.
    largest = max(abs(low), abs(high))
    assert found[1] == pytest.approx(float(variance), rel=1e-13, abs=float(largest * largest) * 1e-29)
    assert law.above(upper) == pytest.approx(float(mean_of(lambda x: max(x - high, 0))), rel=1e-14, abs=1e-22)
    assert law.below(lower) == pytest.approx(float(mean_of(lambda x: max(low - x, 0))), rel=1e-14, abs=1e-22)
    assert law.cdf(upper) == pytest.approx(float(mean_of(lambda x: x <= high)), rel=1e-15, abs=0)
    assert law.tail(upper) == pytest.approx(float(mean_of(lambda x: x > high)), rel=1e-15, abs=0)
    assert law.mean == pytest.approx(float(mean_of(lambda x: x)), rel=1e-15, abs=1e-300)


def test_a_column_has_each_value_once_and_its_quantiles_are_values_of_persons():
    law = Weighted([3.0, 1.0, 3.0, 8.0, 5.0], [2, 1, 1, 0, 6])
    assert law.sorted.tolist() == [1.0, 3.0, 5.0]
    assert law.persons.tolist() == [1.0, 3.0, 6.0]
    assert (law.n, law.total) == (10, 40.0)
    assert np.asarray(law.quantile([0.0, 0.1, 0.1001, 0.4, 0.41, 1.0])).tolist() == [1, 1, 3, 3, 5, 5]
    assert Weighted(np.arange(1.0, 11.0)).quantile(0.9) == 9.0  # 0.9 × 10 is 9.000000000000000222 exactly
    assert Weighted(np.arange(1.0, 101.0)).quantile(0.55) == 55.0  # and 0.55 × 100 is 55.00000000000001


def test_ten_million_rows_of_a_hundred_thousand_values_are_one_column():
    rng = np.random.default_rng(0)
    values, times = rng.lognormal(3, 1, 10**5), rng.integers(1, 200, 10**5)
    law, upper = Weighted(values, times), np.linspace(0, 300, 200)
    above = np.asarray(law.above(upper))
    assert law.n == times.sum() > 9 * 10**6
    expected = (np.maximum(values - upper[100], 0) * times).sum() / times.sum()
    assert above[100] == pytest.approx(expected, rel=1e-12, abs=0)
    assert (np.diff(above) <= 0).all()
    huge = Weighted([1.0, 2.0], [2**52, 2**52])
    assert (huge.mean, huge.variance) == (1.5, 0.25)


@pytest.mark.parametrize(("make", "said"), [
    (lambda: Normal(0.0, 0.0), r"^sd must be in \[1e-140, 1e140\], got 0.0"),
    (lambda: Normal(math.nan, 1.0), r"^mean must be in \[-1e140, 1e140\], got nan"),
    (lambda: Exponential(-1.0), r"^mean must be in \[1e-140, 1e140\], got -1.0"),
    (lambda: LogNormal(0.0, 13.0), r"^log_sd must be in \[0.001, 12\], got 13.0"),
    (lambda: LogNormal(201.0, 1.0), r"^log_mean must be in \[-200, 200\], got 201.0"),
    (lambda: Uniform(1.0, 1.0), r"^low must be at most high, 1, got 1.0"),
    (lambda: Uniform(2.0, 1.0), r"^low must be at most high, 1, got 2.0$"),
    (lambda: Weighted([]), r"^values must be those of one person"),
    (lambda: Weighted([1.0], [0]), r"^values must be those of one person"),
    (lambda: Weighted([[1.0]]), r"^values must be a list of numbers"),
    (lambda: Weighted([1.0, math.nan]), r"^values must be in \[-1e140, 1e140\], got nan"),
    (lambda: Weighted([1.0, 2.0], [1]), r"^times must be a list of 2 whole numbers"),
    (lambda: Weighted([1.0], [1.5]), r"^times must be an integer"),
    (lambda: Weighted([1.0], [-1]), r"^times must be an integer"),
    (lambda: Weighted([1.0, 2.0], [2**53, 1]), r"^times must be whole numbers of a sum of at most 2⁵³"),
    (lambda: Normal(0.0, 1.0).above(math.inf), r"^upper must be in"),
    (lambda: Normal(0.0, 1.0).below(math.nan), r"^lower must be in"),
    (lambda: Normal(0.0, 1.0).quantile(1.1), r"^p must be in \[0, 1\], got 1.1"),
    (lambda: Normal(0.0, 1.0).clipped_moments(2.0, 1.0), r"^lower must be at most upper, 1, got 2.0$"),
    (lambda: Normal(0.0, 1.0).clipped_moments([1.0, 2.0], [3.0, 4.0, 5.0]), r"^upper must be of a shape"),
])
def test_what_is_no_law_no_column_and_no_bound_is_refused(make, said):
    with pytest.raises(InvalidParameter, match=said):
        make()
