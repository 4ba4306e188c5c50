"""A Dask cluster of this machine: the same table, whoever leaves in the middle."""

from __future__ import annotations

import socket
import sys
from contextlib import ExitStack
from dataclasses import replace

import pytest
from cluster_kit import program

from dpstudio.core.cluster import piece_seconds
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.sweep import Over, Plan, sweep
from dpstudio.core.workers import Cluster, Here, WorkersFailed, identity
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
PLAN = Plan(DECISION(trials=200_000), (Over("seed", tuple(range(200))),), (("accepted_fraction", "laplace"),), True)


@pytest.fixture
def cluster():
    """A scheduler's address, and the programs: the scheduler first, then two workers."""
    with socket.socket() as free, ExitStack() as programs:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        address = f"tcp://127.0.0.1:{port}"
        running = []

        for name, arguments in (("scheduler", ("--host", "127.0.0.1", "--port", str(port))),
                                *[("worker", (address, "--nthreads", "1", "--no-nanny"))] * 2):
            running.append(programs.enter_context(program(name, *arguments)))
            programs.callback(running[-1].kill)
        yield address, running


def numbers(progress):
    return [each.tobytes() for each in progress.swept.cells.arrays]


def test_that_a_cluster_gives_the_same_table_without_those_who_leave_and_says_who_is_gone(cluster, monkeypatch):
    distributed = pytest.importorskip("distributed")
    address, running = cluster
    monkeypatch.setattr("dpstudio.core.cluster.PATIENCE", 1)
    with distributed.Client(address, timeout=30, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=30)
        left = False
        for progress in sweep(PLAN, Cluster(address)):
            if progress.done > PLAN.total / 3 and not left:
                running[1].kill()
                left = True
        *_, here = sweep(PLAN, Here())
        assert left
        assert numbers(progress) == numbers(here)
    with monkeypatch.context() as patch:
        patch.setattr("dpstudio.core.workers.identity", lambda: (("dpstudio", "0.0.1"), *identity()[1:]))
        with pytest.raises(WorkersFailed, match=r"the worker at tcp://.* has dpstudio .*, and this is 0\.0\.1"):
            list(sweep(PLAN, Cluster(address)))
    long = sweep(replace(PLAN, over=(Over("seed", tuple(range(30_000))),)), Cluster(address))
    assert next(progress for progress in long if progress.done)
    running[0].kill()
    with pytest.raises(WorkersFailed, match=r"the scheduler at tcp://127\S+ is gone"):
        list(long)
    with pytest.raises(WorkersFailed, match=r"there is no scheduler at tcp://127\."):
        list(sweep(PLAN, Cluster(address)))


@pytest.mark.parametrize("address", ["", "10.0.0.1", "tcp://10.0.0.1", "http://10.0.0.1:8786", "a b:1", "tcp://a:x"])
def test_that_what_is_no_address_is_refused_before_anybody_is_asked(address):
    with pytest.raises(InvalidParameter, match="scheduler must be an address with a port"):
        Cluster(address)


def test_that_addresses_are_taken():
    for address in ("10.0.0.1:8786", "tcp://node-1.example:8786", "tls://[2001:db8::1]:8786"):
        assert Cluster(address).address == address


def test_that_a_scheduler_has_no_more_tasks_than_it_can_hand_out():
    for workers in (1, 2, 100, 1000, 10_000):
        tasks_a_second = workers / piece_seconds(workers)
        assert tasks_a_second * 4e-3 <= 0.54
        assert piece_seconds(workers) >= 1.5
    assert piece_seconds(2) == 1.5


def test_that_without_the_package_it_is_said_which_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkersFailed, match=r"pip install 'dpstudio\[cluster\]'"):
        list(sweep(PLAN, Cluster("tcp://127.0.0.1:1")))
