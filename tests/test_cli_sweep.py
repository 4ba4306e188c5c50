"""dpstudio sweep: the file in the end, what is refused before it begins, and what a stop in the middle costs."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import sys
import time

import numpy as np
import pytest
from test_cli import ended, refused, run, start  # noqa: F401 - run is a fixture

from dpstudio.core.study import fact
from dpstudio.core.sweep import Kept, Plan, read_over
from dpstudio.core.sweep.cells import BYTES
from dpstudio.data.secret import keyed
from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
TWO = ("sweep", "decision", "--over", "epsilon=0.05:2:3:log", "--over", "minimum=10,1000", "--facts",
       "band_width@laplace,acceptance@cutoff")
DRAWN = ("sweep", "decision", "--over", "seed=0:199:200", "--facts", "accepted_fraction@laplace,band_width@laplace",
         "--simulate", "--set", "trials=3e5")
LONG = (*DRAWN[:-1], "trials=3e8")
posix = pytest.mark.skipif(os.name != "posix", reason="signals are those of Unix")


def rows(text):
    """The header lines and the rows of a CSV file of ours."""
    lines = text.splitlines()
    return [line for line in lines if line[0] == "#"], list(csv.DictReader(line for line in lines if line[0] != "#"))


def test_that_a_sweep_is_a_table_with_a_row_for_each_cell(run):  # noqa: F811
    status, out, err = run(*TWO, "--set", "target=0.7")
    about, found = rows(out)
    assert (status, err) == (0, "")
    assert list(found[0]) == ["epsilon", "minimum", "band_width_laplace", "acceptance_cutoff"]
    assert [(each["epsilon"], each["minimum"]) for each in found[:3]] == [
        ("0.05", "10"), ("0.05", "1000"), ("0.3162277660168", "10")]
    for each in found:
        study = DECISION(target=0.7, epsilon=float(each["epsilon"]), minimum=int(each["minimum"]))
        assert float(each["band_width_laplace"]) == fact(study, "band_width", "laplace").value
        assert float(each["acceptance_cutoff"]) == fact(study, "acceptance", "cutoff").value
    for line in ("# study: decision", "# target: 0.7", "# over: minimum, 2 from 10 to 1000",
                 "# kind of band_width_laplace: exact", f"# relation: {DECISION.neighbours.sentence}"):
        assert line in about
    assert not any(line.startswith(("# epsilon:", "# prior_width:")) for line in about)  # which have many values


def test_that_all_formats_hold_the_same_and_run_again_do_nothing(run, tmp_path):  # noqa: F811
    duckdb = pytest.importorskip("duckdb")
    facts = ("sweep", "posterior", "--over", "noise=laplace,geometric", "--over", "people=10:30:3", "--facts",
             "coverage@aware,interval_low,mean_rmse", "--simulate", "--set", "trials=200")
    for ending in ("csv", "JSON", "parquet"):
        target = tmp_path / f"a.{ending}"
        assert run(*facts, "--output", target) == (0, "", "")
        before = target.stat().st_mtime_ns
        assert run(*facts, "--output", target) == (0, "", f"dpstudio: {target} has all of it already\n")
        assert target.stat().st_mtime_ns == before
    assert len(list(tmp_path.iterdir())) == 3
    about, found = rows((tmp_path / "a.csv").read_text("utf-8"))
    made = json.loads((tmp_path / "a.JSON").read_text("utf-8"), parse_constant=pytest.fail)
    table = duckdb.sql(f"SELECT * FROM '{tmp_path}/a.parquet'")
    assert list(found[0]) == list(made["table"]) == table.columns
    for name, column in zip(table.columns, zip(*table.fetchall(), strict=True), strict=True):
        assert list(map(str, column)) == [each[name] for each in found] == list(map(str, made["table"][name]))
    assert made["facts"][0] | {"label": ""} == {"key": "coverage", "label": "", "mechanism": "aware", "unit": "",
                                                "kind": "exact", "column": "coverage_aware"}
    assert "# kind of mean_rmse_aware: estimate" in about


def test_that_a_fact_without_a_series_is_of_all_that_have_it(run):  # noqa: F811
    out = run("sweep", "decision", "--over", "epsilon=1,2", "--facts", "band_width,prior_below")[1]
    assert list(rows(out)[1][0]) == ["epsilon", *(f"band_width_{each.key}" for each in DECISION.answers().series()),
                                     "prior_below"]


def test_that_a_file_stands_for_its_study_and_json_goes_to_standard_output(run, tmp_path):  # noqa: F811
    session_file.save(tmp_path / "a", Session.of(DECISION, {"epsilon": 0.3}))
    made = json.loads(run("sweep", tmp_path / "a", "--over", "minimum=5,50", "--facts", "band_width@laplace",
                          "--format", "json", "--output", "-")[1])
    assert made["parameters"]["epsilon"] == 0.3
    assert made["table"]["minimum"] == [5, 50]


@pytest.mark.parametrize(("options", "words"), [
    ((), ("--over is given once or twice",)), (("--over", "epsilno=1,2"), ("did you mean 'epsilon'?",)),
    (("--over", "epsilon=1:2"), ("over must be NAME=LOW:HIGH:COUNT", "got 'epsilon=1:2'")),
    (("--over", "epsilon=1,2", "--over", "epsilon=3,4"), ("two different parameters",)),
    (("--over", "epsilon=0.1:1e3:4"), ("epsilon must be in [1e-6, 20], got 1e3",)),
    (("--over", "epsilon=1,2", "--facts", "band"), ("unknown fact 'band'", "did you mean 'band_")),
    (("--over", "epsilon=1,2", "--facts", "mu@gaussan"), ("unknown series 'gaussan'", "did you mean 'gaussian'?")),
    (("--over", "epsilon=1,2", "--facts", "prior_below@laplace"), ("prior_below is of no series",)),
    (("--over", "epsilon=1,2", "--facts", "accepted_fraction@laplace"), ("unless they are to be simulated",)),
    (("--over", "epsilon=1,2", "--set", "epsilon=3"), ("epsilon is given by --set and by --over",)),
    (("--over", "epsilon=1,2", "--workers", "0"), ("workers must be an integer in [1, 1024], got 0",)),
    (("--over", "epsilon=1,2", "--workers", "two"), ("workers must be", "got 'two'")),
    (("--over", "epsilon=1,2", "--workers", "2", "--scheduler", "a:1"), ("give one of the two",)),
    (("--over", "epsilon=1,2", "--scheduler", "10.0.0.1"), ("scheduler must be an address with a port",)),
    (("--over", "epsilon=1,2", "--output", "a.xls"), ("ends in .csv, .json, .parquet",)),
    (("--over", "epsilon=1,2", "--format", "parquet"), ("--output FILE.parquet",)),
    (("--over", "epsilon=1,2", "--output", "."), ("output must be",)),
    (("--over", "epsilon=1:2:1e6", "--over", "minimum=1:1e9:1000000"),
     ("cells must be an integer in [1, 1e7], got 1000000000000", "would take one worker about", "years")),
    (("--over", "epsilon=1:2:1e400"), ("COUNT that is a whole number",))])
def test_that_what_cannot_be_swept_is_refused_in_one_line(run, options, words, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    given = () if "--facts" in options else ("--facts", "band_width@laplace")
    assert refused(run("sweep", "decision", *options, *given), *words)
    assert not list(tmp_path.iterdir())


def test_that_a_sweep_of_no_facts_is_refused(run):  # noqa: F811
    assert refused(run("sweep", "decision", "--over", "epsilon=1,2"), "--facts is missing")
    assert refused(run("sweep", "decision", "--over", "epsilon=1,2", "--facts", ""), "unknown fact ''")


def test_that_an_output_of_anything_else_is_refused_and_left(run, tmp_path):  # noqa: F811
    target = tmp_path / "a.csv"
    target.write_text("precious")
    assert refused(run(*TWO, "--output", target), "output must be a new file, or one of the same request")
    assert target.read_text() == "precious"
    target.unlink()
    assert run(*TWO, "--output", target)[0] == 0
    before = target.read_bytes()
    assert refused(run(*TWO, "--set", "target=0.7", "--output", target), "one of the same request")
    assert target.read_bytes() == before
    target.rename(tmp_path / "a.csv.part")
    assert refused(run(*TWO, "--output", target), "another request or another program")
    assert (tmp_path / "a.csv.part").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_that_an_empty_file_is_as_none_and_values_left_out_are_said(run, tmp_path):  # noqa: F811
    (tmp_path / "a.csv").touch()
    status, out, err = run("sweep", "decision", "--over", "minimum=1:3:5", "--facts", "band_width@laplace", "--output",
                           tmp_path / "a.csv")
    assert (status, out) == (0, "")
    assert err == "dpstudio: minimum: 2 of its values stood there already and were left out\n"
    assert len(rows((tmp_path / "a.csv").read_text())[1]) == 3


def kept_lines(part):
    return part.read_bytes().count(b"\n") - 1 if part.exists() else -1


def until(process, part, lines):
    """Let it run until so many lines are kept."""
    while kept_lines(part) < lines:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The file of a sweep that nothing stopped."""
    target = tmp_path_factory.mktemp("whole") / "a.csv"
    assert ended(start(*DRAWN, "--output", target)) == (0, "", "")
    return target.read_bytes()


@posix
def test_that_after_kills_it_goes_on_to_the_same_file_with_any_workers(tmp_path, whole):
    target, part = tmp_path / "a.csv", tmp_path / "a.csv.part"
    for lines, workers in ((1, 2), (3, 1)):
        process = start(*DRAWN, "--output", target, "--workers", workers)
        until(process, part, lines)
        process.kill()
        ended(process)
        assert not target.exists()
    kept = kept_lines(part)
    assert kept >= 3
    part.write_bytes(part.read_bytes() + b"0123abcd 7 9 half a li")
    assert ended(start(*DRAWN, "--output", target, "--workers", 2)) == (0, "", "")
    assert target.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [target]


@posix
def test_that_an_interruption_of_all_processes_ends_at_once_and_keeps_what_is_done(tmp_path):
    part = tmp_path / "a.csv.part"
    process = start(*LONG, "--output", tmp_path / "a.csv", "--workers", 2, start_new_session=True)
    until(process, part, 3)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    status, out, told = ended(process)
    assert (status, out) == (128 + signal.SIGINT, "")
    assert not told or re.fullmatch(r"dpstudio: 200 cells, which take one worker about .+\n", told), "on a slow machine"
    assert time.monotonic() - began < 5
    assert kept_lines(part) >= 3


def test_that_a_full_disk_is_one_line_and_what_was_kept_stays_good(tmp_path, whole):
    resource = pytest.importorskip("resource")
    target, part = tmp_path / "a.csv", tmp_path / "a.csv.part"

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    status, out, err = ended(start(*DRAWN, "--output", target, preexec_fn=limited))
    assert (status, out, err) == (1, "", f"dpstudio: cannot write {part}: File too large\n")
    kept = part.read_bytes()
    assert kept.endswith(b"\n")
    assert ended(start(*DRAWN, "--output", target)) == (0, "", "")
    assert target.read_bytes() == whole


def test_that_a_place_that_cannot_be_written_is_found_before_anything_is_computed(run, tmp_path):  # noqa: F811
    status, out, err = run(*DRAWN, "--output", tmp_path / "none" / "a.csv")
    assert (status, out, err) == (1, "", f"dpstudio: cannot write {tmp_path}/none/a.csv.part: "
                                  "No such file or directory\n")


def test_that_progress_with_the_time_left_is_shown_on_a_terminal(run, monkeypatch, capsys):  # noqa: F811
    from dpstudio.cli import talk
    from dpstudio.core.sweep import run as running

    monkeypatch.setattr(talk, "PATIENCE", -1)
    monkeypatch.setattr(talk, "EVERY", -1)
    monkeypatch.setattr(running, "TRUSTED", -1)
    assert run(*TWO)[2] == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    shown = run(*TWO)[2]
    assert "6 of 6 cells, 1 s left" in shown
    assert shown.endswith("\r\x1b[K")


def test_that_what_takes_long_is_said_before_it_begins(run, monkeypatch):  # noqa: F811
    from dpstudio.cli import sweeping

    monkeypatch.setattr(sweeping, "pace", lambda plan: 3600.0)
    assert run(*TWO)[2] == "dpstudio: 6 cells, which take one worker about 6 h\n"


@pytest.mark.parametrize(("seconds", "text"), [(0.1, "1 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"),
                                               (3 * 86400, "3 days"), (1e9, "32 years"), (1e12, "31,688 years")])
def test_that_a_time_is_said_in_a_unit_that_suits_it(seconds, text):
    from dpstudio.cli.sweeping import duration

    assert duration(seconds) == text


def test_that_a_file_of_another_run_is_told_from_one_that_is_gone_on_with(tmp_path, run):  # noqa: F811
    pytest.importorskip("fcntl")
    over = tuple(read_over(DECISION, text) for text in (TWO[3], TWO[5]))
    plan = Plan(DECISION(), over, (("band_width", "laplace"), ("acceptance", "cutoff")), explicit=())
    with Kept(tmp_path / "a.csv.part", keyed(plan.digest).encode()) as kept:
        list(kept.opened(plan.digest, plan.total, 2 * BYTES))
        assert refused(run(*TWO, "--output", tmp_path / "a.csv"), "being written by another run")
        kept.add(0, 1, np.full((3, 2), 7.0).tobytes() + b"\1\1")
    status, _, _ = run(*TWO, "--output", tmp_path / "a.csv")
    assert status == 0
    assert rows((tmp_path / "a.csv").read_text())[1][0]["band_width_laplace"] == "7.0"  # as it was kept
