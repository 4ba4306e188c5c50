"""What is simulated streams into the window while sliders move, and is let go as soon as it is overtaken."""

from __future__ import annotations

import time
from itertools import islice

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_kit import LEFT, answered, drag_slider, value

from dpstudio import vocabulary as v
from dpstudio.studies import all_studies
from dpstudio.studies import posterior as f

STREAMS = [key for key in ("posterior", "updating", "policy") if key in all_studies()]
ENDLESS = 10**7


def at_work(bench, qtbot, key, **values):
    """The study, simulating without an end in sight."""
    bench.desk.open_study(key)
    for name, number in ({"trials": ENDLESS} | values).items():
        bench.document.set(name, number)
    answered(qtbot, bench)
    qtbot.waitUntil(lambda: bench.answers.latest[0].done > 0)


def test_that_the_posterior_streams_while_sliders_move(bench, qtbot):
    at_work(bench, qtbot, "posterior")
    coverage = bench.answers.latest[0].fact(v.COVERAGE_FOUND, f.AWARE)
    assert coverage.kind == "estimate"
    seen = []
    bench.answers.shown.connect(lambda update, study: seen.append((study.epsilon, update.done)))
    slider = drag_slider(bench, "epsilon", 0.3, 0.35, 0.4, 0.45, 0.6)
    answered(qtbot, bench)
    QTest.mouseRelease(slider, LEFT)
    last = value(bench, "epsilon")
    assert last != 0.1
    qtbot.waitUntil(lambda: (last, 0) < max(each for each in seen if each[0] == last))
    assert bench.answers.latest[0].fact(v.GUARANTEE_EPSILON).value == last
    done = [number for epsilon, number in seen if epsilon == last]
    assert done == sorted(done), "it began anew, and goes on"


def test_that_what_streams_is_let_go_when_a_parameter_changes(bench, qtbot):
    for key in STREAMS:
        at_work(bench, qtbot, key)
        control = bench.page.parameters.control("epsilon").slider
        control.setFocus()
        for _ in range(10):
            QTest.keyClick(control, Qt.Key.Key_Right)
        answered(qtbot, bench)
        assert bench.answers.latest[1] == bench.document.study
        qtbot.waitUntil(lambda: bench.answers.latest[0].done > 0)


@pytest.mark.parametrize("key", STREAMS)
def test_that_a_simulation_asks_whether_it_is_still_wanted_more_often_than_it_says_something_new(key):
    study = all_studies()[key](trials=ENDLESS)
    next(study.run())  # what is made once is made
    spent = []
    began = time.thread_time()
    for update in islice(study.run(), 150):
        ended = time.thread_time()
        spent.append((update.done, ended - began))
        began = time.thread_time()
    simulated = [seconds for done, seconds in spent if done > 0]
    assert len(simulated) > 50
    # No stretch between two questions is a large part of the whole: there is nothing to wait out.
    assert max(simulated) < sum(simulated) / 5
