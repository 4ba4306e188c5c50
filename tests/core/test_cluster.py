"""A Dask cluster of this machine: the same table, whoever leaves in the middle."""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import ExitStack
from dataclasses import replace
from threading import Thread

import pytest
from cluster_kit import program

from dpstudio.core.cluster import Cluster, Dask, piece_seconds
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.sweep import Over, Plan, sweep
from dpstudio.core.workers import Here, WorkersFailed, identity, source_digest
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
        with pytest.raises(WorkersFailed, match=r"the worker at tcp://.* has dpstudio .*, and this has 0\.0\.1"):
            list(sweep(PLAN, Cluster(address)))
    with monkeypatch.context() as patch:
        patch.setattr("dpstudio.core.workers.identity", lambda: tuple(
            (what, "changed" if what == "the source" else has) for what, has in identity()))
        with pytest.raises(WorkersFailed, match=r"the worker at tcp://.* has the source .*, and this has changed"):
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


@pytest.mark.skipif(os.name != "posix", reason="processes are suspended by signals")
def test_that_a_worker_of_which_nothing_is_heard_is_named_and_waited_for_so_long(cluster, monkeypatch):
    distributed = pytest.importorskip("distributed")
    address, running = cluster
    for name, seconds in (("QUIET", 1), ("LONGEST", 2)):
        monkeypatch.setattr(f"dpstudio.core.cluster.{name}", seconds)
    with distributed.Client(address, timeout=30, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=30)
    told = []
    long = replace(PLAN, over=(Over("seed", tuple(range(30_000))),))  # not done before they are suspended
    progress = sweep(long, Cluster(address, told.append))
    assert next(each for each in progress if each.done)
    for worker in running[1:]:  # whoever goes on would do the work of the other
        os.kill(worker.pid, signal.SIGSTOP)
    with pytest.raises(WorkersFailed,
                       match=r"^nothing is heard of the worker at tcp://\S+( and 1 more)?, after 2 s of waiting$"):
        list(progress)
    assert told
    assert told[0].startswith("nothing is heard of the worker at tcp://127")
    assert told[0].endswith("; waiting for at most 1 s more")
    monkeypatch.setattr("dpstudio.core.cluster.FIRST", 1)
    # As soon as all are asked who they are.
    with pytest.raises(WorkersFailed, match=r"nothing is heard of the worker at \S+.*, after 1 s of waiting$"):
        list(sweep(PLAN, Cluster(address)))


def test_that_whoever_computes_for_long_is_not_missed_and_who_is_missed_is_told_until_it_ends(monkeypatch):
    told, now, missing = [], [0.0], [""]
    dask = Dask("tcp://a:1", told.append)
    monkeypatch.setattr("dpstudio.core.cluster.time.monotonic", lambda: now[0])
    monkeypatch.setattr(dask, "_missing", lambda: missing[0])

    def waits(seconds):
        for _ in range(seconds):
            now[0] += 1
            dask.waited(now[0])

    waits(3600)
    assert told == []
    missing[0] = "x has no workers"
    waits(30)
    assert told == [f"x has no workers; waiting for at most {left} s more" for left in (50, 40, 30)]
    missing[0] = ""
    waits(30)
    missing[0] = "x has no workers"
    waits(50)
    assert told[3:] == [f"x has no workers; waiting for at most {left} s more" for left in (50, 40, 30, 20, 10)]
    with pytest.raises(WorkersFailed, match=r"^x has no workers, after 60 s of waiting$"):
        waits(10)


@pytest.mark.parametrize("kind", ["", "tcp://", "tls://"])
@pytest.mark.parametrize("answer", [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n", b""])
def test_that_an_address_of_something_else_is_said_in_one_sentence(monkeypatch, kind, answer):
    pytest.importorskip("distributed")
    monkeypatch.setattr("dpstudio.core.cluster.PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve():
            while True:
                try:
                    other, _ = server.accept()
                    other.sendall(answer)
                    other.close()
                except OSError:
                    return

        Thread(target=serve, daemon=True).start()
        with pytest.raises(WorkersFailed) as failure:
            list(sweep(PLAN, Cluster(f"{kind}127.0.0.1:{server.getsockname()[1]}")))
    assert str(failure.value).startswith(f"there is no scheduler at {kind}127.0.0.1:")
    assert ("certificates" in str(failure.value)) == (kind == "tls://")


def test_that_every_change_of_a_source_is_another_source(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.py").write_text("x = 1")
    digests = [source_digest(tmp_path)]
    for name, text in (("a/b.py", "x = 2"), ("c.py", ""), ("c.py", "a/b.py"), ("note.txt", "no source")):
        (tmp_path / name).write_text(text)
        digests.append(source_digest(tmp_path))
    (tmp_path / "c.py").rename(tmp_path / "d.py")
    digests.append(source_digest(tmp_path))
    assert digests[3] == digests[4], "what is no source does not matter"
    assert len(set(digests)) == 5
    assert dict(identity())["the source"] == source_digest()
