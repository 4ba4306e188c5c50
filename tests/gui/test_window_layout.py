"""How the window stands: panels, themes, keyboard and help."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import Painted, answered, in_view, rested, type_entry, value

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import parameter
from dpstudio.core.facts import once, table
from dpstudio.core.figure import Axis, Figure, Line
from dpstudio.core.results import Column, Table
from dpstudio.core.study import Study
from dpstudio.documents import help
from dpstudio.gui.page.pictures import PANELS
from dpstudio.gui.shell.settings import Settings
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision

X, Y = Column(v.N), Column(v.RECORDS)


@dataclass(frozen=True)
class Doubling(Study):
    """A study as small as can be: one picture, one fact, no preset, no simulation."""

    key = "doubling"
    title = "Doubling"
    question = "How much is twice as many?"
    pictures = (Figure("double", "Twice as many", "double", Axis(v.N), Axis(v.RECORDS), (Line(X, Y),)),)

    records: int = parameter(v.RECORDS, 5)

    @classmethod
    def answers(cls):
        return DoublingAnswer


def doubled(a, _):
    n = np.arange(a.study.records + 1.0)
    return Table({X: n, Y: 2 * n})


class DoublingAnswer(Answer):
    declared = {"the answer": (once(v.RECORDS, lambda a: 2.0 * a.study.records),)}
    suggested = None
    tabled = {"double": table(doubled, lambda a: (0.0, float(a.study.records)))}

    def sentences(self, seen=None):
        yield "Twice as many are twice as many."


def test_that_an_enlarged_picture_fills_the_centre_until_escape_and_stays_alone_when_the_window_changes(bench, qtbot):
    view = bench.pictures.large
    view.enlarge_requested.emit()
    assert view.isVisible()
    assert view.header.titles.isVisible(), "it brings the list of pictures along"
    assert not bench.pictures.beside.isVisible()
    assert not bench.facts.isVisible()
    QTest.keyClick(bench.window(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bench.pictures.beside.isVisible() and bench.facts.isVisible())
    assert not view.header.titles.isVisible()
    view.enlarge_requested.emit()
    bench.window().resize(1900, 900)
    QApplication.processEvents()
    assert not bench.facts.isVisible()
    bench.pictures.enlarge(None)
    assert in_view(bench) == {*PANELS}


def test_that_the_title_beside_is_the_list_of_pictures_those_seen_first_before_a_line(bench, qtbot):
    kind, pictures = bench.document.study_class, bench.pictures
    titles = pictures.beside.header.titles
    entries = ["" if action.isSeparator() else action.data() for action in titles.menu().actions()]
    first = [kind.level_one.large, *kind.level_one.beside]
    assert entries[:len(first) + 1] == [*first, ""]
    assert sorted(filter(None, entries)) == sorted(figure.key for figure in kind.figures)
    before = pictures.beside.current_figure().key
    bench.window_.activateWindow()
    QTest.keyClick(bench.window_.windowHandle(), Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    order = [key for key in entries if key]
    assert pictures.beside.current_figure().key == order[order.index(before) + 1]
    assert pictures.large.current_figure().key == kind.level_one.large
    assert bench.document.state.in_view == tuple(view.current_figure().key for view in pictures.views)


def test_that_the_two_pictures_change_places_and_neither_stands_twice(bench):
    pictures = bench.pictures
    large, beside = (view.current_figure().key for view in pictures.views)
    QTest.mouseClick(pictures.beside.header.enlarge, Qt.MouseButton.LeftButton)
    assert [view.current_figure().key for view in pictures.views] == [beside, large]
    pictures.beside.header.titles.chosen.emit(beside)
    assert [view.current_figure().key for view in pictures.views] == [large, beside]
    assert pictures.bring(beside) is pictures.beside
    assert pictures.bring("lemma") is pictures.beside
    assert [view.current_figure().key for view in pictures.views] == [large, "lemma"]


def test_that_turning_to_another_study_and_back_keeps_both(bench, qtbot, monkeypatch):
    bench.document.set("epsilon", 0.5)
    bench.document.turn(Doubling)
    answered(qtbot, bench)
    assert bench.facts.isVisible()
    assert [view.current_figure().key for view in bench.pictures.views if view.isVisible()] == ["double"]
    qtbot.waitUntil(lambda: [quantity.key for quantity in bench.facts.facts.quantities] == ["records"])
    assert bench.window().windowTitle().startswith("Doubling")
    type_entry(bench, "records", "7")
    bench.document.turn(Decision)
    answered(qtbot, bench)
    assert value(bench, "epsilon") == 0.5
    assert bench.pictures.large.isVisible()
    qtbot.waitUntil(lambda: v.ACCEPTANCE in bench.facts.facts.quantities)


def test_that_theme_and_type_change_everywhere_and_the_theme_is_remembered(bench):
    bench.menus.actions["dark"].trigger()
    assert bench.appearance.theme.dark
    assert all(view.theme.dark for view in bench.pictures.views)
    assert Settings().theme == "dark"
    before = bench.pictures.large.theme.font_size()
    bench.menus.actions["Presentation mode"].trigger()
    assert bench.pictures.large.theme.font_size() > before
    bench.menus.actions["Presentation mode"].trigger()
    assert bench.pictures.large.theme.font_size() == before


def test_that_f6_reaches_every_pane_each_has_a_name_and_no_key_is_given_twice(bench):
    for widget in [bench.page.bar.question, bench.facts, bench.help, bench.page.parameters, *bench.pictures.views]:
        assert widget.accessibleName(), widget
    keys = [key.toString() for action in bench.menus.actions.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    bench.show_help(True)
    bench.window_.activateWindow()
    reached = set()
    for _ in range(12):
        QTest.keyClick(bench.window(), Qt.Key.Key_F6)
        reached.add(bench.window().focusWidget())
    assert {bench.page.bar.question, bench.facts, bench.help, bench.pictures.large.canvas} <= reached


@pytest.mark.parametrize("study", all_studies().values(), ids=all_studies())
def test_that_every_place_in_the_help_is_filled(study):
    page, now = help.page(study.key), study()
    assert "{" in page
    assert not re.search(r"(?<!\\){", help.filled(page, now, now.answer().fact))


def test_that_the_help_lists_every_point_of_the_note_in_order():
    listed = re.findall(r"^(\d+)\. ", help.page(Decision.key).partition(help.FOLD)[2], re.MULTILINE)
    assert [int(number) for number in listed] == list(range(1, 28))


def test_that_numbers_are_escaped_in_the_help():
    assert help.escaped("1*2_<b>") == "1\\*2\\_\\<b\\>"


def test_that_help_and_theorems_have_todays_numbers_and_follow_the_study(bench, qtbot):
    bench.show_help(True)
    type_entry(bench, "epsilon", "0.125")
    qtbot.waitUntil(lambda: "ε = 0.125" in bench.help.toPlainText())
    bench.menus.actions["Theorems"].trigger()
    bench.document.edit("epsilon", 2.0)
    qtbot.waitUntil(lambda: "ε = 2 and δ = 1e-6" in bench.help.toPlainText())
    assert "S = {its answer" in bench.help.toPlainText()
    bench.desk.open_study("response")  # it has no δ
    qtbot.waitUntil(lambda: "[Response](response)" in bench.help._text)
    assert "δ = 1e-6" in bench.help.toPlainText()
    bench.help.anchorClicked.emit(QUrl("response"))
    assert "Theorems" in bench.help.toPlainText()
    assert bench.help._text.startswith("**Response**")


def test_that_help_says_a_choice_in_words():
    study = all_studies()["audit"]()
    assert "laplace count" in help.filled("{mechanism}", study, lambda *_: None)


def test_that_the_large_picture_and_the_one_beside_it_change_places_where_either_is_chosen_in_the_other_s(bench):
    pictures = bench.pictures
    large, beside = bench.document.state.in_view
    for view, key in ((pictures.large, beside), (pictures.large, large), (pictures.beside, large)):
        before = bench.document.state.in_view
        view.header.chosen.emit(key)
        assert bench.document.state.in_view == before[::-1]
        assert tuple(each.current_figure().key for each in pictures.views) == before[::-1]


def test_that_nothing_behind_the_parameters_is_painted_while_a_slider_moves_in_either_theme(bench, qtbot):
    card, slider = bench.page.parameters_card, bench.page.parameters.control("epsilon")
    for dark in (False, True):
        bench.appearance.choose("dark" if dark else "light")
        rested(qtbot, bench)
        painted = Painted(card, slider)
        for epsilon in (0.11, 0.12, 0.13):
            painted.times[card] = painted.times[slider] = 0
            bench.document.edit("epsilon", epsilon, False)
            qtbot.waitUntil(lambda painted=painted: painted.times[slider] > 0)
        assert painted.times[card] == 0
        ground = bench.page.parameters._ground
        assert ground.grab().toImage().pixelColor(1, ground.height() - 2).name() == bench.appearance.theme.surface
        bench.document.edit("epsilon", 0.1, True)
