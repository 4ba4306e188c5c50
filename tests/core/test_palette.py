"""The same look means the same mechanism, in colour and in grey."""

from __future__ import annotations

from itertools import combinations

from dpstudio.core.palette import NEUTRAL, STYLES, style


def channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:], 16)


def test_that_dashes_tell_every_series_apart_without_colour() -> None:
    dashes = [each.dash for each in STYLES.values()]
    assert len(set(dashes)) == len(dashes)
    assert all(len(dash) % 2 == 0 for dash in dashes)


def test_that_colours_differ_on_both_grounds() -> None:
    for dark in (False, True):
        for one, other in combinations(STYLES.values(), 2):
            apart = zip(channels(one.colour(dark=dark)), channels(other.colour(dark=dark)), strict=True)
            assert sum(abs(a - b) for a, b in apart) > 80, (one, other)


def test_that_gaps_show_a_curve_that_lies_beneath() -> None:
    assert all(max(each.dash[1::2]) * each.width >= 4 for each in STYLES.values() if each.dash)


def test_that_a_series_has_one_look_whatever_else_is_shown() -> None:
    assert style("laplace") is STYLES["laplace"]
    assert style(None) is NEUTRAL
    assert style("of a study to come") is style("of a study to come")
