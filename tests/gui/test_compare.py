"""What is pinned and the present values beside each other, in a window that follows both."""

from __future__ import annotations

import csv
import io
import json
from functools import cache, partial
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu
from window_kit import LEFT, answered, place_of_panes, type_entry

from dpstudio import vocabulary as v
from dpstudio.core.match.choice import By
from dpstudio.core.match.matching import matching
from dpstudio.core.resources import resource
from dpstudio.core.study import answer
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file
from dpstudio.documents.comparison import compared
from dpstudio.documents.session import Session
from dpstudio.gui.compare.matched import BACK, NOBODY, SHOWN
from dpstudio.gui.compare.pane import ComparePane
from dpstudio.gui.compare.settings import ALONE, HOW
from dpstudio.gui.compare.table import ComparisonTable
from dpstudio.gui.session.answers import Answers
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.pins import Pins
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.studies.audit import Audit
from dpstudio.studies.decision import CUTOFF, GAUSSIAN, LAPLACE, Decision
from dpstudio.studies.mean import Mean
from dpstudio.text.language import in_english, speak

ORIGIN = Origin("quillwort.csv", "", "zygomatic >= 6", "brontide", 2)


class Desk:
    """A workbench without pictures: a document, and what computes its answers and those of its pins."""

    def __init__(self) -> None:
        self.document = Document(Session.of(Decision, {"trials": 1000}))
        self.answers, self.pins = Answers(self.document, rest=0.0), Pins(self.document)
        self.answers.shown.connect(lambda update, study: self.pins.look(update, study, self.answers.windows))
        self.answers.finished.connect(self.pins.complete)
        self.answers.begin_anew()
        self.files, self.status = Mock(), Mock()
        self.pin, self.take_setting = (
            partial(self.document.do, "Pin", Session.pin), partial(self.document.do, "Take", Session.adopt))
        self.window, self.appearance, self.frontier_wanted = Mock(), Mock(theme=LIGHT), Mock()
        self.panes = place_of_panes()


@pytest.fixture
def desk(qtbot):
    desk = Desk()
    yield desk
    desk.answers.close()
    desk.pins.close()
    desk.panes.deleteLater()


@pytest.fixture
def window(desk):
    window = ComparePane(desk)
    window.begin()
    yield window
    window.close()


@pytest.fixture
def opened(bench):
    """The window as the menu of a whole workbench opens it."""
    bench.document.set("trials", 1000)
    bench.menus.actions["Compare…"].trigger()
    window = bench.window_.findChild(ComparePane)
    yield window
    window.close()


@cache
def facts_of(study):
    return answer(study).facts


def whole(qtbot, window):
    """Wait until every fact of every setting is there, drawn ones too."""
    def known():
        sides = window.settings.model.sides
        return len(sides) > 1 and all(side.facts == facts_of(side.study) for side in sides)

    qtbot.waitUntil(known)


def pinned(bench, qtbot, window, *epsilons):
    """Pin the present values, then go on to others; the last stay the present ones."""
    for epsilon in epsilons:
        answered(qtbot, bench)
        bench.document.do("Pin", Session.pin)
        bench.document.set("epsilon", epsilon)
    answered(qtbot, bench)
    window.show_settings()
    whole(qtbot, window)


def title_at(page, section):
    heads = page.table.heads
    return QPoint(heads.sectionViewportPosition(section) + heads.sectionSize(section) // 2, heads.height() // 2)


def titles(window):
    return [side.title for side in window.settings.model.sides]


def test_that_with_nothing_pinned_it_says_how_and_pins_at_a_button_then_waits_for_a_difference(bench, qtbot, opened):
    assert opened.page is opened.matched, "nothing is pinned: what can be said is said"
    opened.show_settings()
    assert opened.settings.how.text() == HOW
    assert not opened.export_button.isEnabled()
    answered(qtbot, bench)
    QTest.mouseClick(opened.settings.pin_button, LEFT)
    assert [pin.study for pin in bench.document.state.pins] == [Decision(trials=1000, attacker="membership")]
    qtbot.waitUntil(lambda: opened.settings.how.text() == ALONE)
    assert not opened.settings.pin_button.isVisible()
    type_entry(bench, "epsilon", "0.2")
    whole(qtbot, opened)
    assert titles(opened) == ["ε = 0.1", "now: ε = 0.2"]
    assert opened.settings.pages.currentIndex() == 0


def test_that_every_fact_stands_there_by_its_difference_and_follows_the_document(desk, qtbot, window):
    pinned(desk, qtbot, window, 0.2, 0.5)
    assert titles(window) == ["ε = 0.1", "ε = 0.2", "now: ε = 0.5"]
    studies = [side.study for side in window.settings.model.sides]
    expected = compared([facts_of(study) for study in studies])
    qtbot.waitUntil(lambda: window.settings.model.lines == list(expected))
    row = next(i for i, line in enumerate(expected) if (line.quantity, line.series) == (v.GUARANTEE_EPSILON, LAPLACE))
    assert [window.settings.model.cell(row, i) for i in (1, 2, 3)] == [
        ("0.1", ""), ("0.2", "+0.1, × 2"), ("0.5", "+0.4, × 5")]
    desk.document.undo()
    qtbot.waitUntil(lambda: titles(window) == ["ε = 0.1", "now: ε = 0.2"])
    desk.document.do("Remove all pins", Session.unpin)
    qtbot.waitUntil(lambda: window.settings.pages.currentIndex() == 1)


def test_that_a_click_on_a_title_chooses_the_reference_and_a_double_click_takes_the_values_in_one_step(
        desk, qtbot, window):
    pinned(desk, qtbot, window, 0.2, 0.5)
    view = window.settings.table.heads.viewport()
    QTest.mouseClick(view, LEFT, pos=title_at(window.settings, 2))
    assert window.settings.model.reference == window.settings.reference.currentIndex() == 1
    assert all(line.changes[1] is None for line in window.settings.model.lines)
    steps = desk.document.steps
    QTest.mouseClick(view, LEFT, pos=title_at(window.settings, 1))
    QTest.mouseDClick(view, LEFT, pos=title_at(window.settings, 1))
    assert desk.document.study.epsilon == 0.1
    assert desk.document.steps == steps + 1
    qtbot.waitUntil(lambda: titles(window) == ["now: ε = 0.1", "ε = 0.2"])
    assert window.settings.model.reference == 1, "the click that began the double one chose nothing"
    desk.document.undo()
    assert desk.document.study.epsilon == 0.5


def test_that_a_setting_offers_what_can_be_done_with_it(desk, qtbot, window):
    pinned(desk, qtbot, window, 0.2)
    window.settings.table.heads.customContextMenuRequested.emit(title_at(window.settings, 1))
    menu = window.findChild(QMenu)
    actions = {action.text(): action for action in menu.actions()}
    assert list(actions) == ["Compare with it", "Take its values", "Remove this pin"]
    actions["Remove this pin"].trigger()
    menu.close()
    assert not desk.document.state.pins


def test_that_series_filter_and_what_differs_choose_the_lines_and_copies_are_of_those(desk, qtbot, window):
    pinned(desk, qtbot, window, 0.2)
    model = window.settings.model
    every = len(model.lines)
    window.settings.differing.setChecked(True)
    assert 0 < len(model.lines) < every
    assert all(line.weight for line in model.lines)
    at = window.settings.series.findText(GAUSSIAN.label)
    window.settings.series.setCurrentIndex(at)
    window.settings.series.activated.emit(at)
    assert {line.series for line in model.lines} == {GAUSSIAN}
    QTest.keyClicks(window.settings.filter, "band_width")
    [line] = model.lines
    assert line.quantity == v.BAND_WIDTH
    window.copy_button.click()
    head, names, row = QGuiApplication.clipboard().text().splitlines()
    assert Decision.neighbours.sentence in head
    assert names.split("\t")[2:] == ["ε = 0.1", "now: ε = 0.2", "difference", "ratio"]
    low, high = (fact.value for fact in line.facts)
    assert [float(each) for each in row.split("\t")[2:]] == [low, high, high - low, high / low]
    QTest.keyClick(window.settings.filter, Qt.Key.Key_Escape)
    assert not window.settings.filter.text()
    assert window.isVisible()


def test_that_lines_stay_where_they_are_under_a_hand_and_are_in_order_once_it_lets_go(desk, qtbot, window):
    pinned(desk, qtbot, window, 0.2)
    before = [(line.quantity, line.series) for line in window.settings.model.lines]
    moved = 1.7
    desk.document.edit("epsilon", moved, False)
    qtbot.waitUntil(lambda: any(line.quantity == v.GUARANTEE_EPSILON and line.facts[1] and line.facts[1].value == moved
                                for line in window.settings.model.lines))
    assert [(line.quantity, line.series) for line in window.settings.model.lines][:len(before)] == before
    desk.document.edit("epsilon", moved)
    qtbot.waitUntil(lambda: [line.weight for line in window.settings.model.lines] == sorted(
        (line.weight for line in window.settings.model.lines), reverse=True))


def exported(bench, qtbot, monkeypatch, window, path):
    """Export to a file, as a hand does, and read it."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, **more: (str(path), "CSV (*.csv)"))
    with qtbot.waitSignal(bench.files.said, check_params_cb=lambda said: said.startswith("Exported")):
        QTest.mouseClick(window.export_button, LEFT)
    return path.read_text("utf-8")


def test_that_files_hold_every_fact_of_every_setting_or_series_and_no_count_of_data(
        bench, qtbot, opened, tmp_path, monkeypatch):
    bench.document.do("Count", Session.take, {"records": 7_654, "minimum": 7_600, "trials": 1000}, ORIGIN)
    pinned(bench, qtbot, opened, 0.2)
    assert all(side.study.records == 7_654 for side in opened.settings.model.sides)
    made = json.loads(exported(bench, qtbot, monkeypatch, opened, tmp_path / "compared.json"))
    assert [each["title"] for each in made["settings"]] == ["ε = 0.1", "ε = 0.2"]
    assert [each["parameters"]["records"] for each in made["settings"]] == [7_620, 7_620], "what follows m"
    assert [{each["settings"][i]["value"] for each in made["facts"] if each["key"] == "guarantee_epsilon"}
            for i in (0, 1)] == [{0.1}, {0.2}]
    text = exported(bench, qtbot, monkeypatch, opened, tmp_path / "compared.csv")
    rows = list(csv.DictReader(io.StringIO("".join(line for line in text.splitlines(True) if line[0] != "#"))))
    assert len(rows) == len(made["facts"])
    assert {float(row["value_2"]) for row in rows if row["key"] == "guarantee_epsilon"} == {0.2}
    for ending, own, pins in (("json", 0.1, [0.2]), ("csv", 0.1, [0.2])):
        state = session_file.load(tmp_path / f"compared.{ending}").state()
        assert (state.setting.study.epsilon, [pin.study.epsilon for pin in state.pins]) == (own, pins)
    found = shown(qtbot, opened)._found.matching
    told = exported(bench, qtbot, monkeypatch, opened, tmp_path / "matched.json")
    made = json.loads(told)
    assert session_file.load(tmp_path / "matched.json").state().setting.set_here == {
        "epsilon": 0.2, "minimum": 7_600, "trials": 1000}
    assert [each["mechanism"] for each in made["settings"]] == [one.series.key for one in found.all]
    assert made["says"] == matching(Decision, {"epsilon": 0.2, "minimum": 7_600, "trials": 1000}, "laplace", found.by,
                                    "epsilon").says
    assert not any("7654" in each or "quillwort" in each for each in (text, told))


def test_that_what_is_matched_is_said_in_german_and_written_in_english(bench, qtbot, tmp_path, monkeypatch, request):
    speak(resource("languages/de.mo"))
    request.addfinalizer(partial(speak, None))
    opened = request.getfixturevalue("opened")
    found = shown(qtbot, opened)._found.matching
    assert found.says.startswith("Für denselben Wert (ungerundetes unsicheres Band: 78,24 Datensätze) gilt: ")
    path = tmp_path / "matched.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, **more: (str(path), "JSON (*.json)"))
    with qtbot.waitSignal(bench.files.said, check_params_cb=lambda said: path.exists()):
        QTest.mouseClick(opened.export_button, LEFT)
    made = json.loads(path.read_text("utf-8"))
    with in_english():
        english = matching(Decision, {}, "laplace", found.by, "epsilon")
        assert made["says"] == english.says
        assert [each["title"] for each in made["settings"]] == [one.title for one in english.all]
    assert english.says.startswith("For the same unrounded uncertain band of 78.24 records ")


def test_that_another_study_is_followed_and_the_window_goes_with_the_one_it_belongs_to(desk, qtbot, window):
    pinned(desk, qtbot, window, 0.2)
    desk.document.turn(Mean)
    qtbot.waitUntil(lambda: window.settings.pages.currentIndex() == 1)
    assert "Mean" in window.windowTitle()
    assert not window.copy_button.isEnabled()
    assert [window.settings.series.itemText(i) for i in range(window.settings.series.count())] == [
        "all", *(one.label for one in Mean.answers().series())]
    desk.document.turn(Decision)
    whole(qtbot, window)
    assert titles(window) == ["ε = 0.1", "now: ε = 0.2"]


def test_that_a_window_that_was_closed_follows_nothing_any_more(bench, qtbot):
    window = bench.tools.open("compare")
    window.close()
    qtbot.waitUntil(lambda: bench.tools.made("compare") is None)
    bench.document.set("epsilon", 0.2)  # a slot of what is gone would raise, which pytest-qt reports
    answered(qtbot, bench)


# Matched

def shown(qtbot, window):
    """Turn to the page, and wait until something is matched there."""
    window.tabs.setCurrentWidget(window.matched)
    qtbot.waitUntil(lambda: window.matched.ready)
    return window.matched


@pytest.fixture
def matched(window, qtbot):
    return shown(qtbot, window)


def chosen(qtbot, page, box, words):
    """Choose an entry as a hand does, and wait for what is found then."""
    at = box.findText(words)
    assert at >= 0, [box.itemText(i) for i in range(box.count())]
    with qtbot.waitSignal(page.filled):
        box.setCurrentIndex(at)
        box.activated.emit(at)


def test_that_every_series_stands_where_it_matches_under_a_sentence_with_the_matched_fact_first(
        desk, qtbot, window, matched):
    chosen(qtbot, matched, matched.by, v.BAND_WIDTH.label)
    found = matching(Decision, {"trials": 1000}, "laplace", By(v.BAND_WIDTH), "epsilon")
    assert matched.sentence.text().replace("\u00a0", " ") == found.says
    assert [side.title for side in matched.model.sides] == [one.title for one in found.all]
    assert matched.model.sides[2].title == "Gaussian, ε = 0.228"
    assert [matched.model.below(i) for i in range(5)] == [
        "compared with this", "", "", "spends δ = 0.0571", "spends δ = 0.0102"]
    first = matched.model.lines[0]
    assert first.quantity == v.BAND_WIDTH
    assert [fact.value for fact in first.facts] == [one.fact.value for one in found.all]
    assert window.copy_button.isEnabled()
    QTest.mouseClick(window.copy_button, LEFT)
    assert QGuiApplication.clipboard().text() == matched.model.copied()


def test_that_another_series_fact_point_and_parameter_can_be_chosen_and_the_document_is_followed(
        desk, qtbot, window, matched):
    chosen(qtbot, matched, matched.by, "δ at a point of the profile")
    assert matched.point.isVisible()
    assert matched.sentence.text().replace("\u00a0", " ").startswith("For the same δ at ε′ = 0.05 of 0.02439 Laplace")
    matched.point.setText("0.02")
    with qtbot.waitSignal(matched.filled):
        matched.point.editingFinished.emit()
    assert "ε′ = 0.02 of" in matched.sentence.text().replace("\u00a0", " ")
    matched.point.setText("nothing")
    matched.point.editingFinished.emit()
    assert matched.point.property("refused")
    chosen(qtbot, matched, matched.by, v.BAND_WIDTH.label)
    with qtbot.waitSignal(matched.filled):
        QTest.mouseClick(matched.table.heads.viewport(), LEFT, pos=title_at(matched, 4))
    assert matched.model.sides[0].title == "Cutoff exponential, ε = 0.1"
    assert matched.reference.currentText() == CUTOFF.label
    with qtbot.waitSignal(matched.filled):
        desk.document.set("epsilon", 0.5)
    assert matched.model.sides[0].title == "Cutoff exponential, ε = 0.5"
    chosen(qtbot, matched, matched.parameter, v.TAIL.label)
    assert f"{v.TAIL.symbol} = " in matched.model.sides[0].title


def test_that_all_are_matched_to_what_was_decided_for_until_a_hand_names_another(desk, qtbot, matched):
    for series in (GAUSSIAN, LAPLACE):
        with qtbot.waitSignal(matched.filled):
            desk.document.do("Choose", Session.decide, series.key)
        qtbot.waitUntil(lambda series=series: matched.model.sides[0].series == series)
    chosen(qtbot, matched, matched.reference, GAUSSIAN.label)
    with qtbot.waitSignal(matched.filled):
        desk.document.set("epsilon", 0.5)
    assert matched.model.sides[0].series == GAUSSIAN
    assert [matched.reference.itemText(i) for i in range(4)] == [one.label for one in Decision.level_one.series]


def test_that_matched_settings_are_pinned_each_of_its_series_and_one_is_taken_in_one_step(bench, qtbot, opened):
    matched = shown(qtbot, opened)
    chosen(qtbot, matched, matched.by, v.BAND_WIDTH.label)
    all_of_them = matched._found.matching.all
    QTest.mouseClick(matched.pin_button, LEFT)
    pins = bench.document.state.pins
    assert [pin.only for pin in pins] == [one.series.key for one in all_of_them]
    for pin, one in zip(pins, all_of_them, strict=True):
        assert f"{pin.study.epsilon:.3g}" == one.said
        assert pin.study.answer().value(v.BAND_WIDTH, one.series) <= all_of_them[0].fact.value
    bench.desk.panes.tabs.setCurrentIndex(0)  # the pane has the place of the pictures
    drawn = bench.pictures.picture().canvas.layers.pins
    qtbot.waitUntil(lambda: [line.y.series for line, item in drawn if item.isVisible()] == [
        one.series for one in all_of_them])
    steps = bench.document.steps
    QTest.mouseDClick(matched.table.heads.viewport(), LEFT, pos=title_at(matched, 3))
    assert bench.document.study.epsilon == 0.228
    assert bench.document.steps == steps + 1


def test_that_what_cannot_be_matched_says_why_and_a_study_without_series_that_there_is_nothing(desk, qtbot, matched):
    chosen(qtbot, matched, matched.reference, GAUSSIAN.label)
    desk.document.set("delta", 0)
    qtbot.waitUntil(lambda: not matched.ready)
    assert matched.sentence.text() == NOBODY
    assert not matched.pin_button.isEnabled()
    desk.document.turn(Audit)
    qtbot.waitUntil(lambda: matched.sentence.text() == NOBODY)


def test_that_it_opens_on_what_is_pinned_or_on_every_series_where_it_matches(bench, qtbot):
    def page():
        pane = bench.tools.open("compare")
        found = pane.page is pane.matched
        pane.close()
        qtbot.waitUntil(lambda: bench.tools.made("compare") is None)
        return found

    assert page()
    bench.document.do("Pin", Session.pin)
    bench.document.set("epsilon", 0.2)
    assert not page()
    bench.document.turn(Audit)
    assert not page(), "it compares nothing that could be matched"


def test_that_the_frontier_is_shown_before_the_pane_and_says_so_with_a_way_back(bench, qtbot, opened):
    shown(qtbot, opened)
    before = bench.document.state.figures
    frontier = next(each for each in Decision.figures if each.key == "frontier")
    bench.desk.frontier_wanted.disconnect()
    bench.desk.frontier_wanted.connect(lambda: bench.document.show(Session.choose, frontier.place, frontier.key))
    QTest.mouseClick(opened.matched.frontier_button, LEFT)
    assert bench.document.state.figures != before
    assert bench.pictures.isVisible()
    assert not opened.isVisible()
    assert bench.desk.panes.tabs.count() == 2, "it is still there, behind its tab"
    notice = bench.window_.notice
    assert notice.isVisible()
    assert (notice.label.text(), notice.button.text()) == (SHOWN, BACK)
    QTest.mouseClick(notice.button, LEFT)
    assert bench.document.state.figures == before
    assert not bench.window_.notice.isVisible()


def test_that_all_series_of_a_decision_stand_beside_each_other_in_a_small_window(bench, qtbot, opened):
    page = shown(qtbot, opened)
    table = page.findChild(ComparisonTable)
    assert table.model().columnCount() == 6
    qtbot.waitUntil(lambda: table.verticalScrollBar().maximum() > 0)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
