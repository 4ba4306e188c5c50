"""What a long computation has done so far, in a file to which lines are only added.

The first line says which request it is of; each further one has a stretch of cells, their packed numbers to the last
bit, and a checksum. A line that was half written when the program was killed, or damaged since, counts for nothing.
"""

from __future__ import annotations

import base64
import errno
import json
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from dpstudio.core.declare import InvalidParameter

if sys.platform != "win32":
    import fcntl

_FORMAT = 1


class Kept:
    """Such a file; as a context it is closed at the end, and stays where it is unless it has nothing.

    Raises InvalidParameter where the path holds anything else, or is in use, and OSError where it cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.lines: int | None = None
        """How many stretches it has, once it is opened."""
        self._file: int | None = None

    def opened(self, digest: str, total: int) -> Iterator[tuple[int, int, bytes]]:
        """Open it for a request of so many cells; the stretches that it has, none of them twice."""
        flags = (getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK"))
        self._file = os.open(self.path, sum(flags, os.O_RDWR | os.O_CREAT), 0o666)
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise self._refused("it is no ordinary file")
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise self._refused("it is being written by another run") from None
            except OSError:  # not every file system can
                pass
        head = _line(json.dumps({"dpstudio": "sweep", "format": _FORMAT, "request": digest}).encode())
        with open(os.dup(self._file), "rb") as file:  # noqa: PTH123 - a descriptor
            first = file.readline(len(head) + 1)
            if first and not head.startswith(first):
                raise self._refused("it holds what another request or another program has done")
            good = len(head) if first == head else 0
            place, lines, seen = good, 0, bytearray(total)
            for line in file if good else ():
                place += len(line)
                found = _read(line, total)
                if found is not None:
                    good = place
                    if seen.find(1, found[0], found[1]) < 0:
                        seen[found[0]:found[1]] = b"\1" * (found[1] - found[0])
                        lines += 1
                        yield found
        os.ftruncate(self._file, good)
        os.lseek(self._file, good, os.SEEK_SET)
        if not good:
            self._write(head)
        self.lines = lines

    def add(self, begin: int, end: int, raw: bytes) -> None:
        """Keep what cells begin … end came to; raises OSError, with what was kept before as it was."""
        self._write(_line(b"%d %d %s" % (begin, end, base64.b64encode(zlib.compress(raw, 1)))))
        self.lines = 1 + (self.lines or 0)

    def remove(self) -> None:
        """It is needed no more."""
        with suppress(OSError):
            self.path.unlink()
        self.close()

    def close(self) -> None:
        if self.lines == 0:
            self.lines = None
            self.remove()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
                 ) -> None:
        self.close()

    def _refused(self, why: str) -> InvalidParameter:
        return InvalidParameter("output", "a file beside which nothing else was begun", str(self.path), why)

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        before = os.lseek(self._file, 0, os.SEEK_CUR)
        try:
            rest = memoryview(line)
            while rest:
                written = os.write(self._file, rest)
                if not written:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                rest = rest[written:]
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, before)
                os.lseek(self._file, before, os.SEEK_SET)
            raise OSError(error.errno, error.strerror, str(self.path)) from error


def _line(content: bytes) -> bytes:
    return b"%08x %s\n" % (zlib.crc32(content), content)


def _read(line: bytes, total: int) -> tuple[int, int, bytes] | None:
    """The stretch that a line has; None where it is damaged."""
    content = line[9:-1]
    if line != _line(content):
        return None
    begin, end, packed = content.split(b" ")
    found = int(begin), int(end), zlib.decompress(base64.b64decode(packed))
    return found if 0 <= found[0] < found[1] <= total else None
