"""The first page: every question is answered there as it is typed, and taken along, with real keys and mouse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from window_kit import LEFT, answered, begin_at, closed, open_file, opened, value

from dpstudio.cli import main
from dpstudio.core.level import HEADINGS
from dpstudio.core.slow import hurried
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file
from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.documents.session import Session
from dpstudio.gui.controls.entry import NumberEntry
from dpstudio.gui.facts.sentences import Headline
from dpstudio.gui.page.page import StudyPage
from dpstudio.gui.plot.header import ElidedLabel
from dpstudio.gui.report.dialog import ReportDialog
from dpstudio.gui.shell import pages
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies import all_studies, doors
from dpstudio.text.numbers import powered

DOORS = list(doors())
SECOND = {
    "decision": {"epsilon": ("0.01", 0.01), "delta": ("1%", 0.01)},
    "number": {"upper": ("1", 1.0), "law_mean": ("0,3", 0.3)},
    "watch": {"minimum": ("100", 100), "times": ("52", 52), "epsilon": ("0.5", 0.5)},
    "response": {"people": ("1k", 1000), "epsilon": ("3", 3.0), "prevalence": ("0.3", 0.3)},
    "posterior": {"people": ("1 000", 1000), "noisy_share": ("0.31", 0.31)},
    "budget": {"releases": ("52", 52), "epsilon": ("5e-2", 0.05), "budget": ("1", 1.0)},
    "audit": {"mechanism": ("wrong_sensitivity", "wrong_sensitivity")},
    "table": {"groups": ("50", 50), "per_person": ("10", 10)},
    "test": {"epsilon": ("0.1", 0.1)},
}
"""What is typed at each door for another example, and what that is."""
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(qtbot):
    """A window at its very first start."""
    window = first(qtbot)
    yield window
    closed(window)


def first(qtbot, page="start", **given):
    """A window that has the keyboard."""
    begin_at(page)
    window = opened(qtbot, **given)
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    return window


@pytest.fixture
def bench(window):
    return window.findChild(Workbench)


@pytest.fixture
def start(bench, qtbot):
    page = bench.pages.start
    settled(qtbot, page)
    return page


def settled(qtbot, page):
    """Wait until the answer to what stands there is seen, and the page rests."""
    def rests():
        study = page.door.taken(page._desk.document.session).study
        return (page.answered is not None and page.answered.study == study and not page._worker.busy
                and page.card.headline.sentence == page.answered.said[0])

    qtbot.waitUntil(rests)


def press(page, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(page.window().windowHandle(), key, modifier)
    QApplication.processEvents()


def opens(qtbot, page, key):
    """Open a door as the keyboard does."""
    number = DOORS.index(key) + 1
    press(page, Qt.Key(Qt.Key.Key_0 + number), ALT)
    assert page.door.kind.key == key
    settled(qtbot, page)


def types(qtbot, page, name, text):
    """Type over an entry, or choose a word."""
    asked = page.card.asked[name]
    if isinstance(asked.editor, NumberEntry):
        asked.take_up()
        QTest.keyClicks(asked.editor, text)
    else:
        index = asked.editor.findData(text)
        asked.editor.setCurrentIndex(index)
        asked.editor.activated.emit(index)
    settled(qtbot, page)


def computed(tmp_path, key, values):
    """The sentences of the command line at these values, without the tables, which nobody asks for."""
    request, answer = tmp_path / "request.jsonl", tmp_path / "answer.jsonl"
    request.write_text(json.dumps({"study": key, "set": values}), "utf-8")
    simulated = ["--simulate"] if key == "audit" else []
    assert main(["compute", "--batch", str(request), *simulated, "--output", str(answer)]) in (0, None)
    return json.loads(answer.read_text("utf-8"))["verdicts"]


def cut(page):
    """What is on the page and has no room for all that it says."""
    found = []
    for each in page.findChildren(QLabel):
        if each.isVisible() and isinstance(each, ElidedLabel) and "".join(each.lines()) != each.text():
            found.append(each.text())
        elif each.isVisible() and isinstance(each, Headline) and "…" in each.text():
            found.append(each.sentence)
        elif each.isVisible() and not isinstance(each, ElidedLabel | Headline) and each.text():
            needed = each.heightForWidth(each.width()) if each.wordWrap() else each.sizeHint().width()
            if needed > (each.height() if each.wordWrap() else each.width()) + 1:
                found.append(each.text())
    found += [each.text() for each in page.findChildren(QAbstractButton) if each.isVisible()
              and each.sizeHint().width() > each.width() + 1]
    if page.list.isVisible():
        font, bold = page._theme.font("label"), page._theme.font("body", bold=True)
        room = page.list.viewport().width() - page._theme.px(10 + 20 + 8)
        found += [words for sign in page.doors.values() for words, look in ((sign.title, bold), (sign.question, font))
                  if QFontMetrics(look).horizontalAdvance(words) > room]
        if page.list.content_height() > page.list.height():
            found.append("the list")
    inside = page.rect()
    found += [type(each).__name__ for each in (page.card, *page.shelves, page.card.view)
              if each.isVisible() and not inside.contains(each.geometry().translated(
                  each.parentWidget().mapTo(page, each.parentWidget().rect().topLeft()) if each.parentWidget()
                  is not page else each.rect().topLeft()))]
    return found


# Every door


@pytest.mark.parametrize("example", ["as it comes", "another"])
@pytest.mark.parametrize("key", DOORS)
def test_that_a_door_says_what_the_command_line_says_and_takes_along_exactly_what_stands_there(
        start, bench, qtbot, tmp_path, key, example):
    kind, typed = all_studies()[key], SECOND[key] if example == "another" else {}
    opens(qtbot, start, key)
    assert start.window().focusWidget() is next(iter(start.card.asked.values())).editor
    for name, (text, _) in typed.items():
        types(qtbot, start, name, text)
    values = {**kind.door.fixed, **{name: is_ for name, (_, is_) in typed.items()}}
    headline, *others = computed(tmp_path, key, values)
    if key != "audit" or start.answered.seen is not None:
        assert start.card.headline.sentence == headline
    following = [each for each in kind(**values).answer().sentences() if each.key == "runner_up"]
    assert [start.card.runner_up.text()] == [powered(each) for each in following or [""]]
    assert {*following} <= {*others}
    shown = {part.key for part in start.card.view.canvas.scene_.parts if part.shown}
    assert not shown & {each.key for each in kind.answers().series()
                        if each not in kind.level_one.series or each in kind.door.without}
    assert start.card.view.canvas.height() >= 200
    assert cut(start) == []
    before, steps = bench.document.session, bench.document.steps
    different = {name: is_ for name, is_ in values.items() if getattr(kind(), name) != is_}
    press(start, Qt.Key.Key_Return)
    if not bench.isVisible():
        press(start, Qt.Key.Key_Return)  # the first took what was still being typed
    assert bench.isVisible()
    assert not start.isVisible()
    assert bench.document.study_class is kind
    assert dict(bench.document.set_here) == different
    assert bench.document.steps == steps + bool(different)
    answered(qtbot, bench)
    if different:
        bench.document.undo()
    assert bench.document.session == before.turn(kind)


def test_that_the_first_start_leads_to_a_choice_with_the_keyboard_alone(start, bench, qtbot):
    asked = list(start.card.asked.values())
    assert start.list.currentRow() == 1, "under the first heading"
    assert start.window().focusWidget() is asked[0].editor
    assert asked[0].editor.selectedText() == asked[0].editor.text()
    QTest.keyClicks(asked[0].editor, "100000")
    for _ in asked[1:]:
        press(start, Qt.Key.Key_Tab)
    assert start.window().focusWidget() is asked[-1].editor
    QTest.keyClicks(asked[-1].editor, "1e-9")
    press(start, Qt.Key.Key_Return)
    assert asked[-1].editor.selectedText() == asked[-1].editor.text(), "to be typed over"
    assert start.isVisible(), "what was new is taken first"
    settled(qtbot, start)
    assert "100\u202f0" in start.card.headline.sentence
    press(start, Qt.Key.Key_Return)
    assert not start.isVisible()
    assert bench.document.study_class.key == "decision"
    assert (value(bench, "minimum"), value(bench, "delta")) == (100_000, 1e-9)


def test_that_the_list_is_walked_by_arrows_and_entered_by_enter(start, qtbot):
    start.list.setFocus()
    press(start, Qt.Key.Key_Down)
    assert start.door.kind.key == DOORS[1]
    assert start.window().focusWidget() is start.list
    press(start, Qt.Key.Key_Return)
    assert start.window().focusWidget() is next(iter(start.card.asked.values())).editor
    row = start.list.visualItemRect(start.list.item(1)).center()
    QTest.mouseClick(start.list.viewport(), LEFT, pos=row)
    assert start.door.kind.key == DOORS[0]


# What is typed


def test_that_what_cannot_be_taken_leaves_the_last_answer_and_says_why(start, qtbot):
    name, asked = next((name, each) for name, each in start.card.asked.items() if isinstance(each.editor, NumberEntry))
    types(qtbot, start, name, "12")
    said = start.card.headline.sentence
    for wrong in ("x", "", "-3", "1e"):
        asked.editor.selectAll()
        QTest.keyClick(asked.editor, Qt.Key.Key_Delete)
        QTest.keyClicks(asked.editor, wrong)
        assert start.card.refusal.text(), wrong
        assert cut(start) == []
        assert start.card.headline.sentence == said or wrong == "1e"
        QTest.mouseClick(start.card.explore_button, LEFT)
        assert start.isVisible(), "there is something to mend"
        assert start.window().focusWidget() is asked.editor
    press(start, Qt.Key.Key_Escape)
    QApplication.processEvents()
    settled(qtbot, start)
    assert start.card.refusal.text() == ""
    assert asked.editor.number == 12 or asked.editor.number == start.door.kind.parameter(name).default


def test_that_escape_takes_back_what_was_answered_while_it_was_typed(start, bench, qtbot):
    name, asked = next(iter(start.card.asked.items()))
    said, before = start.card.headline.sentence, asked.editor.number
    types(qtbot, start, name, "12")
    assert start.card.headline.sentence != said
    press(start, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: start.card.headline.sentence == said)
    assert value_of(start, name) == asked.editor.number == before
    assert start.isVisible()


@pytest.mark.parametrize("key", DOORS)
def test_that_the_picture_of_a_door_has_all_its_curves_once_the_page_rests(start, qtbot, key):
    opens(qtbot, start, key)
    name = start.card.view.current_figure().table
    with hurried():
        seen = start.answered.tables[name]
    assert set(seen) == set(start.answered.tables[name])
    assert all(start.answered.tables[name][column].size for column in seen)


def test_that_what_is_being_typed_at_one_door_is_not_of_another(start, bench, qtbot):
    opens(qtbot, start, "decision")
    types(qtbot, start, "epsilon", "0.7")
    opens(qtbot, start, "watch")
    assert value_of(start, "epsilon") == all_studies()["watch"]().epsilon
    opens(qtbot, start, "decision")
    assert value_of(start, "epsilon") == 0.7


def test_that_how_the_picture_of_one_door_is_zoomed_is_not_asked_of_another(start, qtbot):
    opens(qtbot, start, "posterior")
    before = start.card.view.canvas
    before.setFocus()
    QTest.keyClick(before, Qt.Key.Key_Plus)
    assert before.reporting
    opens(qtbot, start, "test")
    assert start.card.refusal.text() == ""
    assert "densities" not in start.answered.views


def test_that_a_door_that_is_only_looked_at_alters_nothing(start, bench, qtbot):
    before = bench.document.session
    for key in DOORS:
        opens(qtbot, start, key)
        for _ in start.parts():
            press(start, Qt.Key.Key_Tab)
    assert bench.document.session == before
    assert bench.document.steps == 0


def test_that_what_was_typed_stands_there_still_when_a_door_is_opened_again(start, bench, qtbot):
    name = next(iter(start.card.asked))
    types(qtbot, start, name, "77")
    opens(qtbot, start, DOORS[1])
    opens(qtbot, start, DOORS[0])
    assert start.card.asked[name].editor.number == 77
    assert name not in bench.document.session.state(start.door.kind).setting.set_here


def test_that_a_door_begins_again_with_what_its_study_came_to(start, bench, qtbot):
    name = next(iter(start.card.asked))
    types(qtbot, start, name, "77")
    start.take()
    bench.document.edit(name, 88)
    bench.show_start()
    settled(qtbot, start)
    assert start.card.asked[name].editor.number == 88


def test_that_all_that_a_door_does_not_ask_keeps_its_value(start, bench, qtbot):
    kind = all_studies()["watch"]
    bench.document.do("mine", Session.on, kind, Session.put, {"per_time": 3.0, "epsilon": 2.0})
    opens(qtbot, start, "watch")
    assert start.card.asked["epsilon"].editor.number == 2.0
    types(qtbot, start, "minimum", "44")
    start.take()
    assert dict(bench.document.set_here) == {"per_time": 3.0, "epsilon": 2.0, "minimum": 44}


def test_that_the_keyboard_moves_a_mark_of_the_picture_too(start, bench, qtbot):
    opens(qtbot, start, "decision")
    canvas, before = start.card.view.canvas, value_of(start, "minimum")
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    settled(qtbot, start)
    assert value_of(start, "minimum") > before
    assert not start._held, "the hand has let go"
    assert bench.document.steps == 0


def test_that_what_was_chosen_is_spoken_of_as_in_its_study(start, bench, qtbot):
    opens(qtbot, start, "decision")
    said = start.card.headline.sentence
    bench.document.do("choose", Session.on, start.door.kind, Session.decide, "laplace")
    qtbot.waitUntil(lambda: start.card.headline.sentence.startswith("You chose Laplace"))
    bench.document.undo()
    qtbot.waitUntil(lambda: start.card.headline.sentence == said)


def test_that_a_mark_of_the_picture_moves_what_is_asked(start, bench, qtbot):
    mark = next(mark for key in DOORS for mark in opened_marks(start, qtbot, key))
    name = mark.parameter.name
    before = value_of(start, name)
    start.card.view.parameter_dragged.emit(name, before * 1.25)
    start.card.view.drag_finished.emit(name)
    settled(qtbot, start)
    assert start.card.asked[name].editor.number == pytest.approx(before * 1.25)
    assert start.door.dragged == {name}
    assert bench.document.steps == 0


def opened_marks(start, qtbot, key):
    opens(qtbot, start, key)
    return [mark for mark in start.card.view.canvas.marks.marks if mark.draggable]


def value_of(start, name):
    return getattr(start.door.taken(start._desk.document.session).study, name)


def test_that_the_questions_stand_under_headings_each_said_once(start):
    words = [start.list.item(row).text() for row in range(start.list.count())]
    assert words == [word for heading in HEADINGS for word in (
        heading, *(sign.title for sign in doors().values() if sign.heading == heading))]


# Ways on


def test_that_a_door_leads_on_with_its_values_and_those_alone(start, bench, qtbot):
    opens(qtbot, start, "response")
    types(qtbot, start, "people", "5000")
    button = next(each for each in start.card._further if each.text() == all_studies()["response"].door.further["mean"])
    QTest.mouseClick(button, LEFT)
    assert bench.document.study_class.key == "mean"
    assert value(bench, "people") == 5000
    assert not bench.document.session.state(all_studies()["response"]).setting.set_here


def test_that_something_else_is_wanted_with_its_values_taken(start, bench, qtbot):
    name = next(iter(start.card.asked))
    types(qtbot, start, name, "321")
    press(start, Qt.Key.Key_W, ALT)
    assert bench.isVisible()
    assert value(bench, name) == 321
    assert bench.window_.focusWidget() is not None


def test_that_a_report_of_a_door_is_of_its_study_with_its_values(start, bench, qtbot):
    name = next(iter(start.card.asked))
    types(qtbot, start, name, "321")
    press(start, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), ReportDialog))
    assert value(bench, name) == 321
    dialog = QApplication.activeModalWidget()
    assert dialog.request().chosen.studies == (bench.document.study_class,)
    dialog.reject()


@pytest.mark.parametrize("way", ["click", "keys"])
def test_that_a_report_and_code_are_of_what_stands_there(start, bench, qtbot, way):
    name = next(iter(start.card.asked))
    types(qtbot, start, name, "55")
    if way == "click":
        QTest.mouseClick(start.card.code_button, LEFT)
    else:
        press(start, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert bench.isVisible()
    assert value(bench, name) == 55
    assert bench.tools.made("handover") is not None
    bench.show_start()
    settled(qtbot, start)
    types(qtbot, start, name, "66")
    QTest.mouseClick(start.card.report_button, LEFT)
    assert value(bench, name) == 66
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    dialog.reject()


def test_that_the_page_of_the_study_is_made_once_the_first_page_rests(qtbot, monkeypatch):
    monkeypatch.setattr(pages, "READY", 10)
    window = first(qtbot)
    qtbot.waitUntil(lambda: window.findChild(StudyPage) is not None)
    assert window.findChild(Workbench).pages.at_start
    assert not window.findChild(StudyPage).isVisible()
    closed(window)


def test_that_a_study_stands_as_it_was_left_also_after_a_start_at_which_nobody_looked_at_it(qtbot, monkeypatch):
    monkeypatch.setattr(pages, "READY", 600_000)
    window = first(qtbot, "study")
    page = window.findChild(Workbench).page
    page._row.moveSplitter(page._row.widget(0).width() - 80, 1)
    kept = page._widths
    window.findChild(Workbench).pages.show_start()
    closed(window)

    window = first(qtbot)
    window.findChild(Workbench).appearance.choose("dark")
    assert window.findChild(StudyPage) is None, "the first page does without"
    closed(window)

    window = first(qtbot)
    window.findChild(Workbench).show_start()
    press(window.findChild(Workbench).pages.start, Qt.Key.Key_2, ALT)
    window.findChild(Workbench).pages.start.take()
    page = window.findChild(StudyPage)
    assert page.isVisible()
    assert page._widths == kept != []
    assert page._theme.name == "dark"
    closed(window)


def test_that_escape_leads_back_to_where_one_came_from(start, bench, qtbot):
    press(start, Qt.Key.Key_Escape)
    assert start.isVisible(), "one came from nowhere"
    start.study_wanted.emit("noise")
    answered(qtbot, bench)
    assert bench.document.study_class.key == "noise"
    press(start, Qt.Key.Key_Home, ALT)
    assert start.isVisible()
    press(start, Qt.Key.Key_Escape)
    assert bench.isVisible()
    assert bench.document.study_class.key == "noise"
    assert bench.window_.parts() == bench.page.parts(), "Tab walks through the study again"


def test_that_the_window_is_called_by_its_page(start, bench):
    assert bench.window_.windowTitle() == "Start[*] – DP Studio"
    start.take()
    assert bench.window_.windowTitle() == "Decision[*] – DP Studio"
    bench.show_start()
    assert bench.window_.windowTitle() == "Start[*] – DP Studio"


def test_that_what_is_done_to_a_study_waits_for_one(start, bench):
    away = {name for name, action in bench.menus.actions.items() if not action.isEnabled()}
    assert {"Export picture…", "Pin curves", "Reset all", "Undo", "Report…", "I want…"} <= away
    assert not {"Open session…", "Count in your data…", "Save session", "Quit", "Presentation mode", "Start"} & away
    start.take()
    assert bench.menus.actions["Export picture…"].isEnabled()
    assert not bench.menus.actions["Undo"].isEnabled(), "nothing was done"


def test_that_below_stand_where_one_was_and_cases(start, bench, qtbot):
    qtbot.waitUntil(lambda: bool(start.cases.entries))
    assert [each.words for each in start.cases.entries] == [each.title for each in SCENARIOS.values()]
    assert len(start.cases.buttons) == 3
    assert start.cases.buttons[-1].text() == f"All {len(SCENARIOS)}…"
    assert len(start.cases.menu.actions()) == len(SCENARIOS)
    assert not start.were.entries
    bench.document.do("mine", Session.on, all_studies()["budget"], Session.put, {"releases": 7, "epsilon": 1 / 64.1})
    start.fill_shelves()
    (were,) = start.were.entries
    assert (were.words, were.note) == ("Budget", "ε = 0.0156, k = 7"), "as it is read, not to the last digit"
    QTest.mouseClick(start.were.buttons[0], LEFT)
    assert bench.isVisible()
    assert bench.document.study_class.key == "budget"
    bench.show_start()
    qtbot.waitUntil(lambda: bool(start.cases.buttons))
    QTest.mouseClick(start.cases.buttons[0], LEFT)
    assert bench.isVisible()
    assert bench.practice.card.isVisible()


def test_that_a_session_that_is_opened_is_seen(start, bench, qtbot, tmp_path):
    bench.files.path = tmp_path / "mine.dpstudio"
    bench.files.save()
    open_file(qtbot, bench, tmp_path / "mine.dpstudio")
    assert bench.isVisible()
    bench.show_start()
    qtbot.waitUntil(lambda: len(start.files.entries) == 2)
    assert start.files.entries[0].words == "mine.dpstudio"


def test_that_a_study_that_something_turns_to_is_seen(start, bench):
    bench.document.turn(all_studies()["mean"])
    assert bench.isVisible()


# From one start to the next


def test_that_a_window_opens_where_one_was(qtbot):
    window = first(qtbot)
    start = window.findChild(Workbench).pages.start
    settled(qtbot, start)
    assert start.door.kind.key == DOORS[0]
    opens(qtbot, start, DOORS[-1])
    closed(window)
    window = opened(qtbot)  # where one was
    bench = window.findChild(Workbench)
    assert bench.pages.at_start
    assert bench.pages.start.door.kind.key == DOORS[-1]
    settled(qtbot, bench.pages.start)
    bench.pages.start.take()
    bench.show_everything()
    bench.tools.open("sweep")
    bench.tools.open("history")
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert not bench.pages.at_start
    assert bench.isVisible()
    qtbot.waitUntil(lambda: bench.desk.panes.opened == ["sweep", "history"])
    assert bench.tools.get("history").isVisible()
    answered(qtbot, bench)
    assert bench.page.parameters.fold.isChecked(), "and what was open is open"
    bench.tools.get("history").close()
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    qtbot.waitUntil(lambda: bench.desk.panes.opened == ["sweep"])
    closed(window)


def test_that_which_page_and_which_panes_are_seen_is_known_also_to_a_start_after_a_crash(start, bench):
    start.take()
    assert Settings().text("page", "") == "study"
    for key in ("sweep", "history"):
        bench.tools.open(key)
    assert Settings().text("open", "") == "sweep history"
    bench.tools.get("sweep").close()
    assert Settings().text("open", "") == "history"
    bench.show_start()
    assert Settings().text("page", "") == "start"


def test_that_a_session_from_the_command_line_opens_its_study(qtbot, tmp_path):
    begin_at("start")
    path = tmp_path / "a.dpstudio"
    session_file.save(path, Session.of(all_studies()["budget"], {"releases": 9}))
    window = opened(qtbot, session=str(path))
    bench = window.findChild(Workbench)
    qtbot.waitUntil(lambda: bench.document.study_class.key == "budget")
    assert bench.isVisible()
    closed(window)


def test_that_what_is_remembered_of_the_page_is_which_door_and_no_number(qtbot):
    window = first(qtbot)
    start = window.findChild(Workbench).pages.start
    types(qtbot, start, next(iter(start.card.asked)), "48317")
    closed(window)
    kept = Settings()
    assert "48317" not in Path(kept._store.fileName()).read_text("utf-8")
    assert kept.text("door", "") == DOORS[0]


def test_that_closing_in_the_middle_of_an_answer_leaves_nothing(qtbot):
    window = first(qtbot)
    start = window.findChild(Workbench).pages.start
    asked = next(each for each in start.card.asked.values() if isinstance(each.editor, NumberEntry))
    asked.take_up()
    QTest.keyClicks(asked.editor, "123")
    assert start._worker.busy
    closed(window)


# How it looks


@pytest.mark.parametrize(("size", "presented"), [((1280, 720), True), ((960, 540), False), ((1920, 1080), True),
                                                 ((1000, 700), False)])
def test_that_nothing_is_cut_where_there_is_little_room(start, bench, qtbot, size, presented):
    bench.menus.actions["Presentation mode"].setChecked(presented)
    bench.window_.resize(*size)
    for key in DOORS:
        bench.pages.show_start(key)
        settled(qtbot, start)
        QApplication.processEvents()
        assert start.narrow == (size != (1920, 1080))
        assert start.drop.isVisible() == start.narrow
        assert cut(start) == [], key
        assert start.card.view.canvas.height() >= 100
    start.drop.setFocus()
    start.drop.activated.emit(1)
    assert start.door.kind.key == DOORS[1]


def test_that_a_headline_takes_one_line_where_there_is_room_and_else_two(start, bench, qtbot):
    heights = []
    for width in (1280, 1920):
        bench.window_.resize(width, 900)
        qtbot.waitUntil(lambda width=width: start.width() == width)
        heights.append(start.card.headline.sizeHint().height())
    assert heights[0] > 1.8 * heights[1]
    assert cut(start) == []


def test_that_everything_follows_the_theme_and_has_a_name(start, bench):
    bench.appearance.choose("dark")
    assert start.card.view.theme is bench.appearance.theme
    assert start.list._delegate.theme is bench.appearance.theme
    for each in start.parts():
        words = each.text() if isinstance(each, QAbstractButton | QLabel) else ""
        assert each.accessibleName() or words or each.accessibleDescription(), each
    assert QPointF(start.card.pos()).x() > 0



# Counts of data


def counted(bench, key, **values):
    """Let values of a study be counts of somebody's data."""
    kind = all_studies()[key]
    origin = Origin("people.csv", "", "age > 65", counts=tuple(values))
    bench.document.do("count", Session.on, kind, Session.take, values, origin)
    return kind


def test_that_a_count_of_data_is_taken_to_no_other_study(start, bench, qtbot):
    counted(bench, "response", people=48_317)
    opens(qtbot, start, "response")
    assert start.card.asked["people"].editor.number == 48_317
    start._go_further("mean")
    assert value(bench, "people") != 48_317
    assert value(bench, "epsilon") == all_studies()["response"]().epsilon
    assert "48317" not in json.dumps(session_file.as_json(bench.document.leaving(exact=False)))


def test_that_what_is_dragged_beside_a_count_follows_from_it_and_what_is_typed_does_not(start, bench, qtbot):
    kind = counted(bench, "decision", records=48_317)
    opens(qtbot, start, "decision")
    start.card.view.parameter_dragged.emit("minimum", 47_900.0)
    start.card.view.drag_finished.emit("minimum")
    types(qtbot, start, "epsilon", "0.2")
    start.take()
    setting = bench.document.session.state(kind).setting
    assert "minimum" in setting.follows
    assert "epsilon" not in setting.counted
    left = json.dumps(session_file.as_json(bench.document.leaving(exact=False)))
    assert "47900" not in left
    assert "48317" not in left


def test_that_a_file_of_another_study_opened_from_the_first_page_fails_nowhere(qtbot, window, tmp_path, monkeypatch):
    failed = []
    monkeypatch.setattr(window, "report_error", lambda sentence, *_: failed.append(sentence))
    file = tmp_path / "survey.dpstudio"
    file.write_text(session_file.text(Session.of(all_studies()["response"], {"people": 777})), "utf-8")
    bench = window.findChild(Workbench)
    open_file(qtbot, bench, file)
    answered(qtbot, bench)
    assert value(bench, "people") == 777
    assert not failed
