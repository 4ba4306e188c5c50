"""Every sentence that a study says is true of its answer, and said when it should be: recomputed at random settings."""

from __future__ import annotations

import json
import re
from itertools import chain
from pathlib import Path

import pytest
from claims import kit
from claims.kit import Asked, Said, accepted, module_of, places_of, sentences_of, settings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.core.study import answer
from dpstudio.studies import all_studies

STUDIES = list(all_studies().values())
every_study = pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.key)
MOST, MOST_SEEN_FIRST, LONGEST, LONGEST_HEADLINE = 9, 2, 350, 200
"""Sentences, those that are seen first beside the headline, and characters of one: two lines of the headline, and five
of the column beside the pictures."""
DECIDED = {"use", "chosen"}
"""A place of a headline that says what somebody decided for."""
WORDS = Path(__file__).with_name("words.json")
ODD = re.compile(r"\b(note|nan|inf|None)\b|  |100 : 0|\(\)|1e−07 : ")


def claims_of(study):
    return kit.CLAIMS[module_of(study).__name__]


def judged(asked, update, before=()):
    """The sentences of an update; fails where a claim is false, or one is not made whose condition holds.

    What was said before in the same words is not judged again.
    """
    claims, said = claims_of(type(asked)), {sentence.key for sentence in update.verdicts}
    assert 0 < len(update.verdicts) <= MOST
    assert len(update.verdicts[0]) <= LONGEST_HEADLINE, update.verdicts[0]
    for sentence in update.verdicts:
        if sentence in before:
            continue
        assert sentence.endswith("."), sentence
        assert len(sentence) <= LONGEST, sentence
        assert not ODD.search(sentence), sentence
        claim, one = claims[sentence.key], Said(asked, update, sentence)
        assert claim.when is None or claim.when(one), (sentence, asked)
        if claim.person:
            kit.of_person(one, claim.person(one))
        kit.says_parameters(one)
        assert claim.check(one) is not False, (sentence, asked)
    if len(update.verdicts) < kit.most_sentences(type(asked)):
        left_out = [key for key, claim in claims.items()
                    if claim.when and not said.intersection(claim.keys) and claim.when(Asked(asked, update))]
        assert not left_out, asked
    return update.verdicts


@every_study
@settings(max_examples=30)
@given(data=st.data())
def test_that_every_claim_holds_when_recomputed_and_is_made_whenever_it_should_be(study, data):
    asked = data.draw(settings_of(study))
    judged(asked, answer(asked, simulate=False))


@every_study
@settings(max_examples=10)
@given(data=st.data())
def test_that_every_claim_holds_of_what_somebody_decided_for(study, data):
    if not DECIDED & places_of(study):
        return
    asked = data.draw(settings_of(study))
    update = answer(asked, simulate=False)
    choices = update.answer.choices
    if choices:
        judged(asked, update.deciding(data.draw(st.sampled_from(choices))))


@every_study
def test_that_every_sentence_and_every_part_of_one_is_said_somewhere_true_there_and_in_the_words_that_are_kept(study):
    """`WORDS` has each sentence as it was said first: a word that changes is changed there as well, by a person."""
    said, filled, first = getattr(module_of(study), "NOT_HERE", set()).copy(), set(), {}
    for values in ({}, *(preset.values for preset in study.presets), *getattr(module_of(study), "EXAMPLES", ())):
        asked = accepted(study, values)
        updates = tuple(asked.run())
        before = judged(asked, updates[0])
        decided = [judged(asked, updates[0].deciding(series))
                   for series in updates[0].answer.choices if DECIDED & places_of(study)]
        for sentence in chain(before, judged(asked, updates[-1], before), *decided):
            said.add(sentence.key)
            first.setdefault(sentence.key, str(sentence))
            filled |= sentence.places.keys()
    never = {one.key for one, _ in sentences_of(study)} - said
    assert not never
    empty = places_of(study) - filled
    assert not empty
    kept = json.loads(WORDS.read_text("utf-8")).get(study.key)  # a study that is new has none yet
    assert kept is None or {key: kept.get(key) for key in first} == first, json.dumps({study.key: first})


@every_study
def test_that_every_sentence_has_a_claim_and_of_one_that_may_be_left_out_it_is_known_when(study):
    found = {one.key: may_be_left_out for one, may_be_left_out in sentences_of(study)}
    assert claims_of(study).keys() == found.keys()
    assert not [key for key, may_be_left_out in found.items() if may_be_left_out and not claims_of(study)[key].when]


@every_study
def test_that_the_headline_what_comes_next_and_the_sentences_seen_first_are_read_first(study):
    named = set(study.level_one.sentences)
    if named == {"risk"}:
        return
    for values in ({}, *(preset.values for preset in study.presets)):
        keys = [sentence.key for sentence in answer(accepted(study, values), simulate=False).verdicts]
        assert "runner_up" not in keys[2:]
        rest = [key for key in keys[1:] if key != "runner_up"]
        first = [key for key in rest if key in named]
        assert first == rest[:len(first)]
        assert len(first) <= MOST_SEEN_FIRST
