"""The columns of a file: their names as the file has them, and what can be done with them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from dpstudio.records import dataclass
from dpstudio.text import given
from dpstudio.text.sentences import listed

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


def folded(name: str) -> str:
    """A name without upper and lower case, spaces around it and ways to write an accent; no database folds more."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).strip().casefold())


def find(name: str, columns: Iterable[FileColumn]) -> FileColumn | None:
    """The column of that name: no two of a file have names that are folded to the same."""
    wanted = folded(name)
    return next((column for column in columns if folded(column.name) == wanted), None)


def not_apart(written: Sequence[str | None], read: Sequence[str]) -> str | None:
    """Why names do not tell columns apart: as the file has them, None for one without a name, and as they are read.

    None where each name means one column. The database gives a column whose name is taken another, which the file
    never had, and its own to one without: a condition on a name would then count in another column than it says.
    """
    alike: dict[str, list[int]] = {}
    for i, name in enumerate(written):
        if name is not None and name.strip():
            alike.setdefault(folded(name), []).append(i)
    for same in alike.values():
        if len(same) > 1:
            names = list(dict.fromkeys(shown(str(written[i])) for i in same[:LISTED]))
            return (f"columns {_places(same)} are called {listed(names)}: give each a name that differs by more than "
                    "upper and lower case" + ", spaces around it or the spelling of an accent" * (len(names) > 1))
    for name, (at, *_) in alike.items():
        if folded(read[at]) != name:
            instead = [i for i, other in enumerate(read) if folded(other) == name]
            taken = f"is what column {_places(instead)} is called here, having none" if instead else "cannot be read"
            return f"the name of column {at + 1}, {shown(str(written[at]))}, {taken}: give each a name of its own"
    return None


def unnamed(written: Sequence[str | None], read: Sequence[str]) -> str | None:
    """What columns without a name are called, None where each has one."""
    without = [i for i, name in enumerate(written) if name is None or not name.strip()]
    if not without:
        return None
    names = listed([*map(shown, (read[i] for i in without[:LISTED])), *["…"] * (len(without) > LISTED)])
    have, are = ("Columns", "have no name and are") if len(without) > 1 else ("Column", "has no name and is")
    return f"{have} {_places(without)} {are} called {names} here."


def _places(at: Sequence[int]) -> str:
    """Where columns stand, counted from 1: “1, 3 and 4”."""
    return listed([*(str(i + 1) for i in at[:LISTED]), *["…"] * (len(at) > LISTED)])


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
