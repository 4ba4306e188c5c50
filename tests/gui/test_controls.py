"""Controls driven by real mouse and key events, with a document behind them as in the window."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from window_kit import Painted, answered, focus_parameter, value

from dpstudio import vocabulary as v
from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.data.origin import Origin
from dpstudio.documents.session import Session
from dpstudio.gui.controls.kinds import make_control
from dpstudio.gui.controls.panel import ParametersPanel
from dpstudio.gui.controls.style import called, described, in_row
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell import theme
from dpstudio.studies.decision import Decision
from dpstudio.studies.response import Response

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key


class Desk:
    """A panel and a document, joined as the window joins them."""

    def __init__(self, panel: ParametersPanel, document: Document) -> None:
        self.panel, self.document = panel, document
        self.edits: list[tuple] = []
        self.refusals: list[tuple] = []
        panel.edited.connect(self.take)
        panel.refused.connect(lambda *refusal: self.refusals.append(refusal))
        panel.reset_requested.connect(document.reset)
        panel.reset_all_requested.connect(partial(document.do, "Reset all", Session.apply, {}))
        document.changed.connect(self.show)
        document.refused.connect(panel.show_refusal)
        self.show()

    def take(self, name, value, final):
        self.edits.append((name, value, final))
        self.document.edit(name, value, final)

    def show(self):
        self.panel.show_study(self.document.study, self.document.set_here)

    def value(self, name):
        return getattr(self.document.study, name)

    def entry(self, name):
        return self.panel.control(name).entry

    def slider(self, name):
        return self.panel.control(name).slider

    def type(self, name, text, key=KEY.Key_Return):
        entry = self.entry(name)
        entry.setFocus()
        entry.selectAll()
        QTest.keyClicks(entry, text)
        QTest.keyClick(entry, key)


@pytest.fixture
def desk(qtbot, qapp):
    theme.apply(qapp, theme.LIGHT)
    panel = ParametersPanel(Decision, theme.LIGHT)
    qtbot.addWidget(panel)
    panel.resize(320, 900)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.activateWindow()
    return Desk(panel, Document(Session.of(Decision)))


def drag(slider, *ways):
    """Press the handle, pass through points given as parts of the slider's width, and release."""
    QTest.mousePress(slider, LEFT, pos=slider.handle().toPoint())
    for way in ways:
        QTest.mouseMove(slider, QPoint(round(way * slider.width()), slider.height() // 2))
    QTest.mouseRelease(slider, LEFT, pos=QPoint(round(ways[-1] * slider.width()), slider.height() // 2))


def turn_wheel(widget, notches=1):
    centre = QPointF(widget.rect().center())
    event = QWheelEvent(centre, widget.mapToGlobal(centre), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
                        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(widget, event)
    return event


def test_that_a_row_shares_out_what_is_left_by_shares_or_leaves_it_free(qtbot):
    for share, ends in ((1, (290, 300)), (0, (10, 300))):
        whole, first, last = QWidget(), QWidget(), QWidget()
        qtbot.addWidget(whole)
        for each in (first, last):
            each.setMinimumWidth(10)
        last.setMaximumWidth(10)
        first.setMaximumWidth(10 if not share else 1000)
        in_row((first, share), *([] if share else [None]), last, within=whole, gap=0)
        whole.resize(300, 20)
        whole.show()
        assert (first.geometry().right() + 1, last.geometry().right() + 1) == ends
        assert last.width() == 10


def test_that_dragging_the_handle_changes_the_value_and_is_one_step(desk):
    drag(desk.slider("epsilon"), 0.6, 0.7, 0.8, 0.9)
    assert 1 < desk.value("epsilon") < 10
    assert [final for _, _, final in desk.edits] == [False] * 4 + [True]
    assert desk.document.steps == 1
    desk.document.undo()
    assert desk.value("epsilon") == 0.1


def test_that_dragging_past_the_ends_stays_in_the_shown_range(desk):
    drag(desk.slider("epsilon"), 0.5, 3)
    assert desk.value("epsilon") == 10
    drag(desk.slider("epsilon"), 0.5, -2)
    assert desk.value("epsilon") == 1e-4


def test_that_grasping_the_handle_off_its_centre_moves_nothing(desk):
    slider = desk.slider("epsilon")
    QTest.mouseClick(slider, LEFT, pos=slider.handle().toPoint() + QPoint(4, 0))
    assert desk.edits == []


def test_that_a_click_on_the_groove_brings_the_handle_there(desk):
    slider = desk.slider("minimum")
    QTest.mouseClick(slider, LEFT, pos=QPoint(slider.width() * 3 // 4, slider.height() // 2))
    assert desk.value("minimum") > 100_000
    assert abs(slider.handle().x() - slider.width() * 3 / 4) < 2
    assert desk.edits[-1][2]


def test_that_the_left_end_of_delta_is_zero(desk):
    drag(desk.slider("delta"), 0.3, 0.0)
    assert desk.value("delta") == 0
    assert desk.entry("delta").text() == "0"


def test_that_a_double_click_on_the_handle_resets(desk):
    desk.document.set("epsilon", 2.0)
    slider = desk.slider("epsilon")
    QTest.mouseDClick(slider, LEFT, pos=slider.handle().toPoint())
    assert "epsilon" not in desk.document.set_here


@pytest.mark.parametrize(("key", "value"), [
    (KEY.Key_Right, 1_001), (KEY.Key_Left, 999), (KEY.Key_Up, 1_001), (KEY.Key_Down, 999), (KEY.Key_PageUp, 2_000),
    (KEY.Key_PageDown, 500), (KEY.Key_Plus, 1_100), (KEY.Key_Minus, 990), (KEY.Key_Home, 10), (KEY.Key_End, 10**7)])
def test_that_keys_move_the_slider(desk, key, value):
    QTest.keyClick(desk.slider("minimum"), key)
    assert desk.value("minimum") == value
    assert desk.edits[-1] == ("minimum", value, True)


def test_that_a_key_held_down_is_one_step_to_undo(desk):
    slider = desk.slider("minimum")
    for _ in range(20):
        QTest.keyPress(slider, KEY.Key_Right)
    QTest.keyRelease(slider, KEY.Key_Right)
    assert desk.value("minimum") == 1_020
    assert desk.document.steps == 1


def test_that_the_wheel_moves_only_a_slider_with_focus(desk, qtbot):
    slider = desk.slider("epsilon")
    desk.entry("minimum").setFocus()
    assert not turn_wheel(slider).isAccepted()
    assert desk.edits == []
    slider.setFocus()
    turn_wheel(slider, 2)
    assert desk.value("epsilon") == 0.12
    qtbot.waitUntil(lambda: desk.edits[-1] == ("epsilon", 0.12, True))


def test_that_the_wheel_over_a_list_changes_nothing(desk):
    named = desk.panel.control("target").named
    named.setFocus()
    assert not turn_wheel(named).isAccepted()
    assert desk.edits == []


@pytest.mark.parametrize(("name", "text", "value"), [
    ("epsilon", "1e-3", 1e-3), ("minimum", "100k", 100_000), ("target", "0,1 %", 1e-3), ("epsilon", "20", 20),
    ("delta", "1.2345e-12", 1.2345e-12), ("minimum", "1 000 003", 1_000_003),
    ("epsilon", "0.30000000000000004", 0.30000000000000004)])
def test_that_a_typed_value_is_taken_whole_and_the_slider_does_not_round_it(desk, name, text, value):
    desk.type(name, text)
    assert desk.value(name) == value
    assert desk.slider(name).number() == value
    assert desk.edits == [(name, value, True)]


def test_that_leaving_an_entry_takes_what_was_typed(desk):
    desk.type("epsilon", "0.5", KEY.Key_Tab)
    assert desk.value("epsilon") == 0.5
    assert not desk.entry("epsilon").hasFocus()


def test_that_a_parameter_of_the_study_before_is_asked_for_in_vain(desk):
    """A row of facts can be clicked until those of the study in view are there."""
    desk.panel.show_entry("epsilon")
    assert desk.entry("epsilon").hasFocus()
    desk.panel.show_entry("relative")
    assert desk.entry("epsilon").hasFocus()


def test_that_passing_through_an_entry_changes_nothing(desk):
    desk.entry("epsilon").setFocus()
    QTest.keyClick(desk.entry("epsilon"), KEY.Key_Return)
    QTest.keyClick(desk.entry("epsilon"), KEY.Key_Tab)
    assert desk.edits == []


def test_that_a_refused_entry_turns_red_says_why_and_leaves_the_value(desk):
    desk.type("epsilon", "50")
    assert desk.value("epsilon") == 0.1
    assert desk.edits == []
    sentence = "privacy loss ε must be in [1e-6, 20], got 50"
    assert desk.refusals == [("epsilon", sentence)]
    assert desk.entry("epsilon").is_refused()
    assert desk.entry("epsilon").text() == "50"
    assert desk.panel.control("epsilon").refusal() == sentence
    desk.entry("minimum").setFocus()
    assert desk.refusals == [("epsilon", sentence)], "said once"
    assert desk.entry("epsilon").text() == "50"


def test_that_a_refused_entry_can_be_mended_or_given_up(desk):
    desk.type("epsilon", "50")
    desk.entry("epsilon").setFocus()
    QTest.keyClick(desk.entry("epsilon"), KEY.Key_Home)
    QTest.keyClicks(desk.entry("epsilon"), "0.")
    assert desk.refusals[-1] == ("epsilon", "")
    QTest.keyClick(desk.entry("epsilon"), KEY.Key_Return)
    assert desk.value("epsilon") == 0.5
    desk.type("epsilon", "fifty")
    QTest.keyClick(desk.entry("epsilon"), KEY.Key_Escape)
    assert desk.entry("epsilon").text() == "0.5"
    assert not desk.panel.control("epsilon").refusal()


def test_that_what_is_being_typed_survives_news_of_other_parameters(desk):
    entry = desk.entry("epsilon")
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, "0.2")
    desk.document.set("minimum", 5_000)
    assert entry.text() == "0.2"
    desk.document.set("epsilon", 3.0)
    assert entry.text() == "3"


def test_that_arrows_step_an_entry(desk):
    entry = desk.entry("epsilon")
    entry.setFocus()
    QTest.keyClick(entry, KEY.Key_Up)
    assert desk.value("epsilon") == 0.11
    QTest.keyClick(entry, KEY.Key_PageDown)
    assert desk.value("epsilon") == 0.1
    assert desk.document.steps == 2


def test_that_the_study_s_refusal_is_said_and_the_slider_returns(desk):
    def refuse(name, value, **_):
        raise InvalidParameter(name, "at most N", value)

    desk.document.set = refuse
    drag(desk.slider("minimum"), 0.9)
    assert desk.slider("minimum").number() == 1_000
    assert desk.entry("minimum").text() == "1\u202f000"
    assert "minimum m must be at most N" in desk.panel.control("minimum").refusal()
    del desk.document.set
    drag(desk.slider("minimum"), 0.9)
    assert not desk.panel.control("minimum").refusal()


def test_that_a_value_beyond_the_range_pins_the_handle_and_keeps_the_value(desk):
    desk.type("minimum", "1e9")
    slider = desk.slider("minimum")
    assert slider.handle().x() > slider.width() - 15
    assert desk.value("minimum") == 10**9
    QTest.mouseClick(slider, LEFT, pos=slider.handle().toPoint())
    assert desk.value("minimum") == 10**9


def test_that_a_name_sets_its_value_and_custom_is_shown_for_the_rest(desk, qtbot):
    named = desk.panel.control("target").named
    assert named.currentText() == "Neutral"
    QTest.keyClick(named, KEY.Key_Down)
    qtbot.waitUntil(lambda: desk.value("target") == 0.99)
    desk.document.set("target", 0.3)
    assert named.currentIndex() == -1
    assert named.placeholderText() == "Custom"


def test_that_choices_and_switches_are_clicked(desk):
    for section in desk.panel.sections:
        section.set_open(True)
    poisson = next(button for button in desk.panel.control("prior").findChildren(QWidget)
                   if button.accessibleName().startswith("Poisson"))
    QTest.mouseClick(poisson, LEFT)
    assert desk.value("prior") == "poisson"
    QTest.keyClick(desk.panel.control("zero_refused").switch, KEY.Key_Space)
    assert desk.value("zero_refused") is True


def test_that_a_default_which_follows_is_shown_as_it_moves(desk):
    desk.document.set("minimum", 50_000)
    assert desk.entry("prior_centre").text() == "50\u202f000"
    assert not desk.panel.control("prior_centre").is_changed()
    desk.document.set("prior_centre", 1_000.0)
    assert desk.panel.control("prior_centre").is_changed()
    desk.document.set("prior_centre", 50_000.0)
    assert not desk.panel.control("prior_centre").is_changed()


def test_that_reset_is_offered_only_where_something_was_changed(desk):
    control = desk.panel.control("epsilon")
    assert not control.is_changed()
    desk.type("epsilon", "2")
    assert control.is_changed()
    QTest.mouseClick(control.reset_button, LEFT)
    assert desk.document.set_here == {}
    assert not control.is_changed()
    assert control.editor().hasFocus()


def test_that_every_control_can_be_reached_by_tab_and_says_what_it_is(desk):
    names = {each.name: each for each in Decision.parameters()}
    entry = desk.entry("epsilon")
    assert entry.accessibleName() == "privacy loss ε"
    assert entry.accessibleDescription() == f"{names['epsilon'].quantity.sentence} In [1e-6, 20]."
    called_so = {called(each.quantity): name for name, each in names.items()}
    first = Decision.level_one.parameters
    desk.entry(first[0]).setFocus()
    met = []
    for _ in range(60):
        met.append(called_so.get(QApplication.focusWidget().accessibleName()))
        QTest.keyClick(QApplication.focusWidget(), KEY.Key_Tab)
    order = [name for name in dict.fromkeys(met) if name in names]
    assert order == list(first), "what is folded away is no stop"
    slider = QAccessible.queryAccessibleInterface(desk.slider("epsilon"))
    assert slider.role() == QAccessible.Role.Slider


def test_that_groups_are_folded_until_asked_for_and_count_their_changes(desk):
    assert not any(section.controls for section in desk.panel.sections), "nobody looks at them"
    desk.document.set("seed", 7)
    seed = desk.panel.control("seed")
    assert not seed.isVisible()
    assert seed.entry.text() == "7"
    focus_parameter(desk.panel, "seed")
    assert seed.isVisible()
    assert seed.editor().hasFocus()
    assert [section.title()[1:].strip() for section in desk.panel.sections] == [
        "Prior and costs", "Simulation  ·  1 changed", "Further decisions, assumptions", "Attacker"]


@pytest.mark.parametrize("design", ["coins", "symmetric"])
def test_that_a_section_that_is_opened_late_shows_all_that_was_told_before(qtbot, monkeypatch, design):
    folded = tuple(replace(each, group="All") for each in Response.parameters())
    monkeypatch.setattr(Response, "parameters", classmethod(lambda _: folded))
    monkeypatch.setattr(Response, "level_one", replace(Response.level_one, parameters=()))
    told = []
    for early in (True, False):
        panel = ParametersPanel(Response, theme.LIGHT)
        qtbot.addWidget(panel)
        if early:
            panel.sections[0].set_open(True)
        study = Response(design=design, people=1234, prevalence=0.1)
        panel.show_study(study, {"design": design, "people": 1234, "prevalence": 0.1})
        panel.show_origins(Origin("a.csv", "", "x > 1", counts=("people",)), None)
        panel.show_in_force(study.answer())
        changed = panel.sections[0].title().partition("·")[2]
        panel.sections[0].set_open(True)
        told.append([changed, *((control.isEnabled(), control.is_changed(), control.tag and control.tag.text(),
                                 getattr(control, "entry", None) and control.entry.text())
                                for control in panel.sections[0].controls)])
    assert told[0] == told[1]
    assert int(told[0][0].split()[0]) == sum(changed for _, changed, *_ in told[0][1:])


@pytest.mark.parametrize("scale", [1.0, theme.PRESENTATION])
def test_that_nothing_is_clipped_at_the_narrowest(desk, qapp, scale):
    presented = theme.resolve("dark", presentation=scale > 1)
    theme.apply(qapp, presented)
    desk.panel.set_theme(presented)
    for section in desk.panel.sections:
        section.set_open(True)
    desk.panel.resize(desk.panel.minimumSizeHint().expandedTo(desk.panel.minimumSize()).width(), 900)
    QApplication.processEvents()
    assert desk.panel.width() <= presented.px(280)
    view = desk.panel.findChild(QScrollArea).viewport()
    for child in view.findChildren(QWidget):
        if child.isVisible():
            assert child.mapTo(view, QPoint(child.width(), 0)).x() <= view.width(), child
            assert child.width() >= child.minimumSizeHint().width(), child


def test_that_three_hundred_moves_end_on_the_last_value(desk):
    slider = desk.slider("epsilon")
    drag(slider, *(0.1 + 0.8 * step / 300 for step in range(300)))
    assert desk.value("epsilon") == slider.number() == desk.edits[-1][1]
    assert desk.document.steps == 1


@pytest.mark.parametrize("domain", [v.REAL, v.UNIT, v.integers(0, 5), v.Choice(("a", "b")), v.Switch(),
                                    v.Pairs(3), v.Listed("counts", 0, 9)], ids=str)
def test_that_every_kind_of_domain_has_a_control(qtbot, domain):
    control = make_control(Parameter("sample", v.PROBABILITY, domain, 0), theme.LIGHT)
    qtbot.addWidget(control)
    value = {v.Choice: "b", v.Switch: True, v.Pairs: "0.1:0.2", v.Listed: "3,4"}.get(type(domain), 1)
    control.show_value(value, True)
    assert control.is_changed()


def test_that_caps_are_typed_and_what_is_refused_stays_to_be_mended(qtbot):
    control = make_control(Attacker.parameter("profile"), theme.LIGHT)
    qtbot.addWidget(control)
    control.show_value("none", False)
    edits, entry = [], control.editor()
    control.edited.connect(lambda name, value, final: edits.append((name, value, final)))
    qtbot.keyClicks(entry, "x")
    entry.clear()
    qtbot.keyClicks(entry, "1%:5%, 0.1:0.3")
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert edits == [("profile", "0.01:0.05,0.1:0.3", True)]
    assert entry.text() == "0.01:0.05, 0.1:0.3"
    entry.selectAll()
    qtbot.keyClicks(entry, "0.3:0.1")
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert control.refusal().endswith("(a cap below the prior can be kept by no release)")
    assert entry.text() == "0.3:0.1"
    assert len(edits) == 1
    qtbot.keyClick(entry, Qt.Key.Key_Escape)
    assert entry.text() == "0.01:0.05, 0.1:0.3"
    assert not control.refusal()


def test_that_a_control_without_effect_is_grey_says_why_and_keeps_its_value(desk):
    for section in desk.panel.sections:
        section.set_open(True)
    control = desk.panel.control("prior_width")
    desk.document.set("prior_width", 7.0)
    assert control.isEnabled()
    desk.document.set("prior", "poisson")
    assert not control.isEnabled()
    assert "Used only where prior on N is Uniform or Normal." in control.toolTip()
    assert control.editor().accessibleDescription() == (
        f"Used only where prior on N is Uniform or Normal. {described(control.parameter)}")
    assert desk.value("prior_width") == 7
    assert control.entry.text() == "7"
    desk.document.set("prior_width", 9.0)  # as a session or a file may
    assert control.entry.text() == "9"
    desk.document.set("prior", "normal")
    assert control.isEnabled()
    assert "Used only" not in control.toolTip()
    assert control.editor().accessibleDescription() == described(control.parameter)


def test_that_a_grey_control_answers_to_no_hand(desk):
    desk.document.set("prior", "poisson")
    focus_parameter(desk.panel, "prior_width")
    slider, before = desk.slider("prior_width"), desk.value("prior_width")
    QTest.mouseClick(slider, LEFT, pos=QPoint(slider.width() // 4, slider.height() // 2))
    QTest.keyClick(slider, KEY.Key_Right)
    assert desk.value("prior_width") == before
    assert desk.edits == []


def test_that_a_parameter_without_effect_shows_what_is_in_force_and_keeps_its_own_value(bench, qtbot):
    bench.desk.open_study("response")
    control = bench.page.parameters.control("epsilon")
    answered(qtbot, bench)
    assert control.isEnabled()
    assert "Moving it makes the response design By ε." in control.toolTip()
    assert control.entry.text() == "1.792"  # ln 6, rounded up
    bench.document.edit("theta1", 0.9)
    answered(qtbot, bench)
    true = math.log(1 + 0.9 / (0.1 * 0.2))
    assert true <= float(control.entry.text()) < true + 1e-3
    bench.document.edit("theta1", 1.0)
    answered(qtbot, bench)
    assert control.entry.text() == "∞"
    bench.document.edit("design", "symmetric")
    answered(qtbot, bench)
    assert (control.entry.text(), value(bench, "epsilon")) == ("1", 1.0)
    assert "Moving" not in control.toolTip()


def test_that_to_move_what_shows_what_is_in_force_chooses_it_in_one_step(bench, qtbot):
    bench.desk.open_study("response")
    control = bench.page.parameters.control("epsilon")
    answered(qtbot, bench)
    steps = bench.document.steps
    assert value(bench, "design") == "coins"
    control.slider.setFocus()
    QTest.keyClick(control.slider, KEY.Key_Right)
    answered(qtbot, bench)
    assert value(bench, "design") == "symmetric"
    assert value(bench, "epsilon") > math.log(6)
    assert bench.document.steps == steps + 1
    bench.document.undo()
    answered(qtbot, bench)
    assert (value(bench, "design"), value(bench, "epsilon")) == ("coins", 1.0)
    assert control.entry.text() == "1.792"


def test_that_a_slider_that_moves_paints_nothing_behind_the_parameters(desk, qapp):
    control = desk.panel.control("epsilon")
    desk.document.edit("epsilon", 0.3, False)
    qapp.processEvents()
    counted = Painted(desk.panel, desk.panel.area, desk.panel.area.viewport(), control)
    desk.document.edit("epsilon", 0.2, False)
    qapp.processEvents()
    assert [*counted.times.values()] == [0, 0, 0, 1]
