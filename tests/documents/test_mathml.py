"""Formulas in documents: mathematics and nothing else, with what is read aloud, in one run of typst for all."""

from __future__ import annotations

import re
import sys
import unicodedata
import warnings
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
import typst

from dpstudio.core.formula import Formula
from dpstudio.core.sources import DR14
from dpstudio.documents import typesetting
from dpstudio.documents.report.mathml import equation, mathml
from dpstudio.studies import all_studies

EVERY = [formula for study in all_studies().values() for formula in study.formulas()]


@pytest.fixture(scope="module")
def pages():
    return mathml(EVERY)


def test_that_every_formula_is_set_without_a_warning_and_has_an_alternative():
    """PDF/UA-1 refuses a formula without one."""
    head = '#set document(title: "All", date: none)\n#set text(lang: "en")\n= All\n'
    source = head + "\n\n".join(map(equation, EVERY))
    made, told = typst.compile_with_warnings(source.encode(), ignore_system_fonts=True, pdf_standards=["ua-1"],
                                             timestamp=0)
    assert made.startswith(b"%PDF")
    assert [each.message for each in told] == []


def test_that_an_alternative_may_hold_quotes_and_backslashes():
    said = 'x "is" \\ y'
    made = equation(SimpleNamespace(typeset="x", spoken=said))
    out = typst.compile(f"{made}\n#context query(math.equation).first().alt".encode(), format="html",
                        ignore_system_fonts=True)
    assert said in out.decode()


def test_that_each_formula_is_an_element_of_its_own_in_order(pages):
    for page, formula in zip(pages, EVERY, strict=True):
        root = ElementTree.fromstring(page)
        assert root.tag == "math"
        assert root.get("display") == "block"
        assert root.get("alttext") == formula.spoken
    s = "<mfrac><mi>δ</mi><mrow><msup><mi>e</mi><mi>ε</mi></msup><mo>−</mo><mn>1</mn></mrow></mfrac>"
    assert s in "".join(pages)


def test_that_what_typst_makes_of_it_is_what_is_read_aloud(pages):
    """Sign by sign in order, but for brackets: |x| typed beside [ would be another sign."""
    for page, formula in zip(pages, EVERY, strict=True):
        assert signs("".join(ElementTree.fromstring(page).itertext())) == signs(formula.spoken), formula.name


def signs(said):
    """Without what is a line or a place in print, brackets, and the words that join."""
    text = unicodedata.normalize("NFKD", re.sub(r"\b(and|over|of|where(?= w))\b|C(?=\()", "", said))
    text = text.replace("∣", "|").replace("∥", "‖").replace("*", "∗").replace("∑", "Σ").replace("∏", "Π")
    return re.sub("[\\s(){}/\N{FRACTION SLASH}_^√,\u2061-\u2064\u0302]", "", text)


def test_that_letters_are_those_that_a_search_finds(pages):
    assert all(ord(letter) < 0x10000 for page in pages for letter in page)
    assert any("<mi>ℓ</mi>" in page for page in pages)
    assert "<mi>h</mi>" in mathml([Formula("Planck", "h", DR14)])[0]


def test_that_typst_makes_no_noise(pages, capfd):
    with warnings.catch_warnings(record=True) as told:
        assert mathml(EVERY[:1]) == pages[:1]
    assert not told
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("made", [
    '<math><script>alert(1)</script></math>', '<math onclick="x()"><mi>x</mi></math>',
    '<math><mi href="https://example.org">x</mi></math>', '<math><mi style="background: url(x)">x</mi></math>',
    '<math><img src="x"/></math>', "<math><mi>x</mi></math><math><mi>y</mi></math>", "<p>x</p>",
])
def test_that_whatever_else_typst_made_is_refused(monkeypatch, made):
    monkeypatch.setattr(typesetting, "typeset", lambda *_, **__: (made.encode(), []))
    with pytest.raises(ValueError, match="typst makes"):
        mathml(EVERY[:1])


def test_that_without_typst_it_is_read_aloud(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    assert mathml([Formula("Less", "x < y", DR14)]) == ["x &lt; y"]


def test_that_no_formulas_are_no_elements():
    assert mathml([]) == []
