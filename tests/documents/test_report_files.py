"""Reports as files: PDF and HTML that say the same, are the same twice, and carry their session."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise

import page
import pypdf
import pytest
from about_kit import answers
from report_kit import FEW, MEAN, blocks, full, texts

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents import report, session_file
from dpstudio.documents.noted import Cover
from dpstudio.documents.report import html as html_form
from dpstudio.documents.report import pdf as pdf_form
from dpstudio.documents.report.blocks import (
    BASE,
    BREAK,
    EXPONENT,
    Bullets,
    Cells,
    Chapter,
    Picture,
    Report,
    ReportSection,
    Text,
)
from dpstudio.documents.session import Session

HOSTILE = ('#panic("x") $x^2$ *b* _i_ <lab> @ref #read("/etc/passwd") \\ // /* ] } `r` ~ = h\n- item\n'
           '<script>alert(1)</script><img src=x onerror=alert(1)><!-- --> </style></script> &amp; &#60; %%EOF '
           '<text>svg</text>\u202edesrever\u202c \x00\x07\ud800 漢字 \u05d0 ' + "endless" * 40)
BARE = report.ReportChoice(figures={"mean": ()}, pins=False, solved=False, sweeps=False)
VOID = {"meta", "br", "img", "link", "hr", "input"}


@pytest.fixture(scope="module")
def written():
    """A full session full of hostile words, its report, and both forms of it."""
    session = full(HOSTILE[:80]).having(note=HOSTILE, cover=Cover(*[HOSTILE] * 4, "2026-11-22"))
    content = report.content(session, report.ReportChoice(appendix="all"))
    return session, content, pdf_form.made(content), html_form.made(content).decode()


def squeezed(text: str) -> str:
    """Text without its spaces and places to break, for a page breaks lines where it likes, and without ^."""
    return re.sub(rf"[\s{BREAK}\u00a0\u202f\u00ad-]+", "", re.sub(rf"({BASE})\^({EXPONENT})", r"\1\2", text))


@pytest.mark.parametrize(("plain", "raised"), [
    ("above e^0.001 times 1 − e^−ε.", "above e<sup>0.001</sup> times 1 − e<sup>−ε</sup>."),
    ("e^ε·f(N)+δ, e^(ε/2), (1 − δ)^k", "e<sup>ε</sup>·f(N)+δ, e<sup>(ε/2)</sup>, (1 − δ)<sup>k</sup>"),
    ("e^0.5. $x^2$ the^b e^", "e<sup>0.5</sup>. $x^2$ the^b e^"), ("e^ε′ < 1", "e<sup>ε′</sup> &lt; 1"),
])
def test_that_exponents_of_e_and_of_brackets_are_raised_and_no_other_words_are_touched(plain, raised):
    assert html_form._said(plain) == raised
    front = ReportSection("", (Text(plain),))
    pdf = pdf_form.made(Report("T", "S", "F", "", None, (front,), (), (), "{}"))
    assert squeezed(plain) in squeezed(pages(pdf))


# PDF

@cache
def pages(pdf: bytes) -> str:
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)


def test_that_the_text_of_a_pdf_can_be_searched(written):
    _, content, pdf, _ = written
    text = squeezed(pages(pdf))
    known = pdf_form._known()
    for block in blocks(content):
        for each in (block.text,) if isinstance(block, Text) else (
                (block.caption, *(block.rows[0] if block.rows else ())) if isinstance(block, Cells) else ()):
            if known.issuperset(each):
                assert squeezed(each) in text
    assert "Page1of" in text


def test_that_what_people_wrote_is_plain_text_in_a_pdf_with_a_square_for_what_no_font_has(written):
    text = squeezed(pages(written[2]))
    for piece in ('#panic("x")$x^2$*b*_i_<lab>@ref#read("/etc/passwd")', "<script>alert(1)</script>", "&amp;&#60;",
                  "desrever□□"):
        assert squeezed(piece) in text
    assert squeezed(pdf_form.LACKING) in text
    assert squeezed(pdf_form.LACKING) not in squeezed(pages(report.made("pdf", Session.of(MEAN, FEW), BARE)))


def test_that_every_sign_that_is_let_through_can_be_set_and_found_again():
    signs = "".join(sorted(pdf_form._known()))
    text = " ".join(signs[i:i + 20] for i in range(0, len(signs), 20))
    front = ReportSection("", (Text(text), Text(text, "lead"), Bullets(((text, text),))))
    made = pdf_form.made(Report("T", "", "", "", None, (front,), (), (Chapter("C", ()), Chapter("R", ())), "{}"))
    assert {each for each in "абвгεδτ∞≤≥⌈⌉−’“”…₀⁻⁷ﬁ" if each in signs} <= set(pages(made)) | set("ﬁ")


def tagged(part):
    """The elements of a document in reading order."""
    part = part.get_object()
    if isinstance(part, list):
        for each in part:
            yield from tagged(each)
    elif isinstance(part, dict):
        yield part
        if "/K" in part:
            yield from tagged(part["/K"])


def test_that_a_pdf_is_tagged_titled_and_embeds_its_fonts(written):
    reader = pypdf.PdfReader(io.BytesIO(written[2]))
    root = reader.root_object
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert reader.metadata.title.startswith("Privacy report: Mean")
    assert (reader.metadata.creation_date.year, reader.metadata.creation_date.day) == (2026, 22)
    assert b"pdfuaid" in root["/Metadata"].get_data()
    parts = list(tagged(root["/StructTreeRoot"]))
    assert {"/H1", "/H2", "/Table", "/TH", "/Figure", "/Formula", "/Caption"} <= {part.get("/S") for part in parts}
    drawn, formulas = ([part["/Alt"] for part in parts if part.get("/S") == kind] for kind in ("/Figure", "/Formula"))
    assert drawn == [each.alt for each in blocks(written[1]) if isinstance(each, Picture)]
    assert formulas == [each.spoken for each in MEAN.formulas()]
    fonts = [font.get_object() for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        if inner["/Subtype"] != "/Type3":
            assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(inner["/FontDescriptor"])


def unkept(pdf: bytes, profile: str = "ua1") -> set[str]:
    """The rules of PDF/UA-1, or of another profile, that a validator finds broken."""
    return {each.rule_id for each in page.validate_pdf_bytes(pdf, profile=profile).failures}


@pytest.mark.parametrize("profile", ["ua1", "3a"])
def test_that_a_pdf_keeps_every_rule_of_pdf_ua_and_pdf_a_that_a_validator_can_check(written, profile):
    assert unkept(written[2], profile) == set()


@pytest.mark.parametrize(("whole", "broken"), [
    (b"pdfuaid", b"pdfuaix"), (b"/Lang(en)", b"/Lung(en)"), (b"/Marked true", b"/Marked null")])
def test_that_the_validator_finds_what_is_taken_from_a_pdf(written, whole, broken):
    content = written[2].replace(b"/Lang (en)", b"/Lang(en)")
    assert whole in content
    assert unkept(content.replace(whole, broken))


def test_that_both_forms_carry_the_session(written):
    session, _, pdf, html = written
    attached = pypdf.PdfReader(io.BytesIO(pdf)).attachments["session.json"][0]
    inside = re.search(r'<script type="application/json" id="dpstudio-session">([^<>&]*)</script>', html)[1]
    assert attached.decode() == json.dumps(json.loads(inside)) == session_file.text(session)


# HTML

class Walker(HTMLParser):
    """Elements, and what in them matters to trust and to whoever listens."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        assert len({name for name, _ in attrs}) == len(attrs), f"{tag} has an attribute twice"
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.text.append(data)


@pytest.fixture(scope="module")
def walked(written):
    walker = Walker()
    walker.feed(written[3])
    walker.close()
    assert not walker.open
    return walker


def test_that_a_page_of_html_runs_nothing_and_asks_nobody(written, walked):
    html = written[3]
    assert "default-src 'none'" in html
    outside = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    markup = "".join(re.findall(r"<[^<>]*>", outside))
    assert not re.search(r"https?:|//[a-z]|file:|javascript:", markup)
    assert not re.search(r"@import|url\((?!#|data:)", html)
    for tag, attributes in walked.found:
        assert tag not in ("iframe", "object", "embed", "link", "base", "form", "foreignobject", "frame")
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "srcset", "action")]
        for name in ("href", "xlink:href"):
            assert attributes.get(name, "#").startswith("#") or attributes[name].startswith("data:image/png;base64,")
    scripts = [attributes for tag, attributes in walked.found if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "dpstudio-session"}]


def test_that_every_name_in_a_page_is_its_own_and_what_is_named_is_there(written, walked):
    ids = [attributes["id"] for _, attributes in walked.found if "id" in attributes]
    assert len(set(ids)) == len(ids)
    named = set(re.findall(r'(?:url\(|href=")#([^")]+)', re.sub(r"<style.*?</style>", "", written[3], flags=re.DOTALL)))
    named |= {attributes["aria-labelledby"] for _, attributes in walked.found if "aria-labelledby" in attributes}
    assert named <= set(ids)


def test_that_a_note_on_a_picture_stands_in_the_page_as_it_was_written():
    words = ('id="a"', "url(#b)", 'xmlns="c"')
    content = report.content(full(f"so {words[0]} and {words[1]} {words[2]}"), report.ReportChoice(appendix="all"))
    drawn = [re.sub(r"<title.*?</title>", "", one) for one in
             re.findall(r"<svg.*?</svg>", html_form.made(content).decode(), re.DOTALL)]
    said = " ".join(unescape(re.sub(r"<[^>]*>", " ", one)) for one in drawn)
    assert all(word in said for word in words)


def test_that_a_page_can_be_read_aloud_in_order(written, walked):
    levels = [int(tag[1]) for tag, _ in walked.found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    tags = [tag for tag, _ in walked.found]
    assert tags.count("svg") == tags.count("title") - 1
    unfolded = [each for each in blocks(written[1]) if isinstance(each, Picture) and each.values is not None]
    assert tags.count("details") == len(unfolded)
    assert all(attributes.get("scope") in ("col", "row") for tag, attributes in walked.found if tag == "th")
    assert not re.search(r"<th[^>]*></th>", written[3]), "a heading of nothing is read out as one"
    assert written[3].count("</figcaption></figure>") == tags.count("figure") > 0, "what names a figure is its end"
    assert dict(walked.found)["html"] == {"lang": "en"}
    assert tags.count("math") == len(MEAN.formulas())


def test_that_a_page_says_all_that_the_pdf_says_and_what_people_wrote_as_it_stands(written, walked):
    said = squeezed("".join(walked.text))
    for text in texts(written[1]):
        assert squeezed(text) in said or _unseen(written[1], text)
    assert "desrever漢字א" in said
    assert "<script>alert(1)</script>" in said
    assert "<script>alert" not in written[3].replace("&lt;", "‹")


def _unseen(content, text: str) -> bool:
    """Looks, keys and notations of formulas, and the author are no words of the page’s text."""
    kept = {content.author, "lead", "small", "note", "question", "above"}
    return text in kept | {str(each.of) for each in MEAN.formulas()} | {
        each for formula in MEAN.formulas() for each in (formula.source.key, formula.text, formula.source.reference)}


# The same twice, and refusals

def test_that_the_same_session_gives_the_same_bytes_in_any_process(written):
    session = full().having(about=answers())
    chosen = report.ReportChoice(figures={"mean": ("people", "frontier")}, sweeps=False)
    own = [hashlib.sha256(report.made(form, session, chosen)).hexdigest() for form in report.FORMATS]
    code = ("import hashlib; from about_kit import answers; from answers_kit import rough_frontiers\n"
            "from report_kit import full\n"
            "from dpstudio.documents import report\n"
            "session = full().having(about=answers())\n"
            "chosen = report.ReportChoice(figures={'mean': ('people', 'frontier')}, sweeps=False)\n"
            "with rough_frontiers():\n"
            "    for form in report.FORMATS: print(hashlib.sha256(report.made(form, session, chosen)).hexdigest())")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.split() == own


@pytest.mark.parametrize("name", ["report", "report.png", "report.pdf.txt", ".html"])
def test_that_a_report_has_one_of_three_endings(tmp_path, name):
    with pytest.raises(InvalidParameter, match=r"output must be a file name that ends in \.pdf, \.html or \.yaml"):
        report.write(tmp_path / name, Session.of(MEAN))
    assert not list(tmp_path.iterdir())


def test_that_a_place_that_cannot_be_written_to_keeps_what_it_has(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        report.write(tmp_path / "nowhere" / "report.html", Session.of(MEAN, FEW), BARE)


def test_that_without_typst_a_pdf_is_refused_in_one_sentence_and_a_page_is_written(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(InvalidParameter, match="pip install typst"):
        next(report.steps("pdf", Session.of(MEAN)))
    report.write(tmp_path / "report.HTML", Session.of(MEAN, FEW), replace(BARE, appendix="all"))
    text = unescape((tmp_path / "report.HTML").read_text("utf-8"))
    assert all(each.spoken in text for each in MEAN.formulas())
    assert "typst, which sets them, is not installed" in text


def test_that_a_report_is_written_whole(tmp_path):
    path = tmp_path / "report.html"
    report.write(path, Session.of(MEAN, FEW), BARE)
    assert path.read_bytes() == report.made("html", Session.of(MEAN, FEW), BARE)
    assert list(tmp_path.iterdir()) == [path]
