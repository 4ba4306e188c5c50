"""Kills a program while it writes, and looks at what it left: the old file or the new one, and never neither.

    python tests/kills.py saving 500 --seed 1

A child that is forked for each kill writes two states in turn, again and again, until it is killed after a random
delay. What a killed program leaves beside its file shows that it was killed in the middle of writing; the next write
must remove it. Prints one JSON object of counts.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dpstudio.core.study import answer
from dpstudio.documents import pictures, report, session_file
from dpstudio.documents.noted import Cover, PictureNote
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

WRITES = 3
"""Within the time of so many writes the child is killed."""


@dataclass(frozen=True)
class Case:
    """A file, and what writes one of two states to it."""

    path: Path
    write: Callable[[int], None]


def states() -> tuple[Session, Session]:
    """Two sessions with something of each kind in them, so large that writing takes its time."""
    found = []
    for text in ("one", "other"):
        session = Session.of(all_studies()["decision"], {"epsilon": 0.5 if text == "one" else 0.25}).pin()
        session = session.having(picture_notes=tuple([PictureNote("acceptance", text, (1000.0, 0.5))] * 30))
        session = session.having(cover=Cover(question=text, who=text), note=text * 2000)
        for i in range(20):
            session = session.keep(f"{text} {i}", text * 100, "2026-11-22T12:00")
        found.append(session.whole(all_studies().values()))
    return found[0], found[1]


def saving(folder: Path) -> Case:
    """The file of a session."""
    path, sessions = folder / "a.dpstudio", states()
    return Case(path, lambda i: session_file.save(path, sessions[i]))


def autosaving(folder: Path) -> Case:
    """What the next start begins with."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        os.environ[name] = str(folder)
    from dpstudio.gui.session import recovery
    from dpstudio.gui.shell.settings import data_folder

    left = [recovery.LeftSession(session, session) for session in states()]
    return Case(data_folder() / recovery.LAST, lambda i: recovery.keep(left[i]))


def exporting(folder: Path) -> Case:
    """A picture."""
    path, sessions = folder / "a.svg", states()
    updates = [answer(session.study, simulate=False) for session in sessions]
    figure = sessions[0].study.figures[0]
    return Case(path, lambda i: pictures.write(path, sessions[i], updates[i], figure, size_mm=(80, 60)))


def reporting(folder: Path) -> Case:
    """A report, as PDF."""
    path, sessions = folder / "a.pdf", states()
    figure = sessions[0].study.figures[0]
    chosen = report.ReportChoice((sessions[0].study_class,), {sessions[0].study_class.key: (figure.key,)}, values=False)
    return Case(path, lambda i: report.write(path, sessions[i], chosen))


CASES: dict[str, Callable[[Path], Case]] = {
    "saving": saving, "autosaving": autosaving, "exporting": exporting, "reporting": reporting}


def killed(case: Case, kills: int, chance: random.Random) -> dict[str, int]:
    """How many kills left the first state, the second and neither, how many a file beside it, and what stayed."""
    whole, began = [], time.monotonic()
    for i in range(2):
        written(case, i)
        whole.append(case.path.read_bytes())
    assert whole[0] != whole[1]
    longest = WRITES * (time.monotonic() - began) / 2
    counts = Counter(dict.fromkeys(("first", "second", "neither", "beside", "stayed"), 0))
    for _ in range(kills):
        stop(begun(case), chance.uniform(0, longest))
        left = case.path.read_bytes() if case.path.is_file() else b""
        counts[("first", "second")[whole.index(left)] if left in whole else "neither"] += 1
        counts["beside"] += beside(case.path)
        written(case, chance.randrange(2))
        counts["stayed"] += beside(case.path)
    return dict(counts)


def written(case: Case, i: int) -> None:
    """Have one state written, by a process of its own: threads that writing leaves behind would be lost in a fork."""
    if not (child := os.fork()):
        try:
            case.write(i)
        except BaseException:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("it could not be written")


def begun(case: Case) -> int:
    """A process that writes without end, once it has written."""
    ready, tell = os.pipe()
    if child := os.fork():
        os.close(tell)
        os.read(ready, 1)
        os.close(ready)
        return child
    try:
        case.write(0)
        os.write(tell, b".")
        while True:
            for i in (1, 0):
                case.write(i)
    finally:
        os._exit(1)


def stop(process: int, delay: float) -> None:
    time.sleep(delay)
    os.kill(process, signal.SIGKILL)
    if not os.WIFSIGNALED(os.waitpid(process, 0)[1]):
        raise RuntimeError("it ended before it was killed")


def beside(path: Path) -> int:
    """Whether something stands beside the file."""
    return int(any(each != path for each in path.parent.iterdir()))


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("case", choices=CASES)
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        case = CASES[given.case](Path(folder))
        print(json.dumps(killed(case, given.kills, random.Random(given.seed))))


if __name__ == "__main__":
    sys.exit(main())
