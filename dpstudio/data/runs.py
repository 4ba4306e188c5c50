"""Outcomes of a command, run in a process apart: without a shell, within a time and within a size."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.outcomes import read_pair
from dpstudio.models.auditing.own import LEAST, MOST, OutcomePair
from dpstudio.text.given import cut
from dpstudio.vocabulary import integers, reals

DRAWS, SECONDS = integers(LEAST, MOST), reals(0.1, 86_400)
"""Outcomes of each dataset, and how long a run may take."""
LIMIT = 60.0
"""Seconds, where nobody says how many."""
EXPECTED = "a program with {data} and {draws} among its arguments that prints so many outcomes, one a line"
_EACH, _SPARE = 100, 2**16
"""Bytes that a run may print: so many for each outcome, and some more."""
_LOOK = 0.02
"""Seconds from one look at a run to the next."""

Arguments = tuple[str, ...]


def arguments_of(command: str, data: str, draws: int) -> Arguments:
    """The program and its arguments, as a shell would split them; nothing else of a shell is done."""
    if not (command.isprintable() and data.isprintable()):  # it is shown before it runs, as it is
        raise InvalidParameter("command", EXPECTED, command, "of signs that can be shown")
    try:
        parts = shlex.split(command)
    except ValueError as error:
        raise InvalidParameter("command", EXPECTED, command, str(error).lower()) from None
    if not parts or not all(any(place in part for part in parts[1:]) for place in ("{data}", "{draws}")):
        raise InvalidParameter("command", EXPECTED, command)
    return tuple(part.replace("{data}", data).replace("{draws}", str(draws)) for part in parts)


def run_pair(runs: tuple[Arguments, Arguments], draws: int, seconds: float = LIMIT,
             stopped: Callable[[], bool] = lambda: False) -> OutcomePair:
    """What both runs print, one after the other; raises InvalidParameter for what a run or its outcomes have wrong."""
    with TemporaryDirectory(prefix="dpstudio-audit-") as folder:
        files = Path(folder) / "outcomes of A", Path(folder) / "outcomes of B"
        for arguments, file in zip(runs, files, strict=True):
            _run(arguments, file, draws, seconds, stopped)
        pair = read_pair(files[0], files[1], stopped=stopped)
    if len(pair.outcomes[0]) != draws and not stopped():
        raise _refused(runs[0], f"it printed {len(pair.outcomes[0])} outcomes in the place of {draws}")
    return pair


def _refused(arguments: Arguments, why: str) -> InvalidParameter:
    return InvalidParameter("command", EXPECTED, shlex.join(arguments), why)


def _run(arguments: Arguments, file: Path, draws: int, seconds: float, stopped: Callable[[], bool]) -> None:
    most, said = _EACH * draws + _SPARE, file.with_suffix(".said")
    with file.open("wb") as out, said.open("wb") as err:
        try:
            process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True, env=_environment())
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise _refused(arguments, f"it cannot be started: {why.lower()}") from None
        try:
            _wait(process, arguments, (out, err), most, seconds, stopped)
        finally:
            _end(process)
    if process.returncode and not stopped():
        last = said.read_bytes()[-2000:].decode("utf-8", "replace").strip().splitlines()
        raise _refused(arguments, f"it ended with status {process.returncode}"
                                  + (f": {cut(last[-1], 200)}" if last else ""))


def _environment() -> dict[str, str] | None:
    """That of this program, but where it is packed: its libraries are no business of others, and it kept the path."""
    if not getattr(sys, "frozen", False):
        return None
    kept = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    before = kept.pop("LD_LIBRARY_PATH_ORIG", None)
    return kept if before is None else kept | {"LD_LIBRARY_PATH": before}


def _wait(process: subprocess.Popen[bytes], arguments: Arguments, files: tuple[IO[bytes], ...], most: int,
          seconds: float, stopped: Callable[[], bool]) -> None:
    """Until it ends; raises InvalidParameter where it prints too much or takes too long."""
    begun = time.monotonic()
    running = True
    while running and not stopped():
        try:
            process.wait(_LOOK)
            running = False
        except subprocess.TimeoutExpired:
            pass
        if max(os.fstat(file.fileno()).st_size for file in files) > most:
            raise _refused(arguments, f"it printed more than {most} bytes")
        if running and time.monotonic() - begun > seconds:
            raise _refused(arguments, f"it took longer than {seconds:g} seconds")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it and what it started: its group is its own."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
