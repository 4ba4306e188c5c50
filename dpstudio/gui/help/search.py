"""Finding words in all pages of the help."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from dpstudio.core.resources import resource

EXCERPT = 160
"""Characters of a section that a result shows."""
_HEADING = re.compile(r"^#{1,6} +(.*)$", re.MULTILINE)
_NOT_SAID = re.compile(r"<[^<>]*>|(?<!\{)\{[a-z_0-9:]+\}|[*`>\\]|\]\([^)]*\)|\[")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class HelpSection:
    """One heading of a page with the words below it: key of the page, number among its headings, plain text."""

    page: str
    number: int
    title: str
    text: str


@cache
def sections(page: str) -> tuple[HelpSection, ...]:
    """The sections of a page in order."""
    text = resource(f"help/{page}.md").read_text("utf-8")
    headings = list(_HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return tuple(HelpSection(page, number, _plain(heading[1]), _plain(text[heading.end():end]))
                 for number, (heading, end) in enumerate(zip(headings, ends, strict=True)))


def found(words: str, pages: Mapping[str, str]) -> Iterator[tuple[HelpSection, str]]:
    """The sections that have all these words, whatever their case, each with an excerpt around the first of them.

    A section with a word in its heading comes before those that have it in their text alone.
    """
    wanted = words.casefold().split()
    hits = [section for page in pages for section in sections(page) if wanted
            and all(word in f"{pages[page]} {section.title} {section.text}".casefold() for word in wanted)
            and any(word in f"{section.title} {section.text}".casefold() for word in wanted)]
    hits.sort(key=lambda section: not any(word in section.title.casefold() for word in wanted))
    yield from ((section, _excerpt(section.text, wanted)) for section in hits)


def _excerpt(text: str, wanted: list[str]) -> str:
    low = text.casefold()
    at = min((low.find(word) for word in wanted if word in low), default=0)
    start = max(0, at - EXCERPT // 3)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    end = len(text) if len(text) <= start + EXCERPT else text.rfind(" ", start, start + EXCERPT)
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"


def _plain(text: str) -> str:
    """Markdown without its marks, on one line; a place for a number reads “…”, a power e^x."""
    text = text.replace("<sup>", "^").replace("<sub>", "_")
    return _SPACE.sub(" ", _NOT_SAID.sub(lambda mark: "…" if mark[0].startswith("{") else "", text)).strip()
