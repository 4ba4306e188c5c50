"""Measures as ratios: both sides in one run, turn by turn, so that a slow machine slows both.

    python -m pytest tests/benchmarks [--rows FILE]

The table at the end gives, for each measure, the median and what it should stay under; nothing passes or fails by it.
With `--rows` each goes to a file as well, a line of JSON as soon as it is known: `packaging/measures.py` makes a page
of them.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

import pyqtgraph  # noqa: F401 - whole, before the window reads a part of it: the floor is made of its own widgets
import pytest
from benchmarks_kit import Row, limit

from dpstudio.core.turns import TURN

ROWS = pytest.StashKey[list[Row]]()


def pytest_addoption(parser):
    parser.addoption("--rows", metavar="FILE", help="measures go to the end of it, a line of JSON each")


def pytest_configure(config):
    config.stash[ROWS] = []
    sys.setswitchinterval(TURN)  # as the window has it


@pytest.fixture
def report(request):
    """Add a row to the table: what, the figure, what it should stay under, a remark."""

    def add(what: str, figure: float, bound: str, remark: str = "", ours: Sequence[float] = (),
            theirs: Sequence[float] = ()) -> None:
        row = Row(request.node.path.stem, what, float(figure), bound, remark, _quartiles(ours), _quartiles(theirs))
        request.config.stash[ROWS].append(row)
        if file := request.config.getoption("--rows"):
            with open(file, "a", encoding="utf-8") as lines:  # noqa: PTH123 - by its name
                lines.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")

    return add


def _quartiles(seconds: Sequence[float]) -> list[float]:
    """The lower one, the median, the upper one, in milliseconds."""
    return [1e3 * each for each in statistics.quantiles(seconds, n=4)] if len(seconds) > 1 else []


@pytest.fixture
def ratio(benchmark, report):
    """Measure a call against a reference, turn by turn, and report the ratio of the medians."""

    def measure(what: str, subject: Callable[[], object], reference: Callable[[], object], bound: str,
                rounds: int = 30) -> float:
        subject(), reference()
        ours, theirs = [], []
        for _ in range(rounds):
            for call, times in ((subject, ours), (reference, theirs)):
                start = time.perf_counter()
                call()
                times.append(time.perf_counter() - start)
        benchmark.pedantic(subject, rounds=5)
        result = statistics.median(ours) / statistics.median(theirs)
        benchmark.extra_info["ratio"] = result
        remark = f"{1e3 * statistics.median(ours):.3g} ms against {1e3 * statistics.median(theirs):.3g} ms"
        report(what, result, bound, remark, ours, theirs)
        return result

    return measure


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[ROWS]
    if not rows:
        return
    terminalreporter.section("ratios")
    for row in rows:
        most = limit(row.bound)
        missed = "   MISSED" if most is not None and not row.figure <= most else ""
        terminalreporter.write_line(f"{row.what:<62} {row.figure:>8.3g}   at most {row.bound:<8} {row.remark}{missed}")
