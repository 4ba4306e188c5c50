"""A batch: one request a line, one answer a line, a refusal in the place of a bad one."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

from dpstudio.cli.request import computed, from_values
from dpstudio.cli.talk import Failure, Refused
from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.files import atomic
from dpstudio.documents.strict_json import LARGEST as LONGEST
from dpstudio.documents.strict_json import NotJson, parse
from dpstudio.documents.tables import document
from dpstudio.text.given import cut, shown


def answer_batch(requests: str, output: str | None, *, tables: bool, simulate: bool) -> None:
    """Answer the requests of a file, or of standard input for `-`; each answer is written before the next is read."""
    with _opened(requests) as source, _writable(output) as target:
        for line in _lines(source):
            target.write(answer(line, tables=tables, simulate=simulate).encode("utf-8") + b"\n")
            target.flush()


def answer(line: bytes | None, *, tables: bool, simulate: bool) -> str:
    """The answer to one request as one line of JSON; None stands for a line that is too long."""
    try:
        if line is None:
            raise Refused(f"a request must have at most {LONGEST} bytes")
        request = parse(line)
        if not isinstance(request, dict):
            raise InvalidParameter("a request", 'an object, {"study": …, "set": {…}}', request)
        for key in request:
            if key not in ("study", "set"):
                raise Refused(f"unknown key {shown(key)}: a request has study and set")
        study = from_values(request.get("study"), request.get("set", {}))
        made = document(study, computed(study, simulate=simulate), tables=tables)
    except NotJson as error:
        made = {"error": f"a request must be JSON: {error}"}
    except (InvalidParameter, Refused) as error:
        made = {"error": str(error)}
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        made = {"error": f"internal error, {type(error).__name__}: {cut(str(error), 200)}"}  # the next may be answered
    return json.dumps(made, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file, None for one that is too long to be a request."""
    while line := _read(source):
        too_long = len(line) > LONGEST
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = _read(source)
        yield None if too_long else line


def _read(source: BinaryIO) -> bytes:
    try:
        return source.readline(LONGEST + 1)
    except OSError as error:
        raise Failure(f"the requests cannot be read: {error.strerror or error}") from None


def _opened(requests: str) -> AbstractContextManager[BinaryIO]:
    if requests == "-":
        return nullcontext(sys.stdin.buffer if sys.stdin else io.BytesIO())
    try:
        return open(requests, "rb")  # noqa: PTH123 - a name, not a path to be built
    except OSError as error:
        raise InvalidParameter("batch", "a file that can be read, or -", requests, error.strerror or "") from None


def _writable(output: str | None) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdout.buffer) if output in (None, "-") else atomic(output)
