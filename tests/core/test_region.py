"""The region of two parameters: what is in it does all that is wanted, what lies beyond its edges does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from language_kit import spoken

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.solve.region import BEND, Feasible, region
from dpstudio.core.solve.want import Want
from dpstudio.documents import pictures
from dpstudio.documents.session import Session
from dpstudio.scene.scene import resolve
from dpstudio.studies.decision import Decision
from dpstudio.studies.mean import Mean

NAMES = ("epsilon", "target")
WANTS = (Want("acceptance", "<=", 0.02, "laplace", {"records": 880}),
         Want("rejection", "<=", 0.01, "laplace", {"records": 1150}))
EDGE = 1e-6
"""Part of the way beyond an edge that is looked at."""


@pytest.fixture(scope="module")
def found() -> Feasible:
    return region(Decision, {"epsilon": 0.07}, WANTS, NAMES)


def rows(found: Feasible) -> list[tuple[float, ...]]:
    return list(zip(*(column.tolist() for column in found.table.values()), strict=True))


@given(st.integers(0, 1000), st.floats(0, 1))
def test_that_a_region_has_what_does_it_inside_and_what_does_not_outside(found, at, way):
    holds, every = found.problem.holds, rows(found)
    epsilon, low, high, _ = every[at % len(every)]
    if np.isnan(low):
        assert not holds({"epsilon": epsilon, "target": 1e-9 + way * (1 - 2e-9)})
        return
    assert holds({"epsilon": epsilon, "target": low + way * (high - low)})
    assert low < 1e-8 or not holds({"epsilon": epsilon, "target": low * (1 - EDGE)})
    assert high > 1 - 1e-8 or not holds({"epsilon": epsilon, "target": high + EDGE * (1 - high)})


def test_that_the_corner_is_the_most_private_pair_and_in_view_with_the_present_one(found):
    corner = [(epsilon, best) for epsilon, _, _, best in rows(found) if not np.isnan(best)]
    assert corner == [tuple(found.solution.limits[0][name] for name in NAMES)]
    inside = [epsilon for epsilon, low, _, _ in rows(found) if not np.isnan(low)]
    assert min(inside) == corner[0][0]
    first, last = found.windows["region"]
    assert first <= corner[0][0] < max(inside) <= last
    assert first <= 0.07 <= last


def test_that_an_edge_of_a_region_has_no_long_step(found):
    edges = np.array([(low, high) for _, low, high, _ in rows(found) if not np.isnan(low)])
    assert np.abs(np.diff(edges, axis=0)).max() < BEND


def test_that_an_equality_leaves_a_curve_where_the_rest_holds():
    wants = (Want("acceptance_at_minimum", "=", 0.7, "laplace"), Want("band_width", "<=", 200.0, "laplace"))
    found = region(Decision, {}, wants, NAMES)
    there = [row for row in rows(found) if not np.isnan(row[1])]
    assert 0 < len(there) < len(rows(found))
    assert all(low == high == pytest.approx(0.7) for _, low, high, _ in there)
    assert min(epsilon for epsilon, *_ in there) == found.solution.limits[0]["epsilon"]


def test_that_whole_numbers_stay_whole_and_a_region_of_nothing_says_what_is_nearest():
    names, private = ("epsilon", "people"), Want("guarantee_epsilon", "<=", 1.0, "laplace")
    found = region(Mean, {}, (Want("group_error", "<=", 0.02, "laplace"), private), names)
    assert all(low == round(low) for _, low, _, _ in rows(found) if not np.isnan(low))
    assert max(epsilon for epsilon, low, *_ in rows(found) if not np.isnan(low)) == 1.0
    greatest = region(Mean, {}, (Want("guarantee_epsilon", "<=", 0.3, "laplace"), private), names)
    assert list(greatest.table)[-1].series.label == "greatest ε that does it"
    nothing = region(Mean, {}, (Want("group_error", "<=", 1e-9, "laplace"), private), names, {"people": (10, 1000)})
    assert all(np.isnan(low) for _, low, _, _ in rows(nothing))
    assert nothing.solution.says.startswith("No ")
    with pytest.raises(InvalidParameter):
        region(Mean, {}, (Want("nothing", "<=", 1.0),), names)


def test_that_a_region_is_drawn_for_print_with_its_words(found):
    drawn = pictures.picture("svg", Session.of(Decision, {"epsilon": 0.2}), found, found.figure)
    for words in ("where all that is wanted holds", "ε = 0.2", "p = 0.5", "least ε that does it", "at N = 880"):
        assert words in drawn.decode()


def test_that_a_region_that_was_found_is_shown_in_the_language_spoken_then_and_its_table_stays_english(found, tmp_path):
    labels = {each.series.label for each in found.table if each.series}
    with spoken(tmp_path, lambda text: f"«{text}»"):
        shown = {one.label for one in found.figure.drawn()}
        anew = region(Decision, {"epsilon": 0.07}, WANTS, NAMES)
    assert {one.label for one in found.figure.drawn()} == labels == {"all that is wanted holds",
                                                                      "least ε that does it"}
    assert shown == {f"«{each}»" for each in labels}
    assert {each.series.label for each in anew.table if each.series} == labels


@pytest.mark.parametrize("names", [(), ("epsilon",), ("epsilon", "target", "delta")])
def test_that_a_region_is_of_two_parameters(names):
    with pytest.raises(InvalidParameter, match="names must be two parameters"):
        region(Decision, {}, WANTS, names)


def test_that_published_epsilons_stand_on_a_region_where_their_unit_is_the_one_of_the_present_setting(found):
    figure, study = found.figure, Decision(epsilon=0.07)
    parameters = {each.name: each for each in study.parameters()}
    marks = resolve(figure, found, study.values(), parameters, view=(1e-3, 20.0), with_published=True).published
    assert [mark.deployment.name for mark in marks] == ["City trips", "Births"]
