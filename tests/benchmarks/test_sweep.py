"""10 000 cells of two exact facts by one worker, two, and a cluster of two, against one by one; and killed.

Two at once may slow each other down by what a machine shares among its cores, whatever they do. So what two workers
take stands beside two processes that take half of the cells each, one by one, and are ready before; the remark has it
beside one process, too.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
from cluster_kit import program

from dpstudio.core.cluster import Cluster
from dpstudio.core.sweep import Kept, Plan, read_over, sweep
from dpstudio.core.workers import Here, Pool
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
PLAN = Plan(DECISION(), (read_over(DECISION, "epsilon=0.01:10:100:log"), read_over(DECISION, "minimum=10:1e6:100:log")),
            (("band_width", "laplace"), ("acceptance", "generalized")))
ROUNDS = 3


def own(first: int = 0, step: int = 1) -> float:
    """Seconds that the cells take one by one, each in an answer of its own: all, or every so many."""
    began = time.perf_counter()
    for i in range(first, PLAN.total, step):
        answer = DECISION(**PLAN.base, **PLAN.cell(i)).answer()
        for asked in PLAN.facts:
            answer.fact(*asked)
    return time.perf_counter() - began


@pytest.fixture(scope="module")
def pair():
    """Two processes that have read all modules."""
    with multiprocessing.get_context("spawn").Pool(2) as processes:
        processes.starmap(own, [(0, 50), (1, 50)], chunksize=1)
        yield lambda: max(processes.starmap(own, [(0, 2), (1, 2)], chunksize=1))


def swept(workers):
    began = time.perf_counter()
    *_, last = sweep(PLAN, workers)
    return time.perf_counter() - began, [each.tobytes() for each in last.swept.cells.arrays]


@pytest.fixture(scope="module")
def numbers():
    own()  # reads modules
    return swept(Here())[1]


@pytest.fixture
def compared(report, numbers, pair):
    """Turn by turn, the best of some runs of each: others use this machine, too."""

    def compare(what, workers, count):
        ours, alone, at_once = [], [], []
        for _ in range(ROUNDS):
            alone.append(own())
            at_once.append(alone[-1] if count == 1 else pair())
            taken, found = swept(workers)
            assert found == numbers
            ours.append(taken)
        report(f"10 000 cells by {what} / one by one by as many at once", min(ours) / min(at_once), "1.3 ×",
               f"{min(ours):.2f} s against {min(at_once):.2f} s; of one process, {min(alone):.2f} s, by the workers: "
               f"{min(ours) * count / min(alone):.2f}")

    return compare


def test_one_worker_and_two(compared):
    compared("1 worker", Here(), 1)
    compared("2 workers", Pool(2), 2)
    compared("2 workers apart from this process", Pool(2, here=False), 2)


def test_a_cluster_of_two(compared):
    distributed = pytest.importorskip("distributed")
    address = "tcp://127.0.0.1:18790"
    with ExitStack() as programs:
        for name, arguments in (("scheduler", ("--host", "127.0.0.1", "--port", "18790")),
                                *[("worker", (address, "--nthreads", "1", "--no-nanny"))] * 2):
            programs.callback(programs.enter_context(program(name, *arguments)).kill)
        with distributed.Client(address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=30)
        compared("a Dask cluster of 2", Cluster(address), 2)


def test_workers_that_are_killed(report, numbers):
    others = multiprocessing.active_children()  # of `pair`: without one of them it would wait for ever at its end
    began, killed = time.perf_counter(), 0
    for progress in sweep(PLAN, Pool(2)):
        children = [each for each in multiprocessing.active_children() if each not in others]
        if killed < 3 and children and progress.done > PLAN.total * (killed + 1) / 5:
            os.kill(children[-1].pid, signal.SIGKILL)
            killed += 1
    assert killed == 3
    assert [each.tobytes() for each in progress.swept.cells.arrays] == numbers
    report("10 000 cells by 2 workers, three of them killed", (time.perf_counter() - began) * 2 / own(), "—")


def test_the_command_killed_three_times_gives_the_same_file(report, tmp_path):
    command = [sys.executable, "-m", "dpstudio", "sweep", "decision", "--over", "epsilon=0.01:10:100:log", "--over",
               "minimum=10:1e6:100:log", "--facts", "band_width@laplace,acceptance@generalized", "--workers", "2"]
    began = time.perf_counter()
    subprocess.run([*command, "--output", tmp_path / "whole.csv"], check=True)
    whole = time.perf_counter() - began
    part, began = tmp_path / "a.csv.part", time.perf_counter()
    for lines in (4, 8, 12):
        process = subprocess.Popen([*command, "--output", tmp_path / "a.csv"])
        while (part.read_bytes().count(b"\n") if part.exists() else 0) < lines:
            assert process.poll() is None
            time.sleep(0.005)
        process.kill()
        process.wait()
    subprocess.run([*command, "--output", tmp_path / "a.csv"], check=True)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    report("the command killed three times and run again, against once", (time.perf_counter() - began) / whole, "—")


def test_what_is_kept_costs(report, tmp_path):
    began = time.perf_counter()
    with Kept(tmp_path / "part") as kept:
        list(sweep(PLAN, Here(), kept))
    size = (tmp_path / "part").stat().st_size / PLAN.total
    report("10 000 cells kept, against one by one", (time.perf_counter() - began) / own(), "1.3 ×",
           f"{size:.1f} bytes a cell")


def test_a_batch_of_1000_requests(report, tmp_path):
    (tmp_path / "in").write_text("".join(f'{{"study": "decision", "set": {{"epsilon": {1 + i / 1000}}}}}\n'
                                         for i in range(1000)))
    for workers in ("1", "2"):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "dpstudio", "compute", "--batch", tmp_path / "in", "--workers", workers,
                        "--output", tmp_path / "out"], check=True)
        report(f"1 000 requests, {workers} worker{'s' * (workers > '1')}, in seconds", time.perf_counter() - began,
               "10 s" if workers == "2" else "—")
