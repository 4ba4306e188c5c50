"""A file is opened, a condition set, and N arrives in the decision; nothing of it leaves unless that was chosen."""

from __future__ import annotations

import hashlib
import json
import math
import re
import threading

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel
from shiboken6 import isValid
from window_kit import LEFT, answered, closed, drop, open_file, opened, type_entry, value

from dpstudio import vocabulary as v
from dpstudio.data.origin import Origin
from dpstudio.data.secret import keyed
from dpstudio.documents import pictures, session_file
from dpstudio.documents.session import Session
from dpstudio.gui.data.dialog import DataDialog
from dpstudio.gui.pictures.export_dialog import ExportDialog
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.files import LAST
from dpstudio.gui.shell.settings import Settings, data_folder
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies.decision import Decision

PEOPLE = "person,age,sex\n" + "".join(f"{i // 2},{i % 90},{'fm'[i % 3 > 0]}\n" for i in range(3000))
OLD = sum(i % 90 >= 65 for i in range(3000))
OLD_PERSONS = len({i // 2 for i in range(3000) if i % 90 >= 65})


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def reading(bench, qtbot, path=None) -> DataDialog:
    """The dialog once its file is read, opened for it where it is not yet."""
    if path is not None:
        bench.desk.open_data(str(path))
    dialog = bench.window().findChildren(DataDialog)[-1]
    qtbot.waitUntil(lambda: dialog._table is not None)
    return dialog


def saved(bench, path) -> Session:
    """What a session file has once the window has saved it."""
    bench.files.path = path
    assert bench.files.save()
    return session_file.load(path)


@pytest.fixture
def dialog(bench, qtbot, people):
    """The dialog, with the file read."""
    dialog = reading(bench, qtbot, people)
    yield dialog
    if dialog in QApplication.topLevelWidgets():
        dialog.reject()


@pytest.fixture
def empty(qtbot, qapp):
    """The dialog without a window behind it, and without a file."""
    dialog = DataDialog(Document(Session(Decision)), Settings(), LIGHT)
    dialog.open()
    yield dialog
    if isValid(dialog):
        dialog.reject()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def read(dialog, qtbot, path) -> DataDialog:
    """The same once it has read a file."""
    dialog.begin(str(path))
    qtbot.waitUntil(lambda: dialog._table is not None)
    return dialog


@pytest.fixture
def alone(empty, qtbot, people):
    """The dialog without a window behind it, with the file read."""
    return read(empty, qtbot, people)


def verdict_says(bench, qtbot, words):
    """Wait for a sentence: the verdict changes at a reader's pace."""
    shown = bench.page.sentences.verdict.findChildren
    qtbot.waitUntil(lambda: any(words in label.text().replace("\u00a0", " ") for label in shown(QLabel)))


def shown_n(dialog) -> str:
    return dialog.found.number.text().replace("\u202f", "")


def choose(box, text):
    """Type a column's name as a person does."""
    line = box.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def old(dialog, qtbot, person=""):
    """Say that whoever is 65 or older qualifies."""
    row = dialog.builder.clauses[0]
    choose(row.column, "age")
    row.comparison.setFocus()
    while row.comparison.currentText() != "≥":
        QTest.keyClick(row.comparison, Qt.Key.Key_Down)
    row.value.setFocus()
    QTest.keyClicks(row.value, "65")
    if person:
        choose(dialog.person, person)
    qtbot.waitUntil(dialog.use.isEnabled)


def test_that_a_file_is_opened_a_condition_set_and_n_arrives_in_the_decision(dialog, bench, qtbot):
    assert dialog.preview.rows.rowCount() == 200
    assert dialog.preview.rows.headerData(1, Qt.Orientation.Horizontal) == "age\nnumber"
    assert not dialog.use.isEnabled()
    old(dialog, qtbot)
    assert dialog.builder.where == "age ≥ 65"
    assert shown_n(dialog) == f"N = {OLD}"
    QTest.mouseClick(dialog.use, LEFT)
    assert value(bench, "records") == OLD
    answered(qtbot, bench)
    verdict_says(bench, qtbot, "N is an exact count, and sensitive: counted in 'people.csv' where age ≥ 65")
    bench.document.undo()
    assert value(bench, "records") == 1020
    assert bench.document.origin is None
    bench.document.redo()
    assert bench.document.origin.where == "age ≥ 65"


def test_that_persons_are_counted_under_a_bound_and_group_privacy_is_told_without(dialog, bench, qtbot):
    old(dialog, qtbot, "person")
    qtbot.waitUntil(lambda: shown_n(dialog) == f"N = {OLD_PERSONS}")
    assert "holds for a person" in dialog.found.told.text()
    QTest.keyClick(dialog.bounded, Qt.Key.Key_Space)
    assert shown_n(dialog) == f"N = {OLD}"
    assert "group privacy" in dialog.found.told.text()
    assert "read from the data" in dialog.found.told.text()
    QTest.keyClick(dialog.bounded, Qt.Key.Key_Space)
    dialog.at_most.setFocus()
    QTest.keyClick(dialog.at_most, Qt.Key.Key_Up)
    assert "one person moves N by up to 2" in dialog.found.told.text()
    QTest.mouseClick(dialog.use, LEFT)
    assert (bench.document.origin.person, bench.document.origin.at_most) == ("person", 2)


def test_that_the_dialog_remembers_for_this_run_what_was_asked_of_each_table(dialog, bench, qtbot, tmp_path, own_home):
    dialog.missing.setFocus()
    QTest.keyClicks(dialog.missing, "NA")
    QTest.keyClick(dialog.missing, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: dialog._table is not None)
    old(dialog, qtbot, "person")
    aim(dialog, "Posterior")
    dialog.at_most.setValue(2)
    dialog.reject()
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    people, nothing = ("age ≥ 65", "person", "Posterior"), ("", "no column", "Decision")
    way = dialog.builder._by_hand
    for path, (where, person, study) in ((str(other), nothing), (str(tmp_path / "people.csv"), people), ("", people)):
        again = reading(bench, qtbot, path)
        assert (again.builder.where, again.person.currentText(), again.target.currentText()) == (where, person, study)
        assert again.builder._by_hand == way, "comparisons stay comparisons"
        if where:
            assert (again.at_most.value(), again.missing.text()) == (2, "NA")
            assert "may not be the file" not in again.status.text()
            qtbot.waitUntil(again.use.isEnabled)
        again.reject()
    bench.settings.sync()
    assert not any(re.search(r"\bage\b", path.read_text()) for path in own_home.rglob("*.ini")), "for this run alone"


def test_that_an_expression_is_checked_as_it_is_typed(alone, qtbot):
    builder = alone.builder
    builder.way._buttons["expression"].click()
    QTest.keyClicks(builder.expression, "agee >= 65")
    assert "did you mean 'age'?" in builder.problem.text()
    assert builder.expression.property("refused")
    assert not alone.use.isEnabled()
    builder.expression.selectAll()
    QTest.keyClicks(builder.expression, "age >= 65 and sex = 'm'")
    assert builder.problem.text() == ""
    qtbot.waitUntil(alone.use.isEnabled)
    assert shown_n(alone) == f"N = {sum(i % 90 >= 65 and i % 3 > 0 for i in range(3000))}"


def test_that_two_comparisons_are_joined_and_one_can_be_removed(alone, qtbot):
    old(alone, qtbot)
    QTest.mouseClick(alone.builder.add, LEFT)
    choose(alone.builder.clauses[1].column, "sex")
    assert alone.builder.where == "", "the second has no value yet"
    alone.builder.clauses[1].value.setFocus()
    QTest.keyClicks(alone.builder.clauses[1].value, "f")
    assert alone.builder.where == "age ≥ 65 and sex = 'f'"
    alone.builder.how._buttons["any"].click()
    assert alone.builder.where == "age ≥ 65 or sex = 'f'"
    QTest.mouseClick(alone.builder.clauses[1].remove, LEFT)
    assert alone.builder.where == "age ≥ 65"


def test_that_a_bad_value_and_a_bad_file_are_explained(alone, qtbot, tmp_path):
    row = alone.builder.clauses[0]
    choose(row.column, "age")
    QTest.keyClicks(row.value, "old")
    assert alone.builder.problem.text() == "The value must be a number, got 'old'"
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n1,2\n3\n")
    alone.open_path(bad)
    qtbot.waitUntil(lambda: "in line 3 it has 1 column" in alone.status.text())
    assert not alone.use.isEnabled()


def test_that_words_of_a_file_are_never_markup(bench, qtbot, tmp_path):
    path = tmp_path / "<b>a&.csv"
    path.write_text("<img src=x>,=cmd()\n<i>1</i>,2\n")
    dialog = reading(bench, qtbot, path)
    for label in dialog.findChildren(QLabel):
        if "<" in label.text():
            assert label.textFormat() == Qt.TextFormat.PlainText
    tip = dialog.preview.rows.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "&lt;img src=x&gt;" in tip
    assert "<img" not in tip
    assert dialog.builder.clauses[0].column.itemText(0) == "<img src=x>"
    QTest.keyClicks(dialog.builder.clauses[0].value, "<i>1</i>")
    qtbot.waitUntil(dialog.use.isEnabled)
    QTest.mouseClick(dialog.use, LEFT)
    answered(qtbot, bench)
    for label in bench.page.sentences.verdict.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText


def test_that_thousands_of_columns_are_shown_without_measuring_them(empty, qtbot, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{i}" for i in range(2_000)) + "\n" + "1," * 1_999 + "1\n")
    dialog = read(empty, qtbot, path)
    assert dialog.preview.rows.columnCount() == 2_000
    choose(dialog.builder.clauses[0].column, "c1999")
    QTest.keyClicks(dialog.builder.clauses[0].value, "1")
    qtbot.waitUntil(dialog.use.isEnabled)
    assert dialog.builder.where == "c1999 = 1"


def test_that_a_dropped_table_opens_the_dialog(bench, qtbot, people):
    drop(bench.window(), people)
    qtbot.waitUntil(lambda: bench.window().findChild(DataDialog) is not None)
    reading(bench, qtbot).reject()


def test_that_closing_in_the_middle_leaves_nothing_running(empty, qtbot, tmp_path):
    import duckdb

    path = tmp_path / "large.parquet"
    duckdb.execute(f"COPY (SELECT range AS a FROM range(5000000)) TO '{path}'")
    dialog = read(empty, qtbot, path)
    worker = dialog.worker
    worker.ask(lambda file: file.query("SELECT count(*) FROM data AS x, data AS y WHERE x.a * y.a = 7"), print)
    assert not dialog.progress.isHidden()
    dialog.reject()
    assert worker.file is None
    assert not [thread for thread in threading.enumerate() if thread.name == "data"]


def test_that_the_window_closes_while_a_table_is_read(qtbot, tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "1,2\n" * 3_000_000)
    window = opened(qtbot)
    window.findChild(Workbench).desk.open_data(str(path))
    assert [thread for thread in threading.enumerate() if thread.name == "data"]
    closed(window)
    assert not [thread for thread in threading.enumerate() if thread.name == "data"]


def test_that_reading_can_be_stopped(empty, tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "1,2\n" * 3_000_000)
    empty.begin(str(path))
    QTest.mouseClick(empty.stop, LEFT)
    assert empty.status.text() == "Reading was stopped."
    assert empty.progress.isHidden()


def test_that_what_was_overtaken_is_never_shown(alone, qtbot):
    told = []
    for i in range(5):
        alone.worker.ask(lambda file, i=i: (file.query("SELECT count(*) FROM data"), i)[1], told.append)
    qtbot.waitUntil(lambda: bool(told))
    assert told == [4]


def counted_in(path) -> Origin:
    """Where the persons of 65 or older are counted."""
    return Origin(path.name, hashlib.sha256(path.read_bytes()).hexdigest(), "age ≥ 65", "person", 1,
                  counts=("records",))


@pytest.fixture
def counted(bench, qtbot, people):
    """A decision about a count of people, as the dialog hands it over."""
    bench.settings.add_data_file(keyed(counted_in(people).sha256), people)
    bench.desk._use_counted("decision", {"records": OLD_PERSONS}, counted_in(people))
    answered(qtbot, bench)
    return bench


def test_that_the_dialog_hands_over_what_it_counted_and_no_plain_digest_of_the_table_is_kept_anywhere(
        dialog, bench, qtbot, own_home, tmp_path):
    old(dialog, qtbot, "person")
    QTest.mouseClick(dialog.use, LEFT)
    origin = counted_in(tmp_path / "people.csv")
    assert (bench.document.origin, bench.document.set_here) == (origin, {"records": OLD_PERSONS})
    saved(bench, own_home / "mine.dpstudio")
    bench.files.keep()
    bench.settings.sync()
    kept = [path for path in own_home.rglob("*") if path.is_file()]
    assert any(b"age \\u2265 65" in path.read_bytes() for path in kept), "the session is among them"
    assert not [path for path in kept if origin.sha256.encode() in path.read_bytes()]
    assert bench.settings.data_file(bench.document.origin.digest) == str(tmp_path / "people.csv")


def test_that_sessions_leave_the_count_out_unless_it_is_chosen(counted, tmp_path):
    kept = saved(counted, tmp_path / "mine.dpstudio")
    assert "records" not in json.loads((tmp_path / "mine.dpstudio").read_text())["studies"]["decision"]["values"]
    assert (kept.data.file, kept.data.where, kept.data.at_most) == ("people.csv", "age ≥ 65", 1)
    counted.menus.actions["Save exact counts in files"].trigger()
    assert saved(counted, tmp_path / "mine.dpstudio").explicit["records"] == OLD_PERSONS


def test_that_data_and_pictures_leave_the_count_out(counted, qtbot, tmp_path):
    update, study = counted.answers.latest
    counted.files.write_data(tmp_path / "a.json", study, update)
    counted.files.write_data(tmp_path / "a.csv", study, update)
    counted.outgoing.export_picture("acceptance")
    dialog = counted.window().findChild(ExportDialog)
    assert not dialog.exact_counts.isHidden()
    assert not dialog.exact_counts.isChecked()
    assert not dialog.on_screen.isEnabled()
    dialog.path.setText(str(tmp_path / "a.svg"))
    dialog.accept()
    qtbot.waitUntil(lambda: all((tmp_path / name).exists() for name in ("a.json", "a.csv", "a.svg")))
    made = json.loads((tmp_path / "a.json").read_text())
    assert made["parameters"]["records"] == 1020
    assert "left out" in made["data"]["note"]
    assert "records: 1020" in (tmp_path / "a.csv").read_text()
    for name in ("a.json", "a.csv", "a.svg"):
        text = (tmp_path / name).read_text()
        assert not re.search(rf"(?<![\w.]){OLD_PERSONS}(?![\w.])", text), name
        assert "people.csv" not in text, name
        assert "age ≥ 65" not in text, name
        assert "age \\u2265 65" not in text, name


def test_that_plain_digests_that_settings_held_are_kept_under_the_key(own_home, tmp_path):
    plain = "ab" * 32
    settings = Settings()
    settings._store.setValue("data_files", json.dumps([[plain, "/there/people.csv"]]))
    assert settings.data_file(keyed(plain)) == "/there/people.csv"
    assert settings.data_file(plain) == ""
    settings.add_data_file(keyed("cd" * 32), tmp_path / "b.csv")
    settings.sync()
    assert settings.data_file(keyed(plain)) == "/there/people.csv"
    assert plain not in "".join(path.read_text() for path in own_home.rglob("*.ini"))


def test_that_diagnostics_hold_no_count_and_saving_says_that_the_session_names_the_table(counted, tmp_path, qtbot):
    counted.window_.copy_diagnostics()
    copied = QApplication.clipboard().text()
    assert "records = 1020" in copied
    assert str(OLD_PERSONS) not in copied
    counted.files.path = tmp_path / "mine.dpstudio"
    with qtbot.waitSignal(counted.files.said, check_params_cb=lambda told: "names the table and the condition" in told):
        counted.files.save()


def test_that_a_picture_of_a_count_offers_nothing_it_cannot_do(counted, qtbot, questions, tmp_path):
    leaving = counted.document.leaving(exact=False)
    pictures.write(tmp_path / "a.svg", leaving, counted.answers.latest[0], leaving.study.figures[0])
    questions.expect("Discard")
    open_file(qtbot, counted, tmp_path / "a.svg")
    notice = counted.window_.notice
    assert "N was counted in people’s data" in notice.label.text()
    assert notice.button.isHidden()


@pytest.mark.parametrize(("study", "drawn"), [("Posterior", ("svg", "png", "pdf")), ("Policy", ("svg",))])
def test_that_nothing_that_leaves_holds_a_count_of_the_other_studies(dialog, bench, qtbot, tmp_path, study, drawn):
    old(dialog, qtbot, "person")
    aim(dialog, study)
    QTest.keyClicks(dialog.action, "sex = 'f'")
    QTest.keyClicks(dialog.milder, "age >= 40")
    qtbot.waitUntil(dialog.use.isEnabled)
    QTest.mouseClick(dialog.use, LEFT)
    answered(qtbot, bench)
    counts = bench.document.origin.counts
    held = {name: value(bench, name) for name in counts}
    assert len(held) >= 2
    bench.document.set("trials", 1000)
    answered(qtbot, bench)
    # What is drawn so far, or a folder, may have the same digits as a count by chance.
    qtbot.waitUntil(lambda: bench.answers.latest[0].done == bench.answers.latest[0].answer.total)
    study_, update = bench.answers.latest[1], bench.answers.latest[0]
    folder = tmp_path / "out"
    folder.mkdir()
    for ending in ("json", "csv"):
        bench.files.write_data(folder / f"a.{ending}", study_, update)
    for ending in drawn:
        bench.outgoing.export_picture()
        export = bench.window().findChildren(ExportDialog)[-1]
        export.path.setText(str(folder / f"a.{ending}"))
        export.accept()
    saved(bench, folder / "a.dpstudio")
    bench.files.keep()
    bench.window_.copy_diagnostics()
    qtbot.waitUntil(lambda: not bench.files.exporting)
    texts = [(folder / f"a.{ending}").read_text() for ending in ("json", "csv", "svg", "dpstudio")]
    last = json.loads((data_folder() / LAST).read_text())
    assert last["place"].keys() == {"file", "stamp", "held", "exact"}
    last["place"] |= {"file": "", "stamp": []}
    texts += [QApplication.clipboard().text(), json.dumps(last),
              *(re.sub(r"\d\d:\d\d:\d\d,\d\d\d", "", each.read_text()) for each in data_folder().glob("*.log"))]
    for name, number in held.items():
        if number > 100 or number % 1:  # smaller whole numbers are everywhere
            written = re.compile(rf"(?<![\w.]){re.escape(repr(number))}(?![\w.])")  # not within a digest
            assert not any(map(written.search, texts)), name
    for ending in (*drawn, "dpstudio"):
        kept = session_file.load(folder / f"a.{ending}")
        assert not kept.explicit.keys() & set(counts)
        assert kept.data.counts == counts


def neighbours(number):
    """The count and what is next to it, as a file would have them; digits of a digest are none."""
    return re.compile(rf"(?<![0-9a-f.])({'|'.join(str(number + step) for step in range(-3, 4))})(?![0-9a-f.])")


def test_that_what_a_count_is_moved_to_stays_out_until_it_is_said_not_to_be_from_data(counted, qtbot, tmp_path):
    control = counted.page.parameters.control("records")
    assert control.tag.text() == "counted in people.csv"
    control.entry.setFocus()
    QTest.keyClick(control.entry, Qt.Key.Key_Up)
    moved = value(counted, "records")
    assert 0 < moved - OLD_PERSONS <= 3
    assert control.tag.text() == "moved from a count in people.csv"
    answered(qtbot, counted)
    verdict_says(counted, qtbot, "N was moved from an exact count, and is as sensitive: counted in 'people.csv'")
    update, study = counted.answers.latest
    counted.files.write_data(tmp_path / "a.json", study, update)
    qtbot.waitUntil((tmp_path / "a.json").exists)
    saved(counted, tmp_path / "mine.dpstudio")
    counted.window_.copy_diagnostics()
    for text in ((tmp_path / "a.json").read_text(), (tmp_path / "mine.dpstudio").read_text(),
                 QApplication.clipboard().text()):
        assert not neighbours(OLD_PERSONS).search(text)
    control.tag.own.trigger()
    assert control.tag.isHidden()
    assert counted.document.origin is None
    assert saved(counted, tmp_path / "mine.dpstudio").explicit["records"] == moved
    counted.document.undo()
    assert counted.document.origin.moved == ("records",)


def test_that_what_was_said_not_to_be_from_data_stays_so_until_it_is_counted_again_also_in_an_answer_under_way(counted):
    origin = counted.document.origin
    counted.document.do("Disown", Session.disown, "records")
    assert not counted.document.holds_counts
    counted.document.set("epsilon", 0.5)
    assert not counted.document.holds_counts
    counted.document.do("Count", Session.take, {"records": OLD_PERSONS}, origin)
    assert counted.document.holds_counts
    study = counted.document.study
    for step in (1, 2, 3):
        counted.document.set("records", OLD_PERSONS + step, merge=True)
    moved = counted.document.study
    counted.document.reset("records")
    assert counted.document.counted_in(study).moved == ()
    assert counted.document.counted_in(moved).moved == ("records",)
    assert counted.document.counted_in(counted.document.study) is None


def test_that_a_count_that_was_replaced_as_a_whole_is_none_any_more(counted):
    document, tag = counted.document, counted.page.parameters.control("records").tag
    for replace_it in (lambda: document.reset("records"), counted.desk.reset_all,
                       lambda: counted.desk.apply_preset(document.study_class.presets[0])):
        type_entry(counted, "records", "1500")
        assert document.holds_counts
        replace_it()
        assert document.origin is None
        assert tag.isHidden()
        type_entry(counted, "records", "1400")
        assert document.origin is None
        type_entry(counted, "records", str(OLD_PERSONS))
        assert document.origin is not None, "it is the count, however the hand came back to it"


def test_that_a_moved_count_that_goes_along_says_that_it_was_moved(counted, qtbot, tmp_path):
    type_entry(counted, "records", str(OLD_PERSONS + 1))
    counted.files.set_exact_counts(True)
    kept = saved(counted, tmp_path / "mine.dpstudio")
    assert (kept.explicit["records"], kept.data.moved, kept.data.exact) == (OLD_PERSONS + 1, ("records",), True)
    assert "moved by hand since: records" in kept.data.note
    open_file(qtbot, counted, tmp_path / "mine.dpstudio")
    assert counted.document.origin.moved == ("records",)


def test_that_a_session_offers_to_count_again(counted, qtbot, questions, tmp_path):
    saved(counted, tmp_path / "mine.dpstudio")
    counted.document.do("Reset all", Session.apply, {})
    questions.expect("Discard")
    open_file(qtbot, counted, tmp_path / "mine.dpstudio")
    notice = counted.window_.notice
    assert "leaves exact counts out" in notice.label.text()
    assert value(counted, "records") == 1020
    type_entry(counted, "epsilon", "0.5")
    assert saved(counted, tmp_path / "mine.dpstudio").data is not None, "how to count again is kept"
    QTest.mouseClick(notice.button, LEFT)
    dialog = counted.window().findChildren(DataDialog)[-1]
    qtbot.waitUntil(dialog.use.isEnabled)
    assert shown_n(dialog) == f"N = {OLD_PERSONS}"
    QTest.mouseClick(dialog.use, LEFT)
    assert value(counted, "records") == OLD_PERSONS


def test_that_a_file_that_changed_or_vanished_since_is_said_to_have(counted, qtbot, people):
    for change, said in ((lambda: people.write_text(PEOPLE + "9999,70,f\n"), "it has changed"),
                         (people.unlink, "not where it was")):
        change()
        counted.desk.open_data(origin=counted.document.origin)
        dialog = counted.window().findChildren(DataDialog)[-1]
        qtbot.waitUntil(lambda dialog=dialog, said=said: said in dialog.status.text())
        dialog.reject()


def test_that_the_next_start_remembers_how_to_count_and_not_the_count(qtbot, people):
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    dialog = reading(bench, qtbot, people)
    old(dialog, qtbot)
    dialog.use.click()
    closed(window)
    assert str(OLD) not in written(data_folder() / LAST)
    window = opened(qtbot)
    assert "leaves exact counts out" in window.notice.label.text()
    assert window.findChild(Workbench).document.origin.where == "age ≥ 65"
    closed(window)


def written(path):
    """What a file says, without its digests: they may have any few digits."""
    return re.sub("[0-9a-f]{40,}", "", path.read_text())


def aim(dialog, title):
    dialog.target.setFocus()
    while dialog.target.currentText() != title:
        QTest.keyClick(dialog.target, Qt.Key.Key_Down)


def test_that_people_and_their_share_arrive_in_the_posterior(dialog, bench, qtbot):
    old(dialog, qtbot, "person")
    aim(dialog, "Posterior")
    QTest.mouseClick(dialog.use, LEFT)
    assert (value(bench, "people"), value(bench, "fraction")) == (1500, OLD_PERSONS / 1500)
    assert value(bench, "release") == "drawn"
    assert bench.document.origin.counts == ("people", "fraction")
    answered(qtbot, bench)
    noise = bench.answers.latest[0].fact(v.NOISE_DRAWN).value
    assert noise != 0, "nobody but the analyst sees the exact count"
    type_entry(bench, "epsilon", "0.2")
    answered(qtbot, bench)
    assert bench.answers.latest[0].fact(v.NOISE_DRAWN).value == pytest.approx(noise / 2)
    assert bench.document.origin is not None


def test_that_both_arms_arrive_in_the_policy(dialog, bench, qtbot):
    old(dialog, qtbot)
    aim(dialog, "Policy")
    assert not dialog.use.isEnabled()
    QTest.keyClicks(dialog.action, "sex")
    qtbot.waitUntil(lambda: "must follow it" in dialog.found.told.text())
    QTest.keyClicks(dialog.action, " = 'f'")
    qtbot.waitUntil(dialog.use.isEnabled)
    QTest.mouseClick(dialog.use, LEFT)
    treated = [i % 90 >= 65 for i in range(3000) if i % 3 == 0]
    assert (value(bench, "people"), value(bench, "people_treated")) == (2000, 1000)
    assert (value(bench, "sick_treated"), value(bench, "treated")) == (sum(treated), sum(treated) / 1000)
    assert value(bench, "symptoms") == 1
    assert bench.document.origin.action == "sex = 'f'"


def test_that_two_symptoms_arrive_and_a_session_counts_both_again(dialog, bench, qtbot, questions, tmp_path):
    old(dialog, qtbot, "person")
    aim(dialog, "Policy")
    QTest.keyClicks(dialog.action, "sex = 'f'")
    QTest.keyClicks(dialog.milder, "age >= 40")
    qtbot.waitUntil(dialog.use.isEnabled)
    assert "the milder symptom" in dialog.found.told.text()
    assert not dialog.found.picture.isHidden()
    QTest.keyClick(dialog.bounded, Qt.Key.Key_Space)
    qtbot.waitUntil(dialog.use.isEnabled)
    assert "ε = 0.4 for a person" in dialog.found.told.text(), "two rows of two symptoms"
    QTest.mouseClick(dialog.use, LEFT)
    mild = sum(i % 90 >= 40 for i in range(3000) if i % 3 > 0)
    assert (value(bench, "symptoms"), value(bench, "mild_sick_untreated")) == (2, mild)
    answered(qtbot, bench)
    verdict_says(bench, qtbot, "ε = 0.2 for a record is ε = 0.4 for a person")
    verdict_says(bench, qtbot, "one record is meant")
    saved(bench, tmp_path / "mine.dpstudio")
    assert str(mild) not in written(tmp_path / "mine.dpstudio")
    bench.document.do("Reset all", Session.apply, {})
    questions.expect("Discard")
    open_file(qtbot, bench, tmp_path / "mine.dpstudio")
    QTest.mouseClick(bench.window_.notice.button, LEFT)
    again = bench.window().findChildren(DataDialog)[-1]
    qtbot.waitUntil(again.use.isEnabled)
    QTest.mouseClick(again.use, LEFT)
    assert value(bench, "mild_sick_untreated") == mild


def test_that_the_rows_of_each_person_are_drawn_where_somebody_has_several(alone, qtbot):
    old(alone, qtbot)
    picture = alone.found.picture
    assert picture.isHidden(), "nobody is named"
    choose(alone.person, "person")
    qtbot.waitUntil(lambda: not picture.isHidden())
    assert [(each.label, each.wide) for each in picture.bars] == [("1", 0), ("2", 1500)]
    assert [each.narrow for each in picture.bars] == [2 * OLD_PERSONS - OLD, OLD - OLD_PERSONS]
    assert picture.line == 1
    assert picture.accessibleDescription().endswith("persons have 2 rows")
    assert not picture.grab().isNull()
    choose(alone.person, "no column")
    qtbot.waitUntil(alone.use.isEnabled)
    assert picture.isHidden()


def test_that_the_error_under_each_bound_is_shown_where_one_is_chosen_at_the_epsilon_of_the_study(alone, qtbot):
    alone._document.set("epsilon", 0.01)
    old(alone, qtbot)
    picture = alone.found.bounds
    assert picture.isHidden(), "nobody is named"
    choose(alone.person, "person")
    qtbot.waitUntil(lambda: not picture.isHidden())
    lost = OLD - OLD_PERSONS
    noise = [math.sqrt(2) * b / 0.01 for b in (1, 2)]
    errors = [math.hypot(lost, noise[0]), noise[1]]
    assert [(each.label, each.narrow) for each in picture.bars] == [("1", lost), ("2", 0)]
    assert [each.wide for each in picture.bars] == pytest.approx(errors)
    assert [each.bold for each in picture.bars] == [error == min(errors) for error in errors]
    assert "ε = 0.01" in picture.toolTip()
    assert "read from the data: to choose by it is a release" in alone.found.told.text()
    assert not picture.grab().isNull()
    aim(alone, "Policy")
    assert picture.isHidden(), "a cohort has no such choice"


def test_that_return_counts_at_once_in_a_comparison_as_in_an_expression_and_takes_nothing(alone, qtbot):
    taken = []
    alone.used.connect(lambda *given: taken.append(given))
    old(alone, qtbot)
    for way in ("comparisons", "expression"):
        alone.builder.way._buttons[way].click()
        row = alone.builder.clauses[0]
        for entry in (row.value, row.column, row.comparison) if way == "comparisons" else (alone.builder.expression,):
            if entry is row.value:
                QTest.keyClick(entry, Qt.Key.Key_Backspace)
            entry.setFocus()
            QTest.keyClick(entry, Qt.Key.Key_Return)
            assert alone.isVisible()
            assert not alone._pause.isActive()
        qtbot.waitUntil(alone.use.isEnabled)
    assert not taken


def test_that_the_beginning_of_one_column_is_that_column_also_where_the_count_is_taken_meanwhile(alone, qtbot):
    taken = []
    alone.used.connect(lambda *given: taken.append(given))
    old(alone, qtbot)
    line = alone.person.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "PER")
    alone.use.click()  # as its own key does, which leaves the keyboard where it is
    assert alone.person.currentText() == "person"
    assert not taken, "rows are counted no more, and persons not yet"
    qtbot.waitUntil(alone.use.isEnabled)
    alone.use.click()
    assert taken[0][2].person == "person"


def test_that_tab_goes_on_from_a_comparison_to_what_stands_below_and_return_presses_the_button_it_reaches(
        alone, qtbot):
    taken = []
    alone.used.connect(lambda *given: taken.append(given))
    old(alone, qtbot)
    alone.builder.add_clause()
    qtbot.waitUntil(alone.builder.clauses[1].isVisible)
    met = []
    alone.builder.clauses[0].column.setFocus()
    for _ in range(30):
        met.append(alone.focusWidget())
        QTest.keyClick(alone.focusWidget(), Qt.Key.Key_Tab)
    first, second = (each.parts for each in alone.builder.clauses)
    cancel = alone.buttons.button(QDialogButtonBox.StandardButton.Cancel)
    stops = [*first, *second, alone.builder.add, alone.person, cancel]
    places = [met.index(stop) for stop in stops]
    assert places == sorted(places)
    assert places[:9] == [*range(9)]
    cancel.setFocus()
    with qtbot.waitSignal(alone.rejected):
        QTest.keyClick(cancel, Qt.Key.Key_Return)
    assert not taken


def test_that_a_refusal_names_what_stands_on_the_screen(alone, qtbot):
    alone.builder.way._buttons["expression"].click()
    QTest.keyClicks(alone.builder.expression, "agee >= 65")
    assert alone.builder.problem.text().startswith("“Which records qualify” must be a condition on the columns, got ")
    alone.builder.expression.selectAll()
    QTest.keyClicks(alone.builder.expression, "age >= 65")
    aim(alone, "Policy")
    QTest.keyClicks(alone.action, "sexx = 'f'")
    qtbot.waitUntil(lambda: alone.found.told.text().startswith("“Who was treated” must be a condition"))


def test_that_a_column_is_typed_in_the_place_of_the_one_that_stands_there_after_a_click(alone, qtbot):
    line = alone.person.lineEdit()
    assert line.text() == "no column"
    alone.activateWindow()
    qtbot.waitUntil(alone.isActiveWindow)
    QTest.mouseClick(line, LEFT, pos=line.rect().center())
    qtbot.waitUntil(lambda: line.selectedText() == "no column")
    QTest.keyClicks(line, "person")
    assert line.text() == "person"
