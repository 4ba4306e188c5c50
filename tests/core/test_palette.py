"""The same look means the same mechanism, in colour and in grey."""

from __future__ import annotations

from itertools import combinations

from dpstudio.core.palette import NEUTRAL, STYLES, Style, style
from dpstudio.studies import all_studies


def channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:], 16)


def together() -> list[list[Style]]:
    """The styles that are seen at once: those of one study's pictures."""
    groups = []
    for study in all_studies().values():
        columns = (getattr(layer, "y", None) for figure in study.figures for layer in figure.layers)
        keys = {column.series.key for column in columns if column and column.series}
        groups.append([STYLES[key] for key in sorted(keys)])
    return groups


def test_that_dashes_tell_the_series_of_a_study_apart_without_colour() -> None:
    for group in together():
        assert len({each.dash for each in group}) == len(group), group
    assert all(len(each.dash) % 2 == 0 for each in STYLES.values())


def test_that_the_colours_of_a_study_differ_on_both_grounds() -> None:
    for group in together():
        for dark in (False, True):
            for one, other in combinations(group, 2):
                apart = zip(channels(one.colour(dark=dark)), channels(other.colour(dark=dark)), strict=True)
                assert sum(abs(a - b) for a, b in apart) > 80, (one, other)


def test_that_gaps_show_a_curve_that_lies_beneath() -> None:
    assert all(max(each.dash[1::2]) * each.width >= 4 for each in STYLES.values() if each.dash)


def test_that_a_series_has_one_look_whatever_else_is_shown() -> None:
    assert style("laplace") is STYLES["laplace"]
    assert style(None) is NEUTRAL
    assert style("of a study to come") is style("of a study to come")
