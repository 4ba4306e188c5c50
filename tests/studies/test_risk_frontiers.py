"""Frontiers at what an attacker gains: the same outcomes, where another mechanism may be ahead."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import pytest
from ahead_kit import assert_ahead, assert_of_few_points_or_all
from answers_kit import few_points
from claims.kit import settings_of
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from test_frontiers import NUMBER, near, put_back, value_of

from dpstudio import vocabulary as v
from dpstudio.core import law as laws
from dpstudio.core.attacker import GOALS, before
from dpstudio.core.frontier import figure as frontier
from dpstudio.core.frontier.measure import FOUND, MEASURES, SUCCESS
from dpstudio.core.results import Column
from dpstudio.core.study import answer
from dpstudio.core.update import Update
from dpstudio.documents import session_file
from dpstudio.scene.scene import resolve
from dpstudio.studies import all_studies
from dpstudio.studies.decision import LAPLACE as LAPLACE_DECISION
from dpstudio.studies.decision import Decision
from dpstudio.studies.mean import Mean
from dpstudio.studies.neighbours import Neighbours
from dpstudio.studies.noise import GAUSSIAN, LAPLACE, Noise
from dpstudio.studies.policy import Policy
from dpstudio.text.numbers import said, short

ROOT = Path(__file__).parents[2]
STUDIES = [study for study in all_studies().values() if any(outcome.risks for outcome in study.outcomes)]
every_study = pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.key)


def risked(study, key):
    """The frontier of a setting under a key, worked off."""
    update = Update(study.answer())
    update.tables[key]
    return update.answer.kept[frontier.keyed(type(study))[key]]


def test_that_whose_error_is_the_least_depends_on_whom_one_fears():
    """At an attacker right in 60 % the Gaussian is ahead, at one of a hundred falsely accused Laplace is."""
    feared = Noise(attacker="membership", presence_prior=0.5, false_alarms=0.01)
    guessing = risked(feared, "frontier_error_95_success")
    assert guessing.at(LAPLACE, 0.6).y == pytest.approx(math.log(20) / (-2 * math.log(0.8)), rel=1e-9)
    assert guessing.at(GAUSSIAN, 0.6).y == pytest.approx(3.87, abs=5e-3)
    assert GAUSSIAN in guessing._ahead(0.6)
    assert LAPLACE not in guessing._ahead(0.6)
    accusing = risked(feared, "frontier_error_95_found")
    assert accusing.at(LAPLACE, 0.019).y == pytest.approx(math.log(20) / math.log(1.9), rel=1e-9)
    assert accusing.at(GAUSSIAN, 0.019).y == pytest.approx(7.79, abs=5e-3)
    assert LAPLACE in accusing._ahead(0.019)
    assert GAUSSIAN not in accusing._ahead(0.019)
    assert guessing.words.startswith("For the same 95 % error (2.996) Laplace allows an attacker’s success of 0.697, ")
    assert "Laplace allows a share found of 0.0272, " in accusing.words


@pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.key)
def test_that_each_outcome_has_a_picture_at_each_risk_beside_it_but_of_claims_and_accounts(study):
    titles = {figure.key: figure.title for figure in study.figures}
    for outcome in study.outcomes:
        own = frontier.key_of(study.outcomes, outcome)
        for measure in MEASURES:
            key = f"{own}_{measure.key}"
            assert (key in titles) is outcome.risks
            if outcome.risks:
                assert study.figure(key).place == study.figure(own).place
                assert study.level_one.level_of_figure(key) == 2
                assert titles[key].endswith(measure.against)
    assert study.key not in ("audit", "budget") or not any(outcome.risks for outcome in study.outcomes)


@every_study
def test_that_nothing_is_compared_at_a_risk_where_nobody_is_feared_and_the_picture_says_so(study, monkeypatch):
    found = answer(study(), simulate=False)
    keys = [key for key, outcome in frontier.keyed(study).items() if outcome.measure]
    monkeypatch.setattr(study, "replace", lambda *_, **__: pytest.fail("a curve was computed"))
    for key in keys:
        assert not found.tables[key].columns
        picture = resolve(study.figure(key), found, study().values(), study.by_name())
        assert picture.blank
        assert picture.figure.empty == "Nobody is feared: choose an attacker"
        assert picture.told == study.figure(key).caption


@every_study
@settings(max_examples=3, phases=(Phase.generate,), deadline=None)
@given(data=st.data(), attacker=st.sampled_from(list(GOALS)), alpha=st.sampled_from([1e-4, 0.01, 0.3]))
def test_that_what_is_drawn_and_said_at_a_risk_holds_when_put_back(study, data, attacker, alpha):
    asked = data.draw(settings_of(study)).replace(attacker=attacker, false_alarms=alpha)
    key = data.draw(st.sampled_from([key for key, outcome in frontier.keyed(study).items() if outcome.measure]))
    assert_of_few_points_or_all(lambda: risked(asked, key), lambda found: assert_holds(asked, found))


def assert_holds(asked, found):
    """What is drawn and said is so when it is put back into the study."""
    outcome, chosen, least = found.outcome, random.Random(0), found.measure.least(asked)
    assert least == (before(asked) if found.measure is SUCCESS else asked.false_alarms)
    for one in found.series:
        own, placed = outcome.alike.get(one, one), found.curve(one).placed(one)
        for value, point in chosen.sample(placed, min(3, len(placed))):
            there = put_back(asked, outcome, one, value)
            assert near(value_of(there, outcome.quantity, own), point.y)
            assert near(value_of(there, outcome.cost, own), point.x)
            assert least * (1 - 1e-9) <= point.x + 1e-300 <= 1
        match = found.match(one)
        printed = re.search(rf"{re.escape(one.label)}”? {NUMBER}", found.words.partition(" Ahead")[0]) if one else None
        if match and printed:
            assert float(said(printed[1])) >= match.x * (1 - 1e-12)
            assert outcome.good(match.y, found.now(found.reference).y)
    assert_ahead(found, outcome, chosen)


@pytest.mark.parametrize("seed", range(4))
def test_that_a_short_stretch_in_which_another_is_ahead_is_said(seed):
    """At 0.56 – 0.6 found of those who have a value, at α = 0.3, Laplace noise errs by up to 2 % less than discrete."""
    asked = Neighbours(cell1=16392, epsilon=16.4, attacker="attribute", false_alarms=0.3)
    found = risked(asked, "frontier_found")
    assert [[one.key for one in stretch.ahead] for stretch in found.stretches] == [
        ["laplace", "geometric"], ["geometric"], ["laplace"], ["geometric"]]
    assert assert_ahead(found, found.outcome, random.Random(seed)) > 4


@settings(max_examples=4, phases=(Phase.generate,), deadline=None)
@given(minimum=st.sampled_from([40, 200]), refused=st.booleans(), data=st.data())
def test_that_a_curve_is_the_best_of_all_settings_that_risk_no_more_though_risks_go_up_and_down(minimum, refused, data):
    """Of 240 ε from 0.001 to 9.9, among which the risk of a decision that refuses 0 falls again and again."""
    asked = Decision(minimum=minimum, zero_refused=refused, attacker="membership")
    found = risked(asked, "frontier_success")
    one = data.draw(st.sampled_from([one for one in found.series if found.curve(one).points(one)]))
    swept = [found.curve(one).of(one, 1e-3 * 9900 ** (i / 240)) for i in range(241)]
    swept = [point for point in swept if point is not None]
    for point in random.Random(0).sample(swept, 40):
        best = min(each.y for each in swept if each.x <= point.x)
        there = found.at(one, point.x)
        if there is not None and there.x > found.curve(one).points(one)[0].x:
            assert there.x <= point.x * (1 + 1e-9)
            assert there.y <= best * 1.02


def test_that_the_axis_goes_from_what_there_is_without_the_release_to_certainty():
    update = Update(Noise(attacker="membership", presence_prior=0.2, false_alarms=0.05).answer())
    assert update.windows["frontier_success"] == (0.8, 1.0)
    assert update.windows["frontier_found"] == (0.05, 1.0)
    assert (Noise.figure("frontier_success").x.scale, Noise.figure("frontier_found").x.scale) == ("linear", "log")
    table = update.tables["frontier_success"]
    risks = table[Column(v.RISK_SUCCESS, LAPLACE)]
    assert risks.min() == pytest.approx(0.8)
    assert (Noise(presence_prior=0.2).answer().view("frontier_success"))[1] == 1.0


@pytest.mark.parametrize(("risk", "least", "text"), [
    (0.6, 0.5, "0.6"), (0.500123, 0.5, "0.50013"), (0.5, 0.5, "0.5"), (0.9999871, 0.5, "0.999988"),
    (0.0190001, 0.01, "0.0191"), (0.01000101, 0.01, "0.0100011"), (1.0, 0.5, "1")])
def test_that_a_risk_is_rounded_up_with_digits_that_tell_it_from_either_end(risk, least, text):
    measure = SUCCESS if least == 0.5 else FOUND
    feared = Noise(attacker="membership", false_alarms=0.01)
    assert measure.least(feared) == least
    assert measure.up(risk, feared) == text


def test_that_bounds_of_one_formula_are_said_as_such_and_a_bound_beside_exact_ones_may_allow_less():
    named = risked(Noise(attacker="name"), "frontier_success").words
    assert "Laplace allows an attacker’s success of at most 0.00272, " in named
    assert "known by bounds" not in named, "all are bounds of one formula"
    with few_points():
        shuffled = risked(Mean(attacker="membership"), "frontier_success").words
    assert "at most" not in shuffled
    assert shuffled.endswith("Shuffled response is known by bounds, and may allow less.")


def test_that_a_risk_that_is_a_bound_where_others_are_exact_is_said_to_be_one(monkeypatch):
    monkeypatch.setattr(laws, "same_both_ways", lambda law: law.delta == 0)
    words = risked(Noise(attacker="membership", presence_prior=0.2), "frontier_success").words
    assert "at most" not in words
    assert words.endswith("Gaussian (analytic) is known by bounds, and may allow less.")


def test_that_what_protects_another_unit_is_not_compared_at_a_risk_either():
    found = risked(Policy(attacker="membership"), "frontier_success")
    assert len(found.apart) == 2
    assert found.words.startswith("Utility per person at an attacker’s success of at most ")
    assert "Not compared, for what they protect is something else: " in found.words


def test_that_the_setting_stands_on_the_picture_at_its_own_risk():
    update = Update(Decision(attacker="membership").answer())
    x = update.tables["frontier_success"][Column(frontier._here(v.RISK_SUCCESS, "now"), LAPLACE_DECISION)]
    assert (x == update.fact(v.RISK_SUCCESS, LAPLACE_DECISION).value).all()


def test_that_the_session_of_the_guide_has_both_pictures_and_its_text_their_numbers():
    session = session_file.load(ROOT / "docs/risk/who-is-ahead.dpstudio")
    assert session.study_class is Noise
    assert (session.study.attacker, session.study.presence_prior) == ("membership", 0.5)
    assert session.state().in_view == ("frontier_error_95_success", "frontier_error_95_found")
    text = " ".join((ROOT / "docs/exploring.md").read_text("utf-8").split())
    guessing, accusing = (risked(session.study, key) for key in session.state().in_view)
    laplace, gaussian = (short(guessing.at(one, 0.6).y, 3) for one in (LAPLACE, GAUSSIAN))
    assert f"Gaussian noise keeps 95 % of answers within {gaussian} and Laplace noise within {laplace};" in text
    laplace, gaussian = (short(accusing.at(one, 0.019).y, 3) for one in (LAPLACE, GAUSSIAN))
    assert f"1.9 % found, Laplace keeps them within {laplace} and Gaussian within {gaussian}." in text
