"""Setting in a process apart: what goes in and comes out, what ends it, and what it leaves here."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import threading
import time
from contextvars import copy_context
from pathlib import Path

import pytest

from dpstudio.core.slow import NotYet, awaited_by
from dpstudio.documents import typesetting
from dpstudio.documents.typesetting import typeset

pytest.importorskip("typst")
LONG = b"#for i in range(100000000) [x]"


def test_that_a_report_is_set_without_typst_among_the_modules_of_this_process():
    script = """
import sys
from dpstudio.documents.report import writing
from dpstudio.documents.session import Session
from dpstudio.studies.noise import Noise
for form in ("pdf", "html"):
    assert len(writing.made(form, Session.of(Noise, {"trials": 1000}))) > 10_000
assert "typst" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_that_warnings_come_with_what_is_made():
    made, told = typeset({"main.typ": b"#set text(font: \"No such\")\nx"}, format="pdf", timestamp=0)
    assert made.startswith(b"%PDF-")
    assert told == ["unknown font family: no such"]


def test_that_what_it_refuses_is_said():
    with pytest.raises(RuntimeError, match=r"typst refuses it: unknown variable: foo$"):
        typeset({"main.typ": b"#foo"}, format="pdf")


@pytest.mark.parametrize("path", ["/etc/passwd", "../main.typ", "nowhere"])
def test_that_nothing_is_read_but_the_files_that_are_given(path):
    with pytest.raises(RuntimeError, match="typst refuses it"):
        typeset({"main.typ": f'#read("{path}")'.encode()}, format="pdf")


def test_that_nothing_of_the_folder_where_it_begins_is_imported(monkeypatch, tmp_path):
    for name in ("typst", "pickle", "tempfile"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    assert typeset({"main.typ": b"x"}, format="pdf")[0].startswith(b"%PDF-")


def test_that_a_process_that_begins_slowly_is_told_all(monkeypatch):
    """More than a pipe holds, after some looks whether anybody still waits."""
    slow = f"import time; time.sleep(0.5); from {typesetting.__name__} import main; main()"
    monkeypatch.setattr(typesetting, "ARGUMENTS", ("-c", slow))
    made, _ = typeset({"main.typ": b'#read("long").len()', "long": bytes(b"x" * 2_000_000)}, format="html")
    assert b"2000000" in made


def test_that_a_process_that_is_ended_is_one_sentence(monkeypatch):
    def ended(process):
        process.kill()
        return process.communicate()

    monkeypatch.setattr(typesetting, "_heard", ended)
    with pytest.raises(RuntimeError, match="typst ended with status "):
        typeset({"main.typ": b"x"}, format="pdf")


def test_that_a_process_that_fails_says_its_last_line(monkeypatch):
    monkeypatch.setattr(typesetting, "ARGUMENTS", ("-c", "raise OSError('no room')"))
    with pytest.raises(RuntimeError, match="typst ended with status 1: OSError: no room"):
        typeset({"main.typ": b"x"}, format="pdf")


def test_that_it_is_left_with_its_process_where_nobody_waits_any_more(monkeypatch):
    begun, asked = [], []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *given, **named: begun.append(popen(*given, **named)) or begun[-1])

    def leave():
        asked.append(time.monotonic())
        raise NotYet

    def left():
        awaited_by(leave)
        with pytest.raises(NotYet):
            typeset({"main.typ": LONG}, format="pdf")

    copy_context().run(left)
    assert len(asked) == 1
    assert begun[0].returncode is not None


def test_that_several_threads_set_at_once_each_its_own():
    made = {}

    def one(number):
        made[number] = typeset({"main.typ": f"$x_{number}$".encode()}, format="html")[0].decode()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [f"<mn>{number}</mn>" in made[number] for number in range(4)] == [True] * 4


def test_that_the_packed_program_sets_where_it_is_asked_for_that(monkeypatch, capfdbinary):
    """The process is the program itself there: Python's own arguments are none of its own."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    command = typesetting._command()
    assert command == (sys.executable, *typesetting.ARGUMENTS)
    monkeypatch.setattr(sys, "argv", [*command])
    monkeypatch.setattr(typesetting, "main", lambda: os.write(1, b"set") and 0)
    with pytest.raises(SystemExit, match="0"):
        runpy.run_path(str(Path(__file__).parents[2] / "packaging/frozen/program.py"), run_name="__main__")
    assert capfdbinary.readouterr().out == b"set"
