"""Deployments in use: where an ε is marked its unit of privacy is alike, elsewhere a sentence says why not."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.confirmed import CONFIRMED, Confirmed
from dpstudio.core.deployments import SPENT, deployed, deployments, registry, stated, why_not
from dpstudio.core.figure import Axis
from dpstudio.core.guarantee import COUNTED, RECORD, REPLACED, TRUTH, Guarantee, groups_of, rows_of
from dpstudio.core.resources import resource
from dpstudio.core.sources import DR14
from dpstudio.core.study import answer
from dpstudio.core.units import MODELS, PERIODS, UNITS, protected
from dpstudio.mechanisms.laws import Claim
from dpstudio.scene.published import ROWS, Flag, flags, most_rows, told
from dpstudio.scene.published import rows_of as rows_of_flags
from dpstudio.scene.scene import resolve
from dpstudio.studies import all_studies

DEPLOYMENTS = deployments()
BY_NAME = {one.name: one for one in DEPLOYMENTS}
ENTRIES = {entry["slug"]: entry for entry in json.loads(resource("deployments/deployments.json").read_text("utf-8"))[
    "deployments"]}
EPSILON = Axis(v.EPSILON, "log")
SAID = {"record": ({"record", "tuple", "birth", "trip"}, "record of one person"),
        "person": ({"user", "person", "individual"}, r"batches of one person|^one person (with|in) \d+"),
        "event": ({"event"}, "answer|yes or no")}
"""By kind of unit: one of these words is in the entry, and what is in the relation of the study."""
OTHERS = {"record": (), "person": ("record", "tuple", "birth", "trip", "event", "device", "account", "housing"),
          "event": ("month", "day")}
TIMES = ("day", "month", "week", "quarter", "hour")
SETTINGS = [
    *((key, {}) for key in all_studies()), ("neighbours", {"change": "swap"}), ("audit", {"mechanism": "response"}),
    ("audit", {"mechanism": "shuffled_responses"}), ("audit", {"mechanism": "bounded_rows"}),
    ("audit", {"mechanism": "wrong_delta"}), ("mean", {"about": "population"}), ("updating", {"who": "visits"}),
]


def promise(relation=RECORD, model="central"):
    return Guarantee(relation, 1.0, 0.0, Claim(1.0, 0.0), DR14, model=model)


def why(name, *promises, axis=EPSILON):
    return why_not(BY_NAME[name], promises or (promise(),), axis)


def scene(figure, key="decision", values=(), **kwargs):
    study = all_studies()[key](**dict(values))
    update = answer(study, simulate=False)
    parameters = {each.name: each for each in study.parameters()}
    return resolve(study.figure(figure), update, study.values(), parameters, **kwargs)


def test_that_every_entry_of_the_file_is_well_formed():
    assert re.fullmatch(r"[0-9a-f]{40}", registry()["commit"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", registry()["date"])
    assert "Permission is hereby granted" in resource("deployments/LICENSE.txt").read_text("utf-8")
    assert list(ENTRIES) == sorted(ENTRIES)
    assert len(ENTRIES) == len(DEPLOYMENTS) > 40
    for entry in ENTRIES.values():
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", entry["date"])
        assert entry["unit"] in UNITS
        assert entry["period"] in PERIODS
        assert entry["model"] in MODELS
        assert entry["name"]
        assert entry["curators"]
        assert entry["what"]
        assert entry["tier"] in (1, 2, 3)
        assert entry["links"]
        assert all(link.startswith("http") for link in entry["links"])
        for name in ("epsilon", "rho"):
            assert entry[name] is None or entry[name] > 0
        assert entry["delta"] is None or isinstance(entry["delta"], str) or 0 < entry["delta"] < 1e-4
        assert not re.search(r"\\|\t|  ", "".join(each for each in entry.values() if isinstance(each, str)))


def test_that_what_was_confirmed_belongs_to_an_entry_and_says_where():
    assert CONFIRMED.keys() <= ENTRIES.keys()
    assert len({each.name for each in CONFIRMED.values()}) == len(CONFIRMED)
    for slug, each in CONFIRMED.items():
        if each.source is None:
            assert each == Confirmed(each.name), slug
        else:
            assert each.whose
            assert each.caveat.endswith(".")
            assert re.search(r"arXiv:\d{4}\.\d{5}|doi:10\.|https://|\d{4}", each.source.reference)
        if each.spent:
            epsilon, delta = each.spent
            entry = ENTRIES[slug]
            assert entry["epsilon"] is None, "what the registry states stands"
            # It is no more than follows from the ρ that is stated [Bun & Steinke 2016, Proposition 1.3].
            bound = entry["rho"] + 2 * math.sqrt(entry["rho"] * math.log(1 / delta))
            assert 0.8 * bound < epsilon < 1.15 * bound


def test_that_numbers_are_those_of_the_registry_unless_it_states_none():
    for one in DEPLOYMENTS:
        entry = ENTRIES[one.slug]
        assert one.rho == entry["rho"]
        if entry["epsilon"] is not None:
            assert one.epsilon == entry["epsilon"]
            assert one.delta == (0.0 if entry["delta"] is None and entry["variant"] == "Pure DP" else entry["delta"])
        elif one.slug not in CONFIRMED:
            assert one.epsilon is None


@pytest.mark.parametrize("one", DEPLOYMENTS, ids=lambda one: one.slug)
def test_that_a_deployment_says_what_it_spends_for_whom_and_who_adds_the_noise(one):
    assert 2010 < one.year <= 2026
    for said in (one.title, one.whose, one.caveat, one.spent, str(one.year), MODELS[one.model], *one.curators,
                 one.where_from):
        assert said in one.says
    assert ("without δ" in one.says) == (one.epsilon is not None and one.delta == 0)


def test_that_they_ascend_those_with_a_rho_and_without_any_number_last():
    numbers = [one.epsilon for one in DEPLOYMENTS if one.epsilon is not None]
    assert numbers == sorted(numbers)
    kinds = [0 if one.epsilon is not None else 1 if one.rho is not None else 2 for one in DEPLOYMENTS]
    assert kinds == sorted(kinds)
    assert set(kinds) == {0, 1, 2}


def test_that_nothing_is_read_before_somebody_asks():
    asks = ("import dpstudio.scene.scene, dpstudio.core.deployments as d; print(d.registry.cache_info().currsize, "
            "len(d.deployments()), d.registry.cache_info().currsize)")
    done = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", str(len(DEPLOYMENTS)), "1"]


@pytest.mark.parametrize(("key", "values"), SETTINGS, ids=lambda each: str(each))
def test_that_every_mark_on_the_axes_of_a_study_is_of_its_unit_by_the_words_of_both(key, values):
    study = all_studies()[key](**values)
    guarantees = tuple(study.answer().guarantees.values())
    for figure in study.figures:
        for one in deployed(guarantees, figure.x):
            entry, confirmed = ENTRIES[one.slug], CONFIRMED.get(one.slug)
            words = re.findall(r"[a-z]+", entry["unit_words"].casefold())
            wanted, relation = SAID[entry["unit"]]
            assert wanted & set(words)
            assert not any(word in words for word in (*OTHERS[entry["unit"]], *TIMES))
            assert confirmed is None or confirmed.unit is None
            assert all(re.search(relation, each.relation.unit) for each in guarantees)
            assert any(each.model == entry["model"] for each in guarantees)
            assert figure.x.quantity.symbol in ("ε", "Σε")


def test_that_some_stand_on_the_axes_of_records_of_persons_and_of_answers_and_none_elsewhere():
    def names(key, figure, **values):
        found = scene(figure, key, values, view=(1e-3, 100), with_published=True)
        return {mark.deployment.name for mark in found.published}

    records, answers = {"City trips", "Births"}, {"Apple emoji", "Apple health", "Safari"}
    assert names("noise", "sigma") == names("neighbours", "frontier") == names("audit", "frontier") == records
    assert names("response", "frontier") == names("mean", "epsilon") == answers
    assert names("audit", "frontier", mechanism="response") == answers
    assert names("updating", "frontier") == {"Broadband", "Suggested replies", "OhmConnect", "Hurricane", "Trafficking"}
    assert names("posterior", "coverage") == set(), "a curator counts there: nobody randomizes their own answer"
    assert names("audit", "frontier", mechanism="wrong_delta") == set(), "what is wrong promises nothing"
    assert names("audit", "frontier", mechanism="bounded_rows") == {
        "Broadband", "Suggested replies", "OhmConnect", "Hurricane", "Trafficking"}
    for figure in ("counts", "decision", "frontier"):
        assert names("policy", figure) == set(), "one count is not a person, and the curves protect unlike units"
    assert names("decision", "frontier") == names("decision", "acceptance") == set()


def test_that_why_not_says_what_is_unlike():
    assert why("Births") == ""
    assert why("Births", promise(REPLACED)) == ""
    assert why("Births", axis=Axis(v.EPSILON_PRIME)) == (
        f"The axis, {v.EPSILON_PRIME.label}, is not the ε of a guarantee.")
    assert why_not(BY_NAME["Births"], (), EPSILON) == "Nothing is guaranteed here."
    assert why("Births", promise(), promise(rows_of(5))) == (
        "Its unit of privacy is one birth: mother and child; here it is not the same for all curves.")
    assert why("Mobility") == (
        "Its unit of privacy is where one user is in a day; here it is one record of one person.")
    assert why("Mobility", promise(groups_of(5))) == (  # a day is less than a person
        "Its unit of privacy is where one user is in a day; here it is one person in 5 groups at most.")
    assert why("Broadband", promise(groups_of(5))) == ""
    assert why("Apple emoji", promise(TRUTH, "local")) == ""
    assert why("Apple emoji", promise(COUNTED)) == (
        "Every person or device randomizes its own data there; here a curator adds the noise.")
    assert why("Apple emoji", promise(COUNTED), promise(COUNTED, "local")) == "", "one curve does so, too"
    assert why("Apple emoji", promise(COUNTED), promise(COUNTED, "shuffled")).endswith("; here nothing does so.")
    assert why("FLEX") == f"Its δ is a formula: {BY_NAME['FLEX'].delta}."
    assert why("Census County Business Patterns").startswith("It states ρ = 12.058;")
    assert why("Safety Classifier") == "It states no ε."
    births = BY_NAME["Births"]
    for change, said in (({"variant": "Renyi DP"}, "Its ε is of another kind of privacy: Renyi DP."),
                         ({"variant": ""}, "Its ε is of another kind of privacy: which, is not said."),
                         ({"delta": None}, "It states an ε without its δ."),
                         ({"unit": "unknown"}, f"Its unit of privacy is {births.whose}; here it is one record of one "
                                               "person."),
                         ({"period": "unsaid"}, f"Its unit of privacy is {births.whose}; here it is one record of one "
                                                "person.")):
        assert why_not(replace(births, **change), (promise(),), EPSILON) == said


def test_that_a_study_that_says_no_kind_of_unit_has_no_marks():
    assert deployed((promise(replace(RECORD, kind="")),), EPSILON) == ()
    assert {each.symbol.strip("Σ afterk") for each in SPENT} == {"ε"}
    for quantity in (v.EPSILON_PRIME, v.RECORDS, v.DELTA, v.COUNT_EPSILON, v.ACT_EPSILON):
        assert deployed((promise(),), Axis(quantity)) == ()


def test_that_a_rho_is_no_epsilon_and_a_pure_epsilon_has_no_delta():
    assert stated(BY_NAME["Births"]) == (9.98, 0.0)
    assert stated(BY_NAME["City trips"]) == (0.66, 2.1e-29)
    assert stated(BY_NAME["Census County Business Patterns"]) is None
    assert stated(BY_NAME["FLEX"]) is None


def test_that_units_are_said_with_their_time():
    assert protected("person", "day") == "one person in one day"
    assert protected("record", "") == "one record"
    assert protected("person", "unsaid") == "one person, for how long is not said"


def test_that_the_guarantees_of_studies_say_who_adds_the_noise():
    models = {(key, series and series.key): one.model for key, kind in all_studies().items()
              for series, one in kind().answer().guarantees.items()}
    assert {place for place, model in models.items() if model == "local"} == {
        ("response", "response"), ("response", "best"), ("mean", "response")}
    assert {place for place, model in models.items() if model == "shuffled"} == {("mean", "shuffled")}


def test_that_a_scene_has_those_in_view_where_they_are_asked_for():
    marks = scene("frontier", "updating", view=(0.5, 5.0), with_published=True).published
    assert [mark.deployment.name for mark in marks] == ["Suggested replies", "OhmConnect"]
    assert [10**mark.at for mark in marks] == pytest.approx([mark.deployment.epsilon for mark in marks])
    assert all(mark.deployment.whose in " ".join(told(marks)) for mark in marks)
    assert scene("frontier", "updating").published == ()


def test_that_marked_names_are_short():
    for kind in all_studies().values():
        guarantees = tuple(kind().answer().guarantees.values())
        assert all(len(one.name) <= 18 for figure in kind.figures for one in deployed(guarantees, figure.x))


LENGTHS = st.floats(1, 120)


@given(st.lists(st.tuples(st.floats(0, 400), LENGTHS), max_size=14), st.integers(1, ROWS))
def test_that_names_lie_within_the_picture_and_clear_of_each_other(marks, rows):
    marks.sort()
    ticks, widths = [at for at, _ in marks], [width for _, width in marks]
    found = flags(ticks, widths, 400.0, rows, 3.0)
    boxes = [(flag.row, flag.left, flag.left + width) for flag, width in zip(found, widths, strict=True) if flag]
    assert all(0 <= row < rows and left >= 0 and right <= 400 for row, left, right in boxes)
    for i, (row, left, right) in enumerate(boxes):
        assert not any(row == other and left < end + 3 and start < right + 3 for other, start, end in boxes[:i])
    for at, width, flag in zip(ticks, widths, found, strict=True):
        if flag:
            assert flag.left in (at + 3, at - 3 - width)
    assert rows_of_flags(found) <= rows


def test_that_a_name_is_led_past_the_one_that_it_would_cover():
    assert flags([10.0, 30.0], [40.0, 40.0], 100.0, 2, 3.0) == [Flag(13.0, 1), Flag(33.0, 0)]
    assert flags([50.0, 51.0, 60.0, 61.0], [5.0, 30.0, 58.0, 20.0], 200.0, 2, 3.0) == [
        Flag(53.0, 0), Flag(18.0, 0), Flag(63.0, 1), Flag(64.0, 0)], "its own tick counts as much as another’s"
    assert flags([95.0], [40.0], 100.0, 1, 3.0) == [Flag(52.0, 0)]
    assert flags([10.0, 30.0], [200.0, 40.0], 100.0, 2, 3.0)[0] is None
    assert rows_of_flags([None, Flag(0.0, 1)]) == 2
    assert rows_of_flags([None]) == rows_of_flags([]) == 0
    assert [most_rows(height, 10.0) for height in (79.0, 80.0, 1e4)] == [0, 2, ROWS]
