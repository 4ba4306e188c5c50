"""A sweep in the window shows what it has so far, stays where it is left, and goes on, also after a crash."""

from __future__ import annotations

import math
import os
import stat
import time

import pytest
from language_kit import german
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from test_sweep_window import LEFT, MAP, asked, done, small, window  # noqa: F401 - fixtures

from dpstudio.core.results import not_yet
from dpstudio.core.sweep import Kept, Over, Plan, sweep
from dpstudio.core.sweep.cells import BYTES
from dpstudio.core.workers import Here
from dpstudio.data.origin import Origin
from dpstudio.data.secret import keyed
from dpstudio.documents.session import Session
from dpstudio.gui.sweep import keeping, running
from dpstudio.gui.sweep.last import recall, remember
from dpstudio.gui.sweep.pane import SweepPane
from dpstudio.studies import all_studies

ORIGIN = Origin("people.csv", "0" * 64, "age >= 65", None, 1, (), ("records",))
GRID = (("epsilon", "0.01", "1", 30), ("minimum", "500", "1500", 30))


class Slow(Here):
    """A cell at a time, with time to look."""

    moment = 0.0
    """Seconds that a cell takes besides."""

    def run(self, task, jobs):
        while (job := jobs.take(0.0, 1)) is not None:
            time.sleep(self.moment)
            yield job, task(job)


@pytest.fixture
def slow(monkeypatch):
    """Every cell takes a moment until the sweep was left once, and what there is is looked at often."""
    monkeypatch.setattr(Slow, "moment", 0.002)
    monkeypatch.setattr(running, "local", lambda *_, **__: Slow())
    monkeypatch.setattr(running, "Here", Slow)
    monkeypatch.setattr(running, "SEEN", 0.02)
    monkeypatch.setattr(running, "LONG", math.inf)


def left(pane, qtbot, cells=60) -> None:
    """Start, and cancel once so many cells are shown."""
    QTest.mouseClick(pane.start, LEFT)
    qtbot.waitUntil(lambda: pane.made is not None and pane.made.swept.done >= cells)
    QTest.mouseClick(pane.cancel, LEFT)
    qtbot.waitUntil(lambda: not pane.worker.busy)
    Slow.moment = 0.0


def looked(pane, qtbot, done_) -> None:
    qtbot.waitUntil(lambda: pane._done[0] == done_)


def files():
    return sorted(keeping.folder().glob("*")) if keeping.folder().exists() else []


def test_that_the_picture_grows_and_cancel_keeps_what_is_there_and_start_goes_on(window, qtbot, slow):  # noqa: F811
    asked(window, *GRID)
    seen = []
    grown, window._show_result = window._show_result, lambda result: (seen.append(result.swept.done), grown(result))
    left(window, qtbot)
    assert len(seen) > 2
    assert seen == sorted(seen)
    cells = window.made.swept.done
    assert 60 <= cells < 900
    assert window.size_label.text() == f"Cancelled: {cells} of 900 cells are done and stay."
    assert f"{cells} of 900 cells are computed so far, and the others are empty." in window.note.text()
    shown = window.view.canvas.scene_.parts[0].arrays[2]
    assert not_yet(shown).sum() == 900 - cells, "blank where nothing was computed"
    looked(window, qtbot, cells)
    assert window.start.text() == f"Continue: {cells} of 900 done"
    QTest.mouseClick(window.values, LEFT)
    from dpstudio.gui.pictures.outgoing import ValuesDialog

    values = window.findChild(ValuesDialog)
    assert values.model.rowCount() == cells
    values.close()
    so_far = f"{cells} of 900 cells are computed; the others are blank."
    assert window.drawn().caption.endswith(so_far), "a picture that leaves says so itself"
    seen.clear()
    done(window, qtbot)
    assert seen[0] >= cells, "what was done is there at once"
    assert window.made.swept.whole
    assert "so far" not in window.note.text()
    assert window.drawn() == window.view.current_figure()
    *_, alone = sweep(window.made.swept.plan, Here())
    assert window.made.swept.cells.packed() == alone.swept.cells.packed()
    asked(window, ("epsilon", "0.01", "1", 31))
    looked(window, qtbot, 0)
    assert window.start.text() == "Start", "another question"


def test_that_escape_leaves_first_what_runs_and_then_the_pane(window, qtbot, slow):  # noqa: F811
    asked(window, *GRID)
    QTest.mouseClick(window.start, LEFT)
    qtbot.waitUntil(lambda: window.made is not None)
    QTest.keyClick(window.form.ranges[0].entries[0], Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.worker.busy)
    assert window.isVisible()
    assert window.size_label.text().startswith("Cancelled: ")
    QTest.keyClick(window.form.ranges[0].entries[0], Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_that_return_takes_what_is_typed_then_begins_and_after_escape_goes_on(window, qtbot, slow):  # noqa: F811
    asked(window, *GRID)
    entry = window.form.ranges[1].entries[2]
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, "40")
    QTest.keyClick(entry, Qt.Key.Key_Return)
    assert entry.number == 40
    assert not window.worker.busy
    QTest.keyClick(entry, Qt.Key.Key_Return)
    assert window.worker.busy
    qtbot.waitUntil(lambda: window.made is not None and window.made.swept.done > 0)
    QTest.keyClick(window.form.ranges[0].parameter, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.worker.busy)
    Slow.moment = 0.0
    cells = window.made.swept.done
    looked(window, qtbot, cells)
    QTest.keyClick(window.start, Qt.Key.Key_Return)
    assert window.window().focusWidget() is window.cancel, "the keyboard stays with the sweep"
    qtbot.waitUntil(lambda: not window.worker.busy)
    assert (window.made.swept.done, window.made.swept.plan.total) == (1200, 1200)
    assert window.window().focusWidget() is window.start, "also once all is done"


def test_that_what_is_swept_already_is_not_offered_a_second_time(window):  # noqa: F811
    asked(window, *GRID)
    first, second = window.form.ranges
    assert second.parameter.findData("epsilon") == -1
    first.parameter.setCurrentIndex(first.parameter.findData("minimum"))
    assert second.chosen is None
    assert second.parameter.findData("minimum") == -1
    assert second.parameter.findData("epsilon") > 0


def test_that_after_a_restart_it_goes_on_from_the_file_which_is_the_owners_alone(small, window, qtbot, slow):  # noqa: F811
    asked(window, *GRID)
    left(window, qtbot)
    cells, plan = window.made.swept.done, window.made.swept.plan
    assert [path.name for path in files()] == [f"{plan.digest}.part"]
    if os.name == "posix":
        assert stat.S_IMODE(files()[0].stat().st_mode) == 0o600
        assert stat.S_IMODE(keeping.folder().stat().st_mode) == 0o700
    window.close()
    assert window.made is None
    bench, holder = small
    again = SweepPane(bench, holder)
    again.begin()
    looked(again, qtbot, cells)  # what was swept last is what is offered
    assert again.start.text() == f"Continue: {cells} of 900 done"
    counted = []
    again._show_result, show = lambda result: (counted.append(result.swept.done), show(result)), again._show_result
    done(again, qtbot)
    assert counted[0] >= cells
    assert again.made.swept.whole
    again.close_down()
    # The command line reads what the window kept, and the other way round.
    with Kept(files()[0], keyed(plan.digest).encode()) as kept:
        assert kept.done(plan.digest, plan.total, BYTES) == 900


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"over": ["epsilon=0.1"], "facts": []}',
                                  '{"over": ["nothing=1:2:3"], "facts": [["acceptance", "laplace"]]}',
                                  '{"over": ["epsilon=1:2:3"], "facts": [["nothing", null]]}'])
def test_that_what_cannot_be_swept_again_is_not_offered(small, qtbot, kept):  # noqa: F811
    bench, holder = small
    bench.settings.set_text("swept-decision", kept)
    pane = SweepPane(bench, holder)
    pane.begin()
    assert pane.form.over == ("epsilon=0.0001:10:100:log",)
    assert pane.start.isEnabled()
    pane.close_down()


def test_that_what_was_swept_with_a_count_of_data_is_not_remembered(small):  # noqa: F811
    bench, _ = small
    decision = all_studies()["decision"]
    plan = Plan(decision(), (Over("epsilon", (0.1, 0.2)),), (("acceptance", "laplace"),))
    for counted, told in ((False, ("epsilon=0.1:0.2:2",)), (True, None)):
        remember(bench.settings, running.Request(plan, 2, counted), ("epsilon=0.1:0.2:2",))
        found = recall(bench.settings, decision)
        assert (found and found.over) == told


def test_that_what_a_killed_program_kept_is_shown_and_gone_on_with_and_damage_is_said(window, qtbot):  # noqa: F811
    decision = all_studies()["decision"]
    asked(window, ("epsilon", "0.1", "1", 10))
    window.form.ranges[0].log.setChecked(False)
    plan = Plan(decision(), (Over("epsilon", tuple(i / 10 for i in range(1, 11))),), (("acceptance", "laplace"),),
                explicit=("records",))
    assert window._request().plan.digest == plan.digest
    *_, last = sweep(plan, Here())
    with keeping.kept_for(plan, counted=False) as kept:
        list(kept.opened(plan.digest, 10, BYTES))
        for i in (0, 1, 2):
            kept.add(2 * i, 2 * i + 2, b"".join(array[2 * i:2 * i + 2].astype(array.dtype).tobytes()
                                                for array in last.swept.cells.arrays))
    lines = files()[0].read_bytes().splitlines(keepends=True)
    files()[0].write_bytes(lines[0] + lines[1] + lines[2].replace(b" ", b"_", 1) + lines[3] + b"half a li")
    window._changed()
    looked(window, qtbot, 4)
    done(window, qtbot)
    assert window.made.swept.cells.packed() == last.swept.cells.packed()
    assert "1 kept line is damaged, or of another program; their cells are computed again." in window.note.text()
    window.close()
    window.begin()
    done(window, qtbot)
    assert "damaged" not in window.note.text()


@pytest.mark.parametrize("content", [b"precious", b"00000000 {}\n" * 50])
def test_that_a_file_of_anything_else_in_its_place_makes_way(window, qtbot, content):  # noqa: F811
    asked(window, *MAP)
    path = keeping.kept_for(window._request().plan, counted=False).path
    path.write_bytes(content)
    done(window, qtbot)
    assert window.made.swept.whole
    assert path.read_bytes() != content


def test_that_where_nothing_can_be_kept_or_another_window_keeps_it_the_sweep_is_computed_and_says_so(
        window, qtbot, monkeypatch):  # noqa: F811
    pytest.importorskip("fcntl")
    asked(window, *MAP)
    plan = window._request().plan
    with keeping.kept_for(plan, counted=False) as other:
        list(other.opened(plan.digest, plan.total, BYTES))
        done(window, qtbot)
    assert window.made.swept.whole
    assert running.ELSEWHERE in window.note.text()
    window.close()
    window.begin()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Kept, "add", full)
    done(window, qtbot)
    assert window.made.swept.whole
    assert "It is not kept on disk: no space left on device." in window.note.text()


def test_that_nothing_of_a_count_is_kept_unless_counts_may_leave_and_it_goes_once_they_may_not(
        window, qtbot, slow):  # noqa: F811
    bench = window._desk
    bench.document.do("Count", Session.take, {"records": 1234}, ORIGIN)
    asked(window, *GRID)
    left(window, qtbot)
    assert files() == []
    assert running.HELD in window.note.text()
    cells = window.made.swept.done
    looked(window, qtbot, cells)
    assert window.start.text() == f"Continue: {cells} of 900 done", "in this run it goes on all the same"
    bench.files.set_exact_counts(True)
    done(window, qtbot)
    path, = files()
    assert path.name.startswith(keeping.COUNTED)
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    bench.files.set_exact_counts(False)
    keeping.tidy(exact_counts=bench.files.exact_counts)
    assert files() == []


def test_that_the_workbench_removes_what_was_kept_of_counts_once_files_leave_them_out(bench):
    keeping.folder().mkdir(parents=True)
    for name in (f"{keeping.COUNTED}a.part", "b.part"):
        (keeping.folder() / name).write_bytes(b"x")
    bench.files.set_exact_counts(True)
    assert len(files()) == 2
    bench.files.set_exact_counts(False)
    assert [path.name for path in files()] == ["b.part"]


def test_that_what_is_old_many_or_large_goes_the_oldest_first(own_home, monkeypatch):
    keeping.folder().mkdir(parents=True)
    now = time.time()

    def made(name, days, size=10):
        path = keeping.folder() / name
        path.write_bytes(b"x" * size)
        os.utime(path, (now - days * 86_400,) * 2)
        return path

    made("old", keeping.DAYS + 1)
    made("young", keeping.DAYS - 1)
    but = made("asked", keeping.DAYS + 1)
    keeping.tidy(exact_counts=False, but=but)
    assert [path.name for path in files()] == ["asked", "young"]
    monkeypatch.setattr(keeping, "FILES", 3)
    for i in range(4):
        made(f"m{i}", i)
    keeping.tidy(exact_counts=True)
    assert [path.name for path in files()] == ["m0", "m1", "m2"]
    monkeypatch.setattr(keeping, "MOST_BYTES", 25)
    keeping.tidy(exact_counts=True)
    assert [path.name for path in files()] == ["m0", "m1"]


# What is offered

def offered(window, place=0):  # noqa: F811
    box = window.form.ranges[place].parameter
    return [box.itemData(i) for i in range(box.count()) if box.itemData(i)]


def test_that_only_what_changes_the_chosen_fact_can_be_swept_and_draws_only_beside_what_is_drawn(
        window, qtbot):  # noqa: F811
    window._document.turn(all_studies()["noise"])
    assert not {"seed", "trials"} & set(offered(window)), "nor before it is known what changes it"
    window._document.turn(all_studies()["decision"])
    asked(window, ("epsilon", "0.01", "1", 5), facts="band_width@laplace")
    qtbot.waitUntil(lambda: "records" not in offered(window))
    assert set(offered(window)) == {"epsilon", "uncertain"} | ({"target"} & set(offered(window)))
    assert not {"seed", "trials", "delta", "prior_width"} & set(offered(window))
    asked(window, facts="band_width@gaussian")
    qtbot.waitUntil(lambda: "delta" in offered(window))
    window.form.simulate.setChecked(True)
    asked(window, facts="accepted_fraction@laplace")
    qtbot.waitUntil(lambda: {"seed", "trials"} <= set(offered(window)))
    asked(window, facts="acceptance@laplace")
    qtbot.waitUntil(lambda: "seed" not in offered(window))
    assert "records" in offered(window)
    assert "records" in offered(window, 1)


@pytest.mark.parametrize("key", ["noise", "budget", "watch", "audit", "neighbours"])
def test_that_every_study_offers_something_for_what_is_ticked_first(window, qtbot, key):  # noqa: F811
    window._document.turn(all_studies()[key])
    qtbot.waitUntil(lambda: not window.form._worker.busy)
    assert window.form.facts.chosen
    assert offered(window)
    assert not window.form.wrong()


def test_that_what_is_ticked_comes_alone_and_the_first_ticked_first(window, qtbot):  # noqa: F811
    facts = window.form.facts
    assert facts.list.item(0).data(Qt.ItemDataRole.UserRole) in facts.chosen, "one is proposed"
    items = {item.data(Qt.ItemDataRole.UserRole): item for item in facts._items()}
    wanted = [("rejection", "laplace"), ("acceptance", "gaussian"), ("band_width", "laplace")]
    for place in wanted:
        items[place].setCheckState(Qt.CheckState.Checked)
    assert facts.chosen == tuple(wanted)
    items[wanted[0]].setCheckState(Qt.CheckState.Unchecked)
    items[wanted[0]].setCheckState(Qt.CheckState.Checked)
    assert facts.chosen == (*wanted[1:], wanted[0])
    for place, (name, low, high, count) in zip(window.form.ranges, MAP, strict=True):
        place.parameter.setCurrentIndex(place.parameter.findData(name))
        for entry, text in zip(place.entries, (low, high, str(count)), strict=True):
            entry.setText(text)
            QTest.keyClick(entry, Qt.Key.Key_Return)
    done(window, qtbot)
    assert window.made.swept.plan.facts == facts.chosen
    assert window.view.current_figure().key == "sweep-acceptance"


def test_that_a_picture_in_another_language_leaves_in_english(window, qtbot, slow):  # noqa: F811
    with german():
        asked(window, *GRID)
        left(window, qtbot)
        cells = window.made.swept.done
        assert f"{cells} von 900 Zellen sind bisher berechnet, und die anderen sind leer." in window.note.text()
        assert window.view.current_figure().caption.startswith("Über Privacy-Verlust ε")
        assert window.drawn().caption.startswith("Over privacy loss ε")
        assert window.drawn().caption.endswith(f"{cells} of 900 cells are computed; the others are blank.")
