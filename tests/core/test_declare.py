"""A declared parameter accepts its domain and nothing else, and defaults follow what they are declared to follow."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import Declared, Follow, InvalidParameter, counts, parameter
from dpstudio.vocabulary import EXACT_INTEGERS, Interval, integers, reals

ends = st.floats(-1e9, 1e9)
intervals = st.builds(lambda a, b, low, high: Interval(min(a, b), max(a, b), low, high), ends, ends, st.booleans(),
                      st.booleans()).filter(lambda interval: interval.high - interval.low > 1e-3)
few = st.sampled_from([-math.inf, -2.0, -1.0, 0.0, 1.0, 2.0, math.inf])
narrow = st.builds(Interval, few, few, st.booleans(), st.booleans()).filter(lambda each: each.low < each.high)
whole = st.builds(lambda a, b: integers(min(a, b), max(a, b)), st.integers(-10**12, 10**12),
                  st.integers(-10**12, 10**12))
anything = st.one_of(st.none(), st.booleans(), st.text(), st.integers(), st.floats(), st.fractions(),
                     st.complex_numbers(), st.lists(st.floats()))


@dataclass(frozen=True)
class Sample(Declared):
    minimum: int = parameter(v.MINIMUM, 1_000, domain=integers(1, 10**9))
    epsilon: float = parameter(v.EPSILON, 0.1, domain=reals(1e-6, 20))
    records: int = parameter(v.RECORDS, Follow("minimum", 1.02), domain=integers(1, 10**6))
    tail: float = parameter(v.TAIL, Follow("epsilon"))
    qualifying: int = parameter(v.RECORDS, Follow("epsilon", 0.5, times="minimum"), domain=integers(0, 10**6))
    beside: int = parameter(v.RECORDS, Follow("minimum", plus=20), domain=integers(0, 10**9))
    prior: str = parameter(v.PRIOR, "uniform", group="Prior")
    width: float = parameter(v.PRIOR_WIDTH, 1.0, when=("prior", "uniform", "normal"))
    zero_refused: bool = parameter(v.ZERO_REFUSED, False)


@given(intervals | whole, anything)
@example(integers(), Fraction(2**62 * 3 + 1, 3))
@example(integers(0, 2**63 - 1), 2**63 - 1)
@example(reals(), math.inf)
@example(reals(), 10**400)
def test_that_what_a_domain_accepts_lies_inside_and_is_normal(domain, given_value):
    accepted = domain.accept(given_value)
    if accepted is not None:
        assert type(accepted) is (int if domain.integer else float)
        assert domain.low <= accepted <= domain.high
        assert math.isfinite(accepted)
        assert not domain.integer or accepted == given_value


def made(make):
    """What is made, or the refusal."""
    try:
        return make()
    except InvalidParameter as error:
        return str(error)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(Sample.by_name(), anything)),
       st.builds(dict, epsilon=st.floats(1e-6, 0.4), minimum=st.integers(1, 10**5)))
@example({"records": None, "minimum": 7}, {})
@example({"tail": None}, {"epsilon": 0.25, "tail": 0.3})
def test_that_one_with_other_values_is_the_one_made_of_all_or_refused_alike(changes, values):
    before = Sample(**values)
    after = made(lambda: before.replace(**changes))
    assert after == made(lambda: Sample(**(before.values() | changes)))
    assert before == Sample(**values)
    assert isinstance(after, str) or list(vars(after)) == list(Sample.by_name())
    with pytest.raises(TypeError, match="nowhere"):
        before.replace(nowhere=1)


@given(intervals | whole, st.floats(-1e15, 1e15))
@example(reals(0, 1, open="both"), 0.0)
@example(reals(0, 1, open="both"), 1.0)
@example(Interval(0, 3, low_open=True, high_open=True, integer=True), 9.0)
def test_that_the_nearest_value_is_accepted_and_a_value_is_its_own(domain, number):
    nearest = domain.nearest(number)
    assert domain.accept(nearest) == nearest
    if (accepted := domain.accept(number)) is not None:
        assert nearest == accepted


@given(narrow, narrow)
@example(reals(), reals(open="both"))
def test_that_an_interval_lies_within_another_where_all_its_values_do(inner, outer):
    near = [number for end in range(-4, 5) for number in (end, math.nextafter(end, 9), math.nextafter(end, -9))]
    values = [number for number in (-1e300, *near, 1e300) if inner.accept(number) is not None]
    assert inner.within(outer) == all(outer.accept(number) is not None for number in values)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, 0, 21, "0.1", None, True, [0.1], 0.1j])
def test_that_a_bad_value_is_refused_by_name_domain_and_what_was_given(bad):
    if bad is None:
        with pytest.raises(InvalidParameter, match="None"):
            Sample(epsilon=bad)
        return
    with pytest.raises(InvalidParameter) as refusal:
        Sample(epsilon=bad)
    shown = float(bad) if type(bad) is int else bad  # a real number, however it was written
    assert str(refusal.value) == f"epsilon must be in [1e-6, 20], got {shown!r}"


def test_that_the_refusal_of_a_contract_reads_as_promised():
    with pytest.raises(ValueError, match=r"^epsilon must be in \(0, ∞\), got -1\.0$"):
        raise InvalidParameter("epsilon", v.POSITIVE, -1.0)


def test_that_a_long_value_is_refused_on_one_short_line():
    with pytest.raises(InvalidParameter) as refusal:
        Sample(prior="x\n" * 1000)
    assert len(str(refusal.value)) < 140
    assert "\n" not in str(refusal.value)


def test_that_a_default_follows_until_it_is_set():
    assert Sample(minimum=2_000).records == 2_040
    assert Sample(minimum=2_000, records=5).records == 5
    assert Sample(minimum=2_000, records=5).default("records") == 2_040
    assert Sample().default("minimum") == 1_000


def test_that_a_default_follows_a_product_and_says_so():
    assert Sample(minimum=2_001, epsilon=0.3).qualifying == round(0.3 * 2_001 * 0.5)
    assert str(Follow("epsilon", 0.5, times="minimum")) == "0.5 × epsilon × minimum"
    assert Follow("epsilon", times="minimum").names == ("epsilon", "minimum")


def test_that_a_default_follows_at_a_distance_and_says_so():
    assert Sample(minimum=2_001).beside == 2_021
    assert Sample(minimum=2_001).replace(minimum=10**9).default("beside") == 10**9, "the domain ends there"
    assert str(Follow("minimum", plus=20)) == "minimum + 20"


@given(st.integers(1, 10**9), st.floats(1e-6, 20))
def test_that_a_followed_default_never_leaves_its_own_domain(minimum, epsilon):
    sample = Sample(minimum=minimum, epsilon=epsilon)
    assert sample.records == min(max(round(minimum * 1.02), 1), 10**6)
    assert 0 < sample.tail < 0.5


def test_that_declarations_keep_their_order_their_name_and_their_group():
    declared = Sample.parameters()
    assert [each.name for each in declared] == list(Sample().values())
    assert Sample.parameter("prior").group == "Prior"
    with pytest.raises(KeyError):
        Sample.parameter("prices")


@pytest.mark.parametrize("bad", [-1, 0.5, math.nan, math.inf, EXACT_INTEGERS + 2, "3", [1, 2.5], True])
def test_that_a_number_of_records_is_whole_and_not_negative(bad):
    with pytest.raises(InvalidParameter, match="n must be an integer in"):
        counts(bad)


def test_that_numbers_of_records_keep_their_shape():
    assert counts(np.zeros((2, 3), dtype=int)).shape == (2, 3)
    assert counts(5).shape == ()


@pytest.mark.parametrize(("prior", "matters"), [("uniform", True), ("normal", True), ("poisson", False)])
def test_that_a_parameter_matters_only_where_it_is_declared_to_and_is_accepted_everywhere(prior, matters):
    sample = Sample(prior=prior, width=7.0)
    assert sample.width == 7.0
    assert Sample.parameter("width").matters(sample.values()) is matters
    assert Sample.parameter("epsilon").matters(sample.values())
    assert Sample.parameter("width").condition == "Used only where prior is uniform or normal."
    assert not Sample.parameter("epsilon").condition
    with pytest.raises(InvalidParameter):
        Sample(prior=prior, width=-1.0)


def test_that_a_whole_number_reads_the_same_from_a_flag_and_from_a_call():
    count = integers(1, 10)
    assert str(InvalidParameter("k", count, 0.0)) == str(InvalidParameter("k", count, 0))
    assert str(InvalidParameter("k", count, 0.0)) == "k must be an integer in [1, 10], got 0"
    assert str(InvalidParameter("k", count, 0.5)).endswith("got 0.5")


def test_that_an_option_is_called_by_its_words_and_known_by_itself():
    choice = v.Choice(("symmetric", "two_coins"), ("by ε", "two coins θ₁, θ₂"))
    assert [choice.said(option) for option in choice.options] == ["by ε", "two coins θ₁, θ₂"]
    assert choice.accept("by ε") is None
    assert choice.said("other") == "other"
    assert v.Choice(("two_coins",)).said("two_coins") == "two coins"


def test_that_only_what_stands_in_the_place_of_something_in_force_makes_the_choice_with_it():
    one = parameter(v.EPSILON, 1.0, when=("kind", "a", "b"), instead=v.GUARANTEE_EPSILON).metadata["parameter"]
    assert one.brings({"kind": "c"}) == {"kind": "a"}
    assert one.brings({"kind": "b"}) == {}
    other = parameter(v.EPSILON, 1.0, when=("kind", "a")).metadata["parameter"]
    assert other.brings({"kind": "c"}) == {}
