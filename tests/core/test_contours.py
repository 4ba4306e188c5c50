"""A name stands on its line, in the picture, and clear of other names."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.scene.frame import overlap
from dpstudio.scene.names import TRIED, name_box

ROOM = (0.0, 0.0, 300.0, 200.0)
X = np.linspace(-50.0, 350.0, 401)


def middle(box):
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


@given(st.floats(-100, 300), st.floats(-0.8, 0.8), st.integers(10, 120))
def test_that_a_name_lies_on_its_line_and_in_the_picture(start, slope, wide):
    y = start + slope * X
    box = name_box(X, y, (wide, 14.0), ROOM, [])
    if box is None:
        inside = (abs(X - 150) <= 150 - wide / 2) & (abs(y - 100) <= 93)
        assert not inside.any()
        return
    assert box[0] >= 0
    assert box[1] >= 0
    assert box[2] <= 300
    assert box[3] <= 200
    assert round(box[2] - box[0], 6) == wide
    across, down = middle(box)
    assert abs(down - (start + slope * across)) < 1e-6


def test_that_a_name_stands_in_the_middle_of_the_length_that_is_seen():
    y = np.full(401, 150.0)
    assert abs(middle(name_box(X, y, (40.0, 14.0), ROOM, []))[0] - 150) <= 1
    crowded = np.concatenate([np.linspace(20, 30, 500), np.linspace(31, 280, 20)])  # points crowd where it bends
    assert 120 < middle(name_box(crowded, np.full(520, 100.0), (20.0, 14.0), ROOM, []))[0] < 180


def test_that_names_keep_clear_of_each_other_and_give_up_where_they_cannot():
    y, taken = np.full(401, 100.0), []
    while (box := name_box(X, y, (40.0, 14.0), ROOM, taken)) is not None:
        assert not any(overlap(box, other) for other in taken)
        taken.append(box)
    assert 3 <= len(taken) <= len(TRIED)
    assert name_box(X, np.full(401, np.nan), (40.0, 14.0), ROOM, []) is None
    assert name_box(X, np.full(401, 198.0), (40.0, 14.0), ROOM, []) is None


def test_that_boxes_that_touch_do_not_overlap():
    assert not overlap((0, 0, 10, 10), (10, 0, 20, 10))
    assert not overlap((0, 0, 10, 10), (0, 10, 10, 20))
    assert overlap((0, 0, 10, 10), (9, 9, 20, 20))
    assert overlap((9, 9, 20, 20), (0, 0, 10, 10))
