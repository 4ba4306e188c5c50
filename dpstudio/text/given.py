"""What was given, as a refusal quotes it: on one line and short, whatever it is and wherever it came from."""

from __future__ import annotations

import re

import numpy as np

HALF = re.compile("[\ud800-\udfff]")
"""Halves of a sign, which JSON and a command line can state and no file can hold."""
_NARROW = "\u00a0\u202f"
"""Spaces within a number or before a unit, which are shown though Python calls them unprintable."""
_SPACE = re.compile(f"[^\\S{_NARROW}]+")
LONGEST = 60
"""Characters of a quotation."""


def shown(given: object, most: int = LONGEST) -> str:
    """The value as Python writes it, cut to so many characters; a number of numpy as a plain one."""
    if isinstance(given, np.generic):
        given = given.item()
    if isinstance(given, str) and len(given) > most:
        # Cut before it is written: it may be all of a large file. Its own class may write itself otherwise.
        given = type(given)(given[:most])
        return repr(given)[:most - 3] + "…"
    try:
        text = repr(given)
    except RecursionError:
        text = f"{type(given).__name__} of many levels"
    except ValueError:  # Python writes no more than some thousand digits
        text = "a number of thousands of digits"
    return cut(text, most)


def cut(text: str, most: int = LONGEST) -> str:
    """Text that is not quoted, on one line of bounded length, with � for signs that nothing can show."""
    if not text.isprintable():
        text = _SPACE.sub(" ", text).strip()
    short = text if len(text) <= most else text[:most - 3] + "…"
    return "".join(sign if sign.isprintable() or sign in _NARROW else "\ufffd" for sign in short)
