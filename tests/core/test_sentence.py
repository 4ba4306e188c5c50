"""A sentence has places, a condition and alternatives; what was said tells what stands in its places."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import pytest

from dpstudio.core.sentence import drawn_sentence, first_said, found_once, part, sayings, sentence
from dpstudio.core.slow import NotYet, hurried
from dpstudio.studies.decision import Decision
from dpstudio.studies.watch import Watch

HERE = SimpleNamespace(n=1234, word="so")


def test_that_places_are_filled_in_their_ways_and_can_be_asked_for():
    said = sentence("key", "{n|whole} or {n|people}, {n|up}: {all.word}.", n=lambda a: a.n, all=lambda a: a).said(HERE)
    assert said == "1\u202f234 or 1\u202f234 people, 1\u202f240: so."
    assert (said.key, said.places["all.word"], said.places["n"]) == ("key", "so", "1\u202f240")
    assert (pickle.loads(pickle.dumps(said)).places, pickle.loads(pickle.dumps(said))) == (said.places, said)


def test_that_parts_have_conditions_of_their_own_and_bring_their_places_along():
    made = sentence("key", "It{often}{way}.", often=part(", {n|near}", n=lambda a: a.n, when=lambda a: a.n > 1),
                    way=(part(" twice", when=lambda a: a.n == 2), part(" {word}", word=lambda a: a.word)))
    said = [made.said(SimpleNamespace(n=n, word="so")) for n in (1, 2, 3)]
    assert said == ["It so.", "It, 2 twice.", "It, 3 so."]
    assert said[0].places == {"way": " so", "word": "so"}
    assert said[1].places == {"often": ", 2", "n": "2", "way": " twice"}


def test_that_parameters_facts_and_their_ends_stand_under_their_names():
    answer = Decision(epsilon=0.25, others="selection").answer()
    band = answer.fact("band_width", "laplace").value
    said = sentence("key", "{epsilon}, {others}, {band_width:laplace|up}.").said(answer)
    assert said.startswith("0.25, group selection, ")
    assert band <= float(said.places["band_width:laplace"]) <= 1.01 * band
    with pytest.raises(AssertionError, match="guarantee_delta:discrete_laplace has no value"):
        sentence("key", "{guarantee_delta:discrete_laplace}").said(answer)
    update = list(Watch(trials=200).run())[-1]
    low = drawn_sentence("key", "{delay_seen:tree:low|down}").said(update.answer, update.seen)
    assert float(low) <= update.answer.fact("delay_seen", "tree", update.seen).low


def test_that_a_place_that_the_text_has_not_is_an_error_but_for_shared_ones():
    with pytest.raises(AssertionError, match="key has no place for n"):
        sentence("key", "None.", n=lambda a: a.n)
    assert sentence("key", "{n}.", {"n": lambda a: a.n, "word": lambda a: a.word}).said(HERE) == "1234."


def test_that_sentences_are_said_in_order_the_first_of_alternatives_and_what_is_drawn_last():
    table = ((drawn_sentence("drawn", "{n}.", n=lambda _, seen: seen), sentence("before", "Before.")),
             sentence("never", "Never.", when=lambda a: a.n == 0), sentence("last", "Last."), sentence("more", "More."))
    assert list(sayings(table, HERE)) == ["Before.", "Last.", "More."]
    assert list(sayings(table, HERE, 7, 2)) == ["7.", "Last."]
    assert first_said(table[0][:1], HERE) is None


def test_that_nothing_is_asked_for_before_its_turn_and_what_takes_longer_is_waited_for():
    asked = []
    table = (sentence("first", "First."), sentence("next", "{n}.", n=asked.append))
    assert next(sayings(table, HERE)) == "First."
    assert not asked
    slow = Decision(others="discrete").answer()
    key = next(place for place, each in slow.index().items() if each.slow)
    with hurried(), pytest.raises(NotYet):
        sentence("slow", f"{{{key[0]}:{key[1] or ''}}}").said(slow)


def test_that_what_is_found_once_is_kept_with_the_answer():
    calls = []
    found = found_once(lambda a: calls.append(a) or len(calls))
    one, other = SimpleNamespace(kept={}, decided=None), SimpleNamespace(kept={}, decided=None)
    assert [found(one), found(one), found(other)] == [1, 1, 2]


def test_that_of_two_threads_who_find_it_at_once_the_first_is_kept():
    made = iter([lambda a: [found(a)], lambda a: []])  # the first is overtaken while it finds its own
    found, one = found_once(lambda a: next(made)(a)), SimpleNamespace(kept={}, decided=None)
    assert (found(one), found(one)) == ([], [])
