"""Work beside the window: the newest alone is told of, or each in its order; the last news always, and once."""

from __future__ import annotations

import ast
import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from dpstudio import gui
from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import parameter
from dpstudio.core.facts import drawn_table, once
from dpstudio.core.results import Column, Table
from dpstudio.core.slow import still_awaited
from dpstudio.core.study import Study
from dpstudio.gui.session.answers import answering
from dpstudio.gui.shell.worker import FRAME, Pace, Worker, failure

RUNNING: list[object] = []


def counting(name, most, seconds=0.0):
    """Counts up to a number, which takes its time."""
    RUNNING.append(name)
    try:
        for number in range(1, most + 1):
            time.sleep(seconds)
            yield name, number
        return most
    finally:
        RUNNING.remove(name)


@pytest.fixture(params=["newest"])
def worker(request, qapp):
    made = Worker("counting", order=request.param)
    yield made
    made.close()
    assert not RUNNING
    assert not [thread for thread in threading.enumerate() if thread.name == "counting"]


@pytest.fixture
def gate():
    """Work that has begun, and ends once it is let."""
    class Gate:
        begun, go = threading.Event(), threading.Event()

        def held(self, result=None, going=lambda: None):
            self.begun.set()
            while not self.go.is_set():
                going()
                time.sleep(0.001)
            return result

    return Gate()


def test_that_what_was_overtaken_is_never_told_and_the_last_news_always(worker, qtbot):
    told, done = [], []
    worker.start(partial(counting, 1, 20, 0.005), done.append, told=told.append)
    for name in range(2, 300):
        worker.start(partial(counting, name, 3), done.append, told=told.append)
    qtbot.waitUntil(lambda: not worker.busy)
    assert {name for name, _ in told} == {299}
    assert (told[-1], done) == ((299, 3), [3])


def test_that_news_that_are_in_are_dropped_when_they_are_overtaken(worker, qtbot):
    told = []
    worker.start(partial(counting, 1, 1), told=told.append)
    time.sleep(0.05)  # they are in, but the window had no time to look
    worker.start(partial(counting, 2, 1), told=told.append)
    qtbot.waitUntil(lambda: not worker.busy)
    assert told == [(2, 1)]


def test_that_what_was_overtaken_is_left_at_its_next_step(worker, qtbot, gate):
    made, told = [], []

    def long():
        for i in range(3):
            made.append(i)
            gate.held()
            yield i

    worker.start(long, told=told.append)
    assert gate.begun.wait(5)
    worker.start(lambda: "a", told.append)
    gate.go.set()
    qtbot.waitUntil(lambda: told == ["a"])
    assert made == [0]


def test_that_a_fast_stream_is_told_at_the_pace_of_the_screen_and_starves_no_timer(worker, qtbot):
    told, beats = [], []
    heart = QTimer(interval=10)
    heart.timeout.connect(lambda: beats.append(time.monotonic()))
    heart.start()
    begun = time.monotonic()
    worker.start(partial(counting, 1, 20_000, 1e-6), told=told.append)
    qtbot.waitUntil(lambda: not worker.busy)
    took = time.monotonic() - begun
    assert told[-1] == (1, 20_000)
    assert len(told) <= took / FRAME + 3
    assert len(beats) >= took / 0.05


@pytest.mark.parametrize("end", [Worker.stop, Worker.close])
def test_that_nothing_is_told_of_what_was_stopped(worker, qtbot, end):
    told = []
    worker.start(partial(counting, 1, 1_000_000, 0.001), told=told.append)
    qtbot.waitUntil(lambda: bool(told))
    begun, count = time.monotonic(), len(told)
    end(worker)
    qtbot.waitUntil(lambda: not RUNNING)
    assert time.monotonic() - begun < 1
    qtbot.wait(60)
    assert (len(told), worker.busy) == (count, False)


def test_that_whoever_is_told_may_let_go_of_the_rest(worker, qtbot):
    done = []
    worker.start(partial(counting, 1, 1), done.append, told=lambda _: worker.stop())
    time.sleep(0.05)  # the news and the end are told together
    qtbot.waitUntil(lambda: not worker.busy)
    assert done == []


def test_that_a_failure_is_told_once_after_the_news_before_it(worker, qtbot, caplog):
    told = []

    def failing():
        yield from counting(7, 3)
        raise ArithmeticError("no such number")

    worker.start(failing, told.append, told=told.append, failed=lambda error: told.append(failure(error, "counting")))
    qtbot.waitUntil(lambda: not worker.busy)
    assert told[-2:] == [(7, 3), "ArithmeticError: no such number"]
    assert caplog.record_tuples == [("dpstudio.gui.shell.worker", logging.ERROR, "counting failed")]
    worker.start(partial(counting, 8, 1), told=told.append)
    qtbot.waitUntil(lambda: told[-1] == (8, 1))


def test_that_what_follows_waits_for_the_first_news_and_what_overtakes_does_not(worker, qtbot, gate):
    told, idle = [], []
    worker.idle.connect(lambda: idle.append(list(told)))
    long = partial(gate.held, "long", still_awaited)
    worker.start(long, told.append)
    assert gate.begun.wait(5)
    worker.follow(partial(worker.start, lambda: "never begun", told.append))
    worker.follow(partial(worker.start, lambda: "newest", told.append))
    assert worker.followed
    gate.go.set()
    qtbot.waitUntil(lambda: not worker.busy)
    assert idle == [["long", "newest"]]
    for begin in (partial(worker.start, lambda: "instead", told.append), worker.close):
        gate.go.clear()
        gate.begun.clear()
        worker.start(long, told.append)
        assert gate.begun.wait(5)
        begin()
        qtbot.waitUntil(lambda: not worker.busy)
    assert told == ["long", "newest", "instead"]


@pytest.mark.parametrize("worker", ["queue"], indirect=True)
@pytest.mark.parametrize(("finish", "expected"), [(True, [0, 2, 3]), (False, [0])])
def test_that_a_queue_is_done_to_the_end_but_for_what_is_left(worker, gate, finish, expected):
    written = []
    jobs = [worker.start(lambda i=i: (gate.held(), written.append(i)), print) for i in range(4)]
    assert worker.pending == 4
    assert gate.begun.wait(20), "what has not begun may be dropped"
    worker.leave(jobs[1])
    assert worker.pending == 3
    threading.Timer(0.1, gate.go.set).start()
    worker.close(finish=finish)
    assert written == expected


def test_that_what_takes_its_time_is_said_and_a_thread_that_never_ends_is_not_waited_for(qtbot, gate):
    worker, told = Worker("counting"), []
    with qtbot.waitSignals([worker.begun, worker.slow]):
        worker.start(gate.held, told.append)
    worker.close(wait=False)
    worker.start(lambda: "too late", told.append)
    gate.go.set()
    qtbot.waitUntil(lambda: not [thread for thread in threading.enumerate() if thread.name == "counting"])
    assert (told, worker.busy) == ([], False)


def test_that_what_is_let_go_of_is_waited_for_no_longer_than_a_moment_and_what_is_to_be_done_to_its_end(
        worker, gate, qtbot, monkeypatch):
    monkeypatch.setattr("dpstudio.gui.shell.worker.GOING", 0.05)
    told = []
    worker.start(gate.held, told.append)
    worker.close()
    assert not gate.go.is_set()
    finishing = Worker("counting")
    finishing.start(lambda: (time.sleep(0.2), told.append("done")))
    finishing.close(finish=True)
    assert told == ["done"]
    gate.go.set()
    qtbot.waitUntil(lambda: not [thread for thread in threading.enumerate() if thread.name == "counting"])


def test_that_nothing_else_in_the_window_touches_threads():
    threads = {"threading", "concurrent.futures", "multiprocessing", "queue", "asyncio", "PySide6.QtCore.QThread"}
    folder, found = Path(gui.__file__).parent, set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {each.name for each in node.names}
                names |= {getattr(node, "module", None)} | {f"{getattr(node, 'module', '')}.{name}" for name in names}
                found |= {path.relative_to(folder).as_posix()} if names & threads else set()
    assert found == {"shell/worker.py", "shell/log.py"}, "the log hears what was raised in one"


# How a study is answered


@dataclass(frozen=True)
class Counting(Study):
    """Counts up to `trials`, and has something new at the first `minimum` of them."""

    key = "counting"
    title = "Counting"
    question = "How far?"
    pictures = ()

    minimum: int = parameter(v.MINIMUM, 1)
    trials: int = parameter(v.TRIALS, 1)

    @classmethod
    def answers(cls) -> type[Answer]:
        return CountingAnswer


class CountingAnswer(Answer):
    declared = {"the answer": (once(v.MINIMUM, lambda a: a.study.minimum),)}
    tabled = {"t": drawn_table(lambda _, done: Table({Column(v.DONE): np.arange(done + 1.0)}), (0.0, 1.0))}

    def sentences(self, seen=None):
        yield "So far."

    def simulate(self, _views) -> Iterator[tuple[int | None, int]]:
        for done in range(1, self.study.trials + 1):
            yield (done if done <= self.study.minimum else None), done


@pytest.mark.parametrize("rest", [0.0, 0.02, 60.0, None])
def test_that_a_study_is_answered_exactly_first_and_drawn_once_the_hand_rests(worker, qtbot, rest):
    seen, study = [], Counting(trials=7)
    worker.start(partial(answering, study, rest=rest), told=lambda update: seen.append((update.done, update.tables)))
    qtbot.waitUntil(lambda: bool(seen) and (rest == 60 or not worker.busy))
    assert not worker.waiting
    if rest == 0.02:
        assert (seen[0][0], "t" in seen[0][1]) == (0, False)
    if rest in (60, None):
        qtbot.wait(30)
        assert [done for done, _ in seen] == [0]
    else:  # the count of draws moves on where nothing else is new
        assert (seen[-1][0], seen[-1][1]["t"].rows) == (7, 2)


def test_that_an_answer_that_is_known_is_not_computed_again():
    study, known = Counting(), Counting().answer()
    for given, expected in ((known, True), (None, False), (Counting(trials=2).answer(), False)):
        update = next(each for each in answering(study, answer=given) if each)
        assert (update.answer is known) == expected
        assert update.answer.study == study


# What is read, not watched


def test_that_a_call_passes_at_once_after_a_pause_and_else_the_newest_once_an_interval(qtbot, worker):
    seen: list[int] = []
    pace = Pace(30, seen.append, worker)
    for number in range(10):
        pace(number)
    assert seen == [0]
    qtbot.waitUntil(lambda: seen == [0, 9])
    qtbot.waitUntil(lambda: not pace._timer.isActive())
    pace(10)
    assert seen[-1] == 10
