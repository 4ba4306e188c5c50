"""What is kept of a sweep: no kill, damage or full disk costs more than what was being written."""

from __future__ import annotations

import base64
import errno
import os
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.sweep import Kept, Over, Plan, sweep
from dpstudio.core.sweep import kept as kept_module
from dpstudio.core.sweep.cells import BYTES, FAILED, CellValues
from dpstudio.core.workers import Here
from dpstudio.studies import all_studies

MEAN = all_studies()["mean"]
PLAN = Plan(MEAN(), (Over("epsilon", tuple(i / 10 for i in range(1, 21))),),
            (("group_error", "laplace"), ("times_sd", "response")))
STRETCHES = [(0, 3, b"abcdef"), (7, 9, b"\0\n \xff"), (3, 7, b"x" * 8), (10, 11, b"\0\0")]
EACH = 2


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.csv.part"


def written(path, stretches=STRETCHES, digest="d", key=b""):
    with Kept(path, key) as kept:
        assert list(kept.opened(digest, 20, EACH)) == []
        for stretch in stretches:
            kept.add(*stretch)
    return path.read_bytes()


def read(path, digest="d", key=b""):
    with Kept(path, key) as kept:
        return list(kept.opened(digest, 20, EACH))


def test_that_what_is_kept_is_read_again(path):
    before = written(path)
    assert read(path) == STRETCHES
    assert path.read_bytes() == before


def test_that_a_file_cut_anywhere_has_all_whole_lines_and_can_be_added_to(path):
    whole = written(path)
    ends = [at + 1 for at, sign in enumerate(whole) if sign == ord("\n")]
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        count = max(sum(end <= size for end in ends) - 1, 0)
        with Kept(path) as kept:
            assert list(kept.opened("d", 20, EACH)) == STRETCHES[:count]
            kept.add(15, 16, b"ne")
        assert read(path) == [*STRETCHES[:count], (15, 16, b"ne")]


def test_that_nothing_stays_of_a_line_that_was_cut(path):
    whole = written(path)
    path.write_bytes(whole + b"x" * 100)
    with Kept(path) as kept:
        assert list(kept.opened("d", 20, EACH)) == STRETCHES
    assert path.read_bytes() == whole


def test_that_what_was_packed_must_have_ended():
    packed = zlib.compress(b"abcdef", 1)
    assert kept_module._unpacked(base64.b64encode(packed), 6) == b"abcdef"
    with pytest.raises(ValueError, match="another size"):
        kept_module._unpacked(base64.b64encode(packed[:-2]), 6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_that_damage_costs_no_more_than_the_lines_that_it_hits(path, data):
    path.unlink(missing_ok=True)
    whole = bytearray(written(path))
    head = whole.index(b"\n") + 1
    at = data.draw(st.integers(head, len(whole) - 1))
    whole[at] = data.draw(st.integers(0, 255).filter(lambda value: value != whole[at]))
    path.write_bytes(whole)
    found = read(path)
    assert len(found) >= len(STRETCHES) - 2
    assert all(stretch in STRETCHES for stretch in found)


def test_that_cells_that_stand_there_twice_or_lie_outside_are_read_once_or_not(path):
    written(path, [(0, 3, b"abcdef"), (2, 4, b"dede"), (0, 3, b"abcdef"), (19, 21, b"nono"), (5, 5, b""),
                   (4, 5, b"ff")])
    assert read(path) == [(0, 3, b"abcdef"), (4, 5, b"ff")]


@pytest.mark.parametrize("content", [b"precious", b"a,b\n1,2\n", b"00000000 {}\n"])
def test_that_what_is_of_another_request_or_program_is_refused_and_left(path, content):
    path.write_bytes(content)
    with pytest.raises(InvalidParameter, match="another request or another program"):
        read(path)
    assert path.read_bytes() == content
    path.unlink()
    before = written(path)
    with pytest.raises(InvalidParameter, match="another request or another program"):
        read(path, "e")
    assert path.read_bytes() == before


def test_that_a_file_in_which_nothing_is_kept_does_not_stay(path):
    for _ in range(2):
        assert read(path) == []
        assert not path.exists()
    written(path)
    assert read(path) == STRETCHES
    with Kept(path):  # never asked for anything
        pass
    assert path.exists()
    with Kept(path) as kept:
        list(kept.opened("d", 20, EACH))
        kept.remove()
    assert not path.exists()


def test_that_two_runs_do_not_write_one_file(path):
    pytest.importorskip("fcntl")
    with Kept(path) as kept:
        list(kept.opened("d", 20, EACH))
        with pytest.raises(InvalidParameter, match="being written by another run"):
            read(path)
        kept.add(*STRETCHES[0])
    assert read(path) == STRETCHES[:1]


@pytest.mark.skipif(os.name != "posix", reason="made by the systems that have them")
def test_that_no_link_is_followed_and_no_pipe_waited_for(path, tmp_path):
    (tmp_path / "other").write_text("precious")
    path.symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="symbolic links"):
        read(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(InvalidParameter, match="no ordinary file"):
        read(path)


def test_that_a_full_disk_leaves_what_was_kept_before(path, monkeypatch):
    """The disk takes half of a line."""
    write, room = os.write, [10**6]

    def limited(descriptor, data):
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = write(descriptor, bytes(data)[:room[0]])
        room[0] -= taken
        return taken

    monkeypatch.setattr(os, "write", limited)
    with Kept(path) as kept:
        list(kept.opened("d", 20, EACH))
        kept.add(*STRETCHES[0])
        room[0] = 20
        with pytest.raises(OSError, match="No space left") as full:
            kept.add(*STRETCHES[1])
        assert full.value.filename == str(path)
        room[0] = 10**6
        kept.add(*STRETCHES[2])
    assert read(path) == [STRETCHES[0], STRETCHES[2]]


def test_that_cells_are_kept_to_the_last_bit():
    numbers = np.array([[0.1, -0.0], [np.inf, np.nan], [5e-324, -1e308]])
    cells = CellValues(numbers, numbers[::-1].copy(), -numbers, np.arange(6, dtype=np.uint8).reshape(3, 2))
    assert len(cells.packed()) == 6 * BYTES
    again = CellValues.unpacked(cells.packed(), 3, 2)
    assert [each.tobytes() for each in again.arrays] == [each.tobytes() for each in cells.arrays]


@given(st.integers(0, 20), st.integers(1, 20))
def test_that_a_sweep_goes_on_from_what_is_kept_and_computes_nothing_twice(tmp_path_factory, stop, piece):
    path = tmp_path_factory.mktemp("kept") / "part"
    *_, whole = sweep(PLAN, Here())

    class Small(Here):
        """Pieces of so many cells, of which it notes how many it did."""

        did = 0

        def run(self, task, jobs):
            while (job := jobs.take(piece * jobs._pace * 1.001, 1)) is not None:
                Small.did += job.size
                yield job, task(job)

    with Kept(path) as kept:
        for progress in sweep(PLAN, Small(), kept, seconds=1.0):
            if progress.done >= stop:
                break
    done = progress.done
    with Kept(path) as kept:
        first, *_, last = sweep(PLAN, Small(), kept, seconds=1.0)
    assert first.done == done
    assert Small.did == PLAN.total
    assert [each.tobytes() for each in last.swept.cells.arrays] == [
        each.tobytes() for each in whole.swept.cells.arrays]


def forged(key, content):
    """A line with a right checksum under a key."""
    return Kept("", key)._line(content)


def packed(raw):
    return base64.b64encode(zlib.compress(raw))


@pytest.mark.parametrize("content", [
    b"", b"0 1", b"0 1 2 3", b"a b c", b"0 1 !!!", b"0 1 " + base64.b64encode(b"no"), b"-1 1 " + packed(b"abcd"),
    b"0 %s " % (b"9" * 5000) + packed(b"ab"), b"0 1 " + packed(b"abc"), b"0 1 " + packed(b""),
    b"\xff\xfe 1 " + packed(b"ab"),
    b"0 1 " + packed(b"ab")[:-4], b"0 21 " + packed(b"ab" * 21)], ids=range(13))
def test_that_a_line_that_is_none_of_ours_counts_for_nothing_whatever_it_has(path, content):
    path.write_bytes(written(path, STRETCHES[:1]) + forged(b"", content) + forged(b"", b"7 8 " + packed(b"yz")))
    assert read(path) == [STRETCHES[0], (7, 8, b"yz")]


def test_that_nothing_is_unpacked_beyond_its_cells(path):
    bomb = b"0 1 " + packed(bytes(2**28))
    path.write_bytes(written(path, STRETCHES[1:2]) + forged(b"", bomb) + b"x" * 10**6)
    tracemalloc.start()
    try:
        assert read(path) == STRETCHES[1:2]
        assert tracemalloc.get_traced_memory()[1] < 10**7
    finally:
        tracemalloc.stop()


def test_that_what_was_written_without_the_key_counts_for_nothing(path):
    ours = written(path, STRETCHES[:1], key=b"ours")
    for key in (b"", b"theirs"):
        path.write_bytes(ours + forged(key, b"7 8 " + packed(b"yz")))
        assert read(path, key=b"ours") == STRETCHES[:1]
    with pytest.raises(InvalidParameter, match="another request or another program"):
        read(path)


def test_that_a_kind_that_there_is_not_is_computed_again(path):
    *_, whole = sweep(PLAN, Here())
    cells = whole.swept.cells
    raw = bytearray(cells.packed())
    raw[-1] = FAILED + 1
    with Kept(path) as kept:
        list(kept.opened(PLAN.digest, PLAN.total, BYTES * len(PLAN.facts)))
        kept.add(0, PLAN.total, bytes(raw))
    with Kept(path) as kept:
        *_, last = sweep(PLAN, Here(), kept)
    assert [each.tobytes() for each in last.swept.cells.arrays] == [each.tobytes() for each in cells.arrays]
