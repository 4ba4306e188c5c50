"""Guesses as small people: where each stands, and what is said beside them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_palette import oklab

from dpstudio.core.frontier import figure as frontier
from dpstudio.core.risk_figures import DRAWN
from dpstudio.core.study import answer
from dpstudio.scene.legend import entries
from dpstudio.scene.people import LEAST, ROW, STATES, Crowd, crowd_of, panels
from dpstudio.scene.scene import resolve
from dpstudio.studies.decision import Decision
from dpstudio.studies.neighbours import Neighbours
from dpstudio.studies.posterior import Posterior
from dpstudio.text.numbers import fixed

SMALL = 12.0


def measure(words, size):
    return 0.5 * size * len(words)


def crowds():
    """A power of ten of guesses, of which some are right and, with a release, so many more as can be drawn."""
    return st.integers(4, 12).flatmap(lambda power: st.tuples(
        st.just(10**power), st.integers(0, 10**power), st.integers(0, DRAWN))).map(
        lambda each: Crowd(each[0], each[1], min(each[1] + each[2], each[0])))


@given(crowds())
def test_that_everybody_stands_once_and_in_order(crowd):
    places = Counter()
    states = {}
    for state, row, begin, end in crowd.runs():
        assert 0 <= begin < end <= ROW
        for column in range(begin, end):
            places[row * ROW + column] += 1
            states[row * ROW + column] = state
    assert places == dict.fromkeys(range(DRAWN), 1)
    order = [list(STATES).index(states[place]) for place in range(DRAWN)]
    assert order == sorted(order)
    assert tuple(Counter(order)[i] for i in range(3)) == crowd.shown


@given(crowds())
def test_that_who_is_shown_and_who_is_not_are_all_guesses(crowd):
    without, only, wrong = crowd.shown
    assert only == crowd.right - crowd.without
    assert 0 <= without <= crowd.without
    assert 0 <= wrong <= crowd.guesses - crowd.right
    assert without + only + wrong == DRAWN
    assert bool(crowd.beyond) == (crowd.guesses > DRAWN)
    for count, what in ((crowd.without - without, "right without it"), (crowd.guesses - crowd.right - wrong, "wrong")):
        said = f"{fixed(count, 0)} more are {what}"
        assert (said in crowd.beyond) == (count > 0)


def test_that_of_more_guesses_those_about_what_the_release_adds_are_shown():
    assert Crowd(10**7, 5_000_000, 5_000_012).shown == (4994, 12, 4994)
    assert Crowd(10**7, 1000, 1011).shown == (1000, 11, 8989)
    assert Crowd(10**7, 9_999_000, 9_999_050).shown == (9000, 50, 950)


def scene_of(study, key="risk_people", decided=None, hidden=frozenset()):
    found = answer(study, simulate=False).deciding(decided)
    return resolve(study.figure(key), found, study.values(), {each.name: each for each in study.parameters()},
                   hidden=hidden)


def placed(scene, width, height, step=1.0):
    return panels(scene, width, height, SMALL, measure, step)


@pytest.mark.parametrize("size", [(760, 330), (420, 200), (300, 420), (1800, 900), (1200, 420), (330, 260)])
@pytest.mark.parametrize("study", [
    Decision(attacker="membership"), Neighbours(attacker="name"), Posterior(attacker="membership"),
    Posterior(attacker="name", epsilon=0.001)])
@pytest.mark.parametrize("step", [0.0, 1.0, 0.5])
def test_that_people_and_words_stand_in_the_room_and_apart(study, size, step):
    width, height = size
    found = placed(scene_of(study), width, height, step)
    assert found
    boxes = []
    for panel in found:
        boxes.append((panel.left, panel.top, panel.left + panel.side, panel.top + panel.side))
        assert panel.corner(0, 0)[1] == pytest.approx(panel.top + panel.side - panel.cell)
        assert panel.corner(ROW - 1, ROW - 1) == pytest.approx((panel.left + panel.side - panel.cell, panel.top))
        if step:
            assert panel.cell / step == round(panel.cell / step)
        for each in panel.words:
            left = each.person[0] if each.state else each.x
            boxes.append((left, each.base - 0.7 * each.size, each.x + measure(each.words, each.size), each.base))
    for left, top, right, bottom in boxes:
        assert left >= -1e-9
        assert top >= -1e-9
        assert right <= width + 1e-9
        assert bottom <= height + 1e-9
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            assert one[0] >= other[2] - 1e-9 or other[0] >= one[2] - 1e-9 or one[1] >= other[3] - 1e-9 \
                or other[1] >= one[3] - 1e-9, (one, other)


def test_that_all_stand_side_by_side_where_there_is_room_and_else_the_one_suggested_or_decided_for():
    study = Decision(attacker="membership")
    many = placed(scene_of(study), 1800, 600)
    assert len(many) == 5
    assert len({panel.cell for panel in many}) == 1
    assert many[0].side >= LEAST * SMALL
    (alone,) = placed(scene_of(study), 700, 330)
    assert alone.part.key == "laplace"
    (decided,) = placed(scene_of(study, decided="gaussian"), 700, 330)
    assert decided.part.key == "gaussian"
    (left,) = placed(scene_of(study, hidden=frozenset({"laplace", "generalized", "cutoff", "matched"})), 1800, 600)
    assert left.part.key == "gaussian"


def test_that_none_stand_side_by_side_that_are_of_different_numbers_of_guesses():
    scene = scene_of(Decision(attacker="reconstruction", epsilon=0.01))
    assert len({crowd_of(part).guesses for part in scene.parts if part.present}) > 1
    assert len(placed(scene, 3000, 1000)) == 1


def test_that_both_numbers_are_large_and_say_that_the_second_is_a_bound():
    (panel,) = placed(scene_of(Decision(attacker="membership")), 760, 330)
    numbers = {each.state: each for each in panel.words if each.state}
    assert {state: each.words for state, each in numbers.items()} == {"without": fixed(5000, 0), "only": fixed(5238, 0)}
    assert all(each.size >= 3 * SMALL for each in numbers.values())
    assert "are right with it, at most" in [each.words for each in panel.words]
    for panel in placed(scene_of(Neighbours(attacker="membership")), 900, 420):
        assert panel.words[-1].words.startswith("≤ ")


def test_that_the_legend_says_what_each_colour_means_and_nothing_while_there_are_no_people():
    shown = entries(scene_of(Decision(attacker="membership")), {})
    assert [entry.label for entry in shown] == [words for _, words in STATES.values()]
    assert {entry.kind for entry in shown} == {"person"}
    assert entries(scene_of(Decision()), {}) == ()


@pytest.mark.parametrize("dark", [False, True])
def test_that_lightness_alone_tells_the_states_apart(dark):
    light = [oklab(look.colour(dark=dark))[0] for look, _ in STATES.values()]
    assert min(abs(one - other) for i, one in enumerate(light) for other in light[:i]) > 0.15


def test_that_places_on_people_are_no_values():
    assert not Decision.figure("risk_people").has_axes
    assert all(figure.has_axes for figure in (*Decision.pictures, *frontier.figures(Decision)))
