"""A report as PDF, set by typst: tagged for screen readers, its fonts embedded, the session attached."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any
from unicodedata import category

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.resources import resource
from dpstudio.documents import typesetting
from dpstudio.documents.embedded import ATTACHMENT
from dpstudio.documents.report.blocks import (
    BASE,
    BREAK,
    EXPONENT,
    NO_SIGNS,
    Block,
    Chapter,
    Formulas,
    Picture,
    Report,
    ReportSection,
)
from dpstudio.documents.report.mathml import equation

STANDARDS = ["a-3a", "ua-1"]
"""To be kept, with the session attached; and to be read aloud."""
FIRST_DAY = (1970, 1, 1)
"""Of a report that states no day: nothing in it comes from the clock."""
LACKING = "Where □ stands, the fonts of this document lack a sign; the session that it carries has the text as it was."


def check() -> None:
    """Raises InvalidParameter where there is nothing to set pages with."""
    if not typesetting.is_there():
        raise InvalidParameter("output", "a file name that ends in .html, for PDF needs typst (pip install typst)",
                               ".pdf")


def made(report: Report) -> bytes:
    """The bytes of the PDF: the same for the same report and the same version of typst."""
    form = _Form()
    content = {"title": form.text(report.title), "subtitle": form.text(report.subtitle), "foot": form.text(report.foot),
               "author": form.text(report.author), "day": report.day or FIRST_DAY,
               "front": list(map(form.section, report.front)),
               "grounds": list(map(form.chapter, report.grounds)),
               "chapters": list(map(form.chapter, report.chapters)),
               "made": f"The pages were set by typst {version('typst')}.", "power": rf"(?:{BASE})\^(?:{EXPONENT})"}
    content["lacking"] = LACKING if form.lacking else ""
    pages, warnings = typesetting.typeset({
        "main.typ": resource("report/report.typ").read_bytes(), "report.json": json.dumps(content).encode(),
        "formulas.typ": form.formulas_module().encode(), ATTACHMENT: report.session.encode(), **form.svgs},
        fonts=resource("fonts"), format="pdf", pdf_standards=STANDARDS, timestamp=0)
    if warnings:
        raise RuntimeError(f"typst warns: {warnings[0]}")
    return pages


class _Form:
    """Blocks as plain objects, with the files that they refer to."""

    def __init__(self) -> None:
        self.svgs: dict[str, bytes] = {}
        self.lacking = False
        """Whether a sign was replaced."""
        self._formulas: list[str] = []

    def chapter(self, chapter: Chapter) -> dict[str, Any]:
        return {"title": self.text(chapter.title), "lead": self.blocks(chapter.lead),
                "sections": list(map(self.section, chapter.sections))}

    def section(self, section: ReportSection) -> dict[str, Any]:
        return {"title": self.text(section.title), "blocks": self.blocks(section.blocks)}

    def blocks(self, blocks: Sequence[Block]) -> list[dict[str, Any]]:
        return [self._block(each) for each in blocks]

    def text(self, text: str) -> str:
        """The text with □ for what no font has."""
        from dpstudio.documents.print.fonts import drawable  # matplotlib is large

        made = drawable(text, _known())
        self.lacking |= made != text
        return made

    def formulas_module(self) -> str:
        """The formulas in the language of typst, in order: they are the project's own words."""
        return f"#let formulas = (\n{''.join(f'  [{each}],' + chr(10) for each in self._formulas)})\n"

    def _block(self, block: Block) -> dict[str, Any]:
        made: dict[str, Any] = {"kind": type(block).__name__.lower()}
        match block:
            case Picture():
                name = f"p{len(self.svgs)}.svg"
                self.svgs[name] = block.svg
                made |= {"file": name, **{each: self.text(getattr(block, each)) for each in ("caption", "text", "alt")},
                         "notes": list(map(self.text, block.notes))}
            case Formulas():
                for formula, _ in block.items:
                    self._formulas.append(equation(formula))
                first = len(self._formulas) - len(block.items)
                made["items"] = [{"name": self.text(formula.name), "cite": cite, "place": first + i}
                                 for i, (formula, cite) in enumerate(block.items)]
            case _:
                made |= {name: self._said(getattr(block, name)) for name in block.__slots__}
        return made

    def _said(self, value: Any) -> Any:
        """Texts in any depth, each as it can be set."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bool | int | float):
            return value
        if isinstance(value, tuple):
            return [self._said(each) for each in value]
        return {name: self._said(getattr(value, name)) for name in value.__slots__}


@cache
def _known() -> frozenset[str]:
    """The signs that texts can be set in, regular and bold."""
    from dpstudio.documents.print.fonts import characters

    return frozenset(each for each in characters() if category(each) not in NO_SIGNS) | {BREAK}
