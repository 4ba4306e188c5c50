"""A refused value is said in the words of the window, beside the control, and nothing moves or is lost by it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from shiboken6 import isValid
from window_kit import answered, focus_parameter, type_entry, value

from dpstudio.core.declare import AtMost, InvalidParameter
from dpstudio.gui.controls.control import Control
from dpstudio.gui.controls.entry import Refusal
from dpstudio.gui.controls.style import called, described, heading, refusal_in_words
from dpstudio.studies import all_studies
from dpstudio.studies.audit import Audit
from dpstudio.studies.policy import Policy
from dpstudio.vocabulary import Interval

NUMBERS = [(key, declared) for key, study in all_studies().items() for declared in study.parameters()
           if isinstance(declared.domain, Interval)]


def shown(control: Control) -> Refusal:
    return next(label for label in control.window().findChildren(Refusal) if label._control is control)


def places(bench) -> dict[QWidget, QRect]:
    """Where every control and its parts stand in the window."""
    panel = bench.page.parameters
    return {part: QRect(part.mapTo(bench.window_, QPoint(0, 0)), part.size()) for part in panel.findChildren(QWidget)
            if part.isVisible() and not isinstance(part, Refusal)}


def stand_still(bench) -> None:
    """Nothing is moved any more by what was asked before, nor is anything to come; else it is said what moves."""
    page, before = bench.page, places(bench)
    QApplication.processEvents()
    after = places(bench)
    assert not bench.answers._worker.busy
    assert page.sentences.verdict.show_sentences._waiting is None
    assert not page._settling.isActive()
    assert {part: place for part, place in after.items() if before.get(part) != place} == {}, (
        page.parameters_card.height(), page._side.height(), page.sentences.least())
    assert after.keys() == before.keys()


@pytest.mark.parametrize(("key", "declared"), NUMBERS, ids=lambda part: getattr(part, "name", part))
def test_that_no_refusal_names_a_flag(key, declared):
    study = all_studies()[key]
    with pytest.raises(InvalidParameter) as caught:
        declared.accept(float("nan"))
    sentence = refusal_in_words(caught.value, study.parameters())
    symbol, words = heading(declared.quantity)
    assert symbol in sentence
    assert words in sentence
    assert declared.domain.phrase in sentence
    first = sentence.partition(" must be ")[0]
    assert declared.name not in first.split() or declared.name in declared.quantity.label.split()
    assert str(caught.value).startswith(f"{declared.name} must be {declared.domain.phrase}, got nan")


def test_that_a_choice_is_refused_by_its_words():
    declared = Audit.parameter("mechanism")
    with pytest.raises(InvalidParameter) as caught:
        declared.accept("magic")
    assert "one of laplace_decision, cutoff_decision" in str(caught.value)
    sentence = refusal_in_words(caught.value, Audit.parameters())
    assert sentence.startswith(f"{called(declared.quantity)} must be one of Laplace decision, Cutoff decision")
    assert sentence.endswith("got 'magic'")
    assert "_" not in sentence


def test_that_a_bound_that_is_another_parameter_is_called_as_the_window_calls_it():
    with pytest.raises(InvalidParameter) as caught:
        Policy(people=10, sick_untreated=11)
    assert str(caught.value) == "sick_untreated must be at most people, 10, got 11"
    assert isinstance(caught.value.domain, AtMost)
    sick, people = (called(Policy.parameter(name).quantity) for name in ("sick_untreated", "people"))
    assert refusal_in_words(caught.value, Policy.parameters()) == f"{sick} must be at most {people}, 10, got 11"


def test_that_a_reason_is_kept():
    refusal = InvalidParameter("epsilon", "other than 0", "x" * 100_000, "it says nothing")
    assert len(str(refusal)) < 150
    assert refusal_in_words(refusal, ()).endswith("… (it says nothing)")
    assert len(str(InvalidParameter("epsilon", "other than 0", "x" * 100))) < 100


def test_that_a_refusal_moves_nothing_is_read_whole_and_leaves_its_entry_and_slider_free(bench, qtbot):
    for name in ("minimum", "epsilon", "records", "seed"):
        focus_parameter(bench.page.parameters, name)
        control = bench.page.parameters.control(name)
        region = control.visibleRegion
        qtbot.waitUntil(lambda region=region, it=control: region().boundingRect() == it.rect() and it.height() > 40)
        qtbot.waitUntil(lambda: stand_still(bench))
        before = places(bench)
        type_entry(bench, name, "-1")
        label = shown(control)
        qtbot.waitUntil(label.isVisible)
        QApplication.processEvents()
        after = places(bench)
        assert {part: place for part, place in after.items() if part in before} == before, name
        assert label.text() == control.refusal() == bench.status.message
        assert control.entry.accessibleDescription() == control.refusal()
        assert label.visibleRegion().boundingRect() == label.rect(), "nothing of it is cut off"
        assert label.height() >= label.heightForWidth(label.width())
        covered = QRect(control.mapFromGlobal(label.mapToGlobal(QPoint(0, 0))), label.size())
        assert not covered.intersects(control.entry.geometry())
        assert not control.slider or not covered.intersects(control.slider.geometry())
        QTest.keyClick(control.entry, Qt.Key.Key_Escape)


def test_that_a_refusal_goes_when_it_is_mended_and_comes_back_with_its_section(bench, qtbot):
    panel = bench.page.parameters
    focus_parameter(panel, "seed")
    type_entry(bench, "seed", "-1")
    control = panel.control("seed")
    section = next(each for each in panel.sections if control in each.controls)
    section.set_open(False)
    assert not shown(control).isVisible()
    section.set_open(True)
    qtbot.waitUntil(lambda: shown(control).isVisible())
    bench.page.parameters_card.hide()
    assert not shown(control).isVisible()
    bench.page.parameters_card.show()
    assert shown(control).isVisible()
    QTest.keyClick(control.entry, Qt.Key.Key_Escape)
    assert not shown(control).isVisible()
    assert control.entry.accessibleDescription() == described(control.parameter)


def test_that_a_refused_entry_keeps_the_keyboard_and_the_picture(bench, qtbot):
    before = bench.answers.latest
    bench.window_.activateWindow()
    type_entry(bench, "epsilon", "30")
    entry = bench.page.parameters.control("epsilon").entry
    assert bench.window_.focusWidget() is entry
    assert entry.is_refused()
    assert bench.answers.latest[1] is before[1]
    assert bench.page.parameters.control("epsilon").refusal() == "privacy loss ε must be in [1e-6, 20], got 30"


def test_that_the_last_answer_is_promised_only_where_there_is_one(bench):
    bench.answers.failed.emit("overflow")
    assert bench.window_.notice.label.text().endswith("The last answer is still shown.")
    bench.answers.latest = None
    bench.answers.failed.emit("overflow again")
    assert bench.window_.notice.label.text() == "This could not be computed (overflow again)."


def test_that_the_study_s_own_refusal_speaks_the_window_s_words(bench, qtbot):
    bench.desk.open_study("policy")
    answered(qtbot, bench)
    focus_parameter(bench.page.parameters, "sick_untreated")
    type_entry(bench, "sick_untreated", "101")
    sentence = bench.page.parameters.control("sick_untreated").refusal()
    assert "untreated people" in sentence
    assert "sick_untreated" not in sentence
    assert value(bench, "sick_untreated") == 40
    assert bench.status.message == sentence
    assert any(label.text() == sentence for label in bench.findChildren(QLabel))


def test_that_a_refusal_stands_below_its_control_or_above_it_where_there_is_no_room(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 120)
    upper, lower = QWidget(window), QWidget(window)
    upper.setGeometry(0, 0, 300, 20)
    lower.setGeometry(0, 100, 300, 20)
    with qtbot.waitExposed(window):
        window.show()
    for control, below in ((upper, True), (lower, False)):
        refusal = Refusal(control)
        refusal.say("ε must be in [1e-6, 20], got −1", control.height)
        assert refusal.isVisible()
        assert window.rect().contains(refusal.geometry())
        assert not refusal.geometry().intersects(control.geometry())
        assert (refusal.y() > control.y()) == below


def test_that_a_refusal_leaves_a_choice_free(bench, qtbot):
    focus_parameter(bench.page.parameters, "prior")
    control = bench.page.parameters.control("prior")
    qtbot.waitUntil(lambda: control.visibleRegion().boundingRect() == control.rect())
    control.show_refusal("prior must be one of uniform, Poisson or normal, got 'flat'")
    label = shown(control)
    qtbot.waitUntil(label.isVisible)
    covered = QRect(control.mapFromGlobal(label.mapToGlobal(QPoint(0, 0))), label.size())
    assert not covered.intersects(control.rect())


def test_that_a_refusal_goes_with_its_control_where_what_it_lay_over_stays(qtbot):
    column, control = QWidget(), QWidget()
    control.setParent(column)
    refusal = Refusal(control)
    qtbot.addWidget(column)
    column.show()
    refusal.say("no", control.height)
    assert refusal.parent() is column
    control.deleteLater()
    qtbot.waitUntil(lambda: not isValid(refusal))
    assert column.findChildren(QWidget) == []
