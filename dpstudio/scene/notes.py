"""Texts that a person put on a picture: how their lines break, and which box is free."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpstudio.core.figure import Figure
from dpstudio.core.results import Span
from dpstudio.records import dataclass
from dpstudio.scene.axes import place
from dpstudio.scene.frame import Box, Points, covered

AWAY = (14.0, 30.0, 54.0)
"""From a point to the box of its text, in pixels or points, the nearest first."""
WIDEST, HIGHEST = 0.45, 0.75
"""Parts of a picture's width and height that one box may take."""
GRID = 9
"""Places across and down that are tried besides those around the point."""
FAR = 25.0
"""Pixels or points from a point to its box that are as bad as to cover a curve."""
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
"""Spaces, control characters, ends of lines and what turns the direction of reading."""


class NoteText(Protocol):
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
    text: NoteText
    """As the session has it."""

    def seen(self, x: Span, y: Span) -> bool:
        """Whether its point is in view."""
        return self.at is not None and x[0] <= self.at[0] <= x[1] and y[0] <= self.at[1] <= y[1]


def plain(text: str) -> str:
    """A text on one line, of what can be seen."""
    return _UNSEEN.sub(" ", text).strip()


def notes_of(figure: Figure, texts: Iterable[NoteText]) -> tuple[Note, ...]:
    """The texts of a figure, in their order."""
    return tuple(Note(plain(each.text),
                      None if each.at is None else (place(each.at[0], figure.x), place(each.at[1], figure.y)), each)
                 for each in texts if each.figure == figure.key)


def beyond(notes: Iterable[Note], x: Span, y: Span) -> str:
    """How many notes have a point that is not in view, as words; empty where all are seen."""
    away = sum(note.at is not None and not note.seen(x, y) for note in notes)
    return f"{away} note{'s' if away > 1 else ''} outside the view" if away else ""


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note with its lines and their box, in pixels or points, and where its point is."""

    note: Note
    lines: tuple[str, ...]
    box: Box
    point: tuple[float, float]

    @property
    def leader(self) -> tuple[float, float, float, float]:
        """From the point to the nearest place of the box."""
        x, y = self.point
        return x, y, min(max(x, self.box[0]), self.box[2]), min(max(y, self.box[1]), self.box[3])


def wrapped(words: str, width_of: Callable[[str], float], within: float, most: int) -> tuple[str, ...]:
    """The words in lines of at most that width, broken between words and inside longer ones; “…” ends the last of
    `most` lines where there are more."""
    lines, left = list[str](), words
    while left and len(lines) < most:
        line, left = _line(left, width_of, within)
        lines.append(line)
    if left:
        last = lines[-1]
        while last and width_of(last + "…") > within:
            last = last[:-1]
        lines[-1] = last.rstrip() + "…"
    return tuple(lines)


def _line(words: str, width_of: Callable[[str], float], within: float) -> tuple[str, str]:
    """As much as fits, and what is left; one sign at least."""
    if width_of(words) <= within:
        return words, ""
    low, high = 1, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(words[:middle].rstrip()) <= within else (low, middle - 1)
    at = words.rfind(" ", 0, low + 1)
    return (words[:at], words[at + 1:]) if at > 0 else (words[:low], words[low:])


def place_notes(notes: Sequence[Note], to_paper: Callable[[Points], Points], width_of: Callable[[str], float],
                line: float, pad: float, widest: float, room: Box, curves: Sequence[Points],
                taken: Sequence[Box] = (), kept: Mapping[NoteText, Box] | None = None) -> list[PlacedNote]:
    """Where the notes that have a point in the room stand, each clear of what is taken and of the others if it can be.

    `to_paper` makes pixels or points of positions, `width_of` says how wide words are; `line` is the height of a line,
    `pad` what is left free around the words and `widest` the most that a line has. Few `curves` are covered, unless
    that leads far away. Where every place is taken a note stands on as little as can be. A box that is `kept` for a
    text serves on while it is of that size and in the room.
    """
    within = min(widest, WIDEST * (room[2] - room[0]) - 2 * pad)
    most = max(1, int((HIGHEST * (room[3] - room[1]) - 2 * pad) / line))
    found: list[PlacedNote] = []
    points: list[tuple[Note, tuple[float, float]]] = []
    for note in notes:
        if note.at is not None:
            x, y = (float(each[0]) for each in to_paper((np.array([note.at[0]]), np.array([note.at[1]]))))
            points.append((note, (x, y)))
    dots = [(a - pad, b - pad, a + pad, b + pad) for _, (a, b) in points]
    for note, (x, y) in points:
        lines = wrapped(note.words, width_of, within, most)
        size = max(map(width_of, lines), default=0.0) + 2 * pad, line * len(lines) + 2 * pad
        old = (kept or {}).get(note.text)
        if old is not None and _like(old, size, room):
            found.append(PlacedNote(note, lines, old, (x, y)))
            continue
        boxes = _boxes(x, y, size, room)
        under = _overlaps(boxes, [*taken, *dots, *(each.box for each in found)])
        free = [boxes[i] for i in np.flatnonzero(under == under.min())]
        away = [math.hypot(max(a - x, x - c, 0.0), max(b - y, y - d, 0.0)) for a, b, c, d in free]
        costs = covered(free, curves) + np.array(away) / FAR
        found.append(PlacedNote(note, lines, free[int(costs.argmin())], (x, y)))
    return found


def _like(box: Box, size: tuple[float, float], room: Box) -> bool:
    """Whether a box is of that size and lies in the room."""
    sized = math.isclose(box[2] - box[0], size[0]) and math.isclose(box[3] - box[1], size[1])
    return sized and room[0] <= box[0] and room[1] <= box[1] and box[2] <= room[2] and box[3] <= room[3]


def _boxes(x: float, y: float, size: tuple[float, float], room: Box) -> list[Box]:
    """Boxes of a size inside a room: around a point, the nearest first, and then wherever they are."""
    wide, high = size
    right, bottom = max(room[2] - wide, room[0]), max(room[3] - high, room[1])
    corners = [(x + side * away - wide * (side < 0) - wide / 2 * (not side),
                y + up * away - high * (up < 0) - high / 2 * (not up))
               for away in AWAY for side in (1, -1, 0) for up in (-1, 1, 0) if side or up]
    corners = [(min(max(a, room[0]), right), min(max(b, room[1]), bottom)) for a, b in corners]
    grid = [(float(a), float(b)) for a in np.linspace(room[0], right, GRID) for b in np.linspace(room[1], bottom, GRID)]
    return [(a, b, a + wide, b + high) for a, b in dict.fromkeys([*corners, *grid])]


def _overlaps(boxes: Sequence[Box], others: Sequence[Box]) -> npt.NDArray[np.intp]:
    """With how many others each box has more than an edge in common."""
    left, low, right, high = np.array(boxes).T[:, :, None]
    a, b, c, d = np.array(others).reshape(-1, 4).T
    found: npt.NDArray[np.intp] = ((left < c) & (a < right) & (low < d) & (b < high)).sum(axis=1)
    return found
