"""The risk of every study as pictures: their numbers are those of the facts, rounded to the safe side."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from settings_kit import accepted, inside

from dpstudio import vocabulary as v
from dpstudio.core.attacker import GOALS, Attacker
from dpstudio.core.caps import kept_of
from dpstudio.core.figure import Guesses, Line
from dpstudio.core.results import Column
from dpstudio.core.risk_figures import CAPPED, DRAWN, EMPTY, PANEL, SUCCESS
from dpstudio.core.study import answer
from dpstudio.core.update import Update
from dpstudio.scene.people import crowd_of
from dpstudio.scene.scene import resolve
from dpstudio.studies import all_studies
from dpstudio.studies.budget import Budget
from dpstudio.studies.decision import LAPLACE, Decision
from dpstudio.studies.noise import Noise
from dpstudio.studies.updating import Updating
from dpstudio.text.numbers import fixed

STUDIES = list(all_studies().values())
every_study = pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.key)
ROUNDING = Fraction(1, 10**11)
"""Part of a count that is the rounding of its share."""


def scene_of(update, key):
    study = update.study
    return resolve(study.figure(key), update, study.values(), {each.name: each for each in study.parameters()})


def figures(study):
    return [figure for figure in study.figures if figure.panel == PANEL]


@every_study
@settings(max_examples=8)
@given(data=st.data())
def test_that_the_people_of_a_picture_are_the_shares_rounded_to_the_safe_side(study, data):
    """Before down, after up, of a power of ten; those drawn are ten thousand, in the same proportion where all are."""
    names = [each.name for each in study.parameters() if each.name not in Attacker.by_name()]
    values = {name: data.draw(inside(study.parameter(name)), label=name) for name in names if data.draw(st.booleans())}
    values |= {name: data.draw(inside(Attacker.parameter(name)), label=name) for name in Attacker.by_name()}
    values["attacker"] = data.draw(st.sampled_from(sorted(GOALS)))
    setting = accepted(study, values)
    update = Update(setting.answer())
    assume(update.answer.guarantees)
    scene, a = scene_of(update, "risk_people"), update.answer
    assert not scene.blank
    parts = [part for part in scene.parts if part.present]
    assert parts
    before = a.value(v.RISK_BEFORE)
    for part in parts:
        crowd, after = crowd_of(part), a.value(v.RISK_SUCCESS, part.layer.right.series)
        assert crowd.guesses in {10**power for power in range(4, 13)}
        down, up = Fraction(before) * crowd.guesses, Fraction(after) * crowd.guesses
        assert down - 1 < crowd.without <= down * (1 + ROUNDING)
        assert up * (1 - ROUNDING) <= crowd.right < up + 1
        assert crowd.without <= crowd.right <= crowd.guesses
        gain = after - before
        assert crowd.guesses == 10**12 or gain <= 0 or crowd.guesses * gain >= 10 * (1 - 1e-9)
        assert crowd.guesses == DRAWN or crowd.guesses / 10 * gain < 10 * (1 + 1e-9)
        assert sum(crowd.shown) == DRAWN
        assert min(crowd.shown) >= 0
        if crowd.guesses == DRAWN:
            assert crowd.shown == (crowd.without, crowd.right - crowd.without, DRAWN - crowd.right)
        else:
            assert crowd.shown[1] == crowd.right - crowd.without


@every_study
def test_that_while_nobody_is_feared_each_picture_says_what_to_do_and_else_shows_something(study):
    assert figures(study)
    for attacker in ("nobody", "membership"):
        update = answer(study(attacker=attacker), simulate=False)
        for figure in figures(study):
            update.tables[figure.table]
            scene = scene_of(update, figure.key)
            assert scene.blank == (attacker == "nobody"), figure.key
            assert figure.empty == EMPTY
            drawn = any(part.present and isinstance(part.layer, Line | Guesses) for part in scene.parts)
            assert drawn == (attacker != "nobody"), figure.key


@every_study
def test_that_pictures_of_risk_are_second(study):
    assert [figure.key for figure in figures(study)][:3] == ["risk_people", "risk_found", "risk_profile"]
    assert all(study.level_one.level_of_figure(figure.key) == 2 for figure in figures(study))


@every_study
@pytest.mark.parametrize("attacker", sorted(GOALS))
def test_that_the_words_of_the_people_are_the_numbers_of_the_table(study, attacker):
    update = answer(study(attacker=attacker), simulate=False)
    told, table = study.figure("risk_people").told(update.answer), update.tables["risk_people"]
    assert told.startswith("Of ")
    for column, values in table.items():
        if column.quantity in (v.GUESSED_WITH, v.GUESSES):
            without = table[Column(v.GUESSED_WITHOUT, column.series)][0]
            assert fixed(values[0], 0) in told or values[0] == without, column.key


def test_that_one_right_guess_is_spoken_of_as_one():
    found = Decision(attacker="reconstruction", guessed_before=1.5e-4, epsilon=3.0).answer()
    assert ", 1 is right without this release and at most " in Decision.figure("risk_people").told(found)


def test_that_what_was_decided_for_is_told_first():
    found = Decision(attacker="membership").answer()
    told = Decision.figure("risk_people").told
    assert "with it (Laplace)" in told(found)
    assert "with it (Gaussian). With the others: Laplace at most" in told(found.deciding("gaussian"))


@every_study
@pytest.mark.parametrize("attacker", ["membership", "attribute"])
def test_that_shares_found_are_those_of_the_guarantee_and_no_less_than_by_guessing(study, attacker):
    update = answer(study(attacker=attacker), simulate=False)
    table = update.tables["risk_found"]
    alpha = table[Column(v.FALSE_ALARMS)]
    assert (alpha[0], alpha[-1]) == (1e-6, 1.0)
    np.testing.assert_array_equal(table[Column(v.RISK_FOUND_GUESSING)], alpha)
    curves = [column for column in table if column.quantity == v.RISK_FOUND]
    assert curves
    for column in curves:
        found = table[column]
        assert (found >= alpha * (1 - 1e-9)).all()
        assert (np.diff(found) >= -1e-12).all()
        assert found[-1] == 1
        i = 80
        here = study(attacker=attacker, false_alarms=float(alpha[i])).answer()
        assert here.value(v.RISK_FOUND, column.series) == pytest.approx(found[i], rel=1e-9)


@pytest.mark.parametrize("view", [(1e-4, 1e-2), (0.0, 1.0), (0.5, 0.5), (-3.0, 1e-9)])
def test_that_shares_found_follow_the_view(view):
    table = Decision(attacker="membership").answer().table("risk_found", view)
    alpha = table[Column(v.FALSE_ALARMS)]
    assert (np.diff(alpha) > 0).all()
    assert alpha[0] == pytest.approx(max(view[0], 1e-15))
    assert alpha[-1] == pytest.approx(max(view[1], 2 * alpha[0]))


@pytest.mark.parametrize(("study", "attacker", "prior"), [
    (Updating, "membership", "presence_prior"), (Updating, "attribute", "attribute_prior"),
    (Budget, "attribute", "attribute_prior")])
def test_that_beliefs_are_those_of_the_facts_at_the_prior(study, attacker, prior):
    found = study(attacker=attacker).answer()
    table = found.table("risk_profile")
    i = 60
    found = study(attacker=attacker, **{prior: float(table[Column(v.RISK_PRIOR)][i])}).answer()
    series = [column.series for column in table if column.quantity == v.RISK_USUAL]
    assert series
    for one in series:
        for quantity in (v.RISK_USUAL, v.RISK_BELIEF):
            beliefs = table[Column(quantity, one)]
            assert beliefs[i] == pytest.approx(found.value(quantity, one), rel=1e-9)
            assert (beliefs >= table[Column(v.RISK_PRIOR_KEPT)]).all()


def test_that_caps_stand_where_they_are_set_and_beliefs_are_those_of_the_exception():
    found = Updating(attacker="membership", profile="0.0001:0.05, 0.1:0.3").answer()
    table = found.table("risk_profile")
    prior = table[Column(v.RISK_PRIOR)]
    assert prior[0] == pytest.approx(0.00005)
    assert table[CAPPED[0]][:3].tolist() == [0.0001, 0.1, 0.1]
    assert table[CAPPED[1]][:3].tolist() == [0.05, 0.3, 0.3]
    kept = kept_of(found, "sequential")
    worst = table[Column(v.RISK_BELIEF, kept and found.entry_of("sequential").series)]
    assert worst[7] == pytest.approx(kept.belief(float(prior[7])), rel=1e-12)


def test_that_a_delta_lets_some_answer_prove_what_was_held_possible():
    table = Budget(attacker="membership").answer().table("risk_profile")
    worst = [values for column, values in table.items() if column.quantity == v.RISK_BELIEF]
    assert any((values[1:] == 1).all() for values in worst)


@every_study
def test_that_success_along_epsilon_is_the_fact_there(study):
    found = study(attacker="membership").answer()
    table, outcome = found.table("risk_success"), study.outcomes[0]
    curves = [column for column in table if column.quantity == v.RISK_SUCCESS]
    assert curves
    assert {column.series for column in curves} <= {None, *found.series()}
    if not isinstance(outcome.over, tuple):
        return  # each at what it spends, by parameters of its own
    x = table[next(iter(table))]
    for i in (0, len(x) // 2, len(x) - 1):
        there = found.study.replace(**{outcome.over[0]: float(x[i])}, **outcome.given).answer()
        for column in curves:
            of = outcome.alike.get(column.series, column.series)
            assert table[column][i] == there.value(v.RISK_SUCCESS, of), (column.key, x[i])


def test_that_the_surest_belief_of_a_pure_guarantee_is_that_of_its_epsilon():
    table = Updating(attacker="membership", epsilon=3.0).answer().table("risk_profile")
    prior, column = table[Column(v.RISK_PRIOR)], next(each for each in table if each.quantity == v.RISK_BELIEF)
    assert table[column][40] == pytest.approx(1 / (1 + math.exp(-3.0) * (1 - prior[40]) / prior[40]), rel=1e-9)


def test_that_of_a_tiny_gain_so_many_guesses_are_counted_that_it_shows():
    table = Noise(attacker="reconstruction", epsilon=0.01, delta=0.0).answer().table("risk_people")
    counts = [int(table[Column(quantity, LAPLACE)][0]) for quantity in (v.GUESSES, v.GUESSED_WITHOUT, v.GUESSED_WITH)]
    assert counts == [10_000_000, 1000, 1011]


@every_study
def test_that_the_title_of_right_guesses_names_what_lies_on_the_axis(study):
    for figure in study.figures:
        if figure.key == SUCCESS:
            assert figure.title.removeprefix("Right guesses against ") in figure.x.quantity.symbol
