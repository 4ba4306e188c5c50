"""Guesses as small people: which of them stand where, in which state, and what is said beside them.

Ten thousand stand in rows of a hundred, from the bottom to the top: those that are right without a release, above them
those that are right only because of it, then those that stay wrong. Of more guesses so many are shown, around all that
the release makes right. Lengths are pixels of the window or points of print; places are from the upper left corner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from types import MappingProxyType
from typing import Literal, TypeAlias

from dpstudio.core.figure import Guesses
from dpstudio.core.risk_figures import DRAWN, foremost
from dpstudio.core.update import Update
from dpstudio.records import dataclass
from dpstudio.scene.frame import Box
from dpstudio.scene.notes import wrapped
from dpstudio.scene.palette import Style
from dpstudio.scene.scene import Part, Scene, series_of
from dpstudio.text.language import tr
from dpstudio.text.numbers import fixed

State: TypeAlias = Literal["without", "only", "wrong"]
STATES: Mapping[State, tuple[Style, str]] = MappingProxyType({
    "without": (Style("#5c9fd8", "#3f83bf"), "right without this release"),
    "only": (Style("#a63000", "#ffb870"), "right only because of it, at most"),
    "wrong": (Style("#d0d6dc", "#3d4751"), "wrong all the same, at least")})
"""The colour of each and what it means, in their order. Their lightness alone tells them apart."""

ROW, BLOCK = 100, 10
"""People of one row, and rows; so many of both are a block, a hundredth of all, that stands apart."""
HEAD, BODY = (0.25, 0.38), (0.7, 0.42, 0.34)
"""Parts of the room of one: down to the middle of a head and its width; down to the middle of a body, its height, and
how much longer than high it is."""
APART = 0.5
"""Between blocks, in rooms of one."""
LEAST = 17.0
"""Sizes of small type below which the side of all is too small for several beside each other."""
BESIDE, WIDEST = 13.0, 20.0
"""In sizes of small type: what words on the right of people need, and the most that they take."""
NUMBERS, UNDER = (3.4, 2.6, 2.0, 1.5), 1.8
"""Sizes that numbers on the right may have, of which the largest with room is taken, and that of numbers under people,
in sizes of small type."""
FIRST, PAIR = 1.15, 3.05
"""Where a number begins behind its person, and what two of them take besides their digits, in sizes of their type."""
NOTED = 3
"""Lines under people of who is not shown."""
LEADING, GAP, BASE = 1.3, 2.0, 0.3
"""In sizes of type: from one line to the next, between what stands side by side, and from a baseline to its line's
end."""

Measure: TypeAlias = Callable[[str, float], float]
"""How wide words are in a size of type."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many guesses there are, and how many are right without a release and with it."""

    guesses: int
    without: int
    right: int

    @property
    def shown(self) -> tuple[int, int, int]:
        """Of the people drawn those that are right without, those only with it, and those that are wrong."""
        only = min(self.right - self.without, DRAWN)
        others = DRAWN - only
        without = min(self.without, max(others // 2, others - (self.guesses - self.right)))
        return without, only, others - without

    @property
    def beyond(self) -> str:
        """What is said of those that are not drawn; empty where all are."""
        if self.guesses == DRAWN:
            return ""
        without, _, wrong = self.shown
        more = [f"{fixed(count, 0)} more are {what}" for count, what in (
            (self.without - without, "right without it"), (self.guesses - self.right - wrong, "wrong")) if count]
        return f"{fixed(DRAWN, 0)} of {fixed(self.guesses, 0)} are shown; {' and '.join(more)}."

    def runs(self) -> Iterator[tuple[State, int, int, int]]:
        """Row by row, from the bottom: a state, the row, and the columns from and up to which it stands there."""
        begin = 0
        for state, count in zip(STATES, self.shown, strict=True):
            end = begin + count
            while begin < end:
                row, column = divmod(begin, ROW)
                until = min(end - row * ROW, ROW)
                yield state, row, column, until
                begin = row * ROW + until


def crowd_of(part: Part) -> Crowd:
    """The counts of a part of people."""
    guesses, without, right = map(int, part.arrays[0])
    return Crowd(guesses, without, right)


@dataclass(frozen=True, slots=True)
class Words:
    """One line of words from a place on its baseline, and in front of it a person of a state, if any."""

    words: str
    size: float
    x: float = 0.0
    base: float = 0.0
    bold: bool = False
    quiet: bool = False
    state: State | None = None

    @property
    def person(self) -> Box:
        """Where the person in front stands."""
        side, right, foot = 0.9 * self.size, self.x - 0.25 * self.size, self.base + 0.1 * self.size
        return right - side, foot - side, right, foot


@dataclass(frozen=True, slots=True)
class Panel:
    """The people of one release, a square, and its words."""

    part: Part = field(compare=False)
    crowd: Crowd
    left: float
    top: float
    cell: float
    """The room of one of them."""
    gap: float
    """Between blocks."""
    words: tuple[Words, ...] = ()

    def at(self, place: int) -> float:
        """Where one of a row begins, or a row, from the first of them."""
        return place * self.cell + place // BLOCK * self.gap

    @property
    def side(self) -> float:
        return self.at(ROW - 1) + self.cell

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """Left and top of one of them."""
        return self.left + self.at(column), self.top + self.side - self.at(row) - self.cell


def panels(scene: Scene, width: float, height: float, small: float, measure: Measure, step: float = 0.0
           ) -> tuple[Panel, ...]:
    """All releases side by side, where they are of as many guesses and there is room, or else the one that stands for
    all.

    `small` is the size of small type; of `step` the room of one is a multiple, that all are alike.
    """
    parts = scene.shown(Guesses)
    if not parts:
        return ()
    wide = (width - GAP * small * (len(parts) - 1)) / len(parts)
    if len(parts) > 1 and (min(wide, height - _high(parts, small)) < LEAST * small
                           or len({crowd_of(part).guesses for part in parts}) > 1):
        parts, wide = [first_of(scene, parts)], width
    beside = width - (BESIDE + GAP) * small
    if len(parts) == 1 and min(height, beside) >= min(width, height - _high(parts, small)):
        one = _square(parts[0], 0.0, 0.0, min(height, beside), step)
        return (_next_to(one, _name(scene, parts[0]), width, height, small, measure),)
    side = min(wide, height - _high(parts, small))
    squares = (_square(part, i * (wide + GAP * small), 0.0, side, step) for i, part in enumerate(parts))
    return tuple(_over(each, _name(scene, each.part), wide, height, small, measure) for each in squares)


def first_of(scene: Scene, parts: Sequence[Part]) -> Part:
    """The one that was decided for, that is suggested, or that comes first."""
    series = {one: part for part in parts if (one := series_of(part.layer))}
    first = foremost(scene.update.answer, list(series)) if isinstance(scene.update, Update) else None
    return series[first] if first else parts[0]


def _name(scene: Scene, part: Part) -> str:
    series = series_of(part.layer)
    return scene.named(part, tr(series.label)) if series else ""


def _square(part: Part, left: float, top: float, side: float, step: float) -> Panel:
    """People on a square of about this side, without words."""
    cell = max(side, 0.0) / (ROW + (ROW / BLOCK - 1) * APART)
    if step:
        cell = max(math.floor(cell / step + 1e-9), 1) * step
    gap = max(math.floor(APART * cell / step), 1) * step if step else APART * cell
    return Panel(part, crowd_of(part), left, top, cell, gap)


def _next_to(people: Panel, name: str, width: float, height: float, small: float, measure: Measure) -> Panel:
    """People with words on their right."""
    room = min(width - people.side - GAP * small, WIDEST * small)
    left = (width - people.side - GAP * small - room) / 2
    for factor in NUMBERS:
        lines = list(_beside(people.crowd, name, factor * small, small, room, measure))
        if sum(map(_line, lines)) <= height and all(each.x + measure(each.words, each.size) <= room for each in lines):
            break
    top = max((height - sum(map(_line, lines))) / 2, 0.0)
    return replace(people, left=left, top=max((height - people.side) / 2, 0.0),
                   words=tuple(_stacked(lines, left + people.side + GAP * small, top)))


def _beside(crowd: Crowd, name: str, number: float, small: float, room: float, measure: Measure
            ) -> Iterator[Words]:
    """The lines of words on the right of people, one under the other."""
    wrap = partial(wrapped, width_of=lambda words: measure(words, small), within=room, most=9)
    yield from (Words(line, small, bold=True) for line in wrap(name))
    guesses = f"of {fixed(crowd.guesses, 0)} guesses {_are(crowd.without)} right without this release"
    more = f"{_are(crowd.right)} right with it, {'no more' if crowd.right == crowd.without else 'at most'}"
    for state, count, words in (("without", crowd.without, guesses), ("only", crowd.right, more)):
        yield Words(fixed(count, 0), number, FIRST * number, bold=True, state=state)  # type: ignore[arg-type]
        yield from (Words(line, small) for line in wrap(words))
    yield from (Words(line, small, quiet=True) for line in wrap(crowd.beyond))


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _over(people: Panel, name: str, width: float, height: float, small: float, measure: Measure) -> Panel:
    """People with words under them: whose they are, both numbers, and who is not shown."""
    crowd, number = people.crowd, UNDER * small
    wrap = partial(wrapped, width_of=lambda words: measure(words, small))
    before, after = fixed(crowd.without, 0), f"{'' if crowd.right == crowd.without else '≤ '}{fixed(crowd.right, 0)}"
    while measure(before, number) + measure(after, number) + PAIR * number > width and number > small:
        number *= 0.9
    pair = [Words(before, number, FIRST * number, bold=True, state="without"),
            Words(after, number, PAIR * number + measure(before, number), bold=True, state="only")]
    lines = [*(Words(line, small, bold=True) for line in wrap(name, within=width, most=1)), pair[0],
             *(Words(line, small, quiet=True) for line in wrap(crowd.beyond, within=width, most=NOTED))]
    widest = max(people.side, *(each.x + measure(each.words, each.size) for each in (*lines, pair[1])))
    left = people.left + max((width - widest) / 2, 0.0)
    top = max((height - people.side - _high([people.part], small)) / 2, 0.0)
    words = list(_stacked(lines, left, top + people.side + BASE * small))
    base = next(each.base for each in words if each.state)
    return replace(people, left=left, top=top, words=(*words, replace(pair[1], x=left + pair[1].x, base=base)))


def _high(parts: Sequence[Part], small: float) -> float:
    """Height of the words under people."""
    lines = NOTED if any(crowd_of(part).beyond for part in parts) else 0
    return small * (LEADING * (1 + lines + UNDER) + BASE)


def _line(words: Words) -> float:
    return LEADING * words.size


def _stacked(lines: Sequence[Words], left: float, top: float) -> Iterator[Words]:
    """Lines one under the other."""
    for each in lines:
        top += _line(each)
        yield replace(each, x=left + each.x, base=top - BASE * each.size)
