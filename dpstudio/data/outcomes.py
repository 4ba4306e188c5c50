"""Outcomes of somebody's own mechanism, read from two files: one a line, or a column of a table."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG

import numpy as np

from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.models.auditing.own import LEAST, MOST, OutcomePair
from dpstudio.text.given import shown

EXPECTED = "a text file with one outcome on each line, or a CSV table and the name of a column"
LONGEST = 1000
"""Characters of a line."""
_BLOCK = 2**20
_CHUNK = 2**16


def read_pair(first: str | Path, second: str | Path, column: str | None = None,
              stopped: Callable[[], bool] = lambda: False) -> OutcomePair:
    """The outcomes of both files: numbers if all of both are finite numbers, else categories.

    Raises InvalidParameter for what a file has wrong, and for more outcomes of one than of the other.
    """
    paths = Path(first), Path(second)
    for path in paths:
        _check_text(path, stopped)
    found = tuple(_numbers(path, column, stopped) for path in paths)
    kinds: dict[str, int] = {}
    if any(isinstance(each, int) for each in found):
        for path, each in zip(paths, found, strict=True):
            if isinstance(each, int) and each == 1:
                raise refused(path, "its first line alone is no number: a heading, if it is one, takes the name of "
                                    "the column")
        found = tuple(_categories(path, column, kinds, stopped) for path in paths)
    one, other = (np.asarray(each, dtype=np.float64) for each in found)
    if len(one) != len(other):
        raise refused(paths[1], f"both must have as many outcomes, and it has {len(other)} where {paths[0].name} has "
                                f"{len(one)}")
    if len(one) < LEAST:
        raise refused(paths[0], f"it has {len(one)} outcomes, and {LEAST} is the least")
    return OutcomePair((one, other), tuple(kinds))


def refused(path: Path, why: str) -> InvalidParameter:
    return InvalidParameter("outcomes", EXPECTED, path.name, why)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise refused(path, (error.strerror or "it cannot be read").lower()) from None
    except UnicodeDecodeError:
        raise refused(path, "it is not UTF-8 text") from None
    except csv.Error as error:
        raise refused(path, f"it is no table: {error}") from None


def _check_text(path: Path, stopped: Callable[[], bool]) -> None:
    """Refuse what is no text and what has too many lines, before any line is looked at."""
    lines, empty = 0, True
    with _reading(path):
        if not S_ISREG(mode := path.stat().st_mode) and not S_ISDIR(mode):  # a pipe can be read but once
            raise refused(path, "it is no plain file")
    with _reading(path), path.open("rb") as file:
        while (block := file.read(_BLOCK)) and not stopped():
            empty = False
            if b"\0" in block:
                raise refused(path, "it is not text")
            lines += block.count(b"\n")
            if lines > MOST + 1:
                raise refused(path, f"it has more than {MOST} outcomes, the most")
    if empty:
        raise refused(path, "it is empty")


def _lines(path: Path, column: str | None, stopped: Callable[[], bool]) -> Iterator[str]:
    """Every outcome as it is written, without space around it."""
    with _reading(path), path.open(encoding="utf-8-sig", newline="") as file:
        # A line that never ends is not read to its end.
        lines = iter(lambda: file.readline(LONGEST + 2), "")
        cells = _bounded(path, lines) if column is None else _of_column(path, _bounded(path, lines), column)
        for place, cell in enumerate(cells, 1 if column is None else 2):
            if place % _CHUNK == 0 and stopped():
                return
            if not (text := cell.strip()):
                raise refused(path, f"line {place} has no outcome: what is missing takes a word")
            yield text


def _bounded(path: Path, lines: Iterator[str]) -> Iterator[str]:
    for place, line in enumerate(lines, 1):
        if len(line) > LONGEST:
            raise refused(path, f"line {place} has more than {LONGEST} characters")
        yield line


def _of_column(path: Path, lines: Iterator[str], column: str) -> Iterator[str]:
    rows = csv.reader(lines)
    head = [cell.strip() for cell in next(rows, [])]
    if head.count(column) != 1:
        named = ", ".join(shown(cell, 30) for cell in head[:8])
        raise refused(path, f"{head.count(column) or 'none'} of its columns is called {shown(column)}: its first are "
                            f"{named}")
    at = head.index(column)
    for row in rows:
        yield row[at] if at < len(row) else ""


def _numbers(path: Path, column: str | None, stopped: Callable[[], bool]) -> Array | int:
    """All outcomes as numbers, or the line of the first that is none: 1 only where all others are."""
    lines = _lines(path, column, stopped)
    parts: list[Array] = []
    done = 0
    while chunk := list(islice(lines, _CHUNK)):
        bad = _first_text(chunk)
        if bad is not None:
            heading = not done and bad == 0 and len(chunk) > 1 and _first_text(chunk[1:]) is None
            return 1 if heading and column is None else max(done + bad + 1, 2)
        part = np.array(chunk, dtype=np.float64)
        if not np.isfinite(part).all():
            place = int(np.flatnonzero(~np.isfinite(part))[0])
            raise refused(path, f"outcome {done + place + 1} is {chunk[place]}, no finite number: as a category it "
                                "takes a word, such as none")
        parts.append(part)
        done += len(chunk)
    return np.concatenate(parts) if parts else np.empty(0)


def _first_text(chunk: list[str]) -> int | None:
    for place, text in enumerate(chunk):
        try:
            float(text)
        except ValueError:
            return place
    return None


def _categories(path: Path, column: str | None, kinds: dict[str, int], stopped: Callable[[], bool]) -> Array:
    """All outcomes by their place among the kinds, to which new ones are added."""
    return np.fromiter((kinds.setdefault(text, len(kinds)) for text in _lines(path, column, stopped)), np.float64)
