"""Private quantiles: the law of the answer by definition, and what it tells over all small databases."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.quantile import PrivateBound, PrivateQuantile

TEN = [3.2, 17.5, 0.4, 8.8, 42.0, 5.5, 9.1, 120.75, 2.2, 14.0]
LISTS = st.lists(st.one_of(st.floats(-20, 120), st.integers(0, 10).map(float)), max_size=12)
ONES = [PrivateQuantile(TEN, 0.0, 200.0, 0.5, 1.0, "add or remove"),
        PrivateQuantile([1.0, 1.0, 1.0, 2.0, 9.0], 0.0, 5.0, 0.9, 2.0, "replace"),
        PrivateQuantile([], -1.0, 1.0, 0.5, 1.0), PrivateBound(TEN, 0.0, 50.0, 2.0, 0.7),
        PrivateQuantile([5.0, 6.0], 0.0, 5.0, 1.0, 0.3), PrivateQuantile([0.0, 0.0], 0.0, 5.0, 0.0, 700.0)]


def by_definition(values, lower, upper, target, sensitivity, epsilon):
    """The probabilities of the pieces at fifty digits."""
    with mpmath.workdps(50):
        places = [lower, *sorted(min(max(x, lower), upper) for x in values), upper]
        rate = mpmath.mpf(epsilon) / 2 / sensitivity
        weights = [(mpmath.mpf(b) - mpmath.mpf(a)) * mpmath.exp(-rate * abs(i - target))
                   for i, (a, b) in enumerate(itertools.pairwise(places))]
        total = mpmath.fsum(weights)
        return [float(each / total) for each in weights], [float(mpmath.log(each / total)) if each else -math.inf
                                                           for each in weights]


@given(values=LISTS, q=st.floats(0, 1), log_epsilon=st.floats(-14, 6.5),
       who=st.sampled_from(["add or remove", "replace"]))
@example(values=TEN, q=0.9, log_epsilon=6.5, who="add or remove")
@example(values=TEN, q=0.25, log_epsilon=1.0, who="add or remove")
def test_pieces_are_drawn_by_their_length_and_the_distance_of_their_rank(values, q, log_epsilon, who):
    epsilon = math.exp(log_epsilon)
    one = PrivateQuantile(values, 0.0, 100.0, q, epsilon, who)
    with mpmath.workdps(50):
        sensitivity = 1 if who == "replace" else max(mpmath.mpf(q), 1 - mpmath.mpf(q))
        expected, logs = by_definition(values, 0.0, 100.0, mpmath.mpf(q) * len(values), sensitivity, epsilon)
    assert one.probabilities.shape == (len(values) + 1,)
    assert one.probabilities == pytest.approx(expected, rel=1e-12, abs=1e-300)
    assert one.log_probabilities == pytest.approx(logs, rel=1e-12, abs=1e-12)
    assert one.target == pytest.approx(q * len(values))


@given(values=LISTS, above=st.floats(0, 20), epsilon=st.floats(0.01, 20))
def test_a_bound_is_drawn_near_the_rank_from_above(values, above, epsilon):
    one = PrivateBound(values, 0.0, 100.0, above, epsilon)
    expected, _ = by_definition(values, 0.0, 100.0, len(values) - mpmath.mpf(above), 1, epsilon)
    assert one.probabilities == pytest.approx(expected, rel=1e-12, abs=1e-300)
    assert one.target == len(values) - above


def test_between_equal_values_nothing_is_drawn():
    one = PrivateQuantile([1.0, 2.0, 2.0, 2.0, 3.0], 0.0, 4.0, 0.5, 5.0)
    assert one.probabilities[2:4].tolist() == [0.0, 0.0]
    assert np.isneginf(one.log_probabilities[2:4]).all()
    drawn = np.asarray(one.sample(10**5, np.random.default_rng(0)))
    assert not (drawn == 2.0).any()
    assert one.probabilities[[1, 4]].sum() == pytest.approx(((drawn > 1) & (drawn < 3)).mean(), abs=0.01)


@given(values=LISTS, times=st.lists(st.integers(0, 4), min_size=12, max_size=12), q=st.floats(0, 1))
def test_values_of_many_persons_are_as_those_values_many_times(values, times, q):
    times = times[:len(values)]
    counted = PrivateQuantile.of_counts(values, times, 0.0, 50.0, q, 1.5)
    each = PrivateQuantile(np.repeat(np.array(values, dtype=float), times), 0.0, 50.0, q, 1.5)
    x = np.linspace(-1, 51, 101)
    assert counted.n == each.n == sum(times)
    assert counted.density(x) == pytest.approx(each.density(x), rel=1e-11, abs=1e-300)
    assert counted.cdf(x) == pytest.approx(each.cdf(x), rel=1e-11, abs=1e-300)
    assert counted.within([0.0, 0.5, 2.0]) == pytest.approx(each.within([0.0, 0.5, 2.0]), rel=1e-11, abs=1e-300)
    moments = each.mean, each.sd, each.mean_rank_error
    assert (counted.mean, counted.sd, counted.mean_rank_error) == pytest.approx(moments, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("one", ONES)
def test_the_law_is_one_law(one):
    """Mean and spread by integrals of the tail, a straight line on each piece; both tails; quantiles; draws."""
    edges = one.edges
    tails = np.asarray(one.tail(edges))
    widths = np.diff(edges)
    mean = one.lower + (widths * (tails[1:] + tails[:-1]) / 2).sum()
    middles = edges[:-1] + widths / 2
    # ∫ 2 (x − L) Pr[answer > x] by Simpson's rule, exact for the product of two lines.
    at = np.asarray(one.tail(middles)) * (middles - one.lower)
    square = (widths / 3 * (tails[:-1] * (edges[:-1] - one.lower) + 4 * at + tails[1:] * (edges[1:] - one.lower))).sum()
    assert one.mean == pytest.approx(mean, rel=1e-12, abs=1e-12)
    assert one.sd == pytest.approx(math.sqrt(square - (mean - one.lower) ** 2), rel=1e-9, abs=0)
    x = np.linspace(one.lower, one.upper, 57)
    assert one.cdf(x) + np.asarray(one.tail(x)) == pytest.approx(np.ones(57), rel=1e-13, abs=0)
    assert (one.cdf(one.lower), one.tail(one.upper)) == (0.0, 0.0)
    assert (one.cdf(one.lower - 1), one.cdf(one.upper + 1), one.density(one.upper + 1)) == (0.0, pytest.approx(1), 0.0)
    near = 1e-6 * (one.upper - one.lower)
    inside = np.random.default_rng(5).uniform(one.lower + near, one.upper - near, 200)
    rise = (np.asarray(one.cdf(inside + near / 1000)) - one.cdf(inside)) / (near / 1000)
    apart = np.abs(inside[:, None] - edges).min(axis=1) > near
    assert rise[apart] == pytest.approx(np.asarray(one.density(inside))[apart], rel=1e-4, abs=1e-5)
    p = np.array([0.0, 1e-30, 1e-6, 0.2, 0.5, 0.9, 1 - 1e-12, 1.0])
    places = np.asarray(one.quantile(p))
    assert one.cdf(places[1:5]) == pytest.approx(p[1:5], rel=1e-9, abs=1e-16)
    assert one.tail(places[5:7]) == pytest.approx(1 - p[5:7], rel=1e-3, abs=0)
    assert (np.diff(places) >= 0).all()
    assert one.lower <= places[0] <= places[-1] <= one.upper
    drawn = np.asarray(one.sample((500, 400), np.random.default_rng(1)))
    assert drawn.shape == (500, 400)
    assert drawn.mean() == pytest.approx(one.mean, abs=5 * one.sd / math.sqrt(drawn.size))
    assert drawn.std() == pytest.approx(one.sd, rel=0.02, abs=0)
    assert (drawn <= one.quantile(0.3)).mean() == pytest.approx(0.3, abs=0.006)
    assert type(one.sample(None, np.random.default_rng(1))) is float


@given(values=LISTS, q=st.floats(0, 1), ranks=st.floats(0, 8))
def test_how_often_the_rank_is_near_is_a_sum_over_pieces(values, q, ranks):
    one = PrivateQuantile(values, 0.0, 60.0, q, 0.8)
    reach = ranks + 2.0**-50 * (len(values) + 1)
    expected = sum(p for i, p in enumerate(one.probabilities) if abs(i - q * len(values)) <= reach)
    assert one.within(ranks) == pytest.approx(expected, rel=1e-12, abs=1e-300)
    distances = [p * abs(i - q * len(values)) for i, p in enumerate(one.probabilities)]
    assert one.mean_rank_error == pytest.approx(sum(distances), rel=1e-9, abs=1e-12)


def test_a_rank_that_is_whole_but_for_rounding_is_whole():
    one = PrivateQuantile(np.arange(1.0, 11.0), 0.0, 20.0, 0.9, 1.0)  # 0.9 · 10 is 9 + 2e-16
    assert one.within(0.0) == pytest.approx(one.probabilities[9], rel=1e-12, abs=0)
    assert one.within(1.0) == pytest.approx(one.probabilities[8:].sum(), rel=1e-12, abs=0)
    assert one.within(100.0) == pytest.approx(1.0)


# Privacy

GRID = (0.0, 1.0, 2.5, 3.0)


def databases(most):
    return [rows for n in range(most + 1) for rows in itertools.combinations_with_replacement(GRID, n)]


def neighbours(who):
    for rows in databases(3):
        for x in GRID:
            if who == "add or remove":
                yield rows, (*rows, x)
            else:
                yield from ((rows, (*rows[:i], x, *rows[i + 1:])) for i in range(len(rows)))


def losses(one, other):
    """ln of the ratio of both densities inside each cell of the grid."""
    x = np.array([0.5, 1.5, 2.75, 3.5])
    return np.log(np.asarray(one.density(x)) / np.asarray(other.density(x)))


@pytest.mark.parametrize("who", ["add or remove", "replace"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_no_answer_tells_more_than_epsilon_of_one_person(who, epsilon):
    largest = 0.0
    for q in (0.0, 0.3, 0.5, 0.9):
        for rows, others in neighbours(who):
            found = losses(PrivateQuantile(rows, 0.0, 4.0, q, epsilon, who),
                           PrivateQuantile(others, 0.0, 4.0, q, epsilon, who))
            largest = max(largest, np.abs(found).max())
            assert found.max() - found.min() <= epsilon * (1 + 1e-12)
    assert epsilon * 0.5 < largest <= epsilon * (1 + 1e-12)
    assert PrivateQuantile((), 0.0, 4.0, 0.5, epsilon).law.delta_at(epsilon) == 0.0


@pytest.mark.parametrize("who", ["add or remove", "replace"])
def test_a_bound_tells_no_more_than_epsilon_whoever_are_neighbours(who):
    ranges = [losses(PrivateBound(rows, 0.0, 4.0, above, 1.0), PrivateBound(others, 0.0, 4.0, above, 1.0))
              for above in (0.0, 0.7, 2.0, 5.0) for rows, others in neighbours(who)]
    assert max(each.max() - each.min() for each in ranges) <= 1 + 1e-12
    assert max(np.abs(each).max() for each in ranges) <= 1 + 1e-12


def test_a_quantile_that_is_made_of_the_number_of_people_needs_the_sensitivity_of_a_bound():
    """q = 1 − k/n with Δ = max(q, 1 − q) tells more than ε, for q itself moves with n."""
    def made(rows):
        return PrivateQuantile(rows, 0.0, 4.0, 1 - 2 / len(rows), 1.0)

    rows = (0.0, 0.0, 3.0, 3.0)
    found = losses(made(rows), made((*rows, 3.0)))
    assert np.abs(found).max() > 1.05


# Size, and what is refused


def test_ten_million_rows_of_a_hundred_thousand_values_have_one_law():
    rng = np.random.default_rng(2)
    values, times = rng.lognormal(3, 1, 10**5), rng.integers(1, 200, 10**5)
    one = PrivateQuantile.of_counts(values, times, 0.0, 1e6, 0.5, 0.1, "replace")
    assert one.n == times.sum()
    assert one.mean == pytest.approx(np.exp(3), rel=0.01, abs=0)
    near = np.abs(one.ranks - one.n / 2)
    assert one.within(50) == pytest.approx(one.probabilities[near <= 50].sum(), rel=1e-12, abs=0)
    assert 0.5 < one.within(50) < 0.999
    many = PrivateBound([1.0, 2.0, 3.0], 0.0, 4.0, 10.0, 1.0, [2**51, 2**51 - 8, 8])
    assert many.probabilities[2:] == pytest.approx([1 / (1 + math.exp(-4)), 1 / (1 + math.exp(4))], rel=1e-12, abs=0)


def test_a_tail_keeps_its_digits_where_nearly_all_is_elsewhere():
    one = PrivateQuantile(np.arange(1.0, 101.0), 0.0, 1e9, 0.5, 8.0, "replace")
    first = one.log_probabilities[0]
    assert first == pytest.approx(-4 * 50 - math.log((1 + math.exp(-4)) / (1 - math.exp(-4))), abs=1e-6)
    assert one.cdf(0.25) == pytest.approx(math.exp(first) / 4, rel=1e-12, abs=0)
    assert one.tail(1e9 - 1) == pytest.approx(math.exp(one.log_probabilities[-1]) / (1e9 - 100), rel=1e-6, abs=0)
    for left in (2.0**-50, 2.0**-30):
        assert one.tail(one.quantile(1 - left)) == pytest.approx(left, rel=1e-11, abs=0)
        assert one.cdf(one.quantile(left)) == pytest.approx(left, rel=1e-11, abs=0)
    for epsilon in (1e-6, 700.0, 1e6):
        far = PrivateQuantile(TEN, 0.0, 200.0, 0.3, epsilon)
        assert far.probabilities.sum() == pytest.approx(1.0)
        assert 0 <= far.quantile(0.001) <= far.mean <= 200


@pytest.mark.parametrize(("make", "said"), [
    (lambda: PrivateQuantile(TEN, 1.0, 1.0, 0.5, 1.0), r"^lower must be at most upper, 1, got 1.0"),
    (lambda: PrivateQuantile(TEN, 2.0, 1.0, 0.5, 1.0), r"^lower must be at most upper, 1, got 2.0$"),
    (lambda: PrivateQuantile(TEN, 0.0, math.inf, 0.5, 1.0), r"^upper must be in"),
    (lambda: PrivateQuantile(TEN, math.nan, 1.0, 0.5, 1.0), r"^lower must be in \[-1e140, 1e140\], got nan"),
    (lambda: PrivateQuantile(TEN, 0.0, 1.0, 1.5, 1.0), r"^probability must be in \[0, 1\], got 1.5"),
    (lambda: PrivateQuantile(TEN, 0.0, 1.0, 0.5, 0.0), r"^epsilon must be in \(0, ∞\), got 0.0"),
    (lambda: PrivateQuantile(TEN, 0.0, 1.0, 0.5, 1.0, "swap"), r"^neighbours must be one of add or remove, replace"),
    (lambda: PrivateQuantile([1.0, math.nan], 0.0, 1.0, 0.5, 1.0), r"^values must be in"),
    (lambda: PrivateQuantile([[1.0]], 0.0, 1.0, 0.5, 1.0), r"^values must be a list of numbers"),
    (lambda: PrivateQuantile.of_counts([1.0], [1, 2], 0.0, 1.0, 0.5, 1.0), r"^times must be a list of 1 whole"),
    (lambda: PrivateBound(TEN, 0.0, 1.0, -1.0, 1.0), r"^above must be in \[0, ∞\), got -1.0"),
    (lambda: ONES[0].within(-1.0), r"^ranks must be in \[0, ∞\), got -1.0"),
    (lambda: ONES[0].quantile(math.nan), r"^p must be in \[0, 1\], got nan"),
    (lambda: ONES[0].cdf(math.inf), r"^x must be in"),
])
def test_what_is_no_quantile_is_refused(make, said):
    with pytest.raises(InvalidParameter, match=said):
        make()
