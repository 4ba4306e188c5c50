"""The application's own fonts, for matplotlib to draw with and for an SVG to carry."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from matplotlib import font_manager
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from dpstudio.core.resources import resource
from dpstudio.documents.print.style import FAMILIES

FILES = {("Source Sans 3", False): "SourceSans3-Regular.ttf", ("Source Sans 3", True): "SourceSans3-Bold.ttf",
         ("DP Studio Symbols", False): "DPStudioSymbols-Regular.ttf",
         ("DP Studio Symbols", True): "DPStudioSymbols-Bold.ttf"}

MISSING = "□"
"""Stands for a sign that the fonts lack."""


def _path(family: str, *, bold: bool) -> Path:
    return resource("fonts") / FILES[family, bold]


@cache
def register() -> None:
    """Make the fonts known to matplotlib, before any of the same name that the machine may have."""
    known = font_manager.fontManager.ttflist
    before = len(known)
    for family, bold in FILES:
        font_manager.fontManager.addfont(_path(family, bold=bold))
    known[:] = known[before:] + known[:before]


def close() -> None:
    """Close the fonts that were drawn with: matplotlib keeps them open for each thread, and when it has ended, too."""
    if (kept := getattr(font_manager, "_get_font", None)) is not None:  # nothing public closes them
        kept.cache_clear()


def properties(size: float, *, bold: bool = False) -> FontProperties:
    register()
    return FontProperties(family=list(FAMILIES), size=size, weight="bold" if bold else "normal")


@lru_cache(maxsize=4096)
def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is, in points, whatever resolution it is drawn at."""
    measured = TextToPath().get_text_width_height_descent(text, properties(size, bold=bold), ismath=False)
    return float(measured[0])


def drawable(text: str, known: frozenset[str] | None = None) -> str:
    """The text with “□” in the place of every sign that is not known: those that the fonts lack, unless it is said."""
    known = characters() if known is None else known
    return text if known.issuperset(text) else "".join(sign if sign in known else MISSING for sign in text)


def wrap(text: str, size: float, within: float, *, bold: bool = False) -> list[str]:
    """The text in lines of at most that width, broken between words."""
    return fill(text.split(" "), " ", size, within, bold=bold)


def fill(pieces: list[str], between: str, size: float, within: float, *, bold: bool = False) -> list[str]:
    """Pieces joined into lines of at most that width; one that is longer is broken between its words."""
    lines: list[str] = []
    for piece in pieces:
        longer = f"{lines[-1]}{between}{piece}" if lines else piece
        if lines and width(longer, size, bold=bold) <= within:
            lines[-1] = longer
        elif between != " " and width(piece, size, bold=bold) > within:
            lines += wrap(piece, size, within, bold=bold)
        else:
            lines.append(piece)
    return lines


def font_faces(texts: Mapping[bool, Iterable[str]]) -> str:
    """CSS that carries the glyphs of these characters, by whether they are bold."""
    faces = []
    for bold, characters in sorted(texts.items()):
        left = {ord(character) for character in characters}
        for family in FAMILIES:
            wanted = left & _covered(family, bold)
            left -= wanted
            if wanted:
                faces.append(_face(family, bold, tuple(sorted(wanted))))
    return "".join(faces)


@cache
def characters() -> frozenset[str]:
    """The signs that can be drawn, regular and bold."""
    covered = [set().union(*(_covered(family, bold) for family in FAMILIES)) for bold in (False, True)]
    return frozenset(map(chr, covered[0] & covered[1]))


@cache
def _covered(family: str, bold: bool) -> frozenset[int]:
    """The characters that a font has."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with TTFont(_path(family, bold=bold)) as font:
        return frozenset(font.getBestCmap())


def _face(family: str, bold: bool, wanted: Sequence[int]) -> str:
    """One @font-face with a subset as WOFF; the same characters give the same bytes."""
    from fontTools import subset  # type: ignore[import-untyped]
    from fontTools.ttLib import TTFont

    with TTFont(_path(family, bold=bold), recalcTimestamp=False) as font:
        for table in ("BASE", "GDEF", "GPOS", "GSUB"):  # to cut kerning takes ten times as long as all the rest
            if table in font:
                del font[table]
        cut = subset.Subsetter(subset.Options(hinting=False))
        cut.populate(unicodes=wanted)
        cut.subset(font)
        font.flavor = "woff"
        out = io.BytesIO()
        font.save(out)
    data = base64.b64encode(out.getvalue()).decode()
    weight = "bold" if bold else "normal"
    return (f"@font-face{{font-family:'{family}';font-weight:{weight};"
            f"src:url(data:font/woff;base64,{data}) format('woff')}}\n")
