"""A batch: one request a line, one answer a line, a refusal in the place of a bad one."""

from __future__ import annotations

import io
import json
import select
import sys
from collections import deque
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, BinaryIO, TypeAlias

from dpstudio.cli.request import FEARED, computed, feared, from_values, read_facts
from dpstudio.cli.talk import Failure, Refused
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import FactPlace
from dpstudio.core.study import Study
from dpstudio.core.workers import Here, Jobs, Workers, WorkersFailed
from dpstudio.documents.files import atomic
from dpstudio.documents.strict_json import LARGEST as LONGEST
from dpstudio.documents.strict_json import NotJson, parse
from dpstudio.documents.tables import document
from dpstudio.text.given import cut, shown
from dpstudio.text.sentences import listed

Block: TypeAlias = tuple[int, tuple[bytes | None, ...]]
"""The place of the first of some requests among all, and these; None for one that is too long."""
_BLOCK_SECONDS = 0.1
_WINDOW = 128
"""Requests for each worker that are read ahead of the answers."""
_READ = 2**16


def answer_batch(requests: str, output: str | None, workers: Workers, *, tables: bool, simulate: bool) -> None:
    """Answer the requests of a file, or of standard input for `-`, in their order.

    What is there is answered before more is waited for: who sends the next request only after an answer gets it.
    """
    with _opened(requests) as source, _writable(output) as target:
        lines, waiting = _Lines(source), dict[int, list[str]]()
        task = partial(_answers, tables=tables, simulate=simulate, quiet=not isinstance(workers, Here))
        try:
            for done in workers.run(task, lines):
                if done is not None:
                    (first, _), waiting[first] = done
                while lines.answered in waiting:
                    answers = waiting.pop(lines.answered)
                    lines.answered += len(answers)
                    target.write("".join(f"{each}\n" for each in answers).encode("utf-8"))
                    target.flush()
        except WorkersFailed as failure:
            raise Failure(str(failure)) from None


def _answers(block: Block, *, tables: bool, simulate: bool, quiet: bool) -> list[str]:
    return [answer(line, tables=tables, simulate=simulate, quiet=quiet) for line in block[1]]


def answer(line: bytes | None, *, tables: bool, simulate: bool, quiet: bool = False) -> str:
    """The answer to one request as one line of JSON; None stands for a line that is too long."""
    try:
        if line is None:
            raise Refused(f"a request must have at most {LONGEST} bytes")
        request = parse(line)
        if not isinstance(request, dict):
            raise InvalidParameter("a request", 'an object, {"study": …, "set": {…}}', request)
        for key in request:
            if key not in ("study", "set", "facts", *FEARED):
                raise Refused(f"unknown key {shown(key)}: a request has study and set, and may have facts, "
                              f"{listed(FEARED)}")
        study = from_values(request.get("study"), request.get("set", {}),
                            feared({key: _text(key, request.get(key)) for key in FEARED}))
        asked = _facts(study, request["facts"], simulate=simulate) if "facts" in request else None
        update = computed(study, simulate=simulate, quiet=quiet)
        made = document(study, update, tables=tables, asked=update.answer.keys_asked(aside=False)
                        if asked is None else asked)
    except NotJson as error:
        made = {"error": f"a request must be JSON: {error}"}
    except (InvalidParameter, Refused) as error:
        made = {"error": str(error)}
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        made = {"error": f"internal error, {type(error).__name__}: {cut(str(error), 200)}"}  # the next may be answered
    return _written(made)


def _text(key: str, given: object) -> str | None:
    """What a request says where the command line has a flag: a text, or a number."""
    if isinstance(given, bool) or not isinstance(given, str | float | int | None):
        raise InvalidParameter(key, "a text or a number", given)
    return None if given is None else str(given)


def _facts(study: Study, asked: object, *, simulate: bool) -> tuple[FactPlace, ...]:
    """The facts of a request by keys of quantity and series."""
    if not isinstance(asked, list) or not all(isinstance(each, str) for each in asked):
        raise InvalidParameter("facts", 'a list of KEY or "KEY@SERIES"', asked)
    found = read_facts(type(study), asked)
    for key, of in found:
        if study.answers().declaration(key, of).simulated and not simulate:
            raise Refused(f"{key} is drawn: --simulate gives it")
    return found


def _written(made: dict[str, Any]) -> str:
    return json.dumps(made, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class _Lines(Jobs[Block]):
    """Requests in blocks, as far as they are there, and no more than a window of them ahead of the answers."""

    def __init__(self, source: io.RawIOBase | BinaryIO) -> None:
        self._source = source
        self._there: deque[bytes | None] = deque()
        self._tail: bytes | None = b""
        """The beginning of a line that is not there in full; None at the end."""
        self._taken = self.answered = 0
        self._pace = _BLOCK_SECONDS

    def take(self, seconds: float, workers: int) -> Block | None:  # noqa: ARG002 - nobody knows what is to come
        size = max(int(_BLOCK_SECONDS / self._pace), 1)
        ahead = self._taken - self.answered
        lines: list[bytes | None] = []
        while len(lines) < min(size, _WINDOW * workers - ahead) and self._fetched(wait=not (lines or ahead)):
            lines.append(self._there.popleft())
        self._taken += len(lines)
        return (self._taken - len(lines), tuple(lines)) if lines else None

    def _fetched(self, *, wait: bool) -> bool:
        """Whether there is a line; with `wait` there is one unless they have ended."""
        while not self._there and self._tail is not None and (wait or _ready(self._source)):
            read = _read(self._source)
            *lines, self._tail = (self._tail + read).split(b"\n") if read else (self._tail, None)
            for line in lines:
                if read or line:
                    self._there.append(None if len(line) > LONGEST else line + b"\n")
            if self._tail is not None:
                self._tail = self._tail[:LONGEST + 1]  # of a line that is too long no more is kept
        return bool(self._there)

    def took(self, job: Block, seconds: float) -> None:
        self._pace += (max(seconds, 1e-6) / len(job[1]) - self._pace) * 0.3

    def halves(self, job: Block) -> tuple[Block, ...]:
        first, lines = job
        middle = len(lines) // 2
        return ((first, lines[:middle]), (first + middle, lines[middle:])) if middle else ()

    def lost(self, job: Block) -> list[str]:  # noqa: ARG002
        return [_written({"error": "every process that computed this was ended from outside, or ran out of memory"})]


def _ready(source: io.RawIOBase | BinaryIO) -> bool:
    """Whether it can be read without waiting."""
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError, TypeError):  # no descriptor, or a system that knows this of sockets alone
        return True


def _read(source: io.RawIOBase | BinaryIO) -> bytes:
    try:
        return source.read(_READ) or b""
    except OSError as error:
        raise Failure(f"the requests cannot be read: {error.strerror or error}") from None


def _opened(requests: str) -> AbstractContextManager[io.RawIOBase | BinaryIO]:
    if requests == "-":
        buffer = sys.stdin.buffer if sys.stdin else io.BytesIO()
        return nullcontext(getattr(buffer, "raw", buffer))  # what a buffer has read already, nobody can ask it
    try:
        return open(requests, "rb", buffering=0)  # noqa: PTH123 - a name, not a path to be built
    except OSError as error:
        raise InvalidParameter("batch", "a file that can be read, or -", requests, error.strerror or "") from None


def _writable(output: str | None) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdout.buffer) if output in (None, "-") else atomic(output)
