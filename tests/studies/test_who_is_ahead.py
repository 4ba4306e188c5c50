"""Who is said to be ahead on a frontier: searched anew in a sweep of what every series comes to and costs."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from ahead_kit import assert_ahead
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from test_frontiers import ONE, THREE, TWO, frontier_of, known

from dpstudio import vocabulary as v
from dpstudio.core.frontier.ahead import Frontier
from dpstudio.core.results import Column
from dpstudio.core.update import Update
from dpstudio.studies.decision import CUTOFF, LAPLACE, Decision
from dpstudio.studies.noise import Noise
from dpstudio.studies.policy import BOTH, COUNTS, DECISION, Policy


def test_nobody_who_jumps_by_cost_is_said_to_be_alike_to_one_step_where_it_is_not():
    outcome = Decision.outcomes[2]
    assert assert_ahead(frontier_of(Decision(), outcome), outcome, random.Random(0))


@settings(max_examples=3, phases=(Phase.generate,))
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


SAME = {"one": lambda x: x, "two": lambda x: x}
WIDTH = 0.2 * math.sqrt(math.log(2.5))


@pytest.mark.parametrize(("formulas", "cost", "ahead", "ends", "words"), [
    ((lambda x: math.ceil(30 / x), lambda x: 30 / x, lambda x: 300 / x), None, None, None,
     "One and Two alike to one step"),
    ((lambda x: 1 / x, lambda x: (1.2 - 0.5 * math.exp(-(math.log(x) / 0.2)**2)) / x), SAME, [(ONE,), (TWO,), (ONE,)],
     [math.exp(-WIDTH), math.exp(WIDTH)], ""),
    ((lambda x: 1 / x, lambda x: 1 / x if x < 1 else 1e-3 / x, lambda x: 1e-6 / x if x > 1.0004 else 1e6), None,
     [(ONE, TWO), (TWO,), (THREE,)], None, "Ahead: One and Two alike up to ε = 1, from there “Three, of all”."),
    ((lambda x: 1 / x, lambda x: (1.001 + 0.001 * math.sin(3 * math.log(x))) / x), None, None, None,
     "Ahead: One everywhere, by turns alike: Two."),
    ((lambda x: 1 / x, lambda x: (1 + 0.5 * math.sin(3 * math.log(x))) / x), None, None, None,
     "Ahead by turns: Two and One."),
    ((lambda x: math.ceil(20 / x), lambda x: math.ceil(25 / x)), SAME, None, None,
     "Ahead: One everywhere, by turns alike to one step: Two."),
    ((lambda x: 1 / x, lambda x: 1 / x), {"one": lambda x: x, "two": lambda x: 0.501 * x + 1e-4}, None, None,
     "Two 0.502"),
    ((lambda x: 1 / x, lambda x: 2 / x), {"one": lambda x: x, "two": lambda x: 100 if x <= 0.01 else 1e4 * x}, [], [],
     ""),
    ((lambda x: 1 / x, lambda x: (1 - 1e-3 * math.log(x / 2) / math.log(4)) / x), None, [(ONE,), (TWO,)], [2], ""),
], ids=["steps and none are alike to one step", "ahead for a while in the middle", "ends said alike are not said twice",
        "one everywhere, others by turns", "by turns", "who jumps is not alike between steps",
        "rounded up however near the lower number", "none where one spends at least what another does at most",
        "two cross however long they are alike"])
def test_who_is_ahead_where_is_found_and_said(monkeypatch, formulas, cost, ahead, ends, words):
    work, _ = known(monkeypatch, cost=cost, **dict(zip(("one", "two", "three"), formulas, strict=False)))
    found = work(1.0)
    assert ahead is None or ahead_of(found) == ahead
    assert ends is None or [each.end for each in found.stretches[:-1]] == pytest.approx(ends, rel=1e-6)
    assert found.words.endswith(words) if words.startswith("Ahead") else words in found.words
    assert found.stretches or "Ahead" not in found.words


def test_who_spends_no_more_at_the_end_of_a_sweep_stays_as_good(monkeypatch):
    for none in (None, math.inf):
        work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 0.1 / x,
                        cost={"one": lambda x: x, "two": lambda x, none=none: x if x <= 2 else none})
        found = work(1.0)
        assert ahead_of(found) == [(TWO,), (ONE,)]
        least = found.curve(TWO).points(TWO)[-1].y
        assert 0.05 <= least < 0.06
        assert found.stretches[0].end == pytest.approx(1 / least, rel=2e-3)


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


def test_what_a_series_comes_to_at_a_cost_is_nothing_where_it_never_spends_that(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 2 / x,
                    cost={"one": lambda x: x, "two": lambda x: x if x <= 2 else None})
    found = work(1.0)
    assert (found.at(ONE, 0.0099), found.at(TWO, 0.0099)) == (None, None)
    assert found.at(ONE, 101) is None
    assert found.at(TWO, 101) == found.curve(TWO).points(TWO)[-1], "who stops stays as good"


def test_what_a_series_comes_to_at_a_cost_is_found_to_the_last_digits_in_few_steps(monkeypatch):
    work, asked = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 1 / x,
                        cost={"one": lambda x: x * x + x, "two": lambda x: max(x - 0.5, 0.0)})
    found = work(1.0)
    for one, x in ((ONE, 0.07), (ONE, 1.0), (ONE, 4e3), (TWO, 3e-3), (TWO, 0.07), (TWO, 40.0)):
        before = len(asked)
        point = found.at(one, x)
        assert point.x == pytest.approx(x, rel=1e-11)
        assert 1 / point.y == pytest.approx(math.sqrt(0.25 + x) - 0.5 if one == ONE else x + 0.5, rel=1e-10)
        assert len(asked) - before <= 20
    little = min(point.x for point in found.curve(TWO).points(TWO) if point.x > 0) / 3
    assert found.at(TWO, little).x == pytest.approx(little, rel=0.01), "between nothing and the least that was asked"


def test_where_what_is_spent_jumps_or_is_none_a_series_comes_to_what_it_spends_less_for(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 1 / x if not 1.95 < x < 2.05 else None,
                    cost={"one": lambda x: x if x < 2 else 2 * x, "two": lambda x: x})
    found = work(1.0)
    point = found.at(ONE, 3.0)
    assert 2 * (1 - 1e-6) <= point.x < 2
    assert point.y == 1 / point.x
    assert found.at(TWO, 2.0).x <= 1.95


def test_of_points_that_spend_the_same_the_last_is_meant(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 1 / x,
                    cost={"one": lambda x: x if x <= 1 or x > 2 else 1.0, "two": lambda x: x})
    found = work(1.0)
    last = max(value for value in found.curve(ONE).values if value <= 2)
    assert last > 1.1
    assert found.at(ONE, 1.0).y == 1 / last


def test_two_points_that_are_as_good_are_no_level_where_an_outcome_has_no_steps(monkeypatch):
    middle = 0.01 * 1e4**(1 / 64)
    work, _ = known(monkeypatch, one=lambda x: 1.5 if abs(x / middle - 1) < 1e-6 else 2.5, two=lambda x: 5 / x,
                    cost={"one": lambda x: x, "two": lambda x: x})
    assert work(1.0).at(ONE, middle * (1 + 1e-9)).y == 1.5


def test_an_outcome_in_steps_is_found_to_the_step_and_nothing_is_asked_within_one(monkeypatch):
    work, asked = known(monkeypatch, one=lambda x: math.ceil(20 / x), two=lambda x: 20 / x,
                        cost={"one": lambda x: x, "two": lambda x: x})
    found = work(1.0)
    (low, high), *_ = [(a.x, b.x) for a, b in pairwise(found.curve(ONE).points(ONE)) if a.y == b.y]
    before = len(asked)
    assert found.at(ONE, math.sqrt(low * high)).y == math.ceil(20 / low)
    assert len(asked) == before
    for low, high in pairwise(found.curve(ONE).values):
        x = low * (high / low)**0.9
        assert found.at(ONE, x).y == math.ceil(20 / x)


def test_a_lead_of_a_tenth_of_what_is_shown_is_seen_and_places_are_looked_at_sparingly(monkeypatch):
    looked = []
    monkeypatch.setattr(Frontier, "_ahead", lambda self, x, ahead=Frontier._ahead: looked.append(x) or ahead(self, x))
    bump = {"one": lambda x: 1 / x, "two": lambda x: (1.2 - 0.5 * math.exp(-(math.log(x / 0.05) / 0.45)**4)) / x}
    work, _ = known(monkeypatch, **bump, cost={"one": lambda x: x, "two": lambda x: x})
    assert ahead_of(work(1.0)) == [(ONE,), (TWO,), (ONE,)]
    looked.clear()
    work, _ = known(monkeypatch, one=lambda x: 1 / (1 + x**6) + 1e-3, two=lambda x: 2 / (1 + x**6) + 2e-3,
                    cost={"one": lambda x: x, "two": lambda x: x})
    assert ahead_of(work(1.0)) == [(ONE,)]
    assert 16 <= len({*looked}) <= 34
    looked.clear()
    work, _ = known(monkeypatch, **bump)  # where the axis is the parameter the points are there
    assert {*work(1.0).curve(ONE).values} <= {*looked}


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
