"""Guesses as small people on screen: as many of each colour as the answer says, on light and dark, on a fine screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from plot_sample import pictured
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from dpstudio.core.study import answer
from dpstudio.gui.plot.legend import LegendButton
from dpstudio.gui.plot.people import DRAWN_OUT, PeopleItem
from dpstudio.gui.shell import theme
from dpstudio.scene.people import STATES
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise
from dpstudio.text.numbers import fixed

FEARED = Decision(attacker="membership")
LARGE = 760, 460


@pytest.fixture
def view(qtbot):
    return pictured(qtbot, FEARED, "risk_people", LARGE)


def items(view) -> list[PeopleItem]:
    return [item for _, item in view.canvas.layers.items if isinstance(item, PeopleItem) and item.people is not None]


def image_of(item, ratio=1.0) -> np.ndarray:
    """What an item paints on its own, without its words."""
    item.people = replace(item.people, words=())
    frame = item.frame
    made = QImage(round(frame.width * ratio), round(frame.height * ratio), QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(ratio)
    made.fill(0)
    painter = QPainter(made)
    item.paint(painter)
    painter.end()
    pixels = np.frombuffer(made.constBits(), dtype=np.uint32).reshape(made.height(), -1)
    return pixels & 0xFFFFFF


def colours(item, dark) -> dict[str, int]:
    counted = Counter(image_of(item).ravel().tolist())
    return {state: counted[int(look.colour(dark=dark)[1:], 16)] for state, (look, _) in STATES.items()}


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_that_as_many_of_each_colour_are_painted_as_are_in_the_scene(view, look):
    view.set_theme(look)
    view.grab()
    (item,) = items(view)
    assert item.people.cell == 3
    assert tuple(count // 4 for count in colours(item, look.dark).values()) == item.people.crowd.shown == (
        5000, 238, 4762)


@pytest.mark.parametrize(("size", "each"), [((330, 210), 1), ((760, 760), 16)])
def test_that_smaller_and_larger_people_are_as_many(qtbot, size, each):
    (item,) = items(pictured(qtbot, FEARED, "risk_people", size))
    assert {state: count / each for state, count in colours(item, dark=False).items()} == {
        "without": 5000, "only": 238, "wrong": 4762}


def test_that_where_there_is_room_each_has_head_and_body(qtbot):
    view = pictured(qtbot, FEARED, "risk_people", (1100, 1000))
    (item,) = items(view)
    cell = round(item.people.cell)
    assert cell >= DRAWN_OUT
    pixels = image_of(item)
    left, top = (round(each) for each in item.people.corner(0, 0))
    corner = item.mapToScene(QPointF(0, 0))
    assert (corner.x(), corner.y()) == (round(corner.x()), round(corner.y()))
    one = pixels[top:top + cell, left:left + cell]
    blue = int(STATES["without"][0].light[1:], 16)
    assert one[cell // 4, cell // 2] == one[round(0.7 * cell), cell // 2] == blue
    assert one[0, 0] == 0  # beside the head there is nothing


def test_that_people_are_sharp_on_a_fine_screen(qtbot):
    (item,) = items(pictured(qtbot, FEARED, "risk_people", (760, 380)))
    panel = item.people
    assert panel.cell == 2
    fine = image_of(item, 2.0)
    blue = int(STATES["without"][0].light[1:], 16)
    side = round(2 * panel.cell) - 1  # four pixels have a dot of three
    left, top = (round(2 * each) for each in panel.corner(0, 0))
    assert (fine[top:top + side, left:left + side] == blue).all()
    assert fine[top + side, left] == 0
    assert (fine == blue).sum() == 5000 * side * side


def test_that_a_moved_epsilon_moves_the_people_and_an_equal_answer_paints_nothing(view, qtbot):
    (item,) = items(view)
    before = item.people
    view.show_update(answer(FEARED.replace(epsilon=1.0), simulate=False), FEARED.values())
    view.grab()
    assert item.people.crowd.right > before.crowd.right
    assert (item.people.left, item.people.top) == (before.left, before.top)
    updated = []
    item.update = lambda *_: updated.append(1)
    view.show_update(answer(FEARED.replace(epsilon=1.0), simulate=False), FEARED.values())
    assert not updated
    view.show_update(answer(FEARED.replace(epsilon=1.1), simulate=False), FEARED.values())
    assert updated


def test_that_what_was_decided_for_is_shown(view):
    view.show_update(answer(FEARED, simulate=False).deciding("gaussian"), FEARED.values())
    view.grab()
    (item,) = items(view)
    assert item.people.words[0].words == "Gaussian"


def test_that_a_wide_window_has_all_side_by_side(qtbot):
    wide = pictured(qtbot, FEARED, "risk_people", (1900, 700))
    assert len(items(wide)) == 5
    wide.look(hidden=frozenset({"laplace", "cutoff"}))
    wide.grab()
    assert len([item for item in items(wide) if item.isVisible()]) == 3


def test_that_it_is_no_picture_of_values_there_are_no_axes_and_nothing_moves(view, qtbot):
    canvas, before = view.canvas, view.canvas.box.viewRange()
    assert canvas.left.scene() is None
    assert canvas.bottom.scene() is None
    assert not view.header.fit.isVisible()
    told = []
    canvas.view_changed.connect(lambda *_: told.append(1))
    middle = QPoint(canvas.width() // 2, canvas.height() // 2)
    QApplication.sendEvent(canvas.viewport(), QWheelEvent(
        QPointF(middle), QPointF(canvas.mapToGlobal(middle)), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Plus, Qt.Key.Key_Minus):
        QTest.keyClick(canvas, key)
    QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(canvas.viewport(), middle + QPoint(60, 10))
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle + QPoint(60, 10))
    qtbot.wait(60)
    assert canvas.box.viewRange() == before
    assert not told
    assert not canvas.crosshair.isVisible()


def test_that_who_cannot_see_it_hears_both_numbers(view):
    words = view.accessibleDescription()
    assert f"{fixed(5000, 0)} are right without this release and at most {fixed(5238, 0)} with it" in words
    assert view.accessibleName() == "Whom the attacker guesses right"


def test_that_colours_are_explained_and_while_nobody_is_feared_there_is_why(view, qtbot):
    said = [button.entry.label for button in view.legend.findChildren(LegendButton)]
    assert said == [words for _, words in STATES.values()]
    nobody = pictured(qtbot, Decision(), "risk_people", LARGE)
    assert nobody.canvas.scene_.blank
    assert not items(nobody)
    assert nobody.canvas.figure.empty.startswith("Say whom you fear")


def test_that_in_front_of_a_class_numbers_are_larger(qtbot):
    ordinary, large = (pictured(qtbot, Noise(attacker="membership"), "risk_people", (900, 600)) for _ in range(2))
    large.set_theme(replace(theme.LIGHT, scale=theme.PRESENTATION))
    large.grab()
    sizes = [max(each.size for each in items(view)[0].people.words) for view in (ordinary, large)]
    assert sizes[1] > 1.3 * sizes[0]
    assert sizes[0] >= 40
