"""Who is said to be ahead on a frontier: searched anew in a sweep of what every series comes to and costs."""

from __future__ import annotations

import math
import random

import pytest
from ahead_kit import assert_ahead
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from test_frontiers import ONE, THREE, TWO, frontier_of, known

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.update import Update
from dpstudio.studies.decision import CUTOFF, LAPLACE, Decision
from dpstudio.studies.noise import Noise
from dpstudio.studies.policy import BOTH, COUNTS, DECISION, Policy


def test_nobody_who_jumps_by_cost_is_said_to_be_alike_to_one_step_where_it_is_not():
    for asked in (Decision(), Decision(delta=1e-4)):
        outcome = Decision.outcomes[2]
        found = frontier_of(asked, outcome)
        assert assert_ahead(found, outcome, random.Random(0))


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.generate,))
@given(epsilon=st.floats(-2, 0.9), delta=st.floats(-9, -0.5), sensitivity=st.sampled_from([1.0, 2.0, 7.0]))
def test_nobody_does_better_between_the_steps_of_a_distance_in_whole_numbers(epsilon, delta, sensitivity):
    asked = Noise(epsilon=10**epsilon, delta=10**delta, sensitivity=sensitivity)
    (outcome,) = (each for each in Noise.outcomes if each.quantity == v.ERROR_95)
    found = frontier_of(asked, outcome)
    assert found.step == 1
    assert assert_ahead(found, outcome, random.Random(0))


# Of curves that are known

def ahead_of(found):
    return [stretch.ahead for stretch in found.stretches]


def test_what_goes_in_whole_steps_and_what_does_not_are_alike_to_one_step(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: math.ceil(30 / x), two=lambda x: 30 / x, three=lambda x: 300 / x)
    found = work(1.0)
    assert found.step == 1
    assert all({ONE, TWO} <= {*each} for each in ahead_of(found))
    assert "One and Two alike to one step" in found.words


def test_who_spends_no_more_at_the_end_of_a_sweep_stays_as_good(monkeypatch):
    for none in (None, math.inf):
        work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 0.1 / x,
                        cost={"one": lambda x: x, "two": lambda x, none=none: x if x <= 2 else none})
        found = work(1.0)
        assert ahead_of(found) == [(TWO,), (ONE,)]
        least = found.curve(TWO).points(TWO)[-1].y
        assert 0.05 <= least < 0.06
        assert found.stretches[0].end == pytest.approx(1 / least, rel=2e-3)


def test_who_is_ahead_for_a_while_in_the_middle_is_found_by_cost(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: (1.2 - 0.5 * math.exp(-(math.log(x) / 0.2)**2)) / x,
                    cost={"one": lambda x: x, "two": lambda x: x})
    found = work(1.0)
    assert ahead_of(found) == [(ONE,), (TWO,), (ONE,)]
    width = 0.2 * math.sqrt(math.log(2.5))
    assert [each.end for each in found.stretches[:2]] == pytest.approx([math.exp(-width), math.exp(width)], rel=1e-9)


def test_two_that_are_alike_ahead_of_a_third_are_not_taken_for_its_being_overtaken(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 2 / x**2, three=lambda x: 2 * (1 + 1e-4 * x) / x**2)
    assert [each for each in ahead_of(work(1.0)) if ONE not in each] == [(TWO, THREE), (TWO,)]


def test_where_less_of_a_parameter_spends_more_the_largest_that_spends_so_little_stands(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 2 / x,
                    cost={"one": lambda x: x if x >= 1 else 1.5, "two": lambda x: x})
    curve = work(1.0).curve(ONE)
    assert [value for value, _ in curve.placed(ONE)] == [value for value in curve.values if value >= 1]


def test_what_protects_another_unit_is_on_the_picture_and_never_ranked():
    found = frontier_of(Policy(), Policy.outcomes[0])
    assert found.reference not in found.apart
    assert {*found.apart, *found.series} == {BOTH, COUNTS, DECISION}
    assert found.apart == tuple(one for one in (BOTH, COUNTS, DECISION)
                                if found.answer.guarantee(one).relation
                                != found.answer.guarantee(found.reference).relation)
    assert len(found.apart) == 2
    assert not {one for each in found.stretches for one in each.ahead} & {*found.apart}
    assert "Not compared, for what they protect is something else: " in found.words


def test_stretches_whose_ends_are_said_alike_are_not_said_twice(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 1 / x if x < 1 else 1e-3 / x,
                    three=lambda x: 1e-6 / x if x > 1.0004 else 1e6)
    found = work(1.0)
    assert ahead_of(found) == [(ONE, TWO), (TWO,), (THREE,)]
    assert found.words.endswith("Ahead: One and Two alike up to ε = 1, from there “Three, of all”.")


def test_who_is_ahead_everywhere_is_said_where_others_are_so_by_turns(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: (1.001 + 0.001 * math.sin(3 * math.log(x))) / x)
    assert work(1.0).words.endswith("Ahead: One everywhere, by turns alike: Two.")
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: (1 + 0.5 * math.sin(3 * math.log(x))) / x)
    assert work(1.0).words.endswith("Ahead by turns: Two and One.")


def test_between_the_steps_of_two_that_jump_nobody_is_said_to_be_alike_who_is_not(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: math.ceil(20 / x), two=lambda x: math.ceil(25 / x),
                    cost={"one": lambda x: x, "two": lambda x: x})
    found = work(1.0)
    assert found.words.endswith("Ahead: One everywhere, by turns alike to one step: Two.")


def test_what_a_match_spends_is_rounded_up_however_near_the_lower_number(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 1 / x,
                    cost={"one": lambda x: x, "two": lambda x: 0.501 * x + 1e-4})
    assert "Two 0.502" in work(1.0).words


def test_that_what_needs_no_epsilon_at_the_study_s_delta_is_drawn_from_the_beginning_and_to_where_it_stops():
    """The cutoff exponential spends 1 − e^−ε at every ε′: at δ = 0.02 it needs no ε up to 0.0202, and then has none."""
    study = Decision(delta=0.02)
    table = Update(study.answer()).tables["frontier"]
    spent, width = (table[Column(quantity, CUTOFF)] for quantity in (v.EPSILON_AT_DELTA, v.BAND_WIDTH))
    assert (spent.min(), spent.max()) == (pytest.approx(1e-4), pytest.approx(10, rel=0.02))
    best = study.replace(epsilon=-math.log1p(-0.02)).answer().value(v.BAND_WIDTH, CUTOFF)
    assert width == pytest.approx(best, rel=3e-4)
    assert (width >= best).all()
    laplace = table[Column(v.EPSILON_AT_DELTA, LAPLACE)]
    assert laplace[0] <= 1e-4
