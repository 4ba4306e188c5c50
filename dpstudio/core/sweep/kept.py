"""What a long computation has done so far, in a file to which lines are only added.

The first line says which request it is of; each further one has a stretch of cells, their packed numbers to the last
bit, and a checksum under a key. A line that was half written when the program was killed, damaged since, or written by
somebody without the key counts for nothing.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import hmac
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

_FORMAT = 2
"""The first had checksums without a key."""
_SUM = 16
"""Signs of a checksum."""
_ROOM = 4096
"""Bytes of a line for all but its numbers, which take a third more than they have."""


EXPECTED = "a file beside which nothing else was begun"


class InUse(InvalidParameter):
    """Another run is writing there."""


class Kept:
    """Such a file; as a context it is closed at the end, and stays where it is unless it has nothing.

    Raises InvalidParameter where the path holds anything else, or is in use, and OSError where it cannot be written.
    """

    def __init__(self, path: str | Path, key: bytes = b"", mode: int = 0o666) -> None:
        """`mode` is that of a file that is made, less what the person's own mask takes away."""
        self.path = Path(path)
        self._key, self._mode = key, mode
        self.lines: int | None = None
        """How many stretches it has, once it is opened."""
        self.refused = 0
        """How many lines it had that were damaged, or written by somebody else: their cells are computed again."""
        self._file: int | None = None

    def opened(self, digest: str, total: int, each: int) -> Iterator[tuple[int, int, bytes]]:
        """Open it for a request of so many cells of so many bytes each; the stretches that it has, none twice."""
        flags = (getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK"))
        self._file = os.open(self.path, sum(flags, os.O_RDWR | os.O_CREAT), self._mode)
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise self._refused("it is no ordinary file")
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InUse("output", EXPECTED, str(self.path), "it is being written by another run") from None
            except OSError:  # not every file system can
                pass
        head, longest = self._head(digest), total * each * 3 // 2 + _ROOM
        with open(os.dup(self._file), "rb") as file:  # noqa: PTH123 - a descriptor
            first = file.readline(len(head) + 1)
            if first and not head.startswith(first):
                raise self._refused("it holds what another request or another program has done")
            good = len(head) if first == head else 0
            place, lines, seen = good, 0, bytearray(total)
            for line in iter(lambda: file.readline(longest), b"") if good else ():
                begin, place = place, place + len(line)
                found = self._read(line, total, each)
                if found is None and line.endswith(b"\n") and line.strip():
                    self.refused += 1
                    if hasattr(os, "pwrite"):  # so that it is said once
                        os.pwrite(self._file, b" " * (len(line) - 1), begin)
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

    def done(self, digest: str, total: int, each: int) -> int:
        """How many cells of a request it has, without being opened for it; none where it cannot be read."""
        seen, longest = bytearray(total), total * each * 3 // 2 + _ROOM
        with suppress(OSError), self.path.open("rb") as file:
            if file.readline(longest) == self._head(digest):
                for line in iter(lambda: file.readline(longest), b""):
                    if (found := self._read(line, total, each)) is not None:
                        seen[found[0]:found[1]] = b"\1" * (found[1] - found[0])
        return sum(seen)

    @property
    def told(self) -> str:
        """What must be said of what it had, if anything."""
        lines = "line is" if self.refused == 1 else "lines are"
        return f"{self.refused:,} kept {lines} damaged, or of another program; their cells are computed again" \
            if self.refused else ""

    def add(self, begin: int, end: int, raw: bytes) -> None:
        """Keep what cells begin … end came to; raises OSError, with what was kept before as it was."""
        self._write(self._line(b"%d %d %s" % (begin, end, base64.b64encode(zlib.compress(raw, 1)))))
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

    def _head(self, digest: str) -> bytes:
        return self._line(json.dumps({"dpstudio": "sweep", "format": _FORMAT, "request": digest}).encode())

    def _line(self, content: bytes) -> bytes:
        checksum = hashlib.blake2b(content, key=self._key, digest_size=_SUM // 2).hexdigest()
        return b"%s %s\n" % (checksum.encode(), content)

    def _read(self, line: bytes, total: int, each: int) -> tuple[int, int, bytes] | None:
        """The stretch that a line has; None where it is damaged, or no line of ours."""
        content = line[_SUM + 1:-1]
        if not hmac.compare_digest(line, self._line(content)):
            return None
        try:
            first, last, packed = content.split(b" ")
            begin, end = int(first), int(last)
            return (begin, end, _unpacked(packed, (end - begin) * each)) if 0 <= begin < end <= total else None
        except ValueError:
            return None

    def _refused(self, why: str) -> InvalidParameter:
        return InvalidParameter("output", EXPECTED, str(self.path), why)

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


def _unpacked(packed: bytes, size: int) -> bytes:
    """What was compressed, if it has that size; no more than that is ever unpacked. Raises ValueError."""
    packing = zlib.decompressobj()
    try:
        raw = packing.decompress(base64.b64decode(packed, validate=True), size + 1)
    except zlib.error:
        raise ValueError("it is damaged") from None
    if len(raw) != size or not packing.eof:
        raise ValueError("it has another size")
    return raw
