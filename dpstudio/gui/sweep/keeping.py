"""Where the window keeps what its sweeps have done, so that they go on after Cancel, a restart or a crash.

A file for each question, of the form that the command line keeps beside its output, in the program's own folder and for
its owner alone. They go when they are old, or many, or large.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from dpstudio.core.resources import OWNER_ALONE, OWNERS_FOLDER
from dpstudio.core.sweep import Kept, Plan
from dpstudio.core.sweep.cells import BYTES
from dpstudio.data.secret import keyed
from dpstudio.gui.shell.settings import data_folder

DAYS, FILES, MOST_BYTES = 30, 100, 256 * 2**20
"""How long a sweep is kept after it was last looked at, how many are, and how large all of them may be."""
COUNTED = "counted-"
"""What the names begin with of those that were computed with an exact count of data."""
READ = 2**22
"""Bytes of a file of which the window sees at once how much is done."""


def folder() -> Path:
    return data_folder() / "sweeps"


def _path(plan: Plan, counted: bool) -> Path:
    return folder() / f"{COUNTED * counted}{plan.digest}.part"


def kept_for(plan: Plan, *, counted: bool) -> Kept:
    """The file of a question; raises OSError where there can be none."""
    folder().mkdir(mode=OWNERS_FOLDER, parents=True, exist_ok=True)
    path = _path(plan, counted)
    with suppress(OSError):
        os.utime(path, follow_symlinks=False)  # it is looked at now
    # Under a key of this machine: what anybody else wrote there is computed again.
    return Kept(path, keyed(plan.digest).encode(), OWNER_ALONE)


def done(plan: Plan, *, counted: bool) -> int:
    """How many cells of a question are kept; none where that cannot be seen at once."""
    path = _path(plan, counted)
    with suppress(OSError):
        if path.stat().st_size <= READ:
            kept = Kept(path, keyed(plan.digest).encode())
            return kept.done(plan.digest, plan.total, BYTES * len(plan.facts))
    return 0


def tidy(*, exact_counts: bool, but: Path | None = None) -> None:
    """Remove what is too old, too much, or of counts that files leave out."""
    found: list[tuple[float, int, Path]] = []
    with suppress(OSError):
        for path in folder().iterdir():
            with suppress(OSError):
                known = path.lstat()
                found.append((known.st_mtime, known.st_size, path))
    room, oldest = MOST_BYTES, time.time() - DAYS * 86_400
    for place, (used, size, path) in enumerate(sorted(found, reverse=True)):
        room -= size
        hidden = path.name.startswith(COUNTED) and not exact_counts
        if path != but and (hidden or used < oldest or place >= FILES or room < 0):
            with suppress(OSError):
                path.unlink()
