"""What the command line says: results on standard output, one line of anything else on standard error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from contextlib import suppress

from dpstudio.core.given import LONGEST, shown


class Refused(ValueError):
    """Input that is refused: one sentence."""


class Failure(Exception):
    """What the machine cannot do: one sentence."""


def say(sentence: str) -> None:
    """One line on standard error, whatever the sentence quotes."""
    printable = "".join(sign if sign.isprintable() else " " for sign in " ".join(sentence.split()))
    with suppress(OSError, ValueError):
        print(f"dpstudio: {printable}", file=sys.stderr, flush=True)


def use_utf8() -> None:
    """Write UTF-8 whatever the locale: output is data."""
    for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def give_up_output() -> None:
    """Let nothing more be written to standard output, not even what is still buffered when Python ends."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def unknown(kind: str, given: str, known: Iterable[str], owner: str) -> Refused:
    """The refusal of a name: what there is and, where one is near, what was probably meant."""
    from difflib import get_close_matches

    names = list(known)
    close = get_close_matches(given[:LONGEST], names, n=1)  # its cost grows with the product of lengths
    meant = f"; did you mean {close[0]!r}?" if close else ""
    return Refused(f"unknown {kind} {shown(given)}: {owner} {', '.join(names)}{meant}")
