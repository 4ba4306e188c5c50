"""Where values lie along a slider, and which values it yields."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.scale import ZERO_NOTCH, scale_of
from dpstudio.studies import all_studies

RESOLUTION = 1 / 250

SCALES = {scale: f"{study.key}-{declared.name}" for study in all_studies().values() for declared in study.parameters()
          if (scale := scale_of(declared))}
"""Every scale once, by the last parameter that has it."""


def any_scale(test):
    return settings(max_examples=15)(pytest.mark.parametrize("scale", SCALES, ids=SCALES.values())(test))


DELTA = scale_of(Parameter("delta", v.DELTA, v.reals(0, 0.5), shown=(1e-12, 0.1)))
RECORDS = scale_of(Parameter("records", v.RECORDS, v.integers(0, 10**12), shown=(0, 1e7)))
EPSILON = scale_of(Parameter("epsilon", v.EPSILON, v.reals(1e-6, 20), shown=(1e-4, 10)))
TARGET = scale_of(Parameter("target", v.TARGET, v.reals(1e-9, 1 - 1e-9), shown=(0.001, 0.999)))


@any_scale
@given(positions=st.tuples(st.floats(0, 1), st.floats(0, 1)))
@example(positions=(0, 1))
def test_that_a_slider_yields_values_within_a_step_of_its_position_and_further_right_never_less(scale, positions):
    left, right = sorted(positions)
    assert scale.value(left, RESOLUTION) <= scale.value(right, RESOLUTION)
    for position in positions:
        value = scale.value(position, RESOLUTION)
        assert scale.domain.accept(value) == value
        if value > 10 or not scale.domain.integer:
            near_zero = scale.zero and position < ZERO_NOTCH
            # Where integers lie farther apart than a step, the nearest one is as near as it gets.
            apart = scale.position(value) - scale.position(value - 1) if scale.domain.integer else 0.0
            near = max(1.01 * RESOLUTION, 0.6 * apart)
            assert abs(scale.position(value) - position) <= (ZERO_NOTCH if near_zero else near)


@any_scale
@given(position=st.floats(0, 1), direction=st.sampled_from([-1, 1]), step=st.sampled_from(["least", "digit", "leap"]))
@example(position=0, direction=-1, step="leap")
def test_that_a_step_moves_its_way_within_the_domain_and_a_slider_stays_in_its_range(scale, position, direction, step):
    value = scale.value(position, RESOLUTION)
    stepped, moved = scale.step(value, direction, step), scale.move(value, direction, step)
    assert scale.domain.accept(stepped) == stepped
    assert (stepped - value) * direction >= 0
    assert (moved - value) * direction >= 0
    assert (scale.zero and moved == 0) or scale.domain.nearest(scale.low) <= moved <= scale.domain.nearest(scale.high)


def test_that_a_slider_yields_few_digits():
    for scale in (EPSILON, TARGET):
        for percent in range(101):
            digits = repr(scale.value(percent / 100, RESOLUTION)).partition("e")[0].replace(".", "").strip("0")
            assert len(digits) <= 3, digits


def test_that_zero_has_a_notch_left_of_a_logarithm():
    assert DELTA.position(0) == 0
    assert DELTA.position(1e-12) == DELTA.start == ZERO_NOTCH
    assert DELTA.value(0, RESOLUTION) == 0
    assert DELTA.move(1e-12, -1, "least") == 0
    assert DELTA.move(0, 1, "least") == 1e-12
    assert not EPSILON.zero


def test_that_a_value_beyond_the_range_lies_at_the_end():
    assert EPSILON.position(20) == 1
    assert EPSILON.position(1e-6) == 0
    assert RECORDS.position(10**12) == 1
    assert RECORDS.move(10**12, 1, "leap") == 10**12, "and no key brings it back by itself"


@pytest.mark.parametrize(("scale", "value", "direction", "step", "expected"), [
    (RECORDS, 100_000, 1, "least", 100_001), (RECORDS, 100_000, 1, "digit", 110_000),
    (RECORDS, 100_000, -1, "digit", 99_000), (RECORDS, 100_000, 1, "leap", 200_000), (RECORDS, 1, -1, "least", 0),
    (EPSILON, 0.1, 1, "least", 0.11), (EPSILON, 0.1, -1, "least", 0.099), (EPSILON, 0.123, 1, "least", 0.133),
    (EPSILON, 0.2, 1, "leap", 0.5), (EPSILON, 0.1, -1, "leap", 0.05), (EPSILON, 0.3, -1, "leap", 0.2),
    (EPSILON, 20.0, 1, "least", 20.0), (TARGET, 0.5, 1, "least", 0.51), (TARGET, 0.5, -1, "leap", 0.4),
])
def test_that_keys_step_in_round_numbers(scale, value, direction, step, expected):
    assert scale.step(value, direction, step) == expected


def test_that_a_number_without_a_finite_range_has_no_scale():
    assert scale_of(Parameter("threshold", v.THRESHOLD, v.REAL)) is None
