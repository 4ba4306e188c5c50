"""What the command line says: results on standard output, one line of anything else on standard error."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from dpstudio.text.given import LONGEST, shown

PATIENCE, EVERY = 0.5, 0.1
"""Seconds until progress is shown, and from one time to the next."""


class Refused(ValueError):
    """Input that is refused: one sentence."""


class Failure(Exception):
    """What the machine cannot do: one sentence."""


def say(sentence: str) -> None:
    """One line on standard error, whatever the sentence quotes; none where that is closed."""
    printable = "".join(sign if sign.isprintable() else " " for sign in " ".join(sentence.split()))
    if sys.stderr is not None:  # to which print would take standard output instead
        with suppress(OSError, ValueError):
            print(f"dpstudio: {printable}", file=sys.stderr, flush=True)


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """What says on one line of a terminal how far long work is, and takes the line away in the end."""
    began = shown = time.monotonic()
    terminal = not quiet and sys.stderr is not None and sys.stderr.isatty()

    def show(text: str) -> None:
        nonlocal shown
        now = time.monotonic()
        if terminal and now - began > PATIENCE and now - shown > EVERY:
            shown = now
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown > began:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def prepare_streams() -> None:
    """Write UTF-8 whatever the locale, for output is data; and either all of it or fail.

    Unbuffered, as PYTHONUNBUFFERED has it, Python passes over what one write of the system leaves: the rest of an
    answer would be lost without an error. A buffer writes on until all is written.
    """
    _occupy_descriptors()
    raw: io.RawIOBase | None = None
    if sys.stdout is None:  # closed: whoever writes to it shall fail
        raw = io.FileIO(1, "w", closefd=False)
    elif sys.stdout is sys.__stdout__ and isinstance(buffer := getattr(sys.stdout, "buffer", None), io.RawIOBase):
        raw = buffer
    if raw is not None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw))
    for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def _occupy_descriptors() -> None:
    """Let no file that is opened later become a standard stream, to which libraries write by its number."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDONLY)  # takes the lowest number that is free, and cannot be written to


def give_up_output() -> None:
    """Let nothing more be written to standard output, not even what is still buffered when Python ends."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def wants_json(form: str | None) -> bool:
    """Whether that is said, or nothing is and no terminal shows it."""
    return form == "json" or (form is None and not sys.stdout.isatty())


def hand_over(text: str, output: str | None) -> None:
    """Write to a file that is there in full or not at all, or to standard output for none and for `-`."""
    if output is None or output == "-":
        sys.stdout.write(text)
    else:
        from dpstudio.documents.files import write_file

        write_file(output, text)


def unknown(kind: str, given: str, known: Iterable[str], owner: str) -> Refused:
    """The refusal of a name: what there is and, where one is near, what was probably meant."""
    from difflib import get_close_matches

    names = list(known)
    close = get_close_matches(given[:LONGEST], names, n=1)
    meant = f"; did you mean {close[0]!r}?" if close else ""
    return Refused(f"unknown {kind} {shown(given)}: {owner} {', '.join(names)}{meant}")
