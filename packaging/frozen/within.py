"""The terms of what is packed besides distributions: the interpreter, the starter, libraries of the system."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from importlib.metadata import distribution
from pathlib import Path


def texts(libraries: Sequence[Path], folder: Path) -> list[Path]:
    """Files with the terms of the interpreter, of its starter and of these libraries, written anew into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    places = (sysconfig.get_path("stdlib"), sys.base_prefix)
    python = next(path for place in places for path in sorted(Path(place).glob("LICENSE*")))
    starter = next(path for path in distribution("pyinstaller").files or () if path.name == "COPYING.txt")
    found = {"Python": python, "PyInstaller, which starts the program": Path(str(starter.locate()))}
    if sys.platform == "linux":
        found |= {package: Path("/usr/share/doc", package, "copyright") for package in packages(libraries)}
    for name, path in found.items():
        shutil.copyfile(path, folder / f"{name}.txt")
    return sorted(folder.iterdir())


def packages(libraries: Sequence[Path]) -> list[str]:
    """The Debian packages that these files are of; files that no package has are passed over."""
    asked = sorted({str(path.resolve()) for path in libraries if not path.is_relative_to(sys.prefix)})
    # Where /lib is /usr/lib, either name may be the one that is known.
    asked += [path.removeprefix("/usr") for path in asked if path.startswith("/usr/lib")]
    said = subprocess.run(["dpkg-query", "--search", *asked], capture_output=True, text=True, check=False).stdout
    return sorted({line.partition(":")[0] for line in said.splitlines() if ":" in line})
