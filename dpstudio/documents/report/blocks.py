"""What a report is made of: plain data, from which both its forms are written, so that they say the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import field
from typing import TypeAlias

from dpstudio.core.formula import Formula
from dpstudio.core.sources import Source
from dpstudio.records import dataclass

LONGEST_WORD = 40
"""Signs of a word that need not be broken: what a person wrote may have no space in it."""
BREAK = "\u200b"
"""A place where a line may end, that takes no room."""
BASE, EXPONENT = r"\be|\)", r"[−-]?(?:[^\W_]+(?:\.\d+)?′?)|\([^()]*\)"
"""What words write as e^ε, e^−0.5, e^(ε/2) and (1 − δ)^k, and a page raises, as patterns."""
NO_SIGNS = ("Cc", "Cf", "Cs", "Co", "Cn")
"""Kinds of signs that are nothing to be read: controls, those that turn lines round, halves of a sign."""


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    look: str = ""
    """“lead” for what is read first, “small” for what may be passed over, “above” for the same
    over a table, “note” for a person’s own words."""


@dataclass(frozen=True, slots=True)
class Bullets:
    """Short paragraphs, each for itself; one of two parts begins with a few words that name it."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """Names with what stands for them; where that is empty, room to write it by hand."""

    items: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Head:
    """A column of a table: what stands over it, to which side its cells go, and its share of the width.

    A share of 0 takes the room that its cells need.
    """

    title: str
    right: bool = False
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Cells:
    """A table; the first cell of a row says what it is about."""

    caption: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers behind a picture, at full precision: all of their rows, or the first of very many."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing with its caption, and in words what it shows."""

    caption: str
    text: str
    alt: str
    svg: bytes
    notes: tuple[str, ...] = ()
    values: Values | None = None


@dataclass(frozen=True, slots=True)
class Formulas:
    """Formulas, each with the number of its source."""

    items: tuple[tuple[Formula, str], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines for a shell."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrivacyLabel:
    """Names with what stands for them, in a frame under a title: to be read alone."""

    title: str
    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """Lines to sign on: of each a role, and a name and a date where they are known."""

    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ReportSection:
    """Blocks under a heading."""

    title: str
    blocks: tuple[Block, ...]


Block: TypeAlias = Text | Bullets | Terms | Cells | Picture | Formulas | Code | PrivacyLabel | Signature


@dataclass(frozen=True, slots=True)
class Chapter:
    """All of one study, or what stands behind all."""

    title: str
    lead: tuple[Block, ...]
    sections: tuple[ReportSection, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A document: the page to be signed, what the choice in each study rests on, and the appendix to check it."""

    title: str
    subtitle: str
    foot: str
    """What every page says of itself."""
    author: str
    day: tuple[int, int, int] | None
    """Year, month and day, where somebody said when."""
    front: tuple[ReportSection, ...]
    """The first has no title."""
    grounds: tuple[Chapter, ...]
    """A page for each study, the last one with the literature where no appendix follows."""
    chapters: tuple[Chapter, ...]
    """The appendix: a chapter for each study, and the literature; or none."""
    session: str
    """As a session file has it."""


@dataclass(slots=True)
class References:
    """The literature in the order in which it is cited, each work once."""

    works: list[Source] = field(default_factory=list)

    def cite(self, *works: Source | None) -> str:
        """“[3]”, “[1, 4–6]”; nothing where there is no source."""
        numbers = []
        for work in dict.fromkeys(works):
            if work is not None:
                if work not in self.works:
                    self.works.append(work)
                numbers.append(self.works.index(work) + 1)
        return f"[{', '.join(_ranges(sorted(numbers)))}]" if numbers else ""


def _ranges(numbers: list[int]) -> Iterator[str]:
    """Three and more in a row as their first and last."""
    while numbers:
        length = next((i for i, each in enumerate(numbers) if each != numbers[0] + i), len(numbers))
        length = length if length > 2 else 1
        yield str(numbers[0]) if length == 1 else f"{numbers[0]}–{numbers[length - 1]}"
        numbers = numbers[length:]


def lines_of(text: str, longest: int) -> tuple[str, ...]:
    """What a person wrote as paragraphs: no controls, nothing that turns a line round, no word without an end."""
    found = (" ".join(line.split()) for line in _plain(text[:longest]))
    lines = tuple(line for line in found if line)
    return (*lines[:-1], f"{lines[-1]} …") if lines and len(text) > longest else lines


def line_of(text: str, longest: int) -> str:
    """The same as one line."""
    return " ".join(lines_of(text, longest))


def _plain(text: str) -> Iterator[str]:
    for line in unicodedata.normalize("NFC", text).splitlines():
        yield " ".join(_breakable("".join(sign for sign in word if unicodedata.category(sign) not in NO_SIGNS))
                       for word in line.split())


def _breakable(word: str) -> str:
    return BREAK.join(word[i:i + LONGEST_WORD] for i in range(0, len(word), LONGEST_WORD))
