"""Memory that is freed goes back to the system."""

from __future__ import annotations

import ctypes
import sys

LARGE = 256 << 10
"""Bytes from which a block has pages of its own, and beyond which what is free at the end of a heap is given back."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Of malloc.h."""


def give_back() -> None:
    """Let the C library, where it is GNU's, keep next to nothing of what is freed.

    Its two thresholds rise with the largest block that was freed, to 32 MiB and 64 MiB (mallopt(3)), and each of a
    dozen threads has a heap of its own: whatever one of them once needed would be kept.
    """
    if sys.platform == "linux" and (choose := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        choose(_MMAP_THRESHOLD, LARGE)
        choose(_TRIM_THRESHOLD, LARGE)
