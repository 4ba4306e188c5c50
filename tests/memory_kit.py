"""What this process holds, as the system tells it."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path


class _MallInfo(ctypes.Structure):
    """What mallinfo2 of the GNU C library tells."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def resident() -> int:
    """Bytes that this process has in memory, as Linux tells."""
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def allocated() -> float:
    """MiB that the C library has handed out and not got back, whatever it keeps of pages; NaN where it says nothing.

    Small objects of Python are not among them: it has pages of its own for its blocks.
    """
    if (ask := getattr(ctypes.CDLL(None), "mallinfo2", None)) is None:
        return float("nan")
    ask.restype = _MallInfo
    told = ask()
    return (told.uordblks + told.hblkhd) / 2**20


def first_free() -> int:
    """The descriptor that the next file to be opened has."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)
    return descriptor
