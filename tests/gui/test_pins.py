"""Pinned curves are there wherever one looks."""

from __future__ import annotations

import numpy as np
import pytest
from window_kit import answered, type_entry

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Table
from dpstudio.core.study import answer
from dpstudio.gui.session.pins import Pins, _fuller, covered
from dpstudio.studies.decision import LAPLACE, RECORDS_TABLE, SIMULATION_TABLE, Decision
from dpstudio.studies.kit.attack import PROFILE_TABLE

STUDY = Decision(trials=1000)
X, Y = Column(v.RECORDS), Column(v.ACCEPTANCE, LAPLACE)


@pytest.fixture
def pins(qtbot):
    pins = Pins()
    pins.seen = lambda: frozenset({RECORDS_TABLE})
    yield pins
    pins.close()


def looked(pins, qtbot, pinned, windows):
    with qtbot.waitSignal(pins.shown) as shown:
        pins.look(pinned[0], windows)
    return shown.args[0]


@pytest.mark.parametrize("window", [(600.0, 1500.0), (2000.0, 2100.0), (990.0, 1010.0), (0.0, 100_000.0)])
def test_that_pinned_curves_reach_across_any_zoom_with_their_own_values(pins, qtbot, window):
    pinned = answer(STUDY), STUDY
    pins.pin(pinned)
    update, study = looked(pins, qtbot, pinned, {RECORDS_TABLE: window})
    assert study is STUDY
    table = update.tables[RECORDS_TABLE]
    assert table[X].min() <= window[0]
    assert table[X].max() >= window[1]
    exact = pinned[0].fact(v.THRESHOLD, LAPLACE).value
    assert table[Y][np.searchsorted(table[X], exact)] == pytest.approx(0.5, abs=0.05) or not (
        window[0] <= exact <= window[1])
    assert update.tables[SIMULATION_TABLE].rows == pinned[0].tables[SIMULATION_TABLE].rows
    assert update.facts == pinned[0].facts


def test_that_what_was_pinned_while_zoomed_is_whole_again_when_the_zoom_ends(pins, qtbot):
    zoomed = next(STUDY.run({RECORDS_TABLE: (990.0, 1010.0)})), STUDY
    pins.pin(zoomed)
    looked(pins, qtbot, zoomed, {RECORDS_TABLE: (990.0, 1010.0)})
    low, high = zoomed[0].windows[RECORDS_TABLE]
    table = looked(pins, qtbot, zoomed, {})[0].tables[RECORDS_TABLE]
    assert (table[X].min(), table[X].max()) == (low, high)


def test_that_nothing_is_computed_while_nobody_moves_the_view(pins, qtbot):
    pinned = answer(STUDY), STUDY
    pins.pin(pinned)
    looked(pins, qtbot, pinned, {})
    with qtbot.assertNotEmitted(pins.shown, wait=50):
        pins.look(pinned[0], {})
    pins.pin(None)
    with qtbot.assertNotEmitted(pins.shown, wait=50):
        pins.look(pinned[0], {PROFILE_TABLE: (0.0, 9.0)})


def test_that_the_newest_view_wins(pins, qtbot):
    pinned = answer(STUDY), STUDY
    pins.pin(pinned)
    found = []
    pins.shown.connect(lambda shown: found.append(shown[0].tables[RECORDS_TABLE][X].max()))
    for high in (1100.0, 1200.0, 1700.0):
        pins.look(pinned[0], {RECORDS_TABLE: (900.0, high)})
    qtbot.waitUntil(lambda: bool(found) and found[-1] == 1700)


def test_that_views_that_come_faster_than_answers_overtake_none(pins, qtbot, monkeypatch):
    started, start = [], pins._runner.start
    monkeypatch.setattr(pins._runner, "start", lambda *question: (started.append(question), start(*question)))
    pinned = answer(STUDY), STUDY
    pins.pin(pinned)
    for high in (1100.0, 1200.0, 1300.0, 1400.0):
        pins.look(pinned[0], {RECORDS_TABLE: (900.0, high)})
    assert len(started) == 1
    qtbot.waitUntil(lambda: len(started) == 2)
    assert started[1][1][RECORDS_TABLE] == (900.0, 1400.0)


def test_that_a_zoom_into_a_pinned_curve_shows_what_lay_between_its_points(pins, qtbot):
    study = Decision(minimum=10**6, records=10**6, epsilon=1e-4, trials=1)
    pinned = answer(study), study
    pins.pin(pinned)
    table = looked(pins, qtbot, pinned, {RECORDS_TABLE: (999_990.0, 1_000_010.0)})[0].tables[RECORDS_TABLE]
    assert set(range(999_990, 1_000_011)) <= set(table[X])


def test_that_a_table_that_a_simulation_filled_is_not_replaced_by_an_empty_one():
    full, none = Table({X: np.array([1.0, 50.0])}), Table({X: np.empty(0)})
    fewer = Table({X: np.array([1.0, 20.0])})
    for new in (none, fewer):
        assert _fuller({"drawn": full}, {"drawn": new}, "drawn", (1.0, 100.0)) is full
    assert _fuller({"drawn": fewer}, {"drawn": full}, "drawn", (1.0, 100.0)) is full
    assert _fuller({}, {"drawn": fewer}, "drawn", (1.0, 100.0)) is fewer


def test_that_a_table_covers_what_its_first_column_spans():
    table = Table({X: np.array([3.0, 8.0, 5.0])})
    assert covered(table, (0.0, 6.0)) == 3
    assert covered(table, (9.0, 10.0)) == 0
    assert covered(Table({X: np.empty(0)}), (0.0, 1.0)) == 0


def test_that_a_pinned_curve_does_not_end_in_mid_air_after_a_zoom(bench, qtbot):
    bench.pin()
    view = bench.pictures.picture()
    type_entry(bench, "epsilon", "0.3")
    answered(qtbot, bench)
    bench.answers.choose_view(RECORDS_TABLE, 500.0, 1500.0)

    def reaches() -> bool:
        ends = [item.arrays[0][[0, -1]] for _, item in view.canvas.layers.pins if item.isVisible()]
        return bool(ends) and all(low <= 500 and high >= 1500 for low, high in ends)

    qtbot.waitUntil(reaches)
    assert bench.pinned[1].epsilon == 0.1
    bench.unpin()
    assert not any(item.isVisible() for _, item in view.canvas.layers.pins)
