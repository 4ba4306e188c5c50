"""Doors of a person's words on pages: covers and forms in reports, notes on pictures."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser

from dpstudio.core.study import answer
from dpstudio.documents import embedded, pictures, session_file
from dpstudio.documents.noted import PictureNote
from dpstudio.documents.report import html, pdf
from dpstudio.documents.report.blocks import (
    BREAK,
    Bullets,
    Cells,
    Chapter,
    Code,
    Head,
    PrivacyLabel,
    Report,
    ReportSection,
    Signature,
    Terms,
    Text,
    line_of,
    lines_of,
)
from dpstudio.documents.report.cover import day_of
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies
from fuzzed.kit import Door, bytes_of, in_pieces, need, printable, refusing, text_of


class _Elements(HTMLParser):
    """The elements of a page, without what stands in them."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))


def report_of(text: str) -> Report:
    """A report that has a person's words at every place where one may stand."""
    lines, said = lines_of(text, 2_000), line_of(text, 300)
    blocks = (*(Text(each, look) for each in lines[:3] for look in ("", "lead", "note")), Terms((("Question", lines),
                                                                                                 ("Reason", ()))),
              Bullets(((said, said), ("[1]", said))), Cells(said, (Head("a", True), Head(said)), (("1", said),), said),
              PrivacyLabel("Label", (("Unit", said),)), Code((f"dpstudio --reason {said!r}",)),
              Signature((("Prepared by", said, line_of(text, 100)),)))
    section = ReportSection("Words", blocks)
    return Report("Privacy report", said, "It explores.", said, day_of(text), (section,), (Chapter("Grounds", (),
                                                                                                   (section,)),), (),
                  session_file.text(Session.of(all_studies()["response"])))


@cache
def _plain() -> list[tuple[str, tuple[str, ...]]]:
    return _Elements(html.made(report_of("x"))).found


def pages(data: bytes) -> None:
    """Words make no element of a page, and can be set on paper."""
    text = text_of(data)
    report = report_of(text)
    lines = lines_of(text, 2_000)
    need(all(printable(each.replace(BREAK, "")) and each.strip() for each in lines), "a line has a control, or nothing")
    page = html.made(report)
    found = _Elements(page).found
    if len(lines) == 1:
        kept = [each for each in found if each != ("sup", ())]
        need(kept == _plain(), f"the elements are others: {[each for each in kept if each not in _plain()][:3]}")
    need(not {tag for tag, _ in found} & {"iframe", "object", "img", "base", "form", "link"},
         "an element that loads something")
    need(embedded.extract(page) is not None, "its session is lost")
    need(pdf.made(report).startswith(b"%PDF-"), "it is no PDF")


def notes(data: bytes) -> None:
    """A text on a picture stands on it as it is, and the picture carries it."""
    text = text_of(data)
    with refusing():
        kind = all_studies()["response"]
        figure = kind.figures[0]
        session = Session.of(kind).having(picture_notes=(PictureNote(figure.key, text[:300]),
                                                         PictureNote(figure.key, text[:300], (1.0, 0.5))))
        drawn = pictures.picture("svg", session, _update(), figure)
        need(session_file.read(session_file.text(session)) == session, "it is not kept")
        from xml.etree import ElementTree

        tree = ElementTree.fromstring(drawn)
        need(not [each for each in tree.iter() if each.tag.rpartition("}")[2] in ("script", "image", "foreignObject",
                                                                                  "a")],
             "an element that runs or loads something")
        carried = embedded.extract(drawn)
        need(carried is not None
             and session_file.read(carried.content).state().picture_notes == session.state().picture_notes,
             "the picture carries another")


@cache
def _update():  # type: ignore[no-untyped-def]
    return answer(all_studies()["response"](), simulate=False)


TEXTS = ("We may say so.", "<b>x</b> & \"quotes\" 'single'", "#eval(\"1\") $x$ @a *b* _c_ `d` \\ e^(ε/2) <f>",
         "a\nb\n\nc", "2026-11-22",
         "0001-01-01", "9999-12-31", "שלום عربي 中文 😀 e\u0301", "x" * 300)


def in_words(data: bytes, chance: random.Random, tokens: Sequence[bytes]) -> bytes:
    """Pieces changed, or signs of anywhere among those that there are."""
    if chance.random() < 0.6:
        return in_pieces(data, chance, tokens)
    signs = "".join(chr(code) for code in
                    (chance.randrange(0x110000 if chance.random() < 0.3 else 0x3000) for _ in range(9))
                    if not 0xd800 <= code < 0xe000)
    at = chance.randint(0, len(data))
    return data[:at] + signs.encode() + data[at:]


_TOKENS = tuple(map(bytes_of, ("#", "$", "\\", "^(", "<sup>", "</p>", "<!--", "&#x3c;", "@label", "//", "/*",
                               "#include", "e^", "1970-01-01",
                               "0000-01-01", "\u200d", "\ufe0f", "\u0338", "\u20e3", "½", "∑", " xmlns=\"a\"",
                               "url(#a)", 'id="x')))
DOORS = (
    Door("pages", "words on covers and forms, in HTML and PDF", pages, lambda: tuple(map(bytes_of, TEXTS)), in_words,
         2_000, 3.0,
         tokens=_TOKENS),
    Door("notes", "texts on pictures", notes, lambda: tuple(map(bytes_of, TEXTS)), in_words, 400, 3.0, tokens=_TOKENS),
)
