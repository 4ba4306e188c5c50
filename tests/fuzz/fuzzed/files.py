"""Doors of files that the program keeps for itself: what a sweep has done, a table's key."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dpstudio.core.sweep import Kept
from dpstudio.documents.sweeps import request_of
from fuzzed.kit import Door, in_pieces, need, refusing

TOTAL, EACH = 20, 2


@cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="dpstudio-fuzz-"))


def kept(data: bytes) -> None:
    """Of what a sweep has kept whole lines of its own count, once each, and no more; it can be gone on with."""
    path = folder() / "a.csv.part"
    path.write_bytes(data)
    known = Kept(path, b"k").done("d", TOTAL, EACH)
    with refusing(), Kept(path, b"k") as opened:
        stretches = list(opened.opened("d", TOTAL, EACH))
        cells = [cell for begin, end, raw in stretches for cell in range(begin, end)]
        need(all(0 <= begin < end <= TOTAL and len(raw) == EACH * (end - begin) for begin, end, raw in stretches),
             "a stretch is not of this request")
        need(len(set(cells)) == known, f"{known} cells are there, and {len(set(cells))} are read")
        need(path.read_bytes().endswith(b"\n"), "a line is half there")
        opened.add(0, 1, b"xy")
        with Kept(path, b"k") as again, refusing():
            list(again.opened("d", TOTAL, EACH))  # in use
    with refusing(), Kept(path, b"k") as again:
        there = list(again.opened("d", TOTAL, EACH))
        need(set(there) >= set(stretches), "what was kept is lost")
        need(again.refused == 0, "what is damaged is said twice")
    with refusing(), Kept(path, b"other") as foreign:
        need(not list(foreign.opened("d", TOTAL, EACH)), "what somebody else wrote counts")
    request_of(path) if path.exists() else None
    path.unlink(missing_ok=True)


def _kept_seeds() -> Sequence[bytes]:
    path = folder() / "b.csv.part"
    made = []
    for stretches in ([], [(0, 3, b"abcdef")], [(0, 3, b"abcdef"), (7, 9, b"\0\n \xff"), (10, 20, b"x" * 20)]):
        with Kept(path, b"k") as opened:
            list(opened.opened("d", TOTAL, EACH))
            for stretch in stretches:
                opened.add(*stretch)
            made.append(path.read_bytes())
        path.unlink(missing_ok=True)
    return [*made, b'{"request": "' + b"a" * 64 + b'"}']


DOORS = (Door("kept", "what a sweep has kept beside its output", kept, _kept_seeds, in_pieces, 4_000),)
