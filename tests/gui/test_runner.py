"""The runner shows the newest answer only, shows the last one always, and leaves nothing running."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import parameter
from dpstudio.core.facts import drawn_table, once
from dpstudio.core.results import Column, Table
from dpstudio.core.study import Study
from dpstudio.gui.session.runner import FRAME, Runner

RUNNING: list[int] = []


@dataclass(frozen=True)
class Counting(Study):
    """Counts up to `trials`; each step takes `minimum` thousandths of a second."""

    key = "counting"
    title = "Counting"
    question = "How far?"
    pictures = ()

    minimum: int = parameter(v.MINIMUM, 0)
    trials: int = parameter(v.TRIALS, 1)
    records: int = parameter(v.RECORDS, 0)

    @classmethod
    def answers(cls) -> type[Answer]:
        return CountingAnswer


class CountingAnswer(Answer):
    declared = {"the answer": (once(v.RECORDS, lambda a: a.study.records),)}
    tabled = {"t": drawn_table(lambda _, done: Table({Column(v.DONE): np.arange(done + 1.0)}), (0.0, 1.0))}

    def sentences(self, seen=None):
        yield "So far."

    def simulate(self, _views) -> Iterator[tuple[int, int]]:
        RUNNING.append(self.study.records)
        try:
            for done in range(1, self.study.trials + 1):
                time.sleep(self.study.minimum / 1000)
                yield done, done
        finally:
            RUNNING.remove(self.study.records)


@dataclass(frozen=True)
class Failing(Counting):
    key = "failing"

    @classmethod
    def answers(cls) -> type[Answer]:
        return FailingAnswer


class FailingAnswer(CountingAnswer):
    def simulate(self, views) -> Iterator[tuple[int, int]]:
        yield from CountingAnswer(self.study.replace(trials=3)).simulate(views)
        raise ArithmeticError("no such number")


@dataclass(frozen=True)
class Still(Counting):
    """Has something new at its first step only."""

    key = "still"

    @classmethod
    def answers(cls) -> type[Answer]:
        return StillAnswer


class StillAnswer(CountingAnswer):
    def simulate(self, views) -> Iterator[tuple[int | None, int]]:
        for seen, done in super().simulate(views):
            yield (seen if seen == 1 else None), done


@pytest.fixture
def runner():
    runner = Runner(rest=0.0)
    yield runner
    runner.close()
    assert not RUNNING
    assert not [thread for thread in threading.enumerate() if thread.name == "study"]


def shown(runner: Runner) -> list[tuple[int, int]]:
    """Records and progress of every answer that is shown from now on."""
    seen: list[tuple[int, int]] = []
    runner.updated.connect(lambda update, study: seen.append((study.records, update.done)))
    return seen


def test_that_an_overtaken_answer_is_never_shown(runner, qtbot):
    seen = shown(runner)
    with qtbot.waitSignal(runner.finished):
        runner.start(Counting(records=1, minimum=5, trials=20))
        runner.start(Counting(records=2, minimum=1, trials=2))
    assert {records for records, _ in seen} == {2}


def test_that_an_answer_in_the_mailbox_is_dropped_when_it_is_overtaken(runner, qtbot):
    seen = shown(runner)
    runner.start(Counting(records=1))
    time.sleep(0.05)  # its answer is in, but the window had no time to look
    with qtbot.waitSignal(runner.finished):
        runner.start(Counting(records=2))
    assert {records for records, _ in seen} == {2}


def test_that_300_rapid_changes_end_on_the_last(runner, qtbot):
    seen = shown(runner)
    with qtbot.waitSignal(runner.finished):
        for records in range(300):
            runner.start(Counting(records=records, trials=3))
    assert seen[-1] == (299, 3)
    assert {records for records, _ in seen} == {299}


def test_that_the_first_and_the_last_answer_are_shown(qtbot):
    runner = Runner(rest=0.05)
    seen = shown(runner)
    with qtbot.waitSignal(runner.finished):
        runner.start(Counting(trials=5_000))
    runner.close()
    assert seen[0][1] == 0
    assert seen[-1][1] == 5_000


def test_that_the_count_of_draws_moves_on_where_nothing_else_is_new(runner, qtbot):
    tables = []
    runner.updated.connect(lambda update, _: tables.append((update.done, update.tables.get("t"))))
    with qtbot.waitSignal(runner.finished):
        runner.start(Still(trials=7))
    done, table = tables[-1]
    assert (done, table.rows) == (7, 2)


def test_that_a_fast_stream_is_shown_at_the_pace_of_the_screen_and_starves_no_timer(runner, qtbot):
    seen = shown(runner)
    beats: list[float] = []
    heart = QTimer(interval=10)
    heart.timeout.connect(lambda: beats.append(time.monotonic()))
    heart.start()
    begun = time.monotonic()
    with qtbot.waitSignal(runner.finished, timeout=20_000):
        runner.start(Counting(trials=20_000))
    took = time.monotonic() - begun
    assert len(seen) <= took / FRAME + 3
    assert len(beats) >= took / 0.05


def test_that_simulation_waits_until_the_hand_rests(qtbot):
    runner = Runner(rest=60.0)
    seen = shown(runner)
    with qtbot.waitSignal(runner.updated):
        runner.start(Counting(trials=50))
    assert runner.waiting is False
    with qtbot.waitSignal(runner.updated):
        runner.start(Counting(records=1, trials=50))
    runner.close()
    assert seen == [(0, 0), (1, 0)]


def test_that_stopping_shows_nothing_more(runner, qtbot):
    seen = shown(runner)
    with qtbot.waitSignal(runner.updated):
        runner.start(Counting(minimum=1, trials=1_000_000))
    runner.stop()
    count = len(seen)
    qtbot.waitUntil(lambda: not RUNNING)
    with qtbot.assertNotEmitted(runner.updated, wait=60):
        pass
    assert len(seen) == count


def test_that_closing_in_the_middle_waits_for_the_worker(qtbot):
    runner = Runner(rest=0.0)
    with qtbot.waitSignal(runner.updated):
        runner.start(Counting(minimum=1, trials=1_000_000))
    begun = time.monotonic()
    runner.close()
    assert time.monotonic() - begun < 1
    assert not RUNNING


def test_that_a_failure_is_told_once_after_the_answers_before_it(runner, qtbot, caplog):
    seen = shown(runner)
    with qtbot.waitSignal(runner.failed) as failed, qtbot.assertNotEmitted(runner.finished):
        runner.start(Failing(records=7))
    assert failed.args == ["ArithmeticError: no such number"]
    assert seen[-1] == (7, 3)
    with qtbot.waitSignal(runner.finished):
        runner.start(Counting(records=8))
    assert seen[-1] == (8, 1)
