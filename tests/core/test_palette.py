"""The same look means the same mechanism, in colour and in grey."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest

from dpstudio import vocabulary as v
from dpstudio.core.figure import Bars, Line, expanded
from dpstudio.core.results import Column, Series
from dpstudio.scene.palette import GROUNDS, NEUTRAL, SPARE, STYLES, Style, begun, luminance, style
from dpstudio.studies import all_studies
from dpstudio.studies.decision import LAPLACE, Decision

LEAST = 0.1
"""Distance in OKLab at which curves of one picture are told apart by colour."""
SAME_HUE = 20.0
"""Degrees by which the colours of one series may differ from ground to ground."""
GREY = 0.04
"""Chroma below which a colour has no hue to speak of."""


def oklab(colour: str) -> tuple[float, float, float]:
    """Lightness and two opponent channels, in which equal distances look alike [Ottosson 2020]."""
    channels = (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    cones = [(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3),
             (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3),
             (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)]
    rows = ((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660))
    light, one, other = (sum(a * b for a, b in zip(row, cones, strict=True)) for row in rows)
    return light, one, other


SEEN_WITHOUT = {
    "red cones": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "green cones": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "blue cones": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))}
"""Linear red, green and blue as they are seen without one kind of cones [Machado, Oliveira and Fernandes 2009]."""
ALIKE = 1.5
"""Ratio of two dashes' lengths, or of what they are repeated after, from which on they are told apart."""


def seen_without(colour: str, cones: str) -> str:
    """A colour as whoever lacks this kind of cones tells it from others."""
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    seen = [min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0), 1) for row in SEEN_WITHOUT[cones]]
    return "#" + "".join(f"{round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055)):02x}"
                         for c in seen)


def rhythm(dash: tuple[float, ...]) -> tuple[float, ...]:
    """How many strokes, the longest and the shortest of them, and after what length they are repeated."""
    return (len(dash) / 2, max(dash[::2]), min(dash[::2]), sum(dash)) if dash else (0.5, math.inf, math.inf, math.inf)


def rhythms_differ(one: Style, other: Style) -> bool:
    """Whether dashes are told apart at sight: by how many strokes there are, or by a length."""
    strokes, *lengths = zip(rhythm(one.dash), rhythm(other.dash), strict=True)
    return strokes[0] != strokes[1] or any(a != b and max(a, b) >= ALIKE * min(a, b) for a, b in lengths)


def together() -> list[list[Style]]:
    """The styles that are seen at once: those of one study's pictures."""
    groups = []
    for study in all_studies().values():
        columns = (getattr(layer, "y", None) for figure in study.figures for layer in figure.layers)
        keys = {column.series.look for column in columns if column and column.series}
        groups.append([STYLES[key] for key in sorted(keys)])
    return groups


def test_that_dashes_tell_the_series_of_a_study_apart_without_colour() -> None:
    for group in together():
        assert len({each.dash for each in group}) == len(group), group
    assert all(len(each.dash) % 2 == 0 for each in STYLES.values())


def pictured() -> list[list[Style]]:
    """The styles of each picture."""
    return [[STYLES[key] for key in sorted({layer.y.series.look for layer in figure.layers
                                            if getattr(layer, "y", None) and layer.y.series})]
            for study in all_studies().values() for figure in study.figures]


def test_that_the_colours_of_a_picture_are_told_apart_on_both_grounds() -> None:
    for group in pictured():
        for dark in (False, True):
            for one, other in combinations(group, 2):
                assert math.dist(oklab(one.colour(dark=dark)), oklab(other.colour(dark=dark))) > LEAST, (one, other)


@pytest.mark.parametrize("cones", SEEN_WITHOUT)
def test_that_whoever_lacks_a_kind_of_cones_tells_curves_apart_by_what_is_left_of_colour_or_by_their_dashes(
        cones: str) -> None:
    by_dashes = 0
    for study in all_studies().values():
        for figure in study.figures:
            curves = {layer.y.series.look for layer in figure.layers
                      if isinstance(layer, Line) and not isinstance(layer, Bars) and layer.y.series}
            for one, other in combinations([STYLES[key] for key in sorted(curves)], 2):
                near = min(math.dist(*(oklab(seen_without(each.colour(dark=dark), cones)) for each in (one, other)))
                           for dark in (False, True)) <= LEAST
                by_dashes += near
                assert not near or rhythms_differ(one, other), (figure.key, one, other)
    assert by_dashes, "colour alone would not do"


def test_that_nothing_is_seen_to_differ_without_a_kind_of_cones_that_differs_by_what_they_see_alone() -> None:
    assert seen_without("#808080", "green cones") == "#808080"
    red, green = "#b3001b", "#5a5a00"
    seen = [seen_without(each, "green cones") for each in (red, green)]
    assert math.dist(*map(oklab, seen)) < math.dist(oklab(red), oklab(green)) / 2
    assert rhythms_differ(STYLES["laplace"], STYLES["gaussian"])
    assert not rhythms_differ(STYLES["laplace"], STYLES["aware"])
    assert not rhythms_differ(STYLES["geometric"], STYLES["optimal"])


def test_that_series_of_one_look_are_never_compared_at_once() -> None:
    shared = 0
    for study in all_studies().values():
        for one, other in combinations(study.answers().compared, 2):
            if one.series.look == other.series.look:
                shared += 1
                assert one.when[:1] == other.when[:1] != (), (one.series, other.series)
                assert not set(one.when[1:]) & set(other.when[1:]), (one.series, other.series)
    assert shared


def test_that_words_in_the_colour_of_a_series_can_be_read_on_both_grounds_and_keep_its_hue() -> None:
    for each in (*STYLES.values(), *SPARE, NEUTRAL):
        for dark in (False, True):
            colour, ink, ground = each.colour(dark=dark), each.ink(dark=dark), luminance(GROUNDS[dark])
            low, high = sorted((luminance(ink), ground))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (each, dark)
            low, high = sorted((luminance(colour), ground))
            if (high + 0.05) / (low + 0.05) >= 4.5:
                assert ink == colour
            (_, *shown), (_, *written) = oklab(colour), oklab(ink)
            if math.hypot(*shown) > GREY < math.hypot(*written):
                turn = math.degrees(math.atan2(shown[1], shown[0]) - math.atan2(written[1], written[0]))
                assert abs((turn + 180) % 360 - 180) <= SAME_HUE, (each, dark)


def test_that_a_series_keeps_its_hue_from_the_light_ground_to_the_dark_one() -> None:
    for key, each in [*STYLES.items(), *enumerate(SPARE)]:
        (_, *light), (_, *dark) = oklab(each.light), oklab(each.dark)
        if math.hypot(*light) < GREY or math.hypot(*dark) < GREY:
            assert math.hypot(*light) < 2 * GREY > math.hypot(*dark), key
            continue
        turn = math.degrees(math.atan2(light[1], light[0]) - math.atan2(dark[1], dark[0]))
        assert abs((turn + 180) % 360 - 180) <= SAME_HUE, key


def test_that_no_two_of_the_noises_share_a_hue() -> None:
    """Of one colour in three tones nobody can say which is which."""
    keys = ("laplace", "geometric", "gaussian", "gaussian_classical", "printed")
    for dark in (False, True):
        hues = [math.degrees(math.atan2(*reversed(oklab(STYLES[key].colour(dark=dark))[1:]))) for key in keys]
        assert all(abs((a - b + 180) % 360 - 180) > 20 for a, b in combinations(hues, 2)), hues


def test_that_gaps_show_a_curve_that_lies_beneath() -> None:
    assert all(max(each.dash[1::2]) * each.width >= 4 for each in (*STYLES.values(), *SPARE) if each.dash)


def test_that_every_series_that_is_drawn_has_a_look_of_its_own() -> None:
    for study in all_studies().values():
        for figure in study.figures:
            for layer in figure.layers:
                column = getattr(layer, "y", None)
                assert column is None or column.series is None or column.series.look in STYLES, column
    looks = [(each.light, each.dash) for each in STYLES.values()]
    shared = {key for key, each in STYLES.items() if looks.count((each.light, each.dash)) > 1}
    assert "laplace" in shared  # nothing is private: it is “Adding up” and “Noise-aware” elsewhere
    for group in together():
        assert len({(each.light, each.dash) for each in group}) == len(group)


def test_that_spare_looks_are_told_apart_from_every_other_on_both_grounds_and_in_grey() -> None:
    everything = [*SPARE, *STYLES.values(), NEUTRAL]
    for one in SPARE:
        for other in everything:
            if other is one:
                continue
            assert one.dash != other.dash
            for dark in (False, True):
                assert math.dist(oklab(one.colour(dark=dark)), oklab(other.colour(dark=dark))) > LEAST, (one, other)


def test_that_series_without_a_look_have_spare_ones_by_their_place_and_nobody_elses() -> None:
    new = [Series(f"new{i}", f"New {i}") for i in range(2 * len(SPARE) + 1)]
    compared = (Series("laplace", "Laplace"), *new)
    looks = [style(one, compared) for one in new]
    assert looks[:len(SPARE)] == list(SPARE)
    assert len(set(looks)) == len({each.dash for each in looks}) == len(new)
    assert not set(looks) & set(STYLES.values())
    assert style(compared[0], compared) is STYLES["laplace"]
    assert style(None, compared) is NEUTRAL
    assert style(Series("new3", "in another process"), compared) == looks[3]


def test_that_a_look_of_another_name_than_the_key_is_what_counts() -> None:
    assert style(Series("a mechanism to come", "To come", look="laplace")) is STYLES["laplace"]
    assert style(Series("laplace", "not Laplace", look="of its own")) == SPARE[0]


def test_that_a_newcomer_looks_the_same_in_every_picture_of_its_study() -> None:
    new, other = Series("logistic", "Logistic"), Series("secant", "Secant")
    figures = expanded(Decision.pictures, (new, LAPLACE, other))
    assert {figure.compared for figure in figures} == {figures[0].compared}
    assert figures[0].compared[:3] == (new, LAPLACE, other)
    drawn = {layer.y.series for figure in figures for layer in figure.layers if isinstance(layer, Line)}
    assert {new, LAPLACE, other} <= drawn
    turned = replace(figures[0], layers=(Line(Column(v.RECORDS), Column(v.ACCEPTANCE, other)),))
    assert expanded([turned], (new, other))[0].compared == (new, other)  # not in the order in which one is drawn
    assert (style(new, figures[0].compared), style(other, figures[-1].compared)) == SPARE[:2]


@pytest.mark.parametrize("room", [13.0, 15.0, 100.0])
def test_that_a_short_sample_shows_the_gap_of_every_dashed_line(room: float) -> None:
    for key, look in [*STYLES.items(), *enumerate(SPARE)]:
        if not look.dash:
            continue
        at, drawn = -begun(look.dash, room), []
        while at < room:
            for i, length in enumerate(look.dash * (1 + len(look.dash) % 2)):
                drawn.append((i % 2, max(at, 0.0), min(at + length, room)))
                at += length
        gaps = sum(max(high - low, 0.0) for odd, low, high in drawn if odd)
        inner = [low for odd, low, high in drawn if odd and high > low > 0 and high < room]
        assert inner, key
        assert gaps >= 1.9, key
