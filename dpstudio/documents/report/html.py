"""A report as one page of HTML that stands alone: no script, no network; light or dark as its reader has it."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from importlib.metadata import version

from dpstudio.core.formula import Formula
from dpstudio.core.resources import resource
from dpstudio.documents import typesetting
from dpstudio.documents.embedded import ID
from dpstudio.documents.print.fonts import font_faces
from dpstudio.documents.report.blocks import (
    BASE,
    BREAK,
    EXPONENT,
    Block,
    Bullets,
    Cells,
    Chapter,
    Code,
    Formulas,
    Picture,
    PrivacyLabel,
    Report,
    ReportSection,
    Signature,
    Terms,
    Text,
    Values,
)
from dpstudio.documents.report.mathml import STYLE, mathml
from dpstudio.text.sentences import grouped

_ELEMENTS = {"lead": 'p class="lead"', "question": 'p class="question"', "small": 'p class="small"',
             "above": 'p class="small"', "note": "blockquote"}
_JSON = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
_OUTSIDE = re.compile(r"\A.*?(?=<svg\b)|<metadata>.*?</metadata>|<style\b.*?</style>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_NAMESPACE = re.compile(r' xmlns(?::xlink)?="[^"]*"')
_SIZE = re.compile(r'(<svg\b[^>]*?) (?:width|height)="[^"]*"')
_POWER = re.compile(rf"({BASE})\^({EXPONENT})")
_NAMED = re.compile(r'(\bid="|\bxlink:href="#|url\(#)')


def made(report: Report) -> bytes:
    """The bytes of the page: the same for the same report."""
    page = _Page(report)
    body = "\n".join(page.body())
    style = resource("report/report.css").read_text("utf-8") + STYLE
    return whole(f"{report.title}: {report.subtitle}", report.foot, style,
                 f'<a class="skip" href="#main">Skip to the report</a>\n{body}\n', report.session)


def whole(title: str, description: str, style: str, body: str, session: str, *, carried: str = "", data: str = "",
          data_signs: str = "", script: str = "") -> bytes:
    """The bytes of a page that needs nothing else, with the fonts of its signs and its session.

    `carried` says more of the element of the session. The `script`, if there is one, finds its `data` in the element
    “cells”; of these, `data_signs` may be shown.
    """
    signs = {sign for sign in unescape(re.sub(r"<[^<>]*>", " ", body)) + data_signs if sign.isprintable()}
    # What a browser lets the page do: show itself, and run the script. What carries the session is data.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    runs = f"script-src 'sha256-{digest}'; " if script else ""
    allowed = (f"default-src 'none'; {runs}style-src 'unsafe-inline'; "
               "font-src data:; img-src data:; base-uri 'none'; form-action 'none'")
    end = f'<script type="application/json" id="cells">{in_script(data)}</script>\n<script>{script}</script>\n'
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{_plain(description)}">
<title>{_plain(title)}</title>
<style>
{style}{font_faces({False: signs, True: signs})}</style>
<script type="application/json" id="{ID}"{carried and " " + carried}>{in_script(session)}</script>
</head>
<body>
{body}{end if script else ""}</body>
</html>
""".encode()


class _Page:
    """Blocks as elements, pictures and tables numbered as they come."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._pictures = self._tables = 0
        blocks = (block for chapter in report.chapters for section in chapter.sections for block in section.blocks)
        formulas: list[Formula] = [each for block in blocks if isinstance(block, Formulas) for each, _ in block.items]
        self._formulas = iter(mathml(formulas) if formulas else ())

    def body(self) -> Iterator[str]:
        report = self._report
        yield '<main id="main">\n<header class="cover">'
        yield f"<h1>{_said(report.title)}</h1>\n<p class=\"question\">{_said(report.subtitle)}</p>"
        for section in report.front:
            yield from self._section(section, "")
        yield "</header>"
        for i, page in enumerate(report.grounds, 1):
            yield from self._chapter(page, f"g{i}")
        if report.chapters:
            yield from self._contents()
        for i, chapter in enumerate(report.chapters, 1):
            yield from self._chapter(chapter, f"c{i}")
        yield f"</main>\n<footer>{_said(report.foot)} {_set_by()}</footer>"

    def _contents(self) -> Iterator[str]:
        yield '<nav aria-labelledby="contents"><h2 id="contents">Appendix, to check</h2>\n<ol>'
        for i, chapter in enumerate(self._report.chapters, 1):
            yield f'<li><a href="#c{i}">{_said(chapter.title)}</a>'
            if chapter.sections:
                listed = (f'<li><a href="#c{i}s{j}">{_said(each.title)}</a></li>'
                          for j, each in enumerate(chapter.sections, 1))
                yield f"<ol>{''.join(listed)}</ol>"
            yield "</li>"
        yield "</ol></nav>"

    def _chapter(self, chapter: Chapter, key: str) -> Iterator[str]:
        yield f'<section aria-labelledby="{key}"><h2 class="chapter" id="{key}">{_said(chapter.title)}</h2>'
        yield from self._blocks(chapter.lead)
        for j, section in enumerate(chapter.sections, 1):
            yield from self._section(section, f"{key}s{j}")
        yield "</section>"

    def _section(self, section: ReportSection, key: str) -> Iterator[str]:
        if section.title:
            level, named = ("h3", f' id="{key}"') if key else ("h2", "")
            yield f"<{level}{named}>{_said(section.title)}</{level}>"
        yield from self._blocks(section.blocks)

    def _blocks(self, blocks: Sequence[Block]) -> Iterator[str]:
        for block in blocks:
            match block:
                case Text():
                    element = _ELEMENTS.get(block.look, "p")
                    yield f"<{element}>{_said(block.text)}</{element.split()[0]}>"
                case Terms():
                    yield from self._terms(block)
                case Bullets():
                    yield '<ul class="plain">'
                    yield from (f"<li><strong>{_said(name)}</strong> {_said(text)}</li>" for name, text in block.items)
                    yield "</ul>"
                case Cells():
                    yield from self._cells(block)
                case Picture():
                    yield from self._picture(block)
                case Formulas():
                    for formula, cite in block.items:
                        yield (f'<div class="formula"><strong>{_said(formula.name)}</strong> <span class="cite">'
                               f"{cite}</span><div>{next(self._formulas)}</div></div>")
                case Code():
                    yield f"<pre><code>{_said(chr(10).join(block.lines))}</code></pre>"
                case PrivacyLabel():
                    rows = "".join(f"<dt>{_said(name)}</dt><dd>{_said(said)}</dd>" for name, said in block.items)
                    yield (f'<div class="label"><p class="lead">{_said(block.title)}</p>'
                           f'<dl class="terms">{rows}</dl></div>')
                case Signature():
                    yield from self._signature(block)

    def _terms(self, terms: Terms) -> Iterator[str]:
        yield '<dl class="terms">'
        for name, said in terms.items:
            inside = "".join(f"<p>{_said(each)}</p>" for each in said) or '<p class="blank"></p><p class="blank"></p>'
            yield f"<dt>{_said(name)}</dt><dd>{inside}</dd>"
        yield "</dl>"

    def _cells(self, cells: Cells) -> Iterator[str]:
        self._tables += 1
        sides = [' class="number"' if head.right else "" for head in cells.heads]
        yield ('<div class="wide"><table>'
               f"<caption><strong>Table {self._tables}.</strong> {_said(cells.caption)}</caption>")
        heads = (f'<th scope="col"{side}>{_said(head.title)}</th>'
                 for head, side in zip(cells.heads, sides, strict=True))
        yield f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>"
        for first, *rest in cells.rows:
            row = (f"<td{side}>{_said(cell)}</td>" for cell, side in zip(rest, sides[1:], strict=True))
            head = f'<th scope="row"{sides[0]}>{_said(first)}</th>' if first else "<td></td>"
            yield f'<tr>{head}{"".join(row)}</tr>'
        yield "</tbody></table></div>"
        if cells.note:
            yield f'<p class="small">{_said(cells.note)}</p>'

    def _picture(self, picture: Picture) -> Iterator[str]:
        self._pictures += 1
        number = self._pictures
        yield f'<figure><div class="card">{inside(picture, number)}</div>'
        yield (f"<figcaption><p><strong>Figure {number}. {_said(picture.caption)}.</strong> {_said(picture.text)}</p>"
               + "".join(f'<p class="on-picture"><em>Note.</em> {_said(note)}</p>' for note in picture.notes)
               + "</figcaption></figure>")
        if picture.values is not None:
            yield from _values(picture.values, number)

    def _signature(self, signature: Signature) -> Iterator[str]:
        yield '<div class="signature">'
        for role, name, day in signature.rows:
            fields = (("Name and role", name), ("Date", day), ("Signature", ""))
            lines = (f'<span class="field"><span class="written">{_said(said)}</span><span class="small">{label}</span>'
                     "</span>" for label, said in fields)
            yield f'<div><span class="role">{_said(role)}</span>{"".join(lines)}</div>'
        yield "</div>"


def _values(values: Values, number: int) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{_said(head)}</th>' for head in values.heads)
    rows = grouped(values.total) if len(values.rows) == values.total else (
        f"first {grouped(len(values.rows))} of {grouped(values.total)}")
    yield (f"<details><summary>The {rows} rows of values behind figure {number}</summary>"
           f'<div class="wide values" role="region" aria-label="Values behind figure {number}" tabindex="0">'
           f"<table><thead><tr>{heads}</tr></thead>\n<tbody>")
    for row in values.rows:
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
    yield "</tbody></table></div></details>"


def in_script(json: str) -> str:
    """JSON as it may stand in an element of a page: no sign in it begins or ends one."""
    return json.translate(_JSON)


def inside(picture: Picture, number: int) -> str:
    """The drawing as an element of the page: its names are its own, and it refers to nothing outside."""
    drawn = _OUTSIDE.sub("", picture.svg.decode())
    for _ in range(2):
        drawn = _SIZE.sub(r"\1", drawn, count=1)
    # Within tags alone: what a note says may look like either.
    drawn = _TAG.sub(lambda tag: _NAMED.sub(rf"\g<1>p{number}-", _NAMESPACE.sub("", tag[0])), drawn)
    head = f'<svg role="img" aria-labelledby="p{number}-title"'
    named = f'<title id="p{number}-title">{_plain(picture.alt)}</title>'
    begun, _, rest = drawn.partition(">")
    return f"{head}{begun.removeprefix('<svg')}>{named}{rest.strip()}"


def _set_by() -> str:
    """What made mathematics of the formulas."""
    if not typesetting.is_there():
        return "Formulas stand here as they are read aloud, for typst, which sets them, is not installed."
    return f"Formulas were set by typst {version('typst')}."


def _said(text: str) -> str:
    """Words of an element, with exponents raised."""
    return _POWER.sub(r"\1<sup>\2</sup>", _plain(text))


def _plain(text: str) -> str:
    """Words where no element may stand."""
    return escape(text.replace(BREAK, ""))
