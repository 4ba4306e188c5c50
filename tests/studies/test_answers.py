"""One suite for every answer: what asking for one fact computes, and what crosses a process."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from dpstudio import vocabulary as v
from dpstudio.core.answer import GROUPS
from dpstudio.studies import all_studies

every_study = pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.key)
OWING = {("response", "best"): {"response"}, ("response", "raw"): {"response"}, ("posterior", "naive"): {"aware"},
         ("posterior", "clamped"): {"aware"}}
"""What is made from another one's numbers: the best response of its ε, its answers without debiasing, and the
confidence that the two other intervals deserve."""


def settings(study):
    """The default, and those that differ in one choice."""
    choices = [parameter for parameter in study.parameters() if isinstance(parameter.domain, v.Choice)]
    return [study(), *(study(**{each.name: option}) for each in choices for option in each.domain.options)]


@every_study
def test_that_one_fact_alone_builds_its_own_series_and_does_no_work_of_others(study, monkeypatch):
    kind, built, tables, worked = study.answers(), [], [], []

    def counting(entry):
        return replace(entry, build=lambda a: built.append(entry.series.key) or entry.build(a))

    def tabled(name, each):
        return replace(each, make=each.make and (lambda a, view: tables.append(name) or each.make(a, view)))

    work = kind.work
    monkeypatch.setattr(kind, "compared", tuple(counting(entry) for entry in kind.compared))
    monkeypatch.setattr(kind, "tabled", {name: tabled(name, each) for name, each in kind.tabled.items()})
    monkeypatch.setattr(kind, "work", lambda a, slow: worked.append(slow) or work(a, slow))
    asked = 0
    for setting in settings(study):
        for (key, of), declared in kind.index().items():
            if declared.simulated:
                continue
            for found in (built, tables, worked):
                found.clear()
            setting.answer().fact(key, of)
            asked += 1
            if of is not None:
                assert set(built) <= {of} | OWING.get((study.key, of), set()), (key, of)
            assert len(built) == len(set(built)), (key, of)
            assert set(worked) <= {declared.slow}, (key, of)
            assert not tables, (key, of)
    assert asked


@every_study
def test_that_an_answer_rebuilt_elsewhere_says_the_same(study):
    for setting in settings(study):
        found = setting.answer()
        facts, sentences = found.facts(), list(found.sentences())
        sent = pickle.dumps(found)
        assert len(sent) < 2_000  # the values alone: nothing that was computed
        again = pickle.loads(sent)
        assert again.study == setting
        assert again.facts() == facts
        assert list(again.sentences()) == sentences
        assert pickle.loads(pickle.dumps(facts)) == facts


@every_study
def test_that_facts_stand_under_the_groups_in_order(study):
    declared = study.answers().declared
    assert list(declared) == [group for group in GROUPS if group in declared]
    assert all(declared.values())
    assert [fact.group for fact in study().answer().facts()] == sorted(
        (fact.group for fact in study().answer().facts()), key=GROUPS.index)
