"""Where numbers of a study came from: typed, counted in a table, or found from what was counted.

A number that is neither counted nor found has no origin: a person typed it, or it is a default. What follows from a
count is as sensitive as the count, for the one can be computed from the other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import shown
from dpstudio.data.secret import keyed
from dpstudio.records import dataclass
from dpstudio.text.given import HALF
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import integers

AT_MOST = integers(1, 10**6)
"""A bound on the rows of each person."""
MOST_BY = 2
"""Columns by which groups are counted."""
MISSING = ("",)
"""Texts that stand for no value, unless others are given."""
ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq")
LONGEST = 10_000
_DIGEST = re.compile(r"[0-9a-f]{64}")
SHARED = ("counts", "exact", "at_most", "persons")
"""Keys of what is said to everybody: what was counted, not where."""
OPTIONAL = ("moved", "follows", "by", "of")
"""Keys that are left out where there is nothing to say."""
KEYS = ("file", "digest", "where", "further", "person", "at_most", "missing", "counts", "action", "exact", *OPTIONAL)
"""Keys of what it takes to count again."""
FIRST = ("file", "sha256", "where", "further", "person", "at_most", "missing", "counts", "action", "exact")
"""Keys of the first format, which stated the plain digest of the table."""
LATER = ("further",)
"""Keys that the first sessions did not have."""


@dataclass(frozen=True, slots=True)
class Origin:
    """How some parameters of a study were counted in a file."""

    file: str
    """Its name, without the folders that lead to it; empty where that is not told."""
    sha256: str
    """The digest of its bytes, empty where it is not known: never written, for it lets rows be guessed."""
    where: str
    """Which rows count; all where it is empty, as it may be where groups or values were counted."""
    person: str | None = None
    """The column that identifies a person, if there is one; empty where it is not told."""
    at_most: int | None = None
    missing: tuple[str, ...] = MISSING
    """Texts that stand for no value."""
    counts: tuple[str, ...] = ("records",)
    """The parameters that are exact counts, and sensitive."""
    action: str | None = None
    """Where the count is of two arms, who was acted upon; `where` says who has the symptom."""
    further: tuple[str, ...] = ()
    """Who has further symptoms, the milder ones."""
    exact: bool = False
    """Whether these go along where this is written; if not, a default stands in their place."""
    most: int | None = None
    """Records that one person has, where nothing bounds them; read from the data, and therefore never written."""
    kept_digest: str = ""
    """What a session states of the digest, under the key of the machine that it was saved on."""
    moved: tuple[str, ...] = ()
    """Of all these, those that a hand has moved since: no exact counts any more, and as sensitive."""
    follows: tuple[str, ...] = ()
    """The parameters that were found where a count took part: solved for, matched, read off a picture."""
    by: tuple[str, ...] = ()
    """The columns by whose values groups were counted, if they were."""
    of: str = ""
    """The column whose numbers were counted, if they were."""

    @property
    def told(self) -> bool:
        """Whether it says where to count again."""
        return bool(self.file)

    @property
    def names(self) -> tuple[str, ...]:
        """All parameters whose values are sensitive: the counts, and what follows from them."""
        return self.counts + self.follows

    def besides(self, names: Collection[str]) -> Origin | None:
        """The same without these parameters, whose values are others now; None where nothing is left."""
        counts, follows, moved = (tuple(name for name in kept if name not in names)
                                  for kept in (self.counts, self.follows, self.moved))
        return replace(self, counts=counts, follows=follows, moved=moved) if counts or follows else None

    @property
    def digest(self) -> str:
        """The digest under the key of this machine, or of the one that saved it; empty where there is none."""
        return self.kept_digest or keyed(self.sha256)

    @property
    def leaving(self) -> Origin:
        """What pictures, data and reports say of it: all where exact counts go along, else neither table nor condition.
        """
        if self.exact:
            return self
        return Origin("", "", "", None if self.person is None else "", self.at_most, counts=self.counts,
                      follows=self.follows)

    def is_of(self, sha256: str) -> bool:
        """Whether it was counted in the table of this digest, as far as can be told."""
        return self.sha256 == sha256 if self.sha256 else bool(self.kept_digest) and self.kept_digest == keyed(sha256)

    def as_json(self) -> dict[str, Any]:
        stated = {key: getattr(self, key) for key in KEYS if key not in OPTIONAL or getattr(self, key)}
        if not self.told:
            stated = {"counts": self.counts, "exact": self.exact, "at_most": self.at_most,
                      "persons": self.person is not None} | ({"follows": self.follows} if self.follows else {})
        return {key: list(value) if isinstance(value, tuple) else value for key, value in stated.items()}

    @property
    def sentence(self) -> str:
        """How the number came about, for a report."""
        by = "person" if self.person == "" else shown(self.person or "")
        bound = "" if self.person is None else (
            f", at most {self.at_most} row{'s' if self.at_most != 1 else ''} of each {by}"
            if self.at_most is not None else f", all rows of each {by}")
        if not self.told:
            return f"counted in people’s data{bound}"
        texts = "".join(sign if sign.isprintable() else " " for sign in "; ".join((self.where, *self.further)))
        where = f" where {texts}" if texts else ""
        arms = "" if self.action is None else f", in the arms without and with {shown(self.action)}"
        by = f" by {listed(map(shown, self.by))}" if self.by else ""
        of = f"{shown(self.of)} of " if self.of else ""
        return f"counted in {of}{shown(self.file)}{by}{where}{arms}{bound}"

    @property
    def note(self) -> str:
        """The same, with what an export does about it."""
        told = []
        if self.exact:
            if self.counts:
                told.append(f"{listed(self.counts)}: exact and sensitive, {self.sentence}")
            if self.follows:
                told.append(f"{listed(self.follows)}: found from what was counted, and as sensitive"
                            + ("" if self.counts else f", {self.sentence}"))
            if self.moved:
                told.append(f"moved by hand since: {listed(self.moved)}")
            return "; ".join(told)
        if self.counts:
            told.append(f"{listed(self.counts)}: a default stands in for the exact count, left out as sensitive "
                        f"({self.sentence})")
        if self.follows:
            told.append(f"{listed(self.follows)}: a default stands in for what was found from a count, left out as "
                        "sensitive" + ("" if self.counts else f" ({self.sentence})"))
        return "; ".join(told)


def read_origin(given: object, parameters: Mapping[str, object], *, first: bool = False) -> Origin:
    """The origin that a session states, strictly; raises InvalidParameter. `first` is for one of the first format."""
    if not isinstance(given, dict):
        raise InvalidParameter("data", "an object", given)
    keys = FIRST if first else KEYS if "file" in given else (*SHARED, "follows")
    shared = "file" not in given and not first
    for key in given:
        if key not in keys:
            raise InvalidParameter("data", f"an object of {', '.join(keys)}", key, "unknown key")
    for key in keys:
        if key not in given and key not in OPTIONAL and not (first and key in LATER):
            raise InvalidParameter("data", f"an object of {', '.join(keys)}", sorted(given), f"{key} is missing")
    counts, bound = given["counts"], given["at_most"]
    persons = given["persons"] if shared else given["person"] is not None
    _need(isinstance(persons, bool), "persons", "true or false", given)
    _need(bound is None or (type(bound) is int and AT_MOST.accept(bound) is not None and persons),
          "at_most", f"{AT_MOST.phrase} beside a person, or null", given)
    follows = given.get("follows", [])
    _need(isinstance(follows, list) and all(isinstance(each, str) and each in parameters for each in follows)
          and len({*follows}) == len(follows), "follows", "different names of parameters", given)
    _need(isinstance(counts, list) and bool(counts or follows)
          and all(isinstance(each, str) and each in parameters and each not in follows for each in counts)
          and len({*counts}) == len(counts), "counts", "different names of parameters", given)
    _need(isinstance(given["exact"], bool), "exact", "true or false", given)
    if shared:
        return Origin("", "", "", "" if persons else None, bound, counts=tuple(counts), exact=given["exact"],
                      follows=tuple(follows))
    missing, further, digest = given["missing"], given.get("further", []), given[keys[1]]
    _need(_is_text(given["file"]) and not re.search(r"[/\\]", given["file"]), "file", "a file name", given)
    _need((not first and digest == "") or (_is_text(digest) and _DIGEST.fullmatch(digest) is not None), keys[1],
          "a digest", given)
    by, of = given.get("by", []), given.get("of", "")
    _need(isinstance(by, list) and len(by) <= MOST_BY and all(map(_is_text, by)) and len({*by}) == len(by), "by",
          f"at most {MOST_BY} different columns", given)
    _need(of == "" or (_is_text(of) and not by), "of", "a column, and none beside by", given)
    _need(_is_text(given["where"]) or (given["where"] == "" and bool(by or of)), "where", "a condition", given)
    _need(given["person"] is None or _is_text(given["person"]), "person", "a column or null", given)
    _need(isinstance(missing, list) and len(missing) <= 100
          and all(each == "" or _is_text(each) for each in missing), "missing", "texts", given)
    _need(isinstance(further, list) and len(further) <= 10 and all(map(_is_text, further)), "further", "conditions",
          given)
    moved = given.get("moved", [])
    _need(isinstance(moved, list) and all(isinstance(each, str) and each in (*counts, *follows) for each in moved),
          "moved", "names among the counts", given)
    _need(given["action"] is None or _is_text(given["action"]), "action", "a condition or null", given)
    return Origin(given["file"], digest if first else "", given["where"], given["person"], bound, tuple(missing),
                  tuple(counts), given["action"], tuple(further), given["exact"], None, "" if first else digest,
                  tuple(moved), tuple(follows), tuple(by), of)


def _is_text(given: object) -> bool:
    return isinstance(given, str) and 0 < len(given) <= LONGEST and not HALF.search(given)


def _need(good: bool, key: str, expected: str, given: Mapping[str, object]) -> None:
    if not good:
        raise InvalidParameter(f"data {key}", expected, given[key])


def is_table(path: str) -> bool:
    """Whether a file's name says that it is a table."""
    return path.lower().removesuffix(".gz").endswith(ENDINGS)
