"""Workers: the same results whoever computes, and nothing lost with a process."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from dpstudio.core import workers
from dpstudio.core.turns import TURN
from dpstudio.core.workers import Here, Pool, WorkersFailed, identity, local, refuse_unless_same

posix = pytest.mark.skipif(os.name != "posix", reason="signals are those of Unix")


@dataclass
class Numbers:
    """Pieces of a range, each a tuple, of so many numbers."""

    left: list[int]
    size: int = 1
    lost_ones: list[int] = field(default_factory=list)

    def take(self, seconds, workers):
        piece, self.left = tuple(self.left[:self.size]), self.left[self.size:]
        return piece or None

    def took(self, job, seconds):
        assert seconds >= 0

    def halves(self, job):
        middle = len(job) // 2
        return (job[:middle], job[middle:]) if middle else ()

    def lost(self, job):
        self.lost_ones += job
        return ["lost"]


def squares(numbers):
    return [n * n for n in numbers]


def deadly(numbers):
    """13 ends the process that meets it."""
    if 13 in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(numbers)


def once(numbers):
    """Ends its process the first time, for which a file stands."""
    path = Path(os.environ["DPSTUDIO_TEST_ONCE"])
    if 5 in numbers and not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(numbers)


def cut_off(numbers):
    """Ends its process the first time in the middle of the result: behind how long it is there is nothing."""
    path = Path(os.environ["DPSTUDIO_TEST_ONCE"])
    if 5 in numbers and not path.exists():
        path.touch()

        def send(connection, result):
            os.write(connection.fileno(), struct.pack("!i", len(result)) + bytes(result[:1]))
            os.kill(os.getpid(), signal.SIGKILL)

        Connection._send_bytes = send
    return squares(numbers)


def faulty(numbers):
    raise ZeroDivisionError


def slow(numbers):
    time.sleep(60)


def run(kind, task, jobs):
    return dict(each for each in kind.run(task, jobs) if each is not None)


def test_that_one_worker_needs_no_pool():
    assert isinstance(local(1), Here)
    assert local(1, here=False) == Pool(1, here=False)
    assert run(local(1), squares, Numbers(list(range(5)), 2)) == {(0, 1): [0, 1], (2, 3): [4, 9], (4,): [16]}


def turns(numbers):
    """Which process computes, and after how long its threads have their turn."""
    return os.getpid(), sys.getswitchinterval()


def test_that_threads_which_hand_out_work_have_their_turn_while_this_process_computes_and_as_before_else():
    before, found = sys.getswitchinterval(), []
    for each in Pool(2).run(turns, Numbers(list(range(40)), 2)):
        assert sys.getswitchinterval() == before
        found += [each[1]] if each else []
    own = {turn for process, turn in found if process == os.getpid()}
    assert own == {TURN}
    assert before > TURN
    assert {turn for process, turn in found if process != os.getpid()} <= {before}
    with pytest.raises(ZeroDivisionError):
        run(Pool(2), faulty, Numbers([1, 2, 3]))
    assert sys.getswitchinterval() == before
    assert {turn for _, turn in run(Here(), turns, Numbers([1])).values()} == {before}


@posix
@pytest.mark.parametrize("task", [once, cut_off])
@pytest.mark.parametrize("pool", [Pool(1, here=False), Pool(2, here=False)])
def test_that_what_a_killed_worker_had_in_hand_or_was_handing_over_is_done_again(task, pool, tmp_path, monkeypatch):
    monkeypatch.setenv("DPSTUDIO_TEST_ONCE", str(tmp_path / "once"))
    found = run(pool, task, Numbers(list(range(40)), 2))
    assert (tmp_path / "once").exists()
    assert found == {(n, n + 1): [n * n, (n + 1) ** 2] for n in range(0, 40, 2)}


@posix
def test_that_what_kills_every_worker_is_found_and_costs_nothing_else():
    jobs = Numbers(list(range(20)), 2)
    found = run(Pool(1, here=False), deadly, jobs)
    assert jobs.lost_ones == [13]
    assert sorted(n for job in found for n in job) == list(range(20))
    assert found.pop((13,)) == ["lost"]
    assert all(result == squares(job) for job, result in found.items())


class Breaking:
    """Threads that take so many tasks, and then are found broken where the next is handed over."""

    workers, seconds = 1, 0.5

    def __init__(self, most):
        self.most, self.opened = most, 0

    def open(self):
        self.opened += 1
        return Broken(self.most)

    def broken(self, error):
        return True if isinstance(error, BrokenProcessPool) else None

    def waited(self, seconds):
        assert seconds >= 0

    def close(self):
        pass


class Broken(ThreadPoolExecutor):
    """Unfinished tasks say that it is broken, too."""

    def __init__(self, most):
        super().__init__(1)
        self.most, self.taken = most, 0

    def submit(self, task, *given):
        self.taken += 1
        if self.taken > self.most:
            raise BrokenProcessPool
        if self.taken < self.most or self.most == 1:
            return super().submit(task, *given)
        failed = Future()
        failed.set_exception(BrokenProcessPool())
        return failed


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("here", [False, True])
def test_that_workers_found_lost_where_work_is_handed_over_lose_none(most, here):
    backend = Breaking(most)
    jobs = Numbers(list(range(12)))
    found = dict(each for each in workers.run_by(squares, jobs, backend, here=here) if each is not None)
    assert found == {(n,): [n * n] for n in range(12)}
    assert jobs.lost_ones == []
    assert backend.opened > 1


def test_that_a_fault_of_a_task_is_raised_here():
    for kind in (Here(), Pool(1, here=False)):
        with pytest.raises(ZeroDivisionError):
            run(kind, faulty, Numbers([1]))


def test_that_to_close_ends_the_workers_at_once():
    running = Pool(1, here=False).run(slow, Numbers([1]))
    assert next(running) is None
    began = time.monotonic()
    running.close()
    assert time.monotonic() - began < 5


@posix
def test_that_workers_end_with_a_program_that_is_killed():
    program = ("import os, sys\nsys.path[:0] = " + repr(sys.path) + "\nfrom core import test_workers as t\n"
               "for each in t.Pool(1, here=False).run(t.told, t.Numbers([1])):\n    pass\n")
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    began = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, env=environment)
    assert began.stdout.readline()
    began.kill()
    began.wait()
    assert began.stdout.read() == b""  # which ends once the worker, too, has left it
    began.stdout.close()


def told(numbers):
    print("began", flush=True)
    time.sleep(60)


def test_that_a_worker_of_other_versions_is_refused_by_name():
    refuse_unless_same({"a": identity()})
    for place, (what, ours) in enumerate(identity()):
        other = list(identity())
        other[place] = what, ours + "1"
        with pytest.raises(WorkersFailed, match=f"the worker at b has {what} {ours}1, and this has {ours}"):
            refuse_unless_same({"a": identity(), "the worker at b": tuple(other)})


def test_that_processes_that_cannot_be_had_are_said(monkeypatch):
    monkeypatch.setattr(workers, "_stay", os.abort)
    with pytest.raises(WorkersFailed, match="end as soon as they begin"):
        run(Pool(1, here=False), squares, Numbers([1]))
