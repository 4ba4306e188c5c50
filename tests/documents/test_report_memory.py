"""What reports leave behind in a window that stays open."""

from __future__ import annotations

import ctypes
import gc

import pytest

from dpstudio.documents.report import writing
from dpstudio.documents.session import Session
from dpstudio.studies.noise import Noise

typst = pytest.importorskip("typst")
MOST = 40
"""MiB more after eight reports than after two: two and more of each would be kept for ten."""


class Held(ctypes.Structure):
    """What the C library says of its memory."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def held():
    """MiB that are in use of the C library’s memory."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("only the C library of GNU tells")
    library.mallinfo2.restype = Held
    gc.collect()
    found = library.mallinfo2()
    return (found.uordblks + found.hblkhd) / 2**20


def test_that_reports_leave_nothing_of_their_pages_behind():
    def made(number):
        assert writing.made("pdf", Session.of(Noise, {"epsilon": 1 + number / 100, "trials": 1000}))[:5] == b"%PDF-"

    for number in (0, 1):
        made(number)
    before = held()
    for number in range(2, 8):
        made(number)
    assert held() - before < MOST
