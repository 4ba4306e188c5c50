"""However narrow a column of facts is, what it says is true; and the words are whole where there is room for them."""

from __future__ import annotations

import threading
from dataclasses import replace
from decimal import Decimal
from functools import cache
from unittest.mock import Mock

import pytest
from answers_kit import Asked
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from window_kit import answered as has_answered
from window_kit import show_facts

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.facts import Entry, each, once
from dpstudio.core.results import Fact, Series
from dpstudio.core.study import answer
from dpstudio.core.update import Update
from dpstudio.documents.rows import by_quantity, explained, pieces, shown, table_text
from dpstudio.documents.words import label_at
from dpstudio.gui.facts.model import PENDING, FactsModel
from dpstudio.gui.facts.paint import CellPainter
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.shell.theme import LIGHT, load_fonts
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.text.numbers import said

ONE = Series("laplace", "Laplace")


@pytest.fixture(autouse=True)
def fonts(qapp):
    load_fonts()


@pytest.fixture
def made(qtbot):
    """Makes a table of facts, some pixels wide."""
    def make(width):
        view = FactsView(LIGHT)
        for part in (view, view.filter):
            qtbot.addWidget(part)
        view.resize(width, 250)
        return view

    return make


@cache
def answered(key):
    """What a study answers as it comes, exactly."""
    return answer(all_studies()[key](), simulate=False)


@pytest.fixture
def cells(made):
    view = made(200)
    return CellPainter(view.facts, LIGHT, view)


@pytest.mark.parametrize("value", [0.9937, 0.98468, 0.123456, 12345.678, 3.21e-7, 0.99987, 1 - 3e-9, 7.0])
@pytest.mark.parametrize("at_least", [False, True])
def test_that_a_bound_stays_one_in_every_width(cells, value, at_least):
    fact = Fact(v.EPSILON if value > 1 else v.DELTA, value, kind="bound", at_least=at_least)
    seen = set()
    for room in range(5, 160):
        parts = [part.words for part in cells._parts(fact, room)]
        assert parts[0] == ("≥ " if at_least else "≤ ")
        seen.add(parts[1])
        told = said(parts[1])
        slack = Decimal("1e-12") * min(told, abs(1 - told) or 1)
        assert told - slack <= value if at_least else told + slack >= value
        wide = sum(QFontMetrics(LIGHT.font("label")).horizontalAdvance(words) for words in parts)
        assert wide <= room or parts == [part.words for part in cells._parts(fact, 0)]
    assert len(seen) >= (1 if value == 7 else 2)


def test_that_a_number_and_its_spread_hold_the_interval():
    assert pieces(Fact(v.FRACTION, 1.0, ONE, "estimate", 0.9963, 1.0)) == ("≈", "1", "± 0.0037")
    assert pieces(Fact(v.FRACTION, 0.5, ONE, "estimate", 0.45, 0.52)) == ("≈", "0.5", "± 0.05")
    assert pieces(Fact(v.WANTS_MET, 1.0, ONE, "estimate", 0.0, 1.0)) == ("≈", "yes", "")
    assert pieces(Fact(v.EPSILON, 0.98468, kind="bound", at_least=True)) == ("≥", "0.9846", "")


def test_that_next_to_certain_is_told_by_its_complement_or_as_far_as_it_can_be():
    model = FactsModel()
    certain, nearly = Fact(v.ACCEPTANCE, 1.0, ONE), Fact(v.REJECTION, 4e-40, ONE)
    show_facts(model, (certain, nearly), Decision())
    assert model.index(0, 1).data() == "1 − 4e-40"
    assert shown(certain, 0.0) == "1"
    seen = replace(certain, kind="estimate"), replace(nearly, kind="estimate")
    show_facts(model, seen, Decision())
    assert model.index(0, 1).data() == "≈ 1"  # what was drawn tells nothing of its rest
    alone = Fact(v.POSTERIOR_YES, 1 - 2.0**-53, ONE)
    assert "1.1e-16 apart" in explained(alone)
    assert "1.1e-16 apart" in explained(Fact(v.POSTERIOR_YES, 1.0, ONE))
    assert "apart" not in explained(Fact(v.POSTERIOR_YES, 0.999, ONE))
    assert "apart" not in explained(certain, 0.0)


def test_that_one_row_has_one_notation_that_which_its_extreme_needs():
    model, other = FactsModel(), Series("other", "Other")
    usual, nearly, low = (Fact(v.POSTERIOR_YES, value, one) for value, one in (
        (0.9951, ONE), (0.99951, other), (0.25, Series("third", "Third"))))
    show_facts(model, (usual, nearly, low), Decision())
    assert [model.index(0, column).data() for column in (1, 2, 3)] == ["1 − 0.0049", "1 − 0.00049", "0.25"]
    show_facts(model, (usual, low), Decision())
    assert [model.index(0, column).data() for column in (1, 2)] == ["0.9951", "0.25"]
    rows = by_quantity((usual, nearly))
    assert rows[v.POSTERIOR_YES.key].cell(ONE.key, rows) == "1 − 0.0049"


@pytest.mark.parametrize("key", all_studies())
@pytest.mark.parametrize("width", [330, 470, 700, 1100])
def test_that_words_are_cut_only_where_the_numbers_need_the_room(key, width, made):
    view = made(width)
    view.show()
    show_facts(view.facts, answered(key).facts, all_studies()[key]())
    numbers = [view.columnWidth(column) for column in range(1, view.facts.columnCount())]
    least = [view._heads.narrowest(column) for column in range(1, view.facts.columnCount())]
    metrics = QFontMetrics(LIGHT.font("small"))
    widest = max(metrics.horizontalAdvance(quantity.label) for quantity in view.facts.quantities)
    if view.columnWidth(0) < widest + 10:
        assert numbers == least
    elif numbers != least:
        assert view.columnWidth(0) + sum(numbers) == view.viewport().width()
    assert all(each >= few for each, few in zip(numbers, least, strict=True))
    if width == 1100:
        assert view.columnWidth(0) >= widest + 10


def test_that_every_column_has_room_for_a_bound(made):
    view = made(200)
    show_facts(view.facts, (Fact(v.EPSILON, 0.5, Series("best", "Q"), "bound"),), Decision())
    assert view.columnWidth(1) >= QFontMetrics(LIGHT.font("label")).horizontalAdvance("≤ 0.9847") + 6


@pytest.mark.parametrize("key", all_studies())
def test_that_every_fact_of_an_answer_has_a_cell_that_tells_it(key):
    model, update = FactsModel(), answered(key)
    facts = update.facts  # from here on each is known
    model.show_update(update, all_studies()[key]())
    for told in facts:
        column = 1 + model.series.index(told.series) if told.series else 1
        assert model.fact(model.entries.index(told.quantity), column) == told, (told.key, told.series)


def test_that_a_fact_that_is_asked_at_a_value_says_at_which_and_follows_it():
    model, noise = FactsModel(), all_studies()["noise"]
    changed = []
    model.dataChanged.connect(lambda first, _: changed.append(first.column()))
    for level, beyond, words in ((0.95, 3.0, ["error at level 0.95", "Pr[error > 3]"]),
                                 (0.8, 0.5, ["error at level 0.8", "Pr[error > 0.5]"]),
                                 (0.7595170319716726, 0.00016093681460367011,  # what a hand or a solution set
                                  ["error at level 0.759517", "Pr[error > 1.6094e-4]"])):
        study = noise(error_level=level, error_beyond=beyond)
        facts = [answer(study, simulate=False).fact(key, noise.level_one.series[0]) for key in (
            v.ERROR_AT_LEVEL, v.ERROR_EXCEEDS, v.MEAN_ERROR)]
        show_facts(model, facts, study)
        shown = [model.index(row, 0).data() for row in range(model.rowCount())]
        assert [each for each in shown if "error" in each] == [*words, "mean error"]
    assert changed == [0, 0], "what stands before the numbers is painted anew"
    assert label_at(v.MEAN_ERROR, study) == label_at(v.MEAN_ERROR, None) == "mean error"


def test_that_the_value_at_which_a_row_is_asked_for_is_set_from_the_row(bench, qtbot):
    bench.desk.open_study("noise")
    has_answered(qtbot, bench)
    facts, desk = bench.facts, bench.window_
    row = facts.facts.entries.index(v.ERROR_EXCEEDS)
    at = facts.visualRect(facts.model().index(row, 0)).center()
    QTest.mouseClick(facts.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert desk.focusWidget() is bench.page.parameters.control("error_beyond").editor()
    QTest.keyClicks(desk.focusWidget(), "7")
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Return)
    assert bench.document.study.error_beyond == 7
    qtbot.waitUntil(lambda: "Pr[error > 7]" in facts.facts.words(v.ERROR_EXCEEDS))
    facts.setFocus()
    facts.setCurrentIndex(facts.model().index(facts.facts.entries.index(v.ERROR_AT_LEVEL), 1))
    QTest.keyClick(facts, Qt.Key.Key_F2)
    assert desk.focusWidget() is bench.page.parameters.control("error_level").editor()
    facts.setCurrentIndex(facts.model().index(facts.facts.entries.index(v.MEAN_ERROR), 0))
    facts.setFocus()
    QTest.keyClick(facts, Qt.Key.Key_F2)
    assert desk.focusWidget() is facts, "nothing is to be set there"


OF_ALL, WAITED = Fact(v.MINIMUM, 1000.0, group="the answer"), Series("cutoff", "Cutoff")
ROWS = (OF_ALL, Fact(v.ACCEPTANCE, 0.25, ONE, group="errors"), Fact(v.EPSILON, 0.5, WAITED, group="privacy"))


@pytest.mark.parametrize(("words", "kept", "series"), [
    ("", [OF_ALL, *ROWS[1:]], [ONE, WAITED]), (v.EPSILON.label.upper(), [ROWS[2]], [WAITED]),
    ("errors", [ROWS[1]], [ONE]), (f"errors {v.ACCEPTANCE.key}", [ROWS[1]], [ONE]),
    (f"privacy {v.ACCEPTANCE.key}", [], []), (v.MINIMUM.symbol, None, None)])
def test_that_the_filter_leaves_rows_that_have_all_its_words_and_columns_that_say_something(words, kept, series):
    model = FactsModel()
    show_facts(model, ROWS, Decision())
    model.set_filter(words)
    if kept is not None:
        assert (model.quantities, model.series) == ([fact.quantity for fact in kept], series)
        assert len(model.headings()) == (3 if not words else 0)
    assert (v.MINIMUM in model.quantities) == (kept is None or OF_ALL in kept)
    model.set_filter("")
    assert model.quantities == [fact.quantity for fact in ROWS]


def returned(steps):
    """What work returns, and in how many steps between which it can be left."""
    number = 0
    try:
        while True:
            next(steps)
            number += 1
    except StopIteration as ended:
        return ended.value, number


def test_that_what_is_copied_has_every_digit_and_its_place():
    model = FactsModel()
    assert (returned(model.copied_whole()), model.compared) == (("", 0), ())
    show_facts(model, ROWS, Decision())
    model._update = Mock(facts=ROWS, answer=Mock(study=Decision(), keys_asked=lambda: [("epsilon", None)] * 3))
    assert returned(model.copied_whole()) == (table_text(Decision(), ROWS), 3)
    assert model.compared == Decision.figures[0].compared
    row = model.entries.index(v.ACCEPTANCE)
    assert model.copied([model.index(row - 1, 0), model.index(row, 0), model.index(row, 1), model.index(row, 2)]) == (
        f"Errors\t\t\n{v.ACCEPTANCE.label}\t0.25\t")
    assert model.copied([model.index(model.entries.index(v.EPSILON), 2), model.index(row, 1)]) == "0.25\t\n\t0.5"


def test_that_the_table_keeps_what_qt_asks_of_one():
    model = FactsModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    for facts in (ROWS, ROWS[:1], (), ROWS[1:]):
        show_facts(model, facts, Decision())
        for words in ("errors", "nothing of it", ""):
            model.set_filter(words)
    assert (model.rowCount(), model.columnCount()) == (4, 3)
    assert model.rowCount(model.index(0, 0)) == model.columnCount(model.index(0, 0)) == 0


class Compared(Answer):
    """One thing that is there, and one that is not."""

    compared = (Entry(ONE, lambda _: 0.25, release=False), Entry(WAITED, lambda _: None, release=False))
    declared = {"errors": (each(v.ACCEPTANCE, lambda one: one), once(v.EPSILON, lambda _: None))}


def test_that_what_is_under_way_keeps_its_place_and_gets_none_where_it_had_none():
    model, asked = FactsModel(), Asked()
    known, waiting = Update(Compared(asked)), Update(Compared(asked))
    model.show_update(waiting, asked)
    assert (model.quantities, model.series) == ([v.ACCEPTANCE, v.EPSILON], [ONE, WAITED])  # at first any may come
    assert known.facts
    model.show_update(known, asked)
    assert (model.quantities, model.series) == ([v.ACCEPTANCE], [ONE])
    model.show_update(waiting, asked)
    assert (model.quantities, model.series) == ([v.ACCEPTANCE], [ONE])
    assert model.data(model.index(model.entries.index(v.ACCEPTANCE), 1)) == "…"


@pytest.mark.parametrize("value", [1 - 3e-132, 123456789.0, 2.5e-300, -3.25e-200])
def test_that_a_column_grows_to_what_is_read_in_it_and_nothing_known_is_the_sign_of_what_is_under_way(made, value):
    view = made(120)
    view.show()
    near = v.DELTA if 0 < value < 1 else v.EPSILON
    first, last = Fact(near, 0.5, ONE, "bound"), Fact(near, value, ONE, "bound", at_least=True)
    show_facts(view.facts, (first,), Decision())
    before = view.columnWidth(1)
    show_facts(view.facts, (last,), Decision())
    metrics = QFontMetrics(LIGHT.font("label"))
    parts = [part.words for part in view._cells._parts(last, view.columnWidth(1) - 6)]
    assert sum(map(metrics.horizontalAdvance, parts)) <= view.columnWidth(1) - 6
    assert not any(PENDING in words for words in parts)
    assert view.columnWidth(1) >= before


def test_that_what_is_laid_out_for_a_cell_follows_the_fact_what_it_lacks_its_room_and_the_type(cells):
    facts = cells._facts
    first, second = Fact(v.ACCEPTANCE, 0.123456, ONE), Fact(v.ACCEPTANCE, 1.0, ONE)

    def laid(fact, room=200):
        return [(part.words, part.width) for part in cells._shown(0, 1, fact, room)]

    show_facts(facts, (first,), Decision())
    assert cells._shown(0, 1, first, 200) is cells._shown(0, 1, first, 200)
    wide = laid(first)
    assert laid(first, 5) != wide
    assert laid(second) != laid(first)
    before = laid(second)
    show_facts(facts, (second, Fact(v.REJECTION, 3e-18, ONE)), Decision())
    lacking = laid(second)
    assert lacking != before
    cells.set_theme(replace(LIGHT, scale=1.5))
    assert [words for words, _ in laid(second)] == [words for words, _ in lacking]
    assert laid(second) != lacking


def test_that_numbers_that_change_are_all_that_is_painted_of_their_rows(made, qapp, monkeypatch):
    painted = []
    monkeypatch.setattr(CellPainter, "paint", lambda cells, painter, option, index: painted.append(index.column()))
    view = made(300)
    view.show()
    show_facts(view.facts, (Fact(v.EPSILON, 0.5, ONE), Fact(v.DELTA, 0.25, ONE)), Decision())
    qapp.processEvents()
    assert set(painted) == {0, 1}
    painted.clear()
    show_facts(view.facts, (Fact(v.EPSILON, 0.5, ONE), Fact(v.DELTA, 0.125, ONE)), Decision())
    qapp.processEvents()
    assert set(painted) == {1}


def test_that_where_nothing_is_drawn_all_facts_come_and_do_not_wait_for_what_takes_longer(bench, qtbot):
    told, releases = [], 613  # so many nobody else asks about: what was found once would come all at once

    def hear(update, study):
        if study == bench.document.study and study.releases == releases:
            told.append(len(update.standing()[1]))

    bench.answers.told.connect(hear)
    bench.desk.open_study("budget")
    bench.document.set("releases", releases)
    qtbot.waitUntil(lambda: bool(told) and told[-1] == 0, timeout=20_000)
    assert len(told) > 2
    assert told == sorted(told, reverse=True)
    model = bench.facts.facts
    assert PENDING not in [model.data(model.index(row, column)) for row in range(model.rowCount())
                           for column in range(1, model.columnCount())]


def test_that_what_is_seen_first_asks_no_other_fact_and_knows_what_one_lacks_to_1():
    decision = all_studies()["decision"]
    study = decision(epsilon=0.1, records=1_300)
    model, update = FactsModel(), answer(study, simulate=False)
    assert update.facts
    model.show_only(decision.level_one, frozenset())
    model.show_update(update, study)
    assert {each.key for each in model.quantities} == {each.key for each in decision.level_one.facts}
    assert model.lack(update.fact(v.ACCEPTANCE, "laplace")) == update.fact(v.REJECTION, "laplace").value
    model.show_only(None, frozenset())
    assert {each.key for each in model.quantities} >= {fact.key for fact in update.facts}


def test_that_standing_facts_can_be_of_some_quantities_alone():
    update = answered("decision")
    known, pending = update.standing({v.ACCEPTANCE.key})
    assert {fact.key for fact in known} | {key for key, _ in pending} == {v.ACCEPTANCE.key}
    assert not (set(known) - set(update.standing()[0]))


def test_that_the_window_goes_on_while_all_facts_are_computed_to_be_copied(bench, qtbot, monkeypatch):
    bench.document.edit("epsilon", 0.37, True)
    has_answered(qtbot, bench)
    go, plain = threading.Event(), Update.fact

    def slow(update, *place):
        assert threading.current_thread() is not threading.main_thread() or go.is_set()
        go.wait(10)
        return plain(update, *place)

    QGuiApplication.clipboard().clear()
    monkeypatch.setattr(Update, "fact", slow)
    bench.facts.copy_all()
    assert not QGuiApplication.clipboard().text()
    go.set()
    qtbot.waitUntil(lambda: Decision.neighbours.sentence in QGuiApplication.clipboard().text())


def test_that_what_facts_need_is_the_most_that_their_titles_were_while_the_table_is_laid_out_alike(bench, monkeypatch):
    """Titles wrap beside a bar for scrolling: were less needed once they have room, the window would never rest."""
    card = bench.page.facts_card
    high, heads = [51], type(card.facts.horizontalHeader())
    monkeypatch.setattr(heads, "sizeHint", lambda _: QSize(194, high[0]))
    least = card.needed()
    needs = []
    for high[0] in (99, 51, 99, 51):
        needs.append(card.needed())
    assert needs == [least + 48] * 4
    card.facts.resize(card.facts.width() + 40, card.facts.height())
    assert card.needed() == least, "as another width needs"
