"""How soon a thread that computes lets the others have the interpreter.

By the usual 5 ms a window paints with hitches, and what processes have computed is fetched late: whatever computes lets
go of the interpreter for moments, at which the wait of the others begins anew (CPython, `Python/ceval_gil.h`), so that
a result of 400 kB took up to two seconds, and who had computed it had nothing to do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

TURN = 0.0005
"""Seconds after which it does."""


@contextmanager
def giving_turns() -> Iterator[None]:
    """Meanwhile a thread has its turn after `TURN`."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(TURN, before))
    try:
        yield
    finally:
        sys.setswitchinterval(before)
