"""The signs that a condition is made of; whatever is no such sign is refused where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import KEYWORDS, shown

LONGEST = 10_000
WHAT = "a condition on the columns"

Sort: TypeAlias = Literal["number", "text", "column", "name", "keyword", "sign", "end"]

_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "<>": "!=", "==": "=", "×": "*", "−": "-"}
_TOKEN = re.compile(r"""
      (?P<number> (?:\d+(?:\.\d*)?|\.\d+) (?:[eE][+-]?\d+)? )
    | '(?P<text> (?:[^']|'')* )'
    | "(?P<column> (?:[^"]|"")+ )"
    | `(?P<ticked> [^`]+ )`
    | (?P<name> [^\W\d]\w* )
    | (?P<refused> -- | /\* | \*/ | ; )
    | (?P<sign> <= | >= | <> | != | == | [-=<>≤≥≠+*/×−(),] )
    """, re.VERBOSE)
_HALF = re.compile("[\ud800-\udfff]")
_REASONS = {";": "a condition is one condition, and ';' has no meaning in it"}
_COMMENT = "a condition has no comments"


@dataclass(frozen=True, slots=True)
class Token:
    """One sign or word, and the place in the text where it begins, counted from 1."""

    sort: Sort
    text: str
    at: int


class InvalidCondition(InvalidParameter):
    """A text that is no condition on these columns, and why not."""

    def __init__(self, given: str, why: str, name: str = "where") -> None:
        self.why = why
        super().__init__(name, WHAT, given, why)


def tokens(text: str) -> Iterator[Token]:
    """The signs of a condition in order, and an end; raises InvalidCondition."""
    if len(text) > LONGEST:
        raise InvalidCondition(text, f"it has more than {LONGEST} characters")
    if half := _HALF.search(text):
        raise InvalidCondition(text, f"{shown(half[0])} at {half.start() + 1} is no text")
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            raise InvalidCondition(text, _nothing(text[at], at + 1))
        if sign := found["refused"]:
            raise InvalidCondition(text, f"{_REASONS.get(sign, _COMMENT)}, at {at + 1}")
        if found["number"] is not None and text[found.end():found.end() + 1].isidentifier():
            raise InvalidCondition(text, f"{shown(text[at:found.end() + 1])} at {at + 1} is no number")
        yield _token(found, at + 1)
        at = found.end()
    yield Token("end", "", len(text) + 1)


def _token(found: re.Match[str], at: int) -> Token:
    if found["number"] is not None:
        return Token("number", found["number"], at)
    if found["text"] is not None:
        return Token("text", found["text"].replace("''", "'"), at)
    if found["column"] is not None:
        return Token("column", found["column"].replace('""', '"'), at)
    if found["ticked"] is not None:
        return Token("column", found["ticked"], at)
    if name := found["name"]:
        keyword = name.lower() in KEYWORDS
        return Token("keyword" if keyword else "name", name.lower() if keyword else name, at)
    return Token("sign", _SIGNS.get(found["sign"], found["sign"]), at)


def _nothing(sign: str, at: int) -> str:
    if sign in "'\"`":
        return f"the quote at {at} is never closed"
    return f"{shown(sign)} at {at} has no meaning in a condition"
