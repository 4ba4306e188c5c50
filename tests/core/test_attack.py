"""What an attacker gains from a law: by brute force over events, tests and guesses, and by linear programmes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product as choices

import numpy as np
import pytest
from attackers import Tables, best_guess, found, hockey_stick, most_likely, responses, tables
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dpstudio.core import attack
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.guarantee import RECORD, Guarantee
from dpstudio.core.sources import DR14
from dpstudio.mechanisms import laws
from dpstudio.mechanisms.composition import Together, WorstReleases
from dpstudio.mechanisms.decision import GaussianDecision, GeneralizedDecision, LaplaceDecision
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, StaircaseNoise
from dpstudio.mechanisms.response import RandomizedResponse

INSIDE = st.floats(1e-6, 1 - 1e-6)
CONCAVE = [
    laws.Claim(1.0, 0.0), laws.Claim(0.3, 1e-4), laws.Claim(4.0, 0.1), laws.Claim(0.0, 0.2), laws.Shifted(0.01),
    laws.Shifted(1.0), laws.Shifted(6.0), laws.Moved(LaplaceNoise(1.0), 1.0), laws.Moved(LaplaceNoise(30.0), 1.0),
    laws.Moved(GeometricNoise(0.7), 3), laws.Moved(GaussianNoise(2.0), 1.0), laws.Moved(DiscreteGaussianNoise(3.0), 1),
    laws.Moved(StaircaseNoise(2.0, 1.0), 1.0), laws.Telling(1e-3, laws.Shifted(0.5)), WorstReleases(0.1, 1e-6, 50),
    WorstReleases(1.0, 0.0, 1), RandomizedResponse.symmetric(1.3), Together((0.2, 0.5, 1.0), 0.03),
    laws.AsymmetricLaplace(0.8, 0.8), laws.ClaimOfGroup(0.4, 1e-3, 3),
]
BROKEN = [RandomizedResponse.two_coin(0.4, 0.8), LaplaceDecision(0.5, 7.3), GeneralizedDecision(0.3, 1e-3, 20, 0.3),
          GaussianDecision(0.4, 20, 0.5), laws.RefusingZero(LaplaceDecision(0.5, 7.3)),
          laws.AsymmetricLaplace(0.3, 1.0)]
PAIRS = [(laws.Claim(0.7, 0.01), responses([0.7], 0.01)), (laws.Claim(2.0, 0.0), responses([2.0])),
         (WorstReleases(0.3, 0.02, 3), responses([0.3] * 3, 1 - 0.98**3)),
         (Together((0.2, 0.5, 1.0), 0.03), responses([0.2, 0.5, 1.0], 0.03)),
         (laws.Telling(0.05, RandomizedResponse.symmetric(0.5)), responses([0.5], 0.05))]


def guesses(rows, prior):
    """The best share of right guesses at which of two it is, over all sets of outcomes that may speak for the first."""
    p, q = rows
    return max(prior * math.fsum(p[list(event)]) + (1 - prior) * (1 - math.fsum(q[list(event)]))
               for event in (np.flatnonzero(taken) for taken in choices([0, 1], repeat=len(p))))


@pytest.mark.parametrize(("law", "pair"), PAIRS, ids=str)
@pytest.mark.parametrize("baseline", [1e-9, 1e-3, 0.2, 0.5, 0.97])
def test_success_is_the_best_test_s_at_so_many_false_alarms(law, pair, baseline):
    assert attack.success(law, baseline) == pytest.approx(found(*pair, baseline), rel=1e-12, abs=0)
    assert attack.failure(law, baseline) == pytest.approx(1 - found(*pair, baseline), abs=1e-14)


@given(table=tables(datasets=st.just(2)), prior=INSIDE)
def test_membership_is_the_best_guess_over_all_events_of_the_worse_pair(table, prior):
    best = max(guesses(pair, prior) for pair in table.pairs)
    assert attack.membership(table, prior) == pytest.approx(best, abs=1e-14)


@given(law=st.sampled_from([law for law, _ in PAIRS]), prior=INSIDE)
def test_membership_of_a_law_that_is_the_same_both_ways_is_that_of_its_pair(law, prior):
    pair = dict(PAIRS)[law]
    assert attack.membership(law, prior) == pytest.approx(guesses(pair, prior), abs=1e-14)


@given(epsilon=st.floats(0.01, 5), prior=INSIDE)
def test_a_prior_beyond_epsilon_gains_nothing_from_pure_privacy(epsilon, prior):
    assume(abs(math.log(prior / (1 - prior))) > epsilon)
    assert attack.membership(laws.Claim(epsilon, 0.0), prior) == max(prior, 1 - prior)


@given(table=tables())
def test_of_two_the_best_guess_is_half_and_half_the_advantage(table):
    expected = (1 + max(hockey_stick(p, q, 0.0) for p, q in table.pairs)) / 2
    assert attack.one_of(table, 2) == pytest.approx(expected, rel=1e-13, abs=0)
    assert attack.advantage(table) == pytest.approx(2 * expected - 1, abs=1e-14)


@given(table=tables(datasets=st.integers(2, 5)))
def test_no_guess_at_one_of_all_rows_is_right_more_often(table):
    rows = np.array(table.rows)
    assert rows.max(axis=0).sum() / len(rows) <= attack.one_of(table, len(rows)) + 1e-13


@pytest.mark.parametrize(("epsilon", "delta", "candidates"), [
    (1.0, 0.0, 2), (1.0, 0.0, 3), (0.5, 0.0, 5), (2.0, 0.0, 4), (0.5, 0.1, 3), (0.0, 0.2, 4), (1.0, 0.05, 4),
    (3.0, 0.01, 3)])
def test_what_epsilon_and_delta_alone_allow_of_a_guess_is_attained(epsilon, delta, candidates):
    closed = (math.exp(epsilon) + (candidates - 1) * delta) / (math.exp(epsilon) + candidates - 1)
    assert best_guess(epsilon, delta, candidates) == pytest.approx(closed, abs=1e-9)
    assert attack.one_of(laws.Claim(epsilon, delta), candidates) == pytest.approx(closed, rel=1e-13, abs=0)


@pytest.mark.parametrize("law", CONCAVE, ids=str)
@pytest.mark.parametrize("candidates", [2, 3, 10, 10**6])
def test_one_of_many_is_where_the_power_meets_the_mean_false_alarm(law, candidates):
    s = attack.one_of(law, candidates)
    assert s == pytest.approx(float(law.power((1 - s) / (candidates - 1))), rel=3e-12, abs=0)
    more = s * (1 + 1e-6)
    assert more > 1 or float(law.power((1 - more) / (candidates - 1))) < more


@pytest.mark.parametrize("law", CONCAVE, ids=str)
@pytest.mark.parametrize("loss", [1e-3, 0.2, 0.31, 1.0, 2.5, 7.0])
def test_a_loss_is_exceeded_as_often_as_an_event_can_be_so_much_likelier(law, loss):
    x = attack.exceeds(law, loss)
    if x > 1e-200:
        # One event of that probability is allowed, and none that is likelier.
        assert float(law.power(x * math.exp(-loss))) >= x * (1 - 1e-11)
    more = max(x * (1 + 1e-6), 1e-200)
    assert more > 1 or float(law.power(more * math.exp(-loss))) < more


@given(table=tables(), loss=st.floats(1e-6, 4))
@example(table=Tables(((0.5, 0.5), (0.0, 1.0))), loss=5e-324)
def test_no_event_is_so_much_likelier_more_often(table, loss):
    assert max(most_likely(p, q, loss) for p, q in table.pairs) <= attack.exceeds(table, loss) + 1e-9


@given(pair=st.sampled_from([pair for _, pair in PAIRS]), loss=st.floats(0.01, 4))
def test_the_event_that_is_so_much_likelier_is_there_where_a_pair_is_the_same_both_ways(pair, loss):
    table = Tables(tuple(tuple(row.tolist()) for row in pair))
    assert attack.exceeds(table, loss) == pytest.approx(most_likely(*pair, loss), abs=1e-9)


def test_approximate_privacy_is_not_pure_privacy_but_for_delta():
    law = laws.Claim(1.0, 1e-6)
    assert [attack.exceeds(law, loss) for loss in (1.0, 1.01, 2.0)] == pytest.approx(
        [(math.expm1(1) + 1e-6) / (math.e - math.exp(-1)), 1e-6 / -math.expm1(-0.01), 1e-6 / -math.expm1(-1)],
        rel=1e-12, abs=0)
    assert attack.exceeds(law, 1.0) == pytest.approx(0.731, abs=1e-3)


@given(table=tables(), prior=INSIDE, level=INSIDE)
def test_a_belief_reaches_a_level_no_more_often_in_the_attacker_s_eyes(table, prior, level):
    allowed = attack.posterior_reaches(table, prior, level)
    for p, q in table.pairs:
        told = prior * p + (1 - prior) * q
        often = math.fsum(told[prior * p >= level * told * (1 + 1e-12)])
        assert often <= allowed + 1e-12
    assert level > prior or allowed == 1.0


@given(epsilon=st.floats(0.01, 5), prior=st.floats(0.01, 0.9))
def test_a_belief_reaches_what_the_answer_of_a_response_brings_as_often_as_it_is_given(epsilon, prior):
    truth = 1 / (1 + math.exp(-epsilon))
    said = prior * truth + (1 - prior) * (1 - truth)
    level = prior * truth / said * (1 - 1e-12)
    assume(level > prior)
    assert attack.posterior_reaches(laws.Claim(epsilon, 0.0), prior, level) == pytest.approx(said, rel=1e-9, abs=0)


@given(table=tables(least=0.01), prior=INSIDE)
def test_no_answer_brings_a_belief_above_the_greatest(table, prior):
    greatest = attack.greatest_posterior(table, prior)
    beliefs = [prior * p / (prior * p + (1 - prior) * q) for p, q in table.pairs]
    assert max(belief.max() for belief in beliefs) == pytest.approx(greatest, rel=1e-11, abs=0)


@pytest.mark.parametrize(("law", "loss"), [
    (laws.Claim(1.5, 0.0), 1.5), (laws.Claim(1.5, 1e-9), math.inf), (laws.Shifted(0.3), math.inf),
    (laws.Moved(LaplaceNoise(2.0), 3.0), 1.5), (laws.Moved(DiscreteGaussianNoise(3.0), 1), math.inf),
    (WorstReleases(0.1, 0.0, 7), 0.7), (RandomizedResponse.symmetric(0.4), 0.4), (LaplaceDecision(0.3, 7.3), 0.3),
    (attack.Grouped(laws.Moved(LaplaceNoise(2.0), 1.0), 4), 2.0), (attack.Grouped(WorstReleases(0.1, 0.0, 7), 2), 1.4),
    (laws.RefusingZero(LaplaceDecision(0.3, 7.3)), math.inf), (Together((0.2, 0.5)), 0.7),
], ids=str)
def test_the_greatest_belief_follows_from_the_largest_loss(law, loss):
    for prior in (1e-12, 0.01, 0.5, 0.999):
        expected = prior / (prior + (1 - prior) * math.exp(-loss))
        assert attack.greatest_posterior(law, prior) == pytest.approx(expected, rel=1e-11, abs=0)


@pytest.mark.parametrize("law", CONCAVE + BROKEN, ids=str)
def test_of_those_found_the_share_is_counted_in_people(law):
    prior, alarms = Fraction(1, 1000), Fraction(1, 100)
    caught = 10**6 * prior * Fraction(float(law.power(float(alarms))))
    falsely = 10**6 * (1 - prior) * alarms
    expected = float(caught / (caught + falsely))
    assert attack.precision(law, float(alarms), float(prior)) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("law", CONCAVE + BROKEN, ids=str)
def test_a_guarantee_stands_in_the_place_of_its_law(law):
    promised = Guarantee(RECORD, 1.0, 0.1, law, DR14)
    for name, asked in (("success", (1e-9,)), ("failure", (0.3,)), ("membership", (0.2,)), ("one_of", (5,)),
                        ("advantage", ()), ("precision", (0.01, 0.1)), ("greatest_posterior", (0.1,)),
                        ("exceeds", (0.4,)), ("posterior_reaches", (0.1, 0.5))):
        assert getattr(attack, name)(promised, *asked) == getattr(attack, name)(law, *asked), name
    assert promised.success(1e-9) == attack.success(law, 1e-9)
    assert promised.guess(0.2) == attack.membership(law, 0.2)


@pytest.mark.parametrize("law", CONCAVE + BROKEN, ids=str)
def test_arrays_are_answered_as_their_numbers(law):
    grid = np.array([[0.1, 0.4, 0.5], [0.6, 1e-5, 0.99]])
    for name in ("success", "failure", "membership", "greatest_posterior", "exceeds"):
        function = getattr(attack, name)
        together, alone = function(law, grid), [function(law, float(each)) for each in grid.flat]
        assert together.shape == grid.shape
        assert all(type(each) is float for each in alone), name
        assert together.ravel() == pytest.approx(alone, rel=1e-12, abs=0), name
    assert attack.one_of(law, np.array([[2, 7]])).tolist() == [[attack.one_of(law, 2), attack.one_of(law, 7)]]
    assert attack.precision(law, grid, 0.1).shape == grid.shape
    assert attack.posterior_reaches(law, 0.3, grid[0]).shape == (3,)


OUTSIDE = st.one_of(st.floats(-10, 0), st.floats(1, 10), st.just(math.nan))


@given(bad=OUTSIDE, good=INSIDE)
def test_what_is_no_probability_between_0_and_1_is_refused(bad, good):
    law = laws.Claim(1.0, 1e-6)
    for name, asked, what in (
            ("success", (bad,), "baseline"), ("failure", (bad,), "baseline"), ("membership", (bad,), "prior"),
            ("precision", (bad, good), "false_alarms"), ("precision", (good, bad), "prior"),
            ("greatest_posterior", (bad,), "prior"), ("posterior_reaches", (bad, good), "prior"),
            ("posterior_reaches", (good, bad), "level")):
        with pytest.raises(InvalidParameter, match=rf"^{what} must be in \(0, 1\), got"):
            getattr(attack, name)(law, *asked)


@given(bad=st.one_of(st.integers(-5, 1), st.floats(2.01, 2.99), st.just(math.nan), st.just(math.inf)))
def test_fewer_than_two_candidates_and_parts_of_one_are_refused(bad):
    with pytest.raises(InvalidParameter, match=r"^candidates must be"):
        attack.one_of(laws.Claim(1.0, 0.0), bad)


@given(bad=st.one_of(st.floats(-9, -1e-9), st.just(math.nan), st.just(math.inf)))
def test_a_loss_below_0_is_refused(bad):
    with pytest.raises(InvalidParameter, match=r"^loss must be"):
        attack.exceeds(laws.Claim(1.0, 0.0), bad)


@pytest.mark.parametrize("bad", [0, -1, 1.5, math.nan])
def test_a_group_of_no_records_is_refused(bad):
    with pytest.raises(InvalidParameter, match=r"^size must be"):
        attack.Grouped(laws.Shifted(1.0), bad)


def test_the_attacker_who_attains_it_is_right_as_often():
    """The person is in with probability 0.3: guess so where the count with noise makes it likelier than not."""
    prior, many, rng = 0.3, 1_000_000, np.random.default_rng(5)
    noise = GeometricNoise(1.2)
    is_in = rng.random(many) < prior
    seen = is_in + noise.sample(many, rng)
    guessed = prior * noise.density(seen - 1) > (1 - prior) * noise.density(seen)
    expected = attack.membership(laws.Moved(noise, 1), prior)
    right = float((guessed == is_in).mean())
    assert abs(right - expected) < 5 * math.sqrt(expected * (1 - expected) / many)
    assert expected > 0.7 + 0.05  # the answer is worth something: ten standard errors would not hide its loss
