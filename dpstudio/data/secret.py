"""A key that stays on this machine: what it makes of a digest tells a table from another here, and nothing elsewhere.

Whoever knows all rows of a table but one could test guesses against a plain digest. HMAC-SHA256 of it (RFC 2104) is as
good as random to whoever has no key, and the key is kept beside the settings, readable by its owner alone.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from dpstudio.core.resources import OWNER_ALONE, OWNERS_FOLDER

NAME, LENGTH = "table-key", 32


def folder() -> Path:
    """Where settings live on this machine; raises RuntimeError where there is no home."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "dpstudio"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "dpstudio"


def keyed(digest: str) -> str:
    """The digest under the key, in hexadecimal; empty for an empty one, and where no key can be kept."""
    if not digest:
        return ""
    try:
        key = _kept(folder() / NAME)
    except (OSError, RuntimeError):  # no place to keep it, or no home
        return ""
    import hmac  # with all of OpenSSL: whoever has no data does not wait for it

    return hmac.digest(key, digest.encode(), "sha256").hex() if key else ""


def _kept(path: Path) -> bytes:
    """The key, made at the first time; empty where what is there is none of ours. Raises OSError."""
    with suppress(FileNotFoundError):
        return _read(path)
    import secrets  # as above

    path.parent.mkdir(mode=OWNERS_FOLDER, parents=True, exist_ok=True)
    beside = path.with_name(f".{NAME}-{secrets.token_hex(8)}")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE), "wb") as file:  # noqa: PTH123
            file.write(secrets.token_bytes(LENGTH))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process was faster, and its key is the one
            os.link(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink()
    return _read(path)


def _read(path: Path) -> bytes:
    """What the file holds, if nobody else may read it."""
    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))

    with open(path, "rb", opener=opener) as file:
        found = os.fstat(file.fileno())
        shared = os.name == "posix" and (found.st_uid != os.geteuid() or found.st_mode & 0o077)
        key = b"" if shared or not stat.S_ISREG(found.st_mode) else file.read(LENGTH + 1)
    return key if len(key) == LENGTH else b""
