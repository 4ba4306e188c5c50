"""A picture of one draw is drawn again, by its sign once or as long as that is held, from the menu and by a key."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_kit import LEFT, answered, value

from dpstudio.core.results import Column
from dpstudio.studies import all_studies
from dpstudio.vocabulary import NOISY_COUNT_THEN


@pytest.fixture
def history(qtbot, bench):
    """The history of a watch, at its largest."""
    document = bench.document
    document.turn(all_studies()["watch"])
    document.edit("seed", 0)
    document.show(type(document.session).see, "history", "said")
    answered(qtbot, bench)
    return bench.pictures.large


def drawn(qtbot, bench):
    """The noisy counts of the history that is shown."""
    answered(qtbot, bench)
    qtbot.waitUntil(lambda: bench.answers.latest[0].tables.get("history") is not None
                    and bench.answers.latest[0].tables["history"].rows > 20)
    table = bench.answers.latest[0].tables["history"]
    return next(numbers for column, numbers in table.items() if isinstance(column, Column)
                and column.quantity == NOISY_COUNT_THEN).tolist()[:20]


def test_that_a_press_draws_another_and_is_one_step_back(qtbot, bench, history):
    before = drawn(qtbot, bench)
    QTest.mouseClick(history.header.again, LEFT)
    assert value(bench, "seed") == 1
    assert drawn(qtbot, bench) != before
    bench.document.undo()
    assert value(bench, "seed") == 0
    assert drawn(qtbot, bench) == before


def test_that_holding_goes_on_drawing_and_is_one_step_back(qtbot, bench, history):
    again = history.header.again
    again.setAutoRepeatDelay(20)
    again.setAutoRepeatInterval(20)
    QTest.mousePress(again, LEFT)
    qtbot.waitUntil(lambda: value(bench, "seed") >= 4)
    QTest.mouseRelease(again, LEFT)
    answered(qtbot, bench)
    assert value(bench, "seed") >= 4
    bench.document.undo()
    assert value(bench, "seed") == 0


def test_that_a_key_and_the_menu_draw_again(qtbot, bench, history):
    QTest.keyClick(history.canvas, Qt.Key.Key_D)
    assert value(bench, "seed") == 1
    next(action for action in history.menu().actions() if action.text() == "Draw again").trigger()
    assert value(bench, "seed") == 2
    bench.document.undo()
    assert value(bench, "seed") == 1


def test_that_after_the_last_seed_comes_the_first(bench, history, qtbot):
    bench.document.edit("seed", 2**63 - 1)
    answered(qtbot, bench)
    history.header.again.click()
    assert value(bench, "seed") == 0


def test_that_a_picture_of_no_one_draw_has_no_such_sign(qtbot, bench, history):
    assert history.header.again.isVisible()
    bench.document.show(type(bench.document.session).see, "said", "history")
    answered(qtbot, bench)
    assert not history.header.again.isVisible()
    assert "Draw again" not in [action.text() for action in history.menu().actions()]
    QTest.keyClick(history.canvas, Qt.Key.Key_D)
    assert value(bench, "seed") == 0


def test_that_every_picture_of_one_draw_names_a_whole_parameter_of_its_study():
    named = [(kind, figure) for kind in all_studies().values() for figure in kind.figures if figure.drawn_by]
    assert len(named) >= 5
    for kind, figure in named:
        assert kind.parameter(figure.drawn_by).domain.integer
