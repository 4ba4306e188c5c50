"""Where the files live that come with the application, modes of those that nobody else may read, and what is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

OWNER_ALONE, OWNERS_FOLDER = 0o600, 0o700
"""Modes of a file that one person alone may read, and of a folder for such files."""


@cache
def resource(name: str) -> Path:
    """The path of a file or folder in `resources`: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "resources", package.parent / "resources"):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"{name} is missing from this installation of DP Studio")


def whether(asked: Callable[[], bool]) -> bool:
    """What is asked of a path, such as `path.exists`: no, where no file can have that name, as one that is too long."""
    try:
        return asked()
    except OSError:
        return False
