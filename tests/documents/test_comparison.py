"""Settings beside each other: what differs between their facts, by how much, and how that is said and written."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.match.choice import By, Profile
from dpstudio.core.match.matching import matching
from dpstudio.core.results import Fact, Series
from dpstudio.core.study import answer
from dpstudio.data.origin import Origin
from dpstudio.documents.comparison import ComparedSide, change, compared, csv_text, json_text, matched, table_text, told
from dpstudio.documents.session import Session
from dpstudio.studies.decision import Decision
from dpstudio.studies.mean import Mean
from dpstudio.text.numbers import said

ONE, TWO = Series("laplace", "Laplace"), Series("cutoff", "Cutoff")
WIDTH = Fact(v.BAND_WIDTH, 80.0, ONE, group="the answer")
ERROR = Fact(v.ERROR_AT_N, 0.2, ONE, group="errors")
WORTH = Fact(v.POLICY_UTILITY, -0.25, ONE)
OF_ALL = Fact(v.MINIMUM, 1000.0)
INF, NAN = math.inf, math.nan


def fact(value, kind="exact", low=None, high=None, **more):
    return replace(WIDTH, value=value, kind=kind, low=low, high=high, **more)


numbers = st.floats(1e-12, 1e12)


@given(numbers, numbers)
def test_that_exact_numbers_differ_by_their_difference_and_ratio_and_backwards_by_the_opposite(value, other):
    found, back = change(fact(value), fact(other)), change(fact(other), fact(value))
    assert found.differs == back.differs == (abs(value - other) > 1e-12 * max(value, other))
    assert found.weight == back.weight
    if found.differs:
        assert (found.difference, found.ratio, found.sign) == (value - other, value / other, "")
        assert back.difference == -found.difference
        assert found.weight == abs(value - other) / max(value, other)


@given(numbers, numbers, st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_that_estimates_are_told_apart_where_intervals_are_disjoint_and_hold_every_difference_that_may_be(
        value, other, spread, other_spread, where, other_where):
    assume(value == other or abs(value - other) > 1e-12 * max(value, other))  # what is further apart than rounding
    one = fact(value, "estimate", value * (1 - spread), value * (1 + spread))
    two = fact(other, "estimate", other * (1 - other_spread), other * (1 + other_spread))
    found = change(one, two)
    overlap = one.low <= two.high and two.low <= one.high
    assert (found.words == "not told apart") == overlap
    assert found.differs == (not overlap)
    true = value * (1 + where * spread) - other * (1 + other_where * other_spread)
    slack = 1e-12 * (value + other)
    assert found.low - slack <= true <= found.high + slack
    if not overlap:
        shown = told(found).removeprefix("≈ ").split(",")[0]
        middle, half = (float(said(each.replace("+", ""))) for each in shown.split(" ± "))
        assert middle - half <= found.low + 1e-9 * abs(found.low)
        assert middle + half >= found.high - 1e-9 * abs(found.high)


def test_that_an_exact_number_inside_the_interval_of_an_estimate_is_not_told_from_it():
    estimate = fact(10.0, "estimate", 9.0, 11.0)
    assert told(change(fact(9.0), estimate)) == told(change(estimate, fact(11.0))) == "not told apart"
    assert told(change(fact(8.9), estimate)) == "≈ −1.1 ± 1, × 0.89"
    assert told(change(estimate, replace(estimate, low=None, high=None))) == "not told apart"


def test_that_a_bound_beside_an_exact_number_bounds_their_difference_on_its_side():
    for one, two, expected in (
            (fact(3.0, "bound"), fact(1.5), "≤ +1.5, × 2"), (fact(1.5), fact(3.0, "bound"), "≥ −1.5, × 0.5"),
            (fact(3.0, "bound", at_least=True), fact(1.5), "≥ +1.5, × 2"),
            (fact(1.5), fact(3.0, "bound", at_least=True), "≤ −1.5, × 0.5"),
            (fact(2 / 3, "bound"), fact(1 / 3), "≤ +0.334, × 2"),
            (fact(1 / 3), fact(1.0, "bound"), "≥ −0.667, × 0.333")):
        assert told(change(one, two)) == expected


def test_that_of_a_bound_that_may_be_negative_no_ratio_is_known():
    assert told(change(replace(WORTH, value=3.0, kind="bound"), replace(WORTH, value=1.5))) == "≤ +1.5"


def test_that_two_bounds_differ_as_bounds_and_a_bound_that_equals_a_number_is_not_the_same():
    assert told(change(fact(4.0, "bound"), fact(2.0, "bound"))) == "+2, × 2, of the bounds"
    assert told(change(fact(2.0, "bound"), fact(2.0, "bound"))) == "="
    assert change(fact(2.0, "bound"), fact(2.0)).differs
    assert change(fact(2.0, "bound"), fact(2.0, "bound", at_least=True)).differs


@pytest.mark.parametrize(("value", "other", "expected"), [
    (INF, 1.0, "infinite"), (1.0, INF, "finite"), (INF, INF, "="), (NAN, NAN, "="), (NAN, 1.0, "not here"),
    (1.0, NAN, "only here"), (0.0, -0.0, "="), (0.0, 4.0, "−4, × 0"), (4.0, 0.0, "+4"), (1.0, 1 + 1e-13, "="),
    (1.0, 1 - 1e-11, "+1e-11"), (1.00002, 1.0, "+2e-5, × 1.00002"), (1e300, 1e-300, "+1e300")])
def test_that_infinite_undefined_and_nearly_equal_numbers_have_words(value, other, expected):
    assert told(change(fact(value), fact(other))) == expected


def test_that_a_fact_that_one_setting_lacks_says_where_it_is():
    assert told(change(fact(1.0), None)) == "only here"
    assert told(change(None, fact(1.0))) == "not here"
    assert change(None, None) is None


def test_that_negative_numbers_have_the_ratio_of_one_sign_and_rounding_errors_around_zero_are_none():
    assert told(change(replace(WORTH, value=-0.3), WORTH)) == "−0.05, × 1.2"
    assert told(change(replace(WORTH, value=0.5), WORTH)) == "+0.75"
    assert told(change(replace(WORTH, value=1e-15), replace(WORTH, value=-3e-15))) == "="
    assert change(fact(1e-15), fact(3e-15)).differs, "a width is never negative: it may be that small"


def test_that_yes_and_no_differ_without_a_number():
    met = Fact(v.HALF_MET, 1.0, ONE)
    assert told(change(met, replace(met, value=0.0))) == "differs"


def test_that_probabilities_next_to_1_differ_by_what_they_lack():
    def facts(lack):
        return Fact(v.ACCEPTANCE, 1.0, ONE), Fact(v.REJECTION, lack, ONE)

    found = {line.quantity: line.changes[1] for line in compared([facts(1e-20), facts(3e-20)])}
    assert found[v.ACCEPTANCE].difference == pytest.approx(-2e-20, rel=1e-12)
    assert told(found[v.ACCEPTANCE]) == "−2e-20"
    assert told(found[v.REJECTION]) == "+2e-20, × 3"


def test_that_the_largest_relative_difference_of_all_settings_comes_first_and_what_is_missing_last():
    before = (OF_ALL, WIDTH, ERROR, WORTH, Fact(v.SLACK, 1.0, ONE), Fact(v.MU, 1.0, TWO))
    now = (OF_ALL, replace(WIDTH, value=90.0), replace(ERROR, value=0.1), replace(WORTH, value=INF),
           Fact(v.SLACK, -1.0, ONE))
    later = (OF_ALL, replace(WIDTH, value=8000.0), ERROR, WORTH, Fact(v.SLACK, 1.0, ONE))
    assert [line.quantity for line in compared([before, now])] == [
        v.POLICY_UTILITY, v.SLACK, v.ERROR_AT_N, v.BAND_WIDTH, v.MU, v.MINIMUM]
    assert [line.quantity for line in compared([before, later])] == [
        v.BAND_WIDTH, v.MU, v.MINIMUM, v.ERROR_AT_N, v.POLICY_UTILITY, v.SLACK]
    three = compared([now, before, later], reference=2)
    assert [line.quantity for line in three] == [
        v.POLICY_UTILITY, v.SLACK, v.BAND_WIDTH, v.ERROR_AT_N, v.MU, v.MINIMUM]
    assert three[2].facts == (now[1], WIDTH, later[1])
    assert (three[2].changes[0].ratio, three[2].changes[1].ratio, three[2].changes[2]) == (90 / 8000, 80 / 8000, None)


def test_that_what_is_under_way_is_no_difference():
    lines = compared([(WIDTH,), ()], pending=[(), {("band_width", "laplace")}])
    assert (lines[0].pending, lines[0].changes, lines[0].weight) == ((False, True), (None, None), 0)
    [line] = compared([(), (WIDTH,)], pending=[{("band_width", "laplace")}, ()])
    assert line.changes == (None, None)


STUDIES = (Decision(epsilon=0.1, trials=1000), Decision(epsilon=0.2, trials=1000), Decision(delta=0, trials=1000))
SIDES = tuple(ComparedSide(f"setting {i}", study, answer(study).facts) for i, study in enumerate(STUDIES))
LINES = compared([side.facts for side in SIDES], 1)
SESSION = Session.of(Decision, {"epsilon": 0.2}).pin().having(note="why")


def test_that_files_say_every_number_in_full_with_what_it_depends_on():
    document = json.loads(json_text(SIDES, LINES, 1, SESSION))
    assert document["relation"] == Decision.neighbours.sentence
    assert document["reference"] == 1
    assert [each["parameters"] for each in document["settings"]] == [study.values() for study in STUDIES]
    text = csv_text(SIDES, LINES, 1, SESSION)
    head = [line for line in text.splitlines() if line.startswith("#")]
    assert f"# relation: {Decision.neighbours.sentence}" in head
    assert "# reference: setting 2" in head
    assert [json.loads(line.partition(": ")[2]) for line in head if line.startswith("# setting")] == [
        study.values() for study in STUDIES]
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line not in head))))
    assert len(rows) == len(document["facts"]) == len(LINES)
    for line, row, stated in zip(LINES, rows, document["facts"], strict=True):
        assert row["key"] == stated["key"] == line.quantity.key
        assert row["mechanism"] == (stated["mechanism"] or "") == (line.series.key if line.series else "")
        for i, (one, changed) in enumerate(zip(line.facts, line.changes, strict=True), start=1):
            written = row[f"value_{i}"]
            assert written == ("" if one is None else repr(float(one.value)))
            assert str(stated["settings"][i - 1]["value"]) == (written or "None")
            assert row[f"difference_{i}"] == ("" if changed is None or changed.difference is None
                                              else repr(changed.difference))
            assert row[f"ratio_{i}"] == ("" if changed is None or changed.ratio is None else repr(changed.ratio))


def test_that_a_count_said_to_be_left_out_is_in_no_file():
    origin = Origin("people.csv", "", "age > 40", counts=("records",))
    told_out = (replace(SIDES[0], data=origin), replace(SIDES[1], study=Decision(records=77), data=origin))
    for write in (csv_text, json_text):
        with pytest.raises(ValueError, match="left out"):
            write(told_out, LINES, 0, SESSION)
    fine = (replace(SIDES[0], data=origin), SIDES[1])
    assert "people" in csv_text(fine, LINES, 0, SESSION)
    assert "people.csv" not in csv_text(fine, LINES, 0, SESSION)


def test_that_text_to_paste_has_every_digit_and_the_titles_of_the_settings():
    head, names, *rows = table_text(SIDES[:2], compared([side.facts for side in SIDES[:2]], 1), 1).splitlines()
    assert Decision.neighbours.sentence in head
    assert names.split("\t") == ["", "", "setting 0", "difference", "ratio", "setting 1"]
    row = next(row.split("\t") for row in rows if row.startswith(f"{v.GUARANTEE_EPSILON.label}\tLaplace"))
    assert row[2:] == ["0.1", "-0.1", "0.5", "0.2"]


def test_that_a_setting_compared_with_itself_differs_in_nothing_whatever_the_study():
    facts = answer(Mean(trials=1000)).facts
    assert not any(line.weight for line in compared([facts, facts]))


def test_that_series_where_they_match_stand_beside_each_other_the_matched_fact_first():
    found = matching(Decision, {}, "laplace", By(v.BAND_WIDTH), "epsilon")
    sides, lines = matched(found)
    assert [(side.series, side.study) for side in sides] == [(one.series, one.study) for one in found.all]
    assert lines[0].quantity == v.BAND_WIDTH
    for line in lines:
        assert line.series is None
        for side, one in zip(sides, line.facts, strict=True):
            alone = side.study.answer().fact(line.quantity, side.series)
            assert (one and one.value) == (alone and alone.value)
    assert not {v.FRACTION, v.PRIOR_MASS} & {line.quantity for line in lines}, "drawn, or of no series"
    weights = [line.weight for line in lines[1:]]
    assert weights == sorted(weights, reverse=True)
    document = json.loads(json_text(sides, lines, 0, SESSION, found.says))
    assert document["says"] == found.says
    assert [each["mechanism"] for each in document["settings"]] == [one.series.key for one in found.all]
    assert f"# {found.says}" in csv_text(sides, lines, 0, SESSION, found.says).splitlines()
    _, lines = matched(matching(Decision, {}, "laplace", Profile(0.05), "epsilon"))
    assert lines[0].quantity == v.PROFILE
    assert all(one.value <= lines[0].facts[0].value for one in lines[0].facts)
