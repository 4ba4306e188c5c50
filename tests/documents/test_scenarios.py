"""Scenarios: what they tell is computed at their settings, and true there."""

from __future__ import annotations

import math
import re

import pytest

from dpstudio.core.results import stated
from dpstudio.core.study import fact
from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.documents.session import Session, StudyState
from dpstudio.studies import all_studies
from dpstudio.text.numbers import powered

PLACE = re.compile(r"\{(?:(\w+)\.)?([a-z_0-9]+)(?::(\w+))?\}")


def words_of(scenario):
    return *scenario.story, scenario.question, *(claim.text for claim in scenario.claims)


@pytest.fixture(params=SCENARIOS.values(), ids=lambda one: one.key)
def scenario(request):
    return request.param


def test_that_there_are_several_each_with_three_sentences_and_a_question():
    assert len(SCENARIOS) >= 5
    assert len({one.study for one in SCENARIOS.values()}) == len(SCENARIOS), "each shows another study"
    for one in SCENARIOS.values():
        assert all(sentence.endswith(".") for sentence in (*one.story, *(claim.text for claim in one.claims)))
        assert one.question.endswith("?")


def test_that_no_number_in_its_words_is_typed(scenario):
    for text in words_of(scenario):
        assert not re.search(r"\d", PLACE.sub("", text)), text


def test_that_every_number_it_tells_is_the_parameter_or_fact_at_its_settings(scenario):
    told, kind = scenario.told(), all_studies()[scenario.study]
    whole = f"{told.story} {told.answer}"
    assert "{" not in whole
    for text in words_of(scenario):
        for at, name, series in PLACE.findall(text):
            study = kind(**{**scenario.values, **(scenario.others[at] if at else {})})
            if name not in study.values():
                assert powered(stated(fact(study, name, series or None))) in whole


def test_that_every_claim_holds_there_and_could_fail(scenario):
    def number(quantity, series=None, at=""):
        values = {**scenario.values, **(scenario.others[at] if at else {})}
        return fact(all_studies()[scenario.study](**values), quantity, series).value

    for claim in scenario.claims:
        assert claim.when(number), claim.text
        assert not claim.when(lambda *_: math.nan), "it asks nothing of the facts"


def test_that_its_answer_begins_with_numbers_that_the_headline_above_it_does_not_say(scenario):
    study = all_studies()[scenario.study](**scenario.values)
    above = [each for i, each in enumerate(study.answer().sentences()) if i == 0 or each.key == "runner_up"]
    first = powered(str(scenario.claims[0].said(scenario.told())))
    untold = [number for number in re.findall(r"\d[\d.\u202f]*\d|\d", first) if number not in " ".join(above)]
    assert untold, "it asks what the headline has answered already"


def test_that_it_opens_with_its_values_and_pins_and_keeps_a_note(scenario):
    kind = all_studies()[scenario.study]
    before = StudyState(Session(kind).state().setting, hidden=frozenset({"laplace"}), note="mine")
    session = scenario.session(before)
    state = session.state()
    assert session.study_class is kind
    assert dict(state.setting.explicit) == dict(scenario.values)
    assert [dict(pin.explicit) for pin in state.pins] == [{**scenario.values, **each} for each in
                                                         scenario.others.values()]
    assert state.note == "mine"
    assert not state.hidden
    assert all(pin.study != state.setting.study for pin in state.pins)
