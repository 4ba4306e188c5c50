"""What is pinned and the present values beside each other, in a window that follows both."""

from __future__ import annotations

import csv
import io
import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu
from window_kit import LEFT, answered, drag_slider, type_entry

from dpstudio import vocabulary as v
from dpstudio.core.study import answer
from dpstudio.documents.comparison import compared
from dpstudio.gui.compare.window import ALONE, HOW, CompareWindow
from dpstudio.studies.decision import GAUSSIAN, LAPLACE, Decision
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
        sides = window.model.sides
        return len(sides) > 1 and all(side.facts == answer(side.study).facts for side in sides)

    qtbot.waitUntil(known, timeout=8000)


def pinned(bench, qtbot, window, *epsilons):
    """Pin the present values, then go on to others; the last stay the present ones."""
    for epsilon in epsilons:
        answered(qtbot, bench)
        bench.document.pin()
        bench.document.set("epsilon", epsilon)
    answered(qtbot, bench)
    whole(qtbot, window)


def title_at(window, section):
    heads = window.table.heads
    return QPoint(heads.sectionViewportPosition(section) + heads.sectionSize(section) // 2, heads.height() // 2)


def titles(window):
    return [side.title for side in window.model.sides]


def test_that_with_nothing_pinned_it_says_how_and_pins_at_a_button_then_waits_for_a_difference(bench, qtbot, window):
    assert window.how.text() == HOW
    answered(qtbot, bench)
    QTest.mouseClick(window.pin_button, LEFT)
    assert [pin.study for pin in bench.document.state.pins] == [Decision(trials=1000)]
    qtbot.waitUntil(lambda: window.how.text() == ALONE)
    assert not window.pin_button.isVisible()
    type_entry(bench, "epsilon", "0.2")
    whole(qtbot, window)
    assert titles(window) == ["ε = 0.1", "now: ε = 0.2"]
    assert window.pages.currentIndex() == 0


def test_that_every_fact_stands_there_by_its_difference_and_follows_the_document(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2, 0.5)
    assert titles(window) == ["ε = 0.1", "ε = 0.2", "now: ε = 0.5"]
    studies = [side.study for side in window.model.sides]
    expected = compared([answer(study).facts for study in studies])
    qtbot.waitUntil(lambda: window.model.lines == list(expected))
    row = next(i for i, line in enumerate(expected) if (line.quantity, line.series) == (v.GUARANTEE_EPSILON, LAPLACE))
    assert [window.model.cell(row, i) for i in (1, 2, 3)] == [("0.1", ""), ("0.2", "+0.1, × 2"), ("0.5", "+0.4, × 5")]
    bench.document.undo()
    qtbot.waitUntil(lambda: titles(window) == ["ε = 0.1", "now: ε = 0.2"])
    bench.document.unpin()
    qtbot.waitUntil(lambda: window.pages.currentIndex() == 1)


def test_that_a_click_on_a_title_chooses_the_reference_and_a_double_click_takes_the_values_in_one_step(
        bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2, 0.5)
    view = window.table.heads.viewport()
    QTest.mouseClick(view, LEFT, pos=title_at(window, 2))
    assert window.model.reference == window.reference.currentIndex() == 1
    assert all(line.changes[1] is None for line in window.model.lines)
    steps = bench.document.steps
    QTest.mouseClick(view, LEFT, pos=title_at(window, 1))
    QTest.mouseDClick(view, LEFT, pos=title_at(window, 1))
    assert bench.document.study.epsilon == 0.1
    assert bench.document.steps == steps + 1
    qtbot.waitUntil(lambda: titles(window) == ["now: ε = 0.1", "ε = 0.2"])
    assert window.model.reference == 1, "the click that began the double one chose nothing"
    bench.document.undo()
    assert bench.document.study.epsilon == 0.5


def test_that_a_setting_offers_what_can_be_done_with_it(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2)
    window.table.heads.customContextMenuRequested.emit(title_at(window, 1))
    menu = window.findChild(QMenu)
    actions = {action.text(): action for action in menu.actions()}
    assert list(actions) == ["Compare with it", "Take its values", "Remove this pin"]
    actions["Remove this pin"].trigger()
    menu.close()
    assert not bench.document.state.pins


def test_that_series_filter_and_what_differs_choose_the_lines_and_copies_are_of_those(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2)
    model = window.model
    every = len(model.lines)
    window.differing.setChecked(True)
    assert 0 < len(model.lines) < every
    assert all(line.weight for line in model.lines)
    at = window.series.findText(GAUSSIAN.label)
    window.series.setCurrentIndex(at)
    window.series.activated.emit(at)
    assert {line.series for line in model.lines} == {GAUSSIAN}
    QTest.keyClicks(window.filter, "band_width")
    [line] = model.lines
    assert line.quantity == v.BAND_WIDTH
    window.copy_button.click()
    head, names, row = QGuiApplication.clipboard().text().splitlines()
    assert Decision.relation in head
    assert names.split("\t")[2:] == ["ε = 0.1", "now: ε = 0.2", "difference", "ratio"]
    low, high = (fact.value for fact in line.facts)
    assert [float(each) for each in row.split("\t")[2:]] == [low, high, high - low, high / low]
    QTest.keyClick(window.filter, Qt.Key.Key_Escape)
    assert not window.filter.text()
    assert window.isVisible()


def test_that_lines_stay_where_they_are_under_a_hand_and_are_in_order_once_it_lets_go(bench, qtbot, window):
    pinned(bench, qtbot, window, 0.2)
    before = [(line.quantity, line.series) for line in window.model.lines]
    slider = drag_slider(bench, "epsilon", 0.9)
    moved = bench.document.study.epsilon
    qtbot.waitUntil(lambda: any(line.quantity == v.GUARANTEE_EPSILON and line.facts[1] and line.facts[1].value == moved
                                for line in window.model.lines))
    assert [(line.quantity, line.series) for line in window.model.lines][:len(before)] == before
    QTest.mouseRelease(slider, LEFT)
    qtbot.waitUntil(lambda: [line.weight for line in window.model.lines] == sorted(
        (line.weight for line in window.model.lines), reverse=True))


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
    qtbot.waitUntil(lambda: window.pages.currentIndex() == 1)
    assert "Mean" in window.windowTitle()
    assert [window.series.itemText(i) for i in range(window.series.count())] == [
        "all", *(one.label for one in Mean.answers().series())]
    bench.open_study("decision")
    whole(qtbot, window)
    assert titles(window) == ["ε = 0.1", "now: ε = 0.2"]
