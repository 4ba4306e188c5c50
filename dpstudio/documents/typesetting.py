"""Pages and formulas, set by typst in a process of their own: the memory that it keeps for the next goes back with it.

    pages, warnings = typeset({"main.typ": source}, fonts=resource("fonts"), format="pdf", timestamp=0)

The process is this program begun anew, with this module alone.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from dpstudio.core.slow import still_awaited

ARGUMENTS = ("-m", "dpstudio.documents.typesetting")
"""With these the program, or Python, is the process that sets."""
_LOOK = 0.1
"""Seconds from one look whether anybody still waits to the next."""


def is_there() -> bool:
    """Whether typst is installed."""
    return find_spec("typst") is not None


def typeset(files: Mapping[str, bytes], *, fonts: Path | None = None, **options: Any) -> tuple[bytes, list[str]]:
    """What typst makes of files by name, “main.typ” first, which can read nothing else; and its warnings.

    It has its own fonts and those of a folder; `options` are those of `typst.compile`. It can be left between two
    looks. Raises RuntimeError where it refuses a file, or is ended; OSError where no process can be had.
    """
    with TemporaryFile() as asked:  # a pipe takes no more from `communicate` after it was left once
        pickle.dump((dict(files), fonts and str(fonts), options), asked)
        asked.seek(0)
        with subprocess.Popen(_command(), stdin=asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=_environment(), creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)) as process:
            try:
                out, said = _heard(process)
            finally:
                process.kill()
    if process.returncode:
        last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise RuntimeError(f"typst ended with status {process.returncode}" + (f": {last}" if last else ""))
    made, warnings = pickle.loads(out)
    if made is None:
        raise RuntimeError(f"typst refuses it: {warnings[0]}")
    return made, warnings


def _heard(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What it says and complains of until it ends; raises where nobody waits for it any more."""
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_LOOK)
        still_awaited()


def _command() -> tuple[str, ...]:
    """Where it is packed the program itself, which knows the arguments; else Python, which adds no folder to its path.
    """
    return (sys.executable, *(() if getattr(sys, "frozen", False) else ("-P",)), *ARGUMENTS)


def _environment() -> dict[str, str]:
    """That of this program, with the places where it finds its modules."""
    return os.environ | {"PYTHONPATH": os.pathsep.join((str(Path(__file__).parents[2]), *filter(None, sys.path)))}


def main() -> int:
    """Set what comes in and hand out what is made of it, with warnings; or nothing, with why it is refused."""
    import typst

    files, folder, options = pickle.load(sys.stdin.buffer)
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[folder] if folder else [])
    with TemporaryDirectory() as root:  # outside of it nothing can be read
        try:
            made, told = typst.compile_with_warnings(files, root=root, font_paths=fonts, ignore_system_fonts=True,
                                                     **options)
        except typst.TypstError as error:
            made, told = None, [error]
    sys.stdout.buffer.write(pickle.dumps((made, [each.message for each in told])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
