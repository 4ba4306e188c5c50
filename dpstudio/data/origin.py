"""Where a number of a study came from: the file by name and digest, the choices made, and never a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import shown
from dpstudio.vocabulary import integers

AT_MOST = integers(1, 10**6)
"""A bound on the rows of each person."""
MISSING = ("",)
"""Texts that stand for no value, unless others are given."""
ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq")
LONGEST = 10_000
_DIGEST = re.compile(r"[0-9a-f]{64}")
_HALF = re.compile("[\ud800-\udfff]")
"""Halves of a sign, which JSON can state and no file can hold."""
KEYS = ("file", "sha256", "where", "further", "person", "at_most", "missing", "counts", "action", "exact", "moved")
LATER = ("further", "moved")
"""Keys that the first sessions did not have."""


@dataclass(frozen=True, slots=True)
class Origin:
    """How some parameters of a study were counted in a file."""

    file: str
    """Its name, without the folders that lead to it."""
    sha256: str
    where: str
    person: str | None = None
    at_most: int | None = None
    missing: tuple[str, ...] = MISSING
    """Texts that stand for no value."""
    counts: tuple[str, ...] = ("records",)
    """The parameters that are exact counts, and sensitive."""
    action: str | None = None
    """Where the count is of two arms, who was acted upon; `where` says who has the symptom."""
    further: tuple[str, ...] = ()
    """Who has further symptoms, the milder ones."""
    moved: tuple[str, ...] = ()
    """Of the counts, those that a hand has moved since: no exact counts any more, and as sensitive."""
    exact: bool = False
    """Whether these go along where this is written; if not, a default stands in their place."""
    most: int | None = None
    """Records that one person has, where nothing bounds them; read from the data, and therefore never written."""

    def as_json(self) -> dict[str, Any]:
        return {key: list(value) if isinstance(value, tuple) else value
                for key in KEYS for value in (getattr(self, key),) if value or key != "moved"}

    @property
    def sentence(self) -> str:
        """How the number came about, for a report."""
        bound = "" if self.person is None else (
            f", at most {self.at_most} row{'s' if self.at_most != 1 else ''} of each {shown(self.person)}"
            if self.at_most is not None else f", all rows of each {shown(self.person)}")
        where = "".join(sign if sign.isprintable() else " " for sign in "; ".join((self.where, *self.further)))
        arms = "" if self.action is None else f", in the arms without and with {shown(self.action)}"
        return f"counted in {shown(self.file)} where {where}{arms}{bound}"

    @property
    def note(self) -> str:
        """The same, with what an export does about it."""
        names = listed(self.counts)
        if self.exact:
            near = f"; moved by hand since: {listed(self.moved)}" if self.moved else ""
            return f"{names}: exact and sensitive, {self.sentence}{near}"
        return f"{names}: a default stands in for the exact count, left out as sensitive ({self.sentence})"


def read_origin(given: object, parameters: Mapping[str, object]) -> Origin:
    """The origin that a session states, strictly; raises InvalidParameter."""
    if not isinstance(given, dict):
        raise InvalidParameter("data", "an object", given)
    for key in given:
        if key not in KEYS:
            raise InvalidParameter("data", f"an object of {', '.join(KEYS)}", key, "unknown key")
    for key in KEYS:
        if key not in given and key not in LATER:
            raise InvalidParameter("data", f"an object of {', '.join(KEYS)}", sorted(given), f"{key} is missing")
    missing, counts, further = given["missing"], given["counts"], given.get("further", [])
    _need(_is_text(given["file"]) and not re.search(r"[/\\]", given["file"]), "file", "a file name", given)
    _need(_is_text(given["sha256"]) and _DIGEST.fullmatch(given["sha256"]) is not None, "sha256", "a digest", given)
    _need(_is_text(given["where"]), "where", "a condition", given)
    _need(given["person"] is None or _is_text(given["person"]), "person", "a column or null", given)
    bound = given["at_most"]
    _need(bound is None or (type(bound) is int and AT_MOST.accept(bound) is not None and given["person"] is not None),
          "at_most", f"{AT_MOST.phrase} beside a person, or null", given)
    _need(isinstance(missing, list) and len(missing) <= 100
          and all(each == "" or _is_text(each) for each in missing), "missing", "texts", given)
    _need(isinstance(counts, list) and bool(counts)
          and all(isinstance(each, str) and each in parameters for each in counts), "counts", "names of parameters",
          given)
    _need(isinstance(further, list) and len(further) <= 10 and all(map(_is_text, further)), "further", "conditions",
          given)
    moved = given.get("moved", [])
    _need(isinstance(moved, list) and all(isinstance(each, str) and each in counts for each in moved), "moved",
          "names among the counts", given)
    _need(given["action"] is None or _is_text(given["action"]), "action", "a condition or null", given)
    _need(isinstance(given["exact"], bool), "exact", "true or false", given)
    return Origin(given["file"], given["sha256"], given["where"], given["person"], bound, tuple(missing),
                  tuple(counts), given["action"], tuple(further), tuple(moved),
                  given["exact"])


def _is_text(given: object) -> bool:
    return isinstance(given, str) and 0 < len(given) <= LONGEST and not _HALF.search(given)


def _need(good: bool, key: str, expected: str, given: Mapping[str, object]) -> None:
    if not good:
        raise InvalidParameter(f"data {key}", expected, given[key])



def listed(names: Iterable[str]) -> str:
    """“a”, “a and b”, “a, b and c”."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def is_table(path: str) -> bool:
    """Whether a file's name says that it is a table."""
    return path.lower().removesuffix(".gz").endswith(ENDINGS)
