"""Published ε say what one unit of privacy is, what to mind and where it is from; their names never meet."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.deployments import DEPLOYMENTS, SPENT, deployed
from dpstudio.core.figure import Axis
from dpstudio.core.study import answer
from dpstudio.scene.published import ROWS, Flag, flags, most_rows, rows_of, told
from dpstudio.scene.scene import resolve
from dpstudio.studies import all_studies
from dpstudio.vocabulary import amount


@pytest.mark.parametrize("one", DEPLOYMENTS, ids=lambda one: one.name)
def test_that_a_published_epsilon_says_its_unit_caveat_and_source(one):
    assert one.unit
    assert one.caveat.endswith(".")
    assert re.search(r"arXiv:\d{4}\.\d{5}|doi:10\.|https://|\d{4}", one.source.reference)
    assert 2010 < one.year <= 2026
    for said in (one.unit, one.caveat, one.source.key, str(one.year), f"ε = {amount(one.epsilon, v.EPSILON)}"):
        assert said in one.says
    assert ("without δ" in one.says) == (one.delta == 0)


def test_that_published_epsilons_have_names_of_their_own_and_ascend():
    assert len({one.name for one in DEPLOYMENTS}) == len(DEPLOYMENTS)
    assert [one.epsilon for one in DEPLOYMENTS] == sorted(one.epsilon for one in DEPLOYMENTS)
    assert all(0 <= one.delta < 1e-4 for one in DEPLOYMENTS)


def test_that_they_are_marked_on_what_a_guarantee_spends_alone():
    assert deployed(Axis(v.EPSILON)) == DEPLOYMENTS
    for quantity in (v.EPSILON_PRIME, v.RECORDS, v.DELTA):
        assert deployed(Axis(quantity)) == ()
    assert {each.symbol.strip("Σ′ afterk") for each in SPENT} == {"ε"}


def scene(figure, key="decision", **kwargs):
    study = all_studies()[key]()
    update = answer(study, simulate=False)
    parameters = {each.name: each for each in study.parameters()}
    return resolve(study.figure(figure), update, study.values(), parameters, **kwargs)


def test_that_a_scene_has_those_in_view_where_they_are_asked_for():
    marks = scene("frontier", "updating", view=(0.5, 5.0), with_published=True).published
    assert [mark.deployment for mark in marks] == [one for one in DEPLOYMENTS if 0.5 <= one.epsilon <= 5.0]
    assert [10**mark.at for mark in marks] == pytest.approx([mark.deployment.epsilon for mark in marks])
    assert all(mark.deployment.unit in " ".join(told(marks)) for mark in marks)
    assert scene("frontier", "updating").published == ()
    assert scene("frontier", with_published=True).published == (), "what others spend has no ε at this δ"
    assert scene("acceptance", with_published=True).published == ()


LENGTHS = st.floats(1, 120)


@given(st.lists(st.tuples(st.floats(0, 400), LENGTHS), max_size=14), st.integers(1, ROWS))
def test_that_names_lie_within_the_picture_and_clear_of_each_other(marks, rows):
    marks.sort()
    ticks, widths = [at for at, _ in marks], [width for _, width in marks]
    found = flags(ticks, widths, 400.0, rows, 3.0)
    boxes = [(flag.row, flag.left, flag.left + width) for flag, width in zip(found, widths, strict=True) if flag]
    assert all(0 <= row < rows and left >= 0 and right <= 400 for row, left, right in boxes)
    for i, (row, left, right) in enumerate(boxes):
        assert not any(row == other and left < end + 3 and start < right + 3 for other, start, end in boxes[:i])
    for at, width, flag in zip(ticks, widths, found, strict=True):
        if flag:
            assert flag.left in (at + 3, at - 3 - width)
    assert rows_of(found) <= rows


def test_that_a_name_is_led_past_the_one_that_it_would_cover():
    assert flags([10.0, 30.0], [40.0, 40.0], 100.0, 2, 3.0) == [Flag(13.0, 1), Flag(33.0, 0)]
    assert flags([50.0, 51.0, 60.0, 61.0], [5.0, 30.0, 58.0, 20.0], 200.0, 2, 3.0) == [
        Flag(53.0, 0), Flag(18.0, 0), Flag(63.0, 1), Flag(64.0, 0)], "its own tick counts as much as another’s"
    assert flags([95.0], [40.0], 100.0, 1, 3.0) == [Flag(52.0, 0)]
    assert flags([10.0, 30.0], [200.0, 40.0], 100.0, 2, 3.0)[0] is None
    assert rows_of([None, Flag(0.0, 1)]) == 2
    assert rows_of([None]) == rows_of([]) == 0
    assert [most_rows(height, 10.0) for height in (79.0, 80.0, 1e4)] == [0, 2, ROWS]
