"""Sessions of every kind are opened beside the window, and exact counts stay where a person put them."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from window_kit import LEFT, answered, closed, open_file, opened, type_entry, value

from dpstudio.data.origin import Origin
from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.gui.session.recovery import LAST
from dpstudio.gui.shell import worker
from dpstudio.gui.shell.settings import data_folder
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise

ORIGIN = Origin("people.csv", "ab" * 32, "age >= 65", "person", 1, exact=True)
EXACT = 7_654_321


@pytest.fixture
def exact(bench, qtbot, tmp_path):
    """A session that holds an exact count is open, and exact counts are not to leave."""
    path = tmp_path / "exact.dpstudio"
    session_file.save(path, Session.of(Decision, {"records": EXACT, "epsilon": 0.5}, ORIGIN))
    open_file(qtbot, bench, path)
    answered(qtbot, bench)
    assert value(bench, "records") == EXACT
    return path


def test_that_a_default_is_never_said_to_be_an_exact_count(bench, exact, qtbot, tmp_path):
    update, study = bench.answers.latest

    def written():
        for ending in ("json", "csv"):
            bench.files.write_data(tmp_path / f"a.{ending}", study, update)
        qtbot.waitUntil(lambda: not bench.files.exporting)
        return [(tmp_path / f"a.{ending}").read_text() for ending in ("json", "csv")]

    for text in written():
        assert "exact and sensitive" not in text
        assert "left out as sensitive" in text
        assert str(EXACT) not in text
    bench.files.set_exact_counts(True)
    for text in written():
        assert "exact and sensitive" in text
        assert str(EXACT) in text


def test_that_saving_a_session_of_exact_counts_asks_before_it_drops_them(bench, exact, questions):
    bench.document.set("epsilon", 0.75)
    answers = ("Cancel", EXACT), ("Keep exact counts", EXACT), ("Leave them out", None)
    for asked, (answer, kept) in enumerate(answers, 1):
        questions.expect(answer)
        assert bench.files.save() == (answer != "Cancel")
        assert "exact.dpstudio holds exact counts of data" in questions.asked[-1]
        found = session_file.load(exact)
        assert found.explicit.get("records") == kept
        assert found.explicit["epsilon"] == (0.5 if answer == "Cancel" else 0.75)
        assert len(questions.asked) == asked
    assert "exact counts of data are left out" in bench.status.message
    assert bench.files.save(), "asked once: there is nothing to drop any more"
    assert len(questions.asked) == 3


def test_that_with_exact_counts_included_saving_asks_nothing_says_that_they_are_and_asks_once_they_are_to_stay_out(
        bench, exact, questions):
    bench.files.set_exact_counts(True)
    assert bench.files.save()
    assert session_file.load(exact).explicit["records"] == EXACT
    assert "with exact counts of data, which are sensitive" in bench.status.message
    bench.files.set_exact_counts(False)
    questions.expect("Cancel")
    assert not bench.files.save()
    assert "exact.dpstudio holds exact counts of data" in questions.asked[0]
    assert session_file.load(exact).explicit["records"] == EXACT


def test_that_a_count_which_the_window_forgot_is_not_dropped_from_its_file_unasked(bench, qtbot, exact, questions):
    bench.files.keep()
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert value(bench, "records") == 1020, "the next start leaves it out"
    questions.expect("Cancel")
    assert not bench.files.save()
    assert "the window has none any more" in questions.asked[0]
    assert session_file.load(exact).explicit["records"] == EXACT
    closed(window)


def test_that_what_is_kept_of_counts_are_none_and_a_new_file_gets_none_unasked(bench, exact, monkeypatch, tmp_path):
    bench.desk.open_study("noise")
    bench.files.keep()
    text = (data_folder() / LAST).read_text()
    assert str(EXACT) not in text
    kept = json.loads(text)
    assert (kept["session"]["study"], sorted(kept["session"]["studies"])) == ("noise", ["decision", "noise"])
    assert kept["place"]["exact"] is True
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "new.dpstudio"), ""))
    assert bench.files.save_as()
    assert str(EXACT) not in (tmp_path / "new.dpstudio").read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_that_only_ordinary_files_are_opened(bench, qtbot, tmp_path):
    import socket

    made, target, other = socket.socket(socket.AF_UNIX), tmp_path / "target", tmp_path / "other"
    os.mkfifo(target)
    odd = {"pipe": os.mkfifo, "link to a pipe": lambda path: path.symlink_to(target),
           "link to a device": lambda path: path.symlink_to("/dev/zero"), "folder": Path.mkdir,
           "ring of links": lambda path: (path.symlink_to(other), other.symlink_to(path)), "missing": Path.exists,
           "socket": lambda path: made.bind(str(path))}
    for kind, make in odd.items():
        path = tmp_path / f"{kind}.dpstudio"
        make(path)
        with qtbot.waitSignal(bench.files.refused) as refusal:
            bench.files.open_path(str(path))
        assert refusal.args[0].startswith(f"{kind}.dpstudio: ")
        assert "\n" not in refusal.args[0]
        assert not bench.document.set_here, kind
        assert bench.files.path is None, kind
    made.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_that_a_session_is_not_saved_into_a_pipe(bench, tmp_path):
    os.mkfifo(tmp_path / "odd.dpstudio")
    bench.files.path = tmp_path / "odd.dpstudio"
    assert not bench.files.save()
    assert "no ordinary file" in bench.window_.notice.label.text()


@pytest.fixture
def slow(monkeypatch):
    """Reading waits until it is let go."""
    gate, load = threading.Event(), session_file.open_file
    monkeypatch.setattr(session_file, "open_file", lambda path: (gate.wait(20), load(path))[1])
    monkeypatch.setattr(worker, "PATIENCE", 20)
    yield gate
    gate.set()


def test_that_slow_reading_is_said_and_the_window_stays_alive(bench, qtbot, slow, tmp_path):
    session_file.save(tmp_path / "a.dpstudio", Session.of(Decision, {"epsilon": 7}))
    bench.files.open_path(str(tmp_path / "a.dpstudio"))
    notice = bench.window_.notice
    qtbot.waitUntil(notice.isVisible)
    assert notice.label.text() == "Reading a.dpstudio…"
    type_entry(bench, "minimum", "5000")
    answered(qtbot, bench)
    bench.document.undo()
    with qtbot.waitSignal(bench.files.opened):
        slow.set()
    assert value(bench, "epsilon") == 7
    assert not notice.isVisible()


def test_that_slow_reading_can_be_cancelled_and_changes_nothing(bench, qtbot, slow, tmp_path):
    session_file.save(tmp_path / "a.dpstudio", Session.of(Decision, {"epsilon": 7}))
    session_file.save(tmp_path / "b.dpstudio", Session.of(Noise, {"epsilon": 3}))
    bench.files.open_path(str(tmp_path / "a.dpstudio"))
    qtbot.waitUntil(bench.window_.notice.isVisible)
    QTest.mouseClick(bench.window_.notice.button, LEFT)
    assert not bench.window_.notice.isVisible()
    slow.set()
    open_file(qtbot, bench, tmp_path / "b.dpstudio")
    assert bench.document.study_class is Noise
    bench.desk.open_study("decision")
    assert not bench.document.set_here


def test_that_the_window_closes_while_a_session_is_being_read(bench, qtbot, slow, tmp_path):
    session_file.save(tmp_path / "a.dpstudio", Session.of(Decision, {"epsilon": 7}))
    bench.files.open_path(str(tmp_path / "a.dpstudio"))
    assert bench.window_.close(), "nobody waits for the disk"


@pytest.fixture
def left_out(bench, qtbot, tmp_path):
    """A session that leaves its count out is open, and the window offers to count again."""
    path = tmp_path / "left-out.dpstudio"
    session_file.save(path, Session.of(Decision, {"epsilon": 0.5}, replace(ORIGIN, exact=False)))
    open_file(qtbot, bench, path)
    assert "leaves exact counts out" in bench.window_.notice.label.text()
    return bench


def test_that_the_offer_to_count_again_goes_with_its_study_and_another_notice_stays(left_out):
    tag = left_out.page.parameters.control("records").tag
    assert tag.text() == "left out: counted in people.csv"
    assert not tag.own.isEnabled()
    left_out.desk.open_study("noise")
    assert not left_out.window_.notice.isVisible()
    left_out.desk.open_study("decision")
    assert not left_out.page.parameters.control("records").tag.isHidden(), "the tag offers it still"
    left_out.window_.report("Something else")
    left_out.desk.open_study("noise")
    assert left_out.window_.notice.isVisible()


def test_that_the_offer_to_count_again_goes_when_another_number_takes_its_place(left_out):
    type_entry(left_out, "records", "1500")
    assert not left_out.window_.notice.isVisible()
    assert left_out.page.parameters.control("records").tag.isHidden()
    assert left_out.document.origin is None
