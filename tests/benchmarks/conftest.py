"""Measures as ratios: both sides in one run, turn by turn, so that a slow machine slows both.

    python -m pytest tests/benchmarks

The table at the end gives, for each measure, the median ratio and what it should stay under; nothing passes or fails
by it.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import pyqtgraph  # noqa: F401 - whole, before the window reads a part of it: the floor is made of its own widgets
import pytest

RATIOS = pytest.StashKey[list[tuple[str, float, str, str]]]()


def pytest_configure(config):
    config.stash[RATIOS] = []
    sys.setswitchinterval(0.0005)  # as the program has it


@pytest.fixture
def report(request):
    """Add a row to the table: what, the figure, what it should stay under, a remark."""

    def add(what: str, figure: float, bound: str, remark: str = "") -> None:
        request.config.stash[RATIOS].append((what, figure, bound, remark))

    return add


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
        report(what, result, bound, remark)
        return result

    return measure


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[RATIOS]
    if not rows:
        return
    terminalreporter.section("ratios")
    for what, figure, bound, remark in rows:
        terminalreporter.write_line(f"{what:<62} {figure:>8.3g}   at most {bound:<8} {remark}")
