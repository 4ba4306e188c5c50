"""What reports leave behind in a window that stays open."""

from __future__ import annotations

import gc
import math

import pytest
from memory_kit import allocated

from dpstudio.documents.report import writing
from dpstudio.documents.session import Session
from dpstudio.studies.noise import Noise

typst = pytest.importorskip("typst")
MOST = 40
"""MiB more after eight reports than after two: two and more of each would be kept for ten."""


def held() -> float:
    """MiB that are in use, once garbage is gone."""
    gc.collect()
    return allocated()


@pytest.mark.skipif(math.isnan(allocated()), reason="only the C library of GNU tells")
def test_that_reports_leave_nothing_of_their_pages_behind():
    def made(number):
        assert writing.made("pdf", Session.of(Noise, {"epsilon": 1 + number / 100, "trials": 1000}))[:5] == b"%PDF-"

    for number in (0, 1):
        made(number)
    before = held()
    for number in range(2, 8):
        made(number)
    assert held() - before < MOST
