"""The session in an SVG: an XML reader that knows no entities but XML's own, and gives up at a bound."""

from __future__ import annotations

from dpstudio.documents.strict_json import LARGEST

ID = "dpstudio-session"
MOST_ELEMENTS, DEEPEST = 200_000, 100
"""Elements and levels; the largest of ours have some thousands, and six levels."""


class _Enough(Exception):
    """The session is whole, or the file is none of ours."""


class _Target:
    """Collects the text of our element, and counts all else."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.found = False
        self._elements = self._depth = self._length = self._within = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        self._depth += 1
        if self._elements > MOST_ELEMENTS or self._depth > DEEPEST or self._within:
            raise _Enough
        if tag.rpartition("}")[2] == "metadata" and attributes.get("id") == ID:
            self._within = self._depth

    def data(self, words: str) -> None:
        if self._within:
            self._length += len(words)
            if self._length > LARGEST:
                raise _Enough
            self.words.append(words)

    def end(self, _: str) -> None:
        if self._within == self._depth:
            self.found = True
            raise _Enough
        self._depth -= 1


def session(data: bytes) -> str | None:
    """The text of the session, or None where there is none or the file is no well-formed XML up to it."""
    from defusedxml.ElementTree import XMLParser  # rarely needed

    target = _Target()
    try:
        # In one piece: given a file in pieces, expat before 2.6 reads an unfinished word anew with each.
        XMLParser(target=target).feed(data)
    except _Enough:
        return "".join(target.words) if target.found else None
    except (SyntaxError, ValueError, LookupError):  # what is no XML, entities, an encoding that is not known
        return None
    return None
