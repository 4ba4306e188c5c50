"""Audits by sampling: exact laws that samplers follow, certificates that hold, and claims that fall."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtr, bdtrc

from dpstudio.core.sampling import chunks
from dpstudio.mechanisms.decision import Decision, LaplaceDecision, geometric_selection
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, StaircaseNoise
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.shuffle import ShuffledResponse
from dpstudio.models.auditing import certificate
from dpstudio.models.auditing.cells import Clamping, OutcomeCells, Processing, Rounding, Thresholding, processing
from dpstudio.models.auditing.certificate import (
    ChosenEvents,
    certify,
    choose,
    draws_needed,
    exact_bounds,
    is_false,
    look_error,
    look_times,
    score_bounds,
    stream,
)
from dpstudio.models.auditing.subject import (
    Answered,
    Decided,
    NoisyCount,
    PublishedGroup,
    SharedNoise,
    Unrandomized,
    YesNo,
)
from dpstudio.studies.audit import Audit
from dpstudio.studies.audit.mechanisms import MECHANISMS

KINDS = ("none", "rounding", "clamping", "thresholding")
RIGHT = [name for name, entry in MECHANISMS.items() if not entry.wrong]
WRONG = [name for name, entry in MECHANISMS.items() if entry.wrong]
every = pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in MECHANISMS for kind in KINDS])


def built(name, kind="none", at=1.0, **values):
    """The cells and the claim of a mechanism of the study's table."""
    subject, claim = MECHANISMS[name].build(Audit(mechanism=name, **values))
    return OutcomeCells(subject, processing(kind, at)), claim


def counts(cells, places):
    """Counts of the cells in every row of places."""
    rows = np.arange(len(places))[:, None] * cells.number
    return np.bincount((places + rows).ravel(), minlength=len(places) * cells.number).reshape(len(places), -1)


def certificates(cells, claim, confidence, runs, trials, seed=0):
    """The best certified ε of many independent audits at once, look by look as a single one makes them."""
    rng = np.random.default_rng(seed)
    places = [cells.drawn(i, runs * trials, rng).reshape(runs, trials) for i in (0, 1)]
    best = np.zeros(runs)
    for place, stop in enumerate(look_times(trials), 1):
        first, error = stop // 2, look_error(place, trials, stop, 1 - confidence)
        chosen, certifying = (cells.gathered(np.stack([counts(cells, side[:, part]) for side in places], axis=1))
                              for part in (slice(0, first), slice(first, stop)))
        choice = choose(chosen / first, stop - first, claim, error / 2)
        best = np.maximum(best, certify(certifying, stop - first, choice, claim, error).epsilon)
    return best


def certified(cells, claim, seed, trials, confidence=0.99):
    looks = [look for _, look in stream(cells, claim, confidence, seed, trials) if look]
    return max((float(look.certified.epsilon) for look in looks), default=0.0)


# The exact law

@every
def test_that_the_sampler_follows_the_exact_law(name, kind):
    cells, _ = built(name, kind, records=2, minimum=3, delta=1e-3)
    rng, size = np.random.default_rng(4), 60_000
    for i in (0, 1):
        seen = np.bincount(cells.drawn(i, size, rng), minlength=cells.number)
        mass = cells.masses[i]
        assert mass.sum() == pytest.approx(1, abs=1e-12)
        assert (np.abs(seen - size * mass) <= 5.5 * np.sqrt(size * mass * (1 - mass)) + 12 * (mass > 0)).all()


@every
def test_that_events_gather_the_cells(name, kind):
    cells, _ = built(name, kind)
    np.testing.assert_allclose(cells.gathered(cells.masses), cells.law, atol=1e-14)
    number = len(cells.edges)
    assert cells.law.shape == (2, 2 * number + max(number - 1, 0))
    assert (np.diff(cells.edges) > 0).all()


@pytest.mark.parametrize("process", [Rounding(3.0), Rounding(4.0), Rounding(0.4), Clamping(7.0), Clamping(2.5),
                                     Thresholding(3.0), Thresholding(2.5)])
def test_that_whole_numbers_keep_their_masses_through_processing(process):
    noise, records = GeometricNoise(0.4), 2
    cells = OutcomeCells(NoisyCount(noise, records, noise), process)
    x = np.arange(-150.0, 150.0)
    place = np.searchsorted(cells.edges, process(x), side="right")
    for i in (0, 1):
        mass = np.bincount(place, weights=noise.density(x - records - i), minlength=cells.number)
        np.testing.assert_allclose(cells.masses[i], mass, rtol=1e-9, atol=1e-15)


def test_that_clamping_keeps_the_limits_as_outcomes_of_their_own():
    noise = LaplaceNoise(1.0)
    cells = OutcomeCells(NoisyCount(noise, 1, noise), Clamping(3.0))
    assert cells.masses[0, 0] == pytest.approx(math.exp(-1) / 2, rel=1e-12)
    assert cells.masses[0, -1] == pytest.approx(math.exp(-2) / 2, rel=1e-12)
    outcomes = cells.process(np.array([-5.0, 0.0, 1e-9, 2.999, 3.0, 9.0]))
    assert np.searchsorted(cells.edges, outcomes, side="right").tolist() == [0, 0, 1, cells.number - 2,
                                                                            cells.number - 1, cells.number - 1]


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 7.0])
def test_that_every_right_mechanism_reaches_its_claim_at_its_worst_pair_and_never_passes_it(name, epsilon):
    # The largest ε, or where δ eats it the largest δ, over pairs around the minimum.
    reached = []
    for records in (0, 3, 4, 5):
        cells, claim = built(name, epsilon=epsilon, records=records, delta=1e-4)
        assert not is_false(cells, claim)
        assert cells.exactly.epsilon(claim[1]) <= claim[0] * (1 + 1e-6)
        assert cells.exactly.delta(claim[0]) <= claim[1] * (1 + 1e-6)
        reached.append(max(cells.exactly.epsilon(claim[1]) / claim[0],
                           cells.exactly.delta(claim[0]) / claim[1] if claim[1] else 0))
    # The worst pair of the first lies far from the minimum, that of the other has many counts before the last.
    if name not in ("gaussian_decision", "above_threshold"):
        assert max(reached) == pytest.approx(1, rel=1e-6)


def test_that_the_delta_at_the_setting_of_the_table_is_what_its_law_says():
    a = math.exp(-1)
    cells, claim = built("wrong_delta", epsilon=1.0, records=0, minimum=5)
    assert claim[1] == pytest.approx(a**5 / (1 + a), rel=1e-12)
    assert cells.exactly.delta(1.0) == pytest.approx(a**4 / (1 + a), rel=1e-12)
    assert cells.exactly.epsilon(claim[1]) == math.inf
    # From one record on, both say the same of neighbours, and nothing is wrong.
    assert not is_false(*built("wrong_delta", epsilon=1.0, records=1, minimum=5))


@pytest.mark.parametrize("name", MECHANISMS)
def test_that_chances_are_no_less_than_0_and_no_more_than_1(name):
    for epsilon in np.geomspace(1e-3, 20, 12):
        for records in (0, 5, 20, 331):
            masses = built(name, epsilon=float(epsilon), records=records)[0].masses
            assert masses.min() >= 0
            assert masses.max() <= 1


@given(name=st.sampled_from(list(MECHANISMS)), kind=st.sampled_from(KINDS[1:]), at=st.floats(0.01, 50),
       epsilon=st.floats(0.01, 10), records=st.integers(0, 12))
def test_that_post_processing_never_raises_what_an_event_shows(name, kind, at, epsilon, records):
    raw, claim = built(name, epsilon=epsilon, records=records, delta=1e-5)
    after, _ = built(name, kind, at, epsilon=epsilon, records=records, delta=1e-5)
    # Cells that a step or a limit cuts anew may lie a little better than the raw ones.
    grid = 1e-3 if name.endswith("gaussian_count") else 1e-7
    assert after.exactly.epsilon(claim[1]) <= raw.exactly.epsilon(claim[1]) * (1 + grid) + 1e-9
    noise = getattr(raw.subject, "noise", None) if isinstance(raw.subject, NoisyCount) else None
    most = noise.delta_at(claim[0]) if noise else raw.exactly.delta(claim[0])
    assert raw.exactly.delta(claim[0]) <= most * (1 + 1e-9) + 1e-15
    assert after.exactly.delta(claim[0]) <= most * (1 + 1e-9) + 1e-15


# Certificates


def test_that_exact_bounds_are_those_of_clopper_and_pearson():
    k, n, error = np.array([0, 1, 7, 99, 100]), 100, 0.003
    low, high = exact_bounds(k, n, error)
    assert low[0] == 0
    assert high[-1] == 1
    np.testing.assert_allclose(bdtrc(k[1:] - 1, n, low[1:]), error, rtol=1e-9)
    np.testing.assert_allclose(bdtr(k[:-1], n, high[:-1]), error, rtol=1e-9)


@pytest.mark.parametrize("draws", [10, 10**6, 10**9, 2**32])
def test_that_the_bound_on_what_never_came_keeps_its_digits_however_many_the_draws(draws):
    _, high = exact_bounds(0, draws, 0.0025)
    assert high == pytest.approx(-math.expm1(math.log(0.0025) / draws), rel=1e-13)


def test_that_bounds_to_choose_by_lie_near_the_exact_ones():
    k, n = np.array([50, 500, 5000, 9000]), 10_000
    for near, exact in zip(score_bounds(k / n, n, 0.001), exact_bounds(k, n, 0.001), strict=True):
        np.testing.assert_allclose(near, exact, rtol=0.05)


def test_that_the_errors_of_all_looks_add_up_to_no_more_than_allowed():
    for trials in (2, 3, 1249, 1250, 1251, 20_000, 10**6, 10**9):
        times = look_times(trials)
        assert times == sorted(set(times))
        assert times[-1] == trials
        assert sum(look_error(i, trials, time, 0.01) for i, time in enumerate(times, 1)) <= 0.01
        assert look_error(len(times), trials, trials, 0.01) == 0.005
        assert all(after <= 1.5 * before + 1 for before, after in pairwise(times))
    assert look_times(1) == []


def test_that_the_first_half_of_the_draws_chooses_and_the_second_certifies():
    cells, claim = built("laplace_count")
    rng, size = next(chunks(3, 20_000))
    places = np.stack([cells.drawn(i, size, rng) for i in (0, 1)])
    looks = [look for _, look in stream(cells, claim, 0.99, 3, 20_000) if look]
    assert [look.draws for look in looks] == look_times(20_000)
    for look in looks:
        first = look.draws // 2
        choosing, certifying = (counts(cells, places[:, part]) for part in (slice(first), slice(first, look.draws)))
        np.testing.assert_array_equal(look.certifying, certifying)
        assert look.half == look.draws - first
        chosen = choose(cells.gathered(choosing) / first, look.half, claim, look.error / 2)
        assert (look.chosen.event, look.chosen.against) == (chosen.event, chosen.against)
    assert len({int(look.chosen.event) for look in looks}) > 1


def test_that_a_look_counts_the_same_draws_wherever_chunks_end():
    cells, claim = built("response")
    short = {look.draws: look for _, look in stream(cells, claim, 0.99, 1, 20_000) if look}
    long = {look.draws: look for _, look in stream(cells, claim, 0.99, 1, 90_000) if look}
    for draws in (1250, 5000, 15_000, 20_000):
        np.testing.assert_array_equal(short[draws].certifying, long[draws].certifying)
    assert long[60_000].certifying.sum() == 60_000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", RIGHT)
def test_that_a_right_claim_stands_in_all_but_a_hundredth_of_audits(name, kind):
    cells, claim = built(name, kind, records=4, minimum=5)
    found = certificates(cells, claim, 0.99, runs=400, trials=1500)
    truth = cells.exactly.epsilon(claim[1])
    assert (found > claim[0]).sum() <= 4
    assert (found > truth * (1 + 1e-9)).sum() <= 4


@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_that_certificates_fail_no_more_often_than_allowed_where_the_truth_is_all_of_the_claim(confidence):
    cells, claim = built("response")
    failed = (certificates(cells, claim, confidence, runs=3000, trials=1500) > claim[0]).mean()
    assert 0 < failed <= 1 - confidence + 3 * math.sqrt(confidence * (1 - confidence) / 3000)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", WRONG)
def test_that_a_wrong_claim_is_caught_with_a_million_draws(name, seed):
    cells, claim = built(name, epsilon=1.0, records=0, minimum=5)
    # A million in all: half on each dataset.
    epsilon = certified(cells, claim, seed, 500_000)
    assert claim[0] < epsilon <= cells.exactly.epsilon(claim[1])


@pytest.mark.parametrize("name", RIGHT)
def test_that_a_right_claim_stands_with_a_million_draws(name):
    cells, claim = built(name, epsilon=1.0)
    assert certified(cells, claim, 0, 500_000) <= cells.exactly.epsilon(claim[1])


HALVED = {
    "laplace_count": (LaplaceNoise, "scale"), "gaussian_count": (GaussianNoise, "sigma"),
    "geometric_count": (GeometricNoise, "epsilon"), "discrete_gaussian_count": (DiscreteGaussianNoise, "sigma"),
}


@pytest.mark.parametrize("name", HALVED)
def test_that_a_sampler_with_half_the_noise_is_caught(name, monkeypatch):
    noise, parameter = HALVED[name]
    whole = noise.sample

    def half(self, size, rng):
        factor = 2 if parameter == "epsilon" else 0.5
        return whole(self.replace(**{parameter: factor * getattr(self, parameter)}), size, rng)

    cells, claim = built(name)
    assert certified(cells, claim, 0, 200_000) <= claim[0]
    monkeypatch.setattr(noise, "sample", half)
    assert certified(cells, claim, 0, 200_000) > claim[0]


def test_that_a_broken_decision_and_a_broken_response_are_caught(monkeypatch):
    decided, answered = built("laplace_decision", records=4), built("response")
    assert certified(*decided, 0, 200_000) <= 1
    assert certified(*answered, 0, 200_000) <= 1
    decide, respond = LaplaceDecision.sample, RandomizedResponse.sample
    monkeypatch.setattr(LaplaceDecision, "sample", lambda self, n, size, rng: decide(
        LaplaceDecision(2 * self.epsilon, self.threshold), n, size, rng))
    monkeypatch.setattr(RandomizedResponse, "sample", lambda self, truth, size, rng: respond(
        RandomizedResponse.symmetric(2 * self.epsilon), truth, size, rng))
    assert certified(*decided, 0, 200_000) > 1
    assert certified(*answered, 0, 200_000) > 1


def test_that_staircase_noise_stands_and_one_made_for_half_the_move_is_caught():
    for made_for, most in ((1.0, 1.0), (0.5, 2.0)):
        cells = OutcomeCells(NoisyCount(StaircaseNoise(1.0, made_for), 3, StaircaseNoise(1.0)), Processing())
        assert 0.9 * most < certified(cells, (1.0, 0.0), 0, 200_000) <= most


def test_that_rows_kept_past_the_bound_that_the_noise_is_made_for_are_caught():
    right, claim = built("bounded_rows", epsilon=1.0, records=3)
    assert (right.subject.kept, claim) == (2, (1.0, 0.0))
    assert right.exactly.epsilon(0.0) == pytest.approx(1, rel=1e-12)
    forgotten = OutcomeCells(replace(right.subject, at_most=3), Processing())
    assert forgotten.exactly.epsilon(0.0) == pytest.approx(1.5, rel=1e-12)
    assert certified(right, claim, 0, 200_000) <= 1
    assert 1 < certified(forgotten, claim, 0, 200_000) <= 1.5
    wrong, _ = built("wrong_rows", epsilon=1.0, records=3)
    assert wrong.exactly.epsilon(0.0) == pytest.approx(5, rel=1e-12)
    subject, x = right.subject, np.linspace(-4, 20, 49)
    for upper in (True, False):
        tail = subject.tail(x, upper=upper)
        q, p = (subject.chance(x, i if upper else 1 - i, upper=upper) for i in (0, 1))
        np.testing.assert_allclose(np.exp(tail.log), p, rtol=1e-12)
        np.testing.assert_allclose(tail.loss, np.log(p / q), atol=1e-9)
    np.testing.assert_allclose(subject.chance(x, 0, upper=True), LaplaceNoise(2.0).tail(x - 6), rtol=1e-12)
    assert subject.crossing(0.0) == pytest.approx(7)
    cuts = subject.cuts()
    assert {6.0, 8.0} <= set(cuts.round(9)), "the likelihood ratio bends there"
    assert cuts[0] + cuts[-1] == pytest.approx(14)
    assert subject.chance(cuts[:1], 0, upper=False)[0] < 1e-5
    # What is drawn is the rows of so many persons, and not one more.
    rng = np.random.default_rng(0)
    for neighbour, rows in ((0, 6), (1, 8)):
        drawn = right.subject.sample(neighbour, 400_000, rng)
        assert np.median(drawn) == pytest.approx(rows, abs=0.02)
        assert np.std(drawn) == pytest.approx(math.sqrt(2) * 2, rel=0.01)


@pytest.mark.parametrize("records", [0, 1, 7, 40, 3000])
def test_that_the_law_of_shuffled_responses_is_that_of_their_pair_and_a_looser_sampler_is_caught(records, monkeypatch):
    cells, (epsilon, delta) = built("shuffled_responses", records=records, delta=1e-3)
    mechanism = cells.subject.mechanism
    for e in (0.0, 0.3, epsilon, 0.999 * mechanism.local):
        assert cells.exactly.delta(e) == pytest.approx(mechanism.pair_delta(records, e), rel=1e-9, abs=1e-14)
    assert certified(cells, (epsilon, delta), 0, 50_000) <= epsilon
    draw = ShuffledResponse.sample
    monkeypatch.setattr(ShuffledResponse, "sample", lambda self, yes, size, rng: draw(
        self.replace(local=self.local + 1.5), yes, size, rng))
    assert certified(cells, (epsilon, delta), 0, 50_000) > epsilon


@dataclass(frozen=True)
class BothShown(YesNo):
    """Whether a person’s two groups of n others each are both shown, every one of them by its own draw."""

    decision: Decision
    records: int

    def chances(self, neighbour):
        shown, hidden = (float(ask(self.records + neighbour)) for ask in (
            self.decision.accept_probability, self.decision.reject_probability))
        return hidden * (1 + shown), shown**2

    def told(self):
        (no, yes), (less_no, more_yes) = self.chances(0), self.chances(1)
        return (math.log(more_yes), math.log(more_yes / yes)), (math.log(no), math.log(no / less_no))

    def answers(self, neighbour, size, rng):
        n = self.records + neighbour
        return self.decision.sample(n, size, rng) & self.decision.sample(n, size, rng)


def test_that_selecting_for_one_group_a_person_is_caught_where_persons_are_in_two():
    epsilon, delta = 1.0, 1e-4
    for made_for, caught in ((1, True), (2, False)):
        shown = BothShown(geometric_selection(epsilon, delta, made_for), 8 * made_for)
        cells = OutcomeCells(shown, processing("none", 1.0))
        assert (certified(cells, (epsilon, delta), 0, 500_000) > epsilon) is caught


@pytest.mark.parametrize(("name", "values"), [
    ("response", {}), ("geometric_count", {}), ("wrong_sensitivity", {}), ("wrong_delta", {}),
    ("laplace_count", {"epsilon": 3.0}), ("wrong_sensitivity", {"epsilon": 6.0}),
    ("gaussian_decision", {"records": 4, "delta": 0.01})])
def test_that_with_the_draws_called_needed_about_nine_audits_in_ten_succeed(name, values):
    cells, claim = built(name, **values)
    needed = draws_needed(cells, claim, 0.005)
    goal = claim[0] if is_false(cells, claim) else 0.9 * cells.exactly.epsilon(claim[1])
    low, high = ((certificates(cells, claim, 0.99, runs=100, trials=int(trials)) > goal).mean()
                 for trials in (needed.low, needed.high))
    # One in ten of a hundred audits fails, give or take three standard deviations.
    assert low < 0.9 + 0.09
    assert high > 0.9 - 0.09
    assert needed.low < needed.draws < needed.high < 4 * needed.low
    assert (certificates(cells, claim, 0.99, runs=100, trials=int(0.4 * needed.low)) > goal).mean() < 0.5


@pytest.mark.parametrize("name", MECHANISMS)
def test_that_the_draws_needed_are_found_closely_and_in_few_steps(name, monkeypatch):
    cells, claim = built(name)
    steps = []
    certified = certificate._certified

    def counted(*arguments):
        steps.append(arguments)
        return certified(*arguments)

    monkeypatch.setattr(certificate, "_certified", counted)
    needed = draws_needed(cells, claim, 0.005)
    goal = claim[0] if is_false(cells, claim) else 0.9 * cells.exactly.epsilon(claim[1])
    assert len(steps) < 35  # by halves it were over forty
    if math.isfinite(needed.draws):
        few, enough = (certified(cells, claim, 0.005, math.log2(draws / 2), certificate._UNLUCKY)
                       for draws in (min(0.999 * needed.draws, needed.draws - 1.01), 1.001 * needed.draws))
        assert few <= goal < enough


@pytest.mark.parametrize("excess", [
    lambda x: (x / 100) ** 9 - 1e-5, lambda x: 1e-5 - (1 - x / 100) ** 9, lambda x: x - 33.3,
    lambda x: 1.0 if x > 33.3 else -math.inf, lambda x: 1e9 if x > 33.3 else -1.0])
def test_that_a_crossing_is_found_in_few_steps_however_the_curve_bends(excess):
    steps = []

    def counted(x):
        steps.append(x)
        return excess(x)

    found = certificate._least(counted, 0.0, 100.0)
    assert excess(found - 1e-3) <= 0 < excess(found)
    assert len(steps) < 50


@given(draws=st.integers(50, 500), error=st.floats(1e-4, 0.2), p=st.floats(0.05, 0.95), q=st.floats(0.02, 0.9))
def test_that_both_bounds_of_a_certificate_hold_but_for_the_error_that_is_allowed_and_use_it_up(draws, error, p, q):
    k = np.arange(draws + 1)
    # Probabilities at which a bound of half the error is about to fail: there Clopper and Pearson's are the tightest.
    below, above = max(1, math.ceil(p * draws)), min(draws - 1, math.floor(q * draws))
    p = exact_bounds(below, draws, error / 2)[0] * (1 - 1e-9)
    q = exact_bounds(above, draws, error / 2)[1] * (1 + 1e-9)
    claim = (1.0, 0.0)
    events = np.stack([np.stack([k, draws - k], axis=-1)] * 2, axis=1)
    found = certify(events, draws, ChosenEvents(np.zeros(draws + 1, int), np.zeros(draws + 1, int)), claim, error)
    mass = [np.diff(bdtr(k, draws, at), prepend=0) for at in (p, q)]
    # Lower bound at n + 1 records, upper bound at n, independent of each other.
    fails = [float(mass[0][found.low[:, 1] > p].sum()), float(mass[1][found.high[:, 0] < q].sum())]
    together = 1 - (1 - fails[0]) * (1 - fails[1])
    assert together <= error * (1 + 1e-6)
    assert together >= 0.9 * error * (1 - error)


def test_that_no_number_of_draws_is_enough_where_nothing_differs():
    noise = LaplaceNoise(1.0)
    cells = OutcomeCells(NoisyCount(noise, 0, noise), Clamping(1e-3))
    assert math.isfinite(draws_needed(cells, (1.0, 0.0), 0.005).draws)
    assert draws_needed(cells, (1.0, 0.9), 0.005).draws == math.inf
    same = OutcomeCells(SharedNoise(GeometricNoise(1.0), 3), Rounding(10.0))
    assert same.exactly.epsilon(0.0) == 0
    assert draws_needed(same, (1.0, 0.0), 0.005).draws == math.inf


def test_that_a_tiny_epsilon_takes_draws_beyond_all_counting_and_says_how_many():
    needed = [draws_needed(*built("response", epsilon=epsilon), 0.005).draws for epsilon in (0.001, 0.01, 0.1)]
    assert needed[0] > 1e9
    # The width of an interval falls with the root of the draws.
    assert needed[0] / needed[1] == pytest.approx(100, rel=0.05)
    assert needed[1] / needed[2] == pytest.approx(100, rel=0.1)


def test_that_what_the_data_settle_is_told_apart_without_noise():
    rng = np.random.default_rng(0)
    shared = SharedNoise(GeometricNoise(0.01), 1000)
    assert set(shared.sample(1, 500, rng)) == {1.0}
    plain = Unrandomized(RandomizedResponse.symmetric(1.0), 7)
    gap = plain.value(1) - plain.value(0)
    assert gap == pytest.approx(1 / math.tanh(0.5), rel=1e-12)
    assert OutcomeCells(plain, Processing()).exactly.epsilon(0.0) == math.inf


def test_that_an_empty_group_is_never_published():
    group = PublishedGroup(GeometricNoise(0.1), 0, 1)
    rng = np.random.default_rng(0)
    assert not group.answers(0, 1000, rng).any()
    assert group.answers(1, 1000, rng).any()
    assert group.chances(0) == (1.0, 0.0)


def test_that_subjects_take_any_decision_and_response():
    decision = LaplaceDecision(1.0, 3.0)
    assert Decided(decision, 2).chances(1) == (decision.reject_probability(3), decision.accept_probability(3))
    response = RandomizedResponse.two_coin(0.5, 0.1)
    exactly = OutcomeCells(Answered(response), Processing()).exactly
    assert exactly.epsilon(0.0) == pytest.approx(response.epsilon, rel=1e-12)
