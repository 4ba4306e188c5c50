"""In the window a claim is held against outcomes of somebody's own mechanism, and nothing runs unasked."""

from __future__ import annotations

import sys

import pytest
from accessible_kit import faults
from window_kit import LEFT

from dpstudio.data.outcomes import read_pair
from dpstudio.documents.audited import sentences
from dpstudio.gui.data import own_audit
from dpstudio.gui.data.own_audit import COMMAND, EXHIBIT, FILES, LIBRARY, OwnAuditDialog
from dpstudio.gui.shell.theme import DARK, LIGHT
from dpstudio.models.auditing.exhibits import EXHIBITS
from dpstudio.models.auditing.own import audited


@pytest.fixture
def dialog(bench):
    bench.menus.actions["Audit your mechanism…"].trigger()
    found = bench.window().findChildren(OwnAuditDialog)[-1]
    yield found
    found.reject()


@pytest.fixture
def files(tmp_path):
    paths = tmp_path / "a.txt", tmp_path / "b.txt"
    for path, ones in zip(paths, (5, 9), strict=True):
        path.write_text("".join(f"{int(i % 10 < ones)}\n" for i in range(1000)))
    return paths


def ended(qtbot, dialog):
    qtbot.waitUntil(lambda: not dialog.worker.busy, timeout=60_000)
    return dialog.verdict.text()


def test_that_two_files_are_counted_as_on_the_command_line(dialog, qtbot, files):
    dialog.first.setText(str(files[0]))
    dialog.second.setText(str(files[1]))
    dialog.epsilon.setText("0.5")
    qtbot.mouseClick(dialog.audit, LEFT)
    verdict, *more = sentences(audited(read_pair(*files), 0.5, 0.0, 0.99))
    assert ended(qtbot, dialog) == verdict
    assert "is contradicted" in verdict
    assert dialog.found.text().split("\n\n") == more
    dialog.epsilon.setText("3")  # what was found is of another claim now
    assert not dialog.found.text()
    assert "contradicted:" not in dialog.verdict.text()


def test_that_what_is_wrong_is_said_there_and_marked(dialog, qtbot, files):
    qtbot.mouseClick(dialog.audit, LEFT)
    assert "A must be a file of outcomes" in dialog.verdict.text()
    assert dialog.first.property("refused")
    dialog.first.setText(str(files[0]))
    dialog.second.setText(str(files[0].parent / "none.txt"))
    qtbot.mouseClick(dialog.audit, LEFT)
    assert "no such file" in ended(qtbot, dialog)
    dialog.epsilon.setText("-2")
    qtbot.mouseClick(dialog.audit, LEFT)
    assert dialog.verdict.text().startswith("ε must be")
    assert dialog.epsilon.property("refused")


def test_that_a_command_runs_only_once_it_was_shown_and_agreed_to(dialog, qtbot, tmp_path, monkeypatch):
    asked = []
    answers = iter(("", "Run"))
    monkeypatch.setattr(own_audit, "ask", lambda _, question, told, *__: (asked.append(told), next(answers))[1])
    mark, code = tmp_path / "ran", tmp_path / "mine.py"
    code.write_text(f"import sys\nopen({str(mark)!r}, 'a').close()\n"
                    "for i in range(int(sys.argv[2])): print(i % 2 if sys.argv[1] == 'x' else 0)\n")
    dialog.way.setCurrentText(COMMAND)
    dialog.command.setText(f"{sys.executable} {code} {{data}} {{draws}}")
    for entry, text in ((dialog.first, "x"), (dialog.second, "y"), (dialog.draws, "100")):
        entry.setText(text)
    qtbot.mouseClick(dialog.audit, LEFT)
    assert not dialog.worker.busy
    assert not mark.exists()
    assert f"{code} x 100" in asked[0]
    assert f"{code} y 100" in asked[0]
    qtbot.mouseClick(dialog.audit, LEFT)
    assert ended(qtbot, dialog).startswith("ε = 1 is contradicted")
    assert mark.exists()


def test_that_every_exhibit_says_what_is_wrong_and_is_caught_if_anything_is(dialog, qtbot):
    dialog.way.setCurrentText(EXHIBIT)
    for place, one in enumerate(EXHIBITS.values()):
        dialog.exhibit.setCurrentIndex(place)
        assert one.source.reference in dialog.about.text()
        qtbot.mouseClick(dialog.audit, LEFT)
        assert ("is contradicted" in ended(qtbot, dialog)) == bool(one.wrong)


def test_that_a_run_that_takes_too_long_is_left_at_stop(dialog, qtbot, monkeypatch):
    monkeypatch.setattr(own_audit, "ask", lambda *_: "Run")
    dialog.way.setCurrentText(COMMAND)
    dialog.command.setText(f"{sys.executable} -c 'import time; time.sleep(600)' {{data}} {{draws}}")
    dialog.first.setText("x")
    dialog.second.setText("y")
    qtbot.mouseClick(dialog.audit, LEFT)
    assert not dialog.audit.isEnabled()
    qtbot.mouseClick(dialog.stop, LEFT)
    assert dialog.audit.isEnabled()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_each_way_shows_what_it_asks_and_fits(bench, qtbot, theme):
    bench.appearance.choose(theme.name)
    bench.desk.audit_own()
    dialog = bench.window().findChildren(OwnAuditDialog)[-1]
    shown = {FILES: "first second column", COMMAND: "first second command draws", EXHIBIT: "exhibit draws",
             LIBRARY: "first second library draws scale"}
    entries = ("first", "second", "column", "command", "library", "exhibit", "draws", "scale")
    for way, names in shown.items():
        dialog.way.setCurrentText(way)
        assert {name for name in entries if getattr(dialog, name).isVisibleTo(dialog)} == {*names.split()}, way
        assert dialog.sizeHint().width() <= 1280
        assert dialog.minimumSizeHint().height() <= 660
        assert not faults(dialog)
    dialog.reject()
