"""Writing files so that whoever reads them finds the old one or the new one, never half of either."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic(path: str | Path) -> Iterator[BinaryIO]:
    """A binary file that takes its name only once it is whole; raises OSError naming the path that was asked for."""
    path = Path(path)
    try:
        # Through a link to the file that it names; a device or a pipe cannot be replaced, only written to.
        target = path.resolve()
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as file:
                yield file
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(13, os.strerror(13))
        with _renamed_when_done(target) as file:
            yield file
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error


@contextmanager
def _renamed_when_done(target: Path) -> Iterator[BinaryIO]:
    if target.is_dir():
        raise IsADirectoryError(21, os.strerror(21))
    beside = target.with_name(f".dpstudio-{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
