"""Of several solutions a hand that leads keeps the one where it is, and of several answers one is marked."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dpstudio.gui.shell import theme
from dpstudio.gui.solve.answers import AnswerStrip, ShownAnswer
from dpstudio.gui.solve.question import Reply


@pytest.mark.parametrize(("led", "taken"), [(0.02, 0.01), (0.3, 0.5), (0.7, 0.5), (3.0, 4.0)])
def test_that_of_several_solutions_the_one_is_nearest_that_differs_by_the_least_part_of_itself(led, taken):
    others = {"epsilon": 0.01}, {"epsilon": 4.0}
    problem = SimpleNamespace(axes=(SimpleNamespace(name="epsilon"),))
    offer = SimpleNamespace(problem=problem, values={"epsilon": 0.5}, solution=SimpleNamespace(others=others))
    assert Reply(None).nearest(offer, {"epsilon": led}) == {"epsilon": taken}


def test_that_the_answer_that_enter_takes_is_marked_once_it_is_sure_and_can_be_taken(qtbot, qapp):
    theme.apply(qapp, theme.LIGHT)
    strip = AnswerStrip(theme.LIGHT)
    qtbot.addWidget(strip)
    for ready, sure in ((True, False), (False, True), (True, True)):
        strip.show_choices([ShownAnswer(None, "0.01", "", ready=ready), ShownAnswer(None, "0.02", "", ready=True)], (),
                           sure=sure)
        marked = [button.property("role") == "first" for button in strip.buttons]
        assert marked == [ready and sure, False]
