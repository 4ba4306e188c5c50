"""Frontiers of every study: curves that are the study's own facts, matches that hold when put back, true sentences."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
import pytest
from ahead_kit import assert_ahead, assert_of_few_points_or_all
from answers_kit import at_hand
from claims.kit import settings_of
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import parameter
from dpstudio.core.facts import Entry, Said, each
from dpstudio.core.figure import Line, Mark
from dpstudio.core.frontier import ahead, curves
from dpstudio.core.frontier import figure as frontier
from dpstudio.core.frontier.ahead import Frontier, Lead
from dpstudio.core.frontier.curves import COARSE, FINE, Outcome, point_of
from dpstudio.core.resources import resource
from dpstudio.core.results import NOTHING, Series
from dpstudio.core.slow import Wanted
from dpstudio.core.study import Study, fact
from dpstudio.core.update import Update
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.studies.policy import BOTH, COUNTS, DECISION, Policy
from dpstudio.text.numbers import said
from dpstudio.vocabulary import reals

STUDIES = [study for study in all_studies().values() if study.outcomes]
"""A study without outcomes has no frontier."""
every_study = pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.key)
NUMBER = r"(?:about )?(\d[\d\u202f]*(?:\.\d+)?(?:e[−-]?\d+)?)"
ROOM = 1e-9
"""Part of an outcome by which two ways of computing it may differ."""


def frontier_of(study, outcome):
    """The frontier of a setting, worked off."""
    update = Update(study.answer())
    for numbers in update.tables[frontier.key_of(type(study).outcomes, outcome)].values():
        assert not np.isnan(numbers).any()
    return update.answer.kept[outcome]


def value_of(study, quantity, series):
    """The fact of a series, or that of the question."""
    places = type(study).answers().index()
    return fact(study, quantity, series if series and (quantity.key, series.key) in places else None).value


def put_back(study, outcome, series, value):
    """The study where the curve of a series has its parameter at a value."""
    first, *others = outcome.over_of(series)
    moved = {first: value}
    for name in others:
        moved[name] = study.parameter(name).domain.nearest(getattr(study, name) * value / getattr(study, first))
    return study.replace(**outcome.given).replace(**moved)


def near(value, other):
    return math.isclose(value, other, rel_tol=ROOM, abs_tol=1e-12)


@pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.key)
def test_that_there_is_a_frontier_for_each_outcome_and_none_without(study):
    shown = [figure.key for figure in study.figures if figure.key.startswith("frontier")]
    assert len(shown) == sum(3 if outcome.risks else 1 for outcome in study.outcomes)


@every_study
def test_that_every_study_has_a_frontier_beside_its_first_picture_and_a_title_for_each_picture(study):
    first = study.figures[0]
    shown = [figure for figure in study.figures if figure.key.startswith("frontier")]
    assert shown[0].key == "frontier"
    assert {figure.place for figure in shown} == {first.place}
    titles = [figure.title for figure in study.figures]
    assert all(titles)
    assert len(set(titles)) == len(titles)


@every_study
def test_that_a_parameter_is_marked_on_a_frontier_only_where_the_axis_is_its_own(study):
    for outcome, figure in zip(frontier.keyed(study).values(), frontier.figures(study), strict=True):
        there = study(**outcome.given)
        points = [curves.point_of(outcome, there.answer(), one) for one in Frontier(
            outcome, frontier.compared(outcome, study.answers()), there.answer()).series]
        for mark in (layer for layer in figure.layers if isinstance(layer, Mark)):
            assert any(math.isclose(getattr(there, mark.parameter), point.x, rel_tol=1e-3) for point in points if point)


@every_study
def test_that_the_help_says_on_which_axis_a_frontier_compares(study):
    said = " ".join(resource(f"help/{study.key}.md").read_text("utf-8").split())
    at_delta = all(outcome.cost == v.EPSILON_AT_DELTA for outcome in study.outcomes)
    assert at_delta == ("against the ε at δ = {delta}" in said or "the ε of all together at δ = {budget_delta}" in said)


@every_study
@settings(max_examples=3, phases=(Phase.generate,))
@given(data=st.data())
def test_that_what_a_frontier_draws_and_says_holds_when_put_back(study, data):
    asked, outcome = data.draw(settings_of(study)), data.draw(st.sampled_from(study.outcomes))
    assert_of_few_points_or_all(lambda: frontier_of(asked, outcome), lambda found: assert_holds(asked, outcome, found))


def assert_holds(asked, outcome, found):
    """What is drawn and said is so when it is put back into the study."""
    chosen = random.Random(0)
    for one in found.series:
        curve, own = found.curve(one), outcome.alike.get(one, one)
        placed = curve.placed(one)
        assert outcome.cost_of(one) or len(placed) in (0, len(curve.values))
        for value, point in chosen.sample(placed, min(3, len(placed))):
            there = put_back(asked, outcome, one, value)
            assert near(value_of(there, outcome.quantity, own), point.y)
            assert near(value_of(there, outcome.cost_of(one), own) if outcome.cost_of(one) else value, point.x)
    here = found.now(found.reference)
    for one, match in found.matched.items():
        assert_matched(asked, outcome, found, one, match, here.y)
    words = found.words
    assert "nan" not in words
    if found.matched:
        assert_needs(asked, outcome, found, words, here.y)
    assert_ahead(found, outcome, chosen)


def assert_matched(asked, outcome, found, one, match, wanted):
    """The match is as good, and what is spent before it is not, as far as the curve shows."""
    own, curve = outcome.alike.get(one, one), found.curve(one)
    before = [point for value, point in curve.placed(one) if match is None or value < match]
    assert not any(outcome.good(point.y, wanted) for point in before)
    if match is None:
        return
    there = value_of(put_back(asked, outcome, one, match), outcome.quantity, own)
    assert outcome.good(there, wanted)
    if match != curve.placed(one)[0][0]:
        less = value_of(put_back(asked, outcome, one, match * (1 - 1e-11)), outcome.quantity, own)
        assert not outcome.good(less, wanted) or near(less, wanted)


def assert_needs(asked, outcome, found, words, wanted):
    """The numbers of the sentence, each put back, give an outcome at least as good."""
    said_first = words.partition(" Ahead")[0]
    if outcome.better == "less" and abs(wanted) < NOTHING:
        assert re.match(r".* is 0, or too small for any number: what has the same cannot be told\.", words)
        return
    for one, match in found.matched.items():
        name = re.escape(one.label)
        if match is None and not found.curve(one).points(one):
            said_so = re.search(rf"{name}.* needs? more than δ at every ε shown", words)
            assert bool(said_so) == (outcome.cost_of(one) is not None and found.answer.one(one) is not None)
            continue
        if match is None:
            assert re.search(rf"{name}.* (is|are) nowhere as good\.", said_first)
            continue
        printed = re.search(rf"{name}”? {NUMBER}", said_first)
        assert printed, said_first
        number, spent = float(said(printed[1])), found.match(one).x
        assert number >= spent * (1 - 1e-12)
        assert number <= spent * 1.02 or "e" in printed[1] or spent == 0
        if match != found.curve(one).placed(one)[0][0] and outcome.cost_of(one) is None:
            back = put_back(asked, outcome, one, number)
            assert outcome.good(value_of(back, outcome.quantity, outcome.alike.get(one, one)), wanted)


# A study whose curves are known

ONE, TWO, THREE = Series("one", "One"), Series("two", "Two"), Series("three", "Three, of all")


@dataclass(frozen=True)
class Known(Study):
    """Formulas in ε."""

    key = "known"
    title = "Known"
    question = "Who?"
    pictures = ()

    epsilon: float = parameter(v.EPSILON, 1.0, domain=reals(1e-6, 1e6), shown=(0.01, 100))

    def answer(self):
        return KnownAnswer(self)


class KnownAnswer(Answer):
    """What a test declares."""

    guarantees = {}


def known(monkeypatch, better="less", scale="log", cost=None, **formulas):
    """A frontier of formulas by key of series, and what of them is asked; `cost` has what each spends."""
    series = [one for one in (ONE, TWO, THREE) if one.key in formulas]
    asked = []

    def value(a, key):
        asked.append((key, a.study.epsilon))
        return formulas[key](a.study.epsilon)

    monkeypatch.setattr(KnownAnswer, "compared", tuple(
        Entry(one, lambda a, key=one.key: (a, key)) for one in series))
    monkeypatch.setattr(KnownAnswer, "declared", {"the answer": (
        each(v.NOISE_SD, lambda one: value(*one)),
        each(v.TOTAL_EPSILON, lambda one: cost[one[1]](one[0].study.epsilon) if cost else None))})
    made = Outcome(v.NOISE_SD, "Known", "", better=better, scale=scale, cost=v.TOTAL_EPSILON if cost else None)

    def work(epsilon):
        found = Frontier(made, tuple(series), Known(epsilon=epsilon).answer())
        list(found.work())
        found.words = frontier._told(found)
        return found

    return work, asked


def test_that_curves_cross_where_they_do_and_who_is_ahead_changes_there(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 2 / x**2)
    found = work(1.0)
    assert [stretch.ahead for stretch in found.stretches] == [(ONE,), (TWO,)]
    assert found.stretches[0].end == pytest.approx(2, rel=1e-9)
    assert found.matched[TWO] == pytest.approx(math.sqrt(2), rel=1e-11)
    assert found.matched[TWO] >= math.sqrt(2) * (1 - 1e-15)
    assert found.words == ("For the same standard deviation (1) One needs ε = 1, Two 1.42. "
                            "Ahead: One up to ε = 2, from there Two.")


def test_that_what_is_the_same_to_a_thousandth_is_said_to_be_alike(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: (1 + 1e-4 * x) / x, three=lambda x: 5 / x)
    found = work(1.0)
    assert [stretch.ahead for stretch in found.stretches] == [(ONE, TWO), (ONE,)]
    assert found.stretches[0].end == pytest.approx(10, rel=2e-4)
    assert "Ahead: One and Two alike up to ε = 10, from there One." in found.words
    assert "“Three, of all” 5" in found.words
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 1 / x)
    assert work(1.0).words.endswith("Ahead: all alike everywhere.")


def test_that_of_several_matches_the_most_private_is_found_and_none_is_said(monkeypatch):
    work, _ = known(monkeypatch, better="more", scale="linear", one=lambda x: x / 200,
                    two=lambda x: math.sin(3 * math.log(x)), three=lambda x: -x)
    found = work(100.0)
    assert found.matched[TWO] == pytest.approx(math.exp((math.pi / 6 - 4 * math.pi) / 3), rel=1e-9)
    assert found.matched[THREE] is None
    assert "; “Three, of all” is nowhere as good." in found.words
    work, _ = known(monkeypatch, one=lambda _: 1.0, two=lambda x: 1 / (1 + x))
    assert "Two 0.01 or less." in work(5.0).words


def test_that_jumps_and_what_is_infinite_are_survived_and_curves_are_finer_there(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: math.inf if x < 3 else math.ceil(9 / x),
                    three=lambda x: None if x < 50 else 1.0)
    found = work(1.0)
    assert found.matched[TWO] == pytest.approx(9, rel=1e-11)
    assert found.matched[TWO] >= 9
    values = found.curve(ONE).values
    assert len(values) > FINE + 8
    assert any(2.9 < value < 3.1 for value in values)
    assert not found.curve(THREE).points(THREE), "it is not there all along"
    assert found.matched[THREE] is None


def test_that_nobody_is_ahead_where_all_are_infinite(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: math.inf if x < 2 else 1.0, two=lambda x: math.inf if x < 4 else 0.5)
    found = work(10.0)
    assert [stretch.ahead for stretch in found.stretches] == [(), (ONE,), (TWO,)]
    assert found.words.endswith("Ahead: nobody up to ε = 2, One up to ε = 4, from there Two.")
    assert "needs" not in work(1.0).words, "there is nothing to match"


def test_that_a_curve_is_nowhere_far_off_the_straight_lines_between_its_points(monkeypatch):
    def bent(x):
        return 1 / (1 + x**6) + 1e-3

    work, _ = known(monkeypatch, one=bent)
    curve = work(1.0).curve(ONE)
    height = math.log(bent(0.01) / bent(100))
    for low, high in pairwise(curve.values):
        straight = (math.log(bent(low)) + math.log(bent(high))) / 2
        assert abs(math.log(bent(math.sqrt(low * high))) - straight) < 5e-3 * height
    assert FINE < len(curve.values) < 2 * FINE


def test_that_a_match_is_found_in_a_few_steps(monkeypatch):
    work, asked = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 1 / (x * x + 3 * x) + 1e-3)
    found = work(1.0)
    beside = [value for key, value in asked if key == "two" and value not in found.curve(TWO).values
              and abs(value - found.matched[TWO]) < 0.1]
    assert found.match(TWO).y == pytest.approx(1, rel=1e-12)
    assert len(beside) <= 12


def test_that_series_are_compared_at_the_same_cost_as_far_as_all_go(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 0.05 / x,
                    cost={"one": lambda x: x, "two": lambda x: 10 * x})
    found = work(1.0)
    assert found.stretches == (Lead((TWO,), math.inf),)
    assert "One needs a total ε of 1, Two 0.5." in found.words
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 0.7 / x**2,
                    cost={"one": lambda x: x, "two": lambda x: x * x + x})
    found = work(1.0)
    assert [stretch.ahead for stretch in found.stretches] == [(ONE,), (TWO,)]
    assert found.stretches[0].end == pytest.approx(70 / 9, rel=1e-9)
    assert "Ahead: One up to a total ε of 7.78, from there Two." in found.words
    work, _ = known(monkeypatch, one=lambda x: 1 / x, two=lambda x: 1 / x,
                    cost={"one": lambda x: x, "two": lambda x: max(x - 0.5, 0.0)})
    assert [stretch.ahead for stretch in work(1.0).stretches] == [(TWO,)], "where nothing is spent is no place"


def test_that_a_stretch_that_costs_the_same_is_on_the_curve_whole_and_one_that_costs_more_is_not(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x, cost={"one": lambda x: min(x, 5.0) if x < 50 else 4.0})
    curve = work(1.0).curve(ONE)
    placed = [value for value, _ in curve.placed(ONE)]
    assert placed == [value for value in curve.values if value < 4 or value >= 50]
    work, _ = known(monkeypatch, one=lambda x: 1 / x, cost={"one": lambda x: min(x, 5.0)})
    curve = work(1.0).curve(ONE)
    assert [value for value, _ in curve.placed(ONE)] == list(curve.values)


def test_that_an_estimate_is_said_to_be_about(monkeypatch):
    work, _ = known(monkeypatch, one=lambda x: 1 / x,
                    two=lambda x: Said(3 / x, kind="estimate", low=2 / x, high=4 / x))
    assert "One needs ε = 1, Two about 3." in work(1.0).words


@pytest.mark.parametrize(("epsilon", "first", "last"), [(1.0, 0.01, 100.0), (5e-3, 1e-3, 100.0), (2e4, 0.01, 1e5)])
def test_that_a_sweep_reaches_what_is_set_beyond_the_slider(monkeypatch, epsilon, first, last):
    work, _ = known(monkeypatch, one=lambda x: 1 / x)
    values = work(epsilon).curve(ONE).values
    assert (values[0], values[-1]) == (pytest.approx(first), pytest.approx(last))
    assert work(epsilon).words.startswith(f"Standard deviation at ε = {v.amount(epsilon, v.EPSILON)}: ")


def test_that_the_least_epsilon_there_is_has_a_frontier():
    response = all_studies()["response"](epsilon=5e-324)
    table = Update(response.answer()).tables[frontier.key_of(type(response).outcomes, type(response).outcomes[0])]
    assert all(math.isfinite(x) for column in table.values() for x in column)


# While a hand moves

@pytest.fixture
def points(monkeypatch):
    """Every point that is asked for: of which setting, which series."""
    asked, point_of = [], curves.point_of

    def counting(outcome, answer, series):
        asked.append((answer.study, series))
        return point_of(outcome, answer, series)

    curves._kept.cache_clear()
    monkeypatch.setattr(curves, "point_of", counting)
    monkeypatch.setattr(ahead, "point_of", counting)
    return asked


def curves_in(table, name="band_width"):
    return {column.key: values.tolist() for column, values in table.items()
            if column.key == "epsilon" or (column.key.startswith(name) and "_now_" not in column.key
                                           and "_matched_" not in column.key)}


def test_that_dragging_what_is_swept_keeps_the_curves_and_moves_the_dots(points):
    series = len(Decision.outcomes[0].series)
    whole = Update(Decision(minimum=1234).answer()).tables["frontier"]
    points.clear()
    for epsilon in (0.2, 0.3, 0.25):
        update = Update(Decision(minimum=1234, epsilon=epsilon).answer())
        table = at_hand(update, "frontier")
        assert curves_in(table) == curves_in(whole)
        assert len(points) == series
        assert {one.epsilon for one, _ in points} == {epsilon}
        assert update.answer.kept[Decision.outcomes[0]].words == "", "who matches is not known yet"
        points.clear()


def test_that_dragging_anything_else_shows_a_few_points_of_the_new_curves_at_once(points):
    update = Update(Decision(uncertain=0.02).answer())
    table = at_hand(update, "frontier")
    assert table.rows == COARSE + 1
    assert len(points) == (COARSE + 2) * len(Decision.outcomes[0].series)
    before = curves_in(table)
    after = curves_in(update.tables["frontier"])
    assert len(after["band_width_laplace"]) > FINE
    assert all(set(values) <= set(after[key]) for key, values in before.items())


def test_that_what_is_left_in_the_middle_is_gone_on_with_by_the_next_answer(points):
    wanted = Wanted(frozenset({"frontier"}))
    for epsilon in (0.1, 0.2, 0.3):
        assert len(list(islice(Update(Decision(minimum=77, epsilon=epsilon).answer()).prepare(wanted), 12))) == 12
    update = Update(Decision(minimum=77, epsilon=0.4).answer())
    for _ in update.prepare(wanted):
        pass
    computed = [(study, series) for study, series in points if study != Decision(minimum=77, epsilon=0.4)]
    assert len(computed) == len(set(computed)), "nothing twice"
    assert update.answer.kept[Decision.outcomes[0]].words


def test_that_two_threads_who_look_at_a_frontier_at_once_work_at_the_same(monkeypatch):
    answer, (outcome, *_) = Decision(minimum=78).answer(), Decision.outcomes
    made = iter([lambda: frontier._frontier(outcome, outcome.series, answer), lambda: None])  # the first is overtaken

    def overtaken(*given):
        next(made)()
        return Frontier(*given)

    monkeypatch.setattr(frontier, "Frontier", overtaken)
    assert frontier._frontier(outcome, outcome.series, answer) is frontier._frontier(outcome, outcome.series, answer)


def test_that_of_several_parameters_each_curve_moves_along_its_own(points):
    first = Update(Policy().answer())
    first.tables["frontier"]
    points.clear()
    found = frontier_of(Policy(epsilon=0.3), Policy.outcomes[0])
    assert not any(series in (COUNTS, DECISION) and study.epsilon not in (0.3, found.matched[series])
                   for study, series in points if study != Policy(epsilon=0.3) and study.epsilon == 0.3)
    ratio = [study.decision_epsilon / study.epsilon for study, series in points if series == BOTH]
    assert ratio == pytest.approx([2.0 / 0.3] * len(ratio))


def test_that_nothing_of_a_frontier_is_computed_where_nobody_looks(points):
    update = Update(Decision().answer())
    for _ in update.prepare(update.answer.everything(Wanted(frozenset({"records"})))):
        pass
    assert not points
    assert any(isinstance(layer, Line) for layer in Decision.figure("frontier").layers)


def test_that_a_curve_keeps_its_own_points_and_few_beside_wherever_a_hand_moves_what_it_sweeps(monkeypatch):
    monkeypatch.setattr(curves, "BESIDE", 32)
    asked, made = [], {}
    monkeypatch.setattr(curves, "point_of", lambda *given: asked.append(given) or point_of(*given))
    curves._kept.cache_clear()
    for i in range(60):
        found = frontier_of(all_studies()["updating"](epsilon=0.1 * 1.05**i), all_studies()["updating"].outcomes[0])
        made |= {id(curve): curve for curve in found.curves}
    curve, = made.values()
    assert curve._beside.cache_info().currsize == 32
    assert len(curve._own) == len(curve.values) * len(curve.series)
    asked.clear()
    for series in curve.series:
        curve.points(series)
    assert not asked
    curves._kept.cache_clear()


def test_that_a_curve_that_is_done_is_drawn_once_as_it_would_be_anew_and_one_that_is_not_each_time():
    outcome = frontier.keyed(Decision)["frontier"]
    found = Frontier(outcome, frontier.compared(outcome, Decision.answers()), Decision(others="selection").answer())
    span = frontier.shown_of(outcome, found.answer)
    for curve in found.curves:
        for one in curve.series:
            coarse = curve.drawn(one, span)
            for _ in curve.work():
                pass
            fine = curve.drawn(one, span)
            assert fine is curve.drawn(one, span) or not fine
            assert fine == curve._line(one, span)
            assert len(coarse) <= len(fine)
            assert curve.drawn(one, (span[0], 2 * span[1])) == curve._line(one, (span[0], 2 * span[1]))
    assert any(len(found.curve(one).drawn(one, span)) > COARSE + 1 for one in found.all)
