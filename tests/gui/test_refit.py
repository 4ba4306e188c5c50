"""A change that moves everything out of a person's zoom brings the picture back to it; one that does not leaves it."""

from __future__ import annotations

from window_kit import answered

from dpstudio.studies.decision import RECORDS_TABLE


def zoomed(bench, qtbot, low: float, high: float) -> None:
    bench.answers.choose_view(RECORDS_TABLE, low, high)
    answered(qtbot, bench)
    qtbot.waitUntil(lambda: bench.answers.windows[RECORDS_TABLE] == (low, high))
    qtbot.waitUntil(lambda: not bench.answers._worker.waiting)


def test_that_a_zoom_ends_when_the_curves_leave_it(bench, qtbot):
    zoomed(bench, qtbot, 990.0, 1010.0)
    bench.document.edit("epsilon", 0.2)
    answered(qtbot, bench)
    assert bench.answers.windows[RECORDS_TABLE] == (990.0, 1010.0)
    bench.document.edit("minimum", 5000)
    answered(qtbot, bench)
    low, high = bench.answers.windows[RECORDS_TABLE]
    assert low < 5000 < high
    assert bench.pictures.picture().canvas.window() == (low, high)


def test_that_a_zoom_holds_while_a_hand_drags_and_ends_when_it_lets_go(bench, qtbot):
    zoomed(bench, qtbot, 990.0, 1010.0)
    for minimum in (1500, 3000, 5000):
        bench.document.edit("minimum", minimum, False)
        answered(qtbot, bench)
        assert bench.answers.windows[RECORDS_TABLE] == (990.0, 1010.0)
    bench.document.edit("minimum", 5000, True)
    qtbot.waitUntil(lambda: bench.answers.windows.get(RECORDS_TABLE, (0, 0))[1] > 5000)


def test_that_a_look_into_the_tail_is_left_alone(bench, qtbot):
    zoomed(bench, qtbot, 3000.0, 3100.0)
    bench.document.edit("minimum", 1100)
    answered(qtbot, bench)
    assert bench.answers.windows[RECORDS_TABLE] == (3000.0, 3100.0)


def test_that_a_click_on_the_label_of_n_brings_it_into_every_picture_of_its_table(bench, qtbot):
    bench.document.edit("records", 1020)  # else N follows m
    bench.document.edit("minimum", 5000)
    answered(qtbot, bench)
    canvas = bench.pictures.picture().canvas
    records = next(placed for placed in canvas.marks.marks if placed.parameter.name == "records")
    qtbot.waitUntil(lambda: records.at < 0)
    canvas.marks.wanted.emit(records.value)
    qtbot.waitUntil(lambda: bench.answers.windows[RECORDS_TABLE][0] < 1020)
    assert bench.answers.windows[RECORDS_TABLE][1] > 5000
    qtbot.waitUntil(lambda: records.seen(canvas.marks.frame))
