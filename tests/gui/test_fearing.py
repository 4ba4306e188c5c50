"""The attacker’s line: one question for a whole session, asked by hand, refused, taken back, and there again later."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionComboBox
from window_kit import LEFT, answered, closed, drop, open_file, opened, type_entry, value

from dpstudio.core.attacker import NOBODY_FEARED, SPOKEN, Attacker
from dpstudio.core.sentence import keyed
from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.gui.controls.control import Control
from dpstudio.gui.controls.style import described
from dpstudio.gui.page.fearing import BriefEntry
from dpstudio.gui.page.pictures import PERSON
from dpstudio.gui.session import recovery
from dpstudio.gui.shell.settings import data_folder
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise
from dpstudio.text.numbers import powered

KEY, CTRL = Qt.Key, Qt.KeyboardModifier.ControlModifier
NAME = Attacker(attacker="name")


@pytest.fixture
def line(bench):
    return bench.page.fearing


def feared(bench):
    return bench.document.session.attacker


def choose(line, *keys):
    """Another question, by keys on the list."""
    line.question.setFocus()
    for key in keys:
        QTest.keyClick(line.question, key)


def typed(line, name, text):
    entry = line.entry(name).editor
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, KEY.Key_Return)
    return entry


def seen(line):
    """The parameters that have a place in the line."""
    return [each.parameter.name for each in line.findChildren(BriefEntry) if each.isVisible()]


def told(bench):
    """The sentence of the risk as it stands under the line."""
    said = powered(keyed(bench.answers.latest[0].said, "risk"))
    shown = [label.text() for label in bench.page.sentences.verdict._labels if not label.isHidden()]
    return said if any(each.replace("\N{NO-BREAK SPACE}", " ") == said.replace("\N{NO-BREAK SPACE}", " ")
                       for each in shown) else ""


def test_that_a_window_begins_with_somebody_feared_and_what_their_question_needs(bench, line, qtbot):
    assert feared(bench) == Attacker(attacker="membership")
    assert not bench.document.unsaved
    assert line.question.currentText() == "Is this person in the data?"
    assert sorted(seen(line)) == ["attacker", "false_alarms", "presence_prior"]
    qtbot.waitUntil(lambda: "Whoever wrongly accuses" in told(bench))
    assert "at even odds whether one record is in the data" in told(bench)


def test_that_a_question_chosen_by_keys_is_asked_of_every_study_and_changes_its_facts(bench, line, qtbot):
    choose(line, KEY.Key_Down)
    assert feared(bench) == NAME
    assert sorted(seen(line)) == ["attacker", "candidates", "false_alarms"]
    for key in all_studies():
        bench.desk.open_study(key)
        answered(qtbot, bench)
        assert line.question.currentText() == "Which of M people is it?"
        assert value(bench, "attacker") == "name"
        place = next(place for place in bench.answers.latest[0].answer.index() if place[0] == "risk_before")
        assert bench.answers.latest[0].answer.fact(*place).value == 1 / 1000
        qtbot.waitUntil(lambda: "of 1\u202f000 people" in told(bench) or "No risk" in told(bench))


def test_that_where_nobody_is_feared_nothing_more_is_asked_and_nobody_is_accused(bench, line, qtbot):
    choose(line, KEY.Key_Up)
    assert feared(bench) == NOBODY_FEARED
    assert seen(line) == ["attacker"]
    answered(qtbot, bench)
    qtbot.waitUntil(lambda: bool(told(bench)))
    assert "wrongly" not in told(bench)
    qtbot.waitUntil(lambda: not any(fact.key.startswith("risk_") for fact in bench.answers.latest[0].facts))


@pytest.mark.parametrize(("question", "name", "text", "why"), [
    ("membership", "presence_prior", "0", "whoever is certain beforehand learns nothing"),
    ("membership", "presence_prior", "1", "whoever is certain beforehand learns nothing"),
    ("name", "candidates", "1", "of one candidate the name is known"),
    ("attribute", "attribute_prior", "100%", "whoever is certain beforehand learns nothing"),
    ("reconstruction", "guessed_before", "1", "what is guessed for certain needs no release"),
    ("membership", "false_alarms", "0", "whoever accuses nobody finds nobody")])
def test_that_a_value_outside_is_refused_in_one_sentence_and_changes_nothing(bench, line, question, name, text, why):
    bench.document.edit("attacker", question)
    before, steps = bench.document.session, bench.document.steps
    entry = typed(line, name, text)
    assert bench.document.session == before
    assert bench.document.steps == steps
    assert entry.is_refused()
    assert line._refusal.isVisible()
    assert why in line._refusal.text()
    assert line._refusal.text() == entry.accessibleDescription()
    assert entry.hasFocus(), "it is mended here"
    QTest.keyClick(entry, KEY.Key_Escape)
    assert not entry.is_refused()
    assert not line._refusal.isVisible()
    assert entry.accessibleDescription() == described(type(line._shown).parameter(name))
    assert entry.number == getattr(feared(bench), name)


def test_that_of_two_refused_values_the_other_is_still_said_once_one_is_mended(bench, line):
    alarms, prior = typed(line, "false_alarms", "0"), typed(line, "presence_prior", "2")
    assert alarms.is_refused()
    assert prior.is_refused()
    typed(line, "presence_prior", "0.3")
    assert "accuses nobody" in line._refusal.text()
    assert feared(bench).presence_prior == 0.3
    assert alarms.is_refused(), "what another entry took leaves it to be mended"
    typed(line, "false_alarms", "0.1%")
    assert not line._refusal.isVisible()
    assert feared(bench).false_alarms == 0.001


def test_that_numbers_are_written_as_everywhere_and_undone_step_by_step(bench, line, qtbot):
    steps = bench.document.steps
    typed(line, "false_alarms", "1e-3")
    typed(line, "presence_prior", "30 %")
    assert (feared(bench).false_alarms, feared(bench).presence_prior) == (0.001, 0.3)
    assert bench.document.steps == steps + 2
    assert bench.document.undo_text == f"Change {Attacker.parameter('presence_prior').quantity.symbol}"
    entry = line.entry("presence_prior").editor
    entry.setFocus()
    QTest.keyPress(entry, KEY.Key_Up)
    QTest.keyPress(entry, KEY.Key_Up)
    QTest.keyRelease(entry, KEY.Key_Up)
    assert feared(bench).presence_prior == pytest.approx(0.32)
    assert bench.document.steps == steps + 3, "a key that is held is one gesture"
    for prior, alarms in ((0.3, 0.001), (0.5, 0.001), (0.5, 0.01)):
        bench.document.undo()
        assert (feared(bench).presence_prior, feared(bench).false_alarms) == (prior, alarms)
    assert entry.text() == "0.5"
    bench.document.redo()
    assert line.entry("false_alarms").editor.text() == "0.001"


def test_that_undoing_in_another_study_takes_the_question_back_everywhere_and_leaves_its_values(bench, line, qtbot):
    type_entry(bench, "epsilon", "0.2")
    choose(line, KEY.Key_Down)
    bench.desk.open_study("noise")
    answered(qtbot, bench)
    QTest.keyClick(bench.window_.windowHandle(), KEY.Key_Z, CTRL)
    assert feared(bench).attacker == "membership"
    assert bench.document.session.state(Noise).setting.study.attacker == "membership"
    assert bench.document.session.state(Decision).setting.study.attacker == "membership"
    assert bench.document.session.state(Decision).setting.study.epsilon == 0.2
    assert line.question.currentText() == "Is this person in the data?"


def test_that_each_of_the_attackers_parameters_stands_once_and_a_fact_leads_to_it(bench, line, qtbot):
    bench.show_everything()
    for section in bench.page.parameters.sections:
        section.set_open(True)
    names = [each.parameter.name for each in bench.page.findChildren(Control)] + [
        each.parameter.name for each in line.findChildren(BriefEntry)]
    assert len(names) == len(set(names))
    assert {"releases_feared", "records_of_one"} < set(names)
    answered(qtbot, bench)
    facts = bench.facts
    for key, leads_to in (("risk_found", line.entry("false_alarms").editor),
                          ("risk_after", bench.page.parameters.control("releases_feared").editor()),
                          ("risk_of_records", bench.page.parameters.control("records_of_one").editor())):
        def row(key=key):
            return next((i for i, each in enumerate(facts.facts.entries) if getattr(each, "key", "") == key), None)

        qtbot.waitUntil(lambda row=row: row() is not None)
        facts.setFocus()
        facts.setCurrentIndex(facts.facts.index(row(), 1))
        QTest.keyClick(facts, KEY.Key_F2)
        assert leads_to.hasFocus(), key


def test_that_the_line_opens_no_fold_and_is_not_reset_with_a_study(bench, line):
    choose(line, KEY.Key_Down)
    type_entry(bench, "epsilon", "0.2")
    assert not bench.page.parameters.is_open
    assert bench.page.parameters.fold.text().endswith("more")
    QTest.mouseClick(bench.page.parameters._reset_all, LEFT)
    assert value(bench, "epsilon") == 0.1
    assert feared(bench) == NAME
    assert not bench.page.parameters._reset_all.isEnabled()
    bench.desk.apply_preset(Decision.presets[0])
    assert feared(bench) == NAME
    assert bench.menus.presets.actions()[0].isChecked()


def test_that_tab_goes_through_the_line_before_its_sentences_and_f6_stops_at_its_question(bench, line, qtbot):
    bench.window_.activateWindow()
    qtbot.waitUntil(bench.window_.isActiveWindow)
    bench.page.parameters._reset_all.setFocus()
    bench.page.parameters.fold.setFocus()
    met = []
    for _ in range(5):
        QTest.keyClick(bench.window_.windowHandle(), KEY.Key_Tab)
        met.append(bench.window_.focusWidget())
    at = met.index(line.question)
    assert met[at + 1:at + 3] == [line.entry("presence_prior").editor, line.entry("false_alarms").editor]
    assert all(each.accessibleName() for each in met[at:at + 3])
    bench.pictures.beside.canvas.setFocus()
    QTest.keyClick(bench.window_.windowHandle(), KEY.Key_F6)
    assert line.question.hasFocus()


def test_that_in_a_narrow_window_the_line_is_part_of_the_panel_on_one_person(bench, line, qtbot):
    bench.window_.activateWindow()
    qtbot.waitUntil(bench.window_.isActiveWindow)
    bench.window_.resize(960, 540)
    qtbot.waitUntil(lambda: bench.page.narrow)
    assert not line.isVisible()
    for _ in range(3):
        QTest.keyClick(bench.window_.windowHandle(), KEY.Key_F6)
    assert line.isVisible()
    assert line.question.hasFocus()
    bench.page.show_panel("facts")
    bench.facts.value_requested.emit("false_alarms")
    assert bench.page.bar.panel[PERSON].isChecked()
    assert line.entry("false_alarms").editor.hasFocus()
    for each in line.findChildren(BriefEntry):
        if each.isVisible():
            assert each.heading.width() >= each.heading.sizeHint().width(), "no word is cut"
    bench.window_.resize(1280, 720)


@pytest.mark.parametrize("question", ["membership", "name", "attribute", "reconstruction"])
def test_that_no_word_and_no_number_of_the_line_is_cut(bench, line, qtbot, question):
    bench.document.edit("attacker", question)
    QApplication.processEvents()
    for each in line.findChildren(BriefEntry):
        if each.isVisible():
            assert each.heading.width() >= each.heading.sizeHint().width(), each.heading.text()
            editor = each.editor
            if each.parameter.name != "attacker":
                assert editor.shown() == editor.text()
    drop, option = line.question, QStyleOptionComboBox()
    drop.initStyleOption(option)
    room = drop.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option,
                                       QStyle.SubControl.SC_ComboBoxEditField, drop).width()
    assert drop.fontMetrics().horizontalAdvance(drop.currentText()) <= room


def test_that_whom_one_fears_is_there_again_at_the_next_start(qtbot):
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    choose(bench.page.fearing, KEY.Key_Down)
    typed(bench.page.fearing, "candidates", "50k")
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert feared(bench) == Attacker(attacker="name", candidates=50_000)
    assert bench.page.fearing.question.currentText() == "Which of M people is it?"
    choose(bench.page.fearing, KEY.Key_Home)
    closed(window)
    window = opened(qtbot)
    assert feared(window.findChild(Workbench)).attacker == "nobody", "who fears nobody is asked nothing anew"
    closed(window)


def kept_document(change):
    """What was kept, changed as another version or a broken disk would have it."""
    recovery.keep(recovery.LeftSession(Session.of(Decision, {"epsilon": 0.3}), Session(Decision)))
    path = data_folder() / recovery.LAST
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")


@pytest.mark.parametrize(("change", "attacker"), [
    (lambda kept: kept["session"].update(format=6), recovery.AT_FIRST),
    (lambda kept: kept["session"].update(attacker={"attacker": "everybody"}), recovery.AT_FIRST),
    (lambda kept: kept["session"].update(attacker=[]), recovery.AT_FIRST),
    (lambda kept: kept["session"].update(attacker={"attacker": "name"}), NAME),
    (lambda kept: None, NOBODY_FEARED)])
def test_that_what_was_kept_before_anybody_was_feared_or_cannot_be_read_costs_no_study(change, attacker):
    kept_document(change)
    session = recovery.kept().session
    assert session.attacker == attacker
    assert session.state(Decision).setting.study.epsilon == 0.3


def test_that_of_two_windows_the_one_that_changed_whom_one_fears_is_the_one_that_counts():
    first, second = recovery.kept(), recovery.kept()
    keepers = [recovery.Keeper(), recovery.Keeper()]
    for keeper, left in zip(keepers, (first, second), strict=True):
        keeper.begin(left)
    keepers[0].keep(recovery.LeftSession(first.session.facing(NAME), first.saved))
    keepers[1].keep(recovery.LeftSession(second.session.set("epsilon", 0.3), second.saved))
    kept = recovery.kept()
    assert (kept.session.attacker, kept.session.study.epsilon) == (NAME, 0.3)
    assert kept.saved.attacker == recovery.AT_FIRST
    keepers[1].keep(recovery.LeftSession(second.session.set("epsilon", 0.3).facing(NOBODY_FEARED), second.saved))
    assert recovery.kept().session.attacker == NOBODY_FEARED


def test_that_a_file_that_fears_nobody_leaves_the_windows_attacker_and_another_brings_its_own(
        bench, line, qtbot, tmp_path):
    session_file.save(tmp_path / "plain.dpstudio", Session.of(Decision, {"epsilon": 0.5}))
    session_file.save(tmp_path / "feared.dpstudio", Session.of(Decision, {"epsilon": 0.25}).facing(NAME))
    open_file(qtbot, bench, tmp_path / "plain.dpstudio")
    assert (feared(bench), value(bench, "epsilon")) == (recovery.AT_FIRST, 0.5)
    assert not bench.files.unsaved
    open_file(qtbot, bench, tmp_path / "feared.dpstudio")
    assert (feared(bench), value(bench, "epsilon")) == (NAME, 0.25)
    assert line.question.currentText() == "Which of M people is it?"
    assert not bench.files.unsaved
    assert not bench.window_.isWindowModified()
    bench.document.undo()
    assert (feared(bench), value(bench, "epsilon")) == (recovery.AT_FIRST, 0.5)


def test_that_numbers_that_are_dropped_bring_whom_they_were_made_against(bench, line, qtbot, tmp_path):
    session = Session.of(Decision, {"epsilon": 0.25}).facing(NAME)
    (tmp_path / "numbers.json").write_text(json.dumps({"session": session_file.as_json(session.carried())}), "utf-8")
    with qtbot.waitSignal(bench.files.opened):
        drop(bench.window(), tmp_path / "numbers.json")
    assert (feared(bench), value(bench, "epsilon")) == (NAME, 0.25)


def test_that_whom_one_fears_is_saved_and_unsaved_as_any_value_whichever_study_is_in_view(
        bench, line, qtbot, questions, tmp_path):
    path = tmp_path / "one.dpstudio"
    session_file.save(path, Session.of(Decision, {"epsilon": 0.5}))
    open_file(qtbot, bench, path)
    bench.desk.open_study("noise")
    answered(qtbot, bench)
    choose(line, KEY.Key_Down)
    assert bench.files.unsaved == (Decision,), "the file has no other study"
    assert bench.window_.isWindowModified()
    assert bench.files.save()
    assert not bench.files.unsaved
    assert session_file.load(path).attacker == NAME


def test_that_whoever_discards_what_is_unsaved_fears_whom_the_file_fears(qtbot, questions, tmp_path):
    window = opened(qtbot)
    bench, path = window.findChild(Workbench), tmp_path / "mine.dpstudio"
    bench.files.path = path
    bench.files.save()
    choose(bench.page.fearing, KEY.Key_Down)
    questions.expect("Discard")
    assert window.close()
    closed(window)
    assert recovery.kept().session.attacker == recovery.AT_FIRST
    assert session_file.load(path).attacker == recovery.AT_FIRST


def test_that_a_snapshot_and_a_case_leave_whom_one_fears(bench, line, qtbot):
    bench.document.do("Keep", Session.keep, "before")
    choose(line, KEY.Key_Down)
    bench.document.set("epsilon", 0.7)
    (snapshot,) = bench.document.state.snapshots
    bench.document.do("Back", Session.come_back, snapshot)
    assert (value(bench, "epsilon"), feared(bench)) == (0.1, NAME)
    bench.desk.tools.get("practice").open("region")
    assert (value(bench, "minimum"), feared(bench)) == (100, NAME)
    assert value(bench, "attacker") == "name"


def test_that_the_first_page_lists_no_study_for_whom_one_fears_alone(bench, line, qtbot):
    choose(line, KEY.Key_Down)
    bench.show_start()
    qtbot.waitUntil(lambda: bench.pages.start.isVisible())
    bench.pages.start.fill_shelves()
    assert not bench.pages.start.were.entries
    bench.desk.open_study("decision")
    bench.document.set("epsilon", 0.7)
    bench.pages.start.fill_shelves()
    (entry,) = bench.pages.start.were.entries
    assert entry.note == "ε = 0.7"


def test_that_what_stands_in_the_line_has_brief_words_and_nothing_else_has():
    assert [name for name, each in Attacker.by_name().items() if each.brief] == list(SPOKEN)
