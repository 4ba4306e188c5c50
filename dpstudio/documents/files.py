"""Files are written so that whoever reads finds the old one or the new one, and never half; and read up to a bound."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.resources import OWNER_ALONE
from dpstudio.records import dataclass

if sys.platform != "win32":
    import fcntl

_BESIDE = re.compile(r"\.dpstudio-[0-9a-f]{16}")
_DESCRIPTORS = re.compile(r"/proc/(\d+)(/task/\d+)?/fd|/dev/fd")
_MOST_LINKS = 40
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True)
class FileProgress:
    """How far a file has come that is made in steps; the last one has all of it."""

    done: int
    total: int
    doing: str = ""
    made: bytes | None = None


def read_file(path: str | Path, most: int) -> bytes:
    """The first bytes of an ordinary file, one more than `most` where it has more.

    Raises OSError; for a folder, a pipe or a device at once, without waiting for what it might say.
    """
    with open(path, "rb", buffering=0, opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "No ordinary file", os.fspath(path))
        blocks = []
        while most >= 0 and (block := file.read(most + 1)):
            blocks.append(block)
            most -= len(block)
    return b"".join(blocks)


def _at_once(path: str, flags: int) -> int:
    """A descriptor, for which no pipe waits until somebody writes; `open` itself refuses a folder, and closes it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def ending_of(path: str | Path, *endings: str, told: str) -> str:
    """Which of these the file's name ends in; raises InvalidParameter, which names them as they are `told`."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in endings:
        raise InvalidParameter("output", f"a file name that ends in {told}", str(path))
    return ending


def write_file(path: str | Path, content: bytes | str, *, private: bool = False) -> None:
    """All of a file, text as UTF-8; raises as `atomic` does."""
    with atomic(path, private=private) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def atomic(path: str | Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A binary file that takes its name only once it is whole; raises OSError naming the path that was asked for.

    What is `private` nobody else may read, from its first byte on; else it has the mode of the file that it replaces.
    A device or a pipe, and what the program was given open (/dev/stdout), cannot be replaced: these are written to.
    """
    try:
        descriptor = _given_open(os.fspath(path))
        # Through a link to the file that it names. Unlike Path.resolve, this leaves a ring of links to be refused.
        target = Path(os.path.realpath(path))
        if descriptor is not None:
            with open(os.dup(descriptor), "wb") as file:  # noqa: PTH123 - where it stands, after what is there
                yield file
        elif _DESCRIPTORS.fullmatch(os.path.realpath(Path(path).parent)):  # another program's
            with open(path, "ab") as file:  # noqa: PTH123
                yield file
        elif target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        elif (found := _status(target)) is not None and not stat.S_ISREG(found.st_mode):
            with target.open("wb") as file:
                yield file
        elif found is not None and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        else:
            with _renamed_when_done(target, None if private else found, OWNER_ALONE if private else 0o666) as file:
                yield file
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _given_open(path: str) -> int | None:
    """The number of a descriptor of this program that a path stands for, as /dev/stdout does."""
    for _ in range(_MOST_LINKS):
        folder, name = os.path.realpath(os.path.dirname(path) or "."), os.path.basename(path)  # noqa: PTH119, PTH120
        found = _DESCRIPTORS.fullmatch(folder)
        if found and name.isdecimal() and found[1] in (None, str(os.getpid())):
            return int(name)
        path = os.path.join(folder, name)  # noqa: PTH118
        if not os.path.islink(path):  # noqa: PTH114
            return None
        path = os.path.join(folder, os.readlink(path))  # noqa: PTH115, PTH118
    return None


@contextmanager
def _renamed_when_done(target: Path, found: os.stat_result | None, mode: int) -> Iterator[BinaryIO]:
    _sweep(target.parent)
    file, beside = _locked(target, mode)
    try:
        with file:
            if found is not None:
                beside.chmod(found.st_mode & 0o777)  # before there is anything to be read
            yield file
            file.flush()
            os.fsync(file.fileno())
            if sys.platform == "win32":
                file.close()  # there, nothing open can be renamed
            beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    with suppress(OSError):  # not every file system and no Windows can
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _locked(target: Path, mode: int) -> tuple[BinaryIO, Path]:
    """A new file beside the target, locked for as long as it is open: that is how `_sweep` knows that it is in use."""
    while True:
        beside = target.with_name(f".dpstudio-{os.urandom(8).hex()}")
        file = open(os.open(beside, _NEW, mode), "wb")  # noqa: SIM115, PTH123 - a descriptor
        if sys.platform == "win32":
            return file, beside
        with suppress(OSError):  # not every file system can
            fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return file, beside
        file.close()  # it was swept between two steps of ours


def _sweep(folder: Path) -> None:
    """Remove what programs of ours left in a folder when they were killed: our files, which nobody holds locked."""
    if sys.platform == "win32":
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for each in entries:
            if _BESIDE.fullmatch(each.name):
                _remove_if_left(Path(each.path))


def _remove_if_left(path: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            found = os.fstat(descriptor)
            if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises where its writer is alive
                path.unlink()
        finally:
            os.close(descriptor)
