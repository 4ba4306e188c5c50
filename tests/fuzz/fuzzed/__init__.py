"""Every door of the program by which something may come from anybody, with what must be true of whatever comes.

    DOORS["sessions"].check(b"…")     raises where the program crashes, or keeps no promise

`run.py` tries them with inputs that new paths through the program lead to, the suite with few of Hypothesis.
"""

from __future__ import annotations

from fuzzed import files, line, pages, sessions, tables, words
from fuzzed.kit import Door

DOORS: dict[str, Door] = {door.name: door for door in (
    *words.DOORS, *sessions.DOORS, *files.DOORS, *tables.DOORS, *line.DOORS, *pages.DOORS)}
