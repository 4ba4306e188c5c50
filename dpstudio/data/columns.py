"""The columns of a file: their names as the file has them, and what can be done with them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dpstudio.text import given

ValueKind: TypeAlias = Literal["number", "text", "yes or no", "date", "time", "other"]

_NUMBERS = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|UINTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)")
_KINDS: dict[str, ValueKind] = {"VARCHAR": "text", "UUID": "text", "BOOLEAN": "yes or no", "DATE": "date"}
_BARE = re.compile(r"[^\W\d]\w*")
KEYWORDS = frozenset({"and", "or", "not", "in", "is", "missing", "null", "between", "true", "false"})
LISTED = 8
"""Names that a refusal lists before it breaks off."""


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column by its name, and the database's name of its type."""

    name: str
    type: str

    @property
    def kind(self) -> ValueKind:
        if self.type in _KINDS:
            return _KINDS[self.type]
        if self.type.startswith("TIMESTAMP"):
            return "time"
        if self.type.startswith("ENUM"):
            return "text"
        return "number" if _NUMBERS.fullmatch(self.type) else "other"


def identifier(name: str) -> str:
    """A name as the database's language quotes it, whatever it contains."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as the database's language quotes it; it has no other sign that means anything within quotes."""
    return "'" + text.replace("'", "''") + "'"


def written(name: str) -> str:
    """A name as a condition has it: bare where that is a name, else in double quotes."""
    return name if _BARE.fullmatch(name) and name.lower() not in KEYWORDS else identifier(name)


def find(name: str, columns: Iterable[FileColumn]) -> FileColumn | None:
    """The column of that name, or the only one that differs merely in upper and lower case."""
    alike = [column for column in columns if column.name.casefold() == name.casefold()]
    exact = [column for column in alike if column.name == name]
    return exact[0] if exact else alike[0] if len(alike) == 1 else None


def unknown(name: str, columns: Iterable[FileColumn]) -> str:
    """Why there is no such column, and which was probably meant."""
    from difflib import get_close_matches

    names = [column.name for column in columns]
    near = get_close_matches(name, names, n=1)
    if near:
        return f"there is no column {shown(name)}; did you mean {shown(near[0])}?"
    listed = ", ".join(shown(each) for each in names[:LISTED]) + (", …" if len(names) > LISTED else "")
    return f"there is no column {shown(name)}; the columns are {listed}"


def shown(text: str) -> str:
    """What a file said, on one line and short enough to stand among others."""
    return given.shown(text, 40)
