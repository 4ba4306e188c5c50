"""What is pinned and the present values beside each other, in a window that follows both."""

from __future__ import annotations

import csv
import io
import json
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu
from window_kit import LEFT, answered, drag_slider, type_entry

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.match import By, matching
from dpstudio.core.study import answer
from dpstudio.documents.comparison import compared
from dpstudio.gui.compare.matched import NOBODY
from dpstudio.gui.compare.settings import ALONE, HOW
from dpstudio.gui.compare.window import CompareWindow
from dpstudio.gui.compare.worker import Worker
from dpstudio.studies.decision import CUTOFF, GAUSSIAN, LAPLACE, Decision
from dpstudio.studies.mean import Mean


@pytest.fixture
def window(bench, qtbot):
    bench.document.set("trials", 1000)
    bench.menus.actions["Compare…"].trigger()
    window = bench.findChild(CompareWindow) or bench.window_.findChild(CompareWindow)
    yield window
    window.close()


def whole(qtbot, window):
    """Wait until every fact of every setting is there, drawn ones too."""
    def known():
        sides = window.settings.model.sides
        return len(sides) > 1 and all(side.facts == answer(side.study).facts for side in sides)

    qtbot.waitUntil(known, timeout=20_000)


def pinned(bench, qtbot, window, *epsilons):
    """Pin the present values, then go on to others; the last stay the present ones."""
    for epsilon in epsilons:
        answered(qtbot, bench)
        bench.document.pin()
        bench.document.set("epsilon", epsilon)
    answered(qtbot, bench)
    whole(qtbot, window)


def title_at(page, section):
    heads = page.table.heads
    return QPoint(heads.sectionViewportPosition(section) + heads.sectionSize(section) // 2, heads.height() // 2)


def titles(window):
    return [side.title for side in window.settings.model.sides]


def test_that_with_nothing_pinned_it_says_how_and_pins_at_a_button_then_waits_for_a_difference(bench, qtbot, window):
    assert window.settings.how.text() == HOW
    assert not window.export_button.isEnabled()
    answered(qtbot, bench)
    QTest.mouseClick(window.settings.pin_button, LEFT)
    assert [pin.study for pin in bench.document.state.pins] == [Decision(trials=1000)]
    qtbot.waitUntil(lambda: window.settings.how.text() == ALONE)
    assert not window.settings.pin_button.isVisible()
    type_entry(bench, "epsilon", "0.2")
    whole(qtbot, window)
    assert titles(window) == ["ε = 0.1", "now: ε = 0.2"]
    assert window.settings.pages.currentIndex() == 0


def test_that_every_fact_stands_there_by_its_difference_and_follows_the_document(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2, 0.5)
    assert titles(window) == ["ε = 0.1", "ε = 0.2", "now: ε = 0.5"]
    studies = [side.study for side in window.settings.model.sides]
    expected = compared([answer(study).facts for study in studies])
    qtbot.waitUntil(lambda: window.settings.model.lines == list(expected))
    row = next(i for i, line in enumerate(expected) if (line.quantity, line.series) == (v.GUARANTEE_EPSILON, LAPLACE))
    assert [window.settings.model.cell(row, i) for i in (1, 2, 3)] == [
        ("0.1", ""), ("0.2", "+0.1, × 2"), ("0.5", "+0.4, × 5")]
    bench.document.undo()
    qtbot.waitUntil(lambda: titles(window) == ["ε = 0.1", "now: ε = 0.2"])
    bench.document.unpin()
    qtbot.waitUntil(lambda: window.settings.pages.currentIndex() == 1)


def test_that_a_click_on_a_title_chooses_the_reference_and_a_double_click_takes_the_values_in_one_step(
        bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2, 0.5)
    view = window.settings.table.heads.viewport()
    QTest.mouseClick(view, LEFT, pos=title_at(window.settings, 2))
    assert window.settings.model.reference == window.settings.reference.currentIndex() == 1
    assert all(line.changes[1] is None for line in window.settings.model.lines)
    steps = bench.document.steps
    QTest.mouseClick(view, LEFT, pos=title_at(window.settings, 1))
    QTest.mouseDClick(view, LEFT, pos=title_at(window.settings, 1))
    assert bench.document.study.epsilon == 0.1
    assert bench.document.steps == steps + 1
    qtbot.waitUntil(lambda: titles(window) == ["now: ε = 0.1", "ε = 0.2"])
    assert window.settings.model.reference == 1, "the click that began the double one chose nothing"
    bench.document.undo()
    assert bench.document.study.epsilon == 0.5


def test_that_a_setting_offers_what_can_be_done_with_it(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2)
    window.settings.table.heads.customContextMenuRequested.emit(title_at(window.settings, 1))
    menu = window.findChild(QMenu)
    actions = {action.text(): action for action in menu.actions()}
    assert list(actions) == ["Compare with it", "Take its values", "Remove this pin"]
    actions["Remove this pin"].trigger()
    menu.close()
    assert not bench.document.state.pins


def test_that_series_filter_and_what_differs_choose_the_lines_and_copies_are_of_those(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2)
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
    assert Decision.relation in head
    assert names.split("\t")[2:] == ["ε = 0.1", "now: ε = 0.2", "difference", "ratio"]
    low, high = (fact.value for fact in line.facts)
    assert [float(each) for each in row.split("\t")[2:]] == [low, high, high - low, high / low]
    QTest.keyClick(window.settings.filter, Qt.Key.Key_Escape)
    assert not window.settings.filter.text()
    assert window.isVisible()


def test_that_lines_stay_where_they_are_under_a_hand_and_are_in_order_once_it_lets_go(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2)
    before = [(line.quantity, line.series) for line in window.settings.model.lines]
    slider = drag_slider(bench, "epsilon", 0.9)
    moved = bench.document.study.epsilon
    qtbot.waitUntil(lambda: any(line.quantity == v.GUARANTEE_EPSILON and line.facts[1] and line.facts[1].value == moved
                                for line in window.settings.model.lines))
    assert [(line.quantity, line.series) for line in window.settings.model.lines][:len(before)] == before
    QTest.mouseRelease(slider, LEFT)
    qtbot.waitUntil(lambda: [line.weight for line in window.settings.model.lines] == sorted(
        (line.weight for line in window.settings.model.lines), reverse=True))


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_that_an_export_holds_every_fact_of_every_setting(bench, qtbot, window, tmp_path, monkeypatch, ending):
    pinned(bench, qtbot, window, 0.2)
    path = tmp_path / f"compared.{ending}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, **more: (str(path), "CSV (*.csv)"))
    with qtbot.waitSignal(bench.files.said, check_params_cb=lambda said: said.startswith("Exported")):
        window.export_button.click()
    text = path.read_text("utf-8")
    if ending == "json":
        made = json.loads(text)
        assert [each["title"] for each in made["settings"]] == ["ε = 0.1", "ε = 0.2"]
        values = [{each["settings"][i]["value"] for each in made["facts"] if each["key"] == "guarantee_epsilon"}
                  for i in (0, 1)]
    else:
        rows = csv.DictReader(io.StringIO("".join(line for line in text.splitlines(True) if line[0] != "#")))
        found = [row for row in rows if row["key"] == "guarantee_epsilon"]
        values = [{float(row[f"value_{i}"]) for row in found} for i in (1, 2)]
    assert values == [{0.1}, {0.2}]


def test_that_another_study_is_followed_and_the_window_goes_with_the_one_it_belongs_to(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2)
    bench.open_study("mean")
    qtbot.waitUntil(lambda: window.settings.pages.currentIndex() == 1)
    assert "Mean" in window.windowTitle()
    assert not window.copy_button.isEnabled()
    assert [window.settings.series.itemText(i) for i in range(window.settings.series.count())] == [
        "all", *(one.label for one in Mean.answers().series())]
    bench.open_study("decision")
    whole(qtbot, window)
    assert titles(window) == ["ε = 0.1", "now: ε = 0.2"]


# Matched

@pytest.fixture
def matched(bench, window, qtbot):
    window.tabs.setCurrentWidget(window.matched)
    qtbot.waitUntil(lambda: window.matched.ready, timeout=20_000)
    return window.matched


def chosen(qtbot, page, box, words):
    """Choose an entry as a hand does, and wait for what is found then."""
    at = box.findText(words)
    assert at >= 0, [box.itemText(i) for i in range(box.count())]
    with qtbot.waitSignal(page.filled, timeout=20_000):
        box.setCurrentIndex(at)
        box.activated.emit(at)


def test_that_every_series_stands_where_it_matches_under_a_sentence_with_the_matched_fact_first(
        bench, qtbot, window, matched):
    chosen(qtbot, matched, matched.by, v.BAND_WIDTH.label)
    found = matching(Decision, {"trials": 1000}, "laplace", By(v.BAND_WIDTH), "epsilon")
    assert matched.sentence.text().replace("\u00a0", " ") == found.says
    assert [side.title for side in matched.model.sides] == [one.title for one in found.all]
    assert matched.model.sides[3].title == "Gaussian, ε = 0.228"
    first = matched.model.lines[0]
    assert first.quantity == v.BAND_WIDTH
    assert [fact.value for fact in first.facts] == [one.fact.value for one in found.all]
    assert window.copy_button.isEnabled()
    QTest.mouseClick(window.copy_button, LEFT)
    assert QGuiApplication.clipboard().text() == matched.model.copied()


def test_that_another_series_fact_point_and_parameter_can_be_chosen_and_the_document_is_followed(
        bench, qtbot, window, matched):
    chosen(qtbot, matched, matched.by, "δ at a point of the profile")
    assert matched.point.isVisible()
    assert matched.sentence.text().replace("\u00a0", " ").startswith("For the same δ at ε′ = 0.05 of 0.02439 Laplace")
    matched.point.setText("0.02")
    with qtbot.waitSignal(matched.filled, timeout=20_000):
        matched.point.editingFinished.emit()
    assert "ε′ = 0.02 of" in matched.sentence.text().replace("\u00a0", " ")
    matched.point.setText("nothing")
    matched.point.editingFinished.emit()
    assert matched.point.property("refused")
    chosen(qtbot, matched, matched.by, v.BAND_WIDTH.label)
    with qtbot.waitSignal(matched.filled, timeout=20_000):
        QTest.mouseClick(matched.table.heads.viewport(), LEFT, pos=title_at(matched, 2))
    assert matched.model.sides[0].title == "Cutoff exponential, ε = 0.1"
    assert matched.reference.currentText() == CUTOFF.label
    with qtbot.waitSignal(matched.filled, timeout=20_000):
        bench.document.set("epsilon", 0.5)
    assert matched.model.sides[0].title == "Cutoff exponential, ε = 0.5"
    chosen(qtbot, matched, matched.parameter, v.TAIL.label)
    assert f"{v.TAIL.symbol} = " in matched.model.sides[0].title


def test_that_matched_settings_are_pinned_each_of_its_series_and_one_is_taken_in_one_step(bench, qtbot, matched):
    chosen(qtbot, matched, matched.by, v.BAND_WIDTH.label)
    all_of_them = matched._found.matching.all
    QTest.mouseClick(matched.pin_button, LEFT)
    pins = bench.document.state.pins
    assert [pin.only for pin in pins] == [one.series.key for one in all_of_them]
    for pin, one in zip(pins, all_of_them, strict=True):
        assert f"{pin.study.epsilon:.3g}" == one.said
        assert pin.study.answer().value(v.BAND_WIDTH, one.series) <= all_of_them[0].fact.value
    drawn = bench.pictures.picture().canvas.layers.pins
    qtbot.waitUntil(lambda: [line.y.series for line, item in drawn if item.isVisible()] == [
        one.series for one in all_of_them])
    steps = bench.document.steps
    QTest.mouseDClick(matched.table.heads.viewport(), LEFT, pos=title_at(matched, 2))
    assert bench.document.study.epsilon == 0.0588
    assert bench.document.steps == steps + 1


def test_that_what_cannot_be_matched_says_why_and_a_study_without_series_that_there_is_nothing(bench, qtbot, matched):
    chosen(qtbot, matched, matched.reference, GAUSSIAN.label)
    bench.document.set("delta", 0)
    qtbot.waitUntil(lambda: not matched.ready, timeout=20_000)
    assert matched.sentence.text() == NOBODY
    assert not matched.pin_button.isEnabled()
    bench.open_study("audit")
    qtbot.waitUntil(lambda: matched.sentence.text() == NOBODY)


def test_that_an_exported_match_holds_the_sentence(bench, qtbot, window, matched, tmp_path, monkeypatch):
    path = tmp_path / "matched.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, **more: (str(path), "JSON (*.json)"))
    with qtbot.waitSignal(bench.files.said, check_params_cb=lambda said: said.startswith("Exported")):
        window.export_button.click()
    made = json.loads(path.read_text("utf-8"))
    assert made["says"] == matched._found.matching.says
    assert [each["mechanism"] for each in made["settings"]] == [
        one.key for one in Decision.answers().series()]


def test_that_steps_that_were_overtaken_are_left_and_told_to_nobody(qtbot):
    worker, go, begun, made = Worker(), Event(), Event(), []

    def first():
        for i in range(3):
            made.append(i)
            begun.set()
            go.wait(5)
            yield i

    told = []
    worker.stepped.connect(told.append)
    worker.start(first)
    begun.wait(5)
    worker.start(lambda: iter(["a", "b"]))
    go.set()
    qtbot.waitUntil(lambda: told == ["a", "b"])
    assert made == [0]

    def refused():
        yield "c"
        raise InvalidParameter("series", "one of those", "x")

    with qtbot.waitSignal(worker.failed) as failed:
        worker.start(refused)
    assert (told[-1], failed.args) == ("c", ["series must be one of those, got 'x'"])
    worker.close()
