"""Watching a growing count: the law of the first “yes”, its privacy, and what is wrong with what was published."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.mechanisms.laws import AsymmetricLaplace
from dpstudio.mechanisms.watch import AboveThreshold, EachTime, ExponentialAboveThreshold, Watch, threshold_for

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "watch.json").read_text("utf-8"))["cases"]
KINDS = {"laplace": AboveThreshold, "exponential": ExponentialAboveThreshold}
NOISY = (AboveThreshold, ExponentialAboveThreshold)
EVERY = (*NOISY, EachTime)
every_kind = pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
noisy_kind = pytest.mark.parametrize("kind", NOISY, ids=lambda kind: kind.__name__)

epsilons = st.floats(-5, 2).map(math.exp)
shares = st.floats(0.02, 0.98)
thresholds = st.floats(-10, 40)
counts = st.lists(st.integers(0, 30), min_size=1, max_size=7)
grown = st.lists(st.integers(0, 9), min_size=1, max_size=7).map(lambda steps: np.cumsum(steps).tolist())


def log_law(watch: Watch, given_counts) -> np.ndarray:
    """ln of the probability of each time and, last, of never."""
    return np.append(watch.log_first_yes(given_counts), watch._of(given_counts).log_never)


def test_that_the_oracle_is_there_and_the_law_agrees_to_1e_13():
    assert len(CASES) >= 16
    for case in CASES:
        watch = KINDS[case["noise"]](*(case[name] for name in ("epsilon", "threshold", "share", "monotone")))
        np.testing.assert_allclose(watch.first_yes(case["counts"]), [float(each) for each in case["first_yes"]],
                                   rtol=1e-13)
        assert watch.never(case["counts"]) == pytest.approx(float(case["never"]), rel=1e-13, abs=0)


@every_kind
def test_that_all_ways_to_ask_for_the_law_agree(kind):
    @given(epsilons, thresholds, counts)
    def check(epsilon, threshold, given_counts):
        watch = kind(epsilon, threshold)
        first, never = watch.first_yes(given_counts), watch.never(given_counts)
        assert first.sum() + never == pytest.approx(1, abs=1e-13)
        np.testing.assert_allclose(np.exp(watch.log_first_yes(given_counts)), first, rtol=1e-12)
        np.testing.assert_allclose(watch.waiting(given_counts), 1 - np.cumsum(first), rtol=0, atol=1e-14)
        assert watch.ever(given_counts) == pytest.approx(first.sum(), rel=1e-11, abs=0)
        for t in range(1, len(given_counts)):  # what comes later changes nothing
            np.testing.assert_allclose(watch.first_yes(given_counts[:t]), first[:t], rtol=1e-12)

    check()


@noisy_kind
def test_that_logarithms_agree_with_the_law_and_go_on_where_no_double_holds_it(kind):
    near, rising = kind(0.7, 12.5), [1, 5, 5, 9, 14, 20]
    plain = log_law(near, rising)
    far = log_law(kind(700.0, 12.5), rising)
    np.testing.assert_allclose(np.exp(plain[:-1]), near.first_yes(rising), rtol=1e-12)
    assert (far[:4] < -700).all()
    assert np.isfinite(far[:-1]).all()
    assert kind(700.0, 12.5).first_yes(rising).sum() == pytest.approx(1, abs=1e-13)


@noisy_kind
@pytest.mark.parametrize(("epsilon", "share", "threshold", "given_counts"), [
    (1e-6, 0.5, 50.0, range(1, 101)), (1e3, 0.5, 50.0, range(1, 101)), (1.0, 1e-6, 50.0, range(1, 101)),
    (1.0, 1 - 1e-6, 50.0, range(1, 101)), (0.1, 0.5, 500.0, [490] * 1000), (1e-3, 0.5, 1e15, [10**15, 10**15 + 1]),
    (1e-3, 0.5, 2.0**52, [1, 2**53]), (1.0, 0.5, -1e5, range(10)), (20.0, 0.5, 1e6, range(10)), (1.0, 0.5, 3.0, []),
    (1.0, 0.5, 3.0, [9, 1, 5, 2, 2, 0])])
def test_that_extremes_have_a_law_that_adds_up(kind, epsilon, share, threshold, given_counts):
    watch, given_counts = kind(epsilon, threshold, share), list(given_counts)
    first, log = watch.first_yes(given_counts), watch.log_first_yes(given_counts)
    assert first.shape == log.shape == (len(given_counts),)
    assert first.sum() + watch.never(given_counts) == pytest.approx(1, abs=1e-12)
    assert not np.isnan(log).any()
    waiting = watch.waiting(given_counts)
    np.testing.assert_allclose(waiting, 1 - np.cumsum(first), rtol=0, atol=2e-12)
    assert ((waiting >= 0) & (waiting <= 1)).all()
    assert watch.ever(given_counts) == pytest.approx(first.sum(), rel=1e-9, abs=1e-250)


@every_kind
def test_that_first_yeses_drawn_have_their_law(kind):
    watch, given_counts, size = kind(0.8, 9.0), [2, 4, 4, 9, 10, 12], 40_000
    drawn = np.bincount(watch.sample(given_counts, size, np.random.default_rng(4)), minlength=7)
    p = np.append(watch.first_yes(given_counts), watch.never(given_counts))
    assert (np.abs(drawn - size * p) <= 4.5 * np.sqrt(size * p * (1 - p))).all()
    other = kind(0.8 * 1.3, 9.0)
    q = np.append(other.first_yes(given_counts), other.never(given_counts))
    assert (np.abs(drawn - size * q) > 4.5 * np.sqrt(size * q * (1 - q))).any()


def worst_losses(watch: Watch, pairs) -> tuple[float, float]:
    """The largest ln of a probability without a record over that with it, and the other way."""
    laws = {tuple(each): log_law(watch, each) for pair in pairs for each in pair}
    losses = [laws[tuple(fewer)] - laws[tuple(more)] for fewer, more in pairs]
    return max(float(each.max()) for each in losses), max(float((-each).max()) for each in losses)


@every_kind
def test_that_no_record_that_raises_counts_shows_more_than_is_said_either_way(kind):
    """Outcomes are the times and never: of pure ε the worst set is a single one."""
    @given(epsilons, shares, thresholds, counts, st.data())
    def check(epsilon, share, threshold, fewer, data):
        watch = kind(epsilon, threshold) if kind is EachTime else kind(epsilon, threshold, share)
        since = data.draw(st.integers(0, len(fewer)))
        staying = np.arange(len(fewer)) >= since
        raised = data.draw(st.lists(st.integers(0, 1), min_size=len(fewer), max_size=len(fewer)))
        for pattern, stays in ((staying, True), (staying, False), (raised, False)):
            pair = (fewer, np.add(fewer, pattern).tolist())
            less, more = worst_losses(watch, [pair])
            law = watch.given_away(len(fewer), stays=stays)
            assert less <= law.fewer * (1 + 1e-9) + 1e-9
            assert more <= law.more * (1 + 1e-9) + 1e-9
            one, two = (np.exp(log_law(watch, each)) for each in pair)
            for at in (0.0, epsilon / 4, epsilon / 2):
                spent = max(np.maximum(p - math.exp(at) * q, 0).sum() for p, q in ((one, two), (two, one)))
                assert spent <= law.delta_at(at) + 1e-12

    check()


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
@noisy_kind
def test_that_what_is_said_is_the_worst_of_many_histories_for_few_times(kind, share):
    watch = kind(1.0, 30.0, share)
    for k in (1, 2, 3):
        near = [0, 60, 600]
        for stays in (True, False):
            patterns = [each for each in itertools.product((0, 1), repeat=k) if not stays or list(each) == sorted(each)]
            pairs = [(list(fewer), np.add(fewer, pattern).tolist()) for fewer in itertools.product(near, repeat=k)
                     for pattern in patterns]
            law = watch.given_away(k, stays=stays)
            worst = worst_losses(watch, pairs)
            for found, said in zip(worst, (law.fewer, law.more), strict=True):
                # Of equal rates, and of rates whose sums are equal, the limit is neared as 1 over the height.
                assert said - 0.06 <= found <= said + 1e-9
            if watch.attained(k, stays=stays):
                assert max(worst) == pytest.approx(law.epsilon, abs=0.02)


def test_that_the_epsilon_of_few_times_is_that_of_as_many_noes():
    """share = 0.9: 0.1, 0.2, 0.3 … of a record that stays, and from 9 times on 0.9."""
    watch = AboveThreshold(1.0, 5.0, 0.9)
    found = [watch.given_away(k, stays=True).epsilon for k in range(1, 12)]
    np.testing.assert_allclose(found, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.9, 0.9], rtol=1e-12)
    goes = [watch.given_away(k, stays=False).epsilon for k in range(8, 13)]
    np.testing.assert_allclose(goes, [0.8, 0.9, 0.9, 1.0, 1.0], rtol=1e-12)
    for k in (1, 2, 3):
        high = [400] * k
        loss = log_law(watch, high)[k] - log_law(watch, [401] * k)[k]
        assert loss == pytest.approx(0.1 * k, abs=1e-6)
    assert AboveThreshold(1.0, 5.0).given_away(1000, stays=True).epsilon == 0.5
    assert AboveThreshold(1.0, 5.0).given_away(3, stays=False).epsilon == 1.0
    assert ExponentialAboveThreshold(1.0, 5.0).given_away(2, stays=False).epsilon == 1.0
    assert [EachTime(0.125, 5.0).given_away(8, stays=stays).epsilon for stays in (True, False)] == [1.0, 1.0]


def test_that_an_epsilon_that_is_only_neared_is_not_called_reached():
    low = AboveThreshold(1.0, 1.0, 0.1)
    assert not low.attained(2, stays=True)
    pairs = [([high, c], [high, c + 1]) for high in (0, 10, 300) for c in (0, 1, 5, 100)]
    assert worst_losses(low, pairs)[1] < 0.85 < low.given_away(2, stays=True).epsilon
    assert low.attained(3, stays=True)
    assert worst_losses(low, [([300, 300, 2], [300, 300, 3])])[1] == pytest.approx(0.9, abs=1e-6)
    single = ExponentialAboveThreshold(1.0, 0.5, 0.1)
    assert not single.attained(1, stays=True)
    assert worst_losses(single, [([c], [c + 1]) for c in range(9)])[1] < 0.89
    assert ExponentialAboveThreshold(1.0, 1.0, 0.1).attained(1, stays=True)
    assert worst_losses(ExponentialAboveThreshold(1.0, 1.0, 0.1), [([0], [1])])[1] == pytest.approx(0.9, abs=1e-9)


@settings(max_examples=25)
@given(st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0, 6))
def test_that_the_law_of_a_record_is_asymmetric_laplace_noise_moved_by_one(fewer, more, at):
    law = AsymmetricLaplace(fewer, more)

    def below(x):
        return np.where(x < 0, fewer / (fewer + more) * np.exp(more * np.minimum(x, 0)),
                        1 - more / (fewer + more) * np.exp(-fewer * np.maximum(x, 0)))

    def place(p):
        with np.errstate(divide="ignore"):
            return np.where(p * (fewer + more) < fewer, np.log(p * (fewer + more) / fewer) / more,
                            -np.log((1 - p) * (fewer + more) / more) / fewer)

    ends = np.linspace(-1.5, 0.5, 20_001)
    moved = below(ends + 1) - math.exp(at) * below(ends), 1 - below(ends) - math.exp(at) * (1 - below(ends + 1))
    assert law.delta_at(at) == pytest.approx(max(0.0, *(float(each.max()) for each in moved)), abs=1e-7)
    alpha = np.linspace(0, 1, 201)
    tests = np.minimum(1 - below(place(alpha) + 1), below(place(1 - alpha) - 1))
    np.testing.assert_allclose(law.trade_off(alpha), tests, rtol=0, atol=1e-12)
    assert law.epsilon == max(fewer, more)
    if 0 < law.delta_at(at) < law.delta_at(0.0):
        assert law.epsilon_at(float(law.delta_at(at))) == pytest.approx(at, abs=1e-9)


@noisy_kind
def test_that_a_record_that_moves_counts_either_way_keeps_epsilon_with_twice_the_noise_and_not_with_less(kind):
    @given(epsilons, shares, thresholds, counts, st.data())
    def check(epsilon, share, threshold, given_counts, data):
        watch = kind(epsilon, threshold, share, monotone=False)
        moved = data.draw(st.lists(st.integers(-1, 1), min_size=len(given_counts), max_size=len(given_counts)))
        other = np.maximum(np.add(given_counts, moved), 0).tolist()
        assert np.abs(log_law(watch, given_counts) - log_law(watch, other)).max() <= epsilon * (1 + 1e-9) + 1e-9

    check()
    # Ten counts rise by the record and one falls: ε₁ + 2ε₂ in the limit of high counts.
    for share in (0.2, 0.5, 0.7):
        rising, falling = [60] * 10 + [1], [61] * 10 + [0]
        made_for_growing = kind(1.0, 0.0, share)
        loss = log_law(made_for_growing, rising)[10] - log_law(made_for_growing, falling)[10]
        assert loss == pytest.approx(2 - share, rel=1e-3)
        enough = kind(1.0, 0.0, share, monotone=False)
        assert log_law(enough, rising)[10] - log_law(enough, falling)[10] == pytest.approx(1, rel=1e-3)


def test_that_k_answers_of_their_own_give_away_k_epsilon_though_the_first_yes_ends_them():
    watch, k = EachTime(0.3, 5.0), 8
    loss = log_law(watch, [9] * k) - log_law(watch, [10] * k)
    assert loss[-1] == pytest.approx(k * 0.3, rel=1e-12)
    decision = LaplaceDecision(0.3, 5.0)
    rising = [1, 4, 6, 9]
    no, yes = decision.reject_probability(rising), decision.accept_probability(rising)
    np.testing.assert_allclose(watch.first_yes(rising), yes * np.append(1.0, np.cumprod(no)[:-1]), rtol=1e-13)


@every_kind
def test_that_the_threshold_of_a_chance_has_that_chance_to_eleven_digits(kind):
    @example(1e-6, 0.5, [0] * 1000, 1e-9)
    @example(50.0, 0.01, [7], 0.5)
    @example(50.0, 0.99, list(range(0, 3000, 3)), 1e-6)
    @example(0.1, 0.999, list(range(10, 500, 10)), 0.4)
    @example(0.1, 0.001, [5] * 300 + [6] * 300, 0.3)
    @given(epsilons, shares, grown, st.floats(-20, -0.2).map(math.exp))
    def check(epsilon, share, given_counts, chance):
        def build(threshold):
            return kind(epsilon, threshold) if kind is EachTime else kind(epsilon, threshold, share)

        threshold = threshold_for(build, given_counts, chance)
        assert build(threshold).ever(given_counts) == pytest.approx(chance, rel=1e-11, abs=0)
        assert build(threshold + 0.1 / epsilon).ever(given_counts) < chance

    check()


def test_that_a_literal_algorithm_1_says_yes_when_the_law_has_it():
    """Dwork & Roth 2014, line by line: one noisy threshold, noise for each query, halt at the first ⊤."""
    rng, size, epsilon, threshold, given_counts = np.random.default_rng(9), 30_000, 1.2, 6.0, [1, 3, 6, 6, 9]
    seen = np.zeros(6)
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon, size)
    noise = rng.laplace(0, 4 / epsilon, (size, 5))
    for i in range(size):
        for t, count in enumerate(given_counts):
            if count + noise[i, t] >= noisy_threshold[i]:
                seen[t] += 1
                break
        else:
            seen[5] += 1
    p = np.exp(log_law(AboveThreshold(epsilon, threshold, monotone=False), given_counts))
    assert (np.abs(seen - size * p) <= 4.5 * np.sqrt(size * p * (1 - p))).all()


@pytest.mark.parametrize("bad", [[1.5], [-1], [math.nan], [[1, 2]], 3, "12", [2**53 + 2]])
@every_kind
def test_that_what_are_no_counts_is_refused(kind, bad):
    for ask in (kind(1.0, 3.0).first_yes, kind(1.0, 3.0).waiting, kind(1.0, 3.0).ever):
        with pytest.raises(InvalidParameter, match=r"^counts must be "):
            ask(bad)


def test_that_mpmath_has_the_same_chance_of_no_yes_so_far():
    epsilon, threshold, given_counts = mpmath.mpf("0.9"), 7, [2, 5, 9]
    half = epsilon / 2

    def no(x):
        return mpmath.exp(half * x) / 2 if x < 0 else 1 - mpmath.exp(-half * x) / 2

    def inner(z):
        return half / 2 * mpmath.exp(-half * abs(z)) * mpmath.fprod(no(z - c + threshold) for c in given_counts)

    whole = mpmath.quad(inner, [-80, -40, -20, -10, -5, -2, 0, 2, 5, 10, 20, 40, 80])
    assert AboveThreshold(0.9, 7.0).waiting(given_counts)[-1] == pytest.approx(float(whole), rel=1e-10)


@every_kind
def test_that_what_is_traded_with_other_thresholds_is_what_each_of_them_has(kind):
    @settings(max_examples=25)
    @given(epsilons, grown, thresholds, st.data())
    def check(epsilon, given_counts, threshold, data):
        before = data.draw(st.integers(0, len(given_counts)))
        tried = np.array([threshold, threshold + 0.7 / epsilon, threshold - 3.0])
        alarm, late = kind(epsilon, threshold).traded(np.array(given_counts, dtype=float), before, tried)
        for i, each in enumerate(tried):
            watch = kind(epsilon, each)
            assert alarm[i] == pytest.approx(watch.ever(given_counts[:before]), abs=1e-12)
            assert late[i] == pytest.approx(watch.waiting(given_counts)[before:].sum(), abs=1e-11)

    check()


@every_kind
def test_that_sure_counts_say_yes_with_other_thresholds_too(kind):
    alarm, late = kind(7.0, 5.0).traded(np.array([0.0, 60.0, 70.0]), 2, np.array([5.0, 30.0]))
    np.testing.assert_allclose(alarm, 1, atol=1e-14)
    np.testing.assert_allclose(late, 0, atol=1e-14)


@every_kind
def test_that_one_run_seen_as_gaps_says_yes_when_the_law_has_it(kind):
    watch, given_counts, rng, size = kind(0.8, 9.0), np.array([2.0, 4, 9, 12]), np.random.default_rng(8), 6000
    above = np.stack([watch.gaps(given_counts, rng) for _ in range(size)]) >= 0
    drawn = np.bincount(np.where(above.any(axis=1), above.argmax(axis=1), 4), minlength=5)
    p = np.append(watch.first_yes(given_counts), watch.never(given_counts))
    assert (np.abs(drawn - size * p) <= 4.5 * np.sqrt(size * p * (1 - p))).all()


def test_that_of_a_thousand_counts_no_yes_is_as_rare_as_a_fine_sum_has_it():
    """The threshold must lie far up for that, farther than where it is ever found by itself."""
    one, two = 0.9, 0.1
    z = np.linspace(-60, 700, 1_500_001)
    no = np.where(z < 0, np.exp(two * np.minimum(z, 0)) / 2, 1 - np.exp(-two * np.maximum(z, 0)) / 2)
    whole = np.trapezoid(one / 2 * np.exp(-one * np.abs(z)) * no**1000, z)
    assert AboveThreshold(1.0, 0.0, 0.9).never([0] * 1000) == pytest.approx(whole, rel=1e-5, abs=0)


@every_kind
def test_that_what_is_still_unsaid_is_known_to_its_last_digits_however_little_it_is(kind):
    """Against the whole law, and against mpmath where “no” is next to impossible."""
    @settings(max_examples=30)
    @given(epsilons, shares, thresholds, grown, st.data())
    def check(epsilon, share, threshold, given_counts, data):
        watch = kind(epsilon, threshold) if kind is EachTime else kind(epsilon, threshold, share)
        first = data.draw(st.integers(0, len(given_counts) - 1))
        weights = np.where(np.arange(len(given_counts)) >= first, np.arange(len(given_counts)) + 0.5, 0.0)
        plain = [math.exp(watch._of(given_counts[:t + 1]).log_never) for t in range(len(given_counts))]
        assert watch.still(given_counts, weights) == pytest.approx(plain @ weights, rel=1e-9, abs=1e-289)

    check()
    assert kind(1.0, 3.0).still([1, 2], np.zeros(2)) == 0
    assert kind(9.0, 400.0).still([1, 2, 500], np.array([0.0, 1.0, 2.0])) == pytest.approx(1, abs=1e-12)
    far = kind(9.0, 3.0).still([1, 50, 55, 90], np.array([0.0, 1.0, 5.0, 7.0]))
    half = mpmath.mpf("4.5")

    def no(x):
        if kind is ExponentialAboveThreshold:
            return 1 - mpmath.exp(-half * x) if x > 0 else mpmath.mpf(0)
        return mpmath.exp(half * x) / 2 if x < 0 else 1 - mpmath.exp(-half * x) / 2

    def laplace(x):
        return mpmath.exp(9 * x) / 2 if x < 0 else 1 - mpmath.exp(-9 * x) / 2

    ends = [-3, -2, -1, 0, 2, 10, 30, 46, 47, 48, 52, 53, 60, 87, 88, 99]
    one_sided, true = kind is ExponentialAboveThreshold, mpmath.mpf(0)
    places = [each for each in ends if each >= 0 or not one_sided]
    with mpmath.workdps(40):
        for weight, t in ((1, 2), (5, 3), (7, 4)):
            apart = [c - 3 for c in (1, 50, 55, 90)[:t]]
            if kind is EachTime:
                true += weight * mpmath.fprod(laplace(-d) for d in apart)
            else:
                scale = half * 47  # quadrature stops at an absolute error
                true += weight * (half if one_sided else half / 2) * mpmath.exp(-scale) * mpmath.quad(
                    lambda z, apart=apart, scale=scale: mpmath.exp(scale - half * abs(z)) * mpmath.fprod(
                        no(z - d) for d in apart), places)
    assert 0 < far < 1e-80
    assert far == pytest.approx(float(true), rel=1e-9, abs=0)
