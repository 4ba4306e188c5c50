"""What outcomes of somebody's own mechanism prove: never what they were chosen by, never more than is true."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import betainc, mp

from dpstudio.models.auditing.exhibits import EXHIBITS
from dpstudio.models.auditing.own import OutcomePair, audited, last_bit

WRONG = [name for name, each in EXHIBITS.items() if each.wrong]
RIGHT = [name for name, each in EXHIBITS.items() if not each.wrong]
WORDS = ("left", "right", "other")


def words(*shares, draws=2000, seed=0):
    """Outcomes of three words with these shares on each dataset."""
    rng = np.random.default_rng(seed)
    first, second = (rng.choice(3, size=draws, p=each).astype(float) for each in shares)
    return OutcomePair((first, second), WORDS)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("seed", range(3))
def test_that_every_published_defect_is_caught_at_its_draws(name, seed):
    one = EXHIBITS[name]
    assert audited(one.drawn(one.draws, seed), 1.0, one.delta, 0.95).contradicted


@pytest.mark.parametrize("name", RIGHT)
def test_that_a_right_sampler_is_called_wrong_no_more_often_than_stated(name):
    one = EXHIBITS[name]
    false = sum(audited(one.drawn(1000, seed), 1.0, 0.0, 0.95).contradicted for seed in range(200))
    assert false <= 19  # of 200 at 5 %; more come once in a thousand times


def test_that_half_of_the_noise_is_seen_as_nearly_twice_the_epsilon_and_never_as_more():
    one = EXHIBITS["half_noise"]
    found = [audited(one.drawn(10_000, seed), 1.0, 0.0, 0.95).least_epsilon for seed in range(100)]
    assert np.median(found) > 1.85
    assert sum(each > 2 for each in found) <= 13  # of 100 at 5 %; more come once in a thousand times


def test_that_certificates_fail_no_more_often_than_allowed_and_use_the_error_up():
    """Of two words the event is known: the chance of a bound above the truth is near what both halves of it allow."""
    truth, confidence = math.log(0.6 / 0.3), 0.6
    found = [audited(words((0.3, 0.7, 0), (0.6, 0.4, 0), seed=seed), 0.5, 0.0, confidence) for seed in range(2000)]
    assert {(each.event, each.likelier) for each in found} == {("the outcome is one of 'left' and any other", 1)}
    failed = np.mean([each.least_epsilon > truth for each in found])
    # One bound fails at 0.2, both at once seldom: the ratio of both fails at Φ(√2 · −0.84) = 0.117, and less by steps.
    assert 0.07 < failed < 0.14


def test_that_both_bounds_are_clopper_and_pearsons_of_the_outcomes_that_did_not_choose():
    pair = words((0.3, 0.7, 0), (0.6, 0.4, 0), draws=1001)
    found = audited(pair, 0.5, 0.01, 0.9)
    fewer, more = (int((each[500:] == 0).sum()) for each in pair.outcomes)
    assert (found.counts, found.certifying) == ((fewer, more), 501)
    mp.dps = 30
    # Pr[at least that many] at the lower bound, and Pr[at most that many] at the upper one, are half of the error.
    assert float(betainc(more, 502 - more, 0, found.low, regularized=True)) == pytest.approx(0.05, rel=1e-9)
    assert float(1 - betainc(fewer + 1, 501 - fewer, 0, found.high, regularized=True)) == pytest.approx(0.05, rel=1e-9)
    assert found.least_epsilon == pytest.approx(math.log((found.low - 0.01) / found.high), rel=1e-12)
    assert found.least_delta == pytest.approx(found.low - math.exp(0.5) * found.high, rel=1e-12)


def test_that_what_the_first_half_chose_is_not_certified_by_it():
    """All that tells the datasets apart stands in the half that chooses: the other half shows nothing."""
    first, second = np.zeros(1000), np.zeros(1000)
    second[:500] = 1
    found = audited(OutcomePair((first, second)), 0.1, 0.0, 0.95)
    assert found.least_epsilon == found.least_delta == 0
    assert not found.contradicted
    later = audited(OutcomePair((first, second[::-1].copy())), 0.1, 0.0, 0.95)
    assert not later.contradicted  # nor what only the other half shows, which chose nothing


def test_that_both_directions_are_looked_at():
    shares = (0.3, 0.7, 0), (0.6, 0.4, 0)
    up, down = (audited(words(*each, draws=10_000), 0.5, 0.0, 0.95) for each in (shares, shares[::-1]))
    assert up.contradicted
    assert down.contradicted
    assert (up.likelier, down.likelier) == (1, 0)


def test_that_a_claim_at_the_certificate_itself_is_not_contradicted():
    pair = words((0.3, 0.7, 0), (0.6, 0.4, 0))
    least = audited(pair, 0.5, 0.0, 0.95).least_epsilon
    assert audited(pair, least * 0.999, 0.0, 0.95).contradicted
    assert not audited(pair, least, 0.0, 0.95).contradicted
    assert not audited(pair, least * 1.001, 0.0, 0.95).contradicted


def test_that_a_word_that_came_only_later_belongs_to_no_set_that_was_chosen():
    first, second = np.zeros(1000), np.ones(1000)
    second[500:] = 2  # a word that the half that chooses never saw
    found = audited(OutcomePair((first, second), WORDS), 0.5, 0.0, 0.95)
    assert "'other'" not in found.event


def test_that_an_interval_between_tails_is_found():
    """Outcomes of B lie in the middle and those of A around it: no threshold tells them apart as well."""
    rng = np.random.default_rng(1)
    first = rng.choice([-1.0, 1.0], 4000) + rng.uniform(-0.5, 0.5, 4000)
    second = rng.uniform(-0.5, 0.5, 4000)
    assert audited(OutcomePair((first, second)), 3.0, 0.0, 0.95).contradicted


def test_that_a_value_that_comes_often_among_many_is_a_stretch_of_its_own():
    rng = np.random.default_rng(2)
    first, second = rng.normal(size=20_000), rng.normal(size=20_000)
    second[rng.random(20_000) < 0.02] = 0.3  # which no last bit gives away
    assert audited(OutcomePair((first, second)), 3.0, 0.0, 0.95).contradicted


@pytest.mark.parametrize(("number", "place"), [(1.0, 0), (3.0, 0), (0.5, -1), (-6.0, 1), (1 + 2**-52, -52),
                                               (5e-324, -1074), (2.0**1023, 1023)])
def test_that_the_last_bit_is_that_of_the_odd_multiple(number, place):
    assert last_bit(np.array([number])).tolist() == [place]


def test_that_nothing_has_a_last_bit_above_all():
    assert last_bit(np.array([0.0]))[0] > 1100
