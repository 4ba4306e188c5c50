"""Pinned curves are there wherever one looks."""

from __future__ import annotations

import numpy as np
import pytest
from window_kit import answered, type_entry

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.slow import Wanted
from dpstudio.core.study import answer
from dpstudio.documents.session import Session
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.pins import Pins
from dpstudio.studies.decision import LAPLACE, RECORDS_TABLE, SIMULATION_TABLE, Decision
from dpstudio.studies.kit.attack import PROFILE_TABLE

STUDY = Decision(trials=1000)
X, Y = Column(v.RECORDS), Column(v.ACCEPTANCE, LAPLACE)


@pytest.fixture
def document(qapp):
    return Document(Session.of(Decision, {"trials": 1000}))


@pytest.fixture
def pins(document, qtbot):
    pins = Pins(document)
    pins.seen = lambda: Wanted(frozenset({RECORDS_TABLE}))
    yield pins
    pins.close()


def at_rest(pins):
    return not pins._due and not pins._worker.waiting


def pinned(pins, document, qtbot, update, windows):
    """Pin what an answer shows, look through windows and wait until the pin reaches across them."""
    pins.look(update, document.study, windows)
    document.do("Pin", Session.pin)
    qtbot.waitUntil(lambda: at_rest(pins))


def looked(pins, qtbot, update, study, windows):
    with qtbot.waitSignal(pins.shown) as shown:
        pins.look(update, study, windows)
    return shown.args[0]


@pytest.mark.parametrize("window", [(600.0, 1500.0), (2000.0, 2100.0), (990.0, 1010.0), (0.0, 100_000.0)])
def test_that_pinned_curves_reach_across_any_zoom_with_their_own_values(pins, document, qtbot, window):
    whole = answer(STUDY)
    pinned(pins, document, qtbot, whole, {})
    [pin] = looked(pins, qtbot, whole, STUDY, {RECORDS_TABLE: window})
    update = pin.update
    assert update.study == STUDY
    table = update.tables[RECORDS_TABLE]
    assert table[X].min() <= window[0]
    assert table[X].max() >= window[1]
    exact = whole.fact(v.THRESHOLD, LAPLACE).value
    assert table[Y][np.searchsorted(table[X], exact)] == pytest.approx(0.5, abs=0.05) or not (
        window[0] <= exact <= window[1])
    assert update.tables[SIMULATION_TABLE].rows == whole.tables[SIMULATION_TABLE].rows
    assert update.facts == whole.facts


def test_that_what_was_pinned_while_zoomed_is_whole_again_when_the_zoom_ends(pins, document, qtbot):
    zoomed = next(STUDY.run({RECORDS_TABLE: (990.0, 1010.0)}))
    pinned(pins, document, qtbot, zoomed, {RECORDS_TABLE: (990.0, 1010.0)})
    low, high = zoomed.windows[RECORDS_TABLE]
    table = looked(pins, qtbot, zoomed, STUDY, {})[0].update.tables[RECORDS_TABLE]
    assert (table[X].min(), table[X].max()) == (low, high)


def test_that_nothing_is_computed_while_nobody_moves_the_view(pins, document, qtbot):
    whole = answer(STUDY)
    pinned(pins, document, qtbot, whole, {})
    with qtbot.assertNotEmitted(pins.shown, wait=50):
        pins.look(whole, STUDY, {})
    assert at_rest(pins)
    document.do("Remove all pins", Session.unpin)
    with qtbot.assertNotEmitted(pins.shown, wait=50):
        pins.look(whole, STUDY, {PROFILE_TABLE: (0.0, 9.0)})
    assert at_rest(pins)


def test_that_the_newest_view_wins(pins, document, qtbot):
    whole = answer(STUDY)
    pinned(pins, document, qtbot, whole, {})
    found = []
    pins.shown.connect(lambda shown: found.append(shown[0].update.tables[RECORDS_TABLE][X].max()))
    for high in (1100.0, 1200.0, 1700.0):
        pins.look(whole, STUDY, {RECORDS_TABLE: (900.0, high)})
    qtbot.waitUntil(lambda: bool(found) and found[-1] == 1700)


def test_that_views_that_come_faster_than_answers_overtake_none(pins, document, qtbot, monkeypatch):
    whole = answer(STUDY)
    pinned(pins, document, qtbot, whole, {})
    started, start = [], pins._worker.start
    monkeypatch.setattr(pins._worker, "start",
                        lambda work, *more, **told: (started.append(work), start(work, *more, **told)))
    for high in (1100.0, 1200.0, 1300.0, 1400.0):
        pins.look(whole, STUDY, {RECORDS_TABLE: (900.0, high)})
    assert len(started) == 1
    qtbot.waitUntil(lambda: len(started) == 2)
    assert started[1].args[1][RECORDS_TABLE] == (900.0, 1400.0)


def test_that_a_zoom_into_a_pinned_curve_shows_what_lay_between_its_points(pins, document, qtbot):
    study = Decision(minimum=10**6, records=10**6, epsilon=1e-4, trials=1)
    document.do("Preset", Session.apply, {"minimum": 10**6, "records": 10**6, "epsilon": 1e-4, "trials": 1})
    whole = answer(study)
    pinned(pins, document, qtbot, whole, {})
    [shown] = looked(pins, qtbot, whole, study, {RECORDS_TABLE: (999_990.0, 1_000_010.0)})
    assert set(range(999_990, 1_000_011)) <= set(shown.update.tables[RECORDS_TABLE][X])


def test_that_several_pins_are_shown_by_what_differs_from_the_values_they_are_seen_beside(pins, document, qtbot):
    update = next(STUDY.run())
    pins.look(update, STUDY, {})
    document.do("Pin", Session.pin)
    document.do("Preset", Session.apply, {"trials": 1000, "epsilon": 0.5, "minimum": 700})
    document.do("Pin", Session.pin)
    told = []
    pins.shown.connect(lambda shown: told.append([each.title for each in shown]))
    document.set("epsilon", 2)
    qtbot.waitUntil(lambda: bool(told) and told[-1] == ["m = 1\u202f000, ε = 0.1", "ε = 0.5"])
    document.set("minimum", 1000)
    assert told[-1] == ["ε = 0.1", "m = 700, ε = 0.5"]
    document.set("epsilon", 0.1)
    assert told[-1] == ["the present values", "m = 700, ε = 0.5"]
    document.do("Remove pin", Session.unpin, STUDY)
    assert told[-1] == ["m = 700, ε = 0.5"]


def test_that_pins_that_come_back_are_computed_all_and_exactly(pins, document, qtbot):
    session = Session.of(Decision, {"trials": 1000}).pin().set("epsilon", 0.5).pin().set("epsilon", 2)
    document.open(session)
    pins.look(next(document.study.run()), document.study, {RECORDS_TABLE: (900.0, 1700.0)})
    qtbot.waitUntil(lambda: at_rest(pins))
    assert [each.title for each in pins._told] == ["ε = 0.1", "ε = 0.5"]
    for update, study in ((pin.update, pin.update.study) for pin in pins._told):
        table = update.tables[RECORDS_TABLE]
        assert table[X].max() == 1700
        exact = next(study.run({RECORDS_TABLE: (900.0, 1700.0)})).tables[RECORDS_TABLE]
        np.testing.assert_array_equal([*table.values()], [*exact.values()])


def test_that_pins_that_come_back_are_drawn_and_known_whole_once_the_present_answer_is(pins, document, qtbot):
    document.open(Session.of(Decision, {"trials": 1000}).pin().set("epsilon", 0.5).pin().set("epsilon", 2))
    now = answer(document.study)
    pins.look(now, document.study, {})
    qtbot.waitUntil(lambda: at_rest(pins))
    assert not any(pins.update_of(study).done for study in pins.studies)
    pins.complete()
    qtbot.waitUntil(lambda: all(pins.update_of(study).done == 1000 for study in pins.studies))
    for study, told in zip(pins.studies, pins._told, strict=True):
        whole = answer(study, views=now.windows)
        assert told.update.standing()[0] == whole.facts
        drawn = told.update.tables[SIMULATION_TABLE]
        np.testing.assert_array_equal([*drawn.values()], [*whole.tables[SIMULATION_TABLE].values()])
    qtbot.waitUntil(lambda: pins._running is None)
    pins.complete()
    assert pins._running is None, "what is whole is not answered again"


def test_that_the_draws_of_a_pin_wait_while_something_new_is_asked(pins, document, qtbot):
    document.open(Session.of(Decision, {"trials": 10**9}).pin().set("epsilon", 0.5))
    [study] = pins.studies
    pins.look(next(document.study.run()), document.study, {})
    pins.complete()
    qtbot.waitUntil(lambda: pins.update_of(study) is not None and pins.update_of(study).done > 0)
    document.set("epsilon", 0.6)
    assert pins._running is None
    pins.look(next(document.study.run()), document.study, {})
    qtbot.waitUntil(lambda: at_rest(pins) and pins._running is None)
    pins.complete()
    assert pins._running == study


def test_that_a_pin_that_was_removed_comes_back_with_what_was_simulated(pins, document, qtbot):
    whole = answer(STUDY)
    pinned(pins, document, qtbot, whole, {})
    document.set("epsilon", 0.5)
    document.do("Remove all pins", Session.unpin)
    document.undo()
    assert pins._told[0].update.tables[SIMULATION_TABLE].rows == whole.tables[SIMULATION_TABLE].rows


def test_that_a_pinned_curve_does_not_end_in_mid_air_after_a_zoom(bench, qtbot):
    bench.desk.pin()
    view = bench.pictures.picture()
    type_entry(bench, "epsilon", "0.3")
    answered(qtbot, bench)
    bench.answers.choose_view(RECORDS_TABLE, 500.0, 1500.0)

    def reaches() -> bool:
        ends = [item.arrays[0][[0, -1]] for _, item in view.canvas.layers.pins if item.isVisible()]
        return bool(ends) and all(low <= 500 and high >= 1500 for low, high in ends)

    qtbot.waitUntil(reaches)
    assert bench.document.state.pins[0].study.epsilon == 0.1
    bench.document.do("Remove all pins", Session.unpin)
    assert not any(item.isVisible() for _, item in view.canvas.layers.pins)


def test_that_the_menu_lists_every_pin_by_what_differs_and_removes_the_one_chosen(bench, qtbot):
    bench.menus.actions["Pin curves"].trigger()
    type_entry(bench, "epsilon", "0.5")
    answered(qtbot, bench)
    bench.menus.actions["Pin curves"].trigger()
    type_entry(bench, "epsilon", "2")
    bench.menus.pins.aboutToShow.emit()
    first, second = bench.menus.pins.actions()
    assert (first.text(), second.text()) == ("ε = 0.1", "ε = 0.5")
    first.trigger()
    assert [pin.study.epsilon for pin in bench.document.state.pins] == [0.5]
    bench.menus.actions["Undo"].trigger()
    assert [pin.study.epsilon for pin in bench.document.state.pins] == [0.1, 0.5]
    assert bench.menus.actions["Undo"].text() == "&Undo Change ε"
    bench.menus.actions["Remove all pins"].trigger()
    assert not bench.document.state.pins
    assert not bench.menus.actions["Remove all pins"].isEnabled()
