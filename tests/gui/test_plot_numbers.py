"""Numbers and ticks as pictures show them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetricsF

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis
from dpstudio.gui.plot.axes import AxisStrip, PlotBox
from dpstudio.gui.plot.canvas import steady
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.scene.axes import linear_ticks, log_ticks, y_range
from dpstudio.scene.frame import Frame
from dpstudio.scene.straights import spread
from dpstudio.studies import all_studies
from dpstudio.text.numbers import THIN, decade, short
from dpstudio.vocabulary import amount, named


@pytest.mark.parametrize(("value", "text"), [
    (0.0, "0"), (1.0, "1"), (0.5, "0.5"), (-0.25, "−0.25"), (1020, f"1{THIN}020"), (3.2e-7, "3.2e-7"),
    (-3.21049e-7, "−3.21e-7"), (123456, f"123{THIN}456"), (1e12, "1e12"), (math.inf, "∞"), (-math.inf, "−∞"),
    (math.nan, "–"), (0.012344, "0.01234"), (99.99, "99.99"), (1e-4, "0.0001"),
])
def test_that_a_number_is_short_and_grouped(value: float, text: str) -> None:
    assert short(value) == text


def test_that_a_probability_near_one_is_read_by_what_it_lacks() -> None:
    assert amount(1 - 3.2e-7, v.ACCEPTANCE) == "1 − 3.2e-7"
    assert amount(1.0, v.ACCEPTANCE) == "1"
    assert amount(0.99, v.ACCEPTANCE) == "0.99"


def test_that_whole_numbers_are_never_rounded() -> None:
    assert named(100_001, v.MINIMUM) == f"m = 100{THIN}001"
    assert amount(123_456_789, v.RECORDS) == f"123{THIN}456{THIN}789"


def test_that_decades_are_superscript_powers_of_ten() -> None:
    ticks = log_ticks(-6, 0, 8)
    assert ticks.labels == ("10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰")
    assert decade(12) == "10¹²"


def test_that_many_decades_are_thinned_evenly() -> None:
    ticks = log_ticks(-12, 0, 5)
    assert ticks.labels == ("10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰")
    assert set(ticks.minor) == {-11, -10, -8, -7, -5, -4, -2, -1}
    assert set(log_ticks(-8, 0, 5).minor) == {-7, -5, -3, -1}
    assert log_ticks(-4, 0, 4).minor == ()


def test_that_minor_ticks_stand_at_two_to_nine() -> None:
    ticks = log_ticks(0, 2, 5)
    assert [round(10**position) for position in ticks.minor] == [*range(2, 10), *range(20, 100, 10)]
    assert ticks.labels == ("10⁰", "10¹", "10²")


@pytest.mark.parametrize(("low", "high", "most", "labels"), [
    (0, 1, 4, "1 2 5 10"), (0, 1, 3, "10⁰ 10¹"), (-2, -1, 4, "0.01 0.02 0.05 0.1"), (0, 2, 7, "1 2 5 10 20 50 100"),
    (0, 2, 6, "10⁰ 10¹ 10²"), (-0.5, 1.4, 8, "0.5 1 2 5 10 20"),
    (3, 4, 5, "1\u202f000 2\u202f000 5\u202f000 10\u202f000"),
    (6, 7, 9, "10⁶ 10⁷"), (-5, -4, 9, "10⁻⁵ 10⁻⁴"), (-4, -3, 9, "0.0001 0.0002 0.0005 0.001"),
])
def test_that_few_decades_have_plain_numbers_at_one_two_and_five_where_there_is_room(low, high, most, labels) -> None:
    ticks = log_ticks(low, high, most)
    assert " ".join(ticks.labels) == labels
    assert len(ticks.major) == len(ticks.labels)
    assert all(low - 1e-9 <= at <= high + 1e-9 for at in (*ticks.major, *ticks.minor))
    digits = sorted({round(10 ** (at % 1 if at % 1 < 0.999 else 0)) for at in (*ticks.major, *ticks.minor)})
    assert digits == [*range(1, 10)]
    assert not set(ticks.major) & set(ticks.minor)


def test_that_less_than_a_decade_has_plain_numbers() -> None:
    ticks = log_ticks(math.log10(2), math.log10(8), 4)
    assert ticks.labels == ("2", "4", "6", "8")
    assert ticks.major == pytest.approx([math.log10(value) for value in (2, 4, 6, 8)])


def test_that_linear_ticks_are_grouped_and_never_exponential() -> None:
    assert linear_ticks(99_000, 101_000, 3).labels == tuple(f"{k}{THIN}000" for k in (99, 100, 101))
    assert linear_ticks(-1, 1, 4).labels == ("−1.0", "−0.5", "0.0", "0.5", "1.0")


def test_that_long_numbers_share_a_power_of_ten() -> None:
    ticks = linear_ticks(0, 1e9, 5)
    assert ticks.exponent == 9
    assert ticks.labels == ("0.0", "0.2", "0.4", "0.6", "0.8", "1.0")


def test_that_a_narrow_view_of_large_numbers_keeps_every_digit() -> None:
    ticks = linear_ticks(1e9, 1e9 + 50, 3, whole=True)
    assert ticks.exponent == 0
    assert len(set(ticks.labels)) == len(ticks.labels)


def test_that_whole_quantities_have_no_fractional_ticks() -> None:
    assert linear_ticks(3, 5, 10, whole=True).labels == ("3", "4", "5")


@given(low=st.floats(-1e12, 1e12), span=st.floats(1e-3, 1e12), most=st.integers(2, 12))
def test_that_linear_ticks_lie_inside_and_are_told_apart(low: float, span: float, most: int) -> None:
    assume(span > 1e-9 * abs(low))  # below that, doubles themselves are hardly told apart
    ticks = linear_ticks(low, low + span, most)
    assert len(ticks.major) <= most + 1
    assert len(set(ticks.labels)) == len(ticks.labels)
    slack = span * 1e-6 + abs(low) * 1e-9
    assert all(low - slack <= value <= low + span + slack for value in ticks.major)


@given(st.lists(st.tuples(st.floats(-50, 450), st.floats(20, 60)), min_size=1, max_size=5))
def test_that_labels_overlap_neither_each_other_nor_the_ends(boxes: list[tuple[float, float]]) -> None:
    boxes.sort()
    lefts = spread([centre for centre, _ in boxes], [width for _, width in boxes], 0.0, 400.0, 4.0)
    rights = [left + width for left, (_, width) in zip(lefts, boxes, strict=True)]
    assert min(lefts) >= -1e-6
    assert max(rights) <= 400 + 1e-6
    assert all(right + 4 <= left + 1e-6 for right, left in zip(rights, lefts[1:], strict=False))


def test_that_a_label_alone_is_centred_on_its_line() -> None:
    assert spread([200.0], [50.0], 0.0, 400.0, 4.0) == [175.0]


def test_that_a_steady_range_moves_only_when_it_must() -> None:
    assert steady((0.0, 1.0), (0.1, 0.9)) == (0.0, 1.0)
    assert steady((0.0, 1.0), (0.0, 1.2)) == (0.0, 1.2)
    assert steady((0.0, 1.0), (0.0, 0.2)) == (0.0, 0.2)


@pytest.mark.parametrize("value", [-0.4, 0.0, 3e7])
def test_that_what_is_the_same_everywhere_runs_through_the_middle(value) -> None:
    low, high = y_range([np.full(3, value)], Axis(v.PRIVACY_LOSS))
    assert low < value < high
    assert (low + high) / 2 == pytest.approx(value, abs=0.1 * (high - low))


@given(st.floats(0, 300), st.floats(0, 1), st.booleans())
def test_that_whatever_is_drawn_every_number_of_the_axis_has_a_place(decades, least, signed):
    largest = 10**-decades * 1e-24  # also below the smallest normal number
    values = np.array([largest * least, largest * (-1 if signed else 1)])
    low, high = y_range([values], Axis(v.PRIVACY_LOSS))
    frame = Frame(y=(low, high), width=640.0, height=265.0, top=26.0, bottom=6.0)
    places = [float(frame.down(at)) for at in (*linear_ticks(low, high, 7).major, *values)]
    assert low < high
    assert all(frame.top - 1 <= place <= frame.floor + 1 for place in places)


@given(st.floats(-3, 6), st.floats(0.05, 0.99), st.integers(2, 12))
def test_that_labels_within_one_decade_keep_their_distance(low, span, most):
    ticks = log_ticks(low, low + span, most)
    assert all(b - a >= 0.75 * span / most * (1 - 1e-9) for a, b in pairwise(ticks.major))
    assert len(ticks.labels) == len(ticks.major)


@pytest.mark.parametrize(("scale", "low", "high"), [("linear", 900.0, 1100.0), ("linear", 0.0, 3e9), ("log", 0.0, 1.0),
                                                    ("log", 2.5, 4.5), ("log", -9.0, 0.0), ("log", 3.0, 3.4)])
def test_that_numbers_under_an_axis_stand_apart_in_every_width(qapp, scale, low, high) -> None:
    strip, metrics = AxisStrip(LIGHT, "bottom", Axis(v.RECORDS, scale)), QFontMetricsF(LIGHT.font("small"))
    for width in range(150, 1500, 25):
        frame = Frame(x=(low, high), width=float(width), height=200.0)
        strip.set_frame(frame)
        halves = [metrics.horizontalAdvance(label) / 2 for label in strip.ticks.labels]
        ends = [(frame.across(at) - half, frame.across(at) + half)
                for at, half in zip(strip.ticks.major, halves, strict=True)]
        assert all(right + 3 <= left for (_, right), (left, _) in pairwise(ends)), (width, strip.ticks.labels)
        assert len(ends) >= 2 or width < 200


def test_that_an_axis_has_fewer_numbers_in_larger_type(qapp) -> None:
    strip, frame = AxisStrip(LIGHT, "bottom", Axis(v.RECORDS)), Frame(x=(0.0, 1e4), width=500.0, height=200.0)
    strip.set_frame(frame)
    before = strip.ticks
    strip.set_theme(replace(LIGHT, scale=2.0))
    strip.set_frame(frame)
    assert 2 <= len(strip.ticks.labels) < len(before.labels)
    strip.set_theme(LIGHT)
    strip.set_frame(replace(frame, width=400.0))
    strip.set_frame(frame)
    assert strip.ticks == before


@pytest.mark.parametrize(("low", "high"), [(-0.36, -0.245), (0.11, 0.29), (3.2, 6.9), (-90, 40)])
def test_that_an_axis_with_room_for_two_numbers_has_two(low: float, high: float) -> None:
    assert 2 <= len(linear_ticks(low, high, 2).labels) <= 4


@pytest.mark.parametrize("axis", {(figure.x.quantity.key, figure.x.scale): figure.x for study in all_studies().values()
                                  for figure in study.figures if figure.has_axes}.values(),
                         ids=lambda axis: f"{axis.quantity.key} {axis.scale}")
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_that_a_hand_may_zoom_in_or_out_as_long_as_it_likes(qapp, axis, factor) -> None:
    box, strip = PlotBox(axis), AxisStrip(LIGHT, "bottom", axis)
    box.setXRange(*((0.3, 0.6) if axis.scale == "linear" else (-1.0, 0.0)), padding=0)
    for _ in range(1100):  # 2^1024 is no number any more
        box.scaleBy(x=factor)
    low, high = box.viewRange()[0]
    strip.set_frame(Frame(x=(low, high), width=600.0, height=200.0))
    assert -math.inf < low < high < math.inf
    assert strip.ticks.labels
