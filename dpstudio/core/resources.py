"""Where the files live that come with the application, and the modes of those that nobody else may read."""

from __future__ import annotations

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
