"""How fast and how large the program is, as docs/measures.md shows it: `python packaging/measures.py`.

Every file of tests/benchmarks is run in a process of its own, and what it measures goes to the page: what is promised
first, then every measure; at last the whole suite of tests. Needs `pip install -e .[test,benchmark]`; takes half an
hour, and wants a machine that does nothing else. `python packaging/measures.py window sweep` takes some of the files
alone, and writes to the screen.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "tests" / "benchmarks"
PAGE = ROOT / "docs" / "measures.md"
sys.path.insert(0, str(BENCHMARKS))

from benchmarks_kit import Row, limit  # noqa: E402 - beside the benchmarks
from peers_kit import versions  # noqa: E402

LONGEST = 600
"""Seconds that one file may take: what it measured until then is kept."""
SHORTER = {"DPSTUDIO_WANTS": "10", "QT_QPA_PLATFORM": "offscreen"}
"""The environment of the runs: what is measured by very many repetitions has fewer of them."""
NOTHING = "—"


@dataclass(frozen=True)
class Promise:
    """What the program should keep, and the measures by which it is judged: all whose names match."""

    what: str
    most: str
    measures: str


PROMISES = (
    Promise("slider moved → new curves painted, 95th percentile", "a frame, or 1.2 × pyqtgraph alone",
            r"slider to painted (frame|people)"),
    Promise("a table of 10 000 cells dragged", "a frame and a half", r"slider to a painted table"),
    Promise("one exact fact of one series, asked alone", "2 × its mechanism’s own call",
            r"acceptance@\S+ alone"),
    Promise("ε at δ, an attacker’s success, a belief, of one series", "0.2 ms",
            r"(ε at δ|an attacker’s success|a belief) of one series"),
    Promise("first points of a frontier", "0.3 s", r"first points of the frontier"),
    Promise("10 000 cells of exact facts in a sweep", "1.3 × the cells’ own time, by the workers",
            r"10 000 cells (by .*at once|kept)"),
    Promise("a batch of 1 000 requests on two cores", "10 s", r"1 000 requests, 2 workers"),
    Promise("the whole test suite, two cores", "6 minutes", r"the whole suite of tests"),
    Promise("acceptance of 1 000 000 N", "4 × one `numpy.exp`", r"1 000 000 acceptance probabilities"),
    Promise("a survey of 10⁹ people", "as long as of 1 000", r"a survey of 10⁹ people"),
    Promise("a simulation is left", "10 ms", r"a simulation of"),
    Promise("window on screen", "1.3 × an empty PySide6 window", r"window on screen"),
    Promise("plots live", "1.5 × an empty pyqtgraph window", r"plots (live|of a study live)"),
    Promise("memory after 100 000 slider moves", "20 MiB more", r"memory after 100 000"),
    Promise("noise-aware posterior of 100 000 people", "5 ms", r"noise-aware posterior of 100 000 people"),
    Promise("the job of another library",
            "its own time, or the part of it that is named; its memory, or that of numpy and scipy.special alone",
            r".*against (dp-accounting|OpenDP|riskcal|python-dp|DuckDB)"),
)


def kept(row: Row) -> bool | None:
    """Whether a measure stays under its bound; None of one that has none."""
    most = limit(row.bound)
    return None if most is None else row.figure <= most


def of(promise: Promise, rows: Sequence[Row]) -> list[Row]:
    """The measures by which a promise is judged."""
    return [row for row in rows if re.match(promise.measures, row.what) and kept(row) is not None]


def _told(judged: bool | None) -> str:
    return {None: NOTHING, True: "kept", False: "**missed**"}[judged]


def _figure(value: float) -> str:
    return f"{value:.3g}"


def _spread(quartiles: Sequence[float]) -> str:
    """A median with its quartiles."""
    if not quartiles:
        return NOTHING
    low, middle, high = map(_figure, quartiles)
    return f"{middle} ({low}–{high})"


def _line(*cells: object) -> str:
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"


def promised(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each promise: whether all its measures keep it, and the one that is nearest to missing it."""
    yield "| promised | at most | measures | kept | worst of them | at | its bound |"
    yield "|---|---|---|---|---|---|---|"
    for promise in PROMISES:
        found = of(promise, rows)
        if not found:
            yield _line(promise.what, promise.most, 0, "**not measured**", NOTHING, NOTHING, NOTHING)
            continue
        worst = max(found, key=lambda row: row.figure / (limit(row.bound) or 1e-300))
        yield _line(promise.what, promise.most, len(found), _told(all(map(kept, found))), worst.what,
                    _figure(worst.figure), worst.bound)


def pace() -> float:
    """Milliseconds that the machine takes for one fixed calculation: it does not always have the same speed."""
    return 1e3 * min(timeit.repeat(lambda: sum(n * n for n in range(1_000_000)), number=1, repeat=5))


def measured(rows: Sequence[Row], paces: Mapping[str, tuple[float, float]]) -> Iterator[str]:
    """Every measure, by the file that takes it, with the pace of the machine before and after that."""
    for file in dict.fromkeys(row.file for row in rows):
        yield f"\n### {file.removeprefix('test_').replace('_', ' ').capitalize()}\n"
        if file in paces:
            before, after = paces[file]
            yield f"The fixed calculation: {before:.0f} ms before, {after:.0f} ms after.\n"
        yield "| what | figure | at most | kept | ms here | ms there | remark |"
        yield "|---|---|---|---|---|---|---|"
        for row in (each for each in rows if each.file == file):
            yield _line(row.what, _figure(row.figure), row.bound, _told(kept(row)), _spread(row.ours),
                        _spread(row.theirs), row.remark)


def machine() -> str:
    """What it was measured on, without its name."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30 if hasattr(os, "sysconf") else 0.0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    busy = f"; load {os.getloadavg()[0]:.1f} when it began" if hasattr(os, "getloadavg") else ""
    return (f"{platform.system()} on {platform.machine()}, {cores} cores, {memory:.0f} GiB of memory, Python "
            f"{platform.python_version()}, windows drawn without a screen{busy}")


def page(rows: Sequence[Row], where: str, peers: dict[str, str], unfinished: Sequence[str] = (),
         day: str = "", paces: Mapping[str, tuple[float, float]] | None = None) -> str:
    """The whole page."""
    bounded = [row for row in rows if kept(row) is not None]
    missed = [row.what for row in bounded if not kept(row)]
    lines = [
        "# Measures", "",
        "`python packaging/measures.py` writes this page. Each measure and what it is compared with run turn by turn",
        "in one process: read the ratios, which hold on other machines, before the times. A figure is a ratio of",
        "medians, unless its name says a unit; after a median stand its quartiles. A bound in milliseconds is of a",
        "machine that keeps its speed: one fixed calculation before and after each file tells whether it did.", "",
        f"Measured{f' on {day}' if day else ''}: {where}.", "",
        f"Beside it: {', '.join(f'{name} {found}' for name, found in peers.items())}.", "",
        f"Of {len(bounded)} bounds {len(bounded) - len(missed)} are kept and {len(missed)} missed.",
        *(f"\nDid not come to their end: {', '.join(unfinished)}." for _ in [0] if unfinished), "",
        "## What is promised", "", *promised(rows), "", "## Every measure", *measured(rows, paces or {}), ""]
    return "\n".join(lines)


def read(file: Path) -> list[Row]:
    """What was handed over so far."""
    return [Row(**json.loads(line)) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def run(file: Path, rows: Path) -> bool:
    """Run one file of benchmarks; whether it came to its end without an error."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", file, "--rows", rows]
    try:
        return subprocess.run(command, cwd=ROOT, env={**os.environ, **SHORTER}, timeout=LONGEST, check=False
                              ).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def suite() -> tuple[Row, bool]:
    """How long the whole suite of tests takes two workers, and whether all of them passed."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist=worksteal", "--hypothesis-profile=repeatable"]
    passed = subprocess.run(command, cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, check=False
                            ).returncode == 0
    return Row("suite", "the whole suite of tests, two workers, in minutes", (time.perf_counter() - start) / 60,
               "6 minutes"), passed


def main(names: Sequence[str]) -> int:
    """Run all files and the suite and write the page, or the files that are named, to the screen."""
    files = [BENCHMARKS / f"test_{name}.py" for name in names] or sorted(BENCHMARKS.glob("test_*.py"))
    where = machine()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows"
        unfinished, paces = [], {}
        for file in files:
            before = pace()
            if not run(file, rows):
                unfinished.append(file.stem)
            paces[file.stem] = before, pace()
        taken = read(rows)
        if not names:
            row, passed = suite()
            taken.append(row)
            unfinished += [] if passed else ["the suite of tests"]
        text = page(taken, where, versions(), unfinished, datetime.datetime.now(datetime.UTC).date().isoformat(), paces)
    if names:
        print(text)
    else:
        PAGE.write_text(text, "utf-8")
    return 1 if unfinished else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
