"""Texts that a person put on a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from dpstudio.core.figure import Figure
from dpstudio.core.results import Span
from dpstudio.scene.axes import place

_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
"""Spaces, control characters, ends of lines and what turns the direction of reading."""


class Text(Protocol):
    """What a session has of a text on a picture."""

    @property
    def figure(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def at(self) -> Span | None: ...


@dataclass(frozen=True, slots=True)
class Note:
    """A text of a picture on one line, and its point as positions on the axes; the picture as a whole has no point."""

    words: str
    at: Span | None
    text: Text
    """As the session has it."""

    def seen(self, x: Span, y: Span) -> bool:
        """Whether its point is in view."""
        return self.at is not None and x[0] <= self.at[0] <= x[1] and y[0] <= self.at[1] <= y[1]


def plain(text: str) -> str:
    """A text on one line, of what can be seen."""
    return _UNSEEN.sub(" ", text).strip()


def notes_of(figure: Figure, texts: Iterable[Text]) -> tuple[Note, ...]:
    """The texts of a figure, in their order."""
    return tuple(Note(plain(each.text),
                      None if each.at is None else (place(each.at[0], figure.x), place(each.at[1], figure.y)), each)
                 for each in texts if each.figure == figure.key)


def beyond(notes: Iterable[Note], x: Span, y: Span) -> str:
    """How many notes have a point that is not in view, as words; empty where all are seen."""
    away = sum(note.at is not None and not note.seen(x, y) for note in notes)
    return f"{away} note{'s' if away > 1 else ''} outside the view" if away else ""
