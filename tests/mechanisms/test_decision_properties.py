"""What holds for every decision, inside its domain, at its ends and beyond, against definitions at sixty digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import example as also
from hypothesis import strategies as st
from mechanisms import CLASSES, NEW, example
from mpmath import atan, exp, mpf, pi, workdps
from newcomers import LogisticDecision
from reference import (
    cutoff,
    first,
    gaussian,
    gaussian_delta,
    laplace,
    laplace_threshold,
    logarithm,
    losses,
    smallest_delta,
    steepest,
    without_zero,
)

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.decision import (
    ComplementedDecision,
    CutoffExponentialDecision,
    Decision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
    worst_slack,
)
from dpstudio.vocabulary import EXACT_INTEGERS

RECORDS = 45
N = np.arange(RECORDS)
MOST = float(EXACT_INTEGERS)


Test = Callable[..., None]


def holds(*strategies: st.SearchStrategy[Any], examples: int = 30) -> Callable[[Test], Test]:
    """The same examples every time, for a failure that comes and goes tells nobody what broke."""

    def decorate(test: Test) -> Test:
        return settings(max_examples=examples, derandomize=True)(given(*strategies)(test))

    return decorate


def powers(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(math.log(low), math.log(high)).map(lambda x: min(max(math.exp(x), low), high))


epsilons = st.one_of(st.sampled_from([0.1, 1.0, math.log(2), 5.0, 20.0]), powers(1e-6, 20))
deltas = st.one_of(st.sampled_from([0.0, 1e-6, 0.1, 0.5, 1.0]), powers(1e-12, 1))
minima = st.integers(0, 30)
tails = st.one_of(st.sampled_from([(0.5, None), (0.01, None), (0.99, None), (1 - 1e-9, 1e-9)]),
                  powers(1e-9, 0.5).map(lambda p: (p, None)), powers(1e-12, 0.5).map(lambda q: (1 - q, q)))
Case = tuple[Decision, list[tuple[mpf, mpf]]]


def exact(p: float, q: float | None) -> tuple[mpf, mpf]:
    """Both tails at sixty digits, from the one that is a double."""
    return (mpf(p), 1 - mpf(p)) if q is None else (1 - mpf(q), mpf(q))


@st.composite
def laplaces(draw: st.DrawFn) -> Case:
    epsilon = draw(epsilons)
    if draw(st.booleans()):
        k = draw(st.one_of(st.integers(-5, 40).map(float), st.floats(-10, 50)))
        return LaplaceDecision(epsilon, k), laplace(epsilon, mpf(k), RECORDS)
    m, (p, q) = draw(minima), draw(tails)
    k = laplace_threshold(epsilon, m, *exact(p, q))
    return LaplaceDecision.for_target(epsilon, m, p, q), laplace(epsilon, k, RECORDS)


@st.composite
def cutoffs(draw: st.DrawFn) -> Case:
    epsilon, m = draw(epsilons), draw(st.one_of(st.integers(1, 30).map(float), st.floats(1e-3, 30)))
    return CutoffExponentialDecision(epsilon, m), cutoff(epsilon, m, RECORDS)


@st.composite
def generalized(draw: st.DrawFn) -> Case:
    epsilon, delta, m = draw(st.one_of(st.just(0.0), epsilons)), draw(deltas), draw(minima)
    if draw(st.integers(0, 3)) == 0:
        g = (1 - mpf(delta)) / (1 + exp(mpf(epsilon)))
        return GeneralizedDecision.centred(epsilon, delta, m), steepest(epsilon, delta, m, 1 - g, g, RECORDS)
    p, q = draw(st.one_of(st.sampled_from([(0.0, None), (1.0, 0.0), (delta, None)]), tails))
    return GeneralizedDecision(epsilon, delta, m, p, q), steepest(epsilon, delta, m, *exact(p, q), RECORDS)


@st.composite
def gaussians(draw: st.DrawFn) -> Case:
    mu, m, (p, q) = draw(powers(1e-3, 6)), draw(minima), draw(tails)
    return GaussianDecision(mu, m, p, q), gaussian(mu, m, *exact(p, q), RECORDS)


ONE_STEP = (GeneralizedDecision(math.log(2), 1.0, 1, 1.0, 0.0),
            steepest(math.log(2), 1.0, 1, mpf(1), mpf(0), RECORDS))
cases = st.one_of(st.just(ONE_STEP), laplaces(), cutoffs(), generalized(), gaussians())


def agrees(found: float, expected: mpf, absolute: float = 2e-15) -> bool:
    """To twelve digits, or to `absolute` beside a clip or a crossing; below 1e-300 a zero will do."""
    if abs(expected) <= 1e-300:
        return found < 1e-299
    return abs(found - expected) <= max(1e-12 * abs(expected), mpf(absolute))


@holds(cases)
def test_that_both_tails_are_those_of_the_definition(case):
    decision, curve = case
    for found, expected in ((decision.accept_probability(N), [f for f, _ in curve]),
                            (decision.reject_probability(N), [g for _, g in curve])):
        assert all(agrees(float(a), b, 0.0) for a, b in zip(found, expected, strict=True))


@holds(cases)
def test_that_logarithms_are_those_of_the_definition(case):
    decision, curve = case
    for found, tail in ((decision.log_accept(N), 0), (decision.log_reject(N), 1)):
        for a, pair in zip(found, curve, strict=True):
            if pair[tail] > 1e-300:
                assert agrees(-float(a), -logarithm(pair[tail], pair[1 - tail]), 1e-300)


@holds(cases)
def test_that_losses_are_those_of_the_definition(case):
    decision, curve = case
    accept, reject = decision.loss_accept(N[:-1]), decision.loss_reject(N[:-1])
    for n in range(RECORDS - 1):
        for found, expected in zip((float(accept[n]), float(reject[n])), losses(curve, n), strict=True):
            # Below 1e-40 the reference has cancelled, and 0/0 is 0 here.
            assert found == expected or agrees(found, expected, 1e-40) or min(*curve[n], *curve[n + 1]) < 1e-300


ratios = st.one_of(st.sampled_from([0.0, 0.01, 0.5, 1 - 1e-9, 1.0, 1 + 1e-9, 1.1, 2.0, 50.0]), powers(1e-3, 3))


def rate_of(decision: Decision) -> float:
    return decision.mu if isinstance(decision, GaussianDecision) else decision.values()["epsilon"]


@pytest.mark.parametrize("kind", [laplaces, cutoffs, generalized, gaussians], ids=lambda kind: kind.__name__)
def test_that_delta_is_what_the_worst_pair_needs(kind):
    @holds(kind(), ratios, st.booleans(), examples=100)
    def check(case: Case, ratio: float, zero_refused: bool) -> None:
        decision, curve = case
        epsilon = ratio * rate_of(decision)
        if zero_refused:
            curve = without_zero(curve)
        _, (where,), _ = decision._worst(np.array([epsilon]), zero_refused)
        assume(where < RECORDS - 1 or math.isinf(where))  # else the worst lies beyond the reference
        found, expected = decision.delta_at(epsilon, zero_refused), smallest_delta(curve, epsilon)
        if expected < 1e-50:  # where the reference has cancelled
            assert found < 1e-50
        else:
            assert agrees(found, expected, 2e-15 if expected < 1e-9 else 0.0)

    check()


@pytest.mark.parametrize(("decision", "curve", "epsilon"), [
    (CutoffExponentialDecision(5.0, 1.1), cutoff(5.0, 1.1, 4), 1.0),  # accepting just below m
    (CutoffExponentialDecision(1.0, 3.9), cutoff(1.0, 3.9, 6), 1.0),  # rejecting with m inside the pair
    (LaplaceDecision(12.0, 3.4), laplace(12.0, mpf(3.4), 8), 2.0),  # a wide step across the threshold
    (LaplaceDecision(12.0, 3.4), laplace(12.0, mpf(3.4), 8), 11.9),
    (GeneralizedDecision(0.5, 0.3, 2, 0.25), steepest(0.5, 0.3, 2, mpf(1) / 4, mpf(3) / 4, 9), 3.0),  # f(2) from 0
    (GeneralizedDecision(0.5, 0.3, 1, 0.2), steepest(0.5, 0.3, 1, mpf(0.2), 1 - mpf(0.2), 9), 3.0),  # f(1) from 0
    (GeneralizedDecision(0.5, 0.1, 4, 0.9), steepest(0.5, 0.1, 4, mpf(0.9), 1 - mpf(0.9), 12), 0.7),  # the last steps
    (GeneralizedDecision(0.5, 0.1, 0, 0.4), steepest(0.5, 0.1, 0, mpf(0.4), 1 - mpf(0.4), 12), 0.51),  # upwards only
    (GeneralizedDecision(1.0, 0.1, 0, 4e-4), steepest(1.0, 0.1, 0, mpf(4e-4), 1 - mpf(4e-4), 12), 1.5),  # the first one
    (GaussianDecision(1e-3, 2, 0.5), gaussian(1e-3, 2, mpf(0.5), mpf(0.5), 1100), 1e-3),  # small steps, small ε
], ids=str)
def test_that_each_of_the_pairs_that_can_be_the_worst_is_looked_at(decision, curve, epsilon):
    assert agrees(decision.delta_at(epsilon), smallest_delta(curve, epsilon), 0.0)


def test_that_gaussian_profiles_of_small_steps_keep_their_digits():
    decision = GaussianDecision(1e-6, 10**9, 0.5)
    for epsilon in (0.0, 1e-7, 1e-6, 3e-5):
        with workdps(80):
            expected = gaussian_delta(mpf(1e-6), epsilon)  # the best pair lies within half a step of the best real one
        assert decision.delta_at(epsilon) == pytest.approx(float(expected), rel=2e-12)


@holds(epsilons, st.one_of(st.sampled_from([1e-6, 0.1, 0.25]), powers(1e-9, 0.4)), st.integers(2, 10**9))
def test_that_a_clip_falls_exactly_where_a_step_is_delta(epsilon, delta, minimum):
    below = GeneralizedDecision(epsilon, delta, minimum, delta)
    assert below.accept_probability(minimum - 1) == 0
    assert below.smallest_n(math.ulp(0.0)) == minimum
    above = GeneralizedDecision(epsilon, delta, minimum, 1 - delta, delta)
    assert above.reject_probability(minimum + 1) == 0
    assert above.smallest_n(1.0) == minimum + 1


def test_that_probabilities_far_below_delta_keep_their_order():
    low = GeneralizedDecision(1.0, 0.5, 10, 1e-80)
    assert low.accept_probability([9, 10]).tolist() == [0.0, 1e-80]
    assert [low.smallest_n(p) for p in (5e-81, 1e-80, 2e-80)] == [10, 10, 11]
    high = GeneralizedDecision(1.0, 0.5, 10, 1.0, 1e-80)
    assert high.reject_probability([10, 11]).tolist() == [1e-80, 0.0]
    assert [high.smallest_n_refusing(q) for q in (2e-80, 1e-80, 5e-81)] == [10, 10, 11]


@holds(cases, st.one_of(st.sampled_from([0.0, 0.5, 1.0]), powers(1e-12, 1), st.integers(0, RECORDS - 1)))
def test_that_the_smallest_n_is_the_first_in_real_arithmetic(case, level):
    decision, curve = case
    p = float(decision.accept_probability(level)) if isinstance(level, int) else min(level, 1.0)
    # Where an anchor is asked for its own level the reference has a rounding error; that has a test of its own.
    assume(all(x == tail or abs(x - tail) > 1e-35 * x for pair in curve for tail in pair for x in (mpf(p), 1 - mpf(p))))
    for found, expected in ((decision.smallest_n(p), first(curve, mpf(p), 1 - mpf(p))),
                            (decision.smallest_n_refusing(p), first(curve, 1 - mpf(p), mpf(p)))):
        assert found >= RECORDS if expected is None else found == expected


@holds(epsilons, deltas, minima, tails)
def test_that_the_anchor_is_the_smallest_n_for_its_own_target(epsilon, delta, minimum, tail):
    p, q = tail
    for decision in (LaplaceDecision.for_target(epsilon, minimum, p, q), GaussianDecision(epsilon, minimum, p, q),
                     GeneralizedDecision(max(epsilon, 1e-3), delta, minimum, p, q)):
        found = decision.smallest_n(p) if q is None else decision.smallest_n_refusing(q)
        assert found == minimum
        assert decision.accept_probability(minimum) == pytest.approx(p, rel=1e-14)
        assert decision.reject_probability(minimum) == pytest.approx(1 - p if q is None else q, rel=1e-14)


everywhere = st.one_of(st.sampled_from([5e-324, 1e-300, 1e-41, 1e-39, 1e4, 1e17, 1e300]), powers(1e-12, 700))
any_tail = st.one_of(st.sampled_from([(5e-324, None), (1.0, 1e-300), (1.0, 5e-324), (1 - 2**-53, None)]), tails)


@st.composite
def anywhere(draw: st.DrawFn) -> Decision:
    rate, m, (p, q) = draw(everywhere), draw(st.sampled_from([0, 1, 10**9, EXACT_INTEGERS])), draw(any_tail)
    return draw(st.sampled_from([
        lambda: LaplaceDecision.for_target(max(rate, 1e-290), m, p, q),
        lambda: LaplaceDecision(rate, draw(st.floats(allow_nan=False, allow_infinity=False))),
        lambda: CutoffExponentialDecision(rate, draw(st.floats(0, exclude_min=True, allow_infinity=False))),
        lambda: GeneralizedDecision(draw(st.sampled_from([0.0, rate])), draw(deltas), m, p, q),
        lambda: GeneralizedDecision.centred(rate, draw(st.sampled_from([0.0, 5e-324, 1e-20, 0.5, 1.0])), m),
        lambda: GaussianDecision(rate, m, p, q),
    ]))()


@also(GeneralizedDecision.centred(1e4, 0.0, 2**53))
@holds(anywhere(), examples=150)
def test_that_probabilities_are_probabilities_and_rise_with_n_wherever_they_are_asked(decision):
    middle = getattr(decision, "minimum", 0)
    around = np.concatenate([np.arange(-5, 6), *(sign * 10.0 ** np.arange(1, 16) for sign in (1, -1))]) + middle
    n = np.unique(np.clip(np.append(around, [0, 1, MOST - 1, MOST]), 0, MOST).round())
    f, g = decision.accept_probability(n), decision.reject_probability(n)
    assert ((f >= 0) & (f <= 1) & (g >= 0) & (g <= 1)).all()
    np.testing.assert_allclose(f + g, 1, rtol=0, atol=4.5e-16)
    # Curves that rise by less than a rounding from one n to the next may fall by one.
    assert (np.diff(f) >= -3e-16).all()
    assert (np.diff(g) <= 3e-16).all()
    assert (decision.loss_accept(n) >= 0).all()
    assert (decision.loss_reject(n) >= 0).all()
    delta = decision.delta_at([0, 1e-300, 1e-6, 1, 20, 1e4, 1e300])
    assert ((delta >= 0) & (delta <= 1)).all()
    assert (np.diff(delta) <= 2e-16).all()
    assert decision.smallest_n(0.0) == 0
    assert decision.smallest_n([1e-300, 0.5, 1.0]).tolist() == sorted(decision.smallest_n([1e-300, 0.5, 1.0]))


@holds(epsilons, minima, tails)
def test_that_no_decision_with_the_same_guarantee_and_anchor_is_steeper(epsilon, minimum, tail):
    p, q = tail
    steep = GeneralizedDecision(epsilon, 0.0, minimum, p, q)
    plain = LaplaceDecision.for_target(epsilon, minimum, p, q)
    wide = GaussianDecision(epsilon / 10, minimum, p, q)
    matched = GeneralizedDecision(epsilon, float(wide.delta_at(epsilon)), minimum, p, q)
    for better, other in ((steep, plain), (matched, wide)):
        ours, theirs = better.accept_probability(N), other.accept_probability(N)
        assert (ours[minimum <= N] >= theirs[minimum <= N] - 1e-13).all()
        assert (ours[minimum >= N] <= theirs[minimum >= N] + 1e-13).all()


@holds(epsilons, minima.filter(bool))
def test_that_the_cutoff_is_dominated_at_its_own_guarantee(epsilon, minimum):
    decision = CutoffExponentialDecision(epsilon, minimum)
    same, delta = decision.guarantee
    assert delta == pytest.approx(-math.expm1(-epsilon), rel=1e-14)
    matched = GeneralizedDecision(same, delta, minimum, 1.0, 0.0)
    ours, theirs = matched.accept_probability(N), decision.accept_probability(N)
    assert (ours[minimum > N] <= theirs[minimum > N] + 1e-15).all()
    assert (ours[minimum <= N] == 1).all()
    assert (theirs[minimum <= N] == 1).all()


@holds(powers(1e-3, 20), powers(1e-12, 0.5))
def test_that_the_gaussian_mu_is_the_largest_double_that_keeps_the_guarantee(epsilon, delta):
    mu = GaussianDecision.for_guarantee(epsilon, delta, 10, 0.5).mu
    with workdps(80):
        assert gaussian_delta(mpf(mu), epsilon) <= delta < gaussian_delta(mpf(math.nextafter(mu, math.inf)), epsilon)


def test_that_laplace_needs_no_delta_from_its_epsilon_on():
    profile = LaplaceDecision(0.7, 12.4).delta_at([0.7, 0.8, 3.0])
    assert profile.tolist() == [0.0, 0.0, 0.0]
    assert LaplaceDecision(0.7, 12.0).delta_at(0.7 - 1e-12) == pytest.approx(0.5e-12, rel=1e-3)


def test_that_a_billion_records_lose_no_digits_of_the_target():
    laplace_ = LaplaceDecision.for_target(20.0, 10**9, 1e-9)
    assert laplace_.accept_probability(10**9) == pytest.approx(1e-9, rel=1e-14)
    assert laplace_.accept_probability(10**9 - 1) == pytest.approx(1e-9 * math.exp(-20), rel=1e-13)


@pytest.mark.parametrize("decision", [example(cls) for cls in (*CLASSES, *NEW) if issubclass(cls, Decision)],
                         ids=lambda decision: type(decision).__name__)
class TestEveryDecision:
    def test_that_shapes_are_kept_and_scalars_give_floats(self, decision: Any):
        for method in (decision.accept_probability, decision.reject_probability, decision.log_accept,
                       decision.log_reject, decision.loss_accept, decision.loss_reject):
            assert type(method(3)) is float
            assert type(method(np.float64(3))) is float
            assert method([[3, 4], [5, 6]]).shape == (2, 2)
            assert method([]).shape == (0,)
            assert method([[3, 4], [5, 6]])[1, 0] == method(5)
        for method in (decision.delta_at, decision.trade_off, decision.smallest_n, decision.smallest_n_refusing):
            assert type(method(0.25)) is float
            assert method([[0.25, 0.5]]).shape == (1, 2)
            assert method([]).shape == (0,)

    def test_that_the_numbers_given_are_not_changed(self, decision: Any):
        n = np.arange(30.0)
        for method in (decision.accept_probability, decision.loss_reject, decision.log_accept):
            method(n)
        assert (n == np.arange(30.0)).all()

    def test_that_a_long_array_in_any_order_gives_what_single_numbers_give(self, decision: Any):
        n = np.random.default_rng(0).permutation(150_000)
        some = n[::5000]
        np.testing.assert_array_equal(decision.accept_probability(n)[::5000],
                                      [decision.accept_probability(k) for k in some.tolist()])

    @pytest.mark.parametrize(("n", "given"), [(-1, "-1"), (1.5, "1.5"), (math.nan, "nan"), (math.inf, "inf"),
                                              (2**53 + 1, "9007199254740993"), ([1, 2.5], "2.5"), ("7", "'7'")])
    def test_that_numbers_of_records_are_refused_in_one_form(self, decision: Any, n: object, given: str):
        for method in (decision.accept_probability, decision.reject_probability, decision.loss_accept,
                       decision.log_reject):
            with pytest.raises(InvalidParameter) as refusal:
                method(n)
            assert str(refusal.value) == f"n must be an integer in [0, 9007199254740992], got {given}"

    def test_that_arguments_of_methods_are_refused_in_one_form(self, decision: Any):
        for call, sentence in (
            (lambda: decision.delta_at(-1.0), "epsilon must be in [0, ∞), got -1.0"),
            (lambda: decision.delta_at([0.0, math.nan]), "epsilon must be in [0, ∞), got nan"),
            (lambda: decision.delta_at(math.inf), "epsilon must be in [0, ∞), got inf"),
            (lambda: decision.delta_at(1.0, zero_refused=2), "zero_refused must be yes or no, got 2"),
            (lambda: decision.trade_off([0.5, 2.0]), "alpha must be in [0, 1], got 2.0"),
            (lambda: decision.trade_off(math.nan), "alpha must be in [0, 1], got nan"),
            (lambda: decision.smallest_n(1.5), "probability must be in [0, 1], got 1.5"),
            (lambda: decision.smallest_n_refusing(math.nan), "probability must be in [0, 1], got nan"),
            (lambda: decision.band(0.5), "tail must be in (0, 0.5), got 0.5"),
            (lambda: worst_slack(decision, -1.0, 0.0), "epsilon must be in [0, ∞), got -1.0"),
            (lambda: worst_slack(decision, 1.0, 2.0), "delta must be in [0, 1], got 2.0"),
        ):
            with pytest.raises(InvalidParameter) as refusal:
                call()
            assert str(refusal.value) == sentence

    @pytest.mark.parametrize("n", [8, 12, 13, 18])
    def test_that_samples_have_their_probability_and_would_not_pass_for_one_a_tenth_off(self, decision: Any, n: int):
        size = 400_000
        drawn = decision.sample(n, size, np.random.default_rng(7))
        assert drawn.dtype == bool
        assert drawn.shape == (size,)
        p = min(decision.accept_probability(n), decision.reject_probability(n))
        rare = min(drawn.sum(), size - drawn.sum())

        def plausible(q: float) -> bool:
            return abs(rare - size * q) <= 4.5 * math.sqrt(size * q * (1 - q))

        assert plausible(p)
        assert p == 0 or not (plausible(1.1 * p) or plausible(0.9 * p))


def test_that_a_rare_outcome_is_never_drawn_more_often_than_its_bits_allow():
    sure = LaplaceDecision(1.0, 0.0)
    assert not (~sure.sample(60, 10**6, np.random.default_rng(0))).any()
    assert GeneralizedDecision(1.0, 0.5, 0, 1.0).sample(3, None, np.random.default_rng(0)).shape == ()


REFUSED = [
    (lambda: LaplaceDecision(-1.0, 5), "epsilon must be in (0, ∞), got -1.0"),
    (lambda: LaplaceDecision(0.0, 5), "epsilon must be in (0, ∞), got 0.0"),
    (lambda: LaplaceDecision(math.nan, 5), "epsilon must be in (0, ∞), got nan"),
    (lambda: LaplaceDecision(1.0, math.inf), "threshold must be in (−∞, ∞), got inf"),
    (lambda: LaplaceDecision.for_target(1.0, -1, 0.5), "minimum must be an integer in [0, 9007199254740992], got -1"),
    (lambda: LaplaceDecision.for_target(1.0, 5, 0.0), "target must be in (0, 1), got 0.0"),
    (lambda: LaplaceDecision.for_target(1.0, 5, 1.0), "target must be in (0, 1), got 1.0"),
    (lambda: LaplaceDecision.for_target(1.0, 5, 0.3, 0.6), "complement must be 1 − target, got 0.6"),
    (lambda: CutoffExponentialDecision(1.0, 0.0), "minimum must be in (0, ∞), got 0.0"),
    (lambda: CutoffExponentialDecision(math.inf, 1.0), "epsilon must be in (0, ∞), got inf"),
    (lambda: GeneralizedDecision(-0.1, 0.0, 5, 0.5), "epsilon must be in [0, ∞), got -0.1"),
    (lambda: GeneralizedDecision(1.0, 1.5, 5, 0.5), "delta must be in [0, 1], got 1.5"),
    (lambda: GeneralizedDecision(1.0, 0.0, 5.5, 0.5), "minimum must be an integer in [0, 9007199254740992], got 5.5"),
    (lambda: GeneralizedDecision(1.0, 0.0, 5, math.nan), "target must be in [0, 1], got nan"),
    (lambda: GeneralizedDecision(1.0, 0.0, 5, 0.5, 0.4), "complement must be 1 − target, got 0.4"),
    (lambda: GeneralizedDecision(1.0, 0.0, 5, 0.5, 1.5), "complement must be in [0, 1], got 1.5"),
    (lambda: GeneralizedDecision.centred(1.0, 0.0, 5.5),
     "centre must be an integer in [0, 9007199254740992], got 5.5 (between whole numbers the curve would break its "
     "(ε, δ) guarantee where it crosses)"),
    (lambda: GeneralizedDecision.centred(1.0, 0.0, -1), "centre must be an integer in [0, 9007199254740992], got -1"),
    (lambda: GaussianDecision(0.0, 5, 0.5), "mu must be in (0, ∞), got 0.0"),
    (lambda: GaussianDecision(1.0, 5, 1.0), "target must be in (0, 1), got 1.0"),
    (lambda: GaussianDecision(1.0, 5, 1.0, 0.0), "target must be in (0, 1), got 1.0"),
    (lambda: GaussianDecision(1.0, 5, True), "target must be in (0, 1), got True"),
    (lambda: GaussianDecision.for_guarantee(1.0, 0.0, 5, 0.5),
     "delta must be in (0, 1], got 0.0 (Gaussian noise is never (ε, 0)-DP)"),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED, ids=[sentence[:60] for _, sentence in REFUSED])
def test_that_a_refusal_says_what_its_domain_is_and_what_was_given(make, sentence):
    with pytest.raises(InvalidParameter) as refusal:
        make()
    assert str(refusal.value) == sentence


def test_that_the_seeds_curve_at_a_fraction_would_break_its_guarantee_as_the_refusal_says():
    epsilon, delta, phase = 1.0, 0.01, mpf("0.5")
    e = exp(mpf(epsilon))
    p0, s = (e + delta) / (e + 1), delta / (e - 1)
    before = exp(-epsilon * phase) * (p0 + s) - s
    after = 1 - ((1 - p0 + s) * exp(-epsilon * (1 - phase)) - s)
    needed = delta + (1 - p0 + s) * (exp(epsilon * phase) - 1) * (exp(epsilon * (1 - phase)) - 1)
    assert float(max(after - e * before, (1 - before) - e * (1 - after))) == pytest.approx(float(needed), rel=1e-9)
    assert needed > 2 * delta


def next_to_certain(epsilon: float, minimum: int = 10) -> ComplementedDecision:
    return ComplementedDecision(epsilon, -math.expm1(-epsilon), minimum, 1.0, 0.0, math.exp(-epsilon))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 20.0, 40.0])
def test_that_a_delta_next_to_1_is_carried_by_its_complement(epsilon):
    decision = next_to_certain(epsilon)
    with workdps(60):
        delta = 1 - mpf(math.exp(-epsilon)) if epsilon > 0.7 else mpf(-math.expm1(-epsilon))
        curve = steepest(epsilon, delta, 10, mpf(1), mpf(0), 12)
        for n, (accept, reject) in enumerate(curve):
            assert float(decision.accept_probability(n)) == pytest.approx(float(accept), rel=1e-12, abs=1e-300)
            assert float(decision.reject_probability(n)) == pytest.approx(float(reject), rel=1e-12, abs=1e-300)
    assert float(decision.accept_probability(9)) == pytest.approx(math.exp(-epsilon), rel=1e-13, abs=0)
    assert decision.delta_at(epsilon) == pytest.approx(-math.expm1(-epsilon), rel=1e-15)


def test_that_a_delta_and_what_is_not_its_complement_are_refused():
    with pytest.raises(InvalidParameter, match=r"^delta_complement must be 1 − delta, got 0\.2$"):
        ComplementedDecision(1.0, 0.5, 10, 0.5, delta_complement=0.2)
    with pytest.raises(InvalidParameter, match=r"^delta_complement must be in \[0, 1\]"):
        ComplementedDecision(1.0, 0.5, 10, 0.5, delta_complement=-0.5)
    same = ComplementedDecision(1.0, 0.25, 10, 0.5, delta_complement=0.75)
    np.testing.assert_array_equal(same.accept_probability(range(20)),
                                  GeneralizedDecision(1.0, 0.25, 10, 0.5).accept_probability(range(20)))


@pytest.mark.parametrize("target", [0.5, 0.01, 0.99])
@pytest.mark.parametrize("delta", [0.0, 1e-310])
def test_that_logarithms_go_on_below_the_smallest_double(delta, target):
    decision = GeneralizedDecision(0.5, delta, 2000, target)
    n = np.array([0, 500, 580, 1990, 2000, 2005, 3300, 3400, 4000])
    with workdps(60):
        curve = steepest(0.5, mpf(delta), 2000, mpf(target), 1 - mpf(target), 4001)
        for found, tail in ((decision.log_accept(n), 0), (decision.log_reject(n), 1)):
            for one, at in zip(found, n, strict=True):
                true = curve[at][tail]
                expected = -math.inf if true <= exp(mpf(-5000)) else float(logarithm(true, curve[at][1 - tail]))
                assert one == pytest.approx(expected, rel=1e-12, abs=1e-300), (at, tail)
    np.testing.assert_array_equal(np.isneginf(decision.log_reject(n)), np.array([False] * 8 + [delta > 0]))


def test_that_a_decision_that_never_moves_has_no_logarithm_of_what_cannot_be():
    assert GeneralizedDecision(0.5, 0.0, 10, 1.0, 0.0).log_reject(10_000) == -math.inf
    assert GeneralizedDecision(0.5, 0.0, 10, 0.0).log_accept(0) == -math.inf


@pytest.mark.parametrize("epsilon", [1e-6, 2e-5, 0.3])
@pytest.mark.parametrize("curve", [lambda x: 1 / (1 + exp(-x)), lambda x: 2 / pi * atan(exp(x))],
                         ids=["logistic", "secant"])
def test_that_a_derived_delta_is_what_the_worst_pair_needs_however_little_a_record_changes(epsilon, curve):
    def tail(x):
        return float(curve(mpf(float(x))))

    class Drawn(LogisticDecision):
        def _accept(self, n):
            return np.vectorize(tail)(self.epsilon * (n - self.threshold))

        def _reject(self, n):
            return np.vectorize(tail)(self.epsilon * (self.threshold - n))

    one = Drawn(epsilon, round(2 / epsilon))  # so that it is “no” that tells
    places = {round(x / epsilon) for x in np.linspace(1, 12, 200)}
    for part in (0.9, 0.99, 0.9999):
        with workdps(40):
            before, after = ([curve(-epsilon * mpf(n + more)) for n in places] for more in (0, 1))
            growth = exp(mpf(part * epsilon))
            needed = float(max(p - growth * q for p, q in zip(before, after, strict=True)))
        assert needed - 1e-14 <= one.delta_at(part * epsilon) <= needed * 1.02 + 1e-14, part
