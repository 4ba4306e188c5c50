"""Formulas in documents: as MathML in a page, and as typst sets them in print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape

from defusedxml import ElementTree

from dpstudio.core.formula import Formula
from dpstudio.documents import typesetting

STYLE = """\
math { font-size: 1.05em; }
math[display="block"] { text-align: left; margin: 0.5em 0; }
mtable.cases mtd, mtable.multiline-equation mtd { text-align: left; padding-left: 0; }
"""
"""What a page says of its formulas besides."""
_ELEMENTS = {"math", "mfrac", "mi", "mn", "mo", "mover", "mpadded", "mroot", "mrow", "mspace", "msqrt", "mstyle",
             "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover"}
_ATTRIBUTES = {"accent", "accentunder", "class", "columnalign", "display", "displaystyle", "fence", "form",
               "linethickness", "lspace", "mathvariant", "maxsize", "minsize", "movablelimits", "rspace", "scriptlevel",
               "separator", "stretchy", "symmetric", "width"}
"""All that a formula is made of: whatever could load, link or run something is none of it."""
_MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
_SLANTED = re.compile("[\U0001d400-\U0001d7ff\N{PLANCK CONSTANT}]")


def mathml(formulas: Iterable[Formula]) -> list[str]:
    """Each formula as an element of HTML, all typeset at once; without typst as it is read aloud.

    Raises ValueError where typst makes something else of it than mathematics.
    """
    several = tuple(formulas)
    if not typesetting.is_there():
        return [escape(formula.spoken) for formula in several]
    page, _ = typesetting.typeset({"main.typ": "\n\n".join(map(equation, several)).encode()}, format="html")
    found = _MATH.findall(page.decode())
    if len(found) != len(several):
        raise ValueError(f"typst makes {len(found)} of {len(several)} formulas")
    return [_checked(each, formula) for each, formula in zip(found, several, strict=True)]


def equation(formula: Formula) -> str:
    """A formula as a paragraph of a document of typst, with what is read aloud as its alternative."""
    spoken = formula.spoken.replace("\\", "\\\\").replace('"', '\\"')
    return f'#math.equation(alt: "{spoken}", block: true, ${formula.typeset}$)'


def _checked(element: str, formula: Formula) -> str:
    """The element with what is read aloud, and letters that a search finds: a browser slants each by itself."""
    for part in ElementTree.fromstring(element).iter():
        if part.tag not in _ELEMENTS or not _ATTRIBUTES.issuperset(part.attrib):
            raise ValueError(f"typst makes more than mathematics of {formula.name}: {part.tag} {part.attrib}")
    plain = _SLANTED.sub(lambda letter: unicodedata.normalize("NFKC", letter[0]), element)
    return plain.replace("<math", f'<math alttext="{escape(formula.spoken)}"', 1)
