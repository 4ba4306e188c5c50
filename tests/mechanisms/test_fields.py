"""What a mechanism is lies in its declared fields: rebuilt, replaced, pickled, it is the same to the last bit."""

from __future__ import annotations

import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanisms import CLASSES, NEW, answers, some

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.sources import Source
from dpstudio.mechanisms.decision import GeneralizedDecision, LaplaceDecision
from dpstudio.mechanisms.response import RandomizedResponse


def same(one: object, *others: object) -> None:
    expected = list(answers(one))
    for other in others:
        assert type(other) is type(one)
        assert other == one
        assert hash(other) == hash(one)
        for (name, a), (_, b) in zip(expected, answers(other), strict=True):
            np.testing.assert_array_equal(a, b, err_msg=name)


every_class = pytest.mark.parametrize("cls", [*CLASSES, *NEW], ids=lambda cls: cls.__name__)


@every_class
def test_that_everything_an_instance_starts_with_is_a_declared_parameter(cls):
    assert {entry.name for entry in dataclasses.fields(cls)} == {declared.name for declared in cls.parameters()}


@every_class
def test_that_a_mechanism_rebuilt_replaced_by_nothing_or_pickled_answers_the_same_to_the_last_bit(cls):
    @settings(max_examples=12, derandomize=True)
    @given(some(cls))
    def check(mechanism):
        same(mechanism, type(mechanism)(**mechanism.values()), mechanism.replace(),
             pickle.loads(pickle.dumps(mechanism)))

    check()


@every_class
def test_that_one_field_replaced_gives_what_building_anew_gives_or_is_refused_in_one_sentence(cls):
    @settings(max_examples=15, derandomize=True)
    @given(st.data())
    def check(data):
        mechanism, other = data.draw(some(cls)), data.draw(some(cls))
        name = data.draw(st.sampled_from([declared.name for declared in cls.parameters()]))
        changes = {name: getattr(other, name)}
        try:
            changed = mechanism.replace(**changes)
        except InvalidParameter as refusal:
            said = str(refusal)
        else:
            said = "one sentence, got it"
            assert changed.values() == mechanism.values() | changes
            same(changed, type(mechanism)(**changed.values()))
        assert "\n" not in said
        assert ", got " in said

    check()


@every_class
def test_that_a_mechanism_says_what_it_is_called_and_by_whom_it_is(cls):
    assert isinstance(cls.source, Source)
    assert cls.title[:1].isupper()
    assert cls.title[1:] == cls.name[1:]


@pytest.mark.parametrize(("change", "sentence"), [
    (lambda: LaplaceDecision.for_target(0.1, 1000, 0.99).replace(epsilon=0.2),
     "threshold must be 980.4398849728593, where f(1000) = 0.99 at epsilon = 0.2, got 960.8797699457185"),
    (lambda: LaplaceDecision.for_target(0.1, 1000, 0.5).replace(target=1.0), "target must be in (0, 1), got 1.0"),
    (lambda: LaplaceDecision.for_target(0.1, 1000, 0.5).replace(complement=0.4),
     "complement must be 1 − target, got 0.4"),
    (lambda: GeneralizedDecision.centred(1.0, 0.0, 5).replace(epsilon=2.0),
     "target must be 0.8807970779778824, that of a centre at epsilon = 2.0, delta = 0.0, got 0.7310585786300049"),
    (lambda: GeneralizedDecision.centred(1.0, 0.0, 5).replace(complement=None),
     "complement must be 0.2689414213699951, that of a centre at epsilon = 1.0, delta = 0.0, got None"),
    (lambda: RandomizedResponse.symmetric(1.0).replace(loss=2.0),
     "yes_if_yes must be 0.8807970779778823, as loss = 2.0 makes it, got 0.7310585786300049"),
    (lambda: RandomizedResponse.two_coin(0.5, 0.5).replace(theta2=0.0),
     "yes_if_yes must be 0.5, as theta1 = 0.5, theta2 = 0.0 makes it, got 0.75"),
    (lambda: RandomizedResponse.two_coin(0.5, 0.5).replace(theta1=None), "theta1 must be in [0, 1], got None"),
])
def test_that_a_field_that_no_longer_agrees_with_another_is_refused(change, sentence):
    with pytest.raises(InvalidParameter) as refusal:
        change()
    assert str(refusal.value) == sentence


def test_that_what_no_double_holds_is_kept_when_rebuilt():
    response = RandomizedResponse.symmetric(40.0)
    assert type(response)(**response.values()).epsilon == 40.0
    assert RandomizedResponse(response.yes_if_yes, response.yes_if_no).epsilon == math.inf
    decision = LaplaceDecision.for_target(1e-9, 10**9, 1 - 2**-53, 1e-300)
    rebuilt = type(decision)(**decision.values())
    assert rebuilt.reject_probability(10**9) == pytest.approx(1e-300, rel=1e-13)
    centred = GeneralizedDecision.centred(1000.0, 0.0, 5)
    assert type(centred)(**centred.values()).log_reject(5) == -1000.0
