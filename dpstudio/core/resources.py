"""Where the files live that come with the application."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def resource(name: str) -> Path:
    """The path of a file or folder in `resources`: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "resources", package.parent / "resources"):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"{name} is missing from this installation of DP Studio")
