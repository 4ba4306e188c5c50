"""One suite for every answer: what asking for one fact computes, and what crosses a process."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from multiprocessing import get_context
from sys import getswitchinterval, setswitchinterval
from threading import Barrier, Thread

import numpy as np
import pytest
from answers_kit import at_hand
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.facts import GROUPS
from dpstudio.core.slow import EVERY, Wanted
from dpstudio.core.update import Update
from dpstudio.studies import all_studies

every_study = pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.key)
OWING = {("response", "best"): {"response"}, ("response", "raw"): {"response"}, ("posterior", "naive"): {"aware"},
         ("posterior", "clamped"): {"aware"}, ("budget", "gaussian_zcdp"): {"gaussian"}}
"""What is made from another one's numbers: the best response of its ε, its answers without debiasing, the confidence
that the two other intervals deserve, and another account of the same Gaussian releases."""


def settings_of(study):
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
    for setting in settings_of(study):
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
    for setting in settings_of(study):
        found = setting.answer()
        facts, sentences = found.facts(), list(found.sentences())
        sent = pickle.dumps(found)
        assert len(sent) < 2_000  # the values alone: nothing that was computed
        again = pickle.loads(sent)
        assert again.study == setting
        assert again.facts() == facts
        assert list(again.sentences()) == sentences
        assert pickle.loads(pickle.dumps(facts)) == facts


def everything(update, *, aside=True):
    """All that there is to read of an update, with or without the tables that draws have no part in."""
    return update.facts, update.verdicts, {
        name: {column.key: np.asarray(values).tolist() for column, values in update.tables[name].items()}
        for name in update.tables if aside or not update.answer.tabled[name].aside}


def few(study):
    """The study with few trials."""
    return study(trials=3000) if "trials" in study().values() else study()


def drawn(answer):
    """An update after all draws."""
    update = Update(answer)
    return [update, *(Update(answer, None, seen, done) for seen, done in answer.simulate(update.windows)
                      if seen is not None)][-1]


@cache
def all_draws(study):
    """What has been drawn in the end, and how much; nothing where nothing is drawn."""
    last = drawn(few(study).answer())
    return last.seen, last.done


@cache
def expected_of(study, simulated):
    return everything(Update(few(study).answer(), None, *(all_draws(study) if simulated else ())))


def assert_among(found, final):
    """Of a curve that is finer in the end: all that is there of it already is among what comes of it."""
    assert found or not final, "of nobody who is feared there is none"
    for key, values in found.items():
        assert set(values.tolist()) <= set(final[key]), key


@every_study
@settings(max_examples=5)
@given(data=st.data())
def test_that_in_whatever_order_it_is_prepared_or_left_an_update_comes_to_the_same(study, data):
    simulated = data.draw(st.booleans())
    update = Update(few(study).answer(), None, *(all_draws(study) if simulated else ()))
    facts, sentences, tables = expected_of(study, simulated)
    kind = type(update.answer)
    wanted = st.builds(Wanted, st.frozensets(st.sampled_from([*kind.tabled])),
                       st.frozensets(st.sampled_from([*kind.index()])), st.sampled_from([0, 1, 2, EVERY]))
    for _ in range(data.draw(st.integers(1, 4))):
        left = data.draw(st.integers(0, 40))
        list(islice(update.prepare(data.draw(wanted), hurry=data.draw(st.booleans())), left))
        assert update.said == sentences[: len(update.said)]
        assert set(update.standing()[0]) <= set(facts)
        for name in kind.tabled:
            found = at_hand(update, name)
            if found is not None and kind.tabled[name].aside:
                assert_among({column.key: np.asarray(values) for column, values in found.items()}, tables[name])
                continue
            assert found is None or {column.key: np.asarray(values).tolist() for column, values in found.items()}.items(
                ) <= tables[name].items()
    assert everything(update) == (facts, sentences, tables)


@every_study
def test_that_whoever_reads_while_a_worker_prepares_finds_the_same(study):
    expected = expected_of(study, True)
    update, failed, start = Update(few(study).answer(), None, *all_draws(study)), [], Barrier(3)

    def work(*steps):
        start.wait()
        try:
            for step in steps:
                list(step())
        except Exception as error:
            failed.append(error)

    def prepare():
        every = update.answer.everything(Wanted(frozenset(update.answer.tabled)))
        return chain(update.prepare(every, hurry=True), update.prepare(every))

    def look():
        return chain(update.standing()[0], (at_hand(update, name) for name in update.answer.tabled))

    def wait():
        return [found for found in [everything(update)] if found != expected and failed.append(found)]

    interval = getswitchinterval()
    setswitchinterval(1e-5)
    try:
        threads = [Thread(target=work, args=steps) for steps in ([prepare], [look] * 20, [wait])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        setswitchinterval(interval)
    assert not failed
    assert everything(update) == expected


@every_study
def test_that_an_answer_sent_in_the_middle_of_its_simulation_is_simulated_anew_to_the_same(study):
    answer = few(study).answer()
    sent = [pickle.loads(pickle.dumps(answer)) for _ in islice(answer.simulate(Update(answer).windows), 2)]
    expected = everything(drawn(answer), aside=False)
    for again in sent:
        assert everything(drawn(again), aside=False) == expected


def facts_elsewhere(answers):
    return [[(fact.key, fact.series and fact.series.key, fact.value.hex(), fact.kind, fact.low, fact.high, fact.how,
              fact.source, fact.at_least, fact.group) for fact in answer.facts()] for answer in answers]


def test_that_an_answer_sent_to_a_spawned_process_has_its_facts_to_the_last_bit():
    answers = [setting.answer() for study in all_studies().values() for setting in settings_of(study)[::4]]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert pool.submit(facts_elsewhere, answers).result() == facts_elsewhere(answers)


@every_study
def test_that_facts_stand_under_the_groups_in_order(study):
    declared = study.answers().declared
    assert list(declared) == [group for group in GROUPS if group in declared]
    assert all(declared.values())
    assert [fact.group for fact in study().answer().facts()] == sorted(
        (fact.group for fact in study().answer().facts()), key=GROUPS.index)
