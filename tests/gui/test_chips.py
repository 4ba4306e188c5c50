"""Chips over the large picture: a click decides, what is not allowed has no button, and hiding needs another hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import LEFT, Painted, answered, rested

from dpstudio.documents.in_view import CURVES
from dpstudio.documents.session import Session
from dpstudio.gui.facts.model import FactsModel
from dpstudio.gui.plot.chips import NOT_ALLOWED, TOO_WEAK, chips_of
from dpstudio.scene.palette import REFUSED
from dpstudio.scene.scene import series_of
from dpstudio.studies.decision import CUTOFF, GAUSSIAN, GENERALIZED, LAPLACE, MATCHED, Decision
from dpstudio.studies.mean import Mean

KEY = Qt.Key


@pytest.fixture
def active(bench, qtbot):
    bench.window_.activateWindow()
    qtbot.waitUntil(bench.window_.isActiveWindow)
    settled(bench, qtbot)
    return bench


def settled(bench, qtbot):
    answered(qtbot, bench)
    qtbot.waitUntil(lambda: bench.page.runner_up.isVisible())


def chip(bench, series):
    return next(each for each in bench.pictures.chips.chips if each.entry.series == series)


def spoken(bench, qtbot, begun):
    qtbot.waitUntil(lambda: bench.headline.sentence.startswith(begun))


def press(bench, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(bench.window_.windowHandle(), key, modifier)


def test_that_a_click_decides_in_one_step_another_takes_it_back_and_the_page_speaks_of_it(active, qtbot):
    spoken(active, qtbot, "Use Laplace")
    assert chip(active, LAPLACE).entry.suggested
    steps = active.document.steps
    QTest.mouseClick(chip(active, GAUSSIAN), LEFT)
    assert (active.document.state.chosen, active.document.steps) == (GAUSSIAN.key, steps + 1)
    spoken(active, qtbot, "You chose")
    assert chip(active, GAUSSIAN).entry.chosen
    assert not any(each.entry.suggested for each in active.pictures.chips.chips)
    assert any(part.decided and part.key == GAUSSIAN.key for part in active.pictures.large.canvas.scene_.parts)
    qtbot.waitUntil(lambda: active.facts.facts.decided == GAUSSIAN)
    titles = [active.facts.facts.headerData(i, Qt.Orientation.Horizontal) for i in range(1, 5)]
    assert [title for title in titles if title.startswith("✓")] == [f"✓ {GAUSSIAN.label}"]
    QTest.mouseClick(chip(active, GAUSSIAN), LEFT)
    assert active.document.state.chosen is None
    active.document.undo()
    assert active.document.state.chosen == GAUSSIAN.key
    active.document.undo()
    assert active.document.state.chosen is None
    spoken(active, qtbot, "Use Laplace")


def test_that_the_heading_of_what_was_decided_for_is_painted_with_its_column(active, qtbot):
    rested(qtbot, active)
    painted = Painted(heads := active.facts.horizontalHeader().viewport())
    for series in (GAUSSIAN, None):
        painted.times[heads] = 0
        active.hand.decide(series and series.key)
        qtbot.waitUntil(lambda: painted.times[heads] > 0)


def test_that_the_window_draws_what_is_refused_fainter_and_what_is_decided_for_stronger(active, qtbot):
    active.hand.decide(GAUSSIAN.key)
    spoken(active, qtbot, "You chose")
    for layer, item in active.pictures.large.canvas.layers.items:
        series = series_of(layer)
        assert item.opacity() == pytest.approx(REFUSED if series in (CUTOFF, MATCHED) else 1.0)
        assert item.decided is (series == GAUSSIAN)
    active.hand.decide(None)
    spoken(active, qtbot, "Use Laplace")
    assert not any(item.decided for _, item in active.pictures.large.canvas.layers.items)


def test_that_what_is_not_allowed_stands_after_the_words_for_it_and_cannot_be_decided_for(active):
    refused = chip(active, CUTOFF)
    assert refused.entry.standing == "refused"
    assert active.answers.latest[0].answer.spends(CUTOFF) in refused.text()
    assert refused.isVisible()
    chips = active.pictures.chips
    assert chips._words_at > max(each.geometry().right() for each in chips.choices)
    assert NOT_ALLOWED == "not allowed:"
    QTest.mouseClick(refused, LEFT)
    assert active.document.state.chosen is None
    refused.setFocus()
    for key in (KEY.Key_Space, KEY.Key_Return):
        press(active, key)
    assert active.document.state.chosen is None


def test_that_an_account_that_shows_too_much_is_called_too_weak_and_never_not_allowed(active, qtbot):
    active.desk.open_study("budget")
    chips = active.pictures.chips
    qtbot.waitUntil(lambda: chips._words_at >= 0 and chips.refusing == TOO_WEAK)
    assert [each.entry.series.key for each in chips.chips if each.entry.standing == "refused"] == ["advanced", "basic"]
    active.desk.open_study("decision")
    qtbot.waitUntil(lambda: active.pictures.chips.refusing == NOT_ALLOWED)


def test_that_what_was_decided_for_and_is_allowed_no_longer_keeps_its_chip(active, qtbot):
    active.document.set("delta", 0.2)
    settled(active, qtbot)
    active.hand.decide(CUTOFF.key)  # allowed here
    active.document.set("delta", 1e-6)
    settled(active, qtbot)
    spoken(active, qtbot, "No longer allowed")
    entry = chip(active, CUTOFF).entry
    assert (entry.chosen, entry.standing, bool(entry.spends)) == (True, "choice", True)
    QTest.mouseClick(chip(active, CUTOFF), LEFT)
    assert active.document.state.chosen is None
    qtbot.waitUntil(lambda: chip(active, CUTOFF).entry.standing == "refused")


def test_that_keys_reach_lead_along_and_decide(active, qtbot):
    press(active, KEY.Key_C, Qt.KeyboardModifier.AltModifier)
    assert active.window_.focusWidget() is chip(active, LAPLACE)
    press(active, KEY.Key_Right)
    assert active.window_.focusWidget() is chip(active, GENERALIZED)
    press(active, KEY.Key_Left)
    press(active, KEY.Key_Left)
    assert active.window_.focusWidget() is chip(active, CUTOFF), "its menu hides its curves"
    press(active, KEY.Key_Left)
    assert active.window_.focusWidget() is chip(active, GAUSSIAN)
    press(active, KEY.Key_Space)
    assert active.document.state.chosen == GAUSSIAN.key
    spoken(active, qtbot, "You chose")
    assert active.window_.focusWidget() is chip(active, GAUSSIAN), "the keyboard stays where it was"
    press(active, KEY.Key_Return)
    assert active.document.state.chosen is None


def test_that_a_curve_is_hidden_by_shift_and_a_click_and_is_no_step(active, qtbot):
    steps = active.document.steps
    QTest.mouseClick(chip(active, GAUSSIAN), LEFT, Qt.KeyboardModifier.ShiftModifier)
    assert (active.document.state.hidden, active.document.state.chosen) == ({GAUSSIAN.key}, None)
    assert active.document.steps == steps
    assert chip(active, GAUSSIAN).entry.hidden
    assert not any(part.shown for part in active.pictures.large.canvas.scene_.parts if part.key == GAUSSIAN.key)
    QTest.mouseClick(chip(active, GAUSSIAN), LEFT, Qt.KeyboardModifier.ShiftModifier)
    assert active.document.state.hidden == frozenset()


def test_that_a_further_curve_is_shown_from_the_menu_and_no_other_with_it(active, qtbot):
    shown = {part.key for part in active.pictures.large.canvas.scene_.parts if part.shown}
    assert MATCHED.key not in shown
    chips = active.pictures.chips
    chips.more.menu().aboutToShow.emit()
    next(each for each in chips.more.menu().actions() if each.text() == f"Show {MATCHED.label}").trigger()
    assert CURVES in active.document.state.opened
    qtbot.waitUntil(lambda: {part.key for part in active.pictures.large.canvas.scene_.parts if part.shown}
                    == shown | {MATCHED.key})
    assert any(each.entry.series == MATCHED for each in chips.chips)
    active.menus.actions["Everything"].trigger()
    active.menus.actions["Everything"].trigger()
    qtbot.waitUntil(lambda: {part.key for part in active.pictures.large.canvas.scene_.parts if part.shown} == shown)


def test_that_the_menu_hides_a_further_curve_that_is_shown_and_shows_one_that_was_hidden(active, qtbot):
    chips = active.pictures.chips

    def pick():
        chips.more.menu().aboutToShow.emit()
        next(each for each in chips.more.menu().actions() if each.text() == f"Show {MATCHED.label}").trigger()

    pick()
    qtbot.waitUntil(lambda: chips.folded == frozenset())
    pick()
    assert active.document.state.hidden == {MATCHED.key}
    active.document.show(Session.having, more=frozenset())
    qtbot.waitUntil(lambda: MATCHED.key in chips.folded)
    pick()
    assert MATCHED.key not in active.document.state.hidden
    qtbot.waitUntil(lambda: MATCHED.key in {part.key for part in scene_of(active).parts if part.shown})


def test_that_chips_stand_in_the_order_of_what_is_seen_first_with_what_is_not_allowed_at_the_end(active):
    further = frozenset({MATCHED.key, GENERALIZED.key})
    entries, others = chips_of(scene_of(active), {}, (CUTOFF, GAUSSIAN, LAPLACE), frozenset(), further, LAPLACE.key)
    assert [each.series for each in entries] == [GAUSSIAN, LAPLACE, CUTOFF]
    assert [each.suggested for each in entries] == [False, True, False]
    assert {MATCHED, GENERALIZED} <= set(others)
    entries, _ = chips_of(scene_of(active), {}, (CUTOFF, LAPLACE), frozenset(), further, CUTOFF.key)
    assert not any(each.suggested for each in entries), "what is not allowed is never suggested"


def test_that_of_several_further_curves_one_alone_is_shown(active, qtbot):
    active.desk.open_study("budget")
    answered(qtbot, active)
    scene = active.pictures.large.canvas
    qtbot.waitUntil(lambda: scene_of(active) is not None and bool(active.pictures.chips._others))
    shown = {part.key for part in scene_of(active).parts if part.shown}
    first, *others = [one for one in active.pictures.chips._others if one.key in active.document.state.folded]
    assert others
    assert scene is active.pictures.large.canvas
    folded = active.document.state.folded
    active.pictures.curve_wanted.emit(first.key)
    assert active.document.state.hidden == folded - {first.key}
    qtbot.waitUntil(lambda: first.key in {part.key for part in scene_of(active).parts if part.shown})
    assert {part.key for part in scene_of(active).parts if part.shown} == shown | {first.key}


def scene_of(bench):
    return bench.pictures.large.canvas.scene_


def test_that_facts_seen_first_have_what_is_not_allowed_last_and_what_was_decided_for_in_any_case(active, qtbot):
    model, kind = FactsModel(), Decision
    update = active.answers.latest[0]
    turned = replace(kind.level_one, series=(CUTOFF, LAPLACE))
    model.show_update(update, kind())
    model.show_only(turned, frozenset({MATCHED.key, GENERALIZED.key, GAUSSIAN.key}))
    assert model.series == [LAPLACE, CUTOFF]
    model.show_update(update.deciding(MATCHED), kind())
    assert {*model.series} == {LAPLACE, CUTOFF, MATCHED}
    assert model.quantities == [each for each in kind.level_one.facts if each in model.quantities]


@pytest.mark.parametrize("width", [900, 640, 420, 260, 60])
def test_that_no_chip_is_cut_whatever_the_room_and_what_has_none_is_in_the_menu(active, width):
    chips = active.pictures.chips
    chips.resize(width, chips.height())
    QApplication.processEvents()
    seen = [each for each in chips.chips if not each.isHidden()]
    for each in seen:
        assert each.width() >= each.width_at(each.brief)
        assert each.geometry().right() <= width
    chips.more.menu().aboutToShow.emit()
    listed = {action.text() for action in chips.more.menu().actions()}
    assert {each.entry.words(0) for each in chips.chips if each not in seen} <= listed
    assert chips.more.isHidden() is (len(seen) == len(chips.chips) and not chips._others)


def test_that_where_nothing_can_be_decided_a_chip_is_a_name(active, qtbot):
    active.desk.open_study("audit")
    answered(qtbot, active)
    qtbot.waitUntil(lambda: bool(active.pictures.chips.chips))
    assert {each.entry.standing for each in active.pictures.chips.chips} == {"name"}
    assert not active.pictures.chips.choices


def in_view_of(chips):
    return [each.entry.series for each in chips.chips if not each.isHidden()]


def test_that_what_is_suggested_or_chosen_has_a_chip_in_view_in_any_width(active, qtbot):
    spoken(active, qtbot, "Use Laplace")
    chips = active.pictures.chips
    for series in (LAPLACE, GAUSSIAN):
        if series == GAUSSIAN:
            active.hand.decide(GAUSSIAN.key)
            qtbot.waitUntil(lambda: chip(active, GAUSSIAN).entry.chosen)
        for width in range(190, 900, 30):
            chips.resize(width, chips.height())
            assert series in in_view_of(chips), width


def test_that_where_nothing_is_allowed_what_there_is_still_has_chips(bench, qtbot):
    bench.desk.open_study("budget")
    for name, value in {"epsilon": 10.0, "releases": 1000, "delta": 0.01, "budget_delta": 0.1}.items():
        bench.document.edit(name, value)
    answered(qtbot, bench)
    chips = bench.pictures.chips
    qtbot.waitUntil(lambda: {each.entry.standing for each in chips.chips} == {"refused"})
    assert in_view_of(chips)
    assert chips._words_at >= 0, "that they are not allowed is said before them"


def test_that_what_is_suggested_has_a_chip_though_its_curve_is_not_seen_first(bench, qtbot):
    bench.desk.open_study("mean")
    for name, value in {"epsilon": 0.01, "people": 10**9, "fraction": 0.0, "delta": 1e-3}.items():
        bench.document.edit(name, value)
    answered(qtbot, bench)
    qtbot.waitUntil(lambda: bench.pictures.chips.suggested == "gaussian")
    assert "gaussian" not in {series.key for series in Mean.level_one.series}
    shown = next(each for each in bench.pictures.chips.chips if each.entry.series.key == "gaussian")
    qtbot.waitUntil(shown.isVisible)
    assert shown.entry.suggested
