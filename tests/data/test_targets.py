"""What was counted becomes the parameters of a study, whole, and the study says what its guarantee is for a person."""

from __future__ import annotations

import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.cohort import Cohort
from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import Count, bins, count
from dpstudio.data.meaning import origin_sentences, person_guarantee, spent
from dpstudio.data.origin import Origin
from dpstudio.data.targets import TARGETS, CountRequest, offered
from dpstudio.models.contributions import Spread
from dpstudio.studies import all_studies
from dpstudio.studies.number import Number
from dpstudio.studies.policy.compared import case_of
from dpstudio.studies.table import Table

STUDIES = all_studies()
BY_STUDY = {target.study: target for target in TARGETS}
COHORT = Cohort(("grave", "mild"), (101, 67), ((33, 90), (5, 41)), (0, 0), 0)


def request(people, study, where="age >= 65", **asked):
    return CountRequest(BY_STUDY[study], where, parse(where, people.opened().columns), **asked)


def test_that_a_count_becomes_the_parameters_of_each_study(people):
    found = count(people, parse("sex = 'm'", people.opened().columns), "person")
    assert {target.study: target.values(found, 1) for target in TARGETS if target.asks == "records"} == {
        "decision": {"records": 3}, "posterior": {"people": 4, "fraction": 0.75, "release": "drawn"},
        "test": {"people": 4, "alternative": 0.75}}
    assert {target.study for target in offered(STUDIES)} >= {"decision", "posterior", "policy"}
    with pytest.raises(InvalidParameter, match="people must be at least 1"):
        BY_STUDY["posterior"].values(Count(0, 0, 0), None)


def test_that_lists_are_offered_where_a_study_has_a_parameter_for_them_and_nowhere_else():
    assert {target.study for target in offered(STUDIES)} >= {"table", "number"}
    swapped = {"table": STUDIES["number"], "number": STUDIES["table"]}
    assert not list(offered(swapped))


def test_that_groups_and_the_numbers_of_a_column_become_lists_of_their_studies(people):
    columns = people.opened().columns
    table = CountRequest(BY_STUDY["table"], "", None, by=("sex", "smoker"), person="person", at_most=1)
    number = CountRequest(BY_STUDY["number"], "sex = 'm'", parse("sex = 'm'", columns), of="age", person="person",
                          at_most=3)
    assert (table.complete, number.complete) == (True, True)
    for request, told in ((table, "f / no:1,f / yes:1,m / no:0,m / yes:2"), (number, "65,80,81,82")):
        found = request.counted_in(people)
        values = request.values(found)
        origin = request.origin(people, found, values)
        assert list(values.values()) == [told]
        assert STUDIES[request.target.study](**values).values()[origin.counts[0]] == told
        assert request.target.fits(origin.counts)
    assert (origin.of, origin.by, origin.where, origin.at_most, origin.most) == ("age", (), "sex = 'm'", None, 3)
    origin = table.origin(people, table.counted_in(people), table.values(table.counted_in(people)))
    assert (origin.of, origin.by, origin.where, origin.at_most, origin.most) == ("", ("sex", "smoker"), "", 1, None)
    assert not BY_STUDY["decision"].fits(origin.counts)
    loose = CountRequest(BY_STUDY["table"], "", None, by=("age",), person="person")
    found = loose.counted_in(people)
    assert loose.origin(people, found, loose.values(found)).most == 3, "in three groups, of one row each"


@pytest.mark.parametrize(("study", "asked", "complete"), [
    ("decision", {}, False), ("policy", {"action": "sex = 'm'"}, False), ("table", {}, False), ("number", {}, False),
    ("table", {"of": "age"}, False), ("number", {"by": ("age",)}, False), ("table", {"by": ("age",)}, True),
    ("number", {"of": "age"}, True)])
def test_that_all_rows_may_be_counted_where_groups_or_numbers_are_asked_for_alone(study, asked, complete):
    assert CountRequest(BY_STUDY[study], "", None, **asked).complete == complete


def test_that_what_is_counted_for_a_list_is_a_guarantee_of_a_person_within_what_the_study_allows():
    for origin, said in ((Origin("a.csv", "ab" * 32, "", by=("city",), counts=("cells",)), "Rows were counted"),
                         (Origin("a.csv", "ab" * 32, "", "id", 2, by=("city", "sex"), counts=("cells",)),
                          "At most 2 rows of each person count in a group, and nothing bounds in how many groups"),
                         (Origin("a.csv", "ab" * 32, "", "id", 1, by=("city",), counts=("cells",)),
                          "At most 1 row of each person counts in a group"),
                         (Origin("a.csv", "ab" * 32, "", "id", by=("city",), counts=("cells",), most=7),
                          "Nothing bounds the rows of a person in a group, nor in how many groups")):
        told = origin_sentences(origin, Table())
        assert said in told
        assert told.endswith("study allows one person.")
        assert "is an exact count, and sensitive: counted in 'a.csv' by 'city'" in told
        assert person_guarantee(origin.leaving, Table()) == person_guarantee(origin, Table()), "it leaves, too"
    origin = Origin("a.csv", "ab" * 32, "x > 1", "id", of="pay", counts=("amounts",), most=7)
    told = origin_sentences(origin, Number())
    assert "counted in 'pay' of 'a.csv' where x > 1, all rows of each 'id'" in told
    assert told.endswith("no more rows than the study allows one person.")


@pytest.mark.parametrize("symptoms", [1, 2])
def test_that_a_cohort_arrives_in_the_policy_whole(symptoms):
    part = Cohort(COHORT.symptoms[:symptoms], COHORT.people, tuple(each[:symptoms] for each in COHORT.counts), (0,), 0)
    case = case_of(STUDIES["policy"](**BY_STUDY["policy"].values(part, None)))
    for arm, people, counts in zip((case.counted.untreated, case.counted.treated), part.people, part.counts,
                                   strict=True):
        assert (arm.people, tuple(arm.sick)) == (people, counts)
    assert case.truth.untreated.tolist() == [k / 101 for k in COHORT.counts[0][:symptoms]]


def test_that_an_empty_arm_and_a_third_symptom_are_refused():
    with pytest.raises(InvalidParameter, match="people_treated must be at least 1 with the action, got 0"):
        BY_STUDY["policy"].values(Cohort(("a",), (3, 0), ((1,), (0,)), (0,), 0), None)
    with pytest.raises(InvalidParameter, match="symptoms must be at most 2 conditions, got 3"):
        BY_STUDY["policy"].values(Cohort(("a", "b", "c"), (3, 1), ((1,) * 3,) * 2, (0,) * 3, 0), None)


def test_that_a_request_counts_and_says_where(people):
    asked = request(people, "policy", further=("smoker",), action="sex = 'm'", person="person", at_most=1)
    found = asked.counted_in(people)
    assert (found.symptoms, found.rows) == (("age >= 65", "smoker"), Spread({1: 2, 2: 1, 3: 1}))
    values = asked.values(found)
    origin = asked.origin(people, found, values)
    assert (origin.further, origin.action, origin.most) == (("smoker",), "sex = 'm'", None)
    assert set(values) - set(origin.counts) == {"symptoms"}
    assert BY_STUDY["policy"].fits(origin.counts)
    one = request(people, "policy", action="sex = 'm'", person="person")
    found = one.counted_in(people)
    origin = one.origin(people, found, one.values(found))
    assert origin.most == 3
    assert not any(name.startswith("mild") for name in origin.counts), "nothing was counted for these"


@pytest.mark.parametrize(("asked", "why"), [
    ({"further": ("age >= 65",)}, "symptoms must be different conditions"),
    ({"further": ("smoked",)}, "did you mean 'smoker'"), ({"action": "read_text('x') = 1"}, "calls no functions")])
def test_that_a_bad_symptom_or_action_is_refused(people, asked, why):
    with pytest.raises(InvalidParameter, match=why):
        request(people, "policy", **{"action": "sex = 'm'"} | asked).counted_in(people)


@pytest.mark.parametrize(("study", "values", "record", "person"), [
    ("decision", {"epsilon": 0.1, "delta": 0.0}, "ε = 0.1", "ε = 0.3"), ("posterior", {}, "ε = 0.1", "ε = 0.3"),
    ("policy", {"symptoms": 2, "arm_may_change": True}, "ε = 0.4", "ε = 1.2")])
def test_that_group_privacy_is_said_of_what_a_record_spends_in_all(study, values, record, person):
    made = STUDIES[study](**values)
    counts = BY_STUDY[study].counts[:1]
    told = origin_sentences(Origin("a.csv", "ab" * 32, "x", "id", 3, counts=counts), made)
    assert f"{record} for a record is {person} for a person, by group privacy: even odds" in told
    assert told.endswith("Where “one person” is said beside this, one record is meant.")
    told = origin_sentences(Origin("a.csv", "ab" * 32, "x", "id", None, counts=counts, most=3), made)
    assert f"{person} for a person" in told
    assert "no bound" in told
    assert "holds for a person" in origin_sentences(Origin("a.csv", "ab" * 32, "x", "id", 1, counts=counts), made)
    assert "“one person” means one row" in origin_sentences(Origin("a.csv", "ab" * 32, "x", counts=counts), made)


def test_that_every_study_spends_what_a_session_may_say_was_counted():
    assert all(spent(study())[0] > 0 for study in STUDIES.values())
    assert spent(STUDIES["decision"](epsilon=0.5, delta=0.01)) == (0.5, 0.01)


def test_that_bars_hold_every_person_once_and_the_last_may_stand_for_many():
    rows, qualifying = Spread({1: 5, 2: 3, 40: 2}), Spread({0: 4, 1: 5, 40: 1})
    made = bins(rows, qualifying)
    assert [each.label for each in made] == ["1", "2", "3", "4", "5", "6", "7", "8", "≥ 9"]
    assert [each.persons for each in made] == [5, 3, 0, 0, 0, 0, 0, 0, 2]
    assert [each.qualifying for each in made] == [5, 0, 0, 0, 0, 0, 0, 0, 1]
    assert [each.label for each in bins(Spread({2: 1, 3: 1}))] == ["2", "3"]
    assert bins(Spread({})) == ()
