"""What a study releases is added to the plan in one step, and the study in view stays."""

from __future__ import annotations

import pytest

from dpstudio.documents.session import Session
from dpstudio.studies import all_studies
from dpstudio.vocabulary import Record

PLAN = all_studies()["plan"]


def releases(session):
    return session.state(PLAN).setting.study.releases


def test_that_a_release_takes_the_place_of_the_example_and_others_follow():
    session = Session.of(all_studies()["noise"])
    one = session.plan(Record("a", "spent", {"epsilon": 0.5, "delta": 0.0}))
    assert one.study_class is session.study_class
    assert releases(one) == "a: spent epsilon=0.5"
    assert releases(one.plan(Record("b", "count", {"within": 3.0}))) == "a: spent epsilon=0.5;b: count within=3"


@pytest.mark.parametrize("key", [key for key in all_studies() if key != "plan"])
def test_that_whatever_a_study_would_add_is_accepted_and_costs_what_it_promises(key):
    answer = all_studies()[key]().answer()
    for series in answer.choices or (None,):
        record = answer.planned(series)
        promised = answer.guarantee(series)
        if promised is None or promised.nothing:
            assert record is None
            continue
        made = Session.of(all_studies()[key]).plan(record)
        study = made.state(PLAN).setting.study.replace(budget_delta=max(promised.delta, 1e-9))
        if record.kind == "spent":
            assert study.answer().one("pure").pure == pytest.approx(promised.epsilon)


def test_that_the_noise_on_one_number_is_a_sum_that_costs_the_same_with_laplace_noise():
    answer = all_studies()["noise"](epsilon=0.7, delta=0.0, sensitivity=2.5, error_level=0.95).answer()
    record = answer.planned(next(each for each in answer.choices if each.key == "laplace"))
    assert record.kind == "sum"
    study = Session.of(all_studies()["noise"]).plan(record).state(PLAN).setting.study
    assert study.answer().one("pure").pure == pytest.approx(0.7)


@pytest.mark.parametrize(("key", "values", "kind"), [
    ("decision", {"epsilon": 0.2, "minimum": 700}, "decision"), ("table", {"groups": 12, "per_person": 3}, "table"),
    ("number", {"upper": 50.0, "people": 300}, "sum"), ("number", {"statistic": "mean"}, "sum"),
    ("response", {"epsilon": 1.2, "design": "symmetric", "people": 5000}, "response"), ("noise", {}, "sum")])
def test_that_what_is_added_costs_no_more_than_it_does_where_it_comes_from(key, values, kind):
    """The plan has the least ε, or μ, for the same half width: that of the noise, or less where whole widths allow."""
    answer = all_studies()[key](**values).answer()
    tried = 0
    for series in answer.choices:
        record, promised = answer.planned(series), answer.guarantee(series)
        if promised is None or record.kind == "spent":
            continue
        tried += 1
        assert record.kind == kind
        plan = Session.of(all_studies()[key]).plan(record).state(PLAN).setting.study.answer()
        if promised.mu is not None and key != "decision":
            assert plan.one("gaussian").mu == pytest.approx(promised.mu, rel=1e-6)
        elif promised.delta == 0 and series.key in ("laplace", "response"):
            assert plan.one("pure").pure <= promised.epsilon * (1 + 1e-9)
            assert plan.one("pure").pure >= promised.epsilon * 0.8
    assert tried
