"""A batch by several workers: the bytes of one, in order, no further ahead than a window, and nothing lost with one."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cli import ended, run, start  # noqa: F401 - run is a fixture

from dpstudio.cli import batch
from dpstudio.cli.batch import LONGEST, _Lines
from dpstudio.documents.tables import fact_object
from dpstudio.studies import all_studies


def request(i):
    return json.dumps({"study": "mean", "set": {"epsilon": 1 + i / 100}}).encode() + b"\n"


MIXED = [b"nonsense\n", b"\n", b'{"study": "dice"}\n', b"x" * (2 * LONGEST) + b"\n", b'{"study": "mean", "set": 1}\n']


def test_that_two_workers_write_the_bytes_of_one(run, tmp_path):  # noqa: F811
    lines = [request(i) for i in range(60)]
    lines[7:7] = MIXED
    (tmp_path / "in").write_bytes(b"".join(lines)[:-1])
    for workers in (1, 2):
        assert run("compute", "--batch", tmp_path / "in", "--workers", workers, "--output", tmp_path / f"{workers}"
                   ) == (0, "", "")
    made = (tmp_path / "1").read_bytes()
    assert made == (tmp_path / "2").read_bytes()
    assert [b'{"error"' in line for line in made.splitlines()] == [line in MIXED for line in lines]


def test_that_two_workers_answer_before_the_next_request_is_sent():
    process = start("compute", "--batch", "-", "--workers", 2, stdin=subprocess.PIPE)
    for i in range(3):
        process.stdin.write(request(i).decode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["parameters"]["epsilon"] == 1 + i / 100
    assert ended(process) == (0, "", "")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="names the children of a process")
def test_that_a_batch_loses_nothing_with_a_worker(tmp_path):
    process = start("compute", "--batch", "-", "--workers", 2, stdin=subprocess.PIPE)
    process.stdin.write("".join(request(i).decode() for i in range(40)))
    process.stdin.flush()
    answers = [process.stdout.readline()]
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    workers = [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    os.kill(*workers, signal.SIGKILL)
    process.stdin.write("".join(request(i).decode() for i in range(40, 60)))
    process.stdin.close()
    with process:
        answers += process.stdout.read().splitlines()  # communicate() would leave out what readline has read ahead
        assert process.stderr.read() == ""
    assert process.returncode == 0
    assert [json.loads(line)["parameters"]["epsilon"] for line in answers] == [1 + i / 100 for i in range(60)]


def test_that_a_request_whose_every_process_ends_is_answered_by_an_error():
    lines = _Lines(io.BytesIO(b"a\nb\nc\n"))
    lines._pace = 1e-9
    block = lines.take(1, 1)
    assert block == (0, (b"a\n", b"b\n", b"c\n"))
    first, second = lines.halves(block)
    assert (first, second) == ((0, (b"a\n",)), (1, (b"b\n", b"c\n")))
    assert lines.halves(first) == ()
    assert list(json.loads(*lines.lost(first))) == ["error"]


def test_that_each_fact_of_an_answer_says_how_it_is_found():
    facts = json.loads(batch.answer(b'{"study": "noise"}', tables=False, simulate=False))["facts"]
    scale = next(fact for fact in facts if (fact["key"], fact["mechanism"]) == ("noise_scale", "laplace"))
    assert (scale["how"], scale["source"], scale["group"]) == ("b = Δ₁/ε", "Dwork et al. 2006", "the answer")


def facts_of(line, **options):
    made = json.loads(batch.answer(json.dumps(line).encode(), **{"tables": False, "simulate": False} | options))
    return made.get("error") or {(fact["key"], fact["mechanism"]): fact for fact in made["facts"]}


def test_that_a_request_gets_the_facts_that_it_names():
    everything = facts_of({"study": "mean"})
    for asked in (["times_sd"], ["times_sd@laplace"], ["group_error@laplace", "times_sd"], []):
        found = facts_of({"study": "mean", "facts": asked})
        assert found == {place: fact for place, fact in everything.items()
                         if place[0] in asked or f"{place[0]}@{place[1]}" in asked}
        assert list(dict.fromkeys(key for key, _ in found)) == [text.partition("@")[0] for text in asked]


@pytest.mark.parametrize(("asked", "says"), [
    ("band_width", "facts must be a list of KEY or \"KEY@SERIES\", got 'band_width'"),
    ([3], "facts must be a list of"),
    (["band_with"], "unknown fact 'band_with': decision has "),
    (["band_width@laplac"], "unknown series 'laplac': band_width is of "),
    (["delta_records@laplace"], "delta_records is of no series"),
    (["accepted_fraction@laplace"], "accepted_fraction is drawn: --simulate gives it"),
])
def test_that_facts_that_there_are_not_are_refused_in_one_sentence(asked, says):
    assert facts_of({"study": "decision", "facts": asked}).startswith(says)


def test_that_what_takes_longest_is_there_if_it_is_named_and_nothing_else_is_left_out():
    at = {"study": "decision", "set": {"epsilon": 0.2}}
    study = all_studies()["decision"](**at["set"])
    everything = {(fact.key, fact.series and fact.series.key): fact_object(fact) for fact in study.answer().facts()}
    found = facts_of(at)
    left_out = {"best_target", "best_threshold", "best_cost", "cost_saved", "sequence_epsilon", "staying_epsilon",
                "sequence_delta"}
    assert found == {place: fact for place, fact in everything.items() if place[0] not in left_out}
    for key in ("best_cost", "sequence_epsilon"):
        assert facts_of({**at, "facts": [f"{key}@cutoff"]}) == {(key, "cutoff"): everything[key, "cutoff"]}


def test_that_a_drawn_fact_can_be_asked_for_where_it_is_simulated():
    line = {"study": "decision", "set": {"trials": 1000}, "facts": ["accepted_fraction@laplace"]}
    assert facts_of(line, simulate=True)["accepted_fraction", "laplace"]["kind"] == "estimate"


def test_that_no_more_than_a_window_is_read_ahead(monkeypatch):
    monkeypatch.setattr(batch, "_WINDOW", 5)
    lines = _Lines(io.BytesIO(b"".join(request(i) for i in range(30))))
    lines._pace = 1e-9
    assert len(lines.take(1, 2)[1]) == 10
    assert lines.take(1, 2) is None
    lines.answered = 4
    assert [len(lines.take(1, 2)[1]), lines.take(1, 2)] == [4, None]
    lines.answered = 14
    assert lines.take(1, 3)[0] == 14


@given(st.lists(st.sampled_from([b"", b"a", b"bcd", b"x" * 9, b"y" * 10, b"z" * 11, b"w" * 40, b"\r"])), st.booleans(),
       st.integers(1, 12))
def test_that_lines_are_those_of_the_file_however_it_comes(contents, closed, size):
    class Slow(io.BytesIO):
        def read(self, _):
            return super().read(size)

    whole = b"\n".join(contents) + b"\n" * (closed and bool(contents))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "LONGEST", 10)
        lines = _Lines(Slow(whole))
        found = []
        while (block := lines.take(1, 1)) is not None:
            assert block[0] == len(found)
            found += block[1]
            lines.answered = len(found)
    expected = whole.split(b"\n") if not whole.endswith(b"\n") else whole.split(b"\n")[:-1]
    assert found == [None if len(line) > 10 else line + b"\n" for line in expected if whole]


def test_that_workers_of_a_batch_show_no_progress_of_their_own(monkeypatch, capsys):
    from dpstudio.cli import talk

    monkeypatch.setattr(talk, "PATIENCE", -1)
    monkeypatch.setattr(talk, "EVERY", -1)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    line = b'{"study": "decision", "set": {"trials": 100000}}\n'
    assert batch._answers((0, (line,)), tables=False, simulate=True, quiet=True)
    assert capsys.readouterr().err == ""
    assert batch._answers((0, (line,)), tables=False, simulate=True, quiet=False)
    assert "simulating" in capsys.readouterr().err
