"""The page of measures tells every measure and promise, with its unit, and marks what is missed."""

from __future__ import annotations

import importlib.util
import json
import re
import socket
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "tests" / "benchmarks"
PAGE = ROOT / "docs" / "measures.md"


@pytest.fixture(scope="module")
def measures():
    """The program that writes the page, as a module."""
    before = list(sys.path)
    spec = importlib.util.spec_from_file_location("measures", ROOT / "packaging" / "measures.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["measures"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    yield module
    del sys.modules["measures"]
    sys.path[:] = before


@pytest.fixture
def rows(measures):
    """Two measures that keep their bounds, one that misses its own, one without."""
    return [measures.Row("test_window", "window on screen against nothing", 1.25, "1.3 ×"),
            measures.Row("test_single", "a belief of one series, in ms", 0.25, "0.2 ms", "", [0.2, 0.25, 0.3]),
            measures.Row("test_single", "ε at δ of one series, in ms", 0.1, "0.2 ms"),
            measures.Row("test_data", "what is only told", 7.0, "—", "a | b")]


def cells(line):
    return [each.strip() for each in line.strip().removeprefix("|").removesuffix("|").split(" | ")]


def tables(text):
    """The cells of all lines of tables of measures, promises left out."""
    return [cells(line) for line in text.split("## Every measure")[1].splitlines()
            if line.startswith("| ") and not line.startswith("| what |")]


@pytest.mark.parametrize(("bound", "most"), [
    ("1.3 ×", 1.3), ("1/50", 0.02), ("20 MiB", 20), ("0.2 ms", 0.2), ("1e-12", 1e-12), ("0", 0), ("—", None),
    ("about 1", None), ("level", None)])
def test_that_a_bound_is_the_number_it_begins_with(measures, bound, most):
    assert measures.limit(bound) == most


def test_that_every_measure_has_a_line_and_one_that_misses_its_bound_says_so(measures, rows):
    text = measures.page(rows, "a machine", {"opendp": "1"})
    assert {line[0]: line[3] for line in tables(text)} == {
        "window on screen against nothing": "kept", "a belief of one series, in ms": "**missed**",
        "ε at δ of one series, in ms": "kept", "what is only told": "—"}
    assert "Of 3 bounds 2 are kept and 1 missed." in text
    assert "0.25 (0.2–0.3)" in text
    assert all(len(line) == 7 for line in tables(text))


def test_that_a_promise_is_kept_where_all_its_measures_are_and_not_measured_without_any(measures, rows):
    judged = {cells(line)[0]: cells(line) for line in measures.promised(rows)}
    assert judged["window on screen"][2:] == ["1", "kept", "window on screen against nothing", "1.25", "1.3 ×"]
    assert judged["ε at δ, an attacker’s success, a belief, of one series"][2:5] == [
        "2", "**missed**", "a belief of one series, in ms"]
    assert judged["plots live"][3] == "**not measured**"


def test_that_a_measure_of_nan_is_missed(measures):
    assert measures.kept(measures.Row("test_data", "nothing", float("nan"), "2 ×")) is False


def test_that_what_was_handed_over_is_read_again(measures, rows, tmp_path):
    file = tmp_path / "rows"
    assert measures.read(file) == []
    file.write_text("".join(json.dumps(vars(row)) + "\n" for row in rows), "utf-8")
    assert measures.read(file) == rows


def test_that_what_did_not_come_to_its_end_is_named(measures, rows):
    assert "Did not come to their end: test_window." in measures.page(rows, "", {}, ["test_window"])
    assert "Did not come" not in measures.page(rows, "", {})


def test_that_each_file_says_how_fast_the_machine_was_before_and_after_it(measures, rows):
    text = measures.page(rows, "", {}, paces={"test_window": (50.4, 97.0)})
    window, single = (text.split(f"### {title}\n")[1].split("###")[0] for title in ("Window", "Single"))
    assert "50 ms before, 97 ms after" in window
    assert " before, " not in single
    assert measures.pace() > 0


@pytest.mark.parametrize("status", [0, 1])
def test_that_the_whole_page_has_the_time_of_the_suite_and_says_where_a_test_failed(
        measures, status, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(measures.subprocess, "run", lambda command, **_: ran.append(command) or
                        measures.subprocess.CompletedProcess(command, status if "--dist=worksteal" in command else 0))
    monkeypatch.setattr(measures, "PAGE", tmp_path / "measures.md")
    monkeypatch.setattr(measures, "pace", lambda: 50.0)
    assert measures.main([]) == status
    text = (tmp_path / "measures.md").read_text("utf-8")
    assert "--dist=worksteal" in ran[-1]
    assert len(ran) == len(list(BENCHMARKS.glob("test_*.py"))) + 1
    assert "| the whole suite of tests, two workers, in minutes | " in text
    assert ("Did not come to their end: the suite of tests." in text) is bool(status)


def test_that_the_machine_is_told_without_its_name(measures):
    assert "cores" in measures.machine()
    assert socket.gethostname() not in measures.machine()


def test_that_every_library_it_is_measured_against_is_installed_with_the_extra():
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = " ".join([*extra["optional-dependencies"]["benchmark"], *extra["dependencies"]])
    kit = (BENCHMARKS / "peers_kit.py").read_text("utf-8")
    peers = re.findall(r'"([\w-]+)"', re.search(r"PEERS = \((.*)\)", kit)[1])
    assert len(peers) > 3
    assert [name for name in peers if name not in wanted] == []


def test_that_the_page_has_every_file_of_measures_and_every_promise(measures):
    text = PAGE.read_text("utf-8")
    for file in BENCHMARKS.glob("test_*.py"):
        title = file.stem.removeprefix("test_").replace("_", " ").capitalize()
        assert f"\n### {title}\n" in text, file
    promised = text.split("## What is promised")[1].split("## Every")[0]
    for promise in measures.PROMISES:
        assert f"\n| {promise.what} | {promise.most} | " in promised


def test_that_the_page_says_kept_and_missed_by_its_own_figures(measures):
    text = PAGE.read_text("utf-8")
    bounded = [line for line in tables(text) if measures.limit(line[2]) is not None]
    assert bounded
    for what, figure, bound, judged, *_ in bounded:
        if float(figure) != pytest.approx(measures.limit(bound), rel=0.006):  # it is rounded to three digits
            assert judged == ("kept" if float(figure) <= measures.limit(bound) else "**missed**"), what
    missed = sum(line[3] == "**missed**" for line in bounded)
    assert f"Of {len(bounded)} bounds {len(bounded) - missed} are kept and {missed} missed." in text
